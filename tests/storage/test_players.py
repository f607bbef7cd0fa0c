"""Who plays: found by address, changed, and forgotten on demand."""

from __future__ import annotations

import pytest

from pbem.kernel.errors import Refused
from pbem.kernel.names import PlayerId
from pbem.storage import blobs, letters, outbox, players
from pbem.storage.databases.connection import Connection
from pbem.storage.players import Player
from tests.kit.facts import AUTUMN, NOW

ANNE, BERND = PlayerId("p-anne"), PlayerId("p-bernd")


def add(connection: Connection, id: PlayerId = ANNE, address: str = "Anne@Example.org") -> Player:
    return players.add(connection, id, name="Anne", address=address, zone="Europe/Berlin", at=NOW)


def letter_of(connection: Connection, player: PlayerId, data: bytes, *, message_id: str = "<1@example.org>") -> int:
    digest = blobs.keep(connection, data, at=NOW)
    letter, _ = letters.receive(
        connection, letters.NewLetter(digest=digest, source="pipe", at=NOW, message_id=message_id)
    )
    letters.settle(connection, letter.id, "applied", campaign=AUTUMN, seq=1, player=player)
    return letter.id


def mail_to(connection: Connection, player: PlayerId, data: bytes, cause: str) -> str:
    digest = blobs.keep(connection, data, at=NOW)
    mail, _ = outbox.queue(
        connection,
        outbox.NewMail(
            id=f"id of {cause}",
            campaign=AUTUMN,
            player=player,
            kind="receipt",
            cause=cause,
            message_id=f"<{cause}@example.org>",
            subject="To Anne",
            digest=digest,
            at=NOW,
        ),
    )
    return mail.id


def test_a_player_is_found_by_any_spelling_of_the_address(connection: Connection) -> None:
    anne = add(connection)

    assert anne == Player(ANNE, "Anne", "anne@example.org", "Europe/Berlin", NOW)
    assert players.get(connection, ANNE) == anne
    assert players.by_address(connection, " ANNE@example.ORG ") == anne
    assert players.by_address(connection, "anne@example.net") is None


def test_one_address_in_two_forms_of_unicode_is_one(connection: Connection) -> None:
    add(connection, address="j\u00e4ger@example.org")

    assert players.by_address(connection, "ja\u0308ger@example.org") is not None


def test_two_players_share_no_address(connection: Connection) -> None:
    add(connection)

    with pytest.raises(Refused, match=r"anne@example\.org is the address of Anne \(p-anne\) already"):
        add(connection, BERND, "anne@EXAMPLE.org")
    add(connection, BERND, "bernd@example.org")
    with pytest.raises(Refused, match="is the address of"):
        players.change(connection, BERND, address="anne@example.org")


def test_what_is_given_is_changed_and_the_rest_stays(connection: Connection) -> None:
    add(connection)

    changed = players.change(connection, ANNE, address="Anne@Example.net", zone="America/New_York")

    assert changed == players.get(connection, ANNE)
    assert (changed.name, changed.address, changed.zone) == ("Anne", "anne@example.net", "America/New_York")
    assert players.change(connection, ANNE, name="Anna").name == "Anna"
    assert players.change(connection, ANNE, address="anne@example.net") == players.get(connection, ANNE)


@pytest.mark.parametrize("zone", ["Berlin", "", "../etc/passwd", "Europe", "\0"])
def test_a_zone_that_is_none_is_refused(connection: Connection, zone: str) -> None:
    with pytest.raises(Refused, match="write one like Europe/Berlin"):
        players.add(connection, ANNE, name="Anne", address="anne@example.org", zone=zone, at=NOW)


def test_a_player_who_is_not_there_is_named(connection: Connection) -> None:
    with pytest.raises(Refused, match="there is no player p-bernd"):
        players.get(connection, BERND)
    with pytest.raises(Refused, match="there is no player p-bernd"):
        players.erase(connection, BERND, at=NOW)


def test_an_erased_player_leaves_the_id_alone(connection: Connection) -> None:
    add(connection)
    players.erase(connection, ANNE, at=NOW + 5)

    assert players.get(connection, ANNE) == Player(ANNE, None, None, "Europe/Berlin", NOW, NOW + 5)
    assert players.by_address(connection, "anne@example.org") is None
    with pytest.raises(Refused, match="p-anne was erased"):
        players.change(connection, ANNE, name="Anne")


def test_the_address_of_an_erased_player_is_free_and_many_can_be_erased(connection: Connection) -> None:
    for id in (ANNE, BERND):
        add(connection, id)
        players.erase(connection, id, at=NOW)

    assert [player.address for player in players.listing(connection)] == [None, None]


def test_to_erase_twice_changes_nothing(connection: Connection) -> None:
    add(connection)
    players.erase(connection, ANNE, at=NOW + 5)
    players.erase(connection, ANNE, at=NOW + 9)

    assert players.get(connection, ANNE).erased_at == NOW + 5


@pytest.mark.sqlite
def test_nothing_of_an_erased_player_is_left_in_any_table(connection: Connection) -> None:
    add(connection)
    letter_of(connection, ANNE, b"From: anne@example.org\r\n\r\nmove", message_id="<anne@example.org>")
    mail = mail_to(connection, ANNE, b"To: anne@example.org\r\n\r\nDear Anne", "receipt/1")
    outbox.claim(connection, at=NOW, until=NOW + 9, by="sender")
    outbox.sent(connection, mail, answer="250 anne@example.org is fine", at=NOW)
    waiting = mail_to(connection, ANNE, b"To: anne@example.org\r\n\r\nDear Anne again", "receipt/2")

    players.erase(connection, ANNE, at=NOW)

    for table in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").scalars():
        rows = connection.execute(f"SELECT * FROM {table}").fetchall()
        values = [
            value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
            for row in rows
            for value in row
        ]
        assert not [value for value in values if "anne" in value.replace(ANNE, "").lower()], table
    assert outbox.get(connection, mail).state == "sent"
    assert outbox.get(connection, waiting).state == "dropped"


def test_the_same_bytes_from_another_player_stay(connection: Connection) -> None:
    add(connection)
    add(connection, BERND, "bernd@example.org")
    for player in (ANNE, BERND):
        letter_of(connection, player, b"move p1 to J-10")
    letter_of(connection, ANNE, b"move p1 to J-11")

    players.erase(connection, ANNE, at=NOW)

    states = [blobs.state(connection, blobs.digest_of(data)) for data in (b"move p1 to J-10", b"move p1 to J-11")]
    assert states == ["kept", "erased"]


def test_the_same_bytes_from_nobody_known_do_not(connection: Connection) -> None:
    add(connection)
    letter_of(connection, ANNE, b"same")
    letters.receive(connection, letters.NewLetter(digest=blobs.digest_of(b"same"), source="pipe", at=NOW))

    players.erase(connection, ANNE, at=NOW)

    assert blobs.state(connection, blobs.digest_of(b"same")) == "erased"


def test_a_new_epoch_is_one_players_alone_and_the_erased_have_none(connection: Connection) -> None:
    for name in ("anne", "bernd"):
        players.add(connection, PlayerId(name), name=name, address=f"{name}@x.org", zone="UTC", at=NOW)
    assert players.rekey(connection, PlayerId("anne")).epoch == 2
    assert [players.epoch(connection, one) for one in ("anne", "bernd", "carl")] == [2, 1, None]
    players.erase(connection, PlayerId("anne"), at=NOW)

    assert [players.epoch(connection, one) for one in ("anne", "bernd")] == [None, 1]
    with pytest.raises(Refused, match="was erased"):
        players.rekey(connection, PlayerId("anne"))
