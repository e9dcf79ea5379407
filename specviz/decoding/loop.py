"""The loop: draft, verify in one target pass, keep what passed, add one token of the target's own. Over and over.

Both arms are this loop. The plain arm drafts nothing, so its step is one target pass and one draw.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import torch
from torch import Tensor

from specviz.decoding.clock import Clock
from specviz.decoding.drafters import Drafter, Model, Proposal
from specviz.decoding.recording import record_added, record_drafts
from specviz.decoding.sampling import Sampler, uniforms
from specviz.decoding.verification import RULES
from specviz.errors import ModelError
from specviz.trace.records import Cut, Draft, Emitted, Kind, Limit, Prefill, Settings, Step, StopReason


def speculate(
    target: Model,
    drafter: Drafter,
    prompt: Sequence[int],
    settings: Settings,
    *,
    generator: torch.Generator,
    record: bool = True,
    ends_text: Callable[[int], bool] | None = None,
) -> Iterator[Prefill | Step | StopReason]:
    """Speculative decoding (Leviathan et al. 2023): a Prefill, then Steps, at last why it ended.

    prompt: ids, at least one and fewer than target.context. generator: a CPU generator of this run's own. record:
    False leaves the tables and draws out of the steps, and changes nothing else. ends_text: told each emitted id in
    turn, True where the text now holds a stop string. The consumer may stop at any step.

    Raises ModelError where a model's distribution is not finite.
    """
    return _decode(target, drafter, settings.gamma, prompt, settings, generator, record, ends_text)


def autoregress(
    target: Model,
    prompt: Sequence[int],
    settings: Settings,
    *,
    generator: torch.Generator,
    record: bool = True,
    ends_text: Callable[[int], bool] | None = None,
) -> Iterator[Prefill | Step | StopReason]:
    """Plain decoding, the baseline: one token a step. As `speculate`, without drafts."""
    return _decode(target, None, 0, prompt, settings, generator, record, ends_text)


@torch.inference_mode()  # the decorator, since a `with` across a yield would leak into whoever resumes
def _decode(
    target: Model,
    drafter: Drafter | None,
    gamma: int,
    prompt: Sequence[int],
    settings: Settings,
    generator: torch.Generator,
    record: bool,
    ends_text: Callable[[int], bool] | None,
) -> Iterator[Prefill | Step | StopReason]:
    verify = RULES[settings.rule]
    sampler = make_sampler(target, settings, prompt_length=len(prompt))
    clock = Clock(target.device)
    tokens = torch.tensor(list(prompt), dtype=torch.long, device=target.device)
    goal = len(prompt) + settings.max_new_tokens
    cache = target.reading()

    # Prefill: the prompt but its last token, so that the first step is one target pass like every other.
    marks = [clock.mark()]
    if len(tokens) > 1:
        cache.read(tokens[:-1], rows=1)
    marks.append(clock.mark())
    if drafter:
        drafter.begin(tokens, sampler, generator)
    marks.append(clock.mark())

    try:
        yield Prefill(target_seconds=clock.seconds(*marks[:2]), draft_seconds=clock.seconds(*marks[1:]))
        index = 0
        while True:
            start = clock.mark()
            length = len(tokens)

            # Draft.
            count, limit = _room(gamma, left=goal - length, context=target.context - length)
            proposal = Proposal.nothing(sampler, target.device)
            if drafter and count:
                proposal = _cut_behind(drafter.propose(tokens, count), target.eos_ids)
                limit = proposal.limit or limit
            drafted = clock.mark()

            # Verify: one target pass over the last token and every draft.
            tokens = torch.cat([tokens, proposal.ids])
            logits = cache.read(tokens[cache.length :], rows=len(proposal.ids) + 1)
            scores = sampler.scores(logits, tokens)
            p = sampler.rows(scores)
            verified = clock.mark()

            # Decide. One uniform for each test, one for the token that the target adds.
            tests, addition = uniforms(len(proposal.ids), generator), uniforms(1, generator)
            verdict = verify(p[None], proposal.rows[None], proposal.ids[None], tests[None], addition)
            if drafter and len(proposal.ids):
                _check_finite(proposal.rows, getattr(drafter, "model", target).name, "draft model", index)
            _check_finite(p, target.name, "target", index)
            passed = int(verdict.accepted[0])
            candidates = [*proposal.ids[:passed].tolist(), int(verdict.added[0])]
            emitted, cut = _end(candidates, target.eos_ids, ends_text)
            accepted = min(passed, len(emitted))
            adds = len(emitted) > passed

            # Roll back to what was emitted; its last token is read by the next pass.
            tokens = (
                torch.cat([tokens[: length + accepted], verdict.added[:1]]) if adds else tokens[: length + accepted]
            )
            cache.keep(len(tokens) - 1)
            if drafter:
                drafter.keep(len(tokens) - 1)
            end = clock.mark()

            rejected = adds and passed < len(proposal.ids)
            kind: Kind = "plain" if not len(proposal.ids) else "resampled" if rejected else "bonus"
            added = [Emitted(id=candidates[-1], kind=kind)] if adds else []
            drafts: tuple[Draft, ...] = ()
            if record:
                kept_scores = scores if sampler.greedy else None
                if adds:
                    row = kept_scores[passed] if kept_scores is not None else None
                    added = [record_added(candidates[-1], kind, addition.item(), verdict.distribution[0], row)]
                drafts = record_drafts(
                    proposal,
                    drafter.kind if drafter else "model",
                    p,
                    kept_scores,
                    verdict,
                    tests=tests.tolist(),
                    accepted=accepted,
                    rejected=rejected,
                    added=candidates[-1] if adds else None,
                )
            yield Step(
                index=index,
                gamma=gamma,
                limit=limit,
                cut=cut,
                drafts=drafts,
                lookup=proposal.lookup,
                emitted=(*(Emitted(id=i, kind="accepted") for i in emitted[:accepted]), *added),
                draft_passes=proposal.passes,
                draft_seconds=clock.seconds(start, drafted) if drafter else 0.0,
                verify_seconds=clock.seconds(drafted, verified),
                seconds=clock.seconds(start, end),
            )
            index += 1
            if cut or len(tokens) >= min(goal, target.context):
                yield cut or ("length" if len(tokens) >= goal else "context")
                return
    finally:
        if drafter:
            drafter.rest()


def make_sampler(target: Model, settings: Settings, *, prompt_length: int) -> Sampler:
    """The one Sampler of a run, for target and draft model alike."""
    return Sampler(
        vocab=target.vocab,
        temperature=settings.temperature,
        top_k=settings.top_k,
        top_p=settings.top_p,
        min_p=settings.min_p,
        repetition_penalty=settings.repetition_penalty,
        min_new_tokens=settings.min_new_tokens,
        prompt_length=prompt_length,
        eos_ids=target.eos_ids,
        device=target.device,
    )


def _room(gamma: int, *, left: int, context: int) -> tuple[int, Limit | None]:
    """How many drafts fit, and why not gamma: the target adds one token to them, within `left` and the context."""
    if gamma <= min(left, context) - 1:
        return gamma, None
    return (left - 1, "length") if left <= context else (max(context - 1, 0), "context")


def _cut_behind(proposal: Proposal, eos_ids: tuple[int, ...]) -> Proposal:
    """The proposal up to its first end-of-sequence id. On a CPU a drafter has stopped there by itself."""
    for i, token in enumerate(proposal.ids.tolist()[:-1]):
        if token in eos_ids:
            draws = proposal.draws[: i + 1] if proposal.draws else None
            return Proposal(
                proposal.ids[: i + 1], proposal.rows[: i + 1], draws, proposal.passes, "eos_drafted", proposal.lookup
            )
    return proposal


def _end(
    candidates: list[int], eos_ids: tuple[int, ...], ends_text: Callable[[int], bool] | None
) -> tuple[list[int], Cut | None]:
    """The candidates up to the first that ends the run, and how it does."""
    for i, token in enumerate(candidates):
        if token in eos_ids:
            return candidates[: i + 1], "eos"
        if ends_text and ends_text(token):
            return candidates[: i + 1], "stop_string"
    return candidates, None


def _check_finite(rows: Tensor, name: str, role: str, step: int) -> None:
    if not torch.isfinite(rows.sum()):
        raise ModelError(
            f"The {role} {name} gave numbers that are not finite at step {step}.",
            hint="Choose dtype float32, or another model.",
        )
