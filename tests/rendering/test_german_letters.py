"""Every kind of letter in German: read by a person, complete, and never to be read as orders."""

import re
from typing import Any

import pytest

from engine.i18n import say
from pbem.rendering import Page
from tests.games.test_account import LOOKS, OVER, WAR, post, whole
from tests.rendering.test_letter_templates import PRESS, SAMPLES, filled
from tests.support.english_words import order_words, shown
from tests.support.letter_samples import Duel
from tests.support.snapshot import matches
from tools.messages import entries

GERMAN = "de"


def page(name: str) -> Page:
    kind, facts = SAMPLES[name]
    return filled(kind, facts, GERMAN)


@pytest.mark.parametrize("name", SAMPLES)
def test_german_letters_are_as_they_were_reviewed(name: str) -> None:
    made = page(name)
    text = matches(f"letters/de/{name}.txt", f"Subject: {made.subject}\n\n{made.text}")
    html = matches(f"letters/de/{name}.html", made.html)
    assert text
    assert html


@pytest.mark.parametrize("name", SAMPLES)
def test_german_text_keeps_to_72_columns(name: str) -> None:
    long = [line for line in page(name).text.splitlines() if len(line) > 72]
    assert [line for line in long if not line.startswith("ANWERBEN")] == []


@pytest.mark.parametrize("name", SAMPLES)
def test_german_letters_say_what_language_they_are_in(name: str) -> None:
    assert '<html lang="de"' in page(name).html


ENGLISH = re.compile(
    r"\b(?:the|your|you|and|is|are|with|from|that|this|for|not|by|easy|sound|sharp)\b"
)


@pytest.mark.parametrize("name", sorted(SAMPLES.keys() - {"digest"}))
def test_no_english_is_left(name: str) -> None:
    text = page(name).text.split("\n\n")[1:]
    ours = [line for part in text for line in part.splitlines() if not _quoted(part, line)]
    assert [line for line in ours if ENGLISH.search(line)] == []


def test_english_orders_are_noticed() -> None:
    assert {"AWAY", "ADDRESS", "EXTEND", "FIRE", "ENLIST", "nearest"} <= order_words(GERMAN)
    made = page("turn").html.replace("Du bist am Zug", "Du bist am Zug: FIRE")
    assert shown(made, GERMAN)[0].endswith(" FIRE")
    assert shown(made, GERMAN, "FIRE") == []


# A notice is in its writer's words, and a digest holds others' letters.
@pytest.mark.parametrize("name", sorted(SAMPLES.keys() - {"digest", "notice"}))
def test_no_english_order_is_left(name: str) -> None:
    assert shown(page(name).html, GERMAN) == []


def _quoted(part: str, line: str) -> bool:
    """Return whether a line is a player's own, another letter's, or credits to keep as they are."""
    return line[:1] in "| " or '"' in line or part.startswith("Urheber: StarPilot")


OTHER_WORDS = (
    r"\b(?:Mannschaft\w*|Moderators?|Forderung\w*|Heldenmut\w*|Semikolon\w*|Schlacht|Mark)\b"
    r"|(?<!außer )\bGefechte?[ns]?\b"
)
"""Words for what docs/translators.md calls by another one."""


def test_one_thing_has_one_word() -> None:
    words = [re.search(OTHER_WORDS, str(entry.string)) for _, entry in entries(GERMAN)]
    assert [found[0] for found in words if found] == []


def test_a_sentence_of_the_program_is_said_in_german() -> None:
    facts: dict[str, Any] = SAMPLES["notice"][1]
    text = say("{none} is called {name}", none=say("no pilot"), name="Hawk")
    made = PRESS.page("notice", "starpilot", GERMAN, **facts | {"text": text})
    assert "kein Pilot heißt Hawk" in made.text
    assert "kein Pilot heißt Hawk" in made.html


@pytest.mark.parametrize("form", LOOKS)
def test_german_posts_are_as_they_were_reviewed(form: str) -> None:
    for name, facts in (("begin", Duel().play(1).account()), ("end", OVER.account(60))):
        made = post(LOOKS[form], facts, "G12-T1" if name == "begin" else "G12-T9", GERMAN)
        assert matches(f"posts/de/{name}.{form}", f"{made.title}\n\n{whole(made)}\n")
    made = PRESS.post("war", LOOKS[form], None, GERMAN, **WAR)
    assert matches(f"posts/de/war.{form}", f"{made.title}\n\n{whole(made)}\n")
    assert not ENGLISH.search(whole(made))


def test_quotations_have_german_marks_in_html() -> None:
    page = filled(*SAMPLES["answers"], "de").html
    assert "„<i>" in page
    assert "“<i>" not in page
    assert "“<i>" in filled(*SAMPLES["answers"], "en").html
