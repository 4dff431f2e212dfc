"""Posts as people write them on boards of four kinds, the words that are new, and their orders."""

from dataclasses import dataclass
from textwrap import dedent

from pbem.intake.post_text import Markup

US = ("referee", "4711")
"""What the referee's account is called on the boards, and its number."""


@dataclass(frozen=True)
class PostSample:
    """A post, the lines that are its writer's own, and those of them that are orders, cleaned."""

    name: str
    markup: Markup
    source: str
    words: str
    orders: tuple[str, ...]


SAMPLES: list[PostSample] = []


def _post(markup: Markup, name: str, source: str, words: str, *orders: str) -> None:
    SAMPLES.append(
        PostSample(name, markup, dedent(source).strip("\n"), dedent(words).strip("\n"), orders)
    )


# A newsgroup.
_post(
    "plain",
    "an article with a quote above",
    """
    Kestrel wrote:
    > Will you SCAN?
    > JINK

    SCAN
    """,
    "SCAN",
    "SCAN",
)
_post(
    "plain",
    "answers between quoted lines",
    """
    > What now?
    SCAN
    > And then?
    JINK
    """,
    "SCAN\n\nJINK",
    "SCAN",
    "JINK",
)
_post("plain", "a signature", "SCAN\n-- \nHawk\nJINK", "SCAN", "SCAN")
_post("plain", "a mention in front", "@referee SCAN", "SCAN", "SCAN")
_post("plain", "a mention with a colon", "@Referee: scan", "scan", "SCAN")
_post("plain", "a command to a bot", "!scan", "scan", "SCAN")
_post("plain", "bold as in plain text", "*SCAN*", "*SCAN*", "SCAN")
_post("plain", "a list with a mention", "- @referee: !scan", "- scan", "SCAN")
_post("plain", "a pilot in front", "Hawk: scan", "Hawk: scan", "SCAN")
_post("plain", "Windows line ends", "> JINK\r\n\r\nSCAN\r\n", "SCAN", "SCAN")

# Discourse and NodeBB: Markdown, as CommonMark has it.
_post(
    "markdown",
    "a quote with attributes",
    """
    [quote="Kestrel, post:3, topic:12, username:kes"]
    JINK
    [/quote]

    SCAN
    """,
    "SCAN",
    "SCAN",
)
_post(
    "markdown",
    "a quote in a quote",
    """
    [quote="Kestrel, post:3, topic:12"]
    [quote="Hawk, post:2, topic:12"]
    JINK
    [/quote]
    ECM
    [/quote]
    SCAN
    """,
    "SCAN",
    "SCAN",
)
_post("markdown", "a quote that is not closed", 'SCAN\n[quote="Kestrel"]\nJINK', "SCAN", "SCAN")
_post("markdown", "a quote that was not opened", "JINK\n[/quote]\nSCAN", "SCAN", "SCAN")
_post(
    "markdown",
    "one closing mark too many",
    "[quote]\nJINK\n[/quote]\nECM\n[/quote]\n\nSCAN",
    "SCAN",
    "SCAN",
)
_post("markdown", "a quote in one line", "[quote]JINK[/quote]\nSCAN", "SCAN", "SCAN")
_post("markdown", "words right behind a quote", "[quote]JINK[/quote] SCAN", "SCAN", "SCAN")
_post("markdown", "words before a quote", "SCAN [quote]JINK[/quote]", "[…] SCAN […]")
_post(
    "markdown",
    "a bracket in a name",
    '[quote="Kes [TRL], post:3"]\nJINK\n[/quote]\nSCAN',
    "SCAN",
    "SCAN",
)
_post("markdown", "capitals", "[QUOTE]\nJINK\n[/QUOTE]\nSCAN", "SCAN", "SCAN")
_post(
    "markdown",
    "a quote between orders",
    "SCAN\n[quote]\nJINK\n[/quote]\nECM",
    "SCAN\n\nECM",
    "SCAN",
    "ECM",
)
_post("markdown", "quoted lines", "> JINK\n\nSCAN", "SCAN", "SCAN")
_post("markdown", "a line that a board adds to the quote above", "> What now?\nSCAN", "")
_post("markdown", "quoted lines in quoted lines", "> > JINK\n>\n> ECM\n\nSCAN", "SCAN", "SCAN")
_post("markdown", "a quoted list, and lines that go on", "> - JINK\nECM\n\nSCAN", "SCAN", "SCAN")
_post("markdown", "a quote in a list", "- SCAN\n- > JINK\n- ECM", "- SCAN\n\n- ECM", "SCAN", "ECM")
_post(
    "markdown",
    "quoted lines that end in a quote of the board",
    "[quote]\n> JINK\n[/quote]\nSCAN",
    "SCAN",
    "SCAN",
)
_post(
    "markdown",
    "who said what is quoted",
    """
    @Kestrel said in [Battle 12](/post/77):
    > JINK
    > ECM

    SCAN
    """,
    "SCAN",
    "SCAN",
)
_post(
    "markdown",
    "who said what the board quotes",
    "SCAN\n\nKestrel wrote:\n[quote]\nJINK\n[/quote]\nECM",
    "SCAN\n\nECM",
    "SCAN",
    "ECM",
)
_post(
    "markdown",
    "a quote in HTML",
    "<blockquote>\nJINK\n\nECM\n</blockquote>\n\nSCAN",
    "SCAN",
    "SCAN",
)
_post(
    "markdown",
    "a quote as the board makes it",
    '<aside class="quote" data-post="3">\n<blockquote>JINK</blockquote>\n</aside>\nSCAN',
    "SCAN",
    "SCAN",
)
_post("markdown", "code between fences", "```\nJINK\n```\nSCAN", "SCAN", "SCAN")
_post("markdown", "a fence that is not closed", "SCAN\n~~~text\nJINK\n\nECM", "SCAN", "SCAN")
_post("markdown", "a longer fence", "````\nJINK\n```\nECM\n````\nSCAN", "SCAN", "SCAN")
_post("markdown", "code far from the margin", "Look:\n\n    JINK\n\nSCAN", "SCAN", "SCAN")
_post(
    "markdown",
    "code in a line",
    "Should I `JINK` here?\n\nSCAN",
    "[…] Should I […] here?\n\nSCAN",
    "SCAN",
)
_post("markdown", "code that is a line", "`JINK`\nSCAN", "SCAN", "SCAN")
_post(
    "markdown",
    "a mark in code",
    "What does `[quote]` do?\n\nSCAN",
    "[…] What does […] do?\n\nSCAN",
    "SCAN",
)
_post("markdown", "code in brackets", "[code]\nJINK\n[/code]\n\nSCAN", "SCAN", "SCAN")
_post("markdown", "a spoiler", "[spoiler]\nJINK\n[/spoiler]\n\nSCAN", "SCAN", "SCAN")
_post("markdown", "a spoiler in a line", "SCAN [spoiler]JINK[/spoiler]", "[…] SCAN […]")
_post(
    "markdown",
    "details",
    '[details="My plan"]\nJINK\n\nECM\n[/details]\nSCAN',
    "SCAN",
    "SCAN",
)
_post(
    "markdown",
    "details in HTML",
    "<details open>\n<summary>My plan</summary>\n\nJINK\n\n</details>\n\nSCAN",
    "SCAN",
    "SCAN",
)
_post("markdown", "what is struck", "~~JINK~~\nSCAN", "SCAN", "SCAN")
_post(
    "markdown",
    "what is struck in other ways",
    "[s]JINK[/s]\n<s>ECM</s>\n<del>JINK</del>\nSCAN",
    "SCAN",
    "SCAN",
)
_post("markdown", "a half of an order is struck", "~~JI~~NK", "[…]NK")
_post("markdown", "struck behind an order", "SCAN ~~JINK~~", "[…] SCAN […]")
_post("markdown", "struck from line to line", "SCAN\n~~JINK\nECM~~", "SCAN", "SCAN")
_post(
    "markdown", "an item is struck", "- SCAN\n- ~~JINK~~\n- ECM", "- SCAN\n\n- ECM", "SCAN", "ECM"
)
_post(
    "markdown",
    "words on an edit",
    "SCAN\n\n[Edit: I had JINK here first.]",
    "SCAN\n\n[Edit: I had JINK here first.]",
    "SCAN",
)
_post(
    "markdown",
    "an edit that strikes",
    "~~JINK~~\n\nEdit: sorry\n\nSCAN",
    "Edit: sorry\n\nSCAN",
    "SCAN",
)
_post("markdown", "a signature below dashes", "SCAN\n\n-- \nHawk\nJINK", "SCAN", "SCAN")
_post("markdown", "dashes without their space", "SCAN\n--\nHawk", "SCAN", "SCAN")
_post("markdown", "a comment", "<!-- JINK\n\nECM -->\nSCAN", "SCAN", "SCAN")
_post("markdown", "bold", "**SCAN**", "SCAN", "SCAN")
_post("markdown", "emphasis", "*scan*", "scan", "SCAN")
_post("markdown", "bold by lines", "__SCAN__", "SCAN", "SCAN")
_post("markdown", "HTML and BBCode for bold", "<b>SCAN</b>\n[b]ECM[/b]", "SCAN\nECM", "SCAN", "ECM")
_post("markdown", "a mention", "@referee SCAN", "SCAN", "SCAN")
_post("markdown", "a mention in bold", "**@referee**: scan", "scan", "SCAN")
_post("markdown", "a mention behind", "SCAN, @referee!", "SCAN", "SCAN")
_post("markdown", "a mention of another", "@Kestrel SCAN", "@Kestrel SCAN")
_post("markdown", "a name that begins like ours", "@referee2 SCAN", "@referee2 SCAN")
_post("markdown", "a command with a slash", "/scan", "scan", "SCAN")
_post("markdown", "a list", "- SCAN\n- ECM", "- SCAN\n- ECM", "SCAN", "ECM")
_post("markdown", "numbers", "1. SCAN\n1. ECM", "1. SCAN\n2. ECM", "SCAN", "ECM")
_post("markdown", "a heading", "## SCAN", "SCAN", "SCAN")
_post("markdown", "escapes", r"\*SCAN\*", "*SCAN*", "SCAN")
_post("markdown", "an escaped quote", "\\> JINK\n\nSCAN", "> JINK\n\nSCAN", "SCAN")
_post("markdown", "entities", "SCAN&nbsp;&#46;", "SCAN .", "SCAN")
_post("markdown", "a line end as an entity", "I will not&#10;JINK", "I will not JINK")
_post("markdown", "characters without width", "SC\u200bAN\ufeff", "SCAN", "SCAN")
_post("markdown", "a link", "[SCAN](https://example.org 'x')", "SCAN", "SCAN")
_post("markdown", "a link that defines another", "[Kes]: JINK\n\nSCAN", "SCAN", "SCAN")
_post("markdown", "a picture", "SCAN ![JINK](x.png)", "SCAN 🖼", "SCAN")
_post("markdown", "emoji", "SCAN :rocket:", "SCAN 🖼", "SCAN")
_post("markdown", "a cross as emoji", ":x: JINK\n\nSCAN", "❌ JINK\n\nSCAN", "SCAN")
_post("markdown", "a table", "| SCAN |\n|---|\n| JINK |", "| SCAN |\n|---|\n| JINK |")
_post("markdown", "lines by HTML", "SCAN<br>ECM", "SCAN\nECM", "SCAN", "ECM")
_post(
    "markdown",
    "hidden by its style",
    '<div style="display:none">\n\nJINK\n\n</div>\n\nSCAN',
    "SCAN",
    "SCAN",
)
_post(
    "markdown",
    "Windows line ends in Markdown",
    "> JINK\r\n\r\nSCAN\r\nECM",
    "SCAN\nECM",
    "SCAN",
    "ECM",
)
_post("markdown", "lines of HTML", "<p>SCAN</p>\n<p>ECM</p>", "SCAN\n\nECM", "SCAN", "ECM")
_post("markdown", "far behind a quote", "[quote]JINK[/quote]      SCAN", "SCAN", "SCAN")
_post(
    "markdown",
    "a mark that opens nothing",
    "It was ~~5 turns ago.\n~~JINK~~\n\nSCAN",
    "[…] It was […]\n\nSCAN",
    "SCAN",
)
_post("markdown", "a line drawn below", "SCAN\n\n---\n\nECM", "SCAN\n\n---\n\nECM", "SCAN", "ECM")
_post("markdown", "a character of no script", "SC\ue000AN", "SC\ufffdAN")

# Discord.
_post("chat", "a quoted line", "> What now? JINK?\nSCAN", "SCAN", "SCAN")
_post("chat", "who said what a line quotes", "Kestrel said:\n> JINK\nSCAN", "SCAN", "SCAN")
_post("chat", "what a report said", "It said:\n```\nJINK\n```\nSCAN", "SCAN", "SCAN")
_post("chat", "all below is quoted", "SCAN\n>>> JINK\nECM", "SCAN", "SCAN")
_post("chat", "a spoiler of bars", "||JINK||\nSCAN", "SCAN", "SCAN")
_post("chat", "a spoiler of bars over paragraphs", "||JINK\n\nECM||\nSCAN", "SCAN", "SCAN")
_post("chat", "half in a spoiler", "SC||AN||", "[…] SC[…]")
_post("chat", "struck with blanks", "~~ JINK ~~\nSCAN", "SCAN", "SCAN")
_post("chat", "code that ends in a line", "```\nJINK```\nSCAN", "SCAN", "SCAN")
_post(
    "chat",
    "code that begins in a line",
    "So: ```JINK\nECM``` Hm.\n\nSCAN",
    "[…] So: […]\n[…] Hm.\n\nSCAN",
    "SCAN",
)
_post("chat", "a mention by number", "<@4711> SCAN", "SCAN", "SCAN")
_post("chat", "a mention by number, as it was", "<@!4711>: !scan", "scan", "SCAN")
_post("chat", "a mention of another by number", "<@99> SCAN", "@99 SCAN")
_post("chat", "an emoji of the board", "SCAN <:o7:123>", "SCAN 🖼", "SCAN")
_post("chat", "an emoji of the board within a word", "SC<a:o7:123>AN", "SC🖼AN")
_post("chat", "underlined and bold", "__**SCAN**__", "SCAN", "SCAN")
_post("chat", "HTML is only text", "<b>SCAN</b>\n&gt; x", "<b>SCAN</b>\n&gt; x")
_post("chat", "far from the margin", "Right.\n\n    SCAN", "Right.\n\nSCAN", "SCAN")

# Boards with BBCode.
_post("bbcode", "a quote", "[quote=Kestrel]JINK[/quote]\nSCAN", "SCAN", "SCAN")
_post(
    "bbcode",
    "a quote with more attributes",
    "[quote author=Kes link=topic=1]\nJINK\n[/quote]\nSCAN",
    "SCAN",
    "SCAN",
)
_post("bbcode", "looks", "[b][color=red]SCAN[/color][/b]", "SCAN", "SCAN")
_post(
    "bbcode",
    "a list in brackets",
    "[list]\n[*]SCAN\n[*]ECM\n[/list]",
    "- SCAN\n- ECM",
    "SCAN",
    "ECM",
)
_post("bbcode", "a link in brackets", "[url=https://example.org]SCAN[/url]", "SCAN", "SCAN")
_post(
    "bbcode", "a picture in brackets", "SCAN [img]https://example.org/x.png[/img]", "SCAN 🖼", "SCAN"
)
_post("bbcode", "hidden words", "[hide]JINK[/hide]\nSCAN", "SCAN", "SCAN")
