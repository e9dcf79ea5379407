"""What a run says while it runs: plain frozen values that can be pickled, in the order in which they come.

    Loading*, Started, then for each arm ArmStarted, Stepped*, ArmEnded; at last Finished

Arm 0 is the speculative one, arms 1, 2, ... are plain; they come in `Started.order`. A run that is stopped still ends
with Finished, whose trace holds what there is and says "cancelled"; an arm that had no turn has an ArmEnded alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from specviz.trace.records import Output, Prefill, Prompt, Settings, Step, Token, Trace


@dataclass(frozen=True)
class Loading:
    """A sentence on what is being fetched, converted, loaded or warmed; fraction in [0, 1] where it is known."""

    message: str
    fraction: float | None = None


@dataclass(frozen=True)
class Started:
    """Everything is loaded and checked; the effective settings, the rendered prompt, the machine, the arms' order."""

    settings: Settings
    prompt: Prompt
    tokens: dict[int, Token]
    environment: dict[str, Any]
    order: tuple[int, ...]


@dataclass(frozen=True)
class ArmStarted:
    """The arm has read the prompt; its steps follow."""

    arm: int
    prefill: Prefill


@dataclass(frozen=True)
class Stepped:
    """One step. text: what it adds to the streamed text, never half a character. tokens: ids not met before."""

    arm: int
    step: Step
    text: str
    tokens: dict[int, Token]


@dataclass(frozen=True)
class ArmEnded:
    """The arm's output; its text is one decode of the ids, and replaces what was streamed."""

    arm: int
    output: Output


@dataclass(frozen=True)
class Finished:
    """The whole trace, metrics included."""

    trace: Trace


Event = Loading | Started | ArmStarted | Stepped | ArmEnded | Finished
