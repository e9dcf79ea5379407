"""Re-make every decision of a trace from its numbers alone.

A trace that passes `problems` is one whose pictures can be drawn: each id has its text, each step adds up, each draft
was kept or lost as its own u, p and q say, and the output is what the steps emitted. Standard library only.
"""

from __future__ import annotations

from collections.abc import Iterator

from specviz.errors import TraceError
from specviz.trace.records import Arm, Draft, Step, Trace


def check(trace: Trace) -> Trace:
    """The trace itself where it is sound; else TraceError with the first thing that is wrong."""
    for problem in problems(trace):
        raise TraceError(f"The trace contradicts itself: {problem}.", hint="Record the run again.")
    return trace


def problems(trace: Trace) -> Iterator[str]:
    """What is wrong with a trace, a sentence each; nothing for a sound one."""
    for name, arm in [
        ("speculative", trace.speculative),
        *((f"baseline[{i}]", a) for i, a in enumerate(trace.baseline)),
    ]:
        for problem in _arm_problems(arm, trace):
            yield f"{name}, {problem}"
    for missing in sorted(set(trace.prompt.ids) - trace.tokens.keys())[:1]:
        yield f"the prompt's token {missing} has no entry in tokens"


def _arm_problems(arm: Arm, trace: Trace) -> Iterator[str]:
    emitted = tuple(token.id for step in arm.steps for token in step.emitted)
    if emitted != arm.output.ids:
        yield f"the output has {len(arm.output.ids)} ids that are not the {len(emitted)} emitted ones"
    for number, step in enumerate(arm.steps):
        if step.index != number:
            yield f"step {number} is numbered {step.index}"
        for problem in _step_problems(step, trace):
            yield f"step {number}: {problem}"


def _step_problems(step: Step, trace: Trace) -> Iterator[str]:
    drafts, statuses = step.drafts, [draft.status for draft in step.drafts]
    accepted = statuses.count("accepted")
    rejected = statuses.count("rejected")
    if len(drafts) > step.gamma:
        yield f"{len(drafts)} drafts where at most {step.gamma} were allowed"
    if statuses != ["accepted"] * accepted + ["rejected"] * rejected + ["discarded"] * (
        len(drafts) - accepted - rejected
    ):
        yield "accepted, rejected and discarded drafts are out of order"
    if rejected > 1:
        yield "more than one rejection"
    if [t.id for t in step.emitted if t.kind == "accepted"] != [d.id for d in drafts if d.status == "accepted"]:
        yield "what was emitted as accepted is not what was accepted"
    added = [t.kind for t in step.emitted[accepted:]]
    if added != _expected_addition(step, rejected):
        yield f"it added {added}, not {_expected_addition(step, rejected)}"
    for position, draft in enumerate(drafts):
        for problem in _draft_problems(draft, trace.settings.rule):
            yield f"draft {position}: {problem}"
    mentioned = {d.id for d in drafts} | {t.id for t in step.emitted}
    mentioned |= {row[0] for d in drafts for row in d.top} | {row[0] for t in step.emitted for row in t.top or ()}
    for missing in sorted(mentioned - trace.tokens.keys())[:1]:
        yield f"token {missing} has no entry in tokens"
    parts = step.draft_seconds + step.verify_seconds
    if min(step.draft_seconds, step.verify_seconds) < 0 or parts > step.seconds + 1e-9:
        yield "its seconds are less than those of its parts"


def _expected_addition(step: Step, rejected: int) -> list[str]:
    if step.cut and len(step.emitted) == len([d for d in step.drafts if d.status == "accepted"]):
        return []  # the run ended on an accepted draft
    if not step.drafts:
        return ["plain"]
    return ["resampled"] if rejected else ["bonus"]


def _draft_problems(draft: Draft, rule: str) -> Iterator[str]:
    numbers = [draft.p, draft.q, draft.threshold, draft.overlap, *(x for row in draft.top for x in row[1:])]
    if any(not 0 <= x <= 1 + 1e-5 for x in numbers):  # float32 sums may pass 1 by a little
        yield "a probability outside 0 to 1"
    if (draft.u is None) != (draft.status == "discarded"):
        yield "a test without a draw, or a draw without a test"
    if rule != "token" or draft.u is None:
        return
    if not 0 <= draft.u < 1:
        yield f"u is {draft.u}"
    if draft.q <= 0:
        yield "a draft that its drafter could not have drawn (q = 0)"
    elif (draft.u < draft.p / draft.q) != (draft.status == "accepted"):
        yield f"u = {draft.u:.4g} against p/q = {draft.p / draft.q:.4g} does not make it {draft.status}"
