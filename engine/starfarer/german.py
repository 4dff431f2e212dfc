"""Starfarer's order words in German."""

from engine.starfarer.german_words import GERMAN_WORDS
from engine.starfarer.translation import PlanTranslation

GERMAN = PlanTranslation(
    commands=GERMAN_WORDS,
    links={},
    things={},
    either=" oder ",
)
