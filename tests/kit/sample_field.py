"""The field of the sample game after its fourth turn, as the French commander may know it."""

from __future__ import annotations

from pbem.ground.picture import Block, Cell, Mark, Picture, Track
from tests.kit.board import AREAS, BOX, GRID, HOUSES, LABELS, WAYS, square


def _company(at: str, label: str, *figures: int, wide: int = 2, own: bool = False) -> Block:
    """Companies of three at a square, *wide* beside each other; one's own stand in the house."""
    cells = [Cell(figure, 3) for figure in figures]
    return Block(
        "infantry",
        "first" if own else "second",
        square(at),
        label=label,
        words=label,
        bearing=0 if own else 180,
        ranks=tuple(tuple(cells[i : i + wide]) for i in range(0, len(cells), wide)),
        inside=own,
        own=own,
    )


def _squadrons(at: str, label: str, count: int, *, own: bool = False) -> Block:
    cells = [Cell(2, 2)] * count
    return Block(
        "cavalry",
        "first" if own else "second",
        square(at),
        label=label,
        words=label,
        bearing=0 if own else 180,
        ranks=tuple(tuple(cells[i : i + 2]) for i in range(0, count, 2)),
        own=own,
    )


def _french(at: str, label: str, *figures: int) -> Block:
    return _company(at, label, *figures, wide=3, own=True)


def _cards(at: str, count: int, *, inside: bool = True) -> Block:
    return Block("own_card", "first", square(at), count=count, face="infantry", inside=inside, own=True)


def _dummies(at: str, count: int) -> Block:
    return Block("dummy_card", "first", square(at), count=count, own=True)


BLOCKS = (
    _french("H-9", "", 3, 3, 3),
    Block("mitrailleuse", "first", square("H-9"), label="fm1", count=6, own=True),
    _french("I-9", "f5 f6", 2, 3),
    Block("own_card", "first", square("J-9"), label="fg1", count=1, face="gun", own=True),
    _cards("J-9", 2),
    _cards("I-8", 2),
    Block("chief", "first", square("I-8"), words="Marshal Canrobert", inside=True, own=True),
    _dummies("I-8", 3),
    _dummies("H-8", 3),
    _dummies("J-8", 2),
    _dummies("C-7", 1),
    _cards("C-7", 3),
    Block("gun", "first", square("D-7"), label="fg2", count=6, own=True),
    _cards("D-7", 2),
    _cards("D-6", 3),
    Block("general", "first", square("D-6"), words="General Ladmirault", inside=True, own=True),
    _dummies("C-6", 3),
    _french("N-8", "f19 f20", 3, 2),
    _dummies("N-8", 1),
    _cards("N-7", 2),
    Block("general", "first", square("N-7"), words="General Péchot", inside=True, own=True),
    _cards("O-7", 1, inside=False),
    _dummies("O-7", 2),
    Block("gun", "first", square("M-7"), label="fg3", count=6, own=True),
    Block("mitrailleuse", "first", square("D-5"), label="fm2", count=6, bearing=180, limbered=True, own=True),
    _squadrons("P-8", "fc1–3", 3, own=True),
    _squadrons("L-8", "fc5–7", 3, own=True),
    _squadrons("F-6", "fc8–10", 3, own=True),
    _company("I-10", "p14–16", 3, 3, 1),
    Block("chief", "second", square("I-10"), words="Prince Frederick Charles"),
    _company("J-10", "p17–20", 3, 3, 3, 2),
    _company("H-11", "p11 p12", 3, 2),
    _company("D-11", "p5–8", 3, 3, 3, 3),
    _company("E-12", "p1–4", 3, 3, 3, 3),
    _company("K-12", "p22–24", 3, 3, 3),
    _company("M-12", "p25–28", 3, 3, 3, 3, wide=1),
    _company("N-10", "p30–32", 3, 2, 3),
    _company("O-11", "p33–36", 3, 3, 3, 3),
    Block("general", "second", square("N-11"), label="ph3", words="Crown Prince Albert"),
    Block("general", "second", square("F-15"), label="ph1", words="General von Manstein"),
    _squadrons("P-11", "pc2–4", 3),
    _squadrons("R-12", "pc5–8", 4),
    _squadrons("B-15", "pc9–12", 4),
    _squadrons("G-14", "pc13–15", 3),
    *(
        Block("gun", "second", square(at), label=label, count=6, bearing=180)
        for at, label in (("G-12", "pg1"), ("J-12", "pg2"), ("O-13", "pg3"), ("E-16", "pg4"))
    ),
)

TRACKS = (
    Track("move", "first", (square("L-6"), square("L-7"), square("L-8"))),
    Track("move", "first", (square("K-8"), square("K-7"), square("L-7"), square("M-7"))),
    Track("move", "first", (square("J-8"), square("I-8"))),
    Track("move", "second", (square("I-11"), square("I-10"))),
    Track("move", "second", (square("J-11"), square("J-10"))),
    Track("move", "second", (square("H-13"), square("H-12"), square("H-11"))),
    Track("move", "second", (square("D-12"), square("D-11"))),
    Track("move", "second", (square("K-13"), square("K-12"))),
    Track("move", "second", (square("P-12"), square("P-11"))),
    Track("rifle", "first", (square("H-9"), square("H-11"))),
    Track("artillery", "first", (square("H-9"), square("H-11"))),
    Track("rifle", "first", (square("I-9"), square("I-10"))),
    Track("rifle", "second", (square("I-10"), square("I-9"))),
    Track("rifle", "second", (square("J-10"), square("J-9"))),
    Track("artillery", "second", (square("G-12"), square("H-8"))),
    Track("artillery", "first", (square("D-7"), square("D-12"))),
    Track("rifle", "first", (square("N-8"), square("N-10"))),
    Track("rifle", "second", (square("N-10"), square("N-8"))),
)
_I9, _I10 = square("I-9"), square("I-10")
MARKS = (
    Mark("melee", (_I9[0], (_I9[1] + _I10[1]) // 2), words="The Guard charged I-9"),
    Mark("losses", square("H-11"), 7, "7 Prussian figures"),
    Mark("losses", square("I-10"), 5, "5 Prussian figures"),
    Mark("losses", square("I-9"), 4, "4 French figures"),
)

PICTURE = Picture(
    title="The field at the end of turn 4",
    whose="as known to the French commander",
    box=BOX,
    sides=("French", "Prussian"),
    grid=GRID,
    areas=AREAS,
    ways=WAYS,
    houses=HOUSES,
    labels=LABELS,
    blocks=BLOCKS,
    tracks=TRACKS,
    marks=MARKS,
    focus=(600, 550, 1200, 1100),
    caption="Row 18 and true west are at the top. The side of the board that you defend is at the foot. "
    "Rings and arrows show the moves of this turn; a star gives the figures lost by fire and melee in that square.",
    focus_caption="The attack on St. Privat, enlarged: files G–L, rows 8–12. The four Prussian groups in reach "
    "of the town, and your hidden companies at J-9.",
    words=(
        (
            "St. Privat",
            "H-9 farm: f1, f2, f3 inside, mitrailleuse fm1 outside, all face up. I-9: f5 (2 men), f6 "
            "inside, face up. J-9: f7, f8 inside and gun fg1 outside, face down. I-8 church: f9, f10 "
            "face down, Canrobert, dummies fd2, fd3, fd7. H-8: dummies fd4–6. J-8: dummies fd8, fd9.",
        ),
        (
            "Facing it",
            "I-10: p14 (1 man), p15, p16 in line, and ph2. J-10: p17 (2 men), p18–20 in line. H-11: "
            "p11 (2 men), p12 in line. K-12: p22–24 in line. Guns at G-12 and J-12.",
        ),
        (
            "Amanvillers",
            "C-7, D-7, D-6, C-6 as set up; gun fg2 at D-7 face up. Facing it p5–8 at D-11, p1–4 at E-12, in line.",
        ),
        (
            "Roncourt",
            "N-8: f19, f20 (2 men), face up. N-7: f22, f23, face down. O-7: f24, face down. Gun fg3 "
            "at M-7. Facing it p30–32 at N-10, p33–36 at O-11, p25–28 at M-12 in column; cavalry at "
            "P-11 and R-12.",
        ),
    ),
)
