"""What may never come to pass at St. Privat, from the ledger: each breach in a sentence, its rule first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any

from pbem.ground.square import (
    Square,
    beyond,
    corner_edges,
    direction,
    distance,
    edge,
    is_diagonal,
    offset,
    place,
    square,
)
from pbem.kernel.names import Role
from pbem.rules.contract import World
from pbem.systems.st_privat.scene.scene import Scene
from pbem.systems.st_privat.world import outcomes as o
from pbem.systems.st_privat.world import outcomes_combat as c
from pbem.systems.st_privat.world.fact import Fact
from pbem.systems.st_privat.world.pieces import ENEMY, FRENCH, GUNS, PRUSSIAN, SIDES, Piece
from pbem.systems.st_privat.world.state import Battle

Breaches = Iterator[str]

FULL = {
    "infantry": ("men", 3),
    "cavalry": ("men", 2),
    "crew": ("men", 6),
    "team": ("horses", 4),
    "general": ("figures", 2),
}
DAMAGE = {"field_gun": 6, "mitrailleuse": 10, "siege_gun": 12, "limber": 3}
TRAIN = (*GUNS, "limber", "team")
ORDER = ("move_first", "move_second", "rifle", "artillery", "melee", "end")
RIFLE = {FRENCH: {1: 4, 2: 3, 3: 2}, PRUSSIAN: {1: 3, 2: 2}}
GUNNERY: Mapping[tuple[Role, str], Mapping[int, int]] = {
    (PRUSSIAN, "shot"): {1: 4, 2: 3, 3: 2},
    (PRUSSIAN, "shell"): {3: 4, 4: 3, 5: 2},
    (PRUSSIAN, "siege"): {4: 5, 5: 4, 6: 3, 7: 3, 8: 3},
    (FRENCH, "shot"): {1: 3, 2: 2},
    (FRENCH, "shell"): {2: 4, 3: 3, 4: 2},
    (FRENCH, "mg"): {1: 5, 2: 4, 3: 3},
}
RING = ("n", "ne", "e", "se", "s", "sw", "w", "nw")


def breaches(scene: Scene, before: World[Battle, Battle], fact: Fact, after: World[Battle, Battle]) -> Breaches:
    """A sentence for each rule that *fact* breaks."""
    was, now = before.truth, after.truth
    if isinstance(fact, o.Ruling):
        return
    yield from _changed(was, now, fact)
    check = OF_KIND.get(type(fact))
    if check is not None:
        yield from check(scene, was, fact, now)
    if fact.changes and was.phase in ORDER:
        yield from _nobody_shares_with_an_enemy(now)
    if isinstance(fact, o.PhaseBegan) and was.turn:
        yield from _in_place(scene, now)
        for role, mind in after.minds.items():
            yield from _known_truly(role, mind, now)


# ------------------------------------------------------------------ of every fact


def _changed(was: Battle, now: Battle, fact: Fact) -> Breaches:
    for name in fact.changes:
        old, new = was.pieces.get(name), now.pieces.get(name)
        if old is None or new is None:
            yield f"SP-PCE-01: {name} is no piece of the game"
            continue
        counted = FULL.get(new.kind)
        if counted and not 0 <= getattr(new, counted[0]) <= counted[1]:
            yield f"SP-PCE-01: {name} has {getattr(new, counted[0])} {counted[0]}"
        if counted and new.left > old.left:
            yield f"SP-CAS-01: {name} grew from {old.left} to {new.left}"
        if new.damage < old.damage or new.damage < 0:
            yield f"SP-DMG-01: damage of {name} went from {old.damage} to {new.damage}"
        if old.removed is not None and new != old and not isinstance(fact, o.PhaseBegan):
            yield f"SP-GEN-02: {name}, {old.removed}, is changed by a {type(fact).__name__}"
        if (new.removed is None) != (new.square is not None) and was.turn:
            yield f"SP-GEN-02: {name} is removed ({new.removed}) and stands at {new.square}"
        if new.hidden and not old.hidden and was.turn:
            yield f"SP-HID-04: {name} is turned down again"
        if new.side != old.side and not now.options.captured_guns_usable:
            yield f"SP-CAP-06: {name} changed sides"
        if new.kind == "siege_gun" and old.square and new.square and old.square != new.square and was.turn:
            yield f"SP-SGE-01: {name} went from {old.square} to {new.square}"
        if (
            was.turn
            and not old.on_table
            and (new.moved_this_turn or (new.attacked_this_turn and not old.attacked_this_turn))
        ):
            yield f"SP-SGE-01: {name} acts before it is on the table"


def _nobody_shares_with_an_enemy(now: Battle) -> Breaches:
    held: dict[Square, Role] = {}
    for piece in now.pieces.values():
        if piece.kind in (*TRAIN, "dummy") or piece.square is None or piece.removed is not None:
            continue
        if held.setdefault(piece.square, piece.side) != piece.side:
            yield f"SP-MOV-04: both sides stand in {piece.square}, {piece.id} among them"


# ------------------------------------------------------------------ where a phase begins


def _in_place(scene: Scene, now: Battle) -> Breaches:
    by: dict[tuple[Square, Role], list[Piece]] = {}
    for piece in now.pieces.values():
        if piece.square is not None and piece.removed is None:
            by.setdefault((piece.square, piece.side), []).append(piece)
            yield from _by_itself(scene, now, piece)
    for (at, side), here in by.items():
        yield from _capacity(scene, now, at, side, here)
        for where in ("outside", "inside"):
            yield from _together(scene, now, at, [piece for piece in here if piece.place == where])
        others = by.get((at, ENEMY[side]), [])
        if others and not (any(_is_siege(one) for one in here) or any(_is_siege(one) for one in others)):
            # Who was beaten back upon them takes nothing: only a move or an advance does.
            came = [
                one for one in others if (one.moved_this_turn or one.attacked_this_turn) and not one.turned_this_turn
            ]
            # Nor does a crew that has not come, but limbers or unlimbers a gun where it was beaten back to.
            at_work = any(one.is_gun and one.moved_this_turn for one in others)
            takers = [
                one
                for one in came
                if not one.retreated_this_turn
                and (one.kind in ("infantry", "cavalry") or (one.kind == "crew" and not at_work))
            ]
            if takers and all(one.kind in TRAIN for one in here) and takers[0].side != side:
                yield f"SP-CAP-06: {here[0].id} stands in {at} with {takers[0].id} and is not captured"
            if takers and any(one.kind == "dummy" for one in here):
                yield f"SP-HID-06: a dummy lies in {at} with {takers[0].id}"


def _is_siege(piece: Piece) -> bool:
    return not piece.on_table


def _by_itself(scene: Scene, now: Battle, piece: Piece) -> Breaches:
    at = piece.square
    assert at is not None
    ground = scene.ground[at]
    if piece.kind in FULL and piece.left == 0:
        yield f"SP-CAS-02: {piece.id} stands at {at} with nobody left"
    if piece.kind in DAMAGE and piece.damage >= DAMAGE[piece.kind]:
        yield f"SP-DMG-04: {piece.id} stands at {at} with {piece.damage} points of damage"
    if piece.place == "inside":
        if _building(scene, now, at) is None:
            yield f"SP-TER-06: {piece.id} is inside at {at}, where no building stands"
        if piece.kind not in ("infantry", "crew", "general", "dummy"):
            yield f"SP-TER-06: {piece.id}, {piece.kind}, is inside at {at}"
    if piece.hidden and (ground.terrain != "town" or piece.kind not in ("infantry", "dummy", "crew", *GUNS)):
        yield f"SP-HID-01: {piece.id} lies face down at {at}, {ground.terrain}"
    if piece.kind == "dummy" and not piece.hidden and ground.terrain == "town":
        yield f"SP-HID-02: the dummy {piece.id} is face up at {at}"
    if piece.kind in TRAIN and _interior(scene, at):
        yield f"SP-TER-02: {piece.id} is inside the woods of {at}"
    if piece.kind != "general" and piece.facing is None:
        yield f"SP-FOR-01: {piece.id} at {at} faces nowhere"


def _capacity(scene: Scene, now: Battle, at: Square, side: Role, here: list[Piece]) -> Breaches:
    def stands(where: str) -> int:
        return sum(
            now.options.dummy_capacity if one.kind == "dummy" else one.kind != "general"
            for one in here
            if one.place == where
        )

    building, names = _building(scene, now, at), ", ".join(one.id for one in here)
    inside, outside = stands("inside"), stands("outside")
    fallen = scene.ground[at].building is not None and building is None
    total = {
        "small": now.options.building_totals.small,
        "large": now.options.building_totals.large,
        None: 5 if fallen else 4,
    }[building]
    if inside + outside > total or outside > (5 if fallen else 4):
        yield f"SP-CAP-01: {inside} inside and {outside} outside at {at}: {names}"
    if inside > {"small": 3, "large": 5, None: 0}[building]:
        yield f"SP-CAP-02: {inside} inside at {at}: {names}"
    generals = [one for one in here if one.kind == "general"]
    if len(generals) > 2 or (len(generals) == 2 and not any(one.c_in_c for one in generals)):
        yield f"SP-CAP-03: generals at {at}: {names}"
    if any(one.kind == "cavalry" for one in here) and any(
        one.kind not in ("cavalry", "general", "dummy") for one in here
    ):
        yield f"SP-CAP-04: cavalry with others at {at}: {names}"


def _together(scene: Scene, now: Battle, at: Square, here: list[Piece]) -> Breaches:
    cards = {one.facing for one in here if one.hidden}
    infantry = [one for one in here if one.kind == "infantry"]
    if len(cards) > 1 or (cards and any(one.facing not in cards for one in infantry)):
        named = [(one.id, one.facing) for one in infantry]
        yield f"SP-HID-01: the cards of {at} face {sorted(map(str, cards))}, {named}"
    for group in (infantry, [one for one in here if one.kind == "cavalry"]):
        if not group:
            continue
        shapes, slots = {one.formation for one in group}, sorted(one.slot for one in group)
        if len({one.facing for one in group}) > 1 and not now.options.split_facing and group is infantry:
            yield f"SP-FOR-01: the infantry of {at} faces several ways: {[(one.id, one.facing) for one in group]}"
        if len(shapes) > 1 and group is infantry:
            yield f"SP-FOR-01: the infantry of {at} is in line and in column"
        if slots != list(range(1, len(slots) + 1)) and not any(one.hidden for one in group):
            yield f"SP-FOR-05: the ranks of {at} have gaps: {[(one.id, one.slot) for one in group]}"
        if "column" in shapes and (len(group) < 2 or group is not infantry or group[0].place == "inside"):
            yield f"SP-FOR-01: a column of {len(group)} at {at}: {[one.id for one in group]}"


def _building(scene: Scene, now: Battle, at: Square) -> Any:
    damage = now.buildings.get(at)
    return None if damage is not None and damage.destroyed else scene.ground[at].building


def _interior(scene: Scene, at: Square) -> bool:
    if scene.ground[at].terrain != "woods":
        return False
    around = [one for way in "nesw" if (one := beyond(at, way)) is not None and one in scene.ground]
    return all(scene.ground[one].terrain == "woods" for one in around)


# ------------------------------------------------------------------ what a side knows


SEEN = ("square", "place", "facing", "men", "horses", "figures", "damage", "deployed", "removed", "kind", "side")


def _known_truly(role: Role, mind: Battle, now: Battle) -> Breaches:
    for name, piece in now.pieces.items():
        held = mind.pieces.get(name)
        if piece.side == role:
            if held != piece:
                what = [
                    one for one in piece.__struct_fields__ if held is None or getattr(held, one) != getattr(piece, one)
                ]
                yield f"SP-GEN-02: {role} holds {what} of its own {name} otherwise than it is"
            continue
        if held is None:
            if now.options.fog_of_war == "table" and piece.square is not None and not piece.hidden and piece.on_table:
                yield f"SP-OPT-01: {role} does not see {name}, which stands open at {piece.square}"
        elif (piece.hidden or not piece.on_table) and held.square is not None:
            yield f"SP-HID-01: {role} holds {name}, which it cannot see, to be at {held.square}"
        elif held.square is not None or piece.square is not None:
            wrong = [one for one in SEEN if getattr(held, one) != getattr(piece, one)]
            if wrong:
                yield f"SP-OPT-01: {role} holds {wrong} of {name} otherwise than it is"
    for name in ("buildings", "walls", "bridges", "vp", "town_state", "turn", "phase", "first_mover"):
        if getattr(mind, name) != getattr(now, name):
            yield f"SP-OPT-01: {role} holds {name} otherwise than it is: {getattr(mind, name)}, {getattr(now, name)}"
    if set(mind.reactions) - {role} or (role == FRENCH and mind.siege_zone is not None):
        yield f"SP-HID-01: {role} holds what is the enemy's alone"
    sealed = mind.sealed.get(ENEMY[role])
    if sealed is not None and sealed.placements and now.phase != "over":
        yield f"SP-HID-01: {role} holds the enemy's set-up"
    if role == PRUSSIAN:
        yield from _cards_counted(mind, now)


def _cards_counted(mind: Battle, now: Battle) -> Breaches:
    down = [one for one in now.pieces.values() if one.hidden and one.kind != "crew" and one.square]
    counts = Counter(f"{one.square} {one.place}" for one in down)
    held = {key: cards.count for key, cards in mind.cards.items()}
    if held != counts:
        wrong = {key: (held.get(key, 0), counts[key]) for key in {*held, *counts} if held.get(key, 0) != counts[key]}
        yield f"SP-HID-01: the Prussian counts other cards than lie there: {wrong}"
    for one in down:
        cards = mind.cards.get(f"{one.square} {one.place}")
        if cards is not None and cards.facing != one.facing:
            yield f"SP-HID-01: to the Prussian {one.id} at {one.square} faces {cards.facing}, and it faces {one.facing}"


# ------------------------------------------------------------------ phases, removals, points


def _phase(scene: Scene, was: Battle, fact: o.PhaseBegan, now: Battle) -> Breaches:
    if was.phase in ORDER and now.phase in ORDER:
        follows = ORDER[(ORDER.index(was.phase) + 1) % len(ORDER)]
        if now.phase != follows or now.turn != was.turn + (now.phase == "move_first"):
            yield f"SP-TRN-01: {was.turn} {was.phase} is followed by {now.turn} {now.phase}"
    if not 0 <= now.turn <= scene.numbers.last_turn:
        yield f"SP-VIC-02: turn {now.turn}"


def _removed(scene: Scene, was: Battle, fact: c.UnitRemoved, now: Battle) -> Breaches:
    old = was.pieces[fact.unit]
    if old.removed is not None:
        yield f"SP-GEN-02: {fact.unit} is removed twice"
    worth = {"infantry": 2, "cavalry": 2, "field_gun": 5, "mitrailleuse": 5}.get(old.kind)
    # A Prussian gun that the French had taken is no French piece when it is lost again.
    scores = old.side == FRENCH and fact.unit.startswith("f") and fact.cause not in ("exited", "removed")
    if scores and worth is not None and fact.points != worth:
        yield f"SP-VIC-06: {fact.unit} {fact.cause} for {fact.points} points"
    if (not scores or old.kind in ("general", "dummy")) and fact.points:
        yield f"SP-VIC-06: {fact.unit} {fact.cause} for {fact.points} points"


def _losses(scene: Scene, was: Battle, fact: c.LossesApplied, now: Battle) -> Breaches:
    old, new = was.pieces[fact.unit], now.pieces[fact.unit]
    if old.left - fact.figures_lost != new.left or fact.figures_left != new.left or fact.figures_lost < 1:
        yield f"SP-CAS-03: {fact.unit} had {old.left}, lost {fact.figures_lost}, has {new.left}"
    if not old.stands:
        yield f"SP-GEN-02: {fact.unit}, which does not stand, loses figures"


def _exited(scene: Scene, was: Battle, fact: c.UnitExited, now: Battle) -> Breaches:
    early = now.options.exit_before_t10 == "forbidden" and was.turn < scene.numbers.exit_from
    if early or fact.square != scene.numbers.exit_square or any(was.pieces[one].side != FRENCH for one in fact.units):
        yield f"SP-VIC-05: {fact.units} leave from {fact.square} in turn {was.turn}"


def _score(scene: Scene, was: Battle, fact: o.ScoreUpdated, now: Battle) -> Breaches:
    lower = now.vp.french < was.vp.french or now.vp.prussian < was.vp.prussian
    if lower and was.phase != "end":
        yield f"SP-VIC-06: the score fell from {was.vp} to {now.vp} in the phase {was.phase}"
    if now.vp.prussian < 0:
        yield f"SP-VIC-07: {now.vp}"


# ------------------------------------------------------------------ steps


def _held(was: Battle, at: Square, side: Role) -> bool:
    """Whether an enemy of *side* bars a square: a stand, crew or general that is seen, or a real card."""
    return any(
        one.square == at
        and one.side != side
        and one.removed is None
        and one.on_table
        and one.kind not in (*TRAIN, "dummy")
        for one in was.pieces.values()
    )


def _zone(was: Battle, at: Square, side: Role) -> bool:
    """Whether an enemy of *side*, face up, controls a square (SP-ZOC-01), or a card does (SP-HID-08)."""
    for one in was.pieces.values():
        if one.side == side or one.square is None or one.removed is not None or one.facing is None or not one.on_table:
            continue
        if distance(one.square, at) > 1 or not _controls(was, one):
            continue
        east, north = offset(one.square, at)
        ahead, beside = {"n": (north, east), "s": (-north, east), "e": (east, north), "w": (-east, north)}[one.facing]
        front = ahead == 1 and abs(beside) <= 1
        if was.options.zoc_shape == "front_and_flanks":
            front = (ahead, beside) == (1, 0) or (ahead == 0 and abs(beside) == 1)
        if front:
            return True
    return False


def _controls(was: Battle, one: Piece) -> bool:
    if one.hidden:
        if one.kind == "crew" or was.options.cards_zoc == "none":
            return False
        return was.options.cards_zoc == "all" or one.kind != "dummy"
    if one.kind in GUNS:
        crew = was.pieces.get(one.crew_id)
        manned = crew is not None and crew.stands and crew.square == one.square and crew.place == "outside"
        return one.deployed and manned and crew is not None and not crew.detached
    return one.kind == "infantry"


def _wall(scene: Scene, was: Battle, border: Any) -> bool:
    damage = was.walls.get(border)
    return border in scene.walls and border not in scene.roads and not (damage is not None and damage.destroyed)


def _road(scene: Scene, was: Battle, start: Square, end: Square) -> bool:
    if is_diagonal(start, end) or edge(start, end) not in scene.roads:
        return False
    down = {at for at, damage in was.bridges.items() if damage.destroyed}
    return all(not scene.ground[at].stream or (scene.ground[at].bridge and at not in down) for at in (start, end))


def _bank(stream: str, way: str) -> int:
    """Which arc of the ring a direction lies in; -1: the water runs through it."""
    cuts = sorted(RING.index(one) for one in stream)
    at = RING.index(way)
    return -1 if at in cuts else int(cuts[0] < at < cuts[1])


def _steps(scene: Scene, was: Battle, side: Role, path: tuple[Square, ...], units: list[Piece]) -> Breaches:
    """What holds of each step by which anything goes anywhere."""
    kinds = {one.kind for one in units}
    for start, end in pairwise(path):
        if distance(start, end) != 1 or end not in scene.ground:
            yield f"SP-MOV-03: a step from {start} to {end}"
            continue
        if _held(was, end, side):
            yield f"SP-MOV-04: {[one.id for one in units]} step from {start} into {end}, which enemies hold"
        if kinds & set(TRAIN):
            walls = corner_edges(start, end) if is_diagonal(start, end) else [edge(start, end)]
            if any(_wall(scene, was, one) for one in walls):
                yield f"SP-TER-04: artillery ({[one.id for one in units]}) over a wall from {start} to {end}"
            if _interior(scene, end):
                yield f"SP-TER-02: artillery ({[one.id for one in units]}) into the woods of {end}"


def _moved(scene: Scene, was: Battle, fact: o.UnitMoved, now: Battle) -> Breaches:
    units, path, side = [was.pieces[one] for one in fact.units], fact.path, fact.side
    mover = was.first_mover if was.phase == "move_first" else was.second_mover
    if was.phase not in ("move_first", "move_second") or mover != side:
        yield f"SP-TRN-01: {side} moves {fact.units} in the phase {was.phase}"
    for one in units:
        if not one.stands or one.side != side or one.square != path[0]:
            yield f"SP-GEN-02: {one.id} at {one.square} goes along {path}"
        if one.demolishes:
            yield f"SP-DMG-03: {one.id} moves and demolishes"
    yield from _steps(scene, was, side, path, units)
    yield from _walk(scene, was, fact, units)
    if fact.cost > fact.allowance:
        yield f"SP-MOV-02: {fact.units} paid {fact.cost} of {fact.allowance}"
    if len(path) - 1 - 2 * fact.road_bonus_used > fact.allowance:
        yield f"SP-MOV-02: {fact.units} went {len(path) - 1} squares of {fact.allowance}"
    most = max({"cavalry": 5, "general": 5, "infantry": 3, "crew": 2}.get(one.kind, 4) for one in units)
    if fact.allowance > most:
        yield f"SP-MOV-01: {fact.units} have an allowance of {fact.allowance}"


def _walk(scene: Scene, was: Battle, fact: o.UnitMoved, units: list[Piece]) -> Breaches:
    path, side = fact.path, fact.side
    kinds, names = {one.kind for one in units}, ",".join(fact.units)
    foot, last = bool(kinds & {"infantry", "crew"}) and not kinds & set(TRAIN), len(path) - 1
    for number, (start, end) in enumerate(pairwise(path), start=1):
        road, kind, diagonal = _road(scene, was, start, end), scene.ground[end].terrain, is_diagonal(start, end)
        if diagonal and any(_wall(scene, was, one) for one in corner_edges(start, end)):
            yield f"SP-TER-04: {names} go from {start} to {end} past the end of a wall"
        if diagonal and all(_zone(was, one, side) or _held(was, one, side) for one in _corners(start, end)):
            yield f"SP-ZOC-03: {names} slip through from {start} to {end}"
        if foot and not diagonal and _wall(scene, was, edge(start, end)) and (number, last) != (1, 1):
            yield f"SP-TER-04: {names} cross the wall {start}|{end} as step {number} of {last}"
        if number == last:
            continue
        if _zone(was, end, side):
            yield f"SP-ZOC-02: {names} pass {end}, in a zone of control, on {path}"
        before = scene.ground[start].terrain
        stops = "general" not in kinds or was.options.generals_stop
        negated = was.options.road_negates_terrain and road
        if kind in ("hill", "woods") and kind != before and stops and not negated:
            yield f"SP-TER-01: {names} pass {end}, {kind}, on {path}"
        if kind == "town" and not road and before != "town":
            yield f"SP-TER-03: {names} pass through the town at {end} on {path}"
        if foot and was.options.ford_infantry_wait_turns and _forded(scene, was, start, end, path[number + 1]):
            yield f"SP-TER-05: {names} cross the stream at {end} without stopping on {path}"


def _corners(start: Square, end: Square) -> tuple[Square, Square]:
    (x, y), (file, row) = place(start), place(end)
    return square(x, row), square(file, y)


def _forded(scene: Scene, was: Battle, start: Square, at: Square, end: Square) -> bool:
    stream = scene.ground[at].stream
    if len(stream) != 2 or (_road(scene, was, start, at) and _road(scene, was, at, end)):
        return False
    came, goes = direction(at, start), direction(at, end)
    if came is None or goes is None:
        return False
    banks = {_bank(stream, came), _bank(stream, goes)}
    return banks == {0, 1}


def _prolonged(scene: Scene, was: Battle, fact: o.GunProlonged, now: Battle) -> Breaches:
    gun = was.pieces[fact.gun]
    crew = was.pieces.get(gun.crew_id)
    if gun.kind == "siege_gun" or not gun.deployed or crew is None or crew.left < 4 or crew.square != gun.square:
        yield f"SP-MOV-09: {fact.gun} is pushed by {crew.left if crew else 'nobody'}"
    yield from _steps(scene, was, gun.side, (fact.start, fact.square), [gun])


def _card(scene: Scene, was: Battle, fact: o.CardMoved, now: Battle) -> Breaches:
    for name in fact.units:
        old, new = was.pieces[name], now.pieces[name]
        if not old.hidden or not new.hidden:
            yield f"SP-HID-03: {name} moves as a card and is none"
        if (
            old.square
            and new.square
            and (distance(old.square, new.square) > 1 or scene.ground[old.square].town != scene.ground[new.square].town)
        ):
            yield f"SP-HID-03: the card {name} went from {old.square} to {new.square}"
        if old.moved_this_turn and name in fact.changes:
            yield f"SP-HID-03: the card {name} moved twice"


def _limbered(scene: Scene, was: Battle, fact: o.GunLimbered, now: Battle) -> Breaches:
    gun = was.pieces[fact.gun]
    parts = [was.pieces.get(one) for one in (gun.crew_id, gun.limber_id, gun.team_id)]
    if any(one is None or not one.stands or one.square != gun.square for one in parts) or not gun.deployed:
        yield f"SP-MOV-08: {fact.gun} is limbered without crew, limber and team"
    elif parts[2] is not None and parts[2].horses < was.options.team_min_horses:
        yield f"SP-MOV-08: {fact.gun} is limbered to {parts[2].horses} horses"


# ------------------------------------------------------------------ fire


def _rifles(scene: Scene, was: Battle, fact: c.RifleFireResolved, now: Battle) -> Breaches:
    target, seen, fronts = fact.target_square, set[str](), Counter[tuple[Any, str]]()
    if was.phase != "rifle":
        yield f"SP-TRN-01: rifles fire in the phase {was.phase}"
    # Who was beaten back upon an enemy's deserted train shares its square, and each side fires at the other's there.
    shared = {one.side for one in was.pieces.values() if one.square == target} == set(SIDES)
    if target in was.squares_fired_rifle and not shared and was.options.one_fire_per_square != "single_square":
        yield f"SP-RIF-05: {target} is fired at twice"
    for die in fact.fire:
        one = was.pieces[die.shooter]
        if one.kind != "infantry" or not one.stands or one.side != fact.side or one.square != die.square:
            yield f"SP-RIF-01: {one.id} at {one.square} fires from {die.square}"
        if one.demolishes:
            yield f"SP-RIF-01: {one.id} demolishes and fires"
        if die.shooter in seen:
            yield f"SP-RIF-01: {one.id} fires twice"
        seen.add(die.shooter)
        fronts[die.square, one.place] += 1
        apart = distance(die.square, target)
        if die.range != apart or RIFLE[fact.side].get(apart) != die.hit_max:
            yield f"SP-RIF-02: {one.id} at {die.square} fires at {target}, range {die.range}, {die.hit_max}"
        if die.hit != (die.modified <= die.hit_max) or die.modified - die.natural != sum(
            m.value for m in die.modifiers
        ):
            yield f"SP-RIF-03: {die}"
        yield from _shot(scene, was, one, target)
    for (at, where), count in fronts.items():
        together = [
            one for one in was.pieces.values() if one.kind == "infantry" and (one.square, one.place) == (at, where)
        ]
        large = where == "inside" and _building(scene, was, at) == "large"
        most = 1 if together[0].formation == "column" else 3 if large and len(together) == 5 else 2
        if count > most:
            yield f"SP-RIF-01: {count} stands of {at} {where}, {together[0].formation}, fire at {target}"


def _shot(scene: Scene, was: Battle, one: Piece, target: Square) -> Breaches:
    """Arc and line of sight of direct fire."""
    at = one.square
    assert at is not None
    yield from _arc(was, one, one.facing, target)
    if _interior(scene, target) and not (scene.ground[at].terrain == "woods" and distance(at, target) <= 1):
        yield f"SP-LOS-04: {one.id} at {at} fires into the woods of {target}"
    if "hill" in (scene.ground[at].terrain, scene.ground[target].terrain):
        return
    between = _between(at, target)
    for way in between:
        ground = scene.ground[way]
        there = [
            other.id for other in was.pieces.values()
            if other.square == way and other.removed is None and other.kind != "general" and other.on_table
            and (other.kind != "dummy" or was.options.dummy_blocks_los)
        ]  # fmt: skip
        if there or ground.terrain in ("hill", "woods") or _building(scene, was, way) is not None:
            yield f"SP-LOS-02: {one.id} at {at} fires at {target} through {way} ({there or ground.terrain})"


def _arc(was: Battle, one: Piece, facing: Any, target: Square) -> Breaches:
    assert one.square is not None
    east, north = offset(one.square, target)
    ahead, beside = {"n": (north, east), "s": (-north, east), "e": (east, north), "w": (-east, north)}[facing]
    if ahead < 1 or (was.options.fire_arc == "quadrant" and abs(beside) > ahead):
        yield f"SP-LOS-05: {one.id} at {one.square}, facing {facing}, fires at {target}"


def _between(start: Square, end: Square) -> list[Square]:
    """The squares whose inside the line between two centres crosses, without the ends."""
    (x, y), (file, row) = place(start), place(end)
    found = []
    for near in range(min(x, file), max(x, file) + 1):
        for up in range(min(y, row), max(y, row) + 1):
            if (near, up) not in ((x, y), (file, row)) and _crosses((x, y), (file, row), (near, up)):
                found.append(square(near, up))
    return found


def _crosses(start: tuple[int, int], end: tuple[int, int], box: tuple[int, int]) -> bool:
    """Whether the line passes the inside of a square: the stretch of it within is longer than a point."""
    low, high = Fraction(0), Fraction(1)
    for first, last, middle in zip(start, end, box, strict=True):
        near, far = Fraction(middle) - Fraction(1, 2), Fraction(middle) + Fraction(1, 2)
        if first == last:
            if not near < first < far:
                return False
            continue
        one, other = sorted(((near - first) / (last - first), (far - first) / (last - first)))
        low, high = max(low, one), min(high, other)
    return low < high


def _gun(scene: Scene, was: Battle, fact: c.ArtilleryFireResolved, now: Battle) -> Breaches:
    gun = was.pieces[fact.gun]
    crew = was.pieces.get(gun.crew_id)
    if was.phase != "artillery":
        yield f"SP-TRN-01: {fact.gun} fires in the phase {was.phase}"
    served = crew is not None and crew.stands and crew.square == gun.square and crew.place == "outside"
    if not served or crew is None or crew.left < was.options.gun_min_crew or not gun.stands or not gun.on_table:
        yield f"SP-ART-03: {fact.gun} fires without a crew"
    if not gun.deployed or gun.moved_this_turn or gun.unlimbered_this_turn:
        yield f"SP-ART-03: {fact.gun} fires, and moved or is limbered"
    if gun.square is None:
        return
    apart = distance(gun.square, fact.aim_square)
    allowed = {"field_gun": ("shot", "shell"), "mitrailleuse": ("mg",), "siege_gun": ("siege",)}[gun.kind]
    if fact.ammunition not in allowed or apart != fact.range:
        yield f"SP-ART-02: {fact.gun} fires {fact.ammunition} at range {fact.range}"
    # A captured gun stays what it is.
    chart = GUNNERY.get((FRENCH if fact.gun.startswith("f") else PRUSSIAN, str(fact.ammunition)), {})
    if chart and fact.hit_square is not None and fact.hit_max not in (chart.get(apart), 0):  # 0: nobody there to hit
        yield f"SP-ART-01: {fact.gun} fires {fact.ammunition} at range {apart}, {fact.hit_max}"
    if fact.hit_square is not None and fact.hit != (fact.modified <= fact.hit_max):
        yield f"SP-ART-01: {fact.natural}, {fact.modified} of {fact.hit_max}: hit {fact.hit}"
    if fact.ammunition in ("shot", "mg"):
        yield from _shot(scene, was, gun, fact.aim_square)
    else:
        yield from _arc(was, gun, gun.facing, fact.aim_square)


# ------------------------------------------------------------------ melee


def _charged(scene: Scene, was: Battle, fact: c.ChargeDeclared, now: Battle) -> Breaches:
    if was.phase != "melee" or fact.side != was.second_mover:
        yield f"SP-MEL-01: {fact.side} charges in the phase {was.phase}"
    if fact.target in was.squares_attacked:
        yield f"SP-MEL-03: {fact.target} is attacked twice"
    for name in fact.units:
        one = was.pieces[name]
        if one.kind not in ("infantry", "cavalry") or not one.stands or one.side != fact.side:
            yield f"SP-MEL-01: {name} charges"
        elif one.square is None or one.facing is None or beyond(one.square, one.facing) != fact.target:
            yield f"SP-MEL-02: {name} at {one.square}, facing {one.facing}, charges {fact.target}"
        if one.attacked_this_turn:
            yield f"SP-MEL-03: {name} attacks twice"
        if one.retreated_this_turn:
            yield f"SP-MEL-10: {name} charges after it fell back"
        if one.demolishes:
            yield f"SP-DMG-03: {name} demolishes and charges"
        if one.formation == "column" and one.kind == "infantry" and one.slot > 2:
            yield f"SP-MEL-02: {name} charges from rank {one.slot}"


COLUMNS = ("1-4", "1-3", "1-2", "1-1", "2-1", "3-1", "4-1")


def _melee(scene: Scene, was: Battle, fact: c.MeleeResolved, now: Battle) -> Breaches:
    a, d = fact.attack_cv, fact.defence_cv
    for value in (a, d):
        if value.total != sum(value.stands.values()) + sum(value.crews.values()) + value.command + value.general:
            yield f"SP-MEL-05: {value}"
    if any(value > 3 for value in (*d.stands.values(), *a.stands.values())):
        yield f"SP-FOR-03: {d}, {a}"
    if d.total and a.total:
        odds = f"{a.total // d.total}-1" if a.total >= d.total else f"1-{-(-d.total // a.total)}"
        best = (
            COLUMNS[min(6, max(0, 2 + a.total // d.total))]
            if a.total >= d.total
            else COLUMNS[max(0, 4 + a.total * 0 - -(-d.total // a.total))]
        )
        if was.options.shift_after_clamp:
            column = COLUMNS[max(0, COLUMNS.index(best) + fact.column_shift)]
            if column != fact.column:
                yield f"SP-MEL-08: {a.total} against {d.total} is {odds}, shift {fact.column_shift}: {fact.column}"
    if not -was.options.column_shift_max <= fact.column_shift <= 0:
        yield f"SP-MEL-08: a shift of {fact.column_shift}"
    for name in (*fact.attackers, *fact.defenders):
        if not was.pieces[name].stands:
            yield f"SP-MEL-10: {name}, which does not stand, fights"
    horse = any(was.pieces[one].kind == "cavalry" for one in fact.defenders)
    foot = any(was.pieces[one].kind == "infantry" for one in fact.attackers)
    if horse and foot and scene.ground[fact.defender_square].terrain not in ("town", "woods"):
        yield f"SP-MEL-04: infantry attacks cavalry at {fact.defender_square}"


def _fell_back(scene: Scene, was: Battle, fact: Any, now: Battle) -> Breaches:
    units = [was.pieces[one] for one in fact.units]
    for one in units:
        if not one.stands or one.side != fact.side:
            yield f"SP-MOR-04: {one.id}, which does not stand, falls back"
        if one.kind == "siege_gun":
            yield f"SP-SGE-01: {one.id} falls back"
    if isinstance(fact, c.FellBack) and len(fact.path) - 1 > fact.squares + was.options.rout_overflow:
        yield f"SP-MOR-06: {fact.units} fall back {fact.path}"
    yield from _steps(scene, was, fact.side, fact.path, units)


def _advanced(scene: Scene, was: Battle, fact: c.AdvanceMade, now: Battle) -> Breaches:
    yield from _fell_back(scene, was, fact, now)
    names = ",".join(fact.units)
    for number, end in enumerate(fact.path[1:], start=1):
        start = fact.path[number - 1]
        if number < len(fact.path) - 1:
            kind = scene.ground[end].terrain
            if kind in ("hill", "woods") and scene.ground[start].terrain != kind:
                yield f"SP-MOR-07: {names} advance past {end}, {kind}"
            if number > 1 and _zone(was, end, fact.side):
                yield f"SP-ZOC-04: {names} advance past {end}, in a zone of control"
    if len(fact.path) > 5:
        yield f"SP-MOR-07: {names} advance {len(fact.path) - 1} squares"


Check = Callable[[Scene, Battle, Any, Battle], Breaches]

OF_KIND: Mapping[type[Fact], Check] = {
    o.PhaseBegan: _phase,
    c.UnitRemoved: _removed,
    c.UnitExited: _exited,
    c.LossesApplied: _losses,
    o.ScoreUpdated: _score,
    o.UnitMoved: _moved,
    o.GunProlonged: _prolonged,
    o.GunLimbered: _limbered,
    o.CardMoved: _card,
    c.RifleFireResolved: _rifles,
    c.ArtilleryFireResolved: _gun,
    c.ChargeDeclared: _charged,
    c.MeleeResolved: _melee,
    c.RetreatMade: _fell_back,
    c.RoutMade: _fell_back,
    c.AdvanceMade: _advanced,
}

__all__ = ["SIDES", "breaches"]
