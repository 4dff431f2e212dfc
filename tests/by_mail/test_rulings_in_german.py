"""A moderator may rule in German, with a reason that stays as it is written."""

from pathlib import Path

import pytest

from pbem.handlers.moderator.ruling_table import RULINGS
from pbem.handlers.order_words import TRANSLATIONS
from tests.support.harness import duel, open_league
from tests.support.players import address_of, words


def test_a_ruling_and_its_reason_may_be_german(tmp_path: Path) -> None:
    with open_league(tmp_path, moderator=address_of("Mona")) as league:
        ann, _ = duel(league)
        mona = league.person("Mona")
        mona.join()
        key = mona.key
        mona.ask("LANGUAGE de")

        def ruled(ruling: str) -> str:
            mona.new()
            mona.write(f"{ruling}\n\nSCHLÜSSEL {key}")
            return words(mona.new()[0])

        assert "Angehalten: Partie 1" in ruled("GM ANHALTEN 1 WEIL die Post an alle stockt")
        assert league.game.paused
        assert "die Post an alle stockt" in words(ann.new()[-1])
        ruled("GM fortsetzen PARTIE 1")
        assert not league.game.paused
        told = ruled("GM HILFE")
        assert "GM ANHALTEN 12" in told
        assert "GM PAUSE" not in told


@pytest.mark.parametrize("example", [ruling.example for ruling in RULINGS])
def test_each_ruling_has_german_words(example: str) -> None:
    german = TRANSLATIONS["de"]
    text = example.removeprefix("GM ")
    shown = " ".join(german.rulings.get(word, (word,))[0] for word in text.split())
    assert german.ruling(shown) == text
    assert shown.split()[0] != text.split()[0] or text == "NEWSLETTER"


def test_a_mistyped_german_ruling_is_shown_as_it_is_written(tmp_path: Path) -> None:
    with open_league(tmp_path, moderator=address_of("Mona")) as league:
        mona = league.person("Mona")
        mona.join()
        key = mona.key
        mona.ask("LANGUAGE de")
        told = words(mona.ask(f"GM VERLÄGERN 12 48h\nSCHLÜSSEL {key}"))
        assert "Entscheidungen sehen so aus: GM VERLÄNGERN 12 48h." in told
