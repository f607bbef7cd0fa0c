"""Secret addresses: made and read back, for one purpose, campaign, player and epoch alone, and never shown."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pbem.mail.leaving.outbox import is_envelope_address
from pbem.mail.wire.addresses import normalise
from pbem.mail.wire.reply_address import (
    LOCAL_PART,
    BadAddress,
    Meaning,
    Named,
    Proof,
    Purpose,
    Token,
    looks_secret,
    make_address,
    meanings,
    prove,
    read_address,
    redact,
)
from tests.kit.named import named

KEY, OTHER_KEY = bytes(range(32)), bytes(range(1, 33))
HOST = "office.example"

LETTERS = "abcdefghijklmnopqrstuvwxyz234567"

names = st.text(LETTERS + "-", max_size=38).map("g{}w".format)
players = st.text(LETTERS, min_size=16, max_size=16)
mailboxes = st.just("") | st.text(LETTERS + "-_.", max_size=18).map("g{}m".format)
epochs = st.integers(1, 9999)


@st.composite
def anything_said(draw: st.DrawFn) -> Meaning:
    purpose = draw(st.sampled_from(Purpose))
    epoch = 0 if purpose is Purpose.BOUNCE else draw(epochs)
    return Meaning(purpose, draw(names), draw(players), epoch)


MOLTKE = Meaning(Purpose.REPLY, "gpw", "moltke", 1)


def mac_of(address: str) -> str:
    return address.partition("@")[0].rpartition(".")[2]


@given(anything_said(), mailboxes, st.sets(names, max_size=3))
def test_an_address_reads_back_however_its_case_was_folded(meaning: Meaning, mailbox: str, others: set[str]) -> None:
    address = make_address(meaning, KEY, HOST, mailbox=mailbox)

    for written in (address, address.upper(), address.title(), f"  {address} "):
        assert read_address(written, KEY, named(meaning.campaign, *others)) == meaning


@given(anything_said(), mailboxes)
def test_an_address_can_stand_in_a_letter_and_in_its_envelope(meaning: Meaning, mailbox: str) -> None:
    address = make_address(meaning, KEY, HOST, mailbox=mailbox)

    assert len(address.rpartition("@")[0]) <= LOCAL_PART
    assert is_envelope_address(address)
    assert normalise(address) == address


@given(anything_said(), anything_said())
def test_what_is_said_cannot_be_changed(meaning: Meaning, other: Meaning) -> None:
    assume(meaning != other)
    written, forged = (make_address(one, KEY, HOST) for one in (meaning, other))
    forged = forged.replace(mac_of(forged), mac_of(written))

    assert read_address(forged, KEY, named(meaning.campaign, other.campaign)) is None


@pytest.mark.parametrize(
    ("written", "forged"),
    [
        (Meaning(Purpose.REPLY, "gpw", "moltke", 1), Meaning(Purpose.REPLY, "gp", "wmoltke", 1)),
        (Meaning(Purpose.REPLY, "gpw", "moltke", 11), Meaning(Purpose.REPLY, "gpw", "moltke1", 1)),
        (Meaning(Purpose.REPLY, "gpw", "moltke", 1), Meaning(Purpose.STOP, "gpw", "moltke", 1)),
    ],
)
def test_no_letter_passes_from_one_field_to_its_neighbour(written: Meaning, forged: Meaning) -> None:
    assert mac_of(make_address(written, KEY, HOST)) != mac_of(make_address(forged, KEY, HOST))


@given(anything_said(), st.integers(0, 15), st.sampled_from(LETTERS))
def test_another_mac_is_none(meaning: Meaning, place: int, letter: str) -> None:
    address = make_address(meaning, KEY, HOST)
    mac = mac_of(address)
    assume(mac[place] != letter)
    changed = address.replace(mac, mac[:place] + letter + mac[place + 1 :])

    assert read_address(changed, KEY, named(meaning.campaign)) is None


@given(anything_said(), mailboxes)
def test_another_office_cannot_make_it(meaning: Meaning, mailbox: str) -> None:
    assert read_address(make_address(meaning, OTHER_KEY, HOST, mailbox=mailbox), KEY, named(meaning.campaign)) is None


def test_names_that_begin_alike_are_told_apart_where_there_is_no_room_for_all_of_them() -> None:
    long = [f"franco-prussian-war-autumn-league-{n}" for n in range(3)]
    meant = [Meaning(Purpose.REPLY, campaign, "k" * 16, 1) for campaign in long]
    addresses = [make_address(one, KEY, HOST) for one in meant]

    assert {address.partition("+")[0] for address in addresses} == {"franco-prussian-war-autumn-l"}
    assert [read_address(address, KEY, named(*long)) for address in addresses] == meant
    assert read_address(addresses[0], KEY, named(*long[1:])) is None


@given(st.text(max_size=120))
def test_no_text_whatever_makes_the_reader_fail(text: str) -> None:
    assert read_address(text, KEY, named("gpw")) is None
    assert read_address(f"gpw+{text}@{HOST}", KEY, named("gpw")) is None
    redact(text)


@pytest.mark.parametrize(
    "meaning",
    [
        Meaning(Purpose.REPLY, "a.b", "moltke", 1),
        Meaning(Purpose.REPLY, "gpw\r\n", "moltke", 1),
        Meaning(Purpose.REPLY, "gpw", "b", 1),
        Meaning(Purpose.REPLY, "gpw", "x" * 17, 1),
        Meaning(Purpose.REPLY, "gpw", "moltke", 0),
        Meaning(Purpose.STOP, "gpw", "moltke", 10_000),
        Meaning(Purpose.BOUNCE, "gpw", "moltke", 1),
    ],
)
def test_names_that_would_be_read_otherwise_are_refused(meaning: Meaning) -> None:
    with pytest.raises(BadAddress):
        make_address(meaning, KEY, HOST)


def test_a_mailbox_that_cannot_be_extended_is_refused() -> None:
    with pytest.raises(BadAddress, match="is no mailbox"):
        make_address(MOLTKE, KEY, HOST, mailbox="a+b")


# ------------------------------------------------------------------------------------------------ what a letter proves

SECRET = make_address(MOLTKE, KEY, HOST)
NOBODY: dict[str, int] = {}
FORGED = SECRET.replace(mac_of(SECRET), "a" * 16)


def proof(*recipients: str, epoch: int = 1) -> Proof:
    return prove(recipients, KEY, HOST, named("gpw"), {"moltke": epoch}.get)


@pytest.mark.parametrize(
    ("recipients", "token", "meaning"),
    [
        ([SECRET], Token.GOOD, MOLTKE),
        (["b@x.example", SECRET.upper()], Token.GOOD, MOLTKE),
        ([FORGED, SECRET], Token.GOOD, MOLTKE),
        ([FORGED], Token.BAD, None),
        (["gpw@office.example", "gpw+french@office.example"], Token.NONE, None),
        ([SECRET.replace(HOST, "elsewhere.example")], Token.NONE, None),
        ([make_address(Meaning(Purpose.BOUNCE, "gpw", "moltke"), KEY, HOST)], Token.NONE, None),
        ([make_address(Meaning(Purpose.STOP, "gpw", "moltke", 1), KEY, HOST)], Token.NONE, None),
        ([], Token.NONE, None),
    ],
)
def test_what_the_addresses_of_a_letter_prove(recipients: list[str], token: Token, meaning: Meaning | None) -> None:
    assert proof(*recipients) == Proof(token, meaning)


def test_all_that_the_addresses_of_a_letter_say() -> None:
    said = [Meaning(Purpose.BOUNCE, "gpw", "k3xq7mmd2a"), MOLTKE, Meaning(Purpose.STOP, "gpw", "moltke", 1)]
    written = [make_address(one, KEY, HOST) for one in said]
    elsewhere = SECRET.replace(HOST, "elsewhere.example")

    assert meanings([*written, "b@x.example", SECRET.upper(), FORGED, elsewhere], KEY, HOST, named("gpw")) == tuple(
        said
    )
    assert meanings([elsewhere], KEY, HOST, named("gpw")) == ()
    assert meanings(written, KEY, HOST, named("other")) == ()


def asks(asked: list[str]) -> Named:
    """An office that has campaigns of any name, and writes down after which it is asked."""

    def there(first: str) -> list[str]:
        asked.append(first)
        return [first]

    return there


def test_what_has_not_the_form_of_a_secret_asks_for_no_campaign() -> None:
    asked: list[str] = []
    there = ["b@x.example", "office@office.example", "gpw+gm@office.example", SECRET.replace(HOST, "elsewhere.example")]

    assert prove(there, KEY, HOST, asks(asked), NOBODY.get).token is Token.NONE
    assert meanings(there, KEY, HOST, asks(asked)) == ()
    assert asked == []


@pytest.mark.parametrize("before", ["gpw\x00", "gpw%", "", "-", "ﬁ", "gpw.."])
def test_what_cannot_begin_a_name_is_not_asked_for(before: str) -> None:
    asked: list[str] = []

    assert read_address(SECRET.replace("gpw", before), KEY, asks(asked)) is None
    assert asked == []


def test_a_new_epoch_makes_the_addresses_before_it_void() -> None:
    assert proof(SECRET, epoch=2) == Proof(Token.OLD, MOLTKE)
    assert proof(SECRET, make_address(Meaning(Purpose.REPLY, "gpw", "moltke", 2), KEY, HOST), epoch=2).token == "good"


def test_who_has_no_epoch_has_no_address() -> None:
    assert prove([SECRET], KEY, HOST, named("gpw"), NOBODY.get).token is Token.OLD


# ----------------------------------------------------------------------------------------------------- never shown


@given(anything_said(), mailboxes)
def test_no_mac_is_left_in_a_log(meaning: Meaning, mailbox: str) -> None:
    address = make_address(meaning, KEY, HOST, mailbox=mailbox)
    for written in (
        address,
        f'"GPW" <{address.upper()}>',
        f"mailto:{address.replace('+', '%2B').replace('@', '%40')}?subject=stop",
        f"To: a@x.example,\r\n {address}; from=<b@x.example>",
    ):
        shown = redact(written)
        assert mac_of(address) not in shown.lower()
        assert "…" in shown
        assert looks_secret(written)


@pytest.mark.parametrize("text", ["gpw@office.example", "a+b@x.example", "1.5rayzzg3wqj6pz75@x.example", "", "+.@"])
def test_nothing_else_is_taken_out(text: str) -> None:
    assert redact(text) == text
    assert not looks_secret(text)
