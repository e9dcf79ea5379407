"""What the drop-downs offer: models and what they cost to fetch, pairs, recorded runs, prompts to start from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from specviz import catalog
from specviz.request import PROMPT_LOOKUP
from specviz.ui import words
from specviz.ui.examples import EXAMPLES, beginnings

MODEL, LOOKUP = "model", "prompt_lookup"
BUNDLED = "bundled"  # the pair that comes with the project: it tells little stories and nothing else
DRAFT_MODELS = [name for _, name in catalog.PAIRS if name != PROMPT_LOOKUP]
Choice = tuple[str, str]


def here(name: str) -> bool:
    """Whether a run could start without fetching `name`."""
    try:
        from specviz.decoding.sources import is_here  # no torch in it
    except ImportError:
        return False
    return is_here(name)


def default_pair() -> tuple[str, str]:
    """The first pair of the catalog that is on this machine, else the catalog's default."""
    return next((pair for pair in catalog.PAIRS if _all_here(pair)), catalog.PAIRS[0])


def paired(drafter: str, target: str, draft_model: str) -> tuple[str, str]:
    """Target and draft model that go together once a draft model is asked for: the catalog's pair of this target;
    where it has none, the first pair that is on this machine. A model from elsewhere is left to who named it."""
    pairs = [pair for pair in catalog.PAIRS if pair[1] != PROMPT_LOOKUP]
    drafts = dict(reversed(pairs))
    if drafter == LOOKUP or (target not in drafts and target not in catalog.MODELS):
        return target, draft_model
    if target in drafts:
        return target, draft_model if (target, draft_model) in pairs else drafts[target]
    return next(filter(_all_here, pairs), pairs[0])


def _all_here(pair: Iterable[str]) -> bool:
    return all(name == PROMPT_LOOKUP or here(name) for name in pair)


def models(names: Iterable[str], language: str) -> list[Choice]:
    """(label, name) of catalog models; the label says whether it is here, or what fetching it costs."""
    found = []
    for name in names:
        entry = catalog.MODELS[name]
        cost = (
            words.word(language, "here")
            if here(name)
            else words.word(language, "not_here", megabytes=f"{entry.megabytes:,}")
        )
        found.append((f"{name} · {cost}", name))
    return found


def to_fetch() -> dict[str, int]:
    """Megabytes of each catalog model that is not on this machine."""
    return {name: entry.megabytes for name, entry in catalog.MODELS.items() if not here(name)}


# --- recorded runs ----------------------------------------------------------------------------------------------------


def slug(name: str) -> str:
    """A recorded run's name without its number.

    >>> slug("07-wrong-answer")
    'wrong-answer'
    """
    number, _, rest = name.partition("-")
    return rest if number.isdigit() and rest else name


def recording(recordings: Iterable[str], asked: str) -> str | None:
    """The recorded run that a link names, by its slug or by its whole name."""
    return next((name for name in recordings if asked in (name, slug(name))), None)


def titles(recordings: Sequence[str], language: str) -> list[Choice]:
    """Recorded runs as (title, name)."""
    w = words.table(language)
    return [(w.get("run_" + slug(name).replace("-", "_"), name), name) for name in recordings]


# --- prompts ----------------------------------------------------------------------------------------------------------


def prompts(language: str, target: str) -> list[Choice]:
    """(label, name) of prompts to start from. For the bundled pair beginnings of stories come first."""
    w = words.table(language)
    rest = [(w[f"example_{name}"], name) for name in EXAMPLES]
    if target != BUNDLED:
        return [(w["examples"], ""), *rest]
    return [
        (w["examples"], ""),
        *((_shortened(text), name) for name, text in _stories(language).items()),
        *((f"{label} · {w['other_pair']}", name) for label, name in rest),
    ]


def prompt_of(name: str) -> str | None:
    """The text behind a choice of `prompts`."""
    return EXAMPLES.get(name) or next((texts[name] for texts in map(_stories, words.LANGUAGES) if name in texts), None)


def first_prompt(language: str, target: str) -> str:
    """What stands in the prompt when the page opens."""
    return next(iter(_stories(language).values())) if target == BUNDLED else EXAMPLES["creative"]


@cache
def _stories(language: str) -> Mapping[str, str]:
    """Beginnings by name, those in the page's language first."""
    order = [language, *(key for key in words.LANGUAGES if key != language)]
    return {f"story {key} {i}": text for key in order for i, text in enumerate(beginnings().get(key, ()))}


def _shortened(text: str, most: int = 44) -> str:
    return text if len(text) <= most else text[:most].rsplit(" ", 1)[0] + " …"


# --- links ------------------------------------------------------------------------------------------------------------

_NUMBERS = {
    "gamma": (1, 16, int),
    "temperature": (0, 2, float),
    "top_k": (0, 1_000_000, int),
    "top_p": (0, 1, float),
    "min_p": (0, 1, float),
    "repetition_penalty": (0.1, 10, float),
    "max_ngram": (1, 32, int),
    "max_new_tokens": (1, 100_000, int),
    "seed": (0, 2**53 - 1, int),
}
LINKED = ("prompt", "drafter", "target", "draft_model", "mode", *_NUMBERS)
_LONGEST = 4_000


def linked(query: Mapping[str, str]) -> dict[str, Any]:
    """The settings that a link names, by the name of their control; what can't be used is left out.

    >>> linked({"gamma": "7", "temperature": "hot", "drafter": "prompt-lookup"})
    {'gamma': 7, 'drafter': 'prompt_lookup'}
    """
    found: dict[str, Any] = {}
    for name, (least, most, kind) in _NUMBERS.items():
        try:
            value = kind(query[name][:24])
        except (KeyError, ValueError):
            continue
        if least <= value <= most:
            found[name] = value
    if query.get("prompt"):
        found["prompt"] = query["prompt"][:_LONGEST]
    if query.get("target"):
        found["target"] = query["target"][:200]
    if drafter := query.get("drafter", "")[:200]:
        found["drafter"] = LOOKUP if drafter == PROMPT_LOOKUP else MODEL
        if drafter != PROMPT_LOOKUP:
            found["draft_model"] = drafter
    if query.get("form") in ("chat", "raw"):  # ?mode= is how the page is shown
        found["mode"] = query["form"]
    return found
