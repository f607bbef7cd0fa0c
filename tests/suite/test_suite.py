"""The contract suite finds what is against the contract, and says of which system it is to be asked."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from pbem.rules.view import Table, View
from pbem.suite import contract, whole
from pbem.suite.play import Game
from pbem.suite.secret import plug
from tests.systems import toy
from tests.systems.play import SIXTH
from tests.systems.toy.state import GUARD


@pytest.fixture(autouse=True)
def sixth(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(SIXTH))


def asked(*words: str) -> subprocess.CompletedProcess[str]:
    """The suite, asked in a process of its own that has the toy."""
    path = os.pathsep.join((str(SIXTH), *sys.path))
    command = (sys.executable, "-m", "pytest", "-q", "-p", "pbem.suite.plugin", "-p", "no:schemathesis")
    return subprocess.run(
        (*command, "-p", "no:cacheprovider", "--pyargs", "pbem.suite", *words),
        capture_output=True,
        text=True,
        check=False,
        cwd=SIXTH,
        env=os.environ | {"PYTHONPATH": path},
    )


def test_it_says_of_which_systems_it_can_be_asked() -> None:
    done = asked("--system", "chess")

    assert done.returncode != 0
    assert 'no package has a system "chess".  Installed, of other packages: toy.' in done.stdout + done.stderr


def page() -> View:
    return Game(toy.SYSTEM, "ford").page(GUARD)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"title": "one two three four five six seven eight"}, "the title has more than 7 words"),
        ({"brief": ("a",) * 3}, "more than 2 paragraphs"),
        ({"brief": ("word " * 81,)}, "80 words"),
        ({"own": (Table(columns=("a", "b"), rows=(("1",),)),)}, "1 cells under 2 columns"),
        ({"score": (Table(columns=("a",), rows=(("1",),), numbers=(1,)),)}, "has no column 1"),
    ],
)
def test_a_page_that_is_not_as_it_must_be_is_found(changes: dict[str, object], why: str) -> None:
    assert list(whole.amiss(page())) == []
    assert why in "; ".join(whole.amiss(msgspec.structs.replace(page(), **changes)))


def test_a_map_without_words_is_found() -> None:
    mute = replace(page(), picture=replace(page().picture, words=()))

    assert list(whole.amiss(mute)) == ["the map is not told in words, for those who cannot see it"]


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("import random", "line 1: random"),
        ("from secrets import token_hex", "line 1: secrets"),
        ("import datetime\ndatetime.datetime.now()", "line 2: datetime.datetime.now"),
        ("from pbem.storage import log", "line 1: pbem.storage"),
        ("def f(x):\n    return hash(x)", "line 2: hash"),
        ("open('x')", "line 1: open"),
    ],
)
def test_what_reaches_outside_the_rules_is_found(source: str, why: str) -> None:
    assert list(whole.impure(source)) == [why]


def test_rules_that_import_what_they_may_are_pure() -> None:
    source = "from pbem.rules.contract import System\nimport msgspec\nfrom mine.state import Field"

    assert list(whole.impure(source)) == []


def test_an_order_that_is_never_heard_of_again_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    tell = toy.SYSTEM.tell
    mute = dataclasses.replace(toy.SYSTEM, tell=lambda *asked: [one for one in tell(*asked) if not one.line])
    monkeypatch.setattr(toy, "SYSTEM", mute)

    with pytest.raises(AssertionError):
        whole.test_every_order_that_was_read_is_answered_for_by_its_line("toy", "ford")


def test_what_must_always_hold_is_asked_of_every_fact(monkeypatch: pytest.MonkeyPatch) -> None:
    module = plug("toy")
    monkeypatch.setattr(module, "breaches", lambda *asked: ["TY-MOV-02: two carts"], raising=False)

    with pytest.raises(AssertionError):
        whole.test_no_fact_breaks_what_must_always_hold("toy", "ford")
    contract.stages.cache_clear()


def test_a_position_is_set_by_rulings_and_one_that_is_wrong_says_why() -> None:
    game = Game(toy.SYSTEM, "ford", bare=True)
    game.rule("place s1 at 3\n\nset s1 men 1")

    assert {name: piece.men for name, piece in game.world.truth.pieces.items()} == {"s1": 1}
    with pytest.raises(ValueError, match='"place s9 at 3": there is no piece "s9"'):
        game.rule("place s9 at 3")


def test_the_suite_says_what_it_wants_of_a_system_that_tells_it_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "mute_system"
    package.mkdir()
    (package / "__init__.py").write_text("")
    info = tmp_path / "pbem_mute-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: pbem-mute\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[pbem.systems]\nmute = mute_system:SYSTEM\n")
    monkeypatch.syspath_prepend(str(tmp_path))

    with pytest.raises(ModuleNotFoundError, match=r"the suite wants mute_system\.suite of the system mute"):
        plug("mute")
