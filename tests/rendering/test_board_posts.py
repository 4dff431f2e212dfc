"""Posts of a challenge's thread: in each form as reviewed, and no wider than newsreaders show."""

from typing import Any

import pytest

from pbem.rendering import Notice
from tests.games.test_account import HOSTILE, LOOKS, whole
from tests.rendering.test_letter_templates import PRESS
from tests.support.letter_samples import CAMPAIGN, DEADLINE, GAME, HAWK, KESTREL
from tests.support.snapshot import matches

BOARD = {"name": "forum", "play": True, "private": True, "opens": True}
BY_MAIL = BOARD | {"private": False}
HAWKS = {"name": "Hawk", "sheet": CAMPAIGN.sheet(HAWK)}
KESTRELS = {"name": "Kestrel", "sheet": CAMPAIGN.sheet(KESTREL)}
PLEDGE = {"game": 12, "commitment": GAME["commitment"]}
DUEL: dict[str, Any] = {
    "number": 4,
    "teams": [[HAWKS], [KESTRELS]],
    "anybody": False,
    "seats": 2,
    "first": "Hawk",
    "major": True,
    "terms": "",
    "often": "",
    "until": DEADLINE,
    "pledge": PLEDGE,
}
GUESTS = [[{"name": name, "sheet": None}] for name in ("Ben", "Anna", "Cleo")]
NOMINATED = {
    "number": 3,
    "pilot": "Hawk",
    "game": 12,
    "endorsed": 1,
    "needed": 2,
    "stage": "made",
    "citation": {"lines": ["He stayed when he could have run.", "ENDORSE 3"], "whose": 5},
    "changes": [],
}
MEDAL = {
    "kind": "medal",
    "points": "0",
    "facts": {"title": "Circle of Fourteen", "code": "C14", "count": 1},
}
OFF = {"number": 4, "one": "Hawk", "other": "Kestrel", "why": ""}
POSTS: dict[str, tuple[str, dict[str, Any]]] = {
    "challenge": ("challenge", DUEL),
    "challenge-open": (
        "challenge",
        DUEL | {"teams": [[HAWKS]], "anybody": True, "first": "", "board": BY_MAIL},
    ),
    "challenge-teams": ("challenge", DUEL | {"teams": [[HAWKS] * 2, [KESTRELS] * 2]}),
    "challenge-guests": (
        "challenge",
        DUEL | {"teams": GUESTS, "first": "", "major": False, "until": None},
    ),
    "renewed": ("renewed", {"number": 4, "pledge": PLEDGE}),
    **{how: ("called_off", OFF | {"how": how}) for how in ("declined", "withdrawn", "lapsed")},
    "nominated": ("nomination", NOMINATED),
    "endorsed": (
        "nomination",
        NOMINATED | {"stage": "endorsed", "board": BOARD | {"opens": False}},
    ),
    "medal": (
        "nomination",
        NOMINATED
        | {
            "stage": "given",
            "changes": [MEDAL],
            "sheet": CAMPAIGN.sheet(HAWK),
            "board": BOARD | {"opens": False},
        },
    ),
    "void": ("called_off", OFF | {"how": "void", "why": "the rules refuse this battle"}),
}


def post(name: str, form: str = "txt", language: str = "en", **more: object) -> Notice:
    kind, facts = POSTS[name]
    facts = {"board": BOARD, "ident": f"G12-{name}", **facts, **more}
    return PRESS.post(kind, LOOKS[form], "starpilot", language, **facts)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("name", POSTS)
def test_posts_are_as_they_were_reviewed(name: str, language: str) -> None:
    made = post(name, language=language)
    folder = "posts/de" if language == "de" else "posts"
    assert matches(f"{folder}/{name}.txt", f"{made.title}\n\n{whole(made)}\n")
    assert max(map(len, whole(made).splitlines())) <= 78


@pytest.mark.parametrize("form", ["bbcode", "md", "discourse.md", "discord.md"])
def test_a_challenge_on_boards_is_as_it_was_reviewed(form: str) -> None:
    made = post("challenge", form)
    assert matches(f"posts/challenge.{form}", f"{made.title}\n\n{whole(made)}\n")


@pytest.mark.parametrize("form", LOOKS)
def test_a_name_opens_no_markup(form: str) -> None:
    hostile = [[{"name": HOSTILE, "sheet": None}], [{"name": "Ben", "sheet": None}]]
    made = post("challenge", form, teams=hostile)
    if form != "txt":
        assert "[b]bold" not in whole(made)
        assert "@everyone" not in whole(made)


def test_where_nobody_can_write_in_private_secrets_go_by_mail() -> None:
    assert "private message" in whole(post("challenge"))
    assert "private message" not in whole(post("challenge", board=BY_MAIL))


def test_the_commitment_is_told_in_full() -> None:
    assert GAME["commitment"] in whole(post("challenge"))
    assert GAME["commitment"] in whole(post("renewed"))
