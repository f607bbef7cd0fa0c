"""Where the files lie that ship with the office."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.resources import resources


def test_a_checkout_has_them_beside_the_package() -> None:
    assert resources("templates") == Path(__file__).parents[1] / "templates"


def test_an_installed_office_has_them_inside_the_package_and_looks_there_first(tmp_path: Path) -> None:
    package = tmp_path / "pbem"
    for folder in (tmp_path / "campaigns", package / "_data" / "campaigns"):
        folder.mkdir(parents=True)

    assert resources("campaigns", package) == package / "_data" / "campaigns"


def test_both_places_are_named_where_there_is_neither(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="migrations are missing") as missing:
        resources("migrations", tmp_path / "pbem")

    assert str(tmp_path / "pbem" / "_data" / "migrations") in str(missing.value)
    assert str(tmp_path / "migrations") in str(missing.value)
