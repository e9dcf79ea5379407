"""What a person may ask for, checked once, before anything is loaded or run.

The command line, the page and the API all build a RunRequest; whatever they pass, `RunRequest.checked` is the one gate.
Standard library only, so that a page can be drawn without torch.
"""

from __future__ import annotations

import dataclasses
import random
import reprlib
from dataclasses import dataclass
from typing import Any

from specviz.errors import InputError

PROMPT_LOOKUP = "prompt-lookup"
DTYPES = ("auto", "float32", "bfloat16", "float16")
DEVICES = ("auto", "cpu", "cuda", "mps")
MAX_PROMPT_CHARACTERS = 100_000
MAX_STOPS = 8

# name: (kind, least, most), both included; the words for a person are in LABELS
RANGES: dict[str, tuple[type, float, float]] = {
    "gamma": (int, 1, 32),
    "temperature": (float, 0, 10),
    "top_k": (int, 0, 1_000_000),
    "top_p": (float, 0, 1),
    "min_p": (float, 0, 1),
    "repetition_penalty": (float, 0.1, 10),
    "min_new_tokens": (int, 0, 100_000),
    "max_new_tokens": (int, 1, 100_000),
    "max_ngram": (int, 1, 32),
    "seed": (int, 0, 2**53 - 1),  # JSON readers keep whole numbers exact up to here
}
LABELS = {"gamma": "draft length (gamma)", "max_ngram": "n-gram length (max_ngram)"}


@dataclass(frozen=True, kw_only=True)
class RunRequest:
    """One run as asked for: names, not models. top_k 0, top_p 1, min_p 0, repetition_penalty 1 switch a rule off.

    chat: True renders the model's chat template, False sends the text as it stands, None lets the model decide.
    seed None draws one. baseline adds a plain arm.
    """

    target: str
    drafter: str = PROMPT_LOOKUP
    prompt: str
    chat: bool | None = None
    rule: str = "token"
    gamma: int = 4
    temperature: float = 0.8
    top_k: int = 0
    top_p: float = 1.0
    min_p: float = 0.0
    repetition_penalty: float = 1.0
    min_new_tokens: int = 0
    max_new_tokens: int = 128
    max_ngram: int = 3
    stop: tuple[str, ...] = ()
    seed: int | None = None
    dtype: str = "auto"
    device: str = "auto"
    baseline: bool = True

    def checked(self) -> RunRequest:
        """The same request with numbers of the right kind and a seed; InputError names the range that was missed."""
        if not isinstance(self.prompt, str) or not self.prompt:
            raise InputError("The prompt is empty.", hint="Type at least one character.")
        if len(self.prompt) > MAX_PROMPT_CHARACTERS:
            found = f"The prompt has {len(self.prompt):,} characters; at most {MAX_PROMPT_CHARACTERS:,} are read."
            raise InputError(found, hint="Shorten it.")
        if not _is_whole(self.prompt):
            raise InputError("The prompt holds half a character (a lone surrogate).", hint="Type or paste it again.")
        for name in ("target", "drafter"):
            value = getattr(self, name)
            if not isinstance(value, str) or not value.strip() or "\0" in value or not _is_whole(value):
                raise InputError(f"No {name} is chosen.", hint="`python -m specviz models` lists what there is.")
        numbers = {name: number(name, getattr(self, name)) for name in RANGES if name != "seed"}
        seed = random.SystemRandom().randrange(2**32) if self.seed is None else number("seed", self.seed)
        if numbers["top_p"] == 0:
            raise InputError("top_p of 0 would leave no token.", hint="Choose a number above 0, at most 1.")
        if numbers["min_new_tokens"] > numbers["max_new_tokens"]:
            asked = (
                f"min_new_tokens {numbers['min_new_tokens']} is more than max_new_tokens {numbers['max_new_tokens']}."
            )
            raise InputError(asked, hint="Lower the one or raise the other.")
        for name, allowed in CHOICES.items():
            value = getattr(self, name)
            if not any(value is choice or (isinstance(value, str) and value == choice) for choice in allowed):
                words = ", ".join(str(choice) for choice in allowed)
                raise InputError(f"{name} {reprlib.repr(value)} is unknown.", hint=f"Use {words}.")
        stop = tuple(self.stop) if isinstance(self.stop, (list, tuple)) else ("",)
        usable = all(isinstance(s, str) and 1 <= len(s) <= 200 and _is_whole(s) for s in stop)
        if len(stop) > MAX_STOPS or not usable:
            hint = f"Give a list of up to {MAX_STOPS}, of 1 to 200 characters."
            raise InputError("Stop strings can't be used as given.", hint=hint)
        return dataclasses.replace(self, **numbers, seed=seed, stop=stop)


RULES = ("token",)
CHOICES: dict[str, tuple[str | bool | None, ...]] = {
    "dtype": DTYPES,
    "device": DEVICES,
    "rule": RULES,
    "chat": (True, False, None),
    "baseline": (True, False),
}


def number(name: str, value: Any) -> Any:
    """`value` as the setting `name` wants it, or InputError with the allowed range (booleans, NaN, text: refused)."""
    kind, least, most = RANGES[name]
    label = LABELS.get(name, name)
    what = "a whole number" if kind is int else "a number"
    hint = f"Choose {what} from {_plain(least)} to {_plain(most)}."
    sound = isinstance(value, (int, float)) and not isinstance(value, bool) and least <= value <= most  # NaN: no
    if not sound or (kind is int and value != int(value)):
        raise InputError(f"The {label} can't be {_shown(value)}.", hint=hint)
    return kind(value)


def _plain(value: float) -> str:
    return str(int(value)) if value == int(value) else str(value)


def _shown(value: Any) -> str:
    return value[:40] if isinstance(value, str) else reprlib.repr(value)[:40]  # bounded, however large the value is


def _is_whole(text: str) -> bool:
    """Whether it is text that can be written: half of a surrogate pair is not."""
    return not any("\ud800" <= character <= "\udfff" for character in text)
