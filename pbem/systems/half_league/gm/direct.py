"""The GM's language: directives become facts.  The same words serve rulings, scenarios and conformance cases.

place ID[+ID] at X,Y [facing DIR] [FORMATION]     a unit or a leader of the order of battle, wherever it is
place ID with ID                                  a leader attached to a unit
set ID ATTRIBUTE VALUE                            an attribute of a unit or a leader; stands: full ones are left
set ATTRIBUTE VALUE                               turn, phase, initiative, held, flank, charge_flank, wins, won_before …
remove ID CAUSE                                   destroyed, left_field, guns_abandoned, dead
guns ID at X,Y [facing DIR] [spiked|captured]     guns without their gunners
fight ID ID                                       two units touch, the first has charged
option NAME VALUE
SIDE: ORDER [; ORDER …]                           a standing order, or a deployment at any time
end allied|russian|draw
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import cast

from msgspec.structs import replace

from pbem.ground.bearing import parse_bearing
from pbem.ground.plane import Point
from pbem.kernel.names import Aspect, Role
from pbem.orders.names import name_key
from pbem.orders.sheet import Line, Reading
from pbem.rules.contract import World
from pbem.rules.directives import (
    BadDirective,
    Readers,
    carried_out,
    number_of,
    options_with,
    patched,
    read_as,
    side_of,
)
from pbem.systems.half_league.play.play import Play
from pbem.systems.half_league.play.standing import Standing, stand
from pbem.systems.half_league.scene.scene import Scene
from pbem.systems.half_league.sheets.reading import read
from pbem.systems.half_league.tables.printed import FORMATIONS
from pbem.systems.half_league.world import orders as say
from pbem.systems.half_league.world import outcomes as o
from pbem.systems.half_league.world.course import Ended
from pbem.systems.half_league.world.fact import Fact
from pbem.systems.half_league.world.options import parse_options
from pbem.systems.half_league.world.patches import GamePatch, LeaderPatch, UnitPatch
from pbem.systems.half_league.world.pieces import SCALE, SIDES, Formation, Guns, Leader, Status, Unit
from pbem.systems.half_league.world.state import Battle

FORMS = {
    "place": "place UK-7 at 61,67 facing S line",
    "set": "set UK-7 chits 2",
    "remove": "remove UK-7 destroyed",
    "guns": "guns RU-A1 at 74,42 facing N",
    "fight": "fight RU-1 UK-7",
    "option": "option even_roll_for all",
    "allied:": "allied: policy cp all fire always",
    "russian:": "russian: flank west",
    "end": "end allied",
}
"""Each directive by an example."""

AT_START = ("free_setup",)
"""Options that shape the beginning, and so can be chosen with the campaign alone."""


@dataclass(slots=True)
class _Ruling:
    """A directive being carried out: the play that it changes, its text, and the roles that the GM marked."""

    play: Play
    text: str
    marks: Mapping[Role, Aspect]

    def rule(
        self,
        side: Role | None,
        *,
        units: dict[str, UnitPatch] | None = None,
        leaders: dict[str, LeaderPatch] | None = None,
        new: Unit | Leader | None = None,
        game: GamePatch | None = None,
    ) -> None:
        """Record a ruling: a public one, or one side's own affair, of which the enemy learns what he can see of it."""
        fact = o.GmRuling(
            side=side,
            text=self.text,
            units=units or {},
            leaders=leaders or {},
            new_units=(new,) if isinstance(new, Unit) else (),
            new_leaders=(new,) if isinstance(new, Leader) else (),
            game=game,
        )
        self.play.add(fact, marks=self.marks)


def direct(
    scene: Scene, world: World[Battle, Battle], lines: Sequence[Line], known: Mapping[Role, Aspect]
) -> Reading[Fact]:
    """Directives into facts, known to whom they concern and to the roles that *known* marks."""
    play = Play.ruled(scene, world)

    def carry_out(verb: Callable[[_Ruling, Sequence[str]], None], text: str, words: Sequence[str]) -> None:
        verb(_Ruling(play, text, known), words)
        play.look()

    complaints = carried_out(lines, VERBS, FORMS, carry_out)
    return Reading(tuple(play.facts), complaints)


# ------------------------------------------------------------------ place


def _place(ruling: _Ruling, words: Sequence[str]) -> None:
    play, text = ruling.play, " ".join(words)
    if found := re.fullmatch(r"(\S+) with (\S+)", text, re.IGNORECASE):
        leader, unit = _leader(play, found[1]), _unit(play, found[2])
        if leader.side != unit.side:
            raise BadDirective("a leader is with his own side")
        attached = replace(leader, front=unit.front, attached_to=unit.id, attached_since_start_of_turn=True)
        ruling.rule(leader.side, new=attached)
        return
    found = re.fullmatch(rf"(\S+) at (.+?)(?: facing (\S+))?(?: ({_FORMED}))?", text, re.IGNORECASE)
    if found is None:
        raise BadDirective("it reads: place ID at X,Y [facing DIR] [FORMATION], or: place LEADER with UNIT")
    at, way = _spot(play, found[2]), _way(found[3]) if found[3] else None
    for name in found[1].split("+"):
        _place_one(ruling, name.upper(), at, way, (found[4] or "").lower())


_FORMED = "|".join(dict.fromkeys(one for formations in FORMATIONS.values() for one in formations))


def _place_one(ruling: _Ruling, name: str, at: Point, way: int | None, formation: str) -> None:
    play = ruling.play
    known = play.battle.leaders.get(name) or play.scene.leaders.get(name)
    if known is not None:
        ruling.rule(known.side, new=replace(known, front=at, attached_to="", attached_since_start_of_turn=False))
        return
    unit = _unit(play, name)
    runs = name in play.battle.units and unit.routing
    placed = replace(unit, front=at, bearing=unit.bearing if way is None else way, status="routing" if runs else "good")
    if formation:
        if formation not in FORMATIONS[unit.type]:
            raise BadDirective(f"{name} cannot stand in {formation}")
        placed = replace(placed, formation=cast(Formation, formation))
    ruling.rule(unit.side, new=placed, leaders=play.carried(name, at))


# ------------------------------------------------------------------ set


def _set(ruling: _Ruling, words: Sequence[str]) -> None:
    if len(words) < 2:
        raise BadDirective("it reads: set ID ATTRIBUTE VALUE, or: set ATTRIBUTE VALUE")
    play, name, second = ruling.play, words[0].upper(), words[1].lower()
    attribute, value = _RENAMED.get(second, second), " ".join(words[2:])
    if len(words) == 2:
        ruling.rule(None, game=_game_patch(play, name.lower(), second))
    elif name in play.battle.units:
        unit = play.unit(name)
        ruling.rule(unit.side, units={name: _unit_patch(play, unit, attribute, value)})
    elif name in play.battle.leaders:
        leader = play.leader(name)
        ruling.rule(leader.side, leaders={name: _leader_patch(play, leader, attribute, value)})
    elif name.lower() in _COUNTED:
        table = {side_of(second, SIDES): number_of(words[2], 0, 99)}
        ruling.rule(None, game=read_as(GamePatch, {name.lower(): table}, name.lower(), value))
    else:
        raise BadDirective(f"there is no {name} on the field")


_RENAMED = {"pos": "front", "facing": "bearing", "class": "cls", "skirmish": "may_skirmish"}
_COUNTED = ("wins", "won_before", "exits")
"""Attributes of the game that are a number for each side."""


def _readers(play: Play) -> Readers:
    """What reads the values that are more than numbers and words of a list."""

    def piece(value: str) -> str:
        return "" if value.lower() == "none" else value.upper()

    def side(value: str) -> Role:
        return side_of(value, SIDES)

    return {
        Point: partial(_spot, play),
        **dict.fromkeys(("bearing", "began_bearing"), _way),
        **dict.fromkeys(("charge_target", "attached_to"), piece),
        **dict.fromkeys(("initiative", "held", "chose"), side),
        "last_forward": SCALE.parse,
    }


def _unit_patch(play: Play, unit: Unit, attribute: str, value: str) -> UnitPatch:
    if attribute == "stands":
        count = number_of(value, 1, len(unit.full))
        return _with_figures(unit, tuple(full if at < count else 0 for at, full in enumerate(unit.full)))
    patch = patched(UnitPatch, attribute, value, _readers(play), "a unit")
    if isinstance(patch.stand_figures, tuple):
        return _with_figures(unit, patch.stand_figures)
    target = patch.charge_target
    if isinstance(target, str) and target and _unit(play, target).side == unit.side:
        raise BadDirective(f"{target} is a friend of {unit.id}")
    return patch


def _with_figures(unit: Unit, figures: tuple[int, ...]) -> UnitPatch:
    if len(figures) != len(unit.full) or not all(0 <= a <= b for a, b in zip(figures, unit.full, strict=True)):
        raise BadDirective(f"{unit.id} has {len(unit.full)} stands, each of so many figures at most: {unit.full}")
    return UnitPatch(stand_figures=figures, fallen=sum(unit.full) - sum(figures))


def _leader_patch(play: Play, leader: Leader, attribute: str, value: str) -> LeaderPatch:
    if attribute == "mode":
        brigade, _, mode = value.partition(" ")
        return read_as(LeaderPatch, {"modes": {brigade.upper(): mode}}, attribute, value)
    patch = patched(LeaderPatch, attribute, value, _readers(play), "a leader")
    unit = patch.attached_to
    if isinstance(unit, str) and unit and _unit(play, unit).side != leader.side:
        raise BadDirective("a leader is with his own side")
    return patch


_GAME = ("turn", "phase", "initiative", "held", "chose", "flank", "charge_flank", "released")


def _game_patch(play: Play, attribute: str, value: str) -> GamePatch:
    if attribute not in _GAME:
        raise BadDirective(f'"{attribute}" is no attribute of the game; there are {", ".join(_GAME)}, wins, won_before')
    game, battle = patched(GamePatch, attribute, value, _readers(play), "the game"), play.battle
    if game.phase == "over":
        raise BadDirective("write: end allied, end russian, or: end draw")
    if attribute == "phase" and not battle.turn and value != "setup":
        return replace(game, turn=1)
    if attribute == "turn" and battle.phase == "setup":
        return replace(game, phase="initiative")
    return game


# ------------------------------------------------------------------ remove, guns, fights, option, end

_GONE: Mapping[str, Status] = {one: one for one in ("destroyed", "left_field", "guns_abandoned")}
"""What a unit may be removed as."""


def _remove(ruling: _Ruling, words: Sequence[str]) -> None:
    if len(words) != 2:
        raise BadDirective("it reads: remove ID destroyed|left_field|guns_abandoned|dead")
    play, name, cause = ruling.play, words[0].upper(), words[1].lower()
    if name in play.battle.leaders and cause == "dead":
        leader = play.leader(name)
        ruling.rule(
            leader.side, leaders={name: LeaderPatch(status="dead" if leader.kind == "army" else "killed_replaced")}
        )
    elif name in play.battle.units and cause in _GONE:
        units = {name: UnitPatch(status=_GONE[cause])}
        ruling.rule(play.unit(name).side, units=units, leaders=play.left_by(name))
    elif name not in play.battle.pieces:
        raise BadDirective(f"there is no {name} on the field")
    else:
        raise BadDirective(
            f'{name} cannot be removed as "{cause}"; units: destroyed, left_field, guns_abandoned; leaders: dead'
        )


def _guns(ruling: _Ruling, words: Sequence[str]) -> None:
    found = re.fullmatch(
        r"(\S+) at (\S+)(?: facing (\S+))?(?: (abandoned|spiked|captured))?", " ".join(words), re.IGNORECASE
    )
    if found is None:
        raise BadDirective("it reads: guns ID at X,Y [facing DIR] [spiked|captured]")
    play = ruling.play
    unit = _unit(play, found[1])
    state = (found[4] or "abandoned").lower()
    enemy = next(side for side in SIDES if side != unit.side)
    guns = Guns(
        id=unit.id,
        front=_spot(play, found[2]),
        bearing=_way(found[3]) if found[3] else unit.bearing,
        models=-(-len(unit.full) // 2),
        owner_unit=unit.id,
        side=unit.side,
        state=state,  # type: ignore[arg-type] # one of its words
        held_by=enemy if state == "captured" else None,
    )
    new = replace(unit, front=guns.front, status="guns_abandoned")
    ruling.rule(unit.side, new=new)
    ruling.rule(None, game=GamePatch(guns={unit.id: guns}))


def _fight(ruling: _Ruling, words: Sequence[str]) -> None:
    if len(words) != 2:
        raise BadDirective("it reads: fight CHARGER TOUCHED")
    play = ruling.play
    one, other = (_unit(play, word) for word in words)
    if one.side == other.side or one.id not in play.battle.units or other.id not in play.battle.units:
        raise BadDirective("two units on the field fight, of either side one")
    fights = (*play.battle.fights, (one.id, other.id))
    ruling.rule(
        one.side, units={one.id: UnitPatch(charged=True, charge_target=other.id)}, game=GamePatch(fights=fights)
    )


def _option(ruling: _Ruling, words: Sequence[str]) -> None:
    options = options_with(parse_options, ruling.play.battle.options, words, AT_START)
    ruling.rule(None, game=GamePatch(options=options))


def _end(ruling: _Ruling, words: Sequence[str]) -> None:
    winner = words[0].lower() if len(words) == 1 else ""
    if winner not in (*SIDES, "draw"):
        raise BadDirective("it reads: end allied|russian|draw")
    ended = read_as(Ended, {"winner": winner, "how": "ruling"}, "winner", winner)
    ruling.rule(None, game=GamePatch(ended=ended, phase="over"))


def _orders(side: Role) -> Callable[[_Ruling, Sequence[str]], None]:
    def give(ruling: _Ruling, words: Sequence[str]) -> None:
        play = ruling.play
        role = play.scene.roles(side)[0]
        lines = [Line(number, one.strip()) for number, one in enumerate(" ".join(words).split(";"), start=1)]
        reading = read(play.scene, lines, play.minds[role], role, None)
        if wrong := [one for one in reading.complaints if one.judgement.refuses]:
            raise BadDirective(wrong[0].why)
        for order in reading.items:
            if isinstance(order, Standing):
                stand(play, role, order)
            elif isinstance(order, say.Deploy):
                unit = _unit(play, order.unit)
                formation = order.formation or unit.formation
                new = replace(unit, front=order.at, bearing=order.facing, formation=formation, status="good")
                ruling.rule(unit.side, new=new)
            else:
                raise BadDirective("only standing orders and deployments can be given by a ruling")

    return give


VERBS: dict[str, Callable[[_Ruling, Sequence[str]], None]] = {
    "place": _place,
    "set": _set,
    "remove": _remove,
    "guns": _guns,
    "fight": _fight,
    "option": _option,
    "end": _end,
    **{f"{side}:": _orders(side) for side in SIDES},
}


# ------------------------------------------------------------------ names


def _unit(play: Play, text: str) -> Unit:
    name = text.upper()
    unit = play.battle.units.get(name) or play.scene.units.get(name)
    if unit is None:
        raise BadDirective(f'the order of battle has no unit "{text}"')
    return unit


def _leader(play: Play, text: str) -> Leader:
    name = text.upper()
    leader = play.battle.leaders.get(name) or play.scene.leaders.get(name)
    if leader is None:
        raise BadDirective(f'the order of battle has no leader "{text}"')
    return leader


def _spot(play: Play, text: str) -> Point:
    place = play.scene.places.get(name_key(text))
    at = place.pos if place is not None else SCALE.point(text)
    if at is None or not play.scene.on_map(at):
        raise BadDirective(f'"{text}" is no place of the map; write 61,67.5 or the name of a place')
    return at


def _way(text: str) -> int:
    found = parse_bearing(text)
    if found is None:
        raise BadDirective(f'"{text}" is no bearing; write SSW, or degrees')
    return found
