"""Medals on a board: a nomination in a battle's thread, endorsements below it, and the medal."""

from dataclasses import dataclass
from typing import Literal

import pytest

from pbem.storage import Endorsement, Nomination
from tests.by_board.conftest import Duel
from tests.by_board.test_duel import posts
from tests.support.board_league import Poster, by_us, thread_of, work
from tests.support.harness import Person
from tests.support.players import KESTREL, words

Way = Literal["board", "mail"]
WAYS: tuple[Way, ...] = ("board", "mail")
CITATION = "Hawk stayed when all others ran,\nand nobody had asked it to."


@dataclass
class Onlookers:
    """A duel that is over, and those who have watched it: all but Gus have a pilot."""

    fight: Duel
    people: dict[str, Poster]

    def say(self, name: str, text: str, way: Way) -> str:
        """Write in the battle's thread or by mail, and return what answers it alone, or ""."""
        fight, poster = self.fight, self.people[name]
        letters, said = len(poster.person.letters), len(posts(fight))
        fight.later(0.1)
        if way == "board":
            poster.post(text)
            answers = [" ".join(one.split()) for one in posts(fight)[said:] if not self._news(one)]
        else:
            poster.person.write(f"KEY {poster.person.key}\n{text}")
            work(fight.league)
            answers = [words(one) for one in poster.person.letters[letters:]]
        assert len(answers) <= 1
        return "".join(answers)

    @property
    def news(self) -> list[str]:
        """The posts about the nomination, each on one line."""
        return [" ".join(one.split()) for one in posts(self.fight) if self._news(one)]

    @staticmethod
    def _news(post: str) -> bool:
        return "nomination-1" in post


@pytest.fixture
def onlookers(fight: Duel) -> Onlookers:
    """Cleo, Dora and Finn with a pilot each, and Gus, who has none; Ann and Bob have fought."""
    people = {"Ann": fight.ann, "Bob": Poster(fight.league, fight.bob, fight.server, "bob")}
    pilots = {"Cleo": "Falcon", "Dora": "Merlin", "Finn": "Osprey", "Gus": ""}
    for name, pilot in pilots.items():
        person = Person(fight.league, name)
        person.join()
        if pilot:
            person.ask(KESTREL.replace("Kestrel", pilot))
        people[name] = Poster(fight.league, person, fight.server, name.lower())
    for name, poster in people.items():
        if name != "Ann":
            poster.link()
    fight.ann.post("SCAN")
    people["Bob"].post("SURRENDER")
    assert not fight.league.game.running
    return Onlookers(fight, people)


@pytest.mark.parametrize("way", WAYS)
def test_a_nomination_and_two_endorsements_award_the_medal(onlookers: Onlookers, way: Way) -> None:
    told = onlookers.say("Cleo", f"NOMINATE Hawk IN 1\n{CITATION}", way)
    assert bool(told) == (way == "mail"), "the post is the answer where all read it"
    [made] = onlookers.news
    assert "Hawk is nominated for the medal" in made
    assert "| Hawk stayed when all others ran, | and nobody had asked it to." in made
    assert "0 of the 2 endorsements" in made
    assert bool(onlookers.say("Dora", "ENDORSE 1", way)) == (way == "mail")
    assert "1 of the 2 endorsements" in onlookers.news[-1]
    assert bool(onlookers.say("Finn", "ENDORSE 1", way)) == (way == "mail")
    _, _, given = onlookers.news
    assert "has all of the 2 endorsements that it needs" in given
    assert "Hawk, for what was done in game 1: - Given the heroism medal" in given
    assert (
        onlookers.fight.league.store.count(Nomination.select().where(Nomination.state == "given"))
        == 1
    )


def test_the_thread_names_the_battle(onlookers: Onlookers) -> None:
    assert onlookers.say("Cleo", f"NOMINATE Hawk\n{CITATION}", "board") == ""
    [nomination] = onlookers.fight.league.store.all(Nomination.select().order_by(Nomination.id))
    assert nomination.game_id == onlookers.fight.league.game.id
    assert nomination.citation == CITATION


BARRED = (
    ("Cleo", "that is your own nomination"),
    ("Ann", "Hawk is your own pilot"),
    ("Bob", "who fought Hawk on that day"),
    ("Gus", "only a player with a living pilot may endorse"),
    ("Dora", "you have endorsed nomination 1 already"),
)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("name", "why"), BARRED)
def test_who_may_not_endorse_is_told_why_and_counts_nothing(
    onlookers: Onlookers, name: str, why: str, way: Way
) -> None:
    onlookers.say("Cleo", f"NOMINATE Hawk IN 1\n{CITATION}", "board")
    onlookers.say("Dora", "ENDORSE 1", "board")
    before = onlookers.news
    assert why in onlookers.say(name, "ENDORSE 1", way)
    assert onlookers.news == before
    store = onlookers.fight.league.store
    assert store.count(Endorsement.select()) == 1
    assert store.count(Nomination.select().where(Nomination.state == "open")) == 1


def test_an_account_of_nobody_endorses_nothing(onlookers: Onlookers) -> None:
    onlookers.say("Cleo", f"NOMINATE Hawk IN 1\n{CITATION}", "board")
    league, server = onlookers.fight.league, onlookers.fight.server
    server.post("zoe", "ENDORSE 1", thread_of(league, league.game))
    work(league)
    assert "no player's yet" in " ".join(by_us(server)[-1].split())
    assert league.store.count(Endorsement.select()) == 0


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("NOMINATE Hawk", "say what Hawk did"),
        (f"NOMINATE Falcon\n{CITATION}", "Falcon is your own"),
        (f"NOMINATE Merlin\n{CITATION}", "Merlin was not in game 1"),
    ],
)
def test_a_nomination_that_does_not_stand_is_told_why(
    onlookers: Onlookers, text: str, why: str
) -> None:
    assert why in onlookers.say("Cleo", text, "board")
    assert onlookers.news == []


def test_in_another_thread_an_endorsement_is_answered_where_it_was_written(
    onlookers: Onlookers,
) -> None:
    onlookers.say("Cleo", f"NOMINATE Hawk IN 1\n{CITATION}", "board")
    fight = onlookers.fight
    fight.server.post("ada", "CHALLENGE Osprey WITH Hawk ON forum")
    work(fight.league)
    other = fight.server.posts()[-1].thread
    assert other != thread_of(fight.league, fight.league.game)
    fight.server.post("dora", "ENDORSE 1", other)
    work(fight.league)
    assert "understood: ENDORSE 1" in by_us(fight.server, other)[-1]
    assert "1 of the 2 endorsements" in onlookers.news[-1]
