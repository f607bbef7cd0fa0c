"""Letters to several, to a side and to all: who has them, what each is told, and what nobody is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.desk.gm import history
from pbem.desk.players import changes
from pbem.desk.proof.verify import verify
from pbem.kernel.names import Role
from pbem.kernel.office import LetterSent
from tests.kit.redoubt import ALLIED, GUARDS, RIGHT, RUSSIAN, begin, since, write
from tests.kit.table import Table
from tests.kit.table import table as make
from tests.kit.writers import letters_of

ALL = (ALLIED, GUARDS, RUSSIAN, RIGHT)


@pytest.fixture
def several(tmp_path: Path) -> Iterator[Table]:
    """A game of four that may write as they like."""
    with make(tmp_path / "office") as table:
        begin(table, press="grey")
        yield table


def sent(table: Table) -> list[LetterSent]:
    return [one.event for one in table.dossier.log.own if isinstance(one.event, LetterSent)]


def test_a_letter_to_two_reaches_both_and_says_so_and_nobody_else(several: Table) -> None:
    before = len(several.mails)
    write(several, ALLIED, "letter to russian and russian.right: A truce until dawn?\nletter to umpire: done")

    for role in (RUSSIAN, RIGHT):
        [mail] = since(several, before, role)
        told = several.text_of(mail)
        assert "A letter from allied" in told
        assert "A truce until dawn?" in told
        assert "russian and russian.right" in told
    assert "letter to allied: or, to all who had it: letter to allied, russian.right:" in several.words_to("russian")
    assert not since(several, before, GUARDS)
    assert "Delivered to russian and russian.right, signed" in several.words_to("allied")
    assert [(one.to, one.addressed) for one in sent(several) if one.to] == [
        (RUSSIAN, ("russian", "russian.right")),
        (RIGHT, ("russian", "russian.right")),
    ]
    assert verify(several.office, several.name).sound


@pytest.mark.parametrize(
    ("line", "readers"),
    [
        ("letter to all: x", {GUARDS, RUSSIAN, RIGHT}),
        ("letter to side russian: x", {RUSSIAN, RIGHT}),
        ("letter to side allied: x", {GUARDS}),
        ("letter to russian: x", {RUSSIAN}),
        ("letter to russian, and allied.guards: x", {RUSSIAN, GUARDS}),
        ("Letter to Russian & Russian.Right, unsigned: x", {RUSSIAN, RIGHT}),
        ("letter to side russian, russian.right and russian: x", {RUSSIAN, RIGHT}),
    ],
)
def test_a_side_is_its_roles_and_a_name_that_a_role_has_is_the_role(
    several: Table, line: str, readers: set[Role]
) -> None:
    before = len(several.mails)
    write(several, ALLIED, line)

    assert {role for role in ALL if role != ALLIED and since(several, before, role)} == readers
    assert all(len(since(several, before, role)) == 1 for role in readers)


def test_all_are_told_that_it_went_to_all(several: Table) -> None:
    write(several, RIGHT, "letter to all:\nHold the bridge.\n\nAll of you.\nend letter")

    for role in (ALLIED, GUARDS, RUSSIAN):
        assert "To all" in several.words_to(role)
        assert "Hold the bridge. All of you." in several.words_to(role)
    assert "or, to all who had it: letter to all:" in several.words_to(ALLIED)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (
            "letter to russian and saxon: x",
            "there is no other role saxon. There are: allied.guards, russian, russian.right, all, side russian",
        ),
        ("letter to allied, russian: x", "there is no other role allied."),
        ("letter to side saxon: x", "there is no other role side saxon."),
    ],
)
def test_what_names_nobody_is_refused_whole_and_says_who_there_is(several: Table, line: str, why: str) -> None:
    before = len(several.mails)
    assert write(several, ALLIED, line).state == "refused"

    assert why in several.words_to(ALLIED)
    assert len(several.mails) == before + 1
    assert not sent(several)


def test_each_reader_counts_as_a_letter_of_the_day(several: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.desk.intake.press.LETTERS_A_DAY", 4)
    assert write(several, ALLIED, "letter to all: one").state == "applied"
    assert write(several, ALLIED, "letter to side russian: two").state == "refused"

    assert "4 letters within 24 hours are enough; this one is 2, and 1 is left; send it tomorrow" in several.words_to(
        ALLIED
    )
    assert write(several, ALLIED, "letter to russian: three").state == "applied"


def test_of_all_it_is_not_said_who_is_not_there_and_of_who_is_named_it_is(several: Table) -> None:
    changes.withdraw_player(several.office, several.name, RIGHT, reason="He left.")
    write(several, ALLIED, "letter to all: one")
    assert "Delivered to all, signed" in several.words_to(ALLIED)
    assert "nobody plays" not in several.words_to(ALLIED)

    write(several, ALLIED, "letter to russian and russian.right: two")
    assert "Delivered to russian, signed; not to russian.right, whom nobody plays now" in several.words_to(ALLIED)
    assert "russian and russian.right" in several.words_to(RUSSIAN)
    assert write(several, ALLIED, "letter to russian.right: three").state == "refused"
    assert "nobody plays russian.right now" in several.words_to(ALLIED)


def kept(text: str) -> list[str]:
    volatile = ("Message-ID", "Date:", "X-", "boundary", "DKIM", "Content-", "Reply-To", "To:", "List-", "References")
    return [line for line in text.splitlines() if not any(word in line for word in volatile)]


def test_without_a_name_it_says_neither_who_wrote_nor_to_whom(several: Table) -> None:
    """Who had it did not write it: of four, three readers named are a signature."""
    before = len(several.mails)
    write(several, ALLIED, "letter to russian.right, allied.guards and russian unsigned: Beware.")
    [alone] = since(several, before, RUSSIAN)
    write(several, GUARDS, "letter to russian unsigned: Beware.")
    [_, other] = since(several, before, RUSSIAN)

    assert "allied" not in several.text_of(alone).replace("allied.guards", "allied")
    assert kept(several.text_of(alone)) == kept(several.text_of(other))
    for role in (RUSSIAN, RIGHT):
        own = [
            one for one in history.entries(several.office, several.name, role=role) if isinstance(one.event, LetterSent)
        ]
        assert {one.what for one in own} == {f"somebody to {role}: Beware."}
        assert "allied" not in repr([one.event for one in own])
        assert all(not one.who and not one.readers for one in letters_of(several, role).letters)


@pytest.mark.parametrize(
    "named", ["russian.right, allied.guards, russian", "russian, russian.right, allied.guards", "all"]
)
def test_the_order_and_the_hour_of_letters_without_a_name_are_those_of_the_game(several: Table, named: str) -> None:
    before = len(several.mails)
    write(several, ALLIED, f"letter to {named} unsigned: Beware.")

    players = several.dossier.campaign.players
    own = players[ALLIED]
    left = [mail for mail in several.mails[before:] if mail.player != own]
    assert [mail.player for mail in left] == [players[role] for role in (GUARDS, RUSSIAN, RIGHT)]
    assert len({(mail.created_at, mail.due_at) for mail in left}) == 1


def test_its_writer_finds_one_letter_and_each_reader_his(several: Table) -> None:
    write(several, ALLIED, "letter to all: one\nletter to russian: two\numpire: three")
    own = letters_of(several, ALLIED).letters
    his = letters_of(several, RUSSIAN)

    assert [(one.way, one.who, one.text) for one in own] == [
        ("to", "umpire", "three"),
        ("to", "russian", "two"),
        ("to", "all", "one"),
    ]
    assert [(one.way, one.who, one.text, one.readers) for one in his.letters] == [
        ("from", "allied", "two", ""),
        ("from", "allied", "one", "all"),
    ]
    assert his.others == (ALLIED, GUARDS, RIGHT, "all", "side allied")
    assert his.several == (ALLIED, GUARDS, RIGHT)
