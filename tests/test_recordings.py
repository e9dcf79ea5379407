"""The recorded runs that the page opens with: small, sound, chosen by their rule, and drawn from real pairs."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from specviz.labs.recordings import RECORDINGS, explains_itself
from specviz.trace import checks, metrics, records

FOLDER = Path(__file__).parent.parent / "assets" / "traces"
FILES = sorted(FOLDER.glob("*.json"))


def test_every_recording_of_the_script_is_there() -> None:
    assert [path.stem for path in FILES] == [recording.slug for recording in RECORDINGS]
    assert len(FILES) >= 8


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_a_recording_is_small_and_every_decision_of_it_can_be_made_again(path: Path) -> None:
    assert path.stat().st_size < 400_000
    trace = records.load(path)
    assert list(checks.problems(trace)) == []


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_a_recordings_metrics_follow_from_its_steps(path: Path) -> None:
    trace = records.load(path)
    assert metrics.compute(trace) == trace.metrics
    kinds = Counter(token.kind for step in trace.speculative.steps for token in step.emitted)
    assert sum(kinds.values()) == trace.metrics["tokens"] == len(trace.speculative.output.ids)


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_a_recording_says_which_seed_was_taken_and_it_is_the_median_one(path: Path) -> None:
    trace = records.load(path)
    speedups = trace.environment["recorded"]["speedups"]
    taken = speedups[str(trace.settings.seed)]
    assert trace.environment["date"]
    assert "median" in trace.environment["recorded"]["rule"]
    if "among" not in trace.environment["recorded"]["rule"]:
        assert sorted(speedups.values())[(len(speedups) - 1) // 2] == taken
    assert taken < max(speedups.values())


def test_the_first_recording_explains_itself_and_has_three_plain_arms() -> None:
    trace = records.load(FILES[0])
    assert any(map(explains_itself, trace.speculative.steps))
    assert len(trace.baseline) == 3
    assert len({arm.output.text for arm in trace.baseline}) == 3


def test_one_recording_loses_and_two_differ_only_in_their_draft_length() -> None:
    traces = {path.stem: records.load(path) for path in FILES}
    assert traces["08-it-lost"].metrics["measured_speedup"] < 1
    two, eight = traces["09-gamma-2"].settings, traces["10-gamma-8"].settings
    assert (two.gamma, eight.gamma) == (2, 8)
    assert (two.target, two.drafter, two.temperature) == (eight.target, eight.drafter, eight.temperature)
    assert traces["09-gamma-2"].prompt == traces["10-gamma-8"].prompt
