"""`pbem doctor` sees whether the pages can be had where the settings say."""

from __future__ import annotations

from dataclasses import replace

from msgspec.structs import replace as changed

from pbem.desk.house.doctor import LOOKS, Finding
from tests.kit.room import Room
from tests.kit.told import program


def seen(room: Room, url: str) -> list[Finding]:
    web = changed(room.office.settings.web, url=url)
    office = replace(room.office, settings=changed(room.office.settings, web=web))
    return list(LOOKS["pages"](office))


def test_pages_that_can_be_had_are_in_order(quiet: Room) -> None:
    assert seen(quiet, quiet.address) == [Finding("pages", "ok", quiet.address)]


def test_pages_that_cannot_be_had_are_named(quiet: Room) -> None:
    [found] = seen(quiet, "http://127.0.0.1:1")

    assert found.state == "look"
    assert "does pbem run --web run" in found.says


def test_where_another_answers_is_named(quiet: Room) -> None:
    with program() as other:
        [found] = seen(quiet, f"https://localhost:{other.port}")

    assert found.state == "look"


def test_an_office_without_an_address_of_pages_is_not_asked(quiet: Room) -> None:
    assert seen(quiet, "") == []
