"""What one side has on file changes no byte that anybody else sees before the turn is resolved."""

import logging
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.channels import KINDS
from pbem.cli import main
from pbem.games.export import export, verify
from pbem.storage import Place, Post
from tests.channels.test_channels import connect
from tests.support.harness import League, Person, open_league, skies
from tests.support.players import REFEREE, attached, parsed, words

pytestmark = pytest.mark.xdist_group("secrecy of cards")  # they share the worlds of one process

HAWKS = "Hawks WITH Red: 2 Black Tiger SKILL 2; Gold: 1 Gadfly SKILL 3"
KITES = "Kites WITH Blue: 2 Black Tiger SKILL 2; Grey: 1 Gadfly SKILL 3"
CHANNELS = {
    "discourse": {"url": "https://a.example", "user": "pbem", "key_file": "key", "category": 3},
    "nodebb": {"url": "https://b.example", "token_file": "token", "category": 3},
    "discord": {"token_file": "token", "channel": "400000000000000003"},
    "webhook": {"url_file": "token"},
    "mail": {"to": "list@league.example"},
    "nntp": {"host": "news.example", "group": "league.battles"},
    "folder": {"path": "paste"},
    "irc": {"host": "irc.example", "room": "#avalon", "user": "u", "password_file": "token"},
}

HIDDEN = (
    "Blue: 2 BREAK; TARGETS Red 1\nGrey: AFTERBURNER",
    "Blue: HARD RIGHT; HOLD FIRE",
    "Blue: SURRENDER\nGrey: SURRENDER",
    "Blue: STEADY\nBlue: BREAK LEFT\nGrey: STEADY\nGrey: SMOOTH LEFT",
    "STANDING\nIF ENEMY AHEAD: Blue: BREAK LEFT\nIF RANGE <= 6: Grey: SURRENDER\nEND",
    "STANDING\nELSE: Grey: STEADY",
    "WAIT 1",
    "READY 1",
    "PREVIEW\nBlue: BREAK LEFT\nGrey: ACCELERATE 2",
    "SALT a pinch\nBlue: STEADY",
    "The Kites have sold the fleet.",
    "Not a word to anybody",
    "Blue: BRAEK LEFT",
    "Blue: BOOTLEGGER",
    "STATUS\nSHEET\nHISTORY 1\nMAP 1\nRECEIPTS 1",
    "REPORT 1",
)
"""What Bob may do, and nobody else may know."""
AWAY = "AWAY 2026-11-03 TO 2026-11-12"
LAST = "Blue: SMOOTH RIGHT\nGrey: STEADY; HOLD FIRE\nSTANDING NONE\nREADY 1"
QUESTIONS = "STATUS\nREPORT 1\nHISTORY 1\nRECEIPTS 1\nSTANDINGS\nSHEET Kites\nMAP 1"


class Seen(NamedTuple):
    """All that others see: letters and to whom, posts of each channel, and the feed."""

    letters: list[tuple[str, bytes]]
    posts: list[tuple[str, str, str]]
    feed: bytes


@contextmanager
def skirmish(folder: Path) -> Iterator[tuple[League, Person, Person]]:
    """A battle of Ann and Bob, with every kind of channel, and a newsletter each morning."""
    newsletter = {"when": "0 6 * * *", "feed": "feed.xml"}
    secrets = Random(13).randbytes
    with open_league(folder, entropy=secrets, newsletter=newsletter) as league:
        connect(league, {kind: {"kind": kind, **CHANNELS[kind]} for kind in KINDS})
        yield league, *skies(league, HAWKS, KITES)


@cache
def world(*hidden: str) -> Seen:
    """Return what others see of a turn in which Bob does these things, as they ask for all."""
    with (
        tempfile.TemporaryDirectory() as folder,
        skirmish(Path(folder)) as (league, ann, bob),
    ):
        cat = league.person("Cat")
        cat.join()
        cat.ask("WATCH 1\nSUBSCRIBE newsletter")
        report = bob.last_about("[G1-")
        for text in hidden:
            league.later(0.1)
            bob.reply(text, report)
            league.work()
        league.now = league.now.replace(hour=20, minute=0)
        bob.sent[:] = [bob.sent[0]] * 50  # the dice depend on the number of the letter below
        # With one card on file READY would close the turn as soon as Bob has all of his.
        for hours, asked, more in (
            (10, "READY 1", "READY 1"),
            (30, "WAIT 1\nRed: STEADY", "WAIT 1"),
        ):
            league.later(hours)
            league.work()
            ann.reply(f"{QUESTIONS}\n{asked}", ann.last_about("[G1-"))
            league.work()
            ann.reply("PREVIEW\nRed: BREAK LEFT", ann.last_about("[G1-"))
            ann.reply(more, ann.last_about("[G1-"))
            cat.reply(QUESTIONS)
            league.work()
        assert league.game.steps == 0
        bob.reply(LAST, report)
        league.work()
        ann.reply("Red: STEADY\nGold: SMOOTH LEFT\nREADY 1", ann.last_about("[G1-"))
        league.work()
        assert league.game.steps == 1
        ann.reply(QUESTIONS, ann.last_about("[G1-"))
        league.work()
        others = [(to, raw) for to, raw in league.post.letters if to != bob.address]
        posts = [
            (row.channel, row.ident, row.body)
            for row in league.store.all(Post.select().order_by(Post.id))
        ]
        return Seen(others, posts, (Path(folder) / "feed.xml").read_bytes())


def compare(*hidden: str, instead: tuple[str, ...] = ()) -> None:
    """Find no difference between a turn in which Bob does these things and another."""
    blank, told = world(*instead), world(*hidden)
    for (to, one), (other_to, other) in zip(blank.letters, told.letters, strict=True):
        assert (to, one) == (other_to, other)
    assert told.posts == blank.posts
    assert told.feed == blank.feed


@pytest.mark.long
def test_what_one_side_does_in_secret_changes_no_byte_that_others_see() -> None:
    compare(*HIDDEN)


@pytest.mark.long
@settings(
    max_examples=2,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(st.lists(st.sampled_from(HIDDEN), min_size=1, max_size=4, unique=True))
def test_nor_does_any_part_of_it(hidden: list[str]) -> None:
    compare(*hidden)


@pytest.mark.long
@pytest.mark.parametrize("days", [(AWAY,), (AWAY, "BACK")])
def test_who_goes_away_does_not_tell_whether_they_have_ordered(days: tuple[str, ...]) -> None:
    assert len(world("STATUS", *days).letters) > len(world("STATUS").letters)
    compare("Blue: STEADY\nGrey: STEADY", *days, instead=("STATUS", *days))


def test_the_others_see_all_kinds_of_things() -> None:
    seen = world()
    assert {channel for channel, _, _ in seen.posts} == {
        kind for kind, known in KINDS.items() if not known.live
    }
    subjects = " ".join(str(parsed(raw)["Subject"]) for _, raw in seen.letters)
    for kind in ("The account of", "The dice of", "The picture of", "newsletter 1"):
        assert kind in subjects
    kinds = {part.get_content_type() for _, raw in seen.letters for part in parsed(raw).walk()}
    assert {"text/plain", "text/html", "image/png"} <= kinds
    assert world("STORY\nThe Kites laughed aloud.") != seen


CARDS = "Blue: HARD LEFT; TARGETS Red 2\nGrey: BOOTLEGGER; HOLD FIRE\n\nWe are afraid."
WORDS = ("HARD LEFT", "BOOTLEGGER", "HOLD FIRE", "TARGETS", "afraid")


def test_no_log_command_or_export_tells_what_is_on_file(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG, "pbem")
    with skirmish(tmp_path) as (league, _, bob):
        bob.reply(CARDS)
        league.work()
        assert "Blue: HARD LEFT" in words(bob.last)
        assert (
            league.store.first(Place.select().where(Place.game == 1, Place.seat == "Kites"))
            is not None
        )
        secret = league.game.secret.hex()
    config = tmp_path / "league.toml"
    config.write_text(
        f'[league]\nname = "Avalon League"\naddress = "{REFEREE}"\n'
        f'[store]\nurl = "sqlite:///{tmp_path / "league.db"}"\n'
    )
    for command in (["game", "1"], ["game", "1", "--json"], ["status", "--json"]):
        assert main(["--config", str(config), *command]) == 0
    for command in (["game", "1", "--export"], ["game", "1", "--pictures", str(tmp_path / "maps")]):
        main(["--config", str(config), *command])
    text = "".join(capsys.readouterr()) + caplog.text
    text += "".join(path.read_text("utf-8") for path in (tmp_path / "maps").glob("*.svg"))
    assert "battle 1 is not over" in text
    assert [word for word in (*WORDS, secret) if word in text] == []


def test_the_first_letter_has_the_commitment_and_the_last_the_secret(tmp_path: Path) -> None:
    with skirmish(tmp_path) as (league, ann, bob):
        commitment = league.game.commitment
        assert commitment in attached(ann.letters[2])["receipt.txt"].decode()
        bob.reply("SALT a pinch\nBlue: SURRENDER\nGrey: SURRENDER")
        ann.reply("Red: STEADY\nGold: STEADY")
        league.work()
        assert not league.game.running
        final = attached(ann.last_about("is over"))["receipt.txt"].decode()
        for text in (commitment, league.game.secret.hex(), "a pinch"):
            assert text in final
        assert all(finding.ok for finding in verify(export(league.store, league.game)))
        earlier = [raw for _, raw in league.post.letters[:-2]]
        assert not any(league.game.secret.hex().encode() in raw for raw in earlier)
