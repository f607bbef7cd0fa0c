"""A German and an English player in one game: each writes as he speaks, and is written to so."""

from __future__ import annotations

import re
from email import message_from_bytes
from email.policy import default

import pytest

from pbem.desk.house.clock import tick
from pbem.desk.library.scenarios import find_scenario
from pbem.desk.players import enrol, joining
from pbem.desk.players.changes import replace_player
from pbem.desk.post.writing import write_owed
from pbem.desk.proof.verify import verify
from pbem.desk.turns import adjudicate, publish
from pbem.kernel.errors import Refused
from pbem.kernel.names import Moment, Role
from pbem.kernel.office import LanguageChosen, OrdersAccepted, OrdersRefused, ProposalClosed
from pbem.kernel.terms import Terms
from pbem.reports.text.speech import speaking
from pbem.reports.text.terms import shown
from tests.kit.table import Table
from tests.kit.watching import look

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


@pytest.mark.parametrize("when", ["before it is run", "before it is made known", "when it is known"])
def test_the_report_is_in_the_language_of_the_game_and_the_one_of_the_log(ford: Table, when: str) -> None:
    if when == "before it is run":
        ford.write("guard", "language de")
    adjudicate.run(ford.office, "ford", early=True, defaults=True)
    if when == "before it is made known":
        ford.write("guard", "language de")
    with speaking("de"):  # as who has the pages of the office in German
        publish.release(ford.office, "ford", early=True)
    if when == "when it is known":
        ford.write("guard", "language de")

    player = ford.dossier.campaign.players[GUARD]
    [report] = [ford.text_of(mail) for mail in ford.mails if (mail.kind, mail.player) == ("report", player)]
    assert '<html lang="en">' in report
    assert "Uhr" not in report
    assert verify(ford.office, "ford").first is None


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


def test_a_vote_is_german_for_who_speaks_it_and_english_for_the_other_and_the_umpire(ford: Table) -> None:
    ford.write("smuggler", "Sprache Deutsch")
    ford.write("smuggler", "vorschlagen Waffenruhe bis 5A: wir begraben die Toten, bis zum Abend")
    told = ford.words_to("smuggler")
    assert "V1 steht zur Abstimmung bis So, 22. Nov. 2026" in told
    assert "eine Waffenruhe bis 5A. Deine eigene Stimme ist ja." in told
    assert "guard" not in told
    put = next(mail for mail in ford.mails if mail.cause == "proposed/V1/smuggler")
    assert put.subject == "[ford] V1: zur Abstimmung steht: eine Waffenruhe bis 5A"
    assert "smuggler schlägt vor: eine Waffenruhe bis 5A: wir begraben die Toten, bis zum Abend." in ford.text_of(put)

    assert "smuggler proposes a truce until 5A: wir begraben die Toten, bis zum Abend." in ford.words_to("guard")
    gms = next(mail for mail in ford.mails if mail.cause == "proposed/V1")
    assert gms.subject.endswith("V1: a truce until 5A")
    assert "Abstimmung" not in ford.text_of(gms)

    ford.write("guard", "vote yes")
    assert look(ford) == ["ford: V1, a truce until 5A, is carried"]
    told = ford.words_to("smuggler")
    assert "V1, eine Waffenruhe bis 5A, ist angenommen: 2 dafür, 0 dagegen." in told
    assert "Dafür: smuggler und guard. Sie ist aufgeschrieben, und alle wissen davon." in told
    assert "For it: smuggler and guard." in ford.words_to("guard")


def test_what_a_vote_brings_is_told_in_german_and_logged_in_english(ford: Table) -> None:
    ford.write("smuggler", "Sprache Deutsch")
    ford.write("guard", "propose pause: it is Christmas")
    ford.write("smuggler", "stimmen V1 ja")
    assert "Deine Stimme zu V1, eine Pause des Spiels, ist ja. Alle können es sehen." in ford.words_to("smuggler")
    list(tick(ford.office))
    assert subject_to(ford, "smuggler") == "[ford] das Spiel ruht"
    assert "V1, eine Pause des Spiels, ist angenommen: 2 dafür, 0 dagegen. Dafür: " in ford.words_to("smuggler")
    assert ford.dossier.campaign.paused.startswith("V1, a pause of the game, is carried: 2 for it, 0 against.")

    ford.write("smuggler", "vorschlagen Fortsetzung")
    ford.write("guard", "vote V2 yes")
    list(tick(ford.office))
    assert subject_to(ford, "smuggler") == "[ford] das Spiel geht weiter"
    assert "Das Spiel ruhte; jede Stunde" in ford.words_to("smuggler")


def test_a_vote_that_has_lapsed_says_why_in_german_though_the_log_has_it_in_english(ford: Table) -> None:
    ford.write("smuggler", "Sprache Deutsch")
    ford.write("guard", "propose extension 24h")
    ford.turn()
    list(tick(ford.office))
    assert "V1, 24 Stunden mehr für 1A, ist hinfällig, denn: 1A ist nicht mehr offen." in ford.words_to("smuggler")
    ended = next(one.event for one in ford.dossier.log if isinstance(one.event, ProposalClosed))
    assert ended.why == "1A is not open any more"


def test_who_joins_a_german_game_is_written_to_in_german_from_the_first_line_on(table: Table) -> None:
    enrol.new(
        table.office, "ford", find_scenario(table.office.folder, "toy/ford"), Terms(trust="address", language="de")
    )
    joining.open_sign_up(table.office, "ford")
    table.write("smuggler", "Mitspielen ford als egal", subject="Hallo")
    asked = table.text_of(table.mails[-1])
    assert "Wenn du es warst, antworte mit der Zeile unten und sonst nichts" in " ".join(asked.split())
    line = re.search(r"confirm [a-z2-7]{4}(?:-[a-z2-7]{4}){3}", asked)
    assert line is not None

    table.write("smuggler", line[0], subject="Re: Möchtest du hier mitspielen?")
    mine = [mail for mail in table.mails if mail.cause.startswith("joined/")][-1]
    assert mine.subject == "[ford] du stehst auf der Liste"
    told = " ".join(table.text_of(mine).split())
    assert "1 Anwärter für 2 Rollen." in told
    assert "Das Los wird geworfen, sobald alle Rollen besetzt werden können" in told
    assert [mail.subject for mail in table.mails if mail.player is None][-1].endswith("is on the list")

    joining.draw(table.office, "ford")
    lot = next(mail for mail in table.mails if mail.cause.startswith("lot/"))
    assert lot.subject in ("[ford] du spielst smuggler", "[ford] du spielst guard")
    assert "Die Zufallszahlen, offengelegt" in table.text_of(lot)


def test_a_stand_in_of_a_german_role_is_asked_and_told_in_german(ford: Table) -> None:
    ford.write("smuggler", "Sprache Deutsch")
    ford.write("smuggler", "Vertreter eve@player.example für 2 Züge")
    assert "eve@player.example wird gefragt und kann nichts schicken, bevor er zusagt." in ford.words_to("smuggler")
    asks = next(mail for mail in ford.mails if mail.cause.startswith("stand-in/asks"))
    assert asks.subject == "[ford] vertrittst du smuggler?"
    assert "für ihn Befehle zu schicken, für 2 Züge." in " ".join(ford.text_of(asks).split())
    gms = [mail for mail in ford.mails if mail.cause.startswith("stand-in/named")][-1]
    assert "to send orders for him, for 2 turns." in ford.text_of(gms)

    ford.write("smuggler", "Vertreter aus")
    assert "Nur deine Briefe zählen wieder." in ford.words_to("smuggler")


def test_what_is_gathered_comes_in_german(ford: Table) -> None:
    ford.write("smuggler", "Sprache Deutsch")
    ford.write("smuggler", "Sammelbrief 20:00")
    assert "einmal am Tag um 20:00 nach der Uhr von UTC" in ford.words_to("smuggler")
    ford.write("guard", "letter to smuggler: one")
    ford.write("guard", "letter to smuggler: two")
    ford.clock.forward(23)
    write_owed(ford.office)
    told = ford.words_to("smuggler")
    assert subject_to(ford, "smuggler") == "[ford] 2 Briefe und Mitteilungen seit deinem letzten Sammelbrief"
    assert "1. Ein Brief von guard" in told
    assert "Er lautet: one" in told
    assert "Um alles wieder sofort zu bekommen: Sammelbrief aus" in told


def test_an_address_is_changed_in_german_to_both_mailboxes(ford: Table) -> None:
    ford.write("smuggler", "Sprache Deutsch")
    mail = [one for one in ford.mails if one.player == ford.dossier.campaign.players[SMUGGLER]][-1]
    secret = str(message_from_bytes(ford.bytes_of(mail), policy=default)["Reply-To"])
    ford.write("smuggler", "Adresse ann@new.example", head=f"Delivered-To: {secret}")
    assert "Zwei Codes sind unterwegs" in ford.words_to("smuggler")
    subjects = {one.subject for one in ford.mails}
    assert subjects >= {"sollen deine Briefe an eine andere Adresse gehen?", "ist das deine Adresse?"}


def test_who_leaves_is_told_in_his_language_and_the_others_in_theirs(ford: Table) -> None:
    ford.write("smuggler", "Sprache Deutsch")
    former = ford.dossier.campaign.players[SMUGGLER]
    replace_player(ford.office, "ford", "smuggler", name="Cid", address="cid@player.example", reason="Er ist krank.")
    left = next(mail for mail in ford.mails if mail.player == former and mail.cause.startswith("left/"))
    assert left.subject == "[ford] du spielst smuggler nicht mehr"
    assert "smuggler is played by somebody else from now on" in ford.text_of(ford.mails[-1])


def test_a_letter_without_a_tag_is_of_the_only_game_of_its_writer(ford: Table) -> None:
    ford.write("smuggler", "Sprache Deutsch", subject="Hallo")
    assert ford.dossier.campaign.language(SMUGGLER) == "de"
    ford.write("smuggler", "Stand", subject="Frage")
    assert "du schuldest: " in ford.words_to("smuggler")


def test_why_nothing_was_taken_is_told_in_german_and_logged_in_english(ford: Table) -> None:
    ford.write("smuggler", "Sprache Deutsch")
    done = ford.write("smuggler", "Guten Tag!")
    assert "Es steht kein Befehl darin." in ford.words_to("smuggler")
    assert done.reason == "refused: there is no order in it"
    ford.clock.forward(80)
    done = ford.write("smuggler", "turn S1\nmove s1 to 3")
    refused = [one.event for one in ford.dossier.log if isinstance(one.event, OrdersRefused)][-1]
    assert refused.reason.isascii()
    assert "refused: " in done.reason


def test_a_game_in_a_language_that_nobody_has_written_is_none(ford: Table) -> None:
    with pytest.raises(Refused, match='nothing is written in "tlh" here: there are en and de'):
        enrol.set_terms(ford.office, "ford", {"language": "tlh"})
    enrol.set_terms(ford.office, "ford", {"language": "de"})
    assert ("language", "Deutsch") in shown(ford.dossier.campaign.terms)


def test_an_answer_is_called_by_the_word_that_its_reader_knows(ford: Table) -> None:
    ford.write("smuggler", "Sprache Deutsch")
    ford.write("smuggler", "status")
    assert subject_to(ford, "smuggler") == "[ford] Stand"
    ford.write("guard", "Stand")
    assert subject_to(ford, "guard") == "[ford] status"
