"""The line that asks for a place in a game."""

from __future__ import annotations

import re

from msgspec import Struct

from pbem.kernel.names import Role
from pbem.orders.grammar import bare
from pbem.orders.tongues import to_the_office

_JOIN = re.compile(
    r"\s*join\s*:?\s+(?P<game>[^\s:,]+)\s+(?:(?P<off>off)|as\s+(?:(?P<any>any|any\s+role)|(?P<roles>[^\s,]+(?:(?:\s*,\s*(?:or\s+)?|\s+or\s+)[^\s,]+)*?)))[\s.]*",
    re.IGNORECASE,
)


class Joins(Struct, frozen=True):
    """A line that asks for a place in a game."""

    game: str
    roles: tuple[Role, ...] = ()
    """The best first; none: any."""
    off: bool = False


def joins(text: str) -> Joins | None:
    """What a line asks for that would join a game; None, if it would join none.

    >>> joins("Join alma as french, or prussian."), joins("join alma off").off, joins("join the guard")
    (Joins(game='alma', roles=('french', 'prussian'), off=False), True, None)
    """
    said = (text, *(whole for _, whole in to_the_office(text)))
    found = next(filter(None, (_JOIN.fullmatch(bare(one)) for one in said)), None)
    if found is None:
        return None
    wishes = [] if found["any"] or found["off"] else re.split(r"[\s,]+(?:or[\s,]+)?", found["roles"].strip(" .,"))
    roles = tuple(dict.fromkeys(Role(wish.casefold()) for wish in wishes if wish))
    return Joins(found["game"].casefold(), roles, bool(found["off"]))
