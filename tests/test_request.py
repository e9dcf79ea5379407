"""The one gate: bad values are refused in words, with the range that is allowed."""

from __future__ import annotations

import math
from typing import Any

import pytest

from specviz.errors import InputError
from specviz.request import MAX_PROMPT_CHARACTERS, MAX_STOPS, RANGES, RunRequest, number


def request(**changes: Any) -> RunRequest:
    return RunRequest(**{"target": "large", "prompt": "Hello", **changes})


def test_the_defaults_are_in_order_and_a_seed_is_drawn() -> None:
    checked = request().checked()
    assert isinstance(checked.seed, int)
    assert checked == request(seed=checked.seed).checked()
    assert len({request().checked().seed for _ in range(5)}) > 1


BAD_NUMBERS = [
    ("gamma", 0, "from 1 to 32"),
    ("gamma", 33, "from 1 to 32"),
    ("gamma", 100_000, "from 1 to 32"),
    ("gamma", -1, "from 1 to 32"),
    ("gamma", 1.5, "a whole number from 1 to 32"),
    ("gamma", True, "a whole number from 1 to 32"),
    ("gamma", "4", "a whole number from 1 to 32"),
    ("gamma", [4], "a whole number from 1 to 32"),
    ("gamma", 10**400, "from 1 to 32"),
    ("temperature", -1, "a number from 0 to 10"),
    ("temperature", -1e-9, "from 0 to 10"),
    ("temperature", 10.1, "from 0 to 10"),
    ("temperature", "hot", "a number from 0 to 10"),
    ("max_new_tokens", 0, "from 1 to 100000"),
    ("max_new_tokens", 1e9, "from 1 to 100000"),
    ("min_new_tokens", -1, "from 0 to 100000"),
    ("top_k", -1, "from 0 to 1000000"),
    ("top_k", 0.5, "a whole number"),
    ("top_p", 1.01, "from 0 to 1"),
    ("min_p", -0.1, "from 0 to 1"),
    ("repetition_penalty", 0, "from 0.1 to 10"),
    ("max_ngram", 0, "from 1 to 32"),
    ("seed", -1, "from 0 to 9007199254740991"),
    ("seed", 2**53, "from 0 to 9007199254740991"),
]


@pytest.mark.parametrize(
    ("name", "value", "allowed"), BAD_NUMBERS, ids=[f"{n} {str(v)[:9]}" for n, v, _ in BAD_NUMBERS]
)
def test_a_number_out_of_its_range_is_refused_with_the_range(name: str, value: Any, allowed: str) -> None:
    with pytest.raises(InputError) as refused:
        request(**{name: value}).checked()
    assert allowed in refused.value.hint
    assert name in refused.value.message
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, None])
@pytest.mark.parametrize("name", [name for name in RANGES if name != "seed"])
def test_no_setting_may_be_nan_infinite_or_missing(name: str, value: Any) -> None:
    with pytest.raises(InputError, match=r"can't be"):
        request(**{name: value}).checked()


@pytest.mark.parametrize("name", RANGES)
def test_both_ends_of_a_range_are_in_it(name: str) -> None:
    kind, least, most = RANGES[name]
    for value in (least, most):
        assert number(name, value) == value
        assert type(number(name, value)) is kind


@pytest.mark.parametrize(
    ("name", "value", "kind"), [("gamma", 4.0, int), ("temperature", 1, float), ("seed", 3.0, int)]
)
def test_a_whole_number_is_one_in_either_notation(name: str, value: Any, kind: type) -> None:
    assert type(getattr(request(**{name: value}).checked(), name)) is kind


def test_top_p_of_0_would_leave_nothing() -> None:
    with pytest.raises(InputError, match="would leave no token"):
        request(top_p=0).checked()


def test_min_new_tokens_above_max_new_tokens_is_refused_with_both() -> None:
    with pytest.raises(InputError, match="min_new_tokens 9 is more than max_new_tokens 8"):
        request(min_new_tokens=9, max_new_tokens=8).checked()


@pytest.mark.parametrize("prompt", ["", None, 5, "a" * (MAX_PROMPT_CHARACTERS + 1), "half \ud83d of it"])
def test_a_prompt_that_cannot_be_read_is_refused(prompt: Any) -> None:
    with pytest.raises(InputError, match="prompt"):
        request(prompt=prompt).checked()


@pytest.mark.parametrize("prompt", [" ", "\n", "🙂", "a" * MAX_PROMPT_CHARACTERS, "yê\u0301u"])
def test_a_prompt_of_any_character_is_kept_as_it_is(prompt: str) -> None:
    assert request(prompt=prompt).checked().prompt == prompt


@pytest.mark.parametrize("name", ["target", "drafter"])
@pytest.mark.parametrize("value", ["", "  ", None, 3, "a\0b", "a\ud83d"])
def test_a_model_name_that_is_none_is_refused(name: str, value: Any) -> None:
    with pytest.raises(InputError, match=f"No {name} is chosen"):
        request(**{name: value}).checked()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("dtype", "float64"),
        ("dtype", None),
        ("dtype", ["auto"]),
        ("device", "tpu"),
        ("rule", "block2"),
        ("chat", "yes"),
        ("chat", 1),
        ("baseline", None),
        ("baseline", "no"),
    ],
)
def test_a_choice_that_is_not_on_offer_is_refused_with_those_that_are(name: str, value: Any) -> None:
    with pytest.raises(InputError, match=rf"{name} .* is unknown\. Use "):
        request(**{name: value}).checked()


@pytest.mark.parametrize(
    "stop", [("",), ("a",) * (MAX_STOPS + 1), ("a" * 201,), (1,), (None,), "END", None, 5, {"a": 1}, ("\ud83d",)]
)
def test_stop_strings_that_cannot_be_used_are_refused(stop: Any) -> None:
    with pytest.raises(InputError, match="Stop strings"):
        request(stop=stop).checked()


def test_stop_strings_may_come_as_a_list() -> None:
    assert request(stop=["\n\n", "Việt"]).checked().stop == ("\n\n", "Việt")


def test_checking_twice_changes_nothing() -> None:
    once = request(temperature=1, gamma=4.0, stop=["a"]).checked()
    assert once.checked() == once
