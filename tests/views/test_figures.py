"""The plots say what the trace says, in words of either language, and carry no token's text."""

import re

import pytest

from specviz.trace import metrics
from specviz.ui.words import LANGUAGES, table
from specviz.views import figures as f
from specviz.views.palette import LIGHT_TO_DARK
from tests.fakes.engine import HOSTILE, trace

EN = table("en")


@pytest.fixture(scope="module")
def made():
    return trace(seed=3)


def test_a_steps_parts_stack_to_its_seconds(made):
    parts = f.seconds(made, EN).data[:3]
    for step, *heights in zip(made.speculative.steps, *(part.y for part in parts)):
        assert sum(heights) == pytest.approx(step.seconds)


def test_acceptance_by_position_shows_its_counts(made):
    bars = f.acceptance(made, EN).data[0]
    assert list(bars.text) == [f"{a}/{n}" for a, n in metrics.acceptance_by_position(made.speculative) if n]


def test_the_histogram_counts_every_step_once(made):
    assert sum(f.lengths(made, EN).data[0].y) == len(made.speculative.steps)


def test_overlap_counts_every_tested_draft_once(made):
    marks = f.overlap(made, EN).data[1]
    assert sum(int(text.split("/")[1]) for text in marks.text) == made.metrics["tested"]


def test_each_arm_ends_at_its_tokens_and_its_seconds(made):
    for line, arm in zip(f.over_time(made, EN).data, [made.speculative, *made.baseline]):
        assert line.y[-1] == len(arm.output.ids)
        clock = arm.prefill.target_seconds + arm.prefill.draft_seconds + sum(step.seconds for step in arm.steps)
        assert line.x[-1] == pytest.approx(clock)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_token_enters_a_figure_and_every_colour_has_a_dark_one(made, language):
    for figure in f.figures(made, table(language)):
        text = figure.to_json()
        assert not any(hostile in text for hostile in HOSTILE)
        colours = set(re.findall(r"#[0-9a-f]{6}", text))
        assert colours <= LIGHT_TO_DARK.keys()


def test_a_run_without_a_baseline_or_drafts_still_draws(made):
    alone = trace(seed=3, baseline=False)
    assert len(f.figures(alone, EN)) == 5
    short = trace(seed=3, max_new_tokens=1)
    assert f.overlap(short, EN) is None
