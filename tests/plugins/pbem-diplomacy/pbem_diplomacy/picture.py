"""The map as a picture: whose the provinces are, what stands there, and what was ordered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.ground import picture as drawn
from pbem.ground.picture import Block, Mark, Picture, Point, Track, TrackKind
from pbem.kernel.names import Role
from pbem_diplomacy.board import Place, coast_of, province_of
from pbem_diplomacy.judge import Unit
from pbem_diplomacy.map import CLOSED, SHEET, at_length, spoken
from pbem_diplomacy.state import Europe, Power, Scene, Trace


def power_of(scene: Scene, role: Role) -> Power:
    """A power of the scenario."""
    return next(power for power in scene.powers if power.role == role)


def stand(scene: Scene, place: Place) -> Point:
    """Where a unit stands on the map."""
    province = scene.board.provinces[province_of(place)]
    return province.coasts.get(coast_of(place), province.stand)


def picture(scene: Scene, europe: Europe, role: Role | None, traces: Sequence[Trace] = ()) -> Picture:
    """The map of *role*, or of nobody; with what was ordered as tracks."""
    return Picture(
        title=f"Europe, {europe.season} {europe.year}",
        whose="as all know it",
        sides=tuple(power.name for power in scene.powers),
        box=SHEET.box,
        provinces=(*_provinces(scene, europe), *_closed()),
        blocks=tuple(_block(scene, europe, name, role) for name in sorted(europe.units)),
        tracks=tuple(_track(scene, one, one.side) for one in traces if one.side and one.end != one.start),
        marks=tuple(
            Mark("melee", stand(scene, one.start), words=f"units met in {spoken(one.start)}")
            for one in traces
            if one.kind == "met"
        ),
        words=tuple((power.name, _holdings(scene, europe, power)) for power in scene.powers),
    )


def _provinces(scene: Scene, europe: Europe) -> Iterator[drawn.Province]:
    """The provinces: land is its holder's, a centre's whoever has it, else whose unit stood there last is not kept."""
    for key, one in scene.board.provinces.items():
        holder = europe.owners.get(key)
        yield drawn.Province(
            key=key,
            rings=one.rings,
            at=one.at,
            kind="water" if one.kind == "sea" else "land",
            side=power_of(scene, holder).style if holder else "none",
            centre=one.centre,
        )


def _closed() -> Iterator[drawn.Province]:
    """What nobody enters: Switzerland, Africa, and the islands."""
    for key, rings in {**CLOSED, **{f"island {one + 1}": (ring,) for one, ring in enumerate(SHEET.islands)}}.items():
        yield drawn.Province(key=key, rings=rings, at=rings[0][0], kind="closed")


def _block(scene: Scene, europe: Europe, name: str, role: Role | None) -> Block:
    unit = europe.units[name]
    return Block(
        "army" if unit.kind == "A" else "fleet",
        power_of(scene, unit.side).style,
        stand(scene, unit.at),
        words=called(scene, unit),
        driven=name in europe.dislodged,
        own=unit.side == role,
        parts=(name,),
    )


def called(scene: Scene, unit: Unit) -> str:
    """A unit in words: `the German army in Kiel`."""
    kind = "army" if unit.kind == "A" else "fleet"
    return f"the {power_of(scene, unit.side).adjective} {kind} in {spoken(unit.at)}"


def _track(scene: Scene, trace: Trace, side: Role) -> Track:
    """What was ordered: a move where it went, a support or a convoy to the way of what it was for."""
    goal = stand(scene, trace.end or trace.of)
    if trace.of and trace.end:
        start, end = stand(scene, trace.of), stand(scene, trace.end)
        goal = ((start[0] + end[0]) // 2, (start[1] + end[1]) // 2)
    return Track(
        KINDS[trace.kind],
        power_of(scene, side).style,
        (stand(scene, trace.start), goal),
        of=(trace.unit,),
        failed=trace.failed,
    )


KINDS: Mapping[str, TrackKind] = {"move": "move", "support": "support", "convoy": "convoy", "retreat": "retreat"}
"""How each order is drawn."""


def _holdings(scene: Scene, europe: Europe, power: Power) -> str:
    names = scene.board.provinces
    centres = sorted(names[key].name for key, side in europe.owners.items() if side == power.role)
    units: Mapping[str, Unit] = {name: unit for name, unit in europe.units.items() if unit.side == power.role}
    stands = sorted(
        f"{'army' if unit.kind == 'A' else 'fleet'} {at_length(unit.at)}"
        f"{' (dislodged)' if name in europe.dislodged else ''}"
        for name, unit in units.items()
    )
    held = f"Centres: {', '.join(centres)}." if centres else "No centres."
    return f"{held}  Units: {', '.join(stands)}." if stands else f"{held}  No units."
