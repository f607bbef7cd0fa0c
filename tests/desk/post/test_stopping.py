"""Who wants no more letters gets none and stays in his game; a word from him, and they come again."""

from __future__ import annotations

from email import message_from_bytes
from email.policy import default
from urllib.parse import unquote

import pytest

from pbem.desk.intake.receive import deal_with
from pbem.desk.players.changes import find_player, replace_player, withdraw_player
from pbem.desk.players.enrol import add_player
from pbem.desk.post import stopping
from pbem.desk.proof.verify import verify
from pbem.kernel.errors import Refused
from pbem.kernel.names import Role
from pbem.storage import letters, players
from pbem.storage.blobs import keep
from pbem.storage.outbox import Mail
from tests.kit.table import PLAYERS, Table


def stop_address(ford: Table, mail: Mail) -> str:
    """What the mail says of how letters are stopped."""
    letter = message_from_bytes(ford.bytes_of(mail), policy=default)
    link = str(letter["List-Unsubscribe"]).strip("<>")
    assert link.startswith("mailto:")
    assert link.endswith("?subject=stop")
    assert letter["List-Unsubscribe-Post"] is None
    return unquote(link.removeprefix("mailto:").partition("?")[0])


def take(ford: Table, to: str) -> str | None:
    raw = f"From: robot@mail-house.example\nTo: {to}\nSubject: stop\n\n".encode()
    with ford.office.write() as connection:
        digest = keep(connection, raw, at=ford.clock.at)
        letter, _ = letters.receive(connection, letters.NewLetter(digest=digest, source="lmtp", at=ford.clock.at))
    done = deal_with(ford.office, letter)
    return done.reason if "stopped" in done.reason else None


def resume(ford: Table, address: str) -> bool:
    with ford.office.write() as connection:
        player = players.by_address(connection, address)
        assert player
        return stopping.resume(ford.office, connection, player)


def of(ford: Table, address: str) -> list[tuple[str, str]]:
    """Kind and state of all mails to a player but briefings."""
    id = find_player(ford.office, address).id
    return [(mail.kind, mail.state) for mail in ford.mails if mail.player == id and mail.kind != "briefing"]


def test_a_letter_to_that_address_stops_the_letters_and_not_the_game(ford: Table) -> None:
    ann, _ = ford.mails
    assert take(ford, stop_address(ford, ann)) == "it stopped the letters to its player"
    ford.turn()

    assert of(ford, "ann@player.example") == [("receipt", "queued"), ("report", "dropped")]
    assert of(ford, "ben@player.example") == [("report", "queued")]
    assert len(ford.dossier.campaign.players) == 2
    assert verify(ford.office, "ford").sound
    assert "You get no more letters" in ford.text_of(next(mail for mail in ford.mails if mail.kind == "receipt"))
    assert "wants no more letters" in ford.last_to("gm")
    assert take(ford, stop_address(ford, ann)) == "the letters to its player had been stopped before"


def test_when_he_writes_they_come_again_the_newest_report_first(ford: Table) -> None:
    ann, _ = ford.mails
    take(ford, stop_address(ford, ann))
    ford.turn()
    ford.clock.forward(1)
    ford.turn()
    assert resume(ford, "ann@player.example")

    assert of(ford, "ann@player.example") == [("receipt", "queued"), ("report", "dropped"), ("report", "queued")]
    assert not resume(ford, "ann@player.example")
    ford.turn()
    assert of(ford, "ann@player.example")[-1] == ("report", "queued")


def test_who_has_two_roles_gets_the_newest_of_each(ford: Table) -> None:
    ford.turn()
    withdraw_player(ford.office, "ford", "guard", reason="He left.")
    ann = ford.dossier.campaign.players[Role("smuggler")]
    with ford.office.write() as connection:
        stopping.stop(ford.office, connection, players.get(connection, ann), at=ford.clock.at)
    ford.clock.forward(1)
    ford.turn()
    ford.clock.forward(1)
    add_player(ford.office, "ford", "guard", name="Ann", address=PLAYERS["smuggler"])

    stopping.resume_by_gm(ford.office, ann)

    waits = [mail.cause for mail in ford.mails if mail.player == ann and mail.state == "queued"]
    assert [cause.rpartition("/")[0] for cause in waits if not cause.startswith("stopped")] == [
        "report/1B/smuggler",
        "briefing/guard",
    ]


def test_the_gm_can_let_them_come_again(ford: Table) -> None:
    ann, _ = ford.mails
    id = find_player(ford.office, "ann@player.example").id
    with pytest.raises(Refused, match="have not been stopped"):
        stopping.resume_by_gm(ford.office, id)
    take(ford, stop_address(ford, ann))

    assert stopping.resume_by_gm(ford.office, id).stopped_at is None


def test_an_address_that_is_not_ours_or_void_stops_nothing(ford: Table) -> None:
    ann, _ = ford.mails
    address = stop_address(ford, ann)
    assert take(ford, address.replace(".u.", ".")) is None
    assert take(ford, "office@office.example") is None
    with ford.office.write() as connection:
        players.rekey(connection, find_player(ford.office, "ann@player.example").id)

    assert take(ford, address) is None


@pytest.mark.parametrize(("text", "subject"), [("stop", ""), ("Stop.", ""), ("", "stop")])
def test_the_word_stops_the_letters_as_the_address_does(ford: Table, text: str, subject: str) -> None:
    received = ford.write("smuggler", text, subject=subject)
    assert "You are still in your games" in ford.words_to("smuggler")
    ford.turn()

    assert (received.state, received.reason) == ("applied", "it stopped the letters to its player")
    assert of(ford, "ann@player.example") == [("receipt", "queued"), ("report", "dropped")]
    assert len(ford.dossier.campaign.players) == 2
    assert verify(ford.office, "ford").sound


def test_orders_beside_the_word_are_taken_and_answered(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3\nstop")

    assert ford.dossier.campaign.sheets
    assert of(ford, "ann@player.example") == [("receipt", "queued"), ("receipt", "queued")]
    assert find_player(ford.office, "ann@player.example").stopped_at is not None


def test_the_next_letter_after_the_word_brings_them_back(ford: Table) -> None:
    ford.write("smuggler", "stop")
    ford.write("smuggler", "status")

    assert find_player(ford.office, "ann@player.example").stopped_at is None


def test_who_has_left_a_game_gets_no_report_of_it_when_letters_come_again(ford: Table) -> None:
    ann, _ = ford.mails
    take(ford, stop_address(ford, ann))
    ford.turn()
    replace_player(ford.office, "ford", "smuggler", name="Cy", address="cy@player.example", reason="gone")
    before = [one.id for one in ford.mails if one.state == "queued"]
    resume(ford, "ann@player.example")

    assert [one.cause for one in ford.mails if one.state == "queued" and one.id not in before] == []
