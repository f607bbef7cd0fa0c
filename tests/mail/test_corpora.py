"""Corpora of letters that others collected, which are no part of the project.

``PBEM_LETTERS`` names the folder that holds them: crisp-reply-parser, mailgun-talon, zapier-reply-parser, flufl-bounce.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pbem.mail.reading.html import html_lines
from pbem.mail.reading.letter import IgnoredLine, TextLine, read_letter
from pbem.mail.reading.quotes import Kind, mark
from pbem.mail.wire.charsets import clean_lines
from pbem.mail.wire.limits import UnreadableLetter

CRISP, TALON = "crisp-reply-parser/test/fixtures", "mailgun-talon/tests/fixtures"
ZAPIER, BOUNCES = "zapier-reply-parser/test/emails", "flufl-bounce"

NOTHING_TO_CUT = (
    "email_5",
    "email_emoji",
    "email_not_a_signature_2",
    "email_sent_from_my_not_signature",
    "email_tricky_13_timestamp_variations",
    "email_tricky_16_unicode_signatures",
    "email_tricky_1_on_false_positive",
    "email_tricky_2_url_with_wrote",
    "email_tricky_3_code_block",
    "email_tricky_4_from_in_body",
    "email_tricky_6_regards_in_sentence",
    "email_tricky_7_multiple_dashes",
    "email_tricky_8_sent_from_in_content",
)


def files(folder: str, pattern: str) -> list[Path]:
    """The files of a corpus; skips the test where there is none."""
    place = os.environ.get("PBEM_LETTERS")
    if not place:
        pytest.skip("needs PBEM_LETTERS, a folder with corpora of letters")
    found = sorted(path for path in (Path(place) / folder).glob(pattern) if path.name != "SOURCE.txt")
    assert found, f"there is no {folder}/{pattern} in PBEM_LETTERS"
    return found


def squeezed(text: str) -> str:
    return " ".join(text.split())


def kept(lines: list[str], *kinds: Kind) -> str:
    return squeezed("\n".join(line for line, kind in zip(lines, mark(lines), strict=True) if kind in kinds))


def test_plain_replies_of_twelve_mail_programs() -> None:
    wrong = []
    letters = files(f"{TALON}/standard_replies", "*.eml")
    for path in letters:
        letter = read_letter(path.read_bytes())
        # The corpus cuts quotations alone: signatures are to be kept.
        signature = [line for line in letter.ignored if line.why == Kind.SIGNATURE]
        both: list[TextLine | IgnoredLine] = [*letter.lines, *signature]
        lines = sorted((line.number, line.text) for line in both)
        given = path.with_name(f"{path.stem}_reply_text")
        expected = given.read_text() if given.exists() else "Hello"
        if squeezed("\n".join(text for _, text in lines)) != squeezed(expected):
            wrong.append(path.name)

    assert (len(letters), wrong) == (12, [])


def test_html_replies_of_nine_mail_programs() -> None:
    pages = files(f"{TALON}/html_replies", "*.html")
    wrong = [
        path.name
        for path in pages
        if kept(html_lines(path.read_text("utf-8", errors="replace")), Kind.OWN, Kind.SIGNATURE)
        != "Hi. I am fine. Thanks, Alex"
    ]

    assert (len(pages), wrong) == (9, [])


def test_replies_in_many_languages() -> None:
    texts = {path.stem: path.read_text("utf-8") for path in files(CRISP, "*.txt")}
    typed = texts["email_22"].partition("\n\n")[0]
    replies = {name: text for name, text in texts.items() if text.startswith(typed)}
    wrong = sorted(name for name, text in replies.items() if kept(clean_lines(text), Kind.OWN) != squeezed(typed))

    # In these two nothing but the last words of a phone stands between what was typed and what is quoted: it is kept.
    assert (len(replies), wrong) == (43, ["email_15", "email_german_3"])


def test_where_nothing_is_quoted_nothing_is_cut() -> None:
    texts = {path.stem: path.read_text("utf-8") for path in files(CRISP, "*.txt")}
    cut = {}
    for name in NOTHING_TO_CUT:
        lines = clean_lines(texts[name])
        # "Best regards, John" below the text is no order.
        body = texts[name].partition("Best regards,")[0]
        if kept(lines, Kind.OWN) != squeezed(body):
            cut[name] = kept(lines, Kind.OWN)

    assert (len(NOTHING_TO_CUT), cut) == (13, {})


def test_every_text_of_the_corpora_is_read() -> None:
    for path in [*files(ZAPIER, "*.txt"), *files(CRISP, "*.txt")]:
        text = path.read_bytes()
        letter = read_letter(b"From: a@x.example\nContent-Type: text/plain; charset=utf-8\n\n" + text)

        assert letter.lines or letter.ignored, path.name


def test_bounces_are_never_answered() -> None:
    """By their header alone; six of them look like a letter there."""
    unread, taken_for_people = [], []
    bounces = files(BOUNCES, "*.txt")
    for path in bounces:
        try:
            if not read_letter(path.read_bytes()).auto:
                taken_for_people.append(path.name)
        except UnreadableLetter as why:
            unread.append((path.name, why.reason))

    assert unread == []
    assert (len(bounces), len(taken_for_people)) == (117, 6)


def test_letters_of_people_are_not_taken_for_bounces() -> None:
    letters = [*files(f"{TALON}/standard_replies", "*.eml"), *files(TALON, "*.eml")]

    assert [(path.name, auto) for path in letters if (auto := read_letter(path.read_bytes()).auto)] == []
