"""The reckoning of objectives at the end (the scenario's `[secured]`, `[held]`, `[[score]]`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pbem.ground.plane import Point, dot, gap, holds
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.field.field import half_battalions
from pbem.systems.kriegsspiel.field.works_standing import BUILT, crossing_of
from pbem.systems.kriegsspiel.play.play import Play
from pbem.systems.kriegsspiel.scene.chart import Water
from pbem.systems.kriegsspiel.scene.scene import Counts, Prize
from pbem.systems.kriegsspiel.tables.fire import MAN_TW
from pbem.systems.kriegsspiel.world.bodies import in_order, is_lost
from pbem.systems.kriegsspiel.world.parts import Score
from pbem.systems.kriegsspiel.world.troops import ENEMY, SIDES, Side, Unit

SECURED = 500
"""Paces from the far end of a crossing within which it is secured, if the scenario says nothing else."""

WHOLE = ("intact", "prepared", "repaired")
"""States in which guns go over a crossing."""

MEN_1800 = 4
"""Half battalions."""

BANKS: Mapping[str, tuple[int, int]] = {"south": (0, -1), "north": (0, 1), "east": (1, 0), "west": (-1, 0)}


# ------------------------------------------------------------------ crossings


def _formed_near(play: Play, at: Point, far: int, side: Side) -> list[Unit]:
    return [unit for unit in play.field.near(at, far, side, formed=True) if in_order(unit)]


@rule("KS-GM-01")
def is_secured(play: Play, name: str) -> bool:
    """A crossing that takes guns, with a formed body of its holder near its far end and no enemy there."""
    table = play.scene.secured
    crossing = crossing_of(play.scene.chart, name)
    if not table or crossing is None or "artillery" not in crossing.allows:
        return False
    if play.field.crossing_state(name) not in WHOLE:
        return False
    side, (dx, dy), within = holder(play), BANKS[table["bank"]], table.get("within", SECURED)
    half = crossing.length // 2
    at = Point(crossing.at.x + dx * half, crossing.at.y + dy * half)
    own = [
        unit
        for unit in _formed_near(play, at, within, side)
        if half_battalions(unit) >= 1 and on_bank(play, unit.place.at)
    ]
    return bool(own) and not play.field.near(at, within, ENEMY[side], formed=True)


def _river(play: Play) -> Water | None:
    """The river of the objective: that of the crossing named in `[end]`, else the widest."""
    chart = play.scene.chart
    name = play.scene.ends.get("secured", {}).get("crossing", "")
    if name in chart.crossings:
        return chart.waters[chart.crossings[name].water]
    return max(
        (one for one in chart.waters.values() if one.kind == "river"), key=lambda one: (one.width, one.id), default=None
    )


def on_bank(play: Play, at: Point) -> bool:
    """Whether a place lies on the far bank of the river of the objective."""
    water = _river(play)
    if water is None:
        return True
    dx, dy = BANKS[play.scene.secured.get("bank", "south")]
    foot = gap(water.shape, dot(at)).here
    return (at.x - foot.x) * dx + (at.y - foot.y) * dy > 0


def river_crossings(play: Play) -> list[str]:
    """The crossings of rivers, printed and built since."""
    chart = play.scene.chart
    printed = {name for name, one in chart.crossings.items() if chart.waters[one.water].kind == "river"}
    return sorted(printed | {name for name, feature in play.war.features.items() if feature.kind in BUILT})


def secured(play: Play) -> list[str]:
    """The crossings that are secured."""
    return [name for name in river_crossings(play) if is_secured(play, name)]


def bank_strength(play: Play) -> int:
    """Half battalions of formed infantry of the holder on the far bank."""
    units = [
        unit
        for unit in play.field.units(holder(play), formed=True)
        if unit.arm == "infantry" and on_bank(play, unit.place.at)
    ]
    return int(sum(half_battalions(unit) for unit in units))


def holder(play: Play) -> Side:
    """The side that is to secure crossings."""
    return "blue" if play.scene.secured.get("side") == "blue" else "red"


# ------------------------------------------------------------------ what is counted move by move


def count_secured(play: Play) -> None:
    """Moves in a row in which the crossing of `[end]` has been secured in strength."""
    end = play.scene.ends.get("secured")
    if not end:
        return
    strong = bank_strength(play) >= end["half_battalions"]
    count = play.war.clock.secured + 1 if strong and is_secured(play, end["crossing"]) else 0
    if count != play.war.clock.secured:
        play.keep("secured", play.clock(secured=count))


def count_hours(play: Play) -> None:
    """Full hours in which at no time a half battalion of the holder stood on the far bank."""
    prize = next((prize for prize in play.scene.prizes if prize.counts == "hours_without"), None)
    if prize is None:
        return
    clock = play.war.clock
    now = play.scene.opens + 2 * play.move
    over = clock.hour_over or bank_strength(play) > 0
    hours = clock.hours_without
    if now % 60 == 0:
        hours += now > prize.after and not over
        over = False
    if (over, hours) != (clock.hour_over, clock.hours_without):
        play.keep("hours", play.clock(hour_over=over, hours_without=hours))


# ------------------------------------------------------------------ counters


Tally = tuple[int, int]
"""How often an item counts for red and for blue."""


def _for(side: Side, times: int) -> Tally:
    return (times, 0) if side == "red" else (0, times)


def _place(play: Play, name: str) -> Point:
    chart = play.scene.chart
    return next(table[name].at for table in (chart.places, chart.crossings) if name in table)


def _held(play: Play, prize: Prize) -> Tally:
    """A formed body near the place, and none of the enemy."""
    at, within = _place(play, prize.at), play.scene.held.get("within", 200)
    return _alone(*(bool(_formed_near(play, at, within, side)) for side in SIDES))


def _held_area(play: Play, prize: Prize) -> Tally:
    """A formed body in the area, and none of the enemy."""
    area = play.scene.chart.area_of[prize.at]
    return _alone(
        *(
            any(holds(area.shape, unit.place.at) and in_order(unit) for unit in play.field.units(side, formed=True))
            for side in SIDES
        )
    )


def _alone(red: bool, blue: bool) -> Tally:  # noqa: FBT001
    return (int(red and not blue), int(blue and not red))


def _lost_to(play: Play, name: str, side: Side) -> bool:
    """Whether a bridge has been destroyed or broken by a side."""
    feature = play.war.features.get(name)
    return feature is not None and feature.state in ("destroyed", "broken") and feature.side == side


def _own_bridges(play: Play, prize: Prize) -> Tally:
    """Bridges that a side has destroyed or broken itself; of one that is named, that one."""
    names = (
        [prize.at] if prize.at else [name for name, one in play.scene.chart.crossings.items() if one.kind == "bridge"]
    )
    red, blue = (sum(_lost_to(play, name, side) for name in names) for side in SIDES)
    return red, blue


def _unsecured(play: Play, prize: Prize) -> Tally:
    """A bridge that stands and is not secured: for the side that defends."""
    stands = play.field.crossing_state(prize.at) in WHOLE
    return _for(ENEMY[holder(play)], int(stands and prize.at not in secured(play)))


def _batteries(play: Play, prize: Prize) -> Tally:
    """Enemy batteries taken, or out for good."""
    del prize
    red, blue = (
        sum(
            unit.arm == "artillery" and (unit.trial.out_until == -1 or is_lost(unit))
            for unit in play.war.units.values()
            if unit.side == ENEMY[side]
        )
        for side in SIDES
    )
    return red, blue


def _destroyed(play: Play, prize: Prize) -> Tally:
    """Enemy battalions, and half regiments of cavalry, destroyed or captured."""
    del prize

    def gone(side: Side, size: str) -> int:
        states = ("captured", "destroyed", "remnant")
        return sum(
            unit.side == side and unit.size == size and unit.trial.state in states for unit in play.war.units.values()
        )

    red, blue = (gone(ENEMY[side], "battalion") + gone(ENEMY[side], "squadron") // 2 for side in SIDES)
    return red, blue


def _over_third(play: Play, prize: Prize) -> Tally:
    """More than a third of a side's men lost."""
    del prize

    def lost(side: Side) -> bool:
        units = {key: unit for key, unit in play.war.units.items() if unit.side == side}
        plans = play.scene.units.values()
        begun = sum(plan.men * MAN_TW for plan in plans if not plan.parent and f"{plan.side}:{plan.id}" in units)
        left = sum(unit.strength.men_tw for unit in units.values() if not is_lost(unit))
        return (begun - left) * 3 > begun

    return int(lost("red")), int(lost("blue"))


COUNTERS: Mapping[Counts, Callable[[Play, Prize], Tally]] = {
    "held": _held,
    "held_area": _held_area,
    "first_secured": lambda play, prize: _for(holder(play), min(len(secured(play)), 1)),
    "further_secured": lambda play, prize: _for(holder(play), max(len(secured(play)) - 1, 0)),
    "secured": lambda play, prize: _for(holder(play), int(prize.at in secured(play))),
    "none_secured": lambda play, prize: _for(ENEMY[holder(play)], int(not secured(play))),
    "unsecured": _unsecured,
    "men_over": lambda play, prize: _for(holder(play), bank_strength(play) // MEN_1800),
    "hours_without": lambda play, prize: _for(ENEMY[holder(play)], play.war.clock.hours_without),
    "own_bridges": _own_bridges,
    "batteries": _batteries,
    "destroyed": _destroyed,
    "over_third": _over_third,
}
"""How often an item counts, by what it says that it counts."""


@rule("KS-GM-01")
def reckon(play: Play, prize: Prize) -> Score | None:
    """What an item of the reckoning comes to; None: nothing."""
    red, blue = (min(times, prize.most) for times in COUNTERS[prize.counts](play, prize))
    one, other = prize.red * red, prize.blue * blue
    return Score(prize.item, red=one, blue=other, times=max(red, blue)) if one or other else None
