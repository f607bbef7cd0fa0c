"""What may never come to pass on the Alma, from the ledger: each breach in a sentence, its rule first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import ceil
from typing import Any

from pbem.kernel.names import Role
from pbem.rules.contract import World
from pbem.systems.half_league.scene.scene import Scene
from pbem.systems.half_league.world import outcomes as o
from pbem.systems.half_league.world import outcomes_combat as c
from pbem.systems.half_league.world.fact import Fact
from pbem.systems.half_league.world.pieces import SIDES, Unit, side_of
from pbem.systems.half_league.world.state import Battle
from tests.player import bodies
from tests.player.bodies import Box, apart, overlap

Breaches = Iterator[str]

INCH, TENTH = 1000, 100
SLACK = 60
"""Places are rounded to a tenth of an inch, facings to a degree: so deep may bodies lie in each other."""
ORDER = ("initiative", "move", "fire_artillery", "fire_small", "charge", "melee", "reinforce", "end")
FINAL = ("destroyed", "left_field", "guns_abandoned")
MAY_FORM = {
    "infantry": ("skirmish", "line", "double_line", "column", "road_column", "square"),
    "cavalry": ("skirmish", "line", "column", "road_column", "dismounted"),
    "foot_artillery": ("limbered", "unlimbered"),
    "horse_artillery": ("limbered", "unlimbered"),
}
LONG = {"rifle": 20, "musket": 10, "carbine": 10, "gun": 40, "none": 0}


def breaches(scene: Scene, before: World[Battle, Battle], fact: Fact, after: World[Battle, Battle]) -> Breaches:
    """A sentence for each rule that *fact* breaks."""
    was, now = before.truth, after.truth
    if isinstance(fact, o.GmRuling):
        return
    if not fact.only_seen:
        yield from _changed(scene, was, now, fact)
    check = OF_KIND.get(type(fact))
    if check is not None:
        yield from check(scene, was, fact, now)
    if isinstance(fact, o.PhaseBegan) and was.phase in ORDER:
        # Within a phase places are marked so too: who has come to his limit routs when it ends (HL-SEQ-02).
        if now.phase != was.phase:
            yield from _in_place(scene, now)
        for role, mind in after.minds.items():
            yield from _known_truly(role, mind, now)


# ------------------------------------------------------------------ of every fact


def _changed(scene: Scene, was: Battle, now: Battle, fact: Fact) -> Breaches:
    for name in fact.units:
        old, new = was.units.get(name), now.units.get(name)
        if old is None or new is None:
            yield f"HL-SEQ-01: a {type(fact).__name__} changes {name}, which is not there"
            continue
        if new.chits < 0 or new.command_points < 0 or min(new.stand_figures, default=0) < 0:
            yield f"HL-MOR-01: {name} has {new.chits} chits, {new.command_points} points, {new.stand_figures}"
        if any(left > most for left, most in zip(new.stand_figures, old.stand_figures, strict=False)):
            yield f"HL-SAV-03: {name} grew from {old.stand_figures} to {new.stand_figures}"
        if was.phase != "setup" and new.command_points > old.command_points:
            yield f"HL-CMD-02: the points of {name} rose from {old.command_points} to {new.command_points}"
        if old.status in FINAL and (new.status != old.status or new.front != old.front or new.chits != old.chits):
            yield f"HL-MOV-13: {name}, {old.status}, is changed by a {type(fact).__name__}"
        if old.status in FINAL and new.activity not in ("none", old.activity):
            yield f"HL-MOV-13: {name}, {old.status}, has {new.activity}"
        if new.formation not in MAY_FORM[new.type] or (new.formation == "skirmish" and not new.may_skirmish):
            yield f"HL-FRM-01: {name}, {new.type}, is in {new.formation}"
        if new.there and not (0 <= new.front.x <= scene.width and 0 <= new.front.y <= scene.height):
            yield f"HL-GEO-02: {name} is off the map at {new.pos}"
        if new.charge_target and (new.guns or new.formation in ("square", "road_column")) and not old.charge_target:
            yield f"HL-CHG-01: {name}, {new.type} in {new.formation}, has a charge marker"


def _in_place(scene: Scene, now: Battle) -> Breaches:
    there = [unit for unit in now.units.values() if unit.there]
    boxes = {unit.id: body(unit) for unit in there}
    for number, one in enumerate(there):
        for other in there[number + 1 :]:
            deep = overlap(boxes[one.id], boxes[other.id])
            if deep > SLACK:
                yield f"HL-GEO-01: {one.id} at {one.pos} lies {deep / INCH:.2f} in {other.id} at {other.pos}"
        if not one.stands:
            yield f"HL-SAV-03: {one.id} is on the field with no stand left"
        if one.status == "good" and one.chits >= limit(one):
            yield f"HL-MOR-03: {one.id} stands good with {one.chits} chits of {limit(one)}"
        if one.status == "routing" and one.charge_target:
            yield f"HL-MOR-03: {one.id} routs and has a charge marker"
    for leader in now.leaders.values():
        unit = now.units.get(leader.attached_to)
        if leader.attached_to and (unit is None or not unit.there) and leader.status != "dead":
            yield f"HL-MOV-12: {leader.id} is attached to {leader.attached_to}, which is gone"


def limit(unit: Unit) -> int:
    """The chits at which it routs: stands and the leader's stand; of guns, which have none, gunners (HL-MOR-03)."""
    return unit.stands + (0 if unit.guns else 1)


def _phase(scene: Scene, was: Battle, fact: o.PhaseBegan, now: Battle) -> Breaches:
    if was.phase in ORDER and now.phase in ORDER:
        follows = ORDER[(ORDER.index(was.phase) + 1) % len(ORDER)]
        if now.phase not in (was.phase, follows):
            yield f"HL-SEQ-01: {was.phase} is followed by {now.phase}"
        if now.turn not in (was.turn, was.turn + 1):
            yield f"HL-SEQ-01: turn {was.turn} is followed by {now.turn}"


# ------------------------------------------------------------------ bodies


def size(unit: Unit) -> tuple[float, float]:
    """Width and depth of a footprint, in grains."""
    n = max(1, unit.stands)
    stand = 1.0 if unit.type == "infantry" else 1.5
    models = max(1, ceil(n / 2))
    wide, deep = {
        "line": (n * 1.5, stand),
        "double_line": (ceil(n / 2) * 1.5, 2 * stand + 1.0),
        "column": (3.0, ceil(n / 2) * stand),
        "road_column": (1.5, n * stand),
        "square": (max(2, ceil(n / 4)) * 1.5, max(2, ceil(n / 4)) * 1.5),
        "skirmish": (n * 1.5 + (n - 1) * 2.0, stand),
        "dismounted": (n * 1.5, 1.0),
        "unlimbered": (models * 1.5 + (models - 1) * 0.5, 1.5),
        "limbered": (1.0, models * 2.5),
    }[unit.formation]
    return wide * INCH, deep * INCH


def body(unit: Unit) -> Box:
    """The corners of a footprint."""
    return bodies.body(unit.front, unit.bearing / 100, *size(unit))


def _enemies(was: Battle, unit: Unit, but: Sequence[str] = ()) -> list[tuple[str, Box]]:
    there = [one for one in was.units.values() if one.side != unit.side and one.there and one.id not in but]
    return [(f"{one.id} at {one.pos}", body(one)) for one in there]


def _passed(
    was: Battle, unit: Unit, path: Sequence[Any], *,
    facing: float | None, end: float | None = None, but: Sequence[str] = (), narrow: bool = False,
) -> str:  # fmt: skip
    """The enemy through whom a body goes on a path, tried every half inch: looking to *facing*, or along its way.

    *end*: where it looks when it has come.
    """
    wide, deep = (400.0, 400.0) if narrow else size(unit)
    enemies = _enemies(was, unit, but)
    if facing is not None:
        return bodies.swept(path, wide, deep, enemies, step=500, facing=facing, slack=150)
    met = (
        bodies.swept(piece, wide, deep, enemies, step=500, slack=150, facing=_along(piece, end))
        for piece in _pieces(path)
    )
    return next(filter(None, met), "")


def _along(piece: tuple[Any, Any], looks: float | None) -> float | None:
    """Where a body looks on a piece of its way: as it does at its end, where that is the way, but for the rounding."""
    if looks is None or abs((bodies.bearing(*piece) - looks + 180) % 360 - 180) >= 6:
        return None
    return looks


def _pieces(path: Sequence[Any]) -> list[tuple[Any, Any]]:
    """The pieces of a path that are so long that their ends, rounded, tell whither it went."""
    return [(a, b) for a, b in pairwise(path) if max(abs(b.x - a.x), abs(b.y - a.y)) >= INCH]


def _turned_over(was: Battle, unit: Unit, fact: o.UnitMoved, path: Sequence[Any]) -> str:
    """The enemy over whom a body turns where legs begin, and where the last ends."""
    ways = [(start, bodies.bearing(start, end)) for start, end in _pieces(path)]
    now = unit.bearing / 100
    for at, way in (*ways, (path[-1], (fact.facing_to or 0) / 100)):
        if met := bodies.turned_over(at, now, way, *size(unit), _enemies(was, unit), slack=150):
            return met
        now = way
    return ""


def _crossed(scene: Scene, path: Sequence[Any], *kinds: str) -> list[str]:
    """The kinds of lines of the map, of some, that the middle of a front crosses."""
    return [line.kind for line in scene.lines if line.kind in kinds and bodies.crossed(path, line.shape.points)]


# ------------------------------------------------------------------ moves


def _moved(scene: Scene, was: Battle, fact: o.UnitMoved, now: Battle) -> Breaches:
    unit = was.units.get(fact.unit)
    if unit is None:
        return
    again, name = isinstance(fact, o.ReinforcementMoved), fact.unit
    if was.phase != ("reinforce" if again else "move"):
        yield f"HL-SEQ-01: {name} moves in the phase {was.phase}"
    if unit.status != "good":
        yield f"HL-TRN-03: {name}, {unit.status}, goes {fact.how}"
    if unit.formation == "square" and (fact.walked or fact.facing_to != fact.facing_from):
        yield f"HL-MOV-07: the square {name} goes {fact.how}"
    if not again and (unit.activity in ("changed", "charging", "rallied") or unit.charge_target):
        yield f"HL-TRN-03: {name}, {unit.activity}, goes {fact.how}"
    turned = abs((fact.facing_to or 0) - (fact.facing_from or 0))
    if unit.formation == "unlimbered" and fact.walked and turned > 100 and not again:
        yield f"HL-MOV-08: {name}, unlimbered, goes {fact.how} and turns from {fact.facing_from} to {fact.facing_to}"
    if fact.walked > fact.allowed + 1 and fact.natural:
        yield f"HL-MOV-01: {name} walked {fact.walked} of {fact.allowed}"
    if fact.natural and fact.allowed > sum(fact.natural) * INCH:
        yield f"HL-MOV-01: {name} may walk {fact.allowed} with {fact.natural}"
    if fact.natural and len(fact.natural) > 8:
        yield f"HL-MOV-02: {name} throws {len(fact.natural)} dice"
    path = fact.path or tuple(one for one in (fact.start, fact.end) if one is not None)
    straight = fact.how in ("move", "follow", "reinforce", "wheel")
    moved = now.units[fact.unit]
    way = " ".join(f"{at.x / INCH:.1f},{at.y / INCH:.1f}" for at in path)
    # Who goes about looks the other way before he goes; who goes back or aside looks where he looked.
    looks = moved.bearing / 100
    if met := _passed(was, unit, path, facing=None if straight else looks, end=looks):
        yield f"HL-MOV-04: {name} goes {fact.how} through {met} on {way}"
    if (straight or fact.how == "face") and (met := _turned_over(was, unit, fact, path)):
        yield f"HL-MOV-06: {name} turns over {met} on {way}"
    for one in was.units.values():
        if one.side != unit.side and one.there:
            close = apart(body(moved), body(one))
            if close < was.options.enemy_gap * TENTH - SLACK * 2 and close < apart(body(unit), body(one)) - SLACK:
                yield f"HL-GEO-02: {name} ends {close / INCH:.2f} from {one.id}"
    if unit.guns:
        for kind in _crossed(scene, path, "wall", "trench") if unit.formation == "limbered" else ():
            yield f"HL-MOV-09: the guns {name} cross a {kind}"
    if unit.type == "cavalry" and unit.formation == "line":
        for kind in _crossed(scene, path, "wall", "trench"):
            yield f"HL-MOV-09: cavalry in line, {name}, crosses a {kind}"
    if again:
        yield from _reinforced(was, unit, moved)


def _reinforced(was: Battle, unit: Unit, moved: Unit) -> Breaches:
    if unit.fired or unit.engaged or unit.chits or unit.activity == "rallied":
        yield f"HL-REI-01: {unit.id} moves up: fired {unit.fired}, fought {unit.engaged}, {unit.chits} chits"
    if was.options.reinforce_scope == "all":
        for one in was.units.values():
            if one.side != unit.side and one.there and apart(body(moved), body(one)) < 40 * INCH - 200:
                yield f"HL-REI-01: {unit.id} moves up to {apart(body(moved), body(one)) / INCH:.1f} of {one.id}"


def _formed(scene: Scene, was: Battle, fact: o.FormationChanged, now: Battle) -> Breaches:
    unit = was.units.get(fact.unit)
    if unit is not None and (unit.status != "good" or unit.activity not in ("none", "pulled") or unit.charge_target):
        yield f"HL-TRN-03: {fact.unit}, {unit.status}, {unit.activity}, forms {fact.after}"


def _marked(scene: Scene, was: Battle, fact: o.ChargeMarked, now: Battle) -> Breaches:
    unit = was.units[fact.unit]
    if unit.status != "good" or unit.guns or unit.formation in ("square", "road_column"):
        yield f"HL-CHG-01: {fact.unit}, {unit.status}, {unit.type} in {unit.formation}, is marked to charge"
    if unit.activity not in ("none", "pulled"):
        yield f"HL-TRN-03: {fact.unit}, {unit.activity}, is marked to charge"
    target = was.units.get(fact.target)
    if target is not None and target.gone:
        yield f"HL-CHG-01: {fact.unit} is marked to charge {fact.target}, {target.status}"


def _friends_near(was: Battle, unit: Unit, moved: Unit) -> bool:
    """Whether friends lie so near where a body ends that it may have gone on to be clear of them."""
    others = [one for one in was.units.values() if one.side == unit.side and one.there and one.id != unit.id]
    return any(apart(body(moved), body(one)) < 8 * INCH for one in others)


def _withdrew(scene: Scene, was: Battle, fact: c.UnitWithdrew, now: Battle) -> Breaches:
    unit = was.units[fact.unit]
    if not unit.there:
        yield f"HL-CMB-07: {fact.unit}, {unit.status}, withdraws"
    if (
        fact.walked > sum(fact.natural) * INCH + 1
        and not fact.through
        and not _friends_near(was, unit, now.units[fact.unit])
    ):
        yield f"HL-CMB-07: {fact.unit} withdraws {fact.walked} with {fact.natural}"
    path = tuple(one for one in (fact.start, fact.end) if one is not None)
    if met := _passed(was, unit, path, facing=None, narrow=True):
        yield f"HL-CMB-07: {fact.unit} withdraws through {met}"


def _routed(scene: Scene, was: Battle, fact: c.UnitRouted, now: Battle) -> Breaches:
    unit = was.units[fact.unit]
    if not unit.there:
        yield f"HL-MOR-03: {fact.unit}, {unit.status}, routs"
    if not fact.again and unit.chits < limit(unit):
        yield f"HL-MOR-03: {fact.unit} routs with {unit.chits} chits of {limit(unit)}"
    if now.units[fact.unit].charge_target:
        yield f"HL-MOR-03: {fact.unit} routs and keeps its charge marker"


def _rallied(scene: Scene, was: Battle, fact: o.RallyRolled, now: Battle) -> Breaches:
    unit = was.units[fact.unit]
    if unit.status != "routing" or was.phase != "move":
        yield f"HL-MOR-05: {fact.unit}, {unit.status}, rallies in the phase {was.phase}"
    if fact.passed != (fact.total >= 8):
        yield f"HL-MOR-05: {fact.natural} and {fact.stands}: {fact.passed}"


# ------------------------------------------------------------------ fire


def _fired(scene: Scene, was: Battle, fact: c.FireResolved, now: Battle) -> Breaches:
    firer, target, name = was.units[fact.firer], was.units.get(fact.target), fact.firer
    guns = firer.guns
    if was.phase != ("fire_artillery" if guns else "fire_small"):
        yield f"HL-FIR-01: {name}, {firer.type}, fires in the phase {was.phase}"
    if firer.status != "good":
        yield f"HL-FIR-06: {name}, {firer.status}, fires"
    if (guns and firer.formation != "unlimbered") or firer.arm == "none":
        yield f"HL-FIR-02: {name}, {firer.formation}, {firer.arm}, fires"
    if firer.type == "cavalry" and firer.formation not in ("skirmish", "dismounted"):
        yield f"HL-FIR-02: {name}, cavalry in {firer.formation}, fires"
    if target is None or not target.there or target.side == firer.side:
        yield f"HL-FIR-05: {name} fires at {fact.target}"
        return
    most = {
        "column": 2 if firer.stands > 1 else 1,
        "road_column": 1,
        "double_line": ceil(firer.stands / 2),
        "square": 4 * max(1, firer.stands // 4),
    }.get(firer.formation, firer.stands) * (2 if fact.canister else 1)  # fmt: skip
    if len(fact.natural) > most or any(not 1 <= one <= 6 for one in fact.natural):
        yield f"HL-FIR-02: {name}, {firer.stands} stands in {firer.formation}, throws {fact.natural}"
    far, bombards = apart(body(firer), body(target)), "bombard" in fact.row
    if abs(far - fact.range) > 150:
        yield f"HL-GEO-03: {name} is {far / INCH:.2f} from {fact.target}, not {fact.range / INCH:.2f}"
    if not bombards and far > LONG[firer.arm] * INCH + 150:
        yield f"HL-FIR-04: {name} fires at {fact.target}, {far / INCH:.1f} off"
    if bombards and (
        not 40 * INCH - 150 <= far <= 80 * INCH + 150 or min(firer.stationary_turns, target.stationary_turns) < 3
    ):
        yield f"HL-FIR-10: {name} bombards {fact.target}, {far / INCH:.1f} off"
    if fact.canister != (guns and fact.range <= 10 * INCH):
        yield f"HL-FIR-09: {name} at {fact.range / INCH:.1f}: canister {fact.canister}"
    hits = sum(one == 6 if bombards else one + fact.modifier >= fact.need for one in fact.natural)
    if hits != fact.raw_hits or fact.hits != (ceil(hits / 2) if fact.halved else hits):
        yield f"HL-FIR-07: {name}: {fact.natural} {fact.modifier:+d} for {fact.need}: {fact.raw_hits}, {fact.hits}"
    if fact.sixes != fact.natural.count(6):
        yield f"HL-FIR-08: {name}: {fact.natural}: {fact.sixes} sixes"


def _saved(scene: Scene, was: Battle, fact: c.SaveRolled, now: Battle) -> Breaches:
    if fact.natural and fact.saved != (fact.natural + fact.modifier >= fact.need):
        yield f"HL-SAV-01: {fact.unit}: {fact.natural} {fact.modifier:+d} for {fact.need}: {fact.saved}"
    if not was.units[fact.unit].there:
        yield f"HL-SAV-01: {fact.unit}, {was.units[fact.unit].status}, saves"


# ------------------------------------------------------------------ charge and melee


def _tested(scene: Scene, was: Battle, fact: c.ChargeMorale, now: Battle) -> Breaches:
    unit = was.units[fact.unit]
    if was.phase != "charge" or not unit.charge_target or unit.status != "good":
        yield f"HL-CHG-02: {fact.unit}, {unit.status}, marked {unit.charge_target!r}, tests in the phase {was.phase}"
    if not fact.auto and fact.natural and fact.passed != (fact.total >= 8):
        yield f"HL-CHG-02: {fact.unit}: {fact.natural}, {fact.total}: {fact.passed}"
    if not fact.auto and fact.natural and fact.total != fact.natural + unit.stands + 1 - unit.chits:
        yield f"HL-CHG-02: {fact.unit}: {fact.natural} + {unit.stands} + 1 - {unit.chits} is not {fact.total}"


def _stood(scene: Scene, was: Battle, fact: c.DefenderMorale, now: Battle) -> Breaches:
    against, own = (int(one) for one in fact.ratio.split(":"))
    if fact.tested != (against >= 2 * own):
        yield f"HL-CHG-03: {fact.unit} at {fact.ratio}: tested {fact.tested}"


def _ran(scene: Scene, was: Battle, fact: c.ChargeMoved, now: Battle) -> Breaches:
    unit = was.units[fact.unit]
    if was.phase != "charge" or unit.status != "good":
        yield f"HL-CHG-04: {fact.unit}, {unit.status}, charges in the phase {was.phase}"
    if fact.counter:
        return
    if fact.natural and fact.walked > fact.allowed + 101:
        yield f"HL-CHG-04: {fact.unit} ran {fact.walked} of {fact.allowed}"
    path = fact.path or tuple(one for one in (fact.start, fact.end) if one is not None)
    if met := _passed(was, unit, path, facing=None, but=(fact.target,)):
        yield f"HL-CHG-07: {fact.unit} runs at {fact.target} through {met}"
    target = now.units.get(fact.target)
    if fact.connected and target is not None and apart(body(now.units[fact.unit]), body(target)) > 250:
        far = apart(body(now.units[fact.unit]), body(target)) / INCH
        yield f"HL-CHG-04: {fact.unit} touches {fact.target}, {far:.2f} off"


def _fought(scene: Scene, was: Battle, fact: c.MeleeResolved, now: Battle) -> Breaches:
    if was.phase != "melee":
        yield f"HL-SEQ-01: a close combat in the phase {was.phase}"
    for name in (*fact.attackers, *fact.defenders):
        unit = was.units[name]
        if not unit.there:
            yield f"HL-CMB-10: {name}, {unit.status}, fights"
        if unit.engaged:
            yield f"HL-CMB-10: {name} fights twice"
    for name in fact.attackers:
        if was.units[name].status == "routing":
            yield f"HL-MOR-03: {name} routs and attacks"
    close = [apart(body(was.units[one]), body(was.units[other])) for one in fact.attackers for other in fact.defenders]
    if min(close) > 250:
        yield f"HL-CHG-06: {fact.attackers} and {fact.defenders} fight {min(close) / INCH:.2f} apart"
    for dice, total in ((fact.att_dice, fact.att_total), (fact.def_dice, fact.def_total)):
        for one in dice:
            extra = [0] * (len(one.natural) - one.leaders) + [1] * one.leaders
            wanted = tuple(max(0, die + one.modifier + more) for die, more in zip(one.natural, extra, strict=True))
            if wanted != one.result or one.modifier != sum(each.value for each in one.modifiers):
                yield f"HL-CMB-01: {one}"
        if sum(sum(one.result) for one in dice) != total:
            yield f"HL-CMB-01: {total} is not the sum of {dice}"
    attackers_win = fact.winners == "attackers"
    if fact.att_total != fact.def_total and attackers_win != (fact.att_total > fact.def_total):
        yield f"HL-CMB-01: {fact.att_total} against {fact.def_total}: {fact.winners} win"
    loser, winner = (fact.def_dice, fact.att_dice) if attackers_win else (fact.att_dice, fact.def_dice)
    if fact.loser_hits != sum(one.natural.count(2) for one in loser):
        yield f"HL-CMB-04: {fact.loser_hits} hits of {[one.natural for one in loser]}"
    if fact.leader_tests != sum(one.natural.count(6) for one in winner) // 3:
        yield f"HL-CMB-05: {fact.leader_tests} tests of {[one.natural for one in winner]}"
    if fact.winner_die:
        die, owed = fact.winner_die, (fact.loser_hits, fact.leader_tests)
        pays = tuple(2 * one if die == 1 else one if die < 4 else ceil(one / 3) for one in owed)
        if (fact.winner_hits, fact.winner_leader_tests) != pays:
            yield f"HL-CMB-06: {fact.winner_die}: {fact.winner_hits} of {fact.loser_hits}"


def _spent(scene: Scene, was: Battle, fact: o.CommandPointSpent, now: Battle) -> Breaches:
    unit = was.units[fact.unit]
    if not unit.there:
        yield f"HL-CMD-02: {fact.unit}, {unit.status}, spends {fact.benefit}"
    if fact.by == "commander":
        if fact.benefit in unit.benefits_used or now.units[fact.unit].command_points != unit.command_points - 1:
            yield f"HL-CMD-02: {fact.unit} spends {fact.benefit}: {unit.benefits_used}, {unit.command_points} points"
        if fact.distance > 24 * INCH:
            yield f"HL-CMD-02: {fact.unit} spends {fact.benefit} {fact.distance / INCH:.1f} from its brigadier"


# ------------------------------------------------------------------ what a side knows


def _otherwise(held: Unit, unit: Unit, name: str, labels: Mapping[str, str]) -> bool:
    """Whether a side holds an attribute of its own unit otherwise than it is; enemies it calls by its own names."""
    mine, true = getattr(held, name), getattr(unit, name)
    if name == "charge_target":
        # Whom he lost from sight and met again is another to him: the mark keeps the name by which it was made.
        return bool(mine) != bool(true) or (true in labels and mine in labels.values() and mine != labels[true])
    if name in ("fired_at", "fired_before", "from_rear"):
        return len(mine) != len(true)
    return bool(mine != true)


def _known_truly(role: Role, mind: Battle, now: Battle) -> Breaches:
    side = side_of(role)
    labels = now.labels.get(side, {})
    for name, unit in now.units.items():
        if unit.side == side:
            held = mind.units.get(name)
            if held != unit:
                fields = unit.__struct_fields__
                what = [one for one in fields if held is None or _otherwise(held, unit, one, labels)]
                if what:
                    yield f"HL-TRN-04: {role} holds {what} of its own {name} otherwise than it is"
            continue
        called = labels.get(name)
        held = mind.units.get(called) if called else None
        if held is not None and not held.last_seen and unit.there:
            wrong = [
                one
                for one in ("front", "bearing", "formation", "type", "status")
                if getattr(held, one) != getattr(unit, one)
            ]
            if wrong:
                yield f"HL-LOS-01: {role} sees {name} as {called}, and holds {wrong} otherwise than it is"
        if called != name and name in mind.units and not mind.units[name].last_seen:
            yield f"HL-OPT-01: {role} knows {name}, which it calls {called}"
    for name, leader in now.leaders.items():
        if leader.side == side and mind.leaders.get(name) != leader:
            yield f"HL-TRN-04: {role} holds its own {name} otherwise than it is"
    if set(mind.policies) - {one for one in now.roles if side_of(one) == side} or mind.labels:
        yield f"HL-TRN-04: {role} holds what is the enemy's alone"
    if (mind.turn, mind.phase) != (now.turn, now.phase):
        yield f"HL-SEQ-01: {role} holds it to be {mind.turn} {mind.phase}, and it is {now.turn} {now.phase}"


Check = Callable[[Scene, Battle, Any, Battle], Breaches]

OF_KIND: Mapping[type[Fact], Check] = {
    o.PhaseBegan: _phase,
    o.UnitMoved: _moved,
    o.ReinforcementMoved: _moved,
    o.FormationChanged: _formed,
    o.ChargeMarked: _marked,
    o.RallyRolled: _rallied,
    o.CommandPointSpent: _spent,
    c.FireResolved: _fired,
    c.SaveRolled: _saved,
    c.ChargeMorale: _tested,
    c.DefenderMorale: _stood,
    c.ChargeMoved: _ran,
    c.MeleeResolved: _fought,
    c.UnitWithdrew: _withdrew,
    c.UnitRouted: _routed,
}

__all__ = ["SIDES", "breaches"]
