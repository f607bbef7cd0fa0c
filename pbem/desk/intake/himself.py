"""What a player says of himself and of no game: by which clock he has hours told, and his addresses.

None of it stands in a log: it is written beside the entry, in its transaction.  It is done for who has proved who he
is, by any terms: a letter that only its From vouches for is asked back.  A move of his letters is asked back whatever
the proof, by codes to both addresses (`desk.players.own_addresses`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from msgspec.structs import replace

from pbem.desk.access.zones import zone_called
from pbem.desk.intake.doubts import AskBack
from pbem.desk.intake.intake import Answer, Intake
from pbem.desk.intake.writers import sure
from pbem.desk.players import own_addresses
from pbem.desk.players.own_addresses import What
from pbem.kernel.errors import Refused
from pbem.kernel.names import PlayerId
from pbem.orders.words import Command
from pbem.reports.text.speech import phrase, phrase_later
from pbem.reports.text.times import in_zone
from pbem.storage import aliases, players
from pbem.storage.database import Connection


def zone(intake: Intake, command: Command) -> list[Answer]:
    """Have hours told to the writer by another clock, or say by which they are."""
    if not command.argument:
        return [("", phrase("Your hours are told by the clock of {zone}.", zone=intake.player.zone))]
    _see_proof(intake, "it sets the clock by which you have hours told")
    try:
        named = zone_called(command.argument)
    except Refused as refused:
        return _not(intake, phrase("Your clock stays as it is: {why}", why=refused))
    intake.writes.append(partial(_set_zone, intake.player.id, named))
    intake.player = replace(intake.player, zone=named)
    intake.outcome = intake.outcome or phrase_later("clock set")
    now = in_zone(intake.entry.at, named)
    said = phrase("Your hours are told by the clock of {zone} from now on.", zone=named)
    return [("", " ".join((said, phrase("When this was written it was {hour}.", hour=now))))]


def address(intake: Intake, command: Command) -> list[Answer]:
    """Ask for another address for the letters of the writer, take that back, or say which he has."""
    player, said = intake.player, _address_in(command)
    if not command.argument:
        waits = own_addresses.waiting(intake.office, intake.connection, player.id)
        moving = [
            phrase(" That it be {address} waits for its codes.", address=one.address)
            for one in waits
            if one.what == "address"
        ]
        return [("", phrase("Your letters go to {address}.", address=player.address) + "".join(moving))]
    if why := _elsewhere(intake):
        return _not(intake, why)
    if _is_off(command):
        _see_proof(intake, "it takes a wish of yours back")
        intake.writes.append(lambda connection: own_addresses.dropped(connection, player.id, "address"))
        return [
            ("", phrase("Your letters go to {address}, and no other address waits for codes.", address=player.address))
        ]
    return _ask(intake, said, "address")


def also(intake: Intake, command: Command) -> list[Answer]:
    """Ask for another address that the writer may write from, take one away, or list them."""
    player, said = intake.player, _address_in(command)
    there = aliases.of_player(intake.connection, player.id)
    waits = own_addresses.waiting(intake.office, intake.connection, player.id)
    listed = own_addresses.as_listed(there, waits)
    if not command.argument or command.argument.casefold() == "off":
        head = phrase("You write from {address}, and from", address=player.address)
        return [(head, listed or phrase("no other address"))]
    if why := _elsewhere(intake):
        return _not(intake, why)
    if not _is_off(command):
        return _ask(intake, said, "also")
    _see_proof(intake, "it takes away an address that you may write from")
    wanted = players.address_of(said)
    if wanted not in own_addresses.besides(there, waits):
        return _not(intake, phrase("{address} is no other address of yours. `also` lists them.", address=said))
    intake.writes.append(lambda connection: own_addresses.without(connection, player.id, wanted))
    intake.outcome = intake.outcome or phrase_later("an address taken away")
    return [("", phrase("What comes from {address} no longer counts as yours.", address=said))]


OF_HIMSELF: Mapping[str, Callable[[Intake, Command], list[Answer]]] = {"zone": zone, "address": address, "also": also}
"""What is done of it (`orders.commands.OF_HIMSELF`), before there is a game, too."""


def _ask(intake: Intake, said: str, what: What) -> list[Answer]:
    _see_proof(intake, "it asks for another address of yours")
    try:
        asked = own_addresses.ask(intake.office, intake.connection, intake.player, said, what)
    except Refused as refused:
        return _not(intake, phrase("Nothing has changed: {why}", why=refused))
    intake.writes.append(lambda connection: own_addresses.keep(connection, asked, at=intake.entry.at))
    if asked.wish is None:
        return _not(intake, phrase("Nothing has changed: {why}", why=asked.says))
    intake.entry.owe(asked.mails)
    intake.outcome = intake.outcome or phrase_later("an address asked for")
    return [("", asked.says)]


def _set_zone(player: PlayerId, named: str, connection: Connection) -> None:
    players.change(connection, player, zone=named)


def _is_off(command: Command) -> bool:
    return command.argument.casefold().split()[:1] == ["off"]


def _address_in(command: Command) -> str:
    """The address that stands behind a word, as mail programs write it, without `off`."""
    words = [one for one in command.argument.partition("<mailto:")[0].split() if one.casefold() != "off"]
    return " ".join(words).strip("<>;,.")


def _elsewhere(intake: Intake) -> str:
    """Why a sheet that is no letter says nothing of addresses, in a sentence: a program may hand it in."""
    by_letter = intake.message.source == "letter"
    return "" if by_letter else phrase("Addresses are changed by a letter, or on the page of your data.")


def _see_proof(intake: Intake, what: str) -> None:
    """See that the writer has proved who he is.

    :raises AskBack: if the terms of his game believe him, and nothing else does.
    """
    message = intake.message
    if message.source == "letter" and not (message.confirmed or sure(message.grade)):
        raise AskBack(f"{what}, and nothing but its From says that it is from you")


def _not(intake: Intake, why: str) -> list[Answer]:
    intake.refused = True
    return [("", why)]
