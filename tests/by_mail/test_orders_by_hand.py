"""Orders by hand come before standing orders: a tap on "Your move" is the next move."""

import json

import pytest

from engine.orders.orders_on_file import choices
from engine.orders.reading import read_for
from engine.seats import Seat
from pbem.games.session import Session
from pbem.storage import Player, Step
from tests.support.each_system import SYSTEMS, asked, filed, first_reports
from tests.support.harness import League
from tests.support.link_taps import links, tap
from tests.support.players import words

HOLDING = {
    "starpilot": "",
    "blackskies": "IF TURN >= 1: All: STEADY\n",
    "cortex": "",
    "starfarer": "IF CLEAR: All: EVADE\n",
}
"""A rule that holds in the first turn, where STANDING sound has none that does."""
EACH = [pytest.param(one, marks=pytest.mark.league(systems=(one,))) for one in SYSTEMS]


@pytest.mark.parametrize("system", EACH)
def test_a_tap_is_the_next_move_with_standing_orders_on_file(league: League, system: str) -> None:
    ann, bob = first_reports(league, system, "en")
    asked(ann, f"{HOLDING[system]}STANDING sound")
    if system == "starpilot":
        # The battle runs on until a report is due, where more is possible than to SCAN.
        asked(bob, "STANDING sound")
    player = league.store.first(
        Player.select().where(Player.name == "Ann Example").order_by(Player.id)
    )
    assert player is not None
    session, report = Session(league.store, league.game), ann.ask("REPORT 1")
    rules, state, before = session.rules, session.state, league.game.steps
    [seat] = [Seat(p.seat) for p in session.places.values() if p.player_id == player.id]
    by_rule = {rules.format(one.order) for one in choices(rules, state, seat, session.sheet(seat))}
    offered = {lines: {*read_for(rules, state, seat, lines).queue} for lines in links(report)}
    tapped = next(lines for lines, queue in offered.items() if queue and queue.isdisjoint(by_rule))
    tap(ann, report, tapped)
    ann.new()
    bob.new()
    bob.ask("READY" if system == "starpilot" else "STANDING sound", bob.last_about("[G1-T"))
    step = league.store.first(Step.select().where(Step.game == 1, Step.n == before))
    assert step is not None
    assert {order for author, order in json.loads(step.orders) if author == seat} == offered[tapped]


def test_an_order_that_is_not_possible_yet_waits_at_the_head_and_the_report_says_why(
    league: League,
) -> None:
    ann, bob = first_reports(league, "starpilot", "en")
    asked(ann, "FIRE\nSTANDING\nIF UNDETECTED: SCAN\nEND")
    bob.new()
    asked(bob, "SCAN")
    assert filed(league)["queue"] == ["FIRE"]
    [report] = ann.new()
    assert "Skipped: FIRE, because" in words(report)
