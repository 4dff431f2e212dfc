"""The order words of Cortex in German."""

from engine.cortex.german_words import GERMAN_WORDS
from engine.cortex.vocabulary import VOCABULARY
from engine.phrases import PhraseTranslation

GERMAN = PhraseTranslation(
    vocabulary=VOCABULARY,
    commands=GERMAN_WORDS,
    links={},
    things={
        "LOCKED ON": ("ERFASST", "AUFGESCHALTET"),
        "LOCK": ("AUFSCHALTUNG",),
        "MISSILE AT ME": ("RAKETE AUF MICH", "RAKETE IM ANFLUG"),
        "ADVANTAGE": ("VORTEIL",),
        "DISADVANTAGE": ("NACHTEIL",),
        "IN WING": ("IN STAFFEL", "IN DER STAFFEL"),
        "HURT": ("ANGESCHLAGEN",),
        "DAMAGED": ("BESCHÄDIGT",),
        "IMMOBILE": ("UNBEWEGLICH",),
        "ALONE": ("ALLEIN",),
        "LP": ("LP",),
        "ENEMY LP": ("LP DES FEINDES", "FEIND LP"),
        "SPEED": ("TEMPO", "GESCHWINDIGKEIT"),
        "ENEMY SPEED": ("TEMPO DES FEINDES", "FEIND TEMPO"),
        "ENEMIES": ("FEINDE",),
        "MISSILES": ("RAKETEN",),
        "TURN": ("ZUG", "RUNDE"),
        "RANGE": ("ENTFERNUNG",),
        "skirmish": ("Nahkampf",),
        "capital": ("mittel",),
        "short": ("weit",),
        "long": ("fern",),
    },
    either=" oder ",
)
