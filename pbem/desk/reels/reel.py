"""The reel of a campaign: its history as one reader may see it, cut into beats."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.ended import ending
from pbem.desk.reels.seeing import chapters
from pbem.kernel.errors import Refused
from pbem.kernel.names import Role
from pbem.rules.past import AnyPast
from pbem.rules.reel import TRUTH, Beat, Reel
from pbem.rules.reeling import Making


def eyes_of(dossier: Dossier, names: Sequence[str]) -> tuple[str, ...]:
    """The eyes that *names* say: `truth`, or roles of the game; none: the truth.

    :raises UnknownRole: if there is no such role.
    """
    return tuple(dict.fromkeys(TRUTH if one == TRUTH else dossier.role(one) for one in names)) or (TRUTH,)


def reel(dossier: Dossier, names: Sequence[str] = ()) -> Reel:
    """The game as *names* see it, `truth` or roles: up to its end, of a role up to the newest report that it had.

    :raises Refused: if the rules have no past to show.
    :raises UnknownRole: if there is no such role.
    """
    eyes = eyes_of(dossier, names)
    making = Making(past_of(dossier), dossier.scene, eyes)
    return headed(dossier, eyes, [beat for chapter in chapters(dossier, eyes) for beat in making.beats(chapter.seen)])


def headed(dossier: Dossier, eyes: tuple[str, ...], beats: Sequence[Beat]) -> Reel:
    """Those *beats*, and what game they are of."""
    past = past_of(dossier)
    return Reel(
        campaign=dossier.id,
        title=dossier.opened.title,
        system=dossier.system.name,
        game=dossier.system.title,
        rules=dossier.campaign.rules.version if dossier.campaign.rules else dossier.system.version,
        sides=tuple(past.sides(dossier.scene)),
        eyes=eyes,
        called={one: "the umpire" if one == TRUTH else past.called(dossier.scene, Role(one)) for one in eyes},
        over=ending(dossier.campaign.ended) if dossier.campaign.ended else "",
        beats=tuple(beats),
    )


def past_of(dossier: Dossier) -> AnyPast:
    """How its system is looked back on.

    :raises Refused: if it is not.
    """
    past: AnyPast | None = dossier.system.past
    if past is None:
        raise Refused(f"the rules {dossier.system.name} do not say how a game is looked back on.")
    return past
