"""The contract suite of the systems that `--system` names: `pytest --pyargs pbem.suite --system mine`."""

from __future__ import annotations

import pytest

from pbem.rules.registry import BUILT_IN, names
from pbem.suite.boards import of_each
from pbem.suite.contract import *  # noqa: F403 - its tests are tests of this module
from pbem.suite.fog import *  # noqa: F403
from pbem.suite.whole import *  # noqa: F403


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Each test is asked of the systems that were named."""
    named: list[str] = metafunc.config.getoption("--system", default=None) or []
    there = [one for one in names() if one not in BUILT_IN]
    if not named or not set(named) <= set(there):
        strange = ", ".join(sorted({*named} - {*there}))
        said = f'no package has a system "{strange}".' if strange else "of which system?  Say it with --system NAME."
        raise pytest.UsageError(f"{said}  Installed, of other packages: {', '.join(there) or 'none'}.")
    of_each(metafunc, named)
