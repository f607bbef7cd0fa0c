"""What a DKIM signature covers (RFC 6376): it proves that a domain signed something, which need not be this letter.

    From, To, Subject, Date, Message-ID     stand in it once, and are signed; To or Cc names the office
    whatever else may stand once alone      stands in it once (RFC 5322, 3.6; RFC 2045)
    In-Reply-To, References                 choose nothing unless they are signed

Whoever has a signed letter of somebody's can send it to whom he likes, write other fields above those that are signed,
and add any that are not.  All that a letter is believed for by its signature is therefore looked for here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

from pbem.mail.wire.addresses import read_addresses, read_date, read_ids
from pbem.mail.wire.limits import MAX_HEADER_BLOCK, names

Header = Sequence[tuple[str, str]]
"""The fields of a letter, as `pbem.mail.headers.fields` gives them."""

Ours = Callable[[str], bool]
"""Says of an address whether letters to it are for the office."""

NEEDED: Final = ("from", "to", "subject", "date", "message-id")
"""What a signature must cover, or it proves nothing of the letter."""

ONCE: Final = names(
    "from sender reply-to to cc bcc subject date message-id in-reply-to references "
    "mime-version content-type content-transfer-encoding content-id content-description"
)
"""Fields of which a letter has one at most."""
_TITLES: Final = {"message-id": "Message-ID", "mime-version": "MIME-Version", "content-id": "Content-ID"}
_LINE: Final = re.compile(rb"[!-9;-~]+:|[ \t]+[^ \t]")
_ENVELOPE: Final = re.compile(rb"From [^\n]*\n")


def tags(signature: str) -> Mapping[str, str]:
    """The tags of a `DKIM-Signature`; none of one that is damaged.

    >>> tags("v=1; d = x.example; h=From : To;")["d"], tags("d=x.example; d=y.example")
    ('x.example', {})
    """
    said: dict[str, str] = {}
    for one in signature.strip().removesuffix(";").split(";"):
        name, equals, value = one.partition("=")
        name = name.strip()
        if not equals or name in said:
            return {}
        said[name] = value.strip()
    return said


def signed_fields(signature: Mapping[str, str]) -> frozenset[str]:
    """The names of the fields that a signature covers; none where it covers the beginning of a letter alone.

    >>> sorted(signed_fields({"h": "From : To"})), sorted(signed_fields({"h": "From:To", "l": "9"}))
    (['from', 'to'], [])
    """
    # With `l=`, orders that are written below would still be signed.
    return frozenset() if "l" in signature else frozenset(map(str.strip, signature.get("h", "").lower().split(":")))


def doubled(header: Header) -> tuple[str, ...]:
    """The names of the fields that stand in *header* more than once, though they may not."""
    counted = Counter(name for name, _ in header if name in ONCE)
    return tuple(name for name, count in counted.items() if count > 1)


def flaw(raw: bytes, header: Header, signed: Collection[str], ours: Ours) -> str:
    """Why a signature of the fields *signed* does not prove that the letter is its writer's to the office.

    In a phrase; empty if it does.
    """
    said = dict(header)
    if not _clear(raw):
        return "its header is damaged"
    if twice := doubled(header):
        return f"{titled(twice[0])} stands in it more than once"
    for name in NEEDED:
        if name not in said:
            return f"it has no {titled(name)}"
        if name not in signed:
            return f"its signature does not cover {titled(name)}"
    if read_date(said["date"]) is None or not read_ids(said["message-id"]):
        return "its Date or its Message-ID cannot be read"
    named = [one.address for name in ("to", "cc") if name in signed for one in read_addresses(said.get(name, ""))]
    return "" if any(map(ours, named)) else "what it is signed for was not written to the office"


def titled(name: str) -> str:
    """The name of a field as people write it.

    >>> titled("message-id"), titled("in-reply-to")
    ('Message-ID', 'In-Reply-To')
    """
    return _TITLES.get(name, name.title())


def _clear(raw: bytes) -> bool:
    """Whether everybody who reads the header finds the same fields in it.

    A line that is no field ends the header for some programs and not for others.
    """
    unix = raw[: 2 * MAX_HEADER_BLOCK].replace(b"\r\n", b"\n")
    block = unix.partition(b"\n\n")[0]
    if len(block) > MAX_HEADER_BLOCK or b"\r" in block or b"\x00" in block:
        return False
    if from_line := _ENVELOPE.match(block):
        block = block[from_line.end() :]
    return all(map(_LINE.match, block.split(b"\n")))
