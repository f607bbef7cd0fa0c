"""Who wrote a letter: what is believed, and what waits for a word of its player."""

from __future__ import annotations

import re
from email import message_from_bytes
from email.policy import default

import pytest

from pbem.desk.books import accounts, dossiers
from pbem.desk.gm import waiting
from pbem.desk.house import work
from pbem.desk.intake.keeping import take_in
from pbem.desk.intake.receive import receive
from pbem.desk.office.office import Office, signing_key
from pbem.desk.players.rekey import rekey
from pbem.desk.ways import quarantine
from pbem.desk.ways.arrivals import sweep
from pbem.kernel.errors import Refused
from pbem.kernel.names import Moment
from pbem.kernel.office import MessageReceived, OrdersAccepted
from pbem.mail.trust.confirm import hash_code
from pbem.mail.wire.reply_address import redact
from pbem.storage import letters
from tests.kit.signer import record, signed
from tests.kit.table import Table
from tests.kit.writers import (
    SPY,
    answering,
    code_to,
    dated,
    mails_to,
    row,
    secret,
    seen_by,
    sheet,
    trusting,
    vouched,
)

# ------------------------------------------------------------------------------------------------- secret addresses


def faults(office: Office) -> list[str]:
    """What is wrong with what became of the letters, by the letters and by the logs."""
    with office.read() as connection:
        _, found = accounts.letters_alone(connection)
        every = letters.listing(connection)
        for campaign in sorted(set(dossiers.campaigns(connection))):
            came = [one for one in every if one.campaign == campaign]
            found += accounts.astray(dossiers.load(office, connection, campaign), came)
    return found


def test_every_letter_to_a_player_is_answered_to_an_address_of_his_own(careful: Table) -> None:
    one, other = secret(careful, "smuggler"), secret(careful, "guard")

    assert one.startswith("office+ford.")
    assert one != other
    assert all(
        message_from_bytes(careful.bytes_of(mail))["Reply-To"]
        for role in ("smuggler", "guard")
        for mail in mails_to(careful, role)
    )


def test_an_answer_to_it_is_believed(careful: Table) -> None:
    received = careful.write("smuggler", "move s1 to 3", head=answering(careful, "smuggler"))

    assert (received.state, sheet(careful)) == ("applied", "move s1 to 3")
    [event] = [one.event for one in careful.dossier.log if isinstance(one.event, MessageReceived)]
    assert event.grade == "B"
    kept = row(careful, received.letter)
    assert (kept.grade, "came to that" in kept.evidence or "address good" in kept.evidence) == ("B", True)
    assert "ann@player.example" not in str(careful.dossier.log)


def test_it_can_stand_on_the_envelope_alone(careful: Table) -> None:
    raw = careful.letter("smuggler", "move s1 to 3")
    letter = take_in(careful.office, raw, way="lmtp", recipients=[secret(careful, "smuggler").upper()])
    [received] = sweep(careful.office)

    assert (received.letter, received.state) == (letter.id, "applied")


def test_what_proves_the_writer_stands_in_no_echo_no_log_and_no_letter_to_others(careful: Table) -> None:
    address = secret(careful, "smuggler")
    text = f"move s1 to 3\nletter to guard: write to {address}\nmove {address} to 4\n"
    received = careful.write("smuggler", text, subject=f"Re: [ford] {address}", head=f"Delivered-To: {address}")

    assert received.state == "applied"
    mac = address.partition("@")[0].rpartition(".")[2]
    assert mac not in str(careful.dossier.log)
    assert mac not in careful.last_to("guard")
    for mail in careful.mails:
        letter = message_from_bytes(careful.bytes_of(mail), policy=default)
        assert mac not in str(letter["Subject"])
        for part in letter.walk():
            assert part.get_content_maintype() != "text" or mac not in str(part.get_content())


def test_a_domain_that_vouches_is_believed_without_one(careful: Table) -> None:
    trusting(careful)
    received = careful.write("smuggler", "move s1 to 3", head=vouched(careful))

    assert (received.state, row(careful, received.letter).grade) == ("applied", "A")


def test_a_forgery_that_our_mail_server_found_waits_even_with_the_right_address(careful: Table) -> None:
    trusting(careful)
    forged = "Authentication-Results: mx.office.example; dmarc=fail header.from=player.example"
    received = careful.write("smuggler", "move s1 to 3", head=f"{forged}\n{answering(careful, 'smuggler')}")

    assert received.state == "held"
    assert "found its From forged" in received.reason


def test_nobody_elses_word_counts(careful: Table) -> None:
    trusting(careful)
    said = "Authentication-Results: mx.evil.example; dmarc=pass header.from=player.example"

    assert careful.write("smuggler", "move s1 to 3", head=said).state == "held"


def test_a_signature_is_checked_while_no_transaction_is_open(careful: Table) -> None:
    raw = signed(careful.letter("smuggler", "move s1 to 3", head=dated(careful)))
    asked = []

    def lookup(name: str) -> bytes | None:
        with careful.office.write():  # nobody else writes meanwhile, and we can
            asked.append(name)
        return record()

    object.__setattr__(careful.office, "lookup", lookup)
    received = careful.receive(raw)

    assert asked == ["s._domainkey.player.example."]
    assert (received.state, row(careful, received.letter).grade) == ("applied", "A")
    assert careful.receive(raw.replace(b"s1 to 3", b"s2 to 3").replace(b"<1@", b"<9@")).state == "held"


def test_under_strict_terms_both_are_asked_for(table: Table) -> None:
    table.open(trust="strict")
    trusting(table)

    to = answering(table, "smuggler")
    assert table.write("smuggler", "move s1 to 3", head=to).state == "held"
    assert table.write("smuggler", "move s1 to 3", head=vouched(table)).state == "held"
    assert table.write("smuggler", "move s2 to 3", head=f"{vouched(table)}\n{to}").state == "applied"


# ----------------------------------------------------------------------------------------------------- held letters


def test_a_letter_that_is_not_certain_waits_until_its_player_confirms_it(careful: Table) -> None:
    held = careful.write("smuggler", "move s1 to 3")
    assert (held.state, sheet(careful)) == ("held", None)
    asked = careful.last_to("smuggler")
    assert "Subject: [ford] did you write this letter?" in asked
    assert "To: Smuggler <ann@player.example>" in asked
    assert "move s1 to 3" not in asked
    assert "move s1 to 3" not in careful.last_to("gm")
    assert row(careful, held.letter).code not in (None, *asked.split())

    received = careful.write("smuggler", f"{code_to(careful, 'smuggler')}\n", head=answering(careful, "smuggler"))

    assert received.reason == f"it confirmed letter {held.letter}: accepted"
    assert sheet(careful) == "move s1 to 3"
    assert "move s1 to 3" in careful.last_to("smuggler")
    assert [row(careful, one).state for one in (held.letter, received.letter)] == ["applied", "applied"]
    assert faults(careful.office) == []


def test_a_code_is_good_once(careful: Table) -> None:
    careful.write("smuggler", "move s1 to 3")
    code = code_to(careful, "smuggler")
    careful.write("smuggler", code)
    again = careful.write("smuggler", f"{code}  ")

    assert (again.state, again.reason) == ("refused", "the line in it confirms nothing")
    assert "used before" in careful.words_to("smuggler")


def test_a_code_that_came_to_the_players_mailbox_may_be_given_back_from_another(careful: Table) -> None:
    careful.write("smuggler", "move s1 to 3", head=answering(careful, "smuggler"), subject="x")
    held = careful.write(SPY, "move s2 to 4", head=answering(careful, "smuggler"))
    assert (held.state, held.reason) == ("held", f"it came to a player's secret address, from {SPY}, which is not his")

    careful.write(SPY, code_to(careful, "smuggler"))
    assert sheet(careful) == "move s2 to 4"


def test_a_code_that_is_wrong_or_too_old_is_answered_plainly_and_changes_nothing(careful: Table) -> None:
    held = careful.write("smuggler", "move s1 to 3")
    code = code_to(careful, "smuggler")
    careful.write("smuggler", "confirm aaaa-bbbb-cccc-dddd")
    assert "confirms no letter that waits" in careful.words_to("smuggler")
    careful.clock.forward(72)
    careful.write("smuggler", code)

    assert "good for 72 hours" in careful.words_to("smuggler")
    assert (row(careful, held.letter).state, sheet(careful)) == ("held", None)
    assert quarantine.accept(careful.office, held.letter).state == "applied"


def test_a_code_in_a_quote_confirms_nothing(careful: Table) -> None:
    """A program that answers by itself often sends back what it got."""
    held = careful.write("smuggler", "move s1 to 3")
    careful.write("smuggler", f"I am away until Monday.\n\n> {code_to(careful, 'smuggler')}\n")

    assert row(careful, held.letter).state == "held"


def test_a_confirmed_letter_is_not_late_by_the_time_that_the_answer_took(careful: Table) -> None:
    careful.clock.forward(71.9)
    careful.write("smuggler", "move s1 to 3")
    careful.clock.forward(5)
    careful.write("smuggler", code_to(careful, "smuggler"))

    assert sheet(careful) == "move s1 to 3"


def test_a_confirmed_letter_is_for_what_was_open_when_it_came(careful: Table) -> None:
    careful.write("smuggler", "move s1 to 3", head=answering(careful, "smuggler"))
    careful.write("smuggler", "move s2 to 4")
    code = code_to(careful, "smuggler")
    for _ in range(2):
        careful.clock.forward(1)
        careful.turn()
    received = careful.write("smuggler", code)

    assert "1A is over" in received.reason
    assert not any(
        isinstance(one.event, OrdersAccepted) and one.event.moment == Moment(2, 1) for one in careful.dossier.log
    )


def test_a_letter_confirmed_late_does_not_replace_what_was_sent_after_it(careful: Table) -> None:
    held = careful.write("smuggler", "move s1 to 2")
    code = code_to(careful, "smuggler")
    careful.clock.forward(1)
    careful.write("smuggler", "move s1 to 3", head=answering(careful, "smuggler"))
    careful.clock.forward(1)
    received = careful.write("smuggler", code)

    assert sheet(careful) == "move s1 to 3"
    assert "after it you sent newer orders for 1A (receipt 1), which counts" in received.reason
    said = careful.last_to("smuggler")
    assert "move s1 to 2" in said
    assert "send them again" in said
    assert [row(careful, one).state for one in (held.letter, received.letter)] == ["refused", "applied"]
    assert faults(careful.office) == []
    careful.write("smuggler", "move s1 to 2", head=answering(careful, "smuggler"))
    assert sheet(careful) == "move s1 to 2"


@pytest.mark.parametrize("text", ["add\nmove s2 to 4", "withdraw"])
def test_nor_does_it_add_to_it_or_withdraw_it(careful: Table, text: str) -> None:
    careful.write("smuggler", text)
    code = code_to(careful, "smuggler")
    careful.write("smuggler", "move s1 to 3", head=answering(careful, "smuggler"))
    careful.write("smuggler", code)

    assert sheet(careful) == "move s1 to 3"


def test_nor_does_it_bring_back_what_was_withdrawn_after_it(careful: Table) -> None:
    careful.write("smuggler", "move s1 to 3", head=answering(careful, "smuggler"))
    careful.write("smuggler", "move s1 to 2")
    code = code_to(careful, "smuggler")
    careful.write("smuggler", "withdraw", head=answering(careful, "smuggler"))
    received = careful.write("smuggler", code)

    assert sheet(careful) is None
    assert "you took your orders back for 1A" in received.reason


def test_a_letter_that_is_newer_than_what_stands_replaces_it_when_it_is_confirmed(careful: Table) -> None:
    careful.write("smuggler", "move s1 to 3", head=answering(careful, "smuggler"))
    careful.write("smuggler", "move s1 to 2")
    careful.write("smuggler", code_to(careful, "smuggler"))

    assert sheet(careful) == "move s1 to 2"


def test_the_gm_hears_that_a_player_is_asked_later_who_was_asked_too_often(careful: Table) -> None:
    careful.clock.forward(1.99)
    for day in range(2):
        for number in range(5):
            careful.write("smuggler", f"move s1 to {2 + number % 2}\n# {day} {number}")
        careful.clock.forward(0.02)

    told = [careful.text_of(mail) for mail in careful.mails if mail.player is None and "is held" in mail.subject]
    assert ["was asked, at his own address" in one for one in told] == [True, False]
    assert "asked of this one within the hour" in told[1]


def test_the_gm_hears_once_a_day_of_held_letters_and_can_take_them(careful: Table) -> None:
    first = careful.write("smuggler", "move s1 to 3")
    careful.write("smuggler", "move s2 to 3")
    told = [mail for mail in careful.mails if mail.player is None and "is held" in mail.subject]
    assert len(told) == 1

    assert quarantine.accept(careful.office, first.letter).state == "applied"
    assert "the GM took it as his" in row(careful, first.letter).evidence
    with pytest.raises(Refused, match="does not wait"):
        quarantine.accept(careful.office, first.letter)


def test_a_flood_in_a_players_name_does_not_silence_his_receipts(careful: Table) -> None:
    before = len(mails_to(careful, "smuggler"))
    for count in range(30):
        careful.write("smuggler", f"move s1 to {1 + count % 3}")
    assert len(mails_to(careful, "smuggler")) == before + 4

    careful.write("smuggler", "move s1 to 4", head=answering(careful, "smuggler"))
    assert "1A orders received" in mails_to(careful, "smuggler")[-1].subject


def test_forty_forged_letters_do_not_cost_me_the_code_of_my_own(careful: Table) -> None:
    for count in range(40):
        careful.write("smuggler", f"move s1 to {1 + count % 3}")
    mine = careful.write("smuggler", "move s2 to 4")
    assert mine.state == "held"
    codes = []
    for _ in range(4):
        careful.clock.forward(0.5)
        list(work.ask_again(careful.office))
        codes += CONFIRM.findall(careful.words_to("smuggler"))
    numbers = range(1, mine.letter + 1)
    by_letter = {code: row(careful, id) for id in numbers for code in codes if opens(careful, code, id)}

    assert set(numbers) - {one.id for one in by_letter.values()} == {1, 2, 3, 4}, "asked of at once"
    [code] = [code for code, one in by_letter.items() if one.id == mine.letter]
    careful.write("smuggler", f"confirm {code}")
    assert sheet(careful) == "move s2 to 4"


def test_or_i_answer_the_mail_that_asks_with_my_orders(careful: Table) -> None:
    careful.write("smuggler", "move s1 to 3")
    assert "Or send your orders again, as an answer to this mail" in careful.words_to("smuggler")
    careful.write("smuggler", "move s2 to 4", head=answering(careful, "smuggler"))

    assert sheet(careful) == "move s2 to 4"


def test_forged_letters_of_a_whole_day_do_not_fill_my_mailbox(careful: Table) -> None:
    before = len(mails_to(careful, "smuggler"))
    for _ in range(72):
        for count in range(3):
            careful.write("smuggler", f"move s1 to {1 + count}")
        careful.clock.forward(1 / 3)
        list(work.ask_again(careful.office))

    assert 20 <= len(mails_to(careful, "smuggler")) - before <= 30


def test_of_several_codes_in_one_letter_none_confirms_what_i_did_not_write(careful: Table) -> None:
    """A mail program can send back what it got without a mark."""
    for count in range(8):
        careful.write("smuggler", f"move s1 to {1 + count % 3}\n# {count}")
    careful.clock.forward(1)
    list(work.ask_again(careful.office))
    codes = CONFIRM.findall(careful.words_to("smuggler"))
    assert len(codes) == 4
    careful.write("smuggler", "\n".join(f"confirm {code}" for code in codes))

    assert "give one back in a letter" in careful.words_to("smuggler")
    assert sheet(careful) is None
    careful.write("smuggler", f"confirm {codes[2]}")
    assert sheet(careful) == "move s1 to 1"


def test_who_confirms_all_that_he_writes_is_asked_at_once_each_time(careful: Table) -> None:
    for count in range(8):
        careful.write("smuggler", f"move s1 to {2 + count % 2}")
        careful.write("smuggler", code_to(careful, "smuggler"))

        assert sheet(careful) == f"move s1 to {2 + count % 2}"


def test_forged_letters_do_not_keep_me_from_giving_my_role_up(careful: Table) -> None:
    for count in range(40):
        careful.write("smuggler", f"move s1 to {1 + count % 3}")
    careful.write("smuggler", "resign ford", head=answering(careful, "smuggler"))
    assert "for good" in careful.words_to("smuggler")
    careful.write("smuggler", f"confirm {CONFIRM.findall(careful.last_to('smuggler'))[-1]}")

    assert "smuggler" not in careful.dossier.campaign.players


CONFIRM = re.compile(r"confirm ([a-z2-7]{4}(?:-[a-z2-7]{4}){3})")


def opens(table: Table, code: str, id: int) -> bool:
    """Whether a code confirms a letter."""
    letter = row(table, id)
    return letter.code == hash_code(code, f"{id}/{letter.digest}", signing_key(table.office))


# ------------------------------------------------------------------------------------------- the same Message-ID


def test_the_same_content_by_another_way_counts_once(careful: Table) -> None:
    head = answering(careful, "smuggler")
    raw = careful.letter("smuggler", "move s1 to 3", head=head)
    careful.receive(raw)
    again = careful.receive(b"Received: from elsewhere\r\nX-Spam: no\r\n" + raw)

    assert (again.state, again.reason) == ("ignored", "the same letter came before")
    assert careful.kinds.count("message_received") == 1


def test_the_same_message_id_with_other_content_is_kept_and_flagged(careful: Table) -> None:
    head = answering(careful, "smuggler")
    raw = careful.letter("smuggler", "move s1 to 3", head=head)
    first, second = careful.receive(raw), careful.receive(raw.replace(b"s1 to 3", b"s2 to 4"))

    assert (second.state, row(careful, second.letter).twin) == ("applied", first.letter)
    assert row(careful, first.letter).twin is None
    assert "under the same Message-ID" in careful.words_to("smuggler")


def test_a_forgery_does_not_make_the_true_letter_a_repetition(careful: Table) -> None:
    raw = careful.letter("smuggler", "move s1 to 3")
    assert careful.receive(raw).state == "held"

    true = raw.replace(b"To: office@office.example", b"To: " + secret(careful, "smuggler").encode(), 1)
    assert careful.receive(true).state == "applied"


# ------------------------------------------------------------------------------------------------------------ rekey


def test_a_player_with_a_new_address_to_answer_to_is_told_and_the_old_one_proves_nothing(careful: Table) -> None:
    old = secret(careful, "smuggler")
    [done] = rekey(careful.office, "ann@player.example")
    assert done.player.epoch == 2
    assert "a new address to answer to" in mails_to(careful, "smuggler")[-1].subject
    assert secret(careful, "smuggler") != old

    held = careful.write("smuggler", "move s1 to 3", head=f"Delivered-To: {old}")
    assert (held.state, "has been replaced" in held.reason) == ("held", True)
    assert careful.write("smuggler", "move s1 to 3", head=answering(careful, "smuggler")).state == "applied"


def test_a_whole_campaign_is_rekeyed(careful: Table) -> None:
    assert {one.player.epoch for one in rekey(careful.office, "ford")} == {2}
    with pytest.raises(Refused, match="is a campaign"):
        rekey(careful.office, "ford", address="x@player.example")


def test_a_player_who_moves_is_told_there_and_where_he_was(careful: Table) -> None:
    rekey(careful.office, "ann@player.example", address="Ann@New.example")

    assert "To: Smuggler <ann@new.example>" in careful.last_to("smuggler")
    [(subject, text)] = [one for one in seen_by(careful, "ann@player.example") if "no more" in one[0]]
    assert subject == "letters come here no more"
    assert "ann@new.example" not in text


# -------------------------------------------------------------------------------------------------------- in account


def test_every_letter_is_in_account_whatever_becomes_of_it(careful: Table) -> None:
    head = answering(careful, "smuggler")
    careful.write("smuggler", "move s1 to 3", head=head)
    careful.write("smuggler", "# nothing", head=head)
    careful.write("smuggler", "move s1 to 3")
    careful.write("smuggler", code_to(careful, "smuggler"))
    careful.write("smuggler", "move s2 to 3")
    careful.write(SPY, "move s1 to 3")
    careful.write("guard", "watch g1 4", head="Precedence: bulk")
    careful.receive(careful.letter("guard", "x" * (2 * 1024 * 1024)))
    take_in(careful.office, b"", way="pipe")
    with careful.office.read() as connection:
        balance = letters.balance(connection)

    assert faults(careful.office) == []
    assert balance.received == 9
    assert balance.states == {"new": 1, "applied": 3, "held": 1, "refused": 2, "ignored": 1, "unreadable": 1}


def test_a_letter_that_is_not_in_account_is_found(careful: Table) -> None:
    received = careful.write("smuggler", "move s1 to 3", head=answering(careful, "smuggler"))
    with careful.office.write() as connection:
        letters.settle(connection, received.letter, "applied", reason="x", campaign=careful.dossier.id, seq=3)
    assert "became event 3, and that is another" in faults(careful.office)[0]
    with careful.office.write() as connection:
        letters.settle(connection, received.letter, "ignored")
    assert faults(careful.office) == [f"letter {received.letter} is done with, and nothing says why."]


def test_what_is_shown_of_a_letter_does_not_show_what_proves_its_writer(careful: Table) -> None:
    raw = careful.letter("smuggler", "move s1 to 3", head=answering(careful, "smuggler"))
    received = receive(careful.office, raw, way="pipe")
    shown = waiting.blotted(waiting.read(careful.office, received.letter)[1])

    assert "….@" not in shown
    assert redact(shown) == shown
    assert ".…@office.example" in shown
