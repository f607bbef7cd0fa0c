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
from typing import TypeVar, cast

import msgspec
from msgspec.structs import replace

from pbem.ground.bearing import parse_bearing
from pbem.ground.plane import Point
from pbem.kernel.errors import Refused
from pbem.kernel.names import Aspect, Role
from pbem.kernel.numbers import whole
from pbem.orders.names import name_key
from pbem.orders.sheet import Line, Reading
from pbem.rules.contract import World
from pbem.rules.directives import BadDirective, carried_out, option_of, side_of
from pbem.systems.half_league.play.play import Play
from pbem.systems.half_league.play.standing import Standing, stand
from pbem.systems.half_league.scene.scene import Scene
from pbem.systems.half_league.sheets.reading import read
from pbem.systems.half_league.tables.printed import FORMATIONS
from pbem.systems.half_league.world import orders as say
from pbem.systems.half_league.world.course import Ended
from pbem.systems.half_league.world.fact import Fact
from pbem.systems.half_league.world.options import parse_options
from pbem.systems.half_league.world.outcomes import GmRuling
from pbem.systems.half_league.world.patches import GamePatch, LeaderPatch, UnitPatch
from pbem.systems.half_league.world.pieces import SCALE, SIDES, Formation, Guns, Leader, Unit
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


Patch = TypeVar("Patch", UnitPatch, LeaderPatch, GamePatch)


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
        fact = GmRuling(
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
    runs = name in play.battle.units and unit.status == "routing"
    placed = replace(unit, front=at, bearing=unit.bearing if way is None else way, status="routing" if runs else "good")
    if formation:
        if formation not in FORMATIONS[unit.type]:
            raise BadDirective(f"{name} cannot stand in {formation}")
        placed = replace(placed, formation=cast(Formation, formation))
    ruling.rule(unit.side, new=placed, leaders=play.carried(name, at))


# ------------------------------------------------------------------ set


def _set(ruling: _Ruling, words: Sequence[str]) -> None:
    if len(words) == 2:
        _set_game(ruling, words[0].lower(), words[1].lower())
        return
    if len(words) < 3:
        raise BadDirective("it reads: set ID ATTRIBUTE VALUE, or: set ATTRIBUTE VALUE")
    name, attribute, value = words[0].upper(), words[1].lower(), " ".join(words[2:])
    play = ruling.play
    if name in play.battle.units:
        ruling.rule(play.unit(name).side, units={name: _unit_patch(play, play.unit(name), attribute, value)})
    elif name in play.battle.leaders:
        leader = play.leader(name)
        ruling.rule(leader.side, leaders={name: _leader_patch(play, leader, attribute, value)})
    elif words[0].lower() in ("wins", "won_before", "exits"):
        side = side_of(words[1], SIDES)
        table = {side: _number(words[2], 0, 99)}
        ruling.rule(None, game=msgspec.convert({words[0].lower(): table}, GamePatch))
    else:
        raise BadDirective(f"there is no {name} on the field")


_RENAMED = {"pos": "front", "facing": "bearing", "class": "cls", "skirmish": "may_skirmish"}


def _unit_patch(play: Play, unit: Unit, attribute: str, value: str) -> UnitPatch:
    attribute = _RENAMED.get(attribute, attribute)
    if attribute == "stands":
        count = _number(value, 1, len(unit.full))
        figures = tuple(full if at < count else 0 for at, full in enumerate(unit.full))
        return UnitPatch(stand_figures=figures, fallen=sum(unit.full) - sum(figures))
    if attribute == "stand_figures":
        figures = tuple(_number(one, 0, 12) for one in re.split(r"[,\s]+", value.strip("[] ")))
        if len(figures) != len(unit.full) or any(a > b for a, b in zip(figures, unit.full, strict=True)):
            raise BadDirective(f"{unit.id} has {len(unit.full)} stands, each of so many figures at most: {unit.full}")
        return UnitPatch(stand_figures=figures, fallen=sum(unit.full) - sum(figures))
    if attribute not in UnitPatch.__struct_fields__:
        raise BadDirective(f'a unit has no attribute "{attribute}"; it has {", ".join(UnitPatch.__struct_fields__)}')
    if attribute == "charge_target" and value.lower() != "none" and _unit(play, value.upper()).side == unit.side:
        raise BadDirective(f"{value.upper()} is a friend of {unit.id}")
    return _patch(play, UnitPatch, attribute, value)


def _leader_patch(play: Play, leader: Leader, attribute: str, value: str) -> LeaderPatch:
    attribute = _RENAMED.get(attribute, attribute)
    if attribute == "mode":
        brigade, _, mode = value.partition(" ")
        return _convert(LeaderPatch, "modes", {brigade.upper(): mode})
    if attribute not in LeaderPatch.__struct_fields__:
        raise BadDirective(
            f'a leader has no attribute "{attribute}"; he has {", ".join(LeaderPatch.__struct_fields__)}'
        )
    if attribute == "attached_to":
        value = "" if value.lower() == "none" else value.upper()
        if value and _unit(play, value).side != leader.side:
            raise BadDirective("a leader is with his own side")
    return _patch(play, LeaderPatch, attribute, value)


_LISTS = ("benefits_used", "favours", "fired_at", "fired_before", "from_rear", "owed_chits")


def _patch(play: Play, kind: type[Patch], attribute: str, value: str) -> Patch:
    plain: object = {"true": True, "false": False, "none": None}.get(value.lower(), value)
    if attribute in _LISTS:
        plain = [] if value.lower() == "none" else re.split(r"[,\s]+", value)
    elif attribute == "bearing":
        plain = _way(value)
    elif attribute in ("front", "began", "charge_place", "charged_from") and plain is not None:
        plain = list(_spot(play, value))
    elif attribute == "last_forward":
        plain = SCALE.parse(value)
    elif attribute == "charge_target":
        plain = "" if plain is None else value.upper()
    elif attribute == "began_bearing":
        plain = _way(value)
    return _convert(kind, attribute, plain)


def _convert(kind: type[Patch], attribute: str, plain: object) -> Patch:
    try:
        return msgspec.convert({attribute: plain}, kind, strict=False)
    except msgspec.ValidationError as error:
        wanted = str(error).partition(" - at ")[0].replace("`", "")
        raise BadDirective(f'{attribute} cannot be "{plain}": {wanted[:1].lower()}{wanted[1:]}') from None


_GAME = ("turn", "phase", "initiative", "held", "chose", "flank", "charge_flank", "released")


def _set_game(ruling: _Ruling, attribute: str, value: str) -> None:
    if attribute not in _GAME:
        raise BadDirective(f'"{attribute}" is no attribute of the game; there are {", ".join(_GAME)}, wins, won_before')
    plain: object = {"true": True, "false": False, "none": None}.get(value, value)
    if attribute in ("initiative", "held", "chose") and plain is not None:
        plain = side_of(value, SIDES)
    game = _convert(GamePatch, attribute, plain)
    if game.phase == "over":
        raise BadDirective("write: end allied, end russian, or: end draw")
    battle = ruling.play.battle
    if attribute == "phase" and not battle.turn and value != "setup":
        game = replace(game, turn=1)
    if attribute == "turn" and battle.phase == "setup":
        game = replace(game, phase="initiative")
    ruling.rule(None, game=game)


# ------------------------------------------------------------------ remove, guns, fights, option, end


def _remove(ruling: _Ruling, words: Sequence[str]) -> None:
    if len(words) != 2:
        raise BadDirective("it reads: remove ID destroyed|left_field|guns_abandoned|dead")
    play, name, cause = ruling.play, words[0].upper(), words[1].lower()
    if name in play.battle.leaders and cause == "dead":
        leader = play.leader(name)
        status = "dead" if leader.kind == "army" else "killed_replaced"
        patch = _convert(LeaderPatch, "status", status)
        ruling.rule(leader.side, leaders={name: patch})
    elif name in play.battle.units and cause in ("destroyed", "left_field", "guns_abandoned"):
        patch_of = _convert(UnitPatch, "status", cause)
        leaders = {
            one: replace(patch, attached_to="") for one, patch in play.carried(name, play.unit(name).front).items()
        }
        ruling.rule(play.unit(name).side, units={name: patch_of}, leaders=leaders)
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
    name, value = option_of(words)
    if name in AT_START:
        raise BadDirective(f"{name} can be chosen with the campaign alone: it shapes the beginning")
    try:
        options = parse_options(msgspec.to_builtins(ruling.play.battle.options), {name: value})
    except Refused as error:
        raise BadDirective(str(error)) from None
    ruling.rule(None, game=GamePatch(options=options))


def _end(ruling: _Ruling, words: Sequence[str]) -> None:
    winner = words[0].lower() if len(words) == 1 else ""
    if winner not in (*SIDES, "draw"):
        raise BadDirective("it reads: end allied|russian|draw")
    ended = msgspec.convert({"winner": winner, "how": "ruling"}, Ended)
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
    if at is None or not (0 <= at.x <= play.scene.width and 0 <= at.y <= play.scene.height):
        raise BadDirective(f'"{text}" is no place of the map; write 61,67.5 or the name of a place')
    return at


def _way(text: str) -> int:
    found = parse_bearing(text)
    if found is None:
        raise BadDirective(f'"{text}" is no bearing; write SSW, or degrees')
    return found


def _number(text: str, least: int, most: int) -> int:
    found = whole(text)
    if found is None or not least <= found <= most:
        raise BadDirective(f'"{text}" is no number from {least} to {most}')
    return found
