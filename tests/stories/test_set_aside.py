"""Letters that were kept and not yet dealt with: they are found again, and what brings the office down is set aside."""

from __future__ import annotations

import pytest

from pbem.desk.gm import waiting as gm_waiting
from pbem.desk.intake import writers
from pbem.desk.intake.keeping import take_in
from pbem.desk.intake.receive import TRIES, deal_with, receive
from pbem.desk.office.office import Office
from pbem.desk.ways import quarantine
from pbem.desk.ways.arrivals import sweep
from pbem.kernel.errors import Refused
from pbem.mail.reading.letter import Letter
from pbem.mail.reading.worker import ReaderBroke
from pbem.storage import letters
from tests.desk.intake.test_receive import standing
from tests.kit.table import Table


def test_what_was_kept_and_not_dealt_with_is_found_again(ford: Table) -> None:
    take_in(ford.office, ford.letter("smuggler", "move s1 to 3"), way="pipe")
    assert standing(ford) is None

    assert [one.state for one in sweep(ford.office)] == ["applied"]
    assert standing(ford) == "move s1 to 3"
    assert list(sweep(ford.office)) == []


def test_what_a_place_offers_again_is_the_letter_that_it_was(ford: Table) -> None:
    raw = ford.letter("smuggler", "move s1 to 3")
    first = receive(ford.office, raw, way="maildir", origin="1.x")
    again = receive(ford.office, raw, way="maildir", origin="1.x")

    assert (again.letter, again.state) == (first.letter, "applied")
    assert ford.kinds.count("message_received") == 1


class Broken:
    """A reader that dies over every letter with a certain word in it."""

    def __init__(self, office: Office) -> None:
        self.sound = writers.reader_of(office)

    def read(self, raw: bytes) -> Letter:
        if b"bomb" in raw:
            raise ReaderBroke("the reader died over it.")
        return self.sound.read(raw)


def test_a_letter_that_brings_the_reader_down_holds_up_nobody_and_is_set_aside(ford: Table) -> None:
    ford.office.kept["reader"] = Broken(ford.office)
    received = ford.write("smuggler", "bomb")
    assert (received.state, received.reason) == ("new", "not dealt with: the reader died over it.")
    assert ford.write("guard", "watch g1 4").state == "applied"
    for _ in range(TRIES - 1):
        [received] = sweep(ford.office)

    assert received.state == "unreadable"
    assert received.reason == "it could not be dealt with in 5 attempts: the reader died over it."
    assert list(sweep(ford.office)) == []
    assert [one.state for one in gm_waiting.listing(ford.office)] == ["unreadable"]
    assert "could not be read" in ford.last_to("smuggler")
    assert f"pbem mail quarantine show {received.letter}" in ford.last_to("gm")


def test_a_letter_over_which_the_office_itself_dies_is_set_aside_too(ford: Table) -> None:
    kept = take_in(ford.office, ford.letter("smuggler", "move s1 to 3"), way="pipe")
    with ford.office.write() as connection:
        for _ in range(TRIES):
            letters.tried(connection, kept.id)

    assert deal_with(ford.office, kept).state == "unreadable"


def test_while_the_office_is_not_in_order_letters_wait_and_none_is_set_aside(ford: Table) -> None:
    key = ford.office.folder / ford.office.settings.key
    key.rename(key.with_suffix(".away"))
    ford.office.kept.pop("key", None)
    received = ford.write("smuggler", "move s1 to 3")
    assert "the office's key" in received.reason
    for _ in range(5):
        assert [one.state for one in sweep(ford.office)] == ["new"]
    key.with_suffix(".away").rename(key)

    assert [one.state for one in sweep(ford.office)] == ["applied"]


def test_what_was_set_aside_can_be_tried_again_and_counts_as_come_when_it_came(ford: Table) -> None:
    broken = Broken(ford.office)
    ford.office.kept["reader"] = broken
    ford.write("smuggler", "move s1 to 3  # bomb")
    for _ in range(2):
        list(sweep(ford.office))
    ford.office.kept["reader"] = broken.sound
    ford.clock.forward(100)
    [waiting] = gm_waiting.listing(ford.office)

    assert quarantine.retry(ford.office, waiting.id).state == "applied"
    with pytest.raises(Refused, match="was dealt with"):
        quarantine.retry(ford.office, waiting.id)
