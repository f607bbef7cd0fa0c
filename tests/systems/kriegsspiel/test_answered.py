"""No order is lost: each verb is carried out, each condition judged, each line of a sheet taken and answered for."""

from __future__ import annotations

from typing import get_args

from pbem.kernel.names import Role
from pbem.systems.kriegsspiel import SYSTEM
from pbem.systems.kriegsspiel.command.sent import TAKES, lines_in
from pbem.systems.kriegsspiel.knowing.conditions import JUDGES
from pbem.systems.kriegsspiel.turn.dispositions import AT_ONCE
from pbem.systems.kriegsspiel.turn.doing import DOES
from pbem.systems.kriegsspiel.world.orders import ORDERS, ConditionKind, OnArrival, Verb, Voice
from pbem.systems.kriegsspiel.world.outcomes_knowledge import SheetTaken
from tests.systems.play import Game

SHEET = """\
wake at 08:00
wake off W6
look N
say Asmus: come up
letter Dorn: Where are you?
letter higher: We are there.
voice 1/F: halt
dispatch J1 copies 2
  march to Muehlrode
  then halt
end
to 1/F: when enemy within 600: fire at will
staff: observe Galgenberg
take command of J1
hand J1 to Asmus
cancel paper 9
offer end
parley: Will you talk?
note drop e1
ride to Galgenberg
on arrival: letter Dorn: I am there.
"""


def test_every_verb_is_carried_out_by_something() -> None:
    assert DOES.keys() == set(get_args(Verb))


def test_every_condition_is_judged() -> None:
    assert JUDGES.keys() | {"and", "or", "not"} == set(get_args(ConditionKind))


def test_every_kind_of_line_is_taken() -> None:
    assert TAKES.keys() | {Voice, OnArrival, *AT_ONCE} == set(ORDERS)


def test_every_line_that_was_read_is_answered_for_by_line() -> None:
    game = Game(SYSTEM, "muehlrode")
    game.play({})
    role = Role("rehden")
    read, _ = game.read(role, SHEET)
    game.resolve({role: read})

    taken = [fact for fact in game.facts if isinstance(fact, SheetTaken) and role in fact.known]
    assert {line for act in read for line in lines_in(act)} == {one.line for fact in taken for one in fact.lines}
