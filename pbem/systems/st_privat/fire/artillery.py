"""Artillery fire: which guns fire and at what, where shells fall, and what the dice bring."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.ground.square import OPPOSITE, Square, beyond, offset
from pbem.kernel.event import Throw
from pbem.kernel.names import Role, RuleId
from pbem.orders.sheet import Order
from pbem.rules.ledger import cited, rule
from pbem.systems.st_privat.field.field import BESIDE, Field
from pbem.systems.st_privat.field.sight import away, can_be_hit, in_arc, line_of_sight, spotted
from pbem.systems.st_privat.fire.aims import Aim, FireOrder, Source, at_one_place, newest
from pbem.systems.st_privat.fire.cover import cover, total
from pbem.systems.st_privat.fire.damage import Blow, share, structure_towards
from pbem.systems.st_privat.fire.losses import Hit
from pbem.systems.st_privat.fire.policy import NONE, is_target, place_of, preference, shown, targets, words_for
from pbem.systems.st_privat.fire.rifle import kills_of
from pbem.systems.st_privat.tables import charts
from pbem.systems.st_privat.world import orders as say
from pbem.systems.st_privat.world import outcomes as o
from pbem.systems.st_privat.world import outcomes_combat as c
from pbem.systems.st_privat.world.fact import Ammunition, FireReason, Modifier
from pbem.systems.st_privat.world.patches import Patch
from pbem.systems.st_privat.world.pieces import ENEMY, FRENCH, PRUSSIAN, SIDES, Facing, Kind, Piece, Place

INDIRECT: tuple[Ammunition, ...] = ("shell", "siege")
"""Fire that needs no line of sight from the gun, and strays (SP-ART-02)."""
CARRIED: Mapping[Kind, tuple[Ammunition, ...]] = {
    "field_gun": ("shot", "shell"),
    "mitrailleuse": ("mg",),
    "siege_gun": ("siege",),
}
"""What each kind of gun fires, in the order in which a policy prefers it (SP-ART-09)."""


class Fall(Struct, frozen=True):
    """Where a shot strikes: the sector's name and square (None: off the board)."""

    sector: str
    square: Square | None


@rule("SP-ART-01", "SP-SGE-05")
def hit_max(side: Role, ammunition: Ammunition, squares: int) -> int:
    """The highest modified die that hits; 0: no such fire at this range."""
    if (side, ammunition) not in charts.GUN_FIRES:
        return 0
    column = charts.GUN_FIRES.index((side, ammunition))
    return next((row[column] for ranges, row in charts.ARTILLERY if squares in ranges), 0)


@rule("SP-ART-01", "SP-CAP-06")
def made_by(gun: Piece) -> Role:
    """Whose chart a gun is read on: of the side that brought it, whoever has taken it for use since."""
    return FRENCH if gun.id.startswith(FRENCH[0]) else PRUSSIAN


@rule("SP-ART-03", "SP-MOV-08", "SP-CAP-05", "SP-SGE-01")
def silent(field: Field, gun: Piece, turns_to: Facing | None = None) -> FireReason | None:
    """Why a gun cannot fire at all this turn; None if it can.

    It may turn 90 degrees first; about, or a second quarter in one turn, is a move.
    """
    if not gun.on_table:
        return "hidden"
    if gun.unlimbered_this_turn:
        return "unlimbered"
    if gun.moved_this_turn:
        return "moved"
    if not gun.deployed:
        return "limbered"
    crew = field.crew_of(gun)
    if crew is None or crew.men < field.options.gun_min_crew:
        return "no_crew"
    if turns_to is not None and gun.facing is not None and turns_to != gun.facing:
        about = turns_to == OPPOSITE[gun.facing]
        if about or gun.turned_this_turn:
            return "moved"
    return None


@rule("SP-ART-03", "SP-ART-09")
def may_fire(field: Field, gun: Piece) -> bool:
    """Whether a gun can fire as it stands: deployed, manned, not moved this turn; a rout bars none by itself."""
    return silent(field, gun) is None


@rule("SP-ART-04")
def away_from(start: Square, target: Square, facing: Facing, orientation: str) -> Facing:
    """The direction called far: along the longer axis from gun to target, or as the gun looks if they are equal.

    With `deviation_orientation` board_north it is always the north.

    >>> away_from(Square("I-12"), Square("I-9"), "s", "away_from_gun")
    's'
    """
    if orientation == "board_north":
        return "n"
    east, north = offset(start, target)
    if abs(east) == abs(north):
        return facing
    if abs(north) > abs(east):
        return "n" if north > 0 else "s"
    return "e" if east > 0 else "w"


def _sector(field: Field, aim: Square, far: Facing, ahead: int, aside: int) -> Square | None:
    """A square of the nine: *ahead* of the aim, and *aside* to the gunners' right."""
    left, right = BESIDE[far]
    at: Square | None = aim
    ways = [far if ahead > 0 else OPPOSITE[far]] * abs(ahead) + [right if aside > 0 else left] * abs(aside)
    for way in ways:
        at = None if at is None else beyond(at, way)
    return at if at in field.scene.board else None


def nine(field: Field, target: Square) -> Iterator[Square]:
    """The squares on the board where a shell at *target* may fall."""
    return (at for at in (target, *field.scene.board.neighbours(target)))


@rule("SP-ART-04")
def fall(field: Field, aim: Aim, dice: Sequence[int]) -> Fall:
    """Where a shell falls by the sum of its two dice."""
    assert aim.target is not None
    assert aim.facing is not None
    far = away_from(aim.at, aim.target, aim.facing, field.options.deviation_orientation)
    for ahead, row in charts.DEVIATION:
        for aside, sums in zip((-1, 0, 1), row, strict=True):
            if sum(dice) in sums:
                words = ({1: "far", 0: "", -1: "near"}[ahead], {-1: "left", 0: "", 1: "right"}[aside])
                name = " ".join(word for word in words if word) or "centre"
                return Fall(name, _sector(field, aim.target, far, ahead, aside))
    raise AssertionError(f"two dice cannot show {sum(dice)}")


@rule("SP-ART-04", "SP-ART-09")
def endangers(field: Field, side: Role, target: Square) -> bool:
    """Whether a piece of the firer's own side stands in any of the nine squares."""
    return any(field.at(at, side) for at in nine(field, target))


@rule("SP-ART-01", "SP-ART-02", "SP-ART-04", "SP-ART-06", "SP-LOS-05")
def why_not(field: Field, gun: Piece, aim: Aim, *, danger: bool = False) -> FireReason | None:
    """Why a gun that can fire cannot fire so; None if it can."""
    target, at, facing = aim.target, aim.at, aim.facing
    assert target is not None
    indirect = aim.ammunition in INDIRECT
    if aim.ammunition not in CARRIED[gun.kind] or hit_max(made_by(gun), aim.ammunition, away(at, target)) == 0:
        return "range"
    if facing is None or not in_arc(field.options, at, facing, target):
        return "arc"
    if not (can_be_hit(field, at, target) if indirect else line_of_sight(field, at, target)):
        return "line_of_sight"
    if indirect and not spotted(field, gun.side, target):
        return "not_spotted"
    if target in field.battle.squares_fired_rifle and field.options.one_fire_per_square == "combined_all_weapons":
        return "square_fired_on"
    if not _has_target(field, gun.side, aim):
        return "no_enemy" if aim.aim == "troops" else "nothing_there"
    if indirect and not danger and endangers(field, gun.side, target):
        return "own_troops"
    return None


@rule("SP-DMG-02")
def _has_target(field: Field, side: Role, aim: Aim) -> bool:
    """Whether the square aimed at shows what the shot is meant for."""
    target = aim.target
    assert target is not None
    if aim.aim == "structure":
        return structure_towards(field, aim.at, target) is not None
    if aim.aim == "equipment":
        there = [p for p in shown(field, target, side) if p.is_equipment]
        if aim.equipment:
            return any(p.id == aim.equipment for p in there) or field.cards(target, ENEMY[side]) > 0
        return bool(there) or field.cards(target, ENEMY[side]) > 0
    # An order may shell ground that only looks empty; shot is fired at what the gunners see.
    return aim.ammunition in INDIRECT or is_target(field, target, side, aim.named)


@rule("SP-ART-09")
def by_policy(field: Field, gun: Piece, barred: frozenset[Square] = frozenset()) -> Aim | None:
    """The fire that a gun chooses by itself; None if it holds its fire or has no chance to hit.

    The best chance after cover, shot before shell, then as rifles choose.
    """
    words = words_for(field, gun)
    at = gun.square
    if words == NONE or at is None:
        return None
    found = []
    enemies = targets(field, gun.side)
    for rank, ammunition in enumerate(CARRIED[gun.kind]):
        for target in enemies:
            where = place_of(field, target, gun.side)
            aim = Aim(gun, at, target=target, place=where, ammunition=ammunition, facing=gun.facing)
            if target in barred or why_not(field, gun, aim) is not None:
                continue
            most = hit_max(made_by(gun), ammunition, away(at, target))
            chance = most - total(cover(field, at, target, where))
            if chance > 0:
                found.append((-chance, rank, preference(field, words, at, target, gun.side), aim))
    return min(found, key=lambda one: one[:3])[3] if found else None


def guns(field: Field, side: Role) -> list[Piece]:
    """The guns of a side on the board, by id."""
    return [p for p in field.own(side) if p.is_gun]


@rule("SP-ART-03", "SP-ART-06")
def declare(field: Field, side: Role, orders: Sequence[Order]) -> list[Aim]:
    """What every gun makes of its orders, by id; all that fire at the troops of a square fire at one place of it.

    With `one_fire_per_square` single_square only the guns of one square fire at a target (those of the gun with
    the lowest id), and the others look elsewhere.
    """
    taken: dict[Square, Square] = {}
    aims = []
    for gun in guns(field, side):
        alone = field.options.one_fire_per_square == "single_square"
        barred = frozenset(at for at, start in taken.items() if alone and start != gun.square)
        aim = _aim(field, gun, newest(orders, (say.Shoot, say.HoldFire), gun), barred)
        if aim.target is not None:
            taken.setdefault(aim.target, aim.at)
        aims.append(aim)
    return at_one_place(aims)


def _aim(field: Field, gun: Piece, order: FireOrder | None, barred: frozenset[Square]) -> Aim:
    aim = Aim(gun, gun.at, order, ammunition=CARRIED[gun.kind][0], facing=gun.facing)
    if isinstance(order, say.HoldFire):
        return replace(aim, reason="hold_fire", source="order")
    if isinstance(order, say.Shoot):
        wanted = _ordered(field, gun, order)
        reason = silent(field, gun, order.turn)
        if reason is None and order.square in barred:
            reason = "square_fired_on"
        if reason is None:
            reason = why_not(field, gun, wanted, danger=order.danger)
        if reason is None:
            return wanted
        aim = replace(aim, reason=reason, ammunition=order.ammunition)
    if not may_fire(field, gun):
        return aim
    chosen = by_policy(field, gun, barred)
    return aim if chosen is None else replace(chosen, order=order, reason=aim.reason)


@rule("SP-ART-02", "SP-ART-03")
def doubt(field: Field, gun: Piece, order: say.Shoot) -> FireReason | None:
    """Why a gun could not fire as ordered if nothing changed; None if it could."""
    return silent(field, gun, order.turn) or why_not(field, gun, _ordered(field, gun, order), danger=order.danger)


@rule("SP-ART-05")
def _ordered(field: Field, gun: Piece, order: say.Shoot) -> Aim:
    source: Source = "order"
    return Aim(
        gun,
        gun.at,
        order,
        target=order.square,
        place="outside" if order.aim == "equipment" else order.place or place_of(field, order.square, gun.side),
        named=order.place if order.aim == "troops" else None,
        source=source,
        ammunition=order.ammunition,
        aim=order.aim,
        equipment=order.equipment,
        facing=order.turn or gun.facing,
    )


@rule("SP-ART-05")
def place_struck(field: Field, at: Square) -> Place:
    """Where a shell that strayed strikes: outside if a stand or card is there, else inside; a general is no stand."""
    inside = any(field.visible(at, side, "inside") for side in SIDES)
    outside = any(p.kind != "general" for side in SIDES for p in field.visible(at, side, "outside"))
    return "inside" if inside and not outside else "outside"


@rule("SP-ART-08")
def resolve(
    field: Field, aim: Aim, dropped: Fall, deviation: Throw | None, throw: Throw | None
) -> tuple[c.ArtilleryFireResolved, tuple[Hit, ...], tuple[Blow, ...]]:
    """One gun's fire read on the charts: the fact, what it kills, and what it breaks.

    *throw* is the die to hit, None for a shell off the board.
    """
    assert aim.target is not None
    gun, struck = aim.shooter, dropped.square
    squares = away(aim.at, aim.target)
    strayed = struck != aim.target
    purpose = "troops" if strayed else aim.aim
    where = place_struck(field, struck) if strayed and struck is not None else aim.place
    modifiers: tuple[Modifier, ...] = ()
    most = natural = modified = 0
    hit = False
    hits: tuple[Hit, ...] = ()
    blows: tuple[Blow, ...] = ()
    to_structure = to_unit = 0
    if struck is not None and throw is not None:
        modifiers = cover(field, aim.at, struck, where) if purpose != "structure" else ()
        most = hit_max(made_by(gun), aim.ammunition, squares) if can_be_hit(field, aim.at, struck) else 0
        natural = throw.faces[0]
        modified = natural + total(modifiers)
        hit = modified <= most
    if hit and struck is not None:
        points = kills_of(natural, modified, field.options)
        shell = aim.ammunition in INDIRECT
        dealt = share(field, aim, struck, where, points if purpose == "troops" else natural, purpose, shell=shell)
        to_structure, to_unit, blows = dealt.to_structure, dealt.to_unit, dealt.blows
        if purpose == "troops" and to_unit:
            hits = tuple(
                Hit(gun.id, struck, where, side, to_unit) for side in SIDES if field.visible(struck, side, where)
            )
    fact = c.ArtilleryFireResolved(
        rules=_rules(field, aim, dropped, modifiers, where, blows),
        dice=tuple(one for one in (deviation, throw) if one is not None),
        side=gun.side,
        gun=gun.id,
        ammunition=aim.ammunition,
        aim_square=aim.target,
        range=squares,
        deviation_dice=deviation.faces if deviation is not None else (),
        sector=dropped.sector if deviation is not None else "",
        hit_square=struck,
        place=where,
        aim=aim.aim,
        hit_max=most,
        modifiers=modifiers,
        natural=natural,
        modified=modified,
        hit=hit,
        points_to_structure=to_structure,
        points_to_unit=to_unit,
        kills=to_unit if purpose == "troops" else 0,
    )
    return fact, hits, blows


@rule("SP-ART-03", "SP-SGE-05")
def turned(field: Field, aim: Aim) -> tuple[o.UnitTurned, ...]:
    """The quarter turn that a gun makes before it fires, its crew with it."""
    gun = aim.shooter
    if aim.facing is None or aim.facing == gun.facing:
        return ()
    crew = field.crew_of(gun)
    turning = (gun, *((crew,) if crew is not None else ()))
    patch = Patch(facing=aim.facing, turned_this_turn=True)
    return (
        o.UnitTurned(
            rules=cited("SP-ART-03", *(("SP-SGE-05",) if gun.kind == "siege_gun" else ())),
            group_square=aim.at,
            units=(gun.id,),
            start=gun.facing,
            end=aim.facing,
            cost=0,
            changes={p.id: patch for p in turning},
        ),
    )


def in_words(fact: c.ArtilleryFireResolved) -> str:
    """How a gun's dice fell, for the line that ordered it."""
    if fact.hit_square is None:
        return "the shell fell off the board"
    where = f"fell at {fact.hit_square} and " if fact.hit_square != fact.aim_square else ""
    at_troops = fact.aim == "troops" or fact.hit_square != fact.aim_square
    nobody = at_troops and not fact.kills and not fact.points_to_structure
    return f"it {where}{'missed' if not fact.hit else 'hit nobody' if nobody else 'hit'}"


def _rules(
    field: Field, aim: Aim, dropped: Fall, modifiers: Sequence[Modifier], where: Place, blows: Sequence[Blow]
) -> tuple[RuleId, ...]:
    """The rules of one gun's fire; nothing in them tells an order from a policy, or a dummy from troops."""
    struck = dropped.square
    strayed = aim.ammunition in INDIRECT and struck != aim.target
    cards = struck is not None and any(field.cards(struck, side, where) for side in SIDES)
    also = {
        "SP-ART-04": aim.ammunition in INDIRECT,
        "SP-ART-05": strayed,
        "SP-SGE-05": aim.ammunition == "siege",
        "SP-DMG-02": bool(blows) or aim.aim != "troops",
        "SP-DMG-01": bool(blows) or aim.aim != "troops",
        "SP-HID-05": cards,
    }
    return cited(
        "SP-ART-01", "SP-ART-02", "SP-ART-03", *(name for name, holds in also.items() if holds),
        *(one.rule_id for one in modifiers), "SP-ART-06", "SP-ART-08", "SP-TRN-04", "SP-GEN-01",
    )  # fmt: skip
