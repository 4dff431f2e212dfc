"""Each link of each letter that the tests keep: its body is understood, and it has the token."""

import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from selectolax.lexbor import LexborHTMLParser

from engine.registry import RULESETS
from pbem.routing import find_league_order
from pbem.routing.line_tests import is_order
from tests.support.snapshot import FOLDER

TOKEN = re.compile(r"\[(?:PBEM|G\d+-T\d+) [a-z2-7]{16}\]")
HOME = re.compile(r"[^+@]+\+[a-z2-7]{16}@")
ASKING = {"en": {"STORY", "TELL", "PRESS"}, "de": {"ERZÄHLUNG", "SAGEN", "PRESSE"}}
"""The orders whose text is for the player to write, below them."""
JOINING = {"en": "JOIN", "de": "BEITRETEN"}
STRANGERS = {"stranger"}
"""The letters to people who have no token yet: their link is an order for everybody."""


class Link(NamedTuple):
    """A link of a letter: the letter's name, the address, the subject and the body."""

    letter: str
    address: str
    subject: str
    body: str


def links(language: str) -> Iterator[Link]:
    """Yield the mailto links of all letters that are kept in a language."""
    folder = FOLDER / "letters"
    for path in sorted((folder if language == "en" else folder / language).glob("*.html")):
        for node in LexborHTMLParser(path.read_text("utf-8")).css("a"):
            written = urlsplit(node.attributes["href"] or "")
            assert written.scheme == "mailto", path
            query = parse_qs(written.query)
            body = query.get("body", [""])[0].replace("\r\n", "\n")
            yield Link(path.stem, unquote(written.path), query.get("subject", [""])[0], body)


@pytest.mark.parametrize("language", ["en", "de"])
def test_each_link_carries_the_token_of_its_reader(language: str) -> None:
    found = list(links(language))
    assert len(found) > 300
    for link in found:
        if link.letter in STRANGERS:
            assert (link.subject, link.body) == (JOINING[language], f"{JOINING[language]} "), link
        elif link.body:
            assert HOME.match(link.address), link
            assert TOKEN.search(link.subject), link


@pytest.mark.parametrize("language", ["en", "de"])
def test_each_line_of_each_link_is_an_order(language: str) -> None:
    kinds = set()
    for link in links(language):
        for line in filter(None, link.body.split("\n")):
            kinds.add(line.split()[0])
            assert is_order(line, language, tuple(RULESETS)) or link.letter in STRANGERS, link
            if takes_text(line, language):
                break  # what stands below it is its text
    assert len(kinds) > 35


@pytest.mark.parametrize("language", ["en", "de"])
def test_links_without_a_body_are_to_unsubscribe(language: str) -> None:
    bare = {(link.letter, link.subject) for link in links(language) if not link.body}
    assert {letter.partition("-")[0] for letter, _ in bare} == {"newsletter"}
    assert {subject for _, subject in bare} == {"unsubscribe"}


@pytest.mark.parametrize("language", ["en", "de"])
def test_orders_whose_words_a_player_writes_ask_for_them(language: str) -> None:
    """With nothing below, such an order is answered with what to write, and sends nothing."""
    found = {link.body for link in links(language) if takes_text(link.body, language)}
    assert {body.split()[0] for body in found} == ASKING[language]


def takes_text(body: str, language: str) -> bool:
    """Return whether an order takes the lines below it as its text."""
    found = find_league_order.find(body, language)
    return isinstance(found, tuple) and found[0].takes_all
