"""After a design, a reward, a farewell and a capture: each link of the letter works on that day."""

from collections.abc import Callable
from email.message import EmailMessage

import pytest

from tests.by_mail.test_what_next import GROUPS, SQUADS, final, recorded
from tests.support.harness import League, Person, duel
from tests.support.link_taps import links, tap
from tests.support.players import HAWK, words

Way = Callable[[League], tuple[Person, EmailMessage]]


def designed(league: League) -> tuple[Person, EmailMessage]:
    ann = league.person("Ann")
    ann.join()
    return ann, ann.ask("DESIGN Wolf: MEDIUM, REAR SIDE, 2 Laser Cannon, ARMOUR 1")


def rewarded(league: League) -> tuple[Person, EmailMessage]:
    ann = league.person("Ann")
    ann.join()
    ann.ask(HAWK)
    recorded(league, "Hawk", owed={"what": "ship", "points": 0})
    return ann, ann.ask("CHOOSE Brandy 417A")


def disbanded(order: str) -> Way:
    def way(league: League) -> tuple[Person, EmailMessage]:
        ann = league.person("Ann")
        ann.join()
        ann.ask(order)
        ann.ask("RESIGN Ravens")
        return ann, ann.ask("YES")

    return way


def captured(league: League) -> tuple[Person, EmailMessage]:
    ann, _ = duel(league)
    final(league, ann, "FORFEIT 1 Hawk")
    return ann, ann.letters[-1]


WAYS: dict[str, tuple[Way, str]] = {
    "design": (designed, "SQUADRON"),
    "reward": (rewarded, "CHALLENGE ANYBODY WITH Hawk"),
    "squad": (disbanded(SQUADS[0]), "SQUAD Ravens 2"),
    "group": (disbanded(GROUPS[0]), "GROUP Ravens 2"),
    "capture": (captured, "HISTORY 1"),
}


@pytest.mark.league(systems=("starpilot", "blackskies", "starfarer", "cortex"))
@pytest.mark.parametrize("name", WAYS)
def test_each_next_step_works_on_that_day(league: League, name: str) -> None:
    way, wanted = WAYS[name]
    person, letter = way(league)
    steps = [line for line in links(letter) if not line.startswith("TELL")]
    assert [line for line in steps if line.startswith(wanted)]
    for line in steps:
        person.new()
        tap(person, letter, line)
        answer = words(person.new()[-1])
        assert "could not be done" not in answer, line


@pytest.mark.league(systems=("blackskies",))
def test_a_preview_of_a_design_offers_no_squadron(league: League) -> None:
    person, _ = designed(league)
    assert not any("Fox" in line for line in links(person.ask("PREVIEW\nDESIGN Fox: LIGHT")))
