"""A commander with the beaten stops their flight (KS-CMD-03)."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.command.command import may_command
from pbem.systems.kriegsspiel.melee.retreats import fronting
from pbem.systems.kriegsspiel.play.play import Play, one
from pbem.systems.kriegsspiel.tables.attack import RALLY_DISTANCE
from pbem.systems.kriegsspiel.world.dispatches import Person
from pbem.systems.kriegsspiel.world.outcomes_attack import Rallied
from pbem.systems.kriegsspiel.world.patches import Changes
from pbem.systems.kriegsspiel.world.troops import March, Unit, UnitPatch

BESIDE = "rallying"


@rule("KS-CMD-03")
def rally(play: Play) -> None:
    """Step 3: who has been with a defeated body for a whole move, and tells it to rally, stops it."""
    for key in [unit.key for unit in play.on_map()]:
        unit = play.unit(key)
        order = unit.duty.order
        if order is None or order.verb != "rally" or not unit.trial.flight:
            continue
        person = _with(play, unit)
        if person is None or not play.war.options.personal_rally or unit.trial.state == "repulsed":
            _drop(play, unit)
            continue
        if unit.duty.stage != BESIDE:
            # He rides along for a whole move before they heed him.
            play.change(unit, "rides with them", duty=replace(unit.duty, stage=BESIDE))
            continue
        near = play.field.nearest_enemy(unit.place.at, unit.side)
        halts = near is None or near[0] > RALLY_DISTANCE
        changes = Changes()
        if halts:
            trial = replace(unit.trial, flight=0, flight_to=None)
            place = fronting(play, unit)
            changes = one(unit, UnitPatch(trial=trial, place=place, march=March(fast=unit.march.fast)))
        play.add(Rallied(unit=key, person=person.id, halts=halts, rules=cited("KS-CMD-03"), changes=changes))
        if halts:
            _drop(play, play.unit(key))


def _with(play: Play, unit: Unit) -> Person | None:
    """A commander of a body who is with it."""
    for person in play.persons(unit.side):
        if may_command(play, person.id, unit) and play.field.present(person, unit, play.war.options.voice_range):
            return person
    return None


def _drop(play: Play, unit: Unit) -> None:
    duty = replace(unit.duty, queue=unit.duty.queue[1:], stage="", begun=-1)
    play.change(unit, "rally is over", duty=duty)
