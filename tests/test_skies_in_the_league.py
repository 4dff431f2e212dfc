"""Everything that the league offers works for Black Skies by mail: a table, a row for each."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine.library import RULESETS
from pbem.cli import main
from pbem.games.export import export, verify
from tests.harness import House, Person, fixed_entropy, open_house, skies
from tests.players import parsed, plain, words
from tests.read_back import taken_for_orders
from tests.test_channels import connect, put_up

HAWKS = "Hawks WITH Red: 2 Black Tiger SKILL 2; Gold: 1 Gadfly SKILL 3"
KITES = "Kites WITH Blue: 2 Black Tiger SKILL 2; Grey: 1 Gadfly SKILL 3"
RED, BLUE = "Red: STEADY; HOLD FIRE\nGold: STEADY", "Blue: STEADY; HOLD FIRE\nGrey: STEADY"
YIELD = "Blue: SURRENDER\nGrey: SURRENDER"
DAY = 24.0

Check = Callable[[House, Person, Person], None]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with open_house(tmp_path, entropy=fixed_entropy, misses_before_forfeit=2) as opened:
        yield opened


def ruling(house: House, text: str, *below: str) -> str:
    """What the moderator is sent about a ruling."""
    told = house.rule("\n".join([text, *below]))
    house.work()
    return told


def turn(house: House, ann: Person, bob: Person, theirs: str = BLUE) -> None:
    """Order for both, so that a turn is resolved."""
    for person, cards in ((ann, RED), (bob, theirs)):
        person.reply(cards, person.last_about("[G1-"))
    house.work()


def on_file(house: House, ann: Person, bob: Person) -> None:
    """Each order is answered at once, as it was understood, with its chance and the deadline."""
    told = words(ann.ask("Red: BREAK LEFT\nGold: STEADY\nA quiet night."))
    assert "Order 1 is Red: BREAK LEFT" in told
    assert "Orders are due by" in told
    assert "OTHERS WILL READ | A quiet night." in told


def reminded(house: House, ann: Person, bob: Person) -> None:
    bob.ask(BLUE)
    house.later(49)
    house.work()
    assert "your orders are still needed" in str(ann.last["Subject"])
    assert "still needed" not in str(bob.last["Subject"])


def absent(house: House, ann: Person, bob: Person) -> None:
    """Who is silent has standing orders flown, and caution where there are none."""
    bob.ask("STANDING\nIF TURN >= 1: Blue: SMOOTH LEFT\nEND")
    house.later(73)
    house.work()
    [step] = house.orders()
    for cards in ("Blue: SMOOTH LEFT", "Grey: STEADY", "Red: STEADY", "Gold: STEADY"):
        assert f'"{cards}"' in step[0]
    assert "SMOOTH LEFT" in words(ann.last)


def forfeited(house: House, ann: Person, bob: Person) -> None:
    for _ in range(2):
        ann.reply(RED, ann.last_about("[G1-"))
        house.later(73)
        house.work()
    assert not house.game.running
    assert "FORFEIT Kites" in "".join(orders for orders, _ in house.orders())


def reported(house: House, ann: Person, bob: Person) -> None:
    """A report says what happened, how it stands, what may be ordered, and the dice."""
    turn(house, ann, bob)
    told = words(ann.last)
    for part in ("WHAT HAS HAPPENED", "THE SITUATION NOW", "YOU MAY ORDER", "ORDER FORM"):
        assert part in told
    assert {"image/png", "text/html", "text/calendar"} <= {
        part.get_content_type() for part in ann.last.walk()
    }


def posted(house: House, ann: Person, bob: Person) -> None:
    connect(house, {"paste": {"kind": "folder", "path": "paste", "format": "text"}})
    turn(house, ann, bob)
    assert put_up(house) == []
    told = (house.settings.home / "paste" / "G1-T2.txt").read_text()
    assert "Element Red plays STEADY" in told


def printed(house: House, ann: Person, bob: Person) -> None:
    turn(house, ann, bob, YIELD)
    ann.ask("SUBSCRIBE newsletter")
    house.service.ports.newsletter.want()
    house.work()
    assert "Hawks" in words(ann.last_about("newsletter 1"))


def undone(house: House, ann: Person, bob: Person) -> None:
    for _ in range(2):
        turn(house, ann, bob)
    ruling(house, "UNDO 1 TO 0")
    assert "UNDO TO 0" in house.orders()[-1][0]
    turn(house, ann, bob)
    turn(house, ann, bob, YIELD)
    assert not house.game.running
    assert all(finding.ok for finding in verify(export(house.store, house.game)))


def drawn(house: House, ann: Person, bob: Person) -> None:
    ann.ask("DRAW 1")
    bob.reply("DRAW 1", bob.last_about("[G1-"))
    house.work()
    assert not house.game.running
    assert "draw" in words(ann.last)


def surrendered(house: House, ann: Person, bob: Person) -> None:
    turn(house, ann, bob, YIELD)
    assert not house.game.running
    assert "the victory is Hawks" in words(ann.last)
    assert "Battles 1, won 1" in words(ann.ask("SHEET Hawks"))


def extended(house: House, ann: Person, bob: Person) -> None:
    before = house.game.deadline
    ruling(house, "EXTEND 1 48h")
    assert before is not None
    assert house.game.deadline is not None
    assert (house.game.deadline - before).total_seconds() == 48 * 3600
    assert "deadline" in words(ann.last)


def paused(house: House, ann: Person, bob: Person) -> None:
    ruling(house, "PAUSE 1")
    turn(house, ann, bob)
    house.later(20 * DAY)
    house.work()
    assert house.game.steps == 0
    ruling(house, "RESUME 1")
    house.later(4 * DAY)
    house.work()
    assert '"Blue: STEADY; HOLD FIRE"' in house.orders()[0][0]


def by_proxy(house: House, ann: Person, bob: Person) -> None:
    ruling(house, "PROXY Kites IN 1", "Blue: BREAK LEFT", "Grey: STEADY")
    assert "Blue: BREAK LEFT" in words(bob.last)
    ann.reply(RED, ann.last_about("[G1-"))
    house.work()
    assert not any("Blue: BREAK LEFT" in words(letter) for letter in ann.letters)
    assert '"Blue: BREAK LEFT"' in house.orders()[0][0]


def processed(house: House, ann: Person, bob: Person) -> None:
    ann.ask(RED)
    ruling(house, "PROCESS 1")
    assert '"Red: STEADY; HOLD FIRE"' in house.orders()[0][0]
    assert [place.misses for place in house.store.places.all()] == [0, 0]


def taken_over(house: House, ann: Person, bob: Person) -> None:
    cid = house.person("Cid")
    cid.join()
    ruling(house, "OPEN 1 Kites")
    cid.reply("TAKEOVER 1")
    house.work()
    cid.reply(BLUE, cid.last_about("[G1-"))
    ann.reply(RED, ann.last_about("[G1-"))
    house.work()
    assert '"Blue: STEADY; HOLD FIRE"' in house.orders()[0][0]


def checked(house: House, ann: Person, bob: Person) -> None:
    turn(house, ann, bob, YIELD)
    files = {part.get_filename() for part in ann.ask("SCRIPT 1").iter_attachments()}
    assert files == {"verify_blackskies.py", "G1.json"}
    assert house.game.secret.hex() in words(ann.last_about("victory"))


def practised(house: House, ann: Person, bob: Person) -> None:
    turn(house, ann, bob, YIELD)
    for strength in RULESETS["blackskies"].house:
        ann.ask(f"PRACTICE WITH Hawks AGAINST {strength}")
        assert (house.game.practice, house.game.house) == (True, strength)
        while house.game.running:
            ann.ask("Red: SURRENDER\nGold: SURRENDER")
    assert "Battles 1, won 1" in words(ann.ask("SHEET Hawks"))


def ranked(house: House, ann: Person, bob: Person) -> None:
    turn(house, ann, bob, YIELD)
    told = words(ann.ask("STANDINGS"))
    assert "Place 1: Squadron Hawks. Battles won 1 of 1" in told
    assert "Place 2: Squadron Kites. Battles won 0 of 1" in told


def told_and_published(house: House, ann: Person, bob: Person) -> None:
    ann.reply("TELL Kites\nWe meet at dawn.")
    house.work()
    assert "We meet at dawn." in words(bob.last)
    bob.reply("PRESS\nThe Kites fear nobody.")
    house.work()
    assert "The Kites fear nobody." in words(ann.last)


def watched(house: House, ann: Person, bob: Person) -> None:
    cid = house.person("Cid")
    cid.join()
    cid.ask("WATCH 1")
    turn(house, ann, bob)
    assert "which you watch" in str(cid.last["Subject"])
    assert "plays STEADY" in words(cid.last)


def awaited(house: House, ann: Person, bob: Person) -> None:
    """AWAY moves the deadline, and both are notified."""
    before = house.game.deadline
    ann.reply("AWAY 2026-11-03 TO 2026-11-12")
    house.work()
    assert before is not None
    assert house.game.deadline is not None
    assert house.game.deadline > before
    assert "deadline" in words(bob.last)


def asked(house: House, ann: Person, bob: Person) -> None:
    turn(house, ann, bob)
    answers = {
        "STATUS": "Hawks against Kites",
        "HISTORY 1": "Element Red plays STEADY",
        "RECEIPTS 1": "The commitment",
        "MAP 1": "Map",
        "REPORT 1": "Element Red plays STEADY",
        "RULES blackskies": "BOOTLEGGER",
        "HELP battle": "Red: BREAK LEFT",
        "PREVIEW\nRed: HARD LEFT\nGold: STEADY": "takes the lead",
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
    "PRACTICE": practised,
    "STANDINGS": ranked,
    "TELL and PRESS": told_and_published,
    "WATCH": watched,
    "AWAY": awaited,
    "inquiries": asked,
}


@pytest.mark.parametrize("thing", THINGS)
def test_black_skies_has_all_that_the_league_gives(house: House, thing: str) -> None:
    THINGS[thing](house, *skies(house, HAWKS, KITES))
    ours = {line for raw in house.post.letters for line in plain(parsed(raw[1])).splitlines()}
    assert taken_for_orders("\n".join(ours)) == []


def test_simulate_shows_how_balanced_designs_are(tmp_path: Path) -> None:
    out = tmp_path / "balance"
    arguments = ["--system=blackskies", "--fleet=medium", "--duels=20", "--careers=2"]
    assert main(["simulate", *arguments, f"--out={out}"]) == 0
    assert list(out.iterdir())
