"""Every exception of the project.

PbemError                 shown to the reader in one or two lines; exit code 1
├─ Refused                what was asked cannot be done now; says why and what to do
│  ├─ UnknownCampaign
│  ├─ UnknownRole
│  ├─ UnknownSystem
│  ├─ BrokenSystem        a package of somebody else that cannot be loaded
│  ├─ Busy                somebody else is at it just now
│  └─ BadMoment
├─ StaleLog               somebody else wrote first; read again and try again
├─ BrokenLog              the stored log is not what was written
├─ StorageError           the office's database cannot be used: missing, locked, full, of another version
│  ├─ TryAgain
│  └─ Moved               the office is kept elsewhere by now
├─ BadScenario            a scenario's files cannot be read; says which, where, what
└─ DiceError              a throw asked for twice, or not in the script
   └─ BadRuling           a ruling gives a throw dice that it does not have
"""

from __future__ import annotations


class PbemError(Exception):
    """The root: its text is written for the person who reads it."""


class Refused(PbemError):
    """What was asked cannot be done now.  The text says why, and what would do."""


class UnknownCampaign(Refused):
    """No campaign of that name in this office."""

    def __init__(self, name: str, known: tuple[str, ...] = ()) -> None:
        there = f"  There are: {', '.join(known)}." if known else "  There is none yet: pbem campaign new"
        super().__init__(f'there is no campaign "{name}" in this office.{there}')


class UnknownRole(Refused):
    """The campaign has no such role."""

    def __init__(self, role: str, known: tuple[str, ...]) -> None:
        super().__init__(f'there is no role "{role}".  The roles are: {", ".join(known)}.')


class Busy(Refused):
    """Somebody else does it just now; it passes."""


class UnknownSystem(Refused):
    """No rules system of that name is installed."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        super().__init__(f'there is no rules system "{name}".  Installed: {", ".join(known)}.')


class BrokenSystem(Refused):
    """A rules system is installed, and cannot be loaded; *why* says it in a phrase."""

    def __init__(self, name: str, place: str, why: str) -> None:
        super().__init__(f"the rules system {name} is installed as {place}, and cannot be loaded: {why}.")
        self.name, self.why = name, why


class BadMoment(Refused):
    """A text that names no turn and exchange."""

    def __init__(self, text: str) -> None:
        super().__init__(f'"{text[:40]}" names no turn.  Write it as S1, 5A, 5B or 3.2.')


class StaleLog(PbemError):
    """The log has grown since it was read: *expected* was its last seq, *found* is."""

    def __init__(self, campaign: str, expected: int, found: int) -> None:
        super().__init__(f"the log of {campaign} ends at {found}, not at {expected}: somebody wrote first.")
        self.expected, self.found = expected, found


class BrokenLog(PbemError):
    """The stored log is not what was written; the text names the event."""


class StorageError(PbemError):
    """The office's database cannot be used now; the text says why, and what to do."""


class TryAgain(StorageError):
    """Others wrote at the same time, or the server was ended: nothing was written, and the same may go well now."""


class Moved(StorageError):
    """The office is kept elsewhere by now: *where*, as its url may be shown."""

    def __init__(self, at: str, where: str) -> None:
        super().__init__(
            f"the office was moved from {at} to {where}, and nothing is written here any more.  If pbem.toml says so "
            f'already, start pbem again; if it does not, write there: database = "{where}"'
        )
        self.where = where


class BadScenario(PbemError):
    """A scenario cannot be read; *where* is file and table or line, *why* what is wrong there."""

    def __init__(self, where: str, why: str) -> None:
        super().__init__(f"{where}: {why}")
        self.where, self.why = where, why


class DiceError(PbemError):
    """A throw asked for twice under one name, or a script that does not fit the throws."""


class BadRuling(DiceError):
    """A ruling gives a throw dice that it does not have; no order is to blame."""
