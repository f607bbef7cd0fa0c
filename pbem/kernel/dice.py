"""Dice that fall by name.

A fall depends on a seed of 32 bytes and on the throw's name alone, so that a new throw never shifts the
others, and anyone who holds the seed can check it with any HMAC tool:

    name     = "<moment>/<purpose>/<place>"              5B/melee/J-10
    digest   = HMAC-SHA256(key = seed, message = "<name>#<i>.<t>" in UTF-8)    i-th die from 1, try t from 0
    number   = the first 8 bytes of the digest, big-endian
    limit    = 2**64 - 2**64 % sides
    face     = number % sides + 1 if number < limit, else the next try

A shuffle of n cards draws one "die" for each place from the last to the second: the i-th draw, for place
p = n - i + 1, has p sides, and its face f changes the cards at places p and f (Fisher-Yates).
A salt is the HMAC-SHA256 of "<moment>/salt/<place>" under the closed seed, in hexadecimal.
The promise of a seed is SHA-256 of its 32 bytes, in hexadecimal.

To try a tool of your own on: a seed in hexadecimal, a name, the sides, and the first eight dice.

    0000000000000000000000000000000000000000000000000000000000000000  5B/melee/J-10  6  3 1 3 2 6 5 4 3
    000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f  1A/salvo/p1  20  6 1 16 20 11 16 20 8

Whoever makes a seed can make many, and promise the one that he likes.  So each player gives a word to the dice of an
exchange: his first sheet for it that was accepted and that came after the promise, by letter or as a file of his.
The seed that dice, shuffles and salts are made of, as above, is then made of the office's, which was promised, and
of the words of all roles, which nobody could know when it was:

    given    = SHA-256("<id> <text>")     id: the Message-ID of the letter, `<` and `>` too, or nothing for a file;
                                          text: the SHA-256 of the sheet that the receipt prints
    word     = HMAC-SHA256(key = the office's closed seed, message = "<moment>/word/<role>/<given>")
    seed     = HMAC-SHA256(key = the office's seed, message = "<moment>/words <role>=<word> <role>=<word> ...")

with every digest in hexadecimal, and in the last line all roles of the game in the order of their letters.  The open
seed is so made of the office's open one, the closed of its closed one, with the same words.

The receipt tells the writer his word, and the reports of the exchange the words of all.  A word is salted by the
closed seed: nobody can try out on it what a sheet may have said before the game is over.  For a role that gave none
the office's word stands, with nothing for *given*: it looks like the others, so that no report betrays who wrote.
No word comes of a sheet that the GM entered, that the rules lead, that was known before the promise, or that answers
a halt; a later sheet changes no word, and one that is withdrawn has given its own.  What is played again without new
seeds is played with the same words or more; new seeds ask for new words.

What this holds in: the GM cannot choose dice, for he promises before he knows the words; nor a player, who knows no
seed.  What it does not: where no player gives a word the dice are the office's alone; who is GM and player at once,
or has a player's letters, may give his word last and knowing the seeds; and a GM may say of a letter that it never
came (its writer misses his receipt), or reopen what was played (all are told).

To try it on: the office's seeds 00…00 (open) and 01…01 (closed), 32 bytes each; red's letter has the id <1@red> and
a sheet whose SHA-256 is that of "go" (`printf go | sha256sum`), and blue sends nothing.

>>> text = hashlib.sha256(b"go").hexdigest()
>>> seal = bytes([1]) * 32
>>> words = {"red": word(seal, "1A", "red", given("<1@red>", text)), "blue": word(seal, "1A", "blue")}
>>> for one in (words["red"], words["blue"], worded(bytes(32), "1A", words).hex()):
...     print(one)
b36bf02c452de1114e568a098aa8a7f71306d3b624f464b2e333684ef3b04051
1c2dd9b9ffffa6e302e3eb72cff298e1d5eab2ed8f90fe3fa8bbd7bd33945638
e72c7ae6f640fdd4b6baedc64a7a4a6f1ee0b2e8e4b6db1ac38822b07108dc7e
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping, Sequence
from typing import Protocol

from pbem.kernel.errors import BadRuling, DiceError
from pbem.kernel.event import Seed, Throw
from pbem.kernel.names import Moment, Role, ThrowName

SEED_BYTES = 32


class Dice(Protocol):
    """Falls by name: *purpose* is the ledger's, *place* tells throws of one turn apart.

    *place* must carry the system's own clock where a thing can happen twice in a turn (`m37/3-I`): a turn
    is resolved in several calls, and a count kept by the caller would start again in each.
    Two throws of one name are an error.
    """

    def throw(self, purpose: str, place: str, /, *, sides: int = 6, count: int = 1, seed: Seed = "open") -> Throw:
        """Throw *count* dice of *sides* sides."""
        ...

    def shuffle(self, purpose: str, place: str, cards: Sequence[str], /, *, seed: Seed = "closed") -> tuple[str, ...]:
        """The *cards* in the order in which they now lie, the first on top."""
        ...

    def salt(self, place: str, /) -> str:
        """64 hexadecimal digits that nobody can guess before the closed seed is known, to seal a secret with."""
        ...


def promise(seed: bytes) -> str:
    """What is published of a seed before anything is thrown with it: SHA-256 in hexadecimal."""
    return hashlib.sha256(seed).hexdigest()


def given(message_id: str, text: str) -> str:
    """What a player gives to the dice with a sheet: *text* is its SHA-256 in hexadecimal, as is what comes of it."""
    return hashlib.sha256(f"{message_id} {text}".encode()).hexdigest()


def word(closed: bytes, moment: Moment, role: Role, given: str = "") -> str:
    """The word of *role* for the dice of *moment*, salted by the office's *closed* seed; nothing *given*: its own."""
    return hmac.digest(closed, f"{moment}/word/{role}/{given}".encode(), "sha256").hex()


def words_line(moment: Moment, words: Mapping[Role, str]) -> str:
    """The words of all roles as they enter the seeds of *moment*.

    >>> words_line(Moment(1), {Role("red"): "ab", Role("blue"): "cd"})
    '1A/words blue=cd red=ab'
    """
    return " ".join((f"{moment}/words", *(f"{role}={words[role]}" for role in sorted(words))))


def worded(seed: bytes, moment: Moment, words: Mapping[Role, str]) -> bytes:
    """The seed that the dice of *moment* are thrown with: the office's *seed* with the *words* of all roles in it."""
    return hmac.digest(seed, words_line(moment, words).encode(), "sha256")


def face(seed: bytes, name: str, number: int, sides: int) -> int:
    """The *number*-th die (from 1) of the throw *name*: 1 to *sides*.

    >>> [face(bytes(32), "5B/melee/J-10", 1, 6), face(bytes(32), "5B/melee/J-10", 2, 6)]
    [3, 1]
    """
    limit = 2**64 - 2**64 % sides
    attempt = 0
    while True:
        digest = hmac.digest(seed, f"{name}#{number}.{attempt}".encode(), "sha256")
        value = int.from_bytes(digest[:8], "big")
        if value < limit:
            return value % sides + 1
        attempt += 1


class SeededDice:
    """The dice of one exchange: two seeds, and the faces that the GM has ruled.

    *forced* maps a throw's name to the faces that a ruling demands.
    """

    def __init__(
        self,
        moment: Moment,
        *,
        open_seed: bytes,
        closed_seed: bytes,
        forced: Mapping[ThrowName, tuple[int, ...]],
    ) -> None:
        self._moment = moment
        self._seeds: dict[Seed, bytes] = {"open": open_seed, "closed": closed_seed}
        self._forced = forced
        self._thrown: set[ThrowName] = set()

    def _name(self, purpose: str, place: str) -> ThrowName:
        name = ThrowName(f"{self._moment}/{purpose}/{place}")
        if name in self._thrown:
            raise DiceError(f"{name} was thrown twice")
        self._thrown.add(name)
        return name

    def throw(self, purpose: str, place: str, /, *, sides: int = 6, count: int = 1, seed: Seed = "open") -> Throw:
        """Throw *count* dice of *sides* sides.

        :raises DiceError: if a throw of this name was made before.
        :raises BadRuling: if a ruling gives it dice that it does not have.
        """
        name = self._name(purpose, place)
        if faces := self._forced.get(name):
            if len(faces) != count or not all(1 <= ruled <= sides for ruled in faces):
                given = " ".join(map(str, faces))
                raise BadRuling(f"{name} is {count} dice of {sides} sides, and the ruling gives it {given}")
            return Throw(name, seed, sides, faces, "ruling")
        key = self._seeds[seed]
        return Throw(name, seed, sides, tuple(face(key, name, i, sides) for i in range(1, count + 1)))

    def shuffle(self, purpose: str, place: str, cards: Sequence[str], /, *, seed: Seed = "closed") -> tuple[str, ...]:
        """The *cards* in the order in which they now lie, the first on top.

        :raises DiceError: if a throw of this name was made before.
        """
        name = self._name(purpose, place)
        lie = list(cards)
        for draw, last in enumerate(range(len(lie) - 1, 0, -1), start=1):
            other = face(self._seeds[seed], name, draw, last + 1) - 1
            lie[last], lie[other] = lie[other], lie[last]
        return tuple(lie)

    def salt(self, place: str, /) -> str:
        """64 hexadecimal digits that nobody can guess before the closed seed is known.

        :raises DiceError: if a salt for this place was taken before.
        """
        name = self._name("salt", place)
        return hmac.digest(self._seeds["closed"], name.encode(), "sha256").hex()


class ScriptedDice:
    """The dice of a conformance case: by purpose, or one list in the order thrown.

    A die asked for and not scripted fails at once; `left_over` names what was scripted and not asked for.
    """

    def __init__(self, moment: Moment, script: Mapping[str, Sequence[int]] | Sequence[int]) -> None:
        self._moment = moment
        self._by_purpose = {key: list(faces) for key, faces in script.items()} if isinstance(script, Mapping) else None
        self._in_order = [] if isinstance(script, Mapping) else list(script)
        self._thrown: set[ThrowName] = set()
        self.purposes: list[str] = []
        """What was thrown, one word a die, in the order thrown."""

    def throw(self, purpose: str, place: str, /, *, sides: int = 6, count: int = 1, seed: Seed = "open") -> Throw:
        """Throw *count* dice of *sides* sides, as the script has them.

        :raises DiceError: if the script has no such die, or a face that the die has not, or on a name thrown twice.
        """
        name = ThrowName(f"{self._moment}/{purpose}/{place}")
        if name in self._thrown:
            raise DiceError(f"{name} was thrown twice")
        self._thrown.add(name)
        lie = self._in_order if self._by_purpose is None else self._by_purpose.get(purpose, [])
        if len(lie) < count:
            raise DiceError(f"{name} asks for {count} dice, {len(lie)} are left in the script")
        faces = tuple(lie[:count])
        del lie[:count]
        if not all(1 <= fallen <= sides for fallen in faces):
            raise DiceError(f"{name}: a die of {sides} sides cannot show {faces}")
        self.purposes += [purpose] * count
        return Throw(name, seed, sides, faces, "script")

    def shuffle(self, purpose: str, place: str, cards: Sequence[str], /, *, seed: Seed = "closed") -> tuple[str, ...]:
        """The *cards* by the positions scripted (from 1), or as they lie if the script has none."""
        lie = self._in_order if self._by_purpose is None else self._by_purpose.get(purpose, [])
        if not lie:
            return tuple(cards)
        places = [lie.pop(0) for _ in cards]
        if sorted(places) != list(range(1, len(cards) + 1)):
            raise DiceError(f"{purpose} at {place}: {places} is no order of {len(cards)} cards")
        return tuple(cards[at - 1] for at in places)

    def salt(self, place: str, /) -> str:
        """The same salt always: a script keeps no secret."""
        return hashlib.sha256(place.encode()).hexdigest()

    def left_over(self) -> dict[str, list[int]]:
        """Faces scripted that nobody asked for, by purpose (`in order` for a plain list)."""
        if self._by_purpose is None:
            return {"in order": self._in_order} if self._in_order else {}
        return {purpose: faces for purpose, faces in self._by_purpose.items() if faces}
