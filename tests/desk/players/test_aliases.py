"""A player who writes from more than one address, and whose the GM says a letter is."""

from __future__ import annotations

import re

import pytest

from pbem.desk.gm import waiting
from pbem.desk.library.scenarios import find_scenario
from pbem.desk.players import changes
from pbem.desk.players.aliases import add_address, drop_address, meant_by, others
from pbem.desk.players.enrol import add_player, new
from pbem.desk.players.rekey import rekey
from pbem.desk.ways import quarantine
from pbem.kernel.errors import Refused
from pbem.kernel.terms import Terms
from pbem.storage import aliases, blobs
from tests.kit.table import PLAYERS, Table

WORK = "anna@work.example"
SMUGGLER = PLAYERS["smuggler"]


def standing(table: Table) -> list[str]:
    return [sheet.text for sheet in table.dossier.campaign.sheets.values()]


def from_work(table: Table, text: str) -> bytes:
    return table.letter(WORK, text)


def code_in(text: str) -> str:
    found = re.search(r"confirm [a-z2-7-]{19}", text)
    assert found
    return found[0]


def test_what_i_wrote_from_my_other_address_is_taken_as_mine_by_the_umpires_word(ford: Table) -> None:
    astray = ford.receive(from_work(ford, "move s1 to 3"))
    assert astray.state == "refused"
    assert f"pbem mail quarantine accept {astray.letter} --as WHO" in ford.last_to("gm")
    with pytest.raises(Refused, match="--as WHO"):
        quarantine.accept(ford.office, astray.letter)

    done = quarantine.accept_as(ford.office, astray.letter, meant_by(ford.office, "smuggler"))

    assert (done.state, done.role, standing(ford)) == ("applied", "smuggler", ["move s1 to 3"])
    assert f"came from {WORK}, and the umpire took it as yours" in ford.words_to("smuggler")
    assert f"To: Smuggler <{SMUGGLER}>" in ford.last_to("smuggler")
    with pytest.raises(Refused, match="was dealt with"):
        quarantine.accept_as(ford.office, astray.letter, meant_by(ford.office, "guard"))


def test_one_letter_taken_as_mine_lets_nobody_write_as_me(ford: Table) -> None:
    astray = ford.receive(from_work(ford, "move s1 to 3"))
    quarantine.accept_as(ford.office, astray.letter, meant_by(ford.office, "smuggler"))

    assert ford.receive(from_work(ford, "move s2 to 4")).state == "refused"
    assert standing(ford) == ["move s1 to 3"]


def test_another_address_of_mine_counts_when_i_said_that_it_is_mine_and_not_before(ford: Table) -> None:
    add_address(ford.office, SMUGGLER, WORK.upper())
    assert f"entered {WORK} for you" in ford.last_to("smuggler")

    first = ford.receive(from_work(ford, "move s1 to 3"))
    assert (first.state, standing(ford)) == ("held", [])
    asked = ford.last_to("smuggler")
    assert f"To: Smuggler <{SMUGGLER}>" in asked
    ford.write("smuggler", code_in(asked))
    assert standing(ford) == ["move s1 to 3"]

    assert ford.receive(from_work(ford, "move s2 to 4")).state == "applied"
    assert standing(ford) == ["move s2 to 4"]
    assert f"To: Smuggler <{SMUGGLER}>" in ford.last_to("smuggler")
    drop_address(ford.office, SMUGGLER, WORK)
    assert ford.receive(from_work(ford, "move s1 to 3")).state == "refused"


def test_a_code_for_a_letter_from_my_own_address_confirms_no_other(ford: Table) -> None:
    add_address(ford.office, SMUGGLER, WORK)
    with ford.office.write() as connection:
        aliases.confirm(connection, meant_by(ford.office, "smuggler").id, SMUGGLER, at=1)
        aliases.confirm(connection, meant_by(ford.office, "guard").id, WORK, at=1)

    [[alias]] = others(ford.office).values()
    assert (alias.address, alias.confirmed_at) == (WORK, None)


def test_no_two_players_have_one_address(ford: Table) -> None:
    add_address(ford.office, SMUGGLER, WORK)

    for address in (WORK, PLAYERS["guard"], SMUGGLER):
        with pytest.raises(Refused, match="already"):
            add_address(ford.office, PLAYERS["guard"], address)
    with pytest.raises(Refused, match="already"):
        rekey(ford.office, PLAYERS["guard"], address=WORK)
    with pytest.raises(Refused, match="the office's own"):
        add_address(ford.office, SMUGGLER, "office@office.example")
    with pytest.raises(Refused, match="no other address"):
        drop_address(ford.office, PLAYERS["guard"], WORK)


def test_an_address_that_becomes_my_own_is_no_other_any_more(ford: Table) -> None:
    add_address(ford.office, SMUGGLER, WORK)
    rekey(ford.office, SMUGGLER, address=WORK)

    assert others(ford.office) == {}
    assert ford.receive(from_work(ford, "move s1 to 3")).state == "applied"


def test_my_other_address_stands_in_no_letter_to_others(ford: Table) -> None:
    add_address(ford.office, SMUGGLER, WORK)
    ford.write("smuggler", f"letter to guard: write to me at {WORK.title()} or {SMUGGLER}, friend.")

    assert "write to me at (address withheld) or (address withheld), friend" in ford.words_to("guard")


def test_nothing_of_my_other_address_is_left_when_i_am_erased(ford: Table) -> None:
    player = meant_by(ford.office, "smuggler")
    add_address(ford.office, SMUGGLER, WORK)
    ford.receive(from_work(ford, "move s1 to 3"))
    changes.withdraw_player(ford.office, "ford", "smuggler", reason="He left.")
    drop_address(ford.office, SMUGGLER, WORK)
    ford.receive(from_work(ford, "move s1 to 3"))
    add_address(ford.office, SMUGGLER, WORK)
    changes.erase_player(ford.office, player.id)

    assert others(ford.office) == {}
    with ford.office.read() as connection:
        kept = [
            blobs.fetch(connection, mail.digest)
            for mail in ford.mails
            if blobs.state(connection, mail.digest) == "kept"
        ]
        assert not any(WORK.encode() in one for one in kept)
        letters = waiting.listing(ford.office, everything=True)
        assert {blobs.state(connection, one.digest) for one in letters} == {"erased"}


def test_whom_the_gm_means_is_one_player_or_he_is_asked(ford: Table) -> None:
    smuggler = meant_by(ford.office, "smuggler")
    for who in (smuggler.id, SMUGGLER, "SMUGGLER", " Smuggler "):
        assert meant_by(ford.office, who) == smuggler
    new(ford.office, "weir", find_scenario(ford.office.folder, "toy/ford"), Terms(trust="address"))
    for role, address in {"smuggler": "eva@player.example", "guard": SMUGGLER}.items():
        add_player(ford.office, "weir", role, name=f"{role} of the weir", address=address)

    with pytest.raises(Refused, match="several"):
        meant_by(ford.office, "smuggler")
    assert meant_by(ford.office, "guard", "weir") == smuggler
    assert meant_by(ford.office, "smuggler", "weir").address == "eva@player.example"
    with pytest.raises(Refused, match="nobody is known"):
        meant_by(ford.office, "miller")
