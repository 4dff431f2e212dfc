"""Everything that the league offers works for Black Skies by mail: a table, a row for each."""

from collections.abc import Callable

import pytest

from pbem.games.export import export, verify
from pbem.storage import Place
from tests.channels.test_channels import connect, put_up
from tests.support.harness import League, Person, fixed_entropy, skies
from tests.support.players import attached, parsed, plain, words
from tests.support.unquoted_replies import ordered_by_quotes

HAWKS = "Hawks WITH Red: 2 Black Tiger SKILL 2; Gold: 1 Gadfly SKILL 3"
KITES = "Kites WITH Blue: 2 Black Tiger SKILL 2; Grey: 1 Gadfly SKILL 3"
RED, BLUE = "Red: STEADY; HOLD FIRE\nGold: STEADY", "Blue: STEADY; HOLD FIRE\nGrey: STEADY"
YIELD = "Blue: SURRENDER\nGrey: SURRENDER"
DAY = 24.0

Check = Callable[[League, Person, Person], None]

pytestmark = pytest.mark.league(entropy=fixed_entropy, misses_before_forfeit=2)


def ruling(league: League, text: str, *below: str) -> str:
    """What the moderator is sent about a ruling."""
    answer = league.rule("\n".join([text, *below]))
    league.work()
    return answer


def turn(league: League, ann: Person, bob: Person, theirs: str = BLUE) -> None:
    """Order for both, so that a turn is resolved."""
    for person, cards in ((ann, RED), (bob, theirs)):
        person.reply(cards, person.last_about("[G1-"))
    league.work()


def on_file(league: League, ann: Person, bob: Person) -> None:
    """Each order is answered at once, as it was understood, with its chance and the deadline."""
    text = words(ann.ask("Red: BREAK LEFT\nGold: STEADY\nSTORY\nA quiet night."))
    assert "- Red: BREAK LEFT" in text
    assert "The deadline is" in text
    assert "OTHERS WILL READ THIS | A quiet night." in text


def reminded(league: League, ann: Person, bob: Person) -> None:
    bob.ask(BLUE)
    league.later(49)
    league.work()
    assert "Reminder: " in str(ann.last["Subject"])
    assert "Reminder: " not in str(bob.last["Subject"])


def absent(league: League, ann: Person, bob: Person) -> None:
    """Who is silent has standing orders flown, and caution where there are none."""
    bob.ask("STANDING\nIF TURN >= 1: Blue: SMOOTH LEFT\nEND")
    league.later(73)
    league.work()
    [step] = league.orders()
    for cards in ("Blue: SMOOTH LEFT", "Grey: STEADY", "Red: STEADY", "Gold: STEADY"):
        assert f'"{cards}"' in step[0]
    assert "SMOOTH LEFT" in words(ann.last)


def forfeited(league: League, ann: Person, bob: Person) -> None:
    for _ in range(2):
        ann.reply(RED, ann.last_about("[G1-"))
        league.later(73)
        league.work()
    assert not league.game.running
    assert "FORFEIT Kites" in "".join(orders for orders, _ in league.orders())
    assert "victory for Hawks" in words(ann.last)
    assert all(finding.ok for finding in verify(export(league.store, league.game)))


def reported(league: League, ann: Person, bob: Person) -> None:
    """A report says what happened, how it stands, what may be ordered, and the dice."""
    turn(league, ann, bob)
    text = words(ann.last)
    for part in ("WHAT HAS HAPPENED", "THE SITUATION NOW", "YOUR MOVE", "REPORT 1 brings"):
        assert part in text
    assert {"image/png", "text/html", "text/calendar"} <= {
        part.get_content_type() for part in ann.last.walk()
    }


def posted(league: League, ann: Person, bob: Person) -> None:
    connect(league, {"paste": {"kind": "folder", "path": "paste", "format": "text"}})
    turn(league, ann, bob)
    assert put_up(league) == []
    text = " ".join((league.settings.home / "paste" / "G1-T2.txt").read_text().split())
    assert "Red 1 takes one hit from Grey 1" in text


def printed(league: League, ann: Person, bob: Person) -> None:
    turn(league, ann, bob, YIELD)
    ann.ask("SUBSCRIBE newsletter")
    league.service.ports.newsletter.want()
    league.work()
    assert "Hawks" in words(ann.last_about("newsletter 1"))


def undone(league: League, ann: Person, bob: Person) -> None:
    for _ in range(2):
        turn(league, ann, bob)
    ruling(league, "UNDO 1 TO 0")
    assert "UNDO TO 0" in league.orders()[-1][0]
    turn(league, ann, bob)
    turn(league, ann, bob, YIELD)
    assert not league.game.running
    assert all(finding.ok for finding in verify(export(league.store, league.game)))


def drawn(league: League, ann: Person, bob: Person) -> None:
    ann.ask("DRAW 1")
    bob.reply("DRAW 1", bob.last_about("[G1-"))
    league.work()
    assert not league.game.running
    assert "draw" in words(ann.last)


def surrendered(league: League, ann: Person, bob: Person) -> None:
    turn(league, ann, bob, YIELD)
    assert not league.game.running
    assert "victory for Hawks" in words(ann.last)
    assert "Battles 1, won 1" in words(ann.ask("SHEET Hawks"))


def extended(league: League, ann: Person, bob: Person) -> None:
    before = league.game.deadline
    ruling(league, "EXTEND 1 48h")
    assert before is not None
    assert league.game.deadline is not None
    assert (league.game.deadline - before).total_seconds() == 48 * 3600
    assert "deadline" in words(ann.last)


def paused(league: League, ann: Person, bob: Person) -> None:
    ruling(league, "PAUSE 1")
    turn(league, ann, bob)
    league.later(20 * DAY)
    league.work()
    assert league.game.steps == 0
    ruling(league, "RESUME 1")
    league.later(4 * DAY)
    league.work()
    assert '"Blue: STEADY; HOLD FIRE"' in league.orders()[0][0]


def by_proxy(league: League, ann: Person, bob: Person) -> None:
    ruling(league, "PROXY Kites IN 1", "Blue: BREAK LEFT", "Grey: STEADY")
    assert "Queued for Blue, one for each turn: BREAK LEFT." in words(bob.last)
    ann.reply(RED, ann.last_about("[G1-"))
    league.work()
    assert not any("Blue: BREAK LEFT" in words(letter) for letter in ann.letters)
    assert '"Blue: BREAK LEFT"' in league.orders()[0][0]


def processed(league: League, ann: Person, bob: Person) -> None:
    ann.ask(RED)
    ruling(league, "PROCESS 1")
    assert '"Red: STEADY; HOLD FIRE"' in league.orders()[0][0]
    assert [place.misses for place in league.store.all(Place.select().order_by(Place.id))] == [0, 0]


def taken_over(league: League, ann: Person, bob: Person) -> None:
    cid = league.person("Cid")
    cid.join()
    ruling(league, "OPEN 1 Kites")
    cid.reply("TAKEOVER 1")
    league.work()
    cid.reply(BLUE, cid.last_about("[G1-"))
    ann.reply(RED, ann.last_about("[G1-"))
    league.work()
    assert '"Blue: STEADY; HOLD FIRE"' in league.orders()[0][0]


def checked(league: League, ann: Person, bob: Person) -> None:
    turn(league, ann, bob, YIELD)
    files = {part.get_filename() for part in ann.ask("SCRIPT 1").iter_attachments()}
    assert files == {"verify_blackskies.py", "G1.json"}
    assert league.game.secret.hex() in attached(ann.last_about("is over"))["receipt.txt"].decode()


def ranked(league: League, ann: Person, bob: Person) -> None:
    turn(league, ann, bob, YIELD)
    text = words(ann.ask("STANDINGS"))
    assert "Place 1: Squadron Hawks, 1 of 1 battle won" in text
    assert "Place 2: Squadron Kites, 0 of 1 battle won" in text


def told_and_published(league: League, ann: Person, bob: Person) -> None:
    ann.reply("TELL Kites\nWe meet at dawn.")
    league.work()
    assert "We meet at dawn." in words(bob.last)
    bob.reply("PRESS\nThe Kites fear nobody.")
    league.work()
    assert "The Kites fear nobody." in words(ann.last)


def watched(league: League, ann: Person, bob: Person) -> None:
    cid = league.person("Cid")
    cid.join()
    cid.ask("WATCH 1")
    turn(league, ann, bob)
    assert "which you are watching" in str(cid.last["Subject"])
    assert "Red 1 takes one hit from Grey 1" in words(cid.last)


def awaited(league: League, ann: Person, bob: Person) -> None:
    """AWAY moves the deadline, and both are notified."""
    before = league.game.deadline
    ann.reply("AWAY 2026-11-03 TO 2026-11-12")
    league.work()
    assert before is not None
    assert league.game.deadline is not None
    assert league.game.deadline > before
    assert "deadline" in words(bob.last)


def asked(league: League, ann: Person, bob: Person) -> None:
    turn(league, ann, bob)
    answers = {
        "STATUS": "Hawks against Kites",
        "SHEET": "Hawks, a squadron worth",
        "HISTORY 1": "Red 1 takes one hit from Grey 1",
        "RECEIPTS 1": "receipt.txt holds all dice",
        "MAP 1": "Map",
        "REPORT 1": "Red flew STEADY",
        "RULES blackskies": "BOOTLEGGER",
        "HELP battle": "Red: BREAK LEFT",
        "PREVIEW\nRed: HARD LEFT\nGold: STEADY": "HARD LEFT",
    }
    report = ann.last_about("[G1-")
    missing = [ask for ask, told in answers.items() if told not in words(ann.ask(ask, report))]
    assert missing == []


THINGS: dict[str, Check] = {
    "acknowledgement": on_file,
    "deadline and reminder": reminded,
    "standing orders, then a cautious default": absent,
    "forfeit": forfeited,
    "report": reported,
    "post": posted,
    "newsletter": printed,
    "UNDO": undone,
    "DRAW": drawn,
    "SURRENDER": surrendered,
    "EXTEND": extended,
    "PAUSE": paused,
    "PROXY": by_proxy,
    "PROCESS": processed,
    "TAKEOVER": taken_over,
    "verify": checked,
    "STANDINGS": ranked,
    "TELL and PRESS": told_and_published,
    "WATCH": watched,
    "AWAY": awaited,
    "inquiries": asked,
}


@pytest.mark.parametrize("thing", THINGS)
def test_black_skies_has_all_that_the_league_gives(league: League, thing: str) -> None:
    THINGS[thing](league, *skies(league, HAWKS, KITES))
    for _, raw in league.post.letters:
        assert ordered_by_quotes(plain(parsed(raw))) == []
