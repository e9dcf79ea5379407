"""A live run from typing to the trade box, Stop, errors, and what is kept."""

import json

import pytest

from specviz.errors import ModelError
from tests.browser.conftest import DONE

pytestmark = pytest.mark.browser


def open_file(page, path):
    page.click("#sv-settings-button")
    with page.expect_file_chooser() as chooser:
        page.click("#sv-open")
    chooser.value.set_files(str(path))


def test_a_run_from_typing_to_the_trade_box(run_live):
    page = run_live(prompt="Tell me about a heron.")
    assert page.evaluate("window.specviz.state.trace.prompt.text") == "Tell me about a heron."
    assert page.locator(".rowlist .step").count() == page.evaluate(
        "window.specviz.state.trace.speculative.steps.length"
    )
    page.locator(".rowlist .chip.rejected").first.click()
    assert page.inner_text(".why .verdict") == "Rejected."
    assert page.locator(".tradebox .pin").count() >= 1
    assert "tokens a step" in page.inner_text(".pay")
    assert int(page.locator(".lane.plain .figures").get_attribute("data-tokens")) > 0


def test_stop_keeps_the_partial_trace_and_the_next_run_works(visit, engine):
    page = visit()
    engine.pace = 0.1
    page.locator("#sv-drafter label").first.click()
    page.click("#sv-run")
    page.wait_for_function(
        "window.specviz.state.phase === 'running' && window.specviz.state.trace.speculative.steps.length >= 3"
    )
    assert page.locator("#sv-run").is_hidden()
    page.click("#sv-stop")
    page.wait_for_function("window.specviz.state.phase === 'stopped'")
    kept = page.evaluate("window.specviz.state.trace.speculative")
    assert kept["output"]["stop_reason"] == "cancelled"
    assert 3 <= len(kept["steps"]) < 20
    assert "Stopped" in page.inner_text(".status")
    engine.pace = 0
    page.click("#sv-run")
    page.wait_for_function(DONE)
    assert page.evaluate("window.specviz.state.trace.speculative.output.stop_reason") == "length"


def test_an_error_is_a_sentence_and_the_last_result_stays(run_live, engine):
    page = run_live()
    rows = page.locator(".rowlist .step").count()
    engine.fail = ModelError("<b>No such</b> model ${1}.", hint="Check the name.")
    page.click("#sv-run")
    page.wait_for_selector(".problem")
    assert "<b>No such</b> model ${1}. Check the name." in page.inner_text(".problem")
    assert page.locator(".rowlist .step").count() == rows
    engine.fail = None
    page.click("#sv-run")
    page.wait_for_function(f"!document.querySelector('.problem') && {DONE}")


def test_an_empty_prompt_is_refused_in_words(visit):
    page = visit()
    page.fill("#sv-prompt textarea", "")
    page.click("#sv-run")
    page.wait_for_selector(".problem")
    assert "The prompt is empty." in page.inner_text(".problem")


def test_another_plain_run_adds_a_lane_that_differs(run_live):
    page = run_live()
    page.click("[data-do=plain]")
    page.wait_for_function(f"window.specviz.state.trace.baseline.length === 2 && {DONE}")
    texts = page.evaluate("window.specviz.state.trace.baseline.map((arm) => arm.output.text)")
    assert texts[0] != texts[1]
    assert page.locator(".lane.plain .tab").count() == 2


def test_the_downloaded_trace_opens_to_the_same_view(run_live, visit, tmp_path):
    page = run_live()
    page.click("#sv-settings-button")
    with page.expect_download() as download:
        page.click("#sv-download")
    assert download.value.suggested_filename.startswith("specviz-trace-")
    path = tmp_path / "kept.json"
    download.value.save_as(path)
    live = page.evaluate("window.specviz.state.trace")
    assert json.loads(path.read_text("utf-8"))["speculative"] == live["speculative"]
    other = visit()
    open_file(other, path)
    other.wait_for_function("window.specviz.state.source === 'file'")
    opened = other.evaluate("window.specviz.state.trace")
    assert opened.keys() - {"format", "version"} == live.keys()
    assert all(opened[key] == live[key] for key in live)
    for each in (page, other):
        each.evaluate("() => { const s = window.specviz.state; s.step = 4; s.position = 0; window.specviz.draw(); }")
    for part in (".rowlist", ".why", ".pay", ".sum", ".lane.speculative"):
        assert other.text_content(part) == page.text_content(part), part


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "it is empty"),
        ("null", "not a trace file"),
        ("{}", "not a trace file"),
        ('{"format": "specviz.trace", "version": 99}', "has version 99"),
        ('{"format": "specviz.trace", "version": 1}', "lacks trace.settings"),
        ('{"format": NaN}', "not strict JSON"),
        ('{"format": "specviz.trace", "version": "<img src=x onerror=window.__hit=1>"}', "<img src"),
    ],
)
def test_a_file_that_is_no_trace_is_refused_in_words(visit, tmp_path, content, says):
    path = tmp_path / "bad.json"
    path.write_text(content, encoding="utf-8")
    page = visit()
    before = page.locator(".rowlist .step").count()
    open_file(page, path)
    page.wait_for_selector(".problem")
    assert says in page.inner_text(".problem")
    assert page.locator(".rowlist .step").count() == before


def test_hostile_text_is_shown_as_text(run_live):
    page = run_live(
        prompt="<img src=x onerror=window.__hit=1> ${window.__hit=1} {{value}} <script>window.__hit=1</script>"
    )
    assert page.evaluate("window.specviz.state.trace.prompt.text").startswith("<img")
    shown = page.inner_text(".rowlist")
    assert "{{value}}" in shown or "</span>" in shown or "<b>bold</b>" in shown
    assert page.locator(".sv img, .sv script").count() == 0
    for chip in page.locator(".rowlist .chip").all()[:40]:
        chip.click()
    assert page.evaluate("window.__hit") is None
