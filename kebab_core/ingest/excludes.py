"""What is left out without being asked: other programs' files, build output, keys.

A pattern with `!` in `.kebabignore`, `.ignore` or `.gitignore` brings any of it back.
"""

from __future__ import annotations

from collections.abc import Container


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


DIRECTORIES = (
    # version control
    _names(".git .hg .svn .bzr .jj _darcs CVS")
    # installed packages and virtual environments (others are known by their pyvenv.cfg)
    | _names("node_modules bower_components site-packages .venv venv .tox .nox .pixi .bundle")
    # caches
    | _names("__pycache__ .cache .mypy_cache .pytest_cache .ruff_cache .hypothesis .eggs")
    | _names(".ipynb_checkpoints .parcel-cache .turbo .sass-cache .import_linter_cache")
    # build output whose name says so
    | _names(".next .nuxt .svelte-kit .output .gradle .terraform .dart_tool .stack-work")
    | _names("dist-newstyle _site .docusaurus htmlcov")
    # editors, desktops, kebab itself
    | _names(".idea .vs .obsidian .trash .Trash $RECYCLE.BIN lost+found .Spotlight-V100")
    | _names(".fseventsd .kebab")
    # keys
    | _names(".ssh .gnupg .aws .azure .kube .docker .password-store")
)

OUTPUT_BESIDE = {
    # A folder of this name is build output only beside a file that says how it is built.
    "build": _names(
        "setup.py setup.cfg pyproject.toml package.json CMakeLists.txt build.gradle "
        "build.gradle.kts Makefile meson.build pubspec.yaml conf.py"
    ),
    "_build": _names("conf.py Makefile mix.exs dune-project"),
    "dist": _names("package.json pyproject.toml setup.py setup.cfg"),
    "out": _names("package.json build.gradle CMakeLists.txt"),
    "target": _names("Cargo.toml pom.xml build.sbt project.clj"),
    "vendor": _names("go.mod composer.json Gemfile"),
    "obj": _names("Directory.Build.props global.json"),
    "Pods": _names("Podfile"),
    "DerivedData": _names("Package.swift"),
    "deps": _names("mix.exs"),
}

MARKED = _names("pyvenv.cfg CACHEDIR.TAG")
"""A directory with one of these in it is a virtual environment or a cache."""

FILES = (
    # lock files
    _names("package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb")
    | _names("poetry.lock uv.lock pdm.lock pixi.lock Pipfile.lock pylock.toml Cargo.lock")
    | _names("composer.lock Gemfile.lock go.sum go.work.sum flake.lock mix.lock pubspec.lock")
    | _names("Podfile.lock Package.resolved packages.lock.json gradle.lockfile deno.lock")
    | _names("conda-lock.yml")
    # version control's and ignore files
    | _names(".gitignore .gitattributes .gitmodules .gitkeep .ignore .kebabignore .hgignore")
    | _names(".dockerignore .npmignore .eslintignore .prettierignore")
    # desktops
    | _names(".DS_Store Thumbs.db desktop.ini")
    # keys
    | _names(".env .envrc .netrc _netrc .npmrc .pypirc .pgpass .htpasswd .git-credentials")
    | _names("id_rsa id_dsa id_ecdsa id_ed25519")
)

SUFFIXES = (
    # minified, and maps of it
    ".min.js", ".min.mjs", ".min.css", ".bundle.js", ".map",
    # compiled
    ".pyc", ".pyo", ".class",
    # editors' and downloads' leftovers
    "~", ".swp", ".swo", ".tmp", ".part", ".crdownload",
    # keys
    ".pem", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".ppk",
)  # fmt: skip

_SHOWN_ENV = (".example", ".sample", ".template", ".dist")


def is_excluded_directory(name: str, siblings: Container[str]) -> bool:
    """`siblings`: the names beside it."""
    if name in DIRECTORIES:
        return True
    markers = OUTPUT_BESIDE.get(name)
    return markers is not None and any(marker in siblings for marker in markers)


def is_excluded_file(name: str) -> bool:
    if name in FILES or name.endswith(SUFFIXES):
        return True
    if name[0] in ".#":
        if name.startswith((".#", "#")) and (name.endswith("#") or name.startswith(".#")):
            return True
        return name.startswith(".env.") and not name.endswith(_SHOWN_ENV)
    return False
