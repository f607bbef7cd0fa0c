"""The luck of a game: what came of dice, each in its own measure."""

from __future__ import annotations

from typing import Any

from pbem.desk.reels.stats import luck_of
from pbem.kernel.event import Throw
from pbem.kernel.names import Moment, ThrowName
from pbem.rules.reel import TRUTH, Beat, Cast, Reel, Seen, Side

SIDES = (Side("red", "Red", "first"), Side("blue", "Blue", "second"))


def cast(purpose: str, face: int, side: str, **how: Any) -> Cast:
    return Cast(Throw(ThrowName(f"1A/{purpose}/x"), "open", 6, (face,), how.pop("by", "seed")), side=side, **how)


def reel_of(*casts: Cast) -> Reel:
    beats = (
        Beat(moment=Moment(1, 1), number=number, phase="Fire", seen={TRUTH: Seen(throws=(one,))})
        for number, one in enumerate(casts, start=1)
    )
    return Reel(
        campaign="c",
        title="",
        system="s",
        game="",
        rules="1",
        sides=SIDES,
        eyes=(TRUTH,),
        called={},
        beats=tuple(beats),
    )


def lucks(*casts: Cast) -> dict[tuple[str, str], tuple[int, float, float]]:
    reel = reel_of(*casts)
    return {(one.side, one.measure): (one.came, one.expected, one.over) for one in luck_of(reel, reel.beats, TRUTH)}


def test_low_and_high_faces_are_counted_as_they_are_good() -> None:
    found = lucks(cast("rifle", 1, "red", good="low"), cast("rifle", 6, "red", good="high"))

    assert found == {("red", "pips"): (12, 7.0, 5.0)}


def test_a_die_with_results_on_it_counts_by_them_and_by_its_purpose() -> None:
    fire = (40, 30, 20, 10, 10, 10)
    found = lucks(
        cast("fire", 1, "blue", good="table", worth=fire),
        cast("melee", 2, "blue", good="table", worth=(1, 0, 1, 0, None, None)),
        cast("rifle", 3, "blue", good="high"),
    )

    assert found == {
        ("blue", "fire"): (40, 20.0, 20.0),
        ("blue", "melee"): (0, 0.5, -0.5),
        ("blue", "pips"): (3, 3.5, -0.5),
    }


def test_what_is_thrown_for_nobody_or_by_a_ruling_is_nobody_s_luck() -> None:
    assert lucks(cast("rifle", 6, "", good=""), cast("rifle", 6, "red", good="high", by="ruling")) == {}


def test_the_luckiest_and_the_unluckiest_beat_are_named() -> None:
    reel = reel_of(*(cast("rifle", face, "red", good="high") for face in (4, 6, 1)))
    [luck] = luck_of(reel, reel.beats, TRUTH)

    assert (luck.best, luck.worst) == (("1A.2", "rifle"), ("1A.3", "rifle"))
