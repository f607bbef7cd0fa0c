"""The verbs of the order language: how each is written, an example of it, what it comes to, and its sort.

A new verb has its record here, and its order in `orders`; the grammar, the examples, the template's words and the help
come of the table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pbem.ground.square import ORTHOGONAL, direction, edge
from pbem.orders.grammar import parts_in, words_in
from pbem.orders.refusal import BadWord, Wrong
from pbem.orders.sentence import order_of
from pbem.orders.verbs import Verb
from pbem.systems.st_privat.world import orders as say
from pbem.systems.st_privat.world import sentence
from pbem.systems.st_privat.world.sentence import Said, facing_of

FARTHEST_ADVANCE = 4
"""Squares that anybody goes forward after a melee (SP-MOR-07)."""
LIMBERS = 3
"""The highest number of a limber."""


def _turns(said: Said) -> tuple[say.TurnAt, ...]:
    """The turns that a march makes on entering squares."""
    turns = [words_in(turn) for turn in parts_in(said.tree, "turn_at")]
    return tuple(
        say.TurnAt(facing_of(way.lower()), said.at(at, f"turn_at.{index}")) for index, (way, at) in enumerate(turns)
    )


def _ranks(said: Said) -> tuple[str, ...]:
    """Who is named for the first slots of a group."""
    node = said.option("ranks")
    ids = words_in(node, "ID") if node is not None else []
    if ids:
        said.spots["ranks"] = ids[0]
    return tuple(word.lower() for word in ids)


def _those_there(said: Said) -> tuple[str, ...]:
    """The infantry of the order's square, as a selector."""
    at, inside = said.square(), said.place() == "inside"
    said.spots["units"] = said.spots["units.0"] = said.the("SQUARE")
    return (f"@{at}{' in' if inside else ''}",)


def _wall(said: Said) -> str:
    """The edge of a wall, by its two squares."""
    squares = said.row(said.words("SQUARE"), "at")
    said.spots["square"] = said.the("SQUARE")
    if direction(squares[0], squares[1]) not in ORTHOGONAL:
        raise BadWord(Wrong(f"{squares[0]} and {squares[1]} are not side by side"), said.words("SQUARE")[1])
    return edge(squares[0], squares[1])


def _thing(said: Said) -> str:
    """A piece of equipment that is pulled down."""
    word = said.spots["square"] = said.the("ID")
    return word.lower()


def _load(said: Said) -> str:
    """What a gun fires."""
    word = said.spots["ammunition"] = said.the("SHOT", "SHELL", "MG", "SIEGE")
    return word.lower()


def _aim(said: Said) -> str:
    """What of its square a gun fires at."""
    return "structure" if said.has("structure") else "equipment" if said.has("equipment") else "troops"


def _look(said: Said) -> str | None:
    """Which way those look who fell back."""
    return said.of_option("look") or None


def _far(said: Said) -> int:
    """How many squares an advance goes at most."""
    return 0 if said.says("NONE") else sentence.number(FARTHEST_ADVANCE)(said)


def _choice(said: Said) -> str:
    """What to choose on winning the initiative."""
    return said.the("FIRST", "SECOND").lower()


def _demolish(what: str, at: Callable[[Said], str]) -> Callable[[Said], say.AnyOrder]:
    return order_of(say.Demolish, units=Said.units, what=lambda said: what, at=at)


VERBS: Mapping[str, Verb[Said, say.AnyOrder]] = {
    "place": Verb(
        '"place" units "at" SQUARE place_option*',
        order_of(
            say.PlaceUnits,
            units=Said.units,
            square=Said.square,
            place=Said.place,
            facing=sentence.facing("face"),
            formation=sentence.shape("formed"),
        ),
        {"place": "place f1+f2+f3 at H-9 in face n"},
        "setup",
    ),
    "limbered": Verb(
        '"section" ID "limbered" "with" "limber" NUMBER',
        order_of(say.PutSection, gun=Said.id, limber=sentence.number(LIMBERS)),
        {"section": "section fg1 limbered with limber 1"},
        "setup",
    ),
    "deployed": Verb('"section" ID "deployed"', order_of(say.PutSection, gun=Said.id), sort="setup"),
    "dummy": Verb(
        '"dummy" ID "at" SQUARE card_option*',
        order_of(say.PutDummy, id=Said.id, square=Said.square, place=Said.place, facing=sentence.facing("face")),
        {"dummy": "dummy fd1 at C-6"},
        "setup",
    ),
    "show": Verb('"show" units', order_of(say.Show, units=Said.units), {"show": "show f5+f6"}, "setup"),
    "show_orders": Verb('"show" "orders"', order_of(say.ShowOrders), {"show orders": "show orders"}, "reactions"),
    "siege_at": Verb(
        '"siege" "at" SQUARE ["face" direction]',
        order_of(say.SiegeAt, square=Said.square, facing=Said.way),
        {"siege at": "siege at N-15"},
        "setup",
    ),
    "siege_reveal": Verb('"siege" "reveal"', order_of(say.SiegeReveal), {"siege reveal": "siege reveal"}, "siege"),
    "command": Verb(
        '"command" units', order_of(say.Command, units=Said.units), {"command": "command f1+f9+f17"}, "setup"
    ),
    "cinc": Verb('"cinc" ID', order_of(say.Cinc, id=Said.id), {"cinc": "cinc fh2"}, "setup"),
    "move": Verb(
        '"move" units before* way option*',
        order_of(
            say.Move,
            turns=_turns,
            units=Said.units,
            via=lambda said: said.squares_of("via"),
            to=sentence.square("to"),
            turn=sentence.facing("turn_first"),
            form=sentence.shape("form_first"),
            form_at_end=sentence.shape("form_at_end"),
            face=sentence.facing("face"),
            place=Said.place,
            limber=sentence.having("limber_first"),
            unlimber=sentence.facing("unlimber_at_end"),
            exit=sentence.having("exit_at_end"),
        ),
        {"move": "move p1+p2+p3 via I-16 I-15 I-14"},
        "movement",
    ),
    "turn": Verb(
        '"turn" units direction',
        order_of(say.Turn, units=Said.units, facing=Said.way),
        {"turn": "turn @J-10 e"},
        "movement",
    ),
    "form": Verb(
        '"form" "@" SQUARE [IN] shape form_option*',
        order_of(
            say.Form,
            order=_ranks,
            units=_those_there,
            square=Said.square,
            place=Said.place,
            formation=Said.shape,
            facing=sentence.facing("face"),
        ),
        {"form": "form @J-10 column order p4+p1+p2"},
        "movement",
    ),
    "enter": Verb('"enter" units', order_of(say.Enter, units=Said.units), {"enter": "enter f3+f4"}, "movement"),
    "leave": Verb('"leave" units', order_of(say.Leave, units=Said.units), {"leave": "leave f3+f4"}, "movement"),
    "limber": Verb('"limber" ID', order_of(say.Limber, gun=Said.id), {"limber": "limber pg1"}, "movement"),
    "unlimber": Verb(
        '"unlimber" ID ["face"] direction',
        order_of(say.Unlimber, gun=Said.id, facing=Said.way),
        {"unlimber": "unlimber pg1 face s"},
        "movement",
    ),
    "prolong": Verb(
        '"prolong" ID "to" SQUARE ["face" direction]',
        order_of(say.Prolong, gun=Said.id, square=Said.square, facing=Said.way),
        {"prolong": "prolong fg2 to J-8 face n"},
        "movement",
    ),
    "detach": Verb(
        '"detach" ID [IN]', order_of(say.Detach, gun=Said.id, place=Said.place), {"detach": "detach fg1 in"}, "movement"
    ),
    "man": Verb('"man" ID', order_of(say.Man, gun=Said.id), {"man": "man fg1"}, "movement"),
    "card": Verb(
        '"card" ID "to" SQUARE card_option*',
        order_of(say.MoveCard, id=Said.id, square=Said.square, place=Said.place, facing=sentence.facing("face")),
        {"card": "card fd3 to C-7"},
        "movement",
    ),
    "exit": Verb('"exit" units', order_of(say.Exit, units=Said.units), {"exit": "exit f1+f2"}, "movement"),
    "demolish_wall": Verb(
        '"demolish" units "wall" SQUARE ["|"] SQUARE',
        _demolish("wall", _wall),
        {"demolish": "demolish p7+p8 wall H-9|H-10"},
        "movement",
    ),
    "demolish_building": Verb(
        '"demolish" units "building" SQUARE', _demolish("building", Said.square), sort="movement"
    ),
    "demolish_bridge": Verb('"demolish" units "bridge" SQUARE', _demolish("bridge", Said.square), sort="movement"),
    "demolish_equipment": Verb('"demolish" units "equipment" ID', _demolish("equipment", _thing), sort="movement"),
    "hold": Verb('"hold" any?', order_of(say.Hold, units=Said.units), {"hold": "hold @J-9"}, "movement"),
    "hold_fire": Verb(
        '"hold" "fire" any', order_of(say.HoldFire, units=Said.units), {"hold fire": "hold fire f3+f4"}, "reactions"
    ),
    "fire": Verb(
        '"fire" units "at" SQUARE fire_option*',
        order_of(
            say.Fire,
            units=Said.units,
            square=Said.square,
            place=Said.place_if_said,
            otherwise=sentence.square("otherwise"),
        ),
        {"fire": "fire f1+f2 at J-10 else I-10"},
        "fire",
    ),
    "shoot": Verb(
        '"shoot" ID ammunition "at" SQUARE shoot_option*',
        order_of(
            say.Shoot,
            gun=Said.id,
            ammunition=_load,
            square=Said.square,
            place=Said.place_if_said,
            aim=_aim,
            equipment=sentence.word("equipment"),
            turn=sentence.facing("turn_first"),
            danger=sentence.having("danger"),
        ),
        {"shoot": "shoot pg1 shell at H-9 structure"},
        "fire",
    ),
    "targets": Verb(
        '"targets" any target+',
        order_of(say.Targets, units=Said.units, words=Said.listed),
        {"targets": "targets all infantry guns nearest"},
        "reactions",
    ),
    "charge": Verb(
        '"charge" units "at" SQUARE charge_option*',
        order_of(
            say.Charge,
            units=Said.units,
            square=Said.square,
            general=sentence.word("general"),
            if_odds=sentence.word("odds"),
            after=sentence.square("after"),
        ),
        {"charge": "charge @H-10+@G-9 at H-9 with ph1 if odds 2-1"},
        "melee",
    ),
    "initiative": Verb(
        '"initiative" (FIRST | SECOND)',
        order_of(say.Initiative, choice=_choice),
        {"initiative": "initiative first"},
        "reactions",
    ),
    "retreat": Verb(
        '"retreat" any "toward" wish+ retreat_option*',
        order_of(say.Retreat, units=Said.units, toward=Said.listed, form=sentence.shape("form_at_end"), face=_look),
        {"retreat": "retreat all toward e d1"},
        "reactions",
    ),
    "advance": Verb(
        '"advance" any (NONE | NUMBER) ["via" SQUARE+]',
        order_of(say.Advance, squares=_far, units=Said.units, via=lambda said: said.row(said.words("SQUARE"), "via")),
        {"advance": "advance @H-10 2 via H-9 H-8"},
        "reactions",
    ),
    "losses": Verb(
        '"losses" units', order_of(say.Losses, units=Said.units), {"losses": "losses f4+f2+f1"}, "reactions"
    ),
    "reveal": Verb('"reveal" units', order_of(say.Reveal, units=Said.units), {"reveal": "reveal f1+f2"}, "reactions"),
    "reset": Verb('"reset" "all"', order_of(say.Reset), {"reset": "reset all"}, "reactions"),
}
"""Every form of line, by the name of its tree; a sort is what a call asks for."""
