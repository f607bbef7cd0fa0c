"""The umpire looks on: by the option `gm_review` play stops before a throw and shows him what is proposed."""

from __future__ import annotations

from pbem.kernel.names import RuleId
from pbem.kernel.owed import Query
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.play.play import Play

AS_IT_STANDS = "as it stands"


@rule("KS-GM-02")
def reviewed(play: Play, purpose: str, place: str, asks: str, *options: str, attack: bool = False) -> str:
    """What the umpire says of a throw that is proposed; `as it stands` where he is not asked.

    *attack*: a throw hand to hand, of which he is asked already by `gm_review = attacks`.
    """
    review = play.war.options.gm_review
    if review == "off" or (review == "attacks" and not attack):
        return AS_IT_STANDS
    return play.ask(
        Query(
            key=f"m{play.move}/review/{purpose}/{place}", to=None, rule=RuleId("KS-GM-02"), asks=asks,
            options=(AS_IT_STANDS, *options), otherwise=AS_IT_STANDS,
        )
    )  # fmt: skip
