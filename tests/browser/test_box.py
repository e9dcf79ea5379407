"""What is drawn is what the trace says: widths, pins, heights, counts, read back from the browser."""

import pytest

from tests.fakes.engine import trace

pytestmark = pytest.mark.browser
CASES = {
    "a-fable": {"seed": 3},
    "greedy": {"temperature": 0, "seed": 4},
    "lookup": {"drafter": "prompt-lookup", "seed": 5},
}

GEOMETRY = """() => {
  const { state, tradeBox, stretchedCells } = window.specviz;
  const total = (cells) => cells.reduce((sum, cell) => sum + cell.width, 0);
  const mine = (cells, id) => total(cells.filter((cell) => cell.id === id));
  const found = [];
  for (const step of state.trace.speculative.steps) for (const d of step.drafts) {
    const box = tradeBox({ x: d.id, p: d.p, q: d.q, overlap: d.overlap, rows: d.top, u: d.u });
    const stretched = stretchedCells(box);
    const added = step.emitted[step.emitted.length - 1];
    found.push({
      beta: box.beta, overlap: d.overlap, q: d.q, pin: box.pin, status: d.status, probability: added.probability,
      shared: total(box.shared), much: total(box.much), owed: total(box.owed), stretched: total(stretched),
      x: mine(box.shared, d.id) + mine(box.much, d.id), added: mine(stretched, added.id),
    });
  }
  return found;
}"""


@pytest.mark.parametrize("name", CASES)
def test_the_boxes_of_a_trace_sum_and_decide_as_it_did(visit, name):
    page = visit(f"run={name}")
    page.wait_for_function(f"window.specviz.state.title === '{name}'")
    boxes = page.evaluate(GEOMETRY)
    assert len(boxes) == sum(len(step.drafts) for step in trace(**CASES[name]).speculative.steps)
    for box in boxes:
        assert box["beta"] == pytest.approx(box["overlap"], abs=1e-6)
        assert box["shared"] == pytest.approx(box["beta"], abs=1e-6)
        assert box["much"] == pytest.approx(1 - box["beta"], abs=1e-6)
        assert box["owed"] == pytest.approx(1 - box["beta"], abs=1e-6)
        assert box["x"] == pytest.approx(box["q"], abs=1e-6), "the drafted token's stretch is q long"
        if box["status"] == "discarded":
            assert box["pin"] is None
        else:
            assert (box["pin"] < box["beta"] + 1e-12) == (box["status"] == "accepted")
        if box["status"] == "rejected":
            assert box["stretched"] == pytest.approx(1)
            assert box["added"] == pytest.approx(box["probability"], abs=1e-5)


def test_the_drawn_cells_are_as_wide_as_their_numbers(visit):
    page = visit("run=a-fable")
    page.wait_for_selector(".tradebox .cell.owed.stretched")
    cells = page.eval_on_selector_all(
        ".tradebox:not(.edge-only)",
        """(boxes) => boxes.flatMap((box) => [...box.querySelectorAll('.cell')].map((cell) => [
          cell.querySelector('rect').getBoundingClientRect().width / box.getBoundingClientRect().width,
          Number(cell.dataset.width)]))""",
    )
    assert cells
    for drawn, width in cells:
        assert drawn == pytest.approx(width, abs=0.006)  # a hairline of border


def test_a_discarded_draft_has_no_box_but_a_way_to_the_rejection(visit):
    page = visit("run=a-fable")
    page.locator(".rowlist .chip.discarded").first.click()
    assert page.locator(".why .tradebox").count() == 0
    assert "never tested" in page.inner_text(".why")
    page.click("[data-do=rejection]")
    assert page.locator(".why .tradebox").count() == 1
    assert page.inner_text(".why .verdict") == "Rejected."


def test_a_bonus_shows_the_bottom_edge_alone(visit):
    page = visit("run=a-fable")
    page.locator(".rowlist .chip.bonus").first.click()
    assert page.locator(".why .tradebox.edge-only .edge.q").count() == 0
    assert page.locator(".why .tradebox.edge-only .cell.chosen").count() == 1
    total = sum(page.eval_on_selector_all(".tradebox .cell", "(cells) => cells.map((c) => Number(c.dataset.width))"))
    assert total == pytest.approx(1, abs=1e-4)


def test_a_copied_draft_puts_the_whole_top_edge_on_one_token_and_lights_its_source(visit):
    page = visit("run=lookup")
    page.wait_for_function("window.specviz.state.title === 'lookup'")
    page.locator(".rowlist .chip.rejected").first.click()
    upper = page.evaluate("[...document.querySelectorAll('.tradebox .cell.lost')].map((c) => c.dataset.id)")
    assert len(set(upper)) == 1
    assert page.locator(".lookup .copied .tok").count() >= 1


def test_the_sum_under_the_rows_is_the_traces(visit):
    page = visit("run=a-fable")
    counts = page.eval_on_selector_all(
        ".sum [data-count]", "(keys) => Object.fromEntries(keys.map((k) => [k.dataset.state, Number(k.dataset.count)]))"
    )
    numbers = trace(seed=3).metrics
    assert counts == {name: numbers[name] for name in counts}
    assert str(numbers["tokens"]) in page.inner_text(".sum .total")


def test_the_strip_has_a_block_a_token_and_its_line_at_the_step_cost(visit):
    page = visit("run=a-fable")
    made = trace(seed=3)
    tokens = page.eval_on_selector_all(".strip .bar", "(bars) => bars.map((b) => b.querySelectorAll('.block').length)")
    assert tokens == [len(step.emitted) for step in made.speculative.steps]
    strip = page.locator(".strip")
    unit, high = float(strip.get_attribute("data-unit")), 66
    line = float(page.locator(".strip .even").get_attribute("y1"))
    assert (high - line) / unit == pytest.approx(made.metrics["step_cost"], rel=1e-9)
    assert sum(tokens) / len(tokens) / made.metrics["step_cost"] == pytest.approx(made.metrics["measured_speedup"])


def test_every_number_has_its_definition_and_the_plots_are_drawn(visit):
    page = visit("run=a-fable")
    page.click(".numbers summary")
    page.wait_for_selector(".plot .main-svg")
    assert page.locator(".metrics tbody tr").count() == page.locator(".metrics td.muted:not(:empty)").count() >= 15
    page.wait_for_function("document.querySelectorAll('.plot .main-svg').length >= 5")
