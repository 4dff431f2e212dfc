"""The pictures of a battle, as far as a seat may know it, in the words of its player's language."""

from collections.abc import Callable
from typing import Any, NamedTuple

from engine.ruleset import Picture
from engine.seats import Seat
from pbem.games.session import Session, states
from pbem.rendering import Press
from pbem.settings import Settings
from pbem.storage import Player


class Eye(NamedTuple):
    """Who looks at a battle (None: the public), and in which language the words are to be."""

    press: Press
    language: str
    seat: Seat | None = None

    @property
    def word(self) -> Callable[[str], str]:
        """Give what says a single word."""
        return lambda word: self.press.word(word, self.language)


def drawn(eye: Eye, session: Session, since: int | None = None) -> tuple[Picture, ...]:
    """Draw what a battle looks like now, and as a film what befell in several steps since one.

    Once the battle is over all of it is a film.
    """
    rules = session.rules
    pictures = rules.pictures(rules.view(session.state, eye.seat), eye.word)
    if session.over:
        return (*pictures, *film(eye, session))
    if since is None or session.game.steps - since < 2:
        return pictures
    return (*pictures, *film(eye, session, since))


def film(eye: Eye, session: Session, since: int = 0) -> tuple[Picture, ...]:
    """Draw a battle from before a step on, where its system does that, as all may know it.

    So it is the same for each seat, and of no state is asked what a seat might order in it.
    """
    rules = session.rules
    if rules.film is None:
        return ()
    kept = [state for n, state in _kept(session).items() if n >= since - 1]
    return rules.film([rules.view(state, None) for state in kept], eye.word)


def stills(eye: Eye, session: Session, step: int | None = None) -> dict[int, tuple[Picture, ...]]:
    """Draw what a battle looked like after a step that stands, or each; -1 is before them."""
    rules = session.rules
    return {
        n: rules.pictures(rules.view(state, eye.seat), eye.word)
        for n, state in _kept(session).items()
        if step in (None, n)
    }


def _kept(session: Session) -> dict[int, Any]:
    game = session.game
    return states(session.rules, game.setup, session.store.steps.all(game=game.id))


def for_report(
    press: Press, settings: Settings, session: Session, seat: Seat | None, player: Player
) -> tuple[Picture, ...]:
    """Draw the pictures of a report to a seat (None: of one to whoever watches), where wanted."""
    if not settings.reports.pictures or player.format != "html":
        return ()
    place = session.places.get(seat) if seat else None
    eye = Eye(press, player.language or settings.league.language, seat)
    return drawn(eye, session, None if place is None else place.told)


def for_all(press: Press, settings: Settings, session: Session) -> tuple[Picture, ...]:
    """Draw what all may know, where a channel takes pictures."""
    if not any(channel.pictures for channel in settings.channels.values()):
        return ()
    return drawn(Eye(press, settings.league.language), session)
