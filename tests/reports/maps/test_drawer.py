"""Maps drawn in a process of their own: the same maps, and time for other things meanwhile."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from pbem.reports.drawing.png import MissingFont
from pbem.reports.maps.drawer import AFTER_OTHERS, Drawer
from pbem.reports.maps.maps import as_png
from pbem.resources import resources
from tests.kit.hexes import HEX_MAP
from tests.kit.many import KINDS, picture_of
from tests.kit.planes import PLANE_MAP
from tests.kit.plate import PLATE
from tests.kit.sample_field import PICTURE

FONTS = resources("templates") / "fonts"


@pytest.fixture
def drawer() -> Iterator[Drawer]:
    with Drawer() as made:
        yield made


def test_it_draws_as_the_office_itself_does_again_and_again(drawer: Drawer) -> None:
    wanted = as_png(PICTURE, FONTS, width=300)

    assert [drawer.png(PICTURE, FONTS, width=300) for _ in range(2)] == [wanted, wanted]


MAPS = {"a board": PICTURE, "hexes": HEX_MAP, "a plane": PLANE_MAP, "a plate": PLATE} | {
    f"seven sides on {kind}": picture_of(kind, 7) for kind in KINDS
}


@pytest.mark.parametrize("what", MAPS)
def test_what_it_is_handed_is_laid_out_there_as_here(drawer: Drawer, what: str) -> None:
    wanted = as_png(MAPS[what], FONTS, width=200)

    drawn = drawer.begin(MAPS[what], FONTS, width=200).result()

    assert drawn == wanted


def test_while_it_draws_something_else_is_done_by_the_thread_that_waits(drawer: Drawer) -> None:
    did: list[int] = []
    with drawer.meanwhile(lambda: did.append(threading.get_ident())):
        drawer.png(PICTURE, FONTS, width=300)  # it is only being started now
        assert set(did) == {threading.get_ident()}
        before = len(did)
        other = threading.Thread(target=drawer.png, args=(PICTURE, FONTS), kwargs={"width": 4000})
        other.start()
        other.join()
        assert len(did) == before
    drawer.png(PICTURE, FONTS, width=300)
    assert len(did) == before


def test_what_is_drawn_meanwhile_is_drawn_all_the_same(drawer: Drawer) -> None:
    within: list[bytes] = []
    with drawer.meanwhile(lambda: within.append(drawer.png(PICTURE, FONTS, width=90))):
        drawer.png(PICTURE, FONTS, width=300)
    assert set(within) == {as_png(PICTURE, FONTS, width=90)}


def test_a_process_that_is_lost_costs_no_map(drawer: Drawer) -> None:
    wanted = drawer.png(PICTURE, FONTS, width=300)
    for _ in range(2):
        process = drawer._started[0]
        process.kill()
        process.wait()
        assert drawer.png(PICTURE, FONTS, width=300) == wanted
        assert drawer.png(PICTURE, FONTS, width=300) == wanted


def test_what_cannot_be_drawn_is_refused_as_ever(drawer: Drawer, tmp_path: Path) -> None:
    with pytest.raises(MissingFont, match=r"DejaVuSans\.ttf is missing"):
        drawer.png(PICTURE, tmp_path, width=300)
    assert drawer.png(PICTURE, FONTS, width=300)


def test_it_gives_way_to_all_else_and_an_interrupt_at_the_terminal_does_not_reach_it(drawer: Drawer) -> None:
    drawer.png(PICTURE, FONTS, width=90)
    [process] = drawer._started

    # Among sessions Linux shares its processors whatever they say of themselves.
    assert os.getsid(process.pid) == os.getsid(0)
    assert os.getpriority(os.PRIO_PROCESS, process.pid) == AFTER_OTHERS
    assert os.sched_getscheduler(process.pid) == os.SCHED_BATCH
    assert os.getpgid(process.pid) != os.getpgid(0)


def test_the_process_ends_with_whoever_started_it(drawer: Drawer) -> None:
    drawer.png(PICTURE, FONTS, width=300)
    process = drawer._started[0]
    assert process.stdin is not None
    process.stdin.close()
    assert process.wait(10) == 0


def test_as_many_maps_are_drawn_at_a_time_as_there_are_processes() -> None:
    pictures = [replace(PICTURE, title=f"The field at the end of turn {number}") for number in range(5)]
    with Drawer(2) as drawer:
        for picture in pictures:
            drawer.begin(picture, FONTS, width=300)
        found = [drawer.png(picture, FONTS, width=300) for picture in pictures]
        assert len(drawer._started) == 2
        assert not drawer._begun
    assert found == [as_png(picture, FONTS, width=300) for picture in pictures]


def test_what_is_begun_twice_is_drawn_once(drawer: Drawer) -> None:
    assert drawer.begin(PICTURE, FONTS, width=300) is drawer.begin(PICTURE, FONTS, width=300)


def test_whoever_ends_waits_for_no_drawing() -> None:
    drawer = Drawer()
    begun = [drawer.begin(PICTURE, FONTS, width=4000 + number) for number in range(20)]
    drawer.close()
    assert sum(one.cancelled() for one in begun) > 10
