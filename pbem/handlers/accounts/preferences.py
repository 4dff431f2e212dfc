"""LANGUAGE, MAIL and FORMAT: which letters a player gets, and what they look like."""

from re import Match

from engine.i18n import Said, say, spoken
from pbem.handlers.names.taken_names import beginner
from pbem.handlers.request import Answer, Refusal, Request
from pbem.people import players
from pbem.storage import Player, queues

MAIL: dict[str, Said] = {
    "turns": say("every letter comes to you at once"),
    "decisions": say(
        "reports come to you when a decision of yours is needed, and tell all since the last one;"
        " public letters and news of who fights for you do not come"
    ),
    "digest": say(
        "what needs a decision of yours comes to you at once, and all else in one letter a day"
    ),
}
FORMAT: dict[str, Said] = {
    "html": say("letters come to you as text and as HTML, and your mail program shows one of them"),
    "text": say("letters come to you as plain text, without HTML or pictures"),
}


def mail(request: Request, match: Match[str]) -> Answer:
    """Choose which letters come, and when; letters held for a digest are sent where it ends."""
    store, player, wish = request.ports.store, request.player, match["wish"]
    if wish is None:
        return Answer(True, MAIL[player.mail])
    wanted = _choice(wish, "MAIL", MAIL)
    players.change(store, player.id, mail=wanted)
    if wanted != "digest":
        queues.release_held(store, player.id)
    return Answer(True, MAIL[wanted])


def format_(request: Request, match: Match[str]) -> Answer:
    """Choose whether letters have an HTML part."""
    wish = match["wish"]
    if wish is None:
        return Answer(True, FORMAT[request.player.format])
    wanted = _choice(wish, "FORMAT", FORMAT)
    players.change(request.ports.store, request.player.id, format=wanted)
    return Answer(True, FORMAT[wanted])


def _choice(written: str, order: str, choices: dict[str, Said]) -> str:
    """Return the choice that was written; raise Refusal where there is no such choice."""
    if written.lower() not in choices:
        raise Refusal(
            say("{order} does not know {written}", order=say(order), written=written),
            say(
                "behind {order} one of these: {choices}", order=say(order), choices=spoken(choices)
            ),
        )
    return written.lower()


def language(request: Request, match: Match[str]) -> Answer:
    """Set the language of a player's letters, and confirm that in a letter in this language."""
    ports, renderer = request.ports, request.ports.outbox.renderer
    written = match["language"]
    chosen = renderer.language_named(written)
    if chosen is None:
        raise Refusal(
            say("no letters are written in {language}", language=written),
            say("the languages are {languages}", languages=renderer.languages),
        )
    players.change(ports.store, request.player.id, language=chosen)
    # The player is read again, so that this letter is already in the new language.
    ports.outbox.write(
        ports.store.get(Player, request.player.id),
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
