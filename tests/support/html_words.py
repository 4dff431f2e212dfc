"""The words of an HTML letter, as its reader sees them."""

from pbem.intake.html import html_text_and_tags
from pbem.intake.reading_result import Limits


def html_text(markup: str) -> str:
    """Return the text that an HTML letter shows, quoted lines marked with ``>``."""
    return html_text_and_tags(markup, Limits().tags, Limits().tag_nesting)[0]
