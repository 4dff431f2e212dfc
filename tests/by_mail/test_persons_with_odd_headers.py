"""Persons whose letters look like machines' in all but the standard marks: none meets silence."""

from email.message import EmailMessage

import pytest

from tests.support.harness import League, duel
from tests.support.players import HAWK, REFEREE, parsed

HEADERS = """
X-Mailer: Microsoft Outlook 16.0
X-MS-Has-Attach: yes
X-Auto-Response-Suppress: All
X-Mailer: OTRS Mail Service (6.0.30)
X-OTRS-Loop: desk@office.example
X-RT-Original-Encoding: utf-8
RT-Ticket: office.example #4711
X-Zendesk-From-Account-Id: 4711
X-Freshdesk-Ticket-Id: 4711
X-Jira-FingerPrint: b1946ac92492d2347c6235b4d2611184
X-GitHub-Sender: ann
X-Mailer: Zammad Mail Service
X-PHP-Originating-Script: 1001:mailer.php
X-Mailer: PHPMailer 6.8
X-Campaign: none
X-Mailgun-Tag: staff
Feedback-ID: 4711:office:amazonses
X-SES-Outgoing: 2026.11.02-192.0.2.1
X-Spam-Status: Yes, score=7.2
X-Spam-Flag: YES
X-Priority: 5 (Lowest)
Importance: low
Sensitivity: Company-Confidential
X-Loop: somebody@elsewhere.example
Delivered-To: autoresponder@office.example
Sender: no-reply@office.example
Reply-To: no-reply@office.example
Return-Path: <bounces+4711@office.example>
Return-Receipt-To: ann@league.example
Disposition-Notification-To: ann@league.example
Errors-To: mailer-daemon@office.example
Precedence: first-class
Auto-Submitted: no
X-Autoreply: no
Organization: Help Desk
X-Originating-IP: [192.0.2.7]
User-Agent: Vacation Mail 2.0
Content-Language: de-DE
X-Vacation: none
Comments: This message was created automatically by nobody
""".strip().splitlines()
SUBJECTS = (
    "Automatic reply: my move",
    "Out of office next week",
    "Read: your letter",
    "Undeliverable: did this reach you?",
    "[Ticket #4711] my move",
    "Abwesenheitsnotiz",
    "Delivery Status Notification (Failure)",
    "Order confirmation",
    "AUTO: SCAN",
    "Re: failure notice",
)
SENDERS = (
    "Help Desk <info@office.example>",
    "support@office.example",
    '"No Reply" <noreply@office.example>',
    "Mailer Daemon Smith <smith@office.example>",
    "postmaster@office.example",
    "root@office.example",
    "Newsletter Team <news@office.example>",
    "bot@office.example",
    "automailer.ada@office.example",
    "bounce-4711@office.example",
)
ABOVE = (
    "",
    "Thank you for your letter!\n\n",
    "This is an automatically generated message, or so my boss would like.\n\n",
    "I am out of the office until Monday, but I can play.\n\n",
    "Your message has been received.\n\n",
)


def written(sender: str, to: str, subject: str, header: str, text: str, number: int) -> bytes:
    """Return a person's letter with a header field of its own."""
    letter = EmailMessage()
    letter["From"], letter["To"], letter["Subject"] = sender, to, subject
    letter["Message-ID"] = f"<{number}@office.example>"
    letter.set_content(text)
    return header.encode() + b"\n" + bytes(letter)


@pytest.mark.parametrize("start", range(0, 50, 10))
def test_a_player_is_answered_whatever_the_header_looks_like(league: League, start: int) -> None:
    ann, _ = duel(league)
    for number in range(start, start + 10):
        header = HEADERS[number % len(HEADERS)]
        subject = SUBJECTS[number % len(SUBJECTS)]
        above = ABOVE[number % len(ABOVE)]
        before = len(ann.letters)
        to = ann.last_about("[G1-")["Reply-To"]
        order = ("SCAN", "STATUS", "JINK", "HELP orders")[number % 4]
        text = f"{above}{order}\n"
        league.drop(written(ann.address, to, subject, header, text, number))
        league.work()
        assert len(ann.letters) > before, (header, subject, above)
        league.later(0.1)


@pytest.mark.parametrize("start", range(0, 50, 10))
def test_who_joins_is_answered_whatever_the_header_looks_like(league: League, start: int) -> None:
    for number in range(start, start + 10):
        header = HEADERS[number % len(HEADERS)]
        sender = SENDERS[number % len(SENDERS)].replace("@office", f"@office{number}")
        text = f"{ABOVE[number % len(ABOVE)]}JOIN Ada {'ABCDEFGHIJ'[number % 10]}\n"
        subject = SUBJECTS[(number // 2) % len(SUBJECTS)]
        before = len(league.post.letters)
        league.drop(written(sender, REFEREE, subject, header, text, number))
        league.work()
        league.send()
        [(to, raw)] = league.post.letters[before:]
        assert to in sender, (header, sender)
        assert "Please confirm" in parsed(raw)["Subject"], (header, sender)


def test_who_has_an_order_among_the_same_words_is_answered_each_time(league: League) -> None:
    ann = league.person("Ann")
    ann.join()
    ann.ask(HAWK)
    for _ in range(8):
        league.later(12)
        ann.reply("Thank you for your message, we will get back to you.\n\nSTATUS\n")
        assert ann.new()
