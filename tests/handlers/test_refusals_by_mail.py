"""Questions and what is refused: asked by one who fights, and whose other pilot has challenged."""

from collections.abc import Iterator

import pytest

from tests.support.harness import Person, duel, open_league
from tests.support.players import HAWK, KESTREL, words

CLIPUS = ("Angela 313B", "Clipus XIII-B")
WRIGHT = ("Rus 133-B", "Wright 1903S")


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Person, Person]]:
    """Ann and Bob with Hawk and Kestrel at war, Heron and Wren at peace, and a challenge open."""
    folder = tmp_path_factory.mktemp("table")
    with open_league(
        folder, limits={"letters_a_day": 1000, "automatic_answers_a_day": 1000}
    ) as one:
        ann, bob = duel(one)
        ann.ask(HAWK.replace("Hawk", "Heron").replace("cartel", "federation").replace(*CLIPUS))
        bob.ask(KESTREL.replace("Kestrel", "Wren").replace("alliance", "league").replace(*WRIGHT))
        ann.ask("CHALLENGE Wren WITH Heron")
        bob.new()
        yield ann, bob


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("HELP", "HELP orders"),
        ("HELP orders", "ENLIST"),
        ("help standing", "STANDING"),
        ("HELP chess", "there is no help on chess"),
        ("RULES", "Glenn E. Overby II"),
        ("RULES chess", "the rules have no page on chess"),
        ("STATUS", "Hawk"),
        ("SHEET", "Emboros Cartel"),
        ("SHEET Kestrel", "Cyfeillgar Alliance"),
        ("SHEET Nobody", "no pilot is called Nobody"),
        ("REPORT 9", "you have no pilot in game 9"),
        ("SCRIPT 1", "game 1 is not over"),
    ],
)
def test_is_answered(table: tuple[Person, Person], order: str, expected: str) -> None:
    ann, _ = table
    assert expected in words(ann.ask(order, ann.last_about("Welcome")))


def test_several_orders_have_one_answer(table: tuple[Person, Person]) -> None:
    ann, _ = table
    text = words(ann.ask("STATUS\nSHEET Hawk\nHELP nothing", ann.last_about("Welcome")))
    for order in ("STATUS", "SHEET Hawk", "HELP nothing"):
        assert f'You wrote "{order}"' in text


@pytest.mark.parametrize(
    ("order", "why"),
    [
        ("ENLIST Falcon", "ENLIST needs a name, and FOR in front of a side"),
        (HAWK.replace("Hawk FOR", "Falcon"), HAWK.replace("Hawk", "Falcon")),
        (HAWK, "the name Hawk is taken"),
        (HAWK.replace("Hawk", "Hawk 2"), "already flies for the cartel"),
        (HAWK.replace("Hawk", "Fa|con"), "is not a pilot's name"),
        (HAWK.replace("Hawk", "Falcon").replace("cartel", "empire"), "is not a side"),
        (HAWK.replace("Hawk", "Falcon").replace("12 PIL", "13 PIL"), "exactly 36 points"),
        (HAWK.replace("Hawk", "Falcon").replace("12 PIL", "17 PIL"), "from 1 to 16"),
        (HAWK.replace("Hawk", "Falcon").replace("Angela", "Wasp"), "is not a ship for a new pilot"),
        (HAWK.replace("FOR", "FOR the").replace("12 SH", "12 MODE XX SH"), "MODE is BB"),
        ("CHALLENGE Nobody WITH Hawk", "no pilot is called Nobody"),
        (
            "CHALLENGE Kestral WITH Heron",
            "no pilot is called Kestral. Perhaps this helps: Kestrel.",
        ),
        ("CHALLENGE Wren WITH Herron", "no pilot called Herron. Perhaps this helps: Heron."),
        ("CHALLENGE Wren WITH Kestrel", "you have no pilot called Kestrel"),
        ("CHALLENGE Heron WITH Hawk", "Hawk and Heron belong to the same player"),
        ("CHALLENGE Wren WITH Hawk", "Hawk is in a game already"),
        ("CHALLENGE Wren WITH Hawk", "PRACTICE WITH Hawk is possible meanwhile"),
        ("CHALLENGE Kestrel WITH Heron", "Kestrel is in a game already"),
        ("CHALLENGE Kestrel WITH Heron", "CHALLENGE ANYBODY WITH Heron asks all of them"),
        ("CHALLENGE Wren WITH Heron", "that challenge is open already: number 2"),
        ("ACCEPT 2", "challenge 2 is not open for you"),
        ("ACCEPT", "no challenge is open for you"),
        ("ACCEPT 77", "challenge 77 is not open for you"),
        ("DECLINE 2", "challenge 2 is not open for you"),
        ("DECLINE", "no challenge is open for you"),
        ("WITHDRAW 1", "challenge 1 is not open any more"),
    ],
)
def test_says_why(table: tuple[Person, Person], order: str, why: str) -> None:
    ann, _ = table
    text = words(ann.ask(order, ann.last_about("Welcome")))
    assert "That could not be done" in text
    assert why in text


def test_the_challenged_cannot_withdraw(table: tuple[Person, Person]) -> None:
    _, bob = table
    assert "not open for you" in words(bob.ask("WITHDRAW 2", bob.last_about("Welcome")))


def test_battle_orders_for_no_battle_are_known_as_orders(table: tuple[Person, Person]) -> None:
    cid = table[0].league.person("Cid")
    cid.join()
    text = words(cid.ask("FIRE\nMake it so."))
    assert "these are battle orders, but you are in no running game" in text
    assert "WORDS THAT NOBODY HAS SEEN | Make it so. Only what you mark is shown" in text
