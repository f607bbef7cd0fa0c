"""How orders may be written, and what a receipt says of those that are none."""

from __future__ import annotations

import pytest

from pbem.kernel.names import Role
from pbem.rules import registry
from pbem.suite.play import Game

FRANCE, TURKEY, RUSSIA = Role("france"), Role("turkey"), Role("russia")

FIELD = """
place france A par
place france F spa/sc
place france A mar
place germany A ruh
place england F nth
place england A yor
place turkey F con
place france F gas
"""


@pytest.fixture(scope="module")
def game() -> Game:
    """A field with a bit of everything."""
    made = Game(registry.load("diplomacy"), "standard", bare=True)
    made.rule(FIELD)
    return made


@pytest.mark.parametrize(
    "written",
    [
        "A PAR - BUR",
        "a par-bur",
        "A Paris to Burgundy",
        "army Paris moves to Burgundy.",
        "Army Paris -> Burgundy",
        "par - bur",
        "French army Paris to bur",
        "F par - bur",
    ],
)
def test_a_move_is_written_in_many_ways(game: Game, written: str) -> None:
    orders, _ = game.read(FRANCE, written)

    assert [(type(order).__name__, order.at, order.to) for order in orders] == [("Move", "par", "bur")]


@pytest.mark.parametrize(
    ("role", "written", "made"),
    [
        ("france", "F SPA(SC) - MAO", ("Move", "spa", "mao")),
        ("france", "fleet Spain (south coast) to the Mid-Atlantic Ocean", ("Move", "spa", "mao")),
        ("france", "F spa/nc - mid-atlantic", ("Move", "spa", "mao")),
        ("france", "F gas - spa", ("Move", "gas", "spa/nc")),
        ("france", "A mar - Spain nc", ("Move", "mar", "spa")),
        ("france", "A mar supports army Paris to Burgundy", ("Support", "mar", "bur")),
        ("france", "A MAR S A PAR - BUR", ("Support", "mar", "bur")),
        ("france", "A par S German A ruh - bel", None),
        ("england", "F NTH C A YOR - NWY", ("Convoy", "nth", "nwy")),
        ("england", "North Sea convoys army Yorkshire to Norway", ("Convoy", "nth", "nwy")),
        ("england", "A YOR - NWY via convoy", ("Move", "yor", "nwy")),
        ("england", "A yorkshire to norway by convoy", ("Move", "yor", "nwy")),
        ("turkey", "F con holds", ("Hold", "con", "")),
    ],
)
def test_every_order_is_written_short_or_long(
    game: Game, role: str, written: str, made: tuple[str, str, str] | None
) -> None:
    orders, _ = game.read(Role(role), written)

    assert [(type(order).__name__, order.at, getattr(order, "to", "")) for order in orders] == ([made] if made else [])


@pytest.mark.parametrize(
    ("role", "written", "why"),
    [
        ("france", "A par - mun", "Munich is not next to Paris"),
        ("france", "A par - mao", "Mid-Atlantic Ocean is a sea, and this is an army"),
        ("france", "A mar - tun", "Tunis is not next to Marseilles, and no fleets at sea could carry it"),
        ("france", "A bur - par", "there is no unit in Burgundy"),
        ("france", "A ruh - bel", "the unit in Ruhr is not yours"),
        ("france", "F gas - par", "a fleet cannot go to Paris: it lies inland"),
        ("turkey", "F con - bul", "say to which coast of Bulgaria: bul/ec or bul/sc"),
        ("france", "A par S A mar - ven", "Venice is not next to Paris"),
        ("france", "A par S A par", "a unit does not support itself"),
        ("france", "A par - prs", "expected a province, like par or stp/nc"),
        ("france", "A mar C A par - bur", "only a fleet at sea carries an army"),
        ("england", "F nth C A ruh - nwy", "has need of the fleet"),
        ("france", "build A par", "no builds are asked for now"),
        ("france", "F par - bur", "the unit in Paris is an army; it is taken as meant"),
    ],
)
def test_what_is_wrong_is_said_kindly(game: Game, role: str, written: str, why: str) -> None:
    _, complaints = game.read(Role(role), written)

    assert len(complaints) == 1
    assert why in complaints[0].why


def test_to_go_is_to_retreat_when_dislodged() -> None:
    game = Game(registry.load("diplomacy"), "standard", bare=True)
    game.rule("place turkey F ank\nplace turkey A smy\ndislodge ank bla\nset phase 1901 spring retreats")

    assert [call.role for call in game.pause.calls] == [TURKEY]
    assert game.page(RUSSIA).owed == ""
    assert game.page(TURKEY).template == ("# F ANK R ...               # ARM or CON",)
    game.play({TURKEY: "fleet Ankara to Constantinople"})
    assert game.world.truth.pieces["con"].at == "con"


def test_a_receipt_says_what_silence_does() -> None:
    game = Game(registry.load("diplomacy"), "standard", bare=True)
    game.rule("place france A par\nplace france A gas\ngive par france\nset phase 1901 autumn builds")
    [call] = game.pause.calls
    assert game.system.idle is not None

    idle = game.system.idle(game.scene, game.world.truth, FRANCE, (), call)
    assert list(idle) == ["Army Gascony is removed."]
