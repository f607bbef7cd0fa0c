"""The doctor: every fault is found, and it is said what to do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib import metadata
from pathlib import Path

import pytest

from pbem.desk.house.doctor import STUCK, Finding, State, examine
from pbem.desk.intake.keeping import take_in
from pbem.desk.office.office import HOUR, Office
from pbem.desk.office.settings import read_settings
from pbem.desk.turns import pausing
from pbem.desk.ways.arrivals import EMERGENCY
from pbem.kernel.names import Role
from pbem.mail.doors.emergency import set_aside
from pbem.storage import heartbeat, outbox, setbacks
from pbem.storage.setbacks import Setback
from tests.kit.table import Table


def found(table: Table) -> dict[str, Finding]:
    @contextmanager
    def opener(folder: Path) -> Iterator[Office]:
        yield table.office

    return {one.what: one for one in examine(table.office.folder, opener)}


def change(table: Table, statement: str) -> None:
    with table.office.write() as connection:
        connection.execute(statement)


@pytest.mark.sqlite
def test_an_office_in_order_has_nothing_to_look_at_but_its_mail_server(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    looked = found(ford)

    assert {what: one.state for what, one in looked.items() if one.state != "ok"} == {"mail": "look"}
    assert looked["letters"].says == "1 came: 1 applied"


@pytest.mark.parametrize(("url", "state"), [("", "ok"), ("https://games.example", "wrong")])
def test_what_is_not_installed_is_named_with_what_it_is_for(
    ford: Table, monkeypatch: pytest.MonkeyPatch, url: str, state: State
) -> None:
    assert found(ford)["parts"] == Finding(
        "parts", "ok", "the pages, PostgreSQL and workers, the contract suite for authors"
    )
    there = metadata.version

    def version(package: str) -> str:
        if package == "uvicorn":
            raise metadata.PackageNotFoundError(package)
        return there(package)

    monkeypatch.setattr(metadata, "version", version)
    with (ford.office.folder / "pbem.toml").open("a") as file:
        file.write(f'\n[web]\nurl = "{url}"\n')
    assert found(ford)["parts"] == Finding("parts", state, "not for the pages: pip install 'pbem[web]'")


def test_a_gm_who_is_told_nowhere_but_at_the_office_is_found(ford: Table) -> None:
    assert found(ford)["gm"] == Finding("gm", "ok", "gm@office.example")
    place = ford.office.folder / "pbem.toml"
    place.write_text(place.read_text().replace('"gm@office.example"', '"Office@office.example"'))
    ford.office = replace(ford.office, settings=read_settings(ford.office.folder))
    looked = found(ford)["gm"]

    assert looked.state == "look"
    assert "gm in pbem.toml" in looked.says


def test_a_turn_that_nobody_runs_is_found_unless_its_game_is_paused(ford: Table) -> None:
    ford.clock.at += 90 * HOUR
    [late] = [one for what, one in found(ford).items() if "was not run" in one.says]
    assert late.state == "look"
    ford.clock.at -= 80 * HOUR
    pausing.pause(ford.office, "ford", "I am ill.")
    ford.clock.at += 80 * HOUR
    assert (found(ford)[late.what].state, found(ford)[late.what].says) == ("ok", "paused")


def test_a_letter_that_nobody_deals_with_is_found(ford: Table) -> None:
    take_in(ford.office, ford.letter("smuggler", "move s1 to 3"), way="pipe")
    assert found(ford)["letters"].state == "ok"
    ford.clock.at += STUCK + 1
    assert found(ford)["letters"] == Finding(
        "letters", "look", "not dealt with for long: 1; pbem mail fetch, receive or run reads them"
    )


def test_a_letter_that_does_not_say_why_is_found(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    change(ford, "UPDATE letter SET reason = ''")
    assert found(ford)["letters"].says == "1 came: 1 applied, 0 in no state; these say no reason: 1"
    assert found(ford)["letters"].state == "wrong"


def test_a_letter_in_no_state_is_found(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    change(ford, "UPDATE letter SET state = 'mislaid'")
    assert found(ford)["letters"].says == "1 came: , 1 in no state"


def test_a_letter_that_did_not_become_the_event_that_it_names_is_found(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    change(ford, "UPDATE letter SET seq = 1")
    assert found(ford)["ford"] == Finding(
        "ford", "wrong", "letter 1 became event 1, and that is another: pbem verify ford"
    )


def test_a_letter_that_was_set_aside_is_found(ford: Table) -> None:
    set_aside(ford.office.folder / EMERGENCY, b"x")
    assert found(ford)["emergency"].state == "look"
    assert "1 letter lies in" in found(ford)["emergency"].says


def test_a_key_that_others_can_read_is_found(ford: Table) -> None:
    (ford.office.folder / "office.key").chmod(0o640)
    assert found(ford)["key"].state == "wrong"
    assert "chmod 600" in found(ford)["key"].says


def test_a_player_from_whom_mail_comes_back_is_named(ford: Table) -> None:
    for _ in range(6):
        ford.write("smuggler", "help")
        ford.clock.forward(24)
    player = ford.dossier.campaign.players[Role("smuggler")]
    with ford.office.write() as connection:
        for mail in outbox.listing(connection):
            if mail.player == player:
                setbacks.keep(connection, Setback(mail.id, player, mail.created_at, "5.1.1"))
    assert found(ford)["players"] == Finding(
        "players", "look", "mail comes back from Smuggler: ask for another address"
    )


def test_an_exchange_that_nobody_runs_is_found(ford: Table) -> None:
    ford.clock.at = ford.dossier.exchange().deadline + HOUR
    assert "1A was due at" in found(ford)["ford"].says


def test_a_clock_that_nobody_looks_at_or_that_went_back_is_found(ford: Table) -> None:
    with ford.office.write() as connection:
        heartbeat.look(connection, ford.clock.at, away_after=HOUR)
    assert found(ford)["clock"].says == "pbem run keeps it"
    ford.clock.at += HOUR
    assert found(ford)["clock"].state == "look"
    ford.clock.at -= 2 * HOUR
    assert found(ford)["clock"].state == "wrong"
    assert found(ford)["ford"].state == "wrong"


@pytest.mark.parametrize(
    ("entries", "what"),
    [('[smtp]\nhost = "127.0.0.1"\nport = 1', "mail"), ('[imap]\nhost = "127.0.0.1"\nport = 1', "mailbox")],
)
def test_a_mail_server_that_cannot_be_reached_is_found(
    ford: Table, monkeypatch: pytest.MonkeyPatch, entries: str, what: str
) -> None:
    monkeypatch.setenv("PBEM_IMAP_PASSWORD", "x")
    path = ford.office.folder / "pbem.toml"
    path.write_text(f'{path.read_text()}{entries}\n[listen]\nlmtp = "127.0.0.1:2424"\n')
    looked = {one.what: one for one in examine(ford.office.folder)}

    assert looked[what].state == "wrong"
    assert "127.0.0.1" in looked[what].says
    assert looked["lmtp"].state == "ok"
