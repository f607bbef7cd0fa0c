"""Short letters that are no report and no receipt: briefings, refusals without orders, words from the GM."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from pbem.reports.pages.report import Page, report_subject
from pbem.reports.text import markdown, times
from pbem.reports.text.plain import tidy
from pbem.reports.text.speech import phrase, phrase_later

if TYPE_CHECKING:
    from jinja2 import Environment


class Notice(Struct, frozen=True, kw_only=True):
    """A short letter.  *body* is Markdown; *quoted* are texts shown as they are, each under its label.

    What of it is one text without fields is said in the language of its reader when it is printed.
    """

    campaign: str
    """Empty for a letter that belongs to no game: then nothing of any game stands in it."""
    subject: str
    heading: str
    summary: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    body: str = ""
    quoted: tuple[tuple[str, str], ...] = ()
    foot: str = phrase_later("Questions to the umpire: a line that begins   umpire:")


def subject_of(notice: Notice) -> str:
    """What a short letter is called, in the language of its reader."""
    head, mark, rest = notice.subject.rpartition("] ")
    return f"{head}{mark}{phrase(rest)}"


def notice_text(notice: Notice, env: Environment) -> str:
    """The letter as plain text of at most 78 columns."""
    return tidy(env.get_template("notice.txt").render(**_shared(notice), body=markdown.text(phrase(notice.body))))


def notice_html(notice: Notice, env: Environment) -> str:
    """The letter as a page."""
    return env.get_template("notice.html").render(**_shared(notice), body=markdown.html(phrase(notice.body)))


def _shared(notice: Notice) -> dict[str, object]:
    return {
        "notice": notice,
        "subject": subject_of(notice),
        "facts": [(phrase(term), value) for term, value in notice.facts],
    }


def briefing(page: Page, text: str, key: str) -> Notice:
    """The first letter to a player: who he is, what the position is (*text*, Markdown), how orders are sent.

    *key* is what the office signs files with; empty if that is not known.
    """
    view, campaign, moment = page.view, page.campaign, page.next
    heads = (f"game    {campaign}", f"role    {view.role}", *((f"turn    {moment}",) if moment else ()))
    sheet = "\n".join(("begin", *heads, "", *view.template, "end"))
    facts = [(phrase("Write to"), page.reply), (phrase("Your clock"), times.city(page.zone))]
    if page.due is not None:
        hour = times.when(page.due, page.zone, long=True)
        closes = (phrase("Due from you"), phrase("nothing now; the exchange closes {hour}", hour=hour))
        facts.append((phrase("Due"), f"{view.owed}, {hour}") if view.owed else closes)
    subject = phrase("{game}: you command, {role}", game=page.title, role=view.role)
    return Notice(
        campaign=campaign,
        subject=f"[{campaign}] {subject}",
        heading=page.title,
        summary=phrase("You are {who}.", who=view.addressed),
        facts=tuple(facts),
        body="\n\n".join((text.rstrip(), phrase(_HOW), *((phrase(_KEEP),) if key else ()))),
        quoted=(
            (phrase("A sheet of orders begins like this"), sheet),
            *(((phrase("The key of the office"), key),) if key else ()),
        ),
    )


def linked(page: Page, address: str) -> Notice:
    """That a report is there, at *address*, and what holds the office to it; of what it says, nothing."""
    view, moment = page.view, page.view.moment
    facts = []
    if view.over:
        facts.append(("The game is over", view.over))
    elif view.owed and page.due is not None:
        facts.append(("Due", f"{view.owed}, {times.when(page.due, page.zone, long=True)}"))
    heads = [("Log as known to you", page.head)] if page.head else []
    if page.promises and page.next:
        promised = f"{page.promises.open}\n{page.promises.closed}"
        heads.append((f"Promised for {page.next}, open and closed", promised))
    again = f", corrected: {page.correction}" if page.version > 1 else ""
    return Notice(
        campaign=page.campaign,
        subject=report_subject(page),
        heading=f"{page.title}: the report of {moment} is there{again}",
        summary=f"To {view.addressed}.",
        facts=tuple(facts),
        body=f"{address}\n\nOrders go there, or in an answer to this letter. `report {moment}` sends the report whole, "
        "`format page` every report from now on.",
        quoted=tuple(heads),
    )


_HOW = phrase_later("""# How to send orders

Write to the address above, or answer any letter of the game. One order stands on a line; a line that begins with
`#` is a note to yourself. The first lines of a sheet say `game`, `role` and `turn`. What you quote is not read.

- A receipt comes back at once. It says of each line what was understood, and what was refused and why; a line that
  is refused never costs the others.
- Until the deadline a new sheet replaces the old one. Begin it with `add` to add lines. Send `withdraw` to take all
  back.
- A turn may be run before its deadline when all orders are in; each receipt names the hour. `wait on` holds it until
  the deadline. Orders with refused lines hold it too, until you mend them or send `ready`.
- `status` says what is due and when. `help` sends the list of all such words, `help player` a guide to your first
  turn. `umpire: …` asks the umpire, and nobody else sees the answer.""")


_KEEP = phrase_later("""# What to keep

Keep the letters of the game as they came: each holds the office to what its log was then. When you are given the
campaign as a file, `pbem history witness` holds your letters to it. The office signs such a file, and the key below
(Ed25519) shows that it was this office.""")


def refusal(
    *,
    campaign: str,
    subject: str,
    why: str,
    instead: str = "",
    received: str,
    text: str = "",
    unread: tuple[tuple[str, str], ...] = (),
) -> Notice:
    """No orders were taken from a letter: too late, for no turn of this game, or not to be read.

    *received*: when it came, by its reader's clock.
    """
    return Notice(
        campaign=campaign,
        subject=subject,
        heading=phrase("No orders taken"),
        summary=why,
        facts=((phrase("Received"), received),),
        body=instead,
        quoted=(*(((phrase("What you wrote"), text),) if text.strip() else ()), *unread),
    )


FRAME = (
    phrase_later("Not read as orders"),
    phrase_later("Not read"),
    phrase_later("Due"),
    phrase_later("It closes"),
    phrase_later("The game is paused"),
    phrase_later("The game goes on"),
    phrase_later("Before"),
    phrase_later("Now"),
    phrase_later("It came"),
    phrase_later("Why it waits"),
    phrase_later("From the office"),
    phrase_later("A preview; nothing was entered"),
    phrase_later("By the campaign's clock"),
)
"""Headings and labels of notices of all rooms, which are said in the language of the reader when they are printed."""
