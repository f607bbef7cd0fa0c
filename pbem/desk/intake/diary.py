"""A player's diary: notes to himself, which nobody else is shown while the game goes on, and then by his leave."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.owed import ShortLetter
from pbem.desk.gm.withheld import DIARY
from pbem.desk.intake.intake import Answer, Intake
from pbem.desk.intake.press import without_addresses
from pbem.kernel.names import Moment, PlayerId, Role
from pbem.kernel.office import NoteMade
from pbem.orders.sheet import Line
from pbem.orders.words import Command, Sheet
from pbem.reports.pages.notice import Notice
from pbem.reports.text.speech import phrase, phrase_later
from pbem.reports.text.times import in_zone
from pbem.storage import aliases

WORD = "note to self"

KEPT = phrase_later(
    "Your note is kept in your diary. Nobody else is shown it while the game goes on, and then only if you say "
    "`publish diary yes`."
)


_YOURS = phrase_later("your diary")


def keep(intake: Intake, moment: Moment, command: Command) -> None:
    """Enter a note of the writer's to himself."""
    text = without_addresses(command.argument, aliases.all_of(intake.connection, intake.player))
    note = NoteMade(role=intake.role, player=intake.player.id, text=text, message=intake.message.digest)
    intake.entry.add(moment, note)
    intake.outcome = intake.outcome or phrase_later("noted")


def left_out(lines: Sequence[Line], sheet: Sheet) -> tuple[Line, ...]:
    """The lines of a message without those of its writer's notes to himself."""
    own = _own(sheet)
    return tuple(line for line in lines if line.number not in own)


def unsaid(sheet: Sheet) -> Sheet:
    """The sheet in whose lines, of which receipts are made, his notes say that they are there and no more."""
    own = _own(sheet)

    def shown(line: Line) -> Line:
        return replace(line, text=own.get(line.number, line.text))

    return replace(
        sheet,
        commands=tuple(replace(one, line=shown(one.line)) for one in sheet.commands),
        account=tuple(replace(one, line=shown(one.line)) for one in sheet.account),
    )


def _own(sheet: Sheet) -> dict[int, str]:
    """The lines of notes, by their numbers, and what is shown in the place of each."""
    noted = [one for one in (*sheet.commands, *sheet.left) if one.word == WORD]
    heads = {one.line.number: f"{WORD}: …" for one in noted}
    return {**{line.number: "…" for one in noted for line in one.below}, **heads}


def alone(intake: Intake, sheet: Sheet) -> bool:
    """Whether a message has notes to its writer himself, and nothing else."""
    return sheet.asks(WORD) and not any(line.text.strip() for line in intake.message.lines)


def answer(intake: Intake) -> None:
    """Say that the notes of a message are kept."""
    name = intake.entry.dossier.id
    notice = Notice(campaign=name, subject=f"[{name}] {WORD}", heading="From the office", body=KEPT)
    intake.answer(ShortLetter(notice))


def notes(dossier: Dossier, role: Role, player: PlayerId) -> list[tuple[int, int, Moment, NoteMade]]:
    """The notes of *player* as *role*, each with its place in the log, its hour and its moment.

    Who stands in for a player has a diary of his own.
    """
    return [
        (one.seq, one.at, one.moment, one.event)
        for one in dossier.log.own
        if isinstance(one.event, NoteMade) and (one.event.role, one.event.player) == (role, player)
    ]


def sent(intake: Intake) -> list[Answer]:
    """Owe the writer his diary, in a mail of its own, if he has one; gives what there is to say of it."""
    dossier, zone = intake.entry.dossier, intake.player.zone
    own = notes(dossier, intake.role, intake.player.id)
    kept = [(f"{moment}, {in_zone(at, zone)}", note.text) for _, at, moment, note in own]
    if not kept:
        return []
    subject = f"[{dossier.id}] {_YOURS}"
    notice = Notice(
        campaign=dossier.id, subject=subject, heading=phrase_later("Your diary"), quoted=tuple(kept), foot=""
    )
    intake.answer(ShortLetter(notice), cause=f"{DIARY}{intake.role}/{intake.mark}")
    return [("", phrase("Your diary comes in a letter of its own."))]
