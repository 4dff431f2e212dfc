"""New text next to quotes, footers and signatures (issue 13, point 3)."""

import pytest

from pbem.intake.html import html_text_and_tags
from pbem.intake.quotes import own_text, own_words

REFEREE = "The Referee <referee@league.example>"


@pytest.mark.parametrize(
    "attribution",
    [
        f"On Fri, 20 Nov 2026 at 10:00, {REFEREE} wrote:",
        "On Fri, Nov 20, 2026 at 10:00 AM The Referee <\nreferee@league.example> wrote:",
        "Am 20.11.2026 um 10:00 schrieb The Referee:",
        f"El vie, 20 nov 2026 a las 10:00, {REFEREE}\nescribió:",
    ],
)
@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_words_right_above_an_attribution_are_kept(attribution: str, gap: str) -> None:
    quote = "> Far. You may order:\n> FIRE\n> TARGET"
    assert own_text(f"SCAN\nCLOSE{gap}{attribution}{gap}{quote}\n") == "SCAN\nCLOSE"


@pytest.mark.parametrize(
    "line",
    [
        "Write to me at <ada@home.example> by 20.11.2026, or never.",
        "We met on 20.11.2026 and since then nobody has seen Hawk at all (ask ada@home.example)",
        "Meet me on 20.11.2026",
        "Ship: R. <r@home.example>\nGuns: 3\nBeams: 2\nWe met on 20.11.2026, all of us.",
    ],
)
def test_a_sentence_with_a_date_is_no_attribution(line: str) -> None:
    assert own_text(f"{line}\nFIRE\n") == f"{line}\nFIRE"


@pytest.mark.parametrize(
    "line",
    [
        "Sent from my desk, is this letter a sign of hope",
        "Sent from my ship it was, and nobody came...",
        "Sent from my heart?",
    ],
)
def test_a_sentence_that_begins_like_a_footer_is_kept(line: str) -> None:
    assert own_text(f"SCAN\n{line}\n") == f"SCAN\n{line}"


@pytest.mark.parametrize(
    "footer",
    [
        "Sent from my iPhone",
        "Sent from my Verizon, Samsung Galaxy smartphone",
        "Von meinem iPhone gesendet",
        "Sent from Yahoo Mail. Get the app",
        "Pata Outlook ya iOS<https://aka.ms/o0ukef>",
        "Outlook for iOSを入手",
        "Sent from my BlackBerry 10 smartphone on the Rogers network.",
    ],
)
def test_a_footer_is_not_kept(footer: str) -> None:
    assert own_text(f"SCAN\n\n{footer}\n") == "SCAN"


def test_what_stands_below_bare_dashes_is_doubtful_however_long_it_is() -> None:
    below = ["FIRE", "TARGET", "CLOSE", "OPEN", "JINK", "ECM", "SCAN", "HOLD"]
    own = own_words("SCAN\n\n--\n" + "\n".join(below))
    assert own.text == "SCAN"
    assert list(own.unsure) == below


def test_what_stands_below_a_signatures_mark_is_not_asked_about() -> None:
    assert own_words("SCAN\n\n-- \nFIRE\n").unsure == ()


def test_dashes_between_two_lines_of_a_long_story_end_nothing() -> None:
    story = [f"Line {number} of a long story." for number in range(10)]
    text = "\n".join([*story, "--", *story])
    assert own_text(text) == text


def test_a_quotes_heading_may_have_a_date_alone_and_tags() -> None:
    quote = "Far. You may order:\nFIRE\nTARGET"
    block = "Von: Der Schiedsrichter\nDatum: 20. Juni 2026\nAn: Hawk"
    assert own_text(f"SCAN\n\n{block}\n\n{quote}\n") == "SCAN"
    tagged = (
        "<div>-------- Original message --------</div><div>From: The Referee</div><div>Date:12/11"
    )
    assert own_text(f"SCAN\n\n{tagged}\n</div>Hello,\n{quote}\n") == "SCAN"


def test_an_answer_below_a_long_quoted_line_may_begin_with_a_small_letter() -> None:
    quoted = "> You may order what you like, for the range between both ships is Far, and nobody"
    answer = (
        "rare indeed. i do not see how anybody could get closer to me than this, so\nthat is all."
    )
    assert own_text(f"{quoted}\n{answer}\n\nFIRE\n") == f"{answer}\n\nFIRE"
    assert own_text(f"{quoted}\nhas the Advantage.\n> FIRE\nSCAN\n") == "SCAN"


@pytest.mark.parametrize(
    "heading",
    [
        f"Le lundi 2 novembre 2026 à 13:00, {REFEREE} a écrit\n:",
        "Am 2. November 2026 13:00:00 MEZ schrieb r@league.example\n<r@league.example>:",
        "‐‐‐‐‐‐‐ Original Message ‐‐‐‐‐‐‐\nOn Monday, November 2nd, 2026 at 1:00 PM, R. wrote:",
    ],
)
def test_an_answer_below_a_quote_whose_heading_was_wrapped_is_kept(heading: str) -> None:
    assert own_text(f"{heading}\n> FIRE\n> TARGET\n\nSCAN\n") == "SCAN"


@pytest.mark.parametrize(
    "heading",
    [
        ">>> The Referee <referee@league.example> 02.11.26 13.00 Uhr >>>",
    ],
)
def test_nothing_below_a_heading_without_marks_is_new(heading: str) -> None:
    assert own_text(f"SCAN\n\n{heading}\n\nFIRE\nTARGET\n") == "SCAN"


def test_a_comparison_at_the_beginning_of_a_line_is_no_quote() -> None:
    rule = "IF BEAMS <= 0 AND EXTREME AND TURN\n>= 10: ESCAPE"
    assert own_text(f"SCAN\n{rule}\n") == f"SCAN\n{rule}"


def test_what_a_program_puts_in_the_place_of_a_picture_is_not_new() -> None:
    assert own_text("SCAN\n[image: The logo]\n[cid:image001.png@01D]\nFIRE\n") == "SCAN\nFIRE"


def test_a_long_line_does_not_go_on_below_a_quote() -> None:
    story = "Kestrel grins and turns the ship towards the dark side of the moon."
    assert own_text(f"{story}\n> FIRE\nCould this be it?\n") == f"{story}\n\nCould this be it?"


def test_a_german_notice_of_confidence_is_no_story() -> None:
    notice = (
        "Diese E-Mail enthält vertrauliche Informationen. Wenn Sie nicht der richtige Adressat "
        "sind, informieren Sie bitte sofort den Absender und vernichten Sie diese E-Mail."
    )
    assert own_text(f"SCAN\n\n{notice}\n") == "SCAN"


def test_a_small_letter_below_a_long_quoted_line_may_be_typed() -> None:
    """Lines that are wrapped all end where no further word fits."""
    long = "> Tap one, or reply with it on a line of its own. Further lines are orders"
    longer = "> for the turns after this one. If you send nothing by the deadline, the referee"
    assert own_words(f"{longer}\n{long}\njink\nfire\n> by the deadline\n").text == "jink\nfire"
    own = own_words(f"{long} for\nthe turns\n> after this one\n\njink\n")
    assert (own.text, own.unsure) == ("jink", ("the turns",))
    for order in ("fire", "FIRE"):
        own = own_words(f"{long} to\n{order}\n> after this\n\nSCAN\nOPEN\n")
        assert (own.text, own.unsure) == ("SCAN\nOPEN", (order,))


@pytest.mark.parametrize(
    "heading",
    [
        "От: Liga referee@league.example\nОтносно: x\nДо: Hawk\nВръчено: 02.11.2026 15:00",
        "ผู้ส่ง: Liga <referee@league.example>\nวันที่: 2 พฤศจิกายน 2026\nถึง: Hawk\nหัวเรื่อง: x",
    ],
)
def test_a_heading_ends_with_a_label_that_nobody_knows(heading: str) -> None:
    assert own_text(f"{heading}\n\n> EJECT\n\nSCAN") == "SCAN"


@pytest.mark.parametrize("words", ["Ujumbe wa awali", "Oprindelig besked"])
@pytest.mark.parametrize("labels", ["Kutoka: {}\nTarehe: 2.11.26", "From: Referee\nDate: 2.11.26"])
def test_words_between_rules_above_header_lines_head_a_quote_in_any_language(
    words: str, labels: str
) -> None:
    heading = f"-----{words}-----\n{labels.format(REFEREE)}"
    assert own_text(f"SCAN\n\n{heading}\n\nFIRE\n") == "SCAN"
    for below in ("IF LOCKED: FIRE\nELSE: TARGET", "From: the bridge\nTo: all\n\nHawk comes."):
        title = f"-----{words}-----\n{below}"
        assert own_text(title) == title


@pytest.mark.parametrize(
    "line",
    [
        "Orders as agreed:",
        "Avalon League said:",
        "Caution: this comes from outside the convoy, and nobody has seen its captain.",
    ],
)
def test_a_line_of_the_players_right_above_a_quote_is_kept(line: str) -> None:
    block = f"From: {REFEREE}\nSent: 20 November 2026\nTo: Hawk\nSubject: your turn"
    marked = "> ##- please write above -##\n> Far. FIRE"
    for quote in (f"{block}\n\nFar. FIRE", marked):
        assert own_text(f"SCAN\n\n{line}\n\n{quote}\n") == f"SCAN\n\n{line}"


def test_orders_right_above_our_marker_are_the_players() -> None:
    ours = "> ##- please write above -##\n> Far. FIRE\n"
    assert own_text(f"TARGET\nSCAN\n{ours}") == "TARGET\nSCAN"


def test_a_table_that_is_set_in_is_no_heading() -> None:
    table = f"{' ' * 13}Red        FIRE\n{' ' * 13}Gold       To be seen\n"
    assert own_text(f"SCAN\n\n{table}\nWell.\n") == f"SCAN\n\n{table}\nWell."


@pytest.mark.parametrize(
    "page",
    [
        '<p class="MsoNormal">Not this:</p><p class="MsoNormal">FIRE</p>',
        '<p class="x_MsoListParagraph">Not this:</p><p class="x_MsoListParagraph">FIRE</p>',
        '<p style="margin: 0in 0in 8pt">Not this:</p><p style="margin-top:0">FIRE</p>',
        "<style>P {margin-top:0;margin-bottom:0;}</style><p>Not this:</p><p>FIRE</p>",
        "<p>Not this:</p>\n<p>FIRE</p>\n<p>&nbsp;</p>\n<p>SCAN</p>",
        "<p>Not this:</p><p>FIRE</p><p><br></p><p>SCAN</p>",
        "<div>Not this:</div><div>FIRE</div><div>&nbsp;</div><div>SCAN</div>",
    ],
)
def test_paragraphs_between_which_no_gap_is_seen_are_lines(page: str) -> None:
    text, _ = html_text_and_tags(page, 1_000, 50)
    assert text.strip().split("\n\n")[0] == "Not this:\nFIRE"


def test_a_paragraph_with_its_gap_is_one() -> None:
    text, _ = html_text_and_tags("<p>Well!</p><p>FIRE</p><p></p><p>SCAN</p>", 1_000, 50)
    assert text.split() == text.strip().split("\n\n")
