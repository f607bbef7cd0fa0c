"""A whole field that looks to one side as what it knows: who may lie under its enemy's cards, where a gun may hide.

What is hidden is drawn by lot from the order of battle, which is no secret, as a set-up might have it: under each card
a stand or a gun with its crew of those not seen yet, and dummies where none is left; the siege gun somewhere in a zone
of its own.  Out of sight under `fog_of_war` los enemies stand where they were last seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from pbem.ground.square import Square
from pbem.kernel.dice import Dice
from pbem.kernel.names import Role
from pbem.rules.contract import World
from pbem.systems.st_privat.field.field import Field
from pbem.systems.st_privat.field.sight import as_seen, open_enemies
from pbem.systems.st_privat.scene.forces import pieces
from pbem.systems.st_privat.scene.scene import Scene
from pbem.systems.st_privat.turn.layout import Layout
from pbem.systems.st_privat.turn.setup import muster
from pbem.systems.st_privat.world.game import Reactions, Sealed
from pbem.systems.st_privat.world.pieces import ENEMY, PRUSSIAN, Cards, Piece
from pbem.systems.st_privat.world.state import Battle, evolve

IN_SET_UP = ("setup_french", "setup_prussian")


def suppose(scene: Scene, mind: Battle, role: Role, dice: Dice) -> tuple[Battle, Mapping[Role, Battle]]:
    """A truth in which a side knows what it knows, and what each side then knows of it."""
    enemy = ENEMY[role]
    unknown = {one.id: one for one in pieces(scene, mind.options, enemy) if one.id not in mind.pieces}
    seen_before = {name: piece for name, (piece, _) in mind.ghosts.items() if name in unknown}
    truth = replace(
        mind,
        viewer=None,
        pieces={**mind.pieces, **unknown, **seen_before},
        cards={},
        ghosts={},
        traces=(),
        reactions={enemy: Reactions(), **mind.reactions},
        sealed={**mind.sealed, enemy: mind.sealed.get(enemy, Sealed("", "", ""))},
    )
    if mind.phase not in IN_SET_UP:
        hidden = {name: one for name, one in unknown.items() if name not in seen_before}
        truth = _under_cards(truth, mind.cards, hidden, dice)
        truth = _siege(scene, truth, hidden, dice)
    return truth, {role: mind, enemy: known_to(Field(scene, truth), enemy)}


def _under_cards(truth: Battle, cards: Mapping[str, Cards], hidden: Mapping[str, Piece], dice: Dice) -> Battle:
    """Somebody under each card, drawn by lot: troops first, and dummies where no more are left."""
    named = [name for name, piece in hidden.items() if piece.kind == "infantry" or (piece.is_drawn and piece.deployed)]
    dummies = [name for name, piece in hidden.items() if piece.kind == "dummy"]
    lie = iter((*dice.shuffle("suppose", "cards", named), *dice.shuffle("suppose", "dummies", dummies)))
    placed: dict[str, Piece] = {}
    for key, shown in sorted(cards.items()):
        at, _, where = key.partition(" ")
        for name in (name for _, name in zip(range(shown.count), lie, strict=False)):
            for piece in _section(hidden, name):
                there = (*truth.pieces.values(), *placed.values())
                slot = 1 + max((one.slot for one in there if (one.square, one.place) == (at, where)), default=0)
                put = replace(piece, square=Square(at), hidden=True, facing=shown.facing or piece.facing, slot=slot)
                placed[piece.id] = replace(put, place="inside" if where == "inside" else "outside")
    return replace(truth, pieces={**truth.pieces, **placed})


def _section(hidden: Mapping[str, Piece], name: str) -> Iterator[Piece]:
    """A piece, and the crew of a gun."""
    yield hidden[name]
    if hidden[name].is_gun and hidden[name].crew_id in hidden:
        yield hidden[hidden[name].crew_id]


def _siege(scene: Scene, truth: Battle, hidden: Mapping[str, Piece], dice: Dice) -> Battle:
    """The siege gun in a square of a zone that is thrown for as at the muster, if nobody has seen it."""
    gun = next((piece for piece in hidden.values() if piece.kind == "siege_gun"), None)
    if gun is None:
        return truth
    for fact in muster(scene, World(truth, {}), dice):
        truth = evolve(truth, fact)
    layout = Layout(scene, truth, PRUSSIAN)
    held = {piece.square for piece in truth.pieces.values() if piece.stands}
    free = [at for at in scene.board if at not in held and not layout.siege_bars(at)]
    if not free:
        return truth
    [at, *_] = dice.shuffle("suppose", "siege", free)
    put = {one.id: replace(one, square=Square(at), place="outside") for one in _section(hidden, gun.id)}
    put[gun.id] = replace(put[gun.id], emplaced=Square(at))
    return replace(truth, pieces={**truth.pieces, **put})


def known_to(field: Field, side: Role) -> Battle:
    """What a side knows of a field at least: its own, the open enemies that it sees, and how many cards lie where."""
    battle = field.battle
    own = {name: piece for name, piece in battle.pieces.items() if piece.side == side}
    seen = {piece.id: as_seen(field, piece) for piece in open_enemies(field, side)}
    cards: dict[str, Cards] = {}
    for at in sorted(field.by_square):
        cards |= {key: shown for key, shown in field.shown_cards(at, ENEMY[side]).items() if shown.count}
    reactions = {side: battle.reactions.get(side, Reactions())}
    return replace(battle, viewer=side, pieces={**own, **seen}, cards=cards, reactions=reactions)
