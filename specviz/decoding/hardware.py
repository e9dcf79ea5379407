"""What this machine has: device, number format, threads, memory, and their names for the record."""

from __future__ import annotations

import datetime
import math
import os
import platform
import resource
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch

from specviz.errors import InputError

_SMALL = 100_000_000  # below this many parameters float32 is as fast as bfloat16 on a CPU


def pick_device(asked: str) -> str:
    """'auto' becomes cuda, else mps, else cpu. InputError where the one asked for is not there."""
    there = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available(), "cpu": True}
    if asked == "auto":
        return next(name for name, present in there.items() if present)
    if not there[asked]:
        raise InputError(f"This machine has no {asked} device.", hint="Choose device auto or cpu.")
    return asked


def pick_dtype(asked: str, device: str, parameters: int) -> torch.dtype:
    """'auto' is bfloat16 where the hardware computes in it natively and the model is not tiny, else float32."""
    if asked == "float16" and device == "cpu":
        raise InputError("float16 is slow and loses numbers on a CPU.", hint="Choose dtype auto, float32 or bfloat16.")
    if asked != "auto":
        return getattr(torch, asked)
    return torch.bfloat16 if parameters >= _SMALL and _native_bfloat16(device) else torch.float32


def _native_bfloat16(device: str) -> bool:
    if device == "cuda":
        return torch.cuda.is_bf16_supported(including_emulation=False)
    if device == "mps":
        return True
    try:
        flags = Path("/proc/cpuinfo").read_text()
    except OSError:
        return False  # no way to tell: float32 is right everywhere
    return "avx512_bf16" in flags or "amx_bf16" in flags


def available_cores() -> int:
    """Cores that this process may use: its affinity, and the quota of its container where one is set."""
    affinity = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        quota, period = Path("/sys/fs/cgroup/cpu.max").read_text().split()
        return affinity if quota == "max" else max(1, min(affinity, math.floor(int(quota) / int(period))))
    except (OSError, ValueError):
        return affinity


def use_available_cores() -> None:
    """Have torch use as many threads as there are cores for it, and not as many as the host has."""
    cores = available_cores()
    if torch.get_num_threads() != cores:
        torch.set_num_threads(cores)


def peak_memory_bytes(device: str) -> int:
    """The most memory held so far: on the accelerator, or by this process."""
    if device == "cuda":
        return torch.cuda.max_memory_allocated()
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def environment(device: str) -> dict[str, Any]:
    """The machine and the libraries, for the trace."""
    return {
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "processor": torch.cuda.get_device_name() if device == "cuda" else _processor(),
        "device": device,
        "threads": torch.get_num_threads(),
        "python": platform.python_version(),
        **{name: version(name) for name in ("torch", "transformers")},
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()
