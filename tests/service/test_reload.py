"""SIGHUP lets a daemon read its settings again; bad ones leave it running with the old."""

import json
import os
import signal
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from pbem.channels.mail.maildir import make_maildir
from pbem.storage import Store
from pbem.storage.kept_settings import NOTED
from tests.hostile.asking import troubles
from tests.support.program import pbem, running, write_league

LEAGUE = {"name": "Avalon", "address": "referee@league.example"}


@pytest.fixture
def config(tmp_path: Path) -> Path:
    make_maildir(tmp_path / "in")
    return written(tmp_path)


def wait_for(holds: Callable[[], bool]) -> None:
    """Wait until something holds, for a minute at most."""
    for _ in range(300):
        if holds():
            return
        time.sleep(0.2)
    raise TimeoutError


def written(folder: Path, **league: object) -> Path:
    sections = {"league": LEAGUE | league, "maildir": {"path": "in", "out": "out"}}
    return write_league(folder, sections)


def language(config: Path) -> str:
    """Return the language that the daemon notes that it writes."""
    with closing(Store(f"sqlite:///{config.with_name('league.db')}", only_read=True)) as store:
        return str(json.loads(store.meta(NOTED) or "{}").get("league", {}).get("language"))


def test_a_reload_takes_changed_settings(config: Path) -> None:
    with running(config) as daemon:
        assert troubles(config) == {}
        written(config.parent, language="de")
        assert "has not read them" in troubles(config)["settings"]
        assert f"kill -HUP {daemon.process.pid}" in troubles(config)["settings"]
        checked = pbem("--config", config, "check")
        assert (checked.returncode, b"WARN   daemon: the settings" in checked.stdout) == (0, True)
        daemon.process.send_signal(signal.SIGHUP)
        wait_for(lambda: language(config) == "de")
        assert troubles(config) == {}
        daemon.wait_to_log("read again")
        daemon.stop()
        daemon.wait_to_log("has stopped")


def test_a_comment_is_no_change(config: Path) -> None:
    with running(config):
        config.write_text(config.read_text() + "\n# for later\n")
        assert troubles(config) == {}


@pytest.mark.parametrize(
    ("spoilt", "said"),
    [
        ("colour = 1\n", "colour"),
        ('[store]\nurl = "sqlite:///other.db"\n', "restart it"),
        ("no toml", "can't be understood"),
    ],
)
def test_bad_settings_leave_the_daemon_at_work_with_the_old_ones(
    config: Path, spoilt: str, said: str
) -> None:
    before = config.read_text()
    with running(config) as daemon:
        config.write_text(f"{before}\n{spoilt}")
        daemon.process.send_signal(signal.SIGHUP)
        daemon.wait_to_log("can't be used, the old ones stay")
        daemon.wait_to_log(said)
        # It works on: a letter is answered.
        (config.parent / "in" / "new" / "1").write_bytes(
            b"From: ada@home.example\nMessage-ID: <1@home.example>\nSubject: hello\n\nJOIN Ada\n"
        )
        wait_for(lambda: any((config.parent / "out" / "new").glob("*")))
        asked = pbem("--config", config, "health")
        assert asked.returncode in (1, 2)
        config.write_text(before)
        assert troubles(config) == {}
        daemon.process.send_signal(signal.SIGHUP)
        daemon.wait_to_log("read again")
        time.sleep(0.2)
        assert daemon.process.poll() is None


def test_several_reloads_and_a_stop_at_once(config: Path) -> None:
    with running(config) as daemon:
        for _ in range(3):
            daemon.process.send_signal(signal.SIGHUP)
            time.sleep(0.05)
        os.kill(daemon.process.pid, signal.SIGTERM)
        assert daemon.process.wait(30) == 0
