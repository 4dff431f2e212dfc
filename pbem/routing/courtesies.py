"""Courtesies: lines that only greet or part, and so are no words beside an order."""

import re

_WIDEST = 80
_NAME = r"[^\W\d_a-zß-ÿ][\w'’-]{0,20}"
_NAMES = rf"(?:(?:and|und|&) )?{_NAME}(?: (?:(?:and|und|&) )?{_NAME})?"
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
_GREETING = re.compile(rf"(?i:{_HAIL})(?: (?i:{_ALL})| {_NAMES})?\s*[,.!:)-]{{0,3}}")
_OWN = r"yours?|deine?|euer|eure|ihre?|from|von|xx+|xoxo|gez\.?"
_FAREWELL = re.compile(rf"{_PARTING}(?: aus \w+| from \w+)?\s?[,.!]?", re.I)
_SIGNED = re.compile(
    rf"(?i:{_PARTING})[,.!]?\s*[,/|-]?\s*{_NAMES}[,.!]?"
    rf"|(?i:{_OWN}) {_NAMES}[,.]?"
    # On a telephone many write their name small, too.
    rf"|(?!best )(?i:{_PARTING})[,.!]? [^\W\d_]{{1,20}}\.?"
)


def is_courtesy(line: str) -> bool:
    """Return whether a line is a greeting or a farewell, perhaps with a name, and nothing else."""
    line = line.strip()
    if len(line) > _WIDEST:
        return False
    return any(form.fullmatch(line) for form in (_GREETING, _FAREWELL, _SIGNED))
