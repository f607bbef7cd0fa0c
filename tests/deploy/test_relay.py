"""Postfix before the office, as the files set it up: in by LMTP, out into the world, and for nobody a way through."""

from __future__ import annotations

import os
import re
import shutil
import signal
import smtplib
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from pathlib import Path
from typing import NamedTuple

import pytest

from pbem.desk.office.office import open_office
from tests.conftest import needs
from tests.deploy.conftest import ALONE
from tests.deploy.machine import DEPLOY, Machine, free, until
from tests.deploy.reading import blocks, step, steps, words
from tests.kit.table import PLAYERS, Clock, Table
from tests.systems.play import SIXTH

pytestmark = pytest.mark.xdist_group("deploy")

DIST = Path("/usr/share/postfix/master.cf.dist")
RELAY = (DEPLOY / "relay" / "main.cf").read_text("utf-8")
[BESIDE] = ("\n".join(block) for block in blocks(ALONE) if block[0].startswith("recipient_delimiter"))
"""What the README adds to what Debian's Postfix has."""

DEBIAN = "compatibility_level = 3.6\nalias_maps =\n"
"""That, as far as it matters here."""


class Relay(NamedTuple):
    """A Postfix that runs."""

    port: int
    place: Path

    def log(self) -> str:
        """What it wrote down."""
        return (self.place / "maillog").read_text()

    def takes(self, sender: str, to: str) -> int:
        """Hand a letter over; gives what is answered to its recipient."""
        letter = EmailMessage()
        letter["From"], letter["To"], letter["Subject"], letter["Message-ID"] = sender, to, "hello", f"<{to}>"
        letter.set_content("A question.")
        with smtplib.SMTP("127.0.0.1", self.port) as line:
            try:
                line.send_message(letter, sender, [to])
            except smtplib.SMTPRecipientsRefused as refused:
                return refused.recipients[to][0]
        return 250


@contextmanager
def running(main: str, machine: Machine, smtp: int, **more: str) -> Iterator[Relay]:
    """Postfix with the settings *main*, as its container begins and ends it; what it sends comes to the port *smtp*."""
    needs("postfix")
    if os.geteuid() != 0:
        pytest.skip("needs root, as whom alone Postfix changes its users")
    place = Path(tempfile.mkdtemp(prefix="pbem-relay-"))
    place.chmod(0o755)
    relay = Relay(free(), place)
    try:
        for name in ("etc", "spool", "data"):
            (place / name).mkdir(mode=0o755)
        shutil.chown(place / "data", "postfix")
        there = {
            "queue_directory": f"{place}/spool",
            "data_directory": f"{place}/data",
            "maillog_file": f"{place}/maillog",
            "maillog_file_prefixes": f"{place}",
            "inet_interfaces": "127.0.0.1",
            "inet_protocols": "ipv4",
            "relayhost": f"[127.0.0.1]:{smtp}",
            **more,
        }
        main = machine.here(main).replace("office:2424", f"127.0.0.1:{machine.lmtp}")
        main = re.sub(rf"^(?:{'|'.join(there)}) = .*\n", "", main, flags=re.MULTILINE)
        whole = main + "\n" + "".join(f"{name} = {value}\n" for name, value in there.items())
        (place / "etc" / "main.cf").write_text(whole)
        master = re.sub(r"^smtp(?= +inet)", f"127.0.0.1:{relay.port}", DIST.read_text(), flags=re.MULTILINE)
        (place / "etc" / "master.cf").write_text(master)
        [shut_in] = [rest for name, rest in steps("relay") if name == "RUN" and rest.startswith("postconf")]
        etc = f"-c {place}/etc"
        assert subprocess.run(shut_in.replace("postconf", f"postconf {etc}"), shell=True, check=False).returncode == 0

        begins, asks = (
            [word for one in step("relay", name) for word in ([one, *etc.split()] if one == "postfix" else [one])]
            for name in ("CMD", "HEALTHCHECK")
        )
        with subprocess.Popen(begins, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            until(lambda: subprocess.run(asks, capture_output=True, check=False).returncode == 0)
            try:
                until(lambda: answers(relay.port), relay.log)
                yield relay
                process.send_signal(signal.SIGTERM)
                process.wait(30)
            finally:
                process.kill()
    finally:
        shutil.rmtree(place, ignore_errors=True)


def answers(port: int) -> bool:
    try:
        with smtplib.SMTP("127.0.0.1", port, timeout=5):
            return True
    except OSError:
        return False


@pytest.mark.parametrize(
    ("main", "game"), [(RELAY, "contained"), (DEBIAN + BESIDE, "beside")], ids=["in its container", "on one machine"]
)
def test_letters_reach_the_office_and_its_own_the_world(
    main: str, game: str, alone: Machine, of_the_office: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(SIXTH))
    with open_office(alone.office) as office:
        table = Table(office, Clock())
        table.name = game
        table.open()
    before = {address: alone.sink.to(address) for address in PLAYERS.values()}
    with running(main, alone, int(alone.beside["PBEM_SMTP__PORT"])) as relay:
        around = {**of_the_office, "PBEM_SMTP__PORT": str(relay.port)}
        with alone.keeps([alone.here(word) for word in words("pbem.service")], around):
            assert relay.takes("stranger@player.example", "office@games.example.org") == 250
            assert relay.takes("stranger@player.example", "office+q7x@games.example.org") == 250
            until(lambda: relay.log().count("status=sent (250 2.0.0 kept)") == 2, relay.log)
            until(lambda: all(alone.sink.to(one) > count for one, count in before.items()), relay.log)


def test_the_relay_takes_from_a_stranger_what_is_for_the_office_alone(alone: Machine) -> None:
    with running(RELAY, alone, free(), mynetworks="!127.0.0.1, 172.30.53.0/24") as relay:
        assert relay.takes("stranger@player.example", "office@games.example.org") == 250
        assert relay.takes("stranger@player.example", "ann@player.example") in (454, 554)
        assert relay.takes("stranger@player.example", "somebody@games.example.org") == 550
