"""What a drafter proposes: prompt lookup's choice among matches, a draft model's own distribution."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
import torch

from specviz.decoding.drafters import ModelDrafter, PromptLookup, Proposal
from specviz.decoding.loop import make_sampler
from specviz.decoding.models import LanguageModel
from specviz.decoding.runs import generator
from specviz.decoding.sampling import draw
from specviz.trace.records import Lookup
from tests.decoding.fakes import TableModel, certain, decode, emitted
from tests.decoding.tiny import TinyModel, settings

VOCAB = 60


def lookup(ids: Sequence[int], count: int = 3, *, max_ngram: int = 3, eos: tuple[int, ...] = ()) -> Proposal:
    """What prompt lookup proposes behind ids."""
    drafter = PromptLookup(max_ngram=max_ngram, eos_ids=eos)
    model = TableModel(lambda prefix: [0.0] * VOCAB, vocab=VOCAB)
    drafter.begin(torch.tensor(ids), make_sampler(model, settings(), prompt_length=len(ids)), generator(0, 0))
    return drafter.propose(torch.tensor(ids), count)


def copied(ids: Sequence[int], count: int = 3, **options: Any) -> tuple[int, ...]:
    proposal = lookup(ids, count, **options)
    found = tuple(proposal.ids.tolist())
    if proposal.lookup:
        (a, b), (c, d) = proposal.lookup.matched, proposal.lookup.copied
        assert tuple(ids[c:d]) == found, "the copied span is what was drafted"
        assert b == c, "what is copied stands right behind the match"
        assert ids[a:b] == ids[len(ids) - (b - a) :], "the match is how the text ends"
    else:
        assert found == ()
    return found


def test_the_longest_match_wins_over_a_later_shorter_one() -> None:
    assert copied((1, 2, 3, 10, 11, 12, 2, 9, 3, 20, 21, 22, 1, 2, 3)) == (10, 11, 12)


def test_no_match_is_longer_than_max_ngram() -> None:
    ids = (1, 2, 3, 10, 11, 12, 9, 3, 20, 21, 22, 1, 2, 3)
    assert copied(ids, max_ngram=1) == (20, 21, 22)
    assert copied(ids, max_ngram=2) == (10, 11, 12)
    assert lookup(ids, max_ngram=2).lookup == Lookup(matched=(1, 3), copied=(3, 6))


def test_among_matches_followed_by_enough_the_most_recent_wins() -> None:
    assert copied((5, 10, 11, 12, 5, 20, 21, 22, 5, 30, 5)) == (20, 21, 22)
    assert copied((5, 10, 11, 12, 5, 20, 21, 22, 5, 30, 5), 2) == (30, 5)


def test_where_no_match_is_followed_by_enough_the_earliest_wins_and_the_step_says_why_it_is_short() -> None:
    ids = (5, 10, 5, 20, 5)
    assert copied(ids, 6) == (10, 5, 20, 5)
    assert lookup(ids, 6).limit == "no_match"


def test_the_end_of_the_text_is_no_match_for_itself() -> None:
    proposal = lookup((1, 2, 3, 4))
    assert (proposal.ids.tolist(), proposal.limit, proposal.lookup) == ([], "no_match", None)
    assert proposal.rows.shape == (0, VOCAB)


@pytest.mark.parametrize("ids", [(1,), (1, 1), (1, 1, 1), (1, 2, 1)])
def test_very_short_texts_are_looked_up_too(ids: tuple[int, ...]) -> None:
    assert copied(ids) == {(1,): (), (1, 1): (1,), (1, 1, 1): (1,), (1, 2, 1): (2, 1)}[ids]


def test_a_match_may_overlap_the_end_of_the_text() -> None:
    assert copied((7, 7, 7, 7, 7, 7), 2, max_ngram=2) == (7, 7)


def test_q_is_a_point_mass_on_each_copied_id_and_nothing_was_drawn() -> None:
    proposal = lookup((1, 2, 3, 1, 2), 2)
    assert torch.equal(proposal.rows, torch.eye(VOCAB)[proposal.ids])
    assert (proposal.draws, proposal.passes, proposal.limit) == (None, 0, None)


def test_what_is_copied_is_cut_behind_an_end_of_sequence() -> None:
    """Ten ids, the end-of-sequence at 4, the token before it equal to the last one, n-grams of one."""
    ids = (10, 11, 12, 20, 9, 13, 14, 15, 16, 20)
    proposal = lookup(ids, 4, max_ngram=1, eos=(9,))
    assert (proposal.ids.tolist(), proposal.limit) == ([9], "eos_drafted")
    assert proposal.lookup == Lookup(matched=(3, 4), copied=(4, 5))
    assert copied(ids, 4, max_ngram=1) == (9, 13, 14, 15)


def test_an_end_of_sequence_as_the_last_draft_cuts_nothing() -> None:
    assert lookup((20, 8, 9, 13, 20), 2, eos=(9,)).limit is None


def test_an_end_of_sequence_in_the_prompt_leaves_greedy_output_equal_to_the_baselines() -> None:
    prompt = (10, 11, 12, 20, 9, 13, 14, 15, 16, 20)
    for seed in range(4):
        model = TinyModel(vocab=30, seed=seed)
        for eos in ((9,), ()):
            model.eos_ids = eos
            options: dict[str, Any] = {"gamma": 4, "temperature": 0, "max_new_tokens": 20}
            plain, why = decode(model, None, prompt, **options)
            fast, also = decode(model, PromptLookup(max_ngram=1, eos_ids=eos), prompt, **options)
            assert (emitted(fast), also) == (emitted(plain), why)


def test_without_any_end_of_sequence_a_run_goes_to_max_new_tokens() -> None:
    prompt = (5, 6, 7, 8, 9, 10, 11, 7, 8)
    model = TableModel(lambda prefix: certain(prompt[len(prefix) % 9], VOCAB), vocab=VOCAB)
    assert copied(prompt) == (9, 10, 11)
    steps, reason = decode(model, PromptLookup(max_ngram=3, eos_ids=()), prompt, gamma=3, max_new_tokens=25)
    assert (len(emitted(steps)), reason) == (25, "length")


@pytest.mark.parametrize("max_ngram", [2, 5])
def test_very_repetitive_text_equals_the_baseline_and_every_copy_is_a_true_one(
    loaded: Callable[[str], LanguageModel], max_ngram: int
) -> None:
    model = loaded("target")
    prompt = model.tokenizer("serving " * 48).input_ids
    options: dict[str, Any] = {"gamma": 4, "temperature": 0, "max_new_tokens": 40}
    plain, _ = decode(model, None, prompt, **options)
    fast, _ = decode(model, PromptLookup(max_ngram=max_ngram, eos_ids=model.eos_ids), prompt, **options)
    assert emitted(fast) == emitted(plain)
    ids = [*prompt]
    for step in fast:
        if step.lookup:
            (a, b), (c, d) = step.lookup.matched, step.lookup.copied
            assert ids[c:d] == [draft.id for draft in step.drafts]
            assert ids[a:b] == ids[len(ids) - (b - a) :]
            assert b - a <= max_ngram
        assert (step.lookup is None) == (not step.drafts)
        ids += [token.id for token in step.emitted]


def test_prompt_lookup_reads_its_own_output_too_and_never_what_was_rejected() -> None:
    drafter = PromptLookup(max_ngram=2, eos_ids=())
    model = TableModel(lambda prefix: [0.0] * VOCAB, vocab=VOCAB)
    drafter.begin(torch.tensor((1, 2, 3, 1)), make_sampler(model, settings(), prompt_length=4), generator(0, 0))
    assert drafter.propose(torch.tensor((1, 2, 3, 1)), 2).ids.tolist() == [2, 3]
    drafter.keep(4)
    after = torch.tensor((1, 2, 3, 1, 9))  # the target said 9
    assert drafter.propose(after, 2).ids.tolist() == []
    again = torch.tensor((1, 2, 3, 1, 9, 1))
    assert drafter.propose(again, 2).ids.tolist() == [9, 1]


# --- a draft model --------------------------------------------------------------------------------------------------


def proposed(model: Any, ids: Sequence[int], count: int, *, eos: tuple[int, ...] = (), **options: Any) -> Proposal:
    drafter = ModelDrafter(model, eos_ids=eos)
    tokens = torch.tensor(ids)
    wanted = settings(**options)
    drafter.begin(tokens, make_sampler(model, wanted, prompt_length=len(ids)), generator(wanted.seed, 0))
    return drafter.propose(tokens, count)


def test_each_draft_is_what_its_recorded_number_draws_from_its_recorded_row() -> None:
    for seed in range(5):
        proposal = proposed(TinyModel(vocab=40, seed=1), (1, 2, 3), 6, seed=seed, top_k=8)
        assert proposal.draws is not None
        assert draw(proposal.rows, torch.tensor(proposal.draws, dtype=torch.float64)).tolist() == proposal.ids.tolist()
        assert proposal.passes == 6


def test_a_draft_models_rows_are_those_of_its_own_drafts() -> None:
    model = TinyModel(vocab=40, seed=1)
    proposal = proposed(model, (1, 2, 3), 5)
    fresh = model.network(torch.tensor([[1, 2, 3, *proposal.ids.tolist()]])).logits[0, 2:-1].softmax(-1)
    assert torch.allclose(proposal.rows, fresh, atol=1e-5)


def test_a_draft_model_stops_behind_its_own_end_of_sequence() -> None:
    model = TableModel(lambda prefix: certain(9 if len(prefix) == 4 else 5, VOCAB), vocab=VOCAB)
    proposal = proposed(model, (1, 2, 3), 4, eos=(9,))
    assert (proposal.ids.tolist(), proposal.limit, proposal.passes) == ([5, 9], "eos_drafted", 2)
    assert proposed(model, (1, 2, 3), 2, eos=(9,)).limit is None  # nothing was cut


@pytest.mark.parametrize(
    ("context", "drafted", "limit"),
    [(10, 4, None), (6, 4, None), (5, 3, "context"), (3, 1, "context"), (2, 0, "context")],
)
def test_a_draft_model_drafts_up_to_the_end_of_its_context(context: int, drafted: int, limit: str | None) -> None:
    """The last draft is never read: three tokens and four drafts take a context of six."""
    model = TableModel(lambda prefix: certain(5, VOCAB), vocab=VOCAB, context=context)
    proposal = proposed(model, (1, 2, 3), 4)
    assert (len(proposal.ids), proposal.limit) == (drafted, limit)
