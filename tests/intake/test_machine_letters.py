"""Letters of programs, known by a mark in their header, and people whose words are like theirs.

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
    "local", ["notaryada", "requested", "ada.owner", "info", "support", "noreply", "root"]
)
def test_a_person_with_such_letters_in_the_address_stays_one(local: str) -> None:
    assert read(from_=f"{local}@host.example").klass == "human"


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
def test_no_words_make_a_machine_of_who_writes_them(text: str) -> None:
    """What a machine without a mark costs is bounded by counts (tests/by_mail)."""
    assert read(f"{text}\n").klass == "human"
    assert read("JOIN Ada\n", from_="info@home.example", subject=text).klass == "human"


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
