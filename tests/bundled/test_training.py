"""The making of the pair, shrunken to seconds."""

import json
from itertools import islice
from pathlib import Path

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from specviz.bundled.corpus import (
    IGNORED,
    copy_batches,
    encode_story,
    make_corpus,
    packed_batches,
    story_batches,
    tell_stories,
)
from specviz.bundled.evaluation import callback_positions, sample
from specviz.bundled.making import make
from specviz.bundled.tokenizer import BOS_ID, EOS_ID, train_tokenizer
from specviz.bundled.training import Recipe, Shape, build, next_token_loss, train

STORIES = tell_stories(60, seed="tests")
TOKENIZER = train_tokenizer([story.text for story in STORIES], size=800)
CORPUS = make_corpus(TOKENIZER, [story.text for story in STORIES])


@pytest.mark.parametrize(
    "text", ["", " ", "Milo  lost\n\this kite.", "Cậu bé Minh An ơi!", "e\u0323\u0302 漢字 🐈‍⬛ \x00 ’"]
)
def test_the_tokenizer_gives_back_any_text(text: str) -> None:
    ids = TOKENIZER(text)["input_ids"]
    assert ids[0] == BOS_ID
    assert TOKENIZER.decode(ids[1:]) == text


def test_a_story_begins_with_bos_and_ends_with_eos() -> None:
    for index, story in enumerate(STORIES):
        ids = CORPUS.story(index).tolist()
        assert ids == encode_story(TOKENIZER, story.text)
        assert (ids[0], ids[-1], ids.count(EOS_ID)) == (BOS_ID, EOS_ID, 1)


def test_every_story_comes_once_in_a_pass() -> None:
    wanted = sorted(CORPUS.story(index).tolist() for index in range(len(CORPUS)))
    got: list[list[int]] = []
    for batch in story_batches(CORPUS, tokens=1000, seed=3):
        got += [row[row != IGNORED].tolist() for row in batch]
        if len(got) >= len(CORPUS):
            break
    assert sorted(got) == wanted


def test_packed_rows_hold_whole_stories() -> None:
    batch = next(packed_batches(CORPUS, tokens=2048, length=1024, seed=3))
    assert batch.shape[1] <= 1024
    assert all(row[0] == BOS_ID and row[row != IGNORED][-1] == EOS_ID for row in batch)


def test_the_primer_asks_only_for_what_can_be_copied() -> None:
    ids, labels = next(copy_batches(vocabulary=100, tokens=400, length=100, seed=3))
    period = int((labels[0] == IGNORED).sum()) - 1
    asked = labels[:, period + 1 :]
    assert torch.equal(asked, ids[:, 1 : 1 + asked.shape[1]])


def test_callbacks_are_found_among_the_tokens() -> None:
    story = STORIES[0]
    ids = encode_story(TOKENIZER, story.text)
    at = callback_positions(TOKENIZER, story)["name"]
    assert set(TOKENIZER.decode([ids[i] for i in at]).split()) == set(story.facts["hero"].split())


def test_a_training_that_is_interrupted_ends_with_the_same_weights(tmp_path: Path) -> None:
    class Interrupted(Exception):
        pass

    def weights(folder: Path, *, stop_at: int | None) -> dict[str, torch.Tensor]:
        folder.mkdir(exist_ok=True)
        (folder / "m.json").write_text(json.dumps({"steps": 8}))
        model = build(Shape(1, 32, 64, 2), vocabulary=len(TOKENIZER), seed=0)
        count = 0

        def loss(model, ids, labels):  # type: ignore[no-untyped-def]
            nonlocal count
            count += 1
            if count == stop_at:
                raise Interrupted
            return next_token_loss(model, ids, labels)

        recipe = Recipe(tokens=300, checkpoint_seconds=0.0)
        train(model, CORPUS, loss=loss, seconds=1, work=folder, name="m", recipe=recipe, report=lambda line: None)
        return model.state_dict()

    whole = weights(tmp_path / "a", stop_at=None)
    with pytest.raises(Interrupted):
        weights(tmp_path / "b", stop_at=5)
    resumed = weights(tmp_path / "b", stop_at=None)
    assert all(torch.equal(whole[name], resumed[name]) for name in whole)


def test_seconds_of_making_beat_a_unigram_model(tmp_path: Path) -> None:
    lines: list[str] = []
    state = torch.random.get_rng_state()
    numbers = make(tmp_path / "out", work=tmp_path / "work", minutes=0.2, seed=5, report=lines.append)
    assert torch.equal(torch.random.get_rng_state(), state)
    assert numbers["held_out_loss"]["target"]["all"] < numbers["unigram_loss"] - 0.3
    assert numbers["held_out_loss"]["target"]["all"] > numbers["grammar"]["nats_a_token"]
    for name in ("target", "draft"):
        folder = tmp_path / "out" / name
        tokenizer = AutoTokenizer.from_pretrained(folder)
        model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
        assert (model.config.eos_token_id, model.generation_config.eos_token_id) == (EOS_ID, EOS_ID)
        assert model.config.bos_token_id == tokenizer.bos_token_id == BOS_ID
        assert model.dtype == torch.float32
        ids = sample(model, tokenizer("Once")["input_ids"], temperature=1.0, generator=torch.Generator(), limit=5)
        assert tokenizer.decode(ids, skip_special_tokens=True).startswith("Once")
    beginnings = json.loads((tmp_path / "out" / "beginnings.json").read_text(encoding="utf-8"))
    assert [len(texts) for texts in beginnings.values()] == [8, 8]
    card = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    assert f"{numbers['cost_ratio']:.3f}" in card
    assert str(tmp_path) not in card


def test_batches_do_not_depend_on_the_global_generator() -> None:
    first = list(islice(story_batches(CORPUS, tokens=500, seed=1), 3))
    torch.manual_seed(123)
    second = list(islice(story_batches(CORPUS, tokens=500, seed=1), 3))
    assert all(torch.equal(a, b) for a, b in zip(first, second, strict=True))
