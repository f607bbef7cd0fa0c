"""A German and an English player in one game: each writes as he speaks, and is written to so."""

from __future__ import annotations

from pbem.desk.house.clock import tick
from pbem.desk.players.changes import replace_player
from pbem.kernel.names import Moment, Role
from pbem.kernel.office import LanguageChosen, OrdersAccepted
from tests.kit.table import Table

SMUGGLER, GUARD = Role("smuggler"), Role("guard")


def subject_to(table: Table, role: str) -> str:
    who = table.dossier.campaign.players[Role(role)]
    return [one for one in table.mails if one.player == who][-1].subject


def test_who_asks_for_german_is_written_to_in_german_and_nobody_else_is(ford: Table) -> None:
    ford.write("smuggler", "Sprache Deutsch")
    told = ford.words_to("smuggler")
    assert "Deine Briefe kommen von jetzt an auf Deutsch." in told
    assert "bleibt englisch: in Berichten" in told
    assert "VOM BÜRO" in told.upper()

    ford.write("smuggler", "move s1 to 3\nmove s9 nowhere")
    told = ford.words_to("smuggler")
    assert "DEINE BEFEHLE, WIE SIE JETZT STEHEN" in told
    assert "2 Zeilen: 1 angenommen, 1 abgelehnt" in told
    assert "Deine Befehle stehen ohne Zeile 2." in told
    assert "Sa, 21. Nov." in told or "Fr, 20. Nov." in told
    assert "bleibt englisch" not in told
    assert subject_to(ford, "smuggler") == "[ford] 1A Befehle erhalten - 1 Problem"

    ford.write("guard", "hold g1")
    told = ford.words_to("guard")
    assert "YOUR ORDERS AS THEY NOW STAND" in told
    assert "Befehle" not in told


def test_german_orders_and_english_ones_meet_in_one_turn(ford: Table) -> None:
    ford.write("smuggler", "Hallo,\n\nziehe s1 nach 3\nhold s2\n\nGruß\nAnn")
    told = ford.words_to("smuggler")
    assert "ziehe s1 nach 3" in told
    assert "Read as: move s1 to 3" in told
    ford.write("guard", "hold g1")
    ford.turn()

    sheet = ford.dossier.campaign.sheets
    assert not sheet or all("ziehe" not in str(one.orders) for one in sheet.values() if hasattr(one, "orders"))
    accepted = next(one.event for one in ford.dossier.log if isinstance(one.event, OrdersAccepted))
    assert b"ziehe" not in b"".join(bytes(order) for order in accepted.orders)
    assert "s1 went from 1 to 3." in ford.words_to("smuggler")


def test_a_slip_in_german_is_mended_in_german(ford: Table) -> None:
    ford.write("smuggler", "zihe s1 nach 3\nhold s2")
    assert 'did you mean "ziehe"?' in ford.words_to("smuggler")


def test_the_choice_is_one_event_and_leaves_with_its_player(ford: Table) -> None:
    for _ in range(2):
        ford.write("smuggler", "language de")
    assert [one.event for one in ford.dossier.log if isinstance(one.event, LanguageChosen)] == [
        LanguageChosen(role=SMUGGLER, language="de")
    ]
    assert (ford.dossier.campaign.language(SMUGGLER), ford.dossier.campaign.language(GUARD)) == ("de", "en")

    ford.write("smuggler", "Sprache Englisch")
    assert "Your letters come in English from now on." in ford.words_to("smuggler")
    ford.write("smuggler", "language de")
    replace_player(ford.office, "ford", "smuggler", name="Cid", address="cid@player.example", reason="Ann is ill.")
    assert ford.dossier.campaign.language(SMUGGLER) == "en"


def test_a_game_may_be_in_german_from_its_first_letter_on(table: Table) -> None:
    table.open(language="de")
    told = table.words_to("smuggler")
    assert "WIE MAN BEFEHLE SCHICKT" in told
    assert told.count("bleibt englisch") == 1
    assert "Du führst, smuggler" in subject_to(table, "smuggler")

    table.write("guard", "language en")
    table.write("guard", "hold g1")
    assert "YOUR LINES" in table.words_to("guard")
    table.write("smuggler", "move s1 to 3")
    assert "DEINE ZEILEN" in table.words_to("smuggler")


def test_who_has_sent_nothing_is_reminded_in_his_own_language(ford: Table) -> None:
    ford.write("smuggler", "Sprache Deutsch")
    ford.clock.forward(50)
    list(tick(ford.office))

    told = ford.words_to("smuggler")
    assert "Für 1A ist von dir noch nichts gekommen" in told
    assert "Fällig Montag, 23. November 2026, 22:00 Uhr UTC; in 21 Stunden" in told
    assert subject_to(ford, "smuggler") == "[ford] 1A: Deine Befehle fehlen"

    for _ in range(24):
        ford.clock.forward(1)
        list(tick(ford.office))
    assert "1A wartet auf dich" in ford.words_to("smuggler")
    assert "the orders of smuggler are missing. You need do nothing." in ford.words_to("guard")


def test_words_to_the_office_are_german_too(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3\nwarten an")
    assert ford.dossier.campaign.waits[(Moment(1, 1), SMUGGLER)]
    ford.write("smuggler", "bereit")
    ford.write("guard", "hold g1")
    assert not ford.dossier.campaign.waits.get((Moment(1, 1), SMUGGLER))
    ford.write("smuggler", "Brief an guard: Ich komme, und zwar bald.")
    assert "Ich komme, und zwar bald." in ford.words_to("guard")
    ford.write("smuggler", "Urlaub 24. Dez bis 2. Jan")
    assert "24 Dec 2026" in ford.words_to("smuggler") or "24. Dez. 2026" in ford.words_to("smuggler")
