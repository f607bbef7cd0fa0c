"""How far apart two colours are, to all kinds of eyes.

Deficient sight is simulated after Machado, Oliveira and Fernandes (2009) at full strength; the difference is CIEDE2000.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

Triple = tuple[float, float, float]

EYES: Mapping[str, tuple[Triple, Triple, Triple]] = {
    "full sight": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900),
    ),
}  # fmt: skip
_XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
_WHITE = (0.95047, 1.0, 1.08883)


def apart(one: str, other: str, eyes: str) -> float:
    """How far two colours are apart to such eyes; 1 is what can just be told, side by side."""
    return _ciede2000(_lab(_seen(one, eyes)), _lab(_seen(other, eyes)))


def contrast(one: str, other: str) -> float:
    """The contrast of two colours as WCAG 2.1 has it."""
    dark, light = sorted(_dot(_XYZ[1], _linear(colour)) for colour in (one, other))
    return (light + 0.05) / (dark + 0.05)


def _dot(row: Triple, of: Triple) -> float:
    return row[0] * of[0] + row[1] * of[1] + row[2] * of[2]


def _linear(colour: str) -> Triple:
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return (_straight(red), _straight(green), _straight(blue))


def _straight(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def _seen(colour: str, eyes: str) -> Triple:
    plain = _linear(colour)
    red, green, blue = (min(max(_dot(row, plain), 0.0), 1.0) for row in EYES[eyes])
    return (red, green, blue)


def _lab(linear: Triple) -> Triple:
    x, y, z = (_root(_dot(row, linear) / white) for row, white in zip(_XYZ, _WHITE, strict=True))
    return (116 * y - 16, 500 * (x - y), 200 * (y - z))


def _root(part: float) -> float:
    return part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116


def _ciede2000(one: Triple, other: Triple) -> float:
    mean = (math.hypot(*one[1:]) + math.hypot(*other[1:])) / 2
    grey = 1.5 - 0.5 * math.sqrt(mean**7 / (mean**7 + 25**7))
    (c1, h1), (c2, h2) = (
        (math.hypot(a * grey, b), math.degrees(math.atan2(b, a * grey)) % 360) for _, a, b in (one, other)
    )
    light, chroma = other[0] - one[0], c2 - c1
    turn = (h2 - h1 + 180) % 360 - 180
    hue = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2))
    middle, c = (one[0] + other[0]) / 2, (c1 + c2) / 2
    h = (h1 + h2) / 2 + (180 if abs(h1 - h2) > 180 else 0)
    waves = ((0.17, 1, -30), (-0.24, 2, 0), (-0.32, 3, 6), (0.2, 4, -63))
    t = 1 - sum(share * math.cos(math.radians(times * h + start)) for share, times, start in waves)
    by_light = 1 + 0.015 * (middle - 50) ** 2 / math.sqrt(20 + (middle - 50) ** 2)
    by_chroma, by_hue = 1 + 0.045 * c, 1 + 0.015 * c * t
    bent = math.sin(math.radians(60 * math.exp(-(((h - 275) / 25) ** 2))))
    twist = -2 * math.sqrt(c**7 / (c**7 + 25**7)) * bent
    parts = (light / by_light, chroma / by_chroma, hue / by_hue)
    return math.sqrt(sum(part**2 for part in parts) + twist * parts[1] * parts[2])
