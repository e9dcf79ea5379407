"""From controls to a request, and the words on them."""

import dataclasses
import subprocess
import sys

import pytest

from specviz.errors import InputError
from specviz.request import PROMPT_LOOKUP
from specviz.ui import controls

VALUES = {
    "prompt": "Once", "drafter": controls.MODEL, "draft_model": "d", "gamma": 4, "temperature": 0.8, "target": "t",
    "top_k": 0, "top_p": 1, "min_p": 0, "repetition_penalty": 1, "max_ngram": 3, "max_new_tokens": 20, "seed": None,
    "stop_strings": "", "mode": "auto", "dtype": "auto", "device": "auto",
}  # fmt: skip


def asked(**changed):
    return controls.asked(*((VALUES | changed)[name] for name in controls.INPUTS))


def test_the_controls_become_a_request():
    request = asked(stop_strings="END\n\n###", mode="raw").checked()
    assert (request.drafter, request.stop, request.chat) == ("d", ("END", "###"), False)
    assert request.seed is not None
    assert asked(drafter=controls.LOOKUP).drafter == PROMPT_LOOKUP


@pytest.mark.parametrize(
    "changed",
    [
        {"gamma": 100_000},
        {"gamma": -1},
        {"gamma": 1.5},
        {"temperature": -1},
        {"max_new_tokens": 1e9},
        {"top_p": None},
        {"prompt": None},
        {"target": ""},
    ],
)
def test_what_is_out_of_range_is_refused_with_the_range(changed):
    with pytest.raises(InputError) as refused:
        asked(**changed).checked()
    assert refused.value.hint


def test_what_cant_be_combined_is_disabled_with_the_reason():
    names = [field.name for field in dataclasses.fields(controls.Controls) if field.name != "language"]
    updates = dict(zip(names, controls.relabelled("en", controls.LOOKUP, 0)))
    assert updates["draft_model"]["interactive"] is False
    assert "Not used" in updates["draft_model"]["info"]
    assert updates["top_p"]["interactive"] is False
    assert "temperature 0" in updates["top_p"]["info"]
    assert updates["max_ngram"]["interactive"] is True


def test_the_page_is_built_without_torch():
    code = "import sys; from specviz.ui.page import build; build(); sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], timeout=120).returncode == 0
