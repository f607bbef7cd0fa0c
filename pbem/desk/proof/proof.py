"""What checks have in common: what they look at, and what they found."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from pbem.desk.books import dossiers
from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.seeds import Pair
from pbem.desk.office.office import Office
from pbem.desk.proof.resolving import Difference
from pbem.kernel.names import CampaignId
from pbem.kernel.office import Promises
from pbem.storage.database import Connection


class Row(Struct, frozen=True, kw_only=True):
    """One check: what was looked at, and what was found."""

    name: str
    what: str = ""
    found: tuple[Difference, ...] = ()
    skipped: str = ""
    """Why it was not done."""


class Verified(Struct, frozen=True, kw_only=True):
    """What came of all checks."""

    campaign: CampaignId
    rows: tuple[Row, ...]
    pinned: str = ""
    """How the rules of the campaign differ from those installed; empty if they do not."""

    @property
    def sound(self) -> bool:
        """Whether no check found anything."""
        return not any(row.found for row in self.rows)

    @property
    def first(self) -> Difference | None:
        """The first thing found."""
        return next((one for row in self.rows for one in row.found), None)


class Case(Struct, frozen=True):
    """What the checks look at."""

    office: Office
    connection: Connection
    dossier: Dossier
    kept: Mapping[Promises, Pair]
    known: Mapping[Promises, Pair]

    @property
    def content(self) -> str:
        """The hash of the rules installed."""
        return dossiers.installed(self.office, self.dossier.system)

    @property
    def alike(self) -> frozenset[str]:
        """The hashes of all rules that decide as those installed."""
        return dossiers.alike(self.office, self.dossier.system)

    def same(self, one: str, other: str) -> bool:
        """Whether the rules of two hashes decide alike, as far as those installed can say."""
        return one == other or {one, other} <= self.alike

    def seeds(self, promises: Promises | None) -> Pair:
        """What is known of the seeds of *promises*."""
        return (self.kept.get(promises) or self.known.get(promises, Pair())) if promises else Pair()


Check = Callable[[Case], Row]


def carefully(name: str, check: Callable[[], Row]) -> Row:
    """A check, of which rows that no office writes make no traceback."""
    try:
        return check()
    except Exception as error:
        return Row(name=name, found=(Difference(why=f"it cannot be checked: {type(error).__name__}: {error}"),))


def plural(number: int, word: str) -> str:
    """A number and its word.

    >>> plural(1, "letter"), plural(1200, "letter")
    ('1 letter', '1,200 letters')
    """
    return f"{number:,} {word}{'' if number == 1 else 's'}"
