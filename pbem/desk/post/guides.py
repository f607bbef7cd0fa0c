"""A guide as a letter: a few words, and its page as a file that every phone opens."""

from __future__ import annotations

from pbem.desk.books.owed import ShortLetter
from pbem.desk.library import guides
from pbem.desk.office.office import Office
from pbem.mail.leaving.compose import Attachment
from pbem.reports.pages.environment import environment
from pbem.reports.pages.guide import guide_html
from pbem.reports.pages.notice import Notice
from pbem.reports.text import markdown
from pbem.resources import resources


def guide_letter(office: Office, name: str) -> ShortLetter:
    """The guide of that name, for whoever asked for it by `help NAME`.

    :raises Refused: if there is none.
    """
    found = guides.find(name)
    page = guide_html(guides.alone(found), environment(resources("templates"), office.templates))
    place = office.settings.web.url
    chapters = [one.title for one in markdown.chapters(markdown.blocks(found.source)) if one.level == 2]
    file = f"{found.name}.html"
    return ShortLetter(
        Notice(
            campaign="",
            subject=f"{found.title}: {file}",
            heading=found.title,
            summary=f"It is in the file {file} that comes with this letter.",
            body=f"{found.says}\n\nOn the web: {place}{guides.WEB}{found.name}" if place else found.says,
            quoted=(("What is in it", "\n".join(chapters)),),
            foot="",
        ),
        (Attachment(file, "text/html", page.encode()),),
    )
