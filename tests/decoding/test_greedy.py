"""At temperature 0 in float32, ids equal transformers' own generate(): every drafter, every draft length."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import pytest
import torch

from specviz.decoding.drafters import Drafter, ModelDrafter, PromptLookup
from specviz.decoding.models import LanguageModel
from tests.decoding.fakes import decode, emitted

Load = Callable[[str], LanguageModel]
LONG = 48
PROMPTS = {length: tuple(7 * i % 290 + 3 for i in range(length)) for length in (1, 2, 3, 30)}
PROMPTS[30] = (*PROMPTS[30][:10], *PROMPTS[30][:10], *PROMPTS[30][:10])  # something to look up


def generate(model: LanguageModel, prompt: Sequence[int]) -> list[int]:
    ids, eos = torch.tensor([prompt]), list(model.eos_ids)
    out = model.network.generate(
        ids,
        attention_mask=torch.ones_like(ids),
        do_sample=False,
        max_new_tokens=LONG,
        eos_token_id=eos,
        pad_token_id=eos[0],
    )
    return out[0, len(prompt) :].tolist()


@pytest.fixture(scope="module")
def expected(loaded: Load) -> Callable[[str, Sequence[int]], list[int]]:
    """What transformers generates, by the model's name and the prompt, each once."""
    return cache(lambda name, prompt: generate(loaded(name), prompt))


def drafter(kind: str, loaded: Load, target: LanguageModel) -> Drafter | None:
    if kind == "plain":
        return None
    if kind == "lookup":
        return PromptLookup(max_ngram=3, eos_ids=target.eos_ids)
    return ModelDrafter(loaded(kind), eos_ids=target.eos_ids)


@pytest.mark.parametrize("length", PROMPTS)
@pytest.mark.parametrize(
    ("kind", "gamma"),
    [(kind, gamma) for kind in ("draft", "lookup") for gamma in (1, 4, 8)]
    + [("plain", 1), ("narrow_draft", 4), ("wide_draft", 4), ("short_draft", 8)],
)
def test_greedy_ids_equal_generate(loaded: Load, expected: Any, kind: str, gamma: int, length: int) -> None:
    target, prompt = loaded("target"), PROMPTS[length]
    steps, _ = decode(target, drafter(kind, loaded, target), prompt, temperature=0, gamma=gamma, max_new_tokens=LONG)
    assert emitted(steps) == expected("target", prompt)


@pytest.mark.parametrize("kind", ["plain", "lookup", "sliding_draft"])
@pytest.mark.parametrize("length", [1, 30])
def test_a_sliding_window_is_rolled_back_exactly_past_its_width(
    loaded: Load, expected: Any, kind: str, length: int
) -> None:
    """The window is 16 wide; 48 tokens go far past it."""
    target, prompt = loaded("sliding"), PROMPTS[length]
    steps, _ = decode(target, drafter(kind, loaded, target), prompt, temperature=0, gamma=4, max_new_tokens=LONG)
    assert emitted(steps) == expected("sliding", prompt)
    assert len(emitted(steps)) > 16


def test_the_pairs_of_this_suite_accept_some_drafts_and_reject_some(loaded: Load) -> None:
    """Else the comparisons above would say little."""
    for target, draft, temperature in (
        ("target", "draft", 0.0),
        ("target", "draft", 1.0),
        ("sliding", "sliding_draft", 0.0),
        ("target", "lookup", 0.0),
    ):
        model = loaded(target)
        options = {"temperature": temperature, "gamma": 4, "max_new_tokens": LONG}
        steps, _ = decode(model, drafter(draft, loaded, model), PROMPTS[30], **options)
        found = {draft.status for step in steps for draft in step.drafts}
        assert found == {"accepted", "rejected", "discarded"}


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_a_draft_model_equal_to_the_target_loses_no_draft_over_200_tokens(loaded: Load, temperature: float) -> None:
    target = loaded("target")
    options = {"gamma": 4, "max_new_tokens": 200, "min_new_tokens": 200}
    steps, reason = decode(target, ModelDrafter(target, eos_ids=()), PROMPTS[3], temperature=temperature, **options)
    assert (len(emitted(steps)), reason) == (200, "length")
    drafts = [draft for step in steps for draft in step.drafts]
    assert {draft.status for draft in drafts} == {"accepted"}
    assert min(draft.overlap for draft in drafts) == pytest.approx(1, abs=1e-4)


class Listening:
    """A model that keeps the logits of every row it gave, by the tokens that the row stands behind."""

    def __init__(self, model: LanguageModel) -> None:
        self.model, self.heard = model, []  # type: ignore[var-annotated]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.model, name)

    def reading(self) -> Any:
        return ListeningReading(self)


class ListeningReading:
    def __init__(self, model: Listening) -> None:
        self.heard, self.cache, self.ids = model.heard, model.model.reading(), []  # type: ignore[var-annotated]

    @property
    def length(self) -> int:
        return self.cache.length

    def read(self, ids: torch.Tensor, *, rows: int) -> torch.Tensor:
        self.ids += ids.tolist()
        logits = self.cache.read(ids, rows=rows)
        for i in range(rows):
            self.heard.append((self.ids[: len(self.ids) - rows + 1 + i], logits[i]))
        return logits

    def keep(self, length: int) -> None:
        self.cache.keep(length)
        del self.ids[length:]


@pytest.mark.parametrize(("target", "draft"), [("target", "draft"), ("sliding", "sliding_draft")])
def test_logits_from_a_rolled_back_cache_equal_those_without_one(loaded: Load, target: str, draft: str) -> None:
    large, small = Listening(loaded(target)), Listening(loaded(draft))
    decode(large, ModelDrafter(small, eos_ids=(1,)), PROMPTS[30], temperature=1.0, gamma=4, max_new_tokens=50)  # type: ignore
    for model in (large, small):
        assert len(model.heard) > 50
        for ids, logits in model.heard[::3]:
            with torch.inference_mode():
                fresh = model.network(torch.tensor([ids]), use_cache=False).logits[0, -1]
            assert torch.allclose(logits, fresh, atol=1e-4)
