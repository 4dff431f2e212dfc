"""Lines and bytes of each kind of letter, before and after a change, from the snapshots of tests.

`python -m tools.letter_sizes dd6c374` compares the snapshots of a commit with those on disk, and
prints the table of docs/letters.md.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
FOLDER = "tests/snapshots/letters"


def before(commit: str) -> dict[str, bytes]:
    """Return the snapshots of English letters in a commit, by their names."""
    listed = _git("ls-tree", "--name-only", commit, f"{FOLDER}/").decode().splitlines()
    files = [name for name in listed if name.endswith((".txt", ".html"))]
    return {Path(name).name: _git("show", f"{commit}:{name}") for name in files}


def after() -> dict[str, bytes]:
    """Return the snapshots on disk."""
    found = (ROOT / FOLDER).glob("*.*")
    return {path.name: path.read_bytes() for path in found if path.suffix in (".txt", ".html")}


def table(old: dict[str, bytes], new: dict[str, bytes]) -> str:
    """Return a Markdown table: the lines of each letter's text, and the bytes of its parts."""
    rows = ["| letter | lines | bytes of text | bytes of HTML |", "| --- | ---: | ---: | ---: |"]
    for name in sorted({Path(file).stem for file in old.keys() | new.keys()}):
        text, html = f"{name}.txt", f"{name}.html"
        cells = [_change(_lines(old.get(text)), _lines(new.get(text)))]
        cells += [_change(_size(old.get(part)), _size(new.get(part))) for part in (text, html)]
        rows.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(rows)


def _lines(content: bytes | None) -> int | None:
    # The first two lines of a snapshot are its subject and an empty one.
    return None if content is None else content.count(b"\n") - 2


def _size(content: bytes | None) -> int | None:
    return None if content is None else len(content)


def _change(old: int | None, new: int | None) -> str:
    shown = ["–" if one is None else f"{one:,}" for one in (old, new)]
    return shown[0] if old == new else " → ".join(shown)


def _git(*arguments: str) -> bytes:
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, check=True).stdout


def main() -> int:
    """Print the table; return 2 where the commit is not known."""
    if len(sys.argv) != 2:
        print("name the commit to compare with, as in: python -m tools.letter_sizes dd6c374")
        return 2
    try:
        old = before(sys.argv[1])
    except subprocess.CalledProcessError as error:
        print(error.stderr.decode().strip().splitlines()[0], file=sys.stderr)
        return 2
    print(table(old, after()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
