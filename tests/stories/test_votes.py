"""Players agree by letter: a draw, a truce, more time, a pause, another player; openly, or in secret."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from pbem.desk.gm.history import entries
from pbem.desk.intake.receive import submit
from pbem.desk.office.office import HOUR
from pbem.desk.players.changes import replace_player, withdraw_player
from pbem.desk.players.enrol import end, set_terms
from pbem.desk.proof.verify import verify
from pbem.desk.turns import adjudicate, exchange, pausing, publish, votes
from pbem.kernel.errors import Refused
from pbem.kernel.names import Role
from pbem.kernel.office import PlayerWithdrew, ProposalClosed, VoteCast
from tests.kit.redoubt import ALLIED, GUARDS, RIGHT, RUSSIAN, begin, since, write
from tests.kit.table import PLAYERS, START, Table
from tests.kit.table import table as make
from tests.kit.watching import look, stay
from tests.kit.writers import dated
from tests.systems import toy

ORDER = "RU-5 hold"
SMUGGLER, GUARD = Role("smuggler"), Role("guard")
DEADLINE = START + 72 * HOUR


def closed(table: Table) -> list[tuple[str, str, int | None, int | None]]:
    """How each vote ended."""
    ends = [one.event for one in table.dossier.log if isinstance(one.event, ProposalClosed)]
    return [(one.key, one.how, one.yes, one.no) for one in ends]


def test_a_draw_is_agreed_in_secret_and_ends_the_game_at_its_hour(ford: Table) -> None:
    ford.write("smuggler", "propose draw: we are even")
    assert "V1 is put to the vote until Mon 23 Nov 2026" in ford.words_to("smuggler")
    assert "Your own vote is yes" in ford.words_to("smuggler")
    told = ford.words_to("guard")
    assert "A draw is put to the vote" in told
    assert "A draw is proposed: we are even." in told
    assert "smuggler" not in told.lower().replace("letter to smuggler", "")
    assert "vote V1 yes vote V1 no" in told
    ford.clock.forward(10)
    ford.write("guard", "vote yes")
    assert "Your vote on V1, a draw, is yes. Nobody is told of it." in ford.words_to("guard")
    assert look(ford) == []

    done = stay(ford, START + 72 * HOUR + 3600 * 1_000_000)

    assert "ford: V1, a draw, is carried" in done
    assert ford.dossier.campaign.status == "ended"
    ended = ford.dossier.campaign.ended
    assert ended is not None
    assert (ended.winner, ended.how) == (None, "a draw, as the players agreed (V1)")
    for role in ("smuggler", "guard"):
        assert "The game ends in a draw" in ford.words_to(role)
        assert "Everything is opened" in ford.words_to(role)
    assert verify(ford.office, "ford").sound
    assert look(ford) == []


def test_a_draw_that_one_is_against_fails_at_the_same_hour_and_nobody_learns_who_was(ford: Table) -> None:
    ford.write("smuggler", "propose draw")
    ford.write("guard", "vote no")
    assert look(ford) == []
    done = stay(ford, START + 73 * HOUR)
    assert "ford: V1, a draw, is not carried" in done
    assert closed(ford) == [("V1", "failed", None, None)]
    mails = [mail for mail in ford.mails if mail.cause.startswith("voted/V1")]
    assert len(mails) == 3
    for mail in mails:
        assert "V1, a draw, is not carried." in " ".join(ford.text_of(mail).split())
        assert "against" not in ford.text_of(mail)


def test_who_is_out_of_the_game_reads_on_and_has_no_vote(ford: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toy, "SYSTEM", dataclasses.replace(toy.SYSTEM, out=lambda field: (GUARD,)))
    ford.turn()
    assert "1A" in ford.words_to("guard")
    ford.write("smuggler", "propose draw")
    assert "You have no vote in this." in ford.words_to("guard")
    done = stay(ford, START + 200 * HOUR)
    assert "ford: V1, a draw, is carried" in done
    assert verify(ford.office, "ford").sound


def test_where_the_terms_say_so_the_counts_of_a_secret_vote_are_told_and_no_names(ford: Table) -> None:
    set_terms(ford.office, "ford", {"votes": "draw all secret 12h counts"})
    ford.write("smuggler", "propose draw")
    ford.write("guard", "vote V1 no")
    stay(ford, START + 13 * HOUR)
    assert closed(ford) == [("V1", "failed", 1, 1)]
    assert "V1, a draw, is not carried: 1 for it, 1 against. Nothing changes." in ford.words_to("guard")


def test_a_truce_is_agreed_openly_at_once_and_says_that_the_rules_do_not_know_it(ford: Table) -> None:
    ford.write("guard", "propose truce until 5A: to bury the dead")
    assert "guard proposes a truce until 5A: to bury the dead." in ford.words_to("smuggler")
    assert look(ford) == []
    ford.write("smuggler", "vote yes")
    assert look(ford) == ["ford: V1, a truce until 5A, is carried"]
    for role in ("smuggler", "guard"):
        told = ford.words_to(role)
        assert "V1, a truce until 5A, is carried: 2 for it, 0 against." in told
        assert "For it: smuggler and guard." in told
        assert "The rules of the game do not: they stop nobody who breaks it." in told
    assert ford.dossier.campaign.status == "running"


def test_more_time_that_is_agreed_moves_the_deadline_and_says_why(ford: Table) -> None:
    ford.write("smuggler", "propose extension 24h: I travel")
    ford.write("guard", "vote no")
    assert look(ford) == ["ford: V1, 24 hours more for 1A, is not carried"]
    ford.write("smuggler", "propose extension 12h")
    ford.write("guard", "vote yes")
    assert look(ford)[0] == "ford: V2, 12 hours more for 1A, is carried"
    assert ford.dossier.exchange().deadline == DEADLINE + 12 * HOUR
    assert "A new deadline for 1A" in ford.words_to("guard")
    assert "V2, 12 hours more for 1A, is carried: 2 for it, 0 against. For it: smuggler and guard." in ford.words_to(
        "guard"
    )


def newest_to(table: Table, role: Role) -> str:
    """The id of the newest mail to who plays a role."""
    his = table.dossier.campaign.players[role]
    return next(mail.message_id for mail in reversed(table.mails) if mail.player == his)


def test_a_vote_without_a_key_is_on_what_its_letter_answers_and_on_nothing_newer(ford: Table) -> None:
    ford.write("smuggler", "propose draw: we are even")
    first = newest_to(ford, GUARD)
    ford.write("smuggler", "withdraw V1")
    ford.clock.forward(2)
    ford.write("smuggler", "propose pause: Christmas")
    ford.write("guard", "vote yes", head=f"In-Reply-To: {first}")
    assert "V1, a draw, is over" in ford.words_to("guard")
    ford.write("guard", "vote yes", head=dated(ford, hours=-1))
    assert "Your vote was not taken: say on which: vote V2 yes" in ford.words_to("guard")
    assert [one for one in ford.dossier.log if isinstance(one.event, VoteCast) and one.event.role == GUARD] == []

    ford.write("guard", "vote yes", head=dated(ford))
    assert "Your vote on V2" in ford.words_to("guard")


def test_more_time_for_one_turn_is_not_put_to_the_vote_in_the_next(ford: Table) -> None:
    opening = newest_to(ford, SMUGGLER)
    ford.turn()
    ford.write("smuggler", "propose extension 24h: I travel", head=f"In-Reply-To: {opening}")

    assert "1A is over, and 1B is open" in ford.words_to("smuggler")
    assert "proposal_made" not in ford.kinds


def test_more_time_is_voted_on_until_the_deadline_and_not_beyond_it(ford: Table) -> None:
    set_terms(ford.office, "ford", {"votes": "extension majority open 500h"})
    ford.write("smuggler", "propose extension 24")
    assert ford.dossier.campaign.proposals["V1"].until == DEADLINE


def test_a_pause_over_christmas_by_vote_and_the_vote_to_go_on_while_it_is_paused(ford: Table) -> None:
    ford.write("guard", "propose pause: it is Christmas")
    ford.write("smuggler", "vote yes")
    assert look(ford) == ["ford: V1, a pause of the game, is carried"]
    assert ford.dossier.campaign.status == "paused"
    assert "The game is paused" in ford.words_to("smuggler")
    assert "it is Christmas." in ford.words_to("smuggler")
    assert "propose resume" in ford.words_to("smuggler")
    assert stay(ford, DEADLINE + 200 * HOUR) == []
    ford.write("smuggler", "propose pause")
    assert "Nothing was put to the vote: the game is paused already." in ford.words_to("smuggler")
    ford.write("smuggler", "propose resume")
    ford.write("guard", "vote no")
    ford.write("guard", "vote yes")
    assert look(ford)[0] == "ford: V2, that the game goes on, is carried"


def test_a_vote_stands_still_while_the_game_is_paused_and_runs_on_after_it(ford: Table) -> None:
    ford.write("smuggler", "propose draw")
    ford.clock.forward(10)
    pausing.pause(ford.office, "ford", "Ill")
    assert stay(ford, START + 300 * HOUR) == []
    assert ford.write("guard", "vote yes").state == "applied"
    pausing.resume(ford.office, "ford")
    until = ford.dossier.campaign.proposals["V1"].until
    assert START + (72 + 290) * HOUR <= until <= START + (72 + 291) * HOUR
    assert not any("V1" in one for one in stay(ford, until))
    ford.clock.at += 1
    assert look(ford)[0] == "ford: V1, a draw, is carried"


def test_a_vote_can_be_changed_until_it_is_closed_and_not_after(ford: Table) -> None:
    ford.write("smuggler", "propose draw")
    ford.write("guard", "vote yes")
    ford.write("guard", "vote no")
    ford.clock.at = ford.dossier.campaign.proposals["V1"].until + 1
    ford.write("guard", "vote yes")
    assert "Your vote was not taken" in ford.words_to("guard")
    assert "ford: V1, a draw, is not carried" in look(ford)
    ford.write("guard", "vote V1 yes")
    assert "V1, a draw, is over." in ford.words_to("guard")


def test_who_proposed_may_take_it_back_and_nobody_else(ford: Table) -> None:
    ford.write("smuggler", "propose end")
    ford.write("guard", "withdraw V1")
    assert "you have not proposed V1" in ford.words_to("guard")
    ford.write("smuggler", "withdraw V1")
    assert closed(ford) == [("V1", "withdrawn", None, None)]
    assert "V1, the end of the game, was taken back. Nothing changes." in ford.words_to("guard")
    assert look(ford) == []
    assert ford.dossier.campaign.status == "running"


def test_what_it_was_about_is_gone_and_it_lapses(ford: Table) -> None:
    ford.write("smuggler", "propose extension 24h")
    ford.write("smuggler", "propose draw")
    ford.turn()
    assert look(ford)[0] == "ford: V1, 24 hours more for 1A, has lapsed"
    assert "V1, 24 hours more for 1A, has lapsed, for 1A is not open any more." in ford.words_to("guard")
    end(ford.office, "ford", "The umpire is ill.")
    assert look(ford) == ["ford: V2, a draw, has lapsed"]
    assert "has lapsed, for the game is over." in ford.words_to("guard")


def test_more_time_for_an_exchange_that_is_annulled_lapses_too(ford: Table) -> None:
    ford.turn()
    ford.write("smuggler", "propose extension 24h")
    assert len(ford.dossier.campaign.proposals) == 1
    exchange.annul(ford.office, "ford", None, "A stand was misplaced.")
    assert look(ford) == ["ford: V1, 24 hours more for 1B, has lapsed"]
    ford.write("smuggler", "propose extension 24h")
    assert "1A was annulled" in ford.words_to("smuggler")


def test_no_vote_ends_a_game_of_which_a_turn_waits_for_its_release(ford: Table) -> None:
    ford.write("smuggler", "propose draw")
    ford.write("guard", "vote yes")
    adjudicate.run(ford.office, "ford", early=True)
    ford.clock.at = START + 100 * HOUR
    assert not any("V1" in one for one in look(ford))
    publish.release(ford.office, "ford")
    assert "ford: V1, a draw, is carried" in look(ford)


def test_what_the_terms_do_not_have_is_not_put_to_the_vote(ford: Table) -> None:
    set_terms(ford.office, "ford", {"votes": "draw off; pause off"})
    ford.write("smuggler", "propose draw")
    assert "by the terms of this game a draw is not put to the vote" in ford.words_to("smuggler")
    assert ford.dossier.campaign.proposals == {}
    set_terms(ford.office, "ford", {"votes": "draw majority open 5h"})
    ford.write("smuggler", "propose draw")
    assert ford.dossier.campaign.proposals["V1"].made.ballot.hours == 5
    with pytest.raises(Refused, match="is not understood"):
        set_terms(ford.office, "ford", {"votes": "peace all"})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("vote yes", "nothing is put to the vote now"),
        ("vote V7 yes", "there is no V7"),
        ("propose truce until 1A", "1A has come already"),
        ("propose extension 9999h", "an extension is of 1 to 720 hours"),
        ("propose replacement of smuggler", "too few play to vote on that"),
        ("propose resume", "the game goes on already"),
        ("propose peace", 'after "propose" stands what is proposed'),
        ("vote maybe", 'after "vote" stands "yes" or "no"'),
    ],
)
def test_what_cannot_be_is_answered_with_what_to_do(ford: Table, text: str, said: str) -> None:
    ford.write("guard", text)
    assert said.casefold() in ford.words_to("guard").casefold()
    assert ford.dossier.campaign.proposals == {}


def test_another_player_is_voted_for_and_nothing_of_the_old_one_is_left(tmp_path: Path) -> None:
    with make(tmp_path / "office") as table:
        begin(table, votes="replacement majority open 24h", press="grey")
        write(table, RIGHT, ORDER)
        write(table, RIGHT, "substitute eve@player.example for 3 turns")
        assert table.dossier.campaign.sheets
        assert table.dossier.campaign.stand_ins
        before = len(table.mails)

        write(table, ALLIED, f"propose replacement of {RIGHT}: he has not written for weeks")
        for role in (GUARDS, RUSSIAN):
            write(table, role, "vote yes")
        assert any("is carried" in what for what in look(table))

        campaign = table.dossier.campaign
        assert RIGHT not in campaign.players
        assert campaign.stand_ins == {}
        [left] = [one.event for one in table.dossier.log if isinstance(one.event, PlayerWithdrew)]
        assert left.lapses == (table.dossier.exchange().moment,)
        gone = [table.text_of(mail) for mail in table.mails[before:] if mail.player == left.player]
        assert any("asked for another in your place" in " ".join(text.split()) for text in gone)
        told = " ".join(table.text_of(since(table, before, ALLIED)[-1]).split())
        assert f"Nobody plays {RIGHT} for now" in told
        assert "was not run yet is not played" in told
        to_gm = [table.text_of(mail) for mail in table.mails[before:] if not mail.player]
        assert any(f"pbem player add redoubt {RIGHT}" in text for text in to_gm)
        assert verify(table.office, "redoubt").sound


def test_a_sentence_that_begins_with_one_of_the_words_is_a_sentence(ford: Table) -> None:
    ford.write("smuggler", "Propose to you that we meet at the mill.\nVote for me if you will.\n\nmove s1 to 3\n")
    assert "1 order" in ford.words_to("smuggler") or "accepted" in ford.words_to("smuggler")
    assert ford.dossier.campaign.sheets


def test_no_umpire_votes_for_a_player(ford: Table) -> None:
    ford.write("smuggler", "propose draw")
    for text in ("vote yes", "propose pause", "withdraw V1"):
        with pytest.raises(Refused, match="is taken from a letter of its player alone"):
            submit(ford.office, "ford", "guard", text.encode())


def test_who_leaves_takes_his_vote_along(ford: Table) -> None:
    ford.write("smuggler", "propose draw")
    ford.write("guard", "vote yes")
    withdraw_player(ford.office, "ford", "guard", reason="He is away.")
    assert ford.dossier.campaign.proposals["V1"].votes == {SMUGGLER: True}


def test_who_comes_after_a_proposer_is_not_told_that_he_was_and_takes_nothing_back(ford: Table) -> None:
    ford.write("smuggler", "propose draw")
    replace_player(ford.office, "ford", "smuggler", name="Cyn", address="cyn@player.example", reason="He is ill.")
    [seen] = votes.seen(ford.dossier, SMUGGLER)
    assert (seen.by, seen.mine, seen.votes) == (None, False, True)
    ford.write("cyn@player.example", "withdraw V1")

    assert ford.dossier.campaign.proposals["V1"].closed is None
    assert "you have not proposed V1" in ford.words_to("smuggler")


def test_one_thing_is_put_to_the_vote_once_at_a_time_and_not_too_often(ford: Table) -> None:
    ford.write("smuggler", "propose draw")
    ford.write("guard", "propose draw")
    assert "V1, a draw, is being voted on: vote V1 yes" in ford.words_to("guard")
    ford.write("smuggler", "propose end")
    ford.write("smuggler", "propose truce until 9A")
    ford.write("smuggler", "propose pause")
    assert "do it tomorrow" in ford.words_to("smuggler")
    ford.write("guard", "vote yes")
    assert "say on which: vote V1 yes, vote V2 yes or vote V3 yes" in ford.words_to("guard")


def test_status_says_what_is_voted_on_and_what_he_has_said_himself(ford: Table) -> None:
    ford.write("smuggler", "propose draw")
    ford.write("guard", "status")
    assert "V1, a draw, until Mon 23 Nov 2026, 22:00 UTC; your vote: none yet" in ford.words_to("guard")
    ford.write("guard", "vote no")
    ford.write("guard", "status")
    assert "your vote: no" in ford.words_to("guard")


def test_his_own_history_has_his_vote_and_that_of_nobody_else(ford: Table) -> None:
    ford.write("smuggler", "propose draw")
    ford.write("guard", "vote no")
    stay(ford, START + 73 * HOUR)
    own = [one.what for one in entries(ford.office, "ford", role="guard") if one.kind in ("proposal_made", "vote_cast")]
    assert own == ["V1: a draw", "V1: guard, no"]
    other = [one for one in entries(ford.office, "ford", role="smuggler") if one.kind == "vote_cast"]
    assert other == []
    gms = [one.what for one in entries(ford.office, "ford") if one.kind in ("proposal_made", "vote_cast")]
    assert gms == ["V1: a draw", "V1: a vote"]


def test_the_reason_of_a_secret_proposal_tells_no_address_of_its_proposer(ford: Table) -> None:
    ford.write("smuggler", f"propose draw: we are even. {PLAYERS['smuggler']}")
    assert "A draw is proposed: we are even." in ford.words_to("guard")
    assert PLAYERS["smuggler"] not in ford.words_to("guard")


def test_who_comes_after_a_proposer_is_not_refused_for_what_that_one_proposed_in_secret(ford: Table) -> None:
    set_terms(ford.office, "ford", {"votes": "truce all secret 12h; end all secret 12h"})
    for what in ("draw", "truce until 5A", "end"):
        ford.write("guard", f"propose {what}")
    replace_player(ford.office, "ford", "guard", name="New", address="new@player.example", reason="He is ill.")
    ford.write("new@player.example", "propose extension 12h")
    assert "you have put" not in ford.words_to("guard")
