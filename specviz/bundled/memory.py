"""Does a continuation remember its story? Names, pronouns, the object and its colour are read out of plain text.

The grammar makes this possible: only the hero has pronouns, no thing but the object is called by a word of the list
`object`, nothing else has a colour, and there are no names but the hero's and the friend's.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from specviz.bundled.grammar import Language, Story

KINDS = ("name", "pronoun", "object", "colour")
_NEEDED = frozenset({"name", "pronoun", "friend", "object", "colour"})


@dataclass(frozen=True)
class Tally:
    """How often a kind of fact was mentioned, and how often it was the right one."""

    right: int
    mentioned: int


def beginning(story: Story, *, sentences: int | None = None) -> str:
    """The story's first sentences; without a number, up to where all that is scored has been told."""
    if sentences is not None:
        return story.text[: story.sentences[sentences - 1]]
    for end in story.sentences:
        told = {mention.kind for mention in story.mentions if mention.end <= end}
        if told >= _NEEDED:
            return story.text[:end]
    return story.text


def read(language: Language, facts: Mapping[str, str], continuation: str) -> dict[str, Tally]:
    """What the continuation mentions of each of KINDS, against the facts of the story that it continues."""
    text = continuation
    right_names = 0
    for name in sorted((facts["hero"], facts["friend"]), key=len, reverse=True):
        text, count = re.subn(rf"(?<!\w){name}(?!\w)", "\x00", text)
        right_names += count
    reader = reader_of(language)
    wrong_names = sum(map(reader.is_name, _capital_runs(text)))
    return {
        "name": Tally(right_names, right_names + wrong_names),
        "pronoun": _tally(reader.pronouns(text), facts["he"]),
        "object": _tally(reader.listed("object", text), facts["object"]),
        "colour": _tally(reader.listed("colour", text), facts["colour"]),
    }


def well_formed(language: Language, text: str) -> bool:
    """Whether a whole story is made of known words and names, closes its quotes and ends with a full stop."""
    reader = reader_of(language)
    words = re.findall(r"[^\W\d_]+", text)
    known = all(word.lower() in reader.vocabulary or reader.is_part_of_name(word) for word in words)
    return known and text.count('"') % 2 == 0 and text.rstrip().endswith((".", "!", '"'))


def _tally(found: list[str], right: str) -> Tally:
    return Tally(found.count(right), len(found))


def _capital_runs(text: str) -> list[list[str]]:
    """Words with capitals that stand side by side, as lists."""
    runs: list[list[str]] = [[]]
    for word in re.findall(r"\w+|[^\w ]", text):
        if word[0].isupper():
            runs[-1].append(word)
        elif runs[-1]:
            runs.append([])
    return [run for run in runs if run]


class Reader:
    """The patterns of one language, compiled once."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self.vocabulary = language.vocabulary()
        self.parts = frozenset(part for name in language.flat for part in language.words[name])
        self.owner = {form: owner for owner, forms in language.pronouns.items() for form in forms}

    def listed(self, name: str, text: str) -> list[str]:
        """All words of one of the language's lists in the text, in small letters, in order."""
        return _find(self.language.words[name], text)

    def pronouns(self, text: str) -> list[str]:
        """All pronouns of the text, each as the pronoun it is a form of."""
        return [self.owner[form] for form in _find(tuple(self.owner), text)]

    def is_name(self, run: list[str]) -> bool:
        """Whether words with capitals are, or end in, a name: unknown words, or a pair of a name's parts."""
        if any(word.lower() not in self.vocabulary for word in run):
            return True
        return len(run) > 1 and all(word in self.parts for word in run[-2:])

    def is_part_of_name(self, word: str) -> bool:
        """Whether a word is a name's part (Vietnamese) or is made of two of them (English)."""
        return word in self.parts or any(word[:cut] in self.parts and word[cut:] in self.parts for cut in (2, 3))


@cache
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    longest_first = sorted(words, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)", re.IGNORECASE)


def _find(words: tuple[str, ...], text: str) -> list[str]:
    return [found.lower() for found in _pattern(words).findall(text)]


_READERS: dict[str, Reader] = {}


def reader_of(language: Language) -> Reader:
    """The reader of a language, made at its first use."""
    return _READERS.setdefault(language.code, Reader(language))
