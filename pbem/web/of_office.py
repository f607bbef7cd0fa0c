"""What a GM does with the office: campaigns are opened, letters and mails dealt with, people looked after."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.desk.access import sign_in
from pbem.desk.access.people import known_by
from pbem.desk.books.dossiers import load
from pbem.desk.deeds.deed import Deed, Field, Values
from pbem.desk.gm import waiting
from pbem.desk.library.scenarios import find_scenario
from pbem.desk.office import gms_written
from pbem.desk.office.gm import Gm, Share
from pbem.desk.office.office import Office
from pbem.desk.players import aliases, changes, enrol
from pbem.desk.players.rekey import rekey as make_new
from pbem.desk.post import delivery
from pbem.desk.post.stopping import resume_by_gm
from pbem.desk.ways import quarantine
from pbem.kernel.errors import Refused
from pbem.kernel.numbers import whole
from pbem.kernel.office import Option

SHARES: Mapping[str, Share] = {"all": "all", "run": "run", "read": "read"}
WHO = Field(name="who", kind="given", longest=320)
LETTER = Field(name="letter", kind="given", longest=12)
MAIL = Field(name="mail", kind="given", longest=60)
ADDRESS = Field(name="address", label="Address", longest=320)


def new(office: Office, campaign: str, values: Values) -> str:
    """Open a campaign."""
    words: enrol.Words = "of answers and sheets" if values["invite"] == "on" else "of sheets"
    found = find_scenario(office.folder, values["scenario"])
    chosen = dict(option(line) for line in values["options"].splitlines() if line.strip())
    opened = enrol.new(office, values["name"], found, options=chosen, title=values["title"] or None, words=words)
    return f"{opened.id} is open: {opened.opened.title}.  Its players are enrolled on its page."


def option(line: str) -> tuple[str, Option]:
    """An option of a game as one writes it.

    >>> option("fog = false"), option("cap=12")
    (('fog', False), ('cap', 12))
    """
    name, sign, value = line.partition("=")
    name, value = name.strip(), value.strip()
    if not sign or not name or not value:
        raise Refused(f'"{line.strip()[:80]}" is no option: write NAME=VALUE, one a line.')
    if value.lower() in ("true", "false"):
        return name, value.lower() == "true"
    number = whole(value, sign=True)
    return name, value if number is None else number


def accept(office: Office, campaign: str, values: Values) -> str:
    """Take a letter as written by whom it seems to be from."""
    done = quarantine.accept(office, _letter(values))
    return f"Letter {done.letter}: {done.state}: {done.reason}."


def accept_as(office: Office, campaign: str, values: Values) -> str:
    """Take a letter as written by somebody."""
    letter, player = _letter(values), aliases.meant_by(office, values["whose"])
    sender = waiting.sender_of(office, letter) if values["address"] == "on" else ""
    done = quarantine.accept_as(office, letter, player)
    if sender:
        aliases.add_address(office, player.id, sender)
    return f"Letter {done.letter}: {done.state}: {done.reason}."


def retry(office: Office, campaign: str, values: Values) -> str:
    """Read a letter once more."""
    done = quarantine.retry(office, _letter(values))
    return f"Letter {done.letter}: {done.state}: {done.reason}."


def discard(office: Office, campaign: str, values: Values) -> str:
    """Put a letter away."""
    waiting.discard(office, _letter(values), values["reason"])
    return f"Letter {values['letter']} is put away; its bytes are kept."


def send(office: Office, campaign: str, values: Values) -> str:
    """Hand what is due to the mail server."""
    sent = delivery.send_due(office)
    return f"{len(sent.sent)} sent, {len(sent.later)} to be tried again, {len(sent.failed)} failed."


def again(office: Office, campaign: str, values: Values) -> str:
    """Send a mail after all."""
    return f"“{delivery.again(office, values['mail']).subject}” waits to leave."


def drop(office: Office, campaign: str, values: Values) -> str:
    """Never send a mail."""
    return f"“{delivery.drop(office, values['mail']).subject}” never leaves."


def rekey(office: Office, campaign: str, values: Values) -> str:
    """Make a player's secret addresses void."""
    done = make_new(office, values["who"], address=values["address"])
    said = [
        f"{one.player.name or one.player.id} answers to a new address"
        + (f"; letters go to {one.player.address}" if one.former else "")
        for one in done
    ]
    return f"{'.  '.join(said) or 'Nobody plays it yet'}.  He is signed out everywhere."


def add_address(office: Office, campaign: str, values: Values) -> str:
    """Let a player write from another address too."""
    who = aliases.add_address(office, values["who"], values["address"])
    return f"{who.name or who.id} may write from {values['address']} too; the first letter from there asks him."


def drop_address(office: Office, campaign: str, values: Values) -> str:
    """Let letters from an address no longer count as his."""
    who = aliases.drop_address(office, values["who"], values["address"])
    return f"What comes from {values['address']} is no longer taken for that of {who.name or who.id}."


def resume(office: Office, campaign: str, values: Values) -> str:
    """Let letters go again to a player."""
    found = resume_by_gm(office, changes.find_player(office, values["who"]).id)
    return f"Letters go to {found.name or found.id} again."


def erase(office: Office, campaign: str, values: Values) -> str:
    """Destroy what is known of a player."""
    found = changes.find_player(office, values["who"])
    if values["sure"].strip() != found.id:
        raise Refused(f"to erase {found.name or found.id} for ever, type {found.id}.  Nothing was erased.")
    changes.erase_player(office, found.id)
    return f"{found.id} is erased; backups that were made before still hold it."


def link(office: Office, campaign: str, values: Values) -> str:
    """Make a link by which somebody comes in once."""
    found = changes.find_player(office, values["who"])
    with office.read() as connection:
        whose = known_by(office, connection, found.address or "")
    return f"Of use once, for 24 hours: {sign_in.address_of(office, sign_in.handed_on(office, whose))}"


def add_gm(office: Office, campaign: str, values: Values) -> str:
    """Have somebody run games too."""
    games = values["games"].split()
    with office.read() as connection:
        for game in games:
            load(office, connection, game)
    share = SHARES[values["rights"]]
    rights: Share | dict[str, Share] = dict.fromkeys(games, share) if games else share
    added = gms_written.add(office.folder, Gm(name=values["name"], address=values["address"], rights=rights))
    return f"{added.name} runs games from {added.address}, at once."


def remove_gm(office: Office, campaign: str, values: Values) -> str:
    """Let somebody run games no more."""
    gone = gms_written.remove(office.folder, values["who"])
    return f"{gone.name} runs games no more; what he did stands in the logs under his name."


def renew_gm(office: Office, campaign: str, values: Values) -> str:
    """Make void the secret addresses of somebody who runs games."""
    found = gms_written.renew(office.folder, values["who"])
    return f"{found.name} answers to new addresses; what comes to the old ones is asked back."


def _letter(values: Values) -> int:
    if not values["letter"].isdecimal():
        raise Refused("that is no letter of this office.")
    return int(values["letter"])


DEEDS = (
    Deed(
        name="new", label="Open a campaign", right="people", does=new, command="pbem campaign new NAME SCENARIO",
        fields=(
            Field(name="name", label="Its name, which stands in subjects: stprivat-autumn", longest=40),
            Field(name="scenario", label="Scenario", longest=120),
            Field(name="title", label="Title; else that of the scenario", needed=False, longest=120),
            Field(name="options", label="Options, NAME=VALUE, one a line", kind="text", needed=False, longest=4000),
            Field(name="invite", label="Ask the players first", kind="yes", needed=False),
        ),
    ),
    Deed(
        name="accept", label="Take it as his", right="post", does=accept,
        command="pbem mail quarantine accept {letter}", fields=(LETTER,),
    ),
    Deed(
        name="accept-as", label="Take it as somebody’s", right="post", does=accept_as,
        command="pbem mail quarantine accept {letter} --as WHO",
        fields=(
            LETTER,
            Field(name="whose", label="Whose it is: his id, name or address", longest=320),
            Field(name="address", label="He may write from there from now on", kind="yes", needed=False),
        ),
    ),
    Deed(
        name="retry-letter", label="Read it once more", right="post", does=retry,
        command="pbem mail quarantine retry {letter}", fields=(LETTER,),
    ),
    Deed(
        name="discard", label="Put it away", right="post", does=discard,
        command="pbem mail quarantine discard {letter} --reason …",
        fields=(LETTER, Field(name="reason", label="Why: it stands beside the letter")),
    ),
    Deed(
        name="send", label="Send what is due", right="post", does=send, command="pbem mail send",
    ),
    Deed(
        name="again", label="Send it again", right="post", does=again,
        command="pbem mail outbox retry {mail}", fields=(MAIL,),
    ),
    Deed(
        name="drop", label="Never send it", right="post", does=drop,
        command="pbem mail outbox drop {mail}", fields=(MAIL,),
    ),
    Deed(
        name="link", label="Make a link for him", right="people", does=link,
        command="pbem web link {who}", fields=(WHO,),
        hint="Hand it on yourself: whoever opens it is let in as him, once.",
    ),
    Deed(
        name="rekey", label="New secret addresses", right="people", does=rekey,
        command="pbem player rekey {who}",
        fields=(WHO, Field(name="address", label="Letters go from now on to", needed=False, longest=320)),
    ),
    Deed(
        name="add-address", label="He may write from elsewhere too", right="people", does=add_address,
        command="pbem player add-address {who} ADDRESS", fields=(WHO, ADDRESS),
    ),
    Deed(
        name="drop-address", label="Not from there any more", right="people", does=drop_address,
        command="pbem player drop-address {who} ADDRESS", fields=(WHO, ADDRESS),
    ),
    Deed(
        name="resume", label="Let letters go to him again", right="post", does=resume,
        command="pbem mail resume {who}", fields=(WHO,),
    ),
    Deed(
        name="erase", label="Erase him", right="people", does=erase, command="pbem player erase {who}",
        fields=(WHO, Field(name="sure", label="Type his number", longest=80)),
    ),
    Deed(
        name="add-gm", label="Somebody runs games too", right="people", does=add_gm,
        command="pbem gm add NAME --address …",
        fields=(
            Field(name="name", label="What he is called, in the log too", longest=40),
            Field(name="address", label="Where he reads and writes letters", longest=320),
            Field(name="rights", label="How much he may do", kind="choice", choices=tuple(SHARES), value="all"),
            Field(name="games", label="In these games alone, by their names", needed=False, longest=400),
        ),
    ),
    Deed(
        name="renew-gm", label="New secret addresses", right="people", does=renew_gm,
        command="pbem gm renew {who}", fields=(WHO,),
    ),
    Deed(
        name="remove-gm", label="He runs games no more", right="people", does=remove_gm,
        command="pbem gm remove {who}", fields=(WHO,),
    ),
)  # fmt: skip
"""In the order in which an office meets them."""
