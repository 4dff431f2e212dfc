"""REPORT, HISTORY, RECEIPTS, MAP, SCRIPT and WATCH: what players may see of a battle."""

from collections.abc import Sequence
from re import Match

from engine.i18n import Said, either, say
from engine.pictures import Picture
from engine.seats import Seat
from pbem.channels.mail.mime_writer import Attachment
from pbem.games import export, ruling_log
from pbem.games.checking_script import has_script, script, script_name
from pbem.games.reports import battle_pictures
from pbem.games.reports.battle_account import ruled
from pbem.games.reports.battle_pictures import Viewer
from pbem.games.reports.dice_receipt import receipt
from pbem.games.session import Session, game_id
from pbem.handlers.names.own_pilots_and_places import own_places
from pbem.handlers.ports import Ports
from pbem.handlers.request import DRAWN, STEP, Answer, Refusal, Request, pay
from pbem.storage import Game, stored_games

_TOLD = 3000
"""What the account of one step costs, in units of a Budget."""


def report(request: Request, match: Match[str]) -> Answer:
    """Send the last report of a battle again, with a new token, for each of the player's pilots."""
    ports, places = request.ports, own_places(request, match["number"])
    game = ports.store.get(Game, places[0].game_id)
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


def history(request: Request, match: Match[str]) -> Answer:
    """Send the account of a battle from its beginning: stories, narration and rulings."""
    ports, game = request.ports, _game_meant(request, match["number"])
    session = Session(ports.store, game)
    pay(request, _TOLD * game.steps)
    ports.outbox.write(
        request.player,
        "history",
        request.now,
        # With the letter: each HISTORY has its own answer, and a retry makes the same one again.
        ident=("history", game.id, request.letter.sha256),
        system=game.system,
        pictures=battle_pictures.for_history(ports.outbox, session, request.player),
        rulings=ruled(ruling_log.rulings_of(ports.store, game.id)),
        **ports.reports.account(session, 0),
    )
    return Answer(
        True,
        say("the account of game {game} comes in a letter of its own", game=game.id),
        separate=True,
    )


def _game_meant(request: Request, number: str | None) -> Game:
    """Return the game of a number, or without one the player's own game.

    Raise Refusal where there is no such game, or it is another player's practice.
    """
    store = request.ports.store
    if number is None:
        return store.get(Game, own_places(request, None)[0].game_id)
    found = store.find(Game, int(number))
    if found is None:
        raise Refusal(
            say("there is no game {number}", number=number), say("STATUS lists your games")
        )
    if found.practice and not stored_games.places(store, game=found.id, player=request.player.id):
        raise Refusal(
            say(
                "game {game} is practice against the referee, and is not made public",
                game=found.id,
            )
        )
    return found


def receipts(request: Request, match: Match[str]) -> Answer:
    """Send all dice of a battle so far, with its secret once it is over."""
    ports, session, seat = _opened(request, match["number"])
    game = session.game
    pay(request, STEP * game.steps)
    steps = ports.reports.steps(session, seat, 0)
    ports.outbox.write(
        request.player,
        "receipts",
        request.now,
        ident=("receipts", game.id, request.letter.sha256),
        system=game.system,
        game=ports.reports.game(game, session.rules),
        attachments=[receipt(ports.outbox, session, request.player, steps)],
        over=not game.running,
    )
    return Answer(True, say("the dice come in a letter of their own"), separate=True)


def picture(request: Request, match: Match[str]) -> Answer:
    """Send a battle's picture with a description in words: as it is now, or after a step."""
    ports, session, seat = _opened(request, match["number"])
    game, outbox = session.game, ports.outbox
    # A past position, and the film of a battle that is over, are played again from the first step.
    pay(request, DRAWN + (STEP * game.steps if match["step"] or not game.running else 0))
    viewer = Viewer(outbox.renderer, outbox.language(request.player), seat)
    step = None if match["step"] is None else int(match["step"])
    drawn = (
        battle_pictures.drawn(viewer, session) if step is None else _still(viewer, session, step)
    )
    if not drawn:
        raise Refusal(
            say("there is no picture of game {number}", number=game.id),
            say("REPORT {number} and HISTORY {number} tell it in words", number=game.id),
        )
    outbox.write(
        request.player,
        "map",
        request.now,
        ident=("map", game.id, step, request.letter.sha256),
        system=game.system,
        game=ports.reports.game(game, session.rules),
        step=step,
        shown=[one.alt for one in drawn],
        pictures=drawn,
    )
    return Answer(True, say("the picture comes in a letter of its own"), separate=True)


def _still(viewer: Viewer, session: Session, step: int) -> tuple[Picture, ...]:
    """Draw a battle as it was after a step; raise Refusal where there is no such step."""
    stills = battle_pictures.stills(viewer, session, step)
    if step not in stills:
        raise Refusal(
            say("game {number} has no step {step} that stands", number=session.game.id, step=step),
            say("each report tells the number of its steps"),
        )
    return stills[step]


def _opened(request: Request, number: str | None) -> tuple[Ports, Session, Seat | None]:
    """Return the session of the game that is meant, and the player's seat in it, if any."""
    session = Session(request.ports.store, _game_meant(request, number))
    # Somebody without a seat sees what the public may know.
    mine = (seat for seat, p in session.places.items() if p.player_id == request.player.id)
    return request.ports, session, next(mine, None)


def send_script(request: Request, match: Match[str]) -> Answer:
    """Send a script that checks dice, with the export of a finished battle if one is named."""
    ports, number = request.ports, match["number"]
    systems, exported = list(ports.settings.league.systems), list[Attachment]()
    title = say("The checking script")
    if number:
        game = ports.store.get(Game, own_places(request, number)[0].game_id)
        # The secret of the dice is told only when the battle is over.
        if game.running:
            raise Refusal(
                say("game {number} is not over, so its dice can't be checked yet", number=number)
            )
        name, content = f"{game_id(game.id)}.json", export.export(ports.store, game).encode()
        systems, exported = [game.system], [Attachment(name, "application/json", content)]
        title = say("The checking script, and game {number}", number=game.id)
    scripts = [
        Attachment(script_name(one), "text/x-python", script(one).encode())
        for one in systems
        if has_script(one)
    ]
    ports.outbox.write(
        request.player,
        "notice",
        request.now,
        ident=("script", request.letter.sha256),
        attachments=[*scripts, *exported],
        title=title,
        text=_how_to_check([one.name for one in scripts], [one.name for one in exported]),
    )
    return Answer(True, say("the checking script comes in a letter of its own"), separate=True)


def _how_to_check(scripts: Sequence[str], exports: Sequence[str]) -> Said:
    """Return how to check dice with files of these names; raise Refusal where there are none."""
    if scripts and exports:
        return say(
            "Attached are the script that checks the dice, and the whole game. Both in one folder,"
            " this rolls every die again, with nothing but Python: python3 {script} {export}. It"
            " also compares each receipt.txt that you have kept, if you name it behind that.",
            script=scripts[0],
            export=exports[0],
        )
    if scripts:
        return say(
            "Attached is the script that checks the dice of a finished battle. It needs nothing"
            " but Python: python3 {script} and the name of the battle's export.",
            script=either(scripts),
        )
    if exports:
        return say(
            "Attached is the export of the game. There is no checking script for its system; the"
            " command pbem verify of the referee's program checks its dice."
        )
    raise Refusal(say("there is no checking script for what is played here"))


def watch(request: Request, match: Match[str]) -> Answer:
    """Send the public reports of a running battle from now on; or list what the player watches."""
    store, number = request.ports.store, match["number"]
    if number is None:
        return Answer(True, say("you watch {games}", games=_listed(_watched(request))))
    game = store.find(Game, int(number))
    if game is None:
        raise Refusal(
            say("there is no game {number}", number=number),
            say("WATCH and the number of a running battle"),
        )
    _check_watcher(request, game)
    stored_games.watch(store, game.id, request.player.id)
    return Answer(
        True,
        say("the public reports of game {number} come to you from now on", number=number),
        title=say("You watch game {number}", number=number),
        taps=(
            (say("what has happened so far"), say("HISTORY {number}", number=number)),
            (say("ends that"), say("UNWATCH {number}", number=number)),
        ),
    )


def _check_watcher(request: Request, game: Game) -> None:
    """Raise Refusal where a battle can't be watched by the player."""
    if stored_games.places(request.ports.store, game=game.id, player=request.player.id):
        raise Refusal(say("you fight in game {game} yourself, and get its reports", game=game.id))
    if not game.running:
        raise Refusal(
            say("game {game} is over", game=game.id),
            say("HISTORY {game} sends its whole account", game=game.id),
        )
    if game.practice:
        raise Refusal(
            say("game {game} is practice against the referee, and is not made public", game=game.id)
        )


def unwatch(request: Request, match: Match[str]) -> Answer:
    """Send no more public reports of a battle."""
    watched, number = _watched(request), match["number"]
    if number is None and len(watched) != 1:
        raise Refusal(
            say("which game? you watch {games}", games=_listed(watched)),
            say("write its number behind it"),
        )
    found = watched[0] if number is None else int(number)
    if not stored_games.unwatch(request.ports.store, found, request.player.id):
        raise Refusal(
            say(
                "you do not watch game {number}; you watch {games}",
                number=found,
                games=_listed(watched),
            )
        )
    text = say("no more reports of game {number} come to you", number=found)
    return Answer(True, text, title=say("You watch game {number} no longer", number=found))


def _watched(request: Request) -> list[int]:
    return stored_games.watched_by(request.ports.store, request.player.id)


def _listed(watched: list[int]) -> str:
    if not watched:
        return say("no battle")
    return say("{games}", games=[say("game {game}", game=number) for number in watched])
