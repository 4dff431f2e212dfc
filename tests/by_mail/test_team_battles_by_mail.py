"""Team battles by mail: two against two with three players, and one against three."""

import json
import re
import subprocess
import sys
from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.games.checking_script import script
from pbem.games.export import verify
from pbem.games.persona_rules import piece_of
from pbem.games.session import Session
from pbem.handlers.accounts.leaving import erase
from pbem.handlers.moderator.ruling_table import rule
from pbem.handlers.request import Refusal
from pbem.people import personas, players
from pbem.storage import Game, Offer, Place, Story
from tests.support.harness import League, fixed_entropy, open_league
from tests.support.players import plain, words
from tests.support.team_battles import CHALLENGE, fight_on, give_orders, meet, melee, standing

FINCH = "ENLIST Finch FOR league WEAPONS 13 PILOTING 10 SENSORS 13 SHIP Wright 1903L"

pytestmark = pytest.mark.league(entropy=fixed_entropy)


def record(league: League, name: str) -> dict[str, object]:
    """The career log's view of a pilot."""
    row = personas.named(league.store, name)
    assert row is not None
    return piece_of(row).record


def sheets(league: League) -> dict[str, str]:
    """The orders on file, by pilot."""
    return {
        place.seat: place.sheet
        for place in league.store.all(
            Place.select().where(Place.game == league.game.id).order_by(Place.id)
        )
    }


def test_two_against_two_to_the_end(league: League, tmp_path: Path) -> None:
    people = melee(league)
    give_orders(people)
    people.work()
    fight_on(league, people)
    titles = [str(one["Subject"]) for person in people for one in person.letters]
    last = [title.split(" is over for ")[1] for title in titles if " is over for " in title]
    assert sorted(one.split(":")[0] for one in last) == ["Falcon", "Hawk", "Kestrel", "Merlin"]
    answers = Counter(m["In-Reply-To"] for p in people for m in p.letters if m["In-Reply-To"])
    assert set(answers.values()) == {1}
    offered = [one for p in people for one in p.letters if "REMATCH 1" in words(one)]
    dead = [
        name for name in ("Hawk", "Falcon", "Kestrel", "Merlin") if record(league, name)["dead"]
    ]
    assert bool(offered) != bool(dead), "nobody can fight the dead once more"
    assert dead
    balanced(league)
    verified(league, tmp_path)


def balanced(league: League) -> None:
    """Kills and prizes are losses, and HP are those of SP-28."""
    flown = [record(league, name) for name in ("Hawk", "Falcon", "Kestrel", "Merlin")]
    assert {pilot.get("missions") for pilot in flown} == {1}
    fates = [p["fate"] for p in _state(league)["pilots"].values()]
    taken = sum(int(str(p.get("kills", 0))) + int(str(p.get("prizes", 0))) for p in flown)
    assert taken == len([fate for fate in fates if fate in ("killed", "ejected", "surrendered")])
    earned = sum(int(str(pilot.get("hp_total", 0))) for pilot in flown)
    assert earned in range(taken * 10, taken * 14 + 1)


def _state(league: League) -> dict[str, dict[str, dict[str, str]]]:
    return json.loads(league.service.export(league.game).splitlines()[-2])["state"]


def verified(league: League, folder: Path) -> None:
    """Both checks agree with the battle, and find a roll that was changed."""
    text, check = league.service.export(league.game), folder / "check.py"
    check.write_text(script("starpilot"))
    file = folder / "G1.json"
    for export, code in ((text, 0), (text.replace("[[100,", "[[10,", 1), 1)):
        file.write_text(export)
        ran = subprocess.run([sys.executable, check, file], capture_output=True, check=False)
        assert ran.returncode == code, ran.stdout[-300:]
        assert all(finding.ok for finding in verify(export)) == (not code)


def test_one_against_three_to_the_end(league: League) -> None:
    people = meet(league)
    dan = league.person("Dan")
    dan.join()
    dan.ask(FINCH)
    people.bob.ask("TEAM CHALLENGE Hawk, Falcon and Finch WITH Kestrel FIRST roll")
    for person in (people.ann, people.cleo, dan):
        person.new()
        person.reply("ACCEPT")
        league.work()
    [first] = people.bob.new()
    assert "the battle begins" in first["Subject"]
    assert "Team Kestrel against Team Hawk" in words(first)
    assert "Finch (Dan Example)" in words(first)
    assert "YOUR TEAM" not in words(first)
    people.bob.reply(standing("Hawk", "Finch") + "IF TURN >= 1: TARGET Falcon\nIF LOCKED: FIRE")
    for person in (people.ann, people.cleo):
        person.reply(standing("Kestrel", "Kestrel"))
    dan.reply("STANDING\nIF UNDETECTED: SCAN\nELSE: PROTECT\nEND\n")
    league.work()
    for _ in range(30):
        for person in (*people, dan) if league.game.running else ():
            person.reply("READY 1")
        league.later(80)
        league.work()
    assert record(league, "Kestrel")["missions"] == 1
    assert "is over" in people.bob.last["Subject"]


# ---- challenges --------------------------------------------------------------------------------


def test_everybody_must_accept_and_one_word_speaks_for_all_own_pilots(league: League) -> None:
    ann, bob, cleo = people = meet(league)
    answer = ann.ask(CHALLENGE)
    assert "team challenge 1 is on its way to the players of Falcon, Kestrel and Merlin" in words(
        answer
    )
    for person, pilots in ((bob, "Kestrel and Merlin"), (cleo, "Falcon")):
        [letter] = person.new()
        assert f"Challenge from Ann Example: team battle with {pilots}" in letter["Subject"]
        assert "The team of Hawk moves first" in words(letter)
    assert "it waits for Falcon now" in words(bob.ask("ACCEPT"))
    assert "no challenge is open for you" in words(bob.ask("ACCEPT"))
    assert "You have accepted. DECLINE 1 to say no" in words(bob.ask("STATUS"))
    assert league.store.count(Game.select()) == 0
    cleo.reply("ACCEPT 1")
    assert len(people.work()) == 4
    assert league.store.count(Game.select()) == 1
    assert "no challenge is open" in words(cleo.ask("DECLINE"))


@pytest.mark.parametrize("accepted", [False, True])
def test_who_declines_ends_it_and_all_are_told(league: League, accepted: bool) -> None:
    ann, bob, cleo = people = meet(league)
    ann.ask(CHALLENGE)
    people.work()
    if accepted:
        bob.ask("ACCEPT")
    assert "its other players are told" in words(bob.ask("DECLINE 1"))
    for person in (ann, cleo):
        [letter] = person.new()
        assert "Team challenge 1 is off: Kestrel declines" in letter["Subject"]
        assert "Bob Example, the player of Kestrel, has declined" in words(letter)
    assert "challenge 1 is not open any more" in words(cleo.ask("ACCEPT 1"))


def test_the_challenger_takes_it_back(league: League) -> None:
    ann, bob, cleo = people = meet(league)
    ann.ask(CHALLENGE)
    people.work()
    assert "challenge 1 is not open for you" in words(ann.ask("DECLINE 1"))
    assert "is not open for you" in words(bob.ask("WITHDRAW 1"))
    assert "challenge 1 to Kestrel and Merlin is withdrawn" in words(ann.ask("WITHDRAW"))
    for person in (bob, cleo):
        assert "who made it, has taken it back" in words(person.new()[0])


def test_a_pilot_that_resigns_declines(league: League) -> None:
    ann, _, cleo = people = meet(league)
    ann.ask(CHALLENGE)
    people.work()
    cleo.ask("YES", cleo.ask("RESIGN Falcon"))
    assert "Falcon declines" in ann.new()[0]["Subject"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("TEAM CHALLENGE Kestrel, Robin WITH Hawk", "no pilot is called Robin"),
        ("TEAM CHALLENGE Kestrel, Merlin WITH Hawk, Kestrel", "Kestrel is named twice"),
        ("TEAM CHALLENGE Kestrel, Kestrel WITH Hawk", "Kestrel is named twice"),
        ("TEAM CHALLENGE Kestrel WITH Hawk", "one against one is a duel"),
        ("TEAM CHALLENGE Kestrel, Merlin WITH Falcon", "Falcon is not yours; name one of your"),
        ("TEAM CHALLENGE Kestrel, Merlin WITH Falcon, Hawk", "Falcon is not yours"),
        (
            "TEAM CHALLENGE Kestrel WITH Hawk, Merlin",
            "Merlin and Kestrel belong to the same player",
        ),
        ("TEAM CHALLENGE Kestrel, Owl WITH Hawk", "Hawk and Owl both fly for the cartel"),
        ("TEAM CHALLENGE Kestrel, Lark WITH Hawk", "Lark has resigned"),
        ("CHALLENGE Kestrel, Merlin WITH Hawk, Falcon", "for several write TEAM before it"),
        ("TEAM CHALENGE Kestrel, Merlin WITH Hawk", "TEAM CHALLENGE Kestrel, Merlin WITH Hawk"),
        ("TEAM", "Here is the answer"),
        ("FORMATION Hawk, Falcon", "you are in no running game"),
    ],
)
def test_what_is_wrong_with_a_team_challenge_is_said(league: League, line: str, why: str) -> None:
    ann, _bob, cleo = meet(league)
    cleo.ask("ENLIST Owl FOR cartel WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Angela 313B")
    cleo.ask("ENLIST Lark FOR league WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Wright 1903S")
    row = personas.named(league.store, "Lark")
    assert row is not None
    personas.set_record(league.store, row, json.dumps(json.loads(row.record) | {"resigned": True}))
    assert why in words(ann.ask(line))
    assert league.store.count(Offer.select().where(Offer.patrol == False)) == 0


def test_a_players_name_means_the_only_pilot_that_is_free(league: League) -> None:
    ann, bob, cleo = meet(league)
    answer = words(ann.ask("TEAM CHALLENGE Bob Example WITH Hawk, Cleo Example"))
    assert "Bob Example has several pilots; say which" in answer
    assert "write one of these instead: Kestrel, Merlin" in answer
    ann.ask("TEAM CHALLENGE Kestrel, Merlin WITH Hawk, Cleo Example")
    assert "Falcon" in words(bob.new()[0])
    assert "ACCEPT" in words(cleo.new()[0])


def test_a_team_challenge_is_offered_once_and_with_free_pilots_only(league: League) -> None:
    ann, bob, cleo = people = melee(league)
    assert "Hawk is in a game already" in words(ann.ask(CHALLENGE))
    assert league.store.count(Offer.select().where(Offer.patrol == False)) == 1
    league.service.ports.referee.rule(_session(league), "DRAW", league.now)
    people.work()
    ann.ask(CHALLENGE)
    twin = "TEAM CHALLENGE Merlin, Kestrel WITH Hawk, Falcon"
    assert "that challenge is open already: number 2" in words(ann.ask(twin))
    cleo.ask("CHALLENGE Merlin WITH Falcon")
    people.work()
    bob.ask("ACCEPT 3")
    people.work()
    assert "Falcon is in a game already" in words(bob.ask("ACCEPT 2"))


def _session(league: League) -> Session:
    return Session(league.store, league.game)


# ---- orders ------------------------------------------------------------------------------------


def test_a_reply_orders_the_pilot_whose_report_it_answers(league: League) -> None:
    _, bob, _ = melee(league)
    answer = bob.ask("SCAN", to=bob.last_about(" for Merlin: "))
    assert "Your orders are filed: Merlin in game 1" in answer["Subject"]
    assert [name for name, sheet in sheets(league).items() if "SCAN" in sheet] == ["Merlin"]


def test_one_letter_orders_several_pilots(league: League) -> None:
    _, bob, _ = melee(league)
    bob.reply(
        "STORY\nWe come.\nEND\nFOR Kestrel\nSCAN\nMERLIN:\nCLOSE\nFor kestrel\nTARGET Hawk",
        to=bob.last_about(" for Merlin: "),
    )
    one, other = bob.new()
    assert one["In-Reply-To"] == bob.sent[-1]["Message-ID"]
    assert other["In-Reply-To"] is None
    assert "filed: Merlin" in one["Subject"] + other["Subject"]
    assert "SCAN" in sheets(league)["Kestrel"]
    assert "TARGET Hawk" in sheets(league)["Kestrel"]
    assert "CLOSE" in sheets(league)["Merlin"]
    assert [story.text for story in league.store.all(Story.select().order_by(Story.id))] == [
        "We come."
    ]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("GAME 1\nSCAN", "say for which pilot: Kestrel or Merlin"),
        ("SCAN", "which pilot they are for. Perhaps this helps: a line such as FOR Kestrel above"),
        ("FOR Kestral\nSCAN", "you have no pilot called Kestral in a game"),
        ("GAME 1 FOR Hawk\nSCAN", "you have no pilot called Hawk in that game"),
        (
            "GAME 7 FOR Kestrel\nSCAN",
            "you have no pilot in game 7; what stands below it was left alone",
        ),
    ],
)
def test_orders_for_nobody_are_not_filed(league: League, text: str, why: str) -> None:
    _, bob, _ = melee(league)
    key = words(bob.last_about("Welcome")).split("key is ")[1].split(". ")[0]
    bob.write(f"KEY {key}\n{text}")
    [answer] = bob.new()
    assert why in words(answer)
    assert not any("SCAN" in sheet for sheet in sheets(league).values())


def test_a_new_letter_names_game_and_pilot(league: League) -> None:
    _, bob, _ = melee(league)
    key = words(bob.last_about("Welcome")).split("key is ")[1].split(". ")[0]
    bob.write(f"KEY {key}\nGAME 1 FOR Kestrel\nSCAN\nGAME 1 FOR Merlin\nSCAN")
    assert len(bob.new()) == 2
    assert [name for name, sheet in sheets(league).items() if "SCAN" in sheet] == [
        "Kestrel",
        "Merlin",
    ]


def test_an_order_must_name_one_of_several_opponents(league: League) -> None:
    ann, _, _ = melee(league)
    answer = words(ann.ask("SCAN\nTARGET\nTARGET Merlin"))
    assert 'You wrote "TARGET". That is nearly an order' in answer
    assert "TARGET Kestrel or TARGET Merlin" in answer
    assert json.loads(sheets(league)["Hawk"])["queue"] == ["SCAN", "TARGET Merlin"]


@pytest.mark.parametrize(
    ("language", "why"),
    [
        ("en", "A standing order lacks a name: DOGFIGHT must name one opponent: Kestrel or Merlin"),
        ("de", "Einem Dauerbefehl fehlt ein Name: KURVENKAMPF muss einen Gegner nennen"),
    ],
)
def test_each_letter_that_asks_says_which_standing_orders_lack_a_name(
    language: str, why: str, league: League
) -> None:
    ann, bob, cleo = people = melee(league)
    ann.ask(f"LANGUAGE {language}")
    ann.reply("STANDING\nIF UNDETECTED: SCAN\nIF TURN >= 1: DOGFIGHT\nEND", ann.last_about("[G1-"))
    rules = standing("Hawk", "Falcon")
    cleo.reply(standing("Kestrel", "Merlin"))
    bob.reply(f"FOR Kestrel\n{rules}FOR Merlin\n{rules}")
    people.work()
    report = ann.last_about("[G1-")
    assert why in words(report)
    assert why in words(ann.ask("READY", report))
    league.later(24 * 2.5)
    assert why in words(ann.last_about("[G1-"))
    assert why not in words(bob.last_about("[G1-"))


def test_a_preview_shows_each_pilot_and_files_nothing(league: League) -> None:
    _, bob, _ = melee(league)
    bob.reply("PREVIEW\nFOR Kestrel\nSCAN\nFOR Merlin\nSCAN")
    assert sorted(one["Subject"].partition("] ")[2] for one in bob.new()) == [
        "Only a preview: Kestrel in game 1, nothing is filed",
        "Only a preview: Merlin in game 1, nothing is filed",
    ]
    assert not any("SCAN" in sheet for sheet in sheets(league).values())


# ---- who acts when -----------------------------------------------------------------------------


def test_the_captain_sets_the_order_in_which_the_team_acts(league: League) -> None:
    ann, bob, cleo = people = melee(league)
    refused = words(cleo.ask("FORMATION Falcon, Hawk"))
    assert "the captain of your team is Hawk, whose player alone sets its order" in refused
    assert "Merlin is not in your team" in words(ann.ask("FORMATION Merlin, Hawk"))
    assert "a name stands there twice" in words(ann.ask("FORMATION Hawk, Hawk"))
    assert "in this order from now on: Falcon, Hawk" in words(ann.ask("FORMATION Falcon"))
    assert "order from now on: Merlin, Kestrel" in words(bob.ask("FORMATION Merlin and Kestrel"))
    give_orders(people)
    people.work()
    acted = [json.loads(orders)[0][0] for orders, _ in league.orders()[1:9]]
    assert acted == ["Falcon", "Hawk", "Merlin", "Kestrel"] * 2
    assert "act in this order: Falcon, then Hawk" in words(cleo.last)
    assert "Merlin, then Kestrel" not in words(cleo.last)


def test_who_is_next_leads_when_the_captain_is_out(league: League) -> None:
    ann, _, cleo = people = melee(league)
    league.service.ports.referee.rule(_session(league), "FORFEIT Hawk", league.now)
    people.work()
    assert "Hawk is out of the battle, so nothing more is asked of you" in words(ann.last)
    assert "You lead the team" in words(cleo.last)
    assert "order from now on: Hawk, Falcon" in words(cleo.ask("FORMATION Hawk"))
    assert "the captain of your team is Falcon" in words(ann.ask("FORMATION Hawk"))


# ---- leaving, misses, draws, rulings -----------------------------------------------------------


def test_one_surrenders_and_the_others_fight_on(league: League) -> None:
    ann, bob, cleo = people = melee(league)
    for person in (ann, cleo):
        person.reply(standing("Kestrel", "Merlin"))
    bob.reply(f"FOR Merlin\nSURRENDER Falcon\nFOR Kestrel\n{standing('Hawk', 'Falcon')}")
    people.work()
    assert league.game.running
    report = bob.last_about("Report on 1 for Merlin")
    assert "Merlin is out of the battle" in words(report)
    assert not re.search("YOUR MOVE|WHAT YOU MAY ORDER", plain(report))
    late = bob.ask("SCAN", to=report)
    assert "Merlin is out of game 1: your orders were not used" in late["Subject"]
    assert "Merlin with Kestrel against Hawk and Falcon. Merlin is out" in words(bob.ask("STATUS"))
    assert "Merlin is a prisoner" in words(bob.ask("PATROL WITH Merlin"))
    fight_on(league, people)
    # It left before any shot had succeeded (SP-31).
    assert record(league, "Merlin").get("missions", 0) == 0
    assert record(league, "Kestrel")["missions"] == 1


@pytest.mark.league(entropy=fixed_entropy, misses_before_forfeit=1)
def test_who_misses_forfeits_alone(league: League) -> None:
    ann, bob, cleo = people = melee(league)
    ann.reply(standing("Kestrel", "Merlin"))
    rules = standing("Hawk", "Falcon")
    bob.reply(f"FOR Kestrel\n{rules}FOR Merlin\n{rules}")
    people.work()
    league.later(24 * 4)
    people.work()
    assert league.game.running
    assert "Falcon has sent no orders for too long, and so forfeits." in words(cleo.last)
    assert "Falcon is out of the battle" in words(cleo.last)
    places = {
        place.seat: place
        for place in league.store.all(
            Place.select().where(Place.game == league.game.id).order_by(Place.id)
        )
    }
    assert [seat for seat, place in places.items() if place.asked] == [
        "Hawk",
        "Kestrel",
        "Merlin",
    ]
    league.later(24 * 2.5)
    assert not any("Your move in" in str(one["Subject"]) for one in cleo.new())


def test_a_forfeit_starts_no_paused_clock(league: League) -> None:
    melee(league)
    for text in ("PAUSE 1", "FORFEIT 1 Merlin"):
        rule(league.service.ports, text, league.now)
    assert league.game.running
    assert league.game.deadline is None
    rule(league.service.ports, "RESUME 1", league.now)
    assert league.game.deadline == league.now + timedelta(hours=72)


@pytest.mark.parametrize(("who", "out"), [("Ann", "Hawk"), ("Bob", "Merlin")])
def test_who_has_a_pilot_out_of_a_battle_may_leave(league: League, who: str, out: str) -> None:
    melee(league)
    rule(league.service.ports, f"FORFEIT 1 {out}", league.now)
    player = players.named(league.store, f"{who} Example")
    assert player is not None
    erase(league.service.ports, player, league.now)
    assert league.game.running == (who == "Ann")


def test_a_draw_needs_everybody_who_is_left(league: League) -> None:
    ann, bob, cleo = people = melee(league)
    assert "Falcon, Kestrel, Merlin must still agree" in words(ann.ask("DRAW"))
    assert [len(person.new()) for person in (bob, cleo)] == [1, 1]
    assert "Falcon must still agree" in words(bob.ask("DRAW 1"))
    assert league.game.running
    assert "your offer of a draw in game 1 is taken back" in words(bob.ask("NO DRAW 1"))
    bob.ask("DRAW 1")
    people.work()
    cleo.reply("DRAW")
    people.work()
    assert not league.game.running
    assert "A draw: game 1 is over for Merlin" in bob.last["Subject"] + bob.letters[-2]["Subject"]


def test_those_who_agreed_draw_when_the_last_who_would_not_is_out(league: League) -> None:
    ann, bob, _ = people = melee(league)
    ann.ask("DRAW")
    bob.ask("DRAW")
    people.work()
    league.service.ports.referee.rule(_session(league), "FORFEIT Falcon", league.now)
    people.work()
    assert "must agree" not in words(ann.last)
    ann.ask("READY 1")
    bob.reply("READY 1")
    people.work()
    assert not league.game.running
    assert "A draw. Falcon has surrendered: game 1 is over for Hawk" in ann.last["Subject"]


def test_rulings_and_deadlines_are_told_once_to_each_player(league: League) -> None:
    _, bob, _ = people = melee(league)
    rule(league.service.ports, "PAUSE 1", league.now)
    rule(league.service.ports, "RESUME 1", league.now)
    rule(league.service.ports, "EXTEND 1 24h", league.now)
    subjects = ["the clock is stopped", "a new deadline", "a new deadline"]
    for person in people:
        found = [str(one["Subject"]).partition("Game 1: ")[2] for one in person.new()]
        assert found == subjects
    rule(league.service.ports, "FORFEIT 1 kestrel", league.now)
    found = [str(one["Subject"]).partition("] ")[2] for one in bob.new()]
    assert found == [
        "Game 1: a ruling",
        "Report on 1 for Kestrel: you surrendered",
        "Report on 1 for Merlin: Kestrel surrendered",
    ]
    with pytest.raises(Refusal, match="out of the battle"):
        rule(league.service.ports, "FORFEIT 1 Kestrel", league.now)
    # Bob is asked for neither of the two pilots, so no calendar of theirs is to be corrected.
    rule(league.service.ports, "EXTEND 1 24h", league.now)
    found = [str(one["Subject"]).partition("] ")[2] for one in bob.new()]
    assert found == ["Game 1: a ruling", "Game 1: a new deadline"]


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "With that Kestrel has forfeited the battle."),
        ("de", "Damit hat Kestrel den Kampf verloren."),
    ],
)
def test_who_has_forfeited_is_not_warned_of_it(language: str, told: str, league: League) -> None:
    ann, bob, cleo = people = melee(league)
    bob.ask(f"LANGUAGE {language}")
    ann.reply("STANDING\nELSE: SCAN\nEND", to=ann.last_about(" for Hawk: "))
    cleo.reply("STANDING\nELSE: SCAN\nEND", to=cleo.last_about(" for Falcon: "))
    head = {"en": "FOR", "de": "FÜR"}[language]
    bob.reply(f"{head} Merlin\nSTANDING\nELSE: SCAN\nEND", to=bob.last_about("Kestrel"))
    for _ in range(4):
        people.work()
        league.later(73)
    people.work()
    out = [words(one) for one in bob.letters if "Kestrel" in one["Subject"]]
    assert any(told in text for text in out)
    # Merlin has orders on file, and no warning meant for Kestrel comes once it is too late.
    assert sum("in a row you forfeit" in text for text in out) <= 2


@pytest.mark.parametrize(
    ("language", "missing", "order"),
    [
        ("en", "Orders for Merlin are missing, too.", "SCAN\nFOR Merlin\nSCAN"),
        ("de", "Auch Befehle für Merlin fehlen noch.", "SUCHEN\nFÜR Merlin\nSUCHEN"),
    ],
)
def test_one_reminder_names_all_pilots_and_one_reply_orders_for_all(
    language: str, missing: str, order: str, league: League
) -> None:
    ann, bob, _ = people = melee(league)
    bob.ask(f"LANGUAGE {language}")
    ann.reply("SCAN", ann.last_about(" for Hawk: "))
    people.cleo.reply("SCAN", people.cleo.last_about(" for Falcon: "))
    people.work()
    asked = [
        place.seat
        for place in league.store.all(Place.select().where(Place.player == 2).order_by(Place.id))
        if place.asked
    ]
    assert asked == ["Kestrel", "Merlin"]
    bob.new()
    league.later(60)
    [reminder] = [one for one in bob.new() if "Kestrel, Merlin" in one["Subject"]]
    assert missing in words(reminder)
    assert not any("Merlin" in one["Subject"] for one in bob.new())
    step = league.game.steps
    bob.reply(order, reminder)
    people.work()
    flown = " ".join(orders for orders, _ in league.orders()[step:])
    assert all(name in flown for name in asked)


# ---- what nobody else may know -----------------------------------------------------------------

_PLAIN = {"Bob": "FOR Kestrel\nSCAN\nFOR Merlin\nSCAN", "Cleo": "SCAN\nTARGET Merlin"}
_OTHER = {
    "Bob": "FORMATION Merlin, Kestrel\nFOR Kestrel\nSURRENDER Hawk\nSALT of the earth\n"
    "FOR Merlin\nSTANDING\nIF NEAR: FIRE Hawk\nELSE: CLOSE\nEND",
    "Cleo": "STANDING\nIF TURN >= 2: SURRENDER Merlin\nEND\nOPEN",
}


def overheard(folder: Path, orders: dict[str, str]) -> dict[str, list[bytes]]:
    """What each is sent where Bob and Cleo send these orders, and Ann has not answered."""
    folder.mkdir()
    with open_league(folder, entropy=fixed_entropy) as league:
        ann, bob, cleo = people = melee(league)
        for person in (bob, cleo):
            person.reply(orders[person.name])
        people.work()
        ann.reply("REPORT\nSTATUS\nHISTORY 1")
        cleo.reply("STATUS")
        ann.reply("PREVIEW\nSCAN\nTARGET Kestrel")
        league.later(60)
        people.work()
        sent = league.post.letters
        return {p.name: [raw for to, raw in sent if to == p.address] for p in people}


def test_what_others_have_on_file_is_in_no_letter(tmp_path: Path) -> None:
    plain = overheard(tmp_path / "plain", _PLAIN)
    foe = overheard(tmp_path / "foe", _PLAIN | {"Bob": _OTHER["Bob"]})
    mate = overheard(tmp_path / "mate", _PLAIN | {"Cleo": _OTHER["Cleo"]})
    assert (plain["Ann"], plain["Cleo"]) == (foe["Ann"], foe["Cleo"])
    assert (plain["Ann"], plain["Bob"]) == (mate["Ann"], mate["Bob"])
    assert plain["Bob"] != foe["Bob"]


@pytest.mark.league(misses_before_open=1)
def test_nobody_is_told_of_their_own_silence_as_of_anothers(league: League) -> None:
    _, bob, cleo = melee(league)
    for _ in range(4):
        league.later(73)
        league.work()
    silent = "The player of {} has been silent"
    assert league.store.count(Place.select().where(Place.vacant == True)) >= 2
    told, others = (" ".join(map(words, each.letters)) for each in (bob, cleo))
    for pilot in ("Kestrel", "Merlin"):
        assert silent.format(pilot) in others
        assert silent.format(pilot) not in told


def test_a_player_of_two_pilots_gets_the_sheets_of_all_once(league: League) -> None:
    people = melee(league)
    bob = [one for one in people.bob.letters if "the battle begins" in str(one["Subject"])]
    shown = [set(re.findall(r"The ship of (\w+):", words(letter))) for letter in bob]
    assert sorted(map(len, shown)) == [1, 4]
    assert shown[0] != shown[1]
    short = words(bob[0] if len(shown[0]) == 1 else bob[1])
    assert "REPORT 1 sends all sheets." in short
    [alone] = [one for one in people.ann.letters if "the battle begins" in str(one["Subject"])]
    assert len(re.findall("The ship of", words(alone))) == 4


@pytest.mark.parametrize(
    "heads",
    [
        "For Kestrel/Standing sound/for Merlin/Standing bold",
        "für Kestrel/Dauerbefehle solide/für Merlin/Dauerbefehle mutig",
    ],
)
def test_a_head_in_small_letters_makes_no_order_doubtful(league: League, heads: str) -> None:
    _, bob, _ = melee(league)
    if "für" in heads:
        bob.ask("LANGUAGE de")
    bob.reply(heads.replace("/", "\n"), to=bob.last_about(" for Merlin: "))
    bob.new()
    assert "ESCAPE" in sheets(league)["Kestrel"]
    assert "SCAN" in sheets(league)["Merlin"]


def test_another_pilots_name_before_an_order_is_asked_about(league: League) -> None:
    _, bob, _ = melee(league)
    letter = words(bob.ask("KESTREL: STANDING sound", to=bob.last_about(" for Merlin: ")))
    assert "YOUR MOVE" in letter
    assert "STANDING" not in sheets(league)["Kestrel"]
