"""The settings of an office: `pbem.toml` in its folder, and what the environment says over it.

    PBEM_SMTP__HOST=mail.example.org        over   [smtp] host = …

Secrets are not in it: the key lies in a file of its own, and a password comes from the environment or from a
command.
"""

from __future__ import annotations

import os
import re
import subprocess
import tomllib
from collections.abc import Callable, Mapping
from contextlib import suppress
from ipaddress import ip_network
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args, get_type_hints
from zoneinfo import ZoneInfo

from msgspec import Meta, Struct, ValidationError, convert, field, json
from msgspec.structs import replace

from pbem.desk.office.gm import Gm, an_address, who_runs
from pbem.desk.office.whereabouts import FILE as FILE
from pbem.desk.office.whereabouts import find_office as find_office
from pbem.kernel.errors import Refused
from pbem.kernel.terms import Terms, changed
from pbem.mail.leaving.compose import HOST
from pbem.mail.reading.naming import for_people
from pbem.mail.wire.addresses import normalise
from pbem.mail.wire.reply_address import is_mailbox

if TYPE_CHECKING:
    from pbem.mail.leaving.hook import Network


def is_zone(name: str) -> bool:
    """Whether there is a time zone of that name.

    >>> is_zone("Europe/Berlin"), is_zone("Mars/Base"), is_zone("../etc")
    (True, False, False)
    """
    try:
        ZoneInfo(name)
    except (LookupError, ValueError, OSError):
        return False
    return True


A_MINUTE = {
    "gmail.com": 20,
    "googlemail.com": 20,
    "outlook.com": 20,
    "hotmail.com": 20,
    "live.com": 20,
    "msn.com": 20,
    "yahoo.com": 20,
    "icloud.com": 20,
    "aol.com": 20,
    "gmx.net": 20,
    "gmx.de": 20,
    "web.de": 20,
}
"""Mails a minute to the large mail houses, which turn away who sends them more at once."""


_URL = re.compile(r"https?://(?:[a-z0-9.-]+|\[[0-9a-f:]+\])(?::\d{1,5})?/?", re.IGNORECASE)


def can_be_extended(address: str) -> bool:
    """Whether an address can be extended by a plus to secret ones.

    >>> can_be_extended("Office@example.org"), can_be_extended("games+office@example.org")
    (True, False)
    """
    return is_mailbox(normalise(address).partition("@")[0])


class Smtp(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The server that takes the office's letters."""

    host: str = ""
    """Empty: nothing is mailed."""
    port: Annotated[int, Meta(ge=1, le=65535)] = 25
    security: Literal["none", "starttls", "tls"] = "none"
    user: str = ""
    password_variable: str = "PBEM_SMTP_PASSWORD"
    """The variable of the environment that holds the password."""
    password_command: str = ""
    """A command that prints it, asked where the variable is not set."""
    limits: dict[str, int] = field(default_factory=A_MINUTE.copy)
    """Mails a minute, by domain, over those of `A_MINUTE`; 0: as many as there are."""


class Dkim(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The key that letters are signed with (DKIM); without one they leave unsigned."""

    key: str = ""
    """The file of an RSA key (PEM), in the office's folder if it has no leading slash."""
    selector: str = "pbem"
    domain: str = ""
    """Empty: that of the office's address."""


class Imap(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The mailbox that letters are fetched from."""

    host: str = ""
    """Empty: letters are fetched from none."""
    port: Annotated[int, Meta(ge=0, le=65535)] = 0
    """0: 993 with `tls`, else 143."""
    security: Literal["none", "starttls", "tls"] = "tls"
    user: str = ""
    """Empty: the office's own address."""
    folder: str = "INBOX"
    processed: str = "Processed"
    """Where letters are moved that were taken in; empty: they stay where they lie."""
    password_variable: str = "PBEM_IMAP_PASSWORD"
    """The variable of the environment that holds the password."""
    password_command: str = ""
    """A command that prints it, asked where the variable is not set."""
    token_file: str = ""
    """A file whose first line is an OAuth token (XOAUTH2): then there is no password.  Read at each login."""
    token_command: str = ""
    """A command that prints one."""
    authorities: str = ""
    """A file of certificates to trust (PEM), where those of the system are not meant."""


class Listen(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where a mail server hands letters over; empty: nowhere.  `127.0.0.1:2424`, `[::1]:2424`."""

    lmtp: str = ""
    smtp: str = ""
    networks: tuple[str, ...] = ()
    """Networks (`10.0.0.5`, `10.0.0.0/8`) whose mail servers may, beside that of this machine; whoever comes from there
    is believed as that is."""

    @property
    def mail_servers(self) -> tuple[Network, ...]:
        """Those of `networks`."""
        return tuple(map(ip_network, self.networks))


def place_of(written: str) -> tuple[str, int] | None:
    """The address and the port of `127.0.0.1:2424` or `[::1]:2424`; None if it is neither.

    >>> place_of("127.0.0.1:2424"), place_of("[::1]:0"), place_of("localhost"), place_of("x:99999")
    (('127.0.0.1', 2424), ('::1', 0), None, None)
    """
    host, _, port = written.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not host or not (port.isascii() and port.isdecimal()) or int(port) > 65535:
        return None
    return host, int(port)


class Web(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The pages of the office: `pbem web`."""

    url: str = ""
    """Where they are reached, as `https://games.example.org`; empty: from this machine alone."""
    bind: str = "127.0.0.1:8080"
    """Where they are served: an address of this machine and a port, behind a proxy that speaks TLS."""
    public: bool = False
    """Whether scenarios and rulebooks are for everybody, or for those alone who are signed in."""
    hooks_to: tuple[str, ...] = ()
    """Networks (`10.0.0.0/8`) in which programs of players may be told though they are not the whole net's."""
    hooks_authorities: str = ""
    """A file of certificates to trust (PEM) where programs are told, where those of the system are not meant."""
    metrics: tuple[str, ...] = ()
    """Networks (`10.0.0.0/8`, `127.0.0.1`) whose machines may read `/metrics`; without any there is no such page."""
    proxies: tuple[str, ...] = ("127.0.0.1", "::1")
    """The machines whose word counts for whom they pass on (X-Forwarded-For, X-Forwarded-Proto)."""

    @property
    def networks(self) -> tuple[Network, ...]:
        """Those of `hooks_to`."""
        return tuple(map(ip_network, self.hooks_to))

    @property
    def watchers(self) -> tuple[Network, ...]:
        """Those of `metrics`."""
        return tuple(map(ip_network, self.metrics))


class Trust(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the office goes by when it asks who wrote a letter."""

    servers: tuple[str, ...] = ()
    """Names (authserv-id) under which the office's own mail server writes `Authentication-Results`; "" where it gives
    none.  Nobody else's word counts: the server must take such fields of others out.  Its word that a signature holds
    is half of it: what the signature covers is looked at in the letter."""
    dkim: bool = False
    """Whether signatures are checked here, where that server says nothing; their keys are asked for by DNS."""
    addresses: Literal["mailbox", "domain", "none"] = "mailbox"
    """How the secret address that a player answers to reaches the office.  `mailbox`: as `office+…`, where the mail
    server knows such extensions; `domain`: as any name of its domain; `none`: there are no secret addresses."""
    answers: Annotated[int, Meta(ge=1, le=1000)] = 30
    """So many answers to one person about one turn in 24 hours, where his letters change nothing."""
    strangers: Literal["tell", "silent"] = "tell"
    """Whether who is not known here, and whose domain vouches for his letter, is told so once a day."""


class Clock(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How often the office on duty looks at its clock."""

    tick: Annotated[int, Meta(ge=1, le=3600)] = 30
    """Seconds between two looks."""
    away: Annotated[int, Meta(ge=2, le=7 * 24 * 60)] = 20
    """Minutes without a look after which the office counts as away from its post."""


class Settings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All of `pbem.toml`."""

    address: str
    """What players write to."""
    name: str = "Campaign office"
    gm: str | tuple[Gm, ...] = ""
    """Who runs games, and is told what needs a decision: one address, or an entry `[[gm]]` for each; empty: whoever
    reads what is written to the office's own address."""
    zone: str = "UTC"
    """Of the GM, and of players who have said nothing else."""
    database: str = "sqlite:///office.sqlite"
    """Where it names a file without a leading slash, that lies in the office's folder."""
    key: str = "office.key"
    """The file of the office's key."""
    smtp: Smtp = Smtp()
    dkim: Dkim = Dkim()
    imap: Imap = Imap()
    listen: Listen = Listen()
    web: Web = Web()
    trust: Trust = Trust()
    clock: Clock = Clock()
    defaults: dict[str, object] = {}
    """Terms that a new campaign is opened with, if nothing else is said, by their names."""

    @property
    def terms(self) -> Terms:
        """The terms of a new campaign, if nothing else is said."""
        return changed(Terms(zone=self.zone), self.defaults)

    @property
    def gms(self) -> tuple[Gm, ...]:
        """Whoever runs games; the first is told what is no game's."""
        return self.gm if isinstance(self.gm, tuple) else (Gm(address=self.gm or normalise(self.address), name="gm"),)

    @property
    def host(self) -> str:
        """What this office is called in the ids of its letters."""
        return self.address.partition("@")[2]

    @property
    def mailbox(self) -> str:
        """What stands before the host: secret addresses extend it by a plus."""
        return self.address.partition("@")[0]


def read_settings(folder: Path, file: str = FILE) -> Settings:
    """The settings of the office in *folder*, in the *file* of that name; the environment stands above the file.

    :raises Refused: naming file and entry, if they cannot be read.
    """
    path = folder / file
    written = _above(_parsed(path), _environment())
    try:
        settings = convert(written, Settings, strict=False)
    except ValidationError as error:
        raise Refused(f"{path}: {_explained(str(error))}") from None
    for entry, check in CHECKS.items():
        try:
            settings = _checked(settings, entry, check)
        except (ValueError, Refused) as wrong:
            raise Refused(f"{path}: {entry}: {str(wrong).rstrip('.')}.") from None
    return settings


def _checked(settings: Settings, entry: str, check: Check) -> Settings:
    """*settings* with what *entry* is worth.

    :raises ValueError: if it is not what it should be.
    """
    table, _, name = entry.rpartition(".")
    if not table:
        return replace(settings, **{name: check(getattr(settings, name), settings)})
    part = getattr(settings, table)
    return replace(settings, **{table: replace(part, **{name: check(getattr(part, name), settings)})})


# ------------------------------------------------------------------------------------- what an entry must be


def _limits(limits: dict[str, int], _: Settings) -> dict[str, int]:
    for domain, count in limits.items():
        if not 0 <= count <= 10_000:
            raise ValueError(f"{domain}: {count} is no number of mails a minute")
    every = {**A_MINUTE, **{domain.lower(): count for domain, count in limits.items()}}
    return {domain: count for domain, count in every.items() if count}


def _place(written: str, like: str) -> str:
    if place_of(written) is None:
        raise ValueError(f'"{written}" is no address and port: write it like {like}')
    return written


def _of_letters(written: str, _: Settings) -> str:
    return written and _place(written, "127.0.0.1:2424")


def _of_pages(written: str, _: Settings) -> str:
    return _place(written, "127.0.0.1:8080")


def _networks(written: tuple[str, ...], _: Settings) -> tuple[str, ...]:
    for one in written:
        try:
            ip_network(one)
        except ValueError:
            raise ValueError(f'"{one}" is no network: write it like 10.0.0.0/8') from None
    return written


def _pages(written: str, _: Settings) -> str:
    if written and not _URL.fullmatch(written):
        raise ValueError(f'"{written}" is no address of pages: write it like https://games.example.org')
    return written.rstrip("/")


def _of_the_office(written: str, settings: Settings) -> str:
    address = an_address(written)
    if not HOST.fullmatch(address.rpartition("@")[2]):
        raise ValueError(f'"{address}" is no address that an office can have: its host takes letters, digits and "-"')
    if settings.trust.addresses == "mailbox" and not can_be_extended(address):
        raise ValueError(
            f'"{address}" cannot be extended by a plus to secret addresses: write [trust] addresses = '
            '"domain" if all letters to its domain reach the office, else "none"'
        )
    return address


def _a_name(written: str, _: Settings) -> str:
    return for_people(written, "the office")


def _a_zone(zone: str, _: Settings) -> str:
    if not is_zone(zone):
        raise ValueError(f'there is no time zone "{zone}": write one like Europe/Berlin')
    return zone


def _terms(defaults: dict[str, object], settings: Settings) -> dict[str, object]:
    changed(Terms(), defaults)
    try:
        _a_zone(str(defaults.get("zone", "UTC")), settings)
    except ValueError as wrong:
        raise ValueError(f"zone: {wrong}") from None
    return defaults


Check = Callable[[Any, Settings], object]
"""Gives what an entry, of its own type, is worth; raises ValueError or Refused, if it is worth nothing."""

CHECKS: Mapping[str, Check] = {
    "address": _of_the_office,
    "gm": lambda written, _: who_runs(written),
    "name": _a_name,
    "zone": _a_zone,
    "defaults": _terms,
    "smtp.limits": _limits,
    "listen.lmtp": _of_letters,
    "listen.smtp": _of_letters,
    "listen.networks": _networks,
    "web.bind": _of_pages,
    "web.url": _pages,
    "web.hooks_to": _networks,
    "web.metrics": _networks,
}
"""What is looked at of an entry beside its type."""


# ------------------------------------------------------------------------------------- where they are written


_SPELT: Mapping[str, str] = {
    "int": "a whole number", "bool": "true or false", "str": "text", "array": "a list", "object": "a table",
}  # fmt: skip


def _explained(said: str) -> str:
    """An entry that has not its type, from the words of msgspec.

    >>> _explained("Expected `int` <= 65535 - at `$.smtp.port`"), _explained("Object missing required field `address`")
    ('smtp.port: it takes a whole number <= 65535.', 'address: it must be given.')
    >>> _explained("Object contains unknown field `pasword` - at `$.smtp`")
    'smtp.pasword: there is no such entry.'
    >>> _explained("Invalid enum value 'ssl' - at `$.smtp.security`")
    'smtp.security: it takes "none", "starttls" or "tls".'
    """
    what, _, where = said.partition(" - at `$")
    entry = where.strip("`").lstrip(".")
    if found := _FIELD.fullmatch(what):
        entry = f"{entry}.{found['name']}".lstrip(".")
        return f"{entry}: {'there is no such entry' if found['what'] == 'contains unknown' else 'it must be given'}."
    if what.startswith("Invalid enum value"):
        *first, last = (f'"{one}"' for one in get_args(_type_of(entry)))
        return f"{entry}: it takes {', '.join(first)} or {last}."
    wanted = what.removeprefix("Expected ").partition(", got")[0]
    return f"{entry}: it takes {_TYPE.sub(lambda found: _SPELT.get(found[1], found[1]), wanted)}."


_FIELD = re.compile(r"Object (?P<what>contains unknown|missing required) field `(?P<name>.+)`")
_TYPE = re.compile(r"`(\w+)`")


def _type_of(entry: str) -> object:
    """The type of an entry, as it is declared."""
    found: object = Settings
    for name in entry.split("."):
        found = get_type_hints(found)[name]
    return found


def _environment() -> dict[str, object]:
    """What variables of the environment say: `PBEM_ZONE`, `PBEM_SMTP__HOST`, `PBEM_DEFAULTS__GRACE`; of lists, JSON.

    :raises Refused: if one is no JSON that should be.
    """
    found: dict[str, object] = {}
    tables = {name for name, kind in get_type_hints(Settings).items() if kind not in (str, int)}
    for variable, written in os.environ.items():
        entry = variable.lower().removeprefix("pbem_")
        table, inner, name = entry.partition("__")
        if entry == variable.lower() or table not in Settings.__struct_fields__ or bool(inner) != (table in tables):
            continue
        value = _worth(variable, written, f"{table}.{name}" if inner else table)
        if inner:
            of_table = found.setdefault(table, {})
            assert isinstance(of_table, dict), "a table's entries have two underlines in their names"
            of_table[name] = value
        else:
            found[table] = value
    return found


def _worth(variable: str, written: str, entry: str) -> object:
    table, _, name = entry.rpartition(".")
    if table == "defaults":
        # Of a term only its name is known here: what is no number, list or "true" is a word.
        with suppress(ValueError):
            return json.decode(written)
        return written
    kinds = get_type_hints(_type_of(table) if table else Settings)
    if "[" not in str(kinds.get(name, "")) or written[:1] not in ("[", "{"):
        return written
    try:
        return json.decode(written)
    except ValueError:
        raise Refused(f"what the environment says as {variable} is no JSON.") from None


def _above(file: dict[str, object], environment: Mapping[str, object]) -> dict[str, object]:
    """What the *file* says, with what the *environment* says above it."""
    every = dict(file)
    for name, said in environment.items():
        below = every.get(name)
        every[name] = {**below, **said} if isinstance(below, dict) and isinstance(said, dict) else said
    return every


def smtp_password(smtp: Smtp) -> str:
    """The password for the mail server: from the environment, or from the command; empty if neither is there.

    :raises Refused: if the command fails.
    """
    said = os.environ.get(smtp.password_variable, "")
    if said or not smtp.password_command:
        return said
    done = subprocess.run(smtp.password_command, shell=True, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Refused(f"smtp.password_command failed with {done.returncode}: {done.stderr.strip()[:200]}")
    return done.stdout.strip("\r\n")


def _parsed(path: Path) -> dict[str, object]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise Refused(f"{path} cannot be read: {error.strerror}.") from None
    except ValueError as error:
        raise Refused(f"{path} is no TOML: {error}.") from None
