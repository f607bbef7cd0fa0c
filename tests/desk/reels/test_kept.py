"""Reels that are kept: the same as those that are made anew, whatever came since."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pbem.desk.books.dossiers import Dossier
from pbem.desk.players.changes import erase_player, find_player, replace_player
from pbem.desk.reels.kept import reel_of
from pbem.desk.reels.reel import reel
from pbem.desk.turns import adjudicate
from pbem.desk.turns.exchange import annul
from pbem.kernel.event import Recorded
from pbem.kernel.names import Moment
from pbem.rules.reel import Change
from pbem.rules.view import Told
from tests.kit.table import PLAYERS, Table

GUARD, SMUGGLER, TRUTH = "guard", "smuggler", "truth"
EYES = ([TRUTH], [SMUGGLER], [GUARD], [TRUTH, SMUGGLER, GUARD])


def rows(table: Table, kind: str = "") -> int:
    with table.office.read() as connection:
        count: int = connection.execute(
            ("SELECT count(*) FROM snapshot WHERE system LIKE :kind"), {"kind": f"reel/%{kind}%"}
        ).scalar()
    return count


def is_as_made_anew(table: Table) -> None:
    for eyes in EYES:
        for _ in range(2):
            assert reel_of(table.office, "ford", eyes) == reel(table.dossier, eyes)


def move(order: str) -> Callable[[Table], None]:
    def played(table: Table) -> None:
        table.write(SMUGGLER, order)
        table.turn()

    return played


def run_alone(table: Table) -> None:
    adjudicate.run(table.office, "ford", early=True)


def annul_the_newest(table: Table) -> None:
    annul(table.office, "ford", None, "A mistake.")


def open_the_first_anew(table: Table) -> None:
    annul(table.office, "ford", Moment(1, 1), "A cart was misplaced.", reopen=True)


GAMES = {
    "turn by turn": [move("move s1 to 3"), move("move s1 to 5"), move("move s1 to 7")],
    "a run that waits for its release": [move("move s1 to 3"), move("move s1 to 5"), run_alone],
    "a run that was annulled": [move("move s1 to 3"), run_alone, annul_the_newest, move("move s1 to 2")],
    "two turns that were played again": [
        move("move s1 to 3"),
        move("move s1 to 5"),
        move("move s1 to 7"),
        open_the_first_anew,
        move("move s1 to 2"),
        move("move s1 to 4"),
        move("move s1 to 6"),
    ],
}


@pytest.mark.parametrize("steps", GAMES.values(), ids=GAMES)
def test_one_that_is_kept_is_as_one_made_anew_after_every_step(
    ford: Table, steps: list[Callable[[Table], None]]
) -> None:
    is_as_made_anew(ford)
    for step in steps:
        step(ford)
        is_as_made_anew(ford)


def test_turns_that_are_over_are_kept_and_not_read_again(ford: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    for order in ("move s1 to 3", "move s1 to 5", "move s1 to 7"):
        move(order)(ford)
    before = reel_of(ford.office, "ford", [TRUTH])
    kept = rows(ford, "/words/")
    asked: list[Moment] = []

    def noted(dossier: Dossier, recorded: Recorded, world: object, eyes: str) -> tuple[Told, ...]:
        asked.append(recorded.moment)
        return ()

    monkeypatch.setattr("pbem.desk.reels.seeing._told", noted)
    again = reel_of(ford.office, "ford", [TRUTH])

    assert kept >= 2
    assert {one.turn for one in asked} == {max(beat.moment.turn for beat in before.beats)}
    assert [beat for beat in again.beats if beat.moment.turn < 3] == [
        one for one in before.beats if one.moment.turn < 3
    ]


def test_words_are_had_without_pictures(ford: Table) -> None:
    for order in ("move s1 to 3", "move s1 to 5", "move s1 to 7"):
        move(order)(ford)
    whole = reel_of(ford.office, "ford", [TRUTH])
    words = reel_of(ford.office, "ford", [TRUTH], pictures=False)
    first = [beat.seen[TRUTH] for beat in words.beats if beat.moment.turn < 2]

    assert first
    assert all(seen.change == Change() for seen in first)
    assert [beat.seen[TRUTH].told for beat in words.beats] == [beat.seen[TRUTH].told for beat in whole.beats]


def test_of_folds_that_are_no_longer_good_none_stays(ford: Table) -> None:
    for order in ("move s1 to 3", "move s1 to 5", "move s1 to 7"):
        move(order)(ford)
    reel_of(ford.office, "ford", [TRUTH])
    before = rows(ford)
    open_the_first_anew(ford)
    for order in ("move s1 to 2", "move s1 to 4"):
        move(order)(ford)
    reel_of(ford.office, "ford", [TRUTH])

    assert 0 < rows(ford) <= before
    is_as_made_anew(ford)


def test_when_a_player_is_erased_no_reel_stays(ford: Table) -> None:
    for order in ("move s1 to 3", "move s1 to 5"):
        move(order)(ford)
    reel_of(ford.office, "ford", [SMUGGLER])
    assert rows(ford)
    replace_player(ford.office, "ford", SMUGGLER, name="Dora", address="dora@player.example", reason="He left.")
    erase_player(ford.office, find_player(ford.office, PLAYERS[SMUGGLER]).id)

    assert rows(ford) == 0
    is_as_made_anew(ford)


@pytest.mark.parametrize("kind", ["words", "pictures", "shown"])
def test_what_is_spoilt_of_one_that_is_kept_is_made_anew(ford: Table, kind: str) -> None:
    for order in ("move s1 to 3", "move s1 to 5", "move s1 to 7"):
        move(order)(ford)
    reel_of(ford.office, "ford", [TRUTH])
    with ford.office.write() as connection:
        spoilt = connection.execute(
            ("UPDATE snapshot SET data = :data WHERE system LIKE :kind"),
            {"data": b"no fold at all", "kind": f"reel/%/{kind}/%"},
        )

    assert spoilt.rowcount > 0
    is_as_made_anew(ford)
