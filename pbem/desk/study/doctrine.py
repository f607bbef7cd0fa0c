"""Standing orders for a whole game, as a player would write them beforehand: what a study lets the sides do.

A scenario holds them as `study/ROLE.txt`, and other ways to play it as `study/NAME/ROLE.txt`.  A file is a sheet of
orders, parted by heads that say when the lines below them are sent:

    # every turn              in each exchange of each turn after set-up
    # every turn B            in exchange B of each
    # turn S1                 in the first exchange of set-up
    # turn 3                  in each exchange of turn 3
    # turn 3 B: the charge    in exchange B of turn 3; what follows the colon is a remark
    # turns 3-5               of turns 3 to 5
    # turns 3-                from turn 3 on
    # every halt              at each halt; `# turns 3- halt` at those from turn 3 on

All sections that fit a moment are sent, joined in the order in which they stand.  What stands before the first head
is for every turn.  Where nothing fits nothing is sent, and the game takes what it takes for silence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from pbem.kernel.errors import BadScenario, Refused
from pbem.kernel.names import Moment, Role
from pbem.orders.grammar import written
from pbem.orders.sheet import Line, lines_of
from pbem.orders.suggest import closest

FOLDER = "study"
OBVIOUS = "obvious"
"""What lies in `study` itself, and what is played where nothing else is said."""
SILENCE = "silence"
"""To send nothing at all: it needs no file."""

_IS_HEAD = re.compile(r"\s*#\s*(?:every|turns?)\b", re.IGNORECASE)
_HEAD = re.compile(
    r"\s*#\s*(?:every\s+(?:turn|(?P<halts>halt))"
    r"|turns?\s+(?P<setup>s(?=\s*\d))?\s*(?P<first>\d{1,4})(?P<on>\s*-\s*(?P<last>\d{1,4})?)?)"
    r"(?:\s*(?P<letter>(?a:[a-z])))?(?P<halt>\s+halts?)?\s*(?::.*)?",
    re.IGNORECASE,
)
_HEADS = "# every turn, # every turn B, # turn S1, # turn 3, # turn 3 B, # turns 3-5, # turns 3-, # every halt"


class Section(Struct, frozen=True):
    """Lines of a doctrine, and when they are sent."""

    lines: tuple[Line, ...]
    """Numbered as in the file."""
    first: int = 1
    last: int | None = None
    """The last turn; None: to the end."""
    exchange: int = 0
    """0: each."""
    halt: bool = False
    """At halts; else in exchanges."""

    def fits(self, moment: Moment) -> bool:
        """Whether its lines are sent at *moment*."""
        in_time = self.first <= moment.turn and (self.last is None or moment.turn <= self.last)
        return in_time and self.exchange in (0, moment.exchange) and self.halt == bool(moment.halt)


class Doctrine(Struct, frozen=True):
    """How one role plays a whole game."""

    name: str
    sections: tuple[Section, ...] = ()

    def sheet(self, moment: Moment) -> tuple[Line, ...]:
        """What is sent at *moment*; nothing is silence."""
        return tuple(line for section in self.sections if section.fits(moment) for line in section.lines)

    @property
    def lines(self) -> tuple[Line, ...]:
        """All its order lines."""
        return tuple(line for section in self.sections for line in section.lines)


def doctrines(scenario: Path) -> dict[str, Path]:
    """The doctrines of the scenario in a folder: where each lies, the first being what is played unasked.

    :raises BadScenario: if two bear one name.
    """
    study = scenario / FOLDER
    folders = {path.parent.name: path.parent for path in sorted(study.glob("*/*.txt"))}
    if any(study.glob("*.txt")):
        if OBVIOUS in folders:
            raise BadScenario(str(study), f"both {FOLDER} itself and {FOLDER}/{OBVIOUS} hold the doctrine {OBVIOUS}")
        folders[OBVIOUS] = study
    return {name: folders[name] for name in sorted(folders, key=lambda name: (name != OBVIOUS, name))}


def choose(scenario: Path, roles: Sequence[Role], wanted: Sequence[str] = ()) -> dict[Role, Doctrine]:
    """How each role plays: as *wanted* says, `NAME` for all or `ROLE=NAME` for one, else by the first doctrine.

    A role for which a doctrine has no file is silent.

    :raises Refused: if there is no such role or doctrine.
    :raises BadScenario: naming file and line, if a doctrine cannot be read.
    """
    there = doctrines(scenario)
    chosen = dict.fromkeys(roles, next(iter(there), SILENCE))
    for one in sorted(wanted, key=lambda one: "=" in one):
        role, _, name = one.rpartition("=")
        if role and role not in roles:
            raise Refused(f'there is no role "{role}".  The roles are: {", ".join(roles)}.')
        if name not in there and name != SILENCE:
            listed = ", ".join((*there, SILENCE))
            raise Refused(f'there is no doctrine "{name}" in {scenario / FOLDER}.  There are: {listed}.')
        chosen |= dict.fromkeys([Role(role)] if role else roles, name)
    return {
        role: _read(there[name], roles, role, name) if name in there else Doctrine(name)
        for role, name in chosen.items()
    }


def from_file(path: Path) -> Doctrine:
    """The doctrine in a file of anybody's, in the form of `study/ROLE.txt`.

    :raises BadScenario: naming file and line, if it cannot be read.
    """
    return _in(path, path.stem)


def sections(text: str, where: str) -> tuple[Section, ...]:
    """A file of standing orders, parted; *where* is its name for errors.

    :raises BadScenario: naming the line, if a head cannot be read.
    """
    head, lines, found = Section(()), list[Line](), list[Section]()
    for line in lines_of(text):
        if _IS_HEAD.match(line.text):
            found.append(_with(head, lines))
            head, lines = _section(line, where), []
        else:
            lines.append(line)
    found.append(_with(head, lines))
    return tuple(section for section in found if section.lines)


def _with(head: Section, lines: Sequence[Line]) -> Section:
    return Section(tuple(written(lines)), head.first, head.last, head.exchange, head.halt)


def _section(line: Line, where: str) -> Section:
    found = _HEAD.fullmatch(line.text)
    if found is None:
        raise BadScenario(
            f"{where}, line {line.number}",
            f'"{line.text.strip()[:60]}" is no head of a section.  Write one of: {_HEADS}.  A remark begins with ##.',
        )
    first = int(found["first"] or 1)
    if found["setup"]:
        return Section((), 0, 0, first)
    last = int(found["last"]) if found["last"] else first if found["first"] and not found["on"] else None
    exchange = ord(found["letter"].casefold()) - ord("a") + 1 if found["letter"] else 0
    return Section((), first, last, exchange, bool(found["halts"] or found["halt"]))


def _read(folder: Path, roles: Sequence[Role], role: Role, name: str) -> Doctrine:
    strangers = sorted({path.stem for path in folder.glob("*.txt")} - set(roles))
    if strangers:
        like = closest(strangers[0], roles)
        meant = f"; did you mean {like}.txt?" if like else f"; the roles are {', '.join(roles)}"
        raise BadScenario(str(folder / f"{strangers[0]}.txt"), f'there is no role "{strangers[0]}"{meant}')
    path = folder / f"{role}.txt"
    return _in(path, name) if path.is_file() else Doctrine(SILENCE)


def _in(path: Path, name: str) -> Doctrine:
    try:
        text = path.read_text("utf-8")
    except (OSError, ValueError) as error:
        raise BadScenario(str(path), f"cannot be read: {error}") from None
    return Doctrine(name if text else SILENCE, sections(text, str(path)))
