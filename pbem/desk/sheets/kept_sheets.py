"""Sheets that came before what they are for was opened are read when it is: an exchange, or a halt.

They were sent for a later turn or for the next call, or the turn that they were for was annulled and is open again.
"""

from __future__ import annotations

from pbem.desk.books.owed import ReceiptLetter
from pbem.desk.office.office import Office
from pbem.desk.post.entries import Entry
from pbem.desk.post.post import in_game, to_player
from pbem.desk.sheets import receipts, sheets
from pbem.reports.text.speech import phrase, speaking
from pbem.storage import players
from pbem.storage.database import Connection


def read_now(office: Office, connection: Connection, entry: Entry) -> None:
    """Enter what becomes of the sheets that waited for the exchange or halt just opened, and a receipt for each."""
    exchange = entry.dossier.exchange()
    halt = exchange.halt
    moment, opened = (halt.moment, halt.asked) if halt else (exchange.moment, exchange.opened)
    waiting = [
        sheet for (at, _), sheet in sorted(entry.dossier.campaign.sheets.items()) if at == moment and sheet.seq < opened
    ]
    for sheet in waiting:
        dossier = entry.dossier
        at = receipts.standpoint(office, connection, dossier, sheet.role, entry.at)
        judged = sheets.judge(dossier.system, dossier.scene, at.mind, sheet.role, sheet.text, at.call)
        number = sheets.next_receipt(dossier, sheet.role)
        event = sheets.entered(judged, role=sheet.role, moment=moment, receipt=number)
        entry.add(exchange.moment, event)
        if sheet.role not in dossier.campaign.players:
            continue
        player = players.get(connection, dossier.campaign.players[sheet.role])
        came = receipts.Came(
            moment=moment, number=number, received=sheet.at, now=entry.at, zone=player.zone, before=None
        )
        with speaking(dossier.campaign.language(sheet.role)):
            warning = phrase(
                "You sent these lines before {moment} was opened. They have now been read again.", moment=moment
            )
            said = receipts.receipt(entry.dossier, at, judged, came, receipts.Beside(warnings=(warning,)))
        entry.owe(
            to_player(
                in_game(dossier, sheet.role, player),
                ReceiptLetter(said),
                kind="receipt",
                cause=f"receipt/{sheet.role}/{number}",
                at=entry.at,
                moment=moment,
            )
        )
