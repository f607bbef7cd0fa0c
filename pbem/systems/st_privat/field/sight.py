"""Who sees what: lines of sight, arcs of fire, observers, and what comes into sight or goes out of it."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.ground.square import Square, crossed, distance, offset
from pbem.kernel.names import Role
from pbem.rules.ledger import rule
from pbem.systems.st_privat.field.field import Field
from pbem.systems.st_privat.world.options import Options
from pbem.systems.st_privat.world.pieces import ENEMY, Facing, Piece

CLOSE = 3
"""Within this many squares an open enemy is seen whatever lies between (SP-OPT-01)."""


@rule("SP-BRD-01")
def away(start: Square, target: Square) -> int:
    """The range between two squares: the larger of file and row difference, so that a corner touched is next door."""
    return distance(start, target)


@rule("SP-LOS-02", "SP-HID-02", "SP-SGE-01")
def blocks(field: Field, at: Square) -> bool:
    """Whether a square between two others blocks the line: by its ground, an intact building, or whoever is there.

    Generals and a siege gun that is not on the table do not block; dummies do, unless `dummy_blocks_los` is off.
    """
    ground = field.ground(at)
    if ground.is_rough or (ground.building and field.building(at)):
        return True
    counted = field.options.dummy_blocks_los
    if any(p.kind != "general" and (counted or p.kind != "dummy") for p in field.visible(at)):
        return True
    viewer = field.battle.viewer
    return viewer is not None and field.cards(at, ENEMY[viewer]) > 0


@rule("SP-LOS-01", "SP-LOS-03")
def sees(field: Field, start: Square, end: Square) -> bool:
    """Whether nothing blocks the line between the centres of two squares.

    From or to a hill nothing blocks; with `hill_sees_all` off hills between do.
    """
    between = crossed(start, end)
    if "hill" in (field.ground(start).terrain, field.ground(end).terrain):
        return field.options.hill_sees_all or all(field.ground(at).terrain != "hill" for at in between)
    return not any(blocks(field, at) for at in between)


@rule("SP-LOS-04")
def can_be_hit(field: Field, start: Square, target: Square) -> bool:
    """Whether a target's woods let it be hit: an edge square, or an adjacent firer who stands in woods himself."""
    if field.ground(target).terrain != "woods" or not field.is_interior(target):
        return True
    return field.ground(start).terrain == "woods" and away(start, target) == 1


@rule("SP-LOS-01", "SP-LOS-04")
def line_of_sight(field: Field, start: Square, target: Square) -> bool:
    """Whether whoever stands at *start* sees those in *target* well enough to fire at them."""
    return can_be_hit(field, start, target) and sees(field, start, target)


@rule("SP-LOS-05", "SP-SGE-05")
def in_arc(options: Options, start: Square, facing: Facing, target: Square) -> bool:
    """Whether a square lies ahead: a row (or file) or more forward; with `quadrant` no farther aside than forward."""
    east, north = offset(start, target)
    forward, aside = {"n": (north, east), "s": (-north, east), "e": (east, north), "w": (-east, north)}[facing]
    return forward >= 1 and (options.fire_arc == "half_plane" or abs(aside) <= forward)


def rules_of_sight(field: Field, start: Square, target: Square) -> tuple[str, ...]:
    """The rules by which a line of sight was judged."""
    hill = "hill" in (field.ground(start).terrain, field.ground(target).terrain)
    woods = field.ground(target).terrain == "woods"
    return ("SP-LOS-01", "SP-LOS-03" if hill else "SP-LOS-02", *(("SP-LOS-04",) if woods else ()))


@rule("SP-ART-02", "SP-OPT-01")
def observes(piece: Piece) -> bool:
    """Whether a piece has eyes: living men on the table."""
    return piece.on_table and piece.left > 0 and piece.kind != "team"


@rule("SP-ART-02")
def spotted(field: Field, side: Role, target: Square) -> bool:
    """Whether some stand or general of a side sees a square that is to be shelled, in any direction.

    The option `spotting_range` says how far off he may be.
    """
    reach = field.options.spotting_range
    eyes = {p.square for p in field.own(side) if observes(p) and p.square is not None}
    return any((reach == "unlimited" or away(at, target) <= reach) and sees(field, at, target) for at in sorted(eyes))


@rule("SP-OPT-01")
def in_sight(field: Field, side: Role) -> frozenset[Square]:
    """The squares in which a side sees open enemies under `fog_of_war` los: near its men, or in their sight."""
    eyes = sorted({p.square for p in field.own(side) if observes(p) and p.square is not None})
    wanted = {p.square for p in field.own(ENEMY[side]) if p.square is not None}
    return frozenset(
        target for target in wanted if any(away(at, target) <= CLOSE or line_of_sight(field, at, target) for at in eyes)
    )


def open_enemies(field: Field, side: Role) -> tuple[Piece, ...]:
    """The enemies that a side sees now: face up, on the table, and in sight where `fog_of_war` asks for it."""
    shown = [p for p in field.own(ENEMY[side]) if p.is_open]
    if not field.options.by_sight:
        return tuple(shown)
    seen = in_sight(field, side)
    return tuple(p for p in shown if p.square in seen)


def as_seen(field: Field, piece: Piece) -> Piece:
    """A piece as its enemy sees it: not what it sets about, and among face-down cards not which rank it is in."""
    at, where = piece.square, piece.place
    among_cards = at is not None and any(p.hidden for p in field.at(at, piece.side, where))
    seen = replace(piece, demolishes="")
    return replace(seen, slot=1, formation="line") if among_cards else seen
