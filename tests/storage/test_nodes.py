"""Who is on duty, as it is written down."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.storage.databases.connection import Connection
from pbem.storage.house import nodes
from pbem.storage.house.nodes import Node
from tests.kit.facts import NOW

NORTH = Node("n", "north", 1, "run", NOW, NOW, "0.1.0", "key", "", "", "toy 1")
SOUTH = Node("s", "south", 1, "web", NOW + 5, NOW + 5, "0.1.0", "key", "", "", "toy 1")


def test_who_says_so_is_on_duty_until_he_takes_it_back(connection: Connection) -> None:
    nodes.here(connection, SOUTH)
    nodes.here(connection, NORTH)
    assert nodes.seen(connection, since=NOW - 1) == [NORTH, SOUTH]

    nodes.gone(connection, "n")
    nodes.gone(connection, "nobody")
    assert nodes.seen(connection, since=NOW - 1) == [SOUTH]


def test_who_is_seen_again_is_written_down_as_he_is_now(connection: Connection) -> None:
    nodes.here(connection, NORTH)
    later = replace(NORTH, seen_at=NOW + 60, templates="others")
    nodes.here(connection, later)

    assert nodes.seen(connection, since=NOW) == [later]


def test_who_is_not_seen_is_not_on_duty_and_is_forgotten(connection: Connection) -> None:
    nodes.here(connection, NORTH)
    nodes.here(connection, SOUTH)
    assert nodes.seen(connection, since=NOW) == [SOUTH]

    nodes.forget(connection, before=NOW)
    assert nodes.seen(connection, since=0) == [SOUTH]
