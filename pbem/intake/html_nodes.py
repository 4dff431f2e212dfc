"""What the nodes of an HTML letter mean: hidden, a quote, a signature, the start of another."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from selectolax.lexbor import LexborNode

DROPPED = frozenset(
    "head title style script noscript template iframe object svg math select textarea button "
    "meta link base audio video canvas -comment -doctype".split()
)
UNNESTED = frozenset(
    "area base br col embed hr img input link meta param source track wbr p li dd dt tr td th "
    "tbody thead tfoot option".split()
)
HIDDEN = re.compile(
    r"display:none|visibility:hidden|mso-hide:all"
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
OUTLOOK_RULE = re.compile(
    r"border-top:(?:solid#(?:e1e1e1|b5c4df)|(?:1|1\.0)(?:pt|px)solid#?(?:e1e1e1|b5c4df))"
)
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
    return Treatment(tag, plain, dropped, **marks)


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
