"""Orders that only ask: HELP, SHEET, REPORT and SCRIPT."""

from collections.abc import Sequence
from re import Match

from engine import registry
from engine.i18n import either, say, spoken
from engine.names import closest
from engine.stand_ins import PLAYERS
from pbem.checking_script import has_script, script, script_name
from pbem.games import export, punctuality
from pbem.games.personas import campaign_of, piece_of
from pbem.games.session import Session, game_id
from pbem.handlers.lookup import anybody, called, own_places
from pbem.handlers.request import DRAWN, STEP, Answer, Refusal, Request, SheetBlock, pay
from pbem.mime_writer import Attachment
from pbem.people import career_log
from pbem.storage import Persona

_OWN = {
    rules.workshop.word.lower(): key for key, rules in registry.RULESETS.items() if rules.workshop
}
"""Topics about one system only, each with that system."""
TOPICS = (
    *"orders join enlist challenge teams battle standing deadlines dice rewards medals".split(),
    *("letters", "gm", *_OWN),
)
"""The topics that HELP knows."""

_ABOUT = {
    "enlist": "ship fighter element crew name side aptitude points",
    "battle": "fight card move turn fire shoot scan target combat maneuver range advantage",
    "challenge": "duel opponent foe rematch patrol practice accept decline game",
    "deadlines": "deadline time away reminder late holiday absence",
    "dice": "die roll random fair receipt secret salt commitment script proof",
    "medals": "medal award heroism nominate endorse badge hero decoration",
    "rewards": "reward spend hp experience promotion rank career choose",
    "standing": "automatic rule rules preset sound bold careful else if queue",
    "letters": "letter mail tell press message write block email",
    "join": "key token register player account",
    "teams": "team formation captain mate mates",
    "orders": "draw command order settings setting language newsletter watch report"
    " list commands score stop quit",
    "design": "blueprint weapon weapons hull",
}
_ALIASES = {word: topic for topic, words in _ABOUT.items() for word in words.split()}
_ALIASES |= {str(registry.nouns({key}).one): "enlist" for key in registry.RULESETS}
"""Words that players ask about, with the topic that tells of each."""


_MYSELF = frozenset("me us mir uns".split())
"""Whom somebody wants help for, who names no topic."""


def _topic(word: str, known: Sequence[str]) -> str | None:
    """Return the topic that a word means, or the nearest to a mistyped one; None for none."""
    aliases = {alias: topic for alias, topic in _ALIASES.items() if topic in known}
    found = aliases | {topic: topic for topic in known}
    bare = word if word in found else word.removesuffix("s")
    near = bare if bare in found else closest(word, found)
    return found[near] if near else None


def help_(request: Request, match: Match[str]) -> Answer:
    """Return the first page of help, or the help on one topic."""
    word = (match["topic"] or "").lower()
    word = "" if word in _MYSELF else word
    played = request.ports.settings.league.systems
    known = [one for one in TOPICS if one not in _OWN or _OWN[one] in played]
    topic = _topic(word, known) if word else ""
    if topic is None:
        raise Refusal(
            say("there is no help on {topic}", topic=word),
            say("the topics are {topics}", topics=spoken(known)),
            taps=((say("all that you can write"), say("HELP orders")),),
        )
    place = request.place
    of = "" if place is None else request.ports.store.games.get(place.game_id).system
    return Answer(True, "", blocks=({"kind": "help", "topic": topic, "of": of},))


def already(request: Request, match: Match[str]) -> Answer:
    """Answer a JOIN from somebody who is a player already."""
    return Answer(False, say("you are in the league already, as {name}", name=request.player.name))


def _reliability(request: Request, row: Persona) -> punctuality.Reliability:
    """Return how reliably a persona's player meets deadlines."""
    ports = request.ports
    return punctuality.reliability(ports.store, ports.settings.league, row.player_id)


def sheet(request: Request, match: Match[str]) -> Answer:
    """Return one persona's sheet, or those of all the player's own."""
    store, name = request.ports.store, match["name"]
    if name:
        found = [anybody(request, name)]
    else:
        mine = store.personas_of(request.player.id)
        found = [row for row in mine if not campaign_of(row).gone(piece_of(row))] or mine
    if not found and called(request) == PLAYERS:
        raise Refusal(
            say("there are no sheets: you play as yourself"), say("STATUS lists your games")
        )
    if not found:
        raise Refusal(
            say("you have {none} yet", none=called(request).none),
            say("HELP enlist tells how to get one"),
        )
    return Answer(True, "", blocks=tuple(sheet_block(request, row) for row in found))


def sheet_block(request: Request, row: Persona) -> SheetBlock:
    """Return the block with a persona's sheet, career, and the commitment to its next reward."""
    store, piece, campaign = request.ports.store, piece_of(row), campaign_of(row)
    own = row.player_id == request.player.id
    # `commitment` counts as shown to the owner, who alone can spend points on a reward.
    rewarded = own and campaign.rewards and not campaign.gone(piece)
    return {
        "kind": "sheet",
        "system": row.system,
        "sheet": campaign.sheet(piece),
        "reliability": _reliability(request, row),
        "career": career_log.career(store, row, request.ports.settings.league.zone),
        "own": own,
        "commitment": career_log.commitment(store, row) if rewarded else None,
    }


def report(request: Request, match: Match[str]) -> Answer:
    """Send the last report of a battle again, with a new token, for each of the player's pilots."""
    ports, places = request.ports, own_places(request, match["number"])
    game = ports.store.games.get(places[0].game_id)
    # All reports are paid for before the first is written, so that a refusal leaves none behind.
    for place in places:
        pay(request, DRAWN + STEP * (game.steps - (place.reported_from if game.running else 0)))
    letter = request.letter
    for place in places:
        session = Session(ports.store, game)
        ports.reports.again(session, place, letter.sha256, request.now, letter.message_id)
    return Answer(
        True,
        say("the last report of game {game} comes in a letter of its own", game=game.id),
        separate=True,
    )


def send_script(request: Request, match: Match[str]) -> Answer:
    """Send a script that checks dice, with the export of a finished battle if one is named."""
    ports, number = request.ports, match["number"]
    systems, exported = list(ports.settings.league.systems), list[Attachment]()
    if number:
        game = ports.store.games.get(own_places(request, number)[0].game_id)
        if game.running:
            raise Refusal(
                say("game {number} is not over, so its dice can't be checked yet", number=number)
            )
        name, content = f"{game_id(game.id)}.json", export.export(ports.store, game).encode()
        systems, exported = [game.system], [Attachment(name, "application/json", content)]
    systems = [system for system in systems if has_script(system)]
    if systems:
        text = say(
            "Attached is the script that checks the dice of a finished battle. It needs nothing"
            " but Python: python3 {script} and the name of the battle's export.",
            script=either([script_name(system) for system in systems]),
        )
    elif exported:
        text = say(
            "Attached is the export of the game. There is no checking script for its system; the"
            " command pbem verify of the referee's program checks its dice."
        )
    else:
        raise Refusal(say("there is no checking script for what is played here"))
    ports.outbox.write(
        request.player,
        "notice",
        request.now,
        ident=("script", request.letter.sha256),
        attachments=[*map(_script, systems), *exported],
        title=say("The checking script"),
        text=text,
    )
    return Answer(True, say("the checking script comes in a letter of its own"), separate=True)


def _script(system: str) -> Attachment:
    return Attachment(script_name(system), "text/x-python", script(system).encode())
