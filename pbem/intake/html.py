"""HTML letters to text: what a person sees, with quotes marked by ``>`` as in plain letters."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from pbem.intake.charsets import clean
from pbem.intake.html_prefilter import sieved
from pbem.intake.reading_result import CUT_MARKER

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

BLOCKS = frozenset(
    "address article aside blockquote body center dd details div dl dt fieldset figure footer "
    "form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tbody tfoot thead tr "
    "ul".split()
)
SPACED = frozenset("p h1 h2 h3 h4 h5 h6 ul ol table pre blockquote".split())
NOWHERE = sys.maxsize
DEEPEST_MARK = 3
ATTRIBUTION = re.compile(r"@|[:：]\W*$")
GAPS = re.compile(r"[ \t\n\r\f]+")
DROPPED = frozenset(
    "head title style script noscript template iframe object svg math select textarea button "
    "meta link base audio video canvas -comment -doctype del".split()
)
"""What nobody sees as words, and what the writer has crossed out."""
HIDDEN = re.compile(
    r"display:none|visibility:hidden|mso-hide:all|text-decoration(?:-line)?:[^;]*line-through"
    r"|(?:font-size|max-height|opacity):0*(?:\.0+)?(?:px|pt|em|rem|%)?(?:;|!|$)"
)
QUOTES = frozenset(
    "yahoo_quoted ydpyahoo_quoted mailquote email-quote "
    "mail-editor-reference-message-container outlookmessageheader".split()
)
ATTRIBUTIONS = frozenset("gmail_attr moz-cite-prefix reply-intro".split())
"""The lines above a quote; many people continue to write in them."""
HOLDERS = frozenset(
    "gmail_quote gmail_quote_container gmail_extra protonmail_quote zmail_extra "
    "tutanota_quote".split()
)
CUTS = frozenset("divrplyfwdmsg appendonsend ms-outlook-mobile-reference".split())
SIGNATURES = frozenset(
    "gmail_signature moz-signature ms-outlook-mobile-signature protonmail_signature_block "
    "k9mail-signature ymail_android_signature applemailsignature outlooksignature signature".split()
)
# Outlook marks the beginning of its quote by this line alone.
OUTLOOK_RULE = re.compile(
    r"border-top:(?:solid#(?:e1e1e1|b5c4df)|(?:1|1\.0)(?:pt|px)solid#?(?:e1e1e1|b5c4df))"
)
TIGHT = re.compile(r"margin(?:-top)?:0*(?:\.0+)?(?:px|pt|em|rem|in|cm|;|!|$)")
"""What a paragraph without a gap above it has in its style."""
TIGHT_SHEET = re.compile(r"\bp(?:\.\w{1,30})?\s{0,9}\{[^{}]{0,300}?margin(?:-top)?:\s{0,9}0", re.I)
X_PREFIX = re.compile(r"^(?:x_)+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Treatment:
    """How one node is to be treated; a `plain` one has no meaning besides its layout."""

    tag: str
    plain: bool = False
    dropped: bool = False
    quote: bool = False
    holder: bool = False
    signature: bool = False
    attribution: bool = False
    cut: bool = False
    pre: bool = False
    tight: bool = False


def treatment_of(node: LexborNode) -> Treatment:
    """Return what a node means, by its tag, names and own style."""
    tag = node.tag or ""
    attributes = None if tag.startswith("-") else node.attributes
    if not attributes:
        return _look(tag)
    words = f"{attributes.get('class') or ''} {attributes.get('id') or ''}"
    return _look(tag, words, attributes.get("style") or "", "hidden" in attributes)


@lru_cache(maxsize=256)  # a letter has few kinds of nodes, and each of them many times
def _look(tag: str, words: str = "", style: str = "", hidden: bool = False) -> Treatment:
    names, style = names_in(words), "".join(style.lower().split())
    marks = {
        "quote": is_quote(tag, names, style),
        "holder": bool(names & HOLDERS),
        "signature": bool(names & SIGNATURES),
        "attribution": bool(names & ATTRIBUTIONS),
        "cut": bool(names & CUTS or OUTLOOK_RULE.search(style)),
        "pre": tag == "pre" or "white-space:pre" in style,
    }
    plain = tag != "blockquote" and not any(marks.values())
    dropped = tag in DROPPED or hidden or bool(HIDDEN.search(style))
    # Outlook's paragraphs are lines: between them no gap is seen.
    tight = tag == "p" and (bool(TIGHT.search(style)) or any(one[:3] == "mso" for one in names))
    return Treatment(tag, plain, dropped, tight=tight, **marks)


def names_in(words: str) -> frozenset[str]:
    """Return ids and classes in lower case, without the prefix that Outlook adds."""
    return frozenset(X_PREFIX.sub("", word).lower() for word in words.split())


def is_quote(tag: str, names: frozenset[str], style: str) -> bool:
    """Return whether a node holds somebody else's words."""
    if tag == "blockquote":
        return bool(names) or not is_indent(style)
    return bool(names & QUOTES)


def is_indent(style: str) -> bool:
    """Return whether a style only indents a text, as an indent button does, and quotes nothing."""
    return "40px" in style and ("border:none" in style or "border:0" in style)


def html_text_and_tags(markup: str, most: int, deepest: int) -> tuple[str, int]:
    """Return the text of an HTML letter and its number of tags. Raise TooMuchError at a cap."""
    from selectolax.lexbor import LexborHTMLParser  # 1 MB of memory, for HTML alone

    plain, tags = sieved(markup, most, deepest)
    root = LexborHTMLParser(plain).root
    page = Page()
    if root is not None:
        page.tight = bool(TIGHT_SHEET.search(markup)) or has_blank_paragraphs(root)
        page.read(root)
    return clean("\n".join(page.lines)), tags


def has_blank_paragraphs(root: LexborNode) -> bool:
    """Return whether blank paragraphs stand between others, which are lines then."""
    paragraphs = root.css("p")
    said = [bool(each.text().strip()) for each in paragraphs]
    return any(
        said[n - 1] and not said[n] and said[n + 1] and is_blank(paragraphs[n])
        for n in range(1, len(said) - 1)
    )


def is_blank(paragraph: LexborNode) -> bool:
    """Return whether an empty paragraph right between two others is seen as a blank line."""
    seen = "\xa0" in paragraph.text() or paragraph.css_first("br") is not None
    for above in (True, False):
        near = paragraph.prev if above else paragraph.next
        # Many programs write each paragraph on a line of its own.
        if near is not None and near.tag == "-text" and not (near.text_content or "").strip():
            near = near.prev if above else near.next
        seen = seen and near is not None and near.tag == "p"
    return seen


class Page:
    """The lines of a document as they are written, block by block.

    `tight` means that no gap is seen between paragraphs.
    """

    def __init__(self) -> None:
        self.tight = False
        self.lines: list[str] = []
        self.line: list[str] = []
        self.open: list[Treatment] = []
        self.quotes = 0
        self.pre = 0
        self.holders = 0
        self.held = 0
        self.said = False
        self.signatures = 0
        self.signed = NOWHERE
        self.attributions = 0
        self.named = 0

    def read(self, root: LexborNode) -> None:
        """Go through a tree in reading order, without recursion."""
        node: LexborNode | None = root
        while node is not None:
            below = self.enter(node)
            if below is not None:
                node = below
                continue
            node = self.follow(node)
        self.end_block()

    def follow(self, node: LexborNode) -> LexborNode | None:
        """Return the node after this one and all that it contains."""
        at: LexborNode | None = node
        while at is not None and at.next is None:
            at = at.parent
            if not self.open:
                return None
            self.leave(self.open.pop())
        return at.next if at is not None else None

    def enter(self, node: LexborNode) -> LexborNode | None:
        """Process a node, and return its first child if that is to be read."""
        treatment = treatment_of(node)
        if treatment.dropped:
            return None
        if treatment.tag == "-text":
            self.write(node.text_content or "")
        elif treatment.tag == "br":
            self.end_line()
        else:
            self.begin(treatment)
        below = node.child
        if below is not None:
            self.open.append(treatment)
        elif not treatment.tag.startswith("-") and treatment.tag != "br":
            self.leave(treatment)
        return below

    def begin(self, treatment: Treatment) -> None:
        """Apply the effect of a tag on the layout, and note where a quote begins."""
        self.line.extend(" " if treatment.tag in ("td", "th") else "")
        if treatment.tag in BLOCKS or treatment.quote or treatment.cut:
            self.break_block(treatment)
        if treatment.plain:
            return
        if treatment.cut:
            self.lines.append(self.mark() + CUT_MARKER)
        self.quotes += treatment.quote
        self.pre += treatment.pre
        self.hold(treatment)
        self.begin_ending(treatment)

    def mark(self) -> str:
        """Return the prefix of a line inside a quote."""
        return "> " * min(self.quotes, DEEPEST_MARK)

    def hold(self, treatment: Treatment) -> None:
        """Note where a container that may hold a quote begins, and if it marks the quote itself."""
        if treatment.holder and not self.holders:
            self.end_block()
            self.held = len(self.lines)
        self.holders += treatment.holder
        if treatment.tag == "blockquote":
            self.held = NOWHERE

    def let_go(self, treatment: Treatment) -> None:
        """Mark the content of a container as a quote if nothing in it is marked as one."""
        self.holders -= treatment.holder
        if treatment.holder and not self.holders:
            self.end_block()
            self.lines[self.held :] = [f"> {line}" for line in self.lines[self.held :]]

    def begin_ending(self, treatment: Treatment) -> None:
        """Note where a signature or an attribution begins."""
        if treatment.signature or treatment.attribution:
            self.end_block()
        if treatment.signature and not self.signatures:
            self.signed = len(self.lines) if self.said else NOWHERE
        if treatment.attribution and not self.attributions:
            self.named = len(self.lines)
        self.signatures += treatment.signature
        self.attributions += treatment.attribution

    def finish_ending(self, treatment: Treatment) -> None:
        """Remove a signature, unless everything is written in it, and mark an attribution."""
        if treatment.signature or treatment.attribution:
            self.end_block()
        self.signatures -= treatment.signature
        self.attributions -= treatment.attribution
        if treatment.signature and not self.signatures:
            del self.lines[self.signed :]
        if treatment.attribution and not self.attributions:
            self.mark_attribution()

    def mark_attribution(self) -> None:
        """Mark the one line that an attribution's container holds, if it looks like one."""
        held = [at for at in range(self.named, len(self.lines)) if self.lines[at].strip("> ")]
        if len(held) == 1 and ATTRIBUTION.search(self.lines[held[0]]):
            self.lines[held[0]] = f"> {self.lines[held[0]]}"

    def leave(self, treatment: Treatment) -> None:
        """Undo what entering the node began."""
        if treatment.tag in BLOCKS or treatment.quote:
            self.break_block(treatment)
        if treatment.plain:
            return
        self.finish_ending(treatment)
        self.let_go(treatment)
        self.quotes -= treatment.quote
        self.pre -= treatment.pre

    def write(self, text: str) -> None:
        """Add running text."""
        if not self.pre:
            self.line.append(GAPS.sub(" ", text))
            return
        first, *others = text.replace("\r\n", "\n").split("\n")
        self.line.append(first)
        for other in others:
            self.end_line()
            self.line.append(other)

    def break_block(self, treatment: Treatment) -> None:
        """End the block before, with a blank line if its kind has one."""
        self.end_block()
        spaced = treatment.tag in SPACED and not (treatment.tag == "p" and self.tight)
        if spaced and not treatment.tight and self.lines and self.lines[-1].strip("> "):
            self.lines.append(self.mark())

    def end_block(self) -> None:
        """End the line if it is not empty; one of a space that is kept is seen as a blank line."""
        if "".join(self.line).strip(" \t\n\r\f"):
            self.end_line()
        self.line.clear()

    def end_line(self) -> None:
        """End the line."""
        text = "".join(self.line)
        # Spaces count in preformatted text, as in a browser.
        text = text.rstrip() if self.pre else GAPS.sub(" ", text).strip()
        self.said = self.said or (bool(text) and not self.quotes)
        self.lines.append(self.mark() + text)
        self.line.clear()
