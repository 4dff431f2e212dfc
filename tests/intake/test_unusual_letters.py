"""Unusual letters: charsets, kinds of text, From lines and Precedence (issue 13, point 4)."""

from email.message import EmailMessage

import pytest

from pbem.intake import Reading, read_letter
from pbem.intake.addresses import one_mailbox
from pbem.intake.charsets import decode
from pbem.intake.html_prefilter import sieved

HEAD = (
    b"From: Ada <ada@home.example>\r\nTo: referee@league.example\r\nSubject: Orders\r\n"
    b"Message-ID: <1@home.example>\r\nDate: Fri, 20 Nov 2026 11:00:00 +0000\r\n"
)
TEXTS = {
    "euc_jp": "FIRE AT Kestrel\nホークは静かに星を見つめた。今夜は長い夜になるだろう。",
    "iso2022_jp": "FIRE AT Kestrel\nホークは静かに星を見つめた。今夜は長い夜になるだろう。",
    "cp932": "FIRE AT Kestrel\nホークは静かに星を見つめた。今夜は長い夜になるだろう。",
    "mac_cyrillic": "FIRE AT Kestrel\nЯстреб молча смотрел на звёзды. Ночь будет долгой.",
    "koi8_r": "FIRE\nЯстреб молча смотрел на звёзды. Ночь будет долгой.",
    "cp1251": "FIRE\nЯстреб молча смотрел на звёзды. Ночь будет долгой.",
    "gb18030": "FIRE\n老鹰静静地看着星星。今晚将是漫长的一夜。",
    "euc_kr": "FIRE\n매는 조용히 별을 바라보았다. 긴 밤이 될 것이다.",
    "cp1252": "FIRE\nDer Habicht sah schweigend über die Höhe. Größer wird die Nacht.",
    "cp1253": "FIRE\nΤο γεράκι κοίταζε σιωπηλά τα αστέρια.",
    "big5": "FIRE\n老鷹靜靜地看著星星。今晚將是漫長的一夜。",
    "utf-8": "FIRE\nΤο γεράκι κοίταζε 静かに über",
}


def read(head: bytes, body: bytes) -> Reading:
    return read_letter(HEAD + head + b"\r\n" + body)


@pytest.mark.parametrize("charset", TEXTS)
@pytest.mark.parametrize("declared", ["", "us-ascii", "iso-8859-1", "utf-8", "x-unknown", "right"])
def test_a_text_is_read_by_what_it_is(charset: str, declared: str) -> None:
    text = TEXTS[charset]
    assert decode(text.encode(charset), charset if declared == "right" else declared) == text


def test_a_text_is_read_though_the_guess_at_its_charset_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stumbles(raw: bytes) -> None:
        raise KeyError(raw[:1])

    monkeypatch.setattr("chardet.detect", stumbles)
    assert decode("Щит, огонь\nFIRE".encode("koi8-r")).endswith("\nFIRE")


@pytest.mark.parametrize(
    ("name", "charset"),
    [
        ("x-euc-jp", "euc_jp"),
        ("x-mac-cyrillic", "mac_cyrillic"),
        ("MacCyrillic", "mac_cyrillic"),
        ("x-windows-1251", "cp1251"),
        ("x-koi8-r", "koi8_r"),
        ("x-big5", "big5"),
        ("x-euc-kr", "euc_kr"),
    ],
)
def test_charsets_go_by_the_names_that_programs_use(name: str, charset: str) -> None:
    assert decode(TEXTS[charset].encode(charset), name) == TEXTS[charset]


@pytest.mark.parametrize("kind", ["text/x-markdown", "text/enriched", "text/x-unknown", "text/foo"])
def test_an_unknown_kind_of_text_is_plain_text(kind: str) -> None:
    assert read(f"Content-Type: {kind}\r\n".encode(), b"SCAN\r\nFIRE\r\n").text == "SCAN\nFIRE"


@pytest.mark.parametrize(
    "lines", [["first-class", "bulk"], ["bulk", "normal"], ["Junk; x=y"], ["junk (auto_reply)"]]
)
def test_every_precedence_line_counts(lines: list[str]) -> None:
    head = "".join(f"Precedence: {line}\r\n" for line in lines).encode()
    assert read(head, b"SCAN\r\n").klass == "autoreply"


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("ada@home.example (Ada)", "Ada"),
        ("ada@home.example (Ada (the first))", ""),
        ("Ada <ada@home.example> (work (at night))", "Ada"),
        ("Ada <ada(comment)@home.example>", "Ada"),
        ("ada@(at home) home.example", ""),
        ("(Ada) ada@home.example", ""),
        (r"Ada <ada@home.example> (a \) bracket)", "Ada"),
        ("Ada: Home <ada@home.example>", "Ada: Home"),
    ],
)
def test_comments_in_a_from_line_are_ignored(value: str, name: str) -> None:
    found = one_mailbox(value)
    assert found is not None
    assert (found.address, found.name) == ("ada@home.example", name)


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("Ada @ home <ada@home.example>", "Ada @ home"),
        ("ada@home.example (Ada @ work)", "Ada @ work"),
        ("Ada@Home <ada@home.example>", "Ada@Home"),
        ("@da <ada@home.example>", "@da"),
    ],
)
def test_a_name_with_a_place_behind_an_at_sign_shows_no_address(value: str, name: str) -> None:
    found = one_mailbox(value)
    assert found is not None
    assert (found.address, found.name) == ("ada@home.example", name)


@pytest.mark.parametrize(
    "value",
    [
        "Ada <ada@home.example> (bob@x.example)",
        "Bob: bob@x.example <ada@home.example>",
        "ada@home.example (not closed",
        "Bob <bob@x.example> (hm), ada@home.example",
        "(<bob@x.example>) ada@home.example (and (more))",
    ],
)
def test_a_from_line_that_shows_two_addresses_is_refused(value: str) -> None:
    assert one_mailbox(value) is None


def test_attached_files_are_named() -> None:
    letter = EmailMessage()
    letter["From"], letter["To"] = "ada@home.example", "referee@league.example"
    letter["Subject"], letter["Message-ID"] = "Orders", "<2@home.example>"
    letter.set_content("See the file.\n")
    letter.add_attachment(b"FIRE", maintype="application", subtype="pdf", filename="orders.pdf")
    letter.add_attachment(b"x", maintype="application", subtype="ms-tnef", filename="winmail.dat")
    letter.add_attachment(b"x", maintype="image", subtype="png", filename="logo.png")
    read_ = read_letter(bytes(letter))
    assert read_.unread == ("orders.pdf", "winmail.dat")
    assert read_.text == "See the file."


def test_tags_that_are_too_deep_are_left_out_unless_they_nest_nothing() -> None:
    deep = "<div><i><div>a<br></div><p>b</i></div>"
    assert sieved(deep, 99, 2)[0] == "<div><span>a<br><p>b</span></div>"
