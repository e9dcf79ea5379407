"""Seconds between two points of a run, on a CPU or an accelerator.

On CUDA the points are events in the stream, read when the work before them is done: marking costs no synchronisation.
"""

from __future__ import annotations

import time
from typing import Any

import torch


class Clock:
    """mark() now, ask for seconds(a, b) later."""

    def __init__(self, device: str) -> None:
        self.device = torch.device(device).type

    def mark(self) -> Any:
        if self.device == "cuda":
            event = torch.cuda.Event(enable_timing=True)
            event.record()
            return event
        if self.device == "mps":  # its work is queued, and its events can't be read without waiting either
            torch.mps.synchronize()
        return time.perf_counter()

    def seconds(self, start: Any, end: Any) -> float:
        if self.device == "cuda":
            end.synchronize()
            return start.elapsed_time(end) / 1000
        return end - start
