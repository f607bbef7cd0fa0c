"""What the GM is told is told to each of those who run the game, and to nobody who has a side in it."""

from __future__ import annotations

from email import message_from_bytes
from email.policy import default

import pytest

from pbem.desk.post import delivery, writing
from pbem.desk.post.post import to_gm
from pbem.desk.post.printed import printed
from pbem.kernel.names import CampaignId
from pbem.storage import owed as waiting
from tests.kit.table import PLAYERS, Table

ANNA, BERT, CLEO, DORA = (f"{name}@gm.example" for name in ("anna", "bert", "cleo", "dora"))
SEVERAL = f"""
[[gm]]
name = "Anna"
address = "{ANNA}"

[[gm]]
name = "Bert"
address = "{BERT}"
rights = {{ ford = "run" }}

[[gm]]
name = "Cleo"
address = "{CLEO}"
rights = "read"

[[gm]]
name = "Dora"
address = "{DORA}"
rights = {{ elsewhere = "all" }}
"""


def run_by(table: Table, gms: str) -> None:
    settings = table.office.folder / "pbem.toml"
    lines = [line for line in settings.read_text().splitlines() if not line.startswith("gm =")]
    settings.write_text("\n".join(lines) + "\n" + gms)


def told(table: Table, campaign: str = "ford", number: int = 1) -> dict[str, str]:
    """What each is told by address, when the GM is told something of *campaign*."""
    before = {mail.id for mail in table.mails}
    notice = to_gm(CampaignId(campaign), "a secret", "f1 lies in ambush.", cause=f"secret/{number}", at=table.clock())
    with table.office.write() as connection:
        writing.owe(connection, notice)
    found = {}
    for mail in table.mails:
        if mail.id not in before:
            letter = message_from_bytes(table.bytes_of(mail), policy=default)
            found[str(letter["To"])] = f"{letter['Subject']}\n{letter.get_content()}"
    return found


def test_each_who_runs_the_game_is_told_and_nobody_who_may_only_look(ford: Table) -> None:
    run_by(ford, SEVERAL)
    mails = told(ford)

    assert list(mails) == [ANNA, BERT]
    assert len(set(mails.values())) == 1
    assert printed(mails[BERT])


def test_what_is_no_games_the_first_is_told(ford: Table) -> None:
    run_by(ford, SEVERAL)
    assert list(told(ford, "")) == [ANNA]


def test_who_has_a_side_is_told_nothing_of_that_game(ford: Table) -> None:
    run_by(ford, SEVERAL.replace(ANNA, PLAYERS["guard"]))
    mails = told(ford)

    assert list(mails) == [BERT]


def test_where_nobody_else_runs_it_he_is_told_that_something_waits_and_not_what(ford: Table) -> None:
    run_by(ford, f'gm = "{PLAYERS["guard"]}"\n')
    [(to, text)] = told(ford).items()

    assert to == PLAYERS["guard"]
    assert "ambush" not in text
    assert "secret" not in text
    assert "pbem turn show ford" in text
    assert printed(text) == ""


def test_when_the_game_is_over_he_may_know_all(ford: Table) -> None:
    run_by(ford, f'gm = "{PLAYERS["guard"]}"\n')
    for _ in range(40):
        if ford.dossier.campaign.ended:
            break
        ford.turn()
    assert ford.dossier.campaign.ended

    [text] = told(ford).values()
    assert "ambush" in text


def test_a_notice_reaches_each_once_though_its_writer_is_killed(ford: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    run_by(ford, SEVERAL)
    owe = waiting.owe
    killed: list[object] = []

    def dies(*given: object, **named: object) -> bool:
        if writing.TO_GM in str(given[2]) and not killed:
            killed.append(given[2])
            raise KeyboardInterrupt
        return owe(*given, **named)  # type: ignore[arg-type]  # handed on as it came

    monkeypatch.setattr(waiting, "owe", dies)
    with pytest.raises(KeyboardInterrupt):
        told(ford)
    assert killed
    writing.write_owed(ford.office)
    writing.write_owed(ford.office)

    mails = [mail for mail in ford.mails if mail.subject == "[ford] a secret"]
    to = delivery.recipients(ford.office, mails)
    assert sorted(to[mail.id].address for mail in mails) == [ANNA, BERT]
    assert len({mail.message_id for mail in mails}) == 2


def test_it_leaves_for_the_address_it_was_written_to(ford: Table) -> None:
    run_by(ford, SEVERAL)
    told(ford)
    mails = [mail for mail in ford.mails if mail.subject == "[ford] a secret"]

    assert {one.address for one in delivery.recipients(ford.office, mails).values()} == {ANNA, BERT}
    assert [delivery.shown(ford.office, mail.id).to for mail in mails] == [ANNA, BERT]
