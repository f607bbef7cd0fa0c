"""Who works for the office on several machines is woken where there is something to do.

He is woken in the transaction that makes it so.  A wake-up says nothing but where to look: the tables hold what is to
be done.  So one that is lost delays a little, for the clock looks at everything, and one that comes twice does nothing.
They lie in the tables of Procrastinate, at most one that waits for each thing there is to look at.  In SQLite nobody is
woken: one process does all.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Literal, NamedTuple

from pbem.storage.databases.connection import Connection

Queue = Literal["mail", "post", "turns", "clock"]


class Task(NamedTuple):
    """What is to be looked at by whom."""

    queue: Queue
    first: int = 0
    """What has a higher number is looked at before."""
    alone: bool = True
    """Whether two never look at the same of it at the same time."""


TASKS: Mapping[str, Task] = {
    "letters": Task("mail", alone=False),
    "turn": Task("turns", first=1),
    "pages": Task("turns"),
    "post": Task("post", alone=False),
    "hooks": Task("post"),
    "tick": Task("clock"),
}
"""Letters that were kept; mails owed of a campaign; what is due in a campaign; mails that wait to leave; programs of
players that are to be told; the clock."""

# It locks the one that waits until we commit: who takes wake-ups passes it over, and sees all that we wrote when he has
# it.  Let alone, one that is taken and done with between our look and our commit would have seen nothing of it.
_WAKE = """\
INSERT INTO procrastinate_jobs (queue_name, task_name, priority, lock, queueing_lock, args)
VALUES (:queue, :task, :first, :lock, :waits, CAST(:args AS jsonb))
ON CONFLICT (queueing_lock) WHERE status = 'todo' DO UPDATE SET scheduled_at = NULL"""
# Of a row that is there already no trigger tells.
_TELL = "SELECT pg_notify('procrastinate_queue_v1#' || :queue, :told), pg_notify('procrastinate_any_queue_v1', :told)"
_TOLD = json.dumps({"type": "job_inserted", "job_id": 0})


def wake(connection: Connection) -> None:
    """Wake whom *connection* was asked to, as the last thing before what it wrote is committed.

    In order, so that no two wait for each other.
    """
    queues = set()
    for name, of in sorted(connection.wakes):
        task, what = TASKS[name], f"{name}/{of}" if of else name
        queues.add(task.queue)
        connection.later(
            _WAKE,
            {
                "queue": task.queue,
                "task": name,
                "first": task.first,
                "lock": what if task.alone else None,
                "waits": what,
                "args": json.dumps({"of": of} if of else {}),
            },
        )
    for queue in sorted(queues):
        connection.later(_TELL, {"queue": queue, "told": _TOLD})
