"""Make the recorded runs under assets/traces, from real pairs, by a rule that is written into each of them.

    python -m specviz.labs.recordings --coder T --coder-draft D [--only SLUG ...] [--out FOLDER]

T and D: Qwen2.5-Coder 1.5B and 0.5B (catalog names, folders or .gguf files). Each run is made with several seeds, the
arms in alternating order, and the one whose measured speedup is the median is taken, never the luckiest. The first one
to be seen must also hold a step that explains itself; among the seeds that do, again the median. Nothing else should
run meanwhile, since the seconds are part of what is shown.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from specviz.decoding.runs import another_plain, run
from specviz.request import PROMPT_LOOKUP, RunRequest
from specviz.trace.checks import check
from specviz.trace.events import Event, Finished
from specviz.trace.records import Step, Trace, dumps

RULE = "of {n} seeds, the one whose measured speedup is the median{among}; never the luckiest"
EXPLAINS = " among those with a step that holds accepted, rejected, discarded and resampled tokens"
_ARTICLE = (
    "Rice terraces are steps cut into a hillside so that water can stand on a slope. Farmers build a low wall of earth "
    "or stone at the edge of each step. Rain and springs fill the highest step first, and the water runs from step to "
    "step until it reaches the valley. The walls slow the water, so that the soil stays where it is. The terraces must "
    "be mended every year, since one broken wall can empty all the steps below it."
)
_CODE = """def mean(values):
    total = 0
    for value in values:
        total += value
    return total / len(values)


def variance(values):
    center = mean(values)
    total = 0
    for value in values:
        total += (value - center) ** 2
    return total / len(values)
"""


@dataclass(frozen=True)
class Recording:
    """What to record: a request without its models, the pair, how many seeds to choose from, how many plain arms."""

    slug: str
    prompt: str
    pair: str = "coder"  # or "coder-lookup", "smollm2-lookup"
    gamma: int = 4
    temperature: float = 0.7
    max_new_tokens: int = 64
    seeds: int = 5
    plain_arms: int = 1
    explains: bool = False


RECORDINGS = (
    Recording(
        "01-fable",
        "Write the opening of a fable about a heron who is afraid of water.",
        temperature=0.8,
        seeds=9,
        plain_arms=3,
        explains=True,
    ),
    Recording(
        "02-code", "Write a Python function that returns the n-th Fibonacci number.", gamma=5, temperature=0, seeds=3
    ),
    Recording(
        "03-edit",
        f"Rename `total` to `sum_so_far` in both functions. Return only the code.\n\n{_CODE}",
        pair="coder-lookup",
        gamma=8,
        temperature=0,
        max_new_tokens=110,
        seeds=3,
    ),
    Recording("04-summary", f"Summarise in two sentences:\n\n{_ARTICLE}", pair="smollm2-lookup", max_new_tokens=80),
    Recording("05-chat", "Explain to a child why the moon changes its shape.", gamma=3),
    Recording("06-vietnamese", "Vì sao bầu trời có màu xanh? Hãy trả lời ngắn gọn."),
    Recording(
        "07-wrong-answer", "What is 347 times 289? Answer in one sentence, without code.", temperature=0, seeds=3
    ),
    Recording(
        "08-it-lost", "Viết một câu chuyện ngắn về con mèo lười.", gamma=8, temperature=1.2, max_new_tokens=36, seeds=5
    ),
    Recording("09-gamma-2", "Write three tips for learning to cook.", gamma=2),
    Recording("10-gamma-8", "Write three tips for learning to cook.", gamma=8),
)


def explains_itself(step: Step) -> bool:
    """Whether one rejection of this step shows the whole rule: both parts of the box, a few tokens in the residual."""
    statuses = {draft.status for draft in step.drafts}
    rejected = next((draft for draft in step.drafts if draft.status == "rejected"), None)
    if statuses != {"accepted", "rejected", "discarded"} or rejected is None:
        return False
    owed = [max(0.0, p - q) / (1 - rejected.overlap) for _, p, q in rejected.top] if rejected.overlap < 1 else []
    return 0.4 <= rejected.overlap <= 0.8 and 2 <= sum(share > 0.04 for share in owed) <= 5


def record(recording: Recording, target: str, drafter: str, say: Callable[[str], None]) -> Trace:
    """Run the seeds 1, 2, ... and take one by the rule."""
    request = RunRequest(
        target=target,
        drafter=drafter,
        prompt=recording.prompt,
        chat=True,
        gamma=recording.gamma,
        temperature=recording.temperature,
        max_new_tokens=recording.max_new_tokens,
    )
    found: list[tuple[float, Trace]] = []
    for seed in range(1, recording.seeds + 1):
        seeded = dataclasses.replace(request, seed=seed)
        trace = _finish(run(seeded, plain_first=seed % 2 == 0))
        found.append((trace.metrics["measured_speedup"], trace))
        say(f"{recording.slug} seed {seed}: {found[-1][0]:.2f}")
    suitable = [
        pair for pair in found if not recording.explains or any(map(explains_itself, pair[1].speculative.steps))
    ]
    ranked = sorted(suitable, key=lambda pair: pair[0])
    speedup, trace = ranked[(len(ranked) - 1) // 2]
    for _ in range(recording.plain_arms - 1):
        trace = _finish(another_plain(dataclasses.replace(request, seed=trace.settings.seed), trace))
    rule = RULE.format(n=recording.seeds, among=EXPLAINS if recording.explains else "")
    label = {"rule": rule, "speedups": {str(t.settings.seed): round(s, 3) for s, t in found}}
    say(f"{recording.slug}: took seed {trace.settings.seed}, {speedup:.2f}")
    return check(dataclasses.replace(trace, environment={**trace.environment, "recorded": label}))


def _finish(events: Iterable[Event]) -> Trace:
    return next(event.trace for event in events if isinstance(event, Finished))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m specviz.labs.recordings", description=__doc__.split("\n")[0])
    parser.add_argument("--coder", required=True, metavar="T")
    parser.add_argument("--coder-draft", required=True, metavar="D")
    parser.add_argument("--smollm2", default="smollm2-135m", metavar="T")
    parser.add_argument("--only", nargs="+", default=[], metavar="SLUG")
    parser.add_argument("--out", type=Path, default=Path("assets/traces"))
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    pairs = {
        "coder": (given.coder, given.coder_draft),
        "coder-lookup": (given.coder, PROMPT_LOOKUP),
        "smollm2-lookup": (given.smollm2, PROMPT_LOOKUP),
    }
    for recording in RECORDINGS:
        if given.only and recording.slug not in given.only:
            continue
        trace = record(recording, *pairs[recording.pair], say=lambda text: print(text, file=sys.stderr, flush=True))
        (given.out / f"{recording.slug}.json").write_text(dumps(trace), encoding="utf-8")


if __name__ == "__main__":
    main()
