"""Falling back: who goes with whom, by which path, and who is lost on the way."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from pbem.ground.square import BEARING, Square, direction, distance, is_diagonal, offset, parse_square, place
from pbem.kernel.names import Role
from pbem.rules.ledger import rule
from pbem.systems.st_privat.field.field import Field
from pbem.systems.st_privat.field.ranks import policy_for
from pbem.systems.st_privat.march.gate import deep_in_woods, lurking, uncovered, walled
from pbem.systems.st_privat.world.pieces import FRENCH, Facing, Piece
from pbem.systems.st_privat.world.state import Battle

OFF = Square("off")
"""Beyond the exit square: off the board."""
PUSHERS = 4
"""Gunners that push a gun (SP-MOV-09)."""
ABOUT: Mapping[Facing, Facing] = {"n": "s", "s": "n", "e": "w", "w": "e"}


@dataclass(frozen=True)
class Party:
    """Pieces that fall back together: a stand, or what goes of a gun's section."""

    pieces: tuple[Piece, ...]
    heavy: bool
    """Holds a gun, limber or team: no wall without a gap, no interior woods."""
    pushed: bool = False
    """Holds a deployed gun that its crew pushes: no stream either."""

    @property
    def size(self) -> int:
        """Stands, for the capacity of a square."""
        return sum(piece.kind != "general" for piece in self.pieces)

    @property
    @rule("SP-TER-05")
    def on_foot(self) -> bool:
        """Infantry, or gunners without their gun."""
        return not self.heavy and self.pieces[0].on_foot

    def renewed(self, battle: Battle) -> Party:
        """The party as its pieces now are."""
        return Party(tuple(battle.pieces[piece.id] for piece in self.pieces), self.heavy, self.pushed)


@dataclass(frozen=True)
class Way:
    """Where a party went: the squares from the one it left; *lost* if it found no square to go to."""

    path: tuple[Square, ...]
    lost: bool = False
    off: bool = False
    by_reaction: bool = False
    found: bool = False
    """Came upon the hidden siege gun."""

    @property
    def end(self) -> Square:
        """The last square."""
        return self.path[-1]


@rule("SP-MOR-02", "SP-MOR-03", "SP-MOR-04", "SP-SGE-05")
def parties(
    field: Field, at: Square, side: Role, squares: int, came: Collection[str] = ()
) -> tuple[list[Party], list[Piece]]:
    """Who falls back from a square together, in the order of slots, and which guns and limbers stay behind.

    Everybody goes, inside or outside, but for those who only *came* there in falling back.  A limbered section goes
    whole, if it has horses left.  On a retreat of one square a deployed gun with four of its crew is pushed along; on a
    rout, and the siege gun always, it is abandoned, and crew, limber and team go without it.
    """
    here = [piece for piece in field.visible(at, side) if piece.id not in came]
    left: list[Piece] = []
    going: list[Party] = []
    taken: set[str] = set()
    for gun in [p for p in here if p.is_gun]:
        crew = field.crew_of(gun)
        section = field.section(gun)
        if field.is_limbered(gun) and any(p.kind == "team" for p in section):
            going.append(Party(section, heavy=True))
            taken |= {p.id for p in section}
        elif squares == 1 and gun.deployed and gun.is_drawn and crew is not None and crew.men >= PUSHERS:
            going.append(Party((gun, crew), heavy=True, pushed=True))
            taken |= {gun.id, crew.id}
        else:
            left.append(gun)
            taken.add(gun.id)
    teams = [p for p in here if p.kind == "team" and p.id not in taken]
    for team in teams:
        limbers = [p for p in here if p.kind == "limber" and p.team_id == team.id and p.id not in taken]
        going.append(Party((*limbers, team), heavy=True))
        taken |= {team.id, *(p.id for p in limbers)}
    left += [p for p in here if p.kind == "limber" and p.id not in taken]
    taken |= {p.id for p in left}
    # Cards go last: whether troops or dummies are under them must not show by who finds room.
    rest = sorted((p for p in here if p.id not in taken), key=lambda p: (p.hidden, p.slot, p.kind == "general"))
    return [Party((piece,), heavy=False) for piece in rest] + going, left


@rule("SP-MOR-06", "SP-MOR-02")
def _enterable(field: Field, side: Role, party: Party, start: Square, end: Square) -> bool:
    if field.enemy_held(end, side):
        return False
    if not party.heavy:
        return True
    wet = party.pushed and bool(field.ground(end).stream) and not field.road_step(start, end)
    return not (walled(field, start, end) or deep_in_woods(field, end) or wet)


def _refuge(field: Field, side: Role, at: Square) -> int:
    """How far it is to where a side falls back to: French to the exit square, Prussians to their own edge."""
    if side == FRENCH:
        return distance(at, field.scene.numbers.exit_square)
    return int(field.scene.board.rows) - place(at)[1]


def _fits(wish: str, start: Square, options: Sequence[Square]) -> list[Square]:
    """Which of the squares that may be gone to an entry of a `retreat` list means."""
    if wish in BEARING:
        return [at for at in options if at != OFF and direction(start, at) == wish]
    if wish == "off":
        return [at for at in options if at == OFF]
    goal = parse_square(wish)
    on_board = [at for at in options if at != OFF]
    if goal is None or not on_board:
        return []
    best = min(distance(at, goal) for at in on_board)
    return [at for at in on_board if distance(at, goal) == best] if best < distance(start, goal) else []


@rule("SP-MOR-06", "SP-MOR-05", "SP-ZOC-04")
def step_back(
    field: Field, side: Role, party: Party, start: Square, winners: Sequence[Square], *, may_exit: bool
) -> tuple[Square | None, bool]:
    """One step of a retreat or rout, and whether the owner's list chose it; None: nowhere to go.

    In order: away from the winners; the owner's list; out of hostile zones; straight before diagonal; nearer
    the refuge; lowest file, then lowest row.
    """

    def gap(at: Square) -> int:
        return min((distance(at, one) for one in winners), default=0)

    free = [at for at in field.scene.board.neighbours(start) if _enterable(field, side, party, start, at)]
    out = may_exit and start == field.scene.numbers.exit_square
    if not free:
        return (OFF, False) if out else (None, False)
    away = [at for at in free if gap(at) > gap(start)]
    same = [at for at in free if gap(at) == gap(start)]
    options = free if field.options.default_retreat == "refuge" else away or same or free
    policy = policy_for(field, party.pieces[0], field.reactions(side).retreat)
    for wish in policy.words if policy else ():
        if fitting := _fits(wish, start, [*options, OFF] if out else options):
            return min(fitting, key=lambda at: _taste(field, side, start, at)), True
    return min(options, key=lambda at: _taste(field, side, start, at)), False


def _taste(field: Field, side: Role, start: Square, at: Square) -> tuple[int, int, int, tuple[int, int]]:
    if at == OFF:
        return (0, 0, 0, (0, 0))
    hostile = any(field.in_zone(at, other) for other in field.scene.pieces if other != side)
    return (int(hostile), int(is_diagonal(start, at)), _refuge(field, side, at), place(at))


@rule("SP-MOR-06", "SP-MOR-05", "SP-SGE-03")
def way_back(
    field: Field, side: Role, party: Party, start: Square, winners: Sequence[Square], squares: int, *, exits: bool
) -> Way:
    """The whole path of a party; in the last square there must be room, or it goes up to `rout_overflow` on.

    *exits*: from the turn in which the French march for Metz, a retreat of one square may leave by the road.
    """
    path, by_reaction, found = [start], False, False
    for number in range(1, squares + field.options.rout_overflow + 1):
        to, chosen = step_back(field, side, party, path[-1], winners, may_exit=exits and squares == 1)
        if to is None:
            return Way(tuple(path), lost=True, by_reaction=by_reaction, found=found)
        by_reaction = by_reaction or chosen
        if to == OFF:
            return Way(tuple(path), off=True, by_reaction=by_reaction, found=found)
        path.append(to)
        if gun := lurking(field, side, to):
            field, found = uncovered(field, gun), True
        if number >= squares and has_room(field, party, to):
            return Way(tuple(path), by_reaction=by_reaction, found=found)
    return Way(tuple(path), lost=True, by_reaction=by_reaction, found=found)


@rule("SP-MOR-06", "SP-CAP-01")
def has_room(field: Field, party: Party, at: Square) -> bool:
    """Whether a square has room for a party beside those of its side who stand there (SP-CAP-01)."""
    return not field.no_room(at, [replace(p, place="outside") for p in party.pieces])


def straight(start: Square, end: Square) -> Facing:
    """The direction of a step, a diagonal one counting as its north or south part.

    >>> [straight(Square("Q-9"), Square("Q-8")), straight(Square("Q-9"), Square("R-10"))]
    ['s', 'n']
    """
    x, y = offset(start, end)
    if y:
        return "n" if y > 0 else "s"
    return "e" if x > 0 else "w"


def towards(at: Square, winners: Sequence[Square]) -> Facing:
    """Where the nearest of the winners' squares lies: along the longer axis, north or south if both are as long.

    >>> [towards(Square("R-8"), [Square("P-9")]), towards(Square("R-8"), [Square("Q-9")])]
    ['w', 'n']
    """
    east, north = offset(at, min(winners, key=lambda one: distance(at, one)))
    if abs(east) > abs(north):
        return "e" if east > 0 else "w"
    return "n" if north > 0 else "s"


@rule("SP-MOR-02", "SP-MOR-03")
def facing_after(way: Way, squares: int, wish: str | None, winners: Sequence[Square]) -> Facing:
    """Where a beaten party looks: the way it ran after a rout; after a retreat at the enemy, or away if it chose so."""
    if squares > 1:
        return straight(way.path[-2], way.path[-1])
    enemy = towards(way.end, winners)
    return ABOUT[enemy] if wish == "away" else enemy
