"""A skirmish of Starfarer by mail, from ENLIST to the last letter, in English and in German."""

import json
import re
import textwrap
from email.message import EmailMessage

import pytest
from selectolax.lexbor import LexborHTMLParser

from pbem.games import export
from pbem.storage import Place, Step
from tests.support.harness import League, Person
from tests.support.players import plain, words

RAVENS = "SQUAD Ravens WITH Kitai: scout; Bo: guard, Sarn 40, jacket"
KITES = "SQUAD Kites WITH Ann: duellist; Cy: medic"


def begin(league: League, *squads: str, bob: str = "") -> tuple[Person, Person]:
    """Bring two people to the first report of a skirmish."""
    one, other = league.person("Ann"), league.person("Bob")
    for person, squad in zip((one, other), squads or (RAVENS, KITES), strict=True):
        person.join()
        if person is other and bob:
            person.ask(f"LANGUAGE {bob}")
        person.ask(squad)
    one.ask("CHALLENGE Kites WITH Ravens")
    other.new()
    other.ask("ACCEPT 1")
    one.new()
    other.new()
    return one, other


pytestmark = pytest.mark.league(systems=("starfarer",))


@pytest.fixture
def people(league: League) -> tuple[Person, Person]:
    return begin(league)


def plans(league: League, step: int = -1) -> list[str]:
    """The plans of a step."""
    return [
        text
        for _, text in json.loads(league.store.all(Step.select().order_by(Step.id))[step].orders)
    ]


def test_a_plan_of_several_lines_is_one_order(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    ann.ask("Kitai: ATTACK Cy WITH Lux 9\nIF ENGAGED: EVADE, ELSE HOLD\nABORT: EVADE\nBo: HOLD")
    assert league.game.steps == 0
    bob.reply("Ann: MOVE TOWARD nearest\nCy: ATTACK nearest")
    league.work()
    assert plans(league) == [
        "Ann: MOVE TOWARD nearest",
        "Cy: ATTACK nearest",
        "Kitai: ATTACK Cy WITH Lux 9; IF ENGAGED: EVADE, ELSE HOLD; ABORT: EVADE",
        "Bo: HOLD",
        "END",
    ]


def test_plans_on_file_are_told_to_nobody_else(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    ann.ask("Kitai: AIM AT Cy\nKitai: ATTACK Cy")
    for told in (words(bob.ask("REPORT 1")), words(bob.ask("HISTORY 1"))):
        assert "AIM AT Cy" not in told


def everything(letter: EmailMessage) -> str:
    """All that a letter holds: its headers, its words in both forms, and its attachments."""
    parts = [part for part in letter.walk() if not part.is_multipart()]
    texts = (
        bytes(part.get_payload(decode=True) or b"").decode("utf-8", "replace") for part in parts
    )
    return "\n".join([*(f"{name}: {value}" for name, value in letter.items()), *texts])


def test_nothing_tells_what_others_have_filed(
    league: League, people: tuple[Person, Person]
) -> None:
    """Neither in what others ask for while the round is open, nor what nobody lived to see."""
    ann, bob = people
    cleo = league.person("Cleo")
    cleo.join()
    asked = "PREVIEW\nAnn: HOLD\nCy: ATTACK Bo"
    report = bob.last_about("[G1-")
    odds = words(bob.ask(asked, to=report))
    seen = [(person, len(person.letters)) for person in (bob, cleo)]
    # A last phase that is not reached in the round stays unknown after it, too.
    hidden = "\n".join(["HOLD"] * 6 + ["MOVE TO 37"])
    ann.ask(f"Kitai: AIM AT Cy WITHIN 37\n{hidden}\nABORT: EVADE\nBo: HOLD", ann.last_about("[G1-"))
    again = words(bob.ask(asked, to=report))
    assert again == odds, "what is filed changes nobody's odds"
    for question in ("REPORT 1", "HISTORY 1", "MAP 1", "STATUS", "RECEIPTS 1"):
        bob.reply(question, report)
    for question in ("GAMES", "WATCH 1", "HISTORY 1", "MAP 1"):
        cleo.reply(question)
    league.work()
    bob.reply("Ann: HOLD\nCy: HOLD", report)
    league.work()
    assert league.game.steps == 1
    for person, before in seen:
        told = person.letters[before:]
        assert len(told) >= 4, [letter["Subject"] for letter in told]
        for letter in told:
            assert "WITHIN 37" not in everything(letter), letter["Subject"]
            assert "MOVE TO 37" not in everything(letter), letter["Subject"]


def test_a_fight_is_fought_to_its_end(league: League, people: tuple[Person, Person]) -> None:
    ann, bob = people
    ann.ask("Kitai: ATTACK nearest\nKEEP\nBo: ATTACK nearest\nKEEP")
    bob.reply("STANDING sound")
    for _ in range(30):
        league.work()
        if not league.game.running:
            break
        bob.reply("READY")
    assert not league.game.running
    for person in people:
        person.new()
        text = words(person.last_about("is over"))
        for phrase in ("YOUR SQUAD AFTER THIS BATTLE", "Opponents felled", "Wounds: ", "Round 1"):
            assert phrase in text
    found = list(export.verify(export.export(league.store, league.game)))
    assert all(finding.ok for finding in found)
    sheet = words(ann.ask("SHEET Ravens"))
    assert "Ravens, a squad worth" in sheet
    assert "from its last fight: " in sheet


def test_a_plan_with_keep_is_filed_again_until_another_replaces_it(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    ann.ask("Kitai: HOLD\nKEEP\nBo: HOLD\nKEEP")
    for number in range(3):
        bob.reply("Ann: HOLD\nCy: HOLD")
        league.work()
        assert league.game.steps == number + 1, words(bob.last)[:1200]
        assert "Kitai: HOLD; KEEP" in plans(league)
    ann.ask("Kitai: EVADE")
    bob.reply("Ann: HOLD\nCy: HOLD")
    league.work()
    assert plans(league)[2:4] == ["Kitai: EVADE", "Bo: HOLD; KEEP"]
    # Without KEEP it counted once: the round waits for another plan of Kitai's.
    bob.reply("Ann: HOLD\nCy: HOLD")
    league.work()
    assert league.game.steps == 4


def test_a_near_miss_a_preview_and_a_missed_deadline(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    report = ann.last_about("[G1-")
    text = words(ann.ask("Kitai: ATTCK Cy", to=report))
    assert "Perhaps you meant Kitai: ATTACK Cy" in text
    text = words(ann.ask("PREVIEW\nKitai: ATTACK Cy WITH Lux 9\nBo: HOLD", to=report))
    assert "Nothing was filed" in text
    assert "Kitai: ATTACK Cy WITH Lux 9: 48 %" in text
    assert re.search(r"Kitai: ATTACK Cy WITH Lux 9: about \d+ Shock", text)
    assert "games were played out from here" in text
    bob.reply("Ann: HOLD\nCy: HOLD")
    league.work()
    league.later(72.1)
    league.work()
    # Who is silent attacks the nearest, or evades (SF-7).
    assert "Bo: ATTACK nearest, ELSE EVADE" in plans(league)


@pytest.mark.league(systems=("starfarer",))
def test_a_fight_in_german(league: League) -> None:
    ann, bob = league.person("Ann"), league.person("Bob")
    for person in (ann, bob):
        person.join()
    bob.ask("LANGUAGE de")
    ann.ask(RAVENS)
    bob.ask("TRUPP Kites MIT Ann: Fechter; Cy: Sanitäter, Colt 12, Jacke")
    ann.ask("CHALLENGE Kites WITH Ravens")
    bob.new()
    bob.ask("ANNEHMEN 1")
    report = bob.last_about("[G1-")
    text = words(report)
    for phrase in (
        "Was du tun kannst",
        "Runde 1 auf einem Feld",
        "ANGREIFEN Kitai und Bo MIT Sabre",
    ):
        assert phrase.lower() in text.lower()
    answer = words(bob.ask("Ann: ANGRIEFEN nächsten", to=report))
    assert "Vielleicht meinst du Ann: ANGREIFEN nächsten" in answer
    bob.ask(
        "Ann: WENN BEDRÄNGT: ANGREIFEN nächsten MIT Sabre, SONST GEHEN ZU Bo\n"
        "ABBRUCH: PARIEREN\nCy: ANGREIFEN den nächsten\nBEIBEHALTEN",
        to=report,
    )
    ann.reply("Kitai: ATTACK Cy\nBo: ATTACK Cy", to=ann.last_about("[G1-"))
    league.work()
    assert plans(league, 0)[:2] == ["Kitai: ATTACK Cy", "Bo: ATTACK Cy"] or plans(league, 0)[
        :2
    ] == [
        "Ann: IF ENGAGED: ATTACK nearest WITH Sabre, ELSE MOVE TOWARD Bo; ABORT: PARRY",
        "Cy: ATTACK nearest; KEEP",
    ]
    text = words(bob.ask("BERICHT 1", bob.last_about("[G1-")))
    assert "Aktionspunkte: " in text
    assert "Faktor" in text
    for english in ("attacks", "points", "Wound:", "round "):
        assert english not in text


WORDS = {
    "en": (r"Round 1\. Action points: ", " attacks ", "A hit (", "Struck: "),
    "de": (r"Runde 1\. Aktionspunkte: ", " greift ", "Getroffen (", "Treffer: "),
}


@pytest.mark.parametrize("language", WORDS)
def test_a_round_is_told_act_by_act(league: League, language: str) -> None:
    """Each act is an item of its own, with its blow and its wound in sentences of their own."""
    ann, bob = begin(league, bob=language)
    bob.reply("Ann: MOVE TOWARD nearest; ATTACK nearest\nCy: ATTACK nearest")
    ann.reply("Kitai: ATTACK nearest\nBo: ATTACK nearest")
    league.work()
    report, body = bob.last, bob.last.get_body(("html",))
    first, attack, hit, struck = WORDS[language]
    text = re.split(r"\n\n(?=[A-ZÄÖÜ ]+\n\n)", re.split(first, plain(report), maxsplit=1)[1])[0]
    acts = [" ".join(re.split(r"\n\s*\n", one)[0].split()) for one in re.split(r"\n+- ", text)[1:]]
    attacks = [act for act in acts if attack in act]
    assert len(attacks) >= 3
    for act in attacks:
        assert act.count(attack) == 1
        assert (hit in act) == (struck in act)
        assert max(map(len, re.split(r"[.)] ", act))) < 90
    assert body is not None
    items = [
        " ".join(node.text().split()) for node in LexborHTMLParser(body.get_content()).css("li")
    ]
    assert set(attacks) <= set(items)


def test_the_first_report_tells_of_no_letter_before_it(league: League) -> None:
    ann, bob = begin(league, bob="de")
    first = words(ann.last_about("[G1-T1"))
    assert "since the last letter" not in first
    assert "other sheet" not in first
    # What can't be done to any of several enemies is told once.
    assert "ATTACK Ann and Cy WITH Talon and unarmed (the target is out of reach)" in first
    german = words(bob.last_about("[G1-T1"))
    assert "Seit dem letzten Brief" not in german
    assert "anderen Bogen" not in german
    assert "PARIEREN MIT waffenlos" in german
    assert "ANGREIFEN Kitai und Bo MIT waffenlos (das Ziel ist zu weit weg)" in german
    assert "unarmed" not in german
    # A letter that only acknowledges says where the choices stand.
    bob.ask("Ann: PARIEREN MIT waffenlos")
    answer = bob.ask("Cy: PARIREN MIT waffenlos")
    assert "Was du sonst befehlen kannst, zeigt BERICHT 1." in words(answer)
    assert "Weiter unten steht" not in words(answer)


@pytest.mark.parametrize("width", [64, 66, 72, 79])
def test_a_wrapped_plan_is_the_whole_plan_or_none(
    league: League, people: tuple[Person, Person], width: int
) -> None:
    plan = (
        "Bo: MOVE TOWARD Cy; ATTACK Cy WITH Sarn 40 WITHIN 20 FINISH;"
        " IF ENGAGED: EVADE, ELSE ATTACK nearest; ABORT: EVADE; KEEP"
    )
    people[0].ask(textwrap.fill(plan, width, break_on_hyphens=False))
    assert held(league) == [plan]


def test_a_plan_whose_rest_cannot_be_read_is_not_taken(
    league: League, people: tuple[Person, Person]
) -> None:
    above = "Bo: MOVE TOWARD Cy; ATTACK Cy WITH Sarn 40 WITHIN 20 FINISH; IF ENGAGED: EVADE,"
    text = words(people[0].ask(f"{above}\nEESLE ATTACK nearest; KEEP"))
    assert held(league) == []
    assert "READ, BUT NOT DONE YET" in text


def test_an_order_below_the_name_of_a_rule_is_the_rules(
    league: League, people: tuple[Person, Person]
) -> None:
    people[0].ask("IF HURT AND BLEEDING: Kitai:\nYIELD")
    assert held(league) == []
    place = league.store.first(Place.select().where(Place.seat == "Ravens").order_by(Place.id))
    assert place is not None
    assert '"order":"Kitai: YIELD"' in place.sheet


def held(league: League) -> list[str]:
    """The plans that Ann has on file."""
    place = league.store.first(Place.select().where(Place.seat == "Ravens").order_by(Place.id))
    assert place is not None
    return list(json.loads(place.sheet)["queue"])
