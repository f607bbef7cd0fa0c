"""Who knew what when: what a role had of a unit or a place, in a campaign."""

from __future__ import annotations

from msgspec import Struct

from pbem.desk.books import dossiers
from pbem.desk.office.office import Office
from pbem.desk.reels.evidence import evidence
from pbem.kernel.errors import Refused
from pbem.rules.knew import Knew, Knowledge, Learnt
from pbem.rules.reel import TRUTH

__all__ = ["Answer", "Knew", "Learnt", "knew_of"]


class Answer(Struct, frozen=True):
    """What a role knew, and of what campaign."""

    campaign: str
    title: str
    knew: Knew


def knew_of(office: Office, campaign: str, name: str, subject: str, eyes: str | None = None) -> Answer:
    """What a role knew of a unit or a place of *campaign*: beside the truth, or as that role itself may read it.

    :raises UnknownCampaign: if there is none of that name.
    :raises UnknownRole: if there is no such role.
    :raises Refused: if these eyes know of no such unit or place, or if the *eyes* are another role's.
    """
    with office.read() as connection:
        dossier = dossiers.load(office, connection, campaign)
        role = dossier.role(name)
        if eyes is not None and dossier.role(eyes) != role:
            raise Refused(f"{dossier.role(eyes)} may not read what {role} knew.")
        of = evidence(dossier, *(() if eyes else (TRUTH,)), role)
        found = Knowledge(of.past, of.scene, of.eyes, of.chapters, role).of(subject)
        return Answer(dossier.id, dossier.opened.title, found)
