"""The office's secret addresses: what stands after the plus says which player writes, and only the office can make it.

    gpw+moltke.1.5rayzzg3wqj6pz75@office.example      to answer to: campaign, player, epoch, mac
    gpw+b.k3xq7mmd2a.5rayzzg3wqj6pz75@…               where a letter of the outbox comes back to (VERP)
    gpw+u.moltke.1.5rayzzg3wqj6pz75@…                 to stop the letters to a player
    gpw+g.k3xq7mmd2a.1.5rayzzg3wqj6pz75@…             where somebody who runs games gives the office his word
    post+gpw.moltke.1.5rayzzg3wqj6pz75@…              any of them, where one mailbox takes all letters

The mac is of the whole meaning, whatever of it there is room to show; it is small letters and digits alone, for mail
programs fold case.  A new epoch makes all earlier addresses of a player void.
"""

from __future__ import annotations

import hmac
import re
from base64 import b32encode
from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import Final

import msgspec

from pbem.kernel.errors import PbemError

LOCAL_PART: Final = 64
"""Characters before the @ at most (RFC 5321, 4.5.3.1.1)."""

MAC_BYTES: Final = 10

_MAC: Final = 16  # characters of so many bytes in base32
_NAME: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])")
_SHOWN: Final = re.compile(r"[a-z0-9][a-z0-9-]*")
_MAILBOX: Final = re.compile(r"[a-z0-9](?:[a-z0-9._-]{0,18}[a-z0-9])?")
_EPOCH: Final = re.compile(r"[1-9][0-9]{0,3}")
_SECRET: Final = re.compile(r"(?i)((?:\+|%2b|=2b)[a-z0-9.-]{1,60}?\.)[a-z2-7]{16}(?=(?:@|%40|=40))")


Named = Callable[[str], Iterable[str]]
"""The names of the campaigns that begin so; asked only after what an address shows."""


class BadAddress(PbemError):
    """An address cannot be made of these names."""


class Purpose(StrEnum):
    """What an address is for; one made for one purpose is nothing for another."""

    REPLY = "reply"
    BOUNCE = "bounce"
    STOP = "stop"
    GM = "gm"


_MARK: Final = {Purpose.BOUNCE: "b", Purpose.STOP: "u", Purpose.GM: "g"}
_PURPOSE: Final = {mark: purpose for purpose, mark in _MARK.items()}


class Meaning(msgspec.Struct, frozen=True):
    """What an address of the office says."""

    purpose: Purpose
    campaign: str
    name: str
    """Of the player, or a GM's tag; where a letter came back, its id in the outbox."""

    epoch: int = 0
    """0 where a letter came back."""


class Token(StrEnum):
    """What the addresses that a letter was sent to prove about its writer."""

    NONE = "none"
    """None of them is secret."""

    BAD = "bad"
    """One looks secret, and the office did not make it."""

    OLD = "old"
    """One was secret once: its epoch is over."""

    GOOD = "good"


class Proof(msgspec.Struct, frozen=True):
    """The strongest that the addresses of a letter prove."""

    token: Token
    meaning: Meaning | None = None
    """What the address says; None where there is none, or it is bad."""


def make_address(meaning: Meaning, key: bytes, host: str, *, mailbox: str = "") -> str:
    """The address that says *meaning*; with *mailbox*, one whose letters come to that mailbox of *host*.

    A campaign for whose name there is no room is shown by its beginning.

    >>> make_address(Meaning(Purpose.REPLY, "gpw", "moltke", 1), bytes(32), "office.example")
    'gpw+moltke.1.zqnnwxm3wteocw2w@office.example'

    :raises BadAddress: if a name cannot stand in an address.
    """
    _check(meaning, mailbox)
    fields = _fields(meaning)
    campaign = _shown(meaning.campaign, fields, mailbox)
    right = ".".join((*fields, _mac(key, meaning)))
    local = f"{mailbox}+{campaign}.{right}" if mailbox else f"{campaign}+{right}"
    return f"{local}@{host.lower()}"


def read_address(address: str, key: bytes, campaigns: Named) -> Meaning | None:
    """What an address says, if the office with *key* made it for one of *campaigns*; None otherwise, whatever is wrong.

    The case of letters does not matter.
    """
    left, plus, right = address.strip().lower().rpartition("@")[0].partition("+")
    *fields, mac = right.split(".")
    if not plus or len(mac) != _MAC or not mac.isascii():
        return None
    for mailbox, shown, named in (("", left, fields), (left, fields[0] if fields else "", fields[1:])):
        if (read := _read_fields(named)) is None or not _SHOWN.fullmatch(shown):
            continue
        purpose, name, epoch = read
        for campaign in campaigns(shown):
            meaning = Meaning(purpose, campaign, name, epoch)
            fits = _shown(campaign, named, mailbox) == shown
            if fits and hmac.compare_digest(_mac(key, meaning).encode("ascii"), mac.encode("ascii")):
                return meaning
    return None


def meanings(recipients: Iterable[str], key: bytes, host: str, campaigns: Named) -> tuple[Meaning, ...]:
    """What those of *host* among the addresses of a letter say, each once; what we did not make says nothing."""
    ours = (one for one in recipients if looks_secret(one) and one.lower().rpartition("@")[2] == host.lower())
    return tuple(dict.fromkeys(filter(None, (read_address(one, key, campaigns) for one in ours))))


def prove(
    recipients: Iterable[str],
    key: bytes,
    host: str,
    campaigns: Named,
    epoch: Callable[[str], int | None],
    *,
    of: Purpose = Purpose.REPLY,
) -> Proof:
    """What the addresses that a letter was sent to prove, the envelope's first; *epoch*: of a player, the one now.

    Only addresses of *host* count, and of those that are sound only such as are *of* that purpose.  A player who has no
    epoch has no address.
    """
    order = list(Token)
    best = Proof(Token.NONE)
    for recipient in recipients:
        if not looks_secret(recipient) or recipient.lower().rpartition("@")[2] != host.lower():
            continue
        meaning = read_address(recipient, key, campaigns)
        found = Proof(Token.BAD)
        if meaning is not None:
            if meaning.purpose is not of:
                continue
            now = meaning.epoch == epoch(meaning.name)
            found = Proof(Token.GOOD if now else Token.OLD, meaning)
        if order.index(found.token) > order.index(best.token):
            best = found
    return best


def is_mailbox(local: str) -> bool:
    """Whether what stands before the @ of an address can be the *mailbox* of a secret one.

    >>> is_mailbox("office"), is_mailbox("office+games"), is_mailbox("a-very-long-name-of-an-office")
    (True, False, False)
    """
    return bool(_MAILBOX.fullmatch(local))


def looks_secret(address: str) -> bool:
    """Whether an address has the form of a secret one, be it sound or not."""
    return redact(address) != address


def redact(text: str) -> str:
    """The text without the macs in it, fit for a log or a page.

    >>> redact("To: gpw+moltke.1.zqnnwxm3wteocw2w@office.example, b@x.example")
    'To: gpw+moltke.1.…@office.example, b@x.example'
    """
    return _SECRET.sub(r"\1…", text)


def _mac(key: bytes, meaning: Meaning) -> str:
    said = ("pbem address", meaning.purpose, meaning.campaign, meaning.name, str(meaning.epoch))
    # With its length before it, no field can take letters from its neighbour.
    message = b"".join(len(one.encode()).to_bytes(4) + one.encode() for one in said)
    return b32encode(hmac.digest(key, message, "sha256")[:MAC_BYTES]).decode("ascii").lower()


def _fields(meaning: Meaning) -> tuple[str, ...]:
    mark = (_MARK[meaning.purpose],) if meaning.purpose in _MARK else ()
    epoch = () if meaning.purpose is Purpose.BOUNCE else (str(meaning.epoch),)
    return (*mark, meaning.name, *epoch)


def _read_fields(fields: list[str]) -> tuple[Purpose, str, int] | None:
    match fields:
        case ["b", name]:
            return Purpose.BOUNCE, name, 0
        case [*mark, name, epoch] if len(mark) <= 1 and _EPOCH.fullmatch(epoch):
            purpose = _PURPOSE.get(mark[0]) if mark else Purpose.REPLY
            return (purpose, name, int(epoch)) if purpose and purpose is not Purpose.BOUNCE else None
    return None


def _shown(campaign: str, fields: Iterable[str], mailbox: str) -> str:
    """As much of the campaign's name as there is room for beside the rest."""
    taken = sum(len(field) + 1 for field in fields) + _MAC + (len(mailbox) + 1 if mailbox else 0) + 1
    return campaign[: LOCAL_PART - taken].rstrip("-")


def _check(meaning: Meaning, mailbox: str) -> None:
    if not _NAME.fullmatch(meaning.campaign):
        raise BadAddress(f'"{meaning.campaign}" is no name of a campaign that an address can hold.')
    if not _NAME.fullmatch(meaning.name) or len(meaning.name) > _MAC:
        raise BadAddress(f'"{meaning.name}" is no name that an address can hold.')
    bounce = meaning.purpose is Purpose.BOUNCE
    if meaning.epoch != 0 if bounce else not _EPOCH.fullmatch(str(meaning.epoch)):
        raise BadAddress(f"{meaning.epoch} is no epoch that an address can hold.")
    if mailbox and not _MAILBOX.fullmatch(mailbox):
        raise BadAddress(f'"{mailbox}" is no mailbox whose address can be extended by a plus.')
