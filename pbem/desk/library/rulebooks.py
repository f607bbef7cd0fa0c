"""The rules as a reader asks for them: ledgers, cases, and what is proven."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path

from pbem.desk.library.scenarios import find_scenario, read_scenario
from pbem.kernel.errors import Refused
from pbem.orders.suggest import closest
from pbem.rules import registry
from pbem.rules.cases import Case, Result, load_cases, run_cases
from pbem.rules.coverage import Coverage, cover
from pbem.rules.ledger import Ledger, Rule


def systems() -> list[tuple[str, str, str, int]]:
    """Every system installed that is not broken: name, title, version, and how many rules its ledger has."""
    found = []
    for name in registry.whole():
        system = registry.load(name)
        found.append((name, system.title, system.version, len(registry.ledger_of(name).rules)))
    return found


def broken() -> list[str]:
    """What is wrong with each system installed that is broken, in a sentence."""
    return [str(error) for error in registry.broken()]


def ledger(system: str) -> Ledger:
    """The ledger of *system*.

    :raises UnknownSystem: if it is not installed.
    """
    return registry.ledger_of(system)


def rule(id: str) -> tuple[str, Rule]:
    """The rule of that id, in whatever case, and the system that it belongs to.

    :raises Refused: if no ledger has it; names the one that is most like it.
    """
    known: dict[str, tuple[str, Rule]] = {}
    for name in registry.whole():
        known |= {one: (name, entry) for one, entry in registry.ledger_of(name).rules.items()}
    found = known.get(id.upper())
    if found is None:
        like = closest(id.upper(), known)
        raise Refused(f'no ledger has a rule "{id}".' + (f"  Did you mean {like}?" if like else ""))
    return found


BESIDE_CASES = frozenset(("mutants.toml", "neutral.toml"))
"""What lies beside cases and is none (`pbem.suite.mutants`)."""


def case_files(paths: Iterable[Path]) -> list[Path]:
    """The files of cases that *paths* name: files, and folders with files in them.

    :raises Refused: if there is none.
    """
    files: list[Path] = []
    for path in paths:
        within = (file for file in path.rglob("*.toml") if file.name not in BESIDE_CASES)
        files += sorted(within) if path.is_dir() else [path]
    if not files:
        raise Refused("there is no file of cases there.")
    return files


def run_files(office: Path | None, files: Iterable[Path]) -> Iterator[tuple[Path, Result]]:
    """Run every case of *files*.

    A case may be set in a field of cases: a scenario for nobody to play, at `fields/<system>/<name>` in a folder
    above the file.

    :raises BadScenario: naming file and case, if one cannot be read.
    """
    for file in files:
        cases = load_cases(file)
        by_system: dict[str, list[Case]] = {}
        for case in cases:
            by_system.setdefault(case.system, []).append(case)
        for system, of_system in by_system.items():
            for result in run_cases(of_system, registry.load(system), partial(_setting, office, file)):
                yield file, result


def _setting(office: Path | None, file: Path, name: str) -> Mapping[str, object]:
    """The scenario that a case in *file* names, as its system takes it."""
    fields = (above / "fields" / name for above in file.resolve().parents)
    field = next((one for one in fields if (one / "scenario.toml").is_file()), None)
    return (read_scenario(field) if field else find_scenario(office, name)).files


def coverage(office: Path | None, system: str, files: Iterable[Path]) -> Coverage:
    """What plays and what proves the rules of *system*."""
    results = [result for _, result in run_files(office, files) if result.case.system == system]
    return cover(registry.ledger_of(system), registry.package_of(system), results)
