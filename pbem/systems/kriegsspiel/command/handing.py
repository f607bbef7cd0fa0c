"""Units go over to another commander: as soon as they have word of it and he has (KS-CMD-03 to KS-CMD-05).

Who is within voice of a unit, or talks with a commander, has told them; to all others it is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.command.command import change_commander, may_command, refuse
from pbem.systems.kriegsspiel.command.papers import begin_paper
from pbem.systems.kriegsspiel.command.succession import command_words, tell_change, tell_charge, within_call
from pbem.systems.kriegsspiel.play.play import Play, side_unit
from pbem.systems.kriegsspiel.world.bodies import is_lost
from pbem.systems.kriegsspiel.world.dispatches import Charge, Person
from pbem.systems.kriegsspiel.world.orders import Dispatch, HandOver, TakeCommand
from pbem.systems.kriegsspiel.world.patches import Changes
from pbem.systems.kriegsspiel.world.troops import Unit


@rule("KS-CMD-03", "KS-CMD-04")
def take_command(play: Play, person: Person, act: TakeCommand) -> None:
    """`take command of UNIT`: he has word of it himself."""
    charge = Charge(to=person.id, units=play.scene.units_of(person.side, act.unit))
    commander_has_word(play, charge, by=person)
    _give_word(play, person, act.unit, charge, act.line)


@rule("KS-CMD-04", "KS-CMD-05")
def hand_over(play: Play, person: Person, act: HandOver) -> None:
    """`hand UNIT to PERSON`: two have to be told, and neither obeys or commands on the word of one."""
    charge = Charge(to=act.to, units=play.scene.units_of(person.side, act.unit))
    _give_word(play, person, act.unit, charge, act.line)
    to = play.war.persons.get(act.to)
    if to is None:
        return
    if not within_call(play, person, to):
        _write(play, person, act.to, charge, act.line)
        return
    moved = commander_has_word(play, charge, by=person)
    later = tuple(one for one in charge.units if one not in moved)
    if later:
        text = f"{command_words(play, person.side, later, act.to)} from now"
        tell_charge(play, to, replace(charge, units=later), text)


@rule("KS-CMD-02", "KS-MSG-01")
def _give_word(play: Play, person: Person, name: str, charge: Charge, line: int) -> None:
    """Word to the units: by voice to those that are near, on paper to the others."""
    units = _units(play, person, charge.units)
    near = [unit for unit in units if play.field.present(person, unit, play.war.options.voice_range)]
    units_have_word(play, charge, near, sender=person.id, by=person)
    if not near:
        _write(play, person, name, charge, line)
        return
    for unit in units:
        if unit not in near:
            _write(play, person, unit.id, replace(charge, units=(unit.id,)), line)


def _units(play: Play, person: Person, names: Iterable[str]) -> list[Unit]:
    found = (side_unit(play, person.side, name) for name in names)
    return [unit for unit in found if unit is not None and not is_lost(unit)]


@rule("KS-MSG-01", "KS-MSG-05")
def _write(play: Play, person: Person, to: str, charge: Charge, line: int) -> None:
    text = f"{command_words(play, person.side, charge.units, charge.to)} from now."
    begin_paper(play, play.war.persons[person.id], Dispatch(line=line, to=to, text=text), charge=charge)


# ------------------------------------------------------------------ whom the word has reached


@rule("KS-CMD-04", "KS-MSG-05")
def units_have_word(
    play: Play, charge: Charge, units: Iterable[Unit], *, sender: str, by: Person | None = None
) -> None:
    """Units have word of who is to command them; they heed it from their own chain alone.

    *sender*: the id of the person whose word it is; *by*: he, if he is there and speaks.
    """
    heard = []
    for unit in units:
        if unit.id not in charge.units:
            continue
        if not may_command(play, sender, unit):
            refuse(play, unit, f"under {charge.to}", sender)
            continue
        heard.append(unit.id)
        play.change(unit, "has word", duty=replace(unit.duty, under=charge.to))
    _settle(play, charge, heard, by, told=charge.to if charge.to != sender else "")


@rule("KS-CMD-04", "KS-MSG-05")
def commander_has_word(play: Play, charge: Charge, *, by: Person | None = None) -> list[str]:
    """He who is to command units has word of it; of them the ids of those that are his now.

    *by*: who told him, if he is there.
    """
    person = play.war.persons.get(charge.to)
    if person is None or person.state == "captured":
        return []
    new = tuple(unit.id for unit in _units(play, person, charge.units) if unit.commander != person.id)
    given = tuple(dict.fromkeys((*person.given, *new)))
    if given != person.given:
        play.keep("has word", Changes(persons=(replace(person, given=given),)))
    return _settle(play, charge, new, by, told="" if by is not None else charge.to)


def _settle(play: Play, charge: Charge, names: Sequence[str], by: Person | None, *, told: str) -> list[str]:
    """Units of which both know it go over, and who had them and has them hears of it; *told*: who knows already."""
    person = play.war.persons.get(charge.to)
    if person is None or person.state == "captured":
        return []
    moved = []
    for name in names:
        unit = side_unit(play, person.side, name)
        if unit is None or unit.duty.under != person.id or name not in play.war.persons[person.id].given:
            continue
        cause = "taken over" if by is not None and by.id == person.id else "handed over"
        change_commander(play, unit, person.id, cause)
        moved.append((unit, unit.commander))
    tell_change(play, moved, person.id, by=by, told=told)
    return [unit.id for unit, _ in moved]
