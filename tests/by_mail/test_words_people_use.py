"""Orders in the words that people use: each is answered with the order that it may mean."""

import pytest

from tests.support.each_system import SYSTEMS, asked, filed, first_reports
from tests.support.harness import League, Person, duel
from tests.support.players import words


def answered(league: League, written: str, german: bool) -> str:
    """Return the answer to a player of a duel who writes this, and check that nothing is filed."""
    ann, _ = duel(league)
    report = ann.last_about("[G1-")
    if german:
        ann.ask("LANGUAGE de")
    text = words(ann.ask(written, report))
    place = league.store.places.find(seat="Hawk")
    assert place is not None
    assert '"queue":[],"rules":[]' in place.sheet.replace(" ", "")
    assert not league.store.stories.count()
    return text


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("chase him", "CLOSE"),
        ("BACK OFF", "OPEN"),
        ("shoot laser", "FIRE Kestrel"),
        ("look for him", "SCAN"),
        ("skip", "HOLD"),
    ],
)
def test_an_everyday_word_means_an_order_of_the_battle(
    league: League, written: str, meant: str
) -> None:
    assert f"Perhaps you meant {meant};" in answered(league, written, german=False)


def test_a_german_everyday_word_is_no_order_to_the_league(league: League) -> None:
    assert "Vielleicht meinst du SCHÜTZEN;" in answered(league, "Schilde hoch", german=True)


@pytest.mark.parametrize(
    ("german", "written"),
    [
        (False, "scan, target, fire"),
        (False, "1) scan 2) target 3) fire"),
        (False, "scan target fire"),
        (False, "1. SCAN, 2. TARGET, 3. FIRE"),
        (True, "suchen, ziel, feuer"),
        (True, "Suchen, dann Ziel und dann Feuer"),
        (True, "1) suchen 2) ziel 3) feuer"),
    ],
)
def test_orders_on_one_line_are_told_apart(league: League, german: bool, written: str) -> None:
    told = (
        "Schreib jeden in eine eigene Zeile: SUCHEN, ZIEL, FEUER"
        if german
        else "Write each on a line of its own: SCAN, TARGET, FIRE"
    )
    assert told in answered(league, written, german)


@pytest.mark.parametrize(
    ("german", "written"),
    [
        (False, "IF NEAR: FIRE, IF FAR: SCAN, ELSE: TARGET"),
        (False, "STANDING IF NEAR: FIRE ELSE: SCAN END"),
        (False, "STANDING sound, SCAN"),
        (True, "WENN NAH: FEUER, WENN FERN: SUCHEN, SONST: ZIEL"),
        (True, "DAUERBEFEHLE WENN NAH: FEUER SONST: SUCHEN ENDE"),
    ],
)
def test_rules_on_one_line_are_no_story(league: League, german: bool, written: str) -> None:
    text = answered(league, written, german)
    rules = "jede Zeile der Dauerbefehle" if german else "each line of STANDING reads"
    assert rules in text


@pytest.mark.parametrize(
    ("german", "written", "told"),
    [
        (False, "'STANDING sound'", "Perhaps you meant STANDING sound;"),
        (True, "„DAUERBEFEHLE solide“", "Vielleicht meinst du DAUERBEFEHLE solide;"),
    ],
)
def test_a_preset_in_quotation_marks_is_no_story(
    league: League, german: bool, written: str, told: str
) -> None:
    assert told in answered(league, written, german)


@pytest.mark.parametrize("written", ["go away", "same as before", "hide", "3x SCAN"])
def test_so_few_words_are_no_story_and_what_can_be_ordered_is_shown(
    league: League, written: str
) -> None:
    text = answered(league, written, german=False)
    assert "YOUR MOVE" in text
    assert f"WORDS THAT NOBODY HAS SEEN | {written}" in text


@pytest.mark.parametrize(
    "written",
    ["SUCHEN", "WENN ZIEL ERFASST UND NICHT IM VORTEIL UND RUNDE >= 10: FEUER", "HILFE"],
)
def test_german_orders_of_who_reads_english_are_told_how_to_be_german(
    league: League, written: str
) -> None:
    assert "LANGUAGE de lets you write in it" in answered(league, written, german=False)


@pytest.mark.parametrize("written", ["Hawk: SCAN", "FOR Hawk: SCAN", "hawk, scan"])
def test_an_order_behind_the_pilots_name_is_shown_without_it(league: League, written: str) -> None:
    assert "Perhaps you meant SCAN;" in answered(league, written, german=False)


@pytest.mark.parametrize("german", [False, True])
def test_an_empty_letter_is_shown_what_can_be_ordered(league: League, german: bool) -> None:
    assert ("DU BIST AM ZUG" if german else "YOUR MOVE") in answered(league, "", german)


@pytest.mark.parametrize(
    ("german", "written", "meant"),
    [
        (False, "fight Kestrel", "CHALLENGE Kestrel"),
        (False, "training", "PRACTICE"),
        (False, "who is there", "STATUS"),
        (False, "delete my account", "LEAVE LEAGUE"),
        (True, "Kämpfen gegen Kestrel", "Kestrel; dann schick das"),
        (True, "Punktestand", "RANGLISTE"),
        (True, "im Urlaub", "ABWESEND"),
    ],
)
def test_an_everyday_word_means_an_order_to_the_league(
    league: League, ann: Person, german: bool, written: str, meant: str
) -> None:
    if german:
        ann.ask("LANGUAGE de")
    assert meant in words(ann.ask(written))
    assert league.store.challenges.count() == 0


@pytest.mark.parametrize(
    "written",
    [
        "SQUADRON Kites WITH Red: 1 Gadfly SKILL 2\nGold: 1 Gadfly SKILL 4",
        "SQUADRON Kites WITH Red: 1 Gadfly SKILL 2;\nGold: 1 Gadfly SKILL 4",
        "SQUADRON Kites WITH\nRed: 1 Gadfly SKILL 2\nGold: 1 Gadfly SKILL 4",
        "SQUADRON Kites WITH:\n- Red: 1 Gadfly SKILL 2,\n- Gold: 1 Gadfly SKILL 4",
        "SQUADRON Kites\nRed: 1 Gadfly SKILL 2\nGold: 1 Gadfly SKILL 4",
        "STAFFEL Kites MIT\n  Red: 1 Gadfly KÖNNEN 2\n  Gold: 1 Gadfly KÖNNEN 4",
    ],
)
@pytest.mark.league(systems=("blackskies",))
def test_a_squadron_on_several_lines_is_enlisted_whole(
    league: League, ann: Person, written: str
) -> None:
    if written.startswith("STAFFEL"):
        ann.ask("LANGUAGE de")
    ann.ask(f"{written}\n\nThey fly at dawn.")
    found = league.store.persona_named("Kites")
    assert found is not None
    assert [found.record.count(f'"{name}"') for name in ("Red", "Gold")] == [1, 1]


@pytest.mark.league(systems=("blackskies",))
def test_a_squadron_like_the_printed_example_is_the_players(league: League, ann: Person) -> None:
    example = words(ann.ask("HELP enlist"))
    lines = "Red: 2 Black Tiger SKILL 2", "Gold: 1 Gadfly SKILL 3"
    assert "; ".join(lines) in example
    ann.ask("\n".join(("SQUADRON Kites WITH", *lines)))
    assert league.store.persona_named("Kites") is not None


def test_a_pilot_on_several_lines_is_enlisted(league: League, ann: Person) -> None:
    ann.ask("ENLIST Falcon\nFOR cartel\nWEAPONS 12\nPILOTING 12\nSENSORS 12\nSHIP Angela 313B")
    assert league.store.persona_named("Falcon") is not None


SAID = (
    (("shoot", "attack him"), ("move closer", "close in"), ("run away", "flee")),
    (("Schieß!", "greif an"), ("näher ran", "komm näher"), ("weglaufen", "abhauen")),
)
MEANT = {
    "starpilot": (("FIRE", "CLOSE", "ESCAPE"), ("FEUER", "NÄHERN", "FLIEHEN")),
    "blackskies": (
        ("TARGETS behind it says at whom", "Red: ACCELERATE 1;", "Red: WITHDRAW;"),
        ("ZIELE dahinter sagt, auf wen", "Red: BESCHLEUNIGEN 1;", "Red: RÜCKZUG;"),
    ),
    "cortex": (
        ("FIRE AT nearest", "CLOSE ON nearest", ": WITHDRAW"),
        ("FEUERN AUF nächsten", "NÄHERN AN nächsten", ": ABZIEHEN"),
    ),
    "starfarer": (
        ("Kitai: ATTACK", "Kitai: MOVE TOWARD nearest", "MOVE TO and a metre"),
        ("Kitai: ANGREIFEN", "Kitai: GEHEN ZU nächsten", "GEHEN NACH und ein Meter"),
    ),
}
"""What the answer names where people say these three things, in English and in German."""


@pytest.mark.parametrize("german", [False, True])
@pytest.mark.parametrize("system", MEANT)
@pytest.mark.league(systems=SYSTEMS)
def test_shoot_move_closer_and_run_away_name_the_right_order_of_each_system(
    league: League, system: str, german: bool
) -> None:
    ann, _ = first_reports(league, system, "de" if german else "en")
    for said, meant in zip(SAID[german], MEANT[system][german], strict=True):
        for written in said:
            text = words(asked(ann, written))
            assert f'"{written}". ' in text
            assert meant in text, (written, text)
            assert "CHOOSE" not in text
    assert filed(league) == {"queue": [], "rules": []}
    assert not league.store.stories.count()
