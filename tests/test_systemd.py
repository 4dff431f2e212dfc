"""The service file says what systemd understands, and leaves little to an intruder."""

import subprocess
from configparser import RawConfigParser
from pathlib import Path

import pytest

from tests.servers.required import require

UNIT = Path(__file__).parent.parent / "systemd/pbem.service"
PROGRAM = "/opt/pbem/bin/pbem"


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """The service file, with a program that exists on this machine."""
    require("systemd-analyze")
    copy = tmp_path / UNIT.name
    copy.write_text(UNIT.read_text().replace(PROGRAM, "/bin/true"))
    return copy


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


def test_no_password_stands_in_the_file() -> None:
    loaded = [line for line in UNIT.read_text().splitlines() if line.startswith("LoadCredential=")]
    assert [line.split("=")[1].split(":")[0] for line in loaded] == [
        "imap-password",
        "smtp-password",
    ]
