"""Make the pictures of the page under assets/screenshots, from the recorded runs: python -m specviz.ui.screenshots

Needs Chromium and playwright, which the tests bring; the page itself needs neither.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from specviz.ui import assets
from specviz.ui.page import build, launch

WIDE, PHONE = (1280, 720), (360, 740)
# name: (viewport, colour scheme, what the link asks for, the part to show: "" is the whole screen)
PICTURES = {
    "wide-light-en": (WIDE, "light", "lang=en", ""),
    "wide-dark-en": (WIDE, "dark", "lang=en", ""),
    "wide-light-vi": (WIDE, "light", "lang=vi&run=vietnamese", ""),
    "wide-dark-vi": (WIDE, "dark", "lang=vi", ""),
    "phone-light-en": (PHONE, "light", "lang=en", ""),
    "phone-light-vi": (PHONE, "light", "lang=vi", ""),
    "phone-dark-vi": (PHONE, "dark", "lang=vi", ""),
    "lookup-light-en": (WIDE, "light", "lang=en&run=edit", ""),
    "lost-light-en": (WIDE, "light", "lang=en&run=it-lost", ""),
    "present-light-en": (WIDE, "light", "lang=en&mode=present", ""),
    "box-light-en": (WIDE, "light", "lang=en&mode=present", ".sv .why"),
}
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"]


def main() -> None:
    from playwright.sync_api import sync_playwright  # a tool of the tests, not of the page

    parser = argparse.ArgumentParser(prog="python -m specviz.ui.screenshots", description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path, default=assets.TRACES.parent / "screenshots")
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    demo = build()
    _, address, _ = launch(demo, prevent_thread_lock=True, quiet=True, server_name="127.0.0.1")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        for name, (size, scheme, query, part) in PICTURES.items():
            viewport = {"width": size[0], "height": size[1]}
            page = browser.new_page(viewport=viewport, color_scheme=scheme)  # type: ignore[arg-type]
            page.goto(f"{address}?{query}&__theme={scheme}")
            feeds = 2 if "run=" in query else 1
            page.wait_for_function(f"window.specviz && window.specviz.state.feeds >= {feeds}")
            page.wait_for_function("document.fonts.ready.then(() => document.querySelector('.sv svg'))")
            run = "Chạy" if "lang=vi" in query else "Run"
            page.wait_for_function(f"document.querySelector('#sv-run')?.innerText.trim() === '{run}'")
            page.wait_for_selector(".sv .tradebox")
            (page.locator(part) if part else page).screenshot(path=out / f"{name}.png")
            page.close()
            print(f"{name}.png", file=sys.stderr)
        browser.close()
    demo.close()


if __name__ == "__main__":
    main()
