"""Receipts: every line answered, in words that a check before sending gives as well."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from jinja2 import Environment
from msgspec.structs import replace

from pbem.kernel.names import RuleId
from pbem.orders.sheet import Complaint, Judgement, Line, lines_of
from pbem.reports.pages.receipt import (
    MARKS,
    Judged,
    Receipt,
    Word,
    check_lines,
    judged,
    pointed,
    receipt_html,
    receipt_subject,
    receipt_text,
    refused,
    tally,
)
from pbem.reports.text.letter import inlined
from tests.kit.sample import RECEIPT

Golden = Callable[[Path, bytes], None]
GOOD = tuple(line for line in RECEIPT.lines if line.word == "accepted")
HOSTILE = "<script>alert(1)</script>"


def test_the_text_is_as_committed(env: Environment, golden: Golden, kept: Path) -> None:
    golden(kept / "receipt.txt", receipt_text(RECEIPT, env).encode())


def test_the_page_is_as_committed(env: Environment, golden: Golden, kept: Path) -> None:
    golden(kept / "receipt.html", receipt_html(RECEIPT, env).encode())


def test_the_check_is_as_committed(golden: Golden, kept: Path) -> None:
    golden(kept / "check.txt", check_lines("t5.txt", RECEIPT.lines).encode())


@pytest.mark.parametrize(
    ("receipt", "ends"),
    [
        (RECEIPT, "2 problems"),
        (replace(RECEIPT, lines=RECEIPT.lines[:2]), "1 problem"),
        (replace(RECEIPT, lines=GOOD), "OK"),
        (replace(RECEIPT, duplicate=True), "unchanged"),
    ],
)
def test_the_subject_counts_problems(receipt: Receipt, ends: str) -> None:
    assert receipt_subject(receipt) == f"[stprivat-autumn] 5A orders received - {ends}"


@pytest.mark.parametrize(
    ("receipt", "heading", "outcome"),
    [
        (RECEIPT, "Orders received, two lines refused", "Your orders stand without lines 2 and 4."),
        (replace(RECEIPT, lines=GOOD), "Orders received", "Your orders stand."),
        (replace(RECEIPT, lines=GOOD, kept=True), "Orders kept for later", "They wait for 5A"),
        (replace(RECEIPT, duplicate=True), "Orders received, unchanged", "Nothing has changed."),
        (replace(RECEIPT, taken=False), "No order taken", "What stood before still stands."),
        (replace(RECEIPT, taken=False, stand=()), "No order taken", "can be used, and no sheet of yours stands."),
    ],
    ids=["refused", "good", "kept", "duplicate", "none", "none before either"],
)
def test_the_reader_is_told_first_what_it_came_to(
    env: Environment, receipt: Receipt, heading: str, outcome: str
) -> None:
    assert f"<h1>{heading}</h1>" in receipt_html(receipt, env)
    assert outcome in receipt_html(receipt, env)
    assert outcome.split(".")[0] in " ".join(receipt_text(receipt, env).split())


def test_carets_stand_under_the_word_that_is_meant(env: Environment) -> None:
    lines = receipt_text(RECEIPT, env).splitlines()
    at = lines.index("     move fm2 via D-6 D-7 unlimber n")
    carets = lines[at + 1]
    assert lines[at][carets.index("^") : len(carets)] == "D-7"
    html = receipt_html(RECEIPT, env)
    assert '<mark class="fail">D-7</mark>' in html


def test_every_verdict_has_a_word() -> None:
    assert {MARKS[line.word][0] for line in RECEIPT.lines} == {
        "accepted",
        "accepted, in doubt",
        "refused, not understood",
        "refused, not allowed",
    }


def test_lines_are_judged_once_each_and_the_refusal_comes_first() -> None:
    complaints = (
        Complaint(3, 0, Judgement.DOUBTFUL, "It looks unwise."),
        Complaint(3, 6, Judgement.NOT_ALLOWED, "It is too far.", RuleId("SP-MOV-01")),
        Complaint(0, 0, Judgement.DOUBTFUL, "There are two sheets."),
    )
    lines = lines_of("# a note\n\nmove p1 to Z-99\nstatus\nbest wishes\nhold p2")
    said = judged(lines, complaints, {4: "office word", 5: "ignored"})
    assert [(one.number, one.word) for one in said] == [
        (0, "in doubt"),
        (3, "not allowed"),
        (3, "in doubt"),
        (4, "office word"),
        (5, "ignored"),
        (6, "accepted"),
    ]
    assert tally(said) == "4 lines: 1 accepted, 1 refused, 1 for the office, 1 not read as orders"
    assert refused(replace(RECEIPT, lines=said)) == 1


def test_a_check_says_where_and_why() -> None:
    printed = check_lines("orders/t5.txt", RECEIPT.lines).splitlines()
    assert printed[-1] == "6 lines: 3 accepted, 1 in doubt, 2 refused. The receipt would say the same."
    at = next(i for i, line in enumerate(printed) if line.startswith("orders/t5.txt:4:18: not allowed: D-7 is full"))
    assert printed[at + 1 : at + 3] == ["    move fm2 via D-6 D-7 unlimber n", "                     ^^^"]
    assert printed[at + 3] == "    D-6 has room for 2 more stands, and a limbered section needs 4."
    assert "(SP-CAP-01)" in printed[at]


def test_a_misspelt_verb_is_refused_with_a_suggestion(env: Environment) -> None:
    text = receipt_text(RECEIPT, env)
    assert "REFUSED, not understood\n     mvoe fc8" in text
    assert "You may have meant:\n         move fc8+fc9+fc10 to H-7" in text


def test_lines_stay_within_78_columns_and_a_long_one_is_shown_at_its_fault(env: Environment) -> None:
    long = "move " + "+".join(f"p{i}" for i in range(1, 60)) + " to Q-9"
    fault = Judged(number=1, text=long, word="not allowed", why="p31 is gone.", column=long.index("p31") + 1, width=3)
    shown = pointed(fault, 5).splitlines()
    assert max(map(len, shown)) <= 78
    assert shown[0][shown[1].index("^") : len(shown[1])] == "p31"
    text = receipt_text(replace(RECEIPT, lines=(fault,), stand=(long,)), env)
    assert max(map(len, text.splitlines())) <= 78


@pytest.mark.parametrize(
    ("word", "column"), [("office word", 0), ("accepted", 0), ("not clear", 8_000)], ids=["command", "order", "refused"]
)
def test_of_a_very_long_line_a_part_is_echoed(env: Environment, word: Word, column: int) -> None:
    line = Judged(number=1, text=f"umpire: {'x' * 9_000}", word=word, column=column, width=900)
    receipt = replace(RECEIPT, lines=(line,), stand=(), template=())
    assert len(pointed(line, 5)) < 700
    assert len(receipt_text(receipt, env)) < 5_000
    assert "x" * 600 not in receipt_html(receipt, env)


@pytest.mark.parametrize(
    ("text", "column", "width"), [("", 1, 1), ("x", 9, 4), ("  \t", 2, 1), ("move", 1, 400), ("é" * 300, 299, 5)]
)
def test_a_complaint_beyond_its_line_breaks_nothing(env: Environment, text: str, column: int, width: int) -> None:
    line = Judged(number=1, text=text, word="not clear", why="Why.", column=column, width=width)
    receipt = replace(RECEIPT, lines=(line,))
    assert max(map(len, receipt_text(receipt, env).splitlines())) <= 78
    assert "Why." in receipt_html(receipt, env)
    assert "t:1:" in check_lines("t", (line,))


def test_what_a_player_wrote_is_no_code_and_no_command(env: Environment) -> None:
    lines = judged(
        (Line(1, f"move {HOSTILE}"), Line(2, "fire \x1b[2J\x07 p1")),
        (Complaint(1, 6, Judgement.NOT_CLEAR, f"What is {HOSTILE}?", width=8),),
        {},
    )
    receipt = replace(RECEIPT, lines=lines, stand=(HOSTILE,), idle=(HOSTILE,), warnings=(HOSTILE,))
    html = receipt_html(receipt, env)
    assert "<script" not in html
    assert html.count("&lt;script&gt;") >= 3
    assert "\x1b" not in receipt_text(receipt, env)
    assert "\x1b" not in check_lines("t", lines)


def test_an_empty_sheet_is_answered(env: Environment) -> None:
    empty = replace(RECEIPT, lines=(), taken=False, stand=(), standing=(), idle=(), examples=(), template=())
    assert "No line of it could be an order." in receipt_text(empty, env)
    assert "No line of it could be an order." in receipt_html(empty, env)


def test_a_receipt_can_go_as_a_letter(env: Environment) -> None:
    letter = inlined(receipt_html(RECEIPT, env))
    assert "var(" not in letter
    assert "<style" not in letter
    assert "Refused, not allowed" in letter
    assert len(letter.encode()) < 60_000


DISPOSITIONS = tuple(
    Judged(
        number=at, text=f"to H{at}/1: march to {5000 + at},5700 by heerstrasse in cav_threes at trot", word="accepted"
    )
    for at in range(1, 71)
)
READ = tuple(
    (line.number, words)
    for line in DISPOSITIONS
    for words in (
        f"Paper to H{line.number}/1: in hand at the opening, without a rider.",
        f"    march to {5000 + line.number},5700 by heerstrasse in cav_threes at trot, at a guess by 06:42.",
    )
)


@pytest.mark.parametrize("word", ["accepted", "in doubt", "not understood"])
def test_a_receipt_of_seventy_lines_is_cut_by_no_reader_of_mail(env: Environment, word: Word) -> None:
    lines = tuple(replace(line, word=word, why="" if word == "accepted" else "Why. " * 12) for line in DISPOSITIONS)
    stand = tuple(line.text for line in lines)
    receipt = replace(RECEIPT, lines=lines, stand=stand, template=stand, forecast=READ)

    assert len(inlined(receipt_html(receipt, env)).encode()) < 60_000


def test_each_thing_is_said_once(env: Environment) -> None:
    stand = tuple(line.text for line in DISPOSITIONS)
    receipt = replace(RECEIPT, lines=DISPOSITIONS, stand=stand, template=stand, forecast=READ)

    for said in (receipt_text(receipt, env), receipt_html(receipt, env)):
        words = " ".join(re.sub(r"<[^>]*>", " ", said).split())
        assert words.count(DISPOSITIONS[6].text) == 2  # what was written, and the sheet that stands
        assert words.count("Paper to H7/1: in hand") == 1


def test_what_a_line_comes_to_stands_below_it(env: Environment) -> None:
    text, html = receipt_text(RECEIPT, env), receipt_html(RECEIPT, env)

    assert "  3  accepted\n     card fd8 to I-9\n       The covering march of fd8:\n          fd8 to I-9" in text
    assert "I-9</span><div>The covering march of fd8:\n  fd8" in html
    assert "\n     Not known: what the Prussians do meanwhile.\n" in text


def test_the_template_begins_with_its_heads(env: Environment) -> None:
    sheet = re.search(r"^begin\n(.*?)^end$", receipt_text(RECEIPT, env), re.MULTILINE | re.DOTALL)
    assert sheet
    heads = sheet[1].split("\n\n")[0].splitlines()
    assert [head.split() for head in heads] == [
        ["game", "stprivat-autumn"],
        ["role", "french"],
        ["turn", "5A"],
    ]


def test_it_is_told_when_the_orders_are_played(env: Environment) -> None:
    waits = replace(RECEIPT, runs="Your wait is on. `wait off` lifts it.")

    assert '  Run         Your wait is on. "wait off" lifts it.\n' in receipt_text(waits, env)
    assert "<p>Your wait is on. <code>wait off</code> lifts it.</p>" in receipt_html(waits, env)
    assert "  Run  " not in receipt_text(replace(RECEIPT, runs=""), env)
