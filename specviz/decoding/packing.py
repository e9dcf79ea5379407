"""Weights of a CPU model in oneDNN's own layout, so that a pass over a few tokens reads them at memory speed.

A pass over one to seventeen tokens is bound by reading the weights. torch's bfloat16 matrix product reads them row by
row at about half of what the memory gives; in the blocked layout that torch.compile's freezing uses too
(torch.ops.mkldnn), the same product reads nearly all of it. The numbers are the same up to rounding.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

# The product over 4 or 5 rows is faster than over 1, so that fewer rows are filled up to 4. Without that a plain step
# would cost more than a verified one, and speculation would look better than it is.
_ROWS = 4


class PackedLinear(nn.Module):
    """An nn.Linear whose weight lies in oneDNN's layout. For inference only."""

    def __init__(self, linear: nn.Linear) -> None:
        super().__init__()
        self.in_features, self.out_features = linear.in_features, linear.out_features
        with torch.no_grad():
            self.packed = torch.ops.mkldnn._reorder_linear_weight(linear.weight.detach(), _ROWS)
        self.bias = linear.bias
        self.bytes = linear.weight.numel() * linear.weight.element_size()

    def forward(self, x: Tensor) -> Tensor:
        rows = x.shape[:-1].numel()
        if rows >= _ROWS:
            return torch.ops.mkldnn._linear_pointwise(x, self.packed, self.bias, "none", [], "")
        filled = F.pad(x.reshape(rows, self.in_features), (0, 0, 0, _ROWS - rows))
        product = torch.ops.mkldnn._linear_pointwise(filled, self.packed, self.bias, "none", [], "")
        return product[:rows].reshape(*x.shape[:-1], self.out_features)


def can_pack() -> bool:
    """Whether this torch has these operations for bfloat16 here: they are not part of its public interface."""
    try:
        with torch.no_grad():
            linear = nn.Linear(64, 32, dtype=torch.bfloat16)
            x = torch.ones(2, 64, dtype=torch.bfloat16)
            return torch.allclose(PackedLinear(linear)(x), linear(x), atol=0.05)
    except (AttributeError, RuntimeError):
        return False


def pack(network: nn.Module) -> None:
    """Put every nn.Linear of a bfloat16 CPU model into that layout, in place."""
    for name, module in list(network.named_modules()):
        if type(module) is nn.Linear:
            network.set_submodule(name, PackedLinear(module))
