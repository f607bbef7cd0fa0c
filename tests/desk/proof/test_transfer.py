from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pbem.desk.books.dossiers import campaigns, load
from pbem.desk.intake import receive
from pbem.desk.library.scenarios import find_scenario
from pbem.desk.office.office import public_key
from pbem.desk.players import enrol
from pbem.desk.proof.exported import signed
from pbem.desk.proof.transfer import export, fork, take_in
from pbem.desk.proof.verify import verify
from pbem.desk.turns import adjudicate, publish
from pbem.kernel.errors import Refused
from pbem.kernel.names import CampaignId, Moment, Role
from pbem.kernel.office import CampaignForked, Forked, SeedsExported
from pbem.kernel.terms import Terms
from pbem.storage import marks, players, secrets
from pbem.storage.codec import Codec
from pbem.storage.log import SqlLog
from tests.kit.table import PLAYERS, Table
from tests.kit.table import table as make


def play(table: Table) -> None:
    """Two exchanges and a sheet for the third, with a letter between the players."""
    table.open()
    table.write("smuggler", "move s1 to 3\nletter to guard: Good evening.")
    table.turn()
    table.clock.forward(1)
    table.write("guard", "fire g1 at 3")
    table.turn()
    table.clock.forward(1)
    table.write("smuggler", "move s2 to 4")


@contextmanager
def another(folder: Path) -> Iterator[Table]:
    """An office that knows nothing of the campaign."""
    with make(folder / "another", luck="other") as made:
        made.clock.forward(10)
        yield made


def hashes(table: Table, campaign: str = "ford") -> list[str | None]:
    with table.office.read() as connection:
        log = SqlLog(connection, Codec())
        return [log.hash_at(CampaignId(campaign), seq) for seq in range(1, log.head(CampaignId(campaign)).seq + 1)]


def test_a_campaign_comes_over_to_the_same_hashes_and_is_sound_there(table: Table, tmp_path: Path) -> None:
    play(table)

    with another(tmp_path) as there:
        came = take_in(there.office, export(table.office, "ford", seeds=True, people=True, letters=True), "ford.jsonl")

        assert (came.events, came.strangers) == (table.dossier.seq, ())
        assert hashes(there)[:-1] == hashes(table)
        assert there.kinds[-1] == "seeds_renewed"
        assert verify(there.office, "ford").sound
        there.turn()
        there.turn()
        assert verify(there.office, "ford").sound
        assert there.write("guard", "watch g2 2").state == "applied"


def test_nothing_that_is_secret_or_personal_leaves_unless_it_is_said(table: Table) -> None:
    play(table)

    said = b"".join(export(table.office, "ford"))
    whole = b"".join(export(table.office, "ford", seeds=True, people=True, letters=True))

    with table.office.read() as connection:
        raw = [one.open.hex().encode() for one in secrets.listing(connection, table.dossier.id)]
    unrevealed = raw[-1]
    assert unrevealed in whole
    assert unrevealed not in said
    assert not any(address.encode() in said for address in PLAYERS.values())
    assert all(address.encode() in whole for address in PLAYERS.values())


def test_without_its_seeds_a_campaign_is_read_and_verified_as_far_as_they_were_revealed(
    table: Table, tmp_path: Path
) -> None:
    play(table)

    with another(tmp_path) as there:
        came = take_in(there.office, export(table.office, "ford"), "ford.jsonl")

        assert len(came.strangers) == 2
        verified = verify(there.office, "ford")
        assert verified.sound
        [dice] = [row for row in verified.rows if row.name == "dice"]
        assert dice.what.endswith("; 1 sealed")


def test_without_its_seeds_a_campaign_is_played_on_with_new_ones_to_its_end(table: Table, tmp_path: Path) -> None:
    play(table)

    with another(tmp_path) as there:
        take_in(there.office, export(table.office, "ford", people=True), "ford.jsonl")

        there.turn()
        assert verify(there.office, "ford").sound
        enrol.end(there.office, "ford", "Nobody has time")
        assert verify(there.office, "ford").sound


def test_a_game_that_is_over_is_verified_whole_by_anyone(table: Table, tmp_path: Path) -> None:
    table.open(options={"last_turn": 1})
    table.turn()
    table.write("guard", "fire g1 at 1")
    table.turn()
    assert table.dossier.campaign.ended

    with another(tmp_path) as there:
        take_in(there.office, export(table.office, "ford"), "ford.jsonl")

        verified = verify(there.office, "ford")
        assert verified.sound
        assert not any("sealed" in row.what or "without seeds" in row.what for row in verified.rows)


def test_what_was_erased_stays_erased(table: Table, tmp_path: Path) -> None:
    play(table)
    with table.office.write() as connection:
        players.erase(connection, table.dossier.campaign.players[Role("guard")], at=table.clock())

    with another(tmp_path) as there:
        take_in(there.office, export(table.office, "ford", people=True, letters=True), "ford.jsonl")

        assert verify(there.office, "ford").sound
        assert b"ben@player.example" not in b"".join(export(there.office, "ford", people=True, letters=True))


def test_a_campaign_that_is_there_is_not_written_over(table: Table) -> None:
    table.open()
    before = hashes(table)

    with pytest.raises(Refused, match='there is a campaign "ford" in this office, and nothing is written over'):
        take_in(table.office, export(table.office, "ford"), "ford.jsonl")

    assert hashes(table) == before


def test_a_file_says_whose_it_is_by_the_key_that_the_briefings_print(table: Table, tmp_path: Path) -> None:
    table.open()
    with table.office.read() as connection:
        key = public_key(table.office, connection)

    with another(tmp_path) as there:
        came = take_in(there.office, export(table.office, "ford"), "ford.jsonl")

        assert (came.key, came.own, came.office) == (key, False, table.office.settings.name)
        assert key not in {json.loads([*export(there.office, "ford")][-1])["key"]}
    briefings = [table.text_of(mail) for mail in table.mails if mail.kind == "briefing"]
    assert [briefing.count(key) for briefing in briefings] == [2, 2], "as text and as a page"


def test_an_office_knows_its_own_hand(table: Table, tmp_path: Path) -> None:
    table.open()

    with make(tmp_path / "beside") as of_the_same_key:
        of_the_same_key.clock.forward(10)
        assert take_in(of_the_same_key.office, export(table.office, "ford"), "ford.jsonl").own


def test_an_office_that_never_wrote_its_key_down_makes_it_when_it_is_asked(table: Table) -> None:
    table.open()
    with table.office.write() as connection:
        written = public_key(table.office, connection)
        connection.execute("DELETE FROM mark WHERE name = 'public'")

        assert public_key(table.office, connection) == written
        assert marks.get(connection, marks.PUBLIC) is None


def test_a_file_of_before_signatures_is_taken_in_and_says_that_it_bears_none(table: Table, tmp_path: Path) -> None:
    table.open()
    lines = lines_of(table)
    head = {name: value for name, value in json.loads(lines[0]).items() if name != "office"}
    older = [json.dumps({**head, "format": 1}).encode(), *lines[1:-1]]

    with another(tmp_path) as there:
        came = take_in(there.office, older, "ford.jsonl")

        assert (came.key, came.own) == ("", False)
        assert verify(there.office, "ford").sound


def test_blanks_that_a_mail_program_changed_do_not_void_a_signature(table: Table, tmp_path: Path) -> None:
    table.open()
    lines = [line.rstrip(b"\n") + b"\r\n" for line in lines_of(table)]

    with another(tmp_path) as there:
        assert take_in(there.office, [*lines, b"\r\n"], "ford.jsonl").key


def lines_of(table: Table) -> list[bytes]:
    return list(export(table.office, "ford", seeds=True, people=True))


def place_of(lines: list[bytes], what: str, number: int = 0) -> int:
    return [place for place, line in enumerate(lines) if json.loads(line)["line"] == what][number]


def changed(line: bytes, **values: object) -> bytes:
    return json.dumps({**json.loads(line), **values}).encode()


def cut_short(lines: list[bytes]) -> tuple[int, str]:
    del lines[-2:]
    return len(lines), "the file ends at event"


def without_its_signature(lines: list[bytes]) -> tuple[int, str]:
    del lines[-1]
    return len(lines), "the signature of its office is missing"


def signed_by_another_over_it(lines: list[bytes]) -> tuple[int, str]:
    lines[-1] = changed(lines[-1], key=json.loads(next(signed([], b"k" * 32)))["key"])
    return len(lines), "it is not as its office signed it"


def no_signature_at_all(lines: list[bytes]) -> tuple[int, str]:
    lines[-1] = changed(lines[-1], signature="ff")
    return len(lines), "it is not as its office signed it"


def something_behind_it(lines: list[bytes]) -> tuple[int, str]:
    lines.append(lines[place_of(lines, "player")])
    return len(lines), "something was added behind the signature"


def another_time(lines: list[bytes]) -> tuple[int, str]:
    place = place_of(lines, "blob")
    lines[place] = changed(lines[place], created_at=1)
    return len(lines), "it is not as its office signed it: something in it was altered"


def cut_open(lines: list[bytes]) -> tuple[int, str]:
    place = place_of(lines, "event", 5)
    del lines[place]
    return place + 1, "event 6 is missing"


def half_a_line(lines: list[bytes]) -> tuple[int, str]:
    lines[-1] = lines[-1][:40]
    return len(lines), "it is no line of a campaign"


def another_actor(lines: list[bytes]) -> tuple[int, str]:
    place = place_of(lines, "event", 3)
    lines[place] = changed(lines[place], actor="somebody")
    return place + 1, "event 4 is not what was written"


def another_campaign(lines: list[bytes]) -> tuple[int, str]:
    place = place_of(lines, "event", 3)
    lines[place] = changed(lines[place], campaign="bridge")
    return place + 1, "the event is of bridge, not of ford"


def other_bytes(lines: list[bytes]) -> tuple[int, str]:
    place = place_of(lines, "blob")
    lines[place] = changed(lines[place], data="AAAA")
    return place + 1, "the bytes do not fit their digest"


def no_bytes(lines: list[bytes]) -> tuple[int, str]:
    place = place_of(lines, "blob")
    lines[place] = changed(lines[place], data="%")
    return place + 1, "the bytes are no base64"


def short_seed(lines: list[bytes]) -> tuple[int, str]:
    place = place_of(lines, "seeds")
    lines[place] = changed(lines[place], open="ab")
    return place + 1, "a seed has 32 bytes"


def newer(lines: list[bytes]) -> tuple[int, str]:
    lines[0] = changed(lines[0], format=3)
    return 1, "it is of format 3, and this pbem reads 2"


def headless(lines: list[bytes]) -> tuple[int, str]:
    del lines[0]
    return 1, "a campaign begins with one line that says what it is"


def an_unknown_line(lines: list[bytes]) -> tuple[int, str]:
    lines.insert(1, b'{"line": "weather"}')
    return 2, "it is no line of a campaign"


BAD = (
    cut_short, cut_open, half_a_line, another_actor, another_campaign, other_bytes, no_bytes, short_seed, newer,
    headless, an_unknown_line, without_its_signature, signed_by_another_over_it, no_signature_at_all,
    something_behind_it, another_time,
)  # fmt: skip


@pytest.mark.parametrize("spoil", BAD, ids=lambda one: str(one.__name__))
def test_of_a_file_that_is_not_whole_the_line_is_named_and_nothing_is_taken_in(
    table: Table, tmp_path: Path, spoil: Callable[[list[bytes]], tuple[int, str]]
) -> None:
    table.open()
    lines = lines_of(table)
    number, why = spoil(lines)

    with another(tmp_path) as there:
        with pytest.raises(Refused) as refused:
            take_in(there.office, lines, "ford.jsonl")

        assert str(refused.value).startswith(f"ford.jsonl:{number}: {why}")
        with there.office.read() as connection:
            assert campaigns(connection) == []
            assert players.listing(connection) == []


def test_an_empty_file_is_no_campaign(table: Table) -> None:
    with pytest.raises(Refused, match=r"ford\.jsonl: there is no campaign in it"):
        take_in(table.office, [], "ford.jsonl")


def test_a_fork_is_the_campaign_before_an_exchange_was_run(table: Table) -> None:
    play(table)

    forked = fork(table.office, "ford", "what-if", at=Moment(1, 2))

    assert forked.opened.forked == Forked(CampaignId("ford"), forked.seq - 1)
    assert (forked.exchange().moment, forked.exchange().state) == (Moment(1, 2), "open")
    assert forked.campaign.sheets[Moment(1, 2), Role("guard")].text == "fire g1 at 3"
    assert verify(table.office, "what-if").sound


def test_a_fork_does_not_show_the_dice_that_will_fall(table: Table) -> None:
    play(table)
    fork(table.office, "ford", "what-if")

    with table.office.read() as connection:
        here, there = (load(table.office, connection, name).exchange().promises for name in ("ford", "what-if"))
        kept = [one.promises for one in secrets.listing(connection, CampaignId("what-if"))]
    assert {here.open, here.closed}.isdisjoint({there.open, there.closed})
    assert there in kept
    assert here not in kept
    for name in ("ford", "what-if"):
        adjudicate.run(table.office, name, early=True)
        assert verify(table.office, name).sound


def test_what_fell_at_an_exchange_does_not_fall_again_where_it_is_played_otherwise(table: Table) -> None:
    play(table)
    fork(table.office, "ford", "what-if", at=Moment(1, 2))
    adjudicate.run(table.office, "what-if", early=True)

    with table.office.read() as connection:
        copy = load(table.office, connection, "what-if")
    fallen = [
        [throw.faces for fact in one.facts() if fact.moment == Moment(1, 2) for throw in fact.event.dice]  # type: ignore[attr-defined]
        for one in (table.dossier, copy)
    ]
    assert fallen[0] != fallen[1]


def test_a_fork_never_mails_and_no_letter_reaches_it(table: Table) -> None:
    play(table)
    fork(table.office, "ford", "what-if", at=Moment(1, 2))

    receive.submit(table.office, "what-if", "guard", b"fire g2 at 2")
    adjudicate.run(table.office, "what-if", early=True)
    publish.release(table.office, "what-if")

    mails = [mail for mail in table.mails if mail.campaign == "what-if"]
    assert {mail.state for mail in mails} == {"dropped"}
    assert table.write("smuggler", "move s2 to 3", subject="orders").campaign == "ford"


def test_a_campaign_logs_who_copied_it_when_and_how_far_and_is_else_as_it_was(table: Table) -> None:
    play(table)
    before = hashes(table)

    fork(table.office, "ford", "what-if", at=Moment(1, 2))

    assert hashes(table)[:-1] == before
    forked = table.dossier.log[-1]
    assert isinstance(forked.event, CampaignForked)
    assert (forked.actor, forked.at, forked.event.copy) == ("gm", table.clock(), "what-if")
    assert table.dossier.log[forked.event.upto].moment == Moment(1, 2)


def test_a_file_with_the_seeds_to_come_leaves_a_trace_and_one_without_does_not(table: Table) -> None:
    play(table)
    list(export(table.office, "ford"))
    before = table.dossier.seq
    list(export(table.office, "ford", seeds=True))

    assert table.dossier.seq == before + 1
    assert isinstance(table.dossier.log[-1].event, SeedsExported)


def test_a_fork_with_the_installed_rules_is_pinned_to_them(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    play(table)
    monkeypatch.setattr("pbem.rules.registry.content_hash", lambda system: "77c0" + "0" * 60)
    table.office.kept.clear()
    with pytest.raises(Refused, match="is pinned to"):
        adjudicate.run(table.office, "ford", early=True)

    fork(table.office, "ford", "what-if", with_installed=True)

    assert adjudicate.run(table.office, "what-if", early=True).facts
    assert verify(table.office, "what-if").sound


@pytest.mark.parametrize(
    ("name", "words"),
    [("ford", 'there is a campaign "ford"'), ("What If", '"What If" cannot name a campaign')],
)
def test_a_name_that_a_fork_cannot_have_is_refused(table: Table, name: str, words: str) -> None:
    table.open()

    with pytest.raises(Refused, match=words):
        fork(table.office, "ford", name)


def test_a_fork_of_what_has_not_begun_does_not_show_how_the_field_will_be_set_up(table: Table) -> None:
    found = find_scenario(table.office.folder, "toy/ford")
    enrol.new(table.office, "ford", found, Terms(trust="address"), words="of answers and sheets")
    for role, address in PLAYERS.items():
        enrol.add_player(table.office, "ford", role, name=role.title(), address=address)
        table.write(role, "Yes, gladly.")
    promised = table.dossier.opened.muster
    fork(table.office, "ford", "what-if")
    copy = enrol.start(table.office, "what-if")

    assert promised is not None
    assert copy.campaign.muster is not None
    assert {promised.open, promised.closed}.isdisjoint({copy.campaign.muster.open, copy.campaign.muster.closed})
    assert verify(table.office, "what-if").sound
    assert enrol.start(table.office, "ford").campaign.muster == promised
    assert verify(table.office, "ford").sound
