"""What is in a newsletter, when it is printed, and that it stays as it was."""

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

from engine.registry import RULESETS
from engine.starpilot.tables import GRADES, MISSIONS_TO_RANK_TWO
from pbem.games.reports import turning_points
from pbem.games.session import Session
from pbem.handlers.request import Refusal
from pbem.news import front_page
from pbem.people import personas, players
from pbem.service.service import Service
from pbem.storage import (
    Editorial,
    Entry,
    Game,
    Issue,
    Letter,
    Persona,
    Player,
    Step,
    Store,
    stored_games,
)
from tests.rendering.test_letter_templates import PRESS
from tests.support.grown_league import grow
from tests.support.harness import League, Person, duel
from tests.support.link_taps import tap
from tests.support.players import STANDING, address_of, words


def deadly_entropy(count: int) -> bytes:
    """Return the same secret each time: one with which Hawk falls to Kestrel."""
    return hashlib.sha256(b"secret 1").digest()[:count]


pytestmark = pytest.mark.league(entropy=deadly_entropy, moderator=address_of("Mona"))


def fought(league: League, words_of_bob: str = "") -> tuple[Person, Person]:
    """Play a duel of two people to its end."""
    ann, bob = duel(league)
    ann.reply(STANDING)
    bob.reply(f"{STANDING}\n{words_of_bob}")
    league.work()
    while league.game.running:
        for person in (ann, bob):
            person.reply("READY")
        league.work()
    for person in (ann, bob):
        person.new()
    return ann, bob


def preview(league: League) -> str:
    """Return an issue as it would be now, as one line."""
    return " ".join(league.service.ports.newsletter.preview(league.now).text.split())


def published(league: League) -> str:
    """Print an issue at once, and return it as one line."""
    league.service.ports.newsletter.want()
    league.work()
    [printed] = league.store.all(Issue.select().order_by(Issue.id.desc()).limit(1))
    return " ".join(league.service.ports.newsletter.page(printed).text.split())


def test_an_issue_tells_what_has_happened(league: League) -> None:
    fought(league, "STORY: Come and get me, Hawk.")
    page = preview(league)
    last = league.store.all(Step.select().where(Step.game == 1).order_by(Step.id))[
        -1
    ].n  # as the last report calls it
    assert f"RESULTS - Game 1, 2 Nov 2026: Kestrel won against Hawk, after {last} steps" in page
    assert 'The player of Kestrel tells: "Come and get me, Hawk."' in page
    assert "NEW PILOTS - Pilot Hawk of the Emboros Cartel, 2 Nov 2026: Enlisted" in page
    assert "THE FALLEN, AND THOSE WHO LEFT - Pilot Hawk" in page
    assert "game 1: Killed in battle." in page
    assert "CAREERS - Place 1: Pilot Kestrel, " in page


def test_a_quiet_time_makes_a_short_and_honest_issue(league: League) -> None:
    fought(league)
    published(league)
    league.later(1)
    page = published(league)
    assert "It was a quiet time" in page
    assert "CAREERS" not in page
    assert len(page) < 400


def test_each_thing_is_told_in_one_issue_and_no_other(league: League) -> None:
    fought(league)
    assert "Game 1," in published(league)
    league.later(1)
    assert "Game 1," not in published(league)


def test_the_duel_is_told_by_its_turning_points_with_a_picture(league: League) -> None:
    ann, _ = fought(league)
    ann.ask("SUBSCRIBE")
    page = published(league)
    assert "THE DUEL OF THIS ISSUE Nowhere else did the odds swing so far, and for good, as" in page
    widest = turning_points.swings(Session(league.store, league.game))[:2]
    for swing in widest:
        after = rf".*about {swing.after}\b" if swing.after < 100 else " %"
        assert re.search(rf"about {swing.before}\b{after}", page)
    letter = ann.last_about("newsletter")
    html = letter.get_body(("html",)).get_content()
    [shown] = [part for part in letter.walk() if part.get_content_type() == "image/png"]
    assert f'src="cid:{shown["Content-ID"][1:-1]}"' in html
    feed = league.service.ports.outbox.renderer.alone(
        league.service.ports.newsletter.page(league.store.get(Issue, 1))
    )
    assert "cid:" not in feed


def test_the_best_story_makes_the_headline(league: League) -> None:
    fought(league)
    page = preview(league)
    [winner] = re.findall(r"Game 1, 2 Nov 2026: (\w+) won", page)
    low = turning_points.lowest(Session(league.store, league.game))
    if low <= front_page.LOW:
        beaten = f"{winner} was all but beaten: at the worst moment the odds were about {low} in"
        assert beaten in page
    else:
        assert f"Game 1 went to {winner}." in page
    subject = league.service.ports.newsletter.preview(league.now).subject
    assert subject.count("Kestrel") == subject.count("Hawk") == 1


def test_who_looks_for_an_opponent_is_found_by_one_tap(league: League) -> None:
    ann, bob = league.person("Ann"), league.person("Bob")
    for person in (ann, bob):
        person.join()
        person.ask("SUBSCRIBE")
    ann.ask("ENLIST Hawk FOR cartel WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Angela 313B")
    bob.ask("ENLIST Kestrel FOR alliance WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Rus 133-A")
    ann.ask("PATROL WITH Hawk")
    assert "PATROL fights Hawk, who is on patrol" in published(league)
    tap(bob, bob.last_about("newsletter"), "PATROL")
    league.work()
    assert league.store.count(Game.select().where(Game.running == True)) == 1


def test_what_earns_an_award_is_told_as_the_rules_have_it() -> None:
    page = PRESS.letters("en", "starpilot").get_template("starpilot/news.j2").module
    for counted, *grades in GRADES.values():
        for least, honour in grades:
            number = least // 10 if counted == "hp_total" else least
            entry = {"kind": "award", "facts": {"code": honour.code}}
            assert f"given for {number} " in str(page.why(entry))


@pytest.mark.parametrize(
    ("language", "missions", "spent"),
    [
        ("en", "by a fourth mission", "the reward for which HP were spent"),
        ("de", "durch den vierten Einsatz", "die Belohnung, für die HP ausgegeben wurden"),
    ],
)
def test_what_earns_a_promotion_is_told(language: str, missions: str, spent: str) -> None:
    page = PRESS.letters(language, "starpilot").get_template("starpilot/news.j2").module
    assert MISSIONS_TO_RANK_TWO == 4
    for game, told in ((1, missions), (None, spent)):
        entry = {"kind": "promoted", "facts": {"rank": 2}, "game": game}
        assert told in str(page.why(entry))


def test_an_issue_stays_as_it_was_byte_for_byte(league: League, tmp_path: Path) -> None:
    fought(league)
    published(league)
    before = league.store.get(Issue, 1).page
    row = personas.named(league.store, "Hawk")
    assert row is not None
    league.store.run(
        Persona.update(name="Renamed", record=row.record.replace("cartel", "x")).where(
            Persona.id == row.id
        )
    )
    league.store.run(Entry.update(news=False).where(Entry.persona == row.id))
    stored_games.change_game(league.store, 1, running=True)
    again = Store(league.settings.store_url())
    service = Service(league.settings, again)
    assert again.get(Issue, 1).page == before
    page = service.ports.newsletter.page(again.get(Issue, 1))
    assert page.text == json.loads(before)["en"]["text"]
    again.close()


def test_printing_is_a_function_of_the_facts(league: League) -> None:
    fought(league)
    assert league.service.ports.newsletter.preview(
        league.now
    ) == league.service.ports.newsletter.preview(league.now)


def test_practice_is_never_told(league: League, ann: Person) -> None:
    ann.ask("ENLIST Hawk FOR cartel WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Angela 313B")
    published(league)
    league.later(1)
    ann.ask("PRACTICE WITH Hawk AGAINST easy")
    ann.reply(STANDING)
    league.work()
    while league.game.running:
        ann.reply("READY")
        league.work()
    assert "It was a quiet time" in published(league)


def test_nothing_of_a_running_battle_is_told(league: League) -> None:
    ann, bob = duel(league)
    before = preview(league)
    ann.ask("A secret plan.\n\nSCAN")
    bob.ask("SCAN\nSALT my salt")
    assert league.game.steps > 1
    after, _, reliability = preview(league).partition(" RELIABILITY ")
    assert after == before.partition(" COMMITMENTS TO DICE ")[0]
    assert "The player of Hawk met 1 of 1 deadline." in reliability, "which all may know"
    for secret in ("secret plan", "SCAN", "my salt", "Game 1", league.game.secret.hex()):
        assert secret not in before


def test_no_person_and_no_address_is_named(league: League) -> None:
    fought(league)
    page = league.service.ports.newsletter.preview(league.now)
    for secret in ("Example", "ann@", "bob@", "league.example"):
        assert secret not in page.text + page.html


def test_editorials_are_printed_only_when_let_through(league: League) -> None:
    ann, mona = league.person("Ann"), league.person("Mona")
    for person in (ann, mona):
        person.join()
    ann.ask("EDITORIAL\nBeams are\noverrated.\nSCAN\nEND")
    ann.ask("EDITORIAL\nI take it back.")
    [asked, _] = mona.new()
    assert "| Beams are" in asked.as_string()
    assert "Beams" not in preview(league)
    key = mona.key
    mona.ask(f"GM PRINT 1\nKEY {key}", asked)
    league.rule("DROP EDITORIAL 2")
    found = [words(each) for each in ann.new()]
    assert "it will stand in the next newsletter" in found[0]
    assert "it will not be printed" in found[1]
    assert "A player writes: | Beams are | overrated. | SCAN" in published(league)
    league.later(1)
    assert "Beams" not in published(league)
    with pytest.raises(Refusal, match="printed already"):
        league.rule("DROP 1")


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("EDITORIAL", "nothing to print"),
        ("EDITORIAL AS Kestrel\nHello.", "no pilot and no squadron called Kestrel"),
        ("EDITORIAL\n" + "x" * 6001, "6000 are the most"),
    ],
)
def test_what_can_be_wrong_with_an_editorial(
    league: League, ann: Person, text: str, refused: str
) -> None:
    assert refused in words(ann.ask(text))
    assert league.store.count(Editorial.select()) == 0


def test_only_so_many_editorials_wait(league: League, ann: Person) -> None:
    for number in range(3):
        ann.ask(f"EDITORIAL\nNumber {number}.")
    assert "wait for the moderator already" in words(ann.ask("EDITORIAL\nOne more."))
    with pytest.raises(Refusal, match="no editorial 9"):
        league.rule("PRINT 9")


def test_a_citation_is_printed_when_the_medal_is_given(league: League) -> None:
    fought(league)
    for name, side, ship in (("Cid", "league", "Wright 1903S"), ("Dan", "league", "Wright 1903S")):
        person = league.person(name)
        person.join()
        person.ask(f"ENLIST {name}o FOR {side} WEAPONS 12 PILOTING 12 SENSORS 12 SHIP {ship}")
    eve = league.person("Eve")
    eve.join()
    eve.ask("NOMINATE Hawk IN 1\nHe stayed when he could have run.")
    assert "He stayed" not in preview(league)
    for name in ("Cid", "Dan"):
        again = league.person(name)
        again.ask("ENDORSE 1")
    assert "| He stayed when he could have run." in preview(league)


def test_the_readers_own_part_tells_what_waits(league: League) -> None:
    ann, _ = duel(league)
    ann.ask("SUBSCRIBE", ann.last_about("Welcome"))
    published(league)
    text = words(ann.last_about("newsletter"))
    assert "WHAT CONCERNS YOU - Game 1 waits for your orders for Hawk, until" in text
    assert "Pilot Hawk, Officer (Rank 1) of the Emboros Cartel" in text
    assert text.index("WHAT CONCERNS YOU") < text.index("NEWSLETTER 1 ") < text.index("NEW PILOTS")


def test_orders_in_a_reply_to_it_are_taken(league: League, ann: Person) -> None:
    ann.ask("SUBSCRIBE")
    published(league)
    assert "no newsletter comes to you any more" in words(
        ann.ask("UNSUBSCRIBE", ann.last_about("newsletter"))
    )


def test_a_reader_gets_it_in_the_language_and_form_that_was_chosen(
    league: League, ann: Person
) -> None:
    ann.ask("SUBSCRIBE")
    ann.ask("FORMAT text")
    player = players.at(league.store, ann.address)
    assert player is not None
    league.store.run(Player.update(language="de").where(Player.id == player.id))
    published(league)
    issue = ann.last
    assert issue["List-Id"]
    assert issue.get_content_type() == "text/plain"
    assert "Ratlos?" in issue.get_content()


@pytest.mark.parametrize("system", [key for key, rules in RULESETS.items() if rules.campaign])
def test_every_system_has_words_for_its_news(system: str) -> None:
    made = PRESS.letters("en")
    for page, macros in (
        ("news", ("honours", "fallen", "recruits", "turning")),
        ("standings", ("table", "own", "mine")),
    ):
        told = made.get_template(f"{system}/{page}.j2").module
        assert all(callable(getattr(told, macro)) for macro in macros)


@pytest.mark.parametrize(
    ("system", "beat", "said"),
    [
        ("blackskies", {"by": ["Red 1"], "lost": "Red 1", "hits": 2}, "Blue 1"),
        ("starfarer", {"by": "Red 1", "fate": "dead", "area": "chest", "level": ""}, "Blue 1"),
        ("cortex", {"by": "Red 1", "fate": "destroyed", "way": "guns", "harm": 90}, "Blue 1"),
    ],
)
def test_a_result_has_a_line_of_what_its_last_turn_brought(
    system: str, beat: dict[str, Any], said: str
) -> None:
    found = {"kind": "struck", "at": "Blue 1", "turn": 9, "nth": 4, "first": 9, "last": 9} | beat
    result = {"beats": [found], "game": {"commitment": "0" * 64}, "view": {}}
    for language in ("en", "de"):
        page = PRESS.letters(language).get_template(f"{system}/news.j2").module
        told = page.turning(result).strip()
        assert said in told
        assert "Red 1" in told
        assert "9" not in told, "the number of the turn, which stands there as steps"


def test_an_issue_of_a_busy_time_fits_into_40_kib(league: League) -> None:
    """What was seen: 39 KiB at 10 duels, and 735 KiB at 800."""
    ann, _ = fought(league)
    ann.ask("SUBSCRIBE")
    for n in range(4):
        league.store.run(
            Editorial.insert(
                player=1, by="", text=f"{n} " + "Wörter " * 850, state="passed", made=league.now
            )
        )
    grow(league.store, 100 * league.store.count(Letter.select()))
    league.service.ports.newsletter.want()
    league.work()
    sent = ann.last_about("newsletter")
    size = sum(
        len(part.as_bytes()) for part in sent.walk() if part.get_content_maintype() == "text"
    )
    assert 15 * 1024 < size <= 40 * 1024
    page = words(sent)
    assert "commitments from this time" in page
    assert "more had news that is not told here" in page
    assert "more ended earlier in this time" in page
    # An editorial that found no room stands in the next issue.
    assert league.store.count(Editorial.select().where(Editorial.state == "printed")) > 0
    assert league.store.count(Editorial.select().where(Editorial.state == "passed")) > 0
