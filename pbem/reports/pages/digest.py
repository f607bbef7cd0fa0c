"""What was gathered for one reader, as one letter: each of its parts whole, in the order in which they came."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from pbem.kernel.names import CampaignId
from pbem.reports.pages.notice import Notice
from pbem.reports.text import markdown
from pbem.reports.text.plain import tidy
from pbem.reports.text.speech import phrase

if TYPE_CHECKING:
    from jinja2 import Environment


class Digest(Struct, frozen=True):
    """Short letters, each with its hour, to a reader in whose *zone* the hours are told."""

    campaign: CampaignId
    parts: tuple[tuple[int, Notice], ...]
    zone: str

    @property
    def heading(self) -> str:
        """How many there are."""
        return phrase("{count} letters and notices", count=len(self.parts))

    @property
    def subject(self) -> str:
        """What the letter is called."""
        return f"[{self.campaign}] " + phrase("{what} since your last digest", what=self.heading)


def digest_text(digest: Digest, env: Environment) -> str:
    """The letter as plain text of at most 78 columns."""
    bodies = [markdown.text(phrase(notice.body)) for _, notice in digest.parts]
    facts = [[(phrase(term), said) for term, said in notice.facts] for _, notice in digest.parts]
    return tidy(env.get_template("digest.txt").render(digest=digest, bodies=bodies, facts=facts))


def digest_html(digest: Digest, env: Environment) -> str:
    """The letter as a page."""
    bodies = [markdown.html(phrase(notice.body)) for _, notice in digest.parts]
    return env.get_template("digest.html").render(digest=digest, bodies=bodies)
