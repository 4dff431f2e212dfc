"""Who gets the newsletter: SUBSCRIBE and UNSUBSCRIBE, one-click, robots, and people of no pilot."""

from email.message import EmailMessage
from pathlib import Path
from urllib.parse import unquote

import pytest

from pbem.people import erasing, personal_data, players
from pbem.settings import SettingsError
from pbem.settings.load import parse
from pbem.storage import Editorial, Issue, Subscription
from tests.support.harness import START, League, Person, open_league
from tests.support.players import REFEREE, letter, words


def readers(league: League) -> int:
    return league.store.count(Subscription.select().where(Subscription.active == True))


def news_of(league: League) -> None:
    """Print an issue, and send all of it."""
    league.service.ports.newsletter.want()
    for _ in range(3):
        league.work()
        league.later(0.02)


def subscribed(league: League, name: str = "Ann") -> Person:
    """Return a player who has subscribed and read one newsletter."""
    person = league.person(name)
    person.join()
    person.ask("SUBSCRIBE newsletter")
    news_of(league)
    return person


def exit_of(issue: EmailMessage) -> tuple[str, str]:
    """Return the address and the subject of a newsletter's List-Unsubscribe."""
    address, _, subject = issue["List-Unsubscribe"].strip("<>").partition("?subject=")
    return address.removeprefix("mailto:"), unquote(subject)


def test_nobody_gets_it_unasked(league: League, ann: Person) -> None:
    assert "comes only to those who write SUBSCRIBE" in words(ann.last)
    news_of(league)
    assert not [each for each in ann.letters if each["List-Id"]]


@pytest.mark.league(newsletter={"new_players": True})
def test_new_players_get_it_where_the_league_says_so(league: League, ann: Person) -> None:
    assert "write UNSUBSCRIBE to end it" in words(ann.last)
    news_of(league)
    assert ann.last["List-Id"] == "<newsletter.referee.league.example>"


@pytest.mark.parametrize(
    "order", ["SUBSCRIBE", "subscribe to the newsletter", "Subscribe Newsletter."]
)
def test_players_subscribe_and_unsubscribe(league: League, ann: Person, order: str) -> None:
    assert "comes to you from now on" in words(ann.ask(order))
    assert "already" in words(ann.ask(order))
    assert readers(league) == 1
    assert "does not" not in words(ann.ask(f"UN{order}".replace("UNs", "uns")))
    assert readers(league) == 0
    assert "no newsletter comes to you as it is" in words(ann.ask("UNSUBSCRIBE"))


def test_something_else_than_the_newsletter_is_not_subscribed_to(
    league: League, ann: Person
) -> None:
    assert "It is written like this: SUBSCRIBE newsletter" in words(ann.ask("SUBSCRIBE weather"))
    assert readers(league) == 0


def test_fault_61_an_order_without_proof_ends_nothing(league: League) -> None:
    ann = subscribed(league)
    ann.write("UNSUBSCRIBE")
    ann.new()
    assert readers(league) == 1


ROBOTS = {
    "a person": {},
    "a robot": {"Auto-Submitted": "auto-generated"},
    "a list server": {"List-Id": "<x.example>", "Precedence": "bulk"},
    "an autoresponder": {"X-Autoreply": "yes", "Auto-Submitted": "auto-replied"},
    "no return path": {"Return-Path": "<>"},
}


@pytest.mark.parametrize("headers", ROBOTS.values(), ids=ROBOTS)
@pytest.mark.parametrize("plus", [True, False], ids=["plus", "plain"])
def test_the_button_of_a_mail_program_ends_it(
    tmp_path: Path, headers: dict[str, str], plus: bool
) -> None:
    with open_league(tmp_path, plus_addresses=plus) as league:
        ann, bob = subscribed(league), subscribed(league, "Bob")
        to, subject = exit_of(ann.last_about("newsletter"))
        sent = letter("Provider", "", 1, to, subject)
        for name, value in headers.items():
            sent[name] = value
        before = len(league.post.letters)
        league.drop(sent.as_bytes())
        league.work()
        assert [
            row.player_id
            for row in league.store.all(
                Subscription.select().where(Subscription.active == True).order_by(Subscription.id)
            )
        ] == [
            players.at(league.store, bob.address).id  # type: ignore[union-attr]
        ]
        assert league.last_letter().state == "filed"
        assert len(league.post.letters) == before, "a robot is never answered"
        assert "from now on" in words(ann.ask("SUBSCRIBE"))


def test_the_readers_own_hand_is_told_once(league: League) -> None:
    ann = subscribed(league)
    to, subject = exit_of(ann.last_about("newsletter"))
    ann.new()
    ann.write("", to, subject)
    [notice] = ann.new()
    assert "no longer comes to this address" in words(notice)
    ann.write("Thanks!", to, f"Re: {subject.title()}")
    assert ann.new() == []


def test_what_is_no_word_of_the_reader_ends_nothing(league: League) -> None:
    ann = subscribed(league)
    to, _ = exit_of(ann.last_about("newsletter"))
    league.drop(letter("Robot", "", 1, to, "Automatic reply: unsubscribe").as_bytes())
    league.drop(letter("Robot", "", 2, to.replace("+", "+a"), "unsubscribe").as_bytes())
    league.drop(letter("Robot", "", 3, REFEREE, "unsubscribe").as_bytes())
    bounce = letter("Mailer-Daemon", "", 4, to, "unsubscribe")
    bounce.replace_header("Content-Type", "multipart/report; report-type=delivery-status")
    league.drop(bounce.as_bytes())
    league.work()
    assert readers(league) == 1


@pytest.mark.league(newsletter={"unsubscribe_url": "https://l.example/stop"})
def test_one_click_by_https_where_the_league_has_a_web_server(league: League) -> None:
    issue = subscribed(league).last_about("newsletter")
    [row] = league.store.all(Subscription.select().order_by(Subscription.id))
    mail, web = issue["List-Unsubscribe"].split(", ")
    assert web == f"<https://l.example/stop/{row.token}>"
    assert f"+{row.token}@" in mail
    assert issue["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert issue["Precedence"] == "bulk"


def test_strangers_are_turned_away_unless_the_league_lets_them(league: League) -> None:
    eve = league.person("Eve")
    eve.write("SUBSCRIBE newsletter")
    assert "newsletter" not in words(eve.new()[0])
    assert league.store.count(Subscription.select()) == 0


@pytest.mark.league(newsletter={"strangers": True})
def test_a_stranger_confirms_reads_and_leaves(league: League) -> None:
    eve = league.person("Eve")
    eve.write("SUBSCRIBE newsletter")
    [asked] = eve.new()
    news_of(league)
    assert eve.new() == [], "an address that has not confirmed gets nothing"
    assert "will come to this address" in words(eve.ask("Yes.", asked))
    news_of(league)
    [issue] = eve.new()
    assert "PBEM" not in issue["Subject"]
    assert "WHAT CONCERNS YOU" not in words(issue)
    eve.write("UNSUBSCRIBE newsletter", subject="Hi")
    [sure] = eve.new()
    assert readers(league) == 1, "a letter can be forged; its address is asked"
    assert "no longer comes to this address" in words(eve.ask("", sure))
    assert readers(league) == 0


@pytest.mark.league(newsletter={"strangers": True})
def test_a_stranger_subscribes_in_german_words_and_reads_german(league: League) -> None:
    max_ = league.person("Max")
    max_.write("Hallo, ich hätte das gern.\n\nABONNIEREN")
    league.work()
    assert "Willst du den Newsletter" in max_.last["Subject"]
    max_.reply("Ja, bitte, das möchte ich.", max_.last)
    league.work()
    assert "kommt ab jetzt an diese Adresse" in " ".join(words(max_.last).split())
    max_.write("ABBESTELLEN")
    league.work()
    max_.reply("Ja, ich bitte darum.", max_.last)
    league.work()
    text = words(max_.last)
    assert "ABONNIEREN" in text
    assert "SUBSCRIBE" not in text


@pytest.mark.league(newsletter={"strangers": True})
def test_another_cannot_confirm_for_a_stranger(league: League) -> None:
    eve, mallory = league.person("Eve"), league.person("Mallory")
    mallory.write("SUBSCRIBE newsletter")
    [asked] = mallory.new()
    eve.reply("Yes.", asked)
    eve.new()
    assert readers(league) == 0


@pytest.mark.league(newsletter={"strangers": True})
def test_what_confirmed_one_address_confirms_no_other(league: League) -> None:
    eve, mallory = league.person("Eve"), league.person("Mallory")
    mallory.write("SUBSCRIBE newsletter")
    [asked] = mallory.new()
    mallory.ask("Yes.", asked)
    mallory.write("UNSUBSCRIBE newsletter", subject="Hi")
    mallory.new()
    mallory.ask("", mallory.last)
    eve.write("SUBSCRIBE newsletter")
    eve.new()
    eve.reply("Yes.", asked)
    eve.new()
    assert readers(league) == 0, "a number was given again, and its token with it"


@pytest.mark.league(newsletter={"strangers": True, "new_players": True})
def test_a_reader_who_joins_gets_one_letter_and_not_two(league: League) -> None:
    eve = league.person("Eve")
    eve.write("SUBSCRIBE newsletter")
    eve.ask("Yes.")
    eve.join()
    news_of(league)
    assert len(eve.new()) == 1
    assert "WHAT CONCERNS YOU" in words(eve.last)
    assert league.store.count(Subscription.select()) == 1


def test_who_leaves_takes_the_subscription_along(league: League) -> None:
    ann, bob = subscribed(league), subscribed(league, "Bob")
    league.store.run(
        Editorial.insert(
            player=1, by="", text="I was the first who ever flew here.", state="passed", made=START
        )
    )
    news_of(league)
    assert "the first who ever flew" in words(bob.last)
    player = players.at(league.store, ann.address)
    assert player is not None
    assert personal_data.kept(league.store, player)["newsletter"] is True
    with league.store.transaction():
        erasing.erase(league.store, player)
    [kept] = league.store.all(Issue.select().where(Issue.id == 3).order_by(Issue.id))
    assert "the first who ever flew" in kept.page, "an issue that went out stays as it is"
    assert [
        row.player_id for row in league.store.all(Subscription.select().order_by(Subscription.id))
    ] == [2]
    assert league.store.count(Editorial.select()) == 0
    news_of(league)
    assert "newsletter 4" in bob.last["Subject"]


@pytest.mark.league(newsletter={"strangers": True})
def test_a_wish_that_is_not_confirmed_is_forgotten(league: League) -> None:
    league.person("Eve").write("SUBSCRIBE newsletter")
    league.work()
    assert league.store.count(Subscription.select()) == 1
    for _ in range(15):
        league.later(24)
        league.work()
    assert league.store.count(Subscription.select()) == 0


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        ({"when": "18 1 * *"}, "4 fields"),
        ({"when": "0 25 * * *"}, "minute, hour"),
        ({"when": "0 0 31 2 *"}, "never comes"),
        ({"letters_a_minute": 0}, "more than 0"),
        ({"unsubscribe_url": "http://l.example"}, "https://"),
    ],
)
def test_a_wrong_setting_is_named(setting: dict[str, object], expected: str) -> None:
    with pytest.raises(SettingsError, match=expected) as raised:
        parse({"league": {"name": "A", "address": "a@b.example"}, "newsletter": setting}, Path())
    assert "[newsletter]" in str(raised.value)
