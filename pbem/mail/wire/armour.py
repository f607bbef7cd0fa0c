"""Text that OpenPGP put in clear between lines of dashes (RFC 9580, 7), and the sign of text that it made unreadable.

>>> opened(["-----BEGIN PGP SIGNED MESSAGE-----", "Hash: SHA256", "", "- -- first army", "hold"])[3:]
['-- first army', 'hold']
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

ENCRYPTED: Final = "-----BEGIN PGP MESSAGE-----"
_SIGNED: Final = "-----BEGIN PGP SIGNED MESSAGE-----"
_SIGNATURE: Final = "-----BEGIN PGP SIGNATURE-----"
_END: Final = "-----END PGP SIGNATURE-----"
_ESCAPE: Final = "- "


def opened(lines: Sequence[str]) -> list[str]:
    """The lines as they were before they were signed: "- " is taken away where signing put it."""
    signed, found = False, []
    for line in lines:
        if line in (_SIGNED, _SIGNATURE):
            signed = line == _SIGNED
        found.append(line.removeprefix(_ESCAPE) if signed else line)
    return found


def of_signing(lines: Sequence[str]) -> list[bool]:
    """Of each line, whether signing added it: the caption and its fields, and the signature."""
    added, until = [], None
    for line in lines:
        if line in (_SIGNED, _SIGNATURE):
            until = "" if line == _SIGNED else _END
        added.append(until is not None)
        if line == until:
            until = None
    return added
