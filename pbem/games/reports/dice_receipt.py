"""Receipts: files with dice, and commitments to dice, that players keep and check later."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from engine import fair_dice
from engine.dice import canonical
from engine.i18n import say
from pbem.channels.mail.mime_writer import Attachment
from pbem.games.checking_script import has_script, script_name
from pbem.games.commitments import Committed
from pbem.games.reports.battle_account import SeenStep, log_seen, words_told
from pbem.games.session import Session, game_id
from pbem.outgoing.outbox import Outbox
from pbem.storage import Player, stored_letters

NAME, KIND = "receipt.txt", "text/plain; charset=utf-8"
FORMAT = "pbem-receipt-1"
REWARD = "pbem-reward-1"
"""The format of a reward's receipt, which `pbem dice` has the options for (docs/player.md)."""


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
    return _file(outbox, player, NAME, about, _facts(session, player, steps))


def commitment(outbox: Outbox, player: Player, pledge: Committed) -> Attachment:
    """Return the commitment to a battle's dice as a file, which is told before the battle."""
    game = game_id(pledge["game"])
    about = say("The commitment to the dice of game {game}. Keep this file.", game=game)
    told = {"format": FORMAT, "game": game, "commitment": pledge["commitment"]}
    # Named by its game: a letter may have several, and a player keeps those of many letters.
    return _file(outbox, player, f"receipt-{game}.txt", (about,), (told,))


def told_in(
    outbox: Outbox, player: Player, answers: Iterable[Mapping[str, Any]]
) -> list[Attachment]:
    """Return the files that the blocks of answers name: commitments, and receipts of rewards."""
    found: dict[str, Attachment] = {}
    for block in (block for answer in answers for block in answer["blocks"]):
        files = []
        if block["kind"] == "pledge":
            files.append(commitment(outbox, player, block["pledge"]))
        if block["kind"] == "reward":
            files.append(_reward(outbox, player, block["receipt"]))
        if block["kind"] in ("sheet", "reward") and block["next"]:
            files.append(_reward(outbox, player, block["next"]))
        found |= {file.name: file for file in files}
    return list(found.values())


def _reward(outbox: Outbox, player: Player, told: Mapping[str, object]) -> Attachment:
    """Return what is told of a reward's die as a file: the commitment alone, until it is rolled."""
    about = say("The die of reward {reward}. Keep this file.", reward=told["id"])
    if "roll" not in told:
        about = say("The commitment to the die of reward {reward}. Keep it.", reward=told["id"])
    name = f"receipt-{told['id']}.txt"
    return _file(outbox, player, name, (about,), ({"format": REWARD, **told},))


def _file(
    outbox: Outbox,
    player: Player,
    name: str,
    about: Iterable[str],
    facts: Iterable[Mapping[str, object]],
) -> Attachment:
    """Return a file with what it is about in words, and its facts, a JSON object on each line."""
    language = outbox.language(player)
    lines = [f"# {outbox.renderer.say(text, language)}" for text in about]
    lines += map(canonical, facts)
    # RFC 2046: the lines of a text in mail end so.
    return Attachment(name, KIND, "".join(f"{line}\r\n" for line in lines).encode())


def _facts(
    session: Session, player: Player, steps: Sequence[SeenStep]
) -> Iterator[Mapping[str, object]]:
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
        told = log_seen(session.rules, session.log, None, True)
    names = _names_of_messages(session, player)
    for run in words_told(told):
        name = names.get(run["words"]["letter"])
        yield {**run, "message": name} if name else dict(run)
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


def _names_of_messages(session: Session, player: Player) -> dict[str, str]:
    """Return the names of a player's messages on boards, by what they are in words."""
    found: dict[str, str] = {}
    for link in (one for one in session.accounts if one.player_id == player.id):
        for name in stored_letters.message_names(session.store, link.channel, player.id):
            found[fair_dice.words_of(name, (), link.words)["letter"]] = name
    return found
