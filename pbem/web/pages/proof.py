"""Whether all is as it was written: of one campaign, and of the whole office, one after the other."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from msgspec import Struct

from pbem.desk.office.office import Office
from pbem.desk.proof import verify
from pbem.desk.proof.proof import Verified
from pbem.kernel.names import CampaignId
from pbem.web.asking import Answer, Ask, Data, Later, NotThere, Page
from pbem.web.pages.desk import in_game

OFFICE = "the office"
"""What stands for all that the office keeps beside its campaigns, where one asks for it."""


class Proved(Struct, frozen=True):
    """What came of one."""

    verified: Verified
    seconds: float

    @property
    def says(self) -> str:
        """It in a phrase."""
        if self.verified.sound:
            return f"sound, {self.seconds:.1f} s"
        found = [one for row in self.verified.rows for one in row.found]
        more = f", and {len(found) - 1} more" if len(found) > 1 else ""
        return f"not sound: {found[0].why}{more}"


def of_campaign(ask: Ask) -> Answer:
    """Verify a campaign."""

    def shown(done: Verified) -> Answer:
        return in_game(ask, "web/game-proof.html", "proof", verified=done)

    if ask.method == "GET":
        return in_game(ask, "web/game-proof.html", "proof", verified=None)
    return Later(verify.verify, (ask.campaign,), shown, slow=True)


def of_office(ask: Ask) -> Answer:
    """Verify what is asked for: a campaign, what the office keeps beside them, or (nothing is named) all.

    :raises NotThere: if there is nothing of that name.
    """
    there = (*verify.names(ask.office), OFFICE)
    if ask.method == "GET":
        return _page(there, {})
    which = ask.form.get("which", "")
    if which and which not in there:
        raise NotThere

    def shown(done: Mapping[str, Proved]) -> Answer:
        if ask.wants_data:
            return Data({name: {"sound": one.verified.sound, "says": one.says} for name, one in done.items()})
        return _page(there, done)

    return Later(_verified, ((which,) if which else there,), shown, slow=True)


def _page(there: Sequence[str], done: Mapping[str, Proved]) -> Page:
    return Page("web/proof.html", {"there": there, "done": done, "office_name": OFFICE})


def _verified(office: Office, names: Sequence[str]) -> dict[str, Proved]:
    done = {}
    for name in names:
        began = time.monotonic()
        found = verify.verify_office(office) if name == OFFICE else verify.verify(office, CampaignId(name))
        done[name] = Proved(found, time.monotonic() - began)
    return done
