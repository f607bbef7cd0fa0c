"""What a body does that guns fire on and that cannot fire back: it stands, goes to cover, or goes back (KS-CMD-08)."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.ground.bearing import FULL, opposite
from pbem.ground.plane import Point, bearing, distance, shifted
from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.field.eyes import sights_of
from pbem.systems.kriegsspiel.field.field import is_formed, terrain_of
from pbem.systems.kriegsspiel.knowing.conditions import sightings
from pbem.systems.kriegsspiel.march.gate import bounded
from pbem.systems.kriegsspiel.melee.retreats import passable
from pbem.systems.kriegsspiel.play.play import Play
from pbem.systems.kriegsspiel.tables.fire import CANISTER_CLASSES, RANGE_CLASSES
from pbem.systems.kriegsspiel.tables.orders import LIMITS, UNDER_CANISTER
from pbem.systems.kriegsspiel.world.bodies import is_retiring
from pbem.systems.kriegsspiel.world.orders import Order, Spot
from pbem.systems.kriegsspiel.world.outcomes import ReactionUsed
from pbem.systems.kriegsspiel.world.patches import Changes
from pbem.systems.kriegsspiel.world.troops import Unit

KEY = "fired_on"
GOES = f"retire ({KEY})"
"""How the order reads by which it goes back."""

COVER_STEP = 100
"""Paces by which cover is looked for, outwards."""


@rule("KS-CMD-08")
def under_fire(play: Play) -> None:
    """Step 3, before all units decide: whoever guns have fired on in the last move reacts to it."""
    for unit in list(play.on_map()):
        if unit.trial.under_guns == play.move - 1 and is_formed(unit) and not unit.trial.flight:
            _fired_on(play, unit)


@rule("KS-CMD-08", "KS-CMD-13")
def _fired_on(play: Play, unit: Unit) -> None:
    """Give it the order that its reaction stands for; without one it goes out of range after six moves of canister."""
    order = unit.duty.order
    if order is not None and (order.text == GOES or {"to the last", "until relieved"} & set(order.manner)):
        return
    if play.move - 1 in unit.trial.fired or unit.trial.attacks or is_retiring(unit):
        return
    guns = _guns(play, unit)
    word, *rest = unit.duty.reactions.get(KEY, "stand").split()
    if word == "stand":
        if order is None and guns is not None and _long_under_canister(play, unit):
            reach = RANGE_CLASSES[guns.kind][max(CANISTER_CLASSES) - 1]
            far = reach - play.field.gap(unit, guns) + COVER_STEP
            _go(play, unit, _back(play, unit, guns, far), "stand", default=True)
        return
    at = _cover(play, unit, guns) if word == "shift" else _back(play, unit, guns, int(rest[0]))
    if at is not None:
        _go(play, unit, at, unit.duty.reactions[KEY], default=False)


def _guns(play: Play, unit: Unit) -> Unit | None:
    """The nearest guns of the enemy that it sees."""
    seen = (one_ for one_ in sightings(play, unit) if one_.told.arm == "artillery")
    found = [(one_.far, one_.enemy.key, one_.enemy) for one_ in seen]
    return min(found, key=lambda one_: one_[:2])[2] if found else None


@rule("KS-CMD-08")
def _long_under_canister(play: Play, unit: Unit) -> bool:
    moves = range(play.move - UNDER_CANISTER, play.move)
    return all(move in unit.trial.canister for move in moves)


def _back(play: Play, unit: Unit, guns: Unit | None, far: int) -> Point:
    at = unit.place.at
    away = bearing(guns.place.at, at) if guns is not None and guns.place.at != at else opposite(unit.place.facing)
    return bounded(play, at, shifted(at, away, far))


def _cover(play: Play, unit: Unit, guns: Unit | None) -> Point | None:
    """The nearest place that the guns do not see, within what a body shifts; None: there is none."""
    at, terrain = unit.place.at, terrain_of(play.scene)
    if guns is None:
        return None
    sights = sights_of(terrain)
    places = (
        shifted(at, turn, far)
        for far in range(COVER_STEP, LIMITS["shift"] + 1, COVER_STEP)
        for turn in range(0, FULL, FULL // 8)
    )
    hidden = (
        there
        for there in places
        if terrain.on_board(there) and terrain.water_at(there) is None and passable(play, unit, at, there)
        and not sights.clear(guns.place.at, 3, there, 2) and distance(guns.place.at, there) > COVER_STEP
    )  # fmt: skip
    return next(hidden, None)


def _go(play: Play, unit: Unit, to: Point, value: str, *, default: bool) -> None:
    order = Order(verb="retire", text=GOES, to=(Spot(to, f"{to.x},{to.y}"),))
    play.add(
        ReactionUsed(
            unit=unit.key, key=KEY, value=value, default=default, rules=cited("KS-CMD-08"), changes=Changes()
        )
    )  # fmt: skip
    play.note(unit.key, "change", "We go back: the enemy's guns reach us, and we cannot fire at them.")
    duty = replace(unit.duty, queue=(order,), begun=-1, stage="", count=0)
    play.change(unit, "goes back", duty=duty)
