"""The hidden siege gun: brought on by its owner, or found by the French."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from pbem.kernel.names import Role
from pbem.orders.refusal import Wrong
from pbem.rules.ledger import cited, rule
from pbem.systems.st_privat.field.field import Field
from pbem.systems.st_privat.play.play import Play
from pbem.systems.st_privat.scene.words import cap
from pbem.systems.st_privat.world import orders as say
from pbem.systems.st_privat.world import outcomes as o
from pbem.systems.st_privat.world.fact import owner_only
from pbem.systems.st_privat.world.patches import Patch
from pbem.systems.st_privat.world.pieces import ENEMY, PRUSSIAN, Piece


def gun_of(field: Field, side: Role) -> Piece | None:
    """The siege gun of a side, on the table or not."""
    return next((piece for piece in field.own(side) if piece.kind == "siege_gun"), None)


@rule("SP-SGE-02")
def cannot_bring_on(field: Field, side: Role) -> Wrong | None:
    """Why `siege reveal` is no order, from what its writer knows."""
    gun = gun_of(field, side)
    if side != PRUSSIAN:
        return Wrong("the French have no siege gun", "SP-SGE-02")
    if gun is None:
        return Wrong("there is no siege gun to bring on", "SP-SGE-02")
    if gun.on_table:
        return Wrong(f"the siege gun stands on the table already, at {gun.square}", "SP-SGE-02")
    return None


@rule("SP-SGE-02")
def is_disputed(field: Field, gun: Piece) -> bool:
    """Whether the enemy stands in the gun's square or controls it."""
    enemy = ENEMY[gun.side]
    return bool(field.visible(gun.at, enemy)) or field.in_zone(gun.at, enemy)


@rule("SP-SGE-01", "SP-SGE-02", "SP-SGE-03")
def place_gun(play: Play, gun: Piece, cause: Literal["ordered", "found"]) -> None:
    """The siege gun and its crew stand on the table for all to see."""
    ids = [name for name in (gun.id, gun.crew_id) if name and play.piece(name).stands]
    play.tell(
        o.SiegeGunPlaced(
            rules=cited("SP-SGE-02" if cause == "ordered" else "SP-SGE-03", "SP-SGE-01"),
            square=gun.at,
            cause=cause,
            changes={name: Patch(on_table=True) for name in ids},
            shows=tuple(replace(play.piece(name), on_table=True) for name in ids),
        )
    )


@rule("SP-SGE-02")
def bring_on(play: Play, side: Role, order: say.SiegeReveal) -> None:
    """Carry out `siege reveal`: the control of the square is tested as the field now is."""
    gun = gun_of(play.field, side)
    if wrong := cannot_bring_on(play.field, side):
        play.report(side, order, "not carried out", f"{cap(wrong.why)}.")
        return
    assert gun is not None
    if is_disputed(play.field, gun):
        failed = o.SiegeRevealFailed(rules=cited("SP-SGE-02"), reason="control_disputed")
        play.tell(replace(failed, known=owner_only(side)))
        play.report(side, order, "not carried out", f"The French dispute {gun.square}.")
        return
    place_gun(play, gun, "ordered")
    play.report(side, order, "done", f"The siege gun stands on the table at {gun.square}.")


@rule("SP-SGE-03")
def find(play: Play, by: Role) -> None:
    """Put the hidden siege gun on the table: a unit of *by* has come next to it."""
    gun = gun_of(play.field, ENEMY[by])
    if gun is not None and not gun.on_table:
        place_gun(play, gun, "found")
