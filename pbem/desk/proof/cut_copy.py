"""From a backup, a copy of the office as it stood at an earlier hour: to look at, to try what else could have come.

The copy is an office of its own, in a new folder, with a key of its own.  It says everywhere that it is a copy: its
database is marked, and every log in it ends with the event that says where it was cut.  It never mails, opens no door,
and nobody keeps its clock.  Whatever is thrown in it falls by new seeds, for with the old ones play has gone on.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from secrets import token_bytes
from tempfile import TemporaryDirectory

from msgspec import Struct

from pbem.desk.office.office import (
    Chance,
    Clock,
    Office,
    clock,
    database_url,
    heads_of,
    key_of,
    make_office,
    take_key,
)
from pbem.desk.office.settings import FILE, Settings, read_settings
from pbem.desk.players.renewal import Campaigns, renew_all
from pbem.kernel.errors import Refused
from pbem.kernel.names import CampaignId
from pbem.kernel.office import CampaignCut
from pbem.reports.text.times import in_zone
from pbem.resources import resources
from pbem.storage import backup, cutting, database, heads, marks
from pbem.storage.codec import Codec
from pbem.storage.cutting import End
from pbem.storage.log import SqlLog

_SETTINGS = """\
# A copy of an office, cut at an earlier hour: it never mails, and no letter reaches it, whatever is written here.
address = "nobody@copy.invalid"
name = "{name}"
zone = "{zone}"
database = "sqlite:///office.sqlite"
"""

_DROPPED = "this is a copy, and never mails"


class CutCopy(Struct, frozen=True, kw_only=True):
    """A copy that was made."""

    folder: Path
    upto: int
    ends: Mapping[CampaignId, End]
    """Where the log of each campaign of the backup was cut."""
    dice: Campaigns
    """Whose dice are new."""


def cut_copy(
    source: Path,
    folder: Path,
    upto: int,
    *,
    at_hand: Settings | None = None,
    now: Clock = clock,
    chance: Chance = token_bytes,
) -> CutCopy:
    """Make in the new *folder* a copy of the office in the backup *source*, as it stood at *upto* (microseconds UTC).

    Name and zone are those of the settings in the backup, or of those *at_hand*.

    :raises Refused: if there is something in the folder, or nothing had come to pass by then.
    :raises StorageError: if *source* is no whole backup.
    """
    _see_new(folder)
    folder.absolute().parent.mkdir(parents=True, exist_ok=True)
    with (
        backup.opened(source) as (copy, files),
        TemporaryDirectory(prefix=".pbem-", dir=folder.absolute().parent) as place,
    ):
        anew = Path(place) / backup.DATABASE
        backup.restore(copy, f"sqlite:///{anew}", folder, resources("migrations"))
        settings = _settings(Path(place), files, at_hand)
        engine = database.open_office(f"sqlite:///{anew}", create=True)
        try:
            office = Office(folder, settings, engine, now, chance, mails=False)
            ends, dice = _cut(office, upto)
        finally:
            engine.dispose()
        name = f"{settings.name} (copy)".replace("\\", "").replace('"', "'")[:100]
        make_office(folder, _SETTINGS.format(name=name, zone=settings.zone), chance=chance, apart=True)
        made = read_settings(folder)
        backup.restore(anew, database_url(folder, made), folder, resources("migrations"))
    _begin(folder, made, f"a copy of {source.name}, cut at {in_zone(upto, 'UTC')}")
    return CutCopy(folder=folder, upto=upto, ends=ends, dice=dice)


def _see_new(folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Refused(f"there is something in {folder} already: a copy is made in a new folder.")


def _settings(place: Path, files: dict[str, bytes], at_hand: Settings | None) -> Settings:
    """The settings of the office of which it is a copy, as far as they are known."""
    if FILE in files:
        (place / FILE).write_bytes(files[FILE])
        return read_settings(place)
    return at_hand or Settings(address="nobody@copy.invalid")


def _cut(office: Office, upto: int) -> tuple[Mapping[CampaignId, End], Campaigns]:
    """Cut the database of a copy, say so in every log, and draw new seeds for all that is open."""
    # Loaded here, for Alembic takes longer to load than all else that most commands need.
    from pbem.storage import migrate

    migrate.upgrade(office.engine, resources("migrations"))
    with database.transaction(office.engine) as connection:
        ends = cutting.cut(connection, upto, _DROPPED)
        if not any(end.seq for end in ends.values()):
            raise Refused(f"no campaign of the backup was there yet at {in_zone(upto, 'UTC')}.")
        log = SqlLog(connection, Codec())
        for campaign, end in ends.items():
            if end.seq:
                said = CampaignCut(upto=end.seq, until=upto)
                log.append(campaign, [(end.moment, said)], expecting=end.seq, at=office.now(), actor=office.by)
        marks.put(connection, marks.CUT, str(upto))
    return ends, renew_all(office, "restored")


def _begin(folder: Path, settings: Settings, why: str) -> None:
    """Give the copy the key that was made for it, and begin its file of the heads."""
    engine = database.open_office(database_url(folder, settings), folder)
    try:
        with database.transaction(engine) as connection:
            take_key(connection, key_of(folder / settings.key))
        heads.begin(heads.path_of(engine.path), heads_of(engine), why)
    finally:
        engine.dispose()
