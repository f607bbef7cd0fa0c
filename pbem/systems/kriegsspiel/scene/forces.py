"""The order of battle as troops: each unit with its strength, and in its place."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from pbem.ground.plane import Point, Shape, bearing, gap, shifted
from pbem.ground.way import at as way_at
from pbem.ground.way import heading, length, part
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.scene.scene import Scene, UnitPlan
from pbem.systems.kriegsspiel.tables.fire import GUNS, MAN_TW, ROUNDS
from pbem.systems.kriegsspiel.tables.formation import WAGON_BLOCKS
from pbem.systems.kriegsspiel.world.forms import DEPLOYED, ROUTE, depth_of, front_of, is_column
from pbem.systems.kriegsspiel.world.options import Options
from pbem.systems.kriegsspiel.world.troops import Chain, Place, Strength, Unit

OFF_GAP = 25
"""Paces between a tail and the head behind it (KS-MOV-17)."""


@rule("KS-MSG-02")
def riders_of(arm: str, size: str, options: Options, *, leads: bool = True) -> int:
    """The riders of a body: those of a unit by option, of a company, troop or post one of its own men.

    Those of a regiment of cavalry are with the squadron that *leads* it; each other squadron has one of its own men.
    """
    whole = leads and (arm in ("artillery", "train") or size in ("battalion", "half_battalion", "squadron"))
    return options.riders_per_unit if whole else 1


def _full_strength(plan: UnitPlan, options: Options) -> Strength:
    tw, riders = plan.men * MAN_TW, riders_of(plan.arm, plan.size, options, leads=plan.leads)
    match plan.arm:
        case "infantry" | "pioneers":
            blocks = 2 if plan.size == "battalion" else 1
            zugs = tuple([900] * plan.zugs_out)
            return Strength(
                tw=tw - sum(zugs),
                full_tw=tw,
                blocks=blocks,
                chain=Chain(zugs=zugs, ahead=0) if zugs else Chain(),
                ranks=2 if zugs else 3,
                powder=plan.powder_for,
                riders=riders,
            )
        case "cavalry":
            return Strength(tw=tw, full_tw=tw, riders=riders)
        case "artillery":
            return replace(_guns(plan), riders=riders)
        case "train":
            return Strength(
                tw=tw,
                full_tw=tw,
                pontoons=plan.pontoons,
                wagons=max(1, plan.pontoons // 4),
                powder=plan.powder_for,
                riders=riders,
            )


@rule("KS-ART-03", "KS-AMM-01", "KS-AMM-02", "KS-ORG-05")
def _guns(plan: UnitPlan) -> Strength:
    """A battery with its rounds pooled: limbers and wagons; half of all for a half battery."""
    cannon, howitzers = GUNS[plan.kind]
    halves = 2 if plan.guns > 4 else 1
    share = (cannon // 2, 0) if halves == 1 else (cannon // 2, cannon - cannon // 2)
    how = (howitzers // 2, 0) if halves == 1 else (howitzers // 2, howitzers - howitzers // 2)
    canister, shot = rounds_of(plan.kind, plan.guns)
    wagons = plan.wagons.blocks if plan.wagons else WAGON_BLOCKS.get(plan.kind, 0)
    return Strength(cannon=share, howitzers=how, canister=canister, shot=shot, wagons=wagons, blocks=halves, full_tw=0)


def rounds_of(kind: str, guns: int) -> tuple[int, int]:
    """Canister and shot that a battery of so many guns has with limbers and wagons (KS-AMM-01)."""
    cannon, howitzers = GUNS[kind]
    pieces = (cannon or howitzers) * guns // 8
    name = kind if cannon else "howitzer_7"
    found = ROUNDS[name]
    number, by = found.wagons
    wagons = number * (guns if by == 8 else pieces) // by
    return (
        pieces * found.limber_canister + wagons * found.wagon_canister,
        pieces * found.limber_shot + wagons * found.wagon_shot,
    )


def new_unit(plan: UnitPlan, options: Options) -> Unit:
    """A unit as the order of battle has it, before it has its place."""
    formation = plan.formation or (ROUTE if plan.entry and plan.at is None else DEPLOYED)[plan.arm]
    stand = "map" if plan.at is not None or (plan.behind and not plan.entry) else "off"
    at = plan.at or Point(0, 0)
    return Unit(
        side=plan.side,
        id=plan.id,
        name=plan.name,
        arm=plan.arm,
        kind=plan.kind,
        size=plan.size,
        place=Place(
            at=at,
            facing=plan.facing,
            formation=formation,
            stand="map" if stand == "map" else "off",
            holds=plan.occupies,
            held_since=plan.held_since,
            limbered=plan.arm == "artillery" and not formation.startswith(("battery_wide", "battery_narrow")),
        ),
        strength=_full_strength(plan, options),
        regiment=plan.regiment,
        commander=plan.commander,
        enters=plan.move,
        entry=plan.entry,
        behind=plan.behind,
    )


def all_units(scene: Scene, options: Options) -> dict[str, Unit]:
    """The troops of a scenario, those on the map in their places and their detachments taken from them."""
    units = {key: new_unit(plan, options) for key, plan in scene.units.items()}
    for key, plan in scene.units.items():
        if plan.parent:
            units = _apart(units, units[key], f"{plan.side}:{plan.parent}")
    for key, unit in units.items():
        if unit.place.stand == "map":
            units[key] = _standing(scene, units, unit, scene.units[key])
    return units


def _apart(units: dict[str, Unit], part_of: Unit, parent_key: str) -> dict[str, Unit]:
    """A detachment, with its men taken from its unit where they are counted among them."""
    parent = units[parent_key]
    strength = parent.strength
    if part_of.size == "half_battalion" and parent.size == "battalion":
        strength = replace(strength, tw=strength.tw - 5400, full_tw=strength.full_tw - 5400, blocks=1)
        parent = replace(parent, strength=strength, size="half_battalion")
    duty = replace(part_of.duty, parent=parent.id, purpose="order" if part_of.size == "half_battalion" else "post")
    strength = replace(parent.strength, detached=parent.strength.detached + 1)
    return units | {parent_key: replace(parent, strength=strength), part_of.key: replace(part_of, duty=duty)}


def _road_back(scene: Scene, plan: UnitPlan, head: Point, facing: int) -> tuple[Point, ...]:
    road = scene.chart.roads.get(plan.along)
    return road_behind(road.line, head, facing) if road is not None else ()


def road_behind(line: tuple[Point, ...], head: Point, facing: int) -> tuple[Point, ...]:
    """The road behind a head that stands on it, away from where it faces, to its end."""
    best = min(range(len(line) - 1), key=lambda i: (_off_leg(line[i], line[i + 1], head), i))
    one, other = line[best], line[best + 1]
    onward = bearing(one, other) if one != other else 0
    turned = abs((onward - facing + 18000) % 36000 - 18000)
    behind = line[: best + 1][::-1] if turned <= 9000 else line[best + 1 :]
    return (head, *(point for point in behind if point != head))


def _off_leg(a: Point, b: Point, at: Point) -> int:
    return gap(Shape((a, b)), Shape((at,))).far


def _standing(scene: Scene, units: Mapping[str, Unit], unit: Unit, plan: UnitPlan) -> Unit:
    """A unit in its place; one that is *behind* another takes its place behind that one's tail."""
    before = units.get(f"{unit.side}:{plan.behind}") if plan.behind else None
    if plan.at is None and before is None and plan.behind:
        group = scene.units_of(unit.side, plan.behind)
        before = units.get(f"{unit.side}:{group[-1]}")
    if plan.at is None and before is not None:
        return _after(scene, units, unit, before, plan)
    if is_column(unit) and plan.along:
        trail = _road_back(scene, plan, unit.place.at, unit.place.facing)
        return replace(unit, place=replace(unit.place, trail=part(trail, 0, depth_of(unit)), marched=5))
    return unit


def _after(scene: Scene, units: Mapping[str, Unit], unit: Unit, before: Unit, plan: UnitPlan) -> Unit:
    ahead = _standing(scene, units, before, scene.units[before.key])
    if is_column(unit):
        chain = _road_back(
            scene, replace(plan, along=plan.along or scene.units[before.key].along), ahead.place.at, ahead.place.facing
        )
        if len(chain) > 1:
            start = depth_of(ahead) + OFF_GAP
            head = way_at(chain, min(start, length(chain)))
            back = part(chain, start, start + depth_of(unit))
            facing = (heading(chain, min(start, length(chain))) + 18000) % 36000
            stand = "map" if start < length(chain) else "off"
            return replace(
                unit,
                place=replace(unit.place, at=head, facing=facing, trail=back, marched=5, stand=stand),
                entry=unit.entry if stand == "map" else scene.sides[unit.side].base_entry,
            )
    # Beside the one before, to its left.
    way = ahead.place.facing - 9000
    step = (front_of(ahead) + front_of(unit)) // 2 + (0 if unit.regiment == ahead.regiment else OFF_GAP)
    return replace(
        unit, place=replace(unit.place, at=shifted(ahead.place.at, way % 36000, step), facing=ahead.place.facing)
    )
