"""Formations on the march: who joins which group, and how those who stay behind close up."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec.structs import replace

from pbem.ground.square import Square
from pbem.kernel.names import Role
from pbem.rules.ledger import cited, rule
from pbem.systems.st_privat.field.field import Field, by_slot
from pbem.systems.st_privat.field.ranks import closed, formation_of
from pbem.systems.st_privat.play.play import Play
from pbem.systems.st_privat.world import outcomes as o
from pbem.systems.st_privat.world.fact import BOTH, owner_only
from pbem.systems.st_privat.world.patches import Patch
from pbem.systems.st_privat.world.pieces import Facing, Formation, Piece, Place


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


@rule("SP-HID-01", "SP-FOR-01")
def facing_there(field: Field, at: Square, side: Role, where: Place, absent: Collection[str]) -> Facing | None:
    """Where the cards of a place look, and the infantry among them: whoever joins these looks there too.

    None if nobody of them is there without those who are *absent*.
    """
    there = [p for p in field.at(at, side, where) if p.id not in absent]
    cards = [p for p in there if field.is_card(p)]
    foot = [p for p in there if p.kind == "infantry"]
    return next((p.facing for p in (*cards, *foot)), None)


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
    away = {*absent, *(piece.id for piece in pieces)}
    there = group_there(field, at, side, where, kind, away)
    if there:
        formation = "line" if len(there) == 1 else there[0].formation
        facing = there[0].facing
    elif kind == "infantry" and (shared := facing_there(field, at, side, where, away)):
        formation, facing = "line", shared
    if len(pieces) + len(there) == 1 or where == "inside" or kind == "cavalry":
        formation = "line"
    return {
        piece.id: Patch(slot=slot, formation=formation, facing=facing)
        for slot, piece in enumerate(pieces, start=len(there) + 1)
    }


def arriving(field: Field, piece: Piece, at: Square, facing: Facing, formation: Formation) -> Patch:
    """How one piece stands that has been beaten back, or gone forward, to a square, outside.

    Infantry and cavalry join their own there, and stands of infantry that come one by one make up the *formation* that
    was asked for; cards look where the cards and the infantry of the place look.  A general looks nowhere.
    """
    if piece.kind == "general":
        return Patch()
    if not piece.is_ranked:
        shared = facing_there(field, at, piece.side, "outside", (piece.id,)) if piece.hidden else None
        return Patch(facing=shared or facing)
    joined = joining(field, (piece,), at, "outside", formation, facing, ())[piece.id]
    if piece.kind == "cavalry":
        return joined
    there = group_there(field, at, piece.side, "outside", piece.kind, (piece.id,))
    among_cards = any(p.hidden for p in field.at(at, piece.side, "outside"))
    together = all(p.retreated_this_turn for p in there)
    return replace(joined, formation=formation) if together and not among_cards else joined


def left_behind(field: Field, pieces: Sequence[Piece]) -> dict[str, Patch]:
    """How those who stay where *pieces* stood close up."""
    first = pieces[0]
    if first.square is None or not first.is_ranked:
        return {}
    names = {piece.id for piece in pieces}
    rest = group_there(field, first.square, first.side, first.place, first.kind, names)
    return closed(rest, field.options.line_frontage)


@rule("SP-FOR-05", "SP-HID-01")
def close_up(play: Play) -> None:
    """Let every group close up that has lost a stand; who stands where among cards is its owner's secret."""
    groups: dict[tuple[Square, Role, Place, str], list[Piece]] = {}
    for piece in play.battle.pieces.values():
        if piece.stands and piece.square is not None and piece.is_ranked:
            groups.setdefault((piece.square, piece.side, piece.place, piece.kind), []).append(piece)
    for (at, side, where, _), members in sorted(groups.items()):
        group = by_slot(members)
        changes = closed(group, play.field.options.line_frontage)
        if not changes:
            continue
        fact = o.FormationChanged(
            rules=cited("SP-FOR-05"),
            known=owner_only(side) if any(p.hidden for p in play.field.at(at, side, where)) else BOTH,
            group_square=at,
            units=tuple(p.id for p in group),
            start=group[0].formation,
            end=formation_of(group),
            cost=0,
        )
        play.change(fact, changes)


def regrouped(group: Sequence[Piece], order: Sequence[str], formation: Formation, facing: Facing) -> dict[str, Patch]:
    """A group in a new formation, in *order* from the first slot, the others behind as they stood."""
    named = [piece for one in order for piece in group if piece.id == one]
    rest = by_slot([piece for piece in group if piece.id not in order])
    return {
        piece.id: Patch(slot=slot, formation=formation, facing=facing)
        for slot, piece in enumerate([*named, *rest], start=1)
    }
