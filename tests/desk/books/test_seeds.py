"""Dice are the office's and the players': nobody can choose them, and everybody can check that."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.seeds import Pair, thrown_with, words_of
from pbem.desk.intake.keeping import take_in
from pbem.desk.intake.receive import deal_with
from pbem.desk.library.scenarios import find_scenario
from pbem.desk.players.enrol import add_player, end, new, start
from pbem.desk.players.renewal import renew
from pbem.desk.post.entries import Entry, commit
from pbem.desk.proof.audit import audit
from pbem.desk.proof.verify import verify
from pbem.desk.turns import adjudicate, publish
from pbem.desk.turns.exchange import annul
from pbem.kernel.dice import face, given, promise, word, worded
from pbem.kernel.event import Outcome, Throw
from pbem.kernel.names import Moment, Role
from pbem.kernel.office import CampaignEnded, ExchangeReleased, OrdersAccepted
from pbem.kernel.terms import Terms
from pbem.storage import secrets
from pbem.storage.database import Connection
from pbem.storage.secrets import Seeds
from tests.desk.turns.test_halts import DUE, FIRST, begin
from tests.kit.forger import Event, forge, only
from tests.kit.table import PLAYERS, Table
from tests.kit.watching import MINUTE, stay

A1, B1 = Moment(1, 1), Moment(1, 2)
GUARD, SMUGGLER = Role("guard"), Role("smuggler")
CARTS = "move s1 to 3\nmove s2 to 4"
FIRE = "fire g2 at 4\nfire g1 at 3"


def office_seeds(table: Table, moment: Moment) -> Seeds:
    """Those that were promised for *moment*."""
    with table.office.read() as connection:
        return secrets.get(connection, table.dossier.id, table.dossier.exchange(moment).promises)


def thrown(connection: Connection, dossier: Dossier) -> Pair:
    """The seeds with which the dice of the open exchange would be thrown."""
    exchange = dossier.exchange()
    seeds = secrets.get(connection, dossier.id, exchange.promises)
    return thrown_with(dossier.campaign, exchange.moment, Pair(seeds.open, seeds.closed))


def released(table: Table) -> ExchangeReleased:
    """What was made known last."""
    return [one.event for one in table.dossier.log if isinstance(one.event, ExchangeReleased)][-1]


def gave(table: Table, moment: Moment) -> dict[Role, str]:
    """What each role has given to the dice of *moment*."""
    return {role: word for (at, role), word in table.dossier.campaign.given.items() if at == moment}


def shots(table: Table) -> list[Throw]:
    """Every throw of the game, in order."""
    return [throw for one in table.dossier.valid if isinstance(one.event, Outcome) for throw in one.event.dice]


def fought(table: Table, *, carts: str = CARTS, fire: str = FIRE) -> Table:
    """A game in which the guard has fired."""
    table.write("smuggler", carts)
    table.turn()
    table.write("guard", fire)
    table.turn()
    return table


def test_a_gm_who_knows_all_seeds_does_not_know_the_dice_before_the_players_have_written(
    twins: tuple[Table, Table],
) -> None:
    one, other = twins
    one.open()
    other.open()
    assert one.dossier.exchange().promises == other.dossier.exchange().promises
    fought(one)
    fought(other, fire=f"{FIRE}\nwatch g1 3")

    assert office_seeds(one, B1) == office_seeds(other, B1)
    assert {throw.name for throw in shots(one)} == {throw.name for throw in shots(other)}
    assert [throw.faces for throw in shots(one)] != [throw.faces for throw in shots(other)]


def test_a_player_reckons_every_die_from_what_his_report_prints(ford: Table) -> None:
    fought(ford)
    told, promises = released(ford), ford.dossier.exchange(B1).promises
    seed = bytes.fromhex(told.open_seed)

    assert promise(seed) == promises.open
    assert told.words.keys() == {GUARD, SMUGGLER}
    made = worded(seed, B1, told.words)
    for throw in (one for one in shots(ford) if one.seed == "open"):
        assert throw.faces == tuple(face(made, throw.name, i, throw.sides) for i, _ in enumerate(throw.faces, start=1))


def test_a_word_is_made_of_the_letter_and_the_sheet_and_of_the_closed_seed(ford: Table) -> None:
    ford.write("guard", "watch g1 3")
    [sheet] = [one.event for one in ford.dossier.log if isinstance(one.event, OrdersAccepted)]
    ford.turn()

    closed = office_seeds(ford, A1).closed
    own = given("<1@player.example>", sheet.digest)
    assert released(ford).words == {
        GUARD: word(closed, A1, GUARD, own),
        SMUGGLER: word(closed, A1, SMUGGLER),  # the office's, for it gave none
    }


def test_a_player_cannot_try_sheet_after_sheet_until_the_dice_please_him(ford: Table) -> None:
    ford.write("guard", "watch g1 3")
    first = gave(ford, A1)
    ford.write("guard", "watch g1 4")
    ford.write("guard", "withdraw")
    ford.write("guard", "watch g2 4")

    assert gave(ford, A1) == first
    assert first.keys() == {GUARD}


def test_a_sheet_of_which_no_line_was_taken_gives_no_word_and_the_next_does(ford: Table) -> None:
    ford.write("guard", "sing a song")
    assert gave(ford, A1) == {}
    ford.write("guard", "watch g1 3")
    assert gave(ford, A1).keys() == {GUARD}


def test_what_the_gm_enters_for_a_player_is_no_word_of_his(ford: Table) -> None:
    ford.submit("guard", "watch g1 3")
    assert gave(ford, A1) == {}
    ford.submit("guard", "watch g1 4", source="upload")
    assert gave(ford, A1).keys() == {GUARD}


def test_a_sheet_that_was_kept_for_later_is_no_word_for_the_office_had_it_when_it_promised(ford: Table) -> None:
    ford.write("smuggler", CARTS)
    assert ford.write("guard", f"turn 1B\n{FIRE}").state == "applied"
    ford.turn()
    assert (ford.dossier.exchange().moment, gave(ford, B1)) == (B1, {})
    ford.write("guard", "fire g2 at 4")
    assert gave(ford, B1).keys() == {GUARD}


def test_the_same_sheet_sent_again_gives_the_word_that_it_could_not_give_before(ford: Table) -> None:
    ford.submit("guard", "watch g1 3")
    assert ford.write("guard", "watch g1 3").reason == "accepted"
    first = gave(ford, A1)
    assert first.keys() == {GUARD}
    assert ford.write("guard", "watch g1 3").reason == "unchanged"
    assert gave(ford, A1) == first


def test_seeds_promised_anew_ask_for_words_anew(ford: Table) -> None:
    ford.write("guard", "watch g1 3")
    entry = Entry(ford.dossier, ford.clock(), "gm")
    with ford.office.write() as connection:
        assert renew(ford.office, connection, entry, "restored") == A1
        commit(ford.office, connection, entry)
    assert gave(ford, A1) == {}
    ford.clock.forward(1)
    assert ford.write("guard", "watch g1 3").reason == "accepted"
    assert gave(ford, A1).keys() == {GUARD}
    ford.turn()
    assert verify(ford.office, "ford").sound


def test_a_letter_that_lay_in_the_office_when_it_promised_is_no_word(ford: Table) -> None:
    early = take_in(ford.office, ford.letter("guard", f"turn 1B\n{FIRE}"), way="pipe")
    ford.clock.forward(1)
    ford.write("smuggler", CARTS)
    ford.turn()
    assert deal_with(ford.office, early).reason == "accepted"
    assert gave(ford, B1) == {}


def test_a_turn_annulled_and_run_again_falls_as_it_fell(ford: Table) -> None:
    fought(ford)
    fell = shots(ford)
    annul(ford.office, "ford", B1, "A slip of the pen.")
    ford.turn()

    assert shots(ford) == fell
    assert verify(ford.office, "ford").sound


def test_a_turn_opened_again_asks_for_new_words(ford: Table) -> None:
    fought(ford)
    annul(ford.office, "ford", B1, "A slip of the pen.", reopen=True)
    assert gave(ford, B1) == {}
    assert "to give a word to the new dice, send it again" in ford.words_to("guard")
    assert ford.write("guard", FIRE).reason == "accepted"
    assert gave(ford, B1).keys() == {GUARD}
    ford.turn()
    assert verify(ford.office, "ford").sound


def test_a_run_before_the_hour_is_not_known_dice_for_him_who_writes_after_it(ford: Table) -> None:
    ford.write("smuggler", CARTS)
    adjudicate.run(ford.office, "ford", early=True)
    with ford.office.read() as connection:
        first = thrown(connection, ford.dossier)
    ford.write("guard", "watch g1 3")
    assert ford.dossier.exchange().state == "open"
    adjudicate.run(ford.office, "ford", early=True)
    with ford.office.read() as connection:
        assert thrown(connection, ford.dossier) != first
    assert verify(ford.office, "ford").sound


def test_an_answer_at_a_halt_changes_no_die_of_its_exchange(table: Table) -> None:
    begin(table)
    stay(table, DUE + MINUTE)
    then = gave(table, A1)
    stay(table, FIRST)
    assert table.write("guard", "turn 1 halt 1\nwatch g1 4").state == "applied"

    assert gave(table, A1) == then
    assert table.dossier.campaign.given.keys() == {(A1, GUARD), (A1, SMUGGLER)}


def test_who_audits_is_shown_whose_each_word_is_and_a_player_only_his_own(ford: Table) -> None:
    fought(ford)
    for_gm, for_guard = (audit(ford.office, "ford", role) for role in (None, "guard"))

    assert for_gm.wrong == for_guard.wrong == 0
    said = {(one.moment, one.role): (one.whose, one.fall) for one in for_gm.words}
    assert said == {
        (A1, GUARD): ("the office's", "fits"),
        (A1, SMUGGLER): ("the role's", "fits"),
        (B1, GUARD): ("the role's", "fits"),
        (B1, SMUGGLER): ("the office's", "fits"),
    }
    assert [(one.role, one.whose, one.fall) for one in for_guard.words if one.moment == A1] == [
        (GUARD, "the office's", "sealed"),
        (SMUGGLER, "", "sealed"),
    ]
    assert [one.fall for one in for_guard.throws if one.throw.seed == "open"] == ["fits", "fits"]


def test_all_words_can_be_checked_when_the_game_is_over(ford: Table) -> None:
    fought(ford)
    end(ford.office, "ford", "It rains.")
    told = audit(ford.office, "ford", "guard")

    assert {one.fall for one in told.words} == {"fits"}
    assert {one.whose for one in told.words} == {"the role's", "the office's"}
    ended = [one.event for one in ford.dossier.log if isinstance(one.event, CampaignEnded)][-1]
    closed = bytes.fromhex(ended.closed_seeds["1B"])
    assert released(ford).words == words_of(ford.dossier.campaign, B1, closed)


def falsified(events: list[Event]) -> None:
    only(events, "exchange_released", 1)["data"]["words"]["guard"] = "ab" * 32


def left_out(events: list[Event]) -> None:
    del only(events, "exchange_released", 1)["data"]["words"]


def put_in(events: list[Event]) -> None:
    only(events, "orders_accepted", 1)["data"]["word"] = "cd" * 32


@pytest.mark.sqlite
@pytest.mark.parametrize("change", [falsified, left_out, put_in], ids=["falsified", "left out", "put in"])
def test_a_word_changed_in_the_log_is_found(ford: Table, change: Callable[[list[Event]], None]) -> None:
    fought(ford)
    forge(ford, change)
    verified = verify(ford.office, "ford")

    assert "dice" in [row.name for row in verified.rows if row.found]


def made_up(events: list[Event]) -> None:
    only(events, "orders_accepted")["data"]["word"] = "cd" * 32


@pytest.mark.sqlite
def test_a_word_that_the_gm_made_up_is_found_before_it_is_thrown_with(ford: Table) -> None:
    ford.write("guard", "watch g1 3")
    ford.submit("smuggler", CARTS, source="upload")
    assert verify(ford.office, "ford").sound
    forge(ford, made_up)

    assert "dice" in [row.name for row in verify(ford.office, "ford").rows if row.found]


def test_a_campaign_of_old_is_played_on_with_the_dice_that_it_was_promised(table: Table) -> None:
    found = find_scenario(table.office.folder, "toy/ford")
    new(table.office, "ford", found, Terms(trust="address"), words="none")
    for role, address in PLAYERS.items():
        add_player(table.office, "ford", role, name=role.title(), address=address)
    start(table.office, "ford")
    fought(table)

    assert released(table).words == gave(table, B1) == {}
    seed = bytes.fromhex(released(table).open_seed)
    for throw in (one for one in shots(table) if one.seed == "open"):
        assert throw.faces == tuple(face(seed, throw.name, i, throw.sides) for i, _ in enumerate(throw.faces, start=1))
    told = "".join(table.text_of(mail) for mail in table.mails)
    assert "follow from two seeds" in told
    assert "word from each player" not in told
    assert "Yours in the dice" not in told
    assert verify(table.office, "ford").sound


def test_the_reports_of_a_role_that_was_silent_look_as_if_it_had_written(ford: Table) -> None:
    ford.write("guard", "watch g1 3")
    adjudicate.run(ford.office, "ford", early=True)
    publish.release(ford.office, "ford")

    assert {len(word) for word in released(ford).words.values()} == {64}
    assert len(set(released(ford).words.values())) == 2
