"""`help player` and its like: a guide comes, in a letter of its own."""

from __future__ import annotations

from email import message_from_bytes
from email.policy import default

import pytest

from pbem.desk.library import guides
from pbem.orders.commands import GUIDES
from tests.kit.table import Table


def files_of(table: Table, at: int = -1) -> dict[str, str]:
    """The files of one of the newest mails, as text."""
    letter = message_from_bytes(table.bytes_of(table.mails[at]), policy=default)
    return {str(one.get_filename()): str(one.get_content()) for one in letter.iter_attachments()}


@pytest.mark.parametrize("name", [one.name for one in guides.listing() if one.is_book])
def test_a_guide_is_mailed_as_a_page_to_whoever_asks_for_it(ford: Table, name: str) -> None:
    before = len(ford.mails)
    assert ford.write("smuggler", f"help {name}").state == "applied"
    said = [" ".join(ford.text_of(one).split()) for one in ford.mails[before:]]
    [at] = [place for place, text in enumerate(said) if f"It is in the file {name}.html" in text]

    assert len(said) == 2
    assert guides.find(name).title.upper() in said[at].upper()
    assert files_of(ford, before + at)[f"{name}.html"].startswith("<!doctype html>")


def test_it_is_asked_for_in_german_too(ford: Table) -> None:
    ford.write("smuggler", "Hilfe player")

    assert any("player.html" in files_of(ford, at) for at in (-1, -2))


def test_a_guide_that_there_is_not_is_no_word(ford: Table) -> None:
    ford.write("smuggler", "help xyzzy\nmove s1 to 3")

    assert "help" in ford.words_to("smuggler")
    assert not files_of(ford)


def test_help_alone_still_lists_the_words(ford: Table) -> None:
    ford.write("smuggler", "help")

    assert "What the office understands" in ford.text_of(ford.mails[-1])


def test_what_may_be_asked_for_are_the_guides() -> None:
    assert GUIDES == guides.BOOKS
    assert {one.name for one in guides.listing() if one.is_book} <= set(GUIDES)
