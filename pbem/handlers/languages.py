"""LANGUAGE: the language of a player's letters, which their orders may use too."""

from re import Match

from engine.i18n import say
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
        "notice",
        request.now,
        ident=("language", request.letter.sha256),
        answering=request.letter.message_id,
        title=say("Your letters come in English now"),
        text=say(
            "your letters come in English from now on. To change that, write LANGUAGE and one of"
            " these on a line of its own: {languages}.",
            languages=renderer.languages,
        ),
    )
    return Answer(True, "", separate=True)
