"""One entry of `pbem.toml` is changed, and nothing else of what somebody wrote there."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.cli.house import SETTINGS
from pbem.desk.office import switching
from pbem.kernel.errors import Refused

URL = "postgresql://pbem@db.example.org/autumn?options=-c%20a=1"
NEW = f'database = "{URL}"'

MADE = SETTINGS.format(
    address="a@b.example", name="", gm="", zone="UTC", database="sqlite:///office.sqlite", addresses='"none"'
)

WRITTEN = {
    "as it is made": (MADE, MADE.replace('database = "sqlite:///office.sqlite"', NEW)),
    "a remark behind it": ("database='sqlite:///x'  # mine\n[smtp]\n", f'database="{URL}"  # mine\n[smtp]\n'),
    "no entry": ('address = "a@b.example"\n', f'address = "a@b.example"\n{NEW}\n'),
    "no entry above tables": (
        'address = "a@b.example"\n\n# The server.\n[smtp]\nhost = "x"\n',
        f'address = "a@b.example"\n{NEW}\n\n# The server.\n[smtp]\nhost = "x"\n',
    ),
    "nothing but tables": ("[smtp]\nhost = 'x'\n", f"{NEW}\n\n[smtp]\nhost = 'x'\n"),
    "another in a table, and in a text": (
        'name = """\ndatabase = "no"\n"""\ndatabase = "sqlite:///x"\n[defaults]\ndatabase = "z"\n',
        f'name = """\ndatabase = "no"\n"""\n{NEW}\n[defaults]\ndatabase = "z"\n',
    ),
    "nothing": ("", f"{NEW}\n"),
}


@pytest.mark.parametrize(("before", "after"), WRITTEN.values(), ids=WRITTEN)
def test_the_entry_is_changed_and_nothing_else(tmp_path: Path, before: str, after: str) -> None:
    file = tmp_path / "pbem.toml"
    file.write_text(before)
    file.chmod(0o640)
    switching.lay_ready(tmp_path, URL)
    assert file.read_text() == before
    switching.switch(tmp_path)
    switching.switch(tmp_path)

    assert file.read_text() == after
    assert (tmp_path / "pbem.toml.before").read_text() == before
    assert file.stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pbem.toml", "pbem.toml.before"]


def test_what_cannot_be_changed_alone_is_refused(tmp_path: Path) -> None:
    (tmp_path / "pbem.toml").write_text('database = """sqlite:///x"""\n')

    with pytest.raises(Refused, match="write the entry database in one line, above all tables"):
        switching.see_written(tmp_path, URL)


def test_what_the_environment_says_stands_above_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pbem.toml").write_text("")
    monkeypatch.setenv("PBEM_DATABASE", "sqlite:///x")

    with pytest.raises(Refused, match="PBEM_DATABASE of the environment stands above"):
        switching.see_written(tmp_path, URL)
