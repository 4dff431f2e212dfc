"""The moderator's rulings: by mail and by program, logged, and reported to the players."""

import re
from datetime import timedelta

import pytest

from pbem.handlers.moderator.ruling_table import RULINGS, rule
from pbem.handlers.request import Refusal
from pbem.storage import Outgoing, Place, Ruling
from tests.support.harness import League, Person
from tests.support.players import HAWK, PATIENT, address_of, words

pytestmark = pytest.mark.league(turns_per_letter=4, moderator=address_of("Mona"))


def moderator(league: League) -> Person:
    mona = league.person("Mona")
    mona.join()
    return mona


def test_an_extended_deadline_is_told_and_reminded_of_anew(
    league: League, people: tuple[Person, Person]
) -> None:
    before = league.game.deadline
    assert before is not None
    league.later(49)
    for person in people:
        assert len(person.new()) == 1
    assert "the deadline is now" in league.rule("EXTEND 1 2 days")
    assert league.game.deadline == before + timedelta(days=2)
    for person in people:
        [letter] = person.new()
        assert "The deadline is now" in words(letter)
    league.later(48)
    assert [len(person.new()) for person in people] == [1, 1]


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "the next orders are not due before it either"),
        ("de", "sind auch die nächsten Befehle nicht früher fällig"),
    ],
)
def test_an_extended_deadline_holds_for_the_turn_after(
    league: League, people: tuple[Person, Person], language: str, expected: str
) -> None:
    ann, bob = people
    ann.ask(f"LANGUAGE {language}")
    league.rule("EXTEND 1 10d")
    extended = league.game.deadline
    assert expected in words(ann.new()[-1])
    for _ in range(2):
        turn = league.game.turn
        for person in (ann, bob):
            person.reply("SCAN", person.last_about("[G1-"))
        league.work()
        assert league.game.turn > turn
        assert league.game.deadline == extended
    league.later(24 * 11)
    for person in (ann, bob):
        person.reply("SCAN", person.last_about("[G1-"))
    league.work()
    assert league.game.deadline is not None
    assert extended is not None
    late = league.game.deadline - league.now
    assert league.game.deadline > extended, "from then on a turn has its usual time"
    assert late >= league.settings.league.allowed


def test_pause_all_is_one_letter_a_player(league: League, people: tuple[Person, Person]) -> None:
    ann, bob = people
    ann.ask("PRACTICE WITH Hawk")
    ann.new()
    assert "game 1, 2" in league.rule("PAUSE ALL BECAUSE the mail was down")
    [letter] = ann.new()
    assert "The clock of your 2 games is stopped" in letter["Subject"]
    assert "Game 1, StarPilot 3.1, with Hawk. Your orders for Hawk are still needed." in words(
        letter
    )
    assert "the mail was down" in words(letter)
    [other] = bob.new()
    assert other["Subject"].endswith("Game 1: the clock is stopped")
    league.rule("RESUME ALL")
    [letter] = ann.new()
    assert "Your 2 games go on" in letter["Subject"]
    assert "Game 2, StarPilot 3.1, with Hawk: the deadline is now" in words(letter)
    # A reply may order for each of them.
    ann.ask("GAME 1\nSCAN", letter)
    place = league.store.first(Place.select().where(Place.game == 1, Place.seat == "Hawk"))
    assert place is not None
    assert place.answered


def test_of_ban_and_unban_only_the_later_waits_to_be_sent(
    league: League, people: tuple[Person, Person]
) -> None:
    with league.store.transaction():
        rule(league.service.ports, "BAN Kestrel", league.now)
        rule(league.service.ports, "UNBAN Kestrel", league.now)
    waiting = league.store.all(
        Outgoing.select()
        .where(Outgoing.kind == "banned", Outgoing.state == "queued")
        .order_by(Outgoing.id)
    )
    league.send()
    [letter] = people[1].new()
    assert (len(waiting), letter["Subject"].split("] ")[1]) == (1, "You may write again")


def test_a_paused_game_keeps_orders_and_plays_nothing(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    league.later(70)
    league.rule("PAUSE ALL")
    steps = league.game.steps
    ann.ask(PATIENT, ann.last_about("battle begins"))
    bob.ask(PATIENT, bob.last_about("battle begins"))
    league.later(1000)
    league.work()
    assert (league.game.steps, league.game.deadline) == (steps, None)
    league.rule("RESUME ALL")
    assert league.game.steps == steps + 4
    assert league.game.paused is None


def test_time_that_was_left_is_left_after_a_pause(
    league: League, people: tuple[Person, Person]
) -> None:
    league.later(60)
    league.rule("PAUSE 1")
    league.later(500)
    league.rule("RESUME G1")
    assert league.game.deadline == league.now + timedelta(hours=12)


def test_a_ruled_draw_ends_the_game_as_a_step_of_the_referee(
    league: League, people: tuple[Person, Person]
) -> None:
    league.rule("draw game 1")
    assert not league.game.running
    assert league.orders()[-1] == ('[["|referee", "DRAW"]]', "referee")
    assert [
        row.text
        for row in league.store.all(Ruling.select().where(Ruling.game == 1).order_by(Ruling.id))
    ] == ["the game ends in a draw"]


def test_a_ruled_forfeit_counts_as_a_surrender(
    league: League, people: tuple[Person, Person]
) -> None:
    league.rule("FORFEIT 1 hawk")
    assert not league.game.running
    ann, _ = people
    assert any("Hawk forfeits" in words(each) for each in ann.new())


def test_a_major_battle_is_approved_or_declined(
    league: League, people: tuple[Person, Person]
) -> None:
    league.rule("NO MAJOR 1")
    assert league.game.major == "declined"
    league.rule("MAJOR 1")
    assert league.game.major == "approved"
    for again in ("MAJOR 1", "NO MAJOR 1"):
        with pytest.raises(Refusal, match="game 1 is a major battle already"):
            league.rule(again)


def test_a_battle_that_counts_for_nobody_is_never_major(league: League, ann: Person) -> None:
    ann.ask(HAWK)
    ann.reply("PRACTICE WITH Hawk")
    ann.new()
    for ruling in ("MAJOR 1", "NO MAJOR 1"):
        with pytest.raises(Refusal, match="game 1 leaves nothing in anybody's career"):
            league.rule(ruling)
    assert not league.game.major


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        (
            "en",
            {
                "EXTEND 7 48h": ("there is no game 7", "these go on: 1"),
                "EXTEND 1": ("'EXTEND 1' lacks something", "write it like GM EXTEND 12 48h"),
                "EXTND 1 2d": ("is not a ruling", "like these: GM EXTEND 12 48h"),
                "RESUME 1": ("game 1 is not paused", "GM PAUSE 1"),
                "HEAL Kitai": ("nobody in the league is called Kitai", "GM HEAL Kitai OF Ravens"),
                "MERGE 1 INTO 99": ("there is no player 99", "pilot, address or number"),
                "UNBAN Nobody": ("nobody is called Nobody", "GM UNBAN someone@host.example"),
                "RELEASE LETTER 9": ("letter 9 is not held", "no letter is held"),
                "POST": ("no channel", "league.toml"),
                "AUDIT BECAUSE so": ("takes no reason", "write it without BECAUSE"),
            },
        ),
        (
            "de",
            {
                "EXTEND 7 48h": ("Es gibt keine Partie 7", "Es laufen: 1"),
                "EXTEND 1": ("fehlt etwas", "Schreib es so: GM VERLÄNGERN 12 48h"),
                "RESUME 1": ("Partie 1 ist nicht angehalten", "GM ANHALTEN 1"),
                "MERGE 1 INTO 99": ("keinen Spieler 99", "Adresse oder Nummer"),
                "DROP LETTER 9 x": ("Brief 9 ist nicht", "kein Brief zurückgehalten"),
            },
        ),
    ],
)
def test_a_mistake_is_answered_with_what_would_be_right(
    league: League,
    people: tuple[Person, Person],
    language: str,
    expected: dict[str, tuple[str, str]],
) -> None:
    mona = moderator(league)
    mona.ask(f"LANGUAGE {language}")
    for text, parts in expected.items():
        answer = words(mona.ask(f"KEY {mona.key}\nGM {text}"))
        assert all(part in answer for part in parts), answer


def test_a_clock_that_stands_is_neither_stopped_nor_moved(
    league: League, people: tuple[Person, Person]
) -> None:
    assert "paused: game 1; all players are told" in league.rule("PAUSE 1")
    for text in ("PAUSE 1", "EXTEND 1 1d"):
        with pytest.raises(Refusal, match="game 1 is paused") as refusal:
            league.rule(text)
        assert refusal.value.hint == "GM RESUME 1"
    assert "there is no game for which" in league.rule("PAUSE ALL")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("EXTEND 7 48h", "there is no game 7"),
        ("EXTEND 1 soon", "lacks something"),
        ("FORFEIT 1 Nobody", "is not in game 1"),
        ("DANCE", "is not a ruling"),
    ],
)
def test_what_is_no_ruling_is_refused(
    league: League, people: tuple[Person, Person], text: str, reason: str
) -> None:
    with pytest.raises(Refusal, match=reason):
        league.rule(text)
    assert league.store.count(Ruling.select()) == 0


@pytest.mark.parametrize(
    ("text", "examples"),
    [("EXTNED 1 2 days", {"EXTEND"}), ("DANCE", {one.example.split()[1] for one in RULINGS})],
)
def test_a_misspelt_ruling_is_answered_with_the_nearest_or_with_all(
    league: League, text: str, examples: set[str]
) -> None:
    with pytest.raises(Refusal) as raised:
        league.rule(text)
    assert set(re.findall(r"GM (\w+)", raised.value.hint)) == examples


def test_a_game_that_is_over_is_not_ruled_over(
    league: League, people: tuple[Person, Person]
) -> None:
    league.rule("DRAW 1")
    for text in ("EXTEND 1 4h", "PAUSE 1", "DRAW 1", "FORFEIT 1 Hawk"):
        with pytest.raises(Refusal, match="is over"):
            league.rule(text)


def test_the_moderator_rules_by_mail_with_the_key(
    league: League, people: tuple[Person, Person]
) -> None:
    mona = moderator(league)
    answer = mona.ask(f"KEY {mona.key}\nGM EXTEND 1 48h")
    assert "its players are told" in words(answer)
    assert league.store.count(Ruling.select()) == 1


def test_without_the_key_nothing_is_ruled(league: League, people: tuple[Person, Person]) -> None:
    mona = moderator(league)
    assert "needs your key" in words(mona.ask("GM DRAW 1"))
    assert league.game.running


def test_nobody_else_rules_key_or_not(league: League, people: tuple[Person, Person]) -> None:
    ann, _ = people
    answer = ann.ask(f"KEY {ann.key}\nGM FORFEIT 1 Kestrel", ann.last_about("Welcome"))
    assert "for the league's moderator" in words(answer).replace("\n", " ")
    assert league.game.running


def test_every_example_of_a_ruling_is_one() -> None:
    for ruling in RULINGS:
        assert ruling.pattern.fullmatch(ruling.example.removeprefix("GM "))
