"""Old events are read for ever, in the shape of now, and stay as they were written."""

from __future__ import annotations

import pytest

from pbem.kernel.errors import BrokenLog
from pbem.kernel.event import Outcome
from pbem.kernel.names import Moment
from pbem.storage.codec import Codec
from pbem.storage.database import reading, transaction
from pbem.storage.databases.connection import Engine
from pbem.storage.log import SqlLog
from pbem.storage.upcast import Json, Upcasts
from tests.kit.facts import AUTUMN, NOW


class Melee1(Outcome, frozen=True, kw_only=True, tag="test.melee"):
    """The first shape: the odds as text."""

    odds: str


class Melee3(Outcome, frozen=True, kw_only=True, tag="test.melee"):
    """The shape of now: two numbers, and who began."""

    odds: tuple[int, int]
    attacker: str


def odds_as_numbers(old: dict[str, Json]) -> dict[str, Json]:
    """From 1 to 2."""
    left, _, right = str(old["odds"]).partition("-")
    return {**old, "odds": [int(left), int(right)]}


def attacker_unknown(old: dict[str, Json]) -> dict[str, Json]:
    """From 2 to 3."""
    return {**old, "attacker": ""}


STEPS = (("test.melee", 1, odds_as_numbers), ("test.melee", 2, attacker_unknown))
OLD, NEW = Codec([Melee1]), Codec([Melee3], Upcasts(STEPS))


def test_an_old_event_is_read_in_the_shape_of_now_and_its_bytes_stay(office: Engine) -> None:
    with transaction(office) as connection:
        SqlLog(connection, OLD).append(AUTUMN, [(Moment(1), Melee1(odds="2-1"))], expecting=0, at=NOW, actor="gm")
    with transaction(office) as connection:
        log = SqlLog(connection, NEW)
        before = connection.execute("SELECT * FROM event").fetchall()
        log.append(AUTUMN, [(Moment(2), Melee3(odds=(3, 1), attacker="p1"))], expecting=1, at=NOW, actor="gm")

        assert [one.event for one in log.read(AUTUMN)] == [
            Melee3(odds=(2, 1), attacker=""),
            Melee3(odds=(3, 1), attacker="p1"),
        ]

    with reading(office) as connection:
        assert connection.execute("SELECT * FROM event WHERE seq = 1").fetchall() == before
        assert list(connection.execute("SELECT schema FROM event ORDER BY seq").scalars()) == [1, 3]
        assert SqlLog(connection, NEW).check_chain(AUTUMN) == 2


def test_an_event_of_a_later_shape_is_refused_by_name(office: Engine) -> None:
    with transaction(office) as connection:
        event = Melee3(odds=(3, 1), attacker="p1")
        SqlLog(connection, NEW).append(AUTUMN, [(Moment(1), event)], expecting=0, at=NOW, actor="gm")

        with pytest.raises(
            BrokenLog, match=r"event 1 of autumn: test\.melee is of schema 3, and this pbem reads up to 1"
        ):
            list(SqlLog(connection, OLD).read(AUTUMN))


def test_an_upcast_that_fails_names_the_event() -> None:
    with pytest.raises(BrokenLog, match=r"test\.melee cannot be read"):
        NEW.decode("test.melee", 1, '{"kind":"test.melee","odds":"many"}')


def test_an_upcast_that_misses_a_field_names_the_event() -> None:
    with pytest.raises(BrokenLog, match=r"test\.melee cannot be read"):
        NEW.decode("test.melee", 1, '{"kind":"test.melee"}')


def test_a_gap_is_refused_at_the_start() -> None:
    with pytest.raises(ValueError, match=r"test\.melee from 1 to 2: no upcast, but there is one for a later schema"):
        Upcasts(STEPS[1:])


def test_a_step_that_is_there_twice_is_refused_at_the_start() -> None:
    with pytest.raises(ValueError, match=r"test\.melee from 2 to 3: more than one upcast"):
        Upcasts((*STEPS, STEPS[1]))


def test_an_upcast_for_no_kind_is_refused_at_the_start() -> None:
    with pytest.raises(ValueError, match=r"an upcast for what is no kind of event here: test\.melee"):
        Codec((), Upcasts(STEPS))


def test_what_has_never_changed_is_at_the_first_schema() -> None:
    assert Upcasts(STEPS).schema("test.melee") == 3
    assert Upcasts(STEPS).schema("test.moved") == 1
