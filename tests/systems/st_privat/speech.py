"""What a side of St. Privat would name in an order line: its own pieces, squares near them, and squares of enemies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from pbem.ground.square import STEPS, Square, beyond, distance
from pbem.kernel.names import Role
from pbem.systems.st_privat.world.pieces import ENEMY, FRENCH, GUNS, PRUSSIAN, Piece
from pbem.systems.st_privat.world.state import Battle
from tests.systems.play import Game

LARGEST = "graveyard"
VALUES: dict[str, tuple[int | str, ...]] = {
    "dummy_capacity": (0, 1, 2),
    "ford_infantry_wait_turns": (0, 1, 2),
    "ford_cost": (1, 2, 3),
    "limber_distribution.french": (2, 3),
    "limber_distribution.prussian": (2, 3),
    "vp_split.limber": (1, 2),
    "command_stands.french": (1, 3),
    "command_stands.prussian": (1, 3),
    "team_min_horses": (1, 2, 4),
    "gun_min_crew": (1, 2),
    "limber_min_crew": (1, 2),
    "line_frontage": (1, 2),
    "road_bonus_min_steps": (1, 2, 3),
    "building_entry_cost": (0, 1, 2),
    "building_totals.small": (3, 4),
    "building_totals.large": (5, 6),
    "spotting_range": ("unlimited", 4, 8),
    "column_shift_max": (0, 1, 2),
    "default_advance.attacker": (0, 1, 2),
    "default_advance.defender": (0, 1),
    "rout_overflow": (1, 2, 3),
}
"""Of options that are numbers: some that they may be."""
UNANSWERED = ("show_orders",)
"""The list in force stands on every page: the order asks for no more."""


class Speaker:
    """Thinks of one own piece, and names what stands with it and lies about it."""

    def __init__(self, game: Game, role: Role, random: Random) -> None:
        self.mind: Battle = game.world.minds[role]
        self.role, self.random = role, random
        pieces = self.mind.pieces.values()
        self.own = [piece for piece in pieces if piece.side == role and piece.removed is None]
        self.enemy = sorted(
            {piece.square for piece in pieces if piece.side == ENEMY[role] and piece.stands and piece.square}
            | {Square(where.split()[0]) for where in self.mind.cards}
        )
        self.focus: Piece | None = None
        self.at: Square | None = None

    def begin(self) -> None:
        """Think of a piece."""
        self.focus = self.random.choice(self.own) if self.own else None
        self.at = None

    def word(self, terminal: str, said: Sequence[str]) -> str | None:
        """A word for a terminal, after the words already said."""
        if terminal == "ID":
            return self._piece(said)
        if terminal == "SQUARE":
            return self._square(said)
        if terminal == "NUMBER":
            return str(self.random.randint(1, 4))
        return None

    def _piece(self, said: Sequence[str]) -> str:
        random, verb = self.random, said[0] if said else ""
        if not self.own or random.random() < 0.02:
            return random.choice(["p1", "f1", "p99", "fd1", "pg1"])
        if verb == "dummy":
            return self._of([piece for piece in self.own if piece.kind == "dummy"])
        if verb in ("section", "limber", "unlimber", "prolong", "detach", "man", "shoot"):
            guns = [piece for piece in self.own if piece.kind in GUNS]
            self.focus = random.choice(guns) if guns else self.focus
            return self.focus.id if self.focus else "pg1"
        if verb == "cinc" or said[-1:] == ["with"]:
            return self._of([piece for piece in self.own if piece.kind == "general"])
        if verb == "card":
            return self._of([piece for piece in self.own if piece.hidden])
        if said[-1:] == ["equipment"]:
            things = [piece for piece in self.mind.pieces.values() if piece.kind in (*GUNS, "limber") and piece.stands]
            return str(random.choice(things).id) if things else "fg1"
        if verb in ("fire", "charge", "command", "enter", "leave") and self.focus and self.focus.kind != "infantry":
            some = [
                piece
                for piece in self.own
                if piece.kind == "infantry" or (verb == "charge" and piece.kind == "cavalry")
            ]
            self.focus = random.choice(some) if some else self.focus
        assert self.focus is not None
        if said and said[-1] == "+":
            together = [one for one in self.own if one.square == self.focus.square and one.id not in said]
            if together:
                return str(random.choice(together).id)
        return self.focus.id

    def _of(self, pieces: list[Piece]) -> str:
        self.focus = self.random.choice(pieces) if pieces else self.focus
        return self.focus.id if self.focus else "p1"

    def _square(self, said: Sequence[str]) -> str:
        random, last = self.random, said[-1] if said else ""
        here = self.focus.square if self.focus else None
        if last == "@":
            standing = [piece for piece in self.own if piece.stands]
            if standing:
                self.focus = random.choice(standing)
                return str(self.focus.square)
        if here is None or random.random() < 0.03:
            return self._anywhere(said)
        if last in ("building", "bridge"):
            return str(here)
        if last == "wall":
            self.at = here
            return str(here)
        if said[0] in ("fire", "shoot", "targets", "charge") and self.enemy and random.random() < 0.85:
            near = sorted(self.enemy, key=lambda one: distance(here, one))
            return str(random.choice(near[:3]))
        if "via" in said or said[0] == "demolish":
            step = beyond(self.at or here, random.choice(list(STEPS))) or here
            self.at = step
            return str(step)
        at = here
        for _ in range(random.randint(1, 3)):
            at = beyond(at, random.choice(list(STEPS))) or at
        return str(at)

    def _anywhere(self, said: Sequence[str]) -> str:
        random = self.random
        if said and said[0] in ("place", "dummy", "siege") and random.random() < 0.95:
            if said[0] == "siege" and self.mind.siege_zone is not None:
                zone = self.mind.siege_zone
                first, last = zone.files.split("-")
                return f"{chr(random.randint(ord(first), ord(last)))}-{zone.row}"
            rows = (17, 18) if self.role == PRUSSIAN else (1, 10)
            return f"{chr(65 + random.randrange(18))}-{random.randint(*rows)}"
        return f"{chr(65 + random.randrange(18))}-{random.randint(1, 18)}"


def rulings(game: Game, random: Random) -> str:
    """Figures that the GM takes off."""
    battle: Battle = game.world.truth
    able = [piece for piece in battle.pieces.values() if piece.stands and piece.kind == "infantry" and piece.men > 1]
    return f"set {random.choice(able).id} men {random.randint(1, 2)}" if able else ""


def unseen(game: Game, role: Role, random: Random, sheets: Mapping[Role, str]) -> str:
    """The strength of a card; of the siege gun's crew while it is hidden."""
    battle: Battle = game.world.truth
    if role == FRENCH:
        french = [one.square for one in battle.pieces.values() if one.side == FRENCH and one.stands and one.square]
        crews = [
            one
            for one in battle.pieces.values()
            if one.side == PRUSSIAN and one.kind == "crew" and not one.on_table and one.square
            and all(distance(one.square, at) > 7 for at in french)
        ]  # fmt: skip
        comes = "siege" in sheets.get(PRUSSIAN, "") or "detach" in sheets.get(PRUSSIAN, "")
        return f"set {random.choice(crews).id} men {random.randint(4, 5)}" if crews and not comes else ""
    if battle.phase.startswith("setup"):
        return ""
    cards = [one for one in battle.pieces.values() if one.hidden and one.kind == "infantry" and one.men > 1]
    return f"set {random.choice(cards).id} men 1" if cards else ""


def came_out(one: Game, other: Game, role: Role, ruling: str) -> bool:
    """Whether the piece was turned up, brought on or hit."""
    name = ruling.split()[1]
    battles: list[Battle] = [one.world.truth, other.world.truth]
    pieces = [battle.pieces[name] for battle in battles]
    hidden = all(piece.hidden or not piece.on_table for piece in pieces)
    return not hidden or pieces[1].men != int(ruling.split()[3]) or pieces[0].men == pieces[1].men


def unheard(game: Game, role: Role, random: Random, sheets: Mapping[Role, str]) -> tuple[Role, str]:
    """The enemy, and what he is refused: orders to nobody, and to his enemy's pieces."""
    battle: Battle = game.world.truth
    theirs = [one.id for one in battle.pieces.values() if one.side == role]
    return ENEMY[role], f"move p99 to A-1\nmove {random.choice(theirs)} to A-1\nfire {random.choice(theirs)} at A-1"


def ideas(game: Game, role: Role, random: Random) -> list[str]:
    """What is seldom fit: bridges, gaps that a charge makes for the next, the march for Metz, guns on the move."""
    mind: Battle = game.world.minds[role]
    own = [piece for piece in mind.pieces.values() if piece.side == role and piece.stands]
    found = [*_works(game, mind, own), *_on_the_way(own, random), *_charges(mind, own, role, random)]
    if mind.phase.startswith("setup"):
        return _settings(game, mind, role, random)
    exits = str(mind.numbers.exit_square)
    for piece in own:
        if str(piece.square) == exits:
            found += [f"exit {piece.id}", f"exit @{exits}"]
        elif piece.square and distance(piece.square, mind.numbers.exit_square) == 1:
            found += [f"move @{piece.square} via {exits} exit", f"move @{piece.square} to {exits} exit"]
    return found


def _works(game: Game, mind: Battle, own: list[Piece]) -> Iterator[str]:
    ground = game.scene.ground
    for piece in own:
        at = piece.square
        if piece.kind != "infantry" or at is None:
            continue
        for step in STEPS:
            if len(step) == 1 and (beside := beyond(at, step)):
                yield f"demolish {piece.id} wall {at}|{beside}"
                yield f"move {piece.id} via {beside} in"
        if ground[at].bridge:
            yield f"demolish {piece.id} bridge {at}"
        for thing in mind.pieces.values():
            if thing.kind in (*GUNS, "limber") and thing.square and distance(at, thing.square) <= 1:
                yield f"demolish {piece.id} equipment {thing.id}"
        if piece.facing and (ahead := beyond(at, piece.facing)) and (next_ := beyond(ahead, piece.facing)):
            yield f"charge @{at} at {ahead}\ncharge @{next_} at {beyond(next_, piece.facing) or at} after {ahead}"


def _charges(mind: Battle, own: list[Piece], role: Role, random: Random) -> Iterator[str]:
    generals = {piece.square: piece.id for piece in own if piece.kind == "general"}
    foes = {piece.square for piece in mind.pieces.values() if piece.side == ENEMY[role] and piece.stands}
    for piece in own:
        ahead = beyond(piece.square, piece.facing) if piece.square and piece.facing else None
        if ahead is None or piece.kind not in ("infantry", "cavalry") or ahead not in foes:
            continue
        odds = random.choice(("1-4", "1-3", "1-2", "1-1", "2-1", "3-1", "4-1"))
        yield f"charge @{piece.square} at {ahead} if odds {odds}"
        if piece.square in generals:
            yield f"charge @{piece.square} at {ahead} with {generals[piece.square]}"


def _on_the_way(own: list[Piece], random: Random) -> Iterator[str]:
    for piece in own:
        ahead = beyond(piece.square, piece.facing) if piece.square and piece.facing else None
        further = beyond(ahead, piece.facing or "n") if ahead else None
        if ahead is None:
            continue
        way, shape = random.choice("nesw"), random.choice(("line", "column"))
        if piece.kind in GUNS:
            load = random.choice(("shot", "shell"))
            yield f"shoot {piece.id} {load} at {further or ahead} turn {way}"
            yield f"turn {piece.id} {way}"
            for word in ("structure", "equipment", "troops", "in", "out", "danger"):
                yield f"shoot {piece.id} {load} at {further or ahead} {word}"
            yield f"move {piece.id} limber via {ahead} unlimber face {way}"
            yield f"move {piece.id} via {ahead} unlimber {way}"
            yield f"prolong {piece.id} to {ahead} face {way}"
        elif piece.kind == "infantry" and piece.place == "inside":
            yield f"form @{piece.square} in {shape}"
        elif further is not None:
            yield f"move @{piece.square} via {ahead} {further} turn {way} at {ahead}"
            yield f"move @{piece.square} form {shape} via {ahead} face {way}"
            yield f"move @{piece.square} turn {way} via {ahead} form {shape} at end"


def _settings(game: Game, mind: Battle, role: Role, random: Random) -> list[str]:
    """Placements of a few that differ from those of the scenario."""
    own = [piece.id for piece in mind.pieces.values() if piece.side == role and piece.kind == "infantry"]
    if len(own) < 3:
        return []
    rows = mind.numbers.prussian_rows if role == PRUSSIAN else mind.numbers.french_rows
    places = [at for at in game.scene.ground if rows[0] <= int(at.partition("-")[2]) <= rows[1]]
    if role == FRENCH:
        places = [at for at in places if game.scene.ground[at].terrain == "town"]
    found = [f"show {random.choice(own)}"] if role == FRENCH else []
    if mind.siege_zone is not None:
        file = random.choice("ABCDEFGHIJKLMNOPQR")
        found.append(f"siege at {file}-{mind.siege_zone.row} face {random.choice('nesw')}")
    for _ in range(3):
        some, at = random.sample(own, 2), random.choice(places or [Square("Q-17")])
        tail = random.choice(("", " in", " line", " column", " face e", " in face w", " column face n"))
        found.append(f"place {some[0]}+{some[1]} at {at}{tail}")
    dummies = [piece.id for piece in mind.pieces.values() if piece.side == role and piece.kind == "dummy"]
    if dummies and places:
        found.append(f"dummy {random.choice(dummies)} at {random.choice(places)} in face {random.choice('nesw')}")
    return found
