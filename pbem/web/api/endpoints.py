"""The endpoints: each a route of the one table, with what it takes, what it gives, and what it is for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import Struct

from pbem.desk.intake.receive import LARGEST as LARGEST_LETTER
from pbem.desk.library.readied import decoded
from pbem.desk.reading import asked, games, letters, turns
from pbem.desk.reading.games import Mine
from pbem.desk.reading.live import live
from pbem.desk.reading.turns import Turn
from pbem.kernel.errors import BadMoment, Refused
from pbem.kernel.names import Moment
from pbem.reports.pages.receipt import REFUSALS
from pbem.reports.text.times import stamp
from pbem.web.api import shapes
from pbem.web.asking import Answer, Ask, Data, Does, File, NotThere, Page
from pbem.web.guard import Refusal
from pbem.web.handing import handed
from pbem.web.pages.letters import in_words
from pbem.web.rights import Route, Who

BASE = "/api/v1"
ROLE = f"{BASE}/games/{{campaign}}/{{role}}"
LARGEST = LARGEST_LETTER + 64 * 1024

T = TypeVar("T")


class Endpoint(Struct, frozen=True, kw_only=True):
    """One endpoint."""

    method: Literal["GET", "POST"]
    path: str
    who: Who
    does: Does
    gives: Any
    """The type of its answer; text: JSON of a shape that is described elsewhere."""
    says: str
    takes: type[Struct] | None = None
    orders: bool = False
    """Whether the token must be one that may order."""

    def route(self) -> Route:
        """Its line in the table of routes."""
        return Route(
            self.method, self.path, self.who, self.does,
            by=("program",), orders=self.orders, largest=LARGEST, safe=False,
        )  # fmt: skip


def taken(ask: Ask, type: type[T]) -> T:
    """What was sent, read as *type*.

    :raises Refusal: if it is none.
    """
    try:
        return decoded(ask.body, type)
    except (msgspec.ValidationError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Refusal(422, f"What was sent is not what is taken here: {error}.  Nothing was done.") from None


def iso(at: int | None) -> str:
    """A time as programs read it; empty: none."""
    return stamp(at) if at else ""


# ------------------------------------------------------------------ who, and what is due


def me(ask: Ask) -> Answer:
    """Whose token it is."""
    assert ask.visit is not None, "it is a program's"
    return Data(shapes.Me(ask.player.id, ask.player.name or "", ask.player.zone, ask.visit.session.scope))


def mine(ask: Ask) -> Answer:
    """All roles of the player."""
    return Data([_game(one) for one in games.games(ask.office, ask.player)])


def _game(one: Mine) -> shapes.Game:
    return shapes.Game(
        campaign=one.campaign,
        title=one.title,
        role=one.role,
        addressed=one.addressed,
        state=one.state,
        turn=str(one.moment or ""),
        owed=one.owed,
        due=iso(one.due),
        otherwise=one.otherwise,
        receipt=one.sheet.receipt if one.sheet else 0,
        report=str(one.report.moment) if one.report else "",
        headline=one.headline,
        over=one.over,
    )


def news(ask: Ask) -> Answer:
    """What came of late."""
    return Data(
        [
            shapes.News(
                at=iso(one.at),
                campaign=one.campaign,
                role=one.role,
                what=one.what,
                turn=str(one.moment or ""),
                text=one.text,
            )
            for one in games.news(ask.office, ask.player, most=50)
        ]
    )


# ------------------------------------------------------------------ orders


def now(ask: Ask) -> Answer:
    """What a role is asked."""
    found = asked.asked(ask.office, ask.campaign, ask.role)
    return Data(
        shapes.Asked(
            campaign=ask.campaign,
            role=ask.role,
            turn=str(found.moment),
            name=found.name,
            due=iso(found.mine.due),
            stands=found.stands,
            template="\n".join(found.view.template),
            runs=found.runs,
            closed=found.closed,
            waits=found.waits,
            forms=dict(found.forms),
        )
    )


def read(ask: Ask) -> Answer:
    """Read a sheet."""
    sheet = taken(ask, shapes.Sheet)
    found = live(ask.office, ask.campaign, ask.role, sheet.sheet, turn=sheet.turn)
    return Data(
        shapes.Read(
            lines=tuple(msgspec.convert(msgspec.to_builtins(one), shapes.Line) for one in found.lines),
            ways=tuple(
                shapes.Way(one.line, one.kind, one.side, one.points, one.units, one.doubt) for one in found.ways
            ),
            idle=found.idle,
            whole=found.whole,
            would=found.would,
            refused=found.refused,
            doubtful=found.doubtful,
            against=found.against,
        )
    )


def send(ask: Ask) -> Answer:
    """Send a sheet."""
    sheet = taken(ask, shapes.Sheet)
    if not sheet.sheet.strip():
        raise Refused("there is nothing on the sheet.  Nothing was taken.")
    return _handed(ask, sheet.sheet, sheet.once, sheet.turn)


def withdraw(ask: Ask) -> Answer:
    """Take back what stands."""
    return _handed(ask, "withdraw\n", "")


def _handed(ask: Ask, text: str, once: str, turn: str = "") -> Answer:
    done = handed(ask, text, once=once, turn=turn)
    judged = done.receipt.lines if done.receipt else ()
    return Data(
        shapes.Sent(
            letter=done.letter or 0,
            state=done.state,
            reason=done.reason or "",
            again=done.again,
            receipt=done.receipt.number if done.receipt else 0,
            lines=tuple(
                shapes.Line(
                    number=one.number,
                    text=one.text,
                    word=one.word,
                    said=one.why if one.word in REFUSALS or one.word == "in doubt" else "",
                    rule=one.rule or "",
                    column=one.column,
                    width=one.width,
                    instead=one.instead,
                    example=one.example,
                )
                for one in judged
            ),
        )
    )


# ------------------------------------------------------------------ reports and letters


def reports(ask: Ask) -> Answer:
    """The reports that came."""
    dossier = ask.dossier()
    titles = turns.titles(ask.office, dossier, ask.role)
    return Data(
        [shapes.Turn(turn=str(one.moment), version=one.version, sent=iso(one.at), title=title) for one, title in titles]
    )


def _turn(ask: Ask) -> Turn:
    version = ask.query.get("version", "")
    try:
        moment = Moment.parse(ask.named["moment"])
    except BadMoment:
        raise NotThere from None
    if not re.fullmatch(r"(?:[1-9]\d{0,5})?", version):
        raise Refusal(422, f"“{version[:20]}” is no version of a report: it is a number from 1 on.")
    number = int(version or 0)
    return turns.turn(ask.office, ask.dossier(), ask.role, moment, number)


def report(ask: Ask) -> Answer:
    """A report, as data."""
    return File(turns.data_of(ask.office, ask.dossier(), _turn(ask)), "application/json")


def written(ask: Ask) -> Answer:
    """The letters of a role."""
    found: Sequence[letters.Written] = letters.post(ask.dossier(), ask.role, ask.player.id).letters
    return Data([shapes.Letter(at=iso(one.at), way=one.way, who=one.who, text=one.text) for one in found])


def write(ask: Ask) -> Answer:
    """Write a letter."""
    letter = taken(ask, shapes.NewLetter)
    if not letter.text.strip():
        raise Refused("the letter is empty.  Nothing was sent.")
    return _handed(ask, in_words(letter.to, letter.text, unsigned=letter.unsigned), letter.once)


ENDPOINTS = (
    Endpoint(
        method="GET", path=f"{BASE}/me", who="a player", does=me, gives=shapes.Me,
        says="Whose token it is, and what it may do.",
    ),
    Endpoint(
        method="GET", path=f"{BASE}/games", who="a player", does=mine, gives=list[shapes.Game],
        says="All roles that the player fills, what is due first.",
    ),
    Endpoint(
        method="GET", path=f"{BASE}/news", who="a player", does=news, gives=list[shapes.News],
        says="Reports and letters of the last two weeks, the newest first.",
    ),
    Endpoint(
        method="GET", path=ROLE, who="the role", does=now, gives=shapes.Asked,
        says="What a role is asked now, and the sheet that stands.",
    ),
    Endpoint(
        method="POST", path=f"{ROLE}/read", who="the role", does=read, takes=shapes.Sheet, gives=shapes.Read,
        says="Have a sheet read, as if it were sent; nothing is sent.",
    ),
    Endpoint(
        method="POST", path=f"{ROLE}/orders", who="the role", does=send, takes=shapes.Sheet, gives=shapes.Sent,
        orders=True, says="Send a sheet.  It takes the place of the one that stands; a receipt goes by mail too.",
    ),
    Endpoint(
        method="POST", path=f"{ROLE}/withdraw", who="the role", does=withdraw, gives=shapes.Sent, orders=True,
        says="Take back the sheet that stands.",
    ),
    Endpoint(
        method="GET", path=f"{ROLE}/turns", who="the role", does=reports, gives=list[shapes.Turn],
        says="The reports that came, in their order.",
    ),
    Endpoint(
        method="GET", path=f"{ROLE}/turns/{{moment}}", who="the role", does=report, gives=None,
        says="A report: all that stands on its page (docs/schema/report.json).  With ?version=1 an earlier version.",
    ),
    Endpoint(
        method="GET", path=f"{ROLE}/letters", who="the role", does=written, gives=list[shapes.Letter],
        says="The letters of a role, the newest first.",
    ),
    Endpoint(
        method="POST", path=f"{ROLE}/letters", who="the role", does=write, takes=shapes.NewLetter, gives=shapes.Sent,
        orders=True, says="Write to another role, where the game allows it, or to the umpire.",
    ),
)  # fmt: skip
"""In the order in which a program meets them."""


def described(ask: Ask) -> Answer:
    """The page on the API, for people."""
    return Page("web/api.html", {"endpoints": ENDPOINTS, "base": BASE})
