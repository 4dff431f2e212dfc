"""A newsletter with something of everything, a quiet one, and the letters around it."""

from datetime import UTC, datetime
from typing import Any

from engine.campaign import Entry, Persona
from engine.i18n import say
from pbem.games.reports import battle_account, turning_points
from pbem.i18n.days import day
from pbem.news import front_page
from pbem.rendering import Page, Renderer
from tests.support.letter_samples import (
    CAMPAIGN,
    DEADLINE,
    HAWK,
    KESTREL,
    REPLY,
    RULES,
    SHOWN,
    TALES,
    Duel,
    standings,
)

DAY = day(datetime(2026, 11, 24, tzinfo=UTC))
DECEMBER = day(datetime(2026, 12, 1, tzinfo=UTC))
LEAVE = {"address": "referee+qrstuvwxyz234567@avalon.example", "subject": "unsubscribe"}


def _entry(name: str, pilot: Persona, entry: Entry, game: int | None = None) -> dict[str, Any]:
    return {
        "name": name,
        "sheet": CAMPAIGN.sheet(pilot),
        "kind": entry.kind,
        "points": entry.points,
        "facts": entry.facts,
        "game": game,
        "day": DAY,
    }


def _entries() -> list[dict[str, Any]]:
    medal = {"title": "Circle of Fourteen", "code": "C14", "count": 1}
    return [
        _entry("Hawk", HAWK, Entry("enlisted", facts={"ship": "Angela 313B"})),
        _entry("Kestrel", KESTREL, Entry("award", facts=medal | {"title": "Ace Medal"}), 12),
        _entry("Kestrel", KESTREL, Entry("promoted", facts={"rank": 3, "title": "Major"})),
        _entry("Old Merlin", HAWK, Entry("medal", facts=medal), 9),
        _entry("Old Merlin", HAWK, Entry("retired")),
        _entry("Hawk", HAWK, Entry("died"), 12),
    ]


def _result(duel: Duel, number: int, **facts: Any) -> dict[str, Any]:
    told = duel.account()
    return {
        "number": number,
        "system": "starpilot",
        "day": DAY,
        "teams": ["Hawk", "Kestrel"],
        "steps": len(duel.steps),
        "major": False,
        "outcome": told["outcome"],
        "story": None,
        "beats": battle_account.told(RULES, told["steps"][-1:]),
        "view": told["view"],
        "game": told["game"],
    } | facts


def _duel(over: Duel) -> dict[str, Any]:
    told, swung = over.account(), turning_points.found(RULES, over.states)[:2]
    return {
        "number": 12,
        "system": "starpilot",
        "teams": ["Hawk", "Kestrel"],
        "steps": len(over.steps),
        "outcome": told["outcome"],
        "points": front_page.points(battle_account.told(RULES, told["steps"], swung)),
        "view": told["view"],
        "game": told["game"],
    }


def issue() -> dict[str, Any]:
    """Return an issue in which something of everything has happened."""
    over = Duel().play(400)
    return {
        "number": 3,
        "since": day(datetime(2026, 11, 1, tzinfo=UTC)),
        "until": DECEMBER,
        "quiet": False,
        "entries": [{"system": "starpilot", "lines": _entries(), "more": 3}],
        "results": [
            _result(over, 11, major=True),
            _result(over, 12, story={"seat": "Hawk", "line": TALES[0]["lines"][0]}),
            _result(over, 13, outcome={"winner": None, "drawn": True}, beats=[]),
        ],
        "unlisted": 2,
        "headline": {
            "kind": "comeback",
            "number": 11,
            "winner": "Kestrel",
            "losers": ["Hawk"],
            "low": 12,
        },
        "duel": _duel(over),
        "drawn": [SHOWN],
        "records": [
            {
                "kind": "longest",
                "number": 11,
                "system": "starpilot",
                "title": "StarPilot 3.1",
                "teams": ["Hawk", "Kestrel"],
                "count": 74,
            },
            {
                "kind": "quickest",
                "number": 13,
                "system": "starpilot",
                "title": "StarPilot 3.1",
                "teams": ["Old Merlin", "Hawk"],
                "count": 9,
            },
            {
                "kind": "hits",
                "number": 12,
                "system": "starpilot",
                "title": "StarPilot 3.1",
                "teams": ["Hawk", "Kestrel"],
                "count": 21,
            },
        ],
        "citations": [
            {"pilot": "Old Merlin", "game": 9, "lines": ["He stayed when he could have run."]}
        ],
        "seekers": {
            "patrols": ["Hawk", "Kestrel"],
            "calls": [
                {
                    "number": 14,
                    "one": "Old Merlin",
                    "other": "anybody",
                    "anybody": True,
                    "terms": "",
                    "system": "starpilot",
                }
            ],
        },
        "commitments": [
            {"game": 12, "commitment": "0" * 64},
            {"game": 13, "commitment": "1" * 64},
        ],
        "many_commitments": {
            "count": 812,
            "first": 14,
            "last": 830,
            "fingerprint": "2" * 64,
        },
        "editorials": [
            {"by": "Kestrel", "lines": ["Beams are overrated, and so is the <b>cartel</b>."]},
            {"by": "", "lines": ["A fair wind to all.", "FIRE AT Hawk"]},
        ],
        "standings": [standings() | {"own": []}],
        "reliability": [
            {"name": "Kestrel", "met": 19, "asked": 20, "percent": 95},
            {"name": "Hawk", "met": 1, "asked": 2, "percent": 50},
        ],
    }


def quiet() -> dict[str, Any]:
    """Return an issue of a time in which nothing has happened."""
    empty: dict[str, Any] = {key: [] for key in issue()}
    facts = {
        "number": 4,
        "since": DECEMBER,
        "until": day(datetime(2027, 1, 1, tzinfo=UTC)),
        "quiet": True,
    }
    blank = {
        "headline": None,
        "duel": None,
        "seekers": {"patrols": [], "calls": []},
        "many_commitments": None,
    }
    return empty | facts | blank | {"unlisted": 0}


def own() -> dict[str, Any]:
    """Return the reader's own part, in which something waits."""
    pilot = {
        "name": "Hawk",
        "system": "starpilot",
        "sheet": CAMPAIGN.sheet(HAWK),
        "bar": say("in battle"),
        "heir": "",
    }
    return {
        "pilots": [pilot],
        "orders": [{"number": 12, "seat": "Hawk", "deadline": DEADLINE}],
        "challenges": [
            {
                "number": 14,
                "one": "Kestrel",
                "other": "Hawk",
                "anybody": False,
                "terms": "",
                "system": "starpilot",
            }
        ],
        "choices": ["Hawk"],
    }


NOTHING: dict[str, Any] = {"pilots": [], "orders": [], "challenges": [], "choices": []}


def letters(renderer: Renderer) -> dict[str, tuple[str, dict[str, Any]]]:
    """Return letters by name, each its kind and its facts."""
    full, still = _parts(renderer, issue()), _parts(renderer, quiet())
    anna, stop = {"player": {"name": "Anna"}, "reply": REPLY}, {"stop": LEAVE}
    nobody = {"player": {"name": ""}, "reply": REPLY | {"token": ""}}
    editorial = {"number": 7, "by": "Hawk", "lines": ["Beams are overrated.", "FIRE AT Hawk"]}
    return {
        "newsletter": ("newsletter", anna | stop | _letter(full, own())),
        "newsletter-quiet": ("newsletter", anna | stop | _letter(still, NOTHING)),
        "newsletter-stranger": ("newsletter", nobody | stop | _letter(still, None)),
        "reader-confirm": ("reader", nobody | {"reply": REPLY, "step": "confirm"}),
        "reader-welcome": ("reader", nobody | {"reply": REPLY, "step": "welcome"}),
        "reader-leaving": ("reader", nobody | {"reply": REPLY, "step": "leaving"}),
        "reader-gone": ("reader", nobody | {"step": "gone"}),
        "editorial": ("editorial", anna | editorial),
        "editorial-unsigned": ("editorial", anna | editorial | {"by": ""}),
    }


def _parts(renderer: Renderer, facts: dict[str, Any]) -> dict[str, Page]:
    """Print an issue in each language."""
    return {
        language: renderer.section("newsletter", language, **facts)
        for language in renderer.languages
    }


def _letter(parts: dict[str, Page], mine: dict[str, Any] | None) -> dict[str, Any]:
    return {"parts": parts, "own": mine}
