"""The pictures of a battle as a seat may see it, with words in its player's language."""

from collections.abc import Callable
from typing import NamedTuple

from engine.letter_texts import View
from engine.pictures import Picture
from engine.ruleset import AnyRuleset
from engine.seats import Seat
from pbem.games.session import Session
from pbem.outgoing.outbox import Outbox
from pbem.outgoing.posts import Posts
from pbem.rendering import Renderer
from pbem.storage import Player


class Viewer(NamedTuple):
    """Who looks at a battle (None: the public), and the language of the words."""

    renderer: Renderer
    language: str
    seat: Seat | None = None

    @property
    def word(self) -> Callable[[str], str]:
        """Return the function that translates a single word."""
        return lambda word: self.renderer.word(word, self.language)


def drawn(viewer: Viewer, session: Session) -> tuple[Picture, ...]:
    """Return the picture of a battle as it is now; once it is over, the film of all of it."""
    return _now(viewer, session, session.rules.view(session.state, viewer.seat))


def _now(viewer: Viewer, session: Session, view: View) -> tuple[Picture, ...]:
    whole = film(viewer, session) if session.over else ()
    return whole or _drawn(viewer, session.rules, view)


def film(viewer: Viewer, session: Session) -> tuple[Picture, ...]:
    """Return a film of a battle from its start on, or nothing if the system has none.

    It shows what everybody may know. So it is the same for each seat, and the views need not list
    what a seat may order.
    """
    rules = session.rules
    if rules.pictures is None or rules.pictures.film is None:
        return ()
    views = [rules.view(state, None) for state in session.states().values()]
    return rules.pictures.film(views, viewer.word)


def stills(
    viewer: Viewer, session: Session, step: int | None = None
) -> dict[int, tuple[Picture, ...]]:
    """Return the pictures after each step that stands, or after one; -1 is the start."""
    return {
        n: _drawn(viewer, session.rules, session.rules.view(state, viewer.seat))
        for n, state in session.states().items()
        if step in (None, n)
    }


def _drawn(viewer: Viewer, rules: AnyRuleset, view: View) -> tuple[Picture, ...]:
    """Return the pictures of a view, or nothing if the system has none."""
    # From a view, so a picture can't show more than the seat may know (decision 0012).
    return () if rules.pictures is None else rules.pictures.draw(view, viewer.word)


def for_report(outbox: Outbox, session: Session, view: View, player: Player) -> tuple[Picture, ...]:
    """Return the pictures for a report to a player, from the view that it tells of, if wanted."""
    if not outbox.settings.reports.pictures or player.format != "html":
        return ()
    return _now(Viewer(outbox.renderer, outbox.language(player)), session, view)


def for_history(outbox: Outbox, session: Session, player: Player) -> tuple[Picture, ...]:
    """Return the film of a battle so far for a player who reads its account, if wanted."""
    if not outbox.settings.reports.pictures or player.format != "html":
        return ()
    return film(Viewer(outbox.renderer, outbox.language(player)), session)


def for_all(posts: Posts, session: Session) -> tuple[Picture, ...]:
    """Return the pictures that everybody may see, if any channel takes pictures."""
    # A drawing takes some 20 ms, so none is made that no channel shows.
    if not any(channel.pictures for channel in posts.channels.values()):
        return ()
    return drawn(Viewer(posts.renderer, posts.settings.league.language), session)
