"""NEW KEY: another key by letter, and the old one is worth nothing."""

import pytest

from tests.support.harness import League, Person
from tests.support.players import words


def test_a_new_key_takes_the_place_of_the_old(league: League, ann: Person) -> None:
    old = ann.key
    text = words(ann.ask(f"KEY {old}\nNEW KEY"))
    new = text.partition("your key is ")[2][:11]
    assert new != old
    assert old not in text
    for hyphen in ("-", "\u2011", "\u2013"):
        ann.write(f"KEY {new.replace('-', hyphen)}\nSTATUS")
        [answer] = ann.new()
        assert 'You wrote "STATUS"' in words(answer)
    ann.write(f"KEY {old}\nSTATUS")
    [refused] = ann.new()
    assert "KEY" in words(refused)
    assert league.last_letter().klass == "refused"


@pytest.mark.parametrize("named", ["KEY {key}", "KEY:\n{key}", "my key:\n\n  {key} (thanks)"])
def test_fault_60_a_key_is_passed_on_to_nobody(league: League, named: str) -> None:
    ann, bob = league.person("Ann"), league.person("Bob")
    ann.join()
    bob.join()
    key = ann.key
    bob.new()
    ann.write(f"PRESS\nHello, all of you.\n{named.format(key=key)}\nGood night.")
    [letter] = bob.new()
    assert key not in words(letter)
    assert "Hello, all of you." in words(letter)
    assert "Good night." in words(letter)
