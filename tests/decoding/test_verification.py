"""The rule is exact: every draw there can be, summed up, is the target's own law."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from specviz.decoding.sampling import Sampler
from specviz.decoding.verification import Rule, Verdict, overlap, verify_by_token
from specviz.trace.theory import expected_tokens

Rows = Callable[[tuple[int, ...]], Tensor]  # a prefix to the distribution behind it, [vocab]
ALMOST_ONE = 1 - 2**-53


def table(vocab: int, seed: int, *, logits_to_row: Callable[[Tensor], Tensor]) -> Rows:
    """A distribution for each prefix, of random logits."""

    def rows(prefix: tuple[int, ...]) -> Tensor:
        generator = torch.Generator().manual_seed(hash((seed, prefix)) % 2**31)
        return logits_to_row(1.5 * torch.randn(vocab, generator=generator, dtype=torch.float64))

    return rows


def law(verify: Rule, p: Rows, q: Rows, *, vocab: int, gamma: int, drawn_from: Rows | None = None) -> dict:
    """The probability of each sequence of gamma + 1 tokens: one step, then the target alone.

    Every draft sequence, every place of the first rejection and every added token is run through `verify` with
    uniforms that lead there; what it decides must be what the uniform says. drawn_from: what drafts are drawn from,
    where that is not the q that is verified (which is wrong).
    """
    found: dict[tuple[int, ...], float] = defaultdict(float)
    for drafts in itertools.product(range(vocab), repeat=gamma):
        prefixes = [drafts[:i] for i in range(gamma + 1)]
        p_rows, q_rows = torch.stack([p(x) for x in prefixes]), torch.stack([q(x) for x in prefixes[:gamma]])
        chance = 1.0
        for i, token in enumerate(drafts):
            chance *= float((drawn_from or q)(prefixes[i])[token])
        if chance == 0:
            continue
        thresholds = verify_one(verify, p_rows, q_rows, drafts, [0.0] * gamma, 0.0).thresholds[0].tolist()
        for kept in range(gamma + 1):
            through = chance
            for threshold in thresholds[:kept]:
                through *= threshold
            if kept < gamma:
                through *= 1 - thresholds[kept]
            if through <= 0:
                continue
            tests = [0.0] * kept + [ALMOST_ONE] * (gamma - kept)
            verdict = verify_one(verify, p_rows, q_rows, drafts, tests, 0.0)
            assert int(verdict.accepted) == kept
            added = verdict.distribution[0].double()
            added = added / added.sum()
            middles = added.cumsum(0) - added / 2
            for token in range(vocab):
                if added[token] == 0:
                    continue
                reached = verify_one(verify, p_rows, q_rows, drafts, tests, float(middles[token]))
                assert int(reached.added) == token
                _carry_on(found, (*drafts[:kept], token), through * float(added[token]), p, vocab, gamma + 1)
    return found


def verify_one(verify: Rule, p: Tensor, q: Tensor, drafts: tuple[int, ...], tests: list[float], draw: float) -> Verdict:
    uniforms = torch.tensor([tests], dtype=torch.float64), torch.tensor([draw], dtype=torch.float64)
    return verify(p[None], q[None], torch.tensor([drafts]), *uniforms)


def _carry_on(found: dict, block: tuple[int, ...], chance: float, p: Rows, vocab: int, length: int) -> None:
    if len(block) == length:
        found[block] += chance
        return
    for token in range(vocab):
        if (next_chance := float(p(block)[token])) > 0:
            _carry_on(found, (*block, token), chance * next_chance, p, vocab, length)


def error(found: dict, p: Rows, *, vocab: int, length: int) -> float:
    """The largest difference between a law and the target's."""
    worst = 0.0
    for sequence in itertools.product(range(vocab), repeat=length):
        true = 1.0
        for i, token in enumerate(sequence):
            true *= float(p(sequence[:i])[token])
        worst = max(worst, abs(found.get(sequence, 0.0) - true))
    return worst


def softmax(logits: Tensor) -> Tensor:
    return logits.softmax(-1)


def one_hot(logits: Tensor) -> Tensor:
    return torch.zeros_like(logits).index_fill_(0, logits.argmax(), 1.0)


def half(which: int) -> Callable[[Tensor], Tensor]:
    """A distribution on the even or the odd ids alone."""

    def row(logits: Tensor) -> Tensor:
        mask = torch.arange(len(logits)) % 2 == which
        return logits.masked_fill(~mask, float("-inf")).softmax(-1)

    return row


def cut(**rules: float) -> Callable[[Tensor], Tensor]:
    """What the product's own sampler makes of logits, renormalised in float64."""

    def row(logits: Tensor) -> Tensor:
        sampler = Sampler(vocab=len(logits), temperature=0.9, **rules)  # type: ignore[arg-type]
        rows = sampler.rows(sampler.scores(logits[None], torch.zeros(1, dtype=torch.long)))[0].double()
        return rows / rows.sum()

    return row


KINDS = {
    "soft q": (softmax, softmax),
    "q equal to p": (softmax, softmax),
    "one-hot q": (softmax, one_hot),
    "one-hot p": (one_hot, softmax),
    "one-hot both": (one_hot, one_hot),
    "disjoint supports": (half(0), half(1)),
    "top-k": (cut(top_k=2), cut(top_k=2)),
    "top-p": (cut(top_p=0.7), cut(top_p=0.7)),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("vocab", "gamma"), [(v, g) for v in (3, 4, 5) for g in (1, 2, 3)])
def test_the_law_of_what_is_emitted_is_the_targets(kind: str, vocab: int, gamma: int) -> None:
    target, draft = KINDS[kind]
    p = table(vocab, 1, logits_to_row=target)
    q = p if kind == "q equal to p" else table(vocab, 2, logits_to_row=draft)
    found = law(verify_by_token, p, q, vocab=vocab, gamma=gamma)
    assert error(found, p, vocab=vocab, length=gamma + 1) < 1e-12


@pytest.mark.parametrize("kind", ["soft q", "one-hot q", "top-k", "top-p"])
def test_in_float32_the_law_is_the_targets_within_rounding(kind: str) -> None:
    target, draft = KINDS[kind]
    p = table(4, 1, logits_to_row=lambda logits: target(logits).float())
    q = table(4, 2, logits_to_row=lambda logits: draft(logits).float())
    found = law(verify_by_token, p, q, vocab=4, gamma=2)
    assert error(found, p, vocab=4, length=3) < 1e-6


def test_equal_distributions_lose_no_draft_and_leave_no_residual() -> None:
    p = table(4, 1, logits_to_row=softmax)
    rows = torch.stack([p(()), p((1,)), p((1, 2))])
    verdict = verify_one(verify_by_token, rows, rows[:2], (1, 2), [ALMOST_ONE, ALMOST_ONE], 0.5)
    assert int(verdict.accepted) == 2
    assert verdict.thresholds.tolist() == [[1.0, 1.0]]
    assert overlap(rows, rows).tolist() == pytest.approx([1, 1, 1])


def test_a_residual_of_zero_draws_from_p() -> None:
    """Rounding can reject where p <= q everywhere; the token must then come from p, not from 0 / 0."""
    p = torch.tensor([[0.5, 0.5], [1.0, 0.0]])
    q = torch.nextafter(p[:1], torch.tensor(2.0))
    verdict = verify_one(verify_by_token, p, q, (0,), [ALMOST_ONE], 0.75)
    assert (int(verdict.accepted), int(verdict.added)) == (0, 1)


def test_trials_are_verified_side_by_side_as_they_are_alone() -> None:
    generator = torch.Generator().manual_seed(0)
    p, q = (torch.rand(50, n, 6, generator=generator, dtype=torch.float64).softmax(-1) for n in (4, 3))
    drafts = torch.randint(6, (50, 3), generator=generator)
    tests, draws = (torch.rand(*shape, generator=generator, dtype=torch.float64) for shape in ((50, 3), (50,)))
    together = verify_by_token(p, q, drafts, tests, draws)
    for i in range(50):
        alone = verify_by_token(p[i : i + 1], q[i : i + 1], drafts[i : i + 1], tests[i : i + 1], draws[i : i + 1])
        assert (int(alone.accepted), int(alone.added)) == (int(together.accepted[i]), int(together.added[i]))


def test_the_papers_example_accepts_ten_ninths_of_a_token() -> None:
    """Target (1/3, 2/3), draft (2/3, 1/3), gamma 2 (Sun et al. 2025): 10/9 by token verification."""
    p, q = torch.tensor([1 / 3, 2 / 3]).double(), torch.tensor([2 / 3, 1 / 3]).double()
    expected = 0.0
    for drafts in itertools.product(range(2), repeat=2):
        rows = torch.stack([p, p, p]), torch.stack([q, q])
        first, second = verify_one(verify_by_token, *rows, drafts, [0.0, 0.0], 0.0).thresholds[0].tolist()
        expected += float(q[drafts[0]] * q[drafts[1]]) * (first * (1 - second) + 2 * first * second)
    assert expected == pytest.approx(10 / 9)
    assert expected_tokens(2 / 3, 2) - 1 == pytest.approx(10 / 9)


# --- the check can fail: what is wrong, and looks right -------------------------------------------------------------


def resample_from_p(p: Tensor, q: Tensor, drafts: Tensor, tests: Tensor, draws: Tensor) -> Verdict:
    from specviz.decoding.sampling import draw

    right = verify_by_token(p, q, drafts, tests, draws)
    rows = p[torch.arange(len(p)), right.accepted]
    return Verdict(right.accepted, draw(rows, draws), right.thresholds, rows)


def test_resampling_from_p_is_found_out() -> None:
    p, q = (table(3, seed, logits_to_row=softmax) for seed in (1, 2))
    assert error(law(resample_from_p, p, q, vocab=3, gamma=2), p, vocab=3, length=3) > 1e-2


def test_the_unprocessed_q_is_found_out() -> None:
    p, q, raw = (table(4, s, logits_to_row=row) for s, row in ((1, cut(top_k=2)), (2, cut(top_k=2)), (2, cut())))
    found = law(verify_by_token, p, raw, vocab=4, gamma=2, drawn_from=q)
    assert error(found, p, vocab=4, length=3) > 1e-2


def test_argmax_drafts_with_a_soft_q_are_found_out() -> None:
    p, q, best = (table(3, s, logits_to_row=row) for s, row in ((1, softmax), (2, softmax), (2, one_hot)))
    found = law(verify_by_token, p, q, vocab=3, gamma=2, drawn_from=best)
    assert error(found, p, vocab=3, length=3) > 1e-2
