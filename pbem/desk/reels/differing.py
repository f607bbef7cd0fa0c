"""What differs: between two moments of a game, two runs of an exchange, or a game and its fork."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.desk.office.office import Office
from pbem.desk.reels.kept import reel_of
from pbem.desk.reels.looking import seen_by, through
from pbem.desk.reels.moments import Look, look
from pbem.desk.reels.reruns import Said, compared
from pbem.kernel.errors import Refused
from pbem.kernel.names import Moment
from pbem.orders.prose import listed
from pbem.reports.pages.environment import environment
from pbem.reports.pages.looking import LookPage, Pane, Section, look_html
from pbem.reports.text.beats import outcome
from pbem.resources import resources
from pbem.rules.reel import Beat, Figures
from pbem.rules.unlike import Unlike, marked, unlike
from pbem.rules.view import Table, Told


class Seen(Struct, frozen=True, kw_only=True):
    """What differs for one pair of eyes."""

    gone: tuple[Said, ...] = ()
    """What was told in the first alone, where both are of one exchange."""
    new: tuple[Said, ...] = ()
    """What was told in the second alone."""
    since: tuple[Beat, ...] = ()
    """What came to pass from the first to the second, where both are of one game."""
    units: tuple[Unlike, ...] = ()
    figures: tuple[tuple[Figures | None, Figures | None], ...] = ()
    """Of each side that stands otherwise."""


class Difference(Struct, frozen=True, kw_only=True):
    """Two moments beside each other."""

    first: Look
    second: Look
    seen: dict[str, Seen]


def differ(
    office: Office, campaign: str, names: Sequence[str], first: str, second: str, *, other: str | None = None
) -> Difference:
    """What differs between two moments of *campaign* as *names* see it; of *other*, if it is said, the second one.

    Of two moments of one game the earlier is the first.

    :raises Refused: if one of them names nothing, both are the same, or one game is of other rules than the other.
    :raises UnknownRole: if there is no such role.
    """
    one, two = look(office, campaign, names, first), look(office, other or campaign, names, second)
    if one.reel.system != two.reel.system:
        raise Refused(f"{campaign} is of {one.reel.system}, and {other} of {two.reel.system}: they cannot be compared.")
    if other is None and one.reel.beats == two.reel.beats:
        raise Refused(f"{one.where} is one moment, and not two.")
    again = _moments(one) == _moments(two) and (other is not None or one.reel.beats[0].run != two.reel.beats[0].run)
    whole: Sequence[Beat] = ()
    if other is None and not again:
        whole = reel_of(office, campaign, names, pictures=False).beats
        if _place(whole, one) > _place(whole, two):
            one, two = two, one
        whole = whole[_place(whole, one) + 1 : _place(whole, two) + 1]
    return Difference(
        first=one,
        second=two,
        seen={eyes: _seen(one, two, eyes, whole, again=again) for eyes in one.reel.eyes if eyes in two.shown},
    )


def _moments(one: Look) -> set[Moment]:
    return {beat.moment for beat in one.reel.beats}


def _place(whole: Sequence[Beat], one: Look) -> int:
    last = one.reel.beats[-1].name
    return next(at for at, beat in enumerate(whole) if beat.name == last)


def _seen(one: Look, two: Look, eyes: str, whole: Sequence[Beat], *, again: bool) -> Seen:
    before, after = one.shown.get(eyes), two.shown[eyes]
    rerun = compared(one.reel.beats, two.reel.beats, eyes) if again else None
    return Seen(
        gone=rerun.gone if rerun else (),
        new=rerun.new if rerun else (),
        since=tuple(beat for beat in whole if eyes in beat.seen and not beat.annulled),
        units=unlike(before.picture, after.picture) if before else (),
        figures=tuple(_figures(before.figures if before else (), after.figures)),
    )


def _figures(before: Sequence[Figures], after: Sequence[Figures]) -> Iterator[tuple[Figures | None, Figures | None]]:
    old = {one.side: one for one in before}
    return ((old.get(one.side), one) for one in after if old.get(one.side) != one)


# ------------------------------------------------------------------ as a page, and as tables


def page(office: Office, difference: Difference) -> bytes:
    """Both moments as one HTML file: their maps with what differs in rings, and under them what that is."""
    one, two = difference.first, difference.second
    panes = []
    for eyes in difference.seen:
        if eyes in one.shown:
            before, after = one.shown[eyes].picture, two.shown[eyes].picture
            panes += [
                Pane(f"{one.where}, {seen_by(one.reel, eyes)}", marked(before, after)),
                Pane(f"{two.where}, {seen_by(two.reel, eyes)}", marked(after, before)),
            ]
    made = LookPage(
        campaign=one.reel.campaign,
        title=one.reel.title,
        rules=f"{one.reel.system} {one.reel.rules}",
        origin=f"{both(difference)}, {through(one.reel)}",
        headline="What differs",
        dateline=f"{one.reel.title}.  {both(difference)}.",
        panes=tuple(panes),
        sections=tuple(_sections(difference)),
        tables=tuple(tables(difference)),
    )
    return look_html(made, environment(resources("templates"), office.templates)).encode()


def both(difference: Difference) -> str:
    """What is compared: `3B#1 beside 3B#2`; of two games each with its name."""
    looks = (difference.first, difference.second)
    games = {one.reel.campaign for one in looks}
    return " beside ".join(one.where if len(games) == 1 else f"{one.reel.campaign} {one.where}" for one in looks)


def tables(difference: Difference) -> Iterator[Table]:
    """The units and the sides that stand otherwise, before and after."""
    before, after = (look.where for look in (difference.first, difference.second))
    for eyes, seen in difference.seen.items():
        whose = f", {seen_by(difference.first.reel, eyes)}" if len(difference.seen) > 1 else ""
        rows = [(listed([name for name in one.names if name]), one.before, one.after) for one in seen.units]
        if rows:
            yield Table(
                caption=f"What stands otherwise{whose}",
                columns=("Unit", before, after),
                rows=tuple((name, old or "–", new or "–") for name, old, new in rows),
            )
        if seen.figures:
            sides = {one.name: one.called for one in difference.first.reel.sides}
            yield Table(
                caption=f"How the sides stand{whose}",
                columns=("Side", before, after),
                rows=tuple((sides.get(new.side, new.side), _sums(old), _sums(new)) for old, new in seen.figures if new),
            )


def _sums(figures: Figures | None) -> str:
    said = [
        f"{name} {value:,}" for name in ("lost", "left", "score") if (value := getattr(figures, name, None)) is not None
    ]
    return ", ".join(said) or "–"


def _sections(difference: Difference) -> Iterator[Section]:
    for eyes, seen in difference.seen.items():
        whose = f", {seen_by(difference.first.reel, eyes)}" if len(difference.seen) > 1 else ""
        for heading, some in (("Told in the first alone", seen.gone), ("Told in the second alone", seen.new)):
            told = tuple(line for one in some for line in _lines(one))
            if told:
                yield Section(f"{heading}{whose}", told)
        if seen.since:
            yield Section(
                f"What came between{whose}", tuple(line for beat in seen.since for line in beat.seen[eyes].told)
            )


def _lines(said: Said) -> Iterator[Told]:
    yield from said.told
    for role, some in said.lines.items():
        yield from (replace(one, lead=f"{role} {outcome(one)}", text="", quote="") for one in some)
