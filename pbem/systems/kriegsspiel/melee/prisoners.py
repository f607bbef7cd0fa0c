"""Prisoners: their escort, how they are let go or freed (KS-PRI-04, KS-PRI-05)."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.ground.plane import Point
from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.field.hierarchy import chief_of
from pbem.systems.kriegsspiel.march.carrying_out import DONE, Did, failed
from pbem.systems.kriegsspiel.march.detachments import detach
from pbem.systems.kriegsspiel.play.play import Play, one
from pbem.systems.kriegsspiel.scene.wording import FREED
from pbem.systems.kriegsspiel.tables.attack import CONTACT, ESCORT
from pbem.systems.kriegsspiel.tables.fire import MAN_TW
from pbem.systems.kriegsspiel.world.bodies import is_lost, is_remnant
from pbem.systems.kriegsspiel.world.orders import Order, Spot
from pbem.systems.kriegsspiel.world.outcomes_attack import PrisonersFreed
from pbem.systems.kriegsspiel.world.patches import Changes
from pbem.systems.kriegsspiel.world.troops import ENEMY, Duty, Place, Side, Strength, Trial, Unit, UnitPatch


@rule("KS-PRI-04")
def escort_men(prisoners_tw: int) -> int:
    """Men that an escort has at the least: a tenth of the prisoners.

    >>> escort_men(900 * 12)
    90
    """
    number, by = ESCORT
    return -(-prisoners_tw * number // (by * MAN_TW))


@rule("KS-PRI-04", "KS-PRI-05")
def do_escort(play: Play, unit: Unit, order: Order) -> Did:
    """`escort prisoners to PLACE [with N men]`: a tenth of their number goes with them."""
    tw = unit.strength.prisoners_tw
    if not tw:
        return failed("we have no prisoners")
    least = escort_men(tw)
    men = order.number or least
    if men < least:
        return failed(f"{men} men cannot escort {tw // MAN_TW} prisoners: it takes {least}")
    goes = Order(verb="march", text=order.text, to=order.to)
    sent = detach(play, unit, men, "escort", (goes,), "")
    if sent is None:
        return failed("there are no men for an escort")
    held = play.unit(unit.key)
    play.keep(
        "prisoners go",
        Changes(
            units={
                unit.key: UnitPatch(strength=replace(held.strength, prisoners_tw=0)),
                sent.key: UnitPatch(
                    strength=replace(sent.strength, prisoners_tw=tw),
                    place=replace(sent.place, formation="section_column"),
                ),
            }
        ),
    )
    return DONE


@rule("KS-PRI-05")
def do_release(play: Play, unit: Unit, order: Order) -> Did:
    """`release prisoners`."""
    del order
    if not unit.strength.prisoners_tw:
        return failed("we have no prisoners")
    free(play, unit, None)
    return DONE


@rule("KS-PRI-04", "KS-PRI-05")
def free(play: Play, escort: Unit, by: Unit | None) -> None:
    """Prisoners are free: a remnant of their side, where their escort was."""
    tw = escort.strength.prisoners_tw
    side = ENEMY[escort.side]
    commander = by.commander if by is not None else chief_of(play.scene, play.war, side)
    men = Unit(
        side=side,
        id=_freed_id(play, side),
        name="freed prisoners",
        arm="infantry",
        kind="line",
        size="remnant",
        place=Place(at=escort.place.at, facing=escort.place.facing, formation="line", halted_since=play.move),
        strength=Strength(tw=tw, full_tw=tw, blocks=0, riders=0),
        commander=commander,
        duty=Duty(idle_since=play.move),
        trial=Trial(state="remnant"),
    )
    changes = Changes(
        units=one(escort, UnitPatch(strength=replace(escort.strength, prisoners_tw=0))).units,
        new_units=(men,),
        losses={f"{side} men captured": -tw},
    )
    play.add(PrisonersFreed(unit=men.key, men_tw=tw, escort=escort.key, rules=cited("KS-PRI-04"), changes=changes))
    if by is not None:
        play.note(by.key, "change", f"We have freed prisoners of ours ({men.id}).")


def _freed_id(play: Play, side: Side) -> str:
    """What those who are free again are called: `freed1`, `freed2`, … of their side."""
    taken = {unit.id for unit in play.war.units.values() if unit.side == side}
    return next(name for number in range(1, len(taken) + 2) if (name := f"{FREED}{number}") not in taken)


def rear_of(play: Play, side: Side) -> Point:
    """Where the line of retreat of a side leads."""
    plan, chart = play.scene.sides[side], play.scene.chart
    named = chart.entries.get(plan.line_of_retreat) or chart.places.get(plan.line_of_retreat)
    return named.at if named is not None else chart.entries[plan.base_entry].at


@rule("KS-PRI-04")
def lets_go(unit: Unit) -> bool:
    """Whether a body no longer keeps its prisoners: beaten or driven off, worn down to a remnant, or gone."""
    return unit.trial.flight > 0 or is_remnant(unit) or is_lost(unit)


@rule("KS-PRI-04")
def _amid(play: Play, unit: Unit) -> bool:
    """Whether enemies are still at hand, so that nobody can be spared for an escort."""
    enemies = play.field.enemies(unit.side, formed=True)
    return any(play.field.within(unit, enemy, 2 * CONTACT) for enemy in enemies)


@rule("KS-PRI-04", "KS-CMD-08")
def send_escorts(play: Play) -> None:
    """Step 8: who is beaten loses his prisoners; others send them to the rear with an escort, or leave them."""
    for unit in [unit for unit in play.war.units.values() if unit.strength.prisoners_tw and lets_go(unit)]:
        free(play, unit, None)
    for key in [unit.key for unit in play.on_map()]:
        unit = play.unit(key)
        trial = unit.trial
        busy = trial.won == play.move or trial.pursuing or trial.contact >= 0 or trial.flight or _amid(play, unit)
        if not unit.strength.prisoners_tw or unit.duty.purpose == "escort" or busy:
            continue
        if any(order.verb in ("escort", "release") for order in unit.duty.queue):
            continue
        if unit.duty.reactions.get("prisoners", "escort") == "leave":
            free(play, unit, None)
            continue
        to = Spot(rear_of(play, unit.side), "the rear")
        do_escort(play, unit, Order(verb="escort", text="escort prisoners", to=(to,)))
