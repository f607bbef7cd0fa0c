"""What lies in the mailboxes of people, at whichever addresses, and the codes that somebody finds who reads one."""

from __future__ import annotations

import re
from email import message_from_bytes
from email.policy import default

from pbem.desk.office.office import Office
from pbem.desk.post import delivery

CODE = re.compile(r"confirm ([a-z2-7]{4}(?:-[a-z2-7]{4}){3})")


def mailbox(office: Office, address: str) -> list[str]:
    """The words of all that ever came to an address, each with its subject and in one line, the oldest first."""
    found = []
    for mail in delivery.listing(office):
        shown = delivery.shown(office, mail.id)
        letter = message_from_bytes(shown.raw or b"", policy=default)
        if address in str(letter["To"]):
            found.append(" ".join(f"{letter['Subject']}: {shown.text}".split()))
    return found


def code_in(office: Office, address: str) -> str:
    """The newest code that came to an address."""
    found: list[str] = [code for text in mailbox(office, address) for code in CODE.findall(text)]
    return found[-1]
