"""The order language, and what stands in the way of an order that is read by it."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.orders.grammar import Grammar
from pbem.orders.kindness import Dialect

EXAMPLES: Mapping[str, str] = {
    "initiative": "initiative take",
    "flank": "flank east",
    "charge-flank": "charge-flank west",
    "move": "UK-7 move SSW 8",
    "move to": "UK-7 move to Great Redoubt max 10 facing S",
    "move to via": "UK-33 move to 72,50 via 69,56",
    "follow": "UK-95 follow road max 12",
    "wheel": "UK-19 wheel left 30 then move 6",
    "face": "RU-5 face NE",
    "about": "RU-3 about then 4",
    "retire": "RU-7 retire 4",
    "shift": "UK-41 shift left 3",
    "prolong": "RU-A3 prolong S 3",
    "form": "UK-30 form line facing S",
    "charge": "RU-1 charge UK-7 else nearest",
    "charge contact": "RU-1 charge contact 3",
    "pull": "UK-33 pull double",
    "pull then": "UK-33 pull then move S 8",
    "hold": "UK-7, UK-33 hold",
    "attach": "BG-COD attach UK-33",
    "detach": "BG-COD detach",
    "brigadier": "brigadier BG-GDS fire unit UK-GG",
    "spend": "UK-23 spend fire",
    "fire": "UK-7 fire RU-A1 stands 2 and RU-1 stands 2",
    "bombard": "RU-A1 bombard contact 2",
    "hold-fire": "RU-9 hold-fire",
    "advance": "UK-33 advance no",
    "reinforce": "RU-10 reinforce to 56,24 max 8",
    "army-pull": "army-pull AC-1 when chits >= 3",
    "army-pull phase": "army-pull AC-1 phase charge",
    "policy": "policy cp B-GDS fire_save when-hits >= 3",
    "policy cp": "policy cp all melee if-attacked",
    "policy advance": "policy advance no B-HIG",
    "policy pull": "policy pull all when chits >= 2",
    "policy army-pull": "policy army-pull AC-1 when chits >= 4",
    "policy army-pull never": "policy army-pull AC-1 never",
    "deploy": "UK-7 deploy 61,64 facing S line",
}
"""One full example of each order, by its verb."""

WORDS = {
    "ID": "a unit or a leader, like UK-7",
    "NAME": "a place of the map, like Great Redoubt",
    "POINT": "x,y in inches, like 61,57.5",
    "NUMBER": "a number",
    "COMPASS": "a point of the compass, like SSW",
    "FORMATION": "a formation: line, double_line, column, road_column, square, skirmish, dismounted, "
    "limbered or unlimbered",
    "BENEFIT": "a benefit: move, pull, fire, fire_save, morale, melee or melee_save",
    "HALF": "east or west, left or right",
    "CHARGE_FLANK": '"charge-flank"',
    "ARMY_PULL": '"army-pull"',
    "HOLD_FIRE": '"hold-fire"',
    "WHEN": "always, if-attacked, if-charged or never",
    "WHEN_HITS": '"when-hits >= 3"',
    "PHASE": "a phase, like charge",
}
"""Terminals that are no literal words, in words."""

DIALECT = Dialect(
    lengths=("inches", "inch", "ins", "in", '"', "''", "\u2033"),
    words={"wait": "hold", "rally": "pull"},
    names=r"[a-z]{1,3}-[a-z0-9]{1,6}",
    leads=True,
    little=("with",),
    forms={
        r"^(take|give)\s+(?:the\s+)?initiative$": r"initiative \1",
        r"\b(?:with\s+)?(\d+)\s+stands?\b": r"stands \1",
        r"\b(?:changes?|forms?)\s+(?:up\s+)?(?:in)?to\b": "form",
        r"\blimbers?(?:\s+up)?\b": "form limbered",
        r"\bunlimbers?\b": "form unlimbered",
    },
)
"""How its players write."""

GRAMMAR = Grammar(
    r"""
order: "initiative" (TAKE | GIVE)                                -> initiative
     | "flank" HALF                                              -> flank
     | CHARGE_FLANK HALF                                         -> charge_flank
     | "brigadier" ID BENEFIT ["unit" ID]                        -> favour
     | ARMY_PULL ID ["phase" PHASE] [chits]                      -> army_pull
     | "policy" "cp" who BENEFIT (WHEN | hits)                   -> policy_cp
     | "policy" "advance" (YES | NO) who                         -> policy_advance
     | "policy" "pull" who (chits | NEVER)                       -> policy_pull
     | "policy" ARMY_PULL ID (chits | NEVER)                     -> policy_army
     | units action                                              -> units

units: ID+
who: ID | ALL
chits: "when" "chits" ">=" NUMBER
hits: WHEN_HITS ">=" NUMBER

?action: activity
       | HOLD_FIRE                                               -> hold_fire
       | "attach" ID                                             -> attach
       | "detach"                                                -> detach
       | "spend" BENEFIT                                         -> spend
       | "fire" part ("and" part)*                               -> fire
       | "bombard" enemy                                         -> bombard
       | "advance" (YES | NO)                                    -> advance
       | "reinforce" "to" place [most]                           -> reinforce
       | "deploy" place "facing" way [FORMATION]                 -> deploy

?activity: "move" way NUMBER                                     -> move
         | "move" "to" place extra*                              -> move_to
         | "follow" "road" [most]                                -> follow
         | "wheel" (LEFT | RIGHT) NUMBER [then]                  -> wheel
         | "face" way                                            -> face
         | "about" [then]                                        -> about
         | "retire" NUMBER                                       -> retire
         | "shift" (LEFT | RIGHT) NUMBER                         -> shift
         | "prolong" way NUMBER                                  -> prolong
         | "form" FORMATION ["facing" way]                       -> form
         | "charge" enemy ["else" NEAREST]                       -> charge
         | "pull" [DOUBLE]                                       -> pull
         | "pull" "then" activity                                -> pull_then
         | "hold"                                                -> hold

extra: most | "facing" way -> facing | "via" place -> via
most: "max" NUMBER
then: "then" ["move"] NUMBER
part: enemy ["stands" NUMBER]
enemy: ID | "contact" NUMBER                                     -> contact
place: POINT | NAME+
way: COMPASS | NUMBER

TAKE: "take"
GIVE: "give"
ALL: "all"
YES: "yes"
NO: "no"
NEVER: "never"
LEFT: "left"
RIGHT: "right"
NEAREST: "nearest"
DOUBLE: "double"

ID: /[a-z]{1,3}-[a-z0-9]{1,6}/
POINT: /\d{1,3}(?:\.\d{1,3})?\s*,\s*\d{1,3}(?:\.\d{1,3})?/
NUMBER: /\d{1,3}(?:\.\d{1,3})?/
COMPASS: /[ns](?:[ns]?[ew])?|[ew](?:[ns][ew])?/
NAME: /[^\W\d_]+(?:['-][^\W\d_]+)*/
FORMATION: /skirmish|double[_ -]line|road[_ -]column|line|column|square|dismounted|limbered|unlimbered/
BENEFIT: /fire[_ -]save|melee[_ -]save|fire|morale|melee|move|pull|charge/
HALF: /east|west|left|right/
CHARGE_FLANK: /charge[- ]flank/
ARMY_PULL: /army[- ]pull/
HOLD_FIRE: /hold[- ]fire/
WHEN: /always|if[- ]attacked|if[- ]charged|never/
WHEN_HITS: /when[- ]hits/
PHASE: /move|fire[_ ]artillery|fire[_ ]small|charge|melee|reinforce/
""",
    examples=EXAMPLES,
    words=WORDS,
    vague=("NAME",),
    dialect=DIALECT,
)
"""One order a line; blanks, commas, comments, capitals and shortened words are common to all systems."""
