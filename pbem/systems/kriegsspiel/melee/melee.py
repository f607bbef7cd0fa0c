"""A fight hand to hand: the fire of the contact, the throw, who is beaten how badly, and what it costs (KS-ODD-10)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal, NamedTuple

from pbem.ground.bearing import rounded
from pbem.kernel.event import Throw
from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.field.field import terrain_of
from pbem.systems.kriegsspiel.fire import musketry
from pbem.systems.kriegsspiel.fire.shots import strike, thrown
from pbem.systems.kriegsspiel.melee.aftermath import beaten_side, follow_at_once, take_up_pursuit, winning_side
from pbem.systems.kriegsspiel.melee.fighters import Bout, as_they_stood, units_of
from pbem.systems.kriegsspiel.melee.flanks import stands
from pbem.systems.kriegsspiel.melee.letters import Beaten, forced
from pbem.systems.kriegsspiel.melee.odds import Odds, reckon
from pbem.systems.kriegsspiel.melee.points import Sides, mass_on_line
from pbem.systems.kriegsspiel.melee.second_line import lines_behind
from pbem.systems.kriegsspiel.play import losses as loss
from pbem.systems.kriegsspiel.play.fight_review import DIES, decided, faces_of, ruled_points
from pbem.systems.kriegsspiel.play.play import Die, Play
from pbem.systems.kriegsspiel.tables.attack import CONTACT_BAND, FOREGONE_LETTER
from pbem.systems.kriegsspiel.tables.dice import DICE, Face
from pbem.systems.kriegsspiel.tables.fire import DEFENDERS_LOSS, INFANTRY_BANDS
from pbem.systems.kriegsspiel.world.bodies import fights, is_remnant, may_attack, may_defend
from pbem.systems.kriegsspiel.world.forms import all_skirmish, zugs_of
from pbem.systems.kriegsspiel.world.outcomes_attack import Foregone, LetterChange, MeleeLoss, MeleeResolved, Pointed
from pbem.systems.kriegsspiel.world.outcomes_fire import FireResolved
from pbem.systems.kriegsspiel.world.patches import Changes
from pbem.systems.kriegsspiel.world.state import by_night
from pbem.systems.kriegsspiel.world.troops import ENEMY, Side, Unit

LETTER_DIE: Die = next(die for die in DIES if die == FOREGONE_LETTER)


class Cost(NamedTuple):
    """What the fight costs a body, before it is taken off."""

    unit: Unit
    points: int
    per_block: int
    kind: Literal["beaten", "defended", "victor"]
    rule_id: str


class Verdict(NamedTuple):
    """How a fight came out."""

    odds: Odds
    die: Die
    favoured: Literal["attackers", "defenders"]
    face: Face
    throws: tuple[Throw, ...]
    attackers_win: bool


# ------------------------------------------------------------------ the fire of the contact


@rule("KS-ATK-06", "KS-FIR-02")
def contact_fire(play: Play, bout: Bout) -> None:
    """Infantry that stands fires once on the attackers at the second number, at the first if they began close.

    Each part of a body fires at the nearest that came within its arc: a line taken in flank fires nothing.
    """
    fires = []
    changed = musketry.reformed(play)
    fired = {fact.firer for fact in play.facts if isinstance(fact, FireResolved) and fact.move == play.move}
    for unit in units_of(play, bout.defenders):
        if unit.arm not in ("infantry", "pioneers") or not stands(unit):
            continue
        if unit.key in changed or unit.key in fired or unit.change is not None:
            continue
        if unit.trial.flight or not may_defend(unit, play.move) or is_remnant(unit):
            continue
        enemies = [enemy for enemy in units_of(play, bout.attackers) if enemy.strength.tw or enemy.strength.chain.zugs]
        if not enemies:
            continue
        enemies.sort(key=lambda enemy: (play.field.gap(unit, enemy), enemy.key))
        for firer in musketry.firers_of(play, unit):
            target = next((enemy for enemy in enemies if musketry.in_arc(firer, enemy)), None)
            if target is None:
                continue
            close = target.trial.began <= INFANTRY_BANDS[0]
            band = 1 if close else CONTACT_BAND
            on: Literal["line", "chain"] = "chain" if all_skirmish(target) else "line"
            shot = musketry.laid(play, firer, target, on, INFANTRY_BANDS[band - 1], band=band)
            if shot is not None:
                fires.append(shot._replace(rules=(*shot.rules, "KS-ATK-06")))
    for fallen in [thrown(play, shot) for shot in fires]:
        strike(play, fallen)


# ------------------------------------------------------------------ the decision


@rule("KS-ODD-02", "KS-ODD-10", "KS-GM-02")
def decide_fight(play: Play, bout: Bout, sides: Sides, *, fixed: tuple[Die, str] | None = None) -> Verdict:
    """The odds, and the throw; where the numbers leave no doubt, a throw for the letter alone."""
    attackers: Side = sides.attackers[0].side
    keys = (*bout.attackers, *bout.defenders)
    points = ruled_points(play, keys, attackers)
    odds = reckon(play, sides, points)
    if fixed is not None:
        odds = odds._replace(
            start=0, start_rule=fixed[1], points=(), die=fixed[0], favoured="attackers", foregone=False
        )
    if odds.foregone:
        return _foregone(play, bout, odds)
    asks = f"{' and '.join(bout.attackers)} against {' and '.join(bout.defenders)}: index {odds.step}."
    purpose = "pursuit" if fixed is not None else "melee"
    found = decided(play, purpose, keys, odds.die, odds.favoured, asks, attackers)
    if found.ruled:
        odds = odds._replace(points=(*odds.points, ("ruling", 0)))
    black = found.face.circle == "black"
    wins = (found.favoured == "attackers") == black
    return Verdict(odds, found.die, found.favoured, found.face, found.throws, wins)


@rule("KS-ODD-02")
def _foregone(play: Play, bout: Bout, odds: Odds) -> Verdict:
    """The weaker loses without a decision: Die V is thrown until a black face comes, for its letter."""
    throws: list[Throw] = []
    while True:
        place = f"{bout.attackers[0]}.{len(throws)}"
        throws.append(play.throw("foregone_letter", place, LETTER_DIE))
        face = DICE[LETTER_DIE][throws[-1].faces[0] - 1]
        if face.circle == "black":
            break
    play.add(
        Foregone(
            attackers=bout.attackers, defenders=bout.defenders, difference=str(odds.difference),
            rules=cited("KS-ODD-02"), changes=Changes(),
        )
    )  # fmt: skip
    return Verdict(odds, LETTER_DIE, odds.favoured, face, tuple(throws), odds.step > 0)


# ------------------------------------------------------------------ letters


@rule("KS-ODD-11", "KS-SEC-03", "KS-SEC-10", "KS-CAV-01", "KS-CAV-02")
def letter_of(
    play: Play, unit: Unit, letter: str, sides: Sides, verdict: Verdict
) -> tuple[str, tuple[LetterChange, ...]]:
    """The letter of one of the beaten, with the rules that force it."""
    attacked = not verdict.attackers_win
    own = sides.behind_attackers if attacked else sides.behind_defenders
    victors = sides.defenders if attacked else sides.attackers
    by_cavalry = all(enemy.arm == "cavalry" for enemy in victors)
    foot = unit.arm in ("infantry", "pioneers")
    on_column = verdict.odds.start_rule if verdict.odds.start_rule in ("KS-CAV-01", "KS-CAV-02") else ""
    only = ""
    if own.second:
        only = "KS-SEC-10" if foot else "KS-SEC-03"
    return forced(
        letter,
        Beaten(
            cavalry_on_column=on_column if unit.arm == "cavalry" else "",
            not_defending=not may_defend(unit, play.move),
            line=foot and unit.place.formation == "line" and not by_cavalry,
            mass=foot and attacked and mass_on_line(sides),
            only_repulsed=only,
            beaten_before=not may_attack(unit, play.move) or (unit.arm == "cavalry" and unit.trial.first_beaten > 0),
            by_cavalry=foot and by_cavalry,
        ),
    )  # fmt: skip


# ------------------------------------------------------------------ what it costs


@rule("KS-LOS-05", "KS-LOS-06", "KS-RET-03", "KS-NIG-01")
def costs(play: Play, sides: Sides, verdict: Verdict, letters: dict[str, str], *, followed: bool) -> list[Cost]:
    """What each body loses: the beaten by their letters, infantry that stood and won, cavalry that beat cavalry."""
    beaten, victors = (
        (sides.defenders, sides.attackers) if verdict.attackers_win else (sides.attackers, sides.defenders)
    )
    found = []
    for unit in beaten:
        if unit.arm == "artillery":
            continue
        per = loss.beaten_losses(
            verdict.face, letters[unit.key], verdict.die, unit.arm, d4_inf=play.war.options.die4_D_inf
        )
        blocks = blocks_of(unit)
        found.append(Cost(unit, loss.melee_points(play.war, per, blocks, halved=followed), per, "beaten", "KS-LOS-05"))
    lost = sum(cost.points for cost in found)
    squadrons = [unit for unit in victors if unit.arm == "cavalry"]
    if all(unit.arm == "cavalry" for unit in (*beaten, *victors)) and squadrons:
        for unit, share in zip(squadrons, loss.victors_shares(lost, len(squadrons)), strict=True):
            found.append(Cost(unit, share, 0, "victor", "KS-LOS-05"))
    if not verdict.attackers_win:
        for unit in victors:
            if unit.arm not in ("infantry", "pioneers"):
                continue
            if unit.trial.answer.startswith("countercharge"):
                points = loss.melee_points(play.war, DEFENDERS_LOSS["half_battalion"], unit.strength.blocks)
                found.append(Cost(unit, points, 0, "victor", "KS-LOS-05"))
            else:
                cost = loss.defenders_cost(play.war, play.unit(unit.key))
                found.append(Cost(unit, cost.line + cost.chain, 0, "defended", "KS-LOS-05"))
    return found


def blocks_of(unit: Unit) -> Fraction:
    """Blocks for which a beaten body loses: half battalions, squadrons, pairs of zugs of skirmishers."""
    if all_skirmish(unit):
        return Fraction(zugs_of(unit), 2)
    return Fraction(loss.half_battalions_used(unit))


@rule("KS-LOS-05")
def lose_beaten(play: Play, unit: Unit, per_block: int, *, halved: bool = False) -> None:
    """Put the loss of a beaten body on it; what is out in skirmish order alone loses as skirmishers."""
    chain = bool(unit.strength.chain.zugs) and all_skirmish(unit)
    loss.lose_melee(play, unit, per_block, "melee", blocks=blocks_of(unit), halved=halved, chain=chain)


def take_off(play: Play, cost: Cost, *, followed: bool) -> None:
    """Put a cost on its body."""
    match cost.kind:
        case "beaten":
            lose_beaten(play, cost.unit, cost.per_block, halved=followed)
        case "defended":
            loss.lose_defending(play, cost.unit)
        case "victor":
            loss.lose(play, cost.unit, cost.points, "melee", cost.rule_id)


# ------------------------------------------------------------------ the whole


@rule("KS-ODD-10", "KS-ODD-11", "KS-CAV-06", "KS-ATK-11")
def fight_out(play: Play, bout: Bout, *, fixed: tuple[Die, str] | None = None) -> bool:
    """One fight from the fire of the contact to the retreat of the beaten; whether the attackers won."""
    # Losses of this move change the pieces in step 8: strengths are those before its fire.
    attackers, defenders = as_they_stood(play, bout.attackers), as_they_stood(play, bout.defenders)
    sides = Sides(attackers, defenders, lines_behind(play, attackers), lines_behind(play, defenders))
    if fixed is None:
        contact_fire(play, bout)
    attackers = [unit for unit in attackers if fights(play.unit(unit.key))]
    defenders = [unit for unit in defenders if fights(play.unit(unit.key))]
    bout = bout._replace(
        attackers=tuple(unit.key for unit in attackers), defenders=tuple(unit.key for unit in defenders)
    )
    if not attackers or not defenders:
        return bool(attackers)
    sides = sides._replace(attackers=attackers, defenders=defenders)
    verdict = decide_fight(play, bout, sides, fixed=fixed)
    beaten = defenders if verdict.attackers_win else attackers
    victors = attackers if verdict.attackers_win else defenders
    letter = verdict.face.letter or "R"
    lettered = {
        unit.key: letter_of(play, unit, letter, sides, verdict) if fixed is None else (letter, ()) for unit in beaten
    }
    letters = {key: found[0] for key, found in lettered.items()}
    followed = follow_at_once(victors)
    bill = costs(play, sides, verdict, letters, followed=followed)
    first = lettered[beaten[0].key]
    play.add(_resolved(play, bout, verdict, letter, first, bill, victors[0].side, *_further(play, bout, sides)))
    for cost in bill:
        take_off(play, cost, followed=followed)
    owed = _owed(bill) if followed else {}
    beaten_side(play, bout, sides, letters, attackers_win=verdict.attackers_win, owed=owed)
    mass = verdict.odds.start_rule == "KS-CAV-02"
    winning_side(play, bout, attackers_win=verdict.attackers_win, letter=first[0], mass_beaten=mass)
    if fixed is None:
        own = sides.behind_attackers if verdict.attackers_win else sides.behind_defenders
        others = sides.behind_defenders if verdict.attackers_win else sides.behind_attackers
        if not others.second and all(unit.arm == "cavalry" for unit in (*victors, *beaten)):
            take_up_pursuit(play, own.second, beaten)
    return verdict.attackers_win


@rule("KS-SEC-11", "KS-STR-10")
def _further(play: Play, bout: Bout, sides: Sides) -> tuple[str, ...]:
    """Rules that say that something more makes no difference: a third line, houses and woods about the fight."""
    found = []
    for lines in (sides.behind_attackers, sides.behind_defenders):
        if lines.second and lines_behind(play, lines.second).second:
            found.append("KS-SEC-11")
    area = terrain_of(play.scene).area(play.unit(bout.defenders[0]).place.at)
    if area is not None and (area.built or area.kind.startswith("wood")):
        found.append("KS-STR-10")
    return tuple(found)


@rule("KS-RET-03", "KS-LOS-06")
def _owed(bill: Sequence[Cost]) -> dict[str, int]:
    """What the pursuit will cost the beaten: the other half of their loss."""
    found = {}
    for cost in bill:
        if cost.kind == "beaten":
            whole = Fraction(cost.per_block) * blocks_of(cost.unit)
            found[cost.unit.key] = rounded(whole.numerator, whole.denominator) - cost.points
    return found


def _resolved(
    play: Play,
    bout: Bout,
    verdict: Verdict,
    letter: str,
    first: tuple[str, tuple[LetterChange, ...]],
    bill: list[Cost],
    winner: Side,
    *more: str,
) -> MeleeResolved:
    odds = verdict.odds
    side = play.unit(bout.attackers[0]).side
    points = tuple(Pointed(name, side if number >= 0 else ENEMY[side], abs(number)) for name, number in odds.points)
    counted = {line.rule_id for line in odds.strands} | {line.doubling for line in odds.strands if line.doubling}
    dice_rule = {"I": "KS-DIE-02", "II": "KS-DIE-03", "III": "KS-DIE-04", "IV": "KS-DIE-05", "V": "KS-DIE-06"}
    riders = all(play.unit(key).arm == "cavalry" for key in (*bout.attackers, *bout.defenders))
    caught = play.unit(bout.attackers[0]).arm == "cavalry" and any(
        all_skirmish(play.unit(key)) for key in bout.defenders
    )
    rules = (
        "KS-ODD-10", *(("KS-CAV-06",) if riders else ()), *(("KS-CAV-05",) if caught else ()), odds.start_rule,
        *sorted(counted),
        *(name for name, _ in odds.points if name.startswith("KS")),
        *(change.rule_id for change in first[1]), "KS-ODD-11", "KS-LOS-05", "KS-ATK-08", "KS-ATK-11", "KS-DIE-01",
        dice_rule[verdict.die], *(("KS-NIG-01",) if by_night(play.war) else ()),
        *(("KS-RET-07",) if any(name == "KS-ODD-07" for name, _ in odds.points) else ()), *more,
        *(("KS-GM-02",) if any(name == "ruling" for name, _ in odds.points) else ()),
    )  # fmt: skip
    return MeleeResolved(
        attackers=bout.attackers, defenders=bout.defenders, strengths=odds.strands, difference=str(odds.difference),
        start_index=odds.start, start_rule=odds.start_rule, points=points, index=odds.step, die=verdict.die,
        favoured=side if verdict.favoured == "attackers" else ENEMY[side], throws=faces_of(verdict.throws),
        winner=winner, letter_thrown=letter, letter_changes=first[1], letter=first[0],
        losses=tuple(MeleeLoss(cost.unit.key, cost.points, cost.rule_id) for cost in bill if cost.points),
        dice=verdict.throws, rules=cited(*rules), changes=Changes(),
    )  # fmt: skip
