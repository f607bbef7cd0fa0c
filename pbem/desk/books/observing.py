"""Who looks on without a side, and what he is shown: by the terms of his game, and never before their hour.

What is shown once stands in the log (`turn_shown`), and nothing else is ever shown: whoever reads later is given that.

A turn is shown by the terms under which it began and by those that hold when it is shown, whichever shows less: what
its players were told when they played it is kept, and what is closed later is closed at once.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pbem.desk.books.dossiers import Dossier, load, opened
from pbem.desk.office.office import Office
from pbem.kernel.campaign import Campaign
from pbem.kernel.errors import Refused
from pbem.kernel.exchange import Exchange
from pbem.kernel.names import CampaignId, Moment, PlayerId, Role
from pbem.kernel.office import CampaignEnded, ObserverAdmitted, TermsSet, TurnShown
from pbem.kernel.terms import Terms
from pbem.orders.prose import listed
from pbem.rules.reel import TRUTH
from pbem.storage.codec import Codec
from pbem.storage.database import Connection
from pbem.storage.log import SqlLog

SET_UP = Moment(0, 0)
_REGISTER = "observers"


def see_terms(terms: Terms, roles: Collection[Role]) -> None:
    """See that *terms* let observers see only what there is in a game of *roles*.

    :raises Refused: if they do not.
    """
    if strange := [one for one in terms.observers if one != TRUTH and one not in roles]:
        raise Refused(f"observers: there is no role {listed(strange)}.  Write truth, none, or: {', '.join(roles)}.")
    if TRUTH in terms.observers and not terms.observers_delay:
        raise Refused("observers_delay: the truth is shown one turn later at least.")


def due(dossier: Dossier) -> list[TurnShown]:
    """What is to be shown by now and is not yet, in the order of play.  When the game is over nothing is waited for."""
    campaign = dossier.campaign
    told = sorted(_told(campaign))
    found = []
    for moment in told:
        terms = (campaign.terms, *_of_turn(dossier, moment))
        eyes, late = both(*(one.observers for one in terms)), max(one.observers_delay for one in terms)
        upto, before = _ends(campaign, moment), campaign.shown.get(moment)
        if not eyes or (before and before.upto == upto):
            continue
        if not (campaign.ended or Moment(moment.turn + late, moment.exchange) <= told[-1]):
            break  # a later one shows what this came to
        found.append(TurnShown(moment=moment, eyes=eyes, upto=upto))
    return found


def both(*many: Sequence[str]) -> tuple[str, ...]:
    """The eyes through which no more is seen than through any of *many*: who sees the truth sees what all know.

    >>> both(("truth",), ("french", "prussian"), ("french",)), both(("french",), ())
    (('french',), ())
    """
    named = dict.fromkeys(one for eyes in many for one in eyes)
    return tuple(one for one in named if all(one in eyes or TRUTH in eyes for eyes in many))


def shown_through(dossier: Dossier) -> set[str]:
    """All eyes through which anything was ever shown; with the end of a game, one that was annulled too, all was."""
    whole = {TRUTH} if any(isinstance(one.event, CampaignEnded) for one in dossier.log.own) else set()
    return whole | {eyes for one in dossier.log.own if isinstance(one.event, TurnShown) for eyes in one.event.eyes}


def has_observed(dossier: Dossier, player: PlayerId) -> bool:
    """Whether *player* looks on, or ever did."""
    return any(isinstance(one.event, ObserverAdmitted) and one.event.player == player for one in dossier.log.own)


def see_may_play(dossier: Dossier, player: PlayerId, role: Role) -> None:
    """See that *player* has seen nothing, looking on, that *role* may not know.

    :raises Refused: if he looks on still, or has seen more.
    """
    if player in dossier.campaign.observers:
        raise Refused(f"he looks on in {dossier.id}.  First: pbem observer remove {dossier.id} {player}")
    stands_in = [one for one in dossier.campaign.roles_of(player) if dossier.campaign.players.get(one) != player]
    if others := [one for one in stands_in if one != role]:
        raise Refused(
            f"he stands in for {listed(others)} in {dossier.id}: he cannot play {role} before that is over.  "
            "Its player ends it by `substitute off`."
        )
    if has_observed(dossier, player) and (seen := shown_through(dossier) - {role}):
        what = "the truth" if TRUTH in seen else f"what {listed(sorted(seen))} knew"
        raise Refused(f"he has looked on in {dossier.id} and seen {what}: he cannot play {role} there.")


def observed_by(office: Office, connection: Connection, player: PlayerId, *, every: bool = False) -> list[Dossier]:
    """The campaigns in which *player* looks on, by name; copies, which show nothing to anybody, left out.

    Those that cannot be opened too, unless *every* one matters, as of `dossiers.played_by`.
    Who was ever admitted is read of the logs once, and then of what they have grown by.
    """
    log = SqlLog(connection, Codec())
    read, admitted = office.kept.get(_REGISTER, ({}, {}))
    ends = log.ends()
    new = [] if read else log.admitted()
    for one, end in ends.items() if read else ():
        if (after := read.get(one, 0)) != end:
            new += log.admitted(one, after if after < end else 0)
    for campaign, id in new:
        admitted.setdefault(id, set()).add(campaign)
    office.kept[_REGISTER] = (ends, admitted)
    his: set[CampaignId] = admitted.get(player, set())
    names = [one for one in sorted(his) if one in ends]
    found = [load(office, connection, one) for one in names] if every else opened(office, connection, names)
    return [one for one in found if player in one.campaign.observers and not one.campaign.copied]


def _told(campaign: Campaign) -> list[Moment]:
    """Of what play came to, what has been made known."""
    set_up = [SET_UP] if campaign.started else []
    return [*set_up, *(moment for moment, one in campaign.exchanges.items() if one.released)]


def _of_turn(dossier: Dossier, moment: Moment) -> list[Terms | Exchange]:
    """What held of observers when each began that a page of *moment* tells of: its turn's exchanges, or the set-up."""
    if moment != SET_UP:
        return [one for at, one in dossier.campaign.exchanges.items() if at.turn == moment.turn and at <= moment]
    before = [one.event for one in dossier.own if one.seq < dossier.campaign.started]
    return [next((one.terms for one in reversed(before) if isinstance(one, TermsSet)), Terms())]


def _ends(campaign: Campaign, moment: Moment) -> int:
    """The last event that counts for what *moment* came to: that up to which its reports tell."""
    if moment != SET_UP:
        return campaign.exchanges[moment].resolved_seq
    return next(one.upto for issued in campaign.reports.values() for one in issued if one.moment == SET_UP)
