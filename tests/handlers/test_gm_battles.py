"""GM BATTLE: battles that the moderator sets up, from a letter, a file or the shell."""

import json
import re
from copy import deepcopy
from email.message import EmailMessage
from typing import Any

import pytest

from engine.registry import RULESETS
from pbem.games import export
from pbem.handlers.moderator.ruling_table import by_shell
from pbem.handlers.request import Refusal
from pbem.maintenance.fsck import check
from pbem.maintenance.rebuild import rebuild
from pbem.people import personas
from pbem.storage import Entry, Game, Outgoing, Persona
from tests.support.harness import League, Person, fixed_entropy
from tests.support.paths import ROOT
from tests.support.players import HAWK, address_of, letter, words

pytestmark = pytest.mark.league(
    entropy=fixed_entropy, turns_per_letter=30, moderator=address_of("Mona")
)

[WRITTEN] = re.findall(
    r"^```json\n(.*?)^```$", (ROOT / "docs/moderator.md").read_text("utf-8"), re.M | re.S
)
"""The example of the guide, so that what moderators read there is known to work."""
SCENARIO: dict[str, Any] = json.loads(WRITTEN)
PATIENT = "STANDING\nELSE: SCAN\nEND"


def joined(league: League) -> tuple[Person, Person, Person]:
    """Return two players and the moderator, who have all joined."""
    people = league.person("Ann"), league.person("Bob"), league.person("Mona")
    for person in people:
        person.join()
        person.new()
    return people


def new_text(person: Person) -> str:
    [one] = person.new()
    return words(one)


@pytest.mark.long
def test_a_battle_of_the_guide_is_set_up_by_letter_and_played_to_its_end(league: League) -> None:
    ann, bob, mona = joined(league)
    ann.ask(HAWK)
    sheet = personas.named(league.store, "Hawk")
    mona.write(f"KEY {mona.key}\nGM BATTLE\n{WRITTEN}END\n")
    begun, answer = map(words, mona.new())
    assert "game 1 begins" in answer
    assert "Osprey is played by a house player" in answer
    assert "has given you Shrike" in begun
    for person, seat in ((ann, "Condor"), (bob, "Heron")):
        text = new_text(person)
        assert f"has given you {seat}" in text
        assert "Who is not in the list below is played by the referee (its level: sound)" in text
        assert "blue: Shrike (Mona Example)" in text
        assert "patrol" not in text
    # A seat's orders come from its player, and those of the kept one by PROXY.
    for person in (ann, bob):
        person.reply("STANDING sound", person.last_about("[G1"))
        league.work()
    mona.new()
    mona.write(f"KEY {mona.key}\nGM PROXY shrike\nSTANDING sound")
    assert [text for text in map(words, mona.new()) if "gives orders for Shrike" in text]
    for _ in range(40):
        if not league.game.running:
            break
        league.later(1)
        for person in (ann, bob, mona):
            person.reply("READY", person.last_about("[G1"))
        league.work()
    assert not league.game.running
    assert "leaves nothing in anybody's career" in words(ann.last_about("is over"))
    assert personas.named(league.store, "Hawk") == sheet
    assert list(check(league.store)) == []
    assert all(found.ok for found in export.verify(export.export(league.store, league.game)))
    assert "set up by the moderator" in words(ann.ask("REMATCH 1", ann.last_about("is over")))
    # The end is taken back, with a new secret, and the league made again from its letters.
    steps = league.game.steps
    assert "goes back" in by_shell(league.service.ports, f"UNDO 1 TO {steps - 2}", league.now)
    league.work()
    assert rebuild(league.settings, league.settings.home / "new.db") == []


def test_who_surrenders_is_nobodys_prisoner_afterwards_and_all_are_told(league: League) -> None:
    ann, bob, mona = joined(league)
    ann.ask(HAWK)
    found = deepcopy(SCENARIO)
    for team in found["setup"]["teams"]:
        del team["pilots"][1:]
    found["seats"] = {"Condor": "Ann Example", "Shrike": "Bob Example"}
    mona.write(f"KEY {mona.key}\nGM BATTLE\n{json.dumps(found)}\nEND\n")
    assert "no losses and no prisoners" in new_text(mona)
    for person in (ann, bob):
        assert "no losses and no prisoners" in new_text(person)
        person.reply("SURRENDER" if person is ann else PATIENT, person.last)
    for person in (ann, bob):
        league.work()
        assert "no prisoners either" in words(person.last_about("is over"))
    assert "on patrol" in words(ann.ask("PATROL WITH Hawk"))


def test_a_scenario_comes_as_an_attached_file(league: League) -> None:
    ann, _, mona = joined(league)
    written = letter("Mona", f"KEY {mona.key}\nGM BATTLE\n\nThanks!\n", 77)
    written.add_attachment(
        WRITTEN.encode(), maintype="application", subtype="json", filename="Convoy.JSON"
    )
    mona.send(written)
    assert "game 1 begins" in " ".join(map(words, mona.new()))
    assert "Condor" in new_text(ann)


def test_a_scenario_from_a_phone_has_round_quotes_and_broken_lines(league: League) -> None:
    ann, _, mona = joined(league)
    phone = WRITTEN.replace('"', "”").replace("Ann Example", "Ann\nExample")
    mona.write(f"KEY {mona.key}\nGM BATTLE\n{phone}")
    assert "game 1 begins" in " ".join(map(words, mona.new()))
    assert "Condor" in new_text(ann)


def test_a_scenario_from_the_shell(league: League) -> None:
    joined(league)
    done = by_shell(league.service.ports, f"BATTLE\n{WRITTEN}", league.now)
    assert "Condor is Ann Example's, Heron is Bob Example's, Shrike is Mona Example's" in done
    league.work()
    assert rebuild(league.settings, league.settings.home / "new.db") == []


@pytest.mark.long
@pytest.mark.league(systems=tuple(RULESETS), moderator=address_of("Mona"))
@pytest.mark.parametrize(
    ("name", "owners"),
    [
        ("worked-example", {"Hawk": "Ann Example", "Kestrel": "house easy"}),
        ("blackskies-worked-example", {"red": "moderator", "blue": "Ann Example"}),
        ("starfarer-worked-example", {"red": "Ann Example", "blue": "moderator"}),
        ("cortex-worked-example", {"blue": "Ann Example", "red": "moderator"}),
    ],
)
def test_a_battle_of_each_system_in_german(
    league: League, name: str, owners: dict[str, str]
) -> None:
    ann, _, mona = joined(league)
    ann.ask("LANGUAGE de")
    written = json.loads((ROOT / f"tests/scenarios/{name}.json").read_text("utf-8"))
    league.rule(f"BATTLE\n{json.dumps(written | {'orders': [], 'dice': [], 'seats': owners})}")
    seat = next(seat for seat, whose in owners.items() if whose == "Ann Example")
    league.work()
    text = new_text(ann)
    assert f"Die Spielleitung hat diesen Kampf aufgestellt und dir {seat} gegeben." in text
    assert ("(Stufe: leicht)" in text) == ("house easy" in owners.values())
    league.later(24 * 4)
    league.work()
    assert league.game.steps > 0
    assert "battle" not in words(ann.last)
    assert list(check(league.store)) == []
    league.rule("DRAW 1")
    league.work()
    assert "Die Spielleitung hatte ihn aufgestellt" in words(ann.last)
    assert league.store.count(Entry.select()) == 0
    assert bool(mona.new()) == ("moderator" in owners.values())


def test_a_briefing_stands_in_each_players_first_report_alone(league: League) -> None:
    ann, bob, mona = joined(league)
    bob.ask("LANGUAGE de")
    briefing = ["The convoy is <two> days late, {{ and }} nobody knows why.", " ", "GM DRAW 1"]
    mona.write(f"KEY {mona.key}\nGM BATTLE\n{changed(briefing=briefing)}\nEND\n")
    for person, before in (
        (ann, "What the moderator tells all players of it:"),
        (bob, "Was die Spielleitung allen Spielern dazu sagt:"),
        (mona, "What the moderator tells all players of it:"),
    ):
        [(plain, html)] = [both(one) for one in person.new() if briefing[0] in words(one)]
        assert before in plain
        assert "GM DRAW 1" in plain
        assert "&lt;two&gt; days late" in html
    ann.ask("STANDING sound", ann.last_about("[G1"))
    assert "two days late" not in words(ann.ask("REPORT 1"))
    assert rebuild(league.settings, league.settings.home / "new.db") == []


def test_a_briefing_comes_from_the_shell_as_one_text(league: League) -> None:
    ann, *_ = joined(league)
    by_shell(league.service.ports, f"BATTLE\n{changed(briefing='Watch the rocks.')}", league.now)
    league.work()
    assert "Watch the rocks." in new_text(ann)


def both(received: EmailMessage) -> tuple[str, str]:
    """A letter's words, and its HTML."""
    html = received.get_body(("html",))
    assert html is not None
    return words(received), str(html.get_content())


def changed(**fields: Any) -> str:
    return json.dumps(SCENARIO | fields)


def seats(**owners: object) -> str:
    return changed(seats=SCENARIO["seats"] | owners)


def unfit() -> str:
    setup = deepcopy(SCENARIO["setup"])
    setup["teams"][1]["pilots"][0]["ship"] = "Ark"
    return changed(setup=setup)


@pytest.mark.parametrize(
    ("text", "why", "hint"),
    [
        ("", "there is no scenario", "below the line"),
        ("[]", "not a JSON object", "docs/moderator.md"),
        ('{\n "system": starpilot}', "not JSON: line 2, column 12", "docs/moderator.md"),
        ('{"a": ' * 9000, "not JSON", "docs/moderator.md"),
        ('{"system": "a", "system": "b"}', "system: it stands there twice", ""),
        (changed(dice=[1]), "dice: the dice of a battle come from its own secret", ""),
        (changed(seat={}), "seat: there is no such field", "system, setup, seats, briefing"),
        (changed(system="chess"), 'system: "chess" is not played here', "starpilot"),
        (changed(setup=1), "setup: an object in braces", ""),
        (unfit(), r"setup.teams\[1\].pilots\[0\].ship: 'Ark' is not in the ship table", ""),
        (changed(seats={"Condor": "Ann Example"}), "seats: nobody has Heron", "address"),
        (seats(Kite="Ann Example"), "seats.Kite: the set-up has no such seat", "Condor, Heron"),
        (seats(Heron="Zoe"), 'seats.Heron: "Zoe" is nobody', "address"),
        (seats(Heron=7), "seats.Heron: 7 is nobody", "address"),
        (seats(Osprey="house"), "seats.Osprey: say how strong the house player is", "house sharp"),
        (seats(Shrike="house easy"), "all house players are equally strong", "easy, sound"),
        (seats(Shrike="Ann Example"), "Ann Example has a seat of red", ""),
        (
            changed(seats=dict.fromkeys(SCENARIO["seats"], "house easy")),
            "one at least must be a player's",
            "address",
        ),
        (WRITTEN.replace('"mark": 0', '"mark": 1e999', 1), "1e999 is not a number", ""),
        (WRITTEN.replace('"red"', '"r\\u0007d"', 1), "no letter can show", ""),
        (changed(briefing=7), "briefing: a text is needed, or a list", "docs/moderator.md"),
        (changed(briefing=["a", 7]), "briefing: a text is needed, or a list", ""),
        (changed(briefing="x" * 2001), "briefing: it has 2001 characters, and may have 2000", ""),
        (changed(briefing="ask zed@home.example"), "briefing: it holds a mail address; leave", ""),
    ],
)
def test_what_is_wrong_with_a_scenario(league: League, text: str, why: str, hint: str) -> None:
    joined(league)
    before = league.store.count(Outgoing.select())
    with pytest.raises(Refusal, match=why) as refusal:
        league.rule(f"BATTLE\n{text}")
    assert hint in refusal.value.hint
    assert (league.store.count(Game.select()), league.store.count(Persona.select())) == (0, 0)
    assert league.store.count(Outgoing.select()) == before


def test_a_seat_is_kept_only_by_a_moderator_who_has_joined(league: League) -> None:
    for name in ("Ann", "Bob"):
        league.person(name).join()
    with pytest.raises(Refusal, match=r"seats\.Shrike: you keep a seat only once you have joined"):
        league.rule(f"BATTLE\n{WRITTEN}")


def test_guests_are_in_nobodys_way(league: League) -> None:
    ann, *_ = joined(league)
    league.rule(f"BATTLE\n{WRITTEN}")
    league.work()
    ann.new()
    assert "Hawk" in words(ann.ask(HAWK))
    for question in ("STATUS all", "STANDINGS", "SHEET", "GAMES", "STANDINGS cartel"):
        answer = words(ann.ask(question))
        assert "cannot" not in answer
        assert "|guest" not in answer
    assert "This is practice" in words(ann.ask("PRACTICE"))
