"""What people kept of a game bears witness for its log, or against it.

A report prints the hash of the event up to which its role may know the log, a receipt that of its sheet under the key
of the office (`pbem.desk.post.printed`).  Each hash is over all events before it.  So of papers and log it follows:

    held        the log has the event, and it is the one that such a paper prints
    altered     the log has a later head of another paper: all before that stands, and it is the paper that is not so
    rewritten   the log has another event there, and no later head vouches for it
    cut         the log ends before what the paper was made from
    either      one paper alone says otherwise than the log: nothing decides between the two
    orders      the log has the orders of a receipt, whose head can be looked at only with the key of its office
    sealed      what it prints can be looked at only with the key of its office

Nobody needs an office for it: a file of the campaign is a log as well.  What a receipt prints can then be held to the
digest of its orders alone, for the key stays in the office.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from pbem.desk.books import dossiers
from pbem.desk.office.office import Office, public_key
from pbem.desk.post.printed import covered
from pbem.desk.post.writing import message_id
from pbem.desk.proof.exported import Happened, Head, Signature, lines_of, read
from pbem.desk.proof.kept_papers import bytes_of
from pbem.desk.proof.papers import MOST_HEADS, Paper, read_papers, words_of
from pbem.kernel.errors import BrokenLog, Refused
from pbem.kernel.names import CampaignId, Moment
from pbem.kernel.office import CampaignCut, OrdersAccepted, OrdersKept, OrdersRefused, Promises, ReportIssued
from pbem.orders.prose import listed
from pbem.storage import outbox, stored
from pbem.storage.codec import Codec
from pbem.storage.database import Connection
from pbem.storage.stored import Row

State = Literal["held", "altered", "rewritten", "cut", "either", "orders", "sealed", "foreign", "empty"]

AGAINST: Final[frozenset[State]] = frozenset({"altered", "rewritten", "cut", "either"})
"""What says that something is not as it was."""

Receipt = OrdersAccepted | OrdersKept | OrdersRefused
_RECEIPTS: Final = (OrdersAccepted, OrdersKept, OrdersRefused)


class Log(Struct, frozen=True, kw_only=True):
    """A log, as far as papers can be held to it."""

    campaign: CampaignId
    hashes: Mapping[str, int]
    """The event that bears each."""
    ends: Moment
    """Of the last event."""
    issued: tuple[ReportIssued, ...] = ()
    receipts: Mapping[tuple[str, int], tuple[int, Receipt]] = {}
    """By role and number: the event, and its seq."""
    promises: frozenset[str] = frozenset()
    key: str = ""
    """What the file is signed with that holds it, or its office signs with; empty if nothing is known of that."""
    file: bool = False
    """Whether it is the log of a file."""
    copied: int = 0
    """Behind which event it was cut on purpose: it is that of a copy; 0: it is not."""

    @property
    def last(self) -> int:
        """The seq of its last event."""
        return len(self.hashes)


class Verdict(Struct, frozen=True):
    """What is to be said of one paper."""

    paper: Paper
    state: State
    says: str
    seq: int = 0
    """The event that it vouches for, or that is not as it says; 0: none."""


class Witnessed(Struct, frozen=True, kw_only=True):
    """What came of all papers that were held to one log."""

    log: Log
    verdicts: tuple[Verdict, ...]
    key: Literal["", "same", "other"]
    """Whether the briefings print the key that the log is signed with; empty where none or nothing says."""

    @property
    def sound(self) -> bool:
        """Whether all is as it was, and something was there to say so."""
        states = {one.state for one in self.verdicts}
        return not states & AGAINST and "held" in states and not (self.log.file and self.key == "other")

    @property
    def conclusions(self) -> list[str]:
        """What follows for the log, in sentences."""
        return list(_conclusions(self))


def of_office(office: Office, paths: Sequence[Path]) -> tuple[list[Witnessed], list[Verdict]]:
    """Hold the papers at *paths* to the logs of the *office*; gives also what is to be said of those of none of them.

    :raises Refused: if a file is not there.
    :raises BrokenLog: if a log is not what was written.
    """
    papers, found = list(read_papers(paths)), []
    with office.read() as connection:
        there = dossiers.campaigns(connection)
        wanted = {paper.campaign for paper in papers} | _bearing(connection, papers, but=there)
        taken: set[str] = set()
        for name in (one for one in there if one in wanted):
            log = log_of_rows(name, stored.rows(connection, name), key=public_key(office, connection))
            of_it = _Entries(office, connection, log)
            mine = [one for one in papers if _is_of(log, one)]
            found.append(held_to(log, list(map(of_it.uncovered, mine)), sent=partial(_as_sent, connection)))
            taken |= {one.where for one in mine}
    return found, [_of_none(one, "is no campaign of this office") for one in papers if one.where not in taken]


def of_file(file: Path, paths: Sequence[Path]) -> tuple[list[Witnessed], list[Verdict]]:
    """Hold the papers at *paths* to the log that *file* holds, as `campaign export` writes it; gives as `of_office`.

    :raises Refused: if a file is not there, or *file* is not as its office wrote it.
    """
    rows: list[Row] = []
    name, key = CampaignId(""), ""
    try:
        with file.open("rb") as opened:
            for _, line in read(lines_of(opened, str(file)), str(file)):
                match line:
                    case Happened():
                        rows.append(line)
                    case Head(campaign=name):
                        pass
                    case Signature(key=key):
                        pass
    except OSError as error:
        raise Refused(f"{file} cannot be read: {error.strerror}.") from None
    log, papers = log_of_rows(name, rows, key=key, file=True), list(read_papers(paths))
    mine = [one for one in papers if _is_of(log, one)]
    return [held_to(log, mine)], [_of_none(one, f"is not {name}") for one in papers if not _is_of(log, one)]


def _is_of(log: Log, paper: Paper) -> bool:
    """Whether a paper is of the campaign of a *log*: it says so, or prints a head of it."""
    return paper.campaign == log.campaign or any(head in log.hashes for head in paper.heads)


def log_of_rows(name: CampaignId, rows: Iterable[Row], *, key: str, file: bool = False) -> Log:
    """The log of *rows*, each of which is seen to follow the one before.

    :raises BrokenLog: at one that does not, or cannot be read.
    """
    codec, hashes, promises = Codec(), dict[str, int](), set[str]()
    issued: list[ReportIssued] = []
    receipts: dict[tuple[str, int], tuple[int, Receipt]] = {}
    last, ends, copied = (0, ""), Moment(0, 0), 0
    for row in rows:
        try:
            row.follows(*last)
        except BrokenLog as broken:
            raise BrokenLog(f"{name}: {broken}: nothing can be held to it.  pbem verify {name}") from None
        last, ends = (row.seq, row.hash), Moment(row.turn, row.exchange, row.halt)
        hashes[row.hash] = row.seq
        event = None if "." in row.kind else codec.decode(row.kind, row.schema, row.data)
        for given in (getattr(event, "promises", None), getattr(event, "muster", None)):
            if isinstance(given, Promises):
                promises |= {given.open, given.closed}
        if isinstance(event, CampaignCut):
            copied = event.upto
        elif isinstance(event, ReportIssued):
            issued.append(event)
        elif isinstance(event, _RECEIPTS):
            receipts[event.role, event.receipt] = row.seq, event
    return Log(
        campaign=name,
        hashes=hashes,
        ends=ends,
        issued=tuple(issued),
        receipts=receipts,
        promises=frozenset(promises),
        key=key,
        file=file,
        copied=copied,
    )


Sent = Callable[[Paper], bool | None]
"""Whether a letter is as the office has it that it was sent; None where the office cannot say."""


def held_to(log: Log, papers: Sequence[Paper], *, sent: Sent = lambda paper: None) -> Witnessed:
    """What *papers*, all of its campaign, say of *log*."""
    first = [_first_look(log, paper, sent) for paper in papers]
    held = [one for one in first if one.state == "held"]
    newest = max((one.seq for one in held), default=0)
    until = max((one.paper.moment for one in held if one.paper.moment), default=None)
    placed = [(one, _place(log, one, newest, until)) for one in first if one.state == "either"]
    after = [one.paper for one, place in placed if place == "after"]
    # One head alone may have been written into a paper by its keeper; not into two alike, nor into what left so.
    sure = len({paper.heads for paper in after}) > 1 or any(_issued_so(log, one) or sent(one) for one in after)
    cut = not after and any(place == "later" for _, place in placed)
    look = partial(_second_look, log, newest=newest, sure=sure, cut=cut)
    told = {id(one): look(one, place) for one, place in placed}
    printed = {key for paper in papers for key in paper.keys}
    same: Literal["", "same", "other"] = "" if not printed or not log.key else "same" if log.key in printed else "other"
    return Witnessed(log=log, verdicts=tuple(told.get(id(one), one) for one in first), key=same)


def _first_look(log: Log, paper: Paper, sent: Sent) -> Verdict:
    """What one paper says by itself; `either` for one whose head the log has not."""
    if not paper.bears:
        return Verdict(paper, "empty", paper.fault or "it bears no head of a log")
    if len(paper.heads) > 1:
        return Verdict(paper, "altered", "it prints two heads, and each report prints one")
    as_sent = sent(paper)
    if as_sent is False:
        return Verdict(paper, "altered", "its words are not those of the letter that the office has of that name")
    places = _places(log, paper)
    seq = log.hashes.get(paper.heads[0], 0) if paper.heads else 0
    if seq and paper.campaign not in ("", log.campaign):
        says = f"it says that it is of {paper.campaign}, and prints the head of event {seq} of {log.campaign}"
        return Verdict(paper, "altered", says, seq)
    if not seq:
        if paper.orders and (known := log.receipts.get((paper.role, paper.receipt))):
            return _by_its_orders(paper, *known)
        if paper.entered and not paper.receipt and (log.file or paper.sealed):
            return Verdict(paper, "sealed", "its head can be looked at only with the key of its office")
        return Verdict(paper, "either", "", max(places, default=0))
    if paper.entered or not paper.moment or seq in places:
        return _beside_its_head(log, paper, seq)
    if not places and _later(log, paper):
        return Verdict(
            paper, "cut", f"the log has event {seq} that it prints, and no report of {paper.moment} after it", seq
        )
    made = f", and the report of {paper.moment} was made from event {max(places)}" if places else ""
    return Verdict(paper, "altered", f"it prints the head of event {seq}{made}", seq)


def _by_its_orders(paper: Paper, seq: int, event: Receipt) -> Verdict:
    """A receipt whose head cannot be looked at here."""
    if paper.orders == event.digest:
        return Verdict(paper, "orders", "", seq)
    return Verdict(paper, "either", "", seq)


def _beside_its_head(log: Log, paper: Paper, seq: int) -> Verdict:
    """A paper whose head the log has: whether the rest of it is so too."""
    strange = sorted({moment for moment, promise in paper.promises if promise not in log.promises})
    if strange:
        those = listed([str(moment) for moment in strange])
        says = f"its head stands; the promise for {those} that it prints was never made"
        return Verdict(paper, "altered", says, seq)
    issued = {one.page: one.role for one in log.issued if one.moment == paper.moment}
    if paper.moment and any(page not in issued for page in paper.pages):
        return Verdict(paper, "altered", "its head stands; its page is not byte for byte one that was issued", seq)
    role = next((issued[page] for page in paper.pages if page in issued), paper.role)
    return Verdict(replace(paper, role=role), "held", "", seq)


Place = Literal["before", "after", "later", "nowhere"]
"""Where what a paper tells of stands: before the newest head that stands, after it, after the log's end, or unsaid."""


def _place(log: Log, one: Verdict, newest: int, until: Moment | None) -> Place:
    moment = one.paper.moment
    if one.seq:
        return "before" if one.seq <= newest else "after"
    if moment is None:
        return "nowhere"
    if _later(log, one.paper):
        return "later"
    return "before" if until is not None and moment <= until else "after"


def _second_look(log: Log, one: Verdict, place: Place, *, newest: int, sure: bool, cut: bool) -> Verdict:
    """What is to be said of a head that the log has not, when all papers were looked at.

    *newest* is the last event that one vouches for; *sure*: what the log tells otherwise is not some paper's fault;
    *cut*: the log tells nothing otherwise, and ends too early.
    """
    if place == "before":
        says = f"the log never had that head: that of event {newest}, which it has, vouches for all before it"
        return replace(one, state="altered", says=says)
    if cut:
        return replace(one, state="cut", says=f"the log ends at event {log.last}, {log.ends}, before it was made")
    at = f"event {one.seq} of the log" if one.seq else "what the log tells of then"
    if sure:
        return replace(one, state="rewritten", says=f"{at} is another than it was made from")
    return replace(one, says=f"{at} is another, or it was altered: a second paper of then decides")


def _places(log: Log, paper: Paper) -> set[int]:
    """The events up to which reports of the moment of a *paper* were made, by the log."""
    if paper.receipt:
        known = log.receipts.get((paper.role, paper.receipt))
        return {known[0]} if known else set()
    return {one.upto for one in log.issued if one.moment == paper.moment and paper.role in ("", one.role)}


def _later(log: Log, paper: Paper) -> bool:
    """Whether a *paper* is of what the log may not have come to yet: nothing that it knows came after."""
    if paper.moment is None or _places(log, paper):
        return False
    return all(one.moment <= paper.moment for one in log.issued)


def _issued_so(log: Log, paper: Paper) -> bool:
    """Whether the log itself says that the page of a *paper* was issued: then it is not the page that was altered."""
    return any(one.page in paper.pages and one.moment == paper.moment for one in log.issued)


def _of_none(paper: Paper, why: str) -> Verdict:
    """What is to be said of a paper that is of no log at hand."""
    if not paper.bears:
        return Verdict(paper, "empty", paper.fault or "it bears no head of a log")
    if not paper.campaign:
        return Verdict(paper, "foreign", "it does not say of which campaign it is")
    return Verdict(paper, "foreign", f"it is of {paper.campaign}, which {why}")


def _conclusions(found: Witnessed) -> Iterator[str]:
    log, by = found.log, Counter(one.state for one in found.verdicts)
    held = max((one.seq for one in found.verdicts if one.state == "held"), default=0)
    if by["rewritten"]:
        since = f"after event {held}" if held else "from its start"
        yield f"The log was written anew {since}: it is not what these were made from."
    if by["cut"]:
        last = max(one.paper.moment for one in found.verdicts if one.state == "cut" and one.paper.moment)
        where = f"it ends at event {log.last}, {log.ends}, and had come to {last}."
        if log.copied:
            where = f"behind event {log.copied}, and had come to {last}: on purpose, for it is that of a copy."
        yield f"The log was cut at its tail: {where}"
    if by["altered"]:
        was = "1 of these was altered: the log stands against it."
        yield was if by["altered"] == 1 else f"{by['altered']} of these were altered: the log stands against them."
    if by["either"]:
        yield "Either the log was written anew there, or that paper was altered: one alone cannot tell."
    if found.key == "other" and log.file:
        yield "The file is signed with another key than the briefings print: it is not of that office."
    if found.sound:
        yield "The log has every head in them."
    elif not by.keys() - {"empty", "sealed", "orders"}:
        yield "There is no head in them that the log can be held to."


# ------------------------------------------------------------------------------------ what only the office knows


def _bearing(connection: Connection, papers: Sequence[Paper], *, but: Sequence[str]) -> set[str]:
    """The campaigns of whose events the heads are that papers print which say of another campaign, or of none."""
    heads = sorted({head for one in papers if one.campaign not in but for head in one.heads})[:MOST_HEADS]
    if not heads:
        return set()
    marks = ", ".join("?" * len(heads))
    rows = connection.execute(f"SELECT DISTINCT campaign FROM event WHERE hash IN ({marks})", tuple(heads))
    return {str(campaign) for (campaign,) in rows}


class _Entries:
    """What the letters of an office print of the entries of a log, which only its key can tell."""

    def __init__(self, office: Office, connection: Connection, log: Log) -> None:
        self._office, self._connection, self._log = office, connection, log
        by_seq = {seq: hash for hash, seq in log.hashes.items()}
        try:
            self._printed = {covered(office, by_seq[seq]): by_seq[seq] for seq, _ in log.receipts.values()}
        except Refused:
            self._printed = {}  # no key: the digests of orders must do

    def uncovered(self, paper: Paper) -> Paper:
        """A receipt with the hash of its event in place of what it prints; as it is, if no event of the log fits."""
        if not paper.entered or len(paper.heads) != 1 or paper.heads[0] in self._log.hashes:
            return paper
        if hash := self._printed.get(paper.heads[0]):
            return replace(paper, heads=(hash,))
        return replace(paper, orders="") if self._of_this_key(paper) else replace(paper, sealed=True)

    def _of_this_key(self, paper: Paper) -> bool:
        """Whether a letter was written with the key that the office has now: its id is made with it."""
        mail = outbox.of_message_id(self._connection, f"<{paper.message_id}>") if paper.message_id else None
        cause = mail.cause if mail else f"receipt/{paper.role}/{paper.receipt}"
        try:
            return message_id(self._office, self._log.campaign, cause) == f"<{paper.message_id}>"
        except Refused:
            return False


def _as_sent(connection: Connection, paper: Paper) -> bool | None:
    """Whether the words of a letter are those of the mail that left under its name."""
    mail = outbox.of_message_id(connection, f"<{paper.message_id}>") if paper.message_id else None
    if mail is None:
        return None
    state, raw = bytes_of(connection, mail.digest)
    return words_of(raw) == paper.words if state == "kept" else None
