"""The office killed while letters come in, by each way: none is lost, none is taken or answered twice.

The processes are those that a mail server or a GM starts (`pbem mail receive`, `fetch`, `serve`), killed by SIGKILL
anywhere between their first and their last word to the database.  Letters are brought in batches; each batch is killed
at most `KILLS_A_BATCH` times and then let through.
"""

from __future__ import annotations

import os
import signal
import smtplib
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random

from pbem.desk.books import dossiers
from pbem.desk.ways.arrivals import sweep
from pbem.kernel.office import MessageReceived, OrdersAccepted, OrdersRefused
from pbem.mail.wire.envelope import delivered
from pbem.storage import letters, outbox
from tests.kit.dovecot import PASSWORD, dovecot
from tests.soak.games import Fault
from tests.soak.kills import KILLS_A_BATCH, LONGEST, Aim, Aims, Kills, ended, kill, marks_of, opened, see_whole, spawn
from tests.soak.letters import campaigns, office, written

USER = "office@office.example"
SENDER = "player@player.example"

Way = Callable[[Path, Sequence[Sequence[bytes]], Kills, Aims], list[bytes]]
"""Brings batches of letters in while the office is killed; gives all as they must have been kept."""


def while_letters_come(folder: Path, by: Way, count: int, asked: int, aims: Aims) -> str:
    """Bring so many letters in by one way, and kill the office so often meanwhile.

    :raises Fault: if a letter was lost, or taken or answered twice, or if too few kills hit.
    """
    kills = Kills(asked)
    with office(folder / "office", count):
        pass
    raws = written(count, Random(count))
    # The first batch is not killed, and here and there a command comes to its end before it is.
    size = max(1, count // (asked + 2 * KILLS_A_BATCH))
    start = time.monotonic()
    kept = by(folder / "office", [raws[at : at + size] for at in range(0, count, size)], kills, aims)
    took = time.monotonic() - start
    see_letters(folder / "office", campaigns(count), kept)
    kills.see()
    return f"{count} letters, {kills}; 0 lost, 0 doubled; {count / took:.1f} letters/s, restarts included"


def by_pipe(folder: Path, batches: Sequence[Sequence[bytes]], kills: Kills, aims: Aims) -> list[bytes]:
    """Hand each letter to `mail receive`, again and again until it says that the letter is kept."""
    command = ("mail", "receive")
    aim: Iterator[Aim] | None = None
    for batch in batches:
        for number, raw in enumerate(batch):
            for _ in range(KILLS_A_BATCH if number == 0 else 0):
                if aim and kills.killed < kills.asked:
                    _hit(kills, aim, folder, *command, stdin=raw)
            made = marks_of(folder, *command, stdin=raw)
            aim = aim or aims(made)
    return [raw for batch in batches for raw in batch]


def by_maildir(folder: Path, batches: Sequence[Sequence[bytes]], kills: Kills, aims: Aims) -> list[bytes]:
    """Lay letters into a Maildir, a batch at a time, and let `mail receive` take them in."""
    maildir = folder.parent / "Maildir"
    for part in ("new", "cur", "tmp"):
        (maildir / part).mkdir(parents=True, exist_ok=True)

    def lay(number: int, batch: Sequence[bytes]) -> None:
        for at, raw in enumerate(batch):
            (maildir / "new" / f"{number}.{at}.soak").write_bytes(raw)

    _batch_by_batch(folder, batches, kills, aims, lay, ("mail", "receive", str(maildir)))
    if any((maildir / "new").iterdir()):
        raise Fault("letters were left in the Maildir")
    return [raw for batch in batches for raw in batch]


def by_imap(folder: Path, batches: Sequence[Sequence[bytes]], kills: Kills, aims: Aims) -> list[bytes]:
    """Deliver letters into a mailbox of a real server, a batch at a time, and let `mail fetch` take them in."""
    with dovecot() as server:
        said = {"HOST": "127.0.0.1", "PORT": f"{server.imap}", "SECURITY": "none", "USER": USER}
        os.environ |= {f"PBEM_IMAP__{name}": value for name, value in said.items()}
        os.environ["PBEM_IMAP_PASSWORD"] = PASSWORD

        def lay(number: int, batch: Sequence[bytes]) -> None:
            server.deliver(USER, *batch)

        _batch_by_batch(folder, batches, kills, aims, lay, ("mail", "fetch"))
    for name in said:
        del os.environ[f"PBEM_IMAP__{name}"]
    # The server adds fields of its own: its letters are known by how many they are and by what they ask.
    return [raw for batch in batches for raw in batch]


def by_lmtp(folder: Path, batches: Sequence[Sequence[bytes]], kills: Kills, aims: Aims) -> list[bytes]:
    """Hand letters to `mail serve` as a mail server does: what is not answered with 250 is offered again."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    os.environ["PBEM_LISTEN__LMTP"] = f"127.0.0.1:{port}"
    aim: Iterator[Aim] | None = None
    for batch in batches:
        waiting = list(batch)
        for _ in range(KILLS_A_BATCH):
            if aim and waiting and kills.killed < kills.asked:
                _handed_over(port, waiting, partial(_hit, kills, aim, folder, "mail", "serve"))
        made = _served(folder, port, waiting)
        aim = aim or aims(made)
    del os.environ["PBEM_LISTEN__LMTP"]
    return [delivered(raw, [USER], SENDER) for batch in batches for raw in batch]


def _handed_over(port: int, waiting: list[bytes], killed: Callable[[], bool]) -> None:
    """Hand letters over until the office dies of *killed*; what it said that it has kept waits no more."""
    gone = threading.Event()
    thread = threading.Thread(target=_hand_over, args=(port, waiting, gone))
    thread.start()
    killed()
    gone.set()
    thread.join()


def _hand_over(port: int, waiting: list[bytes], gone: threading.Event) -> None:
    while waiting and not gone.is_set():
        try:
            with smtplib.LMTP("127.0.0.1", port, timeout=30) as line:
                while waiting:
                    line.sendmail(SENDER, [USER], waiting[0])
                    del waiting[0]
        except (OSError, smtplib.SMTPException):
            time.sleep(0.02)


def _served(folder: Path, port: int, waiting: list[bytes]) -> int:
    """Serve until all that waits is handed over and dealt with; gives how many marks that made."""
    process, marks = spawn(folder, "mail", "serve")
    found: list[bytes] = []
    reading = threading.Thread(target=lambda: found.extend(iter(lambda: os.read(marks, 4096), b"")))
    reading.start()
    gone = threading.Event()
    handing = threading.Thread(target=_hand_over, args=(port, waiting, gone))
    handing.start()
    until = time.monotonic() + LONGEST + len(waiting)
    _await(port, until)
    with opened(folder) as looked:
        while time.monotonic() < until and process.poll() is None:
            handing.join(0.1)
            with looked.read() as connection:
                if not handing.is_alive() and not letters.listing(connection, "new"):
                    break
    process.send_signal(signal.SIGTERM)
    code, words = ended(process)
    gone.set()
    reading.join()
    os.close(marks)
    if code or waiting:
        raise Fault(f"mail serve ended with {code}, and {len(waiting)} letters wait: {words}")
    return sum(map(len, found))


def _await(port: int, until: float) -> None:
    """Wait for the door to be open: before that, whoever is told to stop is simply gone."""
    while time.monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", port), 5).close()
        except OSError:
            time.sleep(0.05)
        else:
            return


def _batch_by_batch(
    folder: Path,
    batches: Sequence[Sequence[bytes]],
    kills: Kills,
    aims: Aims,
    lay: Callable[[int, Sequence[bytes]], None],
    command: Sequence[str],
) -> None:
    """Lay each batch where letters are fetched from, kill whoever fetches it, then let it be fetched."""
    aim: Iterator[Aim] | None = None
    for number, batch in enumerate(batches):
        lay(number, batch)
        for _ in range(KILLS_A_BATCH):
            if aim and kills.killed < kills.asked:
                _hit(kills, aim, folder, *command)
        made = marks_of(folder, *command)
        aim = aim or aims(made)


def _hit(kills: Kills, aim: Iterator[Aim], folder: Path, *command: str, stdin: bytes = b"") -> bool:
    """Kill a command as the next aim says, and see that the database is whole."""
    killed = kill(kills, next(aim), folder, *command, stdin=stdin)
    see_whole(folder)
    return killed


def see_letters(folder: Path, names: Sequence[str], sent: Sequence[bytes]) -> None:
    """See that every letter that was sent was kept once, dealt with once, and answered once.

    Letters are told apart by their Message-ID: a mail server writes fields of its own above them.

    :raises Fault: if not.
    """
    with opened(folder) as office:
        list(sweep(office))
        with office.read() as connection:
            rows = letters.listing(connection)
            log = [one for name in names for one in dossiers.load(office, connection, name).log]
            owed = [one for one in outbox.listing(connection) if one.kind == "receipt"]
    wanted = Counter(_message_id(raw) for raw in sent)
    came = [row for row in rows if row.message_id in wanted]
    kept = Counter(row.message_id for row in came)
    digests = {row.digest for row in came}
    read = Counter(one.event.digest for one in log if isinstance(one.event, MessageReceived))
    sheets = Counter(
        one.event.message for one in log if isinstance(one.event, OrdersAccepted | OrdersRefused) and one.event.message
    )
    causes = Counter((one.campaign, one.cause) for one in owed)
    answers = sum(row.state in ("applied", "refused") for row in rows)
    faults: dict[str, Sequence[object]] = {
        "lost": [name for name in wanted if not kept[name]],
        "kept twice": [f"{name}" for name, count in kept.items() if count > 1],
        "not dealt with": [
            f"{row.id}: {row.state}, {row.reason}" for row in came if row.state not in ("applied", "refused")
        ],
        "not in the log once": [digest for digest in digests if read[digest] != 1],
        "sheets entered twice": [digest for digest in digests if sheets[digest] > 1],
        "answered twice": [cause for cause, count in causes.items() if count > 1],
        "answers too many or too few": [] if answers == len(owed) else [f"{len(owed)} for {answers} letters"],
    }
    if found := {what: some[:5] for what, some in faults.items() if some}:
        raise Fault(f"{found}")


def _message_id(raw: bytes) -> str:
    head = next(line for line in raw.splitlines() if line.lower().startswith(b"message-id:"))
    return head.partition(b":")[2].strip().decode()
