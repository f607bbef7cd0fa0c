"""How a line becomes an order; the place of each of its words is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from pbem.ground.square import ORTHOGONAL, Board, Square, direction, edge, parse_square
from pbem.orders.grammar import Node, Word, bare, words_in
from pbem.orders.refusal import BadWord, Wrong, complaint
from pbem.orders.sheet import Complaint, Judgement, Line, Order
from pbem.systems.st_privat.world import orders as say
from pbem.systems.st_privat.world.language import GRAMMAR, Draft
from pbem.systems.st_privat.world.pieces import Facing, Formation, Place

MOST = {"advance": 4, "limber": 3}
"""The largest number that may stand in an order."""


class _Sentence:
    """The words of one line, being read."""

    def __init__(self, board: Board, line: Line, tree: Node[Word]) -> None:
        self.board, self.line, self.tree = board, line, tree
        self.spots: dict[str, Word] = {}
        self.options = [one for one in tree.children if isinstance(one, Node)]
        """All parts of the order that are more than a word."""
        self._by_name = {str(one.data): one for one in self.options}

    # ------------------------------------------------------------ parts

    def tokens(self, kind: str) -> list[Word]:
        """The words of one kind that stand in the order itself."""
        return [one for one in self.tree.children if isinstance(one, Word) and one.type == kind]

    def token(self, *kinds: str) -> Word:
        """The one word of these kinds that stands in the order itself."""
        return next(one for one in self.tree.children if isinstance(one, Word) and one.type in kinds)

    def option(self, name: str) -> Node[Word] | None:
        """An option of that name; the last, if it stands twice."""
        return self._by_name.get(name)

    def has(self, name: str) -> bool:
        """Whether an option of that name stands in the order."""
        return self.option(name) is not None

    def word(self, name: str) -> str | None:
        """The first word of an option."""
        node = self.option(name)
        found = [one for one in node.children if isinstance(one, Word)] if node is not None else []
        if not found:
            return None
        self.spots[name] = found[0]
        return str(found[0]).lower()

    def facing(self, name: str) -> Facing | None:
        """The direction of an option."""
        found = self.word(name)
        return None if found is None else _facing(found)

    def shape(self, name: str) -> Formation | None:
        """The formation of an option."""
        found = self.word(name)
        return None if found is None else _shape(found)

    @property
    def inside(self) -> Place:
        """`in` the building, or outside."""
        own = any(isinstance(one, Word) and one.type == "IN" for one in self.tree.children)
        return "inside" if own or self.has("inside") else "outside"

    @property
    def where(self) -> Place | None:
        """`in`, `out`, or not said."""
        return "inside" if self.has("inside") else "outside" if self.has("outside") else None

    # ------------------------------------------------------------ squares and pieces

    def at(self, token: Word, spot: str = "square") -> Square:
        """A square of the board."""
        self.spots[spot] = token
        found = parse_square(token)
        if found is None or found not in self.board:
            files_, rows = self.board.files, self.board.rows
            last = f"{chr(ord('A') + files_ - 1)}-{rows}"
            raise BadWord(Wrong(f"the board has no square {token.upper()}; it goes from A-1 to {last}"), token)
        return found

    def row(self, found: Iterable[Word], spot: str) -> tuple[Square, ...]:
        """Squares one after another; their spots are numbered from 0."""
        return tuple(self.at(token, f"{spot}.{index}") for index, token in enumerate(found))

    def square_of(self, name: str) -> Square | None:
        """The square of an option."""
        node = self.option(name)
        found = words_in(node, "SQUARE") if node is not None else []
        return self.at(found[0], name) if found else None

    @property
    def square(self) -> Square:
        """The square of the order itself."""
        return self.at(self.token("SQUARE"))

    @property
    def id(self) -> str:
        """The piece of the order itself."""
        token = self.token("ID")
        self.spots["units"] = self.spots["units.0"] = token
        return token.lower()

    @property
    def units(self) -> tuple[str, ...]:
        """Selectors as the state keeps them: `p1`, `@J-10`, `@J-10 in`, `all`."""
        node = self.option("units")
        if node is None:
            if said := self.tokens("ALL"):
                self.spots["units"] = said[0]
            return ("all",)
        found = []
        for index, unit in enumerate(one for one in node.children if isinstance(one, Node)):
            parts = [one for one in unit.children if isinstance(one, Word)]
            self.spots.setdefault("units", parts[0])
            self.spots[f"units.{index}"] = parts[0]
            name = parts[0].lower()
            if parts[0].type == "SQUARE":
                name = f"@{self.at(parts[0], f'units.{index}')}{' in' if len(parts) > 1 else ''}"
            found.append(name)
        return tuple(dict.fromkeys(found))

    def number(self, kind: str) -> int:
        """The number of the order itself."""
        token = self.token("NUMBER")
        self.spots["number"] = token
        if not 1 <= int(token) <= MOST[kind]:
            raise BadWord(Wrong(f"the number is from 1 to {MOST[kind]}"), token)
        return int(token)

    @property
    def head(self) -> tuple[int, str]:
        """The line's number, and its text with blanks drawn together."""
        return self.line.number, " ".join(bare(self.line.text).split())


def _facing(text: str) -> Facing:
    return next(way for way in ("n", "e", "s", "w") if way == text)


def _shape(text: str) -> Formation:
    return "column" if text == "column" else "line"


# ------------------------------------------------------------------ one function for each kind of order


def _place(told: _Sentence) -> Order:
    line, text = told.head
    return say.PlaceUnits(
        line=line,
        text=text,
        units=told.units,
        square=told.square,
        place=told.inside,
        facing=told.facing("face"),
        formation=told.shape("formed"),
    )


def _dummy(told: _Sentence) -> Order:
    line, text = told.head
    return say.PutDummy(
        line=line, text=text, id=told.id, square=told.square, place=told.inside, facing=told.facing("face")
    )


def _siege_at(told: _Sentence) -> Order:
    line, text = told.head
    faced = [one for one in told.tree.children if isinstance(one, Word) and one.type in ("N", "E", "S", "W")]
    return say.SiegeAt(line=line, text=text, square=told.square, facing=_facing(faced[0].lower()) if faced else None)


def _move(told: _Sentence) -> Order:
    line, text = told.head
    way = told.option("via")
    turns = []
    for index, turn in enumerate(one for one in told.options if one.data == "turn_at"):
        found = [one for one in turn.children if isinstance(one, Word)]
        turns.append(say.TurnAt(_facing(found[0].lower()), told.at(found[1], f"turn_at.{index}")))
    return say.Move(
        line=line,
        text=text,
        units=told.units,
        via=told.row(words_in(way, "SQUARE"), "via") if way is not None else (),
        to=told.square_of("to"),
        turn=told.facing("turn_first"),
        turns=tuple(turns),
        form=told.shape("form_first"),
        form_at_end=told.shape("form_at_end"),
        face=told.facing("face"),
        place=told.inside,
        limber=told.has("limber_first"),
        unlimber=told.facing("unlimber_at_end"),
        exit=told.has("exit_at_end"),
    )


def _turn(told: _Sentence) -> Order:
    line, text = told.head
    return say.Turn(line=line, text=text, units=told.units, facing=_facing(told.token("N", "E", "S", "W").lower()))


def _form(told: _Sentence) -> Order:
    line, text = told.head
    ranks = told.option("ranks")
    order = tuple(token.lower() for token in words_in(ranks, "ID")) if ranks is not None else ()
    if ranks is not None:
        told.spots["ranks"] = words_in(ranks, "ID")[0]
    at, place = told.square, told.inside
    told.spots["units"] = told.spots["units.0"] = told.token("SQUARE")
    return say.Form(
        line=line,
        text=text,
        units=(f"@{at}{' in' if place == 'inside' else ''}",),
        square=at,
        place=place,
        formation=_shape(told.token("LINE", "COLUMN").lower()),
        order=order,
        facing=told.facing("face"),
    )


def _unlimber(told: _Sentence) -> Order:
    line, text = told.head
    return say.Unlimber(line=line, text=text, gun=told.id, facing=_facing(told.token("N", "E", "S", "W").lower()))


def _prolong(told: _Sentence) -> Order:
    line, text = told.head
    faced = [one for one in told.tree.children if isinstance(one, Word) and one.type in ("N", "E", "S", "W")]
    facing = _facing(faced[0].lower()) if faced else None
    return say.Prolong(line=line, text=text, gun=told.id, square=told.square, facing=facing)


def _card(told: _Sentence) -> Order:
    line, text = told.head
    return say.MoveCard(
        line=line, text=text, id=told.id, square=told.square, place=told.inside, facing=told.facing("face")
    )


def _demolish(told: _Sentence) -> Order:
    line, text = told.head
    what = str(told.tree.data).removeprefix("demolish_")
    units = told.units
    if what == "equipment":
        token = told.token("ID")
        told.spots["square"] = token
        return say.Demolish(line=line, text=text, units=units, what="equipment", at=token.lower())
    squares = told.row(told.tokens("SQUARE"), "at")
    told.spots["square"] = told.tokens("SQUARE")[0]
    if what != "wall":
        stone = told.tree.data == "demolish_bridge"
        return say.Demolish(line=line, text=text, units=units, what="bridge" if stone else "building", at=squares[0])
    if direction(squares[0], squares[1]) not in ORTHOGONAL:
        raise BadWord(Wrong(f"{squares[0]} and {squares[1]} are not side by side"), told.tokens("SQUARE")[1])
    return say.Demolish(line=line, text=text, units=units, what="wall", at=edge(squares[0], squares[1]))


def _fire(told: _Sentence) -> Order:
    line, text = told.head
    return say.Fire(
        line=line,
        text=text,
        units=told.units,
        square=told.square,
        place=told.where,
        otherwise=told.square_of("otherwise"),
    )


def _shoot(told: _Sentence) -> Order:
    line, text = told.head
    load = told.token("SHOT", "SHELL", "MG", "SIEGE")
    told.spots["ammunition"] = load
    named = next(kind for kind in ("shot", "shell", "mg", "siege") if kind == load.lower())
    return say.Shoot(
        line=line,
        text=text,
        gun=told.id,
        ammunition=named,
        square=told.square,
        place=told.where,
        aim="structure" if told.has("structure") else "equipment" if told.has("equipment") else "troops",
        equipment=told.word("equipment") or "",
        turn=told.facing("turn_first"),
        danger=told.has("danger"),
    )


def _charge(told: _Sentence) -> Order:
    line, text = told.head
    return say.Charge(
        line=line,
        text=text,
        units=told.units,
        square=told.square,
        general=told.word("general") or "",
        if_odds=told.word("odds") or "",
        after=told.square_of("after"),
    )


def _list(told: _Sentence) -> tuple[str, ...]:
    """A list of squares and words, in the order written."""
    words = [one for one in told.tree.children if isinstance(one, Word) and one.type != "ALL"]
    return tuple(
        told.at(one, f"list.{index}") if one.type == "SQUARE" else one.lower() for index, one in enumerate(words)
    )


def _retreat(told: _Sentence) -> Order:
    line, text = told.head
    look = told.word("look")
    return say.Retreat(
        line=line,
        text=text,
        units=told.units,
        toward=_list(told),
        form=told.shape("form_at_end"),
        face=None if look is None else "away" if look == "away" else "enemy",
    )


def _advance(told: _Sentence) -> Order:
    line, text = told.head
    far = 0 if told.tokens("NONE") else told.number("advance")
    return say.Advance(line=line, text=text, units=told.units, squares=far, via=told.row(told.tokens("SQUARE"), "via"))


def _targets(told: _Sentence) -> Order:
    line, text = told.head
    return say.Targets(line=line, text=text, units=told.units, words=_list(told))


def _initiative(told: _Sentence) -> Order:
    line, text = told.head
    return say.Initiative(line=line, text=text, choice="first" if told.tokens("FIRST") else "second")


_Units = type[
    say.Show | say.Command | say.Enter | say.Leave | say.Exit | say.Hold | say.HoldFire | say.Losses | say.Reveal
]


def _of_units(kind: _Units) -> Callable[[_Sentence], Order]:
    def read(told: _Sentence) -> Order:
        line, text = told.head
        return kind(line=line, text=text, units=told.units)

    return read


def _of_gun(kind: type[say.Limber | say.Man]) -> Callable[[_Sentence], Order]:
    def read(told: _Sentence) -> Order:
        line, text = told.head
        return kind(line=line, text=text, gun=told.id)

    return read


def _bare(kind: type[say.SiegeReveal | say.Reset | say.ShowOrders]) -> Callable[[_Sentence], Order]:
    def read(told: _Sentence) -> Order:
        line, text = told.head
        return kind(line=line, text=text)

    return read


_READ: Mapping[str, Callable[[_Sentence], Order]] = {
    "place": _place,
    "limbered": lambda s: say.PutSection(line=s.head[0], text=s.head[1], gun=s.id, limber=s.number("limber")),
    "deployed": lambda s: say.PutSection(line=s.head[0], text=s.head[1], gun=s.id),
    "dummy": _dummy,
    "show": _of_units(say.Show),
    "show_orders": _bare(say.ShowOrders),
    "siege_at": _siege_at,
    "siege_reveal": _bare(say.SiegeReveal),
    "command": _of_units(say.Command),
    "cinc": lambda s: say.Cinc(line=s.head[0], text=s.head[1], id=s.id),
    "move": _move,
    "turn": _turn,
    "form": _form,
    "enter": _of_units(say.Enter),
    "leave": _of_units(say.Leave),
    "limber": _of_gun(say.Limber),
    "unlimber": _unlimber,
    "prolong": _prolong,
    "detach": lambda s: say.Detach(line=s.head[0], text=s.head[1], gun=s.id, place=s.inside),
    "man": _of_gun(say.Man),
    "card": _card,
    "exit": _of_units(say.Exit),
    "demolish_wall": _demolish,
    "demolish_building": _demolish,
    "demolish_bridge": _demolish,
    "demolish_equipment": _demolish,
    "hold": _of_units(say.Hold),
    "fire": _fire,
    "shoot": _shoot,
    "hold_fire": _of_units(say.HoldFire),
    "charge": _charge,
    "initiative": _initiative,
    "retreat": _retreat,
    "advance": _advance,
    "losses": _of_units(say.Losses),
    "targets": _targets,
    "reveal": _of_units(say.Reveal),
    "reset": _bare(say.Reset),
}
"""How each kind of line becomes an order, by the grammar's name for it."""


def drafts(board: Board, lines: Sequence[Line], names: Iterable[str]) -> tuple[list[Draft], list[Complaint]]:
    """The orders of a sheet as far as its words go, and what is wrong with the words of the others.

    *names* are the pieces that the writer may know of, for suggestions.
    """
    trees, complaints = GRAMMAR.read(lines, frozenset(names))
    found: list[Draft] = []
    for line, tree in trees:
        sentence = _Sentence(board, line, tree)
        try:
            order = _READ[str(tree.data)](sentence)
        except BadWord as bad:
            complaints.append(complaint(line, Judgement.NOT_UNDERSTOOD, bad.wrong, bad.token))
        else:
            found.append(Draft(line, order, sentence.spots))
    return found, complaints
