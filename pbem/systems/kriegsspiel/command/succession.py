"""Who commands the side, and how word of a change of command comes to those whom it concerns (KS-CMD-04, KS-CMD-10).

It is known by eyes, by voice, or by the report of an officer, as all else (KS-MSG-01).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from pbem.ground.plane import distance
from pbem.orders.prose import listed
from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.field.hierarchy import command_of, under
from pbem.systems.kriegsspiel.play.play import Play, side_unit
from pbem.systems.kriegsspiel.scene.scene import Scene
from pbem.systems.kriegsspiel.tables.knowledge import SIGHTING
from pbem.systems.kriegsspiel.world.bodies import is_on_map
from pbem.systems.kriegsspiel.world.dispatches import Charge, Paper, Person
from pbem.systems.kriegsspiel.world.mind import Learned, Mind
from pbem.systems.kriegsspiel.world.outcomes import ReportWritten
from pbem.systems.kriegsspiel.world.outcomes_knowledge import CommandTold
from pbem.systems.kriegsspiel.world.patches import Changes, ClockPatch
from pbem.systems.kriegsspiel.world.troops import Side, Unit


def titled(person: Person) -> str:
    """A person by rank and name: `Colonel Asmus`, `the major of 1/II`."""
    return f"{person.rank} {person.name}".strip()


def gathered(scene: Scene, side: Side, units: Sequence[str]) -> list[str]:
    """Units by as few names as will do: in the place of all units of a group or regiment, that group."""
    left, names = list(units), dict[str, str]()
    groups = [one for one in scene.groups.values() if one.side == side]
    for group in sorted(groups, key=lambda one: (-len(scene.units_of(side, one.id)), one.id)):
        members = scene.units_of(side, group.id)
        if members and all(one in left and one not in names for one in members):
            names[min(members, key=left.index)] = group.id
            left = [one for one in left if one not in members or one in names]
    return [names.get(one, one) for one in left]


def command_words(play: Play, side: Side, units: Sequence[str], to: str) -> str:
    """`1/I and H5 are under Rehden`: one sentence for all units of one cause."""
    names = gathered(play.scene, side, units)
    person = play.war.persons.get(to)
    return f"{listed(names)} {'is' if len(names) == 1 else 'are'} under {person.name if person is not None else to}"


# ------------------------------------------------------------------ what he knows of it


def charged(scene: Scene, mind: Mind, charge: Charge | None, learned: Learned) -> Learned:
    """*learned*, with what a commander knows of his command when he has word of a change."""
    if charge is None:
        return learned
    if charge.to == mind.person:
        known = [one for one in charge.units if f"{mind.side}:{one}" in scene.units or one in mind.own]
        # In the order of the order of battle; what was detached since comes after, in the order he knew of it.
        places = {key: place for place, key in enumerate(scene.units)}
        mine = dict.fromkeys((*mind.command, *known))
        command = tuple(sorted(mine, key=lambda one: places.get(f"{mind.side}:{one}", len(places))))
        below = tuple(dict.fromkeys((*mind.below, *charge.persons)))
        learned = replace(learned, command=command, below=tuple(one for one in below if one != charge.fallen))
        if charge.superior is not None:
            learned = replace(learned, superior=charge.superior)
    elif charge.to not in mind.below:
        learned = replace(learned, command=tuple(one for one in mind.command if one not in charge.units))
    comrade = mind.comrades.get(charge.fallen)
    if comrade is not None:
        learned = replace(learned, comrades={**learned.comrades, comrade.id: replace(comrade, captured=True)})
    return learned


def taken_on(play: Play, person: Person) -> Learned:
    """What a player knows of the person whom he plays from now on: where and what he is, and what is under him."""
    return Learned(
        person=person.id,
        at=person.at,
        facing=person.facing,
        on_map=person.stand == "map",
        state=person.state,
        riders=person.riders,
        staff=person.staff,
        superior=person.superior,
        rides_with=person.rides_with,
        riding_to=person.ride.to if person.ride is not None else "",
        command=command_of(play.war.units, play.war.persons, person.id),
        below=under(play.war.persons, person.id),
    )


# ------------------------------------------------------------------ how it comes to him


@rule("KS-CMD-04", "KS-CMD-05", "KS-MSG-01")
def tell_change(play: Play, moved: Sequence[tuple[Unit, str]], to: str, *, by: Person | None, told: str = "") -> None:
    """Tell who had the units before and who has them now.

    *moved*: the units, as they were, and their commanders till then; *by*: who is there and gave the word;
    *told*: the id of a person who knows already.
    """
    for person, charge, text in _concerned(play, moved, to):
        if person.id == told:
            continue
        if by is not None and within_call(play, by, person):
            tell_charge(play, person, charge, text)
        else:
            troops = [side_unit(play, person.side, one) for one in charge.units]
            _send_word(play, person, troops, charge, f"{text} from now.")


@rule("KS-GM-08")
def announce_change(play: Play, moved: Sequence[tuple[Unit, str]], to: str) -> None:
    """Before the first move all whom it concerns know it at once."""
    for person, charge, text in _concerned(play, moved, to):
        tell_charge(play, person, charge, text)


def _concerned(play: Play, moved: Sequence[tuple[Unit, str]], to: str) -> Iterator[tuple[Person, Charge, str]]:
    units = tuple(unit.id for unit, _ in moved)
    for name in dict.fromkeys((*(start for _, start in moved), to)) if moved else ():
        person = play.war.persons.get(name)
        if person is not None and play.mind(person) is not None:
            mine = units if name == to else tuple(unit.id for unit, start in moved if start == name)
            yield person, Charge(to=to, units=mine), command_words(play, person.side, mine, to)


@rule("KS-CMD-05")
def within_call(play: Play, one: Person, other: Person) -> bool:
    """Whether two commanders can talk."""
    if one.id == other.id:
        return True
    there = all(person.stand == "map" and person.state != "captured" for person in (one, other))
    return there and distance(one.at, other.at) <= play.war.options.talk_range


@rule("KS-CMD-10", "KS-MSG-01", "KS-MSG-08")
def tell_fall(play: Play, fallen: Person, heir: Person, units: Sequence[str]) -> None:
    """The heir knows at once what he sees himself; else an officer of the troops that were with the fallen reports."""
    mind = play.mind(heir)
    if mind is None:
        return
    charge = Charge(
        to=heir.id,
        units=tuple(units),
        fallen=fallen.id,
        persons=under(play.war.persons, heir.id),
        superior=heir.superior,
    )
    known = [one for one in units if f"{fallen.side}:{one}" in play.scene.units or one in mind.own]
    said = f"{titled(fallen)} has been taken by the enemy"
    names = gathered(play.scene, fallen.side, known)
    yours = f"{listed(names)} {'is' if len(names) == 1 else 'are'} under your command now" if names else ""
    text = f"{said}; {yours}" if yours else said
    if heir.stand == "map" and distance(heir.at, fallen.at) <= SIGHTING["strength"]["single"]:
        tell_charge(play, heir, charge, text, headline=said)
        return
    formed = play.field.units(fallen.side, formed=True)
    there = sorted(formed, key=lambda one: (distance(one.place.at, fallen.at), one.key))
    own = [one for one in there if one.id in units]
    _send_word(play, heir, [*own, *there], charge, f"{text}.", headline=said)


def tell_charge(play: Play, person: Person, charge: Charge, text: str, *, headline: str = "") -> None:
    """A commander knows of a change at once; nothing, where no player is he."""
    mind = play.mind(person)
    if mind is None:
        return
    play.tell(
        person.role,
        CommandTold(text=text, headline=headline, rules=cited("KS-CMD-10" if charge.fallen else "KS-CMD-04")),
        charged(play.scene, mind, charge, Learned()),
    )


@rule("KS-MSG-01", "KS-MSG-08")
def _send_word(
    play: Play, to: Person, troops: Iterable[Unit | None], charge: Charge, text: str, *, headline: str = ""
) -> None:
    """The first of *troops* that is on the map reports it: by word of mouth if he is there, else by a rider."""
    unit = next((one for one in troops if one is not None and is_on_map(one)), None)
    if unit is None:
        return
    if to.stand == "map" and play.field.present(to, unit, play.war.options.voice_range):
        tell_charge(play, to, charge, text.removesuffix("."), headline=headline)
        return
    clock = play.war.clock
    paper = Paper(
        id=clock.papers + 1,
        kind="report",
        side=unit.side,
        sender=unit.id,
        to=to.id,
        priority="urgent",
        written=play.move,
        place=unit.place.at,
        words=len(text.split()),
        text=text,
        events=("commander_taken" if charge.fallen else "command",),
        charge=charge,
        at=unit.place.at,
        aim=to.at,
        bearer=_bearer(play, unit, charge),
    )
    play.add(
        ReportWritten(
            message_id=paper.id,
            unit=unit.key,
            priority="urgent",
            events=paper.events,
            to=to.id,
            rules=cited("KS-MSG-08", "KS-CMD-10" if charge.fallen else "KS-CMD-04"),
            changes=Changes(papers=(paper,), clock=ClockPatch(papers=clock.papers + 1)),
        )
    )


@rule("KS-MSG-02", "KS-CMD-10")
def _bearer(play: Play, unit: Unit, charge: Charge) -> str:
    """Whose rider carries it: one of the fallen commander's, who got away to the troops, else the unit's own."""
    fallen = play.war.persons.get(charge.fallen)
    if fallen is not None and fallen.riders:
        return fallen.id
    return unit.id if unit.strength.riders or not unit.duty.parent else unit.duty.parent


@rule("KS-CMD-10", "KS-MSG-01")
def word_at_the_entry(play: Play, person: Person) -> None:
    """Who comes onto the field finds there the word of what fell to him before."""
    mind = play.mind(person)
    if mind is None:
        return
    units = command_of(play.war.units, play.war.persons, person.id)
    new = [one for one in units if one not in mind.command and f"{person.side}:{one}" in play.scene.units]
    if new:
        charge = Charge(
            to=person.id, units=tuple(new), persons=under(play.war.persons, person.id), superior=person.superior
        )
        tell_charge(play, person, charge, command_words(play, person.side, new, person.id))
