"""Whether the office is in order: everything that it needs, looked at one by one; each fault says what to do."""

from __future__ import annotations

import asyncio
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from http.client import HTTPException
from importlib import metadata
from pathlib import Path
from typing import Literal
from urllib.request import urlopen

from msgspec import Struct
from msgspec.structs import replace as changed

from pbem.desk.books import dossiers
from pbem.desk.books.accounts import astray
from pbem.desk.house import nodes
from pbem.desk.office import signing
from pbem.desk.office.office import (
    HOUR,
    KEY_HEX,
    Office,
    fingerprint,
    key_of_environment,
    office_key,
    open_office,
    public_key,
)
from pbem.desk.office.settings import Settings, read_settings
from pbem.desk.post import bounces
from pbem.desk.post.delivery import server_of
from pbem.desk.proof.safekeeping import differs
from pbem.desk.turns.adjudicate import see_rules
from pbem.desk.ways import doors
from pbem.desk.ways.arrivals import EMERGENCY
from pbem.desk.ways.doors import WayIn
from pbem.desk.ways.piped import INCOMING
from pbem.kernel.errors import PbemError, Refused
from pbem.kernel.names import CampaignId
from pbem.mail.doors.emergency import lying
from pbem.mail.leaving import outbox
from pbem.mail.wire.addresses import normalise
from pbem.reports.pages.environment import environment
from pbem.reports.text.times import in_zone
from pbem.resources import resources
from pbem.rules import registry
from pbem.storage import heads, heartbeat, letters, marks, players
from pbem.storage import outbox as owed
from pbem.storage import owed as waiting
from pbem.storage.database import Connection
from pbem.storage.databases.choice import shown
from pbem.storage.letters import Letter

Opener = Callable[[Path], AbstractContextManager[Office]]

State = Literal["ok", "look", "wrong"]

STUCK = HOUR // 6
"""How long a letter may wait to be dealt with."""

_SHOWN = 5
_SIGN_IN = b'action="/sign-in"'
"""What stands on the page where one comes in, and on hardly any other."""
_PAGE = 200_000  # bytes of it that are looked at
_PATIENCE = 10.0  # seconds for one answer of a mail server


class Finding(Struct, frozen=True):
    """One thing looked at, and how it is."""

    what: str
    state: State
    says: str


def examine(folder: Path, opener: Opener = open_office) -> Iterator[Finding]:
    """Look at everything the office in *folder* needs; whoever opens it for the look is *opener*."""
    try:
        settings = read_settings(folder)
    except PbemError as error:
        yield Finding("settings", "wrong", str(error))
        return
    yield Finding("settings", "ok", f"{folder / 'pbem.toml'}")
    yield _laid_down(folder, EMERGENCY, "nothing was set aside")
    yield _laid_down(folder, INCOMING, "nothing waits to be taken in")
    yield _templates(folder)
    yield _systems()
    yield _parts(settings)
    try:
        with opener(folder) as office:
            yield _database(office)
            for what, look in LOOKS.items():
                yield from _looked(what, look, office)
    except PbemError as error:
        yield Finding("database", "wrong", str(error))


def _looked(what: str, look: Callable[[Office], Iterator[Finding]], office: Office) -> Iterator[Finding]:
    try:
        yield from look(office)
    except PbemError as error:
        yield Finding(what, "wrong", str(error))
    except Exception as error:
        # Rows that no office writes make no traceback: verify names them.
        yield Finding(what, "wrong", f"it cannot be looked at ({type(error).__name__}: {error}): pbem verify")


# ------------------------------------------------------------------------------------------------- files


def _copy(office: Office) -> Iterator[Finding]:
    """Whether it is the office itself."""
    if office.cut:
        at = in_zone(office.cut, office.settings.zone)
        yield Finding("copy", "look", f"this is a copy, cut at {at}: it never mails, and no letter reaches it")


def _keys(office: Office) -> Iterator[Finding]:
    """Whether nobody else can read what must be secret."""
    office_key(office)
    given = office.folder / office.settings.key
    others = [
        path for path in _secrets(office.folder, office.settings) if path.exists() and path.stat().st_mode & 0o077
    ]
    if others:
        yield Finding("key", "wrong", f"others can read what is secret: chmod 600 {' '.join(map(str, others))}")
        return
    for path in _secrets(office.folder, office.settings):
        if not path.exists() and (path != given or key_of_environment() is None):
            yield Finding("key", "wrong", f"{path} is named in pbem.toml and is not there.")
            return
    with office.read() as connection:
        known = marks.get(connection, marks.KEY)
        public = public_key(office, connection)
    if fault := differs(office.folder, office.settings, known):
        yield Finding("key", "wrong", fault)
    else:
        where = office.settings.key if given.exists() else KEY_HEX
        yield Finding("key", "ok", f"{where}, {fingerprint(office_key(office))}")
        yield Finding("signature", "ok", f"files of campaigns are signed; its key is {public}")


def _database(office: Office) -> Finding:
    """Whether nobody else can read the database and what lies beside it, and where the logs end can be written down."""
    path = office.engine.path
    beside = heads.path_of(path)
    open_to_others = [
        one
        for one in (
            path,
            *path.parent.glob(f"{path.name}-*"),
            beside,
            office.folder / EMERGENCY,
            office.folder / INCOMING,
        )
        if one.exists() and one.stat().st_mode & 0o077
    ]
    if open_to_others:
        names = " ".join(map(str, open_to_others))
        return Finding("database", "wrong", f"others can read orders, addresses and seeds: chmod go= {names}")
    if office.folder.stat().st_mode & 0o077:
        return Finding("database", "look", f"others can look into the folder: chmod 700 {office.folder}")
    if not beside.exists():
        return Finding("database", "look", f"{beside} is missing: pbem verify, then pbem db upgrade begins it anew")
    if not os.access(beside, os.W_OK):
        return Finding("database", "wrong", f"{beside} cannot be written: give it to the user who runs pbem")
    with office.read() as connection:
        remarks = connection.database.remarks(connection)
    if remarks:
        return Finding("database", "look", f"{office.engine.at}: {'; '.join(remarks)}")
    return Finding("database", "ok", shown(office.settings.database))


def _secrets(folder: Path, settings: Settings) -> list[Path]:
    named = (settings.key, settings.dkim.key, settings.imap.token_file)
    return [folder / name for name in named if name]


def _laid_down(folder: Path, name: str, otherwise: str) -> Finding:
    """What lies in the folder *name* of the office and was not taken in."""
    place = folder / name
    try:
        count = sum(1 for _ in lying(place))
    except PbemError as error:
        return Finding(name, "wrong", f"{error}  Give the folder to the user who runs pbem.")
    if count:
        what = "1 letter lies" if count == 1 else f"{count} letters lie"
        return Finding(name, "look", f"{what} in {place}: pbem mail fetch, receive, serve or run takes them in")
    return Finding(name, "ok", otherwise)


def _systems() -> Finding:
    """Whether the rules that are installed can be loaded, those of other packages too."""
    broken = [str(error) for error in registry.broken()]
    if broken:
        return Finding("systems", "wrong", f"{'  '.join(broken)}  Its games stand still until its package is mended.")
    return Finding("systems", "ok", ", ".join(registry.names()))


PARTS = {"web": "the pages", "postgres": "PostgreSQL and workers", "suite": "the contract suite for authors"}
"""What is installed besides only where it is asked for, and what for."""


def _parts(settings: Settings) -> Finding:
    """What cannot be done here for want of packages, and what has it done."""
    try:
        asked = metadata.requires("pbem") or ()
    except metadata.PackageNotFoundError:
        return Finding("parts", "ok", "it runs from its source: nobody has said what is installed with it")
    wants = [re.match(r'([\w.-]+).*; extra == ["\'](\w+)', one) for one in asked]
    lacking = [part for part in PARTS if not all(_is_here(one[1]) for one in wants if one and one[2] == part)]
    if not lacking:
        return Finding("parts", "ok", ", ".join(PARTS.values()))
    said = "; ".join(f"not for {PARTS[part]}: pip install 'pbem[{part}]'" for part in lacking)
    return Finding("parts", "wrong" if "web" in lacking and settings.web.url else "ok", said)


def _is_here(package: str) -> bool:
    try:
        metadata.version(package)
    except metadata.PackageNotFoundError:
        return False
    return True


def _templates(folder: Path) -> Finding:
    own = folder / "templates"
    env = environment(resources("templates"), own if own.is_dir() else None)
    for name in env.list_templates(extensions=["html", "txt"]):
        try:
            env.get_template(name)
        except Exception as error:
            return Finding("templates", "wrong", f"{name}: {error}")
    return Finding("templates", "ok", "the office's own over those shipped" if own.is_dir() else "as shipped")


# ----------------------------------------------------------------------------------------------- letters


def _letters(office: Office) -> Iterator[Finding]:
    """Whether every letter that ever came is accounted for, with a reason."""
    with office.read() as connection:
        balance = letters.balance(connection)
        stuck = [one for one in letters.listing(connection, "new") if office.now() - one.received_at > STUCK]
    said = ", ".join(f"{count} {state}" for state, count in balance.states.items() if count)
    if not balance.even:
        lost = balance.received - sum(balance.states.values())
        mute = f"; these say no reason: {_numbers(balance.mute)}" if balance.mute else ""
        yield Finding("letters", "wrong", f"{balance.received} came: {said}, {lost} in no state{mute}")
    elif stuck:
        numbers = _numbers(tuple(one.id for one in stuck))
        yield Finding(
            "letters", "look", f"not dealt with for long: {numbers}; pbem mail fetch, receive or run reads them"
        )
    elif waiting := balance.states["held"] + balance.states["unreadable"]:
        yield Finding(
            "letters", "look", f"{balance.received} came: {said}; {waiting} for you: pbem mail quarantine list"
        )
    else:
        yield Finding("letters", "ok", f"{balance.received} came{f': {said}' if said else ''}")


def _numbers(ids: tuple[int, ...]) -> str:
    more = f" and {len(ids) - _SHOWN} more" if len(ids) > _SHOWN else ""
    return f"{', '.join(map(str, ids[:_SHOWN]))}{more}"


def _outbox(office: Office) -> Iterator[Finding]:
    with office.read() as connection:
        found = Counter(one.state for one in owed.listing(connection))
        unwritten, gathered = waiting.failed(connection), len(waiting.gathered(connection))
    if unwritten:
        first = f"{unwritten[0].cause}: {unwritten[0].fault}"
        yield Finding("outbox", "wrong", f"{len(unwritten)} could not be written, {first}: pbem mail outbox rewrite")
    if failed := found["failed"]:
        yield Finding("outbox", "look", f"{failed} failed: pbem mail outbox list --state failed")
    else:
        digests = f"; {gathered} gathered for later" if gathered else ""
        yield Finding("outbox", "ok", f"{found['queued']} to be sent{digests}")


def _reach(office: Office) -> Iterator[Finding]:
    """Whether everybody can be written to."""
    with office.read() as connection:
        failing = bounces.failing(connection, office.now())
        called = [players.get(connection, id).name or id if id else "the GM" for id in failing]
    if called:
        yield Finding("players", "look", f"mail comes back from {', '.join(called)}: ask for another address")
    else:
        yield Finding("players", "ok", "no mail comes back")


# ---------------------------------------------------------------------------------------------- campaigns


def _campaigns(office: Office) -> Iterator[Finding]:
    with office.read() as connection:
        names = dossiers.campaigns(connection)
        came: dict[CampaignId | None, list[Letter]] = {}
        for letter in letters.listing(connection):
            came.setdefault(letter.campaign, []).append(letter)
        for name in names:
            yield Finding(name, *_campaign(office, connection, name, came.get(name, [])))
    if not names:
        yield Finding("campaigns", "ok", "none yet")


def _campaign(office: Office, connection: Connection, name: CampaignId, came: list[Letter]) -> tuple[State, str]:
    """How one campaign is: its log, its letters, its rules, its hour."""
    try:
        dossier = dossiers.load(office, connection, name)
    except PbemError as error:
        return "wrong", f"{error}"
    if dossier.log[-1].at > office.now():
        return "wrong", "it was written to at a time that has not come: set the clock"
    if faults := astray(dossier, came):
        return "wrong", faults[0]
    status = dossier.campaign.status
    if status == "ended":
        return "ok", "ended"
    try:
        see_rules(office, dossier)
    except Refused as refused:
        return "look", str(refused)
    if dossier.campaign.now is not None:
        exchange = dossier.exchange()
        if status == "running" and exchange.state == "open" and exchange.deadline + STUCK < office.now():
            hour = in_zone(exchange.deadline, office.settings.zone)
            return "look", f"{exchange.moment} was due at {hour} and was not run: pbem turn show {name}"
    return "ok", status


def _clock(office: Office) -> Iterator[Finding]:
    """Whether somebody looks at the clock, and whether it went back."""
    now = office.now()
    with office.read() as connection:
        watch = heartbeat.last(connection)
    if watch is None:
        yield Finding("clock", "ok", "pbem run was never started here: turns are run by hand")
    elif watch.seen_at > now:
        yield Finding("clock", "wrong", "pbem run has seen a later time than now: set the clock")
    elif now - watch.seen_at > STUCK:
        yield Finding(
            "clock", "look", f"pbem run looked last at {in_zone(watch.seen_at, office.settings.zone)}: start it"
        )
    else:
        yield Finding("clock", "ok", "pbem run keeps it")


# ------------------------------------------------------------------------------------------- mail servers


def _going_out(office: Office) -> Iterator[Finding]:
    smtp = office.settings.smtp
    if not smtp.host:
        yield Finding("mail", "look", "no mail server is set: nothing leaves ([smtp] host in pbem.toml)")
        return
    server = changed(server_of(office), timeout=_PATIENCE)
    at = f"{smtp.host}:{smtp.port}"
    if smtp.user and not server.password:
        yield Finding("mail", "wrong", f"{at} wants a password, and {smtp.password_variable} is not set")
    elif fault := asyncio.run(outbox.reach(server)):
        yield Finding("mail", "wrong", f"{at}: {fault}; see [smtp] in pbem.toml")
    else:
        yield Finding("mail", "ok", at)


def _signing(office: Office) -> Iterator[Finding]:
    """Whether letters leave signed, and what the name server must say for it."""
    said = signing.record(office)
    if said:
        yield Finding("dkim", "ok", f"the name server must say: {said}")


def _coming_in(office: Office) -> Iterator[Finding]:
    for record in (doors.WAYS[way] for way in doors.ways_of(office)):
        yield from _looked(record.called, partial(_way_in, record), office)


def _way_in(record: WayIn, office: Office) -> Iterator[Finding]:
    yield Finding(record.called, "ok", record.seen(office, _PATIENCE))


def _pages(office: Office) -> Iterator[Finding]:
    """Whether the pages can be had where the settings say."""
    url = office.settings.web.url
    if not url:
        return
    try:
        with urlopen(f"{url}/sign-in", timeout=_PATIENCE) as answer:
            ours = _SIGN_IN in answer.read(_PAGE)
    except (OSError, HTTPException, ValueError) as error:
        yield Finding("pages", "look", f"{url}: {error}: does pbem run --web run, and the server before it?")
        return
    if ours:
        yield Finding("pages", "ok", url)
    else:
        yield Finding("pages", "look", f"{url} shows something else: does the server before it lead to [web] bind?")


def _nodes(office: Office) -> Iterator[Finding]:
    """Whether all who keep the office together go by the same; nothing if they do."""
    try:
        here = nodes.this(office, "run")
    except Refused:
        return  # there is no key to compare, and that is said already
    for node in nodes.others(office):
        if found := nodes.unlike(node, here):
            state: State = "look" if node.key == here.key else "wrong"
            says = f"{node.called}: {'; '.join(found)}: let it be the same, and start it again"
            yield Finding("node", state, says)


def _umpire(office: Office) -> Iterator[Finding]:
    """Whether what the GM must know reaches somebody."""
    if any(normalise(one.address) == normalise(office.settings.address) for one in office.gms):
        says = "what you must know is mailed to the office itself, which takes it in again: gm in pbem.toml"
        yield Finding("gm", "look", says)
    else:
        yield Finding("gm", "ok", ", ".join(one.address for one in office.gms))


LOOKS: dict[str, Callable[[Office], Iterator[Finding]]] = {
    "copy": _copy,
    "key": _keys,
    "campaigns": _campaigns,
    "letters": _letters,
    "outbox": _outbox,
    "players": _reach,
    "clock": _clock,
    "gm": _umpire,
    "mail": _going_out,
    "dkim": _signing,
    "mailbox": _coming_in,
    "pages": _pages,
    "node": _nodes,
}
"""What is looked at in an office that is open."""
