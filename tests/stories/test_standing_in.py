"""Somebody stands in for a player: asked at his address, told what the role is told, for a time, and no longer."""

from __future__ import annotations

import re
from email import message_from_bytes
from email.policy import default

import pytest

from pbem.desk.intake.handed import Upload
from pbem.desk.intake.receive import hand_in
from pbem.desk.players.changes import erase_player, replace_player
from pbem.desk.players.enrol import end, set_terms
from pbem.desk.players.observers import admit
from pbem.desk.proof.verify import verify
from pbem.desk.reading.games import games
from pbem.desk.reading.letters import calendar_file, post
from pbem.desk.reels.published import publish
from pbem.kernel.errors import Refused
from pbem.kernel.names import PlayerId, Role
from pbem.reports.replay.page import unpacked
from pbem.storage import players
from pbem.storage.outbox import Mail
from tests.kit.room import open_room, send
from tests.kit.table import Table

SMUGGLER = Role("smuggler")
EVE, ANN, BEN = "eve@player.example", "ann@player.example", "ben@player.example"


def head(table: Table, mail: Mail) -> dict[str, str]:
    letter = message_from_bytes(table.bytes_of(mail), policy=default)
    return {name: str(value) for name, value in letter.items()}


def mails_to(table: Table, address: str) -> list[Mail]:
    return [mail for mail in table.mails if address in head(table, mail)["To"].lower()]


def subjects(table: Table, address: str) -> list[str]:
    return [mail.subject for mail in mails_to(table, address)]


def read(table: Table, address: str) -> str:
    """The newest mail to an address, in one line."""
    body = message_from_bytes(table.bytes_of(mails_to(table, address)[-1]), policy=default).get_body(("plain",))
    assert body is not None
    return " ".join(str(body.get_content()).split())


def writes(table: Table, address: str, text: str) -> str:
    """A letter that answers the newest to its writer; gives what became of it."""
    secret = head(table, mails_to(table, address)[-1])["Reply-To"]
    return table.write(address, text, subject="Re: letter", head=f"Delivered-To: {secret}").reason


def stands_in(table: Table, words: str = "substitute eve@player.example for 2 turns") -> None:
    table.write("smuggler", words)
    assert writes(table, EVE, "substitute yes") == "he stands in for smuggler"


def known(table: Table, address: str) -> PlayerId:
    with table.office.read() as connection:
        found = players.by_address(connection, address)
    assert found is not None
    return found.id


def test_who_is_named_is_asked_and_sends_orders_when_he_has_said_yes(ford: Table) -> None:
    assert ford.write("smuggler", "substitute eve@player.example for 2 turns").state == "applied"
    assert "eve@player.example is asked" in read(ford, ANN)
    assert subjects(ford, EVE) == ["[ford] will you stand in for smuggler?"]
    assert ford.dossier.campaign.roles_of(known(ford, EVE)) == ()

    assert writes(ford, EVE, "substitute yes") == "he stands in for smuggler"
    assert "Whom you named sends orders for you from now on" in read(ford, ANN)
    assert [one.kind for one in mails_to(ford, EVE)].count("briefing") == 1
    assert writes(ford, EVE, "move s1 to 3") == "accepted"

    assert ford.dossier.campaign.sheets[ford.dossier.exchange().moment, SMUGGLER].text == "move s1 to 3"
    receipts = [[one for one in subjects(ford, who) if "orders received" in one] for who in (ANN, EVE)]
    assert receipts[0] == receipts[1] != []
    assert ford.write("smuggler", "move s1 to 2").reason == "accepted"
    assert verify(ford.office, "ford").sound


def test_before_he_has_said_yes_he_sends_and_learns_nothing(ford: Table) -> None:
    ford.write("smuggler", "substitute eve@player.example for 2 turns")
    ford.turn()

    assert "you play in no campaign" in writes(ford, EVE, "report")
    assert [one.kind for one in mails_to(ford, EVE)] == ["notice", "receipt"]


def test_reports_go_to_both_and_it_ends_by_itself(ford: Table) -> None:
    stands_in(ford)
    while ford.dossier.campaign.stand_ins:
        ford.clock.forward(1)
        ford.turn()

    reports = [str(one.moment) for one in ford.dossier.campaign.reports[SMUGGLER][1:]]
    assert reports == ["1A", "1B", "2A", "2B"]
    sent = [[one.cause.split("/")[1] for one in mails_to(ford, who) if one.kind == "report"] for who in (ANN, EVE)]
    assert sent == [reports, reports]
    assert "you no longer stand in for smuggler" in subjects(ford, EVE)[-1]
    assert "nobody stands in for you as smuggler any more" in subjects(ford, ANN)[-1]
    before = subjects(ford, EVE)
    ford.clock.forward(1)
    ford.turn()
    assert subjects(ford, EVE) == before
    assert "you play in no campaign" in writes(ford, EVE, "move s1 to 3")
    assert verify(ford.office, "ford").sound


def test_a_proxy_sends_for_one_exchange_and_is_not_told_what_came_of_it(ford: Table) -> None:
    stands_in(ford, "proxy eve@player.example")
    assert writes(ford, EVE, "move s1 to 3") == "accepted"
    ford.clock.forward(1)

    ford.turn()

    assert not [one for one in mails_to(ford, EVE) if one.kind == "report"]
    assert ford.dossier.campaign.stand_ins == {}
    assert [one.kind for one in mails_to(ford, ANN)].count("report") == 1


def test_on_the_pages_too_he_proposes_and_votes_for_nobody(ford: Table) -> None:
    stands_in(ford)
    with open_room(ford.office.folder, at=ford.clock.at) as room:
        send(room.visitor(EVE), "/games/ford/smuggler/votes", do="propose", what="draw", reason="Enough.")

    assert "proposal_made" not in ford.kinds
    assert '"propose" was not done: it is for the player of smuggler himself' in read(ford, EVE)


def test_he_reads_neither_the_diary_nor_the_vote_of_whom_he_stands_in_for(ford: Table) -> None:
    ford.write("smuggler", "note to self: The laden cart is by the willows.")
    stands_in(ford)
    ford.write("smuggler", "propose draw: we are even")
    before = len(ford.mails)
    for words in ("history", "status", "withdraw V1", "note to self: He may know of the elms."):
        writes(ford, EVE, words)
    told = "".join(ford.text_of(mail) for mail in ford.mails[before:])
    with open_room(ford.office.folder, at=ford.clock.at) as room:
        eve, ann = room.visitor(EVE), room.visitor(ANN)
        pages = [eve.get(f"/games/ford/smuggler/{page}").text for page in ("letters", "votes")]
        pages += [eve.get("/letters").text, room.program(EVE).get("/api/v1/games/ford/smuggler/letters").text]
        own = [ann.get(f"/games/ford/smuggler/{page}").text for page in ("letters", "votes")]

    assert all("willows" not in one and "Your vote is" not in one for one in (*pages, told))
    assert "V1" in pages[1]
    assert "Put it to the vote" not in pages[1]
    assert "elms" in pages[0]
    assert "your vote: yes" not in told
    assert '"withdraw" was not done: it is for the player of smuggler himself' in " ".join(told.split())
    assert ["willows" in own[0], "elms" in own[0], "Your vote is" in own[1]] == [True, False, True]


def test_of_a_receipt_he_has_the_orders_and_nothing_that_was_said_to_the_office(ford: Table) -> None:
    stands_in(ford)
    ford.write("guard", "propose draw: we are even")
    said = "vote V1 no\nvote V1 maybe\numpire:\nI tire of Eve.\nend letter"
    ford.write("smuggler", f"{said}\nmove s1 to 3\nmove s9 to 3")
    [own] = [mail for mail in mails_to(ford, ANN) if mail.cause == "receipt/smuggler/1"]
    [copy] = [mail for mail in mails_to(ford, EVE) if mail.cause.startswith("receipt/smuggler/1/")]
    his, hers = ford.text_of(own), ford.text_of(copy)

    with open_room(ford.office.folder, at=ford.clock.at) as room:
        pages = [room.visitor(who).get("/games/ford/smuggler/receipts/1").text for who in (ANN, EVE)]

    assert ["vote V1 no" in page for page in pages] == [True, False]
    assert all("move s1 to 3" in page for page in pages)
    assert "vote V1 no" in his
    assert "2 lines: 1 accepted, 1 refused." in hers
    assert "move s1 to 3" in hers
    assert "vote" not in hers
    assert "tire" not in "".join(ford.text_of(mail) for mail in mails_to(ford, EVE))


def test_what_one_of_two_wrote_to_the_umpire_the_other_does_not_read_nor_who_has_the_role_next(ford: Table) -> None:
    ford.write("smuggler", "umpire: I am ill, and tell nobody.")
    ford.submit("smuggler", "umpire: By hand.")
    stands_in(ford)
    writes(ford, EVE, "umpire: Is he ill?")

    def said(who: str) -> list[str]:
        return [one.text for one in post(ford.dossier, SMUGGLER, known(ford, who)).letters]

    assert (said(ANN), said(EVE)) == (["By hand.", "I am ill, and tell nobody."], ["Is he ill?"])
    replace_player(ford.office, "ford", "smuggler", name="Cyn", address="cyn@player.example", reason="As asked.")
    ford.write("cyn@player.example", "umpire: Here I am.")
    assert said("cyn@player.example") == ["Here I am."]


@pytest.mark.parametrize(("words", "told"), [("proxy eve@player.example", 0), ("substitute eve@player.example", 1)])
def test_when_a_game_is_broken_off_a_proxy_is_not_sent_all_that_is_opened(ford: Table, words: str, told: int) -> None:
    stands_in(ford, words)
    end(ford.office, "ford", "Enough")

    his = {who: subjects(ford, who) for who in (EVE, ANN)}
    assert {who: one.count("[ford] the game is over") for who, one in his.items()} == {EVE: told, ANN: 1}
    assert his[EVE][-1] == "[ford] you no longer stand in for smuggler"
    assert not ford.dossier.campaign.stand_ins
    assert verify(ford.office, "ford").sound


def test_what_he_sent_from_a_page_is_not_taken_as_that_of_who_plays_by_now(ford: Table) -> None:
    ann = ford.dossier.campaign.players[SMUGGLER]
    replace_player(ford.office, "ford", "smuggler", name="Cyn", address="cyn@player.example", reason="She is ill.")
    with pytest.raises(Refused, match="played by somebody else by now"):
        hand_in(ford.office, Upload("ford", "smuggler", "upload", "", himself=True, by=ann), b"move s1 to 3\n")

    assert "orders_accepted" not in ford.kinds


def test_while_he_stands_in_the_role_is_among_his_games_and_in_his_calendar(ford: Table) -> None:
    stands_in(ford, "proxy eve@player.example")
    with ford.office.read() as connection:
        eve = players.get(connection, known(ford, EVE))
    assert [(one.campaign, one.role) for one in games(ford.office, eve)] == [("ford", "smuggler")]
    assert b"1A" in calendar_file(ford.office, eve)
    with pytest.raises(Refused, match="he stands in for smuggler in ford"):
        erase_player(ford.office, eve.id)

    ford.write("smuggler", "proxy off")

    assert games(ford.office, eve) == []
    assert b"1A" not in calendar_file(ford.office, eve)
    erase_player(ford.office, eve.id)


@pytest.mark.parametrize("who", [BEN, "gm@office.example"])
def test_who_may_not_know_what_the_role_knows_is_not_asked_and_nobody_can_tell(
    twins: tuple[Table, Table], who: str
) -> None:
    shown = []
    for table, named in zip(twins, (who, EVE), strict=True):
        table.open()
        table.write("smuggler", f"substitute {named} for 2 turns")
        said = read(table, ANN).replace(named, "x")
        shown.append(said[: said.index("takes it back")])

    assert shown[0] == shown[1]
    assert twins[0].dossier.campaign.stand_ins == {}
    assert "he was not asked" in read(twins[0], "gm@office.example")


@pytest.mark.parametrize("words", ["resign ford", "vacation 1 dec to 3 dec", "publish name yes", "substitute off"])
def test_what_concerns_the_player_himself_nobody_says_for_him(ford: Table, words: str) -> None:
    stands_in(ford)
    before = ford.dossier.campaign

    writes(ford, EVE, words)

    assert "it is for the player of smuggler himself" in read(ford, EVE)
    after = ford.dossier.campaign
    assert (after.players, after.stand_ins, after.absences) == (before.players, before.stand_ins, before.absences)


def test_he_takes_it_back_and_the_other_learns_nothing_more(ford: Table) -> None:
    stands_in(ford)
    ford.turn()
    waiting = [one.id for one in mails_to(ford, EVE) if one.kind == "report"]

    ford.write("smuggler", "substitute off")

    assert {one.state for one in ford.mails if one.id in waiting} == {"dropped"}
    assert "you play in no campaign" in writes(ford, EVE, "report")


def test_with_the_player_goes_who_stood_in_for_him(ford: Table) -> None:
    stands_in(ford)

    replace_player(ford.office, "ford", "smuggler", name="Cid", address="cid@player.example", reason="He is ill.")

    assert ford.dossier.campaign.stand_ins == {}
    assert "you no longer stand in for smuggler" in subjects(ford, EVE)[-1]


def test_a_yes_that_does_not_come_by_his_letter_is_asked_back(ford: Table) -> None:
    ford.write("smuggler", "substitute eve@player.example for 2 turns")
    answered = head(ford, mails_to(ford, EVE)[-1])["Message-ID"]

    forged = ford.write(EVE, "substitute yes", subject="Re: letter", head=f"In-Reply-To: {answered}")

    assert forged.state == "held"
    assert ford.dossier.campaign.roles_of(known(ford, EVE)) == ()
    line = re.search(r"confirm [a-z2-7-]{19}", read(ford, EVE))
    assert line is not None
    ford.write(EVE, line[0], subject="yes")
    assert ford.dossier.campaign.roles_of(known(ford, EVE)) == (SMUGGLER,)


def test_nobody_names_more_than_a_few_a_day(ford: Table) -> None:
    for number in range(5):
        ford.write("smuggler", f"substitute eve{number}@player.example")

    assert sum("will you stand in" in mail.subject for mail in ford.mails) == 3
    assert "3 people a day are enough" in read(ford, ANN)


def test_nothing_personal_of_him_is_in_the_log(ford: Table) -> None:
    stands_in(ford)

    assert not any(word in repr([one.event for one in ford.dossier.log]) for word in ("eve@", "player.example"))


def test_a_letter_of_who_stands_in_is_not_published_by_the_leave_of_the_other(ford: Table) -> None:
    stands_in(ford)
    writes(ford, EVE, "letter to guard: EVES WORDS.")
    ford.write("smuggler", "letter to guard: ANNS WORDS.")
    ford.turn()
    for role in ("smuggler", "guard"):
        ford.write(role, "publish letters yes")
    shown = publish(ford.office, "ford", (), everything=False, alone=True)
    beside = unpacked(shown.html.decode()).beside

    assert [letter.text for letter in beside.letters] == ["ANNS WORDS."]
    assert beside.unlettered


def test_who_is_asked_and_plays_another_role_by_now_cannot_say_yes(ford: Table) -> None:
    ford.write("smuggler", "substitute eve@player.example for 2 turns")
    asked = head(ford, mails_to(ford, EVE)[-1])["Reply-To"]
    replace_player(ford.office, "ford", "guard", name="Eve", address=EVE, reason="He is gone.")
    ford.write(EVE, "substitute yes", subject="Re: letter", head=f"Delivered-To: {asked}")

    assert ford.dossier.campaign.roles_of(known(ford, EVE)) == ("guard",)


def test_who_is_asked_and_looks_on_by_now_cannot_say_yes(ford: Table) -> None:
    set_terms(ford.office, "ford", {"observers": "truth", "observers_delay": 1})
    ford.write("smuggler", "substitute eve@player.example for 2 turns")
    asked = head(ford, mails_to(ford, EVE)[-1])["Reply-To"]
    admit(ford.office, "ford", name="Eve", address=EVE)
    ford.write(EVE, "substitute yes", subject="Re: letter", head=f"Delivered-To: {asked}")

    assert ford.dossier.campaign.observers
    assert ford.dossier.campaign.roles_of(known(ford, EVE)) == ()


def test_who_stands_in_is_given_no_other_role_than_that(ford: Table) -> None:
    stands_in(ford)
    with pytest.raises(Refused, match="he stands in for smuggler in ford: he cannot play guard before that is over"):
        replace_player(ford.office, "ford", "guard", name="Eve", address=EVE, reason="He is gone.")

    replace_player(ford.office, "ford", "smuggler", name="Eve", address=EVE, reason="He is gone.")
    assert ford.dossier.campaign.roles_of(known(ford, EVE)) == ("smuggler",)


def test_who_was_asked_for_one_exchange_cannot_say_yes_in_the_next(ford: Table) -> None:
    ford.write("smuggler", "proxy eve@player.example")
    asked = head(ford, mails_to(ford, EVE)[-1])["Reply-To"]
    ford.clock.forward(1)
    ford.turn()
    ford.write(EVE, "substitute yes", subject="Re: letter", head=f"Delivered-To: {asked}")

    assert ford.dossier.campaign.roles_of(known(ford, EVE)) == ()


def test_of_two_that_are_named_in_one_letter_the_second_is_asked(ford: Table) -> None:
    said = "substitute eve@player.example for 2 turns\nproxy cora@player.example"
    assert ford.write("smuggler", said).state == "applied"
    assert writes(ford, EVE, "substitute yes") != "he stands in for smuggler"
    assert writes(ford, "cora@player.example", "substitute yes") == "he stands in for smuggler"
