"""What puzzled a newcomer who plays: what comes next, why not, and subjects that tell."""

from email.message import EmailMessage

import pytest

from pbem.handlers.order_words import TRANSLATIONS
from pbem.storage import Game, Offer
from tests.support.harness import League, Person, duel
from tests.support.link_taps import links, tap
from tests.support.players import HAWK, KESTREL, STANDING, is_last_report, plain, words

LANGUAGES = pytest.mark.parametrize("language", ["en", "de"])
HEAVY = "ENLIST Owl FOR cartel WEAPONS 14 PILOTING 12 SENSORS 12 SHIP Angela 313B"


def member(league: League, language: str, name: str = "Tom") -> Person:
    """Return somebody who has joined, confirmed, and reads a language."""
    person = league.person(name)
    person.join()
    if language != "en":
        person.ask(f"LANGUAGE {language}")
    person.new()
    return person


def in_language(order: str, language: str) -> str:
    """Return a league order in the words of a language."""
    return TRANSLATIONS[language].shown(order) if language in TRANSLATIONS else order


def subject(letter: EmailMessage) -> str:
    """Return a letter's subject without what stands in brackets."""
    return str(letter["Subject"]).partition("] ")[2]


@LANGUAGES
def test_after_a_practice_the_letter_says_what_next(league: League, language: str) -> None:
    tom = member(league, language)
    tom.ask(HAWK)
    tom.reply("PRACTICE WITH Hawk")
    tom.reply("SURRENDER", tom.new()[-1])
    final = tom.new()[-1]
    assert is_last_report(final) or language == "de"
    offered = in_language("CHALLENGE ANYBODY WITH Hawk", language)
    assert {offered, in_language("PATROL WITH Hawk", language)} <= set(links(final))
    tap(tom, final, offered)
    [answer] = tom.new()
    assert (
        league.store.count(Offer.select().where(Offer.patrol == False, Offer.state == "open")) == 1
    )
    title = {"en": "Open challenge: Hawk", "de": "Offene Herausforderung: Hawk"}[language]
    assert subject(answer) == title


@LANGUAGES
def test_enlist_suggests_no_practice_that_was_begun(league: League, language: str) -> None:
    tom = member(league, language)
    practice = in_language("PRACTICE WITH", language)
    tom.reply(f"{HAWK}\nPRACTICE WITH Hawk")
    letters = tom.new()
    both = next(one for one in letters if "Hawk" in subject(one) and "G1" not in one["Subject"])
    assert not any(one.startswith(practice) for one in links(both))
    expected = {"en": "a letter of its own says what you may order", "de": "ein eigener Brief sagt"}
    assert expected[language] in words(both)
    tom.reply("SURRENDER", letters[-1] if "[G1" in letters[-1]["Subject"] else letters[0])
    tom.new()
    tom.write(f"{KESTREL}\nKEY {tom.key}") if language == "en" else tom.reply(KESTREL)
    second = tom.new()[-1]
    assert not any(one.startswith(practice) for one in links(second))


@LANGUAGES
def test_the_first_pilot_is_offered_a_practice(league: League, language: str) -> None:
    tom = member(league, language)
    assert in_language("PRACTICE WITH Hawk", language) in links(tom.ask(HAWK))


@LANGUAGES
@pytest.mark.parametrize("below", ["", "\nThanks!"])
def test_a_wrapped_enlist_is_told_its_sum(league: League, language: str, below: str) -> None:
    tom = member(league, language)
    head, _, tail = HEAVY.rpartition(" SHIP ")
    text = words(tom.ask(f"{head} SHIP\n{tail}{below}"))
    assert {"en": "aptitudes sum to 38", "de": "ergeben zusammen 38"}[language] in text or (
        "38" in text
    )
    assert "may be the rest" not in text
    assert "kann der Rest" not in text


@LANGUAGES
def test_a_headline_tells_first_that_the_own_order_failed(league: League, language: str) -> None:
    ann, bob = duel(league)
    for person in (ann, bob):
        person.ask(f"LANGUAGE {language}")
    failed = {"en": "fails", "de": "misslingt"}
    expected = {"en": "your {} failed", "de": "{} ist dir misslungen"}[language]
    words_of = {
        "SCAN": {"en": "SCAN", "de": "SUCHEN"},
        "TARGET": {"en": "TARGET", "de": "ERFASSEN"},
    }
    order = "SCAN"
    for turn in range(1, 9):
        ann.reply(order, ann.last_about(f"[G1-T{turn} "))
        bob.reply("SCAN", bob.last_about(f"[G1-T{turn} "))
        league.work()
        report = words(ann.last_about(f"[G1-T{turn + 1} "))
        own = report.partition({"en": "(your order). Hawk", "de": "(dein Befehl). Hawk"}[language])
        headline = expected.format(words_of[order][language])
        if failed[language] in own[2].partition(".")[0]:
            assert headline in report
            return
        assert headline not in report
        # Of a SCAN with nobody left to find, something else is said.
        order = "TARGET"
    raise AssertionError("no order failed in eight turns")


@pytest.mark.league(turns_per_letter=4)
@LANGUAGES
def test_a_report_says_why_standing_orders_stopped(league: League, language: str) -> None:
    people = duel(league)
    for person in people:
        person.ask(f"LANGUAGE {language}")
        person.reply(STANDING, person.last_about("G1-T1"))
    league.work()
    assert league.game.running
    why = {"en": "at most 4 turns are played", "de": "höchstens 4 Züge"}[language]
    ready = in_language("READY", language)
    steps = league.game.steps
    for person in people:
        report = person.last_about("[G1-T2")
        assert why in words(report)
        tap(person, report, ready)
    league.work()
    assert league.game.steps > steps


@LANGUAGES
def test_a_challenge_may_name_the_player(league: League, language: str) -> None:
    ann, bob = member(league, language, "Ann"), member(league, "en", "Bob")
    ann.ask(HAWK)
    none = words(ann.ask("CHALLENGE Bob Example WITH Hawk"))
    assert "Bob Example" in none
    bob.ask(KESTREL)
    answer = ann.ask("CHALLENGE Bob Example WITH Hawk")
    sent = {
        "en": "Challenge sent: Hawk against Kestrel",
        "de": "Herausgefordert: Hawk gegen Kestrel",
    }
    assert subject(answer) == sent[language]
    assert "Kestrel" in words(bob.new()[-1])


@LANGUAGES
def test_a_player_of_several_pilots_is_challenged_by_a_tap(league: League, language: str) -> None:
    ann, bob = member(league, language, "Ann"), member(league, "en", "Bob")
    ann.ask(HAWK)
    bob.ask(KESTREL)
    bob.ask("ENLIST Kite FOR league WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Wright 1903S")
    answer = ann.ask("CHALLENGE Bob Example")
    lines = [in_language(f"CHALLENGE {one} WITH Hawk", language) for one in ("Kestrel", "Kite")]
    assert set(lines) <= set(links(answer))
    not_done = {"en": "Not done: CHALLENGE", "de": "Nicht getan: FORDERN"}
    assert subject(answer) == not_done[language]
    tap(ann, answer, lines[1])
    ann.new()
    assert "Kite" in words(bob.new()[-1])


@LANGUAGES
def test_status_of_somebody_whose_only_pilot_is_gone_offers_another(
    league: League, language: str
) -> None:
    tom = member(league, language)
    tom.ask(HAWK)
    tom.ask("YES", tom.ask("RESIGN Hawk"))
    status = tom.ask("STATUS")
    [lines] = [one for one in links(status) if "\n" in one]
    tap(tom, status, lines)
    tom.new()
    assert league.store.count(Game.select().where(Game.practice == True)) == 1


@pytest.mark.parametrize(
    "word",
    "squadron pilot pilots ship card element turn deadline draw medal dice battl challange rule"
    " duel time letter team design".split(),
)
def test_help_finds_a_topic_for_what_people_ask(league: League, word: str) -> None:
    tom = member(league, "en")
    answer = tom.ask(f"HELP {word}")
    assert "could not be done" not in words(answer)
    assert len(plain(answer)) > 500
    assert subject(answer).startswith("Help: ")


@pytest.mark.parametrize(
    "word", "Staffel Pilot Schiff Karte Element Zug Frist Remis Orden Würfel Duell Brief".split()
)
def test_german_help_finds_a_topic_too(league: League, word: str) -> None:
    tom = member(league, "de")
    answer = tom.ask(f"HILFE {word}")
    assert "Das ging nicht" not in words(answer)
    assert len(plain(answer)) > 500
    assert subject(answer).startswith("Hilfe: ")


@LANGUAGES
@pytest.mark.parametrize(
    ("topic", "order"),
    [("battle", "HELP standing"), ("dice", "SCRIPT"), ("medals", "STANDINGS")],
)
def test_help_pages_have_taps(league: League, language: str, topic: str, order: str) -> None:
    tom = member(league, language)
    page = tom.ask(f"HELP {topic}")
    linked = {"en": order, "de": {"HELP standing": "HILFE Dauerbefehle"}.get(order)}[language]
    line = linked or in_language(order, language)
    tap(tom, page, line)
    assert "could not" not in words(tom.new()[-1])


@LANGUAGES
@pytest.mark.parametrize(
    ("written", "english", "german"),
    [
        (HAWK, "Enlisted: Hawk", "Aufgenommen: Hawk"),
        ("TIMEZONE Europe/Oslo", "Settings: TIMEZONE", "Einstellungen: ZEITZONE"),
        ("STATUS", "What you asked: STATUS", "Deine Frage: STATUS"),
        ("HELP standing", "Help: standing", "Hilfe: Dauerbefehle"),
        ("RULES damage", "The rules of StarPilot: damage", "Die Regeln von StarPilot: Schaden"),
        ("WATCH 12", "Not done: WATCH", "Nicht getan: BEOBACHTEN"),
        (HEAVY, "Not done: ENLIST", "Nicht getan: ANWERBEN"),
        (f"{HAWK}\nSTATUS", "Hawk, and one more order", "Hawk, und noch ein Befehl"),
        (f"{HAWK}\nSTATUS\nGAMES", "Hawk, and 2 more orders", "Hawk, und noch 2 Befehle"),
        ("Acept 12", "Did you mean this? ACCEPT 12", "Hast du das gemeint? ANNEHMEN 12"),
        ("Good evening to you", "No order was found", "Kein Befehl gefunden"),
    ],
)
def test_the_subject_of_an_answer_tells_what_was_done(
    league: League, language: str, written: str, english: str, german: str
) -> None:
    tom = member(league, language)
    told = subject(tom.ask(written))
    assert told.endswith({"en": english, "de": german}[language])


@LANGUAGES
@pytest.mark.parametrize(
    ("written", "english", "german"),
    [
        ("SHEET Hawk", "The sheet of Hawk", "Der Bogen von Hawk"),
        ("PATROL WITH Hawk", "On patrol: Hawk", "Auf Patrouille: Hawk"),
        ("CHALLENGE ANYBODY WITH Hawk", "Open challenge: Hawk", "Offene Herausforderung: Hawk"),
    ],
)
def test_the_subject_names_whom_it_is_about(
    league: League, language: str, written: str, english: str, german: str
) -> None:
    tom = member(league, language)
    tom.ask(HAWK)
    assert subject(tom.ask(written)) == {"en": english, "de": german}[language]


@LANGUAGES
def test_what_was_begun_is_ended_by_a_tap(league: League, language: str) -> None:
    tom = member(league, language)
    tom.ask(HAWK)
    for order, end, told in (
        ("PATROL WITH Hawk", "PATROL OFF Hawk", "Back from patrol: Hawk"),
        ("CHALLENGE ANYBODY WITH Hawk", "WITHDRAW 1", "Challenge 1 withdrawn"),
    ):
        tap(tom, tom.ask(order), in_language(end, language))
        [answer] = tom.new()
        assert "ould not be done" not in words(answer)
        if language == "en":
            assert subject(answer) == told


@LANGUAGES
def test_a_sheet_holds_no_jargon(league: League, language: str) -> None:
    tom = member(league, language)
    sheet = words(tom.ask(HAWK))
    assert "BB" not in sheet


def test_a_command_in_a_german_sentence_is_german(league: League) -> None:
    ann, _ = duel(league)
    report = ann.last
    ann.ask("LANGUAGE de")
    text = words(ann.ask("SUCHEN\nZIEL\nVORSCHAU", report))
    assert "TARGET" not in text
    assert "PREVIEW" not in text
