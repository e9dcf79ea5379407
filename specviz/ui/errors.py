"""Sentences of the engine and of the trace reader, in the page's languages.

They are written in English where they are raised. `words/sentences.vi.json` holds a Vietnamese sentence for each,
under the English one with {1}, {2}, ... where it has values of its own. A value that is itself in the table, such as
the reason inside a sentence, is translated too; a sentence that is not there stays English.
"""

from __future__ import annotations

import json
import re
from functools import cache

from specviz.ui import words


def translated(sentence: str) -> dict[str, str]:
    """{"en": ..., "vi": ...} of one sentence that a person is to read.

    >>> translated("This is not a trace file: it is empty.")["vi"]
    'Đây không phải file trace: file trống.'
    """
    return {"en": sentence, "vi": _vietnamese(sentence)}


def _vietnamese(text: str) -> str:
    for pattern, vietnamese in _table():
        if found := pattern.fullmatch(text):
            return _filled(vietnamese, [_vietnamese(value) for value in found.groups()])  # each is shorter than text
    return text


def _filled(text: str, values: list[str]) -> str:
    return re.sub(r"\{(\d)\}", lambda match: values[int(match[1]) - 1], text)


@cache
def _table() -> tuple[tuple[re.Pattern[str], str], ...]:
    """(pattern of the English text, the Vietnamese one); those without values first, then in the file's order."""
    pairs: dict[str, str] = json.loads((words.FOLDER / "sentences.vi.json").read_text(encoding="utf-8"))
    ours = {key: text for key, text in words.table("en").items() if key.startswith("error_")}
    pairs |= {text: words.word("vi", key) for key, text in ours.items()}
    pairs |= {f"{words.word('en', 'error_unknown')} ({{1}})": f"{words.word('vi', 'error_unknown')} ({{1}})"}
    order = sorted(pairs.items(), key=lambda pair: "{1}" in pair[0])
    return tuple((_pattern(english), vietnamese) for english, vietnamese in order)


def _pattern(english: str) -> re.Pattern[str]:
    parts = re.split(r"(\{\d\})", english)
    return re.compile("".join("(.*?)" if re.fullmatch(r"\{\d\}", part) else re.escape(part) for part in parts), re.S)
