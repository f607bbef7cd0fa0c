"""The GM's language: directives become facts.  The same words serve rulings and conformance cases.

open [MOVE]                              an empty field on which the first run begins, after that move
place SIDE UNIT at PLACE [facing DIR] [in FORMATION] [holding STRONGHOLD] [anyhow]    a unit of the order of battle;
                                         anyhow: where none can stand, as in a river
set SIDE UNIT PART.ATTRIBUTE VALUE       strength.points 40, trial.state defeated, place.limbered false
set person NAME ATTRIBUTE VALUE          at 3700,2900; state captured; rides_with 1/F
set crossing NAME ATTRIBUTE VALUE        state destroyed
set ATTRIBUTE VALUE                      move, turn, weather, ground, light, visibility
remove SIDE UNIT
new SIDE ID KIND SIZE at PLACE [facing DIR] [in FORMATION] [under PERSON] [of UNIT] [anyhow]    one that there was not
paper PERSON to ADDRESSEE written MOVE [at PLACE] [arrives MOVE] [no N]: ORDERS        a paper on the road
SIDE UNIT: ORDER                         an order that is in the unit's hands at once
sight PERSON SIDE UNIT from SOURCE       what a spy, inhabitants, a patrol or the umpire tells him of a body
unsight PERSON eN                        an entry is struck from his page
delay NUMBER MOVES                       a paper of the log comes later
see PERSON|UNIT|all                      everybody looks about, and pages are made new
rule EFFECT AT [VALUE] [NUMBER]          a ruling that waits for its moment: set_die, add_points, fire_quality, …
message PERSON: TEXT                     a paper in his hand
interrupt PERSON TEXT                    he is called
staff ROLE [ROLE …]                      these have no player and are led by the rules for staff commanders
player ROLE [ROLE …]                     these are played again
pause                                    the run ends after this move
end TEXT
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from pbem.ground.bearing import parse_bearing
from pbem.ground.plane import Point
from pbem.ground.way import length, part
from pbem.kernel.names import Aspect, Role
from pbem.kernel.numbers import whole
from pbem.orders.names import name_key
from pbem.orders.sheet import Line, Reading
from pbem.rules.contract import World
from pbem.rules.directives import BadDirective, carried_out, read_as
from pbem.rules.ledger import cited
from pbem.systems.kriegsspiel.command.command import take_lines
from pbem.systems.kriegsspiel.command.groups import lines_for
from pbem.systems.kriegsspiel.command.papers import paces_ridden
from pbem.systems.kriegsspiel.command.staff import leave_to_staff, tell_player, tell_sides
from pbem.systems.kriegsspiel.field.field import terrain_of
from pbem.systems.kriegsspiel.field.works_standing import true_terrain
from pbem.systems.kriegsspiel.gm.footing import ANYHOW, no_footing
from pbem.systems.kriegsspiel.gm.staging import Named, new_paper, new_tiding, new_unit
from pbem.systems.kriegsspiel.gm.values import plain, point, with_attribute
from pbem.systems.kriegsspiel.knowing.interrupts import raise_interrupt
from pbem.systems.kriegsspiel.knowing.knowledge import enter, update
from pbem.systems.kriegsspiel.knowing.sighting import observe
from pbem.systems.kriegsspiel.mind.own_units import own_state
from pbem.systems.kriegsspiel.play.play import Play
from pbem.systems.kriegsspiel.play.victory import finish
from pbem.systems.kriegsspiel.scene.forces import all_units
from pbem.systems.kriegsspiel.scene.scene import Scene
from pbem.systems.kriegsspiel.sheets.reading import read_for
from pbem.systems.kriegsspiel.turn.setup import muster
from pbem.systems.kriegsspiel.world.dispatches import Paper, Ride
from pbem.systems.kriegsspiel.world.fact import Fact, told_to
from pbem.systems.kriegsspiel.world.forms import IN_BATTERY
from pbem.systems.kriegsspiel.world.mind import LISTED, Known, Learned, Mind, Received
from pbem.systems.kriegsspiel.world.orders import lines_of
from pbem.systems.kriegsspiel.world.outcomes import RulingMade
from pbem.systems.kriegsspiel.world.outcomes_knowledge import EyesSaw, PaperReceived, RunBegan
from pbem.systems.kriegsspiel.world.parts import Feature, Ruling
from pbem.systems.kriegsspiel.world.patches import Changes
from pbem.systems.kriegsspiel.world.state import War, paper_key
from pbem.systems.kriegsspiel.world.troops import SIDES, Side, Unit, UnitPatch, patched

FORMS = {
    "open": "open 30",
    "place": "place red 1/F at 3700,2900 facing N in line",
    "set": "set red 1/F strength.points 40",
    "remove": "remove red 1/F",
    "new": "new red 3/Ia line half_battalion at 3700,2900 facing N in line",
    "paper": "paper rehden to 1/F written 31 at 3000,5200: halt",
    "red": "red 1/F: march to Kreuzweg",
    "blue": "blue 3/F: halt",
    "see": "see all",
    "sight": "sight rehden blue 3/I from inhabitants",
    "unsight": "unsight rehden e1",
    "delay": "delay 12 2",
    "rule": "rule set_die fight V",
    "message": "message rehden: The corps is late.",
    "interrupt": "interrupt rehden come to the bridge",
    "staff": "staff kessel",
    "player": "player kessel",
    "pause": "pause",
    "end": "end The light fails.",
}
"""Each directive by an example."""


Carry = Callable[[Play, str, Sequence[str]], None]


def direct(scene: Scene, world: World[War, Mind], lines: Sequence[Line], known: Mapping[Role, Aspect]) -> Reading[Fact]:
    """Directives into facts.  What they change is known to nobody but by his own eyes and papers, marks or no marks."""
    del known
    play = Play.ruled(scene, world)
    complaints = carried_out(lines, VERBS, FORMS, lambda verb, text, words: verb(play, text, words))
    return Reading(tuple(play.facts), complaints)


def _rule(play: Play, text: str, changes: Changes, effect: str = "set") -> None:
    number = sum(1 for fact in play.facts if isinstance(fact, RulingMade)) + 1
    play.add(RulingMade(ruling_id=number, text=text, effect=effect, rules=cited("KS-GM-02"), changes=changes))


# ------------------------------------------------------------------ names and places


def _point(play: Play, text: str) -> Point:
    if re.fullmatch(r"-?\d{1,9},-?\d{1,9}", text):
        return point(text)
    named = play.scene.chart.names.get(name_key(text))
    if not named:
        raise BadDirective(f'"{text}" is no place of the map, and no point such as 3700,2900')
    return play.scene.chart.point_of(*named[0])


def _unit(play: Play, side: str, name: str) -> Unit:
    unit = play.war.units.get(f"{side}:{name}")
    if unit is None:
        raise BadDirective(f"{side} has no unit {name} on the map")
    return unit


def _from_plan(play: Play, side: str, name: str) -> Unit:
    key = f"{side}:{name}"
    if key in play.war.units:
        return play.war.units[key]
    unit = all_units(play.scene, play.war.options).get(key)
    if unit is None:
        raise BadDirective(f"there is no {side} unit {name} in the order of battle")
    return unit


# ------------------------------------------------------------------ place, remove


def _place(play: Play, text: str, words: Sequence[str]) -> None:
    found = re.fullmatch(
        r"(red|blue) (\S+) at (\S+)(?: facing (\S+))?(?: in (\S+))?(?: holding (\S+))?( anyhow)?", " ".join(words)
    )
    if not found:
        form = "place SIDE UNIT at PLACE [facing DIR] [in FORMATION] [holding STRONGHOLD] [anyhow]"
        raise BadDirective(f"it reads: {form}")
    side, name, at, facing, formation, holds, anyhow = found.groups()
    unit = _from_plan(play, side, name)
    bearing = parse_bearing(facing) if facing else unit.place.facing
    if bearing is None:
        raise BadDirective(f'"{facing}" is no direction')
    wide = formation or unit.place.formation
    place = replace(
        unit.place,
        at=_point(play, at),
        facing=bearing,
        formation=wide,
        stand="map",
        trail=(),
        holds=holds or "",
        held_since=play.move if holds else 0,
        halted_since=play.move,
        limbered=unit.arm == "artillery" and wide not in IN_BATTERY,
    )
    placed = replace(unit, place=place)
    if not anyhow and (why := no_footing(terrain_of(play.scene), placed)):
        raise BadDirective(f"{why}; to put it there all the same, end the line with {ANYHOW}")
    _persons(play)
    _rule(play, text, Changes(new_units=(placed,)), "place")
    if not play.war.clock.running and play.war.clock.turn <= 1:
        _begins_there(play, placed)


def _begins_there(play: Play, unit: Unit) -> None:
    """Before the first run all of its side know where a unit is put, if they have not seen it elsewhere."""
    new = Known(own_state(unit, play.move, LISTED), play.move)
    for role, mind in play.minds.items():
        if mind.side == unit.side and mind.own.get(unit.id, new).state.source == LISTED:
            play.add(_quiet(role, Learned(own={unit.id: new})))


def _persons(play: Play) -> None:
    """The commanders of a unit that is put on an empty field are there as well."""
    if play.war.persons:
        return
    facts = muster(play.scene, World(play.war, play.minds), play.dice)
    for fact in facts:
        if fact.changes is not None:
            play.add(replace(fact, changes=Changes(persons=fact.changes.persons)))
        else:
            play.add(fact)


def _open(play: Play, text: str, words: Sequence[str]) -> None:
    move = whole(words[0]) if words else 0
    if move is None:
        raise BadDirective("it reads: open [MOVE]")
    _persons(play)
    _rule(play, text, play.clock(phase="run", turn=1, move=move, run_from=move + 1))
    for role in play.roles():
        play.add(_quiet(role, Learned(phase="run", turn=1, move=move, run_from=move + 1)))


def _remove(play: Play, text: str, words: Sequence[str]) -> None:
    if len(words) != 2 or words[0] not in SIDES:
        raise BadDirective("it reads: remove SIDE UNIT")
    unit = _unit(play, *words)
    losses = {f"{unit.side} men lost": unit.strength.men_tw, f"{unit.side} guns lost": unit.strength.guns}
    _rule(play, text, Changes(gone_units=(unit.key,), losses={k: v for k, v in losses.items() if v}), "remove")


def _staged(stage: Callable[[Play, str, Named], Changes], effect: str) -> Carry:
    def carry(play: Play, text: str, words: Sequence[str]) -> None:
        _persons(play)
        _rule(play, text, stage(play, " ".join(words), _point), effect)

    return carry


# ------------------------------------------------------------------ set


def _set(play: Play, text: str, words: Sequence[str]) -> None:
    head = words[0].lower() if words else ""
    if head in SIDES and len(words) >= 4:
        _set_unit(play, text, _unit(play, head, words[1]), words[2], " ".join(words[3:]))
    elif head == "person" and len(words) >= 4:
        _set_person(play, text, *words[1:4])
    elif head == "crossing" and len(words) == 4:
        feature = play.war.features.get(words[1], Feature(words[1]))
        _rule(play, text, Changes(features=(with_attribute(feature, words[2], plain(words[3]), words[1]),)))
    elif len(words) == 2:
        _set_clock(play, text, *words)
    else:
        raise BadDirective(
            "it reads: set SIDE UNIT PART.ATTRIBUTE VALUE, set person NAME ATTRIBUTE VALUE, set NAME VALUE"
        )


def _set_person(play: Play, text: str, name: str, path: str, value: str) -> None:
    _persons(play)
    person = play.war.persons.get(name)
    if person is None:
        raise BadDirective(f"there is no person {name}")
    meant = plain(value)
    if path == "at" and isinstance(meant, str):
        meant = list(_point(play, value))
    _rule(play, text, Changes(persons=(with_attribute(person, path, meant, name),)))
    if play.mind(person) is not None and path == "at":
        play.add(_quiet(Role(person.role), Learned(at=play.war.persons[person.id].at, on_map=True)))


TOLD = ("move", "turn", "weather", "ground", "light", "phase")
"""What of the clock everybody knows."""


def _set_clock(play: Play, text: str, name: str, value: str) -> None:
    if name not in play.war.clock.__struct_fields__:
        raise BadDirective(f'there is no "{name}" to set')
    parts = {name: getattr(with_attribute(play.war.clock, name, plain(value), "the clock"), name)}
    _rule(play, text, play.clock(**parts))
    if name in TOLD:
        for role in play.roles():
            play.add(_quiet(role, msgspec.convert(parts, Learned)))


def _quiet(role: Role, learned: Learned) -> Fact:
    return RunBegan(turn_no=0, known=told_to(role), learned=learned)


def _set_unit(play: Play, text: str, unit: Unit, path: str, value: str) -> None:
    part, _, rest = path.partition(".")
    if part not in UnitPatch.__struct_fields__:
        raise BadDirective(f"a unit has no {part}; it has {', '.join(UnitPatch.__struct_fields__)}")
    new = plain(value)
    if rest:
        new = with_attribute(getattr(unit, part), rest, new, part)
    patch = read_as(UnitPatch, {part: new}, path, value)
    lost = unit.strength.men_tw - patched(unit, patch).strength.men_tw
    _rule(play, text, Changes(units={unit.key: patch}, losses={f"{unit.side} men lost": lost} if lost else {}))


# ------------------------------------------------------------------ orders, eyes, rulings


def _order(side: Side) -> Carry:
    def carry(play: Play, text: str, words: Sequence[str]) -> None:
        name, _, rest = " ".join(words).partition(":")
        if not rest.strip():
            raise BadDirective(f"it reads: {side} UNIT: ORDER")
        names = play.scene.units_of(side, name.strip())
        minds = [mind for mind in play.minds.values() if mind.side == side]
        if not minds:
            raise BadDirective(f"nobody plays {side}")
        mind = next((mind for mind in minds if name.strip() in mind.own), minds[0])
        reading = read_for(play.scene, mind, f"to {name.strip()}: {rest.strip()}")
        for complaint in reading.complaints:
            if complaint.judgement.refuses:
                raise BadDirective(complaint.why)
        lines = [line for act in reading.items for line in lines_of(act)]
        _rule(play, text, Changes(), "order")
        for one in names:
            unit = play.war.units.get(f"{side}:{one}")
            own = lines_for(play, side, one, tuple(lines))
            if unit is not None and own:
                take_lines(play, unit, own, by="umpire", rank=0, written=play.move)

    return carry


def _see(play: Play, text: str, words: Sequence[str]) -> None:
    seers = {"all", *play.war.persons, *(unit.id for unit in play.war.units.values())}
    if not words or not seers.issuperset(word for word in words if word not in SIDES):
        raise BadDirective("it reads: see PERSON|UNIT, or see all: everybody looks about, and pages are made new")
    _rule(play, text, Changes(), "sight")
    observe(play)
    update(play)


def _sight(play: Play, text: str, words: Sequence[str]) -> None:
    person, tiding = new_tiding(play, " ".join(words))
    _rule(play, text, Changes(), "sight")
    mind = play.mind(person)
    if mind is not None:
        entries, told = enter(mind, (tiding,), play.move, own_eyes=False)
        play.tell(
            person.role,
            EyesSaw(fresh=tuple(told), rules=cited("KS-GM-02", "KS-GM-03")),
            Learned(entries=entries),
        )


def _unsight(play: Play, text: str, words: Sequence[str]) -> None:
    person = play.war.persons.get(words[0]) if len(words) == 2 else None
    mind = play.mind(person) if person is not None else None
    if person is None or mind is None or words[1] not in mind.entries:
        raise BadDirective("it reads: unsight PERSON eN")
    _rule(play, text, Changes(), "unsight")
    dropped = {words[1]: replace(mind.entries[words[1]], dropped=True)}
    play.tell(person.role, EyesSaw(lost=(words[1],), rules=cited("KS-GM-02")), Learned(entries=dropped))


def _delay(play: Play, text: str, words: Sequence[str]) -> None:
    numbers = [number for word in words if (number := whole(word)) is not None]
    paper = play.war.papers.get(paper_key(numbers[0])) if len(numbers) == len(words) == 2 else None
    if paper is None:
        raise BadDirective("it reads: delay NUMBER MOVES, the number of a paper in the log")
    moves = numbers[1]
    ride = paper.ride
    held = (
        replace(paper, written=paper.written + moves, leaves=paper.leaves + moves)
        if ride is None
        else replace(paper, ride=_held_up(play, ride, moves))
    )
    _rule(play, text, Changes(papers=(held,)), "delay_message")


def _held_up(play: Play, ride: Ride, moves: int) -> Ride:
    """A ride that is held up where it is: what is left of its way is ridden so many moves later."""
    if ride.set_out > play.move:
        return replace(ride, set_out=ride.set_out + moves)
    far, whole = paces_ridden(true_terrain(play.scene, play.war), ride, play.move, play.table), length(ride.way)
    done = whole if far is None else far
    left = part(ride.way, done, whole)
    return replace(ride, way=left, set_out=play.move + 1 + moves, delay=0, ridden=ride.ridden + done)


def _waiting(play: Play, text: str, words: Sequence[str]) -> None:
    if len(words) < 2:
        raise BadDirective("it reads: rule EFFECT AT [VALUE] [NUMBER]")
    number = (whole(words[3], sign=True) if len(words) > 3 else None) or 0
    clock = play.war.clock
    ruling = Ruling(len(clock.rulings) + 1, words[0], words[1], words[2] if len(words) > 2 else "", number)
    _rule(play, text, play.clock(rulings=(*clock.rulings, ruling)), words[0])


def _message(play: Play, text: str, words: Sequence[str]) -> None:
    name, _, body = " ".join(words).partition(":")
    person = play.war.persons.get(name.strip())
    if person is None or not body.strip():
        raise BadDirective("it reads: message PERSON: TEXT")
    _rule(play, text, Changes(), "place_message")
    paper = Paper(
        id=play.war.clock.papers + 1, kind="letter", side=person.side, sender="umpire", to=person.id, text=body.strip(),
        written=play.move, place=person.at, at=person.at, aim=person.at,
    )  # fmt: skip
    received = Received(
        kind=paper.kind, sender=paper.sender, written=paper.written, received=play.move, place=paper.place,
        at=person.at, bearer="umpire", text=paper.text,
    )  # fmt: skip
    play.tell(person.role, PaperReceived(paper=received, rules=cited("KS-GM-02")), Learned(received=(received,)))
    raise_interrupt(play, person.id, "W4", "a message")


def _interrupt(play: Play, text: str, words: Sequence[str]) -> None:
    if not words or words[0] not in play.war.persons:
        raise BadDirective("it reads: interrupt PERSON TEXT")
    _rule(play, text, Changes(), "interrupt")
    raise_interrupt(play, words[0], "W8", " ".join(words[1:]) or "the umpire calls you")


def _staff(play: Play, text: str, words: Sequence[str]) -> None:
    by_role = {one.role: one for one in play.war.persons.values() if one.role}
    persons = [by_role[word] for word in words if word in by_role]
    if not words or len(persons) < len(words):
        raise BadDirective("it reads: staff ROLE [ROLE …], of roles that are played")
    _rule(play, text, leave_to_staff(play, persons), "staff")
    tell_sides(play, persons, played=False)


def _player(play: Play, text: str, words: Sequence[str]) -> None:
    persons = [play.war.persons[word] for word in words if word in play.war.persons and Role(word) in play.minds]
    if not words or len(persons) < len(words) or any(one.role or one.state == "captured" for one in persons):
        raise BadDirective("it reads: player ROLE [ROLE …], of commanders without a player")
    played = tuple(replace(one, role=one.id) for one in persons)
    _rule(play, text, Changes(persons=played), "player")
    tell_sides(play, played, played=True)
    for one in played:
        tell_player(play, one)


def _pause(play: Play, text: str, words: Sequence[str]) -> None:
    del words
    _rule(play, text, play.clock(paused=True), "pause")


def _end(play: Play, text: str, words: Sequence[str]) -> None:
    _rule(play, text, Changes(), "end_game")
    finish(play, " ".join(words) or "the umpire ends the game")


VERBS: Mapping[str, Carry] = {
    "open": _open, "place": _place, "set": _set, "remove": _remove, "new": _staged(new_unit, "set_unit"),
    "paper": _staged(new_paper, "place_message"), "red": _order("red"), "blue": _order("blue"), "see": _see,
    "sight": _sight, "unsight": _unsight, "delay": _delay, "rule": _waiting, "message": _message,
    "interrupt": _interrupt, "staff": _staff, "player": _player, "pause": _pause, "end": _end,
}  # fmt: skip
"""What is done for each directive."""
