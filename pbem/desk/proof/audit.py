"""Dice are checked: each throw against the seed it was promised from, each seed against its promise.

The GM checks all that the office has, whenever he likes; a player what was revealed of the throws in his reports.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from pbem.desk.books import dossiers
from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.seeds import Pair, promised_for, promises_of, thrown_with, words_of
from pbem.desk.office.office import Office
from pbem.desk.reels.runs import runs_of
from pbem.desk.worlds.revealed import made_known, revealed
from pbem.desk.worlds.walk import Walk, decisions
from pbem.kernel.campaign import Campaign
from pbem.kernel.dice import face, given, promise
from pbem.kernel.errors import Refused
from pbem.kernel.event import Outcome, Recorded, Throw
from pbem.kernel.lot import LOT, given_out, order_of
from pbem.kernel.names import Moment, Role
from pbem.kernel.office import CandidateSigned, InvitationAnswered, OrdersAccepted, Promises, RolesDrawn
from pbem.mail.reading.letter import read_head
from pbem.rules.contract import form
from pbem.rules.reel import TRUTH
from pbem.storage import blobs, secrets
from pbem.storage.database import Connection

Fall = Literal["fits", "sealed", "wrong"]
"""It is what its seed gives; its seed is not known yet; it is not."""


class Audited(Struct, frozen=True, kw_only=True):
    """One throw, and whether it is as it had to fall."""

    seq: int
    """Of the fact it decided; 0 for a role, which must not know it."""
    moment: Moment
    throw: Throw
    fall: Fall
    run: int = 1
    """Which run of its exchange it was thrown in, of those that are known of."""
    annulled: bool = False
    """That run was annulled."""


class Promised(Struct, frozen=True, kw_only=True):
    """The seeds of one moment: what was promised, and how what is known of them fits."""

    moment: Moment
    promises: Promises
    open: Fall
    closed: Fall


Whose = Literal["the role's", "the office's", ""]


class Said(Struct, frozen=True, kw_only=True):
    """A word that was made known with the dice of an exchange, and whether it is what its role gave."""

    seq: int
    """Of the event that made it known; 0 for a role, which must not know it."""
    moment: Moment
    role: Role
    word: str
    whose: Whose
    """The office gives one for a role that gave none; empty where that is not known."""
    fall: Fall


class Audit(Struct, frozen=True, kw_only=True):
    """All throws that were looked at, all promises, and all words."""

    throws: tuple[Audited, ...]
    promises: tuple[Promised, ...]
    words: tuple[Said, ...]

    @property
    def wrong(self) -> int:
        """How many of them are wrong."""
        seeds = [one.open for one in self.promises] + [one.closed for one in self.promises]
        falls = [one.fall for one in self.throws] + [one.fall for one in self.words]
        return [*falls, *seeds].count("wrong")


def audit(office: Office, campaign: str, role: str | None = None) -> Audit:
    """Check all dice of *campaign*; for a *role*, those that its reports tell of, by the seeds revealed.

    :raises Refused: if there is no such campaign or role, or it has not started.
    """
    with office.read() as connection:
        dossier = dossiers.load(office, connection, campaign)
        wanted = dossier.role(role) if role else None
        if not (dossier.campaign.started or dossier.campaign.drawn):
            raise Refused(f"{dossier.id} has not started: no dice were thrown yet.")
        kept = kept_seeds(connection, dossier) if wanted is None else {}
    known = revealed(dossier)
    thrown = [replace(one, seq=0 if wanted else one.seq) for one in throws(dossier, kept, known, wanted)]
    promised = [
        Promised(
            moment=moment,
            promises=promises,
            open=fits(pair.open, promises.open),
            closed=fits(pair.closed, promises.closed),
        )
        for moment, promises in promises_of(dossier)
        for pair in [kept.get(promises) or known.get(promises, Pair())]
    ]
    said = words(dossier, kept, known, wanted)
    return Audit(throws=tuple(thrown), promises=tuple(promised), words=tuple(said))


def kept_seeds(connection: Connection, dossier: Dossier) -> dict[Promises, Pair]:
    """The seeds that the office keeps for promises in the log, whether they fit or not."""
    found = {}
    for _, promises in promises_of(dossier):
        try:
            seeds = secrets.get(connection, dossier.id, promises)
        except Refused:
            continue
        found[promises] = Pair(seeds.open, seeds.closed)
    return found


def words(
    dossier: Dossier, kept: Mapping[Promises, Pair], known: Mapping[Promises, Pair], role: Role | None = None
) -> Iterator[Said]:
    """Every word that was made known, checked by what its role gave, where the closed seed is *kept* or *known*.

    A *role* knows what it gave itself, and of the others nothing before the game is over.
    """
    for said in made_known(dossier):
        campaign, moment = said.campaign, said.moment
        promises = promised_for(campaign, moment)
        closed = (kept.get(promises) or known.get(promises, Pair())).closed if promises else None
        made = words_of(campaign, moment, closed) if closed is not None else None
        for one in sorted({*said.words, *(dossier.roles if moment != LOT else made or ())}):
            word = said.words.get(one, "")
            whose: Whose = "the role's" if (moment, one) in campaign.given else "the office's"
            yield Said(
                seq=0 if role else campaign.last_seq,
                moment=moment,
                role=one,
                word=word,
                whose=whose if made is not None or one == role or not role else "",
                fall="sealed" if made is None else "fits" if made.get(one) == word else "wrong",
            )


def of_no_letter(connection: Connection, dossier: Dossier) -> Iterator[Recorded]:
    """Sheets and answers whose word is not made of the message in which they came, where its bytes are kept."""
    for recorded in dossier.log.own:
        event = recorded.event
        if not isinstance(event, OrdersAccepted | InvitationAnswered | CandidateSigned) or not event.word:
            continue
        if blobs.state(connection, event.message) != "kept":
            continue
        ids = ("", read_head(blobs.fetch(connection, event.message)).message_id)
        if event.word not in [given(one, event.digest) for one in ids]:
            yield recorded


def fall(throw: Throw, moment: Moment, pair: Pair, campaign: Campaign) -> Fall:
    """Whether *throw* fell as it had to at *moment*: by its seed, or by a ruling that stands in *campaign*."""
    if not throw.name.startswith(f"{moment}/"):
        return "wrong"
    if throw.by == "ruling":
        return "fits" if campaign.forced.get(throw.name) == throw.faces else "wrong"
    if throw.by != "seed" or campaign.forced.get(throw.name):
        return "wrong"
    return fall_of(throw, pair.of(throw.seed))


def fall_of(throw: Throw, seed: bytes | None) -> Fall:
    """Whether *throw* is what *seed* gives, if it is known."""
    if seed is None:
        return "sealed"
    fell = tuple(face(seed, throw.name, number, throw.sides) for number in range(1, len(throw.faces) + 1))
    return "fits" if fell == throw.faces else "wrong"


def throws(
    dossier: Dossier, kept: Mapping[Promises, Pair], known: Mapping[Promises, Pair], role: Role | None = None
) -> Iterator[Audited]:
    """Every throw of the log with its fall, those of annulled runs too, by the seeds *kept*, else those *known*.

    For a *role*, those in the facts that it was told, in the form in which it was told them.
    """
    for lot in lots(dossier):
        seq = lot.recorded.seq
        for throw in lot.event.dice:
            fell = fall(throw, LOT, _thrown_with(lot.campaign, LOT, kept, known), lot.campaign)
            yield Audited(seq=seq, moment=LOT, throw=throw, fall=fell)
    eyes = role or TRUTH
    run_of = {one.seq: run for run in runs_of(dossier, (eyes,)) for one in run.facts}
    walk = Walk(dossier)
    for decision in decisions(dossier.log):
        moment = dossier.log[decision.seq - 1].moment
        walk.to(decision.seq if decision.how == "muster" else decision.first - 1)
        campaign = walk.now.campaign
        pair = _thrown_with(campaign, moment, kept, known)
        names = set()
        for seq in decision.facts:
            fact = dossier.log[seq - 1].event
            if not isinstance(fact, Outcome) or seq > run_of[seq].upto[eyes]:
                continue
            run = run_of[seq]
            shown = form(dossier.system, fact, role) if role else fact
            for throw in shown.dice if shown else ():
                fell = "wrong" if throw.name in names else fall(throw, moment, pair, campaign)
                names.add(throw.name)
                yield Audited(seq=seq, moment=moment, throw=throw, fall=fell, run=run.number, annulled=run.annulled)


def _thrown_with(
    campaign: Campaign, moment: Moment, kept: Mapping[Promises, Pair], known: Mapping[Promises, Pair]
) -> Pair:
    """The seeds of *moment*, as far as they are *kept* or *known*, with the words in them."""
    promises = promised_for(campaign, moment)
    office = kept.get(promises) or known.get(promises, Pair()) if promises else Pair()
    return thrown_with(campaign, moment, office)


class Lot(Struct, frozen=True):
    """A lot that was drawn, and the campaign as it stood when it was."""

    recorded: Recorded
    event: RolesDrawn
    campaign: Campaign

    @property
    def follows(self) -> bool:
        """Whether its order and its result follow from its throws and from what the candidates wished."""
        wishes = {one.number: one.wishes for one in self.campaign.candidates.values()}
        order = order_of(self.event.dice)
        if self.campaign.opened is None or set(order) != set(wishes) or len(order) != len(self.event.dice):
            return False
        free = [role for role in self.campaign.opened.roles if role not in self.campaign.players]
        return given_out(free, wishes, order) == (self.event.roles, self.event.waiting)


def lots(dossier: Dossier) -> Iterator[Lot]:
    """Every lot that was drawn: one at most."""
    for recorded in dossier.log.own:
        if isinstance(recorded.event, RolesDrawn):
            yield Lot(recorded, recorded.event, dossier.upto(recorded.seq - 1).campaign)


def fits(seed: bytes | None, promised: str) -> Fall:
    """Whether *seed*, if it is known, is the one that was promised."""
    return "sealed" if seed is None else "fits" if promise(seed) == promised else "wrong"
