"""Outgoing letters signed for their domain (DKIM, RFC 6376), so that mail servers believe their From."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Final

import dkim
import msgspec
from dkim.crypto import UnparsableKeyError, parse_pem_private_key

from pbem.kernel.errors import PbemError

_DOMAIN: Final = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}")
_SELECTOR: Final = re.compile(r"[a-z0-9](?:[a-z0-9.-]{0,61}[a-z0-9])?")
_KEY_BITS: Final = 1024
_SIGNED: Final = frozenset(
    b"from to reply-to subject date message-id in-reply-to references mime-version content-type "
    b"content-transfer-encoding auto-submitted list-id list-unsubscribe list-unsubscribe-post".split()
)
"""RFC 8058 wants those of lists signed too."""

_ONCE: Final = (b"from", b"to", b"reply-to", b"subject", b"date", b"message-id")
"""Signed once more than they are there: nobody can add another."""

_RSA: Final = bytes.fromhex("300d06092a864886f70d0101010500")


class BadKey(PbemError):
    """A key that cannot sign; the text says what is wrong, and nothing of the key."""


class SigningKey(msgspec.Struct, frozen=True, kw_only=True):
    """What an office signs with."""

    domain: str
    selector: str
    """Names the key among those of the domain: its record is `selector._domainkey.domain`."""

    pem: bytes

    def __repr__(self) -> str:
        return f"SigningKey(domain={self.domain!r}, selector={self.selector!r})"


def read_key(path: Path, domain: str, selector: str) -> SigningKey:
    """The RSA key in a PEM file, PKCS #1 or #8, without a password.

    :raises BadKey: if there is none, it is too short, or the names are none.
    """
    domain, selector = domain.strip().lower(), selector.strip().lower()
    if not _DOMAIN.fullmatch(domain):
        raise BadKey(f'"{domain}" is no domain.')
    if not _SELECTOR.fullmatch(selector):
        raise BadKey(f'"{selector}" is no selector.')
    try:
        pem = path.read_bytes().replace(b"\r\n", b"\n")
    except OSError as error:
        raise BadKey(f"{path}: {(error.strerror or str(error)).lower()}.") from None
    bits = _numbers(pem, str(path))[0].bit_length()
    if bits < _KEY_BITS:
        raise BadKey(f"{path}: a key of {bits} bits is believed by nobody; make one of 2048.")
    return SigningKey(domain=domain, selector=selector, pem=pem)


def sign(raw: bytes, key: SigningKey, at: datetime) -> bytes:
    """The letter with a signature on top; the same letter, key and time (with its zone) give the same bytes.

    :raises BadKey: if the letter has no From, or one of another domain, whose signature would prove nothing.
    """
    signer = _Signer(raw)
    signer.stamp = str(int(at.timestamp())).encode("ascii")
    there = [name.lower() for name, _ in signer.headers if name.lower() in _SIGNED]
    sender = next((value for name, value in signer.headers if name.lower() == b"from"), b"")
    domain = sender.rpartition(b"@")[2].strip(b" \t\r\n>").decode("ascii", "replace").lower()
    if domain != key.domain and not domain.endswith(f".{key.domain}"):
        raise BadKey(f"a key of {key.domain} cannot sign a letter from {domain or 'nobody'}.")
    signature = signer.sign(
        key.selector.encode("ascii"),
        key.domain.encode("ascii"),
        key.pem,
        canonicalize=(b"relaxed", b"relaxed"),
        include_headers=[*there, *_ONCE],
    )
    return bytes(signature) + raw


def txt_record(key: SigningKey) -> tuple[str, str]:
    """Name and text of the record by which others check the signatures; the domain's name server must give it."""
    modulus, exponent = _numbers(key.pem, "the key")
    numbers = _der(0x30, _integer(modulus) + _integer(exponent))
    public = _der(0x30, _RSA + _der(0x03, b"\0" + numbers))
    return f"{key.selector}._domainkey.{key.domain}", f"v=DKIM1; k=rsa; p={b64encode(public).decode('ascii')}"


class _Signer(dkim.DKIM):  # type: ignore[misc] # dkimpy publishes no types
    """Signs with a time that it is given: else the same letter, signed again, would be another."""

    stamp = b""

    def gen_header(self, fields: Sequence[tuple[bytes, bytes]], *given: object) -> bytes:
        stamped = [(name, self.stamp if name == b"t" else value) for name, value in fields]
        return bytes(super().gen_header(stamped, *given))


def _numbers(pem: bytes, place: str) -> tuple[int, int]:
    """Modulus and public exponent."""
    try:
        key = parse_pem_private_key(pem)
        return int(key["modulus"]), int(key["publicExponent"])
    except (UnparsableKeyError, ValueError, IndexError, TypeError, AssertionError):
        raise BadKey(f"{place}: there is no RSA key without a password in it (PEM).") from None


def _integer(number: int) -> bytes:
    return _der(0x02, number.to_bytes(number.bit_length() // 8 + 1))


def _der(tag: int, content: bytes) -> bytes:
    size = len(content)
    if size < 0x80:
        return bytes([tag, size]) + content
    length = size.to_bytes((size.bit_length() + 7) // 8)
    return bytes([tag, 0x80 | len(length)]) + length + content
