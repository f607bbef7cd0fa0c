"""Maps drawn in a process of their own: the same maps, and time for other things meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.reports.drawing.drawer import Drawer
from pbem.reports.drawing.png import MissingFont, png
from pbem.resources import resources

FONTS = resources("templates") / "fonts"
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 60"><text x="5" y="30">I-10</text></svg>'


@pytest.fixture
def drawer() -> Iterator[Drawer]:
    with Drawer() as made:
        yield made


def test_it_draws_as_the_office_itself_does_again_and_again(drawer: Drawer) -> None:
    wanted = png(SVG, FONTS, width=300)

    assert [drawer.png(SVG, FONTS, width=300) for _ in range(2)] == [wanted, wanted]


def test_while_it_draws_something_else_is_done_by_the_thread_that_waits(drawer: Drawer) -> None:
    did: list[int] = []
    with drawer.meanwhile(lambda: did.append(threading.get_ident())):
        drawer.png(SVG, FONTS, width=300)  # it is only being started now
        assert set(did) == {threading.get_ident()}
        before = len(did)
        other = threading.Thread(target=drawer.png, args=(SVG, FONTS), kwargs={"width": 4000})
        other.start()
        other.join()
        assert len(did) == before
    drawer.png(SVG, FONTS, width=300)
    assert len(did) == before


def test_what_is_drawn_meanwhile_is_drawn_all_the_same(drawer: Drawer) -> None:
    within: list[bytes] = []
    with drawer.meanwhile(lambda: within.append(drawer.png(SVG, FONTS, width=90))):
        drawer.png(SVG, FONTS, width=300)
    assert set(within) == {png(SVG, FONTS, width=90)}


def test_a_process_that_is_lost_costs_no_map(drawer: Drawer) -> None:
    wanted = drawer.png(SVG, FONTS, width=300)
    for _ in range(2):
        process = drawer._started[0]
        process.kill()
        process.wait()
        assert drawer.png(SVG, FONTS, width=300) == wanted
        assert drawer.png(SVG, FONTS, width=300) == wanted


def test_what_cannot_be_drawn_is_refused_as_ever(drawer: Drawer, tmp_path: Path) -> None:
    with pytest.raises(MissingFont, match=r"DejaVuSans\.ttf is missing"):
        drawer.png(SVG, tmp_path, width=300)
    assert drawer.png(SVG, FONTS, width=300)


def test_the_process_ends_with_whoever_started_it(drawer: Drawer) -> None:
    drawer.png(SVG, FONTS, width=300)
    process = drawer._started[0]
    assert process.stdin is not None
    process.stdin.close()
    assert process.wait(10) == 0


def test_as_many_maps_are_drawn_at_a_time_as_there_are_processes() -> None:
    drawings = [SVG.replace("I-10", f"I-{number}") for number in range(5)]
    with Drawer(2) as drawer:
        for svg in drawings:
            drawer.begin(svg, FONTS, width=300)
        found = [drawer.png(svg, FONTS, width=300) for svg in drawings]
        assert len(drawer._started) == 2
        assert not drawer._begun
    assert found == [png(svg, FONTS, width=300) for svg in drawings]


def test_what_is_begun_twice_is_drawn_once(drawer: Drawer) -> None:
    assert drawer.begin(SVG, FONTS, width=300) is drawer.begin(SVG, FONTS, width=300)


def test_whoever_ends_waits_for_no_drawing() -> None:
    drawer = Drawer()
    begun = [drawer.begin(SVG, FONTS, width=4000 + number) for number in range(20)]
    drawer.close()
    assert sum(one.cancelled() for one in begun) > 10
