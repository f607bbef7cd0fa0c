"""Step 5 of a move: all fire of both sides, worked out on where everybody now stands and applied together.

Everything is laid first (who fires, on whom, with what), then thrown for, then taken off: nobody's fire is less for
what he suffers in the same move (KS-TUR-02).
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pbem.ground.bearing import opposite
from pbem.ground.plane import shifted
from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.field.works_standing import true_terrain
from pbem.systems.kriegsspiel.fire.ammunition import spend, spend_muskets
from pbem.systems.kriegsspiel.fire.batteries import battery_shots, turn_guns
from pbem.systems.kriegsspiel.fire.bombardment import bombard_step, burning, smouldering
from pbem.systems.kriegsspiel.fire.breaching import breach_step
from pbem.systems.kriegsspiel.fire.cover import firer_covered
from pbem.systems.kriegsspiel.fire.gunnery import Section, die_of, section_numbers
from pbem.systems.kriegsspiel.fire.lanes import Watch, front_point
from pbem.systems.kriegsspiel.fire.musketry import infantry_shots, reformed
from pbem.systems.kriegsspiel.fire.shots import Fallen, Shot, strike, thrown
from pbem.systems.kriegsspiel.play.play import Play, one
from pbem.systems.kriegsspiel.play.review import reviewed
from pbem.systems.kriegsspiel.tables.fire import SKIRMISH_FIGHT, Quality
from pbem.systems.kriegsspiel.world.bodies import is_on_map
from pbem.systems.kriegsspiel.world.forms import all_skirmish
from pbem.systems.kriegsspiel.world.outcomes_fire import FellBack
from pbem.systems.kriegsspiel.world.troops import March, UnitPatch


@rule("KS-TUR-02", "KS-LOS-08")
def fire(play: Play) -> None:
    """Lay, throw, apply; then the fires and breaches that guns make, and what is noted of all that."""
    play.stood = {unit.key: unit.strength for unit in play.on_map()}
    watch = Watch(play)
    guns = battery_shots(play, watch, reformed(play))
    shots = [*infantry_shots(play, watch), *(one_.shot for one_ in guns)]
    for one_ in guns:
        turn_guns(play, one_)
        spend(play, one_.shot.firer, one_.charge)
    fallen = [thrown(play, laid) for shot in shots if (laid := _reviewed(play, shot)) is not None]
    fallen += bombard_step(play)
    for hit in fallen:
        strike(play, hit)
    breach_step(play)
    smouldering(play)
    burning(play)
    _note(play, fallen)
    _skirmish_fights(play, fallen)


@rule("KS-GM-02")
def _reviewed(play: Play, shot: Shot) -> Shot | None:
    """By `gm_review = all` the umpire sees each fire before it is thrown: he may stop it, or change its effect."""
    words = (
        f"{shot.firer} ({shot.part}) fires on {shot.target} ({shot.on}) at {shot.distance} paces: Die {shot.die}, "
        f"{shot.weapon}, {shot.units} x {shot.share}, cover {shot.cover}."
    )
    choices = ("no fire", *(("good", "bad") if shot.quality else ()))
    said = reviewed(play, shot.purpose, shot.place, words, *choices)
    if said == "no fire":
        return None
    if said not in ("good", "bad"):
        return shot
    quality: Quality = "good" if said == "good" else "bad"
    section: Section = "howitzers" if shot.part == "howitzers" else "cannon" if shot.part == "cannon" else "battery"
    numbers, _, _ = section_numbers(play.unit(shot.firer), section, shot.band, quality, play.war.options)
    return shot._replace(
        quality=quality, die=die_of(quality), numbers=numbers, reasons=("ruling",), rules=(*shot.rules, "KS-GM-02")
    )


# ------------------------------------------------------------------ what fire leaves behind


@rule("KS-MOV-21", "KS-SIT-05", "KS-AMM-04")
def _note(play: Play, fallen: Sequence[Fallen]) -> None:
    """Who fired in close order or with guns, who was under canister, what was heard."""
    for key in dict.fromkeys(one_.shot.firer for one_ in fallen if one_.shot.part != "chain"):
        fought(play, key)
    for key in dict.fromkeys(one_.shot.firer for one_ in fallen if one_.shot.kind == "infantry"):
        spend_muskets(play, key)
    for one_ in fallen:
        if one_.shot.kind == "canister":
            _under_canister(play, one_.shot)
    noises = set()
    for one_ in fallen:
        unit = play.unit(one_.shot.firer)
        noises.add(("musketry" if one_.shot.kind == "infantry" else "cannon", unit.place.at, 0, unit.side))
    if noises:
        play.keep("noise", play.clock(guns_heard=(*play.war.clock.guns_heard, *sorted(noises))))


@rule("KS-MOV-21")
def fought(play: Play, key: str) -> None:
    """A move of fire in close order or of fighting, for the tally of fatigue."""
    unit = play.unit(key)
    if play.move not in unit.trial.fired:
        trial = replace(unit.trial, fired=(*unit.trial.fired, play.move), rested=0)
        play.change(unit, "fired", trial=trial)


@rule("KS-ATK-05", "KS-ODD-04", "KS-STR-07")
def _under_canister(play: Play, shot: Shot) -> None:
    """Good canister is noted for the fights that follow; any canister on troops in their attack counts in it."""
    unit = play.unit(shot.target)
    trial = unit.trial
    if shot.quality == "good" and play.move not in trial.canister:
        trial = replace(trial, canister=(*trial.canister, play.move))
    if trial.attacks and not trial.hit_advancing:
        trial = replace(trial, hit_advancing=True)
    if trial != unit.trial:
        play.change(unit, "canister", trial=trial)


@rule("KS-FIR-09")
def _skirmish_fights(play: Play, fallen: Sequence[Fallen]) -> None:
    """Skirmishers in the open who have lost a quarter of their men in three moves to skirmishers fall back."""
    (number, by), moves, back = SKIRMISH_FIGHT
    hit = dict.fromkeys(one_.shot.target for one_ in fallen if one_.shot.on == "chain" and one_.shot.part == "chain")
    for key in hit:
        unit = play.unit(key)
        lost = sum(tw for move, tw in unit.trial.chain_loss if move > play.move - moves)
        left = sum(unit.strength.chain.zugs) or unit.strength.tw
        covered = firer_covered(true_terrain(play.scene, play.war), unit, front_point(unit, "chain"))
        if covered or not is_on_map(unit) or not left or lost * by < (left + lost) * number:
            continue
        patch = UnitPatch(
            strength=replace(
                unit.strength,
                chain=replace(unit.strength.chain, ahead=max(unit.strength.chain.ahead - back, 0)),
            )
        )
        if all_skirmish(unit):
            way = (unit.place.at, shifted(unit.place.at, opposite(unit.place.facing), back))
            patch = UnitPatch(march=March(way=way, row="skirm_run", keeps=True, fast=unit.march.fast))
        play.add(FellBack(unit=key, paces=back, rules=cited("KS-FIR-09"), changes=one(unit, patch)))
        play.note(key, "change", "Our skirmishers have fallen back on their supports.")
