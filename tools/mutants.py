"""`python -m tools.mutants`: break the program on purpose, and count what the tests notice.

    python -m tools.mutants draw 100 > drawn.jsonl
    python -m tools.mutants run drawn.jsonl COVERAGE times.json > found.jsonl
    python -m tools.mutants again found.jsonl moved.json > after.jsonl

COVERAGE is a data file of coverage.py with a context for each test function, times.json has the
seconds of each of these, and moved.json their names in a later commit. Run it in a clone of its
own: it changes files, and puts them back.
"""

import ast
import json
import random
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

PLACES = (
    "engine",
    *(f"pbem/{one}" for one in ("intake", "routing", "storage", "games", "handlers")),
)
SEED = 12
SECONDS = 120
"""How long the tests of one mutant may take."""

COMPARE: dict[type[ast.cmpop], str] = {
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.In: "not in",
    ast.NotIn: "in",
    ast.Is: "is not",
    ast.IsNot: "is",
}
ARITHMETIC: dict[type[ast.operator], str] = {
    ast.Add: "-",
    ast.Sub: "+",
    ast.Mult: "//",
    ast.FloorDiv: "*",
    ast.Mod: "*",
}


def changes(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Return what a node of the program may be changed to, each with the operator's name."""
    match node:
        case ast.Compare(left, [op], [right]):
            yield "compare", f"({ast.unparse(left)} {COMPARE[type(op)]} {ast.unparse(right)})"
        case ast.BoolOp(op, values):
            other = " or " if isinstance(op, ast.And) else " and "
            yield "and/or", f"({other.join(f'({ast.unparse(value)})' for value in values)})"
        case ast.BinOp(left, op, right) if type(op) in ARITHMETIC:
            word = ARITHMETIC[type(op)]
            yield "arithmetic", f"(({ast.unparse(left)}) {word} ({ast.unparse(right)}))"
        case ast.Constant(bool(value)):
            yield "constant", str(not value)
        case ast.Constant(int(value)):
            yield "constant", f"({value + 1})"
            yield "constant", f"({value - 1})"
        case ast.Return(value) if value is not None and not _is_none(value):
            yield "return None", "return None"
        case ast.Expr(ast.Call()) | ast.AugAssign():
            yield "dropped statement", "pass"
        case ast.If(test) | ast.While(test) | ast.IfExp(test):
            yield "negated condition", f"(not ({ast.unparse(test)}))"


def _is_none(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is None


def mutants(file: Path) -> Iterator[dict[str, Any]]:
    """Return every mutant of a file: its place, what stands there, and what shall."""
    source = file.read_text("utf-8")
    lines = source.splitlines()
    for node in _inside_functions(ast.parse(source)):
        for operator, new in changes(node):
            place = node.test if operator == "negated condition" else node  # type: ignore[attr-defined]
            old = ast.get_source_segment(source, place) or ""
            yield {
                "file": str(file),
                "line": place.lineno,
                "column": len(lines[place.lineno - 1].encode()[: place.col_offset].decode()),
                "context": lines[place.lineno - 1].strip(),
                "operator": operator,
                "old": old,
                "new": new,
            }


def _inside_functions(tree: ast.AST) -> Iterator[ast.AST]:
    """Return all nodes in functions' bodies, without annotations and what f-strings hold."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            todo: list[ast.AST] = list(function.body)
            while todo:
                node = todo.pop()
                if isinstance(node, ast.JoinedStr | ast.FunctionDef | ast.ClassDef):
                    continue
                yield node
                todo += [child for child in ast.iter_child_nodes(node) if _is_code(node, child)]


def _is_code(parent: ast.AST, child: ast.AST) -> bool:
    return child is not getattr(parent, "annotation", None)


def draw(count: int) -> list[dict[str, Any]]:
    """Return so many mutants, as many from each place, the same ones each time."""
    dice, found = random.Random(SEED), []
    for place in PLACES:
        files = sorted(Path(place).rglob("*.py"))
        found += dice.sample([one for file in files for one in mutants(file)], count // len(PLACES))
    return found


def covering(data: Path, mutant: dict[str, Any]) -> set[str]:
    """Return the test functions that run a mutant's line, by coverage's notes."""
    with sqlite3.connect(data) as notes:
        rows = notes.execute(
            "SELECT context.context, line_bits.numbits FROM line_bits"
            " JOIN file ON file.id = file_id JOIN context ON context.id = context_id"
            " WHERE file.path LIKE ?",
            (f"%/{mutant['file']}",),
        )
        line = mutant["line"]
        return {
            test.partition("|")[0]
            for test, bits in rows
            if test and line // 8 < len(bits) and bits[line // 8] & 1 << line % 8
        }


def try_out(mutant: dict[str, Any], tests: list[str]) -> dict[str, Any]:
    """Put a mutant into the tree, run tests until one fails, and take it out again."""
    file = _file(mutant)
    source = file.read_text("utf-8") if file else ""
    place = _place(source, mutant)
    if file is None or place is None:
        return mutant | {"state": "gone"}
    file.write_text(source[:place] + mutant["new"] + source[place + len(mutant["old"]) :], "utf-8")
    try:
        return mutant | _outcome(tests)
    finally:
        file.write_text(source, "utf-8")


def _file(mutant: dict[str, Any]) -> Path | None:
    """Return the file that a mutant's line is in: its own, or the only one that holds it now."""
    files = [file for place in PLACES for file in sorted(Path(place).rglob("*.py"))]
    own = Path(mutant["file"])
    held = [
        file
        for file in files
        if mutant["context"] in map(str.strip, file.read_text("utf-8").splitlines())
    ]
    return own if own in held else held[0] if len(held) == 1 else None


def _place(source: str, mutant: dict[str, Any]) -> int | None:
    """Return where a mutant's code is: in its line, or in the only other one that reads alike."""
    lines = source.splitlines(keepends=True)
    alike = [n for n, line in enumerate(lines, 1) if line.strip() == mutant["context"]]
    number = mutant["line"] if mutant["line"] in alike else alike[0] if len(alike) == 1 else 0
    if not number:
        return None
    indent = len(lines[number - 1]) - len(lines[number - 1].lstrip())
    at = sum(map(len, lines[: number - 1])) + max(mutant["column"], indent)
    return at if source.startswith(mutant["old"], at) else None


def _outcome(tests: list[str]) -> dict[str, Any]:
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--tb=no"]
    command += ["--hypothesis-seed=1", "-m", "not long and not services", *tests]
    if not tests:
        return {"state": "survived", "by": "no test runs this line"}
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return {"state": "timeout", "by": ""}
    if done.returncode in (0, 5):
        return {"state": "survived", "by": f"{len(tests)} tests"}
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return {"state": "caught", "by": failed[0].split(" ")[1] if failed else done.stdout[-200:]}


def run(drawn: Path, data: Path, times: Path) -> Iterator[dict[str, Any]]:
    """Try each mutant before the tests that run its line, the fastest first."""
    seconds: dict[str, float] = json.loads(times.read_text("utf-8"))
    for line in drawn.read_text("utf-8").splitlines():
        mutant = json.loads(line)
        tests = sorted(
            covering(data, mutant) & seconds.keys(), key=lambda test: (seconds[test], test)
        )
        kept, spent = [], 0.0
        for test in tests:
            spent += seconds[test]
            if spent > SECONDS / 3 and kept:
                break
            kept.append(test)
        yield try_out(mutant, kept) | {"tests": kept}


def again(found: Path, moved: Callable[[str], str | None]) -> Iterator[dict[str, Any]]:
    """Try mutants that were caught once more: before the test that caught each, then all others."""
    for line in found.read_text("utf-8").splitlines():
        mutant = json.loads(line)
        tests = [new for test in mutant.pop("tests") if (new := moved(test))]
        killer = moved(mutant["by"].partition("[")[0]) if mutant["state"] == "caught" else None
        before = mutant.pop("state")
        tried = try_out(mutant, [killer]) if killer else mutant | {"state": "survived"}
        if tried["state"] == "survived":
            tried = try_out(mutant, tests)
        yield tried | {"before": before}


def main() -> None:
    """Do what the command line says."""
    match sys.argv[1:]:
        case ["draw", count]:
            found: Iterator[dict[str, Any]] = iter(draw(int(count)))
        case ["run", drawn, data, times]:
            found = run(Path(drawn), Path(data), Path(times))
        case ["again", caught, moves]:
            names: dict[str, str] = json.loads(Path(moves).read_text("utf-8"))
            found = again(Path(caught), names.get)
        case _:
            sys.exit(__doc__)
    for one in found:
        print(json.dumps(one), flush=True)


if __name__ == "__main__":
    main()
