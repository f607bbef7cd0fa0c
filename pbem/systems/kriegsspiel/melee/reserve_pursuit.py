"""A reserve line of cavalry that goes after a beaten line: the throw of the next move, and what follows (KS-SEC-04)."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.melee.aftermath import RESERVE
from pbem.systems.kriegsspiel.melee.capture import take
from pbem.systems.kriegsspiel.melee.fighters import Bout
from pbem.systems.kriegsspiel.melee.melee import fight_out
from pbem.systems.kriegsspiel.melee.retreats import lowered
from pbem.systems.kriegsspiel.play.play import Die, Play
from pbem.systems.kriegsspiel.tables.attack import BESIDE, CONTACT, RESERVE_PURSUES
from pbem.systems.kriegsspiel.world.bodies import is_totally_defeated
from pbem.systems.kriegsspiel.world.troops import Unit

AFTER = "follows on"
RESERVE_DIE: Die = "III" if RESERVE_PURSUES == "III" else "II"


@rule("KS-SEC-04")
def reserve_pursuits(play: Play, used: set[str]) -> None:
    """Die III for the reserve in the move after the fight; followed on in the next the enemy is T, then captured."""
    after = {
        unit.key: unit.trial.attacks
        for unit in play.on_map()
        if unit.trial.pursuing and unit.trial.answer in (RESERVE, AFTER)
    }
    done: set[str] = set()
    for target in sorted(set(after.values())):
        enemy = play.war.units.get(target)
        if target in done or enemy is None or not enemy.trial.flight or enemy.trial.beaten >= play.move:
            continue
        line = line_of(play, enemy)
        keys = [key for key, aim in after.items() if aim in line]
        done |= set(line)
        used |= set(keys)
        if any(play.unit(key).trial.answer == AFTER for key in keys):
            _follow_on(play, line, keys)
            continue
        used |= set(line)
        if fight_out(play, Bout(tuple(keys), line, 0), fixed=(RESERVE_DIE, "KS-SEC-04")):
            for key in keys:
                unit = play.unit(key)
                aim = unit.trial.attacks or target
                trial = replace(unit.trial, answer=AFTER, pursuing=2, attacks=aim)
                play.change(unit, "follows on", trial=trial)
        else:
            for key in line:
                unit = play.unit(key)
                trial = replace(unit.trial, flight=0, flight_to=None, won=play.move)
                play.change(unit, "stays to rally", trial=trial)


@rule("KS-SEC-04")
def line_of(play: Play, enemy: Unit) -> tuple[str, ...]:
    """The beaten line of cavalry that a squadron belongs to: who was beaten with it, and goes back beside it."""
    left = [
        unit
        for unit in play.on_map(enemy.side)
        if unit.arm == "cavalry" and unit.key != enemy.key
        and unit.trial.flight and unit.trial.beaten == enemy.trial.beaten
    ]  # fmt: skip
    line = [enemy]
    for unit in line:
        more = [other for other in left if play.field.within(other, unit, BESIDE)]
        line += more
        left = [other for other in left if other not in more]
    return tuple(sorted(unit.key for unit in line))


@rule("KS-SEC-04")
def _follow_on(play: Play, line: tuple[str, ...], keys: list[str]) -> None:
    """The whole line is T; who is T already and is reached is taken."""
    for target in line:
        enemy = play.unit(target)
        if not is_totally_defeated(enemy):
            lowered(play, target, "KS-SEC-04", to="T")
            continue
        by = [key for key in keys if play.field.within(play.unit(key), enemy, CONTACT)]
        if by:
            take(play, enemy, play.unit(by[0]), "KS-SEC-04")
