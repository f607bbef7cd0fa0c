"""The order language: one line is one order (KS-ORD-11).

Names are found in a line before it is parsed (`lexicon`): each is then one token, marked by what it names.  Where no
lexicon has been over a line, or it knows no such name, a name is a plain word, and whoever reads the tree judges it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from pbem.ground.bearing import COMPASS
from pbem.orders.grammar import Grammar
from pbem.systems.kriegsspiel.sheets.dialect import DIALECT
from pbem.systems.kriegsspiel.tables.formation import FORMATIONS
from pbem.systems.kriegsspiel.tables.orders import REACTIONS

MARKS = {"unit": "\ue000", "person": "\ue001", "place": "\ue002"}
"""What a name found in a line begins with."""

REST = "\ue00f"
"""What stands for every other character of a name, so that columns stay."""

REACTION_KEYS = tuple(dict.fromkeys(key.split()[0] for key in REACTIONS))
"""The keys of reactions, without the troops they are for."""

RATES = ("walk", "march", "trot", "gallop", "run", "fast")
"""The words for rates (KS-MOV-07)."""

ARMS: Mapping[str, str] = {
    "infantry": "infantry", "cavalry": "cavalry", "battery": "battery", "batteries": "battery",
    "artillery": "battery", "guns": "battery", "skirmishers": "skirmishers",
}  # fmt: skip
"""The words for the arm of a target, and what each means."""

EXAMPLES: Mapping[str, str] = {
    "ride to": "ride to Galgenberg by nordquer",
    "ride with": "ride with 3/I",
    "stay": "stay",
    "look": "look NNE",
    "look at": "look at Galgenberg",
    "wake at": "wake at 08:30",
    "wake if": "wake if enemy within 800 of muehlrode_bridge",
    "wake off": "wake off W6",
    "say": "say Kessel: I take the left.",
    "take command": "take command of 3/F",
    "hand": "hand U3/1 to Kessel",
    "staff observe": "staff: observe Ostberg by oststrasse",
    "staff back": "staff: back",
    "on arrival": "on arrival: voice 3/I: attack Dornach",
    "letter": "letter Brandt: Enemy column on the east road, 3 battalions, 07:10.",
    "parley": "parley: I ask for an hour to bring in the wounded.",
    "cancel paper": "cancel paper 2",
    "offer end": "offer end",
    "note join": "note join e12 e14",
    "note drop": "note drop e9",
    "voice": "voice 3/I: halt",
    "to": "to 3/I: march to Muehlrode",
    "dispatch": "dispatch Kessel by weststrasse copies 2 urgent no receipt",
    "text": "text: Hold until the 12-pounders are up.",
    "end": "end",
    "start": "start U3/1 at 3620,3900 facing N in cav_line",
    "enter": "enter C4 by ost_hagen",
    "give": "give 12F2 to Kessel",
    "intention": "intention: Hold both bridges till the brigade is up.",
    "march": "to 1/F: march to Kreuzweg in section_column",
    "march concealed": "to H5/1: march concealed to hagen by hagenweg",
    "follow": "to 1/II: follow 1/I at 200",
    "halt": "to 1/I: now halt",
    "hold": "to 3/F: hold until 09:30",
    "hold concealed": "to U3/1: hold concealed Birkenbusch until enemy within 100",
    "form": "to 1/I: form line facing N on 3700,2600",
    "face": "to 1/I: face NE",
    "shift": "to 1/I: shift left 150",
    "deploy": "to brigade_asmus: deploy brigade_asmus in two lines distance 200 interval 25 facing S on 3700,2600",
    "support": "to 1/II: support 1/I at 200",
    "cover": "to 1/II: cover 6F3",
    "skirmishers out": "to 1/F: skirmishers out 4 200 ahead toward Kreuzweg",
    "skirmishers in": "to 1/F: skirmishers in",
    "fire at will": "to 1/F: fire at will",
    "fire on": "to 6F3: fire on battery near Ostberg with shot",
    "cease fire": "to 6F3: cease fire",
    "hold fire": "to 1/F: hold fire until 100",
    "attack": "to 1/F: attack Dornach in attack_column with bayonet after 4 moves fire",
    "charge": "to H5/1: charge battery at 4400,3300 by waves 2",
    "retire": "to 1/F: retire to Ziegelei by lines",
    "occupy": "to 1/F: occupy Neuwerk side N with 1 half battalions in reserve",
    "fortify": "to 1/F: fortify Neuwerk",
    "barricade": "to 1/F: barricade muehlrode_bridge",
    "clear": "to 1/F: clear muehlrode_bridge",
    "dig": "to 1/F: dig earthwork at 3700,2600 facing N length 300",
    "limber": "to 6F3: limber",
    "unlimber": "to 6F3: unlimber facing N wide refused",
    "prolonge": "to 6F3: prolonge forward 100",
    "send wagons": "to 6F3: send wagons to Ziegelei",
    "bombard": "to 6F3: bombard Neuwerk until fire",
    "breach": "to 6F3: breach oberhofmauer at 2320,2070",
    "batter": "to 6F3: batter neuwerk_bridge",
    "build": "to PT: build pontoon bridge at 5200,2700 for all",
    "dismantle": "to PT: dismantle neuwerk_bridge",
    "prepare": "to PB: prepare muehlrode_bridge for blowing timed",
    "blow": "to PB: blow muehlrode_bridge when enemy crosses muehlrode_bridge",
    "burn": "to J2/b: burn neuwerk_bridge",
    "tear up": "to J2/b: tear up neuwerk_bridge",
    "remove": "to J2/b: remove neuwerk_bridge",
    "repair": "to PR: repair neuwerk_bridge",
    "put out": "to J2/b: put out fire at neuwerk_bridge",
    "embark": "to 3/I: embark at 3480,3050 to 3400,3200 in m_faehren",
    "land": "to 3/I: land",
    "take boats": "to 3/I: take boats m_faehren to 3000,2950",
    "swim": "to U3/1: swim to 3000,3050",
    "patrol": "to H5/4: patrol size 10 to Dornach, Ostberg return report to Dorn wide",
    "post": "to H5/4: post at Galgenberg size 10",
    "detach": "to 3/I: detach half right as 3/Ib",
    "rejoin": "to 3/Ib: rejoin 3/I",
    "escort": "to 1/F: escort prisoners to Altenfeld",
    "release": "to 1/F: release prisoners",
    "dismount": "to D2/1: dismount",
    "mount": "to D2/1: mount",
    "report": "to 1/F: report when at Kreuzweg",
    "rest": "to 1/F: rest",
    "guard": "to U3/1: guard left of 3/I at 300",
    "observe": "to U3/1: observe e3 at 900",
    "outposts": "to U3/1: outposts from Galgenberg to Dornach posts 4",
    "pursue": "to U3/1: pursue e2 4 moves not beyond Lohe",
    "relieve": "to 1/I: relieve 1/F",
    "make way": "to 1/I: make way for 6F3",
    "demonstrate": "to 1/I: demonstrate against Neuwerk to 400",
    "rally": "voice 1/I: rally",
    "order of march": "to brigade_asmus: order of march 1/II, 1/I, 6F3",
    "signal": "to 6F3: signal 3",
    "withdraw guns": "to 6F3: withdraw guns",
    "words": "to 1/F: words: lure them toward the gardens, then turn",
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
order: "ride" "to" spot by?                              -> ride_to
     | "ride" "with"? unit                               -> ride_with
     | "stay"                                            -> stay
     | "look" "at"? direction                            -> look
     | "wake" "at" TIME                                  -> wake_at
     | "wake" ("if" | "when") condition                  -> wake_if
     | "wake" (ON | OFF) CODE                            -> wake_switch
     | "say" person ":" TEXT                             -> say
     | "take" "command" "of" unit                        -> take_command
     | "hand" unit "to" person                           -> hand_over
     | "staff" ":"? "observe" spot by?                   -> staff_observe
     | "staff" ":"? "back"                               -> staff_back
     | "on" "arrival" ":" order                          -> on_arrival
     | "cancel" "paper" NUMBER                           -> cancel_paper
     | "offer" "end"                                     -> offer_end
     | "note" "join" entry entry                         -> note_join
     | "note" "drop" entry                               -> note_drop
     | "parley" ":" TEXT                                 -> parley
     | "voice" unit COLON line                           -> voice
     | "to" who head* COLON line                         -> to
     | "dispatch" who head* ":"?                         -> dispatch
     | "letter" "to"? who head* ":" TEXT                 -> letter
     | "letter" "to"? who head*                          -> letter_block
     | "text" ":" TEXT                                   -> text
     | "end"                                             -> end
     | "start" unit "at" spot (facing | in_form)*        -> start
     | "enter" unit "by" spot                            -> enter
     | "give" unit "to" person                           -> give
     | "intention" ":" TEXT                              -> intention
     | line                                              -> block_line

head: by | "copies" NUMBER -> copies | "urgent" -> urgent | "no" "receipt" -> no_receipt
by: "by" spot+

line: unit? (trigger COLON)? (THEN | NOW)? deed
trigger: "at" TIME                                       -> at_time
       | ("when" | "if") condition                       -> when
       | "after" WORD+                                   -> after

deed: ("march" | "advance" | "go") "to" spot march_option*      -> march
    | ("march" | "advance" | "go") "concealed" "to" spot march_option* -> march_concealed
    | "follow" unit at_paces?                            -> follow
    | "halt"                                             -> halt
    | ("hold" | "defend") spot? (last | until)*          -> hold
    | ("hold" | "defend") "concealed" spot? until?       -> hold_concealed
    | "hold" "fire" ("until" paces)?                     -> hold_fire
    | "form" FORMATION (facing | on)*                    -> form
    | "face" direction                                   -> face
    | "shift" STEP paces                                 -> shift
    | "deploy" unit deploy_option*                       -> deploy
    | "support" unit at_paces?                           -> support
    | "cover" unit                                       -> cover
    | "skirmishers" "out" out_option*                    -> skirmishers_out
    | "skirmishers" "in"                                 -> skirmishers_in
    | "fire" "at" "will"                                 -> fire_at_will
    | "fire" "on" target ("with"? AMMUNITION)?           -> fire_on
    | "cease" "fire"                                     -> cease_fire
    | "attack" target attack_option*                     -> attack
    | "charge" target (in_form | waves)*                 -> charge
    | ("retire" | "retreat" | "fall" "back") "to" spot (PACE | by_lines | by)* -> retire
    | "occupy" spot (side_of | kept)*                    -> occupy
    | "fortify" spot                                     -> fortify
    | "barricade" spot at_spot?                          -> barricade
    | "clear" spot                                       -> clear
    | "dig" "earthwork" (at_spot | facing | long)*       -> dig
    | "limber"                                           -> limber
    | "unlimber" (facing | WIDTH | REFUSED)*             -> unlimber
    | "prolonge" HAUL paces                              -> prolonge
    | "send" "wagons" "to" spot                          -> send_wagons
    | "bombard" spot (until_fire | moves)?               -> bombard
    | "breach" spot at_spot?                             -> breach
    | "batter" spot                                      -> batter
    | "build" BRIDGE "bridge" "at" spot ("for" LOAD)?    -> build
    | "dismantle" spot                                   -> dismantle
    | "prepare" spot "for" CHARGE TIMED?                 -> prepare
    | "blow" spot as_soon?                               -> blow
    | "burn" spot as_soon?                               -> burn
    | "tear" "up" spot                                   -> tear_up
    | "remove" spot                                      -> remove
    | "repair" spot                                      -> repair
    | "put" "out" "fire" "at" spot                       -> put_out
    | "embark" "at" spot "to" spot in_boats?             -> embark
    | "land"                                             -> land
    | "take" "boats" spot "to" spot                      -> take_boats
    | "swim" "to" spot                                   -> swim
    | "patrol" patrol_option* "to" spot+ patrol_option*  -> patrol
    | "post" size? "at" spot size?                       -> post
    | "detach" "half" SIDE "as" new                      -> detach
    | "detach" "squadron" NUMBER "as" new                -> detach
    | "rejoin" unit                                      -> rejoin
    | "escort" "prisoners" escorts? "to" spot escorts?   -> escort
    | "release" "prisoners"                              -> release
    | "dismount"                                         -> dismount
    | "mount"                                            -> mount
    | "report" NOW?                                      -> report
    | "report" "at" TIME                                 -> report_at
    | "report" as_soon                                   -> report
    | "rest"                                             -> rest
    | "guard" SIDE "of" unit at_paces                    -> guard
    | "observe" target at_paces?                         -> observe
    | "outposts" "from" spot "to" spot posts?            -> outposts
    | "pursue" target (moves | beyond)*                  -> pursue
    | "relieve" unit                                     -> relieve
    | "make" "way" "for" unit                            -> make_way
    | "demonstrate" "against" spot ("to" paces)?         -> demonstrate
    | "rally"                                            -> rally
    | "order" "of" "march" unit+                         -> order_of_march
    | "signal" NUMBER                                    -> signal
    | "withdraw" "guns"                                  -> withdraw_guns
    | "words" ":" TEXT                                   -> words
    | "react" KEY value                                  -> react
    | "cancel" "when" condition                          -> cancel_when

march_option: by | across | in_form | rate | facing | join
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
deploy_option: "in" LINES -> lines | "interval" paces -> interval | "distance" paces -> apart
             | "reserve" unit -> reserve | "guns" SIDE -> guns | facing | on | in_form
out_option: paces "ahead" -> ahead | NUMBER "zugs"? -> zugs | "in" "intervals" -> intervals
          | "toward" spot -> toward | "half" -> half
attack_option: in_form | waves | "with"? "bayonet" -> bayonet | "after" NUMBER ("moves" | "move") "fire" -> after_fire
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
patrol_option: size | RETURN | CARE | "report" "to" person -> report_to
size: "size" NUMBER | "size"? WHOLE

target: ENTRY
      | "enemy"? ARM? ("at" | "near") spot               -> at_place
      | "enemy"? NEAREST "enemy"? ARM?                   -> nearest
      | spot                                             -> place

?condition: both ("or" both)*                            -> or_
?both: single ("and" single)*                            -> and_
?single: "not" single                                    -> not_
       | "not" "attacked" "by" TIME                      -> not_attacked
       | "(" condition ")"
       | "at" spot                                       -> at
       | TIME                                            -> time
       | unit "at" spot                                  -> unit_at
       | "word" "from" person                            -> word_from
       | "attacked" ("by" ATTACKER)?                     -> attacked
       | "fired" "on" ("by" FIRED_BY)?                   -> fired_on
       | "enemy" "within" paces ("of" spot)?             -> enemy_within
       | "enemy" "at" spot                               -> enemy_at
       | "enemy" "crosses" spot                          -> crosses
       | "losses" "over" PERCENT                         -> losses
       | unit DOES                                       -> unit_does
       | crossing IS                                     -> crossing_is
       | "relieved"                                      -> relieved
       | "fire" "seen" "at" spot                         -> fire_seen
       | "signal" "gun" NUMBER                           -> signalled

value: VALUE                                             -> plain
     | BACK ("to"? spot)?                                -> back_to
     | BACK paces                                        -> back_by
     | BACK "at" (RATIO | PERCENT)                       -> back_at
     | "until" paces                                     -> stay_until
     | "hold" ("until" paces)?                           -> hold_until
     | "pursue" NUMBER ("moves" | "move")?               -> pursue_for

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

GRAMMAR = Grammar(
    _TEXT.replace("@POINTS@", _any([point.casefold() for point in COMPASS]))
    .replace("@FORMATIONS@", _any(FORMATIONS))
    .replace("@RATES@", _any(RATES))
    .replace("@ARMS@", _any(ARMS))
    .replace("@KEYS@", _any(REACTION_KEYS))
    .replace("@VALUES@", _any(_VALUES)),
    examples=EXAMPLES,
    words=WORDS,
    vague=("WORD", "TEXT"),
    dialect=DIALECT,
)
"""One order a line; blanks, commas, comments, capitals and shortened words are common to all systems."""

_WORDS = [*re.findall(r'"([a-z]+)"', _TEXT), *FORMATIONS, *_VALUES, *REACTION_KEYS]
KEYWORDS = frozenset(
    [*_WORDS, *(part for word in _WORDS for part in word.split("_")), *RATES, *ARMS, "now", "immediately"]
)
"""The words that the language itself has."""


def opens(text: str) -> bool:
    """Whether a line begins a paper of several lines, up to `end`.

    >>> opens("dispatch Kessel urgent"), opens("letter Brandt"), opens("letter Brandt: come")
    (True, True, False)
    """
    return _OPENS.match(text) is not None


_OPENS = re.compile(r"\s*(?:dispatch\s|letter\s[^:]*$)", re.IGNORECASE)
