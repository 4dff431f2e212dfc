"""Posts of all four systems: made of what everybody may know, and of nothing else."""

import json
from dataclasses import replace
from typing import Any

import pytest

from engine import codec, play
from engine.ruleset import AnyRuleset
from pbem.games.session import Session
from pbem.games.simultaneous_turns import plan
from pbem.games.step_log import events_of
from pbem.storage import Place, Player, Step, Token
from tests.support.board_folders import boards, posted, said
from tests.support.each_system import SYSTEMS, first_reports
from tests.support.harness import League, Person

pytestmark = pytest.mark.league(systems=SYSTEMS)

SALT = "a pinch of the Dead Sea"
TURNS = 3
TOGETHER = [system for system in SYSTEMS if system != "starpilot"]
"""The systems in which all order at once."""


def orders(league: League, name: str) -> str:
    """What a person could order now, by what everybody may know; "" where it is another's turn."""
    player = league.store.first(
        Player.select().where(Player.name == f"{name} Example").order_by(Player.id)
    )
    assert player is not None
    session = Session(league.store, league.game)
    seat = next(seat for seat, one in session.places.items() if one.player_id == player.id)
    offers = session.rules.offers(session.foreseen(seat), seat)
    usual = [session.rules.format(offers[0].order)] if offers else []
    return "\n".join([one.order for one in plan(session, seat)] or usual)


def begun(league: League, system: str, private: bool = False) -> tuple[Person, Person]:
    """Two people before the first turn of a battle that is posted on two channels."""
    boards(league, private)
    return first_reports(league, system, "en")


def turn(league: League, *people: Person, more: str = "") -> None:
    """Let everybody order who may, with more words for the referee."""
    for person in people:
        text = orders(league, person.name)
        if league.game.running and text:
            person.reply(f"{text}\n{more}", person.last_about("[G1-"))
            league.work()


def public_state(rules: AnyRuleset, league: League) -> Any:
    """The state as it follows from what everybody may know."""
    state = rules.setup(json.loads(league.game.setup))
    for step in league.store.all(
        Step.select().where(Step.game == league.game.id).order_by(Step.id)
    ):
        state = play.fold(rules, state, play.seen(rules, events_of(rules, step), None))
    return codec.decode(codec.encode(state), rules.state)  # as it is kept, also in its order


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_is_posted_follows_from_what_everybody_may_know(system: str, league: League) -> None:
    people, reports = begun(league, system), league.service.ports.reports
    for _ in range(TURNS):
        session, known = (Session(league.store, league.game) for _ in range(2))
        known.state = public_state(known.rules, league)
        assert reports.public_turn(session) == reports.public_turn(known)
        assert reports.account(session, 0) == reports.account(known, 0)
        assert reports.account(session, 0)["view"] == session.rules.view(session.state, None)
        turn(league, *people)
    assert league.game.turn > 1


@pytest.mark.parametrize("system", SYSTEMS)
def test_each_turn_is_one_post_and_orders_are_none(system: str, league: League) -> None:
    ann, bob = begun(league, system)
    for n in range(1, TURNS):
        turn(league, ann)
        turn(league, bob)
        for channel in ("forum", "marked", "paste", "tagged"):
            idents = [post.ident for post in posted(league, channel)]
            assert idents == [f"G1-T{n}" for n in range(1, league.game.turn + 1)]
        assert league.game.turn > n


@pytest.mark.parametrize("system", SYSTEMS)
def test_no_post_holds_what_is_secret(system: str, league: League) -> None:
    people = begun(league, system)
    secrets = [SALT, "Dead Sea", *(person.address for person in people), *(p.key for p in people)]
    for _ in range(TURNS):
        turn(league, *people, more=f"SALT {SALT}\nSTANDING sound")
    secrets += [token.token for token in league.store.all(Token.select().order_by(Token.token))]
    secrets += [place.sheet for place in league.store.all(Place.select().order_by(Place.id))]
    text = "\n".join(post.body for name in ("forum", "paste") for post in posted(league, name))
    assert max(map(len, text.splitlines())) <= 78  # as newsreaders show
    assert "a pinch" not in text
    assert [one for one in secrets if one in text] == []
    assert "ELSE" not in text
    assert "IF " not in text


@pytest.mark.parametrize("private", [False, True])
@pytest.mark.parametrize("system", TOGETHER)
def test_where_all_order_at_once_nothing_that_is_possible_is_listed(
    system: str, private: bool, league: League
) -> None:
    people = begun(league, system, private)
    turn(league, *people)
    for post in posted(league):
        assert "All order at once" in said(post)
        assert "Not in this thread, because orders are secret" in said(post)
        assert ("by a private message" in said(post)) is private
        assert "may order" not in said(post)
        assert " %" not in post.body.partition("WHO IS TO ACT")[2]


@pytest.mark.parametrize("system", SYSTEMS)
def test_nobody_acts_in_a_battle_that_is_over(system: str, league: League) -> None:
    begun(league, system)
    league.rule("DRAW 1")
    session = Session(league.store, league.game)
    assert session.over
    assert league.service.ports.reports.public_turn(session)["acting"] == []
    assert "WHO IS TO ACT" not in posted(league)[-1].body


def test_whose_options_depend_on_a_secret_are_told_no_options(league: League) -> None:
    begun(league, "starpilot")
    session = Session(league.store, league.game)
    assert session.is_open
    hawk, kestrel = league.service.ports.reports.public_turn(session)["acting"]
    assert hawk["offers"]
    assert kestrel["offers"]
    assert (hawk["ahead"], kestrel["ahead"]) == (False, True)
    # As if somebody alone knew what has happened.
    session.rules = replace(session.rules, audience=lambda event: (hawk["seat"],))
    told = league.service.ports.reports.public_turn(session)
    assert told["hidden"]
    assert told["acting"] == [hawk | {"offers": []}, kestrel | {"offers": []}]
