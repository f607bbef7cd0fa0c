"""What comes to pass in the office: the events that every campaign has, whatever its game.

No event says who a player is: names and addresses live in tables of their own and can be destroyed.
No event holds a letter: it says the SHA-256 of the bytes that were kept.  Seeds stand here only when revealed.
Digests are SHA-256 in hexadecimal; times are microseconds UTC.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Raw, Struct

from pbem.kernel.ballot import Ballot, Kind
from pbem.kernel.deadlines import StepHours
from pbem.kernel.event import Event, Throw
from pbem.kernel.names import Aspect, CampaignId, Moment, PlayerId, Role, ThrowName
from pbem.kernel.terms import Nmr, Release, Terms, Trust, Wall

Option = str | int | bool
"""The value of an option of a game."""

Source = Literal["letter", "upload", "gm"]
"""How a sheet came: by mail, as a file of the player's, or entered by the GM for him."""


Renewed = Literal["forked", "restored", "imported"]
"""Why an open exchange has new seeds: it is a copy, or was brought back from a backup, or from a file."""


class Told(Struct, frozen=True, omit_defaults=True):
    """What a receipt said of one line of a sheet."""

    line: int
    judgement: str
    why: str = ""
    rule: str = ""


class Promises(Struct, frozen=True):
    """What is published of two seeds before anything is thrown with them."""

    open: str
    closed: str


class Forked(Struct, frozen=True):
    """Of what campaign another is a copy, and up to which event."""

    campaign: CampaignId
    upto: int


class CampaignOpened(Event, frozen=True, kw_only=True, tag="campaign_opened"):
    """A campaign was opened from a scenario; *scene* is the digest of the scenario as it then stood."""

    campaign: CampaignId
    system: str
    scenario: str
    title: str
    roles: tuple[Role, ...]
    scene: str
    options: dict[str, Option] = {}
    release: Release = "gm"
    trust: Trust = "table"
    hours: int = 72
    """From the opening of an exchange to its deadline."""
    zone: str = "UTC"
    """These four are terms; all others are as `terms_set` says, these too after it."""
    forked: Forked | None = None
    """It is a copy: it never mails, and no letter reaches it."""
    words: bool = False
    """The dice of its exchanges are made of the players' words too (`kernel.dice`)."""
    muster: Promises | None = None
    """Its players are invited, and their answers are their words in the dice of the set-up, promised here."""


class TermsSet(Event, frozen=True, kw_only=True, tag="terms_set"):
    """From now on these are the terms of the campaign, all of them."""

    terms: Terms
    reason: str = ""


class RulesPinned(Event, frozen=True, kw_only=True, tag="rules_pinned"):
    """The campaign is played by these rules until an upgrade; *content* is the hash of their sources and data."""

    system: str
    version: str
    content: str


class PlayerEnrolled(Event, frozen=True, kw_only=True, tag="player_enrolled"):
    """*player* fills *role*."""

    role: Role
    player: PlayerId
    lapses: tuple[Moment, ...] | None = None
    """What the role had sent for these counts no more: it was another's, and was not run.  None: all of it stands."""


class PlayerReplaced(Event, frozen=True, kw_only=True, tag="player_replaced"):
    """*player* fills *role* instead of *former*."""

    role: Role
    former: PlayerId
    player: PlayerId
    reason: str = ""
    lapses: tuple[Moment, ...] | None = None
    """As where one is enrolled."""


class PlayerWithdrew(Event, frozen=True, kw_only=True, tag="player_withdrew"):
    """*player* no longer fills *role*; nobody does."""

    role: Role
    player: PlayerId
    reason: str = ""
    lapses: tuple[Moment, ...] | None = None
    """As where one is enrolled."""


class ObserverAdmitted(Event, frozen=True, kw_only=True, tag="observer_admitted"):
    """*player* fills no role, and looks on as the terms let him."""

    player: PlayerId


class ObserverLeft(Event, frozen=True, kw_only=True, tag="observer_left"):
    """*player* looks on no more."""

    player: PlayerId
    reason: str = ""


class TurnShown(Event, frozen=True, kw_only=True, tag="turn_shown"):
    """*moment* is shown to observers from now on, through *eyes*, as it was made known."""

    moment: Moment
    eyes: tuple[str, ...]
    upto: int
    """The last event that counts for it."""


class StandInNamed(Event, frozen=True, kw_only=True, tag="stand_in_named"):
    """The player of *role* would have *stand_in* send orders for it too; he is asked."""

    role: Role
    player: PlayerId
    stand_in: PlayerId
    turns: int = 0
    """For so many, that which is played with them; 0: for the exchange that is open when he says yes, and no longer."""


class StandInAnswered(Event, frozen=True, kw_only=True, tag="stand_in_answered"):
    """*stand_in* said whether he does; from now on he may send orders for *role*, and is told what it is told."""

    role: Role
    stand_in: PlayerId
    accepts: bool


class StandInEnded(Event, frozen=True, kw_only=True, tag="stand_in_ended"):
    """*stand_in* sends nothing for *role* any more: his time is over, or its player took his word back."""

    role: Role
    stand_in: PlayerId
    why: str


class AbsenceBooked(Event, frozen=True, kw_only=True, tag="absence_booked"):
    """*player* sends nothing from *since* until *until*: deadlines that fall into that time are moved behind it."""

    player: PlayerId
    since: int
    until: int
    days: int
    """How many days of those that he may be absent it takes."""
    message: str = ""
    """Digest of the message that asked for it."""


class AbsenceCancelled(Event, frozen=True, kw_only=True, tag="absence_cancelled"):
    """The absences of *player* that end after now are not to be; deadlines that were moved stay."""

    player: PlayerId
    reason: str = ""


class SignUpOpened(Event, frozen=True, kw_only=True, tag="sign_up_opened"):
    """Anybody may join the campaign; its roles are then given by a lot whose seeds are promised here (`kernel.lot`)."""

    promises: Promises
    closes: int = 0
    """When: microseconds UTC.  0: as soon as all roles can be filled."""
    start: Literal["gm", "auto"] = "gm"
    """Who begins the game when its roles are given: the GM, or the office at once."""


class CandidateSigned(Event, frozen=True, kw_only=True, tag="candidate_signed"):
    """*player* would play, or has other wishes than before; his first word counts in the lot."""

    player: PlayerId
    number: int
    """By which he is known in the lot; he keeps it."""
    wishes: tuple[Role, ...] = ()
    """The best first; none: any."""
    digest: str
    """Of what he wrote, in UTF-8."""
    message: str
    """Digest of the message it came in."""
    word: str = ""
    """What he gives to the lot (`kernel.dice.given`); empty: he gave it before, or the lot is drawn."""


class CandidateLeft(Event, frozen=True, kw_only=True, tag="candidate_left"):
    """*player* would not play any more, or is known no more."""

    player: PlayerId
    reason: str = ""


class RolesDrawn(Event, frozen=True, kw_only=True, tag="roles_drawn"):
    """The sign-up is closed and the lot has fallen; who is enrolled for it follows.  Both its seeds are revealed."""

    dice: tuple[Throw, ...]
    """One throw of each candidate, by his number."""
    roles: dict[Role, int]
    waiting: tuple[int, ...]
    """In their order."""
    open_seed: str
    closed_seed: str
    words: dict[Role, str]
    """Of all candidates, each under his number."""


class InvitationAnswered(Event, frozen=True, kw_only=True, tag="invitation_answered"):
    """The player of *role* answered his invitation; *digest* is that of what he wrote, in UTF-8."""

    role: Role
    digest: str
    message: str
    """Digest of the message it came in."""
    word: str
    """What he gives to the dice of the set-up with it (`kernel.dice.given`)."""


class CampaignStarted(Event, frozen=True, kw_only=True, tag="campaign_started"):
    """The field is set up with the dice promised here, or when it was opened; the facts of the muster follow."""

    promises: Promises
    words: dict[Role, str] = {}
    """Of all roles, with which its dice were thrown; empty where they are the office's alone."""
    unanswered: tuple[Role, ...] = ()
    """Whose players were invited and had not answered."""


class CampaignPaused(Event, frozen=True, kw_only=True, tag="campaign_paused"):
    """From now on nothing is run, and nobody is late."""

    reason: str


class CampaignResumed(Event, frozen=True, kw_only=True, tag="campaign_resumed"):
    """The game goes on; what was to be answered by an hour that had not passed may be answered *later* than that."""

    reason: str = ""
    later: int = 0
    """Microseconds."""


class ExchangeOpened(Event, frozen=True, kw_only=True, tag="exchange_opened"):
    """A round of mail for all began.

    The last of *due* is its deadline; *steps* are the hours of its run, if it is played in steps.  Opened again
    after an annulment it has new promises.
    """

    moment: Moment
    name: str
    due: tuple[int, ...]
    promises: Promises
    wall: str = ""
    """The deadline as the clock of *zone* shows it: `2026-11-24T20:00`.  It is what was promised: if the rules of
    summer time change, the instant is reckoned anew from it."""
    zone: str = ""
    steps: tuple[StepHours, ...] = ()


class SeedsRenewed(Event, frozen=True, kw_only=True, tag="seeds_renewed"):
    """The exchange is played on with new seeds, promised here: those promised before may be known, or thrown elsewhere.

    What was thrown with them stays; nothing is thrown with them any more.
    """

    moment: Moment
    promises: Promises
    why: Renewed


class DeadlineMoved(Event, frozen=True, kw_only=True, tag="deadline_moved"):
    """The deadline of the open exchange was moved: by the GM, or by the office as the terms say."""

    moment: Moment
    due: tuple[int, ...]
    reason: str
    wall: str = ""
    zone: str = ""
    why: Literal["gm", "absence", "nmr", "away", "zone", "late", "pause", "vote", "newcomer"] = "gm"
    """The GM's word, an absence that was booked, more time for those who sent nothing, an office that was away from
    its post, other rules of summer time, a run that began late, a pause of the game, a vote of the players, or a role
    that changed hands."""
    steps: tuple[StepHours, ...] = ()
    """The hours of its run from now on."""


class NmrRecorded(Event, frozen=True, kw_only=True, tag="nmr_recorded"):
    """No move received: the time for *moment* was over, and *missing* had sent nothing.

    *did* says what came of it: it is held until they send, what is taken for silence is taken, more time was
    given, it waits for the GM, or so many are missing that nothing is run.
    """

    moment: Moment
    missing: tuple[Role, ...]
    policy: Nmr
    did: Literal["held", "taken", "extended", "asked", "stopped"]


class MessageReceived(Event, frozen=True, kw_only=True, tag="message_received"):
    """A player's message was read; *digest* is that of its bytes as they came."""

    digest: str
    source: Source
    player: PlayerId | None = None
    grade: str = ""
    """How sure it is who wrote it, `A` to `E`; empty where nobody asked."""


class OrdersAccepted(Event, frozen=True, kw_only=True, tag="orders_accepted"):
    """A sheet stands for *moment*; what stood there before is replaced.

    *text* is the whole sheet as it now stands, with all that was added; *orders* are the lines that were
    taken, as read.  A better reader changes no old game.
    """

    role: Role
    moment: Moment
    receipt: int
    """Counts the role's own receipts."""
    text: str
    orders: tuple[Raw, ...]
    told: tuple[Told, ...] = ()
    digest: str
    """Of *text* in UTF-8."""
    message: str = ""
    """Digest of the message it came in."""
    source: Source = "letter"
    beside: int = 0
    """Lines of that message to the office that were refused: they are not in *text*, and not done."""
    word: str = ""
    """What the role gives to the dice of *moment* with it (`kernel.dice.given`); empty: nothing, or it had given."""


class OrdersKept(Event, frozen=True, kw_only=True, tag="orders_kept"):
    """A sheet for a later moment: it waits, and is read when that opens."""

    role: Role
    moment: Moment
    receipt: int
    text: str
    digest: str
    message: str = ""
    source: Source = "letter"


class OrdersRefused(Event, frozen=True, kw_only=True, tag="orders_refused"):
    """A sheet, or all of its lines, was not taken; what stood before still stands."""

    role: Role
    moment: Moment | None
    receipt: int
    text: str
    reason: str
    told: tuple[Told, ...] = ()
    digest: str
    message: str = ""
    source: Source = "letter"


class OrdersWithdrawn(Event, frozen=True, kw_only=True, tag="orders_withdrawn"):
    """The role took its sheet for *moment* back."""

    role: Role
    moment: Moment
    receipt: int
    message: str = ""


class WaitSet(Event, frozen=True, kw_only=True, tag="wait_set"):
    """While a wait is on, the exchange is not run before its deadline."""

    role: Role
    moment: Moment
    on: bool


class ReadySaid(Event, frozen=True, kw_only=True, tag="ready_said"):
    """The role wants its orders for *moment* to be played as they stand, refused lines and all; or takes that back."""

    role: Role
    moment: Moment
    on: bool = True


ReportForm = Literal["page", "json", "link"]
"""As a page, as JSON beside the page, or as a link to the page alone."""


class FormChosen(Event, frozen=True, kw_only=True, tag="form_chosen"):
    """Whoever plays the role wants its reports in this form from now on."""

    role: Role
    form: ReportForm


MailSort = Literal["letters", "reminders", "notices"]
"""A kind of mails to a player that he may stop: letters of other players, reminders, notices of how a game is run."""


class StopSaid(Event, frozen=True, kw_only=True, tag="stop_said"):
    """Whoever plays the role wants no more mails of this kind, or (not *on*) wants them again."""

    role: Role
    what: MailSort
    on: bool


class DigestSet(Event, frozen=True, kw_only=True, tag="digest_set"):
    """Whoever plays the role wants letters of other players and notices gathered, and sent once a day."""

    role: Role
    at: Wall
    """The time of day, by his own clock; empty: each when it is owed."""


class LanguageChosen(Event, frozen=True, kw_only=True, tag="language_chosen"):
    """Whoever plays the role wants to be written to in this language, named by its code, from now on."""

    role: Role
    language: str


class LeaveSaid(Event, frozen=True, kw_only=True, tag="leave_said"):
    """*player*, in *role*, has said whether, where the game is shown to others, something of him may be in it.

    That is his name, his letters to other roles and theirs to him, or, once the game is over, his diary.
    """

    role: Role
    player: PlayerId
    what: Literal["name", "letters", "diary"]
    on: bool


class QueryPut(Event, frozen=True, kw_only=True, tag="query_put"):
    """The rules ask the GM (*to* is None) or a role."""

    moment: Moment
    key: str
    to: Role | None
    rule: str
    asks: str
    options: tuple[str, ...] = ()
    otherwise: str = ""
    until: int = 0
    """The hour at which a role is no longer waited for; 0: that of the exchange."""


class QueryAnswered(Event, frozen=True, kw_only=True, tag="query_answered"):
    """An answer was given, or the default was taken."""

    moment: Moment
    key: str
    answer: str
    by: Literal["gm", "role", "default"]


class OrderFailed(Event, frozen=True, kw_only=True, tag="order_failed"):
    """One order broke the engine and was left out; it harms itself alone."""

    role: Role
    moment: Moment
    line: int
    text: str
    error: str


class LetterSent(Event, frozen=True, kw_only=True, tag="letter_sent"):
    """A letter from one role to another, or to the GM (*to* is None), through the office."""

    sender: Role
    to: Role | None
    text: str
    message: str = ""
    signed: bool = True
    """Whether its reader is told who wrote it."""
    addressed: tuple[str, ...] = ()
    """Where it is one of a letter to several, as that was addressed: roles, `side french`, `all`."""


class NoteMade(Event, frozen=True, kw_only=True, tag="note_made"):
    """*player*, in *role*, wrote something down for himself: his diary, which is shown by his leave alone."""

    role: Role
    player: PlayerId
    text: str
    message: str = ""


class RulingMade(Event, frozen=True, kw_only=True, tag="ruling_made"):
    """The GM ruled: his *directives* and his *reason*; the facts that follow from them stand after it."""

    directives: tuple[str, ...]
    reason: str
    known: dict[Role, Aspect] = {}
    forced: dict[ThrowName, tuple[int, ...]] = {}
    """Faces that dice must show, by the throw's name."""
    facts: int = 0
    """How many facts follow it."""


class UmpireNoted(Event, frozen=True, kw_only=True, tag="umpire_noted"):
    """The GM has a word for *role*: it stands, signed, on the next report that the role is sent."""

    role: Role
    text: str


class DryRunAsked(Event, frozen=True, kw_only=True, tag="dry_run_asked"):
    """The GM looked at what would happen."""

    moment: Moment


class RunAsked(Event, frozen=True, kw_only=True, tag="run_asked"):
    """The GM wants the exchange to be run at the next look of the clock, whatever its hour and whatever is owed.

    It holds until the run stands still: at its end, at a halt, or at a question of the rules.
    """

    moment: Moment
    defaults: bool = False
    """For open questions what is taken for silence counts."""


class CampaignForked(Event, frozen=True, kw_only=True, tag="campaign_forked"):
    """The GM made *copy*, another campaign, of the events up to *upto*; its dice are others."""

    copy: CampaignId
    upto: int


class CampaignCut(Event, frozen=True, kw_only=True, tag="campaign_cut"):
    """The log is that of a copy, made from a backup: it was cut behind the event *upto*, as it stood at *until*.

    From here on it never mails, and no letter reaches it.
    """

    upto: int
    until: int
    """Microseconds UTC."""


class SeedsExported(Event, frozen=True, kw_only=True, tag="seeds_exported"):
    """The GM wrote the campaign into a file, with the seeds that wait to be revealed."""

    moment: Moment


class HaltReached(Event, frozen=True, kw_only=True, tag="halt_reached"):
    """The run of an exchange came to a private halt.

    The facts since the last such event of the exchange, or since it was opened, are all that came to pass.
    """

    moment: Moment
    """The address of the halt."""
    version: str
    content: str
    """Hash of the rules that decided."""
    facts: int
    state: str
    """Digest of the truth after it."""
    roles: tuple[Role, ...]
    """Who is to be asked."""
    step: int
    urgent: bool = False


class HaltAsked(Event, frozen=True, kw_only=True, tag="halt_asked"):
    """Those called at a halt were sent their interim reports, and may answer."""

    moment: Moment
    until: int
    """0: until the GM goes on."""
    views: dict[Role, str]
    """Digest of each page."""
    again: bool = False
    """It was asked in a run that was annulled: what was answered then stands, and nothing is asked or sent anew."""


class HaltPassed(Event, frozen=True, kw_only=True, tag="halt_passed"):
    """Nobody was asked at a halt; what is taken for silence was taken.

    Too little time was left, or the dice were known from a run that was annulled, which did not come to it.
    """

    moment: Moment


class ExchangeResolved(Event, frozen=True, kw_only=True, tag="exchange_resolved"):
    """The facts since the last such event, or halt, are all that came to pass; the players know nothing of it yet."""

    moment: Moment
    version: str
    content: str
    """Hash of the rules that decided."""
    facts: int
    state: str
    """Digest of the truth after it."""
    views: dict[Role, str]
    """Digest of each role's page, kept until release."""
    defaults: tuple[Role, ...] = ()
    """Who was waited for and sent nothing."""


class ExchangeReleased(Event, frozen=True, kw_only=True, tag="exchange_released"):
    """What was resolved is made known; the open seed is revealed, in hexadecimal."""

    moment: Moment
    open_seed: str
    """Empty where the game shows no seed before its end."""
    words: dict[Role, str] = {}
    """Of all roles, with which the dice were thrown; empty where they are the office's alone."""
    out: tuple[Role, ...] = ()
    """Roles that are out of the game since then."""


class ExchangeAnnulled(Event, frozen=True, kw_only=True, tag="exchange_annulled"):
    """Everything decided from event *since* on is void; sheets, letters and promises stay.

    The dice of *moment* are known by then: it takes no more orders until it is opened again, with new seeds.
    """

    moment: Moment
    since: int
    reason: str
    stays_open: bool = False
    """Orders stay open: a sheet in time voids a run of which no player was told, or its dice are drawn anew."""


class ReportIssued(Event, frozen=True, kw_only=True, tag="report_issued"):
    """A role was sent its report, and may know the log up to *upto*."""

    role: Role
    moment: Moment
    upto: int
    view: str
    """Digest of the page's content."""
    page: str
    """Digest of the HTML sent."""
    version: int = 1
    """Counts corrected reports of one moment."""


class CampaignUpgraded(Event, frozen=True, kw_only=True, tag="campaign_upgraded"):
    """From here on the campaign is played by other rules; *reason* says what the fork showed."""

    version: str
    content: str
    reason: str


class CampaignEnded(Event, frozen=True, kw_only=True, tag="campaign_ended"):
    """The game is over: who won and how, and all closed seeds by moment (`muster` is the set-up's own)."""

    winner: str | None
    how: str
    rules: tuple[str, ...] = ()
    closed_seeds: dict[str, str] = {}
    muster_seed: str = ""
    """The open seed of the muster, in hexadecimal."""
    open_seeds: dict[str, str] = {}
    """By moment, those that were not revealed before."""
    former_seeds: dict[str, str] = {}
    """By their promises, those with which nothing is thrown any more: of what was opened anew or renewed."""
    opened: str = ""
    """Digest of the page that every player is sent of the whole game, if there is one."""
    replay: str = ""
    """Digest of the file in which it moves, if there is one."""


class ProposalMade(Event, frozen=True, kw_only=True, tag="proposal_made"):
    """Something was put to the vote of all roles, under the name *key*; who proposed it is for it, until he says no."""

    key: str
    """`V1`; they are counted as they come."""
    what: Kind
    moment: Moment
    """The exchange that was open."""
    by: Role
    ballot: Ballot
    """By what terms the vote is held, as they were then."""
    until: int
    """The last instant at which votes count, microseconds UTC."""
    reason: str = ""
    hours: int = 0
    """Of an extension: so many more."""
    role: Role | None = None
    """Of a replacement: whose player is to be another."""
    to: Moment | None = None
    """Of a truce: until when."""
    message: str = ""
    """Digest of the message it came in."""


class VoteCast(Event, frozen=True, kw_only=True, tag="vote_cast"):
    """A role said whether it is for what was proposed as *key*; its last word counts."""

    key: str
    role: Role
    yes: bool
    secret: bool = False
    """Nobody is told of it."""
    message: str = ""
    """Digest of the message it came in."""


Closed = Literal["carried", "failed", "lapsed", "withdrawn"]
"""How a vote ended: for it, against it, because what it was about is gone, or by whoever had proposed it."""


class ProposalClosed(Event, frozen=True, kw_only=True, tag="proposal_closed"):
    """A vote is over; what follows of one that was *carried* stands after it, in the same entry.

    How many were for it and against it is None where nobody is told.
    """

    key: str
    what: Kind
    how: Closed
    yes: int | None = None
    no: int | None = None
    why: str = ""
    """Of one that lapsed: what is gone, in a phrase."""


class WaitingCut(Event, frozen=True, kw_only=True, tag="waiting_cut"):
    """*role* was late in so many exchanges in a row that nobody waits for it beyond a deadline, or not any more (*on*).

    See `Terms.late_after`.
    """

    role: Role
    on: bool
    late: int = 0
    """In how many."""


class HoursSet(Event, frozen=True, kw_only=True, tag="hours_set"):
    """The exchange that is opened next is due so many hours after that, whatever the terms say; those stay."""

    hours: int
    reason: str = ""


OfficeEvent = (
    CampaignOpened
    | TermsSet
    | RulesPinned
    | PlayerEnrolled
    | PlayerReplaced
    | PlayerWithdrew
    | ObserverAdmitted
    | ObserverLeft
    | TurnShown
    | StandInNamed
    | StandInAnswered
    | StandInEnded
    | AbsenceBooked
    | AbsenceCancelled
    | SignUpOpened
    | CandidateSigned
    | CandidateLeft
    | RolesDrawn
    | InvitationAnswered
    | CampaignStarted
    | CampaignPaused
    | CampaignResumed
    | ExchangeOpened
    | SeedsRenewed
    | DeadlineMoved
    | NmrRecorded
    | MessageReceived
    | OrdersAccepted
    | OrdersKept
    | OrdersRefused
    | OrdersWithdrawn
    | WaitSet
    | ReadySaid
    | FormChosen
    | StopSaid
    | DigestSet
    | LanguageChosen
    | LeaveSaid
    | QueryPut
    | QueryAnswered
    | OrderFailed
    | LetterSent
    | NoteMade
    | RulingMade
    | UmpireNoted
    | DryRunAsked
    | RunAsked
    | CampaignForked
    | CampaignCut
    | SeedsExported
    | HaltReached
    | HaltAsked
    | HaltPassed
    | ExchangeResolved
    | ExchangeReleased
    | ExchangeAnnulled
    | ReportIssued
    | CampaignUpgraded
    | CampaignEnded
    | ProposalMade
    | VoteCast
    | ProposalClosed
    | WaitingCut
    | HoursSet
)
"""What a log may hold beside the facts of its game."""

OFFICE_EVENTS: tuple[type[Event], ...] = OfficeEvent.__args__
