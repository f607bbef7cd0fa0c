"""The course of a game as lines over its turns."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.ground.picture import Look, SideStyle
from pbem.reports.drawing.colours import baked_css
from pbem.reports.drawing.sides import Needs, baked_css_of, is_more, looks_of, side_of, sides, style_of, together
from pbem.reports.drawing.svg import XY, line, n, path, rect, said, text, xy
from pbem.rules.reel import Side
from pbem.rules.view import Course

WIDTH, HEIGHT = 360, 230
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 232, 36, 190
_STEPS = (1, 2, 5)


def plot(course: Course, ids: str, looks: tuple[Look, ...] = (), *, styled: bool = True) -> str:
    """*course* as an SVG for a page: the first side solid with discs, the second dashed with rings, each by its own.

    *looks* are those of its sides, if not as they ship; not *styled*, their style stands elsewhere.
    """
    turns = sorted({turn for _, _, points in course.lines for turn, _ in points})
    values = [value for _, _, points in course.lines for _, value in points]
    if not turns:
        return ""
    low, high, step = _scale(min(values), max(values))
    first, last = turns[0], turns[-1]

    def at(turn: int, value: int) -> XY:
        across = (turn - first) / (last - first) if last > first else 0.5
        down = (value - low) / (high - low)
        return (_LEFT + 14 + across * (_RIGHT - _LEFT - 28), _BOTTOM - down * (_BOTTOM - _TOP))

    drawn = [text(course.title, (4, 16), "nm")]
    for value in range(low, high + 1, step):
        y = at(first, value)[1]
        drawn.append(path("base" if value == low else "bar", f"M{_LEFT} {n(y)}H{_RIGHT}"))
        drawn.append(text(str(value), (_LEFT - 7, y + 4), "ax", anchor="end"))
    every = -(-len(turns) // 6)
    for turn in turns:
        if (turn - first) % every == 0 or turn == last:
            drawn.append(text(f"T{turn}" if turn else "start", (at(turn, low)[0], _BOTTOM + 20), "ax", anchor="middle"))
    need = _needs(course, looks)
    ordered = sorted((one for one in course.lines if one[2]), key=lambda one: -one[2][-1][1])
    levels = _levels([at(*points[-1])[1] + 4 for _, _, points in ordered])
    for (name, style, points), level in zip(ordered, levels, strict=True):
        places = [at(turn, value) for turn, value in points]
        marks = "".join(_mark(place, need, style) for place in places)
        whose = text(f"{name} {points[-1][1]}", (_RIGHT + 2, level), "who")
        begin = text(str(points[0][1]), (places[0][0], places[0][1] - 9), "val") if len(points) > 1 else ""
        drawn.append(f'<g class="{style}">{path("run", line(places))}{marks}{begin}{whose}</g>')
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img" '
        f'aria-labelledby="{ids}-title {ids}-desc"><title id="{ids}-title">{said(course.title)}</title>'
        f'<desc id="{ids}-desc">{said(figures(course))}</desc>{style_of(need) if styled else ""}{"".join(drawn)}</svg>'
    )


def _needs(course: Course, looks: tuple[Look, ...]) -> Needs:
    return Needs(sides(looks), frozenset(style for _, style, _ in course.lines))


def _levels(wanted: Sequence[float]) -> list[float]:
    """Where names stand at the ends of their lines, from above: none on another, and none below the drawing."""
    found: list[float] = []
    for level in wanted:
        found.append(max([level, *(end + 16 for end in found)]))
    lowest = HEIGHT - 6.0
    for place in reversed(range(len(found))):
        found[place] = min(found[place], lowest)
        lowest = found[place] - 16
    return found


def figures(course: Course) -> str:
    """The plot in words: every value of every line, in order.

    >>> figures(Course("Points", (("French", "first", ((0, 1), (1, 3))),)))
    'Points, turns 0 to 1. French 1, 3.'
    """
    turns = [turn for _, _, points in course.lines for turn, _ in points]
    span = f", turns {min(turns)} to {max(turns)}" if turns else ""
    values = " ".join(f"{name} {', '.join(str(value) for _, value in points)}." for name, _, points in course.lines)
    return f"{course.title}{span}. {values}"


def _mark(at: XY, need: Needs, style: SideStyle) -> str:
    if is_more(style):
        side = side_of(need.found, style)
        return path("loop" if side.hollow else "dot", side.mark, f' transform="translate({xy(at)})"')
    if style == "first":
        return f'<circle class="dot" cx="{n(at[0])}" cy="{n(at[1])}" r="4"/>'
    return f'<circle class="loop" cx="{n(at[0])}" cy="{n(at[1])}" r="4"/>'


def _scale(least: int, most: int) -> tuple[int, int, int]:
    """Whole lines below and above all values, and the step between them: four to six lines.

    >>> _scale(112, 168)
    (100, 180, 20)
    >>> _scale(0, 6)
    (0, 6, 2)
    """
    span = max(most - least, 1)
    step = next(digit * 10**power for power in range(12) for digit in _STEPS if span / (digit * 10**power) <= 4)
    low = least // step * step
    high = -(-most // step) * step
    return low, max(high, low + step), step


def alone(courses: Sequence[Course], sides_: Sequence[Side] = ()) -> str:
    """Plots beside each other as a file of their own, in the light colours."""
    wide, looks = WIDTH * len(courses), looks_of(sides_)
    drawn = "".join(
        plot(course, f"plot{number}", looks, styled=False).replace("<svg ", f'<svg x="{number * WIDTH}" ', 1)
        for number, course in enumerate(courses)
    )
    css = baked_css() + baked_css_of(together(_needs(course, looks) for course in courses))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {HEIGHT}" width="{wide}" height="{HEIGHT}">'
        f"<style>{css}</style>{rect('sheet', (0, 0, wide, HEIGHT))}{drawn}</svg>\n"
    )
