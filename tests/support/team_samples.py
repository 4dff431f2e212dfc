"""Letters of a team battle, two against two, with facts from a real one."""

from dataclasses import dataclass
from typing import Any

from engine.campaign import Persona
from engine.i18n import either, say
from engine.orders.orders_on_file import Sheet
from engine.orders.reading import read_for
from engine.seats import Seat
from tests.support.letter_samples import (
    CAMPAIGN,
    GAME,
    HAWK,
    KESTREL,
    RELIABLE,
    RULES,
    Duel,
    samples,
)

FALCON = CAMPAIGN.enlist(
    "Falcon FOR federation WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Clipus XIII-B"
)
MERLIN = CAMPAIGN.enlist("Merlin FOR league WEAPONS 13 PILOTING 10 SENSORS 13 SHIP Wright 1903S")
ONES, OTHERS = (HAWK, FALCON), (KESTREL, MERLIN)
PLAYERS = {"Hawk": "Anna", "Falcon": "Cleo", "Kestrel": "Ben", "Merlin": "Ben"}
STANDING = """STANDING
IF UNDETECTED: SCAN
IF LOCKED: {shot} {foe}
IF LOCKED: {shot} {next}
ELSE: TARGET {foe}
IF TURN >= 1: TARGET {foe}
IF TURN >= 1: TARGET {next}
END"""
TEAM = {"captain": "Hawk", "acting": ["Falcon", "Hawk"], "leads": True}


@dataclass(slots=True)
class Melee(Duel):
    """A team battle played by standing orders, and its steps in a report's form."""

    def __post_init__(self) -> None:
        self.state = self.states[-1] = RULES.setup(CAMPAIGN.melee(ONES, OTHERS, None))

    def play(self, most: int, shots: tuple[str, str] = ("FIRE", "LAUNCH")) -> "Melee":
        """Play up to a number of steps."""
        sheets: dict[str, Sheet] = {}
        for team, foes in ((ONES, OTHERS), (OTHERS, ONES)):
            for pilot in team:
                shot = "LAUNCH" if pilot is KESTREL else "FIRE"
                text = STANDING.format(shot=shot, foe=foes[0].name, next=foes[1].name)
                sheets[pilot.name] = read_for(RULES, None, None, text).standing or Sheet()
        while len(self.steps) < most and RULES.outcome(self.state) is None:
            self._step(sheets)
        return self

    def report(self, seat: str, since: int = 0) -> dict[str, Any]:
        """Return the facts of a report to a seat."""
        plain = Duel.report(self, seat, since)
        acting = [
            s for s in TEAM["acting"] if RULES.offers(RULES.foresee(self.state, Seat(s)), Seat(s))
        ]
        return plain | {"team": TEAM | {"acting": acting, "leads": seat == "Hawk"}}


def _line(piece: Persona) -> dict[str, Any]:
    name = piece.name
    sheet = CAMPAIGN.sheet(piece)
    known = {"player": PLAYERS[name], "reliability": RELIABLE, "bar": ""}
    known["system"] = "starpilot"
    return {"name": name, "sheet": sheet, **known}


def _crews() -> list[dict[str, Any]]:
    return [
        {
            "team": f"Team {team[0].name}",
            "pilots": [{"seat": p.name, "player": PLAYERS[p.name]} for p in team],
        }
        for team in (ONES, OTHERS)
    ]


def team_samples() -> dict[str, tuple[str, dict[str, Any]]]:
    """Return letters of a team battle by name, each its kind and its facts."""
    plain = samples()
    everyone = {key: plain["turn"][1][key] for key in ("player", "reply")}
    melee, over = Melee().play(12), Melee().play(900)
    lost = next(p["name"] for p in over.final("Hawk")["view"]["pilots"] if p["fate"] != "active")
    return {
        "free-fight": ("free_fight", _free_fight() | everyone),
        "team-challenge": (
            "team_challenge",
            _challenge() | {"often": "", "doctrines": []} | everyone,
        ),
        "called-off": ("called_off", _off() | everyone),
        "called-off-back": ("called_off", _off() | {"how": "withdrawn"} | everyone),
        "team-begin": ("begin", Melee().play(1).begin("Hawk") | {"crews": _crews()} | everyone),
        "team-turn": ("turn", melee.report("Hawk", 1) | {"asked": True} | everyone),
        "team-turn-out": ("turn", over.report(lost, 30) | {"team": None} | everyone),
        "team-final": ("final", over.final("Hawk") | everyone | {"heir": "Hawk 2"}),
        "team-preview": (
            "preview",
            plain["preview"][1] | {"mates": 1, "pilot": "Hawk", "unclear": [_nameless()]},
        ),
        "team-stale-out": (
            "stale",
            plain["stale"][1] | {"out": True, "pilot": "Falcon", "mates": 1},
        ),
        "team-history": ("history", over.account() | everyone | {"rulings": [], "pictures": []}),
    }


def _nameless() -> str:
    foes = either(["Kestrel", "Merlin"])
    return say("{command} must name one opponent: {foes}", command=say("TARGET"), foes=foes)


def _challenge() -> dict[str, Any]:
    return {
        "number": 3,
        "by": "Anna",
        "own": say("{most} and {last}", most=["Kestrel"], last="Merlin"),
        "own_sheet": CAMPAIGN.sheet(KESTREL),
        "teams": [[_line(piece) for piece in team] for team in (ONES, OTHERS)],
        "first": "Hawk",
        "major": True,
        "terms": "",
        "pledge": {"game": 12, "commitment": GAME["commitment"]},
        "until": None,
        "said": {"lines": [], "whose": 1},
    }


def _free_fight() -> dict[str, Any]:
    pieces = (*ONES[:1], *OTHERS)
    return _challenge() | {
        "own": "Kestrel",
        "names": [piece.name for piece in pieces],
        "pilots": [_line(piece) for piece in pieces],
        "terms": "",
        "often": "",
        "doctrines": [],
    }


def _off() -> dict[str, Any]:
    return {
        "number": 3,
        "one": say("{most} and {last}", most=["Hawk"], last="Falcon"),
        "other": say("{most} and {last}", most=["Kestrel"], last="Merlin"),
        "by": {"pilot": "Merlin", "player": "Ben"},
        "how": "declined",
        "played": "",
    }
