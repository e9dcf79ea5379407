"""The story grammar: its size, its promises about memory, its determinism."""

import math
import random
import unicodedata

import pytest

from specviz.bundled import memory
from specviz.bundled.corpus import LANGUAGES, tell_stories
from specviz.bundled.grammar import Language, Teller, tell

STORIES = tell_stories(400, seed="tests")
BY_CODE = {language.code: language for language in LANGUAGES}
both = pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.code)


@both
def test_a_language_has_well_over_a_hundred_patterns_and_several_hundred_words(language: Language) -> None:
    assert len(language.templates()) > 200
    assert len(language.vocabulary()) > 500


@both
def test_names_are_possible_by_the_thousand(language: Language) -> None:
    rng = random.Random(1)
    names = {fact for _ in range(1500) for story in [tell(language, rng)] for fact in (story.facts["hero"],)}
    assert len(names) > 700


def test_every_story_is_composed_unicode_with_every_slot_filled() -> None:
    for story in STORIES:
        assert unicodedata.normalize("NFC", story.text) == story.text
        assert not set(story.text) & set("{}<>[]|\x01\x02\x03")
        assert "  " not in story.text


def test_the_same_seed_tells_the_same_stories_and_another_seed_others() -> None:
    again, others = tell_stories(20, seed="tests"), tell_stories(20, seed="others")
    assert again == STORIES[:20]
    assert not {story.text for story in others} & {story.text for story in again}


def test_telling_leaves_the_global_generator_alone() -> None:
    before = random.getstate()
    tell_stories(4, seed="x")
    assert random.getstate() == before


def test_the_facts_stand_in_the_text_where_the_mentions_say() -> None:
    for story in STORIES:
        facts = {value.lower() for value in story.facts.values()}
        for mention in story.mentions:
            assert story.text[mention.start : mention.end].lower() in facts
        assert story.facts["hero"] in story.text
        assert story.facts["friend"] in story.text


def test_a_story_comes_back_to_what_it_told_at_least_ten_times() -> None:
    assert min(sum(mention.callback for mention in story.mentions) for story in STORIES) >= 10


def test_names_colours_and_objects_of_a_story_never_contradict_its_facts() -> None:
    for story in STORIES:
        for kind, tally in memory.read(BY_CODE[story.language], story.facts, story.text).items():
            assert tally.right == tally.mentioned > 0, (kind, story.text)
        assert memory.well_formed(BY_CODE[story.language], story.text), story.text


def test_a_continuation_that_mixes_things_up_is_found_out() -> None:
    facts = {"hero": "Milo", "friend": "Tara", "he": "she", "object": "kite", "colour": "red"}
    told = memory.read(BY_CODE["en"], facts, "Then Milo gave his blue kite to Tara. And Barin saw her red ball.")
    assert {kind: (tally.right, tally.mentioned) for kind, tally in told.items()} == {
        "name": (2, 3),
        "pronoun": (1, 2),
        "object": (1, 2),
        "colour": (1, 2),
    }


def test_a_vietnamese_continuation_that_mixes_things_up_is_found_out() -> None:
    facts = {"hero": "Minh An", "friend": "Bông Xù", "he": "cậu", "object": "con diều", "colour": "đỏ"}
    text = "Rồi Minh An đưa con diều xanh lá cho Bông Xù. Cô bé chào cậu bé. Còn Gia Khang có quả bóng đỏ."
    told = memory.read(BY_CODE["vi"], facts, text)
    assert {kind: (tally.right, tally.mentioned) for kind, tally in told.items()} == {
        "name": (2, 3),
        "pronoun": (1, 2),
        "object": (1, 2),
        "colour": (1, 2),
    }


def test_the_surprise_adds_up_the_choices() -> None:
    teller = Teller(BY_CODE["en"], random.Random(0))
    teller.fill("[only]")
    assert teller.surprise == 0
    teller.fill("[a|b]")
    assert math.isclose(teller.surprise, -math.log(5 / 9)) or math.isclose(teller.surprise, -math.log(4 / 9))


def test_a_word_that_is_already_a_fact_is_not_drawn_again() -> None:
    for story in STORIES:
        assert story.facts["hero"] != story.facts["friend"]
        assert story.facts["pal"] not in story.facts["kind"].split()
