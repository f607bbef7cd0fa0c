"""Who writes to the office, and what he finds in his mailbox: the address that is his alone, the code that confirms."""

from __future__ import annotations

import re
from email import message_from_bytes
from email.policy import default
from email.utils import formatdate

from msgspec.structs import replace as changed

from pbem.desk.office.office import SECOND
from pbem.desk.reading.letters import Post, post
from pbem.kernel.names import Moment, Role
from pbem.storage import letters
from pbem.storage.letters import Letter
from pbem.storage.outbox import Mail
from tests.kit.signer import FIVE
from tests.kit.table import Table

SPY = "spy@elsewhere.example"
SMUGGLER, GUARD = Role("smuggler"), Role("guard")


def mails_to(table: Table, role: str) -> list[Mail]:
    who = table.dossier.campaign.players[Role(role)]
    return [mail for mail in table.mails if mail.player == who]


def letters_of(table: Table, role: Role) -> Post:
    """The letters of a role, as its player finds them on his page."""
    dossier = table.dossier
    return post(dossier, role, dossier.campaign.players[role])


def secret(table: Table, role: str) -> str:
    """Where a role's player answers the newest letter to him."""
    said = message_from_bytes(table.bytes_of(mails_to(table, role)[-1]), policy=default)["Reply-To"]
    return str(said)


def answering(table: Table, role: str) -> str:
    return f"Delivered-To: {secret(table, role)}"


def code_to(table: Table, role: str) -> str:
    """The line that confirms, as the player reads it."""
    found = re.search(r"confirm [a-z2-7]{4}(?:-[a-z2-7]{4}){3}", table.last_to(role))
    assert found, table.last_to(role)
    return found[0]


def row(table: Table, id: int) -> Letter:
    with table.office.read() as connection:
        return letters.get(connection, id)


def sheet(table: Table, role: Role = SMUGGLER) -> str | None:
    campaign = table.dossier.campaign
    there = campaign.sheets.get((campaign.now or Moment(0), role))
    return there.text if there else None


def trusting(table: Table) -> None:
    """The office goes by what its own mail server says."""
    trust = changed(table.office.settings.trust, servers=("mx.office.example",))
    object.__setattr__(table.office, "settings", changed(table.office.settings, trust=trust))


def vouched(table: Table, domain: str = "player.example") -> str:
    """The fields of a letter that our mail server found signed, all of it."""
    signature = f"v=1; a=rsa-sha256; d={domain}; s=s; h={':'.join(FIVE)}; bh=x; b=x"
    found = f"mx.office.example; dkim=pass header.d={domain}; dmarc=pass header.from={domain}"
    fields = (f"Authentication-Results: {found}", f"DKIM-Signature: {signature}", dated(table))
    return "\n".join(fields)


def dated(table: Table, hours: float = 0) -> str:
    """The field that says when a letter is written: now, or so many *hours* from now."""
    return f"Date: {formatdate(table.clock.at / SECOND + hours * 3600)}"


def seen_by(table: Table, address: str) -> list[tuple[str, str]]:
    """All that the office ever wrote to an address: header and text, without the ids made of what was sent to it."""
    found = []
    for mail in table.mails:
        letter = message_from_bytes(table.bytes_of(mail), policy=default)
        if address in str(letter["To"]):
            found.append((mail.subject, _ID.sub("", table.text_of(mail))))
    return found


_ID = re.compile(r'<[0-9a-f]{32}@office\.example>|boundary="[^"]*"|(?<=Entered in the log as:)[^.]{1,90}[0-9a-f]{64}')
