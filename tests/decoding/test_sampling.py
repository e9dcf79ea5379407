"""Logits to distributions, and draws from them."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch
from torch import Tensor
from transformers import GenerationConfig
from transformers.generation.logits_process import (
    LogitsProcessorList,
    MinNewTokensLengthLogitsProcessor,
    MinPLogitsWarper,
    RepetitionPenaltyLogitsProcessor,
    TemperatureLogitsWarper,
    TopKLogitsWarper,
    TopPLogitsWarper,
)

from specviz.decoding.drafters import ModelDrafter
from specviz.decoding.sampling import Sampler, draw, uniforms
from tests.conftest import make_network
from tests.decoding.fakes import decode
from tests.decoding.tiny import TinyModel

VOCAB, POSITIONS, PROMPT, EOS = 50, 5, 6, (3, 7)
ALMOST_ONE = 1 - 2**-53
RULES: dict[str, dict[str, Any]] = {
    "nothing": {},
    "temperature": {"temperature": 0.6},
    "top-k": {"top_k": 5},
    "top-p": {"top_p": 0.7},
    "min-p": {"min_p": 0.2},
    "repetition penalty": {"repetition_penalty": 1.7},
    "min_new_tokens": {"min_new_tokens": 3},
    "all": {
        "temperature": 1.3,
        "top_k": 20,
        "top_p": 0.9,
        "min_p": 0.02,
        "repetition_penalty": 1.2,
        "min_new_tokens": 2,
    },
}


def logits_and_ids(seed: int = 0) -> tuple[Tensor, Tensor]:
    generator = torch.Generator().manual_seed(seed)
    logits = 3 * torch.randn(POSITIONS, VOCAB, generator=generator)
    logits[:, 3] += 4  # an end-of-sequence worth keeping back
    return logits, torch.randint(VOCAB, (PROMPT + POSITIONS - 1,), generator=generator)


def rows_of(sampler: Sampler, logits: Tensor, ids: Tensor) -> Tensor:
    return sampler.rows(sampler.scores(logits, ids))


def sampler(**options: Any) -> Sampler:
    return Sampler(**{"vocab": VOCAB, "temperature": 1.0, "prompt_length": PROMPT, "eos_ids": EOS, **options})


def by_transformers(logits: Tensor, ids: Tensor, **rules: Any) -> Tensor:
    """Each position by itself, its prefix and nothing else, in the order of transformers' own pipeline."""
    make = LogitsProcessorList()
    if "repetition_penalty" in rules:
        make.append(RepetitionPenaltyLogitsProcessor(rules["repetition_penalty"]))
    if "min_new_tokens" in rules:
        make.append(MinNewTokensLengthLogitsProcessor(PROMPT, rules["min_new_tokens"], list(EOS)))
    if "temperature" in rules:
        make.append(TemperatureLogitsWarper(rules["temperature"]))
    if "top_k" in rules:
        make.append(TopKLogitsWarper(rules["top_k"]))
    if "top_p" in rules:
        make.append(TopPLogitsWarper(rules["top_p"]))
    if "min_p" in rules:
        make.append(MinPLogitsWarper(rules["min_p"]))
    first = len(ids) - len(logits) + 1
    return torch.cat([make(ids[None, : first + i], logits[i : i + 1]).softmax(-1) for i in range(len(logits))])


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_each_row_is_what_transformers_makes_of_it_with_its_own_prefix(rules: dict[str, Any]) -> None:
    for seed in range(5):
        logits, ids = logits_and_ids(seed)
        found = rows_of(sampler(**rules), logits, ids)
        assert torch.allclose(found, by_transformers(logits, ids, **rules), atol=1e-6)
        assert torch.equal(found == 0, by_transformers(logits, ids, **rules) == 0)


def test_the_order_of_the_rules_is_the_one_of_generate() -> None:
    """The oracle above is built by hand; this is the list that generate() itself builds."""
    rules = RULES["all"]
    network = make_network()
    config = GenerationConfig(**rules, do_sample=True, eos_token_id=list(EOS))
    config._eos_token_tensor = torch.tensor(EOS)
    processors = network._get_logits_processor(
        config, input_ids_seq_length=PROMPT, device="cpu", logits_processor=LogitsProcessorList()
    )
    logits, ids = logits_and_ids()
    row = processors(ids[None], logits[-1:]).softmax(-1)
    assert torch.allclose(rows_of(sampler(**rules), logits, ids)[-1:], row, atol=1e-6)


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_rows_are_float32_and_sum_to_one(rules: dict[str, Any]) -> None:
    logits, ids = logits_and_ids()
    for given in (logits, logits.bfloat16(), logits.half()):
        rows = rows_of(sampler(**rules), given, ids)
        assert rows.dtype == torch.float32
        assert torch.allclose(rows.sum(-1), torch.ones(POSITIONS), atol=1e-6)


def test_rows_by_one_and_all_at_once_are_the_same() -> None:
    """A draft is made a row at a time, a verification all at once: the same prefix must give the same row."""
    logits, ids = logits_and_ids()
    together = rows_of(sampler(**RULES["all"]), logits, ids)
    for i in range(POSITIONS):
        alone = rows_of(sampler(**RULES["all"]), logits[i : i + 1], ids[: PROMPT + i])
        assert torch.equal(alone, together[i : i + 1])


@pytest.mark.parametrize("temperature", [0, 0.0, -0.0])
def test_temperature_0_is_a_point_mass_on_the_largest_logit(temperature: float) -> None:
    logits, ids = logits_and_ids()
    rows = rows_of(sampler(temperature=temperature, top_k=3, top_p=0.5, min_p=0.1), logits, ids)
    assert torch.equal(rows.argmax(-1), logits.argmax(-1))
    assert torch.equal(rows, (rows > 0).float())
    assert torch.equal(rows.sum(-1), torch.ones(POSITIONS))


def test_among_equal_logits_temperature_0_takes_the_lowest_id() -> None:
    rows = rows_of(sampler(temperature=0), torch.zeros(2, VOCAB), torch.zeros(2, dtype=torch.long))
    assert rows.argmax(-1).tolist() == [0, 0]


def test_temperature_0_obeys_the_repetition_penalty_and_min_new_tokens() -> None:
    logits = torch.zeros(1, VOCAB)
    logits[0, 3], logits[0, 10], logits[0, 11] = 9.0, 8.0, 7.0
    ids = torch.full((PROMPT,), 10)
    assert rows_of(sampler(temperature=0), logits, ids).argmax() == 3
    assert rows_of(sampler(temperature=0, min_new_tokens=1), logits, ids).argmax() == 10
    assert rows_of(sampler(temperature=0, min_new_tokens=1, repetition_penalty=2.0), logits, ids).argmax() == 11


@pytest.mark.parametrize("temperature", [1e-7, 1e-30, 1e-45, 5e-324])
def test_a_tiny_temperature_tends_to_the_point_mass_without_overflow(temperature: float) -> None:
    logits, ids = logits_and_ids()
    greedy = rows_of(sampler(temperature=0), 40 * logits, ids)
    assert torch.equal(rows_of(sampler(temperature=temperature, top_k=9, top_p=0.9), 40 * logits, ids), greedy)


def test_an_integer_temperature_works() -> None:
    logits, ids = logits_and_ids()
    assert torch.equal(rows_of(sampler(temperature=1), logits, ids), rows_of(sampler(temperature=1.0), logits, ids))


@pytest.mark.parametrize("temperature", [0.0, 1.0])
@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_row_that_is_not_finite_stays_visible_and_spoils_no_other(value: float, temperature: float) -> None:
    logits, ids = logits_and_ids()
    logits[2, 9] = value
    rows = rows_of(sampler(temperature=temperature, top_k=5, top_p=0.9, min_p=0.01), logits, ids)
    assert rows.sum(-1).isfinite().tolist() == [True, True, False, True, True]


def test_logits_of_minus_infinity_are_masked_ids_and_no_fault() -> None:
    logits, ids = logits_and_ids()
    logits[:, 10:] = -math.inf
    rows = rows_of(sampler(top_k=30), logits, ids)
    assert torch.allclose(rows.sum(-1), torch.ones(POSITIONS))
    assert rows[:, 10:].sum() == 0


def test_a_draft_models_rows_are_cut_or_filled_to_the_targets_vocabulary() -> None:
    logits, ids = logits_and_ids()
    wide = torch.cat([logits, torch.full((POSITIONS, 7), 50.0)], 1)
    assert torch.equal(rows_of(sampler(), wide, ids), rows_of(sampler(), logits, ids))
    narrow = rows_of(sampler(top_p=0.99), logits[:, :40], ids)
    assert narrow.shape == (POSITIONS, VOCAB)
    assert narrow[:, 40:].sum() == 0
    assert torch.allclose(narrow.sum(-1), torch.ones(POSITIONS))


def test_top_k_above_the_vocabulary_keeps_everything() -> None:
    logits, ids = logits_and_ids()
    assert torch.equal(rows_of(sampler(top_k=1_000_000), logits, ids), rows_of(sampler(), logits, ids))


def test_the_processors_see_drafts_as_part_of_the_prefix() -> None:
    """With a repetition penalty the very row that a draft was drawn from is verified against a row of the same rule:
    a draft model equal to the target then still loses nothing."""
    model = TinyModel(vocab=VOCAB, seed=3)
    steps, _ = decode(
        model,
        ModelDrafter(model, eos_ids=()),
        (1, 2, 3),
        gamma=4,
        max_new_tokens=40,
        repetition_penalty=1.8,
        top_k=10,
        top_p=0.9,
        temperature=0.9,
    )
    assert {draft.status for step in steps for draft in step.drafts} == {"accepted"}


# --- drawing --------------------------------------------------------------------------------------------------------


def rows_with_holes() -> Tensor:
    generator = torch.Generator().manual_seed(1)
    rows = torch.rand(20, 30, generator=generator)
    rows[torch.rand(20, 30, generator=generator) < 0.5] = 0
    rows[:, 0] = 0  # holes at both ends too
    rows[:, -1] = 0
    return rows / rows.sum(-1, keepdim=True)


def test_a_draw_hits_each_cell_at_its_middle() -> None:
    rows = rows_with_holes().double()
    middles = rows.cumsum(-1) - rows / 2
    for token in range(rows.shape[1]):
        there = rows[:, token] > 0
        assert draw(rows[there], middles[there, token]).tolist() == [token] * int(there.sum())


@pytest.mark.parametrize("uniform", [0.0, 2**-53, 0.5, ALMOST_ONE])
@pytest.mark.parametrize("scale", [1.0, 1e-30, 0.9999999, 1.0000002])
def test_an_id_of_probability_0_is_never_drawn(uniform: float, scale: float) -> None:
    rows = rows_with_holes() * scale
    ids = draw(rows, torch.full((20,), uniform, dtype=torch.float64))
    assert (rows.gather(1, ids[:, None]) > 0).all()
    ends = [row.nonzero()[:, 0].tolist() for row in rows]
    if uniform == 0:
        assert ids.tolist() == [there[0] for there in ends]
    if uniform == ALMOST_ONE:
        assert ids.tolist() == [there[-1] for there in ends]


def test_a_point_mass_is_drawn_whatever_the_number() -> None:
    for token in (0, 4, 9):
        rows = torch.zeros(3, 10).index_fill_(1, torch.tensor(token), 1.0)
        assert draw(rows, torch.tensor([0.0, 0.5, ALMOST_ONE])).tolist() == [token] * 3


def test_uniforms_are_float64_below_one_and_follow_their_generator() -> None:
    first = uniforms(1000, torch.Generator().manual_seed(3))
    assert first.dtype == torch.float64
    assert 0 <= first.min() < first.max() < 1
    assert torch.equal(first, uniforms(1000, torch.Generator().manual_seed(3)))
    one_by_one = torch.Generator().manual_seed(3)
    assert [uniforms(1, one_by_one).item() for _ in range(1000)] == first.tolist()
