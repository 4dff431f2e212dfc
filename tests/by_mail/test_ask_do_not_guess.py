"""Five groups of letters, written by somebody who did not build the reading of orders.

Each file in `letters_to_ask` is a group, and each line of it a letter: who writes from where, what
is expected, and the text, with ¶ for a line break. A ~ begins a line that the group is about.
"""

import email.policy
import functools
import html
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from email.message import EmailMessage
from pathlib import Path
from typing import NamedTuple

import pytest

from pbem.games.export import export
from tests.channels.test_channels import connect, put_up
from tests.support.each_system import FORCES, filed, first_reports
from tests.support.harness import League, Person, open_league, prepared
from tests.support.paths import ROOT
from tests.support.players import REFEREE, address_of, letter, parsed, plain, reply

FOLDER = Path(__file__).parent / "letters_to_ask"
OURS = {
    "starpilot": "STANDING sound",
    "blackskies": "Blue: STEADY",
    "cortex": "Raider: HOLD\nFort: HOLD",
    "starfarer": "Cy: HOLD\nDi: HOLD",
}
"""What Bob orders, so that a turn is played."""

LEAVING = {"surrender", "eject", "escape", "yield", "withdraw"}
"""Orders that the deadline must not bring either."""


class Case(NamedTuple):
    """A letter of a group."""

    group: str
    name: str
    where: list[str]
    """The system or the place in the league, the language, and the form of the letter."""
    expected: list[str]
    text: str
    marked: list[str]
    """The lines that the group is about."""


def cases(group: str) -> list[Case]:
    """Read the letters of a group."""
    found = []
    for number, row in enumerate((FOLDER / f"{group}.txt").read_text().splitlines(), 1):
        if not row or row.startswith("#"):
            continue
        where, expected, text = (part.strip(" ") for part in row.split("|", 2))
        lines = text.split("¶")
        found.append(
            Case(
                group,
                f"{group}:{number} {' '.join(where.split())}",
                [*where.split(), "quoted"],
                [part.strip() for part in expected.split(" / ") if part.strip()],
                "\n".join(line.removeprefix("~") for line in lines),
                [line.removeprefix("~") for line in lines if line.startswith("~")],
            )
        )
    return found


def each(group: str, but: str = "") -> pytest.MarkDecorator:
    """Run a test for each letter of a group but those of a form, under its line in the file."""
    found = [pytest.param(case, id=case.name) for case in cases(group) if case.where[2] != but]
    return pytest.mark.parametrize("case", found)


def squashed(text: str) -> str:
    """Return a text's letters and digits, however it was wrapped, quoted or marked up."""
    return "".join(c for c in html.unescape(text).casefold() if c.isalnum())


def words_in(text: str) -> set[str]:
    """Return the words of a text that have four letters or more."""
    return set(re.findall(r"[^\W\d_]{4,}", text.casefold()))


@functools.cache
def our_words() -> frozenset[str]:
    """Return the words that stand in the referee's own letters and in the rules' code."""
    files = [*(ROOT / "templates").rglob("*.*"), *(ROOT / "engine").rglob("*.py")]
    return frozenset().union(*(words_in(path.read_text("utf-8", "ignore")) for path in files))


def everything(sent: EmailMessage) -> str:
    """Return all that a letter holds that can be read: headers, texts and attached texts."""
    texts = [
        bytes(part.get_payload(decode=True) or b"").decode("utf-8", "replace")
        for part in sent.walk()
        if part.get_content_maintype() == "text" or part.get_content_type().endswith("json")
    ]
    return "\n".join([*(str(value) for value in sent.values()), *texts])


GMAIL = '<div class="gmail_quote"><div>{}:<br></div><blockquote>{}</blockquote></div>'
OUTLOOK = """<div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0in 0in 0in">
<p><b>From:</b> {0}<br><b>Sent:</b> Monday<br><b>To:</b> Ann<br><b>Subject:</b> x</p></div>{1}"""


def in_html(text: str, tag: str, empty: str) -> str:
    """Return a text as a mail program's HTML, each line in an element of its own."""
    lines = (html.escape(line) or empty for line in text.split("\n"))
    return "".join(f"<{tag}>{line}</{tag.split()[0]}>\n" for line in lines)


def replied(person: Person, to: EmailMessage, text: str, form: str) -> EmailMessage:
    """Reply as one of several mail programs does."""
    subject, _, rest = text.partition("\n") if form == "subject" else ("", "", text)
    made = reply(person.name, to, rest, len(person.sent) + 1)
    made.replace_header("Subject", f"{made['Subject']} {subject}".strip())
    if form == "bare":
        made.set_content(text)
    elif form == "outlook":
        head = f"From: League <{to['Reply-To']}>\nSent: Monday, November 2, 2026 1:00 PM\n"
        head += f"To: {person.name} Example\nSubject: {to['Subject']}\n"
        made.set_content(f"{text}\n\n{'_' * 32}\n{head}\n{plain(to)}")
    elif form == "gmail":
        quote = GMAIL.format(to["Date"], html.escape(plain(to)))
        made.add_alternative(in_html(text, 'div dir="auto"', "<br>") + quote, subtype="html")
    elif form == "html":
        quote = OUTLOOK.format(REFEREE, html.escape(plain(to)))
        made.set_content(in_html(text, 'p class="MsoNormal"', "&nbsp;") + quote, subtype="html")
    return made


def with_headers(made: EmailMessage, case: Case) -> EmailMessage:
    """Give a letter the headers that its line names; one with - before it is taken away."""
    for name, _, value in (header.partition(": ") for header in case.expected):
        if name == "charset" and value == "html":
            made.set_content(in_html(case.text, "div", "<br>"), subtype="html")
        elif name == "charset":
            made.set_content(case.text, charset=value)
        else:
            del made[name.removeprefix("-")]
            if not name.startswith("-"):
                made[name] = value
    return made


def answers(person: Person, written: EmailMessage) -> list[EmailMessage]:
    """Send a letter, and return what its writer gets."""
    person.new()
    person.send(written)
    return person.new()


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[[str], League]]:
    """Open a league that plays one system; it is closed after the test."""
    with ExitStack() as stack:
        yield lambda system: stack.enter_context(open_league(tmp_path, systems=(system,)))


@prepared
def watched(league: League, system: str, language: str) -> tuple[Person, Person, Person]:
    """Bring Ann and Bob before their first turn, while Cleo watches."""
    people = first_reports(league, system, language)
    cleo = league.person("Cleo")
    cleo.join()
    cleo.ask("WATCH 1\nSUBSCRIBE newsletter")
    return *people, cleo


def answered(league: League, case: Case) -> tuple[Person, Person, list[EmailMessage]]:
    """Let Ann reply to her first report; return her, Bob, and what she gets for it."""
    system, language, form = case.where[:3]
    ann, bob, _ = watched(league, system, "de" if language == "de" else "en")
    made = replied(ann, ann.last_about("[G1-T1"), case.text, form)
    return ann, bob, answers(ann, with_headers(made, case) if case.group == "persons" else made)


def seen_by_others(league: League, bob: Person, system: str) -> str:
    """Play a turn, let others ask for all of it, and return all that they can read."""
    cleo = league.person("Cleo")
    bob.reply(OURS[system], bob.last_about("[G1-T1"))
    league.work()
    league.later(80)
    league.work()
    cleo.reply("HISTORY 1\nMAP 1\nGAMES")
    bob.reply("REPORT 1\nSTATUS")
    league.work()
    if league.game.running:
        league.rule("DRAW 1")
    league.service.ports.newsletter.want()
    league.work()
    assert put_up(league) == []
    ann = league.person("Ann").address
    letters = [each for name in ("Bob", "Cleo") for each in league.person(name).letters]
    assert {to for to, _ in league.post.letters} == {ann, bob.address, cleo.address}
    posted = [path.read_text() for path in (league.folder / "paste").rglob("*") if path.is_file()]
    assert posted
    issue = league.service.ports.newsletter.preview(league.now).text
    return "\n".join([*map(everything, letters), *posted, export(league.store, league.game), issue])


@each("private")
def test_words_that_are_not_marked_are_shown_to_nobody(
    opened: Callable[[str], League], case: Case
) -> None:
    league = opened(case.where[0])
    _, bob, _ = answered(league, case)
    connect(league, {"paste": {"kind": "folder", "path": "paste"}})
    assert case.marked
    view = seen_by_others(league, bob, case.where[0])
    pieces = [piece for line in case.marked for piece in re.split(r"[.:;,!?()。、،؟]+", line)]
    whole = [piece for piece in pieces if len(squashed(piece)) > (12 if piece.isascii() else 7)]
    rare = words_in(" ".join(case.marked)) - our_words()
    assert whole or rare
    assert [piece for piece in whole if squashed(piece) in squashed(view)] == []
    assert sorted(rare & words_in(html.unescape(view))) == []
    for shown in case.expected:
        assert squashed(shown) in squashed(view), "a marked story is shown"


@each("called_off")
def test_an_order_among_other_words_is_not_done_before_yes(
    opened: Callable[[str], League], case: Case
) -> None:
    league = opened(case.where[0])
    assert answered(league, case)[2]
    held = str(filed(league))
    assert [order for order in case.expected if order in held] == [], f"filed: {held}"
    before = str(league.orders())
    assert [order for order in case.expected if order in before] == []
    league.later(80)
    league.work()
    left = [order for order in case.expected if LEAVING & words_in(order)]
    assert [order for order in left if order in str(league.orders())] == []


@each("called_off", but="bare")
def test_yes_does_what_was_read(opened: Callable[[str], League], case: Case) -> None:
    league = opened(case.where[0])
    ann, _, [*_, answer] = answered(league, case)
    assert [order for order in case.expected if order in str(filed(league))] == []
    answers(ann, replied(ann, answer, "JA" if case.where[1] == "de" else "YES", "quoted"))
    done = f"{filed(league)} {league.orders()}"
    # A condition without an order behind it is a rule that lacks something, which has a hint.
    hinted = any(head in plain(answer) for head in ("NOT UNDERSTOOD", "NICHT VERSTANDEN"))
    assert hinted or [order for order in case.expected if order not in done] == []


@each("at_once")
def test_clear_orders_are_done_without_a_question(
    opened: Callable[[str], League], case: Case
) -> None:
    league = opened(case.where[0])
    _, bob, _ = answered(league, case)
    held = filed(league)
    found = [*held["queue"], *(f"IF {order}" for order in held["rules"])]
    if case.expected[-1] != "READY":
        assert found == case.expected
        return
    assert set(case.expected[:-1]) <= set(found)
    bob.reply(OURS[case.where[0]], bob.last_about("[G1-T1"))
    before = league.game.steps
    league.work()
    assert league.game.steps == before + 1, "READY does not wait for what is missing"


@each("persons")
def test_a_letter_of_a_person_is_answered(opened: Callable[[str], League], case: Case) -> None:
    if case.where[0] != "stranger":
        assert answered(opened(case.where[0]), case)[2]
        return
    league = opened("starpilot")
    made = with_headers(letter("Dora", case.text, 1), case)
    league.drop(made.as_bytes(policy=email.policy.SMTP))
    league.work()
    [sender] = re.findall(r"[^\s<]+@[^\s>]+", str(made["From"]))
    assert sender.casefold() in [to.casefold() for to, _ in league.post.letters]


@prepared
def enlisted(league: League, system: str, step: str) -> tuple[Person, Person]:
    """Bring Ann and Bob to where Ann may challenge Bob, or to where Bob may accept."""
    ann, bob = league.person("Ann"), league.person("Bob")
    for person, force in zip((ann, bob), FORCES[system], strict=False):
        person.join()
        if step != "welcome":
            person.ask(force)
    if step == "offer":
        ann.ask(FORCES[system][2])
        bob.new()
    return ann, bob


def placed(league: League, where: str, system: str, german: bool) -> tuple[Person, EmailMessage]:
    """Bring a league to a place, and return who writes there, and the letter that is answered."""
    if where == "confirm":
        person = league.person("Dora")
        person.write("JOIN Dora Example")
        league.work()
        to = person.last
    elif where in {"welcome", "challenge", "offer"}:
        ann, bob = enlisted(league, system, where)
        person = bob if where == "offer" else ann
        to = person.last
    else:
        person, bob = first_reports(league, system, "de" if german else "en")
        to = person.last_about("[G1-T1")
        if where != "report":
            hers = FORCES[system][0].split()[1]
            bob.reply(("PRESS" if where == "press" else f"TELL {hers}") + "\nHave you seen my cat?")
            league.work()
            to = person.last
            assert "Have you seen my cat?" in plain(to)
    if german and where in {"welcome", "challenge", "offer"}:
        person.ask("LANGUAGE de", to)
    return person, to


@each("kept")
def test_no_words_vanish(opened: Callable[[str], League], case: Case) -> None:
    where, system, language, form = case.where[:4]
    league = opened(system)
    if where == "join":
        person = league.person("Dora")
        person.write(case.text)
    else:
        person, answered = placed(league, where, system, language == "de")
        person.new()
        person.send(replied(person, answered, case.text, form))
    before = len(league.post.letters)
    league.work()
    told = {to: "" for to, _ in league.post.letters}
    for to, raw in league.post.letters[before:]:
        told[to] += squashed(everything(parsed(raw)))
    reader = address_of("Bob") if where in {"tell", "press"} else person.address
    assert case.marked
    if where == "join":
        # The address is not confirmed, and may be forged: nobody's words are sent to it.
        asks = ("If anything else stood in your letter", "Stand in deinem Brief noch etwas anderes")
        assert any(squashed(line) in told[reader] for line in asks)
        return
    assert [line for line in case.marked if squashed(line) not in told[reader]] == []
    told.pop(reader)
    told.pop(person.address, None)
    assert [line for line in case.marked if squashed(line) in str(told)] == []
