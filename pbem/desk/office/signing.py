"""The office's letters signed for their domain (DKIM), where its settings name a key."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from pbem.desk.office.office import Office

if TYPE_CHECKING:
    from pbem.mail.leaving.sign import SigningKey


def signed(office: Office, raw: bytes, at: datetime) -> bytes:
    """The letter with a signature of the time *at*; as it is where there is no key that can be used.

    A letter without a signature is better than none: `pbem doctor` says what is wrong with the key.
    """
    if not office.settings.dkim.key:
        return raw
    # What signs takes long to load, and most offices have no key.
    from pbem.mail.leaving.sign import BadKey, sign

    try:
        key = dkim_key(office)
        return sign(raw, key, at) if key else raw
    except BadKey:
        return raw


def dkim_key(office: Office) -> SigningKey | None:
    """The key of the settings; None if they name none.

    :raises BadKey: if it cannot be used.
    """
    said = office.settings.dkim
    if not said.key:
        return None
    from pbem.mail.leaving.sign import read_key

    kept: SigningKey | None = office.kept.get("dkim")
    if kept is None:
        kept = office.kept["dkim"] = read_key(
            office.folder / said.key, said.domain or office.settings.host, said.selector
        )
    return kept


def record(office: Office) -> str:
    """What the name server of the domain must say, so that others believe the signatures; empty without a key.

    :raises BadKey: if the key cannot be used, or is of another domain than the office's address.
    """
    key = dkim_key(office)
    if key is None:
        return ""
    from pbem.mail.leaving.sign import BadKey, txt_record

    host = office.settings.host
    if host != key.domain and not host.endswith(f".{key.domain}"):
        raise BadKey(f"a key of {key.domain} cannot sign letters from {office.settings.address}.")
    name, text = txt_record(key)
    return f'{name}. TXT "{text}"'
