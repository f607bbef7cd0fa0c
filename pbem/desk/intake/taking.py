"""A message is taken: its commands obeyed, its orders entered for now or for later, or refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from pbem.desk.books import seeds
from pbem.desk.books.owed import ReceiptLetter
from pbem.desk.intake import accepting, commands, diary, himself, press
from pbem.desk.intake.attached import choose
from pbem.desk.intake.exchange_meant import asked_in_subject, meant
from pbem.desk.intake.intake import FINAL, Answer, Intake, Message, closed, refuse, reopen
from pbem.desk.office.office import HOUR, SECOND
from pbem.desk.pages.pages import SET_UP
from pbem.desk.sheets import own_lines, receipts, sheets
from pbem.desk.sheets.adding import joined
from pbem.desk.sheets.closing import ENDED
from pbem.desk.sheets.receipts import Standpoint
from pbem.kernel.dice import given
from pbem.kernel.exchange import Sheet as Standing
from pbem.kernel.names import Moment
from pbem.kernel.office import MessageReceived, OrdersAccepted, OrdersKept, OrdersRefused
from pbem.mail.wire.reply_address import redact
from pbem.orders.sheet import Line
from pbem.orders.words import Command, Sheet, as_prose
from pbem.reports.text.speech import ENGLISH, Row, phrase, phrase_later, speaking
from pbem.reports.text.times import in_zone

APART = 6 * HOUR
"""So far a letter's own date may be from the hour when it came, before the writer is told which counts."""

YEARS = range(1970, 2200)
"""Years whose days every time zone has."""


def deal_with(intake: Intake) -> None:
    """Enter what the message comes to, and owe the answers, in the language of the role."""
    with speaking(intake.entry.dossier.campaign.language(intake.role)):
        _deal_with(intake)


def _deal_with(intake: Intake) -> None:
    intake.message = message = _without_secrets(intake.message)
    dossier = intake.entry.dossier
    campaign = dossier.campaign
    received = MessageReceived(
        digest=message.digest, source=message.source, player=intake.player.id, grade=message.grade
    )
    intake.entry.add(campaign.now or SET_UP, received)
    if campaign.now is None:
        _before_the_start(intake)
        return
    at = receipts.standpoint(intake.office, intake.connection, dossier, intake.role, message.received)
    sheet = _parted(intake, at.mind)
    intake.sheet = sheet = _with_subject(intake, at, sheet)
    outside = own_lines.outside(sheet.account, sheets.reader(dossier.system, dossier.scene, at.mind, intake.role))
    intake.message = replace(intake.message, warnings=(*intake.message.warnings, *outside))
    for_what = meant(intake, at, sheet)
    intake.moment, intake.stale = for_what.moment, for_what.stale
    over = bool(dossier.campaign.ended)
    previews = sheet.asks("preview") and (over or sheet.orders or commands.in_force(intake, for_what.moment))
    commands.obey(intake, at, sheet, alone=not (previews or sheet.orders))
    if intake.role not in intake.entry.dossier.campaign.roles_of(intake.player.id):
        return  # he has resigned with it: it is his role no more
    if previews and not over:
        commands.preview(intake, at, sheet)
    elif sheet.orders or previews:
        _orders(intake, at, sheet)
    elif not any(one.word in commands.WHAT_TO_DO for one in sheet.commands):
        said = sheet.complaints[0].why if sheet.complaints else phrase_later("there is no order in it")
        refuse(intake, intake.moment, said, _how_to(at))


def _parted(intake: Intake, mind: Any) -> Sheet:
    """What the message says, by what its role knows: it itself, or a file that came with it."""
    dossier, name, message = intake.entry.dossier, intake.player.name or "", intake.message
    system, scene, role = dossier.system, dossier.scene, intake.role

    def part(lines: Sequence[Line], *, alone: bool) -> Sheet:
        return sheets.part(system, scene, role, mind, lines, name, alone=alone)

    found = choose(part, sheets.reader(system, scene, mind, role), message.lines, message.files)
    # What he writes for himself stands in no refusal and in no answer to an invitation, which others are shown.
    lines = diary.left_out(found.lines, found.sheet)
    intake.message = replace(message, lines=lines, warnings=(*message.warnings, *found.warnings))
    intake.files = found.noted
    return diary.unsaid(found.sheet)


def _without_secrets(message: Message) -> Message:
    """The message without what proves who wrote it: it shall stand in no echo, and in no letter to others."""
    files = tuple(replace(one, name=redact(one.name), lines=_redacted(one.lines)) for one in message.files)
    return replace(message, lines=_redacted(message.lines), subject=redact(message.subject), files=files)


def _redacted(lines: Sequence[Line]) -> tuple[Line, ...]:
    return tuple(Line(line.number, redact(line.text)) for line in lines)


def _warnings(intake: Intake) -> tuple[str, ...]:
    """What there is to say of the letter itself; if its own date is another, that this one does not count."""
    message, zone = intake.message, intake.player.zone
    if message.sent is None:
        return message.warnings
    sent = int(message.sent.timestamp()) * SECOND
    if abs(message.received - sent) < APART:
        return message.warnings
    when = phrase("in the year {year}", year=message.sent.year)
    if message.sent.year in YEARS:
        when = phrase("on {hour}", hour=in_zone(sent, zone))
    said = phrase("Your letter says that it was sent {when}. What counts is when it came here.", when=when)
    return (*message.warnings, said)


def _waits(intake: Intake, at: Standpoint, moment: Moment) -> tuple[str, ...]:
    """What is told of a sheet that waits for the next call: the same whatever happens in the game."""
    if not moment.waits:
        return ()
    hour = in_zone(at.exchange.reports, intake.player.zone)
    said = phrase(
        "{moment} is closed, and its reports leave {hour}. These lines wait for your next call.",
        moment=at.exchange.moment,
        hour=hour,
    )
    return (said,) if at.moment.waits else ()


def _before_the_start(intake: Intake) -> None:
    """To the umpire one can write before there is a game, and answer his invitation; nothing else can be said yet."""
    dossier = intake.entry.dossier
    intake.sheet = sheet = _parted(intake, dossier.blank.minds[intake.role])
    for command in sheet.commands:
        if press.asks_umpire(command):
            press.to_umpire(intake, SET_UP, command.argument)
        elif command.word == diary.WORD:
            diary.keep(intake, SET_UP, command)
    if said := [answer for one in sheet.commands for answer in _of_himself(intake, one)]:
        # Nothing else of it is taken, for what stands round such a word need be no answer to an invitation.
        commands.tell(intake, sheet, [*said, *intake.beside])
    elif diary.alone(intake, sheet):
        diary.answer(intake)
    elif not accepting.answer(intake, sheet):
        refuse(intake, None, phrase_later("the campaign has not started"), phrase("You will be told when it does."))


def _of_himself(intake: Intake, command: Command) -> list[Answer]:
    todo = himself.OF_HIMSELF.get(command.word)
    return todo(intake, command) if todo else []


def _with_subject(intake: Intake, at: Standpoint, sheet: Sheet) -> Sheet:
    """The sheet with the command that its subject is; what stands below that is then not read as orders.

    `add` and `preview` in a subject are of the orders below it; any other command counts only above a letter that
    has no order and no command of its own.
    """
    asked = asked_in_subject(intake.message.subject)
    if asked is None or sheet.asks(asked.word):
        return sheet
    if asked.word in ("add", "preview"):
        of_orders = sheet.orders or (asked.word == "preview" and not sheet.commands)
        return replace(sheet, commands=(asked, *sheet.commands)) if of_orders else sheet
    dossier = intake.entry.dossier
    reads = sheets.reader(dossier.system, dossier.scene, at.mind, intake.role)
    if sheet.commands or any(reads(line) for line in sheet.orders):
        text = phrase_later('Your subject says "{words}". It was not obeyed, for your letter has lines of its own.')
        warning = phrase(text, words=asked.line.text)
        intake.message = replace(intake.message, warnings=(*intake.message.warnings, warning))
        return sheet
    return replace(as_prose(sheet, ()), commands=(asked,))


class _Sent(Struct, frozen=True, kw_only=True):
    """The order lines of a message, judged for the moment that they are for."""

    sheet: Sheet
    """The message that they stand in."""
    moment: Moment
    text: str
    """What shall stand: with *add* in it what stood as well."""
    before: Standing | None
    """What stood until now."""
    judged: sheets.Judged
    word: str
    """What they give to the dice of that moment."""

    @property
    def same(self) -> bool:
        """Whether they stand there already."""
        return self.before is not None and not self.before.kept and self.before.digest == self.judged.digest


class _Not(NamedTuple):
    """Why lines are not taken, in a phrase, and what can be done instead, in a sentence."""

    why: str
    instead: str


def _orders(intake: Intake, at: Standpoint, sheet: Sheet) -> None:
    """Enter the order lines of a sheet: for now, for later, or too late."""
    moment, own = intake.moment or at.moment, sheets.written(sheet.orders)
    if intake.stale and not intake.entry.dossier.campaign.ended:
        with speaking(ENGLISH):
            reason = meant(intake, at, sheet).stale
        newest = phrase("Your newest report comes with this.")
        refuse(intake, moment, intake.stale, f"{newest} {_how_to(at)}", text=own, reason=reason)
        commands.send_report(intake, None)
        return
    if _turned_down(intake, moment, lambda: _nothing_taken(intake, at, moment), own):
        return
    sent, campaign = _judged(intake, at, sheet, moment), intake.entry.dossier.campaign
    if sent.before is not None and sent.same and not sent.word and (moment, intake.role) in campaign.words:
        _receive(intake, at, sent, sent.before.receipt, duplicate=True)
        intake.outcome = phrase_later("unchanged")
        return
    if _turned_down(intake, moment, lambda: _not_these(intake, at, sent), own):
        return
    _enter(intake, at, sent)


def _turned_down(intake: Intake, moment: Moment, asked: Callable[[], _Not | None], text: str) -> bool:
    """Refuse lines if there is a reason; it is told in the language of the role, and in English to the log."""
    none = asked()
    if none is not None:
        with speaking(ENGLISH):
            logged = asked()
        refuse(intake, moment, none.why, none.instead, text=text, reason=logged.why if logged else "")
    return none is not None


def _nothing_taken(intake: Intake, at: Standpoint, moment: Moment) -> _Not | None:
    """Why no lines for *moment* are taken, whatever they say."""
    if intake.entry.dossier.campaign.ended:
        return _Not(phrase(ENDED), "")
    if moment != at.moment:
        return None
    if why := closed(intake, at):
        return _Not(why, phrase("Your letter is kept. If the umpire gives more time, send it again."))
    if at.call is None and not moment.waits:
        instead = phrase("Name the turn that the lines are for, and they are kept until it opens.")
        return _Not(phrase("{moment} asks nothing of {role}", moment=moment, role=intake.role), instead)
    return None


def _judged(intake: Intake, at: Standpoint, sheet: Sheet, moment: Moment) -> _Sent:
    """The order lines of a sheet as they are judged for *moment*, added to what stood where that is asked."""
    dossier, now = intake.entry.dossier, moment == at.moment
    system, scene = dossier.system, dossier.scene
    judge = partial(sheets.judge, system, scene, at.mind, intake.role, call=at.call if now else None)
    before, text = dossier.campaign.sheets.get((moment, intake.role)), sheets.written(sheet.orders)
    if sheet.asks("add") and before is not None:
        text = joined(before.text, text, judge, system.opens)
    judged = judge(text)
    given_with = seeds.given_with(dossier.campaign, moment, intake.role, judged.digest, intake.message) if now else ""
    return _Sent(sheet=sheet, moment=moment, text=text, before=before, judged=judged, word=given_with)


def _not_these(intake: Intake, at: Standpoint, sent: _Sent) -> _Not | None:
    """Why these lines are not taken, though lines could be."""
    if why := intake.overtaken(sent.moment):
        return _Not(why, phrase("If these lines shall count all the same, send them again."))
    call = at.call if sent.moment == at.moment else None
    if call is not None and call.final and sent.before is not None and not sent.before.kept and not sent.same:
        return _Not(phrase(FINAL), phrase("Only the umpire can set it aside."))
    return None


def _enter(intake: Intake, at: Standpoint, sent: _Sent) -> None:
    """Enter lines for now, or for later, where one of them at least can be read."""
    number = sheets.next_receipt(intake.entry.dossier, intake.role)
    message, source, judged = intake.message.digest, intake.message.source, sent.judged
    event: OrdersAccepted | OrdersRefused | OrdersKept
    if (sent.moment == at.moment and not sent.moment.waits) or not judged.orders:
        event = sheets.entered(
            judged,
            role=intake.role,
            moment=sent.moment,
            receipt=number,
            message=message,
            source=source,
            word=sent.word,
        )
    else:
        event = OrdersKept(
            role=intake.role,
            moment=sent.moment,
            receipt=number,
            text=sent.text,
            digest=judged.digest,
            message=message,
            source=source,
        )
    if isinstance(event, OrdersAccepted):
        event = replace(event, beside=len(sent.sheet.complaints))
        reopen(intake, at)
    intake.entry.add(at.exchange.moment, event)
    intake.refused = isinstance(event, OrdersRefused)
    intake.outcome = {OrdersAccepted: phrase_later("accepted"), OrdersKept: phrase_later("kept")}.get(
        type(event), phrase_later("refused: no line was taken")
    )
    _receive(intake, at, sent, number)


def _receive(intake: Intake, at: Standpoint, sent: _Sent, number: int, *, duplicate: bool = False) -> None:
    """Owe the receipt for a sheet, under its *number*."""
    campaign, moment, message = intake.entry.dossier.campaign, sent.moment, intake.message
    came = receipts.Came(
        moment=moment,
        number=number,
        received=message.received,
        now=intake.entry.at,
        zone=intake.player.zone,
        before=sent.before,
        duplicate=duplicate,
        by_umpire=message.source == "gm",
    )
    beside = receipts.Beside(
        parted=sent.sheet,
        unread=intake.unread,
        warnings=(*_warnings(intake), *_waits(intake, at, moment)),
    )
    gave = receipts.Gave(
        seeds.told_word(intake.connection, campaign, moment, intake.role),
        campaign.given.get((moment, intake.role)) == given(message.answers.message_id, sent.judged.digest),
    )
    intake.receipt = receipts.receipt(intake.entry.dossier, at, sent.judged, came, beside, gave)
    cause = f"unchanged/{moment}/{intake.role}/{intake.mark}" if duplicate else f"receipt/{intake.role}/{number}"
    intake.answer(ReceiptLetter(intake.receipt), cause=cause)


def _how_to(at: Standpoint) -> str:
    if at.moment.waits:
        return phrase(
            "Leave the line `turn` out, and your lines wait for your next call; `help` sends all that can be said."
        )
    begin = phrase(
        "Begin your sheet with the line `turn {moment}`; `help` sends all that can be said.", moment=at.moment
    )
    if at.call is None:
        return begin
    owed = phrase("What {moment} takes from you: {what}.", moment=at.moment, what=Row(at.call.sorts))
    return f"{owed} {begin}"
