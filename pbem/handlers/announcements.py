"""GM POST: a text by the moderator, posted to the league's channels."""

import hashlib
from re import Match

from engine.i18n import say
from pbem.handlers.request import Refusal
from pbem.handlers.ruling_request import RulingRequest

LONGEST = 10_000
"""The most characters of a post."""


def post(request: RulingRequest, match: Match[str]) -> str:
    """Post the text below the ruling to all channels, where everybody can read it."""
    posts, lines = request.ports.posts, [line for line in request.below if line.strip()]
    if not posts.channels:
        raise Refusal(say("the league has no channel to post to"))
    if not lines:
        raise Refusal(say("there is no text below it"))
    if sum(map(len, lines)) > LONGEST:
        raise Refusal(say("your text is longer than {most} characters", most=LONGEST))
    # From the time and the text alone, so that a replay gets the same identifier.
    name = hashlib.sha256("\n".join([request.now.isoformat(), *lines]).encode()).hexdigest()[:12]
    ident = f"post-{name}"
    posts.write("announcement", request.now, ident=ident, thread=ident, lines=lines)
    return say("your text is posted to {channels}", channels=list(posts.channels))
