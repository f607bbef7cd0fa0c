"""The true map: both sides, their commanders, and every rider with his paper.  For the umpire alone."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from pbem.ground.picture import Box, Picture, Troop
from pbem.systems.kriegsspiel.field.works_standing import true_terrain
from pbem.systems.kriegsspiel.gm.truth_papers import called
from pbem.systems.kriegsspiel.page.drawing import MARGIN, ground_at, line_of, sign, spot, style
from pbem.systems.kriegsspiel.scene.scene import Scene
from pbem.systems.kriegsspiel.scene.wording import form_words, place_words
from pbem.systems.kriegsspiel.world.bodies import is_fresh, is_on_map
from pbem.systems.kriegsspiel.world.dispatches import Paper
from pbem.systems.kriegsspiel.world.forms import depth_of, front_of
from pbem.systems.kriegsspiel.world.state import War
from pbem.systems.kriegsspiel.world.troops import SIDES, Unit

BADGES = {"repulsed": "R", "defeated": "D", "totally_defeated": "T", "remnant": "r"}
ON_ROAD = ("riding", "searching", "returning")


def _parts(unit: Unit) -> int:
    if unit.arm == "artillery":
        return max(1, unit.strength.guns)
    return max(1, unit.strength.blocks) if unit.size == "battalion" else 1


def _troops(scene: Scene, war: War) -> Iterator[Troop]:
    for key in sorted(war.units):
        unit = war.units[key]
        place = unit.place
        if place.stand not in ("map", "afloat"):
            continue
        state = "" if is_fresh(unit) else f", {unit.trial.state.replace('_', ' ')}"
        yield Troop(
            sign(unit.arm, unit.kind, limbered=place.limbered, size=unit.size),
            style(scene, unit.side),
            spot(scene, place.at),
            place.facing // 100,
            max(front_of(unit), 8),
            max(depth_of(unit), 8),
            _parts(unit),
            trail=line_of(scene, place.trail) if len(place.trail) > 1 else (),
            label=unit.id,
            badge=BADGES.get(unit.trial.state, ""),
            words=f"{unit.side} {unit.id}, {form_words(place.formation)}, {place_words(scene, place.at)}{state}",
            own=unit.side == SIDES[0],
            key=key,
        )
    for name in sorted(war.persons):
        person = war.persons[name]
        if person.stand == "map" and person.state != "captured":
            yield Troop(
                "officer" if person.superior else "chief",
                style(scene, person.side),
                spot(scene, person.at),
                label=person.name,
                words=f"{person.rank} {person.name}, {place_words(scene, person.at)}",
                own=person.side == SIDES[0],
                key=f"@{name}",
            )


def _riders(scene: Scene, war: War) -> Iterator[Troop]:
    """Where each rider is; the table of papers has the rest."""
    for paper in papers_on_the_road(war):
        yield Troop(
            "rider",
            style(scene, paper.side),
            spot(scene, paper.at),
            words=f"The bearer of {called(scene, {paper.id: paper}, paper.id)}, {place_words(scene, paper.at)}",
            own=paper.side == SIDES[0],
            key=f"#{paper.id}",
        )


def papers_on_the_road(war: War) -> tuple[Paper, ...]:
    """Papers that a rider carries now, in the order in which they were begun."""
    return tuple(war.papers[key] for key in sorted(war.papers) if war.papers[key].state in ON_ROAD)


def _focus(scene: Scene, war: War) -> Box | None:
    """Where the sides are nearest to each other: about the two bodies that are."""
    found = [
        [
            war.units[key].place.at
            for key in sorted(war.units)
            if war.units[key].side == side and _stands(war.units[key])
        ]
        for side in SIDES
    ]
    pairs = [(max(abs(a.x - b.x), abs(a.y - b.y)), a, b) for a in found[0] for b in found[1]]
    if not pairs:
        return None
    _, one, other = min(pairs)
    spots = line_of(scene, (one, other))
    wide, high = scene.chart.width, scene.chart.height
    left, right = min(x for x, _ in spots) - 2 * MARGIN, max(x for x, _ in spots) + 2 * MARGIN
    up, down = min(y for _, y in spots) - 2 * MARGIN, max(y for _, y in spots) + 2 * MARGIN
    return (max(left, 0), max(up, 0), min(right, wide), min(down, high))


def _stands(unit: Unit) -> bool:
    return is_on_map(unit) and not unit.duty.parent


def true_picture(scene: Scene, war: War) -> Picture:
    """The map as it is."""
    sides = tuple(next(one.name for one in scene.commanders if one.style == which) for which in ("first", "second"))
    troops = tuple(_troops(scene, war))
    states = {name: feature.state for name, feature in war.features.items() if feature.state}
    return replace(
        ground_at(scene, true_terrain(scene, war), states),
        title="The ground, and what truly stands on it",
        whose=f"as it is at {scene.clock(war.clock.move)}",
        sides=(sides[0].split()[0], sides[1].split()[0]),
        troops=(*_riders(scene, war), *troops),
        focus=_focus(scene, war),
        caption="Both sides as they are, and each rider where he is; the table of papers tells whom he rides to.",
        focus_caption="Where the sides are nearest to each other, enlarged.",
    )
