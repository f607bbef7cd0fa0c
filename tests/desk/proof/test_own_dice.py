"""A player with no office checks the dice of the reports that he was sent."""

from __future__ import annotations

import re
import subprocess
from email import message_from_bytes
from email.policy import default
from html import unescape

import pytest

from pbem.desk.players.enrol import end
from pbem.desk.proof.own_dice import Own, audit_own
from pbem.kernel.errors import Refused
from tests.desk.books.test_seeds import A1, B1, GUARD, SMUGGLER, fought, released
from tests.kit.table import Table


def papers(table: Table, role: str) -> dict[str, bytes]:
    """All that *role* was sent, as he would save it: letters as they came."""
    who = table.dossier.campaign.players[role]  # type: ignore[index]
    mails = [mail for mail in table.mails if mail.player == who and mail.kind in ("receipt", "report", "notice")]
    return {f"{number}-{mail.kind}.eml": table.bytes_of(mail) for number, mail in enumerate(mails)}


def report(table: Table, role: str, place: int = -1) -> bytes:
    """The report file of the *place*-th report to *role*."""
    letters = [message_from_bytes(raw, policy=default) for raw in papers(table, role).values()]
    files = [
        part.get_content().encode()
        for letter in letters
        for part in letter.walk()
        if (part.get_filename() or "").startswith("report-") and part.get_content_type() == "text/html"
    ]
    return bytes(files[place])


def words(own: Own) -> dict[tuple[str, str], tuple[str, str]]:
    """What is said of each word."""
    return {(str(one.moment), one.role): (one.whose, one.fall) for one in own.audit.words}


@pytest.fixture
def game(ford: Table) -> Table:
    """A game in which the guard has fired."""
    return fought(ford)


def test_a_player_checks_his_reports_and_receipts_without_an_office(game: Table) -> None:
    own = audit_own(papers(game, "guard"))

    assert own.otherwise == ()
    assert own.audit.wrong == 0
    assert {(one.throw.seed, one.fall) for one in own.audit.throws} == {("open", "fits")}
    promised = {one.moment: (one.open, one.closed) for one in own.audit.promises}
    assert promised[A1] == promised[B1] == ("fits", "sealed")
    assert words(own) == {(moment, role): ("", "sealed") for moment in ("1A", "1B") for role in (GUARD, SMUGGLER)}
    assert {one.word for one in own.audit.words if one.moment == B1} == set(released(game).words.values())


def test_when_the_game_is_over_he_sees_that_his_word_was_made_of_his_sheet(game: Table) -> None:
    end(game.office, "ford", "It rains.")
    own = audit_own(papers(game, "guard"))

    assert own.audit.wrong == 0
    assert words(own)["1B", GUARD] == ("the role's", "fits")
    assert words(own)["1B", SMUGGLER] == ("the office's", "fits")
    assert words(own)["1A", SMUGGLER] == ("", "sealed")  # only its writer can tell


def test_the_commands_that_a_report_prints_give_what_it_says(game: Table) -> None:
    page = report(game, "guard").decode()
    made, die = (unescape(one) for one in re.findall(r"<pre tabindex[^>]*>(printf .*?)</pre>", page, re.DOTALL))
    digests = [subprocess.check_output(["sh", "-c", one], text=True).split()[-1] for one in (made, die)]

    assert f'It gives <span class="hash">{digests[0]}</span>' in page
    [face] = re.findall(r"which fell (\d)", page)
    assert int(digests[1][:16], 16) % 6 + 1 == int(face)


def test_a_report_whose_dice_were_changed_does_not_fit(game: Table) -> None:
    page = report(game, "guard")
    die = page.index(b'class="die">', page.index(b"data-throw")) + len(b'class="die">')
    for face in b"123456":
        own = audit_own({"a.html": page[:die] + bytes([face]) + page[die + 1 :]})
        assert (own.audit.wrong == 0) == (face == page[die])


def test_a_report_that_gives_another_word_than_the_receipt_did_is_named(game: Table) -> None:
    word = released(game).words[GUARD]
    receipts = {name: raw for name, raw in papers(game, "guard").items() if "receipt" in name}
    forged = report(game, "guard").replace(word.encode(), b"ab" * 32)
    own = audit_own({**receipts, "report.html": forged})

    [said] = own.otherwise
    assert said.startswith(
        f"the word guard of 1B is {'ab' * 8}… in report.html, and {word[:16]}… in {list(receipts)[-1]}."
    )


def test_a_seed_that_was_not_promised_before_is_named(game: Table) -> None:
    first, last = report(game, "guard", 0), report(game, "guard", -1)
    promised = game.dossier.exchange(B1).promises.open
    own = audit_own({"first.html": first, "last.html": last.replace(promised.encode(), b"cd" * 32)})

    assert [said.startswith("the promise open of 1B is cdcd") for said in own.otherwise] == [True]
    assert own.audit.wrong == 0  # what was printed first counts, and the seed fits it


def test_files_without_dice_are_refused_by_name_and_beside_others_do_no_harm(game: Table) -> None:
    with pytest.raises(Refused, match=r"nothing of dice is printed in notes\.html"):
        audit_own({"notes.html": b"<p>Nothing</p>"})
    assert audit_own({"notes.html": b"<p>Nothing</p>", "report.html": report(game, "guard")}).audit.wrong == 0


def test_a_file_that_is_nonsense_is_refused_and_no_traceback() -> None:
    with pytest.raises(Refused, match="cannot be read"):
        audit_own({"a.html": b'<b data-seed="nowhere open">ab</b>'})
    with pytest.raises(Refused, match="cannot be read"):
        audit_own({"a.html": b'<i data-seed="1A open">ab</i><tr data-throw="six open seed"><td>1A/fire/g1</td></tr>'})
