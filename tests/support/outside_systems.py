"""Systems from outside: packages in a folder, with entry points as an installer writes them.

One is what `pbem system new KEY` writes, which docs/systems.md explains; the other is an author's
larger game, tests/support/hunt.
"""

import shutil
from pathlib import Path

from tests.support.paths import ROOT

_SCAFFOLD = ROOT / "pbem" / "maintenance" / "scaffold" / "KEY"
HUNT = ROOT / "tests" / "support" / "hunt"


def _code(key: str) -> str:
    text = (_SCAFFOLD / "rules.py.txt").read_text("utf-8")
    return text.replace("@KEY@", key).replace("@TITLE@", key.capitalize())


CODE = _code("coin")


def install(folder: Path, key: str, code: str = "", module: str = "") -> None:
    """Put a package of the scaffold's system into a folder, by default with the scaffold's code."""
    package = folder / (module or key)
    for file in _SCAFFOLD.rglob("*.txt"):
        path = package / str(file.relative_to(_SCAFFOLD)).removesuffix(".txt").replace("KEY", key)
        path.parent.mkdir(parents=True, exist_ok=True)
        text = file.read_text("utf-8").replace("@KEY@", key).replace("@TITLE@", key.capitalize())
        path.write_text(text, encoding="utf-8")
    (package / "rules.py").write_text(code or _code(key))
    _installed(folder, package.name, key)


def install_hunt(folder: Path) -> None:
    """Put the package of the game hunt into a folder."""
    shutil.copytree(HUNT, folder / "hunt", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "hunt" / "__init__.py").write_text("")
    _installed(folder, "hunt", "hunt")


def _installed(folder: Path, package: str, key: str) -> None:
    about = folder / f"{package}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[pbem.systems]\n{key} = {package}.rules:RULES\n")
