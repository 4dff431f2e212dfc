"""Moderation: the table of game_rulings, and who may make them."""

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from re import Match, Pattern
from typing import NamedTuple

from engine.i18n import say
from engine.names import closest
from engine.orders.line_shapes import clean
from engine.preview.budget import Budget
from pbem.games import overview
from pbem.handlers.moderator import (
    game_rulings,
    gm_battles,
    order_rulings,
    player_rulings,
    unproven_letters,
)
from pbem.handlers.order_words import TRANSLATIONS
from pbem.handlers.pages.topic_pages import help_block
from pbem.handlers.ports import Ports
from pbem.handlers.request import Answer, Refusal, Request
from pbem.handlers.ruling_request import RulingRequest, is_moderator
from pbem.handlers.words import editorials
from pbem.i18n import zones
from pbem.i18n.days import dated
from pbem.intake import attached_text
from pbem.storage import kept_settings, noted_rounds


class Ruling(NamedTuple):
    """One ruling: its whole-line pattern, an example, and the function that carries it out."""

    pattern: Pattern[str]
    example: str
    act: Callable[[RulingRequest, Match[str]], str]


_REASONED = (
    *(game_rulings.extend, game_rulings.pause, game_rulings.resume, game_rulings.draw),
    *(game_rulings.forfeit, game_rulings.open_, game_rulings.major, game_rulings.undo),
    *(order_rulings.process, player_rulings.ban),
)
"""The rulings that may end in a reason, which players read."""
_BECAUSE = "|".join(
    ("BECAUSE", *(word for one in TRANSLATIONS.values() for word in one.rulings["BECAUSE"]))
)
_WHY = re.compile(rf"(?P<ruling>.+?),? (?:{_BECAUSE}):? (?P<why>.{{1,200}})", re.I)

_BATTLE = re.compile(r"BATTLE\b", re.I)
_LISTED = 20
"""The most lines of each section of a letter about the league."""
TAKE_TEXT = ("PROXY", "POST", "BATTLE")
"""The rulings that take the lines below them as their text."""


_NUMBER = r"(?:GAME |BATTLE )?[G#]?(?P<number>\d{1,9})"
_GAME = r"(?:GAME |BATTLE )?(?:[G#](?=\d))?(?P<number>\d{1,9}|[^\W\d].{0,39}?)"
"""A game by its number, or by the name of somebody who fights in it."""
_SOME = rf"(?:ALL|{_GAME})"
_SEAT = rf"(?:{_NUMBER} )?(?P<seat>.{{1,40}})"
"""A seat, with the number of its game where it has several."""

RULINGS = tuple(
    Ruling(re.compile(pattern, re.I), example, act)
    for pattern, example, act in (
        (
            rf"EXTEND {_GAME} (?:BY )?(?P<amount>\d{{1,4}}) ?(?P<unit>h|d|hours?|days?)",
            "GM EXTEND 12 48h",
            game_rulings.extend,
        ),
        (rf"PAUSE {_SOME}", "GM PAUSE 12", game_rulings.pause),
        (rf"RESUME {_SOME}", "GM RESUME ALL", game_rulings.resume),
        (rf"DRAW {_GAME}", "GM DRAW 12", game_rulings.draw),
        (rf"FORFEIT {_SEAT}", "GM FORFEIT 12 Hawk", game_rulings.forfeit),
        (rf"RULE {_NUMBER}:? (?P<ruling>.{{1,200}})", "GM RULE 12 DONE", game_rulings.answer),
        (rf"OPEN {_SEAT}", "GM OPEN 12 Hawk", game_rulings.open_),
        (
            r"HEAL (?:(?P<part>.{1,40}?) OF )?(?P<name>.{1,40})",
            "GM HEAL Kitai OF Ravens",
            game_rulings.heal,
        ),
        (
            rf"UNDO {_GAME} (?:BACK )?TO (?:(?:STEP )?(?P<step>\d{{1,9}})|(?:THE )?START)",
            "GM UNDO 12 TO 7",
            game_rulings.undo,
        ),
        (r"PRINT (?:EDITORIAL )?(?P<number>\d{1,9})", "GM PRINT 7", editorials.let_through),
        (r"DROP (?:EDITORIAL )?(?P<number>\d{1,9})", "GM DROP 7", editorials.drop),
        (
            r"RELEASE (?:LETTER )?(?P<number>\d{1,9})",
            "GM RELEASE LETTER 17",
            unproven_letters.release,
        ),
        (
            r"DROP LETTER (?P<number>\d{1,9}) (?P<reason>.{1,200})",
            "GM DROP LETTER 17 a forgery",
            unproven_letters.drop,
        ),
        (r"NEWSLETTER", "GM NEWSLETTER", editorials.newsletter),
        (rf"(?P<no>NO )?MAJOR {_GAME}", "GM MAJOR 12", game_rulings.major),
        (
            rf"PROXY (?P<name>.{{1,40}}?)(?: IN {_NUMBER})?",
            "GM PROXY Hawk IN 12",
            order_rulings.proxy,
        ),
        (rf"PROCESS {_GAME}", "GM PROCESS 12", order_rulings.process),
        (rf"PREDICT {_GAME}", "GM PREDICT 12", order_rulings.predict),
        (r"BAN (?P<who>.{1,75})", "GM BAN Kestrel", player_rulings.ban),
        (r"UNBAN (?P<who>.{1,75})", "GM UNBAN Kestrel", player_rulings.unban),
        (
            r"MERGE (?P<one>.{1,40}?) INTO (?P<other>.{1,40})",
            "GM MERGE 3 INTO 5",
            player_rulings.merge,
        ),
        (r"AUDIT", "GM AUDIT", game_rulings.tell_audit),
        (r"CLOCK (?:IS )?RIGHT", "GM CLOCK RIGHT", game_rulings.clock_right),
        ("POST", "GM POST", game_rulings.post),
        ("BATTLE", "GM BATTLE", gm_battles.battle),
    )
)


def rule(ports: Ports, text: str, now: datetime, budget: Budget | None = None) -> str:
    """Make a ruling, written without the word GM, and return what was done.

    Lines below the first are the text of a ruling that takes one. `budget` is what the letter may
    still cost. Raise Refusal where the text is not a ruling, or it can't be made.
    """
    first, *below = text.split("\n")
    line, why = clean(first), ""
    if (reasoned := _WHY.fullmatch(line)) is not None:
        line, why = reasoned["ruling"], reasoned["why"]
    found = next(filter(None, map(_found, _readings(line))), None)
    if found is None:
        raise _unknown(first.strip(), _readings(line)[-1])
    ruling, match = found
    if why and ruling.act not in _REASONED:
        raise Refusal(
            say("this ruling takes no reason"),
            say("write it without BECAUSE and what stands behind it"),
        )
    return ruling.act(RulingRequest(ports, now, tuple(below), budget, why), match)


def _readings(line: str) -> list[str]:
    """Return a line as English, and as other languages read it, in English words."""
    # English first: a name may be a word of another language.
    return [line, *(one.ruling(line) for one in TRANSLATIONS.values())]


def _found(line: str) -> tuple[Ruling, Match[str]] | None:
    """Return the ruling that a line of English words is, with its parts, or None."""
    for ruling in RULINGS:
        if (match := ruling.pattern.fullmatch(line)) is not None:
            return ruling, match
    return None


def _unknown(text: str, line: str) -> Refusal:
    """Return why a line is no ruling, with examples of the one that is meant, or else of all."""
    forms = {ruling.example: ruling.example.split()[1] for ruling in RULINGS}
    word = line.upper().partition(" ")[0]
    known = word in forms.values()
    meant = word if known else closest(word, forms.values()) or _near(word)
    examples = [say(form) for form, its in forms.items() if meant in (its, None)]
    if known:
        return Refusal(
            say("{text!r} lacks something, or has it in another place", text=text),
            say("write it like {examples}", examples=examples),
        )
    return Refusal(
        say("{text!r} is not a ruling", text=text),
        say("rulings are like these: {examples}", examples=examples),
    )


def _near(word: str) -> str | None:
    """Return the English word of a ruling that a mistyped one of another language is near to."""
    for one in TRANSLATIONS.values():
        meant = closest(word, (form for forms in one.rulings.values() for form in forms))
        if meant:
            return one.ruling(meant)
    return None


def by_shell(ports: Ports, text: str, now: datetime) -> str:
    """Make a ruling from the shell, record it, and return what was done.

    Raise Refusal where it can't be made.
    """
    # `pbem rebuild` replays letters and rounds; without a row of its own the ruling would be lost.
    with ports.store.transaction():
        # The settings as well, since a replay makes the ruling under those of its time.
        kept_settings.note(ports.store, ports.settings, now)
        done = rule(ports, text, now)
        noted_rounds.note(ports.store, now, ruling=text)
    return done


def by_mail(request: Request, match: Match[str]) -> Answer:
    """Make a ruling by letter.

    Raise Refusal where it does not come from the moderator's address with the moderator's key.
    """
    if not is_moderator(request.ports, request.player):
        raise Refusal(say("GM orders are for the league's moderator"))
    # Letters with a token are forwarded and quoted, so a token is not enough for rulings.
    if not request.keyed:
        raise Refusal(say("a GM order needs your key: a line KEY abc-def-ghi in the same letter"))
    what = match["what"] or "HELP"
    readings = [reading.upper() for reading in _readings(what)]
    if "HELP" in readings:
        return Answer(True, "", blocks=(help_block("gm", ()),))
    if "STATUS" in readings:
        return Answer(True, "", blocks=(_overview(request),), title=say("The league"))
    text = "\n".join([what, *_below(request, what)])
    return Answer(True, rule(request.ports, text, request.now, request.budget))


def _overview(request: Request) -> dict[str, object]:
    """Return what goes on in the league, for a letter to the moderator."""
    ports = request.ports
    zone = zones.zone(request.player.zone, ports.settings.league.zone)
    sections = overview.sections(
        ports.store,
        ports.settings,
        request.now,
        lambda when: dated(when, zone),
        _LISTED,
    )
    return {"kind": "overview", "sections": sections}


def _below(request: Request, what: str) -> Sequence[str]:
    """Return the text of a ruling: the lines below it, or the scenario that came as a file."""
    # Without a brace there is no scenario in the text, so it must have come as a file.
    if any(map(_BATTLE.match, _readings(what))) and "{" not in "".join(request.below):
        return attached_text(request.letter.content, ".json").splitlines() or request.below
    return request.below
