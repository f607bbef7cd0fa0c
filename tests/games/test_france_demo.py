"""The demonstration of 1870: what is in its letters, that it is a game, and its log of old.

`france-demo/log.jsonl` and `states.txt` are kept as those of `test_stprivat_demo` are.
"""

from __future__ import annotations

from email import message_from_bytes
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from pbem.desk.books.dossiers import Dossier
from pbem.desk.house import demo
from pbem.desk.house.demo import Happened
from pbem.desk.office.office import Office
from pbem.kernel.event import kind_of
from tests.games.kept import Course, Letters, LogOfOld

NAME = "france-demo"
KEPT = Path(__file__).with_name(NAME)
SCENARIO, MANIFEST, LETTERS = demo.find_demo("empire-1870")

pytestmark = pytest.mark.xdist_group(NAME)


class TestCourse(Course):
    kinds = {
        "setup_placed",
        "mobilized",
        "rail_moved",
        "forced_march_resolved",
        "chassepot_fire",
        "combat_resolved",
        "artillery_committed",
        "rally_resolved",
        "siege_assault",
        "control_changed",
        "entry_skipped",
        "order_played",
    }
    more_than = {"chassepot_fire": 5, "combat_resolved": 5}
    stops_at = 4


class TestTheLogOfOld(LogOfOld):
    turns = "1–3"


class TestLetters(Letters):
    """Lines are refused, a letter comes twice and one late, and a stranger writes."""

    not_applied = {
        "08-2a-french.eml": ("ignored", "the same letter came before"),
        "10-2a-french-late.eml": ("refused", "refused: 2A is over, and 2B is open"),
        "11-stranger.eml": ("refused", "nobody here writes from russell@elsewhere.example"),
    }
    words = {"accepted", "not allowed", "not understood", "office word"}
    types = {"text/plain", "text/html", "multipart/alternative", "multipart/mixed"}
    encodings = {"base64", "quoted-printable"}
    adding = 2
    quoting = 4


def test_combats_are_planned_and_come_about_on_the_march(played: Dossier) -> None:
    facts = (one.event for one in played.log if kind_of(one.event).endswith(".combat_joined"))

    assert {getattr(fact, "how", "") for fact in facts} >= {"planned", "march"}


def test_some_letters_name_the_campaign_in_their_subject() -> None:
    letters = (message_from_bytes(path.read_bytes()) for path in LETTERS.glob("*.eml"))

    assert sum(f"#{NAME}" in letter["Subject"] for letter in letters) == 2


def test_a_receipt_restates_the_programme(shown: tuple[list[Happened], Path]) -> None:
    [receipt] = [one.received.receipt for one in shown[0] if one.received and one.what == "07-1b-german.eml"]
    assert receipt is not None
    said = [words for _, words in receipt.forecast]

    assert "    GD with 8 SP: forced march of 1 MP more to 2604, 2605, 2505, Zweibruecken 2405. 6 of 5 + 1 MP." in said
    assert any(words.startswith("RP: ") for words in said)
    assert any(words.startswith("Not known: ") for words in said)


SMALLEST = 9.0
"""Pixels: names that are smaller than this on a screen are not read."""


@pytest.mark.parametrize("role", ["french", "german"])
def test_the_towns_of_the_whole_map_can_be_read_in_a_window_of_1100_pixels(
    chromium: Browser, office: Office, role: str
) -> None:
    page = chromium.new_page(viewport={"width": 1100, "height": 900})
    page.goto(f"file://{office.folder}/reports/{NAME}/3b-{role}.html")
    whole = page.locator("#map .wide > svg")
    scale = whole.evaluate("it => it.getBoundingClientRect().width / it.viewBox.baseVal.width")
    sizes = {
        name: float(whole.locator(f".hx-{name}").first.evaluate("it => parseFloat(getComputedStyle(it).fontSize)"))
        for name in ("town", "fort", "river")
    }
    page.close()

    assert {name: size * scale for name, size in sizes.items() if size * scale < SMALLEST} == {}
