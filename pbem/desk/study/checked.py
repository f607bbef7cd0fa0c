"""Whether a scenario is as its maker means it: what keeps it from being opened, and what opening it does not ask."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from pbem.desk.library.scenarios import Scenario, check_scenario, names_of, read_scenario, toml
from pbem.desk.study import doctrine
from pbem.desk.worlds.worlds import AnyWorld, as_written, fold_facts
from pbem.kernel.dice import SEED_BYTES, SeededDice
from pbem.kernel.errors import BadScenario, Refused
from pbem.kernel.names import Moment
from pbem.orders.sheet import Judgement
from pbem.orders.suggest import closest
from pbem.rules import registry
from pbem.rules.checks import Checks, Fault, unknown_keys
from pbem.rules.contract import AnySystem
from pbem.rules.options import see_options


def faults(folder: Path) -> list[Fault]:
    """All that is wrong with the scenario in *folder*, as far as it can be told; places are named from there."""
    found: list[Fault] = []
    for fault in _faults(folder):
        within = replace(fault, where=fault.where.removeprefix(f"{folder}/"))
        if within not in found:
            found.append(within)
    return found


def _faults(folder: Path) -> Iterator[Fault]:
    files: dict[str, Any] = {}
    for name in names_of(folder):
        try:
            files[name] = toml(folder / f"{name}.toml")
        except BadScenario as error:
            yield Fault(error.where, error.why)
    checks: Checks[Any] = Checks()
    if (name := files.get("scenario", {}).get("system")) in registry.names():
        try:
            checks = registry.load(name).checks or checks
        except Refused as error:
            yield Fault("scenario.toml, system", str(error).rstrip("."))
            return
    yield from unknown_keys(files, checks.tables)
    if len(files) < len(names_of(folder)):
        return
    try:
        scenario = read_scenario(folder)
    except BadScenario as error:
        yield Fault(error.where, error.why)
        return
    yield from _briefings(scenario)
    opening = list(_opening(scenario))
    yield from opening
    if not opening:
        yield from _opened(scenario, checks)


def _briefings(scenario: Scenario) -> Iterator[Fault]:
    """One for each role, and none for anybody else."""
    roles = [part.role for part in scenario.card.roles]
    for role in roles:
        if not (scenario.folder / f"briefing-{role}.md").is_file():
            yield Fault(f"briefing-{role}.md", f"is missing: {role} is told nothing before all", look=True)
    for path in sorted(scenario.folder.glob("briefing-*.md")):
        named = path.stem.removeprefix("briefing-")
        if named not in roles:
            like = closest(named, roles)
            meant = f"did you mean briefing-{like}.md?" if like else f"the roles are {', '.join(roles)}"
            yield Fault(path.name, f'there is no role "{named}"; {meant}')


def _opening(scenario: Scenario) -> Iterator[Fault]:
    """What keeps it from being opened: past a row that is wrong its files are read on without it."""
    gone: list[str] = []
    while True:
        try:
            check_scenario(scenario)
            return
        except BadScenario as error:
            fault = Fault(error.where, error.why)
        except Refused as error:
            fault = Fault("scenario.toml, system", str(error).rstrip("."))
        except Exception as error:  # what a system does not ask of its files it may stumble over
            fault = Fault("scenario.toml, map.toml or forces.toml", f"cannot be read: {type(error).__name__}: {error}")
        # What is said of a row that was taken out is no fault of the files.
        if not any(re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", f"{fault.where} {fault.why}") for name in gone):
            yield fault
        files = scenario.files
        name = _taken_out(files, fault.where)
        if name is None:
            return
        gone.append(name)
        scenario = replace(scenario, content=msgspec.json.encode(files))


_ROW = re.compile(r".*?(?P<file>\w+)\.toml, (?P<table>\w+) \"?(?P<name>[^\",]+)\"?(?:,.*)?")


def _taken_out(files: Mapping[str, Any], where: str) -> str | None:
    """Take out of *files* that in which a fault is: a row of several, or the options; gives what it is called.

    None: it is in neither, and the files cannot be read on without it.
    """
    if where.endswith("scenario.toml, options"):
        return "options" if files["scenario"].pop("options", None) else None
    said = _ROW.fullmatch(where)
    rows = files.get(said["file"], {}).get(said["table"]) if said else None
    if said is None or not isinstance(rows, list):
        return None
    for row in rows:
        if isinstance(row, dict) and said["name"] in (row.get("id"), row.get("name")):
            rows.remove(row)
            return said["name"]
    return None


def _opened(scenario: Scenario, checks: Checks[Any]) -> Iterator[Fault]:
    """What else is wrong with a scenario that can be opened."""
    system = registry.load(scenario.card.system)
    scene = system.scene(scenario.files)
    blank: AnyWorld = system.blank(scene, {})
    try:
        see_options(blank.truth, scenario.files["scenario"].get("options", {}))
    except Refused as error:
        yield Fault("scenario.toml, options", str(error).rstrip("."))
    yield from checks.faults(scene)
    dice = SeededDice(Moment(0, 0), open_seed=bytes(SEED_BYTES), closed_seed=bytes(SEED_BYTES), forced={})
    try:
        world = fold_facts(system, blank, as_written(system, system.muster(scene, blank, dice)))
    except Exception as error:  # of a system of somebody else, or on files that it did not ask enough of
        yield Fault("forces.toml", f"the field cannot be set up: {type(error).__name__}: {error}")
        return
    yield from _study(scenario, system, scene, world)


def _study(scenario: Scenario, system: AnySystem, scene: object, world: AnyWorld) -> Iterator[Fault]:
    """The lines of its doctrines that are no orders, whenever they are sent."""
    roles = tuple(part.role for part in scenario.card.roles)
    try:
        there = doctrine.doctrines(scenario.folder)
    except BadScenario as error:
        yield Fault(error.where, error.why)
        return
    for name, folder in there.items():
        try:
            chosen = doctrine.choose(scenario.folder, roles, [name])
        except BadScenario as error:
            yield Fault(error.where, error.why)
            continue
        for role, one in chosen.items():
            for section in one.sections:
                for complaint in system.read(scene, section.lines, world.minds[role], role, None).complaints:
                    if complaint.judgement is Judgement.NOT_UNDERSTOOD:
                        yield Fault(f"{folder / role}.txt, line {complaint.line}", f"not understood: {complaint.why}")
