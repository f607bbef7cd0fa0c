"""The order language, and how a sheet becomes orders that nobody has judged yet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.ground.square import Board
from pbem.orders.grammar import Grammar, Word
from pbem.orders.kindness import Dialect
from pbem.orders.refusal import BadWord, Wrong, complaint
from pbem.orders.sheet import Complaint, Judgement, Line
from pbem.orders.verbs import examples, rules
from pbem.systems.st_privat.world import orders as say
from pbem.systems.st_privat.world.sentence import Said
from pbem.systems.st_privat.world.verbs import VERBS

WORDS = {
    "ID": "a piece, like p1",
    "SQUARE": "a square, like J-9",
    "NUMBER": "a number",
    "ODDS": "odds, like 2-1",
}
"""Terminals that are no literal words, in words."""

DIALECT = Dialect(
    lengths=("square", "squares"),
    words={"face": "turn", "in": "at", "on": "at", "to": "toward"},
    names=r"[a-z]{1,3}\d{1,3}|@\s?[a-z]-?\d{1,3}(?:\s+in\b)?",
    joined="+",
    little=("general", "with"),
    forms={
        r"^(?:all|everybody|everyone|the rest)\s+(?:(?:of|the|my|others?|else|them|units|pieces)\s+)*"
        r"(hold(?:\s+(?:their\s+)?fire)?)$": r"\1 all",
        r"^(hold)\s+(?:all|everybody|everyone|the rest)\b.*$": r"\1 all",
        r"\b(?:and\s+)?then\s+form\s+(line|column)(?:\s+at\s+(?:the\s+)?end)?": r"form \1 at end",
        r"\b(?:and\s+)?then\s+(?:turn|face)\b": "face",
        r"\b(?:and\s+)?then\s+(unlimber|exit)\b": r"\1",
        r"\bat\s+([a-z]-?\d{1,2})\s+with\s+(shot|shell)\b": r"\2 at \1",
    },
)
"""How its players write."""

EXAMPLES = examples(VERBS)
"""One full example of each order, by the words that it begins with."""

GRAMMAR = Grammar(
    rules({"order": VERBS})
    + r"""

units: unit ("+"? unit)*
unit: ID
    | "@" SQUARE [IN]
?any: units
    | ALL

?direction: N | E | S | W
?shape: LINE | COLUMN
?ammunition: SHOT | SHELL | MG | SIEGE
?wish: SQUARE | N | E | S | W | NE | SE | SW | NW | OFF
?target: SQUARE | NEAREST | INFANTRY | GUNS | CAVALRY | GENERALS | OPEN | CARDS | NONE

place_option: "in"             -> inside
            | "face" direction -> face
            | shape            -> formed
card_option: "in"              -> inside
           | "face" direction  -> face

way: "via" SQUARE+             -> via
   | "to" SQUARE               -> to
before: "turn" direction       -> turn_first
      | "form" shape           -> form_first
      | "limber"               -> limber_first
option: "turn" direction                -> turn_first
      | "turn" direction "at" SQUARE    -> turn_at
      | "form" shape                    -> form_first
      | "form" shape "at" "end"         -> form_at_end
      | "face" direction                -> face
      | "in"                            -> inside
      | "limber"                        -> limber_first
      | "unlimber" ["face"] direction   -> unlimber_at_end
      | "exit"                          -> exit_at_end

form_option: "order" ID ("+"? ID)*       -> ranks
           | "face" direction           -> face
fire_option: "in"                       -> inside
           | "out"                      -> outside
           | "else" SQUARE              -> otherwise
shoot_option: "in"                      -> inside
            | "out"                     -> outside
            | "troops"                  -> troops
            | "structure"               -> structure
            | "equipment" [ID]          -> equipment
            | "turn" direction          -> turn_first
            | "danger"                  -> danger
charge_option: "with" ID                -> general
             | "if" "odds" ODDS         -> odds
             | "after" SQUARE           -> after
retreat_option: "form" shape            -> form_at_end
              | "face" (AWAY | ENEMY)   -> look

ALL: "all"
IN: "in"
LINE: "line"
COLUMN: "column"
N: "n"
E: "e"
S: "s"
W: "w"
NE: "ne"
SE: "se"
SW: "sw"
NW: "nw"
OFF: "off"
SHOT: "shot"
SHELL: "shell"
MG: "mg"
SIEGE: "siege"
FIRST: "first"
SECOND: "second"
NONE: "none"
AWAY: "away"
ENEMY: "enemy"
NEAREST: "nearest"
INFANTRY: "infantry"
GUNS: "guns"
CAVALRY: "cavalry"
GENERALS: "generals"
OPEN: "open"
CARDS: "cards"

ID: /[a-z]{1,3}\d{1,3}/
SQUARE: /[a-z]-?\d{1,3}/
NUMBER: /\d/
ODDS: /[1-4]-1|1-[2-4]/
""",
    examples=EXAMPLES,
    words=WORDS,
    dialect=DIALECT,
    system="st-privat",
)
"""One order a line; blanks, commas, comments, capitals and shortened words are common to all systems."""


class Draft(Struct, frozen=True):
    """An order as read from a line, before anybody judges it."""

    line: Line
    order: say.AnyOrder
    sort: str
    """Which kind of line it is; a call names the kinds that count."""
    spots: Mapping[str, Word]
    """Where words stand, by what they are: `units`, `units.0`, `square`, `via.2`."""

    def meaning(self, order: say.AnyOrder) -> Draft:
        """The same line with what it turns out to mean."""
        return replace(self, order=order)

    def complaint(self, judgement: Judgement, wrong: Wrong, spot: str = "") -> Complaint:
        """A complaint about this line, or about a word of it."""
        return complaint(self.line, judgement, wrong, self.spots.get(spot))

    def refused(self, wrong: Wrong, spot: str = "") -> Complaint:
        """The refusal of this line."""
        return self.complaint(Judgement.NOT_ALLOWED, wrong, spot)


def drafts(board: Board, lines: Sequence[Line], names: Iterable[str]) -> tuple[list[Draft], list[Complaint]]:
    """The orders of a sheet as far as its words go, and what is wrong with the words of the others.

    *names* are the pieces that the writer may know of, for suggestions.
    """
    trees, complaints = GRAMMAR.read(lines, frozenset(names))
    found: list[Draft] = []
    for line, tree in trees:
        said, verb = Said(board, line, tree), VERBS[str(tree.data)]
        try:
            found.append(Draft(line, verb.make(said), verb.sort, said.spots))
        except BadWord as bad:
            complaints.append(complaint(line, Judgement.NOT_UNDERSTOOD, bad.wrong, bad.token))
    return found, complaints
