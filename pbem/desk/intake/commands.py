"""The office's own words in a sheet, and what each of them does.

What only asks is answered in one letter; what changes something is an event as well.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from textwrap import fill

from pbem.desk.books import early, standing
from pbem.desk.books.owed import ReportLetter, ShortLetter
from pbem.desk.gm import history
from pbem.desk.intake import diary, himself, leaving, preferences, press, standing_in, voting
from pbem.desk.intake.intake import Answer, Intake, closed, reopen, told_by, withdraw
from pbem.desk.post.guides import guide_letter
from pbem.desk.post.post import AGAIN
from pbem.desk.sheets import receipts, sheets
from pbem.desk.sheets.closing import ENDED, KNOWN
from pbem.desk.sheets.receipts import Standpoint
from pbem.desk.sheets.spoken_words import also_said, as_spoken
from pbem.desk.turns import queries
from pbem.kernel.campaign import SHEET_RECEIPTS, Issued
from pbem.kernel.errors import BadMoment, Refused
from pbem.kernel.event import kind_of
from pbem.kernel.names import Moment
from pbem.kernel.office import QueryAnswered, ReadySaid, WaitSet
from pbem.orders.commands import WORDS
from pbem.orders.words import Command, Sheet
from pbem.reports.pages.environment import called
from pbem.reports.pages.notice import Notice
from pbem.reports.pages.receipt import check_lines, judged
from pbem.reports.text.speech import Row, phrase, phrase_later
from pbem.reports.text.times import due, in_zone, when

_RECEIVED = {
    "orders_accepted": phrase_later("accepted"),
    "orders_kept": phrase_later("kept for later"),
    "orders_refused": phrase_later("refused"),
    "orders_withdrawn": phrase_later("withdrawn"),
}


OWNERS = frozenset(
    {"resign", "vacation", "publish", "format", "language", "digest", "propose", "vote", "substitute", "proxy"}
)
"""Words that concern the player of a role himself: who stands in for him does not say them."""


OF_A_GAME_GOING_ON = frozenset({"vacation", "substitute", "proxy", "answer"})
"""Words that are about turns to come."""

NOT_HIS = phrase_later('"{word}" was not done: it is for the player of {role} himself.')


def obey(intake: Intake, at: Standpoint, sheet: Sheet, *, alone: bool) -> None:
    """Do what the commands of *sheet* ask, in their order, and answer them in one letter.

    *alone*: no other answer follows that says what became of the other lines.
    """
    said: list[Answer] = []
    own = intake.is_own
    for command in sheet.commands:
        if not own and (command.word in OWNERS or (command.word in ("withdraw", "stop") and command.argument)):
            intake.refused = True
            said.append(("", phrase(NOT_HIS, word=command.word, role=intake.role)))
        elif intake.entry.dossier.campaign.ended and command.word in OF_A_GAME_GOING_ON:
            intake.refused = True
            said.append(("", phrase(_WAS_NOT, line=command.line.text.strip(), why=phrase(ENDED))))
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
    labels = [label if label.endswith((".", "?")) else f"{label}." for label, _ in said]
    dossier = intake.entry.dossier
    words = dict.fromkeys(map(voting.in_a_subject, sheet.commands))
    notice = Notice(
        campaign=dossier.id,
        subject=f"[{dossier.id}] {', '.join(map(as_spoken, words))}",
        heading="From the office",
        body="\n\n".join(sentences),
        quoted=tuple((label, text) for label, text in said if label),
    )
    intake.outcome, intake.said = intake.outcome or phrase_later("answered"), " ".join(sentences or labels)
    intake.answer(ShortLetter(told_by(intake, notice)))


def _not_done(sheet: Sheet) -> list[str]:
    """Sentences on the words to the office that were refused."""
    return [phrase(_WAS_NOT, line=line.text.strip(), why=one.why) for line, one in sheet.refused]


_WAS_NOT = phrase_later('"{line}" was not done: {why}.')


def preview(intake: Intake, at: Standpoint, sheet: Sheet) -> None:
    """Say what the lines of *sheet* would be taken for, and come to by what the role knows; enter nothing.

    A sheet without any is about those that stand.
    """
    dossier = intake.entry.dossier
    moment = intake.moment or at.moment
    text = sheets.written(sheet.orders) or "\n".join(in_force(intake, moment))
    call = at.call if moment == at.moment else None
    read = sheets.judge(dossier.system, dossier.scene, at.mind, at.role, text, call)
    lines = check_lines(str(moment), judged(read.lines, read.complaints, {}), says=phrase("Nothing was entered."))
    stand = phrase("Your orders for {moment} as they stand", moment=moment)
    quoted = [(phrase("Your lines") if sheet.orders else stand, text), (phrase("What a receipt would say"), lines)]
    if call is not None:
        if seen := receipts.forecast(at, read.orders):
            said = "\n".join(f"{line or '':3}  {words}" for line, words in seen)
            quoted.append((phrase("Your orders as read, by what you know"), said))
        if idle := receipts.idle(at, read.orders):
            quoted.append((phrase("No order, so"), "\n".join(idle)))
    if not_done := _not_done(sheet):
        quoted.append((phrase("Words to the office"), "\n".join(not_done)))
    quoted += intake.beside
    notice = Notice(
        campaign=dossier.id,
        subject=f"[{dossier.id}] " + phrase("{moment} preview", moment=moment),
        heading="A preview; nothing was entered",
        quoted=tuple(quoted),
    )
    intake.outcome = phrase_later("previewed")
    intake.answer(ShortLetter(told_by(intake, notice)), cause=f"preview/{moment}/{intake.role}/{intake.mark}")


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
        none = phrase("There is no report yet.")
        return phrase("There is no report {moment} to send.", moment=moment) if moment else none
    newest = issued[-1]
    cause = f"{AGAIN}{newest.moment}/{role}/{intake.mark}"
    intake.answer(ReportLetter(newest.moment, newest.version), kind="report", cause=cause)
    return phrase("Report {moment} is on its way to you.", moment=newest.moment)


def _withdraw(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    if command.argument:
        return voting.take_back(intake, command)
    if intake.stale:
        intake.refused = True
        return [("", phrase("Nothing was withdrawn: {why}.", why=intake.stale))]
    moment = intake.moment or at.moment
    said = withdraw(intake, at, moment)
    runs = "" if intake.refused or sheet.orders or moment != at.moment else _runs(intake, at)
    return [("", f"{said} {runs}".rstrip())]


def _wait(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    moment, on = at.asked, command.argument.casefold() != "off"
    if why := closed(intake, at) or (not on and _of_another(intake, at)):
        intake.refused = True
        return [("", phrase("Your wait cannot be changed: {why}.", why=why))]
    _set_wait(intake, at, on=on)
    said = phrase("Your wait for {moment} is on.", moment=moment)
    if not on:
        said = phrase("Your wait for {moment} is off.", moment=moment)
    return [] if _enters(sheet) else [("", f"{said} {_runs(intake, at)}")]


def _enters(sheet: Sheet) -> bool:
    """Whether orders are entered with a sheet, so that their receipt says how its words to the office ended."""
    return bool(sheet.orders) and not sheet.asks("preview")


def _set_wait(intake: Intake, at: Standpoint, *, on: bool) -> None:
    if intake.entry.dossier.campaign.waits.get((at.asked, at.role), False) == on:
        return
    if on:
        reopen(intake, at)
    intake.entry.add(at.exchange.moment, WaitSet(role=at.role, moment=at.asked, on=on))
    intake.outcome = phrase_later("wait on") if on else phrase_later("wait off")


def _ready(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    """Let what stands be played as it stands; beside orders it says no more than that nobody need wait.

    What was refused of a sheet its writer does not know yet when he writes it.
    """
    off = command.argument.casefold() == "off"
    if why := closed(intake, at) or (not off and _of_another(intake, at)):
        intake.refused = True
        return [("", phrase("Nothing changes: {why}.", why=why))]
    if at.moment.waits:
        return [("", phrase("Nothing is asked of you now: {moment} is being played.", moment=at.exchange.moment))]
    if off:
        return _not_ready(intake, at, sheet)
    if sheet.orders and not _enters(sheet):
        intake.refused = True
        return [("", phrase("Nothing is played before its hour: your orders were looked at, and not entered."))]
    _set_wait(intake, at, on=False)
    if sheet.orders:
        return []
    there = intake.entry.dossier.campaign.sheets.get((at.moment, at.role))
    if there is None:
        said = phrase("You have no orders for {moment} that could be played.", moment=at.moment)
        return [("", f"{said} {_runs(intake, at)}")]
    word = intake.entry.dossier.campaign.words.get((at.moment, at.role))
    if (word is None or word.what != "ready") and early.hold(intake.entry.dossier, at.moment, at.role, must=True):
        intake.entry.add(at.exchange.moment, ReadySaid(role=at.role, moment=at.moment))
        intake.outcome = phrase_later("ready")
    text = phrase_later("Your orders for {moment}, receipt {number}, are to be played as they stand.")
    said = phrase(text, moment=at.moment, number=there.receipt)
    return [("", f"{said} {_runs(intake, at)}")]


def _not_ready(intake: Intake, at: Standpoint, sheet: Sheet) -> list[Answer]:
    """Take `ready` back; what was run before its hour by it is void."""
    word = intake.entry.dossier.campaign.words.get((at.moment, at.role))
    if word is not None and word.what == "ready":
        reopen(intake, at)
        intake.entry.add(at.exchange.moment, ReadySaid(role=at.role, moment=at.moment, on=False))
        intake.outcome = phrase_later("not ready")
    said = phrase("Your `ready` for {moment} is taken back.", moment=at.moment)
    return [] if _enters(sheet) else [("", f"{said} {_runs(intake, at)}")]


def _of_another(intake: Intake, at: Standpoint) -> str:
    """Why a word by which nobody need wait is of something else than what is open; empty if it is of that.

    Its writer had not seen what is asked of him there.
    """
    moment = (intake.moment or at.moment).whole
    later = phrase("{moment} is not open yet", moment=moment) if moment > at.exchange.moment else ""
    return intake.stale or later


def _runs(intake: Intake, at: Standpoint) -> str:
    return receipts.runs(intake.entry.dossier, at, now=intake.entry.at, zone=intake.player.zone)


def _umpire(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    press.to_umpire(intake, at.exchange.moment, command.argument)
    return [(phrase("Passed to the umpire"), command.argument)]


def _letter(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    return press.deliver(intake, at.exchange.moment, command)


def _answer(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    """Enter the answer of a role to a question of the rules, or say why it is none."""
    if at.exchange.known:
        intake.refused = True
        return [("", phrase("Your answer to {key} is not taken: {why}.", key=command.about, why=phrase(KNOWN)))]
    mine = queries.open_to(intake.entry, intake.role)
    query = next((one for one in mine if one.key.casefold() == command.about.casefold()), None)
    given = " ".join(command.argument.split())
    if query is None:
        intake.refused = True
        there = ", ".join(one.key for one in mine) or phrase("none")
        return [("", phrase("No question {key} waits for you. Open: {open}.", key=command.about, open=there))]
    option = next((one for one in query.options if one.casefold() == given.casefold().rstrip(".")), None)
    if query.options and option is None:
        intake.refused = True
        text = phrase_later('"{given}" does not answer {key}. One of: {options}.')
        return [("", phrase(text, given=given, key=query.key, options=", ".join(query.options)))]
    answer = option or command.argument
    intake.entry.add(query.moment, QueryAnswered(moment=query.moment, key=query.key, answer=answer, by="role"))
    return [(phrase("Your answer to {key} is taken", key=query.key), answer)]


def _vacation(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    return leaving.vacation(intake, command)


def _publish(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    return preferences.publish(intake, at.exchange.moment, command)


def _format(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    return preferences.form(intake, at.exchange.moment, command)


def _language(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    return preferences.language(intake, at.exchange.moment, command)


def _digest(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    return preferences.digest(intake, at.exchange.moment, command)


def _note(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    diary.keep(intake, at.exchange.moment, command)
    return [("", phrase(diary.KEPT))]


def _stop(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    """Stop all letters to the writer but answers, of which he is told by a letter of its own; or a kind of them."""
    if command.argument:
        return preferences.stop(intake, at.exchange.moment, command)
    intake.stops = True
    intake.outcome = phrase_later("it stopped the letters to its player")
    return []


def _resign(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    return leaving.resign(intake, command)


def _stand_in(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    return standing_in.name(intake, command)


def _join(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    """A letter that joins a game says so in its first line, and is for no other (`joining`)."""
    intake.refused = True
    text = phrase_later(
        '"join {what}" was not done: either no such game can be joined, or it needs a letter of its own, which begins '
        "with that line."
    )
    return [("", phrase(text, what=command.argument))]


def _help(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    if command.argument:
        name = command.argument.casefold()
        try:
            letter = guide_letter(intake.office, name)
        except Refused as error:
            return [("", f"{error}"[:1].upper() + f"{error}"[1:])]
        intake.answer(letter, cause=f"guide/{name}/{intake.role}/{intake.mark}")
        return [("", f"The guide `{name}` comes in a letter of its own.")]
    dossier = intake.entry.dossier
    others = [role for role in dossier.roles if role != intake.role]
    own = {"letter to": f"letter to {others[0]}: I ask for a truce."} if others else {}
    answers = [(phrase("Your orders, one on a line; an example of each"), "\n".join(at.forms.values()))]
    words = "\n".join(
        f"{own.get(name, word.example)}{also_said(name)}\n{_wrapped(word.says)}" for name, word in WORDS.items()
    )
    answers.append((phrase("What the office understands, in a letter or as its subject"), words))
    answers.append(("", press.rule(intake)))
    return answers


def _wrapped(text: str) -> str:
    return fill(text, 74, initial_indent="    ", subsequent_indent="    ", break_long_words=False)


def _status(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    over = bool(intake.entry.dossier.campaign.ended)
    lines = [phrase(ENDED)] if over else _as_it_goes_on(intake, at)
    lines += preferences.standing(intake)
    answers = [(phrase("How things stand"), "\n".join(lines))]
    for query in () if over else queries.open_to(intake.entry, at.role):
        answers.append((phrase("A question waits for you: {asks}", asks=query.asks), queries.lines(query)))
    if (own := standing.standing_of(intake.office, intake.connection, intake.player)) is not None:
        answers.append((phrase("Your standing in this office, which your umpires see too"), standing.in_words(own)))
    return answers


def _as_it_goes_on(intake: Intake, at: Standpoint) -> list[str]:
    """What is asked of the role now, when it is due, and what of it is there, in lines."""
    exchange, campaign = at.exchange, intake.entry.dossier.campaign
    now, zone = intake.entry.at, intake.player.zone
    lines = [called(exchange.moment, exchange.name)]
    if campaign.paused_at:
        lines.append(phrase("paused since {hour}: {why}", hour=when(campaign.paused_at, zone), why=campaign.paused))
    elif at.moment.halt == 0:
        lines.append(phrase("due {hour}", hour=due(exchange.deadline, zone, now)))
    if exchange.reports and not campaign.paused_at:
        lines.append(phrase("its reports leave {hour}", hour=due(exchange.reports, zone, now)))
    if at.moment.halt and not at.moment.waits:
        lines.append(phrase("you are asked at {moment}", moment=called(at.moment, at.name)))
        lines += [phrase("due {hour}", hour=due(at.due, zone, now))] if at.due and not campaign.paused_at else []
    if at.call:
        owed = Row(at.call.sorts)
        lines.append(
            phrase("you owe: {what}", what=owed) if at.call.must else phrase("you may send: {what}", what=owed)
        )
    else:
        lines.append(phrase("nothing is asked of you"))
    sheet_there = campaign.sheets.get((at.asked, at.role))
    none = phrase("your orders: none yet")
    lines.append(phrase("your orders: receipt {number}", number=sheet_there.receipt) if sheet_there else none)
    call, kept_for = phrase("your next call"), phrase_later("kept for {moment}: receipt {number}")
    lines += [
        phrase(kept_for, moment=call if moment.waits else moment, number=kept.receipt)
        for (moment, role), kept in sorted(campaign.sheets.items())
        if role == at.role and moment > at.asked and kept.kept
    ]
    on = campaign.waits.get((at.asked, at.role))
    lines.append(phrase("your wait: on") if on else phrase("your wait: off"))
    lines += [said.replace("`", '"')] if (said := _runs(intake, at)) else []
    return [*lines, *voting.standing(intake)]


def _orders(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    moment = _moment(command.argument) or at.moment
    there = intake.entry.dossier.campaign.sheets.get((moment, at.role))
    if there is None:
        return [("", phrase("You have no orders for {moment}.", moment=moment))]
    text = phrase_later("Your orders for {moment}, receipt {number}")
    if there.kept:
        text = phrase_later("Your orders for {moment}, kept until it opens, receipt {number}")
    return [(phrase(text, moment=moment, number=there.receipt), "\n".join(sheets.in_force(there)))]


def _report(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    moment = _moment(command.argument)
    if command.argument and moment is None:
        none = phrase('"{turn}" is no turn. `history` lists the reports that there are.', turn=command.argument)
        return [("", none)]
    return [("", send_report(intake, moment, of_turn=command.argument.isdigit()))]


def _history(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    dossier, zone = intake.entry.dossier, intake.player.zone
    reports = [
        f"report {one.moment}".ljust(14)
        + in_zone(one.at, zone)
        + (phrase(", version {number}", number=one.version) if one.version > 1 else "")
        for one in dossier.campaign.reports.get(at.role, ())
    ]
    known = history.known_to(dossier, at.role)
    receipts = [
        f"receipt {one.event.receipt}".ljust(14)
        + f"{in_zone(one.at, zone)}, {one.event.moment or one.moment}, {phrase(_RECEIVED[kind_of(one.event)])}"
        for one in known
        if isinstance(one.event, SHEET_RECEIPTS)
    ]
    rulings = [f"{one.moment}".ljust(6) + one.what for one in history.rulings(known)]
    return [
        (phrase("Your reports so far. Send one of these lines to have it again"), "\n".join(reports) or phrase("none")),
        (phrase("Your orders so far, by their receipts"), "\n".join(receipts) or phrase("none")),
        (phrase("What the umpire ruled, as far as you know"), "\n".join(rulings) or phrase("nothing")),
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
    "language": _language,
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
