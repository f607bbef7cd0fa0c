"""Whether the domain of a letter's From vouches for it.

Our own mail server says so (RFC 8601), or a DKIM signature (RFC 6376), checked here.
Whoever writes a letter can write any `Authentication-Results` into it.  Only the topmost one under a name that the
office trusts counts: its mail server puts its own above all that came with the letter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from enum import StrEnum
from typing import Final

import authres
import authres.dmarc
import msgspec

from pbem.mail.headers import fields
from pbem.mail.letter import read_head
from pbem.mail.limits import MAX_HEADER_BLOCK, MAX_LETTER, header_block, newlines

Lookup = Callable[[str], bytes | None]
"""Gives the TXT record of a name, None where there is none; may raise OSError where nobody answers."""

UNNAMED: Final = ""
"""To be trusted where the mail server gives no name of its own, as Microsoft's does."""

PATIENCE: Final = 5
"""Seconds to wait for an answer of the DNS."""

_SIGNATURES: Final = 5
_ALGORITHMS: Final = frozenset({b"rsa-sha256", b"ed25519-sha256"})
_KEY_BITS: Final = 1024
_NAME: Final = re.compile(r"\s*(?:\([^()]*\)\s*)*([^\s;=()]+)\s*(?:\([^()]*\)\s*)*(?:1\s*)?;")
_METHODS: Final = authres.FeatureContext(authres.dmarc)


class Result(StrEnum):
    """What is known of the From of a letter."""

    PASS = "pass"
    """Its domain vouches for it."""

    FAIL = "fail"
    """Our mail server found that it is forged."""

    NONE = "none"


class Authentication(msgspec.Struct, frozen=True):
    """The result, and what it rests upon."""

    result: Result
    evidence: str


def authenticate(raw: bytes, trusted: Collection[str] = (), lookup: Lookup | None = None) -> Authentication:
    """What vouches for the From of a letter; never raises.

    *trusted*: names (authserv-id) under which the office's own mail server writes what it found; without its word the
    signatures are checked here, if there is a *lookup* for their keys.
    """
    domain = read_head(raw).sender.address.rpartition("@")[2]
    if not domain or not _one_from(raw):
        return Authentication(Result.NONE, "it names no one sender")
    found = _own_results(raw, domain, {name.lower() for name in trusted}) if trusted else None
    if lookup is not None and (found is None or found.result is Result.NONE):
        found = _signed(raw, domain, lookup) or found
    return found or Authentication(Result.NONE, f"nothing vouches for {domain}")


def aligned(vouching: str, domain: str) -> bool:
    """Whether a signature of the domain *vouching* speaks for addresses of *domain*: the same, or one above it.

    >>> aligned("example.org", "Mail.Example.org"), aligned("x.example.org", "example.org"), aligned("org", "a.org")
    (True, False, False)
    """
    vouching, domain = vouching.lower().rstrip("."), domain.lower()
    return domain == vouching or ("." in vouching and domain.endswith(f".{vouching}"))


def look_up(name: str) -> bytes | None:
    """Ask the DNS for the TXT record of a name; takes `PATIENCE` seconds at most, and fails in many ways."""
    # Loaded here, for most letters need no question.
    from dkim import dnsplug

    found: bytes | None = dnsplug.get_txt(name.encode("ascii"), timeout=PATIENCE)
    return found


# ------------------------------------------------------------------------------------------------- our server's word


def _own_results(raw: bytes, domain: str, trusted: set[str]) -> Authentication | None:
    for value in _fields(raw, "authentication-results"):
        named = _NAME.match(value)
        name = named[1].lower() if named else UNNAMED
        if name in trusted:
            rest = value[named.end() :] if named else value
            return _word(f"office; {rest}", domain, name or "our mail server")
    return None


def _word(value: str, domain: str, name: str) -> Authentication:
    found = Authentication(Result.NONE, f"{name} found nothing that vouches for {domain}")
    for method, result, said in _results(value):
        about = said.get(("header", "from"), "").lower()
        if method == "dmarc" and about == domain and result == "fail":
            return Authentication(Result.FAIL, f"dmarc=fail by {name}")
        if method == "dmarc" and about == domain and result == "pass":
            found = Authentication(Result.PASS, f"dmarc=pass by {name}")
        signer = said.get(("header", "d")) or said.get(("header", "i"), "").rpartition("@")[2]
        if method == "dkim" and result == "pass" and aligned(signer, domain) and found.result is Result.NONE:
            found = Authentication(Result.PASS, f"dkim=pass for {signer} by {name}")
    return found


def _results(value: str) -> Iterator[tuple[str, str, dict[tuple[str, str], str]]]:
    """Each method of the field, its result, and what it says of the letter; none where the field cannot be read."""
    try:
        for one in _METHODS.parse_value(value.rstrip("; \t")).results:
            if isinstance(one, authres.AuthenticationResult):
                said = {(str(p.type).lower(), str(p.name).lower()): str(p.value) for p in one.properties}
                yield str(one.method).lower(), str(one.result).lower(), said
    except Exception:
        return  # the library fails in many ways on what it does not know


def _fields(raw: bytes, wanted: str) -> list[str]:
    """The values of all fields of that name, from the top."""
    return [value for name, value in fields(raw) if name == wanted]


def _one_from(raw: bytes) -> bool:
    """Whether everybody who reads the header finds the same From in it, and no other."""
    block = raw[: 2 * MAX_HEADER_BLOCK].replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    return b"\r" not in block and len(_fields(raw, "from")) == 1


# --------------------------------------------------------------------------------------------------- its signatures


def _signed(raw: bytes, domain: str, lookup: Lookup) -> Authentication | None:
    """A pass, if a signature that covers the whole letter holds; None otherwise: an honest one may break on its way."""
    # Loaded here, for it takes longer to load than all else that most letters need.
    import dkim
    from dkim.util import parse_tag_value

    if len(raw) > MAX_LETTER or len(header_block(newlines(raw))) > MAX_HEADER_BLOCK:
        return None
    for at, value in enumerate(_fields(raw, "dkim-signature")[:_SIGNATURES]):
        try:
            signer = parse_tag_value(value.encode("ascii", "replace"))[b"d"].decode("ascii")
            if not aligned(signer, domain):
                continue  # and its key is not asked for
            checked = dkim.DKIM(raw, minkey=_KEY_BITS)
            good = checked.verify(at, dnsfunc=lambda name, timeout: lookup(name.decode("ascii")))
            if good and _speaks_for(checked.signature_fields, domain):
                return Authentication(Result.PASS, f"dkim=pass for {signer}")
        except Exception:
            continue  # a damaged signature or key makes the library fail in many ways
    return None


def _speaks_for(signature: Mapping[bytes, bytes], domain: str) -> bool:
    """Whether it is of that domain and covers the letter: with `l=`, orders appended below would still be signed."""
    names = {name.strip().lower() for name in signature[b"h"].split(b":")}
    whole = b"l" not in signature and b"from" in names and signature[b"a"] in _ALGORITHMS
    return whole and aligned(signature[b"d"].decode("ascii"), domain)
