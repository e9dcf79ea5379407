"""Every decision can be made again from the file alone, and a number that was tampered with is found."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from specviz.errors import TraceError
from specviz.trace import checks
from specviz.trace.records import Trace, dumps, loads, to_json
from tests.trace.handmade import looked_up, trace


@pytest.mark.parametrize("made", [trace(), trace(baseline=()), looked_up()])
def test_a_sound_trace_has_no_problems(made: Trace) -> None:
    assert list(checks.problems(loads(dumps(made)))) == []
    assert checks.check(made) is made


def drafts(plain: Any, step: int = 0) -> Any:
    return plain["speculative"]["steps"][step]["drafts"]


def emitted(plain: Any, step: int = 0) -> Any:
    return plain["speculative"]["steps"][step]["emitted"]


TAMPERED: dict[str, tuple[Callable[[Any], Any], str]] = {
    "u of an accepted draft": (lambda t: drafts(t, 1)[0].update(u=1.0), "a draw outside 0 to 1"),
    "u of a rejected draft": (lambda t: drafts(t)[1].update(u=0.1), "does not make it rejected"),
    "u at p/q exactly": (lambda t: drafts(t)[1].update(u=0.25, status="accepted"), "does not make it accepted"),
    "p of a draft": (lambda t: drafts(t)[1].update(p=0.5), "another p or q"),
    "p of a draft and of its row": (
        lambda t: drafts(t)[1].update(p=0.5, threshold=0.625, top=[[4, 0.5, 0.8], [5, 0.5, 0.2]]),
        "does not make it rejected",
    ),
    "q of a draft": (lambda t: drafts(t)[0].update(q=0.9), "another p or q"),
    "q of 0": (lambda t: drafts(t)[0].update(q=0.0), "could not have drawn"),
    "threshold": (lambda t: drafts(t)[1].update(threshold=0.26), "is not min"),
    "overlap above 1": (lambda t: drafts(t)[1].update(overlap=1.1), "outside 0 to 1"),
    "overlap below its table's": (lambda t: drafts(t)[0].update(overlap=0.5), "overlaps by more"),
    "overlap of the rejected draft": (lambda t: drafts(t)[1].update(overlap=0.6), "not its share"),
    "a probability of the table": (lambda t: drafts(t)[1]["top"][1].__setitem__(1, 0.6), "not its share"),
    "a negative probability": (lambda t: drafts(t)[1]["top"][1].__setitem__(1, -0.1), "outside 0 to 1"),
    "a token twice in a table": (lambda t: drafts(t)[0]["top"].append([4, 0.0, 0.0]), "names a token twice"),
    "the draw of a draft": (lambda t: drafts(t)[0].update(draw=-0.1), "a draw outside 0 to 1"),
    "the status of a draft": (lambda t: drafts(t)[1].update(status="accepted"), "does not make it accepted"),
    "discarded for rejected": (
        lambda t: (drafts(t)[1].update(status="discarded", u=None), emitted(t)[1].update(kind="bonus")),
        "nothing before it was rejected",
    ),
    "a test of a discarded draft": (lambda t: drafts(t)[2].update(u=0.5), "a draw without a test"),
    "no test of an accepted draft": (lambda t: drafts(t)[0].update(u=None), "a test without a draw"),
    "the order of statuses": (lambda t: drafts(t).reverse(), "out of order"),
    "two rejections": (lambda t: drafts(t)[2].update(status="rejected", u=0.9), "more than one rejection"),
    "the id of a draft": (lambda t: drafts(t)[0].update(id=4), "not what was accepted"),
    "an emitted id": (lambda t: emitted(t)[1].update(id=6), "not the 6 emitted ones"),
    "an emitted kind": (lambda t: emitted(t)[1].update(kind="bonus"), "it added"),
    "nothing emitted": (lambda t: emitted(t, 2).clear(), "it added"),
    "a second added token": (lambda t: emitted(t, 2).append(emitted(t, 2)[0]), "it added"),
    "the probability of the added token": (lambda t: emitted(t)[1].update(probability=0.5), "another probability"),
    "the draw of the added token": (lambda t: emitted(t)[1].update(draw=1.5), "without a draw"),
    "no draw of the added token": (lambda t: emitted(t, 1)[2].update(draw=None), "without a draw"),
    "an id of the output": (lambda t: t["speculative"]["output"]["ids"].__setitem__(0, 4), "not the 6 emitted"),
    "an id less in the output": (lambda t: t["speculative"]["output"]["ids"].pop(), "has 5 ids"),
    "an id of the baseline": (lambda t: t["baseline"][0]["output"]["ids"].pop(), r"baseline\[0\], the output"),
    "the number of a step": (lambda t: t["speculative"]["steps"][1].update(index=2), "is numbered 2"),
    "a step left out": (lambda t: t["speculative"]["steps"].pop(0), "is numbered 1"),
    "gamma of a step": (lambda t: t["speculative"]["steps"][1].update(gamma=2), "allows 2 drafts, not 3"),
    "gamma of the settings": (lambda t: t["settings"].update(gamma=2), "allows 3 drafts, not 2"),
    "drafts in the plain arm": (
        lambda t: t["baseline"][0]["steps"][0].update(drafts=drafts(t)[:1]),
        "1 drafts where at most 0",
    ),
    "seconds": (lambda t: t["speculative"]["steps"][0].update(seconds=0.4), "less than those of its parts"),
    "negative seconds": (lambda t: t["speculative"]["steps"][0].update(draft_seconds=-1.0), "less than those"),
    "a token without an entry": (lambda t: t["tokens"].pop("6"), "token 6 has no entry"),
    "a prompt's token without an entry": (lambda t: t["prompt"]["ids"].append(999), "prompt's token 999"),
    "a logit's token without an entry": (
        lambda t: emitted(t, 2)[0]["logits"].append([77, 0.0]),
        "token 77 has no entry",
    ),
    "an end in the middle": (lambda t: t["speculative"]["steps"][0].update(cut="eos"), "does not end so"),
    "an end that no step made": (lambda t: t["speculative"]["output"].update(stop_reason="eos"), "and no step does"),
}  # fmt: skip


@pytest.mark.parametrize("name", TAMPERED)
def test_a_tampered_trace_is_refused(name: str) -> None:
    tamper, reason = TAMPERED[name]
    plain = to_json(trace())
    tamper(plain)
    read = loads(json.dumps(plain))
    assert any(reason in problem or _matches(reason, problem) for problem in checks.problems(read))
    with pytest.raises(TraceError, match="contradicts itself"):
        checks.check(read)


def _matches(pattern: str, problem: str) -> bool:
    import re

    return re.search(pattern, problem) is not None


@pytest.mark.parametrize(
    ("lookup", "reason"),
    [
        ({"matched": [0, 1], "copied": [1, 2]}, "copied other tokens than were drafted"),
        ({"matched": [1, 2], "copied": [2, 3]}, "matched other tokens than the last ones"),
        ({"matched": [0, 1], "copied": [1, 9]}, "outside the text"),
        ({"matched": [0, 0], "copied": [0, 2]}, "outside the text"),
        ({"matched": [-1, 1], "copied": [1, 3]}, "outside the text"),
    ],
)
def test_spans_that_were_not_copied_are_found(lookup: Any, reason: str) -> None:
    plain = to_json(looked_up())
    plain["speculative"]["steps"][0]["lookup"] = lookup
    assert any(reason in problem for problem in checks.problems(loads(json.dumps(plain))))


def test_a_trace_of_a_rule_that_is_not_known_here_keeps_its_accounting() -> None:
    """Thresholds of another rule are not p/q; everything else still adds up."""
    plain = to_json(trace())
    plain["settings"]["rule"] = "another"
    drafts(plain)[1].update(threshold=0.1)
    assert list(checks.problems(loads(json.dumps(plain)))) == []
    emitted(plain)[1].update(kind="bonus")
    assert any("it added" in problem for problem in checks.problems(loads(json.dumps(plain))))


def test_an_arm_that_was_stopped_at_once_is_sound() -> None:
    plain = to_json(trace())
    plain["speculative"].update(steps=[], output={"ids": [], "text": "", "stop_reason": "cancelled"})
    assert list(checks.problems(loads(json.dumps(plain)))) == []
