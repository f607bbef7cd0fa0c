"""Maps as PNG: the bundled faces and no others, and never without a name in silence."""

from __future__ import annotations

import io
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from pbem.reports.drawing.png import FONTS, MissingFont, png
from pbem.reports.maps.maps import enlargement, sheet
from tests.kit.plate import PLATE
from tests.kit.sample_field import PICTURE

Golden = Callable[[Path, bytes], None]
WORD = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="40">'
    '<rect width="200" height="40" fill="#fff"/><text x="5" y="28" font-size="24" {}>{}</text></svg>'
)


def _ink(content: bytes) -> int:
    """How many pixels are not paper."""
    return sum(value < 200 for value in Image.open(io.BytesIO(content)).convert("L").tobytes())


def test_the_picture_of_a_letter_is_as_committed(fonts: Path, golden: Golden, kept: Path) -> None:
    drawn = png(enlargement(PICTURE), fonts, width=1104)
    assert len(drawn) < 150_000
    golden(kept / "map-st-privat.png", drawn)


def test_the_plate_of_signs_is_as_committed(fonts: Path, golden: Golden, kept: Path) -> None:
    golden(kept / "map-plate.png", png(sheet(PLATE), fonts, width=1344))


def test_a_picture_has_the_width_asked_for_and_a_palette(fonts: Path) -> None:
    image = Image.open(io.BytesIO(png(WORD.format("", "x"), fonts, width=400)))
    assert image.size == (400, 80)
    assert image.mode == "P"


@pytest.mark.parametrize("face", ['font-family="DejaVu Sans"', 'font-family="DejaVu Serif" font-style="italic"'])
def test_words_are_drawn(fonts: Path, face: str) -> None:
    assert _ink(png(WORD.format(face, "St. Privat"), fonts, width=200)) > 200


def test_the_machines_own_faces_are_not_used(fonts: Path) -> None:
    assert _ink(png(WORD.format('font-family="Liberation Mono"', "mmmm"), fonts, width=200)) != _ink(
        png(WORD.format('font-family="DejaVu Serif"', ""), fonts, width=200)
    ), "an unknown face falls back to a bundled one, never to nothing"


@pytest.mark.parametrize("missing", FONTS)
def test_a_missing_face_is_an_error_that_names_it(fonts: Path, tmp_path: Path, missing: str) -> None:
    for name in FONTS:
        if name != missing:
            shutil.copy(fonts / name, tmp_path / name)
    with pytest.raises(MissingFont, match=missing):
        png(WORD.format("", "x"), tmp_path, width=100)
