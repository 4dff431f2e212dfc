"""Where a persona may fight: in a chat room alone, or never there (SP-37)."""

from engine.i18n import say
from pbem.games import live_battles
from pbem.games.persona_rules import campaign_of, piece_of
from pbem.handlers.ports import Ports
from pbem.handlers.request import Refusal, Request
from pbem.storage import Persona


def rooms(ports: Ports) -> list[str]:
    """Return the names of the league's chat rooms."""
    return [name for name, one in ports.posts.channels.items() if one.play and one.live]


def is_room(ports: Ports, channel: str) -> bool:
    """Return whether a channel is a chat room of the league's."""
    return channel in rooms(ports)


def fights_live(row: Persona) -> bool | None:
    """Return whether a persona fights in a chat room alone, or never there; None for both."""
    return None if row.is_guest else campaign_of(row).fights_live(piece_of(row))


def channel_for(request: Request, row: Persona, channel: str) -> str:
    """Return the channel on which a persona's battle is played; raise Refusal where it may not be.

    `channel` is the one that is asked for, "" for mail. The only chat room need not be named.
    """
    live, known = fights_live(row), rooms(request.ports)
    if live is None or live == (channel in known):
        return channel
    if not live:
        raise Refusal(
            say("{pilot} fights by mail and on boards, not in a chat room", pilot=row.name),
            say("HELP enlist, by mail, says how to get one for live play"),
        )
    if not channel and len(known) == 1:
        return known[0]
    if not known:
        raise Refusal(say("{pilot} fights live, and this league has no chat room", pilot=row.name))
    raise Refusal(
        say("{pilot} fights live, in a chat room", pilot=row.name),
        say("the same order with ON and one of {rooms}", rooms=known),
    )


def check_terms(ports: Ports, terms: str, channel: str) -> None:
    """Raise Refusal where the terms name a time for each turn that a battle can't have (SP-38)."""
    if live_battles.SECONDS not in terms.split():
        return
    if not is_room(ports, channel):
        raise Refusal(say("{word} is for battles in a chat room", word=live_battles.SECONDS))
    fewest, most = live_battles.FEWEST, live_battles.MOST
    if not fewest <= (live_battles.seconds_of(terms) or 0) <= most:
        raise Refusal(
            say("a turn has {fewest} to {most} seconds", fewest=fewest, most=most),
            say("{word} 60", word=live_battles.SECONDS),
        )


def refuse_live(request: Request, row: Persona) -> None:
    """Raise Refusal where a persona fights in a chat room alone, and the order would begin a battle
    by mail."""
    if fights_live(row) and not request.live:
        raise Refusal(
            say("{pilot} fights live, in a chat room", pilot=row.name),
            say("the same in the room"),
        )
