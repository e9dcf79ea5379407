"""A run on its way to the page: numbered chunks of JSON text, of which a value carries the latest few.

The page's script keeps what it has read and grows its trace from it. So an update costs what is new in it, not the
whole run: Gradio compares and copies a component's value several times an update, on both sides.
"""

from __future__ import annotations

import json
import uuid
from typing import Any

from specviz.errors import SpecvizError
from specviz.trace import records
from specviz.trace.events import ArmEnded, ArmStarted, Event, Finished, Loading, Started, Stepped
from specviz.trace.records import Trace, to_json
from specviz.ui.errors import translated

WINDOW = 12  # chunks a value carries; a page that missed more asks for the trace itself
Message = dict[str, Any]


class Feed:
    """Chunks of one run, in order. `first` numbers go on where a feed continues what the page already shows."""

    def __init__(self) -> None:
        self.run = uuid.uuid4().hex
        self.chunks: dict[str, str] = {}
        self.last = -1

    def send(self, *messages: Message, final: bool = False) -> dict[str, Any]:
        """The component's next value, with these messages as one more chunk."""
        self.last += 1
        self.chunks = dict(list(self.chunks.items())[-(WINDOW - 1) :])
        self.chunks[str(self.last)] = json.dumps(messages, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return {"run": self.run, "last": self.last, "final": final, "chunks": self.chunks}


def message(event: Event) -> Message:
    """An event of a live run as the page reads it."""
    match event:
        case Loading():
            return {"type": "loading", "message": translated(event.message), "fraction": event.fraction}
        case Started():
            return {"type": "started"} | to_json(event)
        case ArmStarted():
            return {"type": "arm"} | to_json(event)
        case Stepped():
            return {"type": "step"} | to_json(event)
        case ArmEnded():
            return {"type": "arm_end"} | to_json(event)
        case Finished(trace):
            arms = [trace.speculative, *trace.baseline]
            return {
                "type": "finished",
                "metrics": to_json(trace.metrics),
                "environment": to_json(trace.environment),
                "tokens": to_json(trace.tokens),
                "cancelled": any(arm.output.stop_reason == "cancelled" for arm in arms),
            }


def whole(
    trace: Trace, *, source: str, title: str = "", step: int | None = None, position: int | None = None
) -> Message:
    """A trace that stands already: recorded, opened from a file, or sent again."""
    recorded = trace.environment.get("recorded")
    rule = recorded.get("rule") if isinstance(recorded, dict) else None
    return {
        "type": "trace",
        "trace": records.to_json(trace),
        "rule": translated(rule) if isinstance(rule, str) else None,  # by which this run was taken among others
        "source": source,
        "title": title,
        "step": step,
        "position": position,
    }


def problem(error: SpecvizError) -> Message:
    """An error as two sentences, each in every language."""
    return {"type": "error", "message": translated(error.message), "hint": translated(error.hint)}
