"""Hachures after Lehmann: strokes down the slope from contour to contour, the darker the steeper."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

from pbem.ground.heights import Heights, contours
from pbem.ground.picture import Relief
from pbem.reports.drawing.frame import Frame
from pbem.reports.drawing.svg import XY, n, path, xy
from pbem.reports.drawing.terrain import walk

STEEP = (0.05, 0.1, 0.18)
"""Rise over run at which the pen changes: about 3, 6 and 10 degrees."""

FLAT = 0.018
"""Ground less steep than this has no strokes: about one degree."""

APART = 3.6
"""Pixels between strokes."""

LONGEST = 16.0
"""Pixels of a stroke: on gentle slopes it ends before the next contour."""

SHORTEST = 1.2
"""Pixels of a stroke that can be seen."""

STEP = 0.6
"""Pixels between two looks at the slope."""


@lru_cache(maxsize=16)
def hachures(frame: Frame, relief: Relief) -> str:
    """All strokes of a field of heights, in four weights."""
    ground = Heights(relief.spacing, relief.rows)
    low = min(min(row) for row in relief.rows)
    high = max(max(row) for row in relief.rows)
    strokes: list[list[str]] = [[] for _ in range(len(STEEP) + 1)]
    first = low - low % relief.interval + relief.interval
    for level in range(first, high + 1, relief.interval):
        for contour in contours(ground, level):
            points = [_pixels(frame, point) for point in contour]
            for at, _ in walk(points, APART):
                steep, stroke = _stroke(frame, relief, at)
                if stroke:
                    strokes[sum(steep >= bound for bound in STEEP)].append(stroke)
    return "".join(path(f"pl-hachure pl-h{weight}", "".join(some)) for weight, some in enumerate(strokes))


def _pixels(frame: Frame, point: tuple[int, int]) -> XY:
    return frame.at((point[0] + frame.box[0], point[1] + frame.box[1]))


def _stroke(frame: Frame, relief: Relief, at: XY) -> tuple[float, str]:
    """From a place on a contour straight down its slope, as far as the ground falls by the interval."""
    across, down = _gradient(frame, relief, at)
    steep = math.hypot(across, down)
    if steep < FLAT:
        return steep, ""
    run = (-across / steep, -down / steep)
    fallen, far = 0.0, 0.0
    while far < LONGEST:
        here = (at[0] + run[0] * (far + STEP / 2), at[1] + run[1] * (far + STEP / 2))
        gx, gy = _gradient(frame, relief, here)
        drop = -(gx * run[0] + gy * run[1]) * STEP / frame.scale
        if drop <= 0 or fallen + drop > relief.interval:
            break
        fallen, far = fallen + drop, far + STEP
    # A little short of the next row, so that rows stay apart.
    far = min(far, LONGEST) - 0.6
    return steep, f"M{xy(at)}l{n(run[0] * far)} {n(run[1] * far)}" if far >= SHORTEST else ""


def _gradient(frame: Frame, relief: Relief, at: XY) -> XY:
    """Rise over run to the right and downward on the sheet."""
    left, top, _, _ = frame.ground
    columns, rows = len(relief.rows[0]) - 1, len(relief.rows) - 1
    x = min(max((at[0] - left) / frame.scale / relief.spacing, 0.0), columns - 1e-6)
    y = min(max((at[1] - top) / frame.scale / relief.spacing, 0.0), rows - 1e-6)
    i, j = int(x), int(y)
    upper: Sequence[int] = relief.rows[j]
    lower: Sequence[int] = relief.rows[j + 1]
    u, v = x - i, y - j
    across = (upper[i + 1] - upper[i]) * (1 - v) + (lower[i + 1] - lower[i]) * v
    down = (lower[i] - upper[i]) * (1 - u) + (lower[i + 1] - upper[i + 1]) * u
    return across / relief.spacing, down / relief.spacing
