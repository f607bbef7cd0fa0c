"""The office's own words in a sheet, and what each of them does.

What only asks is answered in one letter; what changes something is an event as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from textwrap import fill
from typing import Literal, get_args

from msgspec import convert

from pbem.desk.books import early, standing
from pbem.desk.books.owed import ReportLetter, ShortLetter
from pbem.desk.gm import history
from pbem.desk.intake import diary, himself, leaving, preferences, press, standing_in, voting
from pbem.desk.intake.intake import Answer, Intake, closed, reopen, told_by, withdraw
from pbem.desk.post.post import AGAIN
from pbem.desk.sheets import receipts, sheets
from pbem.desk.sheets.closing import KNOWN
from pbem.desk.sheets.receipts import Standpoint
from pbem.desk.turns import queries
from pbem.kernel.campaign import SHEET_RECEIPTS, Issued
from pbem.kernel.errors import BadMoment
from pbem.kernel.event import kind_of
from pbem.kernel.names import Moment
from pbem.kernel.office import FormChosen, LeaveSaid, QueryAnswered, ReadySaid, ReportForm, WaitSet
from pbem.orders.commands import WORDS
from pbem.orders.prose import listed
from pbem.orders.words import Command, Sheet
from pbem.reports.pages.environment import called
from pbem.reports.pages.notice import Notice
from pbem.reports.pages.receipt import check_lines, judged
from pbem.reports.text.times import due, in_zone, when

Leave = Literal["name", "letters", "diary"]
LEAVES: tuple[Leave, ...] = get_args(Leave)
"""What of a player is shown to others by his word alone."""

_FORMS: Mapping[ReportForm, str] = {
    "page": "Your reports come as a page alone.",
    "json": "Your reports come as JSON too, in a file beside the page. `format page` takes that back.",
    "link": "Of each report a link to its page comes, and no more. `report` sends one whole, `format page` all again.",
}

_RECEIVED = {
    "orders_accepted": "accepted",
    "orders_kept": "kept for later",
    "orders_refused": "refused",
    "orders_withdrawn": "withdrawn",
}


OWNERS = frozenset({"resign", "vacation", "publish", "format", "digest", "propose", "vote", "substitute", "proxy"})
"""Words that concern the player of a role himself: who stands in for him does not say them."""


def obey(intake: Intake, at: Standpoint, sheet: Sheet, *, alone: bool) -> None:
    """Do what the commands of *sheet* ask, in their order, and answer them in one letter.

    *alone*: no other answer follows that says what became of the other lines.
    """
    said: list[Answer] = []
    own = intake.entry.dossier.campaign.players.get(intake.role) == intake.player.id
    for command in sheet.commands:
        if command.word in OWNERS and not own:
            intake.refused = True
            said.append(("", f'"{command.word}" was not done: it is for the player of {intake.role} himself.'))
        elif todo := WHAT_TO_DO.get(command.word):
            said += todo(intake, at, sheet, command)
    if said and alone:
        said += [("", sentence) for sentence in _not_done(sheet)]
        said += intake.beside
    tell(intake, sheet, said)


def tell(intake: Intake, sheet: Sheet, said: Sequence[Answer]) -> None:
    """Owe one letter that answers the commands of *sheet*, if there is anything to say."""
    if not said:
        return
    sentences = [text for label, text in said if not label]
    dossier = intake.entry.dossier
    notice = Notice(
        campaign=dossier.id,
        subject=f"[{dossier.id}] {', '.join(dict.fromkeys(map(voting.in_a_subject, sheet.commands)))}",
        heading="From the office",
        body="\n\n".join(sentences),
        quoted=tuple((label, text) for label, text in said if label),
    )
    intake.outcome = intake.outcome or "answered"
    intake.answer(ShortLetter(told_by(intake, notice)))


def _not_done(sheet: Sheet) -> list[str]:
    """Sentences on the words to the office that were refused."""
    return [f'"{line.text.strip()}" was not done: {one.why}.' for line, one in sheet.refused]


def preview(intake: Intake, at: Standpoint, sheet: Sheet) -> None:
    """Say what the lines of *sheet* would be taken for, and come to by what the role knows; enter nothing.

    A sheet without any is about those that stand.
    """
    dossier = intake.entry.dossier
    moment = intake.moment or at.moment
    text = sheets.written(sheet.orders) or "\n".join(in_force(intake, moment))
    call = at.call if moment == at.moment else None
    read = sheets.judge(dossier.system, dossier.scene, at.mind, at.role, text, call)
    lines = check_lines(str(moment), judged(read.lines, read.complaints, {}), says="Nothing was entered.")
    whose = "Your lines" if sheet.orders else f"Your orders for {moment} as they stand"
    quoted = [(whose, text), ("What a receipt would say", lines)]
    if call is not None:
        if seen := receipts.forecast(at, read.orders):
            said = "\n".join(f"{line or '':3}  {words}" for line, words in seen)
            quoted.append(("Your orders as read, by what you know", said))
        if idle := receipts.idle(at, read.orders):
            quoted.append(("No order, so", "\n".join(idle)))
    if not_done := _not_done(sheet):
        quoted.append(("Words to the office", "\n".join(not_done)))
    quoted += intake.beside
    notice = Notice(
        campaign=dossier.id,
        subject=f"[{dossier.id}] {moment} preview",
        heading="A preview; nothing was entered",
        quoted=tuple(quoted),
    )
    intake.outcome = "previewed"
    intake.answer(ShortLetter(told_by(intake, notice)))


def in_force(intake: Intake, moment: Moment) -> tuple[str, ...]:
    """The lines of the role that stand for *moment*."""
    there = intake.entry.dossier.campaign.sheets.get((moment, intake.role))
    return sheets.in_force(there) if there else ()


def send_report(intake: Intake, moment: Moment | None, *, of_turn: bool = False) -> str:
    """Owe the newest report of the role, or that of *moment*, once more; gives what there is to say.

    *of_turn*: the newest of its turn.
    """
    dossier, role = intake.entry.dossier, intake.role

    def wanted(one: Issued) -> bool:
        if moment is None:
            return True
        return one.moment.turn == moment.turn if of_turn else one.moment == moment

    issued = [one for one in dossier.campaign.reports.get(role, ()) if wanted(one)]
    if not issued:
        return f"There is no report {moment} to send." if moment else "There is no report yet."
    newest = issued[-1]
    cause = f"{AGAIN}{newest.moment}/{role}/{intake.mark}"
    intake.answer(ReportLetter(newest.moment, newest.version), kind="report", cause=cause)
    return f"Report {newest.moment} is on its way to you."


def _withdraw(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    if command.argument:
        return voting.take_back(intake, command)
    if intake.stale:
        intake.refused = True
        return [("", f"Nothing was withdrawn: {intake.stale}.")]
    moment = intake.moment or at.moment
    said = withdraw(intake, at, moment)
    runs = "" if intake.refused or sheet.orders or moment != at.moment else _runs(intake, at)
    return [("", f"{said} {runs}".rstrip())]


def _wait(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    moment, on = at.exchange.moment, command.argument.casefold() != "off"
    if why := closed(intake, at):
        intake.refused = True
        return [("", f"Your wait cannot be changed: {why}.")]
    _set_wait(intake, at, moment, on=on)
    return [] if sheet.orders else [("", f"Your wait for {moment} is {'on' if on else 'off'}. {_runs(intake, at)}")]


def _set_wait(intake: Intake, at: Standpoint, moment: Moment, *, on: bool) -> None:
    if intake.entry.dossier.campaign.waits.get((moment, at.role), False) == on:
        return
    if on:
        reopen(intake, at)
    intake.entry.add(moment, WaitSet(role=at.role, moment=moment, on=on))
    intake.outcome = f"wait {'on' if on else 'off'}"


def _ready(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    """Let what stands be played as it stands; beside orders it says no more than that nobody need wait.

    What was refused of a sheet its writer does not know yet when he writes it.
    """
    if why := closed(intake, at):
        intake.refused = True
        return [("", f"Nothing changes: {why}.")]
    if at.moment.waits:
        return [("", f"Nothing is asked of you now: {at.exchange.moment} is being played.")]
    if command.argument.casefold() == "off":
        return _not_ready(intake, at, sheet)
    _set_wait(intake, at, at.exchange.moment, on=False)
    if sheet.orders:
        return []
    there = intake.entry.dossier.campaign.sheets.get((at.moment, at.role))
    if there is None:
        return [("", f"You have no orders for {at.moment} that could be played. {_runs(intake, at)}")]
    word = intake.entry.dossier.campaign.words.get((at.moment, at.role))
    if (word is None or word.what != "ready") and early.hold(intake.entry.dossier, at.moment, at.role, must=True):
        intake.entry.add(at.exchange.moment, ReadySaid(role=at.role, moment=at.moment))
        intake.outcome = "ready"
    said = f"Your orders for {at.moment}, receipt {there.receipt}, are to be played as they stand."
    return [("", f"{said} {_runs(intake, at)}")]


def _not_ready(intake: Intake, at: Standpoint, sheet: Sheet) -> list[Answer]:
    """Take `ready` back; what was run before its hour by it is void."""
    word = intake.entry.dossier.campaign.words.get((at.moment, at.role))
    if word is not None and word.what == "ready":
        reopen(intake, at)
        intake.entry.add(at.exchange.moment, ReadySaid(role=at.role, moment=at.moment, on=False))
        intake.outcome = "not ready"
    return [] if sheet.orders else [("", f"Your `ready` for {at.moment} is taken back. {_runs(intake, at)}")]


def _runs(intake: Intake, at: Standpoint) -> str:
    return receipts.runs(intake.entry.dossier, at, now=intake.entry.at, zone=intake.player.zone)


def _umpire(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    press.to_umpire(intake, at.exchange.moment, command.argument)
    return [("Passed to the umpire", command.argument)]


def _letter(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    return press.deliver(intake, at.exchange.moment, command)


def _answer(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    """Enter the answer of a role to a question of the rules, or say why it is none."""
    if at.exchange.known:
        intake.refused = True
        return [("", f"Your answer to {command.about} is not taken: {KNOWN}.")]
    mine = queries.open_to(intake.entry, intake.role)
    query = next((one for one in mine if one.key.casefold() == command.about.casefold()), None)
    given = " ".join(command.argument.split())
    if query is None:
        intake.refused = True
        there = ", ".join(one.key for one in mine) or "none"
        return [("", f"No question {command.about} waits for you. Open: {there}.")]
    option = next((one for one in query.options if one.casefold() == given.casefold().rstrip(".")), None)
    if query.options and option is None:
        intake.refused = True
        return [("", f'"{given}" does not answer {query.key}. One of: {", ".join(query.options)}.')]
    answer = option or command.argument
    intake.entry.add(query.moment, QueryAnswered(moment=query.moment, key=query.key, answer=answer, by="role"))
    return [(f"Your answer to {query.key} is taken", answer)]


def _vacation(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    return leaving.vacation(intake, command)


_LEAVE = re.compile(rf"({'|'.join(LEAVES)})\s+(yes|no)")


def _publish(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    """Write down what of the writer may be shown where the game is; alone it says what may now."""
    leave, player = intake.entry.dossier.campaign.leave, intake.player.id
    said = _LEAVE.fullmatch(command.argument.casefold().rstrip(" ."))
    if command.argument and said is None:
        intake.refused = True
        return [("", f'"publish {command.argument}" is not understood: `publish name yes`, `publish letters no`.')]
    now: dict[Leave, bool] = {what: leave.get((player, what), False) for what in LEAVES}
    if said is not None:
        what = convert(said[1], Leave)
        now[what] = said[2] == "yes"
        intake.entry.add(at.exchange.moment, LeaveSaid(role=intake.role, player=player, what=what, on=now[what]))
        intake.outcome = intake.outcome or "leave said"
    shown = "; ".join(f"your {what} {'may' if on else 'may not'} be shown" for what, on in now.items())
    return [("", f"Where this game is shown to others, {shown}.")]


def _digest(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    return preferences.digest(intake, at.exchange.moment, command)


def _note(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    diary.keep(intake, at.exchange.moment, command)
    return [("", diary.KEPT)]


def _stop(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    """Stop all letters to the writer but answers, of which he is told by a letter of its own; or a kind of them."""
    if command.argument:
        return preferences.stop(intake, at.exchange.moment, command)
    intake.stops = True
    intake.outcome = "it stopped the letters to its player"
    return []


def _resign(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    return leaving.resign(intake, command)


def _stand_in(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    return standing_in.name(intake, command)


def _join(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    """A letter that joins a game says so in its first line, and is for no other (`joining`)."""
    intake.refused = True
    said = f'"join {command.argument}" was not done: either no such game can be joined, or it needs a letter of its own'
    return [("", f"{said}, which begins with that line.")]


def _help(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    dossier = intake.entry.dossier
    others = [role for role in dossier.roles if role != intake.role]
    own = {"letter to": f"letter to {others[0]}: I ask for a truce."} if others else {}
    answers = [("Your orders, one on a line; an example of each", "\n".join(at.forms.values()))]
    words = "\n".join(f"{own.get(name, word.example)}\n{_wrapped(word.says)}" for name, word in WORDS.items())
    answers.append(("What the office understands, in a letter or as its subject", words))
    answers.append(("", press.rule(intake)))
    return answers


def _wrapped(text: str) -> str:
    return fill(text, 74, initial_indent="    ", subsequent_indent="    ", break_long_words=False)


def _status(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    exchange, campaign = at.exchange, intake.entry.dossier.campaign
    now, zone = intake.entry.at, intake.player.zone
    lines = [called(exchange.moment, exchange.name)]
    if campaign.paused_at:
        lines.append(f"paused since {when(campaign.paused_at, zone)}: {campaign.paused}")
    elif at.moment.halt == 0:
        lines.append(f"due {due(exchange.deadline, zone, now)}")
    if exchange.reports and not campaign.paused_at:
        lines.append(f"its reports leave {due(exchange.reports, zone, now)}")
    if at.moment.halt and not at.moment.waits:
        lines.append(f"you are asked at {called(at.moment, at.name)}")
        lines += [f"due {due(at.due, zone, now)}"] if at.due and not campaign.paused_at else []
    if at.call:
        lines.append(f"you {'owe' if at.call.must else 'may send'}: {listed(at.call.sorts)}")
    else:
        lines.append("nothing is asked of you")
    asked = exchange.moment if at.moment.waits else at.moment
    sheet_there = campaign.sheets.get((asked, at.role))
    lines.append(f"your orders: receipt {sheet_there.receipt}" if sheet_there else "your orders: none yet")
    lines += [
        f"kept for {'your next call' if moment.waits else moment}: receipt {kept.receipt}"
        for (moment, role), kept in sorted(campaign.sheets.items())
        if role == at.role and moment > asked and kept.kept
    ]
    lines.append(f"your wait: {'on' if campaign.waits.get((exchange.moment, at.role)) else 'off'}")
    lines += [said.replace("`", '"')] if (said := _runs(intake, at)) else []
    lines += voting.standing(intake)
    lines += preferences.standing(intake)
    answers = [("How things stand", "\n".join(lines))]
    for query in queries.open_to(intake.entry, at.role):
        answers.append((f"A question waits for you: {query.asks}", queries.lines(query)))
    if (own := standing.standing_of(intake.office, intake.connection, intake.player)) is not None:
        answers.append(("Your standing in this office, which your umpires see too", standing.in_words(own)))
    return answers


def _orders(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    moment = _moment(command.argument) or at.moment
    there = intake.entry.dossier.campaign.sheets.get((moment, at.role))
    if there is None:
        return [("", f"You have no orders for {moment}.")]
    waits = ", kept until it opens" if there.kept else ""
    return [(f"Your orders for {moment}{waits}, receipt {there.receipt}", "\n".join(sheets.in_force(there)))]


def _report(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    moment = _moment(command.argument)
    if command.argument and moment is None:
        return [("", f'"{command.argument}" is no turn. `history` lists the reports that there are.')]
    return [("", send_report(intake, moment, of_turn=command.argument.isdigit()))]


def _format(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    form = convert(command.argument.casefold(), ReportForm)
    if form == "link" and not intake.office.settings.web.url:
        return [("", "This office has no pages that a link could lead to: your reports come as before.")]
    if intake.entry.dossier.campaign.forms.get(intake.role, "page") != form:
        intake.entry.add(at.exchange.moment, FormChosen(role=intake.role, form=form))
        intake.outcome = f"reports as {form}"
    return [("", _FORMS[form])]


def _history(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    dossier, zone = intake.entry.dossier, intake.player.zone
    reports = [
        f"report {one.moment}".ljust(14) + in_zone(one.at, zone) + (f", version {one.version}" * (one.version > 1))
        for one in dossier.campaign.reports.get(at.role, ())
    ]
    known = history.known_to(dossier, at.role)
    receipts = [
        f"receipt {one.event.receipt}".ljust(14)
        + f"{in_zone(one.at, zone)}, {one.event.moment or one.moment}, {_RECEIVED[kind_of(one.event)]}"
        for one in known
        if isinstance(one.event, SHEET_RECEIPTS)
    ]
    rulings = [f"{one.moment}".ljust(6) + one.what for one in history.rulings(known)]
    return [
        ("Your reports so far. Send one of these lines to have it again", "\n".join(reports) or "none"),
        ("Your orders so far, by their receipts", "\n".join(receipts) or "none"),
        ("What the umpire ruled, as far as you know", "\n".join(rulings) or "nothing"),
        *diary.sent(intake),
    ]


def _of_himself(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    return himself.OF_HIMSELF[command.word](intake, command)


WHAT_TO_DO: Mapping[str, Callable[[Intake, Standpoint, Sheet, Command], list[Answer]]] = {
    "withdraw": _withdraw,
    "wait": _wait,
    "ready": _ready,
    "umpire": _umpire,
    "answer": _answer,
    "letter to": _letter,
    "note to self": _note,
    "help": _help,
    "status": _status,
    "orders?": _orders,
    "report": _report,
    "format": _format,
    "history": _history,
    "vacation": _vacation,
    "publish": _publish,
    **dict.fromkeys(himself.OF_HIMSELF, _of_himself),
    "stop": _stop,
    "digest": _digest,
    "join": _join,
    "substitute": _stand_in,
    "proxy": _stand_in,
    "resign": _resign,
    "propose": lambda intake, at, sheet, command: voting.propose(intake, command),
    "vote": lambda intake, at, sheet, command: voting.vote(intake, command),
}
"""By the office word; `add` and `preview` say how the order lines of the sheet are taken."""


def _moment(text: str) -> Moment | None:
    try:
        return Moment.parse(text) if text else None
    except BadMoment:
        return None
