"""The fourth turn of a game of Graveyard St. Privat, as the French commander may know it."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.kernel.dice import promise
from pbem.kernel.names import CampaignId, Role, RuleId
from pbem.kernel.office import Promises
from pbem.orders.sheet import Complaint, Judgement, lines_of
from pbem.reports.pages.receipt import Receipt, judged
from pbem.reports.pages.report import Changes, Page, Sent
from pbem.rules.view import Course, Fact, Table, Told, View
from tests.kit.sample_field import PICTURE
from tests.kit.sample_turn import FIRE_SHEET, FOUGHT, HAPPENED, MOVED, MOVEMENT_SHEET, NEXT, ORDERED, SEED

FRENCH = Role("french")
NOW = 1_795_212_603_000_000
"""Fri 20 Nov 2026, 22:10:03 UTC."""
DUE = 1_795_546_800_000_000
"""Tue 24 Nov 2026, 19:00 UTC."""

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

CORRECTED = replace(
    PAGE,
    version=2,
    correction="The wall before I-9 was taken for an open field. The orders and the dice are the same.",
    changes=Changes(
        new=(3, 9),
        new_results=(5,),
        gone=(
            replace(HAPPENED[3], text="f4–6 fired over the field at the Guard at I-10. Five men fell: p13 and p14."),
            replace(HAPPENED[9], text="The garrison ran to I-8. f4 and f5 were destroyed; the Guard stands in I-9."),
            Told(moment=FOUGHT, phase="End of the turn", text="St. Privat has changed hands: 3 points to the enemy."),
        ),
        gone_results=(replace(ORDERED[5], text="At I-10, your second choice. Two companies destroyed."),),
        sent=PAGE.sent,
    ),
)
"""The same turn, run once more."""

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
    Complaint(
        2, 1, Judgement.NOT_UNDERSTOOD, "No order begins with “mvoe”.", instead="move fc8+fc9+fc10 to H-7", width=4
    ),
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
        (3, "The covering march of fd8:"),
        (3, "    fd8 to I-9, as far as its road is free of whatever may stand there unseen; 2 of 4 points."),
        (0, "Not known: what the Prussians do meanwhile."),
    ),
    idle=(
        "fc5–7 at L-8, fc8–10 at F-6, fg3 at M-7 and fm2 at D-5 (limbered) hold.",
        "All infantry and all guns in the towns hold. Generals fh1, fh2, fh3 stay.",
    ),
    runs=(
        "Because of what was refused, the turn is not run before its deadline. Mend it, or send `ready`, and the turn "
        "may be run before, with your orders as they stand."
    ),
    due=DUE,
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
