"""Letters in two forms: the HTML has the lines as typed, and a difference counts for nothing."""

from email.message import EmailMessage

import pytest

from pbem.intake import Reading, read_letter

RULE = "IF NOT UNDETECTED AND STRUCTURE <= 1 AND ENEMY SHIELDS >= 2 AND NEUTRAL: SURRENDER"
QUOTE = "On Fri, 20 Nov 2026 at 10:00, The Referee <referee@league.example> wrote:"


def read(plain: str, html: str) -> Reading:
    letter = EmailMessage()
    letter["From"] = "Ada <ada@home.example>"
    letter["To"] = "referee@league.example"
    letter["Subject"] = "Re: [G1-T2]"
    letter["Message-ID"] = "<1@home.example>"
    letter["Date"] = "Fri, 20 Nov 2026 11:00:00 +0000"
    letter.set_content(plain)
    letter.add_alternative(html, subtype="html")
    return read_letter(bytes(letter))


def gmail(*lines: str, quote: str = "") -> str:
    divs = "".join(f"<div>{line or '<br>'}</div>" for line in lines)
    attribution = QUOTE.replace("<", "&lt;").replace(">", "&gt;")
    quoted = (
        f'<br><div class="gmail_quote gmail_quote_container"><div class="gmail_attr">'
        f'{attribution}<br></div><blockquote class="gmail_quote">{quote}</blockquote></div>'
    )
    return f'<div dir="ltr">{divs}</div>{quoted if quote else ""}'


def test_a_wrapped_rule_has_its_line_back() -> None:
    cut = RULE.index("SURRENDER")
    read_ = read(f"SCAN\n{RULE[:cut]}\n{RULE[cut:]}\nFIRE\n", gmail("SCAN", RULE, "FIRE"))
    assert read_.text.splitlines() == ["SCAN", RULE, "FIRE"]
    assert read_.unsure == ()


def test_a_wrapped_rule_has_its_line_back_where_the_quotes_differ() -> None:
    cut = RULE.index("NEUTRAL")
    plain = f"{RULE[:cut]}\n{RULE[cut:]}\n\n{QUOTE}\n\n> Far. You are locked.\n> FIRE 45 %\n"
    read_ = read(plain, gmail(RULE, quote="<p>Far. You are locked.</p><p>FIRE 45&nbsp;%</p>"))
    assert read_.text.strip() == RULE
    assert read_.unsure == ()


def test_a_line_in_one_form_only_leaves_the_orders_of_both() -> None:
    cut = RULE.index("NEUTRAL")
    plain = f"{RULE[:cut]}\n{RULE[cut:]}\nThe smoke cleared.\n"
    read_ = read(plain, gmail(RULE))
    assert read_.text.splitlines() == [RULE]
    assert read_.unsure == ("The smoke cleared.",)


def test_a_plain_form_without_its_line_breaks_does_not_count() -> None:
    assert read("SCAN TARGET FIRE\n", gmail("SCAN", "TARGET", "FIRE")).text.splitlines() == [
        "SCAN",
        "TARGET",
        "FIRE",
    ]


def test_different_orders_are_reported() -> None:
    read_ = read("TARGET\nFIRE\n", gmail("TARGET", "SURRENDER"))
    assert set(read_.unsure) == {"FIRE", "SURRENDER"}
    assert "SURRENDER" not in read_.text


@pytest.mark.parametrize(
    ("plain", "html"),
    [
        ("* SCAN\n* FIRE\n", "<ul><li>SCAN</li><li>FIRE</li></ul>"),
        ("1. SCAN\n2. FIRE\n", "<ol><li>SCAN</li><li>FIRE</li></ol>"),
        ("*SCAN*\nFIRE\n", "<p><b>SCAN</b></p><p>FIRE</p>"),
        ("SCAN\n\n\nFIRE\n", "<div>SCAN</div><div><br></div><div>FIRE</div>"),
        (
            "SCAN <https://example.org/x>\nFIRE\n",
            '<p><a href="https://example.org/x">SCAN</a></p>FIRE',
        ),
        ("IF STRUCTURE <= 1: FIRE\n", "<p>IF STRUCTURE ≤ 1: FIRE</p>"),
        ("SCAN\nFIRE\n\n-- \nAda\n", "<p>SCAN<br>FIRE</p><p>-- <br>Ada</p>"),
        ("SCAN\nFIRE\n\nSent from my iPhone\n", "<p>SCAN<br>FIRE</p><p>Sent from my iPhone</p>"),
    ],
)
def test_what_only_looks_different_is_no_difference(plain: str, html: str) -> None:
    assert read(plain, html).unsure == ()


def test_what_one_form_quotes_is_no_difference() -> None:
    """The HTML's container takes in an answer below a quote, which the plain form shows as new."""
    plain = f"{QUOTE}\n> What now?\n\nTARGET Kestrel\n"
    html = gmail(quote="What now?").replace(
        "</blockquote></div>", "</blockquote><div>TARGET Kestrel</div></div>"
    )
    read_ = read(plain, html)
    assert "TARGET Kestrel" in read_.text
    assert read_.unsure == ()


def test_html_that_exceeds_a_cap_is_left_out() -> None:
    read_ = read("TARGET\nFIRE\n", "<b>" * 40_000 + "SURRENDER")
    assert read_.text.split() == ["TARGET", "FIRE"]
    assert read_.unsure == ()
