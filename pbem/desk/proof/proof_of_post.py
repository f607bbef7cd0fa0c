"""What came for a campaign and what left is held to its log: letters, mails, receipts, and the rows about them."""

from __future__ import annotations

from pbem.desk.books.accounts import astray
from pbem.desk.books.dossiers import log_of
from pbem.desk.post import printed
from pbem.desk.proof import kept_papers
from pbem.desk.proof.proof import Case, Row, plural
from pbem.desk.proof.resolving import Difference
from pbem.kernel.event import kind_of
from pbem.kernel.office import MessageReceived, OrdersAccepted, OrdersKept, OrdersRefused
from pbem.storage import letters, outbox, seals
from pbem.storage.outbox import Mail
from pbem.storage.seals import Broken

_SAID = {
    seals.CHANGED: "was changed behind the office's back",
    seals.GONE: "is gone",
    seals.STRANGE: "was not written by the office",
}


def told(broken: Broken) -> Difference:
    """A row that is not what the office wrote, in a sentence."""
    return Difference(why=f"{broken.table} {broken.key} {_SAID[broken.why]}")


def rows(case: Case) -> Row:
    """The rows of the campaign that are not what the office wrote."""
    found = tuple(map(told, seals.broken(case.connection, case.dossier.id)))
    return Row(name="rows", what="letters, mails, seeds", found=found)


def letters_kept(case: Case) -> Row:
    """The letters that the log names."""
    found, erased, count = [], 0, 0
    for recorded in case.dossier.log.own:
        event = recorded.event
        if not isinstance(event, MessageReceived):
            continue
        count += 1
        state, _ = kept_papers.bytes_of(case.connection, event.digest)
        erased += state == "erased"
        # A campaign that was carried here has no letters of what came before.
        gone = state == "missing" and seals.knows(case.connection, "blob", event.digest)
        if gone or state == "changed":
            why = "the letter's bytes are gone" if gone else "the letter's bytes are changed"
            found.append(Difference(seq=recorded.seq, kind=kind_of(event), why=why))
    came = [one for one in letters.listing(case.connection) if one.campaign == case.dossier.id]
    itself = f": pbem verify {case.dossier.id}"
    found += [Difference(why=fault.removesuffix(itself)) for fault in astray(case.dossier, came)]
    what = plural(count, "letter") + (f"; {erased:,} erased" if erased else "")
    return Row(name="letters", what=what, found=tuple(found))


def mails(case: Case) -> Row:
    """The mails that left, and the receipts for which none was ever owed."""
    found, erased = [], 0
    every = _mails(case)
    log = log_of(case.office, case.connection, case.dossier.system)
    for mail in every:
        state, _ = kept_papers.bytes_of(case.connection, mail.digest)
        erased += state == "erased"
        if state in ("missing", "changed"):
            gone = "gone" if state == "missing" else "changed"
            found.append(Difference(why=f"the bytes of mail {mail.id} ({mail.cause}) are {gone}"))
        if mail.player is None and state == "kept":
            head = printed.printed(kept_papers.text_of(case.connection, mail))
            if head and log.seq_of(case.dossier.id, head) is None:
                found.append(Difference(why=f"mail {mail.id} to the GM prints the head of another log"))
    for recorded, role in kept_papers.never_owed(
        case.connection, case.dossier, OrdersAccepted, OrdersKept, OrdersRefused
    ):
        number = getattr(recorded.event, "receipt", 0)
        why = f"receipt {number} of {role} was never owed: a mail is missing"
        found.append(Difference(seq=recorded.seq, kind=kind_of(recorded.event), why=why))
    what = plural(len(every), "mail") + (f"; {erased:,} erased" if erased else "")
    return Row(name="mails", what=what, found=tuple(found))


def _mails(case: Case) -> list[Mail]:
    return [mail for mail in outbox.listing(case.connection) if mail.campaign == case.dossier.id]
