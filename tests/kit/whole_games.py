"""The demonstrations of all systems, played and broken off: games that are over, with all that a game has."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pbem.desk.books import dossiers
from pbem.desk.house import demo
from pbem.desk.office.office import Office, open_office
from pbem.desk.players import enrol
from tests.kit.demos import copy_of, played


@contextmanager
def whole_game(system: str, folder: Path, factory: pytest.TempPathFactory) -> Iterator[tuple[Office, str]]:
    """An office, in *folder*, in which the demonstration of *system* is over, and the name of the campaign."""
    manifest = demo.find_demo(system)[1]
    copy_of(played(factory, system)[1], folder)
    with open_office(folder, mails=False) as office:
        with office.read() as connection:
            over = dossiers.load(office, connection, manifest.campaign).campaign.ended
        if over is None:
            enrol.end(office, manifest.campaign, "The demonstration ends here.")
        yield office, manifest.campaign
