"""What conformance cases may ask of the board and the charts of St. Privat.

Every answer is made of plain values, so that a case in TOML can be compared with it.  Squares are written
`J-10`, sides and kinds as the state has them; the battle is the one that the case has set up.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Mapping

from msgspec.structs import replace

from pbem.ground.square import Square, crossed, parse_square, place, sides
from pbem.kernel.names import Role
from pbem.rules.contract import Ask, ask
from pbem.systems.st_privat.field import sight
from pbem.systems.st_privat.field.bodies import Arm
from pbem.systems.st_privat.field.field import Field, card_key, files_of, order_of
from pbem.systems.st_privat.field.ranks import defence_by_stand, ranks
from pbem.systems.st_privat.fire import artillery, rifle
from pbem.systems.st_privat.fire import cover as shelter
from pbem.systems.st_privat.fire.aims import Aim
from pbem.systems.st_privat.fire.losses import man_or_horse as fallen_kind
from pbem.systems.st_privat.fire.losses import of_arm
from pbem.systems.st_privat.march import steps
from pbem.systems.st_privat.melee import melee
from pbem.systems.st_privat.play.pauses import EXCHANGES
from pbem.systems.st_privat.scene.scene import Scene
from pbem.systems.st_privat.tables import charts
from pbem.systems.st_privat.turn.layout import Layout
from pbem.systems.st_privat.world import orders as say
from pbem.systems.st_privat.world.fact import Ammunition
from pbem.systems.st_privat.world.game import Zone
from pbem.systems.st_privat.world.pieces import FRENCH, PRUSSIAN, SIDES, Facing, Piece, Place
from pbem.systems.st_privat.world.state import Battle


def _at(text: str) -> Square:
    """The square that a case names.

    :raises ValueError: if it names none.
    """
    found = parse_square(text)
    if found is None:
        raise ValueError(f'"{text}" is no square')
    return found


def _listed(squares: Collection[Square]) -> str:
    """Squares by file, then row, as a path is written: a list in a case would let others stand between."""
    return " ".join(files_of(squares))


# ------------------------------------------------------------------ the board


def distance(_scene: Scene, _battle: Battle, one: str, other: str) -> int:
    """Squares from one to the other, a diagonal neighbour as near as any."""
    return sight.away(_at(one), _at(other))


def terrain(scene: Scene, _battle: Battle, at: str) -> str:
    """`open`, `hill`, `woods` or `town`."""
    return scene.ground[_at(at)].terrain


def squares_of(scene: Scene, _battle: Battle, kind: str) -> str:
    """All squares of a terrain, by file, then row."""
    return _listed({at for at, ground in scene.ground.items() if ground.terrain == kind})


def number_of(scene: Scene, battle: Battle, kind: str) -> int:
    """How many squares of a terrain there are."""
    return len(squares_of(scene, battle, kind).split())


def interior(scene: Scene, battle: Battle, kind: str) -> str:
    """The squares of woods (or hills) that are no edge squares."""
    field = Field(scene, battle)
    return _listed({at for at in scene.ground if scene.ground[at].terrain == kind and field.is_interior(at)})


def road_step(scene: Scene, battle: Battle, start: str, end: str) -> bool:
    """Whether a step follows a road."""
    return Field(scene, battle).road_step(_at(start), _at(end))


def roads(scene: Scene, _battle: Battle) -> dict[str, int]:
    """How many squares have a road, and how many links join them."""
    on = {at for border in scene.roads for at in sides(border)}
    return {"squares": len(on), "links": len(scene.roads)}


def road_distance(scene: Scene, battle: Battle, start: str, end: str) -> int:
    """Road steps on the shortest way by road; -1 if there is none."""
    field = Field(scene, battle)
    goal, waiting, known = _at(end), deque([(_at(start), 0)]), {_at(start)}
    while waiting:
        at, steps = waiting.popleft()
        if at == goal:
            return steps
        for to in scene.board.neighbours(at):
            if to not in known and field.road_step(at, to):
                known.add(to)
                waiting.append((to, steps + 1))
    return -1


def streams(scene: Scene, _battle: Battle) -> dict[str, object]:
    """How many squares have water, where the bridges are, and where a stream springs."""
    wet = {at: ground for at, ground in scene.ground.items() if ground.stream}
    return {
        "squares": len(wet),
        "bridges": _listed({at for at, ground in wet.items() if ground.bridge}),
        "springs": _listed({at for at, ground in wet.items() if len(ground.stream) == 1}),
    }


def stream_sides(scene: Scene, _battle: Battle, at: str) -> str:
    """The sides through which the water of a square runs."""
    return scene.ground[_at(at)].stream


def walls(scene: Scene, _battle: Battle) -> dict[str, object]:
    """How many sections of wall there are, and which have a gap for a road."""
    gaps = sorted((border for border in scene.walls if border in scene.roads), key=lambda one: place(sides(one)[0]))
    return {"sections": len(scene.walls), "gaps": " ".join(gaps)}


def buildings(scene: Scene, _battle: Battle, size: str) -> str:
    """The squares of the small or the large buildings."""
    return _listed({at for at, ground in scene.ground.items() if ground.building == size})


def building(scene: Scene, battle: Battle, at: str) -> str:
    """The size of the building that stands in a square; empty if none does."""
    return Field(scene, battle).building(_at(at)) or ""


def town_places(scene: Scene, battle: Battle, town: str) -> int:
    """How many stands the squares of a town hold together."""
    totals = battle.options.building_totals
    room = {None: 4, "small": totals.small, "large": totals.large}
    return sum(room[Field(scene, battle).building(at)] for at in scene.towns[town].squares)


def may_share(scene: Scene, battle: Battle, at: str) -> bool:
    """Whether what stands in a square may stay there together."""
    field = Field(scene, battle)
    return not any(field.overfull(_at(at), field.at(_at(at), side)) for side in SIDES)


def siege_zone(_scene: Scene, _battle: Battle, die_file: int, die_row: int) -> dict[str, object]:
    """Where two dice let the siege gun stand."""
    return {"files": charts.ZONE_FILES[die_file], "row": charts.ZONE_ROWS[die_row]}


def siege_squares(scene: Scene, battle: Battle, files: str, row: int) -> str:
    """The squares of a zone in which the siege gun may be placed."""
    layout = Layout(scene, replace(battle, siege_zone=Zone(files, row)), PRUSSIAN)
    return _listed({at for at in scene.board if not layout.siege_bars(at)})


def schedule(scene: Scene, _battle: Battle) -> dict[str, object]:
    """The turns on which something ends or begins, and who moves first."""
    numbers = scene.numbers
    return {
        "last_turn": numbers.last_turn,
        "early_end_after": numbers.early_end_after,
        "last_scoring_turn": numbers.last_scoring_turn,
        "last_recapture_turn": numbers.last_recapture_turn,
        "exit_from": numbers.exit_from,
        "exit_square": str(numbers.exit_square),
        "first_mover": str(numbers.first_mover),
    }


def allowance(scene: Scene, battle: Battle, arm: Arm, start: str, first: str) -> int:
    """The points that a body has for a turn which it begins with a step to *first*; -1: it cannot even step."""
    points = steps.allowance(Field(scene, battle), arm, _at(start), _at(first))
    return -1 if points is None else points


def road_saves(_scene: Scene, battle: Battle, arm: Arm, road_steps: int) -> int:
    """The points that so many road steps in a row save."""
    return steps.saving(arm, road_steps, battle.options.road_bonus_min_steps)


def exchanges(_scene: Scene, _battle: Battle, mode: str) -> int:
    """How many exchanges of mail a turn has in a mail mode."""
    return max(EXCHANGES[mode].values())


# ------------------------------------------------------------------ the pieces


def pieces(_scene: Scene, battle: Battle, side: str) -> dict[str, int]:
    """How many pieces of each kind a side has."""
    return dict(Counter(piece.kind for piece in battle.pieces.values() if piece.side == side))


def stands(_scene: Scene, battle: Battle, side: str) -> int:
    """How many stands a side has; generals and dummies are none."""
    return sum(p.side == side and p.kind not in ("general", "dummy") for p in battle.pieces.values())


def command_stands(_scene: Scene, battle: Battle, side: str) -> str:
    """The command stands of a side, by their ids."""
    marked = [piece for piece in battle.pieces.values() if piece.side == side and piece.command]
    return " ".join(piece.id for piece in sorted(marked, key=order_of))


def garrison(scene: Scene, battle: Battle, town: str) -> int:
    """How many infantry stands are in the squares of a town."""
    squares = scene.towns[town].squares
    return sum(piece.kind == "infantry" and piece.square in squares for piece in battle.pieces.values())


def on_rows(_scene: Scene, battle: Battle, side: str, low: int, high: int) -> int:
    """How many stands of a side are on these rows; generals and dummies are none."""
    counted = (p for p in battle.pieces.values() if p.side == side and p.kind not in ("general", "dummy") and p.square)
    return sum(low <= place(piece.square)[1] <= high for piece in counted if piece.square is not None)


def cards(scene: Scene, battle: Battle, at: str, where: Place) -> dict[str, object]:
    """How many French cards the enemy counts in a place of a square, and where they look."""
    shown = Field(scene, battle).shown_cards(_at(at), FRENCH)[card_key(_at(at), where)]
    return {"count": shown.count, "facing": shown.facing or ""}


def all_cards(_scene: Scene, battle: Battle, side: str) -> int:
    """How many face-down cards a side has on the board."""
    return sum(piece.side == side and piece.stands and Field.is_card(piece) for piece in battle.pieces.values())


def figures(_scene: Scene, battle: Battle, name: str) -> int:
    """Living figures of a piece."""
    return battle.pieces[name].left


def points(scene: Scene, battle: Battle, name: str) -> int:
    """What the Prussians score for a piece."""
    return Field(scene, battle).points_of(battle.pieces[name])


def all_points(scene: Scene, battle: Battle) -> int:
    """What all French pieces are worth together."""
    field = Field(scene, battle)
    return sum(field.points_of(piece) for piece in battle.pieces.values())


def highest_scores(scene: Scene, battle: Battle) -> dict[str, int]:
    """The most that each side can score."""
    worth = all_points(scene, battle)
    return {
        "french": scene.numbers.french_start_points + worth,
        "prussian": worth + sum(town.points for town in scene.towns.values()),
    }


# ------------------------------------------------------------------ sight and zones


def line_of_sight(scene: Scene, battle: Battle, start: str, target: str) -> bool:
    """Whether whoever stands at *start* sees those in *target* well enough to fire at them."""
    return sight.line_of_sight(Field(scene, battle), _at(start), _at(target))


def blocks(scene: Scene, battle: Battle, at: str) -> bool:
    """Whether a square blocks the lines of sight through it."""
    return sight.blocks(Field(scene, battle), _at(at))


def between(_scene: Scene, _battle: Battle, start: str, target: str) -> str:
    """The squares that must be clear for a line of sight, by file, then row."""
    return _listed(set(crossed(_at(start), _at(target))))


def in_arc(_scene: Scene, battle: Battle, start: str, facing: Facing, target: str) -> bool:
    """Whether a square lies in the arc of fire."""
    return sight.in_arc(battle.options, _at(start), facing, _at(target))


def cover(scene: Scene, battle: Battle, start: str, target: str, where: Place) -> int:
    """What is added to the die of fire at those in a place of a square."""
    return shelter.total(shelter.cover(Field(scene, battle), _at(start), _at(target), where))


def zone(scene: Scene, battle: Battle, at: str, facing: Facing) -> str:
    """The squares that a stand controls from a square by its facing, by file, then row."""
    return _listed(set(Field(scene, battle).zone_of(_at(at), facing)))


def in_zone(scene: Scene, battle: Battle, at: str, side: str) -> bool:
    """Whether a side controls a square by one of its zones."""
    return Field(scene, battle).in_zone(_at(at), Role(side))


# ------------------------------------------------------------------ fire


def rifle_hit_max(_scene: Scene, _battle: Battle, side: str, away: int) -> int:
    """The highest die that hits with a rifle; 0 out of range."""
    return rifle.hit_max(Role(side), away)


def rifle_dice(scene: Scene, battle: Battle, at: str, side: str) -> int:
    """How many dice the infantry of a square throws."""
    return sum(piece.square == _at(at) for piece in rifle.firers(Field(scene, battle), Role(side)))


def rifle_kills(_scene: Scene, battle: Battle, natural: int, modified: int) -> int:
    """Infantrymen that a rifle's hit kills."""
    return rifle.kills_of(natural, modified, battle.options)


def kills(_scene: Scene, _battle: Battle, hits: int, arm: str) -> int:
    """What a hit that would kill so many infantrymen kills of another arm."""
    return of_arm(hits, "infantry" if arm == "infantry" else "section")


def artillery_hit_max(_scene: Scene, _battle: Battle, side: str, ammunition: Ammunition, away: int) -> int:
    """The highest die that hits with a gun; 0: no such fire at this range."""
    return artillery.hit_max(Role(side), ammunition, away)


def deviation(scene: Scene, battle: Battle, start: str, facing: Facing, target: str, total: int) -> str:
    """Where a shell falls that a gun fires from a square, by the sum of its two dice; empty: off the board."""
    gun = Piece(id="", kind="field_gun", side=FRENCH)
    aim = Aim(gun, _at(start), target=_at(target), facing=facing)
    return artillery.fall(Field(scene, battle), aim, (total,)).square or ""


def man_or_horse(_scene: Scene, _battle: Battle, die: int) -> str:
    """Whom a hit on gunners and horses together takes: `crew` or `team`."""
    return fallen_kind(die)


def structure_points(_scene: Scene, _battle: Battle, kind: str) -> int:
    """Points that destroy a `wall`, a `small` or `large` building, a `bridge`."""
    return charts.STRUCTURES[kind]


def equipment_points(_scene: Scene, _battle: Battle, kind: str) -> int:
    """Points that destroy a piece of equipment."""
    return charts.EQUIPMENT[kind]


# ------------------------------------------------------------------ melee


def _group(scene: Scene, battle: Battle, at: str, side: str) -> list[Piece]:
    field = Field(scene, battle)
    found = [piece for where in ("outside", "inside") for piece in field.group(_at(at), Role(side), where)]
    return found or list(field.group(_at(at), Role(side), kind="cavalry"))


def combat_values(scene: Scene, battle: Battle, at: str, side: str) -> dict[str, int]:
    """What the infantry (or cavalry) of a square counts in attack, and against an attack on each side of it."""
    group = _group(scene, battle, at, side)
    frontage = battle.options.line_frontage
    met = {way: sum(defence_by_stand(group, way, frontage).values()) for way in ("front", "left", "right", "rear")}
    return {"attack": 3 * sum(len(rank) for rank in ranks(group, frontage)[:2]), **met}


def defence(scene: Scene, battle: Battle, target: str, side: str, squares: list[str]) -> int:
    """The total of those in a square, attacked from these squares at once."""
    return melee.defence_value(Field(scene, battle), _at(target), Role(side), [_at(one) for one in squares]).total


def odds(_scene: Scene, _battle: Battle, attack: int, defenders: int) -> str:
    """The odds of two totals."""
    return melee.odds(attack, defenders)


def column(_scene: Scene, battle: Battle, attack: int, defenders: int, reasons: int) -> str:
    """The column of the melee table for two totals and a number of reasons to shift it."""
    return melee.column(attack, defenders, ["reason"] * reasons, battle.options)[0]


def order_of_charges(_scene: Scene, _battle: Battle, written: list[str]) -> str:
    """In which order charges are fought that are written so: `Q-9`, or `Q-7 after Q-9`."""
    pairs = [one.partition(" after ") for one in written]
    charges = [
        say.Charge(line=line, text="", units=(), square=_at(target), after=_at(other) if other else None)
        for line, (target, _, other) in enumerate(pairs, start=1)
    ]
    return " ".join(charge.square for charge in melee.in_order(charges))


def melee_result(_scene: Scene, battle: Battle, name: str, die: int) -> list[str]:
    """What attacker and defender suffer in a column of the melee table."""
    attacker, defender, _ = melee.result(name, die, battle.options)
    return [attacker, defender]


def casualty_factors(_scene: Scene, _battle: Battle, value: int, losses: str) -> int:
    """Factors that light, medium or heavy losses (L, M, H) cost a total value."""
    return melee.factors(value, losses)


ASKS: Mapping[str, Ask] = {
    "distance": ask(distance, "SP-BRD-01"),
    "terrain": ask(terrain, "SP-BRD-02", "SP-SCN-02"),
    "squares_of": ask(squares_of, "SP-BRD-02", "SP-SCN-02"),
    "number_of": ask(number_of, "SP-BRD-02", "SP-SCN-02"),
    "interior": ask(interior, "SP-BRD-02"),
    "road_step": ask(road_step, "SP-BRD-03"),
    "roads": ask(roads, "SP-SCN-03"),
    "road_distance": ask(road_distance, "SP-SCN-03"),
    "streams": ask(streams, "SP-SCN-04"),
    "stream_sides": ask(stream_sides, "SP-SCN-04"),
    "walls": ask(walls, "SP-SCN-05"),
    "buildings": ask(buildings, "SP-SCN-06"),
    "town_places": ask(town_places, "SP-SCN-02", "SP-CAP-02"),
    "may_share": ask(may_share, "SP-CAP-01", "SP-CAP-02", "SP-CAP-03", "SP-CAP-04"),
    "schedule": ask(schedule, "SP-SCN-09", "SP-VIC-02"),
    "pieces": ask(pieces, "SP-PCE-01", "SP-SCN-01"),
    "stands": ask(stands, "SP-PCE-01"),
    "figures": ask(figures, "SP-PCE-01"),
    "points": ask(points, "SP-PCE-01", "SP-PCE-02", "SP-VIC-06"),
    "all_points": ask(all_points, "SP-PCE-02", "SP-VIC-07"),
    "highest_scores": ask(highest_scores, "SP-VIC-07"),
    "line_of_sight": ask(line_of_sight, "SP-LOS-01", "SP-LOS-02", "SP-LOS-03", "SP-LOS-04"),
    "between": ask(between, "SP-LOS-01"),
    "in_arc": ask(in_arc, "SP-LOS-05"),
    "cover": ask(cover, "SP-RIF-03", "SP-SGE-04"),
    "zone": ask(zone, "SP-ZOC-01"),
    "in_zone": ask(in_zone, "SP-ZOC-01", "SP-HID-08"),
    "rifle_hit_max": ask(rifle_hit_max, "SP-RIF-02"),
    "rifle_dice": ask(rifle_dice, "SP-RIF-01", "SP-FOR-02", "SP-GEN-04"),
    "rifle_kills": ask(rifle_kills, "SP-RIF-04"),
    "kills": ask(kills, "SP-RIF-04", "SP-ART-08"),
    "man_or_horse": ask(man_or_horse, "SP-ART-07"),
    "structure_points": ask(structure_points, "SP-DMG-01"),
    "equipment_points": ask(equipment_points, "SP-DMG-01"),
    "combat_values": ask(combat_values, "SP-FOR-02", "SP-FOR-06"),
    "defence": ask(defence, "SP-MEL-07", "SP-FOR-03", "SP-OPT-02"),
    "odds": ask(odds, "SP-MEL-08"),
    "column": ask(column, "SP-MEL-08"),
    "melee_result": ask(melee_result, "SP-MEL-09"),
    "casualty_factors": ask(casualty_factors, "SP-CAS-04"),
    "building": ask(building, "SP-DMG-04"),
    "siege_zone": ask(siege_zone, "SP-SET-03"),
    "siege_squares": ask(siege_squares, "SP-SET-03"),
    "command_stands": ask(command_stands, "SP-PCE-03", "SP-SCN-01"),
    "garrison": ask(garrison, "SP-SET-02", "SP-SCN-07"),
    "on_rows": ask(on_rows, "SP-SET-04", "SP-SCN-08"),
    "cards": ask(cards, "SP-HID-01"),
    "all_cards": ask(all_cards, "SP-HID-01", "SP-SCN-07"),
    "blocks": ask(blocks, "SP-LOS-02", "SP-HID-02", "SP-SGE-01"),
    "artillery_hit_max": ask(artillery_hit_max, "SP-ART-01", "SP-SGE-05"),
    "deviation": ask(deviation, "SP-ART-04"),
    "allowance": ask(allowance, "SP-MOV-01", "SP-MOV-02"),
    "road_saves": ask(road_saves, "SP-MOV-07"),
    "order_of_charges": ask(order_of_charges, "SP-MEL-03", "SP-MEL-10"),
    "exchanges": ask(exchanges, "SP-OPT-03"),
}
"""The questions, by name, and the rules that answer them."""
