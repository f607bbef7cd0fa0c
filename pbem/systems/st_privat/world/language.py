"""The order language, and an order as it is read from a line before anybody judges it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pbem.orders.grammar import Grammar, Word
from pbem.orders.kindness import Dialect
from pbem.orders.refusal import Wrong, complaint
from pbem.orders.sheet import Complaint, Judgement, Line, Order

EXAMPLES: Mapping[str, str] = {
    "place": "place f1+f2+f3 at H-9 in face n",
    "section": "section fg1 limbered with limber 1",
    "dummy": "dummy fd1 at C-6",
    "show": "show f5+f6",
    "show orders": "show orders",
    "siege at": "siege at N-15",
    "siege reveal": "siege reveal",
    "command": "command f1+f9+f17",
    "cinc": "cinc fh2",
    "move": "move p1+p2+p3 via I-16 I-15 I-14",
    "turn": "turn @J-10 e",
    "form": "form @J-10 column order p4+p1+p2",
    "enter": "enter f3+f4",
    "leave": "leave f3+f4",
    "limber": "limber pg1",
    "unlimber": "unlimber pg1 face s",
    "prolong": "prolong fg2 to J-8 face n",
    "detach": "detach fg1 in",
    "man": "man fg1",
    "card": "card fd3 to C-7",
    "exit": "exit f1+f2",
    "demolish": "demolish p7+p8 wall H-9|H-10",
    "hold": "hold @J-9",
    "hold fire": "hold fire f3+f4",
    "fire": "fire f1+f2 at J-10 else I-10",
    "shoot": "shoot pg1 shell at H-9 structure",
    "targets": "targets all infantry guns nearest",
    "charge": "charge @H-10+@G-9 at H-9 with ph1 if odds 2-1",
    "initiative": "initiative first",
    "retreat": "retreat all toward e d1",
    "advance": "advance @H-10 2 via H-9 H-8",
    "losses": "losses f4+f2+f1",
    "reveal": "reveal f1+f2",
    "reset": "reset all",
}
"""One full example of each order, by the words that it begins with."""

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

GRAMMAR = Grammar(
    r"""
order: "place" units "at" SQUARE place_option*              -> place
     | "section" ID "limbered" "with" "limber" NUMBER       -> limbered
     | "section" ID "deployed"                              -> deployed
     | "dummy" ID "at" SQUARE card_option*                  -> dummy
     | "show" units                                         -> show
     | "show" "orders"                                      -> show_orders
     | "siege" "at" SQUARE ["face" direction]               -> siege_at
     | "siege" "reveal"                                     -> siege_reveal
     | "command" units                                      -> command
     | "cinc" ID                                            -> cinc
     | "move" units before* way option*                     -> move
     | "turn" units direction                               -> turn
     | "form" "@" SQUARE [IN] shape form_option*            -> form
     | "enter" units                                        -> enter
     | "leave" units                                        -> leave
     | "limber" ID                                          -> limber
     | "unlimber" ID ["face"] direction                     -> unlimber
     | "prolong" ID "to" SQUARE ["face" direction]          -> prolong
     | "detach" ID [IN]                                     -> detach
     | "man" ID                                             -> man
     | "card" ID "to" SQUARE card_option*                   -> card
     | "exit" units                                         -> exit
     | "demolish" units "wall" SQUARE ["|"] SQUARE          -> demolish_wall
     | "demolish" units "building" SQUARE                   -> demolish_building
     | "demolish" units "bridge" SQUARE                     -> demolish_bridge
     | "demolish" units "equipment" ID                      -> demolish_equipment
     | "hold" any?                                          -> hold
     | "fire" units "at" SQUARE fire_option*                -> fire
     | "shoot" ID ammunition "at" SQUARE shoot_option*      -> shoot
     | "hold" "fire" any                                    -> hold_fire
     | "charge" units "at" SQUARE charge_option*            -> charge
     | "initiative" (FIRST | SECOND)                        -> initiative
     | "retreat" any "toward" wish+ retreat_option*         -> retreat
     | "advance" any (NONE | NUMBER) ["via" SQUARE+]        -> advance
     | "losses" units                                       -> losses
     | "targets" any target+                                -> targets
     | "reveal" units                                       -> reveal
     | "reset" "all"                                        -> reset

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
)
"""One order a line; blanks, commas, comments, capitals and shortened words are common to all systems."""


@dataclass(frozen=True)
class Draft:
    """An order as read from a line, before anybody judges it."""

    line: Line
    order: Order
    spots: Mapping[str, Word] = field(default_factory=dict)
    """Where words stand, by what they are: `units`, `units.0`, `square`, `via.2`."""

    def complaint(self, judgement: Judgement, wrong: Wrong, spot: str = "") -> Complaint:
        """A complaint about this line, or about a word of it."""
        return complaint(self.line, judgement, wrong, self.spots.get(spot))

    def refused(self, wrong: Wrong, spot: str = "") -> Complaint:
        """The refusal of this line."""
        return self.complaint(Judgement.NOT_ALLOWED, wrong, spot)
