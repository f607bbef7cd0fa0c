"""What all observers see, from one look about to the next (KS-SIT-01).

Sights are most of what a battle's log holds, and from look to look little but distances changes: a fact carries those.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from pbem.systems.kriegsspiel.world.dispatches import Glimpse

Glimpses = Mapping[str, tuple[Glimpse, ...]]
"""What each observer sees: the key of a unit, or the id of a person."""


class Look(Struct, frozen=True, omit_defaults=True):
    """A look about of everybody, where it finds something else than the one before."""

    move: int
    new: dict[str, tuple[Glimpse, ...]] = {}
    """By observer: bodies that have come in sight, or of which more can be told, or less."""
    again: dict[str, dict[str, tuple[int, int]]] = {}
    """By observer and body: how far it is now, and by how many paces it has come nearer."""
    forgotten: dict[str, tuple[str, ...]] = {}
    """By observer: bodies that have been out of sight too long."""


def look_of(before: Glimpses, after: Glimpses, move: int) -> Look:
    """What a look of that move adds to the one before; *after*: all that those observers see of whom it is given."""
    new: dict[str, tuple[Glimpse, ...]] = {}
    again: dict[str, dict[str, tuple[int, int]]] = {}
    forgotten: dict[str, tuple[str, ...]] = {}
    for name, seen in after.items():
        known = {one.body: one for one in before.get(name, ())}
        fresh: list[Glimpse] = []
        for one in seen:
            old = known.pop(one.body, None)
            if one == old:
                continue
            if old is not None and _again(old, move, one.far, one.approaching) == one:
                again.setdefault(name, {})[one.body] = (one.far, one.approaching)
            else:
                fresh.append(one)
        if fresh:
            new[name] = tuple(fresh)
        if known:
            forgotten[name] = tuple(known)
    return Look(move, new, again, forgotten)


def looked(glimpses: Glimpses, look: Look) -> dict[str, tuple[Glimpse, ...]]:
    """What all see after a look.  Total: what it does not know it leaves out."""
    found = dict(glimpses)
    for name in sorted({*look.new, *look.again, *look.forgotten}):
        seen = {one.body: one for one in found.pop(name, ())}
        for body in look.forgotten.get(name, ()):
            seen.pop(body, None)
        for body, (far, approaching) in look.again.get(name, {}).items():
            if body in seen:
                seen[body] = _again(seen[body], look.move, far, approaching)
        seen |= {one.body: one for one in look.new.get(name, ())}
        if seen:
            found[name] = tuple(seen[body] for body in sorted(seen))
    return found


def _again(old: Glimpse, move: int, far: int, approaching: int) -> Glimpse:
    return replace(old, last=move, far=far, approaching=approaching)
