"""What may be ordered in each exchange, and how it is written: in the usual notation, or at length."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.orders import sheet
from pbem.orders.grammar import Grammar, Node, Word, parts_in
from pbem.orders.kindness import Dialect
from pbem.orders.refusal import BadWord, Wrong
from pbem.orders.sentence import Sentence, order_of
from pbem.orders.verbs import Verb, examples, rules
from pbem_diplomacy.board import Kind, Place, coast_of, province_of
from pbem_diplomacy.map import BOARD, COASTS


class Move(sheet.Order, frozen=True, tag="move"):
    """Go to a place; *via*: by convoy, and by nothing else."""

    at: str
    to: Place
    via: bool = False


class Hold(sheet.Order, frozen=True, tag="hold"):
    """Stay."""

    at: str


class Support(sheet.Order, frozen=True, tag="support"):
    """Help a unit to go to a place, or, if that is empty, to stay."""

    at: str
    of: str
    to: Place


class Convoy(sheet.Order, frozen=True, tag="convoy"):
    """Carry an army over the sea."""

    at: str
    of: str
    to: Place


class Retreat(sheet.Order, frozen=True, tag="retreat"):
    """Go where nobody is."""

    at: str
    to: Place


class Disband(sheet.Order, frozen=True, tag="disband"):
    """Be no more: instead of a retreat, or in winter for want of a centre."""

    at: str


class Build(sheet.Order, frozen=True, tag="build"):
    """Build a unit at home."""

    arm: Kind
    place: Place


class Waive(sheet.Order, frozen=True, tag="waive"):
    """Do without a unit that might be built."""


Order = Move | Hold | Support | Convoy | Retreat | Disband | Build | Waive
ORDERS: tuple[type[Order], ...] = Order.__args__

SORTS: Mapping[type[Order], tuple[str, ...]] = {
    Move: ("moves",),
    Hold: ("moves",),
    Support: ("moves",),
    Convoy: ("moves",),
    Retreat: ("retreats",),
    Disband: ("retreats", "builds"),
    Build: ("builds",),
    Waive: ("builds",),
}
"""In which exchanges each order counts."""


# ------------------------------------------------------------------ the words of a line


class Said(Sentence):
    """One line of orders."""

    def units(self) -> list[Node[Word]]:
        """The units that the line names, in their order."""
        return list(parts_in(self.tree, "unit"))

    def unit_place(self, number: int) -> Word:
        """Where a unit of the line is said to be."""
        return self.of(self.units()[number]).the("PLACE")

    def kind(self, number: int = 0) -> Kind | None:
        """Of which kind a unit of the line is said to be; None: nothing is said."""
        word = self.of(self.units()[number]).word("KIND")
        return None if word is None else "F" if word.lower().startswith("f") else "A"

    def at(self) -> str:
        """The province of the unit that is ordered."""
        return province_of(self.place_of(self.unit_place(0)))

    def other(self) -> str:
        """The province of the second unit."""
        return province_of(self.place_of(self.unit_place(1)))

    def to(self) -> Place:
        """Where it goes; empty: nowhere."""
        word = self.goal()
        return "" if word is None else self.place_of(word)

    def goal(self) -> Word | None:
        """The word that says where it goes."""
        return self.word("PLACE")

    def built(self) -> Place:
        """Where something is built."""
        return self.place_of(self.unit_place(0))

    def to_build(self) -> Kind:
        """What is built: an army where nothing else can be, a fleet where a coast is named.

        :raises BadWord: if it must be said, and is not.
        """
        place, kind = self.built(), self.kind()
        province = BOARD.provinces[province_of(place)]
        if kind is None and province.kind == "coast" and not coast_of(place):
            word = self.unit_place(0)
            raise BadWord(Wrong(f"say what is built in {province.name}: an army (A) or a fleet (F)", "DP-BLD-03"), word)
        return kind or ("F" if coast_of(place) else "A")

    def place_of(self, word: Word) -> Place:
        """The place that a word means."""
        place = word.lower()
        coast, coasts = coast_of(place), BOARD.provinces[province_of(place)].coasts
        # A coast that a province does not have says nothing.
        return place if coast in coasts else province_of(place)


VERBS: Mapping[str, Verb[Said, Order]] = {
    "move": Verb(
        'unit "-" PLACE [VIA]',
        order_of(Move, at=Said.at, to=Said.to, via=lambda said: said.says("VIA")),
        {"A par -": "A par - bur"},
        "moves",
    ),
    "hold": Verb('unit ("h" | "holds")', order_of(Hold, at=Said.at), {"A par H": "A par H"}, "moves"),
    "support": Verb(
        'unit ("s" | "supports") unit ["-" PLACE]',
        order_of(Support, at=Said.at, of=Said.other, to=Said.to),
        {"A par S": "A par S A mar - bur"},
        "moves",
    ),
    "support_hold": Verb(
        'unit ("s" | "supports") unit ("h" | "holds")',
        order_of(Support, at=Said.at, of=Said.other, to=Said.to),
        {},
        "moves",
    ),
    "convoy": Verb(
        'unit ("c" | "convoys") unit "-" PLACE',
        order_of(Convoy, at=Said.at, of=Said.other, to=Said.to),
        {"F nth C": "F nth C A yor - nwy"},
        "moves",
    ),
    "retreat": Verb(
        'unit ("r" | "retreats") ["-"] PLACE',
        order_of(Retreat, at=Said.at, to=Said.to),
        {"A vie R": "A vie R tyr"},
        "retreats",
    ),
    "disband": Verb(
        'unit ("d" | "disbands" | "disband")', order_of(Disband, at=Said.at), {"A vie D": "A vie D"}, "retreats"
    ),
    "remove": Verb('"remove" unit', order_of(Disband, at=Said.at), {"remove": "remove A vie"}, "builds"),
    "build": Verb(
        '"build" unit', order_of(Build, arm=Said.to_build, place=Said.built), {"build": "build A par"}, "builds"
    ),
    "build_short": Verb(
        'unit ("b" | "builds" | "build")', order_of(Build, arm=Said.to_build, place=Said.built), {}, "builds"
    ),
    "waive": Verb('"waive"', order_of(Waive), {"waive": "waive"}, "builds"),
}
"""Of each form of order: how it is written, what makes it, an example, and its sort."""

_ADJECTIVES = (
    "austria austrian austrians england english british france french germany german italy italian russia russian "
    "turkey turkish"
)


def _names() -> Iterator[tuple[str, str]]:
    """What provinces are called, and the short name of each."""
    for key, province in BOARD.provinces.items():
        for name in (province.name.lower(), *province.also):
            plain = name.replace(".", "").replace("-", " ")
            if plain != key:
                yield plain, key
                for coast, words in COASTS.items():
                    if coast in province.coasts:
                        yield f"{plain}/{coast}", f"{key}/{coast}"
                        yield from ((f"{plain} {word}", f"{key}/{coast}") for word in (*words, coast))
        for coast in province.coasts:
            yield from ((f"{key} {word}", f"{key}/{coast}") for word in (*COASTS[coast], coast))


DIALECT = Dialect(
    words={
        **dict(_names()),
        "to": "-",
        "moves to": "-",
        "moves": "-",
        "move to": "-",
        "attacks": "-",
        "retreats to": "retreats",
        "retreat to": "retreats",
        "stands": "holds",
        "remains": "holds",
        "stays": "holds",
        "support": "supports",
        "convoy": "convoys",
        "transports": "convoys",
        "destroy": "remove",
        "pass": "waive",
        "build waive": "waive",
    },
    little=_ADJECTIVES.split(),
    forms={
        r"\s*(?:[-=]+>|→|-{2,})\s*": " - ",
        r"\s*[(/]\s*([nse])(?:orth|outh|ast)(?:ern)?(?:\s+coast)?\s*\)?": r"/\1c",
        r"\s*[(/.]\s*([nse])\s*\.?\s*c?\.?\s*\)": r"/\1c",
        r"\b(spa|stp|bul)[.-]([nse]c)\b": r"\1/\2",
        r"/\s*([nse])\b": r"/\1c",
        r"^\s*disband\s+(.*)$": r"remove \1",
        r"^\s*(?:retreat)\s+(.*?)\s+(?:to|-+>?)\s+(.*)$": r"\1 retreats \2",
        r"^\s*waive(?:s)?\s+(?:a |one )?builds?\s*$": "waive",
    },
)

GRAMMAR = Grammar(
    rules({"order": VERBS})
    + rf"""
    unit: [KIND] PLACE
    VIA: /(via|by)\s+(convoy|sea)|via(?![a-z])/
    KIND: /(army|fleet|a|f)(?![a-z])/
    PLACE: /(?:{"|".join(BOARD.provinces)})(?:\/[nse]c)?(?![a-z])/
    """,
    examples=examples(VERBS),
    words={"VIA": "via convoy", "KIND": "A or F", "PLACE": "a province, like par or stp/nc"},
    dialect=DIALECT,
)
