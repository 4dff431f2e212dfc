"""Two worlds that are equal in what a player may know send that player the same letters."""

import tempfile
from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.harness import duel, open_league
from tests.support.players import STANDING

pytestmark = pytest.mark.xdist_group("secrecy")  # they share the worlds of one process

HIDDEN = (
    "STATUS\nSHEET",
    "HELP standing",
    "PREVIEW\nSCAN\nTARGET",
    "SCAN\nSCAN",
    "STANDING\nIF TURN >= 2: SURRENDER\nELSE: SCAN\nEND",
    "SALT a pinch\nSCAN",
    "Kestrel has sold the fleet.",
    "TELL Cat\nStrike at dawn.",
    "TIMEZONE Europe/Oslo",
    "FORMAT text",
    "MAIL decisions",
    "LANGUAGE de",
    "BLOCK Ann Example",
    "SUBSCRIBE newsletter",
    "ADDRESS bob@elsewhere.example",
    "AWAY 2027-03-01 TO 2027-03-09",
    "FIRE AT Kestral",
    "ACCEPT 77",
)
"""What Bob may do, and Ann may not know."""
QUESTIONS = "STATUS\nHISTORY 1\nRECEIPTS 1\nSTANDINGS\nSHEET Kestrel\nMAP 1"

hidden_letters = st.lists(st.sampled_from(HIDDEN), min_size=1, max_size=5, unique=True)


@cache
def world(*hidden: str) -> list[bytes]:
    """Return all letters that Ann gets in a duel in which Bob writes these things in between."""
    with (
        tempfile.TemporaryDirectory() as folder,
        open_league(Path(folder), entropy=Random(13).randbytes) as league,
    ):
        ann, bob = duel(league)
        league.person("Cat").join()
        for text in hidden:
            league.later(0.1)
            bob.reply(text, bob.last_about("[G"))
            league.work()
        league.now = league.now.replace(hour=20, minute=0)
        bob.sent[:] = [bob.sent[0]] * 50  # the dice depend on the numbers of the letters below
        bob.reply(STANDING, bob.last_about("[G"))
        league.work()
        ann.reply(STANDING, ann.last_about("[G"))
        league.work()
        while league.game.running:
            for person in (ann, bob):
                person.reply("READY", person.last_about("[G"))
                league.work()
        league.later(48)
        league.work()
        ann.reply(QUESTIONS)
        league.work()
        return [raw for to, raw in league.post.letters if to == ann.address]


@settings(
    max_examples=3, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
@given(hidden_letters)
def test_what_a_player_may_not_know_changes_none_of_their_letters(hidden: list[str]) -> None:
    assert world(*hidden) == world()


def test_the_same_with_all_of_it() -> None:
    assert world(*HIDDEN) == world()


def test_a_story_that_is_told_in_public_is_no_secret() -> None:
    assert world("STORY\nKestrel laughed aloud.") != world()
