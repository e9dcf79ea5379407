"""A whole run: load the pair, warm it, run the arms one after the other, put the trace together."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from specviz.decoding import hardware
from specviz.decoding.drafters import Drafter, ModelDrafter, PromptLookup
from specviz.decoding.loop import autoregress, speculate
from specviz.decoding.models import LanguageModel, check_pair, describe, load, release
from specviz.decoding.prompts import check_length, render
from specviz.decoding.sources import Report
from specviz.decoding.text import StopStrings
from specviz.errors import ModelError
from specviz.request import PROMPT_LOOKUP, RunRequest
from specviz.trace import metrics
from specviz.trace.events import ArmEnded, ArmStarted, Event, Finished, Loading, Started, Stepped
from specviz.trace.records import (
    Arm,
    DrafterRef,
    Output,
    Prefill,
    Prompt,
    Settings,
    Step,
    StopReason,
    Token,
    Trace,
)

_WARM_TOKENS = 3


@dataclass
class Pair:
    """A target with its draft model (None: prompt lookup). warmed: which draft lengths have been run once."""

    target: LanguageModel
    draft: LanguageModel | None = None
    warmed: set[int] = dataclasses.field(default_factory=set)

    def drafter(self, settings: Settings) -> Drafter:
        if self.draft:
            return ModelDrafter(self.draft, eos_ids=self.target.eos_ids)
        return PromptLookup(max_ngram=settings.max_ngram, eos_ids=self.target.eos_ids)


class Shelf:
    """The models of the pair that was used last stay loaded. For use by one run at a time.

    faster: as in models.load.
    """

    def __init__(self, *, faster: bool = True) -> None:
        self._faster = faster
        self._models: dict[tuple[str, str, str], LanguageModel] = {}  # by name, dtype, device
        self._pairs: dict[tuple[str, ...], Pair] = {}  # of those models
        self._lock = threading.Lock()

    def pair(self, request: RunRequest, report: Report) -> Pair:
        """The pair of a checked request, loaded if need be; until the new one is known to fit, the old one stays."""
        names = [name for name in (request.target, request.drafter) if name != PROMPT_LOOKUP]
        keys = [(name, request.dtype, request.device) for name in names]
        with self._lock:
            if (known := self._pairs.get((*names, request.dtype, request.device))) is not None:
                return known
            missing = {key: describe(key[0], report) for key in keys if key not in self._models}
            if len(keys) == 2:
                described = [missing.get(key) or self._models[key].description for key in keys]
                check_pair(*described)
            self._pairs = {}
            self._models = {key: model for key, model in self._models.items() if key in keys}
            release()
            for key, description in missing.items():
                self._models[key] = load(
                    description, dtype=request.dtype, device=request.device, report=report, faster=self._faster
                )
            pair = Pair(self._models[keys[0]], self._models[keys[1]] if len(keys) == 2 else None)
            self._pairs[(*names, request.dtype, request.device)] = pair
            return pair


SHELF = Shelf()


def run(
    request: RunRequest,
    *,
    stopped: Callable[[], bool] = lambda: False,
    plain_first: bool = False,
    shelf: Shelf = SHELF,
) -> Iterator[Event]:
    """Run a request, both arms of it if it asks for a baseline, and say how it goes.

    stopped: asked after every step; once it is True the run ends there, with the trace so far. plain_first: the order
    of the arms, which callers alternate. Raises SpecvizError.
    """
    request = request.checked()
    pair = yield from _loaded(request, shelf)
    settings, prompt = prepare(pair, request)
    yield from warm(pair, settings)
    order = ((1, 0) if plain_first else (0, 1)) if request.baseline else (0,)
    tokens = pair.target.text.tokens(dict.fromkeys(prompt.ids))
    environment = describe_environment(pair)
    environment["order"] = ["speculative" if arm == 0 else "baseline" for arm in order]
    yield Started(settings, prompt, dict(tokens), environment, order)
    arms: dict[int, Arm] = {}
    for arm in order:
        arms[arm] = yield from _arm(arm, pair, settings, prompt, tokens, stopped)
    environment["peak_memory_bytes"] = hardware.peak_memory_bytes(pair.target.device)
    plain = (arms[1],) if 1 in arms else ()
    yield Finished(_complete(Trace(settings, prompt, tokens, arms[0], plain, {}, environment)))


def another_plain(
    request: RunRequest, trace: Trace, *, stopped: Callable[[], bool] = lambda: False, shelf: Shelf = SHELF
) -> Iterator[Event]:
    """One more plain arm, with random numbers of its own. `request` is the one that the trace came from."""
    request = dataclasses.replace(request, seed=trace.settings.seed).checked()
    pair = yield from _loaded(request, shelf)
    yield from warm(pair, trace.settings)
    index = len(trace.baseline) + 1
    tokens = dict(trace.tokens)
    yield Started(trace.settings, trace.prompt, tokens, trace.environment, (index,))
    arm = yield from _arm(index, pair, trace.settings, trace.prompt, tokens, stopped)
    yield Finished(_complete(dataclasses.replace(trace, tokens=tokens, baseline=(*trace.baseline, arm))))


def prepare(pair: Pair, request: RunRequest) -> tuple[Settings, Prompt]:
    """The effective settings and the rendered prompt of a checked request; InputError where it doesn't fit."""
    prompt, chat = render(pair.target, request.prompt, chat=request.chat)
    check_length(prompt, pair.target.context, request.max_new_tokens, pair.target.name)
    if max(prompt.ids) >= pair.target.vocab:
        unknown = f"{pair.target.name} has no embedding for token {max(prompt.ids)} of the prompt: it has"
        raise ModelError(f"{unknown} {pair.target.vocab}.", hint="Its tokenizer and its weights don't go together.")
    if pair.draft:
        ref = pair.draft.ref
        drafter = DrafterRef("model", ref.name, ref.revision, ref.dtype, ref.device)
    else:
        drafter = DrafterRef("prompt_lookup", PROMPT_LOOKUP)
    names = {f.name for f in dataclasses.fields(Settings)} - {"target", "drafter", "chat"}
    rest = {name: getattr(request, name) for name in names}
    return Settings(target=pair.target.ref, drafter=drafter, chat=chat, **rest), prompt


def generator(seed: int, arm: int) -> torch.Generator:
    """An arm's own random numbers: the same seed gives the same ones in any order of the arms."""
    return torch.Generator().manual_seed((seed * 1_000_003 + arm) % 2**63)


def steps_of(
    arm: int, pair: Pair, settings: Settings, prompt: Sequence[int], *, record: bool = True
) -> Iterator[Prefill | Step | StopReason]:
    """The steps of one arm: 0 the speculative one, 1, 2, ... plain ones."""
    text = pair.target.text
    options: dict[str, Any] = {
        "generator": generator(settings.seed, arm),
        "record": record,
        "ends_text": StopStrings(text, settings.stop) if settings.stop else None,
    }
    if arm == 0:
        return speculate(pair.target, pair.drafter(settings), prompt, settings, **options)
    return autoregress(pair.target, prompt, settings, **options)


def warm(pair: Pair, settings: Settings) -> Iterator[Loading]:
    """Run both arms for a few tokens once for each draft length: first passes are slower than all later ones."""
    if settings.gamma in pair.warmed:
        return
    yield Loading("Warming up both arms …")
    short = dataclasses.replace(
        settings, max_new_tokens=settings.gamma + 1 + _WARM_TOKENS, min_new_tokens=0, stop=(), temperature=1.0
    )
    ids = pair.target.tokenizer("1 2 3 1 2 3 1 2 3", add_special_tokens=False).input_ids[: pair.target.context // 2]
    for arm in (0, 1):
        for _ in steps_of(arm, pair, short, ids):
            pass
    pair.warmed.add(settings.gamma)


def describe_environment(pair: Pair) -> dict[str, Any]:
    """Machine, libraries, where the weights came from, how long loading took, what they weigh."""
    models = {"target": pair.target, **({"draft": pair.draft} if pair.draft else {})}
    return {
        **hardware.environment(pair.target.device),
        "models": {
            role: {
                "source": model.source.note,
                "parameters": model.parameters,
                "bytes": model.bytes,
                "load_seconds": model.load_seconds,
                "dtype": model.dtype,
                "packed": model.packed,
            }
            for role, model in models.items()
        },
        "warmed": True,
    }


def _loaded(request: RunRequest, shelf: Shelf) -> Generator[Event, None, Pair]:
    """Have the pair loaded in a thread, so that what it reports can be yielded while it works. Returns the pair."""
    said: list[str] = []
    spoken = threading.Condition()
    outcome: list[Pair | BaseException] = []

    def report(message: str) -> None:
        with spoken:
            said.append(message)
            spoken.notify()

    def work() -> None:
        try:
            result: Pair | BaseException = shelf.pair(request, report)
        except BaseException as error:
            result = error
        with spoken:
            outcome.append(result)
            spoken.notify()

    threading.Thread(target=work, daemon=True).start()
    while True:
        with spoken:
            spoken.wait_for(lambda: said or outcome)
            messages, said[:] = list(said), []
            result = outcome[0] if outcome and not messages else None
        yield from map(Loading, messages)
        if isinstance(result, BaseException):
            raise result
        if result is not None:
            return result


def _arm(
    arm: int,
    pair: Pair,
    settings: Settings,
    prompt: Prompt,
    tokens: dict[int, Token],
    stopped: Callable[[], bool],
) -> Generator[Event, None, Arm]:
    """Run one arm and yield its events; new ids are added to `tokens`. Returns the Arm."""
    text = pair.target.text
    stream = text.stream()
    prefill, steps, reason = Prefill(0.0, 0.0), [], "cancelled"
    if not stopped():
        running = steps_of(arm, pair, settings, prompt.ids)
        for event in running:
            if isinstance(event, Prefill):
                prefill = event
                yield ArmStarted(arm, prefill)
            elif isinstance(event, Step):
                steps.append(event)
                new = {i: text.token(i) for i in _ids(event) if i not in tokens}
                tokens |= new
                yield Stepped(arm, event, "".join(stream.push(t.id) for t in event.emitted), new)
            else:
                reason = event
            if stopped() and reason == "cancelled":
                break
        running.close()  # type: ignore[attr-defined]  # frees the caches now, not when it is collected
    ids = tuple(token.id for step in steps for token in step.emitted)
    output = Output(ids, text.decode(ids), reason)  # type: ignore[arg-type]
    yield ArmEnded(arm, output)
    return Arm(prefill, tuple(steps), output)


def _ids(step: Step) -> list[int]:
    """Every id that a step mentions."""
    found = [row[0] for draft in step.drafts for table in (draft.top, draft.logits or ()) for row in table]
    found += [row[0] for token in step.emitted for table in (token.top or (), token.logits or ()) for row in table]
    return list(dict.fromkeys([*(d.id for d in step.drafts), *(t.id for t in step.emitted), *found]))


def _complete(trace: Trace) -> Trace:
    return dataclasses.replace(trace, metrics=metrics.compute(trace))
