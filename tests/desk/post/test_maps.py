"""The maps of letters: drawn by processes of their own, each begun once."""

from __future__ import annotations

import time
from concurrent.futures import Future

import pytest

from pbem.desk.pages import pages
from pbem.desk.players.enrol import set_terms
from pbem.desk.post.writing import maps_later, write_drawn
from pbem.desk.turns import adjudicate
from pbem.reports.maps.drawer import Drawer
from pbem.reports.pages.report import Page
from tests.kit.table import Table


def test_a_map_is_begun_once_however_often_it_is_looked_whether_it_is_drawn(
    ford: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []
    begin = pages.begin_map

    def noted(page: Page, drawer: Drawer) -> Future[bytes | None]:
        begun.append(str(page.view.role))
        return begin(page, drawer)

    monkeypatch.setattr(pages, "begin_map", noted)
    set_terms(ford.office, "ford", {"release": "auto"})
    before = len([mail for mail in ford.mails if mail.kind == "report"])
    with maps_later(ford.office), pages.drawer_of(ford.office) as drawer:
        adjudicate.run(ford.office, "ford", early=True)
        looks = 0
        while write_drawn(ford.office, drawer):
            looks += 1
            time.sleep(0.01)

    assert looks > len(begun)
    assert sorted(begun) == sorted(ford.dossier.roles)
    assert len([mail for mail in ford.mails if mail.kind == "report"]) == before + len(begun)
