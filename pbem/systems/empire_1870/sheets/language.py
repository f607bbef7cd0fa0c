"""The order language: its grammar, its words, and its examples as each side would write them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pbem.kernel.names import Role
from pbem.orders.grammar import Grammar
from pbem.orders.kindness import Dialect
from pbem.orders.verbs import examples, rules
from pbem.systems.empire_1870.sheets import verbs
from pbem.systems.empire_1870.world.parts import FRENCH, GERMAN

EXAMPLES = examples(verbs.VERBS)
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

KEPT = (
    "all", "no", "none", "lead", "skip", "wait", "stay", "assault", "always", "never", "min", "column", "odds",
    "attack", "defence", "reserve", "max", "low", "losing", "spread", "concentrate", "keep", "short", "long",
    "fortress", "to", "leave",
)  # fmt: skip
"""Words that say something by themselves, and so are kept of a line."""

GRAMMAR = Grammar(
    rules(
        {
            "order": verbs.VERBS,
            "?action": verbs.ACTIONS,
            "leg": verbs.LEGS,
            "option": verbs.OPTIONS,
            "advance": verbs.ADVANCES,
            "condition": verbs.CONDITIONS,
            "reaction": verbs.REACTIONS,
            "scope": verbs.SCOPES,
        }
    )
    + r"""
place: HEX | NAME
?amount: SP | GRADED | ALL
join: "join" joined+
joined: HQ ["=" amount]
from: "from" place "=" amount
with: "with" HQ+
provided: "if" condition ("and" condition)* ["else" otherwise]
provided_block: "if" condition ("and" condition)* ["else" (SKIP | WAIT)]
?otherwise: SKIP | WAIT | action

"""
    + "\n".join(f'{word.upper()}: "{word}"' for word in KEPT)
    + r"""
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
    system="empire-1870",
)
"""One order a line; blanks, commas, comments, capitals and shortened words are common to all systems."""


def nests(text: str) -> bool:
    """Whether a line begins a block of lines, up to its `END`.

    >>> nests("ACT A2"), nests("  sub G3"), nests("action stations")
    (True, True, False)
    """
    return _NESTS.match(text) is not None or _NESTS.match(GRAMMAR.glossed(text)) is not None


_NESTS = re.compile(r"\s*(?:act(?:ivate)?|sub)(?![^\s,:])", re.IGNORECASE)
