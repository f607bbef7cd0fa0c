"""Whether the domain of a letter's From vouches for it.

Our own mail server says so (RFC 8601), or a DKIM signature (RFC 6376), checked here.
Whoever writes a letter can write any `Authentication-Results` into it.  Only the topmost one under a name that the
office trusts counts: its mail server puts its own above all that came with the letter.

That a signature holds, whoever says so, is half of it: what it covers must be the whole letter, to us
(`pbem.mail.covered`).  `dmarc=pass` that rests on SPF says which server handed a letter over, not who wrote it: a
letter that somebody at the same mail house got and passed on has it too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Final

import msgspec

from pbem.mail.reading.covered import Header, Ours, flaw, signed_fields, tags
from pbem.mail.reading.letter import read_head
from pbem.mail.wire.headers import fields
from pbem.mail.wire.limits import MAX_HEADER_BLOCK, MAX_LETTER, header_block, newlines

Lookup = Callable[[str], bytes | None]
"""Gives the TXT record of a name, None where there is none; may raise OSError where nobody answers."""

UNNAMED: Final = ""
"""To be trusted where the mail server gives no name of its own, as Microsoft's does."""

PATIENCE: Final = 5
"""Seconds to wait for an answer of the DNS."""

_SIGNATURES: Final = 5
_FIELDS: Final = 1000
_ALGORITHMS: Final = frozenset({"rsa-sha256", "ed25519-sha256"})
_KEY_BITS: Final = 1024
_NAME: Final = re.compile(r"\s*(?:\([^()]*\)\s*)*([^\s;=()]+)\s*(?:\([^()]*\)\s*)*(?:1\s*)?;")


class Result(StrEnum):
    """What is known of the From of a letter."""

    PASS = "pass"
    """Its domain vouches for it, and for all of the letter that the office goes by."""

    PART = "part"
    """Its domain vouches for something of it: anybody can have made this letter of one of its writer's."""

    FAIL = "fail"
    """Our mail server found that it is forged."""

    NONE = "none"


class Authentication(msgspec.Struct, frozen=True):
    """The result, and what it rests upon."""

    result: Result
    evidence: str
    flaw: str = ""
    """Why a signature that holds does not prove the letter, in a phrase (`PART`)."""

    signed: frozenset[str] = frozenset()
    """The fields that the signature covers (`PASS`), their names in small letters."""


def authenticate(raw: bytes, ours: Ours, trusted: Collection[str] = (), lookup: Lookup | None = None) -> Authentication:
    """What vouches for the From of a letter, and for the rest of it; never raises.

    *ours* knows the addresses of the office.  *trusted*: names (authserv-id) under which the office's own mail server
    writes what it found; where its word does not suffice the signatures are checked here, if there is a *lookup* for
    their keys.
    """
    domain = read_head(raw).sender.address.rpartition("@")[2]
    header = fields(raw)
    if not domain or not _one_from(raw, header):
        return Authentication(Result.NONE, "it names no one sender")
    found = _own_results(raw, header, domain, ours, {name.lower() for name in trusted}) if trusted else None
    if lookup is not None and (found is None or found.result in (Result.NONE, Result.PART)):
        found = _signed(raw, header, domain, ours, lookup) or found
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


def _own_results(raw: bytes, header: Header, domain: str, ours: Ours, trusted: set[str]) -> Authentication | None:
    for value in _fields(header, "authentication-results"):
        if not value:
            # It is too long to be read, and may be our server's: those below it may be anybody's.
            return Authentication(Result.NONE, "a field Authentication-Results is too long to be read")
        named = _NAME.match(value)
        name = named[1].lower() if named else UNNAMED
        if name in trusted:
            rest = value[named.end() :] if named else value
            return _word(raw, header, f"office; {rest}", domain, ours, name or "our mail server")
    return None


def _word(raw: bytes, header: Header, value: str, domain: str, ours: Ours, name: str) -> Authentication:
    vouching: list[str] = []
    signer = ""
    for method, result, said in _results(value):
        about = said.get(("header", "from"), "").lower()
        if method == "dmarc" and about == domain and result == "fail":
            return Authentication(Result.FAIL, f"dmarc=fail by {name}")
        if method == "dmarc" and about == domain and result == "pass":
            vouching.append(f"dmarc=pass by {name}")
        by = said.get(("header", "d")) or said.get(("header", "i"), "").rpartition("@")[2]
        if method == "dkim" and result == "pass" and aligned(by, domain) and not signer:
            signer = by
            vouching.append(f"dkim=pass for {by} by {name}")
    if not vouching:
        return Authentication(Result.NONE, f"{name} found nothing that vouches for {domain}")
    if not signer:
        return Authentication(Result.PART, vouching[0], "no signature of it was found good")
    return _covering(raw, header, _signatures(header, domain), ours, vouching[0])


def _covering(
    raw: bytes, header: Header, signatures: Sequence[Mapping[str, str]], ours: Ours, evidence: str
) -> Authentication:
    """What is known where one of *signatures* holds, and it is not known which: as much as all of them cover."""
    covered = frozenset[str].intersection(*map(signed_fields, signatures)) if signatures else frozenset[str]()
    if why := flaw(raw, header, covered, ours):
        return Authentication(Result.PART, f"{evidence}, but {why}", why)
    return Authentication(Result.PASS, evidence, signed=covered)


def _results(value: str) -> Iterator[tuple[str, str, dict[tuple[str, str], str]]]:
    """Each method of the field, its result, and what it says of the letter; none where the field cannot be read."""
    # Loaded where a mail server has written such a field.
    import authres
    import authres.dmarc

    try:
        for one in authres.FeatureContext(authres.dmarc).parse_value(value.rstrip("; \t")).results:
            if isinstance(one, authres.AuthenticationResult):
                said = {(str(p.type).lower(), str(p.name).lower()): str(p.value) for p in one.properties}
                yield str(one.method).lower(), str(one.result).lower(), said
    except Exception:
        return  # the library fails in many ways on what it does not know


def _fields(header: Header, wanted: str) -> list[str]:
    """The values of all fields of that name, from the top."""
    return [value for name, value in header if name == wanted]


def _one_from(raw: bytes, header: Header) -> bool:
    """Whether everybody who reads the header finds the same From in it, and no other."""
    block = raw[: 2 * MAX_HEADER_BLOCK].replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    return b"\r" not in block and len(_fields(header, "from")) == 1


# --------------------------------------------------------------------------------------------------- its signatures


def _signatures(header: Header, domain: str) -> list[Mapping[str, str]]:
    """The tags of all signatures that are said to speak for *domain*, damaged ones too."""
    every = map(tags, _fields(header, "dkim-signature"))
    return [one for one in every if not one or aligned(one.get("d", ""), domain)]


def _signed(raw: bytes, header: Header, domain: str, ours: Ours, lookup: Lookup) -> Authentication | None:
    """What a signature that holds is worth; None where none holds: an honest one may break on its way."""
    # Loaded here, for it takes longer to load than all else that most letters need.
    import dkim

    if len(raw) > MAX_LETTER or len(header) > _FIELDS or len(header_block(newlines(raw))) > MAX_HEADER_BLOCK:
        return None
    found = None
    for at, value in enumerate(_fields(header, "dkim-signature")[:_SIGNATURES]):
        signature = tags(value)
        signer = signature.get("d", "")
        if (
            not aligned(signer, domain)
            or signature.get("a") not in _ALGORITHMS
            or "from" not in signed_fields(signature)
        ):
            continue  # and its key is not asked for
        try:
            checked = dkim.DKIM(raw, minkey=_KEY_BITS)
            good = checked.verify(at, dnsfunc=lambda name, timeout: lookup(name.decode("ascii")))
        except Exception:
            continue  # a damaged signature or key makes the library fail in many ways
        if good:
            one = _covering(raw, header, [signature], ours, f"dkim=pass for {signer}")
            if one.result is Result.PASS:
                return one
            found = found or one
    return found
