"""Packed weights: the same product, for any number of rows."""

import pytest
import torch
from torch import nn

from specviz.decoding.packing import PackedLinear, can_pack, pack

needs_packing = pytest.mark.skipif(not can_pack(), reason="this torch or CPU can't pack bfloat16 weights")


@needs_packing
@pytest.mark.parametrize("rows", [1, 2, 3, 4, 5, 17])
@pytest.mark.parametrize("bias", [True, False])
def test_a_packed_product_equals_the_plain_one_up_to_rounding(rows: int, bias: bool) -> None:
    generator = torch.Generator().manual_seed(rows)
    linear = nn.Linear(48, 40, bias=bias, dtype=torch.bfloat16).requires_grad_(False)
    x = torch.randn(1, rows, 48, generator=generator).bfloat16()
    with torch.inference_mode():
        found, expected = PackedLinear(linear)(x), linear(x)
    assert found.shape == expected.shape
    torch.testing.assert_close(found, expected, atol=0.02, rtol=0.02)


@needs_packing
def test_packing_replaces_every_linear_and_nothing_else() -> None:
    network = nn.Sequential(nn.Embedding(5, 8), nn.Sequential(nn.Linear(8, 8), nn.LayerNorm(8)), nn.Linear(8, 5))
    network = network.to(torch.bfloat16).requires_grad_(False)
    pack(network)
    kinds = [type(module).__name__ for module in network.modules()]
    assert kinds.count("PackedLinear") == 2
    assert "Linear" not in kinds
    assert {"Embedding", "LayerNorm"} <= set(kinds)
