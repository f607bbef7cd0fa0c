"""Programs of players are told what came, and nothing of what is in it, until they have heard it."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace as altered

from pbem.desk.house import clock
from pbem.desk.office.office import Office
from pbem.desk.players.changes import erase_player, withdraw_player
from pbem.desk.players.rekey import rekey
from pbem.desk.post import delivery, hooks
from pbem.desk.post.hooks import Message
from pbem.desk.post.hooks_due import is_due, tell_due
from pbem.kernel.errors import Refused
from pbem.kernel.names import Role
from pbem.mail.leaving.hook import signature
from pbem.storage import hooks as stored
from pbem.storage import outbox, players
from pbem.storage.players import Player
from tests.kit.table import Table
from tests.kit.told import Program, program

SMUGGLER = Role("smuggler")
ALL = ("report", "due", "message")


@pytest.fixture
def there() -> Iterator[Program]:
    with program() as it:
        yield it


@pytest.fixture
def bold(ford: Table, there: Program, tmp_path: Path) -> Table:
    """An office that tells programs of its own machine."""
    changed = {
        "url": "https://games.example.org",
        "hooks_to": ("127.0.0.0/8", "::1/128"),
        "hooks_authorities": str(there.authorities(tmp_path)),
    }
    web = altered(ford.office.settings.web, **changed)
    ford.office = replace(ford.office, settings=altered(ford.office.settings, web=web))
    return ford


def player_of(office: Office, table: Table, role: str) -> Player:
    with office.read() as connection:
        return players.get(connection, table.dossier.campaign.players[Role(role)])


def hooked(table: Table, it: Program, what: tuple[str, ...] = ALL) -> tuple[Player, str]:
    player = player_of(table.office, table, "smuggler")
    _, secret = hooks.make(table.office, player.id, it.address, what)
    return player, secret


def heard(it: Program) -> list[Message]:
    return [msgspec.json.decode(body, type=Message) for _, _, body in it.posted]


def test_a_program_is_told_of_a_report_of_a_letter_and_of_an_hour(bold: Table, there: Program) -> None:
    hooked(bold, there)
    bold.write("guard", "letter to smuggler: a secret word")
    bold.write("smuggler", "move s1 to 3")
    bold.turn()
    assert is_due(bold.office)
    told = tell_due(bold.office)

    assert (len(told.sent), told.later, told.failed) == (3, (), ())
    first, letter, report = heard(there)
    assert (first.type, first.data) == ("test", None)
    assert letter.type == "message"
    assert letter.data is not None
    assert (letter.data.campaign, letter.data.role) == ("ford", "smuggler")
    assert letter.data.url == "https://games.example.org/games/ford/smuggler/letters"
    assert report.type == "report"
    assert report.data is not None
    assert (report.data.turn, report.data.url) == ("1A", "https://games.example.org/games/ford/smuggler/turns/1A")
    bodies = b"".join(body for _, _, body in there.posted)
    assert b"secret" not in bodies
    assert b"s1" not in bodies
    assert not is_due(bold.office)


def test_it_is_told_of_orders_that_are_missing(bold: Table, there: Program) -> None:
    hooked(bold, there, ("due",))
    while not any(one.kind == "notice" and "missing" in one.subject for one in bold.mails):
        bold.clock.forward(6)
        list(clock.tick(bold.office))
    tell_due(bold.office)

    due = heard(there)[1]
    assert due.type == "due"
    assert due.data is not None
    assert (due.data.turn, due.data.url) == ("1A", "https://games.example.org/games/ford/smuggler/orders")


def test_its_messages_are_signed_with_what_its_owner_was_shown(bold: Table, there: Program) -> None:
    _, secret = hooked(bold, there)
    tell_due(bold.office)

    [(_, headers, body)] = there.posted
    key = base64.b64decode(secret.removeprefix("whsec_"))
    at = int(headers["webhook-timestamp"])
    assert headers["webhook-signature"] == signature(key, headers["webhook-id"], at, body)


def test_nobody_else_and_of_nothing_else_is_it_told(bold: Table, there: Program) -> None:
    hooked(bold, there, ("report",))
    bold.write("smuggler", "letter to guard: come over\nmove s1 to 3")
    bold.write("guard", "letter to smuggler: no")
    tell_due(bold.office)

    assert [one.type for one in heard(there)] == ["test"]


def test_what_was_not_heard_is_told_again_under_the_same_id(bold: Table, there: Program) -> None:
    there.status = 503
    hooked(bold, there)
    assert [one.answer for one in tell_due(bold.office).later] == ["answered 503"]
    assert not is_due(bold.office)
    there.status = 200
    bold.clock.forward(0.1)
    assert len(tell_due(bold.office).sent) == 1

    ids = {headers["webhook-id"] for _, headers, _ in there.posted}
    assert (len(there.posted), len(ids)) == (2, 1)


def test_after_five_days_it_is_given_up(bold: Table, there: Program) -> None:
    there.status = 503
    player, _ = hooked(bold, there)
    tell_due(bold.office)
    bold.clock.forward(24 * 6)
    assert len(tell_due(bold.office).failed) == 1
    [one] = hooks.standing(bold.office, player.id)

    assert one.last is not None
    assert (one.last.state, one.last.answer) == ("failed", "given up: answered 503")


def test_gone_ends_it_and_what_waits_is_dropped(bold: Table, there: Program) -> None:
    player, _ = hooked(bold, there)
    bold.write("guard", "letter to smuggler: one")
    there.status = 410
    tell_due(bold.office)

    assert len(there.posted) == 1
    assert hooks.standing(bold.office, player.id) == []
    bold.write("guard", "letter to smuggler: two")
    assert not is_due(bold.office)


def test_letters_are_no_hooks_and_hooks_are_no_letters(bold: Table, there: Program) -> None:
    player, _ = hooked(bold, there)
    before = len(bold.mails)
    bold.write("guard", "letter to smuggler: one")

    assert [one.kind for one in bold.mails[before:]] == ["notice", "receipt"]
    assert all(one.kind != "hook" for one in delivery.listing(bold.office))
    with bold.office.read() as connection:
        assert all(one.kind != "hook" for one in outbox.of_player(connection, player.id))
        assert [one.subject for one in outbox.hooks_of(connection, player.id)] == ["message", "test"]


def test_ended_it_is_told_no_more(bold: Table, there: Program) -> None:
    player, _ = hooked(bold, there)
    [one] = hooks.standing(bold.office, player.id)
    guard = player_of(bold.office, bold, "guard")
    with pytest.raises(Refused, match="not told anything"):
        hooks.end(bold.office, guard.id, one.hook.id)
    hooks.end(bold.office, player.id, one.hook.id)

    assert tell_due(bold.office).sent == ()
    assert not there.posted


def test_new_secret_addresses_end_it_and_so_does_being_forgotten(bold: Table, there: Program) -> None:
    player, _ = hooked(bold, there)
    rekey(bold.office, player.id)
    assert hooks.standing(bold.office, player.id) == []

    hooked(bold, there)
    withdraw_player(bold.office, "ford", "smuggler", reason="She is ill.")
    erase_player(bold.office, player.id)
    with bold.office.read() as connection:
        assert stored.of_player(connection, player.id) == []
    tell_due(bold.office)
    assert not there.posted


def test_what_cannot_be_told_is_refused_and_five_are_enough(ford: Table, bold: Table, there: Program) -> None:
    player = player_of(bold.office, bold, "smuggler")
    for address, what, why in (
        ("http://localhost/", ALL, "https://"),
        (there.address, (), "say of what"),
        (there.address, ("secrets",), "say of what"),
    ):
        with pytest.raises(Refused, match=why):
            hooks.make(bold.office, player.id, address, what)
    for number in range(5):
        hooks.make(bold.office, player.id, f"{there.address}/{number}", ALL)
    with pytest.raises(Refused, match="is told already"):
        hooks.make(bold.office, player.id, f"{there.address}/4", ALL)
    with pytest.raises(Refused, match="5 programs"):
        hooks.make(bold.office, player.id, there.address, ALL)


def test_certificates_that_cannot_be_read_are_named_and_all_waits(bold: Table, there: Program) -> None:
    hooked(bold, there)
    web = altered(bold.office.settings.web, hooks_authorities="nothing.pem")
    office = replace(bold.office, settings=altered(bold.office.settings, web=web))
    with pytest.raises(Refused, match=r"\[web\] hooks_authorities: .*nothing.pem: No such file"):
        tell_due(office)

    assert is_due(bold.office)
    assert len(tell_due(bold.office).sent) == 1


def test_an_office_tells_nothing_in_its_own_network_unless_it_says_so(ford: Table, there: Program) -> None:
    player = player_of(ford.office, ford, "smuggler")

    with pytest.raises(Refused, match="no host localhost on the whole net"):
        hooks.make(ford.office, player.id, there.address, ALL)
    assert hooks.standing(ford.office, player.id) == []
