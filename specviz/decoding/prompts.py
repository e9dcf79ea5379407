"""A person's prompt to ids: chat or raw, counted against the context before anything runs."""

from __future__ import annotations

from typing import Any

from specviz.decoding.models import LanguageModel
from specviz.errors import InputError
from specviz.trace.records import Prompt


def render(model: LanguageModel, text: str, *, chat: bool | None) -> tuple[Prompt, bool]:
    """The prompt as the model reads it, and whether the chat template was used.

    chat None: the template where there is one and the model's own end-of-sequence closes a turn in it, which tells an
    instruct model from a base model that merely carries a template. Raw text is tokenised as it stands, with the
    tokenizer's own beginning-of-sequence if it adds one. Control tokens typed in the text count as control tokens.
    """
    tokenizer = model.tokenizer
    if chat and not tokenizer.chat_template:
        raise InputError(f"{model.name} has no chat template: it is a base model.", hint="Use raw mode.")
    if chat is None:
        chat = _is_instruct(tokenizer, model.eos_ids)
    if chat:
        rendered = _apply(tokenizer, [{"role": "user", "content": text}], add_generation_prompt=True)
        ids = tokenizer(rendered, add_special_tokens=False).input_ids  # the template has its own
    else:
        rendered, ids = text, tokenizer(text).input_ids
    if not ids:
        raise InputError("The prompt comes to no token at all.", hint="Type some text.")
    return Prompt(text=text, rendered=rendered, ids=tuple(ids)), chat


def check_length(prompt: Prompt, context: int, max_new_tokens: int, name: str) -> None:
    """InputError with both numbers where prompt and answer don't fit into what the model can read."""
    used = len(prompt.ids)
    if used + max_new_tokens <= context:
        return
    room = context - used
    hint = (
        f"Ask for at most {room}, or shorten the prompt." if room > 0 else f"Shorten it by {1 - room} tokens or more."
    )
    raise InputError(
        f"The prompt has {used:,} tokens and {max_new_tokens:,} new ones are asked for, but {name} reads {context:,}.",
        hint=hint,
    )


def _is_instruct(tokenizer: Any, eos_ids: tuple[int, ...]) -> bool:
    if not tokenizer.chat_template:
        return False
    turns = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]
    try:
        closed = tokenizer(_apply(tokenizer, turns), add_special_tokens=False).input_ids
    except InputError:
        return False
    return bool(set(eos_ids) & set(closed))


def _apply(tokenizer: Any, turns: list[dict[str, str]], **options: Any) -> str:
    try:
        return tokenizer.apply_chat_template(turns, tokenize=False, **options)
    except Exception as error:  # a template is a program of the model's; it may refuse in its own way
        raise InputError(f"The model's chat template fails: {str(error)[:200]}", hint="Use raw mode.") from error
