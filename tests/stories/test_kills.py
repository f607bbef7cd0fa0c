"""A process that runs and releases a turn is killed: what it leaves is whole, and the turn can be run."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.desk.office.office import open_office
from pbem.desk.post.writing import write_owed
from pbem.desk.proof.verify import verify
from pbem.desk.turns import adjudicate, publish
from pbem.kernel.names import Moment
from tests.kit.dying import POINTS
from tests.kit.table import Chance, Clock, Table
from tests.kit.table import table as make
from tests.systems.play import SIXTH

AT_RANDOM = 10
SHARE = 5
"""One kill of so many, at the least, must hit between the first write and the commit."""


class Dying:
    """The process that has others run a turn and die."""

    def __init__(self, process: subprocess.Popen[str], ready: Path, scratch: Path) -> None:
        self.process, self.ready, self.scratch = process, ready, scratch
        self.died = 0

    def kill(self, how: str, where: str) -> tuple[Path, list[str]]:
        """A copy of the office in which a run and a release were killed, and what the dying said."""
        self.died += 1
        folder = shutil.copytree(self.ready, self.scratch / str(self.died))
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(f"{folder}\t{how}\t{where}\n")
        self.process.stdin.flush()
        return folder, self.process.stdout.readline().split()


@pytest.fixture(scope="module")
def dying(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dying]:
    """An office whose turn can be run, and a process to run it in."""
    ready, scratch = tmp_path_factory.mktemp("ready") / "office", tmp_path_factory.mktemp("scratch")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(SIXTH))
        with make(ready) as table:
            table.open()
            table.write("smuggler", "move s1 to 3")
            table.write("guard", "watch g1 3")
        with subprocess.Popen(
            [sys.executable, "-m", "tests.kit.dying"],
            cwd=Path(__file__).parents[2],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as process:
            yield Dying(process, ready, scratch)
            assert process.stdin
            process.stdin.close()


def finish(folder: Path) -> None:
    """Verify what was left, do what is left to do, and see that everything came once."""
    clock = Clock()
    clock.forward(3)
    with open_office(folder, now=clock, chance=Chance("after")) as office:
        table = Table(office, clock)
        assert verify(office, "ford").sound

        if table.dossier.exchange(Moment(1, 1)).state == "open":
            adjudicate.run(office, "ford", early=True)
        if table.dossier.exchange(Moment(1, 1)).state == "resolved":
            publish.release(office, "ford")
        # What was owed when it died, and not yet written, whoever looks next writes.
        write_owed(office)

        assert verify(office, "ford").sound
        kinds = Counter(table.kinds)
        assert [kinds[kind] for kind in ("exchange_resolved", "exchange_released", "report_issued")] == [1, 1, 4]
        owed = sorted(mail.cause for mail in table.mails if mail.kind == "report")
        assert owed == ["report/1A/guard/1", "report/1A/smuggler/1"]


def test_a_kill_at_a_named_point_leaves_what_is_whole(dying: Dying) -> None:
    hits = 0
    for point in POINTS:
        folder, said = dying.kill("at", point)
        assert said[:1] == ["died"], point
        hits += said[1] == "inside"
        finish(folder)

    print(f"{hits} of {len(POINTS)} kills at named points hit between the first write and the commit")
    assert hits * SHARE >= len(POINTS)


def test_a_kill_at_random_leaves_what_is_whole(dying: Dying) -> None:
    folder, said = dying.kill("step", "0")
    assert said[:1] == ["lived"]
    finish(folder)
    steps, *inside = map(int, said[1:])
    seed = random.randrange(10**6)
    print(f"seed {seed}: {steps} steps, {len(inside)} of them inside")
    chance = random.Random(seed)
    # Half of them wherever they fall, half where they hurt.
    points = [chance.randint(1, steps) for _ in range(AT_RANDOM // 2)]
    points += [chance.choice(inside) for _ in range(AT_RANDOM // 2)]
    hits = 0
    for point in points:
        folder, said = dying.kill("step", str(point))
        assert said[:1] == ["died"]
        hits += said[1] == "inside"
        finish(folder)

    print(f"{hits} of {AT_RANDOM} kills at random hit between the first write and the commit")
    assert hits * SHARE >= AT_RANDOM
