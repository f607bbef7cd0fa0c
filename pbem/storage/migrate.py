"""Bring an office to the shape that this version of pbem reads and writes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from alembic import command
from alembic.config import Config

from pbem.storage.database import in_words, open_office, version
from pbem.storage.databases.connection import Engine


def upgrade(office: Engine | str, migrations: Path, to: str = "head") -> str:
    """Run the *migrations* (a folder) that the *office* (open, or by its url) has not been through.

    All of them, or none; the triggers of the log are put back in any case.  Gives the new version.

    :raises StorageError: if the disk does not let it.
    """
    return _move(office, migrations, command.upgrade, to)


def downgrade(office: Engine | str, migrations: Path, to: str) -> str:
    """Take migrations back down to the version *to* (`base`: all); gives the new version, `""` for none.

    :raises StorageError: if the disk does not let it.
    """
    return _move(office, migrations, command.downgrade, to)


def _move(office: Engine | str, migrations: Path, move: Callable[[Config, str], None], to: str) -> str:
    engine = open_office(office, create=True) if isinstance(office, str) else office
    config = Config()
    config.set_main_option("script_location", str(migrations).replace("%", "%%"))
    try:
        with in_words(engine), engine.database.migrating(engine) as (connection, alembics):
            config.attributes |= {"connection": alembics, "office": connection}
            move(config, to)
        return version(engine) or ""
    finally:
        if isinstance(office, str):
            engine.dispose()
