"""TELL, PRESS and BLOCK: passed on as they were written, without an address."""

import pytest

from pbem.storage import Post
from tests.channels.test_channels import connect
from tests.support.harness import League, Person
from tests.support.players import HAWK, KESTREL, plain, words

pytestmark = pytest.mark.league(limits={"tells_a_day": 2, "press_a_day": 1})


@pytest.fixture
def people(league: League) -> tuple[Person, Person, Person]:
    """Ann with Hawk, Bob with Kestrel, and Cat, who only reads."""
    ann, bob, cat = (league.person(name) for name in ("Ann", "Bob", "Cat"))
    for person in (ann, bob, cat):
        person.join()
    ann.ask(HAWK)
    bob.ask(KESTREL)
    return ann, bob, cat


def test_a_private_letter_goes_to_one_player_and_can_be_answered(
    people: tuple[Person, Person, Person],
) -> None:
    ann, bob, cat = people
    assert "to the player of Kestrel, without your address" in words(
        ann.ask("TELL Kestrel AS Hawk\nSurrender!\n\nOr not.")
    )
    [letter] = bob.new()
    assert letter["Subject"].endswith("A letter from Hawk")
    assert "| Surrender!" in plain(letter)
    assert "Ann Example, the player of Hawk," in words(letter)
    assert cat.new() == []
    bob.ask("TELL Hawk\nNever.", letter)
    [answer] = ann.new()
    assert "| Never." in plain(answer)
    assert answer["References"].split()[0] == letter["References"].split()[0]


def test_nobodys_address_goes_along(people: tuple[Person, Person, Person]) -> None:
    ann, bob, cat = people
    ann.ask("TELL Kestrel\nHello.\n-- \nAnn <ann@league.example>")
    bob.ask("PRESS\nHello all.", bob.new()[0])
    ann.new(), cat.new()
    for reader, others in ((ann, ("bob", "cat")), (bob, ("ann", "cat")), (cat, ("ann", "bob"))):
        for letter in reader.letters:
            assert not [other for other in others if f"{other}@" in letter.as_string().lower()]


def test_all_below_is_text_and_no_order_until_end(
    league: League, people: tuple[Person, Person, Person]
) -> None:
    ann, bob, _ = people
    answer = ann.ask("TELL Bob Example\nRESIGN Hawk\nPREVIEW\nTARGT\nEND\nBLOCK")
    assert "struck off" not in words(answer)
    assert "you have blocked nobody" in words(answer)
    assert [line for line in plain(bob.new()[0]).splitlines() if line.startswith("| ")] == [
        "| RESIGN Hawk",
        "| PREVIEW",
        "| TARGT",
    ]


def test_what_can_not_be_passed_on_is_no_story_either(
    league: League, people: tuple[Person, Person, Person]
) -> None:
    ann, bob, _ = people
    answer = words(ann.ask("TELL Kestral\nMy secret: SURRENDER\nSURRENDER"))
    assert "no pilot or player is called Kestral" in answer
    assert "held no order" not in answer
    ann.ask("STATUS")
    assert "nothing to pass on" in words(ann.ask("TELL Kestrel"))
    assert "is you, or fights for you" in words(ann.ask("TELL Hawk\nHello."))
    assert "you have no pilot called Kestrel" in words(ann.ask("TELL Bob Example AS Kestrel\nHi."))
    assert "10000 are the most" in words(ann.ask("TELL Kestrel\n" + "many more words \n" * 700))
    assert bob.new() == []


def test_a_day_has_its_limits(league: League, people: tuple[Person, Person, Person]) -> None:
    ann, bob, _ = people
    for text in ("One.", "Two."):
        assert "your letter goes to" in words(ann.ask(f"TELL Kestrel\n{text}"))
    assert "as many private letters today as one may (2)" in words(ann.ask("TELL Kestrel\nThree."))
    assert "your letter goes to 2 other players" in words(ann.ask("PRESS\nOne."))
    assert "as many public letters today as one may (1)" in words(ann.ask("PRESS\nTwo."))
    assert len(bob.new()) == 3
    league.later(24)
    assert "your letter goes to" in words(ann.ask("TELL Kestrel\nThree."))


def test_who_is_blocked_is_not_passed_on(people: tuple[Person, Person, Person]) -> None:
    ann, bob, cat = people
    assert "no letters of the player of Hawk" in words(bob.ask("BLOCK Hawk"))
    assert "you have blocked Ann Example" in words(bob.ask("BLOCK"))
    assert "takes no letters from you" in words(ann.ask("TELL Kestrel\nHello?"))
    assert "goes to one other player" in words(ann.ask("PRESS AS Hawk\nHello all!"))
    assert bob.new() == []
    assert cat.new()[-1]["Subject"].endswith("Hawk writes to all")
    assert "passed on to you again" in words(bob.ask("UNBLOCK Ann Example"))
    assert "you have not blocked" in words(bob.ask("UNBLOCK Hawk"))
    ann.ask("TELL Kestrel\nHello?")
    assert len(bob.new()) == 1


def test_public_letters_can_be_blocked_alone(people: tuple[Person, Person, Person]) -> None:
    ann, bob, _ = people
    assert "no public letters come" in words(bob.ask("BLOCK press"))
    assert "public letters do not come to you" in words(bob.ask("BLOCK"))
    ann.ask("PRESS\nHello all!")
    assert bob.new() == []
    assert "come to you again" in words(bob.ask("UNBLOCK PRESS"))


def test_public_letters_are_posted_and_open_no_tag(
    league: League, people: tuple[Person, Person, Person]
) -> None:
    bob = people[1]
    connect(league, {"paste": {"kind": "folder", "path": "posts", "format": "bbcode"}})
    assert "and is posted for all to read" in words(bob.ask("PRESS AS Kestrel\n[b]Hello[/b]"))
    [post] = league.store.all(Post.select().order_by(Post.id))
    assert post.title == "A letter from Kestrel"
    assert "Bob Example, the player of Kestrel, writes to all" in post.body
    assert "[b]Hello" not in post.body
    assert "league.example" not in post.body


def test_fault_37_38_a_text_reaches_no_header_and_no_markup(
    people: tuple[Person, Person, Person],
) -> None:
    ann, bob, _ = people
    ann.ask("TELL Kestrel\n<script>x</script>\nSubject: hello\nBcc: eve@evil.example")
    [letter] = bob.new()
    assert "Bcc" not in letter
    assert letter["Subject"].endswith("A letter from Ann Example")
    body = letter.get_body(("html",))
    assert body is not None
    assert "&lt;script&gt;x&lt;/script&gt;" in body.get_content()
