"""The diary: alike sightings are told once, and what weighs most heads the page."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from pbem.ground.plane import Point
from pbem.kernel.names import Moment, Role
from pbem.kernel.owed import Call, Pause
from pbem.rules.view import Told, View
from pbem.systems.kriegsspiel.knowing.knowledge import enter
from pbem.systems.kriegsspiel.page.telling import tell
from pbem.systems.kriegsspiel.page.view import view
from pbem.systems.kriegsspiel.scene.wording import state_words, tiding_words
from pbem.systems.kriegsspiel.world.dispatches import OwnState, Tiding
from pbem.systems.kriegsspiel.world.fact import told_to
from pbem.systems.kriegsspiel.world.mind import Learned, Mind
from pbem.systems.kriegsspiel.world.outcomes_knowledge import EyesSaw, OfficerReported
from tests.systems.kriegsspiel.minds import knowing, opening, under_way

REHDEN = Role("rehden")
SCENE = opening("muehlrode")[0]


def mass(ref: str, x: int, y: int, seen: int, source: str, **changes: object) -> Tiding:
    """Dust in the distance."""
    return replace(Tiding(ref, "unknown", seen, Point(x, y), source, blocks=2), **changes)


def reported(mind: Mind, unit: str, move: int, *tidings: Tiding, text: str = "") -> tuple[Mind, list[Told]]:
    """What an officer tells, and the mind after it."""
    state = OwnState(unit, move, Point(3000, 5700), unit, formation="cav_line", size="squadron")
    seen = f"We see {'; '.join(tiding_words(SCENE, one) for one in tidings)}." if tidings else ""
    entries, _ = enter(mind, tidings, move, own_eyes=False)
    whole = " ".join(part for part in (text, seen, f"{unit}: {state_words(SCENE, state)}.") if part)
    fact = OfficerReported(
        unit=unit, text=whole, tidings=tidings, move=move, known=told_to(REHDEN), learned=Learned(entries=entries)
    )
    told = list(tell(SCENE, fact, mind, REHDEN))
    return replace(mind, entries=mind.entries | entries), told


def page(mind: Mind, told: list[Told]) -> View:
    """The page at the end of the run."""
    pause = Pause(moment=Moment(2), name="", calls=(Call(role=REHDEN, sorts=("orders",)),))
    return view(SCENE, mind, REHDEN, told, pause)


def commander() -> Mind:
    """Rehden in his first run."""
    return under_way("rehden", move=15, turn=1, at=Point(3000, 5700))


def diary(mind: Mind, told: list[Told]) -> list[str]:
    """The diary, a line each."""
    return [f"{one.phase} {one.lead} {one.text} {one.quote}".strip() for one in page(mind, told).happened]


def test_what_three_squadrons_see_of_one_mass_is_told_once_in_its_newest_state() -> None:
    mind, told = commander(), []
    for move, unit, x in ((11, "H5/1", 4500), (12, "H5/2", 4550), (13, "H5/3", 4600)):
        mind, lines = reported(mind, unit, move, mass(f"{unit}'s", x, 1200, move, unit))
        told += lines

    assert diary(mind, told) == [
        "06:26 The enemy, 06:22 to 06:26. A dark mass in dust, 900 paces N of Altenfeld (e3), 06:22 to 06:26, "
        "seen by H5/1, H5/2 and H5/3."
    ]


def test_two_masses_that_one_observer_tells_apart_are_two() -> None:
    mind, told = reported(commander(), "H5/1", 11, mass("a", 4500, 1200, 11, "H5/1"), mass("b", 4700, 1200, 11, "H5/1"))

    (line,) = diary(mind, told)
    assert "Two dark masses in dust, about " in line
    assert "(e1, e2)" in line


@pytest.mark.parametrize(
    "other",
    [
        mass("b", 4500, 1200, 12, "H5/2", arm="cavalry"),
        mass("b", 4500, 1200, 12, "H5/2", size="patrol"),
        mass("b", 6000, 1200, 12, "H5/2"),
    ],
)
def test_another_kind_or_a_place_far_off_is_another_line(other: Tiding) -> None:
    mind, told = reported(commander(), "H5/1", 11, mass("a", 4500, 1200, 11, "H5/1"))
    mind, more = reported(mind, "H5/2", 12, other)

    (line,) = diary(mind, [*told, *more])
    assert "seen by H5/1." in line
    assert "seen by H5/2." in line


def test_two_battalions_by_their_arm_are_not_taken_for_one_by_who_sees_both() -> None:
    both = [mass(ref, x, 1200, 11, "H5/1", arm="infantry") for ref, x in (("a", 4500), ("b", 4600))]
    mind, told = reported(commander(), "H5/1", 11, *both)

    assert diary(mind, told)[0].count("seen by H5/1.") == 2


def test_what_else_an_officer_says_stands_at_its_minute_without_what_he_sees() -> None:
    mind, told = reported(
        commander(), "H5/1", 11, mass("a", 4500, 1200, 11, "H5/1"), text="We are attacked by cavalry."
    )
    found = diary(mind, told)

    assert found[0].startswith("06:22 H5/1 reports to you. “We are attacked by cavalry. H5/1: ")
    assert "dark mass" not in found[0]
    assert found[1].startswith("06:22 The enemy, 06:22. A dark mass in dust")


def test_sightings_of_another_ten_minutes_are_told_anew() -> None:
    mind, told = reported(commander(), "H5/1", 4, mass("a", 4500, 1200, 4, "H5/1"))
    mind, more = reported(mind, "H5/1", 6, mass("a", 4500, 1300, 6, "H5/1"))

    assert len(diary(mind, [*told, *more])) == 2


def test_of_those_out_of_his_sight_it_names_those_alone_that_are_still_on_his_page() -> None:
    mind, told = seen(commander(), 11, mass("a", 4500, 1200, 11, "own eyes"), mass("b", 6000, 1200, 11, "own eyes"))
    lost = {name: replace(entry, in_sight=False) for name, entry in mind.entries.items()}
    lost["e2"] = replace(lost["e2"], dropped=True)
    fact = EyesSaw(lost=("e1", "e2"), move=12, known=told_to(REHDEN), learned=Learned(entries=lost))
    told += tell(SCENE, fact, mind, REHDEN)

    (line,) = diary(replace(mind, entries=lost), told)
    assert line.endswith("Out of your own sight: e1.")


# ------------------------------------------------------------------ what heads the page


def seen(mind: Mind, move: int, *tidings: Tiding) -> tuple[Mind, list[Told]]:
    """What he sees himself, and his mind after it."""
    entries, names = enter(mind, tidings, move, own_eyes=True)
    fact = EyesSaw(fresh=tuple(names), move=move, known=told_to(REHDEN), learned=Learned(entries=entries))
    return replace(mind, entries=mind.entries | entries), list(tell(SCENE, fact, mind, REHDEN))


def test_the_enemy_close_to_him_heads_the_page_before_dust_of_half_an_hour_ago() -> None:
    mind, told = seen(commander(), 2, mass("a", 4500, 1200, 2, "own eyes"))
    near = mass("b", 3000, 5580, 12, "own eyes", arm="infantry", side="blue", blocks=2, exact=True)
    mind, more = seen(mind, 12, near)
    mind, last = seen(mind, 13, mass("c", 4500, 900, 13, "own eyes"))
    made = page(mind, [*told, *more, *last])

    assert made.title == "Enemy infantry 120 paces from you"
    assert "06:24: You see: Infantry, one battalion" in made.brief[0]
    assert "The nearest enemy in your sight, 120 paces off: infantry (e2)." in made.brief[1]


def test_own_troops_beaten_head_it_before_the_enemy_and_a_paper() -> None:
    mind, told = seen(commander(), 12, mass("b", 3000, 5580, 12, "own eyes", arm="infantry", exact=True))
    mind, lost = reported(mind, "H5/2", 13, text="We are defeated and go back.")
    paper = Told(moment=Moment(1), phase="06:28", text="", quote="Come.", weight=6, headline="A paper from Dorn")
    made = page(mind, [*told, *lost, paper])

    assert made.title == "H5/2: We are defeated and go back"
    assert "06:26: H5/2: We are defeated and go back." in made.brief[0]


def test_of_two_things_that_weigh_alike_the_later_is_told() -> None:
    mind, told = commander(), []
    for move in range(2, 12):
        mind, lines = seen(mind, move, mass(f"m{move}", 4000 + 600 * (move % 2), 300, move, "own eyes"))
        told += lines

    assert "06:22: You see:" in page(mind, told).brief[0]
    assert "06:04" not in page(mind, told).brief[0]


def test_near_his_troops_counts_as_near_him_if_he_knows_where_they_are() -> None:
    mind = knowing(commander(), "1/F", 4500, 3000, seen=14)
    assert "1/F" in mind.command
    made = page(*seen(mind, 14, mass("b", 4500, 2900, 14, "own eyes", arm="cavalry", exact=True)))
    old = page(
        *seen(
            knowing(commander(), "1/F", 4500, 3000, seen=2),
            14,
            mass("b", 4500, 2900, 14, "own eyes", arm="cavalry", exact=True),
        )
    )

    assert made.title == "Enemy cavalry 100 paces from 1/F"
    assert "1/F" not in old.title


def test_of_many_things_the_weightiest_stand_at_the_top_though_they_came_last() -> None:
    mind, told = commander(), []
    for move in range(2, 8):
        told.append(
            Told(moment=Moment(1), phase=SCENE.clock(move), lead="Heard.", text=f"Cannon fire {move}.", weight=2)
        )
    mind, lost = reported(mind, "H5/2", 13, text="We are defeated and go back.")

    assert "H5/2: We are defeated and go back." in page(mind, [*told, *lost]).brief[0]


def test_what_an_officer_sees_near_ones_own_is_told_with_how_near_it_is() -> None:
    mind = knowing(commander(), "1/F", 4500, 3000, seen=14)
    mind, told = reported(mind, "H5/1", 14, mass("a", 4500, 2840, 14, "H5/1"))
    made = page(mind, told)

    assert made.title == "Enemy troops 160 paces from 1/F"
    assert ", 160 paces from 1/F." in made.brief[0]
