"""The GM's language: directives become facts.  The same words serve rulings, scenarios and conformance cases.

place UNITS at SQ [in] [face DIR] [line|column] [hidden] [limbered]
set ID ATTRIBUTE VALUE          an attribute of a piece
set SQ building.damage N        or building.destroyed, bridge.damage, bridge.destroyed
set SQ|SQ wall.damage N         or wall.destroyed
set ATTRIBUTE VALUE             turn, phase, first_mover, vp.SIDE, town_state.TOWN.holder, siege_zone G-L 14
remove ID CAUSE
option NAME VALUE
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeVar, get_args

from msgspec import Struct
from msgspec.structs import replace

from pbem.ground.square import Edge, Square, edge, parse_square
from pbem.kernel.names import Aspect, Role
from pbem.orders.sheet import Line, Reading
from pbem.rules.contract import World
from pbem.rules.directives import BadDirective, Readers, carried_out, number_of, options_with, patched, side_of
from pbem.rules.ledger import rule
from pbem.systems.st_privat.field.field import Field, order_of
from pbem.systems.st_privat.field.streams import home_bank
from pbem.systems.st_privat.march.formation import close_up, left_behind
from pbem.systems.st_privat.play.play import Play
from pbem.systems.st_privat.scene.forces import FRONT
from pbem.systems.st_privat.scene.scene import Scene
from pbem.systems.st_privat.world import outcomes as o
from pbem.systems.st_privat.world.fact import Fact, in_part
from pbem.systems.st_privat.world.game import Damage, Structure, Zone
from pbem.systems.st_privat.world.options import parse_options
from pbem.systems.st_privat.world.patches import GamePatch, Patch, StructurePatch, damaged
from pbem.systems.st_privat.world.pieces import ENEMY, FACINGS, FIGURES, GUNS, SIDES, Cards, Cause, Piece
from pbem.systems.st_privat.world.state import Battle, evolve

Kept = TypeVar("Kept", bound=Struct)

FORMS = {
    "place": "place p1+p2 at Q-10 face s line",
    "set": "set p1 men 2",
    "remove": "remove p1 killed",
    "option": "option cards_zoc real",
}
"""Each directive by an example."""


def direct(
    scene: Scene, world: World[Battle, Battle], lines: Sequence[Line], known: Mapping[Role, Aspect]
) -> Reading[Fact]:
    """Directives into facts, known to the roles that *known* marks, or to all whom they concern."""
    play = Play.ruled(scene, world)
    play.known, play.watching = known, world.minds
    complaints = carried_out(lines, VERBS, FORMS, lambda verb, text, words: verb(play, words, text))
    return Reading(tuple(play.facts), complaints)


def _rule(
    play: Play,
    text: str,
    *,
    changes: dict[str, Patch] | None = None,
    structures: StructurePatch | None = None,
    game: GamePatch | None = None,
) -> None:
    """Record a ruling, with what the sides see of it: open pieces as they now are, cards by their number."""
    fact = o.Ruling(text=text, effect=text, changes=changes or {}, structures=structures, game=game)
    before, after = play.battle, evolve(play.battle, fact)
    touched = [after.pieces[name] for name in fact.changes]
    secret = tuple(p.id for p in touched if not p.is_open)
    if secret:
        fact = replace(fact, known=in_part(touched[0].side), secret=secret, text="", effect="")
    shows = tuple(p for p in touched if p.id not in secret and p.square is not None)
    cards: dict[str, Cards] = {}
    for name in fact.changes:
        for battle in (before, after):
            at, side = battle.pieces[name].square, battle.pieces[name].side
            if at is not None and (before.pieces[name].hidden or after.pieces[name].hidden):
                cards |= Field(play.scene, after).shown_cards(at, side)
    play.tell(replace(fact, shows=shows, cards=cards))


# ------------------------------------------------------------------ place


def _place(play: Play, words: Sequence[str], text: str) -> None:
    found = re.fullmatch(
        r"(?P<units>\S+) at (?P<at>\S+)(?P<rest>(?: (?:in|face \w+|line|column|hidden|limbered))*)",
        " ".join(words).lower(),
    )
    if not found:
        raise BadDirective("it reads: place UNITS at SQ [in] [face DIR] [line|column] [hidden] [limbered]")
    rest = found["rest"].split()
    at = _square(play, found["at"])
    pieces = _section(play, [_piece(play, name) for name in found["units"].split("+")], limbered="limbered" in rest)
    side = pieces[0].side
    wanted = rest[rest.index("face") + 1] if "face" in rest else FRONT[side]
    facing = next((way for way in FACINGS if way == wanted), None)
    if facing is None:
        raise BadDirective(f'"{wanted}" is no facing; there are {", ".join(FACINGS)}')
    inside = "in" in rest
    there = [
        p for p in play.field.at(at, side, "inside" if inside else "outside") if p.id not in {q.id for q in pieces}
    ]
    taken = {kind: sum(p.kind == kind for p in there) for kind in ("infantry", "cavalry")}
    changes: dict[str, Patch] = {}
    for piece in pieces:
        taken[piece.kind] = taken.get(piece.kind, 0) + 1
        hidden = piece.kind == "dummy" or ("hidden" in rest and piece.kind != "siege_gun" and piece.side == "french")
        changes[piece.id] = Patch(
            square=at,
            place="inside" if inside else "outside",
            facing=None if piece.kind == "general" else facing,
            formation="column" if "column" in rest and piece.kind == "infantry" else "line",
            slot=taken[piece.kind] if piece.is_ranked else 1,
            hidden=hidden,
            removed=None,
            deployed=piece.is_gun and "limbered" not in rest,
            emplaced=at if piece.kind == "siege_gun" else None,
            on_table=not ("hidden" in rest and side == "prussian"),
            bank=home_bank(play.field, at, side),
            ford_wait=None,
            ford_owed=False,
        )
        if piece.removed is not None and piece.kind in FIGURES and not piece.left:
            attribute, whole = FIGURES[piece.kind]
            changes[piece.id] = replace(changes[piece.id], **{attribute: whole})
    _rule(play, text, changes={**_left(play.field, pieces), **changes})


@rule("SP-FOR-05")
def _left(field: Field, pieces: Sequence[Piece]) -> dict[str, Patch]:
    """How those close up whom pieces leave that the GM takes elsewhere."""
    groups: dict[tuple[Square, str, str], list[Piece]] = {}
    for piece in pieces:
        if piece.square is not None:
            groups.setdefault((piece.square, piece.place, piece.kind), []).append(piece)
    return {name: patch for group in groups.values() for name, patch in left_behind(field, group).items()}


def _section(play: Play, pieces: list[Piece], *, limbered: bool) -> list[Piece]:
    """A gun named alone brings its crew, and its limber and team if it is limbered."""
    whole: dict[str, Piece] = {}
    for piece in pieces:
        whole[piece.id] = piece
        names = [piece.crew_id, *((piece.limber_id, piece.team_id) if limbered else ())] if piece.is_gun else []
        for name in names:
            if name:
                whole.setdefault(name, play.piece(name))
    return list(whole.values())


# ------------------------------------------------------------------ set


def _set(play: Play, words: Sequence[str], text: str) -> None:
    if len(words) < 2:
        raise BadDirective("it reads: set ID ATTRIBUTE VALUE, or: set ATTRIBUTE VALUE")
    if len(words) == 3 and (words[0].lower() in play.battle.pieces or words[1].lower() in Patch.__struct_fields__):
        _set_piece(play, _piece(play, words[0]), words[1].lower(), words[2], text)
    elif "|" in words[0] and len(words) == 3:
        _set_structure(play, _edge(play, words[0]), ("wall",), words[1], words[2], text)
    elif parse_square(words[0]) is not None and len(words) == 3:
        _set_structure(play, _square(play, words[0]), ("building", "bridge"), words[1], words[2], text)
    else:
        _rule(play, text, game=_game(play, words[0].lower(), words[1:]))


def _set_piece(play: Play, piece: Piece, attribute: str, value: str, text: str) -> None:
    readers: Readers = dict.fromkeys(("square", "emplaced"), partial(_square, play))
    patch = patched(Patch, attribute, value, readers, "a piece")
    counted, whole = FIGURES.get(piece.kind, ("", 0))
    if attribute == counted and not 0 <= getattr(patch, attribute) <= whole:
        raise BadDirective(f"{piece.id} has {whole} {attribute} at most; with none left: remove {piece.id} killed")
    _rule(play, text, changes={piece.id: patch})


def _set_structure(play: Play, at: str, kinds: Sequence[Structure], attribute: str, value: str, text: str) -> None:
    """Set the damage of a structure of one of the *kinds* that may stand at a square or edge."""
    thing, _, part = attribute.lower().partition(".")
    kind = next((one for one in kinds if one == thing), None)
    if kind is None or part not in Damage.__struct_fields__:
        raise BadDirective(f'"{attribute}" is not {kinds[0]}.damage or {kinds[0]}.destroyed')
    now = _with(play.field.damage(kind, at), part, value, f"a {kind}")
    _rule(play, text, structures=damaged(kind, at, now))


def _with(now: Kept, attribute: str, value: str, of: str) -> Kept:
    """A part of the state with one attribute of it set."""
    return replace(now, **{attribute: getattr(patched(type(now), attribute, value, {}, of), attribute)})


def _game(play: Play, attribute: str, values: Sequence[str]) -> GamePatch:
    battle, (head, *parts), value = play.battle, attribute.split("."), values[0]
    match head, parts:
        case "first_mover" | "second_mover", []:
            side = side_of(value, SIDES)
            first = side if head == "first_mover" else ENEMY[side]
            return GamePatch(first_mover=first, second_mover=ENEMY[first])
        case "vp", [name]:
            return GamePatch(vp=_with(battle.vp, side_of(name, SIDES), value, "the score"))
        case "town_state", [town, part] if town in battle.town_state:
            return GamePatch(town_state={town: _with(battle.town_state[town], part, value, "a town")})
        case "siege_zone", [] if len(values) == 2:
            return GamePatch(siege_zone=Zone(value.upper(), number_of(values[1], 1, play.scene.board.rows)))
        case "turn" | "phase", []:
            return patched(GamePatch, head, value, {}, "the game")
        case "squares_attacked" | "squares_fired_rifle" | "squares_fired_artillery", []:
            return patched(GamePatch, head, " ".join(values), {head: partial(_square, play)}, "the game")
    raise BadDirective(
        f'"{attribute}" is no attribute of the game; there are turn, phase, first_mover, vp.SIDE, '
        "town_state.TOWN.holder, town_state.TOWN.points_awarded, siege_zone, squares_attacked"
    )


# ------------------------------------------------------------------ remove, option


def _remove(play: Play, words: Sequence[str], text: str) -> None:
    if len(words) != 2:
        raise BadDirective("it reads: remove ID CAUSE")
    piece, causes = _piece(play, words[0]), get_args(Cause)
    if words[1].lower() not in causes:
        raise BadDirective(f'"{words[1]}" is no cause; there are {", ".join(causes)}')
    _rule(play, text)
    if piece.kind in (*GUNS, "crew"):
        # They lie under one card: if one of them goes the other lies open.
        play.turn_up([piece], "removed")
    play.remove(play.piece(piece.id), causes[causes.index(words[1].lower())])
    close_up(play)


def _option(play: Play, words: Sequence[str], text: str) -> None:
    _rule(play, text, game=GamePatch(options=options_with(parse_options, play.battle.options, words)))


VERBS: dict[str, Callable[[Play, Sequence[str], str], None]] = {
    "place": _place,
    "set": _set,
    "remove": _remove,
    "option": _option,
}


# ------------------------------------------------------------------ names


NAMED = 16
"""Of the pieces that there are, so many are named where one is not."""


def _piece(play: Play, name: str) -> Piece:
    try:
        return play.battle.pieces[name.lower()]
    except KeyError:
        known = sorted(play.battle.pieces.values(), key=order_of)
        near = [p.id for p in known if p.id[:1] == name[:1].lower()] or [p.id for p in known]
        some = ", ".join(near[:NAMED]) + (" …" if len(near) > NAMED else "")
        raise BadDirective(f"there is no unit {name}; there are {some}") from None


def _square(play: Play, text: str) -> Square:
    at = parse_square(text)
    if at is None or at not in play.scene.board:
        raise BadDirective(f'"{text}" is no square of the board')
    return at


def _edge(play: Play, text: str) -> Edge:
    one, _, other = text.partition("|")
    border = edge(_square(play, one), _square(play, other))
    if border not in play.scene.walls:
        raise BadDirective(f"there is no wall at {border}")
    return border
