"""Both languages are complete: the same keys, the same placeholders, no key that is asked for and missing."""

import re

import pytest

from specviz.trace.metrics import DEFINITIONS
from specviz.ui import assets, words

PLACEHOLDER = re.compile(r"\{(\w+)\}")


def test_both_languages_have_the_same_keys_and_placeholders():
    english, vietnamese = words.table("en"), words.table("vi")
    assert english.keys() == vietnamese.keys()
    for key in english:
        assert set(PLACEHOLDER.findall(english[key])) == set(PLACEHOLDER.findall(vietnamese[key])), key


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_no_text_is_empty_and_none_says_accurate_for_exact(language):
    for key, text in words.table(language).items():
        assert text.strip() == text != "", key
        assert "chính xác" not in text.lower(), key


def test_every_metric_has_a_name_and_a_definition_in_words():
    for name in DEFINITIONS.keys() - {"best_gamma", "best_gamma_speedup"}:
        assert {f"m_{name}", f"d_{name}"} <= words.table("en").keys(), name


def test_the_script_asks_for_no_word_that_is_not_there():
    script = "\n".join((assets.FOLDER / f"{name}.js").read_text(encoding="utf-8") for name in assets.SCRIPTS)
    asked = set(re.findall(r"""\b(?:t|rich)\("(\w+)"[,)]""", script))
    assert asked
    assert asked <= words.table("en").keys()


def test_no_script_of_ours_makes_markup_of_text():
    for name in assets.SCRIPTS:
        script = (assets.FOLDER / f"{name}.js").read_text(encoding="utf-8")
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", script), (
            name
        )


def test_the_skeleton_holds_no_template_syntax():
    assert "${" not in assets.SKELETON + assets.LINE
    assert "{{" not in assets.SKELETON + assets.LINE
