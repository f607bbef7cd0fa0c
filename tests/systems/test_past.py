"""How every system is looked back on: what its reel must be, whatever it tells."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable
from functools import cache
from math import dist
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from pbem.ground.picture import STYLES, Block, Picture, Province
from pbem.kernel.names import Moment, Role
from pbem.reports.pages.environment import environment
from pbem.reports.replay.beside import Beside
from pbem.reports.replay.page import published_html
from pbem.reports.replay.record import record
from pbem.resources import resources
from pbem.rules import registry
from pbem.rules.knowing import Sign
from pbem.rules.past import Favour
from pbem.rules.reel import TRUTH, Figures, Known, Reel, Side, keyed, pictures
from pbem.systems.kriegsspiel.gm.past import NEAR
from tests.systems.play import SYSTEMS, Game, scenarios
from tests.systems.reels import reel_of
from tests.systems.secret import autoplay, plug


@cache
def played(name: str) -> Game:
    """A game of likely orders; nobody may change it."""
    found = Game(registry.load(name), scenarios(name)[0])
    for _ in autoplay(found, plug(name), Random(17), 5):
        pass
    return found


@pytest.fixture(params=[pytest.param(name, marks=pytest.mark.xdist_group(f"past of {name}")) for name in SYSTEMS])
def game(request: pytest.FixtureRequest) -> Game:
    return played(request.param)


def signs(picture: Picture | None) -> dict[str, Sign]:
    assert picture is not None
    found: dict[str, Sign] = {**keyed(picture.blocks), **keyed(picture.stacks), **keyed(picture.troops)}
    return found


def test_the_last_picture_is_that_of_the_field_as_it_stands(game: Game) -> None:
    past, moment = game.system.past, game.moments[-1]
    assert past is not None
    made = reel_of(game, [TRUTH, *game.roles])
    of_turn = [fact for fact, at in zip(game.facts, game.moments, strict=True) if at.turn == moment.turn]

    for eyes in made.eyes:
        *_, (_, shown) = pictures(made, eyes)
        if eyes == TRUTH:
            wanted = past.truth(game.scene, game.world.truth, game.world.minds, of_turn, moment)
        else:
            role = Role(eyes)
            told = [line for line in game.told[role] if line.moment.turn == moment.turn and not line.line]
            wanted = past.picture(game.scene, game.world.minds[role], role, told, moment)
        assert shown is not None
        assert signs(shown) == signs(wanted)
        assert shown.tracks == wanted.tracks


def test_a_reel_for_one_is_his_part_of_it_and_is_cut_without_the_others(game: Game) -> None:
    for role in game.roles:
        alone = reel_of(game, [role])

        assert {eyes for beat in alone.beats for eyes in beat.seen} == {role}
        numbers: Counter[Moment] = Counter()
        for beat in alone.beats:
            numbers[beat.moment] += 1
            assert beat.number == numbers[beat.moment]


def test_it_tells_what_the_pages_tell(game: Game) -> None:
    for role in game.roles:
        told = [line.text for beat in reel_of(game, [role]).beats for line in beat.seen[role].told]

        assert told == [line.text for line in game.told[role] if not line.line]


def test_figures_are_of_the_sides_and_throws_good_to_one(game: Game) -> None:
    made = reel_of(game, [TRUTH])
    names = {side.name for side in made.sides}

    assert names
    assert {one.side for beat in made.beats for one in beat.seen[TRUTH].figures} == names
    throws = [cast for beat in made.beats for cast in beat.seen[TRUTH].throws]
    assert sorted(cast.throw.name for cast in throws) == sorted(
        throw.name for fact in game.facts for throw in fact.dice
    )
    assert {cast.side for cast in throws if cast.good} <= names


def test_it_comes_back_from_json(game: Game) -> None:
    made = reel_of(game, [TRUTH, *game.roles])

    assert msgspec.json.decode(msgspec.json.encode(made), type=Reel) == made


def stand(held: Iterable[Sign], reach: int, sign: Sign) -> bool:
    """Whether anything of its side is held to be within reach of where a sign stands."""
    return any(one.side == sign.side and dist(one.at, sign.at) <= reach for one in held)


def test_of_the_truth_it_is_said_what_each_role_has_wrong_and_all_else_it_has_right(game: Game) -> None:
    made = reel_of(game, [TRUTH, *game.roles])
    held: dict[str, Picture | None] = {}
    known: dict[Role, dict[str, Known]] = {role: {} for role in game.roles}
    shown = {eyes: iter(pictures(made, eyes)) for eyes in made.eyes}
    reach = NEAR if game.system.name == "kriegsspiel" else 0
    hows: Counter[str] = Counter()
    for beat in made.beats:
        held |= {eyes: next(one)[1] for eyes, one in shown.items()}
        known |= beat.seen[TRUTH].known
        there = held[TRUTH]
        for role in game.roles:
            own = {} if held[role] is None else signs(held[role])
            assert known[role].keys() <= signs(there).keys()
            assert {one.key for one in known[role].values() if one.key} <= own.keys()
            assert not any(one.key for one in known[role].values() if one.how == "unseen")
            hows.update(one.how for one in known[role].values())
            for key, sign in signs(there).items():
                wrong = known[role].get(key)
                if wrong is None or (wrong.key and wrong.how in ("in part", "seen")):
                    assert stand(own.values(), reach, sign), (beat.name, role, key)
                elif wrong.key:
                    assert wrong.off == int(dist(own[wrong.key].at, sign.at)) > reach

    assert hows["in part" if game.system.name == "toy" else "unseen"], hows


@pytest.mark.parametrize("count", [3, 7])
def test_a_game_of_many_sides_goes_through_the_reel_and_its_page_as_one_of_two_does(count: int) -> None:
    """The ford with others at it, of whom there are figures, a sign of their colour, a province, and lucky throws."""
    trades = ("miller", "baker", "weaver", "carter", "tanner")
    others = {Role(name): style for name, style in zip(trades, STYLES[2:count], strict=False)}
    game = Game(registry.load("toy"), scenarios("toy")[0])
    for _ in autoplay(game, plug("toy"), Random(17), 3):
        pass
    past = game.system.past
    assert past is not None
    signs_of = tuple(
        Block("general", style, (450, 50), label=role[0], parts=(f"{role}-1",)) for role, style in others.items()
    )
    lands = tuple(
        Province(role, (((0, 0), (90 * at, 0), (90, 90)),), (50, 50), side=style)
        for at, (role, style) in enumerate(others.items(), start=1)
    )

    def with_others(shown: Picture) -> Picture:
        called = ("Smuggler", "Guard", *(role.capitalize() for role in others))
        return replace(shown, blocks=(*shown.blocks, *signs_of), provinces=lands, sides=called)

    def figures(scene: object, mind: object) -> list[Figures]:
        return [*past.figures(scene, mind), *(Figures(role, left=getattr(mind, "turn", 0)) for role in others)]

    last = [*others][-1]
    many = dataclasses.replace(
        past,
        sides=lambda scene: (
            *past.sides(scene),
            *(Side(role, f"the {role}", style, (role,)) for role, style in others.items()),
        ),
        picture=lambda *asked: with_others(past.picture(*asked)),
        truth=lambda *asked: with_others(past.truth(*asked)),
        figures=figures,
        favour=lambda scene, fact, throw: Favour(last, "low"),
    )
    game.system = dataclasses.replace(game.system, past=many)
    made = reel_of(game, [TRUTH, *game.roles])
    again = msgspec.json.decode(msgspec.json.encode(made), type=Reel)

    assert again == made
    assert tuple(side.drawn for side in again.sides) == STYLES[:count]
    for eyes in again.eyes:
        *_, (_, shown) = pictures(again, eyes)
        assert shown is not None
        assert [signs(shown)[one.parts[0]] for one in signs_of] == [*signs_of]
        assert shown.provinces == lands
        assert len(shown.sides) == count
        seen = [beat.seen[eyes] for beat in again.beats if eyes in beat.seen]
        assert {one.side for some in seen for one in some.figures} == {*game.roles, *others}
        assert all(cast.side == last for some in seen for cast in some.throws)
    shown_to = replace(again, called={eyes: eyes for eyes in again.eyes})
    html = published_html(record(shown_to, Beside(), {}), environment(resources("templates")))
    for style in others.values():
        assert all(f'id="map-{what}-{style}"' in html for what in ("letter", "hatch", "owned"))
