"""Pairs that go together, what a drop-down says of a model, and what a link may set."""

import pytest

from specviz import catalog
from specviz.ui import choices, words
from specviz.ui.choices import LOOKUP, MODEL


@pytest.fixture
def on_this_machine(monkeypatch):
    """on_this_machine("gpt2", ...): these models are here, and no other."""

    def only(*names: str) -> None:
        monkeypatch.setattr(choices, "here", names.__contains__)

    only()
    return only


@pytest.mark.parametrize(
    ("drafter", "target", "draft", "expected"),
    [
        (MODEL, "qwen2.5-7b", "gpt2", ("qwen2.5-7b", "qwen2.5-0.5b")),
        (MODEL, "/my/model", "/my/draft", ("/my/model", "/my/draft")),
        (LOOKUP, "smollm2-135m", "gpt2", ("smollm2-135m", "gpt2")),
    ],
)
def test_a_draft_model_is_one_that_goes_with_its_target(on_this_machine, drafter, target, draft, expected):
    assert choices.paired(drafter, target, draft) == expected


def test_a_target_without_a_draft_model_gives_way_to_the_first_pair_that_is_here(on_this_machine):
    on_this_machine("smollm2-135m", "gpt2", "gpt2-large")
    assert choices.paired(MODEL, "smollm2-135m", "gpt2") == ("gpt2-large", "gpt2")


def test_the_page_opens_with_the_first_pair_that_is_here(on_this_machine):
    assert choices.default_pair() == catalog.PAIRS[0], "where none is, with the catalog's own"
    on_this_machine("smollm2-135m")
    assert choices.default_pair() == ("smollm2-135m", "prompt-lookup")


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_a_model_says_whether_it_is_here_or_what_fetching_costs(on_this_machine, language):
    on_this_machine("smollm2-135m")
    labels = {name: label for label, name in choices.models(["smollm2-135m", "qwen2.5-7b"], language)}
    assert words.word(language, "here") in labels["smollm2-135m"]
    assert "15,230 MB" in labels["qwen2.5-7b"]
    assert choices.to_fetch()["qwen2.5-7b"] == 15230
    assert "smollm2-135m" not in choices.to_fetch()


def test_the_bundled_pair_offers_beginnings_first_and_every_choice_has_a_text():
    offered = choices.prompts("vi", "bundled")
    assert choices.prompt_of(offered[1][1]) == choices.first_prompt("vi", "bundled")
    assert all(choices.prompt_of(name) for _, name in offered[1:])
    assert len(choices.prompts("en", "gpt2")) < len(offered)


def test_a_recorded_run_is_named_by_its_slug_or_whole():
    names = ["01-fable", "07-wrong-answer"]
    assert choices.recording(names, "wrong-answer") == choices.recording(names, "07-wrong-answer") == "07-wrong-answer"
    assert choices.recording(names, "../01-fable") is None
    assert [title for title, _ in choices.titles(names, "vi")] != names


@pytest.mark.parametrize(
    "query",
    [
        {"gamma": "17"},
        {"gamma": "1e9"},
        {"gamma": "4.5"},
        {"temperature": "nan"},
        {"temperature": "-1"},
        {"seed": "-1"},
        {"seed": "9" * 400},
        {"form": "<b>"},
        {"mode": "present"},
        {"max_new_tokens": ""},
    ],
)
def test_a_link_sets_nothing_that_is_out_of_range(query):
    assert choices.linked(query) == {}


def test_a_link_sets_what_it_names():
    query = {"gamma": "7", "temperature": "0.5", "drafter": "gpt2", "target": "gpt2-xl", "form": "raw", "prompt": "Hi"}
    expected = {"gamma": 7, "temperature": 0.5, "drafter": MODEL, "draft_model": "gpt2", "target": "gpt2-xl"}
    assert choices.linked(query) == expected | {"mode": "raw", "prompt": "Hi"}
