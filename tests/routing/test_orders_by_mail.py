"""Letters and their orders: who may order, what is understood, and what is answered."""

import json
from contextlib import suppress
from pathlib import Path

import pytest

from pbem.channels.mail.transport import TransportDown
from pbem.games.export import verify
from pbem.games.step_log import with_words
from pbem.storage import Game, Persona, Place, Player, Step, Story, stored_games
from tests.support.harness import League, Person, duel, open_league
from tests.support.players import (
    HAWK,
    KESTREL,
    REFEREE,
    STANDING,
    attached,
    is_last_report,
    letter,
    plain,
    reply,
    steps_told,
    turn_of,
    words,
)

pytestmark = pytest.mark.league(turns_per_letter=4)


def sheet_of(league: League, seat: str) -> dict[str, object]:
    """Return the orders in force for a seat."""
    place = league.store.first(Place.select().where(Place.seat == seat).order_by(Place.id))
    assert place is not None
    sheet: dict[str, object] = json.loads(place.sheet)
    return sheet


def queue_of(league: League, seat: str) -> list[str]:
    found = sheet_of(league, seat)
    while "queue" not in found:
        found = next(value for value in found.values() if isinstance(value, dict))
    queue = found["queue"]
    assert isinstance(queue, list)
    return queue


class TestWhoMayOrder:
    def test_a_reply_needs_the_subject_only(
        self, league: League, people: tuple[Person, Person]
    ) -> None:
        ann, _ = people
        ann.write("SCAN", subject=f"AW: {ann.last['Subject']}")
        assert turn_of(ann.new()[0]) == "G1-T1"
        assert queue_of(league, "Hawk") == ["SCAN"]

    def test_a_reply_needs_the_address_only(
        self, league: League, people: tuple[Person, Person]
    ) -> None:
        ann, _ = people
        league.drop(letter("Ann", "SCAN", 99, to=str(ann.last["Reply-To"])).as_bytes())
        league.work()
        assert queue_of(league, "Hawk") == ["SCAN"]

    def test_fault_28_the_token_of_another_player_is_worth_nothing(
        self, league: League, people: tuple[Person, Person]
    ) -> None:
        ann, bob = people
        [refusal] = stolen(league, bob, reply("Bob", ann.last, "SURRENDER", 99).as_bytes())
        assert "was not accepted" in refusal["Subject"]
        assert "SURRENDER" not in plain(refusal)
        assert queue_of(league, "Hawk") == queue_of(league, "Kestrel") == []

    def test_fault_28_a_token_from_a_strange_address_is_worth_nothing(
        self, league: League, people: tuple[Person, Person]
    ) -> None:
        ann, _ = people
        cat = league.person("Cat")
        [answer] = stolen(league, cat, reply("Cat", ann.last, "SURRENDER", 1).as_bytes())
        assert answer["Subject"] == "Avalon League: how to join"
        assert "SURRENDER" not in plain(answer)
        assert queue_of(league, "Hawk") == []

    def test_an_expired_token_is_worth_nothing(self, league: League, ann: Person) -> None:
        welcome = ann.last
        league.later(61 * 24)
        assert "was not accepted" in ann.ask("STATUS", welcome)["Subject"]

    def test_a_token_lives_as_long_as_the_newest_letter_that_carries_it(
        self, league: League, ann: Person
    ) -> None:
        league.later(59 * 24)
        answer = ann.ask("STATUS")
        league.later(59 * 24)
        assert "What you asked: STATUS" in ann.ask("STATUS", answer)["Subject"]

    def test_fault_60_the_key_stands_for_a_token_and_is_not_echoed(self, ann: Person) -> None:
        key = ann.key
        ann.write(f"KEY {key.upper()}\nKEY: {key}\nSTATUS")
        [answer] = ann.new()
        assert "You have" in words(answer) or "WHO FIGHTS FOR YOU" in words(answer).upper()
        assert key not in answer.as_string().lower()

    def test_fault_29_the_key_of_another_player_is_worth_nothing(
        self, league: League, people: tuple[Person, Person]
    ) -> None:
        ann, bob = people
        bob.write(f"KEY {ann.key}\nSCAN")
        [refusal] = bob.new()
        assert "was not accepted" in refusal["Subject"]
        assert ann.key not in refusal.as_string()

    def test_fault_28_a_letter_without_proof_is_refused_once_a_day(
        self, league: League, people: tuple[Person, Person]
    ) -> None:
        ann, _ = people
        for _ in range(3):
            ann.write("SCAN")
        [refusal] = ann.new()
        assert "was not accepted" in refusal["Subject"]
        assert queue_of(league, "Hawk") == []
        league.later(24)
        ann.write("SCAN\n")
        assert len(ann.new()) == 1

    def test_a_refusal_can_be_replied_to(
        self, league: League, people: tuple[Person, Person]
    ) -> None:
        ann, _ = people
        ann.write("SCAN")
        ann.new()
        ann.ask("SCAN")
        assert queue_of(league, "Hawk") == ["SCAN"]


def stolen(league: League, person: Person, raw: bytes) -> list[object]:
    """Deliver a letter, and return the answers to a person."""
    person.new()
    league.drop(raw)
    return list(person.new())


class TestStrangers:
    def test_fault_36_are_answered_once_a_week_and_never_quoted(self, league: League) -> None:
        cat = league.person("Cat")
        for _ in range(3):
            cat.write("Buy my pills")
        [answer] = cat.new()
        assert "JOIN" in plain(answer)
        assert "pills" not in answer.as_string()
        league.later(24)
        cat.write("Buy more pills")
        assert cat.new() == []
        league.later(6 * 24)
        cat.write("Buy all pills")
        assert len(cat.new()) == 1

    def test_may_ask_again_in_a_week_before_they_confirm(self, league: League) -> None:
        ann = league.person("Ann")
        for asked in (True, False, True):
            ann.write("JOIN Ann Example")
            assert ["Please confirm" in answer["Subject"] for answer in ann.new()] == [True] * asked
            league.later(3.5 * 24)
        assert "Welcome" in ann.ask("Yes.")["Subject"]

    def test_fault_36_are_not_flooded_with_confirmations(self, league: League) -> None:
        ann = league.person("Ann")
        for _ in range(20):
            ann.write("JOIN Ann Example")
        assert len(ann.new()) <= 3

    def test_can_do_nothing_before_they_confirm(self, league: League) -> None:
        ann = league.person("Ann")
        ann.write(f"JOIN Ann Example\n{HAWK}")
        ann.new()
        assert league.store.count(Persona.select()) == 0
        assert not league.store.all(Player.select().order_by(Player.id))[0].confirmed

    def test_cannot_take_a_name_that_is_taken(self, league: League) -> None:
        league.person("Ann").join()
        cat = league.person("Cat")
        cat.write("JOIN ann  EXAMPLE")
        [answer] = cat.new()
        assert "please choose another name" in answer["Subject"]
        assert "it is taken" in words(answer)
        cat.write("JOIN Cat Example")
        assert "Please confirm" in cat.new()[0]["Subject"]

    def test_join_once(self, league: League, ann: Person) -> None:
        assert "you are in the league already, as Ann Example" in words(ann.ask("JOIN Zoe"))
        assert league.store.count(Player.select()) == 1

    def test_fault_21_robots_are_never_answered(self, league: League) -> None:
        cat = league.person("Cat")
        robot = letter("Cat", "I am away.", 1)
        robot["Auto-Submitted"] = "auto-replied"
        cat.send(robot)
        assert cat.new() == []


class TestBattleOrders:
    def test_an_acknowledgement_says_what_was_understood(
        self, league: League, people: tuple[Person, Person]
    ) -> None:
        ann, _ = people
        answer = ann.ask("1. scan\n2. Target!\n\nSTORY\nHawk came out of the sun.")
        text = words(answer)
        assert answer["In-Reply-To"] == ann.sent[-1]["Message-ID"]
        assert "SCAN: 36 %" in text
        assert "TARGET: not possible as things stand" in text
        assert "OTHERS WILL READ THIS" in text
        assert "The referee is waiting for Kestrel." in text
        assert "The deadline is" in text

    def test_a_later_letter_replaces_the_earlier_one_whole(
        self, league: League, people: tuple[Person, Person]
    ) -> None:
        ann, _ = people
        ann.ask(f"SCAN\nTARGET\n{STANDING}")
        answer = ann.ask("TARGET\nTARGET\nTARGET")
        assert "replace those that you sent before" in words(answer)
        assert queue_of(league, "Hawk") == ["TARGET"] * 3
        assert "SURRENDER" not in json.dumps(sheet_of(league, "Hawk"))

    def test_orders_of_an_earlier_turn_stay_until_replaced(
        self, league: League, people: tuple[Person, Person]
    ) -> None:
        ann, _ = people
        for person in people:
            person.reply("STANDING\nELSE: SCAN\nEND")
        league.work()
        assert league.game.turn == 2
        ann.new()
        ann.ask("TARGET")
        assert queue_of(league, "Hawk") == ["TARGET"]
        assert "SCAN" in json.dumps(sheet_of(league, "Hawk"))

    def test_a_preview_files_nothing(self, league: League, people: tuple[Person, Person]) -> None:
        ann, _ = people
        answer = ann.ask("PREVIEW\nSCAN\nTARGET")
        assert "nothing is filed" in answer["Subject"]
        assert "36 %" in words(answer)
        assert queue_of(league, "Hawk") == []
        place = league.store.first(Place.select().where(Place.seat == "Hawk").order_by(Place.id))
        assert place is not None
        assert not place.answered

    def test_a_preview_is_the_same_whatever_the_secret_is(self, tmp_path: Path) -> None:
        told = set()
        for byte in (b"a", b"b"):
            folder = tmp_path / byte.decode()
            folder.mkdir()
            with open_league(folder, entropy=lambda size, byte=byte: size * byte) as league:
                ann, _ = duel(league)
                answer = plain(ann.ask(f"PREVIEW\n{STANDING}"))
                assert league.game.secret == 32 * byte
            told.add(answer.partition("HOW IT MAY GO ON")[2].partition("Orders are due")[0])
        [odds] = told
        assert "By so few it looks" in " ".join(odds.split())

    def test_orders_and_rules_are_counted_also_where_they_are_alike(
        self, people: tuple[Person, Person]
    ) -> None:
        ann, _ = people
        text = words(ann.ask("SCAN\nSCAN\nSTANDING\nIF FAR: SCAN\nIF FAR: SCAN\nEND"))
        assert "IF FAR: SCAN; IF FAR: SCAN" in text
        assert "SCAN (36 %), then SCAN (36 %)" in text

    def test_near_misses_are_quoted_and_the_rest_counts(
        self, league: League, people: tuple[Person, Person]
    ) -> None:
        ann, _ = people
        text = words(ann.ask("SCAN\nTARGT Kestrel\nSTATSU"))
        assert 'You wrote "STATSU". Perhaps you meant STATUS' in text
        assert 'You wrote "TARGT Kestrel". Perhaps you meant TARGET Kestrel' in text
        text = words(ann.ask("challange Kestrel with Hawk\nIF FAST: FIRE"))
        assert "Perhaps you meant CHALLENGE Kestrel with Hawk" in text
        assert "What is in the way: 'FAST' is not a condition." in text
        assert queue_of(league, "Hawk") == ["SCAN"]

    def test_a_story_is_what_is_marked(self, league: League, people: tuple[Person, Person]) -> None:
        ann, _ = people
        ann.ask("SCAN\nMy hands shake.\nSTORY\nClose behind him, Hawk grinned.")
        stories = {
            (one.seat, one.text) for one in league.store.all(Story.select().order_by(Story.id))
        }
        assert stories == {("Hawk", "Close behind him, Hawk grinned.")}

    def test_salt_changes_the_dice(self, league: League, people: tuple[Person, Person]) -> None:
        ann, bob = people
        ann.reply("SALT the quick brown fox\nSTANDING\nELSE: SCAN\nEND")
        bob.reply("STANDING\nELSE: SCAN\nEND")
        league.work()
        for step in with_words(
            league.store, league.store.all(Step.select().where(Step.game == 1).order_by(Step.id))
        ):
            spoken = json.loads(step.words)
            salted = spoken["Hawk"]["salts"] == ["the quick brown fox"]
            assert salted == (step.orders != "[]")
            assert spoken["Kestrel"]["salts"] == []

    def test_salt_alone_goes_with_the_orders_on_file(
        self, league: League, people: tuple[Person, Person]
    ) -> None:
        ann, bob = people
        ann.ask("STANDING\nELSE: SCAN\nEND")
        for told in (ann.ask("SALT of the earth"), ann.ask("SALT two\nREADY")):
            assert "Your SALT is mixed into the dice of your coming turns." in words(told)
        bob.reply("STANDING\nELSE: SCAN\nEND")
        league.work()
        steps = with_words(
            league.store,
            league.store.all(Step.select().where(Step.game == 1).order_by(Step.id))[1:],
        )
        salts = [json.loads(step.words)["Hawk"]["salts"] for step in steps]
        assert salts == [["two"]] * len(steps)

    def test_salts_take_little_room_and_the_dice_still_verify(
        self, league: League, people: tuple[Person, Person]
    ) -> None:
        """What was seen: two letters took 2.6 MiB, and 135 KiB of the opponent's report."""
        ann, bob = people
        salts = "\n".join(f"SALT {n:04} {'x' * 190}" for n in range(250))
        told = words(ann.ask(f"{salts}\n{STANDING}"))
        assert "at most 10 SALT lines count" in told
        assert "0011" not in told
        bob.ask(f"SALT {'y' * 250}\n{salts}\n{STANDING}")
        while league.game.running:
            league.later(80)
            league.work()
        steps = league.store.all(Step.select().where(Step.game == 1).order_by(Step.id))
        assert len(steps) > 10
        assert len([step for step in steps if step.words]) == 2
        assert sum(len(step.words) for step in steps) < 10_000
        assert len(ann.last_about("[G1").as_bytes()) < 120_000
        exported = league.service.export(league.game)
        assert all(finding.ok for finding in verify(exported))
        told_words = json.loads(exported)[-2]["words"]
        assert [len(told_words[seat]["salts"]) for seat in ("Hawk", "Kestrel")] == [10, 10]

    def test_surrender_ends_it(self, league: League, people: tuple[Person, Person]) -> None:
        ann, bob = people
        ann.reply("SURRENDER")
        bob.reply("SURRENDER")
        league.work()
        assert not league.game.running
        for person in people:
            assert is_last_report(person.last)
            assert league.game.secret.hex() in attached(person.last)["receipt.txt"].decode()
            assert "game 1 is over" in person.last["Subject"]

    def test_orders_after_the_end_are_answered(
        self, league: League, people: tuple[Person, Person]
    ) -> None:
        ann, bob = people
        report = bob.last
        ann.reply("SURRENDER")
        bob.reply("SCAN")
        bob.new()
        assert "is over, so your orders could not be used" in words(bob.ask("SCAN\nTARGET", report))

    def test_orders_for_an_old_turn_are_stale(
        self, league: League, people: tuple[Person, Person]
    ) -> None:
        ann, _ = people
        old = ann.last
        for person in people:
            person.reply("STANDING\nELSE: SCAN\nEND")
        league.work()
        answer = ann.ask("SURRENDER", old)
        assert "your orders were not used" in answer["Subject"]
        assert turn_of(answer) == "G1-T2"
        assert league.game.running
        assert "SURRENDER" not in json.dumps(sheet_of(league, "Hawk"))
        assert turn_of(ann.ask("TARGET", answer)) == "G1-T2"
        assert queue_of(league, "Hawk") == ["TARGET"]

    def test_a_game_can_be_named(self, league: League, people: tuple[Person, Person]) -> None:
        ann, _ = people
        welcome = ann.last_about("Welcome")
        ann.ask("GAME 1\nSCAN", welcome)
        assert queue_of(league, "Hawk") == ["SCAN"]

    def test_orders_without_a_game_are_for_the_only_one(
        self, league: League, people: tuple[Person, Person]
    ) -> None:
        ann, _ = people
        ann.ask("TARGET", ann.last_about("Welcome"))
        assert queue_of(league, "Hawk") == ["TARGET"]

    def test_orders_for_nobodys_game_are_answered(
        self, league: League, people: tuple[Person, Person]
    ) -> None:
        ann, _ = people
        answer = ann.ask("GAME 7\nSCAN", ann.last_about("Welcome"))
        assert "you have no pilot in game 7" in words(answer)

    def test_the_games_of_others_take_no_orders(
        self, league: League, people: tuple[Person, Person]
    ) -> None:
        cat = league.person("Cat")
        cat.join()
        assert "you have no pilot in game 1" in words(cat.ask("GAME 1\nSURRENDER"))
        assert queue_of(league, "Hawk") == queue_of(league, "Kestrel") == []

    def test_battle_orders_of_who_fights_nowhere_are_answered(self, ann: Person) -> None:
        assert "you are in no running game" in words(ann.ask("SCAN\nTARGET"))

    def test_a_letter_with_no_order_at_all_is_answered(
        self, league: League, people: tuple[Person, Person]
    ) -> None:
        ann, _ = people
        answer = ann.ask("I shall think about it.")
        assert "there are no orders for the battle in your letter" in words(answer)
        assert "WORDS THAT NOBODY HAS SEEN | I shall think about it." in words(answer)
        assert league.store.count(Story.select()) == 0


def test_a_line_beside_a_report_is_not_dropped_in_silence(ann: Person) -> None:
    ann.ask(HAWK)
    ann.ask("PRACTICE WITH Hawk AGAINST easy")
    ann.new()
    for text, told in (
        ("REPORT 1\nwhat is this all about", "| what is this all about"),
        ("REPORT 1\nThanks,\nAnn", ""),
    ):
        ann.write(f"KEY {ann.key}\n{text}")
        found = " ".join(words(letter) for letter in ann.new())
        assert "game 1" in found.lower()
        assert told in found
        assert told or "NOBODY HAS SEEN" not in found


def test_a_report_comes_again_with_a_token(league: League, people: tuple[Person, Person]) -> None:
    ann, _ = people
    first = ann.last
    again = ann.ask("REPORT", ann.last_about("Welcome"))
    assert turn_of(again) == turn_of(first)
    assert turn_of(ann.ask("SCAN", again)) == "G1-T1"
    assert queue_of(league, "Hawk") == ["SCAN"]


class TestDraws:
    def test_an_offer_is_told_and_taken(
        self, league: League, people: tuple[Person, Person]
    ) -> None:
        ann, bob = people
        assert "Dear Ann Example, a draw is offered in game 1" in words(ann.ask("DRAW 1"))
        [offer] = bob.new()
        assert "Hawk offers a draw" in offer["Subject"]
        assert league.game.running
        [end] = bob_takes(bob)
        assert "A draw" in end["Subject"]
        assert not league.game.running
        assert is_last_report(ann.last)

    def test_an_offer_can_be_taken_back(
        self, league: League, people: tuple[Person, Person]
    ) -> None:
        ann, bob = people
        ann.ask("DRAW")
        assert "is taken back" in words(ann.ask("NO DRAW"))
        bob.new()
        assert "a draw is offered" in words(bob.ask("DRAW"))
        assert league.game.running

    def test_there_must_be_an_offer_to_take_back(
        self, league: League, people: tuple[Person, Person]
    ) -> None:
        ann, _ = people
        assert "you have not offered a draw in game 1" in words(ann.ask("NO DRAW"))

    def test_a_battle_that_is_over_takes_no_offer(
        self, league: League, people: tuple[Person, Person]
    ) -> None:
        ann, bob = people
        ann.reply("DRAW 1")
        bob.reply("DRAW 1")
        bob.new()
        assert "game 1 is over" in words(bob.ask("DRAW 1"))


def bob_takes(bob: Person) -> list[object]:
    bob.reply("DRAW")
    return list(bob.new())


class TestChallenges:
    @pytest.fixture
    def rivals(self, league: League) -> tuple[Person, Person]:
        ann, bob = league.person("Ann"), league.person("Bob")
        for person, pilot in ((ann, HAWK), (bob, KESTREL)):
            person.join()
            person.ask(pilot)
        ann.ask("CHALLENGE Kestrel")
        bob.new()
        return ann, bob

    def test_declined_is_told_to_both(self, league: League, rivals: tuple[Person, Person]) -> None:
        ann, bob = rivals
        assert "is declined" in words(bob.ask("DECLINE"))
        assert "declines the challenge" in ann.new()[0]["Subject"]
        assert "no challenge is open" in words(bob.ask("ACCEPT"))

    def test_withdrawn_cannot_be_accepted(
        self, league: League, rivals: tuple[Person, Person]
    ) -> None:
        ann, bob = rivals
        assert "is withdrawn" in words(ann.ask("WITHDRAW"))
        bob.new()
        assert "challenge 1 is not open" in words(
            bob.ask("ACCEPT 1", bob.last_about("Challenge from"))
        )
        assert league.store.count(Game.select()) == 0

    def test_accepted_twice_begins_one_game(
        self, league: League, rivals: tuple[Person, Person]
    ) -> None:
        _, bob = rivals
        invitation = bob.last
        assert "the battle begins" in bob.ask("ACCEPT 1")["Subject"]
        assert "challenge 1 is not open" in words(bob.ask("ACCEPT 1", invitation))
        assert league.store.count(Game.select()) == 1

    def test_of_one_side_is_refused(self, league: League, rivals: tuple[Person, Person]) -> None:
        cat = league.person("Cat")
        cat.join()
        cat.ask(HAWK.replace("Hawk", "Crow"))
        assert "both fly for the cartel" in words(cat.ask("CHALLENGE Hawk"))

    def test_that_became_impossible_is_refused(
        self, league: League, rivals: tuple[Person, Person]
    ) -> None:
        """Hawk fights another by the time that Kestrel takes it up."""
        ann, bob = rivals
        cat = league.person("Cat")
        cat.join()
        cat.ask(HAWK.replace("Hawk", "Crow").replace("cartel", "league").replace(*ANGELA))
        cat.ask("CHALLENGE Hawk")
        ann.new()
        ann.ask("ACCEPT 2")
        assert "Hawk is in a game already" in words(bob.ask("ACCEPT 1"))


ANGELA = ("Angela 313B", "Wright 1903S")


def test_a_yes_to_another_letter_is_asked_about_with_the_open_question(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, _ = people
    report = ann.last_about("[G1-T1")
    ann.ask("It may be wise to look.\nSCAN\nOr so they say of him.", report)
    assert "YES" in words(ann.last)
    # The answer to another letter asks nothing.
    ann.ask("STATUS")
    told = words(ann.ask("YES"))
    assert "the letter that you reply to asks nothing, but this is open still" in told
    steps = league.game.steps
    assert "SCAN" in words(ann.ask("YES"))
    [place] = [p for p in stored_games.places_in(league.store, 1) if p.seat == "Hawk"]
    assert place.answered or league.game.steps > steps


@pytest.mark.league(limits={"letters_a_day": 3})
def test_fault_59_more_letters_than_a_day_allows_are_not_acted_on(
    league: League, ann: Person
) -> None:
    welcome = ann.last
    for _ in range(5):
        ann.reply("STATUS", welcome)
    *answers, told = ann.new()
    assert len(answers) == 3
    # It is said once that no more are read today.
    assert "You have sent 3 letters today" in words(told)
    assert league.last_letter().state == "discarded"
    league.later(24)
    assert len([ann.reply("STATUS", welcome), *ann.new()]) == 2


def test_everything_comes_from_the_referee(league: League, people: tuple[Person, Person]) -> None:
    for person in people:
        for received in person.letters:
            assert REFEREE in received["From"]
            assert received["Auto-Submitted"] in ("auto-replied", "auto-generated")


class OutOfOrder:
    """A transport whose server can't be reached."""

    def send(self, sender: str, recipient: str, raw: bytes) -> None:
        """Reach nobody."""
        raise TransportDown("nobody is there")

    def close(self) -> None:
        """Nothing is held open."""


def test_reports_of_an_outage_all_come_afterwards(
    league: League, people: tuple[Person, Person]
) -> None:
    """Each step is reported, though nothing could be sent while a deadline fell."""
    ann, bob = people
    league.transport = OutOfOrder()
    ann.reply(STANDING)
    bob.reply(STANDING)
    for _ in range(2):
        with suppress(TransportDown):
            league.work()
        league.later(100)
    assert league.game.turn == 3
    league.transport = league.post
    text = " ".join(words(letter) for letter in ann.new())
    steps = steps_told([text])
    assert set(steps) >= set(range(1, league.game.steps))
