"""Answers to RULES and SHIPS: each page of each system."""

from typing import Any

from engine.registry import RULESETS
from engine.ruleset import Book


def book_of(system: str) -> Book:
    """Return the book of a system that has one."""
    book = RULESETS[system].book
    assert book is not None
    return book


def page_of(system: str, topic: str = "") -> dict[str, Any]:
    """Return what RULES prints of a system: its first page, or a topic."""
    book = book_of(system)
    more = {"topic": topic, "topics": dict(book.topics), "tables": book.tables, "ships": True}
    more["others"] = {}
    return {"kind": "rules", **_heading(system), **more}


def ships_of(system: str, *words: str) -> dict[str, Any]:
    """Return what SHIPS prints of a system."""
    blueprints = RULESETS[system].blueprints
    stock = blueprints.stock(None) if blueprints else None
    listed = book_of(system).ships
    assert listed is not None
    return {"kind": "ships", **_heading(system), "ships": listed(words, stock)}


def _heading(system: str) -> dict[str, Any]:
    rules = RULESETS[system]
    return {"system": system, "title": rules.title, "credits": rules.credits}


def whole_book(system: str) -> list[dict[str, Any]]:
    """Return an answer with all pages of a system, and its ships."""
    pages = [page_of(system, topic) for topic in ("", *book_of(system).topics)]
    return [_answer([page]) for page in (*pages, ships_of(system))]


def _answer(blocks: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "order": "RULES",
        "ok": True,
        "separate": False,
        "tried": False,
        "text": "",
        "hint": "",
        "taps": [],
        "blocks": blocks,
    }
