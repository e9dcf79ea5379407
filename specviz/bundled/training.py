"""The two models and their training, on a CPU, within a budget of seconds, resumable.

What makes a few million parameters learn to copy names within an hour on two cores: bfloat16 autocast; Muon for the
matrices and AdamW for the rest; whole stories in short rows, long packed rows only towards the end; and a primer of
repeating rows at the start. The number of steps is measured once, written to the work folder and then kept, so
that a resumed run takes the same steps as an uninterrupted one.
"""

import json
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor
from transformers import LlamaConfig, LlamaForCausalLM

from specviz.bundled.corpus import IGNORED, Corpus, copy_batches, packed_batches, story_batches
from specviz.bundled.tokenizer import BOS_ID, CONTEXT, EOS_ID

Report = Callable[[str], None]
Loss = Callable[[LlamaForCausalLM, Tensor, Tensor], Tensor]


@dataclass(frozen=True)
class Shape:
    """Depth, widths and heads of a Llama model."""

    layers: int
    width: int
    inner: int
    heads: int


@dataclass(frozen=True)
class Recipe:
    """How a model is trained. Shares are parts of all steps.

    tokens: about how many a step; packed_share: the last steps, on rows as long as the context; primer_share: the
    first steps, of which every second one copies; decay_share: the last steps, in which the rates fall to 0.
    """

    tokens: int = 4096
    matrix_rate: float = 0.02
    other_rate: float = 3e-3
    warmup_steps: int = 40
    decay_share: float = 0.45
    packed_share: float = 0.2
    primer_share: float = 0.1
    checkpoint_seconds: float = 90.0
    seed: int = 0


def build(shape: Shape, *, vocabulary: int, seed: int) -> LlamaForCausalLM:
    """A fresh model in float32; the seed decides its weights, and the global generator is left as it was."""
    config = LlamaConfig(
        vocab_size=vocabulary,
        hidden_size=shape.width,
        intermediate_size=shape.inner,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        num_key_value_heads=shape.heads,
        max_position_embeddings=CONTEXT,
        tie_word_embeddings=True,
        bos_token_id=BOS_ID,
        eos_token_id=EOS_ID,
        pad_token_id=EOS_ID,
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = LlamaForCausalLM(config)
    model.generation_config.pad_token_id = EOS_ID
    return model


def logits_of(model: LlamaForCausalLM, ids: Tensor) -> Tensor:
    """Logits [rows, length, vocab] of ids [rows, length]; what stands after a row's end does not matter."""
    hidden = model.model(input_ids=ids.clamp_min(0), use_cache=False).last_hidden_state
    return model.lm_head(hidden)


def next_token_loss(model: LlamaForCausalLM, ids: Tensor, labels: Tensor) -> Tensor:
    """Mean cross-entropy in nats a token; ids and labels [rows, length], a label of IGNORED is left out."""
    logits = logits_of(model, ids)[:, :-1].float()
    return F.cross_entropy(logits.reshape(-1, logits.shape[-1]), labels[:, 1:].reshape(-1), ignore_index=IGNORED)


def distillation_loss(target: LlamaForCausalLM, *, total_variation: float) -> Loss:
    """KL(p || q) at every position of a text, mixed with 1 - overlap, the chance that a draft is rejected there."""

    def loss(draft: LlamaForCausalLM, ids: Tensor, labels: Tensor) -> Tensor:
        keep = labels[:, 1:].reshape(-1) != IGNORED
        with torch.no_grad():
            p = logits_of(target, ids)[:, :-1].flatten(0, 1)[keep].float().softmax(-1)
        log_q = logits_of(draft, ids)[:, :-1].flatten(0, 1)[keep].float().log_softmax(-1)
        divergence = F.kl_div(log_q, p, reduction="batchmean")
        rejection = 1 - torch.minimum(p, log_q.exp()).sum(-1).mean()
        return (1 - total_variation) * divergence + total_variation * rejection

    return loss


def _optimizers(model: LlamaForCausalLM, recipe: Recipe) -> list[torch.optim.Optimizer]:
    names = dict(model.named_parameters())
    matrices = [value for name, value in names.items() if value.ndim == 2 and "embed" not in name]
    others = [value for name, value in names.items() if value.ndim != 2 or "embed" in name]
    return [
        torch.optim.Muon(matrices, lr=recipe.matrix_rate, weight_decay=0.02, momentum=0.95),
        torch.optim.AdamW(others, lr=recipe.other_rate, betas=(0.9, 0.95), weight_decay=0.0),
    ]


def _rate(step: int, steps: int, recipe: Recipe) -> float:
    """The share of the full learning rate at a step: up, level, and straight down to 0."""
    warmup = min(recipe.warmup_steps, steps // 10 + 1)
    return min(1.0, (step + 1) / warmup, (steps - step) / max(1.0, steps * recipe.decay_share))


def _batches(corpus: Corpus, vocabulary: int, steps: int, recipe: Recipe) -> Iterator[tuple[Tensor, Tensor]]:
    """Ids and labels of every step; a pure function of its arguments, so a resumed run skips what it has seen."""
    stories = story_batches(corpus, tokens=recipe.tokens, seed=recipe.seed)
    packed = packed_batches(corpus, tokens=recipe.tokens, length=CONTEXT, seed=recipe.seed + 1)
    copies = copy_batches(vocabulary=vocabulary, tokens=recipe.tokens, length=192, seed=recipe.seed + 2)
    for step in range(steps):
        if step < steps * recipe.primer_share and step % 2 == 0:
            yield next(copies)
        else:
            ids = next(packed if step >= steps * (1 - recipe.packed_share) else stories)
            yield ids, ids


def train(
    model: LlamaForCausalLM,
    corpus: Corpus,
    *,
    loss: Loss,
    seconds: float,
    work: Path,
    name: str,
    recipe: Recipe,
    report: Report,
    check: Callable[[LlamaForCausalLM], str] | None = None,
) -> dict[str, float]:
    """Trains the model in place for about so many seconds of undisturbed work, and returns what was done.

    work/NAME.pt is the latest checkpoint; work/NAME.json the plan with the number of steps. A finished training is
    not repeated: its weights are loaded. `check` is asked now and then for a word on the held-out stories.
    """
    checkpoint, plan_file = work / f"{name}.pt", work / f"{name}.json"
    optimizers = _optimizers(model, recipe)
    step, seen, active = 0, 0, 0.0
    if checkpoint.exists():
        state = torch.load(checkpoint, weights_only=True)
        model.load_state_dict(state["model"])
        for optimizer, saved in zip(optimizers, state["optimizers"], strict=True):
            optimizer.load_state_dict(saved)
        step, seen, active = state["step"], state["seen"], state["active"]
        report(f"{name}: resumed at step {step}")
    vocabulary = model.config.vocab_size
    if not plan_file.exists():
        pace = _pace(model, corpus, loss, recipe)
        plan_file.write_text(json.dumps({"steps": max(8, int(seconds / pace)), "recipe": asdict(recipe)}))
    steps = json.loads(plan_file.read_text())["steps"]
    report(f"{name}: {steps} steps planned, {sum(p.numel() for p in model.parameters()):,} parameters")

    def save() -> None:
        optimizer_states = [optimizer.state_dict() for optimizer in optimizers]
        state = {"model": model.state_dict(), "optimizers": optimizer_states}
        partial = checkpoint.with_suffix(".partial")
        torch.save({**state, "step": step, "seen": seen, "active": active}, partial)
        partial.replace(checkpoint)

    model.train()
    saved_at, recent, paces = time.monotonic(), [], [1e9]
    for index, (ids, labels) in enumerate(_batches(corpus, vocabulary, steps, recipe)):
        if index < step:
            continue
        started = time.monotonic()
        value = _one_step(model, optimizers, loss, ids, labels, rate=_rate(step, steps, recipe), recipe=recipe)
        elapsed = time.monotonic() - started
        paces = [*paces[-50:], elapsed]
        step, seen = step + 1, seen + int((labels != IGNORED).sum())
        active += min(elapsed, 5 * statistics.median(paces))  # a pause from outside is no work
        if labels is ids:
            recent.append(value)
        if step % 50 == 0 or step == steps:
            mean = statistics.fmean(recent[-50:]) if recent else float("nan")
            report(f"{name}: step {step}/{steps}, loss {mean:.3f}, {seen / 1e6:.2f} M tokens, {active / 60:.1f} min")
            recent = recent[-50:]
        if check is not None and (step % 250 == 0 or step == steps):
            report(f"{name}: step {step}, {check(model)}")
        if time.monotonic() - saved_at > recipe.checkpoint_seconds or step == steps:
            save()
            saved_at = time.monotonic()
    model.eval()
    return {"steps": steps, "tokens": seen, "seconds": active}


def _pace(model: LlamaForCausalLM, corpus: Corpus, loss: Loss, recipe: Recipe) -> float:
    """Seconds a step takes, all in: a median of a few, on a copy's worth of rates of 0, so that nothing is learnt."""
    saved = {name: value.clone() for name, value in model.state_dict().items()}
    optimizers = _optimizers(model, recipe)
    batches = story_batches(corpus, tokens=recipe.tokens, seed=recipe.seed)
    paces = []
    for _ in range(6):
        ids = next(batches)
        started = time.monotonic()
        _one_step(model, optimizers, loss, ids, ids, rate=0.0, recipe=recipe)
        paces.append(time.monotonic() - started)
    model.load_state_dict(saved)
    return statistics.median(paces[1:]) * (1 + 0.3 * recipe.packed_share)  # longer rows cost a little more


def _one_step(
    model: LlamaForCausalLM,
    optimizers: list[torch.optim.Optimizer],
    loss: Loss,
    ids: Tensor,
    labels: Tensor,
    *,
    rate: float,
    recipe: Recipe,
) -> float:
    for optimizer, full in zip(optimizers, (recipe.matrix_rate, recipe.other_rate), strict=True):
        optimizer.param_groups[0]["lr"] = full * rate
    with torch.autocast("cpu", dtype=torch.bfloat16):
        value = loss(model, ids, labels)
    value.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    for optimizer in optimizers:
        optimizer.step()
    model.zero_grad()
    return float(value.detach())
