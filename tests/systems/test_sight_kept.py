"""What was seen is kept from look to look: it is always what somebody would see who looks for the first time."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from pbem.desk.library.scenarios import find_scenario
from pbem.desk.study import doctrine, study
from pbem.systems.crossroads.field import sight as crossroads
from pbem.systems.crossroads.mind import fog as crossroads_fog
from pbem.systems.crossroads.play import play as crossroads_play
from pbem.systems.half_league.field import sight as half_league
from pbem.systems.half_league.field.field import Field
from pbem.systems.half_league.mind import fog as half_league_fog
from pbem.systems.kriegsspiel.knowing import sighting as kriegsspiel


def _play(name: str, turns: int) -> None:
    scenario = find_scenario(None, name)
    orders = doctrine.choose(scenario.folder, study.roles_of(scenario), ())
    played = study.Table(study.Plan(scenario=scenario, options={}, orders=orders, seed="kept", turns=turns)).play(1)
    assert played.course.result != "broken", played.course.how


def test_crossroads_keeps_who_saw_whom(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = Counter[str]()

    def both(field: Any, side: Any, looks: Any = None) -> set[str]:
        found = crossroads.in_sight(field, side, looks)
        assert found == crossroads.in_sight(field, side)
        answers[f"{side} {bool(found)}"] += 1
        return found

    monkeypatch.setattr(crossroads_fog, "in_sight", both)
    _play("crossroads/golden-bremm", 3)
    assert all(answers[f"{side} True"] > 20 for side in ("german", "french")), answers


def test_crossroads_keeps_which_spots_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    answers, kept = Counter[bool](), crossroads.Looks.spot

    def both(self: crossroads.Looks, field: Any, side: Any, at: Any) -> bool:
        found = kept(self, field, side, at)
        assert found == crossroads.spot_seen(field, side, at)
        answers[found] += 1
        return found

    monkeypatch.setattr(crossroads.Looks, "spot", both)
    _play("crossroads/sadowa", 6)
    assert answers[True], answers
    assert answers[False] > 50, answers


def test_crossroads_looks_again_only_where_something_is_new(monkeypatch: pytest.MonkeyPatch) -> None:
    quiet, unchanged, sighted = Counter[bool](), crossroads.Looks.unchanged, crossroads_fog.sighted

    def both(*asked: Any) -> Any:
        found = sighted(*asked)
        monkeypatch.setattr(crossroads.Looks, "unchanged", lambda *_: False)
        assert found == sighted(*asked)
        monkeypatch.setattr(crossroads.Looks, "unchanged", unchanged)
        quiet[found is None] += 1
        return found

    monkeypatch.setattr(crossroads_play, "sighted", both)
    _play("crossroads/golden-bremm", 3)
    assert min(quiet[True], quiet[False]) > 20, quiet


def test_half_league_keeps_who_saw_whom(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = Counter[bool]()

    def both(field: Field, side: Any, target: Any) -> bool:
        found = half_league.sees(field, side, target)
        assert found == half_league.sees(Field(field.scene, field.battle), side, target)
        answers[found] += 1
        return found

    monkeypatch.setattr(half_league_fog, "sees", both)
    _play("half-league/bulganak", 3)
    assert min(answers[True], answers[False]) > 20, answers


def test_kriegsspiel_keeps_what_was_told_of_whom(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = Counter[bool]()
    kept, now = kriegsspiel.Scan._level, kriegsspiel.Scan._level_now  # what it keeps, and what it keeps it from

    def both(self: kriegsspiel.Scan, eye: Any, aim: Any) -> str:
        found = kept(self, eye, aim)
        assert found == now(self, eye, aim)
        answers[bool(found)] += 1
        return found

    monkeypatch.setattr(kriegsspiel.Scan, "_level", both)
    _play("kriegsspiel/muehlrode", 2)
    assert min(answers[True], answers[False]) > 100, answers
