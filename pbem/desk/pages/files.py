"""Reports as files in the office's folder `reports`: copies, for the office keeps what they are made of."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from pbem.desk.office.inside import inside
from pbem.desk.office.office import Office
from pbem.desk.pages.pages import Report
from pbem.kernel.errors import Refused
from pbem.kernel.names import CampaignId
from pbem.mail.leaving.compose import Picture


def write(office: Office, campaign: CampaignId, reports: Iterable[Report], into: Path | None = None) -> list[Path]:
    """Write *reports* into the folder *into*, else into the office's folder `reports`; gives the pages written.

    A map is written as PNG where it was drawn.

    :raises Refused: if the folder cannot be written; nothing is lost, for the office keeps them all.
    """
    folder = into or _folder(office, campaign)
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for report in reports:
            stem = _short(report.name)
            written.append(inside(folder, f"{stem}.html"))
            inside(folder, f"{stem}.html").write_text(report.html, "utf-8")
            inside(folder, f"{stem}.txt").write_text(report.text, "utf-8")
            inside(folder, f"{stem}.svg").write_text(report.svg, "utf-8")
            if report.png:
                inside(folder, f"{stem}.png").write_bytes(report.png)
    except OSError as error:
        raise Refused(
            f"the reports are kept, but cannot be written to {folder}: {error.strerror}.  "
            f"When that is mended: pbem report export {campaign}"
        ) from None
    return written


def write_maps(office: Office, campaign: CampaignId, pictures: Iterable[Picture]) -> None:
    """Write the map of a report, as its letter shows it, beside its page; where that cannot be, it is left."""
    folder = _folder(office, campaign)
    with suppress(OSError):
        for picture in pictures:
            folder.mkdir(parents=True, exist_ok=True)
            inside(folder, _short(picture.name)).write_bytes(picture.content)


def _folder(office: Office, campaign: CampaignId) -> Path:
    return inside(office.folder, "reports", campaign)


def _short(name: str) -> str:
    return name.removeprefix("report-")
