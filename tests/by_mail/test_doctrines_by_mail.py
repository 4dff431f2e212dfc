"""Doctrines by letter: they are kept, shown, changed, deleted, and given with a challenge."""

import pytest

from engine.orders.orders_on_file import lines
from engine.seats import Seat
from pbem.games.session import Session
from pbem.maintenance import fsck
from pbem.maintenance.rebuild import rebuild
from pbem.people import personal_data
from pbem.storage import Doctrine, OfferSeat, Player
from tests.support.each_system import FORCES, SYSTEMS
from tests.support.harness import League, Person, fixed_entropy
from tests.support.link_taps import tap
from tests.support.players import words

HUNTER = {
    "starpilot": ("Hawk", "IF STRUCTURE <= 1: ASK", "IF UNDETECTED: SCAN", "ELSE: DOGFIGHT"),
    "blackskies": ("Vultures", "IF ENEMY BEHIND: All: HARD LEFT", "ELSE: All: STEADY"),
    "starfarer": ("Ravens", "IF HURT: Kitai: EVADE", "ELSE: All: ATTACK nearest"),
    "cortex": ("Ravens", "IF DAMAGED: ASK", "ELSE: All: CLOSE ON nearest"),
}
"""A persona of Ann's in each system, and the rules of its doctrine."""
EACH = {
    "starpilot": list(HUNTER["starpilot"][1:]),
    "blackskies": [
        "IF ENEMY BEHIND: Red: HARD LEFT",
        "IF ENEMY BEHIND: Gold: HARD LEFT",
        "ELSE: Red: STEADY",
        "ELSE: Gold: STEADY",
    ],
    "starfarer": [
        "IF HURT: Kitai: EVADE",
        "ELSE: Kitai: ATTACK nearest",
        "ELSE: Bo: ATTACK nearest",
    ],
    "cortex": [
        "IF DAMAGED: ASK",
        "ELSE: Lance: CLOSE ON nearest",
        "ELSE: Citadel: CLOSE ON nearest",
    ],
}
"""What they mean in a battle, for each of its pieces."""
FALCON = "ENLIST Falcon FOR federation WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Clipus XIII-B"
LEAGUE = pytest.mark.league(systems=SYSTEMS, forced_moves=False)
TOLD_NONE = "That could not be done"


def enlisted(league: League, system: str = "starpilot") -> tuple[Person, Person]:
    """Ann and Bob, each with somebody who fights."""
    ann, bob = league.person("Ann"), league.person("Bob")
    for person, force in zip((ann, bob), FORCES[system], strict=False):
        person.join()
        person.ask(force)
    return ann, bob


def keep(ann: Person, system: str = "starpilot", name: str = "hunter") -> str:
    """Let Ann keep a doctrine, and return the answer."""
    pilot, *rules = HUNTER[system]
    return words(ann.ask("\n".join((f"DOCTRINE {name} FOR {pilot}", *rules, "END"))))


def filed(league: League, seat: str = "Hawk") -> list[str]:
    """Return a seat's standing orders in the last battle."""
    return lines(Session(league.store, league.game).sheet(Seat(seat)))


def rules_of(league: League) -> list[str]:
    """Return the rules of the only doctrine."""
    [row] = league.store.all(Doctrine.select())
    return row.rules.splitlines()


@LEAGUE
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_doctrine_is_kept_and_a_battle_begins_with_it(league: League, system: str) -> None:
    ann, bob = enlisted(league, system)
    pilot, *rules = HUNTER[system]
    answer = keep(ann, system)
    assert f"DOCTRINE hunter FOR {pilot} {' '.join(rules)} END" in answer
    assert rules_of(league) == rules
    ann.ask(f"{FORCES[system][2]} DOCTRINE hunter")
    invitation = words(bob.last)
    assert "hunter" not in invitation
    assert "DOCTRINE" not in invitation
    bob.ask("ACCEPT 1 DOCTRINE sound")
    assert filed(league, pilot) == EACH[system]
    # Both have ordered, so it has gone on.
    assert league.game.steps > 1
    assert "hunter" not in "".join(map(words, bob.new()))
    assert league.store.count(OfferSeat.select().where(OfferSeat.standing != "")) == 0


@LEAGUE
def test_who_has_no_doctrine_is_asked_and_who_has_one_is_not(league: League) -> None:
    ann, bob = enlisted(league)
    keep(ann)
    ann.ask("CHALLENGE Kestrel WITH Hawk FIRST me DOCTRINE hunter")
    bob.ask("ACCEPT 1")
    assert filed(league) == EACH["starpilot"]
    assert "Your orders for Kestrel are needed" in words(bob.last_about("[G1-T1"))
    first = words(ann.last_about("[G1-T1"))
    assert "The referee is waiting for Kestrel" in first
    assert "STANDING sound" not in first
    before = league.game.steps
    bob.reply("STANDING sound", bob.last_about("[G1-T1"))
    league.work()
    assert league.game.steps > before + 2


@LEAGUE
@pytest.mark.parametrize(
    ("language", "order"),
    [("en", "ACCEPT 1 DOCTRINE hunter"), ("de", "ANNEHMEN 1 DOKTRIN hunter")],
)
def test_a_challenge_is_accepted_with_one_by_a_tap(
    league: League, language: str, order: str
) -> None:
    ann, bob = enlisted(league)
    keep(ann)
    ann.ask(f"LANGUAGE {language}")
    bob.ask("CHALLENGE Hawk WITH Kestrel FIRST them")
    tap(ann, ann.last, order)
    league.work()
    assert filed(league) == EACH["starpilot"]


@LEAGUE
def test_a_battle_that_begins_stops_where_the_doctrine_asks(league: League) -> None:
    ann, bob = enlisted(league)
    ann.ask("DOCTRINE wary FOR Hawk\nIF TURN >= 4: ASK\nELSE: SCAN\nEND")
    ann.ask("CHALLENGE Kestrel WITH Hawk FIRST me DOCTRINE wary")
    bob.ask("ACCEPT 1 DOCTRINE bold")
    report = words(ann.last_about("[G1-T1"))
    assert "The battle has stopped at your standing order IF TURN >= 4: ASK" in report
    assert "Your orders for Hawk are needed" in report


@LEAGUE
def test_a_battle_that_is_taken_back_has_its_doctrine_still(league: League) -> None:
    ann, bob = enlisted(league)
    keep(ann)
    ann.ask("CHALLENGE Kestrel WITH Hawk FIRST me DOCTRINE hunter")
    bob.ask("ACCEPT 1 DOCTRINE sound")
    ann.reply("STANDING NONE", ann.last_about("[G1-"))
    bob.reply("READY", bob.last_about("[G1-"))
    league.work()
    league.rule("UNDO 1 TO 3")
    assert filed(league) == EACH["starpilot"]


@LEAGUE
@pytest.mark.parametrize(
    "order",
    [
        "PRACTICE WITH Hawk AGAINST easy DOCTRINE hunter",
        "PRACTICE DOCTRINE hunter",
    ],
)
def test_practice_may_begin_with_one(league: League, order: str) -> None:
    ann, _ = enlisted(league)
    keep(ann)
    ann.ask(order)
    assert filed(league) == EACH["starpilot"]
    assert league.game.steps > 2


@LEAGUE
def test_patrols_and_open_challenges_and_rematches_may_begin_with_one(league: League) -> None:
    ann, bob = enlisted(league)
    keep(ann)
    ann.ask("PATROL WITH Hawk DOCTRINE hunter")
    bob.ask("PATROL WITH Kestrel DOCTRINE careful")
    assert filed(league) == EACH["starpilot"]
    assert "IF STRUCTURE <= 0 AND SHOT AT: EJECT" in filed(league, "Kestrel")
    league.rule("DRAW 1")
    league.later(24)
    ann.ask("REMATCH 1 FIRST them DOCTRINE hunter")
    bob.ask("ACCEPT 1")
    assert (league.game.id, filed(league)) == (2, EACH["starpilot"])
    league.rule("DRAW 2")
    league.later(24)
    bob.ask("CHALLENGE ANYBODY WITH Kestrel DOCTRINE bold")
    ann.ask("ACCEPT 2 WITH Hawk DOCTRINE hunter")
    assert (league.game.id, filed(league)) == (3, EACH["starpilot"])
    assert filed(league, "Kestrel")[0] == "IF UNDETECTED: SCAN"


@LEAGUE
def test_each_of_a_team_s_own_pilots_needs_it(league: League) -> None:
    ann, bob = enlisted(league)
    ann.ask(FALCON)
    keep(ann)
    order = "TEAM CHALLENGE Kestrel WITH Hawk, Falcon DOCTRINE hunter"
    assert "Falcon has no doctrine called hunter" in words(ann.ask(order))
    ann.ask("DOCTRINE hunter FOR Falcon\nIF UNDETECTED: SCAN\nELSE: FIRE\nEND")
    ann.ask(order)
    bob.ask("ACCEPT 1")
    assert filed(league)[-1] == "ELSE: DOGFIGHT"
    assert filed(league, "Falcon") == ["IF UNDETECTED: SCAN", "ELSE: FIRE"]


@LEAGUE
def test_an_order_without_a_name_is_told_where_there_are_several(league: League) -> None:
    ann, bob = enlisted(league)
    bob.ask(FALCON)
    keep(ann)
    ann.ask("TEAM CHALLENGE Kestrel, Falcon WITH Hawk DOCTRINE hunter")
    bob.reply("ACCEPT 1", bob.last)
    league.work()
    assert "A standing order lacks a name" in words(ann.last_about("[G1-T1"))


@LEAGUE
def test_a_running_battle_takes_one_as_it_is_then(league: League) -> None:
    ann, bob = enlisted(league)
    keep(ann)
    ann.ask("CHALLENGE Kestrel WITH Hawk FIRST me")
    bob.ask("ACCEPT 1")
    answer = words(ann.ask("STANDING hunter", ann.last_about("[G1-")))
    assert "Game 1 has your standing orders: IF STRUCTURE <= 1: ASK" in answer
    assert filed(league) == EACH["starpilot"]
    changed = words(ann.ask("DOCTRINE hunter FOR Hawk\nELSE: TARGET\nEND"))
    assert "a battle that goes on keeps the rules that it was given" in changed
    assert filed(league) == EACH["starpilot"]
    ann.ask("STANDING hunter", ann.last_about("[G1-"))
    assert filed(league) == ["ELSE: TARGET"]
    # Bob has none of this name.
    answer = words(bob.ask("STANDING hunter", bob.last_about("[G1-")))
    assert "you have no doctrine called hunter here" in answer
    assert filed(league, "Kestrel") == []


@LEAGUE
def test_rules_of_one_s_own_stand_above_a_doctrine(league: League) -> None:
    ann, bob = enlisted(league)
    ann.ask("DOCTRINE wary FOR Hawk\nIF STRUCTURE <= 1: ASK\nSTANDING sound\nEND")
    assert rules_of(league) == ["IF STRUCTURE <= 1: ASK", "STANDING sound"]
    ann.ask("CHALLENGE Kestrel WITH Hawk FIRST me")
    bob.ask("ACCEPT 1")
    ann.ask("IF TURN >= 90: ESCAPE\nSTANDING wary", ann.last_about("[G1-"))
    found = filed(league)
    assert found[:3] == ["IF TURN >= 90: ESCAPE", "IF STRUCTURE <= 1: ASK", "IF UNDETECTED: SCAN"]
    assert found[-1] == "ELSE: SURRENDER"


@LEAGUE
def test_a_line_that_can_t_be_followed_in_a_battle_is_told(league: League) -> None:
    ann, bob = enlisted(league, "blackskies")
    keep(ann, "blackskies")
    ann.ask("DOCTRINE old FOR Vultures\nIF ENEMY BEHIND: Red: HARD LEFT\nELSE: All: STEADY\nEND")
    row = league.store.first(Doctrine.select().where(Doctrine.name == "old"))
    assert row is not None
    # As if an element had left the squadron since.
    league.store.run(
        Doctrine.update(rules=f"IF ENEMY LEFT: Green: SMOOTH LEFT\n{row.rules}").where(
            Doctrine.id == row.id
        )
    )
    ann.ask("CHALLENGE Kites WITH Vultures DOCTRINE old")
    bob.ask("ACCEPT 1")
    first = words(ann.last_about("[G1-T1"))
    assert "Of your doctrine these lines can't be followed in this battle" in first
    assert "IF ENEMY LEFT: Green: SMOOTH LEFT:" in first
    rest = ["IF ENEMY BEHIND: Red: HARD LEFT", "ELSE: Red: STEADY", "ELSE: Gold: STEADY"]
    assert filed(league, "Vultures") == rest
    answer = words(ann.ask("STANDING old", ann.last_about("[G1-T1")))
    assert "left out of old" in answer
    assert filed(league, "Vultures") == rest


@LEAGUE
@pytest.mark.parametrize(
    ("rules", "told"),
    [
        ("IF NEER: FIRE\nELSE: SCAN", "'IF NEER: FIRE'"),
        ("IF NEAR: FIER\nELSE: SCAN", "did you mean IF NEAR: FIRE?"),
        ("IF NEAR: FIRE\nTARGET", "'TARGET'"),
        ("IF NEAR: FIRE\n\nSee you on Friday,\nAnn", "'See you on Friday,'"),
        ("ELSE: SCAN\nELSE: TARGET", "there is an ELSE already"),
        ("STANDING hunted", "STANDING"),
        ("STANDING NONE", "it has no rule"),
    ],
)
def test_a_line_that_is_no_rule_is_named(league: League, rules: str, told: str) -> None:
    ann, _ = enlisted(league)
    answer = words(ann.ask(f"DOCTRINE hunter FOR Hawk\n{rules}\nEND"))
    assert TOLD_NONE in answer
    assert told in answer
    # What was written stands there again, and for nobody else.
    assert answer.count(rules.splitlines()[-1]) >= 1
    assert "Nobody has seen".upper() not in answer
    assert league.store.count(Doctrine.select()) == 0


@LEAGUE
@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("sound", "sound is a doctrine that everybody has"),
        ("fire", "a doctrine can't be called fire: it is a word of the orders"),
        ("solide", "a doctrine can't be called solide"),
        ("none", "a doctrine can't be called none"),
        ("x", "one word of 2 to 20 letters"),
        ("plan9", "one word of 2 to 20 letters"),
    ],
)
def test_a_name_that_would_be_mistaken_is_refused(league: League, name: str, told: str) -> None:
    ann, _ = enlisted(league)
    answer = keep(ann, name=name)
    assert told in answer
    assert league.store.count(Doctrine.select()) == 0


@LEAGUE
def test_what_there_is_not_can_t_be_given(league: League) -> None:
    ann, bob = enlisted(league)
    keep(ann)
    assert "Kestrel has no doctrine called hunter" in words(bob.ask("PATROL DOCTRINE hunter"))
    assert "did you mean hunter?" in words(ann.ask("PATROL DOCTRINE huntr"))
    assert league.store.count(OfferSeat.select()) == 0


@LEAGUE
def test_they_are_listed_shown_changed_and_deleted(league: League) -> None:
    ann, bob = enlisted(league)
    assert "you have no doctrine of your own" in words(ann.ask("DOCTRINE"))
    keep(ann)
    keep(ann, name="Prüfer")
    listed = words(ann.ask("DOCTRINE"))
    assert "DOCTRINE hunter FOR Hawk" in listed
    assert "DOCTRINE Prüfer FOR Hawk" in listed
    assert "ELSE: DOGFIGHT" in words(ann.ask("DOCTRINE Pruefer"))
    ann.ask("DOCTRINE hunter\nELSE: TARGET\nEND")
    assert "ELSE: TARGET" in words(ann.ask("DOCTRINE hunter FOR Hawk"))
    assert "you have no doctrine called hunter" in words(bob.ask("DOCTRINE hunter"))
    assert "the doctrine hunter is deleted" in words(ann.ask("DOCTRINE hunter FOR Hawk NONE"))
    assert "the doctrine Prüfer is deleted" in words(ann.ask("DOCTRINE prufer NONE"))
    assert league.store.count(Doctrine.select()) == 0


@LEAGUE
def test_of_several_with_a_doctrine_one_is_named(league: League) -> None:
    ann, _ = enlisted(league)
    ann.ask(FALCON)
    assert "say with which of your" in words(ann.ask("DOCTRINE hunter\nELSE: TARGET\nEND"))
    keep(ann)
    ann.ask("DOCTRINE hunter FOR Falcon\nELSE: TARGET\nEND")
    shown = words(ann.ask("DOCTRINE hunter"))
    assert "DOCTRINE hunter FOR Falcon ELSE: TARGET END" in shown
    assert "DOCTRINE hunter FOR Hawk NONE" in words(ann.ask("DOCTRINE hunter NONE"))
    assert league.store.count(Doctrine.select()) == 2


@LEAGUE
def test_a_pilot_has_so_many_and_who_is_gone_gets_none(league: League) -> None:
    ann, _ = enlisted(league)
    for letter in "abcdfghijkln":
        keep(ann, name=f"plan{letter}")
    assert "Hawk has 12 doctrines" in keep(ann, name="planm")
    ann.ask("YES", ann.ask("RESIGN Hawk"))
    assert "Hawk will fight no more" in keep(ann, name="plana")
    # They can still be read, for whoever comes next.
    assert "ELSE: DOGFIGHT" in words(ann.ask("DOCTRINE plana"))


@LEAGUE
def test_germans_write_and_read_them_in_german(league: League) -> None:
    ann, bob = enlisted(league)
    ann.ask("LANGUAGE de")
    answer = words(
        ann.ask(
            "DOKTRIN Jagd FÜR Hawk\nWENN STRUKTUR <= 1: FRAGEN\nWENN UNENTDECKT: SUCHEN\n"
            "SONST: KURVENKAMPF\nDAUERBEFEHLE solide\nENDE"
        )
    )
    assert "DOKTRIN Jagd FÜR Hawk" in answer
    assert rules_of(league)[:2] == ["IF STRUCTURE <= 1: ASK", "IF UNDETECTED: SCAN"]
    assert rules_of(league)[-1] == "STANDING sound"
    ann.ask("FORDERE Kestrel MIT Hawk ZUERST ich DOKTRIN jagd")
    bob.ask("ACCEPT 1 DOCTRINE sound")
    assert filed(league)[0] == "IF STRUCTURE <= 1: ASK"
    assert "gelöscht" in words(ann.ask("DOKTRIN jagd FÜR Hawk KEINE"))
    refused = words(ann.ask("DOKTRIN Jagd FÜR Hawk\nWENN NAH: FEUR\nENDE"))
    assert "meintest du WENN NAH: FEUER?" in refused


@LEAGUE
def test_the_sheet_names_them_to_its_owner_alone(league: League) -> None:
    ann, bob = enlisted(league)
    keep(ann)
    assert "Doctrines: hunter." in words(ann.ask("SHEET Hawk"))
    assert "hunter" not in words(bob.ask("SHEET Hawk"))


@LEAGUE
def test_who_steps_in_does_not_have_the_doctrines_of_a_pilot_s_owner(league: League) -> None:
    ann, bob = enlisted(league)
    keep(ann)
    ann.ask("CHALLENGE Kestrel WITH Hawk FIRST me")
    bob.ask("ACCEPT 1")
    cat = league.person("Cat")
    cat.join()
    league.rule("OPEN 1 Hawk")
    cat.reply("TAKEOVER 1", cat.last)
    league.work()
    answer = words(cat.ask("STANDING hunter", cat.last_about("[G1-")))
    assert "you have no doctrine called hunter here" in answer
    assert filed(league) == []


@LEAGUE
def test_they_are_personal_data_and_go_with_their_player(league: League) -> None:
    ann, _ = enlisted(league)
    keep(ann)
    ann.ask("CHALLENGE Kestrel WITH Hawk DOCTRINE hunter")
    player = league.store.get(Player, 1)
    [kept] = personal_data.kept(league.store, player)["doctrines"]  # type: ignore[misc]
    rules = "\n".join(EACH["starpilot"])
    assert kept == {"pilot": "Hawk", "name": "hunter", "rules": rules}
    assert league.store.count(OfferSeat.select().where(OfferSeat.standing == rules)) == 1
    ann.ask("YES", ann.ask("LEAVE LEAGUE"))
    assert league.store.count(Doctrine.select()) == 0
    assert league.store.count(OfferSeat.select().where(OfferSeat.standing != "")) == 0
    assert list(fsck.inspect(league.store.url)) == []


@LEAGUE
def test_they_stay_with_a_pilot_whose_players_are_one_person(league: League) -> None:
    ann, bob = enlisted(league)
    keep(ann)
    league.rule("MERGE Hawk INTO Kestrel")
    assert "DOCTRINE hunter FOR Hawk" in words(bob.ask("DOCTRINE"))


@pytest.mark.league(systems=SYSTEMS, entropy=fixed_entropy)
def test_a_rebuilt_league_has_them(league: League) -> None:
    ann, bob = enlisted(league)
    keep(ann)
    keep(ann, name="other")
    ann.ask("DOCTRINE other NONE")
    ann.ask("CHALLENGE Kestrel WITH Hawk DOCTRINE hunter")
    ann.ask("DOCTRINE hunter FOR Hawk\nELSE: TARGET\nEND")
    bob.ask("ACCEPT 1 DOCTRINE sound")
    ann.ask("STANDING hunter", ann.last_about("[G1-"))
    assert filed(league) == ["ELSE: TARGET"]
    assert rebuild(league.settings, league.settings.home / "new.db") == []
