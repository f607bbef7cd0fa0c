"""What each side sees of the enemy: which hexes hold his pieces, and what they are where one can look in.

Facts tell a side of its own pieces; what it knows of the enemy's comes from here alone.  Nothing that one cannot see
changes what is seen, whatever it does.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from pbem.ground.hexes import Hex
from pbem.kernel.names import Role
from pbem.rules.ledger import rule
from pbem.systems.empire_1870.field.field import Field, field_of
from pbem.systems.empire_1870.field.fitness import hqs_of
from pbem.systems.empire_1870.scene.scene import Scene
from pbem.systems.empire_1870.world.fact import owner_only
from pbem.systems.empire_1870.world.outcomes import Sighted
from pbem.systems.empire_1870.world.parts import ENEMY, FRENCH, GERMAN, SIDES, Hq
from pbem.systems.empire_1870.world.stacks import Stack, every
from pbem.systems.empire_1870.world.state import Ghost, War

REACH: Mapping[Role, int] = {FRENCH: 1, GERMAN: 2}
"""How far a side sees into a hex from its own pieces (WE-OPT-02)."""

Revealed = Mapping[Role, Mapping[Hex, Ghost]]
"""What a combat or a fire has just shown a side of the enemy, by hex."""


def as_seen(stack: Stack) -> Stack:
    """A stack as the enemy sees it: whether SP are spent is not to be seen."""
    return every(stack, spent=False)


@rule("WE-SET-01")
def sees_setup(war: War, side: Role) -> bool:
    """Whether *side* sees the enemy's set-up before its own: the Germans the historic one of the French."""
    return side == GERMAN and war.options.setup == "historic" and war.options.german_sees_setup


@rule("WE-OPT-02")
def inspected(field: Field, side: Role) -> frozenset[Hex]:
    """The hexes into which *side* can look."""
    board, war = field.scene.board, field.war
    if war.turn == 0:
        return frozenset(board) if sees_setup(war, side) else frozenset()
    if war.options.fog == "open":
        return frozenset(board)
    return frozenset[Hex]().union(*(board.within(at, REACH[side]) for at in field.holding(side)))


@rule("WE-OPT-02")
def known_occupied(field: Field, side: Role) -> tuple[Hex, ...]:
    """The hexes of which *side* knows that they hold enemy pieces."""
    there = field.holding(ENEMY[side])
    if field.war.options.fog == "blind" or field.war.turn == 0:
        there &= inspected(field, side)
    return tuple(sorted(there))


def sightings(scene: Scene, war: War, minds: Mapping[Role, War], revealed: Revealed) -> list[Sighted]:
    """One fact for each side whose knowledge of the enemy is not as it should be."""
    field = field_of(scene, war)
    facts = []
    for side in SIDES:
        if side in minds:
            fact = _sighted(field, minds[side], side, revealed.get(side, {}))
            if fact is not None:
                facts.append(fact)
    return facts


def _sighted(field: Field, mind: War, side: Role, revealed: Mapping[Hex, Ghost]) -> Sighted | None:
    enemy, war = ENEMY[side], field.war
    into, all_open = inspected(field, side), war.options.fog == "open"
    stacks = {
        at: stack if all_open else as_seen(stack) for at, stack in war.stacks.get(enemy, {}).items() if at in into
    }
    hqs = {
        hq.id: replace(hq, spent=hq.spent and all_open, return_turn=0) for hq in hqs_of(war, enemy) if hq.hex in into
    }
    occupied = known_occupied(field, side)
    known_stacks = mind.stacks.get(enemy, {})
    known_hqs = {hq.id: hq for hq in hqs_of(mind, enemy)}
    ghosts = _ghosts(field, mind, side, into, revealed)
    gone = tuple(sorted(known_hqs.keys() - hqs.keys()))
    if (stacks, occupied, hqs, ghosts) == (known_stacks, mind.occupied, known_hqs, mind.ghosts):
        return None
    changed: dict[Hex, Stack] = {at: stack for at, stack in stacks.items() if known_stacks.get(at) != stack}
    changed |= {at: () for at in known_stacks if at not in stacks}
    return Sighted(
        **owner_only(side, "WE-OPT-02"),
        stacks={enemy: dict(sorted(changed.items()))} if changed else {},
        new_hqs=tuple(hq for name, hq in hqs.items() if known_hqs.get(name) != hq),
        occupied=occupied,
        forgets=gone,
        ghosts=ghosts,
    )


def _ghosts(
    field: Field, mind: War, side: Role, into: frozenset[Hex], revealed: Mapping[Hex, Ghost]
) -> dict[Hex, Ghost]:
    """What is remembered of hexes into which one cannot look now."""
    enemy, war = ENEMY[side], field.war
    there = field.holding(enemy)
    hqs: dict[Hex, list[Hq]] = {}
    for hq in hqs_of(mind, enemy):
        if hq.hex is not None:
            hqs.setdefault(hq.hex, []).append(hq)
    last = {
        at: Ghost(war.turn, war.pulse, mind.stacks.get(enemy, {}).get(at, ()), tuple(hq.id for hq in hqs.get(at, ())))
        for at in {*mind.stacks.get(enemy, {}), *hqs}
    }
    found = {**mind.ghosts, **last, **revealed}
    blind = war.options.fog == "blind"
    return {at: found[at] for at in sorted(found) if at not in into and (blind or at in there)}
