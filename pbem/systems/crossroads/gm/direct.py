"""The GM's language: directives become facts.  The same words serve rulings, scenarios and conformance cases.

place ID at X,Y [facing DIR] [FORMATION]     a unit or an officer, from wherever it is
set ID ATTRIBUTE VALUE                       of a unit or officer: losses, status, prone, jammed, attached …
set ATTRIBUTE VALUE                          turn, exchange, phase, seq, controller
set deck CARD …                              the top first: unit ids, Joker, Joker*
set holder SIDE PLACE                        who holds a place
identify SIDE ID …                           a side knows these enemies by name
remove ID STATUS                             surrendered, destroyed, left_field
option NAME VALUE
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from pbem.ground.bearing import parse_bearing
from pbem.ground.plane import Point
from pbem.kernel.names import Aspect, Role
from pbem.orders.names import name_key
from pbem.orders.sheet import Line, Reading
from pbem.rules.contract import World
from pbem.rules.directives import BadDirective, Readers, carried_out, options_with, patched, plain, side_of
from pbem.systems.crossroads.field.field import degrees
from pbem.systems.crossroads.march.riders import beside, without
from pbem.systems.crossroads.play.play import Play
from pbem.systems.crossroads.scene.scene import Scene
from pbem.systems.crossroads.tables.units import FORMATIONS, JOKERS, LEADING_NATION
from pbem.systems.crossroads.turn.cards import dealt
from pbem.systems.crossroads.world.fact import SEEN, Fact, Lens
from pbem.systems.crossroads.world.options import parse_options
from pbem.systems.crossroads.world.outcomes import GmRuling
from pbem.systems.crossroads.world.patches import GamePatch, OfficerPatch, Patch
from pbem.systems.crossroads.world.state import GONE, INCHES, Battle, Officer, Unit

FORMS = {
    "place": "place PR-4 at 52,60 facing S line",
    "set": "set PR-4 losses 6",
    "identify": "identify german FR-1 FR-2",
    "remove": "remove PR-3 destroyed",
    "option": "option green_fire full",
}
"""Each directive by an example."""


def direct(
    scene: Scene, world: World[Battle, Battle], lines: Sequence[Line], known: Mapping[Role, Aspect]
) -> Reading[Fact]:
    """Directives into facts; the ruling itself is told to the roles that *known* marks, or to whom it concerns.

    What a side sees of what was set, it sees; and what became of its own units, of the clock and of the options it
    knows in any case.
    """
    play = Play.ruled(scene, world)
    complaints = carried_out(lines, VERBS, FORMS, lambda verb, text, words: verb(play, words, text))
    facts = tuple(_marked(fact, known) if known and isinstance(fact, GmRuling) else fact for fact in play.facts)
    return Reading(facts, complaints)


def _marked(fact: GmRuling, marks: Collection[Role]) -> GmRuling:
    """A ruling that is told to some roles alone; its owner bears it, though he is not told what was said."""
    known = (*(role for role in fact.known if fact.side in (None, role)), *marks)
    secret = fact.game is not None and fact.game.deck is not UNSET
    lenses = {}
    for role in known:
        lens = fact.lenses.get(role, Lens())
        kept = tuple(name for name in lens.veil if name != "text")
        lenses[role] = replace(lens, veil=kept if role in marks and not secret else (*kept, "text"))
    return replace(fact, known=dict.fromkeys(known, SEEN), lenses=lenses)


def _rule(play: Play, text: str, fact: GmRuling, meets: Sequence[str] = ()) -> None:
    # The clock, the deck, the options and who holds what are everybody's.
    everybody = play.battle.sides if fact.side is None else ()
    play.add(replace(fact, text=text, known=fact.known or dict.fromkeys(everybody, SEEN)), meets=meets)


# ------------------------------------------------------------------ place


def _place(play: Play, words: Sequence[str], text: str) -> None:
    found = re.fullmatch(
        r"(?P<id>\S+) at (?P<at>[\d.]+\s*,\s*[\d.]+)(?: facing (?P<facing>\S+))?(?: (?P<formation>\w+))?",
        " ".join(words),
        re.IGNORECASE,
    )
    if not found:
        raise BadDirective("it reads: place ID at X,Y [facing DIR] [FORMATION]")
    at = _point(play, found["at"])
    piece = _piece(play, found["id"])
    if isinstance(piece, Officer):
        unit = play.battle.units.get(piece.attached)
        gone = unit is not None and unit.gone
        leaves = gone or (unit is not None and unit.stands and not play.field.beside(replace(piece, pos=at), unit))
        patch = OfficerPatch(pos=at, attached="") if leaves else OfficerPatch(pos=at)
        changes = without(play, piece) if leaves else {}
        _rule(play, text, GmRuling(side=piece.side, officers={piece.id: patch}, changes=changes))
        return
    formation = (found["formation"] or piece.formation).lower()
    if why := _ill_formed(piece, formation):
        raise BadDirective(why)
    facing = _facing(found["facing"]) if found["facing"] else piece.facing
    formed = msgspec.convert({"formation": formation}, Patch)
    after = replace(formed, pos=at, facing=facing, crossing=None)
    if piece.gone:
        # It is as if it had never been gone: nobody has its guns.
        after = replace(after, status="good", was="good", exited=False, guns="")
    moved = replace(piece, pos=at, facing=facing, formation=after.formation)
    with_it = OfficerPatch(pos=beside(play, moved))
    officers = {one.id: with_it for one in play.battle.officers.values() if one.attached == piece.id}
    _rule(play, text, GmRuling(side=piece.side, unit=piece.id, changes={piece.id: after}, officers=officers))


# ------------------------------------------------------------------ set


ATTRIBUTES = frozenset({*Patch.__struct_fields__, *OfficerPatch.__struct_fields__})
"""What is set of a piece, and of nothing else."""


def _set(play: Play, words: Sequence[str], text: str) -> None:
    if len(words) < 2:
        raise BadDirective("it reads: set ID ATTRIBUTE VALUE, or: set ATTRIBUTE VALUE")
    head = words[0].lower()
    if len(words) == 3 and (words[0].upper() in play.battle.pieces or words[1].lower() in ATTRIBUTES):
        piece = _piece(play, words[0])
        if isinstance(piece, Unit):
            _set_unit(play, piece, words[1].lower(), words[2], text)
        else:
            _set_officer(play, piece, words[1].lower(), words[2], text)
    elif head == "deck":
        _set_deck(play, words[1:], text)
    elif head == "holder":
        place = play.scene.by_name.get(name_key(" ".join(words[2:])))
        if place is None:
            raise BadDirective(f'there is no place "{" ".join(words[2:])}"')
        _rule(play, text, GmRuling(game=GamePatch(holders={place.name: side_of(words[1], play.battle.sides)})))
    elif head == "controller":
        _rule(play, text, GmRuling(game=GamePatch(controller=side_of(words[1], play.battle.sides))))
    elif head in ("turn", "exchange", "phase", "seq"):
        _rule(play, text, GmRuling(game=patched(GamePatch, head, words[1].lower(), {}, "the game")))
    else:
        raise BadDirective(
            f'"{words[0]}" is no piece and no attribute of the game; there are turn, exchange, phase, seq, controller, '
            "deck, holder"
        )


def _ill_formed(unit: Unit, formation: object) -> str:
    known = FORMATIONS[unit.type]
    return "" if formation in known else f"{unit.type} has no formation {formation}; it has {', '.join(known)}"


UNFIT: Mapping[str, Callable[[Unit, Patch], str]] = {
    "formation": lambda unit, patch: _ill_formed(unit, patch.formation),
    "prone": lambda unit, _: "" if unit.type == "infantry" else f"{unit.type} is not prone",
    "jammed": lambda unit, _: "" if unit.type == "mg" else f"{unit.type} does not jam",
    "crossing": lambda unit, _: "infantry pays for an obstacle at once" if unit.type == "infantry" else "",
    "green": lambda unit, _: "" if unit.nation == LEADING_NATION else f"{unit.nation} units are led by nobody",
    "attached_officer": lambda unit, _: f"of the officer write: set ID attached {unit.id}",
}
"""Why an attribute cannot be set of a unit; an empty text if it can."""


def _readers(play: Play) -> Readers:
    return {Point: partial(_point, play), "facing": _facing, "card": _id, "attached": _id, "attached_officer": _id}


def _set_unit(play: Play, unit: Unit, attribute: str, value: str, text: str) -> None:
    patch = patched(Patch, attribute, value.lower(), _readers(play), unit.id)
    if patch.pos:
        return _place(play, [unit.id, "at", value], text)
    if attribute in UNFIT and (value.lower() not in ("false", "none")) and (why := UNFIT[attribute](unit, patch)):
        raise BadDirective(why)
    if patch.status in GONE:
        raise BadDirective(f"to take {unit.id} off the table write remove {unit.id} {patch.status}")
    if isinstance(patch.losses, int) and not 0 <= patch.losses < unit.strength:
        raise BadDirective(f"{unit.id} has {unit.strength} figures; to take it off the table write remove")
    return _rule(play, text, GmRuling(side=unit.side, unit=unit.id, changes={unit.id: patch}))


def _set_officer(play: Play, officer: Officer, attribute: str, value: str, text: str) -> None:
    patch = patched(OfficerPatch, attribute, value.lower(), _readers(play), officer.id)
    if patch.pos:
        return _place(play, [officer.id, "at", value], text)
    if patch.status == "killed":
        patch = replace(patch, attached="")
    changes = {}
    if isinstance(patch.attached, str):
        unit = play.battle.units.get(patch.attached)
        if patch.attached and (unit is None or unit.side != officer.side):
            raise BadDirective(f"{patch.attached} is no unit of his side")
        changes = without(play, officer)
        if unit is not None:
            changes[unit.id] = Patch(attached_officer=officer.id)
    return _rule(play, text, GmRuling(side=officer.side, officers={officer.id: patch}, changes=changes))


def _set_deck(play: Play, words: Sequence[str], text: str) -> None:
    """The cards of units named by their ids; a unit without a card is dealt its own."""
    cards = dealt(play.battle)
    deck, changes = [], {}
    for word in words:
        if word.capitalize() in JOKERS:
            deck.append(word.capitalize())
            continue
        unit = _piece(play, word)
        card = unit.card or cards.get(unit.id, "") if isinstance(unit, Unit) else ""
        if not card:
            raise BadDirective(f"{word} has no card: it is not on the table")
        if unit.id in changes:
            raise BadDirective(f"{unit.id} stands twice")
        deck.append(card)
        changes[unit.id] = Patch(card=card)
    left = {side: sum(play.battle.units[name].side == side for name in changes) for side in play.battle.sides}
    game = GamePatch(deck=tuple(deck), left=left, size=play.battle.seq + len(deck), phase="card")
    _rule(play, text, GmRuling(changes=changes, game=game))


# ------------------------------------------------------------------ identify, remove, option


def _identify(play: Play, words: Sequence[str], text: str) -> None:
    if len(words) < 2:
        raise BadDirective("it reads: identify SIDE ID …")
    side = side_of(words[0], play.battle.sides)
    names = [_piece(play, word).id for word in words[1:]]
    if wrong := [name for name in names if name not in play.battle.units or play.unit(name).side == side]:
        raise BadDirective(f"{wrong[0]} is no unit of the enemy")
    watch = play.battle.watch[side]
    known = tuple(sorted({*watch.identified, *names}))
    labels = {name: label for name, label in watch.labels.items() if name not in names}
    seen = replace(watch, identified=known, labels=labels)
    _rule(play, text, GmRuling(known={side: SEEN}, side=side, game=GamePatch(watch={side: seen})))


def _remove(play: Play, words: Sequence[str], text: str) -> None:
    if len(words) != 2 or words[1].lower() not in GONE:
        raise BadDirective(f"it reads: remove ID STATUS; a status is {', '.join(GONE)}")
    piece = _piece(play, words[0])
    if not isinstance(piece, Unit):
        raise BadDirective(f"{piece.id} is an officer: set {piece.id} status killed")
    patch = replace(msgspec.convert({"status": words[1].lower()}, Patch), was=piece.status)
    officers = {
        one.id: OfficerPatch(attached="")
        for one in play.battle.officers.values()
        if one.attached == piece.id and one.pos is not None
    }
    if officers:
        patch = replace(patch, attached_officer="")
    _rule(play, text, GmRuling(side=piece.side, unit=piece.id, changes={piece.id: patch}, officers=officers))


def _option(play: Play, words: Sequence[str], text: str) -> None:
    _rule(play, text, GmRuling(game=GamePatch(options=options_with(parse_options, play.battle.options, words))))


VERBS: dict[str, Callable[[Play, Sequence[str], str], None]] = {
    "place": _place,
    "set": _set,
    "identify": _identify,
    "remove": _remove,
    "option": _option,
}


# ------------------------------------------------------------------ names


def _piece(play: Play, name: str) -> Unit | Officer:
    piece = play.battle.pieces.get(name.upper())
    if piece is None:
        near = ", ".join(one for one in sorted(play.battle.pieces) if one[:2] == name[:2].upper())
        raise BadDirective(f"there is no unit {name}; there are {near or ', '.join(sorted(play.battle.pieces))}")
    return piece


def _point(play: Play, text: str) -> Point:
    at = INCHES.point(text)
    if at is None or not (0 <= at.x <= play.scene.width and 0 <= at.y <= play.scene.height):
        raise BadDirective(f'"{text}" is no point of the table, to the tenth of an inch')
    return at


def _facing(text: str) -> int:
    found = parse_bearing(text)
    if found is None:
        raise BadDirective(f'"{text}" is no direction')
    return degrees(found)


def _id(text: str) -> str:
    said = plain(text)
    return said.upper() if isinstance(said, str) else ""
