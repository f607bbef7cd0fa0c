"""What may never come to pass in the war of 1870, from the ledger: each breach in a sentence, its rule first."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pbem.ground.hexes import Hex, distance, hexside, neighbours
from pbem.kernel.names import Role
from pbem.rules.contract import World
from pbem.systems.empire_1870.scene.scene import Cell, Scene
from pbem.systems.empire_1870.world import outcomes as o
from pbem.systems.empire_1870.world import outcomes_combat as c
from pbem.systems.empire_1870.world.fact import Fact
from pbem.systems.empire_1870.world.parts import ENEMY, FRENCH, GERMAN, SIDES
from pbem.systems.empire_1870.world.stacks import Stack
from pbem.systems.empire_1870.world.state import War

Breaches = Iterator[str]

LIMITS = {
    FRENCH: {"": 4, "division": 4, "corps": 12, "army": 16},
    GERMAN: {"": 3, "division": 4, "corps": 8, "army": 12},
}
FIRE = (
    (13, (0, 0, 0, 0, 0, 1)), (16, (0, 0, 0, 0, 1, 1)), (26, (0, 0, 0, 1, 1, 1)), (36, (0, 0, 1, 1, 1, 2)),
    (46, (0, 1, 1, 1, 2, 2)), (56, (1, 1, 1, 2, 2, 3)), (63, (1, 1, 2, 2, 3, 3)), (66, (1, 2, 2, 3, 3, 4)),
)  # fmt: skip
"""The Chassepot table: the highest roll of a row, and the losses by column."""
COLUMNS = (2, 5, 9, 14, 20)
CLEAR = {-6: -6, -5: -5, -4: -4, -3: -3, -2: -2, 1: 0, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6}
"""The attacker's number in clear ground by ratio; -3 is 1:3."""
SHIFT = {"clear": (0, 0), "forest": (-1, 0), "rough": (-1, 0), "town": (0, 1), "fortress": (-1, 1), "mountain": (-2, 1)}
PHASES = ("administration", "action", "siege", "recovery", "end")


def breaches(scene: Scene, before: World[War, War], fact: Fact, after: World[War, War]) -> Breaches:
    """A sentence for each rule that *fact* breaks."""
    was, now = before.truth, after.truth
    if isinstance(fact, o.GmRuling):
        return
    if not fact.only_seen:
        yield from _changed(scene, was, now, fact)
    check = OF_KIND.get(type(fact))
    if check is not None:
        yield from check(scene, was, fact, now)
    if isinstance(fact, o.PhaseBegan | o.InitiativeRolled) and was.phase in PHASES:
        yield from _in_place(scene, was)
        for role, mind in before.minds.items():
            yield from _known_truly(role, mind, was)
            open_ = [at for at, cell in ground(scene, was).items() if cell.town or cell.fortress]
            wrong = [at for at in open_ if mind.control.get(at) != was.control.get(at)]
            if wrong:
                yield f"WE-OPT-02: {role} holds the control of {wrong} otherwise than it is"


def count(stack: Stack, **wanted: Any) -> int:
    """How many SP of a stack are so."""
    return sum(one.count for one in stack if all(getattr(one, name) == value for name, value in wanted.items()))


def ground(scene: Scene, war: War) -> Mapping[Hex, Cell]:
    """The map by the option `towns`."""
    return scene.ground(war.options.towns)


def stands(scene: Scene, war: War, at: Hex) -> bool:
    """Whether an undestroyed fortress is in a hex."""
    return bool(ground(scene, war)[at].fortress) and not war.fortresses.get(at, _NONE).destroyed


class _Undone:
    destroyed = besieged = False


_NONE: Any = _Undone()


# ------------------------------------------------------------------ of every fact


def _changed(scene: Scene, was: War, now: War, fact: Fact) -> Breaches:
    for side, left in now.resource_points.items():
        if not 0 <= left <= 99:
            yield f"WE-RP-01: {side} has {left} RP"
    if not 0 <= now.vp <= 20:
        yield f"WE-VIC-01: VP stand at {now.vp}"
    if not 0 <= now.rail_sp_used <= 3:
        yield f"WE-RAI-02: {now.rail_sp_used} French SP by rail"
    for side, table in fact.stacks.items():
        for at, stack in table.items():
            if any(one.count < 0 for one in stack):
                yield f"WE-STA-01: {side} has {stack} at {at}"
            if stack and (at not in scene.cells or scene.cells[at].terrain == "neutral"):
                yield f"WE-STK-01: {side} SP stand in {at}"
            yield from _spent_again(was, now, side, at, fact)
    for at, fortress in now.fortresses.items():
        old = was.fortresses.get(at)
        if old is not None and old.destroyed and not fortress.destroyed:
            yield f"WE-SIE-03: the fortress of {at} stands again"
    for name in fact.hqs:
        old_hq, new = was.hqs.get(name), now.hqs.get(name)
        if old_hq is None or new is None:
            continue
        if (new.state == "map") != (new.hex is not None):
            yield f"WE-HQ-01: {name} is {new.state} at {new.hex}"
        if old_hq.state == "out" and new.state != "out":
            yield f"WE-VIC-05: {name} was out, and is {new.state}"
        if old_hq.face == "replacement" and new.face == "front" and new.state == "map":
            yield f"WE-HQC-01: {name} shows its front again"


def _spent_again(was: War, now: War, side: Role, at: Hex, fact: Fact) -> Breaches:
    """Within a turn the spent stay spent: there are never fewer, but for losses."""
    if was.turn != now.turn or was.phase != "action":
        return
    lost = max(0, fact.toll.get(side, 0))
    before = sum(count(stack, spent=True) for stack in was.stacks.get(side, {}).values())
    after = sum(count(stack, spent=True) for stack in now.stacks.get(side, {}).values())
    if after + lost < before:
        yield f"WE-ACT-01: of {before} spent SP of {side} {after} are left by a {type(fact).__name__} at {at}"


def _in_place(scene: Scene, now: War) -> Breaches:
    french, german = now.stacks.get(FRENCH, {}), now.stacks.get(GERMAN, {})
    for at in french.keys() & german.keys():
        owner = ground(scene, now)[at].owner
        shut = count(now.stacks[owner][at], inside=True) if owner is not None else 0
        inside_all = owner is not None and shut == count(now.stacks[owner][at])
        if not (stands(scene, now, at) and inside_all):
            yield f"WE-STK-01: both sides stand in {at}: {french[at]}, {german[at]}"
        elif shut > ground(scene, now)[at].fortress:
            yield f"WE-SIE-01: {shut} SP are shut in {at}, of SR {ground(scene, now)[at].fortress}"
    for side in SIDES:
        for at, stack in now.stacks.get(side, {}).items():
            if count(stack, inside=True) and at not in now.stacks.get(ENEMY[side], {}):
                yield f"WE-SIE-01: {side} SP are shut in {at}, and no enemy is there"
            if count(stack, entrained=True) and not any(at in (one, two) for one, two in map(_ends, scene.links)):
                yield f"WE-RAI-01: {side} SP are entrained at {at}, where no rail is"
    for name, hq in now.hqs.items():
        if hq.state == "map" and hq.hex is not None:
            if now.stacks.get(ENEMY[hq.side], {}).get(hq.hex) and not now.stacks.get(hq.side, {}).get(hq.hex):
                yield f"WE-MOV-06: {name} stands alone among the enemy in {hq.hex}"
            if scene.cells[hq.hex].terrain == "neutral":
                yield f"WE-STK-01: {name} stands in {hq.hex}"


def _ends(link: str) -> tuple[str, str]:
    one, _, other = link.replace("-", "|").replace("/", "|").partition("|")
    return one, other


# ------------------------------------------------------------------ zones and steps


def held(war: War, side: Role, at: Hex) -> Stack:
    """The SP of the enemy of *side* in a hex."""
    return war.stacks.get(ENEMY[side], {}).get(at, ())


def zone(scene: Scene, war: War, side: Role, at: Hex) -> bool:
    """Whether a hex lies in a zone of the enemy of *side* (WE-ZOC-01)."""
    foe, cells = ENEMY[side], ground(scene, war)
    into = cells.get(at)
    if into is None or into.terrain == "neutral" or into.town or stands(scene, war, at):
        return False
    for near in neighbours(at):
        cell = cells.get(near)
        if cell is None:
            continue
        if cell.owner == foe and stands(scene, war, near):
            return True
        stack = war.stacks.get(foe, {}).get(near, ())
        good = sum(one.count for one in stack if one.status == "good" and not one.entrained and not one.inside)
        if good >= 3 and hexside(at, near) not in scene.rivers:
            return True
    return False


def _moved(scene: Scene, was: War, fact: o.ForceMoved, now: War) -> Breaches:
    side = fact.side
    if side is None or fact.sp is None:
        return
    at, paid, names = fact.start, 0, f"{fact.sp.sp} SP {','.join(fact.units)}"
    if was.phase != "action":
        yield f"WE-SEQ-01: {names} march in the phase {was.phase}"
    cells = ground(scene, now)
    for number, step in enumerate(fact.steps):
        paid += step.cost
        cell = cells.get(step.hex)
        if cell is None or cell.terrain == "neutral":
            yield f"WE-MOV-02: {names} march into {step.hex}"
            return
        if step.hex not in neighbours(at) and not any("rail" in one.name for one in step.modifiers):
            yield f"WE-MOV-01: {names} march from {at} to {step.hex}"
        last = number == len(fact.steps) - 1
        foes = held(now, side, step.hex)
        if not last and count(foes) and not count(foes, inside=True):
            yield f"WE-MOV-09: {names} march through {step.hex}, which {count(foes)} SP hold"
        if step.hex in neighbours(at) and step.cost < _least(scene, now, side, at, step.hex, cell):
            yield f"WE-MOV-02: {names} pay {step.cost} from {at} to {step.hex}: {step.modifiers}"
        at = step.hex
    if paid > fact.mp:
        yield f"WE-MOV-01: {names} paid {paid} of {fact.mp}"


def _least(scene: Scene, war: War, side: Role, start: Hex, end: Hex, cell: Cell) -> int:
    """The least that a step may cost: its ground, and a river."""
    base = {"clear": 1, "forest": 2, "rough": 2, "mountain": 3}[cell.terrain]
    link = hexside(start, end)
    crosses = link in scene.rivers and not (war.options.bridges and link in scene.links)
    return base + crosses


def _rode(scene: Scene, was: War, fact: o.RailMoved, now: War) -> Breaches:
    side = fact.side
    if side is None:
        return
    route = (fact.start, *(at for at in fact.route if at != fact.start))
    for start, end in itertools.pairwise(route):
        if hexside(start, end) not in scene.links:
            yield f"WE-RAI-01: {fact.sp.sp} SP ride from {start} to {end} without a link"
    for at in route if len(route) > 1 else ():  # who only gets off the train may do so where the enemy has come up
        if now.control.get(at) != side:
            yield f"WE-RAI-01: {fact.sp.sp} SP ride by {at}, which {now.control.get(at)} controls"
        if held(was, side, at) and not count(held(was, side, at), inside=True):
            yield f"WE-RAI-01: {fact.sp.sp} SP ride through {at}, which enemies hold"
        if zone(scene, was, side, at):
            yield f"WE-RAI-01: {fact.sp.sp} SP ride by {at}, in a zone of control"
        if side == GERMAN and ground(scene, was)[at].country != "DE":
            yield f"WE-RAI-02: Germans ride by {at}"


def _forced(scene: Scene, was: War, fact: o.ForcedMarchResolved, now: War) -> Breaches:
    if not 1 <= fact.n <= 3 or fact.disrupted != (fact.total > 7):
        yield f"WE-FRC-01: {fact.units} by {fact.n}: {fact.total}, disrupted {fact.disrupted}"


def _rallied(scene: Scene, was: War, fact: Any, now: War) -> Breaches:
    before, after = (fact.sp_before, fact.sp_after) if isinstance(fact, o.RallyResolved) else (fact.before, fact.after)
    refused = getattr(fact, "refused_reason", "")
    if fact.side is None:
        return
    if before.sp != after.sp:
        yield f"WE-RAL-01: {before.sp} SP rally to {after.sp} at {fact.hex}"
    if refused:
        return
    if zone(scene, was, fact.side, fact.hex):
        yield f"WE-RAL-01: SP rally at {fact.hex}, in a zone of control"
    if after.good != before.good + before.disrupted or after.disrupted != before.demoralized:
        yield f"WE-RAL-01: {before} became {after} at {fact.hex}"


def _activated(scene: Scene, was: War, fact: o.SubActivated, now: War) -> Breaches:
    hq = was.hqs[fact.hq]
    if hq.spent or hq.state != "map":
        yield f"WE-ACT-01: {fact.hq}, {hq.state}, spent {hq.spent}, is activated"
    if fact.limit != LIMITS[hq.side][hq.rank]:
        yield f"WE-HQ-03: {fact.hq}, {hq.rank}, commands {fact.limit}"
    parent = was.hqs.get(fact.parent)
    if parent is not None:
        ranks = ("division", "corps", "army")
        if ranks.index(hq.rank) >= ranks.index(parent.rank):
            yield f"WE-ACT-01: {parent.id} activates {hq.id}"
        if hq.hex is not None and parent.hex is not None and distance(hq.hex, parent.hex) > 1:
            yield f"WE-ACT-01: {parent.id} at {parent.hex} activates {hq.id} at {hq.hex}"


def _raised(scene: Scene, was: War, fact: o.Mobilized, now: War) -> Breaches:
    side = fact.side
    if side is None:
        return
    cell, dear = ground(scene, was)[fact.hex], {FRENCH: 2, GERMAN: 1}[side]
    if was.phase != "administration":
        yield f"WE-SEQ-01: {fact.what} is mobilized in the phase {was.phase}"
    cost = fact.count * dear if fact.what == "sp" else 5
    if fact.cost != cost or (fact.what == "sp" and fact.count > {FRENCH: 1, GERMAN: 2}[side]):
        yield f"WE-ADM-01: {side} raises {fact.count} {fact.what} for {fact.cost}"
    if was.control.get(fact.hex) != side or was.fortresses.get(fact.hex, _NONE).besieged:
        yield f"WE-ADM-02: {side} mobilizes at {fact.hex}"
    if not (stands(scene, was, fact.hex) and cell.owner == side) and not (side == GERMAN and cell.town):
        yield f"WE-ADM-02: {side} mobilizes at {fact.hex}, neither fortress nor town"
    far = {FRENCH: 3, GERMAN: 2}[side]
    for at, stack in was.stacks.get(ENEMY[side], {}).items():
        if distance(at, fact.hex) < far and any(one.status != "demoralized" and one.count for one in stack):
            yield f"WE-ADM-02: {side} mobilizes at {fact.hex}; enemies stand at {at}"


# ------------------------------------------------------------------ fire and combat


def _chassepot(scene: Scene, was: War, fact: c.ChassepotFire, now: War) -> Breaches:
    first, last = fact.step
    if fact.target_hex not in (first, last):
        yield f"WE-OCF-01: fire at {fact.target_hex} on a step {fact.step}"
    for share in fact.firers:
        stack = was.stacks.get(FRENCH, {}).get(share.hex, ())
        if distance(share.hex, fact.target_hex) > 1:
            yield f"WE-OCF-01: {share.sp.sp} SP at {share.hex} fire at {fact.target_hex}"
        if share.sp.sp > count(stack, entrained=False):
            yield f"WE-OCF-01: {share.sp.sp} SP fire from {share.hex}, where {stack} stand"
    if sum(share.sp.sp for share in fact.firers) != fact.total_sp and not was.options.cft_status_adjust:
        yield f"WE-OCF-02: {fact.firers} are {fact.total_sp} SP"
    base = 1 + sum(fact.total_sp > most for most in COLUMNS)
    if fact.base_column != base or not 1 <= fact.column <= 6:
        yield f"WE-OCF-02: {fact.total_sp} SP in column {fact.base_column}, shifted to {fact.column}"
    lp = next(row[fact.column - 1] for most, row in FIRE if fact.roll <= most)
    if lp != fact.lp and not fact.extra_roll_of:
        yield f"WE-OCF-02: {fact.roll} in column {fact.column} is {lp}, not {fact.lp}"


def _joined(scene: Scene, was: War, fact: c.CombatJoined, now: War) -> Breaches:
    side = fact.attacker
    for share in fact.attackers:
        if fact.how != "sortie" and share.hex not in neighbours(fact.hex):
            yield f"WE-PLA-01: {side} attacks {fact.hex} from {share.hex}"
        if share.sp.sp > count(was.stacks.get(side, {}).get(share.hex, ())):
            yield f"WE-CBT-13: {share.sp.sp} SP attack from {share.hex}"
        if share.sp.spent and fact.how == "planned":
            yield f"WE-ACT-01: {share.sp.spent} spent SP attack from {share.hex}"
    if fact.how == "planned" and len(fact.attackers) > {FRENCH: 2, GERMAN: 3}[side]:
        yield f"WE-PLA-01: {side} attacks from {[share.hex for share in fact.attackers]}"
    if fact.how == "planned" and side == FRENCH and len(fact.attackers) == 2:
        one, other = fact.attackers
        if distance(one.hex, other.hex) != 1:
            yield f"WE-PLA-01: the French attack from {one.hex} and {other.hex}"
    if fact.how == "march" and len(fact.attackers) > 1:
        yield f"WE-MCB-01: a march combat from {[share.hex for share in fact.attackers]}"
    if not count(held(was, side, fact.hex)) and fact.how != "sortie":
        yield f"WE-CBT-13: {side} attacks {fact.hex}, where nobody is"


def _totals(scene: Scene, was: War, fact: c.CombatTotals, now: War) -> Breaches:
    for one in (*fact.attacker_hexes, fact.defender_hex):
        value = one.status_value
        if value > one.raw or one.total > value + one.cavalry or one.total < 0:
            yield f"WE-CBT-03: {one}"
    if fact.attacker_total < 1 or fact.defender_total < 1:
        yield f"WE-CBT-03: {fact.attacker_total} against {fact.defender_total}"
        return
    if _ratio(fact.attacker_total, fact.defender_total) != _read(fact.ratio):
        yield f"WE-CBT-04: {fact.attacker_total} against {fact.defender_total} is {fact.ratio}"


def _ratio(one: int, other: int) -> int:
    return min(6, one // other) if one >= other else (-min(6, other // one) if other // one > 1 else 1)


def _read(ratio: str) -> int:
    first, _, second = ratio.partition(":")
    return int(first) if second == "1" else -int(second)


def _fought(scene: Scene, was: War, fact: c.CombatResolved, now: War) -> Breaches:
    high, low = (fact.fcs_german, fact.fcs_french) if fact.winner == GERMAN else (fact.fcs_french, fact.fcs_german)
    if high < low or (high == low and fact.winner != GERMAN) or fact.spread != high - low:
        yield f"WE-CBT-09: {fact.fcs_french} against {fact.fcs_german}: {fact.winner} by {fact.spread}"
    eliminated = max(1, fact.spread // 2)
    if fact.loser_lp != fact.spread or fact.winner_lp != fact.spread // 2:
        yield f"WE-CBT-10: spread {fact.spread}: {fact.loser_lp} and {fact.winner_lp} LP"
    if fact.eliminated > max(eliminated, fact.spread) or (fact.eliminated < 1):
        yield f"WE-CBT-10: spread {fact.spread}: {fact.eliminated} SP eliminated"
    clear = CLEAR[_read(fact.ratio)]
    if not any(fact.crm == (clear + a, -clear + d) for a, d in SHIFT.values()):
        yield f"WE-CBT-05: {fact.ratio} is {fact.crm}"


def _retreated(scene: Scene, was: War, fact: c.Retreated, now: War) -> Breaches:
    side, at = fact.side, fact.start
    if side is None or fact.eliminated:
        return
    if len(fact.path) > 2:
        yield f"WE-RET-01: SP go back {fact.path}"
    for step in fact.path:
        if step not in neighbours(at) or ground(scene, was)[step].terrain == "neutral":
            yield f"WE-RET-02: SP go back from {at} to {step}"
        if count(held(was, side, step)):
            yield f"WE-RET-03: {side} SP go back into {step}, which enemies hold"
        thrown_back = "WE-RET-04" in fact.rules and step == fact.path[0]
        if ground(scene, was)[step].owner == ENEMY[side] and stands(scene, was, step) and not thrown_back:
            yield f"WE-CTL-01: {side} SP go back into the enemy's fortress {step}"
        at = step


def _advanced(scene: Scene, was: War, fact: c.Advanced, now: War) -> Breaches:
    if fact.to not in neighbours(fact.start):
        yield f"WE-AAC-01: SP advance from {fact.start} to {fact.to}"
    if fact.sp.demoralized and "WE-AAC-01" in fact.rules and "WE-MCB-01" not in fact.rules:
        yield f"WE-AAC-01: {fact.sp.demoralized} demoralized SP advance to {fact.to}"


def _sieged(scene: Scene, was: War, fact: c.SiegeChecked, now: War) -> Breaches:
    if was.phase != "siege" and fact.besieged:
        yield f"WE-SEQ-01: a siege in the phase {was.phase}"
    cell = ground(scene, was)[fact.hex]
    if cell.owner is None or fact.sr != cell.fortress or not stands(scene, was, fact.hex):
        yield f"WE-SIE-02: {fact.hex} of SR {fact.sr} is besieged"
        return
    if fact.besieged != (fact.friendly_sp >= 2 * (fact.sr + fact.garrison)):
        yield f"WE-SIE-02: {fact.friendly_sp} against {fact.sr} + {fact.garrison}: {fact.besieged}"
    if was.options.siege_raw_sp and fact.friendly_sp != count(was.stacks.get(ENEMY[cell.owner], {}).get(fact.hex, ())):
        yield f"WE-SIE-02: {fact.friendly_sp} SP besiege {fact.hex}"


def _assaulted(scene: Scene, was: War, fact: c.SiegeAssault, now: War) -> Breaches:
    if fact.total != fact.die + sum(one.value for one in fact.drms) or fact.destroyed != (fact.total > fact.sr):
        yield f"WE-SIE-03: {fact.die} with {fact.drms} against {fact.sr}: {fact.destroyed}"


def _control(scene: Scene, was: War, fact: o.ControlChanged, now: War) -> Breaches:
    owner = ground(scene, was)[fact.hex].owner
    shut = count(was.stacks.get(owner, {}).get(fact.hex, ()), inside=True) if owner is not None else 0
    if shut and stands(scene, was, fact.hex) and fact.after != owner and stands(scene, now, fact.hex):
        yield f"WE-CTL-01: {fact.hex} goes to {fact.after}; {shut} SP are shut in its fortress"


def _vp(scene: Scene, was: War, fact: o.VpChanged, now: War) -> Breaches:
    if fact.vp != now.vp or max(0, min(20, was.vp + fact.delta)) != now.vp:
        yield f"WE-VIC-01: VP {was.vp} and {fact.delta} is {now.vp}: {fact.reason}"


def _phase(scene: Scene, was: War, fact: o.PhaseBegan, now: War) -> Breaches:
    if was.phase in PHASES and now.phase in PHASES and was.phase != now.phase:
        follows = PHASES[(PHASES.index(was.phase) + 1) % len(PHASES)]
        if now.phase not in (follows, "administration") or now.turn not in (was.turn, was.turn + 1):
            yield f"WE-SEQ-01: {was.turn} {was.phase} is followed by {now.turn} {now.phase}"


# ------------------------------------------------------------------ what a side knows


def _known_truly(role: Role, mind: War, now: War) -> Breaches:
    if mind.stacks.get(role, {}) != now.stacks.get(role, {}):
        wrong = {at for at in {*mind.stacks.get(role, {}), *now.stacks.get(role, {})}
                 if mind.stacks.get(role, {}).get(at) != now.stacks.get(role, {}).get(at)}  # fmt: skip
        yield f"WE-OPT-02: {role} holds its own SP at {sorted(wrong)} otherwise than they are"
    for name, hq in now.hqs.items():
        if hq.side == role and mind.hqs.get(name) != hq:
            yield f"WE-OPT-02: {role} holds its own {name} otherwise than it is: {mind.hqs.get(name)}, {hq}"
    if mind.resource_points.get(role) != now.resource_points.get(role):
        yield f"WE-OPT-02: {role} holds its own RP otherwise than they are"
    foe = ENEMY[role]
    for at, stack in mind.stacks.get(foe, {}).items():
        real = now.stacks.get(foe, {}).get(at, ())
        for status in ("good", "disrupted", "demoralized"):
            if count(stack, status=status) != count(real, status=status):
                yield f"WE-OPT-02: {role} sees {stack} at {at}, and {real} stand there"
                break
    if set(mind.programme) - {role} or set(mind.standing) - {role} or set(mind.administration) - {role}:
        yield f"WE-OPT-02: {role} holds the enemy's plans"
    if now.options.fog != "open" and set(mind.resource_points) - {role}:
        yield f"WE-OPT-02: {role} holds the enemy's RP"
    for name in ("fortresses", "vp", "turn", "phase"):
        if getattr(mind, name) != getattr(now, name):
            yield f"WE-OPT-02: {role} holds {name} otherwise than it is"


Check = Callable[[Scene, War, Any, War], Breaches]

OF_KIND: Mapping[type[Fact], Check] = {
    o.PhaseBegan: _phase,
    o.ForceMoved: _moved,
    o.RailMoved: _rode,
    o.ForcedMarchResolved: _forced,
    o.RallyResolved: _rallied,
    o.Recovered: _rallied,
    o.SubActivated: _activated,
    o.Mobilized: _raised,
    o.ControlChanged: _control,
    o.VpChanged: _vp,
    c.ChassepotFire: _chassepot,
    c.CombatJoined: _joined,
    c.CombatTotals: _totals,
    c.CombatResolved: _fought,
    c.Retreated: _retreated,
    c.Advanced: _advanced,
    c.SiegeChecked: _sieged,
    c.SiegeAssault: _assaulted,
}
