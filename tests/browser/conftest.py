"""A served page on the fake engine, and a browser that fails the test on any console error or outside request."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

from specviz.trace import records
from tests.fakes.engine import FakeEngine, trace

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
WIDE, PHONE = {"width": 1280, "height": 720}, {"width": 360, "height": 740}


@pytest.fixture(scope="session")
def engine() -> FakeEngine:
    return FakeEngine()


@pytest.fixture(scope="session")
def traces(tmp_path_factory):
    folder = tmp_path_factory.mktemp("traces")
    (folder / "a-fable.json").write_text(records.dumps(trace(seed=3)), encoding="utf-8")
    (folder / "greedy.json").write_text(records.dumps(trace(temperature=0, seed=4)), encoding="utf-8")
    (folder / "long.json").write_text(records.dumps(trace(seed=6, max_new_tokens=2000)), encoding="utf-8")
    (folder / "lookup.json").write_text(records.dumps(trace(drafter="prompt-lookup", seed=5)), encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def address(engine, traces) -> Iterator[str]:
    from specviz.ui.page import build, launch

    demo = build(engine, traces=traces)
    _, url, _ = launch(demo, prevent_thread_lock=True, quiet=True, server_name="127.0.0.1")
    yield url
    demo.close()


@pytest.fixture(scope="session")
def chromium():
    from playwright.sync_api import sync_playwright

    found = shutil.which("chromium")
    assert found, "Chromium is missing: apt-get install chromium"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium, address, engine):
    """visit(query, viewport=...) opens the page in a fresh context; what went wrong there fails the test at its end."""
    engine.pace, engine.fail = 0.0, None
    contexts, wrong = [], []

    def open_page(query: str = "", *, viewport=WIDE, **more):
        context = chromium.new_context(viewport=viewport, accept_downloads=True, **more)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("console", lambda m: wrong.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda e: wrong.append(f"uncaught: {e}"))
        page.on(
            "request",
            lambda r: None if r.url.startswith((address, "data:", "blob:")) else wrong.append(f"outside: {r.url}"),
        )
        page.goto(address + "?" + query)
        page.wait_for_function("window.specviz && document.querySelector('.sv')")
        if "run=" in query:  # the first paint is a recorded run; what the link names comes after it
            page.wait_for_function("window.specviz.state.feeds >= 2")
        return page

    yield open_page
    for context in contexts:
        assert all(page.evaluate("window.__hit") is None for page in context.pages), "text of a trace was run as code"
        context.close()
    assert wrong == []


DONE = "window.specviz.state.phase === 'done' && window.specviz.state.figures"


@pytest.fixture
def run_live(visit):
    """A page on which a live run has just finished."""

    def start(query: str = "", *, drafter: str = "model", prompt: str | None = None, **more):
        page = visit(query, **more)
        if prompt is not None:
            page.fill("#sv-prompt textarea", prompt)
        page.locator("#sv-drafter label").nth(0 if drafter == "model" else 1).click()
        page.click("#sv-run")
        page.wait_for_function(DONE)
        return page

    return start
