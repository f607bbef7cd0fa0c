"""Somebody looks on: he reads each turn when it can do no harm any more, by mail, and not a byte of it sooner."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email import message_from_bytes
from email.policy import default
from pathlib import Path

import pytest

from pbem.desk.books import observing, seeds
from pbem.desk.books.dossiers import load
from pbem.desk.library.scenarios import find_scenario
from pbem.desk.office.office import make_office, open_office
from pbem.desk.players import changes, enrol, observers
from pbem.desk.proof.transfer import fork
from pbem.desk.turns import exchange, pausing
from pbem.kernel.errors import Refused
from pbem.kernel.names import CampaignId, Moment, PlayerId, Role
from pbem.kernel.office import Option
from pbem.kernel.terms import Terms
from pbem.storage.outbox import Mail
from pbem.storage.players import Player
from tests.kit.table import PLAYERS, SETTINGS, Clock, Table
from tests.stories.test_fog import SEAL, HeldChance, unpacked

RUSSELL = "russell@paper.example"
LONG: dict[str, Option] = {"last_turn": 9}


def look_on(table: Table) -> Player:
    return observers.admit(table.office, table.name, name="W. Russell", address=RUSSELL)


def came(table: Table, who: Player) -> list[Mail]:
    return [mail for mail in table.mails if mail.player == who.id]


def words(table: Table, mail: Mail) -> str:
    body = message_from_bytes(table.bytes_of(mail), policy=default).get_body(("plain",))
    return " ".join(str(body.get_content()).split()) if body else ""


def files(table: Table, mail: Mail) -> dict[str, str]:
    """What came with a mail."""
    letter = message_from_bytes(table.bytes_of(mail), policy=default)
    return {str(part.get_filename()): str(part.get_content()) for part in letter.iter_attachments()}


def turns_in(table: Table, who: Player) -> list[str]:
    """Of which moments he has had what, in order."""
    return [mail.subject.split()[1].rstrip(":") for mail in came(table, who) if mail.kind == "report"]


def play(table: Table, exchanges: int) -> None:
    for _ in range(exchanges):
        table.turn()
        table.clock.forward(1)


# ------------------------------------------------------------------ a game is looked on at


def test_he_gets_each_turn_when_two_more_have_been_made_known_and_all_are_told_that_he_is_there(table: Table) -> None:
    table.open(LONG, observers="guard", observers_delay=2)
    russell = look_on(table)

    assert "You look on at The ford" in words(table, came(table, russell)[0])
    assert "Turn 1 comes when turn 3 is made known" in words(table, came(table, russell)[0])
    for role in PLAYERS:
        told = table.words_to(role)
        assert "Somebody looks on" in told
        assert "they see what guard knows, 2 turns later" in told
        assert "Russell" not in table.last_to(role)

    seen = {}
    for _ in range(6):
        play(table, 1)
        seen[str(max(at for at, one in table.dossier.campaign.exchanges.items() if one.released))] = turns_in(
            table, russell
        )
    assert seen == {
        "1A": [],
        "1B": [],
        "2A": ["S0"],
        "2B": ["S0"],
        "3A": ["S0", "1A"],
        "3B": ["S0", "1A", "1B"],
    }


def test_through_a_roles_eyes_he_reads_its_report_as_it_got_it(table: Table) -> None:
    table.open(LONG, observers="guard", observers_delay=1)
    russell = look_on(table)
    table.write("guard", "watch g1 4")
    play(table, 4)

    mail = next(mail for mail in came(table, russell) if " 1A:" in mail.subject)
    [(name, page)] = files(table, mail).items()
    issued = table.dossier.campaign.reports[table.dossier.role("guard")]
    report = next(one for one in issued if one.moment == Moment(1, 1))
    assert name == "1a-guard.html"
    with table.office.read() as connection:
        from pbem.storage.blobs import fetch

        assert page.strip() == fetch(connection, report.page).decode().strip()
    assert "smuggler" not in {*files(table, mail)}


def test_whoever_comes_late_may_read_all_that_is_shown_by_then_and_is_mailed_the_newest(table: Table) -> None:
    table.open(LONG, observers="truth", observers_delay=1)
    play(table, 4)
    russell = look_on(table)

    assert turns_in(table, russell) == ["1B"]
    table.write(RUSSELL, "status")
    assert "report 1A" in words(table, came(table, russell)[-1])
    table.write(RUSSELL, "report 1A")
    assert turns_in(table, russell) == ["1B", "1A"]


def test_when_the_game_is_over_it_is_opened_to_him_as_to_everybody(table: Table) -> None:
    table.open(LONG, observers="truth", observers_delay=9)
    russell = look_on(table)
    play(table, 3)
    assert turns_in(table, russell) == []

    enrol.end(table.office, "ford", "Nobody has time")

    last = came(table, russell)[-1]
    assert "The game at which you looked on is over" in words(table, last)
    assert files(table, last) == files(table, next(one for one in table.mails if one.subject.endswith("is over")))
    assert set(table.dossier.campaign.shown) == {Moment(0, 0), Moment(1, 1), Moment(1, 2), Moment(2, 1)}


def test_a_game_that_is_won_is_opened_to_him_with_the_last_reports(table: Table) -> None:
    table.open(observers="guard", observers_delay=3)
    russell = look_on(table)
    while table.dossier.campaign.ended is None:
        play(table, 1)

    assert "is over" in came(table, russell)[-1].subject
    assert len([mail for mail in came(table, russell) if "is over" in mail.subject]) == 1


# ------------------------------------------------------------------ never sooner


def test_an_annulled_turn_takes_nothing_back_and_brings_nothing_twice(table: Table) -> None:
    table.open(LONG, observers="truth", observers_delay=1)
    russell = look_on(table)
    play(table, 4)
    before = turns_in(table, russell)
    assert before == ["S0", "1A", "1B"]

    exchange.annul(table.office, "ford", None, "A patrol was misplaced.", reopen=True)
    assert turns_in(table, russell) == before
    assert Moment(1, 2) in table.dossier.campaign.shown

    play(table, 1)
    assert turns_in(table, russell) == before


def test_a_turn_that_was_annulled_and_run_again_comes_as_it_stands_once_its_hour_comes(table: Table) -> None:
    table.open(LONG, observers="truth", observers_delay=1)
    russell = look_on(table)
    play(table, 4)
    exchange.annul(table.office, "ford", Moment(1, 2), "All of it again.", reopen=True)
    assert turns_in(table, russell) == ["S0", "1A", "1B"]

    play(table, 2)
    assert turns_in(table, russell) == ["S0", "1A", "1B"]
    play(table, 1)
    assert turns_in(table, russell) == ["S0", "1A", "1B", "1B"]
    assert "voided" not in str(came(table, russell))


def test_nothing_comes_while_the_game_is_paused_or_has_more_time(table: Table) -> None:
    table.open(LONG, observers="truth", observers_delay=1)
    russell = look_on(table)
    play(table, 2)
    exchange.extend(table.office, "ford", table.dossier.exchange().deadline + 10**11, "The mail was late.")
    pausing.pause(table.office, "ford", "Christmas.")
    table.clock.forward(400)
    assert turns_in(table, russell) == ["S0"]

    pausing.resume(table.office, "ford", "")
    play(table, 1)
    assert turns_in(table, russell) == ["S0", "1A"]


def test_other_terms_hold_from_the_next_turn_on_where_they_show_more_and_at_once_where_less(table: Table) -> None:
    table.open(LONG)
    play(table, 1)
    enrol.set_terms(table.office, "ford", {"observers": "truth", "observers_delay": 1})
    assert "others may look on: they see the truth, 1 turn later" in table.words_to("guard").casefold()
    russell = look_on(table)
    play(table, 4)
    assert turns_in(table, russell) == ["2A"], "turn 1 began when nobody was to look on"

    enrol.set_terms(table.office, "ford", {"observers": "none"})
    play(table, 2)
    assert turns_in(table, russell) == ["2A"]


def test_a_delay_that_is_shortened_shortens_none_that_was_promised(table: Table) -> None:
    table.open(LONG, observers="truth", observers_delay=3)
    russell = look_on(table)
    enrol.set_terms(table.office, "ford", {"observers_delay": 1})

    play(table, 6)
    assert turns_in(table, russell) == ["S0"], "of turn 2, too, he would see what turn 1 came to"
    play(table, 1)
    assert turns_in(table, russell) == ["S0", "1A"]
    play(table, 1)
    assert turns_in(table, russell) == ["S0", "1A", "1B", "2A", "2B", "3A", "3B"]


def test_eyes_that_are_opened_open_no_turn_that_was_played_under_others(table: Table) -> None:
    table.open(LONG, observers="guard", observers_delay=1)
    russell = look_on(table)
    enrol.set_terms(table.office, "ford", {"observers": "truth"})
    play(table, 4)

    assert all(name.endswith("guard.html") for mail in came(table, russell) for name in files(table, mail))


@pytest.fixture
def _held_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """What falls does not hang on what was written first."""
    monkeypatch.setattr(seeds, "worded", lambda seed, moment, words: seed)


SAME = 3
"""Turns that are the same in both games."""


def looked_on(folder: Path, eyes: str, delay: int, *, other: bool) -> Iterator[tuple[Moment, bytes]]:
    """Play a game of which all after the turns that are the *SAME* is *other*; gives all that came to who looks on.

    It is given with the moment that was made known last.
    """
    clock, chance = Clock(), HeldChance()
    make_office(folder, SETTINGS, chance=chance)
    with open_office(folder, now=clock, chance=chance) as office:
        table = Table(office, clock)
        table.open(LONG, observers=eyes, observers_delay=delay)
        russell = look_on(table)
        for _ in range(2 * (SAME + delay + 1)):
            now, began = table.dossier.exchange().moment, clock.at
            if now.turn > SAME and other:
                table.write("smuggler", "move s1 to 2" if now.exchange == 1 else "move s2 to 3")
                table.write("guard", "watch g1 5")
                table.write("guard", "umpire: who is there?")
            clock.at = began + 10**10
            table.turn()
            his = b"\n".join(
                f"{mail.created_at} {mail.due_at} {mail.kind} {mail.subject}\n".encode()
                + unpacked(table.bytes_of(mail))
                for mail in came(table, russell)
            )
            yield now, SEAL.sub(b"a seal", his)
            if table.dossier.campaign.ended:
                return


@pytest.mark.usefixtures("_held_dice")
@pytest.mark.parametrize(("eyes", "delay"), [("truth", 1), ("truth", 2), ("guard", 0), ("guard", 2), ("smuggler", 1)])
def test_nothing_that_reaches_him_tells_of_a_turn_whose_hour_has_not_come(
    table: Table, tmp_path: Path, eyes: str, delay: int
) -> None:
    one = looked_on(tmp_path / "1", eyes, delay, other=False)
    two = looked_on(tmp_path / "2", eyes, delay, other=True)
    compared = differ = 0
    for (now, first), (_, second) in zip(one, two, strict=False):
        if now.turn - delay <= SAME:
            assert first == second, f"after {now}"
            compared += 1
        else:
            differ += first != second

    assert compared >= 2 * SAME
    assert differ, "the games are the same"


# ------------------------------------------------------------------ who


def test_who_has_a_side_or_had_one_cannot_look_on(table: Table) -> None:
    table.open(LONG, observers="truth")
    with pytest.raises(Refused, match="plays guard in ford"):
        observers.admit(table.office, "ford", name="Ben", address=PLAYERS["guard"])

    changes.withdraw_player(table.office, "ford", "guard", reason="He was called away.")
    with pytest.raises(Refused, match="played guard in ford"):
        observers.admit(table.office, "ford", name="Ben", address=PLAYERS["guard"])


def test_who_has_seen_more_than_a_role_may_know_never_plays_it(table: Table) -> None:
    table.open(LONG, observers="truth", observers_delay=1)
    russell = look_on(table)
    with pytest.raises(Refused, match="First: pbem observer remove"):
        changes.replace_player(table.office, "ford", "guard", name="W", address=RUSSELL, reason="Ill.")

    play(table, 3)
    observers.remove(table.office, "ford", RUSSELL)
    with pytest.raises(Refused, match="seen the truth"):
        changes.replace_player(table.office, "ford", "guard", name="W", address=RUSSELL, reason="Ill.")
    assert russell.id not in table.dossier.campaign.observers


def test_who_has_looked_on_through_a_role_alone_may_take_it_over(table: Table) -> None:
    table.open(LONG, observers="guard", observers_delay=1)
    look_on(table)
    play(table, 3)
    observers.remove(table.office, "ford", RUSSELL)

    with pytest.raises(Refused, match="seen what guard knew"):
        changes.replace_player(table.office, "ford", "smuggler", name="W", address=RUSSELL, reason="Ill.")
    player = changes.replace_player(table.office, "ford", "guard", name="W", address=RUSSELL, reason="Ill.")
    assert table.dossier.campaign.players[Role("guard")] == player.id


def test_nobody_looks_on_where_the_terms_let_nobody_or_there_is_nothing_to_see(table: Table) -> None:
    table.open(LONG)
    with pytest.raises(Refused, match="--observers truth"):
        look_on(table)
    enrol.set_terms(table.office, "ford", {"observers": "truth"})
    look_on(table)
    with pytest.raises(Refused, match="looks on in ford already"):
        look_on(table)
    fork(table.office, "ford", "what-if")
    table.name = "what-if"
    with pytest.raises(Refused, match="never mails"):
        observers.admit(table.office, "what-if", name="X", address="x@paper.example")


def test_a_fork_brings_him_nothing(table: Table) -> None:
    table.open(LONG, observers="truth", observers_delay=1)
    russell = look_on(table)
    play(table, 1)
    fork(table.office, "ford", "what-if")
    table.name = "what-if"
    play(table, 4)

    assert {mail.state for mail in came(table, russell) if mail.campaign == "what-if"} <= {"dropped"}
    with table.office.read() as connection:
        assert [one.id for one in observing.observed_by(table.office, connection, russell.id)] == ["ford"]


def test_in_which_games_somebody_looks_on_is_known_when_it_changes(table: Table) -> None:
    table.open(LONG, observers="truth")

    def his(id: PlayerId) -> list[CampaignId]:
        with table.office.read() as connection:
            return [one.id for one in observing.observed_by(table.office, connection, id)]

    assert his(PlayerId("nobody")) == []
    russell = look_on(table)
    assert his(russell.id) == ["ford"]
    enrol.new(table.office, "bridge", find_scenario(table.office.folder, "toy/ford"), Terms(observers=("guard",)))
    observers.admit(table.office, "bridge", name="", address=RUSSELL)
    assert his(russell.id) == ["bridge", "ford"]
    observers.remove(table.office, "ford", russell.id)
    assert his(russell.id) == ["bridge"]


def test_who_looks_on_is_not_forgotten_before_he_has_left_and_then_wholly(table: Table) -> None:
    table.open(LONG, observers="truth", observers_delay=1)
    russell = look_on(table)
    play(table, 3)
    with pytest.raises(Refused, match="looks on in ford"):
        changes.erase_player(table.office, russell.id)
    observers.remove(table.office, "ford", RUSSELL, reason="He asked for it.")

    changes.erase_player(table.office, russell.id)

    assert all(not mail.subject for mail in came(table, russell))
    play(table, 2)


# ------------------------------------------------------------------ what he writes


@pytest.mark.parametrize(
    "text", ["move s1 to 2", "turn 1A\nfire g1 at 5", "umpire: who is there?", "letter to guard: run!", "withdraw"]
)
def test_nothing_that_he_writes_reaches_the_game(table: Table, text: str) -> None:
    table.open(LONG, observers="truth")
    russell = look_on(table)
    before = table.dossier.seq

    received = table.write(RUSSELL, text)

    assert (received.state, table.dossier.seq) == ("ignored", before)
    assert "You look on at this game, and play no side" in words(table, came(table, russell)[-1])


def test_what_he_writes_to_a_game_that_he_sees_never_orders_in_one_that_he_plays(table: Table) -> None:
    table.open(LONG, observers="truth")
    enrol.new(table.office, "bridge", find_scenario(table.office.folder, "toy/ford"), Terms(trust="address"))
    enrol.add_player(table.office, "bridge", "smuggler", name="W. Russell", address=RUSSELL)
    enrol.add_player(table.office, "bridge", "guard", name="Ann", address=PLAYERS["smuggler"])
    enrol.start(table.office, "bridge")
    look_on(table)

    table.write(RUSSELL, "move s1 to 2", subject="Re: [ford] S0: the truth")

    for name in ("ford", "bridge"):
        with table.office.read() as connection:
            assert not load(table.office, connection, CampaignId(name)).campaign.sheets
    assert table.write(RUSSELL, "move s1 to 2", subject="orders").campaign == "bridge"


def test_he_leaves_stops_his_letters_and_sets_his_clock_by_letter(table: Table) -> None:
    table.open(LONG, observers="truth", observers_delay=1)
    russell = look_on(table)

    def clock() -> str:
        return changes.find_player(table.office, RUSSELL).zone

    table.write(RUSSELL, "zone Europe/Paris")
    assert clock() == "Europe/Paris"
    table.write(RUSSELL, "zone Mars/Base")
    assert (clock(), "no time zone" in words(table, came(table, russell)[-1])) == ("Europe/Paris", True)

    table.write(RUSSELL, "stop")
    play(table, 3)
    assert {mail.state for mail in came(table, russell) if mail.kind == "report"} == {"dropped"}
    table.write(RUSSELL, "status")
    assert "queued" in {mail.state for mail in came(table, russell) if mail.kind == "report"}

    table.write(RUSSELL, "resign")
    assert "You look on no more" in words(table, came(table, russell)[-1])
    there = turns_in(table, russell)
    play(table, 2)
    assert turns_in(table, russell) == there
    assert table.write(RUSSELL, "status").state == "refused"


def test_of_a_letter_that_anybody_could_have_written_nothing_is_done(table: Table) -> None:
    table.open(LONG, trust="table", observers="truth")
    russell = look_on(table)

    for text in ("resign", "stop", "zone Europe/Paris"):
        table.write(RUSSELL, text)
        assert "it is not certain that you wrote that" in words(table, came(table, russell)[-1])
    assert russell.id in table.dossier.campaign.observers

    secret = re.search(r"^Reply-To: (\S+)", table.text_of(came(table, russell)[-1]), re.MULTILINE)
    assert secret
    raw = table.letter(RUSSELL, "resign").decode().replace("To: office@office.example", f"To: {secret[1]}")
    assert table.receive(raw.encode()).reason == "he looks on no more"
    assert russell.id not in table.dossier.campaign.observers
