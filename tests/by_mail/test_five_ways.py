"""Five people who use the league in five ways: each is answered, and reaches the end.

A German, somebody on a telephone who mistypes, somebody who never reads help, a spectator, and a
moderator. A trial of the league with such people found what issue 13 lists.
"""

import re
from email.message import EmailMessage

import pytest

from pbem.storage import Game, Player
from tests.support.harness import (
    League,
    Person,
    duel,
    play_on,
)
from tests.support.players import STANDING, is_last_report, plain, words

FOOT = "\n\nSent from my iPhone"
ENGLISH = re.compile(r"\b(?:the|your|you|and|with|which|has|been|this|that|from)\b")
"""Words that no German letter holds, unless it quotes a player."""


def newcomer(league: League, name: str, *, more: str = "") -> Person:
    """Return somebody who has joined and confirmed, and read the welcome."""
    person = league.person(name)
    person.write(f"JOIN {name} Example{more}")
    person.new()
    person.reply("Ja.")
    person.new()
    return person


def say(person: Person, text: str) -> EmailMessage:
    """Reply, and return the last of the letters that come of it."""
    person.new()
    person.reply(text)
    assert person.new(), text
    return person.last


def english_in(person: Person, since: int) -> list[str]:
    """Return the lines of a person's letters since one that hold English words."""
    return [
        f"{letter['Subject']}: {line}"
        for letter in person.letters[since:]
        for line in plain(letter).partition("StarPilot is Copyright")[0].splitlines()
        if ENGLISH.search(line) and not line.startswith("|")
    ]


def test_a_german_plays_to_the_end_and_reads_german_only(league: League) -> None:
    dora = newcomer(league, "Dora", more="\nLANGUAGE de")
    say(dora, "SPRACHE de")
    since = len(dora.letters)
    say(
        dora,
        "ANWERBEN Falke FÜR Kartell WAFFEN 14 STEUERUNG 12 SENSOREN 10 SCHIFF Angela 313B\n"
        "ÜBEN MIT Falke GEGEN easy",
    )
    say(dora, "SUCHE\nZIEL")
    say(dora, "STELLT EUCH VOR")
    say(dora, STANDING)
    while league.game.running:
        say(dora, "BEREIT")
    for question in ("LAGE", "HILFE", "REGELN starpilot", "RANGLISTE", "CHRONIK 1", "BOGEN Falke"):
        say(dora, question)
    assert english_in(dora, since) == []


def test_somebody_who_mistypes_on_a_telephone_is_told_each_time(league: League) -> None:
    tom = newcomer(league, "Tom")
    say(
        tom,
        "Enlist hawk for cartel weapons 12 piloting 12 sensors 12 ship angela 313b."
        f"\nPractice with hawk against easy.{FOOT}",
    )
    assert league.store.count(Game.select().where(Game.practice == True)) == 1
    for typed, meant in (("Scna", "SCAN"), ("Targt Please", "TARGET"), ("Fier!!", "FIRE")):
        steps = league.game.steps
        text = words(say(tom, typed + FOOT))
        assert f'"{typed.split()[0]}' in text
        assert meant in text
        assert league.game.steps == steps  # nothing was guessed
    steps = league.game.steps
    text = words(say(tom, f"Scan.\nTarget{FOOT}"))
    assert league.game.steps > steps
    assert "iPhone" not in text
    say(tom, f"Surrender{FOOT}")
    assert is_last_report(tom.last)


def test_somebody_who_never_reads_help_gets_there_by_copying(league: League) -> None:
    guy = newcomer(league, "Guy")
    for text in ("hi!! how do i play this", "ok what now", "i want to fight somebody"):
        league.later(0.2)
        assert words(say(guy, text))
    lines = plain(guy.last).splitlines()
    say(guy, "\n".join(line for line in lines if line.startswith(("ENLIST", "PRACTICE"))))
    assert league.game.practice
    for text in ("shoot!!", "attack him now"):
        league.later(0.2)
        assert text in words(say(guy, text)), text
    choices = plain(guy.last_about("[G1"))
    assert re.search(r"^ *SCAN ", choices, re.MULTILINE), choices
    steps = league.game.steps
    say(guy, next(line for line in choices.splitlines() if line.lstrip().startswith("SCAN ")))
    assert league.game.steps > steps


def test_a_spectator_follows_a_battle_and_leaves_again(league: League) -> None:
    sue = newcomer(league, "Sue")
    ann, bob = duel(league)
    assert "WATCH 1" in plain(say(sue, "GAMES"))
    say(sue, "WATCH 1\nSUBSCRIBE newsletter")
    for person in (ann, bob):
        person.reply(f"{STANDING}\n\nI am afraid.", person.last_about("G1-"))
    assert sue.new() + play_on(league, ann, bob, watching=sue)
    before = len(sue.letters)
    for question in ("HISTORY 1", "MAP 1", "RECEIPTS 1"):
        say(sue, question)
    asked = sue.letters[before:]
    assert {"account", "picture", "dice"} <= set(" ".join(one["Subject"] for one in asked).split())
    assert not any("afraid" in plain(one) for one in asked)
    assert "LEAVE LEAGUE" in words(say(sue, "LEAVE LEAGUE"))
    say(sue, "LEAVE LEAGUE")
    assert [
        one.name
        for one in league.store.all(Player.select().order_by(Player.id))
        if "Sue" in one.name
    ] == []


@pytest.mark.league(moderator="mona@league.example", turns_per_letter=4)
def test_a_moderator_rules_by_letter_and_the_players_are_told(league: League) -> None:
    mona = newcomer(league, "Mona")
    ann, bob = duel(league)
    assert "GM EXTEND" in words(say(mona, f"GM HELP\nKEY {mona.key}"))
    due = league.game.deadline
    assert due is not None
    say(mona, f"GM EXTEND 1 48h BECAUSE the mail was down\nKEY {mona.key}")
    assert league.game.deadline > due  # type: ignore[operator]
    for person in (ann, bob):
        [letter] = person.new()
        assert "the mail was down" in words(letter)
    say(mona, f"GM PAUSE 1\nKEY {mona.key}")
    assert league.game.paused is not None
    say(mona, f"GM RESUME 1\nKEY {mona.key}")
    assert league.game.paused is None
    for person in (ann, bob):
        person.new()
    say(mona, f"GM PROXY Hawk IN 1\nSCAN\nKEY {mona.key}")
    assert league.orders()[-1][0]
    assert "turn" in words(say(mona, f"GM PREDICT 1\nKEY {mona.key}"))
    say(mona, f"GM DRAW 1\nKEY {mona.key}")
    assert not league.game.running
    for person in (ann, bob):
        assert is_last_report(person.new()[-1])
    assert "GM" in words(say(mona, f"GM AUDIT\nGM FROB 1\nKEY {mona.key}"))
