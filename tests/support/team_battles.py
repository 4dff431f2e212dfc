"""Team battles in a test: Ann's Hawk and Cleo's Falcon against Bob's Kestrel and Merlin."""

from email.message import EmailMessage
from typing import NamedTuple

from tests.support.harness import League, Person, prepared
from tests.support.players import HAWK, KESTREL

FALCON = "ENLIST Falcon FOR federation WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Clipus XIII-B"
MERLIN = "ENLIST Merlin FOR league WEAPONS 13 PILOTING 10 SENSORS 13 SHIP Wright 1903S"
CHALLENGE = "TEAM CHALLENGE Kestrel, Merlin WITH Hawk, Falcon FIRST me"
_STANDING = """STANDING
IF BEAMS <= 0: SURRENDER {0}
IF BEAMS <= 0: SURRENDER {1}
IF ELECTRONICS <= 0: SURRENDER {0}
IF ELECTRONICS <= 0: SURRENDER {1}
IF UNDETECTED: SCAN
IF LOCKED: FIRE {0}
IF LOCKED: FIRE {1}
IF TURN >= 1: TARGET {0}
ELSE: TARGET {1}
END
"""


def standing(first: str, then: str) -> str:
    """Return rules under which a pilot fights one opponent and then another."""
    return _STANDING.format(first, then)


class Melee(NamedTuple):
    """The three players of a team battle."""

    ann: Person
    bob: Person
    cleo: Person

    def work(self) -> list[EmailMessage]:
        """Run a round of the service, and return all letters that went out."""
        return [letter for person in self for letter in person.new()]


@prepared
def meet(league: League) -> Melee:
    """Bring three people with four pilots into a league."""
    people = Melee(league.person("Ann"), league.person("Bob"), league.person("Cleo"))
    for person, pilots in zip(people, ((HAWK,), (KESTREL, MERLIN), (FALCON,)), strict=True):
        person.join()
        for pilot in pilots:
            person.ask(pilot)
    return people


@prepared
def melee(league: League) -> Melee:
    """Bring three people to the first reports of their team battle."""
    people = meet(league)
    people.ann.ask(CHALLENGE)
    people.work()
    people.bob.ask("ACCEPT 1")
    people.cleo.reply("ACCEPT 1")
    people.work()
    return people


def give_orders(people: Melee) -> None:
    """Send all four pilots' standing orders, Bob's in one letter."""
    ann, bob, cleo = people
    ann.reply(standing("Kestrel", "Merlin"), to=ann.last_about(" for Hawk: "))
    rules = standing("Hawk", "Falcon")
    bob.reply(f"FOR Kestrel\n{rules}MERLIN:\n{rules}", to=bob.last_about(" for Kestrel: "))
    cleo.reply(standing("Kestrel", "Merlin"), to=cleo.last_about(" for Falcon: "))


def fight_on(league: League, people: Melee) -> None:
    """Play the battle until it is over."""
    for _ in range(20):
        for person in people if league.game.running else ():
            person.reply("READY 1")
        people.work()
    assert not league.game.running
