"""Two people before the first turn of a battle of any system, whose letters may be in German."""

import json
from email.message import EmailMessage
from typing import Any

from pbem.storage import Place, Player
from tests.support.harness import League, Person, prepared
from tests.support.players import HAWK, KESTREL

FORCES = {
    "starpilot": (HAWK, KESTREL, "CHALLENGE Kestrel WITH Hawk FIRST me"),
    "blackskies": (
        "SQUADRON Vultures WITH Red: 1 Gadfly SKILL 2; Gold: 1 Gadfly SKILL 2",
        "SQUADRON Kites WITH Blue: 2 Gadfly SKILL 2",
        "CHALLENGE Kites WITH Vultures",
    ),
    "cortex": (
        "GROUP Ravens WITH Lance: fighter; Citadel: frigate",
        "GROUP Kites WITH Raider: fighter; Fort: frigate",
        "CHALLENGE Kites WITH Ravens",
    ),
    "starfarer": (
        "SQUAD Ravens WITH Kitai: scout; Bo: guard",
        "SQUAD Kites WITH Cy: medic; Di: guard",
        "CHALLENGE Kites WITH Ravens",
    ),
}
"""What each of two people enlists, and how Ann, the first, challenges Bob."""
SYSTEMS = tuple(FORCES)


@prepared
def first_reports(league: League, system: str, language: str) -> tuple[Person, Person]:
    """Bring Ann and Bob to the first report of a battle of a system."""
    ann, bob = league.person("Ann"), league.person("Bob")
    ours, theirs, challenge = FORCES[system]
    for person, force in ((ann, ours), (bob, theirs)):
        person.join()
        person.ask(force)
        if language != "en":
            person.ask(f"LANGUAGE {language}")
    ann.ask(challenge, ann.last)
    bob.new()
    bob.ask("ACCEPT 1")
    ann.new()
    return ann, bob


def asked(ann: Person, text: str) -> EmailMessage:
    """Reply to the first report, and return the answer."""
    return ann.ask(text, ann.last_about("[G1-T1"))


def filed(league: League) -> dict[str, Any]:
    """Return what Ann has on file: `queue` and `rules`."""
    player = league.store.first(
        Player.select().where(Player.name == "Ann Example").order_by(Player.id)
    )
    assert player is not None
    place = league.store.first(Place.select().where(Place.player == player.id).order_by(Place.id))
    assert place is not None
    sheet = json.loads(place.sheet)
    return {"queue": sheet["queue"], "rules": [rule["order"] for rule in sheet["rules"]]}
