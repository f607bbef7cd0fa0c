"""Whatever is moved, added, taken away or ordered out of his sight, not a byte that reaches a commander changes."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

from pbem.kernel.event import Outcome
from pbem.kernel.names import Role
from pbem.orders.sheet import lines_of
from pbem.systems.kriegsspiel import SYSTEM
from pbem.systems.kriegsspiel.world.outcomes import PaperCaptured, PersonCaptured, RiderDiverted, Sighted, UnitHalted
from tests.systems.play import Apart
from tests.systems.secret import known

ASMUS = Role("asmus")
RUNS = 3
PROBES = (
    "to 1/F: march to Muehlrode",
    "to H5/1: attack e1",
    "to 6F3: fire on e2",
    "wake if enemy within 800 of Ostberg",
)

places = st.tuples(st.integers(4, 156), st.integers(2, 76)).map(lambda at: f"{50 * at[0]},{50 * at[1]}")
facings = st.sampled_from(["N", "E", "S", "W"])
rulings = st.one_of(
    st.builds("place blue U3/1 at {} facing {} in cav_line".format, places, facings),
    st.builds("place blue U3/2 at {} facing {} in cav_threes".format, places, facings),
    st.builds("place blue 3/F at {} facing {} in line".format, places, facings),
    st.builds("new blue N uhlan troop10 at {} facing {} under kessel".format, places, facings),
    st.builds("new blue M line battalion at {} facing {} in attack_column under kessel".format, places, facings),
    st.builds("set blue 3/F strength.points {}".format, st.integers(1, 80)),
    st.builds("set crossing neuwerk_bridge state {}".format, st.sampled_from(["broken", "prepared", "barricaded"])),
    st.builds("blue 3/F: march to {}".format, st.sampled_from(["Altenfeld", "Ziegelei", "Neuwerk"])),
    st.builds("paper kessel to 3/F written 0: {}".format, st.sampled_from(["halt", "march to Altenfeld"])),
    st.sampled_from(["remove blue U3/1", "remove blue 6F5", "set person kessel at 4500,700"]),
)


def of_red(facts: Iterable[Outcome]) -> list[tuple[object, ...]]:
    """What red's eyes, riders and columns met with: where that differs, it was not out of sight."""
    met: list[tuple[object, ...]] = []
    for fact in facts:
        match fact:
            case Sighted() if fact.observer.startswith("red:") or fact.observer == ASMUS:
                met.append((fact.move, fact.tick, fact.observer, fact.body, fact.level, fact.distance))
            case RiderDiverted() | PaperCaptured():
                met.append((fact.move, "rider", fact.message_id))
            case PersonCaptured():
                met.append((fact.move, fact.person))
            case UnitHalted() if fact.cause == "contact":
                met.append((fact.move, fact.unit, fact.by))
            case _:
                pass
    return met


def story(text: str) -> tuple[list[dict[str, bytes]], list[tuple[object, ...]]]:
    """A game in which the umpire rules before the first move: what reaches Asmus after each run, and what red met."""
    game = Apart(SYSTEM, "kreuzweg")
    game.play({})
    reading = SYSTEM.direct(game.scene, game.world, lines_of(text), {})
    assume(not reading.complaints)
    begun = len(game.facts)
    game.add(reading.items)
    reached = []
    for run in range(RUNS):
        game.play({ASMUS: "ride to Kreuzweg\nto 1/F: march to Kreuzweg by heerstrasse"} if not run else {})
        game.settle(ASMUS)
        reached.append(known(game, ASMUS, PROBES))
    return reached, of_red(game.facts[begun:])


@cache
def as_it_is() -> tuple[list[dict[str, bytes]], list[tuple[object, ...]]]:
    """The game without a ruling."""
    return story("")


@given(st.lists(rulings, min_size=1, max_size=4, unique_by=lambda text: text.split(" at ")[0]))
@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
def test_what_is_out_of_sight_changes_no_byte_that_reaches_a_commander(texts: list[str]) -> None:
    plain, met_before = as_it_is()
    reached, met = story("\n".join(texts))

    event("in sight" if met != met_before else "out of sight")
    assume(met == met_before)
    for run, (one, other) in enumerate(zip(plain, reached, strict=True), start=1):
        for part in one:
            assert one[part] == other[part], f"after run {run}: {part}, with {texts}"
