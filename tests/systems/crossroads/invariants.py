"""What may never come to pass at the crossroads, from the ledger: each breach in a sentence, its rule first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import hypot
from typing import Any

from pbem.kernel.names import Role
from pbem.rules.contract import World
from pbem.systems.crossroads.field.field import Field
from pbem.systems.crossroads.field.sight import in_sight
from pbem.systems.crossroads.scene.scene import Scene
from pbem.systems.crossroads.world import outcomes as o
from pbem.systems.crossroads.world import outcomes_combat as c
from pbem.systems.crossroads.world.fact import Fact
from pbem.systems.crossroads.world.state import GONE, Battle, Unit
from tests.player import bodies
from tests.player.bodies import Box, apart, overlap

Breaches = Iterator[str]

INCH = 10
SLACK = 1.2
"""Tenths of an inch: places are rounded to one, facings to a degree."""
GUNS = ("artillery", "mg")
MAY_FORM = {
    "infantry": ("line", "column", "skirmish"),
    "cavalry": ("line", "column"),
    "artillery": ("deployed", "limbered"),
    "mg": ("deployed", "limbered"),
}
ORDER = ("good", "shaken", "withdrawn", "routed")
"""The statuses of those on the table, the worst last (GC-MOR-08)."""
LINEAR = ("wall", "trench", "hedge", "railway", "stream")
RANGE = {
    ("french", "infantry"): 18, ("french", "artillery"): 36, ("french", "mg"): 18,
    ("prussian", "infantry"): 9, ("prussian", "artillery"): 48,
}  # fmt: skip
FIRE = {"infantry": {True: (8, 6, 4, 2), False: (6, 5, 3, 2)}, "artillery": {True: (6, 5, 3, 2), False: (8, 6, 4, 2)}}
"""Dice by level: of the French (True) and of the others; an MG fires as the others' guns."""


def breaches(scene: Scene, before: World[Battle, Battle], fact: Fact, after: World[Battle, Battle]) -> Breaches:
    """A sentence for each rule that *fact* breaks."""
    was, now = before.truth, after.truth
    if isinstance(fact, o.GmRuling):
        return
    yield from _changed(scene, was, now, fact)
    check = OF_KIND.get(type(fact))
    if check is not None:
        yield from check(scene, was, fact, now)
    if isinstance(fact, o.CardTurned | o.TurnEnded | o.PhaseBegan):
        yield from _in_place(was)
        for role, mind in before.minds.items():
            yield from _known_truly(role, mind, was)
            yield from _in_sight(scene, role, was)


# ------------------------------------------------------------------ of every fact


def _changed(scene: Scene, was: Battle, now: Battle, fact: Fact) -> Breaches:
    for name in fact.changes:
        old, new = was.units.get(name), now.units.get(name)
        if old is None or new is None:
            continue
        if new.losses < old.losses or not 0 <= new.losses <= new.strength:
            yield f"GC-LVL-01: losses of {name} went from {old.losses} to {new.losses} of {new.strength}"
        if old.status in GONE and (new.status != old.status or new.losses != old.losses or new.acted > old.acted):
            yield f"GC-CRD-01: {name}, {old.status}, is changed by a {type(fact).__name__}"
        if new.formation not in MAY_FORM[new.type]:
            yield f"GC-MOV-06: {name}, {new.type}, is in {new.formation}"
        if new.prone and new.type != "infantry":
            yield f"GC-FIR-09: {name}, {new.type}, is prone"
        if new.jammed and new.type != "mg":
            yield f"GC-FIR-06: {name}, {new.type}, is jammed"
        if new.crossing is not None and (new.type == "infantry" or not 0 <= new.crossing <= 6):
            yield f"GC-MOV-03: {name}, {new.type}, crosses for {new.crossing}"
        if new.acted > 2:
            yield f"GC-CRD-02: {name} has acted {new.acted} times"
        if new.stands and new.pos and not (0 <= new.pos.x <= scene.width and 0 <= new.pos.y <= scene.height):
            yield f"GC-MOV-05: {name} is off the table at {new.at}"
        if new.green and not old.green and new.nation != "prussian":
            yield f"GC-ACT-03: {name}, {new.nation}, is green"


def _in_place(now: Battle) -> Breaches:
    there = [one for one in now.units.values() if one.stands]
    boxes = {one.id: body(one) for one in there}
    for number, one in enumerate(there):
        for other in there[number + 1 :]:
            deep = overlap(boxes[one.id], boxes[other.id])
            if deep > SLACK:
                yield f"GC-GEO-01: {one.id} at {one.at} lies {deep / INCH:.2f} in {other.id} at {other.at}"
        if one.status == "routed":
            for other in there:
                if other.side != one.side and apart(boxes[one.id], boxes[other.id]) < 2:
                    yield f"GC-CHG-06: {one.id}, routed, is touched by {other.id}, and has not surrendered"
        if one.losses >= one.strength:
            yield f"GC-LVL-01: {one.id} stands with {one.losses} of {one.strength} lost"
        if one.attached_officer:
            officer = now.officers.get(one.attached_officer)
            if officer is None or not officer.stands or officer.attached != one.id:
                yield f"GC-ACT-02: {one.id} has {one.attached_officer}, who is not with it"
    for officer in now.officers.values():
        if officer.attached and officer.stands:
            unit = now.units[officer.attached]
            # Two may be with one unit, which names the one who came last.
            if not unit.stands or not unit.attached_officer:
                yield f"GC-ACT-02: {officer.id} is with {unit.id}, {unit.status}, which has {unit.attached_officer!r}"
        if not officer.stands and any(one.attached_officer == officer.id for one in there):
            yield f"GC-ACT-02: {officer.id}, {officer.status}, is with a unit"
    faces = Counter(card.face for card in now.drawn if card.face)
    if twice := [face for face, count in faces.items() if count > 1]:
        yield f"GC-CRD-01: {twice} came up twice in turn {now.turn}"


# ------------------------------------------------------------------ bodies


def size(unit: Unit) -> tuple[float, float]:
    """Width and depth of a footprint, in tenths of an inch."""
    deep = 15.0 if unit.type == "infantry" else 20.0
    return {
        "line": (80.0, deep),
        "column": (40.0, 2 * deep),
        "skirmish": (110.0, deep),
        "deployed": (40.0, 20.0),
        "limbered": (20.0, 40.0),
    }[unit.formation]


def body(unit: Unit) -> Box:
    """The corners of a footprint."""
    assert unit.pos is not None
    return bodies.body(unit.pos, unit.facing, *size(unit))


def _enemies(was: Battle, unit: Unit, but: str = "") -> list[tuple[str, Box]]:
    return [
        (f"{one.id} at {one.at}", body(one))
        for one in was.units.values()
        if one.side != unit.side and one.stands and one.id != but
    ]


# ------------------------------------------------------------------ cards and actions


def _turned(scene: Scene, was: Battle, fact: o.CardTurned, now: Battle) -> Breaches:
    if now.seq != was.seq + 1:
        yield f"GC-SEQ-01: card {was.seq} is followed by {now.seq}"
    if was.deck and now.deck != was.deck[1:]:
        yield f"GC-CRD-01: of {was.deck} is left {now.deck}"
    if fact.joker == "Joker*" and fact.side not in (None, was.controller):
        yield f"GC-CRD-02: the Joker* acts for {fact.side}; {was.controller} controls the deck"


def _acted(scene: Scene, was: Battle, fact: o.ActionTaken, now: Battle) -> Breaches:
    unit = was.units[fact.unit]
    deeds = {fact.action, *fact.halves}
    if not unit.stands:
        yield f"GC-CRD-01: {unit.id}, {unit.status}, acts: {fact.action}"
    if unit.status == "routed" and deeds & {"fire", "move", "charge", "form", "wheel", "cross"}:
        yield f"GC-MOR-07: {unit.id}, routed, acts: {fact.action} {fact.halves}"
    if unit.status in ("shaken", "withdrawn") and "charge" in deeds:
        yield f"GC-RAL-01: {unit.id}, {unit.status}, charges"
    if unit.jammed and fact.action == "fire":
        yield f"GC-FIR-06: {unit.id}, jammed, fires"
    if unit.green and deeds & {"move", "charge", "wheel", "form", "cross"}:
        yield f"GC-ACT-03: {unit.id}, green, acts: {fact.action} {fact.halves}"


def _on_foot(was: Battle, unit: Unit, what: str) -> Breaches:
    if not unit.stands:
        yield f"GC-CRD-01: {unit.id}, {unit.status}, {what}"


def _moved(scene: Scene, was: Battle, fact: o.UnitMoved, now: Battle) -> Breaches:
    unit, moved = was.units[fact.unit], now.units[fact.unit]
    charges = any(rule.startswith("GC-CHG") for rule in fact.rules)
    yield from _on_foot(was, unit, "moves")
    if unit.status == "routed" and fact.walked:
        yield f"GC-MOR-07: {unit.id}, routed, walks {fact.walked}"
    if unit.type in GUNS and unit.formation == "deployed" and fact.walked:
        yield f"GC-MOV-01: the guns {unit.id}, deployed, walk {fact.walked}"
    if unit.prone and fact.walked and not any(rule in ("GC-MOR-05",) for rule in fact.rules):
        yield f"GC-FIR-09: {unit.id}, prone, walks {fact.walked}"
    if fact.walked > fact.allowance + 1 or fact.left < 0:
        yield f"GC-MOV-02: {unit.id} walked {fact.walked} of {fact.allowance}, {fact.left} left"
    paid = fact.walked + sum(one.inches for one in fact.costs)
    if fact.allowance and paid > fact.allowance + 2:
        yield f"GC-MOV-02: {unit.id} paid {paid} of {fact.allowance}: {fact.costs}"
    path = fact.path or tuple(one for one in (fact.start, fact.to) if one is not None)
    if unit.stands:
        met = {
            bodies.swept(path, *size(unit), _enemies(was, unit), step=5, facing=float(facing), slack=3)
            for facing in (unit.facing, moved.facing)
        }
        if len(met) == 1 and "" not in met:
            yield f"GC-MOV-05: {unit.id} goes through {met} on {[(at.x / 10, at.y / 10) for at in path]}"
    if not charges and fact.walked and moved.stands:
        for name, box in _enemies(was, unit):
            if apart(body(moved), box) < 10 - 2 * SLACK and apart(body(moved), box) < apart(body(unit), box) - SLACK:
                yield f"GC-MOV-05: {unit.id} ends {apart(body(moved), box) / INCH:.2f} from {name}"
    if unit.type != "infantry":
        for line in scene.lines:
            if line.kind in LINEAR and not line.crossings and bodies.crossed(path, _tenths(line.shape.points)):
                yield f"GC-MOV-03: {unit.id}, {unit.type}, goes over a {line.kind}"


def _tenths(points: Sequence[Any]) -> list[bodies.Spot]:
    """A line in tenths, a tenth shorter at both ends: who goes round one seems to cross it, for places are rounded."""
    spots = [bodies.Spot(at.x / 100, at.y / 100) for at in points]
    return [_towards(spots[0], spots[1]), *spots[1:-1], _towards(spots[-1], spots[-2])]


def _towards(end: bodies.Spot, inner: bodies.Spot) -> bodies.Spot:
    part = min(1.0, 1 / max(hypot(inner.x - end.x, inner.y - end.y), 1e-9))
    return bodies.Spot(end.x + (inner.x - end.x) * part, end.y + (inner.y - end.y) * part)


def _fell_back(scene: Scene, was: Battle, fact: Any, now: Battle) -> Breaches:
    unit, routs = was.units[fact.unit], isinstance(fact, c.UnitRouted)
    most = (180 if routs else 90) if unit.type == "cavalry" else (120 if routs else 60)
    yield from _on_foot(was, unit, "falls back")
    if fact.inches > most + (61 if routs else 1):  # behind friends, if it would end on them
        yield f"{'GC-MOR-07' if routs else 'GC-MOR-06'}: {unit.id} falls back {fact.inches}"
    path = [one for one in (fact.start, fact.to) if one is not None]
    if (
        len(path) == 2
        and path[0] != path[1]
        and (met := bodies.swept(path, 4, 4, _enemies(was, unit), step=5, slack=2))
    ):
        yield f"{'GC-MOR-07' if routs else 'GC-MOR-06'}: {unit.id} falls back through {met}"


def _formed(scene: Scene, was: Battle, fact: o.FormationChanged, now: Battle) -> Breaches:
    unit = was.units[fact.unit]
    yield from _on_foot(was, unit, "forms")
    if unit.formation == fact.to or unit.status == "routed":
        yield f"GC-MOV-06: {unit.id}, {unit.status} in {unit.formation}, forms {fact.to}"


def _rode(scene: Scene, was: Battle, fact: o.OfficerMoved, now: Battle) -> Breaches:
    officer = was.officers[fact.officer]
    flees = "GC-OFF-01" in fact.rules
    if officer.status != "alive" or (fact.inches > 181 and not flees):
        yield f"GC-ACT-02: {officer.id}, {officer.status}, rides {fact.inches}"
    if officer.nation in ("bavarian", "austrian") and not flees:
        yield f"GC-ACT-02: {officer.id}, {officer.nation}, rides alone"


def _led(scene: Scene, was: Battle, fact: o.GroupMoved, now: Battle) -> Breaches:
    officer = was.officers[fact.officer]
    if officer.nation != "prussian" or officer.led or len(fact.units) > 3 or not officer.stands:
        yield f"GC-ACT-03: {officer.id}, {officer.nation}, leads {fact.units}: led {officer.led}"
    for name in fact.units:
        if was.units[name].nation != "prussian" or not was.units[name].stands:
            yield f"GC-ACT-03: {officer.id} leads {name}, {was.units[name].nation}"


# ------------------------------------------------------------------ fire and morale


def _fired(scene: Scene, was: Battle, fact: c.FireResolved, now: Battle) -> Breaches:
    unit, target = was.units[fact.firer], was.units.get(fact.target)
    yield from _on_foot(was, unit, "fires")
    if unit.type == "cavalry" or (unit.type in GUNS and unit.formation == "limbered"):
        yield f"GC-FIR-01: {unit.id}, {unit.type} in {unit.formation}, fires"
    if unit.status == "routed" or unit.jammed:
        yield f"GC-MOR-07: {unit.id}, {unit.status}, jammed {unit.jammed}, fires"
    if target is None or not target.stands or target.side == unit.side:
        yield f"GC-FIR-08: {unit.id} fires at {fact.target}, {target.status if target else ''}"
        return
    nation = "french" if unit.nation == "french" else "prussian"
    if fact.range > RANGE.get((nation, unit.type), 18) * INCH:
        yield f"GC-FIR-02: {unit.id} fires {fact.range / INCH} inches"
    if fact.volley == "fire" and abs(apart(body(unit), body(target)) - fact.range) > 2 * SLACK:
        far = apart(body(unit), body(target)) / INCH
        yield f"GC-GEO-01: {unit.id} is {far:.2f} from {target.id}, not {fact.range / INCH}"
    arm = "artillery" if unit.type in GUNS else "infantry"
    dice = FIRE[arm][unit.nation == "french" and unit.type != "mg"][min(unit.level, 3)]
    if fact.base_dice != dice:
        yield f"GC-FIR-01: {unit.id} of level {unit.level} has {fact.base_dice} dice"
    if not fact.jammed and (
        len(fact.naturals) != fact.count or fact.hits != sum(n >= fact.need for n in fact.naturals)
    ):
        yield f"GC-FIR-02: {fact.naturals} for {fact.need}: {fact.hits} hits of {fact.count} dice"
    if fact.jammed and (unit.type != "mg" or fact.red_die != 6):
        yield f"GC-FIR-06: {unit.id} jams with {fact.red_die}"
    if fact.beyond_half != (2 * fact.range > RANGE.get((nation, unit.type), 18) * INCH):
        yield f"GC-FIR-02: {unit.id} at {fact.range / INCH}: beyond half {fact.beyond_half}"


def _lost(scene: Scene, was: Battle, fact: c.FiguresLost, now: Battle) -> Breaches:
    old, new = was.units[fact.unit], now.units[fact.unit]
    if new.losses - old.losses != min(fact.count, old.strength - old.losses) or fact.losses != new.losses:
        yield f"GC-FIR-05: {fact.unit} loses {fact.count}: from {old.losses} to {new.losses}"
    if not old.stands:
        yield f"GC-CRD-01: {fact.unit}, {old.status}, loses figures"


def _checked(scene: Scene, was: Battle, fact: Any, now: Battle) -> Breaches:
    unit = was.units[fact.unit]
    yield from _on_foot(was, unit, "checks its morale")
    if fact.natural and (
        fact.total != fact.natural + sum(one.value for one in fact.bonus) or fact.natural > fact.die_sides
    ):
        yield f"GC-MOR-04: {fact.unit}: {fact.natural} with {fact.bonus} is {fact.total}"
    if fact.natural and fact.die_sides not in (8, 10):
        yield f"GC-MOR-01: {fact.unit} throws a D{fact.die_sides}"
    if fact.natural and fact.level != max(1, min(unit.level, 3)) and fact.level != unit.level:
        yield f"GC-MOR-02: {fact.unit} of level {unit.level} checks as of {fact.level}"
    fails = was.options.natural_one_fails and fact.natural == 1
    if fact.natural and (fact.result == "pass") != (fact.total >= fact.need and not fails) and fact.need:
        yield f"GC-MOR-02: {fact.unit}: {fact.total} for {fact.need}: {fact.result}"


def _status(scene: Scene, was: Battle, fact: c.StatusChanged, now: Battle) -> Breaches:
    if (
        fact.start in ORDER
        and fact.to in ORDER
        and fact.to != "good"
        and ORDER.index(fact.to) < ORDER.index(fact.start)
    ):
        yield f"GC-MOR-08: {fact.unit} goes from {fact.start} to {fact.to}"


# ------------------------------------------------------------------ charge and melee


def _charged(scene: Scene, was: Battle, fact: c.ChargeStarted, now: Battle) -> Breaches:
    unit, target = was.units[fact.unit], was.units.get(fact.target)
    yield from _on_foot(was, unit, "charges")
    if unit.type in GUNS or unit.status != "good" or unit.level > 2:
        yield f"GC-CHG-01: {unit.id}, {unit.type}, {unit.status}, level {unit.level}, charges"
    if target is None or not target.stands or target.side == unit.side:
        yield f"GC-CHG-01: {unit.id} charges {fact.target}"
    if fact.volleys > max(fact.distance // 50, was.options.defensive_fire_min):
        yield f"GC-CHG-02: {fact.volleys} volleys over {fact.distance / INCH} inches"
    if fact.distance > (180 if unit.type == "cavalry" else 120):
        yield f"GC-CHG-01: {unit.id} charges over {fact.distance / INCH} inches"


def _round(scene: Scene, was: Battle, fact: c.MeleeRound, now: Battle) -> Breaches:
    au, du = was.units[fact.au], was.units[fact.du]
    for unit in (au, du):
        yield from _on_foot(was, unit, "fights")
        if unit.type in GUNS:
            yield f"GC-CHG-06: {unit.id}, {unit.type}, fights"
        if unit.status == "routed":
            yield f"GC-MOR-07: {unit.id}, routed, fights"
        if unit.prone:
            yield f"GC-FIR-09: {unit.id}, prone, fights"
    if au.stands and du.stands and apart(body(au), body(du)) > 4:
        yield f"GC-CHG-07: {au.id} and {du.id} fight {apart(body(au), body(du)) / INCH:.2f} apart"
    for unit, dice, count, base, hits in (
        (au, fact.au_dice, fact.au_count, fact.au_base, fact.au_hits),
        (du, fact.du_dice, fact.du_count, fact.du_base, fact.du_hits),
    ):
        row = (12, 10, 6, 4) if unit.type == "cavalry" else (8, 6, 4, 2) if unit.subtype == "zouave" else (6, 5, 3, 2)
        if base != row[min(unit.level, 3)]:
            yield f"GC-MEL-01: {unit.id} of level {unit.level} has {base} dice"
        if len(dice) != count or hits != sum(die >= 8 for die in dice) or count < 1:
            yield f"GC-MEL-01: {unit.id}: {dice}: {hits} hits of {count}"


def _surrendered(scene: Scene, was: Battle, fact: c.UnitSurrendered, now: Battle) -> Breaches:
    unit = was.units[fact.unit]
    if unit.type not in GUNS and unit.status != "routed":
        yield f"GC-CHG-06: {unit.id}, {unit.type}, {unit.status}, surrenders"


# ------------------------------------------------------------------ what a side knows


def _known_truly(role: Role, mind: Battle, now: Battle) -> Breaches:
    watch = now.watch.get(role)
    for name, unit in now.units.items():
        if unit.side == role:
            held = mind.units.get(name)
            if held != unit:
                fields = unit.__struct_fields__
                what = [one for one in fields if held is None or getattr(held, one) != getattr(unit, one)]
                yield f"GC-MOV-07: {role} holds {what} of its own {name} otherwise than it is"
        elif watch is not None and name in watch.seen and unit.stands:
            called = name if name in watch.identified else watch.labels.get(name, name)
            held = mind.units.get(called)
            if held is None or (held.pos, held.facing, held.formation) != (unit.pos, unit.facing, unit.formation):
                yield f"GC-MOV-07: {role} sees {name} as {called}, and holds it to be at {held.at if held else None}"
        elif name in mind.units and watch is not None and name not in watch.identified:
            yield f"GC-OPT-01: {role} knows {name}, which it never identified"
    for name, officer in now.officers.items():
        if officer.side == role and mind.officers.get(name) != officer:
            yield f"GC-ACT-02: {role} holds its own {name} otherwise than he is"
    if set(mind.orders) - {role} or set(mind.policies) - {role} or mind.deck or mind.watch or mind.size:
        yield f"GC-CRD-01: {role} holds what it may not know"
    if (mind.turn, mind.phase, mind.seq) != (now.turn, now.phase, now.seq):
        yield f"GC-SEQ-01: {role} holds it to be {mind.turn} {mind.phase} {mind.seq}: {now.turn} {now.phase} {now.seq}"


def _in_sight(scene: Scene, role: Role, now: Battle) -> Breaches:
    watch, there = now.watch.get(role), in_sight(Field(scene, now), role)
    held = {name for name in watch.seen if name in now.units} if watch is not None else there
    if held != there:
        yield f"GC-MOV-07: {role} is held to see {sorted(held - there)}, and not {sorted(there - held)}"


Check = Callable[[Scene, Battle, Any, Battle], Breaches]

OF_KIND: Mapping[type[Fact], Check] = {
    o.CardTurned: _turned,
    o.ActionTaken: _acted,
    o.UnitMoved: _moved,
    o.FormationChanged: _formed,
    o.OfficerMoved: _rode,
    o.GroupMoved: _led,
    c.UnitWithdrew: _fell_back,
    c.UnitRouted: _fell_back,
    c.FireResolved: _fired,
    c.FiguresLost: _lost,
    c.MoraleChecked: _checked,
    c.RallyRolled: _checked,
    c.StatusChanged: _status,
    c.ChargeStarted: _charged,
    c.MeleeRound: _round,
    c.UnitSurrendered: _surrendered,
}
