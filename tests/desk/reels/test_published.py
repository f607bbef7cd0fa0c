"""The file of a game: who may have which, and that nothing else is in it."""

from __future__ import annotations

import hashlib
import hmac

import pytest

from pbem.desk.players.enrol import end
from pbem.desk.reels.published import publish
from pbem.desk.turns import adjudicate
from pbem.desk.turns.exchange import annul
from pbem.kernel.dice import face, promise
from pbem.kernel.errors import Refused, UnknownRole
from pbem.kernel.names import Role
from pbem.reports.replay.page import unpacked
from pbem.reports.replay.record import Record, Thrown
from pbem.storage import secrets
from tests.kit.table import Table

GUARD, SMUGGLER = "guard", "smuggler"
CARTS, FIRE = "move s1 to 3\nmove s2 to 4", "fire g2 at 4\nfire g1 at 3"


def file(table: Table, *roles: str, everything: bool = False, alone: bool = False) -> str:
    return publish(table.office, "ford", roles, everything=everything, alone=alone).html.decode()


def data(html: str) -> str:
    """All that is in a file, with its data unpacked."""
    return html + repr(unpacked(html))


@pytest.fixture
def fought(ford: Table) -> Table:
    """A game in which there was fire, that still runs."""
    ford.write(SMUGGLER, CARTS)
    ford.turn()
    ford.write(GUARD, FIRE)
    ford.turn()
    return ford


def test_of_a_game_that_runs_only_one_role_is_shown_but_to_the_gm(fought: Table) -> None:
    for roles, everything in (((), False), ((), True), (("truth",), False), ((GUARD, SMUGGLER), False)):
        with pytest.raises(Refused, match="is not over"):
            file(fought, *roles, everything=everything)

    assert "For the umpire alone" not in file(fought, GUARD)
    assert "For the umpire alone" in file(fought, alone=True)
    assert "For the umpire alone" in file(fought, GUARD, SMUGGLER, alone=True)


def test_when_it_is_over_all_of_it_is(fought: Table) -> None:
    end(fought.office, "ford", "It is late.")
    whole = file(fought)

    assert [one.name for one in unpacked(whole).eyes] == ["truth", SMUGGLER, GUARD]
    assert "For the umpire alone" not in whole
    assert "It is late." in whole


def test_of_what_has_not_begun_or_is_not_there_there_is_none(fought: Table) -> None:
    with pytest.raises(UnknownRole):
        file(fought, "admiral")
    with pytest.raises(Refused):
        publish(fought.office, "moor", (GUARD,), everything=False, alone=False)


def test_a_role_s_file_has_its_own_sheets_and_no_others(fought: Table) -> None:
    guard, smuggler = data(file(fought, GUARD)), data(file(fought, SMUGGLER))

    assert "fire g2 at 4" in guard
    assert "move s2 to 4" not in guard
    assert "move s2 to 4" in smuggler
    assert "fire g2 at 4" not in smuggler


def test_what_a_role_has_ordered_and_was_not_told_of_yet_is_not_in_it(fought: Table) -> None:
    fought.write(SMUGGLER, "move s1 to 4")
    assert "move s1 to 4" not in data(file(fought, SMUGGLER))
    assert "move s1 to 4" in data(file(fought, alone=True))


def test_no_seed_is_in_it_that_the_log_does_not_reveal(fought: Table) -> None:
    adjudicate.run(fought.office, "ford", early=True)
    with fought.office.read() as connection:
        kept = secrets.listing(connection, fought.dossier.id)
    hidden = [seeds.closed.hex() for seeds in kept]
    hidden += [seeds.open.hex() for seeds in kept if seeds.promises == fought.dossier.exchange().promises]
    for html in (file(fought, GUARD), file(fought, SMUGGLER), file(fought, alone=True)):
        assert not any(seed in data(html) for seed in hidden)
        assert any(pair.open_seed for pair in unpacked(html).beside.pairs)


def falls(record: Record, throw: Thrown) -> bool | None:
    """Whether a throw is what its pair gives; None if its seed is not in the file."""
    pair = record.beside.pairs[throw.pair]
    seed = pair.open_seed if throw.seed == "open" else pair.closed_seed
    if not seed:
        return None
    key = bytes.fromhex(seed)
    if pair.worded:
        line = " ".join((f"{pair.moment}/words", *(f"{role}={pair.words[role]}" for role in sorted(pair.words))))
        key = hmac.digest(key, line.encode(), "sha256")
    faces = tuple(face(key, throw.name, number, throw.sides) for number in range(1, len(throw.faces) + 1))
    return faces == throw.faces


def test_every_die_follows_from_the_seeds_and_words_that_are_in_it(fought: Table) -> None:
    record = unpacked(file(fought, GUARD))
    assert record.throws
    assert all(record.beside.pairs[one.pair].worded for one in record.throws)
    assert {falls(record, one) for one in record.throws if one.seed == "open"} == {True}
    end(fought.office, "ford", "It is late.")
    record = unpacked(file(fought))

    assert {falls(record, one) for one in record.throws} == {True}
    assert all(promise(bytes.fromhex(one.closed_seed)) == one.closed for one in record.beside.pairs)


def test_the_dice_of_a_run_that_was_annulled_are_those_of_its_own_seeds(fought: Table) -> None:
    annul(fought.office, "ford", None, "A cart was misplaced.", reopen=True)
    fought.write(GUARD, "fire g2 at 4")
    fought.turn()
    end(fought.office, "ford", "It is late.")
    record = unpacked(file(fought))

    assert {falls(record, one) for one in record.throws} == {True}
    assert any(beat.annulled for beat in record.beats)
    moment = next(beat.moment for beat in record.beats if beat.annulled)
    assert len({one.pair for one in record.throws if record.beats[one.beat].moment == moment}) == 2


def test_a_report_can_be_held_against_it(fought: Table) -> None:
    issued = fought.dossier.campaign.reports[Role(GUARD)]
    record = unpacked(file(fought, GUARD))

    assert {(one.moment, one.page) for one in record.beside.reports} == {(str(one.moment), one.page) for one in issued}
    assert {one.role for one in record.beside.reports} == {GUARD}


# ------------------------------------------------------------------ what is shown by their word alone


def test_letters_are_in_it_when_both_have_said_so(fought: Table) -> None:
    fought.write(SMUGGLER, "letter to guard: I ask for a truce.")
    assert "truce" not in data(file(fought, alone=True))
    fought.write(SMUGGLER, "publish letters yes")
    assert "truce" not in data(file(fought, alone=True))
    assert unpacked(file(fought, alone=True)).beside.unlettered
    fought.write(GUARD, "publish letters yes")
    assert "truce" in data(file(fought, alone=True))
    assert "truce" in data(file(fought, GUARD))
    fought.write(GUARD, "publish letters no")
    assert "truce" not in data(file(fought, alone=True))


def test_a_name_is_in_it_when_its_owner_has_said_so(fought: Table) -> None:
    assert unpacked(file(fought, alone=True)).beside.people == {}
    fought.write(GUARD, "publish name yes")
    assert "your name may be shown" in fought.words_to(GUARD)
    assert unpacked(file(fought, alone=True)).beside.people == {GUARD: "Guard"}
    fought.write(GUARD, "publish name no")
    assert unpacked(file(fought, alone=True)).beside.people == {}


def test_what_is_no_word_of_leave_is_refused_and_alone_it_says_what_is_so(ford: Table) -> None:
    ford.write(GUARD, "publish everything yes")
    assert "is not understood" in ford.words_to(GUARD)
    ford.write(GUARD, "publish")
    assert "your name may not be shown; your letters may not be shown" in ford.words_to(GUARD)


def test_hostile_text_stays_text(fought: Table) -> None:
    evil = "</script><script>alert(1)</script><!--<svg onload=alert(2)>"
    fought.write(SMUGGLER, f"letter to guard: {evil}")
    for role in (SMUGGLER, GUARD):
        fought.write(role, "publish letters yes")
    fought.write(SMUGGLER, f"move s1 to 4\n# {evil}")
    html = file(fought, alone=True)

    assert evil in data(html)
    assert "alert(" not in html
    assert html.count("<script") == html.count("</script>") == 2


def test_the_same_game_gives_the_same_file(fought: Table) -> None:
    one, other = (hashlib.sha256(file(fought, GUARD).encode()).hexdigest() for _ in range(2))

    assert one == other
