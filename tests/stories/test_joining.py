"""People join by letters: a code, a list, a lot that each of them throws again, and the game begins by itself."""

from __future__ import annotations

import re
from email import message_from_bytes
from email.policy import default
from pathlib import Path

import pytest

from pbem.desk.gm import waiting
from pbem.desk.house.work import close_sign_ups
from pbem.desk.library.scenarios import find_scenario
from pbem.desk.office.office import HOUR
from pbem.desk.players import enrol, handover, joining
from pbem.desk.players.changes import erase_player, withdraw_player
from pbem.desk.proof.audit import audit
from pbem.desk.proof.own_dice import audit_own
from pbem.desk.proof.transfer import export, take_in
from pbem.desk.proof.verify import verify
from pbem.desk.ways import quarantine
from pbem.kernel.errors import Refused
from pbem.kernel.lot import LOT
from pbem.kernel.names import Role
from pbem.kernel.terms import Terms
from pbem.storage import blobs, players
from pbem.storage.outbox import Mail
from pbem.storage.players import Player
from tests.kit.forger import Event, forge, only
from tests.kit.table import Table
from tests.kit.table import table as make

ANN, BEN, CID = "ann@player.example", "ben@player.example", "cid@player.example"
CODE = re.compile(r"confirm [a-z2-7]{4}(?:-[a-z2-7]{4}){3}")


def opened(table: Table, *, closes: int = 0, by_itself: bool = False) -> Table:
    """A campaign that anybody may join."""
    enrol.new(table.office, "ford", find_scenario(table.office.folder, "toy/ford"), Terms(trust="address"))
    joining.open_sign_up(table.office, "ford", closes=closes, by_itself=by_itself)
    return table


def mails_to(table: Table, address: str) -> list[Mail]:
    with table.office.read() as connection:
        there = [mail for mail in table.mails if blobs.state(connection, mail.digest) == "kept"]
    return [
        mail for mail in there if address in str(message_from_bytes(table.bytes_of(mail), policy=default)["To"]).lower()
    ]


def read(table: Table, address: str) -> str:
    """The newest mail to an address, in one line."""
    body = message_from_bytes(table.bytes_of(mails_to(table, address)[-1]), policy=default).get_body(("plain",))
    assert body is not None
    return " ".join(str(body.get_content()).split())


def asks(table: Table, address: str, text: str) -> str:
    """Somebody asks for a place; gives the line that confirms it, as he reads it."""
    assert table.write(address, text, subject="hello").state == "held"
    found = CODE.search(read(table, address))
    assert found, read(table, address)
    return found[0]


def joins(table: Table, address: str, wish: str = "any", *more: str) -> Player:
    """Somebody joins, and confirms it."""
    line = asks(table, address, "\n".join((f"join ford as {wish}", *more)))
    assert table.write(address, line, subject="Re: would you play here?").state == "applied"
    return known(table, address)


def known(table: Table, address: str) -> Player:
    with table.office.read() as connection:
        found = players.by_address(connection, address)
    assert found is not None, address
    return found


def nobody(table: Table, address: str) -> bool:
    with table.office.read() as connection:
        return players.by_address(connection, address) is None


def test_two_join_by_letters_and_the_game_begins_by_itself(table: Table) -> None:
    opened(table, by_itself=True)
    line = asks(table, ANN, "Join ford as smuggler, or guard.\nname Ann Smith\nzone Europe/Paris")
    assert nobody(table, ANN)
    assert table.dossier.campaign.candidates == {}

    assert table.write(ANN, line, subject="Re: would you play here?").state == "applied"
    ann = known(table, ANN)
    assert (ann.name, ann.zone) == ("Ann Smith", "Europe/Paris")
    said = read(table, ANN)
    assert "You are on the list" in said
    assert "1 candidate for 2 roles." in said
    assert "You would play smuggler or guard" in said
    assert "Ann Smith is on the list" in read(table, "gm@office.example")
    assert not list(close_sign_ups(table.office))
    joins(table, BEN, "guard")
    done = [did.what for did in close_sign_ups(table.office)]

    assert done == ["its roles are drawn: 2 given, 0 wait", "it has begun"]
    assert table.dossier.campaign.players == {Role("smuggler"): ann.id, Role("guard"): known(table, BEN).id}
    assert "[ford] you play smuggler" in [mail.subject for mail in mails_to(table, ANN)]
    assert [mail.kind for mail in mails_to(table, ANN)][-1] == "briefing"
    assert not list(close_sign_ups(table.office))
    table.turn()
    assert verify(table.office, "ford").sound


def test_nothing_personal_of_a_candidate_is_in_the_log(table: Table) -> None:
    opened(table)
    joins(table, ANN, "any", "name Ann Smith")
    joining.draw(table.office, "ford")

    said = repr([one.event for one in table.dossier.log])
    assert not any(word in said for word in ("Ann", "ann@", "player.example"))


def test_who_waits_is_named_to_the_umpire_when_a_player_leaves_in_play(table: Table) -> None:
    opened(table, closes=table.clock.at + 24 * HOUR, by_itself=True)
    for address in (ANN, BEN, CID):
        joins(table, address)
    table.clock.forward(25)
    assert [did.what for did in close_sign_ups(table.office)][-1] == "it has begun"
    waits = next(one for one in (ANN, BEN, CID) if known(table, one).id in table.dossier.campaign.candidates)
    leaves = ANN if waits != ANN else BEN

    table.write(leaves, "resign ford")
    line = CODE.search(read(table, leaves))
    assert line
    table.write(leaves, line[0])

    told = read(table, "gm@office.example")
    assert "has resigned; nobody plays" in told
    assert "Who waits for it, in their order:" in told
    assert waits in told


def test_a_list_of_candidates_comes_over_with_its_campaign(table: Table, tmp_path: Path) -> None:
    opened(table)
    joins(table, ANN, "guard", "name Ann Smith")

    with make(tmp_path / "another", luck="other") as there:
        there.clock.forward(10)
        take_in(there.office, export(table.office, "ford", seeds=True, people=True), "ford.jsonl")
        with there.office.read() as connection:
            [(candidate, who)] = joining.people(connection, there.dossier)

        assert (candidate.wishes, who.name, who.address) == (("guard",), "Ann Smith", ANN)
        joins(there, BEN)
        assert joining.draw(there.office, "ford").waiting == ()


def test_who_came_from_elsewhere_without_a_name_is_not_named_as_one_who_waits(table: Table, tmp_path: Path) -> None:
    opened(table)
    joins(table, ANN)

    with make(tmp_path / "another", luck="other") as there:
        there.clock.forward(10)
        take_in(there.office, export(table.office, "ford", seeds=True), "ford.jsonl")
        assert there.dossier.campaign.candidates
        with there.office.read() as connection:
            said = handover.another(connection, there.dossier, Role("guard"))

    assert said == "Another: pbem player add ford guard --name NAME --address ADDRESS"


def test_who_asked_in_time_has_his_lot_though_his_letter_is_fetched_after_the_hour(table: Table) -> None:
    opened(table, closes=table.clock.at + 24 * HOUR)
    joins(table, ANN)
    line = asks(table, BEN, "join ford as any")
    table.clock.forward(25)

    def fetch() -> None:
        table.write(BEN, line)

    list(close_sign_ups(table.office, before_late=fetch))

    assert len(table.dossier.campaign.players) == 2


def test_of_more_than_there_are_roles_the_lot_says_who_waits_and_each_can_throw_it_again(table: Table) -> None:
    opened(table, closes=table.clock.at + 24 * HOUR)
    three = [joins(table, address, wish) for address, wish in ((ANN, "guard"), (BEN, "guard"), (CID, "any"))]
    assert "the lot says who waits. You were number 3 to come." in read(table, CID)
    assert not list(close_sign_ups(table.office))
    table.clock.forward(25)
    assert [did.what for did in close_sign_ups(table.office)] == ["its roles are drawn: 2 given, 1 wait"]

    drawn = table.dossier.campaign.drawn
    assert drawn is not None
    [waits] = drawn.waiting
    who = next(one for one in three if one.id not in table.dossier.campaign.players.values())
    told = read(table, str(who.address))
    assert "you are number 1 of 1 who wait" in told
    assert f"number {waits}" in told
    assert not any(address in told for address in (ANN, BEN, CID) if address != who.address)
    for one in three:
        papers = {
            f"{number}.eml": table.bytes_of(mail)
            for number, mail in enumerate(mails_to(table, str(one.address)))
            if "list" in mail.subject or "play" in mail.subject
        }
        own = audit_own(papers)
        assert own.audit.wrong == 0
        assert own.otherwise == ()
        assert {(fall.throw.name, fall.fall) for fall in own.audit.throws} == {
            (f"S0.1/lot/{number}", "fits") for number in (1, 2, 3)
        }
        assert [(said.role, said.fall) for said in own.audit.words if said.whose == "the role's"] == [
            (str(three.index(one) + 1), "fits")
        ]
    assert {(fall.moment, fall.fall) for fall in audit(table.office, "ford").throws} == {(LOT, "fits")}
    assert audit(table.office, "ford").wrong == 0
    assert verify(table.office, "ford").sound


def test_he_may_wish_for_something_else_or_leave_the_list(table: Table) -> None:
    opened(table)
    ann = joins(table, ANN, "guard")
    given = dict(table.dossier.campaign.given)

    assert table.write(ANN, "join ford as smuggler", subject="again").reason == "on the list"
    assert table.dossier.campaign.candidates[ann.id].wishes == ("smuggler",)
    assert table.dossier.campaign.given == given
    assert table.write(ANN, "join ford as smuggler", subject="and again").reason == "on the list"
    assert table.kinds.count("candidate_signed") == 2

    assert table.write(ANN, "join ford off", subject="no").reason == "off the list"
    assert table.dossier.campaign.candidates == {}
    assert "You are off the list" in read(table, ANN)


def test_who_comes_after_the_lot_gets_what_is_free_or_waits(table: Table) -> None:
    opened(table)
    joins(table, ANN, "guard")
    joining.draw(table.office, "ford")

    ben = joins(table, BEN, "guard")
    assert "you are number 1 of 1 who wait" in read(table, BEN)
    cid = joins(table, CID, "guard or smuggler")
    assert table.dossier.campaign.players[Role("smuggler")] == cid.id
    assert "You play smuggler." in read(table, CID)
    assert list(table.dossier.campaign.candidates) == [ben.id]
    assert enrol.start(table.office, "ford").campaign.started


def test_of_a_game_that_is_not_there_or_not_open_nobody_learns_anything(twins: tuple[Table, Table]) -> None:
    shown = []
    for table, name in zip(twins, ("ford", "fort"), strict=True):
        table.name = "ford"
        table.open()
        table.write(ANN.replace("ann", "spy"), f"join {name} as any", subject="hello")
        shown.append([table.text_of(mail).replace(name, "x") for mail in mails_to(table, "spy@player.example")])

    assert shown[0] == shown[1] == []


def test_nobody_can_have_a_third_written_to_again_and_again(table: Table) -> None:
    opened(table)
    for number in range(12):
        table.write(ANN, f"join ford as any\n{number}", subject="hello")

    assert len(mails_to(table, ANN)) == 3
    table.clock.forward(25)
    table.write(ANN, "join ford as any\nonce more", subject="hello")
    assert len(mails_to(table, ANN)) == 4


@pytest.mark.parametrize("wish", ["king", "guard or king"])
def test_a_role_that_there_is_not_is_no_place_on_the_list_and_nobody_is_written_down(table: Table, wish: str) -> None:
    opened(table)
    line = asks(table, ANN, f"join ford as {wish}")

    assert table.write(ANN, line, subject="yes").state in ("ignored", "refused")
    assert nobody(table, ANN)
    assert "There is no role king in ford: there are smuggler and guard." in read(table, ANN)


def test_a_code_is_good_once_and_for_its_own_letter(table: Table) -> None:
    opened(table)
    line = asks(table, ANN, "join ford as any")
    assert table.write(ANN, line, subject="yes").state == "applied"

    table.write(BEN, line, subject="me too")

    assert nobody(table, BEN)
    assert len(table.dossier.campaign.candidates) == 1


def test_the_gm_can_take_a_letter_for_confirmed(table: Table) -> None:
    opened(table)
    asks(table, ANN, "join ford as any")
    [row] = waiting.listing(table.office)

    quarantine.accept(table.office, row.id)

    assert list(table.dossier.campaign.candidates) == [known(table, ANN).id]


def test_who_plays_here_joins_another_game_with_a_letter_that_is_believed_and_else_confirms_it(table: Table) -> None:
    table.open()
    table.name = "fort"
    enrol.new(table.office, "fort", find_scenario(table.office.folder, "toy/ford"), Terms(trust="table"))
    joining.open_sign_up(table.office, "fort")

    assert table.write("smuggler", "join fort as guard", subject="a game").state == "held"
    found = CODE.search(read(table, ANN))
    assert found is not None
    assert table.write("smuggler", found[0], subject="yes").state == "applied"

    assert [one.wishes for one in table.dossier.campaign.candidates.values()] == [("guard",)]


def test_who_runs_the_game_has_no_place_in_it(table: Table) -> None:
    opened(table)
    line = asks(table, "gm@office.example", "join ford as any")

    table.write("gm@office.example", line, subject="yes")

    assert "You run ford: who sees the truth has no side in it." in read(table, "gm@office.example")
    assert table.dossier.campaign.candidates == {}


def test_a_candidate_who_is_erased_is_in_no_lot(table: Table) -> None:
    opened(table)
    ann, ben = joins(table, ANN), joins(table, BEN)
    erase_player(table.office, ann.id)

    drawn = joining.draw(table.office, "ford")

    assert list(table.dossier.campaign.players.values()) == [ben.id]
    assert len(drawn.dice) == 1
    assert verify(table.office, "ford").sound


def swapped(events: list[Event]) -> None:
    roles = only(events, "roles_drawn")["data"]["roles"]
    roles["smuggler"], roles["guard"] = roles["guard"], roles["smuggler"]


def loaded(events: list[Event]) -> None:
    only(events, "roles_drawn")["data"]["dice"][0]["faces"] = [999_999]


@pytest.mark.sqlite
@pytest.mark.parametrize("forgery", [swapped, loaded])
def test_a_lot_that_was_changed_in_the_log_is_found(table: Table, forgery: object) -> None:
    opened(table)
    joins(table, ANN, "guard")
    joins(table, BEN, "smuggler")
    joining.draw(table.office, "ford")
    enrol.start(table.office, "ford")
    forge(table, forgery)  # type: ignore[arg-type]

    assert "dice" in [row.name for row in verify(table.office, "ford").rows if row.found]


def test_a_sign_up_is_opened_once_and_only_before_the_game(table: Table) -> None:
    opened(table)
    with pytest.raises(Refused, match="is open already"):
        joining.open_sign_up(table.office, "ford")
    with pytest.raises(Refused, match="nobody is on the list"):
        joining.draw(table.office, "ford")
    joins(table, ANN)
    joining.draw(table.office, "ford")
    with pytest.raises(Refused, match="its lot was drawn"):
        joining.draw(table.office, "ford")


def test_an_office_that_died_between_the_lot_and_the_beginning_begins_the_game_when_it_is_back(table: Table) -> None:
    opened(table, by_itself=True)
    joins(table, ANN)
    joins(table, BEN)
    joining.draw(table.office, "ford")

    assert [did.what for did in close_sign_ups(table.office)] == ["it has begun"]
    assert table.kinds.count("roles_drawn") == table.kinds.count("campaign_started") == 1


def test_who_asked_twice_and_confirms_both_is_on_the_list_once(table: Table) -> None:
    opened(table)
    first = asks(table, ANN, "join ford as guard")
    second = asks(table, ANN, "join ford as smuggler")

    table.write(ANN, first, subject="yes")
    table.write(ANN, second, subject="yes")

    assert [one.wishes for one in table.dossier.campaign.candidates.values()] == [("smuggler",)]


def test_a_place_that_becomes_free_before_the_game_begins_is_given_to_who_waits(table: Table) -> None:
    opened(table)
    for address in (ANN, BEN, CID):
        joins(table, address)
    joining.draw(table.office, "ford")
    [waits] = table.dossier.campaign.candidates

    withdraw_player(table.office, "ford", "guard", reason="He cannot.")

    assert [did.what for did in close_sign_ups(table.office)] == ["who waited plays guard"]
    assert table.dossier.campaign.players[Role("guard")] == waits
    assert not list(close_sign_ups(table.office))
