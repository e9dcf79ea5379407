"""The grammar's engine: a story is a walk through templates, and every choice on the way is weighed and counted.

A template is a string with four kinds of slot:

    {hero}              a fact of this story; {He} is the fact "he" with a capital
    <animal>            a word drawn from a list of the language
    <helper=animal>     the same, and remembered as the fact "helper"
    [glad|happy|proud]  one of a few ways to say it; slots may stand inside

Example: "{He} lost {his} {colour} {object} <place>." may become "She lost her red kite by the river."

Earlier words of a list are likelier than later ones, so that distributions have a shape; a word that the story
already uses as a fact is not drawn again, so that two roles never share a name. The sum of -log(probability) of all
choices is the story's `surprise`: its mean is the entropy of the *derivations*, in nats, an upper bound of the entropy
of the texts, because two walks may spell the same text.
"""

import math
import random
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

_SLOT = re.compile(r"\{(\w+)\}|<(?:(\w+)=)?(\w+)>|\[([^\[\]]*)\]")
_MARK = re.compile("\x01(\\w+)\x02([^\x01\x02\x03]*)\x03")
_FLATNESS = 4.0


@dataclass(frozen=True)
class Language:
    """The data of one language's stories.

    roles: alternatives for who the hero is, each {fact: template}, filled in order.
    cast: the facts that every story has, {fact: template}, filled after the role.
    shared: named stages that any plot may use; a plot is a sequence of stages, a stage the templates it may take,
    or the name of a shared one.
    memory: which facts count as a call-back of which kind, {fact: kind}.
    pronouns: pronoun forms by the pronoun they belong to, for reading a continuation.
    flat: lists drawn nearly evenly and freely (the parts of names).
    """

    code: str
    words: Mapping[str, tuple[str, ...]]
    roles: tuple[Mapping[str, str], ...]
    cast: Mapping[str, str]
    shared: Mapping[str, tuple[str, ...]]
    plots: Mapping[str, tuple[tuple[str, ...] | str, ...]]
    memory: Mapping[str, str]
    pronouns: Mapping[str, tuple[str, ...]]
    flat: frozenset[str] = frozenset()

    def templates(self) -> tuple[str, ...]:
        """Every sentence pattern of the language, each once."""
        stages = [*self.shared.values(), *(s for plot in self.plots.values() for s in plot if not isinstance(s, str))]
        return tuple(dict.fromkeys(template for stage in stages for template in stage if template))

    def vocabulary(self) -> frozenset[str]:
        """Every word of lists and templates, in small letters (names' parts left out)."""
        lists = (word for name, words in self.words.items() if name not in self.flat for word in words)
        roles = [value for role in self.roles for value in role.values()]
        text = " ".join([*lists, *roles, *self.templates()])
        return frozenset(re.findall(r"[^\W\d_]+", re.sub(r"\{\w+\}|<[\w=]+>", " ", text).lower()))


@dataclass(frozen=True)
class Mention:
    """Where a fact stands in a story: text[start:end], and whether it had been told before (a call-back)."""

    kind: str
    start: int
    end: int
    callback: bool


@dataclass(frozen=True)
class Story:
    """One story. `surprise` is in nats; `sentences` holds the end offset of each stage's text."""

    language: str
    plot: str
    text: str
    facts: Mapping[str, str]
    mentions: tuple[Mention, ...]
    sentences: tuple[int, ...]
    surprise: float


@cache
def _weights(count: int, flat: bool) -> tuple[float, ...]:
    return tuple(1.0 / (rank + (count if flat else _FLATNESS)) for rank in range(count))


@dataclass
class Teller:
    """Fills templates with words drawn from a generator, remembers the facts and adds up the surprise."""

    language: Language
    rng: random.Random
    facts: dict[str, str] = field(default_factory=dict)
    surprise: float = 0.0

    def draw(self, options: Sequence[str], *, flat: bool = False, fresh: bool = False) -> str:
        """One of the options, the earlier the likelier; with fresh, none that is already a fact."""
        used = self.facts.values() if fresh else ()
        pairs = [
            (option, weight)
            for option, weight in zip(options, _weights(len(options), flat), strict=True)
            if option not in used
        ]
        total = sum(weight for _, weight in pairs)
        point = self.rng.random() * total
        chosen, weight = pairs[-1]
        for chosen, weight in pairs:  # noqa: B007
            point -= weight
            if point < 0:
                break
        self.surprise -= math.log(weight / total)
        return chosen

    def fill(self, template: str) -> str:
        """The template with every slot filled, innermost first; facts stay marked with their kind."""
        while (slot := _SLOT.search(template)) is not None:
            template = template[: slot.start()] + self._value(slot) + template[slot.end() :]
        return template

    def _value(self, slot: re.Match[str]) -> str:
        fact, remember, words, ways = slot.groups()
        if ways is not None:
            return self.draw(ways.split("|"))
        if words is not None:
            flat = words in self.language.flat
            value = self.fill(self.draw(self.language.words[words], flat=flat, fresh=not flat))
            if remember is None:
                return value
            self.facts[remember] = _plain(value)
            fact = remember
        value = self.facts[fact[0].lower() + fact[1:]]
        value = capital(value) if fact[0].isupper() else value
        kind = self.language.memory.get(fact[0].lower() + fact[1:])
        return value if kind is None else f"\x01{kind}\x02{value}\x03"


def capital(text: str) -> str:
    """The text with its first letter in capitals and the others untouched."""
    return text[:1].upper() + text[1:]


def _plain(marked: str) -> str:
    return _MARK.sub(r"\2", marked)


def tell(language: Language, rng: random.Random) -> Story:
    """One story of the language; the same state of the generator tells the same story."""
    teller = Teller(language, rng)
    role = language.roles[int(teller.draw([str(index) for index in range(len(language.roles))]))]
    for fact, template in [*role.items(), *language.cast.items()]:
        value = _plain(teller.fill(template))
        while value in teller.facts.values() and fact in ("hero", "friend"):
            value = _plain(teller.fill(template))  # counted twice: the surprise stays an upper bound
        teller.facts[fact] = value
    plot = teller.draw(list(language.plots))
    text, mentions, ends = "", [], []
    told: set[str] = set()
    for stage in language.plots[plot]:
        marked = teller.fill(teller.draw(language.shared[stage] if isinstance(stage, str) else stage))
        if not marked:
            continue
        marked = " " + marked if text else marked
        if language.code == "en":  # a or an, by the letter that follows, through a mark if there is one
            marked = re.sub("\\b([Aa]) ((?:\x01\\w+\x02)?[aeiou])", r"\1n \2", marked)
        position = 0
        for mark in _MARK.finditer(marked):
            text += marked[position : mark.start()]
            position = mark.end()
            kind, value = mark.groups()
            mentions.append(Mention(kind, len(text), len(text) + len(value), kind in told))
            told.add(kind)
            text += value
        text += marked[position:]
        ends.append(len(text))
    if unicodedata.normalize("NFC", text) != text:
        raise ValueError(f"a template of the language {language.code!r} is not composed (NFC): {text!r}")
    return Story(language.code, plot, text, dict(teller.facts), tuple(mentions), tuple(ends), teller.surprise)
