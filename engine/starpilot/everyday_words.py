"""What people write who do not know the orders' words: `shoot`, `move closer`, `run away`.

They are never carried out. The answer names the order that may be meant.
"""

from collections.abc import Sequence

from engine.names import fold, match_name

PHRASES = {
    "FIRE": "shoot;attack;open fire;fire at will;blast;shoot beams;fire beams;fire lasers;"
    "use beams;fire guns;angreifen;angriff;greif an;ballern;abschießen",
    "LAUNCH": "fire missile;fire missiles;shoot missiles;fire a missile;rocket;rockets;"
    "send missiles;rakete abfeuern;raketen abfeuern",
    "TARGET": "lock;lock on;lock onto;aim;aim at;get a lock;target lock;take aim;aufschalten;"
    "anpeilen",
    "CLOSE": "move closer;get closer;go closer;come closer;fly closer;closer;close in;"
    "close the range;approach;advance;move in;move near;move nearer;go near;"
    "go nearer;get near;chase;pursue;näher;näher ran;näher heran;näher hin;"
    "flieg näher;geh näher ran",
    "OPEN": "move away;get away;fly away;back off;back away;fall back;move back;"
    "open the range;further away;retreat;gain distance;weiter weg;flieg weg;rückzug",
    "ESCAPE": "run away;run;flee;disengage;leave;leave the battle;get out;weglaufen;abhauen;"
    "lauf weg;hau ab",
    "JINK": "dodge;evade;evasive action;take evasive action;weave;evasive maneuvers;"
    "ausweichmanöver",
    "ECM": "jam;jamming;chaff;decoy;decoys;countermeasures;jam missiles;düppel",
    "PROTECT": "shields up;raise shields;raise the shields;defend;block;schilde hoch;verteidigen",
    "DOGFIGHT": "get behind;get behind him;get behind her;get behind them;gain advantage;"
    "get the advantage;take the advantage;dog fight;manövrieren;vorteil holen",
    "SCAN": "search;look;look around;find;find him;find them;detect;radar;sweep;"
    "use sensors;radar an",
    "SURRENDER": "give up;yield;i give up;i surrender;ich gebe auf;ich ergebe mich",
    "EJECT": "bail out;bail;leave the ship;abspringen;schleudersitz",
    "HOLD": "pass;do nothing;nichts tun",
}
"""No word that stands alone in our own letters, such as a stat, is among them."""
_MEANT = {fold(phrase): command for command, line in PHRASES.items() for phrase in line.split(";")}
_LONGEST = max(len(phrase.split()) for line in PHRASES.values() for phrase in line.split(";"))
_OBJECTS = frozenset(
    "him her it them now enemy opponent ship at on to the"
    " auf an den gegner feind ihn sie jetzt".split()
)
"""Words that may follow without telling a story."""


def meant(words: Sequence[str], names: Sequence[str] | None) -> tuple[str, str | None] | None:
    """Return the command that a line in everyday words means, with the opponent that it names.

    Return None for a story: `Attack at dawn, they said`.
    """
    for count in range(min(_LONGEST, len(words)), 0, -1):
        command = _MEANT.get(fold(" ".join(words[:count])))
        if command is None:
            continue
        rest = [word for word in words[count:] if word.lower() not in _OBJECTS]
        name = " ".join(rest)
        known = match_name(name, names) if names and rest else None
        if not rest or known is not None or (names is None and len(rest) == 1 and name.istitle()):
            return command, known or name or None
    return None
