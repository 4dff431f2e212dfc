"""The rows of faults.md that are about reading, one test or more a row."""

from __future__ import annotations

import base64

import pytest

from pbem.intake import CUT_MARKER, Limits, Reading, read_letter
from pbem.intake.mime import split_header


def letter(body: str = "TARGET", **fields: str) -> Reading:
    fields = {"From": "Hawk <hawk@example.org>", "Subject": "Re: turn", **fields}
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in fields.items()]
    return read_letter("\n".join([*lines, "", body]).encode())


def html(body: str, **fields: str) -> Reading:
    return letter(body, Content_Type="text/html; charset=utf-8", **fields)


def parts(*bodies: tuple[str, str], kind: str = "alternative") -> Reading:
    pieces = "".join(f"--b\nContent-Type: {each}\n\n{body}\n" for each, body in bodies)
    return letter(f"{pieces}--b--\n", Content_Type=f"multipart/{kind}; boundary=b")


@pytest.mark.parametrize("date", ["Thu, 1 Jan 1970 00:00:00 +0000", "1 Jan 2099", "yesterday", ""])
def test_fault_16_date_means_nothing(date: str) -> None:
    assert letter(Date=date) == letter()


def test_fault_19_no_message_id() -> None:
    assert letter().message_id is None
    assert letter(Message_ID="no brackets").message_id is None
    assert letter().klass == "human"


@pytest.mark.parametrize(
    "field",
    [
        {"Auto_Submitted": "auto-replied"},
        {"Auto_Submitted": "auto-generated; owner=x"},
        {"Precedence": "auto_reply"},
        {"X_Autoreply": "yes"},
        {"Return_Path": "<>"},
    ],
)
def test_fault_21_vacation_letters_are_no_orders(field: dict[str, str]) -> None:
    reading = letter(**field)
    assert (reading.klass, reading.text) == ("autoreply", "")


def test_fault_21_people_are_not_vacations() -> None:
    assert letter(Auto_Submitted="no").klass == "human"
    assert letter(X_Auto_Response_Suppress="All").klass == "human"
    assert letter(Subject="Out of office next week").klass == "human"


def test_fault_22_robots_without_headers_keep_one_topic() -> None:
    topics = {letter(Subject=each).topic for each in ("Hello", "Re: hello", "AW: RE[2]: Hello")}
    assert topics == {"hello"}


def test_fault_23_own_letters_come_back() -> None:
    limits = Limits(ours=("referee@league.example",))
    for field in (
        b"From: Referee@League.example",
        b"From: a@b.example\nX-Loop: referee@league.example",
    ):
        assert read_letter(field + b"\n\nTARGET", limits).klass == "autoreply"


def test_fault_24_bounces_and_reports_are_no_people() -> None:
    assert letter("x", From="<>").klass == "autoreply"
    assert (
        letter("x", Content_Type="multipart/report; report-type=delivery-status").klass == "bounce"
    )
    assert letter("x", Content_Type="multipart/report; report-type=feedback-report").klass == (
        "feedback"
    )


def test_fault_24_a_person_may_speak_of_bounces() -> None:
    for subject in ("Undeliverable", "Re: Undelivered Mail Returned to Sender"):
        assert letter("My mail to Kestrel bounced, what now?", Subject=subject).klass == "human"
    quoted = "What is this?\n\n> This is the mail system at host mx.example.org."
    assert letter(quoted, Subject="Fwd: Undelivered Mail").klass == "human"


def test_fault_24_a_bounce_is_of_the_first_letter_that_it_returns() -> None:
    returned = "From: l@x.example\nMessage-ID: <{}@x.example>\n\nHello"
    report = "Final-Recipient: rfc822;h@x.example\nAction: failed\nStatus: 5.1.1"
    reading = parts(
        ("message/delivery-status", f"Reporting-MTA: dns;x\n\n{report}"),
        ("message/rfc822", returned.format("ours")),
        ("message/rfc822", returned.format("another")),
        kind="report",
    )
    assert reading.returned_id == "<ours@x.example>"


def test_fault_34_a_letter_without_a_header_is_all_body() -> None:
    assert split_header(b"\nTARGET\n\nFIRE") == (b"", b"TARGET\n\nFIRE")


def test_fault_26_a_bounce_for_its_content_is_told_apart() -> None:
    def kind(status: str, said: str) -> str:
        fields = f"Final-Recipient: rfc822;h@x.example\nAction: failed\nStatus: {status}"
        return parts(
            ("text/plain", "x"),
            (
                "message/delivery-status",
                f"Reporting-MTA: dns;x\n\n{fields}\nDiagnostic-Code: {said}",
            ),
            kind="report",
        ).bounce_kind

    assert kind("5.1.1", "smtp; 550 user unknown") == "hard"
    assert kind("5.7.1", "smtp; 554 looks like spam") == "policy"
    assert kind("4.2.2", "smtp; 452 mailbox full") == "soft"


def test_fault_27_read_receipts_are_no_orders() -> None:
    kind = "multipart/report; report-type=disposition-notification"
    assert letter(Content_Type=kind).klass == "autoreply"


def test_fault_31_only_the_address_counts() -> None:
    reading = letter(From='"Merlin <merlin@example.org>" <kestrel@example.net>')
    assert reading.sender == "kestrel@example.net"


@pytest.mark.parametrize(
    "value",
    [
        "alice@example.org)<bob@evil.example>",
        "alice@example.org@evil.example",
        "alice@example.org <bob@evil.example>",
        "Alice @ example . org <bob@evil.example>",
        "alice@example\u3002org <bob@evil.example>",
        "alice@home@example.org <bob@evil.example>",
        "alice@home, carol@home <bob@evil.example>",
        "<alice@example.org> <bob@evil.example>",
        "alice@example.org, bob@evil.example",
        "bob@evil.example (alice@example.org)",
        "<<alice@example.org>>",
        "friends: alice@example.org;",
        "<@evil.example:alice@example.org>",
        '"a\\"<alice@example.org>" <bob@evil.example>',
        "alice@[192.0.2.1]",
        "alice@example..org",
        "alice\0@example.org",
        "alice@example.org\u202e <bob@evil.example>",
        "\u200balice@example.org",
    ],
)
def test_fault_32_parser_differential_in_from(value: str) -> None:
    reading = letter(From=value)
    assert (reading.klass, reading.sender, reading.text) == ("refused", None, "")


@pytest.mark.parametrize("gap", ["\n", "\r", "\r\n", "\r\r\n"])
def test_fault_32_two_from_fields(gap: str) -> None:
    raw = f"From: alice@example.org{gap}From: bob@evil.example\n\nTARGET"
    assert read_letter(raw.encode()).klass == "refused"


def test_fault_33_look_alikes_stay_other_people() -> None:
    assert letter(From="\u0430lice@example.org").sender != "alice@example.org"
    assert letter(From="\u212aestrel@example.org").sender != "kestrel@example.org"
    assert letter(From="ALICE@EXAMPLE.ORG").sender == "alice@example.org"


@pytest.mark.parametrize("raw", [b"Subject: x\n\nTARGET", b"From:\n\nTARGET", b"", b"\n\nTARGET"])
def test_fault_34_no_sender(raw: bytes) -> None:
    assert read_letter(raw).klass == "refused"


def test_fault_37_nothing_decoded_makes_a_new_line() -> None:
    evil = base64.b64encode(b"x\r\nBcc: victim@example.org\0").decode()
    reading = letter(Subject=f"=?utf-8?b?{evil}?=", From=f"=?utf-8?b?{evil}?= <a@b.example>")
    assert reading.subject == "x Bcc: victim@example.org"
    assert reading.display_name == "x Bcc: victim@example.org"
    assert letter(Message_ID="<a\r\nBcc: b@c>").message_id is None


@pytest.mark.parametrize(
    "hidden",
    [
        '<div style="display:none">EJECT</div>',
        '<div style="DISPLAY : NONE !important">EJECT</div>',
        '<p style="visibility: hidden">EJECT</p>',
        '<p style="font-size: 0">EJECT</p>',
        '<p style="font-size:0.0px;color:red">EJECT</p>',
        "<p hidden>EJECT</p>",
        "<!-- EJECT -->",
        "<!--[if mso]>EJECT<![endif]-->",
        "<style>EJECT</style><script>EJECT</script><title>EJECT</title>",
        "<template>EJECT</template><noscript>EJECT</noscript>",
        '<div style="display:none"><div style="display:block">EJECT</div></div>',
    ],
)
def test_fault_39_hidden_html_is_not_read(hidden: str) -> None:
    assert html(f"<p>TARGET</p>{hidden}").text == "TARGET"


def test_fault_40_one_preference_where_text_and_html_differ() -> None:
    both = ("text/plain", "TARGET\nFIRE"), ("text/html", "<p>EJECT</p><p>FIRE</p>")
    for order in (both, both[::-1]):
        assert (parts(*order).text, parts(*order).unsure) == ("FIRE", ("TARGET", "EJECT"))
    assert parts(("text/plain", " \u200b\n"), ("text/html", "<p>EJECT</p>")).text == "EJECT"


def test_fault_41_old_orders_in_the_quote() -> None:
    assert letter(f"TARGET\n\n{CUT_MARKER}\n\nEJECT").text == "TARGET"
    german = "##- bitte über dieser Zeile schreiben, oder zwischen den Zitaten -##"
    assert letter(f"TARGET\n\n{german}\n\nEJECT").text == "TARGET"
    assert letter(f"> {CUT_MARKER}\n>\n> EJECT\nTARGET").text == "TARGET"
    assert html(f"<div>TARGET</div><div>{CUT_MARKER}</div><div>EJECT</div>").text == "TARGET"


def test_fault_42_signatures_are_no_orders() -> None:
    assert letter("TARGET\n-- \nEJECT").text == "TARGET"
    assert letter("TARGET\n--\nEJECT").text == "TARGET"
    story = "TARGET\n--\n" + "A long story goes on here, line by line.\n" * 20 + "JINK"
    assert letter(story).text == story


def test_fault_43_bottom_posting_and_between() -> None:
    assert letter("On 20/11/26 12:00, Referee wrote:\n> EJECT\n\nTARGET").text == "TARGET"
    assert letter("> one?\nTARGET\n> two?\nJINK").text == "TARGET\n\nJINK"


def test_fault_44_forwarded_orders_never_count() -> None:
    forwarded = "From: Kestrel <k@example.net>\nDate: 20 Nov 2026 12:00\nSubject: x\n\nEJECT"
    assert letter(f"See:\n\n---------- Forwarded message ---------\n{forwarded}").text == "See:"
    attached = parts(("text/plain", "See:"), ("message/rfc822", forwarded), kind="mixed")
    assert attached.text == "See:"


@pytest.mark.parametrize(
    "line",
    [
        "Dydd Gwener 20 Tachwedd 2026 12:00, Referee <referee@league.example>:",
        "Referee <referee@league.example> (2026-11-20 12:00):",
        "२० नवंबर २०२६ को Referee <referee@league.example> ने लिखा:",
    ],
)
def test_fault_45_attributions_in_any_tongue(line: str) -> None:
    assert letter(f"TARGET\n\n{line}\n\n> EJECT").text == "TARGET"
    assert letter(f"TARGET\n\n{line}\n\nEJECT").text == "TARGET"


def test_fault_46_html_only_letters() -> None:
    assert html("<div>TARGET</div><div>FIRE&nbsp;AT Kestrel<br>JINK</div>").text == (
        "TARGET\nFIRE AT Kestrel\nJINK"
    )
    assert html("<div>TARGET</div>FIRE<p>JINK</p>EJECT").text == "TARGET\nFIRE\n\nJINK\n\nEJECT"


def test_fault_47_what_cannot_be_seen_is_gone() -> None:
    assert letter("\ufeffTAR\u200bGET\u00a0\u2066now\u2069\u00ad").text == "TARGET now"
    assert letter("می\u200cخواهم").text == "می\u200cخواهم"


def test_fault_47_flowed_lines() -> None:
    flowed = "text/plain; format=flowed"
    assert letter("TARGET \nJINK ", Content_Type=flowed).text == "TARGET\nJINK"
    long = "Hawk saw what no one else had seen in all these long and weary \nyears."
    assert letter(long, Content_Type=flowed).text == long.replace("\n", "")


@pytest.mark.parametrize(
    "charset", ["utf-7", "idna", "rot13", "zlib", "unicode_escape", "../x", "\udcff", "x" * 9_000]
)
def test_fault_48_untrusted_charsets(charset: str) -> None:
    kind = f"Content-Type: text/plain; charset={charset}".encode("utf-8", "surrogateescape")
    assert read_letter(b"From: a@b.example\n" + kind + b"\n\nTARGET +ADw-").text == "TARGET +ADw-"


def test_fault_48_wrongly_declared_charsets() -> None:
    head = b"From: a@b.example\nContent-Type: text/plain; charset="
    assert read_letter(head + b"utf-8\n\nJ\xf6rg").text == "Jörg"
    assert read_letter(head + b"us-ascii\n\nJ\xc3\xb6rg").text == "Jörg"
    assert read_letter(head + b"nonsense\n\nJ\xf6rg").text == "Jörg"


def test_fault_49_nul_bom_and_lone_cr() -> None:
    raw = b"From: a@b.example\nContent-Type: text/plain\n\n\xef\xbb\xbfTAR\0GET\rJINK\r\n"
    assert read_letter(raw).text == "TARGET\nJINK"


def test_fault_50_depth_bomb() -> None:
    opening = "Content-Type: multipart/mixed; boundary=b{0}\n\n--b{0}\n"
    raw = "From: a@b.example\n" + "".join(opening.format(at) for at in range(5_000)) + "\nTARGET"
    reading = read_letter(raw.encode())
    assert (reading.klass, reading.reason) == (
        "refused",
        "row 0 over a cap: parts nested deeper than 20",
    )


def test_fault_51_too_many_parts() -> None:
    reading = parts(*[("text/plain", "x")] * 1_001, kind="mixed")
    assert reading.reason == "row 0 over a cap: more than 1000 parts"
    assert parts(*[("text/plain", "x")] * 990, kind="mixed").klass == "human"


def test_fault_52_header_too_long() -> None:
    assert letter(To="a@b.cd, " * 20_000).reason == (
        "row 0 over a cap: a header of more than 102400 bytes"
    )
    assert letter(To=", ".join(f"a{at}@b.cd" for at in range(5_000))).klass == "human"


def test_fault_53_letter_too_large() -> None:
    assert letter("x" * (1 << 20)).klass == "refused"
    assert letter("x\n" * 6_000).reason == "row 13 text too long: more than 5000 lines"


def test_fault_55_attachments_are_not_opened_or_named() -> None:
    name = 'application/zip; name="../../etc/passwd"'
    text = 'text/plain; name="../orders.txt"'
    assert parts(("text/plain", "TARGET"), (text, "EJECT"), (name, "PK"), kind="mixed").text == (
        "TARGET"
    )


def test_fault_56_signed_is_read_and_sealed_is_told() -> None:
    signature = ("application/pgp-signature", "x")
    assert parts(("text/plain", "TARGET"), signature, kind="signed").text == "TARGET"
    reading = parts(("application/pgp-encrypted", "x"), kind="encrypted")
    assert (reading.klass, reading.encrypted, reading.text) == ("human", True, "")
    assert "encrypted" in reading.reason


def test_fault_57_broken_encodings_are_read_as_far_as_they_go() -> None:
    assert letter("VEFSR0VU", Content_Transfer_Encoding="base64").text == "TARGET"
    assert letter("VEFS\n R0V*UX", Content_Transfer_Encoding="base64").text == "TARGET"
    assert letter("TARGET =\n=4", Content_Transfer_Encoding="quoted-printable").text == "TARGET =4"
    lost = letter("--c\n\nTARGET\n--c--", Content_Type="multipart/mixed; boundary=b")
    assert lost.text == "TARGET"
    assert letter("TARGET", Content_Type="multipart/mixed").text == "TARGET"
    assert letter("TARGET", Content_Type="text").text == "TARGET"
