"""Scenarios: where they lie, what is in them, and whether their system can read them.

An office's own `campaigns/<system>/<scenario>` stands before those of the package of the system, and these
before those that ship with the office.  A campaign keeps the scenario as it was when it was opened.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from pbem.kernel.digest import digest_of
from pbem.kernel.errors import BadScenario, BrokenSystem, Refused
from pbem.kernel.names import Role
from pbem.mail.reading.naming import for_machines, for_people
from pbem.orders.suggest import closest
from pbem.resources import resources
from pbem.rules import registry
from pbem.rules.contract import AnySystem

FILES = ("scenario", "map", "forces")
"""What a scenario consists of: `scenario.toml`, `map.toml`, `forces.toml`."""
MORE = ("charts",)
"""What may lie beside them: `charts.toml`, cells of charts that are otherwise in this scenario."""

READ = 32
"""So many scenarios are remembered by what stands in their files, of which a page of all reads every one."""


class Part(Struct, frozen=True):
    """One role of a scenario, as its file presents it."""

    role: Role
    name: str = ""
    commander: str = ""
    style: str = ""


class Card(Struct, frozen=True):
    """What a scenario says of itself."""

    system: str
    name: str
    title: str
    roles: tuple[Part, ...]
    place: str = ""
    date: str = ""
    summary: str = ""


class Scenario(Struct, frozen=True):
    """A scenario, read; *content* is what a campaign keeps of it, *digest* the name of that."""

    card: Card
    folder: Path
    content: bytes
    digest: str

    @property
    def files(self) -> dict[str, Any]:
        """The files, as the system takes them."""
        return files_of(self.content)

    @property
    def name(self) -> str:
        """System and scenario: `st-privat/graveyard`."""
        return f"{self.card.system}/{self.card.name}"

    def briefing(self, role: Role) -> str:
        """What the commander of *role* is told before all; empty if the scenario has nothing for him.

        :raises BadScenario: if it is a link to what lies outside the scenario.
        """
        return _page(self.folder, f"briefing-{role}.md")

    def rulebook(self) -> str:
        """The rules of its game, for those who play it; empty if it has none.

        :raises BadScenario: if they are a link to what lies outside the folder of the game.
        """
        return _page(self.folder.parent, "rulebook.md")


def files_of(content: bytes) -> dict[str, Any]:
    """A scenario as a campaign keeps it, as its system takes it."""
    files: dict[str, Any] = msgspec.json.decode(content)
    return files


def folders(office: Path | None) -> Iterator[tuple[str, str, Path]]:
    """Every scenario there is: its system, its name, its folder; the nearest where two have one name."""
    seen: set[tuple[str, str]] = set()
    for system in registry.names():
        for place in _places_if_whole(office, system):
            for path in sorted((place / system).glob("*/scenario.toml")):
                key = (system, path.parent.name)
                if key not in seen:
                    seen.add(key)
                    yield system, path.parent.name, path.parent


def listing(office: Path | None) -> list[Scenario]:
    """Every scenario whose files can be read, in the order of the alphabet."""
    found = []
    for _, _, folder in sorted(folders(office)):
        try:
            found.append(read_scenario(folder))
        except BadScenario:
            continue
    return found


def find_scenario(office: Path | None, name: str) -> Scenario:
    """The scenario *name*: `st-privat/graveyard`, or `graveyard` where no other has that name.

    :raises Refused: if there is none, or more than one.
    :raises BadScenario: if its files cannot be read.
    """
    return read_scenario(find_folder(office, name))


def find_folder(office: Path | None, name: str) -> Path:
    """The folder of the scenario *name*, as `find_scenario` finds it, whether it can be read or not.

    :raises Refused: if there is none, or more than one.
    """
    system, _, short = name.partition("/")
    if short and system in registry.BUILT_IN:
        for place in _places(office, system):
            if (place / name / "scenario.toml").is_file():
                return place / name
    there = {f"{system}/{scenario}": folder for system, scenario, folder in folders(office)}
    fitting = [one for one in there if name in (one, one.partition("/")[2])]
    if len(fitting) == 1:
        return there[fitting[0]]
    if fitting:
        raise Refused(f'"{name}" may be {" or ".join(sorted(fitting))}.')
    like = closest(name, there) or closest(name, [one.partition("/")[2] for one in there])
    meant = f"  Did you mean {like}?" if like else f"  There are: {', '.join(sorted(there))}."
    raise Refused(f'there is no scenario "{name}".{meant}')


def read_scenario(folder: Path) -> Scenario:
    """The scenario in *folder*.

    :raises BadScenario: naming the file, if one is missing, is no TOML, or names what cannot be named so.
    """
    return _read(folder, tuple((name, _text(folder / f"{name}.toml")) for name in names_of(folder)))


@lru_cache(maxsize=READ)
def _read(folder: Path, texts: tuple[tuple[str, str], ...]) -> Scenario:
    files = {name: _table(folder / f"{name}.toml", text) for name, text in texts}
    content = msgspec.json.encode(files, order="deterministic")
    try:
        card = msgspec.convert(files["scenario"], Card)
        _see_names(card)
    except (msgspec.ValidationError, Refused) as error:
        raise BadScenario(f"{folder / 'scenario.toml'}", str(error)) from None
    return Scenario(card, folder, content, digest_of(content))


def names_of(folder: Path) -> tuple[str, ...]:
    """The files of the scenario in *folder*: those that it must have, and those of the others that lie there."""
    return (*FILES, *(name for name in MORE if (folder / f"{name}.toml").is_file()))


def _see_names(card: Card) -> None:
    """See that what a scenario names can be named so.

    :raises Refused: naming what cannot.
    """
    for_machines(card.system, "system")
    for_machines(card.name, "scenario")
    for_people(card.title, "a scenario")
    for part in card.roles:
        for_machines(part.role, "role")
        for name in (part.name, part.commander):
            for_people(name or part.role, f"the role {part.role}")


def check_scenario(scenario: Scenario) -> AnySystem:
    """See whether the system of *scenario* can open it; gives the system.

    :raises BadScenario: naming file and table.
    :raises Refused: if there is no such system.
    """
    if scenario.card.name != scenario.folder.name:
        why = f'its folder is called "{scenario.folder.name}", and the two must be the same'
        raise BadScenario(f"{scenario.folder / 'scenario.toml'}, name", f'"{scenario.card.name}": {why}')
    system = registry.load(scenario.card.system)
    try:
        world = system.blank(system.scene(scenario.files), {})
    except BadScenario as error:
        raise BadScenario(str(scenario.folder / error.where), error.why) from None
    except Refused as error:  # what a system refuses before there is a game are options
        raise BadScenario(f"{scenario.folder / 'scenario.toml'}, options", str(error).rstrip(".")) from None
    scenario.rulebook()
    for part in scenario.card.roles:
        scenario.briefing(part.role)
    there, named = set(world.minds), {part.role for part in scenario.card.roles}
    if there != named:
        listed = ", ".join(sorted(there))
        raise BadScenario(f"{scenario.folder / 'scenario.toml'}, roles", f"the roles of {system.name} are {listed}")
    return system


def _places(office: Path | None, system: str) -> Iterator[Path]:
    if office is not None:
        yield office / "campaigns"
    yield registry.folder_of(registry.package_of(system)) / "campaigns"
    yield resources("campaigns")


def _places_if_whole(office: Path | None, system: str) -> list[Path]:
    """The places of a system's scenarios; none, if its package is gone."""
    try:
        return list(_places(office, system))
    except BrokenSystem:
        return []


def _page(folder: Path, name: str) -> str:
    """A page of *folder* that is sent to players; empty if there is none."""
    path = folder / name
    if not path.is_file():
        return ""
    return _text(path)


def _text(path: Path) -> str:
    _see_place(path)
    try:
        return path.read_text("utf-8")
    except OSError as error:
        raise BadScenario(str(path), f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise BadScenario(str(path), f"is no text in UTF-8: {error}") from None


def _see_place(path: Path) -> None:
    """See that a file of a scenario is no link to what its maker has no right to: it would be kept, and mailed."""
    if not path.resolve().is_relative_to(path.parent.resolve()):
        raise BadScenario(str(path), "it is a link to a file outside its folder: put the file itself there")


def toml(path: Path) -> dict[str, Any]:
    """A file of a scenario.

    :raises BadScenario: if it is missing, is no TOML, or is a link to what lies outside the scenario.
    """
    return _table(path, _text(path))


def _table(path: Path, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except ValueError as error:
        raise BadScenario(str(path), f"is no TOML: {error}") from None
