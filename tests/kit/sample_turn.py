"""What came to pass in the fourth turn of the sample game, and what became of the orders of the French commander."""

from __future__ import annotations

from pbem.kernel.dice import SeededDice
from pbem.kernel.event import Throw
from pbem.kernel.names import Moment, RuleId
from pbem.rules.view import Note, Result, Table, Told

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
