"""The digest of the reports of a game: `python -m tests.kit.digest SCENARIO`, under any PYTHONHASHSEED."""

from __future__ import annotations

import hashlib
import sys

from pbem.kernel.names import CampaignId
from pbem.reports.maps.maps import sheet
from pbem.reports.pages.environment import environment
from pbem.reports.pages.report import Page, mail_body_html, report_html, report_text
from pbem.resources import resources
from pbem.rules import registry
from tests.systems.play import Game, campaigns

NOW = 1_795_212_603_000_000


def digest(scenario: str) -> str:
    """SHA-256 over every form of every report of the sample game of a scenario of St. Privat."""
    game = Game(registry.load("st-privat"), scenario)
    env = environment(resources("templates"))
    content = hashlib.sha256()
    folder = campaigns("st-privat") / scenario / "sample-orders"
    samples = {path.stem: path.read_text("utf-8") for path in folder.glob("*.txt")}
    for name in ("s1", "s2", "t1a", "t1b"):
        game.play({role: samples[f"{name}-{role}"] for role in game.roles if f"{name}-{role}" in samples})
        for role in game.roles:
            page = Page(
                view=game.page(role),
                campaign=CampaignId("autumn"),
                title="Autumn",
                system="st-privat",
                rules="st-privat",
                zone="Europe/Paris",
                now=NOW,
            )
            for form in (
                report_html(page, env),
                report_text(page, env),
                mail_body_html(page, env, map_cid="map"),
                sheet(page.view.picture),
            ):
                content.update(form.encode())
    return content.hexdigest()


if __name__ == "__main__":
    print(digest(*sys.argv[1:]))
