"""What a run was: plain frozen values, and their JSON, format "specviz.trace", version 1.

Ids are token ids, probabilities lie in [0, 1], seconds are wall-clock seconds. The field names are the file's keys
(`source` is written as "from"). Reading is strict, since a trace file may come from anywhere: every value is checked
against the type that stands here, and an unknown key is ignored. Standard library only.
"""

from __future__ import annotations

import dataclasses
import functools
import json
import reprlib
import types
import typing
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from specviz.errors import TraceError

FORMAT = "specviz.trace"
VERSION = 1
MAX_FILE_BYTES = 20_000_000  # a trace of 256 tokens stays under 2 MB; the rest is room for long runs

Status = Literal["accepted", "rejected", "discarded"]
Kind = Literal["accepted", "resampled", "bonus", "plain"]
Limit = Literal["length", "context", "no_match", "eos_drafted"]
Cut = Literal["eos", "stop_string"]
StopReason = Literal["eos", "stop_string", "length", "context", "cancelled", "error"]
DrafterKind = Literal["model", "prompt_lookup"]


@dataclass(frozen=True)
class ModelRef:
    """A model as it was used: its name, what version, in which number format, where."""

    name: str
    revision: str
    dtype: str
    device: str


@dataclass(frozen=True)
class DrafterRef:
    """What proposed: a draft model, or prompt lookup. A draft model shares the target's device and dtype rules."""

    kind: DrafterKind
    name: str
    revision: str = ""
    dtype: str = ""
    device: str = ""


@dataclass(frozen=True)
class Settings:
    """What was in force, in both arms alike. top_k 0, top_p 1, min_p 0 and repetition_penalty 1 mean 'off'."""

    target: ModelRef
    drafter: DrafterRef
    rule: str
    gamma: int
    temperature: float
    top_k: int
    top_p: float
    min_p: float
    repetition_penalty: float
    min_new_tokens: int
    max_new_tokens: int
    max_ngram: int
    stop: tuple[str, ...]
    chat: bool
    seed: int


@dataclass(frozen=True)
class Prompt:
    """The prompt as typed, as rendered by the chat template (the same text in raw mode), and its ids."""

    text: str
    rendered: str
    ids: tuple[int, ...]


@dataclass(frozen=True)
class Token:
    """A token's text, and its true bytes in hex (a part of an emoji has bytes, but no text of its own)."""

    text: str
    bytes: str


@dataclass(frozen=True)
class Draft:
    """One drafted token and what became of it.

    draw: the uniform that drew it from q (None: copied, nothing was drawn). p, q: its probability under target and
    drafter. u: the uniform of its test (None: never tested). threshold: min(1, p/q). overlap: sum of min(p, q) over
    the vocabulary. top: one table for this position, rows of (id, p, q): the likeliest of p, of q and of the residual.
    logits: at temperature 0 the target's five largest after the processors.
    """

    id: int
    source: DrafterKind = field(metadata={"key": "from"})
    draw: float | None
    p: float
    q: float
    u: float | None
    threshold: float
    overlap: float
    status: Status
    top: tuple[tuple[int, float, float], ...] = ()
    logits: tuple[tuple[int, float], ...] | None = None


@dataclass(frozen=True)
class Emitted:
    """One token of the output.

    draw, probability: the uniform that drew it and its probability under what it was drawn from, that is the
    residual (resampled) or p (bonus, plain); None for an accepted draft. top: rows of (id, probability) of that
    same distribution.
    """

    id: int
    kind: Kind
    draw: float | None = None
    probability: float | None = None
    top: tuple[tuple[int, float], ...] | None = None
    logits: tuple[tuple[int, float], ...] | None = None


@dataclass(frozen=True)
class Lookup:
    """Where prompt lookup copied from: half-open spans over prompt and output together."""

    matched: tuple[int, int]
    copied: tuple[int, int]


@dataclass(frozen=True)
class Step:
    """One draft-and-verify cycle, exactly one target pass. limit: why fewer than gamma were drafted; cut: what ended
    the run inside this step. seconds = draft + verify + the rest."""

    index: int
    gamma: int
    limit: Limit | None
    cut: Cut | None
    drafts: tuple[Draft, ...]
    lookup: Lookup | None
    emitted: tuple[Emitted, ...]
    draft_passes: int
    draft_seconds: float
    verify_seconds: float
    seconds: float


@dataclass(frozen=True)
class Prefill:
    """Seconds to read the prompt but its last token, by each model; part of no step."""

    target_seconds: float
    draft_seconds: float


@dataclass(frozen=True)
class Output:
    """The emitted ids, one decode of them, and what ended the arm."""

    ids: tuple[int, ...]
    text: str
    stop_reason: StopReason


@dataclass(frozen=True)
class Arm:
    """One generation from start to end: speculative, or plain."""

    prefill: Prefill
    steps: tuple[Step, ...]
    output: Output


@dataclass(frozen=True)
class Trace:
    """A run. `tokens` maps every id that occurs to its text and bytes; `metrics` and `environment` are JSON values."""

    settings: Settings
    prompt: Prompt
    tokens: dict[int, Token]
    speculative: Arm
    baseline: tuple[Arm, ...] = ()
    metrics: dict[str, Any] = field(default_factory=dict)
    environment: dict[str, Any] = field(default_factory=dict)


# --- JSON ---------------------------------------------------------------------------------------------------------


def to_json(record: Any) -> Any:
    """A record as plain JSON values. Tuples become lists; dict keys become strings.

    >>> to_json(Output(ids=(1, 2), text="hi", stop_reason="eos"))
    {'ids': [1, 2], 'text': 'hi', 'stop_reason': 'eos'}
    """
    if dataclasses.is_dataclass(record) and not isinstance(record, type):
        plain = {key: to_json(getattr(record, name)) for name, key, _, _ in _fields(type(record))}
        return {"format": FORMAT, "version": VERSION, **plain} if isinstance(record, Trace) else plain
    if isinstance(record, dict):
        return {str(key): to_json(value) for key, value in record.items()}
    if isinstance(record, (tuple, list)):
        return [to_json(value) for value in record]
    return record


def dumps(trace: Trace) -> str:
    """The trace as strict JSON text (no NaN, numbers unrounded)."""
    return json.dumps(to_json(trace), allow_nan=False, ensure_ascii=False, separators=(",", ":"))


def loads(text: str) -> Trace:
    """Read a trace; raises TraceError that says what is wrong and where."""
    try:
        plain = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        reason = "it is empty" if not text.strip() else f"it is not strict JSON ({error})"
        raise TraceError(f"This is not a trace file: {reason}.", hint=_HINT) from None
    if not isinstance(plain, dict) or plain.get("format") != FORMAT:
        raise TraceError(f'This is not a trace file: "format" is not "{FORMAT}".', hint=_HINT)
    if plain.get("version") != VERSION:
        found = reprlib.repr(plain.get("version"))[:20]
        raise TraceError(f"This trace has version {found}; this program reads version {VERSION}.", hint=_HINT)
    return _read(Trace, plain, "trace")


def load(path: str | Path) -> Trace:
    """Read a trace file of at most MAX_FILE_BYTES."""
    path = Path(path)
    try:
        size = path.stat().st_size
        if size > MAX_FILE_BYTES:
            limit = f"at most {MAX_FILE_BYTES // 1_000_000} MB"
            raise TraceError(f"The file has {size / 1e6:.0f} MB; a trace may have {limit}.", hint=_HINT)
        return loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise TraceError(f"{path.name} can't be read: {error.strerror}.", hint=_HINT) from None
    except UnicodeDecodeError:
        raise TraceError("This is not a trace file: it is not UTF-8 text.", hint=_HINT) from None


_HUGE = 1e300
_MOST = 2**53  # whole numbers up to here are exact wherever JSON is read
_DEEPEST = 20
_HINT = "Open a .json file that specviz has written."


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not allowed")


@functools.cache
def _fields(record: type) -> tuple[tuple[str, str, Any, bool], ...]:
    """(attribute, key in the file, type, has a default) of each field."""
    hints = typing.get_type_hints(record)
    return tuple(
        (
            f.name,
            f.metadata.get("key", f.name),
            hints[f.name],
            f.default is not dataclasses.MISSING or f.default_factory is not dataclasses.MISSING,
        )
        for f in dataclasses.fields(record)
    )


def _read(kind: Any, value: Any, where: str) -> Any:
    """`value` as `kind`, one of the types used above, or a TraceError that names the place."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if kind is Any:
        return _read_plain(value, where)
    if dataclasses.is_dataclass(kind):
        if not isinstance(value, dict):
            raise _wrong(where, "an object", value)
        found = {}
        for name, key, hint, optional in _fields(typing.cast(type, kind)):
            if key in value:
                found[name] = _read(hint, value[key], f"{where}.{key}")
            elif not optional:
                raise TraceError(f"The trace lacks {where}.{key}.", hint=_HINT)
        return typing.cast(Any, kind)(**found)
    if origin in (typing.Union, types.UnionType):
        return None if value is None else _read(arguments[0], value, where)
    if origin is Literal:
        if value not in arguments or isinstance(value, bool):
            raise _wrong(where, " or ".join(map(repr, arguments)), value)
        return value
    if origin is tuple:
        return _read_tuple(arguments, value, where)
    if origin is dict:
        return _read_dict(arguments, value, where)
    if kind is float and type(value) in (int, float) and -_HUGE < value < _HUGE:  # 1e999 is read as infinity
        return float(value)
    if type(value) is not kind or not _USABLE[kind](value):
        raise _wrong(where, {int: "a whole number", float: "a number", str: "text", bool: "true or false"}[kind], value)
    return value


def _read_plain(value: Any, where: str, depth: int = 0) -> Any:
    """Any JSON value of a modest depth that can be written again."""
    if depth > _DEEPEST:
        raise TraceError(f"{where} is nested too deeply.", hint=_HINT)
    if isinstance(value, dict):
        return {_read(str, key, where): _read_plain(item, where, depth + 1) for key, item in value.items()}
    if isinstance(value, list):
        return [_read_plain(item, where, depth + 1) for item in value]
    if isinstance(value, (int, float)) and not -_HUGE < value < _HUGE:
        raise _wrong(where, "a number of a usable size", value)
    return _read(str, value, where) if isinstance(value, str) else value


def _is_whole(text: str) -> bool:
    """Whether it can be written as UTF-8: half of a surrogate pair can't."""
    return text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text)


_USABLE: dict[type, Callable[[Any], bool]] = {
    int: lambda value: abs(value) <= _MOST,
    float: lambda value: False,  # a usable one has been returned before
    str: _is_whole,
    bool: lambda value: True,
}


def _read_tuple(arguments: tuple[Any, ...], value: Any, where: str) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise _wrong(where, "a list", value)
    if arguments[-1] is Ellipsis:
        return tuple(_read(arguments[0], item, f"{where}[{i}]") for i, item in enumerate(value))
    if len(value) != len(arguments):
        raise _wrong(where, f"a list of {len(arguments)}", value)
    return tuple(_read(kind, item, f"{where}[{i}]") for i, (kind, item) in enumerate(zip(arguments, value)))


def _read_dict(arguments: tuple[Any, ...], value: Any, where: str) -> dict[Any, Any]:
    if not isinstance(value, dict):
        raise _wrong(where, "an object", value)
    if arguments[0] is not int:
        return {_read(str, key, where): _read(arguments[1], value[key], f"{where}.{key[:20]}") for key in value}
    found = {}
    for key, item in value.items():
        if not (key.isascii() and key.isdigit() and len(key) < 10):
            raise _wrong(where, "an object whose keys are token ids", key)
        found[int(key)] = _read(arguments[1], item, f"{where}.{key}")
    return found


def _wrong(where: str, expected: str, value: Any) -> TraceError:
    shown = reprlib.repr(value)  # bounded, however long or deep the value is
    shown = shown if len(shown) <= 40 else shown[:37] + "..."
    return TraceError(f"{where} should be {expected}, but is {shown}.", hint=_HINT)
