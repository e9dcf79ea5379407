"""Logits to the one float32 distribution that is drawn from, compared and recorded.

Every row, drafted or verified, target's or draft model's, goes through the same Sampler with its own prefix. The rules
themselves are transformers' logits processors.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional as F
from transformers.generation.logits_process import (
    LogitsProcessorList,
    MinNewTokensLengthLogitsProcessor,
    MinPLogitsWarper,
    RepetitionPenaltyLogitsProcessor,
    TemperatureLogitsWarper,
    TopKLogitsWarper,
    TopPLogitsWarper,
)

# Below this a temperature is 0 in all but name, and float32 could not divide by it.
_COLDEST = 1e-30


class Sampler:
    """The processors of one run, in transformers' order.

    vocab is the target's number of logits; rows of a draft model with more are cut (ids that only it has are masked
    before its softmax), rows with fewer are filled with -inf (q is 0 there). prompt_length and eos_ids serve
    min_new_tokens only.
    """

    def __init__(
        self,
        *,
        vocab: int,
        temperature: float,
        top_k: int = 0,
        top_p: float = 1.0,
        min_p: float = 0.0,
        repetition_penalty: float = 1.0,
        min_new_tokens: int = 0,
        prompt_length: int = 0,
        eos_ids: tuple[int, ...] = (),
        device: str | torch.device = "cpu",
    ) -> None:
        self.vocab = vocab
        self.greedy = temperature == 0
        self._by_prefix = LogitsProcessorList()  # these look at what stands before the row
        self._by_row = LogitsProcessorList()  # these look at the row alone, so all rows go at once
        if repetition_penalty != 1:
            self._by_prefix.append(RepetitionPenaltyLogitsProcessor(repetition_penalty))
        if min_new_tokens and eos_ids:
            self._by_prefix.append(
                MinNewTokensLengthLogitsProcessor(prompt_length, min_new_tokens, list(eos_ids), device=str(device))
            )
        if self.greedy:
            return  # no warper moves the largest logit
        self._by_row.append(TemperatureLogitsWarper(max(float(temperature), _COLDEST)))
        if top_k:
            self._by_row.append(TopKLogitsWarper(min(top_k, vocab)))
        if top_p < 1:
            self._by_row.append(TopPLogitsWarper(top_p))
        if min_p > 0:
            self._by_row.append(MinPLogitsWarper(min_p))

    def scores(self, logits: Tensor, ids: Tensor) -> Tensor:
        """The processed logits, float32 [positions, vocab], before temperature and the cuts.

        logits: [positions, any vocab], of consecutive positions. ids: [n], all tokens up to the last row: row i is
        the prediction behind ids[: n - positions + 1 + i].
        """
        scores = logits.float()[:, : self.vocab]
        if scores.shape[1] < self.vocab:
            scores = F.pad(scores, (0, self.vocab - scores.shape[1]), value=float("-inf"))
        if not self._by_prefix:
            return scores
        first = len(ids) - len(scores) + 1
        rows = [
            self._by_prefix(ids[None, : first + i], scores[i : i + 1])  # type: ignore[arg-type]
            for i in range(len(scores))
        ]
        return torch.cat(rows)

    def rows(self, scores: Tensor) -> Tensor:
        """The distribution at each position, float32 [positions, vocab], from `scores`.

        At temperature 0 it is a point mass on the largest logit (the lowest id among equals). A row of NaN comes out
        as NaN, so that a broken model is noticed and not drawn from.
        """
        if self.greedy:
            best = scores.argmax(dim=-1, keepdim=True)  # a NaN counts as largest
            mass = torch.where(scores.gather(1, best).isfinite(), 1.0, torch.nan)
            return torch.zeros_like(scores).scatter_(1, best, mass)
        scores = scores - scores.amax(dim=-1, keepdim=True)  # changes no softmax; no overflow however cold it gets
        warped = self._by_row(None, scores)  # type: ignore[arg-type]  # warpers do not read the ids
        return warped.softmax(dim=-1)


def uniforms(count: int, generator: torch.Generator) -> Tensor:
    """`count` numbers in [0, 1), float64, from a CPU generator: the same on every device, each fit to be recorded."""
    return torch.rand(count, dtype=torch.float64, generator=generator)


def draw(rows: Tensor, uniform: Tensor) -> Tensor:
    """Draw one id a row by inverting the cumulative sum, in float64: ids [trials] int64.

    rows: [trials, vocab], non-negative, not necessarily summing to 1. uniform: [trials] in [0, 1). The id is the first
    whose cumulative sum passes uniform x total, so an id of probability 0 is never drawn.

    >>> draw(torch.tensor([[0.0, 0.25, 0.0, 0.75]]), torch.tensor([0.25])).item()
    3
    """
    cumulative = rows.double().cumsum(dim=-1)
    total = cumulative[:, -1:].contiguous()
    chosen = torch.searchsorted(cumulative, uniform.to(cumulative)[:, None] * total, right=True)
    # uniform x total may round up to total, which nothing passes: then it is the last id that added to the sum.
    last = torch.searchsorted(cumulative, total)
    return torch.minimum(chosen, last).clamp(max=rows.shape[-1] - 1)[:, 0]
