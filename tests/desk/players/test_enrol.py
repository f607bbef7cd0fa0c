from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec.structs import asdict
from msgspec.structs import replace as altered

from pbem.desk.library.scenarios import find_scenario
from pbem.desk.office.office import HOUR
from pbem.desk.players import enrol
from pbem.desk.post.addresses import is_ours
from pbem.kernel.errors import Refused, UnknownCampaign, UnknownRole
from pbem.kernel.names import Role
from pbem.kernel.office import CampaignStarted, ExchangeOpened, Option, PlayerEnrolled, ReportIssued
from pbem.kernel.terms import Terms, changed
from tests.kit.table import PLAYERS, START, Table

SMUGGLER, GUARD = Role("smuggler"), Role("guard")


def opened(table: Table, name: str = "ford", **terms: object) -> None:
    scenario = find_scenario(table.office.folder, "toy/ford")
    options: dict[str, Option] = terms.pop("options", {})  # type: ignore[assignment]  # of the game, no term
    title = str(terms.pop("title", "")) or None
    enrol.new(table.office, name, scenario, changed(Terms(), terms), options=options, title=title)


def test_a_campaign_keeps_the_scenario_and_pins_the_rules(table: Table) -> None:
    opened(table, options={"last_turn": 2})

    assert table.kinds == ["campaign_opened", "rules_pinned"]
    assert table.dossier.scene.places == 6
    assert table.dossier.blank.truth.options["last_turn"] == 2
    assert table.dossier.campaign.rules is not None
    assert table.dossier.campaign.rules.version == "1.0.0"


@pytest.mark.parametrize("name", ["Ford", "f", "2nd", "the ford", "spam", "ford.", "x" * 41])
def test_a_name_that_no_subject_can_carry_is_refused(table: Table, name: str) -> None:
    with pytest.raises(Refused, match="cannot name a campaign"):
        opened(table, name)


def test_a_name_is_given_once(table: Table) -> None:
    opened(table)
    with pytest.raises(Refused, match="already"):
        opened(table)


def test_an_option_that_the_game_does_not_have_opens_nothing(table: Table) -> None:
    with pytest.raises(Refused, match='no option "weather"'):
        opened(table, options={"weather": "rain"})
    with pytest.raises(UnknownCampaign):
        table.dossier  # noqa: B018 - it is the look that is refused


def test_the_log_holds_no_name_and_no_address(table: Table) -> None:
    table.open()

    written = " ".join(str(asdict(one.event)) for one in table.dossier.log)
    assert not any(address in written or address.split("@")[0] in written for address in PLAYERS.values())


def test_a_role_has_one_player(table: Table) -> None:
    opened(table)
    enrol.add_player(table.office, "ford", "Smuggler", name="Ann", address="ann@player.example")
    with pytest.raises(Refused, match="played by Ann already"):
        enrol.add_player(table.office, "ford", "smuggler", name="Ben", address="ben@player.example")
    with pytest.raises(UnknownRole, match="smuggler, guard"):
        enrol.add_player(table.office, "ford", "miller", name="Ben", address="ben@player.example")


def test_a_person_who_is_known_by_his_address_stays_one_person(table: Table) -> None:
    opened(table)
    first = enrol.add_player(table.office, "ford", "smuggler", name="Ann", address="ann@player.example")
    again = enrol.add_player(table.office, "ford", "guard", name="Ann", address=" ANN@player.example")

    assert again.id == first.id
    assert [one.event.player for one in table.dossier.log if isinstance(one.event, PlayerEnrolled)] == [first.id] * 2


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("office@office.example", "the office's own address"),
        ("Office+ann@Office.example", "the office's own address"),
        ("mailer-daemon@player.example", "an address that machines write from"),
        ("no-reply@player.example", "an address that machines write from"),
        ("bounces+17@player.example", "an address that machines write from"),
        ("no address", '"no address" is no address'),
        ("ann@localhost", "no dot behind"),
        ("änn@player.example", "not every mail server passes on"),
        ("ann@player.example\r\nBcc: ben@player.example", "is no address"),
    ],
)
def test_a_player_is_told_at_once_if_the_office_could_not_read_what_comes_from_his_address(
    table: Table, address: str, why: str
) -> None:
    opened(table)
    with pytest.raises(Refused, match=why):
        enrol.add_player(table.office, "ford", "smuggler", name="Ann", address=address)


def test_who_leads_the_office_can_play_in_it(table: Table) -> None:
    opened(table, trust="address")
    enrol.add_player(table.office, "ford", "guard", name="Ben", address="ben@player.example")
    enrol.add_player(table.office, "ford", "smuggler", name="GM", address="gm@office.example")
    enrol.start(table.office, "ford")

    assert table.write("gm@office.example", "move s1 to 3").state == "applied"
    assert "To: GM <gm@office.example>" in table.last_to("smuggler")


@pytest.mark.parametrize(
    "name",
    [
        "Ann\r\nBcc: b@x.example",
        "=?utf-8?q?Ann=0D=0ABcc:_b=40x.example?=",
        "=?utf-8?b?QW5uDQpCY2M6IGJAeC5leGFtcGxl?=",
        "Ann\u2028Bcc",
        "Ann \u202eevil",
        "\ud800",
        "x" * 101,
        " ",
    ],
)
def test_no_name_of_a_player_or_a_campaign_writes_a_line_into_a_header(table: Table, name: str) -> None:
    opened(table)
    with pytest.raises(Refused, match="a player"):
        enrol.add_player(table.office, "ford", "smuggler", name=name, address="ann@player.example")
    with pytest.raises(Refused, match="a campaign"):
        enrol.new(table.office, "weir", find_scenario(None, "toy/ford"), title=name or "x")


def test_a_name_that_was_copied_out_of_a_header_is_read(table: Table) -> None:
    opened(table)
    player = enrol.add_player(
        table.office, "ford", "smuggler", name=" =?utf-8?q?J=C3=BCrgen?=  Vogel", address="ann@player.example"
    )

    assert player.name == "Jürgen Vogel"


def test_it_starts_when_every_role_has_its_player(table: Table) -> None:
    opened(table)
    enrol.add_player(table.office, "ford", "smuggler", name="Ann", address="ann@player.example")
    with pytest.raises(Refused, match="nobody plays guard"):
        enrol.start(table.office, "ford")


def test_at_the_start_the_field_is_set_up_and_the_first_exchange_opened(table: Table) -> None:
    dossier = table.open(hours=48)

    started = next(one.event for one in dossier.log if isinstance(one.event, CampaignStarted))
    first = next(one.event for one in dossier.log if isinstance(one.event, ExchangeOpened))
    assert started.promises != first.promises
    assert first.due == (START + 48 * HOUR,)
    assert dossier.campaign.status == "running"
    with pytest.raises(Refused, match="started already"):
        enrol.start(table.office, "ford")


def test_a_deadline_falls_on_a_full_hour(table: Table) -> None:
    table.clock.forward(0.25)
    dossier = table.open(hours=48)

    assert dossier.exchange().deadline == START + 49 * HOUR


def test_every_role_is_briefed_with_the_field_as_it_knows_it(table: Table) -> None:
    table.open()

    assert {(mail.kind, mail.cause) for mail in table.mails} == {
        ("briefing", "report/S0/guard/1"),
        ("briefing", "report/S0/smuggler/1"),
    }
    letters = {mail.cause: table.text_of(mail) for mail in table.mails}
    assert ", laden" in letters["report/S0/smuggler/1"]
    assert "laden" not in letters["report/S0/guard/1"]


def test_a_role_may_know_up_to_the_end_of_the_muster(table: Table) -> None:
    dossier = table.open()

    last_fact = dossier.facts()[-1].seq
    issued = [one.event for one in dossier.log if isinstance(one.event, ReportIssued)]
    assert {one.role: one.upto for one in issued} == {SMUGGLER: last_fact, GUARD: last_fact}
    assert dossier.campaign.horizon(SMUGGLER) == last_fact


@pytest.mark.parametrize(
    ("way", "address", "ours"),
    [
        ("mailbox", "office@office.example", True),
        ("mailbox", "OFFICE@Office.Example", True),
        ("mailbox", "office+ford.abcd.1.aaaaaaaaaaaaaaaa@office.example", True),
        ("mailbox", "gm@office.example", False),
        ("mailbox", "ford+abcd.1.aaaaaaaaaaaaaaaa@office.example", False),
        ("domain", "ford+abcd.1.aaaaaaaaaaaaaaaa@office.example", True),
        ("domain", "gm@office.example", False),
        ("none", "office@office.example", True),
        ("none", "officer@office.example", False),
        ("none", "office@office.example.evil.example", False),
    ],
)
def test_to_which_addresses_the_office_is_written_to(table: Table, way: str, address: str, ours: bool) -> None:
    trust = altered(table.office.settings.trust, addresses=way)
    settings = altered(table.office.settings, trust=trust)

    assert is_ours(replace(table.office, settings=settings), address) is ours
