"""StarPilot's order words in German."""

from engine.order_translations import Translation

GERMAN = Translation(
    commands={
        "FIRE": ("FEUER", "FEUERE", "FEUERN", "SCHIESSE", "SCHIESSEN"),
        # RAKETEN is also the stat: alone on a line it is not an order.
        "LAUNCH": ("RAKETE", "RAKETEN", "STARTE"),
        "TARGET": ("ERFASSEN", "ERFASSE", "ZIEL", "ZIELE", "ZIELEN", "ANVISIEREN"),
        "DOGFIGHT": ("KURVENKAMPF", "LUFTKAMPF"),
        "JINK": ("AUSWEICHEN", "WEICHE AUS", "HAKEN"),
        "ECM": ("STÖREN", "STÖRE", "STÖRER"),
        "PROTECT": ("SCHÜTZEN", "SCHÜTZE", "SCHUTZ", "ABSCHIRMEN"),
        "OPEN": ("ABSTAND", "ENTFERNEN", "ABSETZEN"),
        "CLOSE": ("HERAN", "NÄHERN", "ANNÄHERN"),
        "SCAN": ("SUCHEN", "SUCHE", "ORTEN", "ORTE"),
        "ESCAPE": ("FLIEHEN", "FLIEHE", "FLUCHT", "ENTKOMMEN"),
        "SURRENDER": ("ERGEBEN", "AUFGEBEN", "KAPITULIEREN"),
        "EJECT": ("AUSSTEIGEN", "SCHLEUDERSITZ"),
        "HOLD": ("ABWARTEN",),
    },
    links={"AUF": "AT", "AN": "AT", "GEGEN": "AT", "VOR": "TO", "MIT": "WITH"},
    things={
        "UNDETECTED": ("NICHTS GEFUNDEN", "BLIND", "UNENTDECKT"),
        "FIRED ON": ("BESCHOSSEN",),
        "LAUNCHED AT": ("RAKETE KOMMT", "RAKETEN KOMMEN"),
        "SHOT AT": ("SCHUSS KOMMT", "ANGEGRIFFEN"),
        "TARGETED": ("ANVISIERT",),
        "LOCKED": ("ZIEL ERFASST", "AUFGESCHALTET"),
        "ADVANTAGE": ("VORTEIL",),
        "DISADVANTAGE": ("NACHTEIL",),
        "NEUTRAL": ("AUSGEGLICHEN", "NEUTRAL"),
        "NEAR": ("NAH", "NAHE"),
        "FAR": ("MITTEL", "FERN", "WEIT"),
        "EXTREME": ("EXTREM",),
        "ENEMY": ("FEIND", "GEGNER"),
        "TURN": ("ZUG",),
        "BEAMS": ("STRAHLEN",),
        "ELECTRONICS": ("ELEKTRONIK",),
        "MANEUVER": ("WENDIGKEIT", "MANÖVER"),
        "MISSILES": ("RAKETEN",),
        "SHIELDS": ("SCHILDE",),
        "SPEED": ("TEMPO", "GESCHWINDIGKEIT"),
        "STRUCTURE": ("STRUKTUR", "RUMPF"),
        "WEAPONS": ("WAFFEN",),
        "PILOTING": ("STEUERUNG", "FLIEGEN"),
        "SENSORS": ("SENSOREN",),
        "FOR": ("FÜR",),
        "SHIP": ("SCHIFF",),
        "MODE": ("MODUS",),
        "ALLIANCE": ("ALLIANZ",),
        "CARTEL": ("KARTELL",),
        "FEDERATION": ("FÖDERATION",),
        "LEAGUE": ("LIGA",),
    },
    story=frozenset(
        "aber alle als am auch aus bei bis da damit das dass dem den der des die doch dort du ein"
        " eine einem einen einer er erst es für ganz gegen hat hatte hier ich ihm ihn ihr im in ist"
        " jetzt kein keine mal mehr mein meine mich mir nach nicht noch nun nur ob oder schon sein"
        " seine sich sie sind so und uns unter vom von war was weg wenn wie wieder wir wird wo"
        " würde zu zum zur".split()
    ),
    # Endings of verbs and adjectives. In small letters alone, because names begin with a capital.
    ending=r"[a-zäöüß]{2,}(?:en|et|te|ten|ert|iert|los|lich|ig|isch|end)",
)
