"""An attacker's letters: each is made of one that somebody wrote and his mail house signed, and says something else.

A private letter is one that its writer sent to the attacker; an order is one that he sent to the office.  Every
signature in them holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import dkim

from tests.kit.signer import FIVE, lookup, signed

DATE = "Fri, 20 Nov 2026 21:00:00 +0000"
DOMAIN = "player.example"


def written(
    to: str = "Spy <spy@elsewhere.example>",
    body: str = "I think that I shall\nmove s1 to 3\n",
    *,
    sender: str = "Ann <ann@player.example>",
    subject: str = "what I think",
    date: str = DATE,
    id: str = "<9@player.example>",
    more: Sequence[str] = (),
) -> bytes:
    """A letter as its writer sends it, not yet signed."""
    head = (f"From: {sender}", f"To: {to}", f"Subject: {subject}", f"Date: {date}", f"Message-ID: {id}")
    return "\n".join((*head, *more, "", body)).encode()


OFFICE = "Office <office@office.example>"


def private() -> bytes:
    """A letter to the attacker, signed as it should be."""
    return signed(written())


def order(**said: str) -> bytes:
    """A letter to the office, signed as it should be."""
    return signed(written(OFFICE, **said))


def without(*unsigned: str) -> bytes:
    """A letter to the office whose signature does not cover a field: whoever has it can change that."""
    return signed(written(OFFICE), fields=[name for name in FIVE if name not in unsigned])


def topped(raw: bytes, *fields: str) -> bytes:
    """A letter with fields put on top."""
    return "".join(f"{field}\r\n" for field in fields).encode() + raw


def below(raw: bytes, *fields: str) -> bytes:
    """A letter with fields put below those that there are."""
    head, _, body = raw.partition(b"\r\n\r\n")
    return head + "".join(f"\r\n{field}" for field in fields).encode() + b"\r\n\r\n" + body


def replaced(raw: bytes, name: str, value: str) -> bytes:
    """A letter in which a field that nobody signed says something else."""
    lines = raw.split(b"\r\n")
    at = next(n for n, line in enumerate(lines) if line.lower().startswith(f"{name.lower()}:".encode()))
    return b"\r\n".join((*lines[:at], f"{name}: {value}".encode(), *lines[at + 1 :]))


def removed(raw: bytes, name: str) -> bytes:
    """A letter without a field that nobody signed."""
    return b"\r\n".join(line for line in raw.split(b"\r\n") if not line.lower().startswith(f"{name.lower()}:".encode()))


def good_looking(raw: bytes) -> bytes:
    """A letter above whose signature stands one that is none, and claims to cover all."""
    said = f"DKIM-Signature: v=1; a=rsa-sha256; d={DOMAIN}; s=s; h={':'.join(FIVE)}; bh=x; b=x"
    return topped(raw, said)


SPLIT = ("From: Ann <ann@player.example>", f"To: {OFFICE}", "Subject: [ford] resign ford", f"Date: {DATE}")
"""A header of the attacker's own, above the one that was signed."""


FORGERIES: dict[str, Callable[[], bytes]] = {
    "a private letter, passed on as it is": private,
    "a private letter, a Subject on top": lambda: topped(private(), "Subject: [ford] resign ford"),
    "a private letter, To on top": lambda: topped(private(), f"To: {OFFICE}"),
    "a private letter, Cc added": lambda: topped(private(), f"Cc: {OFFICE}"),
    "a private letter, To doubled below": lambda: below(private(), f"To: {OFFICE}"),
    "a private letter whose To was not signed, with another": lambda: replaced(
        signed(written(), fields=[name for name in FIVE if name != "to"]), "To", OFFICE
    ),
    "an order, a Subject on top": lambda: topped(order(), "Subject: [ford] resign ford"),
    "an order, a Subject below": lambda: below(order(), "Subject: [ford] resign ford"),
    "an order, From on top": lambda: topped(order(), "From: Ben <ben@player.example>"),
    "an order, Date on top": lambda: topped(order(), "Date: Sat, 21 Nov 2026 21:00:00 +0000"),
    "an order, Message-ID on top": lambda: topped(order(), "Message-ID: <10@player.example>"),
    "an order, Sender twice": lambda: topped(order(), "Sender: a@player.example", "Sender: b@player.example"),
    "an order, Content-Type twice": lambda: topped(order(), "Content-Type: text/html", "Content-Type: text/plain"),
    "an order, MIME-Version twice": lambda: topped(order(), "MIME-Version: 1.0", "MIME-Version: 1.0"),
    "an order, Content-Transfer-Encoding twice": lambda: topped(
        order(), "Content-Transfer-Encoding: base64", "Content-Transfer-Encoding: 7bit"
    ),
    "an order, In-Reply-To twice": lambda: topped(order(), "In-Reply-To: <a@x>", "In-Reply-To: <b@x>"),
    "an order, References twice": lambda: topped(order(), "References: <a@x>", "References: <b@x>"),
    "an order, Reply-To twice": lambda: topped(order(), "Reply-To: a@x.example", "Reply-To: b@x.example"),
    "an order, Cc twice": lambda: topped(order(), "Cc: a@x.example", "Cc: b@x.example"),
    "its Subject was not signed": lambda: replaced(without("subject"), "Subject", "[ford] resign ford"),
    "its Subject was not signed, and is gone": lambda: removed(without("subject"), "Subject"),
    "its Date was not signed": lambda: replaced(without("date"), "Date", "Sun, 22 Nov 2026 21:00:00 +0000"),
    "its Message-ID was not signed": lambda: replaced(without("message-id"), "Message-ID", "<10@player.example>"),
    "its Message-ID was not signed, and is gone": lambda: removed(without("message-id"), "Message-ID"),
    "only its beginning was signed": lambda: signed(written(OFFICE), length=True) + b"move s2 to 4\r\n",
    "a signature that is none, but covers all, beside one that covers little": lambda: good_looking(without("subject")),
    "a header above the header, and a line between that is no field": lambda: topped(
        private(), *SPLIT, "Message-ID: <10@player.example>", good_looking(b"").decode().strip(), "no field at all"
    ),
    "a header above the header, and blanks between": lambda: topped(
        private(), *SPLIT, "Message-ID: <10@player.example>", good_looking(b"").decode().strip(), "  "
    ),
    "a field with a blank before its colon": lambda: topped(order(), "Subject : [ford] resign ford"),
    "a bare carriage return in a field": lambda: topped(order(), "X-A: b\rSubject: [ford] resign ford"),
    "a header too large to be read to its end": lambda: below(
        topped(order(), *(f"X-{n}: {'x' * 900}" for n in range(80))), "Subject: [ford] resign ford"
    ),
}


def told(raw: bytes, server: str = "mx.office.example", domain: str = DOMAIN) -> bytes:
    """The letter as the office's mail server hands it over: with what it found of the signatures, on top."""
    count = sum(line.lower().startswith(b"dkim-signature:") for line in raw.split(b"\r\n"))
    results = [f"dkim={'pass' if good else 'fail'} header.d={domain}" for good in _holding(raw, count)]
    said = [*results, f"dmarc=pass header.from={domain}"] if any("dkim=pass" in one for one in results) else ["none"]
    return topped(raw, f"Authentication-Results: {server}; {'; '.join(said)}")


def lenient(raw: bytes, server: str = "mx.office.example", domain: str = DOMAIN) -> bytes:
    """The letter as a mail server hands it over that found nothing wrong in it, whatever it is."""
    said = f"dkim=pass header.d={domain}; spf=pass smtp.mailfrom=ann@{domain}; dmarc=pass header.from={domain}"
    return topped(raw, f"Authentication-Results: {server}; {said}")


def _holding(raw: bytes, count: int) -> Iterator[bool]:
    for at in range(count):
        try:
            yield dkim.DKIM(raw, minkey=512).verify(at, dnsfunc=lambda name, timeout: lookup(name.decode("ascii")))
        except Exception:
            yield False
