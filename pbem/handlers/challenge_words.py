"""Words along with a challenge: they go to those who are challenged, and to nobody else."""

from collections.abc import Iterable
from dataclasses import dataclass

from engine.i18n import Said, say
from pbem.handlers.correspondence import LONGEST, paragraphs
from pbem.handlers.greetings import for_a_person
from pbem.handlers.request import Request
from pbem.storage import Store

_SHOWN = 120
"""The most characters of the words that the answer repeats."""


@dataclass(frozen=True, slots=True)
class ChallengeWords:
    """A challenger's words, and the players who take no letters from the challenger."""

    lines: tuple[str, ...] = ()
    deaf: frozenset[int] = frozenset()
    why_not: Said | None = None

    def to(self, player: int, author: int) -> dict[str, object]:
        """Return the words as a player gets them, with whose they are if there are any."""
        if player in self.deaf or not self.lines:
            return {"lines": []}
        return {"lines": list(self.lines), "whose": author}

    def noted(self, store: Store, text: Said) -> Said:
        """Return an answer with a sentence about the words, if there are any."""
        if self.why_not is not None:
            return say("{text}. {why}", text=text, why=self.why_not)
        if not self.lines:
            return text
        whole = " / ".join(self.lines)
        words = whole if len(whole) <= _SHOWN else f"{whole[:_SHOWN]}…"
        text = say('{text}. Your words go along: "{words}"', text=text, words=words)
        if not self.deaf:
            return text
        names = [store.players.get(one).name for one in sorted(self.deaf)]
        deaf = say("not to {names}, who takes no letters from you", names=names)
        return say("{text}; {deaf}", text=text, deaf=deaf)


def words_with(request: Request, players: Iterable[int]) -> ChallengeWords:
    """Return the words below a challenge, for the players who are challenged.

    They count as a private letter: too many on one day do not go along, and the challenge does.
    """
    text = "\n".join(for_a_person(request.below)).strip()
    if not text:
        return ChallengeWords()
    if len(text) > LONGEST:
        why = say(
            "Your words do not go along: they may have {most} characters at most", most=LONGEST
        )
        return ChallengeWords(why_not=why)
    store, limits = request.ports.store, request.ports.settings.limits
    if store.count_today(f"tell {request.player.id}", request.now) > limits.tells_a_day:
        why = say(
            "Your words do not go along, because you have sent as many letters today as one may"
        )
        return ChallengeWords(why_not=why)
    blocking = {row.player_id for row in store.blocks.all(other=request.player.id)}
    return ChallengeWords(tuple(paragraphs(text)), frozenset(blocking.intersection(players)))
