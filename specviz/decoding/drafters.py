"""What proposes: the Drafter protocol, a draft model, and prompt lookup.

A drafter proposes ids and the distribution q that each was drawn from. The loop knows these four methods and nothing
else, so a third drafter needs no change there.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor

from specviz.decoding.sampling import Sampler, draw, uniforms
from specviz.trace.records import DrafterKind, Limit, Lookup


@dataclass(frozen=True)
class Proposal:
    """Drafts of one step. ids: [drafted]. rows: q at each position, [drafted, vocab]. draws: the uniform that drew
    each id, None where they were copied. passes: forward passes made. limit: why fewer than asked for were drafted."""

    ids: Tensor
    rows: Tensor
    draws: tuple[float, ...] | None = None
    passes: int = 0
    limit: Limit | None = None
    lookup: Lookup | None = None

    @staticmethod
    def nothing(sampler: Sampler, device: str, *, limit: Limit | None = None) -> Proposal:
        none = torch.empty(0, dtype=torch.long, device=device)
        return Proposal(none, torch.empty(0, sampler.vocab, device=device), limit=limit)


class Drafter(Protocol):
    """`begin` a run on a prompt, then `propose` and `keep` once a step."""

    kind: DrafterKind

    def begin(self, prompt: Tensor, sampler: Sampler, generator: torch.Generator) -> None:
        """Get ready: read the prompt [n] but its last token. Randomness comes from `generator` alone."""

    def propose(self, tokens: Tensor, count: int) -> Proposal:
        """Up to `count` >= 1 drafts behind tokens [n], the prompt and everything emitted so far."""

    def keep(self, length: int) -> None:
        """Forget whatever was read past the first `length` tokens: they were not emitted."""

    def rest(self) -> None:
        """The run is over: let its memory go."""


class Reading(Protocol):
    """A model's cache over the tokens it has read: `length` of them, so far."""

    length: int

    def read(self, ids: Tensor, *, rows: int) -> Tensor:
        """Read ids [n] behind the others; logits of the last `rows` positions, [rows, vocab]."""

    def keep(self, length: int) -> None:
        """Roll back to the first `length` tokens."""


class Model(Protocol):
    """What the loop and the drafter need of a language model. context: the most tokens it can read."""

    name: str
    vocab: int
    context: int
    eos_ids: tuple[int, ...]
    device: str

    def reading(self) -> Reading:
        """A new, empty cache."""


class ModelDrafter:
    """A smaller model with its own cache. Each draft is drawn from its own processed distribution."""

    kind: DrafterKind = "model"

    def __init__(self, model: Model, *, eos_ids: tuple[int, ...]) -> None:
        self.model = model
        self.eos_ids = frozenset(eos_ids)  # the target's: they end the run

    def begin(self, prompt: Tensor, sampler: Sampler, generator: torch.Generator) -> None:
        self.sampler, self.generator = sampler, generator
        self.cache = self.model.reading()
        if 1 < len(prompt) <= self.model.context:
            self._read(prompt[:-1])

    def propose(self, tokens: Tensor, count: int) -> Proposal:
        # The last draft is never read, so count drafts read up to position len(tokens) + count - 2.
        room = self.model.context - len(tokens) + 1
        limit: Limit | None = "context" if room < count else None
        count = min(count, room)
        if count < 1:
            return Proposal.nothing(self.sampler, self.model.device, limit=limit)
        rows: list[Tensor] = []
        draws: list[float] = []
        start = len(tokens)
        for _ in range(count):
            logits = self._read(tokens[self.cache.length :])
            rows.append(self.sampler.rows(self.sampler.scores(logits, tokens)))
            uniform = uniforms(1, self.generator)
            draws.append(uniform.item())
            tokens = torch.cat([tokens, draw(rows[-1], uniform)])
            # Looking at an id makes an accelerator wait; there the loop cuts the proposal once it has the ids anyway.
            if tokens.device.type == "cpu" and int(tokens[-1]) in self.eos_ids:
                limit = "eos_drafted" if len(draws) < count else limit
                break
        return Proposal(tokens[start:], torch.cat(rows), tuple(draws), passes=len(draws), limit=limit)

    def _read(self, ids: Tensor) -> Tensor:
        """Logits behind ids, [1, vocab]. An id that only the target has reads as 0: what is drafted from that is still
        drawn from its q."""
        return self.cache.read(ids.masked_fill(ids >= self.model.vocab, 0), rows=1)

    def keep(self, length: int) -> None:
        self.cache.keep(min(length, self.cache.length))

    def rest(self) -> None:
        del self.cache


class PromptLookup:
    """Copies what followed the last few tokens when they stood there before, in the prompt or the output so far.

    The longest n-gram wins, from max_ngram down to 1. Among its occurrences the most recent one that is followed by
    enough tokens wins; where none is, the earliest, which is followed by most. q is a point mass on each copied id.
    Each token is indexed once, so a run is linear in its length.
    """

    kind: DrafterKind = "prompt_lookup"

    def __init__(self, *, max_ngram: int, eos_ids: tuple[int, ...]) -> None:
        self.max_ngram = max_ngram
        self.eos_ids = frozenset(eos_ids)

    def begin(self, prompt: Tensor, sampler: Sampler, generator: torch.Generator) -> None:
        self.sampler = sampler
        self.ids: list[int] = []
        self.ends: dict[tuple[int, ...], list[int]] = defaultdict(list)  # n-gram -> where it ended, ascending
        self._index(prompt[:-1].tolist())

    def propose(self, tokens: Tensor, count: int) -> Proposal:
        self._index(tokens[len(self.ids) :].tolist())
        match = self._match(count)
        device = str(tokens.device)
        if match is None:
            return Proposal.nothing(self.sampler, device, limit="no_match")
        length, end = match
        copied = self.ids[end : end + count]
        limit: Limit | None = "no_match" if len(copied) < count else None
        stop = next((i for i, token in enumerate(copied) if token in self.eos_ids), len(copied) - 1)
        if stop + 1 < len(copied):
            copied, limit = copied[: stop + 1], "eos_drafted"
        ids = torch.tensor(copied, device=device)
        rows = torch.zeros(len(copied), self.sampler.vocab, device=device).scatter_(1, ids[:, None], 1.0)
        spans = Lookup(matched=(end - length, end), copied=(end, end + len(copied)))
        return Proposal(ids, rows, limit=limit, lookup=spans)

    def keep(self, length: int) -> None:
        pass  # only emitted tokens are ever indexed

    def rest(self) -> None:
        del self.ids, self.ends

    def _index(self, new: Sequence[int]) -> None:
        for token in new:
            self.ids.append(token)
            for n in range(1, min(self.max_ngram, len(self.ids)) + 1):
                self.ends[tuple(self.ids[-n:])].append(len(self.ids))

    def _match(self, count: int) -> tuple[int, int] | None:
        """(n, end) of the occurrence to copy behind; the n-gram at the very end is no match for itself."""
        for n in range(min(self.max_ngram, len(self.ids)), 0, -1):
            ends = self.ends[tuple(self.ids[-n:])]
            if len(ends) > 1:
                enough = bisect_right(ends, len(self.ids) - count)
                return n, ends[enough - 1] if enough else ends[0]
        return None
