"""What is done without leaving the square: turning, regrouping, going into a building, pulling things down."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from msgspec.structs import replace

from pbem.ground.square import OPPOSITE, ORTHOGONAL, Edge, Square, beyond, sides
from pbem.kernel.names import Role
from pbem.orders.prose import counted
from pbem.orders.refusal import Wrong
from pbem.rules.ledger import cited, rule
from pbem.systems.st_privat.field.field import Field
from pbem.systems.st_privat.field.ranks import formation_of
from pbem.systems.st_privat.march.formation import joining, left_behind, regrouped
from pbem.systems.st_privat.march.steps import allowance
from pbem.systems.st_privat.play.play import Play
from pbem.systems.st_privat.scene.words import DIRECTIONS, names, selector
from pbem.systems.st_privat.world import orders as say
from pbem.systems.st_privat.world import outcomes as o
from pbem.systems.st_privat.world.fact import in_part, owner_only
from pbem.systems.st_privat.world.patches import Patch, merged
from pbem.systems.st_privat.world.pieces import Facing, Piece, Place


def one_place(pieces: Sequence[Piece]) -> Wrong | None:
    """Why pieces cannot be ordered together: they stand apart."""
    places = dict.fromkeys((piece.square, piece.place) for piece in pieces)
    if len(places) < 2:
        return None
    where = " and ".join(f"{at}{' inside' if place == 'inside' else ''}" for at, place in places)
    return Wrong(f"{names(p.id for p in pieces)} stand apart, at {where}", "SP-MOV-05", "one line for each square")


# ------------------------------------------------------------------ turn


def _turning(field: Field, pieces: Sequence[Piece]) -> list[Piece]:
    """Those of the pieces that face somewhere, crews with their gun."""
    found = {piece.id: piece for piece in pieces if piece.facing is not None and piece.kind != "general"}
    for gun in [piece for piece in found.values() if piece.is_gun]:
        found |= {piece.id: piece for piece in field.section(gun)}
    return list(found.values())


@rule("SP-MOV-06", "SP-FOR-01", "SP-HID-03")
def cannot_turn(field: Field, side: Role, order: say.Turn, absent: Collection[str]) -> Wrong | None:
    """Why pieces cannot turn in place.

    All infantry of a square and place share one facing, and so do all cards; the siege gun turns 90 degrees.
    """
    named = [field.battle.pieces[name] for name in order.units]
    if apart := one_place(named):
        return apart
    for piece in named:
        gun = gun_served(field, piece)
        if gun is not None and gun.id not in order.units:
            return Wrong(f"{piece.id} serves {gun.id} and turns with it", "SP-MOV-06", f"turn {gun.id} {order.facing}")
    pieces = _turning(field, named)
    if not pieces:
        return Wrong(f"{names(order.units)} face nowhere", "SP-MOV-06")
    first = pieces[0]
    there = field.at(first.at, side, first.place)
    bound = [p for p in there if p.is_ranked and any(p.kind == q.kind for q in pieces)]
    if field.options.split_facing:
        bound = []
    if any(field.is_card(piece) or piece.kind == "infantry" for piece in pieces) and any(map(field.is_card, there)):
        bound += [p for p in there if (p.hidden or p.kind == "infantry") and p not in bound]
    missing = [p for p in bound if p.id not in {q.id for q in pieces}]
    if missing:
        inside = " in" if first.place == "inside" else ""
        verb = "stands" if len(missing) == 1 else "stand"
        why = f"all stands and cards of a place share one facing: {names(p.id for p in missing)} {verb} there too"
        return Wrong(why, "SP-FOR-01", f"turn @{first.at}{inside} {order.facing}")
    if all(piece.facing == order.facing for piece in pieces):
        return Wrong(f"{names(p.id for p in pieces)} face {order.facing} already", "SP-MOV-06")
    siege = next((piece for piece in pieces if piece.kind == "siege_gun" and piece.facing), None)
    if siege is not None and siege.facing and OPPOSITE[siege.facing] == order.facing:
        return Wrong(f"{siege.id} turns 90 degrees a turn", "SP-SGE-05")
    return None


@rule("SP-MOV-06", "SP-HID-03", "SP-ART-03")
def turn(play: Play, side: Role, order: say.Turn) -> str:
    """Turn in place, cards face down; a gun turned by 90 degrees may still fire."""
    pieces = _turning(play.field, [play.piece(name) for name in order.units])
    at = pieces[0].at
    rules = cited("SP-MOV-06", "SP-MOV-01", *(("SP-FOR-01",) if any(p.is_ranked for p in pieces) else ()))
    down = [piece for piece in pieces if piece.hidden]
    shown = [piece for piece in pieces if piece.is_open]
    secret = [piece for piece in pieces if not piece.on_table]
    changes = {piece.id: _turned(piece, order.facing) for piece in (*shown, *down)}
    if down:
        # Open stands and cards of a place look alike, and so all turn in one fact.
        _turn_cards(play, down, order.facing, changes)
    if shown:
        ids = tuple(piece.id for piece in shown)
        fact = o.UnitTurned(rules=rules, group_square=at, units=ids, start=shown[0].facing, end=order.facing, cost=1)
        play.change(fact, {} if down else changes)
    if secret:
        ids = tuple(piece.id for piece in secret)
        unseen = {piece.id: _turned(piece, order.facing) for piece in secret}
        fact = o.UnitTurned(rules=rules, group_square=at, units=ids, start=secret[0].facing, end=order.facing, cost=1)
        play.tell(replace(fact, changes=unseen, secret=ids, known=owner_only(side)))
    return f"{names(order.units)} turned {DIRECTIONS[order.facing]}."


def _turned(piece: Piece, facing: Facing) -> Patch:
    """A turn of a deployed gun by 90 degrees is no move, a second one is (SP-ART-03)."""
    light = piece.is_gun and piece.deployed and not piece.turned_this_turn
    if light and piece.facing is not None and OPPOSITE[piece.facing] != facing:
        return Patch(facing=facing, turned_this_turn=True)
    if piece.kind == "crew":
        return Patch(facing=facing)
    return Patch(facing=facing, moved_this_turn=True)


@rule("SP-HID-03", "SP-HID-01")
def _turn_cards(play: Play, pieces: Sequence[Piece], facing: Facing, changes: Mapping[str, Patch]) -> None:
    """Turn the cards of a place together, face down."""
    at = pieces[0].at
    fact = o.CardMoved(
        rules=cited("SP-HID-03", "SP-HID-01"),
        known=in_part(pieces[0].side),
        card_count=sum(play.field.is_card(piece) for piece in pieces),
        start=at,
        end=at,
        units=tuple(piece.id for piece in pieces),
        facing=facing,
    )
    play.change(fact, changes)


# ------------------------------------------------------------------ form


@rule("SP-FOR-01", "SP-FOR-04", "SP-MOV-06", "SP-TER-06")
def cannot_form(field: Field, side: Role, order: say.Form, absent: Collection[str]) -> Wrong | None:
    """Why the infantry of a square cannot regroup so; regrouping and turning cost a point each."""
    group = field.group(order.square, side, order.place)
    if not group:
        return Wrong(f"no infantry of yours stands in {order.square}", "SP-FOR-01")
    if order.formation == "column" and len(group) == 1:
        return Wrong(f"{group[0].id} alone is no column: a column is two stands or more", "SP-FOR-01")
    if order.formation == "column" and order.place == "inside":
        return Wrong("infantry inside a building is in line", "SP-TER-06")
    if stray := [name for name in order.order if name not in {piece.id for piece in group}]:
        return Wrong(f"{names(stray)} is no infantry of {order.square}", "SP-FOR-01")
    if len(set(order.order)) < len(order.order):
        twice = next(name for name in order.order if order.order.count(name) > 1)
        return Wrong(f"{twice} is named twice in the order of the ranks", "SP-FOR-01")
    cost = _form_cost(group, order)
    if not cost:
        return Wrong(f"{names(p.id for p in group)} stand so already", "SP-FOR-01")
    points = allowance(field, "line", order.square, None) or 0
    if cost > points:
        why = f"regrouping and turning cost {counted(cost, 'point')}; in {order.square} the turn has {points}"
        return Wrong(why, "SP-MOV-06")
    return None


def _form_cost(group: Sequence[Piece], order: say.Form) -> int:
    ranks = [piece.id for piece in group]
    regroups = order.formation != formation_of(group) or tuple(ranks[: len(order.order)]) != order.order
    return int(regroups) + int(order.facing is not None and order.facing != group[0].facing)


@rule("SP-FOR-01", "SP-FOR-04", "SP-HID-01")
def form(play: Play, side: Role, order: say.Form) -> str:
    """Regroup in place; hidden infantry turns up first, and cards that still lie there turn with it."""
    play.turn_up(play.field.group(order.square, side, order.place), "owner", "SP-HID-03")
    group = play.field.group(order.square, side, order.place)
    first = group[0]
    assert first.facing is not None
    fact = o.FormationChanged(
        rules=cited("SP-FOR-01", "SP-FOR-04", "SP-MOV-06"),
        group_square=order.square,
        units=tuple(piece.id for piece in group),
        start=formation_of(group),
        end=order.formation,
        cost=_form_cost(group, order),
    )
    facing = order.facing or first.facing
    placed = regrouped(group, order.order, order.formation, facing)
    changes = {name: merged(patch, Patch(moved_this_turn=True)) for name, patch in placed.items()}
    if facing != first.facing:
        cards = [piece.id for piece in play.field.at(order.square, side, order.place) if piece.hidden]
        changes |= dict.fromkeys(cards, Patch(facing=facing))
    play.change(fact, changes)
    return f"{names(order.units)} formed {order.formation} at {order.square}."


# ------------------------------------------------------------------ enter, leave


@rule("SP-TER-06", "SP-CAP-02", "SP-CAP-05", "SP-HID-03")
def cannot_change_place(
    field: Field, side: Role, order: say.Enter | say.Leave, absent: Collection[str]
) -> Wrong | None:
    """Why pieces cannot go into the building of their square, or out of it."""
    pieces = [field.battle.pieces[name] for name in order.units]
    if apart := one_place(pieces):
        return apart
    at, wanted = pieces[0].at, _wanted(order)
    if dummies := [p.id for p in pieces if p.kind == "dummy"]:
        why = f"{names(dummies)}: a dummy moves as a card, to another square of its town"
        return Wrong(why, "SP-HID-03", f"card {dummies[0]} to ...")
    if pieces[0].place == wanted:
        return Wrong(f"{names(order.units)} stand{'s' if len(pieces) == 1 else ''} {wanted} already", "SP-TER-06")
    if wanted == "inside" and field.building(at) is None:
        return Wrong(f"{at} has no building to go into", "SP-TER-06")
    serving = [p for p in pieces if serves(field, p)]
    if serving:
        return Wrong(f"{serving[0].id} serves {serving[0].gun_id}", "SP-CAP-05", f"detach {serving[0].gun_id} in")
    return field.no_room(at, [replace(p, place=wanted) for p in pieces], absent)


def _wanted(order: say.Enter | say.Leave) -> Place:
    return "inside" if isinstance(order, say.Enter) else "outside"


@rule("SP-CAP-05")
def serves(field: Field, crew: Piece) -> bool:
    """Whether a piece is a crew that serves a gun of its square."""
    return gun_served(field, crew) is not None


@rule("SP-CAP-05")
def gun_served(field: Field, crew: Piece) -> Piece | None:
    """The gun that a crew serves; None for whatever serves none."""
    if crew.kind != "crew" or crew.square is None:
        return None
    guns = [p for p in field.at(crew.square, crew.side) if p.is_gun]
    return next((gun for gun in guns if field.crew_of(gun) == crew), None)


@rule("SP-TER-06")
def change_place(play: Play, side: Role, order: say.Enter | say.Leave) -> str:
    """Go into the building of the square, or come out; hidden stands turn up first."""
    play.turn_up([play.piece(name) for name in order.units], "owner", "SP-HID-03")
    pieces = sorted((play.piece(name) for name in order.units), key=lambda p: p.slot)
    at, wanted = pieces[0].at, _wanted(order)
    foot = [piece for piece in pieces if piece.kind == "infantry"]
    base = Patch(place=wanted, moved_this_turn=True)
    changes = dict.fromkeys((piece.id for piece in pieces), base)
    if foot:
        joined = joining(play.field, foot, at, wanted, "line", foot[0].facing, ())
        changes |= left_behind(play.field, foot) | {name: merged(base, patch) for name, patch in joined.items()}
    fact = o.PlaceChanged(
        rules=cited("SP-TER-06", "SP-CAP-02"),
        units=tuple(piece.id for piece in pieces),
        square=at,
        place=wanted,
        cost=play.field.options.building_entry_cost,
    )
    play.change(fact, changes)
    return f"{names(order.units)} went {wanted}."


# ------------------------------------------------------------------ demolish


@rule("SP-DMG-03")
def cannot_demolish(field: Field, side: Role, order: say.Demolish, absent: Collection[str]) -> Wrong | None:
    """Why stands cannot pull a thing down.

    In reach are a wall of the own square, its building and bridge, and a gun or limber that nobody serves, in
    the own square or one beside it.
    """
    pieces = [field.battle.pieces[name] for name in order.units]
    if others := [p.id for p in pieces if p.kind != "infantry"]:
        return Wrong(f"only infantry pulls things down, and {names(others)} is none", "SP-DMG-03")
    for piece in pieces:
        if why := _out_of_reach(field, order, piece.at, side):
            return Wrong(why, "SP-DMG-03", f"demolish {selector(order.units)} ... beside them")
    return None


def _out_of_reach(field: Field, order: say.Demolish, at: Square, side: Role) -> str:
    if order.what == "wall":
        if field.options.demolition_reach == "own_square":
            return f"the wall {order.at} is no part of {at}"
        if not field.wall(Edge(order.at)):
            return f"no wall stands at {order.at}"
        return "" if at in sides(Edge(order.at)) else f"the wall {order.at} is no edge of {at}"
    if order.what == "equipment":
        return _unserved(field, order.at, at, side)
    stands = field.building(Square(order.at)) if order.what == "building" else field.has_bridge(Square(order.at))
    if not stands:
        return f"no {order.what} stands at {order.at}"
    return "" if at == order.at else f"they stand in {at}, not in {order.at}"


def _unserved(field: Field, name: str, at: Square, side: Role) -> str:
    """Why a gun or limber cannot be broken up by infantry of *side* at a square."""
    thing = field.battle.pieces.get(name)
    if thing is None or thing.square is None or not thing.is_equipment:
        return f"{name} is no gun or limber that you can see"
    if not thing.is_open:
        return f"{name} is no gun or limber that you can see"
    reach = {at}
    if field.options.demolition_reach == "own_square_and_edges":
        reach |= {near for way in ORTHOGONAL if (near := beyond(at, way)) is not None}
    if thing.square not in reach:
        return f"{name} stands at {thing.square}, out of reach from {at}"
    served = any(piece.kind == "crew" for piece in field.at(thing.square, thing.side, "outside"))
    return f"{name} is not unmanned" if served or field.enemy_held(thing.square, side) else ""


@rule("SP-DMG-03")
def demolish(play: Play, side: Role, order: say.Demolish) -> str:
    """Mark stands that pull a thing down; nobody else knows before the points fall, when the guns have fired."""
    play.turn_up([play.piece(name) for name in order.units], "owner", "SP-HID-03")
    set_about = o.OrderPlayed(
        rules=cited("SP-DMG-03"),
        side=side,
        line=order.line,
        result="done",
        text=f"{names(order.units)} set about the {order.what} {order.at}.",
        changes=dict.fromkeys(order.units, Patch(demolishes=f"{order.what} {order.at}")),
    )
    play.tell(replace(set_about, known=owner_only(side)))
    return ""
