"""A drawing as PNG, with the faces that ship with the office and none of the machine's."""

from __future__ import annotations

import io
from functools import lru_cache
from pathlib import Path

from pbem.kernel.errors import PbemError

FONTS = (
    "DejaVuSans.ttf",
    "DejaVuSans-Bold.ttf",
    "DejaVuSerif.ttf",
    "DejaVuSerif-Bold.ttf",
    "DejaVuSerif-Italic.ttf",
)
COLOURS = 128

PACKED = 7
"""How hard it is packed: all that can be done more takes five times as long, and saves a thirtieth."""


class MissingFont(PbemError):
    """A face that the maps are drawn with is not where it should be: without it all names would vanish."""


@lru_cache(maxsize=24)
def png(svg: str, fonts: Path, *, width: int) -> bytes:
    """Draw *svg*, which must stand alone, *width* pixels wide, with the faces in the folder *fonts*.

    The last few are kept: what was tried dry is made in earnest a minute after, and reports are sent again.

    :raises MissingFont: naming the file; a face is never left out in silence.
    """
    # Loaded where a map is drawn, and nowhere else.
    import resvg_py
    from PIL import Image

    faces = [fonts / name for name in FONTS]
    for face in faces:
        if not face.is_file():
            raise MissingFont(f"the font {face} is missing: maps would be drawn without names; install pbem again")
    drawn = resvg_py.svg_to_bytes(
        svg_string=svg,
        width=width,
        skip_system_fonts=True,
        font_files=[str(face) for face in faces],
        serif_family="DejaVu Serif",
        sans_serif_family="DejaVu Sans",
    )
    image = Image.open(io.BytesIO(drawn)).convert("RGB").quantize(COLOURS, Image.Quantize.FASTOCTREE)
    packed = io.BytesIO()
    image.save(packed, "PNG", compress_level=PACKED)
    return packed.getvalue()
