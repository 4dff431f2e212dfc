"""How much of the program one reply passes, so that its path stays short."""

import re
import subprocess
import sys

CALLS, FILES = 1_300, 62
"""Issue 12 asked for at most 1,200 calls and 40 files of our own. Since then, what is asked about
and who owns a table have files of their own, which each letter passes
(docs/decisions/0026-one-reply.md, 0024)."""
ORDINARY = 4_000
"""The most calls of an ordinary letter, in our files and all others but peewee's, which follow from
the statements; issue 26 asked for 4,500."""


def cost(*arguments: str) -> str:
    """Return what the tool prints."""
    # In a process of its own, since what other tests leave behind makes the path longer.
    command = [sys.executable, "-m", "tools.reply_cost", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_one_reply_passes_few_files() -> None:
    told = cost()
    found = re.search(r"(\d+) calls of \d+ functions in (\d+) files of our own", told)
    assert found is not None, told
    assert int(found[1]) <= CALLS, told
    assert int(found[2]) <= FILES, told


def test_an_ordinary_letter_takes_few_calls() -> None:
    told = cost("ordinary")
    found = re.match(r"(\d+) calls in all", told)
    by_peewee = re.search(r"(\d+) peewee\.py", told)
    assert found is not None, told
    assert by_peewee is not None, told
    assert int(found[1]) - int(by_peewee[1]) <= ORDINARY, told
