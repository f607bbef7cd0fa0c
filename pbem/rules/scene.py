"""What every scenario has beside its ground and its forces: what it is called, its options, and who fills its roles."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TypedDict

from msgspec import Struct

from pbem.ground.picture import STYLES, SideStyle
from pbem.kernel.errors import BadScenario
from pbem.kernel.names import Role
from pbem.rules.files import convert, need

ROLES = "scenario.toml, roles"
"""Where a fault of the roles is."""


class Commander(Struct, frozen=True):
    """A role of the scenario and who it stands for."""

    role: Role
    name: str
    """What it is called in a sentence: `French`."""
    commander: str
    style: SideStyle
    """How its side is drawn."""


class Setting(Struct, frozen=True, kw_only=True):
    """The part of a scene that all systems have."""

    name: str
    title: str
    place: str
    date: str
    options: dict[str, object]
    """Those that it starts from."""
    commanders: tuple[Commander, ...]

    def commander(self, role: Role) -> Commander:
        """Who fills *role* in the scenario."""
        return next(one for one in self.commanders if one.role == role)


class Heading(TypedDict):
    """What a scenario says of itself."""

    name: str
    title: str
    place: str
    date: str
    options: dict[str, object]


def heading(scenario: Mapping[str, object]) -> Heading:
    """What `scenario.toml` says of itself, as `Setting` has it.

    :raises BadScenario: if it has no name or no title, or one of these is not what it must be.
    """
    return {
        "name": convert(need(scenario, "name", "scenario.toml"), str, "scenario.toml, name"),
        "title": convert(need(scenario, "title", "scenario.toml"), str, "scenario.toml, title"),
        "place": convert(scenario.get("place", ""), str, "scenario.toml, place"),
        "date": convert(scenario.get("date", ""), str, "scenario.toml, date"),
        "options": convert(scenario.get("options", {}), dict[str, object], "scenario.toml, options"),
    }


def commanders(scenario: Mapping[str, object], styles: Collection[SideStyle] = STYLES[:2]) -> tuple[Commander, ...]:
    """The roles of `scenario.toml`; a system of more than two sides says which *styles* they may have.

    :raises BadScenario: if there are none, or one of them is not whole, or has another style.
    """
    found = convert(need(scenario, "roles", "scenario.toml"), tuple[Commander, ...], ROLES)
    for one in found:
        if one.style not in styles:
            raise BadScenario(ROLES, f"{one.role}: style is one of {', '.join(styles)}, and not {one.style}")
    return found
