"""Every line of a letter is accounted for, once, whoever wrote it with whatever program, for whichever game."""

from __future__ import annotations

import base64
import os
import quopri
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from html import escape
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from pbem.desk.intake.unread import SHOWN
from pbem.desk.sheets import sheets
from pbem.desk.sheets.own_lines import own_lines
from pbem.kernel.names import Role
from pbem.kernel.owed import Pause
from pbem.mail.reading.letter import Letter, read_letter
from pbem.mail.wire.limits import UnreadableLetter
from pbem.orders.account import LineFate, of_fate
from pbem.orders.commands import WORDS
from pbem.orders.sheet import Line, lines_of
from pbem.orders.words import Sheet
from pbem.rules import registry
from tests.kit.table import Table, again
from tests.systems.play import SIXTH, SYSTEMS, Game, scenarios
from tests.systems.secret import autoplay, plug

pytestmark = pytest.mark.usefixtures("sixth")

PAUSES = 3
"""So many exchanges of each game are looked at."""

FOLDER = Path(__file__).parents[1] / "letters"
CORPORA = Path(os.environ["PBEM_LETTERS"]) if "PBEM_LETTERS" in os.environ else None


class Desk(NamedTuple):
    """Where a player sits: the game as it stands, his role, what he is sent to begin from, what he might write."""

    game: Game
    mind: Any
    role: Role
    template: tuple[str, ...]
    likely: tuple[str, ...]

    def part(self, lines: Sequence[Line]) -> Sheet:
        return sheets.part(self.game.system, self.game.scene, self.role, self.mind, lines)

    def reads(self, line: Line) -> bool:
        return sheets.reader(self.game.system, self.game.scene, self.mind, self.role)(line)


def _desks(name: str) -> Iterator[Desk]:
    game, secret = Game(registry.load(name), scenarios(name)[0]), plug(name)
    for pause in islice(autoplay(game, secret, Random(14), PAUSES), PAUSES):
        for call in pause.calls:
            yield _desk(game, call.role, pause)


def _desk(game: Game, role: Role, pause: Pause) -> Desk:
    mind = game.world.minds[role]
    template = game.system.view(game.scene, mind, role, (), pause).template
    return Desk(game, mind, role, tuple(template), tuple(plug(game.system.name).likely(game, role))[:40])


@pytest.fixture
def sixth(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy is installed."""
    monkeypatch.syspath_prepend(str(SIXTH))


@cache
def desks(name: str) -> list[Desk]:
    """A few places of a game to write from."""
    return list(_desks(name))


# ------------------------------------------------------------------------------------------------ as programs send it

HEAD = (
    "From: Ann <ann@player.example>\nTo: office@office.example\nSubject: Re: [game] 1A report\n"
    "Date: Fri, 20 Nov 2026 23:00:00 +0000\nMessage-ID: <1@player.example>\nMIME-Version: 1.0\n"
)
REPORT = ("THE FORD, TURN 1A", "", "begin", "game    game", "move s9 to 9", "end", "", "-- ", "The office")


def plain(text: str, fields: str = "") -> bytes:
    return f"{HEAD}Content-Type: text/plain; charset=utf-8{fields}\n\n{text}\n".encode()


def below(lines: Sequence[str]) -> bytes:
    quoted = "\n".join(f"> {line}" for line in REPORT)
    return plain("\n".join(("On Fri, 20 Nov 2026 at 22:00, Office <office@office.example> wrote:", quoted, "", *lines)))


def above(lines: Sequence[str]) -> bytes:
    quoted = "\n".join(f"> {line}" for line in REPORT)
    return plain("\n".join((*lines, "", "On Fri, 20 Nov 2026 at 22:00, Office <office@office.example> wrote:", quoted)))


def outlook(lines: Sequence[str]) -> bytes:
    fields = "From: Office <office@office.example>\nSent: Friday, 20 November 2026 22:00\nTo: Ann\nSubject: [game] 1A"
    return plain("\n".join((*lines, "", "_" * 32, fields, "", *REPORT)))


def flowed(lines: Sequence[str]) -> bytes:
    return plain("\n".join(lines), "; format=flowed")


def quoted_printable(lines: Sequence[str]) -> bytes:
    body = quopri.encodestring("\n".join(lines).encode())
    fields = f"{HEAD}Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n"
    return fields.encode() + body + b"\n"


def page(lines: Sequence[str]) -> bytes:
    """As Gmail writes it: a box for each line, blanks that do not break, the report quoted below."""
    rows = "".join(f"<div>{escape(line).replace('  ', ' &nbsp;') or '<br>'}</div>" for line in lines)
    quoted = "<br>".join(map(escape, REPORT))
    answered = f'<div class="gmail_quote"><blockquote>{quoted}</blockquote></div>'
    fields = f"{HEAD}Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: base64\n\n"
    return fields.encode() + base64.encodebytes(f"<html><body>{rows}{answered}</body></html>".encode())


def preformatted(lines: Sequence[str]) -> bytes:
    body = f"<pre>{escape(chr(10).join(lines))}</pre>"
    return f"{HEAD}Content-Type: text/html; charset=utf-8\n\n{body}\n".encode()


def phone(lines: Sequence[str]) -> bytes:
    return plain("\n".join((*lines, "", "Sent from my iPhone")))


def signed(lines: Sequence[str]) -> bytes:
    return plain("\n".join((*lines, "", "-- ", "Ann", "Ford & Sons, 12 Mill Lane")))


STYLES: dict[str, Callable[[Sequence[str]], bytes]] = {
    "plain": lambda lines: plain("\n".join(lines)),
    "above the quotation": above,
    "below the quotation": below,
    "Outlook": outlook,
    "flowed": flowed,
    "quoted-printable": quoted_printable,
    "a page": page,
    "a preformatted page": preformatted,
    "a phone": phone,
    "signed": signed,
}

MARKS: dict[str, Callable[[Sequence[str]], Sequence[str]]] = {
    "without marks": lambda lines: lines,
    "between marks": lambda lines: ("begin", "game    game", "", *lines, "end"),
    "between marks with words round them": lambda lines: (
        "Hi! Here are my orders.", "", "BEGIN", *lines, "*end*", "", "I am looking forward to your answer.",
    ),
    "with words round them": lambda lines: (
        "Hi! Here are my orders.", "", *lines, "", "Best regards,", "Ann Ford", "Ford & Sons", "12 Mill Lane",
    ),
    "with a mark and no end": lambda lines: ("Hello,", "begin:", *lines),
}  # fmt: skip


def filled(desk: Desk) -> tuple[str, ...]:
    """The template with orders in it."""
    return tuple("\n".join((*desk.template, *desk.likely)).splitlines())


def squeezed(text: str) -> str:
    return "".join(text.split())


def own(letter: Letter) -> tuple[Line, ...]:
    return own_lines(letter)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("marks", MARKS)
@pytest.mark.parametrize("name", SYSTEMS)
def test_no_order_of_a_template_that_was_filled_in_is_lost(name: str, marks: str, style: str) -> None:
    for desk in desks(name)[:2]:
        wanted = [squeezed(line.text) for line in desk.part(lines_of("\n".join(filled(desk)))).orders]
        letter = read_letter(STYLES[style](MARKS[marks](filled(desk))))
        sheet = desk.part(own(letter))

        assert [squeezed(line.text) for line in sheet.orders] == wanted
        assert not sheet.complaints
        assert len(wanted) > 0
        is_once(own(letter), sheet)


def is_once(lines: Sequence[Line], sheet: Sheet) -> None:
    """Each line stands in the account once; orders, commands and what is wrong are lines of it that are called so."""
    assert [one.line for one in sheet.account] == list(lines)
    assert of_fate(sheet.account, LineFate.ORDER) == tuple(sheet.orders)
    office = {line.number for line in of_fate(sheet.account, LineFate.OFFICE)}
    assert {one.line.number for one in sheet.commands} <= office
    assert {one.line for one in sheet.complaints} <= office | {
        line.number for line in of_fate(sheet.account, LineFate.HEAD)
    }


# ---------------------------------------------------------------------------------------------------- whatever it says

WORDS_SAID = (
    *(word.example for word in WORDS.values()),
    "wait maybe", "status now", "end letter", "game game", "role french", "turn 1A", "turn 99Z",
    "begin", "BEGIN:", "end", "End.", "--- end ---", "# a note", "", "  ", "-- ", "act a", "sub b",
    "Hi! Here are my orders.", "Best regards,", "Ann", "Tel. 12345", "mvoe p1", "hold", "?", "what now?",
    "confirm aaaq-eaye-auda-ocaj", "\u202emove p1", "move " * 200, "> quoted", "On the 3rd he wrote:",
)  # fmt: skip


@st.composite
def texts(draw: st.DrawFn) -> tuple[Desk, list[str]]:
    desk = draw(st.sampled_from(desks(draw(st.sampled_from(SYSTEMS)))))
    of_game = (*desk.template, *desk.likely, *desk.game.system.forms.values())
    line = st.one_of(st.sampled_from(of_game), st.sampled_from(WORDS_SAID), st.text(max_size=30))
    return desk, [text for one in draw(st.lists(line, max_size=30)) for text in one.splitlines() or [""]]


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(texts())
def test_every_line_of_any_text_is_accounted_for_once(said: tuple[Desk, list[str]]) -> None:
    desk, texts = said
    lines = [Line(number, text) for number, text in enumerate(texts, start=1)]
    sheet = desk.part(lines)

    is_once(lines, sheet)
    unsaid = of_fate(sheet.account, LineFate.BLANK, LineFate.COMMENT)
    assert not [line.text for line in unsaid if line.text.partition("#")[0].strip(" \t,.\u00a0")]
    assert len(sheet.commands) <= 20


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(texts(), st.sampled_from(sorted(STYLES)), st.sampled_from(sorted(MARKS)))
def test_no_order_of_any_letter_passes_for_prose(said: tuple[Desk, list[str]], style: str, marks: str) -> None:
    """What the rules would read stands among the orders, or is named as outside the marks, or belongs to a letter."""
    desk, texts = said
    try:
        letter = read_letter(STYLES[style](MARKS[marks](texts)))
    except UnreadableLetter:
        return
    sheet = desk.part(own(letter))

    is_once(own(letter), sheet)
    prose = [line.text for line in of_fate(sheet.account, LineFate.PROSE) if desk.reads(line)]
    assert not [text for text in prose if not text.rstrip().endswith(":")]


def letters() -> list[Path]:
    there = sorted(FOLDER.glob("*.eml"))
    if CORPORA:
        there += sorted(path for path in CORPORA.rglob("*") if path.is_file() and path.name != "SOURCE.txt")
    return there


def test_every_line_of_every_letter_of_the_corpora_is_accounted_for_once() -> None:
    [desk, *_] = desks("toy")
    seen = 0
    for path in letters():
        raw = path.read_bytes()
        try:
            letter = read_letter(raw)
        except UnreadableLetter:
            continue
        lines = own(letter)
        is_once(lines, desk.part(lines))
        numbers = [line.number for line in lines] + [one.number for one in letter.ignored]
        assert len(numbers) == len(set(numbers)), path
        for file in letter.files:
            of_file = tuple(Line(line.number, line.text) for line in file.lines)
            is_once(of_file, desk.part(of_file))
        seen += 1

    assert seen > 250


# ------------------------------------------------------------------------------------------------ what its writer hears

SHOWN_FATES = (LineFate.ORDER, LineFate.OFFICE, LineFate.PROSE, LineFate.OUTSIDE, LineFate.OVER)
"""Of which the lines themselves stand in the answers; of some, when they are many, the first."""


def heard(table: Table, raw: bytes) -> str:
    """All plain text that the smuggler is answered with, without its blanks."""
    before = {mail.id for mail in table.mails}
    table.written += 1
    table.receive(raw.replace(b"<1@player", f"<{table.written}@player".encode()))
    new = [mail for mail in table.mails if mail.id not in before and mail.player]
    return squeezed(" ".join(table.text_of(mail) for mail in new))


def unheard(sheet: Sheet, answers: str) -> list[str]:
    """Lines of a letter that none of its answers shows."""
    found: list[str] = []
    for fate in SHOWN_FATES:
        lines = of_fate(sheet.account, fate)
        shown = lines if fate in (LineFate.ORDER, LineFate.OFFICE) else lines[:SHOWN]
        # What is done by the office is said in other words, and the subject of the answer names it.
        words = [
            line.text.split(maxsplit=1)[0] if fate is LineFate.OFFICE else line.text for line in shown if line.text
        ]
        found += [text for text in words if squeezed(text)[:40] not in answers]
    return found


SHEETS = {
    "orders alone": ["move s1 to 3", "move s9 to 3", "mvoe s1"],
    "a friendly letter": ["Hi! Here they are.", "", "move s1 to 3", "", "Best regards,", "Ann", "Tel. 12"],
    "marks": ["Dear office,", "begin", "move s1 to 3", "end", "move s2 to 2", "and thanks"],
    "words to the office": ["status", "umpire: may I swim?", "wait maybe", "wait on"],
    "words and orders": ["status", "move s1 to 3", "wait maybe", "letter to guard: come over", "umpire:", "why?"],
    "words and prose": ["Hello there, I have a question.", "status", "I hope that you are well."],
    "prose alone": ["I have been away, and will write tomorrow."],
    "too late": ["turn S0", "I know that this is late.", "move s1 to 3"],
    "a preview": ["preview", "Only asking what they would do.", "move s1 to 3"],
    "withdrawn": ["withdraw", "I will send better ones tomorrow, sorry."],
    "too many words": [f"report {n}A" for n in range(30)],
    "two sheets": ["begin", "move s1 to 3", "end", "between them", "begin", "move s2 to 2", "end"],
    "a contradiction": ["turn 1A", "turn 2A", "move s1 to 3"],
}


@pytest.mark.parametrize("style", ["plain", "above the quotation", "Outlook", "a page", "signed"])
@pytest.mark.parametrize("name", SHEETS)
def test_the_answers_show_every_line_that_was_typed(ford: Table, name: str, style: str) -> None:
    raw = STYLES[style](SHEETS[name]).replace(b"[game]", b"[ford]").replace(b"Re: [ford] 1A report", b"Re: [ford]")
    letter = read_letter(raw)
    [desk, *_] = [one for one in desks("toy") if one.role == "smuggler"]
    answers = heard(ford, raw)

    assert answers
    assert unheard(desk.part(own(letter)), answers) == []
    quoted = len([one for one in letter.ignored if one.why != "signature"])
    assert not quoted or "quotedline" in answers


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(
        st.sampled_from(
            [line for sheet in SHEETS.values() for line in sheet if not line.startswith(("report", "letter", "turn"))]
        ),
        min_size=1,
        max_size=12,
    ),
    st.sampled_from(sorted(STYLES)),
)
@example(["status", "move s1 to 3", "begin", "hello", "move s2 to 2"], "plain")
@example(["move s1 to 3", "wait on", "preview"], "Outlook")
def test_the_answers_show_every_line_of_any_letter(begun: tuple[Path, int], lines: list[str], style: str) -> None:
    raw = STYLES[style](lines).replace(b"Re: [game] 1A report", b"[ford] orders")
    letter, (folder, drawn) = read_letter(raw), begun
    [desk, *_] = [one for one in desks("toy") if one.role == "smuggler"]
    sheet = desk.part(own(letter))
    with tempfile.TemporaryDirectory() as there:
        shutil.copytree(folder, Path(there) / "office")
        with again(Path(there) / "office", drawn) as table:
            answers = heard(table, raw)

    if any(line.text.strip() for line in own(letter)):
        assert unheard(sheet, answers) == []


@pytest.mark.parametrize("name", SYSTEMS)
def test_two_thousand_mistakes_are_not_two_thousand_riddles(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What lines may have meant is looked into for some of them: the work of a sheet grows with its lines alone."""
    desk = desks(name)[0]
    tried = 0

    def counting(*_: object, **__: object) -> list[str]:
        nonlocal tried
        tried += 1
        return []

    monkeypatch.setattr("rapidfuzz.process.extract", counting)
    text = "\n".join(f"mov{letter}e p{number} to Q{number}" for number in range(60) for letter in "abcdexyz")
    sheet = desk.part(lines_of(text))
    part, tried = tried, 0
    game, call = desk.game, desk.game.pause.call(desk.role)
    judged = sheets.judge(game.system, game.scene, desk.mind, desk.role, sheets.written(sheet.orders), call)

    assert judged.refused == len(sheet.orders) > 400
    assert part <= 2 * len(lines_of(text))
    assert tried <= 10 * sheets.EXPLAINED
