"""Ranks and files: who stands where in a square, who falls first, and how a group closes up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbem.ground.picture import Cell
from pbem.ground.square import OPPOSITE
from pbem.rules.ledger import rule
from pbem.systems.st_privat.field.field import BESIDE, Field, order_of
from pbem.systems.st_privat.world.game import Policy
from pbem.systems.st_privat.world.patches import Patch
from pbem.systems.st_privat.world.pieces import Facing, Formation, Piece, Place


@rule("SP-FOR-01", "SP-MOV-05")
def formation_of(group: Sequence[Piece]) -> Formation:
    """How a group stands: a column is two stands or more."""
    return "column" if group[0].formation == "column" and len(group) > 1 else "line"


def width(group: Sequence[Piece], frontage: int) -> int:
    """How many stands of a group are abreast (SP-FOR-01): one in column, else *frontage*; three of five inside."""
    if not group:
        return 1
    if formation_of(group) == "column":
        return 1
    return 3 if len(group) > 4 else frontage


def ranks(group: Sequence[Piece], frontage: int) -> list[list[Piece]]:
    """The stands of a group rank by rank, the front first, each from its left; *group* is sorted by slot."""
    abreast = width(group, frontage)
    return [list(group[i : i + abreast]) for i in range(0, len(group), abreast)]


@rule("SP-FOR-02", "SP-FOR-06")
def defence_by_stand(group: Sequence[Piece], side: str, frontage: int) -> dict[str, int]:
    """What each stand of a group counts against an attack on one side of it: front, rear, left or right.

    Front 3 a stand, two ranks deep; rear 2 a stand, the last stand of each file; flank 1, the outer stand of
    each rank.
    """
    deep = ranks(group, frontage)
    if side == "front":
        return {piece.id: 3 for rank in deep[:2] for piece in rank}
    if side == "rear":
        files = range(width(group, frontage))
        last = [[rank[file] for rank in deep if file < len(rank)][-1:] for file in files]
        return {piece.id: 2 for one in last for piece in one}
    return {(rank[0] if side == "left" else rank[-1]).id: 1 for rank in deep}


def side_attacked(facing: Facing, way: str) -> str:
    """Which side of a group an attack out of direction *way* meets: front, rear, left or right.

    >>> side_attacked("n", "e")
    'right'
    """
    if way == facing:
        return "front"
    if way == OPPOSITE[facing]:
        return "rear"
    return "left" if way == BESIDE[facing][0] else "right"


def policy_for(field: Field, piece: Piece, policies: Iterable[Policy]) -> Policy | None:
    """The newest of a side's reactions that speaks of a piece."""
    for policy in policies:
        if any(selects(one, piece) for one in policy.units):
            return policy
    return None


@rule("SP-GEN-02")
def selects(selector: str, piece: Piece) -> bool:
    """Whether a selector (`all`, an id, `@J-10`, `@J-10 in`) means a piece, where it now stands."""
    if selector == "all":
        return True
    if not selector.startswith("@"):
        return selector in (piece.id, piece.gun_id)
    at, _, inside = selector[1:].partition(" ")
    wanted: Place = "inside" if inside else "outside"
    return piece.square == at and piece.place == wanted


@rule("SP-CAS-03")
def falling(field: Field, pieces: Sequence[Piece]) -> list[Piece]:
    """Stands of one kind in the order in which they take losses.

    A stand partly hit is finished first; then the owner's `losses` list; then front rank first, left file
    first, then by id.
    """

    def key(piece: Piece) -> tuple[int, int, int, tuple[str, int]]:
        policies = field.reactions(piece.side).losses
        named = [
            place
            for policy in reversed(policies)
            for place, selector in enumerate(policy.units)
            if selects(selector, piece)
        ]
        whole = {"infantry": 3, "cavalry": 2, "crew": 6, "team": 4, "general": 2}.get(piece.kind, 0)
        return (int(piece.left >= whole), named[-1] if named else 10**6, piece.slot, order_of(piece))

    return sorted(pieces, key=key)


@rule("SP-FOR-05")
def closed(group: Sequence[Piece], frontage: int) -> dict[str, Patch]:
    """The slots of a group after it has closed up; *group* is what is left of it, sorted by slot.

    Each empty front slot, left first, takes the first rear stand, left first; then the rear closes to the
    left, a column to the front.  A column of one is a line.
    """
    if not group:
        return {}
    column = group[0].formation == "column"
    if column:
        order = list(group)
    else:
        abreast = frontage if max(p.slot for p in group) <= 2 * frontage and len(group) <= 2 * frontage else 3
        front = {p.slot: p for p in group if p.slot <= abreast}
        rear = [p for p in group if p.slot > abreast]
        filled = []
        for slot in range(1, abreast + 1):
            if slot in front:
                filled.append(front[slot])
            elif rear:
                filled.append(rear.pop(0))
        order = filled + rear
    formation: Formation = "column" if column and len(order) > 1 else "line"
    return {
        piece.id: Patch(slot=slot, formation=formation)
        for slot, piece in enumerate(order, start=1)
        if piece.slot != slot or piece.formation != formation
    }


def cells(group: Sequence[Piece], frontage: int, of: int) -> tuple[tuple[Cell, ...], ...]:
    """The stands of a group as a picture's cells, the front rank first, *of* figures each at full strength."""
    return tuple(tuple(Cell(piece.left, of) for piece in rank) for rank in ranks(group, frontage))
