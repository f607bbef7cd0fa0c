"""Dice that the GM throws on his own table, and types in (the option `dice_source`)."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.kernel.event import Throw
from pbem.kernel.numbers import whole


def typed_in(fallen: Throw, said: str) -> Throw:
    """A throw with the faces that the GM has typed in; the office's, as they fell, if his are none of these dice.

    >>> from pbem.kernel.event import ThrowName
    >>> typed_in(Throw(ThrowName("5A/fire/c7"), "closed", 10, (4, 4)), "3, 8").faces
    (3, 8)
    """
    faces = tuple(face for word in said.replace(",", " ").split() if (face := whole(word)) is not None)
    if len(faces) != len(fallen.faces) or not all(1 <= face <= fallen.sides for face in faces):
        return fallen
    return replace(fallen, faces=faces, by="ruling")
