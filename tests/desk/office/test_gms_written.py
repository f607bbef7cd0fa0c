"""Who runs games is written into `pbem.toml`, and nothing else of what somebody wrote there is changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.desk.office.gm import Gm, named
from pbem.desk.office.gms_written import add, remove
from pbem.desk.office.settings import read_settings
from pbem.kernel.errors import Refused

LINE = """\
# Of the autumn games.
address = "office@games.example"   # ours
gm = "Me@Games.example"            # my own

[smtp]
host = "mail.games.example"        # at home
"""
BERT = Gm(name="Bert", address="bert@games.example", rights={"alma": "run", "*": "read"})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pbem.toml").write_text(LINE)
    (tmp_path / "pbem.toml").chmod(0o640)
    return tmp_path


def test_who_was_named_in_a_line_stays_the_first(folder: Path) -> None:
    assert add(folder, BERT) == BERT

    settings = read_settings(folder)
    assert [(one.name, one.address, one.rights) for one in settings.gms] == [
        ("me", "me@games.example", "all"),
        ("Bert", "bert@games.example", {"alma": "run", "*": "read"}),
    ]
    assert settings.smtp.host == "mail.games.example"


def test_what_else_stands_there_stays_with_its_remarks(folder: Path) -> None:
    add(folder, BERT)
    add(folder, Gm(name="Anna", address="anna@games.example"))
    remove(folder, "BERT")

    text = (folder / "pbem.toml").read_text()
    for line in LINE.splitlines():
        assert line in text or line.startswith("gm =")
    assert [one.name for one in read_settings(folder).gms] == ["me", "Anna"]
    assert (folder / "pbem.toml").stat().st_mode & 0o777 == 0o640
    assert [path.name for path in folder.iterdir()] == ["pbem.toml"]


def test_where_nobody_is_named_whoever_reads_the_offices_letters_is_the_first(folder: Path) -> None:
    (folder / "pbem.toml").write_text('address = "office@games.example"\n')
    add(folder, BERT)

    assert [one.address for one in read_settings(folder).gms] == ["office@games.example", "bert@games.example"]


WRONG = {
    "a name twice": (Gm(name="ME", address="x@games.example"), 'two have the name "me"'),
    "an address twice": (Gm(name="Karl", address="me@games.example"), 'two have the address "me@games.example"'),
    "no address": (Gm(name="Karl", address="karl"), '"karl" is no address'),
    "the office's own name": (Gm(name="Office", address="x@games.example"), '"Office" is no name for him'),
    "a name with a line in it": (Gm(name="a/b", address="x@games.example"), '"a/b" is no name for him'),
}


@pytest.mark.parametrize(("gm", "why"), WRONG.values(), ids=WRONG)
def test_who_cannot_be_known_by_it_is_not_written(folder: Path, gm: Gm, why: str) -> None:
    with pytest.raises(Refused, match=why) as refused:
        add(folder, gm)
    assert "pbem.toml: gm" in str(refused.value)
    assert (folder / "pbem.toml").read_text() == LINE
    assert [path.name for path in folder.iterdir()] == ["pbem.toml"]


def test_there_is_always_one_who_may_do_all(folder: Path) -> None:
    with pytest.raises(Refused, match="gm is the only one"):
        remove(folder, "me@games.example")
    add(folder, BERT)
    with pytest.raises(Refused, match="Bert comes first"):
        remove(folder, "me")


def test_who_is_not_there_is_refused_with_those_who_are(folder: Path) -> None:
    with pytest.raises(Refused, match=r'nobody who runs games is called "karl"\.  There are: me'):
        named(add_and_read(folder), "karl")


def add_and_read(folder: Path) -> tuple[Gm, ...]:
    add(folder, BERT)
    return read_settings(folder).gms


def test_what_the_environment_says_stands_above_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_GM", "other@games.example")
    with pytest.raises(Refused, match="PBEM_GM"):
        add(folder, BERT)


def test_what_is_no_settings_file_stays(folder: Path) -> None:
    (folder / "pbem.toml").write_text("address = \n")
    with pytest.raises(Refused, match=r"pbem\.toml"):
        add(folder, BERT)
