"""Starfarer's order words in German."""

from engine.phrases import PhraseTranslation
from engine.starfarer.german_words import GERMAN_WORDS
from engine.starfarer.vocabulary import CONDITIONS, VOCABULARY

GERMAN = PhraseTranslation(
    vocabulary=VOCABULARY,
    commands=GERMAN_WORDS,
    links={},
    things={
        **{word: GERMAN_WORDS[word] for word in CONDITIONS},
        "scout": ("Kundschafter", "Kundschafterin"),
        "guard": ("Wache",),
        "marksman": ("Schütze", "Scharfschütze", "Schützin"),
        "duellist": ("Fechter", "Fechterin"),
        "brawler": ("Schläger", "Schlägerin"),
        "medic": ("Sanitäter", "Sanitäterin"),
        "vest": ("Weste",),
        "jacket": ("Jacke",),
        "suit": ("Anzug",),
        "helmet": ("Helm",),
        "FIELD": ("FELD",),
        "OPTIONS": ("ZUSATZREGELN",),
        "declaration": ("Ansage",),
        "modifiers": ("Waffentempo",),
        "multiple": ("mehrere",),
        "blow through": ("Durchschuss",),
        "blunt": ("stumpf",),
        "aftermath": ("Nachspiel",),
    },
    league={
        "": {"SQUAD": ("TRUPP",)},
        "RULES": {
            "round": ("RUNDE",),
            "plans": ("PLÄNE",),
            "attacks": ("ANGRIFFE",),
            "defence": ("ABWEHR",),
            "checks": ("PROBEN",),
            "treating": ("VERSORGEN",),
            "options": ("ZUSATZREGELN",),
            "squads": ("TRUPPS",),
        },
        "SHIPS": {
            "guard": ("WACHE",),
            "scout": ("KUNDSCHAFTER",),
            "marksman": ("SCHÜTZE",),
            "duellist": ("FECHTER",),
            "brawler": ("SCHLÄGER",),
            "medic": ("SANITÄTER",),
        },
    },
    names={"unarmed": ("waffenlos", "unbewaffnet")},
    either=" oder ",
)
