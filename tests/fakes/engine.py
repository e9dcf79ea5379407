"""An engine without models: random but sound traces, in the order and form in which the real engine speaks.

It follows the exact rule over a small vocabulary that holds what is hard to draw: spaces, newlines, tabs, a
zero-width joiner, Vietnamese, an emoji split over two tokens, markup and template syntax. No torch.
"""

from __future__ import annotations

import codecs
import dataclasses
import math
import random
import time
from collections.abc import Callable, Iterator
from typing import Any

from specviz.request import PROMPT_LOOKUP, RunRequest
from specviz.trace import metrics
from specviz.trace.events import ArmEnded, ArmStarted, Event, Finished, Loading, Started, Stepped
from specviz.trace.records import (
    Arm,
    Draft,
    DrafterKind,
    DrafterRef,
    Emitted,
    Lookup,
    ModelRef,
    Output,
    Prefill,
    Prompt,
    Settings,
    Step,
    Token,
    Trace,
)

WORDS = """ the| a| small| heron| named| Robin| who| lived| in| beautiful| forest| known| very| always| an| for| his
| sharp| eyes|.|,| was|ight| Her|on| một| con| chim| yếu| Việt| đầm
| lầy|\n|\n\n|\t| |\u00a0|\u200d| def| return| x|(|)|:
| costs| $|1,243| #include| <stdio.h>""".replace("\n|", "|")
HOSTILE = (
    "<img src=x onerror=window.__hit=1>",
    "${window.__hit=1}",
    "{{value}}",
    "</span>",
    '"><svg onload=window.__hit=1>',
    "<script>window.__hit=1</script>",
    "a<b<c",
    "<b>bold</b>",
)
EMOJI = (b"\xf0\x9f", b"\x98\x80")  # one face, two tokens
VOCABULARY: tuple[bytes, ...] = (
    *(w.replace("\\n", "\n").replace("\\t", "\t").encode() for w in WORDS.split("|") if w),
    b"\n",
    b"\n\n",
    b"\t",
    *(h.encode() for h in HOSTILE),
    *EMOJI,
)
SIZE = len(VOCABULARY)
Row = list[float]


def _token(id: int) -> Token:
    raw = VOCABULARY[id]
    try:
        return Token(raw.decode(), raw.hex())
    except UnicodeDecodeError:
        return Token("", raw.hex())


TOKENS = {id: _token(id) for id in range(SIZE)}


def _softmax(logits: Row, temperature: float) -> Row:
    if temperature == 0:
        best = max(range(SIZE), key=logits.__getitem__)
        return [float(i == best) for i in range(SIZE)]
    top = max(logits)
    weights = [math.exp((z - top) / temperature) for z in logits]
    total = sum(weights)
    return [w / total for w in weights]


class World:
    """The next token's logits under target and draft model, a function of the seed and the last three ids."""

    def __init__(self, request: RunRequest, *, closeness: float) -> None:
        self.seed, self.temperature, self.closeness = request.seed, request.temperature, closeness

    def logits(self, ids: list[int]) -> tuple[Row, Row]:
        chance = random.Random(f"{self.seed} {ids[-3:]}")
        target = [chance.gauss(0, 2.2) for _ in range(SIZE)]
        if ids and VOCABULARY[ids[-1]] == EMOJI[0]:
            target[SIZE - 1] += 12
        return target, [z + chance.gauss(0, 1 / self.closeness) for z in target]

    def p_q(self, ids: list[int]) -> tuple[Row, Row]:
        target, draft = self.logits(ids)
        return _softmax(target, self.temperature), _softmax(draft, self.temperature)


def _draw(row: Row, uniform: float) -> int:
    total = 0.0
    for id, share in enumerate(row):
        total += share
        if uniform * sum(row) < total:
            return id
    return max(range(SIZE), key=row.__getitem__)


def _residual(p: Row, q: Row) -> Row:
    left = [max(0.0, a - b) for a, b in zip(p, q)]
    total = sum(left)
    return [x / total for x in left] if total else p


def _ten(row: Row) -> list[int]:
    return sorted(range(SIZE), key=lambda i: -row[i])[:10]


def _top(row: Row, id: int) -> tuple[tuple[int, float], ...]:
    return tuple((i, row[i]) for i in dict.fromkeys([*_ten(row), id]) if row[i] > 0 or i == id)


def _logits(target: Row, temperature: float) -> tuple[tuple[int, float], ...] | None:
    return tuple((i, target[i]) for i in _ten(target)[:5]) if temperature == 0 else None


def _lookup(ids: list[int], most: int, count: int) -> Lookup | None:
    for size in range(min(most, len(ids) - 1), 0, -1):
        for start in range(len(ids) - size - 1, -1, -1):
            if ids[start : start + size] == ids[-size:]:
                end = min(start + size + count, len(ids))
                return Lookup((start, start + size), (start + size, end))
    return None


class FakeEngine:
    """`run` and `another_plain` with the signatures of the real ones. pace: seconds that a step really takes."""

    def __init__(self, *, pace: float = 0.0, closeness: float = 1.0, fail: Exception | None = None) -> None:
        self.pace, self.closeness, self.fail = pace, closeness, fail

    def run(
        self, request: RunRequest, *, stopped: Callable[[], bool] = lambda: False, plain_first: bool = False
    ) -> Iterator[Event]:
        request = request.checked()
        yield Loading("Loading fake-target.", 0.5)
        if self.fail:
            raise self.fail
        lookup = request.drafter == PROMPT_LOOKUP
        drafter = DrafterRef("prompt_lookup" if lookup else "model", request.drafter, "", "float32", "cpu")
        plain = {f.name: getattr(request, f.name) for f in dataclasses.fields(Settings) if hasattr(request, f.name)}
        plain |= {"target": ModelRef(request.target, "0", "float32", "cpu"), "drafter": drafter, "chat": False}
        settings = Settings(**plain)
        chance = random.Random(request.seed)
        ids = tuple(chance.randrange(SIZE - 2) for _ in range(24))
        prompt = Prompt(request.prompt, request.prompt, ids)
        order = ((1, 0) if plain_first else (0, 1)) if request.baseline else (0,)
        environment = {"device": "cpu", "hardware": "2 CPU cores", "peak_memory_bytes": 5_000_000}
        yield Started(settings, prompt, TOKENS, environment, order)
        arms: dict[int, Arm] = {}
        for arm in order:
            if arms and stopped():
                break
            arms[arm] = yield from self._arm(arm, settings, list(ids), stopped)
        nothing = Arm(Prefill(0, 0), (), Output((), "", "cancelled"))
        yield self._finished(
            Trace(settings, prompt, TOKENS, arms.get(0, nothing), (arms[1],) if 1 in arms else (), {}, environment)
        )

    def another_plain(
        self, request: RunRequest, trace: Trace, *, stopped: Callable[[], bool] = lambda: False
    ) -> Iterator[Event]:
        number = len(trace.baseline) + 1
        yield Started(trace.settings, trace.prompt, trace.tokens, trace.environment, (number,))
        arm = yield from self._arm(number, trace.settings, list(trace.prompt.ids), stopped)
        yield self._finished(dataclasses.replace(trace, baseline=(*trace.baseline, arm)))

    @staticmethod
    def _finished(trace: Trace) -> Finished:
        return Finished(dataclasses.replace(trace, metrics=metrics.compute(trace)))

    def _arm(self, arm: int, settings: Settings, ids: list[int], stopped: Callable[[], bool]) -> Any:
        world = World(settings, closeness=self.closeness)  # type: ignore[arg-type]
        chance = random.Random(f"{settings.seed} {arm}")
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        prefill = Prefill(0.031, 0.008 if settings.drafter.kind == "model" and arm == 0 else 0.0)
        yield ArmStarted(arm, prefill)
        steps: list[Step] = []
        start = len(ids)
        while len(ids) - start < settings.max_new_tokens and not (steps and stopped()):
            left = settings.max_new_tokens - (len(ids) - start)
            gamma = settings.gamma if arm == 0 else 0
            step = _step(world, settings, len(steps), ids, gamma, min(gamma, left - 1), chance)
            time.sleep(self.pace)
            steps.append(step)
            ids += [token.id for token in step.emitted]
            text = decoder.decode(b"".join(VOCABULARY[token.id] for token in step.emitted))
            yield Stepped(arm, step, text, {})
        done = len(ids) - start >= settings.max_new_tokens
        text = b"".join(VOCABULARY[i] for i in ids[start:]).decode("utf-8", "replace")
        output = Output(tuple(ids[start:]), text, "length" if done else "cancelled")
        yield ArmEnded(arm, output)
        return Arm(prefill, tuple(steps), output)


def _step(
    world: World, settings: Settings, index: int, ids: list[int], gamma: int, count: int, chance: random.Random
) -> Step:
    kind: DrafterKind = settings.drafter.kind
    found = _lookup(ids, settings.max_ngram, count) if count and kind == "prompt_lookup" else None
    proposed = list(ids[found.copied[0] : found.copied[1]]) if found else []
    if kind == "prompt_lookup" and gamma:
        count = len(proposed)
    drafts: list[Draft] = []
    emitted: list[Emitted] = []
    here = list(ids)
    lost = False
    for position in range(count):
        p, q = world.p_q(here)
        draw: float | None = chance.random()
        if kind == "prompt_lookup":
            q, draw = [float(i == proposed[position]) for i in range(SIZE)], None
        x = proposed[position] if draw is None else _draw(q, draw)
        u = None if lost else chance.random()
        status = "discarded" if u is None else "accepted" if u < p[x] / q[x] else "rejected"
        residual = _residual(p, q)
        added = _draw(residual, again := chance.random()) if status == "rejected" else None
        shown = dict.fromkeys([*_ten(p), *_ten(q), *_ten(residual), x, *([] if added is None else [added])])
        top = tuple((i, p[i], q[i]) for i in shown if p[i] or q[i])
        drafts.append(
            Draft(
                id=x,
                source=kind,
                draw=draw,
                p=p[x],
                q=q[x],
                u=u,
                threshold=min(1.0, p[x] / q[x]),
                overlap=sum(map(min, p, q)),
                status=status,  # type: ignore[arg-type]
                top=top,
                logits=_logits(world.logits(here)[0], settings.temperature),
            )
        )
        if status == "accepted":
            emitted.append(Emitted(x, "accepted"))
        if added is not None:
            lost = True
            emitted.append(Emitted(added, "resampled", again, residual[added], _top(residual, added)))
        here.append(x)
    if not lost:
        target, _ = world.logits(here)
        p = _softmax(target, settings.temperature)
        x = _draw(p, draw := chance.random())
        logits = _logits(target, settings.temperature)
        emitted.append(Emitted(x, "bonus" if drafts else "plain", draw, p[x], _top(p, x), logits))
    passes = count if kind == "model" else 0
    draft_seconds = 0.008 * passes * chance.uniform(0.9, 1.2) + (0.0004 if count else 0)
    verify = 0.047 * (1 + 0.03 * count) * chance.uniform(0.95, 1.15)
    return Step(
        index=index,
        gamma=gamma,
        limit=None if count == gamma else "no_match" if kind == "prompt_lookup" else "length",
        cut=None,
        drafts=tuple(drafts),
        lookup=found,
        emitted=tuple(emitted),
        draft_passes=passes,
        draft_seconds=draft_seconds,
        verify_seconds=verify,
        seconds=draft_seconds + verify + 0.0012,
    )


def trace(**settings: Any) -> Trace:
    """One finished trace: `trace(temperature=0, drafter="prompt-lookup")`."""
    asked: dict[str, Any] = {"target": "fake-target", "drafter": "fake-draft", "prompt": "Once", "seed": 7}
    closeness = settings.pop("closeness", 1.0)
    *_, last = FakeEngine(closeness=closeness).run(RunRequest(**asked | {"max_new_tokens": 60} | settings))
    assert isinstance(last, Finished)
    return last.trace
