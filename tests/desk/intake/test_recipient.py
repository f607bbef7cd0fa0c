from __future__ import annotations

import pytest

from pbem.desk.books import dossiers
from pbem.desk.intake.recipient import where
from pbem.desk.intake.refusals import Astray
from pbem.desk.library.scenarios import find_scenario
from pbem.desk.office.office import office_key
from pbem.desk.players.changes import replace_player
from pbem.desk.players.enrol import add_player, end, new, start
from pbem.kernel.terms import Terms
from pbem.mail.reading.letter import read_letter
from pbem.mail.wire.reply_address import Meaning, Proof, Purpose, Token, make_address
from pbem.storage import players
from tests.kit.table import Table

NOTHING = Proof(Token.NONE)


def open_second(table: Table, name: str = "bridge", roles: str = "guard") -> None:
    """Ann plays *roles* in a second campaign."""
    new(table.office, name, find_scenario(None, "toy/ford"), Terms(trust="address"))
    for role in ("smuggler", "guard"):
        mine = role in roles.split()
        player, address = ("Ann", "ann@player.example") if mine else ("Carl", "carl@player.example")
        add_player(table.office, name, role, name=player, address=address)
    start(table.office, name)


def place(
    table: Table, text: str, *, subject: str = "orders", head: str = "", proof: Proof = NOTHING
) -> tuple[str, str]:
    """The campaign and the role of a letter of Ann's."""
    letter = read_letter(table.letter("smuggler", text, subject=subject, head=head))
    with table.office.read() as connection:
        ann = players.by_address(connection, "ann@player.example")
        assert ann is not None
        dossier, role = where(table.office, connection, ann, letter, proof)
    return dossier.id, role


def address(table: Table, campaign: str) -> tuple[str, Proof]:
    """Ann's secret address in *campaign*, and what it proves."""
    meaning = Meaning(Purpose.REPLY, campaign, "ann", 1)
    made = make_address(meaning, office_key(table.office), table.office.settings.host)
    return made, Proof(Token.GOOD, meaning)


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("watch g1 4", "AW: [EXTERNAL] Re: [Bridge] report"),
        ("watch g1 4", "orders #bridge"),
        ("watch g1 4", "#Bridge: my orders"),
        ("watch g1 4", "(#bridge/guard)"),
        ("game bridge\nwatch g1 4", "orders"),
        ("Game: Bridge\nwatch g1 4", "orders"),
        ("#bridge\nwatch g1 4", "orders"),
        ("begin\n#bridge/guard\nwatch g1 4\nend", "orders"),
        ("watch g1 4   # on the bridge, #bridge", "Re: [bridge] 1A"),
    ],
)
def test_a_letter_says_its_campaign(ford: Table, text: str, subject: str) -> None:
    open_second(ford)

    assert place(ford, text, subject=subject) == ("bridge", "guard")


@pytest.mark.parametrize("subject", ["Re: [my list] orders", "#3 again", "[bridge] #bridge", "x#ford"])
def test_what_only_looks_like_the_name_of_his_campaign_is_none(ford: Table, subject: str) -> None:
    new(ford.office, "bridge", find_scenario(None, "toy/ford"), Terms(trust="address"))

    assert place(ford, "Game on then, I say\nmove s1 to 3\n# bridge\n#bridge", subject=subject) == ("ford", "smuggler")


def test_the_campaign_is_that_of_the_secret_address(ford: Table) -> None:
    open_second(ford)

    assert place(ford, "watch g1 4", proof=address(ford, "bridge")[1]) == ("bridge", "guard")


def test_the_campaign_is_that_of_the_letter_answered(ford: Table) -> None:
    open_second(ford)
    [of_ford] = [one.message_id for one in ford.mails if one.cause == "report/S0/smuggler/1" and one.campaign == "ford"]
    [of_bridge] = [
        one.message_id for one in ford.mails if one.cause == "report/S0/guard/1" and one.campaign == "bridge"
    ]

    assert place(ford, "move s1 to 3", head=f"In-Reply-To: {of_ford}") == ("ford", "smuggler")
    assert place(ford, "watch g1 4", head=f"References: <x@y.example> {of_ford} {of_bridge}") == ("bridge", "guard")


def test_a_letter_of_another_player_shows_nothing(ford: Table) -> None:
    open_second(ford)
    [of_guard] = [one.message_id for one in ford.mails if one.cause == "report/S0/guard/1" and one.campaign == "ford"]

    with pytest.raises(Astray, match="does not say which campaign"):
        place(ford, "move s1 to 3", head=f"In-Reply-To: {of_guard}")


@pytest.mark.parametrize(
    ("text", "subject", "shown"),
    [
        ("game bridge\nwatch g1 4", "Re: [ford] report", "the line `game bridge` says bridge"),
        ("watch g1 4", "[ford] #bridge", "#bridge in its subject says bridge"),
        ("move s1 to 3\n\n#bridge\nwatch g1 4", "[ford]", "the line `#bridge` says bridge"),
        ("begin\ngame ford\nmove s1 to 3\nend\nbegin\ngame bridge\nwatch g1 4\nend", "x", "`game bridge` says bridge"),
        ("game brigde\nmove s1 to 3", "[ford]", "the line `game brigde` says brigde"),
    ],
)
def test_a_letter_that_names_two_campaigns_is_refused_and_each_sign_is_named(
    ford: Table, text: str, subject: str, shown: str
) -> None:
    open_second(ford)

    with pytest.raises(Astray) as refused:
        place(ford, text, subject=subject)
    assert "it names several campaigns" in refused.value.reason
    assert shown in refused.value.reason
    assert "says ford" in refused.value.reason
    signs = refused.value.reason.removeprefix("it names several campaigns: ").split("; ")
    assert len(signs) == len(set(signs))
    assert "one letter for each campaign" in refused.value.instead


def test_a_letter_to_the_addresses_of_two_campaigns_is_refused(ford: Table) -> None:
    open_second(ford)
    one, proof = address(ford, "ford")
    other, _ = address(ford, "bridge")

    with pytest.raises(Astray, match=r"several campaigns.*says ford.*says bridge"):
        place(ford, "move s1 to 3", head=f"Cc: {one}, {other}", proof=proof)


def test_a_campaign_that_he_has_left_is_not_mistaken_for_his_other_one(ford: Table) -> None:
    open_second(ford)
    replace_player(ford.office, "bridge", "guard", name="Dan", address="dan@player.example", reason="moved")

    assert place(ford, "move s1 to 3") == ("ford", "smuggler")
    with pytest.raises(Astray, match="you play in no campaign bridge"):
        place(ford, "watch g1 4", subject="Re: [bridge] report")


def test_of_two_campaigns_the_one_that_goes_on_is_meant(ford: Table) -> None:
    open_second(ford)
    with pytest.raises(Astray) as refused:
        place(ford, "move s1 to 3")
    assert "You play in: bridge, ford." in refused.value.instead
    end(ford.office, "bridge", "Nobody has time")

    assert place(ford, "move s1 to 3") == ("ford", "smuggler")
    assert place(ford, "history", subject="[bridge] history") == ("bridge", "guard")


def test_one_of_several_roles_is_named_or_that_of_the_letter_answered(ford: Table) -> None:
    open_second(ford, roles="smuggler guard")
    [report] = [one.message_id for one in ford.mails if one.cause == "report/S0/guard/1" and one.campaign == "bridge"]

    with pytest.raises(Astray, match="which role it is from"):
        place(ford, "watch g1 4", subject="[bridge]")
    assert place(ford, "role guard\nwatch g1 4", subject="[bridge]") == ("bridge", "guard")
    assert place(ford, "watch g1 4", subject="#bridge/guard") == ("bridge", "guard")
    assert place(ford, "watch g1 4", head=f"In-Reply-To: {report}") == ("bridge", "guard")
    assert place(ford, "role smuggler\nmove s1 to 3", head=f"In-Reply-To: {report}") == ("bridge", "smuggler")
    with pytest.raises(Astray, match="several roles: smuggler and guard"):
        place(ford, "role smuggler\nmove s1 to 3", subject="#bridge/guard")


def test_a_role_that_is_not_his_is_refused(ford: Table) -> None:
    with pytest.raises(Astray, match="the role guard is not yours"):
        place(ford, "watch g1 4", subject="#ford/guard")


def test_a_letter_that_names_its_campaign_costs_the_reading_of_no_other(
    ford: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_second(ford)
    ford.office.kept.clear()
    place(ford, "move s1 to 3", subject="[ford]")

    assert list(ford.office.kept["campaigns"]) == ["ford"]
    with ford.office.read() as connection:
        assert len(dossiers.campaigns(connection)) == 2
