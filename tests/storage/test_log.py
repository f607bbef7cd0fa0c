"""The log in the database does what the log in memory does, and keeps it."""

from __future__ import annotations

import tempfile
from pathlib import Path
from shutil import copy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.kernel.errors import BrokenLog, StaleLog
from pbem.kernel.event import Event, Recorded
from pbem.kernel.names import CampaignId, Moment, PlayerId, Role
from pbem.kernel.office import PlayerEnrolled, PlayerReplaced, PlayerWithdrew
from pbem.storage import log
from pbem.storage.codec import Codec
from pbem.storage.database import open_office, reading, transaction
from pbem.storage.databases.connection import Engine
from pbem.storage.log import HASHED, Head, SqlLog
from tests.kit.facts import AUTUMN, FACTS, NOW, SPRING, Moved, asked, events, moments, moves
from tests.kit.memory_log import MemoryLog

CODEC = Codec(FACTS)

batches = st.lists(
    st.tuples(
        st.sampled_from((AUTUMN, SPRING)),
        st.integers(0, 2),
        st.lists(st.tuples(moments, events), max_size=3),
        st.integers(0, 2**53),
        st.sampled_from(("office", "gm", "päul")),
    ),
    max_size=8,
)
"""Appends: to which campaign, how stale the writer's reading is, what, when, by whom."""


@settings(max_examples=40)
@given(written=batches)
def test_any_interleaving_keeps_the_chain_and_what_a_memory_log_keeps(
    empty_office: Path, written: list[tuple[CampaignId, int, list[tuple[Moment, Event]], int, str]]
) -> None:
    model = MemoryLog()
    with tempfile.TemporaryDirectory() as folder:
        engine = open_office(f"sqlite:///{copy(empty_office, folder)}")
        for campaign, stale, batch, at, actor in written:
            expecting = len(list(model.read(campaign))) - stale
            # Compared as it reads back, for names are brought into Unicode's normal form on the way in.
            normal = [(moment, CODEC.decode(*CODEC.encode(event))) for moment, event in batch]
            with transaction(engine) as connection:
                log = SqlLog(connection, CODEC)
                try:
                    end = model.append(campaign, normal, expecting=expecting, at=at, actor=actor)
                except StaleLog:
                    with pytest.raises(StaleLog):
                        log.append(campaign, batch, expecting=expecting, at=at, actor=actor)
                else:
                    assert log.append(campaign, batch, expecting=expecting, at=at, actor=actor) == end
        with reading(engine) as connection:
            log = SqlLog(connection, CODEC)
            for campaign in (AUTUMN, SPRING):
                kept = list(model.read(campaign))
                assert list(log.read(campaign)) == kept
                assert log.check_chain(campaign) == len(kept) == log.head(campaign).seq
        engine.dispose()


def test_a_log_that_has_not_begun_is_empty(office: Engine) -> None:
    with reading(office) as connection:
        log = SqlLog(connection, CODEC)

        assert log.campaigns() == []
        assert log.head(AUTUMN) == Head(0, "")
        assert list(log.read(AUTUMN)) == []
        assert log.check_chain(AUTUMN) == 0


def test_each_campaign_has_a_log_of_its_own_from_one(office: Engine) -> None:
    with transaction(office) as connection:
        log = SqlLog(connection, CODEC)
        log.append(SPRING, moves(3), expecting=0, at=NOW, actor="gm")
        log.append(AUTUMN, moves(2), expecting=0, at=NOW + 1, actor="office")

        assert log.campaigns() == [AUTUMN, SPRING]
        assert [one.seq for one in log.read(AUTUMN)] == [1, 2]
        assert [one.seq for one in log.read(SPRING)] == [1, 2, 3]


def test_campaigns_are_found_by_their_names_and_by_how_these_begin(office: Engine) -> None:
    names = ["a", "fall", "fall-1", "fall-10", "fall-2", "falls", "fallz", "fam", "z"]
    with transaction(office) as connection:
        log = SqlLog(connection, CODEC)
        for name in names:
            log.append(CampaignId(name), moves(2), expecting=0, at=NOW, actor="gm")

        assert log.beginning("fall") == ["fall", "fall-1", "fall-10", "fall-2", "falls", "fallz"]
        assert log.beginning("fall-1") == ["fall-1", "fall-10"]
        assert log.beginning("fallen") == []
        assert log.beginning("z") == ["z"]
        assert log.those_there(["z", "fall", "Fall", "fal", "", "fall\0", "\ud800", "z", "1' or 1"]) == {"fall", "z"}
        assert log.those_there([]) == set()
        assert log.those_there([f"fall-{n}" for n in range(3000)]) == {"fall-1", "fall-10", "fall-2"}


def test_an_event_comes_back_with_its_envelope(office: Engine) -> None:
    moment, event = Moment(5, 2, 1), Moved(piece="p1", path=("J-9", "J-10"), cost=-3)
    with transaction(office) as connection:
        SqlLog(connection, CODEC).append(AUTUMN, [(moment, event)], expecting=0, at=NOW, actor="gm")

    with reading(office) as connection:
        assert list(SqlLog(connection, CODEC).read(AUTUMN)) == [Recorded(1, NOW, "gm", moment, event)]


def test_a_part_of_the_log_is_read_alone(office: Engine) -> None:
    with transaction(office) as connection:
        log = SqlLog(connection, CODEC)
        log.append(AUTUMN, moves(1200), expecting=0, at=NOW, actor="gm")

        assert [one.seq for one in log.read(AUTUMN, after=3, upto=6)] == [4, 5, 6]
        assert [one.seq for one in log.read(AUTUMN, after=1198)] == [1199, 1200]
        assert len(list(log.read(AUTUMN))) == 1200


def test_what_is_not_committed_never_was(office: Engine) -> None:
    def fails() -> None:
        with transaction(office) as connection:
            SqlLog(connection, CODEC).append(AUTUMN, moves(5), expecting=0, at=NOW, actor="gm")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fails()

    with reading(office) as connection:
        assert SqlLog(connection, CODEC).head(AUTUMN) == Head(0, "")


def test_who_read_an_older_end_is_told_both(office: Engine) -> None:
    with transaction(office) as connection:
        log = SqlLog(connection, CODEC)
        log.append(AUTUMN, moves(2), expecting=0, at=NOW, actor="gm")
        with pytest.raises(StaleLog) as stale:
            log.append(AUTUMN, moves(1), expecting=1, at=NOW, actor="gm")

    assert (stale.value.expected, stale.value.found) == (1, 2)


def test_outside_a_transaction_nothing_is_appended(office: Engine) -> None:
    with office.taken() as connection:
        with pytest.raises(ValueError, match="outside a transaction"):
            SqlLog(connection, CODEC).append(AUTUMN, moves(2), expecting=0, at=NOW, actor="gm")

        assert SqlLog(connection, CODEC).head(AUTUMN).seq == 0


def test_one_bad_event_keeps_the_good_ones_out_too(office: Engine) -> None:
    with transaction(office) as connection:
        log = SqlLog(connection, Codec())
        with pytest.raises(ValueError, match=r"test\.moved is no kind of event"):
            log.append(AUTUMN, [asked(), *moves(1)], expecting=0, at=NOW, actor="gm")

        assert log.head(AUTUMN).seq == 0


def test_a_time_that_is_no_whole_number_is_refused(office: Engine) -> None:
    with transaction(office) as connection, pytest.raises(TypeError):
        SqlLog(connection, CODEC).append(AUTUMN, moves(1), expecting=0, at=1.5, actor="gm")  # type: ignore[arg-type] # what is tried


def test_an_event_of_a_game_that_is_not_installed_is_named(office: Engine) -> None:
    with transaction(office) as connection:
        SqlLog(connection, CODEC).append(AUTUMN, [asked(), *moves(1)], expecting=0, at=NOW, actor="gm")

    with reading(office) as connection:
        read = SqlLog(connection, Codec()).read(AUTUMN)
        assert next(read).seq == 1
        with pytest.raises(BrokenLog, match=r"event 2 of autumn: no kind of event is named test\.moved"):
            next(read)


def test_the_first_event_of_any_game_is_read_without_knowing_the_game(office: Engine) -> None:
    with transaction(office) as connection:
        SqlLog(connection, CODEC).append(AUTUMN, [asked(), *moves(1)], expecting=0, at=NOW, actor="gm")
        office_alone = SqlLog(connection, Codec())

        assert [one.event for one in office_alone.read(AUTUMN, upto=1)] == [asked()[1]]
        assert office_alone.check_chain(AUTUMN) == 2


def test_the_hash_of_an_event_can_be_asked_for(office: Engine) -> None:
    with transaction(office) as connection:
        log = SqlLog(connection, CODEC)
        log.append(AUTUMN, moves(3), expecting=0, at=NOW, actor="gm")

        assert log.hash_at(AUTUMN, 3) == log.head(AUTUMN).hash
        assert log.hash_at(AUTUMN, 2) != log.hash_at(AUTUMN, 3)
        assert log.hash_at(AUTUMN, 4) is None


def test_the_hashes_of_events_are_known_before_they_are_written(office: Engine) -> None:
    with transaction(office) as connection:
        log = SqlLog(connection, CODEC)
        log.append(AUTUMN, moves(1), expecting=0, at=NOW, actor="gm")
        promised = log.hashes(AUTUMN, moves(2), expecting=1, at=NOW, actor="office")
        assert log.head(AUTUMN).seq == 1
        log.append(AUTUMN, moves(2), expecting=1, at=NOW, actor="office")

        assert [log.hash_at(AUTUMN, seq) for seq in (2, 3)] == promised
        with pytest.raises(StaleLog):
            log.hashes(AUTUMN, moves(1), expecting=1, at=NOW, actor="gm")


@pytest.mark.sqlite
def test_the_tail_of_a_long_log_is_found_without_looking_at_the_rest(office: Engine) -> None:
    with transaction(office) as connection:
        for query in (
            "SELECT seq, hash FROM event WHERE campaign = 'autumn' ORDER BY seq DESC LIMIT 1",
            "SELECT data FROM event WHERE campaign = 'autumn' AND seq > 9 AND seq <= 99 ORDER BY seq",
        ):
            plan = [detail for *_, detail in connection.execute(f"EXPLAIN QUERY PLAN {query}")]
            assert len(plan) == 1, plan
            assert plan[0].startswith("SEARCH event USING INDEX"), plan


def test_the_recipe_of_a_hash_is_the_one_that_is_published(office: Engine) -> None:
    from hashlib import sha256

    with transaction(office) as connection:
        log = SqlLog(connection, CODEC)
        log.append(AUTUMN, [(Moment(5, 2), Moved(piece="Kürassier"))], expecting=0, at=NOW, actor="gm")
        stored = connection.execute(f"SELECT {', '.join(HASHED)} FROM event").one()
        columns = [str(value).encode() for value in stored]
        lengths = b"".join(len(column).to_bytes(4, "big") for column in columns)

        assert columns[-2] == '{"kind":"test.moved","piece":"Kürassier"}'.encode()
        assert log.head(AUTUMN).hash == sha256(b"\x01" + lengths + b"".join(columns)).hexdigest()


@pytest.mark.sqlite
@pytest.mark.parametrize("query", [log._PARTS, log._PLAYED])
def test_who_plays_what_is_found_without_looking_at_the_rest(office: Engine, query: str) -> None:
    with reading(office) as connection:
        plan = [detail for *_, detail in connection.execute(f"EXPLAIN QUERY PLAN {query}", {"player": "p-anne"})]

    assert plan == ["SCAN event USING INDEX event_players"]


def test_who_came_last_into_a_role_fills_it(office: Engine) -> None:
    french, anne, bernd = Role("french"), PlayerId("p-anne"), PlayerId("p-bernd")
    events = [
        PlayerEnrolled(role=french, player=anne),
        PlayerEnrolled(role=Role("prussian"), player=anne),
        PlayerReplaced(role=french, former=anne, player=bernd),
        PlayerWithdrew(role=Role("prussian"), player=anne),
    ]
    with transaction(office) as connection:
        SqlLog(connection, CODEC).append(AUTUMN, [(Moment(0), one) for one in events], expecting=0, at=NOW, actor="gm")

    with reading(office) as connection:
        assert SqlLog(connection, CODEC).parts() == {(AUTUMN, french): bernd}
        assert SqlLog(connection, CODEC).played(anne) == SqlLog(connection, CODEC).played(bernd) == [AUTUMN]
        assert SqlLog(connection, CODEC).played(PlayerId("p-clara")) == []
