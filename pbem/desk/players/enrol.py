"""A campaign is opened, its players are enrolled, it starts, and it may be broken off."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pbem.desk.books import dossiers, observing
from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.ended import ending
from pbem.desk.books.led_by_rules import lacking, led
from pbem.desk.books.roster import people
from pbem.desk.books.seeds import Pair, thrown_with
from pbem.desk.library.scenarios import Scenario, check_scenario
from pbem.desk.office.office import Office
from pbem.desk.office.settings import is_zone
from pbem.desk.pages.pages import SET_UP
from pbem.desk.players import handover, inviting, unmanned
from pbem.desk.post.addresses import is_ours
from pbem.desk.post.entries import Entry, commit, enter, tell
from pbem.desk.turns import adjudicate, breaking_off, lateness, publish
from pbem.desk.worlds.worlds import as_written
from pbem.kernel.dice import SeededDice, promise
from pbem.kernel.errors import Refused
from pbem.kernel.event import Event
from pbem.kernel.names import CampaignId, PlayerId
from pbem.kernel.office import (
    CampaignEnded,
    CampaignOpened,
    CampaignStarted,
    Option,
    PlayerEnrolled,
    Promises,
    RulesPinned,
    TermsSet,
)
from pbem.kernel.terms import BadTerm, Terms, changed
from pbem.mail.reading.naming import for_letters, for_machines, for_people
from pbem.orders.prose import cap, listed
from pbem.reports.pages.notice import Notice
from pbem.reports.text.speech import phrase, phrase_later, speaking, spoken
from pbem.reports.text.terms import observers
from pbem.rules.options import see_options
from pbem.storage import blobs, players, secrets
from pbem.storage.database import Connection
from pbem.storage.players import Player

Words = Literal["none", "of sheets", "of answers and sheets"]
"""Which words of its players the dice of a campaign are made of, beside the seeds of the office.

None, where the office plays all sides itself; those of the answers where the players are invited: of these the dice of
the set-up are made."""


def new(
    office: Office,
    name: str,
    scenario: Scenario,
    terms: Terms | None = None,
    *,
    options: Mapping[str, Option] | None = None,
    title: str | None = None,
    words: Words = "of sheets",
) -> Dossier:
    """Open the campaign *name* from *scenario*, by *terms* (None: those of the settings), with *options* of the game.

    Its dice are made of the *words* of its players too; a campaign that invites them waits for their answers.

    :raises Refused: if the name is taken or none that can stand in a subject, or if an option or term is wrong.
    :raises BadScenario: if the scenario cannot be read.
    """
    id = CampaignId(for_machines(name, "campaign"))
    shown = for_people(title, "a campaign") if title else scenario.card.title
    system = check_scenario(scenario)
    chosen = dict(options or {})
    see_options(system.blank(system.scene(scenario.files), chosen).truth, chosen)
    terms = terms_of(terms or office.settings.terms, {})
    roles = tuple(part.role for part in scenario.card.roles)
    observing.see_terms(terms, roles)
    invite = words == "of answers and sheets"
    seeds = office.fresh_seeds() if invite else (b"", b"")
    opened = CampaignOpened(
        campaign=id,
        system=system.name,
        scenario=scenario.name,
        title=shown,
        roles=roles,
        scene=scenario.digest,
        options=chosen,
        release=terms.release,
        trust=terms.trust,
        hours=terms.hours,
        zone=terms.zone,
        words=words != "none",
        muster=Promises(*(promise(seed) for seed in seeds)) if invite else None,
    )
    pinned = RulesPinned(system=system.name, version=system.version, content=dossiers.installed(office, system))
    plain = Terms(release=terms.release, trust=terms.trust, hours=terms.hours, zone=terms.zone)
    said: list[Event] = [opened, pinned] if terms == plain else [opened, pinned, TermsSet(terms=terms)]
    at, content = office.now(), blobs.packed_up(scenario.content)
    with office.write(whole=True) as connection:
        if dossiers.is_there(connection, id):
            raise Refused(f'there is a campaign "{id}" in this office already.')
        blobs.keep_packed(connection, content, at=at)
        if invite:
            secrets.keep(connection, id, "muster", open_seed=seeds[0], closed_seed=seeds[1], at=at)
        log = dossiers.log_of(office, connection, system)
        log.append(id, [(SET_UP, event) for event in said], expecting=0, at=at, actor=office.by)
    with office.read() as connection:
        return dossiers.load(office, connection, id)


def set_terms(
    office: Office, campaign: str, changes: Mapping[str, object], reason: str = "", *, phase: str = ""
) -> Dossier:
    """Change terms of *campaign*, or the schedule of *phase* alone; values may be as people write them.

    A deadline that is set already stays: `turn extend` moves it.

    :raises Refused: if there is no such term, it cannot have that value, or nothing would change.
    """

    def build(connection: Connection) -> tuple[Entry, Dossier]:
        dossier = dossiers.load(office, connection, campaign)
        if dossier.campaign.ended:
            raise Refused(f"{dossier.id} is over: {ending(dossier.campaign.ended)}.")
        now = dossier.campaign.terms
        terms = terms_of(now, changes, phase=phase)
        observing.see_terms(terms, dossier.roles)
        if terms == now:
            raise Refused(f"nothing would change: these are the terms of {dossier.id} already.")
        entry = Entry(dossier, office.now(), office.by)
        entry.add(dossier.campaign.now or SET_UP, TermsSet(terms=terms, reason=reason))
        if terms.late_after != now.late_after and dossier.campaign.started:
            lateness.tell_rule(connection, entry)
        _tell_of_observers(connection, entry, now)
        return entry, entry.dossier

    return enter(office, build)


def _tell_of_observers(connection: Connection, entry: Entry, before: Terms) -> None:
    """Tell all players if others may look on otherwise than *before*: they play by what they were told."""
    dossier = entry.dossier
    terms = dossier.campaign.terms
    if (before.observers, before.observers_delay) == (terms.observers, terms.observers_delay):
        return
    if not (before.observers or terms.observers):
        return
    then = phrase_later(
        "A turn that has begun is shown to nobody sooner, and no more of it, than you were told before."
    )
    for role, player in people(connection, dossier).items():
        if player:
            with speaking(dossier.campaign.language(role)):
                who = phrase("who may look on")
                notice = Notice(
                    campaign=dossier.id,
                    subject=f"[{dossier.id}] {who}",
                    heading=cap(who),
                    summary=f"{cap(observers(terms))}.",
                    body=then if dossier.campaign.started else "",
                )
            tell(entry, role, player, notice, cause=f"observers/{dossier.seq}/{role}")


def terms_of(terms: Terms, changes: Mapping[str, object], *, phase: str = "") -> Terms:
    """*terms* with *changes* to them, or to the schedule of *phase*; values may be as people write them.

    :raises Refused: if there is no such term, or it cannot have that value.
    """
    try:
        made = changed(terms, changes, phase=phase)
    except BadTerm as error:
        raise Refused(f"{error}.") from None
    if not is_zone(made.zone):
        raise Refused(f'there is no time zone "{made.zone}": write one like Europe/Berlin.')
    if made.language not in spoken():
        raise Refused(f'nothing is written in "{made.language}" here: there are {listed(spoken())}.')
    return made


def add_player(office: Office, campaign: str, role: str, *, name: str, address: str, zone: str | None = None) -> Player:
    """Enrol a person for *role*: the one who is known by *address*, or a new one.

    :raises Refused: if the role is taken, there is no such role, or the address is none.
    """
    checked = checked_address(office, address)
    at = office.now()
    with office.read() as connection:
        dossiers.load(office, connection, campaign).ground.read()
    with office.write(whole=True) as connection:
        dossier = dossiers.load(office, connection, campaign)
        wanted = dossier.role(role)
        if wanted in dossier.campaign.players:
            holder = players.get(connection, dossier.campaign.players[wanted])
            raise Refused(f"{wanted} is played by {holder.name or holder.id} already.")
        player = person(office, connection, checked, name=name, zone=zone, at=at)
        observing.see_may_play(dossier, player.id, wanted)
        entry = Entry(dossier, at, office.by)
        begun = bool(dossier.campaign.started)
        lapses = handover.lapsing(dossier, wanted) if begun else None
        entry.add(dossier.campaign.now or SET_UP, PlayerEnrolled(role=wanted, player=player.id, lapses=lapses))
        unmanned.change(office, connection, entry, wanted, played=True)
        if begun:
            handover.take_over(office, connection, entry, wanted, player)
        inviting.invite(entry, wanted, player)
        commit(office, connection, entry)
    return player


def checked_address(office: Office, address: str) -> str:
    """An address that a player can have, as it is written down.

    :raises Refused: if it is none, is the office's own, or is one that machines write from.
    """
    checked = for_letters(address)
    if is_ours(office, checked):
        raise Refused(
            f"{checked} is the office's own address: what comes from there it takes for one of its own letters, come "
            "round.  A player needs another."
        )
    return checked


def person(office: Office, connection: Connection, address: str, *, name: str, zone: str | None, at: int) -> Player:
    """The person who is known by *address*, or a new one.

    :raises Refused: if there is no such time zone, or nobody can be called so.
    """
    known = players.by_address(connection, address)
    if known is None:
        id, name = PlayerId(office.fresh_id()), for_people(name, "a player")
        return players.add(connection, id, name=name, address=address, zone=zone or office.settings.zone, at=at)
    return players.change(connection, known.id, zone=zone) if zone else known


def start(office: Office, campaign: str, *, anyhow: bool = False) -> Dossier:
    """Set the field up, open the first exchange, and brief every player.

    A role without a player that the rules of the game can lead is left to them.  *anyhow*: though somebody has not
    answered his invitation.

    :raises Refused: if it has started, another role has no player, or other rules are installed than it is pinned to.
    """
    at = office.now()

    def build(connection: Connection) -> tuple[Entry, CampaignId]:
        dossier = dossiers.load(office, connection, campaign)
        if dossier.campaign.started:
            raise Refused(f"{dossier.id} has started already.")
        if dossier.campaign.cut:
            raise Refused(f"{dossier.id} is a copy that was cut before it began: it could only begin as it did.")
        if dossier.campaign.ended:
            raise Refused(f"{dossier.id} is over: {ending(dossier.campaign.ended)}.")
        adjudicate.see_rules(office, dossier)
        if missing := lacking(dossier):
            raise Refused(
                f"{dossier.id} cannot start: nobody plays {listed(missing)}.  "
                f"First: pbem player add {dossier.id} {missing[0]} --name NAME --address ADDRESS"
            )
        silent = inviting.unanswered(dossier)
        if silent and not anyhow:
            raise Refused(
                f"{dossier.id} cannot start: {listed(silent)} {'has' if len(silent) == 1 else 'have'} not answered "
                f"the invitation.  All the same: pbem campaign start {dossier.id} --now"
            )
        entry = Entry(dossier, at, office.by)
        _muster(office, connection, entry)
        unmanned.leave(office, connection, entry, SET_UP, led(dossier))
        publish.open_play(office, connection, entry)
        if dossier.campaign.terms.late_after:
            lateness.tell_rule(connection, entry)
        return entry, dossier.id

    id = enter(office, build)
    with office.read() as connection:
        return dossiers.load(office, connection, id)


def end(office: Office, campaign: str, reason: str) -> CampaignEnded:
    """Break *campaign* off: nobody has won, every seed is revealed, and the players are told.

    :raises Refused: if it is over, or something that was resolved waits to be made known.
    """
    how = reason.strip().removesuffix(".")
    if not how:
        raise Refused("to end a campaign takes a reason: --reason TEXT.  The players are told.")

    def build(connection: Connection) -> tuple[Entry, CampaignEnded]:
        entry = _end(office, connection, campaign, how)
        ended = entry.dossier.campaign.ended
        assert ended is not None, "it was entered"
        return entry, ended

    return enter(office, build)


def _end(office: Office, connection: Connection, campaign: str, how: str) -> Entry:
    """The entry that breaks *campaign* off, with a letter to every player."""
    dossier = dossiers.load(office, connection, campaign)
    if dossier.campaign.ended:
        raise Refused(f"{dossier.id} is over: {ending(dossier.campaign.ended)}.")
    exchange = dossier.campaign.exchange
    if exchange and exchange.state in ("halted", "resolved"):
        raise Refused(
            f"turn {exchange.moment} is {exchange.state}, and nobody knows of it yet.  "
            f"First: pbem turn release {dossier.id}, or pbem turn annul {dossier.id} --reason TEXT"
        )
    entry = Entry(dossier, office.now(), office.by)
    breaking_off.end(office, connection, entry, how)
    return entry


def _muster(office: Office, connection: Connection, entry: Entry) -> None:
    """Set the field up with dice of its own: with those promised when players were invited, or with fresh ones."""
    dossier = entry.dossier
    if dossier.opened.muster and (promises := dossier.campaign.muster):
        kept = secrets.get(connection, dossier.id, promises)
        thrown = thrown_with(dossier.campaign, SET_UP, Pair(kept.open, kept.closed))
    else:
        fresh = office.fresh_seeds()
        promises, thrown = entry.promise("muster", fresh), Pair(*fresh)
    assert thrown.open, "the office's is known"
    assert thrown.closed, "the office's is known"
    dice = SeededDice(SET_UP, open_seed=thrown.open, closed_seed=thrown.closed, forced={})
    facts = as_written(dossier.system, dossier.system.muster(dossier.scene, dossier.blank, dice))
    silent = tuple(inviting.unanswered(dossier))
    entry.add(SET_UP, CampaignStarted(promises=promises, words=dict(thrown.words or {}), unanswered=silent), *facts)
