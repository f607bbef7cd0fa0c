"""Whatever leaves the office for one side, in bytes, tells nothing of the other.

The same game is played twice; in the one the other side writes once, in the other it writes often, at other hours,
asks the umpire, takes all of it back and orders otherwise.  The dice are held.  What is random or sealed (hashes,
promises, ids) is masked by its form alone.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from email import message_from_bytes
from pathlib import Path

import msgspec
import pytest

from pbem.desk.books import seeds
from pbem.desk.gm.history import entries
from pbem.desk.office.office import HOUR, make_office, open_office
from pbem.desk.players.changes import replace_player, resend_briefing
from pbem.desk.players.enrol import end
from pbem.desk.proof.audit import audit
from pbem.desk.reels.chosen import choose
from pbem.desk.reels.differing import differ
from pbem.desk.reels.looking import page, svg
from pbem.desk.reels.moments import look, values_at
from pbem.desk.reels.ordered import sheets_of
from pbem.desk.reels.published import publish
from pbem.desk.reels.stats import stats_of
from pbem.desk.turns import exchange, shelf
from pbem.kernel.names import PlayerId, Role
from pbem.reports.replay.page import unpacked as opened
from tests.kit.table import PLAYERS, SETTINGS, Clock, Table

PACKED = re.compile(rb'<script type="application/octet-stream".*?</script>', re.DOTALL)
"""The data of a published page: packed, it hides a seal from its mask."""
SEAL = re.compile(rb"[0-9a-f]{24,64}")
"""What nobody can guess: a hash, a promise, an id under the office's key."""


@pytest.fixture(autouse=True)
def _held_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """What falls does not hang on what was written first, as it else would; words are given and shown all the same."""
    monkeypatch.setattr(seeds, "worded", lambda seed, moment, words: seed)


Letters = Sequence[tuple[float, str]]
"""What one side writes in an exchange: the hour, and the text."""


class HeldChance:
    """Seeds that are the same however often anything else was asked of chance."""

    def __init__(self) -> None:
        self.drawn: dict[int, int] = {}

    def __call__(self, count: int) -> bytes:
        self.drawn[count] = self.drawn.get(count, 0) + 1
        return hashlib.shake_256(f"{count}/{self.drawn[count]}".encode()).digest(count)


def play(folder: Path, owner: str, secret: Sequence[Letters], open_: Sequence[Letters]) -> dict[str, dict[str, bytes]]:
    """Play the game; gives for each role all that reached it, by what it is."""
    clock, chance = Clock(), HeldChance()
    make_office(folder, SETTINGS, chance=chance)
    with open_office(folder, now=clock, chance=chance) as office:
        table = Table(office, clock)
        table.open()
        players = dict(table.dossier.campaign.players)
        blind = Role(next(role for role in PLAYERS if role != owner))
        for number, (hidden, known) in enumerate(zip(secret, open_, strict=True)):
            began = clock.at
            letters = [(hour, owner, text) for hour, text in hidden] + [(hour, blind, text) for hour, text in known]
            for hour, role, text in sorted(letters):
                clock.at = began + int(hour * HOUR)
                table.written = 100 * number + int(10 * hour)
                table.write(role, text)
            clock.at = began + 30 * HOUR
            if not number:
                exchange.extend(office, "ford", table.dossier.exchange().deadline + 24 * HOUR, "The mail was late.")
            table.turn()
            clock.forward(1)
        exchange.annul(office, "ford", None, "A patrol was misplaced.", reopen=True)
        clock.forward(1)
        table.turn()
        clock.forward(1)
        resend_briefing(office, "ford", blind)
        replace_player(office, "ford", owner, name="Cid", address="cid@player.example", reason="He is ill.")
        end(office, "ford", "Nobody has time")
        return {role: known_to(table, role, player) for role, player in players.items()}


def known_to(table: Table, role: Role, player: PlayerId) -> dict[str, bytes]:
    """Every byte that reached *role*: its mails with their times, its history, the dice that it may check."""
    mails = [mail for mail in table.mails if mail.player == player]
    found = {
        f"mail {number}: {mail.subject}": f"{mail.created_at} {mail.due_at} {mail.kind}\n".encode()
        + unpacked(table.bytes_of(mail))
        for number, mail in enumerate(mails)
    }
    found["history"] = msgspec.json.encode(
        [(one.number, one.at, one.kind, one.what, one.event) for one in entries(table.office, "ford", role=role)]
    )
    for one in table.dossier.campaign.reports[role]:
        data = shelf.data(table.office, "ford", role, one.moment, version=one.version)
        assert not SEAL.search(data), "a report as JSON holds nothing that could hash or count what is hidden"
        found[f"report {one.moment}, version {one.version}, as JSON"] = data
    found["dice"] = msgspec.json.encode(audit(table.office, "ford", role))
    found |= {f"history {what}": seen for what, seen in looked_back(table, role)}
    return {name: SEAL.sub(b"a seal", seen) for name, seen in found.items()}


def looked_back(table: Table, role: Role) -> Iterator[tuple[str, bytes]]:
    """What *role* is answered when it asks of the past."""
    office = table.office
    yield "log", msgspec.json.encode(choose(office, "ford", [role], None, {"annulled": True}).reel)
    newest = look(office, "ford", [role])
    yield "show", page(office, newest) + svg(office, newest)
    yield "values", msgspec.json.encode(values_at(office, "ford", [role]))
    yield "diff", msgspec.json.encode(differ(office, "ford", [role], "S0", "").seen)
    yield "orders", msgspec.json.encode(sheets_of(office, "ford", eyes=role, receipts=True))
    yield "stats", msgspec.json.encode(stats_of(office, "ford", role))
    html = publish(office, "ford", [role], everything=False, alone=False).html
    yield "published", PACKED.sub(b"", html) + msgspec.json.encode(opened(html.decode()))


def unpacked(raw: bytes) -> bytes:
    """A mail with its parts as they were before they were packed: base64 hides a seal from its mask."""
    parts = []
    for part in message_from_bytes(raw).walk():
        payload = part.get_payload(decode=True)
        parts += [f"{name}: {value}".encode() for name, value in part.items()]
        parts += [payload] if isinstance(payload, bytes) else []
    return b"\n".join(parts)


SECRETS: dict[str, tuple[str, Sequence[Letters], Sequence[Letters], Sequence[Letters]]] = {
    "where the carts did not go": (
        "smuggler",
        ([(1, "move s1 to 2")], []),
        (
            [
                (0.5, "move s2 to 4\nsing a song"),
                (0.7, "umpire: may carts swim?"),
                (3, "withdraw"),
                (4, "turn 2A\nmove s1 to 2"),
                (5, "wait on\nstatus"),
                (6, "preview\nmove s2 to 4"),
                (7, "history\nresign\nvacation"),
            ],
            [(2, "report\nformat json")],
        ),
        (
            [(2, "watch g1 3\nsing a song\nformat json"), (6, "status"), (8, "move s1 to 2")],
            [(3, "fire g1 at 5\norders?"), (4, "history"), (5, "preview\nfire g1 at 5")],
        ),
    ),
    "what the patrols watch": (
        "guard",
        ([(1, "watch g1 4")], [(1, "watch g1 4")]),
        (
            [(0.5, "watch g2 6"), (3, "umpire: who is there?"), (5, "watch g1 6\nsing")],
            [(2, "watch g1 5\nwait on\nformat json"), (4, "watch g1 4")],
        ),
        ([(2, "sing a song\nformat json"), (6, "status"), (8, "watch g1 4")], [(3, "help")]),
    ),
}


@pytest.mark.parametrize("what", SECRETS)
def test_nothing_that_reaches_one_side_tells_what_the_other_wrote_or_how_often_or_when(
    table: Table, tmp_path: Path, what: str
) -> None:
    owner, once, often, open_ = SECRETS[what]
    one, other = (play(tmp_path / name, owner, secret, open_) for name, secret in (("1", once), ("2", often)))
    blind = Role(next(role for role in PLAYERS if role != owner))

    assert list(one[blind]) == list(other[blind])
    assert len(one[blind]) > 10
    for name, seen in one[blind].items():
        if name.endswith("the game is over"):
            continue  # then everything is opened
        assert seen == other[blind][name], name
    assert one[Role(owner)] != other[Role(owner)], "the secret is empty"


def test_a_count_of_what_is_hidden_would_be_found(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The suite itself: where the id of a letter says what it is owed for, the length of the log is out."""
    monkeypatch.setattr(
        "pbem.desk.post.writing.message_id", lambda office, campaign, cause: f"<{cause}@office.example>"
    )
    owner, once, often, open_ = SECRETS["what the patrols watch"]

    one, other = (play(tmp_path / name, owner, secret, open_) for name, secret in (("1", once), ("2", often)))

    assert one[Role("smuggler")] != other[Role("smuggler")]
