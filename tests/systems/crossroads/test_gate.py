"""Of a straight way only what stands at it is asked: the steps get the answers that the whole field gives."""

from __future__ import annotations

from collections import Counter

import pytest

from pbem.desk.library.scenarios import find_scenario
from pbem.desk.study import doctrine, study
from pbem.ground.body import Body
from pbem.systems.crossroads.march.gate import Gate


def test_what_stands_at_a_way_answers_for_the_whole_field(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = Counter[object]()
    bars, under, free = Gate.bars, Gate.under, Gate.free

    def whole(gate: Gate) -> Gate:
        found = Gate(gate.field, gate.unit, within=gate.within, clear=gate.clear)
        found.start = gate.start
        return found

    def barred(gate: Gate, before: Body, after: Body) -> str:
        found = bars(gate, before, after)
        assert found == bars(whole(gate), before, after)
        answers[found] += 1
        return found

    def friends(gate: Gate, body: Body) -> frozenset[str]:
        found = under(gate, body)
        assert found == under(whole(gate), body)
        answers["friend"] += bool(found)
        return found

    def is_free(gate: Gate, body: Body) -> bool:
        found = free(gate, body)
        assert found == gate.field.room(body, ignoring=gate.unit.id)
        answers[found] += 1
        return found

    monkeypatch.setattr(Gate, "bars", barred)
    monkeypatch.setattr(Gate, "under", friends)
    monkeypatch.setattr(Gate, "free", is_free)
    scenario = find_scenario(None, "crossroads/sadowa")
    orders = doctrine.choose(scenario.folder, study.roles_of(scenario), ())
    course = study.Table(study.Plan(scenario=scenario, options={}, orders=orders, seed="gate", turns=5)).play(1).course
    assert course.result != "broken", course.how
    assert answers["enemy"] > 5, answers
    assert min(answers[""], answers["friend"], answers[True]) > 50, answers
