"""What its writer wrote into a letter, apart from what the post, or who sent it once more, added on the way."""

from __future__ import annotations

import re
from email.parser import BytesHeaderParser
from hashlib import sha256
from typing import Final

from pbem.mail.wire.limits import MAX_HEADER_BLOCK, MAX_LETTER, header_block, newlines

_WRITTEN: Final = frozenset({"from", "subject", "date", "message-id"})
"""Fields that every copy of a letter has alike, whichever way it went, and that nobody can change where it is signed.

Who sends a signed letter of another's once more can add and change what is not signed, and the blanks in the rest.
"""

_BLANKS: Final = re.compile(rb"[ \t]+")
_LINE_ENDS: Final = re.compile(rb" +\n")


def content_digest(raw: bytes, *, subject: bool = True) -> str:
    """SHA-256 of a letter's body and of those fields of its header that its writer set; never raises.

    Without the *subject*, into which lists and gateways write: `[EXTERNAL]`.

    Blanks count as DKIM counts them where it is relaxed (RFC 6376, 3.4): a row of them is one, at the end of a line
    none.

    >>> content_digest(b"Sender: a\\r\\nSubject: x\\r\\n\\r\\na  b ") == content_digest(b"Subject: x\\n\\na b")
    True
    """
    unix = newlines(raw)
    block = header_block(unix)
    parsed = BytesHeaderParser().parsebytes(block[:MAX_HEADER_BLOCK] + b"\n\n")
    fields = sorted((name.lower(), " ".join(str(value).split())) for name, value in parsed.raw_items())
    said = sha256()
    for name, value in fields:
        if name in _WRITTEN and (subject or name != "subject"):
            said.update(f"{name}:{value}\n".encode("utf-8", "surrogateescape"))
    body = unix[len(block) :]
    if len(raw) <= MAX_LETTER:  # what is larger is never read
        body = _LINE_ENDS.sub(b"\n", _BLANKS.sub(b" ", body))
    said.update(body.rstrip())
    return said.hexdigest()
