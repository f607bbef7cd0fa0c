"""Whoever signs letters (DKIM): mail houses of the tests, under keys made for them, and the DNS that knows the keys."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from functools import cache

import dkim
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

FIVE = ("from", "to", "subject", "date", "message-id")


@cache
def key() -> rsa.RSAPrivateKey:
    """The key of all mail houses; a short one, for it is made for each run of the tests."""
    return rsa.generate_private_key(65537, 1024)


def record() -> bytes:
    """What the DNS says of it."""
    public = key().public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return b"v=DKIM1; k=rsa; p=" + b64encode(public)


def lookup(name: str) -> bytes | None:
    """Every domain under `.example` signs with that key, by the selector `s`."""
    return record() if name.startswith("s._domainkey.") and name.rstrip(".").endswith(".example") else None


def signed(raw: bytes, domain: str = "player.example", fields: Sequence[str] = FIVE, *, length: bool = False) -> bytes:
    """A letter with the signature of *domain* on top that covers *fields*; of one that is not there, that it is not."""
    pem = key().private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())
    unix = raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    signature = dkim.DKIM(unix).sign(
        b"s",
        domain.encode(),
        pem,
        canonicalize=(b"relaxed", b"relaxed"),
        include_headers=[one.lower().encode() for one in fields],
        length=length,
    )
    assert isinstance(signature, bytes)
    return signature + unix


HOUSES = {
    "Gmail": "to:subject:message-id:date:from:in-reply-to:references:mime-version:from:to:cc:subject:date:message-id"
    ":reply-to",
    "iCloud": "From:Content-Type:Mime-Version:Subject:Message-Id:Date:To:x-icloud-hme",
    "Proton": "Date:To:From:Subject:Message-ID:In-Reply-To:References:Feedback-ID:From:To:Cc:Date:Subject:Reply-To"
    ":Feedback-ID:Message-ID:BIMI-Selector",
    "GMX": "X-UI-Sender-Class:MIME-Version:From:To:Subject:Message-ID:Content-Type:Date:cc:content-transfer-encoding"
    ":content-type:date:from:message-id:mime-version:reply-to:subject:to",
    "Fastmail": "cc:content-transfer-encoding:content-type:content-type:date:date:from:from:in-reply-to:in-reply-to"
    ":message-id:mime-version:references:reply-to:subject:subject:to:to",
    "Posteo": "Date:From:To:Subject:Content-Type:MIME-Version:Message-ID",
}
"""What mail houses sign, as their letters say it (`h=`): those that cover what the office goes by."""

OUTLOOK = "From:Date:Subject:Message-ID:Content-Type:MIME-Version:X-MS-Exchange-SenderADCheck"
"""What Microsoft signs: not to whom a letter was written."""

YAHOO = "Date:From:To:Subject:References:From:Subject:Reply-To"
"""What Yahoo signs: not the Message-ID."""
