"""Letters are read by structure: parts with names, reactions, links, copies, our own list."""

from datetime import UTC, datetime
from email.message import EmailMessage

import pytest

from pbem.i18n import zones
from pbem.storage import Story
from tests.support.each_system import filed
from tests.support.harness import League, Person, duel
from tests.support.players import letter, words


@pytest.fixture
def ann(league: League) -> Person:
    return duel(league)[0]


def answer_to(ann: Person, body: str) -> EmailMessage:
    """Return an answer to the last report without a quote below it."""
    report = ann.last_about("[G1-")
    return letter("Ann", body, 900, report["Reply-To"], f"Re: {report['Subject']}")


def sent(ann: Person, written: EmailMessage) -> str:
    """Send a letter and return the words of its answer."""
    ann.new()
    ann.send(written)
    return " ".join(map(words, ann.new()))


def attach(written: EmailMessage, text: str, name: str, kind: str = "plain") -> None:
    """Attach a text as a file with a name."""
    written.add_attachment(text, subtype=kind, filename=name)


def picture(written: EmailMessage) -> None:
    """Attach a picture."""
    written.add_attachment(b"\x89PNG", maintype="image", subtype="png", filename="map.png")


@pytest.mark.parametrize(("name", "kind"), [("ATT00001.txt", "plain"), ("ATT00002.htm", "html")])
def test_text_below_a_picture_goes_on_with_the_letter(
    league: League, ann: Person, name: str, kind: str
) -> None:
    written = answer_to(ann, "\n")
    picture(written)
    attach(written, "SCAN\n" if kind == "plain" else "<p>SCAN</p>", name, kind)
    answer = sent(ann, written)
    assert filed(league)["queue"] == ["SCAN"]
    assert "was not opened" not in answer


@pytest.mark.parametrize("how", ["inline", "attachment"])
@pytest.mark.parametrize("kind", ["plain", "html"])
def test_the_only_text_of_a_letter_is_read_whatever_its_name(
    league: League, ann: Person, how: str, kind: str
) -> None:
    written = answer_to(ann, "")
    written.set_content("SCAN" if kind == "plain" else "<p>SCAN</p>", subtype=kind)
    written["Content-Disposition"] = f'{how}; filename="message.txt"'
    sent(ann, written)
    assert filed(league)["queue"] == ["SCAN"]


def test_forms_with_names_are_forms(league: League, ann: Person) -> None:
    written = answer_to(ann, "SCAN\n")
    written.add_alternative("<p>SCAN</p>", subtype="html")
    for part in written.iter_parts():
        part["Content-Disposition"] = 'attachment; filename="body"'
    sent(ann, written)
    assert filed(league)["queue"] == ["SCAN"]


def test_a_text_file_below_the_letter_is_a_file(league: League, ann: Person) -> None:
    written = answer_to(ann, "\n")
    attach(written, "SCAN\n", "orders.txt")
    assert "orders.txt" in sent(ann, written)
    assert filed(league)["queue"] == []


def test_a_protected_letter_is_said_to_be_unreadable(ann: Person) -> None:
    written = answer_to(ann, "Ann has sent you a protected message.\n")
    kind = {"maintype": "application", "subtype": "x-microsoft-rpmsg-message"}
    written.add_attachment(b"x", **kind, filename="message_v4.rpmsg")
    assert "protected" in sent(ann, written)


@pytest.mark.parametrize("kind", ["text/vnd.google.email-reaction+json", "reaction"])
def test_a_reaction_is_no_words(league: League, ann: Person, kind: str) -> None:
    written = answer_to(ann, "SCAN\nAnn reagierte über Gmail\n")
    written.add_alternative('{"emoji": "x"}', subtype="plain")
    [*_, part] = written.iter_parts()
    if kind == "reaction":
        part["Content-Disposition"] = kind
    else:
        part.replace_header("Content-Type", kind)
    answer = sent(ann, written)
    assert "reagierte" not in answer
    assert filed(league)["queue"] == []
    assert not league.store.count(Story.select())


@pytest.mark.parametrize(
    "written",
    [
        "SCAN<mailto:referee@league.example?subject=Re%3A&body=SCAN>",
        "SCAN <mailto:referee@league.example?subject=Re%3A&body=SCAN>",
        "SCAN (mailto:referee@league.example?body=SCAN)",
        "SCAN\n<mailto:referee@league.example?subject=Re%3A\n&body=SCAN>",
        "SCAN<https://links.example/?url=mailto%3Areferee>",
        "- SCAN (https://links.example/?url=mailto%3Areferee).",
        f"SCAN<https://links.example/?url={'a' * 900}>",
    ],
)
def test_an_order_with_its_link_behind_it_is_the_order(
    league: League, ann: Person, written: str
) -> None:
    sent(ann, answer_to(ann, written))
    assert filed(league)["queue"] == ["SCAN"]


def copy_of(written: EmailMessage, text: str) -> EmailMessage:
    """Return another copy of a letter that a gateway changed."""
    other = EmailMessage(policy=written.policy)
    for name in ("From", "To", "Date", "Message-ID"):
        other[name] = written[name]
    other["Subject"] = f"[External] {written['Subject']}"
    other.set_content(text)
    return other


@pytest.mark.parametrize("changed", ["{}\n\nScanned by a gateway.", "[External] Beware.\n\n{}"])
def test_copies_of_one_letter_that_a_gateway_changed_are_one(
    league: League, ann: Person, changed: str
) -> None:
    written = answer_to(ann, "PRACTICE WITH Hawk\nHELP\n")
    sent(ann, written)
    count = len(ann.letters)
    ann.send(copy_of(written, changed.format("PRACTICE WITH Hawk\nHELP")))
    league.work()
    assert len(ann.letters) == count
    assert "the same letter as number" in league.last_letter().reason


@pytest.mark.parametrize("change", ["HELP\nSTATUS", "STATUS"])
def test_another_letter_with_the_same_message_id_is_carried_out(
    league: League, ann: Person, change: str
) -> None:
    written = answer_to(ann, "HELP\n")
    sent(ann, written)
    assert sent(ann, copy_of(written, change))


def test_somebody_of_a_domain_with_other_letters_can_join(league: League) -> None:
    raw = (
        "From: Dea Example <dea@bücher.example>\r\nTo: referee@league.example\r\n"
        "Subject: Hello\r\nMessage-ID: <1@home.example>\r\n\r\nJOIN Dea Example\r\n"
    )
    league.drop(raw.encode())
    league.work()
    [(to, answer)] = league.post.letters
    assert to == "dea@xn--bcher-kva.example"
    assert b"dea@xn--bcher-kva.example" in answer


@pytest.mark.parametrize("domain", ["faß.example", "ｌeague.example"])
def test_a_domain_that_might_be_anothers_is_not_written_to(league: League, domain: str) -> None:
    raw = f"From: dea@{domain}\r\nTo: referee@league.example\r\n\r\nJOIN Dea Example\r\n"
    league.drop(raw.encode())
    league.work()
    assert not league.post.letters


def test_a_further_address_may_have_such_a_domain(league: League, ann: Person) -> None:
    assert "ann@xn--bcher-kva.example" in words(ann.ask("ADDRESS ann@bücher.example"))
    ann.reply("YES")
    league.work()
    assert "ann@xn--bcher-kva.example" in [to for to, _ in league.post.letters]


@pytest.mark.parametrize(
    ("name", "hours"),
    [("GMT+2", 2), ("UTC+2", 2), ("+02:00", 2), ("GMT-5", -5), ("UTC -5", -5), ("+5:30", 5.5)],
)
def test_a_zone_by_its_offset_never_means_the_opposite(
    ann: Person, name: str, hours: float
) -> None:
    answer = words(ann.ask(f"TIMEZONE {name}"))
    assert "Etc/" not in answer
    places = zones.at_offset(name, now := datetime(2026, 11, 2, tzinfo=UTC))
    assert places
    for place in places:
        offset = now.astimezone(zones.ZoneInfo(place)).utcoffset()
        assert offset is not None
        assert offset.total_seconds() == hours * 3600
        assert place in answer


def through_a_list(written: EmailMessage, name: str, value: str) -> EmailMessage:
    """Return a letter with the marks of a mailing list."""
    written[name] = value
    written["List-Unsubscribe"] = "<mailto:leave@league.example>"
    written["Precedence"] = "list"
    return written


@pytest.mark.parametrize(
    ("name", "value", "ours"),
    [
        ("List-Id", "The league <referee.league.example>", True),
        ("List-Post", "<mailto:referee@league.example>", True),
        ("List-Post", "<mailto:other-referee@league.example>", False),
        ("List-Id", "<chat.example>", False),
    ],
)
def test_a_list_that_is_our_own_address_is_a_way_in(
    league: League, ann: Person, name: str, value: str, ours: bool
) -> None:
    sent(ann, through_a_list(answer_to(ann, "SCAN\n"), name, value))
    assert filed(league)["queue"] == ["SCAN"] * ours
