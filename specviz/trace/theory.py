"""What the theory of Leviathan et al. 2023 predicts from alpha, gamma and c. Standard library only.

alpha is the acceptance rate, gamma the number of drafts a step (a mean may be given), c the cost ratio: one draft
pass over one target pass. The theory takes acceptance as independent and equal at every position, and verifying
gamma + 1 tokens as the price of one pass.
"""

from __future__ import annotations


def expected_tokens(alpha: float, gamma: float) -> float:
    """Expected tokens a step, (1 - alpha^(gamma+1)) / (1 - alpha) (Leviathan et al. 2023, equation 1).

    >>> round(expected_tokens(0.8, 5), 2)
    3.69
    """
    if alpha >= 1:
        return gamma + 1
    return (1 - alpha ** (gamma + 1)) / (1 - alpha)


def theory_speedup(alpha: float, gamma: float, c: float) -> float:
    """Expected walltime improvement, expected_tokens / (gamma c + 1) (Leviathan et al. 2023, theorem 3.8).

    >>> round(theory_speedup(0.8, 5, 0.1), 2)
    2.46
    """
    return expected_tokens(alpha, gamma) / (gamma * c + 1)


def best_gamma(alpha: float, c: float, *, most: int = 16) -> tuple[int, float]:
    """The draft length from 0 (switched off) to `most` with the largest predicted speedup, and that speedup.

    >>> best_gamma(0.1, 0.5)
    (0, 1.0)
    """
    return max(((gamma, theory_speedup(alpha, gamma, c)) for gamma in range(most + 1)), key=lambda pair: pair[1])
