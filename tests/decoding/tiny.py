"""Small things to decode with: table rows, and a transformer with random weights that fits in the cache of a CPU."""

from __future__ import annotations

from types import SimpleNamespace

import torch
from transformers import LlamaConfig, LlamaForCausalLM

from specviz.decoding.models import CachedReading
from specviz.trace.records import DrafterRef, ModelRef, Settings


class TinyModel:
    """A random Llama as the loop's Model. sharpness scales its logits: 0 would be uniform."""

    eos_ids: tuple[int, ...] = ()
    device = "cpu"

    def __init__(self, *, vocab: int, seed: int, sharpness: float = 1.0, layers: int = 2, context: int = 256) -> None:
        self.name, self.vocab, self.context = f"tiny-{seed}", vocab, context
        config = LlamaConfig(
            vocab_size=vocab,
            hidden_size=32,
            intermediate_size=48,
            num_hidden_layers=layers,
            num_attention_heads=2,
            max_position_embeddings=context,
            initializer_range=0.3,
        )
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            self.network = LlamaForCausalLM(config).eval().requires_grad_(False)
        self.network.lm_head.weight.mul_(sharpness)

    def reading(self) -> CachedReading:
        return CachedReading(self)  # type: ignore[arg-type]


def settings(**changes: object) -> Settings:
    """Settings of a run, everything off."""
    off = SimpleNamespace(
        target=ModelRef("target", "", "float32", "cpu"),
        drafter=DrafterRef("model", "draft"),
        rule="token",
        gamma=2,
        temperature=1.0,
        top_k=0,
        top_p=1.0,
        min_p=0.0,
        repetition_penalty=1.0,
        min_new_tokens=0,
        max_new_tokens=4,
        max_ngram=3,
        stop=(),
        chat=False,
        seed=0,
    )
    return Settings(**{**vars(off), **changes})
