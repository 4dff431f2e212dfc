"""The archive of a battle's pictures: by MAP, in the last letter, with posts, and as files."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from pbem.games.reports import battle_pictures
from pbem.games.reports.battle_pictures import Viewer
from pbem.games.session import Session
from pbem.storage import Post
from tests.channels.test_channels import connect
from tests.games.test_pictures import shown
from tests.maintenance.test_backup import config as config
from tests.support.harness import League, Person, duel, fixed_entropy, skies
from tests.support.players import plain, words
from tests.support.program import pbem

HAWKS = "Hawks WITH Red: 2 Black Tiger SKILL 2"
KITES = "Kites WITH Blue: 2 Black Tiger SKILL 2"

pytestmark = pytest.mark.league(entropy=fixed_entropy)


def turn(league: League, ann: Person, bob: Person, order: str = "Red: BREAK LEFT") -> None:
    """Play a turn."""
    ann.reply(order, ann.last_about("[G1-T"))
    bob.reply("Blue: STEADY", bob.last_about("[G1-T"))
    league.work()


def fought(league: League) -> tuple[Person, Person]:
    """Play two turns, and end the battle."""
    ann, bob = skies(league, HAWKS, KITES)
    turn(league, ann, bob)
    turn(league, ann, bob)
    turn(league, ann, bob, "Red: SURRENDER")
    assert not league.game.running
    return ann, bob


def test_the_last_letter_shows_the_battle_as_a_film(league: League) -> None:
    for person in fought(league):
        assert len(shown(person.last_about("is over"))) == 1
    reports = [each for each in person.letters if "Your move in" in each["Subject"]]
    assert {len(shown(report)) for report in reports} == {1}


def test_a_report_of_several_turns_shows_how_it_stands(league: League) -> None:
    ann, bob = skies(league, HAWKS, KITES)
    turn(league, ann, bob)
    ann.reply("Red: STEADY\nRed: BREAK LEFT\nRed: STEADY", ann.last_about("[G1-T"))
    bob.reply("Blue: STEADY\nBlue: STEADY\nBlue: STEADY", bob.last_about("[G1-T"))
    league.work()
    assert league.game.steps == 4
    assert len(shown(ann.last)) == 1
    assert shown(ann.ask("REPORT 1")) == shown(bob.ask("REPORT 1"))
    assert len(shown(ann.last)) == 1


def test_map_shows_the_battle_as_it_was_after_a_step(league: League) -> None:
    ann, bob = skies(league, HAWKS, KITES)
    turn(league, ann, bob)
    turn(league, ann, bob)
    cat = league.person("Cat")
    cat.join()
    first = cat.ask("MAP 1 STEP 0")
    assert "stood after step 0" in words(first)
    assert "Red of Hawks heading north-east at speed 4" in words(first)
    assert len(shown(first)) == 1
    now = cat.ask("MAP 1")
    assert shown(now) != shown(first)
    assert shown(cat.ask("MAP 1 STEP 1")) == shown(now)
    assert "has no step 7 that stands" in words(cat.ask("MAP 1 STEP 7"))
    cat.ask("LANGUAGE de")
    german = cat.ask("KARTE 1 SCHRITT 0")
    assert "stand Partie 1, Black Skies, nach Schritt 0" in words(german)
    assert "auf Kurs Nordost" in words(german)


def test_a_step_that_was_undone_has_no_picture_and_the_film_leaves_it_out(league: League) -> None:
    ann, bob = skies(league, HAWKS, KITES)
    turn(league, ann, bob)
    turn(league, ann, bob)
    league.rule("UNDO 1 TO 0")
    league.work()
    assert "has no step 1 that stands" in words(ann.ask("MAP 1 STEP 1"))
    viewer = Viewer(league.service.ports.outbox.renderer, "en")
    assert [*battle_pictures.stills(viewer, Session(league.store, league.game))] == [-1, 0, 2]


def test_a_folder_gets_pictures_beside_the_posts_and_a_list_does_not(league: League) -> None:
    paste = {"kind": "folder", "path": "posts"}
    news = {"kind": "mail", "to": "avalon-l@lists.example"}
    posts = connect(league, {"paste": paste, "news": news})
    fought(league)
    posts.flush_all(league.now)
    found = sorted(path.name for path in (league.settings.home / "posts").glob("G1*"))
    battle = {"G1-T1", "G1-T2", "G1-T3", "G1-T4"}
    assert {name.removesuffix(".txt") for name in found if name.endswith(".txt")} >= battle
    drawn = [name for name in found if name.endswith(".svg")]
    assert drawn == ["G1-T1.svg", "G1-T2.svg", "G1-T3.svg", "G1-T4.svg"]
    for name in drawn:
        ET.fromstring((league.settings.home / "posts" / name).read_text("utf-8"))
    listed = league.store.all(Post.select().where(Post.channel == "news").order_by(Post.id))
    assert listed
    assert not [post for post in listed if post.ident.endswith(".svg")]


def test_a_battle_is_written_out_as_pictures(league: League, config: Path, tmp_path: Path) -> None:
    fought(league)
    made = pbem("--config", config, "game", 1, "--pictures", tmp_path / "out")
    assert made.returncode == 0, made.stderr
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == [
        "G1-0000.svg",
        "G1-0001.svg",
        "G1-0002.svg",
        "G1-0003.svg",
        "G1-film.svg",
        "G1.html",
    ]
    page = (tmp_path / "out" / "G1.html").read_text("utf-8")
    assert all(f'src="{name}"' in page for name in names if name.endswith("svg"))
    assert 'alt="Map: ' in page
    file = tmp_path / "file"
    file.touch()
    refused = pbem("--config", config, "game", 1, "--pictures", file)
    assert refused.returncode == 2
    assert b"can't be written" in refused.stderr


def test_a_duel_of_starpilot_has_stills_and_no_film(league: League) -> None:
    ann, bob = duel(league)
    ann.reply("SURRENDER", ann.last_about("G1-"))
    bob.reply("SURRENDER", bob.last_about("G1-"))
    league.work()
    assert len(shown(ann.last)) == 1
    assert "stood after step 1" in plain(ann.ask("MAP 1 STEP 1"))
