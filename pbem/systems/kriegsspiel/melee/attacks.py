"""Attacks in a move: step 3 declares them and has them answered, step 7 fights them in the order of first contact.

KS-TUR-02 to -04, KS-ATK-01.
"""

from __future__ import annotations

from msgspec.structs import replace

from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.command.command import may_command
from pbem.systems.kriegsspiel.field.field import fightable, is_formed
from pbem.systems.kriegsspiel.knowing.conditions import attackers_seen, visible
from pbem.systems.kriegsspiel.knowing.interrupts import raise_interrupt
from pbem.systems.kriegsspiel.knowing.sighting import sees_now
from pbem.systems.kriegsspiel.melee import capture
from pbem.systems.kriegsspiel.melee.answers import answer
from pbem.systems.kriegsspiel.melee.attacking import body_of
from pbem.systems.kriegsspiel.melee.fighters import Bout, gather, touching, units_of
from pbem.systems.kriegsspiel.melee.guns_attacked import attack_guns, can_occupy, supported, supports_of
from pbem.systems.kriegsspiel.melee.melee import fight_out
from pbem.systems.kriegsspiel.melee.pursuits import caught, pursue
from pbem.systems.kriegsspiel.melee.rallying import rally
from pbem.systems.kriegsspiel.melee.reserve_pursuit import reserve_pursuits
from pbem.systems.kriegsspiel.melee.retreats import go_back
from pbem.systems.kriegsspiel.melee.storming import storm
from pbem.systems.kriegsspiel.melee.strongholds import held_place
from pbem.systems.kriegsspiel.melee.surprise import surprise
from pbem.systems.kriegsspiel.play.play import Play, one
from pbem.systems.kriegsspiel.tables.attack import DECLARED_AT
from pbem.systems.kriegsspiel.world.bodies import is_remnant, may_attack
from pbem.systems.kriegsspiel.world.forms import rate_class
from pbem.systems.kriegsspiel.world.orders import Order
from pbem.systems.kriegsspiel.world.outcomes_attack import AttackDeclared, AttackEnded
from pbem.systems.kriegsspiel.world.outcomes_fire import FireResolved
from pbem.systems.kriegsspiel.world.patches import Changes
from pbem.systems.kriegsspiel.world.troops import March, Unit, UnitPatch

ATTACKS = ("attack", "charge", "pursue")


# ------------------------------------------------------------------ step 3


@rule("KS-TUR-02", "KS-ATK-01", "KS-ATK-02")
def declare(play: Play) -> None:
    """After the decisions: the beaten go back, pursuers follow, attacks are declared and answered."""
    rally(play)
    go_back(play)
    pursue(play)
    _winners_wait(play)
    _drop_ended(play)
    for key in [unit.key for unit in play.on_map()]:
        _declare(play, key)
    _answers(play)
    # Who has been surprised goes back at once.
    go_back(play)


@rule("KS-ATK-11")
def _winners_wait(play: Play) -> None:
    """Who has won in the last move re-forms in this one."""
    for unit in list(play.on_map()):
        if unit.trial.won == play.move - 1 and not unit.trial.pursuing and unit.march.way:
            march = March(fast=unit.march.fast, row=unit.march.row)
            play.change(unit, "re-forms", march=march)


def _drop_ended(play: Play) -> None:
    """An attack whose order is gone, or whose target is, is over."""
    for unit in list(play.on_map()):
        if not unit.trial.attacks or unit.trial.pursuing:
            continue
        order = unit.duty.order
        target = play.war.units.get(unit.trial.attacks)
        seen = target is not None and any(enemy.key == target.key for enemy, _, _ in visible(play, unit))
        going = order is not None and order.verb in ATTACKS and target is not None and fightable(target) and seen
        if not going:
            end_attack(play, unit.key, "the target is gone" if order and order.verb in ATTACKS else "another order")


def end_attack(play: Play, key: str, reason: str) -> None:
    """An attack comes to nothing."""
    unit = play.unit(key)
    trial = replace(unit.trial, attacks="", declared=-100, hit_advancing=False, canister_from=())
    play.add(
        AttackEnded(attacker=key, reason=reason, rules=cited("KS-ATK-01"), changes=one(unit, UnitPatch(trial=trial)))
    )


@rule("KS-ATK-01")
def _declare(play: Play, key: str) -> None:
    """Within two attack moves of a target in sight an attack is declared."""
    unit = play.unit(key)
    order = unit.duty.order
    if order is None or order.verb not in ATTACKS or unit.trial.pursuing or unit.trial.flight:
        return
    if not may_attack(unit, play.move) or not (unit.march.way or unit.duty.stage in ("firing", "has fired")):
        return
    target = body_of(play, unit, order)
    if target is None or unit.trial.attacks == target.key:
        return
    far = play.field.gap(unit, target)
    if far > DECLARED_AT[rate_class(unit) if unit.arm == "cavalry" else "infantry"]:
        return
    _tell_declared(play, unit, target, far, order)
    if any(other.key == key for other in attackers_seen(play, target)):
        play.note(target.key, "attacked", f"We are attacked by {unit.arm}.")
        known = replace(play.unit(target.key).trial, attacked=play.move)
        play.change(target, "attacked", trial=known)
    _called(play, unit, target)
    others = [other for other in play.on_map(unit.side) if other.trial.attacks == target.key and other.key != key]
    if not others:
        surprise(play, play.unit(key), play.unit(target.key), _with_it(play, unit, target))


def _tell_declared(play: Play, unit: Unit, target: Unit, far: int, order: Order) -> None:
    trial = replace(unit.trial, attacks=target.key, declared=play.move, made_from=far)
    play.add(
        AttackDeclared(
            attacker=unit.key, target=target.key, distance=far, at=unit.place.at,
            rules=cited("KS-ATK-01", "KS-ATK-09", "KS-ATK-03", *(("KS-ATK-10",) if order.second else ())),
            changes=one(unit, UnitPatch(trial=trial)),
        )
    )  # fmt: skip


def _with_it(play: Play, unit: Unit, target: Unit) -> list[Unit]:
    """Who else is ordered to the attack on a body, and near it."""
    found = []
    for other in play.on_map(unit.side):
        order = other.duty.order
        if other.key == unit.key or order is None or order.verb not in ATTACKS or not other.march.way:
            continue
        body = body_of(play, other, order)
        if body is not None and body.key == target.key:
            found.append(other)
    return found


@rule("KS-TUR-08", "KS-ATK-01")
def _called(play: Play, attacker: Unit, target: Unit) -> None:
    """W2: for a commander who is with the attacked, if he or they see who comes."""
    for person in list(play.persons(target.side)):
        if not person.role or not may_command(play, person.id, target):
            continue
        if not play.field.present(person, target, play.war.options.voice_range):
            continue
        seen = any(enemy.key == attacker.key for enemy, _, _ in visible(play, target))
        if seen or sees_now(play.war, person.id, attacker.key) is not None:
            why = f"{target.id} is attacked by {attacker.arm}"
            raise_interrupt(play, person.id, "W2", why, f"{target.key} {attacker.key} {play.move // 20}")


@rule("KS-ATK-02", "KS-CMD-09")
def _answers(play: Play) -> None:
    """Whoever is attacked answers, and goes on with his answer while the attack lasts."""
    on: dict[str, list[str]] = {}
    for unit in play.on_map():
        if unit.trial.attacks and not unit.trial.pursuing and unit.trial.declared >= 0:
            on.setdefault(unit.trial.attacks, []).append(unit.key)
    for unit in list(play.on_map()):
        if unit.trial.answer and unit.key not in on and not unit.trial.pursuing:
            trial = replace(unit.trial, answer="")
            play.change(unit, "no longer attacked", trial=trial)
    for key in sorted(on):
        target = play.war.units.get(key)
        if target is None or not fightable(target) or is_remnant(target):
            continue
        if target.trial.flight or target.trial.pursuing:
            continue
        aware = attackers_seen(play, target)
        if target.trial.attacks:
            # Who attacks himself meets the enemy by that; but infantry forms against the cavalry of a third.
            foot = target.arm in ("infantry", "pioneers")
            aware = [one_ for one_ in aware if foot and one_.arm == "cavalry" and one_.key != target.trial.attacks]
        if aware:
            answer(play, key, aware)


# ------------------------------------------------------------------ after the fire


@rule("KS-ATK-05", "KS-ODD-03", "KS-ODD-04")
def mark_canister(play: Play) -> None:
    """Note whose canister fell on whom, for the points of the fights to come."""
    hits: dict[str, list[str]] = {}
    for fact in play.facts:
        if isinstance(fact, FireResolved) and fact.move == play.move and fact.shot == "canister" and fact.points:
            hits.setdefault(fact.target, []).append(fact.firer)
    for unit in list(play.on_map()):
        old = unit.trial.canister_from
        kept = tuple(hit for hit in old if unit.trial.attacks or hit[0] > play.move - 3)
        new = (*kept, *((play.move, gun) for gun in sorted(set(hits.get(unit.key, [])))))
        if new != old:
            play.change(unit, "canister", trial=replace(unit.trial, canister_from=new))


# ------------------------------------------------------------------ step 7


@rule("KS-TUR-02", "KS-ATK-08", "KS-TUR-04")
def fight(play: Play) -> None:
    """Attacks hand to hand, in the order of first contact; ties: the lower id of the attacker."""
    if play.war.fights:
        play.keep("a new move", Changes(fights=()))
    capture.overrun(play)
    used: set[str] = set()
    _declared_at_contact(play, used)
    reserve_pursuits(play, used)
    while True:
        first = _next(play, used)
        if first is None:
            return
        if caught(play, first, used):
            continue
        if capture.taken_in_rear(play, first):
            used.add(first.key)
            continue
        bout = gather(play, first, used)
        if bout is None:
            used.add(first.key)
            continue
        used |= {*bout.attackers, *bout.defenders}
        _fought(play, bout)


@rule("KS-ATK-01", "KS-SUR-02")
def _declared_at_contact(play: Play, used: set[str]) -> None:
    """Who is to attack and meets the enemy before he could declare it, among houses or trees, declares it now."""
    for unit in list(play.on_map()):
        order = unit.duty.order
        if unit.trial.contact < 0 or unit.trial.attacks or unit.trial.flight or order is None:
            continue
        met = [enemy for enemy in touching(play, unit) if enemy.key not in used and not enemy.trial.flight]
        if order.verb not in ATTACKS or not met or not may_attack(unit, play.move):
            continue
        _tell_declared(play, unit, met[0], play.field.gap(unit, met[0]), order)
        if not any(other.trial.attacks == met[0].key for other in play.on_map(unit.side) if other.key != unit.key):
            surprise(play, play.unit(unit.key), play.unit(met[0].key), _with_it(play, unit, met[0]))
        if play.unit(met[0].key).trial.surprised == play.move:
            used |= {unit.key, met[0].key}


def _next(play: Play, used: set[str]) -> Unit | None:
    """The attacker who touched first of those whose fight is still to come."""
    found = []
    for unit in play.on_map():
        if unit.key in used or unit.trial.contact < 0 or not fightable(unit) or unit.trial.flight:
            continue
        if not is_formed(unit) and not (unit.trial.attacks and unit.arm in ("infantry", "cavalry", "pioneers")):
            continue
        met = [enemy for enemy in touching(play, unit) if enemy.key not in used]
        if met and attacks_now(play, unit, met):
            found.append((unit.trial.contact, _later(unit, met), unit.id, unit.side, unit))
    return min(found, key=lambda one_: one_[:4])[4] if found else None


def _later(unit: Unit, met: list[Unit]) -> int:
    """Of two who attack each other the one who declared first is the attacker."""
    return unit.trial.declared if unit.trial.declared >= 0 else 10_000


@rule("KS-ATK-01", "KS-TUR-04", "KS-CMD-08")
def attacks_now(play: Play, unit: Unit, met: list[Unit]) -> bool:
    """Whether a body in contact attacks: it has declared it, pursues, or by its reaction takes an encounter so."""
    if unit.trial.attacks:
        return True
    if any(enemy.trial.attacks for enemy in met):
        return False
    eager = unit.duty.reactions.get("enemy_seen", "").startswith("report_and_attack")
    eager = eager or unit.duty.reactions.get("attacked", "").startswith("countercharge")
    return eager and unit.arm in ("infantry", "cavalry") and may_attack(unit, play.move)


def _fought(play: Play, bout: Bout) -> None:
    """One fight, by what is attacked."""
    for key in (*bout.attackers, *bout.defenders):
        unit = play.unit(key)
        if play.move not in unit.trial.fired:
            trial = replace(unit.trial, fired=(*unit.trial.fired, play.move), rested=0)
            play.change(unit, "fights", trial=trial)
    attackers = units_of(play, bout.attackers)
    left = tuple(key for key in bout.defenders if not capture.caught_in_defile(play, attackers, play.unit(key)))
    if not left:
        return
    bout = bout._replace(defenders=left)
    guns = [unit for unit in units_of(play, bout.defenders) if unit.arm == "artillery"]
    for battery in guns:
        # One after another, while the attackers are not thrown back.
        if all(unit.trial.flight <= 0 for unit in units_of(play, bout.attackers)):
            _on_guns(play, bout, battery)
    if guns:
        return
    place = held_place(play, bout)
    if place is not None:
        storm(play, bout, place)
        return
    behind = capture.taken_from_behind(play, bout)
    if fight_out(play, bout):
        for key, by in behind.items():
            capture.captured_between(play, key, by)


@rule("KS-BAT-03", "KS-BAT-06")
def _on_guns(play: Play, bout: Bout, battery: Unit) -> None:
    """Guns with a support unbeaten fall only with it, and if there are skirmishers enough to occupy them."""
    others = [unit for unit in units_of(play, bout.defenders) if unit.arm != "artillery" and not unit.trial.flight]
    supports = {unit.key: unit for unit in (*others, *supports_of(play, battery))}
    if not supports:
        attack_guns(play, bout._replace(defenders=(battery.key,)), battery)
        return
    fight = bout._replace(defenders=tuple(supports))
    place = held_place(play, fight)
    won = storm(play, fight, place) if place is not None else fight_out(play, fight)
    if won and can_occupy(units_of(play, bout.attackers)):
        attack_guns(play, bout._replace(defenders=(battery.key,)), play.unit(battery.key))
    else:
        supported(play, bout, battery)
