"""What the desk shows of letters and mails, so that no GM reads there how somebody voted in secret, or that he did.

While a secret vote runs in a game, what its players write and what they are answered is not shown on the desk: not
then, and not later.  Which letter held a vote nobody can tell who sees none of them.  The log, and the shell of whoever
owns the machine, have it all.
"""

from __future__ import annotations

from msgspec import Struct

from pbem.desk.books import dossiers
from pbem.desk.books.dossiers import Dossier
from pbem.desk.office.office import Office
from pbem.kernel.names import CampaignId
from pbem.kernel.office import MessageReceived, ProposalMade, VoteCast
from pbem.storage.letters import Letter
from pbem.storage.outbox import Mail

SEALED = (
    "while it came, or left, a secret vote ran in its game: on the desk it is not shown.  In a shell: pbem mail "
    "quarantine show, pbem mail outbox show."
)


class Sealed(Struct, frozen=True):
    """The times in which secret votes ran, by campaign, and the letters in which somebody voted."""

    times: tuple[tuple[CampaignId, int, int], ...]
    letters: frozenset[str]

    def letter(self, one: Letter) -> bool:
        """Whether a letter is not shown."""
        return one.digest in self.letters or self._ran(one.campaign, one.received_at)

    def mail(self, one: Mail) -> bool:
        """Whether a mail is not shown: an answer to a player.  What all are sent alike tells nothing."""
        return one.player is not None and one.kind == "receipt" and self._ran(one.campaign, one.created_at)

    def _ran(self, campaign: CampaignId | None, at: int) -> bool:
        return any(since <= at <= until for name, since, until in self.times if name == campaign)


def sealed(office: Office) -> Sealed:
    """What is not shown, in all games; of one that cannot be opened nothing is, for who knows what is secret there."""
    with office.read() as connection:
        every, closed = dossiers.sorted_out(office, connection, dossiers.campaigns(connection))
    times = [(name, 0, office.now()) for name in closed]
    times += [
        (dossier.id, one.at, one.closed_at or office.now())
        for dossier in every
        for one in dossier.campaign.proposals.values()
        if one.secret
    ]
    letters = frozenset(
        one.event.message
        for dossier in every
        if any(proposal.secret for proposal in dossier.campaign.proposals.values())
        for one in dossier.log.own
        if isinstance(one.event, ProposalMade | VoteCast) and one.event.message
    )
    return Sealed(tuple(times), letters)


def counted(dossier: Dossier) -> int:
    """How many events the log has without the votes that nobody is told of, and without the letters that held only one.

    By this number the desk sees whether something has come in.
    """
    own, hidden = dossier.log.own, 0
    for place, one in enumerate(own):
        if isinstance(one.event, VoteCast) and one.event.secret:
            beside = [other for other in own[place - 1 : place + 2] if other is not one and other.at == one.at]
            hidden += 1 + all(isinstance(other.event, MessageReceived) for other in beside)
    return dossier.seq - hidden
