"""The words of orders."""

from engine.cortex.german_words import GERMAN_WORDS
from engine.order_words import Words
from engine.phrases import Vocabulary

ENGLISH: Words = {
    "FIRE": ("FIRE", "SHOOT", "ATTACK"),
    "AIM": ("AIM",),
    "LOCK": ("LOCK", "LOCK ON"),
    "LAUNCH": ("LAUNCH",),
    "INTERCEPT": ("INTERCEPT", "SHOOT DOWN"),
    "OUTFLY": ("OUTFLY", "OUT-FLY", "OUTRUN"),
    "TRICK": ("TRICK", "DISTRACT"),
    "BOMBARD": ("BOMBARD", "BOMB", "SHELL"),
    "SPOT": ("SPOT", "DESIGNATE"),
    "JOIN": ("JOIN", "FORM UP WITH", "FORM WITH", "FORM ON"),
    "LEAVE": ("LEAVE", "LEAVE WING", "LEAVE THE WING"),
    "SHIELD WITH": ("SHIELD WITH", "SHIELD BY", "SHIELD"),
    "CLOSE ON": ("CLOSE ON", "CLOSE WITH", "CLOSE IN ON", "CLOSE", "APPROACH"),
    "OPEN": ("OPEN", "OPEN RANGE", "OPEN THE RANGE"),
    "RAM": ("RAM",),
    "STRAFE": ("STRAFE",),
    "WITHDRAW": ("WITHDRAW", "RETREAT"),
    "JUMP": ("JUMP",),
    "DEFEND": ("DEFEND",),
    "EVADE": ("EVADE", "DODGE"),
    "PRESS": ("PRESS", "PRESS HOME", "PRESS ATTACK", "PRESS THE ATTACK"),
    "ASSIST": ("ASSIST", "DIRECT"),
    "FORWARD": ("FORWARD", "RELAY"),
    "SENSE FOR": ("SENSE FOR", "SENSE", "SCAN FOR"),
    "PLOT": ("PLOT", "PLOT COURSE", "PLOT A COURSE"),
    "CHECK FIRE": ("CHECK FIRE", "CEASE FIRE"),
    "SURRENDER": ("SURRENDER", "YIELD"),
    "HOLD": ("HOLD",),
    "KEEP": ("KEEP",),
    "COMMANDER": ("COMMANDER",),
    "EXECUTIVE": ("EXECUTIVE", "EXECUTIVE OFFICER", "XO"),
    "AND": ("AND",),
    "THEN": ("THEN",),
    "AT": ("AT",),
    "ON": ("ON",),
    "WITH": ("WITH", "USING"),
    "AROUND": ("AROUND", "ROUND", "BEHIND"),
    "OF": ("OF", "ABOARD"),
    "FOR": ("FOR",),
    "SPOTTER": ("SPOTTER", "SPOTTED BY"),
    "CALLED": ("CALLED", "CALLING"),
    "nearest": ("nearest", "the nearest", "closest", "the closest"),
    "weakest": ("weakest", "the weakest"),
    "missile": ("missile", "the missile", "nearest missile", "the nearest missile"),
    "pilot": ("pilot", "the pilot"),
    "guns": ("guns", "the guns", "gunners"),
    "sensors": ("sensors", "the sensors"),
    "comms": ("comms", "the comms"),
    "tactical": ("tactical",),
    "engines": ("engines", "the engines", "engine"),
    "weapon": ("weapon", "a weapon", "weapons", "the weapons"),
}
"""What may be written for each key word; the first is the one that is shown."""

VERBS = (
    "FIRE", "AIM", "LOCK", "LAUNCH", "INTERCEPT", "OUTFLY", "TRICK", "BOMBARD", "SPOT", "JOIN",
    "LEAVE", "SHIELD WITH", "CLOSE ON", "OPEN", "RAM", "STRAFE", "WITHDRAW", "JUMP", "DEFEND",
    "EVADE", "PRESS", "ASSIST", "FORWARD", "SENSE FOR", "PLOT", "CHECK FIRE", "SURRENDER", "HOLD",
)  # fmt: skip

STATIONS = {
    "COMMANDER": "commander",
    "EXECUTIVE": "executive",
    "pilot": "pilot",
    "sensors": "sensors",
    "comms": "comms",
    "tactical": "tactical",
}
"""The stations by their key words."""

VOCABULARY = Vocabulary(ENGLISH, (GERMAN_WORDS,), VERBS, (*STATIONS, "KEEP"))
