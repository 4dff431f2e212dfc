"""Letters of programs, known by a mark in their header, and people whose words are like theirs."""

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
        ("Auto-Submitted", "auto-replied (vacation)", "autoreply"),
        ("Auto-Submitted", "no", "human"),
        ("X-Autoreply", "yes", "autoreply"),
        ("X-Auto-Reply", "no", "human"),
        ("X-Mail-Autoreply", "1", "autoreply"),
        ("X-Autorespond", "turn", "autoreply"),
        ("X-Auto-Generated", "desk-receipt", "autoreply"),
        ("X-Auto-Response-Suppress", "All", "human"),
        ("Precedence", "bulk", "autoreply"),
        ("List-Unsubscribe", "<mailto:stop@list.example>", "list"),
        ("X-Mailing-List", "wings@list.example", "list"),
        ("X-Loop", "bob@elsewhere.example", "human"),
        ("X-Zendesk-Priority-Mail", "1", "human"),
        ("X-OTRS-Loop", "desk@home.example", "human"),
        ("RT-Ticket", "wings 47", "human"),
        ("X-Mailer", "OTRS Mail Service (6.0.30)", "human"),
    ],
)
def test_a_program_is_known_by_the_mark_that_says_so(name: str, value: str, klass: str) -> None:
    """A person answers from the program of a help desk too, so its name is no mark."""
    assert read(**{name: value}).klass == klass


STATEMENTS = [
    "This is an automatically generated e-mail from the plant.",
    "I am out of the office until Monday.",
    "Thank you for contacting us. Ticket 4711 has been opened.",
    "Mail could not be delivered: user unknown.",
    "Your mailbox is full.",
    "Dies ist eine maschinell erstellte Mitteilung.",
    "Это письмо было создано автоматически.",
    "このメールは自動配信されています。",
]


@pytest.mark.parametrize("text", STATEMENTS)
def test_no_words_make_a_machine_of_who_writes_them(text: str) -> None:
    """What a machine without a mark costs is bounded by counts (tests/by_mail)."""
    assert read(f"{text}\n").klass == "human"
    assert read("JOIN Ada\n", from_="info@home.example", subject=text).klass == "human"


@pytest.mark.parametrize(
    "subject",
    ["Automatic reply: turn", "Abwesenheitsnotiz", "Read: turn", "Undeliverable", "ticket [#4711]"],
)
def test_no_subject_makes_a_machine_of_who_writes_it(subject: str) -> None:
    assert read("SCAN\n", subject=subject).klass == "human"


@pytest.mark.parametrize(
    ("sender", "path", "text", "klass"),
    [
        ("MAILER-DAEMON (Mail System)", "", "We gave up on ada@home.example.", "bounce"),
        ("Out <MAILER-DAEMON@mx.example>", "", "We gave up.", "autoreply"),
        ("imss@gate.example", "<>", "We gave up on ada@home.example.", "bounce"),
        ("imss@gate.example", "<>", "We gave up.", "autoreply"),
        ("imss@gate.example", "<imss@gate.example>", "No way to ada@home.example.", "human"),
        ("postmaster@home.example", "", "JOIN Ada", "human"),
        ("Daemon Mailer <ada@home.example>", "", "JOIN Ada", "human"),
    ],
)
def test_a_bounce_without_a_report_is_known_by_who_sends_it(
    sender: str, path: str, text: str, klass: str
) -> None:
    head = f"From: {sender}\nTo: referee@league.example\n"
    head += f"Return-Path: {path}\n" if path else ""
    assert read_letter(f"{head}\n{text}\n".encode()).klass == klass


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
