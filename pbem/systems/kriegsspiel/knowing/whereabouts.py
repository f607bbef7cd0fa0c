"""Where troops and staff commanders believe whom they report to, and detachments their unit (KS-MSG-04, KS-SIT-09).

Known by their eyes, by the paper that he wrote last, by the rider who comes back from him; till then as they were told
when they came under him.  Nobody rides to where a man truly is because he truly is there.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from pbem.ground.plane import Point, distance
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.field.field import terrain_of
from pbem.systems.kriegsspiel.knowing.sighting import eye_of, sees, sees_troops, unit_eye
from pbem.systems.kriegsspiel.play.play import Play, side_unit
from pbem.systems.kriegsspiel.tables.knowledge import SIGHTING, TOPS
from pbem.systems.kriegsspiel.world.bodies import is_lost, is_to_come
from pbem.systems.kriegsspiel.world.dispatches import Chief, Person
from pbem.systems.kriegsspiel.world.patches import Changes
from pbem.systems.kriegsspiel.world.troops import Unit

WITHIN_CALL = 200
"""Paces between two bodies within which they know of each other, seen or not."""


@rule("KS-MSG-08")
def addressee(play: Play, unit: Unit) -> Person | None:
    """To whom a unit reports: him whom its order names, or, if he is taken, its commander; None: he is taken too."""
    for name in (unit.duty.to, unit.commander):
        person = play.war.persons.get(name)
        if person is not None and person.state != "captured":
            return person
    return None


@rule("KS-MSG-04", "KS-SIT-09")
def believed_at(play: Play, name: str, person: Person) -> Point:
    """Where *name*, a unit by its key or a staff commander, believes a person: where he was last known to be."""
    chief = play.war.chiefs.get(name)
    return chief.at if chief is not None and chief.person == person.id else person.at


@rule("KS-SIT-04", "KS-NIG-01")
def sees_person(play: Play, unit: Unit, person: Person) -> bool:
    """Whether a unit has a commander of its side within voice, or sees that it is he who rides there."""
    if person.stand != "map" or person.state == "captured":
        return False
    if play.field.present(person, unit, play.war.options.voice_range):
        return True
    far = SIGHTING["strength"]["single"]
    return sees(terrain_of(play.scene), unit_eye(play.war, unit), person.at, far, TOPS["cavalry"])


@rule("KS-CMD-14", "KS-SIT-04", "KS-SIT-09")
def is_in_sight(play: Play, unit: Unit, other: Unit) -> bool:
    """Whether a unit knows where another of its side is: it stands or stood within call, or is seen."""
    if is_to_come(other):
        return False
    if play.field.within(unit, other, WITHIN_CALL):
        return True
    return sees_troops(terrain_of(play.scene), unit_eye(play.war, unit), other)


# ------------------------------------------------------------------ what they learn


@rule("KS-MSG-04", "KS-SIT-04", "KS-SIT-09")
def see_chiefs(play: Play) -> None:
    """Step 9: who sees the man whom he reports to, or the unit that he is of, knows where that is."""
    chiefs = dict(_chiefs(play))
    if chiefs:
        play.keep("knows his commander's place", Changes(chiefs=chiefs))
    for unit in list(play.on_map()):
        _see_parent(play, unit)


def _chiefs(play: Play) -> Iterator[tuple[str, Chief]]:
    """What is new: a place that is seen to be another, and of whom somebody has come under."""
    for unit in play.on_map():
        person = addressee(play, unit) if not is_lost(unit) else None
        if person is None:
            continue
        if _is_new(play, unit.key, person) or (
            play.war.chiefs[unit.key].at != person.at and sees_person(play, unit, person)
        ):
            yield unit.key, Chief(person.id, person.at, play.move)
    for person in play.persons():
        above = play.war.persons.get(person.superior)
        if person.role or above is None or above.state == "captured":
            continue
        if _is_new(play, person.id, above) or (
            play.war.chiefs[person.id].at != above.at and _in_view(play, person, above)
        ):
            yield person.id, Chief(above.id, above.at, play.move)


def _is_new(play: Play, name: str, person: Person) -> bool:
    """Whether somebody has come under a man of whom he knows nothing yet."""
    known = play.war.chiefs.get(name)
    return known is None or known.person != person.id


def _in_view(play: Play, person: Person, other: Person) -> bool:
    """Whether a commander sees another of his side."""
    far = SIGHTING["strength"]["single"]
    return other.stand == "map" and sees(
        terrain_of(play.scene), eye_of(play.war, person), other.at, far, TOPS["cavalry"]
    )


def _see_parent(play: Play, unit: Unit) -> None:
    """A detachment keeps in mind where it saw the unit last that it is of."""
    known, parent = unit.duty.comrade, side_unit(play, unit.side, unit.duty.parent)
    if parent is None or known is None or known[0] != parent.id or known[1] == parent.place.at:
        return
    if is_in_sight(play, unit, parent):
        mark = (parent.id, parent.place.at, parent.place.facing)
        play.change(unit, "sees its unit", duty=replace(unit.duty, comrade=mark))


@rule("KS-MSG-01", "KS-MSG-04")
def heard_from(play: Play, name: str, sender: str, at: Point, move: int) -> None:
    """Word has come from a person who was at a place in that move: a paper of his, or the rider who was with him."""
    known = play.war.chiefs.get(name)
    if known is not None and known.person == sender and known.move < move and distance(known.at, at):
        play.keep("knows his commander's place", Changes(chiefs={name: Chief(sender, at, move)}))
