"""A mail is owed once, held by one sender at a time, and tried until it leaves or is too late."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.kernel.errors import Refused
from pbem.kernel.names import PlayerId
from pbem.storage import blobs, outbox, players
from pbem.storage.databases.connection import Connection
from pbem.storage.outbox import DAY, HOUR, KEPT, MINUTE, Mail
from tests.kit.facts import AUTUMN, NOW, SPRING


def queue(
    connection: Connection,
    cause: str = "report/5B/french/1",
    player: PlayerId | None = None,
    kind: outbox.Kind = "report",
    **more: int,
) -> Mail:
    mail, _ = outbox.queue(
        connection,
        outbox.NewMail(
            id=f"id-{cause}",
            campaign=AUTUMN,
            player=player,
            kind=kind,
            cause=cause,
            message_id=f"<{cause}@example.org>",
            subject="[Autumn] 5B",
            digest=blobs.keep(connection, b"bytes", at=NOW),
            at=NOW,
            **more,
        ),
    )
    return mail


def claim(connection: Connection, at: int = NOW, by: str = "one", until: int | None = None) -> list[str]:
    return [mail.cause for mail in outbox.claim(connection, at=at, until=until or at + MINUTE, by=by)]


def test_a_mail_is_queued_for_now_and_five_days(connection: Connection) -> None:
    mail = queue(connection)

    assert (mail.state, mail.due_at, mail.expires_at, mail.attempts) == ("queued", NOW, NOW + 5 * DAY, 0)
    assert outbox.get(connection, mail.id) == mail
    assert outbox.listing(connection) == [mail] == outbox.listing(connection, "queued")


def test_one_cause_owes_one_mail(connection: Connection) -> None:
    first = queue(connection)
    again, new = outbox.queue(
        connection,
        outbox.NewMail(
            id="another id",
            campaign=AUTUMN,
            player=None,
            kind="report",
            cause=first.cause,
            message_id="<another@example.org>",
            subject="other",
            digest=first.digest,
            at=NOW + 1,
        ),
    )

    assert (again, new) == (first, False)
    assert outbox.listing(connection) == [first]


def test_one_cause_in_two_campaigns_owes_two(connection: Connection) -> None:
    first = queue(connection)
    _, new = outbox.queue(
        connection,
        outbox.NewMail(
            id="another id",
            campaign=SPRING,
            player=None,
            kind="report",
            cause=first.cause,
            message_id="<another@example.org>",
            subject="other",
            digest=first.digest,
            at=NOW,
        ),
    )

    assert new


def test_a_claimed_mail_is_nobody_elses_until_the_lease_runs_out(connection: Connection) -> None:
    queue(connection)

    assert claim(connection, by="one") == ["report/5B/french/1"]
    assert claim(connection, by="two") == []
    assert claim(connection, at=NOW + MINUTE - 1, by="two") == []
    assert claim(connection, at=NOW + MINUTE, by="two") == ["report/5B/french/1"]
    mail = outbox.listing(connection)[0]
    assert (mail.state, mail.leased_by, mail.attempts) == ("sending", "two", 2)


def test_what_is_not_due_is_not_claimed(connection: Connection) -> None:
    queue(connection, due_at=NOW + HOUR)

    assert claim(connection) == []
    assert outbox.next_due(connection) == NOW + HOUR
    assert claim(connection, at=NOW + HOUR) != []


def test_the_oldest_leave_first_and_no_more_than_asked(connection: Connection) -> None:
    for cause, due in (("c", 3), ("a", 1), ("b", 2)):
        queue(connection, cause, due_at=NOW + due)
    taken = outbox.claim(connection, at=NOW + 9, until=NOW + MINUTE, by="one", limit=2)

    assert [mail.cause for mail in taken] == ["a", "b"]


def test_what_is_being_sent_is_not_sent_a_second_time_beside_it(connection: Connection) -> None:
    mail = queue(connection)
    claim(connection)
    with pytest.raises(Refused, match="is being sent just now"):
        outbox.again(connection, mail.id, at=NOW)
    # Its holder is dead when his lease has run out.
    outbox.again(connection, mail.id, at=NOW + HOUR)
    assert outbox.get(connection, mail.id).state == "queued"


def test_a_sent_mail_keeps_the_servers_last_words_and_never_leaves_again(connection: Connection) -> None:
    mail = queue(connection)
    claim(connection)
    outbox.sent(connection, mail.id, answer="250 2.0.0 Ok: queued as 4Z", at=NOW + 2)

    sent = outbox.get(connection, mail.id)
    assert (sent.state, sent.answer, sent.sent_at, sent.leased_by) == (
        "sent",
        "250 2.0.0 Ok: queued as 4Z",
        NOW + 2,
        None,
    )
    assert claim(connection, at=NOW + 9 * DAY) == []
    assert outbox.next_due(connection) is None


def test_waits_grow_from_a_minute_to_an_hour_and_jitter(connection: Connection) -> None:
    mail, at, waits = queue(connection), NOW, []
    for _ in range(6):
        assert claim(connection, at=at) == [mail.cause]
        back = outbox.retry(connection, mail.id, by="one", answer="451 later", at=at, jitter=7)
        assert (back.state, back.answer) == ("queued", "451 later")
        waits.append(back.due_at - at)
        at = back.due_at

    assert waits == [MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE, HOUR + 7, HOUR + 7]


def test_a_mail_that_never_leaves_fails_after_five_days(connection: Connection) -> None:
    mail, at = queue(connection), NOW
    tries = 0
    while outbox.get(connection, mail.id).state == "queued":
        assert claim(connection, at=at) == [mail.cause]
        at = outbox.retry(connection, mail.id, by="one", answer="451 later", at=at, jitter=0).due_at
        tries += 1

    assert outbox.get(connection, mail.id).state == "failed"
    assert outbox.get(connection, mail.id).answer == "451 later"
    assert KEPT / HOUR - 2 < tries < KEPT / HOUR + 5


def test_what_was_of_use_until_an_hour_is_not_sent_after_it(connection: Connection) -> None:
    mail = queue(connection, expires_at=NOW + HOUR)

    assert claim(connection, at=NOW + HOUR) == []
    assert [(one.id, one.state, one.answer) for one in outbox.expire(connection, at=NOW + HOUR)] == [
        (mail.id, "dropped", "too late")
    ]
    with pytest.raises(Refused, match="the hour that it speaks of has passed"):
        outbox.again(connection, mail.id, at=NOW + HOUR)


def test_what_was_dropped_before_its_hour_can_still_leave_and_keeps_its_hour(connection: Connection) -> None:
    mail = queue(connection, expires_at=NOW + HOUR)
    outbox.drop(connection, mail.id, why="a mistake")
    outbox.again(connection, mail.id, at=NOW + 1)

    assert outbox.get(connection, mail.id).expires_at == NOW + HOUR
    assert claim(connection, at=NOW + 1) == [mail.cause]


def test_what_could_not_leave_for_five_days_has_failed(connection: Connection) -> None:
    mail = queue(connection)

    assert claim(connection, at=NOW + KEPT) == []
    assert [(one.id, one.state, one.answer) for one in outbox.expire(connection, at=NOW + KEPT)] == [
        (mail.id, "failed", "given up")
    ]
    assert outbox.expire(connection, at=NOW + KEPT) == []


def test_a_sender_who_is_still_at_it_is_not_expired_under_his_hands(connection: Connection) -> None:
    mail = queue(connection, expires_at=NOW + 10)
    claim(connection, at=NOW, until=NOW + HOUR)

    assert outbox.expire(connection, at=NOW + 20) == []
    assert outbox.get(connection, mail.id).state == "sending"
    assert [one.id for one in outbox.expire(connection, at=NOW + HOUR)] == [mail.id]


def test_so_many_leave_in_a_minute_to_a_domain_and_others_pass_them(connection: Connection) -> None:
    limits = {"x.example": 2}
    ann, ben = (
        players.add(connection, PlayerId(name), name=name, address=f"{name}@{domain}", zone="UTC", at=NOW).id
        for name, domain in (("ann", "X.example"), ("ben", "y.example"))
    )
    for number in range(5):
        queue(connection, f"ann-{number}", player=ann, due_at=NOW + number)
    queue(connection, "ben-0", player=ben, due_at=NOW + 8)
    queue(connection, "gm-0", due_at=NOW + 9)

    def leave(at: int) -> list[str]:
        left = []
        while found := outbox.claim(connection, at=at, until=at + HOUR, by="one", limit=1, limits=limits, gm="g@z.org"):
            outbox.sent(connection, found[0].id, answer="250", at=at)
            left.append(found[0].cause)
        return left

    assert leave(NOW + 10) == ["ann-0", "ann-1", "ben-0", "gm-0"]
    assert outbox.held_up(connection, at=NOW + 10, limits=limits, gm="g@z.org") == {"x.example": 3}
    following = outbox.next_due(connection, limits=limits)
    assert following == NOW + 10 + MINUTE // 2
    assert leave(following - 1) == []
    assert leave(following) == ["ann-2"]
    assert leave(following + MINUTE) == ["ann-3", "ann-4"]
    assert outbox.next_due(connection, limits=limits) is None


def test_a_refusal_for_good_ends_it(connection: Connection) -> None:
    mail = queue(connection)
    claim(connection)

    failed = outbox.fail(connection, mail.id, by="one", answer="550 no such user")
    assert (failed.state, failed.answer) == ("failed", "550 no such user")
    assert claim(connection, at=NOW + HOUR) == []


def test_who_lost_the_lease_cannot_take_the_mail_from_the_next(connection: Connection) -> None:
    mail = queue(connection)
    claim(connection, by="slow")
    claim(connection, at=NOW + MINUTE, by="next")

    for change in (
        outbox.retry(connection, mail.id, by="slow", answer="451", at=NOW + MINUTE, jitter=0),
        outbox.fail(connection, mail.id, by="slow", answer="550"),
    ):
        assert (change.state, change.leased_by, change.answer) == ("sending", "next", "")


def test_who_lost_the_lease_but_sent_it_has_sent_it(connection: Connection) -> None:
    mail = queue(connection)
    claim(connection, by="slow")
    claim(connection, at=NOW + MINUTE, by="next")
    outbox.sent(connection, mail.id, answer="250", at=NOW + MINUTE)

    assert outbox.retry(connection, mail.id, by="next", answer="451", at=NOW + MINUTE, jitter=0).state == "sent"
    assert outbox.fail(connection, mail.id, by="next", answer="550").state == "sent"


def test_a_dropped_mail_is_not_sent_and_a_sent_one_cannot_be_dropped(connection: Connection) -> None:
    dropped, sent = queue(connection, "a"), queue(connection, "b")
    outbox.drop(connection, dropped.id, why="a fork never mails")
    assert claim(connection) == ["b"]
    outbox.sent(connection, sent.id, answer="250", at=NOW)

    assert outbox.get(connection, dropped.id).answer == "a fork never mails"
    with pytest.raises(Refused, match="mail id-b has left already"):
        outbox.drop(connection, sent.id, why="too late")
    with pytest.raises(Refused, match="mail id-b has left already"):
        outbox.again(connection, sent.id, at=NOW)


def test_a_failed_mail_can_be_sent_after_all(connection: Connection) -> None:
    mail = queue(connection)
    claim(connection)
    outbox.fail(connection, mail.id, by="one", answer="550")
    outbox.again(connection, mail.id, at=NOW + 9 * DAY)

    again = outbox.get(connection, mail.id)
    assert (again.state, again.attempts, again.expires_at) == ("queued", 0, NOW + 14 * DAY)
    assert claim(connection, at=NOW + 9 * DAY) == [mail.cause]


def test_the_next_thing_to_do_may_be_a_lease_that_runs_out(connection: Connection) -> None:
    queue(connection, "a")
    queue(connection, "b", due_at=NOW + HOUR)
    claim(connection, until=NOW + MINUTE)

    assert outbox.next_due(connection) == NOW + MINUTE


def test_a_mail_that_is_not_there_is_named(connection: Connection) -> None:
    with pytest.raises(Refused, match="there is no mail nine: pbem mail outbox lists them"):
        outbox.get(connection, "nine")


@pytest.mark.sqlite
@pytest.mark.parametrize("query", [outbox._DUE, outbox._LAPSED])
def test_what_is_due_is_found_by_an_index(connection: Connection, query: str) -> None:
    given = {"at": 1, "limit": 1, "gm": "", "full": '["x.example"]'}
    plan = connection.execute(f"EXPLAIN QUERY PLAN {query}", given).fetchall()

    assert all("SCAN" not in detail or "json_each" in detail for *_, detail in plan), plan


@pytest.mark.sqlite
def test_the_next_mail_is_found_without_sorting_all_that_wait(connection: Connection) -> None:
    given = {"at": 1, "limit": 1, "gm": "", "full": "[]"}
    plan = connection.execute(f"EXPLAIN QUERY PLAN {outbox._DUE}", given).fetchall()

    assert all("TEMP B-TREE" not in detail for *_, detail in plan), plan


def test_what_programs_are_told_is_no_mail_and_mails_are_told_to_none(connection: Connection) -> None:
    mail, hook = queue(connection, "a"), queue(connection, "hook/one/a", kind="hook")

    assert outbox.listing(connection) == [mail]
    assert claim(connection) == [mail.cause]
    told = outbox.claim_hook(connection, at=NOW, until=NOW + MINUTE, by="one")
    assert told is not None
    assert (told.id, told.attempts) == (hook.id, 1)
    assert outbox.claim_hook(connection, at=NOW, until=NOW + MINUTE, by="two") is None
    assert outbox.next_hook(connection) == NOW + MINUTE
    assert outbox.claim_hook(connection, at=NOW + MINUTE, until=NOW + HOUR, by="two") is not None


steps = st.lists(
    st.tuples(st.sampled_from(["claim", "sent", "retry", "fail"]), st.sampled_from("ab"), st.integers(0, 90 * MINUTE)),
    max_size=40,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(steps=steps)
def test_whatever_two_senders_do_a_mail_is_held_by_one_and_sent_once(
    connection: Connection, steps: list[tuple[str, str, int]]
) -> None:
    connection.execute("DELETE FROM outbox")
    for cause in ("x", "y"):
        queue(connection, cause)
    held: dict[str, tuple[str, int]] = {}
    left: set[str] = set()
    at = NOW
    for what, who, later in steps:
        at += later
        if what == "claim":
            for mail in outbox.claim(connection, at=at, until=at + 30 * MINUTE, by=who, limit=1):
                assert mail.id not in left
                assert mail.id not in held or held[mail.id][1] <= at
                held[mail.id] = (who, at + 30 * MINUTE)
            continue
        mine = next((id for id, (holder, _) in sorted(held.items()) if holder == who), None)
        if mine is None:
            continue
        if what == "sent":
            outbox.sent(connection, mine, answer="250", at=at)
            left.add(mine)
        elif what == "retry":
            outbox.retry(connection, mine, by=who, answer="451", at=at, jitter=0)
        else:
            outbox.fail(connection, mine, by=who, answer="550")
        del held[mine]
    for mail in outbox.listing(connection):
        assert (mail.state == "sent") == (mail.id in left)
        assert (mail.state == "sending") == (mail.id in held)
