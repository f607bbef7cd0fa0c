"""The guides, for everybody: they say nothing of any game."""

from __future__ import annotations

from pbem.desk.library import guides as library
from pbem.kernel.errors import Refused
from pbem.reports.pages.environment import environment
from pbem.reports.pages.guide import guide_html
from pbem.reports.pages.sliced import sliced
from pbem.resources import resources
from pbem.web.asking import Answer, Ask, NotThere, Page


def listing(ask: Ask) -> Answer:
    """What there is to read."""
    return Page("web/guides.html", {"guides": library.listing()})


def guide(ask: Ask) -> Answer:
    """One guide."""
    try:
        found = library.find(ask.named["guide"])
    except Refused:
        raise NotThere from None
    source, beyond = library.for_web(found)
    page = guide_html(source, environment(resources("templates"), ask.office.templates), beyond)
    return Page("web/guide.html", {"guide": found, "page": sliced(page)})
