"""The fourth turn of a game of Graveyard St. Privat, as the French commander may know it."""

from __future__ import annotations

from pbem.ground.picture import Block, Cell, Mark, Picture, Track
from pbem.kernel.dice import SeededDice, promise
from pbem.kernel.event import Throw
from pbem.kernel.names import CampaignId, Moment, Role, RuleId
from pbem.kernel.office import Promises
from pbem.orders.sheet import Complaint, Judgement, lines_of
from pbem.reports.receipt import Receipt, judged
from pbem.reports.report import Page, Sent
from pbem.rules.view import Course, Fact, Note, Result, Table, Told, View
from tests.reports.board import AREAS, BOX, GRID, HOUSES, LABELS, WAYS, square

FRENCH = Role("french")
NOW = 1_795_212_603_000_000
"""Fri 20 Nov 2026, 22:10:03 UTC."""
DUE = 1_795_546_800_000_000
"""Tue 24 Nov 2026, 19:00 UTC."""


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

SEED = bytes.fromhex("4d11c37e4841d0198764a79d9a2872faebd9ae9f9630b344de457ee5842e02a8")
MOVED, FOUGHT, NEXT = Moment(4, 1), Moment(4, 2), Moment(5, 1)
_DICE = SeededDice(FOUGHT, open_seed=SEED, closed_seed=bytes(32), forced={})


def _throw(purpose: str, place: str, count: int = 1) -> Throw:
    return _DICE.throw(purpose, place, count=count)


def _rules(names: str) -> tuple[RuleId, ...]:
    return tuple(RuleId(f"SP-{name}") for name in names.split())


def _note(text: str, rules: str, *dice: Throw) -> Note:
    return Note(text, dice, _rules(rules))


_H9, _I9F, _I10F, _J10 = (_throw("rifle", at, 2) for at in ("H-9", "I-9", "I-10", "J-10"))
_N8, _N10 = _throw("rifle", "N-8", 2), _throw("rifle", "N-10", 2)
_FG2, _PG1 = _throw("artillery_deviation", "fg2", 2), _throw("artillery_deviation", "pg1", 2)
_FM1H, _FG2H, _PG1H = (_throw("artillery_hit", gun) for gun in ("fm1", "fg2", "pg1"))
_MELEE = _throw("melee", "I-9")
_INITIATIVE = (_throw("initiative_french", "T5"), _throw("initiative_prussian", "T5"))


def _told(phase: str, text: str, *notes: Note, lead: str = "", tables: tuple[Table, ...] = ()) -> Told:
    moment = MOVED if phase == "Movement" else FOUGHT
    return Told(moment=moment, phase=phase, text=text, lead=lead, notes=notes, tables=tables)


_RIFLES, _GUNS = "Rifle fire, both sides at once", "Artillery fire, both sides at once"
_END = "End of the turn"
HAPPENED = (
    _told(
        "Movement",
        "Squadrons fc5–7 rode to L-8; the limbered section fg3 went by the road to M-7 and unlimbered facing "
        "north; one card moved from J-8 to I-8.",
        _note("fg3: three road steps, two of them free, 1 point; unlimbering 1 point; 2 of 4 used.", "MOV-07 MOV-08"),
        _note("fc5–7: 2 of 5. fd7: one square within the town, face down.", "MOV-01 HID-03"),
        lead="You moved first.",
    ),
    _told(
        "Movement",
        "p13–16 came down the chaussée to I-10, p17–20 to J-10. On their right p9–12 crossed the last of the brook "
        "meadows and formed line at H-11. Before Amanvillers p5–8 advanced to D-11. On the northern flank three "
        "squadrons reached Montois.",
        _note("p13–16 and p17–20 entered the zone of control of your cards and stopped.", "ZOC-02 HID-08"),
        _note(
            "p9–12: H-13 to H-11 after a full turn in the ford, column into line at the end, 2 of 2.", "TER-05 FOR-04"
        ),
        lead="The Guard closed on St. Privat:",
    ),
    _told(
        _RIFLES,
        "f1–3 fired at p9–12, who stood in the open at H-11, two squares off. Three men fell: p9 was destroyed.",
        _note("Chassepot at range 2 hits on 1–3; no cover. One hit, 3 killed.", "RIF-02 RIF-04 CAS-03", _H9),
        _note("Diverted from H-12, where no enemy stood, to your second choice. f1–3 turned up by firing.", "HID-04"),
        lead="From the walled farm",
    ),
    _told(
        _RIFLES,
        "f4–6 fired across the wall at the Guard at I-10. Three men fell: p13 was destroyed, a command stand.",
        _note("Range 1 hits on 1–4; target behind the wall +2. Two hits, 2 and 1 killed.", "RIF-03 TER-04", _I9F),
        lead="From I-9",
    ),
    _told(
        _RIFLES,
        "The Guard answered from I-10 into the house. One man of f4 fell.",
        _note("Needle gun at range 1 hits on 1–3; target in a building +2. One hit, 1 killed.", "RIF-02 RIF-03", _I10F),
    ),
    _told(
        _RIFLES,
        "p17–20 fired from J-10 at the cards outside J-9 and hit nothing. At Roncourt f19 and f20 exchanged fire "
        "with p30–32 at two squares, without loss on either side.",
        _note("J-10 at J-9, range 1, wall +2: no hit.", "RIF-02 RIF-03", _J10),
        _note("N-8 at N-10, range 2, in the open: no hit.", "RIF-02", _N8),
        _note("N-10 at N-8, range 2 hits on 1–2, building +2: cannot hit.", "RIF-03", _N10),
    ),
    _told(
        _GUNS,
        "at H-9 swept H-11. Four men fell: p10 was destroyed and p11 reduced to two.",
        _note("Mitrailleuse at range 2 hits on 1–4; no cover. Hit, 4 killed.", "ART-01 ART-08", _FM1H),
        lead="The mitrailleuse",
    ),
    _told(
        _GUNS,
        "fg2 shelled D-11 from Amanvillers. The shell fell short and to the right, in E-10, which was empty.",
        _note("Aimed at D-11, range 4. Deviation 10: near, right.", "ART-04", _FG2),
        _note("Nobody there.", "ART-05", _FG2H),
    ),
    _told(
        _GUNS,
        "The section at G-12 shelled H-8 and scored two kills on the cards there. All three are dummies: you lost "
        "nobody, and the enemy has not been told so.",
        _note("Shell at range 4 hits on 1–3; town +1. Deviation 7: the square aimed at.", "ART-04", _PG1),
        _note("Hit, 2 kills announced.", "HID-05", _PG1H),
    ),
    _told(
        "Melee",
        "Prince Frederick Charles was with them. The garrison stood. f4 was destroyed and f5 lost a man; the Guard "
        "lost two men and stayed at I-10.",
        _note(
            "14 to 9 is 1–1; one column left for the town, 1–2. Attacker S L, defender S M.", "MEL-08 MEL-09", _MELEE
        ),
        _note("Light of 14: 2 men of p14. Medium of 9: 3 men, f4 (2, destroyed) and f5 (1).", "CAS-04 CAS-05"),
        _note(
            "The command stand p13 had fallen in the fire and added nothing. The dummy fd1 outside "
            "was removed and shown.",
            "MEL-06 HID-07",
        ),
        lead="The Guard charged I-9 by the gap in the wall.",
        tables=(
            Table(
                caption="Attack on I-9 from I-10",
                columns=("Side", "Value", "Total"),
                rows=(
                    ("Prussian", "p14 3, p15 3, p16 3; general ph2 5", "14"),
                    ("French, front", "f4 3, f5 3, f6 3", "9"),
                ),
                numbers=(2,),
            ),
        ),
    ),
    _told(
        _END,
        "The enemy won the initiative and chose to move second again. You move first in turn 5, "
        "and cannot charge in it.",
        _note("The higher die chooses; the Prussian reaction says second.", "TRN-03 MEL-01", *_INITIATIVE),
    ),
    _told(_END, "f4 eliminated: 2 points to the Prussians. No town changed hands.", _note("", "VIC-03 VIC-06")),
)


def _result(moment: Moment, line: int, result: Result, text: str) -> Told:
    return Told(moment=moment, phase="", text=text, line=line, result=result)


ORDERED = (
    _result(MOVED, 5, "done", "Three squadrons of the reserve rode from L-6 to L-8, two squares."),
    _result(MOVED, 6, "done", "By the Roncourt road to M-7, unlimbered facing north. It may not fire before turn 5."),
    _result(MOVED, 7, "done", "The dummy is beside the church, still face down."),
    _result(MOVED, 8, "standing", "Not called upon."),
    _result(
        FOUGHT, 5, "done", "The Prussians had come on to H-11: your second choice was taken. One company destroyed."
    ),
    _result(FOUGHT, 6, "done", "At I-10, your second choice. One company destroyed, a command stand with it."),
    _result(FOUGHT, 7, "done", "Four men fell: one company destroyed, one reduced."),
    _result(
        FOUGHT,
        8,
        "not carried out",
        "No enemy was left in J-11: they had advanced to J-10. A face-down gun does not choose a target for itself. "
        "It has not shown itself.",
    ),
    _result(FOUGHT, 9, "in part", "Fired; the shell burst in E-10, which was empty. The gun is now face up."),
    _result(FOUGHT, 10, "done", "Both companies in J-9 are still face down."),
    _result(FOUGHT, 11, "done", "No hit."),
)

MOVEMENT_SHEET = """game stprivat-autumn
role french
turn 4A

move fc5+fc6+fc7 to L-8
move fg3 via K-7 L-7 M-7 unlimber n
card fd7 to I-8
retreat all toward d1
"""
FIRE_SHEET = """game stprivat-autumn
role french
turn 4B

fire @H-9 in at H-12 else H-11
fire @I-9 in at I-11 else I-10
shoot fm1 mg at H-11
shoot fg1 shot at J-11
shoot fg2 shell at D-11
hold fire f7+f8
fire @N-8 in at N-10
"""

VIEW = View(
    role=FRENCH,
    addressed="the French commander, Marshal Canrobert",
    moment=FOUGHT,
    title="St. Privat held against the Guard",
    dateline="Gravelotte, 18 August 1870. The fourth turn of fifteen.",
    strip=(
        Fact("Points", "1 – 6", "French – Prussian", "1 – 4"),
        Fact("Lost this turn", "4 – 12", "figures; 1 company – 3"),
        Fact("Towns", "All three held", "St. Privat attacked"),
    ),
    brief=(
        "The Prussian Guard came up to the graveyard wall of St. Privat and charged the house at I-9. Its garrison "
        "lost a company and stood. Rifle fire from I-9 and the mitrailleuse at H-9 cost the enemy three companies, "
        "one of them a command stand.",
        "At Amanvillers and Roncourt there was fire without result. The enemy moves second again in turn 5 and may "
        "charge. Eighteen Prussian figures stand at I-10 and J-10, against your wall.",
    ),
    picture=PICTURE,
    happened=HAPPENED,
    ordered=ORDERED,
    own=(
        Table(
            caption="Figures left of full strength, at the end of turn 4. “Hidden” means still face down to the enemy.",
            columns=("Place", "Troops", "Figures", "Lost in T4", "Change"),
            rows=(
                (
                    "St. Privat",
                    "f1–3 and fm1 in H-9, f5 f6 in I-9, f9 f10 by the church (hidden), f7 f8 and fg1 in J-9 (hidden); "
                    "Canrobert",
                    "38 of 42",
                    "4",
                    "f4 destroyed, f5 down to 2; f1–3, f5, f6, fm1 now face up",
                ),
                (
                    "Amanvillers",
                    "f11–13 in C-7, f14 f15 in D-7, f16–18 in D-6 (all hidden), fg2; Ladmirault",
                    "30 of 30",
                    "0",
                    "fg2 now face up",
                ),
                (
                    "Roncourt",
                    "f19 f20 in N-8, f22 f23 in N-7 (hidden), f24 in O-7 (hidden); Péchot",
                    "14 of 18",
                    "0",
                    "f21 lost in T2; f20 down to 2",
                ),
                ("Reserve", "fg3 at M-7 (unlimbered), fm2 at D-5 (limbered)", "12 of 12", "0", "fg3 fires from T5"),
                ("Cavalry", "fc1–3 at P-8, fc5–7 at L-8, fc8–10 at F-6", "18 of 20", "0", "fc4 lost in T3"),
            ),
            total=("All", "22 companies, 9 squadrons, 5 sections, 15 dummies left", "112 of 122", "4", ""),
            numbers=(2, 3),
            note="No order in turn 4, so they held: fc1–3, fc8–10, fm2, and the companies in Amanvillers and Roncourt "
            "not named above. Structures: house J-9 4 of 10 points damaged, wall H-9|H-10 3 of 5.",
        ),
    ),
    enemy=(
        Table(
            caption="By the table rule you see every open piece. Age is the time since your side last saw it.",
            columns=("Where", "What", "Figures", "Certainty and age"),
            rows=(
                (
                    "Before St. Privat",
                    "Guard p14–16 at I-10 with Prince Frederick Charles, p17–20 at J-10, p22–24 at K-12; IX Corps p11 "
                    "p12 at H-11; sections pg1 G-12, pg2 J-12",
                    "44",
                    "Seen, this turn",
                ),
                (
                    "Before Amanvillers",
                    "p1–4 at E-12, p5–8 at D-11, pg4 at E-16; von Manstein on the height of St. Ail; 7 squadrons at "
                    "B-15 and G-14",
                    "44",
                    "Seen, this turn",
                ),
                (
                    "Before Roncourt",
                    "XII Corps p25–28 M-12 in column, p30–32 N-10, p33–36 O-11, pg3 O-13; 7 squadrons at P-11 and "
                    "R-12; Crown Prince Albert of Saxony",
                    "52",
                    "Seen, this turn",
                ),
                (
                    "Siege gun",
                    "24-pounder ps1 with 6 gunners, somewhere on rows 13–18",
                    "6",
                    "Never seen. Known from the order of battle only",
                ),
            ),
            total=("All", "31 companies, 14 squadrons, 5 guns", "146", "12 figures and 3 companies lost this turn"),
            numbers=(2,),
        ),
    ),
    standing=("retreat all toward d1", "initiative second"),
    score=(
        Table(
            columns=("What counts", "French", "Prussian"),
            rows=(
                ("From the start", "1", "0"),
                ("Stands destroyed: f21, fc4, f4", "0", "6"),
                ("Towns held by the enemy", "0", "0"),
            ),
            total=("All", "1", "6"),
            numbers=(1, 2),
            note="A town taken by the end of turn 8 gives the Prussians 20 (Roncourt), 30 (Amanvillers) or 50 "
            "(St. Privat). If they hold none after turn 9, the battle ends and you need more than their points to "
            "win. From turn 10 your pieces score by marching off at D-1.",
        ),
    ),
    courses=(
        Course(
            "Figures left",
            (
                ("French", "first", ((0, 122), (1, 122), (2, 119), (3, 116), (4, 112))),
                ("Prussian", "second", ((0, 168), (1, 168), (2, 165), (3, 158), (4, 146))),
            ),
            "You have lost 10 figures of 122 in four turns, the enemy 22 of 168, more than half of them in this turn.",
        ),
        Course(
            "Points",
            (
                ("French", "first", ((0, 1), (1, 1), (2, 1), (3, 1), (4, 1))),
                ("Prussian", "second", ((0, 0), (1, 0), (2, 2), (3, 4), (4, 6))),
            ),
            "The Prussians have 6 points for three stands; you have 1.",
        ),
    ),
    owed="movement for turn 5",
    otherwise="your pieces hold; the standing orders stay in force",
    next="Fire orders of both sides, and the Prussian move and charges, in exchange 5B.",
    template=(
        "# Every piece not named holds.",
        "# move fc1+fc2+fc3 to ...       P-8, 5 squares",
        "# move fc5+fc6+fc7 to ...       L-8, 5 squares",
        "# move fc8+fc9+fc10 to ...      F-6, 5 squares",
        "# move fm2 via ...              D-5, limbered, 4 and the road bonus",
        "# card fd8 to ...               J-8, one square inside St. Privat",
        "",
        "# Standing, in force until you change them:",
        "retreat all toward d1",
        "initiative second",
    ),
)

PAGE = Page(
    view=VIEW,
    campaign=CampaignId("stprivat-autumn"),
    title="Graveyard St. Privat",
    system="st-privat",
    rules="st-privat 1.4.0",
    zone="Europe/Paris",
    now=NOW,
    due=DUE,
    next=NEXT,
    next_name="A, movement of the French",
    sent=(
        Sent(moment=MOVED, name="A, movement of the French", receipt=41, at=NOW - 260_000_000_000, text=MOVEMENT_SHEET),
        Sent(moment=FOUGHT, name="B, second mover and fire", receipt=44, at=NOW - 11_000_000_000, text=FIRE_SHEET),
    ),
    promised=Promises(promise(SEED), promise(b"closed 4")),
    open_seed=SEED.hex(),
    promises=Promises(promise(b"open 5"), promise(b"closed 5")),
    head=promise(b"the log"),
    reply="stprivat@office.example",
)
"""What the French commander is sent after turn 4."""

_LINES = lines_of(
    "move fc1+fc2+fc3 to P-10\nmvoe fc8+fc9+fc10 to H-7\ncard fd8 to I-9\nmove fm2 via D-6 D-7 unlimber n\n"
    "retreat all toward d1\ninitiative first\n"
)
_COMPLAINTS = (
    Complaint(
        1,
        21,
        Judgement.DOUBTFUL,
        "P-10 lies in the zone of control of p33–36 at O-11: the squadrons stop there. pc2–4 are at P-11, one "
        "square off. The Prussians move second and may charge.",
        RuleId("SP-ZOC-02"),
        width=4,
    ),
    Complaint(2, 1, Judgement.NOT_UNDERSTOOD, "No order begins with “mvoe”.", instead="Did you mean: move?", width=4),
    Complaint(
        4,
        18,
        Judgement.NOT_ALLOWED,
        "D-7 is full: f14, f15, fg2 and its crew have no order to leave it.",
        RuleId("SP-CAP-01"),
        "D-6 has room for 2 more stands, and a limbered section needs 4.",
        width=3,
    ),
)
RECEIPT = Receipt(
    campaign=CampaignId("stprivat-autumn"),
    role=FRENCH,
    addressed=VIEW.addressed,
    moment=NEXT,
    name="A, movement of the French",
    number=47,
    received=NOW + 71_648_000_000,
    replaced=(46, NOW + 36_117_000_000),
    digest=promise(b"the sheet"),
    lines=judged(_LINES, _COMPLAINTS, {}),
    stand=("move fc1+fc2+fc3 to P-10", "card fd8 to I-9"),
    standing=("retreat all toward d1", "initiative first"),
    forecast=(
        (1, "fc1, fc2 and fc3 to P-10; 3 of 8 points."),
        (2, "The covering march of fd8:"),
        (2, "    fd8 to I-9, as far as its road is free of whatever may stand there unseen; 2 of 4 points."),
        (0, "Not known: what the Prussians do meanwhile."),
    ),
    idle=(
        "fc5–7 at L-8, fc8–10 at F-6, fg3 at M-7 and fm2 at D-5 (limbered) hold.",
        "All infantry and all guns in the towns hold. Generals fh1, fh2, fh3 stay.",
    ),
    due=DUE,
    now=NOW + 71_651_000_000,
    zone="Europe/Paris",
    template=(
        "move fc1+fc2+fc3 to P-10",
        "card fd8 to I-9",
        "# move fc8+fc9+fc10 to ...      F-6, 5 squares",
        "# move fm2 via ...              D-5, limbered, 4 and the road bonus",
        "retreat all toward d1",
        "initiative first",
    ),
    examples=(("move", "move p1+p2+p3 via I-16 I-15 I-14"),),
    warnings=("Two lines below your signature look like orders and were not read: “fire @I-9 at I-10”.",),
)
"""The answer to a sheet of six lines, two of which are refused."""
