"""No letter is longer than what mail programs show: Gmail cuts its HTML at 102 kB."""

from email.message import EmailMessage
from pathlib import Path

import pytest

from engine.registry import RULESETS
from pbem.handlers.order_words import TRANSLATIONS
from tests.rendering.test_letter_templates import MOST_BYTES
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
        assert {asked: found for asked, found in sizes.items() if found > MOST_BYTES} == {}
        assert max(sizes.values()) > 20_000
