"""The dice of a report as a file, which a system's checking script compares with an export."""

import json
from collections.abc import Iterator, Mapping, Sequence

from engine import fair_dice
from engine.dice import canonical
from engine.i18n import say
from pbem.checking_script import has_script, script_name
from pbem.games.battle_account import SeenStep, log_seen, words_told
from pbem.games.session import Session, game_id
from pbem.mime_writer import Attachment
from pbem.outgoing.outbox import Outbox
from pbem.storage import Player

NAME, KIND = "receipt.txt", "text/plain; charset=utf-8"
FORMAT = "pbem-receipt-1"


def receipt(
    outbox: Outbox, session: Session, player: Player, steps: Sequence[SeenStep]
) -> Attachment:
    """Return the dice of some steps as a file, with the battle's commitment and the words.

    Once the battle is over, its secret and everybody's words are in it too.
    """
    name = game_id(session.game.id)
    about: tuple[str, ...] = (say("The dice of game {game}.", game=name),)
    if has_script(session.game.system):
        script = f"{script_name(session.game.system)} {name}.json {NAME}"
        about = (
            say("The dice of game {game}. Keep this file: when the battle is over,", game=name),
            say("{script} compares it with what SCRIPT sends you.", script=script),
        )
    language = outbox.language(player)
    lines = [f"# {outbox.renderer.say(text, language)}" for text in about]
    lines += map(canonical, _facts(session, steps))
    # RFC 2046: the lines of a text in mail end so.
    return Attachment(NAME, KIND, "".join(f"{line}\r\n" for line in lines).encode())


def _facts(session: Session, steps: Sequence[SeenStep]) -> Iterator[Mapping[str, object]]:
    game, told = session.game, steps
    yield {
        "format": FORMAT,
        "game": game_id(game.id),
        "system": game.system,
        "commitment": game.commitment,
        "setup": fair_dice.fingerprint(json.loads(game.setup)),
    }
    # With the secret of a running game, a player could compute its next dice.
    if not game.running:
        yield {"secret": game.dice_secret.hex()}
        told = log_seen(session.rules, session.store.steps.all(game=game.id), None, True)
    for run in words_told(told):
        yield dict(run)
    # Some dice are shown only at the end, so a checking script must not expect all of them here.
    name = "rolls" if session.rules.rolled is None or not game.running else "some_rolls"
    for step in steps:
        rolls = [[roll["sides"], roll["result"], roll["why"]] for roll in step["rolls"]]
        proxied = {"proxied": step["proxied"]} if step["proxied"] else {}
        yield {
            "step": step["n"],
            "digest": step["digest"],
            name: rolls,
            **proxied,
        }
