"""From nothing to the shipped pair: the order of work, and how the time is shared out.

OUT/target/ OUT/draft/    the models, each with the tokenizer, in float16
OUT/beginnings.json       story beginnings to offer, {language: [text, ...]}
OUT/numbers.json          everything measured
OUT/README.md             the card, written from the numbers
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForCausalLM, LlamaForCausalLM, PreTrainedTokenizerFast

from specviz.bundled import card, evaluation, memory
from specviz.bundled.corpus import LANGUAGES, Corpus, make_corpus, tell_stories
from specviz.bundled.grammar import Story
from specviz.bundled.tokenizer import train_tokenizer
from specviz.bundled.training import Recipe, Report, Shape, build, distillation_loss, next_token_loss, train


@dataclass(frozen=True)
class Preset:
    """Sizes that go with a time budget; `scored` stories a language are continued in the evaluation."""

    target: Shape
    draft: Shape
    vocabulary: int
    stories: int
    held_out: int
    scored: int
    tokens: int


FULL = Preset(
    target=Shape(layers=8, width=256, inner=640, heads=8),
    draft=Shape(layers=1, width=128, inner=384, heads=2),
    vocabulary=2560,
    stories=64_000,
    held_out=400,
    scored=50,
    tokens=4096,
)
TINY = Preset(
    target=Shape(layers=2, width=64, inner=128, heads=2),
    draft=Shape(layers=1, width=32, inner=64, heads=2),
    vocabulary=1024,
    stories=400,
    held_out=20,
    scored=1,
    tokens=1024,
)
TARGET_SHARE, DRAFT_SHARE = 0.75, 0.12  # of the time; the rest goes into the corpus and the evaluation
OFFERED = 8  # beginnings a language
_NAMES = ("target", "draft")
SHARD = "8MB"


def preset_for(minutes: float) -> Preset:
    """The full sizes, or tiny ones for a budget too short to train them at all."""
    return FULL if minutes >= 5 else TINY


def make(out: Path, *, work: Path, minutes: float, seed: int, report: Report) -> dict[str, Any]:
    """Makes everything under `out` and returns the numbers; what `work` already holds is not made again."""
    preset = preset_for(minutes)
    work.mkdir(parents=True, exist_ok=True)
    tokenizer, corpus = _prepare(preset, work, seed, report)
    held_out = tell_stories(preset.held_out, seed=f"held out {seed}")
    target = build(preset.target, vocabulary=len(tokenizer), seed=seed)
    watched = held_out[:48]

    def check(model: LlamaForCausalLM) -> str:
        losses = evaluation.held_out_loss(model, tokenizer, watched, autocast=True)
        return "held-out nats a token: " + ", ".join(f"{kind} {loss:.3f}" for kind, loss in losses.items())

    target_run = train(
        target,
        corpus,
        loss=next_token_loss,
        seconds=minutes * 60 * TARGET_SHARE,
        work=work,
        name="target",
        recipe=Recipe(seed=seed, tokens=preset.tokens),
        report=report,
        check=check,
    )
    _save(target, tokenizer, out / "target")
    draft = build(preset.draft, vocabulary=len(tokenizer), seed=seed + 1)
    draft_run = train(
        draft,
        corpus,
        loss=distillation_loss(target, total_variation=0.5),
        seconds=minutes * 60 * DRAFT_SHARE,
        work=work,
        name="draft",
        recipe=Recipe(seed=seed + 7, tokens=preset.tokens, primer_share=0.0),
        report=report,
        check=check,
    )
    _save(draft, tokenizer, out / "draft")
    report("measuring the pair as it is saved")
    numbers = measure(out, preset=preset, seed=seed, work=work, corpus=corpus, report=report)
    numbers |= {
        "training": {"target": target_run, "draft": draft_run, "minutes": minutes, "seed": seed},
        "shapes": {"target": asdict(preset.target), "draft": asdict(preset.draft)},
        "vocabulary": len(tokenizer),
        "corpus": {"stories": len(corpus), "tokens": len(corpus.ids)},
    }
    _write_json(out / "numbers.json", numbers)
    _write_json(out / "beginnings.json", _beginnings(held_out))
    card.write_card(out)
    report(f"done: {out}")
    return numbers


def measure(out: Path, *, preset: Preset, seed: int, work: Path, corpus: Corpus, report: Report) -> dict[str, Any]:
    """All numbers of the pair under `out`, in float32, on stories that neither model was trained on."""
    tokenizer = PreTrainedTokenizerFast.from_pretrained(out / "target")
    target, draft = (AutoModelForCausalLM.from_pretrained(out / name, dtype=torch.float32).eval() for name in _NAMES)
    held_out = tell_stories(preset.held_out, seed=f"held out {seed}")
    ids = make_corpus(tokenizer, [story.text for story in held_out])
    positions = len(ids.ids) - len(ids)  # BOS is given, not predicted
    numbers: dict[str, Any] = {
        "parameters": {name: model.num_parameters() for name, model in zip(_NAMES, (target, draft), strict=True)},
        "grammar": _grammar_numbers(held_out, positions),
        "held_out_loss": {
            name: evaluation.held_out_loss(model, tokenizer, held_out)
            for name, model in zip(_NAMES, (target, draft), strict=True)
        },
        "unigram_loss": evaluation.unigram_loss(corpus.ids, ids.ids, vocabulary=len(tokenizer)),
    }
    report(f"held-out loss {numbers['held_out_loss']['target']['all']:.4f} (target), grammar {numbers['grammar']}")
    scored = tell_stories(2 * preset.scored, seed=f"memory {seed}")
    numbers["memory"], texts = {}, {}
    for language in LANGUAGES:
        own = [story for story in scored if story.language == language.code]
        result = evaluation.remember(target, tokenizer, language, own, temperature=0.7, seed=seed)
        texts[language.code] = result.pop("texts")
        numbers["memory"][language.code] = result
        report(f"memory, {language.code}: {result}")
    _write_json(work / "continuations.json", texts)
    numbers["acceptance"] = {
        name: evaluation.acceptance(
            target, draft, tokenizer, scored[: max(2, preset.scored // 2)], temperature=temperature, seed=seed
        )
        for name, temperature in (("greedy", 0.0), ("temperature 1", 1.0))
    }
    numbers["overlap"] = evaluation.overlap_by_kind(target, draft, tokenizer, held_out[:100])
    seconds = {name: evaluation.pass_seconds(model) for name, model in zip(_NAMES, (target, draft), strict=True)}
    numbers["pass_seconds"] = seconds | {"target, 5 tokens": evaluation.pass_seconds(target, tokens=5)}
    numbers["cost_ratio"] = seconds["draft"] / seconds["target"]
    report(f"acceptance {numbers['acceptance']}, c {numbers['cost_ratio']:.3f}, overlap {numbers['overlap']}")
    return numbers


def _grammar_numbers(stories: list[Story], positions: int) -> dict[str, Any]:
    """Size and entropy of the grammar. The entropy is of derivations: an upper bound of the texts' own."""
    surprise = sum(story.surprise for story in stories)
    return {
        "patterns": {language.code: len(language.templates()) for language in LANGUAGES},
        "words": {language.code: len(language.vocabulary()) for language in LANGUAGES},
        "nats_a_story": surprise / len(stories),
        "nats_a_token": surprise / positions,
        "tokens_a_story": positions / len(stories),
        "callbacks_a_story": sum(mention.callback for story in stories for mention in story.mentions) / len(stories),
    }


def _beginnings(stories: list[Story]) -> dict[str, list[str]]:
    """The first three sentences of the first held-out stories, as many as are offered, no plot twice in a row."""
    chosen: dict[str, list[str]] = {}
    for language in LANGUAGES:
        last = ""
        texts: list[str] = []
        for story in stories:
            if story.language == language.code and story.plot != last and len(texts) < OFFERED:
                texts.append(memory.beginning(story, sentences=3))
                last = story.plot
        chosen[language.code] = texts
    return chosen


def _save(model: LlamaForCausalLM, tokenizer: PreTrainedTokenizerFast, folder: Path) -> None:
    """Weights in float16 (they run in float32: pass dtype), in shards, with the tokenizer beside them."""
    half = _like(model).half()
    half.load_state_dict(model.state_dict())
    half.config.dtype = torch.float16
    half.save_pretrained(folder, max_shard_size=SHARD)
    tokenizer.save_pretrained(folder)
    for file in folder.iterdir():
        file.chmod(0o644)  # weights are written for their owner only


def _like(model: LlamaForCausalLM) -> LlamaForCausalLM:
    """A model of the same configuration, to be filled with weights."""
    config = model.config
    shape = Shape(config.num_hidden_layers, config.hidden_size, config.intermediate_size, config.num_attention_heads)
    return build(shape, vocabulary=config.vocab_size, seed=0)


def _prepare(preset: Preset, work: Path, seed: int, report: Report) -> tuple[PreTrainedTokenizerFast, Corpus]:
    """Tokenizer and corpus, from the work folder if they are there."""
    saved = work / "corpus.pt"
    if saved.exists():
        data = torch.load(saved, weights_only=True)
        return PreTrainedTokenizerFast.from_pretrained(work / "tokenizer"), Corpus(data["ids"], data["starts"])
    report(f"telling {preset.stories:,} stories")
    texts = [story.text for story in tell_stories(preset.stories, seed=f"training {seed}")]
    tokenizer = train_tokenizer(texts[:8000], size=preset.vocabulary)
    tokenizer.save_pretrained(work / "tokenizer")
    corpus = make_corpus(tokenizer, texts)
    torch.save({"ids": corpus.ids, "starts": corpus.starts}, saved)
    report(f"{len(corpus.ids) / 1e6:.2f} M tokens, vocabulary {len(tokenizer)}")
    return tokenizer, corpus


def _write_json(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
