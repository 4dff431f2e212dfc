"""Letters that failed the mail server's authentication: held until their player confirms them."""

from datetime import datetime, timedelta
from re import Match

from engine.i18n import say
from pbem.channels.mail.sender_authentication import CONFIRMED
from pbem.handlers.ports import Ports
from pbem.handlers.request import Refusal, Verdict
from pbem.handlers.ruling_request import RulingRequest
from pbem.outgoing import questions
from pbem.outgoing.outbox import Reply
from pbem.outgoing.questions import ASKED
from pbem.storage import Letter, Player, Store, stored_letters

DAYS = 7
"""How many days a player has to confirm a held letter."""
TRUST = timedelta(days=30)
"""For this long after a player has confirmed one letter, none of theirs is held."""

MOST_ASKED = 10
"""How often a day a player is asked: who forges an address must not fill its mailbox."""


def is_trusted(store: Store, player: Player, letter: Letter) -> bool:
    """Return whether a player has confirmed a letter lately, so that none of theirs is held."""
    # Where a player's mail set-up fails each time, one confirmation is enough for a while.
    confirmed = stored_letters.letters(store, player=player.id, checked=CONFIRMED)
    return any(one.received > letter.received - TRUST for one in confirmed)


def hold(ports: Ports, player: Player, letter: Letter, now: datetime, why: str) -> Verdict:
    """Keep a letter without acting on it, and ask its player to confirm it.

    The player is asked only so many times a day.
    """
    asked = ports.store.count_today(f"doubt {player.id}", now)
    if asked > MOST_ASKED:
        return Verdict("held", "human", f"{why}; its player was asked often enough", player.id)
    reply = Reply(ASKED, held=letter.id, days=DAYS)
    # To the player's address alone: who reads that mailbox is the owner (decision 0014).
    ports.outbox.write(player, "doubted", now, ident=(letter.sha256,), reply=reply, days=DAYS)
    return Verdict("held", "human", f"{why}; its player is asked", player.id)


def confirmed(ports: Ports, letter: Letter) -> Letter:
    """Mark a held letter as confirmed by its player, and return it with that mark."""
    questions.close_held(ports.store, letter.id)
    stored_letters.change(ports.store, letter, checked=CONFIRMED)
    return letter.changed(checked=CONFIRMED)


def release(request: RulingRequest, match: Match[str]) -> str:
    """Handle a held letter as if its player had confirmed it.

    Raise Refusal where its text is erased, or where handling it fails.
    """
    ports, letter = request.ports, _held(request, match["number"])
    # Letters of somebody who left are erased, and the ledger keeps the row.
    if not letter.content:
        raise Refusal(say("the words of letter {number} are erased", number=letter.id))
    # The mark keeps the letter from being held once more, for the same reason.
    if not ports.handle(confirmed(ports, letter), request.now):
        *_, error = ports.store.get(Letter, letter.id).error.strip().splitlines()
        raise Refusal(
            say(
                "the referee stumbled over letter {number}, which is still held: {error}",
                number=letter.id,
                error=error,
            )
        )
    return say(
        "letter {number} is released; `pbem explain {number}` says what became of it",
        number=letter.id,
    )


def drop(request: RulingRequest, match: Match[str]) -> str:
    """Discard a held letter for good; a later YES from its player has no effect."""
    letter, reason = _held(request, match["number"]), match["reason"]
    why = f"dropped by the moderator: {reason}"
    questions.close_held(request.ports.store, letter.id)
    dropped = {"state": "discarded", "reason": why, "handled": request.now}
    stored_letters.change(request.ports.store, letter, **dropped)
    return say("letter {number} is dropped: {reason}", number=letter.id, reason=reason)


def _held(request: RulingRequest, number: str) -> Letter:
    letter = request.ports.store.find(Letter, int(number))
    if letter is None or letter.state != "held":
        held = [one.id for one in stored_letters.letters(request.ports.store, state="held")]
        raise Refusal(
            say("letter {number} is not held", number=number),
            say("these are held: {letters}", letters=held) if held else say("no letter is held"),
        )
    return letter
