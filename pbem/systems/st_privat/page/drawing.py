"""What one side knows, on the map: bodies of troops, cards, moves, fire, losses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Literal, get_args

from msgspec.structs import replace

from pbem.ground.picture import Block, Box, Certainty, Face, Mark, Picture, Point, SideStyle, Track
from pbem.ground.square import BEARING, Square, distance, place
from pbem.kernel.names import Role
from pbem.rules.lately import lately, recently
from pbem.systems.st_privat.field.field import Field
from pbem.systems.st_privat.field.ranks import cells, formation_of
from pbem.systems.st_privat.page.landscape import box_round, ground_of, middle
from pbem.systems.st_privat.scene.scene import Scene
from pbem.systems.st_privat.scene.words import DIRECTIONS, names, tag
from pbem.systems.st_privat.world.options import Options
from pbem.systems.st_privat.world.pieces import ENEMY, FIGURES, SIDES, Facing, Piece
from pbem.systems.st_privat.world.state import Battle, Trace

GunSign = Literal["gun", "mitrailleuse", "siege_gun"]
GUN_SIGNS: dict[str, GunSign] = {"field_gun": "gun", "mitrailleuse": "mitrailleuse", "siege_gun": "siege_gun"}
STAFF: dict[bool, Literal["chief", "general"]] = {True: "chief", False: "general"}
Went = Literal["move", "retreat", "rifle", "artillery"]
WENT: tuple[Went, ...] = get_args(Went)
"""What leaves a track from one square to another."""
WIDEST = 9
"""Squares that an enlargement shows at most, each way."""


def style(scene: Scene, side: Role) -> SideStyle:
    """How a side is drawn."""
    return scene.commander(side).style


def _bearing(facing: Facing | None) -> int:
    return BEARING[facing] if facing else 0


def _looking(facing: Facing | None) -> str:
    return f" facing {DIRECTIONS[facing]}" if facing else ""


def _block_at(field: Field, at: Square, side: Role, viewer: Role) -> partial[Block]:
    """What makes a block of a side's in a square."""
    return partial(Block, side=style(field.scene, side), at=middle(field.scene, at), own=side == viewer)


def _troops(block: partial[Block], field: Field, at: Square, side: Role) -> Iterator[Block]:
    """Infantry and cavalry, face up, by group."""
    for kind in ("infantry", "cavalry"):
        for where in ("outside", "inside"):
            group = [p for p in field.group(at, side, where, kind) if not p.hidden]
            if group:
                men = FIGURES[group[0].kind][1]
                yield block(
                    "infantry" if kind == "infantry" else "cavalry",
                    label=tag(p.id for p in group),
                    words=f"{names(p.id for p in group)} in {formation_of(group)}{_looking(group[0].facing)}",
                    bearing=_bearing(group[0].facing),
                    ranks=cells(group, field.options.line_frontage, men),
                    inside=where == "inside",
                    parts=tuple(p.id for p in group),
                )


def _guns(block: partial[Block], field: Field, at: Square, side: Role) -> Iterator[Block]:
    """Guns with their crews, and crews, limbers and teams that stand by themselves."""
    here = [p for p in field.at(at, side) if not p.hidden]
    served: set[str] = set()
    for gun in [p for p in here if p.is_gun]:
        crew = field.crew_of(gun)
        limbered = field.is_limbered(gun)
        train = {p.id for p in here} & {gun.limber_id, gun.team_id}
        served |= {crew.id if crew else "", *train}
        state = "limbered" if limbered else "unlimbered" if crew else "unmanned"
        yield block(
            GUN_SIGNS[gun.kind],
            label=gun.id,
            words=f"{gun.id} {state}{_looking(gun.facing)}" + ("" if gun.on_table else ", hidden"),
            bearing=_bearing(gun.facing),
            count=crew.men if crew else 0,
            limbered=limbered,
            limber=gun.limber_id in train,
            parts=(gun.id,),
        )
    for piece in here:
        if piece.kind in ("crew", "limber") and piece.id not in served:
            yield block(
                "crew" if piece.kind == "crew" else "limber",
                label=piece.id,
                words=f"{piece.id} alone",
                bearing=_bearing(piece.facing),
                count=piece.men,
                inside=piece.place == "inside",
                parts=(piece.id,),
            )


def _generals(block: partial[Block], field: Field, at: Square, side: Role) -> Iterator[Block]:
    for piece in field.at(at, side):
        if piece.kind == "general":
            named = field.scene.generals.get(piece.id)
            yield block(
                STAFF[piece.c_in_c],
                label=piece.id,
                words=f"{named.name} ({piece.id})" if named else piece.id,
                inside=piece.place == "inside",
                parts=(piece.id,),
            )


def _own_cards(block: partial[Block], field: Field, at: Square, side: Role) -> Iterator[Block]:
    """Face-down cards as their owner sees them: what they are under the lattice."""
    for where in ("outside", "inside"):
        down = [p for p in field.at(at, side, where) if field.is_card(p)]
        faces: dict[Face | None, list[Piece]] = {}
        for piece in down:
            faces.setdefault(_face(piece), []).append(piece)
        for face, some in faces.items():
            yield block(
                "own_card" if face else "dummy_card",
                words=f"{names(p.id for p in some)}{_cards_in_words(face, some)}{_looking(some[0].facing)}",
                bearing=_bearing(some[0].facing),
                count=len(some),
                face=face,
                inside=where == "inside",
                parts=tuple(p.id for p in some),
            )


def _cards_in_words(face: Face | None, some: Sequence[Piece]) -> str:
    if face:
        return " face down"
    return ", dummies," if len(some) > 1 else ", a dummy,"


def _face(piece: Piece) -> Face | None:
    if piece.kind == "dummy":
        return None
    return GUN_SIGNS.get(piece.kind, "infantry") if piece.kind != "siege_gun" else "gun"


def _enemy_cards(scene: Scene, battle: Battle, viewer: Role) -> Iterator[Block]:
    for key, shown in battle.cards.items():
        at, where = key.split()
        yield Block(
            "card",
            style(scene, ENEMY[viewer]),
            middle(scene, Square(at)),
            words=f"{shown.count} face-down card{'s' if shown.count > 1 else ''}{_looking(shown.facing)}",
            bearing=_bearing(shown.facing),
            count=shown.count,
            inside=where == "inside",
        )


def _ghosts(scene: Scene, battle: Battle, viewer: Role) -> Iterator[Block]:
    """Enemies out of sight, where they were last seen (SP-OPT-01)."""
    for name in sorted(battle.ghosts):
        piece, turn = battle.ghosts[name]
        if piece.square is None:
            continue
        men = FIGURES.get(piece.kind, ("", 1))[1]
        kind: Literal["infantry", "cavalry", "marker"] = (
            "infantry" if piece.kind == "infantry" else "cavalry" if piece.kind == "cavalry" else "marker"
        )
        yield Block(
            kind,
            style(scene, ENEMY[viewer]),
            middle(scene, piece.square),
            label=piece.id,
            words=f"{piece.id}, last seen in turn {turn}",
            bearing=_bearing(piece.facing),
            ranks=cells([piece], 1, men) if kind != "marker" else (),
            certainty=_age(battle.turn - turn),
            parts=(piece.id,),
        )


def _age(turns: int) -> Certainty:
    return "now" if turns <= 0 else "recent" if turns == 1 else "old" if turns <= 3 else "stale"


def blocks(field: Field, viewer: Role) -> Iterator[Block]:
    """Everything that stands on the field, as *viewer* knows it."""
    for at in sorted(field.by_square, key=place):
        yield from _stand(field.scene, field.options, viewer, field.by_square[at])
    yield from _enemy_cards(field.scene, field.battle, viewer)
    yield from _ghosts(field.scene, field.battle, viewer)


@recently(1024)
def _stand(scene: Scene, options: Options, viewer: Role, here: tuple[Piece, ...]) -> tuple[Block, ...]:
    """What stands in one square, by nothing but the pieces that are there."""
    pieces = {piece.id: piece for piece in here}
    field, at = Field(scene, Battle(options=options, pieces=pieces, numbers=scene.numbers)), here[0].at
    found: list[Block] = []
    for side in SIDES:
        block = _block_at(field, at, side, viewer)
        found += _troops(block, field, at, side)
        found += _guns(block, field, at, side)
        found += _generals(block, field, at, side)
        if side == viewer:
            found += _own_cards(block, field, at, side)
    return tuple(found)


def _tracks(scene: Scene, traces: Sequence[Trace]) -> Iterator[Track]:
    """Moves along the same path once; fire from a square at a square once."""
    drawn: dict[tuple[Went, Role, tuple[Square, ...]], list[str]] = {}
    for trace in traces:
        if (kind := next((one for one in WENT if one == trace.kind), None)) and len(trace.squares) > 1:
            drawn.setdefault((kind, trace.side, trace.squares), []).extend(trace.units)
    for (kind, side, squares), units in drawn.items():
        who = names(units) if units else "fire"
        points = tuple(middle(scene, at) for at in squares)
        words = f"{who}: {squares[0]} to {squares[-1]}"
        yield Track(kind, style(scene, side), points, words, of=tuple(dict.fromkeys(units)))


def _marks(scene: Scene, traces: Sequence[Trace]) -> Iterator[Mark]:
    for target in dict.fromkeys(t.squares[-1] for t in traces if t.kind == "melee"):
        start = next(t.squares[0] for t in traces if t.kind == "melee" and t.squares[-1] == target)
        (ax, ay), (bx, by) = middle(scene, start), middle(scene, target)
        yield Mark("melee", ((ax + bx) // 2, (ay + by) // 2), words=f"Melee at {target}")
    lost: dict[tuple[Square, Role], int] = {}
    for trace in traces:
        if trace.kind == "losses":
            key = (trace.squares[0], trace.side)
            lost[key] = lost.get(key, 0) + trace.figures
    for at in dict.fromkeys(at for at, _ in lost):
        parts = {side: lost.get((at, side), 0) for side in SIDES}
        words = ", ".join(f"{count} {side.capitalize()}" for side, count in parts.items() if count)
        yield Mark("losses", middle(scene, at), sum(parts.values()), f"Lost at {at}: {words}")


def focus(scene: Scene, traces: Sequence[Trace]) -> tuple[Box, Square] | None:
    """The box round this turn's combats and a margin, and its middle of weight; None if nothing happened."""
    weights: dict[Square, int] = {}
    for trace in traces:
        worth = {"melee": 6, "losses": 2 * trace.figures, "rifle": 1, "artillery": 1}.get(trace.kind, 0)
        for at in trace.squares if worth else ():
            weights[at] = weights.get(at, 0) + worth
    if not weights:
        return None
    heaviest = min(weights, key=lambda at: (-weights[at], place(at)))
    near = {at for at in weights if distance(at, heaviest) < WIDEST // 2}
    return box_round(scene, near), heaviest


def picture(field: Field, viewer: Role, turn: int) -> Picture:
    """The map of one side at the end of an exchange of *turn*."""
    scene, battle = field.scene, field.battle
    traces = [trace for trace in battle.traces if trace.turn == turn]
    found = focus(scene, traces)
    standing = tuple(blocks(field, viewer))
    foot = "The side of the board that you defend is at the foot." if style(scene, viewer) == "first" else ""
    commander = scene.commander(viewer)
    return replace(
        ground_of(scene, battle),
        title=f"The field in turn {turn}" if turn else "The field at set-up",
        whose=f"as known to the {commander.name} commander",
        sides=(
            next(one.name for one in scene.commanders if one.style == "first"),
            next(one.name for one in scene.commanders if one.style == "second"),
        ),
        blocks=standing,
        tracks=tuple(_tracks(scene, traces)),
        marks=tuple(_marks(scene, traces)),
        focus=found[0] if found else None,
        caption=f"Row {scene.board.rows} is at the top.  {foot}  Rings and arrows show the moves of the turn; a star "
        "gives the figures lost in that square.".replace("  ", " "),
        focus_caption=f"The fighting round {found[1]}, enlarged." if found else "",
        words=tuple(in_words(field, viewer, standing)),
    )


def in_words(field: Field, viewer: Role, standing: Sequence[Block]) -> Iterator[tuple[str, str]]:
    """The map in words: the towns, then each side in the open, square by square."""
    scene = field.scene
    named = _squares_of(scene)
    by_square: dict[Square, list[Block]] = {}
    for block in standing:
        by_square.setdefault(named[block.at], []).append(block)
    told: set[Square] = set()
    for town in scene.towns.values():
        told |= set(town.squares)
        text = _squares_in_words(scene, town.squares, by_square)
        if text:
            yield town.name, text
    rest = sorted((at for at in by_square if at not in told), key=lambda at: (place(at)[1], place(at)[0]))
    for heading, own in (("Your troops in the open", True), ("The enemy in the open", False)):
        mine = {at: [b for b in by_square[at] if b.own == own] for at in rest}
        text = _squares_in_words(scene, rest, {at: some for at, some in mine.items() if some})
        if text:
            yield heading, text


@lately(2)
def _squares_of(scene: Scene) -> dict[Point, Square]:
    """The squares of the board by their middles."""
    return {middle(scene, at): at for at in scene.ground}


def _squares_in_words(scene: Scene, squares: Sequence[Square], found: Mapping[Square, Sequence[Block]]) -> str:
    parts = []
    for at in squares:
        if here := found.get(at):
            house = scene.houses.get(at, "")
            inside = [f"inside {b.words}" for b in here if b.inside]
            outside = [b.words for b in here if not b.inside]
            text = "; ".join([*inside, *outside])
            parts.append(f"{at}{f' ({house})' if house else ''}: {text}.")
    return " ".join(parts)
