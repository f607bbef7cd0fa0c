"""One campaign is played twice, with a halt of the guard and without: not a byte and not an hour tells the smuggler.

The office looks at its clock each quarter of an hour, and the smuggler writes whatever might feel it out.  Ids of
letters are compared as well.  Masked are hashes of 64 digits alone: those of the log, which nobody can guess.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from pbem.desk.office.office import HOUR, make_office, open_office
from pbem.desk.proof.verify import verify
from pbem.kernel.names import Role
from pbem.kernel.office import HaltAsked
from tests.kit.table import READER, SETTINGS, START, Clock, Table
from tests.kit.watching import MINUTE, look
from tests.stories.test_fog import HeldChance, known_to, unpacked
from tests.systems.play import SIXTH

LOG_HASH = re.compile(rb"[0-9a-f]{64}")
DUE = 72
SMUGGLER, GUARD = Role("smuggler"), Role("guard")

Letters = Sequence[tuple[float, str, str]]
"""The hour, the role, and what it writes."""

FEELING_OUT: Letters = (
    (DUE + 0.3, "smuggler", "status"),
    (DUE + 1.3, "smuggler", "move s1 to 5"),
    (DUE + 1.4, "smuggler", "move s1 to 5"),
    (DUE + 6.3, "smuggler", "add\nmove s2 to 6\nsing a song"),
    (DUE + 6.4, "smuggler", "orders?"),
    (DUE + 7.3, "smuggler", "withdraw"),
    (DUE + 8.3, "smuggler", "turn 1A\nmove s1 to 2"),
    (DUE + 9.3, "smuggler", "turn 1 halt 1\nmove s1 to 2"),
    (DUE + 10.3, "smuggler", "turn 2A\nmove s1 to 5"),
    (DUE + 11.3, "smuggler", "history\nreport"),
    (DUE + 12.3, "smuggler", "wait on\nstatus"),
    (DUE + 23.3, "smuggler", "preview\nmove s1 to 5"),
    (DUE + 25.3, "smuggler", "umpire: is anybody there?\nhelp"),
    (DUE + 29.9, "smuggler", "move s2 to 5"),
    (DUE + 31.3, "smuggler", "status"),
)

BOTH: Letters = (
    (1.0, "smuggler", "move s1 to 3\nmove s2 to 4"),
    (DUE + 33.0, "guard", "turn 1B\nfire g1 at 1\nfire g2 at 2"),
)


def play(
    folder: Path, alarm: str, hidden: Letters, open_: Letters, monkeypatch: pytest.MonkeyPatch
) -> tuple[dict[str, bytes], int]:
    """Play turn 1 and the beginning of turn 2.

    Gives all that reached the smuggler, and how often the guard was asked.
    """
    monkeypatch.syspath_prepend(str(SIXTH))
    clock, chance = Clock(), HeldChance()
    make_office(folder, SETTINGS, chance=chance)
    with open_office(folder, now=clock, chance=chance) as office:
        office.kept["reader"] = READER
        table = Table(office, clock)
        table.open(options={"alarm": alarm}, release="auto", hours=DUE)
        letters = sorted([*hidden, *open_, *BOTH])
        while clock.at < START + (DUE + 110) * HOUR:
            began = clock.at
            while letters and START + letters[0][0] * HOUR <= began:
                hour, role, text = letters.pop(0)
                table.written = int(hour * 100) * 10 + (role == "guard")
                clock.at = began + 1_000_000 * (1 + (role == "guard"))
                table.write(role, text)
            clock.at = began
            look(table)
            clock.at = began + 15 * MINUTE
        assert verify(office, "ford").first is None
        asked = sum(isinstance(one.event, HaltAsked) for one in table.dossier.log)
        seen = exact(table, SMUGGLER)
        return seen, asked


def exact(table: Table, role: Role) -> dict[str, bytes]:
    """Every byte that reached *role*, its mails with the ids, hours and sizes that they had."""
    player = table.dossier.campaign.players[role]
    found = known_to(table, role, player)
    for number, mail in enumerate(mail for mail in table.mails if mail.player == player):
        raw = table.bytes_of(mail)
        envelope = (mail.created_at, mail.due_at, mail.expires_at, mail.kind, mail.message_id, mail.subject, len(raw))
        found[f"exactly {number}"] = LOG_HASH.sub(b"a hash", f"{envelope}\n".encode() + unpacked(raw))
    return found


HALTS: dict[str, tuple[str, Letters, Letters, int]] = {
    "asked, silent": ("step", [(2.0, "guard", "watch g1 3")], [(2.0, "guard", "watch g1 6")], 1),
    "asked, answers": (
        "step",
        [
            (2.0, "guard", "watch g1 3"),
            (DUE + 5.0, "guard", "watch g2 2"),
            (DUE + 7.0, "guard", "status"),
            (DUE + 8.0, "guard", "turn 1 halt 1\nwatch g1 6"),
        ],
        [(2.0, "guard", "watch g1 6")],
        1,
    ),
    "asked at once, silent": ("urgent", [(2.0, "guard", "watch g1 3")], [(2.0, "guard", "watch g1 6")], 1),
    "asked at once, twice": (
        "urgent",
        [(2.0, "guard", "watch g1 3"), (DUE + 2.0, "guard", "watch g1 4")],
        [(2.0, "guard", "watch g1 6")],
        2,
    ),
}


@pytest.mark.parametrize("what", HALTS)
def test_nothing_that_reaches_one_side_tells_that_the_other_was_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    alarm, with_halt, without, times = HALTS[what]
    one, asked = play(tmp_path / "1", alarm, with_halt, FEELING_OUT, monkeypatch)
    other, never = play(tmp_path / "2", alarm, without, FEELING_OUT, monkeypatch)

    assert (asked, never) == (times, 0)
    assert list(one) == list(other)
    assert len(one) > 40
    for name, seen in one.items():
        assert seen == other[name], name


def test_an_hour_that_depends_on_a_halt_would_be_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The suite itself: where an urgent halt lasts to the hour of the reports, they leave a look at the clock later."""
    monkeypatch.setattr("pbem.kernel.exchange.TO_PLAY", 0)
    alarm, with_halt, without, _ = HALTS["asked at once, twice"]
    one, _ = play(tmp_path / "1", alarm, with_halt, FEELING_OUT, monkeypatch)
    other, _ = play(tmp_path / "2", alarm, without, FEELING_OUT, monkeypatch)

    assert one != other
