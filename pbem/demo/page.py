"""The demo's pages: the list of all letters, and a plain letter as HTML."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from textwrap import shorten

from pbem.demo.letter import ShownLetter

_FIRST_LINES = 8
_FIRST_LETTERS = 280

_STYLE = """
:root { color-scheme: light dark; --line: #8885; --to: #b45309; --from: #1d4ed8; }
@media (prefers-color-scheme: dark) { :root { --to: #f5b460; --from: #93b4ff; } }
body { margin: 0; padding: 16px; font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 720px; margin: 0 auto; }
h1 { font-size: 26px; line-height: 1.2; margin: 8px 0 12px; }
ul { padding-left: 20px; }
ol { list-style: none; margin: 24px 0; padding: 0; }
li.letter { border: 1px solid var(--line); border-left: 4px solid var(--from);
  border-radius: 6px; padding: 10px 14px; margin: 0 0 12px; }
li.to { border-left-color: var(--to); }
h2 { font-size: 17px; line-height: 1.3; margin: 2px 0 6px; }
h2 a { color: inherit; text-decoration-color: var(--line); }
p { margin: 0 0 8px; }
.way { font-size: 14px; color: var(--from); margin: 0; }
.to .way { color: var(--to); }
.first { white-space: pre-line; opacity: .8; font-size: 15px; }
.links { font-size: 14px; margin: 0; }
.links a { display: inline-block; padding: 4px 14px 4px 0; }
pre { white-space: pre-wrap; font: 15px/1.5 ui-monospace, monospace; }
"""


@dataclass(frozen=True, slots=True)
class Card:
    """A letter's place in the archive: its number, its files' name, and its direction."""

    number: int
    stem: str
    to_referee: bool
    letter: ShownLetter


def index(cards: Sequence[Card], findings: Sequence[str]) -> str:
    """Return the page of all letters, with a few sentences on how it went."""
    facts = "".join(f"<li>{escape(line)}</li>" for line in findings)
    items = "\n".join(_card(card) for card in cards)
    return _page("A duel by mail", f"<ul>{facts}</ul>\n<ol>\n{items}\n</ol>")


def plain_page(letter: ShownLetter) -> str:
    """Return a letter that has no HTML of its own as a page."""
    return _page(letter.subject, f"<pre>{escape(letter.text)}</pre>")


def _page(title: str, body: str) -> str:
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>{_STYLE}</style>
</head>
<body><main>
<h1>{escape(title)}</h1>
{body}
</main></body>
</html>
"""


def _card(card: Card) -> str:
    letter, stem = card.letter, card.stem
    way = "to" if card.to_referee else "from"
    first = first_lines(letter.text) if card.to_referee else first_words(letter.text)
    links = " ".join(
        f'<a href="{stem}.{kind}">{word}</a>'
        for kind, word in (("txt", "as text"), ("html", "as HTML"), ("eml", "as sent (.eml)"))
    )
    return f"""<li class="letter {way}" id="letter-{card.number}">
<p class="way">{card.number}. {escape(letter.sender)} → {escape(letter.recipient)}</p>
<h2><a href="{stem}.html">{escape(letter.subject)}</a></h2>
<p class="first">{escape(first)}</p>
<p class="links">{links}</p>
</li>"""


def first_lines(text: str) -> str:
    """Return the beginning of what a player's letter itself says."""
    lines = list(_own(text.splitlines()))
    return "\n".join(lines[:_FIRST_LINES]) + (" …" if len(lines) > _FIRST_LINES else "")


def _own(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines above the quotation, without the blank ones."""
    for line in lines:
        # Quotes of this demo have one form only, that of `pbem.demo.mail_program`.
        if line.startswith(">") or (line.startswith("On ") and line.endswith("wrote:")):
            return
        if line.strip():
            yield line


def first_words(text: str) -> str:
    """Return the beginning of a referee's letter, without its headings."""
    flat = " ".join(" ".join(line for line in text.splitlines() if not line.isupper()).split())
    return shorten(flat, _FIRST_LETTERS, placeholder=" …")
