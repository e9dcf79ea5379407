"""specviz: see, test and measure exact speculative decoding.

The names here are the public ones. `run` brings torch, and only when it is first asked for.
"""

from __future__ import annotations

from typing import Any

from specviz.errors import InputError, ModelError, PairError, SpecvizError, TraceError
from specviz.request import RunRequest
from specviz.trace.records import Trace, dumps, load, loads

__all__ = [
    "InputError",
    "ModelError",
    "PairError",
    "RunRequest",
    "SpecvizError",
    "Trace",
    "TraceError",
    "dumps",
    "load",
    "loads",
    "run",
]


def __getattr__(name: str) -> Any:
    if name == "run":
        from specviz.decoding.runs import run

        return run
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
