"""What programs of players are to be told is told, written down as told, to be tried again, or failed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from pbem.desk.office.office import SECOND, Office
from pbem.desk.post.delivery import LEASE, Sent, alive, jitter
from pbem.desk.post.hooks import forget, secret_of
from pbem.kernel.errors import PbemError
from pbem.mail.leaving.fate import Fate
from pbem.storage import blobs, hooks, outbox
from pbem.storage.database import Connection
from pbem.storage.hooks import Hook
from pbem.storage.outbox import Mail

if TYPE_CHECKING:
    import ssl

    from pbem.mail.leaving.hook import Told

AT_ONCE = 8
"""So many programs are told at a time."""


def is_due(office: Office) -> bool:
    """Whether something is to be told now."""
    with office.read() as connection:
        due = outbox.next_hook(connection)
    return due is not None and due <= office.now()


def tell_due(office: Office, *, stop: Callable[[], bool] = lambda: False) -> Sent:
    """Tell programs all that is due, a few at a time, until *stop*: one that does not answer holds up few others.

    :raises Refused: if the certificates that the settings name cannot be read; then all waits.
    """
    from concurrent.futures import ThreadPoolExecutor

    if not is_due(office):
        return Sent()
    by, ended = office.fresh_id(), list[Mail]()
    with office.write() as writing:
        ended += outbox.expire(writing, at=office.now(), hooks=True)
    trust = _trust(office)
    with alive(office, by), ThreadPoolExecutor(AT_ONCE, thread_name_prefix="hook") as pool:
        while not stop() and (claimed := _claimed(office, by)):
            told = list(pool.map(partial(_told, office, trust), claimed))
            ended += [_settle(office, one, said, by) for one, said in zip(claimed, told, strict=True)]
    return Sent(
        sent=tuple(one for one in ended if one.state == "sent"),
        later=tuple(one for one in ended if one.state == "queued"),
        failed=tuple(one for one in ended if one.state == "failed"),
    )


def _trust(office: Office) -> ssl.SSLContext:
    import ssl

    from pbem.desk.office.trusted import trusted

    said = office.settings.web.hooks_authorities
    return trusted(office.folder / said, "[web] hooks_authorities") if said else ssl.create_default_context()


class _Claimed(NamedTuple):
    """What is ours to tell for now."""

    mail: Mail
    hook: Hook | None
    """None: its program is told no more."""
    body: bytes | None
    """None: its bytes are gone."""


def _claimed(office: Office, by: str) -> list[_Claimed]:
    """What is told next, of each program one thing: it hears all in its order."""
    found, now = dict[str, _Claimed](), office.now()
    with office.write() as writing:
        while len(found) < AT_ONCE:
            mail = outbox.claim_hook(writing, at=now, until=now + LEASE, by=by, but=found)
            if mail is None:
                break
            id = mail.cause.split("/")[1]
            found[f"hook/{id}"] = _Claimed(mail, hooks.get(writing, id), _body(writing, mail))
    return list(found.values())


def _told(office: Office, trust: ssl.SSLContext, one: _Claimed) -> Told:
    from pbem.mail.leaving.hook import Told, tell

    if one.hook is None or one.body is None:
        return Told(Fate.FAILED, "its program is not told any more")
    secret, at, allowed = secret_of(office, one.hook.id), office.now() // SECOND, office.settings.web.networks
    return tell(one.hook.address, one.body, id=one.mail.id, at=at, secret=secret, allowed=allowed, trust=trust)


def _body(connection: Connection, mail: Mail) -> bytes | None:
    try:
        return blobs.fetch(connection, mail.digest)
    except PbemError:
        return None


def _settle(office: Office, one: _Claimed, told: Told, by: str) -> Mail:
    now, mail = office.now(), one.mail
    with office.write() as writing:
        if told.fate is Fate.SENT:
            outbox.sent(writing, mail.id, answer=told.words, at=now)
        elif told.fate is Fate.RETRY:
            outbox.retry(writing, mail.id, by=by, answer=told.words, at=now, jitter=jitter(office))
        else:
            outbox.fail(writing, mail.id, by=by, answer=told.words)
        if told.gone and one.hook is not None:
            forget(writing, one.hook)
        return outbox.get(writing, mail.id)
