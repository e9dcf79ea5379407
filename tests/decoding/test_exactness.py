"""The whole loop, sampled: what comes out has the target's distribution, and wrong loops are found out."""

from __future__ import annotations

import itertools
from collections import Counter
from functools import cache

import pytest
import torch
from scipy.stats import chisquare
from torch import Tensor

from specviz.decoding import loop
from specviz.decoding.drafters import ModelDrafter, PromptLookup, Proposal
from specviz.decoding.loop import make_sampler, speculate
from specviz.decoding.runs import generator
from specviz.decoding.sampling import uniforms
from specviz.decoding.verification import verify_by_token
from specviz.trace.records import Step
from tests.decoding.tiny import TinyModel, settings

VOCAB, LENGTH, RUNS = 8, 4, 1200
PROMPT = (1, 2, 3, 1, 2)


@cache
def pair() -> tuple[TinyModel, TinyModel]:
    return TinyModel(vocab=VOCAB, seed=1), TinyModel(vocab=VOCAB, seed=2, layers=1)


@cache
def marginals(top_k: int) -> list[Tensor]:
    """The target's exact distribution of the token at each of the first four positions, whatever came before."""
    target, _ = pair()
    sampler = make_sampler(target, settings(top_k=top_k), prompt_length=len(PROMPT))
    chances, found = torch.ones(1, dtype=torch.float64), []
    for length in range(LENGTH):
        prefixes = torch.tensor([PROMPT + x for x in itertools.product(range(VOCAB), repeat=length)])
        logits = target.network(prefixes).logits[:, -1]
        joint = chances[:, None] * sampler.rows(sampler.scores(logits, prefixes[0])).double()
        found.append(joint.sum(0) / joint.sum())  # float32 rows sum to 1 only nearly
        chances = joint.reshape(-1)
    return found


def p_values(drafter: object, **changes: object) -> list[float]:
    """Chi-squared of each position over RUNS runs of the loop, each with its own seed."""
    target, _ = pair()
    counts: list[Counter[int]] = [Counter() for _ in range(LENGTH)]
    wanted = settings(max_new_tokens=LENGTH, top_k=3, **changes)
    for seed in range(RUNS):
        steps = speculate(target, drafter, PROMPT, wanted, generator=generator(seed, 0), record=False)  # type: ignore
        ids = [token.id for step in steps if isinstance(step, Step) for token in step.emitted]
        for count, token in zip(counts, ids, strict=True):
            count[token] += 1
    found = []
    for count, expected in zip(counts, marginals(3)):
        seen = torch.tensor([count[i] for i in range(VOCAB)], dtype=torch.float64)
        likely = expected * RUNS >= 5  # the rest are pooled, as the test's approximation wants
        pooled = [torch.cat([x[likely], x[~likely].sum()[None]]) for x in (seen, expected * RUNS)]
        pooled = [x if pooled[1][-1] > 1e-9 else x[:-1] for x in pooled]
        found.append(float(chisquare(*pooled).pvalue) if float(seen[expected == 0].sum()) == 0 else 0.0)
    return found


def test_with_a_draft_model_every_position_has_the_targets_distribution() -> None:
    assert min(p_values(ModelDrafter(pair()[1], eos_ids=()), gamma=3)) > 1e-3


def test_with_prompt_lookup_every_position_has_the_targets_distribution() -> None:
    assert min(p_values(PromptLookup(max_ngram=2, eos_ids=()))) > 1e-3


class RawQ(ModelDrafter):
    """Verifies with the draft model's distribution before top-k, though drafts were drawn after it."""

    def propose(self, tokens: Tensor, count: int) -> Proposal:
        right = super().propose(tokens, count)
        raw = make_sampler(self.model, settings(), prompt_length=0)
        reading = self.model.reading()
        logits = reading.read(torch.cat([tokens, right.ids[:-1]]), rows=len(right.ids))
        return Proposal(right.ids, raw.rows(raw.scores(logits, tokens)), right.draws, right.passes)


class ArgmaxWithSoftQ(ModelDrafter):
    """Drafts the likeliest token and says that it was drawn."""

    def propose(self, tokens: Tensor, count: int) -> Proposal:
        reading, rows = self.model.reading(), []
        start = len(tokens)
        for _ in range(count):
            logits = reading.read(tokens[reading.length :], rows=1)
            rows.append(self.sampler.rows(self.sampler.scores(logits, tokens)))
            tokens = torch.cat([tokens, rows[-1].argmax(1)])
        return Proposal(tokens[start:], torch.cat(rows), tuple(uniforms(count, self.generator).tolist()), count)


@pytest.mark.parametrize("broken", [RawQ, ArgmaxWithSoftQ])
def test_a_drafter_that_misstates_its_q_is_found_out(broken: type[ModelDrafter]) -> None:
    assert min(p_values(broken(pair()[1], eos_ids=()))) < 1e-6


def test_one_number_for_draft_and_test_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    drafter = ModelDrafter(pair()[1], eos_ids=())
    spoken: list[tuple[float, ...]] = []
    propose = drafter.propose

    def listen(tokens: Tensor, count: int) -> Proposal:
        proposal = propose(tokens, count)
        spoken.append(proposal.draws or ())
        return proposal

    def reuse(p: Tensor, q: Tensor, drafts: Tensor, tests: Tensor, draws: Tensor) -> object:
        shared = torch.tensor([spoken[-1]], dtype=torch.float64) if drafts.shape[1] else tests
        return verify_by_token(p, q, drafts, shared, draws)

    monkeypatch.setattr(drafter, "propose", listen)
    monkeypatch.setitem(loop.RULES, "token", reuse)  # type: ignore[arg-type]
    assert min(p_values(drafter)) < 1e-6


def test_resampling_from_p_in_the_loop_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.decoding.test_verification import resample_from_p

    monkeypatch.setitem(loop.RULES, "token", resample_from_p)
    assert min(p_values(ModelDrafter(pair()[1], eos_ids=()))) < 1e-6
