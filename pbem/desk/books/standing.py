"""How punctual somebody is, and what became of the games that he began: worked out from their logs, and kept nowhere.

Only what has been made known counts: nobody learns from it that a turn was run, or of a call that is private.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from pbem.desk.books.dossiers import Dossier, campaigns, is_committed, opened, played_by
from pbem.desk.office.office import Office
from pbem.kernel.event import Recorded
from pbem.kernel.exchange import Exchange
from pbem.kernel.names import CampaignId, PlayerId, Role
from pbem.kernel.office import PlayerEnrolled, PlayerReplaced, PlayerWithdrew
from pbem.reports.text.speech import phrase, phrase_later
from pbem.storage.database import Connection
from pbem.storage.players import Player


class Standing(Struct, frozen=True, kw_only=True):
    """What the logs say of one person."""

    in_time: int = 0
    """Exchanges for which his orders were there by their deadline."""
    grace: int = 0
    """After it, while what was missing was still taken."""
    late: int = 0
    """When it had been written down that he had sent nothing."""
    missed: int = 0
    """For which he owed orders, and sent none."""
    plays: int = 0
    """Games that go on."""
    finished: int = 0
    """Games that he played to their end."""
    resigned: int = 0
    replaced: int = 0
    """Games that were taken from him."""

    @property
    def owed(self) -> int:
        """Exchanges for which he owed orders, or sent some."""
        return self.in_time + self.grace + self.late + self.missed


NONE = Standing()


def standing_of(
    office: Office,
    connection: Connection,
    player: Player,
    may_look: Callable[[CampaignId], bool] = lambda campaign: True,
) -> Standing | None:
    """The standing of *player*, by the games at which whoever asks *may look*; None of who was erased."""
    return _standings(office, [player], played_by(office, connection, player.id), may_look).get(player.id)


def standings(
    office: Office, people: Iterable[Player], may_look: Callable[[CampaignId], bool] = lambda campaign: True
) -> dict[PlayerId, Standing]:
    """The standing of each of *people* who was not erased."""
    with office.read() as connection:
        # All games once, and not once more for each of those who play in it.
        return _standings(office, people, opened(office, connection, campaigns(connection)), may_look)


def _standings(
    office: Office, people: Iterable[Player], games: Iterable[Dossier], may_look: Callable[[CampaignId], bool]
) -> dict[PlayerId, Standing]:
    found = {who.id: NONE for who in people if who.erased_at is None}
    for dossier in games:
        if may_look(dossier.id) and not dossier.campaign.copied:
            there = _in_game(office, dossier)
            found |= {id: _together(found[id], one) for id, one in there.items() if id in found}
    return found


def in_words(standing: Standing) -> str:
    """A standing in two phrases, of which the second is about games.

    >>> in_words(Standing(in_time=12, late=1, missed=2, finished=3, plays=1))
    'orders in time 12 of 15, 1 late, 2 missed; games: 1 played now, 3 finished'
    >>> in_words(Standing(plays=1)), in_words(Standing())
    ('no orders owed yet; games: 1 played now', 'nothing yet')
    """
    after = (
        (phrase_later("{count} in the grace"), standing.grace),
        (phrase_later("{count} late"), standing.late),
        (phrase_later("{count} missed"), standing.missed),
    )
    became = (
        (phrase_later("{count} played now"), standing.plays),
        (phrase_later("{count} finished"), standing.finished),
        (phrase_later("{count} resigned"), standing.resigned),
        (phrase_later("{count} given to another"), standing.replaced),
    )
    said, games = ([phrase(text, count=count) for text, count in rows if count] for rows in (after, became))
    if not (standing.owed or games):
        return phrase("nothing yet")
    in_time = phrase("orders in time {count} of {owed}", count=standing.in_time, owed=standing.owed)
    orders = ", ".join((in_time, *said)) if standing.owed else phrase("no orders owed yet")
    return phrase("{orders}; games: {games}", orders=orders, games=", ".join(games) or phrase("none"))


def _together(one: Standing, other: Standing) -> Standing:
    return Standing(**{name: getattr(one, name) + getattr(other, name) for name in Standing.__struct_fields__})


def _in_game(office: Office, dossier: Dossier) -> Mapping[PlayerId, Standing]:
    """What one log says of each who ever had a role in it; kept in the process until it grows."""
    kept = office.kept_of("campaigns", dossier.id)
    if (held := kept.get("standing")) and held[0] == dossier.seq:
        found: Mapping[PlayerId, Standing] = held[1]
        return found
    found = _counted(dossier)
    if is_committed(office, dossier, dossier.seq):
        kept["standing"] = (dossier.seq, found)
    return found


def _counted(dossier: Dossier) -> dict[PlayerId, Standing]:
    found: dict[PlayerId, Standing] = {}

    def count(who: PlayerId, what: str) -> None:
        now = found.get(who, NONE)
        found[who] = replace(now, **{what: getattr(now, what) + 1})

    came = [one for one in dossier.own if isinstance(one.event, PlayerEnrolled | PlayerReplaced | PlayerWithdrew)]
    for who, what in _became(dossier, came):
        count(who, what)
    for exchange in dossier.campaign.exchanges.values():
        for role in dossier.roles if exchange.released else ():
            sent = _sent(dossier, exchange, role)
            if sent and (holder := _holder(came, role, sent[1])):
                count(holder, sent[0])
    return found


def _sent(dossier: Dossier, exchange: Exchange, role: Role) -> tuple[str, int] | None:
    """How the orders of *role* came, and the event by which it is asked who had the role; None: none were owed."""
    asked = [one for one in exchange.nmr if role in one.missing]
    sheet = dossier.campaign.sheets.get((exchange.moment, role))
    if sheet is None or sheet.kept:
        silent = exchange.resolved is not None and role in exchange.resolved.defaults
        over = dossier.log[exchange.resolved_seq - 1].at > exchange.deadline
        return ("missed", exchange.resolved_seq) if asked or (silent and over) else None
    return "late" if asked else "in_time" if sheet.at <= exchange.deadline else "grace", sheet.seq


def _holder(came: Iterable[Recorded], role: Role, seq: int) -> PlayerId | None:
    """Who had *role* when event *seq* was entered."""
    who: PlayerId | None = None
    for one in came:
        event = one.event
        if one.seq < seq and isinstance(event, PlayerEnrolled | PlayerReplaced | PlayerWithdrew) and event.role == role:
            who = None if isinstance(event, PlayerWithdrew) else event.player
    return who


def _became(dossier: Dossier, came: Iterable[Recorded]) -> Iterable[tuple[PlayerId, str]]:
    """What became of the game for each who had a role in it."""
    for one in came:
        event = one.event
        if isinstance(event, PlayerWithdrew) and dossier.campaign.started:
            yield event.player, "resigned" if one.actor == event.player else "replaced"
        elif isinstance(event, PlayerReplaced) and dossier.campaign.started:
            yield event.former, "replaced"
    for who in dict.fromkeys(dossier.campaign.players.values()):
        yield who, "finished" if dossier.campaign.ended else "plays"
