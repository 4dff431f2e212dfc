"""`pbem init`: a new league's folder, with its settings and its database."""

import json
import os
import re
import tomllib
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from pbem.channels.mail.connections import wrong_host
from pbem.maintenance import port_probe
from pbem.settings import SettingsError
from pbem.settings.checks import wrong_address, wrong_timezone
from pbem.settings.load import load
from pbem.storage import Store, StoreDown

EXAMPLE = next(
    path
    for path in (
        # In a checkout; the second path is that of an installed package.
        Path(__file__).parents[2] / "config" / "league.toml",
        Path(__file__).parents[1] / "_config" / "league.toml",
    )
    if path.is_file()
)

QUESTIONS = (
    ("league.name", "The league's name"),
    ("league.address", "The address that players write to"),
    ("league.timezone", "The time zone in which deadlines are written"),
    ("league.moderator", "Your own address, as the moderator, or none"),
    ("imap.host", "The IMAP server's name"),
    ("imap.tls", "TLS there: tls, starttls or none"),
    ("imap.port", "Its port"),
    ("imap.user", "The user name there"),
    ("smtp.host", "The SMTP server's name"),
    ("smtp.tls", "TLS there: tls, starttls or none"),
    ("smtp.port", "Its port"),
    ("smtp.user", "The user name there, or none"),
)
"""What a new league needs to know, by section and key."""

PASSWORDS = ("imap-password", "smtp-password")

_HEAD = re.compile(r"(# )?\[([\w.]+)\](\s*#.*)?")
"""A section's head; one that is commented out contains only comments."""


def defaults() -> dict[str, str]:
    """Return the example's own values, by section and key."""
    found: dict[str, str] = {}
    section = ""
    for line in EXAMPLE.read_text("utf-8").splitlines():
        head = _HEAD.fullmatch(line)
        section = head[2] if head else section
        match = re.match(r'(\w+) = (?:"([^"]*)"|(\S+))', line)
        if match:
            found[f"{section}.{match[1]}"] = match[2] if match[2] is not None else match[3]
    return found


_NEEDED = ("league.address", "imap.host", "imap.user", "smtp.host")
"""What has no usual value that would be right: the example's hosts exist nowhere."""


def missing(given: Mapping[str, str]) -> list[str]:
    """Return what is needed for a league and was not given, by section and key.

    A Maildir stands in for a server.
    """
    instead = {"imap": ("maildir.path",), "smtp": ("maildir.out", "maildir.sendmail")}
    return [
        name
        for name in _NEEDED
        if not given.get(name)
        and not any(given.get(one) for one in instead.get(name.partition(".")[0], ()))
    ]


def found_league(folder: Path, answers: Mapping[str, str]) -> Path:
    """Write league.toml, the database and empty password files.

    `answers` are values by section and key, such as `imap.port`; others stay as in the example.
    Raises SettingsError or StoreDown.
    """
    file = free(folder)
    text = _filled(answers)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _lay_beside(folder)
        file.write_text(text, "utf-8")
        # Without the environment, which may hold settings of another league.
        Store(load(file, {}).store_url()).close()
        for name in PASSWORDS:
            _empty_secret(folder / name)
    except OSError as error:
        _take_back(file)
        raise SettingsError(f"{file} can't be written ({error.strerror})") from None
    except (SettingsError, StoreDown):
        _take_back(file)
        raise
    return file


def _take_back(file: Path) -> None:
    """Remove league.toml, so that the next attempt does not find a half-founded league."""
    with suppress(OSError):
        file.unlink()


def _lay_beside(folder: Path) -> None:
    """Write the catalogues next to league.toml, except those that exist."""
    for catalogue in EXAMPLE.parent.glob("*.toml"):
        if catalogue != EXAMPLE and not (folder / catalogue.name).exists():
            (folder / catalogue.name).write_text(catalogue.read_text("utf-8"), "utf-8")


def free(folder: Path) -> Path:
    """Return the path of league.toml in a folder. Raise SettingsError if it exists."""
    file = folder / "league.toml"
    if file.exists():
        raise SettingsError(f"{file} is there already; nothing was changed")
    return file


def _empty_secret(path: Path) -> None:
    """Create a file that only its owner may read, for a password."""
    if not path.exists():
        # With its mode from the start: after a chmod, somebody may have it open already.
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))


def _filled(answers: Mapping[str, str]) -> str:
    """Return the example with the answers filled in, comments included."""
    lines: list[str] = []
    section, at, left = "", 0, dict(answers)
    for line in EXAMPLE.read_text("utf-8").splitlines():
        if head := _HEAD.fullmatch(line):
            section, at = head[2], len(lines)
        match = re.match(r'(#\s*)?(\w+) = ("[^"]*"|\[[^]]*\]|\S+)(\s*#.*)?$', line)
        name = f"{section}.{match[2]}" if match else ""
        if match and name in left:
            line = f"{match[2]} = {_toml(name, left.pop(name), match[3])}{match[4] or ''}"
            # A value that is set in a commented section brings the section's head to life.
            lines[at] = lines[at].removeprefix("# ")
        lines.append(line)
    if left:
        raise SettingsError(f"{', '.join(sorted(left))}: no such setting")
    return "\n".join(lines) + "\n"


def _toml(name: str, value: str, like: str) -> str:
    if like.startswith('"'):
        # A basic string of TOML has the escapes of JSON.
        return json.dumps(value, ensure_ascii=False)
    try:
        # A value without quotation marks must be TOML by itself, such as 587 or true.
        tomllib.loads(f"value = {value}")
    except tomllib.TOMLDecodeError:
        raise SettingsError(f"{name} is {value!r}; it must be written like {like}") from None
    return value


def ask(
    given: Mapping[str, str], prompt: Callable[[str], str], tell: Callable[[str], object]
) -> dict[str, str]:
    """Ask for what was not given, and repeat a question if its answer can't be right.

    An empty answer takes the default in brackets, which follows from the answers before it.
    """
    known, answers = defaults(), dict(given)
    for name, question in QUESTIONS:
        if name not in answers:
            usual = _usual(name, answers) or known[name]
            answers[name] = _answer(name, question, usual, prompt, tell)
        if name.endswith(".port"):
            _correct(name.partition(".")[0], answers, prompt, tell)
    return answers


def _answer(
    name: str,
    question: str,
    usual: str,
    prompt: Callable[[str], str],
    tell: Callable[[str], object],
) -> str:
    while True:
        answer = prompt(f"{question} [{usual}]: ").strip() or usual
        wrong = _WRONG[name](answer) if name in _WRONG else ""
        if not wrong:
            return "" if name in _MAY_BE_NONE and answer.lower() == "none" else answer
        tell(f"It {wrong}." if wrong.startswith("is ") else f"{wrong}.")


_MAY_BE_NONE = ("smtp.user", "league.moderator")


def _correct(
    kind: str,
    answers: dict[str, str],
    prompt: Callable[[str], str],
    tell: Callable[[str], object],
) -> None:
    """Try a server and say how it answers; while it does not, offer to ask for it again."""
    while True:
        fault, sentence = seen(kind, answers)
        tell(sentence)
        if not fault or prompt("Correct that now, yes or no? [yes]: ").strip().lower() in _NO:
            return
        for name, question in QUESTIONS:
            if name in (f"{kind}.host", f"{kind}.tls", f"{kind}.port"):
                # The port follows from the kind of TLS, which may just have been corrected.
                port = name.endswith(".port")
                usual = _usual(name, answers) if port else answers[name]
                answers[name] = _answer(name, question, usual, prompt, tell)


_NO = ("no", "n")


def seen(kind: str, answers: Mapping[str, str]) -> tuple[bool, str]:
    """Try the server that was named. Return whether anything is wrong, and a sentence about it."""
    host, port, tls = (answers[f"{kind}.{key}"] for key in ("host", "port", "tls"))
    wrong = port_probe.fault(kind, host, int(port), tls)
    if wrong:
        return True, f"Tried it: {wrong}{'' if wrong.endswith('?') else '.'}"
    return False, f"Tried it: {host}:{port} answers, and {_HOW[tls]}."


_HOW = {
    "tls": "begins with TLS",
    "starttls": "greets plainly; TLS follows",
    "none": "greets without TLS",
}


def _wrong_tls(answer: str) -> str:
    return "" if answer in _HOW else f"is {answer!r}; write tls, starttls or none"


def _wrong_port(answer: str) -> str:
    good = answer.isdecimal() and 0 < int(answer) < 65536
    return "" if good else f"is {answer!r}; a port is a number from 1 to 65535"


def _wrong_moderator(answer: str) -> str:
    return "" if answer.lower() == "none" else wrong_address(answer)


_WRONG = {
    "league.moderator": _wrong_moderator,
    "imap.tls": _wrong_tls,
    "imap.port": _wrong_port,
    "smtp.tls": _wrong_tls,
    "smtp.port": _wrong_port,
    "league.address": wrong_address,
    "league.timezone": wrong_timezone,
    "imap.host": wrong_host,
    "smtp.host": wrong_host,
}


def _usual(name: str, answers: Mapping[str, str]) -> str:
    """Return the usual value at most hosts, by what was answered so far; "" for none."""
    address, imap = answers.get("league.address", ""), answers.get("imap.host", "")
    return {
        "league.moderator": "none",
        "imap.port": str(port_probe.usual("imap", answers.get("imap.tls", "tls"))),
        "smtp.port": str(port_probe.usual("smtp", answers.get("smtp.tls", "tls"))),
        "imap.host": f"imap.{address.partition('@')[2]}",
        "imap.user": address,
        "smtp.host": re.sub(r"^imap\b", "smtp", imap),
        "smtp.user": answers.get("imap.user", ""),
    }.get(name, "")
