"""What is asked of a page, and what it may answer: plain values, so that a page is a function of one to the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pbem.desk.access.people import NOBODY, Person, Player
from pbem.desk.access.sessions import Visit
from pbem.desk.books.dossiers import Dossier, load
from pbem.desk.office.office import Office
from pbem.kernel.names import Role


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that was handed in."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """One request, read and checked; who asks has been seen, and that he may."""

    office: Office
    method: str
    path: str
    named: Mapping[str, str] = field(default_factory=dict)
    """What stands in its path, by the names of its route."""
    query: Mapping[str, str] = field(default_factory=dict)
    form: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, Upload] = field(default_factory=dict)
    body: bytes = b""
    """Of what is no form."""
    browser: str = ""
    """What the browser is known by before anybody signs in."""
    agent: str = ""
    """What the browser says that it is."""
    sender: str = ""
    """The place on the net that asks."""
    visit: Visit | None = None
    now: int = 0
    """When it came: microseconds UTC."""
    wants_data: bool = False
    """Whether a script asks, which wants no page."""
    assets: str = ""
    """Where style and scripts are."""
    place: str = ""
    """The address of the office's pages."""

    @property
    def person(self) -> Person:
        """Who asks."""
        return self.visit.person if self.visit else NOBODY

    @property
    def player(self) -> Player:
        """The player who asks; only where the route is for players."""
        assert self.person.player is not None, "the route is a player's"
        return self.person.player

    @property
    def zone(self) -> str:
        """By whose clock hours are said."""
        return self.person.player.zone if self.person.player else self.office.settings.zone

    @property
    def campaign(self) -> str:
        """The campaign that the path names."""
        return self.named["campaign"]

    @property
    def role(self) -> Role:
        """The role that the path names, which is the player's own where the route is a role's."""
        return Role(self.named["role"])

    def dossier(self) -> Dossier:
        """The campaign that the path names."""
        with self.office.read() as connection:
            return load(self.office, connection, self.campaign)


@dataclass(frozen=True, slots=True)
class Page:
    """A page: a template, and what stands in it."""

    template: str
    values: Mapping[str, Any] = field(default_factory=dict)
    status: int = 200
    media: str = "text/html"


@dataclass(frozen=True, slots=True)
class Go:
    """Somewhere else to go, after something was done; *says* stands on that page, once."""

    to: str
    says: str = ""
    sign_in: str = ""
    """The secret of a session that begins with this."""
    sign_out: bool = False


@dataclass(frozen=True, slots=True)
class Data:
    """What a script asked for: to be written as JSON."""

    data: Any
    status: int = 200


@dataclass(frozen=True, slots=True)
class File:
    """Bytes of some kind."""

    data: bytes
    media: str
    name: str = ""
    """What it is called when it is kept; empty: it is shown."""
    public: bool = False
    """Whether it is the same for everybody."""
    policy: str = ""
    """What a browser may do with it, if not what it may with all else."""


@dataclass(frozen=True, slots=True)
class Later:
    """Work that takes long: it is done in a process of its own, and *then* makes the answer of what came of it."""

    job: Callable[..., Any]
    arguments: tuple[Any, ...]
    then: Callable[[Any], Answer]
    lost: Callable[[], None] = lambda: None
    """Called if it was not done: its process was lost, or broke."""
    slow: bool = False
    """Whether it may take minutes, as a turn does: then nothing that is only drawn waits behind it."""


Answer = Page | Go | Data | File | Later
Does = Callable[[Ask], Answer]
"""A page, as a function."""


class NotThere(Exception):
    """There is no such page, or none for who asks: he is not told which."""
