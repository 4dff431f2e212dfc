"""Who plays in the demo, and what they write: a table of answers for each."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, repeat

from pbem.demo.letter import ShownLetter

CONFIRM, WELCOME, ENLISTED = "Please confirm", "Welcome", "Enlisted: "
CHALLENGED, BEGINS = "Challenge from", " begins"
# A person at the terminal may have asked for letters in German (LANGUAGE de).
PAUSE = "Your (?:move|orders) in |: (?:Du bist am Zug|Deine Befehle)"
FILED = "Your orders are filed|Report on |is over"
FILED += "|Deine Befehle sind eingereicht|: Bericht|ist vorbei"
OVER, SCRIPT = "is over", "checking script"
"""What the subjects of the referee's letters say, in English and where it matters in German."""

_PATIENT = 16
"""After this many reports without an end a player offers a draw."""

Lines = tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class Role:
    """A player: the first letter, and answers by subject, one after the other; "" is silence."""

    name: str
    address: str
    phone: bool
    opening: str
    lines: Lines


class Script:
    """The answers of a part that are still to come; the last one to a subject is repeated."""

    def __init__(self, part: Role) -> None:
        self._lines: list[tuple[str, Iterator[str]]] = [
            (subject, chain(texts, repeat(texts[-1]))) for subject, texts in part.lines
        ]

    def answer(self, letter: ShownLetter) -> str | None:
        """Return what the part answers to a letter; None for nothing."""
        for subject, texts in self._lines:
            if re.search(subject, letter.subject):
                return next(texts) or None
        return None


_HAWKS_ORDERS = """\
STANDING
IF UNDETECTED: SCAN
IF BEAMS <= 0 AND EXTREME: ESCAPE
IF BEAMS <= 0: OPEN
IF FIRED ON: JINK
IF LAUNCHED AT: ECM
IF NOT NEAR: CLOSE
IF ADVANTAGE: FIRE
IF TURN >= 1: DOGFIGHT
ELSE: SURRENDER
END

STORY
Hawk rolled out of the sun with the ice rings at her back."""

_KESTRELS_ORDERS = """\
SCAN

STANDING
IF UNDETECTED: SCAN
IF MISSILES <= 0 AND EXTREME: ESCAPE
IF MISSILES <= 0: OPEN
IF FIRED ON: JINK
IF LOCKED: LAUNCH
IF NEAR: OPEN
IF ADVANTAGE: LAUNCH
IF DISADVANTAGE: DOGFIGHT
IF TURN >= 1: TARGET
ELSE: SURRENDER
END

STORY
Kestrel had waited four days behind that moon. He was in no hurry."""
"""SURRENDER is always possible, so neither side ever runs out of orders."""

ANN = Role(
    name="Ann Hale",
    address="ann@home.example",
    phone=False,
    opening="JOIN Ann Hale",
    lines=(
        (CONFIRM, ("Yes, that was me. I am looking forward to it!",)),
        (
            WELCOME,
            ("ENLIST Hawk FOR cartel WEAPONS 14 PILOTING 10 SENSORS 12 SHIP Angela 313B\nSTATUS",),
        ),
        (ENLISTED, ("That Kestrel will do.\n\nCHALLENGE Kestrel WITH Hawk FIRST roll",)),
        (BEGINS, (_HAWKS_ORDERS,)),
        (
            PAUSE,
            (
                "The canopy had a crack across it by now, and she sang to keep calm.\n\nREADY",
                "Somebody had painted a second moon on her radar.\n\nREADY",
                *["READY"] * _PATIENT,
                "Enough of this. We both have families.\n\nDRAW",
            ),
        ),
        # Silent from the second such letter on, or the script would be asked for again and again.
        (OVER, ("A good fight. Now show me the dice!\n\nSCRIPT 1", "")),
    ),
)

BJORN = Role(
    name="Bjørn Falk",
    address="bjorn@hills.example",
    phone=True,
    opening="Hi, a friend told me about this.\n\nJOIN Bjørn Falk",
    lines=(
        (CONFIRM, ("yes",)),
        (
            WELCOME,
            ("enlist Kestrel for alliance weapons 14 piloting 8 sensors 14 ship Rus 133-A",),
        ),
        (CHALLENGED, ("Gladly.\n\nAccept.",)),
        (BEGINS, (_KESTRELS_ORDERS,)),
        (
            PAUSE,
            (
                "Kestrel ate his last apple, core and all.\n\nReady",
                *["ready"] * (_PATIENT + 1),
                "All right then.\n\ndraw",
            ),
        ),
    ),
)
"""He writes on a telephone, and plays the bot in `pbem demo --play`."""
