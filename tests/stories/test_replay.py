"""The page of a whole game, of every system, as its reader has it: a file, in a browser, without a network."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect

from pbem.desk.books.dossiers import load
from pbem.desk.office.office import Office
from pbem.desk.reels.published import publish
from pbem.reports.replay.page import packed, unpacked
from pbem.reports.replay.record import Record
from pbem.rules import registry
from pbem.storage.blobs import fetch
from tests.kit.axe import check_all_can_read
from tests.kit.once import made_once
from tests.kit.whole_games import whole_game

pytestmark = pytest.mark.xdist_group("replay")

WIDE: ViewportSize = {"width": 1200, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}

Contexts = Callable[..., BrowserContext]


one_of_each_board = pytest.mark.parametrize("file", ["empire-1870", "half-league", "st-privat"], indirect=True)
"""For what the page does by itself, whichever game it shows."""


@pytest.fixture(scope="module", params=sorted(registry.BUILT_IN))
def file(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a game that is over, through all eyes."""

    def make(folder: Path) -> None:
        with whole_game(request.param, folder / "office", tmp_path_factory) as (office, name):
            html = closing_file(office, name)
            # What goes with the last letter is the same, but for the games that are too large for one.
            if len(unpacked(html.decode()).eyes if html else ()) < 3:
                html = publish(office, name, (), everything=True, alone=False).html
        (folder / "game.html").write_bytes(html)

    return made_once(tmp_path_factory, f"replay-{request.param}", make) / "game.html"


def closing_file(office: Office, campaign: str) -> bytes:
    """The game in the file that its players were sent; empty, if there was none."""
    with office.read() as connection:
        ended = load(office, connection, campaign).campaign.ended
        return fetch(connection, ended.replay) if ended and ended.replay else b""


@pytest.fixture
def contexts(chromium: Browser) -> Iterator[Contexts]:
    """Makes a browser without a network; whatever a page of it asks of one, or breaks at, is a fault."""
    faults: list[str] = []
    made: list[BrowserContext] = []

    def make(**options: Any) -> BrowserContext:
        context = chromium.new_context(**{"viewport": WIDE, "offline": True, **options})
        context.on("weberror", lambda error: faults.append(str(error.error)))
        context.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
        context.on("request", lambda asked: None if asked.url.startswith("file:") else faults.append(asked.url))
        made.append(context)
        return context

    yield make
    for one in made:
        one.close()
    assert faults == []


@pytest.fixture
def context(contexts: Contexts) -> BrowserContext:
    return contexts()


def opened(context: BrowserContext, file: Path, link: str = "") -> Page:
    """The page, when it can be used."""
    page = context.new_page()
    page.goto(f"{file.as_uri()}{link}")
    page.wait_for_selector("html[data-ready]", state="attached")
    return page


def at(page: Page) -> int:
    return int(page.locator("#r-at").input_value())


def reaches(page: Page, number: int) -> None:
    """Wait until it has come so far by itself."""
    for _ in range(200):
        if at(page) >= number:
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"it stays at {at(page)}")


def signs(page: Page, pane: int = 0) -> int:
    return page.locator(".r-map").nth(pane).locator(".r-sign").count()


def test_it_steps_plays_and_is_dragged(context: BrowserContext, file: Path) -> None:
    page = opened(context, file)
    last = len(unpacked(file.read_text()).beats) - 1
    assert at(page) == 0

    page.click("#r-next")
    page.click("#r-next")
    page.click("#r-back")
    assert at(page) == 1
    page.click("#r-last")
    assert at(page) == last
    assert signs(page) > 0
    page.click("#r-first")
    page.select_option("#r-speed", "8")
    page.click("#r-play")
    reaches(page, 3)
    page.click("#r-play")
    here = at(page)
    page.wait_for_timeout(600)
    assert at(page) == here

    time = page.locator("#r-at").bounding_box()
    assert time is not None
    page.mouse.move(time["x"] + 20, time["y"] + 20)
    page.mouse.down()
    page.mouse.move(time["x"] + time["width"] / 2, time["y"] + 20, steps=4)
    page.mouse.up()
    assert abs(at(page) - last / 2) < last / 8 + 2


@one_of_each_board
def test_whose_eyes_are_chosen_and_two_stand_side_by_side(context: BrowserContext, file: Path) -> None:
    record = unpacked(file.read_text())
    middle = record.beats[len(record.beats) // 2].name
    role = record.eyes[1]
    page = opened(context, file, f"#{middle}/{role.name}")

    assert role.called in page.locator(".r-panehead i").inner_text()
    page.get_by_role("button", name="Side by side").click()
    assert page.locator(".r-map").count() == 2
    expect(page).to_have_url(f"{file.as_uri()}#{middle}/truth+{role.name}")
    assert signs(page, 0) > 0
    page.keyboard.press("t")
    assert page.locator(".r-map").count() == 1
    expect(page).to_have_url(f"{file.as_uri()}#{middle}/truth")


def checked(page: Page) -> str:
    page.click("#r-check")
    expect(page.locator("#r-how")).not_to_be_empty()
    return page.locator("#r-verdict").inner_text()


@pytest.mark.parametrize("bare", [False, True])
def test_every_die_falls_again(context: BrowserContext, file: Path, bare: bool) -> None:
    """With the browser's own cryptography, and where it gives a page none."""
    if bare:
        context.add_init_script("Object.defineProperty(crypto, 'subtle', {value: undefined})")
    record = unpacked(file.read_text())
    dice = sum(len(one.faces) for one in record.throws if one.by == "seed")
    said = checked(page := opened(context, file))

    assert dice
    assert f"{dice} of {dice} di" in said
    assert "wrong" not in said
    assert (f"{len(record.draws)} of {len(record.draws)}" in said) == bool(record.draws)
    assert ("own SHA-256" in page.locator("#r-how").inner_text()) == bare


DROP = """([name, text]) => {
  const held = new DataTransfer();
  held.items.add(new File([text], name));
  document.getElementById("r-paste").dispatchEvent(new DragEvent("drop", {dataTransfer: held, cancelable: true}));
}"""


def test_a_report_that_was_kept_is_known_again_and_an_altered_one_is_not(context: BrowserContext, file: Path) -> None:
    page = opened(context, file)
    report = next(iter(sorted((file.parent / "office" / "reports").glob("*/1a-*.html"))))
    text = report.read_text()
    for given, said in ((text, "to the letter; "), (text + " ", "no report that this file knows")):
        page.evaluate(DROP, [report.name, given])
        expect(page.locator("#r-pasted")).to_contain_text(said)
        assert re.search(r"[1-9]\d* promises? of this game in it", page.locator("#r-pasted").inner_text())
    pair = unpacked(file.read_text()).beside.pairs[0]
    page.fill("#r-paste", f"Promised: {pair.open}, {'0' * 64}")
    expect(page.locator("#r-pasted")).to_contain_text("1 of 2 fingerprints")


def test_words_units_and_rules_are_found(context: BrowserContext, file: Path) -> None:
    record = unpacked(file.read_text())
    beat = next(
        one for one in record.beats if "truth" in one.seen and one.seen["truth"].told and one.seen["truth"].rules
    )
    page = opened(context, file)
    page.fill("#r-find", beat.seen["truth"].rules[0])

    page.locator("#r-hits button", has_text=re.compile(rf"^{re.escape(beat.name)}$")).click()
    assert at(page) == record.beats.index(beat)
    page.fill("#r-find", "xyzzy")
    expect(page.locator("#r-found")).to_contain_text("Nothing of it is told")


def forged(record: Record) -> Iterator[Record]:
    """*record* with one thing other than it was, of each kind that it has."""
    number, throw = next((at, one) for at, one in enumerate(record.throws) if one.by == "seed")
    other = replace(throw, faces=(throw.faces[0] % throw.sides + 1, *throw.faces[1:]))
    yield replace(record, throws=(*record.throws[:number], other, *record.throws[number + 1 :]))
    pairs = list(record.beside.pairs)
    pairs[throw.pair] = replace(pairs[throw.pair], open_seed=pairs[throw.pair].open_seed[::-1])
    yield replace(record, beside=replace(record.beside, pairs=tuple(pairs)))
    for draw in record.draws[:1]:
        other_draw = replace(draw, came=draw.came[::-1], digits=draw.digits[::-1])
        yield replace(record, draws=(other_draw, *record.draws[1:]))


def test_one_number_that_was_altered_is_found(context: BrowserContext, file: Path, tmp_path: Path) -> None:
    record = unpacked(html := file.read_text())
    old = re.search(r'id="r-data">([\w+/=]+)<', html)
    assert old is not None
    for made in forged(record):
        path = tmp_path / "forged.html"
        path.write_text(html.replace(old[1], packed(made)))

        assert "Something is wrong" in checked(opened(context, path))


@one_of_each_board
def test_all_of_it_is_done_by_keys_alone(context: BrowserContext, file: Path) -> None:
    page = opened(context, file)
    record = unpacked(file.read_text())
    last = len(record.beats) - 1
    for key, there in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", last), ("Home", 0)):
        page.keyboard.press(key)
        assert at(page) == there, key
    page.keyboard.press("PageDown")
    assert record.beats[at(page)].moment != record.beats[0].moment
    here = at(page)
    page.keyboard.press("Shift+ArrowRight")
    assert at(page) > here
    page.keyboard.press("9")
    page.keyboard.press(" ")
    reaches(page, at(page) + 1)
    page.keyboard.press(" ")
    page.keyboard.press("m")
    assert page.evaluate("document.activeElement.className") == "r-map"
    before = page.locator(".r-map > svg").get_attribute("viewBox")
    page.keyboard.press("+")
    page.wait_for_timeout(50)
    assert page.locator(".r-map > svg").get_attribute("viewBox") != before
    page.keyboard.press("s")
    assert page.locator(".r-map").count() == 2

    focused = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        focused.add(page.evaluate("document.activeElement.id"))
    assert {"r-at", "r-play", "r-speed", "r-find", "r-check", "r-paste"} <= focused


@one_of_each_board
def test_a_sign_that_is_tapped_tells_its_story(contexts: Contexts, file: Path) -> None:
    context = contexts(viewport=PHONE, has_touch=True, is_mobile=True)
    page = opened(context, file, f"#{unpacked(file.read_text()).beats[-1].name}/truth")
    page.get_by_role("button", name="The whole field").tap()
    page.wait_for_timeout(700)
    box = page.evaluate(
        """() => {
          const map = document.querySelector(".r-map").getBoundingClientRect();
          for (const sign of document.querySelectorAll(".r-sign")) {
            const box = sign.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2;
            const hit = y > map.top && y < map.bottom && document.elementFromPoint(x, y)?.closest(".r-sign");
            if (hit) return [x, y];
          }
        }"""
    )
    page.touchscreen.tap(*box)

    story = page.locator(".r-story")
    assert story.locator("b").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


@one_of_each_board
def test_a_finger_moves_it_on_glass(contexts: Contexts, file: Path) -> None:
    context = contexts(viewport=PHONE, has_touch=True, is_mobile=True)
    page = opened(context, file)
    page.evaluate(
        """() => {
          const words = document.querySelector(".r-say");
          const touch = x => new Touch({identifier: 1, target: words, clientX: x, clientY: 500});
          words.dispatchEvent(new TouchEvent("touchstart", {touches: [touch(300)], changedTouches: [touch(300)]}));
          words.dispatchEvent(new TouchEvent("touchend", {touches: [], changedTouches: [touch(100)]}));
        }"""
    )
    assert at(page) == 1
    page.locator("#r-next").tap()
    assert at(page) == 2
    before = page.locator(".r-map > svg").get_attribute("viewBox")
    page.evaluate(
        """() => {
          const map = document.querySelector(".r-map"), box = map.getBoundingClientRect();
          const y = box.y + box.height / 2, put = (kind, id, x) => map.dispatchEvent(new PointerEvent(kind, {
            pointerId: id, clientX: x, clientY: y, bubbles: true, pointerType: "touch"}));
          map.setPointerCapture = () => {};
          put("pointerdown", 1, 150); put("pointerdown", 2, 200);
          put("pointermove", 1, 100); put("pointermove", 2, 250);
          put("pointerup", 1, 100); put("pointerup", 2, 250);
        }"""
    )
    after = page.locator(".r-map > svg").get_attribute("viewBox")
    assert before
    assert after
    assert float(after.split()[2]) < float(before.split()[2])
    assert not page.locator("#r-reel input[type=checkbox]").is_checked()


def test_without_scripts_it_is_a_chronicle_with_a_map_a_turn(contexts: Contexts, file: Path) -> None:
    context = contexts(java_script_enabled=False)
    page = context.new_page()
    page.goto(file.as_uri())
    record = unpacked(file.read_text())
    turns = {beat.moment.rstrip("ABCDEFGH") for beat in record.beats if not beat.moment.startswith("S")}

    assert not page.locator("#r-reel").is_visible()
    assert page.locator("#r-chronicle figure svg:visible").count() >= len(turns)
    text = page.locator("#r-chronicle").inner_text()
    told = [line.text for beat in record.beats for line in beat.seen.get("truth", next(iter(beat.seen.values()))).told]
    assert told
    assert all(" ".join(one.split()) in " ".join(text.split()) for one in told[-5:])
    assert len(page.pdf()) > 20_000


@pytest.mark.parametrize(
    ("file", "size", "scheme"),
    [
        *((system, WIDE, "light") for system in ("crossroads", "half-league", "st-privat")),
        *((system, PHONE, "dark") for system in ("empire-1870", "kriegsspiel", "st-privat")),
    ],
    indirect=["file"],
)
def test_it_can_be_read_by_all(contexts: Contexts, file: Path, size: ViewportSize, scheme: str) -> None:
    context = contexts(viewport=size, color_scheme=scheme, reduced_motion="reduce")
    record = unpacked(file.read_text())
    page = opened(context, file, f"#{record.beats[-2].name}/truth+{record.eyes[1].name}")
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    checked(page)

    check_all_can_read(page)
