"""Ids to text: one token with its true bytes, a stream without broken characters, stop strings."""

from __future__ import annotations

import re
from typing import Any

from tokenizers.decoders import DecodeStream

from specviz.trace.records import Token


class Text:
    """Decodes for one tokenizer (a fast one of transformers')."""

    def __init__(self, tokenizer: Any) -> None:
        self.tokenizer = tokenizer
        self._byte_level = "ByteLevel" in str(tokenizer.backend_tokenizer.decoder)
        self._added = tokenizer.added_tokens_decoder

    def decode(self, ids: list[int] | tuple[int, ...]) -> str:
        """The text of an output. Control tokens such as end-of-sequence are not part of it."""
        return self.tokenizer.decode(list(ids), skip_special_tokens=True, clean_up_tokenization_spaces=False)

    def token(self, token_id: int) -> Token:
        """A token's text and true bytes. An id behind the tokenizer's last (padding of the vocabulary) has neither."""
        if token_id in self._added:
            text = self._added[token_id].content
            return Token(text, text.encode().hex())
        piece = self.tokenizer.convert_ids_to_tokens(token_id)
        if piece is None:
            return Token(f"[{token_id}]", "")
        if self._byte_level:
            true = bytes(_BYTE_OF[c] for c in piece) if all(c in _BYTE_OF for c in piece) else piece.encode()
        elif re.fullmatch(r"<0x[0-9A-Fa-f]{2}>", piece):
            true = bytes.fromhex(piece[3:5])
        else:
            true = piece.replace("\u2581", " ").encode()
        return Token(true.decode(errors="replace"), true.hex())

    def tokens(self, ids: Any) -> dict[int, Token]:
        return {i: self.token(i) for i in ids}

    def stream(self) -> TextStream:
        return TextStream(self)


class TextStream:
    """Text as it grows. What `push` returns, put together, is the start of one full decode of the ids."""

    def __init__(self, text: Text) -> None:
        self._tokenizer = text.tokenizer.backend_tokenizer
        self._stream = DecodeStream(skip_special_tokens=True)

    def push(self, token_id: int) -> str:
        """What this id adds; empty while a character is still incomplete, or where the id has no text."""
        return self._stream.step(self._tokenizer, token_id) or ""


class StopStrings:
    """Tells which token completes one of the stop strings."""

    def __init__(self, text: Text, stop: tuple[str, ...]) -> None:
        self._stream, self._stop = text.stream(), stop
        self._tail = ""
        self._keep = max(map(len, stop)) - 1

    def __call__(self, token_id: int) -> bool:
        seen = self._tail + self._stream.push(token_id)
        self._tail = (
            seen[len(seen) - self._keep :] if self._keep and len(seen) > self._keep else seen if self._keep else ""
        )
        return any(string in seen for string in self._stop)


def _byte_alphabet() -> dict[str, int]:
    """GPT-2's alphabet: printable bytes stand for themselves, the other 68 for characters from U+0100 on."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [b for b in range(256) if b not in printable]
    return {chr(b): b for b in printable} | {chr(256 + n): b for n, b in enumerate(others)}


_BYTE_OF = _byte_alphabet()
