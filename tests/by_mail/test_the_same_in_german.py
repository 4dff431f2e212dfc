"""What issue 13 asks of letters, by letters in German where the other tests write English."""

import re
from pathlib import Path

import pytest

from pbem.routing import find_league_order
from pbem.storage import Offer
from tests.support.harness import (
    League,
    duel,
    open_league,
    play_on,
    skies,
)
from tests.support.link_taps import links, tap
from tests.support.players import HAWK, STANDING, plain, words


def test_a_whole_turn_is_one_link_and_what_cannot_be_ordered_has_its_reason(
    league: League,
) -> None:
    ann, bob = skies(
        league,
        "Hawks WITH Rot: 2 Black Tiger SKILL 2; Gold: 1 Gadfly SKILL 3",
        "Kites WITH Blau: 2 Black Tiger SKILL 2; Grau: 1 Gadfly SKILL 3",
    )
    for person in (ann, bob):
        person.ask("LANGUAGE de", person.last_about("[G1-"))
        person.ask("BERICHT 1")
    text = words(ann.last)
    assert "Rot: SCHLANGE LINKS, SEITGLEITEN LINKS (keine Seitentriebwerke);" in text
    assert "RÜCKZUG (ein Feind ist höchstens 24 Zoll entfernt)." in text
    assert re.search(r"SCHARF LINKS [^:]*: Tempo \d+, [^:;]* auf [\d,]+ Zoll, ", text)
    # A later letter for one element leaves the card of the other.
    assert "Noch kein Befehl für Gold" in words(ann.ask("Rot: SCHARF LINKS", ann.last))
    ann.ask("Gold: GERADEAUS; NICHT FEUERN", ann.last)
    [turn] = [lines for lines in links(bob.last) if lines.startswith("Blau: ")]
    tap(bob, bob.last, turn)
    report = words(bob.new()[-1])
    assert league.game.steps == 1
    cards = report.partition("Karten: ")[2]
    assert cards.startswith("Blau ")
    assert "Rot SCHARF LINKS; Gold GERADEAUS." in cards


def test_a_report_says_why_not_and_what_each_order_brings(league: League) -> None:
    ann, bob = duel(league)
    for person in (ann, bob):
        person.ask("LANGUAGE de", person.last_about("[G1-"))
        person.reply("SUCHE", person.last_about("[G1-T1"))
    report = next(one for one in ann.new() if "[G1-T2" in one["Subject"])
    text = plain(report).replace("\r\n", "\n")
    top = text.index("DU BIST AM ZUG"), text.index("Gerade nicht möglich:")
    assert top[0] < top[1] < text.index("WAS GESCHEHEN IST")
    assert re.search(r"^ +ERGEBEN +ohne Wurf +du bist draußen, und gefangen", text, re.M)
    assert "FEUER (dazu brauchst du den Vorteil (KURVENKAMPF) oder" in words(report)
    # An order that has to wait says why.
    waits = words(ann.ask("FEUER", report))
    assert "jetzt nicht möglich, denn" in waits


@pytest.mark.league(turns_per_letter=4)
@pytest.mark.parametrize("order", ["BEOBACHTEN 1", "zuschauen 1"])
def test_a_battle_is_watched_to_its_end(order: str, league: League) -> None:
    cat = league.person("Cat")
    cat.join()
    cat.ask("LANGUAGE de")
    ann, bob = duel(league)
    first = cat.ask(order)
    assert "von jetzt an" in words(first)
    for person in (ann, bob):
        person.reply(f"{STANDING}\n\nI am afraid.", person.last_about("G1-"))
    seen = cat.new() + play_on(league, ann, bob, watching=cat)
    text = " ".join(map(words, seen))
    assert "dein Dauerbefehl" not in text
    assert "afraid" not in text
    assert text.count("hier ist das Neueste von Partie 1") >= 1
    assert "letzte" in words(seen[-1])
    assert " the " not in text


@pytest.mark.league(moderator="mona@league.example")
def test_gm_help_and_a_reason_that_players_read(league: League) -> None:
    mona = league.person("Mona")
    mona.join()
    mona.ask("LANGUAGE de")
    _, bob = duel(league)
    bob.ask("LANGUAGE de", bob.last_about("[G1-"))
    assert "GM VERLÄNGERN" in words(mona.ask(f"GM HELP\nKEY {mona.key}"))
    before = league.game.deadline
    mona.ask(f"GM EXTEND 1 48h BECAUSE die Post war gestört\nKEY {mona.key}")
    assert before is not None
    assert league.game.deadline is not None
    assert league.game.deadline > before
    [letter] = bob.new()
    assert "die Post war gestört" in words(letter)
    assert "endet jetzt am Sa., 7. Nov. 2026, 12:00 Uhr UTC" in words(letter)


@pytest.mark.league(moderator="mona@league.example")
def test_a_battle_that_does_not_count_is_never_major(league: League) -> None:
    mona, ann = league.person("Mona"), league.person("Ann")
    for person in (mona, ann):
        person.join()
        person.ask("LANGUAGE de")
    ann.ask(HAWK)
    ann.ask("ÜBEN MIT Hawk")
    for ruling in ("GM MAJOR 1", "GM NO MAJOR 1"):
        answer = words(mona.ask(f"{ruling}\nKEY {mona.key}"))
        assert (
            "Das ging nicht: Partie 1 hinterlässt in niemandes Laufbahn etwas, kann also kein"
            " bedeutender Kampf sein." in answer
        )
    assert not league.game.major


@pytest.mark.parametrize(
    "line", ["CHALLENGE Kestrel MIT Hawk", "TEAM CHALLENGE Kestrel, Ann MIT Hawk UND Falcon"]
)
def test_german_words_may_follow_an_english_order(line: str) -> None:
    found = find_league_order.find(line, "de")
    assert isinstance(found, tuple)
    order, match = found
    assert "Hawk" in (match["one"] if order.word == "CHALLENGE" else match["ones"])
    assert "MIT" not in match[0]


MUSTERS = {
    "blackskies": "STAFFEL {} MIT Rot: 2 Black Tiger KÖNNEN 2",
    "cortex": "VERBAND {} MIT Lanze: Jäger",
    "starfarer": "TRUPP {} MIT Kitai: Kundschafter",
}


@pytest.mark.parametrize(
    ("system", "asked", "meant", "hint"),
    [
        ("blackskies", "ASTEROIDEN 6", "ASTEROIDS 6", "ASTEROIDEN 10"),
        ("cortex", "ENTFERNUNG weit", "RANGE short", ""),
        ("cortex", "ATMOSPHÄRE 5000", "ATMOSPHERE 5000", "ATMOSPHÄRE 5"),
        ("cortex", "BROCKEN 3", "ROCKS 3", "BROCKEN 99"),
        (
            "cortex",
            "ZUSATZREGELN Besatzung1",
            "OPTIONS crew1",
            "ZUSATZREGELN Besatzung1, Besatzung2",
        ),
        ("cortex", "ENTFERNUNG weit, BROCKEN 2", "RANGE short ROCKS 2", ""),
        ("cortex", "OHNE Zusammenstöße, Tiefflüge", "WITHOUT collisions, strafing", ""),
        ("starfarer", "FELD 100", "FIELD 100", "FELD 3"),
        ("starfarer", "ZUSATZREGELN Waffentempo, stumpf", "OPTIONS modifiers, blunt", ""),
    ],
)
def test_what_a_challenge_asks_for(
    system: str, asked: str, meant: str, hint: str, tmp_path: Path
) -> None:
    """The guide and the rules named these words, and they were taken for a part of the name."""
    with open_league(tmp_path, language="de", systems=(system,)) as league:
        ann, bob = league.person("Ann"), league.person("Bob")
        for person, name in ((ann, "Raben"), (bob, "Geier")):
            person.join()
            person.ask(MUSTERS[system].format(name))
        if hint:
            answer = words(ann.ask(f"FORDERE Geier MIT Raben {hint}"))
            assert f"Vielleicht hilft das: {asked}." in answer
        ann.ask(f"FORDERE Geier MIT Raben {asked}")
        [challenge] = league.store.all(
            Offer.select().where(Offer.patrol == False, Offer.state == "open").order_by(Offer.id)
        )
        assert challenge.terms == meant
        [letter] = bob.new()
        shown = asked.replace(", B", " B")
        assert f"Verlangt: {shown}." in words(letter)
        assert f"Verlangt: {shown}." in words(bob.ask("LAGE"))
        bob.ask("JA", letter)
        assert league.game.running


@pytest.mark.parametrize("word", ["SCHLÜSSEL", "Schluessel:", "KEY"])
def test_a_key_has_a_german_word(word: str, league: League) -> None:
    ann, _ = duel(league)
    key = ann.key
    ann.ask("LANGUAGE de", ann.last_about("[G1-"))
    ann.new()
    ann.write(f"SUCHEN\n{word} {key}")
    [done] = ann.new()
    assert "SUCHEN" in words(done)
    assert key not in words(done)
    assert "SCHLÜSSEL" in words(ann.ask("HILFE Beitritt"))


def test_what_is_wrong_with_a_design_is_said_in_its_words(tmp_path: Path) -> None:
    with open_league(tmp_path, language="de", systems=("blackskies",)) as league:
        ann = league.person("Ann")
        ann.join()
        told = words(ann.ask("BAUART Wolf: MITTEL, HEK SEITE, 2 Laser Cannon"))
        assert "HEK SEITE ist keine Waffe" in told
