"""All rule systems: those that installed packages name in the entry-point group `pbem.systems`.

An entry point has its system's key as its name, and leads to a Ruleset, or to a Replayable whose
scenarios alone can be replayed. Ours are found in the same way. A package that can't be loaded is
left out, and FAULTS says why, so that a league goes on without it.
"""

import re
from collections.abc import Collection, Iterable
from importlib.metadata import EntryPoint, entry_points

from engine.campaign import Blueprints, Campaign, Nouns
from engine.guest_campaign import PLAYERS
from engine.i18n import all_of, either
from engine.ruleset import AnyReplayable, AnyRuleset, Match, Replayable, Ruleset
from engine.unloaded_rules import unloaded

GROUP = "pbem.systems"

RULESETS: dict[str, AnyRuleset] = {}
"""The systems that a league can play, in the order in which lists name them."""

REPLAYABLE: dict[str, AnyReplayable] = {}
"""All systems whose scenarios can be replayed, those of RULESETS first."""

PACKAGES: dict[str, str] = {}
"""The package of each system, with its folders templates, locale and checking_script if any."""

FAULTS: dict[str, str] = {}
"""Why a system was left out, by the name of its entry point."""

_KEY = re.compile(r"[a-z][a-z0-9]{1,29}")


def find(entries: Iterable[EntryPoint]) -> None:
    """Load the systems that entry points lead to, and put them into order."""
    for entry in entries:
        try:
            _add(entry)
        # Whatever a package does wrong, the other systems must go on.
        except Exception as error:
            FAULTS[entry.name] = f"{type(error).__name__}: {error}"
    found = sorted(
        REPLAYABLE.values(), key=lambda one: (not isinstance(one, Ruleset), one.rank, one.key)
    )
    for known in (REPLAYABLE, RULESETS):
        known.clear()
    REPLAYABLE.update((rules.key, rules) for rules in found)
    RULESETS.update((rules.key, rules) for rules in found if isinstance(rules, Ruleset))


def _add(entry: EntryPoint) -> None:
    rules = entry.load()
    if not isinstance(rules, Replayable):
        raise TypeError(f"{entry.value} is a {type(rules).__name__}, and no Ruleset")
    if rules.key != entry.name or not _KEY.fullmatch(entry.name):
        raise ValueError(
            f"the key is {rules.key!r}; it must be the entry point's name, in small letters"
        )
    # Two packages of the same key: which of them a stored game was played by, nobody could tell.
    if rules.key in REPLAYABLE:
        raise ValueError(f"{PACKAGES[rules.key]} has a system of this key already")
    REPLAYABLE[rules.key] = rules
    PACKAGES[rules.key] = entry.module.rpartition(".")[0] or entry.module


def rules_of(system: str) -> AnyRuleset:
    """Return the rules of a system, or those that replace missing ones."""
    return RULESETS.get(system) or unloaded(system)


def campaigns() -> dict[str, Campaign]:
    """Return the campaigns of the systems that have one; in the others players play as guests."""
    found = ((key, rules.campaign) for key, rules in RULESETS.items())
    return {key: campaign for key, campaign in found if campaign is not None}


def blueprints() -> dict[str, Blueprints]:
    """Return what systems say of blueprints, for those that have any."""
    found = ((key, campaign.blueprints) for key, campaign in campaigns().items())
    return {key: functions for key, functions in found if functions is not None}


def matches() -> dict[str, Match]:
    """Return how a game begins by its players' names, for the systems where one can."""
    found = ((key, rules.match) for key, rules in RULESETS.items())
    return {key: match for key, match in found if match is not None}


def nouns(systems: Collection[str]) -> Nouns:
    """Return what personas are called in these systems, or in all of them if none is named.

    Where none of them has a campaign, players play as themselves.
    """
    known = campaigns().items()
    every = dict.fromkeys(one.nouns for key, one in known if key in systems or not systems)
    ones, several, none = zip(*(every or [PLAYERS]), strict=True)
    return Nouns(either(ones), either(several), all_of(none))


# Ours come first, so that no package can take the place of one; the order of the path may differ.
find(
    sorted(
        entry_points(group=GROUP),
        key=lambda entry: (not entry.value.startswith("engine."), entry.name, entry.value),
    )
)
if not RULESETS:
    raise ImportError(
        "no rule system is installed: renew the installation, with pip install -e . in a checkout"
    )
