"""The loop over models that are tables: a target that always, never, sometimes accepts; ends, cuts and limits."""

from __future__ import annotations

import dataclasses
import math
import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest
import torch

from specviz.decoding.drafters import ModelDrafter, PromptLookup, Proposal
from specviz.decoding.loop import autoregress, speculate
from specviz.decoding.models import LanguageModel
from specviz.decoding.runs import generator
from specviz.decoding.text import StopStrings
from specviz.errors import ModelError
from specviz.trace.records import Prefill, Step
from tests.decoding.fakes import TableModel, certain, decode, emitted, kinds, says, statuses
from tests.decoding.tiny import settings

PROMPT = (1, 2, 3)
VOCAB = 12


def target(*tokens: int, **options: Any) -> TableModel:
    return says(*tokens, prompt=len(PROMPT), vocab=VOCAB, name="big", **options)


def draft(*tokens: int, eos_ids: tuple[int, ...] = (), **options: Any) -> ModelDrafter:
    return ModelDrafter(says(*tokens, prompt=len(PROMPT), vocab=VOCAB, name="small", **options), eos_ids=eos_ids)


# --- what a step does -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_a_target_that_always_accepts_gives_gamma_drafts_and_a_bonus(temperature: float) -> None:
    text = (4, 5, 6, 7, 8, 9, 10, 11)
    steps, reason = decode(target(*text), draft(*text), PROMPT, gamma=3, max_new_tokens=8, temperature=temperature)
    assert emitted(steps) == list(text)
    assert [kinds(step) for step in steps] == [["accepted"] * 3 + ["bonus"]] * 2
    assert reason == "length"


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_a_target_that_never_accepts_gives_one_resampled_token_a_step(temperature: float) -> None:
    steps, _ = decode(target(4, 5, 6), draft(7, 8, 9), PROMPT, gamma=2, max_new_tokens=3, temperature=temperature)
    assert emitted(steps) == [4, 5, 6]
    assert [kinds(step) for step in steps] == [["resampled"], ["resampled"], ["plain"]]
    assert [statuses(step) for step in steps] == [["rejected", "discarded"], ["rejected"], []]
    assert [step.limit for step in steps] == [None, "length", "length"]


def test_a_target_that_sometimes_accepts_keeps_the_drafts_before_the_first_wrong_one() -> None:
    steps, _ = decode(target(4, 5, 6, 7), draft(4, 5, 9, 7), PROMPT, gamma=3, max_new_tokens=4, temperature=0)
    assert statuses(steps[0]) == ["accepted", "accepted", "rejected"]
    assert kinds(steps[0]) == ["accepted", "accepted", "resampled"]
    assert emitted(steps) == [4, 5, 6, 7]


def test_every_full_step_has_gamma_drafts_whatever_was_accepted_before() -> None:
    steps, _ = decode(target(4, 5, 6, 7, 8), draft(9, 9, 9), PROMPT, gamma=5, max_new_tokens=20, temperature=1.0)
    assert [len(step.drafts) for step in steps if step.limit is None] == [5] * (len(steps) - 5)


def test_a_step_of_the_plain_arm_is_one_token_and_one_target_pass() -> None:
    steps, _ = decode(target(4, 5, 6), None, PROMPT, max_new_tokens=3)
    assert [kinds(step) for step in steps] == [["plain"]] * 3
    assert all(step.gamma == 0 and step.limit is None and step.draft_passes == 0 for step in steps)


@pytest.mark.parametrize("arm", ["speculative", "plain"])
def test_each_token_is_read_once_and_each_step_is_one_target_pass(arm: str) -> None:
    """The first token included: prefill reads the prompt but its last token."""
    model, passes = target(4, 5, 6, 7, 8), []
    make = model.reading

    def reading() -> Any:
        cache = make()
        read = cache.read
        cache.read = lambda ids, *, rows: (passes.append((len(ids), rows)), read(ids, rows=rows))[1]  # type: ignore
        return cache

    model.reading = reading  # type: ignore[method-assign]
    drafter = draft(4, 5, 9, 7, 8) if arm == "speculative" else None
    steps, _ = decode(model, drafter, PROMPT, gamma=2, max_new_tokens=5, temperature=0)
    assert passes[0] == (2, 1)
    assert passes[1:] == [(len(step.drafts) + 1,) * 2 for step in steps]


def test_a_prompt_of_one_token_needs_no_prefill() -> None:
    model = says(4, 5, 6, 7, prompt=1, vocab=VOCAB)
    for drafter in (None, ModelDrafter(says(4, 5, 6, 7, prompt=1, vocab=VOCAB), eos_ids=())):
        steps, _ = decode(model, drafter, (3,), gamma=2, max_new_tokens=4, temperature=0)
        assert emitted(steps) == [4, 5, 6, 7]


# --- how a run ends -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("eos", [3, 7])
@pytest.mark.parametrize("arm", ["model", "lookup", "plain"])
def test_any_of_several_end_of_sequence_ids_ends_both_arms(arm: str, eos: int) -> None:
    model = target(4, eos, 5, eos_ids=(3, 7))
    drafter = {"model": draft(4, eos, 5, eos_ids=(3, 7)), "lookup": PromptLookup(max_ngram=2, eos_ids=(3, 7))}.get(arm)
    steps, reason = decode(model, drafter, PROMPT, gamma=4, max_new_tokens=9)
    assert (emitted(steps), reason) == ([4, eos], "eos")
    assert steps[-1].cut == "eos"


@pytest.mark.parametrize("drafted", [True, False])
def test_an_end_of_sequence_as_the_very_first_token_is_the_whole_output(drafted: bool) -> None:
    model = target(7, 5, eos_ids=(7,))
    steps, reason = decode(model, draft(7, 5, eos_ids=(7,)) if drafted else None, PROMPT, gamma=3, max_new_tokens=9)
    assert (emitted(steps), reason, len(steps)) == ([7], "eos", 1)


def test_a_drafted_end_of_sequence_ends_the_run_without_a_bonus() -> None:
    steps, reason = decode(
        target(4, 5, 7, eos_ids=(7,)), draft(4, 5, 7, 8, eos_ids=(7,)), PROMPT, gamma=4, max_new_tokens=9
    )
    assert (reason, len(steps)) == ("eos", 1)
    assert kinds(steps[0]) == ["accepted"] * 3
    assert (steps[0].limit, len(steps[0].drafts)) == ("eos_drafted", 3)


def test_a_rejected_end_of_sequence_ends_nothing() -> None:
    steps, reason = decode(
        target(4, 5, 6, eos_ids=(7,)), draft(4, 7, eos_ids=(7,)), PROMPT, gamma=4, max_new_tokens=3, temperature=0
    )
    assert (emitted(steps), reason) == ([4, 5, 6], "length")
    assert statuses(steps[0]) == ["accepted", "rejected"]


class WithoutLooking(ModelDrafter):
    """As on an accelerator, where looking at an id would wait: it drafts past an end of sequence."""

    def propose(self, tokens: torch.Tensor, count: int) -> Proposal:
        self.eos_ids = frozenset()
        return super().propose(tokens, count)


def test_drafts_behind_a_drafted_end_of_sequence_are_never_verified() -> None:
    blind = WithoutLooking(draft(4, 7, 5, 5).model, eos_ids=())
    steps, reason = decode(target(4, 7, 5, 5, eos_ids=(7,)), blind, PROMPT, gamma=4, max_new_tokens=9)
    assert (emitted(steps), reason) == ([4, 7], "eos")
    assert (len(steps[0].drafts), steps[0].limit, steps[0].draft_passes) == (2, "eos_drafted", 4)


def when(*wanted: int) -> Callable[[int], bool]:
    """Says that the text ends where these ids have come in a row."""
    seen: list[int] = []

    def ends(token: int) -> bool:
        seen.append(token)
        return tuple(seen[-len(wanted) :]) == wanted

    return ends


def test_a_stop_string_inside_accepted_drafts_discards_those_behind_it() -> None:
    text = (4, 5, 6, 8, 9)
    steps, reason = decode(target(*text), draft(*text), PROMPT, gamma=4, max_new_tokens=9, ends_text=when(5))
    assert (emitted(steps), reason) == ([4, 5], "stop_string")
    assert statuses(steps[0]) == ["accepted", "accepted", "discarded", "discarded"]
    assert [d.u for d in steps[0].drafts][2:] == [None, None]
    assert (steps[0].cut, kinds(steps[0])) == ("stop_string", ["accepted", "accepted"])


@pytest.mark.parametrize(("stop", "kind"), [((4, 5, 6, 8), "accepted"), ((8, 9), "bonus"), ((4,), "accepted")])
def test_a_stop_string_ends_the_run_on_whatever_token_completes_it(stop: tuple[int, ...], kind: str) -> None:
    text = (4, 5, 6, 8, 9, 10)
    steps, reason = decode(target(*text), draft(*text), PROMPT, gamma=4, max_new_tokens=9, ends_text=when(*stop))
    assert emitted(steps) == list(text[: text.index(stop[-1]) + 1])
    assert (reason, kinds(steps[-1])[-1]) == ("stop_string", kind)


def test_a_stop_string_ends_a_run_on_a_resampled_token_too() -> None:
    steps, reason = decode(target(4, 5, 6), draft(4, 9), PROMPT, gamma=2, max_new_tokens=9, ends_text=when(5))
    assert (emitted(steps), reason, kinds(steps[0])) == ([4, 5], "stop_string", ["accepted", "resampled"])
    assert statuses(steps[0]) == ["accepted", "rejected"]


@pytest.mark.parametrize("asked", [1, 2, 3, 5, 8, 9])
def test_max_new_tokens_is_met_exactly_and_the_last_steps_say_why_they_are_short(asked: int) -> None:
    text = (4, 5, 6, 7, 8, 9, 10, 11, 4, 5)
    steps, reason = decode(target(*text), draft(*text), PROMPT, gamma=4, max_new_tokens=asked)
    assert (emitted(steps), reason) == (list(text[:asked]), "length")
    for step in steps:
        assert step.limit == ("length" if len(step.drafts) < 4 else None)


@pytest.mark.parametrize("arm", ["model", "plain"])
def test_a_full_context_ends_the_run_with_the_context_full(arm: str) -> None:
    text = (4, 5, 6, 7, 8, 9, 10, 11)
    drafter = draft(*text) if arm == "model" else None
    steps, reason = decode(target(*text, context=9), drafter, PROMPT, gamma=4, max_new_tokens=50)
    assert (emitted(steps), reason) == (list(text[:6]), "context")
    if drafter:
        assert steps[-1].limit == "context"


@pytest.mark.parametrize("context", [2, 3, 4, 6, 8])
def test_a_draft_model_with_a_shorter_context_stops_drafting_and_the_output_is_complete(context: int) -> None:
    text = (4, 5, 6, 7, 8, 9, 10, 11)
    steps, reason = decode(target(*text), draft(*text, context=context), PROMPT, gamma=3, max_new_tokens=8)
    assert (emitted(steps), reason) == (list(text), "length")
    assert {step.limit for step in steps} <= {None, "context", "length"}
    assert any(step.limit == "context" and not step.drafts for step in steps) or context == 8


def test_prompt_lookup_says_where_it_found_nothing() -> None:
    steps, _ = decode(target(4, 5, 6), PromptLookup(max_ngram=3, eos_ids=()), PROMPT, gamma=3, max_new_tokens=3)
    assert [step.limit for step in steps] == ["no_match", "no_match", "length"]
    assert [kinds(step) for step in steps] == [["plain"]] * 3


# --- broken models --------------------------------------------------------------------------------------------------


def breaks(text: Sequence[int], *, at: int, value: float, **options: Any) -> TableModel:
    """Gives one `value` among its logits behind `at` tokens."""
    whole = says(*text, prompt=len(PROMPT), vocab=VOCAB)

    def behind(prefix: tuple[int, ...]) -> list[float]:
        logits = list(whole.logits_behind(prefix))
        return [value, *logits[1:]] if len(prefix) == at else logits

    return TableModel(behind, vocab=VOCAB, **options)


@pytest.mark.parametrize("temperature", [0.0, 1.0])
@pytest.mark.parametrize("value", [math.nan, math.inf])
@pytest.mark.parametrize("arm", ["speculative", "plain"])
def test_a_target_that_gives_no_finite_numbers_is_named_with_the_step(
    arm: str, value: float, temperature: float
) -> None:
    model = breaks((4, 5, 6, 7), at=5, value=value, name="big")
    drafter, step = (
        (draft(9), 1) if arm == "speculative" else (None, 2)
    )  # the row behind the draft is read a step early
    with pytest.raises(ModelError, match=rf"target big .* not finite at step {step}\b"):
        decode(model, drafter, PROMPT, gamma=1, max_new_tokens=9, temperature=temperature, top_k=5, top_p=0.9)


@pytest.mark.parametrize("temperature", [0.0, 1.0])
@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_draft_model_that_gives_no_finite_numbers_is_named_with_the_step(value: float, temperature: float) -> None:
    model = breaks((9, 9, 9, 9), at=5, value=value, name="small")
    with pytest.raises(ModelError, match=r"draft model small .* not finite at step 1\b"):
        decode(
            target(4, 5, 6, 7),
            ModelDrafter(model, eos_ids=()),
            PROMPT,
            gamma=2,
            max_new_tokens=9,
            temperature=temperature,
        )


def test_a_draft_model_without_any_possible_token_is_named() -> None:
    model = TableModel(lambda prefix: [-math.inf] * 5, vocab=5, name="small")
    for temperature in (0, 1.0):
        with pytest.raises(ModelError, match="draft model small"):
            decode(target(4), ModelDrafter(model, eos_ids=()), PROMPT, temperature=temperature)


# --- vocabularies ---------------------------------------------------------------------------------------------------


def test_ids_that_only_the_target_has_are_emitted_and_the_draft_model_goes_on() -> None:
    """A draft model with fewer logits has no embedding for them either."""
    text = (4, 11, 10, 4, 11, 4)
    small = TableModel(lambda prefix: certain(4, 8), vocab=8)
    for temperature in (0.0, 1.0):
        steps, _ = decode(
            target(*text), ModelDrafter(small, eos_ids=()), PROMPT, gamma=2, max_new_tokens=6, temperature=temperature
        )
        assert emitted(steps) == list(text)
        assert all(draft.id < 8 for step in steps for draft in step.drafts)


def test_a_prompt_may_hold_ids_that_the_draft_model_lacks() -> None:
    small = TableModel(lambda prefix: certain(1, 2), vocab=2)
    steps, _ = decode(target(4, 5, 6), ModelDrafter(small, eos_ids=()), PROMPT, gamma=2, max_new_tokens=3)
    assert emitted(steps) == [4, 5, 6]


def test_ids_that_only_the_draft_model_has_are_never_drafted() -> None:
    wide = TableModel(lambda prefix: certain(14, 16), vocab=16)  # it would always say 14
    steps, _ = decode(target(4, 5, 6, 7), ModelDrafter(wide, eos_ids=()), PROMPT, gamma=2, max_new_tokens=4)
    assert emitted(steps) == [4, 5, 6, 7]
    for step in steps:
        for d in step.drafts:
            assert d.id < VOCAB
            assert d.q == pytest.approx(1 / VOCAB)


# --- random numbers -------------------------------------------------------------------------------------------------


def bare(step: Step) -> Step:
    """A step without what a clock said."""
    return dataclasses.replace(step, draft_seconds=0, verify_seconds=0, seconds=0)


def unrecorded(step: Step) -> Step:
    """What is left of a step with the record off."""
    plain = tuple(dataclasses.replace(t, draw=None, probability=None, top=None, logits=None) for t in step.emitted)
    return dataclasses.replace(bare(step), drafts=(), emitted=plain)


@pytest.fixture
def sampled(loaded: Callable[[str], LanguageModel]) -> Callable[..., list[Step]]:
    def steps(arm: str = "draft", **options: Any) -> list[Step]:
        model = loaded("target")
        drafter = {
            "draft": lambda: ModelDrafter(loaded("draft"), eos_ids=model.eos_ids),
            "lookup": lambda: PromptLookup(max_ngram=3, eos_ids=model.eos_ids),
            "plain": lambda: None,
        }[arm]()
        options = {"temperature": 1.0, "gamma": 4, "max_new_tokens": 40, "seed": 5, **options}
        return decode(model, drafter, (5, 6, 7, 5, 6, 7), **options)[0]

    return steps


@pytest.mark.parametrize("arm", ["draft", "lookup", "plain"])
def test_the_same_seed_gives_the_same_steps_whatever_else_draws(sampled: Callable[..., list[Step]], arm: str) -> None:
    first = [bare(step) for step in sampled(arm)]
    torch.manual_seed(99)
    random.seed(99)
    torch.rand(1000)
    assert [bare(step) for step in sampled(arm)] == first
    assert [bare(step) for step in sampled(arm, seed=6)] != first


@pytest.mark.parametrize("arm", ["draft", "lookup", "plain"])
@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_the_record_changes_nothing_but_the_record(
    sampled: Callable[..., list[Step]], arm: str, temperature: float
) -> None:
    on, off = (sampled(arm, record=record, temperature=temperature) for record in (True, False))
    assert [unrecorded(step) for step in on] == [bare(step) for step in off]


def test_a_run_neither_uses_nor_moves_the_global_generator(sampled: Callable[..., list[Step]]) -> None:
    torch.manual_seed(1)
    before = torch.get_rng_state()
    sampled()
    assert torch.equal(torch.get_rng_state(), before)


def test_each_draft_each_test_and_each_added_token_has_a_number_of_its_own(sampled: Callable[..., list[Step]]) -> None:
    numbers = []
    for step in sampled():
        numbers += [d.draw for d in step.drafts] + [d.u for d in step.drafts if d.u is not None]
        numbers += [t.draw for t in step.emitted if t.kind != "accepted"]
    assert None not in numbers
    assert len(set(numbers)) == len(numbers)


def test_two_runs_side_by_side_do_not_disturb_each_other(loaded: Callable[[str], LanguageModel]) -> None:
    wanted = settings(temperature=1.0, gamma=3, max_new_tokens=12)
    model, small = loaded("target"), loaded("draft")

    def start() -> Any:
        return speculate(model, ModelDrafter(small, eos_ids=()), (5, 6, 7), wanted, generator=generator(0, 0))

    alone = [bare(step) for step in start() if isinstance(step, Step)]
    both = [[], []]  # type: ignore[var-annotated]
    for pair in zip(start(), start(), strict=True):
        for found, event in zip(both, pair, strict=True):
            if isinstance(event, Step):
                found.append(bare(event))
    assert both == [alone, alone]


# --- stopping -------------------------------------------------------------------------------------------------------


class Resting(ModelDrafter):
    rested = False

    def rest(self) -> None:
        super().rest()
        self.rested = True


@pytest.mark.parametrize("events", [1, 2, 3])
def test_a_consumer_that_leaves_frees_the_drafter_whenever_it_does(events: int) -> None:
    drafter = Resting(draft(4, 5, 6).model, eos_ids=())
    running = speculate(target(4, 5, 6), drafter, PROMPT, settings(max_new_tokens=50), generator=generator(0, 0))
    for _ in range(events):
        next(running)
    running.close()  # type: ignore[attr-defined]
    assert drafter.rested


def test_inference_mode_does_not_leak_into_who_resumes_the_generator() -> None:
    for event in autoregress(target(4, 5, 6), PROMPT, settings(max_new_tokens=3), generator=generator(0, 0)):
        assert not torch.is_inference_mode_enabled()
        assert isinstance(event, (Prefill, Step, str))


def test_a_stop_string_is_found_across_tokens_of_a_real_tokenizer(loaded: Callable[[str], LanguageModel]) -> None:
    model = loaded("target")
    ids = model.tokenizer("one capital 🙂 Việt stop here").input_ids
    for stop in ("e cap", "🙂", "t st", "Việt"):
        ends = StopStrings(model.text, ("never", stop))
        end = next(i for i, token in enumerate(ids) if ends(token)) + 1
        assert stop in model.text.decode(ids[:end])
        assert stop not in model.text.decode(ids[: end - 1])
