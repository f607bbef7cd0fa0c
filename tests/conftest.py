"""What every test may ask for, and PBEM_REQUIRE_ALL=1, under which nothing may be skipped."""

from __future__ import annotations

import gc
import os
import shutil
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import is_hypothesis_test, settings
from playwright.sync_api import Browser

from tests.kit import browser
from tests.kit.elsewhere import dropped, in_postgres
from tests.kit.quick import quick_offices
from tests.kit.server import Server, program, server

settings.register_profile("pbem", deadline=None, print_blob=True)
# What is to land is judged by the same examples every time; everybody's own runs, and --deep, look further.
settings.register_profile("landing", settings.get_profile("pbem"), derandomize=True)
if settings.get_current_profile_name() != "landing":
    settings.load_profile("pbem")

pytest.register_assert_rewrite("tests.games.kept")
# Their tests are asked of our own systems too (`tests/systems/test_contract.py`).
pytest.register_assert_rewrite(*(f"pbem.suite.{name}" for name in ("cases", "contract", "fog", "secret", "whole")))

HERE = Path(__file__).parent
WORKER = 1_500_000_000
"""Bytes that a process which runs a share of all tests may come to take."""

Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)


def needs(*programs: str) -> str:
    """Find the first of *programs* that this machine has; skip the test, saying why, where it has none."""
    found = next(filter(None, map(shutil.which, programs)), None)
    if found is None:
        pytest.skip(f"needs {' or '.join(programs)}, which this machine does not have")
    return found


@pytest.fixture(autouse=True, scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Offices are made quickly."""
    yield from quick_offices(tmp_path_factory.getbasetemp() / "new.sqlite")


@pytest.fixture(autouse=True, scope="session")
def kept_elsewhere(request: pytest.FixtureRequest) -> Iterator[None]:
    """Offices are kept in the database that was asked for."""
    if request.config.getoption("database") == "postgresql":
        yield from in_postgres(request.getfixturevalue("postgres"))
    else:
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None, None, None]:
    """What a test made in PostgreSQL is gone after it: each database takes room, and many are slow."""
    folder: Path | None = getattr(item, "funcargs", {}).get("tmp_path")
    yield
    # After the last test its server is gone with all of them.
    if folder is not None and nextitem is not None and item.config.getoption("database") == "postgresql":
        dropped(folder)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A browser for the tests of one module: Playwright's loop must not outlive it, others run loops too."""
    with browser.begun(needs(*browser.BROWSERS)) as found:
        yield found


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A PostgreSQL server for the tests of one process."""
    if program("initdb") is None:
        pytest.skip("needs a PostgreSQL server, which this machine does not have")
    with server() as found:
        yield found


@pytest.fixture
def golden(pytestconfig: pytest.Config) -> Callable[[Path, bytes], None]:
    """Compare bytes with a committed file, or, under ``--update-golden``, write them there."""

    def compare(path: Path, content: bytes) -> None:
        if pytestconfig.getoption("update_golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        assert path.exists(), f"{path} is not there: `make golden` writes it"
        assert path.read_bytes() == content, f"{path} differs: if it should, `make golden` writes it anew"

    return compare


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write the golden files anew")
    parser.addoption(
        "--database", choices=("sqlite", "postgresql"), default="sqlite", help="in what offices of tests are kept"
    )
    parser.addoption(
        "--deep", type=int, metavar="TIMES", help="run the property tests alone, with so many times as many examples"
    )


@pytest.hookimpl(wrapper=True)
def pytest_xdist_auto_num_workers() -> Generator[None, int, int]:
    """More than the machine has processors: those who wait for a server or a browser leave theirs idle."""
    room = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // WORKER
    return max(1, min((yield) + 2, room))


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Each process of a whole run reads its share of the tests before all: what it has compiled the others find."""
    config = session.config
    told: Mapping[str, str | int] = getattr(config, "workerinput", {})
    if told and config.args_source is pytest.Config.ArgsSource.TESTPATHS:
        own = int(str(told["workerid"]).removeprefix("gw"))
        for test in sorted(HERE.rglob("test_*.py"))[own :: int(told["workercount"])]:
            # What is wrong with one is said when it is collected.
            with suppress(Exception):
                import_module(".".join(test.relative_to(HERE.parent).with_suffix("").parts))


def pytest_collection_finish() -> None:
    # Half a million objects of eighteen thousand tests stay to the end: who looks through them again finds nothing.
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("database") != "sqlite":
        items[:] = [item for item in items if item.get_closest_marker("sqlite") is None]
    times = config.getoption("deep")
    if not times:
        return
    found = [(item, _property(item)) for item in items]
    items[:] = [item for item, test in found if test is not None]
    for test in {test for _, test in found if test is not None}:
        # As @settings above the test would have it: Hypothesis has no public way to set it from outside.
        before: settings = getattr(test, SETTINGS, settings())
        setattr(test, SETTINGS, settings(before, max_examples=before.max_examples * times, derandomize=False))


SETTINGS = "_hypothesis_internal_use_settings"


def _property(item: pytest.Item) -> Callable[..., object] | None:
    """The function of a property test; None, if it is no such test."""
    found = getattr(item, "obj", None)
    function: Callable[..., object] | None = getattr(found, "__func__", found)
    return function if is_hypothesis_test(function) else None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    return no_skip((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    return no_skip((yield))


CORPORA = "needs PBEM_LETTERS"
"""How a test skips for want of other people's letters, which no package manager installs."""


def no_skip(report: Report) -> Report:
    """Make a failure of a skip where everything is required; a test expected to fail is no skip."""
    if report.skipped and not hasattr(report, "wasxfail") and os.environ.get("PBEM_REQUIRE_ALL") == "1":
        *_, reason = report.longrepr if isinstance(report.longrepr, tuple) else (report.longrepr,)
        if CORPORA in str(reason):
            return report
        report.outcome = "failed"
        report.longrepr = f"{reason}\nNothing may be skipped under PBEM_REQUIRE_ALL=1."
    return report
