"""The theatre of war as a picture: land, terrain, rivers, railways, fortresses, towns, names."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Literal

from msgspec.structs import replace

from pbem.ground.hexes import Hex, Hexside, frontiers, hexside, sides
from pbem.ground.honeycomb import box_of, chains, middle, outline
from pbem.ground.path import flood_evenly
from pbem.ground.picture import Area, Honeycomb, Label, Picture, SideStyle, Site, Tint, Way
from pbem.kernel.names import Role
from pbem.rules.lately import lately
from pbem.systems.empire_1870.field.field import Field
from pbem.systems.empire_1870.scene.scene import Scene
from pbem.systems.empire_1870.world.parts import SIDES

AREAS: tuple[tuple[str, Literal["wood", "rough", "mountain"]], ...] = (
    ("forest", "wood"),
    ("rough", "rough"),
    ("mountain", "mountain"),
)
COUNTRIES = {"FR": "FRANCE", "DE": "GERMANY", "BE": "BELGIUM", "LU": "LUXEMBOURG", "CH": "SWITZERLAND"}
ROOM = 600
"""Units of distance from its middle that a step of free ground round its name is worth."""
PROVINCE, SMALL = 12, 100
"""Hexes of a country, and of a map, up to which the names of countries are written small."""
BROAD = ("rhine",)
"""Rivers that are drawn twice as wide."""


def style(scene: Scene, side: Role | None) -> SideStyle:
    """How a side is drawn."""
    return "none" if side is None else scene.commander(side).style


def _areas(scene: Scene) -> Iterator[Area]:
    for terrain, kind in AREAS:
        hexes = [at for at, cell in scene.cells.items() if cell.terrain == terrain]
        yield from (Area(kind, ring) for ring in outline(hexes))


def _lands(scene: Scene) -> Iterator[Tint]:
    for side in (*SIDES, None):
        hexes = [at for at, cell in scene.cells.items() if cell.owner == side]
        if hexes:
            yield Tint("land", style(scene, side), outline(hexes))


def _rivers(scene: Scene) -> Iterator[Way]:
    named: dict[str, list[Hexside]] = {}
    for border, name in scene.rivers.items():
        named.setdefault(name, []).append(border)
    for name, borders in sorted(named.items()):
        yield from (
            Way("river", line, name=name.capitalize(), broad=name.casefold() in BROAD) for line in chains(borders)
        )


def _frontiers(scene: Scene) -> Iterator[Way]:
    countries = {at: cell.country for at, cell in scene.cells.items()}
    yield from (Way("frontier", line) for line in chains(frontiers(countries)))


def _rails(scene: Scene) -> Iterator[Way]:
    """Each line along its hexes; what two lines share is drawn once."""
    drawn: set[Hexside] = set()
    runs = [*scene.railways.values(), *(sides(link) for link in sorted(scene.links))]
    for run in runs:
        part: list[Hex] = []
        for one, other in pairwise(run):
            link = hexside(one, other)
            if link in drawn:
                yield from _run(part)
                part = []
                continue
            drawn.add(link)
            part = part or [one]
            part.append(other)
        yield from _run(part)


def _run(hexes: list[Hex]) -> Iterator[Way]:
    if len(hexes) > 1:
        yield Way("rail", tuple(middle(at) for at in hexes))


def _labels(scene: Scene) -> Iterator[Label]:
    """The name of each country on open ground, where it has room, not far from its middle."""
    for country, name in COUNTRIES.items():
        hexes = [at for at, cell in scene.cells.items() if cell.country == country]
        if not hexes:
            continue
        busy = {at for at, cell in scene.cells.items() if cell.country != country or cell.name or cell.rail}
        rough = {at for at, cell in scene.cells.items() if cell.terrain not in ("clear", "neutral")}
        room = flood_evenly(busy | rough, scene.board.neighbours).costs
        x, y = (sum(part) // len(hexes) for part in zip(*(middle(at) for at in hexes), strict=True))

        def off(at: Hex, room: dict[Hex, int] = room, x: int = x, y: int = y) -> tuple[int, Hex]:
            across, down = middle(at)
            return abs(across - x) + abs(down - y) - ROOM * min(room.get(at, 2), 2), at

        large = len(hexes) > PROVINCE and len(scene.board) > SMALL
        yield Label(name, middle(min(hexes, key=off)), "country" if large else "province")


def sites(field: Field) -> Iterator[Site]:
    """Fortresses with their SR and state, towns, and places that only have a name."""
    for at in sorted(field.scene.cells):
        cell = field.cell(at)
        holder = style(field.scene, field.controller(at))
        if cell.fortress:
            state: Literal["whole", "besieged", "destroyed"] = "whole"
            if not field.sr(at):
                state = "destroyed"
            elif field.besieged(at):
                state = "besieged"
            owner = style(field.scene, field.fortress_of(at)) if field.sr(at) else holder
            yield Site("fortress", middle(at), cell.name, owner, figure=cell.fortress, state=state)
        elif cell.town:
            yield Site("town", middle(at), cell.name, holder)
        elif cell.name:
            yield Site("village", middle(at), cell.name)


def _held(field: Field) -> Iterator[Tint]:
    """Land in the hands of the other side."""
    for side in SIDES:
        mine = [
            at
            for at, cell in field.scene.cells.items()
            if field.controller(at) == side and cell.owner is not None and cell.owner != side
        ]
        if mine:
            yield Tint("held", style(field.scene, side), outline(mine))


def ground_of(field: Field) -> Picture:
    """The map without troops: what it is, and who holds it."""
    land = _land(field.scene)
    return replace(land, tints=(*land.tints, *_held(field)), sites=tuple(sites(field)))


@lately(2)
def _land(scene: Scene) -> Picture:
    """What of the map is always the same."""
    named = {one.style: one.name for one in scene.commanders}
    board = scene.board
    return Picture(
        title=scene.title,
        whose="",
        box=box_of(list(board)),
        sides=(named.get("first", ""), named.get("second", "")),
        hexes=Honeycomb(board.columns, board.rows),
        areas=tuple(_areas(scene)),
        tints=tuple(_lands(scene)),
        ways=(*_rivers(scene), *_frontiers(scene), *_rails(scene)),
        labels=tuple(_labels(scene)),
    )
