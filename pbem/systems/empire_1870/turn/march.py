"""A march, step by step: cost, fire, combat, pick-up and drop (WE-MOV, WE-MCB)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from msgspec.structs import replace

from pbem.ground.hexes import Hex
from pbem.rules.ledger import rule
from pbem.systems.empire_1870.field.field import Field
from pbem.systems.empire_1870.field.fitness import in_order, may_advance, may_move
from pbem.systems.empire_1870.fire.chassepot import opportunity
from pbem.systems.empire_1870.march.force import Force, extra_mp, in_sight, may_force, tell_enemy
from pbem.systems.empire_1870.march.garrison import as_held, settle_garrison
from pbem.systems.empire_1870.march.steps import shared, shut, step_cost
from pbem.systems.empire_1870.melee.advance import enter, take_hex
from pbem.systems.empire_1870.melee.combat import fight
from pbem.systems.empire_1870.melee.totals import Battle
from pbem.systems.empire_1870.play.picking import pick
from pbem.systems.empire_1870.play.play import Play
from pbem.systems.empire_1870.play.victory import check_ends
from pbem.systems.empire_1870.tables.charts import EXIT_MP, EXIT_SP, EXTRA_MP
from pbem.systems.empire_1870.turn.rail import ride
from pbem.systems.empire_1870.world import stacks as sp
from pbem.systems.empire_1870.world.fact import both, owner_only
from pbem.systems.empire_1870.world.orders import Amount, At, Go, March, Ride
from pbem.systems.empire_1870.world.outcomes import ForceMoved, SpDropped, SpPickedUp, Step, UnitExited
from pbem.systems.empire_1870.world.parts import ENEMY, FRENCH, GERMAN
from pbem.systems.empire_1870.world.patches import GamePatch, HqPatch


@dataclass(slots=True)
class Marching:
    """A march as it goes on."""

    force: Force
    order: March
    mp: int
    allowance: int
    may_force: bool
    """Whether it has met the terms of a forced march so far (WE-MOV-07)."""
    bound: bool = False
    """It has entered the enemy's ZOC: it may only attack from there (WE-ZOC-02)."""
    attacks: bool = True
    """Of a forced march: False."""
    stopped: str = ""
    known: frozenset[Hex] = frozenset()
    """Hexes of which its side knew that they held enemies, when it set out (`STOP ENEMY`)."""


def march(play: Play, force: Force, order: March, *, extra: int = 0, attacks: bool = True) -> str:
    """March a force along its path; gives why it stopped before the end, empty if it did not.

    *extra* MP come from a forced march, in which it does not attack and does not enter the enemy's ZOC.
    """
    allowance = force.allowance(play)
    free = not play.field.in_ezoc(force.side, force.hex)
    known = frozenset(play.minds[force.side].occupied) if force.side in play.minds else frozenset()
    mp = allowance + extra
    moving = Marching(force, order, mp, mp, free and all(map(in_order, force.stack)), attacks=attacks, known=known)
    _collect(play, moving)
    for leg in order.path:
        if check_ends(play):
            moving.stopped = moving.stopped or "phase_over"
        if moving.stopped or not (force.stack or force.hqs):
            break
        if isinstance(leg, Ride):
            _ride(play, moving, leg)
        else:
            _step(play, moving, leg)
    if not check_ends(play) and order.exit and not moving.stopped:
        moving.stopped = "ezoc_stop" if moving.bound else _exit(play, moving)
    return moving.stopped


@rule("WE-MOV-09", "WE-ZOC-02", "WE-MOV-01")
def _step(play: Play, moving: Marching, leg: Go) -> None:
    """One leg of the path: into a free hex, into a fight, or no further."""
    if _detrains(play, moving):
        return
    force, field, to = moving.force, play.field, leg.hex
    moving.stopped = _stopped(field, moving, to)
    if moving.stopped:
        return
    enemy, sortie = bool(shut(field, force.side, to, "march")), to == force.hex
    cost = step_cost(field, force.side, force.hex, to, force.stack, cautious=force.cautious(play))
    if not _afford(play, moving, cost):
        moving.stopped = "mp_short"
        return
    force.acted = True
    force.steps += 1
    moving.mp -= min(cost.cost, moving.mp)
    if enemy:
        _attack(play, moving, to, sortie=sortie)
    else:
        _go(play, moving, cost)


@rule("WE-MOV-09", "WE-ZOC-02", "WE-MOV-06", "WE-FRC-01", "WE-SIE-06")
def _stopped(field: Field, moving: Marching, to: Hex) -> str:
    """Why a force may not take a step, as a code of the ledger; empty: it may, if need be by a fight."""
    force = moving.force
    if to != force.hex and to not in field.scene.board.neighbours(force.hex):
        return "path_gap"
    why = shut(field, force.side, to, "forced" if not moving.attacks else "march" if force.stack else "hqs")
    if why == "enemy_in_path" and moving.order.attack and moving.attacks and force.stack:
        return ""
    if not why and to == force.hex:
        return "no_enemy_at_target"
    return why or ("ezoc_stop" if moving.bound else "")


@rule("WE-RAI-01", "WE-MOV-04", "WE-MOV-05")
def _ride(play: Play, moving: Marching, leg: Ride) -> None:
    """A leg by rail; where it ends is a hex of the path like another."""
    force, start = moving.force, moving.force.hex
    moving.stopped, moving.mp = ride(play, force, leg, moving.mp)
    if not moving.stopped and force.hex != start:
        _arrived(play, moving)


@rule("WE-RAI-01")
def _detrains(play: Play, moving: Marching) -> bool:
    """Whoever is on a train pays to leave it before he marches; gives whether he stays for want of MP."""
    force = moving.force
    if not any(one.entrained for one in force.stack):
        return False
    moving.stopped, moving.mp = ride(play, force, Ride(force.hex, force.hex), moving.mp)
    return bool(moving.stopped)


@rule("WE-MOV-07", "WE-MOV-01")
def _afford(play: Play, moving: Marching, cost: Step) -> bool:
    """Whether a step can be paid; a German force may throw for more MP, once."""
    if cost.cost <= moving.mp:
        return True
    force = moving.force
    wants = moving.order.force and force.side == GERMAN and moving.may_force and moving.attacks
    if wants and not shut(play.field, force.side, cost.hex, "forced") and may_force(play, force):
        moving.mp += extra_mp(play, force, moving.order.force)
        moving.order = replace(moving.order, force=0)
        moving.attacks = False
        return cost.cost <= moving.mp
    full = moving.mp == moving.allowance
    return play.war.options.minimum_move and full and not force.acted


# ------------------------------------------------------------------ into a free hex


@rule("WE-OCF-01", "WE-CTL-01", "WE-MOV-06")
def _go(play: Play, moving: Marching, cost: Step) -> None:
    force, start, to = moving.force, moving.force.hex, cost.hex
    opportunity(play, force, start, to, start)
    if check_ends(play):
        moving.stopped = "phase_over"
        return
    if force.stack or force.hqs:
        _move(play, force, cost, moving)
        opportunity(play, force, start, to, to)
    if not force.stack and not force.hqs:
        moving.stopped = "eliminated"
        return
    _arrived(play, moving)


@rule("WE-ZOC-02", "WE-MOV-04", "WE-MOV-05", "WE-MOV-07")
def _arrived(play: Play, moving: Marching) -> None:
    """What every hex asks of a force that comes into it, on foot, by a fight or by rail.

    The enemy's zone there binds it, an enemy whom it did not know may stop it, SP are left and taken along.
    """
    force = moving.force
    moving.bound = play.field.in_ezoc(force.side, force.hex)
    moving.may_force = moving.may_force and not moving.bound and all(map(in_order, force.stack))
    if moving.order.stop_enemy and not moving.stopped and force.side in play.minds:
        now = set(play.minds[force.side].occupied)
        if any(at in now - moving.known for at in play.scene.board.neighbours(force.hex)):
            moving.stopped = "enemy_sighted"
    _leave(play, moving)
    _collect(play, moving)


@rule("WE-MOV-10", "WE-MOV-08")
def _move(play: Play, force: Force, cost: Step, moving: Marching) -> None:
    """Move a force by one hex, and let both sides see what they see of it."""
    side, start, to = force.side, force.hex, cost.hex
    was_seen = in_sight(play, force)
    left = sp.without(play.stack(side, start), force.stack)
    free = sp.every(force.stack, inside=False)
    stacks = {start: left, to: sp.together(play.stack(side, to), free)} if force.stack else {}
    led = ("WE-MOV-08",) if force.leader else ("WE-HQ-02",)
    leaves = ("WE-MOV-10",) if play.field.sr(start) and shared(play.field, side, start) else ()
    play.happens(
        ForceMoved,
        **owner_only(side, "WE-MOV-01", *(one.rule for one in cost.modifiers), *led, *leaves),
        units=force.hqs,
        sp=sp.Strength.of(force.stack),
        start=start,
        steps=(cost,),
        mp=moving.mp + cost.cost,
        line=force.line,
        stacks={side: stacks} if stacks else {},
        hqs={name: HqPatch(hex=to) for name in force.hqs},
    )
    force.hex, force.stack = to, free
    # First what was seen of it, then what came of it.
    tell_enemy(play, force, start, to, was_seen=was_seen)
    if force.stack:
        take_hex(play, side, to, to)
        settle_garrison(play, start)
        force.stack = as_held(play, side, to, force.stack)
    play.look()


# ------------------------------------------------------------------ into a fight


@rule("WE-MCB-01", "WE-MCB-02", "WE-SIE-06")
def _attack(play: Play, moving: Marching, to: Hex, *, sortie: bool) -> None:
    """March combat: paid for, fired at, fought, and on into the hex if it is won."""
    force, start = moving.force, moving.force.hex
    if not sortie:
        opportunity(play, force, start, to, start)
    if not force.stack or check_ends(play):
        moving.stopped = "phase_over" if force.stack else "eliminated"
        return
    how: Literal["march", "sortie"] = "sortie" if sortie else "march"
    battle = Battle(
        name=to,
        how=how,
        attacker=force.side,
        shares={start: force.stack},
        hqs=force.hqs,
        acting=force.hqs,
        hex=to,
        leader=force.leader,
        lead=start if force.leader else None,
    )
    stood = play.field.holding(ENEMY[force.side])
    fought = fight(play, battle)
    force.fought = max(force.fought, fought.present)
    moving.may_force = False
    # Where the beaten have gone is no news: both sides saw it.
    moving.known |= play.field.holding(ENEMY[force.side]) - stood
    if fought.winner != force.side:
        _thrown_back(play, moving, fought.shares)
        settle_garrison(play, to)
        play.look()
        return
    force.stack = fought.shares.get(start, ())
    force.hqs = tuple(name for name in force.hqs if play.hq(name).hex == start)
    if check_ends(play):
        return
    if not force.stack:
        moving.stopped = "eliminated"
    elif sortie:
        settle_garrison(play, to)
        force.stack = as_held(play, force.side, to, force.stack)
        moving.stopped = "sortie"
    else:
        enter(play, force.side, start, force.stack, force.hqs, to, to, "WE-MCB-01")
        force.hex = to
        force.stack = sp.freed(force.stack)
        play.look()
        if fought.fought:
            _go_on(play, moving, garrison=fought.garrison)
        _arrived(play, moving)
    play.look()


@rule("WE-RET-04", "WE-RET-01")
def _thrown_back(play: Play, moving: Marching, shares: dict[Hex, sp.Stack]) -> None:
    """A march is over whose combat was lost: its SP are where they went, or behind their walls."""
    force = moving.force
    moving.stopped = "beaten"
    force.stack = ()
    for at, stack in shares.items():
        force.part(at, stack)
    force.hqs = ()


@rule("WE-MCB-01")
def _go_on(play: Play, moving: Marching, *, garrison: bool) -> None:
    """After a march combat that was fought and won: the demoralized stay, a garrison holds the winner."""
    force, order = moving.force, moving.order
    weak = tuple(one for one in force.stack if not may_advance(one))
    through = order.through if order.through is not None else True
    if garrison:
        moving.stopped = "garrison"
    elif not through or weak == force.stack:
        moving.stopped = "attacked"
    elif weak:
        force.part(force.hex, weak)


# ------------------------------------------------------------------ on the way


@rule("WE-MOV-05")
def _leave(play: Play, moving: Marching) -> None:
    """Leave SP in the hex that was reached; they are spent."""
    force = moving.force
    for drop in moving.order.drops:
        if drop.hex != force.hex:
            continue
        taken = pick(force.stack, drop.amount, sp.count(force.stack))
        if not taken:
            continue
        stays = sp.every(taken, spent=True)
        rest = sp.without(play.stack(force.side, force.hex), taken)
        play.happens(
            SpDropped,
            **owner_only(force.side, "WE-MOV-05"),
            hex=force.hex,
            sp=sp.Strength.of(stays),
            stacks={force.side: {force.hex: sp.together(rest, stays)}},
        )
        force.stack = sp.without(force.stack, taken)
        moving.order = replace(moving.order, drops=_less(moving.order.drops, drop))


def _less(wanted: tuple[At, ...], done: At) -> tuple[At, ...]:
    """What is still to be done of an order, which is carried out once, though the path comes by again."""
    at = wanted.index(done)
    return (*wanted[:at], *wanted[at + 1 :])


@rule("WE-MOV-04")
def _collect(play: Play, moving: Marching) -> None:
    """Take SP of the hex along (German HQ pieces only): 1 MP, within the command limit."""
    force = moving.force
    for wanted in moving.order.pickups:
        if wanted.hex != force.hex or force.side != GERMAN or force.leader not in force.hqs:
            continue
        _pick_up(play, moving, wanted)


def _pick_up(play: Play, moving: Marching, wanted: At) -> None:
    force = moving.force
    own = sp.together(force.stack, force.behind.get(force.hex, ()))
    there = sp.without(play.stack(force.side, force.hex), own)
    fresh = tuple(one for one in there if may_move(one) and not one.entrained)
    cost = EXTRA_MP["pick_up"]
    taken = pick(fresh, wanted.amount, force.room)
    if not taken or moving.mp < cost:
        return
    moving.mp -= cost
    force.room -= sp.count(taken)
    force.acted = True
    aboard = any(one.entrained for one in force.stack)
    joined = sp.every(_like_the_majority(force.stack, taken), entrained=aboard)
    rest = sp.without(play.stack(force.side, force.hex), taken)
    play.happens(
        SpPickedUp,
        **owner_only(force.side, "WE-MOV-04"),
        hex=force.hex,
        sp=sp.Strength.of(joined),
        stacks={force.side: {force.hex: sp.together(rest, joined)}},
    )
    force.stack = sp.together(force.stack, joined)
    moving.order = replace(moving.order, pickups=_less(moving.order.pickups, wanted))


@rule("WE-MOV-04")
def _like_the_majority(stack: sp.Stack, joining: sp.Stack) -> sp.Stack:
    """SP that join a force of which more than half is worse off become so too."""
    worn: tuple[sp.Status, ...] = ("demoralized", "disrupted")
    for status in worn:
        if sp.count(sp.of_status(stack, status)) * 2 > sp.count(stack):
            better = sp.of_status(joining, *sp.STATUSES[: sp.STATUSES.index(status)])
            return sp.together(sp.without(joining, better), sp.every(better, status=status))
    return joining


# ------------------------------------------------------------------ off the map


@rule("WE-VIC-05")
def _exit(play: Play, moving: Marching) -> str:
    """Leave the map by the south-east; gives why it cannot be."""
    force, field, at = moving.force, play.field, moving.force.hex
    corps = [name for name in force.hqs if play.hq(name).rank == "corps"]
    if at not in play.scene.aims.southeast_exit_hexes or force.side != FRENCH:
        return "no_exit"
    if field.controller(at) != force.side:
        return "not_controlled"
    if not (play.war.options.exit_by_march or all(one.entrained for one in force.stack)):
        return "exit_train"
    if not corps or sp.count(force.stack) < EXIT_SP:
        return "exit_sp"
    if moving.mp < EXIT_MP:
        return "mp_short"
    force.acted = True
    full = corps[: sp.count(force.stack) // EXIT_SP]
    for name in full:
        # Each full corps goes with its SP; the last with whoever else is there.
        last = name == full[-1]
        leaves = force.stack if last else pick(force.stack, Amount(count=EXIT_SP), EXIT_SP)
        _leave_the_map(play, force, name, leaves, tuple(one for one in force.hqs if last or one == name))
    check_ends(play)
    return ""


@rule("WE-VIC-05")
def _leave_the_map(play: Play, force: Force, corps: str, leaves: sp.Stack, hqs: tuple[str, ...]) -> None:
    """Take a corps, with its SP and those who go along, off the map, and count it."""
    at = force.hex
    play.happens(
        UnitExited,
        **both(force.side, "WE-VIC-05"),
        hq=corps,
        along=tuple(name for name in hqs if name != corps),
        sp=sp.Strength.of(leaves),
        hex=at,
        stacks={force.side: {at: sp.without(play.stack(force.side, at), leaves)}},
        toll={force.side: sp.count(leaves)},
        hqs={name: HqPatch(hex=None, state="out") for name in hqs},
        game=GamePatch(exited=(*play.war.exited, corps)),
    )
    force.stack = sp.without(force.stack, leaves)
    force.hqs = tuple(name for name in force.hqs if name not in hqs)
