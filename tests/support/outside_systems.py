"""Systems from outside: packages in a folder, with entry points as an installer writes them.

The system is the one that `pbem system new coin` writes, which docs/systems.md explains.
"""

from pathlib import Path

from tests.support.paths import ROOT

_PACKAGE = ROOT / "pbem" / "scaffold" / "KEY"


def _written(name: str) -> str:
    text = (_PACKAGE / f"{name}.txt").read_text("utf-8")
    return text.replace("@KEY@", "coin").replace("@TITLE@", "Coin")


CODE, GERMAN = _written("rules.py"), _written("locale/de/KEY.po")
TELL, SITUATION = _written("templates/tell.j2"), _written("templates/situation.j2")


def install(folder: Path, key: str, code: str, module: str = "") -> None:
    """Put a package of a system into a folder as an installer would."""
    package = folder / (module or key)
    (package / "templates").mkdir(parents=True)
    (package / "locale" / "de").mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "rules.py").write_text(code)
    (package / "templates" / "situation.j2").write_text(SITUATION)
    (package / "templates" / "tell.j2").write_text(TELL)
    (package / "locale" / "de" / f"{key}.po").write_text(GERMAN)
    about = folder / f"{package.name}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package.name}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[pbem.systems]\n{key} = {package.name}.rules:RULES\n")
