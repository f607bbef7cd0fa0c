"""What kind of file bytes are, where they are no plain text: told by how they begin, and by the name of the file.

What a file is called says less than what is in it: a name tells documents apart that are packed alike, and is
believed alone only of letters.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePath
from typing import Final

from msgspec import Struct

from pbem.mail.wire.charsets import decode

AS_TEXT: Final = "save it as plain text (UTF-8, a name that ends in .txt), or copy its lines into such a file"
TO_RECEIVE: Final = "a letter is taken in, and who wrote it is looked at, by: pbem mail receive FILE"


class Kind(Struct, frozen=True):
    """A kind of file that is no plain text: what it is, in a phrase, and what to do with it instead."""

    name: str
    instead: str = AS_TEXT


_LETTER: Final = Kind("a letter with its header", TO_RECEIVE)
_BINARY: Final = Kind("no text")
_PACKED: Final = Kind("a packed file")

_BEGINNINGS: Final[tuple[tuple[bytes, Kind], ...]] = (
    (b"%PDF-", Kind("a PDF")),
    (b"PK\x03\x04", _PACKED),
    (b"\x1f\x8b", _PACKED),
    (b"7z\xbc\xaf\x27\x1c", _PACKED),
    (b"\xd0\xcf\x11\xe0", Kind("a document of an office program")),
    (b"{\\rtf", Kind("a document in rich text (RTF)")),
    (b"\x89PNG", Kind("a picture")),
    (b"\xff\xd8\xff", Kind("a picture")),
    (b"GIF8", Kind("a picture")),
)
_BY_NAME: Final[Mapping[str, Kind]] = {
    ".docx": Kind("a Word document"),
    ".odt": Kind("a document of an office program"),
    ".pages": Kind("a document of an office program"),
    ".xlsx": Kind("a spreadsheet"),
    ".ods": Kind("a spreadsheet"),
}
"""Of files that are packed alike."""

_LETTERS: Final = frozenset({".eml", ".mbox", ".msg"})
_PAGE: Final = re.compile(rb"\s*<(?:!doctype html|html|head|body)\b", re.IGNORECASE)
_FIELD: Final = re.compile(rb"([!-9;-~]+):|[ \t]|From ")
_OF_THE_POST: Final = frozenset(
    b"received return-path delivered-to message-id mime-version dkim-signature x-received".split()
)
"""Fields that nobody types above his orders: where one stands in a header, it is that of a letter."""

_LOOKED_AT: Final = 4_096
_CONTROL: Final = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f]")


def kind_of_file(data: bytes, name: str = "") -> Kind | None:
    """What kind of file *data* is; None if it is plain text, in whatever character set.

    >>> kind_of_file(b"%PDF-1.7 ...").name, kind_of_file(b"PK\\x03\\x04...", "orders.docx").name
    ('a PDF', 'a Word document')
    >>> kind_of_file(b"game ford\\nmove s1 to 3") is None
    True
    """
    ending = PurePath(name).suffix.casefold()
    if ending in _LETTERS or _is_letter(data[:_LOOKED_AT]):
        return _LETTER
    for beginning, kind in _BEGINNINGS:
        if data.startswith(beginning):
            return _BY_NAME.get(ending, kind) if kind is _PACKED else kind
    if _PAGE.match(data[:_LOOKED_AT].removeprefix(b"\xef\xbb\xbf")):
        return Kind("a web page")
    text, _ = decode(data, "utf-8")
    return _BINARY if _CONTROL.search(text.rstrip("\x1a\0")) else None


def _is_letter(data: bytes) -> bool:
    """Whether *data* begins with the header of a letter, as a mail program or a server writes it."""
    for line in data.lstrip(b"\r\n").splitlines():
        field = _FIELD.match(line)
        if field is None:
            return False
        if field[1] and field[1].lower() in _OF_THE_POST:
            return True
    return False
