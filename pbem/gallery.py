"""The pictures of a battle, as far as a seat may know it, in the words of its player's language."""

from engine.ruleset import Picture
from engine.seats import Seat
from pbem.press import Press
from pbem.session import Session
from pbem.settings import Settings
from pbem.store import Player


def drawn(press: Press, language: str, session: Session, seat: Seat | None) -> tuple[Picture, ...]:
    """Draw what a seat (None: the public) may know of a battle."""
    view = session.rules.view(session.state, seat)
    return session.rules.pictures(view, lambda word: press.word(word, language))


def for_report(
    press: Press, settings: Settings, session: Session, seat: Seat, player: Player
) -> tuple[Picture, ...]:
    """Draw the pictures of a report, where league and player want any."""
    if not settings.reports.pictures or player.format != "html":
        return ()
    return drawn(press, player.language or settings.league.language, session, seat)
