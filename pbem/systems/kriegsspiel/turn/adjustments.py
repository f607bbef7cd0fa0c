"""Step 8 of a move: recovery, remnants, batteries out of action, tallies that are trimmed (KS-TUR-02)."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.ground.bearing import rounded
from pbem.ground.plane import distance
from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.fire.ammunition import refilled
from pbem.systems.kriegsspiel.fire.canister import safe_from
from pbem.systems.kriegsspiel.march.forming import begin_change
from pbem.systems.kriegsspiel.play.play import Play, one
from pbem.systems.kriegsspiel.tables.fire import EXCHANGE, MAN_TW, POINT_TW, REMNANTS_JOIN
from pbem.systems.kriegsspiel.turn.decisions import retreat_place
from pbem.systems.kriegsspiel.world.bodies import BEATEN, is_remnant, is_retiring
from pbem.systems.kriegsspiel.world.orders import Order, Spot
from pbem.systems.kriegsspiel.world.outcomes_fire import FireResolved, Recovered, RemnantsJoined
from pbem.systems.kriegsspiel.world.patches import Changes
from pbem.systems.kriegsspiel.world.troops import March, Trial, Unit, UnitPatch

KEEPS = {"fired": 15, "canister": 3, "attacked_here": 10}
"""Moves for which a tally of moves is kept."""

KEEPS_LOSS = 3
MEET = 100
"""Paces within which two remnants have met."""

TO_THE_REAR = "to the rear"


@rule("KS-TUR-02")
def adjust(play: Play) -> None:
    """All that is put right at the end of a move, unit by unit."""
    canister = {
        fact.target
        for fact in play.facts
        if isinstance(fact, FireResolved) and fact.move == play.move and fact.shot == "canister"
    }
    for key in [unit.key for unit in play.on_map()]:
        _recover(play, play.unit(key), under_canister=key in canister)
        _halt_again(play, play.unit(key))
        _battery_back(play, play.unit(key))
        _remnant(play, play.unit(key))
        _trim(play, play.unit(key))
    _join_remnants(play)


# ------------------------------------------------------------------ recovery


@rule("KS-ATK-07", "KS-RET-07")
def _recover(play: Play, unit: Unit, *, under_canister: bool) -> None:
    """Beaten troops recover but in moves of contact, pursuit or canister; able to attack, they are fresh again."""
    trial = unit.trial
    retiring = is_retiring(unit)
    if (trial.kept if retiring else trial.state) not in BEATEN or trial.beaten >= play.move:
        return
    following = play.move + 1
    if under_canister or trial.contact >= 0:
        held = replace(
            trial,
            defend_from=trial.defend_from + 1 if trial.defend_from >= following else trial.defend_from,
            attack_from=trial.attack_from + 1 if trial.attack_from >= following else trial.attack_from,
        )
        play.change(unit, "does not recover", trial=held)
        return
    if trial.attack_from <= following and not trial.flight:
        state = trial.state if retiring else "fresh"
        fit = replace(trial, state=state, kept="fresh", letter="", defend_from=0, attack_from=0)
        _again(play, unit, "attacks", fit)
    elif trial.defend_from == following:
        _again(play, unit, "defends", trial)


def _again(play: Play, unit: Unit, what: str, trial: Trial) -> None:
    play.add(
        Recovered(
            unit=unit.key,
            what="attacks" if what == "attacks" else "battery" if what == "battery" else "defends",
            rules=cited("KS-BAT-05" if what == "battery" else "KS-ATK-07"),
            changes=one(unit, UnitPatch(trial=trial)),
        )
    )


@rule("KS-ATK-04")
def _halt_again(play: Play, unit: Unit) -> None:
    """Troops that retired under canister halt when they are safe from it, face the enemy and obey again."""
    if not is_retiring(unit):
        return
    batteries = [
        enemy
        for enemy in play.field.enemies(unit.side, formed=True)
        if enemy.arm == "artillery" and not enemy.place.limbered
    ]
    if unit.march.way and not all(safe_from(play, unit.place.at, battery) for battery in batteries):
        return
    back = (unit.place.facing + 18000) % 36000
    play.add(
        Recovered(
            unit=unit.key, what="halts", rules=cited("KS-ATK-04"),
            changes=one(
                unit,
                UnitPatch(
                    trial=replace(unit.trial, state=unit.trial.kept, kept="fresh"),
                    march=March(fast=unit.march.fast),
                ),
            ),
        )
    )  # fmt: skip
    if unit.place.moved:
        begin_change(play, play.unit(unit.key), unit.place.formation, back)


@rule("KS-BAT-05")
def _battery_back(play: Play, unit: Unit) -> None:
    """A battery that was taken and retaken is in action again."""
    if 0 < unit.trial.out_until <= play.move:
        _again(play, unit, "battery", replace(unit.trial, out_until=0))


# ------------------------------------------------------------------ remnants


@rule("KS-LOS-03")
def _remnant(play: Play, unit: Unit) -> None:
    """What is left of a body marches to its side's rear, whatever it is told."""
    if not is_remnant(unit):
        return
    place = retreat_place(play, unit)
    queue = unit.duty.queue
    if distance(unit.place.at, place) <= MEET or _mate(play, unit) is not None:
        if queue:
            play.change(unit, "in the rear", duty=replace(unit.duty, queue=()), march=March())
        return
    if not queue or queue[0].text != TO_THE_REAR:
        order = Order(verb="retire", text=TO_THE_REAR, to=(Spot(place, f"{place.x},{place.y}"),))
        duty = replace(unit.duty, queue=(order,), triggers=(), begun=-1, stage="", count=0)
        play.change(unit, "to the rear", duty=duty)


def _mate(play: Play, unit: Unit) -> Unit | None:
    """Another remnant of the same battalion that it has met."""
    if unit.arm != "infantry" or not play.war.options.merge_remnants:
        return None
    own = unit.duty.parent or unit.id
    return next(
        (
            other
            for other in play.on_map(unit.side)
            if other.key != unit.key
            and is_remnant(other)
            and other.arm == "infantry"
            and (other.duty.parent or other.id) == own
            and play.field.gap(unit, other) <= MEET
        ),
        None,
    )


@rule("KS-LOS-03")
def _join_remnants(play: Play) -> None:
    """Two remnants of a battalion that have met and rested ten moves form a half battalion, if they are 225 men."""
    men, moves = REMNANTS_JOIN
    for key in [unit.key for unit in play.on_map()]:
        unit = play.war.units.get(key)
        if unit is None or not is_remnant(unit):
            continue
        other = _mate(play, unit)
        if other is None or other.key < unit.key:
            continue
        rested = all(play.move - one_.place.halted_since + 1 >= moves for one_ in (unit, other))
        tw = sum(one_.strength.men_tw for one_ in (unit, other))
        if not rested or tw < men * MAN_TW:
            continue
        _join(play, unit, other, tw)


def _join(play: Play, unit: Unit, other: Unit, tw: int) -> None:
    last = EXCHANGE["half_battalion"][-1].points - 1
    lost = rounded(max(5400 - tw, 0), POINT_TW["three_ranks"])
    strength = replace(
        unit.strength, tw=tw, full_tw=unit.strength.full_tw + other.strength.full_tw, blocks=1, ranks=3,
        points=min(lost, last), prisoners_tw=unit.strength.prisoners_tw + other.strength.prisoners_tw,
    )  # fmt: skip
    trial = replace(unit.trial, state="fresh", defend_from=0, attack_from=0)
    duty = replace(unit.duty, queue=(), begun=-1, stage="", idle_since=play.move, told_idle=False)
    play.add(
        RemnantsJoined(
            unit=unit.key, other=other.key, men_tw=tw, rules=cited("KS-LOS-03"),
            changes=Changes(
                units={unit.key: UnitPatch(strength=strength, trial=trial, duty=duty, size="half_battalion")},
                gone_units=(other.key,),
            ),
        )
    )  # fmt: skip
    play.note(unit.key, "change", "Two remnants have formed a half battalion again.")


# ------------------------------------------------------------------ tallies


@rule("KS-MOV-21", "KS-ODD-04", "KS-STR-03")
def _trim(play: Play, unit: Unit) -> None:
    """Tallies keep what still counts; rest that was broken begins anew; rounds come from wagons near."""
    trial, strength = unit.trial, unit.strength
    kept = {
        name: found
        for name, moves in KEEPS.items()
        if (found := tuple(move for move in getattr(trial, name) if move > play.move - moves)) != getattr(trial, name)
    }
    losses = {
        name: found
        for name in ("infantry_loss", "chain_loss")
        if (found := tuple(one_ for one_ in getattr(trial, name) if one_[0] > play.move - KEEPS_LOSS))
        != getattr(trial, name)
    }
    disturbed = unit.place.moved or trial.under_fire == play.move
    rested = {"rested": 0} if trial.rested and disturbed else {}
    after = replace(trial, **kept, **losses, **rested)
    supplied = refilled(play, unit) or strength
    if supplied.chain.moved:
        supplied = replace(supplied, chain=replace(supplied.chain, moved=0))
    if after != trial or supplied != strength:
        play.change(unit, "tallies", trial=after, strength=supplied)
