"""What stands for a campaign where players play a system as themselves: as guests."""

from collections.abc import Sequence
from typing import Any

from engine.campaign import Campaign, Change, Nouns, Persona, Standing
from engine.dice import Dice
from engine.errors import ForeignOrder, SetupError
from engine.i18n import say
from engine.ruleset import Match

PLAYERS = Nouns(say("player"), say("players"), say("no player"))


def guests(match: Match | None) -> Campaign:
    """Return what stands for a campaign where players play a system as themselves.

    A guest has its player's name and no record. It may be in many games at once, and no game
    changes it. Without a `match` no game begins: `melee` raises SetupError.
    """

    def melee(
        ones: Sequence[Persona], others: Sequence[Persona], first: str | None
    ) -> dict[str, Any]:
        if match is None:
            raise SetupError("players: no game of this system begins by their names")
        return match.setup([one.name for one in (*ones, *others)])

    return Campaign(
        enlist=_enlist,
        # Templates for all systems read `retired` and `owed` of any sheet.
        sheet=lambda persona: {"name": persona.name, "retired": False, "owed": None},
        standing=lambda persona: Standing((), {}),
        bar=lambda one, other: None,
        crowded=lambda others, new: None,
        melee=melee,
        available=lambda persona, day: None,
        gone=lambda persona: False,
        after=lambda persona, state, seat, day, out: Change(persona),
        resign=Change,
        sparring=_no_bot,
        fleets={},
        form="",
        nouns=PLAYERS,
    )


def _enlist(text: str) -> Persona:
    raise ForeignOrder(say("nobody enlists for this game"))


def _no_bot(persona: Persona, dice: Dice) -> Persona:
    raise ForeignOrder(say("nobody practises this game"))
