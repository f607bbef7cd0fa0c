"""What the attacks of a programme may come to: combats and the assaults of sieges, by what is known of the war.

The dice are read by the functions of the combat itself.  All stand where they stand now, and nothing of them was used
before; what the enemy's guns do is known of his alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from msgspec.structs import replace

from pbem.ground.hexes import Hex
from pbem.kernel.names import Role
from pbem.rules.chances import Attack, Came, Chances, Tray, odds
from pbem.systems.empire_1870.field.field import Field, field_of
from pbem.systems.empire_1870.field.ratios import ratio_text
from pbem.systems.empire_1870.fire.losses import loser_losses, winner_losses
from pbem.systems.empire_1870.march.force import command_limit
from pbem.systems.empire_1870.melee import siege
from pbem.systems.empire_1870.melee.artillery import brought_up, which_again
from pbem.systems.empire_1870.melee.combat import Score, added
from pbem.systems.empire_1870.melee.totals import Battle, attack_total, defence_total, fighting_hqs, seat
from pbem.systems.empire_1870.play.picking import pick, unspent
from pbem.systems.empire_1870.play.standing import policy
from pbem.systems.empire_1870.scene.scene import Scene
from pbem.systems.empire_1870.turn.conditions import Plan, known_battle, known_odds, known_stack
from pbem.systems.empire_1870.world import orders as say
from pbem.systems.empire_1870.world.parts import Hq
from pbem.systems.empire_1870.world.stacks import Stack, count, together, without
from pbem.systems.empire_1870.world.state import War

CANNOT = "how many SP the enemy has where nobody looks, the rules do not fix, and a guess would decide the war"
"""Why no world is supposed in which a role knows what it knows."""

Pair = tuple[int, int]


def attacks(scene: Scene, war: War, role: Role, orders: Sequence[say.AnyOrder]) -> Sequence[Attack]:
    """Each combat that a programme comes to, and each siege that its standing orders assault."""
    field = field_of(scene, war)
    found = (_attack(field, role, line, plan) for line, plan in plans(field, role, orders))
    combats = [one for one in found if one is not None]
    sieges = (_siege(field, role, one) for one in orders if isinstance(one, say.SiegeOrder) and one.assault)
    return (*combats, *(one for one in sieges if one is not None))


# ------------------------------------------------------------------ who would fight


def plans(field: Field, side: Role, orders: Sequence[say.AnyOrder]) -> Iterator[tuple[int, Plan]]:
    """What the lines of a programme are about to do: the number of a line, and with what."""
    for order in orders:
        for line, leader in _acting(order, ""):
            if isinstance(line, say.SelfLine):
                if field.war.hqs[leader].hex is not None:
                    yield line.line, of_hq(field, side, line, field.war.hqs[leader])
            else:
                yield line.line, of_force(field, side, line)


def _acting(order: say.AnyOrder | say.BlockLine, leader: str) -> Iterator[tuple[say.ActingLine, str]]:
    """The lines in an entry by which something acts, each with the HQ under which it does."""
    match order:
        case say.Insert():
            yield from _acting(order.entry, leader)
        case say.Act() | say.SubLine():
            for line in order.lines:
                yield from _acting(line, order.hq)
        case say.SelfLine() | say.ForceLine() | say.Div():
            yield order, leader
        # All other lines move nobody.
        case _:
            pass


def of_force(field: Field, side: Role, line: say.ForceLine | say.Div) -> Plan:
    """What would fight of SP without an HQ, from where they now stand."""
    stack = pick(unspent(field.stack(side, line.hex)), line.amount, 99)
    return Plan(action=line.action, shares={line.hex: stack})


def of_hq(field: Field, side: Role, line: say.SelfLine, hq: Hq) -> Plan:
    """What would fight under an HQ, from where all now stand, if nothing of it were used before."""
    shares: dict[Hex, Stack] = {}

    def take(at: Hex | None, amount: say.Amount, limit: int) -> None:
        if at is not None:
            free = unspent(without(field.stack(side, at), shares.get(at, ())))
            shares[at] = together(shares.get(at, ()), pick(free, amount, limit))

    take(hq.hex, line.amount, command_limit(side, hq.rank))
    for one in line.also:
        take(one.hex, one.amount, one.amount.total)
    for join in line.action.joins if isinstance(line.action, say.Assault) else ():
        other = field.war.hqs[join.hq]
        take(other.hex, join.amount or say.Amount(everything=True), command_limit(side, other.rank))
    return Plan(action=line.action, shares=shares, hqs=(hq.id, *line.along), leader=hq.id)


def does_attack(plan: Plan) -> bool:
    """Whether a plan is to attack, and has anything to attack with."""
    action = plan.action
    ordered = isinstance(action, say.Assault) or (isinstance(action, say.March) and action.attack)
    return ordered and any(plan.shares.values())


# ------------------------------------------------------------------ a combat


class _Hand(NamedTuple):
    """What a side brings to its dice."""

    side: Role
    again: say.React | None
    """By which policy a die is thrown again; None: its guns are not up, as far as is known."""


class _Dice(NamedTuple):
    """The dice as they lie, the attacker's first, and how many of the sides have thrown again: the defender does first.

    Two dice of a side are alike whichever fell first.
    """

    faces: tuple[Pair, Pair]
    settled: int


def _attack(field: Field, side: Role, line: int, plan: Plan) -> Attack | None:
    battle = known_battle(field, side, plan) if does_attack(plan) else None
    found = known_odds(field, side, plan)
    if battle is None or found is None:
        return None
    enemy = known_stack(field, side, battle.hex) or ()
    seen = _with(field, battle, enemy)
    strength = {side: attack_total(seen, battle), battle.defender: defence_total(seen, battle)}
    drm = added(seen, battle, (strength[side].raw, count(enemy)), found).drm
    known = [side, battle.defender] if field.war.viewer is None else [side]
    hands = []
    for one in (side, battle.defender):
        guns = brought_up(seen, battle, one, strength[one], found) if one in known else None
        order = policy(seen.war, one, "reroll", seat(battle, one), *fighting_hqs(seen, battle, one))
        hands.append(_Hand(one, order if guns else None))
    return Attack(
        line=line,
        kind="combat",
        what=f"attack on {field.scene.place_name(battle.hex)} at {ratio_text(found)}",
        good="to win",
        measure="loss points",
        given="" if field.war.viewer is None else "if their guns stay silent",
        on=partial(_fought, (hands[0], hands[1]), drm),
    )


def _with(field: Field, battle: Battle, enemy: Stack) -> Field:
    """The map with the enemy as he was last seen where he is attacked."""
    side = battle.defender
    stacks = {**field.war.stacks, side: {**field.war.stacks.get(side, {}), battle.hex: enemy}}
    return field if stacks == field.war.stacks else Field(field.scene, replace(field.war, stacks=stacks))


def _fought(hands: tuple[_Hand, _Hand], drm: dict[Role, int], dice: _Dice | None, tray: Tray) -> _Dice | Came:
    """A combat, throw by throw: two dice each, then the die of the defender and that of the attacker again."""
    if dice is None:
        return _Dice((_pair(tray), _pair(tray)), 0)
    attacker, defender = hands
    score = Score({attacker.side: dice.faces[0], defender.side: dice.faces[1]}, drm)
    if dice.settled == len(hands):
        return _came(score, attacker.side)
    mine = 1 - dice.settled
    hand, faces = hands[mine], dice.faces[mine]
    again = -1 if hand.again is None else which_again(faces, hand.again, winning=score.winner == hand.side)
    if again >= 0:
        faces = _sorted(tray.face(), faces[1 - again])
    return _Dice((faces, dice.faces[1]) if mine == 0 else (dice.faces[0], faces), dice.settled + 1)


def _pair(tray: Tray) -> Pair:
    """Two dice, the lower first."""
    shown = tray.total(6, 2, _which)
    one, other = (face for face, number in enumerate(shown, start=1) for _ in range(number))
    return one, other


def _which(face: int) -> tuple[int, ...]:
    """A mark in the place of a face."""
    return tuple(int(one == face) for one in range(1, 7))


def _sorted(one: int, other: int) -> Pair:
    return (one, other) if one <= other else (other, one)


def _came(score: Score, attacker: Role) -> Came:
    if score.winner == attacker:
        return Came(f"won by {score.spread}", good=True, lost=sum(loser_losses(score.spread)))
    return Came(f"lost by {score.spread}", lost=winner_losses(score.spread))


# ------------------------------------------------------------------ a siege


def _siege(field: Field, side: Role, order: say.SiegeOrder) -> Attack | None:
    if field.fortress_of(order.hex) in (None, side) or not field.sp(side, order.hex):
        return None
    found = siege.siege_ratio(field, side, order.hex)
    if found[0] < siege.SIEGE_RATIO or found[1] != 1:
        return None
    drm = sum(one.value for one in siege.siege_modifiers(field, side, order.hex, found[0]))
    return Attack(
        line=order.line,
        kind="siege",
        what=f"assault on {field.scene.place_name(order.hex)} at {ratio_text(found)}",
        good="to destroy it",
        given="" if field.war.viewer is None else "by the garrison that you know of",
        on=partial(_assaulted, drm, field.sr(order.hex)),
    )


def _assaulted(drm: int, sr: int, begun: None, tray: Tray) -> Came:
    falls = siege.falls(tray.face() + drm, sr)
    return Came("it falls" if falls else "it holds", good=falls)


# ------------------------------------------------------------------ in words


def clauses(field: Field, side: Role, orders: Iterable[say.AnyOrder]) -> dict[int, str]:
    """For a receipt: by the number of a line the chances of what it orders."""
    found: dict[int, str] = {}
    for attack in attacks(field.scene, field.war, side, tuple(orders)):
        found.setdefault(attack.line, odds(attack).clause)
    return found


CHANCES: Chances[Scene, War, War, say.AnyOrder] = Chances(attacks=attacks, cannot=CANNOT)
