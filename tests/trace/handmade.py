"""A small trace put together by hand: every state, kind and part, with numbers that can be worked out on paper."""

from __future__ import annotations

from typing import Any

from specviz.trace.records import (
    Arm,
    Draft,
    DrafterRef,
    Emitted,
    Lookup,
    ModelRef,
    Output,
    Prefill,
    Prompt,
    Settings,
    Step,
    Token,
    Trace,
)

SETTINGS = Settings(
    target=ModelRef("large", "r1", "float32", "cpu"),
    drafter=DrafterRef("model", "small", "r2", "float32", "cpu"),
    rule="token",
    gamma=3,
    temperature=1.0,
    top_k=0,
    top_p=1.0,
    min_p=0.0,
    repetition_penalty=1.0,
    min_new_tokens=0,
    max_new_tokens=6,
    max_ngram=3,
    stop=("\n\n", "Việt"),
    chat=False,
    seed=7,
)
TOKENS = {i: Token(text, text.encode().hex()) for i, text in enumerate(["<s>", " a", "b", "ế", "\n", " d", "e"])}
TOKENS[6] = Token("\ufffd", "f09f")


def draft(id: int, status: Any, p: float, q: float, u: float | None, overlap: float, other: Any) -> Draft:
    """other: the second row of its table."""
    return Draft(id, "model", 0.5, p, q, u, min(1.0, p / q), overlap, status, ((id, p, q), other))


def plain_step(index: int, token: int, seconds: float) -> Step:
    emitted = (Emitted(token, "plain", draw=0.5, probability=0.5, top=((token, 0.5), (0, 0.5))),)
    return Step(index, 0, None, None, (), None, emitted, 0, 0.0, seconds, seconds)


def steps() -> tuple[Step, ...]:
    """Accepted, rejected and discarded, then a resampled token; all accepted and a bonus; a plain one."""
    return (
        Step(
            index=0,
            gamma=3,
            limit=None,
            cut=None,
            drafts=(
                draft(3, "accepted", p=0.5, q=0.25, u=0.3, overlap=0.75, other=(4, 0.5, 0.75)),
                draft(4, "rejected", p=0.2, q=0.8, u=0.5, overlap=0.4, other=(5, 0.8, 0.2)),
                draft(6, "discarded", p=0.5, q=0.5, u=None, overlap=1.0, other=(1, 0.5, 0.5)),
            ),
            lookup=None,
            emitted=(Emitted(3, "accepted"), Emitted(5, "resampled", draw=0.1, probability=1.0, top=((5, 1.0),))),
            draft_passes=3,
            draft_seconds=0.3,
            verify_seconds=0.2,
            seconds=0.6,
        ),
        Step(
            index=1,
            gamma=3,
            limit="context",
            cut=None,
            drafts=(
                draft(5, "accepted", p=1.0, q=0.5, u=0.9, overlap=0.5, other=(6, 0.0, 0.5)),
                draft(6, "accepted", p=0.5, q=0.5, u=0.1, overlap=1.0, other=(2, 0.5, 0.5)),
            ),
            lookup=None,
            emitted=(
                Emitted(5, "accepted"),
                Emitted(6, "accepted"),
                Emitted(4, "bonus", draw=0.2, probability=0.75, top=((4, 0.75), (3, 0.25))),
            ),
            draft_passes=2,
            draft_seconds=0.4,
            verify_seconds=0.4,
            seconds=1.0,
        ),
        Step(
            index=2,
            gamma=3,
            limit="length",
            cut=None,
            drafts=(),
            lookup=None,
            emitted=(Emitted(2, "plain", 0.9, 0.5, top=((2, 0.5), (1, 0.5)), logits=((2, 1.0), (1, 1.0))),),
            draft_passes=0,
            draft_seconds=0.0,
            verify_seconds=0.3,
            seconds=0.4,
        ),
    )


def baseline() -> Arm:
    made = tuple(plain_step(i, t, s) for i, (t, s) in enumerate(zip((3, 5, 4, 6), (0.5, 0.5, 0.7, 0.3))))
    return Arm(Prefill(0.4, 0.0), made, Output((3, 5, 4, 6), "ế d\n\ufffd", "cancelled"))


def trace(**changes: Any) -> Trace:
    return Trace(
        **{
            "settings": SETTINGS,
            "prompt": Prompt("a", "a", (0, 1)),
            "tokens": TOKENS,
            "speculative": Arm(Prefill(0.5, 0.1), steps(), Output((3, 5, 5, 6, 4, 2), "ế d d\ufffd\nb", "length")),
            "baseline": (baseline(),),
            "metrics": {"tokens": 6, "nested": {"list": [1, 2.5, None, True, "ế"]}},
            "environment": {"torch": "2.13"},
            **changes,
        }
    )


def looked_up() -> Trace:
    """Prompt lookup over 'a b a': behind the first 'a' stood 'b a', which is copied, and of which 'b' is kept."""
    drafts = (
        Draft(2, "prompt_lookup", None, 0.5, 1.0, 0.2, 0.5, 0.5, "accepted", ((2, 0.5, 1.0), (3, 0.5, 0.0))),
        Draft(1, "prompt_lookup", None, 0.25, 1.0, 0.9, 0.25, 0.25, "rejected", ((1, 0.25, 1.0), (4, 0.75, 0.0))),
    )
    emitted = (Emitted(2, "accepted"), Emitted(4, "resampled", 0.3, 1.0, ((4, 1.0),)))
    step = Step(0, 3, "no_match", "stop_string", drafts, Lookup((0, 1), (1, 3)), emitted, 0, 0.1, 0.2, 0.3)
    arm = Arm(Prefill(0.1, 0.0), (step,), Output((2, 4), "b\n", "stop_string"))
    return trace(speculative=arm, prompt=Prompt("a b a", "a b a", (1, 2, 1)), baseline=())
