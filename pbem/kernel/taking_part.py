"""Who takes part in a game, and how he is written to: what events on people make of a campaign."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from pbem.kernel import proposal
from pbem.kernel.campaign import Absence, Campaign, Candidate, StandIn
from pbem.kernel.event import Event, Recorded
from pbem.kernel.lot import LOT
from pbem.kernel.names import PlayerId, Role
from pbem.kernel.office import (
    AbsenceBooked,
    AbsenceCancelled,
    CandidateLeft,
    CandidateSigned,
    DigestSet,
    FormChosen,
    InvitationAnswered,
    LanguageChosen,
    LeaveSaid,
    ObserverAdmitted,
    ObserverLeft,
    PlayerEnrolled,
    PlayerReplaced,
    PlayerWithdrew,
    RolesDrawn,
    SignUpOpened,
    StandInAnswered,
    StandInEnded,
    StandInNamed,
    StopSaid,
    TurnShown,
)

Makes = Callable[[Campaign, Recorded, Any], Campaign]
"""What an event of one kind makes of a campaign."""


def _filled(campaign: Campaign, recorded: Recorded, event: PlayerEnrolled | PlayerReplaced) -> Campaign:
    filled = _fill(campaign, event.role, event.player)
    return _lapsed(replace(filled, since={**filled.since, event.role: recorded.seq}), recorded, event)


def _left(campaign: Campaign, recorded: Recorded, event: PlayerWithdrew) -> Campaign:
    return _lapsed(_fill(campaign, event.role, None), recorded, event)


def _sign_up_opened(campaign: Campaign, recorded: Recorded, event: SignUpOpened) -> Campaign:
    return replace(campaign, sign_up=event)


def _candidate_signed(campaign: Campaign, recorded: Recorded, event: CandidateSigned) -> Campaign:
    candidate = Candidate(event.player, event.number, event.wishes)
    number, given = Role(str(event.number)), campaign.given
    if event.word and (LOT, number) not in given:
        given = {**given, (LOT, number): event.word}
    signed = max(campaign.signed, event.number)
    return replace(campaign, candidates={**campaign.candidates, event.player: candidate}, signed=signed, given=given)


def _candidate_left(campaign: Campaign, recorded: Recorded, event: CandidateLeft) -> Campaign:
    return replace(campaign, candidates=_without_candidate(campaign, event.player))


def _roles_drawn(campaign: Campaign, recorded: Recorded, event: RolesDrawn) -> Campaign:
    place = {number: at for at, number in enumerate(event.waiting)}
    ordered = sorted(campaign.candidates.values(), key=lambda one: place.get(one.number, -1))
    return replace(campaign, candidates={one.player: one for one in ordered}, drawn=event)


def _without_candidate(campaign: Campaign, player: PlayerId) -> Mapping[PlayerId, Candidate]:
    return {id: one for id, one in campaign.candidates.items() if id != player}


def _observer_admitted(campaign: Campaign, recorded: Recorded, event: ObserverAdmitted) -> Campaign:
    others = tuple(one for one in campaign.observers if one != event.player)
    return replace(campaign, observers=(*others, event.player))


def _observer_left(campaign: Campaign, recorded: Recorded, event: ObserverLeft) -> Campaign:
    return replace(campaign, observers=tuple(one for one in campaign.observers if one != event.player))


def _turn_shown(campaign: Campaign, recorded: Recorded, event: TurnShown) -> Campaign:
    return replace(campaign, shown={**campaign.shown, event.moment: event})


def _invitation_answered(campaign: Campaign, recorded: Recorded, event: InvitationAnswered) -> Campaign:
    return replace(campaign, given={**campaign.given, (recorded.moment, event.role): event.word})


def _stand_in_named(campaign: Campaign, recorded: Recorded, event: StandInNamed) -> Campaign:
    return replace(campaign, stand_ins={**campaign.stand_ins, event.role: StandIn(event.stand_in, event.turns)})


def _stand_in_answered(campaign: Campaign, recorded: Recorded, event: StandInAnswered) -> Campaign:
    asked = campaign.stand_ins.get(event.role)
    if asked is None or not event.accepts or campaign.now is None:
        return replace(campaign, stand_ins=_without_stand_in(campaign, event.role))
    return replace(campaign, stand_ins={**campaign.stand_ins, event.role: replace(asked, since=campaign.now)})


def _stand_in_ended(campaign: Campaign, recorded: Recorded, event: StandInEnded) -> Campaign:
    return replace(campaign, stand_ins=_without_stand_in(campaign, event.role))


def _without_stand_in(campaign: Campaign, role: Role) -> Mapping[Role, StandIn]:
    return {one: who for one, who in campaign.stand_ins.items() if one != role}


def _absence_booked(campaign: Campaign, recorded: Recorded, event: AbsenceBooked) -> Campaign:
    booked = Absence(event.player, event.since, event.until, event.days, recorded.seq)
    return replace(campaign, absences=(*campaign.absences, booked))


def _absence_cancelled(campaign: Campaign, recorded: Recorded, event: AbsenceCancelled) -> Campaign:
    return replace(campaign, absences=_cut(campaign.absences, event.player, recorded.at))


def _form_chosen(campaign: Campaign, recorded: Recorded, event: FormChosen) -> Campaign:
    others = {role: form for role, form in campaign.forms.items() if role != event.role}
    return replace(campaign, forms=others if event.form == "page" else {**others, event.role: event.form})


def _language_chosen(campaign: Campaign, recorded: Recorded, event: LanguageChosen) -> Campaign:
    return replace(campaign, languages={**campaign.languages, event.role: event.language})


def _stop_said(campaign: Campaign, recorded: Recorded, event: StopSaid) -> Campaign:
    left = tuple(one for one in campaign.stopped.get(event.role, ()) if one != event.what)
    stopped = (*left, event.what) if event.on else left
    return replace(campaign, stopped={**campaign.stopped, event.role: stopped})


def _digest_set(campaign: Campaign, recorded: Recorded, event: DigestSet) -> Campaign:
    others = {role: at for role, at in campaign.digests.items() if role != event.role}
    return replace(campaign, digests={**others, event.role: event.at} if event.at else others)


def _leave_said(campaign: Campaign, recorded: Recorded, event: LeaveSaid) -> Campaign:
    return replace(campaign, leave={**campaign.leave, (event.player, event.what): event.on})


def _cut(absences: tuple[Absence, ...], player: PlayerId, at: int) -> tuple[Absence, ...]:
    """The absences without what *player* has of them after *at*."""
    standing = [one for one in absences if one.player != player or one.since < at]
    return tuple(replace(one, until=min(one.until, at)) if one.player == player else one for one in standing)


def _lapsed(
    campaign: Campaign, recorded: Recorded, event: PlayerEnrolled | PlayerReplaced | PlayerWithdrew
) -> Campaign:
    """*campaign* in which a role begins afresh, if the event says so."""
    if event.lapses is None:
        return campaign
    gone = {(moment, event.role) for moment in event.lapses}
    return replace(
        campaign,
        sheets={key: sheet for key, sheet in campaign.sheets.items() if key not in gone},
        waits={key: on for key, on in campaign.waits.items() if key[1] != event.role},
        afresh={**campaign.afresh, event.role: recorded.seq},
    )


def _fill(campaign: Campaign, role: Role, player: PlayerId | None) -> Campaign:
    """*campaign* with another player of *role*, or none; before its start no answer of his to an invitation came."""
    players = {one: who for one, who in campaign.players.items() if one != role}
    if player is not None:
        players[role] = player
        campaign = replace(campaign, candidates=_without_candidate(campaign, player))
    forms = {one: form for one, form in campaign.forms.items() if one != role}
    languages = {one: language for one, language in campaign.languages.items() if one != role}
    stopped = {one: sorts for one, sorts in campaign.stopped.items() if one != role}
    digests = {one: at for one, at in campaign.digests.items() if one != role}
    proposals = proposal.changed_hands(campaign.proposals, role)
    campaign = replace(campaign, players=players, forms=forms, languages=languages, stopped=stopped, digests=digests)
    campaign = replace(campaign, stand_ins=_without_stand_in(campaign, role))
    campaign = replace(campaign, proposals=proposals, cut_short=campaign.cut_short - {role})
    if campaign.started:
        return campaign
    given = {key: gave for key, gave in campaign.given.items() if key[1] != role}
    return replace(campaign, given=given)


OF_PEOPLE: Mapping[type[Event], Makes] = {
    PlayerEnrolled: _filled,
    PlayerReplaced: _filled,
    PlayerWithdrew: _left,
    ObserverAdmitted: _observer_admitted,
    ObserverLeft: _observer_left,
    TurnShown: _turn_shown,
    SignUpOpened: _sign_up_opened,
    CandidateSigned: _candidate_signed,
    CandidateLeft: _candidate_left,
    RolesDrawn: _roles_drawn,
    InvitationAnswered: _invitation_answered,
    StandInNamed: _stand_in_named,
    StandInAnswered: _stand_in_answered,
    StandInEnded: _stand_in_ended,
    AbsenceBooked: _absence_booked,
    AbsenceCancelled: _absence_cancelled,
    FormChosen: _form_chosen,
    LanguageChosen: _language_chosen,
    StopSaid: _stop_said,
    DigestSet: _digest_set,
    LeaveSaid: _leave_said,
}
"""By the kind of the event."""
