"""The frame of a page: what every system's page is made in, whatever it tells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Required, TypedDict, Unpack

from pbem.ground.picture import Picture, unkeyed
from pbem.kernel.names import Moment, Role
from pbem.kernel.owed import Call, Pause
from pbem.rules.contract import Verdict
from pbem.rules.telling import ended, otherwise, plain, played
from pbem.rules.view import Course, Fact, Table, Told, View


class Frame(NamedTuple):
    """Whose page it is, which exchange it is of, and how play stands there."""

    role: Role
    told: Sequence[Told]
    """All that the role learnt in the turn."""
    exchanges: Sequence[Moment]
    """Those that the page tells of; none before anything was played."""
    moment: Moment
    """The one that it is of: the newest of them, or else that which is awaited."""
    call: Call | None
    over: Verdict | None


def frame(role: Role, told: Sequence[Told], pause: Pause, over: Verdict | None) -> Frame:
    """The frame of a page that tells *told*, where play stands at *pause*, with this role's call alone."""
    exchanges = played(told, pause, over=over is not None)
    return Frame(role, told, exchanges, max(exchanges, default=pause.moment), pause.call(role), over)


class Parts(TypedDict, total=False):
    """What each system says for itself; see `View`.  What every page must have is required."""

    title: str
    addressed: Required[str]
    dateline: Required[str]
    strip: Required[tuple[Fact, ...]]
    brief: Required[tuple[str, ...]]
    picture: Required[Picture]
    ordered: tuple[Told, ...]
    own: tuple[Table, ...]
    enemy: tuple[Table, ...]
    standing: tuple[str, ...]
    score: tuple[Table, ...]
    courses: tuple[Course, ...]
    owed: str
    next: str
    over: str
    template: tuple[str, ...]


def heaviest(lines: Sequence[Told]) -> Told | None:
    """The line that matters most; of several the first."""
    return max(lines, key=lambda line: line.weight, default=None)


def page(
    frame: Frame, happened: Sequence[Told], called: Callable[[str], str], *, quiet: str, **parts: Unpack[Parts]
) -> View:
    """A page in its frame.

    *happened*: paragraph by paragraph.  *called* says what a side is called.  Unless a system says otherwise, the
    heaviest line of the exchange makes the title, or *quiet* does; `ordered` are the lines told of the role's own
    sheet, and `over` is the verdict in words.
    """
    first = heaviest([line for line in happened if line.moment == frame.moment])
    parts.setdefault("title", (first.headline if first is not None else "") or quiet)
    parts.setdefault("ordered", tuple(line for line in frame.told if line.line))
    parts.setdefault("over", ended(frame.over, called))
    parts["picture"] = unkeyed(parts["picture"])
    return View(
        role=frame.role,
        moment=frame.moment,
        happened=tuple(plain(line) for line in happened),
        otherwise=otherwise(frame.call),
        **parts,
    )
