"""Forms of a GM's deeds, and what comes of them: each is done once, however often its form is sent.

One that says something else, on a page to which somebody went back, is another.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence

from msgspec import Struct

from pbem.desk.access.people import EVERYWHERE
from pbem.desk.deeds import of_campaign
from pbem.desk.deeds.deed import Deed, Done, Values, carried_out, read
from pbem.desk.deeds.of_campaign import seq_of
from pbem.desk.office.office import Office
from pbem.kernel.errors import Refused
from pbem.web import of_office
from pbem.web.asking import Answer, Ask, Does, Go, Later

KEPT = 2_000
"""So many forms are remembered that were sent."""

OF_CAMPAIGN = of_campaign.BY_NAME
OF_OFFICE = {deed.name: deed for deed in of_office.DEEDS}

UNDER_WAY = "That was sent already, and is being done.  Open the page again in a while, and see."

_SENT: OrderedDict[tuple[str, ...], str] = OrderedDict()
"""What was said to a form, by whose it was, what it bore, its deed, and its fields; empty while it is being done."""


class Form(Struct, frozen=True, kw_only=True):
    """A deed as a page offers it."""

    deed: Deed
    to: str
    """Where the form is sent."""
    once: str
    seq: int
    """Where the log ended."""
    roles: Sequence[str] = ()
    given: Mapping[str, str] = {}
    """What the page fills in."""
    back: str = ""
    """The page to come back to; else that of the deed."""
    main: bool = False
    """Whether it is what the page is for."""
    may: bool = True
    """Whether he may send it who looks at the page; else it is not there."""

    @property
    def command(self) -> str:
        """The command that does the same."""
        said = self.deed.command
        for name, value in self.given.items():
            said = said.replace(f"{{{name}}}", value)
        return said

    @property
    def fields(self) -> bool:
        """Whether there is anything to fill in."""
        return any(field.kind != "given" for field in self.deed.fields)


def done_by(deed: Deed) -> Does:
    """What does *deed* when its form is sent; then it goes where it was sent from."""

    def do(ask: Ask) -> Answer:
        campaign = ask.named.get("campaign", "")
        values = read(deed, ask.form)
        assert ask.visit is not None, "a deed is a GM's"
        form = (ask.visit.session.id, ask.form.get("once", "")[:60], deed.name, campaign, *values.values())
        back = _back(ask)
        if form in _SENT:
            was = _SENT[form]
            return Go(back, f"That was sent already, and was done once.  {was}" if was else UNDER_WAY)
        if deed.of_log and ask.form.get("seq", "") != str(seq_of(ask.office, campaign)):
            raise Refused(
                "something has come in since this page was made.  Nothing was done.  Open the page again, and look."
            )
        _SENT[form] = ""
        while len(_SENT) > KEPT:
            _SENT.popitem(last=False)

        def lost() -> None:
            _SENT.pop(form, None)

        def then(done: Done) -> Answer:
            if not done.well:
                lost()
                raise Refused(done.says)
            _SENT[form] = done.says
            return Go(back, done.says)

        return Later(_do, (deed.name, campaign, values, ask.person.name), then, lost, slow=True)

    return do


def _do(office: Office, name: str, campaign: str, values: Values, gm: str) -> Done:
    """Do the deed of that name for the GM who asked for it, in the process of long work."""
    deed = OF_CAMPAIGN[name] if campaign else OF_OFFICE[name]
    return carried_out(office.as_gm(gm), deed, campaign, values)


def _back(ask: Ask) -> str:
    """The page that the form says, if it is one of the desk's; else that of the game, or the desk."""
    said, campaign = ask.form.get("back", ""), ask.named.get("campaign")
    if said.startswith("/desk") and said.isprintable() and len(said) < 200:
        return said
    return f"/desk/games/{campaign}" if campaign else "/desk"


class Forms:
    """Makes the forms of one page."""

    def __init__(
        self, ask: Ask, deeds: Mapping[str, Deed], base: str, *, seq: int = 0, roles: Sequence[str] = ()
    ) -> None:
        self._ask, self._deeds, self._base, self._seq, self._roles = ask, deeds, base, seq, roles
        self._once = ask.office.fresh_id()
        self._made = 0

    def __call__(self, name: str, *, main: bool = False, back: str = "", **given: str) -> Form:
        """The form of the deed of that name; *given*: what the page fills in."""
        self._made += 1
        campaign = self._ask.named.get("campaign", "")
        return Form(
            deed=self._deeds[name],
            to=f"{self._base}/do/{name}",
            once=f"{self._once}-{self._made}",
            seq=self._seq,
            roles=self._roles,
            given={"campaign": campaign, **given} if campaign else given,
            back=back,
            main=main,
            may=self._ask.person.may(self._deeds[name].right, campaign or EVERYWHERE),
        )


def office_forms(ask: Ask) -> Forms:
    """Makes forms of what is done with the office."""
    return Forms(ask, OF_OFFICE, "/desk")
