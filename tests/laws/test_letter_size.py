"""No letter is longer than what mail programs show: Gmail cuts its HTML at 102 kB."""

from email.message import EmailMessage
from pathlib import Path

import pytest

import pbem.rendering
from engine.registry import RULESETS
from pbem.handlers.order_words import TRANSLATIONS
from pbem.handlers.pages.topic_pages import TOPICS
from pbem.rendering import LARGEST
from tests.support.each_system import SYSTEMS, first_reports
from tests.support.harness import open_league

PAGES = 20
"""As many questions of one letter are answered (`questions_a_letter`)."""


def size(letter: EmailMessage) -> int:
    html = letter.get_body(("html",))
    assert html is not None
    return len(html.get_content().encode())


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_letter_of_many_questions_is_shown_whole(system: str, tmp_path: Path) -> None:
    with open_league(tmp_path, systems=SYSTEMS) as league:
        ann, _ = first_reports(league, system, "de")
        sizes = {"report": size(ann.last_about("[G1-T1"))}
        topics = [word for word in TRANSLATIONS["de"].links["HELP"] if word.islower()]
        helped = [f"HELP {topic}" for topic in topics]
        words = RULESETS[system].translations["de"].league
        asked = [f"{head} {word}" for head in ("RULES", "SHIPS") for word in words.get(head, {})]
        # All that a player may ask about a game, as often as one letter may.
        for lines in ([*helped, *asked, "RULES", "SHIPS"], [*asked, *helped]):
            ann.new()
            ann.reply("\n".join(lines[:PAGES]))
            [answer] = ann.new()
            sizes[lines[0]] = size(answer)
        assert {asked: found for asked, found in sizes.items() if found > LARGEST} == {}
        assert max(sizes.values()) > 20_000


def of_twelve_vessels(folder: Path) -> EmailMessage:
    """Return a report of a battle of twelve vessels a side that also answers 19 questions."""
    with open_league(folder, systems=SYSTEMS) as league:
        ann, bob = league.person("Ann"), league.person("Bob")
        for person, group in ((ann, "Ravens WITH R"), (bob, "Kites WITH K")):
            person.join()
            person.ask(f"GROUP {group}: 12 fighters")
        ann.ask("CHALLENGE Kites WITH Ravens")
        bob.new()
        bob.ask("ACCEPT 1")
        book = RULESETS["cortex"].book
        assert book is not None
        questions = [f"RULES {topic}" for topic in book.topics]
        questions += [f"HELP {topic}" for topic in TOPICS]
        for person, own, foe in ((bob, "K", "R"), (ann, "R", "K")):
            orders = [f"{own} {n}: DEFEND, FIRE Talon AT {foe} {n}" for n in range(1, 13)]
            asked = questions[: PAGES - 1] if person is ann else []
            person.reply("\n".join([*orders, *asked]), person.last_about("[G1-"))
        league.work()
        return ann.last_about("[G1-T2")


def test_a_report_of_many_vessels_and_questions_is_shown_whole(tmp_path: Path) -> None:
    found = of_twelve_vessels(tmp_path)
    assert 30_000 < size(found) <= LARGEST


def test_a_letter_that_is_too_long_is_attached(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pbem.rendering, "LARGEST", 30_000)
    found = of_twelve_vessels(tmp_path)
    assert size(found) <= 30_000
    [whole] = [part for part in found.iter_attachments() if part.get_filename() == "letter.txt"]
    text = found.get_body(("plain",))
    assert text is not None
    assert whole.get_content().split() == text.get_content().split()
