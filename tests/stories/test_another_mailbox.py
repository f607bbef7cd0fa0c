"""Ann changes her mail house in mid-campaign, and a thief reads the mailbox that she leaves.

He reads, and can write letters under any From; what comes to her new mailbox he never sees.
"""

from __future__ import annotations

from pbem.desk.house import work
from pbem.desk.intake.fates import Received
from pbem.desk.proof import verify
from pbem.kernel.names import Role
from pbem.storage import players
from tests.kit.mailboxes import code_in, mailbox
from tests.kit.table import PLAYERS, Table
from tests.kit.writers import SPY, secret, sheet

OLD, NEW, GM = PLAYERS["smuggler"], "ann@new.example", "gm@office.example"


def write(table: Table, text: str, *, sender: str = "smuggler", to: str = "") -> Received:
    """A letter from there, to the secret address *to* or the office's own."""
    return table.write(sender, text, head=f"Delivered-To: {to}" if to else "")


def address_of(table: Table) -> str | None:
    with table.office.read() as connection:
        return players.get(connection, table.dossier.campaign.players[Role("smuggler")]).address


def test_ann_takes_her_game_along_and_the_thief_stays_behind(careful: Table) -> None:
    table, office, hers = careful, careful.office, secret(careful, "smuggler")
    write(table, "move s1 to 3", to=hers)
    assert write(table, "withdraw").state == "held"  # the thief's, under her name
    stolen = code_in(office, OLD)

    # She asks, in answer to a letter of the office: nothing has changed, and each mailbox has a code of its own.
    assert write(table, f"address {NEW}", to=hers).state == "applied"
    assert address_of(table) == OLD
    answer, asked = sorted(mailbox(office, OLD)[-2:], key=lambda text: "shall your letters" in text)
    assert "Nothing has changed yet. Two codes are on their way" in answer
    assert f"asked that the letters of this office go to {NEW} from now on, and no longer come here" in asked
    assert "look who else reads this mailbox, and tell the umpire" in asked
    [there] = mailbox(office, NEW)
    assert "Somebody who plays games by mail in this office has asked that its letters come here" in there
    assert "If it was not you, do nothing: nothing changes" in there
    assert not any(word in there.lower() for word in ("ford", "smuggler", OLD))
    theirs, own = code_in(office, OLD), code_in(office, NEW)
    assert theirs != own

    # The thief gives back what he reads, from a mailbox of his own, and once more.
    write(table, f"confirm {theirs}", sender=SPY)
    write(table, f"confirm {theirs}", sender=SPY)
    assert (address_of(table), mailbox(office, SPY)) == (OLD, [])
    assert f"That is one of two codes. The other went to {NEW}" in mailbox(office, OLD)[-1]

    # Ann gives hers back, from where nobody is known yet.
    write(table, f"confirm {own}", sender=NEW)
    assert address_of(table) == NEW
    assert f"confirmed from both addresses, the letters of this office go to {NEW} now" in mailbox(office, OLD)[-1]
    assert any("Your letters come here now" in text for text in mailbox(office, NEW))
    told = mailbox(office, GM)[-1]
    assert "a player has another address" in told
    assert f"until now {OLD} from now {NEW}" in told
    assert f"If it was not he: pbem player rekey {table.dossier.campaign.players[Role('smuggler')]}" in told
    left = len(mailbox(office, OLD))

    # What the thief has of her is worth nothing now: the code of her old mailbox, her From, her secret address.
    assert write(table, f"confirm {stolen}").state == "refused"
    assert write(table, "withdraw", sender=OLD).state == "refused"
    assert write(table, "withdraw", sender=NEW, to=hers).state == "held"
    assert sheet(table) == "move s1 to 3"
    table.clock.forward(2)
    list(work.ask_again(office))
    assert any("did you write" in text for text in mailbox(office, NEW))

    # She plays on, and her reports come where she reads.
    write(table, "move s2 to 4", sender=NEW, to=secret(table, "smuggler"))
    assert sheet(table) == "move s2 to 4"
    table.turn()
    assert any("[ford] 1A report" in text for text in mailbox(office, NEW))
    assert len(mailbox(office, OLD)) == left
    assert "@" not in str(table.dossier.log)
    assert verify.verify(office, "ford").sound


def test_who_reads_the_new_mailbox_alone_moves_nobody(careful: Table) -> None:
    """A slip of her pen has sent the code to a stranger, who gives it back as often as he likes."""
    write(careful, f"address {SPY}", to=secret(careful, "smuggler"))
    found = code_in(careful.office, SPY)
    for _ in range(3):
        write(careful, f"confirm {found}", sender=SPY)
    assert address_of(careful) == OLD

    # She sees it, and asks anew: the first wish is void, with both its codes.
    first = code_in(careful.office, OLD)
    write(careful, f"address {NEW}", to=secret(careful, "smuggler"))
    write(careful, f"confirm {first}\nconfirm {found}", sender=SPY)
    assert address_of(careful) == OLD
    write(careful, f"confirm {code_in(careful.office, OLD)}\nconfirm {code_in(careful.office, NEW)}", sender=NEW)
    assert address_of(careful) == NEW
