"""The reel of a campaign: from its log, annulled runs too, and of a role what it was told."""

from __future__ import annotations

import msgspec
import pytest

from pbem.desk.reels.reel import reel
from pbem.desk.turns import adjudicate, publish
from pbem.desk.turns.exchange import annul
from pbem.kernel.errors import UnknownRole
from pbem.kernel.names import Moment
from pbem.rules.reel import Beat, pictures
from tests.kit.table import Table

GUARD, SMUGGLER = "guard", "smuggler"


def texts(beats: tuple[Beat, ...], eyes: str) -> list[str]:
    return [line.text for beat in beats if eyes in beat.seen for line in beat.seen[eyes].told]


def test_a_role_has_what_its_reports_told_and_no_more(ford: Table) -> None:
    ford.write(SMUGGLER, "move s1 to 3")
    adjudicate.run(ford.office, "ford", early=True)
    before = reel(ford.dossier, [SMUGGLER])
    publish.release(ford.office, "ford")
    after = reel(ford.dossier, [SMUGGLER])

    assert "s1 went from 1 to 3." not in texts(before.beats, SMUGGLER)
    assert "s1 went from 1 to 3." in texts(after.beats, SMUGGLER)
    assert after.eyes == (SMUGGLER,)


def test_a_run_that_was_annulled_before_anybody_was_told_is_in_no_role_s_reel(ford: Table) -> None:
    ford.write(SMUGGLER, "move s1 to 3")
    adjudicate.run(ford.office, "ford", early=True)
    annul(ford.office, "ford", None, "A mistake.")
    ford.turn()
    role, truth = reel(ford.dossier, [SMUGGLER]), reel(ford.dossier)

    assert {(beat.run, beat.annulled) for beat in role.beats} == {(1, False)}
    assert all("#" not in beat.name for beat in role.beats)
    assert {(beat.run, beat.annulled) for beat in truth.beats if beat.moment == Moment(1, 1)} == {(1, True), (2, False)}


def test_one_that_he_had_a_report_of_is_marked_beside_that_which_took_its_place(ford: Table) -> None:
    ford.write(SMUGGLER, "move s1 to 3")
    ford.turn()
    annul(ford.office, "ford", Moment(1, 1), "A cart was misplaced.", reopen=True)
    ford.write(SMUGGLER, "move s1 to 2")
    ford.turn()
    found = reel(ford.dossier, [SMUGGLER])
    first, second = ([one for one in found.beats if one.annulled is so] for so in (True, False))

    assert "s1 went from 1 to 3." in texts(tuple(first), SMUGGLER)
    assert "s1 stayed: capacity full." in texts(tuple(second), SMUGGLER)
    assert {beat.run for beat in first} == {1}
    assert {beat.run for beat in second if beat.moment == Moment(1, 1)} == {2}


def test_what_becomes_of_a_line_is_told_to_him_who_sees_all_and_to_its_writer(ford: Table) -> None:
    ford.write(SMUGGLER, "move s1 to 3")
    ford.turn()
    found = reel(ford.dossier, ["truth", SMUGGLER, GUARD])
    lines = {eyes: [seen.lines for beat in found.beats if (seen := beat.seen.get(eyes))] for eyes in found.eyes}

    assert any(SMUGGLER in one for one in lines["truth"])
    assert any(SMUGGLER in one for one in lines[SMUGGLER])
    assert not any(lines[GUARD])


def test_the_picture_after_the_last_beat_is_that_of_the_role_s_newest_report(ford: Table) -> None:
    ford.write(SMUGGLER, "move s1 to 3")
    ford.turn()
    *_, (_, shown) = pictures(reel(ford.dossier, [SMUGGLER]), SMUGGLER)

    assert shown is not None
    assert {one.parts[0]: one.at for one in shown.blocks}["s1"] == (250, 50)


def test_of_a_role_that_is_not_there_there_is_none(ford: Table) -> None:
    with pytest.raises(UnknownRole):
        reel(ford.dossier, ["admiral"])


def test_what_another_role_has_changes_no_byte_of_one_alone(ford: Table) -> None:
    ford.turn()
    made = msgspec.json.encode(reel(ford.dossier, [GUARD]).beats)

    assert b"laden" not in made
