"""`pbem mail send`, `outbox` and `resume`: letters that leave, and what became of them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli import common
from pbem.cli.lazy import Group

if TYPE_CHECKING:
    from pbem.desk.post.delivery import Mail

STATES = ("queued", "sending", "sent", "failed", "dropped")


@click.command()
@click.option(
    "--dry-run",
    "folder",
    metavar="FOLDER",
    type=click.Path(file_okay=False, path_type=Path),
    help="Send nothing; write what waits as files (.eml).",
)
@common.json_option
@click.pass_context
def send(context: click.Context, folder: Path | None, as_json: bool) -> None:
    """Hand every letter that is due to the mail server, and tell programs of players what is due.

    \b
    Example:
      pbem mail send
      pbem mail send --dry-run letters
    """
    from pbem.desk.post import delivery, hooks_due

    with common.the_office() as office:
        if folder is not None:
            written = [str(path) for path in delivery.write_due(office, folder)]
            if as_json:
                common.print_json(written)
            elif written:
                click.echo("\n".join(written))
            return
        with common.progress("Sending", delivery.due(office)) as done:
            sent = delivery.send_due(office, progress=done)
        told = hooks_due.tell_due(office)
    if as_json:
        parts = {"sent": sent.sent, "later": sent.later, "failed": sent.failed, "expired": sent.expired}
        said: dict[str, object] = {name: [_plain(one) for one in mails] for name, mails in parts.items()}
        programs = {"sent": told.sent, "later": told.later, "failed": told.failed}
        said["programs"] = {name: [_plain(one) for one in some] for name, some in programs.items()}
        common.print_json({**said, "held_up": dict(sent.held_up)})
    else:
        click.echo(f"{len(sent.sent)} sent, {len(sent.later)} to be tried again, {len(sent.failed)} failed")
        for one in (*sent.later, *sent.failed, *sent.expired):
            click.echo(common.look(f"  {one.id}  {one.subject}: {one.answer}"))
        for one in (*told.later, *told.failed):
            click.echo(common.look(f"  {one.id}  a program could not be told: {one.subject}: {one.answer}"))
        for domain, count in sent.held_up.items():
            click.echo(f"  {common.plural(count, 'more waits', 'more wait')}: enough for {domain} in this minute")
    context.exit(1 if sent.failed else 0)


@click.group(cls=Group)
def outbox() -> None:
    """What the office owes, and what became of it."""


@outbox.command("list")
@click.argument("campaign", type=common.CAMPAIGN, required=False)
@click.option("--state", type=click.Choice(STATES), help="Only these.")
@common.json_option
def list_mails(campaign: str | None, state: str | None, as_json: bool) -> None:
    """List the mails of the office, or those of CAMPAIGN.

    \b
    Example:
      pbem mail outbox list --state failed
    """
    from pbem.desk.post import delivery
    from pbem.reports.text.times import in_zone

    with common.the_office() as office:
        mails = delivery.listing(office)
        zone = office.settings.zone
        found = [one for one in mails if state in (None, one.state) and campaign in (None, one.campaign)]
        to = delivery.recipients(office, found)
    if as_json:
        common.print_json([{**_plain(one), "to": to[one.id].address} for one in found])
        return
    if not found:
        click.echo("Nothing there.")
        return
    columns = ("Id", "To", "Subject", "State", "When", "The server's words")
    # Where no server has said anything yet, its column would take the room of the subjects.
    shown = len(columns) if any(one.answer for one in found) else -1
    rows = [
        (one.id, to[one.id].name, one.subject, one.state, in_zone(one.sent_at or one.due_at, zone), one.answer)
        for one in found
    ]
    common.table(columns[:shown], [row[:shown] for row in rows])


@outbox.command()
@click.argument("mail", metavar="ID")
@click.option("--raw", is_flag=True, help="Print the bytes alone, as they leave.")
@common.json_option
def show(mail: str, raw: bool, as_json: bool) -> None:
    """Show one mail: what became of it, and its text.

    \b
    Example:
      pbem mail outbox show k3v9q2m4x7h5t8wa
      pbem mail outbox show k3v9q2m4x7h5t8wa --raw > report.eml
    """
    from pbem.desk.post import delivery
    from pbem.kernel.errors import Refused
    from pbem.reports.text.times import in_zone

    with common.the_office() as office:
        shown = delivery.shown(office, mail)
        zone = office.settings.zone
    if raw:
        if shown.raw is None:
            raise Refused(f"the bytes of mail {mail} were erased.")
        sys.stdout.buffer.write(shown.raw)
        return
    one, back = shown.mail, shown.setback
    if as_json:
        came = {"at": common.iso(back.at), "status": back.status, "words": back.words} if back else None
        common.print_json({**_plain(one), "to": shown.to, "came_back": came, "text": shown.text})
        return
    facts = [
        ("To", shown.to or "erased"),
        ("Subject", one.subject),
        ("State", one.state),
        ("Owed", in_zone(one.created_at, zone)),
        ("Sent", in_zone(one.sent_at, zone)) if one.sent_at else ("Due", in_zone(one.due_at, zone)),
        ("Attempts", str(one.attempts)),
        ("Server", one.answer),
        ("Came back", f"{in_zone(back.at, zone)}, {back.status} {back.words}" if back else ""),
        ("Message-ID", one.message_id),
    ]
    common.pairs([(term, said) for term, said in facts if said])
    click.echo(f"\n{shown.text or 'Its bytes were erased.'}")


@outbox.command()
def rewrite() -> None:
    """Write again what could not be written, when that is mended (`pbem doctor` names it).

    \b
    Example:
      pbem mail outbox rewrite
    """
    from pbem.desk.post import writing

    with common.the_office() as office:
        done, left = writing.rewrite(office)
    click.echo(f"{done} written; {left} could not be: pbem doctor" if left else f"{done} written")


@outbox.command()
@click.argument("mails", metavar="ID...", nargs=-1, required=True)
@common.json_option
def retry(mails: tuple[str, ...], as_json: bool) -> None:
    """Send what failed or was dropped after all, and what waits at once.

    \b
    Example:
      pbem mail outbox retry k3v9q2m4x7h5t8wa
    """
    from pbem.desk.post import delivery

    with common.the_office() as office:
        changed = [delivery.again(office, one) for one in mails]
    _print_changed(changed, as_json, "waits to leave")
    if not as_json:
        common.then_mail()


@outbox.command()
@click.argument("mails", metavar="ID...", nargs=-1, required=True)
@common.json_option
def drop(mails: tuple[str, ...], as_json: bool) -> None:
    """Never send these.

    \b
    Example:
      pbem mail outbox drop k3v9q2m4x7h5t8wa
    """
    from pbem.desk.post import delivery

    with common.the_office() as office:
        changed = [delivery.drop(office, one) for one in mails]
    _print_changed(changed, as_json, "never leaves")


@click.command()
@click.argument("player")
def resume(player: str) -> None:
    """Let letters go again to PLAYER (his id, or his address), who had stopped them.

    A letter from him does the same.

    \b
    Example:
      pbem mail resume canrobert@player.example
    """
    from pbem.desk.players.changes import find_player
    from pbem.desk.post.stopping import resume_by_gm

    with common.the_office() as office:
        found = resume_by_gm(office, find_player(office, player).id)
    click.echo(f"Letters go to {found.name or found.id} again.")
    common.then_mail()


def _print_changed(mails: list[Mail], as_json: bool, what: str) -> None:
    if as_json:
        common.print_json([_plain(one) for one in mails])
        return
    for one in mails:
        click.echo(f"  {one.id}  {one.subject}: {what}")


def _plain(one: Mail) -> dict[str, object]:
    return {
        "id": one.id,
        "campaign": one.campaign,
        "player": one.player,
        "kind": one.kind,
        "cause": one.cause,
        "subject": one.subject,
        "state": one.state,
        "attempts": one.attempts,
        "due": common.iso(one.due_at),
        "expires": common.iso(one.expires_at),
        "sent": common.iso(one.sent_at),
        "answer": one.answer,
    }
