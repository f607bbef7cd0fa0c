"""Order lines to begin from.  What would change anything stands behind `#`; what is in force stands as it is.

Sent back whole, a template gives no order that its owner did not write.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from pbem.ground.square import Square, place
from pbem.kernel.names import Role
from pbem.kernel.owed import Call
from pbem.orders.sheet import Line, lines_of, offered
from pbem.systems.st_privat.field.field import Field
from pbem.systems.st_privat.fire.artillery import CARRIED
from pbem.systems.st_privat.fire.policy import DEFAULT, preference
from pbem.systems.st_privat.fire.rifle import why_not
from pbem.systems.st_privat.melee.melee import attackable, fronts
from pbem.systems.st_privat.scene.words import selector
from pbem.systems.st_privat.sheets.reading import read
from pbem.systems.st_privat.turn.setup import lay_out
from pbem.systems.st_privat.world.pieces import Piece

COLUMN = 38
"""Where the second mark of a line stands, if the order is no longer."""

_line = partial(offered, column=COLUMN)


def _groups(field: Field, side: Role, *, hidden: bool = False) -> Iterator[tuple[Square, list[Piece]]]:
    """Own troops that stand together, by square; *hidden*: those that lie face down."""
    squares: dict[tuple[Square, str, str], list[Piece]] = {}
    for piece in field.own(side):
        if piece.square is not None and piece.is_ranked and piece.hidden == hidden:
            squares.setdefault((piece.square, piece.place, piece.kind), []).append(piece)
    for (at, _, _), some in sorted(squares.items(), key=lambda one: (place(one[0][0]), one[0][1:])):
        yield at, sorted(some, key=lambda p: p.slot)


def _movement(field: Field, side: Role) -> Iterator[str]:
    yield "# Movement: take a line's first mark away to give the order."
    for at, some in _groups(field, side):
        form = some[0].formation if len(some) > 1 else "line"
        kind = "cavalry" if some[0].kind == "cavalry" else form
        yield _line(f"move {selector([p.id for p in some])} to ...", f"{at}, {kind} facing {some[0].facing}")
    for gun in field.own(side):
        if gun.is_drawn and not gun.hidden:
            order = f"move {gun.id} to ..." if field.is_limbered(gun) else f"prolong {gun.id} to ..."
            yield _line(order, f"{gun.square}, {'limbered' if field.is_limbered(gun) else 'deployed'}")
    for general in field.own(side):
        if general.kind == "general":
            named = field.scene.generals.get(general.id)
            yield _line(f"move {general.id} to ...", f"{general.square}, {named.name if named else 'general'}")
    if any(p.hidden for p in field.own(side)):
        yield _line("card ID to SQ", "a face-down card, one square inside its town")
    if any(not p.on_table for p in field.own(side)):
        yield _line("siege reveal", "the 24-pounder, hidden")


def _nearest(field: Field, some: Sequence[Piece]) -> Square | None:
    """The square that rifles would choose by themselves as things stand, if any."""
    first, at = some[0], some[0].at
    held = {*field.by_square, *(Square(key.split()[0]) for key in field.battle.cards)}
    able = [one for one in held if why_not(field, first, one) is None]
    return min(able, key=lambda one: preference(field, DEFAULT, at, one, first.side), default=None)


def _fire(field: Field, side: Role) -> Iterator[str]:
    yield "# Fire: without a line, troops face up fire by their policy."
    for at, some in _groups(field, side):
        if some[0].kind == "infantry" and (near := _nearest(field, some)):
            yield _line(f"fire {_at(at, some)} at {near}", "nearest enemy")
    for at, some in _groups(field, side, hidden=True):
        if near := _nearest(field, some):
            yield _line(f"fire {selector([p.id for p in some])} at {near}", f"{at}; cards that fire turn up")
    for gun in field.own(side):
        if gun.is_gun and gun.deployed and not gun.hidden and gun.square:
            yield _line(f"shoot {gun.id} {CARRIED[gun.kind][-1]} at ...", f"{gun.square}, facing {gun.facing}")


def _melee(field: Field, side: Role) -> Iterator[str]:
    yield "# Charges, in the order in which they are to be fought."
    found = False
    for at, some in _groups(field, side):
        ahead = fronts(field, some[0])
        if ahead and attackable(field, ahead, side):
            found = True
            yield _line(f"charge {_at(at, some)} at {ahead}", "looking at it")
    if not found:
        yield _line("charge @SQ at SQ if odds 2-1", "stands beside the square, looking at it")


def _at(at: Square, some: Sequence[Piece]) -> str:
    """Who stands there, as an order names them by their square."""
    return f"@{at}{' in' if some[0].place == 'inside' else ''}"


def _setup(field: Field, side: Role, call: Call) -> Iterator[str]:
    yield "# Set-up: this is the default; change what you like. What you leave out is placed by default."
    layout, _ = lay_out(field.scene, field.battle, side, ())
    kept_free = next((f" at {p.square} " for p in layout.pieces.values() if p.kind == "siege_gun" and p.square), None)
    lines = lines_of(field.scene.setup.get(side, "").strip())
    said = read(field.scene, lines, field.battle, side, call).complaints
    refused = {one.line: one.why for one in said if one.judgement.refuses}
    for number, line in ((one.number, one.text) for one in lines):
        if number in refused:
            yield _line(line, refused[number])
        elif kept_free and kept_free in f"{line} ":
            yield _line(line, "the siege gun stands there, if you do not say otherwise")
        else:
            yield line
    if any(p.kind == "siege_gun" for p in field.battle.pieces.values() if p.side == side):
        zone = field.battle.siege_zone
        yield _line("siege at SQ", f"row {zone.row}, files {zone.files}" if zone else "")


def template(field: Field, side: Role, call: Call | None, reactions: tuple[str, ...]) -> tuple[str, ...]:
    """The lines for what this side may send now."""
    if call is None:
        return ()
    parts: Mapping[str, Callable[[Field, Role], Iterator[str]]] = {
        "setup": partial(_setup, call=call),
        "movement": _movement,
        "fire": _fire,
        "melee": _melee,
    }
    lines = [line for sort in call.sorts if sort in parts for line in (*parts[sort](field, side), "")]
    lines.append("# Standing reactions, in force until you change them.")
    return (*lines, *(_standing(field, side, call, reactions) or ("# initiative second",)))


def _standing(field: Field, side: Role, call: Call, reactions: Sequence[str]) -> tuple[str, ...]:
    """The reactions in force, those behind a mark that would be refused now, for nobody of theirs is there."""
    lines = [Line(number, text) for number, text in enumerate(reactions, start=1)]
    said = read(field.scene, lines, field.battle, side, call).complaints
    refused = {one.line for one in said if one.judgement.refuses}
    return tuple(
        _line(line.text, "stays in force, though nobody is there now") if line.number in refused else line.text
        for line in lines
    )
