"""Which words of a post are new: never those in a mark, always those outside of all."""

import sys
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import registry
from engine.orders.line_shapes import clean
from engine.orders.reading import LineReader
from engine.ruleset import Near
from pbem.handlers.order_table import ORDERS
from pbem.intake.board_quote_marks import BLOCK, GAP
from pbem.intake.post_text import LEFT_OUT, LONGEST, Markup, new_words, orders_unmarked
from pbem.routing import find_league_order
from pbem.routing.line_tests import is_order
from pbem.routing.order_paragraphs import left_out
from tests.support.post_samples import SAMPLES, US, PostSample

READER: LineReader[Any, Any] = LineReader(registry.RULESETS["starpilot"], None, None, "en")
SYSTEMS = tuple(registry.RULESETS)
MARKED: list[Markup] = ["markdown", "chat", "bbcode"]
INLINE = ["`{}`", "~~{}~~", "||{}||", "[s]{}[/s]", "<del>{}</del>", "[spoiler]{}[/spoiler]"]
BLOCKS = [
    "[quote]\n{}\n[/quote]",
    '[quote="Kes, post:1, topic:2"]{}[/quote]',
    "<blockquote>\n\n{}\n\n</blockquote>",
    "> {}",
    "```\n{}\n```",
    "<!-- {} -->",
    "[details=Plan]\n{}\n[/details]",
    "<details><summary>Plan</summary>\n\n{}\n</details>",
    "[spoiler]\n\n{}\n\n[/spoiler]",
    '<div class="hidden">\n\n{}\n\n</div>',
    "[code]\n{}\n[/code]",
]
OWN = [
    "SCAN",
    "**SCAN**",
    "*scan*",
    "__SCAN__",
    "@referee SCAN",
    "@referee: scan",
    "!scan",
    "/scan",
]
OWN += ["## SCAN", "[SCAN](https://example.org)", "[b]SCAN[/b]", "SC\u200bAN", "1. SCAN", "SCAN."]
FRAGMENTS = [*"`~|*_<>[]()\\!-:@ \n&", "word", "[quote]", "[/quote]", "<b", "<p class=x>", "</p>"]
FRAGMENTS += ["~~", "||", "```", "<!--", "-->", "[s]", "[/s]", "<details>", "[/details]", "    "]
FRAGMENTS += [
    "- ",
    "1. ",
    "\n\n",
    "> ",
    "--\n",
    "[x]: ",
    "](",
    "![",
    "<a href='",
    "[img]",
    GAP,
    BLOCK,
]
JUNK = st.lists(st.sampled_from(FRAGMENTS), max_size=12).map("".join)


def orders_in(words: str) -> list[str]:
    """Return the lines that StarPilot's reader takes for orders and that nobody crossed out."""
    lines = [line.removeprefix("Hawk: ") for line in words.split("\n")]
    found = [READER.order(line) for line in lines]
    crossed = left_out(lines, ["order" for _ in lines])
    return [
        clean(line).upper()
        for n, (line, order) in enumerate(zip(lines, found, strict=True))
        if n not in crossed and order is not None and not isinstance(order, Near)
    ]


def marked(words: str, marks: list[str]) -> str:
    """Return words with marks around them, the innermost first."""
    for mark in marks:
        # Where a mark has lines of its own, those of a quote are all marked.
        filled = words.replace("\n", "\n> ") if mark == "> {}" else words
        words = mark.format(filled)
    return words


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: f"{sample.markup}: {sample.name}")
def test_a_post_holds_these_words_and_orders(sample: PostSample) -> None:
    words = new_words(sample.source, sample.markup, US)
    assert words == sample.words
    assert orders_in(words) == list(sample.orders)


@st.composite
def _marks(draw: st.DrawFn) -> list[str]:
    inner = draw(st.lists(st.sampled_from(INLINE), unique=True, max_size=3))
    # Two that are closed by the same sign can't stand in one another.
    outer = draw(st.lists(st.sampled_from(BLOCKS), unique=True, min_size=not inner, max_size=3))
    return [*inner, *outer]


@pytest.mark.parametrize("markup", MARKED)
@given(st.lists(st.one_of(st.sampled_from(OWN), _marks()), max_size=6))
def test_an_order_in_a_mark_never_comes_out_and_one_outside_always_does(
    markup: Markup, parts: list[str | list[str]]
) -> None:
    posts = [part if isinstance(part, str) else marked("JINK", part) for part in parts]
    words = new_words("\n\n".join(posts), markup, US)
    assert "JINK" not in words
    own = [part for part in parts if isinstance(part, str)]
    assert orders_in(words) == ["SCAN" for _ in own]


@pytest.mark.parametrize("markup", MARKED)
@pytest.mark.parametrize(
    "mark",
    [
        "[quote]\n{}\n[/quote]",
        "[quote=Kes]{}[/quote]",
        "[spoiler]\n{}\n[/spoiler]",
        "> {}",
        "<blockquote>\n\n{}\n\n</blockquote>",
        "<details>\n\n{}\n\n</details>",
    ],
)
@given(above=JUNK, below=JUNK)
def test_nothing_around_a_quote_brings_its_orders_out(
    markup: Markup, mark: str, above: str, below: str
) -> None:
    words = new_words(f"{above}\n{mark.format('JINK')}\n{below}", markup, US)
    assert "JINK" not in orders_in(words)


@pytest.mark.parametrize("markup", MARKED)
@pytest.mark.parametrize("mark", INLINE)
def test_half_an_order_in_a_mark_is_none(markup: Markup, mark: str) -> None:
    for half in (f"JI{mark.format('x')}NK", f"{mark.format('x')}JINK", f"JINK {mark.format('x')}"):
        assert orders_in(new_words(half, markup, US)) == []


def test_what_is_left_of_a_line_is_no_order_in_any_system() -> None:
    battle = ["SCAN", "FIRE", "TARGET Kestrel", "STANDING", "SALT abc", "YES", "GAME 12", "END"]
    battle += ["IF NEAR: JINK", "ELSE JINK", "SURRENDER", "FOR Hawk"]
    for order in (*battle, *(one.example for one in ORDERS)):
        for line in (f"{LEFT_OUT} {order}", f"{LEFT_OUT}{order}", f"{LEFT_OUT} {order} {LEFT_OUT}"):
            assert not is_order(line, "en", SYSTEMS), line
            assert find_league_order.find(line, "en") is None, line


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("@referee SCAN", "SCAN"),
        ("@REFEREE: scan", "scan"),
        ("@4711, !scan", "scan"),
        ("  - @referee: /scan", "  - scan"),
        ("SCAN @referee", "SCAN"),
        ("SCAN, @referee.", "SCAN"),
        ("@referee @referee SCAN", "SCAN"),
        ("@referee", ""),
        ("@Kestrel SCAN", "@Kestrel SCAN"),
        ("@referee-bot SCAN", "@referee-bot SCAN"),
        ("@referee.bot SCAN", "@referee.bot SCAN"),
        ("I asked @referee about it", "I asked @referee about it"),
        ("!!scan", "!!scan"),
        ("/etc/passwd", "/etc/passwd"),
        ("/ scan", "/ scan"),
        ("", ""),
    ],
)
def test_a_line_without_what_boards_put_around_an_order(line: str, order: str) -> None:
    assert orders_unmarked(line, US) == order


def test_nobody_is_meant_where_the_account_has_no_name() -> None:
    assert orders_unmarked("@referee !scan") == "@referee !scan"


UNITS = [
    "> ",
    ">",
    "> a\n",
    "[quote]",
    "[quote]\n",
    "[/quote]",
    "[quote=",
    "[s]a[/s] ",
    "~~a",
    "~~a~~ ",
]
UNITS += [
    "||",
    "`",
    "a` ``",
    "```\n",
    "```` a\n",
    "~~~\n",
    "<",
    "<b ",
    "<p class ",
    "<b>",
    "<!--",
    "[",
    "]",
]
UNITS += [
    "![](",
    "[a](b",
    "![[]()",
    "[a]: b\n",
    "*a ",
    "**a *",
    "_a*",
    "- ",
    "- a\n",
    "1. a\n",
    "\\*",
]
UNITS += [
    "&amp;",
    ":a",
    "<:a:1>",
    "[img",
    "[url=",
    "@referee ",
    " ",
    "\n",
    "--\n\n",
    "a\n",
    GAP,
    BLOCK,
]


@pytest.mark.parametrize("markup", MARKED)
@pytest.mark.parametrize("unit", UNITS)
def test_twice_as_much_is_twice_the_work(markup: Markup, unit: str) -> None:
    once, twice = (work(unit * (size // len(unit)), markup) for size in (4_000, 8_000))
    assert twice < 2.2 * once + 200


def work(text: str, markup: Markup) -> int:
    """Return how many functions are called to read a post."""
    new_words("", markup)
    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        new_words(text, markup, US)
    finally:
        sys.setprofile(before)
    return calls


@pytest.mark.parametrize("markup", MARKED)
def test_of_a_very_long_post_only_the_beginning_is_read(markup: Markup) -> None:
    assert new_words(f"SCAN\n\n{'x ' * LONGEST}\n\nJINK", markup) == "SCAN"
    for unit in (">", "[quote]", "[quote]\n", "~~", "`"):
        assert work(unit * 1_000_000, markup) <= work(unit * (LONGEST + 10), markup) + 10


@pytest.mark.parametrize("markup", MARKED)
def test_ten_thousand_quotes_in_one_another(markup: Markup) -> None:
    deep = 10_000
    opened, closed = "[quote]" * deep, "[/quote]" * deep
    assert new_words(f"{opened}JINK{closed}\n\nSCAN"[:LONGEST], markup) == ""
    opened, closed = "[quote]\n" * 3_000, "[/quote]\n" * 3_000
    assert new_words(f"{opened}JINK\n{closed}\nSCAN", markup) == "SCAN"
    assert new_words(f"{'>' * deep} JINK\n\nSCAN", markup) == (
        "SCAN" if markup == "markdown" else ""
    )
