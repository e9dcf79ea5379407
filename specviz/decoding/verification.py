"""Which drafts stay, and what is added: the exact rule, over a leading dimension of trials.

p is the target's distribution and q the drafter's, both after all processors; x are the drafted ids. The functions are
pure: distributions and uniforms in, decisions out, in the precision of the rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from specviz.decoding.sampling import draw


@dataclass(frozen=True)
class Verdict:
    """accepted: drafts kept, [trials], 0 to gamma. added: the one token of the target's own, [trials].

    thresholds: chance of acceptance of each draft, [trials, gamma], float64. distribution: what the added token was
    drawn from, [trials, vocab], in rows that need not sum to 1: the residual behind a rejection, else p.
    """

    accepted: Tensor
    added: Tensor
    thresholds: Tensor
    distribution: Tensor


Rule = Callable[[Tensor, Tensor, Tensor, Tensor, Tensor], Verdict]


def verify_by_token(p: Tensor, q: Tensor, drafts: Tensor, tests: Tensor, draws: Tensor) -> Verdict:
    """Token verification: Leviathan, Kalman and Matias 2023, algorithm 1 (Chen et al. 2023 with p and q swapped).

    p: [trials, gamma + 1, vocab]. q: [trials, gamma, vocab]. drafts: [trials, gamma], x_i drawn from q_i. tests:
    uniforms [trials, gamma]. draws: uniforms [trials]. gamma may be 0, which is plain decoding.

    A one-hot q (prompt lookup) and a one-hot p (temperature 0) need no case of their own.
    """
    trials, gamma = drafts.shape
    index = drafts[:, :, None]
    p_x = p[:, :gamma].gather(2, index)[:, :, 0].double()
    q_x = q.gather(2, index)[:, :, 0].double()

    ratio = p_x / q_x  # q(x) > 0: x was drawn from q
    kept = tests.to(ratio) < ratio  # keep x_i while u_i < p_i(x_i) / q_i(x_i)
    accepted = kept.long().cumprod(dim=1).sum(dim=1)

    # The position behind the last kept draft: there p - q, cut at 0, is what the target is still owed; behind
    # gamma kept drafts nothing was proposed, q is 0, and the same line gives p.
    every = torch.arange(trials, device=p.device)
    distribution = p[every, accepted]
    if gamma:
        proposed = q[every, accepted.clamp(max=gamma - 1)] * (accepted < gamma)[:, None]
        residual = (distribution - proposed).clamp(min=0)
        # A residual of 0 everywhere means p = q, where only rounding can have rejected: draw from p.
        distribution = torch.where(residual.sum(dim=1, keepdim=True) > 0, residual, distribution)
    return Verdict(accepted, draw(distribution, draws), ratio.clamp(max=1), distribution)


RULES: dict[str, Rule] = {"token": verify_by_token}


def overlap(p: Tensor, q: Tensor) -> Tensor:
    """beta, the chance of acceptance at each position: sum over the vocabulary of min(p, q) (Leviathan et al. 2023,
    corollary 3.6). p, q: [..., vocab]; the result: [...], float64."""
    return torch.minimum(p, q).sum(dim=-1, dtype=torch.float64)
