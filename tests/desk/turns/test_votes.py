"""Whatever is voted in whatever order: a vote is closed once, its outcome follows from what stood, and once."""

from __future__ import annotations

from random import Random

import pytest

from pbem.desk.office.office import HOUR
from pbem.desk.players import voted
from pbem.desk.players.enrol import set_terms
from pbem.desk.proof.verify import verify
from pbem.desk.turns import pausing, votes
from pbem.kernel.names import Role
from pbem.kernel.office import CampaignEnded, CampaignPaused, DeadlineMoved, ProposalClosed, ProposalMade, VoteCast
from pbem.storage.database import Connection
from tests.kit.table import Table
from tests.kit.watching import MINUTE, look

SAID = (
    "propose draw", "propose end: enough", "propose truce until 9A", "propose extension 6h", "propose pause",
    "propose resume", "vote yes", "vote no", "vote V1 yes", "vote V1 no", "vote V2 yes", "vote V2 no", "vote V3 yes",
    "withdraw V1", "withdraw V2", "status", "move s1 to 3", "watch g1 3", "ready off", "ready",
)  # fmt: skip

TERMS = (
    "none",
    "draw all secret 9h; end majority secret 5h counts; truce open 4h; pause sides open 3h; resume majority open 2h",
    "draw sides open 6h; end all secret 8h; extension all secret 5h; pause majority secret 3h; resume all secret 2h",
)


def stands(table: Table) -> None:
    """What must hold of any log with votes."""
    log, ended = table.dossier.log, 0
    made: dict[str, ProposalMade] = {}
    said: dict[str, dict[Role, bool]] = {}
    closed: set[str] = set()
    for one in log:
        match one.event:
            case ProposalMade() as event:
                assert event.key == f"V{len(made) + 1}"
                made[event.key], said[event.key] = event, {event.by: True}
            case VoteCast() as event:
                assert event.key in made
                assert event.key not in closed
                assert event.secret == made[event.key].ballot.secret
                said[event.key][event.role] = event.yes
            case ProposalClosed() as event:
                assert event.key not in closed
                closed.add(event.key)
                ballot, yes = made[event.key].ballot, sum(said[event.key].values())
                needs = {"all": 2, "majority": 2, "sides": 2}[ballot.agree]
                if event.how in ("carried", "failed"):
                    assert (event.how == "carried") == (yes >= needs)
                    assert (event.yes is None) == (ballot.secret and not ballot.counts)
                    assert event.yes in (None, yes)
            case CampaignEnded():
                ended += 1
            case _:
                pass
    carried = [one.event for one in log if isinstance(one.event, ProposalClosed) and one.event.how == "carried"]
    assert ended == sum(one.what in ("draw", "end") for one in carried)
    moved = [one.event for one in log if isinstance(one.event, DeadlineMoved) and one.event.why == "vote"]
    assert len(moved) == sum(one.what == "extension" for one in carried)
    paused = [one.event for one in log if isinstance(one.event, CampaignPaused)]
    assert len(paused) == sum(one.what == "pause" for one in carried)
    told = [mail.cause for mail in table.mails]
    assert len(told) == len(set(told))


@pytest.mark.parametrize("luck", range(12))
def test_any_order_of_letters_and_hours(ford: Table, luck: int) -> None:
    chance = Random(luck)
    terms = TERMS[luck % len(TERMS)]
    changes: dict[str, object] = {"release": "auto", "nmr": "standing", "hours": 20}
    set_terms(ford.office, "ford", changes if terms == "none" else {**changes, "votes": terms})
    for _ in range(60):
        ford.write(chance.choice(("smuggler", "guard")), chance.choice(SAID))
        ford.clock.at += chance.randrange(90) * MINUTE
        if chance.random() < 0.6:
            look(ford)
    stands(ford)
    assert verify(ford.office, "ford").sound


@pytest.mark.parametrize("what", ["draw", "end", "extension 6h", "pause", "truce until 9A"])
def test_a_kill_before_the_entry_is_written_leaves_it_to_the_next_look(
    ford: Table, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    set_terms(ford.office, "ford", {"votes": "draw all open 9h; end all open 9h"})
    ford.write("smuggler", f"propose {what}")
    ford.write("guard", "vote yes")
    before = ford.dossier.seq, len(ford.mails)

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("pbem.desk.post.writing.owe", killed)
        with pytest.raises(KeyboardInterrupt):
            look(ford)
    assert (ford.dossier.seq, len(ford.mails)) == before
    look(ford)
    look(ford)
    stands(ford)
    assert [one.closed.how for one in ford.dossier.campaign.proposals.values() if one.closed] == ["carried"]
    assert verify(ford.office, "ford").sound


def test_two_processes_that_look_at_once_close_it_once(ford: Table) -> None:
    ford.write("smuggler", "propose truce until 9A")
    ford.write("guard", "vote yes")
    stale = ford.dossier
    found = votes.due(stale, ford.clock.at)
    assert voted.attend(ford.office, stale, found, lambda: None)
    assert voted.attend(ford.office, stale, found, lambda: None) == ""
    stands(ford)


def test_letters_that_lie_elsewhere_are_fetched_before_a_vote_is_closed_at_its_hour(ford: Table) -> None:
    ford.write("smuggler", "propose draw")
    until = ford.dossier.campaign.proposals["V1"].until
    ford.clock.at = until - 5 * MINUTE
    look(ford)
    ford.clock.at = until + HOUR
    fetched: list[Connection | None] = []

    def fetch() -> None:
        fetched.append(None)

    found = votes.due(ford.dossier, ford.clock.at)
    voted.attend(ford.office, ford.dossier, found, fetch)
    assert len(fetched) == 1


def test_a_pause_that_is_voted_on_lapses_when_the_umpire_pauses(ford: Table) -> None:
    ford.write("smuggler", "propose pause")
    pausing.pause(ford.office, "ford", "Ill")
    assert look(ford)[0] == "ford: V1, a pause of the game, has lapsed"
