"""One event has one text, and what does not read back is not written."""

from __future__ import annotations

import math
import os
import subprocess
import sys
import unicodedata

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from pbem.kernel.errors import BrokenLog
from pbem.kernel.event import Event, Outcome, Throw
from pbem.kernel.names import FULL, Moment, Role, RuleId, ThrowName
from pbem.kernel.office import OFFICE_EVENTS, OrdersAccepted
from pbem.storage.codec import Codec
from tests.kit.facts import FACTS, Moved, Rallied, asked, events

CODEC = Codec(FACTS)


def sheet(orders: bytes, text: str = "t") -> OrdersAccepted:
    return OrdersAccepted(
        role=Role("french"), moment=Moment(1), receipt=1, text=text, orders=(Raw(orders),), digest="d"
    )


@given(event=events)
def test_an_event_reads_back_and_is_written_the_same_again(event: Event) -> None:
    kind, schema, written = CODEC.encode(event)
    back = CODEC.decode(kind, schema, written)

    assert type(back) is type(event)
    assert CODEC.encode(back) == (kind, schema, written)
    if unicodedata.is_normalized("NFC", msgspec.json.encode(event).decode()):
        assert back == event


def test_the_text_of_an_event_is_this_and_no_other() -> None:
    moved = Moved(
        piece="Jäger",
        path=("J-9", "J-10"),
        rules=(RuleId("SP-MOV-01"),),
        dice=(Throw(ThrowName("1A/melee/J-10"), "open", 6, (4,)),),
        known={Role("prussian"): FULL, Role("french"): FULL},
    )

    assert CODEC.encode(moved) == (
        "test.moved",
        1,
        '{"kind":"test.moved","rules":["SP-MOV-01"],'
        '"dice":[{"name":"1A/melee/J-10","seed":"open","sides":6,"faces":[4]}],'
        '"known":{"french":"full","prussian":"full"},"piece":"Jäger","path":["J-9","J-10"]}',
    )


def test_the_text_does_not_depend_on_the_seed_of_pythons_hashes() -> None:
    program = (
        "from pbem.storage.codec import Codec; from tests.kit.facts import *;"
        "print(Codec(FACTS).encode(Rallied(back={w: 1 for w in {'a', 'b', 'c', 'd', 'e'}})))"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }

    assert len(texts) == 1


@given(st.text(alphabet='eao\u0301\u0308\u0323n\u0303\n\t"\\', max_size=8))
def test_one_name_in_two_forms_of_unicode_has_one_text(name: str) -> None:
    forms = {CODEC.encode(Moved(piece=unicodedata.normalize(form, name))) for form in ("NFC", "NFD")}

    assert len(forms) == 1
    read = CODEC.decode(*forms.pop())
    assert isinstance(read, Moved)
    assert read.piece == unicodedata.normalize("NFC", name)


def test_what_players_wrote_and_keys_are_brought_into_one_form_too() -> None:
    accented, composed = "cafe\u0301", "caf\u00e9"

    assert CODEC.encode(sheet(f'{{"at":"{accented}"}}'.encode(), accented)) == CODEC.encode(
        sheet(f'{{"at":"{composed}"}}'.encode(), composed)
    )
    assert CODEC.encode(Rallied(back={accented: 1})) == CODEC.encode(Rallied(back={composed: 1}))


REFUSED: dict[str, Event] = {
    "a float": Moved(piece="p1", cost=1.5),  # type: ignore[arg-type] # what is tried
    "a float that is whole": Moved(piece="p1", cost=1.0),  # type: ignore[arg-type] # what is tried
    "no number": Moved(piece="p1", cost=math.nan),  # type: ignore[arg-type] # what is tried
    "a text for a number": Moved(piece="p1", cost="3"),  # type: ignore[arg-type] # what is tried
    "a truth for a number": Moved(piece="p1", cost=True),
    "half a character": Moved(piece="\ud800"),
    "a float in an order": sheet(b'{"angle":1.5}'),
    "a float with an exponent in an order": sheet(b'{"angle":1e2}'),
    "an order that is no JSON": sheet(b"{angle}"),
}


@pytest.mark.parametrize("event", REFUSED.values(), ids=list(REFUSED))
def test_what_would_not_read_back_the_same_is_not_written(event: Event) -> None:
    with pytest.raises(ValueError, match=r"(moved|accepted) cannot be written"):
        CODEC.encode(event)


def test_an_order_with_blanks_in_it_is_kept_as_it_is() -> None:
    event = sheet(b'{ "do" : "move" }')

    assert CODEC.decode(*CODEC.encode(event)) == event


@pytest.mark.parametrize("cost", [2**53 + 1, -(2**63), 2**64, 10**30])
def test_a_whole_number_of_any_size_is_exact(cost: int) -> None:
    assert CODEC.decode(*CODEC.encode(Moved(piece="p1", cost=cost))) == Moved(piece="p1", cost=cost)


def test_a_fact_of_another_game_is_not_written() -> None:
    with pytest.raises(ValueError, match=r"test\.moved is no kind of event of this log"):
        Codec().encode(Moved(piece="p1"))


def test_every_event_of_the_office_has_a_place_in_every_codec() -> None:
    with pytest.raises(ValueError, match="two classes of events bear the name"):
        Codec(OFFICE_EVENTS[:1])
    assert Codec().decode(*Codec().encode(asked()[1])) == asked()[1]


class AlsoMoved(Outcome, frozen=True, kw_only=True, tag="test.moved"):
    """A second class under one name."""


def test_one_name_for_two_facts_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match=r"two classes of events bear the name test\.moved"):
        Codec((*FACTS, AlsoMoved))


@pytest.mark.parametrize(
    ("kind", "schema", "written", "why"),
    [
        ("test.fled", 1, "{}", r"no kind of event is named test\.fled in the rules that are installed"),
        (
            "test.moved",
            2,
            '{"kind":"test.moved","piece":"p"}',
            r"test\.moved is of schema 2, and this pbem reads up to 1",
        ),
        ("test.moved", 0, '{"kind":"test.moved","piece":"p"}', r"test\.moved is of schema 0"),
        ("test.moved", 1, '{"kind":"test.rallied"}', r"test\.moved cannot be read"),
        ("test.moved", 1, '{"kind":"test.moved"}', r"test\.moved cannot be read: .*piece"),
        ("test.moved", 1, "not JSON", r"test\.moved cannot be read"),
    ],
)
def test_what_cannot_be_read_is_named(kind: str, schema: int, written: str, why: str) -> None:
    with pytest.raises(BrokenLog, match=why):
        CODEC.decode(kind, schema, written)
