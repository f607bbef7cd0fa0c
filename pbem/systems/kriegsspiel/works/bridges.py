"""Bridges: building, preparing, tearing up, repairing; blowing up, burning, putting out (KS-BRG-01 to -07)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from pbem.ground.plane import Point, Shape, dot, gap, near
from pbem.kernel.event import Throw
from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.field import works_standing as standing
from pbem.systems.kriegsspiel.knowing.conditions import true_for
from pbem.systems.kriegsspiel.march.carrying_out import DONE, GOING, Did, failed
from pbem.systems.kriegsspiel.play.play import Play
from pbem.systems.kriegsspiel.scene.chart import Chart, Crossing, Water
from pbem.systems.kriegsspiel.tables import work_times as times
from pbem.systems.kriegsspiel.tables import works as of_works
from pbem.systems.kriegsspiel.works import works as labour
from pbem.systems.kriegsspiel.world.orders import Order, Verb
from pbem.systems.kriegsspiel.world.outcomes_works import BridgeState, BridgeWork
from pbem.systems.kriegsspiel.world.parts import Feature
from pbem.systems.kriegsspiel.world.patches import Changes
from pbem.systems.kriegsspiel.world.troops import Unit, UnitPatch

HALF_COMPANY = 720
"""Twelfths of men of half a company of pioneers (KS-BRG-03)."""

WHOLE = ("intact", "repaired")

ON_IT = 25
"""Paces from a bridge within which a body is on it."""


# ------------------------------------------------------------------ what is near


@rule("KS-BRG-02")
def houses_near(chart: Chart, at: Point, *, wood: bool) -> bool:
    """Whether a town or village is within 300 paces; *wood*: one of wooden houses."""
    return any(
        area.built and (not wood or area.buildings == "wood") and near(dot(at), area.shape, of_works.FLOATING_NEAR)
        for area in chart.areas
    )


def trains(play: Play, unit: Unit, at: Point) -> list[Unit]:
    """Own units with pontoons near a place, the one at work first."""
    found = [
        other
        for other in play.on_map(unit.side)
        if other.kind == "pontoon_train" and play.field.from_point(at, other) <= of_works.POWDER_NEAR
    ]
    return sorted(found, key=lambda other: (other.key != unit.key, other.key))


@rule("KS-BRG-04")
def powder_near(play: Play, unit: Unit, at: Point) -> Unit | None:
    """Own pioneers, or a battery with its wagon, within 300 paces; pioneers with powder for so many have no more."""
    for other in (unit, *play.on_map(unit.side)):
        if play.field.from_point(at, other) > of_works.POWDER_NEAR:
            continue
        plan = play.scene.units.get(other.key)
        limited = plan is not None and plan.powder_for > 0
        if other.arm == "pioneers" and (other.strength.powder > 0 or not limited):
            return other
        if other.arm == "artillery" and other.strength.wagons:
            return other
    return None


def bridge_of(play: Play, order: Order) -> Crossing | None:
    """The bridge that an order names, by its name or by its place."""
    spot = order.to[0]
    chart = play.scene.chart
    found = chart.crossings.get(spot.feature) or standing.crossing_at(chart, play.war.features, spot.at)
    return found if found is not None and found.kind in ("bridge", *standing.BUILT) else None


@rule("KS-BRG-07")
def _gone(play: Play, crossing: Crossing) -> bool:
    return play.field.crossing_state(crossing.id) in ("destroyed", "removed", "broken")


# ------------------------------------------------------------------ building


@rule("KS-BRG-01", "KS-BRG-02", "KS-BRG-03")
def build(play: Play, unit: Unit, order: Order) -> labour.Found:
    """`build KIND bridge at PLACE`: from the bank named, straight across."""
    chart, spot = play.scene.chart, order.to[0]
    water = standing.water_near(chart, spot.at)
    if water is None:
        return f"{spot.text} is not at the water"
    if water[0].bank != "normal":
        return f"the bank of the {water[0].name} is {water[0].bank}"
    kind, foot = order.manner[0], "infantry" in order.manner
    name = standing.built_id(kind, water[1], foot=foot)
    crossing = standing.crossing_of(chart, name)
    assert crossing is not None, "a place at the water has a crossing"
    here = play.war.features.get(name, Feature(name))
    if here.state in WHOLE:
        return None
    found = _MATERIAL[kind](play, unit, water[0], water[1], foot)
    if isinstance(found, str):
        return found
    new = Feature(
        name, state="building", at=water[1], kind=kind, water=water[0].id, length=crossing.length, side=unit.side,
        allows=crossing.allows if foot else (), count=times.pontoons_for(water[0].width) if kind == "pontoon" else 0,
    )  # fmt: skip
    ends = standing.ends_of(chart, crossing)
    return labour.Task(
        name, kind, here.needed if here.work == kind else found * labour.MOVE, Shape(ends), spot.at, "intact",
        (f"KS-BRG-0{1 + standing.BUILT.index(kind)}",), _afloat if kind != "floating" else _usual, new, _launched,
    )  # fmt: skip


def _usual(play: Play, unit: Unit) -> int:
    del play, unit
    return labour.MOVE


@rule("KS-BRG-01")
def _afloat(play: Play, unit: Unit) -> int:
    """Slower under ball fire; quicker with pontoons that the umpire has told are in the water, or joined."""
    if unit.trial.under_guns == play.move:
        how = "under_ball"
    else:
        ruling = play.ruling("pontoons", unit.id)
        how = ruling.value if ruling is not None and ruling.value in of_works.PONTOON_MOVES else "usual"
    return labour.MOVE * (of_works.PONTOON_MOVES["usual"] or 0) // (of_works.PONTOON_MOVES[how] or 1)


def _for_pontoons(play: Play, unit: Unit, water: Water, at: Point, foot: bool) -> int | str:  # noqa: FBT001
    del foot
    needed, has = times.pontoons_for(water.width), sum(one.strength.pontoons for one in trains(play, unit, at))
    if has < needed:
        return f"{needed} pontoons are needed on the spot, and there are {has}"
    return times.pontoon_moves(water.width)


def _for_floating(play: Play, unit: Unit, water: Water, at: Point, foot: bool) -> int | str:  # noqa: FBT001
    ruling = play.ruling("material", unit.id)
    far = ruling is not None and ruling.value == "far"
    if not far and not houses_near(play.scene.chart, at, wood=False):
        return f"there is no town or village within {of_works.FLOATING_NEAR} paces"
    return times.floating_moves(water.width, "infantry" if foot else "all", rapid=water.current == "rapid", far=far)


@rule("KS-BRG-03")
def _for_trestles(play: Play, unit: Unit, water: Water, at: Point, foot: bool) -> int | str:  # noqa: FBT001
    del foot
    pioneers = sum(
        one.strength.tw
        for one in play.on_map(unit.side)
        if one.arm == "pioneers" and play.field.from_point(at, one) <= of_works.POWDER_NEAR
    )
    if trains(play, unit, at):
        who = "train"
    elif not houses_near(play.scene.chart, at, wood=True):
        return "there is no material, and no wooden house is near"
    else:
        who = "pioneers" if pioneers >= HALF_COMPANY else "carpenters"
    return times.pontoon_moves(water.width) + of_works.TRESTLE_COLLECTING[who]


_MATERIAL: Mapping[str, Callable[[Play, Unit, Water, Point, bool], int | str]] = {
    "pontoon": _for_pontoons,
    "floating": _for_floating,
    "trestle": _for_trestles,
}
"""Moves that a bridge takes with what is there; or what is missing."""


def _launched(play: Play, unit: Unit, feature: Feature) -> Changes:
    """The pontoons of the bridge are taken from the trains there."""
    left, units = feature.count, {}
    for train in trains(play, unit, feature.at):
        take = min(left, train.strength.pontoons)
        left -= take
        if take:
            strength = replace(train.strength, pontoons=train.strength.pontoons - take)
            units[train.key] = UnitPatch(strength=strength)
    return Changes(features=(feature,), units=units)


@rule("KS-BRG-01", "KS-BRG-06")
def dismantle(play: Play, unit: Unit, order: Order) -> labour.Found:
    """`dismantle BRIDGE`: pontoons are loaded again; any other bridge is moved to one bank."""
    crossing = bridge_of(play, order)
    feature = play.war.features.get(crossing.id) if crossing is not None else None
    if crossing is None or feature is None or feature.kind != "pontoon":
        return remove(play, unit, order)
    if feature.state == "removed":
        return None
    where, go = labour.at_crossing(play, unit, crossing)
    needed = times.dismantling_moves(feature.count) * labour.MOVE
    return labour.Task(crossing.id, "dismantle", needed, where, go, "removed", ("KS-BRG-01",), finish=_loaded)


def _loaded(play: Play, unit: Unit, feature: Feature) -> Changes:
    near_by = trains(play, unit, feature.at)
    if not near_by:
        return Changes(features=(feature,))
    strength = replace(near_by[0].strength, pontoons=near_by[0].strength.pontoons + feature.count)
    return Changes(features=(replace(feature, count=0),), units={near_by[0].key: UnitPatch(strength=strength)})


# ------------------------------------------------------------------ by hand


@rule("KS-BRG-06")
def tear_up(play: Play, unit: Unit, order: Order) -> labour.Found:
    """`tear up CROSSING`: the planks of a wooden bridge."""
    return _torn(play, unit, order, "planks", "tear_up", "plank_off")


@rule("KS-BRG-06")
def remove(play: Play, unit: Unit, order: Order) -> labour.Found:
    """`remove CROSSING`: the whole of a wooden bridge, to one bank."""
    return _torn(play, unit, order, "whole", "remove", "")


def _torn(play: Play, unit: Unit, order: Order, what: str, work: str, becomes: str) -> labour.Found:
    crossing = bridge_of(play, order)
    if crossing is None:
        return f"{order.to[0].text} is no bridge"
    if crossing.material == "stone":
        return f"the {crossing.name} is of stone"
    becomes = becomes or ("removed" if crossing.kind in standing.BUILT else "destroyed")
    state = play.field.crossing_state(crossing.id)
    if state == becomes or state in ("destroyed", "removed"):
        return None
    where, go = labour.at_crossing(play, unit, crossing)
    return labour.Task(
        crossing.id, work, times.tearing_moves(crossing.length, what) * labour.MOVE, where, go, becomes, ("KS-BRG-06",)
    )


@rule("KS-BRG-07")
def repair(play: Play, unit: Unit, order: Order) -> labour.Found:
    """`repair CROSSING`: a support of a stone bridge, the planks of a wooden one; what is razed is not repaired."""
    crossing = bridge_of(play, order)
    if crossing is None:
        return f"{order.to[0].text} is no bridge"
    state = play.field.crossing_state(crossing.id)
    if state in (*WHOLE, "prepared"):
        return f"the {crossing.name} is intact"
    if state not in ("broken", "plank_off"):
        return f"the {crossing.name} is {state}: only a new bridge beside it will do"
    material = "stone" if crossing.material == "stone" else "wood"
    if material == "stone" and not (
        houses_near(play.scene.chart, crossing.at, wood=True) or trains(play, unit, crossing.at)
    ):
        return "there is no material, and no wooden house is near"
    where, go = labour.at_crossing(play, unit, crossing)
    return labour.Task(
        crossing.id, "repair", times.repair_moves(crossing.length, material) * labour.MOVE, where, go, "repaired",
        ("KS-BRG-07",),
        finish=_repaired,
    )  # fmt: skip


@rule("KS-MOV-09")
def _repaired(play: Play, unit: Unit, feature: Feature) -> Changes:
    """A repaired bridge is a temporary one from now on."""
    del play, unit
    return Changes(features=(replace(feature, kind=feature.kind or "repaired", work="", done=0),))


# ------------------------------------------------------------------ blowing up, burning


@rule("KS-BRG-04", "KS-BRG-05", "KS-GM-06")
def prepare(play: Play, unit: Unit, order: Order) -> labour.Found:
    """`prepare CROSSING for blowing|burning [timed]`."""
    crossing = bridge_of(play, order)
    if crossing is None:
        return f"{order.to[0].text} is no bridge"
    work = "burning" if "burning" in order.manner else "blowing"
    timed = "timed" in order.manner
    feature = play.war.features.get(crossing.id, Feature(crossing.id))
    state = play.field.crossing_state(crossing.id)
    if (state, feature.work, feature.side) == ("prepared", work, unit.side) and feature.timed >= timed:
        return None
    if state not in (*WHOLE, "prepared"):
        return f"the {crossing.name} is {state.replace('_', ' ')}"
    if work == "burning" and crossing.material == "stone":
        return f"the {crossing.name} is of stone and does not burn"
    where, go = labour.at_crossing(play, unit, crossing)
    if enemy_on(play, unit, where):
        return "the enemy is on it first"
    if work == "blowing" and powder_near(play, unit, crossing.at) is None:
        return f"there are no pioneers and no powder within {of_works.POWDER_NEAR} paces"
    needed = of_works.PREPARING[work]["timed" if timed else "untimed"] * labour.MOVE
    return labour.Task(
        crossing.id, work, needed, where, go, "prepared", ("KS-BRG-04" if work == "blowing" else "KS-BRG-05",),
        finish=_timed if timed else _untimed,
    )  # fmt: skip


def _timed(play: Play, unit: Unit, feature: Feature) -> Changes:
    return _charged(play, unit, replace(feature, timed=True))


def _untimed(play: Play, unit: Unit, feature: Feature) -> Changes:
    return _charged(play, unit, replace(feature, timed=False))


def _charged(play: Play, unit: Unit, feature: Feature) -> Changes:
    """The powder is in the bridge."""
    units: dict[str, UnitPatch] = {}
    crossing = standing.crossing_of(play.scene.chart, feature.id)
    giver = powder_near(play, unit, crossing.at) if crossing is not None and feature.work == "blowing" else None
    if giver is not None and giver.strength.powder:
        units[giver.key] = UnitPatch(strength=replace(giver.strength, powder=giver.strength.powder - 1))
    return Changes(features=(feature,), units=units)


@rule("KS-BRG-04")
def enemy_on(play: Play, unit: Unit, where: Shape) -> bool:
    """Whether a formed body of the enemy is on a bridge."""
    return any(gap(play.field.shape(enemy), where).far <= ON_IT for enemy in play.field.enemies(unit.side, formed=True))


@rule("KS-BRG-04", "KS-BRG-05")
def do_fire(play: Play, unit: Unit, order: Order) -> Did:
    """`blow` and `burn`, at once or when a condition comes true, what has been prepared."""
    if order.until is not None and not true_for(play, unit, order.until):
        return GOING
    crossing = bridge_of(play, order)
    if crossing is None:
        return failed(f"{order.to[0].text} is no bridge")
    work = "blowing" if order.verb == "blow" else "burning"
    feature = play.war.features.get(crossing.id, Feature(crossing.id))
    if feature.work != work or feature.side not in ("", unit.side) or _gone(play, crossing):
        return failed("it has not been prepared")
    if feature.state != "prepared":
        left = -(-(feature.needed - feature.done) // labour.MOVE)
        return failed(f"it needs {left} more moves")
    where, go = labour.at_crossing(play, unit, crossing)
    task = labour.Task(crossing.id, work, 0, where, go, "", ())
    if not labour.is_there(unit, task):
        return labour.go_to(play, unit, order, go)
    if not feature.timed and enemy_on(play, unit, where):
        return failed("the enemy is on it first")
    if work == "blowing":
        fuse = play.move if feature.timed else play.move + of_works.MATCH - 1
        lit = replace(feature, fuse=fuse, side=unit.side)
        play.add(
            BridgeWork(
                crossing=crossing.id, work="match", done="0",
                needed=labour.moves_text((fuse - play.move) * labour.MOVE),
                unit=unit.key, rules=cited("KS-BRG-04"), changes=Changes(features=(lit,)),
            )
        )  # fmt: skip
        return DONE
    fuse = play.move + of_works.BURNING["destroyed_after"] - 1
    lit = replace(feature, state="burning", fuse=fuse, begun=play.move, side=unit.side)
    _new_state(play, lit, "prepared", unit.key, "KS-BRG-05")
    return DONE


def _new_state(play: Play, feature: Feature, before: str, by: str, *rules: str, dice: tuple[Throw, ...] = ()) -> None:
    play.add(
        BridgeState(
            crossing=feature.id, start=before, to=feature.state, by=by, dice=dice, rules=cited(*rules),
            changes=Changes(features=(feature,)),
        )
    )  # fmt: skip


@rule("KS-BRG-04", "KS-BRG-05", "KS-SIT-05")
def burn_down(play: Play) -> None:
    """Matches come to their end, bridges that burn fall."""
    for name in sorted(play.war.features):
        feature = play.war.features[name]
        if not 0 <= feature.fuse <= play.move:
            continue
        crossing = standing.crossing_of(play.scene.chart, name)
        if crossing is None:
            continue
        spent = replace(feature, fuse=-1, work="", done=0, needed=0, timed=False)
        if feature.state == "burning":
            _new_state(play, replace(spent, state="destroyed"), "burning", "", "KS-BRG-05")
            continue
        dice: tuple[Throw, ...] = ()
        if play.war.options.blow_die:
            face, dice = play.decide("blow", name, "V")
            if face.circle == "white":
                whole = replace(spent, state="repaired" if feature.kind == "repaired" else "intact")
                _new_state(play, whole, "prepared", "", "KS-BRG-04", dice=dice)
                continue
        _new_state(play, replace(spent, state="destroyed"), "prepared", "", "KS-BRG-04", dice=dice)
        heard = (*play.war.clock.guns_heard, ("explosion", crossing.at, 1, feature.side))
        play.keep("explosion", play.clock(guns_heard=heard))


@rule("KS-BRG-05")
def do_put_out(play: Play, unit: Unit, order: Order) -> Did:
    """`put out fire at CROSSING`: who is there within five moves of lighting saves the piles."""
    crossing = bridge_of(play, order)
    if crossing is None:
        return failed(f"no bridge burns at {order.to[0].text}")
    feature = play.war.features.get(crossing.id, Feature(crossing.id))
    if feature.state != "burning":
        return failed(f"the {standing.name_of(play.scene.chart, crossing.id)} does not burn")
    where, go = labour.at_crossing(play, unit, crossing)
    if not labour.is_there(unit, labour.Task(crossing.id, "", 0, where, go, "", ())):
        return labour.go_to(play, unit, order, go)
    if play.move - feature.begun > of_works.BURNING["put_out_within"]:
        return failed("it burns too fiercely")
    saved = replace(feature, state="plank_off", fuse=-1, work="", done=0, needed=0)
    _new_state(play, saved, "burning", unit.key, "KS-BRG-05")
    play.note(unit.key, "work_finished", f"{crossing.name}: the fire is out, the planks are gone.")
    return DONE


BRIDGES: Mapping[Verb, labour.Finder] = {
    "build": build, "dismantle": dismantle, "tear_up": tear_up, "remove": remove, "repair": repair, "prepare": prepare,
}  # fmt: skip
"""The works on bridges, by the verb of the order."""
