"""NEW KEY: another key by letter, and the old one is worth nothing."""

from pathlib import Path

from tests.house import open_house
from tests.players import words


def test_a_new_key_takes_the_place_of_the_old(tmp_path: Path) -> None:
    with open_house(tmp_path) as house:
        ann = house.person("Ann")
        ann.join()
        old = words(ann.last_about("Welcome")).partition("Your key is ")[2][:11]
        told = words(ann.ask("NEW KEY"))
        new = told.partition("your key is ")[2][:11]
        assert new != old
        assert old not in told
        ann.write(f"KEY {new}\nSTATUS")
        [answer] = ann.new()
        assert "STATUS" in words(answer)
        ann.write(f"KEY {old}\nSTATUS")
        [refused] = ann.new()
        assert "KEY" in words(refused)
        assert house.last_letter().klass == "refused"
