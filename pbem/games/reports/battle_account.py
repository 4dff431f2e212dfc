"""The account of a battle: a story in beats, with the players' own stories between them."""

import json
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, zip_longest
from typing import Any, NotRequired, TypedDict, cast

from engine import codec, play
from engine.fair_dice import Words
from engine.i18n import unpacked
from engine.letter_texts import Beat, Scene, View
from engine.ruleset import AnyRuleset
from engine.seats import REFEREE, Seat, may_know
from engine.undo import undo_of
from pbem.games.reports.turning_points import Swing
from pbem.games.step_log import events_of
from pbem.i18n.days import day
from pbem.storage import Ruling, Step

BEATS = 5
"""How many beats make a paragraph."""
REMARKS = ("near", "long", "sure", "turn", "out")
"""The beats that belong to the one before them."""
LINES, LENGTH = 60, 800
"""How much of a story is shown: the most lines, and the most characters of a line."""


class PassedOver(TypedDict):
    """An order on file that could not be played, and why."""

    order: str
    reason: str


class ShownRoll(TypedDict):
    """A roll of a die with this many sides, and what it was for."""

    sides: int
    result: int
    why: str


AGREED, RULED, SILENCE, LEFT = "agreed", "referee", "silence", "left"
"""Why the referee's seat orders something, as the step's `source`: all sides agreed, the moderator
ruled it, players sent no orders for too long, or one left the league."""

DEFAULT, FORCED = "default", "forced"
"""A step's `source` where its seat's player sent no order: a cautious one, or the only one."""


class Ended(TypedDict):
    """What the referee's seat ended: a seat's part in the battle, or with "" all of it; and why."""

    seat: str
    cause: str


class SeenStep(TypedDict):
    """A step as a seat, or the public, may know it; `undo` is the step that it goes back to.

    `ended` is what the referee's seat ended by it. Steps with the same text in `alike` may be told
    together. `struck` are the seats that it harmed.
    A `report` is what the system tells of it in one piece, where it does.
    """

    n: int
    seat: str
    order: str
    undo: int | None
    void: bool
    ended: Ended | None
    source: str
    passed: list[PassedOver]
    events: list[dict[str, object]]
    alike: str
    struck: list[str]
    digest: str
    words: dict[str, Words]
    proxied: list[str]
    rolls: list[ShownRoll]
    report: NotRequired[object]


class WordsRun(TypedDict):
    """The words of a seat that entered all steps from `first` to `last`."""

    seat: str
    words: Words
    first: int
    last: int


class ShownStory(TypedDict):
    """What a player wrote in public after so many steps; `whose` is the player's number."""

    seat: str
    after: int
    lines: list[str]
    whose: NotRequired[int | None]


class Passage(TypedDict):
    """Some steps in a row: stories that were written before them, and paragraphs of beats.

    `undo` is the step that they go back to, and `void` means that they were undone later.
    """

    stories: list[ShownStory]
    first: int
    last: int
    undo: int | None
    void: bool
    paragraphs: list[list[Beat]]


class ShownRuling(TypedDict):
    """A ruling of the moderator: after how many steps, on which day (UTC), and the text."""

    after: int
    day: str
    text: str


def log_seen(
    rules: AnyRuleset, steps: Iterable[Step], seat: Seat | None, over: bool = False
) -> list[SeenStep]:
    """Return steps as a seat may know them (None: the public); steps that were undone are void.

    While a game is not `over`, nobody sees another player's words (docs/dice.md).
    """
    found = [step_seen(rules, step, seat, over) for step in steps]
    # An UNDO voids all steps after the one that it goes back to.
    void = {n for s in found if s["undo"] is not None for n in range(s["undo"] + 1, s["n"])}
    before: list[PassedOver] = []
    for step in found:
        step["void"] = step["n"] in void
        if step["seat"] == seat:
            # What is passed over step after step for one reason is told once.
            passed = step["passed"]
            step["passed"] = [one for one in passed if one not in before]
            before = passed
    return found


def step_seen(rules: AnyRuleset, step: Step, seat: Seat | None, over: bool = False) -> SeenStep:
    """Return a step as a seat may know it (None: the public)."""
    orders = json.loads(step.orders)
    undo = undo_of(orders)
    # The roll for who starts is a step without orders (SP-9).
    author, text = orders[0] if orders else ("", "")
    own = seat is not None and author == seat
    seen = play.seen(rules, events_of(rules, step), seat)
    return {
        "n": step.n,
        "seat": author,
        "order": text,
        "undo": undo and undo.to,
        "void": False,
        # Where on the sheet an order stood shows its author's plans, so others do not see it.
        "ended": _ended(author, text, step.source),
        "source": step.source if own or step.source == DEFAULT else "",
        "passed": [
            {"order": order, "reason": rules.telling.explain(reason)}
            for order, reason in (json.loads(step.passed) if own else [])
        ],
        "events": [codec.plain(event) for event in seen],
        "alike": "" if undo else rules.telling.alike(seen),
        # Sorted, because the order of a set of texts is another one in each process.
        "struck": sorted({hit for hit in map(rules.telling.struck, seen) if hit is not None}),
        "digest": step.digest,
        "words": {s: w for s, w in json.loads(step.words or "{}").items() if over or s == seat},
        "proxied": json.loads(step.proxied),
        # A die that one side alone may know is shown to all at the end, to be checked.
        "rolls": [
            {"sides": sides, "result": result, "why": why}
            for sides, result, why in json.loads(step.rolls)
            if over or rules.rolled is None or may_know(rules.rolled(why), seat)
        ],
    }


def _ended(author: str, text: str, source: str) -> Ended | None:
    """Return what an order of the referee's seat ended, if it did."""
    what, _, seat = text.partition(" ")
    if author != REFEREE or what not in ("DRAW", "FORFEIT"):
        return None
    return {"seat": seat, "cause": source}


def reported(rules: AnyRuleset, steps: Sequence[SeenStep], view: View) -> list[SeenStep]:
    """Return steps, each with what the system reports of it to the reader of a view."""
    report = rules.telling.report
    if report is None:
        return list(steps)
    return [{**step, "report": codec.plain(report(_typed(rules, step), view))} for step in steps]


def _typed(rules: AnyRuleset, step: SeenStep) -> list[Any]:
    """Return a step's events as the rules know them."""
    form: Any = list[rules.event]  # type: ignore[name-defined]
    return cast(list[Any], codec.typed(step["events"], form))


def words_told(steps: Iterable[SeenStep]) -> list[WordsRun]:
    """Return whose words entered which steps; steps in a row with the same words are one entry."""
    found: dict[str, list[WordsRun]] = {}
    for step in steps:
        for seat, words in step["words"].items():
            runs = found.setdefault(seat, [])
            if not runs or runs[-1]["words"] != words:
                runs.append({"seat": seat, "words": words, "first": step["n"], "last": step["n"]})
            runs[-1]["last"] = step["n"]
    return [run for runs in found.values() for run in runs]


def ruled(rulings: Iterable[Ruling]) -> list[ShownRuling]:
    """Return the rulings of a battle: after how many steps, on which day (UTC), and the text."""
    return [
        {
            "after": row.after,
            "day": day(row.made),
            "text": cast(str, unpacked(json.loads(row.said))) if row.said else row.text,
        }
        for row in rulings
    ]


def passages(
    rules: AnyRuleset,
    steps: Sequence[SeenStep],
    stories: Iterable[ShownStory],
    swings: Sequence[Swing] = (),
) -> list[Passage]:
    """Return the story of some steps, with each player's story before the step that followed it.

    After the beats of `swings` it says that the battle turned there.
    """
    waiting, found = deque(_once(stories)), list[Passage]()
    kinds: Counter[str] = Counter()
    for run in _runs(steps, {story["after"] for story in waiting}):
        earlier: list[ShownStory] = []
        # `after` counts steps, and `n` numbers them from 0: after 3 steps means before step 3.
        while waiting and waiting[0]["after"] <= run[-1]["n"]:
            earlier.append(waiting.popleft())
        beats = told(rules, run, swings, kinds)
        found.append(_passage(run, earlier, beats))
    if waiting:
        # Stories that were written after the last step.
        found.append(_passage([], list(waiting), []))
    return found


def _passage(run: Sequence[SeenStep], stories: list[ShownStory], beats: list[Beat]) -> Passage:
    return {
        "stories": stories,
        "first": run[0]["n"] if run else 0,
        "last": run[-1]["n"] if run else 0,
        "undo": run[0]["undo"] if run else None,
        "void": bool(run and run[0]["void"]),
        "paragraphs": list(_paragraphs(beats)),
    }


def _runs(steps: Sequence[SeenStep], breaks: set[int]) -> Iterator[list[SeenStep]]:
    """Yield runs of steps that are told together.

    No story was written between the steps of a run, and either all or none of them are void.
    """

    def told_with(step: SeenStep) -> tuple[int, bool, int | None]:
        return sum(step["n"] >= after for after in breaks), step["void"], step["undo"]

    for _, run in groupby(steps, told_with):
        yield list(run)


def told(
    rules: AnyRuleset,
    steps: Sequence[SeenStep],
    swings: Sequence[Swing] = (),
    kinds: Counter[str] | None = None,
) -> list[Beat]:
    """Return the beats of some steps, with turning points; `nth` counts those of each kind."""
    kinds = Counter() if kinds is None else kinds
    scenes = [
        Scene(s["n"], Seat(s["seat"]), s["source"] == DEFAULT, _typed(rules, s)) for s in steps
    ]
    here, found = {scene.n for scene in scenes}, list[Beat]()
    for beat in turned(rules.telling.story(scenes), [swing for swing in swings if swing.n in here]):
        event = {"event": codec.plain(beat["event"])} if "event" in beat else {}
        found.append({**beat, **event, "nth": kinds[beat["kind"]]})
        kinds[beat["kind"]] += 1
    for step in steps:
        if step["ended"]:
            n = step["n"]
            at = next((i for i, beat in enumerate(found) if beat["first"] >= n), len(found))
            found.insert(at, {"kind": "ended", "first": n, "last": n, "nth": 0, **step["ended"]})
    return found


def turned(beats: Sequence[Beat], swings: Iterable[Swing]) -> Iterator[Beat]:
    """Yield the beats, with each turning point after the first beat that covers its step.

    Where several beats end with that step, it stands after the last of them, because the earlier
    ones say what led to it. The end comes after it, unless the step was quiet: then the end did it.
    """
    waiting = sorted(swings)
    for beat, following in zip_longest(beats, beats[1:]):
        yield beat
        # A remark on the dice belongs to its beat, so a turning point stands after both.
        if following and following["kind"] in REMARKS:
            continue
        ended = following and following["kind"] == "over" and beat["kind"] != "quiet"
        same = following and following["last"] == beat["last"] and not ended
        while waiting and waiting[0].n <= beat["last"]:
            if same and waiting[0].n == beat["last"]:
                break
            swing = waiting.pop(0)
            yield {"kind": "turn", "first": swing.n, "last": swing.n, **swing.facts()}


def _paragraphs(beats: Iterable[Beat]) -> Iterator[list[Beat]]:
    """Yield the beats in paragraphs; a remark stands in that of the beat before it.

    Where a beat has a `turn`, a paragraph begins with a turn.
    """
    paragraph: list[Beat] = []
    for beat in beats:
        if len(paragraph) >= BEATS and beat["kind"] not in REMARKS and beat.get("turn", True):
            yield paragraph
            paragraph = []
        paragraph.append(beat)
    if paragraph:
        yield paragraph


def _once(stories: Iterable[ShownStory]) -> list[ShownStory]:
    """Return the stories without repeats, each cut to the length that is shown."""
    unique = {(story["seat"], story["after"], *story["lines"]): story for story in stories}
    return [{**story, "lines": _shortened(story["lines"])} for story in unique.values()]


def _shortened(lines: Sequence[str]) -> list[str]:
    bare = [line.strip() for line in lines[:LINES]]
    cut = [line if len(line) <= LENGTH else line[:LENGTH] + " …" for line in bare]
    return [*cut, "…"] if len(lines) > LINES else cut
