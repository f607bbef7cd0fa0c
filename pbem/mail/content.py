"""What its writer wrote into a letter, apart from what the post added on the way."""

from __future__ import annotations

from email.parser import BytesHeaderParser
from hashlib import sha256
from typing import Final

from pbem.mail.limits import MAX_HEADER_BLOCK, header_block, newlines

_WRITTEN: Final = frozenset(
    {
        "from",
        "sender",
        "subject",
        "date",
        "message-id",
        "in-reply-to",
        "references",
        "content-type",
        "content-transfer-encoding",
    }
)
"""Fields that every copy of a letter has alike, whichever way it went."""


def content_digest(raw: bytes) -> str:
    """SHA-256 of a letter's body and of those fields of its header that its writer set; never raises.

    >>> content_digest(b"Received: from a\\r\\nSubject: x\\r\\n\\r\\nhold") == content_digest(b"Subject: x\\n\\nhold")
    True
    """
    unix = newlines(raw)
    block = header_block(unix)
    parsed = BytesHeaderParser().parsebytes(block[:MAX_HEADER_BLOCK] + b"\n\n")
    fields = sorted((name.lower(), " ".join(str(value).split())) for name, value in parsed.raw_items())
    said = sha256()
    for name, value in fields:
        if name in _WRITTEN:
            said.update(f"{name}:{value}\n".encode("utf-8", "surrogateescape"))
    said.update(unix[len(block) :].rstrip())
    return said.hexdigest()
