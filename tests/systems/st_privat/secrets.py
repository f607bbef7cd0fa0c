"""What each side of St. Privat must not know of the other: its cards, its siege gun, its losses, its reactions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.ground.square import Square, beyond, distance, place, square
from pbem.kernel.names import Role
from pbem.systems.st_privat.world.language import GRAMMAR
from pbem.systems.st_privat.world.pieces import ENEMY, FRENCH, GUNS, PRUSSIAN, Piece
from pbem.systems.st_privat.world.state import Battle
from tests.systems.play import Game, files
from tests.systems.secret import Exchange, Secret

__all__ = ["GRAMMAR", "SECRETS", "likely"]

STE_MARIE = files("st-privat", "ste-marie")["forces"]["setup"]["french"]["orders"]
"""The French default of the small board: f1+f2 in D-4 with fd2 outside, fd3 and fd4 in D-3."""

EXCHANGED = (
    STE_MARIE.replace("place f1+f2 at D-4 in face n line", "place f1 at D-4 in face n line")
    .replace("dummy fd3 at D-3", "dummy fd3 at D-4 in")
    .replace("dummy fd4 at D-3 face n", "dummy fd4 at D-3 face n\nplace f2 at D-3 face n")
)
"""The same cards on the table: f2 has changed places with the dummy fd3."""

ADVANCE = "move p1+p2+p3+p4 to E-6\nmove p5+p6+p7+p8 to D-6\nmove p9+p10+p11+p12 to C-6"
VOLLEY = "move p1+p2+p3+p4 via E-5 form line\nfire all at E-4"


def _french(sheet: str) -> Exchange:
    return Exchange({FRENCH: sheet})


def _siege(square: str) -> Sequence[Exchange]:
    return (Exchange(), Exchange({PRUSSIAN: f"siege at {square}"}, rulings="set siege_zone G-L 14"))


PRUSSIAN_TRIES = (
    "fire p5+p6 at D-4 in",
    "fire p5 at D-3",
    "charge @D-5 at D-4",
    "move p5+p6+p7+p8 via D-7 D-6 D-5 D-4",
    "move p9 to D-3",
    "move f2 to D-5",
    "charge p1 at E-4 if odds 2-1",
)

SECRETS = (
    Secret(
        name="a dummy in the place of a company",
        scenario="ste-marie",
        owner=FRENCH,
        blind=PRUSSIAN,
        one=(_french(STE_MARIE), Exchange(), Exchange({PRUSSIAN: ADVANCE})),
        other=(_french(EXCHANGED), Exchange(), Exchange({PRUSSIAN: ADVANCE})),
        revealed_by=("cards_revealed", "dummies_removed", "entry_blocked", "unit_removed", "setup_revealed"),
        probes=PRUSSIAN_TRIES,
    ),
    Secret(
        name="which company lies in which house",
        scenario="ste-marie",
        owner=FRENCH,
        blind=PRUSSIAN,
        one=(_french(STE_MARIE), Exchange(), Exchange({PRUSSIAN: ADVANCE})),
        other=(
            _french(STE_MARIE.replace("f1+f2 at D-4", "f5+f2 at D-4").replace("f5+f6 at E-3", "f6+f1 at E-3")),
            Exchange(),
            Exchange({PRUSSIAN: ADVANCE}),
        ),
        probes=PRUSSIAN_TRIES,
    ),
    Secret(
        name="which company is the command stand",
        scenario="ste-marie",
        owner=FRENCH,
        blind=PRUSSIAN,
        one=(_french(STE_MARIE),),
        other=(_french(STE_MARIE.replace("command f3", "command f6")),),
        probes=PRUSSIAN_TRIES,
    ),
    Secret(
        name="losses among face-down cards",
        scenario="ste-marie",
        owner=FRENCH,
        blind=PRUSSIAN,
        one=(Exchange(), Exchange(), Exchange({PRUSSIAN: ADVANCE}, rulings="set f1 men 2")),
        other=(Exchange(), Exchange(), Exchange({PRUSSIAN: ADVANCE}, rulings="set f1 men 1")),
        probes=PRUSSIAN_TRIES,
    ),
    Secret(
        name="which card of a square was moved",
        scenario="ste-marie",
        owner=FRENCH,
        blind=PRUSSIAN,
        one=(_french(EXCHANGED), Exchange(), Exchange(), _french("card f2 to E-3")),
        other=(_french(EXCHANGED), Exchange(), Exchange(), _french("card fd4 to E-3")),
        probes=PRUSSIAN_TRIES,
    ),
    Secret(
        name="a charge of cards that was not made",
        scenario="ste-marie",
        owner=FRENCH,
        blind=PRUSSIAN,
        one=(Exchange(), Exchange(), Exchange({PRUSSIAN: ADVANCE}), _french("charge @D-4 in at D-5\ncharge f3 at E-5")),
        other=(Exchange(), Exchange(), Exchange({PRUSSIAN: ADVANCE}), _french("charge f3+f4 at D-4")),
        silence=0,
    ),
    Secret(
        name="the reactions of the French",
        scenario="ste-marie",
        owner=FRENCH,
        blind=PRUSSIAN,
        one=(Exchange(), Exchange(), _french("retreat all toward s\nlosses f2+f1\ntargets all nearest")),
        other=(Exchange(), Exchange(), _french("retreat all toward w\nlosses f1+f2\nhold fire all")),
        silence=0,
    ),
    Secret(
        name="the reactions of the Prussians",
        scenario="ste-marie",
        owner=PRUSSIAN,
        blind=FRENCH,
        one=(Exchange(), Exchange({PRUSSIAN: "retreat all toward n\ninitiative first"})),
        other=(Exchange(), Exchange({PRUSSIAN: "advance all 2"})),
        silence=0,
    ),
    Secret(
        name="an order that was refused",
        scenario="ste-marie",
        owner=PRUSSIAN,
        blind=FRENCH,
        one=(Exchange(), Exchange(), Exchange({PRUSSIAN: "targets all infantry"})),
        other=(Exchange(), Exchange(), Exchange({PRUSSIAN: "targets all guns\nmove p99 to A-1\nmove f1 to A-1"})),
        silence=0,
    ),
    Secret(
        name="where the siege gun stands",
        scenario="graveyard",
        owner=PRUSSIAN,
        blind=FRENCH,
        one=_siege("G-14"),
        other=_siege("H-14"),
        probes=("move fc1 to H-13", "shoot fg1 shot at H-14", "fire f1 at G-14", "siege reveal"),
        silence=3,
    ),
    Secret(
        name="the crew of the siege gun",
        scenario="graveyard",
        owner=PRUSSIAN,
        blind=FRENCH,
        one=(*_siege("G-14"), Exchange(rulings="set pk5 men 6")),
        other=(*_siege("G-14"), Exchange(rulings="set pk5 men 3")),
        silence=1,
    ),
    Secret(
        name="which gun lies behind a card",
        scenario="graveyard",
        owner=FRENCH,
        blind=PRUSSIAN,
        one=(_french("place fm1+fk4 at H-9 face n\nplace fg1+fk1 at J-9 face n"), Exchange()),
        other=(_french("place fg1+fk1 at H-9 face n\nplace fm1+fk4 at J-9 face n"), Exchange()),
        probes=("shoot pg1 shot at H-9", "move p29+p30+p31+p32 to N-13"),
    ),
)


def likely(game: Game, role: Role) -> Sequence[str]:
    """Set-up as the scenario has it; then marches forward, fire at what is seen, charges, reactions."""
    mind: Battle = game.world.minds[role]
    if mind.phase.startswith("setup"):
        default: str = files("st-privat", game.scenario)["forces"].get("setup", {}).get(role, {}).get("orders", "")
        return [*default.splitlines(), *REACTIONS]
    return [*_marches(mind, role), *_fire(mind, role), *REACTIONS]


REACTIONS = (
    "initiative first",
    "initiative second",
    "retreat all toward n e",
    "retreat all toward s w form line",
    "advance all 2",
    "advance all none",
    "targets all nearest",
    "targets all infantry guns cavalry nearest",
    "hold fire all",
    "reset all",
)


def _stacks(mind: Battle, role: Role) -> Iterator[tuple[Square, Piece]]:
    """One piece of each own square and place."""
    seen: set[tuple[Square, str]] = set()
    for name in sorted(mind.pieces):
        piece = mind.pieces[name]
        if piece.side == role and piece.square and piece.stands and (piece.square, piece.place) not in seen:
            seen.add((piece.square, piece.place))
            yield piece.square, piece


def _enemies(mind: Battle, role: Role) -> list[Square]:
    """The squares where enemies are known to stand, or cards to lie."""
    seen = {p.square for p in mind.pieces.values() if p.side == ENEMY[role] and p.square and p.stands}
    return sorted(seen | {Square(where.split()[0]) for where in mind.cards})


def _towards(at: Square, target: Square) -> Square:
    """The square in front of *target*, seen from *at*."""
    (x, y), (file, row) = place(at), place(target)
    return square(file - (file > x) + (file < x), row - (row > y) + (row < y))


def _marches(mind: Battle, role: Role) -> Iterator[str]:
    ahead, enemies = {PRUSSIAN: "s", FRENCH: "n"}[role], _enemies(mind, role)
    for at, piece in _stacks(mind, role):
        selector = f"@{at} in" if piece.place == "inside" else f"@{at}"
        for enemy in sorted(enemies, key=lambda one: distance(at, one))[:2]:
            yield f"move {selector} to {_towards(at, enemy)}"
            yield f"move {selector} to {_towards(at, enemy)} face {ahead}"
        yield f"move {selector} to {beyond(at, ahead) or at}"
        yield f"turn {selector} {ahead}"
        yield f"form @{at} {'line' if piece.formation == 'column' else 'column'}"
        yield f"hold {selector}"
        if piece.kind in GUNS:
            yield f"limber {piece.id}"
            yield f"unlimber {piece.id} face {ahead}"
            yield f"prolong {piece.id} to {beyond(at, ahead) or at}"
        if piece.place == "inside":
            yield f"leave {piece.id}"
        if piece.hidden:
            yield f"card {piece.id} to {beyond(at, 'e') or at}"
            yield f"reveal {piece.id}"


def _fire(mind: Battle, role: Role) -> Iterator[str]:
    for at, piece in _stacks(mind, role):
        if piece.kind in ("infantry", "cavalry") and piece.facing:
            yield f"charge @{at}{' in' if piece.place == 'inside' else ''} at {beyond(at, piece.facing) or at}"
        for target in _enemies(mind, role):
            apart = distance(at, target)
            if apart <= 1 and piece.kind in ("infantry", "cavalry"):
                yield f"charge @{at} at {target}"
            if apart <= 4 and piece.kind == "infantry":
                yield f"fire {piece.id} at {target}"
            if apart <= 6 and piece.kind in GUNS:
                yield f"shoot {piece.id} shot at {target}"
                yield f"shoot {piece.id} shell at {target}"
