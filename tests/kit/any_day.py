"""Any day of an office: whoever has to do with it does whatever he may, at any hour, and nothing may go wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from random import Random

from pbem.desk.deeds.words import WORDS
from pbem.desk.gm import ruling
from pbem.desk.gm.letter import write_to
from pbem.desk.house import clock, work
from pbem.desk.office.gm import named
from pbem.desk.office.office import HOUR
from pbem.desk.players import changes, enrol, observers
from pbem.desk.post.addresses import gm_address
from pbem.desk.proof.verify import verify
from pbem.desk.turns import absences, adjudicate, annotate, asked, exchange, pausing, publish
from pbem.kernel.errors import PbemError
from pbem.kernel.names import CampaignId, Moment
from pbem.orders.commands import WORDS as COMMANDS
from pbem.storage import players
from pbem.storage.outbox import Mail
from tests.kit.table import PLAYERS, Table

ANN, BEN = PLAYERS.values()
EVE, CORA, OLGA = "eve@player.example", "cora@player.example", "olga@player.example"
PEOPLE = (ANN, BEN, EVE, CORA, OLGA)
ANNA = "anna@gm.example"
GMS = f"""
[[gm]]
name = "Anna"
address = "{ANNA}"
"""
ROLES = ("smuggler", "guard")
CODE = re.compile(r"confirm [a-z2-7]{4}(?:-[a-z2-7]{4}){3}")

ORDERS = (
    "move s1 to 3",
    "move s2 to 4",
    "move s1 to 2",
    "fire g1 at 3",
    "fire g2 at 4",
    "watch g1 3",
    "move s9 to 99",
    "hold",
)
SAID = (
    *(word.example for word in COMMANDS.values()),
    *("wait off", "ready off", "vacation off", "digest off", "address off", "also off", "substitute off", "proxy off"),
    *("vote yes", "vote no", "vote V1 yes", "vote V2 no", "vote V3 yes", "withdraw V1", "withdraw"),
    *("propose draw", "propose end: enough", "propose pause", "propose resume", "propose extension 24h"),
    *("propose truce until 3A", "propose replacement of guard"),
    *("stop notices", "stop letters", "stop letters off", "stop reminders"),
    *("format link", "format page", "language en", "zone America/New_York", "publish name yes", "publish"),
    *("join ford as any", "join ford off", "resign", "observe", f"address {CORA}", f"also {EVE}"),
    *(f"substitute {EVE} for 2 turns", f"proxy {CORA}", "substitute yes", "substitute no"),
    *("answer Q1: yes", "answer Q1: no", "answer Q2: yes", "help player", "report", "report 1A", "orders?", "status"),
    *("letter to guard: LETTER", "letter to smuggler: LETTER", "letter to all: LETTER"),
)
"""What people write, beside their orders."""

MEANT = (
    *(word.example for word in WORDS.values()),
    *("run now", "run", "release", "extend 24h Ill.", "set hours 48", "hold off", "hold", "pause: So.", "resume"),
    *("letter to guard: So.", "letter to smuggler: So.", "note guard: So.", "ruling: So.\nset s1 men 3"),
    *("annul: So.", "annul reopen: So.", "annul 1A reopen: So.", "end game: So."),
    *(f"enrol guard {CORA} Cora", f"replace guard by {CORA} Cora: So.", f"replace smuggler by {EVE} Eve: So."),
    *("withdraw guard: So.", "withdraw smuggler: So.", "show 1", "accept 1", "discard 1: So."),
    *("status", "letters", "report guard", "report smuggler 1A"),
)
"""What the GM writes."""


class Broken(AssertionError):
    """Something went wrong, with all that was done before."""


class Day:
    """A game in an office, and what becomes of it by chance."""

    def __init__(self, table: Table, luck: int) -> None:
        self.table, self.chance = table, Random(luck)
        self.did: list[str] = []
        self.read: dict[str, EmailMessage] = {}
        self.notes: dict[str, str] = {}
        """Who wrote which words for himself alone."""
        self.looked = 0

    def goes(self, steps: int) -> None:
        """Let so many things happen, and look at everything after each."""
        acts = [act for act, weight in ACTS.items() for _ in range(weight)]
        for _ in range(steps):
            act = self.chance.choice(acts)
            try:
                act(self)
            except PbemError as error:
                self.did.append(f"   refused: {error}")
            except Exception as error:
                raise self.broken(f"{type(error).__name__}: {error}") from error
            self.look()

    def broken(self, why: str) -> Broken:
        """What went wrong, and how it came to that."""
        return Broken("\n".join((why, *self.did[-60:])))

    def says(self, what: str) -> None:
        self.did.append(f"{datetime.fromtimestamp(self.table.clock.at / 1e6, UTC):%d %b %H:%M} {what}")

    # ------------------------------------------------------------------ what they find in their mailboxes

    def parsed(self, mail: Mail) -> EmailMessage:
        if mail.digest not in self.read:
            self.read[mail.digest] = message_from_bytes(self.table.bytes_of(mail), policy=default)
        return self.read[mail.digest]

    def mails_to(self, address: str) -> list[EmailMessage]:
        return [one for mail in self.table.mails if address in str((one := self.parsed(mail))["To"]).lower()]

    # ------------------------------------------------------------------ what must always be so

    def look(self) -> None:
        """See that nothing is stuck, and that nobody was told what is another's."""
        with self.table.office.read() as connection:
            stuck = connection.execute("SELECT cause, fault FROM owed WHERE fault <> ''").fetchall()
            new = connection.execute("SELECT id, reason FROM letter WHERE state = 'new'").fetchall()
        if stuck:
            raise self.broken(f"cannot be written: {stuck}")
        if new:
            raise self.broken(f"not dealt with: {new}")
        mails = self.table.mails
        if self.table.dossier.campaign.ended is None:
            for mail in mails[self.looked :]:
                said = self.table.text_of(mail)
                to = str(self.parsed(mail)["To"])
                for who, words in self.notes.items():
                    if words in said and who not in to:
                        raise self.broken(f"{mail.subject} to {to} tells what {who} noted")
        self.looked = len(mails)


def _writes(day: Day) -> None:
    """A letter of somebody, with or without his secret address, in answer to any mail."""
    who = day.chance.choice((ANN, ANN, ANN, BEN, BEN, BEN, EVE, CORA, OLGA))
    lines = [day.chance.choice(day.chance.choice((ORDERS, SAID))) for _ in range(day.chance.choice((1, 1, 2, 3)))]
    if day.chance.random() < 0.15:
        lines.append(f"note to self: DIARY-{who}")
        day.notes[who] = f"DIARY-{who}"
    if day.chance.random() < 0.2:
        lines.insert(0, f"turn {day.chance.choice(('1A', '1B', '2A', '2B', '3A'))}")
    had = day.mails_to(who)
    head = ""
    if had and day.chance.random() < 0.8:
        head = f"Delivered-To: {day.chance.choice((had[-1], day.chance.choice(had)))['Reply-To']}"
    subject = day.chance.choice(("", "", "a letter", "Re: [ford] 1A report"))
    text = "\n".join(lines)
    day.says(f"{who} writes {lines} {head and 'to his own address'} {subject}")
    found = day.table.write(who, text, subject=subject, head=head)
    day.did.append(f"   {found.state}: {found.reason}")


def _confirms(day: Day) -> None:
    who = day.chance.choice((*PEOPLE, ANNA))
    for one in reversed(day.mails_to(who)):
        body = one.get_body(("plain",))
        code = CODE.search(str(body.get_content())) if body else None
        if code:
            day.says(f"{who} confirms")
            found = day.table.write(who, code[0], subject="Re: a code", head=f"Delivered-To: {one['Reply-To']}")
            day.did.append(f"   {found.state}: {found.reason}")
            return


def _commands(day: Day) -> None:
    table = day.table
    secret = gm_address(table.office, CampaignId("ford"), named(table.office.gms, ANNA))
    text = day.chance.choice(MEANT)
    day.says(f"the GM writes {text!r}")
    found = table.write(ANNA, text, subject="from my phone", head=f"Delivered-To: {secret}")
    day.did.append(f"   {found.state}: {found.reason}")


def _passes(day: Day) -> None:
    """Some time goes by."""
    day.table.clock.forward(day.chance.choice((0.1, 0.5, 1, 3, 6, 12, 24, 73)))
    _ticks(day)


def _to_the_hour(day: Day) -> None:
    """Time goes by until the next hour of the exchange."""
    now = day.table.dossier.exchange()
    hours = {
        now.deadline,
        now.closes,
        now.reports,
        *(hour for step in now.steps for hour in (step.interim, step.until)),
    }
    later = [hour for hour in hours if hour >= day.table.clock.at]
    if later:
        day.table.clock.at = min(later) + day.chance.choice((-1, 0, 1, HOUR // 60))
    _ticks(day)


def _ticks(day: Day) -> None:
    office = day.table.office
    day.says("the clock is looked at")
    for did in (*clock.tick(office), *work.ask_again(office), *work.close_sign_ups(office)):
        day.did.append(f"   {did.what}")
        if did.failed:
            raise day.broken(f"the clock failed: {did.what}")


def _deed(day: Day) -> None:
    """Something that the GM does at his terminal."""
    name = day.chance.choice(tuple(DEEDS))
    day.says(f"the GM: {name}")
    DEEDS[name](day)
    day.did.append("   done")


def _other(day: Day) -> str:
    return day.chance.choice(PEOPLE)


def _role(day: Day) -> str:
    return day.chance.choice(ROLES)


def _erase(day: Day) -> None:
    with day.table.office.read() as connection:
        found = players.by_address(connection, _other(day))
    if found:
        changes.erase_player(day.table.office, found.id)


def _absent(day: Day) -> None:
    first = datetime.fromtimestamp(day.table.clock.at / 1e6, UTC).date() + timedelta(day.chance.choice((0, 1, 3)))
    absences.book_for(day.table.office, "ford", _role(day), first, first + timedelta(2))


def _forced(day: Day) -> None:
    ruling.rule(day.table.office, "ford", [f"set s1 men {day.chance.choice((1, 2, 3))}"], "So.", make=True)


DEEDS: Mapping[str, Callable[[Day], object]] = {
    "run": lambda day: adjudicate.run(day.table.office, "ford", early=day.chance.random() < 0.7),
    "run with defaults": lambda day: adjudicate.run(day.table.office, "ford", early=True, defaults=True),
    "asked to run": lambda day: asked.run(day.table.office, "ford", early=True),
    "release": lambda day: publish.release(day.table.office, "ford", early=day.chance.random() < 0.7),
    "annul": lambda day: exchange.annul(day.table.office, "ford", None, "So.", reopen=day.chance.random() < 0.5),
    "annul 1A": lambda day: exchange.annul(
        day.table.office, "ford", Moment(1, 1), "So.", reopen=day.chance.random() < 0.5
    ),
    "extend": lambda day: exchange.extend(
        day.table.office, "ford", day.table.clock.at + day.chance.choice((1, 5, 30, 90)) * HOUR, "So."
    ),
    "hours of the next": lambda day: exchange.hours_of_next(
        day.table.office, "ford", day.chance.choice((24, 48, 96)), "So."
    ),
    "pause": lambda day: pausing.pause(day.table.office, "ford", "So."),
    "resume": lambda day: pausing.resume(day.table.office, "ford"),
    "replace": lambda day: changes.replace_player(
        day.table.office, "ford", _role(day), name="New", address=_other(day), reason="So."
    ),
    "withdraw": lambda day: changes.withdraw_player(day.table.office, "ford", _role(day), reason="So."),
    "add": lambda day: enrol.add_player(day.table.office, "ford", _role(day), name="New", address=_other(day)),
    "brief again": lambda day: changes.resend_briefing(day.table.office, "ford", _role(day)),
    "erase": _erase,
    "admit": lambda day: observers.admit(day.table.office, "ford", name="Olga", address=_other(day)),
    "remove": lambda day: observers.remove(day.table.office, "ford", OLGA),
    "absent": lambda day: absences.book_for(
        day.table.office,
        "ford",
        _role(day),
        (
            first := datetime.fromtimestamp(day.table.clock.at / 1e6, UTC).date()
            + timedelta(day.chance.choice((0, 1, 3)))
        ),
        first + timedelta(2),
    ),
    "note": lambda day: annotate.note(day.table.office, "ford", _role(day), "So."),
    "rule": _forced,
    "write": lambda day: write_to(day.table.office, "ford", _role(day), "So."),
    "terms": lambda day: enrol.set_terms(day.table.office, "ford", day.chance.choice(TERMS)),
}
"""What the GM does, each with what it is called."""

TERMS: tuple[Mapping[str, object], ...] = (
    *({"release": "auto"}, {"release": "gm"}, {"nmr": "hold"}, {"nmr": "extend", "extension": 24}, {"nmr": "standing"}),
    *({"grace": 0}, {"grace": 12}, {"late_after": 1}, {"late_after": 0}),
    *({"observers": "guard"}, {"names": "told"}, {"names": "secret"}),
)
"""What he may change of how the game is run."""

ACTS: Mapping[Callable[[Day], None], int] = {
    _writes: 12,
    _confirms: 3,
    _commands: 4,
    _passes: 4,
    _to_the_hour: 4,
    _ticks: 2,
    _deed: 5,
}
"""What happens, and how often."""


def ends(day: Day) -> None:
    """See that what is left behind is whole."""
    if fault := verify(day.table.office, "ford").first:
        raise day.broken(f"not sound: {fault}")
