"""The words of a plan in English and German, and those of squads and challenges in German."""

from engine.order_translations import Words
from engine.orders.phrase_parser import PhraseTranslation, Vocabulary
from engine.starfarer.tables import AREAS, NEAREST, SHOCK

GERMAN_WORDS: Words = {
    "ATTACK": (
        "ANGREIFEN", "GREIFE AN", "ANGRIFF AUF", "ANGRIFF", "SCHIESSE AUF",
        "SCHIESSEN AUF", "FEUERE AUF", "FEUERN AUF",
    ),
    "AIM AT": ("ZIELEN AUF", "ZIELE AUF", "ZIELEN", "ZIELE"),
    "EVADE": ("AUSWEICHEN", "WEICHE AUS", "DUCKEN"),
    "PARRY": ("PARIEREN", "PARIERE", "ABWEHREN"),
    "MOVE TOWARD": ("GEHEN ZU", "GEHE ZU", "GEH ZU", "LAUFEN ZU", "LAUFE ZU", "NÄHERN",
                    "NÄHER RAN AN", "NÄHER RAN"),
    "MOVE TO": ("GEHEN NACH", "GEHE NACH", "GEH NACH", "LAUFEN NACH", "LAUFE NACH"),
    "TREAT": ("VERSORGEN", "VERSORGE", "BEHANDELN", "BEHANDLE", "VERBINDEN"),
    "DROP": ("HINLEGEN", "LEGE DICH HIN", "HINWERFEN"),
    "RISE": ("AUFSTEHEN", "STEHE AUF", "STEH AUF"),
    "HOLD": ("ABWARTEN",),
    "YIELD": ("ERGEBEN", "AUFGEBEN"),
    "ABORT": ("ABBRUCH", "ABBRECHEN"),
    "KEEP": ("BEIBEHALTEN", "BEHALTEN"),
    "IF": ("WENN", "FALLS"),
    "ELSE": ("SONST", "ANDERNFALLS"),
    "AND": ("UND",),
    "THEN": ("DANN",),
    "WITH": ("MIT",),
    "WITHIN": ("BIS",),
    "METRES": ("METER", "METERN", "M"),
    "FINISH": ("TÖTEN", "ENDGÜLTIG"),
    "OF": ("VON", "BEI"),
    "NOT": ("NICHT",),
    "ENGAGED": ("BEDRÄNGT", "IM NAHKAMPF"),
    "CLEAR": ("FREI",),
    "HURT": ("VERLETZT", "VERWUNDET"),
    "BLEEDING": ("BLUTET", "BLUTEND"),
    "nearest": ("nächsten", "den nächsten", "nächster", "nächste", "dem nächsten"),
    "head": ("Kopf",),
    "chest": ("Brust",),
    "abdomen": ("Bauch",),
    "right arm": ("rechter Arm", "rechten Arm", "rechtem Arm"),
    "left arm": ("linker Arm", "linken Arm", "linkem Arm"),
    "right leg": ("rechtes Bein", "rechtem Bein"),
    "left leg": ("linkes Bein", "linkem Bein"),
    "right hand": ("rechts", "rechte Hand", "rechter Hand"),
    "left hand": ("links", "linke Hand", "linker Hand"),
    "shock": ("Schock",),
}  # fmt: skip


ENGLISH: Words = {
    "ATTACK": ("ATTACK", "SHOOT AT", "SHOOT", "FIRE AT", "FIRE ON", "FIRE", "STRIKE", "STAB"),
    "AIM AT": ("AIM AT", "AIM"),
    "EVADE": ("EVADE", "DODGE", "DUCK"),
    "PARRY": ("PARRY", "BLOCK"),
    "MOVE TOWARD": (
        "MOVE TOWARD", "MOVE TOWARDS", "GO TOWARD", "GO TOWARDS", "RUN TOWARD", "RUN TOWARDS",
        "APPROACH", "MOVE CLOSER TO", "MOVE CLOSER", "GET CLOSER TO", "GET CLOSER", "CLOSE IN ON",
        "CLOSE IN",
    ),
    "MOVE TO": ("MOVE TO", "GO TO", "RUN TO", "MOVE"),
    "TREAT": ("TREAT", "BANDAGE", "HEAL"),
    "DROP": ("DROP", "LIE DOWN", "GO PRONE"),
    "RISE": ("RISE", "STAND UP", "GET UP"),
    "HOLD": ("HOLD",),
    "YIELD": ("YIELD", "SURRENDER"),
    "ABORT": ("ABORT",),
    "KEEP": ("KEEP",),
    "IF": ("IF", "WHEN"),
    "ELSE": ("ELSE", "OTHERWISE"),
    "AND": ("AND",),
    "THEN": ("THEN",),
    "WITH": ("WITH", "USING"),
    "WITHIN": ("WITHIN",),
    "METRES": ("METRES", "METRE", "METERS", "METER", "M"),
    "FINISH": ("FINISH",),
    "OF": ("OF",),
    "NOT": ("NOT",),
    "ENGAGED": ("ENGAGED",),
    "CLEAR": ("CLEAR",),
    "HURT": ("HURT", "WOUNDED"),
    "BLEEDING": ("BLEEDING",),
    NEAREST: (NEAREST, "the nearest", "closest", "the closest"),
    **{area: (area,) for area in (*AREAS, SHOCK)},
    "right hand": ("right hand",),
    "left hand": ("left hand",),
}  # fmt: skip
"""What may be written for each key word; the first is the one that is shown."""

VERBS = (
    "ATTACK", "AIM AT", "EVADE", "PARRY", "MOVE TOWARD", "MOVE TO", "TREAT", "DROP", "RISE",
    "HOLD", "YIELD",
)  # fmt: skip
CONDITIONS = {"ENGAGED": "engaged", "CLEAR": "clear", "HURT": "hurt", "BLEEDING": "bleeding"}
"""The conditions of a plan by their key words (SF-9)."""

# All languages at once: a name that is a key word in any is quoted, so that a plan shown in
# German is read again as the same (decision 0031).
VOCABULARY = Vocabulary(ENGLISH, (GERMAN_WORDS,), VERBS, ("IF", "ABORT", "KEEP"), unit="m")

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
)
