"""Prompts to start from: one of each kind, named in both languages by `words`, and beginnings of stories."""

from __future__ import annotations

import json
from functools import cache

from specviz.ui.assets import FOLDER

_CODE = '''def moving_average(values, window):
    """Return the list of means of each `window` neighbours."""
    total = 0
    means = []
    for i, v in enumerate(values):
        total += v
        if i >= window:
            total -= values[i - window]
        means.append(total / window)
    return means
'''

EXAMPLES: dict[str, str] = {
    "code": "Write a Python function that returns the n-th Fibonacci number, with a docstring.",
    "edit": f"Rename the parameter `values` to `samples` and change nothing else:\n\n{_CODE}",
    "summary": "Summarise in two sentences: Speculative decoding lets a small model propose several tokens. The large "
    "model checks the proposed tokens in one pass. The tokens that pass the check are kept, and the first token that "
    "fails is replaced. The text that comes out follows the large model's own distribution, so nothing is lost but "
    "time, and often time is won.",
    "chat": "My parcel has not arrived and the tracking page shows nothing since Monday. What should I do?",
    "creative": "Write the opening of a fable about a heron who is afraid of water.",
    "vietnamese": "Giải thích ngắn gọn vì sao bầu trời có màu xanh.",
}

# where the bundled pair brings no beginnings of its own
_FALLBACK = {
    "en": ["Once there was a small heron who lived by a lake."],
    "vi": ["Ngày xưa có một chú cò nhỏ sống bên hồ."],
}


@cache
def beginnings() -> dict[str, list[str]]:
    """Beginnings of stories for the bundled pair to continue: {language: texts}."""
    try:
        found = json.loads((FOLDER / "bundled/beginnings.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return _FALLBACK
    return {language: list(found.get(language) or texts) for language, texts in _FALLBACK.items()}
