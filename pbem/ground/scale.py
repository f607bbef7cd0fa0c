"""How lengths and places of continuous ground are written and read."""

from __future__ import annotations

import re

from msgspec import Struct

from pbem.ground.bearing import parse_bearing, rounded
from pbem.ground.plane import Point, shifted


class Scale(Struct, frozen=True):
    """How lengths are written: *grains* to the measure, of which *decimals* places after the point are shown."""

    grains: int
    decimals: int = 0

    def parse(self, text: str) -> int | None:
        """A length in grains, from `12`, `12.5`; None if it is none, or finer than a grain.

        >>> Scale(1000, 1).parse("12.5"), Scale(100).parse("1e3")
        (12500, None)
        """
        found = re.fullmatch(r"\s*(-?)(\d{1,9})(?:\.(\d{1,6}))?\s*", text)
        if found is None:
            return None
        part = (found[3] or "").rstrip("0")
        number, by = int(found[2] + part) * self.grains, 10 ** len(part)
        return None if number % by else (-1 if found[1] else 1) * (number // by)

    def show(self, length: int) -> str:
        """A length as it is written, to the last place shown; half a unit of it is rounded away from zero.

        >>> Scale(1000, 1).show(12460), Scale(100).show(-1250), Scale(1000, 1).show(3000)
        ('12.5', '-13', '3.0')
        """
        units = rounded(length * 10**self.decimals, self.grains)
        sign, digits = "-" if units < 0 else "", str(abs(units)).rjust(self.decimals + 1, "0")
        return sign + (f"{digits[: -self.decimals]}.{digits[-self.decimals :]}" if self.decimals else digits)

    def snap(self, length: int) -> int:
        """*length* as it is shown, in grains again."""
        return rounded(rounded(length * 10**self.decimals, self.grains) * self.grains, 10**self.decimals)

    def point(self, text: str) -> Point | None:
        """Read `1240,860`, and a shift behind it in `+200NE`; None if it is no place.

        >>> Scale(1).point("1240, 860"), Scale(1).point("100,100+50E"), Scale(1).point("12")
        (Point(x=1240, y=860), Point(x=150, y=100), None)
        """
        found = re.fullmatch(r"\s*([-\d.]+)\s*,\s*([-\d.]+)\s*(\+.*)?", text)
        if found is None:
            return None
        east, north = self.parse(found[1]), self.parse(found[2])
        if east is None or north is None:
            return None
        return self.moved(Point(east, north), found[3]) if found[3] else Point(east, north)

    def moved(self, at: Point, shift: str) -> Point | None:
        """*at* after a shift such as `+200NE` or `+50 bearing 240`; None if it is none."""
        found = re.fullmatch(r"\s*\+\s*(\d+(?:\.\d+)?)\s*([a-z].*)", shift, re.IGNORECASE)
        if found is None:
            return None
        far, way = self.parse(found[1]), parse_bearing(found[2])
        return None if far is None or way is None else shifted(at, way, far)

    def written(self, at: Point) -> str:
        """A place as it is written, `1240,860`."""
        return f"{self.show(at.x)},{self.show(at.y)}"

    def on_grid(self, at: Point) -> Point:
        """*at* as it is written: where a body stands when its move ends."""
        return Point(self.snap(at.x), self.snap(at.y))
