"""Who wrote: a person, or one of the machines that write letters; and how often a machine answers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.reading.robot import CONDUCT, Robot, Writer, who_wrote
from pbem.mail.trust.caps import Caps, Reply, may_answer
from tests.mail.test_corpora import TALON, files

OWN = ["GPW@office.example", "gm@office.example"]


def wrote(*header: str) -> Robot:
    return who_wrote("\n".join([*header, "", "hold"]).encode(), office="office.example", own=OWN)


@pytest.mark.parametrize(
    ("header", "writer"),
    [
        (["From: a@x.example", "Subject: Re: [gpw] Turn 3"], Writer.PERSON),
        (["From: a@x.example", "Auto-Submitted: no"], Writer.PERSON),
        (["From: a@x.example", "Precedence: first-class"], Writer.PERSON),
        (["From: a@x.example", "X-Pbem-Loop: Office.example"], Writer.OURSELVES),
        (["From: GPW <gpw@OFFICE.example>"], Writer.OURSELVES),
        (["From: MAILER-DAEMON@x.example", "X-Pbem-Loop: office.example"], Writer.OURSELVES),
        (["From: gpw@other.example", "X-Pbem-Loop: other.example"], Writer.OFFICE),
        (["From: a@x.example", "X-Pbem-Loop: other.example", "X-Pbem-Loop: office.example"], Writer.OURSELVES),
        (["From: MAILER-DAEMON@x.example", "Subject: failure notice"], Writer.POST),
        (["Return-Path: <>", "From: a@x.example", "Content-Type: multipart/report; boundary=b"], Writer.POST),
        (
            ["From: a@x.example", "Content-Type: multipart/report; report-type=disposition-notification"],
            Writer.READING,
        ),
        (["From: a@x.example", "Auto-Submitted: auto-replied (vacation)"], Writer.ABSENCE),
        (["Return-Path: <a@x.example>", "From: a@x.example", "X-Autoreply: yes"], Writer.ABSENCE),
        (["From: a@x.example", "X-Autorespond: Away"], Writer.ABSENCE),
        (["From: a@x.example", "Precedence: auto_reply"], Writer.ABSENCE),
        (["From: a@x.example", "List-Id: <news.x.example>"], Writer.LIST),
        (["From: a@x.example", "Precedence: list"], Writer.LIST),
        (["From: a@x.example", "Auto-Submitted: auto-generated"], Writer.MACHINE),
        (["From: a@x.example", "Precedence: bulk"], Writer.MACHINE),
        (["From: no-reply@x.example"], Writer.MACHINE),
        (["Return-Path: <>", "From: a@x.example"], Writer.MACHINE),
    ],
)
def test_who_wrote(header: list[str], writer: Writer) -> None:
    robot = wrote(*header)

    assert robot.writer is writer
    assert bool(robot.why) is (writer is not Writer.PERSON)


def test_an_absence_that_leaves_without_a_way_back_is_still_one() -> None:
    """RFC 3834 wants the answers of machines to leave with an empty sender."""
    robot = wrote("Auto-Submitted: auto-replied", "Return-Path: <>", "From: a@x.example", "Subject: Away")

    assert robot == Robot(Writer.ABSENCE, "Auto-Submitted: auto-replied")


def test_only_a_person_is_read_and_answered() -> None:
    assert set(CONDUCT) == set(Writer)
    assert [writer for writer, conduct in CONDUCT.items() if conduct.read or conduct.answer] == [Writer.PERSON]


def test_an_office_never_answers_its_own_answers() -> None:
    """Whatever a loop does to a letter on its way, one of its marks is left."""
    own = ["From: gpw@office.example", "X-Pbem-Loop: office.example", "Auto-Submitted: auto-replied"]
    for kept in own:
        assert not CONDUCT[wrote(kept, "Subject: [gpw] Turn 3").writer].answer


def test_letters_of_people_are_known_for_what_they_are() -> None:
    letters = [*files(f"{TALON}/standard_replies", "*.eml"), *files(TALON, "*.eml")]
    robots = {path.name: who_wrote(path.read_bytes(), office="office.example", own=OWN) for path in letters}

    assert {name: robot for name, robot in robots.items() if robot.writer is not Writer.PERSON} == {}


@pytest.mark.parametrize(
    ("registered", "replies"),
    [(True, [Reply.YES] * 9 + [Reply.LAST] + [Reply.NO] * 5), (False, [Reply.LAST] + [Reply.NO] * 14)],
)
def test_how_often_an_address_is_answered_in_a_day(registered: bool, replies: list[Reply]) -> None:
    assert [may_answer(answered, registered=registered) for answered in range(15)] == replies


@given(st.integers(0, 100), st.booleans(), st.integers(0, 50), st.integers(0, 50))
def test_no_cap_is_ever_passed(answered: int, registered: bool, players: int, strangers: int) -> None:
    reply = may_answer(answered, registered=registered, caps=Caps(players, strangers))

    assert (reply is Reply.NO) is (answered >= (players if registered else strangers))
