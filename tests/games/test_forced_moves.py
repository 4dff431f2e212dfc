"""A move without a choice is played by the referee; a letter asks only where there is a choice."""

import json
from pathlib import Path
from random import Random

import pytest

from engine import codec
from engine.codec import change
from engine.orders.orders_on_file import Sheet
from engine.seats import Seat
from engine.starpilot import legal
from engine.starpilot.model import Lock, Shot
from engine.starpilot.rules import STARPILOT
from pbem.games.session import Session
from pbem.maintenance.rebuild import rebuild
from pbem.settings.load import parse
from pbem.storage import Round, Step, kept_settings
from pbem.storage.migrations import MIGRATIONS
from tests.engine.test_advice import found as in_contact
from tests.support.harness import START, League, duel, fixed_entropy, open_league
from tests.support.letter_samples import Duel
from tests.support.players import STANDING, words
from tests.support.team_battles import give_orders, melee

pytestmark = pytest.mark.league(forced_moves=True, turns_per_letter=4)

HAWK = Seat("Hawk")


def sources(league: League) -> list[str]:
    """Return where the order of each step came from."""
    found = league.store.all(Step.select().where(Step.game == league.game.id).order_by(Step.n))
    return [step.source for step in found]


def choiceless(league: League) -> list[Seat]:
    """Return the seats whose turn it is, and that have no choice."""
    session = Session(league.store, league.game)
    return [seat for seat in session.acting if STARPILOT.forced(session.state, seat) is not None]


def test_the_first_letter_tells_the_search_and_asks_for_the_first_choice(league: League) -> None:
    ann, bob = duel(league)
    assert set(sources(league)[1:]) == {"forced"}
    assert all("SCAN" in orders for orders, source in league.orders() if source == "forced")
    assert not choiceless(league)
    told = words(ann.last_about("[G1-")) + words(bob.last_about("[G1-"))
    assert "(you had no choice)" in told


@pytest.mark.parametrize("seed", range(6))
def test_no_forced_move_waits_for_a_letter(tmp_path: Path, seed: int) -> None:
    """Of a duel that is played by whatever the letters offer."""
    rng = Random(seed)

    def entropy(count: int) -> bytes:
        return Random(seed).randbytes(count)

    with open_league(tmp_path, entropy=entropy, forced_moves=True, turns_per_letter=4) as league:
        people = dict(zip(("Hawk", "Kestrel"), duel(league), strict=True))
        for _ in range(40):
            if not league.game.running:
                break
            assert not choiceless(league)
            session = Session(league.store, league.game)
            for seat in session.unanswered:
                offered = STARPILOT.offers(session.foreseen(seat), seat)
                wanted = [one for one in offered if one.order.command != "SURRENDER"] or offered
                order = STARPILOT.format(rng.choice(wanted).order)
                people[seat].reply(order, people[seat].last_about("[G1-"))
            league.work()
        for number, source in enumerate(sources(league)):
            assert source in ("", "forced", "queue"), number


def test_a_forced_move_is_the_move_that_a_player_would_have_written(tmp_path: Path) -> None:
    """The same orders and words give the same dice and steps, whoever writes the order."""
    logs = []
    for forced in (True, False):
        folder = tmp_path / str(forced)
        folder.mkdir()
        with open_league(folder, entropy=fixed_entropy, forced_moves=forced) as league:
            duel(league)
            if not forced:
                session = Session(league.store, league.game)
                for seat in session.places:
                    queue = codec.encode(Sheet(queue=("SCAN",) * 30))
                    session.change(seat, sheet=queue, answered=True)
                assert league.service.ports.referee.advance(session, START)
            steps = league.store.all(Step.select().order_by(Step.n))
            logs.append([(one.orders, one.rolls, one.events, one.digest) for one in steps])
    by_referee, by_players = logs
    assert 1 < len(by_referee) < len(by_players)
    assert by_players[: len(by_referee)] == by_referee


@pytest.mark.league(forced_moves=False, turns_per_letter=4)
def test_a_league_may_ask_for_each_move(league: League) -> None:
    ann, _ = duel(league)
    assert len(sources(league)) == 1
    assert choiceless(league)
    assert "SCAN" in words(ann.last_about("[G1-"))


def test_nobody_misses_a_deadline_by_a_forced_move(league: League) -> None:
    ann, bob = duel(league)
    people = {"Hawk": ann, "Kestrel": bob}
    for _ in range(10):
        session = Session(league.store, league.game)
        assert all(place.misses == 0 for place in session.places.values())
        for seat in session.unanswered:
            people[seat].reply("SCAN", people[seat].last_about("[G1-"))
        league.work()


@pytest.mark.league(forced_moves=True, entropy=fixed_entropy)
def test_a_league_with_forced_moves_is_rebuilt_to_the_same_letters(league: League) -> None:
    for person in duel(league):
        person.reply(STANDING, person.last_about("[G1-"))
    league.work()
    assert "forced" in sources(league)
    assert rebuild(league.settings, league.settings.home / "new.db") == []


def test_notes_from_before_the_setting_ask_for_each_move(league: League) -> None:
    league.work()
    [noted] = [one.settings for one in league.store.all(Round.select()) if one.settings]
    before = json.loads(noted)
    assert before["league"].pop("forced_moves") is True
    league.store.run(Round.update(settings=json.dumps(before)).where(Round.settings != ""))
    MIGRATIONS[18](league.store.database)
    [text] = [one.settings for one in league.store.all(Round.select()) if one.settings]
    assert not kept_settings.in_force(text, league.settings).league.forced_moves
    whole = kept_settings.in_force(kept_settings.written(league.settings), league.settings)
    assert whole.league.forced_moves
    assert parse({"league": {"name": "A", "address": "a@b.example"}}, Path()).league.forced_moves


@pytest.mark.league(forced_moves=True, entropy=fixed_entropy)
def test_a_team_battle_runs_on_as_far_as_a_duel(league: League) -> None:
    """Each pilot has as many turns between two letters, however many fight."""
    people = melee(league)
    give_orders(people)
    people.work()
    assert league.game.steps > 36 or not league.game.running


def test_who_is_under_fire_may_give_up_and_so_has_a_choice() -> None:
    searching = Duel().play(1).state
    assert legal.forced(searching, HAWK) is not None
    assert legal.forced(searching, HAWK).command == "SCAN"
    for threat in (
        {"shots": (Shot("Kestrel", "Hawk", "fire", 1),)},
        {"locks": (Lock("Kestrel", "Hawk", fresh=False),)},
    ):
        assert legal.forced(change(searching, **threat), HAWK) is None
    assert legal.forced(in_contact(), HAWK) is None
    assert legal.forced(searching, "Kestrel") is None
