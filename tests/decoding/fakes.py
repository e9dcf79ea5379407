"""Models that are a table: what stands before decides the logits, and nothing else does. And ways to run them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import torch
from torch import Tensor

from specviz.decoding.drafters import Drafter
from specviz.decoding.loop import autoregress, speculate
from specviz.decoding.runs import generator
from specviz.trace import checks, metrics
from specviz.trace.events import Event, Finished
from specviz.trace.records import Arm, Output, Prefill, Prompt, Step, Token, Trace, dumps, loads
from tests.decoding.tiny import settings

Prefix = tuple[int, ...]


class TableModel:
    """logits_behind(prefix) are its logits behind a prefix. Reading more than `context` tokens, or an id that is not
    in its vocabulary, is an error, as it is in a transformer."""

    device = "cpu"

    def __init__(
        self,
        logits_behind: Callable[[Prefix], Sequence[float]],
        *,
        vocab: int,
        name: str = "table",
        context: int = 1000,
        eos_ids: tuple[int, ...] = (),
    ) -> None:
        self.logits_behind, self.vocab, self.name = logits_behind, vocab, name
        self.context, self.eos_ids = context, eos_ids

    def reading(self) -> TableReading:
        return TableReading(self)


class TableReading:
    def __init__(self, model: TableModel) -> None:
        self.model, self.ids = model, []  # type: ignore[var-annotated]

    @property
    def length(self) -> int:
        return len(self.ids)

    def read(self, ids: Tensor, *, rows: int) -> Tensor:
        assert len(ids) >= rows >= 1
        self.ids += ids.tolist()
        assert len(self.ids) <= self.model.context, "read past the context"
        assert all(0 <= i < self.model.vocab for i in self.ids), "read an id that is not in the vocabulary"
        ends = range(len(self.ids) - rows + 1, len(self.ids) + 1)
        return torch.tensor([list(self.model.logits_behind(tuple(self.ids[:end]))) for end in ends])

    def keep(self, length: int) -> None:
        assert length <= len(self.ids), "kept what was never read"
        del self.ids[length:]


def certain(token: int, vocab: int) -> list[float]:
    """Logits of a model that is sure of its token."""
    return [60.0 if i == token else 0.0 for i in range(vocab)]


def follows(text: Sequence[int], *, vocab: int, **options: Any) -> TableModel:
    """Continues whatever it reads with `text` by position, then repeats its last id for ever."""
    return TableModel(lambda prefix: certain(text[min(len(prefix), len(text)) - 1], vocab), vocab=vocab, **options)


def says(*tokens: int, prompt: int, vocab: int, **options: Any) -> TableModel:
    """A model sure to say `tokens` behind a prompt of that length, then its last token for ever."""
    text = (*tokens, tokens[-1])

    def behind(prefix: Prefix) -> list[float]:
        return certain(text[min(len(prefix) - prompt, len(text) - 1)] if len(prefix) >= prompt else 0, vocab)

    return TableModel(behind, vocab=vocab, **options)


def decode(
    target: Any, drafter: Drafter | None, prompt: Sequence[int], *, arm: int = 0, record: bool = True, **options: Any
) -> tuple[list[Step], str]:
    """The steps of one arm and why it ended, checked as every arm of this suite is. options: settings, or ends_text."""
    ends_text = options.pop("ends_text", None)
    wanted = settings(**options)
    more: dict[str, Any] = {"generator": generator(wanted.seed, arm), "record": record, "ends_text": ends_text}
    if drafter:
        events = list(speculate(target, drafter, prompt, wanted, **more))
    else:
        events = list(autoregress(target, prompt, wanted, **more))
    prefill, *steps, reason = events
    assert isinstance(prefill, Prefill)
    assert isinstance(reason, str)
    assert all(isinstance(step, Step) for step in steps)
    if record:
        output = Output(tuple(emitted(steps)), "", reason)  # type: ignore[arg-type]
        mentioned = {i for step in steps for i in _ids(step)} | set(prompt)
        tokens = {i: Token(str(i), "") for i in mentioned}
        made = Arm(prefill, tuple(steps), output)  # type: ignore[arg-type]
        nothing = Arm(prefill, (), Output((), "", "cancelled"))
        arms = (made, ()) if drafter else (nothing, (made,))
        trace = Trace(wanted, Prompt("", "", tuple(prompt)), tokens, *arms)  # type: ignore[arg-type]
        sound(dataclasses.replace(trace, metrics=metrics.compute(trace)))
    return steps, reason  # type: ignore[return-value]


def emitted(steps: Iterable[Any]) -> list[int]:
    return [token.id for step in steps for token in step.emitted]


def statuses(step: Step) -> list[str]:
    return [draft.status for draft in step.drafts]


def kinds(step: Step) -> list[str]:
    return [token.kind for token in step.emitted]


def _ids(step: Step) -> Iterator[int]:
    for draft in step.drafts:
        yield from (draft.id, *(row[0] for row in draft.top), *(row[0] for row in draft.logits or ()))
    for token in step.emitted:
        yield from (token.id, *(row[0] for row in token.top or ()), *(row[0] for row in token.logits or ()))


def finish(events: Iterable[Event]) -> tuple[list[Event], Trace]:
    """All events of a run, and its trace, checked as every trace of this suite is."""
    every = list(events)
    assert isinstance(every[-1], Finished)
    return every, sound(every[-1].trace)


def sound(trace: Trace) -> Trace:
    """The trace, whose accounting holds, and whose decisions can be made again from its JSON alone."""
    again = loads(dumps(trace))
    assert again == trace
    assert list(checks.problems(again)) == []
    for arm in (again.speculative, *again.baseline):
        counts = metrics.count(arm)
        assert counts["tokens"] == len(arm.output.ids) == sum(len(step.emitted) for step in arm.steps)
        assert counts["tokens"] == sum(counts[kind] for kind in ("accepted", "resampled", "bonus", "plain"))
        assert counts["drafted"] == counts["accepted"] + counts["rejected"] + counts["discarded"]
        for step in arm.steps:
            assert len(step.emitted) <= len(step.drafts) + 1
            assert (len(step.drafts) < step.gamma) == (step.limit is not None), "a short step says why"
            for draft in step.drafts:
                assert draft.threshold == min(1, draft.p / draft.q)
                assert (draft.id, draft.p, draft.q) in draft.top
    return trace
