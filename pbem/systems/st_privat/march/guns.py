"""Gunners' work: limbering, unlimbering, pushing a gun, leaving it and taking to it again."""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from pbem.kernel.names import Role
from pbem.orders.refusal import Wrong
from pbem.rules.ledger import cited, rule
from pbem.systems.st_privat.field.bodies import Body, cannot_draw
from pbem.systems.st_privat.field.field import Field
from pbem.systems.st_privat.march.facts import arrival, limber, unlimber
from pbem.systems.st_privat.march.march import March, settled
from pbem.systems.st_privat.march.retreat import PUSHERS
from pbem.systems.st_privat.play.play import Play
from pbem.systems.st_privat.scene.words import DIRECTIONS
from pbem.systems.st_privat.world import orders as say
from pbem.systems.st_privat.world import outcomes as o
from pbem.systems.st_privat.world.patches import Patch
from pbem.systems.st_privat.world.pieces import Piece

HIDDEN = "{gun} and its crew lie hidden, and do nothing before they are brought on"


@rule("SP-MOV-08", "SP-SGE-05")
def cannot_limber(field: Field, side: Role, order: say.Limber, absent: Collection[str]) -> Wrong | None:
    """Why a gun cannot be limbered."""
    gun = field.battle.pieces[order.gun]
    if gun.kind == "siege_gun":
        return Wrong(f"{gun.id} never moves", "SP-SGE-05")
    if not gun.deployed:
        return Wrong(f"{gun.id} is limbered already", "SP-MOV-08")
    why = cannot_draw(field, gun)
    return Wrong(why, "SP-MOV-08", f"prolong {gun.id} to ..." if field.crew_of(gun) else "") if why else None


def hitch(play: Play, side: Role, order: say.Limber) -> str:
    """Hitch a gun to its limber; a hidden section turns up first."""
    gun = play.piece(order.gun)
    play.turn_up(play.field.section(gun), "owner", "SP-HID-03")
    limber(play, play.piece(gun.id))
    return f"{gun.id} is limbered."


@rule("SP-MOV-08", "SP-SGE-05")
def cannot_unlimber(field: Field, side: Role, order: say.Unlimber, absent: Collection[str]) -> Wrong | None:
    """Why a gun cannot be taken off its limber."""
    gun = field.battle.pieces[order.gun]
    if gun.deployed or gun.kind == "siege_gun":
        return Wrong(f"{gun.id} is deployed already", "SP-MOV-08", f"turn {gun.id} {order.facing}")
    if field.crew_of(gun) is None:
        return Wrong(f"{gun.id} has no crew with it", "SP-MOV-08")
    return None


def unhitch(play: Play, side: Role, order: say.Unlimber) -> str:
    """Take a gun off its limber."""
    unlimber(play, play.piece(order.gun), order.facing)
    return f"{order.gun} is deployed, facing {DIRECTIONS[order.facing]}."


def pushed(field: Field, gun: Piece) -> Body:
    """A gun and the crew that pushes it."""
    crew = field.crew_of(gun)
    return Body("prolonged", (gun,) if crew is None else (gun, crew))


@rule("SP-MOV-09", "SP-SGE-05")
def cannot_prolong(field: Field, order: say.Prolong) -> Wrong | None:
    """Why a gun cannot be pushed at all; the step itself is judged as a march."""
    gun = field.battle.pieces[order.gun]
    if gun.kind == "siege_gun":
        return Wrong(f"{gun.id} never moves", "SP-SGE-05")
    if not gun.deployed:
        return Wrong(f"{gun.id} is limbered", "SP-MOV-09", f"move {gun.id} to {order.square}")
    return cannot_push(field, gun)


@rule("SP-MOV-09")
def cannot_push(field: Field, gun: Piece) -> Wrong | None:
    """Why a gun has too few gunners to be pushed."""
    crew = field.crew_of(gun)
    men = crew.men if crew else 0
    if men >= PUSHERS:
        return None
    return Wrong(f"{gun.id} is pushed by {PUSHERS} gunners or more, and has {men}", "SP-MOV-09")


@rule("SP-MOV-09")
def push_march(field: Field, order: say.Prolong, absent: Collection[str]) -> March:
    """A push as a march of one square."""
    move = say.Move(line=order.line, text=order.text, units=(order.gun,), via=(order.square,), face=order.facing)
    return settled(field, pushed(field, field.battle.pieces[order.gun]), move, (order.square,), absent)


def tell_push(play: Play, march: March) -> None:
    """Make a fact of a push; a hidden section turns up first."""
    play.turn_up(march.body.hidden, "owner", "SP-HID-03")
    gun, last = march.body.first, march.walk.steps[-1]
    assert march.facing is not None
    fact = o.GunProlonged(
        rules=cited("SP-MOV-09", "SP-MOV-01", *(("SP-TER-02",) if play.field.is_interior(last.end) else ())),
        gun=gun.id,
        start=last.start,
        square=last.end,
        facing=march.facing,
    )
    play.change(fact, arrival(play, march))


@rule("SP-CAP-05", "SP-CAP-02", "SP-SGE-01")
def cannot_detach(field: Field, side: Role, order: say.Detach, absent: Collection[str]) -> Wrong | None:
    """Why a crew cannot leave its gun."""
    gun = field.battle.pieces[order.gun]
    crew = field.crew_of(gun)
    if not gun.on_table:
        return Wrong(HIDDEN.format(gun=gun.id), "SP-SGE-01", "siege reveal")
    if crew is None or gun.square is None:
        return Wrong(f"{gun.id} has no crew with it", "SP-CAP-05")
    if order.place == "outside":
        return None
    return field.no_room(gun.square, [replace(crew, place="inside")], absent)


@rule("SP-CAP-05")
def detach(play: Play, side: Role, order: say.Detach) -> str:
    """The crew leaves its gun; a hidden section turns up first."""
    gun = play.piece(order.gun)
    crew = play.field.crew_of(gun)
    assert crew is not None
    play.turn_up((gun, crew), "owner", "SP-HID-03")
    changes = {crew.id: Patch(detached=True, place=order.place, moved_this_turn=True)}
    fact = o.CrewDetached(
        rules=cited("SP-CAP-05", "SP-CAP-02"), gun=gun.id, crew=crew.id, square=gun.at, place=order.place
    )
    play.change(fact, changes)
    return f"The crew left {gun.id}."


def free_crew(field: Field, gun: Piece) -> Piece | None:
    """The crew of the gun's square that would take to it: its own, else the first that serves no gun."""
    if gun.square is None:
        return None
    here = field.at(gun.square, gun.side)
    serving = {crew.id for p in here if p.is_gun and (crew := field.crew_of(p)) is not None}
    crews = [p for p in here if p.kind == "crew" and p.men > 0 and p.id not in serving]
    return min(crews, key=lambda p: p.id != gun.crew_id, default=None)


@rule("SP-SGE-05", "SP-CAP-05", "SP-SGE-01")
def cannot_man(field: Field, side: Role, order: say.Man, absent: Collection[str]) -> Wrong | None:
    """Why no crew can take to a gun."""
    gun = field.battle.pieces[order.gun]
    if not gun.on_table:
        return Wrong(HIDDEN.format(gun=gun.id), "SP-SGE-01", "siege reveal")
    if field.crew_of(gun) is not None:
        return Wrong(f"{gun.id} has its crew", "SP-CAP-05")
    crew = free_crew(field, gun)
    if crew is None or gun.square is None:
        rule_ = "SP-SGE-05" if gun.kind == "siege_gun" else "SP-CAP-05"
        return Wrong(f"no crew without a gun stands in {gun.square}", rule_)
    return field.no_room(gun.square, [replace(crew, place="outside")], absent)


@rule("SP-SGE-05", "SP-CAP-05")
def man(play: Play, side: Role, order: say.Man) -> str:
    """A crew takes to a gun of its square; a gun that it served before is without one."""
    gun = play.piece(order.gun)
    crew = free_crew(play.field, gun)
    assert crew is not None
    changes = {crew.id: Patch(detached=False, place="outside", facing=gun.facing, moved_this_turn=True)}
    if gun.crew_id != crew.id:
        changes[gun.id] = Patch(crew_id=crew.id)
        changes |= {p.id: Patch(crew_id="") for p in play.field.own(side) if p.crew_id == crew.id}
    fact = o.GunManned(rules=cited("SP-CAP-05", "SP-SGE-05"), gun=gun.id, crew=crew.id, square=gun.at)
    play.change(fact, changes)
    return f"{gun.id} is manned."
