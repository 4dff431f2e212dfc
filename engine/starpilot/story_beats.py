"""What is worth telling of a battle: turns that belong together, as one beat for each sentence.

A beat holds nothing that is not in the log. Which words tell it is the templates' business.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile
from typing import Any

from engine.letter_texts import ASIDE, CHANGE, END, HARM, Beat, Scene, Stakes
from engine.seats import Seat
from engine.starpilot import events as ev
from engine.starpilot.damage import hits
from engine.starpilot.model import ACTIVE, Battle, Weapon, active, foes_of, pair_of
from engine.starpilot.tables import BEAMS, MISSILES, STOPS
from engine.starpilot.winning_chance import destroyed_by

_SHOTS = ("FIRE", "LAUNCH")
_DOING = {
    "SCAN": "searched", "TARGET": "aimed", "DOGFIGHT": "turned", "OPEN": "moved", "CLOSE": "moved",
    "FIRE": "spent", "LAUNCH": "spent", "ECM": "guarded", "JINK": "guarded", "PROTECT": "guarded",
    "HOLD": "waited",
}  # fmt: skip
"""What a pilot was doing with a command."""
_WORTH = {"spent": 1, "searched": 2, "aimed": 3, "turned": 2, "moved": 2, "guarded": 3, "waited": 3}
"""How often something must have failed to be worth a sentence, the most interesting first."""
_SHARED = ("searched", "aimed", "turned")
"""What two pilots may have tried together without success."""
_NEAR, _LONG, _SURE = 2, 15, 85
"""By how many points a near miss fails; the chance of a long shot, and of a sure thing."""
_DRAMA = (*_SHOTS, *STOPS, "EJECT", "DOGFIGHT")
"""The commands whose near misses are worth telling."""
_APART = 6
"""How many steps lie between two remarks on dice, at least."""


def story(scenes: Sequence[Scene]) -> list[Beat]:
    """Return the beats of some steps, in their order."""
    teller = _Teller()
    for scene in scenes:
        teller.take(scene)
    teller.rest()
    return teller.beats


_WEIGHTS = {
    "out": END, "hit": HARM, "stuck": HARM,
    "found": CHANGE, "advantage": CHANGE, "range": CHANGE, "restarted": CHANGE,
}  # fmt: skip


def weight(beat: Beat) -> int:
    """Return how much a beat matters to who reads of the turn."""
    return _WEIGHTS.get(beat["kind"], ASIDE)


def stakes(battle: Battle, seat: Seat) -> Stakes:
    """Return the chance that one more shot destroys the seat's ship, and that of an opponent.

    In percent; the shot is the strongest that somebody could fire from where they are. Of several
    opponents it is the one that is easiest to destroy, of equals the first.
    """
    me = battle.pilots.get(seat)
    if me is None or me.fate != ACTIVE or battle.over:
        return {}
    foes = active(battle, foes_of(battle, seat))
    own = max((_lost(battle, foe, seat) for foe in foes), default=0)
    best, foe = max(((_lost(battle, seat, foe), foe) for foe in foes), key=lambda one: one[0])
    return {"own": own, "foe": foe, "theirs": best} if own or best else {}


def _lost(battle: Battle, by: Seat, at: Seat) -> int:
    """Return the chance in percent that the strongest shot that strikes now destroys a ship."""
    card, place = battle.pilots[by].card, pair_of(battle, by, at).range
    stats = battle.pilots[by].stats
    armed = [weapon for weapon, stat in _WEAPONS if stats[stat] > 0]
    most = max((hits(card.ratings, weapon, place, place) for weapon in armed), default=0)
    return round(100 * destroyed_by(battle.pilots[at].stats, most))


_WEAPONS: tuple[tuple[Weapon, int], ...] = (("fire", BEAMS), ("launch", MISSILES))


class _Teller:
    """Collects beats: tries that fail are gathered until something comes of them."""

    def __init__(self) -> None:
        self.beats: list[Beat] = []
        self._failed: dict[str, dict[str, list[Any]]] = {}
        self._silent: dict[str, int] = {}
        self._asides: list[Beat] = []
        self._flying: dict[tuple[str, str], str] = {}
        self._n = self._since = self._noted = 0
        # So that the first remark may come at once.
        self._remarked = -_APART
        self._tried: ev.Tried | None = None
        self._rest: Sequence[object] = ()

    def take(self, scene: Scene) -> None:
        """Take the next step."""
        if not self._failed and not self._silent:
            self._since = scene.n
        self._n, self._tried = scene.n, None
        if scene.silent:
            self._silent[scene.seat] = self._silent.get(scene.seat, 0) + 1
            self._noted = scene.n
        for place, event in enumerate(scene.events):
            told = _TOLD.get(type(event))
            if told is not None:
                self._rest = scene.events[place + 1 :]
                told(self, event)

    def rest(self) -> None:
        """Tell what was gathered and had no other result."""
        facts = {"first": self._since, "last": max(self._since, self._noted)}
        self.beats += [beat | facts for beat in self._gathered()]
        self.beats += [
            {"kind": "silent", "pilot": pilot, "turns": turns} | facts
            for pilot, turns in self._silent.items()
        ]
        self.beats += self._asides
        self._failed, self._silent, self._asides, self._since = {}, {}, [], self._n

    def _gathered(self) -> list[Beat]:
        """Return a beat for each pilot who failed often enough to be told of."""
        shared = self._shared()
        if shared is not None:
            return [shared]
        told: list[Beat] = []
        for pilot, tries in self._failed.items():
            found = [
                _told_failures(pilot, doing, tries[doing]) for doing in _WORTH if doing in tries
            ]
            # One thing for each pilot: all of them would read like a list.
            told += [beat for beat in found if beat["kind"]][:1]
        return told

    def _shared(self) -> Beat | None:
        """Return the beat of two pilots who tried the same and failed, if they did nothing else."""
        if len(self._failed) != 2 or any(len(done) > 1 for done in self._failed.values()):
            return None
        [(one, tries)], [(other, more)] = (done.items() for done in self._failed.values())
        tries = [*tries, *more]
        if one != other or one not in _SHARED or any(tried.success for tried in tries):
            return None
        if len(tries) < 4:
            return None
        return {"kind": f"both_{one}", "pilots": list(self._failed), "times": len(tries)}

    def _mark(self, kind: str, **facts: object) -> None:
        """Tell something of consequence, after what led up to it."""
        since, asides = self._since, self._asides
        # A remark stands behind the beat that it is about, and an earlier one before this beat.
        self._asides = [aside for aside in asides if aside["last"] != self._n]
        self.rest()
        self.beats.append({"kind": kind, "first": since, "last": self._n, **facts})
        self.beats += [aside for aside in asides if aside["last"] == self._n]

    def _merges(self, kind: str) -> Beat | None:
        """Return the last beat if it is of a kind, and nothing worth telling came after it."""
        quiet = not (self._silent or self._asides or self._gathered())
        last = self.beats[-1] if self.beats else None
        return last if quiet and last is not None and last["kind"] == kind else None

    def _note(self, pilot: str, doing: str, what: object) -> None:
        self._failed.setdefault(pilot, {}).setdefault(doing, []).append(what)
        self._noted = self._n

    def _spent(self, pilot: str, doing: str) -> int:
        """Take out what led up to an event, and return how often it had failed before."""
        tries = self._failed.get(pilot, {})
        found = tries.pop(doing, [])
        if not tries:
            self._failed.pop(pilot, None)
        return len(found)

    def tried(self, event: ev.Tried) -> None:
        """Take a command; a shot and a defence belong to what comes of them."""
        self._tried = event
        self._remark(event, event.command)
        command, doing = event.command, _DOING.get(event.command)
        if command in _SHOTS and event.success and event.at is not None:
            self._flying[event.pilot, event.at] = command
        # A defence against a shot is told with the shot, which lands or is stopped.
        elif command in STOPS and any(at == event.pilot for _, at in self._flying):
            return
        elif command == "EJECT" and not event.success:
            self._mark("stuck", pilot=event.pilot)
        elif doing == "guarded" and event.pilot in self._silent:
            return  # a cautious order, which its own beat tells
        elif doing and (not event.success or doing in ("aimed", "guarded", "waited")):
            self._note(event.pilot, doing, event)

    def _remark(self, event: ev.Tried | ev.Bailed, command: str) -> None:
        """Note a near miss, a long shot that succeeds, or a sure thing that fails."""
        chance, roll = event.chance, event.roll
        if chance is None or roll is None or self._n - self._remarked < _APART:
            return
        near = command in _DRAMA and 0 < roll - chance <= _NEAR
        what = "long" if event.success and chance <= _LONG else ""
        what = (
            what or (not event.success and ("sure" if chance >= _SURE else near and "near")) or ""
        )
        if what:
            facts = {"pilot": event.pilot, "command": command, "chance": chance, "roll": roll}
            self._asides.append({"kind": what, "first": self._n, "last": self._n, **facts})
            self._remarked = self._n

    def located(self, event: ev.Located) -> None:
        """Somebody was found: by the pilot whose turn it is, for all of its team."""
        if self._tried is None:
            return
        pilot, last = self._tried.pilot, self._merges("found")
        if last is not None and last["last"] == self._n:
            last["foes"] += [foe for foe in event.foes if foe not in last["foes"]]
            return
        failures = self._spent(pilot, "searched")
        self._mark("found", pilot=pilot, foes=list(event.foes), failures=failures)

    def moved(self, event: ev.Moved) -> None:
        """A range changed: in a melee one command may change several."""
        failures, last = self._spent(event.pilot, "moved"), self._merges("range")
        if last is not None and last["last"] == self._n and last["range"] == event.range:
            last["foes"].append(event.foe)
            return
        opened = self._tried is not None and self._tried.command == "OPEN"
        facts = {"pilot": event.pilot, "foes": [event.foe], "range": event.range}
        self._mark("range", opened=opened, failures=failures, **facts)

    def positioned(self, event: ev.Positioned) -> None:
        """The Advantage changed; a dogfight in which nothing else happens is one beat."""
        # A dogfight is a matter of two: what either has tried led up to it.
        failures = self._spent(event.pilot, "turned") + self._spent(event.foe, "turned")
        pair, last = sorted((event.pilot, event.foe)), self._merges("advantage")
        if last is not None and last["pair"] == pair:
            last["changes"].append(event.holder)
            last |= {"last": self._n, "failures": last["failures"] + failures}
            return
        facts = {"pilot": event.pilot, "foe": event.foe, "pair": pair}
        self._mark("advantage", changes=[event.holder], failures=failures, **facts)

    def evaded(self, event: ev.Evaded) -> None:
        """A defence stopped shots: they were spent for nothing."""
        for shot in event.shots:
            self._flying.pop((shot.by, shot.at), None)
            stopped = self._tried.command if self._tried else ""
            self._note(shot.by, "spent", _Spared(shot.at, shot.weapon, stopped))

    def landed(self, event: ev.Landed) -> None:
        """A shot reached its target."""
        self._flying.pop((event.by, event.at), None)
        if not event.hits:
            self._note(event.by, "spent", _Spared(event.at, event.weapon, "harmless"))
            return
        # A shot's hits follow it in the same step, before the next shot lands.
        hits = [e for e in _until_next(self._rest) if isinstance(e, ev.Hit)]
        tried = self._tried
        failed = tried is not None and not tried.success and event.weapon in _stopped(tried)
        self._mark(
            "hit",
            by=event.by,
            at=event.at,
            weapon=event.weapon,
            hits=event.hits,
            defence=tried.command if tried is not None and failed else "",
            left=sorted({hit.stat: hit.value for hit in hits if not hit.ignored}.items()),
            wounds=any(hit.wounds for hit in hits),
            destroyed=any(isinstance(e, ev.Destroyed) for e in _until_next(self._rest)),
        )

    def left(self, event: ev.Left) -> None:
        """A pilot is out of the battle."""
        last = self.beats[-1] if self.beats else None
        # The hit has told already that the ship was destroyed.
        shot = bool(last and last["kind"] == "hit" and last["at"] == event.pilot)
        self._flying = {k: v for k, v in self._flying.items() if event.pilot not in k}
        # Who is out leaves nothing unfinished that would be worth a sentence.
        self._failed.pop(event.pilot, None)
        ruled = self._tried is not None and self._tried.command == "FORFEIT"
        facts = {"pilot": event.pilot, "fate": event.fate, "by": event.by}
        self._mark("out", shot=shot and bool(last and last["destroyed"]), ruled=ruled, **facts)

    def bailed(self, event: ev.Bailed) -> None:
        """A pilot tried to get out of a ship that was destroyed."""
        self._remark(event, "EJECT")

    def begun(self, event: ev.Begun) -> None:
        """A team starts."""
        self._mark("begun", team=event.team)

    def restarted(self, event: ev.Restarted) -> None:
        """Tell that the battle restarted (SP-24)."""
        self._flying = {}
        self._mark("restarted")

    def over(self, event: ev.Over) -> None:
        """The battle is over."""
        self._mark("over", drawn=event.drawn, why=event.why)


class _Spared:
    """A shot that did no harm, and why: the defence that stopped it, or that it was harmless."""

    success = False

    def __init__(self, at: str, weapon: str, why: str) -> None:
        self.at, self.weapon, self.why = at, weapon, why


def _told_failures(pilot: str, doing: str, done: Sequence[Any]) -> Beat:
    """Return the beat of what failed; its kind is "" where that happened too rarely to be told."""
    facts: Beat = {"kind": doing, "pilot": pilot, "times": len(done)}
    if doing == "spent":
        ways = {tried.why if isinstance(tried, _Spared) else "missed" for tried in done}
        weapons = {t.weapon if isinstance(t, _Spared) else t.command.lower() for t in done}
        facts |= {"at": sorted({str(tried.at) for tried in done})}
        facts |= {"way": ways.pop() if len(ways) == 1 else ""}
        return facts | {"weapon": weapons.pop() if len(weapons) == 1 else ""}
    failures = len(done)
    if doing == "aimed":
        locks = sum(tried.success for tried in done)
        facts["locks"], failures = locks, len(done) - locks
    return facts | {"kind": doing if failures >= _WORTH[doing] else ""}


def _stopped(tried: ev.Tried) -> tuple[str, ...]:
    """Return the weapons that a command stops, if it is a defence."""
    return STOPS.get(tried.command, ())


def _until_next(rest: Sequence[object]) -> Iterator[object]:
    """Yield what came of the shot that has just landed: all before the next one lands."""
    return takewhile(lambda event: not isinstance(event, ev.Landed), rest)


_TOLD: dict[type, Callable[[_Teller, Any], None]] = {
    ev.Tried: _Teller.tried,
    ev.Located: _Teller.located,
    ev.Moved: _Teller.moved,
    ev.Positioned: _Teller.positioned,
    ev.Evaded: _Teller.evaded,
    ev.Landed: _Teller.landed,
    ev.Bailed: _Teller.bailed,
    ev.Left: _Teller.left,
    ev.Begun: _Teller.begun,
    ev.Restarted: _Teller.restarted,
    ev.Over: _Teller.over,
}
