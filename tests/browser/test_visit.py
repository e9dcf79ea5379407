"""What a visitor meets: the headline, the settings' drawer, cards beside tokens, links, and a page that answers."""

from urllib.parse import urlsplit

import pytest

from specviz.trace import records
from tests.browser.conftest import DONE, PHONE
from tests.fakes.engine import trace

pytestmark = pytest.mark.browser


def test_the_headline_says_who_decides_and_watching_walks_the_step_through_its_beats(visit):
    page = visit()
    assert "keeps its own odds" in page.inner_text(".headline")
    at = page.evaluate("window.specviz.state.step")
    page.click("[data-do=watch]")
    page.wait_for_selector('.step.chosen[data-beat="4"]')
    assert page.evaluate("window.specviz.state.step") == at
    page.wait_for_function("!window.specviz.walking()")


def test_playing_goes_on_to_the_next_step_until_it_is_paused(visit):
    page = visit("run=a-fable&step=1")
    page.click("[data-do=play]")
    page.wait_for_function("window.specviz.state.step === 1 && window.specviz.state.beat === 1")
    page.click("[data-do=play]")
    assert not page.evaluate("window.specviz.walking()")


def test_run_it_live_runs_and_the_headline_gives_its_room_back(visit):
    page = visit()
    page.click("[data-do=runlive]")
    page.wait_for_function(DONE)
    assert page.locator(".headline").count() == 0 or page.locator(".headline").is_hidden()


def test_about_this_run_says_how_it_came_to_be(visit, traces):
    page = visit("run=a-fable")
    page.click(".line .what")
    told = page.inner_text(".about")
    assert "fake-target drafted by fake-draft" in told
    assert "2 CPU cores" in told


@pytest.mark.parametrize("size", ["wide", "phone"])
def test_escape_closes_the_drawer_and_gives_the_focus_back(visit, size):
    page = visit(**({"viewport": PHONE} if size == "phone" else {}))
    page.focus("#sv-settings-button")
    page.keyboard.press("Enter")
    page.wait_for_function("document.activeElement.id === 'sv-close'")
    page.keyboard.press("Escape")
    page.wait_for_selector("#sv-settings", state="hidden")
    assert page.evaluate("document.activeElement.id") == "sv-settings-button"


def test_on_a_phone_the_focus_stays_in_the_drawer(visit):
    page = visit(viewport=PHONE)
    page.click("#sv-settings-button")
    page.wait_for_function("document.activeElement.id === 'sv-close'")
    inside = "document.getElementById('sv-settings').contains(document.activeElement)"
    page.keyboard.press("Shift+Tab")
    assert page.evaluate(f"{inside} && document.activeElement.id !== 'sv-close'")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "sv-close"


@pytest.mark.parametrize("by", ["pointer", "keyboard"])
def test_a_token_shows_its_card(visit, by):
    page = visit("run=a-fable&step=2&position=1")
    chip = page.locator('.rowlist [data-step="1"][data-position="0"].chip')
    draft = page.evaluate("window.specviz.state.trace.speculative.steps[1].drafts[0]")
    if by == "pointer":
        chip.hover()
    else:
        chip.focus()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowLeft")
    card = page.wait_for_selector(".hovercard")
    words = card.inner_text()
    assert f"id {draft['id']}" in words
    assert draft["status"] in words
    page.keyboard.press("Escape")
    page.wait_for_selector(".hovercard", state="detached")


def test_choosing_a_draft_model_makes_a_pair_and_says_which(visit):
    page = visit()
    page.locator("#sv-drafter label").nth(1).click()
    page.locator("#sv-drafter label").nth(0).click()
    page.wait_for_function("document.querySelector('.status').innerText.includes('drafted by')")


def test_the_recorded_run_can_be_downloaded_at_once(visit, tmp_path):
    page = visit()
    page.click("#sv-settings-button")
    with page.expect_download() as download:
        page.click("#sv-download")
    download.value.save_as(tmp_path / "kept.json")
    assert records.load(tmp_path / "kept.json") == trace(seed=3)


def test_the_second_run_of_a_session_starts_with_the_plain_arm_and_looks_the_same(run_live):
    page = run_live()
    page.click("#sv-run")
    page.wait_for_function(f"window.specviz.state.order[0] === 1 && {DONE}")
    figures = "[...document.querySelectorAll('.lane')].map((l) => [l.classList[1], Number(l.querySelector('.figures')."
    lanes = dict(page.evaluate(figures + "dataset.tokens)])"))
    assert list(lanes) == ["speculative", "plain"]
    assert all(lanes.values())


def test_a_link_to_a_live_run_restores_its_settings(run_live, visit):
    page = run_live(prompt="A heron & a toad")
    page.evaluate("window.copied = ''; navigator.clipboard.writeText = (text) => { window.copied = text; }")
    page.click("[data-do=link]")
    link = urlsplit(page.wait_for_function("window.copied").json_value())
    other = visit(link.query)
    other.wait_for_function("document.querySelector('#sv-prompt textarea')?.value === 'A heron & a toad'")
    asked = page.evaluate("window.specviz.state.trace.settings")
    other.wait_for_function(f"document.querySelector('#sv-seed input')?.value === '{asked['seed']}'")
    assert other.input_value("#sv-gamma input[type=number]") == str(asked["gamma"])


def test_a_link_opens_the_page_presenting_and_escape_leaves(visit):
    page = visit("run=a-fable&mode=present")
    assert page.locator("#sv-hand").is_hidden()
    page.wait_for_function("document.querySelector('.pay').getBoundingClientRect().bottom <= 720")
    small = page.evaluate(
        """[...document.querySelectorAll('.sv .sentence, .sv .chip, .sv .sum, .sv .rows td.n, .sv .figures')]
          .filter((node) => parseFloat(getComputedStyle(node).fontSize) < 18).map((node) => node.className)"""
    )
    assert small == []
    page.keyboard.press("Escape")
    page.wait_for_selector("#sv-hand", state="visible")


# the time from a click to the picture that follows it, on the main thread, the median of nine
ANSWER = """async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const times = [];
  for (let i = 0; i < 9; i += 1) {
    const chips = document.querySelectorAll('.rowlist .chip');
    const from = performance.now();
    chips[(i * 7) % chips.length].click();
    await frame();
    times.push(performance.now() - from);
    await frame();
  }
  return times.sort((a, b) => a - b)[4];
}"""


def test_a_click_is_answered_while_a_run_of_256_tokens_goes_on(visit, engine):
    page = visit("max_new_tokens=256")
    page.wait_for_function("document.querySelector('#sv-max_new_tokens input')?.value === '256'")
    engine.pace = 0.05
    page.click("#sv-run")
    page.wait_for_function(
        "window.specviz.state.phase === 'running' && window.specviz.state.trace.speculative.steps.length > 20"
    )
    took = page.evaluate(ANSWER)
    assert page.evaluate("window.specviz.state.phase") == "running"
    engine.pace = 0
    assert took < 200


def test_two_thousand_tokens_stay_usable(visit):
    page = visit("run=long")
    page.wait_for_function("document.querySelectorAll('.rowlist .step').length > 400")
    assert page.evaluate(ANSWER) < 200
