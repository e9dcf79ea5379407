"""A whole run and what it says while it runs."""

from __future__ import annotations

import dataclasses
import pickle
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from specviz.decoding import runs
from specviz.decoding.drafters import ModelDrafter
from specviz.decoding.runs import Shelf
from specviz.request import RunRequest
from specviz.trace import metrics
from specviz.trace.events import ArmEnded, ArmStarted, Finished, Loading, Started, Stepped
from specviz.trace.records import Arm, Output, Prefill, Prompt, Token, Trace, dumps
from tests.decoding.fakes import TableModel, emitted, finish, sound
from tests.decoding.tiny import settings

Ask = Callable[..., RunRequest]


@pytest.fixture
def ask(models: SimpleNamespace) -> Ask:
    def make(**changes: Any) -> RunRequest:
        options = {"target": str(models.target), "drafter": str(models.draft), "prompt": "a happy face"}
        return RunRequest(**{**options, "max_new_tokens": 24, "temperature": 1.0, "seed": 3, **changes})

    return make


def without_clock(trace: Trace) -> list[Any]:
    return [
        [dataclasses.replace(s, draft_seconds=0, verify_seconds=0, seconds=0) for s in arm.steps] + [arm.output]
        for arm in (trace.speculative, *trace.baseline)
    ]


@pytest.mark.parametrize("plain_first", [False, True])
def test_events_come_in_the_order_that_is_promised(ask: Ask, shelf: Shelf, plain_first: bool) -> None:
    events, trace = finish(runs.run(ask(), plain_first=plain_first, shelf=shelf))
    kinds = [type(event) for event in events if not isinstance(event, Loading)]
    order = (1, 0) if plain_first else (0, 1)
    arms = {0: trace.speculative, 1: trace.baseline[0]}
    expected: list[type] = [Started]
    for arm in order:
        expected += [ArmStarted, *[Stepped] * len(arms[arm].steps), ArmEnded]
    assert kinds == [*expected, Finished]
    assert [event.arm for event in events if isinstance(event, ArmStarted)] == list(order)
    assert next(event for event in events if isinstance(event, Started)).order == order


@pytest.mark.parametrize("drafter", ["draft", "lookup"])
@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_what_the_events_tell_is_what_the_trace_holds(ask: Ask, shelf: Shelf, drafter: str, temperature: float) -> None:
    changes = {"drafter": "prompt-lookup"} if drafter == "lookup" else {}
    events, trace = finish(runs.run(ask(temperature=temperature, **changes), shelf=shelf))
    started = next(event for event in events if isinstance(event, Started))
    known = dict(started.tokens)
    for event in events:
        if isinstance(event, Stepped):
            assert not event.tokens.keys() & known.keys()
            known |= event.tokens
            assert {draft.id for draft in event.step.drafts} <= known.keys()
    assert known == trace.tokens
    for number, arm in enumerate((trace.speculative, *trace.baseline)):
        mine = [event for event in events if isinstance(event, Stepped) and event.arm == number]
        assert tuple(event.step for event in mine) == arm.steps
        streamed = "".join(event.text for event in mine)
        assert arm.output.text.startswith(streamed)
        rest = arm.output.text[len(streamed) :]
        assert not rest or rest.endswith("\ufffd"), "all but a character that was not finished"
    assert trace.metrics == metrics.compute(trace)


def test_events_can_be_pickled(ask: Ask, shelf: Shelf) -> None:
    for event in runs.run(ask(), shelf=shelf):
        assert pickle.loads(pickle.dumps(event)) == event


def test_the_same_seed_gives_the_same_trace_in_either_order(ask: Ask, shelf: Shelf) -> None:
    _, first = finish(runs.run(ask(), shelf=shelf))
    torch.manual_seed(1)
    _, second = finish(runs.run(ask(), plain_first=True, shelf=shelf))
    _, alone = finish(runs.run(ask(baseline=False), shelf=shelf))
    assert without_clock(first) == without_clock(second)
    assert without_clock(alone) == without_clock(first)[:1]
    _, other = finish(runs.run(ask(seed=4), shelf=shelf))
    assert without_clock(other)[0] != without_clock(first)[0]


def test_at_temperature_0_both_arms_say_the_same(ask: Ask, shelf: Shelf) -> None:
    _, trace = finish(runs.run(ask(temperature=0, max_new_tokens=40), shelf=shelf))
    assert trace.speculative.output == trace.baseline[0].output
    for step in (*trace.speculative.steps, *trace.baseline[0].steps):
        for item in (*step.drafts, *(t for t in step.emitted if t.kind != "accepted")):
            assert item.logits is not None
            assert len(item.logits) == 5


@pytest.mark.parametrize("after", [0, 1, 3, 7])
@pytest.mark.parametrize("plain_first", [False, True])
def test_a_run_that_is_stopped_keeps_a_sound_trace_that_says_cancelled(
    ask: Ask, shelf: Shelf, after: int, plain_first: bool
) -> None:
    seen: list[Any] = []
    said = runs.run(ask(), stopped=lambda: len(seen) >= after, plain_first=plain_first, shelf=shelf)
    for event in said:
        if isinstance(event, Stepped):
            seen.append(event)
    assert isinstance(event, Finished)
    trace = sound(event.trace)
    first, second = (trace.speculative, trace.baseline[0])[:: -1 if plain_first else 1]
    assert (len(first.steps), first.output.stop_reason) == (after, "cancelled")
    assert (len(second.steps), second.output.stop_reason) == (0, "cancelled")
    assert trace.metrics == metrics.compute(trace)


def test_another_plain_arm_has_random_numbers_of_its_own(ask: Ask, shelf: Shelf) -> None:
    _, trace = finish(runs.run(ask(), shelf=shelf))
    events, more = finish(runs.another_plain(ask(seed=None), trace, shelf=shelf))
    assert [event.order for event in events if isinstance(event, Started)] == [(2,)]
    assert (more.speculative, more.baseline[0]) == (trace.speculative, trace.baseline[0])
    assert len(more.baseline) == 2
    assert more.baseline[1].output.ids != more.baseline[0].output.ids
    _, again = finish(runs.another_plain(ask(), trace, shelf=shelf))
    assert without_clock(again) == without_clock(more)


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_a_stop_string_ends_both_arms_and_is_in_text_and_ids(ask: Ask, shelf: Shelf, temperature: float) -> None:
    plain = finish(runs.run(ask(temperature=temperature), shelf=shelf))[1].speculative.output.text
    stop = next(plain[i : i + 2] for i in range(5, len(plain)) if "\ufffd" not in plain[i : i + 2])
    _, trace = finish(runs.run(ask(temperature=temperature, stop=(stop, "never")), shelf=shelf))
    output = trace.speculative.output
    assert output.stop_reason == "stop_string"
    assert stop in output.text
    assert plain.startswith(output.text.rstrip("\ufffd"))
    if temperature == 0:
        assert trace.baseline[0].output == output


def test_the_settings_in_force_are_those_asked_for_and_no_others(ask: Ask, shelf: Shelf) -> None:
    asked = ask(gamma=2, top_k=50, top_p=0.95, min_p=0.01, repetition_penalty=1.1, min_new_tokens=3, stop=["zz"])
    _, trace = finish(runs.run(asked, shelf=shelf))
    for name in ("gamma", "temperature", "top_k", "top_p", "min_p", "repetition_penalty", "min_new_tokens", "seed"):
        assert getattr(trace.settings, name) == getattr(asked, name)
    assert (trace.settings.stop, trace.settings.target.name, trace.settings.drafter.name) == (
        ("zz",),
        "target",
        "draft",
    )
    _, after = finish(runs.run(ask(), shelf=shelf))
    assert (after.settings.gamma, after.settings.top_k, after.settings.repetition_penalty) == (4, 0, 1.0)


def test_a_trace_names_no_folder_of_this_machine(ask: Ask, shelf: Shelf, models: SimpleNamespace) -> None:
    _, trace = finish(runs.run(ask(), shelf=shelf))
    assert str(models.target.parent) not in dumps(trace)


def test_a_draft_model_with_a_short_context_gives_a_complete_output(
    ask: Ask, shelf: Shelf, models: SimpleNamespace
) -> None:
    changes = {"drafter": str(models.short_draft), "prompt": "%" * 60, "max_new_tokens": 50, "min_new_tokens": 50}
    _, trace = finish(runs.run(ask(temperature=0, **changes), shelf=shelf))
    assert trace.speculative.output == trace.baseline[0].output
    assert len(trace.speculative.output.ids) == 50
    assert trace.speculative.steps[-2].limit == "context"


def test_a_sampled_id_behind_the_tokenizers_last_is_shown_as_its_number(models: SimpleNamespace) -> None:
    shelf = Shelf()
    request = RunRequest(target=str(models.target), drafter=str(models.narrow_draft), prompt="a", max_new_tokens=12)
    pair = shelf.pair(request.checked(), lambda _: None)
    pair.target.network.lm_head.weight[:310] = 0  # only padding is likely
    pair.target.network.lm_head.weight[310:] *= 5
    for temperature in (0.0, 1.0):
        _, trace = finish(runs.run(dataclasses.replace(request, temperature=temperature), shelf=shelf))
        outside = [i for i in trace.speculative.output.ids if i >= 310]
        assert outside
        assert all(trace.tokens[i] == Token(f"[{i}]", "") for i in outside)


def test_a_trace_of_256_tokens_stays_under_2_megabytes_at_its_worst() -> None:
    """gamma 4, temperature 1, three thousand tokens to choose from; every first draft is rejected, so there are 256
    steps of four drafts, and no two of the likeliest lists share an id."""
    vocab = 3000
    order = torch.arange(vocab, dtype=torch.float32)

    def bumpy(low: int) -> Callable[[Any], Any]:
        def row(prefix: tuple[int, ...]) -> list[float]:
            mine = (order >= low) & (order < low + vocab // 2)
            wave = torch.sin(order * 1.7 + len(prefix) * 0.3) * 3
            return torch.where(mine, wave, torch.tensor(-20.0) + wave).tolist()

        return row

    target = TableModel(bumpy(0), vocab=vocab)
    draft = TableModel(bumpy(vocab // 2), vocab=vocab)
    wanted = settings(gamma=4, max_new_tokens=256, temperature=1.0)
    arms = []
    for drafter in (ModelDrafter(draft, eos_ids=()), None):
        run = runs.speculate if drafter else runs.autoregress
        arguments = (target, drafter, (1, 2, 3)) if drafter else (target, (1, 2, 3))
        prefill, *steps, reason = run(*arguments, wanted, generator=runs.generator(0, len(arms)))  # type: ignore
        assert isinstance(prefill, Prefill)
        arms.append(Arm(prefill, tuple(steps), Output(tuple(emitted(steps)), "é" * 800, reason)))
    assert len(arms[0].steps) > 250
    used = {row[0] for a in arms for s in a.steps for item in (*s.drafts, *s.emitted) for row in item.top or ()}
    tokens = {i: Token(f" word{i}", f" word{i}".encode().hex()) for i in used | {1, 2, 3}}
    trace = sound(Trace(wanted, Prompt("", "", (1, 2, 3)), tokens, arms[0], (arms[1],)))
    assert len(dumps(trace).encode()) < 2_000_000
