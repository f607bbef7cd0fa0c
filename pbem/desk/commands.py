"""The office's own words in a sheet, and what each of them does.

What only asks is answered in one letter; what changes something is an event as well.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pbem.desk import pages, sheets
from pbem.desk.intake import Intake, closed, reopen, withdraw
from pbem.desk.letters import notice_letter, report_letter
from pbem.desk.post import to_gm, to_player
from pbem.desk.receipts import Standpoint, view_now
from pbem.kernel.errors import BadMoment
from pbem.kernel.names import Moment
from pbem.kernel.office import LetterSent, WaitSet
from pbem.orders.words import WORDS, Command, Sheet
from pbem.reports.environment import called
from pbem.reports.notice import Notice
from pbem.reports.receipt import check_lines, judged
from pbem.reports.times import left, when
from pbem.storage import players

Answer = tuple[str, str]
"""A label and a text to go under it; without a label, a sentence."""


def obey(intake: Intake, at: Standpoint, sheet: Sheet) -> None:
    """Do what the commands of *sheet* ask, in their order, and answer them in one letter."""
    said: list[Answer] = []
    for command in sheet.commands:
        if todo := WHAT_TO_DO.get(command.word):
            said += todo(intake, at, sheet, command)
    if not said:
        return
    sentences = [text for label, text in said if not label]
    dossier = intake.entry.dossier
    notice = Notice(
        campaign=dossier.id,
        subject=f"[{dossier.id}] {', '.join(dict.fromkeys(one.word for one in sheet.commands))}",
        heading="From the office",
        body="\n\n".join(sentences),
        quoted=tuple((label, text) for label, text in said if label),
    )
    intake.outcome = intake.outcome or "answered"
    intake.answer(notice_letter(intake.office, notice))


def preview(intake: Intake, at: Standpoint, sheet: Sheet) -> None:
    """Say what the lines of *sheet* would be taken for; enter nothing."""
    dossier = intake.entry.dossier
    moment = sheets.moment_of(sheet, intake.message.lines, at.exchange.moment)
    text = sheets.written(sheet.orders)
    call = at.call if moment == at.exchange.moment else None
    read = sheets.judge(dossier.system, dossier.scene, at.mind, at.role, text, call)
    lines = check_lines(str(moment), judged(read.lines, read.complaints, {}), says="Nothing was entered.")
    notice = Notice(
        campaign=dossier.id,
        subject=f"[{dossier.id}] {moment} preview",
        heading="A preview; nothing was entered",
        quoted=(("Your lines", text), ("What a receipt would say", lines)),
    )
    intake.outcome, intake.moment = "previewed", moment
    intake.answer(notice_letter(intake.office, notice))


def send_report(intake: Intake, moment: Moment | None) -> str:
    """Owe the newest report of the role, or that of *moment*, once more; gives what there is to say."""
    office, dossier, role = intake.office, intake.entry.dossier, intake.role
    issued = [one for one in dossier.campaign.reports.get(role, ()) if moment in (None, one.moment)]
    if not issued:
        return f"There is no report {moment} to send." if moment else "There is no report yet."
    page = pages.issued_page(office, intake.connection, dossier, role, issued[-1], zone=intake.player.zone)
    report = pages.render(office, page)
    cause = f"again/{issued[-1].moment}/{intake.mark}"
    intake.answer(report_letter(office, page, report), kind="report", cause=cause)
    return f"Report {issued[-1].moment} is on its way to you."


def _withdraw(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    if sheet.orders:
        return []
    return [("", withdraw(intake, at, sheets.moment_of(sheet, intake.message.lines, at.exchange.moment)))]


def _wait(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    moment, on = at.exchange.moment, command.argument.casefold() == "on"
    if why := closed(intake, at):
        intake.refused = True
        return [("", f"Your wait flag cannot be changed: {why}.")]
    if intake.entry.dossier.campaign.waits.get((moment, at.role), False) != on:
        if on:
            reopen(intake, at)
        intake.entry.add(moment, WaitSet(role=at.role, moment=moment, on=on))
        intake.outcome = f"wait {command.argument}"
    if sheet.orders:
        return []
    held = "is not run before its deadline" if on else "runs when all orders are in, or at its deadline"
    return [("", f"Your wait flag is {'on' if on else 'off'}: {moment} {held}.")]


def _umpire(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    _tell_gm(intake, at, command.argument)
    return [("Passed to the umpire", command.argument)]


def _pass_on(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    text = command.line.text.strip()
    _tell_gm(intake, at, text)
    return [("Passed to the umpire, who decides", text)]


def _letter(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    dossier, office = intake.entry.dossier, intake.office
    to = command.to
    if to is None or to not in dossier.roles or to == at.role:
        others = ", ".join(role for role in dossier.roles if role != at.role)
        return [(f"Not delivered: there is no other role {to}. There are: {others}", command.argument)]
    if to not in dossier.campaign.players:
        return [(f"Not delivered: nobody plays {to} now", command.argument)]
    _enter_letter(intake, at, LetterSent(sender=at.role, to=to, text=command.argument, message=intake.message.digest))
    notice = Notice(
        campaign=dossier.id,
        subject=f"[{dossier.id}] A letter from {at.role}",
        heading=f"A letter from {at.role}",
        quoted=(("It says", command.argument),),
        foot=f"To answer: a line that begins   letter to {at.role}:",
    )
    intake.entry.owe(
        to_player(
            office,
            dossier.id,
            dossier.opened.title,
            players.get(intake.connection, dossier.campaign.players[to]),
            to,
            notice_letter(office, notice),
            kind="notice",
            cause=f"letter/{intake.mark}/{command.line.number}",
            at=intake.entry.at,
        )
    )
    return [(f"Delivered to {to}", command.argument)]


def _help(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    words = "\n".join(f"{word.example}\n    {word.says}" for word in WORDS.values())
    answers = [("What the office understands", words)]
    if template := view_now(intake.entry.dossier, at).template:
        answers.append((f"Order lines to begin from, for {at.exchange.moment}", "\n".join(template)))
    return answers


def _status(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    exchange, campaign = at.exchange, intake.entry.dossier.campaign
    now, zone = intake.entry.at, intake.player.zone
    lines = [
        called(exchange.moment, exchange.name),
        f"due {when(exchange.deadline, zone)}, {left(now, exchange.deadline)}",
    ]
    if at.call:
        lines.append(f"you {'owe' if at.call.must else 'may send'}: {' and '.join(at.call.sorts)}")
    else:
        lines.append("nothing is asked of you")
    sheet_there = campaign.sheets.get((exchange.moment, at.role))
    lines.append(f"your orders: receipt {sheet_there.receipt}" if sheet_there else "your orders: none yet")
    lines.append(f"your wait flag: {'on' if campaign.waits.get((exchange.moment, at.role)) else 'off'}")
    return [("How things stand", "\n".join(lines))]


def _orders(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    moment = _moment(command.argument) or at.exchange.moment
    there = intake.entry.dossier.campaign.sheets.get((moment, at.role))
    if there is None:
        return [("", f"You have no orders for {moment}.")]
    waits = ", kept until it opens" if there.kept else ""
    return [(f"Your orders for {moment}{waits}, receipt {there.receipt}", there.text)]


def _report(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    return [("", send_report(intake, _moment(command.argument)))]


def _history(intake: Intake, at: Standpoint, sheet: Sheet, command: Command) -> list[Answer]:
    issued = intake.entry.dossier.campaign.reports.get(at.role, ())
    listed = "\n".join(f"report {one.moment}" for one in issued)
    return [("Your reports so far. Send one of these lines to have it again", listed or "none")]


WHAT_TO_DO: Mapping[str, Callable[[Intake, Standpoint, Sheet, Command], list[Answer]]] = {
    "withdraw": _withdraw,
    "wait": _wait,
    "umpire": _umpire,
    "letter to": _letter,
    "help": _help,
    "status": _status,
    "orders?": _orders,
    "report": _report,
    "history": _history,
    "vacation": _pass_on,
    "resign": _pass_on,
}
"""By the office word; `add` and `preview` say how the order lines of the sheet are taken."""


def _tell_gm(intake: Intake, at: Standpoint, text: str) -> None:
    """Enter a letter of the role to the GM, and owe it to him."""
    dossier = intake.entry.dossier
    _enter_letter(intake, at, LetterSent(sender=at.role, to=None, text=text, message=intake.message.digest))
    number = sum(isinstance(event, LetterSent) for _, event in intake.entry.events)
    cause = f"umpire/{intake.mark}/{number}"
    said = f"{at.role} writes:\n\n{text}\n"
    intake.entry.owe(
        [to_gm(intake.office, dossier.id, f"{at.role} to the umpire", said, cause=cause, at=intake.entry.at)]
    )


def _enter_letter(intake: Intake, at: Standpoint, letter: LetterSent) -> None:
    intake.entry.add(at.exchange.moment, letter)


def _moment(text: str) -> Moment | None:
    try:
        return Moment.parse(text) if text else None
    except BadMoment:
        return None
