"""Runs for the page: from an engine's events to what the stage shows, with a Stop that keeps what there is."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Lock
from typing import Any, Protocol

from specviz.errors import SpecvizError
from specviz.request import RunRequest
from specviz.trace import records
from specviz.trace.events import Event, Finished, Loading, Started
from specviz.trace.records import Trace
from specviz.ui import words
from specviz.ui.feed import Feed, Message, message, problem

EVERY = 0.22  # seconds between two updates of the page, at least


class Engine(Protocol):
    """What the page needs of specviz.decoding.runs; tests give a fake."""

    def run(
        self, request: RunRequest, *, stopped: Callable[[], bool] = ..., plain_first: bool = ...
    ) -> Iterator[Event]: ...

    def another_plain(
        self, request: RunRequest, trace: Trace, *, stopped: Callable[[], bool] = ...
    ) -> Iterator[Event]: ...


def real_engine() -> Engine:
    """The engine on torch, imported when the first run asks for it: a page of recorded runs needs none."""
    try:
        from specviz.decoding import runs
    except ImportError as error:
        raise SpecvizError(words.word("en", "error_engine"), hint=words.word("en", "error_engine_hint")) from error
    return runs


class Stops:
    """Who has pressed Stop: a flag a session, set by an event that does not queue, asked after every step."""

    def __init__(self) -> None:
        self._sessions: set[str] = set()
        self._lock = Lock()

    def ask(self, session: str | None) -> None:
        with self._lock:
            self._sessions.add(session or "")

    def clear(self, session: str | None) -> None:
        with self._lock:
            self._sessions.discard(session or "")

    def asked(self, session: str | None) -> bool:
        return (session or "") in self._sessions


def updates(events: Callable[[], Iterator[Event]], feed: Feed) -> Iterator[tuple[dict[str, Any], Trace | None]]:
    """Values for the stage, at most one each EVERY seconds; with the last one comes the finished trace."""
    waiting: list[Message] = []
    last = 0.0
    try:
        for event in events():
            waiting.append(message(event))
            if isinstance(event, Finished):
                yield feed.send(*waiting, final=True), event.trace
                return
            if isinstance(event, (Loading, Started)) or time.monotonic() - last >= EVERY:
                yield feed.send(*waiting), None
                waiting, last = [], time.monotonic()
    except SpecvizError as error:
        yield feed.send(*waiting, problem(error), final=True), None
    except Exception as error:
        # A defect of ours or of a library: the log gets the traceback, the page a sentence and its next run.
        import logging

        logging.getLogger("specviz").exception("A run failed")
        sentence = f"{words.word('en', 'error_unknown')} ({type(error).__name__})"
        yield (
            feed.send(
                *waiting, problem(SpecvizError(sentence, hint=words.word("en", "error_unknown_hint"))), final=True
            ),
            None,
        )


def saved(trace: Trace, folder: str) -> str:
    """The trace as a file to download, under a random name, in a folder that Gradio may serve and clears."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", prefix="specviz-trace-", suffix=".json", dir=folder, delete=False
    ) as file:
        file.write(records.dumps(trace))
    return file.name
