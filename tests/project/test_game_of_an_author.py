"""What an author's own game asks of the program: secrets, turns of all at once, own words.

The game is in tests/support/hunt: submarines that nobody sees, teams of two, and German.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from engine.checking_script import protocol
from engine.laws import LAWS, Finding, check
from engine.ruleset import AnyRuleset
from pbem.commands.rule_systems import _case
from tests.support import outside_systems
from tests.support.paths import ROOT

HUNT = ROOT / "tests" / "support" / "hunt"
_LAWS = {law.name: law for law in LAWS}


@pytest.fixture(scope="module")
def rules() -> Iterator[AnyRuleset]:
    """The game, though it is not installed."""
    sys.path.insert(0, str(HUNT.parent))
    yield import_module("hunt.rules").RULES
    sys.path.remove(str(HUNT.parent))


def tried(rules: AnyRuleset, law: str, games: int = 4) -> Finding:
    return check(rules, _LAWS[law], games)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
def test_it_keeps_the_laws(rules: AnyRuleset, law: Any) -> None:
    found = check(rules, law, 4)
    assert found.broken is None, found.orders


# What the laws find in such a game


def test_a_chance_is_tried_where_all_order_at_once(rules: AnyRuleset) -> None:
    def offers(state: Any, seat: Any) -> Any:
        return [
            one._replace(chance=70) if one.chance == 50 else one
            for one in rules.offers(state, seat)
        ]

    law = _LAWS["chances"]._replace(every=1)
    found = check(replace(rules, offers=offers), law, 20)
    assert "'REPAIR' is offered with 70 %" in (found.broken or "")
    # One game is enough to see that the true chance is told.
    assert check(rules, law._replace(every=40), 4).broken is None


def test_german_that_is_shown_and_not_read_is_found(rules: AnyRuleset) -> None:
    german = replace(rules.translations["de"], ending=r"\d+")
    found = tried(replace(rules, translations={"de": german}), "reads")
    assert "2' in de, and read as None" in (found.broken or "")


@pytest.mark.parametrize(
    ("imagine", "why"),
    [(None, "so bots need imagine"), (lambda state, seat, dice: state, "imagine knows for ")],
    ids=["none", "the truth"],
)
def test_a_preview_that_would_tell_a_secret_is_found(
    rules: AnyRuleset, imagine: Any, why: str
) -> None:
    assert rules.bots is not None
    bots = replace(rules.bots, imagine=imagine)
    assert why in (tried(replace(rules, bots=bots), "keeps secrets").broken or "")


# Its letters

PLAYED = """
import json, re, tempfile
from pathlib import Path
from tests.support.harness import open_league
from tests.support.players import address_of, attached, plain

NAMES = ("Otter", "Perch", "Quill", "Roach")
BOATS = dict(zip(NAMES, ("Ann Example", "house sound", "Bob Example", "house sound")))
BATTLE = json.dumps({"system": "hunt", "setup": {"players": [*NAMES]}, "seats": BOATS})
told = {}
with tempfile.TemporaryDirectory() as folder, open_league(
    Path(folder), systems=("hunt",), moderator=address_of("Mona")
) as league:
    ann, bob, cleo, mona = (league.person(name) for name in ("Ann", "Bob", "Cleo", "Mona"))
    for person in (ann, bob, cleo, mona):
        person.join()
    told["welcome"] = plain(ann.last)
    for name, order in (
        ("no script", "SCRIPT"), ("ships", "SHIPS"), ("help", "HELP"), ("orders", "HELP orders"),
        ("rewards", "HELP rewards"),
    ):
        told[name] = plain(ann.ask(order))
    told["language"] = plain(bob.ask("LANGUAGE de"))
    told["rules"], told["sheet"] = plain(ann.ask("RULES")), plain(ann.ask("SHEET"))
    told["practice"], told["üben"] = plain(ann.ask("PRACTICE")), plain(bob.ask("ÜBEN"))
    told["letters"] = plain(ann.ask("HELP letters"))
    told["befehle"] = plain(bob.ask("HILFE Befehle"))
    ann.ask("CHALLENGE Bob Example AT hunt")
    bob.ask("ANNEHMEN 1")
    cleo.ask("WATCH 1")
    first = [person.last_about("[G1") for person in (ann, bob)]
    told["first"], told["erster"] = map(plain, first)
    told["receipt"] = attached(first[0])["receipt.txt"].decode()
    told["preview"] = plain(ann.ask("PREVIEW\\nPING\\nFIRE A1", first[0]))
    two = told["fahre"] = re.search("FAHRE . 2", told["erster"])[0]
    told["vorschau"] = plain(bob.ask(f"VORSCHAU\\n{two.lower()}\\nhorche", first[1]))
    told["waits"] = plain(ann.ask("STATUS", first[0]))
    told["wartet"] = plain(bob.ask("STATUS", first[1]))
    told["unseen"] = plain(ann.ask("All is quiet.", first[0]))
    told["ungesehen"] = plain(bob.ask("Alles ist still.", first[1]))
    told["story"] = plain(ann.ask("STORY: All is quiet below the ice.", first[0]))
    told["erzählt"] = plain(bob.ask("ERZÄHLUNG: Unter dem Eis ist alles still.", first[1]))
    told["filed"] = plain(ann.ask("REPAIR", first[0]))
    ann.ask("SAIL " + told["first"].split("  SAIL ")[1][0] + "\\nFIRE A1", first[0])
    bob.ask("LAUERE\\nFEUERE F6", first[1])
    told["zweiter"] = plain(bob.last)
    ann.ask("DRAW 1", ann.last_about("[G1"))
    bob.ask("REMIS 1", bob.last_about("[G1"))
    told["over"] = plain(ann.last_about("is over"))
    told["status"] = plain(ann.ask("STATUS"))
    ann.ask("SUBSCRIBE")
    bob.ask("ABONNIEREN")
    for one, other in (("news", "zeitung"), ("quiet", "ruhig")):
        league.rule("NEWSLETTER")
        league.work()
        told[one] = plain(ann.last_about("newsletter"))
        told[other] = plain(bob.last_about("Newsletter"))
    told["script"] = plain(ann.ask("SCRIPT 1"))
    told["export"] = attached(ann.last)["G1.json"].decode()
    told["history"] = plain(ann.ask("HISTORY 1"))
    told["chronik"] = plain(bob.ask("CHRONIK 1"))
    told["watched"] = "".join(map(plain, cleo.letters))
    ann.ask("CHALLENGE ANYBODY AT hunt SEATS 4")
    told["twin"] = plain(ann.ask("CHALLENGE ANYBODY AT hunt SEATS 4"))
    told["games"] = plain(cleo.ask("GAMES"))
    told["partien"] = plain(bob.ask("PARTIEN"))
    ann.ask("CHALLENGE Bob Example AT hunt")
    bob.ask("ABLEHNEN 3")
    told["declined"] = plain(ann.last)
    ann.ask("CHALLENGE Bob Example AT hunt")
    league.later(15 * 24)
    league.work()
    told["lapsed"] = "".join(map(plain, ann.letters[-2:]))
    told["verfallen"] = plain(bob.last)
    mona.write(f"KEY {mona.key}\\nGM BATTLE\\n{BATTLE}")
    league.work()
    told["team"] = plain(ann.last_about("-T1 "))
print(json.dumps(told))
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the game is installed."""
    folder = tmp_path_factory.mktemp("site")
    outside_systems.install_hunt(folder)
    return folder


def ran(folder: Path, *arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        input=typed,
        env=os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{folder}"},
        capture_output=True,
        text=True,
        timeout=120,
        cwd=folder,
    )


def test_check_says_what_is_wrong_and_where(site: Path, tmp_path: Path) -> None:
    copied = tmp_path / "site"
    shutil.copytree(site, copied)
    catalogue = copied / "hunt/locale/de/hunt.po"
    catalogue.write_text(catalogue.read_text("utf-8").replace('msgid "loud"', 'msgid "low"'))
    done = ran(copied, "-m", "pbem", "system", "check", "hunt", "--games", "1")
    assert done.returncode == 1, done.stderr
    assert "pictures      not tried: the system has no pictures" in done.stdout
    assert re.search(r"'loud' is not in locale/de\n", done.stdout)
    assert re.search(r"rules.py, line \d+: 'loud'", done.stdout)


@pytest.mark.long
def test_one_person_writes_the_letters_of_all_at_the_terminal(site: Path, tmp_path: Path) -> None:
    out = str(tmp_path / "letters")
    typed = "SAIL S 2 2\n.\nLURK\n.\nlurk\n.\nAS Bob\nDRAW\n.\n"
    done = ran(site, "-m", "pbem", "demo", "--play", "hunt", "--out", out, typed=typed)
    assert done.returncode == 0, done.stderr
    text = done.stdout
    assert "TO BOB: [G1-T1] Your move in 1: Ann against Bob" in text
    # Whoever has written no order that counts still owes one.
    assert re.findall(r"Your letter, as (\w+):", text) == ["Ann", "Ann", "Bob", "Ann", "Ann"]
    assert "TO ANN: [G1-T2] Your move in 1" in text
    assert "TO ANN: [G1-T2] Bob offers a draw" in text


def test_check_stops_at_a_game_that_cannot_be_played(site: Path, tmp_path: Path) -> None:
    copied = tmp_path / "site"
    shutil.copytree(site, copied)
    code = copied / "hunt/rules.py"
    code.write_text(code.read_text("utf-8").replace("change(boat, at=", "change(boat, place="))
    done = ran(copied, "-m", "pbem", "system", "check", "hunt", "--games", "1")
    assert (done.returncode, done.stderr.count("Traceback")) == (1, 0), done.stderr
    text = r"plays: the game can't be played on: TypeError: .*\(hunt\.rules, line \d+, in apply\)"
    assert re.search(text, done.stdout)
    assert "repeats" not in done.stdout


def test_of_a_game_without_end_the_beginning_and_the_end_are_printed(rules: AnyRuleset) -> None:
    orders = tuple(f"Ann: SAIL N, {number}" for number in range(5000))
    lines = _case(rules, Finding(LAWS[0], 1, 5000, "it has not ended", orders=orders))
    assert [line for line in lines if "more steps" in line] == ["  … 4,960 more steps …"]
    assert "  1. Ann: SAIL N, 0" in lines
    assert "  5000. Ann: SAIL N, 4999" in lines


def test_a_broken_law_names_the_place(rules: AnyRuleset) -> None:
    def view(state: Any, seat: Any) -> Any:
        squares = {s: list(boat.at) for s, boat in state.boats.items()}
        return {**rules.view(state, seat), "squares": squares}

    found = tried(replace(rules, view=view), "keeps secrets").broken or ""
    text = "the view of Ann shows more than the events it may know: squares.Bob.0 is 0, and "
    assert found.startswith(text)


@pytest.fixture(scope="module")
def letters(site: Path) -> dict[str, str]:
    """Letters of a hunt, by what they are about."""
    done = ran(site, "-c", PLAYED)
    assert done.returncode == 0, done.stderr + done.stdout
    return {name: " ".join(text.split()) for name, text in json.loads(done.stdout).items()}


def test_a_league_without_careers_tells_how_to_begin(letters: dict[str, str]) -> None:
    assert "CHALLENGE ANYBODY AT hunt SEATS 2" in letters["welcome"]
    assert "HELP enlist" not in letters["welcome"] + letters["help"]
    assert "FORDERN JEDEN BEI hunt PLÄTZE 2" in letters["language"]
    assert "ENLIST" not in letters["orders"]
    assert "PATROL" not in letters["orders"]
    assert "The games of this league have nothing of that." in letters["rewards"]
    for order in ("CHALLENGE Bob AT hunt", "REMATCH 12", "SCRIPT 12"):
        assert order in letters["orders"]


def test_what_there_is_none_of_is_refused_in_words(letters: dict[str, str]) -> None:
    assert "there is no checking script for what is played here" in letters["no script"]
    assert "there is nothing to choose from in what is played here" in letters["ships"]


def test_the_orders_stand_in_the_report_with_their_words(letters: dict[str, str]) -> None:
    assert re.search(r"SAIL . 2 +no roll +loud", letters["first"])
    assert "There are more with other words behind FIRE." in letters["first"]
    assert "FEUERE A1" in letters["erster"]
    assert "hinter FEUERE." in letters["erster"]
    assert "FAHRE" in letters["erster"]


def test_dice_that_were_rolled_in_secret_are_told_at_the_end_alone(letters: dict[str, str]) -> None:
    assert '"some_rolls":[[6,' in letters["receipt"]
    assert "begins: Bob" not in letters["receipt"] + letters["watched"]
    export = letters["export"]
    assert "begins: Bob" in export
    # What Ann was told agrees with the export, and no roll can be slipped in.
    line = json.loads(letters["receipt"][letters["receipt"].rindex('{"digest"') :])
    steps = json.loads(export)[1:-1]
    protocol.agree(dict(line), {}, steps)
    line["some_rolls"][0][1] += 6
    with pytest.raises(protocol.Wrong, match="the rolls should be among"):
        protocol.agree(line, {}, steps)


def test_a_preview_speaks_of_no_fight(letters: dict[str, str]) -> None:
    assert "games were played out from here" in letters["preview"]
    assert "Partien wurden von hier aus" in letters["vorschau"]
    for word in ("hits", "fight", "pilot", "Kampf", "Kämpfe", "Pilot"):
        assert word not in letters["preview"] + letters["vorschau"]


def test_an_order_is_told_with_its_chance(letters: dict[str, str]) -> None:
    # How likely it is to hear somebody would tell how many are left.
    assert "PING a roll" in letters["first"]
    assert "HORCHE mit Wurf" in letters["erster"]
    assert (
        "Order 1 is PING: a roll decides. - Order 2 is FIRE A1: it needs no" in letters["preview"]
    )
    # German that a letter offers is read, with its number, and in small letters.
    assert f"Befehl 1 ist {letters['fahre']}: dafür wird nicht" in letters["vorschau"]
    assert "Befehl 2 ist HORCHE: ein Wurf entscheidet" in letters["vorschau"]


def test_a_challenge_that_comes_to_nothing_offers_what_can_be_ordered(
    letters: dict[str, str],
) -> None:
    assert "Ann Example: Silent Deep with 4 seats, number 2." in letters["games"]
    assert "Ann Example: Silent Deep mit 4 Plätzen, Nummer 2." in letters["partien"]
    assert "Bob Example does not want to play" in letters["declined"]
    assert "that challenge is open already: number 2" in letters["twin"]
    assert "CHALLENGE ANYBODY AT hunt offers" in letters["declined"]
    assert "Not all seats of challenge 2" in letters["lapsed"]
    assert "FORDERN JEDEN BEI hunt bietet" in letters["verfallen"]
    for name in ("declined", "lapsed", "verfallen"):
        assert " WITH " not in letters[name]
        assert " MIT " not in letters[name]


_ENGLISH = (
    "welcome help status waits unseen story games history over declined lapsed".split()
    + "script news quiet".split()
)
_GERMAN = "language erster partien wartet ungesehen erzählt chronik verfallen zeitung ruhig".split()


def test_no_letter_speaks_of_battles(letters: dict[str, str]) -> None:
    for name in _ENGLISH:
        assert not re.search(r"(?i)battle|fight|pilot|patrol|kestrel", letters[name]), name
    for name in _GERMAN:
        assert not re.search(r"Kampf|Kämpfe|kämpf|Pilot|Staffel", letters[name]), name
    assert "tells them to everybody" in letters["unseen"]
    assert "erzählt sie allen" in letters["ungesehen"]
    assert "there are no orders for the game in it" in letters["story"]
    assert "Befehle für die Partie stehen nicht darin" in letters["erzählt"]
    assert "STANDING" not in letters["orders"]
    assert "DAUERBEFEHLE" not in letters["befehle"]
    assert "TELL Bob" in letters["letters"]


def test_a_newsletter_speaks_of_games_and_of_those_who_play_them(letters: dict[str, str]) -> None:
    assert "Ann Example and Bob Example drew, after " in letters["news"]
    assert "am 2. Nov. 2026 geschehen" in letters["zeitung"]
    assert "trennten sich mit einem Remis" in letters["zeitung"]
    assert 'Bob Example erzählt: "Unter dem Eis ist alles still."' in letters["zeitung"]
    assert "on 2 Nov 2026. It was a quiet time: no game ended. TO UN" in letters["quiet"]
    for name in ("news", "zeitung"):
        assert not re.search(r"(?i)player of|HELP enlist|Anwerben", letters[name])


def test_there_are_no_rules_and_no_sheets_to_send(letters: dict[str, str]) -> None:
    assert "there are no rules to send for what is played here" in letters["rules"]
    assert "there are no sheets: you play as yourself" in letters["sheet"]
    assert "you play as yourself here, so there is nobody to name" in letters["practice"]
    assert "Du spielst hier selbst, also gibt es niemanden zu nennen" in letters["üben"]


def test_an_order_that_is_not_possible_leaves_the_turn_open(letters: dict[str, str]) -> None:
    assert "No order that is possible now. The turn waits" in letters["filed"]


def test_a_step_of_which_nothing_may_be_known_says_so(letters: dict[str, str]) -> None:
    assert "Schritt 1. Nichts, wovon du wissen kannst, ist geschehen." in letters["zweiter"]


def test_a_team_that_orders_at_once_has_no_leader(letters: dict[str, str]) -> None:
    assert "Perch is at" in letters["team"]
    assert "YOUR TEAM" not in letters["team"]


def test_who_watches_reads_what_all_may_know(letters: dict[str, str]) -> None:
    for kind in ("watched", "history"):
        assert "A torpedo goes off at A1." in letters[kind]
        assert "is at" not in letters[kind]


def test_the_last_report_offers_the_same_again(letters: dict[str, str]) -> None:
    assert "The hunt is a draw." in letters["over"]
    assert "REMATCH 1" in letters["over"]
    assert "pbem verify" in letters["script"]
