"""Leagues that programs of five ages made are opened by today's, and play on."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.games import export
from pbem.maintenance import fsck, upgrade
from pbem.service.health import examine
from pbem.settings.load import load
from pbem.storage import Game, Letter, OldSchema, Outgoing, Round, Store
from tests.support.harness import League, open_league
from tools.keep_league import EXPORT, unpack

KEPT = sorted((Path(__file__).parent / "kept").glob("*.tar.xz"))
NEXT = (
    ("SCAN", "SCAN"),
    ("Red: STEADY\nGold: STEADY", "Blue: STEADY"),
    ("Kitai: HOLD\nBo: HOLD", "Cy: HOLD\nDi: HOLD"),
    ("Lance: DEFEND\nCitadel: EVADE", "Raider: DEFEND\nFort: EVADE"),
)
"""What Ann and Bob order in the four battles that run."""


@pytest.fixture(params=KEPT, ids=lambda file: file.name.partition(".")[0])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The folder of a league as an earlier program has left it."""
    unpack(request.param, tmp_path)
    return tmp_path


@pytest.fixture
def league(folder: Path) -> Iterator[League]:
    """The same league, brought up and at work an hour after its last round."""
    config = folder / "league.toml"
    settings = load(config, {})
    with pytest.raises(OldSchema, match="`pbem run` and `once` make a backup of it"):
        Store(settings.store_url())
    with upgrade.opened(settings) as copied:
        now = copied.all(Round.select().order_by(Round.id.desc()).limit(1))[0].at + timedelta(
            hours=1
        )
    upgrade.bring_up(settings, config, now)
    with open_league(folder, systems=settings.league.systems) as opened:
        opened.now = now
        sent = opened.store.all(
            Outgoing.select().where(Outgoing.state == "sent").order_by(Outgoing.id)
        )
        opened.post.letters += [(row.recipient, row.content) for row in sent]
        yield opened


def test_a_kept_league_opens_and_plays_on(folder: Path, league: League) -> None:
    store = league.store
    assert list(fsck.inspect(store.url)) == []
    [queued] = store.all(Outgoing.select().where(Outgoing.state == "queued").order_by(Outgoing.id))
    before = {game.id: game.steps for game in store.all(Game.select().order_by(Game.id))}
    ann, bob, cat = (league.person(name) for name in ("Ann", "Bob", "Cat"))
    for game, orders in enumerate(NEXT, 1):
        for person, text in zip((ann, bob), orders, strict=True):
            person.reply(text, person.last_about(f"[G{game}-"))
    league.work()
    for game in range(1, len(NEXT) + 1):
        assert store.get(Game, game).steps > before[game], game
    assert queued.content in [raw for _, raw in league.post.letters]
    assert store.count(Letter.select().where(Letter.state == "shunted")) == 0
    assert examine(league.settings, store, league.now).troubles == ()
    over = store.get(Game, 5)
    text = league.service.export(over)
    assert text == (folder / EXPORT).read_text()
    assert [found.text for found in export.verify(text) if not found.ok] == []
    # A pilot fights once a day, so the challenge that is open is accepted on the next.
    league.later(24)
    cat.reply("ACCEPT", cat.last_about("hallenge from"))
    league.work()
    assert store.count(Game.select().where(Game.running == True)) == len(NEXT) + 1
    # Deadlines pass, and careers, reminders and newsletters go on.
    for _ in range(6):
        league.later(40)
        league.work()
    assert list(fsck.inspect(store.url)) == []
