"""What a seat's orders on file pass over for the same reason, step after step, is told once."""

import json

from pbem.games.reports.battle_account import log_seen
from pbem.games.session import Session
from pbem.storage import Step
from tests.support.harness import League, duel


def test_the_same_skip_is_told_once(league: League) -> None:
    ann, bob = duel(league)
    ann.reply("STANDING\nIF NEAR: ESCAPE\nIF FAR: ESCAPE\nELSE: SCAN\nEND", ann.last_about("[G1-"))
    bob.reply("STANDING\nELSE: SCAN\nEND", bob.last_about("[G1-"))
    league.work()
    session = Session(league.store, league.game)
    steps = league.store.all(Step.select().where(Step.game == 1).order_by(Step.id))
    own = [step for step in steps if json.loads(step.orders)[:1] and '"Hawk"' in step.orders]
    assert sum(bool(json.loads(step.passed)) for step in own) > 1
    seat = next(seat for seat in session.places if seat == "Hawk")
    told = [step["passed"] for step in log_seen(session.rules, steps, seat) if step["passed"]]
    assert len(told) == 1
