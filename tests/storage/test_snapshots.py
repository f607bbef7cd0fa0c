"""A kept fold saves work and answers nothing that the log would not."""

from __future__ import annotations

from pbem.kernel.names import CampaignId
from pbem.storage import snapshots
from pbem.storage.databases.connection import Connection
from pbem.storage.snapshots import Snapshot
from tests.kit.facts import AUTUMN, SPRING


def keep(
    connection: Connection, seq: int, data: bytes, *, fold: str = "world 1", campaign: CampaignId = AUTUMN
) -> None:
    snapshots.keep(connection, campaign, seq=seq, system="st-privat", fold=fold, data=data)


def test_the_newest_that_is_not_too_new_is_found(connection: Connection) -> None:
    for seq in (10, 20, 30):
        keep(connection, seq, b"%d" % seq)

    assert snapshots.latest(connection, AUTUMN, fold="world 1") == Snapshot(30, b"30")
    assert snapshots.latest(connection, AUTUMN, fold="world 1", upto=29) == Snapshot(20, b"20")
    assert snapshots.latest(connection, AUTUMN, fold="world 1", upto=9) is None


def test_a_fold_of_another_version_is_no_answer_and_is_thrown_away(connection: Connection) -> None:
    keep(connection, 10, b"old")
    assert snapshots.latest(connection, AUTUMN, fold="world 2") is None

    keep(connection, 5, b"new", fold="world 2")
    assert snapshots.latest(connection, AUTUMN, fold="world 1") is None
    assert snapshots.latest(connection, AUTUMN, fold="world 2") == Snapshot(5, b"new")


def test_a_fold_kept_again_replaces_the_one_before(connection: Connection) -> None:
    keep(connection, 10, b"one")
    keep(connection, 10, b"two")

    assert snapshots.latest(connection, AUTUMN, fold="world 1") == Snapshot(10, b"two")


def test_dropping_takes_those_of_one_campaign(connection: Connection) -> None:
    keep(connection, 10, b"autumn")
    keep(connection, 10, b"spring", campaign=SPRING)
    snapshots.drop(connection, AUTUMN)

    assert snapshots.latest(connection, AUTUMN, fold="world 1") is None
    assert snapshots.latest(connection, SPRING, fold="world 1") == Snapshot(10, b"spring")


def test_of_a_stretch_that_is_thinned_the_last_stays(connection: Connection) -> None:
    for seq in (10, 12, 15, 20, 25, 27):
        keep(connection, seq, b"%d" % seq)
    keep(connection, 12, b"spring", campaign=SPRING)

    snapshots.keep(
        connection, AUTUMN, seq=30, system="st-privat", fold="world 1", data=b"30", thin=[(0, 16), (16, 20), (20, 26)]
    )

    kept = connection.execute("SELECT campaign, seq FROM snapshot ORDER BY campaign, seq").fetchall()
    assert [seq for campaign, seq in kept if campaign == AUTUMN] == [15, 25, 27, 30]
    assert [seq for campaign, seq in kept if campaign == SPRING] == [12]
