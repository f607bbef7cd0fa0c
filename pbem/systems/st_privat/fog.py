"""`fog_of_war` los: what a side may learn of enemies out of its sight, and what comes into it or goes out."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from pbem.kernel.names import Role
from pbem.rules.ledger import cited, rule
from pbem.systems.st_privat.combat_outcomes import UnitRemoved
from pbem.systems.st_privat.fact import Fact, owner_only
from pbem.systems.st_privat.field import Field
from pbem.systems.st_privat.outcomes import SetupCompleted, Sighted
from pbem.systems.st_privat.scene import Scene
from pbem.systems.st_privat.sight import open_enemies
from pbem.systems.st_privat.state import ENEMY, SIDES, Battle, evolve

NAMES = ("unit", "units", "shooters", "gun", "crew", "attackers", "defenders", "section", "id")
"""The fields in which facts name the pieces that they are about."""


def subjects(fact: Fact, battle: Battle) -> set[str]:
    """The pieces that a fact is about."""
    found = set(fact.changes)
    for name in NAMES:
        value = getattr(fact, name, ())
        found |= {value} if isinstance(value, str) else set(value)
    return found & battle.pieces.keys()


@rule("SP-OPT-01")
def clouded(scene: Scene, battle: Battle, minds: Mapping[Role, Battle], fact: Fact) -> Fact:
    """A fact, known only to sides that may know it.

    Under `fog_of_war` los a side learns nothing of what enemies do whom it does not see before and after; what
    concerns its own pieces, and who was removed, it learns always.
    """
    if battle.options.fog_of_war == "table":
        return fact
    if isinstance(fact, SetupCompleted):
        return replace(fact, shows=())
    if isinstance(fact, UnitRemoved):
        return fact
    about = subjects(fact, battle)
    known = dict(fact.known)
    after = Field(scene, evolve(battle, fact))
    for side in SIDES:
        theirs = {name for name in about if battle.pieces[name].side == ENEMY[side]}
        if side not in known or not theirs or theirs != about:
            continue
        seen = {p.id for p in open_enemies(after, side)} & minds[side].pieces.keys()
        if not theirs & seen and not fact.cards:
            del known[side]
    return replace(fact, known=known)


@rule("SP-OPT-01")
def sightings(scene: Scene, battle: Battle, minds: Mapping[Role, Battle]) -> list[Sighted]:
    """What each side now sees that it did not know, and what it no longer sees."""
    if battle.options.fog_of_war == "table":
        return []
    facts = []
    field = Field(scene, battle)
    for side in SIDES:
        seen = {p.id: p for p in open_enemies(field, side)}
        known = {p.id for p in minds[side].pieces.values() if p.side == ENEMY[side] and p.stands}
        new = tuple(piece for name, piece in seen.items() if name not in known)
        gone = tuple(sorted(known - seen.keys()))
        if new or gone:
            facts.append(
                Sighted(
                    turn=battle.turn,
                    phase=battle.phase,
                    rules=cited("SP-OPT-01"),
                    known=owner_only(side),
                    side=side,
                    shows=new,
                    forgets=gone,
                )
            )
    return facts
