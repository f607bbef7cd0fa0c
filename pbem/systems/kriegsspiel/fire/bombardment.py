"""Howitzers against houses: buildings set alight, fires that spread, places that must be left (KS-BOM, KS-COV-03)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from msgspec.structs import replace

from pbem.ground.bearing import off, opposite
from pbem.ground.plane import Point, bearing, distance, dot, gap, holds, near, nearest, shifted
from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.field.field import outline
from pbem.systems.kriegsspiel.field.works_standing import true_terrain
from pbem.systems.kriegsspiel.fire import gunnery
from pbem.systems.kriegsspiel.fire.gunnery import BATTERY
from pbem.systems.kriegsspiel.fire.shots import Fallen, Shot, reckoned
from pbem.systems.kriegsspiel.knowing.sighting import sees, unit_eye
from pbem.systems.kriegsspiel.march.carrying_out import DONE, GOING, Did, failed, stop
from pbem.systems.kriegsspiel.march.forming import begin_change
from pbem.systems.kriegsspiel.play.losses import lose, lose_chain
from pbem.systems.kriegsspiel.play.play import Play
from pbem.systems.kriegsspiel.play.review import AS_IT_STANDS, reviewed
from pbem.systems.kriegsspiel.scene.chart import Area, Chart
from pbem.systems.kriegsspiel.tables import fire as of_fire
from pbem.systems.kriegsspiel.tables.dice import DICE
from pbem.systems.kriegsspiel.tables.knowledge import SIGHTING, TOPS
from pbem.systems.kriegsspiel.tables.orders import LIMITS
from pbem.systems.kriegsspiel.world.bodies import is_fresh, is_on_map
from pbem.systems.kriegsspiel.world.options import Options
from pbem.systems.kriegsspiel.world.orders import OUT_OF_FIRE, Order, Spot
from pbem.systems.kriegsspiel.world.outcomes_fire import BombardFired, EvacuationDue, FireSpread, FireStarted
from pbem.systems.kriegsspiel.world.parts import Feature
from pbem.systems.kriegsspiel.world.patches import Changes
from pbem.systems.kriegsspiel.world.state import by_night
from pbem.systems.kriegsspiel.world.troops import Unit, UnitPatch

BOMBARDING = "bombarding"
ALIGHT = ("smouldering", "spreading")
BEYOND = 50
"""Paces beyond a fire to which troops march out of it."""


def area_named(chart: Chart, spot: Spot) -> Area | None:
    """The area that an order names, by its own name or that of the stronghold it is."""
    stronghold = chart.strongholds.get(spot.feature)
    return chart.area_of.get(stronghold.feature if stronghold is not None else spot.feature)


@rule("KS-BOM-01", "KS-ORD-07", "KS-NIG-01")
def howitzer_reach(kind: str, options: Options, *, night: bool = False) -> int:
    """How far the howitzers of a battery set places on fire."""
    reach = LIMITS["bombard"] if kind == "foot_12" else min(LIMITS["bombard"], options.bombard_7lb_range)
    return min(reach, of_fire.NIGHT_ARTILLERY) if night else reach


# ------------------------------------------------------------------ the order


@rule("KS-BOM-01", "KS-BOM-02", "KS-BOM-03", "KS-AMM-03", "KS-ORD-07")
def do_bombard(play: Play, unit: Unit, order: Order) -> Did:
    """`bombard AREA [until fire|N moves]`: unlimbers toward it, and fires into it move after move."""
    area = area_named(play.scene.chart, order.to[0]) if order.to else None
    if unit.arm != "artillery" or not sum(unit.strength.howitzers):
        return failed("we have no howitzers")
    if area is None or not area.buildings:
        return failed("there are no houses")
    if unit.strength.bombard_left <= 0:
        return failed("supply used")
    aim = nearest(area.shape, unit.place.at)
    if distance(unit.place.at, aim) > howitzer_reach(unit.kind, play.war.options, night=by_night(play.war)):
        return failed("it is out of range")
    if unit.duty.stage == BOMBARDING:
        return _goes_on(play, unit, order, area)
    made_ready = ready_guns(play, unit, aim)
    if made_ready is not None:
        return made_ready
    if not in_view(play, unit, aim):
        return failed(f"{order.to[0].text} is not in sight")
    begin_firing(play, unit, BOMBARDING)
    return GOING


def begin_firing(play: Play, unit: Unit, name: str) -> None:
    """The guns are laid: from now on they fire at it in step 5."""
    duty = replace(unit.duty, stage=name, count=0, begun=play.move)
    play.change(unit, name, duty=duty)


@rule("KS-BOM-03")
def _goes_on(play: Play, unit: Unit, order: Order, area: Area) -> Did:
    feature = play.war.features.get(area.id)
    if "until fire" in order.manner and feature is not None and feature.fire == "spreading":
        return DONE
    if order.number is not None and play.move - unit.duty.begun >= order.number:
        return DONE
    return GOING


@rule("KS-FRM-07", "KS-ART-06")
def ready_guns(play: Play, unit: Unit, aim: Point) -> Did | None:
    """Unlimber, or turn, until the guns bear on a place; None: they do."""
    if unit.change is not None:
        return GOING
    way = bearing(unit.place.at, aim) if unit.place.at != aim else unit.place.facing
    if unit.place.limbered:
        stop(play, unit)
        begin_change(play, play.unit(unit.key), "battery_wide", way, limber=False)
        return GOING
    if unit.march.way:
        stop(play, unit)
        return GOING
    turned = off(unit.place.facing, way) > 4500 and begin_change(play, unit, unit.place.formation, way)
    return GOING if turned else None


@rule("KS-BOM-01")
def in_view(play: Play, unit: Unit, aim: Point) -> bool:
    """Whether a battery sees the roofs, the wall or the bridge at a place."""
    far, terrain = SIGHTING["presence"]["formed"], true_terrain(play.scene, play.war)
    return sees(terrain, unit_eye(play.war, unit), aim, far, TOPS["building"])


# ------------------------------------------------------------------ step 5


def bombarding(play: Play, verb: str, name: str) -> Iterator[tuple[Unit, Order]]:
    """The batteries that fire at a place in this move, in the order of their ids."""
    for unit in sorted(play.on_map(), key=lambda one_: (one_.id, one_.side)):
        order = unit.duty.order
        at_it = order is not None and order.verb == verb and unit.duty.stage == name
        ready = unit.change is None and not unit.place.limbered and not unit.place.moved and unit.trial.contact < 0
        if order is not None and at_it and ready and is_fresh(unit):
            yield unit, order


@rule("KS-BOM-01", "KS-BOM-02", "KS-BOM-03", "KS-COV-03", "KS-AMM-03")
def bombard_step(play: Play) -> list[Fallen]:
    """A move of every bombardment: the throw for a fire, and the fire on whoever is in the place."""
    fallen: list[Fallen] = []
    for unit, order in list(bombarding(play, "bombard", BOMBARDING)):
        area = area_named(play.scene.chart, order.to[0])
        if area is None or unit.strength.bombard_left <= 0:
            continue
        fallen += _on_troops(play, unit, area)
        _at_houses(play, unit, area, order.to[0].at)
    return fallen


@rule("KS-BOM-01", "KS-BOM-02", "KS-BOM-03")
def due(buildings: str, howitzers: int, counted: int) -> tuple[bool, int]:
    """Whether Die I is thrown after another move of so many howitzers, and the count that goes on.

    Eight throw every move at wood, every third at stone; four and two half and a quarter as often.
    """
    counted += howitzers
    whole = BATTERY * of_fire.BOMBARDMENT[buildings].every[BATTERY]
    return (True, counted - whole) if counted >= whole else (False, counted)


def _at_houses(play: Play, unit: Unit, area: Area, at: Point) -> None:
    feature = play.war.features.get(area.id, Feature(area.id))
    howitzers = sum(unit.strength.howitzers)
    throws, count = False, 0
    if feature.fire not in ALIGHT:
        throws, count = due(area.buildings, howitzers, unit.duty.count)
    strength = replace(unit.strength, bombard_left=unit.strength.bombard_left - 1)
    changes = Changes(units={unit.key: UnitPatch(strength=strength, duty=replace(unit.duty, count=count))})
    used = of_fire.BOMBARD_MOVES - strength.bombard_left
    rules = cited("KS-BOM-01" if area.buildings == "wood" else "KS-BOM-02", "KS-BOM-03", "KS-AMM-03")
    if not throws:
        play.add(BombardFired(battery=unit.key, area=area.id, moves_used=used, rules=rules, changes=changes))
        return
    said = reviewed(play, "set_fire", unit.key, f"{unit.key} sets {area.id} on fire: Die I.", "flame", "none")
    throw = play.throw("set_fire", unit.key, "I")
    flame = DICE[of_fire.SET_FIRE_DIE][throw.faces[0] - 1].flame if said == AS_IT_STANDS else said == "flame"
    play.add(
        BombardFired(
            battery=unit.key, area=area.id, moves_used=used, die=of_fire.SET_FIRE_DIE, face=throw.faces[0], flame=flame,
            dice=(throw,), rules=rules, changes=changes,
        )
    )  # fmt: skip
    if flame:
        _alight(play, area, feature, at if holds(area.shape, at) else nearest(area.shape, at))


@rule("KS-BOM-01", "KS-BOM-02")
def _alight(play: Play, area: Area, feature: Feature, at: Point) -> None:
    feature = replace(feature, fire="smouldering", fire_since=play.move, fire_at=at, radius=0, leave_by=-1)
    play.add(
        FireStarted(
            area=area.id, centre=at, rules=cited("KS-BOM-01" if area.buildings == "wood" else "KS-BOM-02"),
            changes=Changes(features=(feature,)),
        )
    )  # fmt: skip


@rule("KS-COV-03")
def troops_in(play: Play, area: Area) -> list[Unit]:
    """The bodies in a place, whosever they are, in the order of their keys."""
    return [unit for unit in play.on_map() if near(outline(unit), area.shape, 0)]


@rule("KS-COV-03", "KS-ART-03")
def _on_troops(play: Play, unit: Unit, area: Area) -> list[Fallen]:
    """A third of the battery's score, shared equally by the bodies in the place."""
    inside = troops_in(play, area)
    if not inside:
        return []
    at = unit.place.at
    aim = nearest(area.shape, at)
    far = gap(dot(at), area.shape).far
    which = gunnery.range_class(unit.kind, far) or 4
    found = gunnery.quality_of(play, unit, at, aim, which, area.id)
    section: gunnery.Section = "howitzers" if sum(unit.strength.cannon) else "battery"
    numbers, units, row = gunnery.section_numbers(unit, section, which, found.quality, play.war.options)
    throw = play.throw("gunfire", f"{unit.key}/bombard", gunnery.die_of(found.quality))
    fallen = []
    for number, body in enumerate(inside):
        shot = Shot(
            firer=unit.key, part=section, target=body.key, on="line" if body.strength.tw or body.arm == "artillery"
            else "chain", weapon=row, kind="grenade", distance=far, band=which, die=gunnery.die_of(found.quality),
            numbers=numbers, units=units,
            factors=(("KS-COV-03", Fraction(Fraction(*of_fire.BOMBARDED), len(inside))),), quality=found.quality,
            reasons=found.reasons, guns=gunnery.guns_in(unit, section),
            rules=("KS-COV-03", "KS-ART-02", "KS-ART-04", *gunnery.die_rules(found.quality)),
        )  # fmt: skip
        fallen.append(reckoned(shot, throw.faces[0], (throw,))._replace(told=not number))
    return fallen


# ------------------------------------------------------------------ fires


@rule("KS-BOM-01", "KS-BOM-02", "KS-BOM-03")
def smouldering(play: Play) -> None:
    """Whether what is alight spreads: Die III after five moves for wood, Die II after ten for stone."""
    for name in sorted(play.war.features):
        feature, area = play.war.features[name], play.scene.chart.area_of.get(name)
        if feature.fire != "smouldering" or area is None or not area.buildings:
            continue
        how = of_fire.BOMBARDMENT[area.buildings]
        if play.move < feature.fire_since + how.test_after:
            continue
        said = reviewed(
            play, "fire_spread", name, f"Does the fire in {name} spread? Die {how.test_die}.", "spreads", "out"
        )
        throw = play.throw("fire_spread", name, "III" if how.test_die == "III" else "II")
        flame = DICE[how.test_die][throw.faces[0] - 1].flame if said == AS_IT_STANDS else said == "spreads"
        after = replace(feature, fire="out")
        if flame:
            after = replace(feature, fire="spreading", radius=how.radius, leave_by=play.move + how.leave_in)
        rules = cited("KS-BOM-01" if area.buildings == "wood" else "KS-BOM-02", "KS-BOM-03")
        play.add(
            FireSpread(
                area=name, centre=feature.fire_at, die=how.test_die, face=throw.faces[0], spreads=flame,
                radius=after.radius, dice=(throw,), rules=rules, changes=Changes(features=(after,)),
            )
        )  # fmt: skip
        if flame:
            play.add(
                EvacuationDue(
                    area=name, centre=after.fire_at, radius=after.radius, by_move=after.leave_by, rules=rules,
                    changes=Changes(),
                )
            )  # fmt: skip
            for unit in _in_fire(play, after):
                play.note(unit.key, "change", f"The houses round us burn; we must be out by {_hour(play, after)}.")


def _hour(play: Play, feature: Feature) -> str:
    return play.scene.clock(feature.leave_by)


def _in_fire(play: Play, feature: Feature) -> list[Unit]:
    """The bodies within the part that burns."""
    return [unit for unit in play.on_map() if distance(unit.place.at, feature.fire_at) <= feature.radius]


@rule("KS-BOM-03", "KS-SIT-05")
def burning(play: Play) -> None:
    """Fires are seen from afar; who is still in one after the limit loses men, cannot fight, and marches out."""
    for name in sorted(play.war.features):
        feature = play.war.features[name]
        if feature.fire not in ALIGHT:
            continue
        seen = (*play.war.clock.guns_heard, ("burning_village", feature.fire_at, 0, ""))
        play.keep("fire seen", play.clock(guns_heard=seen))
        if feature.fire != "spreading" or play.move <= feature.leave_by:
            continue
        for unit in _in_fire(play, feature):
            _burned(play, unit, feature)


@rule("KS-BOM-03")
def burned_points(unit: Unit) -> int:
    """Ten points for each half battalion, squadron or half battery still inside; half battalions begun count whole."""
    if unit.arm == "artillery":
        blocks = -(-unit.strength.guns // 4)
    elif unit.strength.tw:
        blocks = max(unit.strength.blocks, 1)
    else:
        blocks = -(-len(unit.strength.chain.zugs) // 6)
    return of_fire.BURNED_POINTS * blocks


@rule("KS-BOM-03")
def _burned(play: Play, unit: Unit, feature: Feature) -> None:
    points = burned_points(unit)
    if unit.strength.tw or unit.arm == "artillery":
        lose(play, unit, points, "burning", "KS-BOM-03")
    else:
        lose_chain(play, unit, points, "burning", "KS-BOM-03")
    unit = play.unit(unit.key)
    if not is_on_map(unit):
        return
    centre = feature.fire_at
    away = bearing(centre, unit.place.at) if unit.place.at != centre else opposite(unit.place.facing)
    out = shifted(centre, away, feature.radius + BEYOND)
    order = Order(verb="march", text=OUT_OF_FIRE, to=(Spot(out, f"{out.x},{out.y}"),))
    trial = replace(unit.trial, defend_from=max(unit.trial.defend_from, play.move + 2))
    duty = unit.duty
    if not duty.queue or not duty.queue[0].flees:
        duty = replace(duty, queue=(order,), begun=-1, stage="", count=0)
    play.change(unit, "out of the fire", trial=trial, duty=duty)
