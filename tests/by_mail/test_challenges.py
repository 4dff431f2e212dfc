"""Challenges by letter: to anybody, once more, with words along, and those that lapse."""

from datetime import datetime
from pathlib import Path

import pytest

from pbem.games import offers
from pbem.games.offers import OfferedBattle
from pbem.handlers.moderator.ruling_table import by_shell
from pbem.handlers.offers import ending
from pbem.maintenance.rebuild import rebuild
from pbem.settings.sections import LeagueSettings
from pbem.storage import Offer, Outgoing, Store
from tests.support.harness import League, Person, duel, fixed_entropy, open_league
from tests.support.link_taps import links, tap
from tests.support.players import HAWK, KESTREL, STANDING, address_of, words

MERLIN = "ENLIST Merlin FOR league WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Wright 1903S"
FALCON = "ENLIST Falcon FOR federation WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Clipus XIII-B"
DAY = 24


pytestmark = pytest.mark.league(entropy=fixed_entropy, moderator=address_of("Mod"))


def enlisted(league: League, name: str, *pilots: str) -> Person:
    """Bring a person into the league with some pilots."""
    person = league.person(name)
    person.join()
    for pilot in pilots:
        person.ask(pilot)
    return person


def settled(*people: Person) -> None:
    """Let everybody read what has come."""
    for person in people:
        person.new()


def state(league: League, number: int = 1) -> str:
    return league.store.get(Offer, number).state


def again(league: League) -> list[str]:
    return rebuild(league.settings, league.settings.home / "new.db")


def test_the_first_who_may_takes_an_open_challenge(league: League) -> None:
    ann = enlisted(league, "Ann", HAWK)
    bob, cleo = enlisted(league, "Bob", KESTREL), enlisted(league, "Cleo", MERLIN)
    text = words(ann.ask("CHALLENGE ANYBODY WITH Hawk FIRST them"))
    assert "challenge 1 of Hawk is open to anybody" in text
    assert "the commitment to them is in receipt-G1.txt" in text
    settled(bob, cleo)
    bob.reply("ACCEPT 1 WITH Kestrel")
    cleo.reply("ACCEPT 1")
    [report] = bob.new()
    assert "Hawk against Kestrel" in report["Subject"]
    [refusal] = cleo.new()
    assert "challenge 1 is not open any more" in words(refusal)
    [begun] = ann.new()
    assert "Hawk against Kestrel" in begun["Subject"]
    assert [row.name for row in offers.get(league.store, 1).pilots] == ["Hawk", "Kestrel"]
    assert league.game.setup.index("Kestrel") > 0
    assert again(league) == []


def test_an_open_challenge_in_german(league: League) -> None:
    ann, bob = enlisted(league, "Ann", HAWK), enlisted(league, "Bob", KESTREL)
    for person in (ann, bob):
        person.ask("LANGUAGE de")
    assert "steht allen offen" in words(ann.ask("FORDERE JEDEN MIT Hawk ZUERST ich"))
    bob.reply("ANNEHMEN 1 MIT Kestrel")
    [report] = bob.new()
    assert "Hawk gegen Kestrel" in report["Subject"]


def test_who_may_not_take_it_is_told_why(league: League) -> None:
    ann = enlisted(league, "Ann", HAWK, FALCON)
    bob = enlisted(
        league,
        "Bob",
        KESTREL.replace("Kestrel FOR alliance", "Kite FOR cartel").replace(
            "Rus 133-B", "Angela 313B"
        ),
    )
    assert "say with which" in words(ann.ask("CHALLENGE ANYBODY"))
    ann.ask("CHALLENGE ANYBODY WITH Hawk")
    assert "open already: number 1" in words(ann.ask("CHALLENGE ANYBODY WITH Hawk"))
    assert "challenge 1 is not open for you" in words(ann.ask("ACCEPT 1 WITH Falcon"))
    assert "you have no pilot called Ghost" in words(bob.ask("ACCEPT 1 WITH Ghost"))
    assert "Hawk and Kite both fly for the cartel" in words(bob.ask("ACCEPT 1"))
    assert "not open for you" in words(bob.ask("DECLINE 1"))
    assert state(league) == "open"


def test_an_open_challenge_of_a_busy_pilot_waits(league: League) -> None:
    ann = enlisted(league, "Ann", HAWK)
    bob, cleo = enlisted(league, "Bob", KESTREL), enlisted(league, "Cleo", MERLIN)
    ann.ask("CHALLENGE ANYBODY WITH Hawk")
    ann.ask("CHALLENGE Kestrel WITH Hawk FIRST me")
    settled(bob)
    bob.ask("ACCEPT 2")
    settled(ann)
    assert "Hawk is in a game already" in words(cleo.ask("ACCEPT 1"))
    by_shell(league.service.ports, "DRAW 2", league.now)
    settled(ann, bob)
    cleo.reply("ACCEPT 1")
    [report] = cleo.new()
    assert "Hawk against Merlin" in report["Subject"]
    assert again(league) == []


@pytest.mark.parametrize("how", ["WITHDRAW 1", "RESIGN Hawk", "LEAVE LEAGUE", "ban"])
def test_an_open_challenge_ends_with_its_challenger(league: League, how: str) -> None:
    ann, bob = enlisted(league, "Ann", HAWK), enlisted(league, "Bob", KESTREL)
    ann.ask("CHALLENGE ANYBODY WITH Hawk")
    if how == "ban":
        league.rule("BAN Hawk")
    else:
        answer = ann.ask(how)
        if how.startswith("RESIGN"):
            ann.ask("YES", answer)
        if how == "LEAVE LEAGUE":
            ann.ask(how, answer)
    settled(bob)
    assert state(league) in ("withdrawn", "declined")
    assert "not open any more" in words(bob.ask("ACCEPT 1"))


@pytest.mark.parametrize(
    ("challenge", "told"),
    [
        ("CHALLENGE Kestrel WITH Hawk", "WORDS THAT NOBODY HAS SEEN"),
        ("FORDERE Kestrel MIT Hawk", "WORTE, DIE NIEMAND GESEHEN HAT"),
    ],
)
@pytest.mark.parametrize("above", [True, False])
def test_words_beside_a_challenge_are_said_back(
    league: League, challenge: str, told: str, above: bool
) -> None:
    """They are not marked; TELL sends words to who is challenged."""
    ann, bob = enlisted(league, "Ann", HAWK), enlisted(league, "Bob", KESTREL)
    if challenge.startswith("FORD"):
        ann.ask("LANGUAGE de")
    said = "Dear Kestrel, your paint is ugly."
    text = words(ann.ask(f"{said}\n\n{challenge}" if above else f"{challenge}\n\n{said}"))
    assert f"{told} | {said}" in text
    [letter] = bob.new()
    assert said not in words(letter)


def test_words_of_who_leaves_are_erased(league: League) -> None:
    ann, bob = enlisted(league, "Ann", HAWK), enlisted(league, "Bob", KESTREL)
    ann.ask("CHALLENGE Kestrel WITH Hawk\nThe stars are cold tonight.")
    settled(bob)
    ann.ask("LEAVE LEAGUE", ann.ask("LEAVE LEAGUE"))
    kept = [
        row
        for row in league.store.all(Outgoing.select().order_by(Outgoing.id))
        if b"stars are cold" in row.content
    ]
    assert kept == []


def test_a_challenge_lapses_and_both_are_told_once(league: League) -> None:
    ann, bob = enlisted(league, "Ann", HAWK), enlisted(league, "Bob", KESTREL)
    ann.ask("CHALLENGE Kestrel WITH Hawk")
    [letter] = bob.new()
    assert "Please answer by Mon 16 Nov 2026, 12:00 UTC" in words(letter)
    league.later(14 * DAY - 1)
    assert ann.new() == bob.new() == []
    league.later(2)
    [mine], [theirs] = ann.new(), bob.new()
    assert "has not been answered in 14 days" in words(mine)
    assert {"CHALLENGE Kestrel WITH Hawk", "CHALLENGE ANYBODY WITH Hawk"} <= {*links(mine)}
    assert "CHALLENGE Hawk WITH Kestrel" in links(theirs)
    league.later(DAY)
    assert ann.new() == bob.new() == []
    assert "challenge 1 is not open any more" in words(bob.ask("ACCEPT 1"))
    tap(bob, theirs, "CHALLENGE Hawk WITH Kestrel")
    settled(bob)
    assert "duel with Hawk" in ann.new()[-1]["Subject"]
    assert again(league) == []


def test_an_answer_in_time_counts_although_it_is_read_late(league: League) -> None:
    ann, bob = enlisted(league, "Ann", HAWK), enlisted(league, "Bob", KESTREL)
    ann.ask("CHALLENGE Kestrel WITH Hawk")
    settled(bob)
    league.later(13 * DAY)
    bob.reply("ACCEPT 1", at=league.now)
    league.later(3 * DAY)
    [report] = bob.new()
    assert "Hawk against Kestrel" in report["Subject"]


def test_days_away_do_not_count(league: League) -> None:
    ann, bob = enlisted(league, "Ann", HAWK), enlisted(league, "Bob", KESTREL)
    ann.ask("CHALLENGE Kestrel WITH Hawk")
    settled(bob)
    bob.ask("AWAY 2026-11-04 TO 2026-11-10")
    league.later(15 * DAY)
    assert bob.new() == []
    assert state(league) == "open"
    league.later(7 * DAY)
    assert "has lapsed" in bob.new()[-1]["Subject"]


def test_an_open_challenge_lapses_too_and_none_where_the_league_wants_none(tmp_path: Path) -> None:
    for days, ends in ((3, "lapsed"), (0, "open")):
        folder = tmp_path / str(days)
        folder.mkdir()
        with open_league(folder, challenge_days=days) as league:
            ann = enlisted(league, "Ann", HAWK)
            ann.ask("CHALLENGE ANYBODY WITH Hawk")
            league.later(30 * DAY)
            found = ann.new()
            assert state(league) == ends
            assert ["in 3 days" in words(one) for one in found] == ([True] if days else [])


def test_a_challenge_at_which_the_program_fails_keeps_no_other_open(
    league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, _ = enlisted(league, "Ann", HAWK), enlisted(league, "Bob", KESTREL)
    ann.ask("CHALLENGE Kestrel WITH Hawk")
    ann.ask("CHALLENGE ANYBODY WITH Hawk")
    lapses = offers.lapses

    def failing(store: Store, of: LeagueSettings, offer: OfferedBattle) -> datetime | None:
        if offer.number == 1:
            raise ValueError("a bug")
        return lapses(store, of, offer)

    monkeypatch.setattr(ending, "lapses", failing)
    league.later(15 * DAY)
    league.work()
    assert [
        one.state
        for one in league.store.all(Offer.select().where(Offer.patrol == False).order_by(Offer.id))
    ] == ["open", "lapsed"]


def test_a_rematch_by_a_reply_and_by_number(league: League) -> None:
    ann, bob = enlisted(league, "Ann", HAWK), enlisted(league, "Bob", KESTREL)
    ann.ask("CHALLENGE Kestrel WITH Hawk FIRST me")
    settled(bob)
    bob.ask("ACCEPT 1")
    settled(ann)
    assert "game 1 is not over yet" in words(ann.ask("REMATCH 1"))
    by_shell(league.service.ports, "DRAW 1", league.now)
    settled(ann, bob)
    answer = words(bob.ask("REMATCH", bob.last_about("[G1")))
    assert "challenge 2 is on its way to Hawk's player" in answer
    [letter] = ann.new()
    assert "duel with Hawk" in letter["Subject"]
    assert "open already: number 2" in words(bob.ask("REMATCH 1"))
    assert "you had no part in game 77" in words(bob.ask("REMATCH 77"))
    ann.ask("DECLINE 2")
    assert "challenge 3 is on its way to Kestrel's player" in words(ann.ask("REMATCH FIRST them"))
    assert again(league) == []


def test_a_rematch_by_a_reply_is_of_the_battle_that_is_answered(league: League) -> None:
    ann, bob = enlisted(league, "Ann", HAWK), enlisted(league, "Bob", KESTREL)
    ann.ask("PRACTICE WITH Hawk AGAINST easy")
    ann.ask("SURRENDER", ann.last_about("[G1"))
    bob.ask("CHALLENGE Hawk WITH Kestrel")
    settled(ann)
    ann.ask("ACCEPT 1")
    by_shell(league.service.ports, "DRAW 2", league.now)
    settled(ann, bob)
    assert "on its way to Kestrel's player" in words(ann.ask("Rematch", ann.last_about("[G2")))


@pytest.mark.parametrize(("order", "language"), [("REMATCH", "en"), ("REVANCHE", "de")])
def test_practice_again(league: League, order: str, language: str) -> None:
    ann = enlisted(league, "Ann", HAWK)
    ann.ask(f"LANGUAGE {language}")
    ann.ask("PRACTICE WITH Hawk AGAINST easy")
    ann.reply(STANDING, ann.last_about("[G1"))
    for _ in range(12):
        ann.new()
        if not league.game.running:
            break
        ann.reply(STANDING, ann.last_about("[G1"))
    assert not league.game.running
    offered = {"en": "PRACTICE WITH Hawk AGAINST easy", "de": "ÜBEN MIT Hawk GEGEN leicht"}
    assert offered[language] in links(ann.last_about("[G1"))
    ann.reply(order, ann.last_about("[G1"))
    ann.new()
    assert league.game.id == 2
    assert (league.game.practice, league.game.bots) == (True, "easy")


def test_a_rematch_of_teams_names_the_same_pilots(league: League) -> None:
    ann = enlisted(league, "Ann", HAWK, FALCON)
    bob = enlisted(league, "Bob", KESTREL, MERLIN)
    ann.ask("TEAM CHALLENGE Kestrel, Merlin WITH Hawk, Falcon")
    bob.new()
    bob.reply("ACCEPT 1")
    settled(bob)
    by_shell(league.service.ports, "DRAW 1", league.now)
    settled(ann, bob)
    answer = words(bob.ask("REMATCH 1"))
    assert "on its way to the players of Hawk and Falcon" in answer
    [letter] = ann.new()
    assert "team battle with Hawk and Falcon" in letter["Subject"]


def test_who_moves_second_is_not_said_to_be_at_the_move(league: League) -> None:
    ann, bob = duel(league)
    assert "Your move in 1: Hawk against Kestrel" in str(ann.last_about("[G1-T1")["Subject"])
    letter = bob.last_about("[G1-T1")
    assert "Your orders in 1: Hawk against Kestrel" in str(letter["Subject"])
    assert str(letter["Subject"]).endswith("you move later")
    assert "your orders count as soon as it is your turn" in words(letter)
    assert "YOUR MOVE" not in words(letter)
