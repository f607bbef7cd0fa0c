"""Casualty factors of a melee become figures."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.ground.square import Square
from pbem.rules.ledger import rule
from pbem.systems.st_privat.field.ranks import falling
from pbem.systems.st_privat.fire.losses import bury, next_to_fall, record
from pbem.systems.st_privat.play.play import Play
from pbem.systems.st_privat.world.options import Options
from pbem.systems.st_privat.world.pieces import Kind, Piece

FALLING_KINDS: tuple[Kind, ...] = ("infantry", "crew", "team", "cavalry", "general")
"""Who takes losses, in order (SP-CAS-05)."""


@rule("SP-CAS-05")
def price(piece: Piece, engaged: Sequence[Piece], square: Sequence[Piece], options: Options) -> int:
    """Factors that one figure of a stand costs: 2 a trooper or a general's figure, 1 any other.

    A trooper costs 1 if his side has no infantry and no artillerymen engaged (`trooper_one_factor_if`).
    """
    if piece.kind == "cavalry":
        looked_at = {
            "engaged_side_all_cavalry": engaged,
            "square_all_cavalry": [p for p in [*engaged, *square] if p.square == piece.square],
            "never": [piece, *(p for p in engaged if p.kind != "cavalry")],
        }[options.trooper_one_factor_if]
        on_foot = any(p.on_foot for p in looked_at)
        return 2 if on_foot or options.trooper_one_factor_if == "never" else 1
    return 2 if piece.kind == "general" else 1


@rule("SP-CAS-05")
def victims(play: Play, pieces: Sequence[Piece], squares: Sequence[Square]) -> list[list[Piece]]:
    """Groups of stands in the order in which they take losses: by kind, then by square as the charge names them."""
    return [
        falling(play.field, [p for p in pieces if p.kind == kind and p.square == at])
        for kind in FALLING_KINDS
        for at in squares
    ]


@rule("SP-CAS-05", "SP-CAS-03")
def spend(
    play: Play, factors: int, engaged: Sequence[Piece], square: Sequence[Piece], squares: Sequence[Square]
) -> None:
    """Take *factors* from those engaged, then from the rest of their squares; a factor that buys nothing is lost."""
    names = {p.id for p in engaged}
    rest = [p for p in square if p.id not in names]
    options, fallen = play.battle.options, dict[str, int]()
    for group in [*victims(play, engaged, squares), *victims(play, rest, squares)]:
        while alive := [p for p in group if p.left > fallen.get(p.id, 0)]:
            piece = next_to_fall(alive, fallen, options)
            cost = price(piece, engaged, square, options)
            if cost > factors:
                break
            factors -= cost
            fallen[piece.id] = fallen.get(piece.id, 0) + 1
    for name, lost in fallen.items():
        piece = play.piece(name)  # face up by now, if it charged
        record(play, piece, lost, "melee", "SP-CAS-05", "SP-CAS-03", *(("SP-HID-05",) if piece.hidden else ()))
        bury(play, name, "SP-CAS-05")
