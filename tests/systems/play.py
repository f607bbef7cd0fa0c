"""Where the tests of our own systems, and of the toy, lie; and games without an office, as the suite plays them.

The toy is installed as any sixth system is, by an entry point: `monkeypatch.syspath_prepend(SIXTH)`.
"""

from __future__ import annotations

from pathlib import Path

from pbem.resources import resources
from pbem.rules.registry import BUILT_IN, names
from pbem.suite.places import PLACES, Place, campaigns, case_files, files, scenarios
from pbem.suite.play import Apart, Game, Watched, seed

__all__ = [
    "SIXTH",
    "SYSTEMS",
    "TOY_CAMPAIGNS",
    "Apart",
    "Game",
    "Watched",
    "campaigns",
    "case_files",
    "files",
    "scenarios",
    "seed",
]

SIXTH = Path(__file__).parent / "sixth"
"""Put on the path, it installs the toy."""

SYSTEMS = tuple(dict.fromkeys(("toy", *names())))
"""The toy, and every system that is installed: what the tests of all systems take."""

TOY_CAMPAIGNS = Path(__file__).parent / "toy" / "campaigns"
TESTS = Path(__file__).parents[1]


def _place(system: str) -> Place:
    own, ships = system.replace("-", "_"), system in BUILT_IN
    return Place(
        campaigns=resources("campaigns") / system if ships else TOY_CAMPAIGNS / system,
        cases=TESTS / "cases" / system if ships else Path(__file__).parent / own / "cases.toml",
        module=f"tests.systems.{own}.secrets",
        odds=f"tests.systems.{own}.odds",
        reasons=TESTS / "mutants" / "reasons.toml",
        neutral=TESTS / "mutants" / "neutral.toml",
        fields=TESTS / "fields" / system,
        told_by=__name__,
    )


PLACES |= {system: _place(system) for system in ("toy", *BUILT_IN)}
