"""The name of bytes."""

from __future__ import annotations

import hashlib


def digest_of(data: bytes) -> str:
    """The name of *data*: SHA-256 in lower-case hexadecimal."""
    return hashlib.sha256(data).hexdigest()
