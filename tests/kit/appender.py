"""A process of its own that writes to an office: ``python -m tests.kit.appender URL COUNT [hang]``.

With ``hang`` it writes COUNT events in one transaction, says so, and waits to be killed before the commit.
"""

from __future__ import annotations

import os
import sys
import time

from pbem.storage.codec import Codec
from pbem.storage.database import open_office, transaction
from pbem.storage.log import SqlLog
from tests.kit.facts import AUTUMN, FACTS, NOW, moves


def main(url: str, count: int, *, hang: bool) -> None:
    """Append *count* events, each after a look at the log's end; or all at once, and hang."""
    office = open_office(url, patience=60_000)
    actor = str(os.getpid())
    for done in range(1 if hang else count):
        with transaction(office) as connection:
            connection.alone(AUTUMN)
            log = SqlLog(connection, Codec(FACTS))
            batch = moves(count if hang else 1, done)
            log.append(AUTUMN, batch, expecting=log.head(AUTUMN).seq, at=NOW, actor=actor)
            if hang:
                print("written", flush=True)
                time.sleep(600)
    office.dispose()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), hang="hang" in sys.argv[3:])
