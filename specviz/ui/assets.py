"""What the browser gets of ours: the style, and the page's script joined from the files of assets/."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from specviz.ui import words
from specviz.views import palette

FOLDER = Path(__file__).parents[2] / "assets"
TRACES = FOLDER / "traces"
SCRIPTS = (
    "base", "tokens", "tradebox", "store", "box", "play", "why", "lanes", "steps", "payoff", "share", "drawer", "intro",
    "card", "player", "numbers", "page",
)  # fmt: skip
STYLES = ("style", "stage", "why", "screens")

# The skeleton is static: no value ever passes through this template, since Gradio would run what it holds as code.
LINE = '<div class="line" data-part="line"></div>'
SKELETON = (
    '<div class="sv" data-part="root">'
    '<div class="status" data-part="status" role="status"></div>'
    '<section class="intro" data-part="intro"></section>'
    '<section class="card lanes" data-part="lanes"></section>'
    '<div class="two">'
    '<section class="card steps" data-part="steps"></section>'
    '<section class="card why" data-part="why"></section>'
    "</div>"
    '<section class="card pay" data-part="pay"></section>'
    '<section class="card numbers" data-part="numbers"></section>'
    '<nav class="thumb" data-part="thumb"></nav>'
    "</div>"
)


def style() -> str:
    """The page's style: the files in order, since later ones override."""
    return "\n".join((FOLDER / f"{name}.css").read_text(encoding="utf-8") for name in STYLES)


def plotly_file() -> Path | None:
    """plotly.py carries plotly.min.js; the page loads it when the plots are opened."""
    import plotly

    found = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
    return found if found.exists() else None


def script(to_fetch: Mapping[str, int]) -> str:
    """The page's script: the words, the palette's other half, megabytes of the models that are not on this machine,
    and the files in order, for one function's body."""
    constants = {
        "WORDS": {language: words.table(language) for language in words.LANGUAGES},
        "PLOTLY": str(plotly_file() or ""),
        "DARK": palette.LIGHT_TO_DARK,
        "TO_FETCH": dict(to_fetch),
    }
    head = [f"const {name} = {json.dumps(value, ensure_ascii=False)};" for name, value in constants.items()]
    return "\n".join([*head, *((FOLDER / f"{name}.js").read_text(encoding="utf-8") for name in SCRIPTS)])
