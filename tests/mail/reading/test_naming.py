"""The one door for names: what comes through it makes no line of a header, and no step of a path."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.desk.office.inside import inside
from pbem.kernel.errors import Refused
from pbem.mail.reading.naming import Kind, for_letters, for_machines, for_people
from pbem.mail.wire.reply_address import Meaning, Purpose, make_address

KINDS: tuple[Kind, ...] = ("campaign", "role", "player", "system", "scenario")


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("campaign", "ford"),
        ("campaign", "stprivat-autumn"),
        ("role", "allied.guards"),
        ("role", "french"),
        ("player", "a4u2vri4u5sdeqm4"),
        ("system", "st-privat"),
        ("scenario", "france-1870"),
    ],
)
def test_names_that_can_be(kind: Kind, name: str) -> None:
    assert for_machines(name, kind) == name


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "name", ["", ".", "..", "../../evil", "/etc", "a/b", "a\\b", "a\nb", "A", "ä", "a b", "a\x00", "a" * 99, "-a", "a-"]
)
def test_names_that_can_not(kind: Kind, name: str) -> None:
    with pytest.raises(Refused, match=f"cannot name a {kind}"):
        for_machines(name, kind)


def test_a_campaign_is_not_called_as_mail_servers_mark_letters() -> None:
    with pytest.raises(Refused, match="mail servers put"):
        for_machines("external", "campaign")


@given(st.sampled_from(KINDS), st.text(max_size=60) | st.from_regex(r"[a-z0-9._/-]{1,50}", fullmatch=True))
def test_whatever_is_let_through_stays_in_its_folder(kind: Kind, name: str) -> None:
    try:
        for_machines(name, kind)
    except Refused:
        return
    assert inside(Path("/office"), name).resolve().parent == Path("/office")


@given(st.from_regex(r"[a-z][a-z0-9-]{0,45}", fullmatch=True), st.from_regex(r"[a-z0-9-]{1,18}", fullmatch=True))
def test_what_can_name_a_campaign_and_a_player_can_stand_in_an_address(campaign: str, player: str) -> None:
    try:
        for_machines(campaign, "campaign")
        for_machines(player, "player")
    except Refused:
        return
    if len(player) > 1:
        make_address(Meaning(Purpose.REPLY, campaign, player, 1), bytes(32), "office.example")


@given(st.text(max_size=150))
def test_a_name_for_people_is_one_line_and_read_alike_by_everybody(text: str) -> None:
    try:
        name = for_people(text, "a player")
    except Refused:
        return
    assert len(name.splitlines()) == 1
    assert for_people(name, "a player") == name


@pytest.mark.parametrize("address", ["mailer-daemon@x.example", "x", "a@b", "é@x.example", "=?utf-8?q?a?=@x.example"])
def test_addresses_that_the_office_cannot_write_to_or_would_not_read(address: str) -> None:
    with pytest.raises(Refused):
        for_letters(address)


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "../x", "/etc/passwd", "a\\b", "a\x00b", "a\nb"])
def test_no_file_is_written_outside_its_folder(name: str) -> None:
    with pytest.raises(Refused, match="outside"):
        inside(Path("reports"), name)
