"""Every kind of letter with facts from a real duel, for the tests of the rendering."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any
from zoneinfo import ZoneInfo

from engine import fair_dice
from engine.campaign import Entry, Persona
from engine.codec import plain
from engine.dice import SeededDice, canonical, digest
from engine.i18n import say
from engine.orders.orders_on_file import Sheet, choose, lines
from engine.orders.reading import read_for
from engine.play import order_texts, take
from engine.preview.effects import effect
from engine.preview.odds import Odds
from engine.registry import RULESETS
from engine.seats import Seat
from pbem.games.reports import turning_points
from pbem.games.reports.battle_account import passages
from pbem.games.reports.opening import opening, tale
from pbem.games.reports.seat_facts import barred_of
from pbem.games.reports.shortening import runs
from pbem.handlers.pages.topic_pages import TOPICS, help_block
from pbem.i18n.days import dated, day
from pbem.outgoing.digest import blocks
from pbem.people.career_log import facts_of
from tests.support.our_systems import OURS
from tests.support.rule_samples import page_of, whole_book

RULES, SKIES = RULESETS["starpilot"], RULESETS["blackskies"]
assert RULES.campaign is not None
CAMPAIGN = RULES.campaign
SECRET = bytes(range(32))
GAME = {
    "number": 12,
    "sheets": True,
    "doctrines": True,
    "script": True,
    "id": "G12",
    "title": RULES.title,
    "turn": 7,
    "practice": False,
    "friendly": False,
    "staged": False,
    "bots": "",
    "commitment": sha256(SECRET).hexdigest(),
}
PATROL = GAME | {"bots": "sound"}
REPLY = {
    "token": "abcdefghijklmnop",
    "address": "referee+abcdefghijklmnop@avalon.example",
    "held": False,
}
PAIR = say("{most} and {last}", most=["Hawk"], last="Falcon")
OSLO = ZoneInfo("Europe/Oslo")
EVENING = datetime(2026, 11, 24, 20, tzinfo=OSLO)
DEADLINE = {
    "local": dated(EVENING, OSLO),
    "utc": "2026-11-24 19:00 UTC",
}
HAWK = CAMPAIGN.enlist("Hawk FOR cartel WEAPONS 14 PILOTING 11 SENSORS 11 SHIP Angela 313B")
KESTREL = CAMPAIGN.enlist("Kestrel FOR alliance WEAPONS 12 PILOTING 10 SENSORS 14 SHIP Rus 133-A")
ODDS = Odds(fights=84, won=37, lost=61, open=2, verdict="behind", soon=10, taken=0.9, given=1.3)
RELIABLE = {"met": 18, "asked": 20, "percent": 90}
UNKNOWN = {"met": 0, "asked": 0, "percent": None}
STANDING = """STANDING
IF FIRED ON: JINK
IF LAUNCHED AT: ECM
IF STRUCTURE <= 0 AND SHOT AT: EJECT
IF LOCKED: {shot}
IF UNDETECTED: SCAN
ELSE: TARGET
END"""


WORDS = {
    "Hawk": fair_dice.words_of("<1@home.example>", ["my own words"]),
    "Kestrel": fair_dice.words_of("<2@home.example>", []),
}

TALES = [
    {"seat": "Hawk", "after": 3, "lines": ["The stars stood still.", "So did I, for a breath."]},
    {"seat": "Kestrel", "after": 9, "lines": ["Come and get me, @Hawk: [b]now[/b] or *never*."]},
]


@dataclass(slots=True)
class Duel:
    """A duel played by standing orders, and its steps in a report's form."""

    one: Persona = HAWK
    other: Persona = KESTREL
    state: Any = None
    steps: list[dict[str, Any]] = field(default_factory=list)
    states: dict[int, Any] = field(default_factory=dict)
    events: list[Sequence[Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.state = RULES.setup(CAMPAIGN.melee((self.one,), (self.other,), None))
        self.states[-1] = self.state

    def play(self, most: int, shots: tuple[str, str] = ("FIRE", "LAUNCH")) -> "Duel":
        """Play up to a number of steps."""
        orders = zip((self.one.name, self.other.name), shots, strict=True)
        texts = {name: STANDING.format(shot=shot) for name, shot in orders}
        sheets = {
            name: read_for(RULES, None, None, text).standing or Sheet()
            for name, text in texts.items()
        }
        while len(self.steps) < most and RULES.outcome(self.state) is None:
            self._step(sheets)
        return self

    def _step(self, sheets: dict[str, Sheet]) -> None:
        seats = RULES.to_act(self.state)
        seat = seats[0] if seats else Seat("")
        choice = choose(RULES, self.state, seat, sheets[seat]) if seats else None
        given = RULES.cautious(self.state, seat) if seats else None
        orders = {seat: [choice.order if choice else given]} if seats else {}
        texts = order_texts(RULES, orders)
        text = canonical([order for _, order in texts])
        dice = SeededDice(SECRET, GAME["id"], len(self.steps), digest(text))
        step = take(RULES, self.state, orders, dice)
        self.state = self.states[len(self.steps)] = step.state
        self.events.append(step.events)
        self.steps.append(
            {
                "n": len(self.steps),
                "seat": seat,
                "order": texts[0][1] if texts else "",
                "undo": None,
                "ended": None,
                "void": False,
                "source": choice.source if choice else "default" if seats else "",
                "passed": [
                    {"order": order, "reason": RULES.telling.explain(reason)}
                    for order, reason in (choice.passed if choice else ())
                ],
                "events": [plain(event) for event in step.events],
                "alike": RULES.telling.alike(step.events),
                "struck": sorted({at for at in map(RULES.telling.struck, step.events) if at}),
                "digest": fair_dice.digest_of(f"{len(self.steps)}".encode()),
                "words": WORDS,
                "proxied": [],
                "rolls": [{"sides": s, "result": r, "why": w} for s, r, w in step.rolls],
            }
        )

    def report(self, seat: str, since: int = 0) -> dict[str, Any]:
        """Return the facts of a report to a seat."""
        rules = read_for(RULES, None, None, STANDING.format(shot="FIRE")).standing
        asked = seat in RULES.to_act(self.state)
        held = {"order": "FIRE", "chance": 42, "legal_now": False, "vain": ""}
        held["reason"] = RULES.telling.explain("no lock")
        mine = {
            "queue": ["FIRE", "TARGET"],
            "standing": lines(rules or Sheet()),
            "held": [held],
            "nameless": [],
            "asking": "",
        }
        steps = [_seen(step, seat) for step in self.steps[since:]]
        before = self.states[since - 1]
        known = barred_of(RULES, RULES.foresee(before, Seat(seat)), Seat(seat))
        foreseen = RULES.foresee(self.state, Seat(seat))
        events = [event for step in self.events[since:] for event in step]
        return {
            "game": GAME,
            "pictures": [SHOWN] if len(self.state.pilots) == 2 else [],
            "view": RULES.view(self.state, Seat(seat)),
            "summary": {
                **RULES.telling.gist(self.state, events, Seat(seat))._asdict(),
                "shown": [],
            },
            "earlier": RULES.view(before, Seat(seat)),
            "opening": opening(RULES, self.state, Seat(seat), steps, before),
            "whole": False,
            "runs": runs(steps),
            "stories": [],
            "opponents": ["Kestrel" if seat == "Hawk" else "Hawk"],
            "offers": offers(foreseen, seat),
            "plan": [],
            "refused": [one for one in barred_of(RULES, foreseen, Seat(seat)) if one not in known],
            "sheet": mine,
            "deadline": DEADLINE,
            "asked": asked,
            "awaiting": "",
            "waiting_for": [] if asked else list(RULES.to_act(self.state)),
            "draw_offered": [],
            "team": None,
            "crews": [],
            "left_out": [],
            "nameless": [],
            "misses": 0,
            "misses_allowed": 3,
            "unconfirmed": [],
            "away": [],
            "own_away": False,
            "out_of_reach": [],
            "vacant": [],
            "own_vacant": False,
            "halted": 0,
            "ahead": False,
            "silence": {"on_file": False, "forfeits": False, "orders": ["PROTECT"]},
            "ack": None,
        }

    def begin(self, seat: str) -> dict[str, Any]:
        """Return the facts of the first report, which shows all sheets."""
        first = self.report(seat)
        return first | {
            "summary": first["summary"] | {"shown": list(self.state.pilots)},
            "earlier": None,
            "whole": True,
            "refused": barred_of(RULES, RULES.foresee(self.state, Seat(seat)), Seat(seat)),
        }

    def account(self, since: int = 0) -> dict[str, Any]:
        """Return the facts of the account that all may read."""
        steps, outcome = [_seen(step, "") for step in self.steps[since:]], RULES.outcome(self.state)
        tales = [one for one in TALES if one["after"] >= since]
        turned = turning_points.found(RULES, self.states)[:1] if outcome else []
        return {
            "game": GAME,
            "view": RULES.view(self.state, None),
            "steps": steps,
            "passages": passages(RULES, steps, tales, turned),
            "outcome": outcome and {"winner": outcome.winner, "drawn": outcome.drawn},
            "secret": SECRET.hex() if outcome else "",
            "careers": [self.career(one) for one in (self.one, self.other)] if outcome else [],
            "runs": runs(steps),
            **self.public_turn(),
        }

    def career(self, one: Persona) -> dict[str, Any]:
        """Return what the battle, which is over, has changed in a pilot's career."""
        after = CAMPAIGN.after(one, self.state, Seat(one.name), *["2026-11-24"] * 2)
        return {"sheet": CAMPAIGN.sheet(after.persona), "changes": facts_of(after.entries)}

    def public_turn(self) -> dict[str, Any]:
        """Return what everybody may know of who must order next."""
        seats = RULES.to_act(self.state)
        acting = [
            {"seat": seat, "ahead": False, "offers": offers(self.state, seat)} for seat in seats
        ]
        open_ = {
            "misses_allowed": 3,
            "hidden": False,
            "together": False,
            "awaiting": "",
            "medals": True,
        }
        return {"acting": acting, "deadline": DEADLINE, **open_}

    def final(self, seat: str) -> dict[str, Any]:
        """Return the facts of the last report."""
        outcome = RULES.outcome(self.state)
        assert outcome is not None
        career = self.career(self.one)
        return self.report(seat, len(self.steps) - 4) | {
            "outcome": {"winner": outcome.winner, "drawn": outcome.drawn},
            "tale": tale(
                RULES,
                [_seen(step, seat) for step in self.steps],
                turning_points.found(RULES, self.states),
            ),
            "persona": career["sheet"],
            "changes": career["changes"],
            "heir": "",
            "bar": "",
            "foes_bar": "",
            "again": True,
            "spends": True,
        }


def offers(state: Any, seat: str) -> list[dict[str, Any]]:
    """Return the legal orders of a seat as a letter shows them."""
    return [
        {
            "order": RULES.format(offer.order),
            "chance": offer.chance,
            "effect": effect(RULES, state, Seat(seat), offer.order),
        }
        for offer in RULES.offers(state, Seat(seat))
    ]


def _seen(step: dict[str, Any], seat: str) -> dict[str, Any]:
    own = step["seat"] == seat or step["source"] == "default"
    shown = step | {"words": {s: w for s, w in step["words"].items() if s == seat}}
    return shown if own else shown | {"source": "", "passed": []}


LEFT_OUT = [("IF LOCKED: FIRE Finch", say("it is no order here"))]
TAKEN = say("it is taken, or so like a name that is taken that letters would be mistaken")
NAMELESS = (
    "address",
    "alarm",
    "briefing",
    "confirm",
    "failing",
    "held",
    "question",
    "shunted",
    "stranger",
    "stumbled",
    "taken",
)
"""Letters to people who are not players, or may be none."""


def samples(name: str = "Anna") -> dict[str, tuple[str, dict[str, Any]]]:
    """Return letters by name, each its kind and its facts."""
    duel, over = Duel().play(9), Duel().play(400)
    return {
        key: (kind, facts | {"player": {"name": "" if kind in NAMELESS else name}, "reply": REPLY})
        for key, (kind, facts) in (_desk() | _orders() | _battle(duel, over)).items()
    }


SHOWN = {
    "cid": "0123456789abcdef01234567@picture.invalid",
    "alt": say(
        "Picture: {facts}.",
        facts=[
            say(
                "{one} and {other} at {range} range", one="Hawk", other="Kestrel", range=say("far")
            ),
            say("{name} with the Advantage", name="Hawk"),
        ],
    ),
}
LINES = [
    "Shall we settle this before the new year? My mechanics have worked on that Angela for a week.",
    "FIRE AT Kestrel",
    "<b>Yours</b>, [url]x[/url] *Ben*",
]
RULED = [
    {"after": 0, "day": day(datetime(2026, 11, 2, tzinfo=UTC)), "text": say("the game is paused")},
    {
        "after": 3,
        "day": day(datetime(2026, 11, 3, tzinfo=UTC)),
        "text": say("the moderator gives orders for {seat}", seat="Hawk"),
    },
]
NEAR = [
    {"text": "FIRE Kestral", "hint": "FIRE Kestrel", "meant": ["FIRE Kestrel"]},
    {"text": "FIRE", "hint": "", "meant": ["FIRE Kestrel", "FIRE Kite"]},
    {"text": "ACCEPT it", "hint": say("ACCEPT 3"), "meant": []},
]


KEPT = [
    {"lines": ["Ring me: ***"], "more": 2, "why": say("it holds a mail address")},
]
UNSURE = {
    "lines": [
        {"line": "FIRE", "wrote": "", "elsewhere": False, "weighed": None},
        {"line": "TARGET", "wrote": "TARGT", "elsewhere": False, "weighed": None},
    ],
    "more": 1,
    "own": True,
    "beside": True,
    "keyed": False,
    "timed": True,
    "leaves": False,
}
UNSEEN = {
    "lines": ["My son is in hospital, so I may be slow this week."],
    "more": 1,
    "kept": True,
}
BACK = say("Your letters come here again, and the address that was added since is forgotten.")
WAITING = [
    say(
        "nomination {number}, of {pilot} for game {game}, waits for the endorsements of players",
        number=7,
        pilot="Hawk",
        game=12,
    ),
    say(
        "game {game} is proposed as a major battle; answer with GM MAJOR {game} or"
        " GM NO MAJOR {game}",
        game=13,
    ),
    say(
        "letters that the program set aside: {count}; pbem shunted list names them, and pbem"
        " shunted retry with a number tries one again",
        count=2,
    ),
]


def _desk() -> dict[str, tuple[str, dict[str, Any]]]:
    challenge = {
        "number": 3,
        "challenger": {"pilot": "Hawk", "player": "Ben"},
        "sheet": CAMPAIGN.sheet(HAWK),
        "reliability": RELIABLE,
        "own": "Kestrel",
        "own_sheet": CAMPAIGN.sheet(KESTREL),
        "first": say("the dice decide"),
        "major": True,
        "terms": "",
        "pledge": {"game": 12, "commitment": GAME["commitment"]},
        "often": "",
        "doctrines": ["hunter"],
        "until": DEADLINE,
    }
    match = {"number": 4, "by": "Ben", "title": "Racetrack", "names": ["Ben", "Anna", "Cleo"]}
    lapsed = {"number": 3, "one": "Hawk", "other": "Kestrel", "days": 14, "again": [], "played": ""}
    mine, theirs, all_ = ["Hawk", "Kestrel"], ["Kestrel", "Hawk"], say("anybody")
    return {
        "lapsed": ("lapsed", lapsed | {"yours": True, "anybody": False, "again": mine}),
        "lapsed-theirs": ("lapsed", lapsed | {"yours": False, "anybody": False, "again": theirs}),
        "lapsed-open": ("lapsed", lapsed | {"other": all_, "yours": True, "anybody": True}),
        "match": (
            "match",
            match | {key: challenge[key] for key in ("pledge", "until")},
        ),
        "confirm": ("confirm", {}),
        "welcome": (
            "welcome",
            {
                "key": "abc-def-ghi",
                "pilot": "Finch",
                "number": 1,
                "subscribed": False,
                "moderator": True,
                "unseen": None,
            },
        ),
        "welcome-subscribed": (
            "welcome",
            {
                "key": "abc-def-ghi",
                "pilot": "Wren",
                "number": 4,
                "subscribed": True,
                "moderator": False,
                "unseen": None,
            },
        ),
        "stranger": ("stranger", {}),
        "alarm": (
            "alarm",
            {
                "text": say("the mailbox was last read {hours} h ago", hours=5),
                "since": "2026-11-02 12:00 UTC",
                "over": False,
            },
        ),
        "alarm-over": (
            "alarm",
            {
                "text": say("the mailbox was last read {hours} h ago", hours=5),
                "since": "2026-11-02 12:00 UTC",
                "over": True,
            },
        ),
        "banned": (
            "banned",
            {"banned": True, "why": "insults", "moderator": "mona@home.example"},
        ),
        "banned-no-more": ("banned", {"banned": False, "why": "", "moderator": ""}),
        "briefing": ("briefing", {"items": WAITING}),
        "taken": ("taken", {"why": TAKEN}),
        "refused": ("refused", {}),
        "shunted": ("shunted", {"received": "2026-11-24 19:00 UTC"}),
        "challenge": ("challenge", challenge),
        "declined": ("declined", {"number": 3, "one": "Hawk", "other": "Kestrel", "played": ""}),
        "career": ("career", _career()),
        "language": ("language", {"languages": ["de", "en"], "pilot": "Falcon", "number": 7}),
        "language-again": ("language", {"languages": ["de", "en"], "pilot": None, "number": 7}),
        "question": (
            "question",
            {
                "number": 12,
                "title": "Starfarer",
                "teams": ["Ravens", "Kites"],
                "question": say("the fight is decided; who of the survivors is healed"),
                "orders": [
                    say("GM RULE {game} {ruling}", game=12, ruling=one) for one in ("DONE", "Kitai")
                ],
            },
        ),
        "notice": ("notice", {"title": "A word from the referee", "text": "The office moves."}),
        "answers": (
            "answers",
            {
                "answers": _answers(),
                "near": NEAR,
                "kept": KEPT,
                "unseen": UNSEEN,
                "unsure": UNSURE,
                "others": ["Kestrel"],
                "starter": None,
                "lost": 0,
                "title": say("Done: {order}", order="STATUS"),
            },
        ),
        "answers-none": (
            "answers",
            {
                "answers": [],
                "near": [],
                "kept": [],
                "unseen": UNSEEN | {"more": 0},
                "unsure": None,
                "others": [],
                "lost": 1,
                "starter": "Osprey",
                "wanted": "",
                "waiting": [],
                "number": 7,
                "title": say("No order was found"),
            },
        ),
        "answers-lost": (
            "answers",
            {
                "answers": [],
                "near": [],
                "kept": [],
                "unseen": UNSEEN | {"more": 0},
                "unsure": None,
                "others": [],
                "lost": 2,
                "starter": None,
                "waiting": [12],
                "title": say("No order was found"),
            },
        ),
        "answers-reward": (
            "answers",
            {
                "answers": _reward(),
                "near": [],
                "kept": [],
                "unseen": None,
                "unsure": None,
                "others": [],
                "starter": None,
                "lost": 0,
                "title": say("Done: {order}", order="STATUS"),
            },
        ),
        "digest": ("digest", {"items": _held()}),
        "leaving": ("leaving", {"games": [12], "days": 7}),
        "sure": ("sure", {"order": "ADDRESS ben@home.example", "days": 7}),
        "readdressed": ("readdressed", {"days": 7}),
        "rekeyed": (
            "rekeyed",
            {"key": "abc-def-ghi", "told": "", "games": [say("REPORT {number}", number=12)]},
        ),
        "rekeyed-undone": (
            "rekeyed",
            {"key": "abc-def-ghi", "told": BACK, "games": []},
        ),
        "doubted": ("doubted", {"days": 7}),
        "farewell": ("farewell", {}),
        "address": ("address", {}),
        "told": ("told", {"by": {"name": "Hawk", "player": "Ben"}, "lines": LINES}),
        "press": ("press", {"by": {"name": "Ben", "player": ""}, "lines": LINES}),
        "nominated": ("nominated", {"nomination": NOMINATION | {"yours": False}}),
        "nominated-mate": ("nominated", {"nomination": NOMINATION}),
        "answers-standings": (
            "answers",
            {
                "answers": _rankings(),
                "near": [],
                "kept": [],
                "unseen": None,
                "unsure": None,
                "others": [],
                "starter": None,
                "lost": 0,
                "title": say("Done: {order}", order="STATUS"),
            },
        ),
        "answers-help": (
            "answers",
            {
                "answers": _helps(),
                "near": [],
                "kept": [],
                "unseen": None,
                "unsure": None,
                "others": [],
                "starter": None,
                "lost": 0,
                "title": say("Done: {order}", order="STATUS"),
            },
        ),
        **{
            f"answers-rules-{system}": (
                "answers",
                {
                    "answers": whole_book(system),
                    "near": [],
                    "kept": [],
                    "unseen": None,
                    "unsure": None,
                    "others": [],
                    "starter": None,
                    "lost": 0,
                    "title": say("Done: {order}", order="STATUS"),
                },
            )
            for system in OURS
        },
    }


def _career() -> dict[str, Any]:
    """One entry of each kind, as if one pilot had seen it all."""
    honour = {"title": "Circle of Fourteen", "code": "C14", "count": 2}
    flown = {"fate": "active", "kills": 1, "prizes": 0, "mission": True}
    entries = [
        Entry("enlisted", facts={"ship": "Angela 313B"}),
        Entry("battle", "earned", 14, facts=flown),
        Entry("battle", "earned", 0, facts=flown | {"fate": "surrendered", "mission": False}),
        Entry("lost", "lost", -2),
        Entry("major", "earned", 10),
        Entry("spent", "spent", -30, facts={"hp": 3, "rank": 1, "roll": 4, "result": 16}),
        Entry("trained", facts={"points": {"weapons": 2, "sensors": 1}}),
        Entry("upgraded", facts={"stat": "shields", "mark": 2}),
        Entry("new_ship", facts={"ship": "Brandy 417A"}),
        *(Entry("wasted", facts={"what": what}) for what in ("points", "stat", "ship")),
        Entry("promoted", facts={"rank": 2, "title": "Ensign"}),
        Entry("wounded", facts=honour | {"title": "Khrimata Commendation", "code": "KC"}),
        Entry("medal", facts=honour),
        Entry("award", facts={"title": "Cartel Master of Prizes", "code": "CMP", "count": 1}),
        *(Entry(kind) for kind in ("retired", "died", "resigned")),
        Entry("buried", "buried", -13),
        Entry("undone", "earned", -14),
        Entry("undone", "lost", 2),
        Entry("undone"),
    ]
    owed = {"owed": {"what": "ship"}, "medals": 2, "wounds": 1}
    veteran = Persona(HAWK.name, HAWK.side, HAWK.record | owed)
    return {
        "sheet": CAMPAIGN.sheet(veteran),
        "changes": facts_of(entries),
        "nomination": NOMINATION,
        "heir": "",
        "bar": None,
        "spends": True,
    }


def _held() -> list[dict[str, Any]]:
    """What a digest holds: one paragraph of each kind."""
    paragraphs = [
        "Dear Anna, there is news of game 12, as all may know\nit.",
        "THE BATTLE",
        "| Come and get me,\n| @Hawk: [b]now[/b].",
        "- The first point is\n  long.\n- The second is not.",
        "  Beams      2\n  Missiles   0",
    ]
    return [{"title": "Game 12, which you watch", "blocks": list(blocks(paragraphs))}]


NOMINATION = {
    "number": 7,
    "pilot": "Hawk",
    "game": 12,
    "by": "Ben",
    "citation": "He stayed when he could have run.",
    "yours": True,
    "endorsed": 1,
    "needed": 2,
}


def _reward() -> list[dict[str, Any]]:
    """A reward that leaves a choice open, and a resignation that is to be confirmed."""
    hawk = Persona(HAWK.name, HAWK.side, HAWK.record | {"hp": 35})
    bid = CAMPAIGN.rewards.bid(hawk, "3", "", "2026-11-24")
    order = digest(canonical([bid.text, "SALT my own words"]))
    dice = SeededDice(SECRET, "R7", 0, order)
    change = CAMPAIGN.rewards.reward(hawk, bid, dice, "2026-11-24")
    receipt = {
        "id": "R7",
        "order": bid.text,
        "words": WORDS["Hawk"],
        "roll": dice.rolls[0].result,
        "secret": SECRET.hex(),
        "commitment": fair_dice.commitment(SECRET, "R7", "starpilot", 1, {"reward": "Hawk"}),
    }
    block = {
        "kind": "reward",
        "system": "starpilot",
        "sheet": CAMPAIGN.sheet(change.persona),
        "changes": facts_of(change.entries),
        "heir": "",
        "receipt": receipt,
        "next": {"id": "R8", "commitment": "0" * 64},
    }
    leaving = {"kind": "resign", "name": "Hawk"}
    return [_answer("SPEND 3 FOR Hawk", "", block), _answer("RESIGN Hawk", "", leaving)]


def _answer(order: str, text: str, *blocks: Any, ok: bool = True, hint: str = "") -> dict[str, Any]:
    expected = {"order": order, "ok": ok, "tried": False, "text": text, "hint": hint}
    return {**expected, "word": "", "title": "", "taps": [], "blocks": list(blocks)}


def _answers() -> list[dict[str, Any]]:
    hawk = {
        "kind": "sheet",
        "system": "starpilot",
        "sheet": CAMPAIGN.sheet(Persona(HAWK.name, HAWK.side, HAWK.record | {"hp": 35})),
        "reliability": RELIABLE,
        "own": True,
        "career": [
            {"kind": "enlisted", "points": 0, "facts": {"ship": "Angela 313B"}}
            | {"day": day(EVENING), "game": None},
        ],
        "next": {"id": "R7", "commitment": "0" * 64},
        "doctrines": ["hunter", "wary"],
    }
    doctrine = {
        "kind": "doctrine",
        "heading": say("Doctrine of {pilot}: {name}", pilot="Hawk", name="hunter"),
        "system": "starpilot",
        "lines": [
            say("DOCTRINE {name} FOR {pilot}", name="hunter", pilot="Hawk"),
            "IF STRUCTURE <= 1: ASK",
            "STANDING sound",
        ],
    }
    mine = {
        "name": "Hawk",
        "system": "starpilot",
        "player": "Anna",
        "sheet": CAMPAIGN.sheet(HAWK),
        "bar": say("in battle"),
        "foe": "",
    }
    mine["reliability"] = RELIABLE
    theirs = {
        "name": "Kestrel",
        "system": "starpilot",
        "player": "Ben",
        "sheet": CAMPAIGN.sheet(KESTREL),
        "bar": "",
        "foe": "Hawk",
    }
    theirs["reliability"] = UNKNOWN
    battle = {
        "number": 12,
        "title": RULES.title,
        "seat": "Hawk",
        "mates": [],
        "out": False,
        "against": ["Kestrel"],
        "asked": True,
        "waiting_for": ["Kestrel"],
        "awaiting": False,
        "deadline": DEADLINE,
    }
    call = {
        "number": 8,
        "pilot": "Finch",
        "player": "Cleo",
        "system": "starpilot",
        "sheet": CAMPAIGN.sheet(KESTREL),
        "major": False,
        "seats": 2,
        "foe": "Hawk",
    }
    offered = {
        "one": "Merlin",
        "other": "Kestrel",
        "team": False,
        "free": False,
        "anybody": False,
        "yours": False,
        "answered": False,
        "silent": ["Kestrel", "Merlin"],
        "terms": "",
        "system": "starpilot",
        "own_sheet": CAMPAIGN.sheet(KESTREL),
    }
    status = {
        "kind": "status",
        "pilots": [mine],
        "games": [battle, battle | {"number": 13, "mates": ["Falcon"], "out": True}],
        "reliability": RELIABLE,
        "open": [battle | {"number": 14, "seat": "Merlin"}],
        "challenges": [
            offered | {"number": 3, "one": "Hawk", "other": "Kestrel", "yours": True},
            offered | {"number": 4, "one": "Merlin", "other": "Hawk", "yours": False},
            offered | {"number": 5, "one": PAIR, "team": True, "yours": True},
            offered | {"number": 6, "other": PAIR, "team": True, "answered": True},
            offered | {"number": 7, "other": PAIR, "team": True},
            offered | {"number": 8, "other": say("anybody"), "anybody": True, "yours": True},
        ],
        "others": [theirs],
        "nominations": [NOMINATION],
        "starter": None,
        "number": 7,
        "calls": [call],
        "more": True,
    }
    running = {"number": 15, "title": RULES.title, "system": "starpilot", "watched": False}
    running |= {"teams": ["Finch", "Wren"], "view": RULES.view(Duel().play(9).state, None)}
    games = {
        "kind": "games",
        "games": [running, running | {"number": 16, "watched": True}],
        "more": True,
        "calls": [call, call | {"number": 9, "major": True, "foe": ""}],
        "patrols": ["Finch", "Siskin"],
        "open": [{"number": 14, "title": RULES.title, "seat": "Merlin", "against": ["Finch"]}],
    }
    rivals = {"kind": "rivals", "others": [theirs, mine], "first": 1, "next": 51}
    return [
        _answer(
            "enlist Hawk for cartel …",
            say("{pilot} flies for the {side}", pilot="Hawk", side=say("cartel")),
            hawk,
        ),
        _answer("DOCTRINE hunter", "", doctrine),
        _answer("STATUS", "", status),
        _answer("GAMES", "", games),
        _answer("STATUS all", "", rivals),
        _answer(
            "ACCEPT 9",
            say("challenge {number} is not open for you", number=9),
            ok=False,
            hint=say("STATUS lists the challenges that wait for you"),
        ),
    ]


def _help(topic: str) -> dict[str, Any]:
    names = {"starpilot": ("Falcon", 0)} if topic == "enlist" else {}
    return help_block(topic, ["starpilot"]) | {"names": names}


def _helps() -> list[dict[str, Any]]:
    asked = {"HELP": "", **{f"HELP {topic}": topic for topic in TOPICS}}
    helps = [_answer(order, "", _help(asked[order])) for order in asked]
    return [*helps, _answer("RULES", "", page_of("starpilot"))]


def _ranked(place: int, persona: Persona, **record: Any) -> dict[str, Any]:
    """Return a pilot's line in the standings, with some of its record changed."""
    changed = Persona(persona.name, persona.side, persona.record | record)
    figures = CAMPAIGN.standing(changed).figures
    return {
        "place": place,
        "name": changed.name,
        "sheet": CAMPAIGN.sheet(changed),
        "figures": figures,
    }


def standings() -> dict[str, Any]:
    """Return standings in which somebody has won, somebody leads, and somebody has fallen."""
    won = {"hp_total": 213, "rank": 5, "missions": 19, "kills": 11, "prizes": 8, "medals": 1}
    one = _ranked(1, Persona("Old Merlin", HAWK.side, HAWK.record), **won, wounds=2)
    two = _ranked(2, KESTREL, hp_total=104, rank=3, missions=9, kills=6, prizes=1)
    three = _ranked(3, HAWK, hp_total=13, missions=2, kills=1, dead=True)
    sides = [
        {"name": "Emboros Cartel", "figures": {**one["figures"], "hp_total": 226, "pilots": 2}},
        {"name": "Cyfeillgar Alliance", "figures": {**two["figures"], "pilots": 1}},
    ]
    return {
        "system": "starpilot",
        "title": RULES.title,
        "careers": [one, two, three],
        "more": 1,
        "own": [three],
        "near": [two],
        "sides": sides,
        "decorated": [one, two],
        "hall": [one],
    }


def _rankings() -> list[dict[str, Any]]:
    block = {"kind": "standings", "systems": [standings()], "side": ""}
    return [
        _answer("STANDINGS", "", block),
        _answer("STANDINGS", "", block | {"systems": [], "players": []}),
    ]


def _orders() -> dict[str, tuple[str, dict[str, Any]]]:
    rules = read_for(RULES, None, None, STANDING.format(shot="FIRE")).standing
    facts = {
        "game": GAME,
        "deadline": DEADLINE,
        "asked": False,
        "orders": [
            {"order": "TARGET", "chance": 33, "legal_now": True, "reason": "", "vain": ""},
            {
                "order": "FIRE Kestrel",
                "chance": 42,
                "legal_now": False,
                "reason": RULES.telling.explain("no lock"),
                "vain": "",
            },
            {
                "order": "SCAN",
                "chance": 33,
                "legal_now": True,
                "reason": "",
                "vain": say("nobody is left to find"),
            },
            {"order": "SURRENDER", "chance": None, "legal_now": True, "reason": "", "vain": ""},
        ],
        "standing": lines(rules or Sheet()),
        "near": NEAR,
        "story": ["The dark is deep out here.", "Hawk hums an old song."],
        "kept": KEPT,
        "unseen": UNSEEN,
        "unsure": None,
        "untold": None,
        "opponents": ["Kestrel"],
        "unclear": [],
        "renewed": True,
        "filed": True,
        "title": say("You offer a draw in game {game}", game=12),
        "later": False,
        "salts": 1,
        "replaced": True,
        "dropped": ["OPEN"],
        "answers": [
            _answer(
                "DRAW",
                say(
                    "a draw is offered in game {game}; it stands until you write {order}",
                    game=12,
                    order=say("NO DRAW {game}", game=12),
                ),
            )
        ],
        "waiting_for": ["Kestrel"],
        "pilot": "Hawk",
        "mates": 0,
        "offers": [],
        "queued": [],
        "lacking": [],
        "plan": [],
        "ready": False,
    }
    stale = {"not_taken": ["FIRE"], "over": False, "answers": [], "near": [], "answered": 2}
    now = offers(RULES.foresee(Duel().play(2).state, Seat("Hawk")), "Hawk")
    stale |= {"kept": [], "unseen": UNSEEN, "unsure": None, "opponents": ["Kestrel"]}
    stale |= {"standing": ["IF LOCKED: FIRE"], "offers": now, "plan": [], "asked": True}
    unfiled = {"filed": False, "renewed": False, "title": "", "replaced": False, "dropped": []}
    unfiled |= {"orders": [], "near": [], "story": [], "kept": [], "answers": [], "salts": 0}
    unfiled |= {"unseen": None, "unsure": None}
    waits = _answer(
        "READY",
        say("you are ready, and game {game} waits for {waiting}", game=12, waiting=["Kestrel"]),
    )
    waits["word"] = "READY"
    moved = {"game": GAME, "own": False, "who": "Kestrel", "asked": ["Hawk"]}
    moved |= {"deadline": DEADLINE}
    row = {"title": "StarPilot 3.1", "seats": ["Hawk"], "deadline": None, "asked": []}
    clocks = {"why": "paused", "because": "the mail was down"}
    clocks |= {"games": [row | {"number": 12}, row | {"number": 15, "seats": ["Falcon", "Finch"]}]}
    going = [row | {"number": 12, "deadline": DEADLINE, "asked": ["Hawk"]}, row | {"number": 15}]
    stale |= {"out": False, "pilot": "Hawk", "mates": 0}
    return {
        **{f"moved-{why}": ("moved", moved | {"why": why}) for why in ("extended", "away", "back")},
        "moved-own": ("moved", moved | {"why": "away", "who": "Hawk", "own": True}),
        "moved-paused": ("moved", moved | {"why": "paused", "deadline": None, "asked": []}),
        "moved-taken": ("moved", moved | {"why": "taken", "by": "Cid"}),
        "moved-taken-own": (
            "moved",
            moved | {"why": "taken", "by": "Cid", "who": "Hawk", "own": True},
        ),
        "moved-silence": ("moved", moved | {"why": "silence"}),
        **{
            f"held-{why}": ("held", {"why": why, "moved": 7, "until": until})
            for why, until in (("outage", "2026-11-25 19:00 UTC"), ("silence", None))
        },
        "stumbled": ("stumbled", {"game": 12, "gone": ""}),
        "failing": ("failing", {"act": say("the digests"), "tries": 5, "final": False}),
        "moved-resumed": ("moved", moved | {"why": "resumed"}),
        "moved-outage": ("moved", moved | {"why": "outage", "asked": []}),
        "clocks-paused": ("clocks", clocks),
        "clocks-resumed": ("clocks", clocks | {"why": "resumed", "because": "", "games": going}),
        **_seats(),
        "ack": ("ack", facts),
        "ack-queued": ("ack", facts | {"orders": [], "answers": [], "queued": ["SCAN", "TARGET"]}),
        "ack-lacking": ("ack", facts | {"later": True, "queued": ["SCAN"], "lacking": LACKING}),
        "ack-ready": ("ack", facts | {"later": True, "lacking": LACKING, "ready": True}),
        "ack-lost": (
            "ack",
            facts
            | {
                "orders": [],
                "answers": [],
                "near": [],
                "filed": False,
                "title": "",
                "renewed": False,
                "offers": offers(RULES.foresee(Duel().play(2).state, Seat("Hawk")), "Hawk"),
            },
        ),
        "ack-story": (
            "ack",
            facts
            | {"orders": [], "standing": [], "near": [], "answers": []}
            | {
                "replaced": False,
                "dropped": [],
                "filed": False,
                "title": "",
                "unseen": None,
                "unsure": None,
            },
        ),
        "ack-done": ("ack", facts | unfiled | {"title": say("You are ready"), "answers": [waits]}),
        "ack-stuck": (
            "ack",
            facts | unfiled | {"ready": True, "queued": ["FIRE"], "asked": True, "offers": now},
        ),
        "preview": ("preview", facts | {"odds": asdict(ODDS), "tried": True, "brought": []}),
        "proxied": (
            "proxied",
            {
                "game": GAME,
                "pilot": "Hawk",
                "orders": ["TARGET", "FIRE Kestrel"],
                "standing": lines(rules or Sheet()),
            },
        ),
        "stale": ("stale", {"game": GAME, **stale}),
        "stale-over": ("stale", {"game": GAME, **stale, "over": True, "offers": []}),
        "draw_offer": ("draw_offer", {"game": GAME, "offered_by": "Kestrel"}),
    }


def _seats() -> dict[str, tuple[str, dict[str, Any]]]:
    """What becomes of a place whose player is silent."""
    seat = {"game": GAME, "seat": "Hawk"}
    return {
        f"seat-{what}{'-own' if own else ''}": ("seat", seat | {"what": what, "own": own})
        for what, own in (("open", True), ("open", False), ("back", False), ("lost", True))
    }


STORIES = [
    {
        "seat": "Hawk",
        "lines": [
            "Hawk came out of the sun with the radio off, and for one long breath nobody saw him.",
            "FIRE AT Kestrel",
            "<b>Standing</b> by, [url]x[/url] *he* said.",
        ],
    }
]


LACKING = [{"piece": "Hawk", "order": "SCAN"}, {"piece": "Kestrel", "order": "JINK"}]
UNDONE = {
    "n": 9,
    "seat": "|referee",
    "order": "UNDO TO 6",
    "undo": 6,
    "ended": None,
    "void": False,
    "source": "referee",
    "passed": [],
    "events": [],
    "alike": "",
    "struck": [],
    "digest": fair_dice.digest_of(b"9"),
    "words": {},
    "proxied": [],
    "rolls": [],
}


def undone(account: dict[str, Any]) -> dict[str, Any]:
    """Return an account whose last steps were taken back."""
    steps = [step | {"void": step["n"] > 6} for step in account["steps"]] + [UNDONE]
    return account | {"steps": steps, "passages": passages(RULES, steps, [])}


def _battle(duel: Duel, over: Duel) -> dict[str, tuple[str, dict[str, Any]]]:
    mine, theirs = duel.report("Hawk", 1), duel.report("Kestrel", 1)
    expected = {"story": ["So be it, says Hawk."], "kept": [], "later": False, "unclear": []}
    expected |= {
        "renewed": True,
        "unseen": None,
        "unsure": None,
        "untold": None,
        "opponents": ["Kestrel"],
    }
    ack = expected | {"near": NEAR, "answers": [], "replaced": True, "dropped": ["OPEN"]}
    bothered = {
        "draw_offered": ["Kestrel"],
        "misses": 2,
        "out_of_reach": ["Kestrel"],
        "away": ["Hawk"],
        "vacant": ["Hawk"],
        "own_vacant": True,
        "ack": ack,
        "stories": STORIES,
    }

    blank = {"sheet": {"queue": [], "standing": [], "held": [], "nameless": [], "asking": ""}}
    bare = blank | {"deadline": None}
    return {
        "begin": ("begin", Duel().play(1).begin("Hawk") | bare),
        "begin-house": (
            "begin",
            Duel().play(1).begin("Hawk") | bare | {"game": PATROL, "left_out": LEFT_OUT},
        ),
        "turn": ("turn", mine),
        "turn-scan": ("turn", Duel().play(3).report("Hawk", 2) | blank | {"asked": True}),
        "turn-other": ("turn", theirs | bothered),
        "turn-undone": ("turn", mine | {"runs": [*mine["runs"][-2:], [UNDONE]]}),
        "final": ("final", over.final("Hawk")),
        "history": ("history", over.account() | {"rulings": RULED, "pictures": [SHOWN]}),
        "receipts": ("receipts", {"game": GAME, "over": False}),
        "receipts-over": ("receipts", {"game": GAME, "over": True}),
        "map": ("map", {"game": GAME, "step": None, "pictures": [SHOWN], "shown": [SHOWN["alt"]]}),
        "history-undone": ("history", undone(duel.account()) | {"rulings": [], "pictures": []}),
        "watched": ("watched", {**duel.account(5), "pictures": [SHOWN]}),
        "watched-over": ("watched", {**over.account(len(over.steps) - 4), "pictures": []}),
        "reminder": ("reminder", mine | {"further": []}),
    }
