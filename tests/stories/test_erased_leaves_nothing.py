"""Who is erased stands in no mail that waits or could not be written, and in no subject of one that has left."""

from __future__ import annotations

from pbem.desk.books.owed import ShortLetter, encoded
from pbem.desk.players.changes import erase_player, withdraw_player
from pbem.desk.post.post import in_game, to_gm, to_player
from pbem.desk.post.writing import rewrite
from pbem.kernel.names import Role
from pbem.reports.pages.notice import Notice
from pbem.storage import owed, players
from tests.kit.table import Table
from tests.stories.test_joining import ANN, joins, opened

GUARD, SMUGGLER = Role("guard"), Role("smuggler")


def _says(address: str = "") -> ShortLetter:
    return ShortLetter(Notice(campaign="ford", subject="[ford] news", heading="News", body=f"Ask {address or 'me'}."))


def test_no_mail_that_could_not_be_written_names_him_or_leaves_later(ford: Table) -> None:
    his, other = (ford.dossier.campaign.players[role] for role in (GUARD, SMUGGLER))
    withdraw_player(ford.office, "ford", "guard", reason="He leaves.")
    at, name = ford.clock.at, ford.dossier.id
    with ford.office.write() as connection:
        him, ann = players.get(connection, his), players.get(connection, other)
        mails = [
            to_gm(name, "guard to the umpire", f"{him.name} writes.", cause="a", at=at, reply_to=him.address or ""),
            to_gm(name, "nothing of him", "The carts are late.", cause="b", at=at),
            *to_player(in_game(ford.dossier, GUARD, him), _says(), kind="notice", cause="c", at=at),
            *to_player(in_game(ford.dossier, SMUGGLER, ann), _says(him.address or ""), kind="notice", cause="d", at=at),
            *to_player(in_game(ford.dossier, SMUGGLER, ann), _says(), kind="notice", cause="e", at=at),
        ]
        for mail in mails:
            owed.owe(connection, name, mail.cause, encoded(mail), at=at)
        for row in owed.listing(connection):
            owed.fail(connection, row.id, "the template is broken")

    erase_player(ford.office, his)

    with ford.office.read() as connection:
        assert [row.cause for row in owed.failed(connection)] == ["b", "e"]
    assert rewrite(ford.office) == (2, 0)


def test_no_subject_of_a_mail_to_the_gm_names_him(table: Table) -> None:
    opened(table)
    ann = joins(table, ANN)
    name = ann.name or ""
    assert any(name in mail.subject for mail in table.mails if mail.player is None)
    erase_player(table.office, ann.id)
    assert not any(name in mail.subject or ANN in mail.answer for mail in table.mails)
