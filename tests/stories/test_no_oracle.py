"""What nobody learns by trying: a right address from a wrong one, a campaign that is from one that is not."""

from __future__ import annotations

import pytest

from tests.kit.table import Table
from tests.kit.writers import SPY, secret, seen_by, trusting


def tries(right: str) -> dict[str, str]:
    """To what address a forger writes: the right one, nearly that, one of another form, none."""
    local, _, host = right.partition("@")
    wrong = f"{local[:-1]}{'a' if local[-1] != 'a' else 'b'}@{host}"
    return {
        "right": right,
        "wrong": wrong,
        "void": right.replace(".1.", ".2."),
        "other campaign": right.replace("+ford.", "+fort."),
        "none": "office@office.example",
    }


ASKED = (
    "move s1 to 3",
    "status",
    "game ford\nrole smuggler\nreport",
    "confirm aaaa-bbbb-cccc-dddd",
    "letter to guard: hello",
    "",
    "x" * (2 * 1024 * 1024),
)
"""What a forger may write."""


@pytest.mark.parametrize("trial", ["wrong", "void", "other campaign", "none"])
@pytest.mark.parametrize("forger", [SPY, "ben@player.example"], ids=["a stranger", "a player"])
@pytest.mark.parametrize("trust", ["table", "address"])
def test_a_forger_sees_no_difference_between_a_right_address_and_any_other(
    twins: tuple[Table, Table], forger: str, trial: str, trust: str
) -> None:
    shown = []
    for table, chosen in zip(twins, ("right", trial), strict=True):
        table.open(trust=trust)
        trusting(table)
        domain = forger.partition("@")[2]
        vouched = f"Authentication-Results: mx.office.example; dmarc=pass header.from={domain}"
        address = tries(secret(table, "smuggler"))[chosen]
        for text in ASKED:
            raw = table.letter(forger, text, head=f"{vouched}\nDelivered-To: {address}")
            table.receive(raw)
            table.receive(raw)
        shown.append(seen_by(table, forger))

    assert shown[0] == shown[1]
    assert shown[0]


@pytest.mark.parametrize("trial", ["right", "wrong", "none"])
def test_a_forger_whose_domain_does_not_vouch_for_him_sees_nothing_at_all(careful: Table, trial: str) -> None:
    mails = len(careful.mails)
    address = tries(secret(careful, "smuggler"))[trial]
    careful.write(SPY, "move s1 to 3", head=f"Delivered-To: {address}")

    assert len(careful.mails) > mails
    assert seen_by(careful, SPY) == []


def test_a_stranger_is_told_once_a_day_that_he_is_not_known_and_nothing_of_any_game(careful: Table) -> None:
    trusting(careful)
    vouched = "Authentication-Results: mx.office.example; dmarc=pass header.from=elsewhere.example"
    for _ in range(3):
        careful.write(SPY, "move s1 to 3", subject="[ford] hello", head=vouched)
    careful.write(SPY, "gone", head=f"{vouched}\nAuto-Submitted: auto-replied")

    [(subject, text)] = seen_by(careful, SPY)
    assert subject == "your letter was not read"
    for word in ("ford", "smuggler", "guard", "ann@", "Smuggler", "1A", "s1"):
        assert word not in text.replace("Forder", "")
    careful.clock.forward(24)
    careful.write(SPY, "move s1 to 3", head=vouched)
    assert len(seen_by(careful, SPY)) == 2
