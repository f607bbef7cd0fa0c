"""Step 8 of a move, works: all go on, fires burn down, boats cross; then who sees what has become of a crossing."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from pbem.ground.plane import Point, distance
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.field.works_standing import CROSSING_SEEN, crossing_of
from pbem.systems.kriegsspiel.knowing.sighting import BRIDGE_TOP, sees, unit_eye
from pbem.systems.kriegsspiel.march.carrying_out import Did
from pbem.systems.kriegsspiel.play.play import Play
from pbem.systems.kriegsspiel.tables.knowledge import PREPARED_SEEN
from pbem.systems.kriegsspiel.works.boats import do_embark, do_land, do_swim, do_take_boats, row
from pbem.systems.kriegsspiel.works.bridges import BRIDGES, burn_down, do_fire, do_put_out
from pbem.systems.kriegsspiel.works.places import PLACES
from pbem.systems.kriegsspiel.works.works import Finder, work_on, worker
from pbem.systems.kriegsspiel.world.orders import Order, Verb
from pbem.systems.kriegsspiel.world.parts import Feature
from pbem.systems.kriegsspiel.world.troops import SIDES, Side, Unit

FINDERS: Mapping[Verb, Finder] = {**BRIDGES, **PLACES}
"""The works, by the verb of the order."""

WORK_ORDERS: Mapping[Verb, Callable[[Play, Unit, Order], Did]] = {
    **{verb: worker(find) for verb, find in FINDERS.items()},
    "blow": do_fire, "burn": do_fire, "put_out": do_put_out, "embark": do_embark, "land": do_land,
    "take_boats": do_take_boats, "swim": do_swim,
}  # fmt: skip
"""What each order of works and boats does in step 3."""


@rule("KS-TUR-02", "KS-BRG-09")
def works(play: Play) -> None:
    """What was at work goes on; matches and fires come to their end; boats cross."""
    work_on(play, FINDERS)
    burn_down(play)
    row(play)


def place_of_feature(play: Play, feature: Feature) -> Point | None:
    """Where a crossing or barricade is whose state can be seen; None: there is nothing to be seen."""
    crossing = crossing_of(play.scene.chart, feature.id)
    return crossing.at if crossing is not None and feature.state not in ("", "building") else None


@rule("KS-GM-06", "KS-MSG-08", "KS-SIT-05")
def see_crossings(play: Play) -> None:
    """Units see what has become of crossings; of each side the nearest reports it."""
    for name in sorted(play.war.features):
        feature = play.war.features[name]
        at = place_of_feature(play, feature)
        if at is not None:
            for side in SIDES:
                _see(play, side, feature, at)


def _see(play: Play, side: Side, feature: Feature, at: Point) -> None:
    crossing = crossing_of(play.scene.chart, feature.id)
    printed = crossing.state if crossing is not None and feature.id in play.scene.chart.crossings else ""
    far = PREPARED_SEEN if feature.state == "prepared" else CROSSING_SEEN
    seers = []
    for unit in play.on_map(side):
        away = distance(unit.place.at, at)
        if away > far or unit.duty.knows.get(feature.id, printed) == feature.state:
            continue
        if away <= PREPARED_SEEN or sees(play.scene.terrain, unit_eye(play.war, unit), at, far, BRIDGE_TOP):
            seers.append((away, unit.key))
    for _, key in seers:
        duty = play.unit(key).duty
        knows = replace(duty, knows=duty.knows | {feature.id: feature.state})
        play.change(play.unit(key), "knows", duty=knows)
    if seers:
        play.note(min(seers)[1], "bridge", f"crossing {feature.id}={feature.state}")
