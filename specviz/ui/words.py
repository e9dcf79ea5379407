"""The words on the screen, one file a language; the page's script gets the same tables."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

LANGUAGES = {"en": "EN", "vi": "VI"}
FOLDER = Path(__file__).parent / "words"


@cache
def table(language: str) -> dict[str, str]:
    """Every word of one language: {key: text with {placeholders}}."""
    words: dict[str, str] = json.loads((FOLDER / f"{language}.json").read_text(encoding="utf-8"))
    return words


def word(language: str, key: str, **values: object) -> str:
    """One text, its placeholders filled; an unknown language reads as English.

    >>> word("vi", "run")
    'Chạy'
    """
    return table(language if language in LANGUAGES else "en")[key].format(**values)
