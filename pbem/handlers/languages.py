"""LANGUAGE: the language of a player's letters, which their orders may use too."""

from re import Match

from engine.i18n import say
from pbem.handlers.callsigns import beginner
from pbem.handlers.request import Answer, Refusal, Request


def choose(request: Request, match: Match[str]) -> Answer:
    """Set the language of a player's letters, and confirm that in a letter in this language."""
    ports, renderer = request.ports, request.ports.outbox.renderer
    language = renderer.language_named(match["language"])
    if language is None:
        written = match["language"]
        raise Refusal(
            say("no letters are written in {language}", language=written),
            say("the languages are {languages}", languages=renderer.languages),
        )
    ports.store.players.change(request.player.id, language=language)
    # The player is read again, so that this letter is already in the new language.
    ports.outbox.write(
        ports.store.players.get(request.player.id),
        "language",
        request.now,
        ident=("language", request.letter.sha256),
        answering=request.letter.message_id,
        system=ports.settings.league.systems[0],
        languages=renderer.languages,
        pilot=beginner(ports, request.player),
        number=request.player.id,
    )
    return Answer(True, "", separate=True)
