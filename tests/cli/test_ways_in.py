"""`pbem mail receive`, `fetch` and `serve` as a mail server or a GM starts them."""

from __future__ import annotations

import os
import re
import signal
import smtplib
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.dovecot import PASSWORD, dovecot
from tests.kit.terminal import Terminal
from tests.systems.play import SIXTH


def test_a_pipe_ends_with_0_while_the_letter_is_safe_anywhere(begun: Terminal, tmp_path: Path) -> None:
    database, office = tmp_path / "office" / "office.sqlite", tmp_path / "office"
    database.rename(office / "away")
    aside = begun.types("mail", "receive", given=begun.letter("smuggler", "move s1 to 3"))
    assert (aside.exit_code, aside.stderr[:12]) == (0, "set aside as")
    (office / "emergency" / "tmp").rmdir()
    (office / "emergency" / "tmp").write_text("no folder")
    lost = begun.types("mail", "receive", given=begun.letter("guard", "watch g1 4"))
    assert (lost.exit_code, lost.stderr[:8]) == (75, "not kept")

    (office / "away").rename(database)
    said = begun.does("mail", "receive", "--recipient", "x@office.example", given=begun.letter("guard", "watch g1 4"))
    assert said.count("applied") == 2


def test_what_is_not_set_is_named(begun: Terminal) -> None:
    assert "[imap] host" in begun.refused("mail", "fetch")
    assert "[imap] host" in begun.refused("mail", "fetch", "--follow")
    assert "[listen] lmtp or smtp" in begun.refused("mail", "serve")


def test_a_mailbox_is_fetched(begun: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    with dovecot() as server:
        for name, value in (("HOST", "127.0.0.1"), ("PORT", f"{server.imap}"), ("SECURITY", "none")):
            monkeypatch.setenv(f"PBEM_IMAP__{name}", value)
        monkeypatch.setenv("PBEM_IMAP_PASSWORD", PASSWORD)
        server.deliver("office@office.example", begun.letter("smuggler", "move s1 to 3").encode())

        assert "ford smuggler 1A: accepted" in begun.does("mail", "fetch")
        assert "No letter there." in begun.does("mail", "fetch")


def test_what_serves_takes_letters_in_until_it_is_told_to_stop(begun: Terminal, tmp_path: Path) -> None:
    environment = os.environ | {"PBEM_LISTEN__LMTP": "127.0.0.1:0", "PYTHONPATH": str(SIXTH), "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-c", "from pbem.cli import main; main()", "mail", "serve"]
    with subprocess.Popen(
        command, cwd=tmp_path / "office", env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        assert process.stdout is not None
        port = re.fullmatch(r"lmtp is open on port (\d+)\.\n", process.stderr.readline())
        assert port is not None
        with smtplib.LMTP("127.0.0.1", int(port[1])) as line:
            line.sendmail("a@x.example", ["office@office.example"], begun.letter("smuggler", "move s1 to 3"))
        assert "ford smuggler 1A: accepted" in process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
