"""Which reader a file's name asks for, and which names need no look inside."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

Reader: TypeAlias = Literal[
    "markdown", "text", "rst", "code", "json", "csv", "html", "pdf", "docx", "pptx", "sheet",
    "epub", "notebook", "mail",
]  # fmt: skip

PARSED = frozenset(
    ["python", "javascript", "typescript", "go", "rust", "java", "c", "cpp", "ruby", "shell"]
)
"""Languages of code that a parser of others takes apart."""
APART: frozenset[Reader] = frozenset(
    ["html", "pdf", "docx", "pptx", "sheet", "epub", "notebook", "mail"]
)
"""What is read in a process of its own: other people's libraries on other people's bytes."""

MARKDOWN = frozenset(["md", "markdown", "mdown", "mkd", "mkdn", "mdx", "qmd", "rmd"])


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


TEXT = _names(
    "txt text log adoc asciidoc org textile wiki srt vtt tex bib po pot ics vcf me nfo 1st"
)

CODE = {
    **dict.fromkeys(["py", "pyi", "pyw", "pyx"], "python"),
    **dict.fromkeys(["js", "mjs", "cjs", "jsx"], "javascript"),
    **dict.fromkeys(["ts", "mts", "cts", "tsx"], "typescript"),
    **dict.fromkeys(["c", "h"], "c"),
    **dict.fromkeys(["cc", "cpp", "cxx", "hh", "hpp", "hxx", "ipp", "cu", "cuh"], "cpp"),
    **dict.fromkeys(["sh", "bash", "zsh", "ksh", "fish"], "shell"),
    **dict.fromkeys(["yaml", "yml"], "yaml"),
    **dict.fromkeys(["json", "jsonc", "json5", "jsonl", "ndjson", "geojson"], "json"),
    **dict.fromkeys(["vue", "svelte", "astro"], "html"),
    **dict.fromkeys(["xml", "xsd", "xsl", "xslt", "plist"], "xml"),
    **dict.fromkeys(["css", "scss", "sass", "less"], "css"),
    **dict.fromkeys(["ini", "cfg", "conf", "properties", "editorconfig"], "ini"),
    **dict.fromkeys(["kt", "kts"], "kotlin"),
    **dict.fromkeys(["rb", "rake", "gemspec"], "ruby"),
    **dict.fromkeys(["ex", "exs"], "elixir"),
    **dict.fromkeys(["erl", "hrl"], "erlang"),
    **dict.fromkeys(["clj", "cljs", "cljc", "edn"], "clojure"),
    **dict.fromkeys(["hs", "lhs"], "haskell"),
    **dict.fromkeys(["ml", "mli"], "ocaml"),
    **dict.fromkeys(["fs", "fsi", "fsx"], "fsharp"),
    **dict.fromkeys(["pl", "pm"], "perl"),
    **dict.fromkeys(["f", "f90", "f95", "for"], "fortran"),
    **dict.fromkeys(["asm", "s"], "assembly"),
    **dict.fromkeys(["ps1", "psm1"], "powershell"),
    **dict.fromkeys(["bat", "cmd"], "batch"),
    **dict.fromkeys(["v", "sv", "svh", "vhd", "vhdl"], "hdl"),
    **dict.fromkeys(["tf", "hcl", "tfvars"], "hcl"),
    **dict.fromkeys(["lisp", "el", "scm", "rkt"], "lisp"),
    "java": "java", "go": "go", "rs": "rust", "cs": "csharp", "swift": "swift", "m": "objc",
    "mm": "objc", "scala": "scala", "php": "php", "lua": "lua", "r": "r", "jl": "julia",
    "dart": "dart", "zig": "zig", "nim": "nim", "groovy": "groovy", "gradle": "groovy",
    "sql": "sql", "graphql": "graphql", "proto": "protobuf", "thrift": "thrift",
    "toml": "toml", "cmake": "cmake", "mk": "make", "nix": "nix", "sol": "solidity",
    "cr": "crystal", "d": "d", "pas": "pascal", "vb": "vb", "diff": "diff", "patch": "diff",
}  # fmt: skip
"""Suffix to language."""

CODE_NAMES = {
    "makefile": "make",
    "gnumakefile": "make",
    "dockerfile": "dockerfile",
    "containerfile": "dockerfile",
    "cmakelists.txt": "cmake",
    "rakefile": "ruby",
    "gemfile": "ruby",
    "jenkinsfile": "groovy",
    "vagrantfile": "ruby",
    "justfile": "make",
    "pipfile": "toml",
}

BINARY = (
    # pictures, sound, film, type
    _names("png jpg jpeg gif bmp tif tiff webp avif heic heif ico icns psd ai eps svg svgz raw")
    | _names("mp3 m4a aac ogg oga opus flac wav aif aiff mid mp4 m4v mov avi mkv webm mpg mpeg")
    | _names("wmv flv 3gp cr2 nef ttf otf woff woff2 eot fon")
    # archives and images of disks
    | _names("zip gz tgz bz2 tbz xz txz 7z rar zst lz4 tar jar war ear apk ipa deb rpm dmg iso")
    | _names("img vmdk qcow2 whl egg crx cab msi")
    # compiled, linked, data
    | _names("exe dll so dylib a o obj lib ko wasm pdb elc beam node bin dat pak")
    | _names("db sqlite sqlite3 db3 mdb accdb dbf lance parquet arrow feather orc avro npy npz")
    | _names("h5 hdf5 mat pkl pickle joblib pt pth onnx safetensors gguf ckpt tflite pb mo qm")
    # drawings, models of things
    | _names("blend fbx stl glb dwg dxf skp sketch fig xd")
)
"""Never opened."""

UNREAD = {
    **dict.fromkeys(["doc", "dot", "rtf", "odt", "pages", "wpd"], "a text"),
    **dict.fromkeys(["ppt", "pps", "odp", "key"], "slides"),
    "numbers": "a spreadsheet",
    **dict.fromkeys(["mobi", "azw3", "fb2", "djvu"], "a book"),
    **dict.fromkeys(["msg", "pst"], "mail"),
}
"""Documents that no reader here opens, with what they are."""


_READERS: dict[str, Reader] = {
    **dict.fromkeys(TEXT, "text"),
    **dict.fromkeys(CODE, "code"),
    **dict.fromkeys(MARKDOWN, "markdown"),
    **dict.fromkeys(["rst", "rest"], "rst"),
    **dict.fromkeys(["json", "geojson", "jsonl", "ndjson"], "json"),
    **dict.fromkeys(["csv", "tsv", "tab"], "csv"),
    **dict.fromkeys(["html", "htm", "xhtml", "xht"], "html"),
    **dict.fromkeys(["docx", "docm", "dotx", "dotm"], "docx"),
    **dict.fromkeys(["pptx", "pptm", "ppsx"], "pptx"),
    **dict.fromkeys(["xlsx", "xlsm", "xlsb", "xls", "xltx", "ods"], "sheet"),
    **dict.fromkeys(["eml", "mbox", "mht", "mhtml"], "mail"),
    "epub": "epub",
    "ipynb": "notebook",
    "pdf": "pdf",
}


def suffix_of(name: str) -> str:
    """The last suffix in lower case without its dot; empty where there is none."""
    stem, _, suffix = name.rpartition(".")
    return suffix.lower() if stem else ""


def language_of(name: str) -> str | None:
    """The programming language that a file's name says."""
    return CODE_NAMES.get(name.lower()) or CODE.get(suffix_of(name))


def reader_by_name(name: str) -> Reader | None:
    """The reader that the name asks for; None where only a look inside can tell."""
    lower = name.lower()
    return "code" if lower in CODE_NAMES else _READERS.get(suffix_of(lower))


def is_read_apart(name: str, reader: Reader | None) -> bool:
    """Of code only what a grammar is there for."""
    return reader in APART or (reader == "code" and language_of(name) in PARSED)


def reader_of(name: str, data: bytes) -> Reader | None:
    """The reader for a file by what it begins with, else by its name."""
    named = reader_by_name(name)
    if data.startswith(b"%PDF-"):
        return "pdf"
    if data.startswith(b"PK\x03\x04"):
        return _in_zip(data) or named
    if named in ("docx", "pptx", "sheet") and _HTML.match(data):
        return "html"  # what many a program exports "to Excel"
    return named


_HTML = re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html|head|meta|table)\b", re.IGNORECASE)
_PARTS: dict[bytes, Reader] = {
    b"word/document.xml": "docx",
    b"ppt/presentation.xml": "pptx",
    b"xl/workbook.": "sheet",
}


def _in_zip(data: bytes) -> Reader | None:
    """By the names of the parts, which stand as they are in the archive's own list at its end."""
    if data[30:58] == b"mimetypeapplication/epub+zip":
        return "epub"
    listed = data[data.rfind(b"PK\x05\x06") - 1_000_000 if len(data) > 1_000_000 else 0 :]
    return next((reader for part, reader in _PARTS.items() if part in listed), None)
