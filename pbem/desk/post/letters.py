"""What is in each kind of letter: briefing, report, receipt, and the short ones that refuse or tell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.owed import Contents, Gathered, Part, ReceiptLetter, ReportLetter, Says, ShortLetter
from pbem.desk.office.office import Office
from pbem.desk.pages.pages import Report, attached, pictures
from pbem.kernel.names import CampaignId
from pbem.mail.leaving.compose import Attachment
from pbem.reports.pages.digest import Digest, digest_html, digest_text
from pbem.reports.pages.environment import environment
from pbem.reports.pages.notice import Notice, briefing, linked, notice_html, notice_text, subject_of
from pbem.reports.pages.receipt import REFUSALS, Receipt, receipt_html, receipt_subject, receipt_text
from pbem.reports.pages.report import Page, report_subject
from pbem.reports.pages.rulebook import rulebook_html
from pbem.reports.text.letter import inlined
from pbem.reports.text.speech import ENGLISH, ENGLISH_STAYS, language, phrase
from pbem.resources import resources


def report_letter(office: Office, page: Page, report: Report, *more: Attachment) -> Contents:
    """A report, whole in every part: as text, as a page with its map, and as a file; *more* goes with it."""
    return Contents(
        subject=report_subject(page),
        text=report.text,
        html=report.body,
        pictures=pictures(office, page, report),
        attachments=(*attached(report), *more),
    )


def in_its_form(office: Office, dossier: Dossier, page: Page, more: tuple[Attachment, ...], *, whole: bool) -> Says:
    """A report as its reader wants it: whole, or as a link to its page, where this office has pages."""
    place, role, moment = office.settings.web.url, page.view.role, page.view.moment
    if not place or dossier.campaign.forms.get(role) != "link":
        return ReportLetter(moment, page.version, page.zone, more, whole)
    return ShortLetter(linked(page, f"{place}/games/{dossier.id}/{role}/turns/{moment}"))


RULEBOOK = "rulebook.html"


class Briefing(Struct, frozen=True):
    """What a role is briefed with, but for what its page says."""

    text: str
    """The scenario's own words to the role, in Markdown."""
    rulebook: str
    """In Markdown; empty if the game has none."""
    key: str
    """The public part of the key that the office signs files with; empty if it is not known."""


def briefing_letter(office: Office, page: Page, report: Report, says: Briefing, *more: Attachment) -> Contents:
    """The first letter to a role: its briefing, how to send orders, and field, rulebook and *more* as files."""
    text, rulebook = says.text, says.rulebook
    if rulebook:
        where = phrase("The rules are in the file {file} that comes with this letter.", file=RULEBOOK)
        text = f"{text}\n\n{where}\n"
    if language() != ENGLISH:
        text = f"{text}\n\n{phrase(ENGLISH_STAYS)}\n"
    return short_letter(office, briefing(page, text, says.key), (*attached(report), *_rules(office, rulebook), *more))


def _rules(office: Office, rulebook: str) -> Sequence[Attachment]:
    """The rulebook as a file that every phone opens; none, if the game has none."""
    if not rulebook:
        return ()
    page = rulebook_html(rulebook, environment(resources("templates"), office.templates))
    return (Attachment(RULEBOOK, "text/html", page.encode()),)


def receipt_letter(office: Office, receipt: Receipt) -> Contents:
    """A receipt."""
    env = environment(resources("templates"), office.templates)
    return Contents(
        subject=receipt_subject(receipt), text=receipt_text(receipt, env), html=inlined(receipt_html(receipt, env))
    )


def short_letter(office: Office, notice: Notice, attachments: tuple[Attachment, ...] = ()) -> Contents:
    """A short letter, with files that go with it."""
    env = environment(resources("templates"), office.templates)
    return Contents(
        subject=subject_of(notice),
        text=notice_text(notice, env),
        html=inlined(notice_html(notice, env)),
        attachments=attachments,
    )


def gathered_letter(office: Office, campaign: CampaignId, parts: Sequence[Part], zone: str) -> Contents:
    """What was gathered for a reader, as one letter, each part whole; what is alone, as it would have been."""
    files = _files(parts)
    if len(parts) == 1:
        return short_letter(office, parts[0].letter.notice, files)
    env = environment(resources("templates"), office.templates)
    digest = Digest(campaign, tuple((part.at, part.letter.notice) for part in parts), zone)
    return Contents(
        subject=digest.subject, text=digest_text(digest, env), html=inlined(digest_html(digest, env)), attachments=files
    )


def in_plain_words(says: Says, campaign: CampaignId) -> Contents | None:
    """What a mail says in plain words, for want of a page; None, if that will not do."""
    match says:
        case ReceiptLetter(receipt):
            return receipt_words(receipt)
        case ShortLetter(notice):
            return in_words(notice)
        case Gathered(parts):
            return gathered_in_words(campaign, parts)
        case _:  # a report is nothing without its page
            return None


def gathered_in_words(campaign: CampaignId, parts: Sequence[Part]) -> Contents:
    """The same in plain words, for want of a page."""
    text = "\n\n".join(in_words(part.letter.notice).text for part in parts)
    subject = Digest(campaign, tuple((part.at, part.letter.notice) for part in parts), "UTC").subject
    return Contents(subject=subject, text=text, attachments=_files(parts))


def _files(parts: Sequence[Part]) -> tuple[Attachment, ...]:
    """The files that go with parts of one letter, under names of their own."""
    files = [one for part in parts for one in part.letter.attachments]
    often = Counter(one.name for one in files)
    return tuple(
        replace(one, name=f"{number}-{one.name}") if often[one.name] > 1 else one
        for number, one in enumerate(files, start=1)
    )


def receipt_words(receipt: Receipt) -> Contents:
    """A receipt in plain words, for want of a page: what stands, and which lines do not."""
    refused = [f"{one.number:3}  {one.text}\n     {one.why}" for one in receipt.lines if one.word in REFUSALS]
    said = [
        f"{receipt.campaign}, {receipt.role}, {receipt.moment}: receipt {receipt.number}.",
        "Your letter was dealt with; this answer could not be made as it should look.",
        "\n".join(("Your orders as they stand:", *(f"     {line}" for line in receipt.stand or ("none",)))),
    ]
    said += ["\n".join(("Refused:", *refused))] if refused else []
    return Contents(subject=receipt_subject(receipt), text="\n\n".join(said) + "\n")


def in_words(notice: Notice) -> Contents:
    """A short letter in plain words, for want of a page."""
    facts = [f"{name}: {value}" for name, value in notice.facts]
    quoted = [f"{label}:\n\n{text}" for label, text in notice.quoted]
    said = (notice.heading, notice.summary, "\n".join(facts), notice.body, *quoted, notice.foot)
    return Contents(subject=notice.subject, text="\n\n".join(filter(None, said)) + "\n")
