"""Any day of an office: what players, observers, the GM and the clock do in any order, and nothing goes wrong.

Letters are dealt with, mails are written, the clock never fails, nobody reads what another noted for himself, and all
that is left behind is whole.
"""

from __future__ import annotations

import pytest

from tests.desk.post.test_gms import run_by
from tests.kit.any_day import GMS, Day, ends
from tests.kit.table import Table

STEPS = 120


@pytest.mark.parametrize("luck", range(6))
def test_whatever_is_done_in_whatever_order_nothing_goes_wrong(luck: int, table: Table) -> None:
    run_by(table, GMS)
    table.open(
        options={"alarm": "step"} if luck % 3 == 0 else None,
        release="auto" if luck % 2 else "gm",
        observers="guard" if luck % 5 == 0 else "none",
    )
    day = Day(table, luck)
    day.goes(STEPS)
    ends(day)
