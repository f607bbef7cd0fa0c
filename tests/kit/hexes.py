"""A small hex map with one of everything that a hex map can show."""

from __future__ import annotations

from typing import Literal

from pbem.ground.hexes import Board, Hex, frontiers, hexside, neighbours, within
from pbem.ground.honeycomb import box_of, chains, middle, outline
from pbem.ground.picture import (
    Area,
    Flag,
    Honeycomb,
    Label,
    Mark,
    Picture,
    Point,
    Site,
    Stack,
    Tint,
    Track,
    Way,
)

BOARD = Board((20, 28), (3, 9))
SHUT = within(Hex("2003"), 1)
OWNERS = {at: "none" if at in SHUT else "second" if at[:2] > "23" and at[2:] < "07" else "first" for at in BOARD}


def at(name: str) -> Point:
    """The middle of a hex."""
    return middle(Hex(name))


def _of(side: str) -> tuple[tuple[Point, ...], ...]:
    return outline([one for one in BOARD if OWNERS[one] == side])


Ground = Literal["wood", "rough", "mountain", "swamp", "water"]


def _area(kind: Ground, *names: str) -> tuple[Area, ...]:
    return tuple(Area(kind, ring) for ring in outline([Hex(name) for name in names]))


def _river(name: str, *pairs: str, broad: bool = False) -> tuple[Way, ...]:
    borders = [hexside(Hex(pair[:4]), Hex(pair[5:])) for pair in pairs]
    return tuple(Way("river", line, name=name, broad=broad) for line in chains(borders))


def _road(kind: Literal["rail", "road"], *names: str) -> Way:
    return Way(kind, tuple(at(name) for name in names))


CORPS = (Flag("F2", "corps"),)
HEX_MAP = Picture(
    title="The Saar and the Lauter, turn 3",
    whose="as known to the French command",
    box=box_of(list(BOARD)),
    sides=("French", "German"),
    hexes=Honeycomb(BOARD.columns, BOARD.rows),
    areas=(
        *_area("wood", "2604", "2605", "2505", "2606", "2507"),
        *_area("rough", "2203", "2204"),
        *_area("mountain", "2708", "2709", "2808"),
        *_area("swamp", "2009"),
        *_area("water", "2109"),
    ),
    ways=(
        *_river("Saar", "2309|2409", "2308|2409", "2308|2408", "2308|2407", "2307|2407", "2306|2407", "2306|2406"),
        *_river("Rhine", "2708|2709", "2707|2708", "2707|2807", "2706|2807", broad=True),
        _road("rail", "2009", "2109", "2008", "2107", "2207", "2206", "2306", "2405", "2404", "2504"),
        _road("rail", "2107", "2207", "2206", "2305"),
        _road("road", "2107", "2106", "2205"),
        *(Way("frontier", line) for line in chains(frontiers(OWNERS))),
    ),
    tints=(
        Tint("land", "first", _of("first")),
        Tint("land", "second", _of("second")),
        Tint("land", "none", _of("none")),
        Tint("held", "second", outline([Hex("2607"), Hex("2707")])),
        Tint("held", "first", outline([Hex("2406")])),
        Tint("zone", "second", outline(neighbours(Hex("2607")))),
        Tint("zone", "first", outline(neighbours(Hex("2107")))),
        Tint("supply", "first", outline(within(Hex("2108"), 1))),
    ),
    sites=(
        Site("fortress", at("2107"), "Metz", "first", figure=6),
        Site("fortress", at("2408"), "Phalsbourg", "first", figure=3, state="besieged"),
        Site("fortress", at("2208"), "Marsal", "first", figure=2, state="destroyed"),
        Site("fortress", at("2706"), "Landau", "second", figure=3),
        Site("town", at("2306"), "Saarbruecken", "first"),
        Site("town", at("2607"), "Woerth", "second"),
        Site("town", at("2009"), "Nancy", "first"),
        Site("village", at("2205"), "Boulay"),
        Site("village", at("2406"), "Sarreguemines"),
    ),
    stacks=(
        Stack("first", at("2107"), 16, staff=(Flag("NAP", "army"), *CORPS, Flag("D1", "division")), own=True),
        Stack("first", at("2206"), 10, worn=4, broken=2, staff=CORPS, own=True),
        Stack("first", at("2307"), 3, own=True),
        Stack("first", at("2408"), 5, worn=5, inside=True, own=True),
        Stack("second", at("2408"), 9, staff=(Flag("G5", "corps"),)),
        Stack("first", at("2109"), 3, riding=True, own=True),
        Stack("first", at("2209"), 0, staff=(Flag("CR12", "corps"),), own=True),
        Stack("second", at("2305"), 17, staff=(Flag("A2", "army"), Flag("G3", "corps")), certainty="recent"),
        Stack("second", at("2607"), 17, staff=(Flag("A3", "army"),)),
        Stack("second", at("2404"), None),
        Stack("second", at("2504"), None, certainty="old"),
        Stack("second", at("2705"), None, certainty="stale"),
        Stack("second", at("2306"), 8, broken=1, staff=(Flag("G8", "corps"),)),
    ),
    tracks=(
        Track("move", "second", (at("2505"), at("2506"), at("2607"))),
        Track("move", "second", (at("2304"), at("2405"), at("2306"))),
        Track("move", "second", (at("2404"), at("2405"), at("2306"))),
        Track("retreat", "first", (at("2607"), at("2507"), at("2408"))),
        Track("ride", "first", (at("2009"), at("2109"))),
        Track("supply", "first", (at("2009"), at("2109"), at("2008"), at("2107"))),
    ),
    marks=(
        Mark("melee", at("2607")),
        Mark("losses", at("2607"), 4),
        Mark("losses", at("2306"), 12),
        Mark("found", at("2404")),
    ),
    labels=(Label("LORRAINE", at("2209"), "country"), Label("LUXEMBOURG", at("2003"), "province")),
    focus=box_of([Hex("2205"), Hex("2608")]),
    focus_caption="The Saar enlarged.",
)
