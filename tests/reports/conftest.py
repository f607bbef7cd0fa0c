"""What the tests of the paper share."""

from __future__ import annotations

from pathlib import Path

import pytest
from jinja2 import Environment

from pbem.reports.pages.environment import environment
from pbem.resources import resources

GOLDEN = Path(__file__).parent / "golden"


@pytest.fixture
def env() -> Environment:
    """The office's own templates."""
    return environment(resources("templates"))


@pytest.fixture
def fonts() -> Path:
    """The office's own fonts."""
    return resources("templates") / "fonts"


@pytest.fixture
def kept() -> Path:
    """Where the golden files are."""
    return GOLDEN
