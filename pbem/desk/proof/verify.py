"""An office is verified: that it holds what it wrote; a campaign: that the rules come to what its log says.

Of a campaign:

    hash chain      nothing was changed without writing all that follows anew
    heads           the log has all that the file of the heads says of it (`pbem.storage.heads`)
    rows            what was kept for it beside the log is as the office wrote it (`pbem.storage.seals`)
    letters         every letter that became an event is kept, byte for byte
    mails           every mail is kept, and for every receipt one was owed
    orders          the sheets fit their digests and receipts, and read as they were read
    dice            every throw falls so from its seed, every seed fits its promise and is there
    replay          the facts fold to the states whose digests were taken
    resolve again   the rules, given the same sheets, rulings and seeds, decide the same facts
    reports         views and pages are those that were made, and print the head of this log

Of the whole office: `proof_of_tables`.  Whoever writes all hashes anew is found by what the rules decide,
or by a head printed in a letter (`head`).  Nothing is changed, and no cache is believed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial

from pbem.desk.books import dossiers
from pbem.desk.office.office import Office
from pbem.desk.post.printed import uncovered
from pbem.desk.proof import proof_of_play, proof_of_post, proof_of_tables
from pbem.desk.proof.audit import kept_seeds
from pbem.desk.proof.proof import Case, Check, Row, Verified, carefully, plural
from pbem.desk.proof.resolving import Difference
from pbem.desk.worlds.revealed import revealed
from pbem.kernel.errors import BrokenLog, Refused, UnknownCampaign
from pbem.kernel.names import CampaignId
from pbem.storage import heads
from pbem.storage.codec import Codec
from pbem.storage.database import Connection
from pbem.storage.log import SqlLog

OFFICE = CampaignId("")
"""What stands for the campaign where the whole office was verified."""

FOLD: dict[str, Check] = {"replay": proof_of_play.replay}
CHECKS: dict[str, Check] = {
    "rows": proof_of_post.rows,
    "letters": proof_of_post.letters_kept,
    "mails": proof_of_post.mails,
    "orders": proof_of_play.orders,
    "dice": proof_of_play.dice,
    "replay": proof_of_play.replay,
    "resolve again": proof_of_play.again,
    "reports": proof_of_play.reports,
}
"""What is checked after the hash chain and the heads, in this order."""

_BROKEN, _UNREAD = "the log is broken", "the log cannot be read"
_HASH = re.compile(r"[0-9a-f]{64}")


def verify(
    office: Office,
    campaign: str,
    *,
    head: str = "",
    fold: bool = False,
    progress: Callable[[int], None] = lambda done: None,
) -> Verified:
    """Check *campaign*; *head* is a hash printed in a report or at the foot of a receipt, which its log must hold.

    With *fold* only the hash chain and the replay are checked.  *progress* is told how many checks are done.

    :raises UnknownCampaign: if there is none of that name, and there never was.
    :raises Refused: if *head* is no hash.
    """
    id = CampaignId(campaign)
    todo = FOLD if fold else CHECKS
    wanted = _wanted(head)
    with office.read() as connection:
        known = _known(office)
        rows = [chain := carefully("hash chain", partial(_chain, connection, id))]
        if not chain.found and not _events(connection, id) and id not in known:
            raise UnknownCampaign(id, tuple(names(office)))
        progress(1)
        rows.append(carefully("heads", partial(_heads, connection, id, known)))
        if wanted:
            rows.append(_head(office, connection, id, wanted))
        if chain.found or not _events(connection, id):
            return Verified(campaign=id, rows=(*rows, *(Row(name=name, skipped=_BROKEN) for name in todo)))
        try:
            case = _case(office, connection, id)
        except Exception as error:
            found = (Difference(why=f"{_UNREAD}: {error}"),)
            rest = (Row(name=name, skipped=_UNREAD) for name in todo)
            return Verified(campaign=id, rows=(*rows, Row(name="rules", found=found), *rest))
        for done, (name, check) in enumerate(todo.items(), start=2):
            rows.append(carefully(name, partial(check, case)))
            progress(done)
        return Verified(campaign=id, rows=tuple(rows), pinned=_pinned(case))


def verify_office(office: Office, *, progress: Callable[[int], None] = lambda done: None) -> Verified:
    """Check all that the office keeps beside its logs; *progress* is told how many checks are done."""
    rows = []
    with office.read() as connection:
        for done, (name, check) in enumerate(proof_of_tables.CHECKS.items(), start=1):
            rows.append(carefully(name, partial(check, office, connection)))
            progress(done)
    return Verified(campaign=OFFICE, rows=tuple(rows))


def names(office: Office) -> list[CampaignId]:
    """All campaigns that have a log, however broken, or that the file of the heads knows.

    Of a name that is no text the check of the types tells.
    """
    with office.read() as connection:
        text = "SELECT DISTINCT CAST(campaign AS BLOB) FROM event WHERE typeof(campaign) = 'text'"
        found = connection.execute(text).scalars()
    there = {name.decode("utf-8", "replace") for name in found}
    return sorted(CampaignId(name) for name in there | _known(office).keys())


def _known(office: Office) -> Mapping[str, tuple[heads.Head, ...]]:
    told = heads.read(heads.path_of(office.engine.path))
    return told.heads if told else {}


def _wanted(head: str) -> str:
    wanted = "".join(head.split()).lower()
    if wanted and not _HASH.fullmatch(wanted):
        raise Refused(
            "a head is 64 hexadecimal digits, as a report prints them under: log as known to you, "
            "and a receipt at its foot."
        )
    return wanted


def _case(office: Office, connection: Connection, id: CampaignId) -> Case:
    fresh = Office(office.folder, office.settings, office.engine, office.now, office.chance, office.mails)
    dossier = dossiers.load(fresh, connection, id)
    return Case(fresh, connection, dossier, kept_seeds(connection, dossier), revealed(dossier))


def _events(connection: Connection, id: CampaignId) -> int:
    found = connection.execute("SELECT count(*) FROM event WHERE campaign = ?", (id,)).scalar()
    return int(found)


def _chain(connection: Connection, id: CampaignId) -> Row:
    what = plural(_events(connection, id), "event")
    try:
        SqlLog(connection, Codec()).check_chain(id)
    except BrokenLog as broken:
        return Row(name="hash chain", what=what, found=(Difference(why=str(broken)),))
    return Row(name="hash chain", what=what)


def _heads(connection: Connection, id: CampaignId, known: Mapping[str, tuple[heads.Head, ...]]) -> Row:
    """Whether the log has every event that the file of the heads names."""
    wanted = known.get(id, ())
    rows = connection.execute("SELECT seq, hash FROM event WHERE campaign = ?", (id,))
    there: dict[int, str] = {row[0]: row[1] for row in rows}
    lost = sorted(seq for seq, hash in wanted if there.get(seq) != hash)
    found = []
    if lost and not there:
        found.append(Difference(why=f"all its {max(lost):,} events are gone"))
    elif lost and (gone := [seq for seq in lost if seq not in there]):
        last = max(there)
        why = f"the log ends at event {last:,}, and had come to event {max(gone):,}: what came after is gone"
        found.append(Difference(why=why))
    elif lost:
        why = "it is not the event that was written then: it and all after it were written anew"
        found.append(Difference(seq=lost[0], why=why))
    return Row(name="heads", what=plural(len(wanted), "head"), found=tuple(found))


def _head(office: Office, connection: Connection, id: CampaignId, wanted: str) -> Row:
    found = SqlLog(connection, Codec()).seq_of(id, wanted)
    if found is None:
        # A receipt prints it under the key of the office.
        every = connection.execute("SELECT seq, hash FROM event WHERE campaign = ?", (id,))
        with suppress(Refused):
            found = uncovered(office, ((row[0], row[1]) for row in every), wanted)
    if found is None:
        why = f"no event of {id} bears the hash {wanted[:16]}…: what the letter was made from is not this log"
        return Row(name="head", what=f"{wanted[:8]}…", found=(Difference(why=why),))
    return Row(name="head", what=f"{wanted[:8]}…, event {found}")


def _pinned(case: Case) -> str:
    rules = case.dossier.campaign.rules
    if rules is None or rules.content in case.alike:
        return ""
    return (
        f"The campaign is pinned to rules {rules.version}, content {rules.content[:4]}…; "
        f"the installed {case.dossier.system.version} is {case.content[:4]}…."
    )
