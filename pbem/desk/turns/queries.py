"""Questions of the rules to a role: the letter that asks, and the lines that answer it."""

from __future__ import annotations

from pbem.desk.post.entries import Entry, tell
from pbem.kernel.names import Role
from pbem.kernel.office import QueryPut
from pbem.reports.pages.notice import Notice
from pbem.reports.text.speech import phrase, phrase_later, speaking
from pbem.storage import players
from pbem.storage.database import Connection

_ONE_OF, _LIKE = phrase_later("Answer with one of these lines"), phrase_later("Answer with a line like this")


def ask(connection: Connection, entry: Entry, query: QueryPut) -> None:
    """Owe the role to which *query* is put the letter that asks it; nothing, if it is put to the GM."""
    dossier = entry.dossier
    if query.to is None or query.to not in dossier.campaign.players:
        return
    player = players.get(connection, dossier.campaign.players[query.to])
    with speaking(dossier.campaign.language(query.to)):
        head = phrase("A question to {role}", role=query.to)
        subject = phrase("{moment} a question to {role}", moment=query.moment, role=query.to)
    notice = Notice(
        campaign=dossier.id,
        subject=f"[{dossier.id}] {subject}",
        heading=head,
        summary=query.asks,
        facts=(("If you say nothing", query.otherwise),) if query.otherwise else (),
        quoted=((_ONE_OF if query.options else _LIKE, lines(query)),),
    )
    tell(entry, query.to, player, notice, cause=f"query/{query.moment}/{query.to}/{query.key}")


def answered_for(connection: Connection, entry: Entry, query: QueryPut, answer: str) -> None:
    """Owe the role to which *query* was put the letter that says how the GM answered it in its name."""
    dossier = entry.dossier
    if query.to is None or query.to not in dossier.campaign.players:
        return
    with speaking(dossier.campaign.language(query.to)):
        head = phrase("The umpire answered for {role}", role=query.to)
        subject = phrase("{moment} the umpire answered for {role}", moment=query.moment, role=query.to)
    notice = Notice(
        campaign=dossier.id,
        subject=f"[{dossier.id}] {subject}",
        heading=head,
        summary=query.asks,
        quoted=((phrase_later("The umpire entered this for you"), f"answer {query.key}: {answer}"),),
    )
    player = players.get(connection, dossier.campaign.players[query.to])
    tell(entry, query.to, player, notice, cause=f"answered/{query.moment}/{query.to}/{query.key}/{dossier.seq}")


def lines(query: QueryPut) -> str:
    """The lines by which *query* can be answered."""
    return "\n".join(f"answer {query.key}: {option}" for option in query.options or ("…",))


def open_to(entry: Entry, role: Role) -> list[QueryPut]:
    """The questions that *role* has not answered."""
    return [query for query in entry.dossier.campaign.queries.values() if query.to == role]
