"""Surprise: troops attacked by whom they had not seen, and whether they fall back in disorder (KS-SUR)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from msgspec.structs import replace

from pbem.ground.bearing import opposite
from pbem.ground.plane import bearing
from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.field.field import terrain_of
from pbem.systems.kriegsspiel.knowing.conditions import visible
from pbem.systems.kriegsspiel.march.gate import swung
from pbem.systems.kriegsspiel.melee.fighters import worth
from pbem.systems.kriegsspiel.melee.retreats import beaten
from pbem.systems.kriegsspiel.play.fight_review import decided, faces_of
from pbem.systems.kriegsspiel.play.play import Die, Play
from pbem.systems.kriegsspiel.tables.attack import CANISTER_TEST, STRIKE, SUPPORT_NEAR, SURPRISE, SURPRISE_DIE
from pbem.systems.kriegsspiel.world.bodies import is_fresh
from pbem.systems.kriegsspiel.world.forms import DEPLOYED, on_route, rate_class
from pbem.systems.kriegsspiel.world.outcomes_attack import SurpriseChecked
from pbem.systems.kriegsspiel.world.patches import Changes
from pbem.systems.kriegsspiel.world.troops import Unit


@rule("KS-SUR-01")
def unseen(play: Play, attacker: Unit, target: Unit) -> bool:
    """Whether nobody who could tell the attacked had the attacker in sight before the last two moves."""
    before = play.move - SURPRISE["unseen_moves"]
    tellers = [target, *play.field.near(target.place.at, SURPRISE["told_within"], target.side)]
    for unit in tellers:
        for glimpse in play.war.glimpses.get(unit.key, ()):
            if glimpse.body == attacker.key and glimpse.since < before:
                return False
    return True


@rule("KS-SUR-01")
def cause_of(play: Play, attacker: Unit, target: Unit, force: Fraction) -> int:
    """Which of the three causes makes a surprise; 0: none."""
    if target.arm not in ("infantry", "cavalry", "artillery") or not is_fresh(target):
        return 0
    if not unseen(play, attacker, target):
        return 0
    reach = STRIKE[rate_class(attacker)] if attacker.arm == "cavalry" else STRIKE["infantry"]
    area = terrain_of(play.scene).area(attacker.place.at)
    hidden = area is not None and (area.built or area.kind.startswith("wood"))
    seen = any(enemy.key == attacker.key for enemy, _, _ in visible(play, target))
    if play.field.gap(attacker, target) <= reach and (hidden or not seen):
        return 1
    own = worth(target).whole
    if own and force >= SURPRISE["ratio"] * own and not target.place.holds:
        return 2
    return 3 if on_route(target) else 0


@rule("KS-SUR-02")
def has_guns(play: Play, ambush: Sequence[Unit]) -> bool:
    """Whether an ambush has artillery: half a battery that stood with it when it broke out, limbered or not."""
    from_where = [unit.march.way[0] if unit.march.way else unit.place.at for unit in ambush]
    return any(
        guns.arm == "artillery" and not guns.trial.taken_by and not guns.trial.flight
        and guns.strength.guns >= CANISTER_TEST.guns
        and any(play.field.from_point(at, guns) <= SUPPORT_NEAR for at in from_where)
        for guns in play.field.units(ambush[0].side)
    )  # fmt: skip


@rule("KS-SUR-01", "KS-SUR-02", "KS-ODD-05")
def surprise(play: Play, attacker: Unit, target: Unit, others: Sequence[Unit]) -> None:
    """The throw, once for an attack: Die I, Die II with guns; black: they fall back in disorder, white: they form."""
    force = sum((worth(unit).whole for unit in (attacker, *others)), Fraction(0))
    cause = cause_of(play, attacker, target, force)
    if not cause:
        return
    guns = "with_guns" if has_guns(play, [attacker, *others]) else "without_guns"
    die: Die = "II" if SURPRISE_DIE[guns] == "II" else "I"
    asks = f"{attacker.key} surprises {target.key}? Black: yes."
    found = decided(play, "surprise", (attacker.key, target.key), die, "attackers", asks, attacker.side)
    black = (found.favoured == "attackers") == (found.face.circle == "black")
    play.add(
        SurpriseChecked(
            attacker=attacker.key, target=target.key, cause=cause, die=found.die, throws=faces_of(found.throws),
            surprised=black, dice=found.throws, rules=cited("KS-SUR-01", "KS-SUR-02"), changes=Changes(),
        )
    )  # fmt: skip
    if not black:
        _form_at_once(play, target, attacker)
        return
    at, enemy = target.place.at, attacker.place.at
    away = bearing(enemy, at) if at != enemy else opposite(target.place.facing)
    beaten(play, target.key, "R", away, 0, "KS-SUR-02")
    unit = play.unit(target.key)
    trial = replace(unit.trial, surprised=play.move, forced=play.move)
    play.change(unit, "surprised", trial=trial)


@rule("KS-SUR-02")
def _form_at_once(play: Play, target: Unit, attacker: Unit) -> None:
    """Not surprised: a column of the route is in order of battle at once."""
    if not on_route(target) or target.arm == "artillery":
        return
    form = "attack_column" if target.arm == "infantry" and attacker.arm == "cavalry" else DEPLOYED[target.arm]
    facing = bearing(target.place.at, attacker.place.at)
    place = replace(target.place, formation=form, facing=facing, trail=(), marched=0, changed=play.move - 1)
    place = swung(target, place, play.field.enemies(target.side))
    play.change(target, "forms at once", place=place, change=None)
