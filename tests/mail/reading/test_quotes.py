"""Whose a line is: languages one by one, orders that look like quotations, and work that grows with the text alone."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.reading.quotes import Kind, mark
from pbem.mail.wire.languages import LANGUAGES
from tests.kit.hostile import texts

ATTRIBUTIONS = {
    "en": [
        "On Fri, Jun 12, 2026 at 6:02 PM Office <gm@x.example> wrote:",
        "On Fri, 12 Jun 2026 18:02:00 +0200 Office <gm@x.example> wrote",
        "On 12 Jun 2026, at 18:02, Office wrote:",
        "---- On Fri, 12 Jun 2026 18:02:00 +0200 gm@x.example wrote ----",
        "Friday, 12 June 2026, 6:02 PM +0300 from gm@x.example <gm@x.example>:",
        "2026-06-12 18:02 GMT+02:00 Office <gm@x.example>:",
    ],
    "de": [
        "Am Fr., 12. Juni 2026 um 18:02 Uhr schrieb Office <gm@x.example>:",
        "Am 12.06.2026 um 18:02 schrieb Office:",
        "Am Freitag, den 12. Juni 2026 schrieb Office <gm@x.example>:",
    ],
    "fr": ["Le ven. 12 juin 2026 à 18:02, Office <gm@x.example> a écrit :", "Le 12/06/2026 à 18:02, Office a écrit :"],
    "it": [
        "Il giorno ven 12 giu 2026 alle ore 18:02 Office <gm@x.example> ha scritto:",
        "In data 12 giugno 2026 18:02:31 Office <gm@x.example> ha scritto:",
    ],
    "es": ["El vie, 12 jun 2026 a las 18:02, Office (<gm@x.example>) escribió:"],
    "nl": ["Op vr 12 jun 2026 om 18:02 schreef Office <gm@x.example>:", "Op 12 juni 2026 18:02 schreef Office:"],
    "pt": ["Em sex., 12 de jun. de 2026 às 18:02, Office <gm@x.example> escreveu:"],
    "da": ["Den fre. 12. jun. 2026 kl. 18.02 skrev Office <gm@x.example>:"],
    "no": ["fre. 12. juni 2026 kl. 18:02 skrev Office <gm@x.example>:"],
    "sv": ["Den fre 12 juni 2026 kl 18:02 skrev Office <gm@x.example>:"],
    "fi": ["pe 12. kesäk. 2026 klo 18.02 Office (gm@x.example) kirjoitti:"],
    "pl": [
        "pt., 12 cze 2026 o 18:02 Office <gm@x.example> napisał(a):",
        "W dniu 12.06.2026 o 18:02, Office pisze:",
        "Dnia 12 czerwca 2026 18:02 Office <gm@x.example> napisał(a):",
    ],
    "cs": [
        "pá 12. 6. 2026 v 18:02 odesílatel Office <gm@x.example> napsal:",
        "Dne 12.6.2026 v 18:02 Office napsal(a):",
    ],
    "ru": [
        "пт, 12 июн. 2026 г. в 18:02, Office <gm@x.example>:",
        "12.06.2026 18:02, Office пишет:",
        "12 июня 2026 г., 18:02 пользователь Office <gm@x.example> написал:",
    ],
    "ja": ["2026年6月12日(金) 18:02 Office <gm@x.example>:", "2026/06/12 18:02、Office <gm@x.example>のメール:"],
    "ko": ["2026년 6월 12일 (금) 오후 6:02, Office <gm@x.example>님이 작성:"],
    "zh": ["Office <gm@x.example> 于2026年6月12日周五 18:02写道：", "在 2026年6月12日，Office <gm@x.example> 写道："],
}

ORDERS = [
    "From Metz to Sedan march 3 corps",
    "From: Metz",
    "To: Sedan",
    "Date: 14 June",
    "-- first army",
    "- hold",
    "---",
    "====",
    "On contact: fall back",
    "On contact: fall back to J-10",
    "On 14 June: entrain",
    "On Monday, 12 June, attack at 10:30",
    "Am Abend: Halt",
    "Le 14 juin: halte",
    "2026: none",
    "At 10:30: open fire",
    "10:30 open fire:",
    "letter to blue: the duke wrote: hold",
    "letter to blue: On 3 June you wrote of peace",
    "best: none",
    "end",
    "sent 3 corps to Metz",
    "Sent from Metz: 3 corps",
    "Original message kept",
    "der 3. Zug",
    "12 corps wrote off: none",
    "march 3 corps > 2 corps",
]


def kinds(*lines: str) -> list[str]:
    return [str(kind) for kind in mark(lines)]


def test_every_language_has_attributions_here() -> None:
    assert ATTRIBUTIONS.keys() == {language.code for language in LANGUAGES}


@pytest.mark.parametrize("line", [line for lines in ATTRIBUTIONS.values() for line in lines])
def test_an_attribution_is_known_with_a_quotation_below_and_without(line: str) -> None:
    assert kinds("On contact: hold", line, "> move", "march") == ["own", "attribution", "quote", "own"]
    assert kinds("On contact: hold", line, "move", "march") == ["own", "attribution", "quote", "quote"]


@pytest.mark.parametrize("line", [line for lines in ATTRIBUTIONS.values() for line in lines if len(line.split()) > 3])
def test_an_attribution_may_be_broken_over_two_lines(line: str) -> None:
    words = line.split(" ")
    for at in range(len(words) - 2, len(words)):
        first, second = " ".join(words[:at]), " ".join(words[at:])

        assert kinds("On contact: hold", first, second, "> move") == ["own", "attribution", "attribution", "quote"]


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.code)
def test_a_header_block_of_each_language_is_known(language: Any) -> None:
    labels = [getattr(language, field).split("|")[0] for field in ("sender", "sent", "to", "subject")]
    block = [f"{label.title()}: something" for label in labels]

    assert kinds("hold", "", *block, "", "move") == ["own", "own", *["original message"] * 6]
    assert kinds("hold", "______________________", *block, "move") == ["own", *["original message"] * 6]
    assert kinds("hold", *(f"*{label}:* x" for label in labels)) == ["own", *["original message"] * 4]
    assert kinds(*block[:2]) == ["own", "own"]


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.code)
def test_a_caption_of_each_language_is_known(language: Any) -> None:
    for caption in language.original.split("|"):
        assert kinds("hold", f"-----{caption.title()}-----", "move") == ["own", "original message", "original message"]
        assert kinds("hold", f"---------- {caption} ---------", "move")[1:] == ["original message"] * 2
        assert kinds(f"{caption} of mine") == ["own"]


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.code)
def test_last_words_of_a_phone_are_no_orders(language: Any) -> None:
    for words in language.device.split("|"):
        assert kinds("hold", "", f"{words} my phone") == ["own", "own", "signature"]


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.code)
def test_a_name_below_a_closing_formula_is_no_order(language: Any) -> None:
    for words in language.closing.split("|"):
        assert kinds("hold", "", f"{words.title()},", "Anton", "Marshal")[2:] == ["signature"] * 3
        assert kinds("hold", words, "move p1 to J-10") == ["own", "own", "own"]
        assert kinds("hold", f"{words} and hold", "Anton") == ["own"] * 3


@pytest.mark.parametrize("order", ORDERS)
def test_an_order_is_no_quotation(order: str) -> None:
    assert kinds(order) == ["own"]
    assert kinds("hold", order, "march") == ["own"] * 3
    assert kinds("> old", "", order, "", "> older")[2] == "own"


def test_all_these_orders_together_are_orders() -> None:
    assert kinds(*(line for order in ORDERS for line in (order, ""))) == ["own"] * len(ORDERS) * 2


def test_only_two_dashes_alone_begin_a_signature() -> None:
    assert kinds("hold", "--", "Anton") == ["own", "signature", "signature"]
    assert kinds("hold", "-- Anton", "- -", "---", "—") == ["own"] * 5


def test_an_answer_below_a_quotation_below_a_signature_is_read() -> None:
    assert kinds("hold", "--", "Anton", "> old", "march") == ["own", "signature", "signature", "quote", "own"]


def test_a_long_quoted_line_that_was_broken_is_quoted_to_its_end() -> None:
    long = "> the third corps marches from Metz by way of Briey to Longuyon and halts"

    assert kinds(long, "there until relieved", "> old") == ["quote"] * 3
    assert kinds("> the third corps", "halt there", "> old") == ["quote", "own", "quote"]
    assert kinds(long, "", "halt there", "", "> old")[2] == "own"
    assert kinds(long, "Halt there", "> old") == ["quote", "own", "quote"]


def test_an_order_that_a_mail_store_escaped_is_an_order_only_where_nothing_is_quoted() -> None:
    assert kinds(">From Metz to Sedan", "hold") == ["own", "own"]
    assert kinds(">From Metz to Sedan", "> hold") == ["quote", "quote"]
    assert kinds(">From Metz to Sedan", "On 12 Jun 2026 10:00 GM wrote:", "hold")[0] == "quote"


def test_between_begin_and_end_nothing_is_a_signature() -> None:
    assert kinds("x", "Begin", "-- first army", "--", "hold", "END", "y", "--", "Anton") == (
        ["own"] * 7 + ["signature"] * 2
    )
    assert kinds("begin", "a", "--", "end", "b", "--", "begin", "c", "end") == ["own"] * 9
    assert kinds("begin", "a", "--", "b") == ["own"] * 4
    assert kinds("hold", "end", "--", "march") == ["own"] * 2 + ["signature"] * 2
    assert kinds("hold", "> begin", "> move", "> end") == ["own", "quote", "quote", "quote"]


@given(st.lists(st.sampled_from([*ORDERS, "", "> x", "begin", "end", "--", *ATTRIBUTIONS["de"], "Gruß", "Von: x"])))
def test_a_line_that_starts_with_a_mark_is_never_the_writers(lines: list[str]) -> None:
    marked = mark(lines)

    assert len(marked) == len(lines)
    assert not [line for line, kind in zip(lines, marked, strict=True) if line.startswith("> ") and kind is Kind.OWN]


def steps(work: Callable[[], object]) -> int:
    """How many lines of code run in *work*, those of the library's functions in Python included."""
    count = 0

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("name", texts(6))
def test_twice_the_text_is_twice_the_work(name: str) -> None:
    small, large = texts(300)[name], texts(600)[name]

    assert steps(lambda: mark(large)) <= 2.2 * steps(lambda: mark(small))


def test_a_line_however_long_is_looked_at_no_further_than_its_start() -> None:
    line = "On Mon, 1 Jun 2026 at 10:00 " + "x <a@x.example> " * 20_000 + "wrote:"

    assert kinds(line) == ["own"]
