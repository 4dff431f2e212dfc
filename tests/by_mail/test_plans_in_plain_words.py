"""Plans in plain words stay private, and courtesies around orders are no story."""

from pathlib import Path

import pytest

from tests.support.each_system import asked, first_reports
from tests.support.harness import League, Person, duel, open_league
from tests.support.players import HAWK, words

pytestmark = pytest.mark.league(systems=("starpilot",))

PLAN = ("reads like a plan", "liest sich wie ein Plan")
PUBLIC = ("OTHERS WILL READ THIS", "DAS LESEN DIE ANDEREN")
STORY = ("YOUR STORY", "DEINE GESCHICHTE")


@pytest.fixture
def ann(league: League) -> Person:
    return duel(league)[0]


def told(league: League) -> list[str]:
    """Return the public stories."""
    return [one.text for one in league.store.stories.all() if one.public]


def answered(ann: Person, written: str, german: bool = False) -> str:
    report = ann.last_about("[G1-")
    if german:
        ann.ask("LANGUAGE de")
    return words(ann.ask(written, report))


@pytest.mark.parametrize(
    ("written", "rule"),
    [
        ("Jink if he locks on me", "IF condition: JINK"),
        ("if he fires I jink", "IF condition: JINK"),
        ("Fire when near", "IF NEAR: FIRE"),
        ("ECM as soon as he launches", "IF condition: ECM"),
        ("FIRE <- only if he is near", "IF NEAR: FIRE"),
        ("Kestrel is close. If he is near, I'll fire.", "IF NEAR: FIRE"),
        ("I fire unless he is far", "IF NOT FAR: FIRE"),
        ("Don't fire until he is near", "IF condition: FIRE"),
        ("I will scan as soon as I am targeted and then jink", "IF TARGETED: SCAN"),
        ("Scan while undetected", "IF UNDETECTED: SCAN"),
        ("Hawk, jink if he fires", "IF condition: JINK"),
        ("Run if the shields are down", "IF condition: ESCAPE"),
        ("Hawk jinks when he fires", "IF condition: JINK"),
        ("My pilot ejects if the structure drops to 1", "IF condition: EJECT"),
        ("The plan is to fire as soon as I have a lock.", "IF condition: FIRE"),
        ("Note to self: fire everything next turn", "IF condition: FIRE"),
        ("My pilot will jink if he fires", "IF condition: JINK"),
        ("Then I will fire.", "IF condition: FIRE"),
        ("After that I want to dogfight", "IF condition: DOGFIGHT"),
        ("(Strategy: close in and dogfight)", "IF condition: CLOSE"),
        ("When he fires, Hawk will jink", "IF condition: JINK"),
        ("lol just wait until I fire next turn", "IF condition: FIRE"),
    ],
)
def test_a_plan_in_plain_words_stays_private(
    league: League, ann: Person, written: str, rule: str
) -> None:
    answer = answered(ann, f"SCAN\n\n{written}")
    assert PLAN[0] in answer
    assert rule in answer
    assert told(league) == []


@pytest.mark.parametrize(
    ("written", "rule"),
    [
        ("Ausweichen wenn er das Ziel hat", "WENN Bedingung: AUSWEICHEN"),
        ("falls er schießt, ausweichen", "WENN Bedingung: AUSWEICHEN"),
        ("Wenn er schießt, weiche ich aus", "WENN Bedingung: AUSWEICHEN"),
        ("Feuern, sobald er nah ist", "WENN NAH: FEUER"),
        ("Ich suche, bis er nah ist", "WENN NICHT NAH: SUCHEN"),
        ("Solange er fern ist, suche ich nur", "WENN FERN: SUCHEN"),
        ("wenn er schießt ausweichen", "WENN Bedingung: AUSWEICHEN"),
        ("Mein Pilot weicht aus, wenn er feuert", "WENN Bedingung: AUSWEICHEN"),
        ("Wenn er feuert, weicht Hawk aus", "WENN Bedingung: AUSWEICHEN"),
        ("Wenn er mich trifft, steige ich aus", "WENN Bedingung: AUSSTEIGEN"),
        ("Hawk flieht, sobald die Schilde weg sind.", "WENN Bedingung: FLIEHEN"),
        ("Notiz an mich: nächste Runde schießen", "WENN Bedingung: FEUER"),
        ("Nächste Runde schieße ich.", "WENN Bedingung: FEUER"),
        ("Danach will ich feuern.", "WENN Bedingung: FEUER"),
        ("Ich werde ausweichen.", "WENN Bedingung: AUSWEICHEN"),
    ],
)
def test_a_german_plan_stays_private(league: League, ann: Person, written: str, rule: str) -> None:
    answer = answered(ann, written, german=True)
    assert PLAN[1] in answer
    assert rule in answer
    assert told(league) == []


def test_who_is_ready_is_asked_about_a_plan(league: League, ann: Person) -> None:
    answer = answered(ann, "READY\nFire when near")
    assert PLAN[0] in answer
    assert "you are ready" not in answer


@pytest.mark.parametrize(
    "story",
    [
        "When the sun rose, Hawk fired up the engines.",
        "If Kestrel thinks I am afraid, he is wrong.",
        "The fire burned until morning.",
        "As soon as the lock light glowed, Hawk laughed.",
        "When they fire, the void turns red.",
        "I will never surrender while I breathe.",
        "Kestrel will surrender if he has any sense.",
        "Hold on, whispered Hawk, when the hull groaned.",
        "Close behind him, Hawk grinned when the beams missed.",
        "Fire lit up the sky when Kestrel turned.",
        "I hold my breath when the alarm sounds.",
        'Hawk said: "Fire if he comes near."',
        "He jinks when he is afraid.",
        "Als die Sonne aufging, feuerte Hawk die Triebwerke an.",
        "Falls dies das Ende ist, dann sei es schnell.",
        "Kestrel wird sich ergeben, wenn er klug ist.",
        "Das Feuer brannte bis zum Morgen.",
        "Ich gebe nicht auf, solange ich lebe.",
        "Hello Kestrel, I have waited for this.",
        "Hello, Kestrel!",
        "Dear Mother,\nthe stars are cold out here.",
        "Kestrel, your ship is a toaster. Run while you can!",
        "My enemy jinks when he is afraid.",
        "My shields hold when the beams come.",
        "You should know that Hawk never surrenders when cornered.",
        "Flieh, solange du noch kannst!",
        "Mein Gegner weicht aus, wenn er Angst hat.",
        "Next turn you will see who flies better.",
        "Then silence. Then the alarm.",
        "I will hunt you down, Kestrel.",
        "No, I will not surrender!",
        "Ich werde mich niemals ergeben.",
        "See you in hell, Kestrel!",
        "Dann wird es still.",
        "A voice said one name.\n\nKestrel",
    ],
)
def test_a_story_with_such_words_is_told(league: League, ann: Person, story: str) -> None:
    answered(ann, f"SCAN\n\n{story}")
    assert told(league) == [story]


@pytest.mark.parametrize(
    "written",
    [
        "Hello,\nSCAN\n\nAnn",
        "Hi Bob\n\nSCAN\n\nCheers, Ann",
        "Dear referee,\n\nSCAN\n\nBest wishes\nAnn",
        "SCAN\n\nSee you,\nAnnie",
        "SCAN\n- A.",
        "SCAN\nThanks!",
        "SCAN\n\nDave",
        "SCAN\n\n- Dave Miller",
        "SCAN\n\nDave :-)",
        "SCAN\n\nxoxo Dave",
        "SCAN\n\nSee you on Friday,\nDave",
        "Hey ref,\nSCAN\ncheers dave",
        "SCAN\n\nHave a nice weekend!\nDave",
    ],
)
def test_courtesies_around_orders_are_no_story(league: League, ann: Person, written: str) -> None:
    answer = answered(ann, written)
    assert told(league) == []
    assert PUBLIC[0] not in answer
    assert "KEPT FROM OTHERS" not in answer


def test_courtesies_around_ready_are_no_story(league: League, ann: Person) -> None:
    ann.ask("SCAN", ann.last_about("[G1-"))
    for written in ("Hi Bob,\nREADY\nLG B.", "Hi Bob,\nREADY"):
        answer = words(ann.ask(written, ann.last_about("[G1-")))
        assert "you are ready" in answer
        assert "KEPT FROM OTHERS" not in answer
    assert told(league) == []


@pytest.mark.parametrize(
    "written",
    [
        "Hallo zusammen,\nSUCHEN\n\nAnn",
        "SUCHEN\n\nViele Grüße\nBernd",
        "Moin Bob!\n\nSUCHEN\n\nLG B.",
        "Liebe alle,\n\nSUCHEN\n\nBis dann, Ann",
        "SUCHEN\n\nKlaus",
        "SUCHEN\n\nEuer Klaus",
        "SUCHEN\n\ngez. Klaus Meier",
        "SUCHEN\n\nBis morgen!\nKlaus",
        "SUCHEN\n\nIch wünsche einen schönen Abend!\nKlaus",
    ],
)
def test_german_courtesies_are_no_story(league: League, ann: Person, written: str) -> None:
    answer = answered(ann, written, german=True)
    assert told(league) == []
    assert PUBLIC[1] not in answer
    assert "Das bekommt sonst niemand" not in answer


def test_a_stranger_signs_a_story_too(league: League, ann: Person) -> None:
    answered(ann, "SCAN\n\nThe stars are cold.\n\nDave")
    assert told(league) == ["The stars are cold."]


def test_courtesies_around_a_question_are_no_story(league: League, ann: Person) -> None:
    assert PUBLIC[0] not in answered(ann, "Hey ref,\n\nHow do I move?\n\ncheers dave")
    assert told(league) == []


@pytest.mark.parametrize(
    ("system", "language", "plan", "rule"),
    [
        ("blackskies", "en", "Red breaks left when Blue fires.", "Red: BREAK LEFT"),
        ("cortex", "en", "Lance evades when Raider fires.", "Lance: EVADE"),
        ("starfarer", "en", "If Cy comes near, Bo yields.", "Bo: YIELD"),
        ("cortex", "de", "Lance weicht aus, sobald Raider feuert.", "Lance: AUSWEICHEN"),
        ("starfarer", "de", "Bo weicht aus, falls Cy kommt.", "Bo: AUSWEICHEN"),
    ],
)
def test_a_plan_of_a_piece_stays_private(
    tmp_path: Path, system: str, language: str, plan: str, rule: str
) -> None:
    with open_league(tmp_path, systems=(system,)) as league:
        ann, _ = first_reports(league, system, language)
        answer = words(asked(ann, plan))
        assert PLAN[language == "de"] in answer
        assert rule in answer
        assert not league.store.stories.count()


@pytest.mark.parametrize(
    ("system", "language", "written", "orders"),
    [
        ("starfarer", "en", "Kitai attacks Cy. Bo holds.", "Kitai: ATTACK Cy, Bo: HOLD"),
        ("blackskies", "en", "Red breaks left, Gold accelerates 2.", "Red: BREAK LEFT, Gold: ACC"),
        (
            "cortex",
            "en",
            "Lance closes on Raider\nCitadel holds",
            "Lance: CLOSE ON Raider, Citadel",
        ),
        ("starpilot", "en", "Hawk scans.", "Perhaps you meant SCAN;"),
        ("starpilot", "de", "Mein Pilot weicht aus.", "Vielleicht meinst du AUSWEICHEN;"),
        ("cortex", "de", "Lance weicht aus", "Vielleicht meinst du Lance: AUSWEICHEN;"),
    ],
)
def test_who_only_tells_what_the_pieces_do_is_asked_whether_these_are_orders(
    tmp_path: Path, system: str, language: str, written: str, orders: str
) -> None:
    with open_league(tmp_path, systems=(system,)) as league:
        ann, _ = first_reports(league, system, language)
        assert orders in words(asked(ann, written))
        assert not league.store.stories.count()


@pytest.mark.parametrize("story", ["Hawk is close.", "Hawk hums. Hawk scans.", "Hawk hums."])
def test_a_letter_that_tells_more_is_a_story(league: League, ann: Person, story: str) -> None:
    answered(ann, story)
    assert told(league) == [story]


def test_the_story_between_courtesies_is_told_without_them(league: League, ann: Person) -> None:
    answered(ann, "Hi Bob,\n\nSCAN\n\nThe stars are cold.\nHawk shivers.\n\nCheers\nAnn")
    assert told(league) == ["The stars are cold.\nHawk shivers."]


@pytest.mark.parametrize("german", [False, True])
def test_in_practice_nobody_else_reads_a_story(league: League, german: bool) -> None:
    ann = league.person("Ann")
    ann.join()
    ann.ask(HAWK)
    if german:
        ann.ask("LANGUAGE de")
    ann.ask("PRACTICE WITH Hawk")
    answer = words(ann.ask("SCAN\n\nThe stars are cold."))
    assert PUBLIC[german] not in answer
    assert STORY[german] in answer
