"""Contact details: mail and postal addresses, telephones and sites, recognized by their shape.

All patterns begin at a word and are bounded, so that their time is bounded by the line.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from html import unescape
from urllib.parse import unquote

from pbem.intake.courtesy_words import WIDEST, is_farewell

GENERIC = "com|org|net|info|biz|edu|gov|mil|int|name|email|app|dev|io|me|online|example|invalid"
ENDINGS = f"{GENERIC}|eu|de|at|ch|fr|nl|uk|us|ca|au|no|se|dk|fi|pl|it|es|pt|be|cz|ie|nz|jp|cn|ru"
HOST = r"[^\W_][\w-]{0,62}"
HOST_PART = r"[^\W_]{1,63}"
LOCAL_PART = r"(?<![^\W_])[^\W_]{1,63}"
LOCAL = r"(?<![\w.+%-])[\w.+%-]{1,64}"
AT_WORDS = r"at|ät|arroba|chez|kukac|zavinac|собака"
MORE_AT_WORDS = r"a|klammeraffe|affenschwanz|snabel-?a|chiocciola|małpa|miukumauku|apenstaartje|et"
DOT_WORDS = r"dot|punkt|point|punto|ponto|punt|piste|kropka|tečka|nokta|pont|точка|period"
DOT = r"(?:\s?\.\s?|\s(?:dot|punkt|point|punto)\s|\s?[\[({](?:dot|punkt|point|punto|\.)[\])}]\s?)"
MAIL = re.compile(
    rf"({LOCAL})\s{{0,2}}@\s{{0,2}}({HOST}(?:{DOT}{HOST}){{1,8}})"
    rf"|({LOCAL})\s{{0,2}}[\[({{<]\s?(?:{AT_WORDS}|@)\s?[\])}}>]\s{{0,2}}({HOST}(?:{DOT}{HOST}){{0,8}})"
    rf"|({LOCAL})\s(?:{AT_WORDS})\s({HOST}(?:{DOT}{HOST}){{0,7}}{DOT}(?:{ENDINGS}))(?!\w)"
    rf"|({LOCAL_PART})[_-](?:{AT_WORDS})[_-]({HOST_PART}(?:(?:\.|[_-]dot[_-]){HOST_PART}){{1,8}})"
    rf"|({LOCAL})@\[({HOST}(?:[.:]{HOST}){{1,8}})\]",
    re.I,
)
may_be_mail = re.compile(rf"@|[\s\[({{<_-](?:{AT_WORDS})[\s\])}}>_-]", re.I).search
"""Finds what each form of an address has, since MAIL itself is slow."""
PHONE = re.compile(r"(?<![\w.:/-])(?:\+|\(|00)?\d(?:[ \u00a0()/.-]{0,3}\d){6,15}(?![\w])")
DATED = re.compile(
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.] ?\d{1,2}[-/.] ?\d{4}|\d{1,2}:\d{2}(?::\d{2})?"
)
CALLED = re.compile(
    r"\b(?:tel|telefon\w*|telephone|phone|fax|mobile?|cell|handy|tlf|whatsapp)\b\W*\d"
)
SITE = re.compile(
    rf"https?://|\bwww\.\w|(?<![\w.-]){HOST}\.(?:{GENERIC}|eu|de|at|ch|co\.uk)(?![\w.])"
)
STREET = re.compile(
    r"\b(?:street|road|avenue|boulevard|suite|p\.? ?o\.? ?box|postfach|rue|calle|via|ulica|ul\.)\s"
    r"|(?:stra(?:ß|ss)e|str\.|gasse|platz|allee|gatan|straat|vägen|veien|utca)\s?\d"
    r"|\d[\w/-]{0,5},?\s(?:\w{1,30}\s){0,3}(?:street|st\.|road|rd\.|avenue|ave\.?|lane|drive)\b"
)
TOWN = re.compile(
    r"(?:\b[A-Z]{1,2}-)?\b\d{4,5} [A-ZÄÖÜ][\w-]+|\b[A-Z]{1,2}\d{1,2}[A-Z]? \d[A-Z]{2}\b"
)
BLOCK = 8
"""The most lines of a signature without a mark."""
LONGEST = 2_000
"""The most characters of a line that are searched for telephone numbers and the like."""


UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\ufffc"
    "\U000e0100-\U000e01ef]"
)
"""Characters that show nothing, though Unicode counts them as letters and marks."""
STRUCK = re.compile("(?<=[!-~])[\u0300-\u036f\u0483-\u0489\u20d0-\u20f0]+")
"""Marks on plain letters that do not make a letter of any language."""
DASHES = str.maketrans("\u2043\u00af\u301c\u30fc", "----", "\n\r")
_ROUNDS = 3
may_be_disguised = re.compile(r"[&%]|[^\0-\x7f]").search
"""Finds what `plain` may change; most lines hold none of it."""
_NO_SIGN = ("Pd", "Cf")
"""Unicode categories that are replaced or removed: dashes, and invisible characters."""


def plain(line: str) -> str:
    """Return a line as a person reads it: without signs that hide, disguise or encode letters."""
    text = line
    for _ in range(_ROUNDS):  # text may be encoded twice
        before = text
        text = unescape(text) if "&" in text else text
        text = unquote(text) if "%" in text else text
        if text == before:
            break
    if text.isascii():
        return text if text == line else text.translate(DASHES)
    text = UNSEEN.sub("", text).translate(DASHES)
    text = STRUCK.sub("", unicodedata.normalize("NFKC", text).replace("。", "."))
    # Each sign once: a text has few different signs, and a long one is read once for each line.
    kinds = {sign: unicodedata.category(sign) for sign in set(text) - {"-"}}
    found = ((ord(sign), kind) for sign, kind in kinds.items() if kind in _NO_SIGN)
    signs = {sign: "-" if kind == "Pd" else "" for sign, kind in found}
    return text.translate(signs) if signs else text


@lru_cache(maxsize=1024)
def spelled(address: str) -> re.Pattern[str]:
    """Return a pattern for a known address with any words and signs for `@` and the dots."""
    local, _, host = address.casefold().rpartition("@")
    between = r"[\W_]{0,4}"
    at = rf"{between}(?:[@(<\[{{*]|(?<![^\W_])(?:{AT_WORDS}|{MORE_AT_WORDS})(?![^\W_])){between}"
    dot = rf"(?:{between}(?:\.|(?<![^\W_])(?:{DOT_WORDS})(?![^\W_])){between}|[\W_]{{1,4}})"
    names = re.split(r"[\W_]+", local.partition("+")[0])
    before = between.join(map(_broken, filter(None, names)))
    tag = r"(?:\+[\w.+-]{0,64})?"
    after = dot.join(map(_broken, host.split(".")))
    return re.compile(rf"(?<![^\W_]){before}{tag}{at}{after}(?![^\W_])", re.I)


def _broken(word: str) -> str:
    """Return a pattern for a word that may be broken over lines anywhere."""
    return r"\n?".join(map(re.escape, word))


def addresses(text: str) -> list[str]:
    """Return the mail addresses in a plain text, in one spelling for all ways to write one."""
    if not may_be_mail(text):
        return []
    found = []
    for match in MAIL.finditer(text):
        local, host = (part for part in match.groups() if part is not None)
        found.append(canonical(f"{local}@{re.sub(DOT, '.', host, flags=re.I)}"))
    return found


def canonical(address: str) -> str:
    """Return an address in the form that all its spellings share: small, no plus tag, no dots."""
    local, _, host = address.casefold().rpartition("@")
    labels = host.split(".")
    with_names = [_unicode(label) for label in labels]
    return f"{local.partition('+')[0].replace('.', '')}@{'.'.join(with_names)}"


def _unicode(label: str) -> str:
    """Return a host's label as it is read, not as DNS has it."""
    try:
        return label.encode("ascii").decode("idna") if label.startswith("xn--") else label
    except UnicodeError:
        return label


def reaches(line: str) -> bool:
    """Return whether a line says how somebody can be reached."""
    text = plain(line[:LONGEST])
    small = text.casefold()
    numbers = DATED.sub(" . ", text)
    return bool(
        PHONE.search(numbers)
        or CALLED.search(small)
        or SITE.search(small)
        or STREET.search(small)
        or addresses(text)
    )


def signed(lines: Sequence[str]) -> set[int]:
    """Return the numbers of the lines that say who wrote, and how to reach them.

    These are all lines with contact details, and a signature at the end that no `-- ` marks: what
    follows a closing phrase, or a last paragraph with contact details.
    """
    found = {n for n, line in enumerate(lines) if reaches(line)}
    written = [n for n, line in enumerate(lines) if line.strip()]
    for n in written[-BLOCK:]:
        if is_farewell(lines[n]):
            found.update(written[written.index(n) :])
            break
    last = _last_paragraph(lines)
    short = last and len(last) <= BLOCK and all(len(lines[n]) <= WIDEST for n in last)
    if short and (found & set(last) or any(TOWN.search(lines[n]) for n in last[1:])):
        found.update(last)
    return found


def _last_paragraph(lines: Sequence[str]) -> list[int]:
    """Return the numbers of the lines below the last blank one; [] if there is no blank line."""
    blank = max((n for n, line in enumerate(lines) if not line.strip()), default=None)
    return [] if blank is None else list(range(blank + 1, len(lines)))
