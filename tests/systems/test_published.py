"""The file of a game, of every system: what its eyes do not know is in no byte of it."""

from __future__ import annotations

import re

import msgspec
import pytest

from pbem.reports.pages.environment import environment
from pbem.reports.replay.beside import Beside
from pbem.reports.replay.page import published_html
from pbem.reports.replay.record import record
from pbem.resources import resources
from pbem.rules.reel import TRUTH, Reel
from tests.systems.reels import FOG, in_the_dark, reel_of
from tests.systems.secret import SEAL, plug


def html_of(reel: Reel) -> str:
    """The page of a reel without an office, with the data in it as they are before they are packed."""
    made = record(reel, Beside(), {})
    page = published_html(made, environment(resources("templates")))
    data = msgspec.json.encode(made).decode()
    return SEAL.sub(b"a seal", (re.sub(r'(id="r-data">)[\w+/=]+', r"\1", page) + data).encode()).decode()


@pytest.mark.parametrize("name", FOG)
def test_what_a_role_cannot_see_changes_no_byte_of_its_file(name: str) -> None:
    for number, secret in enumerate(plug(name).SECRETS):
        found = []
        for game in in_the_dark(name, number):
            reel = reel_of(game, [secret.blind])
            found.append(html_of(msgspec.structs.replace(reel, called={secret.blind: "the reader"})))
        assert found[0] == found[1], secret


@pytest.mark.parametrize("name", FOG)
def test_what_the_truth_shows_of_a_secret_is_other(name: str) -> None:
    """The test above could not fail if a file held nothing."""
    found = []
    for game in in_the_dark(name, 0):
        found.append(html_of(msgspec.structs.replace(reel_of(game, [TRUTH]), called={TRUTH: "the umpire"})))
    assert found[0] != found[1]
