"""The rule of which orders are sure (decision 0037) is what a second writing of it says."""

import re
from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.routing.order_paragraphs import ORDERS, Kind, sure_orders
from tests.support.trial_counts import tries

SIGNS: dict[Kind, str] = {
    "order": "o",
    "rule": "r",
    "rest": "s",
    "near": "n",
    "plain": "p",
    "text": "t",
    "words": "w",
    "": " ",
}
"""A sign for each kind of line, so that a letter can be written as one text."""
LEADING = "W"
"""The sign of words that lead to the orders below them."""
MARKS = ("", "- ", "* ", "+ ", "-", "*")


class Line(NamedTuple):
    """A line of a letter: its kind, its text, and how an order is marked or numbered."""

    kind: Kind
    text: str
    mark: str = ""
    number: int | None = None

    @property
    def sign(self) -> str:
        leads = self.kind == "words" and self.text[-1:] in (":", ",", "-")
        return LEADING if leads else SIGNS[self.kind]


def an_order(kind: Kind, mark: str, number: int | None) -> Line:
    """Return an order with what stands before it."""
    return Line(kind, f"{mark}{'' if number is None else f'{number}. '}SCAN", mark.strip(), number)


LINES = st.one_of(
    st.builds(
        an_order,
        st.just("order"),
        st.just("") | st.sampled_from(MARKS),
        st.none() | st.integers(0, 4),
    ),
    st.builds(
        an_order,
        st.sampled_from(["order", "rule", "rest", "near"]),
        st.just(""),
        st.none() | st.integers(0, 4),
    ),
    st.builds(
        Line,
        st.just("words"),
        st.sampled_from(["Well.", "Never:", "If so,", "Hm ", "1. No", "Not this or that,", "Oh -"]),
    ),
    st.builds(Line, st.sampled_from(["plain", "text"]), st.sampled_from(["Ann", "Hi,", "I say:"])),
    st.just(Line("", "")),
)
LETTERS = st.lists(LINES, max_size=12)


def paragraphs(letter: list[Line]) -> list[list[int]]:
    """Return the lines of each paragraph, by their places in the letter's signs."""
    signs, found = "".join(line.sign for line in letter), list[list[int]]()
    start = len(signs) - len(signs.lstrip(" "))
    if signs[start : start + 1] == LEADING and re.fullmatch(r"(\S+ ){0,2}\S+,", letter[start].text):
        # A salutation leads to nothing.
        signs = signs.replace(LEADING, "w", 1)
    start = 0
    for blank in re.finditer(" +", signs):
        above, below = signs[: blank.start()], signs[blank.end() :]
        led = re.search(rf"{LEADING}[orsn ]*$", above) and not below.startswith("p")
        numbers = [one.number for one in letter[start : blank.start()] if one.number is not None]
        last = numbers[-1] + 1 if numbers else None
        counts = last is not None and letter[blank.end() : blank.end() + 1][:1]
        goes_on = bool(counts) and counts[0].number == last
        if not (led or goes_on or (above.endswith("r") and below.startswith("r"))):
            found.append([n for n in range(start, blank.start()) if signs[n] != " "])
            start = blank.end()
    return [*found, [n for n in range(start, len(signs)) if signs[n] != " "]]


def are_a_list(listed: list[Line]) -> bool:
    """Return whether orders are marked alike, and numbered from 1 (or 0) on, if at all.

    What is no clear order counts in the numbers, where it has one.
    """
    orders = [one for one in listed if one.kind == "order"]
    numbers = [one.number for one in listed if one.number is not None]
    if len({one.mark for one in orders}) > 1:
        return False
    if any(one.number is None for one in orders) and numbers:
        return False
    counted = [*range(1, len(numbers) + 1)], [*range(len(numbers))]
    return numbers == counted[0] or (numbers == counted[1] and len(numbers) > 1)


def as_decided(letter: list[Line]) -> set[int]:
    """Return which lines are sure, as decision 0037 says it."""
    if re.search("[orsn].*w.*[orsn]", "".join(line.sign for line in letter), re.IGNORECASE):
        return set()
    sure = set[int]()
    for paragraph in paragraphs(letter):
        lines = [letter[n] for n in paragraph]
        if not any(one.kind == "words" for one in lines) and are_a_list(
            [one for one in lines if one.kind in ("order", "rule", "near")]
        ):
            sure.update(n for n in paragraph if letter[n].kind in ("order", "rule", "rest"))
    return sure


def found_sure(letter: list[Line]) -> set[int]:
    """Return which lines the referee takes for sure orders."""
    return sure_orders([line.text for line in letter], [line.kind for line in letter])


@settings(max_examples=tries(20_000, 1_500), derandomize=True)
@given(letter=LETTERS)
def test_law_the_rule_is_what_was_decided(letter: list[Line]) -> None:
    assert found_sure(letter) == as_decided(letter)


@settings(max_examples=tries(10_000, 600), derandomize=True)
@given(letter=LETTERS)
def test_law_no_order_beside_words_is_sure(letter: list[Line]) -> None:
    sure = found_sure(letter)
    assert all(letter[n].kind in ("order", "rule", "rest") for n in sure)
    for n in sure:
        around = [n]
        while around[0] and letter[around[0] - 1].kind:
            around.insert(0, around[0] - 1)
        while around[-1] + 1 < len(letter) and letter[around[-1] + 1].kind:
            around.append(around[-1] + 1)
        assert all(letter[at].kind != "words" for at in around)
    if sure:
        orders = [n for n, line in enumerate(letter) if line.kind in ORDERS]
        assert all(line.kind != "words" for line in letter[orders[0] : orders[-1]])


@settings(max_examples=tries(5_000, 400), derandomize=True)
@given(letter=LETTERS, words=st.sampled_from(["Not these!", "Mañana no.", "でも"]), data=st.data())
def test_law_more_words_right_beside_an_order_make_nothing_sure(
    letter: list[Line], words: str, data: st.DataObject
) -> None:
    orders = [n for n, line in enumerate(letter) if line.kind in ORDERS]
    if not orders:
        return
    at = data.draw(st.sampled_from(orders)) + data.draw(st.sampled_from([0, 1]))
    more = [*letter[:at], Line("words", words), *letter[at:]]
    assert {n - (n > at) for n in found_sure(more)} <= found_sure(letter)


@settings(max_examples=tries(5_000, 400), derandomize=True)
@given(
    count=st.integers(1, 8),
    mark=st.sampled_from(MARKS),
    numbered=st.booleans(),
    kept=st.lists(st.sampled_from(["", "plain"]), max_size=8),
    told=st.booleans(),
    words=st.lists(st.sampled_from(["Well.", "No idea"]), max_size=3),
)
def test_law_orders_in_paragraphs_of_their_own_are_sure(
    count: int, mark: str, numbered: bool, kept: list[Kind], told: bool, words: list[str]
) -> None:
    orders = [an_order("order", mark, n + 1 if numbered else None) for n in range(count)]
    letter = list[Line]()
    for n, order in enumerate(orders):
        # A blank line would begin another list.
        kind = kept[n] if n < len(kept) and not numbered else "plain"
        letter += [order, *([Line(kind, "Ann" if kind else "")] if n + 1 < count else [])]
    story = [Line("text", "STORY"), Line("", ""), Line("text", "I say:"), Line("", "")]
    letter = [*(story if told else []), *letter]
    assert len(found_sure(letter)) == count
    more = [Line("words", one) for one in words]
    assert len(found_sure([*more, Line("", ""), *letter])) == count
    assert len(found_sure([*letter, Line("", ""), *more])) == count
