"""Standing orders: which lines are sent when."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.desk.study.doctrine import Doctrine, choose, doctrines, sections
from pbem.kernel.errors import BadScenario, Refused
from pbem.kernel.names import Moment, Role

ROLES = (Role("french"), Role("prussian"))


def sent(text: str, moment: str) -> list[str]:
    doctrine = Doctrine("x", sections(text, "x.txt"))
    return [line.text.strip() for line in doctrine.sheet(Moment.parse(moment))]


@pytest.mark.parametrize(
    ("head", "fits", "fits_not"),
    [
        ("# every turn", "1A 1B 9A", "S1 2.1"),
        ("# Every Turn B", "1B 9B", "1A"),
        ("# turn S1", "S1", "S2 1A"),
        ("# turn 0", "S1 S2", "1A"),
        ("# turn 3", "3A 3B", "2A 4A 3.1"),
        ("#turn 3b", "3B", "3A 4B"),
        ("# turn 3 B: the charge", "3B", "3A"),
        ("# turns 3-5", "3A 5B", "2A 6A"),
        ("# turns 3 - 5 A", "3A 5A", "4B"),
        ("# turns 3-", "3A 99B", "2B"),
        ("# every halt", "1.1 9B.3", "1A"),
        ("# turns 3- halts", "3.1 4B.2", "3A 2.1"),
    ],
)
def test_a_head_says_when_the_lines_below_it_are_sent(head: str, fits: str, fits_not: str) -> None:
    text = f"{head}\nhold p1\n"

    assert [sent(text, moment) for moment in fits.split()] == [["hold p1"]] * len(fits.split())
    assert [sent(text, moment) for moment in fits_not.split()] == [[]] * len(fits_not.split())


def test_all_sections_that_fit_are_sent_in_the_order_in_which_they_stand() -> None:
    text = "first\n\n# turn 2\nsecond # a remark\n## turn on them\n# every turn\nthird\n# turn 3\nfourth"

    assert sent(text, "2A") == ["first", "second # a remark", "third"]
    assert sent(text, "3A") == ["first", "third", "fourth"]
    assert sent(text, "S1") == []


def test_lines_keep_their_numbers_in_the_file() -> None:
    doctrine = Doctrine("x", sections("# turn 1\n\nhold p1\n# turn 2\nhold p2", "x.txt"))

    assert [line.number for line in doctrine.lines] == [3, 5]


@pytest.mark.parametrize("head", ["# turn x", "# turns 3-5-7", "# turn the flank", "# every man", "# turn"])
def test_a_head_that_cannot_be_read_is_named_with_its_line(head: str) -> None:
    with pytest.raises(BadScenario, match=r"french\.txt, line 2: .* is no head of a section"):
        sections(f"\n{head}\nhold p1", "french.txt")


def lay(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        path = folder / "study" / f"{name.replace('__', '/')}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def test_what_lies_in_the_folder_itself_is_played_unasked(tmp_path: Path) -> None:
    lay(tmp_path, bold__french="hold f1", french="hold f2", careful__french="hold f3")

    assert list(doctrines(tmp_path)) == ["obvious", "bold", "careful"]
    chosen = choose(tmp_path, ROLES)
    assert chosen[ROLES[0]].sheet(Moment(1))[0].text == "hold f2"
    assert chosen[ROLES[1]] == Doctrine("silence")


def test_a_doctrine_is_chosen_for_all_or_for_one(tmp_path: Path) -> None:
    lay(tmp_path, bold__french="a", bold__prussian="b", french="c", prussian="d")

    names = {role: one.name for role, one in choose(tmp_path, ROLES, ["french=silence", "bold"]).items()}

    assert names == {"french": "silence", "prussian": "bold"}


def test_without_any_everybody_is_silent(tmp_path: Path) -> None:
    assert {one.name for one in choose(tmp_path, ROLES).values()} == {"silence"}


def test_what_is_not_there_is_refused(tmp_path: Path) -> None:
    lay(tmp_path, french="a")

    with pytest.raises(Refused, match=r'no doctrine "bald".*obvious, silence'):
        choose(tmp_path, ROLES, ["bald"])
    with pytest.raises(Refused, match='no role "saxon"'):
        choose(tmp_path, ROLES, ["saxon=obvious"])


def test_a_file_of_no_role_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadScenario, match=r'no role "frnch"; did you mean french\.txt'):
        choose(lay(tmp_path, frnch="a"), ROLES)


def test_one_name_is_one_doctrine(tmp_path: Path) -> None:
    with pytest.raises(BadScenario, match="both study itself and study/obvious"):
        doctrines(lay(tmp_path, french="a", obvious__french="b"))
