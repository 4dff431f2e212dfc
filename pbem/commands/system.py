"""`pbem system`: list the rule systems, try the laws on one, or write a new one."""

import time
from collections.abc import Iterator, Sequence
from itertools import chain, product
from pathlib import Path

from engine import codec
from engine.dice import Dice
from engine.laws import LAWS, Broken, Check, Finding, Law, check
from engine.laws.playing import Step, playout
from engine.library import RULESETS
from engine.play import seen
from engine.ruleset import AnyRuleset
from pbem.commands.common import Args, UsageError, print_json, progress
from pbem.maintenance import scaffold
from pbem.rendering import TEMPLATES, LeagueFacts, Renderer
from pbem.rendering.telling import Untold, tell


def system(args: Args) -> int:
    """Carry out `pbem system list`, `pbem system check KEY` or `pbem system new KEY`."""
    if args.act == "list":
        print_json({rules.key: rules.title for rules in RULESETS.values()})
        return 0
    if args.name is None:
        known = f"There are {', '.join(RULESETS)}" if args.act != "new" else "Write its name"
        raise UsageError(f"system {args.act}: which one? {known}")
    if args.act == "new":
        return _new(args.name)
    if args.name not in RULESETS:
        raise UsageError(f"there is no system {args.name}; there are {', '.join(RULESETS)}")
    if args.games < 1:
        raise UsageError(f"--games {args.games}: at least 1")
    return _check(RULESETS[args.name], args.games, args.json)


def _new(key: str) -> int:
    """Write a new system into the current folder, and print what comes next."""
    try:
        written = scaffold.write(key, Path())
    except scaffold.NotWritten as error:
        raise UsageError(f"system new: {error}") from None
    lines = sum(len(path.read_text("utf-8").splitlines()) for path in written)
    print(
        f"{key}: {len(written)} files with {lines} lines. Install it, and try its laws:\n"
        f"  python -m pip install -e {key}\n"
        f"  pbem system check {key}\n"
        "docs/systems.md tells what each function is for, and how to go on."
    )
    return 0


def _check(rules: AnyRuleset, games: int, as_json: bool) -> int:
    """Print what became of each law, and return 1 if one is broken."""
    findings = list(_findings(rules, games))
    speed = _speed(rules)
    if as_json:
        print_json({"laws": [_plain(one) for one in findings], "steps_a_second": speed})
    else:
        print("\n".join(chain(map(_row, findings), [f"{speed:,} steps a second"])))
        for finding in findings:
            print("\n".join(_case(finding)), end="")
    return int(any(one.broken is not None for one in findings))


def _findings(rules: AnyRuleset, games: int) -> Iterator[Finding]:
    laws = (*LAWS, Law("words", "every event has words in every language", words(rules)))
    for law in progress(laws, "laws", len(laws)):
        yield check(rules, law, games)


def words(rules: AnyRuleset) -> Check:
    """Return the check that a system's templates tell each step, in each language, to everybody."""
    facts = LeagueFacts("League", "referee@league.example", {rules.key: rules.credits})
    renderer = Renderer(facts, TEMPLATES)

    def check_words(rules: AnyRuleset, step: Step, chance: Dice) -> None:
        for language, seat in product(renderer.languages, (*rules.seats(step.after), None)):
            events = [codec.plain(event) for event in seen(rules, step.events, seat)]
            view = rules.view(step.after, seat)
            try:
                tell(renderer.letters(language, rules.key), rules.key, events, view)
            except Untold as error:
                kinds = ", ".join(str(event["type"]) for event in events)
                raise Broken(f"in {language}, of {kinds}: {error}") from None

    return check_words


def _speed(rules: AnyRuleset) -> int:
    """Return how many steps a second are played with random orders."""
    began = time.process_time()
    steps = sum(1 for seed in range(3) for _ in playout(rules, seed))
    return round(steps / max(time.process_time() - began, 1e-6))


def _row(finding: Finding) -> str:
    state = "held  " if finding.broken is None else "BROKEN"
    law = finding.law
    return (
        f"{law.name:14}{state} in {finding.games:4} games, {finding.steps:6} steps: {law.demands}"
    )


def _case(finding: Finding) -> Sequence[str]:
    """Return the smallest game that breaks a law, as lines."""
    if finding.broken is None:
        return ()
    orders = [f"  {number}. {text}" for number, text in enumerate(finding.orders, 1)]
    return ("", f"{finding.law.name}: {finding.broken}", f"Game {finding.seed}:", *orders, "")


def _plain(finding: Finding) -> dict[str, object]:
    return {**finding._asdict(), "law": finding.law.name}
