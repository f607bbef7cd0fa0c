"""Of which systems and scenarios each test is asked."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from pbem.suite.cases import cases_of
from pbem.suite.places import scenarios
from pbem.suite.secret import plug


def together(name: str) -> pytest.MarkDecorator:
    """What is asked of one system is asked by one process: games and grounds are then there from the test before."""
    return pytest.mark.xdist_group(f"contract of {name}")


def boards(systems: Iterable[str], *, large: bool = False) -> tuple[tuple[str, str], ...]:
    """Each system with each of its scenarios: those whose games are played to their end, or those too long for it."""
    return tuple(
        (system, scenario)
        for system in systems
        for scenario in scenarios(system)
        if (scenario in getattr(plug(system), "LARGE", ())) == large
    )


def of_each(metafunc: pytest.Metafunc, systems: Iterable[str]) -> None:
    """Ask a test of each of the *systems*, by what it takes: `name`, and with it `scenario`, `large` or `case`.

    *large* is a scenario that is too long to be played to its end; *case* the id of a case.  What a test says
    for itself stands.
    """
    own = [mark.args[0] for mark in metafunc.definition.iter_markers("parametrize")]
    if any("name" in (one.split(",") if isinstance(one, str) else one) for one in own):
        return
    asked = [one for one in ("scenario", "large", "case") if one in metafunc.fixturenames]
    if not asked and "name" in metafunc.fixturenames:
        metafunc.parametrize("name", [pytest.param(name, marks=together(name)) for name in systems])
    for one in asked:
        found = (
            ((name, case) for name in systems for case in cases_of(name))
            if one == "case"
            else boards(systems, large=one == "large")
        )
        metafunc.parametrize(("name", one), [pytest.param(*each, marks=together(each[0])) for each in found])
