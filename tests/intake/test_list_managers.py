"""Letters of list managers and firms' forms that set no header, and the people who look like them.

The words are our own. Which real letters each kind stands for: docs/reliability.md, Reading.
"""

from __future__ import annotations

import pytest

from pbem.intake import read_letter
from tests.intake.test_machine_letters import read


@pytest.mark.parametrize(
    ("local", "klass"),
    [
        ("wings+help", "autoreply"),
        ("wings+owner", "autoreply"),
        ("wings+confsub-05ab34b57c198e9b-ada=home.example", "autoreply"),
        ("wings+unsubscribe-digest", "autoreply"),
        ("ada+wings", "human"),
        ("ada+helpers", "human"),
        ("ada+lists", "human"),
    ],
)
def test_a_list_manager_is_known_by_the_order_in_its_address(local: str, klass: str) -> None:
    assert read("Tervetuloa.\n", from_=f"{local}@lists.example").klass == klass


@pytest.mark.parametrize(
    ("local", "klass"),
    [
        ("wings-sc.1795722720.abcdefghij-ada=home.example", "autoreply"),
        ("wings+confunsub-45e7fbf841c2d526-ada=home.example", "autoreply"),
        ("ada-confirm-accept.1795722720.31337.abcdef", "autoreply"),
        ("confirm+0a1b2c3d4e5f", "autoreply"),
        ("ada+confirm", "human"),
        ("ada-sc.2026", "human"),
        ("ada", "human"),
    ],
)
def test_who_wants_an_answer_to_an_address_with_a_code_is_a_program(local: str, klass: str) -> None:
    letter = {"Reply-To": f"{local}@lists.example", "from_": "Wings <wings@lists.example>"}
    assert read("Answer to this letter.\n", **letter).klass == klass


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        ("Welcome", "Thank you for registering at Wings Ltd."),
        ("Contact", "Vielen Dank für Ihre Kontaktanfrage!"),
        ("Shop", "Ihre Registrierung ist bei uns eingegangen."),
        ("Shop", "Votre inscription a bien été enregistrée."),
        ("Shop", "Gracias por registrarte."),
        ("Shop", "Bedankt voor uw bestelling."),
        ("Shop", "Спасибо за регистрацию на сайте!"),
        ("会員", "この度は登録をいただき、ありがとうございます。"),
        ("お申し込みありがとうございます", "番号は42です。"),
        ("受付", "登録申請を承りました。"),
        ("待ち", "ウェイティング登録を承りました。"),
        ("News", "Your subscription is not complete until you confirm it."),
        ("Please confirm your account", "Welcome. See below."),
        ("Shop", "Bedankt voor je interesse in Wings. We nemen snel contact op."),
        ("등록", "문의해 주셔서 감사합니다."),
    ],
)
def test_an_office_that_thanks_for_an_order_by_a_script_is_a_program(
    subject: str, text: str
) -> None:
    office = {"from_": "Wings <info@wings.example>", "subject": subject}
    assert read(f"{text}\n", **office).klass == "autoreply"
    assert read(f"{text}\n", **office, In_Reply_To="<1@league.example>").klass == "human"


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


@pytest.mark.parametrize(
    ("sender", "klass"),
    [
        ("GitHub issues - opened <github@chips.example>", "autoreply"),
        ("coverage-bot <ada@chips.example>", "autoreply"),
        ("Wings Bug Tracking System <owner@chips.example>", "autoreply"),
        ("Ada of the bug tracking team <ada@home.example>", "human"),
        ("Jan-Bot Smits <jan@home.example>", "human"),
        ("Ada from GitHub <ada@home.example>", "human"),
    ],
)
def test_a_trackers_bridge_is_known_by_its_name(sender: str, klass: str) -> None:
    assert read(from_=sender).klass == klass


@pytest.mark.parametrize(
    ("subject", "text", "klass"),
    [
        (
            "INCIDENT - The ticket n°10204",
            "The ticket n°10204 has been assigned to you.",
            "autoreply",
        ),
        ("The ticket I-000044 is yours", "The ticket I-000044 has been closed.", "autoreply"),
        ("The ticket I-000044", "Whose is it?", "human"),
        ("Where", "The wings.example mailbox is currently not monitored.", "autoreply"),
        ("Where", "My mailbox is currently not monitored.", "human"),
    ],
)
def test_a_ticket_desk_is_known_by_its_number_and_words(
    subject: str, text: str, klass: str
) -> None:
    assert read(f"{text}\n", subject=subject).klass == klass


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
    ("sender", "text", "klass"),
    [
        ("wings-help@lists.example", "Ask wings-owner@lists.example.", "autoreply"),
        ("wings-help@lists.example", "Ask wings-owner@other.example.", "human"),
        ("wings-help@lists.example", "I am wings-help@lists.example.", "human"),
        ("ada@lists.example", "Ask wings-owner@lists.example.", "human"),
        ("it-help@firm.example", "I move to hex 0101.", "human"),
    ],
)
def test_a_list_manager_names_its_other_addresses(sender: str, text: str, klass: str) -> None:
    assert read(f"{text}\n", from_=sender, In_Reply_To="<1@league.example>").klass == klass


@pytest.mark.parametrize(
    "text",
    [
        "You have been successfully subscribed to wings.",
        "Non-member posting is disabled for this list.",
        "Answer, leaving the following line as it is:\n\nresume 4 abc",
        "Vous avez été désabonné de wings.",
    ],
)
def test_a_list_manager_is_known_by_its_words_if_it_bears_no_name(text: str) -> None:
    answer = {"In-Reply-To": "<1@league.example>"}
    assert read(f"{text}\n", from_="wings@lists.example", **answer).klass == "autoreply"
    assert read(f"{text}\n", from_="Ada <wings@lists.example>", **answer).klass == "human"


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
        ("X-Mailer", "MyBB", "autoreply"),
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


@pytest.mark.parametrize(
    ("sender", "text", "klass"),
    [
        ("support@home.example", "We change the status of your ticket.", "autoreply"),
        ("helpdesk@home.example", "Ihr Ticket wird bearbeitet.", "autoreply"),
        ("support@home.example", "My pilot moves to hex 0101.", "human"),
        ("ada@home.example", "I got your ticket for the match.", "human"),
        ("fax@home.example", "Job 12 was sent.", "autoreply"),
        ("faxon@home.example", "Job 12 was sent.", "human"),
    ],
)
def test_a_desk_that_speaks_of_a_ticket_is_a_program(sender: str, text: str, klass: str) -> None:
    assert read(f"{text}\n", from_=sender).klass == klass


@pytest.mark.parametrize(
    ("text", "klass"),
    [
        ("Hi Ada, Your request (#12) has been received.", "autoreply"),
        ("Hello there, Issue #12, which you reported, has now been created.", "autoreply"),
        ("Hello there, Issue #12, now has a status of DONE.", "autoreply"),
        ("Bonjour, Nous avons bien reçu votre demande de jeu.", "autoreply"),
        ("Bonjour Ada, Le ticket « 12 » a été fermé.", "autoreply"),
        ("Hallo Ada, das Ticket 12 wurde geschlossen.", "autoreply"),
        ("Hola Ada, el ticket 12 ha sido cerrado.", "autoreply"),
        ("Wir haben Ihre Anfrage erhalten.", "autoreply"),
        ("Hi Ada, I bought the ticket that was cheap.", "human"),
        ("Hi Ada, is your request still open? The ticket was late.", "human"),
    ],
)
def test_a_desk_begins_with_what_became_of_a_ticket(text: str, klass: str) -> None:
    assert read(f"{text}\n").klass == klass
    assert read(f"{text}\n", In_Reply_To="<1@league.example>").klass == "human"
