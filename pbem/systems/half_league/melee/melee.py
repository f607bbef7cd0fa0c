"""Close combat: who fights, the dice of both, what winner and loser lose (HL-CMB)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from pbem.ground.plane import Point, bearing, distance
from pbem.kernel.event import Throw
from pbem.kernel.names import Role, RuleId
from pbem.rules.ledger import cited, rule
from pbem.systems.half_league.field.field import Field
from pbem.systems.half_league.field.plans import Plan, straight
from pbem.systems.half_league.fire.losses import LeaderTests, melee_losses
from pbem.systems.half_league.march.going import goes
from pbem.systems.half_league.march.morale import add_chits, away_from, lose_guns
from pbem.systems.half_league.march.walking import walk
from pbem.systems.half_league.march.withdrawal import withdraw
from pbem.systems.half_league.play.command import Moment, benefit_of, keep_point, policy_for
from pbem.systems.half_league.play.play import Play
from pbem.systems.half_league.tables import combat as table
from pbem.systems.half_league.tables.printed import LEADER_STANDS, MOVING_CAVALRY
from pbem.systems.half_league.world import orders as say
from pbem.systems.half_league.world import outcomes_combat as c
from pbem.systems.half_league.world.fact import Modifier, of_unit
from pbem.systems.half_league.world.patches import GamePatch, UnitPatch
from pbem.systems.half_league.world.pieces import ENEMY, Unit
from pbem.systems.half_league.world.state import Battle


class Combat(NamedTuple):
    """One close combat: the ids of both sides; *attacker* began it."""

    id: str
    attacker: Role
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]


class Round(NamedTuple):
    """What both sides threw in one round of a close combat."""

    number: int
    att: list[c.FighterDice]
    dfn: list[c.FighterDice]
    throws: tuple[Throw, ...]

    @property
    def totals(self) -> tuple[int, int]:
        """The total of the attackers, and that of the defenders."""
        return sum(one.total for one in self.att), sum(one.total for one in self.dfn)


@rule("HL-CHG-06", "HL-GEO-03", "HL-MOR-03")
def contacts(play: Play) -> list[tuple[str, str]]:
    """Who has charged whom and is in contact with him now: who has run away in between fights no more."""
    pairs = [(play.unit(charger), play.unit(touched)) for charger, touched in play.battle.fights]
    return [(one.id, two.id) for one, two in pairs if one.there and two.there and play.field.touching(one, two)]


@rule("HL-CMB-10", "HL-CHG-06")
def combats(play: Play) -> list[Combat]:
    """The sets of units that hang together by touching, in the order in which the charges came."""
    groups: list[set[str]] = []
    starts: list[str] = []
    for charger, touched in contacts(play):
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


@rule("HL-CHG-06", "HL-CMD-13")
def charged(play: Play, names: Sequence[str]) -> set[str]:
    """Those of *names* that an enemy has charged, and the lines in double line behind them."""
    struck = {touched for _, touched in contacts(play)}
    behind = {one.id for name in names if name in struck for one in play.field.supports(play.unit(name))}
    return {name for name in names if name in struck or name in behind}


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
    double, charging = field.double_line(unit), field.charging(unit)
    if charging:
        if unit.type == "cavalry" and unit.formation == "line":
            found.append("cavalry_charging_double_line" if double else "cavalry_charging_single_line")
        if unit.type == "infantry" and unit.formation == "column":
            found.append("infantry_attacking_in_column")
    if unit.type == "infantry" and double:
        found.append("infantry_in_double_line")
    if unit.in_square:
        found.append("infantry_in_square")
    if any(unit.id in foe.from_rear for foe in foes):
        found.append("hit_from_rear")
    if unit.unlimbered:
        found.append("unlimbered_artillery")
    if unit.formation == "dismounted":
        found.append("dismounted_cavalry")
    elif unit.type == "cavalry" and max(one.last_forward for one in (unit, *charging)) < MOVING_CAVALRY:
        found.append("standing_cavalry")
    if unit.routing:
        found.append("routing")
    if unit.formation == "limbered":
        found.append("limbered_artillery")
    if unit.formation == "skirmish":
        found.append("skirmishing")
    made = [Modifier(why, table.MELEE[why], RuleId(_RULES.get(why, "HL-CMB-02"))) for why in found]
    if not charging:
        made = _covered(field, unit, foes) + made
    if unit.chits:
        made.append(Modifier("chit", table.MELEE["chit"] * unit.chits, RuleId("HL-MOR-02")))
    return made


def _covered(field: Field, unit: Unit, foes: Sequence[Unit]) -> list[Modifier]:
    """Cover counts once each, and no more than two in sum."""
    found, left = [], table.COVER_MOST
    for why in _cover(field, unit, foes):
        if left >= table.MELEE[why] and why in table.COVER_MODIFIERS:
            found.append(Modifier(why, table.MELEE[why], RuleId("HL-CMB-02")))
            left -= table.MELEE[why]
    return found


_RULES = {
    "standing_cavalry": "HL-MOV-11",
    "skirmishing": "HL-FRM-02",
    "infantry_in_double_line": "HL-FRM-04",
    "cavalry_charging_double_line": "HL-FRM-04",
}


def leaders_with(battle: Battle, unit: Unit) -> int:
    """Leader stands that fight with a unit: its commander's, and those of leaders attached to it."""
    attached = sum(leader.attached_to == unit.id and not leader.fallen for leader in battle.leaders.values())
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
        struck = charged(play, names)
        for name in names:
            moment = Moment(attacked=name in struck, charged=name in struck)
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
                    *(Modifier(gift, table.MELEE[gift], RuleId(_GIFT_RULES[gift])) for gift in gifts[name]),
                ),
                leaders_with(play.battle, play.unit(name)),
            )
            for name in names
        ]
    return found


_GIFT_RULES = {"command_point": "HL-CMD-08", "brigadier": "HL-CMD-10"}


@rule("HL-CMB-02")
def worth(face: int, modifier: int, *, leads: bool) -> int:
    """What a die of a melee counts for: one more if it is a leader's, and never less than 0."""
    return max(face + modifier + (table.MELEE["leader_stand"] if leads else 0), 0)


@rule("HL-CMB-01", "HL-CMB-02")
def _throw(
    play: Play, combat: Combat, fighters: Sequence[Fighter], number: int
) -> tuple[list[c.FighterDice], list[Throw]]:
    dice, throws = [], []
    for unit, added, leaders in fighters:
        throw = play.throw("melee", f"{combat.id}/{unit.id}/{number}", count=unit.stands + leaders)
        modifier = sum(one.value for one in added)
        of_leaders = len(throw.faces) - leaders
        result = tuple(worth(face, modifier, leads=at >= of_leaders) for at, face in enumerate(throw.faces))
        throws.append(throw)
        dice.append(c.FighterDice(unit.id, throw.faces, added, modifier, result, leaders, sum(result)))
    return dice, throws


def _round(play: Play, combat: Combat, fighters: Mapping[Role, Sequence[Fighter]], number: int) -> Round:
    att, thrown = _throw(play, combat, fighters[combat.attacker], number)
    dfn, answered = _throw(play, combat, fighters[ENEMY[combat.attacker]], number)
    return Round(number, att, dfn, (*thrown, *answered))


@rule("HL-CMB-03")
def winner_of(battle: Battle, combat: Combat, att: int, dfn: int, number: int) -> tuple[Role | None, str]:
    """Who has won a round, and by which rule of ties; None: another round."""
    defender = ENEMY[combat.attacker]
    if att != dfn:
        return (combat.attacker if att > dfn else defender), ""
    attacks = any(battle.units[name].wins_ties for name in combat.attackers)
    defends = any(battle.units[name].wins_ties for name in combat.defenders)
    if attacks != defends:
        return (combat.attacker if attacks else defender), "wins_ties"
    if number >= battle.options.tie_rounds:
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
    play.reveal((*combat.attackers, *combat.defenders))
    fighters = _fighters(play, combat)
    number = 0
    while True:
        number += 1
        now = _round(play, combat, fighters, number)
        att, dfn = now.totals
        winner, tie = winner_of(play.battle, combat, att, dfn, number)
        if winner is not None:
            _decide(play, combat, now, winner, tie)
            return
        play.add(
            c.MeleeRound(
                rules=cited("HL-CMB-03", "HL-CMB-01"),
                dice=now.throws,
                combat_id=combat.id,
                round=number,
                att_dice=tuple(now.att),
                def_dice=tuple(now.dfn),
                att_total=att,
                def_total=dfn,
            )
        )


@rule("HL-CMB-04", "HL-CMB-05", "HL-CMB-06")
def _decide(play: Play, combat: Combat, last: Round, winner: Role, tie: str) -> None:
    """Count what both take, and let them take it."""
    attackers_won = winner == combat.attacker
    won, lost = (last.att, last.dfn) if attackers_won else (last.dfn, last.att)
    hits = sum(face == table.LOSER_HIT for one in lost for face in one.natural)
    kills = sum(face == table.SIX for one in won for face in one.natural) // table.WINNER_SIXES_PER_LEADER
    die = play.throw("winner", combat.id)
    toll = table.WINNER_TOLL[die.faces[0]]
    own_hits, own_kills = (-(-count * toll.share[0] // toll.share[1]) for count in (hits, kills))
    winners = combat.attackers if attackers_won else combat.defenders
    losers = combat.defenders if attackers_won else combat.attackers
    turn = play.battle.turn
    normal = any(not play.unit(name).routing for name in losers)
    patch = UnitPatch(engaged=True, stirred=True, shown_turn=turn, charge_target="")
    units = dict.fromkeys((*winners, *losers), patch)
    if normal:
        units |= dict.fromkeys(winners, replace(patch, wins_ties=True))
    named = [one.rule for side in (*last.att, *last.dfn) for one in side.modifiers]
    fact = c.MeleeResolved(
        rules=cited(
            "HL-CMB-01", "HL-CMB-02", "HL-CMB-03", "HL-CMB-04", "HL-CMB-05", "HL-CMB-06", "HL-CHG-06",
            "HL-CMB-10",
            "HL-CMB-08" if any(play.unit(name).guns for name in (*winners, *losers)) else "", *named,
        ),
        dice=(*last.throws, die),
        combat_id=combat.id,
        attacker=combat.attacker,
        attackers=combat.attackers,
        defenders=combat.defenders,
        at=play.unit(combat.defenders[0]).front,
        att_dice=tuple(last.att),
        def_dice=tuple(last.dfn),
        att_total=last.totals[0],
        def_total=last.totals[1],
        rounds=last.number,
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
    )  # fmt: skip
    play.add(fact)
    _pay(play, combat, fact, winners, losers)


@rule("HL-CMB-04", "HL-CMB-05", "HL-CMB-06")
def _pay(play: Play, combat: Combat, fact: c.MeleeResolved, winners: Sequence[str], losers: Sequence[str]) -> None:
    """Both sides' possible hits and leader kills, the chits; then the losers go, and winning attackers may follow."""
    places = {name: play.unit(name).front for name in losers}
    ways = _ways(play, losers, winners)
    met = {name: [two if one == name else one for one, two in contacts(play) if name in (one, two)] for name in winners}
    tests = LeaderTests(play, "melee", combat.id, (*losers, *winners))
    struck = charged(play, (*losers, *winners))
    melee_losses(play, losers, fact.loser_hits, combat.id, struck)
    melee_losses(play, winners, fact.winner_hits, combat.id, struck)
    for names, count in ((losers, fact.leader_tests), (winners, fact.winner_leader_tests)):
        there = [name for name in names if play.unit(name).there] or names
        tests.test(min(there, key=lambda name: (-play.unit(name).stands, name)), count)
    for name in winners if fact.winner_chits else ():
        add_chits(play, name, ("winner_die_one",) * fact.winner_chits, "HL-CMB-06")
    _losers_go(play, losers, winners, ways)
    if fact.winners == "attackers":
        _advance(play, combat, {name: [one for one in met[name] if one in losers] for name in winners}, places)


@rule("HL-CMB-07", "HL-GEO-03")
def _ways(play: Play, losers: Sequence[str], winners: Sequence[str]) -> dict[str, int]:
    """Where each loser goes: away from the winners that it touches; a line behind goes as the line before it."""
    field, foes = play.field, [play.unit(name) for name in winners]
    ways: dict[str, int] = {}
    for unit in (play.unit(name) for name in losers):
        touching = [foe for foe in foes if field.touching(unit, foe)]
        before = [play.unit(name) for name in losers if unit in field.supports(play.unit(name))]
        if touching or not before:
            ways[unit.id] = away_from(field, unit, touching or foes)
        else:
            ways[unit.id] = away_from(field, before[0], [foe for foe in foes if field.touching(before[0], foe)] or foes)
    return ways


@rule("HL-CMB-07", "HL-CMB-08", "HL-MOR-01")
def _losers_go(play: Play, losers: Sequence[str], winners: Sequence[str], ways: dict[str, int]) -> None:
    for name in losers:
        unit = play.unit(name)
        if not unit.there:
            continue
        if unit.unlimbered:
            lose_guns(play, name)
            continue
        add_chits(play, name, ("lost_combat",), "HL-CMB-07")
        withdraw(play, name, winners, "lost", way=ways[name])


@rule("HL-CMB-09")
def _advance(play: Play, combat: Combat, met: dict[str, list[str]], places: dict[str, Point]) -> None:
    """Each winning attacker goes to where a loser stood whom it touched, the first to whose place it may."""
    for name in combat.attackers:
        unit = play.unit(name)
        mine = [one for one in met[name] if not play.unit(one).there or play.unit(one).front != places[one]]
        if not unit.there or not mine or not advances(play, unit, [play.unit(one) for one in combat.defenders]):
            continue
        any(_goes_on(play, unit, places[one]) for one in mine)


@rule("HL-CMB-09")
def advances(play: Play, unit: Unit, foes: Sequence[Unit]) -> bool:
    """Whether a winning attacker wants to go on: by order, by policy, else infantry and cavalry do, but from cover."""
    if unit.guns:
        return False
    sent = play.ordered(say.Advance, unit.id)
    if sent:
        play.came_of(sent[-1][0], sent[-1][1], "done", "", unit.id)
        return sent[-1][1].yes
    policy = policy_for(play, unit, "advance")
    if policy is not None:
        return policy.when == "yes"
    return not any(play.field.behind(unit, foe, ("wall", "trench")) for foe in foes)


@rule("HL-CMB-09", "HL-GEO-02")
def _goes_on(play: Play, unit: Unit, place: Point) -> bool:
    """Whether a unit goes on to a place: all the way to it, or not at all."""
    leg = straight(bearing(unit.front, place), distance(unit.front, place))
    walked = walk(play.field, unit, Plan(legs=(leg,), one_die=True, unpaid=True), ())
    if not walked.walked or walked.stopped_by != "destination":
        return False
    goes(
        play,
        c.UnitAdvanced(
            **of_unit(unit, "HL-CMB-09"),
            start=unit.front,
            end=walked.front,
            units={unit.id: UnitPatch(front=walked.front, bearing=walked.bearing)},
            leaders=play.carried(unit.id, walked.front),
        ),
        unit.id,
        walked.path,
        kept=True,
    )
    return True
