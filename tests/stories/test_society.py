"""A campaign of eight from its sign-up to its chronicle, by letters alone, as its people would live it.

Ten would play; the lot gives eight a role.  Anna runs it from the office, Bert from his phone.  Somebody stands in for
a player, another gives up and one who waited takes over, Christmas comes between, Mr Russell looks on two turns behind,
and at last they vote to leave it at that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path

import pytest
from msgspec.structs import replace as changed

from pbem.desk.gm.letter import write_to
from pbem.desk.house import clock
from pbem.desk.house.work import close_sign_ups
from pbem.desk.intake.fates import Received
from pbem.desk.library.scenarios import find_scenario
from pbem.desk.office.gm import named
from pbem.desk.office.office import HOUR
from pbem.desk.players import enrol, joining, observers
from pbem.desk.post.addresses import gm_address
from pbem.desk.proof.verify import verify
from pbem.desk.turns import exchange
from pbem.kernel.names import CampaignId, Role
from pbem.kernel.terms import Terms
from pbem.storage import players
from pbem.storage.outbox import Mail
from pbem.storage.players import Player
from tests.desk.post.test_gms import run_by
from tests.kit.table import Table, table

GAME = "weldau"
ANNA, BERT, RUSSELL, EVE = (f"{name}@elsewhere.example" for name in ("anna", "bert", "russell", "eve"))
GMS = f"""
[[gm]]
name = "Anna"
address = "{ANNA}"

[[gm]]
name = "Bert"
address = "{BERT}"
rights = "run"
"""
TEN = tuple(f"p{number}@player.example" for number in range(10))
CODE = re.compile(r"confirm [a-z2-7]{4}(?:-[a-z2-7]{4}){3}")


class Club:
    """The people of a game, and what each finds in his mailbox."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.read: dict[str, EmailMessage] = {}
        """Mails by what they are, each parsed once."""
        self.to: dict[str, str] = {}
        """To whom each goes."""
        table.name = GAME

    def mails(self, address: str) -> list[Mail]:
        return [mail for mail in self.table.mails if address in self.recipient(mail)]

    def recipient(self, mail: Mail) -> str:
        if mail.digest not in self.to:
            self.to[mail.digest] = str(self.parsed(mail)["To"]).lower()
        return self.to[mail.digest]

    def parsed(self, mail: Mail) -> EmailMessage:
        if mail.digest not in self.read:
            self.read[mail.digest] = message_from_bytes(self.table.bytes_of(mail), policy=default)
        return self.read[mail.digest]

    def newest(self, address: str) -> str:
        """The newest mail to an address, its words in one line."""
        body = self.parsed(self.mails(address)[-1]).get_body(("plain",))
        return " ".join(str(body.get_content()).split()) if body else ""

    def writes(self, address: str, text: str, subject: str = "from my phone") -> Received:
        """A letter that answers the newest to its writer, if he had one."""
        had = self.mails(address)
        secret = str(self.parsed(had[-1])["Reply-To"]) if had else ""
        return self.table.write(address, text, subject=subject, head=f"Delivered-To: {secret}" if secret else "")

    def commands(self, address: str, text: str) -> Received:
        """A letter of somebody who runs games, to his secret address."""
        gm = named(self.table.office.gms, address)
        secret = gm_address(self.table.office, CampaignId(GAME), gm)
        return self.table.write(address, text, subject="from my phone", head=f"Delivered-To: {secret}")

    def confirms(self, address: str) -> Received:
        found = CODE.search(self.newest(address))
        assert found, self.newest(address)
        return self.writes(address, found[0], subject="Re: a code")

    def person(self, address: str) -> Player:
        with self.table.office.read() as connection:
            found = players.by_address(connection, address)
        assert found is not None, address
        return found

    @property
    def cast(self) -> dict[Role, str]:
        """Who plays what, by his address."""
        with self.table.office.read() as connection:
            told = {role: players.get(connection, id) for role, id in self.table.dossier.campaign.players.items()}
        return {role: player.address or "" for role, player in told.items()}

    def passes(self) -> list[str]:
        """Time goes on until another exchange is open, or the game is over; what the clock did."""
        did: list[str] = []
        before = self.table.dossier.exchange().moment
        for _ in range(12):
            now = self.table.dossier.exchange()
            hours = {now.deadline, now.closes, *(hour for step in now.steps for hour in (step.interim, step.until))}
            self.table.clock.at = min((hour for hour in hours if hour >= self.table.clock.at), default=now.reports) + 1
            did += [one.what for one in clock.tick(self.table.office)]
            if self.table.dossier.exchange().moment != before or self.table.dossier.campaign.ended:
                break
        return did

    def all_send(self, *, but: Role | None = None) -> None:
        """Each who plays sends a sheet, asks the umpire something, and keeps a note for himself."""
        for role, address in self.cast.items():
            if role != but:
                text = f"look NNE\numpire: PLAN-{role}.\nnote to self: DIARY-{role}.\n"
                assert self.writes(address, text, subject=f"Re: [{GAME}] orders").state == "applied", role


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    """An office that two run, with a game that anybody may join."""
    with table(tmp_path / "office") as made:
        run_by(made, GMS)
        settings = made.office.settings
        never = changed(settings.clock, away=60 * 24 * 365)
        object.__setattr__(made.office, "settings", changed(settings, clock=never))
        yield Club(made)


def test_a_campaign_of_eight_from_sign_up_to_chronicle(club: Club) -> None:
    office, at = club.table.office, club.table.clock
    terms = Terms(
        trust="table", nmr="standing", release="auto", tripwire=100, observers=("truth",), observers_delay=2, hours=48
    )
    enrol.new(office.as_gm("Anna"), GAME, find_scenario(office.folder, "kriegsspiel/weldau"), terms)
    joining.open_sign_up(office.as_gm("Anna"), GAME, closes=at.at + 72 * HOUR, by_itself=True)

    # Ten ask for a place, each confirms his address; two come too late for the lot to give them one.
    for number, address in enumerate(TEN):
        assert club.writes(address, f"join {GAME} as any\nname Player {number}", subject="hello").state == "held"
        assert club.confirms(address).state == "applied"
    at.forward(73)
    assert "its roles are drawn: 8 given, 2 wait" in [did.what for did in close_sign_ups(office)]
    cast = club.cast
    assert len(cast) == 8
    assert set(cast.values()) < set(TEN)
    waits = [address for address in TEN if address not in cast.values()]

    # Mr Russell may look on.
    observers.admit(office.as_gm("Anna"), GAME, name="W. Russell", address=RUSSELL)
    club.all_send()
    assert any("S1 is resolved" in did for did in club.passes())

    # Lindau goes away for two turns; Eve stands in, and sends for him.
    lindau = cast[Role("lindau")]
    assert club.writes(lindau, f"substitute {EVE} for 2 turns").state == "applied"
    assert club.writes(EVE, "substitute yes").state == "applied"
    club.all_send(but=Role("lindau"))
    assert club.writes(EVE, "look NNE", subject=f"Re: [{GAME}] orders").state == "applied"
    assert club.commands(BERT, "extend 1A 24h: Bert's train is late.").state == "applied"
    assert "Bert's train is late." in club.newest(lindau)
    assert club.commands(BERT, "ruling: no.\nset p1 men 2").state == "refused"
    assert any("1A is resolved" in did for did in club.passes())
    assert club.table.dossier.campaign.shown == {}

    # Perl gives up; who waited takes over, by Anna's word, who is told who is free.
    perl = cast[Role("perl")]
    assert "resign weldau" in (club.writes(perl, "resign").reason and club.newest(perl))
    assert club.writes(perl, f"resign {GAME}").state == "held"
    club.confirms(perl)
    assert Role("perl") not in club.table.dossier.campaign.players
    left = len(club.mails(perl))
    assert club.commands(ANNA, f"enrol perl {waits[0]} {club.person(waits[0]).name}").state == "applied"
    assert club.cast[Role("perl")] == waits[0]

    # Christmas: Bert lets the game stand still, and go on.
    assert club.commands(BERT, "pause: Merry Christmas.").state == "applied"
    deadline = club.table.dossier.exchange().deadline
    at.forward(24 * 14)
    assert list(clock.tick(office)) is not None
    assert club.table.dossier.exchange().moment.turn == 2
    assert club.commands(BERT, "resume").state == "applied"
    assert club.table.dossier.exchange().deadline >= deadline + 24 * 14 * HOUR
    club.all_send(but=Role("lindau"))
    assert any("2A is resolved" in did for did in club.passes())
    assert [str(moment) for moment in club.table.dossier.campaign.shown] == ["S0", "S1"]

    club.all_send()
    club.passes()
    assert [str(moment) for moment in club.table.dossier.campaign.shown] == ["S0", "S1", "1A"]

    # They leave it at that.
    write_to(office.as_gm("Anna"), GAME, "all", "You may vote on the end.")
    first, *others = club.cast.values()
    assert club.writes(first, "propose end: it is spring.").state == "applied"
    for address in others:
        club.writes(address, "vote yes")
    club.passes()
    assert club.table.dossier.campaign.ended
    assert exchange.turn(office, GAME).dossier.campaign.ended

    assert verify(office, GAME).sound
    see_nobody_had_what_is_not_his(club, gave_up=perl, had=left)


def see_nobody_had_what_is_not_his(club: Club, *, gave_up: str, had: int) -> None:
    """Of what each found in his mailbox while the game went on nothing was another's."""
    ended = club.table.dossier.campaign.ended
    assert ended is not None
    over = next(one.at for one in club.table.dossier.log.own if one.event is ended)
    people = {address: role for role, address in club.cast.items()} | {gave_up: Role("perl"), EVE: Role("lindau")}
    everybody = {*TEN, EVE, RUSSELL}
    for address in (*everybody, ANNA, BERT):
        role = people.get(address)
        for mail in club.mails(address):
            if mail.created_at >= over:
                continue
            said = club.table.text_of(mail)
            for other in club.table.dossier.roles:
                if other != role:
                    assert f"DIARY-{other}." not in said, (address, mail.subject)
                    assert address in (ANNA, BERT) or f"PLAN-{other}." not in said, (address, mail.subject)
            strangers = {one for one in everybody if one in said} - {address}
            named = {EVE} if role == "lindau" else set()
            assert address in (ANNA, BERT) or strangers <= named, (address, mail.subject, strangers)
    assert len(club.mails(gave_up)) - had <= 1, "who has left is told that he has, and nothing more"
    reports = [mail for mail in club.mails(RUSSELL) if mail.created_at < over]
    assert reports
    assert not any("2A" in mail.subject or "3A" in mail.subject for mail in reports)
