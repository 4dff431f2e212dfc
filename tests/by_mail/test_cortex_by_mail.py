"""A battle of Cortex by mail, from ENLIST to the last letter, in English and in German."""

import json
import re
import textwrap
from pathlib import Path

import pytest

from pbem.games import export
from pbem.storage import Persona, Step
from tests.support.forging import run
from tests.support.harness import League, Person, fixed_entropy, open_league
from tests.support.paths import ROOT
from tests.support.players import attached, plain, words

RAVENS = "GROUP Ravens WITH Lance: fighter, veteran; Red: 3 fighters; Citadel: frigate"
KITES = "GROUP Kites WITH Blue: 3 strikers, veteran; Fort: frigate"


pytestmark = pytest.mark.league(systems=("cortex",), entropy=fixed_entropy)


@pytest.fixture
def people(league: League) -> tuple[Person, Person]:
    """Two people with the first report of a battle."""
    one, other = league.person("Ann"), league.person("Bob")
    for person, group in ((one, RAVENS), (other, KITES)):
        person.join()
        assert "Enlisted" in person.ask(group)["Subject"]
    one.ask("CHALLENGE Kites WITH Ravens")
    other.new()
    other.ask("ACCEPT 1")
    one.new()
    other.new()
    return one, other


def orders(league: League, step: int = -1) -> list[str]:
    """The orders of a step."""
    return [
        text
        for _, text in json.loads(league.store.all(Step.select().order_by(Step.id))[step].orders)
    ]


def checked(person: Person, ask: str, folder: Path) -> str:
    """What the script of a letter says of the battle, and of all receipts that a person has."""
    sent = attached(person.ask(ask))
    assert sent.keys() == {"verify_cortex.py", "G1.json"}
    kept = [one["receipt.txt"] for one in map(attached, person.letters) if "receipt.txt" in one]
    files = sent | {f"receipt{n}.txt": receipt for n, receipt in enumerate(kept)}
    for name, content in files.items():
        (folder / name).write_bytes(content)
    done = run("-I", *(str(folder / name) for name in files))
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_a_battle_is_fought_to_its_end(
    league: League, people: tuple[Person, Person], tmp_path: Path
) -> None:
    ann, bob = people
    begun = words(ann.last_about("[G1-"))
    for phrase in ("Turn 1.", "Citadel (frigate) has all 150 LP", "FIRE Railgun AT"):
        assert phrase in begun
    assert "commander d" not in begun, "of many vessels REPORT sends the sheets"
    assert "commander d" in words(ann.ask("REPORT 1", ann.last_about("[G1-")))
    bob.reply(
        "Blue 1: LOCK Torpedo ON Citadel\nBlue 2: CLOSE ON Red 1\nBlue 3: DEFEND\n"
        "Fort: COMMANDER ASSIST guns, PLOT, FIRE 6 Railgun AT Citadel, EVADE"
    )
    league.work()
    # Nobody is told what others have on file.
    assert "Torpedo ON Citadel" not in words(ann.ask("REPORT 1"))
    ann.ask(
        "Lance: LOCK Dart ON Fort\nRed 2: JOIN Red 1\nRed 3: JOIN Red 1\n"
        "Red 1: CLOSE ON Fort, DEFEND\n"
        "Citadel: COMMANDER ASSIST guns, PLOT, FIRE 6 Railgun AT Fort, LOCK Javelin ON Blue 3",
        to=ann.last_about("[G1-"),
    )
    league.work()
    told = words(ann.ask("REPORT 1", ann.last_about("[G1-T2")))
    for phrase in (
        "Turn 1",
        "Initiative, the highest first",
        "Citadel, commander: helps guns",
        "Red 2",
        "Citadel at Fort: 6 Railgun",
        "hit: ",
        "Lance at Fort: lock Dart",
        "Point defence, which pilots roll against",
        "Red 1's wing: Fort (Flak)",
    ):
        assert phrase in told
    # One missile flies at the range between the two, and one whole turn is left to be rid of it.
    offered = words(bob.last_about("[G1-T2"))
    assert re.search(r"LAUNCH Torpedo AT Citadel \(hits .*? if not stopped\)", offered)
    assert "SURRENDER" not in offered
    bob.reply("Blue 1: LAUNCH Torpedo AT Citadel\nREADY", to=bob.last_about("[G1-T2"))
    ann.reply("Citadel: LAUNCH Javelin AT Blue 3\nREADY", to=ann.last_about("[G1-T2"))
    league.work()
    told = words(ann.ask("REPORT 1", ann.last_about("[G1-T3")))
    for phrase in ("launches Torpedo at Citadel: missile M", "Against it: INTERCEPT M", "OUTFLY M"):
        assert phrase in told
    for person in people:
        person.reply("STANDING sound", to=person.last_about("[G1-"))
    for _ in range(60):
        league.work()
        if not league.game.running:
            break
        for person in people:
            person.reply("READY", to=person.last_about("[G1-"))
    assert not league.game.running
    every = " ".join(words(letter) for person in people for letter in person.letters)
    for phrase in ("joins the wing of", "launches Javelin at Blue 3"):
        assert phrase in every, phrase
    for person in people:
        person.new()
        told = words(person.last_about("is over"))
        for phrase in ("YOUR GROUP AFTER THIS BATTLE", "Opponents put out", "LP"):
            assert phrase in told
    assert all(found.ok for found in export.verify(export.export(league.store, league.game)))
    assert "in its last battle" in words(ann.ask("SHEET Ravens")) + words(bob.ask("SHEET Kites"))
    told = words(ann.ask("HISTORY 1"))
    assert "joins the wing of" in told or "forms up with" in told
    assert "Both sides agree" not in told
    told = checked(ann, "SCRIPT 1", tmp_path)
    assert "(result) - so all of it agrees\n" in told
    assert "The receipts agree" in told


def test_orders_with_keep_a_near_miss_a_preview_and_a_missed_deadline(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, _ = people
    report = ann.last_about("[G1-")
    text = words(ann.ask("Lance: LOKC Dart ON Fort", to=report))
    assert "Perhaps you meant Lance: LOCK Dart ON Fort" in text
    text = words(
        ann.ask("PREVIEW\nCitadel: FIRE 6 Railgun AT Fort\nLance: LOCK Dart ON Fort", to=report)
    )
    assert "Nothing was filed" in text
    ann.ask("Citadel: PLOT, FIRE 6 Railgun AT Fort, KEEP", to=report)
    league.later(72.1)
    league.work()
    assert "Citadel: PLOT, FIRE 6 Railgun AT Fort, KEEP" in orders(league)
    assert "Blue 1: HOLD" in orders(league)
    assert "Blue 1 to Blue 3 hold their range, and defend" in words(ann.last_about("[G1-T2"))


def test_a_battle_in_german(tmp_path: Path) -> None:
    with open_league(tmp_path, systems=("cortex",)) as league:
        ann, bob = league.person("Ann"), league.person("Bob")
        for person in (ann, bob):
            person.join()
        bob.ask("LANGUAGE de")
        ann.ask("GROUP Ravens WITH Lance: fighter; Red: 2 fighters")
        bob.ask("VERBAND Kites MIT Blau: 2 Jagdbomber, Veteranen")
        ann.ask("CHALLENGE Kites WITH Ravens RANGE skirmish")
        bob.new()
        bob.ask("ANNEHMEN 1")
        report = bob.last_about("[G1-")
        text = words(report)
        for phrase in ("Was du tun kannst", "Zug 1.", "Jagdbomber", "im Nahkampf"):
            assert phrase.lower() in text.lower()
        answer = words(bob.ask("Blau 1: FEUREN Beam AUF Lance", to=report))
        assert "Vielleicht meinst du Blau 1: FEUERN Beam AUF Lance" in answer
        bob.ask("Blau 1: FEUERN Beam AUF Lance\nBlau 2: ANSCHLIESSEN AN Blau 1", to=report)
        ann.reply("Lance: FIRE Talon AT Blau 1\nRed 1: DEFEND\nRed 2: DEFEND")
        league.work()
        assert "Blau 2: JOIN Blau 1" in orders(league, 0)
        text = words(bob.ask("BERICHT 1", bob.last_about("[G1-T2")))
        for phrase in ("Kurvenkampf: ", "hat Vorteil", "feuert Beam auf Lance", "gegen"):
            assert phrase in text
        for english in ("Advantage", "fires", "Wound", "Turn ", "range"):
            assert english not in text
        assert "Nahkampf" in words(bob.ask("REGELN cortex Fliegen"))
        for person in (ann, bob):
            person.ask("DRAW 1")
        assert not league.game.running
        assert "Both sides agree on a draw" in words(ann.ask("HISTORY 1"))
        assert "einigen sich auf ein Remis" in words(bob.ask("CHRONIK 1"))
        bob.new()
        assert "The receipts agree" in checked(bob, "SKRIPT 1", tmp_path)
        assert "python3 verify_cortex.py" in words(bob.last)
        assert "Beigefügt sind das Programm" in words(bob.last)


@pytest.mark.long
@pytest.mark.parametrize("name", ["convoy", "strike", "bombardment"])
def test_a_moderators_scenario_is_set_up_and_played(tmp_path: Path, name: str) -> None:
    found = json.loads((ROOT / f"examples/cortex/{name}.json").read_text("utf-8"))
    with open_league(tmp_path, systems=("cortex",)) as league:
        ann = league.person("Ann")
        ann.join()
        owners = {
            seat: "Ann Example" if whose == "moderator" else "house easy"
            for seat, whose in found["seats"].items()
        }
        done = league.rule(f"BATTLE\n{json.dumps(found | {'seats': owners})}")
        league.work()
        ann.new()
        own = "Eye: SPOT port\nAnvil: BOMBARD port WITH 6 Railgun, SPOTTER Eye\n"
        first = own if name == "bombardment" else ""
        # By standing orders alone the battle would run on to its end.
        ann.reply(f"{first or 'STANDING sound'}\nREADY", to=ann.last_about("[G1-"))
        for _ in range(2):
            league.work()
            ann.reply("STANDING sound\nREADY", to=ann.last_about("[G1-"))
        assert "game 1" in done
        assert league.game.steps >= 2 or not league.game.running
        text = " ".join(words(letter) for letter in ann.letters)
        assert "Turn 1" in text
        if first:
            assert "Anvil bombards port with 6 Railgun, led by Eye" in text
            suffered = r"port \(small city\): [1-9]\d* of 25 points of damage; of 9000 people [1-9]"
            for about in ("[G1-T2", "game 1 is over"):
                assert re.search(suffered, words(ann.last_about(about)))


def test_a_group_of_twelve_with_long_names_is_one_order(league: League, ann: Person) -> None:
    vessels = "; ".join(
        f"Vanguard of Saint {one}: fighter, veteran"
        for one in "Ada Bo Cy Dan Eva Flo Gus Hal Ida Jo Kay Lou".split()
    )
    order = f"GROUP Ravens WITH {vessels}"
    assert len(order) > 450
    text = words(ann.ask("\n".join(textwrap.wrap(order, 76))))
    assert "Ravens is on the list" in text
    [row] = league.store.all(Persona.select().where(Persona.name == "Ravens").order_by(Persona.id))
    assert len(json.loads(row.record)["ships"]) == 12


def test_what_many_vessels_do_alike_is_told_once(league: League) -> None:
    ann, bob = league.person("Ann"), league.person("Bob")
    for person, group in ((ann, "Ravens WITH R"), (bob, "Kites WITH K")):
        person.join()
        person.ask(f"GROUP {group}: 12 fighters")
    bob.ask("LANGUAGE de")
    ann.ask("CHALLENGE Kites WITH Ravens")
    bob.new()
    bob.ask("ANNEHMEN 1")
    for person, own, foe in ((ann, "R", "K"), (bob, "K", "R")):
        orders = [f"{own} {n}: DEFEND, FIRE Talon AT {foe} 1" for n in range(1, 13)]
        person.reply("\n".join(orders), person.last_about("[G1-"))
    league.work()
    english, german = words(ann.last_about("[G1-")), words(bob.last_about("[G1-"))
    assert "R 1 to R 12 defend." in english
    assert "K 1 to K 12 defend." in english
    assert "R 1 to R 12 could not fire: the range was wrong." in english
    assert "R 1 bis R 12 verteidigen sich." in german
    # The reader's own come first, whoever challenged.
    assert german.index("Was deine Seite tat:") < german.index("Was die andere Seite tat:")
    english = words(ann.last_about("the battle begins"))
    told = words(bob.last_about("der Kampf beginnt"))
    assert "R 1 to R 12 (fighter) have all 16 LP." in english
    assert told.index("K 1 bis K 12 (Jäger)") < told.index("R 1 bis R 12 (Jäger)")
    assert english.index("R 1 to R 12 (fighter)") < english.index("K 1 to K 12 (fighter)")
    assert "K 1 bis K 12 konnten nicht feuern: die Entfernung passte nicht." in german
    assert "K 1 bis K 12 (Jäger) haben alle 16 LP." in told
    assert len(plain(ann.last_about("[G1-")).splitlines()) <= 110


def test_an_order_that_is_too_long_is_refused_and_never_cut_off(
    league: League, ann: Person
) -> None:
    vessels = "; ".join(f"{'Vanguard ' * 9}{one}: fighter" for one in "ABCDEFGHI")
    text = words(ann.ask(f"GROUP Ravens WITH {vessels}"))
    assert "an order may have 800 characters, and this one has more" in text
    assert "shorter names" in text
    ann.reply(f"LANGUAGE de\nVERBAND Ravens MIT {vessels}")
    text = " ".join(map(words, ann.new()))
    assert "Ein Befehl darf 800 Zeichen haben, und dieser hat mehr" in text
    assert league.store.count(Persona.select()) == 0


def test_rocks_are_nobodys_doing(league: League) -> None:
    ann, bob = league.person("Ann"), league.person("Bob")
    for person, group in ((ann, "Ravens WITH R"), (bob, "Kites WITH K")):
        person.join()
        person.ask(f"GROUP {group}: 2 fighters")
    ann.ask("CHALLENGE Kites WITH Ravens RANGE long ROCKS 2")
    bob.new()
    bob.ask("ACCEPT 1")
    report = words(bob.last_about("[G1-"))
    assert "Rock 2 is a" in report
    assert "at long range" in report
    assert "What the other side did" not in report
