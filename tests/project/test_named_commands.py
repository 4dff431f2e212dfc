"""Each command that a document, a letter or the program names is one that the program takes."""

import ast
import re
import shlex
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import click
import pytest

from pbem.cli import program
from tests.support.paths import DOCS, ROOT

PAGES = (*sorted(ROOT.glob("*.md")), *sorted(DOCS.rglob("*.md")))
CALL = re.compile(r"^(?:\S*/)?pbem (?P<words>(?!.* …)[a-z-][^#|<>&;]*)")
"""A line that runs the program, or what stands as code in a sentence, up to the shell's signs."""
MODULE = re.compile(r"python3? -m ((?:tools|tests|benchmarks)[\w.]*)")


def code(text: str) -> Iterator[str]:
    """Yield what stands as code in a text: the lines of its blocks, and what is in backticks."""
    for block in re.findall(r"^ *```\w*\n(.*?)^ *```", text, re.M | re.S):
        yield from map(str.strip, block.replace("\\\n", "").splitlines())
    yield from re.findall(r"`([^`\n]+)`", re.sub(r"^ *```.*?^ *```", "", text, flags=re.M | re.S))


def said(file: Path) -> Iterator[str]:
    """Yield the texts in a module of the program; what is filled in stands there as 1."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.JoinedStr):
            parts = [one.value if isinstance(one, ast.Constant) else "1" for one in node.values]
            yield "".join(map(str, parts)).replace("pbem 1", "")
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def calls(pieces: Iterator[str]) -> list[str]:
    """Return the commands of the program among pieces of code, without the program's name."""
    found = (CALL.match(piece) for piece in pieces)
    return sorted({match["words"].strip() for match in found if match})


IN_PAGES = [
    pytest.param(words, id=f"{page.name}: {words}"[:60])
    for page in PAGES
    for words in calls(code(page.read_text("utf-8")))
]
IN_PROGRAM = calls(
    piece
    for file in sorted((ROOT / "pbem").rglob("*.py"))
    for text in said(file)
    for piece in code(text)
)
IN_LETTERS = sorted(
    {
        match
        for file in (ROOT / "templates").rglob("*.*")
        if file.suffix in {".po", ".j2"}
        for match in re.findall(r"\bpbem ([a-z]+(?: (?:list|retry))?)", file.read_text("utf-8"))
    }
)


@pytest.mark.parametrize("words", [*IN_PAGES, *IN_PROGRAM, *IN_LETTERS])
def test_every_command_that_is_named_is_taken(words: str) -> None:
    """A sentence may leave out what a command needs, but names nothing that is not there."""
    given = shlex.split(re.sub(r"\[[A-Z]+\]", "", words))
    # What stands for something (N, FILE) is taken for a number, which fits everywhere.
    given = ["1" if re.fullmatch(r"N|[A-Z]{3,}|\{\w+\}", one) else one for one in given]
    given = given[2:] if given[0] == "--config" else given
    with suppress(click.MissingParameter, click.BadOptionUsage, click.exceptions.Exit):
        if given[0].startswith("-"):
            program.make_context("pbem", given)
        elif command := program.get_command(click.Context(program), given[0]):
            command.make_context(given[0], given[1:])


def test_every_target_of_make_is_there() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.M))
    for page in PAGES:
        for piece in code(page.read_text("utf-8")):
            assert set(re.findall(r"(?:^|&& )make ([a-z-]+)", piece)) <= targets, piece


def test_every_module_that_is_to_be_run_is_there() -> None:
    for page in PAGES:
        for piece in code(page.read_text("utf-8")):
            for module in MODULE.findall(piece):
                place = ROOT / module.replace(".", "/")
                assert place.with_suffix(".py").exists() or (place / "__main__.py").exists(), piece
