"""The service file is valid for systemd, and leaves little to an intruder."""

import subprocess
from configparser import RawConfigParser
from pathlib import Path

import pytest

from tests.servers.required import require
from tests.support.paths import ROOT

FOLDER = ROOT / "systemd"
UNIT, BACKUP = FOLDER / "pbem.service", FOLDER / "pbem-backup.service"
PROGRAM = "/opt/pbem/bin/pbem"


@pytest.fixture(params=[UNIT, BACKUP], ids=lambda path: path.name)
def unit(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A service file, next to the others, with a program that exists on this machine."""
    require("systemd-analyze")
    for file in FOLDER.iterdir():
        (tmp_path / file.name).write_text(file.read_text().replace(PROGRAM, "/bin/true"))
    return tmp_path / Path(request.param).name


def analyze(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["systemd-analyze", "--no-pager", *arguments],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_systemd_has_nothing_to_remark(unit: Path) -> None:
    verdict = analyze("verify", str(unit))
    remarks = [line for line in verdict.stderr.splitlines() if unit.name in line]
    assert (verdict.returncode, remarks) == (0, []), verdict.stderr


def test_systemd_has_nothing_to_remark_on_the_timer(unit: Path) -> None:
    verdict = analyze("verify", str(unit.with_name("pbem-backup.timer")))
    assert (verdict.returncode, verdict.stderr.count("pbem-backup")) == (0, 0), verdict.stderr
    calendar = analyze("calendar", "*-*-* 03:15:00")
    assert calendar.returncode == 0


def test_the_backup_runs_as_the_user_of_the_referee() -> None:
    service = RawConfigParser(strict=False)
    service.read(BACKUP)
    kept = ("DynamicUser", "StateDirectory", "WorkingDirectory", "UMask")
    referee = RawConfigParser(strict=False)
    referee.read(UNIT)
    assert [service["Service"][key] for key in kept] == [referee["Service"][key] for key in kept]
    assert service["Service"]["User"] == UNIT.stem


def test_exposure_is_at_most_1_2(unit: Path) -> None:
    verdict = analyze("security", "--offline=true", "--threshold=12", str(unit))
    assert verdict.returncode == 0, verdict.stdout


def test_the_daemon_is_run_notifies_and_is_watched() -> None:
    parser = RawConfigParser(strict=False)
    parser.read(UNIT)
    service = parser["Service"]
    assert service["ExecStart"] == f"{PROGRAM} run"
    assert (service["Type"], service["NotifyAccess"]) == ("notify", "main")
    assert "WatchdogSec" in service


@pytest.mark.parametrize("file", [UNIT, BACKUP], ids=lambda path: path.name)
def test_no_password_stands_in_the_file(file: Path) -> None:
    loaded = [line for line in file.read_text().splitlines() if line.startswith("LoadCredential=")]
    assert [line.split("=")[1].split(":")[0] for line in loaded] == [
        "imap-password",
        "smtp-password",
    ]
