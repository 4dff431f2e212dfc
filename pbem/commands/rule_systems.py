"""`pbem system`: list the rule systems, try the laws on one, or write a new one."""

import time
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice, product
from pathlib import Path

import click

from engine import codec
from engine.dice import Dice, canonical
from engine.laws import LAWS, Broken, Check, Finding, Law, check
from engine.laws.random_games import Step, chance_of, playout, setup_of
from engine.play import seen
from engine.registry import RULESETS
from engine.ruleset import AnyRuleset
from pbem.commands.common import JSON, UsageError, called, command, print_json, progress
from pbem.host.package_data import EXAMPLES, TEMPLATES, own_folder
from pbem.i18n.collect_messages import of_code, of_templates
from pbem.i18n.message_catalogue import SOURCE, languages, read
from pbem.maintenance import new_system
from pbem.rendering import LeagueFacts, Renderer
from pbem.rendering.battle_words import Untold, tell

_MOST_SHOWN = 40
"""At most so many steps of a game that breaks a law are printed."""
_TIMED = 30
"""At most so many steps of each of three games are timed."""
_ORDERS = "{{ kit.sample("
"""How a line of a template begins that prints orders."""


@command
@click.argument("act", type=click.Choice(("list", "check", "new", "example")))
@click.argument("name", metavar="[KEY]", required=False)
@click.option("--games", type=int, default=20, metavar="N", help="games a law (default: 20)")
@click.option(
    "--seconds",
    type=int,
    default=60,
    metavar="N",
    help="about how long, in all; longer for more of the games (default: 60)",
)
@JSON
def system(act: str, name: str | None, games: int, seconds: int, as_json: bool) -> int:
    """List rule systems, check one, write one, or print an example."""
    if act == "list":
        print_json({rules.key: rules.title for rules in RULESETS.values()})
        return 0
    if act == "example":
        return _example(name)
    if name is None:
        known = f"There are {', '.join(RULESETS)}" if act != "new" else "Write its name"
        raise UsageError(f"system {act}: which one? {known}")
    if act == "new":
        return _new(name)
    if name not in RULESETS:
        raise UsageError(f"there is no system {name}; there are {', '.join(RULESETS)}")
    if games < 1:
        raise UsageError(f"--games {games}: at least 1")
    if seconds < 1:
        raise UsageError(f"--seconds {seconds}: at least 1")
    return _check(RULESETS[name], games, seconds, as_json)


def _example(name: str | None) -> int:
    """Print an example of the documentation, or the names of all."""
    every = {
        path.relative_to(EXAMPLES).as_posix(): path
        for path in sorted(EXAMPLES.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }
    if name is None:
        print("\n".join(every))
        return 0
    bare = name.removeprefix("examples/")
    if bare not in every:
        raise UsageError(f"there is no example {name}; `{called()} system example` lists them")
    print(every[bare].read_text("utf-8"), end="")
    return 0


def _new(key: str) -> int:
    """Write a new system into the current folder, and print what comes next."""
    try:
        written = new_system.write(key, Path())
    except new_system.NotWritten as error:
        raise UsageError(f"system new: {error}") from None
    lines = sum(len(path.read_text("utf-8").splitlines()) for path in written)
    print(
        f"{key}: {len(written)} files with {lines} lines. Install it, and try its laws:\n"
        f"  {Path(called()).with_name('python')} -m pip install -e {key}\n"
        f"  {called()} system check {key}\n"
        "docs/systems.md tells what each function is for, and how to go on."
    )
    return 0


def _check(rules: AnyRuleset, games: int, seconds: int, as_json: bool) -> int:
    """Print what became of each law, and return 1 if one is broken."""
    findings = list(_findings(rules, games, seconds))
    broken = any(one.broken is not None for one in findings)
    speed = 0 if broken else _speed(rules)
    fewer = any(0 < one.games < games and one.broken is None for one in findings)
    if as_json:
        laws = [_plain(one) for one in findings]
        print_json({"laws": laws, "steps_a_second": speed, "time_was_up": fewer})
    else:
        rows = [_row(rules, finding) for finding in findings]
        print("\n".join(rows if broken else [*rows, f"{speed:,} steps a second"]))
        for finding in findings:
            print("\n".join(_case(rules, finding)), end="")
        if fewer:
            print(f"Time was up after {seconds} s; --seconds tries more of the games.")
    return int(broken)


def _findings(rules: AnyRuleset, games: int, seconds: int) -> Iterator[Finding]:
    """Yield what becomes of each law, within about so many seconds."""
    plays = Law("plays", "each game can be played to its end", _nothing)
    laws = (plays, *LAWS, Law("words", "every event has words in every language", words(rules)))
    ends = time.monotonic() + seconds
    for number, law in enumerate(progress(laws, "laws", len(laws))):
        # Each law gets the same share of the time that is left.
        now = time.monotonic()
        enough = now + (ends - now) / (len(laws) - number)
        found = check(rules, law, games, partial(_goes_on, enough))
        # Of a game that can't be played all laws would say the same.
        if law is not plays or found.broken is not None:
            yield found
        if law is plays and found.broken is not None:
            return
    yield _translated(rules)


def _goes_on(until: float) -> bool:
    """Return whether a moment of the machine's clock is still to come."""
    return time.monotonic() < until


def _nothing(rules: AnyRuleset, step: Step, chance: Dice) -> None:
    """Demand nothing of a step but that it was played."""


def _translated(rules: AnyRuleset) -> Finding:
    """Find that each language of a system's package has all of its texts."""
    folders = own_folder(rules.key, "locale")
    law = Law(
        "translated",
        "each text of the package is in each of its languages",
        check=_nothing,
        lacks=lambda rules: "" if folders else "folder locale",
    )
    for folder in folders:
        wanted = [*of_templates(folder.parent), *of_code(folder.parent)]
        for language in languages(folder):
            if language == SOURCE:
                continue
            known = read([folder], language).messages
            lacking = [one for one in wanted if one.text not in known]
            if language not in rules.translations:
                # Orders are printed as they are in a language that has no order words.
                lacking = [one for one in lacking if not one.text.startswith(_ORDERS)]
            if lacking:
                file, line = lacking[0].file.relative_to(folder.parent), lacking[0].line
                more = f", and so are {len(lacking) - 1} more" if lacking[1:] else ""
                text = f"{file}, line {line}: {lacking[0].text!r} is not in locale/{language}{more}"
                return Finding(law, 0, 0, text)
    return Finding(law, 0, 0)


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
    # The processor's time, which other programs on the machine do not change.
    began = time.process_time()
    steps = sum(1 for seed in range(3) for _ in islice(playout(rules, seed), _TIMED))
    # The games of a small system may take less time than the clock can show.
    return round(steps / max(time.process_time() - began, 1e-6))


def _row(rules: AnyRuleset, finding: Finding) -> str:
    law = finding.law
    if lacks := law.lacks(rules):
        return f"{law.name:14}not tried: the system has no {lacks}"
    state = "held  " if finding.broken is None else "BROKEN"
    return (
        f"{law.name:14}{state} in {finding.games:4} games, {finding.steps:6} steps: {law.demands}"
    )


def _case(rules: AnyRuleset, finding: Finding) -> Sequence[str]:
    """Return the smallest game that breaks a law, as lines."""
    if finding.broken is None:
        return ()
    orders = [f"  {number}. {text}" for number, text in enumerate(finding.orders, 1)]
    if len(orders) > _MOST_SHOWN:
        half = _MOST_SHOWN // 2
        between = f"  … {len(orders) - 2 * half:,} more steps …"
        orders = [*orders[:half], between, *orders[-half:]]
    if not orders:
        return ("", f"{finding.law.name}: {finding.broken}", "")
    begun = f"  set-up: {canonical(codec.plain(setup_of(rules, chance_of(finding.seed, 'game'))))}"
    return (
        "",
        f"{finding.law.name}: {finding.broken}",
        f"Game {finding.seed}:",
        begun,
        *orders,
        "",
    )


def _plain(finding: Finding) -> dict[str, object]:
    return {**finding._asdict(), "law": finding.law.name}
