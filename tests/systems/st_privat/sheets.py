"""Sheets for tests of reading and movement: what a side writes, what is said of it, what comes of it."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.kernel.names import Role
from pbem.kernel.owed import Call
from pbem.orders.sheet import Complaint, Judgement, Order, Reading, lines_of
from pbem.systems.st_privat.play.pauses import awaits
from pbem.systems.st_privat.sheets.reading import read
from pbem.systems.st_privat.turn.movement import movement_phase
from pbem.systems.st_privat.world.fact import Fact
from pbem.systems.st_privat.world.pieces import ENEMY, PRUSSIAN
from pbem.systems.st_privat.world.state import Battle
from tests.systems.st_privat.field import Position, as_known

EVERYTHING = ("setup", "movement", "siege", "fire", "melee", "reactions")


def moving(side: Role = PRUSSIAN, turn: int = 2, **options: object) -> Position:
    """An empty board on which *side* is about to move first."""
    return Position("move_first", turn=turn, **options).now(first_mover=side, second_mover=ENEMY[side])


def given(position: Position, side: Role, text: str, *, sorts: Sequence[str] | None = None) -> Reading[Order]:
    """What the office makes of a sheet, by what its writer knows; *sorts* are those that count, if not as usual."""
    call = awaits(position.battle).call(side) if sorts is None else Call(role=side, sorts=tuple(sorts))
    return read(position.scene, lines_of(text), as_known(position.field, side), side, call)


def said(reading: Reading[Order]) -> list[tuple[int, Judgement, str | None]]:
    """Line, judgement and rule of every complaint."""
    return [(one.line, one.judgement, one.rule) for one in reading.complaints]


def refusals(reading: Reading[Order]) -> list[Complaint]:
    """The complaints that refuse a line."""
    return [one for one in reading.complaints if one.judgement.refuses]


def played(position: Position, side: Role, orders: Sequence[Order]) -> tuple[list[Fact], Battle]:
    """Play a side's movement on the truth; what came to pass, and the battle after it."""
    play = position.begun({side: orders})
    movement_phase(play, side)
    return play.facts, play.battle


def moved(position: Position, side: Role, text: str) -> tuple[list[Fact], Battle]:
    """Read a sheet of which no line is refused, and play its movement."""
    reading = given(position, side, text, sorts=EVERYTHING)
    assert not refusals(reading)
    return played(position, side, reading.items)
