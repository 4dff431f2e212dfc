"""Courtesies around orders: greetings, farewells and a writer's name, which are no story."""

import re
from collections.abc import Collection, Sequence

from engine.names import fold
from pbem.intake import contact_details

_NAME = r"[^\W\d_a-zß-ÿ][\w'’-]{0,20}"
_NAMES = rf"(?:(?:and|und|&) )?{_NAME}(?: (?:(?:and|und|&) )?{_NAME})?"
_ALL = (
    r"(?:there|all|everybody|everyone|again|together|folks|guys|friends?|referee|zusammen|alle"
    r"|allerseits|ihr|ihr lieben|freunde|schiedsrichter|spielleiter|leute)"
)
_GREETING = re.compile(
    r"(?:(?i:hi|hello|hey|hiya|greetings|good (?:morning|day|afternoon|evening)|hallo|hallihallo"
    r"|guten (?:morgen|tag|abend)|moin(?: moin)?|servus|grüß (?:dich|gott|euch)|tach|dear"
    r"|liebe[rs]?)"
    rf"(?: (?i:{_ALL})| {_NAMES})?)\s*[,.!:)-]{{0,3}}"
)
_DEAR = re.compile(rf"(?:dear|liebe[rs]?)\b(?! (?:{_ALL})\b)", re.I)
"""A letter of a story may begin so, such as `Dear Mother,`."""
_PARTING = (
    r"(?:(?:with |my )?(?:best|kind|kindest|warm)?\s?(?:regards|wishes)|best|cheers|cu"
    r"|see you(?: soon)?|bye(?:[- ]bye)?|sincerely|yours(?: \w+)?|thanks|thank you|thx|mfg|lg|vg"
    r"|bg|gruß|danke|ciao|tschüss|tschüß|bis (?:dann|bald|später)"
    r"|(?:mit )?(?:\w+ )?gr(?:ü|ue)(?:ß|ss)(?:en?)?|have fun|viel spaß)"
)
_FAREWELL = re.compile(rf"(?i:{_PARTING})[,.!]?(?:\s*[,/|-]?\s*{_NAMES}\.?)?[,.!]?")
_SIGNED = re.compile(rf"[-–—/~|\s]*(?:(?:from|von) )?{_NAMES}\.?")
_BARE = re.compile(_NAMES)


def without(
    lines: Sequence[str], writer: str, figures: Collection[str], parted: bool = False
) -> tuple[str, ...]:
    """Return a story without the courtesies around it: () where it is nothing else.

    `writer` is the player's name, and `figures` are those of the battle, to whom a greeting is a
    part of the story. With `parted`, a farewell stood above its last line.
    """
    kept = [n for n, line in enumerate(lines) if line.strip()]
    bare = [line.strip() for line in lines]
    first = bool(kept) and _greets(bare[kept[0]], figures)
    greeting = kept[:1] if first else []
    rest = kept[len(greeting) :]
    closing = _closing([bare[n] for n in rest], writer, parted)
    rest = rest[: len(rest) - closing]
    if greeting and rest and _DEAR.match(bare[greeting[0]]):
        rest = [*greeting, *rest]
    # A name alone beside orders: who wrote, or whom they greet.
    if not rest or (len(rest) == 1 and len(kept) > 1 and _BARE.fullmatch(bare[rest[0]])):
        return ()
    return tuple(lines[rest[0] : rest[-1] + 1])


def _greets(line: str, figures: Collection[str]) -> bool:
    """Return whether a line greets somebody who is no figure of the battle."""
    if _GREETING.fullmatch(line) is None:
        return False
    words = {fold(word) for word in re.split(r"\W+", line)}
    return words.isdisjoint(fold(one) for name in figures for one in name.split())


def _closing(lines: Sequence[str], writer: str, parted: bool) -> int:
    """Return how many lines at the end are a farewell, with a name below it, or a name."""
    if not lines:
        return 0
    last = lines[-1]
    if _SIGNED.fullmatch(last):
        if len(lines) > 1 and _parts(lines[-2]):
            return 2
        own = {fold(word) for word in writer.split()}
        words = [fold(word) for word in re.findall(r"\w+", last)]
        initial = len(words) == 1 and len(words[0]) == 1 and words[0] in {one[:1] for one in own}
        if parted or initial or own.issuperset(words):
            return 1
    return int(_parts(last))


def _parts(line: str) -> bool:
    return contact_details.is_farewell(line) or _FAREWELL.fullmatch(line) is not None
