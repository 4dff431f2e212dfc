"""The table of league orders: a pattern, an example and a handler for each."""

import re
from collections.abc import Callable
from functools import partial
from re import Match, Pattern
from typing import Any, NamedTuple

from engine.campaign import Blueprints
from engine.i18n import Said, say
from engine.registry import RULESETS, campaigns
from engine.registry import blueprints as blueprints_of_systems
from pbem.handlers.accounts import (
    absence,
    account_safeguards,
    addresses,
    board_accounts,
    leaving,
    preferences,
    subscriptions,
)
from pbem.handlers.battles import battle_records, formation, live_play, wait_draw_takeover
from pbem.handlers.moderator import ruling_table
from pbem.handlers.names.doctrines import NAME
from pbem.handlers.offers import answers, challenges, patrols
from pbem.handlers.offers.checks import TERM_WORDS
from pbem.handlers.offers.making import TEAM_EXAMPLE
from pbem.handlers.offers.practice import practice
from pbem.handlers.offers.rematches import rematch
from pbem.handlers.pages import help_pages, status, topic_pages
from pbem.handlers.personas import blueprints, doctrines, enlist_and_resign, medals, rewards
from pbem.handlers.request import Answer, Request
from pbem.handlers.words import correspondence, editorials
from pbem.people.readers import NEWSLETTER


class LeagueOrder(NamedTuple):
    """One order: its whole-line pattern, an example, and the function that carries it out.

    With `takes_all` everything below the order belongs to it, even what looks like an order, up to
    a line END. Where that is `private`, nobody else sees
    it, and it may hold addresses. `takes_line` returns whether a cleaned line, in a language,
    belongs to the form below the order. An order that `may_be_tried` shows in a PREVIEW what it
    would do. `units` are its basic cost, in units of a Budget; costs that depend on the size of a
    battle or of the league are charged on top.
    """

    word: str
    pattern: Pattern[str]
    example: Said
    act: Callable[[Request, Match[str]], Answer]
    takes_all: bool = False
    private: bool = False
    takes_line: Callable[[str, str], bool] | None = None
    may_be_tried: bool = False
    units: int = 1500

    @property
    def asks(self) -> bool:
        """Return whether the order only asks, so that one answer per letter is enough."""
        return self.word in _QUESTIONS


_QUESTIONS = frozenset(
    "HELP RULES SHIPS STATUS GAMES STANDINGS SHEET REPORT HISTORY RECEIPTS MAP SCRIPT"
    " DESIGNS".split()
)


TOLD_IN_PUBLIC = frozenset(
    "ACCEPT DECLINE WITHDRAW REMATCH NOMINATE ENDORSE STORY READY WAIT DRAW RESIGN ADJOURN"
    " RESUME PRACTICE".split()
) | {"CHALLENGE", "CHALLENGE ANYBODY", "TEAM CHALLENGE", "NO DRAW"}
"""The orders that are answered on a board where they were written; others are answered alone."""

_UNITS = {"REPORT": 10_000, "PRACTICE": 20_000}
_UNITS |= dict.fromkeys(("AWAY", "BACK", "TIMEZONE", "NEW KEY", "GM"), 5000)
"""What the dearer orders cost; the others cost 1500, or 8000 where they may be tried."""


def _order(
    word: str,
    tail: str,
    example: str,
    act: Callable[[Request, Match[str]], Answer],
    **more: Any,
) -> LeagueOrder:
    pattern = re.compile(rf"{word}\b{tail}", re.I)
    units = _UNITS.get(word, 8000 if more.get("may_be_tried") else 1500)
    said = example if isinstance(example, Said) else say(example)
    return LeagueOrder(word, pattern, said, act, units=units, **more)


def _drawing(system: str, functions: Blueprints) -> tuple[LeagueOrder, ...]:
    """Return the orders for a system's blueprints."""
    word = functions.word
    return (
        # Before the general row: it would take DROP for the name of a new blueprint.
        _order(
            f"{word} DROP",
            r" (?P<name>.{1,40})",
            f"{word} DROP Wolf",
            partial(blueprints.drop, system),
        ),
        _order(
            word,
            r"(?: (?P<what>[^:]{1,60}:.*|\S+(?: \S+){0,3}))?",
            functions.form,
            partial(blueprints.draw, system),
            takes_line=partial(blueprints.takes, system),
            may_be_tried=True,
        ),
        _order(f"{word}S", "", f"{word}S", partial(blueprints.listed, system)),
    )


_WHICH = r"(?:BATTLE |GAME |NUMBER |NO\.? ?)?[G#]?(?P<number>\d{1,9})"
_NUMBER = rf"(?: {_WHICH})?"
# Mail programs make a link of an address, which is `ada@home.example <mailto:…>` as plain text.
_ADDRESS = r"<?(?P<address>[^\s<>]{1,200}@[^\s<>]{1,253}?)>?(?: ?<mailto:[^<>]*>)?"
_BOARD = "[a-z0-9]{1,40}"
"""The name of a channel, as the settings have it."""
_AS = r"(?: AS (?P<one>.{1,40}))?"
_SYSTEMS = "|".join(name for pair in topic_pages.TITLES.items() for name in pair)
_KINDS = dict.fromkeys(one for book in topic_pages.BOOKS.values() for one in book.classes)
_CLASSES = f"(?:{'|'.join(_KINDS)})"

_ASKED = r"[\w'/-]{1,30}(?: [\w'/-]{1,30})?"
"""What pages are asked about: one word or two, such as the name of a ship."""
_CAMPAIGNS = [*campaigns().values()]

_TERMS = "|".join(TERM_WORDS)
_MATCHES = "|".join(re.escape(name) for name in challenges.NAMES)
_ON = rf"(?: ON (?P<board>{_BOARD}))?"
_DOCTRINE = rf"(?: DOCTRINE (?P<doctrine>{NAME}))?"
_FIRST = (
    r"(?: FIRST (?P<first>ME|THEM|ROLL))?(?: (?P<major>MAJOR))?"
    rf"(?: (?P<terms>(?:{_TERMS})\b.{{0,120}}?))?{_ON}{_DOCTRINE}"
)

ORDERS = (
    _order(
        "HELP",
        rf"(?: (?:ON |ABOUT |WITH )?(?P<topic>{_SYSTEMS}|{_ASKED}))?",
        "HELP standing",
        help_pages.help_,
    ),
    # Only a player's JOIN comes here; a stranger's is read by `joining`.
    _order("JOIN", r" .{1,40}", "JOIN Ada Example", help_pages.already),
    _order(
        "RULES",
        rf"(?: (?P<system>{_SYSTEMS}))?(?: (?:(?:ON|OF|ABOUT|FOR) )?(?P<topic>{_ASKED}))?",
        f"RULES {next(iter(RULESETS))}",
        help_pages.rules,
    ),
    _order(
        "SHIPS",
        r"(?: (?:(?:OF|FOR) )?(?:THE )?"
        rf"(?P<classes>{_SYSTEMS}|{_CLASSES}(?: {_CLASSES})*|{_ASKED}))?",
        f"SHIPS {next(iter(_KINDS))}",
        help_pages.ships,
    ),
    _order(
        "STATUS",
        r"(?: (?P<all>ALL|PILOTS)(?: (?P<first>\d{1,6}))?)?",
        "STATUS all",
        status.status,
    ),
    _order("GAMES", r"(?: (?P<most>\d{1,6}))?", "GAMES", status.games),
    _order(
        "STANDINGS",
        r"(?: (?:(?P<first>\d{1,6}) (?:TO|-) )?(?P<last>\d{1,6})| (?P<side>[^\W\d_]+))?",
        status.STANDINGS_EXAMPLE,
        status.standings,
    ),
    _order("SHEET", r"(?: (?P<name>[^,;]{1,40}))?", "SHEET Hawk", enlist_and_resign.sheet),
    *(
        _order(
            "ENLIST", r" (?P<what>.+)", campaign.form, enlist_and_resign.enlist, may_be_tried=True
        )
        for campaign in _CAMPAIGNS[:1]
    ),
    *(
        _order(
            campaign.enlisting,
            r" (?P<what>.+)",
            campaign.form,
            enlist_and_resign.enlist,
            may_be_tried=True,
        )
        for campaign in _CAMPAIGNS
        if campaign.enlisting
    ),
    *(
        _order(
            campaign.lining.partition(" ")[0],
            r" (?P<name>[^:]{1,40}): ?(?P<what>.{1,300})",
            campaign.lining,
            enlist_and_resign.line_up,
        )
        for campaign in _CAMPAIGNS
        if campaign.lining
    ),
    *(
        order
        for key, functions in blueprints_of_systems().items()
        for order in _drawing(key, functions)
    ),
    *(
        (
            _order(
                "CHALLENGE ANYBODY",
                rf" AT (?P<system>{_MATCHES})(?: SEATS (?P<seats>\d{{1,2}}))?{_ON}",
                say(
                    "CHALLENGE ANYBODY AT {system} SEATS {seats}",
                    system=challenges.SYSTEMS[0],
                    seats=4,
                ),
                challenges.match_of_all,
            ),
            _order(
                "CHALLENGE",
                rf" (?P<others>.{{1,300}}?) AT (?P<system>{_MATCHES}){_ON}",
                say("CHALLENGE Bob, Cleo AT {system}", system=challenges.SYSTEMS[0]),
                challenges.match_of,
            ),
        )
        if challenges.SYSTEMS
        else ()
    ),
    _order(
        "CHALLENGE ANYBODY",
        r"(?: WITH (?P<one>.{1,40}?))?(?: SEATS (?P<seats>\d{1,2}))?" + _FIRST,
        challenges.ANYBODY_EXAMPLE,
        challenges.to_all,
    ),
    _order(
        "CHALLENGE",
        r" (?P<other>.{1,40}?|[^,]{1,40}(?:,[^,]{1,40}){1,3}?)(?: WITH (?P<one>.{1,40}?))?"
        + _FIRST,
        "CHALLENGE Kestrel WITH Hawk FIRST roll MAJOR",
        challenges.challenge,
    ),
    _order(
        "TEAM CHALLENGE",
        r" (?P<others>.{1,300}?)(?: WITH (?P<ones>.{1,300}?))?" + _FIRST,
        TEAM_EXAMPLE,
        challenges.team_challenge,
    ),
    _order("DOCTRINE", "", "DOCTRINE", doctrines.listed),
    # Before the general row: it would take NONE for a part of the pilot's name.
    _order(
        "DOCTRINE",
        rf" (?P<name>{NAME})(?: FOR (?P<pilot>.{{1,40}}?))? NONE",
        "DOCTRINE hunter FOR Hawk NONE",
        doctrines.drop,
    ),
    _order(
        "DOCTRINE",
        r" (?P<name>\S{1,40})(?: FOR (?P<pilot>.{1,40}?))?:?",
        doctrines.EXAMPLE,
        doctrines.keep,
        takes_all=True,
        private=True,
    ),
    _order("REMATCH", _NUMBER + _FIRST, "REMATCH 12", rematch),
    _order(
        "FORMATION",
        rf" (?P<names>.{{1,300}}?)(?: (?:IN|FOR) {_WHICH})?",
        "FORMATION Falcon, Hawk IN 12",
        formation.formation,
    ),
    _order("SUBSCRIBE", NEWSLETTER, "SUBSCRIBE newsletter", subscriptions.subscribe),
    _order("UNSUBSCRIBE", NEWSLETTER, "UNSUBSCRIBE newsletter", subscriptions.unsubscribe),
    _order("EDITORIAL", _AS, "EDITORIAL AS Hawk", editorials.editorial, takes_all=True),
    _order(
        "ACCEPT",
        rf"{_NUMBER}(?: WITH (?P<one>.{{1,40}}?))?{_DOCTRINE}",
        "ACCEPT 3",
        answers.accept,
    ),
    _order("DECLINE", _NUMBER, "DECLINE 3", answers.decline),
    _order("WITHDRAW", _NUMBER, "WITHDRAW 3", answers.withdraw),
    _order(
        "SPEND",
        r" (?P<points>\d[\d.,]*)(?: HP)? FOR (?P<rest>.+)",
        rewards.EXAMPLE,
        rewards.spend,
    ),
    _order(
        "CHOOSE",
        r" (?P<what>.{1,80}?)(?: FOR (?P<name>.{1,40}))?",
        "CHOOSE weapons 2 piloting 1 FOR Hawk",
        rewards.choose,
    ),
    _order(
        "NOMINATE",
        rf" (?P<name>.{{1,40}}?)(?: (?:IN|FOR) {_WHICH})?",
        "NOMINATE Hawk IN 12",
        medals.nominate,
        takes_all=True,
    ),
    _order("ENDORSE", _NUMBER, "ENDORSE 7", medals.endorse),
    _order(
        "RESIGN",
        # Letters of before November 2026 asked for a code.
        r" (?P<name>.{1,40}?)(?: CODE:? [a-z2-7]{8})?",
        "RESIGN Hawk",
        enlist_and_resign.resign,
    ),
    _order("PATROL OFF", r" (?P<name>.{1,40})", "PATROL OFF Hawk", patrols.off),
    _order(
        "PATROL",
        rf"(?: WITH (?P<name>.{{1,40}}?))?{_DOCTRINE}",
        "PATROL WITH Hawk",
        patrols.patrol,
    ),
    _order(
        "PRACTICE",
        rf"(?: WITH (?P<name>.{{1,40}}?))?(?: AGAINST (?P<strength>\w+))?{_DOCTRINE}",
        "PRACTICE WITH Hawk AGAINST sharp",
        practice,
    ),
    _order(
        "TAKEOVER",
        rf" {_WHICH}(?: AS (?P<seat>.{{1,40}}))?",
        "TAKEOVER 12",
        wait_draw_takeover.takeover,
    ),
    _order("REPORT", _NUMBER, "REPORT 12", battle_records.report),
    _order("HISTORY", _NUMBER, "HISTORY 12", battle_records.history),
    _order("DRAW", _NUMBER, "DRAW 12", wait_draw_takeover.draw),
    _order("NO DRAW", _NUMBER, "NO DRAW 12", wait_draw_takeover.no_draw),
    _order("LANGUAGE", r" (?P<language>\w+)", "LANGUAGE de", preferences.language),
    _order(
        "AWAY",
        # Anything with a digit: a date in another form is answered, and a sentence is not an order.
        r"(?:(?: FROM)? (?P<first>\S*\d\S*)(?: (?:TO|UNTIL|TILL|-) (?P<last>\S+))?)?",
        "AWAY 2026-12-20 TO 2027-01-03",
        absence.away,
    ),
    _order("BACK", r"(?: (?P<first>\S*\d\S*))?", "BACK", absence.back),
    _order(
        "TIMEZONE", r"(?: (?P<zone>[\w+/: -]{1,60}))?", "TIMEZONE Europe/Oslo", absence.timezone
    ),
    _order("WAIT", _NUMBER, "WAIT 12", wait_draw_takeover.wait),
    _order("READY", _NUMBER, "READY 12", wait_draw_takeover.ready),
    _order("ADJOURN", _NUMBER, "ADJOURN 12", live_play.adjourn),
    _order("RESUME", _NUMBER, "RESUME 12", live_play.resume),
    # Read by `routing.marked_text`; here for what else knows all orders, such as mistyped ones.
    _order("STORY", ":?", "STORY", wait_draw_takeover.story, takes_all=True),
    _order(
        "TELL",
        rf" (?P<who>\"[^\"]{{1,40}}\"|\S{{1,40}}(?: \S{{1,40}}){{0,2}}?){_AS}",
        "TELL Kestrel AS Hawk",
        correspondence.tell,
        takes_all=True,
    ),
    _order("PRESS", _AS, "PRESS AS Hawk", correspondence.press, takes_all=True),
    _order("BLOCK", r"(?: (?P<name>.{1,40}))?", "BLOCK Kestrel", correspondence.block),
    _order("UNBLOCK", r" (?P<name>.{1,40})", "UNBLOCK Kestrel", correspondence.unblock),
    _order("RECEIPTS", _NUMBER, "RECEIPTS 12", battle_records.receipts),
    _order("MAP", rf"{_NUMBER}(?: STEP (?P<step>[0-9]{{1,9}}))?", "MAP 12", battle_records.picture),
    _order("LINK", rf" (?P<board>{_BOARD})", "LINK forum", board_accounts.link),
    _order("UNLINK", rf" (?P<board>{_BOARD})", "UNLINK forum", board_accounts.unlink),
    _order("WATCH", _NUMBER, "WATCH 12", battle_records.watch),
    _order("UNWATCH", _NUMBER, "UNWATCH 12", battle_records.unwatch),
    _order("LEAVE LEAGUE", "", "LEAVE LEAGUE", leaving.leave),
    _order("MAIL", r"(?: (?P<wish>\w+))?", "MAIL digest", preferences.mail),
    _order("FORMAT", r"(?: (?P<wish>\w+))?", "FORMAT text", preferences.format_),
    _order("ADDRESS REMOVE", rf" {_ADDRESS}", "ADDRESS REMOVE ada@home.example", addresses.remove),
    _order("ADDRESS", rf"(?: {_ADDRESS})?", "ADDRESS ada@home.example", addresses.address),
    # Before the general row for GM, because these rulings take the text below them.
    _order(
        "GM",
        r" (?P<what>(?:PROXY|POST)\b.{0,80})",
        "GM PROXY Hawk IN 12",
        ruling_table.by_mail,
        takes_all=True,
    ),
    _order(
        "GM",
        # A scenario may name players by their addresses, which any other text may not hold.
        r" (?P<what>BATTLE)",
        "GM BATTLE",
        ruling_table.by_mail,
        takes_all=True,
        private=True,
    ),
    _order("GM", r"(?: (?P<what>.{1,290}))?", "GM EXTEND 12 48h", ruling_table.by_mail),
    _order("NEW KEY", "", "NEW KEY", account_safeguards.new_key),
    _order("SCRIPT", _NUMBER, "SCRIPT 12", battle_records.send_script),
)

READING = frozenset(
    "HELP JOIN RULES SHIPS STATUS GAMES STANDINGS SHEET DESIGNS REPORT HISTORY RECEIPTS MAP"
    " SCRIPT".split()
)
"""Orders that change nothing: all that the token of a turn that is over allows."""

NAMING = frozenset(("ADDRESS", "ADDRESS REMOVE", "GM"))
"""Orders that may name a mail address."""
