"""When a game is over everything is opened, to every player alike, and not a moment before."""

from __future__ import annotations

from email import message_from_bytes
from email.policy import default

import pytest

from pbem.desk.library.scenarios import find_scenario
from pbem.desk.pages import gms_page
from pbem.desk.players import enrol
from pbem.desk.proof.audit import audit
from pbem.desk.proof.verify import verify
from pbem.desk.turns import adjudicate, publish, shelf
from pbem.kernel.errors import Refused
from pbem.kernel.names import Moment
from pbem.kernel.terms import Terms
from pbem.reports.pages.environment import environment
from pbem.reports.pages.opened import LIMIT, Chapter, OpenedPage, Sent, Sheet, opened_html
from pbem.resources import resources
from pbem.rules.view import Note, Told
from pbem.storage.blobs import fetch
from tests.kit.table import Table

SMALL = ("st-privat/ste-marie", "crossroads/golden-bremm", "half-league/bulganak", "empire-1870/woerth")


def opened(table: Table) -> list[bytes]:
    """The page of the whole game in each mail that brings it."""
    found = []
    for mail in table.mails:
        letter = message_from_bytes(table.bytes_of(mail), policy=default)
        for part in letter.iter_attachments():
            if part.get_filename() == f"opened-{table.name}.html":
                payload = part.get_payload(decode=True)
                assert isinstance(payload, bytes)
                found.append(payload)
    return found


def finished(table: Table) -> str:
    """The ford, played to its end with a letter between the players; gives the page that both were sent."""
    table.open(options={"last_turn": 1})
    table.write("smuggler", "letter to guard:\nLet my carts pass, and <b>half</b> is yours.\n\nmove s1 to 3")
    table.turn()
    table.write("guard", "fire g1 at 1")
    assert opened(table) == []
    table.turn()
    pages = opened(table)
    assert len(pages) == 2
    assert pages[0] == pages[1]
    return pages[0].decode()


def test_both_players_read_what_the_other_ordered_and_wrote(table: Table) -> None:
    page = finished(table)

    assert "Orders of smuggler" in page
    assert "move s1 to 3" in page
    assert "Orders of guard" in page
    assert "fire g1 at 1" in page
    assert "smuggler to guard" in page
    assert "&lt;b&gt;half&lt;/b&gt; is yours" in page
    assert "for the umpire alone" not in page
    for role in ("smuggler", "guard"):
        assert "is in the file opened-ford.html, which comes with this letter" in table.words_to(role)


def test_what_was_sent_is_kept_checked_and_can_be_had_again(table: Table) -> None:
    page = finished(table)
    ended = table.dossier.campaign.ended

    assert ended is not None
    with table.office.read() as connection:
        assert fetch(connection, ended.opened) == page.encode()
    written = shelf.export(table.office, "ford", None, (), None)
    assert [path.name for path in written[-2:]] == ["opened-ford.html", "game-ford.html"]
    assert written[-2].read_bytes() == page.encode()
    assert verify(table.office, "ford").sound
    with table.office.write() as connection:
        connection.execute("DELETE FROM blob WHERE sha256 = ?", (ended.opened,))
    first = verify(table.office, "ford").first
    assert first is not None
    assert first.why == "the page of the whole game is missing"


def test_letters_to_the_umpire_stay_his(table: Table) -> None:
    table.open(options={"last_turn": 1})
    table.write("smuggler", "umpire: may I bribe the guard?")
    table.turn()
    table.turn()

    assert all(b"bribe" not in page for page in opened(table))


def test_a_game_that_the_umpire_breaks_off_is_opened_too(table: Table) -> None:
    table.open()
    table.write("smuggler", "move s1 to 3")
    table.turn()
    enrol.end(table.office, "ford", "Half the players left")

    pages = opened(table)
    assert len(pages) == 2
    assert "move s1 to 3" in pages[0].decode()
    assert "Half the players left." in pages[0].decode()
    assert "is in the file opened-ford.html" in table.words_to("guard")


def test_a_game_that_never_began_has_nothing_to_open(table: Table) -> None:
    scenario = find_scenario(table.office.folder, "toy/ford")
    enrol.new(table.office, "ford", scenario, Terms(trust="address"))
    enrol.add_player(table.office, "ford", "guard", name="Ben", address="ben@player.example")
    enrol.end(table.office, "ford", "Nobody came")

    assert opened(table) == []
    assert "comes with this letter" not in table.words_to("guard")


@pytest.mark.parametrize("scenario", SMALL)
def test_at_the_end_of_every_game_the_truth_is_shown_to_all(table: Table, scenario: str) -> None:
    table.name = "game"
    found = find_scenario(table.office.folder, scenario)
    enrol.new(table.office, "game", found, Terms(trust="address"))
    for number, role in enumerate(table.dossier.roles):
        enrol.add_player(table.office, "game", role, name=f"Player {number}", address=f"p{number}@player.example")
    enrol.start(table.office, "game")
    for _ in range(2):
        adjudicate.run(table.office, "game", early=True, defaults=True)
        publish.release(table.office, "game", early=True)
    enrol.end(table.office, "game", "It is late")

    pages = opened(table)
    whole = gms_page.page(table.office, "game")
    assert whole.truth is not None
    assert len(pages) == len(table.dossier.roles)
    assert len(set(pages)) == 1
    assert len(pages[0]) <= LIMIT
    page = pages[0].decode()
    assert 'id="truth"' in page
    assert all(str(at) in page for at, one in table.dossier.campaign.exchanges.items() if one.resolved)
    assert verify(table.office, "game").sound
    for role in table.dossier.roles:
        audited = audit(table.office, "game", role)
        assert {one.fall for one in audited.throws} <= {"fits"}, "with the closed seeds open every die can be checked"
        assert audited.wrong == 0


def test_rules_that_cannot_show_the_truth_do_not_hold_the_end_up(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise Refused("the rules toy cannot make the umpire's page.")

    monkeypatch.setattr("pbem.desk.pages.gms_page.truth_of", broken)
    page = finished(table)

    assert "The rules could not show the truth." in page
    assert "Orders of smuggler" in page


def test_a_long_game_is_cut_to_the_size_of_a_letter_and_says_so(table: Table) -> None:
    table.open()
    page = gms_page.page(table.office, "ford")
    told = Told(moment=page.moment, phase="Fire", text="They fire. " * 40, notes=(Note("A die. " * 40),))
    chapters = tuple(
        Chapter(
            moment=Moment(turn),
            name="",
            told=(told,) * 10,
            sheets=(Sheet(table.dossier.roles[0], page.moment, "move s1 to 3"),),
            letters=(Sent(table.dossier.roles[0], table.dossier.roles[1], 0, "Halt!"),),
        )
        for turn in range(1, 40)
    )
    whole = OpenedPage(
        campaign=page.campaign, title=page.title, rules=page.rules, moment=page.moment, zone="UTC", now=page.now,
        truth=None, views=page.views, how="A draw.", chapters=chapters,
    )  # fmt: skip
    env = environment(resources("templates"))
    full = len(opened_html(whole, env).encode())
    smallest = len(opened_html(whole, env, 0).encode())

    assert smallest < 40_000 < full
    for limit in (smallest, 60_000, 150_000, 300_000, full - 1):
        html = opened_html(whole, env, limit)
        assert len(html.encode()) <= limit
        assert "had no room here" in html
    assert "had no room here" not in opened_html(whole, env, full)
    assert "Halt!" in opened_html(whole, env, 60_000)
