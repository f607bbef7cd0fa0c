"""Who wrote, for which campaign, and whether it was a person at all: questions put to a letter's headers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from pbem.mail.wire.addresses import decode_words, read_addresses
from pbem.mail.wire.limits import names

LOOP_HEADER: Final = "X-Pbem-Loop"
"""Set on every letter of an office, so that no two offices ever write to each other without end."""

_TAG: Final = re.compile(r"\[\s*([^\W\d_][\w.-]{0,63})\s*\]")
_NOT_CAMPAIGNS: Final = names("ext extern external externe caution spam bulk suspicious warning")
_COMMENT: Final = re.compile(r"\([^()]*\)")
_DAEMONS: Final = re.compile(
    r"(?:mailer-?daemon|postmaster|no-?reply|do-?not-?reply|donotreply|bounces?|mdaemon|auto-?reply|autoresponder)"
    r"(?:[-+._=].*)?"
)
_SYSTEMS: Final = ("mailer-daemon", "postmaster")
_BULK: Final = frozenset({"bulk", "junk", "list", "auto_reply"})
_AUTOREPLY_FIELDS: Final = frozenset(
    {"x-autoreply", "x-autorespond", "x-autoresponse", "x-autoreply-from", "x-mail-autoreply", "x-failed-recipients"}
)


def campaign_tag(subject: str) -> str | None:
    """The campaign that a subject names in square brackets, in lower case, or None.

    Marks of replies before it do not matter, nor warnings that a mail server wrote there.

    >>> campaign_tag("AW: Re[2]: [EXTERNAL] [GPW] Turn 3 report")
    'gpw'
    >>> campaign_tag("=?utf-8?q?Re=3A_=5Bst-privat=5D?= orders")
    'st-privat'
    >>> campaign_tag("Re: Turn 3 report") is None
    True
    """
    return next(iter(campaign_tags(subject)), None)


def campaign_tags(subject: str) -> list[str]:
    """Everything in square brackets of a subject that can be the name of a campaign, in lower case, each once.

    >>> campaign_tags("[EXTERNAL] Re: [GPW] Turn 3 [ford] [gpw]")
    ['gpw', 'ford']
    """
    tags = (found[1].lower() for found in _TAG.finditer(decode_words(subject)))
    return list(dict.fromkeys(tag for tag in tags if tag not in _NOT_CAMPAIGNS))


def looks_automatic(headers: Iterable[tuple[str, str]]) -> str:
    """Why a letter must not be answered by a machine (RFC 3834 and practice), or "" if a person seems to have sent it.

    Takes names and values of the header fields, in their order.

    >>> looks_automatic([("Auto-Submitted", "auto-replied (vacation)"), ("From", "a@x.org")])
    'Auto-Submitted: auto-replied'
    >>> looks_automatic([("Auto-Submitted", "no"), ("From", "a@x.org")])
    ''
    """
    for name, value in headers:
        if why := _WHY.get(name.lower(), _never)(value):
            return why
        if name.lower() in _AUTOREPLY_FIELDS:
            return name
    return ""


def _auto_submitted(value: str) -> str:
    word = _COMMENT.sub("", value).partition(";")[0].strip().lower()
    return f"Auto-Submitted: {word[:40]}" if word and word != "no" else ""


def _return_path(value: str) -> str:
    if value.strip() == "<>":
        return "Return-Path: <>"
    return next((f"Return-Path: {one.address}" for one in read_addresses(value) if is_machine(one.address)), "")


def _precedence(value: str) -> str:
    word = _COMMENT.sub("", value).strip().lower()
    return f"Precedence: {word}" if word in _BULK else ""


def _from(value: str) -> str:
    senders = read_addresses(value)
    if daemons := [sender.address for sender in senders if is_machine(sender.address)]:
        return f"From: {daemons[0]}"
    # A daemon often gives no address that one could answer.
    name = value.strip(' \t<>"').lower()
    return "From: a mail system" if not senders and name.startswith(_SYSTEMS) else ""


def is_machine(address: str) -> bool:
    """Whether an address is one that only machines write from.

    >>> is_machine("mailer-daemon@x.example"), is_machine("no-reply+17@x.example"), is_machine("nora@x.example")
    (True, True, False)
    """
    return bool(_DAEMONS.fullmatch(address.partition("@")[0]))


def _content_type(value: str) -> str:
    kind = value.partition(";")[0].strip().lower()
    return kind if kind == "multipart/report" else ""


def _list_id(value: str) -> str:
    return "List-Id" if value.strip() else ""


def _loop(value: str) -> str:
    return LOOP_HEADER if value.strip() else ""


def _never(value: str) -> str:
    return ""


_WHY: Final = {
    "auto-submitted": _auto_submitted,
    "return-path": _return_path,
    "precedence": _precedence,
    "from": _from,
    "content-type": _content_type,
    "list-id": _list_id,
    LOOP_HEADER.lower(): _loop,
}
