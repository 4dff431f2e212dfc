"""Words that nobody has seen are kept until the player's next letter, and sent by a mark alone."""

import pytest

from pbem.maintenance.rebuild import rebuild
from pbem.people import erasing, personal_data
from pbem.storage import KeptWords, Player, Story
from tests.hostile.test_unmarked_words import to_others
from tests.support.each_system import SYSTEMS, asked, first_reports
from tests.support.harness import League, Person, duel
from tests.support.players import HAWK, KESTREL, plain, words

STORM = "Hawk laughs.\n\nThe storm is near."


def stories(league: League) -> list[str]:
    """Return the stories that are told."""
    return [row.text for row in league.store.all(Story.select().order_by(Story.id))]


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize(("language", "mark"), [("en", "STORY"), ("de", "ERZÄHLUNG")])
@pytest.mark.league(systems=SYSTEMS)
def test_a_story_without_words_tells_the_kept_ones(
    league: League, system: str, language: str, mark: str
) -> None:
    ann, _ = first_reports(league, system, language)
    answer = asked(ann, f"{STORM}\n\nGreetings\nAnn")
    assert f"  {mark} " in plain(answer)
    answer = ann.ask(f"{mark}\n\nAnn", answer)
    assert stories(league) == [STORM]
    assert "Hawk laughs." in words(answer)
    assert not league.store.count(KeptWords.select())


def test_tell_sends_the_kept_words(league: League) -> None:
    ann, bob = duel(league)
    answer = ann.ask(f"SCAN\n\n{STORM}", ann.last_about("[G1-T1"))
    answer = ann.ask("TELL Kestrel", answer)
    assert "your letter goes to the player of Kestrel" in words(answer)
    [letter] = [one for one in bob.new() if "A letter from" in one["Subject"]]
    assert "Hawk laughs." in words(letter)
    assert "The storm is near." in words(letter)


def test_press_sends_the_kept_words(league: League) -> None:
    ann, bob = duel(league)
    ann.ask("PRESS", ann.ask(STORM))
    assert any("The storm is near." in words(one) for one in bob.new())


@pytest.mark.parametrize("between", ["STATUS", "SCAN", "Another thing.", "TELL Nobody\nWho?"])
def test_the_next_letter_ends_them(league: League, between: str) -> None:
    ann, _ = duel(league)
    ann.ask(STORM)
    ann.ask(between)
    ann.ask("STORY", ann.last_about("[G1-T1"))
    assert not any("storm" in text for text in stories(league))
    assert "storm" not in to_others(league, ann)


def test_a_letter_that_is_not_surely_the_player_s_ends_nothing(league: League) -> None:
    ann, _ = duel(league)
    answer = ann.ask(STORM)
    ann.write("HELP\n\nNot by Ann.")
    ann.write("STORY")
    ann.new()
    assert not stories(league)
    ann.ask("STORY", answer)
    assert stories(league) == [STORM]


def test_a_mistyped_name_costs_no_words(league: League) -> None:
    ann, bob = duel(league)
    answer = ann.ask("TELL Kestral\nGood luck, old friend!")
    assert "| Good luck, old friend!" in words(answer)
    ann.ask("TELL Kestrel", answer)
    assert any("Good luck, old friend!" in words(one) for one in bob.new())


def test_secrets_in_kept_words_are_kept_from_others(league: League) -> None:
    ann, bob = duel(league)
    ann.ask(f"Write to me.\nann@home.example\n{ann.key}\nSoon, please.")
    answer = ann.ask("TELL Kestrel")
    assert "KEPT FROM OTHERS" in plain(answer)
    [letter] = [one for one in bob.new() if "A letter from" in one["Subject"]]
    assert "Soon, please." in words(letter)
    assert "home.example" not in plain(letter)
    assert ann.key not in plain(letter)


def test_what_is_too_long_to_be_passed_on_is_not_kept(league: League) -> None:
    ann, _ = duel(league)
    answer = ann.ask("Many more words, and then some.\n" * 400)
    assert "They are too long to be passed on" in words(answer)
    assert not league.store.count(KeptWords.select())


def second_pilots(league: League) -> tuple[Person, Person]:
    """Let Ann and Bob, who are in a battle, have another pilot each: Falcon and Merlin."""
    ann, bob = duel(league)
    ann.ask(KESTREL.replace("Kestrel", "Falcon"))
    bob.ask(HAWK.replace("Hawk", "Merlin"))
    ann.ask("CHALLENGE Merlin WITH Falcon FIRST me")
    bob.new()
    ann.new()
    return ann, bob


def test_words_of_a_letter_about_two_battles_are_told_where_their_writer_replies(
    league: League,
) -> None:
    ann, bob = second_pilots(league)
    bob.ask("ACCEPT 2", bob.last)
    ann.new()
    ann.write(f"KEY {ann.key}\nGAME 1\nSCAN\n\nOf the first.\n\nGAME 2\nSCAN\n\nOf the second.")
    first, second = sorted(ann.new(), key=lambda one: str(one["Subject"]))
    assert "| Of the first. | Of the second." in words(first)
    ann.ask("STORY", second)
    [story] = league.store.all(Story.select().order_by(Story.id))
    assert story.game_id == 2
    assert "Of the second." in story.text


def test_the_story_of_replaced_orders_is_told_again_by_a_tap(league: League) -> None:
    ann, _ = duel(league)
    report = ann.last_about("[G1-T1")
    ann.ask("SCAN\nSTORY\nThe sea was calm.", report)
    answer = ann.ask("TARGET", report)
    assert "| The sea was calm." in words(answer)
    ann.ask("STORY", answer)
    assert stories(league) == ["The sea was calm."]


def test_kept_words_belong_to_their_player(league: League) -> None:
    ann, _ = duel(league)
    ann.ask(STORM)
    player = league.store.first(
        Player.select().where(Player.name == "Ann Example").order_by(Player.id)
    )
    assert player is not None
    assert personal_data.kept(league.store, player)["unseen_words"] == [STORM]
    with league.store.transaction():
        erasing.erase(league.store, player)
    assert not league.store.count(KeptWords.select())


@pytest.mark.parametrize("order", ["ACCEPT 2", "DECLINE 2"])
@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_words_below_the_answer_to_a_challenge_can_be_sent(
    league: League, order: str, gap: str
) -> None:
    ann, bob = second_pilots(league)
    bob.reply(f"{order}{gap}good luck!", bob.last_about("Challenge"))
    [answer] = [one for one in bob.new() if "NOBODY HAS SEEN" in plain(one)]
    assert "| good luck!" in words(answer)
    assert "  TELL Falcon " in plain(answer)
    bob.ask("TELL Falcon", answer)
    assert any("good luck!" in words(one) for one in ann.new())


def test_words_below_a_challenge_can_be_sent_to_whom_it_goes(league: League) -> None:
    ann, bob = second_pilots(league)
    answer = ann.ask("WITHDRAW 2\n\nSorry, no time.")
    assert "  TELL Merlin " in plain(answer)
    answer = ann.ask("CHALLENGE Merlin WITH Falcon\n\ngood luck!", answer)
    assert "  TELL Merlin " in plain(answer)
    ann.ask("TELL Merlin", answer)
    assert any("good luck!" in words(one) for one in bob.new())


def test_a_league_with_kept_words_is_rebuilt_the_same(league: League) -> None:
    ann, bob = duel(league)
    ann.ask("STORY", ann.ask(STORM))
    bob.ask("TELL Hawk\nShall we settle this?", bob.last)
    ann.new()
    ann.ask("Gladly.", ann.last_about("A letter from"))
    ann.ask("Words that wait.", ann.last_about("[G1-T1"))
    assert [row.text for row in league.store.all(KeptWords.select().order_by(KeptWords.id))] == [
        "Words that wait."
    ]
    assert rebuild(league.settings, league.settings.home / "new.db") == []
