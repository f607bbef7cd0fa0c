"""The table of what events make of a campaign."""

from __future__ import annotations

from typing import get_args, get_type_hints

import pytest

from pbem.kernel.event import Event, kind_of
from pbem.kernel.step import MAKES


@pytest.mark.parametrize("kind", MAKES, ids=kind_of)
def test_what_is_made_of_an_event_is_made_of_its_kind(kind: type[Event]) -> None:
    said = get_type_hints(MAKES[kind])["event"]

    assert kind in (get_args(said) or (said,))
