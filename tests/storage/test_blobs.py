"""Bytes are kept once, by their digest, and can be destroyed."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.kernel.errors import BrokenLog, Refused
from pbem.storage import blobs
from pbem.storage.database import transaction
from pbem.storage.databases import sqlite
from pbem.storage.databases.connection import Connection, Engine
from tests.kit.facts import NOW

LETTER = b"From: anne@example.org\r\n\r\nmove p1 to J-10\r\n"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=300))
def test_bytes_come_back_as_they_were(connection: Connection, data: bytes) -> None:
    assert blobs.fetch(connection, blobs.keep(connection, data, at=NOW)) == data


def test_bytes_go_by_their_sha256(connection: Connection) -> None:
    assert blobs.keep(connection, LETTER, at=NOW) == sha256(LETTER).hexdigest() == blobs.digest_of(LETTER)


def test_the_same_bytes_are_kept_once(connection: Connection) -> None:
    assert blobs.keep(connection, LETTER, at=NOW) == blobs.keep(connection, LETTER, at=NOW + 1)
    assert connection.execute("SELECT size, created_at FROM blob").fetchall() == [(len(LETTER), NOW)]


def test_what_can_be_said_in_less_lies_packed(connection: Connection) -> None:
    page = LETTER * 500
    digest = blobs.keep(connection, page, at=NOW)

    [(size, kept)] = connection.execute("SELECT size, length(data) FROM blob").fetchall()
    assert size == len(page)
    assert kept < size / 10
    assert blobs.fetch(connection, digest) == page


def test_what_an_older_office_kept_unpacked_is_read(connection: Connection) -> None:
    digest = blobs.keep(connection, LETTER * 500, at=NOW)
    connection.execute("UPDATE blob SET data = :data, packed = ''", {"data": LETTER * 500})

    assert blobs.fetch(connection, digest) == LETTER * 500


def test_what_is_erased_leaves_its_digest_and_its_size(connection: Connection) -> None:
    digest = blobs.keep(connection, LETTER, at=NOW)
    blobs.erase(connection, digest)

    assert blobs.state(connection, digest) == "erased"
    assert connection.execute("SELECT sha256, size, data FROM blob").fetchall() == [(digest, len(LETTER), None)]
    with pytest.raises(Refused, match="was erased"):
        blobs.fetch(connection, digest)


def test_what_is_erased_and_comes_again_is_kept_again(connection: Connection) -> None:
    digest = blobs.keep(connection, LETTER, at=NOW)
    blobs.erase(connection, digest)
    blobs.keep(connection, LETTER, at=NOW)

    assert blobs.state(connection, digest) == "kept"
    assert blobs.fetch(connection, digest) == LETTER


def test_no_bytes_at_all_are_kept_not_erased(connection: Connection) -> None:
    digest = blobs.keep(connection, b"", at=NOW)

    assert blobs.state(connection, digest) == "kept"
    assert blobs.fetch(connection, digest) == b""


def test_what_never_came_is_missing(connection: Connection) -> None:
    digest = blobs.digest_of(LETTER)

    assert blobs.state(connection, digest) == "missing"
    with pytest.raises(Refused, match="nothing was ever kept"):
        blobs.fetch(connection, digest)


@pytest.mark.sqlite
def test_bytes_that_were_changed_are_not_handed_out(connection: Connection) -> None:
    digest = blobs.keep(connection, LETTER, at=NOW)
    connection.execute("UPDATE blob SET data = CAST('forged' AS BLOB)")

    with pytest.raises(BrokenLog, match="are not what was kept"):
        blobs.fetch(connection, digest)


@pytest.mark.sqlite
def test_what_is_erased_is_nowhere_on_the_disk(office: Engine) -> None:
    path = office.path
    with transaction(office) as connection:
        digest = blobs.keep(connection, LETTER * 500, at=NOW)
        kept, _ = blobs.packed(LETTER * 500)
    sqlite.checkpoint(office)
    assert kept in path.read_bytes()

    with transaction(office) as connection:
        blobs.erase(connection, digest)
    sqlite.checkpoint(office)

    assert kept not in path.read_bytes()
    assert kept not in Path(f"{path}-wal").read_bytes()
