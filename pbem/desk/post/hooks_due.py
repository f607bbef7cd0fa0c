"""What programs of players are to be told is told, written down as told, to be tried again, or failed."""

from __future__ import annotations

import ssl
from collections.abc import Callable

from pbem.desk.office.office import HOUR, SECOND, Office
from pbem.desk.post.delivery import LEASE, Sent
from pbem.desk.post.hooks import forget, networks, secret_of
from pbem.kernel.errors import PbemError
from pbem.mail.leaving.hook import Told, tell
from pbem.mail.leaving.outbox import Fate
from pbem.storage import blobs, hooks, outbox
from pbem.storage.database import Connection
from pbem.storage.hooks import Hook
from pbem.storage.outbox import Mail


def is_due(office: Office) -> bool:
    """Whether something is to be told now."""
    with office.read() as connection:
        due = outbox.next_hook(connection)
    return due is not None and due <= office.now()


def tell_due(office: Office, *, stop: Callable[[], bool] = lambda: False) -> Sent:
    """Tell programs all that is due, until *stop*."""
    by, ended = office.fresh_id(), list[Mail]()
    trust = ssl.create_default_context(cafile=office.settings.web.hooks_authorities or None)
    with office.write() as writing:
        ended += outbox.expire(writing, at=office.now(), hooks=True)
    while not stop():
        now = office.now()
        with office.write() as writing:
            mail = outbox.claim_hook(writing, at=now, until=now + LEASE, by=by)
            if mail is None:
                break
            hook, body = hooks.get(writing, mail.cause.split("/")[1]), _body(writing, mail)
        told = Told(Fate.FAILED, "its program is not told any more")
        if hook is not None and body is not None:
            secret = secret_of(office, hook.id)
            told = tell(
                hook.address, body, id=mail.id, at=now // SECOND, secret=secret, allowed=networks(office), trust=trust
            )
        ended.append(_settle(office, mail, hook, told, by))
    return Sent(
        sent=tuple(one for one in ended if one.state == "sent"),
        later=tuple(one for one in ended if one.state == "queued"),
        failed=tuple(one for one in ended if one.state == "failed"),
    )


def _body(connection: Connection, mail: Mail) -> bytes | None:
    try:
        return blobs.fetch(connection, mail.digest)
    except PbemError:
        return None


def _settle(office: Office, mail: Mail, hook: Hook | None, told: Told, by: str) -> Mail:
    now = office.now()
    with office.write() as writing:
        if told.fate is Fate.SENT:
            outbox.sent(writing, mail.id, answer=told.words, at=now)
        elif told.fate is Fate.RETRY:
            jitter = int.from_bytes(office.chance(4)) % (HOUR // 6)
            outbox.retry(writing, mail.id, by=by, answer=told.words, at=now, jitter=jitter)
        else:
            outbox.fail(writing, mail.id, by=by, answer=told.words)
        if told.gone and hook is not None:
            forget(writing, hook)
        return outbox.get(writing, mail.id)
