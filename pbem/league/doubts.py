"""Letters that the own mail server disowns: held until their player says whose they are."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from pbem import identity
from pbem.intake import Reading
from pbem.league.tongues import says
from pbem.league.verdict import Verdict
from pbem.mail.vouching import CONFIRMED, Voucher
from pbem.outgoing.outbox import Reply
from pbem.store import Letter, Player, Token

if TYPE_CHECKING:
    from pbem.office import Office

TOKEN = "doubt"
"""The kind of a token that confirms a held letter."""
DAYS = 7
"""How many days there are to confirm it."""
TRUST = timedelta(days=30)
"""So long after a player has confirmed one letter no other of theirs is held."""
_WORD = "YES"


def doubtful(office: "Office", player: Player, letter: Letter, said: Voucher) -> str | None:
    """Say why a letter is to be held, None where it is not."""
    if said.word != "fail" or office.settings.authentication.failed != "hold":
        return None
    confirmed = office.store.letters.all(player=player.id, checked=CONFIRMED)
    if any(one.received > letter.received - TRUST for one in confirmed):
        return None
    return said.why


def hold(office: "Office", player: Player, letter: Letter, now: datetime, why: str) -> Verdict:
    """Keep a letter without doing what it says, and ask its player, some times a day."""
    asked = office.store.count_today(f"doubt {player.id}", now)
    if asked > office.settings.limits.automatic_answers_a_day:
        return Verdict("held", "human", f"{why}; its player was asked often enough", player.id)
    about = (letter.sha256,)
    reply = Reply(TOKEN, about=about, days=DAYS)
    office.outbox.write(player, "doubted", now, ident=about, reply=reply, days=DAYS)
    return Verdict("held", "human", f"{why}; its player is asked", player.id)


def held(office: "Office", token: Token | None, reading: Reading) -> Letter | None:
    """Give the held letter that a letter with this token confirms, by a word on its own line."""
    if token is None or token.kind != TOKEN:
        return None
    secret, player = office.store.secret, token.player_id
    if not says(reading, _WORD, office.outbox.language(office.store.players.get(player))):
        return None
    for letter in office.store.letters.all(player=player, state="held"):
        if identity.same(token.token, identity.token(secret, player, TOKEN, letter.sha256)):
            return letter
    return None


def confirmed(office: "Office", letter: Letter) -> Letter:
    """Note that a held letter is its player's, and give it as it is to be read now."""
    office.store.letters.change(letter.id, checked=CONFIRMED)
    return replace(letter, checked=CONFIRMED)
