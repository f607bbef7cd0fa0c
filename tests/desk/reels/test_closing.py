"""The file that goes with the letter that ends a game."""

from __future__ import annotations

from email import message_from_bytes
from email.policy import default

import pytest

from pbem.desk.players.enrol import end
from pbem.desk.proof.verify import verify
from pbem.desk.reels import closing
from pbem.kernel.office import CampaignEnded
from pbem.reports.replay.page import unpacked
from pbem.reports.replay.record import Record
from pbem.storage.blobs import fetch
from tests.kit.table import Table

ROLES = ("smuggler", "guard")


def finished(table: Table) -> Table:
    """The ford, played to its end, with what its players gave leave for."""
    table.open(options={"last_turn": 1})
    table.write("smuggler", "letter to guard: I ask for a truce.\n\nmove s1 to 3")
    for role in ROLES:
        table.write(role, "publish letters yes\npublish name yes")
    table.turn()
    table.write("guard", "fire g1 at 3")
    table.turn()
    return table


def files(table: Table) -> list[Record]:
    """What came with the newest mails."""
    found = []
    for mail in table.mails:
        letter = message_from_bytes(table.bytes_of(mail), policy=default)
        for part in letter.iter_attachments():
            if part.get_filename() == f"game-{table.name}.html":
                found.append(unpacked(str(part.get_content())))
    return found


def test_every_player_is_sent_the_game_through_all_eyes_with_every_seed(table: Table) -> None:
    one, other = files(finished(table))

    assert one == other
    assert [eyes.name for eyes in one.eyes] == ["truth", *ROLES]
    assert one.throws
    assert all(pair.closed_seed and pair.open_seed for pair in one.beside.pairs)
    assert not one.beside.running
    assert {sheet.role for sheet in one.beside.sheets} == {*ROLES}
    for role in ROLES:
        assert "The game itself is in the file game-ford.html" in table.words_to(role)


def test_what_a_player_can_take_back_is_not_in_what_is_kept(table: Table) -> None:
    [record, _] = files(finished(table))

    assert record.beside.letters == ()
    assert record.beside.people == {}


def test_it_is_kept_and_checked(table: Table) -> None:
    ended = finished(table).dossier.campaign.ended
    assert ended is not None
    assert verify(table.office, "ford").sound
    with table.office.read() as connection:
        assert unpacked(fetch(connection, ended.replay).decode()) == files(table)[0]
    with table.office.write() as connection:
        connection.execute("DELETE FROM blob WHERE sha256 = ?", (ended.replay,))
    first = verify(table.office, "ford").first
    assert first is not None
    assert first.why == "the page of the whole game is missing"


def test_a_game_that_is_broken_off_brings_it_too_and_its_letter_says_the_recipe(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    ford.turn()
    end(ford.office, "ford", "It is late.")

    assert len(files(ford)) == 2
    said = ford.words_to("guard")
    assert "The file game-ford.html is the game itself" in said
    assert "The i-th die of a throw is the HMAC-SHA-256" in said
    assert "of the players' words" in said


def test_where_all_eyes_are_too_many_it_is_the_truth_alone_and_else_none(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = sum(kind.startswith("toy.") for kind in finished(table).kinds)
    ended = next(one for one in table.dossier.log if isinstance(one.event, CampaignEnded))
    whole = table.dossier.upto(ended.seq)
    with table.office.read() as connection:
        monkeypatch.setattr(closing, "MOST", facts)
        assert [one.name for one in unpacked(closing.made(table.office, connection, whole).decode()).eyes] == ["truth"]
        monkeypatch.setattr(closing, "MOST", facts - 1)
        assert closing.made(table.office, connection, whole) == b""


def test_a_game_ends_though_its_file_cannot_be_made(ford: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> Record:
        raise ZeroDivisionError

    monkeypatch.setattr(closing, "drawn", broken)
    ford.turn()
    assert end(ford.office, "ford", "It is late.").replay == ""
    assert files(ford) == []
    assert "game-ford.html" not in ford.words_to("guard")
