"""What a sheet would come to, by what its writer knows."""

from __future__ import annotations

import pytest

from pbem.kernel.names import Role
from pbem.kernel.owed import Call
from pbem.systems.st_privat.field.field import Field
from pbem.systems.st_privat.page.drawing import picture
from pbem.systems.st_privat.page.forces import own_table
from pbem.systems.st_privat.play.pauses import awaits
from pbem.systems.st_privat.sheets.forecast import forecast, idle
from pbem.systems.st_privat.sheets.template import template
from pbem.systems.st_privat.world.pieces import FRENCH, PRUSSIAN
from tests.systems.st_privat.field import Position, as_known
from tests.systems.st_privat.sheets import EVERYTHING, given, moved, moving


def seen(position: Position, text: str) -> list[tuple[int, str]]:
    """The forecast of a Prussian sheet."""
    orders = given(position, PRUSSIAN, text, sorts=EVERYTHING).items
    return list(forecast(position.scene, as_known(position.field, PRUSSIAN), PRUSSIAN, orders))


def rested(position: Position, text: str) -> list[str]:
    """Who has no order in a Prussian sheet."""
    call = awaits(position.battle).call(PRUSSIAN)
    assert call is not None
    orders = given(position, PRUSSIAN, text).items
    return list(idle(position.scene, as_known(position.field, PRUSSIAN), PRUSSIAN, orders, call))


def line_up() -> Position:
    """A few of everything, Prussians to move first."""
    position = moving()
    position.put("p1 p2", "Q-12", "s", "column").put("p3", "Q-10", "s").put("pc1", "P-12", "s").put("ph1", "Q-12")
    return position.put("p9", "K-10", "s").put("f1", "N-9", "n").put("f4 f5", "J-9", "n", hidden=True)


MARCHES = {
    "move p1+p2 via Q-11": "p1 and p2 to Q-11, facing s; 1 of 3 points.",
    "move p3 to Q-5": "p3 to Q-8 by Q-9 Q-8, facing s; 2 of 2 points. It ends there: Q-5 is out of reach this turn.",
    "move pc1 via O-11 O-10 O-9": (
        "pc1 to O-10 by O-11 O-10, facing s; 2 of 5 points. "
        "It ends there: O-10 lies in the zone of control of f1 at N-9."
    ),
}


@pytest.mark.parametrize("text", MARCHES)
def test_a_march_is_foreseen_with_its_end_and_its_cost(text: str) -> None:
    assert seen(line_up(), text) == [(1, MARCHES[text])]


@pytest.mark.parametrize("text", MARCHES)
def test_what_is_foreseen_comes_to_pass_where_nothing_is_hidden(text: str) -> None:
    _, battle = moved(line_up(), PRUSSIAN, text)
    [(_, said)] = seen(line_up(), text)
    units = text.split()[1].split("+")

    assert {battle.pieces[name].square for name in units} == {said.split(" to ")[1].split()[0].strip(",")}


def test_the_range_of_a_fire_is_from_where_the_march_ends() -> None:
    fire = (1, "p3 at Q-9: Q-8 is one square away.")

    assert fire in seen(line_up(), "fire p3 at Q-8\nmove p3 via Q-9")
    assert seen(line_up(), "fire @Q-10 at Q-8") == [(1, "p3 at Q-10: Q-8 is two squares away.")]


def test_who_has_no_order_is_named_by_arm() -> None:
    assert rested(line_up(), "move p1+p2 via Q-11") == [
        "Infantry hold: p3 and p9.",
        "Cavalry hold: pc1.",
        "Generals hold: ph1.",
    ]


def test_who_is_told_to_hold_has_an_order() -> None:
    assert "Infantry hold: p1-3." in rested(line_up(), "hold p9")


def test_beside_a_march_silence_means_what_the_call_says() -> None:
    position = line_up().now(phase="move_second", first_mover=FRENCH, second_mover=PRUSSIAN)

    assert rested(position, "")[-1] == "Your guns and infantry fire by their policy; nobody charges."


def test_fire_from_a_square_is_of_the_infantry_that_will_be_there() -> None:
    lines = "move p1+p2 via Q-11\nmove ph1 via Q-11\nfire @Q-11 at Q-9"

    assert (3, "p1 and p2 at Q-11: Q-9 is two squares away.") in seen(line_up(), lines)


def drafted(position: Position, side: Role) -> list[str]:
    """The template of a side that may send anything."""
    call = Call(role=side, sorts=("movement", "fire", "melee", "reactions"))
    field = Field(position.scene, as_known(position.field, side))
    return [line.split("  ")[0].removeprefix("# ") for line in template(field, side, call, ())]


def test_a_template_offers_the_fire_and_the_charges_that_can_be() -> None:
    position = Position("rifle").put("f1", "J-9", "n", hidden=True).put("f2", "Q-9", "n").put("f3", "P-9", "s")
    position.put("p1", "J-11", "s").put("p2", "Q-10", "s").put("p3", "P-11", "n")

    french, prussian = drafted(position, FRENCH), drafted(position, PRUSSIAN)
    assert [line for line in french if line.startswith(("fire", "charge"))] == [
        "fire @Q-9 at Q-10",
        "fire f1 at J-11",
        "charge @Q-9 at Q-10",
    ]
    assert [line for line in prussian if line.startswith(("fire", "charge"))] == [
        "fire @J-11 at J-9",
        "fire @Q-10 at P-9",
        "charge @Q-10 at Q-9",
    ]


def test_the_map_in_words_says_who_looks_where() -> None:
    position = Position("rifle").put("f1 f2", "J-9", "w", where="inside", hidden=True).put("p1", "J-11", "s")

    for side, cards in (FRENCH, "f1 and f2 face down"), (PRUSSIAN, "2 face-down cards"):
        words = dict(picture(Field(position.scene, as_known(position.field, side)), side, 2).words)
        assert f"inside {cards} facing west" in words["St. Privat"]
        assert "p1 in line facing south" in "".join(words.values())


def test_a_set_up_says_whom_the_default_places() -> None:
    position = Position("setup_french", turn=0)
    call = awaits(position.battle).call(FRENCH)
    assert call is not None

    def said(text: str) -> str:
        orders = given(position, FRENCH, text).items
        [line] = idle(position.scene, as_known(position.field, FRENCH), FRENCH, orders, call)
        return line

    assert said("initiative first") == (
        "Pieces that you do not place take their places in the default set-up of the scenario."
    )
    assert said("place f24 at N-7").startswith("Placed by default: ")
    assert "f19-21 at N-8 (inside)" in said("place f24 at N-7")
    assert "f24" not in said("place f24 at N-7")
    whole = "\n".join(line.partition("#")[0] for line in position.scene.setup[FRENCH].strip().splitlines())
    assert said(whole) == "All your pieces are placed by your orders."


def test_own_forces_say_who_is_a_command_stand() -> None:
    position = Position("rifle").put("f1 f2", "J-9", "n").put("fh2", "J-9").put("p1", "J-11", "s")
    position.set("f2", command=True).set("p1", command=True).set("fh2", c_in_c=True)

    french, prussian = (own_table(position.field, side, 2).note for side in (FRENCH, PRUSSIAN))
    assert french == "Command stand: f2.  Commander in chief: fh2."
    assert prussian == "Command stand: p1."
