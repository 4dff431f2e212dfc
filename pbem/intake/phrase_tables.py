"""Tables of phrases, prepared for lookups."""

from __future__ import annotations


def words(table: str) -> frozenset[str]:
    """Return the entries of a table, separated by bars and line ends, case-folded."""
    entries = table.replace("\n", "|").split("|")
    return frozenset(each.casefold() for each in entries if each.strip())
