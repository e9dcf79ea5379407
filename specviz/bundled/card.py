"""The card beside the weights, written from what was measured; bench results of the decoder can be merged in."""

import json
from pathlib import Path
from typing import Any

_TEXT = """---
license: apache-2.0
language: [en, vi]
tags: [speculative-decoding, toy]
---
# The storytellers

Two small language models that know one thing: telling little stories, in English and in Vietnamese. `target` is the
storyteller; `draft` is its hasty pupil, to draft for it in speculative decoding. Both are plain Llama models with one
byte-level BPE tokenizer of {vocabulary:,} tokens and a context of 1,024 tokens, and load with
`AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)`. The files hold float16; every number here was
measured on them, run in float32.

| | target | draft |
|---|---|---|
| parameters | {parameters[target]:,} | {parameters[draft]:,} |
| layers x width | {target_shape} | {draft_shape} |
| trained on | {target_tokens:.1f} M tokens | {draft_tokens:.1f} M tokens, distilled from the target |
| held-out loss, nats a token | {target_loss:.4f} | {draft_loss:.4f} |

For comparison, in nats a token: the grammar itself {grammar[nats_a_token]:.4f}, a unigram model {unigram_loss:.3f}.
The grammar's entropy counts its choices, so it is an upper bound: two ways of choosing can spell the same text.

## What they were trained on
Nothing but stories told by a grammar (`specviz/bundled`), {corpus[stories]:,} of them, {corpus_tokens:.1f} M tokens.
In English it has {grammar[patterns][en]} sentence patterns and {grammar[words][en]} words, in Vietnamese
{grammar[patterns][vi]} patterns and {grammar[words][vi]} words, and names by the thousand, built of two parts each.
A story takes about {grammar[tokens_a_story]:.0f} tokens and {grammar[nats_a_story]:.0f} nats of choices, and comes
back to something told before (a name, a pronoun, an object, its colour, a helper, a gift, a wish) about
{grammar[callbacks_a_story]:.0f} times.

Made from scratch, with fixed seeds, by

    python -m specviz.bundled --out FOLDER --minutes {training[minutes]:g} --seed {training[seed]}

on a CPU ({target_minutes:.0f} minutes of training for the target, {draft_minutes:.0f} for the draft).

## Does it remember?
Held-out beginnings, up to where names, pronoun, object and colour have been told, continued by the target at
temperature 0.7. Mentions in the continuation that are right, of all mentions of their kind:

| | {codes} |
|---|{rules}|
{memory_rows}

The draft model forgets, and that is where its drafts are rejected. Overlap of the two distributions on held-out
stories, the chance that a draft is accepted there, by what the token belongs to:

| token of | overlap |
|---|---|
{overlap_rows}

## As a pair
Along texts that the target writes from held-out first sentences:

| | acceptance | positions |
|---|---|---|
{acceptance_rows}

Cost ratio c, draft pass over target pass with the cache: {cost_ratio:.3f} ({draft_ms:.2f} ms over {target_ms:.2f} ms; a
target pass of five tokens {five_ms:.2f} ms).

{bench}
## What it is not good for
Anything else. It has never seen a question, a program or a fact, and answers none; it can't follow instructions. Away
from the grammar's sentences it writes nonsense, in a confident voice. The stories have no author and no meaning
beyond the sentence patterns, and a name may sound odd or belong to somebody. It learnt nothing from any person's data.

Licence: Apache-2.0.
"""


def write_card(out: Path, *, bench: Path | None = None) -> None:
    """Writes OUT/README.md from OUT/numbers.json and, where given, a bench file, which is kept as OUT/bench.json.

    The bench file is a list of rows {column: value}, all with the same columns, for instance gamma and speedup.
    """
    numbers = json.loads((out / "numbers.json").read_text(encoding="utf-8"))
    kept = out / "bench.json"
    if bench is not None:
        kept.write_text(bench.read_text(encoding="utf-8"), encoding="utf-8")
    rows = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else []
    (out / "README.md").write_text(card_text(numbers, rows), encoding="utf-8")


def card_text(numbers: dict[str, Any], bench: list[dict[str, Any]]) -> str:
    """The card as Markdown."""
    memory = numbers["memory"]
    training = numbers["training"]
    names = {"en": "English", "vi": "Vietnamese"}
    seconds = numbers["pass_seconds"]
    target_shape, draft_shape = (f"{shape['layers']} x {shape['width']}" for shape in numbers["shapes"].values())
    return _TEXT.format(
        **numbers,
        target_shape=target_shape,
        draft_shape=draft_shape,
        target_tokens=training["target"]["tokens"] / 1e6,
        draft_tokens=training["draft"]["tokens"] / 1e6,
        target_minutes=training["target"]["seconds"] / 60,
        draft_minutes=training["draft"]["seconds"] / 60,
        target_loss=numbers["held_out_loss"]["target"]["all"],
        draft_loss=numbers["held_out_loss"]["draft"]["all"],
        corpus_tokens=numbers["corpus"]["tokens"] / 1e6,
        codes=" | ".join(names[code] for code in memory),
        rules="|".join("---" for _ in memory),
        memory_rows=_memory_rows(memory),
        overlap_rows="\n".join(f"| {_KINDS.get(kind, kind)} | {x:.3f} |" for kind, x in numbers["overlap"].items()),
        acceptance_rows="\n".join(
            f"| {name} | {found['acceptance']:.3f} | {found['positions']:,} |"
            for name, found in numbers["acceptance"].items()
        ),
        draft_ms=1e3 * seconds["draft"],
        target_ms=1e3 * seconds["target"],
        five_ms=1e3 * seconds["target, 5 tokens"],
        bench=_bench_table(bench),
    )


_KINDS = {"all": "all tokens", "name": "the hero's name", "friend": "the friend's name"}


def _memory_rows(memory: dict[str, Any]) -> str:
    rows = []
    for kind in next(iter(memory.values()))["kinds"]:
        counts = [result["kinds"][kind] for result in memory.values()]
        rows.append([kind, *(f"{count['right']} of {count['mentioned']}" for count in counts)])
    labels = {
        "ended": "stories that end by themselves",
        "well_formed": "stories of known words, quotes closed",
        "faithful": "stories with all of this and no wrong mention",
    }
    for key, label in labels.items():
        rows.append([label, *(f"{result[key]} of {result['stories']}" for result in memory.values())])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _bench_table(rows: list[dict[str, Any]]) -> str:
    if not rows:
        return ""
    columns = list(rows[0])
    lines = [columns, ["---"] * len(columns), *([str(row[column]) for column in columns] for row in rows)]
    return "Measured by `python -m specviz bench`:\n\n" + "\n".join(f"| {' | '.join(x)} |" for x in lines) + "\n"
