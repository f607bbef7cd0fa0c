"""The order language: one order a line (the ledger's `Orders`)."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.orders.grammar import Grammar
from pbem.orders.kindness import Dialect

EXAMPLES: Mapping[str, str] = {
    "fire": "FR-3 fire PR-2",
    "move": "FR-6 move NE 6",
    "move to": "PR-1 move to 52,50 via 52,55 facing S",
    "move half": "PR-1 move half to 52,55 then fire nearest",
    "fire then": "FR-2 fire nearest then move half N 3",
    "wheel": "PR-4 wheel left 45 then move SE 6",
    "face": "FR-2 face E",
    "form": "PR-3 form line then fire nearest",
    "charge": "FR-Z1 charge contact 3 if within 12 else fire nearest",
    "prone": "FR-5 prone then fire nearest",
    "rise": "FR-5 rise then move half N 3",
    "rally": "FR-4 rally then fire nearest",
    "clear": "FR-M1 clear",
    "cross": "PR-A1 cross",
    "none": "FR-6 none",
    "officer": "officer FO-1 attach FR-2 after FR-2",
    "officer move": "officer FO-1 move to 60,30 first",
    "officer lead": "officer KO-1 lead PR-1, PR-2, PR-3 move S 8",
    "joker": "joker PR-7 charge FR-3",
    "star": "star FR-A1 fire nearest",
    "policy": "policy shaken prone",
    "policy defensive-fire": "policy defensive-fire no",
    "policy advance": "policy advance yes",
    "policy after-melee": "policy after-melee hold",
    "policy joker-order": "policy joker-order PR-1, PR-4",
}
"""One full example of each order, by what it is for."""

WORDS = {
    "ID": "a unit or officer, like PR-4",
    "NUMBER": "a number",
    "POINT": "a point, like 52,55",
    "NAME": "a place of the map",
    "DIR": "a direction, like NE or 225",
    "DEFENSIVE": "defensive-fire",
    "AFTERMELEE": "after-melee",
    "JOKERORDER": "joker-order",
}
"""Terminals that are no literal words, in words."""

DIALECT = Dialect(
    lengths=("inches", "inch", "ins", "in", '"', "''", "\u2033", "figures"),
    words={"hold": "none", "halt": "none", "stay": "none", "wait": "none", "stand": "none", "change": "form"},
    names=r"[a-z]{1,3}-[a-z]?\d{1,3}",
    leads=True,
    forms={
        r"^([a-z]o-?\d{1,3}):?\s+(attach|move|lead|ride)": r"officer \1 \2",
        r"\blimbers?(?:\s+up)?\b": "form limbered",
        r"\b(?:unlimbers?|deploys?)\b": "form deployed",
        r"\b(?:changes?|forms?)\s+(?:up\s+)?(?:in)?to\b": "form",
        r"\bride(?:s)?\s+to\b": "move to",
    },
)
"""How its players write."""

GRAMMAR = Grammar(
    r"""
order: ID alternatives                                   -> unit
     | "joker" ID alternatives                           -> joker
     | "star" ID alternatives                            -> star
     | "officer" ID "attach" ID timing?                  -> attach
     | "officer" ID "move" "to" spot timing?             -> ride
     | "officer" ID "lead" ID+ action                    -> lead
     | "policy" "shaken" (COVER | PRONE)                 -> policy_shaken
     | "policy" DEFENSIVE (YES | NO)                     -> policy_defensive
     | "policy" "advance" (YES | NO)                     -> policy_advance
     | "policy" AFTERMELEE (FIRE | HOLD)                 -> policy_after
     | "policy" JOKERORDER ID+                           -> policy_joker

alternatives: alternative ("else" alternative)*
alternative: action then? provided?
then: "then" action
provided: "if" condition

action: FIRE foe ("and" foe)*                            -> fire
      | "move" HALF? course facing?                      -> move
      | "wheel" (LEFT | RIGHT) NUMBER                    -> wheel
      | "face" way                                       -> face
      | "form" (LINE | COLUMN | SKIRMISH | DEPLOYED | LIMBERED) -> form
      | "charge" foe                                     -> charge
      | PRONE                                            -> prone
      | "rise"                                           -> rise
      | "rally"                                          -> rally
      | "clear"                                          -> clear
      | "cross"                                          -> cross
      | "none"                                           -> none

course: way NUMBER                                       -> by
      | "to" spot via?                                   -> to
via: "via" spot
facing: "facing" way
way: DIR | NUMBER
spot: POINT | NAME+
foe: ID                                                  -> foe
   | "contact" NUMBER                                    -> contact
   | "nearest"                                           -> nearest
of: "of" foe

condition: "within" NUMBER of?                           -> within
         | "in" "range" of?                              -> in_range
         | "target" (SHAKEN | WITHDRAWN | ROUTED)        -> target
         | "not" "seen"                                  -> not_seen
         | "loss" ">=" NUMBER                            -> loss

timing: "first"                                          -> first
      | "with" ID                                        -> with_
      | "after" ID                                       -> after

FIRE: "fire"
HOLD: "hold"
HALF: "half"
LEFT: "left"
RIGHT: "right"
LINE: "line"
COLUMN: "column"
SKIRMISH: "skirmish"
DEPLOYED: "deployed"
LIMBERED: "limbered"
PRONE: "prone"
COVER: "cover"
YES: "yes"
NO: "no"
SHAKEN: "shaken"
WITHDRAWN: "withdrawn"
ROUTED: "routed"

DEFENSIVE: /defensive[- ]fire/
AFTERMELEE: /after[- ]melee/
JOKERORDER: /joker[- ]order/
ID: /[a-z]{1,3}-[a-z]?\d{1,3}/
POINT: /\d{1,3}(?:\.\d+)?\s*,\s*\d{1,3}(?:\.\d+)?/
NUMBER: /\d{1,3}(?:\.\d+)?/
DIR: /[ns](?:[ns]?[ew])?|[ew](?:[ns][ew])?/
NAME: /[^\W\d_]+(?:[-'][^\W\d_]+)*/
""",
    examples=EXAMPLES,
    words=WORDS,
    vague=("NAME",),
    dialect=DIALECT,
)
"""Blanks, commas, comments, capitals and shortened words are common to all systems."""
