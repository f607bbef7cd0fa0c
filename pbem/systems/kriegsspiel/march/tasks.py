"""Standing tasks beside other troops and before the enemy: support, cover, guard, observe, relieve, hide."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.ground.bearing import FULL, opposite
from pbem.ground.plane import Point, bearing, distance, shifted
from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.field.eyes import sights_of
from pbem.systems.kriegsspiel.field.field import is_formed, terrain_of, trail_behind
from pbem.systems.kriegsspiel.knowing.conditions import Seen, attackers_seen, sightings, true_for, visible
from pbem.systems.kriegsspiel.march import carrying_out as carry
from pbem.systems.kriegsspiel.march.comrades import comrade_of
from pbem.systems.kriegsspiel.march.forming import begin_change, do_skirmishers_out
from pbem.systems.kriegsspiel.play.play import Play, one
from pbem.systems.kriegsspiel.tables.knowledge import DEMONSTRATE, HIDDEN, OBSERVE_FROM, RELIEVED
from pbem.systems.kriegsspiel.world.forms import front_of
from pbem.systems.kriegsspiel.world.orders import Order, Target
from pbem.systems.kriegsspiel.world.outcomes import SignalFired
from pbem.systems.kriegsspiel.world.troops import Unit, UnitPatch

FALLS_BACK = "falls back"
"""How far an order to observe or to demonstrate has come, of who goes back before the enemy."""

MEANT = 500
"""Paces from the place that an order names within which a body is taken to be meant."""

CLOSE = 25
"""Paces off its post beside another unit within which a unit stands where it should."""


def _keep_beside(play: Play, unit: Unit, at: Point, facing: int) -> carry.Did:
    """Go to a post beside another unit, and look where it looks."""
    if unit.change is not None:
        return carry.GOING
    at = _on_board(play, at)
    if distance(unit.place.at, at) <= CLOSE:
        carry.stop(play, unit)
        unit = play.unit(unit.key)
        if unit.place.facing != facing and unit.arm != "train":
            begin_change(play, unit, unit.place.formation, facing)
        return carry.GOING
    if not unit.march.way or distance(unit.march.way[-1], at) > CLOSE:
        way = carry.way_for(play, unit, at)
        if way is None:
            return carry.failed("there is no way to our post")
        carry.set_off(play, unit, way)
    return carry.GOING


@rule("KS-SEC-01", "KS-CMD-06")
def do_support(play: Play, unit: Unit, order: Order) -> carry.Did:
    """`support UNIT at N`: a second line, so far behind its front."""
    other = comrade_of(play, unit, order)
    if not isinstance(other, Unit):
        return other
    unit = play.unit(unit.key)
    behind = order.number if order.number is not None else 200
    return _keep_beside(play, unit, shifted(other.place.at, opposite(other.place.facing), behind), other.place.facing)


@rule("KS-BAT-06")
def do_cover(play: Play, unit: Unit, order: Order) -> carry.Did:
    """`cover BATTERY`: beside the guns, a little behind."""
    other = comrade_of(play, unit, order)
    if not isinstance(other, Unit):
        return other
    unit = play.unit(unit.key)
    side = front_of(other) // 2 + front_of(unit) // 2 + 25
    at = shifted(shifted(other.place.at, (other.place.facing + 9000) % FULL, side), opposite(other.place.facing), 50)
    return _keep_beside(play, unit, at, other.place.facing)


@rule("KS-CMD-14")
def do_guard(play: Play, unit: Unit, order: Order) -> carry.Did:
    """`guard left|right of UNIT at N`: beside that end of its front, level with it."""
    other = comrade_of(play, unit, order)
    if not isinstance(other, Unit):
        return other
    unit = play.unit(unit.key)
    return _keep_beside(play, unit, guard_place(other, unit, order), other.place.facing)


def guard_place(other: Unit, unit: Unit, order: Order) -> Point:
    """Where the middle of a flank guard stands."""
    far = front_of(other) // 2 + (order.number or 0) + front_of(unit) // 2
    turn = 27000 if "left" in order.manner else 9000
    return shifted(other.place.at, (other.place.facing + turn) % FULL, far)


# ------------------------------------------------------------------ before the enemy


def target_body(play: Play, unit: Unit, target: Target | None) -> Unit | None:
    """The enemy body that a unit takes an order to mean (KS-ORD-02).

    One of that arm that it sees within 500 paces of the place named, the nearest to it; for `nearest`, the nearest that
    it sees at all.  If it can tell of none of that arm, it goes for a dark mass.
    """
    if target is None:
        return None
    place = target.at.at if target.at is not None else None
    fit = [
        (not _is_told(one, target.arm), one.far if place is None else distance(one.told.at, place), one)
        for one in sightings(play, unit)
        if not one.told.arm or _is_told(one, target.arm)
    ]
    near = [one for one in fit if place is None or one[1] <= MEANT]
    return min(near, key=lambda one: (*one[:2], one[2].enemy.key))[2].enemy if near else None


@rule("KS-ORD-02")
def _is_told(seen: Seen, arm: str) -> bool:
    """Whether a unit can tell that a body is of the arm that an order names."""
    return not arm or (bool(seen.told.arm) and is_arm(seen.enemy, arm))


@rule("KS-ORD-02")
def is_arm(enemy: Unit, arm: str) -> bool:
    """Whether a body is of the arm that an order names; of any, if it names none."""
    if not arm:
        return True
    if arm == "battery":
        return enemy.arm == "artillery"
    if arm == "skirmishers":
        return bool(enemy.strength.chain.zugs) or enemy.place.formation == "skirmish_order"
    return enemy.arm == arm


@rule("KS-CMD-14")
def do_observe(play: Play, unit: Unit, order: Order) -> carry.Did:
    """`observe TARGET|PLACE at N`: in sight of it from so far; back before what comes within half, on when it goes."""
    far = order.number or OBSERVE_FROM["cavalry" if unit.arm == "cavalry" else "infantry"]
    body = target_body(play, unit, order.target) if order.target is not None else None
    spot = body.place.at if body is not None else (
        order.target.at.at if order.target is not None and order.target.at is not None else None
    )  # fmt: skip
    if spot is None and order.to:
        spot = order.to[-1].at
    if spot is None:
        return carry.failed("we see nothing to observe")
    close = [(away, enemy.key, enemy) for enemy, away, _ in visible(play, unit) if is_formed(enemy)]
    if close and min(one[0] for one in close) <= far // 2:
        enemy = min(close, key=lambda one: one[:2])[2].place.at
        back = shifted(unit.place.at, bearing(enemy, unit.place.at) if enemy != unit.place.at else 0, far)
        return _go(
            play, unit, _on_board(play, back), FALLS_BACK, activity="retreat" if unit.arm == "cavalry" else "closing"
        )
    if unit.duty.stage == FALLS_BACK and unit.march.way:
        return carry.GOING
    away = distance(unit.place.at, spot)
    sees = sights_of(terrain_of(play.scene)).clear(unit.place.at, 3, spot, 2)
    if away <= far + 100 and (sees or unit.duty.stage == "watching"):
        carry.stop(play, unit)
        if unit.duty.stage != "watching":
            carry.stage(play, play.unit(unit.key), "watching")
        return carry.GOING
    goes = _watching_place(play, unit, spot, far)
    return _go(play, unit, goes, "going")


def _watching_place(play: Play, unit: Unit, spot: Point, far: int) -> Point:
    """A place about *far* from what is observed with a sight of it, the nearest to where the unit is."""
    terrain = terrain_of(play.scene)
    sights = sights_of(terrain)
    ring = [shifted(spot, way, far) for way in range(0, FULL, 1500)]
    good = [at for at in ring if terrain.on_board(at) and terrain.water_at(at) is None and sights.clear(at, 3, spot, 2)]
    return min(good or [_on_board(play, ring[0])], key=lambda at: (distance(at, unit.place.at), at))


def _on_board(play: Play, at: Point) -> Point:
    chart = play.scene.chart
    return Point(min(max(at.x, 0), chart.width), min(max(at.y, 0), chart.height))


def _go(play: Play, unit: Unit, at: Point, name: str, activity: str = "march") -> carry.Did:
    if unit.march.way and distance(unit.march.way[-1], at) <= 100:
        return carry.GOING
    way = carry.way_for(play, unit, at)
    if way is None or len(way) < 2:
        carry.stop(play, unit)
        return carry.GOING
    unit = carry.stage(play, unit, name)
    carry.set_off(play, unit, way, activity)
    return carry.GOING


@rule("KS-CMD-14")
def do_relieve(play: Play, unit: Unit, order: Order) -> carry.Did:
    """`relieve UNIT`: 100 paces behind it, and when it has gone back in its place, with its facing and reactions."""
    other = comrade_of(play, unit, order)
    if not isinstance(other, Unit):
        return other
    unit = play.unit(unit.key)
    if unit.duty.stage == "relieving":
        return carry.DONE if not unit.march.way else carry.GOING
    behind = shifted(other.place.at, opposite(other.place.facing), RELIEVED[2])
    if not carry.is_at(unit, behind, CLOSE):
        return _keep_beside(play, unit, behind, other.place.facing)
    carry.stop(play, unit)
    if unit.duty.count < RELIEVED[1]:
        play.change(unit, "waits", duty=replace(unit.duty, count=unit.duty.count + 1))
        return carry.GOING
    back = shifted(other.place.at, opposite(other.place.facing), RELIEVED[3])
    way = carry.way_for(play, other, back)
    if way is not None and len(way) > 1:
        row, most = carry.row_for(play, other, activity="closing" if other.arm != "cavalry" else "retreat")
        carry.set_way(play, other, way, row, most)
    unit = carry.stage(play, play.unit(unit.key), "relieving")
    duty = replace(unit.duty, policy=other.duty.policy, reactions=other.duty.reactions)
    play.change(unit, "relieves", duty=duty)
    row, most = carry.row_for(play, unit)
    carry.set_way(play, play.unit(unit.key), (unit.place.at, other.place.at), row, most)
    return carry.GOING


@rule("KS-CMD-14")
def do_make_way(play: Play, unit: Unit, order: Order) -> carry.Did:
    """`make way for UNIT`: 50 paces beside the road until its tail has passed."""
    other = comrade_of(play, unit, order)
    if not isinstance(other, Unit):
        return other
    unit = play.unit(unit.key)
    if unit.duty.stage != "aside":
        at = shifted(unit.place.at, (unit.place.facing + 9000) % FULL, 50)
        unit = carry.stage(play, unit, "aside")
        row, most = carry.row_for(play, unit)
        carry.set_way(play, unit, (unit.place.at, at), row, most, keeps=True)
        return carry.GOING
    tail = trail_behind(other)[-1]
    ahead = bearing(unit.place.at, tail) if tail != unit.place.at else 0
    passed = abs((ahead - other.place.facing + 18000) % FULL - 18000) < 9000 and distance(tail, unit.place.at) > 50
    return carry.DONE if passed else carry.GOING


@rule("KS-CMD-14")
def do_demonstrate(play: Play, unit: Unit, order: Order) -> carry.Did:
    """`demonstrate against PLACE [to N]`: in line with its third rank out to so near, and no nearer."""
    spot = carry.goal(order)
    if spot is None:
        return carry.failed("no place was named")
    if unit.change is not None:
        return carry.GOING
    near = order.number or DEMONSTRATE["to"]
    facing = bearing(unit.place.at, spot.at) if unit.place.at != spot.at else unit.place.facing
    if attackers_seen(play, unit):
        back = _on_board(play, shifted(unit.place.at, opposite(facing), DEMONSTRATE["retires"]))
        return _go(play, unit, back, FALLS_BACK, "closing" if unit.arm != "cavalry" else "retreat")
    if unit.arm == "infantry" and unit.place.formation != "line" and distance(unit.place.at, spot.at) <= near + 300:
        begin_change(play, unit, "line", facing)
        return carry.GOING
    if distance(unit.place.at, spot.at) <= near:
        carry.stop(play, unit)
        if unit.arm == "infantry" and not unit.strength.chain.zugs:
            do_skirmishers_out(play, play.unit(unit.key), Order(verb="skirmishers_out", text="skirmishers out"))
        return carry.GOING
    short = shifted(spot.at, opposite(facing), near)
    return _go(play, unit, short, "advances", "closing" if unit.arm != "cavalry" else "in_action")


@rule("KS-CMD-14", "KS-SIT-03")
def do_hold_concealed(play: Play, unit: Unit, order: Order) -> carry.Did:
    """`hold concealed [PLACE]`: out of sight of the enemies it knows; fires only at what is close."""
    if order.until is not None and true_for(play, unit, order.until):
        show_itself(play, unit)
        return carry.DONE
    if unit.duty.stage == "hidden":
        return carry.GOING
    centre = order.to[-1].at if order.to else unit.place.at
    if unit.duty.stage != "going":
        at = _hiding_place(play, unit, centre)
        if at is None:
            return carry.failed("there is no ground to hide us")
        unit = carry.stage(play, unit, "going")
        way = carry.way_for(play, unit, at, order if order.concealed else None)
        if way is not None and len(way) > 1:
            carry.set_off(play, unit, way)
        return carry.GOING
    if unit.march.way:
        return carry.GOING
    unit = carry.stage(play, unit, "hidden")
    place = replace(unit.place, concealed=True)
    play.change(unit, "lies hidden", place=place, duty=replace(unit.duty, policy=HELD_FIRE))
    return carry.GOING


HELD_FIRE = f"hold until {HIDDEN['fires_at']}"
"""The fire of troops that lie hidden."""


@rule("KS-CMD-14", "KS-SIT-03")
def show_itself(play: Play, unit: Unit) -> None:
    """A body that lay hidden, and has other orders or sees what it waited for, is seen and fires as others do."""
    policy = "at_will" if unit.duty.policy == HELD_FIRE else unit.duty.policy
    parts = UnitPatch(place=replace(unit.place, concealed=False), duty=replace(unit.duty, policy=policy))
    play.keep("shows itself", one(unit, parts))


def _hiding_place(play: Play, unit: Unit, centre: Point) -> Point | None:
    """A place within 300 paces that no enemy known to the unit sees; inside a wood by preference."""
    terrain = terrain_of(play.scene)
    sights = sights_of(terrain)
    eyes = [enemy.place.at for enemy, _, _ in visible(play, unit)]
    spots = [centre, *(shifted(centre, way, far) for far in (60, 120, 200, 300) for way in range(0, FULL, 3000))]

    @rule("KS-CMD-14")
    def hides(at: Point) -> bool:
        area = terrain.area(at)
        covered = area is not None and (area.kind.startswith("wood") or area.built)
        return terrain.on_board(at) and (covered or bool(eyes)) and not any(sights.clear(eye, 3, at, 2) for eye in eyes)

    good = [at for at in spots if hides(at)]
    return min(good, key=lambda at: (distance(at, centre), at)) if good else None


# ------------------------------------------------------------------ small ones


@rule("KS-MOV-21")
def do_rest(play: Play, unit: Unit, order: Order) -> carry.Did:
    """`rest`: at the halt; ten moves of it and the unit is no longer tired."""
    del order
    carry.stop(play, unit)
    unit = play.unit(unit.key)
    play.change(unit, "rests", trial=replace(unit.trial, rested=unit.trial.rested + 1))
    return carry.DONE if unit.trial.rested >= 10 else carry.GOING


@rule("KS-MSG-08")
def do_report(play: Play, unit: Unit, order: Order) -> carry.Did:
    """`report now`, `report at`, `report when`."""
    if order.until is not None and not true_for(play, unit, order.until):
        return carry.GOING
    play.note(unit.key, "change", "As you ordered:")
    return carry.DONE


@rule("KS-MSG-10")
def do_signal(play: Play, unit: Unit, order: Order) -> carry.Did:
    """`signal N`: so many shots, heard by its own side within 3000 paces, and by the enemy as cannon fire."""
    if unit.arm != "artillery" or not play.war.options.signals:
        return carry.failed("we have no guns for a signal")
    heard = ("signal", unit.place.at, order.number or 1, unit.side)
    all_heard = play.clock(guns_heard=(*play.war.clock.guns_heard, heard))
    play.add(SignalFired(unit=unit.key, shots=order.number or 1, rules=cited("KS-MSG-10"), changes=all_heard))
    return carry.DONE
