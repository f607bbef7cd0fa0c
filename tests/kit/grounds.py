"""A campaign played by rules that are not those installed."""

from __future__ import annotations

from dataclasses import replace

from pbem.desk.books.dossiers import Dossier, Ground
from pbem.desk.office.office import Office
from pbem.rules.contract import AnySystem


def ruled_by(office: Office, dossier: Dossier, system: AnySystem) -> Dossier:
    """*dossier* as it is played by *system*."""
    ground = Ground(office, dossier.opened)
    ground.system = system
    return replace(dossier, ground=ground)
