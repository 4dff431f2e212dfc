"""What the referee's seat ends is told with its cause, in every system and both languages."""

import pytest

from engine.codec import plain
from engine.starpilot.events import Over
from pbem.games.session import Session
from pbem.rendering.battle_words import tell
from pbem.storage.migrations import _name_causes
from tests.support.each_system import FORCES, SYSTEMS, first_reports
from tests.support.harness import League, Person
from tests.support.players import words

SEATS = {system: force[0].split()[1] for system, force in FORCES.items()}
"""The seat of Ann, the first of two."""


def _agreed(league: League, ann: Person, bob: Person) -> None:
    ann.ask("DRAW 1")
    bob.ask("DRAW 1" if "DRAW 1" in words(bob.last) else "REMIS 1")


def _ruled(league: League, ann: Person, bob: Person) -> None:
    league.rule("DRAW 1")


def _forfeited(league: League, ann: Person, bob: Person) -> None:
    league.rule(f"FORFEIT 1 {SEATS[league.game.system]}")


def _silent(league: League, ann: Person, bob: Person) -> None:
    while league.game.running:
        league.later(24 * 15)
        league.work()


def _silent_alone(league: League, ann: Person, bob: Person) -> None:
    while league.game.running:
        bob.ask("STANDING sound", bob.last_about("[G1-"))
        league.later(24 * 15)
        league.work()


def _left(league: League, ann: Person, bob: Person) -> None:
    ann.ask("LEAVE LEAGUE")
    ann.reply("LEAVE LEAGUE", ann.last)
    league.work()


ENDS = {
    "agreed": (_agreed, "Both sides agree on a draw", "Beide Seiten einigen sich auf ein Remis"),
    "ruled": (_ruled, "By a ruling of the moderator it ends", "Spielleitung entscheidet: Es endet"),
    "forfeited": (_forfeited, "By a ruling of the moderator", "Die Spielleitung entscheidet: Für"),
    "silent": (_silent, "Nobody has sent orders for too long", "Zu lange hat niemand Befehle"),
    "alone": (_silent_alone, "has sent no orders for too long", "Zu lange kamen keine Befehle"),
    "left": (_left, "A player has left the league", "Ein Spieler hat die Liga verlassen"),
}
HISTORY = {"en": "HISTORY 1", "de": "CHRONIK 1"}


@pytest.mark.league(systems=SYSTEMS, misses_before_forfeit=2)
@pytest.mark.parametrize("how", ENDS)
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_an_end_is_told_with_its_cause(
    league: League, system: str, language: str, how: str
) -> None:
    ann, bob = first_reports(league, system, language)
    end, english, german = ENDS[how]
    end(league, ann, bob)
    assert not league.game.running
    cause = german if language == "de" else english
    reports = [words(one) for one in bob.new() if "[G1-" in str(one["Subject"])]
    told = "".join(reports) + words(bob.last_about("[G1-"))
    history = words(bob.ask(HISTORY[language]))
    bob.ask("SUBSCRIBE newsletter")
    league.service.ports.newsletter.want()
    league.work()
    issue = words(bob.last_about("ewsletter 1"))
    assert [cause in " ".join(text.split()) for text in (told, history, issue)] == [True] * 3
    others = {one[2 if language == "de" else 1] for one in ENDS.values()} - {cause}
    assert not [one for one in others if one in history and cause not in one and one not in cause]


@pytest.mark.league(systems=SYSTEMS, misses_before_forfeit=2)
@pytest.mark.parametrize("how", [how for how in ENDS if how != "left"])
def test_an_older_database_learns_the_causes(league: League, how: str) -> None:
    end, cause, _ = ENDS[how]
    ann, bob = first_reports(league, "blackskies", "en")
    end(league, ann, bob)
    by_referee = "orders LIKE '%|referee%' AND orders NOT LIKE '%END%'"
    before = "" if how in ("agreed", "silent") else "referee"
    league.store.execute_sql(
        f"UPDATE step SET source = '{before}',"
        f""" events = replace(events, '"why":"ruled"', '"why":"agreed"') WHERE {by_referee}"""
    )
    _name_causes(league.store.database)
    assert cause in words(bob.ask("HISTORY 1"))


@pytest.mark.parametrize(
    ("language", "told"),
    [("en", "Nobody has harmed anybody for so long"), ("de", "So lange hat niemand jemandem")],
)
def test_a_stalemate_is_reported_with_its_cause(
    league: League, people: tuple[Person, Person], language: str, told: str
) -> None:
    session = Session(league.store, league.game)
    view = session.rules.view(session.state, None)
    renderer = league.service.ports.outbox.renderer
    event = plain(Over(None, drawn=True, why="quiet"))
    assert told in tell(renderer.letters(language, "starpilot"), "starpilot", [event], view)
