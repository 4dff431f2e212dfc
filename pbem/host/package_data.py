"""What lies in packages beside code: templates, catalogues, checking scripts."""

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from engine import registry

TEMPLATES = next(
    path
    for path in (Path(__file__).parents[2] / "templates", Path(__file__).parents[1] / "_templates")
    if path.is_dir()
)
"""The folder of templates and catalogues, in a checkout or in an installed package."""

EXAMPLES = next(
    path
    for path in (Path(__file__).parents[2] / "examples", Path(__file__).parents[1] / "_examples")
    if path.is_dir()
)
"""The folder of examples that the documentation names, likewise."""


def own_folder(system: str, name: str) -> list[Path]:
    """Return the folder of a name in a system's package; nothing where it or the system is gone."""
    if system not in registry.PACKAGES:
        return []
    folder = Path(str(files(registry.PACKAGES[system]))) / name
    return [folder] if folder.is_dir() else []


def own_folders(name: str) -> Iterator[Path]:
    """Yield the folders of a name of all systems."""
    for system in registry.RULESETS:
        yield from own_folder(system, name)
