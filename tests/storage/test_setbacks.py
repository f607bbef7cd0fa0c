"""Each mail that came back is known once, by its gravest news."""

from __future__ import annotations

from pbem.kernel.names import PlayerId
from pbem.storage import blobs, outbox, players, setbacks
from pbem.storage.databases.connection import Connection
from pbem.storage.setbacks import Setback
from tests.kit.facts import AUTUMN, NOW

ANN = PlayerId("ann")


def mail(connection: Connection, id: str, player: PlayerId | None = ANN) -> str:
    if player:
        players.by_address(connection, "a@x.example") or players.add(
            connection, player, name="Ann", address="a@x.example", zone="UTC", at=NOW
        )
    outbox.queue(
        connection,
        outbox.NewMail(
            id=id,
            campaign=AUTUMN,
            player=player,
            kind="report",
            cause=id,
            message_id=f"<{id}@example.org>",
            subject="[Autumn] 5B",
            digest=blobs.keep(connection, b"bytes", at=NOW),
            at=NOW,
        ),
    )
    return id


def test_a_mail_that_came_back_is_found_under_its_player(connection: Connection) -> None:
    first = Setback(mail(connection, "m1"), ANN, NOW, "5.1.1", "550 no such user")
    gm = Setback(mail(connection, "m2", None), None, NOW + 1, "4.2.2")
    assert setbacks.keep(connection, first)
    assert setbacks.keep(connection, gm)

    assert setbacks.get(connection, "m1") == first
    assert setbacks.of_player(connection, ANN) == [first]
    assert setbacks.of_player(connection, None) == [gm]
    assert setbacks.listing(connection) == [first, gm]
    assert setbacks.listing(connection, since=NOW) == [gm]
    assert setbacks.get(connection, "m3") is None


def test_the_gravest_news_of_a_mail_stands(connection: Connection) -> None:
    late = Setback(mail(connection, "m1"), ANN, NOW, "4.4.1", "late")
    lost = Setback("m1", ANN, NOW + 5, "5.4.7", "gave up")
    assert [setbacks.keep(connection, one) for one in (late, late, lost, late, lost)] == [
        True,
        False,
        True,
        False,
        False,
    ]

    assert setbacks.of_player(connection, ANN) == [lost]


def test_what_came_back_can_be_forgotten(connection: Connection) -> None:
    setbacks.keep(connection, Setback(mail(connection, "m1"), ANN, NOW, "5.1.1"))
    setbacks.keep(connection, Setback(mail(connection, "m2", None), None, NOW, "5.1.1"))
    setbacks.forget(connection, ANN)

    assert [one.mail for one in setbacks.listing(connection)] == ["m2"]


def test_of_a_player_who_reads_elsewhere_now_or_is_erased_nothing_came_back(connection: Connection) -> None:
    setbacks.keep(connection, Setback(mail(connection, "m1"), ANN, NOW, "5.1.1"))
    players.change(connection, ANN, zone="Europe/Paris")
    assert len(setbacks.of_player(connection, ANN)) == 1
    players.change(connection, ANN, address="ann@elsewhere.example")
    assert setbacks.of_player(connection, ANN) == []

    setbacks.keep(connection, Setback("m1", ANN, NOW, "5.1.1"))
    players.erase(connection, ANN, at=NOW)
    assert setbacks.listing(connection) == []
