"""Prompts to start from, one of each kind; `words` name them in both languages."""

from __future__ import annotations

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
