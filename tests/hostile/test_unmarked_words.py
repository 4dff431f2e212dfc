"""Nothing that a player writes is in anything for others unless it is marked (decision 0034)."""

import email
from email import policy

import pytest

from pbem.storage import Post, Story
from tests.support.each_system import SYSTEMS, asked, filed, first_reports
from tests.support.harness import League, Person, duel
from tests.support.players import plain, words


def to_others(league: League, ann: Person) -> str:
    """Return all that anybody but Ann can read."""
    raws = [raw for to, raw in league.post.letters if to != ann.address]
    shown = [email.message_from_bytes(raw, policy=policy.default) for raw in raws]
    parts = (part for one in shown for part in one.walk() if part.get_content_maintype() == "text")
    texts = [part.get_content() for part in parts]
    texts += [row.text for row in league.store.all(Story.select().order_by(Story.id))]
    texts += [
        f"{row.title}\n{row.body}" for row in league.store.all(Post.select().order_by(Post.id))
    ]
    return "\n".join(texts)


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.league(systems=SYSTEMS)
def test_words_without_a_mark_are_said_back_to_their_writer_alone(
    league: League, system: str, language: str
) -> None:
    ann, _ = first_reports(league, system, language)
    text = words(asked(ann, "My son is in hospital, so I may be slow.\n\nAnn"))
    heading = {"en": "WORDS THAT NOBODY HAS SEEN", "de": "WORTE, DIE NIEMAND GESEHEN HAT"}
    assert f"{heading[language]} | My son is in hospital, so I may be slow." in text
    assert "hospital" not in to_others(league, ann)


@pytest.mark.parametrize(
    "written",
    [
        "Hello referee,\nSCAN\n\nBest wishes,\nAnn",
        "SCAN\n\nAnn Example",
        "SCAN\n\nA.",
        "SCAN\n\n---\n",
    ],
)
def test_greetings_and_the_own_name_are_not_said_back(league: League, written: str) -> None:
    ann, _ = duel(league)
    assert "NOBODY HAS SEEN" not in words(ann.ask(written))


def test_the_links_hold_the_mark_alone(league: League) -> None:
    ann, _ = duel(league)
    page = ann.ask("SCAN\n\nHawk laughs & dives.").get_body(("html",))
    assert page is not None
    found = page.get_content()
    assert "body=STORY&quot;" in found or 'body=STORY"' in found
    assert 'body=TELL%20Kestrel"' in found
    assert "laughs%20" not in found


def test_the_report_has_links_for_a_story_and_for_the_opponent(league: League) -> None:
    ann, _ = duel(league)
    report = ann.last_about("[G1-T1")
    page = report.get_body(("html",))
    assert page is not None
    assert "body=STORY%0D%0A" in page.get_content()
    assert "body=TELL%20Kestrel%0D%0A" in page.get_content()
    assert "STORY tells your story to everybody" in words(report)


@pytest.mark.parametrize(
    ("language", "mark"),
    [
        ("en", "STORY\n{}"),
        ("en", "story\n{}"),
        ("en", "Story:\n{}"),
        ("en", "Story: {}"),
        ("en", "STORY {}"),
        ("en", "*STORY*\n{}"),
        (
            "en",
            f"A line that may have been broken by a mail program, {'x' * 15}\nSTORY\n{{}}",
        ),
        ("en", "> quoted\nSTORY\n\n{}"),
        ("de", "ERZÄHLUNG\n{}"),
        ("de", "ERZAEHLUNG: {}"),
        ("de", "Geschichte:\n{}"),
        ("de", "STORY\n{}"),
    ],
)
def test_a_story_is_what_stands_below_its_mark(league: League, language: str, mark: str) -> None:
    ann, _ = first_reports(league, "starpilot", language)
    told = "Hawk dives.\nFIRE!\n\nWhat now?"
    answer = asked(ann, f"SCAN\n{mark.format(told)}\nEND\nTARGET\n-- \nAnn, Tel. 1")
    [story] = league.store.all(Story.select().order_by(Story.id))
    assert story.text.strip() == told
    # Words between orders make them asked about.
    between = "A line" in mark
    assert filed(league)["queue"] == ([] if between else ["SCAN", "TARGET"])
    heading = {"en": "OTHERS WILL READ THIS", "de": "DAS LESEN DIE ANDEREN"}[language]
    assert heading in plain(answer)


@pytest.mark.parametrize(
    "line",
    [
        "Story of my life.",
        "story about him",
        "A STORY",
        "Storyline",
        "I'd like to tell you, before it gets too late for that, all of the\nstory",
    ],
)
def test_a_sentence_with_the_word_is_no_mark(league: League, line: str) -> None:
    ann, _ = duel(league)
    ann.ask(f"SCAN\n\n{line}\nHawk dives.")
    assert not league.store.count(Story.select())


def test_a_story_belongs_to_the_orders_of_its_turn(league: League) -> None:
    ann, _ = duel(league)
    report = ann.last_about("[G1-T1")
    ann.ask("SCAN\nSTORY\nOne.", report)
    ann.ask("STORY\nTwo.", report)
    assert [one.text for one in league.store.all(Story.select().order_by(Story.id))] == ["Two."]
    assert filed(league)["queue"] == ["SCAN"]
    # It came alone, so new orders leave it.
    ann.ask("TARGET", report)
    assert [one.text for one in league.store.all(Story.select().order_by(Story.id))] == ["Two."]
    ann.ask("SCAN\nSTORY\nTwo and a half.", report)
    answer = ann.ask("TARGET", report)
    assert not league.store.count(Story.select())
    assert "The story of your earlier letter goes with its orders" in words(answer)
    ann.ask("STORY\nThree.", report)
    ann.ask("STORY", report)
    assert not league.store.count(Story.select())


def test_a_story_without_a_battle_is_said_back(league: League) -> None:
    cat = league.person("Cat")
    cat.join()
    cat.write(f"KEY {cat.key}\nSTORY\nThe sea was calm.")
    [answer] = cat.new()
    assert "you are in no running game, so nobody has seen your story" in words(answer)
    assert "| The sea was calm." in words(answer)


def test_words_with_a_challenge_or_an_answer_to_one_are_said_back(league: League) -> None:
    ann, bob = duel(league)
    ann.write(f"KEY {ann.key}\nSTATUS\nCHALLENGE Bob\n\nGood luck, old friend!")
    league.work()
    assert "Good luck" in words(ann.last)
    assert not any("Good luck" in plain(one) for one in bob.letters)
