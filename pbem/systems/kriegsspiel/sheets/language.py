"""The order language: one line is one order (KS-ORD-11).

Its verbs stand in `acts` and `deeds`, its conditions in `sentence`, its reactions in `lines`; what is here joins them.

Names are found in a line before it is parsed (`marking`): each is then one token, marked by what it names.  Where
none was looked for, or there is no such name, a name is a plain word, and whoever reads the tree judges it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from pbem.ground.bearing import COMPASS
from pbem.orders.grammar import Grammar
from pbem.orders.verbs import examples, rules
from pbem.systems.kriegsspiel.sheets.acts import ACTS, HIMSELF, NOTES, SETUP
from pbem.systems.kriegsspiel.sheets.deeds import DEEDS
from pbem.systems.kriegsspiel.sheets.dialect import DIALECT
from pbem.systems.kriegsspiel.sheets.lines import VALUES
from pbem.systems.kriegsspiel.sheets.sentence import ARMS, TESTS
from pbem.systems.kriegsspiel.tables.formation import FORMATIONS
from pbem.systems.kriegsspiel.tables.orders import REACTIONS

REACTION_KEYS = tuple(dict.fromkeys(key.split()[0] for key in REACTIONS))
"""The keys of reactions, without the troops they are for."""

RATES = ("walk", "march", "trot", "gallop", "run", "fast")
"""The words for rates (KS-MOV-07)."""

EXAMPLES: Mapping[str, str] = {
    **examples(HIMSELF),
    "on arrival": "on arrival: voice 3/I: attack Dornach",
    "letter": "letter Brandt: Enemy column on the east road, 3 battalions, 07:10.",
    **examples(NOTES),
    "voice": "voice 3/I: halt",
    "to": "to 3/I: march to Muehlrode",
    "dispatch": "dispatch Kessel by weststrasse copies 2 urgent no receipt",
    "text": "text: Hold until the 12-pounders are up.",
    "end": "end",
    **examples(SETUP, DEEDS),
    "react": "to 1/F: react attacked retire Ziegelei",
    "at": "to 1/F: at 08:30: march to Muehlrode",
    "when": "to 1/F: when at Kreuzweg: form line facing S",
    "if": "to 1/F: if attacked by cavalry and not at Kreuzweg or 08:30: halt",
    "after": "to 1/F: after march: form attack_column",
    "then": "to 1/F: then skirmishers out 4 200 ahead",
    "cancel when": "to 1/F: cancel when relieved",
}
"""One full example of each order, by the words that it begins with, after whom it is for."""

WORDS = {
    "UNIT": "a unit of yours, like 3/I",
    "PERSON": "a commander of your side",
    "PLACE": "a place of the map, like Kreuzweg",
    "POINT": "a point, like 3700,2600",
    "HERE": "here",
    "DIRECTION": "a direction, like NNE or bearing 240",
    "ENTRY": "an entry of your page, like e3",
    "TIME": "a time, like 08:30",
    "NUMBER": "a number",
    "PERCENT": "a part, like 20%",
    "RATIO": "a ratio, like 3:2",
    "CODE": "an interrupt, like W6",
    "TEXT": "a text",
    "FORMATION": "a formation, like attack_column",
    "RATE": "a rate: walk, march, trot, gallop, run or fast",
    "LINES": "one line or two lines",
    "ARM": "infantry, cavalry, battery or skirmishers",
    "ATTACKER": "cavalry, infantry or superior force",
    "FIRED_BY": "artillery or canister",
    "DOES": "attacks, retires or arrives",
    "IS": "ready, destroyed or lost",
    "AMMUNITION": "canister, shot, shell or random",
    "SIDE": "left or right",
    "STEP": "left, right, back or forward",
    "HAUL": "forward or back",
    "WIDTH": "wide or narrow",
    "PACE": "slow or fast",
    "BRIDGE": "pontoon, trestle or floating",
    "LOAD": "infantry or all",
    "CHARGE": "blowing or burning",
    "RETURN": "return or stay",
    "CARE": "wide or careful",
    "NOW": "now",
    "KEY": "what it is to react to, like attacked",
    "VALUE": "what it then does, like stand",
    "BACK": "retire, withdraw or retreat",
    "WORD": "a name of yours or of the map",
}
"""Terminals that are no literal words, in words."""


def _any(words: Collection[str]) -> str:
    """A pattern of any of *words*, the longest first; blank and `_` are alike in them."""
    longest = sorted(words, key=lambda word: (-len(word), word))
    return "|".join(word.replace("_", r"[\s_-]+") for word in longest)


_VALUES = (
    "stand", "countercharge", "square", "stay", "fall_back", "shift_cover", "halt", "return", "pursue_without_halt",
    "report", "report_and_halt", "report_and_attack", "ignore", "at_will", "canister_only", "rejoin", "repeat",
    "escort", "leave", "none",
)  # fmt: skip

_TEXT = r"""
?order: act
     | "on" "arrival" ":" order                          -> on_arrival
     | "voice" unit COLON line                           -> voice
     | "to" who head* COLON line                         -> to
     | "dispatch" who head* ":"?                         -> dispatch
     | "letter" "to"? who head* ":" TEXT                 -> letter
     | "letter" "to"? who head*                          -> letter_block
     | "text" ":" TEXT                                   -> text
     | "end"                                             -> end
     | line                                              -> block_line

?head: by | "copies" NUMBER -> copies | "urgent" -> urgent | "no" "receipt" -> no_receipt
by: "by" spot+

line: unit? (trigger COLON)? (THEN | NOW)? deed
trigger: "at" TIME                                       -> at_time
       | ("when" | "if") condition                       -> when
       | "after" WORD+                                   -> after

?deed: task
    | "react" KEY value                                  -> react
    | "cancel" "when" condition                          -> cancel_when

?march_option: by | across | in_form | rate | facing | join
across: "across"
in_form: "in" FORMATION
rate: "at" RATE
facing: "facing" direction
join: "join" unit
on: "on" spot
last: "to" "the"? "last"
until: "until" condition
as_soon: "when" condition
at_paces: "at" paces
at_spot: "at" spot
?deploy_option: "in" LINES -> lines | "interval" paces -> interval | "distance" paces -> apart
             | "reserve" unit -> reserve | "guns" SIDE -> guns | facing | on | in_form
?out_option: paces "ahead" -> ahead | NUMBER "zugs"? -> zugs | "in" "intervals" -> intervals
          | "toward" spot -> toward | "half" -> half
?attack_option: in_form | waves | "with"? "bayonet" -> bayonet | "after" NUMBER ("moves" | "move") "fire" -> after_fire
             | "support" unit -> with_support
waves: "by" "waves" NUMBER
by_lines: "by" "lines"
side_of: "side" DIRECTION
kept: "with"? NUMBER "half" ("battalions" | "battalion") "in" "reserve"
long: "length" paces
until_fire: "until" "fire"
moves: NUMBER ("moves" | "move")
beyond: "not" "beyond" spot
in_boats: "in" spot
posts: "posts" NUMBER
escorts: "with"? NUMBER "men"
?patrol_option: size | RETURN -> how | CARE -> how | "report" "to" person -> report_to
size: "size" NUMBER | "size"? WHOLE

target: ENTRY
      | "enemy"? ARM? ("at" | "near") spot               -> at_place
      | "enemy"? NEAREST "enemy"? ARM?                   -> nearest
      | spot                                             -> place

?condition: both ("or" both)*                            -> or_
?both: single ("and" single)*                            -> and_
?single: "not" single                                    -> not_
       | "(" condition ")"
       | test

direction: DIRECTION | spot
spot: PLACE | POINT | HERE | WORD | "unit" unit
unit: UNIT | WORD
person: PERSON | WORD
crossing: PLACE | WORD
who: UNIT | PERSON | HIGHER | WORD
new: UNIT | PERSON | PLACE | WORD
entry: ENTRY | NUMBER
paces: NUMBER "paces"?

COLON: ":"
THEN: "then"
NOW: /now|immediately/
ON: "on"
OFF: "off"
HIGHER: "higher"
WHOLE: "unit"
NEAREST: "nearest"
TIMED: "timed"
REFUSED: "refused"

UNIT: /\ue000[^\s,:()]*/
PERSON: /\ue001[^\s,:()]*/
PLACE: /\ue002[^\s,:()]*/
POINT: /\d{1,6}\s*,\s*\d{1,6}/
TIME: /\d{1,2}:\d{2}/
PERCENT: /\d{1,3}\s?%/
RATIO: /\d:\d(?!\d)|\d{1,2}\.\d{1,2}/
NUMBER: /\d{1,6}/
CODE: /w\d{1,2}/
TEXT: /\S.*/
ENTRY: /e\d{1,4}/
HERE: /here(?:\+\d{1,4}[nsew]{1,3})?/
DIRECTION: /bearing\s+\d{1,3}(?:\.\d{1,2})?|(?:@POINTS@)(?![\w\/+])/
FORMATION: /@FORMATIONS@/
RATE: /@RATES@/
LINES: /one[\s_]+line|two[\s_]+lines/
ARM: /@ARMS@/
ATTACKER: /cavalry|infantry|superior[\s_]+force/
FIRED_BY: /artillery|canister/
DOES: /attacks|retires|arrives/
IS: /ready|destroyed|lost/
AMMUNITION: /canister|shot|shell|random/
SIDE: /left|right/
STEP: /left|right|back|forward/
HAUL: /forward|back/
WIDTH: /wide|narrow/
PACE: /slow|fast/
BRIDGE: /pontoon|trestle|floating/
LOAD: /infantry|all/
CHARGE: /blowing|burning/
RETURN: /return|stay/
CARE: /wide|careful/
KEY: /@KEYS@/
VALUE: /@VALUES@/
BACK: /retire|withdraw|retreat/
WORD: /(?!here\b|(?:e\d{1,4}|@POINTS@)(?![\w\/+-]))(?=[^\s,:()]*[^\W\d])[^\s,:()\ue000-\ue00f]+/
"""

_LANGUAGE = f"{rules({'act': ACTS, 'task': DEEDS, 'test': TESTS, 'value': VALUES})}\n{_TEXT}"

GRAMMAR = Grammar(
    _LANGUAGE.replace("@POINTS@", _any([point.casefold() for point in COMPASS]))
    .replace("@FORMATIONS@", _any(FORMATIONS))
    .replace("@RATES@", _any(RATES))
    .replace("@ARMS@", _any(ARMS))
    .replace("@KEYS@", _any(REACTION_KEYS))
    .replace("@VALUES@", _any(_VALUES)),
    examples=EXAMPLES,
    words=WORDS,
    vague=("WORD", "TEXT"),
    dialect=DIALECT,
    system="kriegsspiel",
)
"""One order a line; blanks, commas, comments, capitals and shortened words are common to all systems."""

_WORDS = [*re.findall(r'"([a-z]+)"', _LANGUAGE), *FORMATIONS, *_VALUES, *REACTION_KEYS]
KEYWORDS = frozenset(
    [*_WORDS, *(part for word in _WORDS for part in word.split("_")), *RATES, *ARMS, "now", "immediately"]
)
"""The words that the language itself has."""


def opens(text: str) -> bool:
    """Whether a line begins a paper of several lines, up to `end`.

    >>> opens("dispatch Kessel urgent"), opens("letter Brandt"), opens("letter Brandt: come")
    (True, True, False)
    """
    return _OPENS.match(text) is not None or _OPENS_TOLD.match(GRAMMAR.glossed(text)) is not None


_OPENS = re.compile(r"\s*(?:dispatch\s|letter\s[^:]*$)", re.IGNORECASE)
_OPENS_TOLD = re.compile(r"\s*(?:dispatch\s|letter\s+to\s[^:]*$)", re.IGNORECASE)
"""The same in other languages, in which a sentence may as well begin with the word for a letter."""
