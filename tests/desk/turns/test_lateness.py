"""Who is late again and again is waited for less; one exchange in time sets that back."""

from __future__ import annotations

from pbem.desk.office.office import HOUR
from pbem.desk.players.enrol import set_terms
from pbem.desk.proof.verify import verify
from pbem.desk.turns import adjudicate
from pbem.kernel.names import Role
from pbem.kernel.office import NmrRecorded, WaitingCut
from tests.kit.table import Table
from tests.kit.watching import look, stay

SMUGGLER = Role("smuggler")


def late_once(table: Table) -> None:
    """The smuggler's orders come in the time of grace."""
    exchange = table.dossier.exchange()
    stay(table, exchange.deadline + HOUR)
    table.write("smuggler", "move s1 to 3")
    stay(table, table.clock.at + 2 * HOUR)
    pass_by(table)
    assert table.dossier.exchange().moment > exchange.moment


def pass_by(table: Table) -> None:
    """The exchange of the patrols, which asks nothing of the smuggler."""
    assert table.dossier.exchange().moment.exchange == 2
    adjudicate.run(table.office, "ford", early=True)


def begin(table: Table, after: int = 2) -> None:
    set_terms(table.office, "ford", {"release": "auto", "grace": 12, "late_after": after, "nmr": "hold"})


def test_all_are_told_the_rule_when_it_is_set_and_when_it_is_taken_back(ford: Table) -> None:
    begin(ford)
    for role in ("smuggler", "guard"):
        assert "How long the game waits for orders" in ford.words_to(role)
        assert "who sends nothing by the deadlines of 2 exchanges in a row" in ford.words_to(role)
    set_terms(ford.office, "ford", {"late_after": 0})
    assert "all are waited for alike from now on" in ford.words_to("guard")


def test_who_is_told_of_it_before_it_begins_reads_the_rule_with_his_briefing(table: Table) -> None:
    table.open(late_after=3)
    assert "3 exchanges in a row" in table.words_to("guard")


def test_after_so_many_late_exchanges_in_a_row_he_is_told(ford: Table) -> None:
    begin(ford)
    late_once(ford)
    assert ford.dossier.campaign.cut_short == frozenset()
    late_once(ford)
    assert ford.dossier.campaign.cut_short == {SMUGGLER}
    [told] = told_of(ford, SMUGGLER)
    assert "You were late in 2 exchanges in a row." in told


def test_nobody_waits_for_him_until_he_is_in_time_once(ford: Table) -> None:
    begin(ford, after=1)
    late_once(ford)
    exchange = ford.dossier.exchange()
    done = stay(ford, exchange.deadline + HOUR // 2)
    assert any("what is taken for silence is taken" in one for one in done)
    assert ford.dossier.exchange().moment > exchange.moment
    [nmr] = [one.event for one in ford.dossier.log if isinstance(one.event, NmrRecorded)]
    assert (nmr.missing, nmr.did) == ((SMUGGLER,), "taken")
    pass_by(ford)

    ford.write("smuggler", "move s1 to 3")
    stay(ford, ford.clock.at + 2 * HOUR)
    assert ford.dossier.campaign.cut_short == frozenset()
    assert [one.event.on for one in ford.dossier.log if isinstance(one.event, WaitingCut)] == [True, False]
    assert "you are waited for again as all others are" in told_of(ford, SMUGGLER)[-1]
    assert verify(ford.office, "ford").sound


def told_of(table: Table, role: Role) -> list[str]:
    """What *role* was told of how long he is waited for."""
    player = table.dossier.campaign.players[role]
    mails = [mail for mail in table.mails if mail.cause.startswith("waiting/") and mail.player == player]
    return [" ".join(table.text_of(mail).split()) for mail in mails]


def test_without_the_term_nobody_is_waited_for_less(ford: Table) -> None:
    begin(ford, after=0)
    late_once(ford)
    late_once(ford)
    assert ford.dossier.campaign.cut_short == frozenset()
    exchange = ford.dossier.exchange()
    stay(ford, exchange.deadline + HOUR)
    assert ford.dossier.exchange().moment == exchange.moment


def test_the_enemy_is_told_nothing_of_it(ford: Table) -> None:
    begin(ford, after=1)
    late_once(ford)
    assert ford.dossier.campaign.cut_short == {SMUGGLER}
    assert told_of(ford, Role("guard")) == []
    assert look(ford) == []
