"""The desk: letters taken in, exchanges resolved and made known, the past of a campaign found again; reports."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count, cycle, islice
from pathlib import Path
from time import perf_counter, sleep
from typing import Any
from unittest.mock import patch

from jinja2 import Template
from msgspec.structs import replace

from pbem.desk.books.dossiers import load
from pbem.desk.books.seeds import Pair as Known
from pbem.desk.intake.receive import receive
from pbem.desk.office.office import Office
from pbem.desk.pages import pages
from pbem.desk.post.entries import Entry, commit
from pbem.desk.post.writing import maps_later, write_drawn
from pbem.desk.proof import resolving
from pbem.desk.sheets import check
from pbem.desk.sheets.sheets import standing_orders
from pbem.desk.turns import adjudicate, playing, publish
from pbem.desk.worlds import worlds
from pbem.desk.worlds.walk import Walk, decisions
from pbem.kernel.event import Outcome
from pbem.kernel.names import Moment
from pbem.kernel.office import ExchangeResolved
from pbem.reports.drawing.png import png
from pbem.reports.maps.maps import draw, enlargement
from pbem.reports.pages.environment import environment
from pbem.reports.pages.report import Page, report_html
from pbem.resources import resources
from pbem.storage import database, secrets
from pbem.storage.database import Connection, Engine
from tests.bench.baselines import rendered
from tests.bench.measure import Job, Pair
from tests.bench.offices import LUCK, ROLES, begun, dossier, facts, hall, letter, play_on, played

CAMPAIGN = "autumn"
LETTERS, LINES = 20, 14
"""Letters that one call takes in, and order lines in each."""
CAMPAIGNS = 4
"""Campaigns whose turn one call resolves, two reports each."""
ROUNDS = 3
TURNS, FACTS = 100, 40
"""A long campaign: its turns, and the facts of each."""
LATE, MUCH = 200, 100
"""A campaign that has gone on for long: its turns, and the facts of each."""
EARLY, FULL = 3, 12
"""Exchanges after which the first moves are made, and after which much has happened."""

_CAPTIONS = count()


@contextmanager
def without_pictures() -> Iterator[None]:
    """The picture of the map is measured apart: while this lasts, none is made."""
    with patch.object(pages, "as_png", lambda *_, **__: b""):
        yield


def advanced(office: Office, campaign: str, exchanges: int, luck: str = LUCK) -> None:
    """A campaign in which so many exchanges of the game have been played."""
    begun(office, campaign)
    for stretch in played(luck)[1][:exchanges]:
        play_on(office, campaign, stretch)


@contextmanager
def intake(folder: Path) -> Iterator[Pair]:
    """Letters with a sheet of orders each, every one another than that before it."""
    number = count()
    with hall(folder) as office, without_pictures():
        advanced(office, CAMPAIGN, EARLY)
        sheets = played()[1][EARLY].sheets

        def letters() -> list[bytes]:
            written = []
            for _ in range(LETTERS):
                mark = next(number)
                role = ROLES[mark % 2]
                said = cycle(sheets[role].splitlines())
                text = "\n".join(islice(said, mark, mark + LINES))
                written.append(letter(CAMPAIGN, role, text, f"{mark}"))
            return written

        def ours() -> None:
            for one in letters():
                found = receive(office, one, way="pipe")
                assert found.receipt is not None, found

        yield Pair(ours, 1 / 40, LETTERS)


@contextmanager
def lock(folder: Path) -> Iterator[Pair]:
    """The longest that others must wait before they can write, while letters are taken in and answered."""
    with intake(folder) as pair:
        longest: list[float] = []
        plain = database.transaction

        @contextmanager
        def timed(engine: Engine) -> Iterator[Connection]:
            with plain(engine) as connection:
                start = perf_counter()
                yield connection
            longest.append(perf_counter() - start)

        def ours() -> float:
            longest.clear()
            with patch.object(database, "transaction", timed):
                assert callable(pair.ours)
                pair.ours()
            return max(longest)

        yield Pair(ours, 0.05)


@contextmanager
def due(folder: Path) -> Iterator[tuple[Office, Callable[[], None]]]:
    """An office where an exchange of several campaigns is due, and what resolves and makes known so many of them.

    The maps of the reports are drawn by whoever writes what is left.
    """
    names = (f"c{number}" for number in range(CAMPAIGNS * ROUNDS))
    with hall(folder) as office:
        with without_pictures():
            for number in range(CAMPAIGNS * ROUNDS):
                name = f"c{number}"
                # A map once drawn is kept for a while: those measured one after another are different.
                luck = f"{LUCK}{number % CAMPAIGNS}"
                advanced(office, name, EARLY, luck)
                for role, text in played(luck)[1][EARLY].sheets.items():
                    receive(office, letter(name, role, text, f"{name}.{role}"), way="pipe")

        def resolve() -> None:
            for _ in range(CAMPAIGNS):
                name = next(names)
                adjudicate.run(office, name, early=True)
                publish.release(office, name)

        with maps_later(office):
            yield office, resolve


@contextmanager
def turn(folder: Path) -> Iterator[Pair]:
    """An exchange of several campaigns resolved and made known, a report to each role: the game goes on."""
    with due(folder) as (_, resolve):
        yield Pair(resolve, 14 / 200, CAMPAIGNS * len(ROLES))


@contextmanager
def mails(folder: Path) -> Iterator[Pair]:
    """The same until each report lies in the outbox, its map drawn as PNG by processes of their own."""
    with due(folder) as (office, resolve), pages.drawer_of(office) as drawer:

        def ours() -> None:
            resolve()
            while write_drawn(office, drawer):
                sleep(0.01)

        yield Pair(ours, 60 / 200, CAMPAIGNS * len(ROLES))


@contextmanager
def again_and_once(folder: Path) -> Iterator[Pair]:
    """The last exchange decided anew from the log, and as a run decides it."""
    with hall(folder) as office, without_pictures():
        advanced(office, CAMPAIGN, FULL)
        now = dossier(office, CAMPAIGN)
        decision = [one for one in decisions(now.log) if one.how == "run"][-1]
        assert isinstance(decision.by, ExchangeResolved)
        moment = decision.by.moment
        walk = Walk(now)
        walk.to(decision.first - 1)
        world, before = walk.world(), walk.now
        with office.read() as connection:
            seeds = secrets.get(connection, now.id, before.campaign.exchanges[moment].promises)
        known = Known(seeds.open, seeds.closed)

        def once() -> None:
            orders = standing_orders(before, moment)
            playing.play(before, world, orders, before.campaign.answers, moment, seeds)

        yield Pair(lambda: resolving.decide(walk, decision, known), once)


def passed(office: Office, campaign: str, come: Sequence[Outcome], each: int, *, remembered: bool = True) -> None:
    """Let so much come to pass in turns of *each* facts, the world after each of them *remembered* as a run does it."""
    for turn, first in enumerate(range(0, len(come), each), start=1):
        with office.write() as connection:
            entry = Entry(load(office, connection, campaign), office.now(), "office")
            batch = come[first : first + each]
            entry.add(Moment(turn), *batch)
            if remembered:
                world = worlds.world_at(office, connection, entry.dossier)
                entry.remember(worlds.fold_facts(entry.dossier.system, world, batch))
            commit(office, connection, entry)


@contextmanager
def any_state(folder: Path) -> Iterator[Pair]:
    """The world in the middle of a turn of a long campaign, by a snapshot, and by replay from the beginning."""
    with hall(folder) as office:
        begun(office, CAMPAIGN)
        passed(office, CAMPAIGN, facts(TURNS * FACTS), FACTS)
        now = dossier(office, CAMPAIGN)
        then = now.seq - 20 * FACTS - FACTS // 2

        def by_snapshot() -> None:
            del office.kept_of("worlds", CAMPAIGN)["worlds"]
            with office.read() as connection:
                worlds.world_at(office, connection, now, then)

        yield Pair(by_snapshot, lambda: worlds.fold(now, now.blank, after=0, upto=then))


@contextmanager
def late_letter(folder: Path) -> Iterator[Pair]:
    """A sheet for a campaign of many turns, and for one of few, each by a process that knows nothing yet.

    Of both what the last exchange has changed is still to be folded.
    """
    with hall(folder) as office, without_pictures():
        for name, turns in ((CAMPAIGN, LATE), ("spring", 1)):
            begun(office, name)
            passed(office, name, facts(turns * MUCH), MUCH)
            passed(office, name, facts(MUCH), MUCH, remembered=False)
        sheets = played()[1][0].sheets
        number = count()

        def to(campaign: str) -> None:
            office.kept.clear()
            mark = next(number)
            text = "\n".join(islice(cycle(sheets[ROLES[0]].splitlines()), mark, mark + LINES))
            found = receive(office, letter(campaign, ROLES[0], text, f"late.{campaign}.{mark}"), way="pipe")
            assert found.receipt is not None, found

        yield Pair(lambda: to(CAMPAIGN), lambda: to("spring"))


@contextmanager
def refold(folder: Path) -> Iterator[Pair]:
    """All facts of a game, folded into the truth and what each side knows."""
    game = played()[0]
    yield Pair(lambda: worlds.fold_facts(game.system, game.blank, game.facts), 1 / 10_000, len(game.facts))


@contextmanager
def checked(folder: Path) -> Iterator[Pair]:
    """A file of orders judged in an open office, as its receipt would."""
    with hall(folder) as office, without_pictures():
        advanced(office, CAMPAIGN, EARLY)
        sheet = played()[1][EARLY].sheets[ROLES[1]].encode()
        yield Pair(lambda: check.in_campaign(office, CAMPAIGN, ROLES[1], sheet), 0.005)


def page(office: Office) -> Page:
    """The page of a report on which much has happened."""
    advanced(office, CAMPAIGN, FULL)
    now, role = dossier(office, CAMPAIGN), ROLES[1]
    with office.read() as connection:
        issued = now.campaign.reports[role][-1]
        return pages.issued_page(office, connection, now, role, issued, zone="Europe/Berlin")


def fresh(shown: Page) -> Page:
    """A page that nobody has drawn before: a map once drawn is kept for a while."""
    picture = replace(shown.view.picture, caption=f"{next(_CAPTIONS)}")
    return replace(shown, view=replace(shown.view, picture=picture))


@contextmanager
def report(folder: Path) -> Iterator[Pair]:
    """A report with its map drawn, and its template filled when all is drawn."""
    env = environment(resources("templates"))
    with hall(folder) as office, without_pictures():
        shown = page(office)
        given: dict[str, Any] = {}
        template = env.get_template("report.html")

        def kept(_: Template, **context: object) -> str:
            given.update(context)
            return ""

        with patch.object(Template, "render", kept):
            report_html(shown, env)
        yield Pair(lambda: report_html(fresh(shown), env), lambda: rendered(template, given))


@contextmanager
def report_size(folder: Path) -> Iterator[Pair]:
    """How big a report is."""
    env = environment(resources("templates"))
    with hall(folder) as office, without_pictures():
        shown = page(office)
        yield Pair(lambda: len(report_html(shown, env).encode()) / 1000, 300)


@contextmanager
def map_drawn(folder: Path) -> Iterator[Pair]:
    """The map of a report, as SVG."""
    with hall(folder) as office, without_pictures():
        shown = page(office)
        yield Pair(lambda: draw(fresh(shown).view.picture), 0.03)


@contextmanager
def map_picture(folder: Path) -> Iterator[Pair]:
    """The map of a letter, as PNG."""
    with hall(folder) as office, without_pictures():
        shown, fonts = page(office), resources("templates") / "fonts"
        yield Pair(lambda: png(enlargement(fresh(shown).view.picture), fonts, width=pages.MAP_WIDTH), 0.43)


JOBS = (
    Job(
        name="intake",
        what=f"a letter of {LINES} orders taken in: read, judged, kept, its receipt made",
        base="limit",
        target=1,
        aim="aimed at: 100 letters/s",
        prepare=intake,
        rounds=5,
        rate="letters",
    ),
    Job(
        name="lock",
        what=f"the longest that the database is locked while {LETTERS} letters are taken in and answered",
        base="limit",
        target=1,
        prepare=lock,
        rounds=5,
        unit="longest",
    ),
    Job(
        name="reports",
        what="a report, from orders until the game goes on",
        base="limit",
        target=1,
        aim="aimed at: 200 in 10 s",
        prepare=turn,
        rounds=ROUNDS,
        rate="reports",
    ),
    Job(
        name="mails",
        what="a report, from orders until it lies in the outbox with its map as PNG",
        base="limit",
        target=1,
        aim="aimed at: 200 in 60 s",
        prepare=mails,
        rounds=ROUNDS,
        rate="reports",
    ),
    Job(
        name="again",
        what="an exchange resolved again from the log",
        base="resolved once",
        target=1.1,
        prepare=again_and_once,
        rounds=15,
    ),
    Job(
        name="state",
        what="the world at an event, by snapshot",
        base="replay from zero",
        target=0.05,
        prepare=any_state,
        rounds=15,
    ),
    Job(
        name="late-letter",
        what=f"a letter of {LINES} orders taken in after {LATE} turns of {MUCH} facts, by a process that knows nothing",
        base="after one turn",
        target=1.2,
        prepare=late_letter,
        rounds=15,
    ),
    Job(
        name="refold",
        what="a fact folded into the truth and both minds",
        base="limit",
        target=1,
        prepare=refold,
        rounds=9,
        rate="facts",
    ),
    Job(
        name="check",
        what="a file of orders checked, office open",
        base="limit",
        target=1,
        prepare=checked,
        rounds=15,
    ),
    Job(
        name="report",
        what="a report with its map",
        base="its template alone",
        target=4.5,
        aim="aimed at: 1.3, with a map whose labels look for no place",
        prepare=report,
        rounds=15,
    ),
    Job(
        name="report-size",
        what="the size of a report",
        base="limit",
        target=1,
        prepare=report_size,
        rounds=1,
        unit="kB",
    ),
    Job(
        name="map",
        what="a map drawn",
        base="limit",
        target=1,
        prepare=map_drawn,
        rounds=15,
    ),
    Job(
        name="map-png",
        what="a map as PNG",
        base="limit",
        target=1,
        prepare=map_picture,
        rounds=3,
    ),
)
