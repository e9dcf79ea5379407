"""Ids to text: one token with its true bytes, a stream without broken characters, stop strings."""

from __future__ import annotations

import re
from typing import Any

from specviz.trace.records import Token


class Text:
    """Decodes for one tokenizer (a fast one of transformers')."""

    def __init__(self, tokenizer: Any) -> None:
        self.tokenizer = tokenizer
        self._byte_level = "ByteLevel" in str(tokenizer.backend_tokenizer.decoder)
        self._added = tokenizer.added_tokens_decoder
        self._special = {i for i, token in self._added.items() if token.special}

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
        elif _BYTE_PIECE.fullmatch(piece):
            true = bytes.fromhex(piece[3:5])
        else:
            true = piece.replace("\u2581", " ").encode()
        return Token(true.decode(errors="replace"), true.hex())

    def is_part(self, token_id: int) -> bool:
        """Whether an id has no text of its own: a control token, padding, or one byte of a SentencePiece model, whose
        decoder makes text only of a whole run of bytes."""
        piece = self.tokenizer.convert_ids_to_tokens(token_id)
        if piece is None or token_id in self._special:
            return True
        return not self._byte_level and bool(_BYTE_PIECE.fullmatch(piece))

    def tokens(self, ids: Any) -> dict[int, Token]:
        return {i: self.token(i) for i in ids}

    def stream(self) -> TextStream:
        return TextStream(self)


class TextStream:
    """Text as it grows. What `push` returns, put together, is the start of one full decode of the ids."""

    def __init__(self, text: Text) -> None:
        self._text = text
        # The last token that was said, since decoders treat a first token apart; and behind it what waits.
        self._ids: list[int] = []
        self._said = ""  # the decode of that last token alone

    def push(self, token_id: int) -> str:
        """What this id adds; empty while a character is still incomplete, or where the id has no text."""
        self._ids.append(token_id)
        if self._text.is_part(token_id):
            return ""
        new = self.waiting()
        if new.endswith("\ufffd"):
            return ""
        self._ids = [token_id]
        self._said = self._text.decode(self._ids)
        return new

    def waiting(self) -> str:
        """What would still follow if the text ended here."""
        return self._text.decode(self._ids)[len(self._said) :]


class StopStrings:
    """Tells which token completes one of the stop strings."""

    def __init__(self, text: Text, stop: tuple[str, ...]) -> None:
        self._stream, self._stop = text.stream(), stop
        self._tail = ""  # what may be the start of one
        self._keep = max(map(len, stop)) - 1

    def __call__(self, token_id: int) -> bool:
        said = self._tail + self._stream.push(token_id)
        self._tail = said[max(len(said) - self._keep, 0) :]
        text = said + self._stream.waiting()
        return any(string in text for string in self._stop)


def _byte_alphabet() -> dict[str, int]:
    """GPT-2's alphabet: printable bytes stand for themselves, the other 68 for characters from U+0100 on."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [b for b in range(256) if b not in printable]
    return {chr(b): b for b in printable} | {chr(256 + n): b for n, b in enumerate(others)}


_BYTE_OF = _byte_alphabet()
_BYTE_PIECE = re.compile(r"<0x[0-9A-Fa-f]{2}>")
