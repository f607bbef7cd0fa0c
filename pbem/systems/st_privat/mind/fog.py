"""`fog_of_war` los: what a side may learn of enemies out of its sight, and what comes into it or goes out."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from pbem.kernel.names import Role
from pbem.rules.ledger import cited, rule
from pbem.systems.st_privat.field.field import Field, field_of
from pbem.systems.st_privat.field.sight import as_seen, in_sight, open_enemies
from pbem.systems.st_privat.scene.scene import Scene
from pbem.systems.st_privat.world import outcomes as o
from pbem.systems.st_privat.world import outcomes_combat as c
from pbem.systems.st_privat.world.fact import PUBLIC, Fact, owner_only
from pbem.systems.st_privat.world.pieces import ENEMY, SIDES, Piece
from pbem.systems.st_privat.world.state import Battle, evolve

NAMES = ("unit", "units", "shooter", "shooters", "gun", "crew", "attackers", "defenders", "section", "id")
"""The fields in which facts name the pieces that they are about."""

Gunfire = c.RifleFireResolved | c.ArtilleryFireResolved


def subjects(fact: Fact, battle: Battle) -> set[str]:
    """The pieces that a fact is about."""
    found = set(fact.changes)
    for name in NAMES:
        value = getattr(fact, name, ())
        found |= {value} if isinstance(value, str) else set(value)
    if isinstance(fact, c.RifleFireResolved):
        found |= {die.shooter for die in fact.fire}
    return found & battle.pieces.keys()


@rule("SP-OPT-01")
def clouded(scene: Scene, battle: Battle, minds: Mapping[Role, Battle], fact: Fact) -> Fact:
    """A fact, known only to sides that may know it.

    Under `fog_of_war` los a side learns nothing of what enemies do whom it does not see before and after; what
    concerns its own pieces or what it takes, and who was removed, it learns always.  Who is fired at from out of sight
    learns of the fire, and neither by whom nor from where.
    """
    if not battle.options.by_sight:
        return fact
    if isinstance(fact, o.SetupCompleted):
        return replace(fact, shows=())
    about = subjects(fact, battle)
    after = Field(scene, evolve(battle, fact))
    for side in SIDES:
        theirs = {name for name in about if battle.pieces[name].side == ENEMY[side]}
        taken = isinstance(fact, c.GunCaptured) and fact.by == side
        if side not in fact.known or not theirs or theirs != about or taken:
            continue
        seen = {p.id for p in open_enemies(after, side)}
        # Who is turned up, or comes by a ruling, is new to a side that sees him.
        new = isinstance(fact, o.CardsRevealed | o.Ruling)
        unseen = theirs - (seen if new else seen & minds[side].pieces.keys())
        if isinstance(fact, Gunfire):
            unseen -= _turned_up_by_it(after, side, unseen)
        if isinstance(fact, c.UnitRemoved):
            fact = fact if fact.unit in minds[side].pieces else _out_of_sight(fact, side, unseen, after)
        elif unseen and isinstance(fact, Gunfire):
            fact = _out_of_sight(fact, side, unseen) if _struck(after, fact, side) else _unknown(fact, side)
        elif unseen and not fact.cards:
            fact = _unknown(fact, side) if unseen == theirs else _out_of_sight(fact, side, unseen)
        elif unseen and not (isinstance(fact, o.CardsRevealed) and fact.cause == "removed"):
            # Where cards lie, and how many, is seen from everywhere.
            fact = _out_of_sight(fact, side, unseen)
    return fact


@rule("SP-OPT-01", "SP-HID-04")
def _turned_up_by_it(field: Field, side: Role, shooters: set[str]) -> set[str]:
    """Those who fire from face-down cards within sight of a side: it sees who turns up."""
    seen = in_sight(field, side)
    pieces = field.battle.pieces
    return {name for name in shooters if pieces[name].hidden and pieces[name].square in seen}


@rule("SP-OPT-01")
def _struck(field: Field, fact: Gunfire, side: Role) -> bool:
    """Whether fire fell where pieces of a side are."""
    at = fact.target_square if isinstance(fact, c.RifleFireResolved) else fact.hit_square
    return at is not None and bool(field.visible(at, side))


def _unknown(fact: Fact, side: Role) -> Fact:
    """A fact of which a side learns nothing."""
    return replace(fact, known={role: aspect for role, aspect in fact.known.items() if role != side})


def _out_of_sight(fact: Fact, side: Role, unseen: set[str], after: Field | None = None) -> Fact:
    """A fact that a side learns without those whom it does not see; who is gone for good is shown."""
    gone = tuple(piece for name in unseen if after and (piece := after.battle.pieces[name]).removed)
    secret = tuple(dict.fromkeys((*fact.secret, *sorted(unseen))))
    shows = tuple(piece for piece in fact.shows if piece.id not in unseen)
    return replace(fact, known={**fact.known, side: PUBLIC}, secret=secret, shows=(*shows, *gone))


@rule("SP-OPT-01")
def sightings(scene: Scene, battle: Battle, minds: Mapping[Role, Battle]) -> list[o.Sighted]:
    """What each side now sees that it did not know, or knew elsewhere; and what it no longer sees."""
    if not battle.options.by_sight:
        return []
    facts = []
    field = field_of(scene, battle)
    for side in SIDES:
        seen = {p.id: as_seen(field, p) for p in open_enemies(field, side)}
        known = {p.id: p for p in minds[side].pieces.values() if p.side == ENEMY[side] and p.stands}
        new = tuple(piece for name, piece in seen.items() if name not in known or not _alike(known[name], piece))
        gone = tuple(sorted(known.keys() - seen.keys()))
        if new or gone:
            facts.append(
                o.Sighted(rules=cited("SP-OPT-01"), known=owner_only(side), side=side, shows=new, forgets=gone)
            )
    return facts


def _alike(known: Piece, piece: Piece) -> bool:
    """Whether a side knows an enemy as it stands, but for the rank, which it may have been told before."""
    return replace(known, slot=piece.slot, formation=piece.formation, demolishes="") == piece
