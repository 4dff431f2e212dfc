"""Whatever a setting holds, it is taken or refused in one sentence that names its place."""

import datetime
import math
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from pbem.settings import SettingsError
from pbem.settings.load import SECTIONS, load, parse
from tests.support.program import write_league

LEAGUE = {"name": "Avalon", "address": "referee@league.example"}
SERVER = {"host": "mail.example", "user": "u", "password_file": "password"}
ODD = (
    *(-1, 0, 10**30, -0.5, math.nan, math.inf, True, "", "é\n", "\udc80"),
    *([], [1], [["a"]], {"a": 1}, datetime.date(2026, 1, 1), datetime.time(1)),
)


def complaint(raw: dict[str, Any]) -> str:
    """Return why settings are refused, or nothing."""
    try:
        parse(raw, Path("/nowhere"))
    except SettingsError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("section", SECTIONS)
def test_is_refused_in_one_sentence(section: str) -> None:
    needed = {"league": LEAGUE, "imap": SERVER, "smtp": SERVER}
    for key in fields(SECTIONS[section]):
        for value in ODD:
            part: dict[str, Any] = {**needed.get(section, {}), key.name: value}
            found = complaint({"league": LEAGUE, section: part})
            assert found == "" or found.startswith(f"[{section}] ")
            assert "\n" not in found


def test_in_the_environment_is_refused(tmp_path: Path) -> None:
    file = write_league(tmp_path, {"league": LEAGUE, "smtp": SERVER})
    with pytest.raises(SettingsError, match=r"\[smtp\] port must be a whole number"):
        load(file, {"PBEM_SMTP__PORT": "\udc80"})
    file.write_text("league = 5\n")
    with pytest.raises(SettingsError, match=r"\[league\] must be a section"):
        load(file, {"PBEM_LEAGUE__NAME": "Avalon"})
