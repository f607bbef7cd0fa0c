"""An office of any age comes to the shape of now, with all that it held and all its guards."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from shutil import copytree

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlmodel import SQLModel

from pbem.kernel.errors import StorageError
from pbem.kernel.event import Throw
from pbem.kernel.log import valid
from pbem.kernel.names import FULL, Moment, Role, ThrowName
from pbem.kernel.step import campaign_of
from pbem.storage import blobs, letters, migrate, outbox, players, secrets, tables
from pbem.storage.codec import Codec
from pbem.storage.database import VERSION, open_office, reading, transaction, version
from pbem.storage.databases.connection import Engine
from pbem.storage.databases.sqlite import triggers as wanted
from pbem.storage.databases.sqlite import unguarded
from pbem.storage.log import SqlLog
from tests.kit.facts import AUTUMN, FACTS, MIGRATIONS, NOW, Moved, moves

RELEASED = sorted((Path(__file__).parent / "released").glob("*.sql"))
NUMBERS = [script.revision for script in ScriptDirectory(str(MIGRATIONS)).walk_revisions("base", "heads")][::-1]

TOGETHER = {"0003", "0004", "0007", "0008"}
"""Numbers that no office was ever left at: they came out with the one after."""

HEADS = {
    "79abc138c953502c76717361e4b67d506a46926c6f88e84287a97e2568c67760",
    "0d8d42b84bab82d48128ff0321dfda659f7f93a5f9f54b66b79a0cb52ef7c49f",
}
"""Where their logs end: before, and since, an annulment is written down in its second shape."""

NEXT = f"{int(VERSION) + 1:04}"

REBUILD = f'''
"""Build the table of the log anew, as a careless migration would."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "{NEXT}", "{VERSION}"


def upgrade() -> None:
    with op.batch_alter_table("event", recreate="always") as event:
        event.add_column(sa.Column("note", sa.String(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("event", recreate="always") as event:
        event.drop_column("note")
'''


@pytest.fixture(params=RELEASED, ids=lambda path: path.stem)
def released(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The url of an office as an older pbem left it."""
    with closing(sqlite3.connect(tmp_path / "office.db")) as connection:
        connection.executescript(request.param.read_text(encoding="utf-8"))
    return f"sqlite:///{tmp_path / 'office.db'}"


@pytest.fixture
def upgraded(released: str) -> Iterator[Engine]:
    migrate.upgrade(released, MIGRATIONS)
    engine = open_office(released)
    yield engine
    engine.dispose()


def triggers(engine: Engine) -> int:
    with reading(engine) as connection:
        return len(connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall())


def due(engine: Engine) -> int:
    """How many triggers an office of its shape must have."""
    with reading(engine) as connection:
        return len(wanted(connection))


def test_every_released_shape_but_the_newest_is_kept() -> None:
    assert [path.stem for path in RELEASED] == [number for number in NUMBERS[:-1] if number not in TOGETHER]


def test_an_old_office_is_refused_until_its_upgrade(released: str) -> None:
    with pytest.raises(StorageError, match="run pbem db upgrade"):
        open_office(released)


def test_the_log_of_an_old_office_replays(upgraded: Engine) -> None:
    with reading(upgraded) as connection:
        log = SqlLog(connection, Codec(FACTS))
        events = list(log.read(AUTUMN))

        assert log.check_chain(AUTUMN) == len(events) == 19
        assert log.head(AUTUMN).hash in HEADS
    campaign = campaign_of(events)
    french, prussian = Role("french"), Role("prussian")
    assert campaign.players == {french: "p-anne", prussian: "p-clara"}
    assert campaign.sheets[Moment(1), french].text == "move p1 to J-10\ncharge"
    assert campaign.sheets[Moment(2), prussian].kept
    assert campaign.exchanges[Moment(1)].state == "released"
    assert campaign.horizon(french) == 17
    facts = [one.event for one in valid(events) if isinstance(one.event, Moved)]
    throw = Throw(ThrowName("1A/melee/J-10"), "closed", 6, (4, 2))
    moved = Moved(phase="movement", piece="p1", path=("J-9", "J-10"), cost=2, dice=(throw,), known={french: FULL})
    assert facts == [moved]


def test_what_an_old_office_kept_beside_its_log_is_there(upgraded: Engine) -> None:
    with reading(upgraded) as connection:
        letter = letters.get(connection, 1)
        assert (letter.state, letter.campaign, letter.seq, letter.player) == ("applied", AUTUMN, 9, "p-anne")
        assert blobs.fetch(connection, letter.digest).endswith(b"move p1 to J-10\r\n")
        assert players.listing(connection)[0].address == "anne@example.org"
        assert outbox.get(connection, "m-1").state == "queued"
        campaign = campaign_of(SqlLog(connection, Codec(FACTS)).read(AUTUMN))
        assert campaign.muster
        assert secrets.get(connection, AUTUMN, campaign.muster).open == bytes(32)


def test_an_old_office_plays_on(upgraded: Engine) -> None:
    with transaction(upgraded) as connection:
        log = SqlLog(connection, Codec(FACTS))

        assert log.append(AUTUMN, moves(2), expecting=19, at=NOW, actor="gm") == 21
        assert log.check_chain(AUTUMN) == 21


def test_the_newest_migration_is_the_version_that_is_asked_for() -> None:
    assert sorted(NUMBERS) == NUMBERS
    assert NUMBERS[-1] == VERSION


@pytest.mark.sqlite
def test_the_migrations_make_the_tables_that_are_declared(office: Engine) -> None:
    assert tables.__name__
    with office.database.migrating(office) as (_, alembics):
        context = MigrationContext.configure(alembics, opts={"compare_type": True, "compare_server_default": True})

        assert compare_metadata(context, SQLModel.metadata) == []


@pytest.mark.sqlite
@pytest.mark.parametrize("down", ["base", *NUMBERS])
def test_the_triggers_are_in_place_after_every_way_up_and_down(office: Engine, down: str) -> None:
    for number in reversed(NUMBERS):
        if down != "base" and number < down:
            break
        migrate.downgrade(office, MIGRATIONS, number)
        assert (version(office), triggers(office)) == (number, due(office))
    migrate.downgrade(office, MIGRATIONS, down)
    assert triggers(office) == (0 if down == "base" else due(office))

    for number in NUMBERS:
        if number > down or down == "base":
            migrate.upgrade(office, MIGRATIONS, number)
            assert (version(office), triggers(office)) == (number, due(office))
    with reading(office) as connection:
        assert unguarded(connection) == []


@pytest.mark.sqlite
def test_a_migration_that_builds_the_log_anew_keeps_its_rows_and_its_triggers(office: Engine, tmp_path: Path) -> None:
    folder = copytree(MIGRATIONS, tmp_path / "migrations")
    (folder / "versions" / f"{NEXT}_rebuild.py").write_text(REBUILD)
    with transaction(office) as connection:
        SqlLog(connection, Codec(FACTS)).append(AUTUMN, moves(3), expecting=0, at=NOW, actor="gm")

    for move, to in ((migrate.upgrade, NEXT), (migrate.downgrade, VERSION)):
        assert move(office, folder, to) == to
        with transaction(office) as connection:
            log = SqlLog(connection, Codec(FACTS))
            assert unguarded(connection) == []
            assert log.check_chain(AUTUMN) == log.head(AUTUMN).seq
            log.append(AUTUMN, moves(1), expecting=log.head(AUTUMN).seq, at=NOW, actor="gm")


@pytest.mark.sqlite
def test_a_migration_that_fails_leaves_the_office_as_it_was(office: Engine, tmp_path: Path) -> None:
    folder = copytree(MIGRATIONS, tmp_path / "migrations")
    (folder / "versions" / f"{NEXT}_rebuild.py").write_text(REBUILD.replace("\n\ndef down", "\n    1 / 0\n\ndef down"))
    with transaction(office) as connection:
        SqlLog(connection, Codec(FACTS)).append(AUTUMN, moves(3), expecting=0, at=NOW, actor="gm")

    with pytest.raises(ZeroDivisionError):
        migrate.upgrade(office, folder)

    assert (version(office), triggers(office)) == (VERSION, due(office))
    with reading(office) as connection:
        assert SqlLog(connection, Codec(FACTS)).check_chain(AUTUMN) == 3
        assert "note" not in [column.name for column in connection.database.columns(connection, "event")]


@pytest.mark.sqlite
def test_a_migration_that_leaves_a_row_astray_is_refused(office: Engine, tmp_path: Path) -> None:
    folder = copytree(MIGRATIONS, tmp_path / "migrations")
    astray = (
        'op.execute("INSERT INTO letter (digest, received_at, source, state, reason, tries)'
        " VALUES ('none', 0, 'pipe', 'new', '', 0)\")"
    )
    head, _, tail = REBUILD.partition("    with op.batch")
    (folder / "versions" / f"{NEXT}_astray.py").write_text(
        f"{head}    {astray}\n\n\ndef downgrade() -> None:\n    pass\n"
    )
    assert tail

    with pytest.raises(StorageError, match="1 rows refer to nothing, the first in letter"):
        migrate.upgrade(office, folder)

    assert version(office) == VERSION


@pytest.mark.sqlite
def test_an_upgrade_with_nothing_to_do_puts_lost_triggers_back(office: Engine) -> None:
    with transaction(office) as connection:
        connection.execute("DROP TRIGGER event_is_not_changed")

    assert migrate.upgrade(office, MIGRATIONS) == VERSION
    with reading(office) as connection:
        assert unguarded(connection) == []


def test_a_folder_whose_name_holds_a_percent_sign_is_found(tmp_path: Path) -> None:
    folder = copytree(MIGRATIONS, tmp_path / "100%(migrations)s")

    assert migrate.upgrade(f"sqlite:///{tmp_path}/office.db", folder) == VERSION
