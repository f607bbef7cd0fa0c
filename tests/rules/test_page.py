"""The frame of a page: which exchange it is of, and what it says where a system does not say it otherwise."""

from __future__ import annotations

from pbem.ground.picture import SQUARE, Grid, Picture
from pbem.kernel.names import Moment, Role
from pbem.kernel.owed import Call, Pause
from pbem.rules.contract import Verdict
from pbem.rules.page import Parts, frame, page
from pbem.rules.view import Told

GUARD = Role("guard")
CALL = Call(role=GUARD, sorts=("fire",), otherwise="the patrols stay")
PAUSE = Pause(moment=Moment(2, 1), name="A", calls=(CALL,))
TOLD = (
    Told(moment=Moment(1, 1), phase="The carts", text="A cart was taken.", weight=5, headline="A cart taken"),
    Told(moment=Moment(1, 2), phase="The patrols", text="g1 fired.", weight=1, headline="g1 fired"),
    Told(moment=Moment(1, 2), phase="The patrols", text="done", line=3),
)
PARTS: Parts = {
    "addressed": "the guard",
    "dateline": "",
    "strip": (),
    "brief": (),
    "picture": Picture(title="", whose="", box=(0, 0, 1, 1), grid=Grid(SQUARE, ("1",), ("1",))),
}


def test_a_page_is_of_the_newest_exchange_and_titled_by_its_heaviest_line() -> None:
    made = page(frame(GUARD, TOLD, PAUSE, None), TOLD[:2], str, quiet="Turn 1", **PARTS)

    assert (made.moment, made.title, made.over) == (Moment(1, 2), "g1 fired", "")
    assert (made.ordered, made.otherwise) == (TOLD[2:], "The patrols stay.")


def test_where_nothing_happened_the_title_is_quiet() -> None:
    assert page(frame(GUARD, (), PAUSE, None), (), str, quiet="Turn 1", **PARTS).title == "Turn 1"


def test_a_system_may_have_a_title_and_an_end_of_its_own() -> None:
    over = Verdict("guard", "has won")
    own: Parts = {**PARTS, "title": "A cart taken", "over": "The valley is shut."}

    made = page(frame(GUARD, TOLD, PAUSE, over), TOLD[:2], str, quiet="Turn 1", **own)

    assert (made.title, made.over) == ("A cart taken", "The valley is shut.")
    assert page(frame(GUARD, TOLD, PAUSE, over), (), "the {}".format, quiet="", **PARTS).over == "The guard has won."
