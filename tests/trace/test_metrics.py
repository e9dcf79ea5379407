"""Numbers of the handmade trace, worked out on paper, and what they are where there is nothing to divide by."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from specviz.trace import metrics, theory
from specviz.trace.records import Arm, Emitted, Output, Prefill, Step
from tests.trace.handmade import SETTINGS, looked_up, plain_step, trace


def test_counts_are_whole_numbers_that_add_up() -> None:
    assert metrics.count(trace().speculative) == {
        "tokens": 6,
        "steps": 3,
        "drafted": 5,
        "tested": 4,
        "rejected": 1,
        "discarded": 1,
        "accepted": 3,
        "resampled": 1,
        "bonus": 1,
        "plain": 1,
        "draft_passes": 5,
    }


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("acceptance_rate", 3 / 4),
        ("mean_overlap", (0.75 + 0.4 + 0.5 + 1.0) / 4),
        ("mean_acceptance_length", 6 / 3),
        ("mean_drafted", 5 / 3),
        ("cost_ratio", 0.15 / 0.5),  # 0.3/3 and 0.4/2, median 0.15; plain steps 0.3 0.5 0.5 0.7
        ("theory_speedup", (1 - 0.75 ** (8 / 3)) / (0.25 * (5 / 3 * 0.3 + 1))),
        ("predicted_from_parts", 2 * 0.5 / (2.0 / 3)),
        ("measured_speedup", 0.5 / (2.0 / 6)),
        ("end_to_end_speedup", (2.4 / 4) / (2.6 / 6)),
        ("step_cost", (2.0 / 3) / 0.5),
    ],
)
def test_a_ratio_is_what_its_definition_says(name: str, value: float) -> None:
    assert metrics.compute(trace())[name] == pytest.approx(value)


def test_one_arms_clock() -> None:
    clock = metrics.timing(trace().speculative)
    expected = {
        "tokens": 6,
        "steps": 3,
        "prefill_seconds": 0.6,
        "step_seconds": 2.0,
        "draft_seconds": 0.7,
        "verify_seconds": 0.9,
        "tokens_per_second": 3.0,
        "ttft_seconds": 1.2,
        "tpot_seconds": (2.6 - 1.2) / 5,
        "itl_median_seconds": 0.0,  # gaps 0, 1, 0, 0, 0.4
        "itl_max_seconds": 1.0,
    }
    assert clock == pytest.approx(expected)


def test_every_number_has_a_definition() -> None:
    found = metrics.compute(trace())
    derived = {*found, *found["speculative"]} - set(metrics.count(trace().speculative))
    parts = {"speculative", "baseline", "prefill_seconds", "step_seconds", "draft_seconds", "verify_seconds"}
    assert derived - parts <= set(metrics.DEFINITIONS)


def test_accepted_lengths_and_positions_are_counted() -> None:
    arm = trace().speculative
    assert metrics.accepted_lengths(arm) == {0: 1, 1: 1, 2: 1}
    assert metrics.acceptance_by_position(arm) == [(2, 2), (1, 2), (0, 0)]
    empty = Arm(Prefill(0, 0), (), Output((), "", "cancelled"))
    assert (metrics.accepted_lengths(empty), metrics.acceptance_by_position(empty)) == ({}, [])


NEED_A_BASELINE = (
    "cost_ratio", "theory_speedup", "best_gamma", "best_gamma_speedup", "predicted_from_parts", "measured_speedup",
    "end_to_end_speedup", "step_cost",
)  # fmt: skip


def test_without_a_baseline_there_is_nothing_to_compare_with() -> None:
    found = metrics.compute(trace(baseline=()))
    assert [found[name] for name in NEED_A_BASELINE] == [None] * len(NEED_A_BASELINE)
    assert found["acceptance_rate"] == 0.75
    assert found["baseline"] == []


def test_where_nothing_was_tested_no_rate_is_made_up() -> None:
    arm = Arm(Prefill(0.1, 0), (plain_step(0, 3, 0.5),), Output((3,), "", "length"))
    found = metrics.compute(trace(speculative=arm))
    for name in ("acceptance_rate", "mean_overlap", "cost_ratio", "theory_speedup", "best_gamma"):
        assert found[name] is None
    assert (found["mean_drafted"], found["mean_acceptance_length"]) == (0, 1)


def test_an_output_of_one_token_has_no_time_between_tokens() -> None:
    clock = metrics.timing(Arm(Prefill(0.1, 0), (plain_step(0, 3, 0.5),), Output((3,), "", "length")))
    assert (clock["tpot_seconds"], clock["itl_median_seconds"], clock["itl_max_seconds"]) == (None, None, None)
    assert clock["ttft_seconds"] == pytest.approx(0.6)


def test_a_run_stopped_before_its_first_step_divides_by_nothing() -> None:
    empty = Arm(Prefill(0.0, 0.0), (), Output((), "", "cancelled"))
    found = metrics.compute(trace(speculative=empty, baseline=(empty,)))
    flat: dict[str, Any] = {**found, **found["speculative"]}
    ratios = [*NEED_A_BASELINE, "acceptance_rate", "mean_overlap", "mean_acceptance_length", "mean_drafted",
              "tokens_per_second", "ttft_seconds", "tpot_seconds"]  # fmt: skip
    assert {flat[name] for name in ratios} == {None}
    assert (found["tokens"], found["steps"]) == (0, 0)


def test_another_rule_has_no_acceptance_rate() -> None:
    found = metrics.compute(trace(settings=dataclasses.replace(SETTINGS, rule="block")))
    assert (found["acceptance_rate"], found["theory_speedup"], found["best_gamma"]) == (None, None, None)
    assert found["mean_overlap"] is not None


def test_prompt_lookup_costs_its_seconds_a_drafted_token() -> None:
    found = metrics.compute(dataclasses.replace(looked_up(), baseline=trace().baseline))
    assert found["cost_ratio"] == pytest.approx(0.1 / 2 / 0.5)
    assert (found["draft_passes"], found["acceptance_rate"]) == (0, 0.5)


def test_several_plain_arms_are_taken_together() -> None:
    slow = Arm(Prefill(0.0, 0.0), (plain_step(0, 3, 2.0),), Output((3,), "", "length"))
    found = metrics.compute(trace(baseline=(*trace().baseline, slow)))
    assert found["measured_speedup"] == pytest.approx((4.0 / 5) / (2.0 / 6))
    assert found["end_to_end_speedup"] == pytest.approx((4.4 / 5) / (2.6 / 6))
    assert len(found["baseline"]) == 2


def test_predicted_equals_measured_where_steps_are_the_whole_time() -> None:
    """tau x plain / step and (plain a token) / (speculative a token) are the same sum, told twice."""
    found = metrics.compute(trace())
    assert found["predicted_from_parts"] == pytest.approx(found["measured_speedup"])


# --- theory ---------------------------------------------------------------------------------------------------------


def test_the_known_answers_of_theory() -> None:
    assert theory.expected_tokens(0.8, 5) == pytest.approx(3.69, abs=0.005)
    assert theory.theory_speedup(0.8, 5, 0.1) == pytest.approx(2.46, abs=0.005)
    assert theory.expected_tokens(2 / 3, 2) - 1 == pytest.approx(10 / 9)


@pytest.mark.parametrize("gamma", [0, 1, 2.5, 8])
def test_the_ends_of_theory(gamma: float) -> None:
    assert theory.expected_tokens(1, gamma) == gamma + 1
    assert theory.expected_tokens(1 - 1e-9, gamma) == pytest.approx(gamma + 1, rel=1e-6)
    assert theory.expected_tokens(0, gamma) == 1
    assert theory.theory_speedup(1, gamma, 0.5) == pytest.approx((gamma + 1) / (gamma * 0.5 + 1))


def test_the_best_draft_length_is_the_one_that_beats_all_others() -> None:
    for alpha in (0.0, 0.3, 0.6, 0.9, 1.0):
        for c in (0.02, 0.2, 0.9):
            gamma, speedup = theory.best_gamma(alpha, c)
            assert speedup == max(theory.theory_speedup(alpha, g, c) for g in range(17))
            assert speedup == theory.theory_speedup(alpha, gamma, c)
    assert theory.best_gamma(0.3, 0.5)[0] == 0  # a draft that costs more than it brings is switched off
    assert theory.best_gamma(1.0, 0.1)[0] == 16


def test_a_step_that_emitted_nothing_of_its_own_is_one_gap() -> None:
    step = Step(0, 3, None, "eos", (), None, (Emitted(3, "accepted"), Emitted(5, "accepted")), 0, 0.0, 0.1, 0.2)
    assert metrics.timing(Arm(Prefill(0, 0), (step,), Output((3, 5), "", "eos")))["itl_max_seconds"] == 0
