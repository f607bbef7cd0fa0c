"""What may never come to pass in the Kriegsspiel, from the ledger: each breach in a sentence, its rule first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import ceil, hypot
from typing import Any

from pbem.kernel.names import Role
from pbem.rules.contract import World
from pbem.systems.kriegsspiel.scene.scene import Scene
from pbem.systems.kriegsspiel.world import outcomes as o
from pbem.systems.kriegsspiel.world import outcomes_attack as a
from pbem.systems.kriegsspiel.world import outcomes_fire as f
from pbem.systems.kriegsspiel.world import outcomes_knowledge as t
from pbem.systems.kriegsspiel.world.fact import Fact
from pbem.systems.kriegsspiel.world.mind import Mind
from pbem.systems.kriegsspiel.world.state import War
from pbem.systems.kriegsspiel.world.troops import Unit
from tests.player import bodies

Breaches = Iterator[str]

FASTEST = 900
"""Paces of a move at the fastest row of the march table."""
COUNTED = (
    "tw", "blocks", "points", "canister", "shot", "bombard_left", "rounds", "riders", "pontoons", "powder",
    "prisoners_tw", "wagons",
)  # fmt: skip
OUT = ("captured", "destroyed")
RULED = ("kriegsspiel.ruling_made", "kriegsspiel.set")


def breaches(scene: Scene, before: World[War, Mind], fact: Fact, after: World[War, Mind]) -> Breaches:
    """A sentence for each rule that *fact* breaks."""
    was, now = before.truth, after.truth
    if isinstance(fact, o.RulingMade | o.Set):
        return
    if fact.changes is not None and fact.learned is not None:
        yield f"KS-SIT-10: a {type(fact).__name__} is of the truth and of what somebody knows"
    if fact.learned is not None and len(fact.known) != 1:
        yield f"KS-SIT-08: a {type(fact).__name__} reaches {sorted(fact.known)}"
    if fact.changes is not None:
        yield from _changed(was, now, fact)
    check = OF_KIND.get(type(fact))
    if check is not None:
        yield from check(scene, was, fact, now)
    if isinstance(fact, o.TurnEnded):
        for role, mind in before.minds.items():
            yield from _known_truly(role, mind, was)
    if isinstance(fact, t.RunEnded | t.HaltCalled):
        for role in fact.known:
            yield from _known_hour(role, after.minds[role], now)


# ------------------------------------------------------------------ of every fact


def _changed(was: War, now: War, fact: Fact) -> Breaches:
    assert fact.changes is not None
    for key in fact.changes.units:
        old, new = was.units.get(key), now.units.get(key)
        if old is None or new is None:
            yield f"KS-MAP-03: {key} is no unit of the game ({type(fact).__name__})"
            continue
        for name in COUNTED:
            if getattr(new.strength, name) < 0:
                yield f"KS-LOS-01: {key} has {name} {getattr(new.strength, name)}"
        guns = (*new.strength.cannon, *new.strength.howitzers)
        if min(guns) < 0 or min((*new.strength.chain.zugs, 0)) < 0 or new.strength.chain.points < 0:
            yield f"KS-ART-08: {key} has guns {guns}, zugs {new.strength.chain.zugs}"
        if sum(guns) > sum((*old.strength.cannon, *old.strength.howitzers)) and not _retaken(fact):
            yield f"KS-ART-08: {key} has more guns than before: {guns}"
        if old.place.stand == "gone" and new.place.stand != "gone" and not _retaken(fact):
            yield f"KS-LOS-02: {key}, which is gone, stands again by a {type(fact).__name__}"
        if old.place.stand == "gone" and new.place.stand == "gone" and new.place.at != old.place.at:
            yield f"KS-LOS-02: {key}, which is gone, goes on by a {type(fact).__name__}"
        if new.place.stand == "map" and new.trial.state == "destroyed":
            yield f"KS-LOS-02: {key} is destroyed, and stands on the map"
    if now.clock.move < was.clock.move or now.clock.move > was.clock.move + 1:
        yield f"KS-TUR-01: move {was.clock.move} is followed by {now.clock.move}"


def _retaken(fact: Fact) -> bool:
    return isinstance(fact, a.BatteryRetaken | a.PrisonersFreed | o.UnitRejoined | o.UnitDetached)


def _acts(was: War, key: str, what: str, *, afloat: bool = False) -> Breaches:
    """Who is gone, taken, aboard or still to come does nothing."""
    unit = was.units.get(key)
    if unit is None:
        yield f"KS-LOS-02: {key}, which is not there, {what}"
    elif unit.place.stand != "map" and not (afloat and unit.place.stand == "afloat"):
        yield f"KS-BOT-02: {key}, {unit.place.stand}, {what}"
    elif unit.trial.state in OUT:
        yield f"KS-ATK-07: {key}, {unit.trial.state}, {what}"


# ------------------------------------------------------------------ clock, marches


def _move(scene: Scene, was: War, fact: o.MoveBegan, now: War) -> Breaches:
    if now.clock.move != was.clock.move + 1:
        yield f"KS-TUR-01: move {was.clock.move} is followed by {now.clock.move}"


def _turn(scene: Scene, was: War, fact: o.TurnStarted, now: War) -> Breaches:
    if fact.turn_no < was.clock.turn or fact.turn_no > was.clock.turn + 1:
        yield f"KS-TUR-08: run {was.clock.turn} is followed by {fact.turn_no}"


def _marched(scene: Scene, was: War, fact: o.UnitMoved, now: War) -> Breaches:
    yield from _acts(was, fact.unit, "moves", afloat=True)
    unit = was.units.get(fact.unit)
    if unit is None:
        return
    if fact.paces > FASTEST:
        yield f"KS-MOV-01: {fact.unit} moves {fact.paces} paces, {fact.row}"
    far = hypot(fact.to.x - fact.start.x, fact.to.y - fact.start.y)
    if far > fact.paces + 30 and fact.paces:
        yield f"KS-MOV-01: {fact.unit} is {far:.0f} paces from where it was, and moved {fact.paces}"
    if unit.place.formation == "square" and fact.paces > 100 and unit.trial.flight == 0 and unit.trial.state == "fresh":
        yield f"KS-FRM-02: the square {fact.unit} moves {fact.paces} paces"
    if (
        unit.arm == "artillery"
        and not unit.place.limbered
        and fact.paces > 100
        and not now.units[fact.unit].place.limbered
    ):
        yield f"KS-ART-07: the battery {fact.unit}, unlimbered, moves {fact.paces} paces"
    if fact.paces and far > 0.9 * fact.paces and unit.trial.flight == 0:
        for other in was.units.values():
            if other.side == unit.side or not _stands_still(was, now, other):
                continue
            box = bodies.body(other.place.at, other.place.facing / 100, max(20, _front(other) - 60), 8)
            if bodies.swept((fact.start, fact.to), 2, 2, [(other.key, box)], step=8, slack=1.5):
                yield f"KS-TUR-04: {fact.unit} goes {fact.start} to {fact.to} through {other.key}, {other.place.at}"


def _stands_still(was: War, now: War, unit: Unit) -> bool:
    """Whether a formed body of troops stood all the time where it stands, in the open.

    Who is on the way may have left it in this move: the facts of a move are written one body after the other.
    """
    later = now.units.get(unit.key)
    formed = unit.arm in ("infantry", "cavalry") and unit.size not in ("patrol", "troop10", "detachment")
    return (
        formed
        and unit.place.stand == "map"
        and later is not None
        and later.place.at == unit.place.at
        and not later.march.way
        and unit.trial.state == "fresh"
        and not unit.place.holds
        and unit.strength.tw > 1000
        and unit.place.formation in ("line", "cav_line")
        and unit.place.moved == 0
    )


def _front(unit: Unit) -> float:
    return {"line": 125.0 * unit.strength.blocks, "cav_line": 100.0}.get(unit.place.formation, 12.0)


def _rode(scene: Scene, was: War, fact: o.PersonMoved, now: War) -> Breaches:
    person = was.persons[fact.person]
    far = sum(hypot(q.x - p.x, q.y - p.y) for p, q in zip(fact.path, fact.path[1:], strict=False))
    if far > FASTEST + 30:
        yield f"KS-MSG-03: {fact.person} rides {far:.0f} paces in a move"
    if person.state not in ("active",) and far:
        yield f"KS-CMD-10: {fact.person}, {person.state}, rides"


def _formed(scene: Scene, was: War, fact: o.FormationChanged, now: War) -> Breaches:
    yield from _acts(was, fact.unit, f"forms {fact.to}", afloat=True)


# ------------------------------------------------------------------ fire


def _fired(scene: Scene, was: War, fact: f.FireResolved, now: War) -> Breaches:
    unit, target = was.units.get(fact.firer), was.units.get(fact.target)
    # All fire of a move is applied together (KS-TUR-02): who was destroyed by it has fired.
    fell = unit is not None and unit.trial.state == "destroyed" and unit.trial.under_fire == fact.move
    if not fell:
        yield from _acts(was, fact.firer, "fires", afloat=True)
    if unit is None:
        return
    if fact.points < 0 or fact.men_tw < 0:
        yield f"KS-LOS-08: {fact.firer} does {fact.points} points, {fact.men_tw} twelfths of a man"
    # What is fired into a place falls on whoever is in it.
    if target is not None and target.side == unit.side and "KS-COV-03" not in fact.rules:
        yield f"KS-LOS-04: {fact.firer} fires at {fact.target}"
    # All fire of a move is one: who falls by the first that is told was there for all of it.
    if target is not None and target.place.stand == "gone" and target.trial.under_fire != was.clock.move:
        yield f"KS-LOS-02: {fact.firer} fires at {fact.target}, which is gone"
    if unit.trial.state == "totally_defeated":
        yield f"KS-ATK-07: {fact.firer}, totally defeated, fires"
    if unit.arm == "artillery":
        if unit.place.limbered:
            yield f"KS-ART-07: {fact.firer}, limbered, fires"
        if fact.distance > 2000:
            yield f"KS-ART-01: {fact.firer} fires over {fact.distance} paces"
        if not fell and not any((*unit.strength.cannon, *unit.strength.howitzers)):
            yield f"KS-ART-03: {fact.firer} fires without a gun"
    elif fact.distance > 400:
        yield f"KS-FIR-01: {fact.firer} fires over {fact.distance} paces"
    elif fact.distance and fact.band and fact.band != max(1, ceil(fact.distance / 100)):
        yield f"KS-FIR-01: {fact.firer} at {fact.distance} paces: band {fact.band}"


def _lost(scene: Scene, was: War, fact: f.LossApplied, now: War) -> Breaches:
    unit = was.units.get(fact.unit)
    if fact.points < 0 or fact.men_tw < 0:
        yield f"KS-LOS-01: {fact.unit} loses {fact.points} points, {fact.men_tw} twelfths of a man"
    if unit is not None and unit.place.stand == "gone":
        yield f"KS-LOS-02: {fact.unit}, which is gone, loses {fact.points} points"


# ------------------------------------------------------------------ attack


def _declared(scene: Scene, was: War, fact: a.AttackDeclared, now: War) -> Breaches:
    yield from _acts(was, fact.attacker, "attacks")
    unit = was.units.get(fact.attacker)
    if unit is None:
        return
    if unit.trial.attack_from > was.clock.move:
        yield f"KS-ATK-07: {fact.attacker}, {unit.trial.state}, attacks before move {unit.trial.attack_from}"
    if unit.arm in ("artillery", "train"):
        yield f"KS-ATK-01: {fact.attacker}, {unit.arm}, attacks"
    most = 1800 if unit.arm == "cavalry" else 500
    if fact.distance > most:
        yield f"KS-ATK-01: {fact.attacker} declares an attack {fact.distance} paces off"
    target = was.units.get(fact.target)
    if target is not None and (target.side == unit.side or target.place.stand != "map"):
        yield f"KS-ATK-01: {fact.attacker} attacks {fact.target}, {target.place.stand}"


def _fought(scene: Scene, was: War, fact: Any, now: War) -> Breaches:
    attackers = tuple(fact.attackers)
    defenders = tuple(getattr(fact, "defenders", ())) or ((fact.battery,) if hasattr(fact, "battery") else ())
    for key in (*attackers, *defenders):
        yield from _acts(was, key, "fights")
    sides = [{was.units[key].side for key in keys if key in was.units} for keys in (attackers, defenders)]
    if any(len(side) > 1 for side in sides) or (sides[0] and sides[0] == sides[1]):
        yield f"KS-ATK-08: {attackers} against {defenders}"
    if set(attackers) & set(defenders):
        yield f"KS-ATK-08: {set(attackers) & set(defenders)} fight on both sides"
    if isinstance(fact, a.MeleeResolved) and fact.winner not in ("attacker", "defender", "none", "red", "blue"):
        yield f"KS-ATK-11: {fact.winner} wins"


def _captured(scene: Scene, was: War, fact: Any, now: War) -> Breaches:
    unit = was.units.get(fact.unit)
    if unit is not None and unit.place.stand == "gone":
        yield f"KS-PRI-05: {fact.unit}, which is gone, is taken"


# ------------------------------------------------------------------ papers


def _delivered(scene: Scene, was: War, fact: o.PaperDelivered, now: War) -> Breaches:
    key = f"{fact.message_id:06d}"
    if key not in was.papers:
        yield f"KS-MSG-01: paper {fact.message_id}, which is not on the road, is delivered"


def _effective(scene: Scene, was: War, fact: o.OrderEffective, now: War) -> Breaches:
    unit = was.units.get(fact.unit)
    if unit is None or unit.place.stand == "gone" or unit.trial.state in OUT:
        yield f"KS-CMD-07: {fact.unit}, {unit.trial.state if unit else 'not there'}, takes the order {fact.order!r}"


# ------------------------------------------------------------------ what a commander knows


def _known_truly(role: Role, mind: Mind, now: War) -> Breaches:
    person = now.persons.get(mind.person)
    if person is None:
        yield f"KS-CMD-10: {role} is {mind.person}, whom there is not"
        return
    if mind.on_map and person.state == "active" and mind.at != person.at:
        yield f"KS-SIT-08: {role} holds that he is at {mind.at}, and he is at {person.at}"
    if mind.on_map and person.state != "captured":
        yield from _known_hour(role, mind, now)
    if mind.light != now.clock.light:
        yield f"KS-NIG-01: {role} holds it to be {mind.light}, and it is {now.clock.light}"
    for name, known in mind.own.items():
        unit = now.units.get(f"{mind.side}:{name}")
        if known.received > now.clock.move:
            yield f"KS-SIT-09: {role} knows {name} as of move {known.received}, and it is {now.clock.move}"
        if unit is None or not known.in_sight:
            continue
        if unit.place.stand == "map" and known.state.at != unit.place.at:
            yield f"KS-SIT-09: {role} sees {name} at {known.state.at}, and it is at {unit.place.at}"
    for entry in mind.entries.values():
        if entry.received > now.clock.move or entry.first > entry.received:
            yield f"KS-SIT-01: {role} has {entry.id} as of move {entry.received}, and it is {now.clock.move}"
    numbers = [paper.no for paper in mind.sent]
    if numbers != sorted(set(numbers)):
        yield f"KS-SIT-10: {role} has sent papers {numbers}"


def _known_hour(role: Role, mind: Mind, now: War) -> Breaches:
    """His clock: on the field it goes on with every move; whoever is not there has the hour with each page of his."""
    if mind.move != now.clock.move:
        yield f"KS-TUR-01: {role} holds it to be move {mind.move}, and it is {now.clock.move}"


Check = Callable[[Scene, War, Any, War], Breaches]

OF_KIND: Mapping[type[Fact], Check] = {
    o.MoveBegan: _move,
    o.TurnStarted: _turn,
    o.UnitMoved: _marched,
    o.PersonMoved: _rode,
    o.FormationChanged: _formed,
    o.PaperDelivered: _delivered,
    o.OrderEffective: _effective,
    f.FireResolved: _fired,
    f.LossApplied: _lost,
    a.AttackDeclared: _declared,
    a.MeleeResolved: _fought,
    a.BatteryAttacked: _fought,
    a.StrongholdAttacked: _fought,
    a.CapturedInRetreat: _captured,
}
