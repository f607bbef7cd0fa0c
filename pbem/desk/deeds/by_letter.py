"""What the words of somebody who runs games come to: each does what its command does.

A word that cannot be undone is shown first: what would come of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from pbem.desk.access.people import EVERYWHERE, Person
from pbem.desk.books import dossiers
from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.owed import Owed, ReportLetter
from pbem.desk.deeds import of_campaign
from pbem.desk.deeds.deed import read
from pbem.desk.deeds.words import WORDS, Asked
from pbem.desk.gm import ruling, waiting
from pbem.desk.gm.ruling import Ruling
from pbem.desk.gm.sealed import SEALED, sealed
from pbem.desk.gm.withheld import letter_on_page
from pbem.desk.office.office import Office
from pbem.desk.post.guides import guide_letter
from pbem.desk.post.post import AGAIN
from pbem.desk.turns import asked as runs
from pbem.desk.turns import exchange
from pbem.desk.turns.exchange import Turn
from pbem.kernel.errors import PbemError, Refused
from pbem.kernel.exchange import Exchange
from pbem.kernel.names import CampaignId
from pbem.mail.reading.letter import read_head
from pbem.orders.prose import listed
from pbem.reports.pages.environment import called
from pbem.reports.text.plain import plural, printable
from pbem.reports.text.times import due, in_zone

SHOWN = 200
"""Lines of a letter that are shown."""


class Word(Struct, frozen=True, kw_only=True):
    """A word to be done: in which office, by whom, in which game."""

    office: Office
    """In which the log names who wrote it, and in which letter."""
    person: Person
    address: str
    """Where he reads letters."""
    mark: str
    """What tells it from all others."""
    written: int
    """When, at the latest, in microseconds UTC."""
    campaign: str
    """Empty: of the office."""
    asked: Asked

    @property
    def values(self) -> Mapping[str, str]:
        """What its line takes."""
        return self.asked.values


class Came(Struct, frozen=True, kw_only=True):
    """What came of a word."""

    well: bool
    says: str
    block: str = ""
    """What is told as it stands, line by line."""
    owes: tuple[Owed, ...] = ()


def done(word: Word) -> Came:
    """Do a word, unless it was done before; what is refused is said."""
    try:
        if word.campaign and _is_done(word):
            return Came(well=True, says="That was done.")
        return DOES[word.asked.word](word)
    except PbemError as error:
        return Came(well=False, says=str(error))


def foreseen(word: Word) -> Came:
    """What would come of a word; of one that is not asked back, nothing is said."""
    try:
        show = FORESEES.get(word.asked.word)
        return show(word) if show else Came(well=True, says="Would be done as it stands.")
    except PbemError as error:
        return Came(well=False, says=str(error))


def why_not(word: Word) -> str:
    """Why he may not have it done, in a sentence; empty if he may.

    In a game in which he has a side he may no more than any player.
    """
    right, person = WORDS[word.asked.word].right, word.person
    if right is None:
        return ""
    if not word.campaign:  # in which games he may, is seen when it is done
        may = any(right in rights for rights in person.rights.values())
    else:
        may = person.may(right, word.campaign)
    if not may and word.campaign in person.sides:
        return f"You have a side in {word.campaign}: there you are a player like any other."
    return "" if may else f"You may not do that{f' in {word.campaign}' if word.campaign else ''}."


def _is_done(word: Word) -> bool:
    """Whether its log says that it was done: whoever did it may have died before he could say so."""
    with word.office.read() as connection:
        own = dossiers.load(word.office, connection, word.campaign).own
    return any(one.actor == word.office.by for one in own)


def _deed(name: str, word: Word, /, **values: str) -> Came:
    """Do a deed as its form does."""
    deed = of_campaign.BY_NAME[name]
    filled = read(deed, {field.name: values.get(field.name, "") for field in deed.fields})
    return Came(well=True, says=deed.does(word.office, word.campaign, filled))


def _exchange(word: Word) -> Exchange:
    """The exchange opened last.

    :raises Refused: if the word names another turn, or none, and was written of the one before.
    """
    return exchange.named(word.office, word.campaign, word.values["turn"], written=word.written)


def _run(word: Word) -> Came:
    _exchange(word)
    early, defaults = bool(word.values["early"]), bool(word.values["defaults"])
    asked = runs.run(word.office, word.campaign, early=early, defaults=defaults)
    return Came(well=True, says=f"{asked.moment} is run within a minute: `status` says what it has come to.")


def _release(word: Word) -> Came:
    now = _exchange(word)
    if now.state in ("open", "halted"):
        raise Refused(f"{now.moment} is not run yet: write run {now.moment}.  Nothing was done.")
    return _deed("release", word, early="on" if word.values["early"] else "")


def _extend(word: Word) -> Came:
    _exchange(word)
    hours = word.values["hours"] or (str(int(word.values["days"]) * 24) if word.values["days"] else "")
    day, _, hour = word.values["until"].partition(" ")
    until = f"{day}T{hour:0>5}" if hour else day
    return _deed("extend", word, hours=hours, until=until, reason=word.values["reason"])


def _hold(word: Word) -> Came:
    release = "auto" if word.values["switch"] == "off" else "gm"
    _deed("set", word, term="release", value=release, reason="")
    by_itself = "What is resolved is made known by itself from now on."
    return Came(well=True, says=by_itself if release == "auto" else "What is resolved waits for your release.")


def _start(word: Word) -> Came:
    return _deed("start", word, now="on" if word.values["now"] else "")


def _as_it_is(name: str) -> Callable[[Word], Came]:
    """A word that takes what its deed takes."""
    return lambda word: _deed(name, word, **word.values)


def _annul(word: Word) -> Came:
    values = word.values
    return _deed("annul", word, turn=values["turn"].upper(), reopen="on" if values["reopen"] else "", reason=_why(word))


def _shown_annul(word: Word) -> Came:
    turn = word.values["turn"].upper()
    reopen = bool(word.values["reopen"])
    gone = exchange.to_annul(word.office, word.campaign, of_campaign.moment_of(turn), reopen=reopen)
    lost = f"What {listed([str(one) for one in gone])} came to would be annulled." if gone else ""
    again = "Orders would be open again, with new dice." if reopen else ""
    over = exchange.is_over(word.office, word.campaign)
    anew = "The game is over, and would go on; its pages for everybody would be taken down." if over else ""
    return Came(well=True, says="  ".join(filter(None, (lost, again, anew))))


def _end(word: Word) -> Came:
    return _deed("end", word, reason=_why(word), sure=word.campaign)


def _why(word: Word) -> str:
    return " ".join(word.values["reason"].split())


def _directives(word: Word) -> list[str]:
    return [line.strip() for line in word.values.get("directives", "").splitlines() if line.strip()]


def _ruling(word: Word) -> Came:
    made = ruling.rule(word.office, word.campaign, _directives(word), _why(word), make=True)
    moved = f"  Open now: {made.opens}." if made.opens else ""
    return Came(well=True, says=f"Ruled.{moved}")


def _shown_ruling(word: Word) -> Came:
    if not _why(word):
        raise Refused("a ruling needs a reason, which stands in the log: write it behind `ruling:`.")
    shown = ruling.rule(word.office, word.campaign, _directives(word), _why(word))
    return Came(well=True, says=f"A ruling on {shown.moment}.", block=_in_lines(shown))


def _in_lines(shown: Ruling) -> str:
    """What a ruling would change, and who would learn what of it."""
    lines = [f"{one.name}: {one.before or 'none'} → {one.after or 'none'}" for one in shown.changes]
    lines = lines or (["Nothing changes but what is known."] if shown.facts else [])
    for die in shown.forced:
        lines.append(f"{die.name}  {' '.join(map(str, die.faces)) or 'as its seed gives'}: {die.says}")
    for role, told in shown.learns.items() if shown.facts else ():
        lines.append(f"{role} learns: {' '.join(told) or 'nothing'}")
    if shown.opens:
        lines.append(f"Play moves from {shown.moment} to {shown.opens}, and that is opened.")
    return "\n".join(lines)


def _replaced(word: Word) -> Came:
    with word.office.read() as connection:
        dossier = dossiers.load(word.office, connection, word.campaign)
    role = dossier.role(word.values["role"])
    name, address = word.values["name"], word.values["address"]
    return Came(well=True, says=f"{name}, {address}, would play {role} of {dossier.id}, and be briefed at once.")


def _of_game(says: str) -> Callable[[Word], Came]:
    """What is said of a word that would be done to a game."""

    def show(word: Word) -> Came:
        with word.office.read() as connection:
            dossiers.load(word.office, connection, word.campaign)
        return Came(well=True, says=says.format(campaign=word.campaign, **word.values))

    return show


# What only asks.


def help_lines() -> str:
    """Every word, an example of each and what it does."""
    words = "\n".join(f"{one.example}\n    {one.says}" for one in WORDS.values())
    return f"game NAME\n    of which game the words below it are\n{words}"


def _help(word: Word) -> Came:
    if name := word.values.get("guide", "").casefold():
        owed = Owed(
            campaign=CampaignId(""),
            cause=f"guide/{name}/{word.mark}",
            kind="notice",
            says=guide_letter(word.office, name),
            at=word.office.now(),
            gm=word.address,
            bare=True,
        )
        return Came(well=True, says=f"The guide `{name}` comes in a letter of its own.", owes=(owed,))
    return Came(well=True, says="What the office does at your word.", block=help_lines())


def _status(word: Word) -> Came:
    with word.office.read() as connection:
        names = [CampaignId(word.campaign)] if word.campaign else dossiers.campaigns(connection)
        found, closed = dossiers.sorted_out(word.office, connection, names)
    shut = [f"{name}: cannot be opened: {why}" for name, why in closed.items() if word.person.may("look", name)]
    mine = [one.id for one in found if word.person.may("look", one.id) and not _is_over(word, one)]
    if not mine and not shut:
        return Came(well=True, says="No game of yours is being played.")
    return Came(
        well=True, says="How things stand.", block="\n\n".join([*shut, *(_stands(word, name) for name in mine)])
    )


def _is_over(word: Word, dossier: Dossier) -> bool:
    return dossier.campaign.copied or (dossier.campaign.ended is not None and dossier.id != word.campaign)


def _stands(word: Word, name: str) -> str:
    office = word.office
    with office.read() as connection:
        dossier = dossiers.load(office, connection, name)
    if dossier.campaign.now is None:
        there = listed([role for role in dossier.roles if role in dossier.campaign.players]) or "nobody"
        return f"{name}: not begun; enrolled: {there}"
    return _turn_in_lines(exchange.turn(office, name), office.settings.zone)


def _turn_in_lines(turn: Turn, zone: str) -> str:
    now, campaign = turn.exchange, turn.dossier.campaign
    lines = [f"{turn.dossier.id}: {called(now.moment, now.name)}, {now.state}"]
    if campaign.paused_at:
        lines.append(f"  paused: {campaign.paused}")
    elif now.state == "open":
        lines.append(f"  due {due(now.deadline, zone, turn.now)}")
    elif now.state == "resolved":
        lines.append(
            "  waits for your release" if campaign.terms.release == "gm" else "  its reports leave by themselves"
        )
    lines += [f"  {one.role}: {one.state}{', wait on' if one.wait else ''}" for one in turn.roles if one.owed]
    lines += [f"  asks {one.key}: {one.asks}" for one in turn.queries if one.to is None]
    return "\n".join(lines)


def _report(word: Word) -> Came:
    turn = word.values["turn"].upper()
    with word.office.read() as connection:
        dossier = dossiers.load(word.office, connection, word.campaign)
    role = dossier.role(word.values["role"])
    issued = [one for one in dossier.campaign.reports.get(role, ()) if not turn or str(one.moment).upper() == turn]
    if not issued:
        raise Refused(f"{role} has had no report{f' {turn}' if turn else ''} yet.")
    newest = issued[-1]
    owed = Owed(
        campaign=dossier.id,
        cause=f"{AGAIN}{newest.moment}/{role}/{word.mark}",
        kind="report",
        says=ReportLetter(newest.moment, newest.version, word.office.settings.zone),
        at=word.office.now(),
        gm=word.address,
        role=role,
        title=dossier.opened.title,
        thread="thread",
    )
    return Came(well=True, says=f"Report {newest.moment} of {role} is on its way to you.", owes=(owed,))


def _letters(word: Word) -> Came:
    zone = word.office.settings.zone
    if not any(_may_deal(word, name) for name in (*word.person.rights, EVERYWHERE)):
        raise Refused("letters of games are not for you to deal with.")
    lines, seal = [], sealed(word.office)
    for one in waiting.listing(word.office):
        if not _may_deal(word, one.campaign or EVERYWHERE) or seal.letter(one):
            continue
        head = read_head(waiting.read(word.office, one.id)[1])
        about = f"{printable(head.sender.address or 'nobody')}: {printable(head.subject)[:60]}"
        lines.append(f"{one.id}  {in_zone(one.received_at, zone)}  {one.state}  {about}\n    {one.reason}")
    return Came(
        well=True, says=f"{plural(len(lines), 'letter')} wait{'s' if len(lines) == 1 else ''}.", block="\n".join(lines)
    )


def _may_deal(word: Word, campaign: str) -> bool:
    return word.person.may("post", campaign)


def letter_of(word: Word) -> int:
    """The number of the letter that a word is about.

    :raises Refused: if there is none, or he may not deal with it.
    """
    number = int(word.values["letter"])
    row, _ = waiting.read(word.office, number)
    if not _may_deal(word, row.campaign or EVERYWHERE):
        raise Refused(f"letter {number} is not for you to deal with.")
    return number


def _show(word: Word) -> Came:
    number = letter_of(word)
    row, raw = waiting.read(word.office, number)
    if row.state not in waiting.WAITING:
        raise Refused(f"letter {number} does not wait: it is {row.state}.")
    if sealed(word.office).letter(row):
        raise Refused(SEALED)
    lines = [printable(line) for line in letter_on_page(word.office, row, raw).splitlines()[:SHOWN]]
    return Came(well=True, says=f"Letter {number}, {row.state}: {row.reason}", block="\n".join(lines))


def _discard(word: Word) -> Came:
    number = letter_of(word)
    waiting.discard(word.office, number, _why(word))
    return Came(well=True, says=f"Letter {number} is put away; its bytes are kept.")


def _shown_discard(word: Word) -> Came:
    number = letter_of(word)
    head = read_head(waiting.read(word.office, number)[1])
    about = f"“{printable(head.subject)[:80]}” from {printable(head.sender.address or 'nobody')}"
    return Came(well=True, says=f"Letter {number}, {about}, would be put away for good.")


DOES: Mapping[str, Callable[[Word], Came]] = {
    "help": _help,
    "status": _status,
    "report": _report,
    "run": _run,
    "release": _release,
    "extend": _extend,
    "pause": _as_it_is("pause"),
    "resume": _as_it_is("resume"),
    "hold": _hold,
    "set": _as_it_is("set"),
    "start": _start,
    "letter to": _as_it_is("write"),
    "answer": _as_it_is("answer"),
    "note": _as_it_is("note"),
    "ruling": _ruling,
    "annul": _annul,
    "enrol": _as_it_is("add"),
    "replace": _as_it_is("replace"),
    "withdraw": _as_it_is("withdraw"),
    "end": _end,
    "letters": _letters,
    "show": _show,
    "discard": _discard,
}
"""What does each word; `accept` is the intake's, which reads the letter anew."""

FORESEES: Mapping[str, Callable[[Word], Came]] = {
    "ruling": _shown_ruling,
    "annul": _shown_annul,
    "replace": _replaced,
    "withdraw": _of_game("Nobody would play {role} of {campaign} for now."),
    "end": _of_game("{campaign} would be over, for good."),
    "discard": _shown_discard,
}
"""What would come of each word that is asked back."""
