"""Letters of list managers and autoresponders with a header of their own, and people like them.

The words are our own. Which real letters each kind stands for: docs/reliability.md, Reading.
"""

from __future__ import annotations

import pytest

from pbem.intake import read_letter
from tests.intake.test_machine_letters import read


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        ("League", "Thank you for your orders, I registered a win!"),
        ("Liga", "Danke für die Anmeldung, ich bin dabei!"),
        ("リーグ", "登録ありがとうございました。"),
        ("Liga", "Gracias por registrarme."),
    ],
)
def test_a_player_may_thank_for_such_things(subject: str, text: str) -> None:
    assert read(f"{text}\n", subject=subject).klass == "human"


def test_an_autoresponders_mark_counts_below_a_servers() -> None:
    marks = "Delivered-To: ada@home.example\nDelivered-To: Autoresponder\n"
    raw = f"{marks}From: bob@home.example\nSubject: Re: Turn 4\n\nBack in May.\n"
    assert read_letter(raw.encode()).klass == "autoreply"
    assert read_letter(raw.replace("Autoresponder", "bob").encode()).klass == "human"


def test_a_receipt_of_certified_mail_is_a_program() -> None:
    sender = "posta-certificata@pec.example"
    assert read(X_Ricevuta="avvenuta-consegna", from_=sender).klass == "autoreply"
    assert read(X_Trasporto="posta-certificata", from_=sender).klass == "human"


@pytest.mark.parametrize(
    ("name", "value", "klass"),
    [
        ("X-List-Server", "Lister v1", "list"),
        ("X-ML-Name", "wings", "list"),
        ("X-Auto-Generated", "desk-receipt", "autoreply"),
        ("X-Odoo-Objects", "helpdesk.ticket-4", "autoreply"),
        ("X-phpBB-Origin", "phpbb://wings.example", "autoreply"),
        ("X-Roundup-Name", "Wings", "autoreply"),
        ("X-Mailer", "GNARWL", "autoreply"),
        ("X-Mailer", "[Alimail-Mailagent revision 4]", "human"),
        ("X-Mailer", "SMFMail 3", "human"),
    ],
)
def test_a_program_is_known_by_a_header_field_of_its_own(name: str, value: str, klass: str) -> None:
    assert read(**{name: value}).klass == klass


def test_an_autoresponder_is_known_by_its_message_id() -> None:
    head = "From: Desk <desk@home.example>\nSubject: Re: Turn 4\nIn-Reply-To: <1@league.example>\n"
    for local, klass in (("autoreply-12-0a1b", "autoreply"), ("reply-12-0a1b", "human")):
        raw = f"{head}Message-ID: <{local}@home.example>\n\nWe write to you soon.\n"
        assert read_letter(raw.encode()).klass == klass
