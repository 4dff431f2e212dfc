"""The moderator's orders beyond rulings over a game: PROXY, PROCESS, PREDICT, BAN, POST."""

from dataclasses import replace

import pytest

from pbem.channels.folder import FolderSettings
from pbem.handlers.request import Refusal
from pbem.maintenance.fsck import check
from pbem.people import players
from pbem.storage import (
    Ban,
    Game,
    Outgoing,
    Persona,
    Place,
    Player,
    Post,
    Ruling,
    Step,
    Story,
    stored_games,
)
from tests.support.harness import League, Person, duel, skies
from tests.support.players import HAWK, PATIENT, STANDING, address_of, words
from tests.support.team_battles import FALCON, MERLIN

pytestmark = pytest.mark.league(turns_per_letter=4, moderator=address_of("Mona"))


def moderator(league: League) -> tuple[Person, str]:
    """Make somebody the moderator, and return the line with the key."""
    mona = league.person("Mona")
    mona.join()
    key = mona.key
    return mona, f"KEY {key}"


def flat(text: str) -> str:
    return " ".join(text.split())


def test_the_welcome_of_the_moderator_names_the_rulings_and_gm_alone_lists_them(
    league: League,
) -> None:
    mona, key = moderator(league)
    assert "Write GM HELP" in flat(words(mona.last_about("Welcome")))
    answers = [flat(words(mona.ask(f"{key}\n{line}"))) for line in ("GM", "GM HELP")]
    assert all("Write GM EXTEND 12 48h" in answer for answer in answers)
    bob = league.person("Bob")
    bob.join()
    assert "GM HELP" not in words(bob.last_about("Welcome"))


# ---- PROXY -------------------------------------------------------------------------------------


def test_each_letter_of_orders_by_proxy_is_told(
    league: League, people: tuple[Person, Person]
) -> None:
    _, bob = people
    bob.new()
    for orders in ("SCAN", "SCAN\nSCAN", "SCAN"):
        league.rule(f"PROXY Kestrel IN 1\n{orders}")
        [letter] = bob.new()
        assert "gives orders for Kestrel" in letter["Subject"]


def test_the_moderator_gives_orders_for_a_pilot(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    mona, key = moderator(league)
    answer = mona.ask(f"{key}\nGM PROXY Hawk IN 1\nSCAN\n{PATIENT}")
    assert "gives orders for Hawk" in words(answer)
    [letter] = ann.new()
    assert "The moderator gives orders for Hawk" in letter["Subject"]
    assert "SCAN" in words(letter)
    assert bob.new() == []
    assert [
        row.text
        for row in league.store.all(Ruling.select().where(Ruling.game == 1).order_by(Ruling.id))
    ] == ["the moderator gives orders for Hawk"]
    bob.reply(PATIENT, bob.last_about("[G1"))
    league.work()
    assert league.orders()[1] == ('[["Hawk", "SCAN"]]', "queue")


def test_a_proxy_by_the_pilots_name_alone(league: League, people: tuple[Person, Person]) -> None:
    assert "for Kestrel" in league.rule(f"PROXY kestrel\n{PATIENT}")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("PROXY Hawk", "there are no orders below it"),
        ("PROXY Hawk\nTARGT", "'TARGT' is not an order"),
        ("PROXY Hawk\nSCAN\nHe came out of the sun, and fired.", "is not an order"),
        ("PROXY Nobody\nSCAN", "Nobody is in no game"),
        ("PROXY Nobody IN 1\nSCAN", "is not in game 1"),
        ("PROXY Hawk IN 7\nSCAN", "there is no game 7"),
    ],
)
def test_what_is_wrong_with_a_proxy(
    league: League, people: tuple[Person, Person], text: str, reason: str
) -> None:
    with pytest.raises(Refusal, match=reason):
        league.rule(text)
    assert all(
        not place.answered
        for place in league.store.all(Place.select().where(Place.game == 1).order_by(Place.id))
    )


# ---- PROCESS -----------------------------------------------------------------------------------


def test_a_game_without_any_order_is_not_processed(
    league: League, people: tuple[Person, Person]
) -> None:
    with pytest.raises(Refusal, match="nobody who is to act in game 1 has a legal order"):
        league.rule("PROCESS 1")
    assert league.store.count(Ruling.select()) == 0


def test_nobody_misses_a_deadline_for_being_processed(
    league: League, people: tuple[Person, Person]
) -> None:
    answer = people[0].ask(PATIENT, people[0].last_about("[G1"))
    assert "It goes on once Kestrel has ordered" in flat(words(answer))
    assert "the game goes on at once" in league.rule("PROCESS 1")
    assert league.game.steps > 1
    assert all(
        place.misses == 0
        for place in league.store.all(Place.select().where(Place.game == 1).order_by(Place.id))
    )


def test_a_paused_game_is_not_processed(league: League, people: tuple[Person, Person]) -> None:
    league.rule("PAUSE 1")
    with pytest.raises(Refusal, match="is paused"):
        league.rule("PROCESS 1")


# ---- PREDICT -----------------------------------------------------------------------------------


def everything(league: League) -> list[object]:
    """All rows that a game and its letters have."""
    store = league.store
    return [[*store.each(model)] for model in (Game, Place, Step, Outgoing, Ruling, Story)]


def test_a_prediction_changes_nothing_and_tells_the_moderator_alone(
    league: League, people: tuple[Person, Person]
) -> None:
    people[0].ask(STANDING, people[0].last_about("[G1"))
    before = everything(league)
    answer = league.rule("PREDICT 1")
    assert "tried out 100 times" in answer
    assert "To begin: Hawk with SCAN" in answer
    assert everything(league) == before


def test_a_prediction_has_nothing_of_the_secret(
    league: League, people: tuple[Person, Person]
) -> None:
    people[0].ask(STANDING, people[0].last_about("[G1"))
    answer = league.rule("PREDICT 1")
    stored_games.change_game(league.store, 1, secret=bytes(32))
    assert league.rule("PREDICT 1") == answer


@pytest.mark.league(moderator=address_of("Ann"))
def test_who_fights_in_a_battle_does_not_foresee_it(league: League) -> None:
    ann, bob = duel(league)
    bob.ask(STANDING, bob.last_about("[G1"))
    key = ann.key
    text = words(ann.ask(f"KEY {key}\nGM PREDICT 1", ann.last_about("Welcome")))
    assert "you fight in game 1 yourself" in text
    assert "tried out" not in text
    with pytest.raises(Refusal, match="you fight in game 1"):
        league.rule("PREDICT 1")


ROUND = "STANDING\nIF TURN >= 1: {}: BREAK LEFT; HOLD FIRE\nIF TURN >= 1: {}: STEADY\nEND"


def test_a_turn_of_all_is_one_turn_however_many_cards_it_has(league: League) -> None:
    ann, bob = skies(
        league,
        "Hawks WITH Red: 1 Black Tiger SKILL 2; Gold: 1 Gadfly SKILL 3",
        "Kites WITH Blue: 1 Black Tiger SKILL 2; Grey: 1 Gadfly SKILL 3",
    )
    bob.reply(ROUND.format("Blue", "Grey"))
    league.work()
    # Hawks have one card of two: what lacks is flown at the deadline, and then they are asked.
    ann.ask("Gold: SMOOTH LEFT; HOLD FIRE")
    answer = league.rule("PREDICT 1")
    assert " go on; 1.0 turns on average. To begin: Hawks with Gold: SMOOTH LEFT" in answer
    ann.ask("Gold: SMOOTH LEFT; HOLD FIRE\n" + ROUND.format("Red", "Gold"))
    # The letter let the league's four turns of a letter pass, and the next four are foretold.
    assert league.game.steps == 4
    assert "; 4.0 turns on average" in league.rule("PREDICT 1")


# ---- HISTORY -----------------------------------------------------------------------------------


def test_history_quotes_what_was_ruled(league: League, people: tuple[Person, Person]) -> None:
    ann, bob = people
    league.rule("EXTEND 1 48h")
    ann.ask("SCAN", ann.last_about("[G1"))
    league.rule("PROXY Kestrel IN 1\nSCAN")
    league.rule("PAUSE 1")
    ann.new()
    text = flat(words(ann.ask("HISTORY 1", ann.last_about("Welcome"))))
    before, _, after = text.partition("after step 0: the deadline is now")
    assert "WHAT WAS RULED" in before
    assert "after step 0: the moderator gives orders for Kestrel." in after
    assert ": the game is paused." in after
    bob.ask("LANGUAGE de", bob.last_about("Welcome"))
    text = flat(words(bob.ask("CHRONIK 1", bob.last_about("Welcome"))))
    assert "nach Schritt 2: die Partie" in text
    assert "the game is paused" not in text


def test_rulings_of_before_they_kept_their_parts_are_quoted_too(
    league: League, people: tuple[Person, Person]
) -> None:
    league.store.create(Ruling, game=1, after=0, text="the game is paused", made=league.now)
    assert "the game is paused." in words(people[0].ask("HISTORY 1", people[0].last))


# ---- BAN ---------------------------------------------------------------------------------------


def test_a_banned_player_is_told_once_and_not_obeyed(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    assert "is banned" in league.rule("BAN Hawk")
    # One letter, which says all: another would ask for orders that nobody would read.
    [letter] = ann.new()
    assert "You are banned" in letter["Subject"]
    assert "the place of Hawk is open" in bob.new()[-1]["Subject"]
    assert any(
        place.vacant
        for place in league.store.all(Place.select().where(Place.game == 1).order_by(Place.id))
    )
    for _ in range(2):
        ann.reply("SCAN", ann.last_about("[G1"))
        assert ann.new() == []
        assert (league.last_letter().state, league.last_letter().reason) == (
            "filed",
            "its writer is banned",
        )
    league.rule("UNBAN Hawk")
    [back] = ann.new()
    assert "You may write again" in back["Subject"]
    assert "SCAN" in words(ann.ask("SCAN", ann.last_about("[G1")))


def test_a_stranger_s_address_is_banned(league: League) -> None:
    league.rule(f"BAN {address_of('Eve')}")
    eve = league.person("Eve")
    eve.write(HAWK)
    assert eve.new() == []
    assert league.last_letter().state == "filed"
    league.rule(f"UNBAN {address_of('Eve')}")
    eve.write("JOIN Eve Example")
    assert len(eve.new()) == 1


def test_a_banned_player_may_leave_and_stays_banned(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, _ = people
    welcome = ann.last_about("Welcome")
    league.rule("BAN Hawk")
    assert "LEAVE LEAGUE" in " ".join(words(one) for one in ann.new())
    ann.write("LEAVE LEAGUE")
    assert ann.new() == []
    asked = ann.ask("LEAVE LEAGUE", welcome)
    assert "Nothing has been done yet." in words(asked)
    ann.reply("LEAVE LEAGUE", welcome)
    assert ann.new() == []
    ann.reply("LEAVE LEAGUE", asked)
    ann.new()
    assert league.store.get(Player, 1).name != "Ann Example"
    assert players.at(league.store, ann.address) is None
    ann.write("JOIN Ann Example")
    assert ann.new() == []
    assert league.last_letter().reason == "its writer is banned"
    assert not any(
        ann.address in row.address for row in league.store.all(Ban.select().order_by(Ban.id))
    )
    with pytest.raises(Refusal, match="is banned already"):
        league.rule(f"BAN {ann.address}")
    assert "are read again" in league.rule(f"UNBAN {ann.address}")
    ann.write("JOIN Ann Example")
    assert len(ann.new()) == 1


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("BAN Nobody", "nobody is called Nobody"),
        ("UNBAN Hawk", "is not banned"),
        ("UNBAN someone@host.example", "is not banned"),
    ],
)
def test_what_is_wrong_with_a_ban(
    league: League, people: tuple[Person, Person], text: str, reason: str
) -> None:
    with pytest.raises(Refusal, match=reason):
        league.rule(text)


def test_the_moderator_is_not_banned_and_nobody_twice(
    league: League, people: tuple[Person, Person]
) -> None:
    moderator(league)
    with pytest.raises(Refusal, match="your own address"):
        league.rule("BAN Mona Example")
    for who in ("Hawk", "someone@host.example"):
        league.rule(f"BAN {who}")
        with pytest.raises(Refusal, match="is banned already"):
            league.rule(f"BAN {who}")


# ---- POST --------------------------------------------------------------------------------------


@pytest.mark.league(moderator=address_of("Mona"))
def test_the_league_posts_the_moderator_s_words(league: League) -> None:
    channels = {"paste": FolderSettings(path="posts", format="text")}
    league.service.ports.posts.settings = replace(league.settings, channels=channels)
    mona, key = moderator(league)
    answer = mona.ask(f"{key}\nGM POST\nThe season begins.\n\nSend your pilots, [b]all[/b].")
    assert "your text goes to paste" in words(answer)
    [row] = league.store.all(Post.select().order_by(Post.id))
    assert "The season begins." in row.body
    assert "A word from Avalon League" in row.title


@pytest.mark.parametrize("text", ["POST", "POST\nGood news, everybody."])
def test_a_post_needs_a_channel(league: League, text: str) -> None:
    with pytest.raises(Refusal, match="no channel"):
        league.rule(text)


# ---- MERGE -------------------------------------------------------------------------------------


def test_two_players_who_are_one_are_merged(league: League, people: tuple[Person, Person]) -> None:
    cat = league.person("Cat")
    cat.join()
    cat.ask("ENLIST Falcon FOR federation WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Clipus XIII-B")
    old = cat.last
    assert "are one player now: Ann Example" in league.rule("MERGE Cat Example INTO Ann Example")
    ann = people[0]
    assert "Your two names are one" in [each["Subject"].split("] ")[-1] for each in ann.new()]
    # The other address too: if these are two people after all, nobody else would tell them.
    [told] = cat.new()
    assert "write to the moderator in person" in words(told)
    cat.reply("SHEET Falcon", old)
    league.work()
    assert "Falcon" in words(ann.last)
    owners = {
        row.name: row.player_id for row in league.store.all(Persona.select().order_by(Persona.id))
    }
    assert owners["Falcon"] == owners["Hawk"]
    assert list(check(league.store, iter)) == []


def test_a_farewell_that_was_not_confirmed_is_void_when_players_are_merged(
    league: League, people: tuple[Person, Person]
) -> None:
    cat = league.person("Cat")
    cat.join()
    asked = cat.ask("LEAVE LEAGUE")
    league.rule("MERGE Cat Example INTO Ann Example")
    cat.reply("LEAVE LEAGUE", asked)
    league.work()
    assert league.last_letter().klass == "refused"
    player = players.at(league.store, cat.address)
    assert player is not None
    assert player.name == "Ann Example"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("MERGE Hawk INTO Kestrel", "fight each other in game 1"),
        ("MERGE Hawk INTO Hawk", "one player already"),
        ("MERGE 99 INTO Hawk", "there is no player 99"),
        ("MERGE Nobody INTO Hawk", "there is no player Nobody"),
        ("MERGE Falcon INTO Hawk", "already flies for the cartel"),
        ("MERGE Hawk", "lacks something"),
    ],
)
def test_what_can_not_be_merged(
    league: League, people: tuple[Person, Person], text: str, reason: str
) -> None:
    cat = league.person("Cat")
    cat.join()
    cat.ask(HAWK.replace("Hawk", "Falcon"))
    with pytest.raises(Refusal, match=reason):
        league.rule(text)


def test_who_has_challenged_the_other_is_not_merged(league: League) -> None:
    ann, bob = duel(league)
    league.rule("DRAW 1")
    bob.new()
    ann.new()
    ann.ask("CHALLENGE Kestrel WITH Hawk")
    with pytest.raises(Refusal, match="open challenge: number 2"):
        league.rule("MERGE 1 INTO 2")


def test_who_is_in_the_other_team_of_a_challenge_is_not_merged(league: League) -> None:
    ann, _ = duel(league)
    league.rule("DRAW 1")
    cid = league.person("Cid")
    cid.join()
    cid.ask(MERLIN)
    dan = league.person("Dan")
    dan.join()
    dan.ask(FALCON)
    ann.ask("TEAM CHALLENGE Kestrel, Merlin WITH Hawk, Falcon")
    for number in (3, 4):
        against = 1 if number == 3 else 2
        with pytest.raises(Refusal, match="open challenge: number 2"):
            league.rule(f"MERGE {number} INTO {against}")
    league.rule("MERGE 3 INTO 2")


def test_a_ruling_among_other_words_is_asked_about_and_yes_needs_the_key(
    league: League,
) -> None:
    duel(league)
    mona, key = moderator(league)
    before = league.game.deadline
    asked = mona.ask(f"{key}\nOne of them is ill, so\nGM EXTEND 1 48h", mona.last)
    assert "A ruling needs your key" in words(asked)
    assert league.game.deadline == before
    assert "needs your key" in words(mona.ask("YES", asked))
    asked = mona.ask(f"{key}\nOne of them is ill again, so\nGM EXTEND 1 48h", mona.last)
    mona.ask(f"YES\n{key}", asked)
    assert league.game.deadline != before
