"""SPEND and CHOOSE: rewards, rolled with dice that were committed to before (decision 0005)."""

import json
from re import Match

from engine import fair_dice
from engine.campaign import Change, Rewards
from engine.dice import KeyedDice
from engine.i18n import say
from pbem.games.persona_rules import campaign_of, persona_sheet, piece_of
from pbem.handlers.names.own_pilots_and_places import idle, own, own_and_rest, refusing
from pbem.handlers.personas.enlist_and_resign import career_block, sheet_block, to_fight
from pbem.handlers.request import Answer, Refusal, Request
from pbem.people import career_log, personas
from pbem.storage import Persona, Reward, stored_games

EXAMPLE = say("SPEND 3 FOR Hawk ON weapons 2 piloting 1 / shields")


def spend(request: Request, match: Match[str]) -> Answer:
    """Spend a pilot's points on a reward, and roll for it at once (SP-33)."""
    row, choices = own_and_rest(request, match["rest"], "ON")
    idle(request, row)
    rewards, piece, store = _rewards(row), piece_of(row), request.ports.store
    # Before anything is rolled: a refused SPEND must use up no secret (decision 0005).
    with refusing(EXAMPLE):
        bid = rewards.bid(piece, match["points"], request.english(row.system, choices), request.day)
    reward, uncommitted = career_log.next_reward(store, row)
    # The player must see the commitment before the roll, or the dice would prove nothing.
    if uncommitted:
        return Answer(
            False, _UNCOMMITTED, say("send the order again"), (sheet_block(request, row),)
        )
    ground = career_log.reward_ground(row, reward)
    # A reward is rolled like step 0 of a game of its own (docs/dice.md).
    key = ground.step(0, {row.name: request.words}, [(row.name, bid.text)])
    rolled = KeyedDice(key)
    change = rewards.reward(piece, bid, rolled, request.day)
    career_log.enter(store, row, change, request.now)
    career_log.note_roll(
        store,
        reward,
        order=bid.text,
        words=json.dumps(request.words),
        digest=fair_dice.digest_of(key),
        roll=rolled.rolls[0].result,
        rolled=request.now,
    )
    changed = store.get(Persona, row.id)
    block = _block(request, changed, change, store.get(Reward, reward.id))
    title = say("A reward for {pilot}", pilot=row.name)
    # What is left to choose comes before the next battle.
    taps = () if persona_sheet(changed)["owed"] else to_fight(request, changed)
    return Answer(True, "", blocks=(block,), title=title, taps=taps)


def _rewards(row: Persona) -> Rewards:
    """Return the rewards of a persona's system; raise Refusal where it has none."""
    campaign = campaign_of(row)
    if campaign.rewards is None:
        raise Refusal(say("{pilots} have no points to spend", pilots=campaign.nouns.many))
    return campaign.rewards


_UNCOMMITTED = say("the commitment to its die must be told first, and comes with this letter")


def _block(request: Request, row: Persona, change: Change, rolled: Reward) -> dict[str, object]:
    """Return the block of a reward's answer: its results, the receipt, and the next commitment."""
    receipt = {
        "id": career_log.reward_id(rolled),
        "system": row.system,
        "version": rolled.version,
        "order": rolled.order,
        "words": json.loads(rolled.words),
        "digest": rolled.digest,
        "roll": rolled.roll,
        "secret": rolled.secret.hex(),
        "commitment": career_log.reward_ground(row, rolled).commitment,
    }
    return {
        **career_block(request, row, change),
        "kind": "reward",
        "receipt": receipt,
        "next": career_log.committed(request.ports.store, row),
    }


def choose(request: Request, match: Match[str]) -> Answer:
    """Make the choice that a reward has left open (SP-33)."""
    row = own(request, match["name"]) if match["name"] else _only_owed(request)
    with refusing():
        # In a battle too: a pilot may fight while a choice is open (docs/rulings.md, SP-33).
        change = _rewards(row).choose(piece_of(row), request.english(row.system, match["what"]))
    career_log.enter(request.ports.store, row, change, request.now)
    changed = request.ports.store.get(Persona, row.id)
    text = say("{pilot} has the reward", pilot=row.name)
    if stored_games.is_fighting(request.ports.store, row.id):
        # A battle is fought with the sheet that its set-up has.
        text = say("{pilot} has the reward, from its next battle on", pilot=row.name)
    blocks = (career_block(request, changed, change), sheet_block(request, changed))
    return Answer(True, text, blocks=blocks, taps=to_fight(request, changed))


def _only_owed(request: Request) -> Persona:
    mine = personas.of(request.ports.store, request.player.id)
    owed = [row for row in mine if persona_sheet(row)["owed"]]
    if len(owed) == 1:
        return owed[0]
    if not owed:
        raise Refusal(say("nobody of yours has a choice to make"), say("HELP rewards"))
    names = [row.name for row in owed]
    raise Refusal(
        say("for which pilot? {names} have a choice to make", names=names),
        say("CHOOSE beams FOR Hawk"),
    )
