"""A machine that is taken for a person, and answers each of our answers at once, is soon alone."""

from email.message import EmailMessage

import pytest

from tests.support.harness import League, duel
from tests.support.players import REFEREE, parsed

ROUNDS = 24 * 60 // 2


def noted(sender: str, to: str, number: int, words: str) -> bytes:
    """Return what the machine writes, which nothing shows to be a machine's."""
    letter = EmailMessage()
    letter["From"], letter["To"], letter["Subject"] = sender, to, "Your letter"
    letter["Message-ID"] = f"<{number}@desk.example>"
    letter.set_content(f"We looked at what you wrote and hand it on. {words}\n")
    return bytes(letter)


@pytest.mark.parametrize(
    ("known", "differs", "most"),
    [(False, False, 1), (False, True, 1), (True, False, 4), (True, True, 51)],
)
def test_a_loop_with_an_unknown_machine_ends(
    league: League, known: bool, differs: bool, most: int
) -> None:
    sender = duel(league)[0].address if known else "desk@desk.example"
    begun = len(league.post.letters)
    to = REFEREE
    for number in range(ROUNDS):
        league.drop(noted(sender, to, number, f"Number {number}." if differs else ""))
        before = len(league.post.letters)
        league.work()
        league.send()
        league.later(24 / ROUNDS)
        if len(league.post.letters) == before:
            break
        to = parsed(league.post.letters[-1][1])["Reply-To"] or to
    ours = [raw for address, raw in league.post.letters[begun:] if address == sender]
    assert 1 <= len(ours) <= most


@pytest.mark.parametrize(
    ("sender", "text"),
    [
        ("info@office.example", "JOIN Ada Example"),
        ("support@office.example", "Thank you for your league!\n\nJOIN Ada Example"),
        ("orders@office.example", "JOIN Ada Example\n\nThis mail was sent automatically."),
        ("no-reply@office.example", "Dear customer service,\n\nJOIN Ada Example"),
    ],
)
def test_a_person_who_writes_as_an_office_does_is_answered(
    league: League, sender: str, text: str
) -> None:
    letter = EmailMessage()
    letter["From"], letter["To"], letter["Subject"] = sender, REFEREE, "Registration [#4711]"
    letter["Message-ID"] = "<1@office.example>"
    letter.set_content(text)
    league.drop(bytes(letter))
    league.work()
    league.send()
    [(to, raw)] = league.post.letters
    assert (to, parsed(raw)["Subject"].split("] ")[-1]) == (
        sender,
        "Please confirm that you join Avalon League",
    )
