"""The GM asks for a run where he cannot wait for it: whoever looks at the clock next does it."""

from __future__ import annotations

from pbem.desk.books import dossiers
from pbem.desk.office.office import Office
from pbem.desk.post.entries import Entry, enter
from pbem.desk.turns import adjudicate
from pbem.kernel.errors import Refused
from pbem.kernel.exchange import Exchange
from pbem.kernel.office import RunAsked
from pbem.orders.prose import listed
from pbem.storage.database import Connection


def run(office: Office, campaign: str, *, early: bool = False, defaults: bool = False) -> Exchange:
    """Have the open exchange of *campaign* run at the next look of the clock; gives it.

    *early* and *defaults* as of `adjudicate.run`, which refuses the same.

    :raises Refused: if there is nothing to run, or not yet, or a question of the rules waits.
    """

    def build(connection: Connection) -> tuple[Entry, Exchange]:
        dossier = dossiers.load(office, connection, campaign)
        adjudicate.see_rules(office, dossier)
        exchange = adjudicate.to_run(office, connection, dossier, early=early)
        if (waiting := list(dossier.campaign.queries)) and not defaults:
            raise Refused(f"{listed(waiting)} must be answered first.")
        entry = Entry(dossier, office.now(), office.by)
        entry.add(exchange.moment, RunAsked(moment=exchange.moment, defaults=defaults))
        return entry, exchange

    return enter(office, build)
