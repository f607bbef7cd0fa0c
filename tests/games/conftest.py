"""What tests of a demonstration share: a module says by `SCENARIO`, `MANIFEST`, `LETTERS` and `KEPT` whose it is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.desk.books.dossiers import Dossier, load
from pbem.desk.house.demo import Happened
from pbem.desk.office.office import Office, open_office
from pbem.desk.proof.proof import Verified
from pbem.desk.proof.verify import verify
from tests.games.golden import again, keep, promised
from tests.kit.demos import played as played_once


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "report" in metafunc.fixturenames:
        metafunc.parametrize("report", metafunc.module.REPORTS)


@pytest.fixture(scope="module")
def kept(request: pytest.FixtureRequest) -> Path:
    """Where the log of old lies, and the reports as they were looked at."""
    folder: Path = request.module.KEPT
    return folder


@pytest.fixture(scope="module")
def shown(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Happened], Path]:
    """The demonstration, played: what was told of it, and its office."""
    scenario = request.module.SCENARIO
    return played_once(tmp_path_factory, scenario.card.system, scenario.card.name)


@pytest.fixture(scope="module")
def office(shown: tuple[list[Happened], Path]) -> Iterator[Office]:
    """The office in which it was played."""
    with open_office(shown[1], mails=False) as opened:
        yield opened


@pytest.fixture(scope="module")
def played(request: pytest.FixtureRequest, office: Office) -> Dossier:
    """The campaign as it was played."""
    with office.read() as connection:
        return load(office, connection, request.module.MANIFEST.campaign)


@pytest.fixture(scope="module")
def taken_in(
    request: pytest.FixtureRequest, pytestconfig: pytest.Config, kept: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Office]:
    """An office that has taken the log of old in."""
    if pytestconfig.getoption("update_golden"):
        keep(kept, request.getfixturevalue("office"), request.getfixturevalue("played"))
    with again(kept, tmp_path_factory.mktemp("old") / "office") as opened:
        yield opened


@pytest.fixture(scope="module")
def verified(request: pytest.FixtureRequest, taken_in: Office, kept: Path) -> Verified:
    """What comes of the log of old when all of it is checked, down to the head that its file promises."""
    return verify(taken_in, request.module.NAME, head=promised(kept)["head"])


@pytest.fixture(scope="module")
def old(request: pytest.FixtureRequest, taken_in: Office) -> Dossier:
    """The campaign as its log of old has it."""
    with taken_in.read() as connection:
        return load(taken_in, connection, request.module.MANIFEST.campaign)
