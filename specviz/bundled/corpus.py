"""Stories as token ids: what both models are trained on, and the held-out stories that they never see.

A corpus is two flat tensors, the ids of all stories (each BOS ... EOS) and where each story starts, so that a step of
training needs no data loader.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor
from transformers import PreTrainedTokenizerFast

from specviz.bundled.english import ENGLISH
from specviz.bundled.grammar import Story, tell
from specviz.bundled.tokenizer import BOS_ID, EOS_ID
from specviz.bundled.vietnamese import VIETNAMESE

LANGUAGES = (ENGLISH, VIETNAMESE)
IGNORED = -100  # the label of a position without loss, as in torch's cross_entropy


@dataclass(frozen=True)
class Corpus:
    """ids: [tokens] of all stories in a row; starts: [stories + 1], where each begins (and where the last ends)."""

    ids: Tensor
    starts: Tensor

    def __len__(self) -> int:
        return len(self.starts) - 1

    def story(self, index: int) -> Tensor:
        """The ids [length] of one story, from BOS to EOS."""
        return self.ids[self.starts[index] : self.starts[index + 1]]


def tell_stories(count: int, *, seed: str) -> list[Story]:
    """`count` stories, the languages taking turns, different for every seed."""
    rng = random.Random(seed)
    return [tell(LANGUAGES[index % len(LANGUAGES)], rng) for index in range(count)]


def encode_story(tokenizer: PreTrainedTokenizerFast, text: str) -> list[int]:
    """BOS, the text, EOS."""
    return [*tokenizer(text)["input_ids"], EOS_ID]


def make_corpus(tokenizer: PreTrainedTokenizerFast, texts: list[str]) -> Corpus:
    """The texts as one corpus, in their order."""
    rows = [[*row, EOS_ID] for row in tokenizer(texts)["input_ids"]]
    starts = torch.tensor([0, *(len(row) for row in rows)]).cumsum(0)
    return Corpus(torch.tensor([token for row in rows for token in row], dtype=torch.int16), starts)


def story_batches(corpus: Corpus, *, tokens: int, seed: int) -> Iterator[Tensor]:
    """Batches [rows, length] of about `tokens` tokens for ever, one story a row, stories of like length together.

    The end of shorter rows is filled with IGNORED. Each pass over the corpus is shuffled anew.
    """
    generator = torch.Generator().manual_seed(seed)
    lengths = corpus.starts.diff()
    while True:
        order = torch.randperm(len(corpus), generator=generator)
        batches = []
        for chunk in order.split(2048):
            chunk = chunk[lengths[chunk].argsort(stable=True)]
            rows = max(1, int(tokens / float(lengths[chunk].float().mean())))
            batches += list(chunk.split(rows))
        for index in torch.randperm(len(batches), generator=generator).tolist():
            yield pad([corpus.story(story) for story in batches[index].tolist()])


def packed_batches(corpus: Corpus, *, tokens: int, length: int, seed: int) -> Iterator[Tensor]:
    """Batches [rows, length] of whole stories one behind the other, as many as fit in a row, for ever."""
    generator = torch.Generator().manual_seed(seed)
    rows: list[Tensor] = []
    row: list[Tensor] = []
    while True:
        for index in torch.randperm(len(corpus), generator=generator).tolist():
            story = corpus.story(index)
            if sum(map(len, row)) + len(story) > length:
                rows.append(torch.cat(row))
                row = []
                if len(rows) * length >= tokens:
                    yield pad(rows)
                    rows = []
            row.append(story)


def copy_batches(*, vocabulary: int, tokens: int, length: int, seed: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Batches of senseless ids that repeat themselves, and labels for the repetitions only, both [rows, length].

    A primer for copying: what comes back after an id is what followed it the time before. Learnt on such rows in a
    few hundred steps, it makes the stories' names come out right millions of tokens earlier.
    """
    generator = torch.Generator().manual_seed(seed)
    while True:
        period = int(torch.randint(length // 6, length // 2, (1,), generator=generator))
        block = torch.randint(EOS_ID + 1, vocabulary, (tokens // length, period), generator=generator)
        ids = block.repeat(1, -(-length // period))[:, :length].clone()
        ids[:, 0] = BOS_ID
        labels = ids.clone()
        labels[:, : period + 1] = IGNORED
        yield ids, labels


def pad(rows: list[Tensor]) -> Tensor:
    """The rows as one [rows, longest] tensor of int64, filled with IGNORED at their ends."""
    return torch.nn.utils.rnn.pad_sequence([row.long() for row in rows], batch_first=True, padding_value=IGNORED)
