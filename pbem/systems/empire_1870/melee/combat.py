"""A combat from the first hoof-beat to the last hex of retreat (WE-CBT-01)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from pbem.ground.hexes import Hex
from pbem.kernel.names import Role
from pbem.rules.ledger import rule
from pbem.systems.empire_1870.field.field import Field
from pbem.systems.empire_1870.field.ratios import ratio, ratio_text
from pbem.systems.empire_1870.fire import losses
from pbem.systems.empire_1870.fire.casualties import check_hq
from pbem.systems.empire_1870.march.displacement import leave_no_hq_behind
from pbem.systems.empire_1870.march.garrison import settle_garrison
from pbem.systems.empire_1870.melee import totals
from pbem.systems.empire_1870.melee.artillery import commit, throw_again
from pbem.systems.empire_1870.melee.cavalry import retreat_before_combat
from pbem.systems.empire_1870.melee.retreat import Beaten, disregarded, just_fought, retreat
from pbem.systems.empire_1870.mind.fog import as_seen
from pbem.systems.empire_1870.play.play import Play
from pbem.systems.empire_1870.play.standing import policy
from pbem.systems.empire_1870.play.victory import battle_score
from pbem.systems.empire_1870.tables.charts import MAJOR_BATTLE_SP
from pbem.systems.empire_1870.world.fact import Modifier, both
from pbem.systems.empire_1870.world.outcomes_combat import CombatJoined, CombatResolved, CombatTotals, Kind
from pbem.systems.empire_1870.world.parts import FRENCH, GERMAN
from pbem.systems.empire_1870.world.stacks import Stack, best, count, every, together, without
from pbem.systems.empire_1870.world.state import Ghost

ORDERED_BY: Mapping[Kind, tuple[str, ...]] = {
    "march": ("WE-MCB-01", "WE-MCB-02"),
    "planned": ("WE-PLA-01",),
    "sortie": ("WE-SIE-06",),
}
"""The rules under which each kind of combat comes about."""


class Fought(Struct, frozen=True, kw_only=True):
    """What came of a combat."""

    winner: Role
    shares: dict[Hex, Stack]
    """The attackers who are left, by the hex in which they now stand."""
    vacated: bool
    """Whether all defenders who had to go have gone: the hex is free for the attackers."""
    garrison: bool = False
    """Whether some stay behind the walls there."""
    supplied: tuple[Hex, ...] = ()
    """The attacking hexes that had a LOC."""
    fought: bool = True
    """False: the defenders were cavalry, and went."""
    present: int = 0
    """SP of both sides."""


class _Decision(Struct, frozen=True):
    winner: Role
    doubles: tuple[Role, ...]
    """Sides whose two dice are alike."""
    left: dict[Role, dict[Hex, Stack]]
    lost: dict[Role, int]


def _name(play: Play, battle: totals.Battle) -> totals.Battle:
    """A name for a combat that no other of its turn has."""
    before = sum(isinstance(fact, CombatJoined) and fact.combat.startswith(battle.name) for fact in play.facts)
    return replace(battle, name=f"{battle.name}#{before + 1}")


@rule("WE-CBT-01", "WE-CBT-13", "WE-CBT-14")
def fight(play: Play, battle: totals.Battle) -> Fought:
    """Fight a combat to its end, the advance excepted.

    *battle.name* is a place in the turn (`a5/2306`); all defending SP in the hex take part.
    """
    battle = _name(play, battle)
    drowned = retreat_before_combat(play, battle)
    field = play.field
    defenders = field.stack(battle.defender, battle.hex)
    attack = totals.attack_total(field, battle)
    supplied = tuple(one.hex for one in attack.hexes if one.has_loc)
    if not defenders:
        leave_no_hq_behind(play, field.hqs(battle.defender, battle.hex), battle.name)
        return Fought(winner=battle.attacker, shares=battle.shares, vacated=True, supplied=supplied, fought=False)
    defence = totals.defence_total(field, battle)
    present = attack.raw + defence.raw
    odds = ratio(attack.total, defence.total)
    _join(play, battle, defenders, attack, defence, odds)
    decision = _decide(play, battle, defenders, attack, defence, odds)
    _look_at_hqs(play, battle, decision)
    back = _send_back(play, battle, decision)
    _leave_the_fallen(play, battle, decision)
    lost = {side: decision.lost[side] + back.lost.get(side, 0) for side in (FRENCH, GERMAN)}
    lost[battle.defender] += drowned
    for at in (battle.hex, *sorted(battle.shares)):
        settle_garrison(play, at)
    battle_score(play, play.scene.place_name(battle.hex), decision.winner, _size(play, attack, defence), lost)
    return Fought(
        winner=decision.winner,
        shares=back.shares,
        vacated=decision.winner == battle.attacker,
        garrison=back.garrison,
        supplied=supplied,
        present=present,
    )


@rule("WE-VIC-02")
def _size(play: Play, attack: totals.Side, defence: totals.Side) -> int:
    """How big a battle is: the SP present, or by an option what they count for."""
    if play.war.options.major_battle_basis == "raw":
        return attack.raw + defence.raw
    return attack.fighting + defence.fighting


def _join(
    play: Play,
    battle: totals.Battle,
    defenders: Stack,
    attack: totals.Side,
    defence: totals.Side,
    odds: tuple[int, int],
) -> None:
    field = play.field
    column = totals.terrain_column(field, battle.hex, battle.defender, walls=totals.defends_walls(field, battle))
    [inside] = losses.strengths({battle.hex: defenders})
    again = () if battle.name.endswith("#1") else ("WE-CBT-14",)
    play.happens(
        CombatJoined,
        **both(None, "WE-CBT-01", "WE-CBT-13", *ORDERED_BY[battle.how], *again),
        combat=battle.name,
        how=battle.how,
        attacker=battle.attacker,
        attackers=losses.strengths(battle.shares),
        defenders=inside,
        hex=battle.hex,
        terrain_column=column,
        attacker_hqs=battle.hqs,
        defender_hqs=tuple(hq.id for hq in field.hqs(battle.defender, battle.hex)),
    )
    play.happens(
        CombatTotals,
        **both(
            None,
            "WE-CBT-03",
            "WE-CBT-04",
            "WE-STA-02",
            *(one.rule for side in (attack, defence) for share in side.hexes for one in share.halvings),
        ),
        combat=battle.name,
        attacker_hexes=attack.hexes,
        defender_hex=defence.hexes[0],
        sr=field.sr(battle.hex) if totals.defends_walls(field, battle) else 0,
        attacker_total=attack.total,
        defender_total=defence.total,
        ratio=ratio_text(odds),
        sp_present=attack.raw + defence.raw,
    )


@rule("WE-CBT-06", "WE-CBT-08", "WE-CBT-09", "WE-CBT-10", "WE-CBT-11", "WE-CBT-12")
def _decide(
    play: Play,
    battle: totals.Battle,
    defenders: Stack,
    attack: totals.Side,
    defence: totals.Side,
    odds: tuple[int, int],
) -> _Decision:
    """Guns, dice, score and losses."""
    to_dice = added(play.field, battle, (attack.raw, defence.raw), odds)
    guns = {
        side: commit(play, battle, side, strength, odds)
        for side, strength in ((battle.defender, defence), (battle.attacker, attack))
    }
    score = _throw(play, battle, to_dice.drm, guns)
    damage = _damage(play, battle, {battle.attacker: battle.shares, battle.defender: {battle.hex: defenders}}, score)
    major = _size(play, attack, defence) >= MAJOR_BATTLE_SP
    play.add(_resolved(battle, odds, to_dice, score, damage, major=major))
    _reveal(play, battle, damage.tolls)
    return _Decision(
        score.winner,
        tuple(side for side, (one, other) in score.faces.items() if one == other),
        {side: toll.shares for side, toll in damage.tolls.items()},
        {side: toll.eliminated for side, toll in damage.tolls.items()},
    )


class Added(NamedTuple):
    """What is added to the dice, the attacker's first: by the matrix, by HQs and a river, and in all."""

    crm: tuple[int, int]
    modifiers: tuple[Modifier, ...]
    drm: dict[Role, int]


def added(field: Field, battle: totals.Battle, raw: tuple[int, int], odds: tuple[int, int]) -> Added:
    """What is added to the dice of a combat of so many SP, the attacker's first, at these odds."""
    attacker, defender = battle.attacker, battle.defender
    table = totals.crm(
        odds, totals.terrain_column(field, battle.hex, defender, walls=totals.defends_walls(field, battle))
    )
    led = [field.war.hqs[name] for name in battle.hqs]
    ours = (
        *totals.hq_modifiers(attacker, led, raw[0], attacks=True, leader=battle.leader),
        *totals.river_modifier(field, battle),
    )
    theirs = totals.hq_modifiers(defender, field.hqs(defender, battle.hex), raw[1], attacks=False)
    drm = {attacker: table[0] + sum(one.value for one in ours), defender: table[1] + sum(one.value for one in theirs)}
    return Added(table, (*ours, *theirs), drm)


class Score(Struct, frozen=True):
    """The two dice of each side as they lie, and what is added to them; the attacker's first."""

    faces: dict[Role, tuple[int, int]]
    drm: dict[Role, int]

    @property
    def fcs(self) -> dict[Role, int]:
        """The final combat score of each side."""
        return {side: sum(faces) + self.drm[side] for side, faces in self.faces.items()}

    @property
    def winner(self) -> Role:
        """Who wins by it."""
        return totals.winner_of(self.fcs[FRENCH], self.fcs[GERMAN])

    @property
    def spread(self) -> int:
        """How far apart the two scores are."""
        return abs(self.fcs[FRENCH] - self.fcs[GERMAN])


def _throw(play: Play, battle: totals.Battle, drm: dict[Role, int], guns: dict[Role, bool]) -> Score:
    """The dice of both sides, after the re-rolls of those whose guns are up: the defender's first."""
    thrown = {
        battle.attacker: play.throw("combat_attacker", battle.name, count=2),
        battle.defender: play.throw("combat_defender", battle.name, count=2),
    }
    score = Score({side: (throw.faces[0], throw.faces[1]) for side, throw in thrown.items()}, drm)
    for side in (battle.defender, battle.attacker):
        winning = score.winner == side
        faces = throw_again(
            play, battle, side, score.faces[side], committed=guns[side], winning=winning, dice=thrown[side]
        )
        score = replace(score, faces={**score.faces, side: faces})
    return score


class _Damage(NamedTuple):
    """What the SP of both sides suffer, the attacker's first; *stacks*: what stands in their hexes after it."""

    before: dict[Role, losses.Shares]
    tolls: dict[Role, losses.Toll]
    stacks: dict[Role, dict[Hex, Stack]]


def _damage(play: Play, battle: totals.Battle, before: dict[Role, losses.Shares], score: Score) -> _Damage:
    defender = battle.defender
    tolls: dict[Role, losses.Toll] = {}
    for side, shares in before.items():
        hqs = totals.fighting_hqs(play.field, battle, side)
        order = policy(play.war, side, "losses", totals.seat(battle, side), *hqs)
        loss = (0, losses.winner_losses(score.spread)) if side == score.winner else losses.loser_losses(score.spread)
        tolls[side] = losses.take_losses(shares, *loss, order)
    stacks = {side: losses.after_losses(play.war.stacks.get(side, {}), before[side], tolls[side]) for side in before}
    stacks[defender] = {battle.hex: _detrained(stacks[defender].get(battle.hex, ()))}
    detrained = {at: _detrained(stack) for at, stack in tolls[defender].shares.items()}
    tolls[defender] = replace(tolls[defender], shares=detrained)
    return _Damage(before, tolls, stacks)


def _resolved(
    battle: totals.Battle, odds: tuple[int, int], to_dice: Added, score: Score, damage: _Damage, *, major: bool
) -> CombatResolved:
    attacker, defender, winner = battle.attacker, battle.defender, score.winner
    tolls, spread = damage.tolls, score.spread
    lp = {side: losses.winner_losses(spread) if side == winner else sum(losses.loser_losses(spread)) for side in tolls}
    return CombatResolved(
        **both(
            None,
            "WE-CBT-05",
            "WE-CBT-06",
            "WE-CBT-09",
            "WE-CBT-10",
            "WE-CBT-11",
            "WE-CBT-12",
            "WE-STA-01",
            *(one.rule for one in to_dice.modifiers),
            "WE-VIC-02" if major else "",
        ),
        combat=battle.name,
        hex=battle.hex,
        attacker=attacker,
        ratio=ratio_text(odds),
        crm=to_dice.crm,
        hq_drm=to_dice.modifiers,
        attacker_drm=to_dice.drm[attacker],
        defender_drm=to_dice.drm[defender],
        fcs_french=score.fcs[FRENCH],
        fcs_german=score.fcs[GERMAN],
        winner=winner,
        spread=spread,
        loser_lp=spread,
        eliminated=tolls[attacker if winner == defender else defender].eliminated,
        winner_lp=losses.winner_losses(spread),
        losses=tuple(losses.account(side, lp[side], damage.before[side], tolls[side]) for side in tolls),
        stacks=damage.stacks,
        toll={side: toll.eliminated for side, toll in tolls.items() if toll.eliminated},
    )


@rule("WE-RAI-03")
def _detrained(stack: Stack) -> Stack:
    """SP that were attacked on the train are on it no longer."""
    return every(stack, entrained=False)


def _reveal(play: Play, battle: totals.Battle, tolls: dict[Role, losses.Toll]) -> None:
    """Both sides have seen what fought; they remember what is left of it."""
    clock = (play.war.turn, play.war.pulse)

    def ghosts(side: Role, names: tuple[str, ...]) -> dict[Hex, Ghost]:
        return {
            at: Ghost(*clock, as_seen(stack), tuple(name for name in names if play.hq(name).hex == at))
            for at, stack in tolls[side].shares.items()
            if stack
        }

    theirs = totals.fighting_hqs(play.field, battle, battle.defender)
    play.look({battle.attacker: ghosts(battle.defender, theirs), battle.defender: ghosts(battle.attacker, battle.hqs)})


@rule("WE-HQC-01")
def _look_at_hqs(play: Play, battle: totals.Battle, decision: _Decision) -> None:
    """A side that threw doubles throws for each of its HQs in the combat."""
    involved = {side: totals.fighting_hqs(play.field, battle, side) for side in (battle.attacker, battle.defender)}
    for side, names in involved.items():
        for name in names if side in decision.doubles else ():
            check_hq(play, play.hq(name), "combat", battle.name)


class _Back(Struct, frozen=True, kw_only=True):
    shares: dict[Hex, Stack]
    garrison: bool = False
    lost: dict[Role, int] = {}


@rule("WE-MOV-06")
def _leave_the_fallen(play: Play, battle: totals.Battle, decision: _Decision) -> None:
    """HQs whose whole force the combat itself has eliminated are displaced, on whichever side, won or lost."""
    for side, hexes in ((battle.defender, (battle.hex,)), (battle.attacker, tuple(sorted(battle.shares)))):
        for at in hexes:
            if not decision.left[side].get(at):
                leave_no_hq_behind(play, play.field.hqs(side, at), battle.name)


@rule("WE-RET-01", "WE-RET-04", "WE-SIE-06")
def _send_back(play: Play, battle: totals.Battle, decision: _Decision) -> _Back:
    """Make the losers go; gives the attackers who are left, and where."""
    left = decision.left
    if decision.winner == battle.attacker:
        gone, garrison = _drive_out(play, battle, left[battle.defender].get(battle.hex, ()), left[battle.attacker])
        return _Back(shares=left[battle.attacker], garrison=garrison, lost={battle.defender: gone})
    if battle.how == "sortie":
        return _Back(shares=left[battle.attacker])
    shares: dict[Hex, Stack] = {}
    lost = 0
    # Who has come back into a hex from which others have still to go stays there.
    at_hand = {at: [hq.id for hq in totals.hqs_in(play.field, battle.attacker, battle.hqs, at)] for at in battle.shares}
    for at, stack in sorted(left[battle.attacker].items()):
        stays = _staying(play, battle.attacker, at, stack)
        going = without(stack, stays)
        if stays:
            shares[at] = together(shares.get(at, ()), stays)
        if not going:
            continue
        hqs = [name for name in at_hand[at] if play.hq(name).hex == at]
        thrown_back = battle.how == "march"
        others = count(without(play.stack(battle.attacker, at), stack)) > 0
        force = Beaten(
            side=battle.attacker,
            hex=battle.hex if thrown_back else at,
            stack=going,
            hqs=tuple(name for name in hqs if not others or name in battle.acting),
            first=at if thrown_back else None,
            at_first=thrown_back,
            ignoring=(battle.hex, at) if thrown_back else (),
            fought=(battle.hex,),
            combat=f"{battle.name}/{at}",
            stayed=count(stays),
        )
        after = retreat(play, force)
        lost += after.lost
        if after.hex is not None and after.stack:
            shares[after.hex] = together(shares.get(after.hex, ()), after.stack)
    return _Back(shares=shares, lost={battle.attacker: lost})


@rule("WE-RET-01", "WE-SIE-01")
def _staying(play: Play, side: Role, at: Hex, stack: Stack) -> Stack:
    """The beaten, attackers or defenders, who may and are to stay behind walls of their own: the best, up to the SR."""
    field = play.field
    if field.fortress_of(at) != side:
        return ()
    order = policy(play.war, side, "garrison", at, *(hq.id for hq in field.hqs(side, at)))
    room = {"leave": 0, "keep": order.numbers[0] if order.numbers else 0}.get(order.word, field.sr(at))
    return best(stack, min(room, field.sr(at)))


@rule("WE-RET-01", "WE-RET-04")
def _drive_out(play: Play, battle: totals.Battle, stack: Stack, winners: losses.Shares) -> tuple[int, bool]:
    """Make beaten defenders go, except a garrison; gives SP lost, and whether some stay."""
    hqs = totals.fighting_hqs(play.field, battle, battle.defender)
    stays = _staying(play, battle.defender, battle.hex, stack)
    going = without(stack, stays)
    if not going:
        return 0, bool(stays)
    force = Beaten(
        side=battle.defender,
        hex=battle.hex,
        stack=going,
        hqs=hqs,
        ignoring=disregarded(play.field, battle, winners),
        fought=just_fought(play.field, battle, winners),
        combat=f"{battle.name}/{battle.hex}",
        stayed=count(stays),
    )
    return retreat(play, force).lost, bool(stays)
