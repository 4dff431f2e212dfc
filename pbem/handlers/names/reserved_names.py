"""Reserved names, which nobody may have: the league's name, roles, orders and bots."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache

from engine.i18n import Said, say
from engine.names import fold
from engine.order_translations import GRAMMARS
from engine.registry import RULESETS, campaigns
from pbem.handlers.order_words import TRANSLATIONS
from pbem.people.lookalikes import looks, skeleton
from pbem.settings.sections import LeagueSettings

_ROLES = (
    "referee", "moderator", "moderators", "moderation", "GM", "gamemaster", "admin", "admins",
    "administrator", "sysadmin", "mod", "mods", "postmaster", "webmaster", "mailer-daemon",
    "mailerdaemon",
    "noreply", "no-reply", "root", "support", "sysop", "PBEM",
    "Schiedsrichter", "Schiedsrichterin", "Spielleiter", "Spielleiterin", "Spielleitung",
    "Moderatorin", "Verwalter", "Verwaltung", "Administratorin",
)  # fmt: skip
"""Who runs a league. No name may contain one of these words at all, such as `Moderator Max`."""
_LONG_ROLE = 7
"""A role of at least so many letters may not be part of another word either, as in `RefereeX`."""
_WITHIN_OTHERS = "support"
"""The exception, because ordinary words contain it."""
_LONG_TITLE = 6
"""A league's name of at least so many letters may not be part of a name, as in `Avalon Staff`."""
_DIGITS = str.maketrans("013457!|", "oieastil")
"""The letters that digits stand for, as in `Adm1n`."""
_ANYBODY = (
    "everybody", "everyone", "anybody", "anyone", "somebody", "someone", "nobody", "no one", "none",
    "nothing", "all", "all players", "me", "myself", "you", "yourself", "them", "they", "him",
    "her", "us", "we", "player", "players", "the house",
    "house", "house pilot", "house player", "the league", "league", "system", "newsletter",
    "editor", "editorial",
    "unknown", "erased", "jeder", "jede", "jeden", "irgendwen", "alle", "alle Spieler",
    "jemand", "niemand", "keiner",
    "keine", "kein", "nichts", "ich", "mich", "mir", "du", "dich", "dir", "ihn", "ihm", "ihr",
    "sie", "wir", "uns", "euch", "das Haus", "Haus", "die Liga", "Liga", "Spieler", "Spielerin",
    "Pilot", "Piloten", "Redaktion", "Rundbrief",
)  # fmt: skip
_LINKS = ("AS", "AT", "BY", "IN", "INTO", "ON", "OFF", "OR", "TO", "WITH", "UNTIL", "KEY", "CODE")
_GM = ("BAN", "UNBAN", "EXTEND", "PAUSE", "RESUME", "FORFEIT", "UNDO", "MERGE", "PROXY", "PROCESS")
_NUMBERED = re.compile(r"player\W*\d+|.*\b(?:in|into)\s+\d+", re.I)
"""Names that a ruling would read as a number: `MERGE 3 INTO 5`, `PROXY Hawk IN 12`."""
_BOTS_FIRST_WORD = "house"
"""The first word of the names of all bots, in every system."""

_PROXY = say("it is what those who run a league are called")
_PRONOUN = say("in a letter it would mean somebody else, or nobody")
_OURS = say("it is the league's own name")
_ORDER = say("it is a word of the orders; with others beside it, as in Fire Hawk, it may be one")
_BOTS_NAMES = say("names of the referee's own begin so")
_NUMBER = say("in a ruling it would stand for a player's number, or a game's")
_LEFT = say("such names stand for players who have left")


def reserved(name: str, league: LeagueSettings) -> Said | None:
    """Return why a name is reserved, or None."""
    like = looks(name)
    ours = _ours(league.name, league.address)
    # Also without separators and with digits as letters, to recognize `A.d-m1n`.
    spelled = re.sub(r"[\W_]+", "", fold(name)).translate(_DIGITS)
    forms = (*like, *looks(spelled))
    words = [word for word in re.split(r"[\W_]+", name) if word]
    if _is_a_role(forms, (name, *words)):
        return _PROXY
    for form in like:
        if form in ours:
            return ours[form]
        if _former().fullmatch(form):
            return _LEFT
    if _holds_title(forms, league.name):
        return _OURS
    # `The Player` would be as unclear as `player` is.
    if words[1:] and fold(words[0]) == "the":
        meant = {ours.get(form) for form in looks("".join(words[1:]))}
        if _PRONOUN in meant:
            return _PRONOUN
    # After NFKC, since full-width digits are digits in a ruling as well.
    if _NUMBERED.fullmatch(unicodedata.normalize("NFKC", name).strip()):
        return _NUMBER
    return _BOTS_NAMES if _is_a_bots_name(forms, words) else None


def _is_a_role(forms: Iterable[str], words: Iterable[str]) -> bool:
    """Return whether a name claims that its owner runs the league.

    A role with a number or in the plural counts too.
    """
    roles = _roles()
    long = {role for role in roles if len(role) >= _LONG_ROLE and role != _WITHIN_OTHERS}
    if any(role in form for role in long for form in forms):
        return True
    tried = {bare for word in words for bare in (word, word.translate(_DIGITS), _singular(word))}
    return any(form in roles for word in tried for form in looks(word))


def _singular(word: str) -> str:
    return re.sub(r"[\d\s]+$|(?<=\w)[sS]$", "", word)


def _holds_title(forms: Iterable[str], title: str) -> bool:
    own = looks(title).small
    return len(own) >= _LONG_TITLE and any(own in form for form in forms)


def _is_a_bots_name(forms: Iterable[str], words: list[str]) -> bool:
    """Return whether a name begins like those of bots, wherever its spaces are."""
    begins = any(form.removeprefix("the").startswith(_BOTS_FIRST_WORD) for form in forms)
    return begins or (bool(words) and _BOTS_FIRST_WORD in looks(words[0]).small)


@lru_cache(maxsize=1)
def _former() -> re.Pattern[str]:
    # Only when a name is looked at: reading the table of look-alikes takes a tenth of a second.
    return re.compile(rf"(?:{skeleton('former')}|ex)player\w*")


@lru_cache(maxsize=1)
def _roles() -> frozenset[str]:
    return frozenset(form for word in _ROLES for form in looks(word))


@lru_cache(maxsize=8)
def _ours(title: str, address: str) -> dict[str, Said]:
    """Return the skeletons of a league's reserved words, each with the reason."""
    local, _, host = address.partition("@")
    kept: dict[Said, Iterable[str]] = {
        _ORDER: (*_order_words(), *_LINKS, *_GM),
        _OURS: (title, address, local, host, host.partition(".")[0], *_titles()),
        _PRONOUN: (*_ANYBODY, *_nouns()),
    }
    return {
        form: why for why, words in kept.items() for word in words for form in looks(word) if form
    }


def _nouns() -> Iterator[str]:
    for campaign in campaigns().values():
        yield from (campaign.nouns.one, campaign.nouns.many)


def _titles() -> Iterator[str]:
    for key, rules in RULESETS.items():
        yield from (key, rules.title)


def _order_words() -> Iterator[str]:
    """Yield the words of all orders, in English and all other languages."""
    for translation in TRANSLATIONS.values():
        for words in (translation.heads, *translation.links.values()):
            yield from words
            yield from (word for others in words.values() for word in others)
    for rules in RULESETS.values():
        for language in rules.translations.values():
            yield from (*language.commands, *language.links, *language.links.values())
            yield from (word for others in language.commands.values() for word in others)
    for grammar in GRAMMARS.values():
        yield from grammar.words
        yield from (word for others in grammar.words.values() for word in others)
