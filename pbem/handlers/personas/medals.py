"""NOMINATE and ENDORSE: heroism medals, awarded by other players (SP-36)."""

from datetime import timedelta
from re import Match
from typing import Literal

from engine import registry
from engine.campaign import Change, Honours
from engine.i18n import say
from pbem.games import meetings
from pbem.games.persona_rules import campaign_of, is_gone, piece_of
from pbem.games.reports.template_facts import Nominated
from pbem.games.session import game_id
from pbem.handlers.names.own_pilots_and_places import anybody
from pbem.handlers.request import Answer, Refusal, Request, refuse_if
from pbem.people import career_log, nominations, personas
from pbem.people.scrub import scrubbed
from pbem.storage import Game, Nomination, Persona, Player, stored_games
from pbem.storage.clock_jumps import believed

LONGEST = 4000
"""The most characters of a citation."""
THREAD = "honours"
"""The thread of a channel for nominations of battles that have no thread there."""


def nominate(request: Request, match: Match[str]) -> Answer:
    """Nominate another player's pilot for a medal, with the citation below the order."""
    store = request.ports.store
    row = anybody(request, match["name"])
    if row.player_id == request.player.id:
        raise Refusal(say("{pilot} is your own; another player may nominate it", pilot=row.name))
    honours = _honours(row)
    game, citation = _game(request, row, match["number"]), _citation(request, row)
    # One nomination for each pilot and battle (docs/rulings.md, SP-36).
    known = nominations.of(store, game, row.id)
    if known is not None:
        done = (
            say("ENDORSE {number} adds your word", number=known.id)
            if known.state == "open" and _bar(request, known, row, request.player.id) is None
            else ""
        )
        raise Refusal(
            say(
                "nomination {number} names {pilot} for game {game} already",
                number=known.id,
                pilot=row.name,
                game=game,
            ),
            done,
        )
    made = nominations.make(store, game, row.id, request.player.id, citation, request.now)
    _tell(request, made, row)
    _publish(request, row.system, facts(request, made, request.player.id), "made")
    needed = honours.endorsers(piece_of(row))
    return Answer(
        True,
        say(
            "nomination {number} stands; {needed} other players must endorse it",
            number=made.id,
            needed=needed,
        ),
        separate=_is_told_there(request, game),
        title=say("Nominated: {pilot}", pilot=row.name),
    )


def _honours(row: Persona) -> Honours:
    """Return the honours of a persona's system; raise Refusal where it has none."""
    campaign = campaign_of(row)
    if campaign.honours is None:
        raise Refusal(say("there are no medals for {pilots}", pilots=campaign.nouns.many))
    return campaign.honours


def _game(request: Request, row: Persona, number: str | None) -> int:
    """Return the number of a nomination's game; raise Refusal where the pilot had no seat in it.

    Without a number it is the battle whose report, or in whose thread, the order was written.
    """
    if number is None and request.fought is not None:
        number = str(request.fought)
    if number is None:
        raise Refusal(
            say("say in which battle"),
            say("NOMINATE {pilot} IN 12, and why below it", pilot=row.name),
        )
    if not stored_games.places(
        request.ports.store,
        game=int(number),
        persona=row.id,
        # Neither kind counts for careers.
        game__practice=False,
        game__friendly=False,
    ):
        raise Refusal(say("{pilot} was not in game {number}", pilot=row.name, number=number))
    return int(number)


def _citation(request: Request, row: Persona) -> str:
    citation = "\n".join(request.below).strip()
    if not citation:
        raise Refusal(
            say("say what {pilot} did, in lines of your own below the order", pilot=row.name)
        )
    if len(citation) > LONGEST:
        raise Refusal(say("your citation is longer than {most} characters", most=LONGEST))
    return citation


def facts(request: Request, nomination: Nomination, reader: int) -> Nominated:
    """Return a nomination as facts for a template that a player reads."""
    store = request.ports.store
    row = store.get(Persona, nomination.persona_id)
    # The citation is a player's text that others read: addresses and keys are taken out.
    lines = scrubbed(store, nomination.citation.splitlines(), nomination.player_id)
    return {
        "number": nomination.id,
        "pilot": row.name,
        "game": nomination.game_id,
        "by": store.get(Player, nomination.player_id).name,
        "citation": "\n".join(lines),
        "whose": nomination.player_id,
        # The order is offered only to those who may use it.
        "yours": _bar(request, nomination, row, reader) is None,
        "endorsed": _counted(request, nomination),
        "needed": _honours(row).endorsers(piece_of(row)),
    }


def _tell(request: Request, nomination: Nomination, row: Persona) -> None:
    """Notify the pilot's player of a nomination, and those who fought there and may endorse it."""
    store = request.ports.store
    fought = {place.player_id for place in stored_games.places(store, game=nomination.game_id)}
    mates = (one for one in sorted(fought) if _bar(request, nomination, row, one) is None)
    for reader in (row.player_id, *mates):
        request.ports.outbox.write(
            store.get(Player, reader),
            "nominated",
            request.now,
            urgency="idle",
            ident=(nomination.id, reader),
            system=row.system,
            nomination=facts(request, nomination, reader),
        )


def _publish(
    request: Request,
    system: str,
    shown: Nominated,
    stage: Literal["made", "endorsed", "given"],
    ident: str = "",
    change: Change | None = None,
) -> None:
    """Post what has become of a nomination; its `change` is the medal, once it is given."""
    ports = request.ports
    cited = {"lines": shown["citation"].splitlines(), "whose": shown["whose"]}
    for name in ports.posts.channels:
        ports.posts.write(
            "nomination",
            request.now,
            ident=f"nomination-{shown['number']}{ident}",
            thread=_thread(request, name, shown["game"]),
            system=system,
            only=name,
            stage=stage,
            citation=cited if stage == "made" else None,
            changes=career_log.facts_of(change.entries) if change else [],
            sheet=registry.campaigns()[system].sheet(change.persona) if change else None,
            number=shown["number"],
            pilot=shown["pilot"],
            game=shown["game"],
            endorsed=shown["endorsed"],
            needed=shown["needed"],
        )


def _thread(request: Request, channel: str, game: int) -> str:
    """Return the thread of a channel in which nominations for a battle are posted."""
    thread = game_id(game)
    return thread if request.ports.posts.has_thread(channel, thread) else THREAD


def _is_told_there(request: Request, game: int) -> bool:
    """Return whether the post about a nomination stands where the order was written."""
    letter = request.letter
    return request.in_thread and letter.thread == _thread(request, letter.channel, game)


def endorse(request: Request, match: Match[str]) -> Answer:
    """Endorse a nomination; with enough endorsers, the pilot gets the medal."""
    store, player = request.ports.store, request.player
    found = _open(request, match["number"])
    row = store.get(Persona, found.persona_id)
    refuse_if(_bar(request, found, row, player.id))
    word = nominations.endorse(store, found.id, player.id, request.now)
    have, needed = _counted(request, found), _honours(row).endorsers(piece_of(row))
    if have < needed:
        _publish(request, row.system, facts(request, found, player.id), "endorsed", f"-{word.id}")
        return Answer(
            True,
            say(
                "nomination {number} has {have} of {needed} endorsers",
                number=found.id,
                have=have,
                needed=needed,
            ),
            separate=_is_told_there(request, found.game_id),
        )
    _give(request, found, row)
    return Answer(
        True,
        say(
            "nomination {number} has {needed} endorsers, and {pilot} the medal",
            number=found.id,
            needed=needed,
            pilot=row.name,
        ),
        separate=_is_told_there(request, found.game_id),
    )


def _bar(request: Request, nomination: Nomination, row: Persona, player: int) -> str | None:
    """Return why a player may not endorse a nomination, None if they may (SP-36)."""
    if player == nomination.player_id:
        return say("that is your own nomination; others must endorse it")
    if player == row.player_id:
        return say("{pilot} is your own pilot; others must endorse the nomination", pilot=row.name)
    words = nominations.endorsements(request.ports.store, nomination.id)
    if any(word.player_id == player for word in words):
        return say("you have endorsed nomination {number} already", number=nomination.id)
    if not _is_active(request, player):
        return say("only a player with a living pilot may endorse")
    if _has_met(request, nomination, row, player):
        return say(
            "who fought {pilot} on that day, or the nominator in that battle, may not endorse it",
            pilot=row.name,
        )
    return None


def _has_met(request: Request, nomination: Nomination, row: Persona, player: int) -> bool:
    """Return whether a player fought the pilot's player or the nominator where it matters.

    For both, that is in the battle itself. For the pilot's player, it is also in any battle on the
    day on which that battle ended, and in any battle today.
    """
    store, league = request.ports.store, request.ports.settings.league
    game = store.get(Game, nomination.game_id)
    teams = meetings.sides(store, game)
    # Accounts of one person would fight each other and endorse it.
    rivals = (row.player_id, nomination.player_id)
    if any(meetings.are_opponents(teams, player, one) for one in rivals):
        return True
    days = {request.day, league.day(game.ended or game.begun)}
    return meetings.met_on(store, league, player, row.player_id, days)


def _open(request: Request, number: str | None) -> Nomination:
    found = nominations.still_open(request.ports.store)
    if number is not None:
        found = [one for one in found if one.id == int(number)]
    if len(found) == 1:
        return found[0]
    if number is not None or not found:
        which = (
            say("nomination {number} is not open", number=number)
            if number
            else say("no nomination is open")
        )
        raise Refusal(which, say("STATUS lists the open ones"))
    numbers = [one.id for one in found]
    raise Refusal(
        say("which nomination? open are {numbers}", numbers=numbers),
        say("write its number behind the order"),
    )


def _is_active(request: Request, player: int) -> bool:
    """Return whether a player has a living pilot and has written lately (SP-36)."""
    store, days = request.ports.store, request.ports.settings.league.active_days
    # After a clock that went ahead nobody would seem active.
    since = believed(store, request.now) - timedelta(days=days)
    if store.get(Player, player).heard < since:
        return False
    return any(not is_gone(p) for p in personas.of(store, player))


def _counted(request: Request, nomination: Nomination) -> int:
    """Return how many of the endorsers are active now."""
    words = nominations.endorsements(request.ports.store, nomination.id)
    # Asked now: those count who are active when the last word comes in (docs/rulings.md, SP-36).
    return sum(_is_active(request, word.player_id) for word in words)


def _give(request: Request, nomination: Nomination, row: Persona) -> None:
    """Award the medal, and notify the pilot's player."""
    ports = request.ports
    # Before the medal, which raises the number that is needed.
    before = facts(request, nomination, row.player_id)
    change = _honours(row).honour(piece_of(row))
    career_log.enter(ports.store, row, change, request.now, nomination.game_id)
    nominations.give(ports.store, nomination.id, request.now)
    _publish(request, row.system, before, "given", "-given", change)
    ports.reports.career_changed(
        row, change, request.now, ("medal", nomination.id), nomination=before
    )
