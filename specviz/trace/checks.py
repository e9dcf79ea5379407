"""Re-make every decision of a trace from its numbers alone.

A trace that passes `problems` is one whose pictures can be drawn: each id has its text, each step adds up, each draft
was kept or lost as its own u, p and q say, and the output is what the steps emitted. Standard library only.
"""

from __future__ import annotations

from collections.abc import Iterator

from specviz.errors import TraceError
from specviz.trace.records import Arm, Draft, Emitted, Step, Trace


def check(trace: Trace) -> Trace:
    """The trace itself where it is sound; else TraceError with the first thing that is wrong."""
    for problem in problems(trace):
        raise TraceError(f"The trace contradicts itself: {problem}.", hint="Record the run again.")
    return trace


def problems(trace: Trace) -> Iterator[str]:
    """What is wrong with a trace, a sentence each; nothing for a sound one."""
    for problem in _arm_problems(trace.speculative, trace, gamma=trace.settings.gamma):
        yield f"speculative, {problem}"
    for number, arm in enumerate(trace.baseline):
        for problem in _arm_problems(arm, trace, gamma=0):
            yield f"baseline[{number}], {problem}"
    for missing in sorted(set(trace.prompt.ids) - trace.tokens.keys())[:1]:
        yield f"the prompt's token {missing} has no entry in tokens"


def _arm_problems(arm: Arm, trace: Trace, *, gamma: int) -> Iterator[str]:
    text = list(trace.prompt.ids)
    for number, step in enumerate(arm.steps):
        if step.index != number:
            yield f"step {number} is numbered {step.index}"
        if step.gamma != gamma:
            yield f"step {number} allows {step.gamma} drafts, not {gamma}"
        if step.cut and (step is not arm.steps[-1] or arm.output.stop_reason not in (step.cut, "cancelled")):
            yield f"step {number} ends the run with {step.cut}, and the run does not end so"
        for problem in (*_step_problems(step, trace), *_lookup_problems(step, text)):
            yield f"step {number}: {problem}"
        text += [token.id for token in step.emitted]
    emitted = tuple(text[len(trace.prompt.ids) :])
    if emitted != arm.output.ids:
        yield f"the output has {len(arm.output.ids)} ids that are not the {len(emitted)} emitted ones"
    if arm.output.stop_reason in ("eos", "stop_string") and not (arm.steps and arm.steps[-1].cut):
        yield f"it ends with {arm.output.stop_reason}, and no step does"


def _step_problems(step: Step, trace: Trace) -> Iterator[str]:
    drafts, statuses = step.drafts, [draft.status for draft in step.drafts]
    accepted = statuses.count("accepted")
    rejected = statuses.count("rejected")
    discarded = len(drafts) - accepted - rejected
    if len(drafts) > step.gamma:
        yield f"{len(drafts)} drafts where at most {step.gamma} were allowed"
    if statuses != ["accepted"] * accepted + ["rejected"] * rejected + ["discarded"] * discarded:
        yield "accepted, rejected and discarded drafts are out of order"
    if rejected > 1:
        yield "more than one rejection"
    if discarded and not rejected and not step.cut:
        yield "a draft was discarded, and nothing before it was rejected or ended the run"
    if [t.id for t in step.emitted if t.kind == "accepted"] != [d.id for d in drafts if d.status == "accepted"]:
        yield "what was emitted as accepted is not what was accepted"
    added = [t.kind for t in step.emitted[accepted:]]
    if added != _expected_addition(step, accepted, rejected):
        yield f"it added {added}, not {_expected_addition(step, accepted, rejected)}"
    for position, draft in enumerate(drafts):
        for problem in _draft_problems(draft, trace.settings.rule):
            yield f"draft {position}: {problem}"
    for token in step.emitted[accepted:]:
        yield from _added_problems(token, drafts[accepted] if rejected and accepted < len(drafts) else None)
    mentioned: set[float] = {d.id for d in drafts} | {t.id for t in step.emitted}
    mentioned |= {row[0] for d in drafts for row in (*d.top, *(d.logits or ()))}
    mentioned |= {row[0] for t in step.emitted for row in (*(t.top or ()), *(t.logits or ()))}
    for missing in sorted(mentioned - trace.tokens.keys())[:1]:
        yield f"token {missing} has no entry in tokens"
    parts = step.draft_seconds + step.verify_seconds
    if min(step.draft_seconds, step.verify_seconds) < 0 or parts > step.seconds + 1e-9:
        yield "its seconds are less than those of its parts"


def _expected_addition(step: Step, accepted: int, rejected: int) -> list[str]:
    if rejected:
        return ["resampled"]
    if step.cut and accepted and len(step.emitted) == accepted:
        return []  # the run ended on an accepted draft
    return ["bonus"] if step.drafts else ["plain"]


def _draft_problems(draft: Draft, rule: str) -> Iterator[str]:
    numbers = [draft.p, draft.q, draft.threshold, draft.overlap, *(x for row in draft.top for x in row[1:])]
    if any(not 0 <= x <= _ONE for x in numbers):
        yield "a probability outside 0 to 1"
    if draft.top and (draft.id, draft.p, draft.q) not in draft.top:
        yield "its table has another p or q for it"
    if len({row[0] for row in draft.top}) != len(draft.top):
        yield "its table names a token twice"
    if sum(min(p, q) for _, p, q in draft.top) > draft.overlap + 1e-5:
        yield "its table overlaps by more than its overlap"
    if (draft.u is None) != (draft.status == "discarded"):
        yield "a test without a draw, or a draw without a test"
    if any(x is not None and not 0 <= x < 1 for x in (draft.u, draft.draw)):
        yield f"a draw outside 0 to 1 (u is {draft.u})"
    if rule != "token":
        return
    if draft.q <= 0:
        yield "a draft that its drafter could not have drawn (q = 0)"
        return
    ratio = draft.p / draft.q
    if abs(draft.threshold - min(1.0, ratio)) > 1e-9:
        yield f"its threshold {draft.threshold:.4g} is not min(1, p/q) = {min(1.0, ratio):.4g}"
    if draft.u is not None and (draft.u < ratio) != (draft.status == "accepted"):
        yield f"u = {draft.u:.4g} against p/q = {ratio:.4g} does not make it {draft.status}"


def _added_problems(token: Emitted, rejected: Draft | None) -> Iterator[str]:
    """Of the token of the target's own. rejected: the draft it stands in for."""
    if token.draw is None or token.probability is None or not 0 <= token.draw < 1 or not 0 < token.probability <= _ONE:
        yield f"token {token.id} was added without a draw and a probability in 0 to 1"
        return
    if token.top and (token.id, token.probability) not in token.top:
        yield f"the table of the added token {token.id} has another probability for it"
    if rejected is None or 1 - rejected.overlap < _SMALL:
        return  # so small a residual is mostly rounding
    owed = {i: max(0.0, p - q) / (1 - rejected.overlap) for i, p, q in rejected.top}
    if rejected.top and abs(owed.get(token.id, 0.0) - token.probability) > _SMALL:
        yield f"token {token.id} has {token.probability:.4g} and not its share of max(0, p - q)"


def _lookup_problems(step: Step, text: list[int]) -> Iterator[str]:
    """text: prompt and output in front of the step, as ids."""
    if step.lookup is None:
        return
    (start, end), (first, last) = step.lookup.matched, step.lookup.copied
    if not 0 <= start < end == first < last <= len(text):
        yield "its lookup's spans lie outside the text"
    elif text[start:end] != text[len(text) - (end - start) :]:
        yield "its lookup matched other tokens than the last ones"
    elif text[first:last] != [draft.id for draft in step.drafts]:
        yield "its lookup copied other tokens than were drafted"


_ONE = 1 + 1e-5  # float32 sums may pass 1 by a little
_SMALL = 1e-2
