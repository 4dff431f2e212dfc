"""What a mail program sends when somebody taps a link in a letter of ours."""

from email.message import EmailMessage
from urllib.parse import parse_qs, unquote, urlsplit

from selectolax.lexbor import LexborHTMLParser

from tests.support.harness import Person


def links(received: EmailMessage) -> dict[str, str]:
    """Return the mailto links of a letter's HTML by the lines that each would send."""
    body = received.get_body(("html",))
    assert body is not None
    nodes = LexborHTMLParser(body.get_content()).css("a")
    found = [node.attributes["href"] or "" for node in nodes]
    return {_written(link): link for link in found}


def _written(link: str) -> str:
    return parse_qs(urlsplit(link).query).get("body", [""])[0].replace("\r\n", "\n")


def tap(person: Person, received: EmailMessage, lines: str) -> EmailMessage:
    """Send what the link with these lines would: a new letter, with nothing quoted in it."""
    link = urlsplit(links(received)[lines])
    subject = parse_qs(link.query)["subject"][0]
    return person.write(f"{lines}\n\n-- \n{person.name}\n", unquote(link.path), subject)
