"""LANGUAGE: which language a player's letters are written in, and orders may be."""

from re import Match

from engine.said import say
from pbem.league.visit import Answer, Refusal, Visit


def choose(visit: Visit, match: Match[str]) -> Answer:
    """Write to a player in another language from now on, and say so in that language."""
    office, press = visit.office, visit.office.outbox.press
    language = press.language_named(match["language"])
    if language is None:
        written = match["language"]
        raise Refusal(
            say("no letters are written in {language}", language=written),
            say("the languages are {languages}", languages=press.languages),
        )
    office.store.players.change(visit.player.id, language=language)
    office.outbox.write(
        office.store.players.get(visit.player.id),
        "notice",
        visit.now,
        ident=("language", visit.letter.sha256),
        answering=visit.letter.message_id,
        title=say("Your letters come in English now"),
        text=say(
            "your letters come in English from now on. To change that, write LANGUAGE and one of"
            " these on a line of its own: {languages}.",
            languages=press.languages,
        ),
    )
    return Answer(True, "", told=True)
