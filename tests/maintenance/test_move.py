"""`pbem move` copies no league whose daemon runs."""

from contextlib import closing
from pathlib import Path

from pbem.service.lock import only_one
from pbem.settings.load import load
from pbem.storage import Store
from tests.support.program import pbem, write_league

LEAGUE = {"name": "Avalon", "address": "referee@league.example"}


def test_not_while_a_daemon_runs(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    for folder in (old, new):
        folder.mkdir()
    source = f"sqlite:///{old / 'league.db'}"
    Store(source).close()
    config = write_league(old, {"league": LEAGUE, "store": {"url": source}})
    before = load(config, {})
    write_league(old, {"league": LEAGUE, "store": {"url": f"sqlite:///{new / 'league.db'}"}})
    with only_one(before):
        refused = pbem("--config", config, "move", source)
        assert (refused.returncode, refused.stderr.count(b"\n")) == (2, 1)
        assert b"another pbem works for this league" in refused.stderr
        assert not (new / "league.db").exists()
    assert pbem("--config", config, "move", source).returncode == 0
    with closing(Store(f"sqlite:///{new / 'league.db'}")) as moved:
        assert moved.secret
    # Once more, after the daemon of the old one has ended: the lock's file is still there.
    again = pbem("--config", config, "move", f"sqlite:///{old / 'nothing.db'}")
    assert b"there is no file" in again.stderr
