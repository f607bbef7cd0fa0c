"""A question of the rules to a role: asked by letter, answered by letter."""

from __future__ import annotations

import pytest

from pbem.desk.gm import history
from pbem.desk.players.changes import replace_player
from pbem.desk.turns import adjudicate
from pbem.desk.turns.next_step import next_step
from pbem.desk.worlds.worlds import AnyWorld, world_at
from pbem.kernel.names import Role
from pbem.kernel.office import QueryAnswered, QueryPut
from tests.kit.table import Table


@pytest.fixture
def asked(table: Table) -> Table:
    """A game in which a die has just hit, of which the guard must say whether it did."""
    for luck in range(40):
        table.name = f"ford{luck}"
        table.open(options={"disputed": "guard"})
        table.turn()
        table.write("guard", f"game {table.name}\nfire g1 at 1\nfire g2 at 2")
        if adjudicate.run(table.office, table.name, early=True).asks:
            return table
    raise AssertionError("no die was disputed")


def write(table: Table, text: str, role: str = "guard") -> str:
    """A letter of the guard; gives what became of it."""
    return table.write(role, text, subject=f"[{table.name}]").reason


def world(table: Table) -> AnyWorld:
    """How the campaign stands."""
    with table.office.read() as connection:
        return world_at(table.office, connection, table.dossier)


def key(table: Table) -> str:
    """The name of the question."""
    [query] = [one.event for one in table.dossier.log if isinstance(one.event, QueryPut)]
    return query.key


def test_the_role_is_asked_by_letter_and_nobody_else(asked: Table) -> None:
    said = asked.words_to("guard")

    assert f"Has {key(asked).partition('/')[2]} hit with a" in said
    assert "If you say nothing hit" in said
    assert f"answer {key(asked)}: hit answer {key(asked)}: miss" in said
    assert "question" not in asked.words_to("smuggler")


def test_its_answer_is_taken_and_play_goes_on(asked: Table) -> None:
    adjudicate.run(asked.office, asked.name, early=True)
    assert asked.kinds.count("query_put") == 1
    write(asked, f"answer {key(asked).upper()}: Miss.")

    answers = [one.event for one in asked.dossier.log if isinstance(one.event, QueryAnswered)]
    assert [(one.key, one.answer, one.by) for one in answers] == [(key(asked), "miss", "role")]
    assert f"Your answer to {key(asked)} is taken" in asked.words_to("guard")
    assert not adjudicate.run(asked.office, asked.name, early=True, defaults=True).asks


def test_what_answers_nothing_is_refused_with_what_would(asked: Table) -> None:
    write(asked, f"answer {key(asked)}: perhaps")
    assert "One of: hit, miss" in asked.words_to("guard")
    write(asked, "answer 9B/g9: hit")
    assert f"Open: {key(asked)}" in asked.words_to("guard")

    assert "query_answered" not in asked.kinds


def test_a_question_of_another_role_is_not_there(asked: Table) -> None:
    write(asked, f"answer {key(asked)}: miss", role="smuggler")

    assert "waits for you. Open: none." in asked.words_to("smuggler")
    assert "query_answered" not in asked.kinds


def test_status_and_history_name_it_to_whom_it_was_put(asked: Table) -> None:
    write(asked, "status")
    assert "A question waits for you" in asked.words_to("guard")
    write(asked, f"answer {key(asked)}: miss")
    write(asked, "status")
    assert "A question waits for you" not in asked.words_to("guard")
    kinds = {
        role: {one.kind for one in history.entries(asked.office, asked.name, role=role)}
        for role in ("guard", "smuggler")
    }

    assert {"query_put", "query_answered"} <= kinds["guard"]
    assert not {"query_put", "query_answered"} & kinds["smuggler"]


def test_who_takes_the_role_over_while_it_is_asked_reads_the_question_in_his_briefing(asked: Table) -> None:
    before = len(asked.mails)
    replace_player(asked.office, asked.name, "guard", name="Cid", address="cid@player.example", reason="He is ill.")

    assert f"answer {key(asked)}: miss" in asked.words_to("guard")
    assert "a question waits for you: has" in asked.words_to("guard").casefold()
    smuggler = asked.dossier.campaign.players[Role("smuggler")]
    assert not any("question" in asked.text_of(one) for one in asked.mails[before:] if one.player == smuggler)
    assert asked.write("cid@player.example", f"answer {key(asked)}: miss", subject=f"[{asked.name}]").state == "applied"


def test_one_to_the_umpire_is_not_sent_to_a_role(table: Table) -> None:
    for luck in range(40):
        table.name = f"ford{luck}"
        table.open(options={"disputed": "umpire"})
        table.turn()
        table.write("guard", f"game {table.name}\nfire g1 at 1\nfire g2 at 2")
        if adjudicate.run(table.office, table.name, early=True).asks:
            break

    assert isinstance(table.dossier.log[-1].event, QueryPut)
    guard = table.dossier.campaign.players[Role("guard")]
    assert not any("question" in mail.subject for mail in table.mails if mail.player == guard)


def test_a_role_is_waited_for_where_the_office_releases_by_itself_too(table: Table) -> None:
    for luck in range(40):
        table.name = f"ford{luck}"
        table.open(options={"disputed": "guard"}, release="auto")
        adjudicate.run(table.office, table.name, early=True, umpire=False)
        table.write("guard", f"game {table.name}\nfire g1 at 1\nfire g2 at 2")
        if adjudicate.run(table.office, table.name, early=True, umpire=False).asks:
            break
    [query] = table.dossier.campaign.queries.values()
    pause = table.dossier.system.awaits(world(table).truth)

    assert query.until == table.dossier.exchange().closes
    assert next_step(table.dossier, pause, query.until) == "nothing"
    assert next_step(table.dossier, pause, query.until + 1) == "run with defaults"
    write(table, f"answer {key(table)}: miss")
    assert next_step(table.dossier, pause, query.until) == "run"
