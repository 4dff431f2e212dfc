"""CHALLENGE … ON a board: its post opens the battle's thread there, and each turn is one post."""

import pytest

from pbem.people import personas
from pbem.storage import Offer, Persona, Pledge
from tests.support.board_folders import boards, posted, said
from tests.support.harness import League, Person, play_on
from tests.support.players import HAWK, KESTREL, STANDING, words
from tests.support.team_battles import meet

DAY = 24


def pair(league: League, private: bool = False) -> tuple[Person, Person]:
    """Two people with a pilot each, in a league with boards."""
    boards(league, private)
    ann, bob = league.person("Ann"), league.person("Bob")
    for person, pilot in ((ann, HAWK), (bob, KESTREL)):
        person.join()
        person.ask(pilot)
    return ann, bob


def test_a_challenge_opens_the_thread_on_its_board_alone(league: League) -> None:
    ann, bob = pair(league)
    answer = words(ann.ask("CHALLENGE Kestrel WITH Hawk FIRST me MAJOR ON forum"))
    assert "stands on the board forum" in answer
    [post] = posted(league)
    assert posted(league, "paste") == []
    assert (post.thread, post.title) == ("G1", "Challenge 1: Hawk against Kestrel")
    assert league.store.get(Pledge, 1).commitment in post.body
    for told in ("flies the Angela 313B", "a major one", "The side of Hawk moves first", "UTC"):
        assert told in said(post)
    assert "ACCEPT 1" in post.body
    assert "LINK forum" in post.body
    assert ann.address not in post.body
    assert "Ann" not in post.body
    [letter] = bob.new()
    assert "Challenge from Hawk" in letter["Subject"]


def test_the_battle_is_played_in_that_thread_with_one_post_a_turn(league: League) -> None:
    ann, bob = pair(league)
    ann.ask("CHALLENGE Kestrel WITH Hawk FIRST me ON forum")
    bob.new()
    bob.ask("ACCEPT 1")
    challenge, begun = posted(league)
    [elsewhere] = posted(league, "paste")
    assert {challenge.thread, begun.thread, elsewhere.thread} == {"G1"}
    # Only a thread that this post opens needs to be told who has met.
    assert "This is game 1" in elsewhere.body
    assert "This is game 1" not in begun.body
    assert "Reply in this thread" in said(begun)
    assert "Reply in this thread" not in said(elsewhere)
    for post in (begun, elsewhere):
        assert "It is the turn of Hawk. The referee asks Kestrel too" in said(post)
        assert "Orders are due by" in said(post)
        assert "%): finds " in post.body
    # Orders alone are no reason for a post.
    for person in (bob, ann):
        person.reply(STANDING, person.last_about("[G1-"))
        league.work()
    play_on(league, ann, bob)
    turns = [post.ident for post in posted(league)[1:]]
    assert turns == [f"G1-T{n}" for n in range(1, league.game.turn + 1)]
    last = posted(league)[-1]
    assert "NOMINATE Hawk" in last.body
    assert "REMATCH 1" in last.body
    assert league.game.secret.hex() in last.body
    assert all(post.thread == "G1" for post in posted(league))


@pytest.mark.parametrize("board", ["paste", "nowhere"])
def test_a_board_that_nobody_plays_on_is_refused(board: str, league: League) -> None:
    ann, _ = pair(league)
    text = words(ann.ask(f"CHALLENGE Kestrel WITH Hawk ON {board}"))
    assert f"nobody plays on {board} here" in text
    assert "on one of these boards: forum, marked, tagged" in text
    assert league.store.all(Offer.select().where(Offer.patrol == False).order_by(Offer.id)) == []
    assert posted(league) == []


def test_without_boards_it_is_said_that_one_plays_by_mail(league: League) -> None:
    ann, bob = pair(league)
    league.service.ports.posts.settings = league.settings
    text = words(ann.ask("CHALLENGE Kestrel WITH Hawk ON forum"))
    assert "without ON and a board it is played by mail" in text
    assert bob.new() == []


@pytest.mark.parametrize(("end", "told"), [
    ("DECLINE 1", "has been declined"),
    ("WITHDRAW 1", "has been taken back"),
    ("", "has lapsed"),
])  # fmt: skip
def test_the_thread_says_that_there_will_be_no_battle(end: str, told: str, league: League) -> None:
    ann, bob = pair(league)
    ann.ask("CHALLENGE Kestrel WITH Hawk ON forum")
    bob.new()
    if end:
        (bob if "DECLINE" in end else ann).ask(end)
    else:
        league.later(15 * DAY)
        league.work()
    _, post = posted(league)
    assert post.thread == "G1"
    assert told in said(post)
    assert posted(league, "paste") == []


def test_a_challenge_without_a_board_is_posted_nowhere(league: League) -> None:
    ann, bob = pair(league)
    ann.ask("CHALLENGE Kestrel WITH Hawk")
    bob.new()
    bob.ask("DECLINE 1")
    assert posted(league) == posted(league, "paste") == []


@pytest.mark.league(board="forum")
def test_a_league_may_play_on_a_board_by_default(league: League) -> None:
    ann, _ = pair(league)
    ann.ask("CHALLENGE Kestrel WITH Hawk")
    assert league.store.get(Offer, 1).channel == "forum"
    [post] = posted(league)
    assert "Hawk challenges Kestrel" in said(post)


def test_open_and_team_challenges_have_threads_too(league: League) -> None:
    melee = meet(league)
    boards(league)
    assert "open to anybody" in words(melee.ann.ask("CHALLENGE ANYBODY WITH Hawk ON forum"))
    melee.ann.ask("TEAM CHALLENGE Kestrel, Merlin WITH Hawk, Falcon FIRST me ON forum")
    one, other = posted(league)
    assert one.title == "Challenge 1: Hawk against anybody"
    assert "DECLINE" not in one.body
    assert other.title == "Challenge 2: Hawk and Falcon against Kestrel and Merlin"
    assert (one.thread, other.thread) == ("G1", "G2")


def test_a_challenge_in_german_names_its_board(league: League) -> None:
    ann, _ = pair(league)
    ann.ask("LANGUAGE de")
    ann.ask("FORDERE Kestrel MIT Hawk ZUERST ich AUF forum")
    assert league.store.get(Offer, 1).channel == "forum"
    assert league.store.get(Offer, 1).first == 1


def test_a_renewed_challenge_keeps_its_thread(league: League) -> None:
    ann, bob = pair(league)
    ann.ask("CHALLENGE Kestrel WITH Hawk ON forum")
    bob.new()
    hawk = league.store.first(Persona.select().where(Persona.name == "Hawk").order_by(Persona.id))
    assert hawk is not None
    record = hawk.record.replace('"mark": 0', '"mark": 1')
    personas.set_record(league.store, hawk, record)
    bob.ask("ACCEPT 1")
    first, renewed = posted(league)
    assert first.thread == renewed.thread == "G2"
    assert league.store.get(Pledge, 2).commitment in renewed.body
    bob.ask("ACCEPT 1")
    assert [post.thread for post in posted(league)] == ["G2"] * 3
    assert "This is game 2" not in posted(league)[-1].body


def test_a_rematch_may_be_on_a_board(league: League) -> None:
    ann, bob = pair(league)
    ann.ask("CHALLENGE Kestrel WITH Hawk FIRST me")
    bob.new()
    bob.ask("ACCEPT 1")
    ann.new()
    league.rule("DRAW 1")
    league.work()
    answer = ann.ask("REMATCH 1 ON forum", ann.last_about("[G1-"))
    assert "stands on the board forum" in words(answer)


@pytest.mark.league(systems=("toss", "hunt"))
@pytest.mark.parametrize(("game", "told"), [("toss", True), ("hunt", False)])
def test_a_game_without_pilots_tells_no_more_than_everybody_may_know(
    game: str, told: bool, league: League
) -> None:
    boards(league)
    ann, bob = league.person("Ann"), league.person("Bob")
    for person in (ann, bob):
        person.join()
    ann.ask(f"CHALLENGE Bob Example AT {game} ON forum")
    bob.new()
    bob.ask("ACCEPT 1")
    challenge, begun = posted(league)
    assert challenge.title == "Challenge 1: Ann Example against Bob Example"
    assert "Nothing but the game." in challenge.body
    assert ("may order:" in said(begun)) is told
    assert ("Not in this thread" in said(begun)) is not told


@pytest.mark.league(systems=("toss",))
def test_seats_for_anybody_may_be_offered_on_a_board(league: League) -> None:
    boards(league)
    ann = league.person("Ann")
    ann.join()
    ann.ask("CHALLENGE ANYBODY AT toss SEATS 3 ON forum")
    [post] = posted(league)
    assert "to a fight of 3, each against all others" in said(post)
