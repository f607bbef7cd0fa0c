"""Seeds are found by what was promised of them."""

from __future__ import annotations

import pytest

from pbem.kernel.dice import promise
from pbem.kernel.errors import Refused
from pbem.kernel.office import Promises
from pbem.storage import secrets
from pbem.storage.databases.connection import Connection
from pbem.storage.secrets import Seeds
from tests.kit.facts import AUTUMN, NOW, SPRING

ONE, TWO, THREE, FOUR = (bytes([number]) * 32 for number in range(1, 5))


def test_seeds_are_found_by_their_promises(connection: Connection) -> None:
    promises = secrets.keep(connection, AUTUMN, "5B", open_seed=ONE, closed_seed=TWO, at=NOW)

    assert promises == Promises(promise(ONE), promise(TWO))
    assert secrets.get(connection, AUTUMN, promises) == Seeds("5B", ONE, TWO, NOW)


def test_an_exchange_opened_anew_keeps_the_old_seeds_too(connection: Connection) -> None:
    old = secrets.keep(connection, AUTUMN, "5B", open_seed=ONE, closed_seed=TWO, at=NOW)
    new = secrets.keep(connection, AUTUMN, "5B", open_seed=THREE, closed_seed=TWO, at=NOW + 1)

    assert secrets.get(connection, AUTUMN, old).open == ONE
    assert secrets.get(connection, AUTUMN, new).open == THREE
    assert [seeds.open for seeds in secrets.listing(connection, AUTUMN)] == [ONE, THREE]


@pytest.mark.parametrize("promises", [Promises(promise(ONE), promise(ONE)), Promises(promise(TWO), promise(TWO))])
def test_what_was_never_promised_is_not_here(connection: Connection, promises: Promises) -> None:
    secrets.keep(connection, AUTUMN, "5B", open_seed=ONE, closed_seed=TWO, at=NOW)

    with pytest.raises(Refused, match="this office does not have the seeds of autumn that it promised"):
        secrets.get(connection, AUTUMN, promises)


def test_the_seeds_of_one_campaign_are_not_anothers(connection: Connection) -> None:
    promises = secrets.keep(connection, AUTUMN, "muster", open_seed=ONE, closed_seed=TWO, at=NOW)

    assert secrets.listing(connection, SPRING) == []
    with pytest.raises(Refused, match="spring"):
        secrets.get(connection, SPRING, promises)


@pytest.mark.parametrize(("open_seed", "closed_seed"), [(b"", TWO), (ONE, TWO[:-1]), (ONE + b"x", TWO)])
def test_a_seed_of_another_length_is_refused(connection: Connection, open_seed: bytes, closed_seed: bytes) -> None:
    with pytest.raises(ValueError, match="a seed has 32 bytes"):
        secrets.keep(connection, AUTUMN, "5B", open_seed=open_seed, closed_seed=closed_seed, at=NOW)
