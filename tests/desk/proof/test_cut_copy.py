"""A copy of the office as it stood at an earlier hour: it is sound, says what it is, and nothing leaves it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from pbem.desk.books import dossiers
from pbem.desk.gm import history
from pbem.desk.house import duty
from pbem.desk.house.doctor import examine
from pbem.desk.intake.receive import receive
from pbem.desk.library.scenarios import find_scenario
from pbem.desk.office.office import HOUR, fingerprint, key_of, open_office
from pbem.desk.players import changes, enrol
from pbem.desk.post import delivery
from pbem.desk.proof.cut_copy import CutCopy, cut_copy
from pbem.desk.proof.safekeeping import back_up
from pbem.desk.proof.transfer import export, take_in
from pbem.desk.proof.verify import verify, verify_office
from pbem.desk.proof.witness import of_office
from pbem.desk.turns import shelf
from pbem.desk.ways import doors
from pbem.kernel.errors import Refused, StorageError
from pbem.kernel.names import CampaignId, PlayerId, Role
from pbem.kernel.office import CampaignCut
from pbem.storage import letters, outbox, players, secrets
from pbem.storage.codec import Codec
from pbem.storage.log import SqlLog
from tests.kit.table import SETTINGS, Clock, Table, again
from tests.kit.table import table as make


@pytest.fixture
def played(table: Table) -> Table:
    """Two exchanges, ten hours apart, a sheet after each, and another campaign that was opened last."""
    table.open()
    table.clock.forward(10)
    table.write("smuggler", "move s1 to 3")
    table.turn()
    table.clock.forward(10)
    table.write("guard", "fire g1 at 3")
    table.turn()
    table.clock.forward(10)
    table.write("smuggler", "move s2 to 4")
    table.name = "later"
    table.open()
    table.name = "ford"
    return table


def copied(table: Table, folder: Path, hours: float) -> CutCopy:
    """A copy of the office as it stood so many *hours* after its clock began, made in *folder* / copy."""
    if not (folder / "backup.sqlite").exists():
        back_up(table.office, folder / "backup.sqlite")
    return cut_copy(
        folder / "backup.sqlite",
        folder / "copy",
        Clock().at + int(hours * HOUR),
        at_hand=table.office.settings,
        now=table.clock,
        chance=table.chance,
    )


def hashes(table: Table) -> list[str | None]:
    with table.office.read() as connection:
        log = SqlLog(connection, Codec())
        return [log.hash_at(CampaignId("ford"), seq) for seq in range(1, log.head(CampaignId("ford")).seq + 1)]


def test_a_copy_holds_what_was_by_then_to_the_same_hashes_and_is_sound(played: Table, tmp_path: Path) -> None:
    made = copied(played, tmp_path, 15)

    [end] = [end for end in made.ends.values() if end.seq]
    assert played.dossier.log[end.seq - 1].at <= made.upto < played.dossier.log[end.seq].at
    assert end.was == played.dossier.seq
    assert [name for name, one in made.ends.items() if not one.seq] == ["later"]
    with again(tmp_path / "copy", 1000) as copy:
        assert hashes(copy)[: end.seq] == hashes(played)[: end.seq]
        assert copy.kinds[end.seq :] == ["campaign_cut", "seeds_renewed"]
        assert verify(copy.office, "ford").sound
        assert verify_office(copy.office).sound
        with copy.office.read() as connection:
            assert dossiers.campaigns(connection) == ["ford"]
            assert all(one.received_at <= made.upto for one in letters.listing(connection))
            assert all(one.created_at <= made.upto for one in outbox.listing(connection))


@pytest.mark.parametrize("hours", [0, 1, 10.0003, 15, 21, 31])
def test_a_copy_is_sound_wherever_it_was_cut(played: Table, tmp_path: Path, hours: float) -> None:
    copied(played, tmp_path, hours)

    with open_office(tmp_path / "copy", now=played.clock) as office:
        with office.read() as connection:
            names = dossiers.campaigns(connection)
        assert [name for name in names if not verify(office, name).sound] == []
        assert verify_office(office).sound


def test_nothing_leaves_a_copy_and_no_door_is_opened_in_it(played: Table, tmp_path: Path) -> None:
    copied(played, tmp_path, 15)
    settings = tmp_path / "copy" / "pbem.toml"
    settings.write_text(settings.read_text() + '[smtp]\nhost = "127.0.0.1"\n[listen]\nlmtp = "127.0.0.1:0"\n')

    with again(tmp_path / "copy", 1000) as copy:
        assert {mail.state for mail in copy.mails} <= {"sent", "dropped"}
        assert doors.ways_of(copy.office) == ()
        with pytest.raises(Refused, match="this office never mails"):
            delivery.send_due(copy.office)
        with pytest.raises(Refused, match="this office is a copy, cut at"):
            duty.once(copy.office, lambda what: None)
        with pytest.raises(Refused, match="ford never mails"):
            changes.resend_briefing(copy.office, "ford", "guard")
        copy.clock.forward(40)
        before = copy.dossier.seq
        answered = receive(copy.office, played.letter("guard", "watch g2 2"), way="pipe")
        assert answered.state != "applied"
        assert copy.dossier.seq == before
        copy.turn()
        assert {mail.state for mail in copy.mails} <= {"sent", "dropped"}
        assert verify(copy.office, "ford").sound


def test_what_is_thrown_in_a_copy_falls_by_other_seeds_than_it_did(played: Table, tmp_path: Path) -> None:
    made = copied(played, tmp_path, 15)
    old = {one.open for one in seeds_of(played)}

    with again(tmp_path / "copy", 1000) as copy:
        assert all(one.made_at <= made.upto or one.made_at == played.clock() for one in seeds_of(copy))
        now = copy.dossier.exchange()
        [new] = [one for one in seeds_of(copy) if one.promises == now.promises]
        assert new.open not in old
        copy.clock.forward(40)
        copy.turn()
        opened = copy.dossier.exchange()
        [new] = [one for one in seeds_of(copy) if one.promises == opened.promises]
        assert new.open not in old


def seeds_of(table: Table) -> list[secrets.Seeds]:
    with table.office.read() as connection:
        return secrets.listing(connection, CampaignId("ford"))


def test_a_copy_says_everywhere_that_it_is_one(played: Table, tmp_path: Path) -> None:
    made = copied(played, tmp_path, 15)

    found = {one.what: one for one in examine(tmp_path / "copy")}
    assert found["copy"].state == "look"
    assert found["copy"].says.startswith("this is a copy, cut at ")
    assert found["key"].state == "ok"
    with again(tmp_path / "copy", 1000) as copy:
        cut = copy.dossier.campaign.cut
        assert cut == CampaignCut(upto=cut.upto if cut else 0, until=made.upto)
        assert any("a copy, cut behind event" in one.what for one in history.entries(copy.office, "ford"))
        known = history.entries(copy.office, "ford", role="guard")
        assert [one.event.upto for one in known if isinstance(one.event, CampaignCut)] == [0]
        assert "(copy)" in copy.office.settings.name
        copy.clock.forward(40)
        copy.turn()
        moment = copy.dossier.campaign.reports[Role("guard")][-1].moment
        pages = shelf.export(copy.office, "ford", tmp_path / "pages", (), moment)
        assert all("(a copy, cut)" in page.read_text("utf-8") for page in pages)


def test_a_copy_has_a_key_of_its_own_and_signs_with_it(played: Table, tmp_path: Path) -> None:
    copied(played, tmp_path, 15)
    key = key_of(tmp_path / "copy" / "office.key")

    assert fingerprint(key) != fingerprint(key_of(played.office.folder / "office.key"))
    with again(tmp_path / "copy", 1000) as copy, make(tmp_path / "another", luck="other") as there:
        there.clock.at = copy.clock.at = played.clock.at
        came = take_in(there.office, export(copy.office, "ford"), "ford.jsonl")
        assert not came.own
        assert there.dossier.campaign.copied, "and stays one wherever it is carried"


def test_reports_of_what_came_then_are_known_not_to_be_of_a_copy(played: Table, tmp_path: Path) -> None:
    shelf.export(played.office, "ford", tmp_path / "pages", (), None)
    copied(played, tmp_path, 15)

    with open_office(tmp_path / "copy") as office:
        [found], _ = of_office(office, [tmp_path / "pages"])
    assert {one.state for one in found.verdicts} == {"held", "cut"}
    assert "on purpose" in found.conclusions[0]


def test_a_copy_of_before_a_game_began_is_not_begun_anew(played: Table, tmp_path: Path) -> None:
    with make(tmp_path / "fresh", luck="fresh") as table:
        table.clock.at = played.clock.at
        enrol.new(table.office, "ford", find_scenario(table.office.folder, "toy/ford"))
        back_up(table.office, tmp_path / "fresh.sqlite")
    cut_copy(tmp_path / "fresh.sqlite", tmp_path / "copy", played.clock(), now=played.clock)

    with (
        open_office(tmp_path / "copy", now=played.clock) as office,
        pytest.raises(Refused, match="a copy that was cut before it began"),
    ):
        enrol.start(office, "ford")


def test_a_copy_is_made_in_a_new_folder_of_a_time_at_which_something_was(played: Table, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="no campaign of the backup was there yet"):
        copied(played, tmp_path, -1)
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith((".", "copy"))) == []
    (tmp_path / "copy").mkdir()
    (tmp_path / "copy" / "mine").touch()
    with pytest.raises(Refused, match="there is something in"):
        copied(played, tmp_path, 15)
    (tmp_path / "nothing.sqlite").write_bytes(b"nothing")
    with pytest.raises(StorageError):
        cut_copy(tmp_path / "nothing.sqlite", tmp_path / "other", played.clock())


@pytest.mark.sqlite
def test_who_came_later_is_not_in_a_copy(played: Table, tmp_path: Path) -> None:
    with played.office.write() as connection:
        players.add(connection, PlayerId("zoe"), name="Zoe", address="zoe@x.example", zone="UTC", at=played.clock())
    copied(played, tmp_path, 15)

    with closing(sqlite3.connect(tmp_path / "copy" / "office.sqlite")) as connection:
        names = {name for (name,) in connection.execute("SELECT name FROM player")}
    assert names == {"Smuggler", "Guard"}


def test_the_settings_of_an_archive_name_a_copy_and_nothing_of_its_mail_is_taken_over(
    played: Table, tmp_path: Path
) -> None:
    (played.office.folder / "pbem.toml").write_text(SETTINGS + 'zone = "Europe/Berlin"\n[smtp]\nhost = "mx.example"\n')
    back_up(played.office, tmp_path / "backup.tar", with_key=True)
    cut_copy(tmp_path / "backup.tar", tmp_path / "copy", played.clock(), now=played.clock)

    with open_office(tmp_path / "copy") as office:
        assert (office.settings.name, office.settings.zone) == ("The office (copy)", "Europe/Berlin")
        assert (office.settings.smtp.host, office.settings.address) == ("", "nobody@copy.invalid")
        assert fingerprint(key_of(tmp_path / "copy" / "office.key")) != fingerprint(
            key_of(played.office.folder / "office.key")
        )
