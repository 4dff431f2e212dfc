"""SPEND and CHOOSE: rewards, rolled with dice that were committed to (decision 0005)."""

import json
from re import Match
from typing import Any

from engine import fair
from engine.dice import KeyedDice
from engine.ruleset import Change
from engine.said import say
from pbem.games.session import career_of, piece_of
from pbem.league.inquiries import sheet_block
from pbem.league.own import idle, own, own_and_rest, refusing
from pbem.league.visit import Answer, Refusal, Visit
from pbem.people import books
from pbem.store import Persona, Reward

EXAMPLE = say("SPEND 3 FOR Hawk ON weapons 2 piloting 1 / shields")


def spend(visit: Visit, match: Match[str]) -> Answer:
    """Spend a pilot's points on a reward, and roll for it at once (SP-33)."""
    row, choices = own_and_rest(visit, match["rest"], "ON")
    idle(visit, row)
    career, piece, store = career_of(row), piece_of(row), visit.office.store
    with refusing(EXAMPLE):
        bid = career.bid(piece, match["points"], visit.english(row.system, choices), visit.day)
    reward, untold = books.next_reward(store, row)
    if untold:
        return Answer(False, _UNTOLD, say("send the order again"), (sheet_block(visit, row),))
    ground = books.reward_ground(row, reward)
    key = ground.step(0, {row.name: visit.words}, [(row.name, bid.text)])
    rolled = KeyedDice(key)
    change = career.reward(piece, bid, rolled, visit.day)
    books.enter(store, row, change, visit.now)
    store.rewards.change(
        reward.id,
        order=bid.text,
        words=json.dumps(visit.words),
        digest=fair.digest_of(key),
        roll=rolled.rolls[0].result,
        rolled=visit.now,
    )
    return Answer(True, "", blocks=(_block(visit, row, change, store.rewards.get(reward.id)),))


_UNTOLD = say("the commitment to its dice must be told first, and stands below")


def _block(visit: Visit, row: Persona, change: Change, rolled: Reward) -> dict[str, Any]:
    """Give what a reward's answer tells: what came of it, the receipt, the next commitment."""
    receipt = {
        "id": books.reward_id(rolled),
        "system": row.system,
        "version": rolled.version,
        "order": rolled.order,
        "words": json.loads(rolled.words),
        "digest": rolled.digest,
        "roll": rolled.roll,
        "secret": rolled.secret.hex(),
        "commitment": books.reward_ground(row, rolled).commitment,
    }
    return {
        "kind": "reward",
        "system": row.system,
        "name": row.name,
        "befell": books.told(change.entries),
        "owed": career_of(row).sheet(change.persona)["owed"],
        "receipt": receipt,
        "commitment": books.commitment(visit.office.store, row),
    }


def choose(visit: Visit, match: Match[str]) -> Answer:
    """Choose what was left open of a reward (SP-33)."""
    row = own(visit, match["name"]) if match["name"] else _only_owed(visit)
    with refusing():
        change = career_of(row).choose(piece_of(row), visit.english(row.system, match["what"]))
    books.enter(visit.office.store, row, change, visit.now)
    changed = visit.office.store.personas.get(row.id)
    return Answer(
        True, say("{pilot} has it", pilot=row.name), blocks=(sheet_block(visit, changed),)
    )


def _only_owed(visit: Visit) -> Persona:
    mine = visit.office.store.personas.all(player=visit.player.id)
    owed = [row for row in mine if career_of(row).sheet(piece_of(row))["owed"]]
    if len(owed) == 1:
        return owed[0]
    if not owed:
        raise Refusal(say("none of your pilots has a choice to make"), say("HELP rewards"))
    names = [row.name for row in owed]
    raise Refusal(
        say("for which pilot? {names} have a choice to make", names=names),
        say("CHOOSE beams FOR Hawk"),
    )
