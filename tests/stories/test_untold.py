"""Rules that have no words for a fact, or make no page: a turn is played all the same, or nothing is written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from pbem.desk.gm import history
from pbem.desk.pages import gms_page
from pbem.desk.turns import adjudicate, publish
from pbem.desk.worlds.telling import NO_WORDS
from pbem.kernel.errors import Refused
from pbem.kernel.names import Moment, Role
from pbem.rules.contract import AnySystem
from tests.kit.grounds import ruled_by
from tests.kit.table import Table
from tests.systems.toy import SYSTEM
from tests.systems.toy.outcomes import CartMoved

SMUGGLER, GUARD = Role("smuggler"), Role("guard")
SECRET = "the cart has silver in it"


def tongue_tied(scene: Any, fact: Any, mind: Any, role: Role) -> Any:
    """The toy's words, which fail the smuggler when a cart has moved."""
    if isinstance(fact, CartMoved) and role == SMUGGLER:
        raise KeyError(SECRET)
    return SYSTEM.tell(scene, fact, mind, role)


def by(table: Table, **functions: Callable[..., Any]) -> None:
    """Play `ford` by the toy with other *functions*."""
    system: AnySystem = replace(SYSTEM, **functions)  # type: ignore[arg-type]
    table.office.kept_of("campaigns", "ford")["dossier"] = ruled_by(table.office, table.dossier, system)


def test_what_cannot_be_told_costs_its_page_a_sentence_and_no_turn(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3\nmove s2 to 4")
    by(ford, tell=tongue_tied)
    ran = adjudicate.run(ford.office, "ford", early=True)

    assert ford.dossier.exchange().state == "resolved"
    assert [one.text for one in ran.views[SMUGGLER].happened].count(NO_WORDS) == 1
    assert SECRET not in str(ran.views)
    moved = [one.seq for one in ford.dossier.log if isinstance(one.event, CartMoved)]
    assert [(one.role, one.seq) for one in ran.untold] == [(SMUGGLER, seq) for seq in moved]


def test_the_gm_alone_is_told_what_and_where(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    by(ford, tell=tongue_tied)
    before = len(ford.mails)
    adjudicate.run(ford.office, "ford", early=True)
    [mail] = ford.mails[before:]

    assert mail.player is None
    said = ford.text_of(mail)
    assert "a page is not whole" in said
    assert f"the page of smuggler, event {ford.dossier.seq - 2} (toy.cart_moved): KeyError: '{SECRET}'" in said
    publish.release(ford.office, "ford")
    assert NO_WORDS.split("  ")[0] in ford.words_to("smuggler")
    assert not any(SECRET in ford.text_of(one) for one in ford.mails if one.player)


def test_nobody_elses_page_is_another_for_it(twins: tuple[Table, Table]) -> None:
    pages = []
    for table, functions in zip(twins, ({}, {"tell": tongue_tied}), strict=True):
        table.open()
        table.write("smuggler", "move s1 to 3")
        by(table, **functions)
        pages.append(adjudicate.run(table.office, "ford", early=True).views)

    assert pages[0][GUARD] == pages[1][GUARD]
    assert pages[0][SMUGGLER] != pages[1][SMUGGLER]


def test_the_history_and_the_umpires_report_say_where_words_are_wanting(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    by(ford, tell=tongue_tied)
    adjudicate.run(ford.office, "ford", early=True)
    assert "Could not be told: the page of smuggler, event" in " ".join(gms_page.page(ford.office, "ford").notes)

    publish.release(ford.office, "ford")
    with ford.office.read():
        said = " ".join(one.what for one in history.known_to(ford.dossier, SMUGGLER))
    assert NO_WORDS in said
    assert SECRET not in said


def test_without_a_page_nothing_is_written(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    held = ford.dossier.seq

    def view(scene: Any, mind: Any, role: Role, told: Any, pause: Any) -> Any:
        raise ZeroDivisionError("no page")

    by(ford, view=view)
    with pytest.raises(Refused, match=r"cannot make the page of \w+ for 1A: ZeroDivisionError: no page\.  Nothing was"):
        adjudicate.run(ford.office, "ford", early=True)
    assert ford.dossier.seq == held


def test_a_dry_run_says_whose_words_they_are_and_of_which_line(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    ran = adjudicate.run(ford.office, "ford", dry=True)

    assert {one.role for one in ran.told} == {SMUGGLER, GUARD}
    assert any(one.role == SMUGGLER and one.text.startswith("line 1: ") for one in ran.told)


def test_where_the_umpires_page_fails_a_dry_run_tells_what_the_roles_hear(ford: Table) -> None:
    def umpire(*args: Any) -> Any:
        raise ZeroDivisionError("no truth")

    ford.write("smuggler", "move s1 to 3")
    by(ford, umpire=umpire)
    assert adjudicate.run(ford.office, "ford", dry=True).told[0].role in (SMUGGLER, GUARD)
    adjudicate.run(ford.office, "ford", early=True)
    with pytest.raises(Refused, match="cannot make the umpire's page of 1A: ZeroDivisionError: no truth"):
        gms_page.page(ford.office, "ford", Moment(1, 1))
