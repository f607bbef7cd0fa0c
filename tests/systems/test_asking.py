"""What is asked of a past, why something came to pass and who knew what: of all systems."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random

import msgspec
import pytest

from pbem.desk.reels.evidence import Evidence
from pbem.desk.reels.why import Causes
from pbem.kernel.errors import Refused
from pbem.kernel.names import Role
from pbem.rules import registry
from pbem.rules.knew import Knowledge
from pbem.rules.knowing import parts_of, signs_of
from pbem.rules.reel import TRUTH, pictures
from tests.systems.play import SYSTEMS, scenarios
from tests.systems.reels import FOG, Written, evidence_of, in_the_dark, reel_of
from tests.systems.secret import SEAL, autoplay, plug

MOST = 12
"""Units of which it is asked."""


@cache
def autoplayed(name: str) -> Written:
    found = Written(registry.load(name), scenarios(name)[0])
    for _ in autoplay(found, plug(name), Random(17), 5):
        pass
    return found


@pytest.fixture(params=[pytest.param(name, marks=pytest.mark.xdist_group(f"asking of {name}")) for name in SYSTEMS])
def game(request: pytest.FixtureRequest) -> Written:
    return autoplayed(request.param)


def knowledge_of(proof: Evidence, role: Role) -> Knowledge:
    return Knowledge(proof.past, proof.scene, proof.eyes, proof.chapters, role)


def units(game: Written, eyes: str) -> list[str]:
    """Those that are named in what some eyes saw, and those that stood on their map."""
    made = reel_of(game, [eyes])
    named = [name for beat in made.beats for name in beat.seen[eyes].units]
    shown = [picture for _, picture in pictures(made, eyes) if picture is not None]
    stood = [part for key, sign in signs_of(shown[-1]).items() for part in parts_of(key, sign)]
    return [one for one in dict.fromkeys([*named, *stood]) if not one.startswith(("?", "#"))]


def test_what_happened_is_told_with_what_led_to_it_and_every_line_that_is_named_is_one_of_a_sheet(
    game: Written,
) -> None:
    causes, found = Causes(evidence_of(game, TRUTH)), Counter[str]()
    texts = {(role, str(moment)): text.splitlines() for moment, role, text, _ in game.sent}
    for number, fact in list(enumerate(game.facts, start=1))[:: 1 + len(game.facts) // 500]:
        said = causes.why(str(number))
        found["ordered"] += bool(said.orders)
        found["decided by dice"] += bool(fact.dice)
        for order in said.orders:
            assert texts[order.role, order.moment][order.line - 1].strip() == order.text
        for some in (said.before, said.steps, said.after):
            assert [step.seq for step in some] == sorted(step.seq for step in some)
        assert all(step.seq > number for step in said.after)
        assert all(step.seq <= number for step in said.steps)
        assert {rule for step in said.steps for rule in step.rules} <= said.titles.keys()
        assert all(said.titles.values())
    assert found["ordered"]
    assert found["ordered"] > found["decided by dice"] // 8, found


def test_who_knew_what_ends_where_the_pictures_end(game: Written) -> None:
    role = game.roles[0]
    knowledge, made = knowledge_of(evidence_of(game, TRUTH, role), role), reel_of(game, [TRUTH, role])
    known: dict[str, str] = {}
    for beat in made.beats:
        if role in beat.seen[TRUTH].known:
            known = {key: one.how for key, one in beat.seen[TRUTH].known[role].items()}
    *_, (_, there) = pictures(made, TRUTH)
    assert there is not None
    for key, sign in list(signs_of(there).items())[:MOST]:
        name = parts_of(key, sign)[0]
        if name.startswith(("?", "#")):
            continue
        learnt = knowledge.of(name).learnt
        assert (learnt[-1].how if learnt else "unseen") == known.get(key, "right"), name


def test_of_what_nobody_knows_it_is_said_what_there_is(game: Written) -> None:
    for eyes in (TRUTH, game.roles[0]):
        causes = Causes(evidence_of(game, eyes))
        for asked in ("zzz@1A", "3Q.999", "nobody", "zzz@1A:1", f"{game.roles[0]}@1A:9999"):
            with pytest.raises(Refused):
                causes.why(asked)
    with pytest.raises(Refused, match="is no unit and no place"):
        knowledge_of(evidence_of(game, game.roles[0]), game.roles[0]).of("zzzz")


def answers(proof: Evidence, role: Role, names: list[str], lines: int) -> bytes:
    """All that a role is told when it asks why, and what it knew, of whatever it may name."""
    causes, knowledge, found = Causes(proof), knowledge_of(proof, role), []
    moments = dict.fromkeys(str(here.moment) for seen in proof.chapters for here in seen)
    asked = [f"{name}@{moment}" for name in names for moment in moments]
    asked += [f"{role}@{moment}:{line}" for moment in moments for line in range(1, lines)]
    for one in [*asked, "1A.1", "1A.3", "zzz@1A", "7"]:
        try:
            found.append(msgspec.json.encode(causes.why(one)))
        except Refused as refused:
            found.append(str(refused).encode())
    for name in [*names, "zzz"]:
        try:
            found.append(msgspec.json.encode(knowledge.of(name)))
        except Refused as refused:
            found.append(str(refused).encode())
    return SEAL.sub(b"a seal", b"\n".join(found))


@pytest.mark.parametrize("name", FOG)
def test_what_a_role_cannot_see_changes_no_byte_of_what_it_is_answered(name: str) -> None:
    for number, secret in enumerate(plug(name).SECRETS):
        games = in_the_dark(name, number)
        names = list(dict.fromkeys(name for game in games for name in units(game, TRUTH)))
        names = [*units(games[0], secret.blind), *names][:MOST]
        one, other = (answers(evidence_of(game, secret.blind), secret.blind, names, 3) for game in games)
        assert one == other, secret
