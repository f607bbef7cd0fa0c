"""Formations on the march: who joins which group, and how those who stay behind close up."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pbem.ground.square import Square
from pbem.kernel.names import Role
from pbem.rules.ledger import rule
from pbem.systems.st_privat.field import Field, order_of
from pbem.systems.st_privat.ranks import closed
from pbem.systems.st_privat.state import Facing, Formation, Patch, Piece, Place


def group_there(field: Field, at: Square, side: Role, where: Place, kind: str, absent: Collection[str]) -> list[Piece]:
    """The infantry or cavalry of a square and place by slot, without those who are *absent*."""
    return [piece for piece in field.group(at, side, where, kind) if piece.id not in absent]


@rule("SP-FOR-01", "SP-FOR-05")
def joins_line(field: Field, at: Square, side: Role, where: Place, absent: Collection[str]) -> bool:
    """Whether infantry that ends here joins a group in line; a single stand is a line.

    Face-down cards count as one, whatever they are: the enemy must not tell troops from dummies by it.
    """
    if any(piece.hidden and piece.id not in absent for piece in field.at(at, side, where)):
        return True
    there = group_there(field, at, side, where, "infantry", absent)
    return bool(there) and (there[0].formation == "line" or len(there) == 1)


@rule("SP-FOR-05", "SP-FOR-06", "SP-HID-01")
def joining(
    field: Field,
    pieces: Sequence[Piece],
    at: Square,
    where: Place,
    formation: Formation,
    facing: Facing | None,
    absent: Collection[str],
) -> dict[str, Patch]:
    """Slot, formation and facing of infantry or cavalry that ends in a square.

    They join the group there at the back and take its formation and facing; where only face-down cards lie,
    the facing of those, so that nobody can tell dummies from troops.
    """
    side, kind = pieces[0].side, pieces[0].kind
    names = {piece.id for piece in pieces}
    there = group_there(field, at, side, where, kind, {*absent, *names})
    cards = [p for p in field.at(at, side, where) if field.is_card(p) and p.id not in names and p.id not in absent]
    if there:
        formation = "line" if len(there) == 1 else there[0].formation
        facing = there[0].facing
    elif cards:
        formation, facing = "line", cards[0].facing
    if len(pieces) + len(there) == 1 or where == "inside" or kind == "cavalry":
        formation = "line"
    return {
        piece.id: Patch(slot=slot, formation=formation, facing=facing)
        for slot, piece in enumerate(pieces, start=len(there) + 1)
    }


def left_behind(field: Field, pieces: Sequence[Piece]) -> dict[str, Patch]:
    """How those who stay where *pieces* stood close up."""
    first = pieces[0]
    if first.square is None or first.kind not in ("infantry", "cavalry"):
        return {}
    names = {piece.id for piece in pieces}
    rest = group_there(field, first.square, first.side, first.place, first.kind, names)
    return closed(rest, field.options.line_frontage)


def regrouped(group: Sequence[Piece], order: Sequence[str], formation: Formation, facing: Facing) -> dict[str, Patch]:
    """A group in a new formation, in *order* from the first slot, the others behind as they stood."""
    named = [piece for one in order for piece in group if piece.id == one]
    rest = sorted((piece for piece in group if piece.id not in order), key=lambda p: (p.slot, *order_of(p)))
    return {
        piece.id: Patch(slot=slot, formation=formation, facing=facing)
        for slot, piece in enumerate([*named, *rest], start=1)
    }
