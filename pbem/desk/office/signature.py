"""The office signs the files in which a campaign leaves it: Ed25519 (RFC 8032), by a key made of its own (RFC 5869).

The public part stands in every briefing: whoever is given such a file sees by it that it is of the office that he
plays in, and as it left there.  The library is loaded here alone, and only when a file is signed or held to its
signature, or an office gets its key.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_FOR = b"pbem: the signature of campaigns in files"
_PUBLIC = re.compile(r"[0-9a-f]{64}")
_SIGNATURE = re.compile(r"[0-9a-f]{128}")


def public_of(key: bytes) -> str:
    """The public part, in hexadecimal, of the signing key that is made of the *key* of an office."""
    return _made_of(key).public_key().public_bytes_raw().hex()


def sign(key: bytes, data: bytes) -> str:
    """The signature of *data*, in hexadecimal, by the signing key that is made of the *key* of an office."""
    return _made_of(key).sign(data).hex()


def holds(public: str, signature: str, data: bytes) -> bool:
    """Whether *signature* is that of *data* by the key whose *public* part is given, both in hexadecimal."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    if not _PUBLIC.fullmatch(public) or not _SIGNATURE.fullmatch(signature):
        return False
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(bytes.fromhex(signature), data)
    except (InvalidSignature, ValueError):
        return False
    return True


def _made_of(key: bytes) -> Ed25519PrivateKey:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return Ed25519PrivateKey.from_private_bytes(HKDF(SHA256(), length=32, salt=None, info=_FOR).derive(key))
