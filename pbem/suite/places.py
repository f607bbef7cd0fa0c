"""Where what the suite asks of a system lies: its scenarios, its cases, and what it says of itself for the tests."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from pbem.rules import registry


class Place(NamedTuple):
    """Where all that lies of one system."""

    campaigns: Path
    """The folder of its scenarios."""
    cases: Path
    """A file of cases, or a folder of such files."""
    module: str
    """What it says of itself, as `secret` has it."""
    odds: str = ""
    """The module of its attacks; empty: the same."""
    reasons: Path = Path("none")
    """Why mutants of its rules may survive (`mutants`)."""
    neutral: Path = Path("none")
    """Neutral answers that no type tells."""
    fields: Path | None = None
    """A folder of scenarios that are for cases alone, if there is one."""
    told_by: str = ""
    """The module that puts it into `PLACES`; empty: it lies in the system's own package, where everybody finds it."""


PLACES: dict[str, Place] = {}
"""By system, for those whose tests do not lie in their own package."""


def place_of(system: str) -> Place:
    """Where all that lies of *system*.

    :raises UnknownSystem: if it is not installed.
    """
    if system in PLACES:
        return PLACES[system]
    package = registry.package_of(system)
    folder = registry.folder_of(package)
    aside = folder / registry.SUITE
    return Place(
        campaigns=folder / "campaigns" / system,
        cases=aside / "cases" if (aside / "cases").is_dir() else aside / "cases.toml",
        module=f"{package}.{registry.SUITE}",
        reasons=aside / "mutants.toml",
        neutral=aside / "neutral.toml",
    )


def campaigns(system: str) -> Path:
    """The folder that holds the scenarios of *system*."""
    return place_of(system).campaigns


def case_files(system: str) -> Path:
    """The folder or file that holds the cases of *system*."""
    return place_of(system).cases


def scenarios(system: str) -> tuple[str, ...]:
    """The names of the scenarios of *system*."""
    return tuple(sorted(path.parent.name for path in campaigns(system).glob("*/scenario.toml")))


def files(system: str, scenario: str) -> dict[str, Any]:
    """The files of a scenario or field of cases, as a campaign keeps them: each table in the order of its names."""
    fields = place_of(system).fields
    field = fields / scenario if fields else None
    folder = field if field and field.is_dir() else campaigns(system) / scenario
    found = {path.stem: tomllib.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.toml"))}
    kept: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(found, order="deterministic"))
    return kept
