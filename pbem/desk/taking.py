"""A message is taken: its commands obeyed, its orders entered for now or for later, or refused."""

from __future__ import annotations

from pbem.desk import commands, receipts, sheets
from pbem.desk.intake import Intake, closed, refuse, reopen
from pbem.desk.letters import receipt_letter
from pbem.desk.pages import SET_UP
from pbem.desk.post import message_id, report_cause
from pbem.desk.receipts import Standpoint
from pbem.kernel.campaign import Sheet as Standing
from pbem.kernel.names import Moment
from pbem.kernel.office import MessageReceived, OrdersAccepted, OrdersKept, OrdersRefused
from pbem.orders.words import Sheet


def deal_with(intake: Intake) -> None:
    """Enter what the message comes to, and owe the answers."""
    message, campaign = intake.message, intake.entry.dossier.campaign
    received = MessageReceived(digest=message.digest, source=message.source, player=intake.player.id)
    intake.entry.add(campaign.now or SET_UP, received)
    if campaign.now is None:
        refuse(intake, None, "the campaign has not started", "You will be told when it does.")
        return
    at = receipts.standpoint(intake.office, intake.connection, intake.entry.dossier, intake.role)
    sheet = sheets.part(intake.entry.dossier, intake.role, at.mind, message.lines)
    commands.obey(intake, at, sheet)
    if sheet.orders:
        if sheet.asks("preview"):
            commands.preview(intake, at, sheet)
        else:
            _orders(intake, at, sheet)
    elif not sheet.commands:
        said = sheet.complaints[0].why if sheet.complaints else "there is no order in it"
        refuse(intake, sheets.moment_of(sheet, message.lines, at.exchange.moment), said, _how_to(at))


def _answered(intake: Intake) -> Moment | None:
    """What the report asked for that the message is a reply to: a late answer is not for the exchange after it."""
    campaign, replied = intake.entry.dossier.campaign, intake.message.replies_to
    for issued in campaign.reports.get(intake.role, ()) if replied else ():
        cause = report_cause(issued.moment, intake.role, issued.version)
        if message_id(intake.office, campaign.id, cause) == replied:
            return min((one for one in campaign.exchanges if one > issued.moment), default=None)
    return None


def _orders(intake: Intake, at: Standpoint, sheet: Sheet) -> None:
    """Enter the order lines of a sheet: for now, for later, or too late."""
    dossier, now = intake.entry.dossier, at.exchange.moment
    moment = intake.moment = sheets.moment_of(sheet, intake.message.lines, _answered(intake) or now)
    text = sheets.written(sheet.orders)
    before = dossier.campaign.sheets.get((moment, intake.role))
    if sheet.asks("add") and before is not None:
        text = f"{before.text}\n{text}"
    if moment < now:
        refuse(intake, moment, f"{moment} is over, and {now} is open", _how_to(at), text=text)
        commands.send_report(intake, None)
        return
    if why := closed(intake, at) if moment == now else "":
        refuse(intake, moment, why, "Your letter is kept. If the umpire gives more time, send it again.", text=text)
        return
    if moment == now and at.call is None:
        why = f"{moment} asks nothing of {intake.role}"
        refuse(
            intake, moment, why, "Name the turn that the lines are for, and they are kept until it opens.", text=text
        )
        return
    call = at.call if moment == now else None
    judged = sheets.judge(dossier.system, dossier.scene, at.mind, intake.role, text, call)
    if before is not None and not before.kept and before.digest == judged.digest:
        _receive(intake, at, sheet, judged, moment, before.receipt, before, duplicate=True)
        intake.outcome = "unchanged"
        return
    number = sheets.next_receipt(dossier, intake.role)
    message, source = intake.message.digest, intake.message.source
    event: OrdersAccepted | OrdersRefused | OrdersKept
    if moment == now or not judged.orders:
        event = sheets.entered(judged, role=intake.role, moment=moment, receipt=number, message=message, source=source)
    else:
        event = OrdersKept(
            role=intake.role,
            moment=moment,
            receipt=number,
            text=text,
            digest=judged.digest,
            message=message,
            source=source,
        )
    if isinstance(event, OrdersAccepted):
        reopen(intake, at)
    intake.entry.add(now, event)
    intake.refused = isinstance(event, OrdersRefused)
    intake.outcome = {OrdersAccepted: "accepted", OrdersKept: "kept"}.get(type(event), "refused: no line was taken")
    _receive(intake, at, sheet, judged, moment, number, before)


def _receive(
    intake: Intake,
    at: Standpoint,
    sheet: Sheet,
    judged: sheets.Judged,
    moment: Moment,
    number: int,
    before: Standing | None,
    *,
    duplicate: bool = False,
) -> None:
    """Owe the receipt for a sheet."""
    complaints = tuple(f"line {one.line}: {one.why}" for one in sheet.complaints)
    intake.receipt = receipts.receipt(
        intake.entry.dossier,
        at,
        judged,
        moment=moment,
        number=number,
        received=intake.message.received,
        now=intake.entry.at,
        zone=intake.player.zone,
        before=before,
        commands=sheet.commands,
        duplicate=duplicate,
        warnings=(*intake.message.warnings, *complaints),
    )
    cause = f"unchanged/{intake.mark}" if duplicate else f"receipt/{intake.role}/{number}"
    intake.answer(receipt_letter(intake.office, intake.receipt), cause=cause)


def _how_to(at: Standpoint) -> str:
    owed = f"What {at.exchange.moment} takes from you: {' and '.join(at.call.sorts)}. " if at.call else ""
    return f"{owed}Begin your sheet with the line `turn {at.exchange.moment}`; `help` sends all that can be said."
