from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from pbem.desk.books import dossiers
from pbem.desk.sheets.sheets import standing_orders
from pbem.desk.turns import adjudicate, playing, publish
from pbem.desk.turns.adjudicate import answer, began, run
from pbem.desk.turns.playing import Played, play
from pbem.desk.worlds.worlds import state_digest, world_at
from pbem.kernel.errors import Refused
from pbem.kernel.names import Moment, Role
from pbem.kernel.office import (
    ExchangeResolved,
    MessageReceived,
    OrderFailed,
    OrdersAccepted,
    QueryAnswered,
    QueryPut,
    WaitSet,
)
from pbem.rules.contract import AnySystem
from pbem.storage import secrets, snapshots
from pbem.storage.claims import RUN, claimed, number_of
from tests.kit.grounds import ruled_by
from tests.kit.table import Table
from tests.systems.toy import SYSTEM
from tests.systems.toy.orders import Move

SMUGGLER, GUARD = Role("smuggler"), Role("guard")


def test_a_run_writes_facts_and_what_they_make_and_the_players_see_nothing(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    mails = len(ford.mails)
    ran = run(ford.office, "ford", early=True)

    assert ford.kinds[-3:] == ["toy.cart_moved", "toy.phase_began", "exchange_resolved"]
    assert (ran.first, ran.last, len(ran.facts)) == (ford.dossier.seq - 2, ford.dossier.seq, 2)
    assert len(ford.mails) == mails
    assert ford.dossier.exchange().state == "resolved"


def test_what_was_resolved_names_the_state_and_the_views_it_made(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    run(ford.office, "ford", early=True)
    resolved = ford.dossier.log[-1].event
    assert isinstance(resolved, ExchangeResolved)
    with ford.office.read() as connection:
        world = world_at(ford.office, connection, ford.dossier)

    assert resolved.state == state_digest(world)
    assert set(resolved.views) == {SMUGGLER, GUARD}
    assert resolved.facts == 2


def test_it_is_run_once(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    run(ford.office, "ford", early=True)
    with pytest.raises(Refused, match="is resolved already"):
        run(ford.office, "ford", early=True)


def test_before_the_deadline_it_waits_for_who_owes(ford: Table) -> None:
    with pytest.raises(Refused, match=r"smuggler owes orders.*--early"):
        run(ford.office, "ford")
    assert run(ford.office, "ford", early=True).silent == (SMUGGLER,)


def test_before_the_deadline_a_wait_holds_it(ford: Table) -> None:
    ford.write("smuggler", "wait on\nmove s1 to 3")
    assert isinstance(next(one.event for one in ford.dossier.log if isinstance(one.event, WaitSet)), WaitSet)
    with pytest.raises(Refused, match="smuggler has a wait on"):
        run(ford.office, "ford")
    ford.clock.forward(73)
    assert run(ford.office, "ford").facts


def test_after_the_deadline_silence_is_noted(ford: Table) -> None:
    ford.clock.forward(73)
    ran = run(ford.office, "ford")

    resolved = ford.dossier.log[-1].event
    assert isinstance(resolved, ExchangeResolved)
    assert ran.silent == resolved.defaults == (SMUGGLER,)
    assert not ran.early


def test_a_dry_run_writes_only_that_it_was_asked(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    before, mails = ford.dossier.seq, len(ford.mails)
    dry = run(ford.office, "ford", dry=True)

    assert (ford.dossier.seq, ford.kinds[-1], len(ford.mails)) == (before + 1, "dry_run_asked", mails)
    assert dry.released is not None
    assert run(ford.office, "ford", early=True).facts == dry.facts


def test_with_release_auto_it_is_made_known_at_once(table: Table) -> None:
    table.open(release="auto")
    table.write("smuggler", "move s1 to 3")
    ran = run(table.office, "ford", early=True)

    assert ran.released is not None
    assert ran.released.next == Moment(1, 2)
    assert {"exchange_resolved", "exchange_released", "exchange_opened", "report_issued"} <= set(table.kinds[-7:])


def test_other_rules_than_those_pinned_are_refused(ford: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    ford.clock.forward(73)
    ford.office.kept["content/toy"] = "0" * 64
    with pytest.raises(Refused, match="pbem campaign upgrade ford"):
        run(ford.office, "ford", early=True)
    assert ford.dossier.exchange().state == "open"


def test_two_runs_never_overlap(ford: Table) -> None:
    ford.clock.forward(73)
    with claimed(ford.office.engine, RUN, number_of("ford")) as ours:
        assert ours
        with pytest.raises(Refused, match="being run at this moment"):
            run(ford.office, "ford", early=True)
    assert run(ford.office, "ford", early=True).facts


def test_what_is_written_meanwhile_is_taken_into_account(ford: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    ford.write("smuggler", "move s1 to 3")
    resolve, letters = play, ["move s2 to 4"]

    def meanwhile(*args: Any) -> Any:
        if letters:
            ford.write("smuggler", letters.pop())
        return resolve(*args)

    monkeypatch.setattr(playing, "play", meanwhile)
    ran = run(ford.office, "ford", early=True)

    assert ran.facts[0].piece == "s2"  # type: ignore[attr-defined]  # a toy.cart_moved
    assert [kind for kind in ford.kinds if kind == "exchange_resolved"] == ["exchange_resolved"]


def test_who_writes_without_end_keeps_no_game_from_going_on(ford: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    ford.write("smuggler", "move s1 to 3")
    go_on, resolve, plays, letters = adjudicate._go_on, play, list[object](), list[str]()

    def busy(office: Any, connection: Any, entry: Any, exchange: Any, kept: playing.Plays, **rest: Any) -> Any:
        result = go_on(office, connection, entry, exchange, kept, **rest)
        if not kept.over:
            letters.append(f"help me {len(letters)}")
            ford.write("guard", letters[-1])
        return result

    monkeypatch.setattr(adjudicate, "_go_on", busy)

    def counted(*args: Any) -> Any:
        plays.append(args)
        return resolve(*args)

    monkeypatch.setattr(playing, "play", counted)
    assert run(ford.office, "ford", early=True).facts
    assert len(letters) == 2
    assert len(plays) == 1
    assert ford.dossier.exchange().resolved


def test_what_changes_the_orders_meanwhile_is_never_played_while_others_wait(
    ford: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    ford.write("smuggler", "move s1 to 3")
    go_on, resolve, locked = adjudicate._go_on, play, list[bool]()
    orders = ["move s2 to 4", "move s1 to 3"]

    def busy(office: Any, connection: Any, entry: Any, exchange: Any, kept: playing.Plays, **rest: Any) -> Any:
        locked.append(kept.over)
        result = go_on(office, connection, entry, exchange, kept, **rest)
        if orders:
            ford.write("smuggler", orders.pop(0))
        return result

    monkeypatch.setattr(adjudicate, "_go_on", busy)
    ran = run(ford.office, "ford", early=True)
    assert locked == [False, False, True, False]
    assert [fact.piece for fact in ran.facts if hasattr(fact, "piece")] == ["s1"]
    assert resolve is playing.play


def disputed(table: Table) -> None:
    """Play to where a die has just hit, which the umpire must judge."""
    for luck in range(40):
        name = f"ford{luck}"
        table.name = name
        table.open(options={"disputed": "umpire"})
        table.turn()
        table.write("guard", "fire g1 at 1\nfire g2 at 2")
        if run(table.office, name, early=True).asks:
            return
    raise AssertionError("no die was disputed")


def test_a_question_stops_the_run_until_it_is_answered(table: Table) -> None:
    disputed(table)
    query = table.dossier.log[-1].event
    assert isinstance(query, QueryPut)
    assert table.dossier.exchange().state == "open"
    with pytest.raises(Refused, match="One of: hit, miss"):
        answer(table.office, table.name, query.key, "perhaps")
    with pytest.raises(Refused, match=query.key):
        answer(table.office, table.name, "9B/g9", "hit")
    answer(table.office, table.name, query.key, "miss")
    ran = run(table.office, table.name, early=True, defaults=True)

    assert ran.facts
    assert table.dossier.campaign.answers[query.key] == "miss"


def test_a_question_that_nobody_answers_is_answered_by_what_the_rules_take(table: Table) -> None:
    disputed(table)
    query = table.dossier.log[-1].event
    assert isinstance(query, QueryPut)
    run(table.office, table.name, early=True, defaults=True)

    answered = [one.event for one in table.dossier.log if isinstance(one.event, QueryAnswered)]
    assert (answered[0].key, answered[0].answer, answered[0].by) == (query.key, "hit", "default")


def breaking(*places: int) -> AnySystem:
    """The toy, whose engine breaks when a cart is ordered to one of *places*."""

    def resolve(scene: Any, world: Any, orders: Any, *rest: Any) -> Any:
        for order in orders.get(SMUGGLER, ()):
            if isinstance(order, Move) and order.square in places:
                raise ZeroDivisionError(f"place {order.square}")
        return SYSTEM.resolve(scene, world, orders, *rest)

    return replace(SYSTEM, resolve=resolve)


def played(table: Table, system: AnySystem) -> tuple[Played, Sequence[OrderFailed]]:
    """Play the open exchange of `ford` by *system*."""
    with table.office.read() as connection:
        dossier = ruled_by(table.office, dossiers.load(table.office, connection, "ford"), system)
        world = world_at(table.office, connection, table.dossier)
        seeds = secrets.get(connection, dossier.id, dossier.exchange().promises)
    moment = dossier.exchange().moment
    done = play(dossier, world, standing_orders(dossier, moment), {}, moment, seeds)
    return done, done.failed


def test_an_order_that_breaks_the_engine_harms_itself_alone(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3\nmove s2 to 4")
    done, [failed] = played(ford, breaking(3))

    assert (failed.line, failed.text, failed.error) == (1, "move s1 to 3", "ZeroDivisionError: place 3")
    assert done.resolution.facts[0].piece == "s2"


def test_of_several_that_break_the_engine_each_is_left_out(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3\nmove s2 to 4")
    done, failed = played(ford, breaking(3, 4))

    assert [one.line for one in failed] == [1, 2]
    assert [fact.piece for fact in done.resolution.facts if hasattr(fact, "piece")] == []


@pytest.mark.parametrize("count", [1, 2, 3, 8, 40])
def test_the_order_that_breaks_the_engine_is_found_by_halves(count: int) -> None:
    each = [(SMUGGLER, place) for place in range(count)]
    for bad in each:
        tries = list[object]()

        def without(left_out: Sequence[playing.Line]) -> Any:
            tries.append(left_out)  # noqa: B023 - of this order
            if bad not in left_out:  # noqa: B023
                raise ZeroDivisionError
            return left_out

        found = playing._the_one(each, without)
        assert found is not None
        assert found[0] == bad
        assert len(tries) <= 2 * count.bit_length()


def test_of_several_each_is_found_and_all_others_are_played() -> None:
    each = [(SMUGGLER, place) for place in range(12)]
    for bad in combinations(each, 2):

        def without(left_out: Sequence[playing.Line]) -> Any:
            if not {*bad} <= {*left_out}:  # noqa: B023
                raise ZeroDivisionError
            return left_out

        assert playing._the_one(each, without) is None
        left_out: Any
        left_out, failed = playing._those(None, each, without, Moment(1))  # type: ignore[arg-type] # nobody asks it
        assert left_out == [*bad]
        assert [one for one, _ in failed] == [*bad]


def test_an_engine_that_breaks_without_any_order_is_not_the_players_fault(ford: Table) -> None:
    def resolve(*args: Any) -> Any:
        raise ZeroDivisionError("always")

    with pytest.raises(Refused, match="cannot play 1A, whatever is ordered"):
        played(ford, replace(SYSTEM, resolve=resolve))


def test_a_failed_order_stands_in_the_log_before_the_facts(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3\nmove s2 to 4")
    ford.office.kept_of("campaigns", "ford")["dossier"] = ruled_by(ford.office, ford.dossier, breaking(3))
    ran = run(ford.office, "ford", early=True)

    assert [one.line for one in ran.failed] == [1]
    assert ford.kinds[-4:] == ["order_failed", "toy.cart_moved", "toy.phase_began", "exchange_resolved"]
    assert began(ford.dossier, ford.dossier.exchange()) == ford.dossier.seq - 3


def test_the_same_seeds_throw_the_same_dice(ford: Table) -> None:
    ford.turn()
    ford.write("guard", "fire g1 at 1\nfire g2 at 2")
    first = run(ford.office, "ford", early=True).facts
    ford.write("guard", "fire g1 at 1\nfire g2 at 3")
    ford.write("guard", "fire g1 at 1\nfire g2 at 2")
    again = run(ford.office, "ford", early=True).facts

    assert first == again
    assert ford.kinds.count("exchange_annulled") == 1


def test_without_its_snapshots_everything_is_the_same(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    ford.turn()
    with ford.office.write() as connection:
        dossier = dossiers.load(ford.office, connection, "ford")
        kept = world_at(ford.office, connection, dossier)
        assert snapshots.latest(connection, dossier.id, fold=dossiers.installed(ford.office, dossier.system))
        snapshots.drop(connection, dossier.id)
        ford.office.kept.clear()
        assert world_at(ford.office, connection, dossiers.load(ford.office, connection, "ford")) == kept


def test_a_snapshot_that_holds_what_was_annulled_is_not_used(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    run(ford.office, "ford", early=True)
    ford.write("smuggler", "move s1 to 2")
    ford.office.kept.clear()
    with ford.office.read() as connection:
        world = world_at(ford.office, connection, ford.dossier)

    assert world.truth.pieces["s1"].square == 1


def test_the_log_says_in_which_message_orders_came(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    received, accepted = (one.event for one in ford.dossier.log[-2:])

    assert isinstance(received, MessageReceived)
    assert isinstance(accepted, OrdersAccepted)
    assert received.digest == accepted.message


def test_a_game_is_played_to_its_end(table: Table) -> None:
    table.open(options={"last_turn": 1})
    table.turn()
    released = publish.release
    run(table.office, "ford", early=True)
    ended = released(table.office, "ford")

    assert ended.verdict is not None
    assert table.dossier.campaign.status == "ended"
    for call in (run, publish.release):
        with pytest.raises(Refused, match="is over"):
            call(table.office, "ford")
