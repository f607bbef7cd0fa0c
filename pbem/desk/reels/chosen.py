"""Of a reel what one wants to read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from pbem.desk.office.office import Office
from pbem.desk.reels.kept import reel_of
from pbem.kernel.errors import Refused
from pbem.rules.leafing import Wanted, chosen, span
from pbem.rules.reel import Reel


class Chosen(NamedTuple):
    """Some beats of a reel."""

    reel: Reel
    """With those alone."""
    of: int
    """How many it has."""
    orders: bool
    """What became of lines of sheets is asked for."""


def choose(
    office: Office,
    campaign: str,
    names: Sequence[str],
    turn: str | None,
    asked: Mapping[str, str | bool],
    *,
    pictures: bool = False,
) -> Chosen:
    """Of *campaign* as *names* see it the beats of *turn* of which all holds that is *asked* (fields of `Wanted`).

    :raises Refused: if there is no such turn, or nothing in the whole game is of what is asked for.
    :raises UnknownRole: if there is no such role.
    """
    first, last, run = span(turn) if turn else (None, None, 0)
    moments = (first, last) if first is not None and last is not None else None
    wanted = replace(msgspec.convert(dict(asked), Wanted), moments=moments, run=run)
    reel = reel_of(office, campaign, names, pictures=pictures)
    for name in ("unit", "place", "kind"):
        _see_known(reel, name, getattr(wanted, name))
    return Chosen(replace(reel, beats=tuple(chosen(reel, wanted))), len(reel.beats), wanted.orders)


def _see_known(reel: Reel, name: str, value: str) -> None:
    """See that something in the reel is of what is asked for: else it was perhaps misspelt."""
    if not value:
        return
    there = {one for beat in reel.beats for seen in beat.seen.values() for one in getattr(seen, f"{name}s")}
    if value.casefold() not in (one.casefold() for one in there):
        from difflib import get_close_matches

        near = get_close_matches(value.casefold(), sorted(there), n=3, cutoff=0.5)
        meant = f"  Did you mean {', '.join(near)}?" if near else ""
        raise Refused(f"nothing here tells of the {name} “{value[:40]}”.{meant}")
