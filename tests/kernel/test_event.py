"""Every event has a word under which it stands in the log."""

from __future__ import annotations

import msgspec
import pytest

from pbem.kernel.event import Event, kind_of
from pbem.kernel.office import OFFICE_EVENTS


def test_the_kinds_of_the_office_are_words_and_no_two_are_one() -> None:
    kinds = [kind_of(event) for event in OFFICE_EVENTS]

    assert len(set(kinds)) == len(kinds)
    assert all(kind.replace("_", "").isalpha() and kind.islower() for kind in kinds)


@pytest.mark.parametrize("event", OFFICE_EVENTS, ids=kind_of)
def test_an_event_of_the_office_says_nothing_of_a_person(event: type[Event]) -> None:
    personal = {"name", "address", "email", "zone"}
    own = {"exchange_opened": {"name", "zone"}, "campaign_opened": {"zone"}, "deadline_moved": {"zone"}}

    fields = {field.name for field in msgspec.structs.fields(event)}

    assert fields & personal <= own.get(kind_of(event), set())
