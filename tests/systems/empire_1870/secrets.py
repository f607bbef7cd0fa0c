"""What each side of 1870 must not know of the other: strengths out of sight, RP, programmes, standing orders."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from pbem.kernel.names import Moment, Role
from pbem.systems.empire_1870.sheets.language import GRAMMAR
from pbem.systems.empire_1870.world.parts import FRENCH, GERMAN
from pbem.systems.empire_1870.world.state import War
from tests.systems.empire_1870.doctrine import Commander
from tests.systems.play import Game
from tests.systems.secret import Exchange, Secret

__all__ = ["GRAMMAR", "SECRETS", "likely", "waiting"]

FRENCH_TRIES = (
    "DIV 2407 3SP MARCH 2406",
    "ACT F2\n  SELF 10SP MARCH 2405 ATTACK IF ODDS >= 1:2\nEND",
    "ACT F4\n  SELF 12SP ASSAULT 2305\nEND",
    "MOBILIZE 1SP AT Metz",
    "REACT CHASSEPOT MIN 4",
)
GERMAN_TRIES = (
    "DIV 2605 3SP MARCH 2705",
    "ACT G8\n  SELF 8SP MARCH 2306 ATTACK IF ODDS >= 1:2 ELSE WAIT\nEND",
    "ACT A1\n  SELF 12SP MARCH 2405 2406 ATTACK\nEND",
    "MOBILIZE 2SP AT Mainz",
)


def _german(sheet: str, *, first: bool = False) -> tuple[Exchange, ...]:
    """A sheet of the Germans: their set-up, or their first programme."""
    return (Exchange(), Exchange({GERMAN: sheet})) if not first else (Exchange(), Exchange(), Exchange({GERMAN: sheet}))


SECRETS = (
    Secret(
        name="how strong the Germans are behind their front",
        scenario="france-1870",
        owner=GERMAN,
        blind=FRENCH,
        one=_german("SETUP 4SP OF A2 AT 2503"),
        other=_german("SETUP 4SP OF A2 AT 2603"),
        probes=FRENCH_TRIES,
    ),
    Secret(
        name="where a German HQ is behind the front",
        scenario="france-1870",
        owner=GERMAN,
        blind=FRENCH,
        one=_german("SETUP G9 AT 2603"),
        other=_german("SETUP G9 AT 2604"),
        probes=FRENCH_TRIES,
    ),
    Secret(
        name="where the Germans stand, out of sight",
        scenario="france-1870",
        options={"fog": "blind"},
        owner=GERMAN,
        blind=FRENCH,
        one=_german("SETUP 4SP OF A2 AT 2602\nSETUP G9 AT 2602"),
        other=_german("SETUP 4SP OF A2 AT 2502\nSETUP G9 AT 2502"),
        probes=FRENCH_TRIES,
    ),
    Secret(
        name="how strong the French are behind theirs",
        scenario="france-1870",
        options={"german_sees_setup": False},
        owner=FRENCH,
        blind=GERMAN,
        one=(Exchange({FRENCH: "SETUP 4SP AT 2108"}),),
        other=(Exchange({FRENCH: "SETUP 6SP AT 2108"}),),
        probes=GERMAN_TRIES,
    ),
    Secret(
        name="a programme that waits",
        scenario="france-1870",
        owner=GERMAN,
        blind=FRENCH,
        one=_german("DIV 2605 3SP MARCH 2705 IF CONTROL Paris ELSE WAIT", first=True),
        other=_german("", first=True),
        silence=1,
        probes=FRENCH_TRIES,
    ),
    Secret(
        name="an entry that was skipped",
        scenario="france-1870",
        owner=FRENCH,
        blind=GERMAN,
        one=(Exchange(), Exchange(), Exchange({FRENCH: "DIV 2407 3SP MARCH 2406 IF CONTROL Mainz"})),
        other=(Exchange(), Exchange(), Exchange({FRENCH: "DIV 2407 3SP MARCH 2406 IF CONTROL Landau"})),
        silence=1,
        probes=GERMAN_TRIES,
    ),
    Secret(
        name="standing orders",
        scenario="france-1870",
        owner=FRENCH,
        blind=GERMAN,
        one=(Exchange(), Exchange(), Exchange({FRENCH: "REACT CHASSEPOT NEVER\nREACT LOSSES KEEP 3\nRECOVER NONE"})),
        other=(Exchange(), Exchange(), Exchange({FRENCH: "REACT CHASSEPOT MIN 9\nREACT RETREAT LONG"})),
        silence=1,
        probes=GERMAN_TRIES,
    ),
    Secret(
        name="an order that was refused",
        scenario="france-1870",
        owner=GERMAN,
        blind=FRENCH,
        one=_german("REACT ADVANCE ALL", first=True),
        other=_german("REACT ADVANCE NONE\nACT F2\n  SELF 3SP RALLY\nEND\nMOBILIZE 9SP AT Mainz", first=True),
        silence=1,
        probes=FRENCH_TRIES,
    ),
    Secret(
        name="how many resource points the Germans have",
        scenario="france-1870",
        owner=GERMAN,
        blind=FRENCH,
        one=(*_german("", first=True), Exchange(rulings="set german resource_points 12")),
        other=(*_german("", first=True), Exchange(rulings="set german resource_points 45")),
        silence=1,
        probes=FRENCH_TRIES,
    ),
)

STANDING = (
    "REACT CHASSEPOT MIN 3",
    "REACT CHASSEPOT COLUMN 2",
    "REACT CAVALRY ALWAYS",
    "REACT ARTILLERY ATTACK ALWAYS",
    "REACT ARTILLERY DEFENCE MAX 9",
    "REACT REROLL LOW 4 ALWAYS",
    "REACT LOSSES CONCENTRATE",
    "REACT RETREAT LONG",
    "REACT GARRISON LEAVE",
    "REACT ADVANCE ALL",
    "RECOVER RESERVE 4",
    "PASS",
)


def likely(game: Game, role: Role) -> Sequence[str]:
    """What a commander would write, and standing orders, in any order."""
    mind: War = game.world.minds[role]
    lines = Commander(game.scene, mind, role, Random(f"{game.luck}/{mind.turn}/{mind.pulse}/{role}")).sheet()
    return [*lines, *STANDING]


def waiting(game: Game) -> set[tuple[Role, Moment, int]]:
    """The entries of a programme that have not come up: they are answered later."""
    programme, turn = game.world.truth.programme, game.pause.moment.turn
    return {(role, Moment(turn, one.sheet), one.order.line) for role, entries in programme.items() for one in entries}
