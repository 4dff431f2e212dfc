"""A season plays through real mail servers with no hand on the shell, and its accounts balance.

The names of its tests hold its seed: SEASON_SEED=7 plays the season of another, always the same.
"""

import json
import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.maintenance.rebuild import rebuild
from pbem.storage import (
    Endorsement,
    Entry,
    Game,
    Issue,
    Leave,
    Letter,
    Nomination,
    Persona,
    Place,
    Player,
    Post,
    Reward,
    Round,
    Step,
    Store,
    Subscription,
)
from tests.season.articles import Article
from tests.season.audit import (
    Career,
    Logs,
    Sheet,
    leaks,
    loose_articles,
    misread,
    rosters,
    sheets,
    spent,
    twice,
    unanswered,
    unanswered_articles,
)
from tests.season.deeds import Record
from tests.season.plan import FULL, MODERATOR, SMALL, SYSTEMS
from tests.season.play import Season, open_season
from tests.season.posters import Poster
from tests.servers.inn import BIN
from tests.servers.required import require, unmet
from tests.support.players import words

SIZE = FULL if os.environ.get("SEASON") == "full" else SMALL
SEED = int(os.environ.get("SEASON_SEED", "1"))
pytestmark = [
    pytest.mark.services,
    pytest.mark.timeout(5400 if SIZE is FULL else 1500),
    pytest.mark.xdist_group("season"),
]


@pytest.fixture(scope="module", params=[SEED], ids="seed {}".format)
def season(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Season]:
    """A season that was played to its end; SEASON=full plays the whole one."""
    require("dovecot", "postfix")
    if not (BIN / "innd").exists():
        unmet("not installed: inn2")
    if os.geteuid() != 0:
        unmet("Postfix starts as root only")
    folder: Path = tmp_path_factory.mktemp("season")
    with open_season(folder, SIZE, request.param) as played:
        played.play()
        yield played


@pytest.fixture(scope="module")
def logs(season: Season) -> Logs:
    """All its battles, fought again by naive referees from the logs."""
    players = season.players
    own = {name: p.name for p in players for name in (*p.enlisted, *p.rosters.systems)}
    found, league = Logs(own), season.world.settings.league
    majors = {
        int(each.get_content().split("GM MAJOR ")[1].split()[0])
        for each in season.players[0].sent
        if "GM MAJOR" in each.get_content()
    }
    for game in in_order(season.world.store):
        day = game.begun.astimezone(league.zone).date()
        found.fight(season.world.service.export(game), day, game.id in majors)
    for player in season.players:
        for name, points in spent(player):
            found.careers[name].spent += points
    for pilot in resigned(season):
        found.careers[pilot].gone = True
    return found


def in_order(store: Store) -> list[Game]:
    """Return all battles in the order in which they began; their numbers were reserved before."""
    # Several begin in one moment, and the third of a day between two players counts no more.
    first = {
        place.game_id: place.id for place in reversed(store.all(Place.select().order_by(Place.id)))
    }
    return sorted(
        store.all(Game.select().order_by(Game.id)), key=lambda game: (game.begun, first[game.id])
    )


def resigned(season: Season) -> set[str]:
    """Return the pilots that were struck off, according to the letters of their players."""
    text = " ".join(words(one) for player in season.players for one in player.letters)
    return set(re.findall(r"Done: (\w+) is struck off the list", text))


@pytest.fixture(scope="module")
def shown_sheets(season: Season) -> dict[str, Sheet]:
    """What the players are shown at the end of their pilots."""
    last = [player.shown() for player in season.players if player.enlisted]
    return {name: sheet for letter in last for name, sheet in sheets(letter)}


@pytest.fixture(scope="module")
def led(season: Season) -> dict[str, Record]:
    """What the players are shown at the end of their squadrons, squads and groups."""
    last = [player.shown() for player in season.players if player.rosters.systems]
    return {name: record for letter in last for name, record in rosters(letter)}


def test_it_holds_what_a_season_holds(season: Season) -> None:
    plan, store = season.plan, season.world.store
    assert unfinished(store) == []
    assert plan.complete
    assert len(plan.duels.begun) >= plan.size.duels
    assert len(plan.teams.begun) >= plan.size.teams
    assert store.count(Player.select().where(Player.confirmed == True)) == plan.size.players + 1
    assert season.outage_posts
    assert store.count(Subscription.select().where(Subscription.active == True))
    assert {letter.state for letter in store.all(Letter.select().order_by(Letter.id))} <= {
        "answered",
        "discarded",
        "filed",
    }
    if plan.size is FULL:
        pilots = store.count(Persona.select().where(Persona.system == "starpilot"))
        assert plan.size.pilots * 0.9 <= pilots <= plan.size.pilots
        assert {step.source for step in store.all(Step.select().order_by(Step.id))} >= {"default"}
        assert any(
            place.player_id != pilot_of(store, place)
            for place in store.all(Place.select().order_by(Place.id))
        )
        assert store.count(Leave.select())
        assert store.count(Reward.select().where(Reward.roll > 0))
        assert store.count(Nomination.select().where(Nomination.state == "given"))
        assert store.count(Issue.select()) == 2


def steps_of(store: Store, game: int) -> list[Step]:
    """Return the steps of a battle."""
    return store.all(Step.select().where(Step.game == game).order_by(Step.id))


def places_of(store: Store, game: int) -> list[Place]:
    """Return the places of a battle."""
    return store.all(Place.select().where(Place.game == game).order_by(Place.id))


def unfinished(store: Store) -> list[str]:
    """Return what is known of battles that go on at the end: how long they last, and their end."""
    return [
        f"battle {game.id} of {game.system}, begun {game.begun:%d %b}, turn {game.turn},"
        f" step {game.steps}, due {game.deadline}, paused {game.paused}:"
        f" {[step.orders for step in steps_of(store, game.id)[-4:]]}"
        f" {[(p.seat, p.asked, p.answered, p.sheet[:200]) for p in places_of(store, game.id)]}"
        for game in store.all(Game.select().where(Game.running == True).order_by(Game.id))
    ]


def test_all_four_systems_are_played_to_the_end_of_battles(season: Season, logs: Logs) -> None:
    size = season.plan.size
    assert all(logs.fights[system] >= size.fights for system in SYSTEMS)
    assert logs.fights["starpilot"] >= size.duels + size.teams
    assert not season.world.store.all(Game.select().where(Game.running == True).order_by(Game.id))


def test_orders_in_players_own_words_are_understood(season: Season) -> None:
    assert misread(season.players) == []


def pilot_of(store: Store, place: Place) -> int:
    return store.get(Persona, place.persona_id).player_id


def test_every_letter_is_answered_once_and_no_robot_ever(season: Season) -> None:
    assert unanswered(season.players) == []
    assert twice(season.players) == []
    robots = [player for player in season.players if player.habits.robot]
    assert season.plan.size is not FULL or any(player.machine for player in robots)


@pytest.fixture(scope="module")
def posts(season: Season) -> list[Article]:
    """The referee's articles in the newsgroup."""
    return season.world.newsreader.articles()


@pytest.fixture(scope="module")
def posters(season: Season) -> list[Poster]:
    """The players who write on the newsgroup."""
    return [player for player in season.players if isinstance(player, Poster)]


def test_a_third_of_the_players_never_writes_a_letter_after_link(
    season: Season, posters: list[Poster]
) -> None:
    assert len(posters) == season.plan.size.players // 3
    for poster in posters:
        assert poster.linked
        assert not poster.machine
        assert "LINK news" in poster.sent[-1].get_content()
        assert poster.orders


def test_what_is_written_on_the_newsgroup_is_answered_once(
    season: Season, posters: list[Poster], posts: list[Article]
) -> None:
    assert unanswered_articles(posters, posts) == []
    assert sum(poster.changes for poster in posters)
    assert any(not one.asks and one.thread for poster in posters for one in poster.posts)
    # What players say to each other is read, and nothing comes of it.
    assert season.world.store.count(
        Letter.select().where(Letter.channel == "news", Letter.state == "filed")
    )


def test_orders_on_the_newsgroup_are_those_that_were_given(
    season: Season, posters: list[Poster]
) -> None:
    store = season.world.store
    numbers = [
        store.first(
            Player.select().where(Player.name == f"{poster.name} Example").order_by(Player.id)
        ).id
        for poster in posters
    ]
    # The seats of who was silent for long may be others' by now.
    seats = {
        (one.game_id, one.seat)
        for one in store.all(Place.select().where(Place.player.in_(numbers)).order_by(Place.id))
    }
    played = [
        (step.game_id, order)
        for step in store.all(Step.select().order_by(Step.id))
        if step.source not in ("default", "forced")
        for seat, order in json.loads(step.orders)
        if (step.game_id, seat) in seats
    ]
    assert played
    given = {
        (game, order)
        for poster in posters
        for game, each in poster.orders.items()
        for order in each
    }
    assert [one for one in played if one not in given] == []


def test_nobody_is_told_a_secret(season: Season, posts: list[Article]) -> None:
    assert leaks(season.players, [one.letter for one in posts]) == []
    rules = {rule for player in season.players for rule in player.rules}
    assert rules
    assert [one.name for one in posts if any(rule in one.text for rule in rules)] == []


def test_the_newsgroup_holds_each_post_once_in_its_thread(
    season: Season, posts: list[Article]
) -> None:
    articles = [one.letter for one in posts]
    rows = season.world.store.all(Post.select().order_by(Post.id))
    assert {row.state for row in rows} == {"sent"}
    assert sorted(a["Message-ID"] for a in articles) == sorted(row.stands for row in rows)
    assert loose_articles(articles) == []


def test_each_subscriber_gets_each_newsletter_once(season: Season) -> None:
    issues = season.world.store.count(Issue.select())
    for player in season.players:
        came = [one for one in player.letters if ": newsletter " in one["Subject"]]
        assert len(came) == (issues if player.habits.subscribes else 0)


def test_the_books_are_what_the_dice_say(
    season: Season, logs: Logs, shown_sheets: dict[str, Sheet]
) -> None:
    pilots = season.world.store.all(
        Persona.select().where(Persona.system == "starpilot").order_by(Persona.id)
    )
    assert shown_sheets.keys() == {row.name for row in pilots}
    for name, sheet in shown_sheets.items():
        career = logs.careers.get(name, Career("alliance"))
        assert (name, *facts(sheet)) == (name, *facts_of(career))
        if career.side:
            assert (name, sheet.worn) == (name, career.awards())
        if career.missions >= 4 and not career.gone:
            assert sheet.rank >= 2


def test_squadrons_squads_and_groups_come_back_as_the_dice_say(
    season: Season, logs: Logs, led: dict[str, Record]
) -> None:
    names = {
        row.name
        for row in season.world.store.all(Persona.select().order_by(Persona.id))
        if row.system in SYSTEMS
    }
    assert led.keys() == names >= logs.records.keys()
    assert {name: logs.records.get(name, Record()) for name in names} == led
    assert any(record.left for record in led.values())


def facts(sheet: Sheet) -> tuple[int, ...]:
    return sheet.total, sheet.unspent, sheet.missions, sheet.kills, sheet.prizes, sheet.wounds


def facts_of(career: Career) -> tuple[int, ...]:
    counted = career.missions, career.kills, career.prizes, career.wounds
    return career.earned, career.unspent, *counted


def test_what_was_earned_was_spent_lost_kept_or_buried(season: Season, logs: Logs) -> None:
    sums: dict[str, int] = defaultdict(int)
    for entry in season.world.store.all(Entry.select().order_by(Entry.id)):
        sums[entry.account or "none"] += entry.points
    careers = logs.careers.values()
    buried = sum(c.earned - c.spent - c.lost for c in careers if c.gone)
    assert sums["earned"] == sum(c.earned for c in careers)
    assert -sums["spent"] == sum(c.spent for c in careers)
    assert -sums["lost"] == sum(c.lost for c in careers)
    assert -sums["buried"] == buried
    assert sum(sums.values()) == sum(c.unspent for c in careers)


def test_kills_and_prizes_are_losses(logs: Logs, shown_sheets: dict[str, Sheet]) -> None:
    assert sum(sheet.kills for sheet in shown_sheets.values()) == logs.ships_lost
    assert sum(sheet.prizes for sheet in shown_sheets.values()) == logs.captured


def test_each_medal_has_its_endorsers(season: Season, shown_sheets: dict[str, Sheet]) -> None:
    store, given = season.world.store, Counter[str]()
    for nomination in sorted(
        store.all(Nomination.select().where(Nomination.state == "given").order_by(Nomination.id)),
        key=lambda one: one.given,
    ):
        pilot = store.get(Persona, nomination.persona_id)
        words_of = {
            one.player_id
            for one in store.all(
                Endorsement.select()
                .where(Endorsement.nomination == nomination.id)
                .order_by(Endorsement.id)
            )
        }
        assert not words_of & {nomination.player_id, pilot.player_id}
        assert nomination.player_id != pilot.player_id
        assert len(words_of) >= 2 + given[pilot.name]
        given[pilot.name] += 1
    assert {name: sheet.medals for name, sheet in shown_sheets.items() if sheet.medals} == given


def test_the_moderator_wrote_only_letters(season: Season) -> None:
    assert season.players[0].name == MODERATOR
    assert season.world.store.count(Round.select().where(Round.ruling != "")) == 0


def test_the_raw_letters_make_the_same_season_again(season: Season, tmp_path: Path) -> None:
    assert rebuild(season.world.settings, tmp_path / "again.db") == []
