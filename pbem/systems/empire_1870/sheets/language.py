"""The order language, and an order as it is read from a line before anybody judges it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from pbem.kernel.names import Role
from pbem.orders import refusal
from pbem.orders.grammar import Grammar, Word
from pbem.orders.kindness import Dialect
from pbem.orders.sheet import Complaint, Judgement, Line
from pbem.systems.empire_1870.world.parts import FRENCH, GERMAN

EXAMPLES: Mapping[str, str] = {
    "mobilize": "MOBILIZE 2SP AT Mainz",
    "mobilize hq": "MOBILIZE HQ CD1 AT Mainz",
    "standing mobilize": "STANDING MOBILIZE 2SP AT Mainz Landau RESERVE 10",
    "reenter": "REENTER F1 AT Metz Verdun",
    "act": "ACT A2",
    "sub": "SUB G3",
    "end": "END",
    "force": "FORCE 2504 3SP MARCH 2404 2405",
    "self": "SELF 8SP MARCH 2405 2306 ATTACK IF ODDS >= 1:2 ELSE WAIT",
    "div": "DIV 2407 3SP MARCH 2406",
    "pass": "PASS",
    "drop": "DROP 2",
    "insert": "INSERT 1",
    "react": "REACT ARTILLERY ATTACK RESERVE 10 ODDS 1:1 3:1",
    "react chassepot": "REACT CHASSEPOT MIN 4 AT 2306",
    "react cavalry": "REACT CAVALRY ODDS 2 TO 2504",
    "react artillery": "REACT ARTILLERY DEFENCE NEVER",
    "react reroll": "REACT REROLL LOW 3 LOSING",
    "react losses": "REACT LOSSES KEEP 3 FOR F2",
    "react retreat": "REACT RETREAT TO 2107",
    "react garrison": "REACT GARRISON KEEP 2 AT Bitche",
    "react advance": "REACT ADVANCE ALL",
    "siege": "SIEGE Toul ASSAULT",
    "recover": "RECOVER RESERVE 5",
    "setup": "SETUP 4SP OF A1 AT 2405",
}
"""One full example of each order, by the words that it begins with."""

_OWN: Mapping[Role, Mapping[str, str]] = {
    FRENCH: {
        "mobilize": "MOBILIZE 1SP AT Metz",
        "mobilize hq": "MOBILIZE HQ CR12 AT Paris",
        "standing mobilize": "STANDING MOBILIZE 1SP AT Metz Paris RESERVE 10",
        "act": "ACT F3",
        "sub": "SUB IG",
        "force": "FORCE 2107 4SP MARCH 2108",
        "setup": "SETUP 12SP AT Metz",
    },
    GERMAN: {
        "reenter": "REENTER G8 AT Mainz Landau",
        "div": "DIV 2605 3SP MARCH 2705",
        "react losses": "REACT LOSSES KEEP 3 FOR G8",
        "react retreat": "REACT RETREAT TO 2504",
        "react garrison": "REACT GARRISON KEEP 2 AT Mainz",
    },
}
"""Examples that are one side's, where that above is the other's."""


def own_forms(_scene: object, _mind: object, side: Role) -> Mapping[str, str]:
    """The examples in the names of one side."""
    mine = {**EXAMPLES, **_OWN[side]}
    return mine if side == FRENCH else {name: text for name, text in mine.items() if name != "react chassepot"}


def in_own_names(side: Role, example: str) -> str:
    """An example of the grammar as that side would write it."""
    name = next((name for name, text in EXAMPLES.items() if text == example), "")
    return _OWN[side].get(name, example)


WORDS = {
    "HEX": "a hex, like 2504",
    "NAME": "a place, like Metz",
    "HQ": "an HQ, like F2 or G3",
    "SP": "SP, like 8SP",
    "GRADED": "SP by status, like 2G+1D",
    "NUMBER": "a number",
    "RATIO": "odds, like 2:1",
}
"""Terminals that are no literal words, in words."""

DIALECT = Dialect(
    lengths=("hex", "hexes"),
    words={
        "mobilise": "mobilize", "activate": "act", "set up": "setup", "re-enter": "reenter", "re enter": "reenter",
        "in": "at", "re-roll": "reroll", "re roll": "reroll", "defense": "defence", "at least": "min",
        "move": "march", "go": "march", "hold": "pass", "halt": "pass", "wait": "pass", "everything": "all",
    },
    little=("then",),
    forms={
        r"^(?:all|everybody|everyone)\s+(?:(?:my|of|the|units|others)\s+)*(?:hold|halt|stay|wait)$": "pass",
        r"\brail\s+from\b": "rail",
        r"\bsiege\s+of\b": "siege",
        r"\bforced?\s+march\b": "forced",
        r"\b([a-z]{1,8}\d{0,2}|\d{1,2}[a-z]{1,3})\s+is\s+(not\s+)?done\b": r"\2done \1",
    },
)  # fmt: skip
"""How its players write."""

GRAMMAR = Grammar(
    r"""
order: "mobilize" SP "at" place                                          -> mobilize
     | "mobilize" "hq" HQ "at" place                                     -> mobilize_hq
     | "standing" "mobilize" SP "at" place+ ["reserve" NUMBER]           -> standing
     | "standing" "mobilize" "none"                                      -> standing_none
     | "reenter" HQ "at" place+                                          -> reenter
     | "act" HQ [provided_block]                                         -> act
     | "sub" HQ [provided_block]                                         -> sub
     | "end"                                                             -> end
     | "force" place amount action [provided]                            -> force
     | "self" amount from* [with] action [provided]                      -> self
     | "div" place amount action [provided]                              -> div
     | "pass"                                                            -> pass
     | "drop" NUMBER                                                     -> drop
     | "insert" NUMBER                                                   -> insert
     | "react" reaction [scope]                                          -> react
     | "siege" place (ASSAULT | NO)                                      -> siege
     | "recover" (ALL | NONE)                                            -> recover
     | "recover" "reserve" NUMBER                                        -> recover_reserve
     | "recover" "first" place+                                          -> recover_first
     | "setup" HQ "at" place                                             -> setup_hq
     | "setup" SP ["of" HQ] "at" place                                   -> setup_sp

place: HEX | NAME
?amount: SP | GRADED | ALL

?action: "march" leg* option*              -> march
       | "forced" NUMBER place+            -> forced
       | "rally"                           -> rally
       | "assault" place join* [advance]   -> assault
leg: place                                 -> go
   | "rail" place "to" place [STAY]        -> ride
option: "attack"                           -> attack
      | "through"                          -> through
      | "stop" "enemy"                     -> stop_enemy
      | "pickup" amount "at" place         -> pickup
      | "drop" amount "at" place           -> leave
      | "force" NUMBER                     -> extra
      | "exit"                             -> exit
join: "join" joined+
joined: HQ ["=" amount]
advance: "advance" (ALL | LEAD | NONE)     -> advance_word
       | "advance" place+                  -> advance_hexes
from: "from" place "=" amount
with: "with" HQ+

provided: "if" condition ("and" condition)* ["else" otherwise]
provided_block: "if" condition ("and" condition)* ["else" (SKIP | WAIT)]
?otherwise: SKIP | WAIT | action
condition: "enemy" "in" place              -> enemy_in
         | "no" "enemy" "in" place         -> no_enemy_in
         | "enemy" "adjacent" place        -> enemy_adjacent
         | "no" "enemy" "adjacent" place   -> no_enemy_adjacent
         | "friend" "in" place             -> friend_in
         | "friend" "sp" ">=" NUMBER "in" place -> friend_sp
         | "control" place                 -> control
         | "not" "control" place           -> not_control
         | "rp" ">=" NUMBER                -> rp
         | "odds" ">=" RATIO               -> odds
         | "done" HQ                       -> done
         | "not" "done" HQ                 -> not_done
         | "vp" "<=" NUMBER                -> vp_most
         | "vp" ">=" NUMBER                -> vp_least

reaction: "chassepot" (ALWAYS | NEVER)             -> chassepot
        | "chassepot" (MIN | COLUMN) NUMBER        -> chassepot
        | "chassepot" "hold" place                 -> chassepot_hold
        | "cavalry" (ALWAYS | NEVER) ["to" place+] -> cavalry
        | "cavalry" ODDS NUMBER ["to" place+]      -> cavalry
        | "artillery" (ATTACK | DEFENCE) (ALWAYS | NEVER)                         -> artillery
        | "artillery" (ATTACK | DEFENCE) RESERVE NUMBER ["odds" RATIO RATIO]      -> artillery
        | "artillery" (ATTACK | DEFENCE) MAX NUMBER                               -> artillery
        | "reroll" LOW NUMBER [LOSING | ALWAYS]    -> reroll
        | "reroll" NEVER                           -> reroll
        | "losses" (SPREAD | CONCENTRATE)          -> losses
        | "losses" KEEP NUMBER                     -> losses
        | "retreat" (SHORT | LONG | FORTRESS)      -> retreat
        | "retreat" TO place [place]               -> retreat
        | "garrison" (STAY | LEAVE)                -> garrison
        | "garrison" KEEP NUMBER                   -> garrison
        | "advance" (LEAD | ALL | NONE)            -> advance
scope: "for" HQ                                    -> scope_hq
     | "at" place                                  -> scope_hex

ALL: "all"
NO: "no"
NONE: "none"
LEAD: "lead"
SKIP: "skip"
WAIT: "wait"
STAY: "stay"
ASSAULT: "assault"
ALWAYS: "always"
NEVER: "never"
MIN: "min"
COLUMN: "column"
ODDS: "odds"
ATTACK: "attack"
DEFENCE: "defence"
RESERVE: "reserve"
MAX: "max"
LOW: "low"
LOSING: "losing"
SPREAD: "spread"
CONCENTRATE: "concentrate"
KEEP: "keep"
SHORT: "short"
LONG: "long"
FORTRESS: "fortress"
TO: "to"
LEAVE: "leave"

HEX: /\d{4}|\d\d[.:]\d\d/
NAME: /[^\W\d_]+(?:[-'][^\W\d_]+)*/
HQ: /(?!\d+\s*sp\b)(?:[a-z]{1,8}\d{0,2}|\d{1,2}[a-z]{1,3})/
SP: /\d{1,3}\s?sp/
GRADED: /\d{1,3}[gdm](?:\+\d{1,3}[gdm])*/
NUMBER: /\d{1,3}/
RATIO: /\d{1,2}[:-]\d{1,2}/
""",
    examples=EXAMPLES,
    words=WORDS,
    vague=("NAME", "HQ"),
    dialect=DIALECT,
)
"""One order a line; blanks, commas, comments, capitals and shortened words are common to all systems."""


class Wrong(NamedTuple):
    """What stands in the way of an order: the ledger's code for it, words, the rule, and what would do."""

    code: str
    why: str
    rule: str = "WE-ORD-01"
    instead: str = ""


def complaint(line: Line, judgement: Judgement, wrong: Wrong, token: Word | None = None) -> Complaint:
    """A complaint about a line, or about one word of it; it begins with the ledger's code."""
    why = f"{wrong.code}: {wrong.why}" if wrong.code else wrong.why
    return refusal.complaint(line, judgement, refusal.Wrong(why, wrong.rule, wrong.instead), token)


def nests(text: str) -> bool:
    """Whether a line begins a block of lines, up to its `END`.

    >>> nests("ACT A2"), nests("  sub G3"), nests("action stations")
    (True, True, False)
    """
    return _NESTS.match(text) is not None


_NESTS = re.compile(r"\s*(?:act(?:ivate)?|sub)(?![^\s,:])", re.IGNORECASE)
