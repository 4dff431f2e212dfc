"""The same duel, played twice with the same secret and letters, leads to the same letters."""

import hashlib
import re
import subprocess
import sys
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.intake import tokens_and_keys
from pbem.storage import Player, Token
from tests.rendering.test_persona_sheets import drawn
from tests.support.harness import League, duel, fixed_entropy, open_league
from tests.support.players import STANDING, parsed
from tests.support.program import ROOT, environment

DATES = re.compile(
    rb"(?:[A-Z][a-z]{2},?\s+)?\d\d?\s+[A-Z][a-z]{2}\s+\d{4}"
    rb"(?:\\?,?\s+\d\d:\d\d(?::\d\d)?\s+(?:UTC|\+0000))?"
    rb"|\d{4}-\d\d-\d\d(?: \d\d:\d\d UTC)?|\d{8}T\d{6}Z"
)

Entropy = Callable[[int], bytes]


def another_league() -> Entropy:
    """Set another secret for the league, and the same ones for its games."""
    own = iter([bytes(32)])
    return lambda count: next(own, fixed_entropy(count))


def play(folder: Path, entropy: Entropy = fixed_entropy, days: float = 0) -> list[list[bytes]]:
    """Play a duel that begins some days later, and return the parts of each letter, unmarked."""
    with open_league(folder, entropy=entropy, turns_per_letter=12) as league:
        league.later(24 * days)
        ann, bob = duel(league)
        ann.reply(f"{STANDING}SALT of the earth\nHawk came out of the sun.")
        bob.reply(f"SCAN\n{STANDING}TARGT Hawk")
        league.later(1)
        league.work()
        while league.game.running:
            for person in (ann, bob):
                person.reply(STANDING)
            league.later(1)
            league.work()
        return [parts(raw, marks(league)) for _, raw in league.post.letters]


def marks(league: League) -> list[str]:
    """Return what is a league's own: its tokens, keys and Message-IDs."""
    found = [token.token for token in league.store.all(Token.select().order_by(Token.token))]
    for player in league.store.all(Player.select().order_by(Player.id)):
        found.append(tokens_and_keys.key(league.store.secret, player.id, player.key_serial))
    sent = league.store.execute_sql("SELECT message_id, ident FROM outgoing").fetchall()
    for message_id, ident in sent:
        found += [message_id, hashlib.sha256(ident.encode()).hexdigest()[:24]]
    return found


def parts(raw: bytes, own: list[str]) -> list[bytes]:
    """Return a letter's parts with header, without dates and what is the league's own."""
    return [unmarked(part, own) for part in parsed(raw).walk()]


def unmarked(part: EmailMessage, own: list[str]) -> bytes:
    header = "\n".join(f"{key}: {value}" for key, value in part.items()).encode()
    content = part.get_payload(decode=True) or b""
    if part.get_content_type() == "application/pdf":
        content = drawn(content).encode()
    text = header + b"\n\n" + content.replace(b"\r\n ", b"")
    for mark in own:
        text = text.replace(mark.encode(), b"*" * len(mark))
    return DATES.sub(b"DATE", text)


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> list[list[bytes]]:
    return play(tmp_path_factory.mktemp("once"))


@pytest.mark.long
def test_but_for_dates_and_tokens(tmp_path: Path, once: list[list[bytes]]) -> None:
    """Another league's secret, the same day of another month: the rest of each letter is equal."""
    again = play(tmp_path, another_league(), days=30)
    assert len(again) == len(once) > 12
    for number, (one, other) in enumerate(zip(once, again, strict=True)):
        assert one == other, f"letter {number}"


def test_and_nothing_else_is_left_out(once: list[list[bytes]]) -> None:
    """What is compared holds the whole of the reports."""
    last = b"\n".join(once[-1])
    assert fixed_entropy(32).hex().encode() in last.replace(b"\n", b"")
    assert last.count(b"DATE") <= 8


@pytest.mark.long
def test_in_any_process(tmp_path: Path) -> None:
    """Byte for byte, tokens too, for any seed of Python's own hashes."""
    digests = set()
    for seed in ("1", "2"):
        (tmp_path / seed).mkdir()
        done = subprocess.run(
            [sys.executable, "-m", "tests.by_mail.test_same_bytes", str(tmp_path / seed)],
            cwd=ROOT,
            env=environment(PYTHONHASHSEED=seed),
            capture_output=True,
            check=True,
        )
        digests.add(done.stdout)
    assert len(digests) == 1
    assert len(digests.pop()) == 65


if __name__ == "__main__":
    whole = hashlib.sha256()
    for each in play(Path(sys.argv[1])):
        whole.update(b"\0".join(each))
    print(whole.hexdigest())
