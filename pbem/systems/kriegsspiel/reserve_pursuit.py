"""A reserve line of cavalry that goes after a beaten line: the throw of the next move, and what follows (KS-SEC-04)."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.aftermath import RESERVE
from pbem.systems.kriegsspiel.capture import take
from pbem.systems.kriegsspiel.fighters import Bout
from pbem.systems.kriegsspiel.melee import fight_out
from pbem.systems.kriegsspiel.play import Die, Play, one
from pbem.systems.kriegsspiel.retreats import lowered
from pbem.systems.kriegsspiel.tables_attack import CONTACT, RESERVE_PURSUES
from pbem.systems.kriegsspiel.troops import UnitPatch

AFTER = "follows on"
RESERVE_DIE: Die = "III" if RESERVE_PURSUES == "III" else "II"


@rule("KS-SEC-04")
def reserve_pursuits(play: Play, used: set[str]) -> None:
    """Die III for the reserve in the move after the fight; followed on in the next the enemy is T, then captured."""
    by_target: dict[str, list[str]] = {}
    for unit in play.on_map():
        if unit.trial.pursuing and unit.trial.answer in (RESERVE, AFTER):
            by_target.setdefault(unit.trial.attacks, []).append(unit.key)
    for target in sorted(by_target):
        enemy = play.war.units.get(target)
        if enemy is None or not enemy.trial.flight or enemy.trial.beaten >= play.move:
            continue
        keys = by_target[target]
        if any(play.unit(key).trial.answer == AFTER for key in keys):
            _follow_on(play, target, keys)
            used |= set(keys)
            continue
        together = [
            unit.key
            for unit in play.on_map(enemy.side)
            if unit.arm == "cavalry" and unit.trial.flight and unit.trial.beaten == enemy.trial.beaten
            and play.field.gap(unit, enemy) <= 2 * CONTACT
        ]  # fmt: skip
        others = tuple(sorted({*together, target} - {target}))
        used |= {*keys, target, *others}
        if fight_out(play, Bout(tuple(keys), (target, *others), 0), fixed=(RESERVE_DIE, "KS-SEC-04")):
            for key in keys:
                unit = play.unit(key)
                trial = replace(unit.trial, answer=AFTER, pursuing=2, attacks=target)
                play.keep("follows on", one(unit, UnitPatch(trial=trial)))
        else:
            for key in (target, *others):
                unit = play.unit(key)
                trial = replace(unit.trial, flight=0, flight_to=None, won=play.move)
                play.keep("stays to rally", one(unit, UnitPatch(trial=trial)))


@rule("KS-SEC-04")
def _follow_on(play: Play, target: str, keys: list[str]) -> None:
    enemy = play.unit(target)
    if enemy.trial.state != "totally_defeated":
        lowered(play, target, "KS-SEC-04", to="T")
    elif any(play.field.gap(play.unit(key), enemy) <= CONTACT for key in keys):
        take(play, enemy, play.unit(keys[0]), "KS-SEC-04")
