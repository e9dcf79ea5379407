"""What speculation costs and brings here, beside transformers' own arms.

Five arms run in alternation over several prompts, after a warm-up of each, with the same models, settings and prompts:

    baseline               our plain loop, with its trace
    generate               transformers' generate()
    speculative            our speculative loop, with its trace
    speculative_untraced   the same without
    assisted               transformers' assisted generation, or its prompt lookup: as many drafts a step, constant
                           schedule, no confidence threshold

transformers' arms run on models as transformers loads them; where ours have their weights packed (decoding/packing.py),
two copies are in memory, and the peak says so. They are measured as a person gets them: in bfloat16 on a CPU their last
layer is slow behind a pass of several rows of which fewer are kept, and the ratios over them hold that too.

An arm's clock is the wall clock around the whole of it, prefill included, since transformers' can't be split. A run
is all prompts once; an arm's figure is the median over runs; a ratio is a ratio of medians.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any

import torch

from specviz.decoding import hardware
from specviz.decoding.runs import SHELF, Pair, Shelf, describe_environment, prepare, steps_of, warm
from specviz.request import RunRequest
from specviz.trace import metrics
from specviz.trace.records import Arm, Output, Prefill, Prompt, Settings, Step, Trace

ARMS = ("baseline", "generate", "speculative", "speculative_untraced", "assisted")
PROMPTS = (
    "Write a Python function that returns the n-th Fibonacci number, with a docstring.",
    "Rename the variable x to total in this function and return only the code:\n\n"
    "def add(items):\n    x = 0\n    for item in items:\n        x = x + item\n    return x\n",
    "Vì sao bầu trời có màu xanh? Hãy trả lời ngắn gọn.",
)
Say = Callable[[str], None]


def bench(request: RunRequest, prompts: tuple[str, ...], *, repeats: int, say: Say) -> dict[str, Any]:
    """Measure; see `python -m specviz bench`. The result is JSON values, its keys are the command line's contract."""
    requests = [dataclasses.replace(request, prompt=text).checked() for text in prompts]
    pair = SHELF.pair(requests[0], say)
    theirs = Shelf(faster=False).pair(requests[0], say) if pair.target.packed else pair
    prepared = [prepare(pair, one) for one in requests]
    seconds: dict[str, list[float]] = {arm: [] for arm in ARMS}
    tokens: dict[str, list[int]] = {arm: [] for arm in ARMS}
    arms: dict[str, list[Arm]] = {"baseline": [], "speculative": []}

    say("Warming up every arm …")
    for _ in warm(pair, prepared[0][0]):
        pass
    for arm in ARMS:
        _timed(
            arm, (pair, theirs), dataclasses.replace(prepared[0][0], max_new_tokens=8, min_new_tokens=0), prepared[0][1]
        )
    for repeat in range(repeats):
        for arm in ARMS:
            seconds[arm].append(0.0)
            tokens[arm].append(0)
        for i, (settings, prompt) in enumerate(prepared):
            seeded = dataclasses.replace(settings, seed=(settings.seed + repeat * len(prepared) + i) % 2**53)
            for arm in _rotated(repeat + i):
                elapsed, count, record = _timed(arm, (pair, theirs), seeded, prompt)
                seconds[arm][-1] += elapsed
                tokens[arm][-1] += count
                if arm in arms and record:
                    arms[arm].append(record)
        now = ", ".join(f"{arm} {tokens[arm][-1] / seconds[arm][-1]:.2f}" for arm in ARMS)
        say(f"run {repeat + 1} of {repeats}, tokens a second: {now}")
    return _result(pair, prepared[0][0], seconds, tokens, arms)


def _rotated(start: int) -> Iterator[str]:
    """The arms in turn, beginning elsewhere each time: none is always the first or always after the same one."""
    for i in range(len(ARMS)):
        yield ARMS[(start + i) % len(ARMS)]


def _timed(arm: str, pairs: tuple[Pair, Pair], settings: Settings, prompt: Prompt) -> tuple[float, int, Arm | None]:
    """Run one arm on one prompt: wall-clock seconds, tokens, and the record of our own arms."""
    pair, theirs = pairs
    _synchronise(pair.target.device)
    start = time.perf_counter()
    if arm in ("generate", "assisted"):
        count = _transformers(arm, theirs, settings, prompt)
        _synchronise(pair.target.device)
        return time.perf_counter() - start, count, None
    number = 1 if arm == "baseline" else 0
    events = list(steps_of(number, pair, settings, prompt.ids, record=arm != "speculative_untraced"))
    _synchronise(pair.target.device)
    elapsed = time.perf_counter() - start
    steps = tuple(event for event in events if isinstance(event, Step))
    prefill = next(event for event in events if isinstance(event, Prefill))
    ids = tuple(token.id for step in steps for token in step.emitted)
    return elapsed, len(ids), Arm(prefill, steps, Output(ids, "", "length"))


def _transformers(arm: str, pair: Pair, settings: Settings, prompt: Prompt) -> int:
    """transformers' generate() on the same prompt and settings; how many tokens it gave."""
    target = pair.target
    options: dict[str, Any] = {
        "do_sample": settings.temperature > 0,
        "max_new_tokens": settings.max_new_tokens,
        "min_new_tokens": settings.min_new_tokens or None,
        "repetition_penalty": settings.repetition_penalty,
        "eos_token_id": list(target.eos_ids) or None,
        "pad_token_id": target.eos_ids[0] if target.eos_ids else 0,
        "disable_compile": True,
    }
    if settings.temperature > 0:
        cuts = {"top_k": settings.top_k, "top_p": settings.top_p, "min_p": settings.min_p or None}
        options |= {"temperature": settings.temperature, **cuts}
    if arm == "assisted" and pair.draft:
        schedule = pair.draft.network.generation_config
        schedule.num_assistant_tokens = settings.gamma
        schedule.num_assistant_tokens_schedule = "constant"
        schedule.assistant_confidence_threshold = 0.0
        options["assistant_model"] = pair.draft.network
    elif arm == "assisted":
        options |= {"prompt_lookup_num_tokens": settings.gamma, "max_matching_ngram_size": settings.max_ngram}
    ids = torch.tensor([prompt.ids], device=target.device)
    with torch.random.fork_rng(), torch.inference_mode():  # it draws from the global generator
        torch.manual_seed(settings.seed)
        out = target.network.generate(ids, attention_mask=torch.ones_like(ids), **options)
    return out.shape[1] - ids.shape[1]


def _synchronise(device: str) -> None:
    if device == "cuda":
        torch.cuda.synchronize()


def _result(
    pair: Pair,
    settings: Settings,
    seconds: dict[str, list[float]],
    tokens: dict[str, list[int]],
    arms: dict[str, list[Arm]],
) -> dict[str, Any]:
    rates = {arm: [n / s for n, s in zip(tokens[arm], seconds[arm])] for arm in ARMS}
    middle = {arm: median(rates[arm]) for arm in ARMS}
    trace = Trace(settings, Prompt("", "", ()), {}, _joined(arms["speculative"]), (_joined(arms["baseline"]),))
    numbers = metrics.compute(trace)
    names = ("acceptance_rate", "cost_ratio", "theory_speedup", "predicted_from_parts", "measured_speedup")
    return {
        "arms": {
            arm: {"tokens_per_second": middle[arm], "runs": rates[arm], "tokens": sum(tokens[arm])} for arm in ARMS
        },
        "ratios": {
            "baseline_vs_generate": middle["baseline"] / middle["generate"],
            "speculative_vs_baseline": middle["speculative"] / middle["baseline"],
            "speculative_vs_assisted": middle["speculative"] / middle["assisted"],
            "trace_cost": middle["speculative_untraced"] / middle["speculative"] - 1,
        },
        **{name: numbers[name] for name in names},
        "mean_acceptance_length": numbers["mean_acceptance_length"],
        "settings": {"gamma": settings.gamma, "temperature": settings.temperature},
        "peak_memory_bytes": hardware.peak_memory_bytes(pair.target.device),
        "environment": describe_environment(pair),
    }


def _joined(arms: list[Arm]) -> Arm:
    """Several arms as one, for numbers over all of them."""
    prefill = Prefill(sum(a.prefill.target_seconds for a in arms), sum(a.prefill.draft_seconds for a in arms))
    return Arm(prefill, tuple(step for arm in arms for step in arm.steps), Output((), "", "length"))
