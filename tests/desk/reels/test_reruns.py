"""Two runs laid beside each other, as sentences."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pbem.desk.reels.reel import reel
from pbem.desk.reels.reruns import Rerun, Said, compared, lacking
from pbem.desk.reels.runs import runs_of, standing_run
from pbem.desk.turns import adjudicate, publish
from pbem.desk.turns.exchange import annul
from pbem.kernel.names import Moment
from pbem.rules.leafing import address, at
from pbem.rules.reel import TRUTH
from pbem.rules.view import Note, Told
from tests.kit.table import Table

A1 = Moment(1, 1)


def said(some: Sequence[Said]) -> list[tuple[str, str | None, str]]:
    told = [(one.beat.name, None, line.text) for one in some for line in one.told]
    return [*told, *((one.beat.name, role, line.text) for one in some for role, of in one.lines.items() for line in of)]


ONE = Told(moment=A1, phase="Movement", text="A cart came.")


def test_what_is_said_twice_must_be_there_twice() -> None:
    assert lacking((ONE, ONE), (ONE,)) == (1,)
    assert lacking((ONE,), (ONE, ONE)) == ()


def test_other_dice_to_the_same_sentence_are_nothing_new_and_another_phase_or_result_is() -> None:
    assert lacking((ONE,), (replace(ONE, notes=(Note("By a die."),)),)) == ()
    assert lacking((ONE,), (replace(ONE, phase="Fire"),)) == (0,)
    assert lacking((replace(ONE, line=1, result="done"),), (replace(ONE, line=1, result="in part"),)) == (0,)


def test_two_runs_are_compared_beat_by_beat_as_the_eyes_had_them(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    ford.turn()
    annul(ford.office, "ford", A1, "A cart was misplaced.", reopen=True)
    ford.write("smuggler", "move s1 to 2")
    ford.turn()

    found = {}
    for eyes in ("smuggler", "guard", TRUTH):
        whole = reel(ford.dossier, [eyes])
        first, second = (at(whole, address(f"1A#{number}")) for number in (1, 2))
        found[eyes] = compared(first, second, eyes)
        assert compared(first, first, eyes) == Rerun((), ())

    went, stayed = "s1 went from 1 to 3.", "s1 stayed: capacity full."
    assert said(found["smuggler"].gone) == [("1A#1.1", None, went), ("1A#1.1", "smuggler", went)]
    assert said(found["smuggler"].new) == [("1A#2.1", None, stayed), ("1A#2.1", "smuggler", stayed)]
    assert (said(found["guard"].gone), said(found["guard"].new)) == ([("1A#1.1", None, went)], [])
    assert ("1A#1.1", "smuggler", went) in said(found[TRUTH].gone)


def test_a_run_is_counted_by_who_knows_of_it(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    adjudicate.run(ford.office, "ford", early=True)
    annul(ford.office, "ford", None, "A mistake.")
    adjudicate.run(ford.office, "ford", early=True)
    publish.release(ford.office, "ford")
    numbers = {
        eyes: [(one.number, one.annulled) for one in runs_of(ford.dossier, (eyes,)) if one.facts[0].moment == A1]
        for eyes in (TRUTH, "smuggler")
    }

    assert numbers == {TRUTH: [(1, True), (2, False)], "smuggler": [(1, True), (1, False)]}
    assert standing_run(ford.dossier, A1) == 2
    assert standing_run(ford.dossier, Moment(1, 2)) == 1
