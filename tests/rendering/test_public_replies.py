"""What a post in a thread is told there: in a few lines, and only from the facts it is given."""

import pytest

from pbem.games.reports.template_facts import PublicReply
from pbem.rendering import Notice
from tests.games.test_account import HOSTILE, LOOKS, whole
from tests.rendering.test_letter_templates import PRESS
from tests.support.letter_samples import DEADLINE
from tests.support.snapshot import matches

NOTHING: PublicReply = {
    "name": "Hawk",
    "notice": "",
    "done": [],
    "refused": [],
    "asked": [],
    "waiting_for": [],
    "deadline": None,
    "elsewhere": False,
}


def weighed(order: str, chance: int | None, reason: str = "") -> dict[str, object]:
    return {
        "order": order,
        "chance": chance,
        "legal_now": not reason,
        "reason": reason,
        "vain": "",
    }


WHY = "this is nearly an order"
REPLIES: dict[str, dict[str, object]] = {
    "done": {
        "done": [
            weighed("SCAN", 54),
            weighed("FIRE Kestrel", 20, "without the Advantage it takes a target lock before"),
            weighed("SURRENDER", None),
        ],
        "waiting_for": ["Kestrel"],
        "deadline": DEADLINE,
    },
    "refused": {
        "refused": [{"line": "SCANN", "why": WHY, "hint": "SCAN"}] * 4,
        "waiting_for": ["Hawk"],
        "deadline": DEADLINE,
    },
    "asked": {"asked": ["SCAN", "FIRE Kestrel"], "elsewhere": True},
    "all": {
        "done": [weighed(f"FIRE Kestrel{n}", 20) for n in range(9)],
        "refused": [{"line": "STANDING", "why": "write that to me alone", "hint": ""}],
        "asked": ["SCAN"],
        "waiting_for": ["Kestrel"],
        "deadline": DEADLINE,
        "elsewhere": True,
    },
    "alone": {"elsewhere": True},
}


def reply(name: str, form: str = "txt", language: str = "en") -> Notice:
    facts = {**NOTHING, **REPLIES[name]}
    return PRESS.post("reply", LOOKS[form], "starpilot", language, **facts)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("name", REPLIES)
def test_replies_are_short_and_as_they_were_reviewed(name: str, language: str) -> None:
    made = reply(name, language=language)
    folder = "posts/de" if language == "de" else "posts"
    assert matches(f"{folder}/reply-{name}.txt", f"{made.title}\n\n{whole(made)}\n")
    lines = [line for line in whole(made).splitlines() if line]
    assert len(lines) <= 9
    assert max(map(len, lines)) <= 78


@pytest.mark.parametrize("form", ["bbcode", "md", "discourse.md", "discord.md"])
def test_replies_on_boards_are_as_they_were_reviewed(form: str) -> None:
    made = reply("all", form)
    assert matches(f"posts/reply-all.{form}", f"{made.title}\n\n{whole(made)}\n")


@pytest.mark.parametrize("form", LOOKS)
def test_a_refused_line_opens_no_markup_and_is_cut(form: str) -> None:
    hostile = {"line": HOSTILE, "why": WHY, "hint": ""}
    made = PRESS.post("reply", LOOKS[form], "starpilot", **{**NOTHING, "refused": [hostile]})
    assert "onerror" not in whole(made)
    if form != "txt":
        assert "[b]bold" not in whole(made)
        assert "@everyone" not in whole(made)
