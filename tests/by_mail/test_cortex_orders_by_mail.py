"""Orders of Cortex in letters: blocks, words that the league has too, a wing that is left."""

import json

import pytest

from engine import codec
from engine.codec import change
from engine.cortex.model import Battle
from pbem.games.session import Session
from pbem.storage import Place, Story, stored_games
from tests.support.harness import League, Person
from tests.support.players import words

pytestmark = pytest.mark.league(systems=("cortex",))


@pytest.fixture
def people(league: League) -> tuple[Person, Person]:
    """Ann with three fighters against Bob with one, before the first turn."""
    one, other = league.person("Ann"), league.person("Bob")
    groups = ("GROUP Ravens WITH Red: 3 fighters", "GROUP Kites WITH Blue: 3 fighters")
    for person, group in zip((one, other), groups, strict=True):
        person.join()
        assert "Enlisted" in person.ask(group)["Subject"]
    one.ask("CHALLENGE Kites WITH Ravens")
    other.new()
    other.ask("ACCEPT 1")
    one.new()
    other.new()
    return one, other


def queue(league: League) -> list[str]:
    """What Ann has on file."""
    place = next(
        one for one in league.store.all(Place.select().order_by(Place.id)) if one.seat == "Ravens"
    )
    return list(json.loads(place.sheet)["queue"])


def wings(league: League) -> tuple[tuple[str, ...], ...]:
    """The wings of the battle as it stands."""
    found = Session(league.store, league.game).state
    assert isinstance(found, Battle)
    return found.wings


def test_a_block_may_hold_words_that_the_league_has_too(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, _ = people
    ann.reply(
        "Red 1:\nCLOSE ON Blue 1\nPRESS HOME\nRed 2:\nJOIN Red 1\n\nRed 3: HOLD, KEEP",
        to=ann.last_about("[G1-"),
    )
    league.work()
    assert queue(league) == [
        "Red 1: CLOSE ON Blue 1, PRESS",
        "Red 2: JOIN Red 1",
        "Red 3: HOLD, KEEP",
    ]


def test_the_league_keeps_its_own_words_where_a_battle_has_no_use_for_them(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, _ = people
    text = words(ann.ask("JOIN Ada Example", to=ann.last_about("[G1-")))
    assert "already" in text
    assert queue(league) == []


@pytest.mark.parametrize(
    ("language", "written", "meant"),
    [
        ("en", "Red 1: CLSE ON Blue 1", "you meant Red 1: CLOSE ON Blue 1"),
        ("de", "Red 1: NÄHREN AN Blue 1", "Vielleicht meinst du Red 1: HERAN AN Blue 1"),
    ],
)
def test_a_mistyped_verb_of_two_words_is_asked_about(
    league: League, people: tuple[Person, Person], language: str, written: str, meant: str
) -> None:
    report = people[0].last_about("[G1-")
    people[0].ask(f"LANGUAGE {language}")
    assert meant in words(people[0].ask(written, report))
    assert queue(league) == []


def test_german_orders_are_read_and_told_in_german(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, _ = people
    ann.ask("LANGUAGE de")
    text = words(
        ann.ask(
            "Red 1: NÄHERN AN Blue 1, FEUERN Talon AUF Blue 1\nRed 2:\nANSCHLIESSEN AN Red 1\n"
            "Red 3: AUSWEICHN",
            to=ann.last_about("[G1-"),
        )
    )
    assert queue(league) == [
        "Red 1: CLOSE ON Blue 1, FIRE Talon AT Blue 1",
        "Red 2: JOIN Red 1",
    ]
    assert "AUSWEICHEN" in text
    assert "HERAN AN Blue 1, FEUERN Talon AUF Blue 1" in text


def test_a_launch_without_a_lock_is_explained_in_the_middle_of_a_sentence(
    people: tuple[Person, Person],
) -> None:
    ann, _ = people
    order = "Red 1: LAUNCH Dart AT Blue 1"
    assert "because LAUNCH needs a LOCK" in words(ann.ask(order, to=ann.last_about("[G1-")))
    ann.ask("LANGUAGE de")
    assert "denn vor STARTEN muss" in words(ann.ask(order, to=ann.last_about("[G1-")))


def test_a_member_of_a_wing_leaves_it(league: League, people: tuple[Person, Person]) -> None:
    ann, bob = people
    bob.reply("\n".join(f"Blue {n}: HOLD, KEEP" for n in (1, 2, 3)), to=bob.last_about("[G1-"))
    others = "Red 1: HOLD\nRed 3: HOLD"
    for _ in range(6):
        ann.reply(f"{others}\nRed 2: JOIN Red 1", to=ann.last_about("[G1-"))
        league.work()
        if wings(league):
            break
    assert wings(league) == (("Red 1", "Red 2"),)
    ann.reply(f"{others}\nRed 2: LEAVE, DEFEND", to=ann.last_about("[G1-"))
    league.work()
    assert wings(league) == ()


@pytest.mark.parametrize("last", ["SURRENDER", "KEEP"])
def test_what_is_wrapped_behind_a_comma_is_the_units(
    league: League, people: tuple[Person, Person], last: str
) -> None:
    ann, _ = people
    above = "Red 1: CLOSE ON Blue 1, AIM Talon AT Blue 1, FIRE Talon AT Blue 1,"
    ann.reply(f"{above}\n{last}", to=ann.last_about("[G1-"))
    league.work()
    assert queue(league) in ([f"{above} {last}"], [])
    above = above.replace("AIM Talon AT", "AIMM Talon AT")
    text = words(ann.ask(f"{above}\n{last}", to=ann.last_about("[G1-")))
    assert f'"{above} {last}"' in text


@pytest.mark.parametrize("below", ["2 Flak AT Blue 1", "ON Bleu 1, KEEP"])
@pytest.mark.parametrize("end", [",", ""])
def test_an_order_is_not_taken_without_what_may_be_its_rest(
    league: League, people: tuple[Person, Person], below: str, end: str
) -> None:
    ann, _ = people
    above = "Red 1: CLOSE ON Blue 1, AIM Talon AT Blue 1, FIRE Talon AT Blue 1"
    text = words(ann.ask(f"{above}{end}\n{below}", to=ann.last_about("[G1-")))
    assert queue(league) == []
    assert "That is nearly an order" in text or "READ, BUT NOT DONE YET" in text


@pytest.mark.parametrize("below", ["Best regards", "\nThe big ship groans in all its seams."])
def test_a_greeting_or_a_sentence_below_an_order_is_not_its_rest(
    league: League, people: tuple[Person, Person], below: str
) -> None:
    ann, _ = people
    above = "Red 1: CLOSE ON Blue 1, AIM Talon AT Blue 1, FIRE Talon AT Blue 1"
    ann.ask(f"{above}\n{below}", to=ann.last_about("[G1-"))
    assert queue(league) == [above]


@pytest.mark.parametrize(
    ("german", "written", "meant"),
    [
        (False, "move closer", "Red 1: CLOSE ON nearest"),
        (False, "attack", "Red 1: FIRE AT nearest"),
        (True, "näher ran", "Red 1: HERAN AN nächsten"),
        (True, "angreifen", "Red 1: FEUERN AUF nächsten"),
    ],
)
def test_an_everyday_word_is_quoted_as_it_was_written(
    league: League, people: tuple[Person, Person], german: bool, written: str, meant: str
) -> None:
    ann, _ = people
    report = ann.last_about("[G1-")
    if german:
        ann.ask("LANGUAGE de")
    text = words(ann.ask(written, to=report))
    assert f'"{written}"' in text
    assert meant in text


def test_what_is_in_the_way_of_a_german_order_is_no_example(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, _ = people
    report = ann.last_about("[G1-")
    ann.ask("LANGUAGE de")
    text = words(ann.ask("Red 1: FEUERN AUF Niemand", to=report))
    assert "Was im Weg steht: 'Niemand'" in text
    assert "So wird es geschrieben" not in text


@pytest.mark.parametrize("written", ["Red 1 or Red 2: HOLD", "everyone fire at Blue"])
def test_a_line_like_an_order_is_no_story(
    league: League, people: tuple[Person, Person], written: str
) -> None:
    people[0].ask(written, to=people[0].last_about("[G1-"))
    assert queue(league) == []
    assert not league.store.count(Story.select())


def test_a_missile_that_is_fired_like_a_gun_is_not_filed(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, _ = people
    order = "Red 1: FIRE Dart AT Blue 1"
    text = words(ann.ask(f"{order}\nRed 2: HOLD", to=ann.last_about("[G1-")))
    assert f'You wrote "{order}". That is nearly an order' in text
    assert "FIRE is for guns, LOCK and then LAUNCH for missiles" in text
    assert queue(league) == ["Red 2: HOLD"]


def test_a_shot_out_of_reach_is_said_to_fail(people: tuple[Person, Person]) -> None:
    ann, _ = people
    orders = "Red 1: FIRE Talon AT Blue 1\nRed 2: CLOSE ON Blue 1, FIRE Talon AT Blue 1"
    text = words(ann.ask(orders, to=ann.last_about("[G1-")))
    # Each order stands in the report with what it brings.
    assert "HOLD (defends with d" in words(ann.last_about("begins"))
    assert "Red 1: FIRE Talon AT Blue 1: as things stand it will fail, because the range" in text
    assert "Red 2: CLOSE ON Blue 1, FIRE Talon AT Blue 1: 68 %" in text


def test_orders_of_a_unit_that_is_out_are_not_shown_any_more(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, _ = people
    ann.ask("STANDING sound", ann.last_about("[G1-"))
    # What can't be done yet stays on file.
    ann.ask("Red 1: LAUNCH Dart AT Blue 1\nRed 2: LAUNCH Dart AT Blue 2", ann.last_about("[G1-"))
    game = league.game
    session = Session(league.store, game)
    assert isinstance(session.state, Battle)
    gone = change(session.state.vessels["Red 1"], fate="disabled")
    lost = change(session.state, vessels={**session.state.vessels, "Red 1": gone})
    stored_games.change_game(league.store, game.id, state=codec.encode(lost))
    # Nor do standing orders for it stop a report.
    text = words(ann.ask("REPORT 1", to=ann.last_about("[G1-")))
    assert "Queued for Red 2, one for each turn: LAUNCH Dart AT Blue 2" in text
    assert "Queued for Red 1" not in text
    assert "nearly an order" not in text


def test_standing_orders_of_a_vessel_that_left_are_not_told_any_more(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    ann.ask("STANDING sound\nRed 2: SURRENDER")
    bob.reply("Blue 1: HOLD\nBlue 2: HOLD\nBlue 3: HOLD", to=bob.last_about("[G1-"))
    league.work()
    assert league.game.running
    for asked in ("REPORT 1", "PREVIEW\nRed 1: HOLD"):
        text = words(ann.ask(asked, ann.last_about("[G1-")))
        assert "ELSE: Red 1: " in text
        assert "Red 2: " not in text
