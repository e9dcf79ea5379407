"""What the pair can do, measured on the weights as they are saved: held-out loss, memory, acceptance, cost."""

import statistics
import time
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor
from transformers import LlamaForCausalLM, PreTrainedTokenizerFast

from specviz.bundled import memory
from specviz.bundled.corpus import IGNORED, encode_story, pad
from specviz.bundled.grammar import Language, Story
from specviz.bundled.tokenizer import EOS_ID
from specviz.bundled.training import logits_of


@torch.inference_mode()
def held_out_loss(
    model: LlamaForCausalLM, tokenizer: PreTrainedTokenizerFast, stories: list[Story], *, autocast: bool = False
) -> dict[str, float]:
    """Mean nats a token over whole stories ("all"), and over the tokens of each kind of call-back.

    The first word after BOS counts, BOS itself doesn't; EOS does.
    """
    total: dict[str, list[float]] = {}
    for chunk in range(0, len(stories), 16):
        part = stories[chunk : chunk + 16]
        ids = pad([torch.tensor(encode_story(tokenizer, story.text)) for story in part])
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=autocast):
            logits = logits_of(model, ids)[:, :-1].float()
        losses = F.cross_entropy(logits.transpose(1, 2), ids[:, 1:], ignore_index=IGNORED, reduction="none")
        for row, story in enumerate(part):
            length = int((ids[row] != IGNORED).sum()) - 1
            total.setdefault("all", []).extend(losses[row, :length].tolist())
            for kind, positions in callback_positions(tokenizer, story).items():
                total.setdefault(kind, []).extend(losses[row, [p - 1 for p in positions]].tolist())
    return {kind: sum(values) / len(values) for kind, values in total.items()}


def callback_positions(tokenizer: PreTrainedTokenizerFast, story: Story) -> dict[str, list[int]]:
    """The positions in the encoded story of the tokens of all call-backs, {kind: positions}."""
    spans = tokenizer(story.text, return_offsets_mapping=True)["offset_mapping"]
    found: dict[str, list[int]] = {}
    for mention in story.mentions:
        if mention.callback:
            inside = [i for i, (a, b) in enumerate(spans) if a < mention.end and b > mention.start]
            found.setdefault(mention.kind, []).extend(inside)
    return found


def unigram_loss(train_ids: Tensor, held_out_ids: Tensor, *, vocabulary: int) -> float:
    """Nats a token of the held-out ids under the frequencies of the training ids (one added to each count)."""
    counts = torch.bincount(train_ids.long(), minlength=vocabulary).double() + 1
    return float(-(counts / counts.sum()).log()[held_out_ids.long()].mean())


@torch.inference_mode()
def sample(
    model: LlamaForCausalLM, ids: list[int], *, temperature: float, generator: torch.Generator, limit: int = 300
) -> list[int]:
    """The ids with a continuation drawn from the model, at most `limit` tokens, EOS included if it came."""
    output = model(torch.tensor([ids]), use_cache=True)
    ids = list(ids)
    for _ in range(limit):
        logits = output.logits[0, -1].double()
        if temperature == 0:
            token = int(logits.argmax())
        else:
            cumulative = (logits / temperature).softmax(-1).cumsum(-1)
            point = torch.rand((), generator=generator, dtype=torch.float64) * cumulative[-1]
            token = int(torch.searchsorted(cumulative, point, right=True))
        ids.append(token)
        if token == EOS_ID:
            break
        output = model(torch.tensor([[token]]), cache=output.cache, use_cache=True)
    return ids


def remember(
    model: LlamaForCausalLM,
    tokenizer: PreTrainedTokenizerFast,
    language: Language,
    stories: list[Story],
    *,
    temperature: float,
    seed: int,
) -> dict[str, Any]:
    """Continues the beginning of every story once and counts what it remembers.

    Returned: "stories", how many of them "ended" by themselves, were "well_formed", and were "faithful" (ended, well
    formed and without one wrong mention); for each kind {"right", "mentioned", "stories_right"}; and the "texts".
    """
    generator = torch.Generator().manual_seed(seed)
    result: dict[str, Any] = {"temperature": temperature, "stories": len(stories), "ended": 0, "well_formed": 0}
    result |= {"faithful": 0, "texts": []}
    result["kinds"] = {kind: {"right": 0, "mentioned": 0, "stories_right": 0} for kind in memory.KINDS}
    for story in stories:
        start = memory.beginning(story)
        ids = sample(model, tokenizer(start)["input_ids"], temperature=temperature, generator=generator)
        text = str(tokenizer.decode(ids, skip_special_tokens=True))
        tallies = memory.read(language, story.facts, text[len(start) :])
        ended, formed = ids[-1] == EOS_ID, memory.well_formed(language, text)
        result["ended"] += ended
        result["well_formed"] += formed
        result["faithful"] += ended and formed and all(tally.right == tally.mentioned for tally in tallies.values())
        for kind, tally in tallies.items():
            count = result["kinds"][kind]
            count["right"] += tally.right
            count["mentioned"] += tally.mentioned
            count["stories_right"] += tally.right == tally.mentioned
        result["texts"].append({"beginning": start, "continuation": text[len(start) :]})
    return result


@torch.inference_mode()
def acceptance(
    target: LlamaForCausalLM,
    draft: LlamaForCausalLM,
    tokenizer: PreTrainedTokenizerFast,
    stories: list[Story],
    *,
    temperature: float,
    seed: int,
) -> dict[str, float]:
    """The mean chance that a draft token is accepted along texts that the target writes itself.

    At every position of a text drawn from the target: the overlap sum(min(p, q)), at temperature 0 whether both
    models choose the same token. The texts continue first sentences.
    """
    generator = torch.Generator().manual_seed(seed)
    overlaps: list[Tensor] = []
    for story in stories:
        start = tokenizer(memory.beginning(story, sentences=1))["input_ids"]
        ids = torch.tensor([sample(target, start, temperature=temperature, generator=generator)])
        p, q = (logits_of(model, ids)[0, len(start) - 1 : -1].double() for model in (target, draft))
        if temperature == 0:
            overlaps.append((p.argmax(-1) == q.argmax(-1)).double())
        else:
            p, q = (p / temperature).softmax(-1), (q / temperature).softmax(-1)
            overlaps.append(torch.minimum(p, q).sum(-1))
    every = torch.cat(overlaps)
    return {"temperature": temperature, "acceptance": float(every.mean()), "positions": len(every)}


@torch.inference_mode()
def overlap_by_kind(
    target: LlamaForCausalLM, draft: LlamaForCausalLM, tokenizer: PreTrainedTokenizerFast, stories: list[Story]
) -> dict[str, float]:
    """The mean overlap sum(min(p, q)) on held-out stories: at all tokens, and at those of each kind of call-back."""
    values: dict[str, list[float]] = {}
    for story in stories:
        ids = torch.tensor([encode_story(tokenizer, story.text)])
        p, q = (logits_of(model, ids)[0, :-1].softmax(-1) for model in (target, draft))
        overlap = torch.minimum(p, q).sum(-1)
        values.setdefault("all", []).extend(overlap.tolist())
        for kind, positions in callback_positions(tokenizer, story).items():
            values.setdefault(kind, []).extend(overlap[[position - 1 for position in positions]].tolist())
    return {kind: sum(found) / len(found) for kind, found in values.items()}


@torch.inference_mode()
def pass_seconds(model: LlamaForCausalLM, *, context: int = 150, tokens: int = 1, repeats: int = 60) -> float:
    """Median seconds of a pass of so many tokens behind a cached context, in float32."""
    ids = torch.arange(context + tokens)[None] % model.config.vocab_size
    cache = model(ids[:, :context], use_cache=True).cache
    seconds = []
    for _ in range(repeats):
        started = time.perf_counter()
        cache = model(ids[:, context:], cache=cache, use_cache=True).cache
        seconds.append(time.perf_counter() - started)
        cache.crop(-tokens)
    return statistics.median(seconds)
