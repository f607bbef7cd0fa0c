"""Close combat: who fights, the dice of both, what winner and loser lose (HL-CMB)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from pbem.ground.plane import Point, Shape, near, overlap
from pbem.kernel.event import Throw
from pbem.kernel.names import Role, RuleId
from pbem.rules.ledger import cited, rule
from pbem.systems.half_league import orders as say
from pbem.systems.half_league.combat_outcomes import FighterDice, MeleeResolved, MeleeRound, UnitAdvanced
from pbem.systems.half_league.command import Moment, benefit_of, keep_point, policy_for
from pbem.systems.half_league.fact import Modifier
from pbem.systems.half_league.field import Field
from pbem.systems.half_league.losses import LeaderTests, melee_losses
from pbem.systems.half_league.morale import add_chits, lose_guns
from pbem.systems.half_league.play import Play
from pbem.systems.half_league.state import ENEMY, GamePatch, Unit, UnitPatch
from pbem.systems.half_league.tables import LEADER_STANDS, MOVING_CAVALRY, TENTH
from pbem.systems.half_league.tables_combat import (
    COVER_MODIFIERS,
    COVER_MOST,
    LOSER_HIT,
    MELEE,
    SIX,
    WINNER_SIXES_PER_LEADER,
    WINNER_TOLL,
)
from pbem.systems.half_league.walking import rounded
from pbem.systems.half_league.withdrawal import withdraw


class Combat(NamedTuple):
    """One close combat: the ids of both sides; *attacker* began it."""

    id: str
    attacker: Role
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]


@rule("HL-CMB-10", "HL-CHG-06")
def combats(play: Play) -> list[Combat]:
    """The sets of units that hang together by touching, in the order in which the charges came."""
    groups: list[set[str]] = []
    starts: list[str] = []
    for charger, touched in play.battle.fights:
        joined = [group for group in groups if charger in group or touched in group]
        if joined:
            joined[0].update((charger, touched), *joined[1:])
            for group in joined[1:]:
                at = groups.index(group)
                del groups[at], starts[at]
        else:
            groups.append({charger, touched})
            starts.append(charger)
    found = []
    for group, start in zip(groups, starts, strict=True):
        side = play.unit(start).side
        attackers = tuple(sorted(one for one in group if play.unit(one).side == side))
        defenders = tuple(sorted(one for one in group if play.unit(one).side != side))
        found.append(Combat(f"{start}>{defenders[0]}", side, attackers, defenders))
    return found


def _with_supports(play: Play, names: Sequence[str], taken: set[str]) -> tuple[str, ...]:
    """Those of *names* that are still there to fight, and the lines in double line behind them."""
    there = [name for name in names if play.unit(name).there and not play.unit(name).engaged]
    behind = [
        one.id
        for name in there
        for one in play.field.supports(play.unit(name))
        if one.id not in taken and not one.engaged
    ]
    return tuple(dict.fromkeys((*there, *behind)))


# ------------------------------------------------------------------ modifiers


def _cover(field: Field, unit: Unit, foes: Sequence[Unit]) -> list[str]:
    """What a unit that did not charge stands behind, or on."""
    came = [replace(foe, front=foe.charged_from or foe.front) for foe in foes]
    kinds = {one.kind for foe in came for one in field.behind(unit, foe, ("wall", "stream", "trench"))}
    found = [f"behind_{kind}" for kind in ("wall", "stream", "trench") if kind in kinds]
    if any(hill.high for hill in field.crests(unit.front)):
        found.append("on_high_crest")
    return found


@rule("HL-CMB-02", "HL-MOV-11", "HL-FRM-02", "HL-FRM-04", "HL-MOR-02")
def modifiers(field: Field, unit: Unit, foes: Sequence[Unit]) -> list[Modifier]:
    """What is added to each die of a unit in close combat, but for benefits."""
    found: list[str] = []
    double = field.double_line(unit)
    if unit.charged:
        if unit.type == "cavalry" and unit.formation == "line":
            found.append("cavalry_charging_double_line" if double else "cavalry_charging_single_line")
        if unit.type == "infantry" and unit.formation == "column":
            found.append("infantry_attacking_in_column")
    if unit.type == "infantry" and double:
        found.append("infantry_in_double_line")
    if unit.formation == "square":
        found.append("infantry_in_square")
    if any(unit.id in foe.from_rear for foe in foes):
        found.append("hit_from_rear")
    if unit.formation == "unlimbered":
        found.append("unlimbered_artillery")
    if unit.formation == "dismounted":
        found.append("dismounted_cavalry")
    elif unit.type == "cavalry" and unit.last_forward < MOVING_CAVALRY:
        found.append("standing_cavalry")
    if unit.status == "routing":
        found.append("routing")
    if unit.formation == "limbered":
        found.append("limbered_artillery")
    if unit.formation == "skirmish":
        found.append("skirmishing")
    made = [Modifier(why, MELEE[why], RuleId(_RULES.get(why, "HL-CMB-02"))) for why in found]
    if not unit.charged:
        made = _covered(field, unit, foes) + made
    if unit.chits:
        made.append(Modifier("chit", MELEE["chit"] * unit.chits, RuleId("HL-MOR-02")))
    return made


def _covered(field: Field, unit: Unit, foes: Sequence[Unit]) -> list[Modifier]:
    """Cover counts once each, and no more than two in sum."""
    found, left = [], COVER_MOST
    for why in _cover(field, unit, foes):
        if left >= MELEE[why] and why in COVER_MODIFIERS:
            found.append(Modifier(why, MELEE[why], RuleId("HL-CMB-02")))
            left -= MELEE[why]
    return found


_RULES = {
    "standing_cavalry": "HL-MOV-11",
    "skirmishing": "HL-FRM-02",
    "infantry_in_double_line": "HL-FRM-04",
    "cavalry_charging_double_line": "HL-FRM-04",
}


def leaders_with(play: Play, unit: Unit) -> int:
    """Leader stands that fight with a unit: its commander's, and those of leaders attached to it."""
    attached = sum(leader.attached_to == unit.id and leader.status != "dead" for leader in play.battle.leaders.values())
    return LEADER_STANDS[unit.type] + attached


# ------------------------------------------------------------------ dice


class Fighter(NamedTuple):
    """A unit in a combat, with what is added to its dice."""

    unit: Unit
    modifiers: tuple[Modifier, ...]
    leaders: int


@rule("HL-CMD-08", "HL-CMD-10")
def _fighters(play: Play, combat: Combat) -> dict[Role, list[Fighter]]:
    """Both sides with their modifiers; points are said by the attacker first."""
    sides = {combat.attacker: combat.attackers, ENEMY[combat.attacker]: combat.defenders}
    gifts: dict[str, tuple[str, ...]] = {}
    spent = False
    for side, names in sides.items():
        may = side == combat.attacker or not (spent and play.battle.options.melee_point_defender_only_if_declined)
        moment = Moment(attacked=side != combat.attacker, charged=side != combat.attacker)
        for name in names:
            if not may:
                keep_point(play, name, "melee", moment)
            gifts[name] = benefit_of(play, name, "melee", moment, points=may)
            spent = spent or "command_point" in gifts[name]
    field, found = play.field, {}
    for side, names in sides.items():
        foes = [play.unit(one) for one in sides[ENEMY[side]]]
        found[side] = [
            Fighter(
                play.unit(name),
                (
                    *modifiers(field, play.unit(name), foes),
                    *(Modifier(gift, MELEE[gift], RuleId(_GIFT_RULES[gift])) for gift in gifts[name]),
                ),
                leaders_with(play, play.unit(name)),
            )
            for name in names
        ]
    return found


_GIFT_RULES = {"command_point": "HL-CMD-08", "brigadier": "HL-CMD-10"}


@rule("HL-CMB-01", "HL-CMB-02")
def _throw(
    play: Play, combat: Combat, fighters: Sequence[Fighter], number: int
) -> tuple[list[FighterDice], list[Throw]]:
    dice, throws = [], []
    for unit, added, leaders in fighters:
        throw = play.throw("melee", f"{combat.id}/{unit.id}/{number}", count=unit.stands + leaders)
        modifier = sum(one.value for one in added)
        of_leaders = len(throw.faces) - leaders
        result = tuple(
            max(face + modifier + (MELEE["leader_stand"] if at >= of_leaders else 0), 0)
            for at, face in enumerate(throw.faces)
        )
        throws.append(throw)
        dice.append(FighterDice(unit.id, throw.faces, added, modifier, result, leaders, sum(result)))
    return dice, throws


@rule("HL-CMB-03")
def winner_of(play: Play, combat: Combat, att: int, dfn: int, number: int) -> tuple[Role | None, str]:
    """Who has won a round, and by which rule of ties; None: another round."""
    defender = ENEMY[combat.attacker]
    if att != dfn:
        return (combat.attacker if att > dfn else defender), ""
    attacks = any(play.unit(name).wins_ties for name in combat.attackers)
    defends = any(play.unit(name).wins_ties for name in combat.defenders)
    if attacks != defends:
        return (combat.attacker if attacks else defender), "wins_ties"
    if number >= play.battle.options.tie_rounds:
        return defender, "attacker loses"
    return None, ""


# ------------------------------------------------------------------ the phase


@rule("HL-CMB-10", "HL-CMB-01")
def melees(play: Play) -> None:
    """All close combats, in their order."""
    taken = {name for pair in play.battle.fights for name in pair}
    for combat in combats(play):
        now = combat._replace(
            attackers=_with_supports(play, combat.attackers, taken),
            defenders=_with_supports(play, combat.defenders, taken),
        )
        taken.update(now.attackers, now.defenders)
        if now.attackers and now.defenders:
            _fight(play, now)


def _fight(play: Play, combat: Combat) -> None:
    fighters = _fighters(play, combat)
    defender = ENEMY[combat.attacker]
    number, winner, tie = 0, None, ""
    att: list[FighterDice] = []
    dfn: list[FighterDice] = []
    throws: list[Throw] = []
    while winner is None:
        number += 1
        att, thrown = _throw(play, combat, fighters[combat.attacker], number)
        dfn, answered = _throw(play, combat, fighters[defender], number)
        throws = [*thrown, *answered]
        totals = sum(one.total for one in att), sum(one.total for one in dfn)
        winner, tie = winner_of(play, combat, *totals, number)
        if winner is None:
            play.add(
                MeleeRound(
                    rules=cited("HL-CMB-03", "HL-CMB-01"),
                    dice=tuple(throws),
                    combat_id=combat.id,
                    round=number,
                    att_dice=tuple(att),
                    def_dice=tuple(dfn),
                    att_total=totals[0],
                    def_total=totals[1],
                )
            )
    _decide(play, combat, winner, tie, number, att, dfn, throws)


@rule("HL-CMB-04", "HL-CMB-05", "HL-CMB-06")
def _decide(
    play: Play,
    combat: Combat,
    winner: Role,
    tie: str,
    rounds: int,
    att: list[FighterDice],
    dfn: list[FighterDice],
    throws: list[Throw],
) -> None:
    """Count what both take, and let the loser go."""
    attackers_won = winner == combat.attacker
    won, lost = (att, dfn) if attackers_won else (dfn, att)
    hits = sum(face == LOSER_HIT for one in lost for face in one.natural)
    kills = sum(face == SIX for one in won for face in one.natural) // WINNER_SIXES_PER_LEADER
    die = play.throw("winner", combat.id)
    toll = WINNER_TOLL[die.faces[0]]
    own_hits, own_kills = (-(-count * toll.share[0] // toll.share[1]) for count in (hits, kills))
    winners = combat.attackers if attackers_won else combat.defenders
    losers = combat.defenders if attackers_won else combat.attackers
    turn = play.battle.turn
    normal = any(play.unit(name).status != "routing" for name in losers)
    units = {
        name: UnitPatch(engaged=True, stirred=True, shown_turn=turn, charge_target="") for name in (*winners, *losers)
    }
    if normal:
        units |= {
            name: UnitPatch(engaged=True, stirred=True, shown_turn=turn, charge_target="", wins_ties=True)
            for name in winners
        }
    named = [one.rule for side in (*att, *dfn) for one in side.modifiers]
    play.add(
        MeleeResolved(
            rules=cited(
                "HL-CMB-01", "HL-CMB-02", "HL-CMB-03", "HL-CMB-04", "HL-CMB-05", "HL-CMB-06", "HL-CHG-06",
                "HL-CMB-10",
                *(("HL-CMB-08",) if any(play.unit(name).guns for name in (*winners, *losers)) else ()), *named,
            ),
            dice=(*throws, die),
            combat_id=combat.id,
            attacker=combat.attacker,
            attackers=combat.attackers,
            defenders=combat.defenders,
            at=play.unit(combat.defenders[0]).front,
            att_dice=tuple(att),
            def_dice=tuple(dfn),
            att_total=sum(one.total for one in att),
            def_total=sum(one.total for one in dfn),
            rounds=rounds,
            tie_rule=tie,  # type: ignore[arg-type] # one of its words
            winner=winner,
            winners="attackers" if attackers_won else "defenders",
            loser_hits=hits,
            leader_tests=kills,
            winner_die=die.faces[0],
            winner_hits=own_hits,
            winner_leader_tests=own_kills,
            winner_chits=toll.chits,
            units=units,
            game=GamePatch(wins={winner: play.battle.wins.get(winner, 0) + 1}),
        )
    )  # fmt: skip
    play.look()
    places = {name: play.unit(name).front for name in losers}
    melee_losses(play, losers, hits, combat.id)
    melee_losses(play, winners, own_hits, combat.id)
    tests = LeaderTests(play, "melee", combat.id)
    for names, count in ((losers, kills), (winners, own_kills)):
        there = [name for name in names if play.unit(name).there]
        if there:
            largest = min(there, key=lambda name: (-play.unit(name).stands, name))
            tests.test(largest, count, _save_gifts(play, largest))
    if toll.chits:
        for name in winners:
            add_chits(play, name, ("winner_die_one",) * toll.chits, "HL-CMB-06")
    _loser_goes(play, losers, winners)
    if attackers_won:
        _advance(play, combat, losers, places)


def _save_gifts(play: Play, name: str) -> tuple[str, ...]:
    unit = play.unit(name)
    points = ("command_point",) if "melee_save" in unit.benefits_used else ()
    return (*points, *(("brigadier",) if "melee_save" in unit.favours else ()))


@rule("HL-CMB-07", "HL-CMB-08", "HL-MOR-01")
def _loser_goes(play: Play, losers: Sequence[str], winners: Sequence[str]) -> None:
    for name in losers:
        unit = play.unit(name)
        if not unit.there:
            continue
        if unit.formation == "unlimbered":
            lose_guns(play, name)
            continue
        add_chits(play, name, ("lost_combat",), "HL-CMB-07")
        withdraw(play, name, [one for one in winners if play.unit(one).there] or winners, "lost")


@rule("HL-CMB-09")
def _advance(play: Play, combat: Combat, losers: Sequence[str], places: dict[str, Point]) -> None:
    """Each winning attacker goes to where the loser stood whom it touched, if it may."""
    free = [name for name in losers if not play.unit(name).there or play.unit(name).front != places[name]]
    for name in combat.attackers:
        unit = play.unit(name)
        mine = [two for one, two in play.battle.fights if one == name and two in free]
        mine += [one for one, two in play.battle.fights if two == name and one in free]
        if not unit.there or not mine or not advances(play, unit, [play.unit(one) for one in combat.defenders]):
            continue
        _go_on(play, unit, mine[0], places)


@rule("HL-CMB-09")
def advances(play: Play, unit: Unit, foes: Sequence[Unit]) -> bool:
    """Whether a winning attacker wants to go on: by order, by policy, else infantry and cavalry do, but from cover."""
    if unit.guns:
        return False
    sent = play.ordered(say.Advance, unit.id)
    if sent:
        play.played(sent[-1][0], sent[-1][1], "done", "", unit.id)
        return sent[-1][1].yes
    policy = policy_for(play, unit, "advance")
    if policy is not None:
        return policy.when == "yes"
    return not any(play.field.behind(unit, foe, ("wall", "trench")) for foe in foes)


def _go_on(play: Play, unit: Unit, loser: str, places: dict[str, Point]) -> None:
    place = places[loser]
    front, way = rounded(play.field, unit, place, unit.bearing)
    shape = play.field.formed(unit, unit.formation, front, way).shape
    if front == unit.front or any(_in_the_way(play, shape, one, unit) for one in play.field.others(unit)):
        return
    play.add(
        UnitAdvanced(
            rules=cited("HL-CMB-09"),
            side=unit.side,
            unit=unit.id,
            start=unit.front,
            end=front,
            units={unit.id: UnitPatch(front=front, bearing=way)},
            leaders=play.carried(unit.id, front),
        )
    )
    play.glance(unit.id)


def _in_the_way(play: Play, shape: Shape, other: Unit, unit: Unit) -> bool:
    taken = play.field.shape(other)
    if overlap(shape, taken):
        return True
    return other.side != unit.side and near(shape, taken, play.battle.options.enemy_gap * TENTH - 1)
