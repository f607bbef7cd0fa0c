"""What a file of a campaign brings with it is looked at as at its first door: names, addresses, zones, times, depth.

Whoever made the file can have written anything into it, and made every hash anew.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pbem.desk.books.dossiers import Dossier
from pbem.desk.office.settings import is_zone
from pbem.kernel.errors import Refused
from pbem.kernel.names import NEXT_CALL, Moment
from pbem.mail.reading.naming import for_letters, for_machines, for_people
from pbem.storage.stored import Person

LATEST: Final = 253_402_300_800_000_000
"""Microseconds UTC: the end of the year 9999, and the largest number that can stand in a campaign."""

DEEPEST: Final = 100
"""Levels of lists and tables in an event."""

Somebody = TypeVar("Somebody", bound=Person)

_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_HIGHEST: Final = Moment(9999, 26, NEXT_CALL)


def see_line(line: Struct) -> None:
    """See that the names in a line of the file can be names, and its numbers can be read.

    :raises Refused: naming what cannot.
    """
    for name in line.__struct_fields__:
        value = getattr(line, name)
        if isinstance(value, int):
            _see_number(name, value)
        elif isinstance(value, str) and name in _OF_A_LINE:
            _OF_A_LINE[name](value)
    if "kind" in line.__struct_fields__:
        _see_data(getattr(line, "data", ""))


def person(line: Somebody) -> Somebody:
    """A player whose line was seen, as he is written down here."""
    return replace(
        line,
        name=None if line.name is None else for_people(line.name, "a player"),
        address=None if line.address is None else for_letters(line.address),
    )


def see_campaign(dossier: Dossier) -> None:
    """See that what its events name can be named so: the office makes headers, addresses and files of it.

    :raises Refused: naming what cannot.
    """
    opened = dossier.opened
    for_machines(opened.campaign, "campaign")
    for_machines(opened.system, "system")
    system, _, scenario = opened.scenario.partition("/")
    for_machines(system, "system")
    for_machines(scenario, "scenario")
    for_people(opened.title, "a campaign")
    for recorded in dossier.log.own:
        _see_moment(recorded.moment)
        event = recorded.event
        for name in event.__struct_fields__:
            value = getattr(event, name)
            if isinstance(value, Moment):
                _see_moment(value)
            elif name in _OF_AN_EVENT and value is not None:
                for one in (value,) if isinstance(value, str) else tuple(value):
                    _OF_AN_EVENT[name](one)
    _see_zone(dossier.campaign.terms.zone)


def _see_number(name: str, value: int) -> None:
    if not -LATEST < value < LATEST:
        raise Refused(f"{name} is no number that can stand there: it has {len(str(abs(value)))} digits")


def _see_data(data: str) -> None:
    """See that the numbers of an event can be read, and that it is not too deep for those who read it."""
    level: list[Any] = [msgspec.json.decode(data)]
    for _ in range(DEEPEST):
        below: list[Any] = []
        for one in level:
            if isinstance(one, int):
                _see_number("a number of an event", one)
            elif isinstance(one, dict):
                below += one.values()
            elif isinstance(one, list):
                below += one
        if not below:
            return
        level = below
    raise Refused(f"an event is nested more than {DEEPEST} deep")


def _see_moment(moment: Moment) -> None:
    inside = 0 <= moment.turn <= _HIGHEST.turn and 0 <= moment.exchange <= _HIGHEST.exchange
    if not inside or not 0 <= moment.halt <= _HIGHEST.halt:
        raise Refused(f"there is no turn {moment.turn}, exchange {moment.exchange}, halt {moment.halt}")


def _see_zone(zone: str) -> None:
    if not is_zone(zone):
        raise Refused(f"there is no time zone {zone[:60]!r}")


def _see_office(name: str) -> None:
    if name:
        for_people(name, "an office")


def _see_digest(digest: str) -> None:
    if not _DIGEST.fullmatch(digest):
        raise Refused(f"{digest[:80]!r} is no digest")


_CAMPAIGN: Final = partial(for_machines, kind="campaign")
_ROLE: Final = partial(for_machines, kind="role")
_PLAYER: Final = partial(for_machines, kind="player")

_OF_A_LINE: Final[Mapping[str, Callable[[str], object]]] = {
    "campaign": _CAMPAIGN,
    "id": _PLAYER,
    "name": partial(for_people, what="a player"),
    "address": for_letters,
    "zone": _see_zone,
    "sha256": _see_digest,
    "office": _see_office,
}
"""What stands in the fields of a line."""

_OF_AN_EVENT: Final[Mapping[str, Callable[[str], object]]] = {
    "copy": _CAMPAIGN,
    "role": _ROLE,
    "roles": _ROLE,
    "sender": _ROLE,
    "to": _ROLE,
    "missing": _ROLE,
    "defaults": _ROLE,
    "views": _ROLE,
    "known": _ROLE,
    "player": _PLAYER,
    "former": _PLAYER,
}
"""What stands in the fields of the office's own events; of a table, its keys."""
