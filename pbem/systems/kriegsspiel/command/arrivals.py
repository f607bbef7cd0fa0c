"""Step 1 of a move: the clock, arrivals, messages of the scenario, light (KS-MOV-20, KS-GM-03, KS-NIG-01)."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.ground.bearing import opposite
from pbem.ground.plane import Point, bearing, distance, shifted
from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.command.papers import HIGHER
from pbem.systems.kriegsspiel.command.succession import word_at_the_entry
from pbem.systems.kriegsspiel.field.field import terrain_of
from pbem.systems.kriegsspiel.field.hierarchy import chief_of
from pbem.systems.kriegsspiel.knowing.interrupts import raise_interrupt
from pbem.systems.kriegsspiel.play.play import Play
from pbem.systems.kriegsspiel.scene.scene import Timed
from pbem.systems.kriegsspiel.tables.march import ENTRY_HELD, ENTRY_WAIT
from pbem.systems.kriegsspiel.world.bodies import is_fresh, is_to_come
from pbem.systems.kriegsspiel.world.dispatches import Paper
from pbem.systems.kriegsspiel.world.forms import depth_of, gap_behind, is_column
from pbem.systems.kriegsspiel.world.mind import Learned
from pbem.systems.kriegsspiel.world.outcomes import ArrivalDue, LightChanged, MessageTimed, MoveBegan
from pbem.systems.kriegsspiel.world.outcomes_knowledge import SkyChanged
from pbem.systems.kriegsspiel.world.patches import Changes, ClockPatch
from pbem.systems.kriegsspiel.world.troops import Unit, UnitPatch

TWILIGHT = 30
"""Minutes before sunrise and after sunset."""


@rule("KS-TUR-01", "KS-TUR-02")
def begin_move(play: Play) -> None:
    """The clock goes on, and what is due at this hour comes to pass."""
    clock = play.war.clock
    signals = tuple(one for one in clock.guns_heard if one[0] == "signal")
    play.add(
        MoveBegan(
            move=clock.move + 1,
            rules=cited("KS-TUR-01", "KS-TUR-02", "KS-TUR-07"),
            changes=play.clock(move=clock.move + 1, guns_heard=(), signals=signals),
        )
    )
    _light(play)
    _arrivals(play)
    for timed in play.scene.timed:
        if timed.move == play.move:
            _message(play, timed)


@rule("KS-NIG-01")
def _light(play: Play) -> None:
    """Day, twilight, night, by the hours of the scenario."""
    scene = play.scene
    now = (scene.opens + 2 * play.move) % 1440
    if scene.sunrise <= now < scene.sunset:
        light = "day"
    elif scene.sunrise - TWILIGHT <= now < scene.sunset + TWILIGHT:
        light = "twilight"
    else:
        light = "night_moon" if scene.conditions.get("moon") == "full" else "night"
    if light == play.war.clock.light or play.ruling("light", "light") is not None:
        return
    play.add(LightChanged(value=light, rules=cited("KS-NIG-01"), changes=play.clock(light=light)))
    for role in play.roles():
        play.tell(
            role, SkyChanged(text=f"It is {light.replace('_', ', ')}.", rules=cited("KS-NIG-01")), Learned(light=light)
        )


# ------------------------------------------------------------------ arrivals


@rule("KS-MOV-20")
def _arrivals(play: Play) -> None:
    """Units of the schedule enter with their heads on the entry point; each behind the tail of the one before."""
    for key, unit in list(play.war.units.items()):
        if is_to_come(unit) and unit.enters <= play.move and is_fresh(unit):
            _enter(play, play.unit(key))


def _enter(play: Play, unit: Unit) -> None:
    """Put a unit on the map, if the road behind the one before it is free and no enemy holds the entry."""
    entry = play.scene.chart.entries.get(unit.entry)
    if entry is None:
        return
    before = _before(play, unit)
    if before is not None and not _clear_of(play, before, unit, entry.at):
        return
    if play.field.near(entry.at, ENTRY_HELD, "blue" if unit.side == "red" else "red", formed=True):
        _wait(play, unit)
        return
    inward = _inward(play, entry.at)
    head = shifted(entry.at, inward, _come_up(play, before, unit, entry.at))
    place = replace(unit.place, at=head, facing=inward, stand="map", halted_since=play.move)
    if is_column(unit):
        trail = (head, shifted(head, opposite(inward), depth_of(unit)))
        place = replace(place, trail=trail, marched=5)
    clock = play.war.clock
    play.add(
        ArrivalDue(
            unit=unit.key,
            entry=unit.entry,
            rules=cited("KS-MOV-20"),
            changes=Changes(
                units={unit.key: UnitPatch(place=place)}, clock=ClockPatch(entered=(*clock.entered, unit.key))
            ),
        )
    )
    for person in list(play.war.persons.values()):
        if person.side == unit.side and person.rides_with == unit.id and person.stand == "off":
            play.keep("enters", Changes(persons=(replace(person, stand="map", at=entry.at, facing=inward),)))
            play.tell(
                person.role, SkyChanged(text=f"You enter the field with {unit.id}."), Learned(at=entry.at, on_map=True)
            )
            word_at_the_entry(play, play.war.persons[person.id])
    _tell_arrival(play, unit)


def _before(play: Play, unit: Unit) -> Unit | None:
    """The unit behind which it comes: named, or the last of the same hour and entry before it."""
    if unit.behind:
        group = play.scene.units_of(unit.side, unit.behind)
        return play.war.units.get(f"{unit.side}:{group[-1]}")
    earlier = None
    for other in play.war.units.values():
        if other.key == unit.key:
            return earlier
        if other.side == unit.side and other.entry == unit.entry and other.enters == unit.enters:
            earlier = other
    return None


@rule("KS-MOV-17")
def _clear_of(play: Play, before: Unit, unit: Unit, at: Point) -> bool:
    """Whether the tail of the one before has left room on the road."""
    if is_to_come(before):
        return before.entry != unit.entry or not is_fresh(before)
    if before.entry != unit.entry or before.key not in play.war.clock.entered:
        return True
    gone = play.field.from_point(at, before)
    return gone >= gap_behind(before, unit)


@rule("KS-MOV-20")
def _come_up(play: Play, before: Unit | None, unit: Unit, at: Point) -> int:
    """Paces that a column behind another came on in the move before, as room was left for it."""
    if before is None or is_to_come(before) or unit.enters >= play.move or before.entry != unit.entry:
        return 0
    room = play.field.from_point(at, before) - gap_behind(before, unit)
    return max(0, min(room, before.place.moved))


@rule("KS-MOV-20")
def _wait(play: Play, unit: Unit) -> None:
    """The entry is held: after ten moves the side's nearest other one."""
    clock = play.war.clock
    waited = clock.entry_wait.get(unit.key, 0) + 1
    entry = unit.entry
    if waited > ENTRY_WAIT:
        here = play.scene.chart.entries[unit.entry].at
        plan = play.scene.units.get(unit.key)
        others = [
            name for name in (*(plan.or_by if plan else ()), play.scene.sides[unit.side].base_entry) if name != entry
        ]
        if others:
            entry = min(others, key=lambda name: (distance(play.scene.chart.entries[name].at, here), name))
            waited = 0
    play.add(
        ArrivalDue(
            unit=unit.key,
            entry=entry,
            waits=True,
            rules=cited("KS-MOV-20"),
            changes=Changes(
                units={unit.key: UnitPatch(entry=entry)},
                clock=ClockPatch(entry_wait=clock.entry_wait | {unit.key: waited}),
            ),
        )
    )


def _inward(play: Play, at: Point) -> int:
    """The bearing into the map: along the road from the entry, else away from the edge."""
    road = terrain_of(play.scene).road_at(at, 10)
    if road is not None:
        ends = (road.line[0], road.line[-1])
        onward = road.line[1] if ends[0] == at else road.line[-2]
        if onward != at:
            return bearing(at, onward)
    middle = Point(play.scene.chart.width // 2, play.scene.chart.height // 2)
    return bearing(at, middle)


def _tell_arrival(play: Play, unit: Unit) -> None:
    """A played commander who is there knows it by his eyes; others by report (W9 when it reaches them)."""
    play.note(unit.key, "arrived", f"{unit.id} has entered the field at {play.scene.chart.entries[unit.entry].name}.")
    person = play.war.persons.get(unit.commander)
    if person is not None and play.mind(person) is not None and play.field.present(person, play.unit(unit.key), 1000):
        play.tell(person.role, SkyChanged(text=f"{unit.id} enters the field."), Learned(came=(unit.id,)))
        raise_interrupt(play, person.id, "W9", f"{unit.id} enters the field", unit.id)


# ------------------------------------------------------------------ messages from beyond the map


@rule("KS-GM-03", "KS-MSG-01")
def _message(play: Play, timed: Timed) -> None:
    """A message of the scenario enters at the side's edge as a rider."""
    person = play.war.persons.get(timed.to)
    entry = play.scene.chart.entries.get(timed.entry)
    if person is None or entry is None:
        return
    if timed.only_if_entered and f"{person.side}:{timed.only_if_entered}" not in play.war.clock.entered:
        return
    if person.state == "captured":
        # Whoever commands the side by then has it.
        person = play.war.persons[chief_of(play.scene, play.war, person.side)]
    clock = play.war.clock
    paper = Paper(
        id=clock.papers + 1,
        kind="letter",
        side=person.side,
        sender=HIGHER if timed.source == "higher" else timed.source,
        to=person.id,
        written=play.move - 1,
        place=entry.at,
        words=len(timed.text.split()),
        text=timed.text.strip(),
        at=entry.at,
        aim=person.at,
    )
    play.add(
        MessageTimed(
            message_id=paper.id,
            to=person.id,
            rules=cited("KS-GM-03"),
            changes=Changes(papers=(paper,), clock=ClockPatch(papers=clock.papers + 1)),
        )
    )
