"""The moderator's orders beyond rulings over a game: PROXY, PROCESS, PREDICT, BAN, POST."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.forum.folder import FolderSettings
from pbem.handlers.request import Refusal
from pbem.maintenance.fsck import check
from tests.harness import House, Person, duel, open_house
from tests.players import HAWK, PATIENT, STANDING, address_of, words


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with open_house(tmp_path, turns_per_letter=4, moderator=address_of("Mona")) as opened:
        yield opened


@pytest.fixture
def people(house: House) -> tuple[Person, Person]:
    return duel(house)


def moderator(house: House) -> tuple[Person, str]:
    """Make somebody the moderator, and return the line with the key."""
    mona = house.person("Mona")
    mona.join()
    key = mona.key
    return mona, f"KEY {key}"


def flat(text: str) -> str:
    return " ".join(text.split())


# ---- PROXY -------------------------------------------------------------------------------------


def test_each_letter_of_orders_by_proxy_is_told(
    house: House, people: tuple[Person, Person]
) -> None:
    _, bob = people
    bob.new()
    for orders in ("SCAN", "SCAN\nSCAN", "SCAN"):
        house.rule(f"PROXY Kestrel IN 1\n{orders}")
        [told] = bob.new()
        assert "gives orders for Kestrel" in told["Subject"]


def test_the_moderator_gives_orders_for_a_pilot(
    house: House, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    mona, key = moderator(house)
    answer = mona.ask(f"{key}\nGM PROXY Hawk IN 1\nSCAN\n{PATIENT}")
    assert "gives orders for Hawk" in words(answer)
    [told] = ann.new()
    assert "The moderator gives orders for Hawk" in told["Subject"]
    assert "SCAN" in words(told)
    assert bob.new() == []
    assert [row.text for row in house.store.rulings.all(game=1)] == [
        "the moderator gives orders for Hawk"
    ]
    bob.reply(PATIENT, bob.last_about("[G1"))
    house.work()
    assert house.orders()[1] == ('[["Hawk", "SCAN"]]', "queue")


def test_a_proxy_by_the_pilots_name_alone(house: House, people: tuple[Person, Person]) -> None:
    assert "for Kestrel" in house.rule(f"PROXY kestrel\n{PATIENT}")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("PROXY Hawk", "there are no orders below it"),
        ("PROXY Hawk\nTARGT", "'TARGT' is no order"),
        ("PROXY Hawk\nSCAN\nHe came out of the sun, and fired.", "is no order"),
        ("PROXY Nobody\nSCAN", "Nobody is in no running game"),
        ("PROXY Nobody IN 1\nSCAN", "is not in game 1"),
        ("PROXY Hawk IN 7\nSCAN", "there is no game 7"),
    ],
)
def test_what_is_wrong_with_a_proxy(
    house: House, people: tuple[Person, Person], text: str, reason: str
) -> None:
    with pytest.raises(Refusal, match=reason):
        house.rule(text)
    assert all(not place.answered for place in house.store.places.all(game=1))


# ---- PROCESS -----------------------------------------------------------------------------------


def test_a_game_without_any_order_is_not_processed(
    house: House, people: tuple[Person, Person]
) -> None:
    with pytest.raises(Refusal, match="nobody who is to act in game 1 has a legal order"):
        house.rule("PROCESS 1")
    assert house.store.rulings.count() == 0


def test_nobody_misses_a_deadline_for_being_processed(
    house: House, people: tuple[Person, Person]
) -> None:
    answer = people[0].ask(PATIENT, people[0].last_about("[G1"))
    assert "waiting for Kestrel" in flat(words(answer))
    assert "it goes on now" in house.rule("PROCESS 1")
    assert house.game.steps > 1
    assert all(place.misses == 0 for place in house.store.places.all(game=1))


def test_a_paused_game_is_not_processed(house: House, people: tuple[Person, Person]) -> None:
    house.rule("PAUSE 1")
    with pytest.raises(Refusal, match="is paused"):
        house.rule("PROCESS 1")


# ---- PREDICT -----------------------------------------------------------------------------------


def everything(house: House) -> list[object]:
    """All rows that a game and its letters have."""
    store = house.store
    shelves = (store.games, store.places, store.steps, store.outbox, store.rulings, store.stories)
    return [shelf.all() for shelf in shelves]


def test_a_prediction_changes_nothing_and_tells_the_moderator_alone(
    house: House, people: tuple[Person, Person]
) -> None:
    people[0].ask(STANDING, people[0].last_about("[G1"))
    before = everything(house)
    told = house.rule("PREDICT 1")
    assert "tried out 100 times" in told
    assert "To begin: Hawk with SCAN" in told
    assert everything(house) == before


def test_a_prediction_has_nothing_of_the_secret(
    house: House, people: tuple[Person, Person]
) -> None:
    people[0].ask(STANDING, people[0].last_about("[G1"))
    told = house.rule("PREDICT 1")
    house.store.games.change(1, secret=bytes(32))
    assert house.rule("PREDICT 1") == told


def test_who_fights_in_a_battle_does_not_foresee_it(tmp_path: Path) -> None:
    with open_house(tmp_path, moderator=address_of("Ann")) as house:
        ann, bob = duel(house)
        bob.ask(STANDING, bob.last_about("[G1"))
        key = ann.key
        told = words(ann.ask(f"KEY {key}\nGM PREDICT 1", ann.last_about("Welcome")))
        assert "you fight in game 1 yourself" in told
        assert "tried out" not in told
        with pytest.raises(Refusal, match="you fight in game 1"):
            house.rule("PREDICT 1")


# ---- HISTORY -----------------------------------------------------------------------------------


def test_history_quotes_what_was_ruled(house: House, people: tuple[Person, Person]) -> None:
    ann, bob = people
    house.rule("EXTEND 1 48h")
    ann.ask("SCAN", ann.last_about("[G1"))
    house.rule("PROXY Kestrel IN 1\nSCAN")
    house.rule("PAUSE 1")
    ann.new()
    told = flat(words(ann.ask("HISTORY 1", ann.last_about("Welcome"))))
    before, _, after = told.partition("after step 0: the deadline is now")
    assert "WHAT WAS RULED" in before
    assert "after step 0: the moderator gives orders for Kestrel." in after
    assert ": the game is paused." in after
    bob.ask("LANGUAGE de", bob.last_about("Welcome"))
    told = flat(words(bob.ask("CHRONIK 1", bob.last_about("Welcome"))))
    assert "nach Schritt 2: die Partie" in told
    assert "the game is paused" not in told


def test_rulings_of_before_they_kept_their_parts_are_quoted_too(
    house: House, people: tuple[Person, Person]
) -> None:
    house.store.rulings.add(game=1, after=0, text="the game is paused", made=house.now)
    assert "the game is paused." in words(people[0].ask("HISTORY 1", people[0].last))


# ---- BAN ---------------------------------------------------------------------------------------


def test_a_banned_player_is_told_once_and_not_obeyed(
    house: House, people: tuple[Person, Person]
) -> None:
    ann, _ = people
    assert "is banned" in house.rule("BAN Hawk")
    [told, opened] = ann.new()
    assert "You are banned" in told["Subject"] or "You are banned" in opened["Subject"]
    assert any(place.vacant for place in house.store.places.all(game=1))
    for _ in range(2):
        ann.reply("SCAN", ann.last_about("[G1"))
        assert ann.new() == []
        assert (house.last_letter().state, house.last_letter().reason) == (
            "filed",
            "its writer is banned",
        )
    house.rule("UNBAN Hawk")
    [back] = ann.new()
    assert "You may write again" in back["Subject"]
    assert "SCAN" in words(ann.ask("SCAN", ann.last_about("[G1")))


def test_a_stranger_s_address_is_banned(house: House) -> None:
    house.rule(f"BAN {address_of('Eve')}")
    eve = house.person("Eve")
    eve.write(HAWK)
    assert eve.new() == []
    assert house.last_letter().state == "filed"
    house.rule(f"UNBAN {address_of('Eve')}")
    eve.write("JOIN Eve Example")
    assert len(eve.new()) == 1


def test_a_banned_player_may_leave_and_stays_banned(
    house: House, people: tuple[Person, Person]
) -> None:
    ann, _ = people
    welcome = ann.last_about("Welcome")
    house.rule("BAN Hawk")
    assert "LEAVE LEAGUE" in " ".join(words(one) for one in ann.new())
    ann.write("LEAVE LEAGUE")
    assert ann.new() == []
    asked = ann.ask("LEAVE LEAGUE", welcome)
    assert "Nothing has been done yet." in words(asked)
    ann.reply("LEAVE LEAGUE", welcome)
    assert ann.new() == []
    ann.reply("LEAVE LEAGUE", asked)
    ann.new()
    assert house.store.players.get(1).name != "Ann Example"
    assert house.store.player_at(ann.address) is None
    ann.write("JOIN Ann Example")
    assert ann.new() == []
    assert house.last_letter().reason == "its writer is banned"
    assert not any(ann.address in row.address for row in house.store.bans.all())
    with pytest.raises(Refusal, match="is banned already"):
        house.rule(f"BAN {ann.address}")
    assert "are read again" in house.rule(f"UNBAN {ann.address}")
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
    house: House, people: tuple[Person, Person], text: str, reason: str
) -> None:
    with pytest.raises(Refusal, match=reason):
        house.rule(text)


def test_the_moderator_is_not_banned_and_nobody_twice(
    house: House, people: tuple[Person, Person]
) -> None:
    moderator(house)
    with pytest.raises(Refusal, match="your own address"):
        house.rule("BAN Mona Example")
    for who in ("Hawk", "someone@host.example"):
        house.rule(f"BAN {who}")
        with pytest.raises(Refusal, match="is banned already"):
            house.rule(f"BAN {who}")


# ---- POST --------------------------------------------------------------------------------------


def test_the_league_posts_the_moderator_s_words(tmp_path: Path) -> None:
    with open_house(tmp_path, moderator=address_of("Mona")) as house:
        channels = {"paste": FolderSettings(path="posts", format="text")}
        house.service.ports.posts.settings = replace(house.settings, channels=channels)
        mona, key = moderator(house)
        answer = mona.ask(f"{key}\nGM POST\nThe season begins.\n\nSend your pilots, [b]all[/b].")
        assert "posted to paste" in words(answer)
        [row] = house.store.posts.all()
        assert "The season begins." in row.body
        assert "A word from Avalon League" in row.title


@pytest.mark.parametrize("text", ["POST", "POST\nGood news, everybody."])
def test_a_post_needs_a_channel(house: House, text: str) -> None:
    with pytest.raises(Refusal, match="no channel"):
        house.rule(text)


# ---- MERGE -------------------------------------------------------------------------------------


def test_two_players_who_are_one_are_merged(house: House, people: tuple[Person, Person]) -> None:
    cat = house.person("Cat")
    cat.join()
    cat.ask("ENLIST Falcon FOR federation WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Clipus XIII-B")
    old = cat.last
    assert "are one player now: Ann Example" in house.rule("MERGE Cat Example INTO Ann Example")
    ann = people[0]
    assert "Your two names are one" in [each["Subject"].split("] ")[-1] for each in ann.new()]
    cat.reply("SHEET Falcon", old)
    house.work()
    assert "Falcon" in words(ann.last)
    owners = {row.name: row.player_id for row in house.store.personas.all()}
    assert owners["Falcon"] == owners["Hawk"]
    assert list(check(house.store, iter)) == []


def test_a_farewell_that_was_not_confirmed_is_void_when_players_are_merged(
    house: House, people: tuple[Person, Person]
) -> None:
    cat = house.person("Cat")
    cat.join()
    asked = cat.ask("LEAVE LEAGUE")
    house.rule("MERGE Cat Example INTO Ann Example")
    cat.reply("LEAVE LEAGUE", asked)
    house.work()
    assert house.last_letter().klass == "refused"
    player = house.store.player_at(cat.address)
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
        ("MERGE Hawk", "is no ruling"),
    ],
)
def test_what_can_not_be_merged(
    house: House, people: tuple[Person, Person], text: str, reason: str
) -> None:
    cat = house.person("Cat")
    cat.join()
    cat.ask(HAWK.replace("Hawk", "Falcon"))
    with pytest.raises(Refusal, match=reason):
        house.rule(text)


def test_who_has_challenged_the_other_is_not_merged(house: House) -> None:
    ann, bob = duel(house)
    house.rule("DRAW 1")
    bob.new()
    ann.new()
    ann.ask("CHALLENGE Kestrel WITH Hawk")
    with pytest.raises(Refusal, match="open challenge: number 2"):
        house.rule("MERGE 1 INTO 2")
