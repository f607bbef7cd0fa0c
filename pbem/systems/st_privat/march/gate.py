"""What every step meets, whoever makes it: on the march, beaten back, or going forward.

A march asks besides what it may order and pay for (`steps`), those who fall back where they may go and like best
(`retreat`), those who advance where they must stop (`melee.advance`).
"""

from __future__ import annotations

from msgspec.structs import replace

from pbem.ground.square import Square, corner_squares, distance, edge, is_diagonal
from pbem.kernel.names import Role
from pbem.rules.ledger import rule
from pbem.systems.st_privat.field.field import Field
from pbem.systems.st_privat.world.pieces import ENEMY, Piece


@rule("SP-TER-04", "SP-MOV-03")
def walled(field: Field, start: Square, end: Square) -> bool:
    """Whether a standing wall without a gap lies across a step, or at the corner that it cuts."""
    return field.wall_at_corner(start, end) if is_diagonal(start, end) else field.solid_wall(edge(start, end))


@rule("SP-ZOC-03")
def shut_corner(field: Field, side: Role, start: Square, end: Square) -> bool:
    """Whether a step would slip through between two squares that the enemy of *side* holds or controls."""
    if not is_diagonal(start, end):
        return False
    return all(field.enemy_held(at, side) or field.in_zone(at, ENEMY[side]) for at in corner_squares(start, end))


@rule("SP-TER-02")
def deep_in_woods(field: Field, at: Square) -> bool:
    """Whether a square lies inside woods, where no artillery goes."""
    return field.ground(at).terrain == "woods" and field.is_interior(at)


@rule("SP-SGE-03", "SP-SGE-01")
def lurking(field: Field, side: Role, at: Square) -> Piece | None:
    """The enemy siege gun off the table that a step of *side* comes upon, there or beside; the truth alone knows."""
    for gun in field.guns_off_table:
        if gun.side != side and distance(gun.at, at) <= 1:
            return gun
    return None


@rule("SP-SGE-03")
def uncovered(field: Field, gun: Piece) -> Field:
    """The field with a siege gun and its crew on the table, as the next step finds it."""
    pieces = field.battle.pieces
    names = [name for name in (gun.id, gun.crew_id) if name in pieces and pieces[name].stands]
    shown = {name: replace(pieces[name], on_table=True) for name in names}
    return field.after(replace(field.battle, pieces={**pieces, **shown}))
