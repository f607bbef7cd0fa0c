"""A line of orders, being read: its places, HQs and SP; and the order that it comes to, before anybody judges it."""

from __future__ import annotations

from dataclasses import dataclass, field

from pbem.ground.hexes import Hex, parse_hex
from pbem.kernel.names import Role
from pbem.orders import refusal, sentence
from pbem.orders.grammar import Node, Word, parts_in, words_in
from pbem.orders.names import name_key
from pbem.orders.refusal import BadWord, Wrong
from pbem.orders.sheet import Complaint, Judgement, Line
from pbem.systems.empire_1870.scene.scene import Scene
from pbem.systems.empire_1870.tables.headquarters import ALIASES
from pbem.systems.empire_1870.world import orders as say

RULE = "WE-ORD-01"
"""By which a word is refused that the game does not have."""
AMOUNTS = ("SP", "GRADED", "ALL")
_WORDS = ("syntax", "unknown_order", "unknown_hex", "unknown_hq")
"""The codes of what is not understood; all others are of what is not allowed."""


def wrong(code: str, why: str, rule: str = RULE) -> Wrong:
    """What stands in the way of an order, under the ledger's code for it, if it has one."""
    return Wrong(f"{code}: {why}" if code else why, rule)


class BadLine(Exception):
    """A line that cannot be taken, for what it comes to."""

    def __init__(self, complaint: Complaint) -> None:
        super().__init__(complaint.why)
        self.complaint = complaint


@dataclass
class Draft:
    """An order as read from a line; of a block only its head, `end` has no order."""

    line: Line
    kind: str
    """The name of its verb: `act`, `sub`, `self`, `force`, `end` …"""
    order: say.Written | None = None
    spots: dict[str, Word] = field(default_factory=dict)
    """Where words stand: `hq`, `place`, `place.2`, `sp`, `action`."""

    def bad(self, code: str, why: str, rule: str = RULE, spot: str = "") -> BadLine:
        """That it is refused, for what stands at a spot of it."""
        judgement = Judgement.NOT_UNDERSTOOD if code in _WORDS else Judgement.NOT_ALLOWED
        return BadLine(refusal.complaint(self.line, judgement, wrong(code, why, rule), self.spots.get(spot)))

    def doubt(self, code: str, why: str, rule: str, spot: str = "") -> Complaint:
        """That it is taken, and may come to nothing."""
        return refusal.complaint(self.line, Judgement.DOUBTFUL, wrong(code, why, rule), self.spots.get(spot))


class Sentence(sentence.Sentence):
    """The words of one line."""

    def __init__(self, scene: Scene, side: Role, line: Line, tree: Node[Word]) -> None:
        super().__init__(line, tree)
        self.scene, self.side = scene, side

    # ------------------------------------------------------------ places and HQs

    def places(self) -> tuple[Hex, ...]:
        """All hexes that stand in it."""
        return tuple(self._place(words_in(one)[0]) for one in parts_in(self.tree, "place"))

    def _place(self, token: Word) -> Hex:
        """A hex of the map, by number or by name."""
        count = sum(name.startswith("place") for name in self.spots)
        self.spots[f"place.{count}"] = token
        self.spots.setdefault("place", token)
        if token.type == "HEX":
            at = parse_hex(token)
            if at is not None and at in self.scene.cells:
                return at
            raise BadWord(wrong("unknown_hex", f"the map has no hex {token}"), token)
        found = self.scene.places.get(name_key(token))
        if found is None:
            names = sorted({cell.name for cell in self.scene.cells.values() if cell.name})
            raise self.unknown([token], f'unknown_hex: the map has no place "{token}"', names, RULE)
        return found

    def hq(self, token: Word, spot: str = "hq") -> str:
        """The id of an HQ of either side, by id or by the sender's own names for it."""
        self.spots.setdefault(spot, token)
        known = self.scene.headquarters
        name = ALIASES[self.side].get(token.lower(), token.upper())
        if name not in known:
            own = [one for one, piece in known.items() if piece.side == self.side]
            raise self.unknown([token], f'unknown_hq: there is no HQ "{token}"', own, RULE)
        return name

    # ------------------------------------------------------------ amounts and numbers

    def amount(self) -> say.Amount:
        """`8SP`, `2G+1D+1M` or `ALL`."""
        token = self.the(*AMOUNTS)
        self.spots.setdefault("sp", token)
        return say.amount_of(token) or say.Amount(everything=True)

    def within(self, least: int = 0, most: int = 99) -> int:
        """The number that stands in it, in its bounds."""
        token = self.the("NUMBER")
        self.spots.setdefault("number", token)
        return self.number(token, least, most, f"syntax: the number is from {least} to {most}", RULE)

    @property
    def ratios(self) -> list[tuple[int, int]]:
        """`2:1`."""
        found = []
        for token in self.words("RATIO"):
            first, _, second = token.replace("-", ":").partition(":")
            if not int(first) or not int(second):
                raise BadWord(wrong("syntax", f"{token} is no ratio"), token)
            found.append((int(first), int(second)))
        return found
