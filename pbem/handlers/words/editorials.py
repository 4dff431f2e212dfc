"""EDITORIAL, and the moderator's PRINT, DROP and NEWSLETTER: texts for the newsletter."""

from datetime import datetime
from re import Match

from engine.i18n import Said, say
from engine.names import unquote
from pbem.handlers.names.own_pilots_and_places import own
from pbem.handlers.ports import Ports
from pbem.handlers.request import Answer, Refusal, Request
from pbem.handlers.ruling_request import RulingRequest, moderator
from pbem.handlers.words.message_text import paragraphs
from pbem.news import stored_issues
from pbem.storage import Editorial, Player

LONGEST = 6000
"""The most characters of an editorial."""
WAITING = 3
"""How many of a player's editorials may wait for the moderator at the same time."""


def editorial(request: Request, match: Match[str]) -> Answer:
    """Submit a text for the newsletter, signed by a pilot if one is named.

    It is printed only if the moderator approves of it.
    """
    store, text = request.ports.store, "\n".join(paragraphs("\n".join(request.below)))
    if not text:
        raise Refusal(say("there was nothing to print"), say("write your text below that line"))
    if len(text) > LONGEST:
        raise Refusal(
            say(
                "your text has {count} characters, and {most} are the most",
                count=len(text),
                most=LONGEST,
            )
        )
    waiting = stored_issues.editorials(store, player=request.player.id, state="waiting")
    if len(waiting) >= WAITING:
        raise Refusal(
            say("{count} texts of yours wait for the moderator already", count=WAITING),
            say("send it when one of them has been read"),
        )
    by = own(request, unquote(match["one"])).name if match["one"] else ""
    made = stored_issues.add_editorial(
        store, player=request.player.id, by=by, text=text, made=request.now
    )
    _ask(request.ports, made, request.now)
    return Answer(
        True,
        say(
            "editorial {number} waits for the moderator, and you are told what comes of it",
            number=made.id,
        ),
    )


def _ask(ports: Ports, made: Editorial, now: datetime) -> None:
    """Send an editorial to the moderator, if the moderator has joined as a player."""
    reader = moderator(ports)
    if reader is not None and reader.confirmed:
        ports.outbox.write(
            reader,
            "editorial",
            now,
            ident=(made.id,),
            number=made.id,
            by=made.by,
            lines=made.text.splitlines(),
            whose=made.player_id,
        )


def let_through(request: RulingRequest, match: Match[str]) -> str:
    """Approve an editorial for the next newsletter."""
    return _decide(
        request, int(match["number"]), "passed", say("it will stand in the next newsletter")
    )


def drop(request: RulingRequest, match: Match[str]) -> str:
    """Reject an editorial for the newsletter."""
    return _decide(request, int(match["number"]), "dropped", say("it will not be printed"))


def _decide(request: RulingRequest, number: int, state: str, decision: Said) -> str:
    store = request.ports.store
    found = store.find(Editorial, number)
    if found is None:
        raise Refusal(say("there is no editorial {number}", number=number))
    # What readers have already got can't be taken back.
    if found.state == "printed":
        raise Refusal(say("editorial {number} is printed already", number=number))
    stored_issues.change_editorials(store, [number], state)
    request.ports.outbox.write(
        store.get(Player, found.player_id),
        "notice",
        request.now,
        ident=("editorial", number, state),
        title=say("Your editorial, number {number}", number=number),
        text=say(
            "the moderator has read your editorial, number {number}: {told}.",
            number=number,
            told=decision,
        ),
    )
    return say("editorial {number}: {told}; its writer is told", number=number, told=decision)


def newsletter(request: RulingRequest, match: Match[str]) -> str:
    """Request a newsletter, to be sent once the letters at hand are handled."""
    # Printed in the next round: only then is all that belongs to its time in the database.
    request.ports.newsletter.want()
    return say("a newsletter is printed and sent in the next round of the referee")
