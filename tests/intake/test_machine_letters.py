"""Letters of programs that set no header of RFC 3834, by kind, and the people who look like them.

The words are our own. Which real letters each kind stands for: docs/reliability.md, Reading.
"""

from __future__ import annotations

from email.message import EmailMessage

import pytest

from pbem.intake import Reading, read_letter
from pbem.intake.addresses import one_mailbox


def read(text: str = "Nothing more to say.\n", **fields: str) -> Reading:
    """Return a letter as read; `from_` and the like are header fields."""
    letter = EmailMessage()
    letter["To"], letter["Message-ID"] = "referee@league.example", "<1@home.example>"
    letter["Subject"] = fields.pop("subject", "A word")
    letter["From"] = fields.pop("from_", "Ada <ada@home.example>")
    for name, value in fields.items():
        letter[name.replace("_", "-")] = value
    letter.set_content(text)
    return read_letter(bytes(letter))


@pytest.mark.parametrize(
    "local",
    [
        "notifications",
        "plant-notification",
        "autoreports",
        "automated-notifications",
        "auto-alert",
        "alerts",
        "newsletter",
        "majordomo",
        "listserv",
        "wings-request",
        "owner-wings",
        "wings-owner",
        "wings-bounces",
        "bounces+ada=home.example",
        "virus-alert",
        "quarantine-summary",
        "voicemail",
        "order-confirm",
    ],
)
def test_a_program_is_known_by_its_address(local: str) -> None:
    assert read(from_=f"Wing Commander <{local}@host.example>").klass == "autoreply"


@pytest.mark.parametrize(
    "local", ["notaryada", "requested", "ada.owner", "alertada", "bouncer", "no"]
)
def test_a_person_with_such_letters_in_the_address_stays_one(local: str) -> None:
    assert read(from_=f"{local}@host.example").klass == "human"


@pytest.mark.parametrize(
    ("sender", "klass"),
    [
        ("root@host.example", "autoreply"),
        ("root <root@host.example>", "autoreply"),
        ("Cron Daemon <root@host.example>", "autoreply"),
        ("root@host.example (Anacron)", "autoreply"),
        ("Ada Lovelace <root@host.example>", "human"),
        ("rooted@host.example", "human"),
    ],
)
def test_a_computers_account_is_a_program_unless_a_person_signs(sender: str, klass: str) -> None:
    assert read("Disk sda: 3 bad sectors.\n", from_=sender).klass == klass


def test_who_answers_us_from_the_account_of_a_computer_is_a_person() -> None:
    answer = {"from_": "root <root@host.example>", "In-Reply-To": "<1@league.example>"}
    assert read(**answer).klass == "human"


@pytest.mark.parametrize(
    ("name", "value", "klass"),
    [
        ("X_GitHub_Sender", "ada", "autoreply"),
        ("X_Jira_FingerPrint", "b1946ac92492d2347c6235b4d2611184", "autoreply"),
        ("X_Bugzilla_Who", "ada@home.example", "autoreply"),
        ("X_Loop", "Ada@Home.example", "autoreply"),
        ("X_Loop", "bob@elsewhere.example", "human"),
        ("X_Tracking", "none", "human"),
    ],
)
def test_trackers_and_loop_guards_are_known_by_their_headers(
    name: str, value: str, klass: str
) -> None:
    assert read(**{name: value}).klass == klass


STATEMENTS = [
    "This is an automatically generated e-mail from the plant.",
    "This message was sent automatically by the ticket desk.",
    "The following notification was generated automatically.",
    "Diese Nachricht wurde vom System automatisch erzeugt.",
    "Dies ist eine maschinell erstellte Mitteilung.",
    "Ceci est un message automatique du service.",
    "Este mensaje ha sido generado automáticamente.",
    "Questo messaggio è stato generato automaticamente.",
    "Esta mensagem foi enviada automaticamente.",
    "Dit is een automatisch bericht van de helpdesk.",
    "Detta är ett automatiskt meddelande.",
    "Denne e-mail er sendt automatisk.",
    "Tämä on automaattinen viesti.",
    "Ta wiadomość została wygenerowana automatycznie.",
    "Toto je automaticky generovaný e-mail.",
    "See on automaatne teade, palun ärge vastake.",
    "Bu otomatik bir mesajdır.",
    "Это письмо было создано автоматически.",
    "Це автоматичне повідомлення.",
    "此邮件由系统自动发送",
    "このメールは自動配信されています。",
]


@pytest.mark.parametrize("text", STATEMENTS)
def test_a_letter_that_says_it_is_automatic_is(text: str) -> None:
    assert read(f"Case opened.\n\n{text}\n").klass == "autoreply"


@pytest.mark.parametrize("text", STATEMENTS)
def test_a_player_may_speak_for_a_machine_in_an_answer(text: str) -> None:
    assert read(f"{text}\n", In_Reply_To="<turn@league.example>").klass == "human"
    letter = f"From: ada@home.example\nTo: referee+K7QX9M@league.example\n\n{text}\n"
    assert read_letter(letter.encode()).klass == "human"


@pytest.mark.parametrize(
    "text",
    [
        "My ship has an automatic gun, and this mail is about it.",
        "Is this message automatic? I did not get it.",
        "Diese Nachricht ist für Hawk: es feuert automatisch weiter.",
        "Please do not reply to this message but to Bob's.",
    ],
)
def test_a_person_may_speak_of_automatic_things(text: str) -> None:
    assert read(f"{text}\n").klass == "human"


@pytest.mark.parametrize(
    "text",
    [
        "Dear Customer,", "Dear valued member,", "Sehr geehrter Kunde,", "Estimado cliente:",
        "Уважаемый абонент!",
    ],
)  # fmt: skip
def test_who_greets_a_customer_is_a_firms_program(text: str) -> None:
    assert read(f"{text}\nWe work on the lines tonight.\n").klass == "autoreply"
    assert read(f"{text}\nFIRE\n", In_Reply_To="<turn@league.example>").klass == "human"
    assert read(f"I wrote to them:\n{text}\nand so on.\n").klass == "human"


@pytest.mark.parametrize(
    "text", ["Dear users,", "Dear members of the league,", "Sehr geehrte Nutzer,"]
)
def test_who_greets_users_or_members_may_be_one_of_them(text: str) -> None:
    assert read(f"{text}\nWho plays tonight?\n").klass == "human"


@pytest.mark.parametrize(
    "subject", ["Ada Lovelace is out of the office.", "Ada ist bis Montag außer Haus"]
)
def test_a_note_that_speaks_of_its_owner_is_a_programs(subject: str) -> None:
    away = "I will be out of the office until Monday."
    assert read(f"{away}\n", subject=subject).klass == "autoreply"
    assert read(f"{away}\n", subject="My move").klass == "human"
    assert read("SCAN\n", subject=subject).klass == "human"


@pytest.mark.parametrize(
    ("subject", "klass"),
    [
        ("away from my mail", "autoreply"),
        ("away from my mail (fwd)", "human"),
        ("Away from my mail on Friday", "human"),
    ],
)
def test_the_subject_of_the_vacation_program_is_whole(subject: str, klass: str) -> None:
    assert read(subject=subject).klass == klass


def test_a_quoted_statement_is_not_the_writers() -> None:
    quoted = (
        "On Friday, Bob <bob@x.example> wrote:\n> This is an automated message.\n\nLook at it!\n"
    )
    assert read(quoted).klass == "human"


def test_two_signs_of_a_ticket_desk_suffice_and_one_does_not() -> None:
    expected = "We hereby acknowledge receipt of your letter.\n"
    assert read(expected, subject="Case 2026/118 - Acknowledgement of receipt").klass == "autoreply"
    assert read(expected, subject="Your letter").klass == "human"
    assert read("When is it?\n", subject="Case 2026/118").klass == "human"


def test_a_scanners_report_is_a_postmasters_who_speaks_of_a_virus() -> None:
    sender = "Mail Gateway <postmaster@host.example>"
    assert read("The attachment was infected and stripped.\n", from_=sender).klass == "autoreply"
    assert read("Your letters reach me late.\n", from_=sender).klass == "human"
    assert read("My ship was infected.\n", subject="Case #118").klass == "human"


def test_an_answer_about_challenges_is_a_persons() -> None:
    expected = "TMDA does challenge-response too.\n"
    assert read(expected, subject="Re: challenge-response mail").klass == "human"
    assert read(expected, subject="challenge-response: confirm").klass == "autoreply"


@pytest.mark.parametrize("kind", ["tlsrpt", "abuse-summary"])
def test_a_report_of_any_type_is_a_programs(kind: str) -> None:
    head = f"Content-Type: multipart/report; report-type={kind}; boundary=x\n"
    raw = f"From: ada@home.example\n{head}\n--x\n\nSee below.\n--x--\n"
    assert read_letter(raw.encode()).klass == "autoreply"


@pytest.mark.parametrize(
    ("name", "klass"),
    [
        ("mail.example!league.example!1763596800!1763683199.xml.gz", "feedback"),
        ("mail.example!league.example!1763596800!1763683199!001.json", "feedback"),
        ("hooray!orders!.zip", "human"),
    ],
)
def test_a_domain_report_is_known_by_its_files_name(name: str, klass: str) -> None:
    letter = EmailMessage()
    letter["From"], letter["To"] = "Ada <ada@home.example>", "referee@league.example"
    letter.set_content("See the file.\n")
    letter.add_attachment(b"x", maintype="application", subtype="gzip", filename=name)
    assert read_letter(bytes(letter)).klass == klass


@pytest.mark.parametrize(
    ("subject", "klass"),
    [
        ("Report Domain: league.example Submitter: mail.example Report-ID: 7", "feedback"),
        ("Aggregate Report Domain: {league.example} Submitter: {mail.example}", "feedback"),
        ("My report: domain of Hawk", "human"),
    ],
)
def test_a_domain_report_is_known_by_its_subject(subject: str, klass: str) -> None:
    assert read(subject=subject).klass == klass


def test_marks_out_of_place_in_a_name_leave_its_only_address_readable() -> None:
    found = one_mailbox('"" Ada " Hawk" <ada@home.example>')
    assert found is not None
    assert (found.address, found.name) == ("ada@home.example", "Ada Hawk")


@pytest.mark.parametrize(
    "value",
    [
        '"" Ada " <bob@x.example> " <ada@home.example>',
        '"Ada" " <ada@home.example>, <bob>',
        '"Ada \\" <ada@home.example>',
        '"Ada" " (bob) <ada@home.example>',
    ],
)
def test_marks_out_of_place_next_to_anything_doubtful_are_refused(value: str) -> None:
    assert one_mailbox(value) is None


@pytest.mark.parametrize(
    ("name", "value", "klass"),
    [
        ("X_Mailer", "PHPMailer 6.6.0 (https://github.com/PHPMailer/PHPMailer)", "autoreply"),
        ("X_Mailer", "Leaf PHPMailer 2.8", "autoreply"),
        ("X_Mailer", "Wingmail [PHPMailer version 1.70]", "human"),
        ("X_Mailer", "WPMailSMTP/Mailer/smtp 3.11", "autoreply"),
        ("X_Mailer", "PHP/8.1.2", "autoreply"),
        ("X_Mailer", "Claws Mail 4.1", "human"),
        ("X_Mailer", "Phpost 1.0", "human"),
        ("X_PHP_Originating_Script", "1000:contact.php", "autoreply"),
        ("X_PHP_Originating_Script", "0:rcube.php", "human"),
        ("X_PHP_Originating_Script", "33:Sendmail.php", "human"),
        ("X_Campaign", "spring", "autoreply"),
        ("X_Mailgun_Tag", "welcome", "autoreply"),
        ("X_Mailgun_Sid", "WyJiMTk0NmFj", "human"),
        ("X_SES_Outgoing", "2026.11.26-54.240.8.96", "human"),
        ("Feedback_ID", "i1a2b3c4d:Fastmail", "human"),
    ],
)
def test_what_only_programs_send_by_is_known_by_its_headers(
    name: str, value: str, klass: str
) -> None:
    assert read(**{name: value}).klass == klass


def test_who_answers_us_by_a_web_page_of_their_own_is_a_person() -> None:
    answer = {"X-Mailer": "PHPMailer 6.6.0", "In-Reply-To": "<1@league.example>"}
    assert read("FIRE\n", **answer).klass == "human"


@pytest.mark.parametrize(
    ("sender", "klass"),
    [
        ("kernel test robot <lab@chips.example>", "autoreply"),
        ("Build bot <ada@chips.example>", "autoreply"),
        ("renovate[bot] <ada@chips.example>", "autoreply"),
        ("Wings <bot@chips.example>", "autoreply"),
        ("ada@chips.example (via the vacation program)", "autoreply"),
        ("Wings <wings-bot+net@chips.example>", "autoreply"),
        ("Wings <wingbot+0e1f2a3b4c5d@chips.example>", "autoreply"),
        ("Fax <faxservice@chips.example>", "autoreply"),
        ("Mr Robot <ada@home.example>", "human"),
        ("Anna Talbot <talbot@home.example>", "human"),
        ("Patchwork <patchwork@chips.example>", "autoreply"),
        ("Jan Bot <jan.bot@home.example>", "human"),
        ("Jenkins <jenkins.ada@home.example>", "human"),
        ("Abbot <abbot+pbem@home.example>", "human"),
        ("Robotnik <robotnik@home.example>", "human"),
        ("Ada <bot-hunter@home.example>", "human"),
    ],
)
def test_a_robot_is_known_by_its_name_and_a_person_of_such_a_name_is_one(
    sender: str, klass: str
) -> None:
    assert read(from_=sender).klass == klass


@pytest.mark.parametrize(
    "text",
    [
        "Thank you for e-mailing Wings Ltd. We have received your e-mail, and answer tomorrow.",
        "Thanks for reaching out! Our team will get back to you within a day.",
        "Vielen Dank für Ihre Nachricht. Wir melden uns in Kürze bei Ihnen.",
        "この度はお問い合わせいただきありがとうございます。",
        "Děkujeme za Vaši zprávu.",
        "Gracias por contactar con nosotros. Le responderemos pronto.",
        "Bedankt voor uw bericht. Wij nemen spoedig contact met u op.",
        "Спасибо за обращение в нашу компанию!",
        "This mailbox is not monitored.",
        "Replies to this message are not read.",
        "We have received your enquiry and will get back to you.",
        "Antworten Sie bitte nicht auf diese E-Mail.",
        "Merci de ne pas répondre à ce message.",
        "Esse e-mail foi gerado automaticamente.",
    ],
)
def test_a_firms_form_and_who_forbids_to_answer_are_programs(text: str) -> None:
    assert read(f"{text}\n").klass == "autoreply"
    assert read(f"{text}\n", In_Reply_To="<turn@league.example>").klass == "human"


@pytest.mark.parametrize(
    "text",
    [
        "Thank you for your letter. I fire.",
        "Thanks for reaching out to me, Ada! Do we play tonight?",
        "Vielen Dank für deine Nachricht. Ich schieße.",
        "Thank you for writing such a game. We have had a good evening.",
        "Merci pour la partie, ne réponds pas à Bob.",
        "All replies to this message will be read tomorrow.",
    ],
)
def test_who_thanks_for_a_letter_may_be_a_person(text: str) -> None:
    assert read(f"{text}\n").klass == "human"


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        ("Re: Our league", "Thanks for your e-mail. We have received it and will play."),
        ("Our league", "Thank you for your proposal, Ada; we will review it with Bob."),
    ],
)
def test_who_thanks_for_others_too_may_be_a_person(subject: str, text: str) -> None:
    assert read(f"{text}\n", subject=subject).klass == "human"
