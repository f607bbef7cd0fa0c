"""How often somebody was answered in a day."""

from __future__ import annotations

from pbem.storage import answers
from pbem.storage.databases.connection import Connection
from tests.kit.facts import NOW


def test_answers_of_the_last_day_count_each_person_for_himself(connection: Connection) -> None:
    for hours in (0, 1, 23):
        answers.note(connection, "ann", at=NOW + hours * answers.DAY // 24)
    answers.note(connection, "ben", at=NOW)

    assert answers.counted(connection, "ann", at=NOW + answers.DAY - 1) == 3
    assert answers.counted(connection, "ann", at=NOW + answers.DAY) == 2
    assert answers.counted(connection, "ben", at=NOW + answers.DAY - 1) == 1
    assert answers.counted(connection, "carl", at=NOW) == 0
