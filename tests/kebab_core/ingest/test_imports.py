from __future__ import annotations

import subprocess
import sys


def test_importing_ingest_loads_no_library_that_it_may_not_need() -> None:
    code = "import sys, kebab_core.ingest; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"lancedb", "pyarrow", "numpy", "onnxruntime", "markdown_it", "yaml", "pypdfium2"}
    heavy |= {"charset_normalizer", "pathspec", "tokenizers", "torch"}
    assert not heavy & set(done.stdout.split())
