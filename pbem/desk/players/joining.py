"""Anybody may join a campaign whose sign-up is open: candidates, the lot that gives them their roles, who waits.

    campaign new --open    the seeds of the lot are promised
    join NAME as ROLE      he is on the list, and his word in the lot; with other wishes they count, `off` takes him off
    the lot                at the hour that was told, as soon as all roles can be filled, or at the GM's word
    its result             each is told it, with the seeds and all that it takes to throw it again (`kernel.lot`)
    the game begins        at the GM's word, or by itself

Who signs up after the lot gets a free role of his wishes at once, or waits behind those who do.  A candidate is known
to others by his number alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.desk.books import dossiers
from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.led_by_rules import lacking
from pbem.desk.books.owed import ShortLetter
from pbem.desk.books.seeds import Pair, thrown_with, told_word
from pbem.desk.office.office import Office
from pbem.desk.pages.pages import SET_UP
from pbem.desk.players import enrol, inviting
from pbem.desk.post.entries import Entry, enter, tell
from pbem.desk.post.post import Answering, in_game, to_gm, to_player
from pbem.kernel.campaign import Candidate
from pbem.kernel.dice import SeededDice, given
from pbem.kernel.errors import Refused
from pbem.kernel.lot import LOT, SIDES, can_fill, given_out, order_of, thrown
from pbem.kernel.names import PlayerId, Role
from pbem.kernel.office import CandidateLeft, CandidateSigned, PlayerEnrolled, RolesDrawn, SignUpOpened
from pbem.orders.prose import listed
from pbem.reports.pages.notice import Notice
from pbem.reports.text.speech import Row, phrase, phrase_later, phrase_of, speaking
from pbem.reports.text.times import when
from pbem.storage import players, secrets
from pbem.storage.blobs import digest_of
from pbem.storage.database import Connection
from pbem.storage.players import Player

SEEDS = "lot"
"""The place under which the seeds of a lot are kept."""


class Wish(Struct, frozen=True):
    """What somebody wrote who would play."""

    roles: tuple[Role, ...]
    """The best first; none: any."""
    text: str
    message: str
    """Digest of the message that it came in."""
    message_id: str = ""


def open_sign_up(office: Office, campaign: str, *, closes: int = 0, by_itself: bool = False) -> Dossier:
    """Let anybody join *campaign*, until *closes*, or (0) as soon as all roles can be filled.

    *by_itself*: the game then begins without a word of the GM.

    :raises Refused: if it has begun, is open already, is a copy, its hour is past, or answers to invitations are
        waited for and it is to begin by itself.
    """
    at = office.now()
    if closes and closes <= at:
        raise Refused("a sign-up cannot close in the past.")

    def build(connection: Connection) -> tuple[Entry, Dossier]:
        dossier = dossiers.load(office, connection, campaign)
        if dossier.campaign.status != "enrolling" or dossier.campaign.copied:
            raise Refused(f"{dossier.id} has begun, or is a copy: nobody can join it.")
        if dossier.campaign.sign_up:
            raise Refused(f"the sign-up of {dossier.id} is open already.")
        if by_itself and dossier.opened.muster:
            raise Refused("a game that waits for answers to its invitations does not begin by itself.")
        entry = Entry(dossier, at, office.by)
        promises = entry.promise(SEEDS, office.fresh_seeds())
        entry.add(LOT, SignUpOpened(promises=promises, closes=closes, start="auto" if by_itself else "gm"))
        return entry, entry.dossier

    return enter(office, build)


def is_open(dossier: Dossier) -> bool:
    """Whether somebody can join it, be it as one who waits."""
    campaign = dossier.campaign
    return campaign.sign_up is not None and not (campaign.ended or campaign.copied)


def find(office: Office, connection: Connection, name: str) -> Dossier | None:
    """The campaign of that name that can be joined, if there is one."""
    if not dossiers.is_there(connection, name):
        return None
    dossier = dossiers.load(office, connection, name)
    return dossier if is_open(dossier) else None


def open_ones(office: Office, connection: Connection) -> list[Dossier]:
    """The campaigns that can be joined and have not begun, by name."""
    names = sorted(dossiers.those_there(connection, secrets.campaigns_with(connection, SEEDS)))
    found = dossiers.opened(office, connection, names)
    return [one for one in found if is_open(one) and not one.campaign.started]


def free(dossier: Dossier) -> list[Role]:
    """The roles that nobody has."""
    return [role for role in dossier.roles if role not in dossier.campaign.players]


def sign(office: Office, connection: Connection, entry: Entry, player: Player, wish: Wish) -> None:
    """Enter that *player* would play, or what he wishes now.

    :raises Refused: if there is no such role, or he has one, or runs the game.
    """
    dossier = entry.dossier
    if why := barred(office, dossier, player, wish):
        raise Refused(why)
    before, digest = dossier.campaign.candidates.get(player.id), digest_of(wish.text.encode())
    number = before.number if before else dossier.campaign.signed + 1
    gives = not dossier.campaign.drawn and (LOT, Role(str(number))) not in dossier.campaign.given
    signed = CandidateSigned(
        player=player.id,
        number=number,
        wishes=wish.roles,
        digest=digest,
        message=wish.message,
        word=given(wish.message_id, digest) if gives else "",
    )
    if before is None or before.wishes != wish.roles or gives:
        entry.add(LOT, signed)
    if dossier.campaign.drawn and not dossier.campaign.started:
        seat(connection, entry)


def barred(office: Office, dossier: Dossier, player: Player, wish: Wish) -> str:
    """Why *player* cannot be on the list with that wish, in a sentence; empty if he can."""
    game = dossier.id
    if unknown := [role for role in wish.roles if role not in dossier.roles]:
        roles = Row(dossier.roles)
        return phrase("there is no role {role} in {game}: there are {roles}.", role=unknown[0], game=game, roles=roles)
    if own := dossier.campaign.roles_of(player.id):
        return phrase("you play {roles} in {game} already.", roles=Row(own), game=game)
    if player.id in dossier.campaign.observers:
        return phrase("you look on in {game}: who sees what all sides do has none.", game=game)
    if any(players.address_of(one.address) == player.address and one.share(game) for one in office.gms):
        return phrase("you run {game}: who sees the truth has no side in it.", game=game)
    return ""


def people(connection: Connection, dossier: Dossier) -> list[tuple[Candidate, Player]]:
    """The candidates, in their order, and who each is."""
    return [(one, players.get(connection, one.player)) for one in dossier.campaign.candidates.values()]


def take_off(entry: Entry, player: PlayerId, reason: str) -> bool:
    """Enter that *player* is on the list no more; says whether he was."""
    there = player in entry.dossier.campaign.candidates
    if there:
        entry.add(LOT, CandidateLeft(player=player, reason=reason))
    return there


def seat(connection: Connection, entry: Entry) -> list[tuple[Role, Player]]:
    """After the lot: give roles that are free to those who wait and wish for them, in their order."""
    there, seated = _people(connection, entry), []
    for role in free(entry.dossier):
        waiting = entry.dossier.campaign.candidates.values()
        first = next((one for one in waiting if not one.wishes or role in one.wishes), None)
        if first is not None:
            entry.add(SET_UP, PlayerEnrolled(role=role, player=first.player))
            seated.append((role, there[first.player]))
    return seated


def seat_waiting(office: Office, campaign: str) -> list[Role]:
    """Give roles that have become free again, before the game begins, to those who wait; they are told."""

    def build(connection: Connection) -> tuple[Entry, list[Role]]:
        entry = Entry(dossiers.load(office, connection, campaign), office.now(), office.by)
        if entry.dossier.campaign.started or not entry.dossier.campaign.drawn:
            return entry, []
        seated = seat(connection, entry)
        for role, player in seated:
            with speaking(entry.dossier.campaign.language(role)):
                head = phrase("You play {role}", role=role)
                notice = _headed(entry.dossier, head, summary=phrase("A place became free."))
            tell(entry, role, player, notice, cause=f"seated/{role}/{entry.dossier.seq}")
            inviting.invite(entry, role, player)
        return entry, [role for role, _ in seated]

    return enter(office, build)


def draw(office: Office, campaign: str) -> RolesDrawn:
    """Close the sign-up of *campaign*, and give the roles by lot; every candidate is told the whole of it.

    :raises Refused: if there is no sign-up, its lot was drawn, or nobody is on its list.
    """

    def build(connection: Connection) -> tuple[Entry, RolesDrawn]:
        dossier = dossiers.load(office, connection, campaign)
        entry = Entry(dossier, office.now(), office.by)
        return entry, _draw(office, connection, entry)

    return enter(office, build)


def _draw(office: Office, connection: Connection, entry: Entry) -> RolesDrawn:
    told = entry.dossier.campaign
    if told.sign_up is None or told.drawn or told.started or told.copied:
        why = "its lot was drawn" if told.drawn else "it has no sign-up that is open"
        raise Refused(f"no roles of {entry.dossier.id} can be drawn: {why}.")
    there = _people(connection, entry)
    if not entry.dossier.campaign.candidates:
        raise Refused(f"nobody is on the list of {entry.dossier.id}.")
    dossier = entry.dossier
    kept = secrets.get(connection, dossier.id, told.sign_up.promises)
    made = thrown_with(dossier.campaign, LOT, Pair(kept.open, kept.closed))
    assert made.open is not None, "the office's is known"
    assert made.closed is not None, "the office's is known"
    dice = SeededDice(LOT, open_seed=made.open, closed_seed=made.closed, forced={})
    candidates = dict(dossier.campaign.candidates)
    wishes = {one.number: one.wishes for one in candidates.values()}
    throws = thrown(dice, wishes)
    roles, waiting = given_out(free(dossier), wishes, order_of(throws))
    drawn = RolesDrawn(
        dice=throws,
        roles=roles,
        waiting=waiting,
        open_seed=kept.open.hex(),
        closed_seed=kept.closed.hex(),
        words=dict(made.words or {}),
    )
    entry.add(LOT, drawn)
    by_number = {one.number: one for one in candidates.values()}
    for role, number in roles.items():
        entry.add(SET_UP, PlayerEnrolled(role=role, player=by_number[number].player))
    for one in candidates.values():
        _tell_result(entry, there[one.player], one, wishes, drawn)
    for role, number in roles.items():
        inviting.invite(entry, role, there[by_number[number].player])
    _tell_gm_result(entry)
    return drawn


def _people(connection: Connection, entry: Entry) -> dict[PlayerId, Player]:
    """The candidates; who is known here no more is taken off the list."""
    found = {one.id: one for one in entry.people}
    for id in list(entry.dossier.campaign.candidates):
        if id in found:
            continue
        try:
            player: Player | None = players.get(connection, id)
        except Refused:
            player = None
        if player is None or player.erased_at is not None:
            take_off(entry, id, "He is known here no more.")
        else:
            found[id] = player
    return found


def attend(office: Office, dossier: Dossier, before_late: Callable[[], None]) -> Iterator[str]:
    """Draw the lot of a campaign that can be joined, if it is due, and begin it by itself; gives what was done.

    *before_late* fetches what lies somewhere else: nobody who asked in time to take part comes too late.

    :raises Refused: if it cannot be done.
    """
    if _is_due(dossier, office.now()):
        before_late()
        drawn = draw(office, dossier.id)
        yield f"its roles are drawn: {len(drawn.roles)} given, {len(drawn.waiting)} wait"
    elif _may_seat(dossier) and (roles := seat_waiting(office, dossier.id)):
        yield f"who waited plays {listed(roles)}"
    with office.read() as connection:
        dossier = dossiers.load(office, connection, dossier.id)
    campaign = dossier.campaign
    if campaign.drawn and campaign.sign_up and campaign.sign_up.start == "auto" and not lacking(dossier):
        enrol.start(office, dossier.id)
        yield "it has begun"


def _may_seat(dossier: Dossier) -> bool:
    """Whether a role is free for which somebody waits."""
    waiting, roles = dossier.campaign.candidates.values(), free(dossier)
    fits = any(not one.wishes or role in one.wishes for one in waiting for role in roles)
    return dossier.campaign.drawn is not None and fits


def _is_due(dossier: Dossier, at: int) -> bool:
    campaign = dossier.campaign
    if campaign.sign_up is None or campaign.drawn or not campaign.candidates:
        return False
    if campaign.sign_up.closes:
        return at >= campaign.sign_up.closes
    return can_fill(free(dossier), {one.number: one.wishes for one in campaign.candidates.values()})


# What is said of it.


def wished(candidate: Candidate) -> str:
    """What a candidate wishes, in a phrase."""
    return phrase(" or ").join(candidate.wishes) or phrase("any role")


def standing(dossier: Dossier, player: PlayerId) -> str:
    """How a candidate stands, in a sentence or two; or what role he has."""
    campaign = dossier.campaign
    if roles := campaign.roles_of(player):
        return phrase("You play {roles}.", roles=Row(roles))
    if player not in campaign.candidates:
        return phrase("You are not on the list.")
    count, place = len(campaign.candidates), list(campaign.candidates).index(player) + 1
    if campaign.drawn:
        return phrase(
            "All roles that you wish for are taken: you are number {place} of {count} who wait.",
            place=place,
            count=count,
        )
    roles_free = len(free(dossier))
    said = phrase(
        "{candidates} for {roles}.",
        candidates=phrase_of("{count} candidate", "{count} candidates", count),
        roles=phrase_of("{count} role", "{count} roles", roles_free),
    )
    if count > roles_free:
        said += " " + phrase(
            "More have signed up than there are roles: the lot says who waits. You were number {place} to come.",
            place=place,
        )
    return said


def closing(dossier: Dossier, zone: str) -> str:
    """When the sign-up closes, and what follows, in sentences."""
    sign_up = dossier.campaign.sign_up
    assert sign_up is not None, "it has one"
    if dossier.campaign.drawn:
        return phrase("The roles are given; who signs up now gets one that is free, or waits for one.")
    by_itself = sign_up.start == "auto"
    begins = phrase("the game then begins by itself") if by_itself else phrase("the umpire then begins the game")
    closes = phrase("The lot is drawn as soon as all roles can be filled")
    if sign_up.closes:
        closes = phrase("The lot is drawn {hour}", hour=when(sign_up.closes, zone, long=True))
    return phrase("{closes}, or before at the umpire's word; {begins}.", closes=closes, begins=begins)


def promised(sign_up: SignUpOpened) -> tuple[str, str]:
    """What a letter shows of the promises of a lot."""
    said = f"lot, promised open    {sign_up.promises.open}\nlot, promised closed  {sign_up.promises.closed}"
    return phrase_later("Promised for the lot (SHA-256)"), said


def receipt(connection: Connection, dossier: Dossier, player: Player, wish: Wish) -> Notice:
    """The letter that says that he is on the list, with his word in the lot."""
    campaign = dossier.campaign
    assert campaign.sign_up is not None, "it has one"
    one = campaign.candidates.get(player.id)
    facts = [] if one is None else [(phrase("Your number"), str(one.number)), (phrase("You would play"), wished(one))]
    quoted = []
    if one is not None and not campaign.drawn:
        number, digest = Role(str(one.number)), digest_of(wish.text.encode())
        quoted = [promised(campaign.sign_up)]
        word = told_word(connection, campaign, LOT, number)
        if campaign.given.get((LOT, number)) == given(wish.message_id, digest):
            said = f"lot, word of {number}   {word}\nlot, sheet of {number}  {digest}"
            quoted.append((phrase("Your word in the lot, and the SHA-256 of what you wrote"), said))
            quoted.append((phrase("What you wrote"), wish.text))
    body = phrase(
        "{closes} To change what you wish, send `join {game} as ROLE or ROLE` again; `join {game} off` takes you off "
        "the list.",
        closes=closing(dossier, player.zone),
        game=dossier.id,
    )
    return replace(
        _headed(dossier, phrase("You are on the list") if one else phrase("You have a role")),
        summary=f"{dossier.title}. {standing(dossier, player.id)}",
        facts=tuple(facts),
        body=f"{body} {phrase(_KEEP)}" if quoted else body,
        quoted=tuple(quoted),
        foot="",
    )


def _headed(dossier: Dossier, head: str, summary: str = "") -> Notice:
    subject = f"[{dossier.id}] {head[0].lower()}{head[1:]}"
    return Notice(campaign=dossier.id, subject=subject, heading=head, summary=summary)


_KEEP = phrase_later(
    "Keep this letter: the order in which candidates choose is thrown with dice that are made of the two seeds whose "
    "fingerprints stand below and of the words of all candidates, so that nobody can choose it."
)


def off_list(dossier: Dossier, *, was: bool) -> Notice:
    """The letter that says that he is on the list no more."""
    head = phrase("You are off the list") if was else phrase("You were not on the list")
    return replace(_headed(dossier, head), foot="")


def answer(entry: Entry, player: Player, notice: Notice, answers: Answering, mark: str) -> None:
    """Owe *player* a letter about the list."""
    entry.owe(
        to_player(
            in_game(entry.dossier, None, player),
            ShortLetter(notice),
            kind="receipt",
            cause=f"joined/{player.id}/{mark}",
            at=entry.at,
            answers=answers,
        )
    )


def tell_gm(entry: Entry, player: Player, what: str, mark: str) -> None:
    """Tell the GM that the list has changed."""
    dossier = entry.dossier
    rows = "\n".join(f"  {one.number:>3}  {wished(one)}" for one in dossier.campaign.candidates.values()) or "  nobody"
    text = (
        f"{player.name or player.id} {what}\n\nThe list:\n{rows}\n\n"
        f"See:           pbem campaign candidates {dossier.id}\n"
        f"Draw the lot:  pbem campaign draw {dossier.id}\n"
    )
    cause = f"candidate/{player.id}/{mark}"
    entry.owe([to_gm(dossier.id, f"{player.name or player.id} {what}".rstrip("."), text, cause=cause, at=entry.at)])


def lot_lines(dossier: Dossier, drawn: RolesDrawn, wishes: dict[int, tuple[Role, ...]]) -> tuple[tuple[str, str], ...]:
    """All that it takes to throw the lot again, and what it gave to whom, for a letter."""
    sign_up = dossier.campaign.sign_up
    assert sign_up is not None, "there was a lot"
    fell = {int(throw.name.rpartition("/")[2]): throw for throw in drawn.dice}
    got = {number: str(role) for role, number in drawn.roles.items()}
    rows = [
        f"{fell[number].name}  {fell[number].faces[0]:>6} of {SIDES}  {' or '.join(wishes[number]) or 'any'}"
        f"  ->  {got.get(number, 'waits')}"
        for number in order_of(drawn.dice)
    ]
    seeds = [f"lot, open    {drawn.open_seed}", f"lot, closed  {drawn.closed_seed}"]
    words = [f"lot, word of {number}  {word}" for number, word in drawn.words.items()]
    return (
        (phrase_later("The order in which the candidates chose"), "\n".join(rows)),
        promised(sign_up),
        (phrase_later("The seeds, revealed"), "\n".join(seeds)),
        (phrase_later("The words of all candidates"), "\n".join(words)),
    )


def _tell_result(
    entry: Entry, player: Player, one: Candidate, wishes: dict[int, tuple[Role, ...]], drawn: RolesDrawn
) -> None:
    dossier = entry.dossier
    roles = dossier.campaign.roles_of(player.id)
    with speaking(dossier.campaign.language_of(player.id)):
        play = phrase("You play {role}", role=Row(roles))
        given_so = phrase("The roles of {game} are given.", game=dossier.title)
        notice = replace(
            _headed(dossier, play if roles else phrase("You are on the waiting list")),
            summary=f"{given_so} {standing(dossier, player.id)}",
            facts=((phrase("Your number"), str(one.number)),),
            body=phrase(_THROWN, sides=SIDES),
            quoted=lot_lines(dossier, drawn, wishes),
            foot="",
        )
    entry.owe(
        to_player(
            in_game(dossier, None, player), ShortLetter(notice), kind="notice", cause=f"lot/{one.number}", at=entry.at
        )
    )


_THROWN = phrase_later(
    "Every candidate threw a die of {sides} sides; the highest chose first, and each got the first free role of his "
    "wishes. To throw it again: `pbem dice audit` with this letter and the one that said that you were on the list, "
    "both as they came; or by hand, as the file `kernel/dice.py` of the program says."
)


def _tell_gm_result(entry: Entry) -> None:
    dossier = entry.dossier
    given_roles: Sequence[str] = [
        f"  {role:<20} number {number}" for role, number in (dossier.campaign.drawn or _NONE).roles.items()
    ]
    missing = lacking(dossier)
    then = f"Nobody has {listed(missing)} yet." if missing else f"Begin it:  pbem campaign start {dossier.id}"
    text = "The lot is drawn.\n\n" + "\n".join(given_roles) + f"\n\n{then}\n"
    entry.owe([to_gm(dossier.id, "the roles are drawn", text, cause="drawn", at=entry.at)])


_NONE = RolesDrawn(dice=(), roles={}, waiting=(), open_seed="", closed_seed="", words={})
