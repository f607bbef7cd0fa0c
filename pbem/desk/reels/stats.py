"""A game in numbers: losses, ground and score over the turns, the luck of the sides, and the punctuality of orders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from msgspec import Struct

from pbem.desk.books import dossiers
from pbem.desk.books.dossiers import Dossier
from pbem.desk.office.office import Office
from pbem.desk.reels.kept import reel_of
from pbem.kernel import office as kinds
from pbem.kernel.errors import Refused
from pbem.kernel.names import Moment, Role
from pbem.reports.maps.plots import alone
from pbem.rules.reel import TRUTH, Beat, Cast, Figures, Reel, Side
from pbem.rules.view import Course, Table

PIPS = "pips"


class Luck(Struct, frozen=True, kw_only=True):
    """What dice came for a side, beside what was to be expected of them at their throws."""

    side: str
    measure: str
    """`pips`, where low faces are good counted from the highest; of dice with results on them what they were for."""
    throws: int
    dice: int
    came: int
    expected: float
    over: float
    """What came, less what was to be expected."""
    spread: float
    """As much is usual, one way or the other: the standard deviation of so many dice."""
    best: tuple[str, str] = ("", "")
    """Its luckiest beat, and its throw."""
    worst: tuple[str, str] = ("", "")


class Punctual(Struct, frozen=True, kw_only=True):
    """How a role wrote."""

    role: Role
    sheets: int
    refused: int
    late: int
    """Of sheets that came when their hour was over."""
    missed: int
    """Exchanges in which orders were owed, and none came."""
    before: float | None
    """Hours before the deadline at which its last sheet for an exchange came, in the middle; None: there was none."""


class Stats(Struct, frozen=True, kw_only=True):
    """A game in numbers, as some eyes have them."""

    campaign: str
    eyes: str
    turns: dict[int, tuple[Figures, ...]]
    """How the sides stood at the end of each turn."""
    luck: tuple[Luck, ...]
    letters: tuple[Punctual, ...]
    sides: tuple[Side, ...]


def stats_of(office: Office, campaign: str, role: str | None = None) -> Stats:
    """The numbers of *campaign*: of the truth, or as *role* knows them, and then without those of letters.

    When an exchange was played, and what was missed by then, is not a role's to know.

    :raises UnknownRole: if there is no such role.
    :raises Refused: if the rules have no past to show.
    """
    reel = reel_of(office, campaign, [role] if role else (), pictures=False)
    [eyes] = reel.eyes
    beats = [beat for beat in reel.beats if not beat.annulled and eyes in beat.seen]
    with office.read() as connection:
        dossier = dossiers.load(office, connection, campaign)
    return Stats(
        campaign=reel.campaign,
        eyes=eyes,
        turns=dict(_turns(beats, eyes)),
        luck=tuple(luck_of(reel, beats, eyes)),
        letters=tuple(_letters(dossier, dossier.roles)) if eyes == TRUTH else (),
        sides=reel.sides,
    )


def _turns(beats: Sequence[Beat], eyes: str) -> Iterator[tuple[int, tuple[Figures, ...]]]:
    stood: tuple[Figures, ...] = ()
    for beat, then in zip(beats, [*beats[1:], None], strict=True):
        stood = beat.seen[eyes].figures or stood
        if stood and (then is None or then.moment.turn != beat.moment.turn):
            yield beat.moment.turn, stood


def luck_of(reel: Reel, beats: Sequence[Beat], eyes: str) -> Iterator[Luck]:
    """The luck of each side, and of dice with results printed on them of each purpose by itself: each has a measure."""
    order = [one.name for one in reel.sides]
    thrown: dict[tuple[str, str], list[tuple[str, Cast]]] = {}
    for beat in beats:
        for cast in beat.seen[eyes].throws:
            if cast.side in order and cast.came and cast.throw.by != "ruling":
                measure = cast.throw.purpose if cast.good == "table" else PIPS
                thrown.setdefault((cast.side, measure), []).append((beat.name, cast))
    for (side, measure), casts in sorted(thrown.items(), key=lambda one: (order.index(one[0][0]), one[0][1])):
        by_beat: dict[str, Fraction] = {}
        for name, cast in casts:
            by_beat[name] = by_beat.get(name, Fraction(0)) + cast.luck
        purposes = {name: cast.throw.purpose for name, cast in reversed(casts)}
        best, worst = (pick(by_beat, key=lambda name: by_beat[name]) for pick in (max, min))
        came, over = sum(sum(cast.came) for _, cast in casts), sum(by_beat.values(), Fraction(0))
        yield Luck(
            side=side,
            measure=measure,
            throws=len(casts),
            dice=sum(len(cast.came) for _, cast in casts),
            came=came,
            expected=float(came - over),
            over=float(over),
            spread=float(sum(len(cast.came) * _variance(cast) for _, cast in casts)) ** 0.5,
            best=(best, purposes[best]),
            worst=(worst, purposes[worst]),
        )


def _variance(cast: Cast) -> Fraction:
    """Of what one of its dice counts."""
    counts = [one for one in cast.marks if one is not None]
    mean = Fraction(sum(counts), len(counts))
    return sum(((one - mean) ** 2 for one in counts), Fraction(0)) / len(counts)


def _letters(dossier: Dossier, roles: Sequence[Role]) -> Iterator[Punctual]:
    for role in roles:
        last: dict[Moment, int] = {}
        sheets = refused = late = 0
        for one in dossier.own:
            event = one.event
            if isinstance(event, kinds.OrdersAccepted | kinds.OrdersKept) and event.role == role:
                sheets, last = sheets + 1, {**last, event.moment.whole: one.at}
            elif isinstance(event, kinds.OrdersRefused) and event.role == role:
                sheets, refused = sheets + 1, refused + 1
                exchange = dossier.campaign.exchanges.get(event.moment.whole) if event.moment else None
                over = exchange is not None and exchange.resolved_seq > 0 and exchange.resolved_seq < one.seq
                late += over
        missed = {
            one.event.moment
            for one in dossier.own
            if isinstance(one.event, kinds.NmrRecorded) and role in one.event.missing
        }
        ahead = sorted(
            (exchange.due[-1] - at) / 3_600_000_000
            for moment, at in last.items()
            if (exchange := dossier.campaign.exchanges.get(moment)) is not None and exchange.due
        )
        yield Punctual(
            role=role,
            sheets=sheets,
            refused=refused,
            late=late,
            missed=len(missed),
            before=round(ahead[len(ahead) // 2], 1) if ahead else None,
        )


# ------------------------------------------------------------------ as tables and plots


def tables(stats: Stats) -> Iterator[Table]:
    """The numbers, table by table; what the game does not count, or these eyes do not know, is left out."""
    called = {one.name: one.called for one in stats.sides}
    for name, caption in (("lost", "Lost by the end of the turn"), ("score", "Score"), ("left", "Left")):
        if courses := _courses(stats, name):
            turns = sorted({turn for values in courses.values() for turn in values})
            yield Table(
                caption=caption,
                columns=("Turn", *(called[side] for side in courses)),
                rows=tuple((str(turn), *(_number(values.get(turn)) for values in courses.values())) for turn in turns),
                numbers=tuple(range(len(courses) + 1)),
            )
    if stats.luck:
        yield Table(
            caption="Luck: what came of dice that were good for one side",
            columns=("Side", "Of", "Throws", "Dice", "Came", "Expected", "Over", "Usual", "Best beat", "Worst beat"),
            rows=tuple((called[one.side], one.measure, *_sums(one)) for one in stats.luck),
            numbers=(2, 3, 4, 5, 6, 7),
        )
    if not stats.letters:
        return
    yield Table(
        caption="Orders",
        columns=("Role", "Sheets", "Refused", "Too late", "Missed", "Hours before"),
        rows=tuple((one.role, *_habits(one)) for one in stats.letters),
        numbers=(1, 2, 3, 4, 5),
    )


def _sums(one: Luck) -> Iterator[str]:
    yield from (f"{one.throws:,}", f"{one.dice:,}", f"{one.came:,}", f"{one.expected:,.1f}")
    yield from (f"{one.over:+.1f}", f"±{one.spread:.1f}", one.best[0], one.worst[0])


def _habits(one: Punctual) -> Iterator[str]:
    yield from map(str, (one.sheets, one.refused, one.late, one.missed))
    yield "–" if one.before is None else f"{one.before:.1f}"


def drawn(stats: Stats) -> bytes:
    """The course of losses and of the score as an SVG that stands alone.

    :raises Refused: if these eyes know of neither.
    """
    styles = {one.name: (one.called, one.drawn) for one in stats.sides}
    courses = [
        Course(
            title,
            tuple(
                (
                    called.removeprefix("the ").capitalize(),
                    "first" if style == "none" else style,
                    tuple(points.items()),
                )
                for side, points in found.items()
                for called, style in (styles[side],)
            ),
        )
        for name, title in (("lost", "Lost"), ("score", "Score"))
        if (found := _courses(stats, name))
    ]
    if not courses:
        raise Refused("there is nothing to plot: these eyes know neither losses nor a score.")
    return alone(courses, stats.sides).encode()


def _courses(stats: Stats, name: str) -> dict[str, dict[int, int]]:
    """One figure of each side that has it, over the turns."""
    found: dict[str, dict[int, int]] = {}
    for turn, figures in stats.turns.items():
        for one in figures:
            value: int | None = getattr(one, name)
            if value is not None:
                found.setdefault(one.side, {})[turn] = value
    return found


def _number(value: int | None) -> str:
    return "–" if value is None else f"{value:,}"
