"""Numbers of a trace: counts first, ratios derived from them. Standard library only.

A value that does not exist is None and shown as 'n/a', never 0 or 1. DEFINITIONS says in words what each number is,
and over what it was taken.
"""

from __future__ import annotations

from itertools import chain
from statistics import mean, median
from typing import Any

from specviz.trace import theory
from specviz.trace.records import Arm, Trace

DEFINITIONS = {
    "tokens": "tokens emitted by the speculative arm = accepted + resampled + bonus + plain",
    "steps": "steps of the speculative arm; each is exactly one target pass",
    "drafted": "tokens proposed = accepted + rejected + discarded",
    "tested": "drafts whose test was made = accepted + rejected",
    "acceptance_rate": "alpha: accepted / tested",
    "mean_overlap": "beta: mean over the tested positions of sum of min(p, q), the chance of acceptance there",
    "mean_acceptance_length": "tau: tokens emitted / target passes, between 1 and gamma + 1",
    "mean_drafted": "g: drafts / steps",
    "cost_ratio": "c: median over steps of draft seconds / draft passes, over the median seconds of a plain step"
    " (prompt lookup makes no pass: there, its seconds a drafted token)",
    "theory_speedup": "(1 - alpha^(g+1)) / ((1 - alpha)(g c + 1)), Leviathan et al. 2023, theorem 3.8",
    "best_gamma": "the draft length for which the theory predicts most, with that alpha and c (0: switch it off)",
    "best_gamma_speedup": "what the theory predicts at that draft length",
    "predicted_from_parts": "tau x mean seconds of a plain step / mean seconds (draft + verify + rest) of a step",
    "measured_speedup": "seconds a token in the steps, plain / speculative; prefill apart",
    "end_to_end_speedup": "seconds a token, plain / speculative; prefill included",
    "step_cost": "mean seconds of a step / mean seconds of a plain step: the break-even number of tokens a step",
    "tokens_per_second": "tokens / seconds of the steps",
    "ttft_seconds": "time to first token: prefill and the first step",
    "tpot_seconds": "time per output token: (end to end - TTFT) / (tokens - 1)",
    "itl_median_seconds": "median gap between one token and the next; 0 inside a step",
    "itl_max_seconds": "the longest gap between one token and the next",
}


def compute(trace: Trace) -> dict[str, Any]:
    """Every number of a trace: {"speculative": ..., "baseline": [...], and the comparison's ratios}."""
    arm = trace.speculative
    counts = count(arm)
    plain_steps = [step.seconds for plain in trace.baseline for step in plain.steps]
    plain_seconds = mean(plain_steps) if plain_steps else None
    step_seconds = mean(step.seconds for step in arm.steps) if arm.steps else None

    alpha = _ratio(counts["accepted"], counts["tested"]) if trace.settings.rule == "token" else None
    tau = _ratio(counts["tokens"], counts["steps"])
    drafted = _ratio(counts["drafted"], counts["steps"])
    passes = [s.draft_seconds / (s.draft_passes or len(s.drafts)) for s in arm.steps if s.drafts]
    c = _ratio(median(passes) if passes else None, median(plain_steps) if plain_steps else None)
    best = theory.best_gamma(alpha, c) if alpha is not None and c is not None else (None, None)
    overlaps = [draft.overlap for step in arm.steps for draft in step.drafts if draft.status != "discarded"]
    known = alpha is not None and drafted is not None and c is not None
    return {
        **counts,
        "acceptance_rate": alpha,
        "mean_overlap": mean(overlaps) if overlaps else None,
        "mean_acceptance_length": tau,
        "mean_drafted": drafted,
        "cost_ratio": c,
        "theory_speedup": theory.theory_speedup(alpha, drafted, c) if known else None,  # type: ignore[arg-type]
        "best_gamma": best[0],
        "best_gamma_speedup": best[1],
        "predicted_from_parts": _ratio(_product(tau, plain_seconds), step_seconds),
        "measured_speedup": _ratio(plain_seconds, _seconds_per_token(arm)),
        "end_to_end_speedup": _ratio(_end_to_end_per_token(*trace.baseline), _end_to_end_per_token(arm)),
        "step_cost": _ratio(step_seconds, plain_seconds),
        "speculative": timing(arm),
        "baseline": [timing(plain) for plain in trace.baseline],
    }


def count(arm: Arm) -> dict[str, int]:
    """Whole numbers only; everything else in this file is derived from these and from seconds."""
    drafts = [draft.status for step in arm.steps for draft in step.drafts]
    kinds = [token.kind for step in arm.steps for token in step.emitted]
    return {
        "tokens": len(kinds),
        "steps": len(arm.steps),
        "drafted": len(drafts),
        "tested": len(drafts) - drafts.count("discarded"),
        "rejected": drafts.count("rejected"),
        "discarded": drafts.count("discarded"),
        **{kind: kinds.count(kind) for kind in ("accepted", "resampled", "bonus", "plain")},
        "draft_passes": sum(step.draft_passes for step in arm.steps),
    }


def accepted_lengths(arm: Arm) -> dict[int, int]:
    """How many steps accepted 0, 1, 2, ... drafts: {accepted: steps}."""
    lengths = [sum(token.kind == "accepted" for token in step.emitted) for step in arm.steps]
    return {n: lengths.count(n) for n in range(max(lengths, default=-1) + 1)}


def acceptance_by_position(arm: Arm) -> list[tuple[int, int]]:
    """(accepted, tested) for the first draft of a step, the second, ..."""
    columns: list[tuple[int, int]] = []
    for step in arm.steps:
        for position, draft in enumerate(step.drafts):
            if position == len(columns):
                columns.append((0, 0))
            accepted, tested = columns[position]
            columns[position] = (accepted + (draft.status == "accepted"), tested + (draft.status != "discarded"))
    return columns


def timing(arm: Arm) -> dict[str, Any]:
    """One arm's own clock, in seconds. A step gives its tokens all at once, at its end."""
    prefill = arm.prefill.target_seconds + arm.prefill.draft_seconds
    in_steps = sum(step.seconds for step in arm.steps)
    gaps = list(
        chain.from_iterable([step.seconds] + [0.0] * (len(step.emitted) - 1) for step in arm.steps if step.emitted)
    )
    tokens = len(gaps)
    ttft = prefill + gaps[0] if gaps else None
    return {
        "tokens": tokens,
        "steps": len(arm.steps),
        "prefill_seconds": prefill,
        "step_seconds": in_steps,
        "draft_seconds": sum(step.draft_seconds for step in arm.steps),
        "verify_seconds": sum(step.verify_seconds for step in arm.steps),
        "tokens_per_second": _ratio(tokens, in_steps),
        "ttft_seconds": ttft,
        "tpot_seconds": (prefill + in_steps - ttft) / (tokens - 1) if ttft is not None and tokens > 1 else None,
        "itl_median_seconds": median(gaps[1:]) if tokens > 1 else None,
        "itl_max_seconds": max(gaps[1:]) if tokens > 1 else None,
    }


def _seconds_per_token(arm: Arm) -> float | None:
    return _ratio(sum(step.seconds for step in arm.steps), sum(len(step.emitted) for step in arm.steps))


def _end_to_end_per_token(*arms: Arm) -> float | None:
    times = [timing(arm) for arm in arms]
    return _ratio(sum(t["prefill_seconds"] + t["step_seconds"] for t in times), sum(t["tokens"] for t in times))


def _ratio(above: float | None, below: float | None) -> float | None:
    return above / below if above is not None and below else None


def _product(a: float | None, b: float | None) -> float | None:
    return a * b if a is not None and b is not None else None
