"""A campaign whose rules are not installed any more: it alone stands still, and whoever runs it is told."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import pytest

from pbem.desk.house import work
from pbem.desk.library.scenarios import find_scenario
from pbem.desk.office.office import HOUR
from pbem.desk.players import aliases, changes, enrol, joining
from pbem.desk.post import writing
from pbem.desk.post.addresses import NOWHERE, gm_address
from pbem.desk.ways.arrivals import sweep
from pbem.kernel.errors import Refused
from pbem.kernel.names import CampaignId
from pbem.kernel.terms import Terms
from tests.kit.room import open_room
from tests.kit.table import PLAYERS, Table, again
from tests.kit.terminal import Terminal
from tests.kit.watching import look
from tests.stories.test_joining import joins
from tests.systems.play import SIXTH

ANN, BEN = PLAYERS.values()
GM = "gm@office.example"
WHY = 'there is no rules system "toy"'

Gone = Callable[[], None]


@pytest.fixture
def gone(monkeypatch: pytest.MonkeyPatch) -> Gone:
    """Takes the rules of the toy away."""

    def take_away() -> None:
        monkeypatch.setattr(sys, "path", [place for place in sys.path if place != str(SIXTH)])

    return take_away


@pytest.fixture
def two(table: Table, gone: Gone) -> Iterator[Table]:
    """Ann and Ben play `ford`, whose rules are gone, and `graves`, whose are not; it is at hand."""
    table.open()
    graves(table)
    gone()
    with again(table.office.folder, table.chance.drawn) as left:
        left.name, left.written = "graves", 100
        yield left


def graves(table: Table) -> None:
    """A second campaign, of rules that stay."""
    scenario = find_scenario(table.office.folder, "st-privat/graveyard")
    enrol.new(table.office, "graves", scenario, Terms(trust="address"))
    for role, address in (("french", ANN), ("prussian", BEN)):
        enrol.add_player(table.office, "graves", role, name=role.title(), address=address)
    enrol.start(table.office, "graves")


def test_the_others_are_listed_and_it_is_with_the_reason(two: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_OFFICE", str(two.office.folder))
    typed = Terminal()
    listed = typed.does("campaign", "list")

    assert "Graveyard St. Privat" in listed
    assert "cannot be opened" in listed
    assert f"ford: {WHY}" in listed
    plain = {one["campaign"]: one for one in typed.shows("campaign", "list")}
    assert plain["graves"]["status"] == "running"
    assert WHY in plain["ford"]["cannot_be_opened"]
    assert "games: 1 played now" in typed.does("player", "list")
    assert WHY in typed.refused("turn", "show", "ford")


def test_letters_for_the_others_are_answered_and_what_may_be_for_it_waits_until_it_can_be_opened(
    two: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert two.write(ANN, "status", subject="Re: [graves] S1").state == "applied"
    for_it = two.write(ANN, "move s1 to 3", subject="Re: [ford] 1A")
    for_any = two.write(ANN, "status", subject="orders")
    assert (for_it.state, for_any.state) == ("new", "new")
    assert WHY in for_it.reason

    monkeypatch.syspath_prepend(str(SIXTH))
    dealt_with = {one.letter: (one.state, one.campaign) for one in sweep(two.office)}
    assert dealt_with[for_it.letter] == ("applied", "ford")
    assert dealt_with[for_any.letter][0] != "new"


def test_the_others_go_on_and_whoever_runs_it_is_told_in_a_letter_that_leaves(two: Table) -> None:
    done = look(two)
    assert [one for one in done if WHY in one] == [done[0]]
    two.clock.forward(73)
    two.write("french", "turn S1\nready", subject="Re: [graves] S1")
    later = look(two)
    assert any(one.startswith("graves: ") for one in later)

    writing.write_owed(two.office)
    [told] = [two.text_of(mail) for mail in two.mails if "the clock is stuck" in mail.subject]
    assert f"To: {GM}" in told
    assert WHY in told


def test_whoever_runs_games_is_told_how_they_stand(two: Table) -> None:
    proof = gm_address(two.office, CampaignId(NOWHERE), two.office.gms[0])
    assert two.write(GM, "status", subject="from my phone", head=f"Delivered-To: {proof}").state == "applied"
    writing.write_owed(two.office)
    [answer] = [
        two.text_of(mail) for mail in two.mails if mail.player is None and "How things stand" in two.text_of(mail)
    ]
    assert f"ford: cannot be opened: {WHY}" in answer
    assert "graves: S1" in answer


def test_a_person_is_found_by_his_role_in_another(two: Table) -> None:
    assert aliases.meant_by(two.office, "french").address == ANN
    assert aliases.meant_by(two.office, BEN).address == BEN


def test_sign_ups_of_others_close(table: Table, gone: Gone) -> None:
    for name, scenario in (("ford", "toy/ford"), ("graves", "st-privat/graveyard"), ("later", "st-privat/graveyard")):
        enrol.new(table.office, name, find_scenario(table.office.folder, scenario), Terms(trust="address"))
        joining.open_sign_up(table.office, name, closes=table.clock.at + HOUR, by_itself=False)
    joins(table, ANN)
    for name in ("graves", "later"):
        assert table.write(ANN, f"join {name} as any", subject="another").state == "applied"
    gone()
    with again(table.office.folder, table.chance.drawn) as left:
        left.clock.at = table.clock.at + 2 * HOUR
        done = [did for did in work.close_sign_ups(left.office) if not did.failed]

    assert [did.campaign for did in done] == ["graves", "later"]
    assert all(did.what.startswith("its roles are drawn: 1 given") for did in done)


def test_who_plays_in_it_is_not_erased(two: Table) -> None:
    ann = changes.find_player(two.office, ANN)
    with pytest.raises(Refused, match=WHY):
        changes.erase_player(two.office, ann.id)


def test_the_pages_of_the_others_are_there_and_name_it(two: Table) -> None:
    with open_room(two.office.folder) as room:
        hers = room.visitor(ANN).get("/games")
        assert "ford cannot be opened now" in hers.text
        assert "Graveyard St. Privat" in hers.text
        desk = room.visitor(GM)
        listed = desk.get("/desk/campaigns").text
        assert "<b>ford</b> cannot be opened: there is no rules system" in listed
        first = desk.get("/desk").text
        assert "<h1>1 game cannot be opened</h1>" in first
        assert "<b>ford</b><br>There is no rules system" in first
        assert desk.get("/desk/games/ford").status_code == 409
        assert desk.get("/desk/post").status_code == 200


def test_a_gm_who_plays_in_it_reads_none_of_its_letters(two: Table) -> None:
    """Nobody knows by now whether he still does: so he may no more than a player."""
    changes.withdraw_player(two.office, "graves", "french", reason="she has no time for two")
    letter = two.write(BEN, "watch g1 4", subject="Re: [ford] 1A").letter
    settings = two.office.folder / "pbem.toml"
    mine = settings.read_text()
    read = {}
    for gm in (GM, ANN):
        settings.write_text(mine.replace(f'gm = "{GM}"', f'gm = "{gm}"'))
        with open_room(two.office.folder) as room:
            browser = room.visitor(gm)
            pages = ("/desk", "/desk/post", f"/desk/post/letters/{letter}")
            read[gm] = any("watch g1 4" in browser.get(page).text for page in pages)
    assert read == {GM: True, ANN: False}
