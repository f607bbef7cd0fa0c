"""What the map of a field shows of its ground."""

from __future__ import annotations

from itertools import pairwise

import pytest

from pbem.ground.picture import SQUARE
from pbem.rules import registry
from pbem.systems.st_privat.world.pieces import FRENCH
from tests.systems.play import Game, scenarios


@pytest.mark.parametrize("scenario", scenarios("st-privat"))
def test_a_stream_runs_on_from_square_to_square(scenario: str) -> None:
    game = Game(registry.load("st-privat"), scenario)
    picture = game.page(FRENCH).picture
    streams = [way.points for way in picture.ways if way.kind == "stream"]

    for points in streams:
        for (x, y), (to_x, to_y) in pairwise(points):
            assert abs(to_x - x) + abs(to_y - y) <= SQUARE
