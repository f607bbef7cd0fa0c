"""Attacks of Kriegsspiel: one of each kind, and those that a commander could try by what he knows."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from pbem.ground.plane import Point
from pbem.kernel.names import Role
from pbem.rules.chances import Attack
from pbem.systems.kriegsspiel.sheets.chances import attacks
from pbem.systems.kriegsspiel.world.mind import Mind
from tests.systems.kriegsspiel.minds import acts, knowing, opening, sighted, under_way
from tests.systems.play import Game


def facing(arm: str, blocks: int, formation: str) -> Mind:
    """Rehden with 1/F, guns and a hussar of his before a body of the enemy."""
    mind = under_way("rehden", at=Point(2600, 4700))
    for unit, x, form in (("1/F", 2600, "line"), ("6F3", 2700, "battery_wide"), ("H5/1", 2500, "cav_line")):
        mind = knowing(mind, unit, x, 4600, formation=form)
    mind = sighted(mind, "e1", 2600, 4420, arm)
    entry = mind.entries["e1"]
    told = replace(entry.tiding, blocks=blocks, formation=formation)
    return replace(mind, entries={**mind.entries, "e1": replace(entry, tiding=told)})


def known(mind: Mind, text: str) -> list[Attack]:
    """The attacks of a sheet, by what its writer knows."""
    return list(attacks(opening("muehlrode")[0], mind, mind.role, acts(text, mind)))


def examples() -> Iterator[Attack]:
    """Foot at foot, horse at foot in column, muskets, guns."""
    yield from known(facing("infantry", 1, "line"), "to 1/F: attack e1")
    yield from known(facing("infantry", 2, "attack_column"), "to H5/1: charge e1")
    yield from known(facing("infantry", 2, "line"), "to 1/F: fire on e1\nto 6F3: fire on e1")


def tries(game: Game, role: Role) -> list[str]:
    """What a commander could attack, by what he knows."""
    mind = game.world.minds[role]
    return [
        f"to {unit}: {verb} {entry}"
        for entry in list(mind.entries)[:4]
        for unit in mind.command[:4]
        for verb in ("attack", "fire on")
    ]
