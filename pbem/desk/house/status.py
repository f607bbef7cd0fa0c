"""How the office stands, for who looks after it: what is due, what waits and for how long, who is on duty.

It is counted, and no game is opened: with many games it is as quick as with few.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct, to_builtins

from pbem.desk.house import nodes
from pbem.desk.office.office import HOUR, Office
from pbem.kernel.office import (
    CampaignEnded,
    CampaignPaused,
    CampaignResumed,
    DeadlineMoved,
    ExchangeAnnulled,
    ExchangeOpened,
    ExchangeReleased,
    ExchangeResolved,
)
from pbem.storage import letters
from pbem.storage.house import counts
from pbem.storage.house.counts import Answered, Mails, Queue, Step
from pbem.storage.house.nodes import Node

LATE = HOUR // 6
"""How long after its deadline a turn that was not run is overdue."""

DAY = 24 * HOUR


class Campaigns(Struct, frozen=True):
    """How many campaigns there are of each kind."""

    enrolling: int = 0
    running: int = 0
    paused: int = 0
    over: int = 0
    due: int = 0
    """Of those that run: whose deadline has passed, and whose turn was not run."""
    overdue: int = 0
    """Of those: since more than ten minutes."""
    unreleased: int = 0
    """Of those that run: whose turn was run, and of which the players know nothing yet."""


class Spread(Struct, frozen=True):
    """How long something took, in microseconds."""

    count: int
    p50: int | None
    p99: int | None


class Receipts(Struct, frozen=True):
    """From when a letter with a sheet came until its receipt was made out, and until that was sent."""

    made: Spread
    sent: Spread


class Status(Struct, frozen=True, kw_only=True):
    """How the office stands; times are microseconds UTC."""

    at: int
    campaigns: Campaigns
    letters: dict[letters.State, int]
    unread_since: int | None
    """When the oldest letter came that nobody has dealt with."""
    waiting_since: int | None
    """When the oldest came that waits for somebody's word: of a player, or the GM's."""
    mails: Mails
    receipts: dict[str, Receipts]
    """Of letters that came in the last `hour`, and in the last `day`."""
    turns: Spread
    """From the deadline until the release, of the last turn of each campaign, if it was released in the last day."""
    queues: tuple[Queue, ...]
    """Wake-ups; none in an office that wakes nobody."""
    nodes: tuple[Node, ...]


def status(office: Office) -> Status:
    """How the office stands now."""
    now = office.now()
    with office.read() as connection:
        states = letters.counted(connection)
        oldest = counts.oldest_letters(connection)
        answered = counts.answered(connection, since=now - DAY)
        steps = counts.steps(connection)
        mails = counts.mails(connection, at=now)
        queues = tuple(counts.queues(connection))
    courses = [_course(one) for one in steps.values()]
    return Status(
        at=now,
        campaigns=_campaigns(courses, now),
        letters={state: states.get(state, 0) for state in letters.STATES},
        unread_since=oldest.get("new"),
        waiting_since=min((oldest[state] for state in ("held", "unreadable") if state in oldest), default=None),
        mails=mails,
        receipts={
            "hour": _receipts([one for one in answered if one.received_at >= now - HOUR]),
            "day": _receipts(answered),
        },
        turns=spread([took for one in courses for at, took in one.released if at >= now - DAY and took > 0]),
        queues=queues,
        nodes=tuple(nodes.seen(office)),
    )


def as_data(status: Status) -> dict[str, Any]:
    """The same as plain values, for programs."""
    data: dict[str, Any] = to_builtins(status)
    return {
        **data,
        "mails": status.mails._asdict(),
        "queues": [queue._asdict() for queue in status.queues],
        "nodes": [{**node, "systems": node["systems"].splitlines()} for node in data["nodes"]],
    }


def spread(took: Sequence[int]) -> Spread:
    """How long it *took*: half of them not longer than the one, ninety-nine of a hundred not longer than the other.

    >>> spread([3, 1, 2]), spread([])
    (Spread(count=3, p50=2, p99=3), Spread(count=0, p50=None, p99=None))
    """
    ordered, count = sorted(took), len(took)
    p50, p99 = (ordered[-(-count * part // 100) - 1] if count else None for part in (50, 99))
    return Spread(count, p50, p99)


class _Course:
    """How far a campaign has come."""

    def __init__(self) -> None:
        self.began = self.paused = self.over = False
        self.deadline = 0
        """Of the exchange opened last; 0: none waits to be run."""
        self.resolved = False
        self.released: list[tuple[int, int]] = []
        """When a turn was released, and how long after its deadline."""


def _course(steps: Sequence[Step]) -> _Course:
    course, deadline = _Course(), 0
    for step in steps:
        match step.event:
            case ExchangeOpened(due=due):
                course.began, course.resolved, course.deadline = True, False, due[-1]
                deadline = due[-1]
            case DeadlineMoved(due=due):
                course.deadline = deadline = due[-1]
            case ExchangeResolved():
                course.resolved, course.deadline = True, 0
            case ExchangeReleased():
                course.resolved, course.deadline = False, 0
                if deadline:
                    course.released.append((step.at, step.at - deadline))
            case ExchangeAnnulled():
                course.over, course.resolved, course.deadline = False, False, deadline
            case CampaignPaused():
                course.paused = True
            case CampaignResumed():
                course.paused = False
            case CampaignEnded():
                course.over = True
    return course


def _campaigns(courses: Sequence[_Course], now: int) -> Campaigns:
    alive = [one for one in courses if not one.over]
    running = [one for one in alive if one.began and not one.paused]
    waits = [one.deadline for one in running if one.deadline and one.deadline <= now]
    return Campaigns(
        enrolling=sum(not one.began and not one.paused for one in alive),
        running=len(running),
        paused=sum(one.paused for one in alive),
        over=len(courses) - len(alive),
        due=len(waits),
        overdue=sum(deadline + LATE < now for deadline in waits),
        unreleased=sum(one.resolved for one in running),
    )


def _receipts(answered: Sequence[Answered]) -> Receipts:
    return Receipts(
        spread([one.made_at - one.received_at for one in answered]),
        spread([one.sent_at - one.received_at for one in answered if one.sent_at is not None]),
    )
