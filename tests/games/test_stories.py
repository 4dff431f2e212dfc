"""What an account tells is in the log: beats against the events, and words against the beats."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.codec import plain
from engine.dice import SeededDice
from engine.play import bot_flyer, play_on, seen
from engine.registry import RULESETS
from pbem.games.reports import turning_points
from pbem.games.reports.battle_account import told
from tests.rendering.test_letter_templates import PRESS

TEAMS = {
    "starpilot": (
        ("Hawk FOR cartel WEAPONS 14 PILOTING 11 SENSORS 11 SHIP Angela 313B",
         "Falcon FOR cartel WEAPONS 10 PILOTING 13 SENSORS 13 SHIP Angela 313B"),
        ("Kestrel FOR alliance WEAPONS 12 PILOTING 10 SENSORS 14 SHIP Rus 133-A",
         "Merlin FOR alliance WEAPONS 12 PILOTING 14 SENSORS 10 SHIP Rus 133-A"),
    ),
    "blackskies": (
        ("Vultures WITH Red: 2 Black Tiger SKILL 2 1; Gold: 1 Nightjar SKILL 3",),
        ("Hawks WITH Blue: 2 Grey Fox SKILL 2; Grey: 1 Porcupine SKILL 2",),
    ),
    "starfarer": (
        ("Vultures WITH Kitai: scout; Bo: guard",), ("Hawks WITH Una: duellist; Cy: medic",)
    ),
    "cortex": (
        ("Vultures WITH Lance: fighter; Red: 2 strikers",), ("Hawks WITH Blue: 3 fighters",)
    ),
}  # fmt: skip
NUMBERS = {word: n for n, word in enumerate(("two", "three", "four", "five", "six"), 2)}
NUMBERS |= {word: n for n, word in enumerate(("zwei", "drei", "vier", "fünf", "sechs"), 2)}
NUMBERS |= {"twice": 2, "zweimal": 2, "dreimal": 3, "viermal": 4, "fünfmal": 5, "sechsmal": 6}


def played(system: str, seed: int, strength: str, each: int) -> tuple[list[Any], dict[int, Any]]:
    """Play a battle of so many a side; return its steps as the public sees them, and its states."""
    rules = RULESETS[system]
    assert rules.campaign is not None
    ones, others = ([rules.campaign.enlist(text) for text in team[:each]] for team in TEAMS[system])
    setup = rules.campaign.melee(ones, others, None)
    state = rules.setup(setup)
    dice, whims = (SeededDice(use, "G1", seed, b"") for use in (b"dice", b"whims"))
    flyers = {s: bot_flyer(rules, strength, s, whims) for s in rules.seats(state)}
    steps, states = [], {-1: state}
    for n, turn in enumerate(play_on(rules, state, flyers, dice)):
        states[n] = turn.state
        events = [plain(event) for event in seen(rules, turn.events, None)]
        steps.append({"n": n, "seat": "", "source": "", "ended": None, "events": events})
        if n == 150:
            break
    return steps, states


def events_of(steps: list[Any], beat: dict[str, Any], *kinds: str) -> list[dict[str, Any]]:
    """Return the events of some kinds in the steps that a beat covers."""
    covered = [s for s in steps if beat["first"] <= s["n"] <= beat["last"]]
    return [event for step in covered for event in step["events"] if event["type"] in kinds]


def failed(steps: list[Any], beat: dict[str, Any], pilot: str, *commands: str) -> int:
    tried = events_of(steps, beat, "Tried")
    mine = [e for e in tried if e["pilot"] == pilot and e["command"] in commands]
    return sum(not event["success"] for event in mine)


def holds(steps: list[Any], beat: dict[str, Any]) -> bool:
    """Count anew what a beat of StarPilot says, and return whether it is so.

    A beat may begin in the step in which the one before it ended, so there may be more to count.
    """
    kind, last = beat["kind"], {**beat, "first": beat["last"]}
    if kind == "hit":
        landed = [(e["by"], e["at"], e["hits"]) for e in events_of(steps, last, "Landed")]
        hits = [e for e in events_of(steps, last, "Hit") if e["at"] == beat["at"]]
        values = {(e["stat"], e["value"]) for e in hits}
        lost = beat["at"] in [e["pilot"] for e in events_of(steps, last, "Destroyed")]
        return (
            (beat["by"], beat["at"], beat["hits"]) in landed
            and {tuple(pair) for pair in beat["left"]} <= values
            and beat["wounds"] <= any(e["wounds"] for e in hits)
            and beat["destroyed"] <= lost
        )
    if kind == "spent":
        pilot = beat["pilot"]
        stopped = [s for e in events_of(steps, beat, "Evaded") for s in e["shots"]]
        harmless = [e for e in events_of(steps, beat, "Landed") if e["by"] == pilot]
        vain = failed(steps, beat, pilot, "FIRE", "LAUNCH")
        vain += sum(s["by"] == pilot for s in stopped) + sum(not e["hits"] for e in harmless)
        return bool(vain >= beat["times"])
    if kind in ("searched", "turned", "moved"):
        commands = {"searched": ("SCAN",), "turned": ("DOGFIGHT",), "moved": ("OPEN", "CLOSE")}
        return failed(steps, beat, beat["pilot"], *commands[kind]) >= beat["times"]
    if kind.startswith("both_"):
        command = {"both_searched": "SCAN", "both_aimed": "TARGET", "both_turned": "DOGFIGHT"}[kind]
        return sum(failed(steps, beat, p, command) for p in beat["pilots"]) >= beat["times"]
    if kind == "aimed":
        mine = [e for e in events_of(steps, beat, "Tried") if e["pilot"] == beat["pilot"]]
        aims = [e["success"] for e in mine if e["command"] == "TARGET"]
        return len(aims) >= beat["times"] and sum(aims) >= beat["locks"]
    if kind == "found":
        located = [foe for e in events_of(steps, last, "Located") for foe in e["foes"]]
        vain = failed(steps, beat, beat["pilot"], "SCAN")
        return set(beat["foes"]) <= set(located) and beat["failures"] <= vain
    if kind == "advantage":
        changed, told_of = events_of(steps, beat, "Positioned"), beat["changes"]
        mine = [e["holder"] for e in changed if sorted((e["pilot"], e["foe"])) == beat["pair"]]
        return bool(mine[-len(told_of) :] == told_of)
    if kind == "range":
        moved = [e for e in events_of(steps, last, "Moved") if e["range"] == beat["range"]]
        return sorted(e["foe"] for e in moved) == sorted(beat["foes"])
    if kind == "out":
        left = [(e["pilot"], e["fate"], e["by"]) for e in events_of(steps, last, "Left")]
        return (beat["pilot"], beat["fate"], beat["by"]) in left
    if kind in ("near", "long", "sure"):
        rolled = [(e["pilot"], e["chance"], e["roll"], e["success"])
                  for e in events_of(steps, last, "Tried", "Bailed")]  # fmt: skip
        return (beat["pilot"], beat["chance"], beat["roll"], kind == "long") in rolled
    return kind in ("begun", "restarted", "over", "guarded", "waited", "stuck")


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(["easy", "sound"]), st.integers(1, 2))
def test_each_beat_of_starpilot_is_in_the_log(seed: int, strength: str, each: int) -> None:
    steps, _ = played("starpilot", seed, strength, each)
    beats = told(RULESETS["starpilot"], steps)
    assert [beat for beat in beats if not holds(steps, beat)] == []
    every = [event for step in steps for event in step["events"]]
    hits = [beat["hits"] for beat in beats if beat["kind"] == "hit"]
    assert sum(hits) == sum(e["hits"] for e in every if e["type"] == "Landed")
    changes = [
        change for beat in beats if beat["kind"] == "advantage" for change in beat["changes"]
    ]
    assert len(changes) == sum(e["type"] == "Positioned" for e in every)
    out = [beat["pilot"] for beat in beats if beat["kind"] == "out"]
    assert out == [e["pilot"] for e in every if e["type"] == "Left"]


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(["easy", "sound"]))
@example(714365, "sound")
def test_each_beat_of_black_skies_is_in_the_log(seed: int, strength: str) -> None:
    steps, _ = played("blackskies", seed, strength, 1)
    beats = told(RULESETS["blackskies"], steps)
    struck: dict[tuple[int, int, str], list[Any]] = {}
    for beat in [beat for beat in beats if beat["kind"] == "struck"]:
        struck.setdefault((beat["first"], beat["last"], beat["at"]), []).append(beat)
    # A target is struck in two beats of a turn where the loss of a shooter is told between.
    for (_, _, at), told_of in struck.items():
        fired = [e for e in events_of(steps, told_of[0], "Fired") if e["at"] == at and e["hits"]]
        hits = [e for e in events_of(steps, told_of[0], "Hit") if e["at"] == at]
        lost = {e["fighter"]: e["by"] for e in events_of(steps, told_of[0], "Destroyed")}
        by = [one for beat in told_of for one in beat["by"]]
        assert list(dict.fromkeys(by)) == list(dict.fromkeys(e["by"] for e in fired))
        assert sum(beat["hits"] for beat in told_of) == sum(e["hits"] for e in fired)
        assert sum(beat["damage"] for beat in told_of) == sum(e["damage"] for e in hits)
        assert (told_of[-1]["hull"], told_of[-1]["lost"]) == (hits[-1]["hull"], lost.get(at, ""))
    for beat in [beat for beat in beats if beat["kind"] == "missed"]:
        assert not [e for e in events_of(steps, beat, "Hit") if e["at"] in beat["at"]]
    for beat in [beat for beat in beats if beat["kind"] == "quiet"]:
        assert not events_of(steps, beat, "Fired", "Left", "Grazed")
    every = [event for step in steps for event in step["events"]]
    lost = [beat["at"] for beat in beats if beat["kind"] == "struck" and beat["lost"]]
    assert sorted(lost) == sorted(e["fighter"] for e in every if e["type"] == "Destroyed")


def values(fact: object) -> Iterator[object]:
    """Yield all that a beat's facts hold."""
    if isinstance(fact, dict):
        fact = list(fact.values())
    if isinstance(fact, (list, tuple)):
        for part in fact:
            yield from values(part)
    else:
        yield fact


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(["easy", "sound"]))
def test_each_hit_and_each_fall_of_starfarer_and_cortex_is_told_once(
    seed: int, strength: str
) -> None:
    for system, hits, outs in (("starfarer", "Hit", "Out"), ("cortex", "Struck", "Gone")):
        steps, _ = played(system, seed, strength, 1)
        beats = told(RULESETS[system], steps)
        every = [event for step in steps for event in step["events"]]
        struck = [beat for beat in beats if beat["kind"] == "struck"]
        of_hits = [(e["by"], e.get("at", e.get("name"))) for e in every if e["type"] == hits]
        assert {(beat["by"], beat["at"]) for beat in struck} == set(of_hits)
        if system == "starfarer":
            assert len(struck) == len(of_hits)
        else:
            harm = sum(e["stun"] + e["wound"] for e in every if e["type"] == hits)
            assert sum(beat["harm"] for beat in struck) == harm
        fates = [(b.get("at", b.get("name")), b["fate"]) for b in beats if b.get("fate")]
        gone = [(e.get("character", e.get("name")), e["fate"]) for e in every if e["type"] == outs]
        assert not Counter(gone) - Counter(fates)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("system", TEAMS)
@settings(max_examples=6, deadline=None)
@given(st.integers(0, 10**6))
def test_words_say_no_number_and_no_name_that_is_not_in_the_beat(
    system: str, language: str, seed: int
) -> None:
    rules = RULESETS[system]
    steps, states = played(system, seed, "sound", 1)
    view = rules.view(states[len(steps) - 1], None)
    names = {p["name"] for p in view["pilots"]} | {team["name"] for team in view["teams"]}
    beats = told(rules, steps, turning_points.found(rules, states)[:2])
    templates = PRESS.letters(language, system)
    account: Any = templates.get_template("parts/account.j2").module
    narrate: Any = templates.get_template(f"{system}/narrate.j2").module
    for beat in beats:
        text = str(account.told(beat, {"commitment": f"{seed}"}, view, narrate))
        facts = set(values(beat)) | {100}
        if "changes" in beat:
            facts.add(len(beat["changes"]))
        # Harm is counted in tenths of a point.
        facts |= {beat.get("harm", 0) // 10, len(beat.get("shots", ()))}
        if beat["kind"] == "begun":
            facts |= {team["name"] for team in view["teams"]}
        found = {NUMBERS[w] for w in re.findall(r"\w+", text.lower()) if w in NUMBERS}
        bare = re.sub("|".join(map(re.escape, sorted(names, key=len, reverse=True))), " ", text)
        assert {int(n) for n in re.findall(r"\b\d+", bare)} | found <= facts, (text, beat)
        told_of = {name for name in names if re.search(rf"\b{re.escape(name)}\b(?! \d)", text)}
        assert told_of <= facts, (text, beat)


@pytest.mark.parametrize("system", TEAMS)
def test_the_turning_point_is_where_the_odds_swing_most_and_for_good(system: str) -> None:
    """An Advantage that was lost in the next turn was told as what changed everything."""
    rules, passing = RULESETS[system], 0
    for seed in range(8):
        steps, states = played(system, seed, "sound", 1)
        [widest, *others] = turning_points.found(rules, states)
        lead = [rules.telling.lead(states[n]) for n in range(-1, len(steps))]
        first = next(iter(rules.teams(states[-1])))
        odds = lead if widest.side == first else [100 - chance for chance in lead]
        assert odds[widest.n : widest.n + 2] == [widest.before, widest.after]
        assert min(odds[widest.n + 1 :]) > (widest.before + widest.after) / 2
        assert all(one.width <= widest.width for one in others)
        assert widest.after > widest.before
        passing += widest.width < max(abs(after - before) for before, after in pairwise(odds))
        [turn] = [beat for beat in told(rules, steps, [widest]) if beat["kind"] == "turn"]
        assert (turn["first"], turn["side"]) == (widest.n, widest.side)
    assert passing or system != "starpilot"


@pytest.mark.parametrize("system", TEAMS)
def test_a_turning_point_is_told_after_all_that_happened_in_its_step(system: str) -> None:
    rules, found = RULESETS[system], 0
    for seed in range(6):
        steps, states = played(system, seed, "sound", 1)
        beats = told(rules, steps, turning_points.found(rules, states)[:2])
        for number, beat in enumerate(beats):
            if beat["kind"] == "turn":
                later = beats[number + 1 :]
                found += any(one["last"] == beat["last"] for one in beats[:number])
                assert [one for one in later if one["last"] == beat["last"]] == [
                    one for one in later if one["kind"] == "over" and one["last"] == beat["last"]
                ]
    assert found >= 3


@pytest.mark.parametrize("system", TEAMS)
def test_who_is_ahead_by_the_rule_of_thumb_wins_more_often(system: str) -> None:
    rules = RULESETS[system]
    ahead = right = 0
    for seed in range(12):
        steps, states = played(system, seed, "sound", 1)
        outcome = rules.outcome(states[len(steps) - 1])
        if outcome is None or outcome.winner is None:
            continue
        first = rules.view(states[-1], None)["teams"][0]["name"]
        halfway = rules.telling.lead(states[len(steps) * 3 // 4])
        ahead += halfway != 50
        right += halfway != 50 and (halfway > 50) is (outcome.winner == first)
    assert ahead >= 6
    assert right / ahead > 0.6
