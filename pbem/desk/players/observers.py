"""Who looks on without a side: let in, and gone again, and all players told that somebody does."""

from __future__ import annotations

from pbem.desk.books import dossiers
from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.ended import ending
from pbem.desk.books.roster import people
from pbem.desk.office.office import Office
from pbem.desk.pages.pages import SET_UP
from pbem.desk.players import enrol
from pbem.desk.post import observed
from pbem.desk.post.entries import Entry, commit, enter, tell
from pbem.desk.turns import showing
from pbem.kernel.errors import Refused
from pbem.kernel.names import PlayerId
from pbem.kernel.office import ObserverAdmitted, ObserverLeft, PlayerEnrolled, PlayerReplaced, StandInAnswered
from pbem.orders.prose import cap
from pbem.reports.pages.notice import Notice
from pbem.reports.text.speech import phrase, phrase_later, speaking
from pbem.reports.text.terms import eyes, observers
from pbem.storage import players
from pbem.storage.database import Connection
from pbem.storage.players import Player

YOU_LOOK_ON, _NO_MORE = phrase_later("you look on"), phrase_later("you look on no more")
"""Of what letters are."""


def admit(office: Office, campaign: str, *, name: str, address: str, zone: str | None = None) -> Player:
    """Let a person look on: the one who is known by *address*, or a new one; he and all players are told.

    What the terms let him see by now he may read at once; the newest of it comes by mail.

    :raises Refused: if the terms let nobody, the game is over or a copy, he has or had a side in it, or looks on
        already, or the address is none.
    """
    checked = enrol.checked_address(office, address)
    at = office.now()
    with office.read() as connection:
        dossiers.load(office, connection, campaign).ground.read()
    with office.write(whole=True) as connection:
        dossier = dossiers.load(office, connection, campaign)
        _see_open(dossier)
        player = enrol.person(office, connection, checked, name=name, zone=zone, at=at)
        _see_no_side(dossier, player)
        entry = Entry(dossier, at, office.by)
        entry.add(dossier.campaign.now or SET_UP, ObserverAdmitted(player=player.id))
        showing.show(connection, entry, mailed=False)
        with speaking(entry.dossier.campaign.terms.language):
            welcome = _welcome(entry.dossier)
        entry.owe(observed.told(entry.dossier, player, welcome, cause=_cause(entry, player), at=at))
        if shown := entry.dossier.campaign.shown:
            newest = shown[max(shown)]
            again = f"{entry.dossier.seq}"
            entry.owe(observed.owed(entry.dossier, newest, player, at=at, again=again))
        _tell_players(connection, entry)
        commit(office, connection, entry)
    return player


def remove(office: Office, campaign: str, who: str, *, reason: str = "") -> Player:
    """Let a person, by his id or an address, look on no more; he is told, with the *reason*.

    :raises Refused: if he does not look on.
    """

    def build(connection: Connection) -> tuple[Entry, Player]:
        dossier = dossiers.load(office, connection, campaign)
        player = players.by_address(connection, who) or players.get(connection, PlayerId(who))
        if player.id not in dossier.campaign.observers:
            raise Refused(f"{player.name or player.id} does not look on in {dossier.id}.")
        entry = Entry(dossier, office.now(), office.by)
        leave(entry, player, reason)
        return entry, player

    return enter(office, build)


def leave(entry: Entry, player: Player, reason: str = "") -> None:
    """Enter that an observer looks on no more, and tell him."""
    dossier = entry.dossier
    entry.add(dossier.campaign.now or SET_UP, ObserverLeft(player=player.id, reason=reason))
    notice = Notice(
        campaign=dossier.id,
        subject=f"[{dossier.id}] {_NO_MORE}",
        heading=phrase_later("You look on no more"),
        summary=reason,
        foot="",
    )
    entry.owe(observed.told(dossier, player, notice, cause=_cause(entry, player), at=entry.at))


def there(office: Office, campaign: str) -> list[Player]:
    """Those who look on in *campaign*, in the order in which they came."""
    with office.read() as connection:
        dossier = dossiers.load(office, connection, campaign)
        return [players.get(connection, one) for one in dossier.campaign.observers]


def _see_open(dossier: Dossier) -> None:
    campaign = dossier.campaign
    if campaign.ended:
        raise Refused(f"{dossier.id} is over: {ending(campaign.ended)}.")
    if campaign.copied:
        raise Refused(f"{dossier.id} never mails: nobody can look on.")
    if not campaign.terms.observers:
        raise Refused(
            f"the terms of {dossier.id} let nobody look on.  First: pbem campaign set {dossier.id} --observers truth"
        )


def _see_no_side(dossier: Dossier, player: Player) -> None:
    """See that a person knows nothing of a side, and will not: who played one may come back to it."""
    if player.id in dossier.campaign.observers:
        raise Refused(f"{player.name} looks on in {dossier.id} already.")
    if player.id in dossier.campaign.candidates:
        raise Refused(f"{player.name} would play in {dossier.id}, and cannot look on there.")
    stood_in = (one.event for one in dossier.log.own if isinstance(one.event, StandInAnswered) and one.event.accepts)
    if role := next((event.role for event in stood_in if event.stand_in == player.id), None):
        raise Refused(f"{player.name} stands in for {role} in {dossier.id}, or did, and cannot look on there.")
    came = (one.event for one in dossier.log.own if isinstance(one.event, PlayerEnrolled | PlayerReplaced))
    if role := next((event.role for event in came if event.player == player.id), None):
        does = "plays" if player.id in dossier.campaign.players.values() else "played"
        raise Refused(f"{player.name} {does} {role} in {dossier.id}, and cannot look on there.")


def _welcome(dossier: Dossier) -> Notice:
    terms = dossier.campaign.terms
    delay = terms.observers_delay
    late = phrase("A turn comes when it is made known.")
    if delay:
        late = phrase(
            "Turn 1 comes when turn {first} is made known, turn 2 when turn {second} is, and nothing sooner.",
            first=1 + delay,
            second=2 + delay,
        )
    return Notice(
        campaign=dossier.id,
        subject=f"[{dossier.id}] {YOU_LOOK_ON}",
        heading=phrase("You look on at {game}", game=dossier.title),
        summary=phrase("You see {what}. {late}", what=eyes(terms.observers), late=late),
        body=phrase_later(
            "You play no side: nothing that you write reaches the game. A letter to this address may say\n\n"
            "- `status`: what you see, and what has come;\n"
            "- `report 3B`: send that turn again; `report` the newest;\n"
            "- `zone Europe/Berlin`: tell hours by that clock;\n"
            "- `stop`: send nothing more but answers;\n"
            "- `resign`: you have seen enough.\n\n"
            "What you see is not for the players. They are told that somebody looks on, and not who."
        ),
        foot="",
    )


def _tell_players(connection: Connection, entry: Entry) -> None:
    dossier = entry.dossier
    for role, player in people(connection, dossier).items():
        if player:
            with speaking(dossier.campaign.language(role)):
                notice = _somebody(dossier)
            tell(entry, role, player, notice, cause=f"observers/{dossier.seq}/{role}")


def _somebody(dossier: Dossier) -> Notice:
    """The letter that tells a player that somebody looks on."""
    head = phrase("somebody looks on")
    return Notice(
        campaign=dossier.id,
        subject=f"[{dossier.id}] {head}",
        heading=cap(head),
        summary=phrase("He plays no side, and nothing that he writes reaches the game."),
        body=phrase(
            "As the terms say, {terms}. A turn that began under others is kept to those.",
            terms=observers(dossier.campaign.terms),
        ),
    )


def _cause(entry: Entry, player: Player) -> str:
    return f"observer/{player.id}/{entry.dossier.seq}"
