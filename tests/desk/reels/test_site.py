"""The pages of a club's web space."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from pbem.desk.players.enrol import end
from pbem.desk.reels import site
from pbem.kernel.errors import Refused
from pbem.reports.replay.page import unpacked
from tests.kit.table import Table

ATOM = "{http://www.w3.org/2005/Atom}"


def fought(table: Table) -> Table:
    table.write("smuggler", "move s1 to 3\nmove s2 to 4")
    table.turn()
    table.write("guard", "fire g2 at 4")
    table.turn()
    return table


def test_a_game_is_a_page_a_turn_with_an_index_and_a_feed(ford: Table, tmp_path: Path) -> None:
    end(fought(ford).office, "ford", "It is <late>.")
    written = site.write(ford.office, "ford", tmp_path / "public", (), everything=True)

    names = {path.relative_to(tmp_path / "public").as_posix() for path in written}
    assert names == {
        "index.html", "feed.xml", "ford/index.html", "ford/game.json", "ford/turn-s.html", "ford/turn-1.html",
    }  # fmt: skip
    index = (tmp_path / "public/index.html").read_text()
    assert 'href="ford/index.html"' in index
    assert "It is &lt;late&gt;." in index
    turn = (tmp_path / "public/ford/turn-1.html").read_text()
    assert "s1 went from 1 to 3" in turn
    assert "<script" not in turn
    assert 'aria-label="Map: Turn 1' in turn
    assert unpacked((tmp_path / "public/ford/index.html").read_text()).eyes[0].name == "truth"


def test_the_feed_is_atom_and_names_a_turn_the_same_each_time(ford: Table, tmp_path: Path) -> None:
    def ids() -> list[str]:
        feed = ElementTree.fromstring((tmp_path / "feed.xml").read_text())
        assert feed.tag == f"{ATOM}feed"
        for entry in feed.findall(f"{ATOM}entry"):
            assert all(entry.find(ATOM + name) is not None for name in ("id", "title", "updated", "link"))
        return [str(entry.findtext(f"{ATOM}id")) for entry in feed.findall(f"{ATOM}entry")]

    site.write(ford.office, "ford", tmp_path, ("guard",), everything=False)
    before = ids()
    fought(ford)
    site.write(ford.office, "ford", tmp_path, ("guard",), everything=False)

    assert len(before) == 1
    assert len(ids()) == 2
    assert set(before) < set(ids())


def test_other_games_of_the_folder_stay_and_what_is_none_is_passed_over(ford: Table, tmp_path: Path) -> None:
    site.write(ford.office, "ford", tmp_path, ("guard",), everything=False)
    (tmp_path / "other").mkdir()
    card = (tmp_path / "ford/game.json").read_text().replace('"ford"', '"other"').replace("ford", "The moor")
    (tmp_path / "other/game.json").write_text(card)
    (tmp_path / "junk").mkdir()
    (tmp_path / "junk/game.json").write_text("{")
    site.write(ford.office, "ford", tmp_path, ("guard",), everything=False)

    index = (tmp_path / "index.html").read_text()
    assert index.count("<section>") == 2
    assert 'href="other/index.html"' in index


def test_what_a_role_does_not_know_is_on_no_page(ford: Table, tmp_path: Path) -> None:
    for path in site.write(fought(ford).office, "ford", tmp_path, ("guard",), everything=False):
        assert "laden" not in path.read_text()
    with pytest.raises(Refused, match="is not over"):
        site.write(ford.office, "ford", tmp_path, (), everything=True)
