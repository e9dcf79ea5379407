"""A trace file: there and back, and every way in which it may be no trace."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from specviz.errors import TraceError
from specviz.trace import checks
from specviz.trace.records import MAX_FILE_BYTES, dumps, load, loads, to_json
from tests.trace.handmade import looked_up, trace


@pytest.mark.parametrize("made", [trace(), looked_up(), trace(baseline=(), metrics={}, environment={})])
def test_a_trace_survives_its_file(made: Any, tmp_path: Path) -> None:
    assert loads(dumps(made)) == made
    file = tmp_path / "một.json"
    file.write_text(dumps(made), encoding="utf-8")
    assert load(file) == load(str(file)) == made
    assert dumps(load(file)) == dumps(made)


def test_the_file_has_the_keys_that_the_contract_names() -> None:
    plain = to_json(trace())
    assert list(plain)[:2] == ["format", "version"]
    assert (plain["format"], plain["version"]) == ("specviz.trace", 1)
    assert set(plain) == {
        "format", "version", "settings", "prompt", "tokens", "speculative", "baseline", "metrics", "environment",
    }  # fmt: skip
    step = plain["speculative"]["steps"][0]
    assert set(step) == {
        "index", "gamma", "limit", "cut", "drafts", "lookup", "emitted", "draft_passes", "draft_seconds",
        "verify_seconds", "seconds",
    }  # fmt: skip
    assert step["drafts"][0]["from"] == "model"
    assert plain["tokens"]["3"] == {"text": "ế", "bytes": "e1babf"}
    assert {"revision", "dtype", "device"} <= set(plain["settings"]["drafter"])


def test_numbers_are_not_rounded() -> None:
    third = trace(metrics={"third": 1 / 3, "small": 5e-324, "float32": 0.10000000149011612})
    assert loads(dumps(third)).metrics == third.metrics


def test_a_trace_with_a_number_that_json_lacks_is_never_written() -> None:
    with pytest.raises(ValueError, match="JSON"):
        dumps(trace(metrics={"x": float("nan")}))


def test_unknown_keys_are_ignored() -> None:
    plain = to_json(trace())
    plain["later"] = plain["settings"]["later"] = plain["speculative"]["steps"][0]["later"] = {"x": [1]}
    assert loads(json.dumps(plain)) == trace()


def changed(*path: Any, to: Any) -> str:
    plain = to_json(trace())
    place = plain
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = to
    return json.dumps(plain)


def without(*path: Any) -> str:
    plain = to_json(trace())
    place = plain
    for key in path[:-1]:
        place = place[key]
    del place[path[-1]]
    return json.dumps(plain)


DEEP = 50_000
STEP = ("speculative", "steps", 0)
MALFORMED: dict[str, tuple[Callable[[], str], str]] = {
    "empty": (lambda: "", "it is empty"),
    "blank": (lambda: " \n", "it is empty"),
    "null": (lambda: "null", '"format" is not'),
    "a number": (lambda: "123", '"format" is not'),
    "a list": (lambda: "[]", '"format" is not'),
    "an object": (lambda: "{}", '"format" is not'),
    "a text": (lambda: '"specviz.trace"', '"format" is not'),
    "no JSON": (lambda: "{'format': 1}", "not strict JSON"),
    "cut off": (lambda: dumps(trace())[:-20], "not strict JSON"),
    "two values": (lambda: dumps(trace()) + "{}", "not strict JSON"),
    "a byte order mark": (lambda: "\ufeff" + dumps(trace()), "not strict JSON"),
    "deep nesting": (lambda: "[" * DEEP + "]" * DEEP, "not strict JSON"),
    "deep nesting inside": (
        lambda: changed("metrics", to="HERE").replace('"HERE"', '{"a":' * DEEP + "1" + "}" * DEEP),
        "not strict JSON",
    ),
    "nesting that could be read and not written": (
        lambda: changed("environment", to="HERE").replace('"HERE"', '{"a":' * 400 + "1" + "}" * 400),
        "trace.environment.* nested too deeply",
    ),
    "nesting in the wrong place": (
        lambda: changed("settings", to="HERE").replace('"HERE"', "[" * 400 + "]" * 400),
        "trace.settings should be an object",
    ),
    "a nested version": (
        lambda: changed("version", to="HERE").replace('"HERE"', "[" * 400 + "]" * 400),
        "has version",
    ),
    "another format": (lambda: changed("format", to="other"), '"format" is not'),
    "a later version": (lambda: changed("version", to=2), "has version 2; this program reads version 1"),
    "no version": (lambda: without("version"), "has version None"),
    "NaN": (lambda: changed(*STEP, "seconds", to="HERE").replace('"HERE"', "NaN"), "NaN is not allowed"),
    "NaN among the metrics": (lambda: changed("metrics", to={"x": "HERE"}).replace('"HERE"', "NaN"), "NaN is not"),
    "Infinity": (lambda: changed(*STEP, "seconds", to="HERE").replace('"HERE"', "-Infinity"), "Infinity is not"),
    "a number beyond float": (
        lambda: changed(*STEP, "seconds", to="HERE").replace('"HERE"', "1e999"),
        r"trace.speculative.steps\[0\].seconds should be a number",
    ),
    "a metric beyond float": (
        lambda: changed("metrics", to={"x": "HERE"}).replace('"HERE"', "1e999"),
        "trace.metrics.* should be a number",
    ),
    "a huge whole number": (
        lambda: changed("settings", "gamma", to=10**400),
        "trace.settings.gamma should be a whole number",
    ),
    "a number of ten thousand digits": (
        lambda: changed("settings", "gamma", to="HERE").replace('"HERE"', "9" * 10_000),
        "not strict JSON",
    ),
    "a huge whole number for a float": (
        lambda: changed("settings", "temperature", to=10**400),
        "trace.settings.temperature should be a number",
    ),
    "text for a number": (
        lambda: changed("settings", "gamma", to="4"),
        "trace.settings.gamma should be a whole number",
    ),
    "a boolean for a number": (
        lambda: changed("settings", "gamma", to=True),
        "trace.settings.gamma should be a whole number, but is True",
    ),
    "a fraction for a whole number": (lambda: changed("settings", "gamma", to=1.5), "should be a whole number"),
    "a number for text": (lambda: changed("prompt", "text", to=5), "trace.prompt.text should be text"),
    "null for text": (lambda: changed("prompt", "text", to=None), "trace.prompt.text should be text"),
    "a number for true": (lambda: changed("settings", "chat", to=1), "trace.settings.chat should be true or false"),
    "half a character": (lambda: changed("prompt", "text", to="\ud83d"), "trace.prompt.text should be text"),
    "half a character in a key": (lambda: changed("metrics", to={"\ud83d": 1}), "trace.metrics should be text"),
    "an object for a list": (
        lambda: changed("speculative", "steps", to={}),
        "trace.speculative.steps should be a list",
    ),
    "a list for an object": (lambda: changed("tokens", to=[]), "trace.tokens should be an object"),
    "a status that is none": (
        lambda: changed(*STEP, "drafts", 0, "status", to="kept"),
        r"steps\[0\].drafts\[0\].status should be 'accepted' or",
    ),
    "a status that is a list": (lambda: changed(*STEP, "drafts", 0, "status", to=["accepted"]), "status should be"),
    "a token id that is none": (lambda: changed("tokens", to={"x": {}}), "keys are token ids"),
    "a negative token id": (lambda: changed("tokens", to={"-1": {}}), "keys are token ids"),
    "a row too short": (lambda: changed(*STEP, "drafts", 0, "top", to=[[1, 0.5]]), "should be a list of 3"),
    "a row too long": (lambda: changed(*STEP, "emitted", 1, "top", to=[[1, 0.5, 0.5]]), "should be a list of 2"),
    **{
        f"no {'.'.join(map(str, path))}": (
            lambda path=path: without(*path),  # type: ignore[misc]
            "lacks trace." + ".".join(map(str, path)).replace(".0", r"\[0\]"),
        )
        for path in (
            ("settings",),
            ("prompt",),
            ("tokens",),
            ("speculative",),
            ("settings", "seed"),
            ("settings", "target", "dtype"),
            ("speculative", "output"),
            ("speculative", "output", "stop_reason"),
            (*STEP, "drafts"),
            (*STEP, "drafts", 0, "from"),
            (*STEP, "drafts", 0, "u"),
        )
    },
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_file_that_is_no_trace_is_refused_with_the_reason(name: str, tmp_path: Path) -> None:
    make, reason = MALFORMED[name]
    text = make()
    with pytest.raises(TraceError, match=reason) as refused:
        loads(text)
    assert "\n" not in str(refused.value)
    assert refused.value.hint
    assert len(refused.value.message) < 300
    file = tmp_path / "trace.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(TraceError, match=reason):
        load(file)


def test_a_file_of_50_megabytes_is_refused_unread(tmp_path: Path) -> None:
    file = tmp_path / "large.json"
    with file.open("wb") as out:
        out.truncate(50_000_000)
    with pytest.raises(TraceError, match="has 50 MB; a trace may have at most 20 MB"):
        load(file)
    assert MAX_FILE_BYTES == 20_000_000


def test_what_is_no_file_or_no_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TraceError, match=r"gone\.json can't be read: No such file"):
        load(tmp_path / "gone.json")
    with pytest.raises(TraceError, match="can't be read"):
        load(tmp_path)
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe{}")
    with pytest.raises(TraceError, match="not UTF-8"):
        load(tmp_path / "bytes.json")


def test_markup_and_template_syntax_in_texts_stay_texts() -> None:
    hostile = '"><svg onload=alert(1)>${1}{{x}}</script>\u2028'
    text = changed("tokens", "3", "text", to=hostile)
    assert loads(text).tokens[3].text == hostile
    assert list(checks.problems(loads(text))) == []
