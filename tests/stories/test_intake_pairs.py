"""Two things that letters do, tried together: each is right alone."""

from __future__ import annotations

import re

import pytest

from pbem.desk.gm.withheld import letter_on_page
from pbem.desk.intake.handed import Upload
from pbem.desk.intake.receive import hand_in
from pbem.kernel.names import Role
from pbem.kernel.office import LetterSent
from pbem.storage import players
from pbem.storage.outbox import Mail
from tests.kit.table import Table
from tests.kit.writers import row
from tests.stories.test_joining import joins, opened
from tests.stories.test_standing_in import ANN, EVE, SMUGGLER, head, known, mails_to, read, stands_in, subjects


def replies(table: Table, who: str, mail: Mail, text: str) -> str:
    """Somebody answers just that mail; gives what became of it."""
    there = head(table, mail)
    fields = f"Delivered-To: {there['Reply-To']}\nIn-Reply-To: {there['Message-ID']}"
    return table.write(who, text, subject=f"Re: {mail.subject}", head=fields).reason


def two_exchanges(table: Table) -> None:
    for _ in range(2):
        table.clock.forward(1)
        table.turn()
    table.clock.forward(1)


def code_to(table: Table, who: str) -> str:
    found = re.search(r"confirm [a-z2-7]{4}(?:-[a-z2-7]{4}){3}", read(table, who))
    assert found, read(table, who)
    return found[0]


# ------------------------------------------------------------------------------------ the same text handed in twice


def test_the_same_words_handed_in_on_another_day_reach_their_reader_again(ford: Table) -> None:
    before, ann = len(ford.mails), known(ford, ANN)
    for once in ("monday", "friday"):
        meant = Upload("ford", "smuggler", "upload", "", himself=True, by=ann)
        assert hand_in(ford.office, meant, b"letter to guard: Yes.\numpire: Any news?", once=once).state == "applied"
        ford.clock.forward(24)

    assert sum(isinstance(one.event, LetterSent) for one in ford.dossier.log.own) == 4
    told = [mail.subject for mail in ford.mails[before:]]
    assert told.count("[ford] A letter from smuggler") == 2
    assert told.count("[ford] smuggler to the umpire") == 2


# ------------------------------------------------------------- an answer to a mail of an exchange that is over


def test_an_answer_to_the_copy_of_an_old_receipt_is_no_order_for_what_is_open(ford: Table) -> None:
    stands_in(ford)
    ford.write("smuggler", "move s1 to 3")
    [own] = [one for one in mails_to(ford, ANN) if "orders received" in one.subject]
    [copy] = [one for one in mails_to(ford, EVE) if "orders received" in one.subject]
    two_exchanges(ford)

    assert replies(ford, "smuggler", own, "move s1 to 2") == "refused: 1A is over, and 2A is open"
    assert replies(ford, EVE, copy, "move s1 to 2") == "refused: 1A is over, and 2A is open"


@pytest.mark.parametrize("sent", [("move s1 to 3", "move s1 to 3"), ("preview\nmove s1 to 3",)])
def test_nor_is_one_to_an_old_unchanged_or_preview(ford: Table, sent: tuple[str, ...]) -> None:
    for text in sent:
        ford.write("smuggler", text)
    old = mails_to(ford, ANN)[-1]
    assert re.search(r"1A (orders received - unchanged|preview)", old.subject)
    two_exchanges(ford)

    assert replies(ford, "smuggler", old, "move s1 to 2") == "refused: 1A is over, and 2A is open"


# ------------------------------------------------------------------------------------ what the other is not shown


def test_the_copy_of_a_receipt_shows_neither_what_its_writer_quoted_nor_how_he_would_vote(ford: Table) -> None:
    stands_in(ford)
    ford.write("guard", "propose draw")
    ford.write("smuggler", "move s1 to 3\n\nOn Monday Carl wrote:\n> move s2 to 4", subject="vote V1 no")

    assert "vote V1 no" in ford.text_of(mails_to(ford, ANN)[-1])
    copy = ford.text_of(mails_to(ford, EVE)[-1])
    assert "orders received" in copy
    assert "vote V1 no" not in copy
    assert "move s2 to 4" not in copy


def test_a_note_in_german_is_no_more_shown_on_pages_than_one_in_english(careful: Table) -> None:
    for text in ("note to self: Ben bluffs.", "Notiz an mich: Ben bluffs."):
        raw = careful.letter("smuggler", text)
        held = careful.receive(raw)
        assert held.state == "held"
        assert "bluffs" not in letter_on_page(careful.office, row(careful, held.letter), raw)


# ---------------------------------------------------------------------------------- a code, and more in one letter


def test_a_code_that_comes_by_two_ways_is_not_said_to_confirm_nothing(careful: Table) -> None:
    careful.write("smuggler", "move s1 to 3")
    raw = careful.letter("smuggler", code_to(careful, ANN))
    assert careful.receive(raw).state == "applied"
    careful.receive(b"Received: from elsewhere\r\n" + raw)

    assert "nothing was confirmed" not in subjects(careful, ANN)


def test_a_code_and_the_same_yes_again_in_one_letter_are_taken(careful: Table) -> None:
    replies(careful, "smuggler", mails_to(careful, ANN)[-1], "substitute eve@player.example for 2 turns")
    [asks] = mails_to(careful, EVE)
    answers = f"In-Reply-To: {head(careful, asks)['Message-ID']}"
    assert careful.write(EVE, "substitute yes", head=answers).state == "held"

    own = f"Delivered-To: {head(careful, asks)['Reply-To']}"
    done = careful.write(EVE, f"{code_to(careful, EVE)}\nsubstitute yes", head=own)
    assert done.state == "applied", done.reason
    assert careful.dossier.campaign.stands_in(SMUGGLER, known(careful, EVE))


def test_who_confirms_that_he_resigns_says_nothing_more_for_the_role(ford: Table) -> None:
    briefing = mails_to(ford, ANN)[0]
    replies(ford, "smuggler", briefing, "resign ford")
    before = len(ford.mails)
    replies(ford, "smuggler", briefing, f"{code_to(ford, ANN)}\nreport\nletter to guard: I was never gone.")

    assert Role("smuggler") not in ford.dossier.campaign.players
    told = [mail.subject for mail in ford.mails[before:]]
    assert not any("A letter from smuggler" in one or "report, smuggler" in one for one in told), told


# -------------------------------------------------------------------------------------------- a diary, and twice


@pytest.mark.parametrize("text", ["{0}\n\n{0}", "\n".join(f"note to self: {at}" for at in range(20)) + "\n{0}"])
def test_a_note_that_is_said_twice_or_is_one_too_many_is_shown_to_nobody(ford: Table, text: str) -> None:
    note = text.format("note to self: Ben always bluffs.")
    ford.write("smuggler", f"move s1 to 3\n{note}")
    assert not any("bluffs" in ford.text_of(mail) for mail in ford.mails)


def test_nor_is_it_before_the_game(table: Table) -> None:
    from pbem.desk.library.scenarios import find_scenario
    from pbem.desk.players import enrol
    from pbem.kernel.office import OrdersRefused
    from pbem.kernel.terms import Terms

    enrol.new(table.office, "ford", find_scenario(table.office.folder, "toy/ford"), Terms(trust="address"))
    enrol.add_player(table.office, "ford", "smuggler", name="Ann", address=ANN)
    table.write("smuggler", "I play.\nnote to self: Ben bluffs.\n\nnote to self: Ben bluffs.")

    refused = [one.event.text for one in table.dossier.log.own if isinstance(one.event, OrdersRefused)]
    assert not any("bluffs" in one for one in refused), refused


# ------------------------------------------------------------------------------------------------ letters stopped


def test_whatever_he_writes_who_plays_two_games_brings_his_letters_back(ford: Table) -> None:
    ford.write("smuggler", "stop")
    [told] = [one for one in mails_to(ford, ANN) if one.subject == "you get no more letters"]
    ford.name = "other"
    ford.open()
    replies(ford, ANN, told, "Please send them again.")

    with ford.office.read() as connection:
        ann = players.by_address(connection, ANN)
    assert ann is not None
    assert ann.stopped_at is None


def test_the_gm_is_told_of_the_absence_that_takes_the_place_of_another(ford: Table) -> None:
    ford.write("smuggler", "vacation 24 dec to 26 dec")
    ford.write("smuggler", "vacation off\nvacation 27 dec to 29 dec")

    assert any("is away from 2026-12-27" in ford.text_of(one) for one in ford.mails if one.player is None)


# ------------------------------------------------------------------------------------------------ a copy comes late


def test_a_late_copy_with_a_warning_in_its_subject_undoes_nothing(ford: Table) -> None:
    first = ford.letter("smuggler", "move s1 to 3\nletter to guard: A truce?")
    ford.receive(first)
    ford.write("smuggler", "move s1 to 2")
    ford.receive(first.replace(b"Subject: ", b"Subject: [EXTERNAL] "))

    assert [one.text for one in ford.dossier.campaign.sheets.values()] == ["move s1 to 2"]
    assert [one.subject for one in ford.mails].count("[ford] A letter from smuggler") == 1


def test_a_late_copy_of_a_wish_to_join_does_not_bring_him_back_who_left(table: Table) -> None:
    opened(table)
    joins(table, ANN)
    wish = table.letter(ANN, "join ford as guard", subject="hello")
    table.receive(wish)
    table.write(ANN, "join ford off", subject="hello")
    table.receive(b"Received: from elsewhere\r\n" + wish)

    assert not table.dossier.campaign.candidates


# ------------------------------------------------------------------------------- words beside orders that are looked at


@pytest.mark.parametrize("text", ["move s1 to 3\nwait on\npreview", "preview\nwait off\nmove s1 to 3"])
def test_a_wait_beside_a_preview_is_answered(ford: Table, text: str) -> None:
    before = {mail.id for mail in ford.mails}
    ford.write(ANN, text)

    said = " ".join(ford.text_of(mail) for mail in ford.mails if mail.id not in before)
    assert "Your wait for" in said
    assert "Nothing was entered" in said


def test_who_looks_at_other_orders_first_has_not_said_that_what_stands_is_to_be_played(ford: Table) -> None:
    ford.write(ANN, "move s1 to 3")
    ford.write(ANN, "wait on")
    ford.write(ANN, "move s1 to 2\nready\npreview")

    campaign = ford.dossier.campaign
    assert campaign.now
    assert campaign.waits[campaign.now, SMUGGLER]
    assert campaign.words[campaign.now, SMUGGLER].what == "sheet"
    assert "looked at, and not entered" in " ".join(ford.text_of(mail) for mail in ford.mails[-2:])
