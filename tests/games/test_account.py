"""The account of a battle: each event once, in each form, and no player's text breaks out."""

import re
from typing import Any

import pytest

from pbem.channels.markup import PostFormat, bbcode, markdown
from pbem.games.reports.battle_account import BEATS, LENGTH, LINES, REMARKS, passages
from pbem.rendering import Notice
from tests.rendering.test_letter_templates import PRESS
from tests.support.harness import League, duel
from tests.support.letter_samples import DEADLINE, RULES, SECRET, Duel, undone
from tests.support.snapshot import matches

LOOKS = {
    "txt": PostFormat(),
    "bbcode": PostFormat("bbcode"),
    "md": PostFormat("markdown"),
    "discourse.md": PostFormat("markdown", "brackets"),
    "discord.md": PostFormat("markdown", "spoilers", headed=True),
}
DUEL, OVER = Duel().play(14), Duel().play(400)
HOSTILE = (
    "@everyone [b]bold[/b] [url=http://evil.example]x[/url] <img src=x onerror=alert(1)> "
    "![x](http://evil.example) `code` **bold** ||open|| :smile: #tag www.evil.example [/quote] "
    "[/spoiler] [/details] </details> &lt;b&gt;"
)
STARTS = ("# head", "> quote", "- item", "+ item", "1. one", "2) two", "=====", "    code", "@all")


def post(
    post_format: PostFormat, facts: dict[str, Any], ident: str = "G12-T7", language: str = "en"
) -> Notice:
    return PRESS.post(
        "battle",
        post_format,
        "starpilot",
        language,
        ident=ident,
        board={"name": "forum", "play": True, "private": True, "opens": ident.endswith("T1")},
        **facts,
    )


def whole(notice: Notice) -> str:
    return "\n\n".join(notice.blocks)


@pytest.mark.parametrize("form", LOOKS)
@pytest.mark.parametrize(("name", "facts", "ident"), [
    ("begin", Duel().play(1).account(), "G12-T1"),
    ("report", DUEL.account(3), "G12-T7"),
    ("end", OVER.account(len(OVER.steps) - 12), "G12-T9"),
])  # fmt: skip
def test_posts_are_as_they_were_reviewed(
    form: str, name: str, facts: dict[str, Any], ident: str
) -> None:
    made = post(LOOKS[form], facts, ident)
    assert matches(f"posts/{name}.{form}", f"{made.title}\n\n{whole(made)}\n")


WAR = {
    "running": [{"number": 14, "teams": ["Hawk", "Kestrel"], "steps": 9}],
    "results": [
        {"number": 13, "teams": ["Hawk", "[b]Merlin"], "winner": "Hawk", "day": "2026-11-20"},
        {"number": 12, "teams": ["Hawk", "Kestrel"], "winner": None, "day": "2026-11-19"},
    ],
    "standings": [
        {
            "system": "starpilot",
            "name": "Hawk",
            "sheet": {"side_title": "Emboros Cartel", "rank_title": "Ensign"},
            "figures": {"kills": 2, "prizes": 1},
        }
    ],
    "moment": DEADLINE,
}


@pytest.mark.parametrize("form", LOOKS)
def test_the_state_of_the_war_is_as_it_was_reviewed(form: str) -> None:
    made = PRESS.post("war", LOOKS[form], **WAR)
    assert matches(f"posts/war.{form}", f"{made.title}\n\n{whole(made)}\n")


@pytest.mark.parametrize("form", LOOKS)
def test_the_same_battle_is_told_with_the_same_words(form: str) -> None:
    once, again = (whole(post(LOOKS[form], DUEL.account())) for _ in range(2))
    assert once == again
    seeded = DUEL.account() | {"game": DUEL.account()["game"] | {"commitment": "0" * 64}}
    assert whole(post(LOOKS[form], seeded)) != once


def test_a_secret_is_told_at_the_end_only() -> None:
    assert SECRET.hex() not in whole(post(PostFormat(), DUEL.account()))
    assert SECRET.hex() in whole(post(PostFormat(), OVER.account(40)))


def shown_markdown(text: str) -> str:
    """What a reader of Markdown sees of a text without markup."""
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", text)


def bare(text: str) -> str:
    return text.replace("\u200b", "")


@pytest.mark.parametrize("text", [HOSTILE, *STARTS])
def test_players_words_are_shown_as_they_were_written(text: str) -> None:
    assert bare(bbcode(text)) == text
    assert bare(shown_markdown(markdown(text))) == text


@pytest.mark.parametrize("text", [HOSTILE, *STARTS])
def test_players_words_are_no_markup(text: str) -> None:
    for made in (bbcode(text), markdown(text)):
        assert not re.search(r"@\w|://|\bwww\.", made, re.I)
    assert not re.search(r"\[[\w/*=]|<[\w/!?]|&\w", bbcode(text))
    unescaped = re.sub(r"\\[!-/:-@\[-`{-~]", "x", markdown(text))
    assert not re.search(r"[`*_\[\]<>#|~&$^@]|:\w|^\s*([-+=]|\d+[.)])", unescaped)


def post_with(form: str, written: str, *starts: str) -> Notice:
    """A post of a battle in which the players wrote this wherever they can write."""
    facts = DUEL.account()
    lines = [written, *starts]
    facts["passages"] = passages(
        RULES, facts["steps"], [{"seat": "Hawk", "after": 2, "lines": lines}]
    )
    return post(LOOKS[form], facts)


@pytest.mark.parametrize("form", LOOKS)
def test_nothing_that_is_told_breaks_out_of_a_post(form: str) -> None:
    calm, hostile = (
        post_with(form, "Calm.", *["Calm."] * 10),
        post_with(form, HOSTILE, *STARTS, "\x0ccut\x00"),
    )
    assert len(hostile.blocks) == len(calm.blocks)
    text = whole(hostile)
    assert not re.search("[\x00-\x09\x0b-\x1f]", text)
    if form != "txt":
        bare_of_escapes = re.sub(r"\\[!-/:-@\[-`{-~]", "", text)
        assert not re.search(r"@\w|://|<img|\[url", bare_of_escapes)
        for mark in ("[/quote]", "[/spoiler]", "[/details]", "</details>"):
            assert bare_of_escapes.count(mark) == whole(calm).count(mark)


def test_stories_stand_before_the_step_that_followed_them() -> None:
    steps = Duel().play(7).account()["steps"]
    stories = [{"seat": "Hawk", "after": n, "lines": ["So it was."]} for n in (0, 3, 7)]
    found = passages(RULES, steps, [*stories, stories[0]])
    assert [[s["after"] for s in part["stories"]] for part in found] == [[0], [3], [7]]
    assert [(part["first"], part["last"]) for part in found[:2]] == [(0, 2), (3, 6)]
    assert found[2]["paragraphs"] == []


def test_paragraphs_are_short_and_remarks_stand_behind_what_they_are_about() -> None:
    found = [beats for part in OVER.account()["passages"] for beats in part["paragraphs"]]
    assert any(len(beats) >= BEATS for beats in found)
    assert all(sum(b["kind"] not in REMARKS for b in beats) <= BEATS for beats in found)
    assert not [beats for beats in found if beats[0]["kind"] in REMARKS]


def test_a_long_battle_is_told_in_few_lines() -> None:
    battle = whole(post(PostFormat(), OVER.account())).partition("DICE RECEIPT")[0]
    assert len(OVER.steps) > 70
    # Two lines are the moment that opens it.
    assert len(battle.splitlines()) < len(OVER.steps) / 2 + 2


def test_what_was_undone_is_told_as_undone() -> None:
    found = whole(post(PostFormat(), undone(DUEL.account())))
    assert "[Steps 7 to 13, undone later.]" in " ".join(found.split())
    assert "goes back to where it stood after step 6" in " ".join(found.split())


def test_long_stories_are_cut() -> None:
    [part] = passages(RULES, [], [{"seat": "Hawk", "after": 0, "lines": ["x" * 2000] * 100}])
    [story] = part["stories"]
    assert len(story["lines"]) == LINES + 1
    assert max(map(len, story["lines"])) == LENGTH + 2


def test_history_gives_the_whole_account_to_anybody(league: League) -> None:
    ann, bob = duel(league)
    cat = league.person("Cat")
    cat.join()
    ann.reply("SCAN\nI am afraid.\nSTORY\nThe dark is deep out here.", ann.letters[-1])
    league.work()
    history = _text(cat.ask("HISTORY 1"))
    assert "The dark is deep out here." in history
    assert "afraid" not in history
    assert "there is no game 9" in _text(cat.ask("HISTORY 9"))
    assert bob.name not in history


def _text(letter: Any) -> str:
    return str(letter.get_body(("plain",)).get_content())
