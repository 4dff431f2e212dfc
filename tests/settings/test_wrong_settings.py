"""Each key of each section with values that are wrong: `pbem check` names it in one line.

The keys come from the settings' own description, so a new one is tried without a line here.
"""

from collections.abc import Iterator
from dataclasses import Field, fields
from pathlib import Path
from typing import Any

import pytest

from pbem import cli
from pbem.channels import KINDS
from pbem.settings.load import SECTIONS
from tests.support.program import write_league

LEAGUE = {"name": "Avalon", "address": "referee@league.example"}
# Nothing listens there, so that a check is over at once.
SERVER = {"host": "127.0.0.1", "port": 1, "tls": "none", "user": "u", "password_file": "password"}
NEEDED: dict[str, dict[str, Any]] = {
    "league": LEAGUE,
    "imap": SERVER,
    "smtp": SERVER,
    "oauth": {"token_url": "https://a.example/t", "client_id": "x", "refresh_token_file": "t"},
    "folder": {"kind": "folder", "path": "p"},
    "mail": {"kind": "mail", "to": "list@league.example"},
    "nntp": {"kind": "nntp", "host": "127.0.0.1", "group": "rec.games", "password_file": "p"},
    "discourse": {
        "kind": "discourse",
        "url": "https://forum.example",
        "user": "u",
        "key_file": "k",
        "category": 5,
    },
    "nodebb": {"kind": "nodebb", "url": "https://f.example", "token_file": "t", "category": 5},
    "discord": {"kind": "discord", "token_file": "t", "channel": "400000000000000003"},
    "webhook": {"kind": "webhook", "url_file": "h"},
    "irc": {
        "kind": "irc",
        "host": "127.0.0.1",
        "room": "#avalon",
        "user": "u",
        "password_file": "p",
        # Where nobody listens.
        "port": 1,
    },
}
KEYS = [
    *((name, key) for name, section in SECTIONS.items() for key in fields(section)),
    *((kind, key) for kind, settings in KINDS.items() for key in fields(settings)),
]
NONE_IS_MEANT = {"health_file"}
"""Texts that may be empty although they have a default: empty stands for none."""


def wrong(key: Field[Any]) -> Iterator[tuple[str, Any]]:
    """Yield names and values that are wrong for a key, whatever it is for."""
    yield key.name, [["a"]]
    yield key.name, -1
    yield key.name, "\x00 no such\nthing"
    # A letter twice, as fingers slip.
    yield key.name[0] + key.name, 1
    if key.default != "" and key.name not in NONE_IS_MEANT:
        yield key.name, " "


@pytest.mark.parametrize(("section", "key"), KEYS, ids=lambda one: getattr(one, "name", one))
def test_is_named_with_its_section_in_one_line_of_errors(
    section: str, key: Field[Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = section if section in SECTIONS else "channels.one"
    for name, value in wrong(key):
        part = {**NEEDED.get(section, {}), name: value}
        part |= {} if name == key.name else {key.name: part.pop(key.name, 1)}
        file = write_league(tmp_path, {"league": LEAGUE, where: part})
        status = cli.main(["--config", str(file), "check"])
        out, err = capsys.readouterr()
        assert (status, out, err.count("\n")) == (2, "", 1), (name, value, out, err)
        assert err.startswith(f"pbem: [{where}] {name} "), (name, value, err)


FREE = [one for one in KEYS if one[1].type in (str, "str")]
"""Texts that may be anything: only the part that uses them can find that they are wrong."""


@pytest.mark.parametrize(("section", "key"), FREE, ids=lambda one: getattr(one, "name", one))
def test_nonsense_ends_no_check(
    section: str, key: Field[Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = section if section in SECTIONS else "channels.one"
    for value in ("no such/thing:", "7", "../..", "ä" * 300, "~", "%s{}"):
        part = {**NEEDED.get(section, {}), key.name: value}
        file = write_league(tmp_path, {"league": LEAGUE, where: part})
        status = cli.main(["--config", str(file), "check"])
        out, err = capsys.readouterr()
        if status == 2:
            assert (out, err.count("\n")) == ("", 1)
            assert err.startswith(f"pbem: [{where}] ")
        else:
            assert err == ""
            assert {line[:5] for line in out.splitlines()} <= {"ok   ", "WARN ", "WRONG"}
