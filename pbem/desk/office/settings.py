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
from ipaddress import ip_network
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

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


class Smtp(BaseModel):
    """The server that takes the office's letters."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    host: str = ""
    """Empty: nothing is mailed."""
    port: int = Field(25, ge=1, le=65535)
    security: Literal["none", "starttls", "tls"] = "none"
    user: str = ""
    password_variable: str = "PBEM_SMTP_PASSWORD"
    """The variable of the environment that holds the password."""
    password_command: str = ""
    """A command that prints it, asked where the variable is not set."""
    limits: dict[str, int] = A_MINUTE
    """Mails a minute, by domain, over those of `A_MINUTE`; 0: as many as there are."""

    @field_validator("limits")
    @classmethod
    def _by_domain(cls, limits: dict[str, int]) -> dict[str, int]:
        for domain, count in limits.items():
            if not 0 <= count <= 10_000:
                raise ValueError(f"{domain}: {count} is no number of mails a minute")
        every = {**A_MINUTE, **{domain.lower(): count for domain, count in limits.items()}}
        return {domain: count for domain, count in every.items() if count}


class Dkim(BaseModel):
    """The key that letters are signed with (DKIM); without one they leave unsigned."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    key: str = ""
    """The file of an RSA key (PEM), in the office's folder if it has no leading slash."""
    selector: str = "pbem"
    domain: str = ""
    """Empty: that of the office's address."""


class Imap(BaseModel):
    """The mailbox that letters are fetched from."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    host: str = ""
    """Empty: letters are fetched from none."""
    port: int = Field(0, ge=0, le=65535)
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


class Listen(BaseModel):
    """Where a mail server of this machine hands letters over; empty: nowhere.  `127.0.0.1:2424`, `[::1]:2424`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    lmtp: str = ""
    smtp: str = ""

    @field_validator("lmtp", "smtp")
    @classmethod
    def _a_place(cls, written: str) -> str:
        if written and place_of(written) is None:
            raise ValueError(f'"{written}" is no address and port: write it like 127.0.0.1:2424')
        return written


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


class Web(BaseModel):
    """The pages of the office: `pbem web`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

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
    proxies: tuple[str, ...] = ("127.0.0.1", "::1")
    """The machines whose word counts for whom they pass on (X-Forwarded-For, X-Forwarded-Proto)."""

    @field_validator("bind")
    @classmethod
    def _a_place(cls, written: str) -> str:
        if place_of(written) is None:
            raise ValueError(f'"{written}" is no address and port: write it like 127.0.0.1:8080')
        return written

    @field_validator("hooks_to")
    @classmethod
    def _networks(cls, written: tuple[str, ...]) -> tuple[str, ...]:
        for one in written:
            try:
                ip_network(one)
            except ValueError:
                raise ValueError(f'"{one}" is no network: write it like 10.0.0.0/8') from None
        return written

    @property
    def networks(self) -> tuple[Network, ...]:
        """Those of `hooks_to`."""
        return tuple(map(ip_network, self.hooks_to))

    @field_validator("url")
    @classmethod
    def _an_address(cls, written: str) -> str:
        if written and not _URL.fullmatch(written):
            raise ValueError(f'"{written}" is no address of pages: write it like https://games.example.org')
        return written.rstrip("/")


class Trust(BaseModel):
    """What the office goes by when it asks who wrote a letter."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    servers: tuple[str, ...] = ()
    """Names (authserv-id) under which the office's own mail server writes `Authentication-Results`; "" where it gives
    none.  Nobody else's word counts: the server must take such fields of others out.  Its word that a signature holds
    is half of it: what the signature covers is looked at in the letter."""
    dkim: bool = False
    """Whether signatures are checked here, where that server says nothing; their keys are asked for by DNS."""
    addresses: Literal["mailbox", "domain", "none"] = "mailbox"
    """How the secret address that a player answers to reaches the office.  `mailbox`: as `office+…`, where the mail
    server knows such extensions; `domain`: as any name of its domain; `none`: there are no secret addresses."""
    answers: int = Field(30, ge=1, le=1000)
    """So many answers to one person about one turn in 24 hours, where his letters change nothing."""
    strangers: Literal["tell", "silent"] = "tell"
    """Whether who is not known here, and whose domain vouches for his letter, is told so once a day."""


class Clock(BaseModel):
    """How often the office on duty looks at its clock."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    tick: int = Field(30, ge=1, le=3600)
    """Seconds between two looks."""
    away: int = Field(20, ge=2, le=7 * 24 * 60)
    """Minutes without a look after which the office counts as away from its post."""


class Settings(BaseSettings):
    """All of `pbem.toml`."""

    model_config = SettingsConfigDict(env_prefix="PBEM_", env_nested_delimiter="__", extra="forbid", frozen=True)

    address: str
    """What players write to."""
    name: str = "Campaign office"
    gm: str = ""
    """Who is told what needs a decision; empty: the office's own address."""
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

    @field_validator("address", "gm")
    @classmethod
    def _an_address(cls, written: str) -> str:
        address = normalise(written)
        if written and not (address and address.isascii()):
            raise ValueError(f'"{written}" is no address')
        return address

    @field_validator("address")
    @classmethod
    def _a_host(cls, address: str) -> str:
        if not HOST.fullmatch(address.rpartition("@")[2]):
            raise ValueError(
                f'"{address}" is no address that an office can have: its host takes letters, digits and "-"'
            )
        return address

    @field_validator("name")
    @classmethod
    def _a_name(cls, written: str) -> str:
        try:
            return for_people(written, "the office")
        except Refused as refused:
            raise ValueError(str(refused).rstrip(".")) from None

    @model_validator(mode="after")
    def _an_address_that_can_be_extended(self) -> Settings:
        if self.trust.addresses == "mailbox" and not can_be_extended(self.address):
            raise ValueError(
                f'"{self.address}" cannot be extended by a plus to secret addresses: write [trust] addresses = '
                '"domain" if all letters to its domain reach the office, else "none"'
            )
        return self

    @field_validator("zone")
    @classmethod
    def _a_zone(cls, zone: str) -> str:
        if not is_zone(zone):
            raise ValueError(f'there is no time zone "{zone}": write one like Europe/Berlin')
        return zone

    @field_validator("defaults")
    @classmethod
    def _terms(cls, defaults: dict[str, object]) -> dict[str, object]:
        changed(Terms(), defaults)
        if not is_zone(zone := str(defaults.get("zone", "UTC"))):
            raise ValueError(f'zone: there is no time zone "{zone}": write one like Europe/Berlin')
        return defaults

    @property
    def terms(self) -> Terms:
        """The terms of a new campaign, if nothing else is said."""
        return changed(Terms(zone=self.zone), self.defaults)

    @property
    def host(self) -> str:
        """What this office is called in the ids of its letters."""
        return self.address.partition("@")[2]

    @property
    def mailbox(self) -> str:
        """What stands before the host: secret addresses extend it by a plus."""
        return self.address.partition("@")[0]

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The environment stands above the file."""
        return (env_settings, init_settings)


def read_settings(folder: Path, file: str = FILE) -> Settings:
    """The settings of the office in *folder*, in the *file* of that name.

    :raises Refused: naming file and entry, if they cannot be read.
    """
    path = folder / file
    try:
        return Settings(**_parsed(path))
    except ValidationError as error:
        first = error.errors()[0]
        entry = ".".join(str(part) for part in first["loc"])
        more = f"  ({error.error_count()} entries are wrong.)" if error.error_count() > 1 else ""
        raise Refused(f"{path}: {entry}: {first['msg'].removeprefix('Value error, ')}.{more}") from None


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


def _parsed(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise Refused(f"{path} cannot be read: {error.strerror}.") from None
    except ValueError as error:
        raise Refused(f"{path} is no TOML: {error}.") from None
