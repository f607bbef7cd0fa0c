"""Events as text, and back.

One event has one text: JSON as msgspec writes it, fields in the order of the class, keys of a mapping sorted,
what is at its default left out, strings in Unicode's normal form C.  Whole numbers only: a float would not be
the same on every machine.  What does not read back is not written.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable

import msgspec

from pbem.kernel.errors import BrokenLog
from pbem.kernel.event import Event, kind_of
from pbem.kernel.office import OFFICE_EVENTS
from pbem.storage.older import OFFICE
from pbem.storage.upcast import Json, Upcasts


def _no_float(text: str) -> None:
    raise ValueError(f"{text} is no whole number")


_ENCODE = msgspec.json.Encoder(order="deterministic").encode
_PARSE = msgspec.json.Decoder(float_hook=_no_float).decode

# A number that is not whole has a point or an exponent right behind a digit.  To look for these two in the text
# costs a quarter of reading it; little else looks so, and then the text is read.
_DIGIT_AND_POINT = bytes.maketrans(b"123456789eE", b"000000000..")


class Codec:
    """The kinds of one campaign's log: the office's own and the *facts* of its system.

    *upcasts* say how older shapes of them are read.
    """

    def __init__(self, facts: Iterable[type[Event]] = (), upcasts: Upcasts = OFFICE) -> None:
        self._upcasts = upcasts
        self._decode: dict[str, Callable[[bytes | str], Event]] = {}
        self._schema: dict[str, int] = {}
        self._current: dict[tuple[str, int], Callable[[bytes | str], Event]] = {}
        for fact in (*OFFICE_EVENTS, *facts):
            kind = kind_of(fact)
            if kind in self._decode:
                raise ValueError(f"two classes of events bear the name {kind}")
            self._decode[kind] = msgspec.json.Decoder(fact).decode
            self._schema[kind] = upcasts.schema(kind)
            self._current[kind, self._schema[kind]] = self._decode[kind]
        if unknown := sorted(upcasts.kinds - set(self._decode)):
            raise ValueError(f"an upcast for what is no kind of event here: {', '.join(unknown)}")

    def encode(self, event: Event) -> tuple[str, int, str]:
        """The kind, the schema and the text of *event*.

        :raises ValueError: if its kind is not of this log, or if it would not read back as it is: a float, a
            value that is not of its field's type.
        """
        kind = kind_of(event)
        decode = self._decode.get(kind)
        if decode is None:
            raise ValueError(f"{kind} is no kind of event of this log")
        try:
            written = _ENCODE(event)
            if b"0." in written.translate(_DIGIT_AND_POINT):
                _PARSE(written)
            if not written.isascii() and not unicodedata.is_normalized("NFC", written.decode()):
                event = decode(_ENCODE(_normal(_PARSE(written))))
                written = _ENCODE(event)
            if decode(written) != event:
                raise ValueError("it reads back as something else")
        except (ValueError, OverflowError, msgspec.MsgspecError) as error:
            raise ValueError(f"{kind} cannot be written: {error}") from error
        return kind, self._schema[kind], written.decode()

    def decode(self, kind: str, schema: int, text: bytes | str) -> Event:
        """The event that was written as *text*, in the shape of now.

        :raises BrokenLog: if there is no such kind or schema, or if the text is not one of it.
        """
        try:
            current = self._current.get((kind, schema))
            return current(text) if current else self._decode_old(kind, schema, text)
        except (ValueError, TypeError, LookupError, msgspec.MsgspecError) as error:
            raise BrokenLog(f"{kind} cannot be read: {error}") from error

    def _decode_old(self, kind: str, schema: int, text: bytes | str) -> Event:
        decode = self._decode.get(kind)
        if decode is None:
            raise BrokenLog(f"no kind of event is named {kind} in the rules that are installed")
        now = self._schema[kind]
        if not 1 <= schema < now:
            raise BrokenLog(f"{kind} is of schema {schema}, and this pbem reads up to {now}")
        return decode(_ENCODE(self._upcasts.lift(kind, schema, _PARSE(text))))


def _normal(parsed: Json) -> Json:
    match parsed:
        case str():
            return unicodedata.normalize("NFC", parsed)
        case list():
            return [_normal(one) for one in parsed]
        case dict():
            return {unicodedata.normalize("NFC", key): _normal(value) for key, value in parsed.items()}
        case _:  # a number, true, false, or nothing
            return parsed
