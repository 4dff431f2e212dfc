"""What the checking script of every system must do, whatever its battles are."""

import ast
import copy
import re
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import ClassVar

import pytest

from pbem.games import export
from tests.support.forging import (
    Check,
    Parts,
    by_engine,
    changes,
    is_named,
    other_pythons,
    path_of,
    refused,
    run,
    values_of_other_kinds,
)
from tests.support.trial_counts import some, tries

GARBAGE = ("", "[", "[]", "[\n]\n", "[\n{},\n{},\n{}\n]\n", "\x00\n" * 9)


class ScriptContract:
    """The tests of one script; a system's tests inherit them and name its battles.

    Each of `forgeries` names a battle, what is changed in it, and the place that both checks have
    to name. `small` is a battle of few lines, and `other` an order in it in place of another, both
    as written.
    Some characters are changed in each battle of `changed`.
    """

    system: ClassVar[str]
    battles: ClassVar[dict[str, Callable[[], Parts]]]
    forgeries: ClassVar[dict[str, tuple[str, Callable[[Parts], object], str]]]
    small: ClassVar[str]
    changed: ClassVar[tuple[str, ...]]
    other: ClassVar[tuple[str, str]]

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Try each battle and each forgery by itself."""
        for argument, cases in (("battle", self.battles), ("forgery", self.forgeries)):
            if argument in metafunc.fixturenames:
                metafunc.parametrize(argument, cases)

    def test_both_accept_a_battle(self, battle: str, by_script: Check) -> None:
        text = export.write(self.battles[battle]())
        assert by_engine(text) == (0, "the result follows from the steps")
        status, last = by_script(text)
        assert last.startswith("Now compare the commitment")
        assert status == 0

    def test_a_forgery_under_new_seals_is_refused(self, forgery: str, by_script: Check) -> None:
        battle, forge, where = self.forgeries[forgery]
        parts = copy.deepcopy(self.battles[battle]())
        forge(parts)
        refused(by_script, export.write(parts), where)

    def test_a_changed_character_is_noticed_and_named(self, by_script: Check) -> None:
        """At few places of each battle; in `make thorough` at every place of a small one."""
        for name in self.changed:
            rng, text = Random(name), export.write(self.battles[name]())
            many = len(text) if name == self.small and len(text) < 4000 else 150
            for at in rng.sample(range(len(text)), tries(many, 20)):
                for changed in set(changes(text, at, rng)) - {text}:
                    for check in (by_engine, by_script):
                        status, last = check(changed)
                        where = name, at, changed[at - 20 : at + 20], last
                        assert status == 1, where
                        assert is_named(text, changed, last), where

    def test_values_of_other_kinds_are_refused(self, by_script: Check) -> None:
        forged = list(values_of_other_kinds(self.battles[self.small]()))
        for text in Random(1).sample(forged, tries(len(forged), 40)):
            assert by_engine(text)[0] == by_script(text)[0] == 1, text

    @pytest.mark.parametrize("text", GARBAGE)
    def test_garbage_is_refused_in_a_line(self, text: str, by_script: Check) -> None:
        for check in (by_engine, by_script):
            status, last = check(text)
            assert status == 1
            assert last.encode("utf-8")

    def test_the_script_can_be_read_and_needs_only_the_standard_library(self) -> None:
        text = path_of(self.system).read_text("utf-8")
        assert max(map(len, text.splitlines())) <= 100
        assert not re.search("noqa|fmt:|type: ignore", text)
        tree = ast.parse(text, feature_version=(3, 8))
        imports = [n for n in ast.walk(tree) if isinstance(n, ast.Import | ast.ImportFrom)]
        names = {a.name for n in imports if isinstance(n, ast.Import) for a in n.names}
        names |= {str(n.module) for n in imports if isinstance(n, ast.ImportFrom)}
        assert {name.split(".")[0] for name in names} <= sys.stdlib_module_names

    @pytest.mark.parametrize("program", [sys.executable, *some(other_pythons(), 0)])
    def test_the_script_runs_on_this_and_other_pythons(self, program: str, tmp_path: Path) -> None:
        good, bad = tmp_path / "G12.json", tmp_path / "bad.json"
        text = export.write(self.battles[self.changed[0]]())
        good.write_text(text)
        bad.write_text(text.replace(*self.other))
        script = str(path_of(self.system))
        done = run("-I", script, str(good), program=program)
        assert (done.returncode, done.stderr) == (0, "")
        assert "(result) - so all of it agrees\n" in done.stdout
        done = run("-I", script, str(bad), program=program)
        assert (done.returncode, done.stderr) == (1, "")
        assert "\nWRONG: line " in done.stdout
