"""Whether the office is in order: everything that it needs, looked at one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Literal

from msgspec import Struct

from pbem.desk import dossiers
from pbem.desk.adjudicate import see_rules
from pbem.desk.office import Office, office_key, open_office
from pbem.desk.settings import read_settings, smtp_password
from pbem.kernel.errors import PbemError, Refused
from pbem.reports.environment import environment
from pbem.resources import resources
from pbem.rules import registry
from pbem.storage import letters, outbox

Opener = Callable[[Path], AbstractContextManager[Office]]


class Finding(Struct, frozen=True):
    """One thing looked at, and how it is."""

    what: str
    state: Literal["ok", "look", "wrong"]
    says: str


def examine(folder: Path, opener: Opener = open_office) -> Iterator[Finding]:
    """Look at everything the office in *folder* needs; whoever opens it for the look is *opener*."""
    try:
        settings = read_settings(folder)
    except PbemError as error:
        yield Finding("settings", "wrong", str(error))
        return
    yield Finding("settings", "ok", f"{folder / 'pbem.toml'}")
    try:
        with opener(folder) as office:
            yield Finding("database", "ok", settings.database)
            for look in (_key, _campaigns, _letters, _outbox, _clock):
                yield _looked(look, office)
    except PbemError as error:
        yield Finding("database", "wrong", str(error))
    yield _templates(folder)
    yield Finding("systems", "ok", ", ".join(registry.names()))
    if not settings.smtp.host:
        yield Finding("mail", "look", "no mail server is set: nothing leaves ([smtp] host in pbem.toml)")
        return
    try:
        secret = not settings.smtp.user or bool(smtp_password(settings.smtp))
    except PbemError as error:
        yield Finding("mail", "wrong", str(error))
        return
    server = f"{settings.smtp.host}:{settings.smtp.port}"
    if secret:
        yield Finding("mail", "ok", server)
    else:
        yield Finding("mail", "wrong", f"{server} wants a password, and {settings.smtp.password_variable} is not set")


def _looked(look: Callable[[Office], Finding], office: Office) -> Finding:
    try:
        return look(office)
    except PbemError as error:
        return Finding(look.__name__.strip("_"), "wrong", str(error))


def _key(office: Office) -> Finding:
    office_key(office)
    return Finding("key", "ok", office.settings.key)


def _campaigns(office: Office) -> Finding:
    with office.read() as connection:
        names = dossiers.campaigns(connection)
        for name in names:
            dossier = dossiers.load(office, connection, name)
            if dossier.campaign.status != "ended":
                try:
                    see_rules(office, dossier)
                except Refused as refused:
                    return Finding("campaigns", "look", str(refused))
    return Finding("campaigns", "ok", ", ".join(names) or "none yet")


def _letters(office: Office) -> Finding:
    with office.read() as connection:
        waiting = {state: count for state, count in letters.counted(connection).items() if state in _WAITING}
    if waiting:
        listed = ", ".join(f"{count} {state}" for state, count in waiting.items())
        return Finding("letters", "look", f"{listed}: pbem mail quarantine")
    return Finding("letters", "ok", "none waits")


def _outbox(office: Office) -> Finding:
    with office.read() as connection:
        failed, queued = outbox.listing(connection, "failed"), outbox.listing(connection, "queued")
    if failed:
        return Finding("outbox", "look", f"{len(failed)} failed: pbem mail outbox list --state failed")
    return Finding("outbox", "ok", f"{len(queued)} to be sent")


def _clock(office: Office) -> Finding:
    now = office.now()
    with office.read() as connection:
        for name in dossiers.campaigns(connection):
            last = dossiers.load(office, connection, name).log[-1].at
            if last > now:
                return Finding("clock", "wrong", f"{name} was written to at a time that has not come: set the clock")
    return Finding("clock", "ok", "not behind the log")


def _templates(folder: Path) -> Finding:
    own = folder / "templates"
    env = environment(resources("templates"), own if own.is_dir() else None)
    for name in env.list_templates(extensions=["html", "txt"]):
        try:
            env.get_template(name)
        except Exception as error:
            return Finding("templates", "wrong", f"{name}: {error}")
    return Finding("templates", "ok", "the office's own over those shipped" if own.is_dir() else "as shipped")


_WAITING = ("new", "held", "unreadable")
