"""A secret vote is played several times, and the guard votes otherwise in each: not a byte and not an hour tells.

It tells neither the smuggler, by mail, history or page, nor the umpire, by mail or at his desk.  Who owns the machine
can read the log; nobody else can.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from pbem.desk.gm import waiting
from pbem.desk.gm.sealed import counted, sealed
from pbem.desk.office.office import HOUR, make_office, open_office
from pbem.desk.post import delivery
from pbem.desk.proof.verify import verify
from pbem.desk.reading import desk
from pbem.desk.turns import votes
from pbem.kernel.names import Role
from tests.kit.table import READER, SETTINGS, START, Clock, Table
from tests.kit.watching import MINUTE, look
from tests.stories.test_fog import HeldChance
from tests.stories.test_halts_unseen import LOG_HASH, Letters, exact
from tests.systems.play import SIXTH

SMUGGLER = Role("smuggler")

HIDDEN: dict[str, Letters] = {
    "silent": [],
    "yes": [(5.0, "guard", "vote yes")],
    "no": [(5.0, "guard", "vote no")],
    "changed": [(5.0, "guard", "vote yes"), (9.0, "guard", "vote V1 no"), (9.5, "guard", "vote no")],
    "looks": [(5.0, "guard", "vote no\nstatus")],
}

OPEN: Letters = (
    (2.0, "smuggler", "propose draw: we are even"),
    (2.5, "guard", "wait on"),
    (6.0, "smuggler", "status\nhistory"),
    (11.0, "smuggler", "help"),
    (25.0, "smuggler", "status\nhistory"),
)


class Heard(msgspec.Struct):
    """What reached whom, before the vote was closed and after it."""

    smuggler: dict[str, bytes]
    gm: dict[str, bytes]
    closed: dict[str, bytes]


def play(folder: Path, how: str, monkeypatch: pytest.MonkeyPatch, *, agree: str = "all", end: float = 30) -> Heard:
    """Play it with a vote of 20 hours; all that is seen is taken at hour 21, and again at *end*."""
    monkeypatch.syspath_prepend(str(SIXTH))
    clock, chance = Clock(), HeldChance()
    make_office(folder, SETTINGS, chance=chance)
    with open_office(folder, now=clock, chance=chance) as office:
        office.kept["reader"] = READER
        table = Table(office, clock)
        table.open(release="gm", hours=72, votes=f"draw {agree} secret 20h")
        table.turn()
        letters = sorted([*HIDDEN[how], *OPEN])
        heard = Heard({}, {}, {})
        while clock.at < START + end * HOUR:
            began = clock.at
            while letters and START + letters[0][0] * HOUR <= began:
                hour, role, text = letters.pop(0)
                table.written = int(hour * 100) * 10 + (role == "guard")
                clock.at = began + 1_000_000 * (1 + (role == "guard"))
                table.write(role, text)
            clock.at = began
            look(table)
            clock.at = began + 15 * MINUTE
            if clock.at == START + 21 * HOUR:
                heard = Heard(of_smuggler(table), of_gm(table), {})
        assert verify(office, "ford").first is None
        heard.closed = of_smuggler(table) | of_gm(table)
        return heard


def of_smuggler(table: Table) -> dict[str, bytes]:
    """Every byte that the smuggler has, with the page of votes."""
    return exact(table, SMUGGLER) | {"votes": msgspec.json.encode(votes.seen(table.dossier, SMUGGLER))}


def of_gm(table: Table) -> dict[str, bytes]:
    """What the umpire is mailed, and what his desk shows of letters, mails, votes and the log."""
    found, seal, dossier = {}, sealed(table.office), table.dossier
    for mail in table.mails:
        if mail.player is None:
            found[f"mail {mail.cause}"] = LOG_HASH.sub(b"a hash", table.bytes_of(mail))
    found["letters"] = b"\n".join(
        f"{one.received_at} {one.state} {one.reason}".encode()
        for one in waiting.listing(table.office, everything=True)
        if not seal.letter(one)
    )
    found["mails"] = b"\n".join(
        f"{one.created_at} {one.subject} {one.state}".encode()
        for one in delivery.listing(table.office)
        if not seal.mail(one)
    )
    found["votes of the desk"] = msgspec.json.encode(votes.seen(dossier, None))
    game = desk.game(table.office, dossier)
    found["count"] = f"{counted(dossier)} {game.events} {game.says} {game.need}".encode()
    found["held"] = f"{desk.held(table.office)} {desk.failing(table.office)}".encode()
    return found


@pytest.mark.parametrize("how", ["yes", "no", "changed"])
def test_before_it_is_closed_nothing_tells_who_voted_or_that_he_did(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    one = play(tmp_path / "1", how, monkeypatch, end=21)
    other = play(tmp_path / "2", "silent", monkeypatch, end=21)

    for seen, unseen in ((one.smuggler, other.smuggler), (one.gm, other.gm)):
        assert list(seen) == list(unseen)
        assert len(seen) > 5
        for name, said in seen.items():
            assert said == unseen[name], name


def test_a_vote_beside_other_words_tells_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = play(tmp_path / "1", "looks", monkeypatch, end=21)
    other = play(tmp_path / "2", "silent", monkeypatch, end=21)

    assert one.smuggler == other.smuggler
    assert one.gm == other.gm


@pytest.mark.parametrize("how", ["no", "changed"])
def test_after_it_a_no_and_silence_are_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    one = play(tmp_path / "1", how, monkeypatch)
    other = play(tmp_path / "2", "silent", monkeypatch)

    assert list(one.closed) == list(other.closed)
    for name, said in one.closed.items():
        assert said == other.closed[name], name
    assert b'"how":"failed"' in one.closed["votes"]


def test_an_open_vote_would_be_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The suite itself: where a vote is open, what the smuggler has differs."""
    monkeypatch.setattr("pbem.kernel.proposal.Proposal.secret", property(lambda one: False))
    one = play(tmp_path / "1", "no", monkeypatch)
    other = play(tmp_path / "2", "silent", monkeypatch)

    assert one.closed != other.closed
