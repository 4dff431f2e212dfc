"""The words of a plan."""

from engine.order_words import Words
from engine.phrases import Vocabulary
from engine.starfarer.german_words import GERMAN_WORDS
from engine.starfarer.tables import AREAS, NEAREST, SHOCK

ENGLISH: Words = {
    "ATTACK": ("ATTACK", "SHOOT AT", "SHOOT", "FIRE AT", "FIRE ON", "FIRE", "STRIKE", "STAB"),
    "AIM AT": ("AIM AT", "AIM"),
    "EVADE": ("EVADE", "DODGE"),
    "PARRY": ("PARRY", "BLOCK"),
    "MOVE TOWARD": (
        "MOVE TOWARD", "MOVE TOWARDS", "GO TOWARD", "GO TOWARDS", "RUN TOWARD", "RUN TOWARDS",
        "APPROACH",
    ),
    "MOVE TO": ("MOVE TO", "GO TO", "RUN TO", "MOVE"),
    "TREAT": ("TREAT", "BANDAGE"),
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

VOCABULARY = Vocabulary(ENGLISH, (GERMAN_WORDS,), VERBS, ("IF", "ABORT", "KEEP"), unit="m")
