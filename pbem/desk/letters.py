"""What is in each kind of letter: briefing, report, receipt, and the short ones that refuse or tell."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pbem.desk.entries import Entry
from pbem.desk.office import Office
from pbem.desk.pages import Report, attached, pictures
from pbem.desk.post import Contents, to_player
from pbem.kernel.names import Role
from pbem.mail.compose import Attachment
from pbem.reports.environment import environment
from pbem.reports.letter import inlined
from pbem.reports.notice import Notice, briefing, notice_html, notice_text
from pbem.reports.receipt import Receipt, receipt_html, receipt_subject, receipt_text
from pbem.reports.report import Page, report_subject
from pbem.resources import resources
from pbem.storage.players import Player


def report_letter(office: Office, page: Page, report: Report, *more: Attachment) -> Contents:
    """A report, whole in every part: as text, as a page with its map, and as a file; *more* goes with it."""
    return Contents(
        subject=report_subject(page),
        text=report.text,
        html=report.body,
        pictures=pictures(office, page, report),
        attachments=(*attached(report), *more),
    )


RULEBOOK = "rulebook.md"


def briefing_letter(
    office: Office, page: Page, report: Report, text: str, rulebook: str, *more: Attachment
) -> Contents:
    """The first letter to a role: its briefing, how to send orders, and field, rulebook and *more* as files."""
    view = page.view
    notice = briefing(
        campaign=page.campaign,
        title=page.title,
        role=view.role,
        addressed=view.addressed,
        text=f"{text}\n\nThe rules are in the file {RULEBOOK} that comes with this letter.\n" if rulebook else text,
        reply=page.reply,
        zone=page.zone,
        now=page.now,
        due=page.due,
        owed=view.owed,
        moment=page.next,
        template=view.template,
    )
    rules = (Attachment(RULEBOOK, "text/markdown", rulebook.encode()),) if rulebook else ()
    return _short(office, notice, attachments=(*attached(report), *rules, *more))


def notice_letter(office: Office, notice: Notice) -> Contents:
    """A short letter."""
    return _short(office, notice)


def tell(
    office: Office,
    entry: Entry,
    role: Role,
    player: Player,
    notice: Notice,
    *more: Attachment,
    cause: str,
    expires_at: int | None = None,
) -> None:
    """Owe *player*, about *role*, a short letter, with *more* as files; it never leaves after *expires_at*."""
    dossier = entry.dossier
    mails = to_player(
        office,
        dossier.id,
        dossier.opened.title,
        player,
        role,
        _short(office, notice, attachments=more),
        kind="notice",
        cause=cause,
        at=entry.at,
        moment=dossier.campaign.now,
    )
    entry.owe([replace(mail, expires_at=expires_at) for mail in mails])


def receipt_letter(office: Office, receipt: Receipt) -> Contents:
    """A receipt."""
    env = environment(resources("templates"), office.templates)
    return Contents(
        subject=receipt_subject(receipt), text=receipt_text(receipt, env), html=inlined(receipt_html(receipt, env))
    )


def _short(office: Office, notice: Notice, **more: Any) -> Contents:
    env = environment(resources("templates"), office.templates)
    return Contents(
        subject=notice.subject, text=notice_text(notice, env), html=inlined(notice_html(notice, env)), **more
    )
