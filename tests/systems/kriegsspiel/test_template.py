"""The lines to begin from: what they hold, and that sent back whole they order nothing."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from pbem.kernel.names import Moment, Role
from pbem.kernel.owed import Call, Pause
from pbem.systems.kriegsspiel.sheets.template import template
from pbem.systems.kriegsspiel.world.mind import Mind
from tests.systems.kriegsspiel.minds import (
    RUN,
    SETUP,
    acts,
    knowing,
    mind_of,
    opening,
    paper,
    reading,
    sighted,
    under_way,
)

ROLES = [(name, str(role)) for name in ("muehlrode", "kreuzweg", "weldau") for role in sorted(opening(name)[1])]


def suggested(mind: Mind, scenario: str = "muehlrode", sorts: tuple[str, ...] = RUN) -> list[str]:
    """The template of a commander."""
    call = Call(role=mind.role, sorts=sorts)
    pause = Pause(moment=Moment(0 if sorts == SETUP else 1), name="", calls=(call,))
    return list(template(opening(scenario)[0], mind, mind.role, pause))


@pytest.mark.parametrize(("scenario", "role"), ROLES)
def test_sent_back_whole_it_orders_nothing(scenario: str, role: str) -> None:
    for mind, sorts in ((mind_of(role, scenario), SETUP), (under_way(role, scenario, move=5), RUN)):
        lines = suggested(mind, scenario, sorts)
        found = reading("\n".join(lines), mind, scenario, sorts)

        assert lines
        assert found.items == ()
        assert found.complaints == ()


@pytest.mark.parametrize(("scenario", "role"), ROLES)
def test_its_starts_and_entries_are_orders_when_the_mark_is_taken_away(scenario: str, role: str) -> None:
    mind = mind_of(role, scenario)
    given = [line[2:] for line in suggested(mind, scenario, SETUP) if line.startswith(("# start ", "# enter "))]

    assert reading("\n".join(given), mind, scenario).complaints == ()


def test_who_may_send_nothing_gets_no_template() -> None:
    scene, _ = opening("muehlrode")
    pause = Pause(moment=Moment(1), name="", calls=(Call(role=Role("asmus"), sorts=RUN),))

    assert template(scene, mind_of("dorn"), Role("dorn"), pause) == ()


def test_his_units_stand_in_it_as_last_known_with_what_is_in_force() -> None:
    mind = under_way("rehden", move=40)
    mind = knowing(mind, "1/F", 3620, 3900, seen=36, losses="light", zugs_out=4, doing="hold", body="repulsed")
    lines = paper("to 1/F: react losses retire at 20%\nto 1/F: when attacked: retire to 3050,5200", mind)
    found = suggested(replace(mind, orders={"1/F": ((38, lines),)}))

    at = next(number for number, line in enumerate(found) if line.startswith("# to 1/F: ..."))
    assert found[at].partition("  # ")[2].strip() == (
        '07:12 Kreuzweg, line, repulsed, losses light, 4 zugs out, doing "hold"'
    )
    assert found[at + 1 : at + 3] == [
        "#   in force: react losses retire at 20%", "#   in force: when attacked: retire to 3050,5200",
    ]  # fmt: skip


@pytest.mark.parametrize(("away", "verb"), [(0, "voice"), (1, "to")])
def test_his_units_within_his_voice_are_spoken_to_and_all_others_written_to(away: int, verb: str) -> None:
    mind = under_way("rehden")
    mind = knowing(mind, "1/F", mind.at.x + mind.options.voice_range + away, mind.at.y)

    assert [line.split(":")[0] for line in suggested(mind) if " 1/F: ..." in line] == [f"# {verb} 1/F"]


def test_enemies_that_orders_may_name_stand_in_it() -> None:
    mind = sighted(under_way("rehden"), "e1", 3620, 3900, "cavalry")

    assert "#   e1: cavalry, 07:00 at Kreuzweg, by own eyes" in suggested(mind)
    assert not any("Enemies" in line for line in suggested(under_way("rehden")))


def test_its_letters_are_letters() -> None:
    letter = next(line for line in suggested(under_way("rehden")) if line.startswith("# letter"))

    assert acts(letter[2:].partition(" #")[0], under_way("rehden"))
