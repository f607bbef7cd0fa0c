"""Losses: points into men and guns, exchange pieces, blocks taken off, remnants.  Nothing is lost that is not counted.

`lose` puts points on the close-ordered body of a unit or on its guns, `lose_chain` on its skirmishers; `lose_melee` and
`lose_defending` reckon what a fight hand to hand costs and put it on both.  Each reads the unit anew, so that losses of
one moment can be put one after another.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, NamedTuple

from msgspec.structs import replace

from pbem.ground.bearing import rounded
from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.play.play import Play
from pbem.systems.kriegsspiel.tables import fire as of_fire
from pbem.systems.kriegsspiel.tables.dice import Face
from pbem.systems.kriegsspiel.world.bodies import is_remnant
from pbem.systems.kriegsspiel.world.fact import Fact
from pbem.systems.kriegsspiel.world.options import Options
from pbem.systems.kriegsspiel.world.outcomes_fire import BlockRemoved, GunsLost, LossApplied, PieceExchanged
from pbem.systems.kriegsspiel.world.patches import Changes
from pbem.systems.kriegsspiel.world.state import War, by_night
from pbem.systems.kriegsspiel.world.strengths import loss_fraction, step_of, told_losses
from pbem.systems.kriegsspiel.world.troops import Chain, March, Strength, Trial, Unit, UnitPatch

PIECES = {(1, 1): "whole", (5, 6): "larger", (4, 6): "smaller", (0, 1): "none"}
"""The names of a block and its exchange pieces."""

BLOCKS = ("battalion", "half_battalion")
SHOTS = ("infantry_fire", "canister", "ball", "grenade", "attack_fire", "burning")
"""Causes that count as being under fire."""

GUNFIRE = ("canister", "ball", "grenade")
"""Of these, the fire of artillery."""

FAST = (1, 6), (2, 6), (1, 2)
"""Fractions lost that an officer reports when they are passed (KS-MSG-08)."""


# ------------------------------------------------------------------ what a point is


@rule("KS-LOS-01")
def tw_of_point(unit: Unit, options: Options, *, chain: bool = False) -> int:
    """Twelfths of a man for a point: skirmishers, riders, or infantry in two ranks or three."""
    if chain or unit.size in ("picket25", "picket10", "post", "zug"):
        return of_fire.POINT_TW["skirmishers"] * of_fire.OFF_AT["skirmish_zug"] // options.skirmish_zug_points
    if unit.arm == "cavalry":
        return of_fire.POINT_TW["cavalry"]
    return of_fire.POINT_TW["two_ranks" if unit.strength.ranks == 2 else "three_ranks"]


@rule("KS-LOS-02", "KS-LOS-03")
def points_left(unit: Unit, options: Options) -> int:
    """Points that a body, without its chain, can still lose: nobody loses more than he has (KS-LOS-08)."""
    if unit.arm == "artillery":
        return unit.strength.guns * of_fire.GUN_POINTS[0] // of_fire.GUN_POINTS[1] - unit.strength.points
    rate = tw_of_point(unit, options)
    return -(-unit.strength.tw // rate)


@rule("KS-LOS-04")
def halves_of(points: int) -> tuple[int, int]:
    """A battalion's loss on its right and its left half battalion: the odd point on the right one."""
    return points - points // 2, points // 2


# ------------------------------------------------------------------ fire


@rule("KS-LOS-01", "KS-LOS-03", "KS-LOS-04", "KS-LOS-08", "KS-ART-08")
def lose(play: Play, unit: Unit, points: int, cause: str, *rules: str, half: int = 0) -> int:
    """Points on the close-ordered body of a unit, or on its guns.

    *half* is the half battery that was hit: 0 the right one, 1 the left.  Where nobody stands in close order any
    longer, its chain loses them.  Gives back the twelfths of men lost.
    """
    unit = play.unit(unit.key)
    points = _pinned(play, unit, points, unit.arm)
    if points <= 0:
        return 0
    if unit.arm == "artillery":
        _lose_guns(play, unit, points, cause, rules, half)
        return 0
    if not unit.strength.tw or unit.place.formation == "skirmish_order":
        return _off_chain(play, unit, points, cause, rules)
    strength = unit.strength
    points = min(points, points_left(unit, play.war.options))
    tw = min(points * tw_of_point(unit, play.war.options), strength.tw)
    after = replace(strength, tw=strength.tw - tw, points=strength.points + points)
    facts: list[Fact] = []
    after = _exchanged(unit, after, facts)
    _applied(play, unit, Loss(after, points, tw, cause, rules, "line", tuple(facts)))
    return tw


@rule("KS-LOS-02", "KS-LOS-03")
def _exchanged(unit: Unit, after: Strength, facts: list[Fact]) -> Strength:
    """The blocks and pieces of a body after its loss; tells of every change."""
    if unit.arm == "infantry" and unit.size in BLOCKS:
        before = unit.strength
        if before.blocks < 1:
            return after
        lost = after.points
        if after.blocks >= 2 and after.points >= of_fire.OFF_AT["half_battalion"]:
            after = replace(after, blocks=1, points=after.points - of_fire.OFF_AT["half_battalion"])
            facts.append(BlockRemoved(unit=unit.key, what="half_battalion", survivors_tw=after.tw))
        step = step_of(after.blocks, after.points)
        old = step_of(before.blocks, before.points)
        if not step.blocks:
            return replace(after, blocks=0)
        if (step.blocks, step.share) != (old.blocks, old.share):
            facts.append(
                PieceExchanged(
                    battalion=unit.key, start=PIECES[old.share], to=PIECES[step.share], points_lost=lost,
                    rules=cited("KS-LOS-03"),
                )
            )  # fmt: skip
        return after
    if _worn_out(unit, after):
        return replace(after, blocks=0)
    return after


@rule("KS-LOS-02")
def _worn_out(unit: Unit, after: Strength) -> bool:
    """Whether a squadron, company or train is taken off: at 60 points, or with half of its men."""
    if is_remnant(unit):
        return False
    if unit.size == "squadron":
        return after.points >= of_fire.OFF_AT["squadron"]
    return unit.size in ("company", "pioneer_company") and 2 * after.tw <= unit.strength.full_tw - 2 * sum(
        after.chain.zugs
    )


@rule("KS-ART-08", "KS-LOS-02")
def _lose_guns(play: Play, unit: Unit, points: int, cause: str, rules: tuple[str, ...], half: int) -> None:
    """Guns come off two at every full 25 points: cannon first, from the half battery that was hit."""
    full, at_once = of_fire.GUN_POINTS
    strength = unit.strength
    points = min(points, points_left(unit, play.war.options))
    if points <= 0:
        return
    carried = strength.points + points
    gone = 0
    while carried >= full and strength.guns:
        pair = min(at_once, strength.guns)
        strength = without_guns(strength, pair, half)
        carried -= full
        gone += pair
    strength = replace(strength, points=carried if strength.guns else 0)
    facts: list[Fact] = []
    if gone:
        facts.append(GunsLost(battery=unit.key, guns=gone, points=strength.points, rules=cited("KS-ART-08")))
    _applied(play, unit, Loss(strength, points, 0, cause, rules, "guns", tuple(facts), gone))


@rule("KS-ART-08")
def without_guns(strength: Strength, count: int, half: int) -> Strength:
    """A battery less so many guns: cannon before howitzers, the half battery that was hit before the other."""
    cannon, howitzers = list(strength.cannon), list(strength.howitzers)
    for guns in (cannon, howitzers):
        for which in (half, 1 - half):
            off = min(count, guns[which])
            guns[which] -= off
            count -= off
    return replace(strength, cannon=(cannon[0], cannon[1]), howitzers=(howitzers[0], howitzers[1]))


@rule("KS-LOS-01", "KS-LOS-02", "KS-LOS-04", "KS-LOS-08")
def lose_chain(play: Play, unit: Unit, points: int, cause: str, *rules: str) -> int:
    """Points on the skirmishers that a unit has out: they fill one zug after another."""
    unit = play.unit(unit.key)
    points = _pinned(play, unit, points, "skirmishers")
    return _off_chain(play, unit, points, cause, rules) if points > 0 else 0


def _off_chain(play: Play, unit: Unit, points: int, cause: str, rules: tuple[str, ...]) -> int:
    options = play.war.options
    if not unit.strength.chain.zugs:
        return _off_open_order(play, unit, points, cause, rules)
    chain, rate, full = unit.strength.chain, tw_of_point(unit, options, chain=True), options.skirmish_zug_points
    zugs, carried, lost, left = list(chain.zugs), chain.points, 0, points
    facts: list[Fact] = []
    while left > 0 and zugs:
        take = min(left, full - carried)
        off = zugs[0] if carried + take == full else min(zugs[0], take * rate)
        zugs[0] -= off
        lost += off
        left -= take
        carried += take
        if carried == full or not zugs[0]:
            zugs.pop(0)
            carried = 0
            facts.append(
                BlockRemoved(
                    unit=unit.key, what="zug", survivors_tw=unit.strength.tw + sum(zugs), rules=cited("KS-LOS-02")
                )
            )
    if points == left:
        return 0
    after = replace(unit.strength, chain=replace(chain, zugs=tuple(zugs), points=carried) if zugs else Chain())
    _applied(play, unit, Loss(after, points - left, lost, cause, rules, "chain", tuple(facts)))
    return lost


@rule("KS-LOS-01", "KS-LOS-03")
def _off_open_order(play: Play, unit: Unit, points: int, cause: str, rules: tuple[str, ...]) -> int:
    """Points on a body that is in skirmish order as a whole: it counts in blocks by the same fraction of its men."""
    if unit.place.formation != "skirmish_order":
        return 0
    strength = unit.strength
    tw = min(points * tw_of_point(unit, play.war.options, chain=True), strength.tw)
    after = replace(strength, tw=strength.tw - tw)
    after = replace(after, points=max(strength.points, points_by_men(after)))
    facts: list[Fact] = []
    after = _exchanged(unit, after, facts)
    _applied(play, unit, Loss(after, points, tw, cause, rules, "chain", tuple(facts)))
    return tw


@rule("KS-LOS-03")
def points_by_men(strength: Strength) -> int:
    """Points in close order that men lost are worth: 15 in the line are 75 men, as are 60 in the chain."""
    lost = strength.full_tw - strength.tw - sum(strength.chain.zugs)
    whole = rounded(max(lost, 0), of_fire.POINT_TW["three_ranks"])
    blocks_gone = max(strength.full_tw // 5400 - strength.blocks, 0)
    return max(whole - blocks_gone * of_fire.OFF_AT["half_battalion"], 0)


@rule("KS-LOS-03", "KS-LOS-01")
def come_in(unit: Unit) -> Strength:
    """A body whose zugs have come in: it counts by the points it has lost, or by its men in the same fraction.

    By men alone no last block is taken off.
    """
    chain = unit.strength.chain
    strength = replace(unit.strength, tw=unit.strength.tw + sum(chain.zugs), ranks=3, chain=Chain())
    if unit.size not in BLOCKS or strength.blocks < 1:
        return strength
    points = max(strength.points, points_by_men(strength))
    if strength.blocks >= 2 and points >= of_fire.OFF_AT["half_battalion"]:
        strength, points = replace(strength, blocks=1), points - of_fire.OFF_AT["half_battalion"]
    return replace(
        strength,
        points=min(points, of_fire.EXCHANGE["half_battalion"][-1].points - 1 if strength.blocks == 1 else points),
    )


# ------------------------------------------------------------------ what comes of it


class Loss(NamedTuple):
    """A loss that has been worked out."""

    after: Strength
    """What is left of the unit."""
    points: int
    tw: int
    cause: str
    rules: tuple[str, ...]
    part: Literal["line", "chain", "guns"]
    facts: tuple[Fact, ...] = ()
    """What is told of blocks, pieces and guns that come off by it."""
    guns: int = 0


def _applied(play: Play, unit: Unit, loss: Loss) -> None:
    """The fact of a loss with all that it makes of the unit, and what its officer reports."""
    after, part = loss.after, loss.part
    before = loss_fraction(unit)
    trial = _tried(unit.trial, play.move, loss.cause, loss.tw, part)
    patch = UnitPatch(strength=after, trial=trial)
    removed = not is_remnant(unit) and not after.blocks and part != "guns"
    empty = not after.tw and not sum(after.chain.zugs) and not after.guns
    if removed:
        after = replace(after, tw=after.men_tw, chain=Chain())
        patch = UnitPatch(strength=after, trial=_as_left(trial, "remnant"), march=March(), change=None)
    if empty:
        patch = replace(
            patch, strength=after, trial=_as_left(trial, "destroyed"), march=March(), change=None,
            place=replace(unit.place, stand="gone"),
        )  # fmt: skip
    gone = {f"{unit.side} men lost": loss.tw, f"{unit.side} guns lost": loss.guns}
    whole = part == "line" and unit.size == "battalion" and unit.strength.blocks == 2
    changes = Changes(units={unit.key: patch}, losses={name: lost for name, lost in gone.items() if lost})
    now = replace(unit, strength=after)
    play.add(
        LossApplied(
            unit=unit.key, points=loss.points, men_tw=loss.tw, cause=loss.cause, part=part,
            halves=halves_of(loss.points) if whole else (0, 0), new_fraction=told_losses(now), changes=changes,
            rules=cited(*loss.rules, "KS-LOS-01", "KS-LOS-04", "KS-LOS-08"),
        )
    )  # fmt: skip
    for fact in loss.facts:
        play.add(replace(fact, rules=fact.rules or cited("KS-LOS-02", "KS-LOS-03"), changes=Changes()))
    if removed and not empty:
        play.add(
            BlockRemoved(
                unit=unit.key, what="body", survivors_tw=after.tw, remnant_id=unit.id,
                rules=cited("KS-LOS-02", "KS-LOS-03"), changes=Changes(),
            )
        )  # fmt: skip
    _told(play, now, before, gone_for_good=empty)


def _tried(trial: Trial, move: int, cause: str, tw: int, part: str) -> Trial:
    """The tallies of a body that loses: when it was under fire, and what it lost to musketry and in its chain."""
    if cause in SHOTS:
        trial = replace(trial, under_fire=move)
    if cause in GUNFIRE:
        trial = replace(trial, under_guns=move)
    if cause == "canister":
        trial = replace(trial, under_canister=move)
    if cause in ("infantry_fire", "attack_fire") and tw:
        trial = replace(trial, infantry_loss=(*trial.infantry_loss, (move, tw)))
    if part == "chain" and tw:
        trial = replace(trial, chain_loss=(*trial.chain_loss, (move, tw)))
    return trial


@rule("KS-LOS-03")
def _as_left(trial: Trial, state: Literal["remnant", "destroyed"]) -> Trial:
    """What is left of a body, if anything is, fights no longer, flees from nobody and attacks nobody."""
    return replace(trial, state=state, attacks="", declared=-100, answer="", pursuing=0, contact=-1, flight=0)


@rule("KS-LOS-07")
def _told(play: Play, now: Unit, before: Fraction, *, gone_for_good: bool) -> None:
    """Losses that pass a sixth, two or the half are reported as fractions, if anybody is left to report."""
    after = loss_fraction(now)
    if not gone_for_good and any(before < Fraction(*mark) <= after for mark in FAST):
        play.note(now.key, "losses_passed", f"Our losses: {told_losses(now)}.")


@rule("KS-LOS-04")
def _pinned(play: Play, unit: Unit, points: int, column: str) -> int:
    """By the option `side_pins` points are kept for the side: what fills the column of an arm comes off at once.

    It comes off the body whose loss fills it.
    """
    if not play.war.options.side_pins or points <= 0:
        return points
    name = f"{unit.side} pins {column}"
    full = {
        "infantry": of_fire.EXCHANGE["battalion"][1].points,
        "skirmishers": of_fire.OFF_AT["skirmish_zug"],
        "cavalry": of_fire.OFF_AT["squadron"],
        "artillery": of_fire.OFF_AT["gun_pair"],
    }.get(column, 1)
    kept = play.war.losses.get(name, 0) + points
    due = kept // full * full
    play.keep("pins", Changes(losses={name: points - due}))
    return due


# ------------------------------------------------------------------ hand to hand


class Cost(NamedTuple):
    """Points on the line of a unit, and on its chain."""

    line: int
    chain: int = 0


@rule("KS-LOS-05")
def half_battalions_used(unit: Unit) -> int:
    """Blocks for which the beaten lose: half battalions, squadrons, or, of a chain alone, pairs of zugs."""
    if unit.arm in ("infantry", "pioneers") and not unit.strength.tw:
        return (len(unit.strength.chain.zugs) + 1) // 2
    return max(unit.strength.blocks, 1)


@rule("KS-LOS-05", "KS-NIG-01")
def melee_points(war: War, points_per_block: int, blocks: Fraction | int, *, halved: bool = False) -> int:
    """What a fight costs: so many points for each block, half of it by night; rounded once.

    *halved*: half of that again, where the victors follow at once (KS-LOS-06, KS-RET-03).
    """
    points = Fraction(points_per_block) * blocks
    if by_night(war):
        points *= Fraction(*of_fire.NIGHT_MELEE)
    if halved:
        points *= Fraction(*of_fire.FOLLOWED_LOSS)
    return rounded(points.numerator, points.denominator)


@rule("KS-LOS-05", "KS-LOS-06", "KS-NIG-01")
def lose_melee(
    play: Play,
    unit: Unit,
    points_per_block: int,
    cause: str = "melee",
    *rules: str,
    blocks: Fraction | int | None = None,
    chain: bool = False,
    halved: bool = False,
) -> int:
    """The loss of a body beaten hand to hand, for each half battalion, pair of zugs or squadron in the fight.

    *chain*: it fell on its skirmishers.  Gives back the points lost.
    """
    unit = play.unit(unit.key)
    pairs = (len(unit.strength.chain.zugs) + 1) // 2
    used = blocks if blocks is not None else (pairs if chain else half_battalions_used(unit))
    points = melee_points(play.war, points_per_block, used, halved=halved)
    (lose_chain if chain else lose)(play, unit, points, cause, "KS-LOS-05", *rules)
    return points


@rule("KS-LOS-05")
def beaten_losses(face: Face, letter: str, die: str, arm: str, *, d4_inf: int = 25) -> int:
    """Points a block for a letter that stands after all changes: a lowered R takes R's number of that die.

    *d4_inf* is the option `die4_D_inf`: what a defeated half battalion loses on Die IV.
    """
    which = 1 if arm == "cavalry" else 0
    if face.letter == letter:
        number = face.losses[which]
    else:
        number = {"R": (15, 6 if die == "I" else 8), "D": (25, 10), "T": (30, 12)}[letter][which]
    return d4_inf if (die, letter, which) == ("IV", "D", 0) else number


@rule("KS-LOS-05", "KS-NIG-01")
def defenders_cost(war: War, unit: Unit) -> Cost:
    """What victorious infantry loses that stood against an attack: 10 a half battalion, 5 a zug out."""
    blocks = unit.strength.blocks if unit.strength.tw else 0
    return Cost(
        melee_points(war, of_fire.DEFENDERS_LOSS["half_battalion"], blocks),
        melee_points(war, of_fire.DEFENDERS_LOSS["zug"], len(unit.strength.chain.zugs)),
    )


@rule("KS-LOS-05")
def lose_defending(play: Play, unit: Unit, *rules: str) -> Cost:
    """Put the loss of victorious defending infantry on its line and its chain."""
    cost = defenders_cost(play.war, play.unit(unit.key))
    lose(play, unit, cost.line, "melee", "KS-LOS-05", *rules)
    lose_chain(play, unit, cost.chain, "melee", "KS-LOS-05", *rules)
    return cost


@rule("KS-LOS-05")
def victors_shares(losers_points: int, squadrons: int) -> tuple[int, ...]:
    """What each victorious squadron loses to cavalry: half of the loser's loss, spread, the odd points on the first.

    >>> victors_shares(40, 4)
    (5, 5, 5, 5)
    """
    number, by = of_fire.VICTORS_LOSS
    whole = rounded(losers_points * number, by)
    each, odd = divmod(whole, squadrons)
    return tuple(each + (1 if i < odd else 0) for i in range(squadrons))


@rule("KS-LOS-06", "KS-RET-03")
def followed_parts(points: int) -> tuple[int, int]:
    """A loss in the fight and in the pursuit, where the victors follow at once: half each, the odd point first."""
    number, by = of_fire.FOLLOWED_LOSS
    first = rounded(points * number, by)
    return first, points - first


@rule("KS-PRI-05")
def captured(play: Play, unit: Unit, tw: int) -> Changes:
    """Men of a unit that the enemy takes: of the line first, then of the chain; the change of truth for a fact."""
    strength = play.unit(unit.key).strength
    line = min(tw, strength.tw)
    rest, zugs = min(tw - line, sum(strength.chain.zugs)), list(strength.chain.zugs)
    taken = line + rest
    for i in range(len(zugs)):
        off = min(rest, zugs[i])
        zugs[i] -= off
        rest -= off
    after = replace(
        strength, tw=strength.tw - line, chain=replace(strength.chain, zugs=tuple(one for one in zugs if one))
    )
    return Changes(units={unit.key: UnitPatch(strength=after)}, losses={f"{unit.side} men captured": taken})
