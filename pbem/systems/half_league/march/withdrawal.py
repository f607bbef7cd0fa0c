"""Falling back, in order (HL-CMB-07)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pbem.rules.ledger import rule
from pbem.systems.half_league.march import morale
from pbem.systems.half_league.march.going import goes
from pbem.systems.half_league.play.play import Play
from pbem.systems.half_league.tables.printed import WITHDRAWAL_DICE
from pbem.systems.half_league.world import outcomes_combat as c
from pbem.systems.half_league.world.fact import of_unit
from pbem.systems.half_league.world.patches import UnitPatch


@rule("HL-CMB-07", "HL-MOR-01", "HL-MOR-02", "HL-MOV-13")
def withdraw(play: Play, name: str, enemies: Sequence[str], why: str, *, way: int | None = None) -> None:
    """A unit falls back three dice from enemies; friends that it passes through take a chit each.

    *way*: the bearing on which it goes, if that is settled.
    """
    unit = play.unit(name)
    phase = play.battle.phase
    before = sum(isinstance(fact, c.UnitWithdrew) and (fact.unit, fact.phase) == (name, phase) for fact in play.facts)
    again = f"/{before + 1}" if before else ""
    throw = play.throw("withdrawal", f"{name}/{phase}{again}", count=WITHDRAWAL_DICE)
    inches = morale.flight_dice(play, unit, throw.faces)
    if way is None:
        way = morale.away_from(play.field, unit, [play.unit(one) for one in enemies])
    came = morale.flight(play.field, unit, way, inches)
    patch = UnitPatch(front=came.front, bearing=came.bearing, charge_target="", stirred=True)
    patch = replace(patch, status="left_field") if came.gone else replace(patch, charged=False, last_forward=0)
    goes(
        play,
        c.UnitWithdrew(
            **of_unit(unit, "HL-CMB-07", "HL-MOR-02", "HL-CHG-03" if why == "outnumbered" else ""),
            dice=(throw,),
            why=why,  # type: ignore[arg-type] # one of its words
            natural=throw.faces,
            inches=inches,
            walked=came.walked,
            gone=came.gone,
            start=unit.front,
            end=came.front,
            through=came.through,
            units={name: patch},
            leaders=morale.with_flight(play, name, came),
        ),
        name,
        (unit.front, came.front),
    )
    if came.gone:
        morale.left_field(play, name, "withdrawal")
    morale.add_chits(play, name, ("withdrew",), "HL-CMB-07")
    for friend in came.through:
        morale.add_chits(play, friend, ("friend_withdrew_through",), "HL-CMB-07")
    if came.blocked and not came.gone:
        morale.destroyed(play, name, "surrendered", "HL-CMB-07")
    elif not came.gone:
        play.glance(name)
