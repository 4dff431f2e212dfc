"""Courtesies: the words of greetings and of farewells, and which lines are nothing else."""

import re
from collections.abc import Sequence

WIDEST = 80
"""The widest line of a farewell, or of a signature without a mark."""
_NAME = r"[^\W\d_a-zß-ÿ][\w'’-]{0,20}"
NAMES = rf"(?:(?:and|und|&) )?{_NAME}(?: (?:(?:and|und|&) )?{_NAME})?"
_ALL = (
    r"(?:there|all|everybody|everyone|again|together|folks|guys|friends?|ref(?:eree)?|mod|gm|zusammen|alle"
    r"|allerseits|ihr|ihr lieben|freunde|schiedsrichter|spielleiter|leute)"
)
_DEAR = r"dear|liebe[rs]?"
_HAIL = (
    r"hi|hello|hey|hiya|greetings|good (?:morning|day|afternoon|evening)|hallo|hallihallo"
    r"|guten (?:morgen|tag|abend)|moin(?: moin)?|servus|grüß (?:dich|gott|euch)|tach"
    rf"|sehr geehrte\w*|{_DEAR}"
)
_PARTING = (
    r"(?:(?:with |my )?(?:best|kind|kindest|warm|warmest)?\s?(?:regards|wishes)|best|cheers|cu"
    r"|see you(?: (?:soon|later|tomorrow|then|around|next \w+|(?:on )?\w+day))?|bye(?:[- ]bye)?"
    r"|(?:all my |lots of |much )?love|sincerely|yours(?: \w+)?|thanks|thank you|thx|have fun"
    r"|take care|talk (?:to you )?soon|until next time|have a (?:nice|good|great) \w+|all the best"
    r"|mfg|lg|vg|bg|(?:mit )?(?:\w+ )?gr(?:ü|ue|u)(?:ß|ss)(?:en?)?|danke|ciao|tschü(?:ß|ss)"
    r"|bis (?:dann|bald|später|morgen|\w+tag|zum nächsten (?:mal|zug))|viel spaß|alles gute"
    r"|(?:ich wünsche )?(?:dir|euch|ihnen|allen)?\s?(?:noch )?(?:einen )?schöne[nrs]? "
    r"(?:tag|abend|nacht|wochenende)"
    r"|(?:bien )?cordialement|(?:un )?(?:cordial )?saludos?|(?:cordiali )?saluti|mvh|(?:med )?"
    r"(?:\w+ )?(?:hilsen|hälsning(?:ar)?)|pozdrawiam|s pozdravem|üdvözlettel|с уважением"
    r"|saygılarımla|terveisin|groeten|met vriendelijke groet(?:en)?|atenciosamente|abraços?)"
)
_GREETING = re.compile(rf"(?i:{_HAIL})(?: (?i:{_ALL})| {NAMES})?\s*[,.!:)-]{{0,3}}")
_POLITE = re.compile(
    rf"(?:{_HAIL}|thanks?|cheers|regards|bye|danke|(?:viele )?gr(?:uß|üße))\b", re.I
)
_MOST_WORDS = 6
_OWN = r"yours?|deine?|euer|eure|ihre?|from|von|xx+|xoxo|gez\.?"
_FAREWELL = re.compile(rf"{_PARTING}(?: aus \w+| from \w+)?\s?[,.!]?", re.I)
_SIGNED = re.compile(
    rf"(?i:{_PARTING})[,.!]?\s*[,/|-]?\s*{NAMES}[,.!]?"
    rf"|(?i:{_OWN}) {NAMES}[,.]?"
    # On a telephone many write their name small, too.
    rf"|(?!best )(?i:{_PARTING})[,.!]? [^\W\d_]{{1,20}}\.?"
)


def greets(line: str) -> bool:
    """Return whether a line is a greeting, perhaps with a name, and nothing else."""
    return _GREETING.fullmatch(line) is not None


def is_polite(lines: Sequence[str]) -> bool:
    """Return whether some lines only greet or thank, such as `Hello there!`."""
    written = [line.strip() for line in lines if line.strip()]
    return all(_POLITE.match(one) and len(one.split()) <= _MOST_WORDS for one in written)


def is_farewell(line: str) -> bool:
    """Return whether a line is nothing but a closing phrase."""
    return _FAREWELL.fullmatch(line.strip()[:WIDEST]) is not None


def parts(line: str) -> bool:
    """Return whether a line is a closing phrase, perhaps with a name behind it."""
    return is_farewell(line) or _SIGNED.fullmatch(line) is not None
