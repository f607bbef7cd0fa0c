"""The ground of a scenario as a picture: terrain, water, roads, walls, houses, names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Literal

from pbem.ground.picture import SQUARE, Area, Box, Grid, House, Label, Picture, Point, Way
from pbem.ground.square import Edge, Square, place, sides
from pbem.rules.lately import lately
from pbem.systems.st_privat.scene.scene import Ground, Scene, Terrain
from pbem.systems.st_privat.world.game import Damage
from pbem.systems.st_privat.world.state import Battle

HALF = SQUARE // 2


def middle(scene: Scene, at: Square) -> Point:
    """The middle of a square on the sheet: row 1 at the foot."""
    file, row = place(at)
    return (file - 1) * SQUARE + HALF, (int(scene.board.rows) - row) * SQUARE + HALF


def box_round(scene: Scene, squares: set[Square], margin: int = 1) -> Box:
    """The squares named and *margin* more on each side, no more than the board."""
    files, rows = zip(*(place(at) for at in squares), strict=True)
    width, height = int(scene.board.files), int(scene.board.rows)
    left, right = max(min(files) - margin, 1), min(max(files) + margin, width)
    low, high = max(min(rows) - margin, 1), min(max(rows) + margin, height)
    return (left - 1) * SQUARE, (height - high) * SQUARE, right * SQUARE, (height - low + 1) * SQUARE


def _ring(scene: Scene, at: Square) -> tuple[Point, ...]:
    x, y = middle(scene, at)
    return (x - HALF, y - HALF), (x + HALF, y - HALF), (x + HALF, y + HALF), (x - HALF, y + HALF)


AREAS: dict[Terrain, Literal["hill", "wood", "town"]] = {"hill": "hill", "woods": "wood", "town": "town"}


def _areas(scene: Scene) -> Iterator[Area]:
    for at, ground in scene.ground.items():
        if ground.terrain in AREAS:
            yield Area(AREAS[ground.terrain], _ring(scene, at))
    for label in scene.labels:
        if "graveyard" in label.text.lower():
            yield Area("graveyard", _ring(scene, label.square))


def _to_the_rim(scene: Scene, at: Square, way: str) -> Point:
    x, y = middle(scene, at)
    dx, dy = {"n": (0, -HALF), "s": (0, HALF), "e": (HALF, 0), "w": (-HALF, 0)}[way]
    return x + dx, y + dy


def _streams(scene: Scene) -> Iterator[Way]:
    for name, course in scene.streams.items():
        points: list[Point] = []
        for at in course:
            water = scene.ground[at].stream
            if len(water) == 1:
                x, y = middle(scene, at)
                points += [_to_the_rim(scene, at, water), (x - 5, y)]
                continue
            ends = [_to_the_rim(scene, at, way) for way in water]
            if (points and points[-1] == ends[-1]) or (
                not points and course[1:] and not _touches(scene, ends[-1], course[1])
            ):
                ends.reverse()
            points += [point for point in ends if not points or points[-1] != point]
        yield Way("stream", tuple(dict.fromkeys(points)), name=name)


def _touches(scene: Scene, point: Point, at: Square) -> bool:
    x, y = middle(scene, at)
    return abs(point[0] - x) <= HALF and abs(point[1] - y) <= HALF


def _roads(scene: Scene) -> Iterator[Way]:
    """Each link, and a stub to the rim where a road ends at the edge of the board."""
    for link in sorted(scene.roads):
        one, other = sides(link)
        yield Way("road", (middle(scene, one), middle(scene, other)))
    links = Counter(at for link in scene.roads for at in sides(link))
    for at in sorted(links, key=place):
        _, row = place(at)
        if links[at] == 1 and row in (1, int(scene.board.rows)):
            yield Way("road", (middle(scene, at), _to_the_rim(scene, at, "s" if row == 1 else "n")))


def _walls(scene: Scene, walls: Mapping[Edge, Damage]) -> Iterator[Way]:
    """Each wall along its edge; in two pieces where a road goes through it."""
    for border in sorted(scene.walls):
        one, other = sides(border)
        (ax, ay), (bx, by) = middle(scene, one), middle(scene, other)
        x, y = (ax + bx) // 2, (ay + by) // 2
        for near, far in ((-HALF, -12), (12, HALF)) if border in scene.roads else ((-HALF, HALF),):
            ends = ((x, y + near), (x, y + far)) if ay == by else ((x + near, y), (x + far, y))
            yield Way("wall", ends, ruined=border in walls and walls[border].destroyed)


def _houses(scene: Scene, buildings: Mapping[Square, Damage]) -> Iterator[House]:
    for at in sorted(scene.ground, key=place):
        ground = scene.ground[at]
        if ground.building is None:
            continue
        x, y = middle(scene, at)
        ruined = at in buildings and buildings[at].destroyed
        name = scene.houses.get(at, "")
        yield House(*_shape(ground, name, x, y), ruined, name)


def _shape(ground: Ground, name: str, x: int, y: int) -> tuple[Literal["small", "large", "church"], Box]:
    """How a house is drawn: big enough to hold troops in a town, small in the open country."""
    if ground.building == "large":
        return "church" if "church" in name.lower() else "large", (x - 44, y - 3, x + 44, y + 43)
    if ground.terrain == "town":
        return "large", (x - 42, y - 2, x + 42, y + 42)
    return "small", (x - 35, y - 18, x - 5, y + 2)


def _middle_of_area(scene: Scene, at: Square) -> Point:
    """The middle of the hill or wood that a square belongs to."""
    kind, found, new = scene.ground[at].terrain, {at}, [at]
    while new:
        for one in scene.board.neighbours(new.pop()):
            if one not in found and scene.ground[one].terrain == kind:
                found.add(one)
                new.append(one)
    across, down = zip(*(middle(scene, one) for one in found), strict=True)
    return (min(across) + max(across)) // 2, (min(down) + max(down)) // 2


def _labels(scene: Scene) -> Iterator[Label]:
    for label in scene.labels:
        whole = label.kind in ("hill", "wood") and scene.ground[label.square].is_rough
        at = _middle_of_area(scene, label.square) if whole else middle(scene, label.square)
        yield Label(label.text, at, label.kind)


def ground_of(scene: Scene, battle: Battle) -> Picture:
    """The board with the damage that is known, without troops."""
    return _ground(scene, battle.walls, battle.buildings, battle.bridges)


@lately(4)
def _ground(
    scene: Scene, walls: Mapping[Edge, Damage], buildings: Mapping[Square, Damage], bridges: Mapping[Square, Damage]
) -> Picture:
    files, rows = int(scene.board.files), int(scene.board.rows)
    return Picture(
        title=scene.title,
        whose="",
        box=(0, 0, files * SQUARE, rows * SQUARE),
        grid=Grid(
            SQUARE,
            tuple(chr(ord("A") + file) for file in range(files)),
            tuple(str(row) for row in range(rows, 0, -1)),
        ),
        areas=tuple(_areas(scene)),
        ways=(
            *_streams(scene),
            *_roads(scene),
            *(Way("bridge", (middle(scene, at),), at in bridges and bridges[at].destroyed)
              for at, ground in scene.ground.items() if ground.bridge),
            *_walls(scene, walls),
        ),
        houses=tuple(_houses(scene, buildings)),
        labels=tuple(_labels(scene)),
    )  # fmt: skip
