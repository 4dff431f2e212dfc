"""LANGUAGE by mail: letters in the player's own language, and orders in it."""

from pathlib import Path

import pytest

from pbem.settings import SettingsError
from tests.house import open_house
from tests.players import words


def test_a_player_changes_the_language_of_letters(tmp_path: Path) -> None:
    with open_house(tmp_path) as house:
        ann = house.person("Ann")
        ann.join()
        answer = ann.ask("LANGUAGE Deutsch")
        assert "Briefe kommen von jetzt an auf Deutsch" in words(answer)
        answer = ann.ask("LANGUAGE en")
        assert "letters come in English from now on" in words(answer)


def test_a_language_that_nobody_translates_is_refused(tmp_path: Path) -> None:
    with open_house(tmp_path) as house:
        ann = house.person("Ann")
        ann.join()
        answer = ann.ask("LANGUAGE Klingon")
        assert "no letters are written in Klingon" in words(answer)
        assert "de, en" in words(answer)


def test_a_league_may_write_german_to_all(tmp_path: Path) -> None:
    with open_house(tmp_path, language="de") as house:
        ann = house.person("Ann")
        ann.join()
        assert "Ratlos?" in words(ann.ask("STATUS"))
    with pytest.raises(SettingsError, match="language is 'tlh'"):
        open_house(tmp_path, language="tlh").__enter__()
