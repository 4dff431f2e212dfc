"""Nothing that a player writes leaves the referee with a token, a key or a mail address."""

import json
from pathlib import Path

import pytest

from pbem.games.export import export
from pbem.intake.tokens_and_keys import masked
from pbem.news.recent_news import News
from pbem.people.scrub import Scrub
from pbem.storage import Persona, Step, Story, Token
from tests.hostile.test_secret_spellings import token_of
from tests.support.harness import START, League, Person, open_league, skies
from tests.support.players import PATIENT, letter, parsed, words


def secrets_of(ann: Person, bob: Person) -> dict[str, tuple[str, str]]:
    """Return lines with what must not leave, and for each what would reveal it."""
    token, key = token_of(ann), ann.key
    return {
        "reply address": (f"See referee+{token}@league.example, said Hawk", token),
        "subject": (f"From: Re: [G1-T1 {token}] Hawk against Kestrel", token),
        "bare token": (f"The secret word is {token.upper()}, he said", token.upper()),
        "hidden token": (f"It is {token[:5]}\u200b{token[5:]} of course", token[5:]),
        "key": (f"Take this: {key} and run", key),
        "key with other dashes": (f"It is {key.replace('-', ' – ')} now", key[-3:]),
        "another's key": (f"Bob has {bob.key.upper()} they say", bob.key.upper()),
        "address": (f"I am {ann.address} out there", ann.address),
        "another's address": ("He is Bob+tag@LEAGUE.example there", "Bob+tag"),
        "league's address": ("Write to Referee@League.Example soon", "Referee@League"),
        "wide address": ("She is ann＠league．example to you", "ann＠"),
    }


KINDS = (
    "reply address", "subject", "bare token", "hidden token", "key",
    "key with other dashes", "another's key", "address", "another's address",
    "league's address", "wide address",
)  # fmt: skip
SALVO = """{line}

SALT {line}
STORY
The stars are cold tonight.
{line}
END
TELL Kestrel
We meet again.
{line}
END
PRESS
Hear me, all of you.
{line}
END
EDITORIAL
This war is long.
{line}
END
NOMINATE Kestrel IN 1
Kestrel flew on alone.
{line}
"""


@pytest.mark.parametrize("kind", KINDS)
def test_hostile_secrets_leave_by_no_outlet(
    league: League, people: tuple[Person, Person], kind: str
) -> None:
    ann, bob = people
    cat = league.person("Cat")
    cat.join()
    cat.ask("WATCH 1")
    line, telling = secrets_of(ann, bob)[kind]
    ann.reply(SALVO.format(line=line), ann.last_about("[G1"))
    league.work()
    answer = words(ann.last)
    assert "KEPT FROM OTHERS" in answer
    assert "it holds" in answer
    assert token_of(ann) not in answer
    assert league.rule("PRINT 1")
    for person in people:
        person.reply("SURRENDER", person.last_about("[G1"))
    league.work()
    cat.reply("HISTORY 1\nSTATUS")
    league.work()
    league.service.ports.newsletter.want()
    league.work()
    assert not league.game.running
    theirs = [parsed(raw) for to, raw in league.post.letters if to != ann.address]
    found = [words(one) + str(one["Subject"]) for one in theirs]
    reached = ("The stars are cold", "We meet again.", "Hear me, all", "flew on alone")
    assert not [text for text in reached if not any(text in one for one in found)]
    assert not [one for one in found if telling in one]
    kept = export(league.store, league.game)
    assert telling not in kept
    news = News(league.store, START.replace(year=2000), league.now, league.settings.league)
    assert telling not in json.dumps(news.facts(), default=str)
    assert not [
        story
        for story in league.store.all(Story.select().order_by(Story.id))
        if telling in story.text
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_hostile_secrets_stand_in_no_name_and_no_head(
    league: League, people: tuple[Person, Person], kind: str
) -> None:
    ann, bob = people
    line, telling = secrets_of(ann, bob)[kind]
    ann.reply(f"TELL {line[:38]}\nThis is for you alone.\nEND\nENLIST {line} FOR cartel", None)
    league.work()
    bob.new()
    ann.reply(f"TELL {telling}\nThis is for you alone.\nEND", ann.last_about("[G1"))
    league.work()
    assert league.store.count(Story.select()) == 0
    assert league.store.count(Persona.select()) == 2
    assert bob.new() == []


def test_hostile_secrets_the_writer_is_told_which_line_and_why(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    answer = words(
        ann.ask(f"TELL Kestrel\nMeet me there.\nI am {ann.address}.\nGood night.", ann.last)
    )
    assert '"I am ***' in answer
    assert "it holds a mail address" in answer
    bob.new()
    text = words(bob.last)
    assert "Meet me there." in text
    assert "Good night." in text
    assert "I am" not in text


def test_hostile_secrets_the_answer_tells_nobody_who_plays(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, _ = people
    texts = []
    for address in ("cid@league.example", "bob@league.example", "nob@league.example"):
        ann.reply(f"TELL Kestrel\nIs it {address} who flies?\nSo be it.", ann.last_about("[G1"))
        league.work()
        texts.append(words(ann.last).partition("KEPT FROM OTHERS")[2])
    # The first answer in a row that did not help is shorter than the next ones.
    assert texts[1] == texts[2] != ""


def test_hostile_secrets_a_spent_token_is_kept_back_too(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, _ = people
    token = token_of(ann)
    league.store.run(Token.delete().where(Token.token == token))
    scrub = Scrub(league.store)
    for line in (f"[G12-T7 {token}] x", f"referee+{token}@elsewhere.example", f"a {token} b"):
        assert scrub.secret(line) is not None


def test_hostile_secrets_broken_over_two_lines(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, _ = people
    scrub, key = Scrub(league.store), ann.key
    for lines in (
        [f"It is {key[:4]}", f"{key[4:]} he said"],
        ["to ann@", "league.example now"],
    ):
        assert None not in scrub.secrets(lines), lines


def test_hostile_secrets_words_that_meet_at_a_line_break_are_no_token(
    league: League, people: tuple[Person, Person]
) -> None:
    orders = [f"Kite{n}: AFTERBURNER" for n in range(8)]  # AFTERBURNERKite2 has a token's form
    assert Scrub(league.store).secrets(orders) == [None] * len(orders)


@pytest.mark.parametrize(
    "line",
    [
        "We strike at dawn.Then we go home", "A hit-and-run attack, one-two-six!", "f@ck them all",
        "Responsibilities weigh on Hawk", "TWO BEAMS AT NEAR RANGE", "@Kestrel: come and get me",
        "At Alpha Centauri he turned back.", "It took 12 days, from 2026-11-02 to 2026-11-13",
    ],
)  # fmt: skip
def test_hostile_secrets_ordinary_words_pass(
    league: League, people: tuple[Person, Person], line: str
) -> None:
    assert Scrub(league.store).secret(line) is None


def test_hostile_secrets_do_not_stand_in_logs() -> None:
    text = masked("shunted k5qxmab2cd3ef4gh of G12 with ab2-cde-fgh, referee+abcdefghijklmnop@x")
    assert text == "shunted *** of G12 with ***, referee+***@x"


def test_hostile_secrets_the_takeover_of_the_issue(
    league: League, people: tuple[Person, Person]
) -> None:
    """A signature and a quoted header revealed the token; ADDRESS took the account."""
    ann, bob = people
    report = ann.last_about("[G1")
    ann.write(
        f"{PATIENT}\nFly well!\n\nAnn Example\nExample Ltd\n12 Main Street\nTel: +44 20 7946 0018\n"
        f"{ann.address}\n\nAd: Referee <{report['Reply-To']}>\nSoz: {report['Date']}\n"
        f"Mavzu: {report['Subject']}\n\nDear Ann",
        to=report["Reply-To"],
        subject=f"Re: {report['Subject']}",
    )
    bob.reply(PATIENT, bob.last_about("[G1"))
    league.work()
    text = " ".join(words(one) for one in bob.letters)
    for secret in ("Fly well!", token_of(ann), "7946", ann.address, "Main Street", "Example Ltd"):
        assert secret not in text
    token = token_of(ann)
    forged = letter("Ann", "ADDRESS eve@league.example", 99, f"referee+{token}@league.example")
    league.drop(forged.as_bytes())
    league.work()
    assert league.person("Eve").letters == []


@pytest.mark.parametrize(
    "head", ["TELL the pilot of that other ship", "TELLL Kestrel", "PRESS on and on, to all"]
)
def test_hostile_secrets_what_stands_below_a_letter_that_is_amiss_goes_to_nobody(
    league: League, people: tuple[Person, Person], head: str
) -> None:
    ann, _ = people
    answer = words(ann.ask(f"{head}\nKestrel is a fool, but tell nobody.", ann.last))
    assert "passed on to nobody" in answer
    assert league.store.count(Story.select()) == 0


def test_hostile_secrets_a_story_waits_until_orders_in_secret_are_resolved(
    tmp_path: Path,
) -> None:
    hawks = "Hawks WITH Red: 2 Black Tiger SKILL 2; Gold: 1 Gadfly SKILL 3"
    kites = "Kites WITH Blue: 2 Black Tiger SKILL 2; Grey: 1 Gadfly SKILL 3"
    with open_league(tmp_path) as league:
        ann, bob = skies(league, hawks, kites)
        cat = league.person("Cat")
        cat.join()
        ann.reply("STORY\nThe clouds hang low.", ann.last_about("[G1"))
        league.work()
        assert "once the turn is resolved" in words(ann.last)
        for person in (bob, cat):
            person.reply("HISTORY 1", person.last)
        bob.reply("REPORT 1", bob.last_about("[G1"))
        league.later(60)
        league.work()
        found = [words(one) for person in (bob, cat) for one in person.letters]
        assert not [one for one in found if "clouds hang" in one]
        ann.reply("Red: 2 BREAK\nGold: ACCELERATE 2; HOLD FIRE", ann.last_about("[G1"))
        bob.reply("Blue: STEADY; TARGETS Red\nGrey: 3 smooth", bob.last_about("[G1"))
        league.work()
        assert league.store.count(Step.select()) > 0
        assert [one for one in bob.letters if "clouds hang" in words(one)]
