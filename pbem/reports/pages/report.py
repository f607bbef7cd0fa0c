"""A turn report: everything on one role's page, as HTML, as plain text, and as the body of a letter."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from msgspec import Struct

from pbem.kernel.dice import worded, words_line
from pbem.kernel.event import Throw
from pbem.kernel.names import CampaignId, Moment, Role
from pbem.kernel.office import Promises
from pbem.orders.sheet import lines_of
from pbem.reports.maps.maps import draw
from pbem.reports.maps.plots import figures, plot
from pbem.reports.text import times
from pbem.reports.text.letter import inlined
from pbem.reports.text.plain import tidy
from pbem.rules.view import Note, Told, View

if TYPE_CHECKING:
    from jinja2 import Environment, Template


MAIL_LIMIT = 100 * 1024
"""Bytes of a letter's HTML body: what is longer is cut off by some readers of mail."""


LONGEST_ALT = 600
"""Letters of what stands for the map in a letter."""


class Sent(Struct, frozen=True, kw_only=True):
    """A sheet of the role's own that was played in this report."""

    moment: Moment
    name: str
    """What it was for: `movement`."""
    receipt: int
    at: int
    """Microseconds UTC."""
    text: str
    """The whole sheet as it stood: line n of it is what the role ordered in line n."""


class Changes(Struct, frozen=True, kw_only=True):
    """What a corrected report tells otherwise than the version before it, sentence by sentence."""

    new: tuple[int, ...] = ()
    """Which of what happened is new, by its number in the view, from 0."""
    new_results: tuple[int, ...] = ()
    """Which of what became of orders is new, likewise."""
    gone: tuple[Told, ...] = ()
    """What happened in the version before, and did not."""
    gone_results: tuple[Told, ...] = ()
    """What became of orders in it, and did not."""
    sent: tuple[Sent, ...] = ()
    """The sheets of which these were lines."""


class Page(Struct, frozen=True, kw_only=True):
    """A view, and beside it what only the office knows.  Times are microseconds UTC."""

    view: View
    campaign: CampaignId
    title: str
    """Of the campaign: `Graveyard St. Privat`."""
    system: str
    rules: str
    """Name and version: `st-privat 1.4.0`."""
    zone: str
    """The reader's, as the IANA names it."""
    now: int
    due: int | None = None
    next: Moment | None = None
    """The moment that orders are now owed or free for."""
    next_name: str = ""
    hours: tuple[tuple[str, int], ...] = ()
    """Further hours that are fixed, each with what it is for: those of the run of the next moment."""
    sent: tuple[Sent, ...] = ()
    promised: Promises | None = None
    """Of the moment reported."""
    open_seed: str = ""
    """Of the moment reported, now revealed."""
    with_words: bool = False
    """The dice of exchanges are made of the players' words too."""
    words: tuple[tuple[Role, str], ...] = ()
    """Of the moment reported, by role; empty where its dice are the office's alone."""
    unanswered: tuple[Role, ...] = ()
    """Of the set-up, whose player had not answered his invitation."""
    promises: Promises | None = None
    """Of the next moment."""
    closed_seeds: tuple[tuple[str, str], ...] = ()
    """By moment, revealed when the game is over."""
    open_seeds: tuple[tuple[str, str], ...] = ()
    """By moment, those that were revealed only when the game was over."""
    former_seeds: tuple[tuple[str, str], ...] = ()
    """By promise, revealed when the game is over: seeds of what was opened anew."""
    sealed: bool = False
    """No seed is revealed before that."""
    opened: str = ""
    """The file, when the game is over, in which the whole of it is opened."""
    replay: str = ""
    """That in which it moves."""
    version: int = 1
    """2 and more: a corrected report."""
    correction: str = ""
    """Why it was corrected."""
    changes: Changes | None = None
    """None: it is no corrected one, or what the one before said is not kept."""
    as_json: bool = False
    """Its reader wants it as JSON too."""
    head: str = ""
    """The hash at which the log ended that this role may know."""
    reply: str = ""
    """The address orders go to."""
    remarks: tuple[tuple[str, int], ...] = ()
    """Notes of the umpire's for this reader, and when he wrote them."""

    @property
    def words_line(self) -> str:
        """The words as they enter the seeds of the moment reported."""
        return words_line(self.view.moment, dict(self.words))

    @property
    def dice_seed(self) -> str:
        """The open seed that the dice of the moment reported fell by, in hexadecimal; empty while it is not known."""
        if not self.words or not self.open_seed:
            return self.open_seed
        return worded(bytes.fromhex(self.open_seed), self.view.moment, dict(self.words)).hex()


class Order(Struct, frozen=True):
    """One of the role's own lines, and what became of it."""

    line: int
    text: str
    told: Told


class Batch(Struct, frozen=True):
    """The lines of one sheet."""

    sent: Sent | None
    moment: Moment
    orders: tuple[Order, ...]


RESULTS = {
    "done": ("ok", "disc"),
    "in part": ("part", "half"),
    "not carried out": ("fail", "cross"),
    "given": ("ok", "disc"),
    "sent": ("wait", "half"),
    "standing": ("wait", "ring"),
    "superseded": ("wait", "ring"),
    "not used": ("wait", "ring"),
}
"""How each result is marked: its colour, and a sign that says the same."""


def report_html(page: Page, env: Environment) -> str:
    """The whole report as one file: no scripts, nothing remote, both themes, and print."""
    drawing = draw(page.view.picture)
    looks, courses = page.view.picture.looks, page.view.courses
    plots = [(plot(course, f"plot{i}", looks), course.words) for i, course in enumerate(courses)]
    return _find(env, page, "report.html").render(**_shared(page), drawing=drawing, plots=plots)


def report_text(page: Page, env: Environment) -> str:
    """The whole report as plain text, at most 78 columns wide."""
    said = [course.words or figures(course) for course in page.view.courses]
    text: str = _find(env, page, "report.txt").render(**_shared(page), plots=said)
    return tidy(text)


def mail_body_html(page: Page, env: Environment, map_cid: str) -> str:
    """The report as the HTML of a letter: styles in every tag, the map by Content-ID, never above `MAIL_LIMIT`."""
    template = _find(env, page, "mail.html")
    body = ""
    for depth in ("notes", "told", "orders"):
        body = inlined(
            template.render(**_shared(page), map_cid=map_cid, map_alt=_map_alt(page), depth=depth, file=file_name(page))
        )
        if len(body.encode()) <= MAIL_LIMIT:
            break
    return body


def file_name(page: Page) -> str:
    """What the attached report is called: `report-4b-french.html`, corrected `report-4b-french-v2.html`."""
    again = f"-v{page.version}" if page.version > 1 else ""
    role = page.view.role.replace(".", "-")
    return f"report-{str(page.view.moment).lower()}-{role}{again}.html"


def report_subject(page: Page) -> str:
    """The subject of the letter: what it is, and what is due when."""
    corrected = f", corrected (version {page.version})" if page.version > 1 else ""
    interim = "interim " if page.view.moment.halt else ""
    about = f"[{page.campaign}] {page.view.moment} {interim}report, {page.view.role}{corrected}"
    if page.view.over:
        return f"{about}. The game is over"
    if page.view.owed and page.due is not None:
        return f"{about}. Due: {page.view.owed}, {times.in_zone(page.due, page.zone)}"
    return about


def _find(env: Environment, page: Page, name: str) -> Template:
    """The system's own template, where it has one."""
    return env.select_template([f"{page.system}/{name}", name])


def _shared(page: Page) -> dict[str, object]:
    view = page.view
    return {
        "page": page,
        "view": view,
        "batches": _batches(view.ordered, page.sent),
        "gone_batches": _batches(page.changes.gone_results, page.changes.sent) if page.changes else (),
        "gone_phases": _phases(page.changes.gone) if page.changes else (),
        "is_new": _is_new(page),
        "otherwise": _otherwise(page),
        "tally": _tally(view.ordered),
        "phases": _phases(view.happened),
        "results": RESULTS,
        "throws": _throws(view),
        "template": _template(page),
    }


def _is_new(page: Page) -> Callable[[Told], bool]:
    """Whether a line of the view, it and no other that says the same, is new in a corrected report."""
    changes, view = page.changes or Changes(), page.view
    new = [view.happened[at] for at in changes.new] + [view.ordered[at] for at in changes.new_results]
    marked = {id(told) for told in new}
    return lambda told: id(told) in marked


def _otherwise(page: Page) -> str:
    """In a sentence or two, how far a corrected report differs from the version before it."""
    if page.changes is None:
        return ""
    before = f"version {page.version - 1}"
    new = len(page.changes.new) + len(page.changes.new_results)
    gone = len(page.changes.gone) + len(page.changes.gone_results)
    if not new and not gone:
        return f"It tells you nothing else than {before} did."
    fresh = "One sentence is new, and is marked so." if new == 1 else f"{new} sentences are new, and are marked so."
    lapsed = f"One that {before} told no longer holds." if gone == 1 else f"{gone} that {before} told no longer hold."
    return " ".join(
        (
            fresh if new else "No sentence is new.",
            lapsed if gone else f"All that {before} told still holds.",
        )
    )


def _batches(ordered: Iterable[Told], sent: Sequence[Sent]) -> tuple[Batch, ...]:
    """Lines of the role's own, sheet by sheet, with the words that it wrote in those it *sent*."""
    sheets = {one.moment: one for one in sent}
    batches = []
    in_order = sorted(ordered, key=lambda one: (one.moment, one.line))
    for moment, told in groupby(in_order, key=lambda one: one.moment):
        sheet = sheets.get(moment)
        texts = {line.number: line.text.strip() for line in lines_of(sheet.text)} if sheet else {}
        orders = tuple(Order(one.line, texts.get(one.line, ""), one) for one in told)
        batches.append(Batch(sheet, moment, orders))
    return tuple(batches)


def _tally(ordered: Sequence[Told]) -> str:
    """How many lines came to what: `11 lines: 8 done, 1 in part, 1 not carried out, 1 standing`."""
    counts = [(word, sum(one.result == word for one in ordered)) for word in RESULTS]
    said = ", ".join(f"{count} {word}" for word, count in counts if count)
    return f"{len(ordered)} line{'' if len(ordered) == 1 else 's'}: {said}." if said else ""


def _phases(told: Iterable[Told]) -> tuple[tuple[str, tuple[Told, ...]], ...]:
    return tuple((phase, tuple(group)) for phase, group in groupby(told, key=lambda one: one.phase))


def _throws(view: View) -> tuple[Throw, ...]:
    """Every throw in the report, each once, in order."""
    notes: list[Note] = [note for told in (*view.happened, *view.ordered) for note in told.notes]
    return tuple({throw.name: throw for note in notes for throw in note.dice}.values())


def _template(page: Page) -> str:
    """A sheet to begin from: it reads back as it stands."""
    if page.next is None:
        return ""
    heads = (f"game    {page.campaign}", f"role    {page.view.role}", f"turn    {page.next.written}")
    return "\n".join(("begin", *heads, "", *page.view.template, "end"))


def _map_alt(page: Page) -> str:
    """What the picture in a letter says to those who do not see it."""
    picture = page.view.picture
    said = " ".join(f"{place}: {text}" for place, text in picture.words[:2])
    alt = _shortened(f"{picture.focus_caption or picture.title} {said}".strip(), LONGEST_ALT)
    # Inlining writes angle brackets in attributes bare: that is lawful, but some filters of mail cut at them.
    return alt.translate({ord("<"): "‹", ord(">"): "›"})


def _shortened(words: str, most: int) -> str:
    """As much of *words* as fits: to the end of a sentence or of an item, or else of a word."""
    if len(words) <= most:
        return words
    kept = words[: most + 1]
    end = max(kept.rfind(". ") + 1, kept.rfind("; "))
    # Where nothing ends for long, a half sentence says more.
    return kept[: end if end > most // 2 else max(kept.rfind(" "), 0) or most]
