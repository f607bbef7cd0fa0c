"""Orders to attack, charge and pursue, as they run from move to move (KS-ATK-09, KS-ATK-10, KS-CMD-14)."""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from pbem.ground.plane import Point, bearing, distance, dot, gap, line, nearest, shifted
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.field.field import fightable, is_formed, outline, terrain_of
from pbem.systems.kriegsspiel.field.works_standing import true_terrain
from pbem.systems.kriegsspiel.knowing.conditions import visible
from pbem.systems.kriegsspiel.march import carrying_out as carry
from pbem.systems.kriegsspiel.march.forming import begin_change
from pbem.systems.kriegsspiel.march.gate import swung
from pbem.systems.kriegsspiel.march.tasks import target_body
from pbem.systems.kriegsspiel.play.play import Play
from pbem.systems.kriegsspiel.scene.terrain import TWELFTHS, Piece, cell
from pbem.systems.kriegsspiel.scene.ways import toll_of
from pbem.systems.kriegsspiel.scene.words import spot_words
from pbem.systems.kriegsspiel.tables.attack import CHARGE_FROM, CONTACT, HALT_TO_FIRE
from pbem.systems.kriegsspiel.tables.march import CLOSING_FROM, PURSUIT
from pbem.systems.kriegsspiel.world.bodies import is_battalion, is_fresh, is_lost, is_post, is_remnant, may_attack
from pbem.systems.kriegsspiel.world.forms import on_route, passes, rate_class
from pbem.systems.kriegsspiel.world.orders import Order
from pbem.systems.kriegsspiel.world.troops import Unit

BEYOND = 60
"""Paces by which a way of attack goes on past the body that it is for, which moves as well."""

AT_AIM = 60
"""Paces from a place that was attacked at which it is reached."""

IN_PASSAGE = 50
"""Paces before a bridge or ford within which troops in a column of the route do not form for the attack."""

ON_FOOT = ("march_inf", "inf_action")
"""Rows that have no rate among houses and gardens."""

LEFT = "we are what is left of a body, and attack nobody"
WAVES = "waits for its wave"


# ------------------------------------------------------------------ whom


@rule("KS-ATK-01", "KS-ORD-02")
def body_of(play: Play, unit: Unit, order: Order) -> Unit | None:
    """The body that an attack is on: the one it has declared against, while it sees it; else whom its order means."""
    seen = {enemy.key for enemy, _, _ in visible(play, unit)}
    held = play.war.units.get(unit.trial.attacks)
    if held is not None and held.side != unit.side and held.key in seen and fightable(held):
        return held
    found = target_body(play, unit, order.target)
    if found is not None and fightable(found):
        return found
    return _holder(play, unit, order, seen)


def _holder(play: Play, unit: Unit, order: Order, seen: set[str]) -> Unit | None:
    """Of an attack on a place: the body seen that holds it."""
    spot = order.target.at if order.target is not None else None
    if spot is None or not spot.feature:
        return None
    chart = play.scene.chart
    names = {spot.feature} | {held.id for held in chart.strongholds.values() if held.feature == spot.feature}
    holders = [
        (play.field.gap(unit, enemy), enemy.key, enemy)
        for enemy in play.field.enemies(unit.side)
        if enemy.place.holds in names and enemy.key in seen and fightable(enemy)
    ]
    return min(holders, key=lambda one_: one_[:2])[2] if holders else None


# ------------------------------------------------------------------ infantry


@rule("KS-ATK-09", "KS-ATK-03", "KS-ATK-07", "KS-MOV-22")
def do_attack(play: Play, unit: Unit, order: Order) -> carry.Did:
    """`attack TARGET`: march to 600 from it, form, close; with fire first, halt at 150 for so many moves."""
    if unit.arm == "cavalry" and not unit.place.dismounted:
        return do_charge(play, unit, order)
    if unit.arm not in ("infantry", "pioneers", "cavalry"):
        return carry.failed("guns and wagons do not attack")
    goal = _goal(play, unit, order)
    if not isinstance(goal, _Goal):
        return goal
    aim, far = goal
    if far > CLOSING_FROM:
        row, most = carry.row_for(play, unit)
        return _approach(play, unit, aim, row, most, f"there is no way to {order.text}")
    form = order.formation or ("attack_column" if is_battalion(unit) else "")
    has_room = far > 2 * CONTACT and not _in_passage(play, unit, aim)
    if form and unit.place.formation != form and not is_post(unit) and has_room:
        carry.stop(play, unit)
        if begin_change(play, play.unit(unit.key), form, bearing(unit.place.at, aim)):
            return carry.GOING
    if order.number and unit.duty.stage != "has fired" and far <= HALT_TO_FIRE + CONTACT:
        return _fires_first(play, unit, order, aim)
    row, most = carry.row_for(play, unit, activity="closing")
    if order.number and unit.duty.stage != "has fired" and far > HALT_TO_FIRE:
        most = min(most or 250, far - HALT_TO_FIRE) if far - HALT_TO_FIRE < 250 else most
    return _approach(play, unit, aim, row, most, "the ground does not let us close")


class _Goal(NamedTuple):
    """Where an attack goes, and how far it is from there."""

    aim: Point
    far: int


def _goal(play: Play, unit: Unit, order: Order) -> _Goal | carry.Did:
    """The goal of an attack or charge; or what comes of it for now, where it does not go on."""
    if order.target is None:
        return carry.failed("no target was named")
    if is_remnant(unit):
        return carry.failed(LEFT)
    if _not_fit(play, unit) or _wave_waits(play, unit, order) or unit.change is not None:
        return carry.GOING
    body = body_of(play, unit, order)
    aim = _aim(unit, order, body)
    if aim is None:
        return _target_gone(play, unit)
    far = play.field.gap(unit, body) if body is not None else distance(unit.place.at, aim)
    if body is None and far <= AT_AIM:
        return _nobody_there(play, unit, order)
    return _Goal(aim, far)


def _aim(unit: Unit, order: Order, body: Unit | None) -> Point | None:
    if body is not None:
        return nearest(outline(body), unit.place.at)
    return order.target.at.at if order.target is not None and order.target.at is not None else None


@rule("KS-ATK-09", "KS-MOV-08", "KS-BRG-11")
def _in_passage(play: Play, unit: Unit, aim: Point) -> bool:
    """Whether it has narrowed for a bridge or ford right before it, and goes in as it is."""
    if not on_route(unit) or aim == unit.place.at:
        return False
    pieces = true_terrain(play.scene, play.war).pieces((unit.place.at, aim))
    return any(piece.crossing and piece.start <= IN_PASSAGE * TWELFTHS for piece in pieces)


@rule("KS-ATK-07")
def _not_fit(play: Play, unit: Unit) -> bool:
    """Troops that cannot attack yet keep the order until they can, and say so once."""
    if may_attack(unit, play.move):
        return False
    carry.stop(play, unit)
    if unit.duty.stage != "not in order":
        play.note(unit.key, "order_impossible", "We are not yet in order to attack.")
        carry.stage(play, play.unit(unit.key), "not in order")
    return True


@rule("KS-ATK-09")
def _fires_first(play: Play, unit: Unit, order: Order, aim: Point) -> carry.Did:
    """At the halt for so many moves of fire, then on."""
    carry.stop(play, unit)
    unit = play.unit(unit.key)
    if unit.duty.stage != "firing":
        unit = carry.stage(play, unit, "firing")
        turn = replace(unit.place, facing=bearing(unit.place.at, aim) if aim != unit.place.at else unit.place.facing)
        turn = swung(unit, turn, play.field.enemies(unit.side))
        play.change(unit, "halts to fire", place=turn)
        return carry.GOING
    count = unit.duty.count + 1
    if count < (order.number or 0):
        play.change(unit, "fires on", duty=replace(unit.duty, count=count))
        return carry.GOING
    carry.stage(play, unit, "has fired")
    unit = play.unit(unit.key)
    row, most = carry.row_for(play, unit, activity="closing")
    return _approach(play, unit, aim, row, most, "the ground does not let us close")


def _approach(play: Play, unit: Unit, aim: Point, row: str, most: int, why: str) -> carry.Did:
    """On toward the aim: straight, if the ground lets it, and a little past it."""
    if unit.duty.stage not in ("approaching", "firing", "has fired"):
        unit = carry.stage(play, unit, "approaching")
    way = _straight(play, unit, aim, row)
    if way is None and row in ON_FOOT and _straight(play, unit, aim, "inf_run") is not None:
        # Among houses and gardens troops in action have no rate but that of the run (KS-MOV-01).
        row = "inf_run"
        way = _straight(play, unit, aim, row)
    if way is None:
        if unit.march.way and distance(unit.march.way[-1], aim) <= BEYOND:
            carry.set_row(play, unit, row, most)
            return carry.GOING
        way = carry.way_for(play, unit, aim, row=row)
    if way is None and row in ON_FOOT:
        row = "inf_run"
        way = carry.way_for(play, unit, aim, row=row)
    if way is None or len(way) < 2:
        return carry.failed(why)
    carry.set_way(play, unit, way, row, most)
    return carry.GOING


@rule("KS-MOV-13", "KS-ATK-09")
def _straight(play: Play, unit: Unit, aim: Point, row: str) -> tuple[Point, ...] | None:
    """The straight way, if it can be gone in that row; None: it cannot."""
    at = unit.place.at
    if at == aim:
        return None
    terrain = terrain_of(play.scene)
    way = (at, aim)
    # The last paces before the enemy's edge need not be gone: bodies touch before them.
    near = max(distance(at, aim) - CONTACT, 0) * TWELFTHS
    if not all(cell(row, _as_gone(unit, piece)) for piece in terrain.pieces(way) if piece.start < near):
        return None
    if any(toll_of(met, unit.arm, 250, terrain) is None for met in terrain.met(way) if met.far < near):
        return None
    beyond = shifted(aim, bearing(at, aim), BEYOND)
    longer = (at, beyond)
    fit = terrain.on_board(beyond) and all(cell(row, _as_gone(unit, piece)) for piece in terrain.pieces(longer))
    return longer if fit else way


@rule("KS-MAP-07")
def _as_gone(unit: Unit, piece: Piece) -> Piece:
    """A piece of a way as the unit goes over it: beside the road, where its front is too wide for it."""
    width = "main" if piece.road in ("main", "town") else "small"
    on_it = not piece.road or piece.crossing or is_post(unit) or passes(unit.place.formation, unit.arm, width)
    return piece if on_it else piece._replace(road="")


@rule("KS-ATK-09")
def _target_gone(play: Play, unit: Unit) -> carry.Did:
    """Nobody is there any longer: it halts and faces the enemy last seen."""
    carry.stop(play, unit)
    unit = play.unit(unit.key)
    seen = sorted((far, enemy.key, enemy.place.at) for enemy, far, _ in visible(play, unit) if is_formed(enemy))
    if seen and unit.change is None and seen[0][2] != unit.place.at:
        begin_change(play, unit, unit.place.formation, bearing(unit.place.at, seen[0][2]))
    return carry.failed("the target is gone")


def _nobody_there(play: Play, unit: Unit, order: Order) -> carry.Did:
    """A place attacked that nobody defends is taken."""
    spot = order.target.at if order.target is not None else None
    carry.stop(play, unit)
    unit = play.unit(unit.key)
    if spot is not None and spot.feature and order.target is not None and not order.target.arm:
        chart = play.scene.chart
        held = next((held.id for held in chart.strongholds.values() if held.feature == spot.feature), spot.feature)
        place = replace(unit.place, holds=held, held_since=play.move)
        play.change(unit, "occupies", place=place)
        play.note(unit.key, "arrived", f"Nobody defended {spot_words(play.scene, spot)}; we hold it.")
        return carry.DONE
    return _target_gone(play, unit)


# ------------------------------------------------------------------ cavalry


@rule("KS-ATK-09", "KS-MOV-13", "KS-CAV-06")
def do_charge(play: Play, unit: Unit, order: Order) -> carry.Did:
    """`charge TARGET`: deploy to 800 or 900 from it, form, and ride at it in the attack row."""
    if unit.arm != "cavalry" or unit.place.dismounted:
        return do_attack(play, unit, order) if unit.arm == "infantry" else carry.failed("we cannot charge")
    goal = _goal(play, unit, order)
    if not isinstance(goal, _Goal):
        return goal
    aim, far = goal
    if far > CHARGE_FROM[rate_class(unit)]:
        row, most = carry.row_for(play, unit, activity="march" if on_route(unit) else "in_action")
        return _approach(play, unit, aim, row, most, f"there is no way to {order.text}")
    form = order.formation or "cav_line"
    if unit.size == "squadron" and unit.place.formation != form:
        carry.stop(play, unit)
        if begin_change(play, play.unit(unit.key), form, bearing(unit.place.at, aim)):
            return carry.GOING
    row = carry.row_for(play, unit, activity="charge")[0]
    way = _straight(play, unit, aim, row)
    if way is None:
        carry.stop(play, unit)
        return carry.failed("the ground does not allow a charge")
    if unit.duty.stage != "charging":
        unit = carry.stage(play, unit, "charging")
    carry.set_way(play, unit, way, row)
    return carry.GOING


# ------------------------------------------------------------------ waves


@rule("KS-ATK-10", "KS-CAV-02")
def _wave_waits(play: Play, unit: Unit, order: Order) -> bool:
    """Whether the waves before its own are not yet decided."""
    waves = order.second or 0
    if waves < 2:
        return False
    mates = wave_mates(play, unit)
    if len(mates) < 2:
        return False
    own = _wave(mates, unit.key, waves)
    waiting = any(_wave(mates, other.key, waves) < own and order in other.duty.queue[:1] for other in mates)
    if waiting:
        carry.stop(play, unit)
        if unit.duty.stage != WAVES:
            carry.stage(play, play.unit(unit.key), WAVES)
    return waiting


def wave_mates(play: Play, unit: Unit) -> list[Unit]:
    """All of the group that was ordered to an attack by waves, in the order of their ids, decided or not."""
    names = _group_of(play, unit)
    return [other for other in play.on_map(unit.side) if other.id in names and not is_lost(other)]


@rule("KS-ATK-10")
def has_gone_in(play: Play, unit: Unit) -> bool:
    """Whether the wave of a body has been decided in the last moves."""
    return max(unit.trial.won, unit.trial.beaten) > play.move - 6


def _group_of(play: Play, unit: Unit) -> tuple[str, ...]:
    """The smallest group of the order of battle that a unit belongs to."""
    groups = [group for group in play.scene.groups.values() if group.side == unit.side and unit.id in group.units]
    smallest = min(groups, key=lambda group: (len(group.units), group.id), default=None)
    return tuple(smallest.units) if smallest is not None else ()


def _wave(mates: list[Unit], key: str, waves: int) -> int:
    keys = [unit.key for unit in mates]
    return keys.index(key) * waves // len(keys) if key in keys else 0


# ------------------------------------------------------------------ pursuit on order


@rule("KS-CMD-14", "KS-RET-01", "KS-RET-03")
def do_pursue(play: Play, unit: Unit, order: Order) -> carry.Did:
    """`pursue TARGET [N moves] [not beyond PLACE]`: after the enemy, at the paces of a pursuit."""
    if unit.arm not in ("infantry", "cavalry"):
        return carry.failed("guns and wagons do not pursue")
    if is_remnant(unit):
        return carry.failed(LEFT)
    body = body_of(play, unit, order)
    if body is None:
        return _target_gone(play, unit)
    count = unit.duty.count + 1
    if order.number and count > order.number:
        carry.stop(play, unit)
        return carry.DONE
    fresh = [
        enemy
        for enemy, far, _ in visible(play, unit)
        if is_formed(enemy) and is_fresh(enemy) and far <= CLOSING_FROM and enemy.key != body.key
    ]
    if fresh:
        carry.stop(play, unit)
        return carry.failed("fresh enemy troops bar the pursuit")
    way = (unit.place.at, shifted(body.place.at, bearing(unit.place.at, body.place.at), BEYOND))
    if order.to and gap(dot(order.to[0].at), line(way)).far <= 300:
        carry.stop(play, unit)
        return carry.DONE
    if unit.duty.stage != "pursuing":
        unit = carry.stage(play, unit, "pursuing")
    play.change(unit, "pursues", duty=replace(unit.duty, count=count))
    unit = play.unit(unit.key)
    row, most = carry.row_for(play, unit, activity="pursuit" if unit.arm == "cavalry" else "closing")
    carry.set_way(play, unit, way, row, most or pursuit_most(unit, count))
    return carry.GOING


def pursuit_most(unit: Unit, number: int) -> int:
    """The paces of a pursuit on order, which begins with the second move of the table."""
    if unit.arm != "cavalry":
        return 0
    table = PURSUIT[rate_class(unit)]
    return table[min(number, len(table) - 1)]
