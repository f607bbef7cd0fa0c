"""What shells and picks break: walls, buildings, bridges, guns and limbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from msgspec.structs import replace

from pbem.ground.square import ORTHOGONAL, Edge, Square, parse_square, place, sides
from pbem.kernel.names import Role
from pbem.rules.ledger import cited, rule
from pbem.systems.st_privat.field.field import Field
from pbem.systems.st_privat.fire.aims import Aim
from pbem.systems.st_privat.fire.cover import wall_towards
from pbem.systems.st_privat.march.formation import facing_there, joining
from pbem.systems.st_privat.play.play import Play
from pbem.systems.st_privat.tables import charts
from pbem.systems.st_privat.world import outcomes_combat as c
from pbem.systems.st_privat.world.fact import BOTH, owner_only
from pbem.systems.st_privat.world.game import Damage, Structure
from pbem.systems.st_privat.world.patches import Patch, damaged, merged
from pbem.systems.st_privat.world.pieces import ENEMY, SIDES, Piece, Place

Thing = Structure | Literal["equipment"]
Purpose = Literal["troops", "structure", "equipment"]


@dataclass(frozen=True)
class Blow:
    """Points that something takes: a structure by its square or edge, or a piece of equipment by its id."""

    type: Thing
    at: str
    points: int


@dataclass(frozen=True)
class Dealt:
    """How the points of a hit are shared."""

    to_structure: int = 0
    to_unit: int = 0
    blows: tuple[Blow, ...] = ()


@rule("SP-DMG-02")
def structure_towards(field: Field, start: Square, target: Square) -> tuple[Structure, str] | None:
    """What a shot at the structures of a square strikes: the wall on the side of fire, the building, the bridge."""
    border = wall_towards(field, start, target)
    if border is not None:
        return "wall", border
    if field.building(target) is not None:
        return "building", target
    return ("bridge", target) if field.has_bridge(target) else None


@rule("SP-DMG-02")
def _shelter(field: Field, start: Square, target: Square, where: Place) -> tuple[Structure, str] | None:
    """The structure that shares points with troops: the building for those inside, the wall for those outside."""
    if where == "inside":
        return ("building", target) if field.building(target) is not None else None
    border = wall_towards(field, start, target)
    return None if border is None else ("wall", border)


@rule("SP-DMG-02", "SP-DMG-01")
def share(field: Field, aim: Aim, struck: Square, where: Place, points: int, purpose: Purpose, *, shell: bool) -> Dealt:
    """Who takes the points of a hit.

    Shot and mitrailleuses break nothing.  A shell at troops under shelter deals its points out one by one, the
    structure first.
    """
    if purpose == "structure":
        found = structure_towards(field, aim.at, struck) if shell else None
        return Dealt(points, 0, (Blow(found[0], found[1], points),)) if found is not None else Dealt()
    if purpose == "equipment":
        thing = named_equipment(field, struck, ENEMY[aim.shooter.side], aim.equipment) if shell else None
        return Dealt(0, points, (Blow("equipment", thing.id, points),) if thing is not None else ())
    if not any(field.visible(struck, side, where) for side in SIDES):
        return Dealt()
    shelter = _shelter(field, aim.at, struck, where) if shell else None
    if shelter is None:
        return Dealt(0, points)
    first = (points + 1) // 2
    return Dealt(first, points - first, (Blow(shelter[0], shelter[1], first),))


@rule("SP-DMG-02", "SP-DMG-04")
def named_equipment(field: Field, at: Square, side: Role, name: str) -> Piece | None:
    """The gun or limber that is the target: the one named, if it is there, else the first by id."""
    there = [p for p in field.visible(at, side, "outside") if p.is_equipment]
    return next((p for p in there if p.id == name), there[0] if there else None)


def value_of(field: Field, type_: Structure, at: str) -> int:
    """The points that destroy a structure (SP-DMG-01)."""
    if type_ != "building":
        return charts.STRUCTURES[type_]
    size = field.scene.ground[Square(at)].building
    return charts.STRUCTURES[size] if size is not None else 0


@rule("SP-DMG-01", "SP-DMG-04")
def strike(play: Play, blows: Sequence[Blow], *rules: str) -> None:
    """Apply the damage of a phase: all blows at a thing together, things in the order in which they were struck."""
    sums: dict[tuple[Thing, str], int] = {}
    for blow in blows:
        sums[blow.type, blow.at] = sums.get((blow.type, blow.at), 0) + blow.points
    for (type_, at), points in sums.items():
        if type_ == "equipment":
            _strike_equipment(play, play.piece(at), points, *rules)
        else:
            _strike_structure(play, type_, at, points, *rules)


def _strike_structure(play: Play, type_: Structure, at: str, points: int, *rules: str) -> None:
    before = play.field.damage(type_, at)
    value = value_of(play.field, type_, at)
    total = before.damage + points
    if before.destroyed:
        return
    play.tell(
        c.StructureDamaged(
            rules=cited("SP-DMG-01", *rules),
            type=type_, at=at, points=points, total=total, value=value,
            structures=damaged(type_, at, Damage(total)),
        )
    )  # fmt: skip
    if total < value:
        return
    fact = c.StructureDestroyed(
        rules=cited("SP-DMG-01", "SP-DMG-04", *rules),
        type=type_, at=at, total=total, value=value, structures=damaged(type_, at, Damage(total, destroyed=True)),
    )  # fmt: skip
    turned_out = play.field.at(Square(at), where="inside") if type_ == "building" else ()
    if turned_out:
        play.change(fact, _turned_out(play.field, turned_out))
    else:
        play.tell(fact)


@rule("SP-DMG-04", "SP-FOR-05", "SP-HID-01")
def _turned_out(field: Field, inside: Sequence[Piece]) -> dict[str, Patch]:
    """Those inside a fallen building come to stand outside: infantry at the back, cards facing as those there do."""
    at, side = inside[0].at, inside[0].side
    shared = facing_there(field, at, side, "outside", ())
    out = Patch(place="outside")
    changes = {p.id: replace(out, facing=shared) if p.hidden and shared else out for p in inside}
    coming = sorted((p for p in inside if p.kind == "infantry"), key=lambda p: p.slot)
    if coming:
        joined = joining(field, coming, at, "outside", coming[0].formation, coming[0].facing, ())
        changes |= {name: merged(changes[name], patch) for name, patch in joined.items()}
    return changes


def _strike_equipment(play: Play, piece: Piece, points: int, *rules: str) -> None:
    """Damage a gun or limber; what a face-down gun takes is known to its owner alone, until it is destroyed."""
    value = charts.EQUIPMENT[piece.kind]
    total = piece.damage + points
    if not piece.stands:
        return
    play.tell(
        c.EquipmentDamaged(
            rules=cited("SP-DMG-01", *rules),
            known=owner_only(piece.side) if piece.hidden else BOTH,
            id=piece.id, points=points, total=total, value=value, changes={piece.id: Patch(damage=total)},
        )
    )  # fmt: skip
    if total < value:
        return
    if piece.hidden:
        play.turn_up([piece], "removed", "SP-HID-05")
    gun = play.battle.pieces.get(piece.gun_id) if piece.kind == "limber" else None
    unhitched = {gun.id: Patch(deployed=True)} if gun is not None and gun.stands and gun.square == piece.square else {}
    play.tell(
        c.EquipmentDestroyed(
            rules=cited("SP-DMG-01", "SP-DMG-04", *rules),
            id=piece.id, total=total, value=value, changes=unhitched,
        )
    )  # fmt: skip
    play.remove(play.piece(piece.id), "destroyed", "SP-DMG-04")


# ------------------------------------------------------------------ demolition


@rule("SP-DMG-03")
def in_reach(field: Field, piece: Piece, task: str) -> Blow | None:
    """What a stand's task (`wall H-9|H-10`, `equipment fg1`) does a point to, if it is there and in reach.

    An edge of its own square, the building or bridge in it, a deserted gun or limber there or in a square straight
    beside it that no enemy holds; with `demolition_reach` own_square only what is in the square itself.
    """
    what, _, at = task.partition(" ")
    here, wide = piece.square, field.options.demolition_reach == "own_square_and_edges"
    if here is None:
        return None
    if what == "wall":
        border = Edge(at)
        return Blow("wall", border, 1) if wide and here in sides(border) and field.wall(border) else None
    if what == "building":
        return Blow("building", at, 1) if parse_square(at) == here and field.building(here) is not None else None
    if what == "bridge":
        return Blow("bridge", at, 1) if parse_square(at) == here and field.has_bridge(here) else None
    thing = field.battle.pieces.get(at)
    if thing is None or not thing.stands or not thing.is_equipment or thing.square is None:
        return None
    around = [field.scene.board.step(here, way) for way in ORTHOGONAL]
    reach = [here, *(around if wide else ())]
    free = not field.enemy_held(thing.square, piece.side)
    deserted = not any(p.kind == "crew" for p in field.visible(thing.square, thing.side, "outside"))
    return Blow("equipment", at, 1) if thing.square in reach and free and deserted else None


@rule("SP-DMG-03")
def demolish(play: Play) -> None:
    """What infantry has pulled down, both sides, when the guns have fired: a point for each stand."""
    crews: dict[tuple[Role, str], list[Piece]] = {}
    for side in (play.battle.first_mover, play.battle.second_mover):
        for piece in sorted(play.field.own(side), key=lambda p: (place(p.square) if p.square else (0, 0), p.slot)):
            if piece.demolishes and in_reach(play.field, piece, piece.demolishes) is not None:
                crews.setdefault((side, piece.demolishes), []).append(piece)
    for (side, task), pieces in crews.items():
        blow = in_reach(play.field, pieces[0], task)
        if blow is None:
            continue
        play.tell(
            c.DemolitionDone(
                rules=cited("SP-DMG-03"),
                side=side, units=tuple(p.id for p in pieces), target=task, points=len(pieces),
            )
        )  # fmt: skip
        strike(play, [Blow(blow.type, blow.at, len(pieces))], "SP-DMG-03")
