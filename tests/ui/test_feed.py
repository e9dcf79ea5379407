"""A feed carries a run whole, in small parts; the page's assembled trace is the engine's."""

import json

import pytest

from specviz.errors import InputError
from specviz.request import RunRequest
from specviz.trace import records
from specviz.trace.events import Finished
from specviz.ui import live
from specviz.ui.feed import WINDOW, Feed, message, whole
from tests.fakes.engine import FakeEngine, trace

REQUEST = RunRequest(target="fake", drafter="fake-draft", prompt="Once", seed=3, max_new_tokens=40)


def test_the_messages_of_a_run_hold_every_step_of_its_trace():
    events = list(FakeEngine().run(REQUEST))
    steps = {0: [], 1: []}
    for each in map(message, events):
        if each["type"] == "step":
            steps[each["arm"]].append(each["step"])
    finished = events[-1]
    assert isinstance(finished, Finished)
    plain = records.to_json(finished.trace)
    assert steps[0] == plain["speculative"]["steps"]
    assert steps[1] == plain["baseline"][0]["steps"]


def test_an_update_carries_the_latest_chunks_only():
    feed = Feed()
    values = [feed.send({"type": "queued"}) for _ in range(3 * WINDOW)]
    assert len(values[-1]["chunks"]) == WINDOW
    assert str(values[-1]["last"]) in values[-1]["chunks"]
    assert values[0]["chunks"].keys() == {"0"}, "an earlier value is not changed by a later one"


def test_a_whole_trace_is_strict_json():
    json.loads(Feed().send(whole(trace(), source="file"))["chunks"]["0"], parse_constant=pytest.fail)


def test_a_refusal_ends_a_run_with_two_sentences():
    def events():
        raise InputError("The prompt is empty.", hint="Type at least one character.")
        yield

    (value, found), *rest = live.updates(events, Feed())
    assert (rest, found) == ([], None)
    said = json.loads(value["chunks"]["0"])[-1]
    assert said["message"]["en"] == "The prompt is empty."
    assert said["hint"]["en"] == "Type at least one character."


def test_a_defect_is_told_without_its_details(caplog):
    def events():
        raise ValueError("/secret/path")
        yield

    (value, _), *_ = live.updates(events, Feed())
    assert "/secret/path" not in json.dumps(value)
    assert "ValueError" in json.dumps(value)
    assert "/secret/path" in caplog.text


def test_stop_is_a_flag_of_one_session():
    stops = live.Stops()
    stops.ask("a")
    assert stops.asked("a")
    assert not stops.asked("b")
    stops.clear("a")
    assert not stops.asked("a")


def test_a_saved_trace_has_a_name_of_its_own_each_time(tmp_path):
    made = trace()
    first, second = live.saved(made, str(tmp_path)), live.saved(made, str(tmp_path))
    assert first != second
    assert records.load(first) == made
