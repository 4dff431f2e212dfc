"""Letters of web pages, known by weak signs together, and people who have one or two of these.

The words are our own. Which real letters each kind stands for: docs/reliability.md, Reading.
"""

from __future__ import annotations

import pytest

from pbem.intake import read_letter

US = "referee@league.example"
PHP_ID = "0cd33a3fe5a289a8561df9e89111e3e8@wings.example"
RUBY_ID = "620f47ca65704_639192594239544@wings.mail"
POSTFIX_ID = "20261126175919.4DD264255B@host.example"
QMAIL_ID = "20261126033018.30001.qmail@host.example"
WEB_ID = "1645245147.64998.67@www"
JAVA_ID = "1822075353.95691.1659741299581@wings.example"
MAIL_ID = "4c1a7d1e-8f5c-4d59-9d1c-1be9b7a5c0aa@home.example"


def klass(head: str, text: str, identity: str = MAIL_ID) -> str:
    """Return the class of a letter; its fields stand as they are written."""
    fields = head if "To: " in head else f"{head}\nTo: {US}"
    message_id = f"Message-ID: <{identity}>\n" if identity else ""
    return read_letter(f"{fields}\n{message_id}\n{text}\n".encode()).klass


OFFICE = "From: Wings Ltd. <sales@wings.example>\nSubject: A word"
NAMED = "From: Wings <wings@wings.example>\nSubject: A word"
SCRIPTED = (
    f"To: {US}\nSubject: A word\nX-PHP-Originating-Script: 33:entry.php\nFrom: info@w.example"
)
BY_SERVER = "Received: by web7.example (Postfix, from userid 33)\n" + NAMED
BY_CGI = "X-EN-CGIPath: /cgi-bin/map/order.cgi\n" + NAMED
FORMS = [
    ("a script that tells of what it received", SCRIPTED, "Your entry has been received.", ""),
    ("a web server's account", BY_SERVER, f"You registered {US}.", POSTFIX_ID),
    ("a program in a server's folder", BY_CGI, "We are pleased to have your order.", MAIL_ID),
    ("an office that thanks", OFFICE, "Hartelijk dank voor uw aanmelding!", WEB_ID),
    ("an office without an identity", OFFICE, "Thank you for contacting our team.", ""),
    ("a link with a code", NAMED, "Registration:\nhttps://w.example/c/x42ab9cd7ef3gh5", RUBY_ID),
    ("the fields of a form", NAMED, f"First name: Ada\nEmail: {US}\nPhone: 1", JAVA_ID),
    ("fields, from a server", NAMED, f"Vielen Dank für alles.\nE-Mail: {US}", POSTFIX_ID),
    ("a friend's page", OFFICE, "I thought you would like this website.", QMAIL_ID),
    ("the fields alone, from an office", OFFICE, f"Kopie Ihrer Anfrage\nE-Mail: {US}", MAIL_ID),
    (
        "a copy that wants its answers sent to us",
        f"To: {US}\nSubject: Copy of: A word\nReply-To: Ada <{US}>\nFrom: w@wings.example",
        "This is a copy of what you sent.",
        PHP_ID,
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("head", "text", "identity"), [form[1:] for form in FORMS], ids=[form[0] for form in FORMS]
)
def test_three_signs_make_a_web_page(head: str, text: str, identity: str) -> None:
    assert klass(head, text, identity) == "autoreply"
    for answers in ("In-Reply-To: <1@league.example>", "References: <1@league.example>"):
        assert klass(f"{answers}\n{head}", text, identity) == "human"
    assert klass(head.replace("Subject: ", "Subject: Re: "), text, identity) == "human"
    assert klass(f"Cc: referee+K7QX9M@league.example\n{head}", text, identity) == "human"


ROUNDCUBE = f"X-PHP-Originating-Script: 33:rcube.php\nUser-Agent: Roundcube Webmail/1.6\n{OFFICE}"
SQUIRREL = f"User-Agent: SquirrelMail/1.4.23\n{BY_SERVER}"
HORDE = f"X-PHP-Originating-Script: 33:Sendmail.php\n{OFFICE}"
EXCHANGE = f"Thread-Topic: A word\n{OFFICE}"
UNIX = f"To: {US}\nSubject: HELP\nFrom: Ada <ada@home.example>"
THANKS = f"Thank you for the game. Confirm your order to {US}, please."
PEOPLE = [
    ("a club's secretary by a webmail", ROUNDCUBE, THANKS, PHP_ID),
    ("another webmail", SQUIRREL, THANKS, PHP_ID),
    ("a third", HORDE, THANKS, PHP_ID),
    ("an office with Exchange", EXCHANGE, THANKS, PHP_ID),
    ("an office with a mail program", OFFICE, "ENLIST Hawk\nThank you for the game!", MAIL_ID),
    ("an office that names us", OFFICE, THANKS, MAIL_ID),
    ("a webmail that hides its name", NAMED, "JOIN\nThank you for the game!", PHP_ID),
    ("and an office by it", OFFICE, "ENLIST Hawk", PHP_ID),
    ("Unix' mail", UNIX, "HELP", POSTFIX_ID),
    ("Unix' mail with thanks", UNIX, "Thank you for the game. I registered.", POSTFIX_ID),
    ("a phone", NAMED, THANKS, "8C1F1D0E-94C6-4A75-9F6B-6B0B5B0F5A11@home.example"),
    ("a quoted head", OFFICE, f"To: {US}\nENLIST Hawk", MAIL_ID),
]


@pytest.mark.parametrize(
    ("head", "text", "identity"), [one[1:] for one in PEOPLE], ids=[one[0] for one in PEOPLE]
)
def test_a_person_may_have_one_sign_or_two(head: str, text: str, identity: str) -> None:
    assert klass(head, text, identity) == "human"


@pytest.mark.parametrize(
    "weak",
    [
        OFFICE,
        NAMED,
        SCRIPTED,
        BY_SERVER,
        BY_CGI,
        f"X-PHP-Originating-Script: 33:mailer.php\n{OFFICE}",
    ],
)
@pytest.mark.parametrize("order", ["HELP", "JOIN", "ENLIST Hawk", "FIRE\n\nSee you, Ada"])
def test_an_order_alone_is_never_a_web_pages(weak: str, order: str) -> None:
    for identity in (PHP_ID, RUBY_ID, POSTFIX_ID, MAIL_ID, ""):
        assert klass(weak, order, identity) == "human"
