"""What a GM does with one campaign."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from pbem.desk.books.dossiers import load
from pbem.desk.books.ended import ending
from pbem.desk.deeds.deed import Deed, Field, Values
from pbem.desk.gm import letter
from pbem.desk.gm.sealed import counted
from pbem.desk.office.inside import inside
from pbem.desk.office.office import HOUR, Office
from pbem.desk.pages import files
from pbem.desk.players import changes, enrol, observers
from pbem.desk.reels import site
from pbem.desk.turns import absences, adjudicate, annotate, exchange, pausing, publish
from pbem.kernel.errors import BadMoment, Refused
from pbem.kernel.names import Moment
from pbem.reports.text.plain import plural
from pbem.reports.text.times import in_zone, left, when

_EPOCH = datetime.fromisoformat("1970-01-01T00:00:00+00:00")

PUBLIC = site.PUBLIC

_YES = {"yes": True, "on": True, "true": True, "no": False, "off": False, "false": False}

REASON = Field(name="reason", label="Why: it stands in the log", longest=400)
TOLD = Field(name="reason", label="Why: the players are told", longest=400)
ROLE = Field(name="role", label="Role", kind="role")
PERSON = (
    Field(name="name", label="What he is called", longest=80),
    Field(name="address", label="Where he reads and writes letters", longest=320),
    Field(name="zone", label="His time zone; else the office’s", needed=False, longest=60),
)
TERMS = (
    *("hours", "at", "days", "least", "grace", "early", "delay", "urgent", "interim", "release", "trust", "press"),
    *("zone", "reminders", "nmr", "excuses", "extension", "tripwire", "absence_days", "votes", "late_after"),
    *("observers", "observers_delay", "language", "names"),
)


def run(office: Office, campaign: str, values: Values) -> str:
    """Resolve the open exchange, and stage it."""
    early = values.get("early", "") == "on"
    ran = adjudicate.run(office, campaign, early=early, defaults=values.get("defaults", "") == "on")
    if ran.asks:
        return f"Nothing was resolved: {plural(len(ran.asks), 'question is', 'questions are')} to be answered first."
    if ran.halt:
        return (
            f"It stands at the halt {ran.halt.moment}, seen by you alone.  Who is asked there answers; then run it on."
        )
    said = f"Resolved: {ran.moment}, {plural(len(ran.facts), 'fact')}, events {ran.first}–{ran.last}."
    if ran.untold:
        said += "  A part could not be told in words; you have a letter about it."
    if ran.released:
        files.write(office, ran.released.campaign, ran.released.reports.values())
        said += "  Its reports are made known."
    return said if not ran.verdict else f"{said}  It ends the game: {ending(ran.verdict)}."


def release(office: Office, campaign: str, values: Values) -> str:
    """Make known what was resolved."""
    released = publish.release(office, campaign, early=values.get("early", "") == "on")
    files.write(office, released.campaign, released.reports.values())
    said = f"Released: {released.moment}, {plural(len(released.reports), 'report')}."
    if released.verdict:
        return f"{said}  The game is over: {ending(released.verdict)}."
    if released.next and released.due is not None:
        due = when(released.due, office.settings.zone)
        said += f"  Open now: {released.next}, due {due}, {left(office.now(), released.due)}."
    return said


def extend(office: Office, campaign: str, values: Values) -> str:
    """Move the deadline, if that turn is open still of which the page was made."""
    exchange.named(office, campaign, values["turn"])
    if values["until"]:
        due = _hour(values["until"], office.settings.zone)
    elif values["hours"]:
        due = exchange.turn(office, campaign).exchange.deadline + int(values["hours"]) * HOUR
    else:
        raise Refused("say how long: so many hours more, or until when.")
    moved = exchange.extend(office, campaign, due, values["reason"])
    hour = when(moved.deadline, office.settings.zone)
    return f"{moved.moment} is due {hour}, {left(office.now(), moved.deadline)}.  The players are told."


def pause(office: Office, campaign: str, values: Values) -> str:
    """Let the campaign stand still."""
    pausing.pause(office, campaign, values["reason"])
    return "It is paused: nothing is run, and nobody is late.  The players are told."


def resume(office: Office, campaign: str, values: Values) -> str:
    """Let it go on."""
    now = pausing.resume(office, campaign, values["reason"]).exchange()
    due = f", due {when(now.deadline, office.settings.zone)}" if now.state == "open" else ""
    return f"It goes on: {now.moment}{due}.  The players are told."


def annul(office: Office, campaign: str, values: Values) -> str:
    """Annul what was resolved."""
    again, over = values["reopen"] == "on", exchange.is_over(office, campaign)
    now = exchange.annul(office, campaign, moment_of(values["turn"]), values["reason"], reopen=again)
    anew = "  The game was over, and goes on." if over else ""
    if again:
        return f"Annulled: {now.moment} is open again, with new dice.  The players are told.{anew}"
    return f"Annulled: it stands at {now.moment}.  Its dice are known, and it takes no more orders.{anew}"


def answer(office: Office, campaign: str, values: Values) -> str:
    """Answer a question of the rules."""
    adjudicate.answer(office, campaign, values["key"], values["text"])
    return "Answered."


def note(office: Office, campaign: str, values: Values) -> str:
    """Put a note on the next report of a role."""
    whose = annotate.note(office, campaign, values["role"], values["text"])
    return f"Noted for {whose}, on the next report."


def write(office: Office, campaign: str, values: Values) -> str:
    """Write to a role, or to all."""
    reached = letter.write_to(office, campaign, values["role"], values["text"], subject=values["subject"])
    stopped = [who.name or who.id for _, who in reached if who.stopped_at is not None]
    more = f"  It does not leave for {', '.join(stopped)}, who want no letters." if stopped else ""
    return f"A letter to {', '.join(one for one, _ in reached)}.{more}"


def set_term(office: Office, campaign: str, values: Values) -> str:
    """Change a term."""
    value: object = values["value"]
    if values["term"] == "early":
        value = _YES.get(values["value"].casefold(), value)
    enrol.set_terms(office, campaign, {values["term"]: value}, values["reason"], phase=values["phase"])
    where = f" of phase {values['phase']}" if values["phase"] else ""
    return f"{values['term']}{where} is {values['value']} from now on."


def add(office: Office, campaign: str, values: Values) -> str:
    """Enrol a person."""
    added = enrol.add_player(
        office, campaign, values["role"], name=values["name"], address=values["address"], zone=values["zone"] or None
    )
    return f"{added.name} plays {values['role']}; letters come from {added.address}."


def replace(office: Office, campaign: str, values: Values) -> str:
    """Give a role to another person."""
    new = changes.replace_player(
        office,
        campaign,
        values["role"],
        name=values["name"],
        address=values["address"],
        zone=values["zone"] or None,
        reason=values["reason"],
    )
    return f"{new.name} plays {values['role']} now.  He is briefed, and the others are told."


def withdraw(office: Office, campaign: str, values: Values) -> str:
    """Let nobody play a role for now."""
    gone = changes.withdraw_player(office, campaign, values["role"], reason=values["reason"])
    return f"{gone.name or gone.id} no longer plays {values['role']}; nobody does."


def observe(office: Office, campaign: str, values: Values) -> str:
    """Let a person look on."""
    added = observers.admit(
        office, campaign, name=values["name"], address=values["address"], zone=values["zone"] or None
    )
    return f"{added.name} looks on.  The players are told that somebody does."


def unobserve(office: Office, campaign: str, values: Values) -> str:
    """Let a person look on no more."""
    gone = observers.remove(office, campaign, values["who"], reason=values["reason"])
    return f"{gone.name or gone.id} looks on no more."


def resend(office: Office, campaign: str, values: Values) -> str:
    """Send a briefing again."""
    briefed = changes.resend_briefing(office, campaign, values["role"])
    return f"The briefing of {values['role']} waits to leave for {briefed.address}."


def book(office: Office, campaign: str, values: Values) -> str:
    """Book a player absent."""
    since, until = _day(values["since"]), _day(values["until"])
    booked = absences.book_for(office, campaign, values["role"], since, until)
    moved = "  The open exchange is due later now." if booked.moved else ""
    hour = in_zone(booked.absence.until, office.settings.zone)
    return f"{values['role']} is absent until {hour}; {booked.left} days are left.{moved}"


def back(office: Office, campaign: str, values: Values) -> str:
    """Cancel what a player has booked."""
    gone = absences.cancel_for(office, campaign, values["role"], values["reason"])
    return f"Cancelled: {plural(len(gone), 'absence')}.  Deadlines that were moved stay."


def start(office: Office, campaign: str, values: Values) -> str:
    """Set the field up, and brief everybody."""
    dossier = enrol.start(office, campaign, anyhow=values["now"] == "on")
    now = dossier.exchange()
    return f"It has begun: {now.moment}, due {when(now.deadline, office.settings.zone)}.  The briefings leave."


def end(office: Office, campaign: str, values: Values) -> str:
    """Break the campaign off."""
    if values["sure"].casefold() != campaign.casefold():
        raise Refused(f"to end it for good, type {campaign}.  Nothing was ended.")
    return f"It is over: {enrol.end(office, campaign, values['reason']).how}.  The players are told."


def make_public(office: Office, campaign: str, values: Values) -> str:
    """Write the pages of the game for everybody."""
    roles = [values["role"]] if values["role"] else []
    written = site.write(office, campaign, inside(office.folder, PUBLIC), roles, everything=not roles)
    return f"{plural(len(written), 'page')} are there for everybody: /public/"


def moment_of(text: str) -> Moment | None:
    """What `5A` means; None if it is empty.

    :raises Refused: if it is none.
    """
    try:
        return Moment.parse(text) if text else None
    except BadMoment as error:
        raise Refused(f"{error}.") from None


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise Refused(f'"{text[:40]}" is no day: write it like 2026-12-24.') from None


def _hour(text: str, zone: str) -> int:
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise Refused(f'"{text[:40]}" is no hour: write it like 2026-12-24T20:00.') from None
    aware = at if at.tzinfo else at.replace(tzinfo=ZoneInfo(zone))
    return (aware - _EPOCH) // timedelta(microseconds=1)


def seq_of(office: Office, campaign: str) -> int:
    """Where the log of a campaign ends, as the desk counts it."""
    with office.read() as connection:
        return counted(load(office, connection, campaign))


DEEDS = (
    Deed(
        name="run", label="Resolve and stage", right="run", does=run, of_log=True,
        command="pbem turn run {campaign}",
        fields=(
            Field(name="early", label="Before its hour, whatever is owed", kind="yes", needed=False),
            Field(name="defaults", label="For open questions take what is taken for silence", kind="yes", needed=False),
        ),
        hint="Staged is not sent: the players see nothing until you release it.",
    ),
    Deed(
        name="release", label="Release the reports", right="run", does=release, of_log=True,
        command="pbem turn release {campaign}",
        fields=(Field(name="early", label="Before the hour of its reports, if it is set", kind="yes", needed=False),),
    ),
    Deed(
        name="extend", label="Give more time", right="run", does=extend,
        command="pbem turn extend {campaign} --hours 24 --reason …",
        fields=(
            Field(name="turn", kind="given", needed=False, longest=12),
            Field(name="hours", label="So many hours more", kind="number", needed=False, value="24", longest=4),
            Field(name="until", label="Or until, by the office’s clock", kind="hour", needed=False),
            TOLD,
        ),
    ),
    Deed(
        name="pause", label="Pause the game", right="run", does=pause,
        command="pbem campaign pause {campaign} --reason …", fields=(TOLD,),
    ),
    Deed(
        name="resume", label="Go on", right="run", does=resume, command="pbem campaign resume {campaign}",
        fields=(Field(name="reason", label="What the players are told beside", needed=False),),
    ),
    Deed(
        name="annul", label="Annul what was resolved", right="rule", does=annul, of_log=True,
        command="pbem turn annul {campaign} --turn … --reason …",
        fields=(
            Field(name="turn", label="From this turn on, like 5A; else the last", needed=False, longest=12),
            Field(name="reopen", label="Orders are open again, with new dice", kind="yes", needed=False),
            TOLD,
        ),
    ),
    Deed(
        name="answer", label="Answer", right="rule", does=answer, command="pbem turn answer {campaign} {key} …",
        fields=(
            Field(name="key", kind="given", longest=200),
            Field(name="text", label="Your answer", longest=400),
        ),
    ),
    Deed(
        name="note", label="Add a note", right="rule", does=note, command="pbem turn note {campaign} ROLE …",
        fields=(ROLE, Field(name="text", label="It stands signed on the next report", kind="text", longest=4000)),
    ),
    Deed(
        name="write", label="Write", right="post", does=write, command="pbem player write {campaign} ROLE …",
        fields=(
            Field(name="role", label="To", kind="role", choices=("all",)),
            Field(name="subject", label="Subject", needed=False, longest=120),
            Field(name="text", label="Your letter", kind="text", longest=20_000),
        ),
    ),
    Deed(
        name="set", label="Change a term", right="run", does=set_term, command="pbem campaign set {campaign} --TERM …",
        fields=(
            Field(name="term", label="Term", kind="choice", choices=TERMS),
            Field(name="value", label="Its value", longest=400),
            Field(name="phase", label="For this phase alone, like B", needed=False, longest=60),
            Field(name="reason", label="Why: it stands in the log", needed=False),
        ),
    ),
    Deed(
        name="add", label="Enrol a player", right="people", does=add,
        command="pbem player add {campaign} ROLE --name … --address …", fields=(ROLE, *PERSON),
    ),
    Deed(
        name="replace", label="Give a role to another", right="people", does=replace, of_log=True,
        command="pbem player replace {campaign} ROLE --name … --address … --reason …", fields=(ROLE, *PERSON, REASON),
    ),
    Deed(
        name="withdraw", label="Let nobody play a role", right="people", does=withdraw, of_log=True,
        command="pbem player withdraw {campaign} ROLE --reason …", fields=(ROLE, REASON),
    ),
    Deed(
        name="observe", label="Let somebody look on", right="people", does=observe,
        command="pbem observer add {campaign} --name … --address …", fields=PERSON,
        hint="He sees what the terms say, and when they say it.  All players are told that somebody looks on.",
    ),
    Deed(
        name="unobserve", label="He looks on no more", right="people", does=unobserve,
        command="pbem observer remove {campaign} {who}",
        fields=(Field(name="who", kind="given"), Field(name="reason", label="Why: he is told", needed=False)),
    ),
    Deed(
        name="resend", label="Send a briefing again", right="people", does=resend,
        command="pbem player resend-briefing {campaign} ROLE", fields=(ROLE,),
    ),
    Deed(
        name="book", label="Book a player absent", right="run", does=book,
        command="pbem campaign absence {campaign} --book ROLE --since … --until …",
        fields=(
            ROLE,
            Field(name="since", label="The first day", kind="day"),
            Field(name="until", label="The last day", kind="day"),
        ),
    ),
    Deed(
        name="back", label="Cancel an absence", right="run", does=back,
        command="pbem campaign absence {campaign} --cancel ROLE",
        fields=(ROLE, Field(name="reason", label="Why: it stands in the log", needed=False)),
    ),
    Deed(
        name="start", label="Begin the campaign", right="run", does=start, of_log=True,
        command="pbem campaign start {campaign}",
        fields=(Field(name="now", label="Though somebody has not answered", kind="yes", needed=False),),
    ),
    Deed(
        name="end", label="Break the campaign off", right="rule", does=end, of_log=True,
        command="pbem campaign end {campaign} --reason …",
        fields=(TOLD, Field(name="sure", label="Type the name of the campaign", longest=80)),
    ),
    Deed(
        name="publish", label="Show the game to everybody", right="rule", does=make_public,
        command="pbem history publish {campaign} --site public",
        fields=(
            Field(name="role", label="Through whose eyes; of a game that is over, all", kind="role", needed=False),
        ),
        hint="Names and letters stand there only by leave of those whose they are.",
    ),
)  # fmt: skip
"""In the order in which a game meets them."""

BY_NAME = {deed.name: deed for deed in DEEDS}
