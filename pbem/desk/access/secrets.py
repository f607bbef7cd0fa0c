"""What opens a door of the web, and how it is recognised: only digests of it are kept."""

from __future__ import annotations

import hashlib
import hmac
from base64 import b32encode

from pbem.desk.office.office import Office, signing_key

BYTES = 32
DIGITS = 6


def fresh(office: Office) -> str:
    """A secret of 52 letters and digits, which may stand in a link, and in a text of which `_` is no letter."""
    return b32encode(office.chance(BYTES)).decode("ascii").rstrip("=").lower()


def digest(secret: str) -> str:
    """What is kept of a secret that nobody can guess."""
    return hashlib.sha256(secret.encode()).hexdigest()


def blurred(office: Office, what: str, value: str) -> str:
    """What is kept of a *value* that could be guessed, as *what*: nobody finds it without the key of the office."""
    return hmac.digest(signing_key(office), f"web/{what}/{value}".encode(), "sha256").hex()[:40]


def code(office: Office) -> str:
    """Six digits to be typed."""
    return f"{int.from_bytes(office.chance(8)) % 10**DIGITS:0{DIGITS}}"


def same(one: str, other: str) -> bool:
    """Whether two are the same, found out in a time that does not tell how far they are."""
    return hmac.compare_digest(one.encode(), other.encode())
