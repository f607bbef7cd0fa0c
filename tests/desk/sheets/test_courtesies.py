"""Greetings and closings: no orders, and no refused lines; whatever may be an order stays one."""

from __future__ import annotations

import pytest

from pbem.desk.sheets import courtesies
from pbem.kernel.office import OrdersAccepted
from pbem.mail.wire.languages import LANGUAGES, Language
from pbem.orders.sheet import Line, lines_of
from tests.kit.table import Table

VERBS = ("move", "march", "hold fire", "reset all")
NAMES = ("french", "Jean-Luc Canrobert")


def reads(line: Line) -> bool:
    return line.text.startswith(("move p", "hold fire", "reset all"))


def left(text: str) -> list[str]:
    lines = [line for line in lines_of(text) if line.text]
    return [line.text for line in courtesies.without(lines, reads, VERBS, NAMES)]


@pytest.mark.parametrize(
    "closing",
    [
        "Salut!",
        "Gruß, Marcel",
        "Best,",
        "Best regards, Marcel C.",
        "Viele Grüße\nMarcello",
        "Merci et à bientôt",
        "Danke!\nJ. Friedrich\nBerlin",
        "Canrobert",
        "- Jean-Luc",
        "French",
        "Cheers :-)",
    ],
)
def test_what_stands_below_the_orders_and_only_greets_or_signs_is_no_line_of_theirs(closing: str) -> None:
    assert left(f"move p1 to 3\n{closing}") == ["move p1 to 3"]


def test_a_greeting_above_them_is_none_either() -> None:
    assert left("Hello umpire,\nDear all\nmove p1 to 3") == ["move p1 to 3"]
    assert left("Bonjour !") == []


GREETINGS = {
    "en": ("Dear umpire,", "Good morning, gentlemen", "Sir,", "Ladies and gentlemen,"),
    "de": ("Sehr geehrtes Büro,", "Sehr geehrter Herr von und zu,", "Guten Tag, Herr Leitner!", "Hallo zusammen!"),
    "fr": ("Bonjour,", "Monsieur l’arbitre,", "Cher arbitre", "Mon général,"),
    "it": ("Gentile arbitro,", "Buongiorno a tutti"),
    "es": ("Estimado señor:", "Muy señores míos:"),
    "nl": ("Geachte heer De Vries,", "Goedemorgen allemaal"),
    "pt": ("Prezado árbitro,", "Bom dia!"),
    "da": ("Kære dommer,", "Hej alle"),
    "no": ("Kjære dommer,", "God dag"),
    "sv": ("Bästa spelledare,", "Hejsan!"),
    "fi": ("Hyvä tuomari,", "Terve"),
    "pl": ("Szanowny Panie,", "Dzień dobry,"),
    "cs": ("Vážený pane rozhodčí,", "Dobrý den"),
    "ru": ("Уважаемый судья,", "Здравствуйте!"),
    "ja": ("お世話になっております。", "拝啓"),
    "ko": ("안녕하세요,", "존경하는 심판님께"),
    "zh": ("您好，", "尊敬的裁判："),
}


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.code)
def test_it_may_be_of_any_language_whose_replies_are_read(language: Language) -> None:
    for greeting in GREETINGS[language.code]:
        assert left(f"{greeting}\nmove p1 to 3\nmvoe p2,") == ["move p1 to 3", "mvoe p2,"]


def test_umlauts_may_be_written_out() -> None:
    assert left("SEHR GEEHRTER HERR MUELLER,\nSchoenen guten Tag\nmove p1 to 3\nViele Gruesse") == ["move p1 to 3"]


@pytest.mark.parametrize(
    "line",
    [
        "move p1 to 4",
        "move p1 to 4,",
        "hold fire,",
        "Sir George advnces",
        "Gentlemen, hold fire!",
        "Sehr geehrter Herr, mvoe p1",
        "mvoe p1",
        "Best march",
        "Salut march north",
        "Thanks, hold fire",
        "Marcel",
        "Mvoe",
        "reset",
        "Dear umpire please move all of them",
        "hi wait",
        "Withdrw",
        "attack!",
    ],
)
def test_a_line_that_may_be_an_order_or_is_in_doubt_stays(line: str) -> None:
    assert left(f"move p1 to 3\n{line}") == ["move p1 to 3", line]
    assert left(f"{line}\nmove p1 to 3") == [line, "move p1 to 3"]


def test_nothing_between_orders_is_taken_away() -> None:
    assert left("move p1 to 3\nSalut!\nmove p2 to 3") == ["move p1 to 3", "Salut!", "move p2 to 3"]
    assert left("move p1 to 3\nSalut!\nmvoe p2") == ["move p1 to 3", "Salut!", "mvoe p2"]


LETTER = """\
Hi! Here are my first orders.
I hope that I have understood the rules.

{}

Thank you for running this, and see you in a month or so.

Best regards,
Friedrich von Holden
Holden & Sons Ltd
12 Mill Lane
Tel. +49 171 2345
www.holden.example
"""


@pytest.mark.parametrize("orders", ["move p1 to 3", "move p1 to 3\nmvoe p2 to 3\nmove p3 to 4", "hold fire"])
def test_a_friendly_letter_with_a_long_signature_has_no_problems(orders: str) -> None:
    assert "\n".join(left(LETTER.format(orders))) == orders


@pytest.mark.parametrize(
    "sentence",
    [
        "Hallo! Anbei meine ersten Befehle.",
        "Voici mes ordres :",
        "Ecco i miei ordini.",
        "Aquí están mis órdenes:",
        "Here they are:",
        "Orders for the French side:",
        "Good evening! I could not write before, for we were away.",
        "Thanks for the map, it is a beauty.",
        "My orders for turn 5A",
        "If you have questions, ask me.",
        "To all of you a good start into the year!",
    ],
)
def test_a_sentence_above_or_below_the_orders_is_no_problem(sentence: str) -> None:
    assert left(f"{sentence}\nmove p1 to 3") == ["move p1 to 3"]
    assert left(f"move p1 to 3\n{sentence}") == ["move p1 to 3"]


@pytest.mark.parametrize("line", ["p2 to 4", "1/F: forward", "I think p2 should go to 4", "please move all of them"])
def test_a_line_that_names_a_unit_or_a_verb_is_never_taken_for_prose(line: str) -> None:
    for text in (f"move p1 to 3\n\n{line}", f"{line}\n\nmove p1 to 3"):
        assert line in left(text)


def test_where_nothing_is_like_an_order_the_writer_is_told_what_is_wrong_unless_he_wrote_of_something_else() -> None:
    assert left("Hello\nattack the village\nBest wishes") == ["attack the village"]
    assert courtesies.without(lines_of("attack the village"), reads, VERBS, NAMES, alone=False) == ()


def test_a_name_counts_only_below_a_closing_or_if_it_is_the_writers() -> None:
    assert left("move p1 to 3\nFriedrich") == ["move p1 to 3", "Friedrich"]
    assert left("move p1 to 3\n\nFriedrich") == ["move p1 to 3"]
    assert left("move p1 to 3\nServus\nFriedrich") == ["move p1 to 3"]
    assert left("move p1 to 3\nServus\nMarcel") == ["move p1 to 3"]  # though it is nearly `march`


@pytest.mark.parametrize("greeting", ["Sehr geehrtes Büro,", "Dear umpire,", "Bonjour,", "Hallo zusammen!"])
def test_the_receipt_of_a_letter_that_greets_above_its_head_has_nothing_to_refuse(ford: Table, greeting: str) -> None:
    text = f"{greeting}\n\ngame {ford.name}\nrole smuggler\nturn 1A\n\nmove s1 to 3\n"

    assert ford.submit("smuggler", text).reason == "accepted"
    event = next(one.event for one in reversed(ford.dossier.log) if isinstance(one.event, OrdersAccepted))
    assert (event.text, event.told) == ("move s1 to 3", ())


def test_the_receipt_of_a_letter_with_them_has_nothing_to_refuse(ford: Table) -> None:
    received = ford.write("smuggler", "Hello!\nmove s1 to 3\n\nGruss, Ann")

    assert received.reason == "accepted"
    event = next(one.event for one in reversed(ford.dossier.log) if isinstance(one.event, OrdersAccepted))
    assert event.text == "move s1 to 3"
    assert event.told == ()


def test_a_player_may_sign_with_his_name_or_role_in_a_file_as_well(ford: Table) -> None:
    assert ford.submit("smuggler", "move s1 to 3\nSmuggler\n").reason == "accepted"
    event = next(one.event for one in reversed(ford.dossier.log) if isinstance(one.event, OrdersAccepted))

    assert event.told == ()


def test_a_mistyped_order_below_them_is_refused_as_before(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3\nmvoe s2 to 4\nSalut")
    event = next(one.event for one in reversed(ford.dossier.log) if isinstance(one.event, OrdersAccepted))

    assert [told.line for told in event.told] == [2]
