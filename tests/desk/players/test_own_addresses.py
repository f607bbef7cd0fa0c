"""A player's own addresses and his clock, changed by himself: what is refused, what is bounded, what is left of it."""

from __future__ import annotations

import pytest

from pbem.desk.gm import waiting
from pbem.desk.library.scenarios import find_scenario
from pbem.desk.office.office import HOUR
from pbem.desk.players import changes, own_addresses
from pbem.desk.players.aliases import add_address, meant_by, others
from pbem.desk.players.enrol import add_player, new, start
from pbem.desk.players.rekey import rekey
from pbem.kernel.errors import Refused
from pbem.kernel.names import Role
from pbem.kernel.office import InvitationAnswered, OrdersRefused
from pbem.kernel.terms import Terms
from pbem.mail.trust.confirm import LIFE
from pbem.storage import aliases, blobs, players
from pbem.storage.aliases import Wish
from pbem.storage.players import Player
from tests.kit.mailboxes import code_in, mailbox
from tests.kit.table import PLAYERS, Table
from tests.kit.writers import SPY, answering, code_to, trusting, vouched

NEW, WORK, GM = "ann@new.example", "ann@work.example", "gm@office.example"
OLD = PLAYERS["smuggler"]


def player_of(table: Table, role: str = "smuggler") -> Player:
    with table.office.read() as connection:
        return players.get(connection, table.dossier.campaign.players[Role(role)])


def wishes(table: Table) -> list[Wish]:
    with table.office.read() as connection:
        return list(aliases.wishes(connection))


def proven(table: Table, text: str, role: str = "smuggler") -> str:
    """What becomes of a letter that answers one of the office's: its state."""
    return table.write(role, text, head=answering(table, role)).state


def told(table: Table) -> str:
    """The newest answer to the smuggler, of what she wrote of herself."""
    return [text for text in mailbox(table.office, player_of(table).address or "") if "From the office" in text][-1]


# ---------------------------------------------------------------------------------------------------- the clock


def test_hours_are_told_by_the_clock_that_its_player_names(ford: Table) -> None:
    proven(ford, "zone europe/paris\nstatus")

    assert player_of(ford).zone == "Europe/Paris"
    assert "Your hours are told by the clock of Europe/Paris from now on" in told(ford)
    assert "Fri 20 Nov 2026, 23:00 in Paris" in told(ford)
    assert "due Monday 23 November 2026, 23:00 in Paris" in told(ford)
    proven(ford, "zone")
    assert "told by the clock of Europe/Paris" in told(ford)


@pytest.mark.parametrize(
    ("written", "near"),
    {"Pariss": "Europe/Paris", "New_Yrok": "America/New_York", "Mars": "Write one like Europe/Berlin"}.items(),
)
def test_a_zone_that_there_is_not_is_answered_with_what_is_near(ford: Table, written: str, near: str) -> None:
    assert proven(ford, f"zone {written}") == "refused"

    assert player_of(ford).zone == "UTC"
    assert f'there is no time zone "{written}". ' in told(ford)
    assert near in told(ford)


# ---------------------------------------------------------------------------------------------------- who may


@pytest.mark.parametrize("text", ["zone Europe/Paris", f"address {NEW}", "address off", f"also {WORK}"])
def test_a_letter_that_only_its_from_vouches_for_is_asked_back_though_its_game_believes_it(
    ford: Table, text: str
) -> None:
    assert ford.write("smuggler", text).state == "held"
    assert (player_of(ford).zone, wishes(ford), mailbox(ford.office, NEW)) == ("UTC", [], [])

    ford.write("smuggler", code_to(ford, "smuggler"))
    done = {"zone": player_of(ford).zone, "address": wishes(ford), "also": wishes(ford)}[text.split()[0]]
    assert done or text == "address off"


def test_a_held_letter_does_none_of_it(careful: Table) -> None:
    assert careful.write("smuggler", f"zone Europe/Paris\naddress {NEW}\nalso {WORK}").state == "held"

    assert (player_of(careful).zone, wishes(careful)) == ("UTC", [])
    assert mailbox(careful.office, NEW) == mailbox(careful.office, WORK) == []


def test_a_domain_that_vouches_is_proof_enough_to_ask(careful: Table) -> None:
    trusting(careful)
    careful.write("smuggler", f"also {WORK}", head=vouched(careful))

    assert [(one.what, one.address) for one in wishes(careful)] == [("also", WORK)]


@pytest.mark.parametrize("word", ["zone Europe/Paris", f"address {NEW}", f"also {WORK}"])
def test_the_gm_says_none_of_it_for_a_player(ford: Table, word: str) -> None:
    with pytest.raises(Refused, match="from a letter of its player alone"):
        ford.submit("smuggler", word)


# ---------------------------------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize("word", ["address", "also"])
@pytest.mark.parametrize("taken", [PLAYERS["guard"], PLAYERS["guard"].upper(), GM])
def test_an_address_of_another_is_refused_and_not_told_whose_it_is(ford: Table, word: str, taken: str) -> None:
    before = len(mailbox(ford.office, taken.lower()))
    assert proven(ford, f"{word} {taken}") == "refused"

    assert f"{taken.lower()} cannot be entered for you. If it is yours, write to the umpire." in told(ford)
    assert not {"Guard", "guard", player_of(ford, "guard").id} & set(told(ford).split())
    assert (len(mailbox(ford.office, taken.lower())), wishes(ford)) == (before, [])


@pytest.mark.parametrize(
    ("text", "why"),
    {
        f"address {OLD}": "is your address already",
        f"also {OLD}": "is your address already",
        "address office@office.example": "the office's own address",
        "also noreply@house.example": "machines write from",
        "also ann@nowhere": "no dot behind",
        f"also off {NEW}": "is no other address of yours",
    }.items(),
)
def test_what_can_be_no_address_of_his_is_refused_with_its_reason(ford: Table, text: str, why: str) -> None:
    assert proven(ford, text) == "refused"
    assert why in told(ford)
    assert wishes(ford) == []


def test_an_address_that_another_came_to_have_meanwhile_moves_nobody(ford: Table) -> None:
    proven(ford, f"address {NEW}")
    add_address(ford.office, PLAYERS["guard"], NEW)
    ford.write(NEW, f"confirm {code_in(ford.office, OLD)}\nconfirm {code_in(ford.office, NEW)}")

    assert (player_of(ford).address, wishes(ford)) == (OLD, [])
    assert "cannot be entered for you" in mailbox(ford.office, OLD)[-1]


# ---------------------------------------------------------------------------------------------------- codes


def test_codes_are_good_for_72_hours_and_only_once(ford: Table) -> None:
    proven(ford, f"address {NEW}")
    both = f"confirm {code_in(ford.office, OLD)}\nconfirm {code_in(ford.office, NEW)}"
    ford.clock.forward(LIFE / HOUR)
    late = ford.write("smuggler", both)

    assert (late.state, player_of(ford).address) == ("refused", OLD)
    assert "good for 72 hours" in mailbox(ford.office, OLD)[-1]
    proven(ford, f"address {NEW}")
    again = f"confirm {code_in(ford.office, OLD)}\nconfirm {code_in(ford.office, NEW)}"
    assert again != both
    ford.write("smuggler", again)
    assert player_of(ford).address == NEW
    rekey(ford.office, player_of(ford).id, address=OLD)
    ford.write("smuggler", again)
    assert player_of(ford).address == OLD


def test_what_waits_is_taken_back_by_a_word_and_by_new_secret_addresses(ford: Table) -> None:
    proven(ford, f"address {NEW}")
    proven(ford, "address")
    assert f"That it be {NEW} waits for its codes." in told(ford)
    proven(ford, "address off")
    assert wishes(ford) == []

    proven(ford, f"address {NEW}\nalso {WORK}")
    assert len(wishes(ford)) == 2
    rekey(ford.office, OLD)
    assert wishes(ford) == []


def test_a_row_that_was_changed_behind_the_offices_back_fits_no_code(ford: Table) -> None:
    proven(ford, f"address {NEW}")
    both = f"confirm {code_in(ford.office, OLD)}\nconfirm {code_in(ford.office, NEW)}"
    with ford.office.write() as connection:
        connection.execute("UPDATE sign_in SET address = :spy WHERE address = :new", {"spy": SPY, "new": NEW})
    ford.write("smuggler", both)

    assert player_of(ford).address == OLD


def test_nobodys_mailbox_is_flooded_with_codes(ford: Table) -> None:
    for number in range(8):
        proven(ford, f"address x{number}@third.example")
    assert len([number for number in range(8) if mailbox(ford.office, f"x{number}@third.example")]) == 4
    assert "no more are sent today" in told(ford)

    ford.clock.forward(25)
    for role in ("smuggler", "guard"):
        for _ in range(4):
            proven(ford, "also third@third.example", role)
    assert len(mailbox(ford.office, "third@third.example")) == own_addresses.TO_ONE


def test_asking_for_addresses_of_others_counts_as_any(ford: Table) -> None:
    for taken in (PLAYERS["guard"], GM, PLAYERS["guard"], GM):
        proven(ford, f"address {taken}")
    assert proven(ford, f"address {NEW}") == "refused"
    assert "no more are sent today" in told(ford)


# ---------------------------------------------------------------------------------------------------- a second address


def test_a_second_address_counts_when_its_code_came_back(careful: Table) -> None:
    proven(careful, f"also {WORK}")
    assert "confirm" not in told(careful)
    assert careful.write(WORK, "move s1 to 3").state == "refused"
    careful.write(WORK, f"confirm {code_in(careful.office, WORK)}")

    assert f"What comes from {WORK} counts as yours from now on" in mailbox(careful.office, OLD)[-1]
    assert [one.address for one in others(careful.office)[player_of(careful).id] if one.confirmed_at] == [WORK]
    trusting(careful)
    assert careful.write(WORK, "move s1 to 3", head=vouched(careful, "work.example")).state == "applied"
    assert player_of(careful).address == OLD
    proven(careful, "also")
    assert f"You write from {OLD}, and from: {WORK}" in told(careful)
    proven(careful, f"also off {WORK.upper()}")
    assert others(careful.office) == {}
    assert f"What comes from {WORK.upper()} no longer counts" in told(careful)


def test_what_the_gm_entered_is_confirmed_by_the_word_too(careful: Table) -> None:
    add_address(careful.office, OLD, WORK)
    proven(careful, "also")
    assert f"{WORK}, not confirmed" in told(careful)
    proven(careful, f"also {WORK}")
    careful.write("smuggler", f"confirm {code_in(careful.office, WORK)}")

    assert [one.confirmed_at is not None for one in others(careful.office)[player_of(careful).id]] == [True]


def test_so_many_addresses_are_enough(ford: Table) -> None:
    for number in range(own_addresses.OTHERS):
        add_address(ford.office, OLD, f"x{number}@third.example")
    assert proven(ford, f"also {WORK}") == "refused"
    assert "5 addresses besides your own are enough" in told(ford)


def test_a_move_tells_the_other_addresses_and_leaves_them(ford: Table) -> None:
    add_address(ford.office, OLD, WORK)
    with ford.office.write() as connection:
        aliases.confirm(connection, player_of(ford).id, WORK, at=1)
    proven(ford, f"address {NEW}")
    ford.write(NEW, f"confirm {code_in(ford.office, OLD)}\nconfirm {code_in(ford.office, NEW)}")

    assert f"go to {NEW} now" in mailbox(ford.office, WORK)[-1]
    assert any(f"You may still write from {WORK} too" in text for text in mailbox(ford.office, NEW))


def test_who_takes_his_second_address_for_his_own_has_one_less(ford: Table) -> None:
    add_address(ford.office, OLD, WORK)
    proven(ford, f"address {WORK}")
    ford.write("smuggler", f"confirm {code_in(ford.office, OLD)}\nconfirm {code_in(ford.office, WORK)}")

    assert (player_of(ford).address, others(ford.office)) == (WORK, {})


# ---------------------------------------------------------------------------------------------------- what is left


def test_before_there_is_a_game_it_is_done_and_answers_no_invitation(table: Table) -> None:
    ford = find_scenario(table.office.folder, "toy/ford")
    new(table.office, "ford", ford, Terms(trust="address"), words="of answers and sheets")
    for role, address in PLAYERS.items():
        add_player(table.office, "ford", role, name=role.title(), address=address)
    table.write("smuggler", f"zone Europe/Paris\naddress {NEW}\n\nBest,\nAnn", head=answering(table, "smuggler"))

    assert (player_of(table).zone, [one.address for one in wishes(table)]) == ("Europe/Paris", [NEW])
    kinds = {type(one.event) for one in table.dossier.log}
    assert not kinds & {InvitationAnswered, OrdersRefused}
    assert NEW not in str(table.dossier.log)


def test_orders_beside_it_are_taken_and_the_log_has_no_address(ford: Table) -> None:
    proven(ford, f"move s1 to 3\naddress {NEW}\nalso {WORK}\nmvoe s2 to 4")

    assert [one.text for one in ford.dossier.campaign.sheets.values()] == ["move s1 to 3\nmvoe s2 to 4"]
    assert "@" not in str(ford.dossier.log)
    assert len(wishes(ford)) == 2


def test_nothing_of_any_address_is_left_when_its_player_is_erased(ford: Table) -> None:
    player = player_of(ford)
    proven(ford, f"address {NEW}\nalso {WORK}")
    ford.write(NEW, f"confirm {code_in(ford.office, OLD)}\nconfirm {code_in(ford.office, NEW)}")
    ford.receive(ford.letter(OLD, "move s1 to 3"))
    proven(ford, "address third@third.example\nalso fourth@third.example")
    changes.withdraw_player(ford.office, "ford", "smuggler", reason="She left.")
    changes.erase_player(ford.office, player.id)

    assert wishes(ford) == []
    with ford.office.read() as connection:
        mails = [
            blobs.fetch(connection, one.digest) for one in ford.mails if blobs.state(connection, one.digest) == "kept"
        ]
        for address in (OLD, NEW, WORK, "third.example"):
            assert not [one for one in mails if address.encode() in one], address
        assert {blobs.state(connection, one.digest) for one in waiting.listing(ford.office, everything=True)} == {
            "erased"
        }
        for name in ("sign_in", "player", "alias", "owed", "letter", "outbox", "answer", "setback"):
            rows = str(connection.execute(f"SELECT * FROM {name}").fetchall())
            assert not any(one in rows for one in (OLD, NEW, WORK, "third.example")), name


def test_the_gm_of_each_game_that_he_plays_is_told_of_his_move_once(ford: Table) -> None:
    new(ford.office, "weir", find_scenario(ford.office.folder, "toy/ford"), Terms(trust="address"))
    for role, address in {"smuggler": OLD, "guard": "eva@player.example"}.items():
        add_player(ford.office, "weir", role, name=f"{role} of the weir", address=address)
    start(ford.office, "weir")
    trusting(ford)
    ford.write("smuggler", f"game ford\naddress {NEW}", head=vouched(ford))
    ford.write(NEW, f"confirm {code_in(ford.office, OLD)}\nconfirm {code_in(ford.office, NEW)}")

    heard = [text for text in mailbox(ford.office, GM) if "a player has another address" in text]
    assert [text.split()[0] for text in heard] == ["[ford]", "[weir]"]
    assert meant_by(ford.office, NEW).id == player_of(ford).id
