"""The log of a game as it was exported when it was last looked at: how it is kept, and taken in again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.shown import plain
from pbem.desk.office.office import Office, make_office, open_office
from pbem.desk.proof.transfer import export, take_in
from pbem.desk.worlds.walk import Walk
from pbem.desk.worlds.worlds import state_digest
from pbem.kernel.event import Outcome
from pbem.kernel.office import ExchangeResolved


def facts(dossier: Dossier) -> list[object]:
    return [plain(one.event) for one in dossier.log if isinstance(one.event, Outcome)]


def states(dossier: Dossier) -> str:
    """The digest of the truth after each exchange, folded from the log alone."""
    walk, lines = Walk(dossier), []
    for recorded in dossier.log:
        if isinstance(recorded.event, ExchangeResolved):
            walk.to(recorded.seq)
            lines.append(f"{recorded.event.moment}  {state_digest(walk.world())}\n")
    return "".join(lines)


def lean(lines: Iterable[bytes]) -> Iterator[bytes]:
    """An export without the bytes of views and pages, as if they had been erased; the scenario stays.

    Its office did not sign it so: it is one of before there were signatures.
    """
    records = [json.loads(line) for line in lines]
    opened = next(json.loads(one["data"]) for one in records if one.get("kind") == "campaign_opened")
    records = [one for one in records if one["line"] != "signature"]
    head = records[0]
    records[0] = {"line": head["line"], "format": 1, **{name: head[name] for name in ("campaign", "events", "head")}}
    for record in records:
        if record["line"] == "blob" and record["sha256"] != opened["scene"]:
            record["data"] = None
        yield json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def keep(folder: Path, office: Office, dossier: Dossier) -> None:
    """Write the log of a game, and the digests of what it came to."""
    folder.mkdir(exist_ok=True)
    (folder / "log.jsonl").write_bytes(b"".join(lean(export(office, dossier.id, seeds=True))))
    (folder / "states.txt").write_text(states(dossier))


def promised(folder: Path) -> dict[str, Any]:
    """What the first line of the log of old says of it: how many `events`, and its `head`."""
    with (folder / "log.jsonl").open("rb") as file:
        head: dict[str, Any] = json.loads(file.readline())
    return head


@contextmanager
def again(folder: Path, where: Path) -> Iterator[Office]:
    """An office in *where* that has taken the log of old in."""
    make_office(where, 'address = "office@office.example"\n')
    with open_office(where, mails=False) as opened:
        with (folder / "log.jsonl").open("rb") as file:
            take_in(opened, file, "log.jsonl")
        yield opened
