"""What cases may ask of works, bridges and boats."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from pbem.rules.contract import Ask, ask
from pbem.systems.kriegsspiel.field.works_standing import crossing_of
from pbem.systems.kriegsspiel.gm.values import lookup, point, reckoned
from pbem.systems.kriegsspiel.scene.scene import Scene
from pbem.systems.kriegsspiel.tables import work_times as times
from pbem.systems.kriegsspiel.tables import works as of_works
from pbem.systems.kriegsspiel.works.boats import capacity, loads_of, rowing, swim_moves, trip_moves, whole
from pbem.systems.kriegsspiel.works.places import earthwork_moves, strengthening_moves
from pbem.systems.kriegsspiel.world.state import War
from pbem.systems.kriegsspiel.world.strengths import on_foot


def pontoon(_scene: Scene, _war: War, width: int, how: str = "usual") -> dict[str, object]:
    """A pontoon bridge over a water so wide: stretches, pontoons, moves; `-`: the work stops."""
    moves = times.pontoon_moves(width, how) if of_works.PONTOON_MOVES[how] is not None else "-"
    return {"sections": times.pontoon_sections(width), "pontoons": times.pontoons_for(width), "moves": moves}


def floating(_scene: Scene, _war: War, width: int, load: str, current: str = "medium", material: str = "near") -> int:
    """Moves of a floating bridge for `infantry` or `all`; *material* from `near` or `far`."""
    return times.floating_moves(width, load, rapid=current == "rapid", far=material == "far")


def trestle(_scene: Scene, _war: War, width: int, who: str) -> int:
    """Moves of a trestle bridge, by who is there: `train`, `pioneers`, `carpenters`."""
    return times.pontoon_moves(width) + of_works.TRESTLE_COLLECTING[who]


def demolition(_scene: Scene, _war: War, what: str) -> int:
    """Moves of the match, and of a bridge that burns."""
    return {"match": of_works.MATCH, **of_works.BURNING, "dam": of_works.DAM_MOVES}[what]


def work(_scene: Scene, _war: War, what: str) -> dict[str, object]:
    """A work on a place as the table has it."""
    found = of_works.WORKS[what]
    return {"moves": found.moves, "men": found.men or "battalion", "paces": found.paces or "all"}


def strengthening(_scene: Scene, _war: War, front: int) -> str:
    """Moves of a battalion to make a light border so long strong."""
    return str(Fraction(strengthening_moves(front), 12))


def earthwork(_scene: Scene, _war: War, paces: int) -> str:
    """Moves of a battalion for a hasty earthwork so long."""
    return str(Fraction(earthwork_moves(paces), 12))


def boat_trips(_scene: Scene, _war: War, arm: str, loads: int, over: int, back: int) -> int:
    """Moves until the last load has landed."""
    return trip_moves(arm, over, back, loads)


def rowed(scene: Scene, _war: War, start: str, end: str) -> dict[str, object]:
    """Moves of boats from one place to another, exact and as they are played."""
    found = rowing(scene.chart, point(start), point(end))
    return {"exact": str(found), "moves": whole(found)}


def boat_table(_scene: Scene, _war: War) -> dict[str, object]:
    """Rates, times of embarking, boats of a battalion, points at which a boat turns back."""
    return {**of_works.BOAT_RATES, **{f"embark_{arm}": moves for arm, moves in of_works.EMBARKING.items()},
            "battalion": of_works.BATTALION_BOATS, "turns_back": of_works.BOAT_TURNS_BACK}  # fmt: skip


def foot_strength(_scene: Scene, war: War, units: str) -> str:
    """Half battalions that units on foot count as."""
    return str(sum((on_foot(war.units[unit]) for unit in units.split()), Fraction(0)))


def crossing(scene: Scene, war: War, name: str) -> dict[str, object]:
    """A crossing as it truly is."""
    found, feature = crossing_of(scene.chart, name), war.features.get(name)
    assert found is not None, f"there is no crossing {name}"
    state = feature.state if feature is not None and feature.state else found.state
    return {"state": state, "length": found.length, "allows": list(found.allows), "at": f"{found.at.x},{found.at.y}"}


def score(_scene: Scene, war: War, item: str) -> str:
    """What an item of the reckoning came to, for red and for blue."""
    found = next((one for one in war.scores if one.item == item), None)
    return f"{found.red} {found.blue}" if found is not None else "0 0"


WORKS_ASKS: Mapping[str, Ask] = {
    "pontoon": ask(pontoon, "KS-BRG-01"),
    "dismantling": reckoned(times.dismantling_moves, "KS-BRG-01"),
    "floating": ask(floating, "KS-BRG-02"),
    "trestle": ask(trestle, "KS-BRG-03"),
    "preparing": lookup(of_works.PREPARING, "KS-BRG-04", "KS-BRG-05"),
    "demolition": ask(demolition, "KS-BRG-04", "KS-BRG-05", "KS-BRG-10"),
    "tearing": reckoned(times.tearing_moves, "KS-BRG-06"),
    "repairing": reckoned(times.repair_moves, "KS-BRG-07"),
    "work": ask(work, "KS-BRG-08", "KS-BRG-10"),
    "strengthening": ask(strengthening, "KS-BRG-10"),
    "earthwork": ask(earthwork, "KS-BRG-10"),
    "stops_work": lookup(of_works.WORK_STOPS, "KS-BRG-09"),
    "boat": reckoned(capacity, "KS-BOT-01"),
    "boat_loads": reckoned(loads_of, "KS-BOT-01"),
    "boat_trips": ask(boat_trips, "KS-BOT-01", "KS-BOT-02", "KS-BOT-03"),
    "rowed": ask(rowed, "KS-BOT-03"),
    "boat_table": ask(boat_table, "KS-BOT-01", "KS-BOT-02", "KS-BOT-03", "KS-BOT-05"),
    "swimming": reckoned(swim_moves, "KS-BOT-04"),
    "foot_strength": ask(foot_strength, "KS-STR-06"),
    "score": ask(score, "KS-GM-01"),
    "crossing": ask(crossing, "KS-GM-06", "KS-MOV-09"),
}
"""What cases may ask, by name."""
