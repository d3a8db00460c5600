"""ONNX Runtime, silenced. The only place that imports it."""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

# From 1.29 on the official builds report each process, model and session to their maker, and
# keep a device id on disk, unless this is set before the library is loaded.
_OPT_OUT = {"ORT_DISABLE_TELEMETRY": "1", "ORT_TELEMETRY_DISABLED": "1"}


def onnxruntime() -> Any:
    """The module, which sends nothing and writes nothing to stderr."""
    os.environ.update(_OPT_OUT)
    module = import_module("onnxruntime")
    module.disable_telemetry_events()  # builds for Windows know no variable
    module.set_default_logger_severity(4)
    return module


def quantization() -> Any:
    """`onnxruntime.quantization`. Imports onnx."""
    onnxruntime()
    return import_module("onnxruntime.quantization")
