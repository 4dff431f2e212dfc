"""Each table has one owner: the module that writes it, and in which its queries stand."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import pbem
from pbem.storage import MODELS

OWNERS = {
    "Account": "people.linked_accounts",
    "Authorship": "outgoing.authorship",
    "Ban": "people.bans",
    "Block": "people.bans",
    "Blueprint": "handlers.personas.blueprints",
    "Bounce": "outgoing.reachability",
    "Cursor": "service.boards_read_until",
    "Doctrine": "people.doctrines",
    "Editorial": "news.stored_issues",
    "Endorsement": "people.nominations",
    "Entry": "people.career_log",
    "Further": "people.players",
    "Game": "storage.stored_games",
    "Issue": "news.stored_issues",
    "KeptWords": "storage.stored_letters",
    "Leave": "people.absences",
    "Letter": "storage.stored_letters",
    "LiveBattle": "games.live_battles",
    "Meta": "storage.store",
    "Nomination": "people.nominations",
    "Offer": "games.offers",
    "OfferSeat": "games.offers",
    "Outgoing": "storage.queues",
    "Persona": "people.personas",
    "Place": "storage.stored_games",
    "Player": "people.players",
    "Pledge": "games.commitments",
    "Post": "storage.queues",
    "PublicLetter": "outgoing.public_letters",
    "Question": "outgoing.questions",
    "Reward": "people.career_log",
    "Round": "storage.noted_rounds",
    "Ruling": "games.ruling_log",
    "Step": "games.step_log",
    "Story": "games.stories",
    "Subscription": "people.readers",
    "Tally": "storage.store",
    "Token": "people.tokens",
    "Turnout": "games.punctuality",
    "Watch": "storage.stored_games",
}
"""The module of each model.

By its number, or by its player's, any module may get a row: these are the store's own questions.
"""
OVER_ALL = (
    "maintenance.fsck",
    "maintenance.fsck_rows",
    "people.erasing",
    "people.merging",
    "people.personal_data",
    "storage.copies",
    "storage.migrations",
    "storage.rebuild_database",
)
"""What goes over all tables, whoever owns them."""
_WRITES = {"delete", "insert", "insert_from", "insert_many", "replace", "update"}
_READS = {"alias", "select"}
_ROOT = Path(pbem.__file__).parent
_MODULES = {
    ".".join(path.relative_to(_ROOT).with_suffix("").parts): path for path in _ROOT.rglob("*.py")
}


def _queries(source: str, names: set[str]) -> Iterator[tuple[str, int]]:
    """Yield the models that are written or read as `names` say, each with its line."""
    tree = ast.parse(source)
    models = {
        one.asname or one.name: one.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("pbem.storage")
        for one in node.names
    }
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        asked, first = node.func.value, node.args[0] if node.args else None
        if node.func.attr in names and isinstance(asked, ast.Name) and asked.id in models:
            yield models[asked.id], node.lineno
        if node.func.attr == "create" and "insert" in names and isinstance(first, ast.Name):
            yield models.get(first.id, ""), node.lineno


def _elsewhere(names: set[str]) -> Iterator[str]:
    """Yield where a model is written or read outside of its owner."""
    for module, path in _MODULES.items():
        if module.startswith(OVER_ALL):
            continue
        for model, line in _queries(path.read_text(), names):
            if OWNERS.get(model, module) != module:
                yield f"{module}:{line} {model}, which is {OWNERS[model]}'s"


def test_only_its_owner_writes_a_table() -> None:
    assert list(_elsewhere(_WRITES)) == []


def test_queries_of_a_table_stand_in_its_owner() -> None:
    assert list(_elsewhere(_READS)) == []


def test_each_owner_writes_what_it_owns() -> None:
    assert set(OWNERS) == {model.__name__ for model in MODELS}
    assert [model for model, owner in OWNERS.items() if not _writes(owner, model)] == []


def _writes(module: str, model: str) -> bool:
    return any(model == one for one, _ in _queries(_MODULES[module].read_text(), _WRITES))


@pytest.mark.parametrize(
    "line",
    [
        "store.run(Row.update(name=name).where(Row.id == 1))",
        "store.run(Row.delete())",
        "row = store.create(Row, player=1)",
    ],
)
def test_a_write_is_seen(line: str) -> None:
    source = f"from pbem.storage import Ban as Row\n{line}\n"
    assert list(_queries(source, _WRITES)) == [("Ban", 2)]
