"""What differs between two pictures: the units that are otherwise in one than in the other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter

from msgspec import Struct
from msgspec.structs import replace

from pbem.ground.picture import Block, Mark, Picture, Stack, Troop
from pbem.ground.spots import placed
from pbem.rules.reel import key_of

Sign = Block | Stack | Troop


class Unlike(Struct, frozen=True):
    """Units that are together otherwise in one picture than in another."""

    names: tuple[str, ...]
    before: str
    """In words; empty: they are not there."""
    after: str


def unlike(before: Picture, after: Picture) -> tuple[Unlike, ...]:
    """What stands otherwise *after* than *before*, unit by unit; those of which the same is said stand together.

    What is not known by name is a unit of its own in each place.
    """
    old, new = _by_name(before), _by_name(after)
    found = []
    for name in dict.fromkeys((*old, *new)):
        was, now = (
            _said(picture, there[name]) if name in there else "" for picture, there in ((before, old), (after, new))
        )
        if was != now:
            found.append(((was, now), name))
    return tuple(
        Unlike(tuple("" if name.startswith("?") else name for _, name in some), *said)
        for said, some in groupby(found, key=itemgetter(0))
    )


def marked(picture: Picture, other: Picture) -> Picture:
    """The picture with a ring round each sign that is otherwise in the *other*, or not there."""
    there = _by_name(other)
    at = {
        sign.at: None
        for name, sign in _by_name(picture).items()
        if name not in there or _said(picture, sign) != _said(other, there[name])
    }
    return replace(picture, marks=(*picture.marks, *(Mark("unlike", point) for point in at)))


def _by_name(picture: Picture) -> dict[str, Sign]:
    """Each sign by all units in it; one without a name by its side and place."""
    signs: tuple[Sign, ...] = (*picture.blocks, *picture.stacks, *picture.troops)
    return {name: sign for sign in signs for name in _names(sign)}


def _names(sign: Sign) -> Sequence[str]:
    return sign.parts if isinstance(sign, Block) and sign.parts else (key_of(sign),)


def _said(picture: Picture, sign: Sign) -> str:
    """What it is and where; on continuous ground the words have the place."""
    where = "" if picture.plane is not None else placed(picture, sign.at)
    words = sign.words or sign.side
    return f"{words}, at {where}" if where and where not in words else words
