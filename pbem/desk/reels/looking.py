"""Pages of a moment: what is seen of it through some eyes, on a page like a report's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from msgspec.structs import replace

from pbem.desk.office.inside import inside
from pbem.desk.office.office import Office
from pbem.desk.reels.moments import Look
from pbem.kernel.errors import Refused
from pbem.orders.prose import listed
from pbem.reports.drawing.png import png as drawn
from pbem.reports.maps.maps import sheet
from pbem.reports.pages.environment import environment
from pbem.reports.pages.looking import LookPage, Pane, Section, look_html
from pbem.resources import resources
from pbem.rules.reel import TRUTH, Beat, Figures, Reel, Shown, Side
from pbem.rules.view import Table, Told

WIDTH = 1200
"""Pixels of a map as a picture."""


def page(office: Office, look: Look) -> bytes:
    """The page of a moment, as one HTML file."""
    reel = look.reel
    made = LookPage(
        campaign=reel.campaign,
        title=reel.title,
        rules=f"{reel.system} {reel.rules}",
        origin=f"{look.where}, {through(reel)}",
        headline=headline(reel.beats),
        dateline=dateline(look),
        panes=tuple(Pane(seen_by(reel, one), shown.picture) for one, shown in look.shown.items()),
        sections=tuple(_sections(reel)),
        tables=tuple(figures(look)),
    )
    return look_html(made, environment(resources("templates"), office.templates)).encode()


def through(reel: Reel) -> str:
    """Whose eyes they are: `the truth`, `as known to french`."""
    roles = [one for one in reel.eyes if one != TRUTH]
    known = f"as known to {listed(roles)}" if roles else ""
    return " beside ".join(filter(None, ("the truth" if TRUTH in reel.eyes else "", known)))


def seen_by(reel: Reel, eyes: str) -> str:
    """A heading over what those eyes have."""
    return "the truth" if eyes == TRUTH else f"as known to {reel.called[eyes]}"


def headline(beats: Sequence[Beat]) -> str:
    """The headline of greatest weight, else the phase of the last beat, else its name."""
    seen = [one for beat in beats for one in beat.seen.values() if one.headline]
    heaviest = max(seen, key=lambda one: one.weight, default=None)
    return heaviest.headline if heaviest else beats[-1].phase or beats[-1].name


def dateline(look: Look) -> str:
    """The game, the phase, the hour of the game."""
    clock = next((one.clock for one in look.shown.values() if one.clock), "")
    return "  ".join(f"{one}." for one in (look.reel.title, look.reel.beats[-1].phase, clock) if one)


def figures(look: Look) -> Iterator[Table]:
    """How the sides stood, as far as those eyes know."""
    sides = {one.name: one for one in look.reel.sides}
    for eyes, shown in look.shown.items():
        if shown.figures:
            whose = f"How it stood, {seen_by(look.reel, eyes)}" if len(look.shown) > 1 else "How it stood"
            yield _standing(sides, shown.figures, whose)


def _standing(sides: dict[str, Side], rows: Sequence[Figures], caption: str) -> Table:
    columns = [name for name in ("lost", "left", "score") if any(getattr(one, name) is not None for one in rows)]
    return Table(
        caption=caption,
        columns=("Side", *(one.capitalize() for one in columns)),
        rows=tuple(
            (
                sides[one.side].called if one.side in sides else one.side,
                *(_number(getattr(one, name)) for name in columns),
            )
            for one in rows
        ),
        numbers=tuple(range(1, len(columns) + 1)),
    )


def _number(value: int | None) -> str:
    return "–" if value is None else f"{value:,}"


def _sections(reel: Reel) -> Iterator[Section]:
    for eyes in reel.eyes:
        told = [(beat, line) for beat in reel.beats if eyes in beat.seen for line in beat.seen[eyes].told]
        for phase, some in groupby(told, key=lambda one: one[1].phase):
            heading = f"{phase}, {seen_by(reel, eyes)}" if len(reel.eyes) > 1 else phase
            yield Section(heading, tuple(line for _, line in some))
        for role in dict.fromkeys(role for beat in reel.beats if eyes in beat.seen for role in beat.seen[eyes].lines):
            lines = [line for beat in reel.beats if eyes in beat.seen for line in beat.seen[eyes].lines.get(role, ())]
            if len(reel.eyes) == 1 or eyes == role:
                yield Section(f"What became of the orders of {role}", tuple(map(_numbered, lines)))


def _numbered(line: Told) -> Told:
    return replace(line, lead=f"Line {line.line}: {line.result or 'told'}.  {line.lead}".rstrip())


def svg(office: Office, look: Look) -> bytes:
    """The map of a moment as a file that stands alone.

    :raises Refused: if there is more than one pair of eyes, or none that sees anything.
    """
    return sheet(_only(look).picture).encode()


def png(office: Office, look: Look) -> bytes:
    """The same as a picture.

    :raises Refused: if there is more than one pair of eyes, or none that sees anything.
    """
    return drawn(sheet(_only(look).picture), resources("templates") / "fonts", width=WIDTH)


def kept(office: Office, look: Look) -> Path:
    """The page of a moment, written into the office's own folder, over an earlier one.

    :raises Refused: if it cannot be written.
    """
    folder = inside(office.folder, "looks", look.reel.campaign)
    name = "-".join([*(beat.name.replace("#", "-run-") for beat in look.reel.beats[-1:]), *look.reel.eyes])
    path = inside(folder, f"{name.lower()}.html")
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.write_bytes(page(office, look))
    except OSError as error:
        raise Refused(f"the page cannot be written to {folder}: {error.strerror}.") from None
    return path


def _only(look: Look) -> Shown:
    if len(look.shown) != 1:
        raise Refused("a map is drawn as one pair of eyes has it: say which by --as.")
    [shown] = look.shown.values()
    return shown
