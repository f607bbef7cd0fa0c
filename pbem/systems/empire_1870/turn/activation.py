"""One activation: an HQ with its chain of lines, or a division, from its first step to the last (WE-ACT)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import assert_never

from msgspec.structs import replace

from pbem.ground.hexes import Hex, are_neighbours
from pbem.kernel.names import Role
from pbem.rules.ledger import rule
from pbem.rules.view import Result
from pbem.systems.empire_1870.field.fitness import may_act, on_map, outranks
from pbem.systems.empire_1870.march.force import Force, command_limit, extra_mp, may_force
from pbem.systems.empire_1870.march.garrison import as_held
from pbem.systems.empire_1870.march.steps import step_cost
from pbem.systems.empire_1870.melee.advance import advance_after
from pbem.systems.empire_1870.melee.combat import fight
from pbem.systems.empire_1870.melee.totals import Battle
from pbem.systems.empire_1870.play.picking import pick, unspent
from pbem.systems.empire_1870.play.play import Play
from pbem.systems.empire_1870.play.victory import check_ends
from pbem.systems.empire_1870.scene.reasons import because
from pbem.systems.empire_1870.tables.charts import ATTACK_HEXES, RAIL_MP
from pbem.systems.empire_1870.turn.conditions import Plan, holds
from pbem.systems.empire_1870.turn.march import march
from pbem.systems.empire_1870.turn.recovery import rally
from pbem.systems.empire_1870.world import orders as say
from pbem.systems.empire_1870.world.fact import owner_only
from pbem.systems.empire_1870.world.outcomes import LineSkipped, SubActivated, UnitsSpent
from pbem.systems.empire_1870.world.parts import ENEMY, GERMAN, Entry
from pbem.systems.empire_1870.world.patches import GamePatch, HqPatch
from pbem.systems.empire_1870.world.stacks import Stack, count, every, together, without

Ordered = say.BlockLine | say.Activation


@dataclass(slots=True)
class Chain:
    """An activation as it goes on."""

    side: Role
    entry: int
    sheet: int
    """The pulse for which the sheet was sent that it stands in."""
    deeds: int = 0
    """Lines of it that came to something: an HQ is spent if one under it did."""
    battle_sp: int = 0
    """SP of both sides in its biggest combat."""
    hqs: list[str] = field(default_factory=list)
    """HQs whose block is being run, the root first."""


def run(play: Play, side: Role, entry: Entry, order: say.Act | say.Div) -> Chain:
    """Run the activation of an entry; what becomes impossible is left out, and the rest goes on (WE-SEQ-04)."""
    chain = Chain(side, entry.number, entry.sheet)
    if isinstance(order, say.Act):
        _block(play, chain, order, parent="")
    else:
        _division(play, chain, order)
    return chain


# ------------------------------------------------------------------ lines


def _skip(play: Play, chain: Chain, line: Ordered, reason: str) -> None:
    play.happens(
        LineSkipped,
        **owner_only(chain.side, "WE-SEQ-04", *because(reason)),
        entry=chain.entry,
        line=line.line,
        text=line.text,
        reason=reason,
    )
    _played(play, chain, line, "not carried out", reason)


def _played(play: Play, chain: Chain, line: Ordered, result: Result, reason: str = "") -> None:
    rules = (*because(reason), "WE-SEQ-04" if result == "not carried out" else "")
    play.answer(chain.side, line, result, reason, *rules, sheet=chain.sheet)


@rule("WE-SEQ-04")
def _decide(play: Play, chain: Chain, line: Ordered, provided: say.Provided, plan: Plan) -> say.Action | None:
    """The action that a line comes to under its `IF`; None: it is left out, and that is told."""
    if holds(play.knowledge(chain.side), chain.side, provided, plan):
        return plan.action
    if isinstance(provided.otherwise, str):
        _skip(play, chain, line, "condition_false")
        return None
    return provided.otherwise


@rule("WE-ACT-01", "WE-HQ-03")
def _block(play: Play, chain: Chain, order: say.Act | say.SubLine, parent: str) -> None:
    """Run the lines of an HQ from top to bottom; its own action, if there is one, is its last."""
    hq = play.hq(order.hq)
    assert hq.hex is not None, "an HQ that is activated stands on the map"
    limit = command_limit(chain.side, hq.rank)
    play.happens(
        SubActivated,
        **owner_only(chain.side, "WE-ACT-01", "WE-HQ-03"),
        parent=parent,
        hq=hq.id,
        hex=hq.hex,
        limit=limit,
    )
    chain.hqs.append(hq.id)
    used, before = 0, chain.deeds
    for line in order.lines:
        if play.war.ended or not on_map(play.hq(hq.id)):
            _skip(play, chain, line, "phase_over" if play.war.ended else "hq_not_on_map")
            continue
        match line:
            case say.ForceLine():
                used += _force_line(play, chain, line, hq.id, limit - used)
            case say.SubLine():
                _sub_line(play, chain, line, hq.id)
            case say.SelfLine():
                used += _self_line(play, chain, line, hq.id, limit - used)
            case other:
                assert_never(other)
    chain.hqs.remove(hq.id)
    _spend_hq(play, chain, hq.id, acted=chain.deeds > before)


@rule("WE-ACT-01", "WE-SEQ-04")
def _spend_hq(play: Play, chain: Chain, name: str, *, acted: bool) -> None:
    """An HQ whose activation has ended is spent, unless nothing at all was done under it."""
    done = play.war.done if name in play.war.done else (*play.war.done, name)
    play.happens(
        UnitsSpent,
        **owner_only(chain.side, "WE-ACT-01"),
        units=(name,) if acted else (),
        hqs={name: HqPatch(spent=True)} if acted else {},
        game=GamePatch(done=done),
    )


@rule("WE-ACT-01")
def _near(play: Play, hq: str, at: Hex) -> bool:
    """Whether a hex is that of an HQ or next to it, at this moment."""
    here = play.hq(hq).hex
    return here is not None and (here == at or are_neighbours(here, at))


@rule("WE-ACT-01", "WE-HQ-02", "WE-HQ-03")
def _force_line(play: Play, chain: Chain, line: say.ForceLine, hq: str, left: int) -> int:
    """SP in or next to the HQ's hex act without it, led by an inherent HQ; gives how many were used."""
    if not _near(play, hq, line.hex):
        _skip(play, chain, line, "not_adjacent")
        return 0
    limit = min(left, command_limit(chain.side, None))
    return _division_acts(play, chain, line, limit)


@rule("WE-ACT-02", "WE-HQ-02")
def _division(play: Play, chain: Chain, order: say.Div) -> None:
    """A force without an HQ piece is activated for itself."""
    _division_acts(play, chain, order, command_limit(chain.side, None))


def _division_acts(play: Play, chain: Chain, line: say.ForceLine | say.Div, limit: int) -> int:
    stack = pick(unspent(play.stack(chain.side, line.hex)), line.amount, limit)
    if not stack:
        why = "limit" if limit < 1 else "already_activated" if play.stack(chain.side, line.hex) else "no_sp_there"
        _skip(play, chain, line, why)
        return 0
    plan = Plan(action=line.action, shares={line.hex: stack})
    action = _decide(play, chain, line, line.provided, plan)
    if action is None:
        return 0
    force = Force(chain.side, line.hex, stack, line=line.line)
    _act(play, chain, line, force, action, {line.hex: stack}, short=count(stack) < line.amount.total)
    return count(stack) if force.acted else 0


@rule("WE-ACT-01")
def _sub_line(play: Play, chain: Chain, line: say.SubLine, parent: str) -> None:
    """A lower HQ in or next to its parent's hex runs its block before the parent goes on."""
    hq = play.hq(line.hq)
    if not on_map(hq) or hq.hex is None:
        _skip(play, chain, line, "hq_not_on_map")
    elif hq.spent or hq.id in chain.hqs:
        _skip(play, chain, line, "already_activated")
    elif not _near(play, parent, hq.hex):
        _skip(play, chain, line, "not_adjacent")
    elif not outranks(play.hq(parent), hq):
        _skip(play, chain, line, "rank")
    elif not line.lines:
        _skip(play, chain, line, "nothing_to_do")
    else:
        plan = plan_of(play, chain.side, line)
        if holds(play.knowledge(chain.side), chain.side, line.provided, plan):
            _block(play, chain, line, parent)
        else:
            _skip(play, chain, line, "condition_false")


def plan_of(play: Play, side: Role, block: say.Act | say.SubLine) -> Plan:
    """What the own action of an HQ comes to, for the `ODDS` of its block."""
    own = next((line for line in block.lines if isinstance(line, say.SelfLine)), None)
    hq = play.hq(block.hq)
    if own is None or hq.hex is None:
        return Plan(leader=block.hq)
    gathered = _gathered(play, side, own, hq.hex, command_limit(side, hq.rank))
    shares = _with_joins(play, side, own.action, gathered, hq.id)
    return Plan(action=own.action, shares=shares, hqs=(hq.id, *own.along), leader=hq.id)


def _gathered(play: Play, side: Role, line: say.SelfLine, at: Hex, room: int) -> dict[Hex, Stack]:
    """The SP of an HQ's own action, by hex: as far as they are there, in reach and within its limit."""
    shares: dict[Hex, Stack] = {}
    for amount, where in ((line.amount, at), *((one.amount, one.hex) for one in line.also)):
        if where != at and not are_neighbours(at, where):
            continue
        taken = pick(unspent(without(play.stack(side, where), shares.get(where, ()))), amount, room)
        if taken:
            shares[where] = together(shares.get(where, ()), taken)
            room -= count(taken)
    return shares


def _with_joins(play: Play, side: Role, action: say.Action, shares: dict[Hex, Stack], leader: str) -> dict[Hex, Stack]:
    """The SP of an action, with those that join a planned attack."""
    whole = dict(shares)
    if isinstance(action, say.Assault):
        _joined(play, side, action, whole, leader)
    return whole


@rule("WE-ACT-01", "WE-MOV-08", "WE-HQ-03")
def _self_line(play: Play, chain: Chain, line: say.SelfLine, name: str, left: int) -> int:
    """The HQ's own action; gives how many SP it used."""
    side, hq = chain.side, play.hq(name)
    assert hq.hex is not None, "an HQ that is activated stands on the map"
    at = hq.hex
    shares = _gathered(play, side, line, at, left)
    wanted = sum(one.total for one in (line.amount, *(one.amount for one in line.also)))
    used = sum(count(stack) for stack in shares.values())
    if not shares and line.amount.any and not isinstance(line.action, say.Assault):
        _skip(play, chain, line, "limit" if left < 1 else "no_sp_there")
        return 0
    along = tuple(one for one in line.along if _goes_along(play, one, name, at))
    whole = _with_joins(play, side, line.action, shares, name)
    plan = Plan(action=line.action, shares=whole, hqs=(name, *along), leader=name)
    action = _decide(play, chain, line, line.provided, plan)
    if action is None:
        return 0
    force = Force(side, at, shares.get(at, ()), (name, *along), name, line.line, left - used)
    if isinstance(action, say.Assault):
        _assault(play, chain, line, action, force, shares, short=used < wanted)
    else:
        _act(play, chain, line, force, action, shares, short=used < wanted)
    return used


@rule("WE-MOV-08", "WE-ACT-01")
def _goes_along(play: Play, name: str, leader: str, at: Hex) -> bool:
    """Whether a lower HQ may go with another's own action."""
    hq = play.hq(name)
    return may_act(hq) and hq.hex == at and outranks(play.hq(leader), hq)


# ------------------------------------------------------------------ actions


@rule("WE-ACT-01", "WE-SEQ-04")
def _finish(play: Play, chain: Chain, force: Force) -> None:
    """All that acted as one force are spent, wherever they now are."""
    chain.battle_sp = max(chain.battle_sp, force.fought)
    if not force.acted:
        return
    chain.deeds += 1
    shares = dict(force.behind)
    if force.stack:
        shares[force.hex] = together(shares.get(force.hex, ()), force.stack)
    _spend(play, chain, shares, force.company)


def _spend(play: Play, chain: Chain, shares: dict[Hex, Stack], hqs: tuple[str, ...]) -> None:
    side = chain.side
    alone = not chain.hqs
    stacks: dict[Hex, Stack] = {}
    for at, acted in shares.items():
        stack = as_held(play, side, at, acted)
        stacks[at] = together(without(play.stack(side, at), stack), every(stack, spent=True))
    along = tuple(name for name in hqs if name not in chain.hqs)
    companions = tuple(name for name in along if on_map(play.hq(name)))
    # Who was struck, or has left the map, is not there to be spent; his activation is over all the same (`DONE`).
    gone = tuple(name for name in along if name not in companions and name not in play.war.done)
    if stacks or companions or gone:
        play.happens(
            UnitsSpent,
            **owner_only(side, "WE-ACT-01", "WE-ACT-02" if alone else "", "WE-HQ-02" if alone else ""),
            units=companions,
            stacks={side: stacks} if stacks else {},
            hqs={name: HqPatch(spent=True) for name in companions},
            game=GamePatch(done=(*play.war.done, *gone)) if gone else None,
        )


def _act(
    play: Play,
    chain: Chain,
    line: Ordered,
    force: Force,
    action: say.Action,
    shares: dict[Hex, Stack],
    *,
    short: bool = False,
) -> None:
    """March, forced march or rally of one force, and what is told of the line; *shares*: its SP, hex by hex."""
    match action:
        case say.Assault():
            _skip(play, chain, line, "assault_needs_hq")
            return
        case say.Rally():
            _rally(play, chain, line, force, shares)
            return
        case say.March():
            why = march(play, force, action)
        case say.ForcedMarch():
            why = _forced(play, force, action)
        case other:
            assert_never(other)
    _finish(play, chain, force)
    said = why or ("sp_short" if short else "")
    _played(play, chain, line, "not carried out" if not force.acted else "in part" if said else "done", said)


@rule("WE-FRC-01")
def _forced(play: Play, force: Force, action: say.ForcedMarch) -> str:
    """A forced march: the Germans throw first, the French at the end, for no more than the path needs."""
    path = say.March(path=tuple(say.Go(at) for at in action.path))
    if not may_force(play, force):
        why = march(play, force, path)
        return "forced_not_allowed" if why in ("", "mp_short") else why
    if force.side == GERMAN:
        extra = extra_mp(play, force, action.extra)
        return march(play, force, path, extra=extra, attacks=False)
    leaves = RAIL_MP["detrain"] if any(one.entrained for one in force.stack) else 0
    needed = leaves + _path_cost(play, force, action.path) - force.allowance(play)
    extra = max(0, min(action.extra, needed))
    why = march(play, force, path, extra=extra, attacks=False)
    if extra and force.stack and force.acted:
        extra_mp(play, force, extra)
    return why


def _path_cost(play: Play, force: Force, path: tuple[Hex, ...]) -> int:
    """What a path costs as far as it is open."""
    total, at = 0, force.hex
    for to in path:
        if not are_neighbours(at, to) or play.field.cell(to).terrain == "neutral":
            break
        there = at == force.hex
        cautious = force.cautious(play)
        total += step_cost(play.field, force.side, at, to, force.stack, cautious=cautious, is_there=there).cost
        at = to
    return total


def _rally(play: Play, chain: Chain, line: Ordered, force: Force, shares: dict[Hex, Stack]) -> None:
    after, why = rally(play, force, shares)
    chain.deeds += force.acted
    if force.acted:
        changed = {at: stack for at, stack in after.items() if stack != shares[at]}
        _spend(play, chain, changed, force.hqs)
    _played(play, chain, line, "not carried out" if not force.acted else "in part" if why else "done", why)


# ------------------------------------------------------------------ planned attack


@rule("WE-PLA-01", "WE-HQ-03")
def _joined(
    play: Play, side: Role, action: say.Assault, shares: dict[Hex, Stack], leader: str
) -> tuple[tuple[str, ...], bool]:
    """The lower HQs that take part, their SP added to *shares*, each within its limit and in reach.

    And whether some did not, or brought fewer SP than ordered.
    """
    hqs: list[str] = []
    short = False
    for join in action.joins:
        hq = play.hq(join.hq)
        if hq.hex is None or not (may_act(hq) and _near(play, leader, hq.hex) and outranks(play.hq(leader), hq)):
            continue
        free = unspent(without(play.stack(side, hq.hex), shares.get(hq.hex, ())))
        limit = command_limit(side, hq.rank)
        taken = pick(free, join.amount or say.Amount(everything=True), limit)
        if taken:
            shares[hq.hex] = together(shares.get(hq.hex, ()), taken)
        short = short or (join.amount is not None and count(taken) < join.amount.total)
        hqs.append(hq.id)
    # Who has brought nobody joins where others attack from his hex, and nowhere else.
    names = tuple(name for name in hqs if play.hq(name).hex in shares)
    return names, short or len(names) < len(action.joins)


@rule("WE-PLA-01")
def attack_hexes_refused(side: Role, own: Hex, hexes: tuple[Hex, ...], target: Hex) -> str:
    """Why a target cannot be attacked from these hexes by an HQ in *own*, as a code of the ledger; empty: it can."""
    if own not in hexes or any(not are_neighbours(at, target) for at in hexes) or len(hexes) > ATTACK_HEXES[side]:
        return "attack_hexes"
    if side != GERMAN and len(hexes) == 2 and not are_neighbours(*hexes):
        return "attack_hexes"
    return ""


@rule("WE-PLA-01", "WE-AAC-01")
def _assault(
    play: Play,
    chain: Chain,
    line: say.SelfLine,
    action: say.Assault,
    force: Force,
    own: dict[Hex, Stack],
    *,
    short: bool,
) -> None:
    """A planned attack, its losses, its retreats and its advance; *own* are the SP that the HQ itself brings."""
    side, leader = chain.side, force.leader
    shares = dict(own)
    joined, fewer = _joined(play, side, action, shares, leader)
    why = attack_hexes_refused(side, force.hex, tuple(sorted(shares)), action.target)
    if not shares:
        why = "no_sp_there"
    elif not play.field.sp(ENEMY[side], action.target):
        why = "no_enemy_at_target"
    if why:
        otherwise = line.provided.otherwise
        if why == "no_enemy_at_target" and not isinstance(otherwise, str | say.Assault):
            _act(play, chain, line, force, otherwise, own)
        else:
            _skip(play, chain, line, why)
        return
    took_part = tuple(dict.fromkeys((leader, *joined, *force.hqs)))
    battle = Battle(
        name=action.target,
        how="planned",
        attacker=side,
        shares=shares,
        hqs=tuple(hq.id for at in sorted(shares) for hq in play.field.hqs(side, at)),
        acting=took_part,
        hex=action.target,
        leader=leader,
        lead=force.hex,
    )
    fought = fight(play, battle)
    chain.deeds += 1
    chain.battle_sp = max(chain.battle_sp, fought.present)
    _spend(play, chain, fought.shares, took_part)
    missing = "sp_short" if short or fewer else ""
    if not check_ends(play) and fought.vacated:
        fighters = {at: every(as_held(play, side, at, stack), spent=True) for at, stack in fought.shares.items()}
        if advance_after(play, replace(battle, hqs=took_part), fighters, fought.supplied, action.advance):
            missing = "no_advance"
    play.look()
    _played(play, chain, line, "in part" if missing else "done", missing)
