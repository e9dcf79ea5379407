"""Sentences of the engine and of the trace reader, in the page's languages.

They are written in English where they are raised. `words/sentences.vi.json` holds a Vietnamese sentence for each,
under the English one with {1}, {2}, ... where it has values of its own; a sentence that is not there stays English.
"""

from __future__ import annotations

import json
import re
from functools import cache

from specviz.ui.words import FOLDER


def translated(sentence: str) -> dict[str, str]:
    """{"en": ..., "vi": ...} of one sentence that a person is to read."""
    for pattern, vietnamese in _table():
        if found := pattern.fullmatch(sentence):
            return {"en": sentence, "vi": _filled(vietnamese, found.groups())}
    return {"en": sentence, "vi": sentence}


def _filled(text: str, values: tuple[str, ...]) -> str:
    return re.sub(r"\{(\d)\}", lambda match: values[int(match[1]) - 1], text)


@cache
def _table() -> tuple[tuple[re.Pattern[str], str], ...]:
    path = FOLDER / "sentences.vi.json"
    pairs: dict[str, str] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return tuple((_pattern(english), vietnamese) for english, vietnamese in pairs.items())


def _pattern(english: str) -> re.Pattern[str]:
    return re.compile(
        "".join(
            "(.*?)" if re.fullmatch(r"\{\d\}", part) else re.escape(part) for part in re.split(r"(\{\d\})", english)
        ),
        re.S,
    )
