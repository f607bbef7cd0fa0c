"""What pytest is told of the suite: its option, and that its modules hold tests."""

from __future__ import annotations

import pytest

pytest.register_assert_rewrite(*(f"pbem.suite.{name}" for name in ("cases", "contract", "fog", "secret", "whole")))


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--system NAME`, as often as wanted."""
    parser.getgroup("pbem").addoption(
        "--system", action="append", metavar="NAME", help="of pbem.suite: the rules system that is to keep the contract"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Say what the mark is by which what is asked of one system is asked by one process."""
    config.addinivalue_line("markers", "xdist_group(name): what one process of pytest-xdist runs")
