"""How a line becomes an order, before anybody judges it; the place of each of its words is kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypedDict, cast

from pbem.ground.hexes import Hex, parse_hex
from pbem.kernel.names import Role
from pbem.orders.grammar import Node, Word, bare, part, parts_in, words_in
from pbem.orders.names import name_key
from pbem.orders.sheet import Line
from pbem.orders.suggest import closest
from pbem.systems.empire_1870.scene.scene import Scene
from pbem.systems.empire_1870.sheets.language import Wrong
from pbem.systems.empire_1870.tables.charts import FORCED_MARCH
from pbem.systems.empire_1870.tables.headquarters import ALIASES
from pbem.systems.empire_1870.world import orders as say


class BadWord(Exception):
    """A word that the grammar takes and the game does not have."""

    def __init__(self, token: Word, wrong: Wrong) -> None:
        super().__init__(wrong.why)
        self.token, self.wrong = token, wrong


@dataclass
class Draft:
    """An order as read from a line; of a block only its head, `end` has no order."""

    line: Line
    kind: str
    """The grammar's name for the line: `act`, `sub`, `self`, `force`, `end` …"""
    order: say.Written | None = None
    spots: dict[str, Word] = field(default_factory=dict)
    """Where words stand: `hq`, `place`, `place.2`, `sp`, `action`."""


class Head(TypedDict):
    """What every order carries."""

    line: int
    text: str


class Sentence:
    """The words of one line, being read."""

    def __init__(self, scene: Scene, side: Role, line: Line, tree: Node[Word]) -> None:
        self.scene, self.side, self.line, self.tree = scene, side, line, tree
        self.spots: dict[str, Word] = {}

    @property
    def head(self) -> Head:
        """Line and text of the order."""
        return {"line": self.line.number, "text": " ".join(bare(self.line.text).split())}

    # ------------------------------------------------------------ words

    def place(self, node: Node[Word]) -> Hex:
        """A hex of the map, by number or by name."""
        token = words_in(node)[0]
        count = sum(name.startswith("place") for name in self.spots)
        self.spots[f"place.{count}"] = token
        self.spots.setdefault("place", token)
        if token.type == "HEX":
            at = parse_hex(token)
            if at is not None and at in self.scene.cells:
                return at
            raise BadWord(token, Wrong("unknown_hex", f"the map has no hex {token}"))
        found = self.scene.places.get(name_key(token))
        if found is None:
            names = sorted({cell.name for cell in self.scene.cells.values() if cell.name})
            meant = closest(str(token), names)
            more = f"; did you mean {meant}?" if meant else ""
            raise BadWord(token, Wrong("unknown_hex", f'the map has no place "{token}"{more}', instead=meant or ""))
        return found

    def places(self, node: Node[Word]) -> tuple[Hex, ...]:
        """All hexes that stand in a part of the order."""
        return tuple(self.place(one) for one in parts_in(node, "place"))

    def hq(self, token: Word, spot: str = "hq") -> str:
        """The id of an HQ of either side, by id or by the sender's own names for it."""
        self.spots.setdefault(spot, token)
        known = self.scene.headquarters
        name = ALIASES[self.side].get(token.lower(), token.upper())
        if name not in known:
            own = [one for one, piece in known.items() if piece.side == self.side]
            meant = closest(str(token), own)
            more = f"; did you mean {meant}?" if meant else ""
            raise BadWord(token, Wrong("unknown_hq", f'there is no HQ "{token}"{more}', instead=meant or ""))
        return name

    def amount(self, token: Word) -> say.Amount:
        """`8SP`, `2G+1D+1M` or `ALL`."""
        self.spots.setdefault("sp", token)
        return say.amount_of(token) or say.Amount(everything=True)

    def number(self, node: Node[Word], least: int = 0, most: int = 99) -> int:
        """The number of a part of the order."""
        token = next(one for one in words_in(node) if one.type == "NUMBER")
        self.spots.setdefault("number", token)
        if not least <= int(token) <= most:
            raise BadWord(token, Wrong("syntax", f"the number is from {least} to {most}"))
        return int(token)

    def ratio(self, token: Word) -> tuple[int, int]:
        """`2:1`."""
        first, _, second = token.replace("-", ":").partition(":")
        if not int(first) or not int(second):
            raise BadWord(token, Wrong("syntax", f"{token} is no ratio"))
        return int(first), int(second)

    # ------------------------------------------------------------ actions and conditions

    def action(self, node: Node[Word]) -> say.Action:
        """March, forced march, rally or planned attack."""
        return _ACTIONS[str(node.data)](self, node)

    def provided(self, node: Node[Word] | None) -> say.Provided:
        """`IF … AND … ELSE …`."""
        if node is None:
            return say.ALWAYS
        tests = tuple(self.condition(one) for one in parts_in(node, "condition", *_CONDITIONS))
        other = next((one for one in node.children if _is_otherwise(one)), None)
        if isinstance(other, Word):
            return say.Provided(tests, "wait" if other.type == "WAIT" else "skip")
        return say.Provided(tests, "skip" if other is None else self.action(other))

    def condition(self, node: Node[Word]) -> say.Condition:
        """One test."""
        name = str(node.data)
        negated = name.startswith(("no_", "not_"))
        test = cast(say.Test, name.removeprefix("no_").removeprefix("not_"))
        words = words_in(node)
        hq = next((self.hq(one, "condition") for one in words if one.type == "HQ"), "")
        odds = next((self.ratio(one) for one in words if one.type == "RATIO"), (1, 1))
        places = self.places(node)
        number = self.number(node) if any(one.type == "NUMBER" for one in words) else 0
        return say.Condition(test, negated, places[0] if places else None, hq, number, odds)

    @property
    def acts(self) -> tuple[say.Action, say.Provided]:
        """The action of a line and its `IF`."""
        node = next(one for one in self.tree.children if isinstance(one, Node) and one.data in _ACTIONS)
        self.spots.setdefault("action", _first_word(node) or self.spots.get("sp") or self._verb)
        return self.action(node), self.provided(part(self.tree, "provided"))

    @property
    def _verb(self) -> Word:
        text = bare(self.line.text)
        start = len(text) - len(text.lstrip())
        verb = text.split()[0]
        return Word("VERB", verb, column=start + 1, end_column=start + 1 + len(verb))


def _first_word(node: Node[Word]) -> Word | None:
    return next((one for one in node.scan_values(lambda one: isinstance(one, Word))), None)


def _is_otherwise(one: object) -> bool:
    return (isinstance(one, Word) and one.type in ("SKIP", "WAIT")) or (isinstance(one, Node) and one.data in _ACTIONS)


# ------------------------------------------------------------------ actions


def _march(told: Sentence, node: Node[Word]) -> say.Action:
    legs: list[say.Leg] = []
    for leg in parts_in(node, "go", "ride"):
        places = told.places(leg)
        stays = any(one.type == "STAY" for one in words_in(leg))
        legs.append(say.Go(places[0]) if leg.data == "go" else say.Ride(places[0], places[1], stays))
    names = {str(one.data) for one in node.children if isinstance(one, Node)}
    extra = part(node, "extra")

    def taken(name: str) -> tuple[say.At, ...]:
        return tuple(say.At(told.amount(words_in(one)[0]), told.places(one)[0]) for one in parts_in(node, name))

    return say.March(
        path=tuple(legs),
        attack="attack" in names,
        through=True if "through" in names else None,
        stop_enemy="stop_enemy" in names,
        pickups=taken("pickup"),
        drops=taken("leave"),
        force=told.number(extra, *FORCED_MARCH) if extra is not None else 0,
        exit="exit" in names,
    )


def _forced(told: Sentence, node: Node[Word]) -> say.Action:
    return say.ForcedMarch(extra=told.number(node, *FORCED_MARCH), path=told.places(node))


def _rally(told: Sentence, node: Node[Word]) -> say.Action:
    return say.Rally()


def _assault(told: Sentence, node: Node[Word]) -> say.Action:
    joins: list[say.Join] = []
    for join in (one for several in parts_in(node, "join") for one in parts_in(several, "joined")):
        words = words_in(join)
        amount = next((told.amount(one) for one in words[1:]), None)
        joins.append(say.Join(told.hq(words[0], f"join.{len(joins)}"), amount))
    word = part(node, "advance_word")
    hexes = part(node, "advance_hexes")
    advance: Literal["lead", "all", "none"] | tuple[Hex, ...] | None = None
    if word is not None:
        advance = cast(Literal["lead", "all", "none"], words_in(word)[0].lower())
    elif hexes is not None:
        advance = told.places(hexes)
    target = told.place(parts_in(node, "place")[0])
    return say.Assault(target=target, joins=tuple(joins), advance=advance)


_ACTIONS: Mapping[str, Callable[[Sentence, Node[Word]], say.Action]] = {
    "march": _march,
    "forced": _forced,
    "rally": _rally,
    "assault": _assault,
}
_CONDITIONS = (
    "enemy_in", "no_enemy_in", "enemy_adjacent", "no_enemy_adjacent", "friend_in", "friend_sp", "control",
    "not_control", "rp", "odds", "done", "not_done", "vp_most", "vp_least",
)  # fmt: skip

# ------------------------------------------------------------------ one function for each kind of line


def _mobilize(told: Sentence) -> say.Written:
    amount = told.amount(words_in(told.tree)[0])
    return say.Mobilize(**told.head, count=amount.count, hex=told.places(told.tree)[0])


def _mobilize_hq(told: Sentence) -> say.Written:
    return say.MobilizeHq(**told.head, hq=told.hq(words_in(told.tree)[0]), hex=told.places(told.tree)[0])


def _standing(told: Sentence) -> say.Written:
    words = words_in(told.tree)
    reserve = told.number(told.tree) if any(one.type == "NUMBER" for one in words) else 0
    count = told.amount(words[0]).count
    return say.StandingMobilize(**told.head, count=count, hexes=told.places(told.tree), reserve=reserve)


def _standing_none(told: Sentence) -> say.Written:
    return say.StandingMobilize(**told.head, count=0)


def _reenter(told: Sentence) -> say.Written:
    return say.Reenter(**told.head, hq=told.hq(words_in(told.tree)[0]), hexes=told.places(told.tree))


def _act(told: Sentence) -> say.Written:
    hq = told.hq(words_in(told.tree)[0])
    kind = say.Act if told.tree.data == "act" else say.SubLine
    return kind(**told.head, hq=hq, provided=told.provided(part(told.tree, "provided_block")))


def _force(told: Sentence) -> say.Written:
    at = told.places(told.tree)[0]
    amount = told.amount(next(one for one in words_in(told.tree) if one.type in ("SP", "GRADED", "ALL")))
    action, provided = told.acts
    kind = say.ForceLine if told.tree.data == "force" else say.Div
    return kind(**told.head, hex=at, amount=amount, action=action, provided=provided)


def _self(told: Sentence) -> say.Written:
    amount = told.amount(words_in(told.tree)[0])
    also = tuple(say.At(told.amount(words_in(one)[0]), told.places(one)[0]) for one in parts_in(told.tree, "from"))
    company = part(told.tree, "with")
    along = tuple(told.hq(one, f"with.{n}") for n, one in enumerate(words_in(company))) if company is not None else ()
    action, provided = told.acts
    return say.SelfLine(**told.head, amount=amount, also=also, along=along, action=action, provided=provided)


def _siege(told: Sentence) -> say.Written:
    assault = any(one.type == "ASSAULT" for one in words_in(told.tree))
    return say.SiegeOrder(**told.head, hex=told.places(told.tree)[0], assault=assault)


def _recover(told: Sentence) -> say.Written:
    match told.tree.data:
        case "recover_reserve":
            return say.Recover(**told.head, word="reserve", reserve=told.number(told.tree))
        case "recover_first":
            return say.Recover(**told.head, word="first", hexes=told.places(told.tree))
        case name:
            assert name == "recover", "there is no other form of RECOVER"
            word: Literal["none", "all"] = "none" if words_in(told.tree)[0].type == "NONE" else "all"
            return say.Recover(**told.head, word=word)


def _setup_hq(told: Sentence) -> say.Written:
    return say.SetupHq(**told.head, hq=told.hq(words_in(told.tree)[0]), hex=told.places(told.tree)[0])


def _setup_sp(told: Sentence) -> say.Written:
    words = words_in(told.tree)
    group = next((told.hq(one) for one in words if one.type == "HQ"), "")
    return say.SetupSp(**told.head, count=told.amount(words[0]).count, hex=told.places(told.tree)[0], group=group)


def _react(told: Sentence) -> say.Written:
    node = next(one for one in told.tree.children if isinstance(one, Node) and not str(one.data).startswith("scope"))
    name = str(node.data)
    words = [one for one in words_in(node) if one.type not in ("NUMBER", "RATIO")]
    numbers = tuple(int(one) for one in words_in(node) if one.type == "NUMBER")
    ratios = [told.ratio(one) for one in words_in(node) if one.type == "RATIO"]
    scope_hq, scope_hex = part(told.tree, "scope_hq"), part(told.tree, "scope_hex")
    at = told.places(scope_hex)[0] if scope_hex is not None else None
    for_hq = told.hq(words_in(scope_hq)[0], "scope") if scope_hq is not None else ""
    if name == "chassepot_hold":
        # The SP of one hex hold their fire: what `NEVER AT` it says.
        return say.React(**told.head, reaction="chassepot", word="never", scope_hex=told.places(node)[0])
    losing = True
    if name == "reroll":
        losing = not any(one.type == "ALWAYS" for one in words)
        words = words[:1]
    if name == "artillery":
        name = f"artillery_{words[0].lower()}"
        words = words[1:]
    return say.React(
        **told.head,
        reaction=cast(say.Reaction, name),
        word=words[0].lower(),
        numbers=numbers,
        low=ratios[0] if ratios else None,
        high=ratios[1] if ratios else None,
        losing=losing,
        hexes=told.places(node),
        scope_hex=at,
        scope_hq=for_hq,
    )


READ: Mapping[str, Callable[[Sentence], say.Written]] = {
    "mobilize": _mobilize,
    "mobilize_hq": _mobilize_hq,
    "standing": _standing,
    "standing_none": _standing_none,
    "reenter": _reenter,
    "act": _act,
    "sub": _act,
    "force": _force,
    "div": _force,
    "self": _self,
    "pass": lambda told: say.Pass(**told.head),
    "drop": lambda told: say.Drop(**told.head, number=told.number(told.tree, 1)),
    "react": _react,
    "siege": _siege,
    "recover": _recover,
    "recover_reserve": _recover,
    "recover_first": _recover,
    "setup_hq": _setup_hq,
    "setup_sp": _setup_sp,
}
"""How each kind of line becomes an order; `end` and `insert` are none by themselves."""


def draft(scene: Scene, side: Role, line: Line, tree: Node[Word]) -> Draft:
    """A line as an order, as far as its words go.

    :raises BadWord: if a place, an HQ or a number is none.
    """
    told = Sentence(scene, side, line, tree)
    kind = str(tree.data)
    if kind == "end":
        return Draft(line, kind)
    if kind == "insert":
        number = told.number(tree, 1)
        return Draft(line, kind, say.Drop(line=line.number, text=told.head["text"], number=number), told.spots)
    return Draft(line, kind, READ[kind](told), told.spots)
