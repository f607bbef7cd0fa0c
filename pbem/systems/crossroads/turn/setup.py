"""The units of both sides before anything stands on the table, how they come onto it, and what is conserved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from pbem.kernel.dice import Dice
from pbem.kernel.office import Option
from pbem.rules.contract import World
from pbem.rules.ledger import cited, rule
from pbem.systems.crossroads.play.play import Play
from pbem.systems.crossroads.scene.forces import side_of
from pbem.systems.crossroads.scene.scene import Scene
from pbem.systems.crossroads.world.fact import SEEN, Fact
from pbem.systems.crossroads.world.options import parse_options
from pbem.systems.crossroads.world.outcomes import Mustered, PhaseBegan
from pbem.systems.crossroads.world.patches import GamePatch, OfficerPatch, Patch, Watch
from pbem.systems.crossroads.world.state import AUSTRIAN, FRENCH, GERMAN, Battle


def blank(scene: Scene, options: Mapping[str, Option]) -> World[Battle, Battle]:
    """The order of battle, nothing of it on the table, and no deck."""
    chosen = parse_options(scene.options, options)
    sides = (AUSTRIAN if chosen.austrian_side == "own" else FRENCH, GERMAN)
    units = {
        name: replace(unit, side=side, pos=None)
        for name, unit in scene.units.items()
        if (side := side_of(unit.nation, chosen.austrian_side)) is not None
    }
    officers = {
        name: replace(officer, side=side, pos=None)
        for name, officer in scene.officers.items()
        if (side := side_of(officer.nation, chosen.austrian_side)) is not None
    }
    for name, officer in officers.items():
        if officer.attached in units:
            units[officer.attached] = replace(units[officer.attached], attached_officer=name)
    first = sides[0] if scene.first_control == FRENCH else scene.first_control
    truth = Battle(
        sides=sides,
        phase="card",
        units=units,
        officers=officers,
        controller=first,
        holders={one.place: sides[0] if one.by == FRENCH else one.by for one in scene.held},
        watch={side: Watch() for side in sides},
        options=chosen,
    )
    minds = {
        side: replace(
            truth,
            viewer=side,
            watch={},
            units={name: unit for name, unit in units.items() if unit.side == side},
            officers={name: officer for name, officer in officers.items() if officer.side == side},
        )
        for side in sides
    }
    return World(truth, minds)


@rule("GC-LVL-02")
def muster(scene: Scene, world: World[Battle, Battle], dice: Dice) -> Sequence[Fact]:
    """Both sides stand on the table as the scenario has them."""
    play = Play(scene, world, {}, {}, dice)
    for side in play.battle.sides:
        units = {
            name: Patch(pos=scene.units[name].pos)
            for name, unit in play.battle.units.items()
            if unit.side == side and not unit.arrive
        }
        officers = {
            name: OfficerPatch(pos=scene.officers[name].pos)
            for name, officer in play.battle.officers.items()
            if officer.side == side and not officer.arrive
        }
        play.add(
            Mustered(
                rules=cited("GC-LVL-02"), side=side, units=tuple(units), changes=units, officers=officers,
                known={side: SEEN},
            )
        )  # fmt: skip
    play.add(PhaseBegan(rules=cited("GC-SEQ-01"), game=GamePatch(phase="turn_start")))
    return play.facts


_FATES = ("to come", "on the table", "lost", "captured", "dispersed", "gone from the table")


def counts(battle: Battle) -> Mapping[str, int]:
    """Figures of each side by what became of them; together all that it brought to the field."""
    found = {f"{side} figures {fate}": 0 for side in battle.sides for fate in _FATES}
    for unit in battle.units.values():
        where = "on the table" if unit.pos is not None else "to come"
        if unit.gone:
            where = {"surrendered": "captured", "left_field": "gone from the table"}.get(unit.status, "dispersed")
        found[f"{unit.side} figures lost"] += unit.losses
        found[f"{unit.side} figures {where}"] += unit.strength - unit.losses
    return found
