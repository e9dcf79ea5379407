"""Ids to text: true bytes, streams without broken characters, stop strings."""

from __future__ import annotations

import random
import unicodedata
from typing import Any

import pytest
from tokenizers import Tokenizer, decoders, normalizers
from tokenizers.models import BPE
from transformers import PreTrainedTokenizerFast

from specviz.decoding.text import StopStrings, Text
from tests.conftest import make_tokenizer

COMPOSED = "Một người Việt yếu đuối ở Hà Nội"
TEXTS = [
    "plain words, and some more.",
    "    indented():\n\treturn a ,b .\n\n",
    COMPOSED,
    unicodedata.normalize("NFD", COMPOSED),
    "🙂 and 👩‍🔬 and 🇻🇳",
    " \u00a0\u200d\u200b\n",
    "#include <stdio.h> costs $1,243 <think>",
    "日本語とعربي",
    "🙂",
]
SPECIAL = 3


def sentencepiece_like() -> PreTrainedTokenizerFast:
    """As Llama 2's: a metaspace, and bytes for what has no piece. Pieces, not merges: ids are put together by hand."""
    bytes_ = [f"<0x{byte:02X}>" for byte in range(256)]
    pieces = ["<unk>", "<s>", "</s>", *bytes_, "▁", "▁the", "▁a", "the", "b", "é", ",", "▁▁", "Việt"]
    backend = Tokenizer(
        BPE(vocab={p: i for i, p in enumerate(pieces)}, merges=[], byte_fallback=True, unk_token="<unk>", fuse_unk=True)
    )
    backend.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    steps = [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    backend.decoder = decoders.Sequence(steps)
    return PreTrainedTokenizerFast(tokenizer_object=backend, bos_token="<s>", eos_token="</s>", unk_token="<unk>")


TOKENIZERS = {"byte-level": make_tokenizer, "sentencepiece-like": sentencepiece_like}


@pytest.fixture(scope="module", params=TOKENIZERS)
def text(request: pytest.FixtureRequest) -> Text:
    return Text(TOKENIZERS[request.param]())


def ids_of(text: Text, words: str) -> list[int]:
    return text.tokenizer(words, add_special_tokens=False).input_ids


def piece(text: Text, name: str) -> int:
    return text.tokenizer.convert_tokens_to_ids(name)


@pytest.mark.parametrize("words", TEXTS)
def test_the_bytes_of_the_tokens_put_together_are_the_text(text: Text, words: str) -> None:
    found = bytes.fromhex("".join(text.token(i).bytes for i in ids_of(text, words)))
    space = b"" if text._byte_level else b" "  # SentencePiece puts one in front, and takes it away again
    assert found == space + words.encode()
    assert text.decode(ids_of(text, words)) == words


def test_every_id_of_a_vocabulary_has_its_true_bytes() -> None:
    byte_level = Text(make_tokenizer())
    singles = {byte_level.token(i).bytes for i in range(len(byte_level.tokenizer))}
    assert {f"{byte:02x}" for byte in range(256)} <= singles
    for i in range(len(byte_level.tokenizer)):
        token = byte_level.token(i)
        assert token.text == bytes.fromhex(token.bytes).decode(errors="replace")
        if "\ufffd" not in token.text and i not in byte_level._special:
            assert token.text == byte_level.decode([i])
    pieces = Text(sentencepiece_like())
    assert [pieces.token(SPECIAL + byte).bytes for byte in range(256)] == [f"{byte:02x}" for byte in range(256)]
    assert pieces.token(piece(pieces, "▁the")).bytes == b" the".hex()


def test_control_tokens_have_a_text_of_their_own_and_none_in_the_output(text: Text) -> None:
    end = piece(text, "</s>")
    assert (text.token(end).text, text.token(end).bytes) == ("</s>", b"</s>".hex())
    assert text.decode([*ids_of(text, "the b"), end]) == "the b"


def test_an_id_outside_the_vocabulary_is_shown_as_its_number(text: Text) -> None:
    for outside in (len(text.tokenizer), 10**6):
        assert (text.token(outside).text, text.token(outside).bytes) == (f"[{outside}]", "")
        assert text.decode([*ids_of(text, "the"), outside]) == "the"
        assert text.stream().push(outside) == ""


@pytest.mark.parametrize("words", TEXTS)
def test_a_stream_gives_the_whole_text_and_never_half_a_character(text: Text, words: str) -> None:
    stream, said = text.stream(), []
    for i in ids_of(text, words):
        said.append(stream.push(i))
        assert "\ufffd" not in said[-1]
    assert "".join(said) + stream.waiting() == words


def test_an_emoji_over_several_tokens_comes_with_its_last_one() -> None:
    text = Text(make_tokenizer())
    ids = ids_of(text, "🙂")
    stream = text.stream()
    assert len(ids) > 1
    assert [stream.push(i) for i in ids] == [""] * (len(ids) - 1) + ["🙂"]


def test_whatever_a_model_says_the_stream_is_the_start_of_the_decode(text: Text) -> None:
    """Random ids: broken characters, control tokens in the middle of one, ids without text, runs of stray bytes."""
    chance = random.Random(0)
    for _ in range(1500):
        ids = [chance.randrange(len(text.tokenizer) + 5) for _ in range(chance.randrange(1, 14))]
        stream, said = text.stream(), ""
        for n, i in enumerate(ids, 1):
            said += stream.push(i)
            assert said + stream.waiting() == text.decode(ids[:n])


def test_bytes_that_spoil_those_before_them_end_no_run() -> None:
    """A SentencePiece decoder reads a run of bytes as a whole: a stray one makes the good ones before it unreadable."""
    text = Text(sentencepiece_like())
    ids = [SPECIAL + byte for byte in "é".encode()] + [SPECIAL + 0xC3, piece(text, "b")]
    stream = text.stream()
    assert "".join(stream.push(i) for i in ids) == text.decode(ids) == "\ufffd\ufffd\ufffdb"


# --- stop strings ---------------------------------------------------------------------------------------------------


def end_of(text: Text, ids: list[int], *stop: str) -> int | None:
    ends = StopStrings(text, stop)
    return next((n for n, i in enumerate(ids, 1) if ends(i)), None)


@pytest.mark.parametrize("stop", ["a", "b", "e b", "the b", ", the", "🙂", "Việt", "t 🙂", "\n", "\n\nthe"])
def test_the_token_that_completes_a_stop_string_is_the_one_that_is_found(text: Text, stop: str) -> None:
    ids = ids_of(text, "the b, the Việt 🙂 a\n\nthe end")
    end = end_of(text, ids, "never there", stop)
    assert end is not None
    assert stop in text.decode(ids[:end])
    assert stop not in text.decode(ids[: end - 1])


def test_a_stop_string_of_one_byte_is_found_at_once() -> None:
    """A newline is a byte token in SentencePiece models; the stream waits for what follows, the end does not."""
    text = Text(sentencepiece_like())
    assert end_of(text, [piece(text, "▁the"), SPECIAL + 10, piece(text, "b")], "\n") == 2


def test_a_text_without_the_stop_string_does_not_end(text: Text) -> None:
    assert end_of(text, ids_of(text, "the b, the Việt 🙂 a"), "theb", "  ", "ab", "🙂🙂") is None


def test_random_ids_end_where_the_decode_first_holds_a_stop_string(text: Text) -> None:
    chance = random.Random(1)
    found = 0
    for _ in range(600):
        ids: Any = [chance.randrange(len(text.tokenizer)) for _ in range(12)]
        stop = text.decode(ids)[3:5]
        if not stop or "\ufffd" in stop:
            continue
        expected = next(n for n in range(1, 13) if stop in text.decode(ids[:n]))
        assert end_of(text, ids, stop) == expected
        found += 1
    assert found > 20
