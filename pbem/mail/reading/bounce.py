"""Letters of ours that came back, and which address failed.

Read in this order: the address that it came back to, which only we could make (VERP); the part that says it to machines
(RFC 3464); and what many kinds of mail servers write for people, by flufl.bounce.  That library finds bounces in
ordinary letters too and fails on some of them, so it is asked only about what looks like one, and only addresses that
we have written to are believed.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from email import message_from_bytes
from email.message import Message
from typing import Final

import msgspec

from pbem.mail.wire.addresses import decode_words, normalise, read_addresses, read_ids
from pbem.mail.wire.charsets import decode
from pbem.mail.wire.headers import fields
from pbem.mail.wire.limits import UnreadableLetter, newlines, weigh

DAY: Final = 24 * 60 * 60 * 1_000_000

WINDOW: Final = 14 * DAY
"""How long a failure counts, in microseconds."""

PERMANENT, PASSING = 1.0, 0.25
"""What a failure of status 5.x.x counts, and one of 4.x.x."""

LIMIT: Final = 3.0
"""From which score on an address is marked as failing."""

# Failures that it meets are its own affair: it is asked as one of several.
logging.getLogger("flufl.bounce").addHandler(logging.NullHandler())

_FAILED: Final = re.compile(
    "|".join(
        (
            r"undeliver",
            r"non-?deliver",
            r"un(?:able|successful) (?:to |in )?deliver",
            r"\bnot (?:yet )?(?:been |be )?delivered",
            r"(?:delivery|message|mail)\b.{0,30}\b(?:fail|error|delayed|problem|warning)",
            r"fail(?:ed|ure) (?:mail|notice|delivery)",
            r"delivery (?:status )?notification",
            r"return(?:ed|ing)? (?:mail|to sender)",
            r"rejected mail",
            r"processing error",
            r"user unknown",
            r"unzustellbar",
            r"nicht zugestellt",
            r"non remis",
            r"échec de (?:la )?(?:remise|distribution)",
            r"onbestelbaar",
            r"no (?:se ha )?entregado",
            r"mancat[oa] (?:recapito|consegna)",
            r"niedoręczon",
            r"не доставлен",
        )
    ),
    re.IGNORECASE,
)
"""What subjects of bounces say."""

_DAEMON: Final = re.compile(r"mailer-?daemon|mdaemon|post-?master|mail delivery (?:sub)?system", re.IGNORECASE)
_STATUS: Final = re.compile(r"(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?![\d.])")
_CODE: Final = re.compile(r"(?<!\d)([45])\d\d(?!\d)")
_FAILING: Final = ("fail", "delay", "error")
_ARRIVED: Final = ("deliver", "relay", "expand")
_RECIPIENTS: Final = ("original-recipient", "final-recipient", "x-actual-recipient")
_REPORT_LENGTH: Final = 64 * 1024
_FAILURES: Final = 50
_LINES: Final = 500
_LINE: Final = 250
"""Lines of a letter, and characters of each, in which an address is looked for."""
_WORDS: Final = 300


class Failure(msgspec.Struct, frozen=True):
    """An address that a letter did not reach, or not yet."""

    address: str
    status: str
    """RFC 3463: `5.1.1`; `5.0.0` or `4.0.0` where the server said no more."""

    words: str
    """The server's own, or ""."""

    @property
    def permanent(self) -> bool:
        """Whether the server will not try again, and nothing but another address helps."""
        return self.status.startswith("5")


class Bounce(msgspec.Struct, frozen=True):
    """A letter of ours that came back."""

    mail: str | None
    """Its id in the outbox, if it came back to its own address."""

    message_id: str
    """Of the letter that came back, as it says itself; "" if it does not."""

    failures: tuple[Failure, ...]
    """Empty if it does not say which address failed; then it is that of *mail*."""

    @property
    def status(self) -> str:
        """The gravest of all, for the score."""
        return max((failure.status for failure in self.failures), default="5.0.0")


def read_bounce(raw: bytes, mailed: Callable[[str], bool], *, mail: str | None = None) -> Bounce | None:
    """What a bounce says, or None if the letter is none, or none that we can believe; never raises.

    *mail*: the id in the outbox that the address says which it came to, if that is sound (`address.read_address`).
    *mailed*: whether we have written to an address.
    """
    unix = newlines(raw)
    try:
        weigh(unix)
        letter = message_from_bytes(unix)
        reports = list(_reports(letter))
    except (UnreadableLetter, RecursionError):
        return None
    returned = _returned_id(letter)
    groups = [group for report in reports for group in _groups(report)]
    failures = [failure for group in groups for failure in _reported(group, mailed)]
    arrived = any(group.get("action", "").lower().startswith(_ARRIVED) for group in groups)
    told = failures or (None if arrived else _told(letter, fields(raw), mailed))
    if told is None or not (told or mail):
        return None
    each = {failure.address: failure for failure in sorted(told, key=lambda failure: failure.status)}
    return Bounce(mail, returned, tuple(each[address] for address in sorted(each))[:_FAILURES])


def header_rule(header: Sequence[tuple[str, str]]) -> str:
    """Why the header shows a bounce, or ""; takes what `headers.fields` gives."""
    values = dict(reversed(header))
    kind = values.get("content-type", "").lower()
    failed = _FAILED.search(subject := decode_words(values.get("subject", "")))
    receipt = "disposition-notification" in kind
    if kind.startswith("multipart/report") and (failed or not receipt):
        return "multipart/report"
    if "x-failed-recipients" in values:
        return "X-Failed-Recipients"
    sender = values.get("from", "")
    if not receipt and _DAEMON.search(sender):
        return f"From: {sender[:60]}"
    nobody = not read_addresses(sender) or values.get("return-path") == "<>"
    return f"Subject: {subject[:60]}" if failed and nobody and not _is_answer(values) else ""


# ------------------------------------------------------------------------------------ what is said to machines


def _reports(letter: Message) -> Iterator[str]:
    """The parts of a letter that say what became of one, not those of letters within it."""
    waiting = [letter]
    while waiting:
        part = waiting.pop()
        if part.get_content_type() == "message/delivery-status":
            yield _text(part)[:_REPORT_LENGTH]
        elif part.get_content_maintype() == "multipart" and part.is_multipart():
            waiting += [child for child in part.get_payload() if isinstance(child, Message)]


def _text(part: Message) -> str:
    """The text of a part that the standard library took apart into headers, put together again."""
    payload = part.get_payload()
    if not isinstance(payload, list):
        return decode(_payload(part), "")[0]
    blocks = []
    for block in payload:
        if isinstance(block, Message):
            lines = [f"{name}: {value}" for name, value in block.raw_items()]
            rest = block.get_payload()
            blocks.append("\n".join([*lines, rest if isinstance(rest, str) else ""]))
    return "\n\n".join(blocks)


def _reported(group: Mapping[str, str], mailed: Callable[[str], bool]) -> Iterator[Failure]:
    action = group.get("action", "").lower()
    named = (normalise(group.get(name, "").rpartition(";")[2].strip(" \t<>\"'")) for name in _RECIPIENTS)
    address = next((one for one in named if one and mailed(one)), "")
    if address and action.startswith(_FAILING):
        diagnosis = " ".join(group.get("diagnostic-code", "").split())
        status = _status(group.get("status", ""), diagnosis, delayed=action.startswith("delay"))
        yield Failure(address, status, diagnosis[:_WORDS])


def _groups(report: str) -> Iterator[dict[str, str]]:
    """The fields of each recipient; servers that leave out the empty line between two begin with the same field."""
    group: dict[str, str] = {}
    last = ""
    for line in report.splitlines():
        name, colon, value = line.partition(":")
        if line[:1] in (" ", "\t") and last:
            group[last] += f" {line.strip()}"
            continue
        last = name.strip().lower() if colon else ""
        if (not line.strip() and "action" in group) or last in group:
            yield group
            group = {}
        if last:
            group[last] = value.strip()
    yield group


def _status(status: str, diagnosis: str, *, delayed: bool) -> str:
    """What the server says in its own words is nearer the truth than a status that says nothing."""
    found = [match[0] for text in (status, diagnosis) for match in _STATUS.finditer(text) if match[1] != "2"]
    telling = [one for one in found if not one.endswith(".0.0")]
    if telling or found:
        return (telling or found)[0]
    code = _CODE.search(diagnosis)
    return f"{code[1]}.0.0" if code else "4.0.0" if delayed else "5.0.0"


# -------------------------------------------------------------------------------------- what is said to people


def _told(letter: Message, header: Sequence[tuple[str, str]], mailed: Callable[[str], bool]) -> list[Failure] | None:
    """The failures that a letter tells of in words; None if it is no bounce."""
    values = dict(reversed(header))
    by_header = bool(header_rule(header))
    if not by_header and (_is_answer(values) or not _FAILED.search(decode_words(values.get("subject", "")))):
        return None
    named = [one.address for one in read_addresses(values.get("x-failed-recipients", ""))]
    passing, lasting = ([], named) if named else _all_failures(letter)
    told = [(address, "4.0.0") for address in passing] + [(address, "5.0.0") for address in lasting]
    failures = [Failure(address, status, "") for address, status in told if address and mailed(address)]
    # A person can write such a subject; but then no address of ours has failed, and none of our letters is within.
    return failures if failures or by_header or _holds_a_letter(letter) else None


def _is_answer(values: dict[str, str]) -> bool:
    """Whether a person or his mail program answered a letter."""
    away = values.get("auto-submitted", "").lower().startswith("auto-replied")
    return away or "in-reply-to" in values or "references" in values


def _all_failures(letter: Message) -> tuple[list[str], list[str]]:
    """The addresses of which it says so in words: those that it may still reach, and those that it never will."""
    _shorten(letter)
    try:
        from flufl.bounce import all_failures

        passing, lasting = all_failures(letter)
    except Exception:
        return [], []  # it fails in many ways on letters that it does not know
    first, second = (sorted(normalise(one.decode("ascii", "replace")) for one in found) for found in (passing, lasting))
    return first, second


def _shorten(letter: Message) -> None:
    """Leave of each text what a server would write there: the library looks for ever at a long line."""
    left = _LINES
    for part in letter.walk():
        if part.get_content_type() == "message/delivery-status":
            part.set_payload("")
        elif not part.is_multipart():
            text = decode(_payload(part), "")[0] if part.get_content_maintype() in ("text", "message") else ""
            lines = [line[:_LINE] for line in text.splitlines()[:left]]
            left -= len(lines)
            del part["Content-Transfer-Encoding"]
            part.set_payload("\n".join(lines) + "\n")


def _payload(part: Message) -> bytes:
    try:
        payload = part.get_payload(decode=True)
    except (ValueError, LookupError, TypeError):
        return b""
    return payload if isinstance(payload, bytes) else b""


def _holds_a_letter(letter: Message) -> bool:
    kinds = {part.get_content_type() for part in letter.walk() if part is not letter}
    return bool(kinds & {"message/rfc822", "text/rfc822-headers", "message/rfc822-headers"})


def _returned_id(letter: Message) -> str:
    """The Message-ID of the letter within."""
    for part in letter.walk():
        if part.get_content_type() in ("message/rfc822", "text/rfc822-headers"):
            inner = part.get_payload()
            if isinstance(inner, list) and inner and isinstance(inner[0], Message):
                return next(iter(read_ids(str(inner[0].get("Message-ID", ""))[:1000])), "")
            if isinstance(inner, str):
                named = re.search(r"(?im)^message-id:([^\n]{1,1000})", inner)
                return next(iter(read_ids(named[1])), "") if named else ""
    return ""


# --------------------------------------------------------------------------------------------------- the score


class Setback(msgspec.Struct, frozen=True):
    """One letter that came back."""

    at: int
    """By our clock, in microseconds."""

    mail: str
    """Its id in the outbox, or its Message-ID."""

    status: str


def score(setbacks: Iterable[Setback], now: int) -> float:
    """What the letters to one address that came back within `WINDOW` count together; each once, by its gravest.

    >>> warned, gave_up = Setback(1, "m1", "4.4.1"), Setback(2, "m1", "5.4.7")
    >>> score([warned, gave_up, Setback(3, "m2", "4.2.2")], now=4)
    1.25
    """
    gravest: dict[str, float] = {}
    for one in setbacks:
        if now - WINDOW < one.at <= now:
            counts = PERMANENT if one.status.startswith("5") else PASSING
            gravest[one.mail] = max(counts, gravest.get(one.mail, 0.0))
    return sum(gravest.values())


def is_failing(setbacks: Iterable[Setback], now: int) -> bool:
    """Whether an address is to be marked and the GM told; the player stays in his game."""
    return score(setbacks, now) >= LIMIT
