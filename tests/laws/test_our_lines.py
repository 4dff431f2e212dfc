"""No line of our letters is an order when it comes back, unless a player has copied an order."""

import random
import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

import pytest

from engine.registry import RULESETS
from pbem.intake import NewText
from pbem.routing.line_tests import is_order
from tests.support.html_words import html_text
from tests.support.snapshot import FOLDER
from tests.support.trial_counts import MANY, tries
from tests.support.unquoted_replies import orders, orders_in, read_back, wrapped

pytestmark = pytest.mark.timeout(1500 if MANY else 300)
KEPT = FOLDER / "letters"
WIDTHS = (0, 40, 57, 72, 78, 100, 120)
"""The widths at which mail programs wrap a quote again; 0 leaves its lines as they are."""

_BLOCK = "From: Referee <referee@avalon.example>\nSent: Friday, 20 November 2026 13:26\nTo: Hawk\n"
SHAPES = {
    "no heading": "",
    "Outlook": _BLOCK + "Subject: [G12-T7 abcdefghijklmnop] turn\n\n",
    "older Outlook": f"-----Original Message-----\n{_BLOCK}Subject: turn\n\n",
    "an unknown language": "Dywedodd y dyfarnwr fel hyn\n\n",
    "Thunderbird": "On 20/11/2026 13:26, Referee <referee@avalon.example> wrote:\n\n",
    "a phone": "> On 20 Nov 2026, at 13:26, Referee wrote:\n\n",
}
"""What mail programs put above a quote that they do not mark."""

TYPED = ("STATUS", "TARGET", "STANDINGS", "CHALLENGE Merlin WITH Hawk FIRST roll")
COLUMN = re.compile(r"\s{2,}")


class Sent(NamedTuple):
    """One of our letters: its name, its text, its HTML as text, and its HTML."""

    name: str
    text: str
    shown: str
    page: str = ""

    @property
    def forms(self) -> Iterator[str]:
        """Yield how a mail program may quote it: its text, its HTML, or that without the marker."""
        shown = re.sub(r"^[> ]+", "", self.shown, flags=re.M)
        linked = re.sub(r"^(.* %) (\w+)$", r"\1 \2<mailto:r@x.example?body=\2>", shown, flags=re.M)
        yield from (self.text, linked, shown.partition("-##")[2] or shown)


def some_letters(language: str, dice: random.Random) -> list[Sent]:
    """Return the letters that are tried: one in four, or all in the long tests."""
    each = tries(1, 4)
    return letters(language)[dice.randrange(each) :: each]


@cache
def letters(language: str) -> list[Sent]:
    """Return all letters of which a snapshot is kept, in a language."""
    folder = KEPT if language == "en" else KEPT / language
    found = []
    for path in sorted(folder.glob("*.txt")):
        html, text = path.with_suffix(".html"), path.read_text("utf-8")
        if html.is_file():
            page = html.read_text("utf-8")
            found.append(Sent(path.stem, text.split("\n\n", 1)[1], html_text(page), page))
    assert len(found) > 40
    return found


def read(body: str, sent: Sent, language: str) -> NewText:
    """Return what somebody wrote in a letter that may hold words of one of ours."""
    return read_back(body, [sent.text], language, sent.page)


def chosen(cases: Iterable[str], dice: random.Random) -> list[str]:
    """Return the cases that are tried: one of them, or all in the long tests."""
    found = list(cases)
    return found if MANY else [dice.choice(found)]


@pytest.mark.parametrize("language", ["en", "de"])
def test_fault_41_a_letter_of_ours_that_comes_back_orders_nothing(language: str) -> None:
    dice = random.Random(41)
    for sent in some_letters(language, dice):
        for form in chosen(sent.forms, dice):
            for _ in range(tries(20, 1)):
                width, shape = dice.choice(WIDTHS), dice.choice(list(SHAPES))
                quote = SHAPES[shape] + "\n".join(wrapped(form, width))
                typed = dice.choice(TYPED)
                bodies = (f"{typed}\n\n{quote}", f"{quote}\n\n{typed}\n\nAnna", quote)
                for body, done, asked in zip(
                    bodies, ([typed], [], []), ([], [typed], []), strict=True
                ):
                    found = read(body, sent, language)
                    assert orders_in(found, language) == done, (sent.name, shape, width)
                    assert orders(found.unsure, language) == asked, (sent.name, shape, width)


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_part_of_a_letter_of_ours_orders_nothing(language: str) -> None:
    dice = random.Random(28)
    for sent in some_letters(language, dice):
        for form in chosen(sent.forms, dice):
            lines = wrapped(form, dice.choice(WIDTHS))
            for _ in range(tries(20, 3)):
                first = dice.randrange(len(lines))
                part = lines[first : first + dice.randrange(8, 60)]
                if sum(len(line) > 40 for line in part) < 5:
                    continue  # three choices and what explains them may have been copied
                found = read("\n".join(["My words on this.", "", *part]), sent, language)
                assert orders_in(found, language) == [], (sent.name, part)


@pytest.mark.parametrize("language", ["en", "de"])
def test_an_order_between_our_lines_is_asked_about(language: str) -> None:
    dice = random.Random(7)
    for sent in some_letters(language, dice):
        for form in chosen(sent.forms, dice):
            for _ in range(tries(20, 1)):
                lines = wrapped(form, dice.choice(WIDTHS))
                typed = dice.choice(TYPED)
                at = dice.randrange(len(lines) + 1)
                found = read("\n".join([*lines[:at], typed, *lines[at:]]), sent, language)
                told = (*found.text.splitlines(), *found.unsure)
                assert orders(told, language) == [typed], (sent.name, lines[at - 3 : at + 3])


def printed(sent: Sent, language: str) -> Iterator[tuple[str, str]]:
    """Yield the lines of a letter that print an order, each with that order."""
    above = ""
    for line in sent.text.splitlines():
        columns = COLUMN.split(line.strip())
        found = next(
            (column for column in columns if is_order(column, language, tuple(RULESETS))), None
        )
        alone = line.startswith("  ") or not above
        if found is not None and alone and (len(columns) > 1 or line.startswith("  ")):
            yield line, found
        above = line.strip()


@pytest.mark.parametrize("language", ["en", "de"])
def test_an_order_that_is_copied_is_that_order_and_no_other(language: str) -> None:
    dice, count = random.Random(5), 0
    for sent in some_letters(language, dice):
        quote = "\n".join(f"> {one}" for one in sent.text.splitlines())
        for line, order in printed(sent, language):
            count += 1
            bare = " ".join(line.split())
            ways = (line, bare, order, f"- {bare}", f"1. {order}", f"* {bare}", f"{bare}.")
            for copied in chosen(ways, dice):
                bodies = (
                    copied,
                    f"{copied}\n\nThanks, Anna",
                    f"Hello referee,\n\n{copied}\n\n{quote}",
                    f"{copied}\n\n{SHAPES['Outlook']}{sent.text}",
                )
                for body in chosen(bodies, dice):
                    found = orders_in(read(body, sent, language), language)
                    assert len(found) == 1, (sent.name, copied, found)
                    assert order.casefold() in found[0].casefold(), (sent.name, copied, found)
    assert count > tries(60, 15)


def test_printed_standing_orders_that_are_copied_are_taken_as_a_whole() -> None:
    sheet = ["STANDING", "IF FIRED ON: JINK", "IF LOCKED: FIRE", "ELSE: TARGET", "END"]
    text = "\n".join(["HOW THEY WORK", "", *(f"  {line}" for line in sheet), "", "That was it."])
    sent = Sent("help", text, text)
    assert read("\n".join(sheet), sent, "en").text.split("\n") == sheet


def test_a_printed_order_is_the_players_however_it_is_wrapped_or_changed() -> None:
    order = "ENLIST Hawk FOR cartel WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Angela 313B"
    sent = Sent("help", f"Like this:\n\n  {order}\n\nThat was it.", "")
    halves = order.replace(" SENSORS", "\nSENSORS")
    for copied in (halves, halves.replace("313B", "313A")):
        assert read(copied, sent, "en") == NewText(copied)


def test_an_order_without_its_gloss_is_what_a_copied_line_orders() -> None:
    text = (
        "WHAT YOU MAY ORDER NOW\n\nREADY        go on with the orders on file\nSURRENDER    give up"
    )
    sent = Sent("turn", text, text)
    assert read("READY        go on with the orders on file", sent, "en").text == "READY"
    assert read("READY go on with the orders on file", sent, "en").text == "READY"
    assert read("SURRENDER    give up? Never!", sent, "en").text == "SURRENDER    give up? Never!"


def test_a_whole_list_of_choices_that_is_copied_is_a_quote() -> None:
    words = ("TARGET", "JINK", "CLOSE", "OPEN", "SCAN")
    choices = [f"{word:<12} 33 %   so that it is done" for word in words]
    text = "\n".join(["WHAT YOU MAY ORDER NOW", "", *choices])
    sent = Sent("turn", text, text)
    assert read("\n".join(choices), sent, "en") == NewText("")
    assert orders_in(read("\n".join(choices[:2]), sent, "en"), "en") == choices[:2]
