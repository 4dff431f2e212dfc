"""Imports point one way, those for type checking included."""

import subprocess
import sys

import pytest

from tools.imports import graph_of, longest, rings


def test_no_module_is_reached_from_itself() -> None:
    assert rings(graph_of("engine", "pbem")) == []


def test_a_ring_is_found_and_named_once() -> None:
    graph = {"a": frozenset("b"), "b": frozenset("c"), "c": frozenset("a"), "d": frozenset("a")}
    assert rings(graph) == [{"a", "b", "c"}]


@pytest.mark.parametrize(("shortcut", "chain"), [("c", ["a", "b", "c"]), ("", ["b", "c"])])
def test_the_longest_chain_goes_the_long_way(shortcut: str, chain: list[str]) -> None:
    below = frozenset({"b", shortcut}) if shortcut else frozenset[str]()
    assert longest({"a": below, "b": frozenset("c"), "c": frozenset()}) == chain


def test_the_program_starts_without_what_is_optional() -> None:
    absent = "cryptography dns psycopg pymap aiosmtpd"
    blocked = f"import sys; sys.modules.update(dict.fromkeys({absent.split()!r}))"
    code = f"{blocked}; import pbem.cli, pbem.daemon, pbem.service"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
