"""A GM who is out with his phone: what his letters do, and whose letters do nothing."""

from __future__ import annotations

import re
from email import message_from_bytes
from email.policy import default

import pytest

from pbem.desk.deeds.words import WORDS
from pbem.desk.house import clock
from pbem.desk.intake.fates import Received
from pbem.desk.library.scenarios import find_scenario
from pbem.desk.office import gms_written
from pbem.desk.office.gm import named
from pbem.desk.players import enrol
from pbem.desk.post.addresses import gm_address
from pbem.desk.proof.verify import verify
from pbem.desk.turns import annotate
from pbem.desk.turns.exchange import annul
from pbem.desk.ways import quarantine
from pbem.desk.ways.arrivals import sweep
from pbem.kernel.errors import Refused
from pbem.kernel.names import CampaignId, Moment
from pbem.kernel.office import CampaignPaused, DeadlineMoved, RunAsked, UmpireNoted
from tests.desk.post.test_gms import run_by
from tests.kit.table import PLAYERS, SETTINGS, Table
from tests.kit.writers import dated, row, trusting, vouched
from tests.kit.writers import secret as of_role

ANNA, BERT, CLEO = "anna@gm.example", "bert@gm.example", "cleo@gm.example"
GMS = f"""
[[gm]]
name = "Anna"
address = "{ANNA}"

[[gm]]
name = "Bert"
address = "{BERT}"
rights = {{ ford = "run" }}

[[gm]]
name = "Cleo"
address = "{CLEO}"
rights = "read"
"""


@pytest.fixture
def run(careful: Table) -> Table:
    """A game that Anna runs, and Bert, who may not rule, and at which Cleo may look."""
    run_by(careful, GMS)
    return careful


def mails_to(table: Table, address: str) -> list[str]:
    """The mails to an address, as text, the newest last."""
    found = []
    for mail in table.mails:
        letter = message_from_bytes(table.bytes_of(mail), policy=default)
        if address in str(letter["To"]):
            body = letter.get_body(("plain",))
            found.append(f"{letter['Subject']}\n{body.get_content() if body else ''}")
    return found


def secret(table: Table, address: str) -> str:
    """Where somebody who runs games answers the newest mail to him."""
    for mail in reversed(table.mails):
        letter = message_from_bytes(table.bytes_of(mail), policy=default)
        if address in str(letter["To"]):
            return str(letter["Reply-To"])
    raise AssertionError(f"nothing was written to {address}")


def first_secret(table: Table, address: str) -> str:
    """The same, of somebody to whom nothing was written before: the office writes to him when he asks."""
    return gm_address(table.office, CampaignId("ford"), named(table.office.gms, address))


def word(table: Table, address: str, text: str, *, subject: str = "from my phone", proof: str = "secret") -> Received:
    """A letter of somebody who runs games comes in; *proof*: what shows that it is his."""
    head = {
        "secret": f"Delivered-To: {first_secret(table, address)}",
        "signed": vouched(table, "gm.example"),
        "nothing": "",
    }[proof]
    return table.write(address, text, subject=subject, head=head)


def code_in(text: str) -> str:
    found = re.search(r"confirm [a-z2-7]{4}(?:-[a-z2-7]{4}){3}", text)
    assert found, text
    return found[0]


def test_an_evening_on_the_train(run: Table) -> None:
    """Anna looks how things stand, gives more time, writes a note, has the turn run, and releases it."""
    run.write("smuggler", "move s1 to 3", head=f"Delivered-To: {of_role(run, 'smuggler')}")
    assert word(run, ANNA, "status").state == "applied"
    answer = mails_to(run, ANNA)[-1]
    assert "guard: free to send" in answer
    assert "smuggler: received" in answer

    received = word(run, ANNA, "extend 1A 24h: Ben is ill.\nnote smuggler: Your raft leaks,\nas you know.\n\nAnna")
    assert (received.state, received.campaign) == ("applied", "ford")
    log = run.dossier.log.own
    moved = next(one for one in log if isinstance(one.event, DeadlineMoved))
    noted = next(one for one in log if isinstance(one.event, UmpireNoted))
    assert (moved.actor, noted.actor) == (f"gm/Anna#{received.letter}.1", f"gm/Anna#{received.letter}.2")
    assert isinstance(noted.event, UmpireNoted)
    assert noted.event.text == "Your raft leaks,\nas you know."
    assert "Ben is ill." in run.last_to("guard")

    assert word(run, ANNA, "run 1A").state == "refused"
    assert "the deadline of 1A has not come" in mails_to(run, ANNA)[-1]
    assert word(run, ANNA, "run now 1A").state == "applied"
    assert isinstance(run.dossier.log.own[-1].event, RunAsked)
    list(clock.tick(run.office))
    assert run.dossier.exchange().state == "resolved"
    assert any("1A waits for your release" in mail for mail in mails_to(run, ANNA))

    assert word(run, ANNA, "release 1A").state == "applied"
    assert run.dossier.exchange().moment > Moment(1)
    assert "Your raft leaks" in run.last_to("smuggler")
    assert verify(run.office, "ford").sound


def test_each_mail_to_a_gm_bears_an_address_that_is_his_alone(run: Table) -> None:
    word(run, ANNA, "status")
    word(run, CLEO, "status")
    his, hers = secret(run, CLEO), secret(run, ANNA)

    assert his.startswith(("office+ford.g.", "office+00.g."))
    assert his != hers


@pytest.mark.parametrize("proof", ["secret", "signed"])
def test_a_letter_that_is_proven_is_obeyed(run: Table, proof: str) -> None:
    trusting(run)
    received = word(run, ANNA, "pause: Christmas.", proof=proof)

    assert received.state == "applied"
    assert run.dossier.campaign.paused == "Christmas."
    assert row(run, received.letter).grade == ("B" if proof == "secret" else "A")


def test_a_from_alone_is_asked_back_at_his_own_address_and_nowhere_else(run: Table) -> None:
    before = len(run.mails)
    received = word(run, ANNA, "game ford\npause: Christmas.", proof="nothing")

    assert received.state == "held"
    assert not run.dossier.campaign.paused_at
    assert len(run.mails) == before + 1
    asked = mails_to(run, ANNA)[-1]
    assert "Christmas" not in asked
    confirmed = run.write(ANNA, code_in(asked), subject="Re: did you write this letter?")
    assert (confirmed.state, run.dossier.campaign.paused) == ("applied", "Christmas.")
    assert row(run, received.letter).state == "applied"
    assert run.write(ANNA, code_in(asked)).state == "refused"
    assert "Nothing was confirmed" in mails_to(run, ANNA)[-1]


def test_another_with_his_secret_address_is_a_stranger(run: Table) -> None:
    received = run.write("spy@elsewhere.example", "pause: Ha.", head=f"Delivered-To: {first_secret(run, ANNA)}")
    assert (received.state, run.dossier.campaign.paused_at) == ("refused", 0)


def test_the_address_of_another_gm_proves_nothing(run: Table) -> None:
    received = run.write(BERT, "game ford\npause: Ha.", head=f"Delivered-To: {first_secret(run, ANNA)}")
    assert (received.state, run.dossier.campaign.paused_at) == ("held", 0)


def test_nobody_is_asked_without_end(run: Table) -> None:
    before = len(mails_to(run, ANNA))
    states = {word(run, ANNA, f"game ford\npause: {number}.", proof="nothing").state for number in range(9)}

    assert states == {"held"}
    assert len(mails_to(run, ANNA)) == before + 4


def test_a_signed_letter_that_lay_somewhere_is_asked_back(run: Table) -> None:
    trusting(run)
    old = vouched(run, "gm.example").replace(dated(run), dated(run, hours=-80))
    received = run.write(ANNA, "game ford\npause: Christmas.", subject="from my phone", head=old)

    assert (received.state, "longer ago" in received.reason) == ("held", True)


def test_what_comes_twice_is_done_once(run: Table) -> None:
    head = f"Delivered-To: {first_secret(run, ANNA)}"
    raw = run.letter(ANNA, "extend 24h Ben is ill.", subject="from my phone", head=head)
    assert [run.receive(raw).state for _ in range(2)] == ["applied", "ignored"]
    assert run.kinds.count("deadline_moved") == 1


def test_a_word_that_cannot_be_undone_is_shown_and_done_when_he_confirms_it(run: Table) -> None:
    received = word(run, ANNA, "ruling: He had rowed on.\nset s1 men 3\n\nstatus")
    shown = mails_to(run, ANNA)[-1]

    assert received.state == "held"
    assert "shall it be done?" in shown
    assert "s1" in shown
    assert "ruling_made" not in run.kinds
    confirmed = run.write(ANNA, code_in(shown))
    assert confirmed.state == "applied"
    ruling = next(one for one in run.dossier.log.own if one.event.__struct_config__.tag == "ruling_made")
    assert ruling.actor == f"gm/Anna#{received.letter}.1"
    assert verify(run.office, "ford").sound


def test_what_would_come_of_it_now_is_shown_anew_if_it_has_changed(run: Table) -> None:
    word(run, ANNA, "replace guard by cora@player.example Cora: Ben left.")
    first = code_in(mails_to(run, ANNA)[-1])
    word(run, ANNA, "ruling: So.\nset s1 men 3")
    shown = mails_to(run, ANNA)[-1]
    word(run, ANNA, "ruling: Else.\nset s1 men 1")
    run.write(ANNA, code_in(mails_to(run, ANNA)[-1]))
    again = run.write(ANNA, code_in(shown))

    assert again.state == "ignored"
    newest = mails_to(run, ANNA)[-1]
    assert "shall it be done?" in newest
    assert code_in(newest) != code_in(shown)
    run.write(ANNA, code_in(newest))
    assert run.kinds.count("ruling_made") == 2
    run.write(ANNA, first)
    assert "cora@player.example" not in str(run.dossier.log)
    assert run.kinds.count("player_replaced") == 1


@pytest.mark.parametrize("text", ["run now", "extend 24h Ben is ill."])
def test_a_word_that_names_no_turn_is_of_none_that_was_opened_after_it_was_written(run: Table, text: str) -> None:
    """It lay on a server while the clock ran 1A: the orders of 1B would be closed before anybody had written any."""
    head = f"{dated(run)}\nDelivered-To: {first_secret(run, ANNA)}"
    run.clock.forward(1)
    run.turn()
    before = run.dossier.seq
    late = run.write(ANNA, text, subject="from my phone", head=head)

    assert (late.state, run.dossier.seq) == ("refused", before)
    assert "ford has come to 1B since this was written: if that is meant, name 1B in the word." in one_line(run)
    named = run.write(ANNA, text.replace(" ", " 1B ", 1), subject="from my phone", head=head)
    assert (named.state, run.dossier.seq) == ("applied", before + 1)


def test_what_is_to_be_annulled_is_named_and_shown_anew_when_more_is_resolved(run: Table) -> None:
    run.turn()
    word(run, ANNA, "annul: A cart was misplaced.")
    first = mails_to(run, ANNA)[-1]
    assert "What 1A came to would be annulled." in first
    run.turn()
    assert run.write(ANNA, code_in(first)).state == "ignored"
    assert "What 1B came to would be annulled." in mails_to(run, ANNA)[-1]
    assert "exchange_annulled" not in run.kinds

    word(run, ANNA, "annul 1A reopen: A cart was misplaced.")
    assert "What 1A and 1B came to would be annulled. Orders would be open again, with new dice." in one_line(run)
    run.write(ANNA, code_in(mails_to(run, ANNA)[-1]))
    assert run.dossier.exchange().moment == Moment(1)


def test_what_is_annulled_already_is_not_shown_as_if_it_would_be_annulled_once_more(run: Table) -> None:
    run.turn()
    annul(run.office, "ford", None, "A cart was misplaced.")

    assert word(run, ANNA, "annul: A cart was misplaced.").state == "refused"
    assert "turn 1A is annulled already, and takes no orders." in one_line(run)
    word(run, ANNA, "annul 1A reopen: A cart was misplaced.")
    assert "would be annulled" not in one_line(run)
    assert "Orders would be open again, with new dice." in one_line(run)
    run.write(ANNA, code_in(mails_to(run, ANNA)[-1]))
    assert run.dossier.exchange().takes(run.clock.at, None)


def one_line(table: Table) -> str:
    """The newest mail to Anna, without its lines."""
    return " ".join(mails_to(table, ANNA)[-1].split())


def test_nothing_is_done_where_a_line_is_wrong_and_each_is_told(run: Table) -> None:
    received = word(run, ANNA, "pause: Christmas.\nrelase 1A")

    assert (received.state, run.dossier.campaign.paused_at) == ("refused", 0)
    answer = mails_to(run, ANNA)[-1]
    assert "It reads: release 3B" in answer
    assert "Not done." in answer


def test_what_stands_below_a_word_that_cannot_be_done_is_left(run: Table) -> None:
    received = word(run, ANNA, "extend 9A 24h Ben is ill.\npause: Christmas.")

    assert (received.state, run.dossier.campaign.paused_at) == ("refused", 0)
    assert "stands at 1A, and not at 9A" in mails_to(run, ANNA)[-1]


def test_whose_letter_died_over_its_second_word_does_the_first_no_more(
    run: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dies(*given: object, **named: object) -> None:
        raise KeyboardInterrupt

    real = annotate.note
    monkeypatch.setattr(annotate, "note", dies)
    with pytest.raises(KeyboardInterrupt):
        word(run, ANNA, "extend 24h Ben is ill.\nnote guard: So.")
    monkeypatch.setattr(annotate, "note", real)
    [received] = sweep(run.office)
    assert received.state == "applied"
    assert (run.kinds.count("deadline_moved"), run.kinds.count("umpire_noted")) == (1, 1)
    assert "That was done." in mails_to(run, ANNA)[-1]


def test_a_letter_of_a_player_that_waits_is_taken_at_his_word(run: Table) -> None:
    held = run.write("smuggler", "move s1 to 3")
    assert held.state == "held"
    word(run, ANNA, "letters")
    assert "ann@player.example" in mails_to(run, ANNA)[-1]
    word(run, ANNA, f"show {held.letter}")
    assert "move s1 to 3" in mails_to(run, ANNA)[-1]
    assert word(run, ANNA, f"accept {held.letter}").state == "applied"
    assert row(run, held.letter).state == "applied"

    spam = run.write("smuggler", "move s1 to 2")
    word(run, ANNA, f"discard {spam.letter}: Ann did not write it.")
    run.write(ANNA, code_in(mails_to(run, ANNA)[-1]))
    assert row(run, spam.letter).state == "ignored"


def test_no_gm_takes_a_letter_in_the_name_of_another(run: Table) -> None:
    """Bert may not rule: a letter that he writes in the name of Anna, and takes as hers, must not rule for him."""
    forged = word(run, ANNA, "game ford\nruling: Ha.\nset s1 men 3", proof="nothing")
    word(run, BERT, f"accept {forged.letter}")

    assert "not for you to deal with" in mails_to(run, BERT)[-1]
    with pytest.raises(Refused, match="confirms it by his code"):
        quarantine.accept(run.office, forged.letter)
    quarantine.retry(run.office, forged.letter)
    assert (row(run, forged.letter).state, "ruling_made" in run.kinds) == ("held", False)


def test_a_report_is_sent_to_him_as_its_role_had_it(run: Table) -> None:
    run.turn()
    word(run, ANNA, "report smuggler 1A")
    mail = next(one for one in reversed(run.mails) if one.kind == "report" and one.player is None)

    assert ANNA in run.text_of(mail)
    assert "smuggler" in mail.subject


def test_the_game_is_the_one_that_subject_address_or_line_says(run: Table) -> None:
    enrol.new(run.office, "alma", find_scenario(run.office.folder, "toy/ford"))
    said = f"Delivered-To: {first_secret(run, ANNA)}"
    clash = run.write(ANNA, "pause: Christmas.", subject="[alma] something", head=said)
    assert (clash.state, run.dossier.campaign.paused_at) == ("refused", 0)
    assert "write `game NAME`" in mails_to(run, ANNA)[-1].replace("'", "`")
    told = run.write(ANNA, "game ford\npause: Christmas.", subject="[alma] something", head=said)
    assert (told.state, told.campaign) == ("applied", "ford")


def test_a_subject_can_be_the_word(run: Table) -> None:
    assert word(run, ANNA, "", subject="[ford] pause: Christmas.").state == "applied"
    assert run.dossier.campaign.paused == "Christmas."


def test_hold_and_hold_off_say_who_makes_known_what_is_resolved(run: Table) -> None:
    said = []
    for text in ("hold off", "hold"):
        word(run, ANNA, text)
        said.append(run.dossier.campaign.terms.release)
    assert said == ["auto", "gm"]


def test_thanks_are_answered_with_what_can_be_said(run: Table) -> None:
    received = word(run, ANNA, "Thank you!")
    assert received.state == "refused"
    assert "extend 3B 24h" in mails_to(run, ANNA)[-1]


def test_an_address_that_was_made_new_proves_nothing_any_more(run: Table) -> None:
    old = first_secret(run, ANNA)
    gms_written.renew(run.office.folder, "Anna")
    received = run.write(ANNA, "game ford\npause: Ha.", head=f"Delivered-To: {old}")
    assert received.state == "held"
    assert word(run, ANNA, "pause: Christmas.").state == "applied"


def test_a_paused_game_goes_on_at_his_word(run: Table) -> None:
    word(run, ANNA, "pause: Christmas.")
    assert any(isinstance(one.event, CampaignPaused) for one in run.dossier.log.own)
    run.clock.forward(100)
    assert word(run, ANNA, "resume").state == "applied"
    assert not run.dossier.campaign.paused_at


# ------------------------------------------------------------------------------------------ who may do what, walked

SAID = {
    "report": "report smuggler",
    "run": "run now",
    "release": "release",
    "extend": "extend 24h Ill.",
    "set": "set hours 48",
    "letter to": "letter to guard: So.",
    "answer": "answer Q1: yes",
    "note": "note guard: So.",
    "ruling": "ruling: So.\nset s1 men 3",
    "annul": "annul 1A: So.",
    "enrol": "enrol guard cora@player.example Cora",
    "replace": "replace guard by cora@player.example Cora: So.",
    "withdraw": "withdraw guard: So.",
    "show": "show 1",
    "accept": "accept 1",
    "discard": "discard 1: So.",
}
"""Each word as it is said here, where its example will not do."""

LOOKS = {"help", "status", "report"}
RUNS = {"run", "release", "extend", "pause", "resume", "hold", "set", "start", "letter to"}
OF_POST = {"letters", "show", "accept", "discard"}
ALL = set(WORDS)
DORA = PLAYERS["guard"]
"""She plays, and runs games too."""
MAY = {ANNA: ALL, BERT: LOOKS | RUNS | OF_POST, CLEO: LOOKS, DORA: {"help"}}
"""What each may have done by letter in the game at hand."""


def walked(table: Table, address: str, name: str) -> bool:
    """Say a word; whether it was refused to him who said it."""
    received = word(table, address, f"gm\ngame ford\n{SAID.get(name, WORDS[name].example)}")
    assert received.state in ("applied", "refused", "held"), received.reason
    told = mails_to(table, address)[-1]
    return any(no in told for no in ("You may not do that", "You have a side", "not for you to deal with"))


@pytest.fixture
def walk(careful: Table) -> Table:
    """A game that Dora plays, who could run it too; one letter waits."""
    run_by(careful, f'{GMS}\n[[gm]]\nname = "Dora"\naddress = "{DORA}"\n')
    careful.write("smuggler", "move s1 to 3")
    return careful


@pytest.mark.parametrize("name", WORDS)
def test_each_word_is_done_for_who_may_do_all(walk: Table, name: str) -> None:
    assert not walked(walk, ANNA, name)


@pytest.mark.parametrize("address", [BERT, CLEO, DORA])
def test_what_one_may_not_is_refused_and_changes_nothing(walk: Table, address: str) -> None:
    before = walk.dossier.seq
    done = [name for name in WORDS if name not in MAY[address] and not walked(walk, address, name)]
    assert (done, walk.dossier.seq) == ([], before)


@pytest.mark.parametrize("address", [BERT, CLEO, DORA])
def test_what_one_may_is_not_refused(walk: Table, address: str) -> None:
    assert [name for name in sorted(MAY[address]) if walked(walk, address, name)] == []


@pytest.mark.parametrize("who", ["smuggler", "guard", "spy@elsewhere.example"])
def test_no_word_is_anything_from_who_runs_no_game_or_does_not_write_as_such(run: Table, who: str) -> None:
    before = run.dossier.seq
    states = {run.write(who, f"gm\ngame ford\n{SAID.get(name, WORDS[name].example)}").state for name in WORDS}
    assert states <= {"held", "refused"}
    assert run.dossier.seq == before


PROOFS = ["nothing", "another's address", "an old one", "a broken one", "an answering machine"]


@pytest.mark.parametrize("proof", PROOFS)
def test_no_word_is_done_that_is_not_proven(run: Table, proof: str) -> None:
    address = first_secret(run, ANNA)
    head = {
        "nothing": "",
        "another's address": f"Delivered-To: {first_secret(run, BERT)}",
        "an old one": f"Delivered-To: {address}",
        "a broken one": f"Delivered-To: {address[:-20]}{'a' if address[-20] != 'a' else 'b'}{address[-19:]}",
        "an answering machine": f"Delivered-To: {address}\nAuto-Submitted: auto-replied",
    }[proof]
    if proof == "an old one":
        gms_written.renew(run.office.folder, "Anna")
    before = run.dossier.seq
    texts = [f"game ford\n{SAID.get(name, WORDS[name].example)}" for name in WORDS]

    states = {run.write(ANNA, text, head=head).state for text in texts}
    assert (states, run.dossier.seq) == ({"ignored"} if proof == "an answering machine" else {"held"}, before)


def test_settings_that_name_one_gm_in_a_line_are_enough(careful: Table) -> None:
    assert 'gm = "gm@office.example"' in SETTINGS
    received = careful.write(
        "gm@office.example", "pause: Christmas.", head=f"Delivered-To: {first_secret(careful, 'gm@office.example')}"
    )
    assert (received.state, careful.dossier.campaign.paused) == ("applied", "Christmas.")


def test_the_gms_book_comes_by_mail_in_a_letter_of_its_own(run: Table) -> None:
    assert word(run, ANNA, "help gm").state == "applied"
    book, answer = sorted(mails_to(run, ANNA)[-2:], key=lambda one: "It is in the file gm.html" not in one)

    assert "It is in the file gm.html" in book
    assert "When something goes wrong" in book
    assert "The guide `gm` comes in a letter of its own." in " ".join(answer.split())
