"""Letters of other players and notices, gathered: once a day, in one mail, whole and in order; all else at once."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from email import message_from_bytes
from email.policy import default
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from pbem.desk.gm.letter import write_to
from pbem.desk.house import clock
from pbem.desk.house.doctor import examine
from pbem.desk.office.office import HOUR
from pbem.desk.players import changes
from pbem.desk.post import delivery, rendering, writing
from pbem.desk.post import letters as looks
from pbem.desk.post.writing import write_owed
from pbem.desk.proof.verify import verify
from pbem.desk.turns import exchange, pausing
from pbem.kernel.names import Role
from pbem.storage import owed, players
from pbem.storage.outbox import Mail
from tests.kit.table import START, Table, again
from tests.systems.play import SIXTH

SMUGGLER, GUARD = Role("smuggler"), Role("guard")


def to(table: Table, role: Role, before: int) -> list[Mail]:
    """The mails to *role* after the first *before* of all, but answers."""
    who = table.dossier.campaign.players[role]
    return [mail for mail in table.mails[before:] if mail.player == who and mail.kind != "receipt"]


def words(table: Table, mail: Mail) -> str:
    body = message_from_bytes(table.bytes_of(mail), policy=default).get_body(("plain",))
    return str(body.get_content()).replace("\r\n", "\n") if body else ""


def gathered(table: Table) -> int:
    with table.office.read() as connection:
        return len(owed.gathered(connection))


def later(table: Table, hours: float) -> None:
    """Let *hours* pass, and whoever writes look at what is owed."""
    table.clock.forward(hours)
    write_owed(table.office)


@pytest.fixture
def daily(ford: Table) -> Table:
    """The guard wants all gathered at eight in the evening; it is Friday, ten at night."""
    assert ford.write("guard", "digest 20:00").state == "applied"
    return ford


def test_what_others_write_leaves_once_a_day_whole_and_in_order(daily: Table) -> None:
    assert "gathered, once a day at 20:00 by the clock of UTC" in daily.words_to("guard")
    before = len(daily.mails)
    daily.write("smuggler", "letter to guard:\nShall we talk?\nAt the mill.")
    told = daily.words_to("smuggler")
    daily.clock.forward(1)
    daily.write("smuggler", "letter to guard: Or at the bridge?")
    later(daily, 20)
    assert not to(daily, GUARD, before)
    assert "Delivered to guard, signed" in told
    later(daily, 2)

    [mail] = to(daily, GUARD, before)
    said = words(daily, mail)
    assert mail.subject == "[ford] 2 letters and notices since your last digest"
    assert said.index("At the mill.") < said.index("Or at the bridge?")
    assert said.count("A letter from smuggler") == 2
    assert "Fri 20 Nov 2026, 22:00 UTC" in said
    assert "Fri 20 Nov 2026, 23:00 UTC" in said
    assert "letter to smuggler:" in said
    later(daily, 24)
    assert len(to(daily, GUARD, before)) == 1
    assert verify(daily.office, "ford").sound


def test_what_is_alone_looks_as_it_would_have(daily: Table) -> None:
    before = len(daily.mails)
    daily.write("smuggler", "letter to guard: Shall we talk?")
    later(daily, 23)

    [mail] = to(daily, GUARD, before)
    assert mail.subject == "[ford] A letter from smuggler"
    assert "Shall we talk?" in words(daily, mail)


def test_reports_receipts_reminders_and_what_the_umpire_writes_leave_at_once(daily: Table) -> None:
    daily.write("smuggler", "digest 20:00")
    before = len(daily.mails)
    write_to(daily.office, "ford", "smuggler", "A word.")
    daily.write("smuggler", "status")
    assert "gathered, once a day at 20:00" in daily.words_to("smuggler")
    for _ in range(71):
        daily.clock.forward(1)
        list(clock.tick(daily.office))
    daily.turn()

    left = [mail.cause.partition("/")[0] for mail in to(daily, SMUGGLER, before)]
    assert left == ["from-umpire", "reminder", "reminder", "report"]
    assert gathered(daily) == 0


def test_a_deadline_before_the_digest_is_told_at_once_and_one_after_it_is_gathered(daily: Table) -> None:
    daily.write("smuggler", "digest 20:00")
    before = len(daily.mails)
    exchange.extend(daily.office, "ford", START + 96 * HOUR, "A player asked for it.")
    assert [mail.cause.partition("/")[0] for mail in to(daily, SMUGGLER, before)] == []
    exchange.extend(daily.office, "ford", START + 12 * HOUR, "They are in a hurry.")
    assert [mail.cause.partition("/")[0] for mail in to(daily, SMUGGLER, before)] == ["deadline"]
    exchange.extend(daily.office, "ford", START + 96 * HOUR, "Not after all.")
    assert [mail.cause.partition("/")[0] for mail in to(daily, SMUGGLER, before)] == ["deadline", "deadline"]
    later(daily, 23)

    [_, _, mail] = to(daily, SMUGGLER, before)
    letter = message_from_bytes(daily.bytes_of(mail), policy=default)
    assert [part.get_content_type() for part in letter.iter_attachments()] == ["text/calendar"]


def test_its_files_have_names_of_their_own(daily: Table) -> None:
    daily.write("smuggler", "digest 20:00")
    before = len(daily.mails)
    for hours in (96, 97):
        exchange.extend(daily.office, "ford", START + hours * HOUR, "A player asked for it.")
    pausing.pause(daily.office, "ford", "Christmas.")
    later(daily, 23)

    [mail] = to(daily, SMUGGLER, before)
    letter = message_from_bytes(daily.bytes_of(mail), policy=default)
    names = [part.get_filename() for part in letter.iter_attachments()]
    assert len(names) == len(set(names)) >= 2
    assert "3 letters and notices" in words(daily, mail)
    assert "Christmas." in words(daily, mail)


def test_turned_off_what_was_gathered_leaves_at_once_and_nothing_is_lost(daily: Table) -> None:
    before = len(daily.mails)
    daily.write("smuggler", "letter to guard: one")
    daily.write("guard", "digest off")
    daily.write("smuggler", "letter to guard: two")
    daily.write("guard", "digest on")
    daily.write("smuggler", "letter to guard: three")
    assert [words(daily, mail).count("A letter from smuggler") for mail in to(daily, GUARD, before)] == [1, 1]
    later(daily, 23)

    said = [words(daily, mail) for mail in to(daily, GUARD, before)]
    assert [next(word for word in ("one", "two", "three") if word in text) for text in said] == ["one", "two", "three"]
    assert gathered(daily) == 0
    assert len({mail.message_id for mail in daily.mails}) == len(daily.mails)


def test_at_another_hour_what_was_gathered_leaves_before_what_comes_after_it(daily: Table) -> None:
    before = len(daily.mails)
    daily.write("smuggler", "letter to guard: one")
    daily.write("guard", "digest 23:30")
    daily.write("smuggler", "letter to guard: two")
    later(daily, 2)

    [mail] = to(daily, GUARD, before)
    assert re.findall(r"^  (one|two)$", words(daily, mail), re.MULTILINE) == ["one", "two"]


def test_his_own_clock_says_when(ford: Table) -> None:
    with ford.office.write() as connection:
        player = ford.dossier.campaign.players[GUARD]
        known = players.get(connection, player)
        players.change(connection, player, name=known.name or "", address=known.address or "", zone="Asia/Tokyo")
    ford.write("guard", "digest 8:00")
    before = len(ford.mails)
    ford.write("smuggler", "letter to guard: hello")
    later(ford, 0.9)
    assert not to(ford, GUARD, before)
    later(ford, 0.1)
    assert len(to(ford, GUARD, before)) == 1  # 23:00 UTC is eight in the morning there


def test_who_stops_letters_has_none_in_his_digest(daily: Table) -> None:
    before = len(daily.mails)
    daily.write("guard", "stop letters")
    daily.write("smuggler", "letter to guard: hello")
    later(daily, 23)

    assert [(mail.cause.partition("/")[0], mail.state) for mail in to(daily, GUARD, before)] == [("letter", "dropped")]


def test_who_leaves_has_nothing_more_and_who_comes_has_his_at_once(daily: Table) -> None:
    before = len(daily.mails)
    ben = daily.dossier.campaign.players[GUARD]
    daily.write("smuggler", "letter to guard: one")
    changes.replace_player(daily.office, "ford", "guard", name="Cyn", address="cyn@player.example", reason="Ill.")
    daily.write("smuggler", "letter to guard: two")
    later(daily, 23)

    [hers] = [mail for mail in to(daily, GUARD, before) if mail.cause.startswith("letter/")]
    assert "two" in words(daily, hers)
    assert not [mail for mail in daily.mails[before:] if mail.player == ben and mail.cause.startswith("digest/")]


def test_who_is_erased_gets_nothing_and_nothing_of_him_waits(daily: Table) -> None:
    daily.write("smuggler", "letter to guard: one")
    ben = daily.dossier.campaign.players[GUARD]
    changes.withdraw_player(daily.office, "ford", "guard", reason="He left.")
    changes.erase_player(daily.office, ben)

    assert gathered(daily) == 0
    before = len(daily.mails)
    later(daily, 23)
    assert not daily.mails[before:]


def test_doctor_counts_what_waits_for_its_hour_and_finds_nothing_wrong(daily: Table) -> None:
    daily.write("smuggler", "letter to guard: one")

    [found] = [one for one in examine(daily.office.folder) if one.what == "outbox"]
    assert found.state == "ok"
    assert "1 gathered for later" in found.says


def test_it_comes_back_like_any_other_mail(daily: Table) -> None:
    before = len(daily.mails)
    daily.write("smuggler", "letter to guard: one")
    daily.write("smuggler", "letter to guard: two")
    later(daily, 23)
    [mail] = to(daily, GUARD, before)
    delivery.drop(daily.office, mail.id)

    assert delivery.again(daily.office, mail.id).state == "queued"
    assert "one" in delivery.shown(daily.office, mail.id).text


class Killed(BaseException):
    """The process ends here."""


@pytest.mark.parametrize("where", ["tried", "done", "queue", "behind"])
def test_killed_while_it_is_written_nothing_is_lost_and_nothing_comes_twice(
    daily: Table, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    before = len(daily.mails)
    for text in ("one", "two"):
        daily.write("smuggler", f"letter to guard: {text}")
    daily.clock.forward(23)
    of, name = {
        "tried": (owed, "tried"),
        "done": (owed, "done"),
        "queue": (writing, "queue"),
        "behind": (writing, "_counted"),
    }[where]

    def dies(*given: object, **named: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(of, name, dies)
        with pytest.raises(Killed):
            write_owed(daily.office)
    write_owed(daily.office)
    write_owed(daily.office)

    [mail] = to(daily, GUARD, before)
    assert re.findall(r"^  (one|two)$", words(daily, mail), re.MULTILINE) == ["one", "two"]


def test_what_is_laid_to_it_while_it_is_written_is_not_lost(daily: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever writes has read it before, and a letter that came just before the hour is committed meanwhile."""
    before = len(daily.mails)
    daily.write("smuggler", "letter to guard: one")
    asked = daily.clock.at
    drawn: Callable[..., object] = looks.gathered_letter
    came: list[str] = []

    def meanwhile(*given: object) -> object:
        made: object = drawn(*given)
        if not came:
            came.append("two")
            now, daily.clock.at = daily.clock.at, asked
            with monkeypatch.context() as patch:
                patch.setattr(writing, "write_after", lambda *given: None)
                daily.write("smuggler", "letter to guard: two")
            daily.clock.at = now
        return made

    monkeypatch.setattr(rendering, "gathered_letter", meanwhile)
    daily.clock.forward(23)
    for _ in range(3):
        write_owed(daily.office)

    assert came
    [mail] = to(daily, GUARD, before)
    assert re.findall(r"^  (one|two)$", words(daily, mail), re.MULTILINE) == ["one", "two"]


def test_without_a_name_it_is_told_by_neither_place_nor_hour(table: Table) -> None:
    """What is gathered stands in the order in which it came, whoever wrote it."""
    table.open(press="anonymous")
    table.write("guard", "digest 20:00")
    before = len(table.mails)
    table.write("smuggler", "letter to guard: Beware.")
    table.write("smuggler", "letter to guard: Beware again.")
    later(table, 23)

    [mail] = to(table, GUARD, before)
    assert "smuggler" not in table.text_of(mail)
    assert table.text_of(mail).count("A letter whose writer is not named") >= 2


ACTS = st.lists(
    st.one_of(
        st.tuples(st.just("write"), st.sampled_from(["one", "two", "A longer one,\nof two lines."])),
        st.tuples(st.just("wait"), st.sampled_from([1, 7, 22, 30])),
        st.tuples(st.just("extend"), st.sampled_from([10, 50, 90])),
        st.tuples(st.just("digest"), st.sampled_from(["on", "off", "06:00", "21:30"])),
    ),
    max_size=12,
)


def parts(table: Table, mails: list[Mail]) -> list[str]:
    """What the mails say, part by part, without what stands round them."""
    found = []
    for mail in mails:
        text = words(table, mail)
        found += re.findall(r"It says:\n\n((?:  .*\n?|\n(?=  ))+)", text)
        found += re.findall(r"A new deadline for \w+", text)
    return [" ".join(one.split()) for one in found]


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(acts=ACTS)
@example(
    acts=[("digest", "06:00"), ("write", "1"), ("digest", "on"), ("write", "2"), ("digest", "06:00"), ("write", "3")]
)
def test_what_is_gathered_is_what_would_have_left(
    acts: list[tuple[str, str | int]], tmp_path_factory: pytest.TempPathFactory, begun: tuple[Path, int]
) -> None:
    """Letter by letter: an office whose guard wants digests and one whose guard does not tell him the same."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(SIXTH))
        told = [_told(tmp_path_factory, begun, acts, daily=daily) for daily in (True, False)]

    letters = [[one for one in said if not one.startswith("A new")] for said in told]
    assert letters[0] == letters[1]
    assert sorted(told[0]) == sorted(told[1])
    assert len(told[0]) == sum(what in ("write", "extend") for what, _ in acts)


def _told(
    folders: pytest.TempPathFactory, begun: tuple[Path, int], acts: list[tuple[str, str | int]], *, daily: bool
) -> list[str]:
    folder, drawn = begun
    copy = folders.mktemp("copy") / "office"
    shutil.copytree(folder, copy)
    with again(copy, drawn) as table:
        before, number = len(table.mails), 0
        for what, value in acts:
            match what:
                case "write":
                    number += 1
                    table.write("smuggler", f"letter to guard:\n{number}: {value}\nend letter")
                case "wait":
                    later(table, float(value))
                case "extend":
                    exchange.extend(table.office, "ford", table.clock.at + int(value) * HOUR, "It is so.")
                case _:  # a digest
                    if daily:
                        table.write("guard", f"digest {value}")
        later(table, 60)
        later(table, 60)
        assert gathered(table) == 0
        return parts(table, to(table, GUARD, before))
