"""Opportunity Chassepot Fire: the French fire at Germans who march past (WE-OCF, WE-OPT-03)."""

from __future__ import annotations

from typing import NamedTuple

from pbem.ground.hexes import Hex
from pbem.kernel.event import Throw
from pbem.kernel.names import RuleId
from pbem.rules.ledger import rule
from pbem.systems.empire_1870.field.field import Field, status_value
from pbem.systems.empire_1870.field.fitness import may_fire, on_map
from pbem.systems.empire_1870.fire.casualties import check_hq
from pbem.systems.empire_1870.fire.losses import WORSE, Toll, account, after_losses, strengths, take_losses
from pbem.systems.empire_1870.march.displacement import displace, leave_no_hq_behind
from pbem.systems.empire_1870.march.force import Force
from pbem.systems.empire_1870.march.garrison import settle_garrison
from pbem.systems.empire_1870.mind.fog import as_seen
from pbem.systems.empire_1870.play.play import Play
from pbem.systems.empire_1870.play.standing import in_words, policy
from pbem.systems.empire_1870.play.victory import check_ends
from pbem.systems.empire_1870.tables.charts import CFT, CFT_AGAIN, CFT_COLUMNS, CFT_HQ_CHECK, CFT_JAM, CFT_SHIFTS
from pbem.systems.empire_1870.world.fact import Modifier, both
from pbem.systems.empire_1870.world.orders import React
from pbem.systems.empire_1870.world.outcomes_combat import ChassepotFire
from pbem.systems.empire_1870.world.parts import FRENCH, GERMAN
from pbem.systems.empire_1870.world.stacks import Stack, best, count, every, together, without
from pbem.systems.empire_1870.world.state import Ghost

LAST_COLUMN = len(CFT_COLUMNS)


@rule("WE-OCF-02")
def column_of(sp: int) -> int:
    """The column of the table for so many firing SP, from 1.

    >>> [column_of(n) for n in (2, 3, 10, 21)]
    [1, 2, 4, 6]
    """
    return next(n for n, most in enumerate(CFT_COLUMNS, start=1) if most is None or sp <= most)


@rule("WE-OCF-02")
def loss_points(column: int, roll: int) -> int:
    """LP of a roll of tens and units in a column."""
    return next(points[column - 1] for (low, high), points in CFT if low <= roll <= high)


@rule("WE-OCF-02")
def shifts(field: Field, target: Hex, firers: dict[Hex, Stack]) -> tuple[Modifier, ...]:
    """What moves the column; two to the right do not add up, and neither do two to the left."""
    cell, walls = field.cell(target), field.fortress_of(target)
    open_ground = cell.terrain == "clear" and not cell.town and not walls
    french_walls = any(field.fortress_of(at) == FRENCH for at in firers)
    if field.war.options.cft_fortress_shift == "target":
        french_walls = walls == FRENCH
    german_walls = walls == GERMAN
    right = "clear" if open_ground else "french_fortress" if french_walls else ""
    left = "mountain" if cell.terrain == "mountain" else "german_fortress" if german_walls else ""
    return tuple(Modifier(name, CFT_SHIFTS[name], RuleId("WE-OCF-02")) for name in (right, left) if name)


def _weight(field: Field, firers: dict[Hex, Stack]) -> int:
    if field.war.options.cft_status_adjust:
        return sum(status_value(stack) for stack in firers.values())
    return sum(count(stack) for stack in firers.values())


def shifted(field: Field, target: Hex, firers: dict[Hex, Stack]) -> tuple[int, tuple[Modifier, ...], int]:
    """The column before and after its shifts, and the shifts."""
    base = column_of(_weight(field, firers))
    found = shifts(field, target, firers)
    return base, found, max(1, min(LAST_COLUMN, base + sum(one.value for one in found)))


@rule("WE-OCF-01")
def _fires(order: React, shown: int) -> bool:
    """Whether a policy lets a hex fire at so many SP."""
    if order.word == "min":
        return shown >= order.numbers[0]
    return order.word != "never"


@rule("WE-OCF-01", "WE-RAI-03")
def firers_at(field: Field, target: Hex, shown: int) -> tuple[dict[Hex, Stack], str]:
    """The French SP that fire into a hex, by hex, and the policy of the strongest; none that is on a train."""
    found: dict[Hex, Stack] = {}
    orders: dict[Hex, React] = {}
    for at in field.adjacent(FRENCH, target):
        stack = tuple(one for one in field.stack(FRENCH, at) if may_fire(one))
        order = policy(field.war, FRENCH, "chassepot", at, *(hq.id for hq in field.hqs(FRENCH, at)))
        if stack and _fires(order, shown):
            found[at], orders[at] = stack, order
    while found:
        _, _, column = shifted(field, target, found)
        shy = [at for at in found if orders[at].word == "column" and column < orders[at].numbers[0]]
        if not shy:
            break
        for at in shy:
            del found[at]
    strongest = min(found, key=lambda at: (-count(found[at]), at), default=None)
    return found, in_words(orders[strongest]) if strongest is not None else ""


@rule("WE-OCF-01")
def targets(field: Field, start: Hex, to: Hex) -> tuple[Hex, ...]:
    """Where a force that steps from one hex into another can be fired at: at most one, with an option two.

    In the hex entered, if no French are there and some next to it; else in the hex left, if some are next to that.
    """
    entered = not field.sp(FRENCH, to) and bool(field.adjacent(FRENCH, to))
    left = any(at != start for at in field.adjacent(FRENCH, start))
    if field.war.options.ocf_per_step == "two":
        return (*((start,) if left else ()), *((to,) if entered else ()))
    return (to,) if entered else (start,) if left else ()


def opportunity(play: Play, force: Force, start: Hex, to: Hex, target: Hex) -> None:
    """Let the French fire at a marching force in *target*, one of the two hexes of its step."""
    if force.side != GERMAN or not force.stack or target not in targets(play.field, start, to):
        return
    firers, words = firers_at(play.field, target, count(force.stack))
    _fire(play, force, _Volley((start, to), target, firers, words))


class _Volley(NamedTuple):
    """At which step of a march who fires where; its extra rolls are of the same SP, and ask no policy."""

    step: tuple[Hex, Hex]
    target: Hex
    firers: dict[Hex, Stack]
    policy: str


@rule("WE-OCF-02", "WE-OCF-03", "WE-OPT-03")
def _fire(play: Play, force: Force, volley: _Volley, extra_of: int = 0, number: int = 1) -> None:
    """One roll of a volley, what comes of it, and the extra rolls that it calls for."""
    step, target, firers, _ = volley
    if not firers or not force.stack:
        return
    throw = play.throw("chassepot_again" if extra_of else "chassepot", f"{step[0]}-{step[1]}/{target}", count=2)
    fired, left = _fired(play, force, volley, throw, extra_of)
    play.add(fired)
    force.stack = left
    play.fire_losses += fired.toll.get(GERMAN, 0)
    clock = (play.war.turn, play.war.pulse)
    play.look(
        {
            FRENCH: {force.hex: Ghost(*clock, as_seen(left), force.hqs)} if left else {},
            GERMAN: {at: Ghost(*clock, as_seen(stack)) for at, stack in firers.items()},
        }
    )
    _look_at_hqs(play, force, target, fired.roll)
    options = play.war.options
    chain = not extra_of or options.mitrailleuse_chain
    if options.mitrailleuse and fired.roll in CFT_AGAIN and chain and not check_ends(play):
        _fire(play, force, volley, number, number + 1)


def _fired(play: Play, force: Force, volley: _Volley, throw: Throw, extra_of: int) -> tuple[ChassepotFire, Stack]:
    """What a roll does, and what it leaves of the force."""
    field = play.field
    step, target, firers, words = volley
    roll = throw.faces[0] * 10 + throw.faces[1]
    base, moved, column = shifted(field, target, firers)
    points = loss_points(column, roll)
    before = {target: force.stack}
    order = policy(play.war, GERMAN, "losses", target, *force.hqs)
    toll = take_losses(before, 0, points, order)
    left = toll.shares.get(target, ())
    stands = {force.hex: play.stack(GERMAN, force.hex)}
    stacks = {GERMAN: after_losses(stands, {force.hex: force.stack}, Toll({force.hex: left}, toll.eliminated))}
    jam, jammed = _jam(play, firers, roll)
    if jammed:
        stacks[FRENCH] = jammed
    mitrailleuse = play.war.options.mitrailleuse
    fired = ChassepotFire(
        **both(FRENCH, "WE-OCF-01", "WE-OCF-02", "WE-OCF-03" if points else "", "WE-OPT-03" if mitrailleuse else ""),
        dice=(throw,),
        target_hex=target,
        step=step,
        firers=strengths(firers),
        total_sp=_weight(field, firers),
        base_column=base,
        shifts=moved,
        column=column,
        roll=roll,
        lp=points,
        losses=account(GERMAN, points, before, toll),
        extra_roll_of=extra_of,
        jam=jam,
        policy=words,
        private=("policy",),
        stacks=stacks,
        toll={GERMAN: toll.eliminated} if toll.eliminated else {},
    )
    return fired, left


def _look_at_hqs(play: Play, force: Force, target: Hex, roll: int) -> None:
    """Throw for the HQs under fire, if the roll says so; those whose force is gone flee."""
    low, high = CFT_HQ_CHECK
    if low <= roll <= high:
        for name in force.hqs:
            check_hq(play, play.hq(name), "chassepot", target)
        force.hqs = tuple(name for name in force.hqs if on_map(play.hq(name)))
    if force.stack:
        return
    if target == force.hex:
        leave_no_hq_behind(play, play.field.hqs(GERMAN, force.hex), target)
    else:
        # On the railway: those of the train flee from where it was shot up.
        displace(play, [play.hq(name) for name in force.hqs], target, target)
    settle_garrison(play, force.hex)
    force.hqs = ()


@rule("WE-OPT-03")
def _jam(play: Play, firers: dict[Hex, Stack], roll: int) -> tuple[Hex | None, dict[Hex, Stack]]:
    """Where a mitrailleuse jams, and what the hex holds after it."""
    low, high = CFT_JAM
    if not play.war.options.mitrailleuse or not low <= roll <= high:
        return None, {}
    at = min(firers, key=lambda one: (-count(firers[one]), one))
    there = play.stack(FRENCH, at)
    one = best(tuple(one for one in there if may_fire(one)), 1)
    worse = WORSE[one[0].status] if one else None
    return at, {at: together(without(there, one), every(one, status=worse))} if worse else {}
