"""The words that are new in a post on a board, so that orders can be read from them as in a letter.

What a board would show as quoted, code, hidden or struck is no new word (decision 0040).
"""

import re
from collections.abc import Collection, Iterable
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Literal

from pbem.intake.board_quote_marks import BLOCK, GAP, without_marked
from pbem.intake.charsets import LINE_ENDS, clean
from pbem.intake.quotes import BLANKS, own_text

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

Markup = Literal["plain", "bbcode", "markdown", "chat"]
"""How posts are written; `chat` is Markdown of which a `>` quotes no more than its line. What
leaves words out does so in all of them, but for `plain`, where only `>` and a signature do."""

LONGEST = 100_000
"""The most characters that are read of a post; boards take a third of it."""
LEFT_OUT = "[…]"
"""Stands for what is left out of a line, and before that line, so that no order is read from it."""
PICTURE = "🖼"
_SIGNS = {
    "white_check_mark": "✅",
    "heavy_check_mark": "✔",
    "ballot_box_with_check": "☑",
    "white_large_square": "⬜",
    "x": "❌",
    "heavy_multiplication_x": "✖",
    "negative_squared_cross_mark": "❎",
    "no_entry": "⛔",
    "no_entry_sign": "🚫",
}
"""The emoji that tick an order, cross it out or leave it empty, as `routing/paragraphs.py` has
them; any other is a picture."""

_RETURNS = re.compile(r"\r\n?")
_SHOWN = re.compile(
    r"(?<!\\)\[/?(?:b|i|u|big|small|size|font|colou?r|center|left|right|url|email|list|ul|ol)"
    r"(?:=[^\[\]\n]*)?\](?!\()",
    re.I,
)
"""BBCode that changes no more than how words look."""
_ITEM = re.compile(r"^[ \t]*\[\*\][ \t]*", re.M)
_IMAGE = re.compile(r"\[img[^\[\]\n]*\][^\[\]\n]*\[/img\]", re.I)
_MENTION = re.compile(r"<@!?(\d+)>")
_EMOJI = re.compile(r"<a?:(\w+):\d+>|(?<![\w:]):([a-z0-9_+-]+):(?![\w:])")
_TAG = re.compile(r"</?([a-z0-9]+)", re.I)
_WITHIN_WORDS = frozenset(
    "a abbr b bdi bdo big cite em font i ins kbd mark q small span strong sub sup tt u var".split()
)
_BLOCKS = ("blockquote_open", "fence", "code_block")
_LEADS = (":", "：")
_BULLET = re.compile(r"[\s*_•+-]*(?:\d{1,3}[.)]\s)?[\s*_]*")
_COMMAND = re.compile(r"^[!/](?=[^\W\d_]+(?:[\s.:,]|$))")
"""What begins a command to a bot: one sign right before a word."""


def new_words(text: str, markup: Markup, us: Collection[str] = ()) -> str:
    """Return the lines of a post that are its writer's own, without marks.

    What is left out leaves a blank line, or LEFT_OUT in a line that holds other words, which is no
    order then. `us` are the names and ids of the referee's account.
    """
    text = _RETURNS.sub("\n", text)
    if len(text) > LONGEST:
        text = text[:LONGEST].rpartition("\n")[0]
    if markup == "plain":
        lines = [orders_unmarked(line, us) for line in own_text(clean(text)).split("\n")]
    else:
        by_lines = markup != "markdown"
        source = _as_markdown(without_marked(text, by_lines))
        lines = [
            mark + said if (said := _told(words, us)) else ""
            for mark, words in _lines(_reader(by_lines).parse(source))
        ]
    return BLANKS.sub("\n\n", "\n".join(lines)).strip("\n")


def orders_unmarked(line: str, us: Collection[str] = ()) -> str:
    """Return a line without a mention of the referee at either end, and without a bot's `!` or `/`.

    So `@referee: !scan` becomes `scan`. A mention of anybody else stays.
    """
    bullet = _BULLET.match(line)
    before = bullet[0] if bullet else ""
    words = line[len(before) :]
    if us and "@" in words:
        first, last = _mentions(frozenset(us))
        words = first.sub("", words)
        if found := last.search(words):
            words = words[: found.start()].rstrip(" \t,")
    return before + _COMMAND.sub("", words)


@lru_cache(maxsize=64)
def _mentions(us: frozenset[str]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return patterns of mentions of some names before other words, and behind them."""
    names = "|".join(map(re.escape, sorted(us, key=len, reverse=True)))
    name = rf"@(?:{names})(?![\w-]|\.\w)"
    return re.compile(rf"^(?:{name}[*_]*[\s:,]*)+", re.I), re.compile(rf"{name}\W*$", re.I)


@cache
def _reader(by_lines: bool) -> "MarkdownIt":
    # Loaded when it is needed: most leagues read no board.
    from markdown_it import MarkdownIt

    made = MarkdownIt("commonmark").disable("html_block")
    if by_lines:
        made.disable(["blockquote", "code", "fence", "reference", "html_inline", "entity"])
    return made


def _as_markdown(source: str) -> str:
    """Return a source with mentions, emoji and BBCode as CommonMark has them, or without."""
    source = _ITEM.sub("- ", _SHOWN.sub("", _IMAGE.sub(PICTURE, source)))
    source = _EMOJI.sub(lambda emoji: _SIGNS.get(emoji[1] or emoji[2], PICTURE), source)
    return _MENTION.sub(r"@\1", source)


def _lines(tokens: Iterable["Token"]) -> list[tuple[str, str]]:
    """Return the lines that are not quoted: the mark of a list's item, and the words behind it."""
    lines = list[tuple[str, str]]()
    quotes, end, mark = 0, 0, ""
    numbers = list[int | None]()
    for token in tokens:
        is_block = token.type in _BLOCKS or token.content == BLOCK
        # A line such as `@Hawk said in Duel 3:` belongs to what is left out below it.
        if is_block and not quotes and lines and lines[-1][1].rstrip().endswith(_LEADS):
            lines[-1] = ("", "")
        match token.type:
            case "blockquote_open":
                quotes += 1
            case "blockquote_close":
                quotes -= 1
            case "bullet_list_open":
                numbers.append(None)
            case "ordered_list_open":
                numbers.append(int(token.attrs.get("start", 1)))
            case "bullet_list_close" | "ordered_list_close":
                numbers.pop()
            case "list_item_open":
                mark, number = f"{token.markup} ", numbers[-1]
                if number is not None:
                    mark, numbers[-1] = f"{number}{mark}", number + 1
            case "list_item_close":
                mark = ""
            case "inline" | "hr" if token.map and not (quotes or is_block):
                if token.map[0] > end:
                    lines.append(("", ""))
                first, *others = _shown(token).split("\n")
                lines += [(mark, first), *(("", other) for other in others)]
                mark, end = "", token.map[1]
    return lines


def _shown(token: "Token") -> str:
    """Return the words of a paragraph, a heading or a rule as a board shows them."""
    return "".join(map(_shown_inline, token.children or ())) if token.type == "inline" else "---"


def _shown_inline(token: "Token") -> str:
    match token.type:
        case "text":
            # Written as `&#10;`, it ends no line.
            return LINE_ENDS.sub(" ", token.content.replace("\n", " "))
        case "softbreak" | "hardbreak":
            return "\n"
        case "code_inline":
            return GAP
        case "image":
            return PICTURE
        case "html_inline":
            tag = _TAG.match(token.content)
            name = tag[1].lower() if tag else ""
            return PICTURE if name == "img" else "" if name in _WITHIN_WORDS else "\n"
    return ""


def _told(words: str, us: Collection[str]) -> str:
    """Return a line as it is read; one of which something was left out must not be an order."""
    if GAP in words:
        if not any(map(str.isalnum, words)):
            return ""
        words = f"{LEFT_OUT} {words.replace(GAP, LEFT_OUT)}".replace(
            f"{LEFT_OUT} {LEFT_OUT}", LEFT_OUT
        )
    return orders_unmarked(clean(words).strip(), us)
