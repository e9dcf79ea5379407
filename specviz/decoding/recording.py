"""Tensors of one step to the plain records of a trace. Outside the timed part of a step."""

from __future__ import annotations

import torch
from torch import Tensor

from specviz.decoding.drafters import Proposal
from specviz.decoding.verification import Verdict, overlap
from specviz.trace.records import Draft, DrafterKind, Emitted, Kind, Status

LIKELIEST = 10
LARGEST_LOGITS = 5

Table = tuple[tuple[int, float, float], ...]
Logits = tuple[tuple[int, float], ...]


def record_drafts(
    proposal: Proposal,
    source: DrafterKind,
    p: Tensor,
    scores: Tensor | None,
    verdict: Verdict,
    *,
    tests: list[float],
    accepted: int,
    rejected: bool,
    added: int | None,
) -> tuple[Draft, ...]:
    """A record a draft. p: [gamma + 1, vocab]; scores: the same shape at temperature 0, else None.

    accepted: drafts emitted; the next one is the rejected one if `rejected`, those behind are discarded.
    """
    ids = proposal.ids.tolist()
    if not ids:
        return ()
    rows = p[: len(ids)]
    index = proposal.ids[:, None]
    p_x, q_x = rows.gather(1, index)[:, 0].tolist(), proposal.rows.gather(1, index)[:, 0].tolist()
    tops = _tables(rows, proposal, added=added if rejected else None, at=accepted, greedy=scores is not None)
    logits = largest_logits(scores[: len(ids)]) if scores is not None else [None] * len(ids)
    beta = overlap(rows, proposal.rows).tolist()
    thresholds = verdict.thresholds[0].tolist()
    drafts = []
    for i, token in enumerate(ids):
        status: Status = "accepted" if i < accepted else "rejected" if i == accepted and rejected else "discarded"
        drafts.append(
            Draft(
                id=token,
                source=source,
                draw=proposal.draws[i] if proposal.draws else None,
                p=p_x[i],
                q=q_x[i],
                u=None if status == "discarded" else tests[i],
                threshold=thresholds[i],
                overlap=min(beta[i], 1.0),  # a float32 row may sum to a little over 1
                status=status,
                top=tops[i],
                logits=logits[i],
            )
        )
    return tuple(drafts)


def record_added(token: int, kind: Kind, uniform: float, distribution: Tensor, scores: Tensor | None) -> Emitted:
    """The token of the target's own. distribution: [vocab], what it was drawn from; scores: [vocab] or None."""
    # p is recorded as it is; the residual is a part of p and has to be stretched to a sum of 1
    total = distribution.sum(dtype=torch.float64).item() if kind == "resampled" else 1.0
    count = 1 if scores is not None else min(LIKELIEST, len(distribution))
    found = distribution.topk(count).indices.tolist()
    found += [] if token in found else [token]
    values = [value / total for value in distribution[found].tolist()]
    top = tuple((i, value) for i, value in zip(found, values) if value > 0 or i == token)
    logits = largest_logits(scores[None])[0] if scores is not None else None
    return Emitted(id=token, kind=kind, draw=uniform, probability=values[found.index(token)], top=top, logits=logits)


def largest_logits(scores: Tensor) -> list[Logits]:
    """The five largest of each row [positions, vocab], as (id, value), but -inf, which JSON has no word for."""
    values, ids = scores.topk(min(LARGEST_LOGITS, scores.shape[1]))
    return [
        tuple((i, v) for i, v in zip(row_ids, row) if v > float("-inf"))
        for row_ids, row in zip(ids.tolist(), values.tolist())
    ]


def _tables(p: Tensor, proposal: Proposal, *, added: int | None, at: int, greedy: bool) -> list[Table]:
    """One table a position: the likeliest of p, of q and of the residual, and the drafted and the added id."""
    q = proposal.rows
    likeliest = min(LIKELIEST, p.shape[1])
    if greedy:
        candidates = [p.argmax(1, keepdim=True), q.argmax(1, keepdim=True)]  # point masses
    elif proposal.draws is None:
        candidates = [p.topk(min(likeliest + 1, p.shape[1])).indices]  # the residual is p without the copied id
    else:
        candidates = [rows.topk(likeliest).indices for rows in (p, q, (p - q).clamp(min=0))]
    forced = proposal.ids.clone()  # at the rejection the added id must be in the table too
    if added is not None:
        forced[at] = added
    index = torch.cat([proposal.ids[:, None], forced[:, None], *candidates], dim=1)
    tables = []
    for ids, ps, qs in zip(index.tolist(), p.gather(1, index).tolist(), q.gather(1, index).tolist()):
        rows = {i: (i, a, b) for i, a, b in zip(ids, ps, qs) if a > 0 or b > 0 or i in ids[:2]}
        tables.append(tuple(sorted(rows.values(), key=lambda row: (-max(row[1:]), row[0]))))
    return tables
