"""How the page behaves: keys, languages, themes, sizes, links, accessibility."""

import pytest

from tests.browser.conftest import PHONE

pytestmark = pytest.mark.browser
FITS = "document.documentElement.scrollWidth <= window.innerWidth"


def state(page, name):
    return page.evaluate(f"window.specviz.state.{name}")


def test_the_first_paint_stands_at_a_telling_step(visit):
    page = visit()
    step = page.evaluate("(() => { const s = window.specviz.state; return s.trace.speculative.steps[s.step]; })()")
    statuses = [draft["status"] for draft in step["drafts"]]
    assert {"accepted", "rejected", "discarded"} <= set(statuses)
    assert step["emitted"][-1]["kind"] == "resampled"
    assert page.locator(".tradebox .pin").count() == 2


def test_a_link_names_run_step_position_and_language(visit):
    page = visit("run=lookup&step=5&position=1&lang=vi")
    page.wait_for_function("window.specviz.state.title === 'lookup'")
    assert (state(page, "step"), state(page, "position"), state(page, "lang")) == (4, 0, "vi")
    page.wait_for_function("document.querySelector('#sv-run').innerText.trim() === 'Chạy'")


def test_a_link_to_no_run_says_so(visit):
    page = visit("run=../../etc/passwd")
    page.wait_for_selector(".problem")
    assert "no recorded run" in page.inner_text(".problem")


def test_the_language_changes_at_once_everywhere(visit):
    page = visit()
    page.locator("#sv-language label").nth(1).click()
    page.wait_for_function("document.querySelector('#sv-run').innerText.trim() === 'Chạy'")
    assert page.inner_text(".steps h2").startswith("Các bước")
    assert page.evaluate("document.documentElement.lang") == "vi"
    page.wait_for_function("document.querySelector('#sv-gamma').innerText.includes('Độ dài nháp')")
    page.locator("#sv-language label").nth(0).click()
    page.wait_for_function("document.querySelector('#sv-run').innerText.trim() === 'Run'")
    assert page.inner_text(".steps h2").startswith("Steps")


def test_a_theme_changes_live(visit):
    page = visit("__theme=light")
    light = page.evaluate("getComputedStyle(document.querySelector('.sv .card')).backgroundColor")
    page.evaluate("document.body.classList.add('dark')")
    dark = page.evaluate("getComputedStyle(document.querySelector('.sv .card')).backgroundColor")
    assert (light, dark) == ("rgb(255, 255, 255)", "rgb(26, 30, 38)")


def test_arrows_walk_tokens_and_steps_and_space_walks_beats(visit):
    page = visit("run=a-fable&step=1&position=1")
    page.wait_for_function("window.specviz.state.step === 0")
    page.locator("body").press("ArrowRight")
    assert (state(page, "step"), state(page, "position")) == (0, 1)
    page.keyboard.press("ArrowDown")
    assert state(page, "step") == 1
    page.keyboard.press("End")
    assert state(page, "step") == page.evaluate("window.specviz.state.trace.speculative.steps.length") - 1
    page.keyboard.press("Home")
    for beat in (1, 2, 3, 4):
        page.keyboard.press(" ")
        assert state(page, "beat") == beat
        assert page.locator(f'.step.chosen[data-beat="{beat}"]').count() == 1
    page.keyboard.press(" ")
    assert (state(page, "step"), state(page, "beat")) == (1, 1)


def test_the_list_is_one_tab_stop_and_focus_goes_with_the_cursor(visit):
    page = visit("run=a-fable&step=2")
    page.wait_for_function("window.specviz.state.step === 1")
    assert page.locator('.rowlist .chip[tabindex="0"]').count() == 1
    page.locator('.rowlist .chip[tabindex="0"]').focus()
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.step") == "2"
    name = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert any(word in name for word in ("accepted", "rejected", "bonus", "resampled", "discarded"))


def test_a_guess_hides_the_answer_until_it_is_given(visit):
    page = visit()
    page.click(".steps [data-do=guess]")
    page.locator(".rowlist .chip.rejected").first.click()
    assert page.locator(".why .verdict").count() == 0
    assert page.locator(".tradebox .pin").count() == 0
    page.click('[data-say="rejected"]')
    assert page.inner_text(".why .verdict") == "Rejected."


def test_a_filter_leaves_only_steps_with_that_state(visit):
    page = visit()
    page.click('.sum [data-state="bonus"]')
    shown = page.locator(".rowlist .step:visible")
    assert shown.count() == page.locator(".rowlist .step:visible:has(.chip.bonus)").count() > 0
    page.click('.sum [data-state="bonus"]')
    assert page.locator(".rowlist .step:visible").count() == page.evaluate(
        "window.specviz.state.trace.speculative.steps.length"
    )


def test_the_lanes_stand_where_the_chosen_step_is(visit):
    page = visit("run=a-fable&step=3")
    page.wait_for_function("window.specviz.state.step === 2")
    figures = page.locator(".lane.speculative .figures")
    steps = page.evaluate("window.specviz.state.trace.speculative.steps.slice(0, 3).map((s) => s.emitted.length)")
    assert int(figures.get_attribute("data-tokens")) == sum(steps)
    assert figures.get_attribute("data-passes") == "3"


def test_the_what_if_pin_follows_the_slider_and_changes_no_trace(visit):
    page = visit()
    before = page.evaluate("JSON.stringify(window.specviz.state.trace)")
    page.click(".play summary")
    slider = page.locator("[data-do=whatif]")
    slider.fill("0")
    assert "kept" in page.inner_text(".whatif-words")
    slider.fill("0.999")
    assert "rejected" in page.inner_text(".whatif-words")
    assert page.locator(".pin.whatif").count() == 1
    page.click("[data-do=simulate]")
    assert page.locator(".tradebox .sim").count() == 100
    assert "simulated" in page.inner_text(".play")
    page.check('input[name="sv-rule"][value="keep"]')
    assert "misses p by" in page.inner_text(".play")
    assert page.evaluate("JSON.stringify(window.specviz.state.trace)") == before


@pytest.mark.parametrize("lang", ["en", "vi"])
def test_a_phone_never_scrolls_sideways(visit, lang):
    page = visit(f"lang={lang}", viewport=PHONE)
    assert page.evaluate(FITS)
    for _ in range(6):
        page.click(".thumb [data-do=next]")
        assert page.evaluate(FITS)
    page.click(".numbers summary")
    page.wait_for_selector(".plot .main-svg")
    assert page.evaluate(FITS)


def test_on_a_phone_run_shows_the_settings_first(visit):
    page = visit(viewport=PHONE)
    assert page.locator("#sv-hand").is_hidden()
    page.click("#sv-run")
    page.wait_for_selector("#sv-hand", state="visible")
    page.click("#sv-run")
    page.wait_for_function("window.specviz.state.phase === 'done'")
    assert page.locator("#sv-hand").is_hidden()


@pytest.mark.parametrize("lang", ["en", "vi"])
def test_the_first_screen_fits_a_projector(visit, lang):
    page = visit(f"lang={lang}")
    page.wait_for_selector(".pay .strip")
    page.wait_for_function("document.querySelector('.pay').getBoundingClientRect().bottom <= 720")
    assert page.evaluate(FITS)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("viewport", ["wide", "phone"])
def test_axe_finds_nothing_outside_gradios_footer(visit, theme, viewport):
    from axe_playwright_python.sync_playwright import Axe

    page = visit(f"__theme={theme}", **({} if viewport == "wide" else {"viewport": PHONE}))
    page.wait_for_selector("#sv-line .what")
    page.wait_for_function("!document.querySelector('.loading')")  # Gradio's own, while it mounts
    found = Axe().run(page, context={"exclude": [["footer"]]}).response["violations"]
    assert [(v["id"], [n["target"] for n in v["nodes"]][:3]) for v in found] == []


def test_choosing_another_token_redraws_quickly(visit):
    page = visit()
    took = page.evaluate("""() => {
      const { state, draw } = window.specviz;
      const times = [];
      for (let i = 0; i < 12; i += 1) {
        const from = performance.now();
        Object.assign(state, { step: i, position: 0 });
        draw();
        document.body.offsetHeight;
        times.push(performance.now() - from);
      }
      return times.sort((a, b) => a - b)[6];
    }""")
    assert took < 150
